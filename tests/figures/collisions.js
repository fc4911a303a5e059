// What of the drawings of a page is cut off or lies on something: [figure, kind, text, what it meets].
// A text is where its letters are: a box, turned as the text is. A pale line is a grid's.
async () => {
  await Promise.all(["", "600 "].map((weight) => document.fonts.load(`${weight}15px "Source Sans 3"`, "a0")));
  // What a text says, points all over its box, and whether a point lies in the box or near it.
  const placed = (text, drawing) => {
    const { x: left, width } = text.getBBox();
    const size = parseFloat(getComputedStyle(text).fontSize);
    const top = Number(text.getAttribute("y")) - 0.66 * size;
    const height = (/[gjpqyQ(),]/.test(text.textContent) ? 0.86 : 0.66) * size;
    const turned = drawing.getScreenCTM().inverse().multiply(text.getScreenCTM());
    const { a, b, c, d, e, f } = turned.inverse();
    const holds = ({ x, y }, margin) => {
      const [right, down] = [a * x + c * y + e - left, b * x + d * y + f - top];
      return right > -margin && right < width + margin && down > -margin && down < height + margin;
    };
    const shares = (length) => Array.from({ length: Math.ceil(length) + 1 }, (_, k) => k / Math.ceil(length));
    const points = shares(width).flatMap((across) =>
      shares(height).map((down) => new DOMPoint(left + across * width, top + down * height).matrixTransform(turned)),
    );
    return { said: text.textContent, points, holds };
  };
  const found = [];
  const seen = (svg) => svg.checkVisibility({ contentVisibilityAuto: true });
  for (const whole of document.querySelectorAll("svg.drawn")) {
    const drawing = [...whole.querySelectorAll(":scope > .wide, :scope > .phone")].find(seen) ?? whole;
    const { width, height } = drawing.viewBox.baseVal;
    const texts = [...drawing.querySelectorAll("text")].map((text) => placed(text, drawing));
    const paper = getComputedStyle(whole.querySelector(".paper")).fill;
    const tell = (...what) => found.push([whole.closest("[id]").id, ...what]);
    texts.forEach(({ said, points }, k) => {
      if (points.some(({ x, y }) => Math.max(-x, x - width, -y, y - height) > 0.5)) tell("cut", said);
      for (const other of texts.slice(0, k))
        if (points.some((point) => other.holds(point, 2))) tell("text", said, other.said);
    });
    for (const line of drawing.querySelectorAll("path, circle")) {
      const { stroke, strokeWidth, strokeOpacity } = getComputedStyle(line);
      if (["none", paper, "rgb(200, 200, 200)"].includes(stroke) || strokeOpacity < 0.2) continue; // pale
      const points = [];
      for (let length = 0; length <= line.getTotalLength(); length += 1.5) points.push(line.getPointAtLength(length));
      for (const { said, holds } of texts)
        if (points.some((point) => holds(point, parseFloat(strokeWidth) / 2))) tell("line", said, stroke);
    }
  }
  return found;
};
