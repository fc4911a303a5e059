// Chapter 5: a position as clock hands, and the matrix that moves it.
import { frequencies, sinusoidal, turn } from "./encodings.js";
import { drawing, explorer, fixed, h, label, move, signed, svg } from "./base.js";

const PAIRS = 4;

// A hand on a circle: sine across, cosine up, as in the book's pictures.
const hand = (color, width) =>
  svg("g", {},
    svg("line", { stroke: color, "stroke-width": width, "stroke-linecap": "round" }),
    svg("circle", { r: width + 2.5, fill: color }),
  );

const point = (node, sine, cosine) => {
  const [line, dot] = node.children;
  const tip = [76 + RADIUS * sine, 74 - RADIUS * cosine];
  move(line, { x1: 76, y1: 74, x2: tip[0], y2: tip[1] });
  move(dot, { cx: tip[0], cy: tip[1] });
};

// Which hand is which, above the hands: a dot in the color of the hand, and what it stands for.
const legend = () => {
  const texts = ["main", "accent"].map((color) => {
    const text = h("span");
    const dot = h("span", { style: `color: var(--ex-${color})`, "aria-hidden": "true" }, "● ");
    return { text, entry: h("span", {}, dot, text) };
  });
  const node = h("div", {
    style: `display: flex; flex-wrap: wrap; justify-content: center; gap: 0 24px; width: 100%;
      font-size: 14px`,
  }, ...texts.map(({ entry }) => entry));
  return { node, texts: texts.map(({ text }) => text) };
};

// A row of colored cells, one a number.
const cells = (count, x, y, size) =>
  Array.from({ length: count }, (_, k) =>
    svg("rect", { x: x + k * size, y, width: size, height: size, stroke: "var(--ex-line)" }),
  );

const CELL = 26;
const RADIUS = 64;

function render({ model, el }) {
  const now = [], moved = [], names = [];
  const hands = legend();
  const dials = Array.from({ length: PAIRS }, (_, i) => {
    const dial = drawing(152, 164, `Pair ${i}: hands at the position and at the moved position`);
    now.push(hand("var(--ex-main)", 4));
    moved.push(hand("var(--ex-accent)", 2.5));
    names.push(label(76, 160, "", "middle"));
    dial.append(
      svg("circle", { cx: 76, cy: 74, r: RADIUS, fill: "none", stroke: "var(--ex-soft)" }),
      moved[i], now[i], names[i],
    );
    return dial;
  });

  const left = drawing(8 * CELL + 60, 8 * CELL + 30, "The matrix of the move");
  const matrix = Array.from({ length: 8 }, (_, row) => cells(8, 2, 24 + row * CELL, CELL));
  const matrixName = label(2, 14);
  left.append(...matrix.flat(), matrixName, label(8 * CELL + 12, 24 + 4 * CELL + 5, "times"));

  const right = drawing(300, 8 * CELL + 30, "The vectors before and after the move");
  const columns = [2, 160].map((x) =>
    Array.from({ length: 8 }, (_, row) => cells(1, x, 24 + row * CELL, CELL)[0]),
  );
  const values = [2, 160].map((x) =>
    Array.from({ length: 8 }, (_, row) => label(x + CELL + 46, 42 + row * CELL, "", "end")),
  );
  // The dots say which vector belongs to which hand.
  const heads = [label(16, 14), label(174, 14)];
  const keys = ["var(--ex-main)", "var(--ex-accent)"].map((fill, side) =>
    svg("circle", { cx: [8, 166][side], cy: 9.5, r: 5, fill }),
  );
  right.append(...columns.flat(), ...values.flat(), ...keys, ...heads, label(122, 24 + 4 * CELL + 5, "is"));

  const update = () => {
    const [position, offset, base] = ["position", "offset", "base"].map((name) => model.get(name));
    const omegas = frequencies(2 * PAIRS, base);
    const vectors = [position, position + offset].map((t) => sinusoidal(t, 2 * PAIRS, base));
    omegas.forEach((omega, i) => {
      point(now[i], vectors[0][2 * i], vectors[0][2 * i + 1]);
      point(moved[i], vectors[1][2 * i], vectors[1][2 * i + 1]);
      names[i].textContent = `ω = ${Number(omega.toPrecision(3))}`;
      turn(offset, omega).forEach((row, r) =>
        row.forEach((value, c) => move(matrix[2 * i + r][2 * i + c], { fill: signed(value) })),
      );
    });
    vectors.forEach((vector, side) =>
      vector.forEach((value, row) => {
        move(columns[side][row], { fill: signed(value) });
        values[side][row].textContent = fixed(value);
      }),
    );
    const plus = offset < 0 ? `${position} − ${-offset}` : `${position} + ${offset}`;
    matrixName.textContent = `T(${fixed(offset, 0)})`;
    heads[0].textContent = `position ${position}`;
    heads[1].textContent = `position ${plus} = ${fixed(position + offset, 0)}`;
    hands.texts[0].textContent = `position t = ${position}`;
    hands.texts[1].textContent = `moved position t + Δ = ${fixed(position + offset, 0)}`;
    const angles = omegas.map((omega) => `${fixed((omega * offset * 180) / Math.PI, 1)}°`);
    const rows = turn(offset, omegas[0]).map((row) => row.map((value) => fixed(value, 3)).join(", "));
    const before = position + offset < 0
      ? ` Position ${fixed(position + offset, 0)} is before the start; the formula still holds.` : "";
    return (
      `To move by ${fixed(offset, 0)}, the hands turn by ${angles.join(", ")}. ` +
      `The first block of T(${fixed(offset, 0)}) has the rows (${rows.join(") and (")}). ` +
      `The angles, and so the matrix, do not depend on the position.${before}`
    );
  };

  matrix.flat().forEach((cell) => move(cell, { fill: signed(0) }));
  const figure = explorer({
    model, el, update,
    title: "Move a position: turn the hands",
    names: ["position", "offset", "base"],
  });
  figure.slider("position", "position t", { min: 0, max: 200 });
  figure.slider("offset", "offset Δ", { min: -20, max: 20, show: (v) => fixed(v, 0) });
  figure.slider("base", "base", {
    min: 1, max: 5, step: 0.25,
    from: Math.log10, to: (exponent) => Math.round(10 ** exponent),
    show: (v) => Number(v.toPrecision(6)).toLocaleString("en"),
  });
  return figure.start(hands.node, ...dials, left, right);
}

export default { render };
