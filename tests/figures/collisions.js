// What of the drawings of a page is cut off or lies on something: [figure, kind, text, what it meets].
// A text is where its letters are: a box, turned as the text is. A pale line is a grid's.
async () => {
  await Promise.all(["", "600 "].map((weight) => document.fonts.load(`${weight}15px "Source Sans 3"`, "a0")));
  const ACROSS = [1, 0];
  const DOWN = [0, 1];
  const corners = (rect, matrix = {}) => {
    const { p1, p2, p3, p4 } = DOMQuad.fromRect(rect);
    return [p1, p2, p3, p4].map((p) => p.matrixTransform(matrix)).map(({ x, y }) => [x, y]);
  };
  const box = (text) => {
    const { x, width } = text.getBBox();
    const y = Number(text.getAttribute("y"));
    const size = parseFloat(getComputedStyle(text).fontSize);
    const drawing = text.closest(".wide, .phone") ?? text.closest("svg.drawn");
    const turned = drawing.getScreenCTM().inverse().multiply(text.getScreenCTM());
    const height = (/[gjpqyQ(),]/.test(text.textContent) ? 0.86 : 0.66) * size;
    return corners({ x, y: y - 0.66 * size, width, height }, turned);
  };
  const side = ([x0, y0], [x1, y1]) => {
    const length = Math.hypot(x1 - x0, y1 - y0);
    return [(x1 - x0) / length, (y1 - y0) / length];
  };
  const sides = ([p, q, r]) => [side(p, q), side(q, r)];
  const along = (points, [a, b]) => points.map(([x, y]) => a * x + b * y);
  const span = (points, side) => [Math.min(...along(points, side)), Math.max(...along(points, side))];
  const apart = (one, other) =>
    Math.max(
      ...[...sides(one), ...sides(other)].map((side) => {
        const [[from, to], [start, end]] = [span(one, side), span(other, side)];
        return Math.max(from - end, start - to);
      }),
    );
  const found = [];
  const seen = (svg) => svg.checkVisibility({ contentVisibilityAuto: true });
  for (const whole of document.querySelectorAll("svg.drawn")) {
    const drawing = [...whole.querySelectorAll(":scope > .wide, :scope > .phone")].find(seen) ?? whole;
    const { width, height } = drawing.viewBox.baseVal;
    const texts = [...drawing.querySelectorAll("text")].map((text) => ({ said: text.textContent, at: box(text) }));
    const paper = getComputedStyle(whole.querySelector(".paper")).fill;
    const tell = (...what) => found.push([whole.closest("[id]").id, ...what]);
    texts.forEach(({ said, at }, k) => {
      const [[left, right], [top, bottom]] = [span(at, ACROSS), span(at, DOWN)];
      if (Math.max(-left, right - width, -top, bottom - height) > 0.5) tell("cut", said);
      for (const other of texts.slice(0, k)) if (apart(at, other.at) < 2) tell("text", said, other.said);
    });
    for (const line of drawing.querySelectorAll("path, circle")) {
      const { stroke, strokeWidth, strokeOpacity } = getComputedStyle(line);
      const half = parseFloat(strokeWidth) / 2;
      const pale = ["none", paper, "rgb(200, 200, 200)"].includes(stroke) || strokeOpacity < 0.2;
      if (pale) continue;
      const around = corners(line.getBBox());
      for (const { said, at } of texts) {
        const far = [ACROSS, DOWN].some((side) => {
          const [[from, to], [start, end]] = [span(at, side), span(around, side)];
          return from > end + half || to < start - half;
        });
        if (far) continue;
        const inside = (point) =>
          sides(at).every((side) => {
            const [[from, to], [value]] = [span(at, side), along([[point.x, point.y]], side)];
            return from - half < value && value < to + half;
          });
        for (let length = 0; length <= line.getTotalLength(); length += 1.5)
          if (inside(line.getPointAtLength(length))) {
            tell("line", said, stroke);
            break;
          }
      }
    }
  }
  return found;
};
