// One hand that draws two waves: the sine is how far right its tip is, the cosine how far up.

import { all, drawing, fixed, label, move, movingFigure, polyline, specks, svg } from "./base.js";
import { byHand, handle } from "./parts.js";

const LAST = LIMITS.position[1];
const PIECES = 10; // of a curve from one position to the next
const VIEW = { width: 334, height: 336, x: 72, y: 72, radius: 52, start: 146, step: 4.5 };

// Along the positions the cosine runs to the right and the sine down the page, each beside the hand.
const cosineAt = (t, omega) => [VIEW.start + VIEW.step * t, VIEW.y - VIEW.radius * Math.cos(omega * t)];
const sineAt = (t, omega) => [VIEW.x + VIEW.radius * Math.sin(omega * t), VIEW.start + VIEW.step * t];
const angleAt = ([x, y]) => Math.atan2(x - VIEW.x, VIEW.y - y);

const sentence = (position, omega, name = position) => {
  const [sine, cosine] = [Math.sin(omega * position), Math.cos(omega * position)];
  return [
    `At position ${name} the `,
    ["hand", "hand"],
    " is ",
    ["sine", `${fixed(Math.abs(sine))} to the ${sine < 0 ? "left" : "right"}`],
    " and ",
    ["cosine", `${fixed(Math.abs(cosine))} ${cosine < 0 ? "below" : "above"} the middle`],
    ": together the sine and the cosine say where it points.",
  ];
};

const wave = (mark, color) => {
  const line = (attributes) =>
    svg("path", { fill: "none", stroke: `var(--ex-${color})`, "data-mark": mark, ...attributes });
  const parts = {
    ahead: line({ "stroke-width": 1, opacity: 0.35 }),
    past: line({ "stroke-width": 2.5 }),
    dots: line({ "stroke-width": 5, "stroke-linecap": "round" }),
    lead: line({ "stroke-dasharray": "2 3" }),
    tip: svg("circle", { r: 5, fill: `var(--ex-${color})`, "data-mark": mark }),
  };
  const update = (at, t, omega, from) => {
    const fine = (end) => all(Math.floor(end * PIECES) + 1, (k) => at(k / PIECES, omega));
    const here = at(t, omega);
    move(parts.ahead, { d: polyline(fine(LAST)) });
    move(parts.past, { d: polyline([...fine(t), here]) });
    move(parts.dots, { d: specks(all(Math.floor(t + 1e-9) + 1, (k) => at(k, omega))) });
    move(parts.lead, { d: polyline([from, here]) });
    move(parts.tip, { cx: here[0], cy: here[1] });
  };
  return { nodes: Object.values(parts), update };
};

function render({ model, el }) {
  const { x, y, radius, start, step, width, height } = VIEW;
  const node = drawing(
    width,
    height,
    "The hand, the wave of its cosine to the right, and the wave of its sine downward",
  );
  const waves = { sine: wave("sine", "main"), cosine: wave("cosine", "accent") };
  const line = svg("line", { x1: x, y1: y, stroke: "var(--ex-ink)", "stroke-width": 4, "stroke-linecap": "round" });
  const [tip, held] = [svg("circle", { r: 6.5, fill: "var(--ex-ink)" }), handle(18)];
  const hand = svg("g", { "data-mark": "hand" }, line, tip, held);
  const end = start + step * LAST;
  const tick = (t) => [
    label(start + step * t, y + radius + 20, String(t), "middle"),
    label(x - radius - 8, start + step * t + 4, String(t), "end"),
  ];
  node.append(
    svg("path", { d: `M${x - radius} ${y}H${end}M${x} ${y - radius}V${end}`, stroke: "var(--ex-line)" }),
    svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    ...waves.cosine.nodes,
    ...waves.sine.nodes,
    hand,
    ...[0, 10, 20, 30, 40].flatMap(tick),
    label((start + end) / 2, y + radius + 40, "position", "middle"),
    label((start + end) / 2, 12, "cosine: how far up", "middle"),
    label(x + radius + 12, end - 4, "sine: how far right"),
  );

  const update = () => {
    const [t, omega] = [figure.at("position"), model.get("omega")];
    const [[, up], [across]] = [cosineAt(t, omega), sineAt(t, omega)];
    for (const circle of [tip, held]) move(circle, { cx: across, cy: up });
    move(line, { x2: across, y2: up });
    waves.cosine.update(cosineAt, t, omega, [across, up]);
    waves.sine.update(sineAt, t, omega, [across, up]);
    return sentence(t, omega, figure.read(t));
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "One hand, two waves",
    names: ["position", "omega"],
    marks: { hand: "ink", sine: "main", cosine: "accent" },
    longest: { said: [sentence(20, 0.3)] },
  });
  figure.play("position", { perSecond: 5 });
  figure.slider("position", "position t", { glide: true });
  byHand(
    hand,
    node,
    angleAt,
    (angle, from) => {
      const [low, high] = LIMITS.position;
      figure.hold({ position: Math.min(Math.max(from + angle / model.get("omega"), low), high) });
    },
    { begin: () => figure.at("position"), end: figure.settle },
  );
  return figure.start(node);
}

export default { render };
