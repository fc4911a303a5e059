// What of the drawings of a page is cut off or lies on something: [figure, kind, text, what it meets].
// A text is where its letters are: a box, turned as the text is. A pale line is a grid's.
async () => {
  await Promise.all(["", "600 "].map((weight) => document.fonts.load(`${weight}15px "Source Sans 3"`, "a0")));
  const box = (text) => {
    const { x, width } = text.getBBox(),
      y = Number(text.getAttribute("y"));
    const size = parseFloat(getComputedStyle(text).fontSize),
      drawing = text.closest(".wide, .phone") ?? text.closest("svg.drawn");
    const { a, b, c, d, e, f } = drawing.getScreenCTM().inverse().multiply(text.getScreenCTM());
    const low = /[gjpqyQ(),]/.test(text.textContent) ? y + 0.2 * size : y,
      high = y - 0.66 * size;
    return [
      [x, high],
      [x + width, high],
      [x + width, low],
      [x, low],
    ].map(([u, v]) => [a * u + c * v + e, b * u + d * v + f]);
  };
  const sides = ([p, q, r]) =>
    [
      [p, q],
      [q, r],
    ].map(([from, to]) => {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      return [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    });
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
      const [[left, right], [top, bottom]] = [span(at, [1, 0]), span(at, [0, 1])];
      if (Math.max(-left, right - width, -top, bottom - height) > 0.5) tell("cut", said);
      for (const other of texts.slice(0, k)) if (apart(at, other.at) < 2) tell("text", said, other.said);
    });
    for (const line of drawing.querySelectorAll("path, circle")) {
      const { stroke, strokeWidth, strokeOpacity } = getComputedStyle(line),
        half = parseFloat(strokeWidth) / 2;
      const pale = ["none", paper, "rgb(200, 200, 200)"].includes(stroke) || strokeOpacity < 0.2;
      if (pale) continue;
      const around = line.getBBox(),
        corners = [
          [around.x, around.y],
          [around.x + around.width, around.y + around.height],
        ];
      for (const { said, at } of texts) {
        const far = [
          [1, 0],
          [0, 1],
        ].some((side) => {
          const [[from, to], [start, end]] = [span(at, side), span(corners, side)];
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
