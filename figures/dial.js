// Dials: across is the sine, up the cosine, so a hand starts at the top and turns clockwise.
import { draggable, pointIn } from "./base.js";
import { circle, clamp, dotsAt, group, line, outline, path, polyline, times } from "./drawing.js";

// A dial is { x, y, radius }: its middle, and how long its hand is.
export const tipAt = ({ x, y, radius }, angle, length = radius) => [
  x + length * Math.sin(angle),
  y - length * Math.cos(angle),
];

export const rim = ({ x, y, radius }) => circle(x, y, radius, { fill: "none", stroke: "soft" });
export const axes = ({ x, y, radius }) =>
  path(`M${x - radius} ${y}h${2 * radius}M${x} ${y - radius}v${2 * radius}`, { stroke: "line" });

// A hand with its tip and, wider and not seen, what a reader takes to turn it.
export const hand = (dial, angle, { color, width, tip, reach, ...look }) => {
  const [x, y] = tipAt(dial, angle);
  return group(
    look,
    line(dial.x, dial.y, x, y, { stroke: color, strokeWidth: width, strokeLinecap: "round" }),
    circle(x, y, tip, { fill: color }),
    circle(x, y, reach, { fill: "transparent" }),
  );
};

// The wave that a hand draws, `at(t)` being its point: up to where it is and, faint, to the last position.
export const wave = (at, t, last, look) => {
  const fine = (end) => times(Math.floor(end * 12) + 1, (k) => at(k / 12));
  return [
    outline(polyline(fine(last)), { ...look, opacity: 0.3 }),
    outline(polyline([...fine(t), at(t)]), { ...look, strokeWidth: 2.5 }),
    outline(dotsAt(times(Math.floor(t + 1e-9) + 1, at)), { ...look, strokeWidth: 5, strokeLinecap: "round" }),
  ];
};

// The way of a hand from one angle to another, with an arrow. It grows, so that whole turns show.
export const spiral = (dial, from, to, { start, growth, head, width }) => {
  const steps = Math.ceil(Math.abs(to - from) / 0.1);
  const at = (share, out = 0) => {
    const angle = from + (to - from) * share;
    return tipAt(dial, angle, start + growth * Math.abs(angle - from) + out);
  };
  const back = 1 - head / Math.abs(to - from); // where the arrow begins
  const way = times(steps + 1, (k) => at(k / Math.max(steps, 1)));
  return polyline(back < 0 ? way : [...way, at(back, width), at(1), at(back, -width)]);
};

// Lets a reader turn a hand, and the number `name` of the model with it: `omega()` is the angle for
// one of its steps. `angleAt` gives the angle of a point of the drawing.
export const turnByHand = (figure, node, drawing, name, omega, dial, angleAt = clockwise(dial)) => {
  const [low, high] = LIMITS[name];
  const angleOf = (event) => angleAt(pointIn(drawing, event));
  node.style.cursor = "grab";
  const drag = (event, _dx, _dy, held) => {
    const angle = angleOf(event);
    held.turned += Math.atan2(Math.sin(angle - held.last), Math.cos(angle - held.last)); // with whole turns
    held.last = angle;
    figure.hold({ [name]: clamp(held.start + held.turned / omega(), low, high) });
  };
  const begin = (event) => ({ last: angleOf(event), turned: 0, start: figure.at(name) });
  draggable(node, drag, begin, { free: true, end: figure.settle });
};
const clockwise =
  ({ x, y }) =>
  (point) =>
    Math.atan2(point[0] - x, y - point[1]);
