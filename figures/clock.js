// A position as clock hands, and the matrix that moves it.
import { movingFigure } from "./base.js";
import { axes, hand, rim, spiral, turnByHand } from "./dial.js";
import { circle, drawing, fixed, heatColor, legend, outline, path, rect, text, times, withMinus } from "./drawing.js";
import { element } from "./element.js";
import { frequencies, sinusoidal, turn } from "./encodings.js";

const PAIRS = 4;
const DIAL = { x: 62, y: 84, radius: 50 };
const CELL = 26;
const OMEGAS = frequencies(2 * PAIRS);

// An angle in degrees, without its sign: whole turns are counted.
const turned = (angle) => {
  const tenths = Math.round((Math.abs(angle) * 1800) / Math.PI);
  const [turns, rest] = [Math.floor(tenths / 3600), `${fixed((tenths % 3600) / 10, 1)}°`];
  return turns ? `${turns} ${turns === 1 ? "turn" : "turns"} and ${rest}` : rest;
};

const sentence = (position, offset, format = withMinus) => {
  const [name, now, next] = [
    `T(${format(offset, "offset")})`,
    `position ${format(position, "position")}`,
    `position ${format(position + offset)}`,
  ];
  const becomes = `{now|${now}} becomes {moved|${next}}`;
  if (!offset) return `${name} turns no hand: {now|${now}} stays as it is, and so does every other position.`;
  return (
    `${name} turns each hand ${offset < 0 ? "back" : "forward"} by an angle of its own, ω·Δ, wherever it stands: ` +
    `${becomes}, as 20 becomes ${format(20 + offset, "offset")} and 100 becomes ${format(100 + offset, "offset")}.`
  );
};
const numbers = (position, offset, format = withMinus) => {
  const angles = OMEGAS.map((omega) => turned(omega * offset)).join(", ");
  const rows = turn(offset, OMEGAS[0]).map((row) => row.map((value) => fixed(value, 3)).join(", "));
  const before = ` Position ${format(position + offset)} is before the start; the formula still holds.`;
  return (
    `The angles of the hands: ${angles}. There is no t in them. The first block of the matrix, ` +
    `(${rows.join(") and (")}), holds the cosine and the sine of the first angle.${position + offset < 0 ? before : ""}`
  );
};
const LONGEST_TEXTS = {
  said: [sentence(200.1, -19.9)],
  more: [numbers(10, -20)],
};

export const dialShapes = ({ position, offset }, i) => {
  const { x, y, radius } = DIAL;
  const omega = OMEGAS[i];
  const [from, to] = [omega * position, omega * (position + offset)];
  const arrow = spiral(DIAL, from, to, { start: 28, growth: 0.8, head: 0.16, width: 5 });
  const soft = { style: "fill: var(--ex-soft)" };
  // The hand that is moved is behind and wider: a rim shows it where both point the same way.
  return [
    rim(DIAL),
    axes(DIAL),
    text(x, y - radius - 16, "cosine", "middle", soft),
    text(x + radius + 10, y + 4, "sine", "start", soft),
    outline(arrow, { stroke: "accent", strokeWidth: 1.5, mark: "moved" }),
    hand(DIAL, to, { ref: "moved", mark: "moved", color: "accent", width: 8, tip: 9.5, reach: 18 }),
    hand(DIAL, from, { ref: "now", mark: "now", color: "main", width: 3.5, tip: 5.5, reach: 8 }),
    text(x, 164, `pair ${i}: ω = ${Number(omega.toPrecision(3))}`, "middle"),
    text(x, 181, `${offset < 0 ? "back" : "by"} ${turned(omega * offset)}`, "middle"),
  ];
};

const cell = (x, row, value) => rect(x, 24 + row * CELL, CELL, CELL, { stroke: "line", fill: heatColor(value) });

