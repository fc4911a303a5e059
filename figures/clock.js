// A position as clock hands, and the matrix that moves it.
import { movingFigure } from "./base.js";
import { axes, hand, rim, spiral, turnByHand } from "./dial.js";
import { circle, drawing, element, fixed, outline, path, plainly, rect, signed, text, times } from "./drawing.js";
import { frequencies, sinusoidal, turn } from "./encodings.js";

const PAIRS = 4;
const DIAL = { x: 62, y: 84, radius: 50 };
const CELL = 26;
const WALK = 28; // positions that play walks before Δ moves

// An angle in degrees, without its sign: whole turns are counted.
const turned = (angle) => {
  const tenths = Math.round((Math.abs(angle) * 1800) / Math.PI);
  const [turns, rest] = [Math.floor(tenths / 3600), `${fixed((tenths % 3600) / 10, 1)}°`];
  return turns ? `${turns} ${turns === 1 ? "turn" : "turns"} and ${rest}` : rest;
};

// `playing` is what walks: "t", "Δ" or nothing.
const sentence = (position, offset, read = plainly, playing = "") => {
  const [name, now, next] = [`T(${read(offset)})`, `position ${read(position)}`, `position ${read(position + offset)}`];
  const becomes = `{now|${now}} becomes {moved|${next}}`;
  if (playing === "t")
    return `t walks and Δ stays: the angles between the hands and the matrix ${name} stay. ${becomes}.`;
  if (playing) return `Δ walks and t stays: the angles between the hands and the matrix ${name} change. ${becomes}.`;
  if (!offset) return `${name} turns no hand: {now|${now}} stays as it is, and so does every other position.`;
  return (
    `${name} turns each hand ${offset < 0 ? "back" : "forward"} by an angle of its own, ω·Δ, wherever it stands: ` +
    `${becomes}, as 20 becomes ${read(20 + offset)} and 100 becomes ${read(100 + offset)}.`
  );
};
const numbers = (position, offset, omegas, read = plainly) => {
  const angles = omegas.map((omega) => turned(omega * offset)).join(", ");
  const rows = turn(offset, omegas[0]).map((row) => row.map((value) => fixed(value, 3)).join(", "));
  const before = ` Position ${read(position + offset)} is before the start; the formula still holds.`;
  return (
    `The angles of the hands: ${angles}. There is no t in them. The first block of the matrix, ` +
    `(${rows.join(") and (")}), holds the cosine and the sine of the first angle.${position + offset < 0 ? before : ""}`
  );
};
const ROOM = {
  said: [sentence(200, 20), sentence(199.9, -19.9, plainly, "Δ")],
  more: [numbers(10, -20, Array(PAIRS).fill(1.9))],
};

