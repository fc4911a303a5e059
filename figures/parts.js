// What some figures share: a control that is not always there, the cells of a heat map, the colors
// with their numbers, and hands that are turned by hand.
import { draggable, label, pointIn, svg } from "./base.js";

export const showIf = (input, shown) => (input.closest("label").style.display = shown ? "" : "none");

// A cell of a heat map: the ground follows the theme, a cell is red or blue, as strong as its value.
export const tint = (value, limit = 1) => ({
  fill: `var(--ex-${value < 0 ? "blue" : "red"})`,
  "fill-opacity": Math.min(Math.abs(value) / limit, 1).toFixed(3),
});

// The colors from −limit to limit, and their numbers, which may change.
export const colorScale = (x, y) => {
  const cells = Array.from({ length: 33 }, (_, k) =>
    svg("rect", {
      x: x + 7 * (k - 16) - 3.5,
      y,
      width: 7,
      height: 12,
      "shape-rendering": "crispEdges",
      ...tint(k - 16, 16),
    }),
  );
  const ends = [-112, 0, 112].map((shift) => label(x + shift, y + 28, "", "middle"));
  const update = (...texts) => texts.forEach((text, k) => (ends[k].textContent = text));
  return { nodes: [...cells, ...ends], update };
};

// Lets a reader take a hand of a dial and turn it. `angleAt` gives the angle of a point [x, y] of the
// drawing; `turned` gets how far the hand has been turned since it was taken, with whole turns, and
// what `begin` returned then.
export const byHand = (node, dial, angleAt, turned, { begin = () => null, end } = {}) => {
  node.style.cursor = "grab";
  const taken = (event) => ({ last: angleAt(pointIn(dial, event)), sum: 0, state: begin() });
  draggable(
    node,
    (event, _dx, _dy, held) => {
      const angle = angleAt(pointIn(dial, event));
      held.sum += Math.atan2(Math.sin(angle - held.last), Math.cos(angle - held.last));
      held.last = angle;
      turned(held.sum, held.state);
    },
    taken,
    { free: true, end },
  );
};

// Where a hand is taken: larger than its tip, and not seen.
export const handle = (radius) => svg("circle", { r: radius, fill: "transparent" });
