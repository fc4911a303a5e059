// What the only figure of a page says, and a digest of all that it draws, whatever elements draw it and in
// whatever order: points to the pixel, colors, texts, heat maps, and the state of its controls.
async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const root = document.querySelector(".moving-figure");
  const drawings = root.querySelector(".ex-drawings");
  const parts = [];
  const near = (value) => Math.round(value + 0.013); // what lies on a half must not waver
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  for (const node of drawings.querySelectorAll("path, line, circle, rect, text, polyline, polygon")) {
    if (!seen(node)) continue;
    const box = node.ownerSVGElement.getBoundingClientRect();
    const matrix = node.getScreenCTM();
    const style = getComputedStyle(node);
    const names = ["fill", "stroke", "strokeWidth", "strokeDasharray", "opacity", "fillOpacity", "strokeOpacity"];
    if (style.fill === "rgba(0, 0, 0, 0)" && style.stroke === "none") continue; // a place to touch
    const place = ({ x, y }) => {
      const point = new DOMPoint(x, y).matrixTransform(matrix);
      return `${near(point.x - box.x)} ${near(point.y - box.y)}`;
    };
    const points = [];
    if (node.localName === "text") {
      const at = { x: node.x.baseVal[0]?.value ?? 0, y: node.y.baseVal[0]?.value ?? 0 };
      points.push(node.textContent, style.textAnchor, style.fontWeight, place(at));
    } else if (node.getAttribute("d") !== "") {
      const { x, y, width, height } = node.getBBox();
      points.push(place({ x, y }), place({ x: x + width, y: y + height }));
      const length = node.getTotalLength();
      for (let k = 0; k <= 12; k++) points.push(place(node.getPointAtLength((length * k) / 12)));
    }
    parts.push([...points, ...names.map((name) => style[name])].join(" "));
  }
  for (const canvas of drawings.querySelectorAll("canvas")) {
    if (!seen(canvas)) continue;
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    parts.push([...copy.getImageData(0, 0, width, height).data].map((value) => Math.round(value / 16)).join(""));
  }
  for (const node of root.querySelectorAll("[aria-label], [aria-valuetext], button, output, label")) {
    if (!seen(node)) continue;
    const names = ["aria-label", "aria-valuetext", "aria-pressed", "aria-disabled"];
    const told = names.map((name) => node.getAttribute(name));
    parts.push([...told, node.textContent, node.checked, node.disabled].join());
  }
  parts.push(drawings.innerText);
  let digest = 2166136261;
  for (const letter of parts.sort().join("\n")) digest = Math.imul(digest ^ letter.codePointAt(0), 16777619) >>> 0;
  const folded = root.querySelector(".ex-more");
  return {
    said: root.querySelector(".ex-said").innerText.replaceAll("\u00a0", " "),
    more: folded.hidden ? "" : root.querySelector(".ex-numbers").textContent,
    drawn: digest.toString(36),
  };
};
