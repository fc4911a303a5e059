// One hand, turned by ωΔ from wherever it stands, and the four numbers that turn it.
import { movingFigure } from "./base.js";
import { axes, hand, rim, spiral, turnByHand } from "./dial.js";
import { drawing, fixed, outline, plainly, rect, signed, text } from "./drawing.js";
import { turn } from "./encodings.js";

const DIAL = { width: 250, height: 232, x: 125, y: 114, radius: 88 };
const BOARD = { width: 335, height: 168, cell: 60, tall: 54, top: 52 };
const COLUMNS = [0, BOARD.cell + 26, 2 * BOARD.cell + 26, 3 * BOARD.cell + 52];

const degrees = (angle) => `${fixed((angle * 180) / Math.PI, 1)}°`;

const sentence = (position, offset, omega, read = plainly) =>
  `T(${read(offset)}) turns the hand by ωΔ = ${fixed(omega * offset)} wherever it stands: ` +
  `{now|position ${read(position)}} becomes {moved|position ${read(position + offset)}}, ` +
  "and {matrix|the four numbers} do not know where it started.";
const numbers = (block, now, moved, angle) => {
  const products = block.map((row) =>
    row.map((value, k) => `(${fixed(value, 3)}) · (${fixed(now[k], 3)})`).join(" + "),
  );
  const rows = ["sine", "cosine"].map((name, k) => `${name}: ${fixed(moved[k], 3)} = ${products[k]}`);
  return `${degrees(angle)}; ${rows.join("; ")}.`;
};

export const dialShapes = ({ position, offset, omega }, read = plainly) => {
  const { x, y, radius, height } = DIAL;
  const [from, to] = [omega * position, omega * (position + offset)];
  const arrow = spiral(DIAL, from, to, { start: 44, growth: 1.5, head: 0.14, width: 6 });
  const angle = `${fixed(omega * offset)}, or ${degrees(omega * offset)}`;
  return [
    rim(DIAL),
    axes(DIAL),
    text(x + radius + 5, y + 4, "sine"),
    text(x, y - radius - 12, "cosine", "middle"),
    outline(arrow, { stroke: "accent", strokeWidth: 2, mark: "moved" }),
    hand(DIAL, to, { ref: "moved", mark: "moved", color: "accent", width: 3, tip: 10, reach: 18 }),
    hand(DIAL, from, { ref: "now", mark: "now", color: "main", width: 4, tip: 7, reach: 10 }),
    text(x, height - 4, `ωΔ = ${Number(omega.toPrecision(3))} · ${read(offset)} = ${angle}`, "middle"),
  ];
};

// A number on a ground that is red above zero and blue below, pale enough to be read on.
const cell = (x, y, number, mark, name = "") => [
  rect(x, y, BOARD.cell, BOARD.tall, { stroke: "line", fill: signed(number, 42), mark }),
  text(x + BOARD.cell / 2, y + (name ? 24 : 33), fixed(number, 3), "middle", {
    style: "font-size: 15px; font-variant-numeric: tabular-nums",
  }),
  text(x + BOARD.cell / 2, y + 44, name, "middle"),
];

export const boardShapes = (block, before, after, heads) => {
  const { cell: width, tall, top } = BOARD;
  const names = [
    ["cos ωΔ", "sin ωΔ"],
    ["−sin ωΔ", "cos ωΔ"],
  ];
  const row = (y, r) => [
    cell(COLUMNS[0], y, after[r], "moved"),
    block[r].map((value, c) => cell(COLUMNS[c + 1], y, value, "matrix", names[r][c])),
    cell(COLUMNS[3], y, before[r], "now"),
  ];
  const head = (x, content, mark, color) =>
    text(x, top - 12, content, "middle", { mark, style: `font-weight: 650; fill: var(--ex-${color})` });
  return [
    row(top, 0),
    row(top + tall, 1),
    head(width / 2, heads[0], "moved", "accent"),
    head(2 * width + 26, heads[1], "matrix", "ink"),
    head(COLUMNS[3] + width / 2, heads[2], "now", "main"),
    text(width + 13, top + tall + 5, "=", "middle"),
    text(COLUMNS[3] - 13, top + tall + 5, "·", "middle"),
    rect(COLUMNS[1], top, 2 * width, 2 * tall, { fill: "none", stroke: "ink", strokeWidth: 1.5 }),
    ["sine", "cosine"].map((name, k) => text(COLUMNS[3] + width + 5, top + k * tall + 32, name)),
  ];
};

function render({ model, el }) {
  const dial = drawing(DIAL.width, DIAL.height, "The hand at the position, and turned");
  const board = drawing(
    BOARD.width,
    BOARD.height,
    "Sine and cosine afterwards are the matrix times sine and cosine before",
  );
  const update = (state, read) => {
    const { position, offset, omega } = state;
    const [before, after] = [position, position + offset].map((t) => [Math.sin(omega * t), Math.cos(omega * t)]);
    const block = turn(offset, omega);
    dial.draw(dialShapes(state, read));
    const heads = [`t + Δ = ${read(position + offset)}`, `T(${read(offset)})`, `t = ${read(position)}`];
    board.draw(boardShapes(block, before, after, heads));
    return { said: sentence(position, offset, omega, read), more: numbers(block, before, after, omega * offset) };
  };

  const most = [-1, -1];
  const figure = movingFigure(model, el, update, {
    title: "Turn one hand",
    names: ["position", "offset", "omega"],
    marks: { now: "main", moved: "accent" },
    longest: { said: [sentence(28, -12, -Math.PI)], more: [numbers([most, most], most, most, -700)] },
  });
  figure.slider("offset", "offset Δ", { glide: true });
  figure.slider("position", "position t", { glide: true });
  figure.play("position", { perSecond: 3 });
  const stop = figure.start(dial, board);
  turnByHand(figure, dial.refs.now, dial, "position", () => model.get("omega"), DIAL);
  turnByHand(figure, dial.refs.moved, dial, "offset", () => model.get("omega"), DIAL);
  return stop;
}

export default { render };