export const dialShapes = ({ position, offset, base }, i) => {
  const { x, y, radius } = DIAL;
  const omega = frequencies(2 * PAIRS, base)[i];
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

const cell = (x, row, value) => rect(x, 24 + row * CELL, CELL, CELL, { stroke: "line", fill: signed(value) });

export const matrixShapes = ({ offset, base }, read = plainly) => {
  const blocks = frequencies(2 * PAIRS, base).map((omega) => turn(offset, omega));
  const entry = (row, column) => (row >> 1 === column >> 1 ? blocks[row >> 1][row % 2][column % 2] : 0);
  const square = `h${2 * CELL}v${2 * CELL}h${-2 * CELL}Z`;
  const scale = (k) =>
    path(`M${2 + 4 * k} ${40 + 8 * CELL}h4.3`, { strokeWidth: 12, stroke: signed((2 * k) / (2 * CELL - 1) - 1) });
  return [
    times(8, (row) => times(8, (column) => cell(2 + column * CELL, row, entry(row, column)))),
    blocks.map((_, i) =>
      outline(`M${2 + 2 * i * CELL} ${24 + 2 * i * CELL}${square}`, { stroke: "ink", strokeWidth: 1.2 }),
    ),
    text(2, 14, `T(${read(offset)}): the same for every position`),
    text(8 * CELL + 12, 24 + 4 * CELL + 5, "times"),
    times(2 * CELL, scale),
    ["start", "middle", "end"].map((anchor, k) => text(2 + 4 * CELL * k, 62 + 8 * CELL, fixed(k - 1, 0), anchor)),
  ];
};

export const vectorShapes = ({ position, offset, base }, read = plainly) => {
  const vectors = [position, position + offset].map((t) => sinusoidal(t, 2 * PAIRS, base));
  const columns = [2, 128];
  // The dots say which vector belongs to which hand.
  return [
    columns.map((x, k) => vectors[k].map((value, row) => cell(x, row, value))),
    columns.map((x, k) => vectors[k].map((value, row) => text(x + CELL + 46, 42 + row * CELL, fixed(value), "end"))),
    ["main", "accent"].map((fill, k) => circle([8, 134][k], 9.5, 5, { fill })),
    text(16, 14, `t = ${read(position)}`),
    text(142, 14, `t + Δ = ${read(position + offset)}`),
    text(95, 24 + 4 * CELL + 5, "is"),
    times(PAIRS, (i) => text(262, 29 + (2 * i + 1) * CELL, `pair ${i}`)),
    times(2 * PAIRS, (row) => text(208, 42 + row * CELL, row % 2 ? "cosine" : "sine")),
  ];
};

// Which hand is which, above the hands: a dot in the color of the hand, and what it stands for.
const legend = () => {
  const style = "display: flex; flex-wrap: wrap; justify-content: center; gap: 0 24px; width: 100%; font-size: 14px";
  const node = element("div", { style });
  const entries = { now: "main", moved: "accent" };
  const texts = Object.entries(entries).map(([mark, color]) => {
    const dot = element("span", { style: `color: var(--ex-${color})`, "aria-hidden": "true" }, "● ");
    const name = element("span");
    node.append(element("span", { "data-mark": mark }, dot, name));
    return name;
  });
  return { node, texts };
};

// First t walks, and the matrix stays; then Δ goes through its range and back, and it changes.
const walk = (figure, model) => {
  const start = { here: 0 };
  const [low, high] = LIMITS.offset;
  const values = (place) => {
    const step = Math.min(place, WALK);
    const swept = (Math.max(place - WALK, 0) + start.offset - low) % (2 * (high - low));
    return {
      position: start.position + (start.position + WALK > LIMITS.position[1] ? -step : step),
      offset: high - Math.abs(swept - (high - low)),
    };
  };
  figure.play("position", {
    perSecond: 4,
    place: () => {
      // What a slider or a hand has set is a new beginning.
      if (Object.entries(values(start.here)).some(([name, value]) => Math.round(value) !== model.get(name)))
        Object.assign(start, { here: 0, position: model.get("position"), offset: model.get("offset") });
      return start.here;
    },
    values: (place) => {
      start.here = place;
      return values(place);
    },
    limits: () => [0, WALK + 2 * (high - low)],
  });
  return () => figure.playing() && (start.here > WALK ? "Δ" : "t");
};

function render({ model, el }) {
  const key = legend();
  const dials = times(PAIRS, (i) => drawing(146, 185, `Pair ${i}: hands at the position and at the moved position`));
  const matrix = drawing(8 * CELL + 60, 8 * CELL + 70, "The matrix of the move, and what its colors mean");
  const vectors = drawing(304, 8 * CELL + 30, "The vectors before and after the move");

  const update = (state, read) => {
    const { position, offset, base } = state;
    dials.forEach((dial, i) => dial.draw(dialShapes(state, i)));
    matrix.draw(matrixShapes(state, read));
    vectors.draw(vectorShapes(state, read));
    key.texts[0].textContent = `position t = ${read(position)}`;
    key.texts[1].textContent = `moved to t + Δ = ${read(position + offset)}`;
    return {
      said: sentence(position, offset, read, walks()),
      more: numbers(position, offset, frequencies(2 * PAIRS, base), read),
    };
  };
  const figure = movingFigure(model, el, update, {
    title: "Move a position: turn the hands",
    names: ["position", "offset", "base"],
    marks: { now: "main", moved: "accent" },
    longest: ROOM,
  });
  figure.slider("position", "position t", { glide: true });
  const walks = walk(figure, model);
  figure.slider("offset", "offset Δ", { glide: true });
  figure.baseSlider();
  const stop = figure.start(key.node, ...dials, matrix, vectors);
  // A hand that is turned takes all the others along.
  dials.forEach((dial, i) => {
    const omega = () => frequencies(2 * PAIRS, model.get("base"))[i];
    turnByHand(figure, dial.refs.now, dial, "position", omega, DIAL);
    turnByHand(figure, dial.refs.moved, dial, "offset", omega, DIAL);
  });
  return stop;
}

export default { render };
