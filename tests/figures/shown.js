// What the only figure of a page says now, and what it draws: the elements that are seen, the pixels of its
// canvases, and what its controls say of themselves.
async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const root = document.querySelector(".moving-figure");
  const seen = [...root.querySelectorAll(".ex-drawings *, button, output, label")].filter((node) =>
    node.checkVisibility({ visibilityProperty: true }),
  );
  const drawn = seen.map((node) => {
    const own = [...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const pixels = node.localName === "canvas" ? node.toDataURL() : "";
    return [node.cloneNode().outerHTML, ...own.map(({ data }) => data), pixels].join(" ");
  });
  const folded = root.querySelector(".ex-more");
  return {
    said: root.querySelector(".ex-said").innerText.replaceAll("\u00a0", " "),
    more: folded.hidden ? "" : root.querySelector(".ex-numbers").textContent,
    drawn: drawn.join("\n"),
  };
};