export const matrixShapes = ({ offset }, format = withMinus) => {
  const blocks = OMEGAS.map((omega) => turn(offset, omega));
  const entry = (row, column) => (row >> 1 === column >> 1 ? blocks[row >> 1][row % 2][column % 2] : 0);
  const square = `h${2 * CELL}v${2 * CELL}h${-2 * CELL}Z`;
  const scale = (k) =>
    path(`M${2 + 4 * k} ${40 + 8 * CELL}h4.3`, { strokeWidth: 12, stroke: heatColor((2 * k) / (2 * CELL - 1) - 1) });
  return [
    times(8, (row) => times(8, (column) => cell(2 + column * CELL, row, entry(row, column)))),
    blocks.map((_, i) =>
      outline(`M${2 + 2 * i * CELL} ${24 + 2 * i * CELL}${square}`, { stroke: "ink", strokeWidth: 1.2 }),
    ),
    text(2, 14, `T(${format(offset, "offset")}): the same for every position`),
    text(8 * CELL + 12, 24 + 4 * CELL + 5, "times"),
    times(2 * CELL, scale),
    ["start", "middle", "end"].map((anchor, k) => text(2 + 4 * CELL * k, 62 + 8 * CELL, fixed(k - 1, 0), anchor)),
  ];
};

export const vectorShapes = ({ position, offset }, format = withMinus) => {
  const vectors = [position, position + offset].map((t) => sinusoidal(t, 2 * PAIRS));
  const columns = [2, 128];
  // The dots say which vector belongs to which hand.
  return [
    columns.map((x, k) => vectors[k].map((value, row) => cell(x, row, value))),
    columns.map((x, k) => vectors[k].map((value, row) => text(x + CELL + 46, 42 + row * CELL, fixed(value), "end"))),
    ["main", "accent"].map((fill, k) => circle([8, 134][k], 9.5, 5, { fill })),
    text(16, 14, `t = ${format(position, "position")}`),
    text(142, 14, `t + Δ = ${format(position + offset)}`),
    text(95, 24 + 4 * CELL + 5, "is"),
    times(PAIRS, (i) => text(262, 29 + (2 * i + 1) * CELL, `pair ${i}`)),
    times(2 * PAIRS, (row) => text(208, 42 + row * CELL, row % 2 ? "cosine" : "sine")),
  ];
};

function render({ model, el }) {
  const names = { main: "position t", accent: "moved to t + Δ" };
  const key = legend(Object.entries(names).map(([fill, name]) => [circle(23, 6, 5, { fill }), name]));
  const dials = times(PAIRS, (i) => drawing(146, 185, `Pair ${i}: hands at the position and at the moved position`));
  const matrix = drawing(8 * CELL + 60, 8 * CELL + 70, "The matrix of the move, and what its colors mean");
  const vectors = drawing(304, 8 * CELL + 30, "The vectors before and after the move");

  const update = (state, format) => {
    const { position, offset } = state;
    dials.forEach((dial, i) => dial.draw(dialShapes(state, i)));
    matrix.draw(matrixShapes(state, format));
    vectors.draw(vectorShapes(state, format));
    return { said: sentence(position, offset, format), more: numbers(position, offset, format) };
  };
  const figure = movingFigure(model, el, update, {
    title: "Move a position: turn the hands",
    names: ["position", "offset"],
    marks: { now: "main", moved: "accent" },
    longest: LONGEST_TEXTS,
  });
  figure.slider("position", "position t", { glide: true });
  figure.play("position", { perSecond: 4 });
  figure.slider("offset", "offset Δ", { glide: true });
  // The equation stands in one row, beside the dials where there is room; only a phone breaks it.
  const row = (basis, ...drawings) => {
    const style = "display: flex; flex-wrap: wrap; justify-content: center; align-items: start; gap: 8px 16px";
    return element("div", { style: `${style}; flex: 1 1 ${basis}px; min-width: 0` }, ...drawings);
  };
  const stop = figure.start(key, row(308, ...dials), row(588, matrix, vectors));
  // A hand that is turned takes all the others along.
  dials.forEach((dial, i) => {
    const omega = () => OMEGAS[i];
    turnByHand(figure, dial.refs.now, dial, "position", omega, DIAL);
    turnByHand(figure, dial.refs.moved, dial, "offset", omega, DIAL);
  });
  return stop;
}

export default { render };
