// A word plus a position, and how alike two such sums are.
import { mixture } from "./alike.js";
import { similarity } from "./encodings.js";
import { drawing, fixed, h, label, move, movingFigure, svg } from "./base.js";

const WIDTH = LIMITS.first[1] + 1;
const POSITION = Math.sqrt(WIDTH / 2); // length of every position vector
const CASES = [["entries of size 1/√d", 1], ["entries of size 1", Math.sqrt(WIDTH)], ["entries of size √d", WIDTH]];
const TRIANGLE = { width: 320, height: 216, left: 70, bottom: 136, wide: 160, tall: 104 };
const BAR = { left: 14, wide: 300, y: 194 };
const SCALE = { width: 320, height: 216, left: 14, wide: 300, least: LIMITS.words[0], rows: [54, 104, 154], way: 172 };
const HEAD = { long: 13, half: 7, shaft: 2 }; // of the arrow
const SEEN = 3; // pixels: a shorter arrow would not be seen
const COLORS = { words: "var(--ex-soft)", positions: "var(--ex-main)", sums: "var(--ex-ink)" };

const line = (stroke, width) => svg("line", { stroke, "stroke-width": width, "stroke-linecap": "round" });
const changed = (change) => {
  if (Math.abs(change) < 1e-9) return "no change";
  if (Math.abs(change) < 0.0005) return "change below 0.001";
  return `change ${change > 0 ? "+" : ""}${fixed(change, 3)}`;
};
const long = (length) => (length < 100 ? fixed(length, 1) : fixed(length, 0));

// Word, position and sum with their right lengths, as large as fits, and the weights of the mean.
function triangle() {
  const { width, height, left, bottom, wide, tall } = TRIANGLE;
  const node = drawing(width, height, "Word, position and their sum as a triangle, true to scale; below, the weights");
  const [word, position] = [line(COLORS.words, 4), line(COLORS.positions, 4)];
  const sum = line(COLORS.sums, 1.5);
  const tip = svg("circle", { r: 4, fill: COLORS.sums });
  const names = [label(0, 0), label(0, 0), label(0, 0, "", "end")];
  const share = label(BAR.left, BAR.y - 8);
  const parts = ["words", "positions"].map((name) => svg("rect", { y: BAR.y, height: 14, fill: COLORS[name] }));
  node.append(
    label(0, 14, "lengths, drawn as large as fits"), word, position, sum, tip, ...names, share, ...parts,
  );
  const update = (length, weight) => {
    const scale = Math.min(wide / length, tall / POSITION);
    const [x, y] = [left + scale * length, bottom - scale * POSITION];
    move(word, { x1: left, y1: bottom, x2: x, y2: bottom });
    move(position, { x1: x, y1: bottom, x2: x, y2: y });
    move(sum, { x1: left, y1: bottom, x2: x, y2: y });
    move(tip, { cx: x, cy: y });
    move(names[0], { x: left, y: bottom + 20 });
    move(names[1], { x: x + 10, y: (bottom + y) / 2 + 4 });
    move(names[2], { x: (left + x) / 2 - 10, y: (bottom + y) / 2 - 4 });
    names[0].textContent = `word ${long(length)}`;
    names[1].textContent = `position ${long(POSITION)}`;
    names[2].textContent = `sum ${long(Math.hypot(length, POSITION))}`;
    share.textContent = `squared length: word ${fixed(100 * weight, 1)}%, position ${fixed(100 - 100 * weight, 1)}%`;
    move(parts[0], { x: BAR.left, width: BAR.wide * weight });
    move(parts[1], { x: BAR.left + BAR.wide * weight, width: BAR.wide * (1 - weight) });
  };
  return { node, update };
}

// Three similarities under each other on one scale.
function scale() {
  const { width, height, left, wide, least, rows, way: below } = SCALE;
  const node = drawing(width, height, "Similarity of the words, of the positions and of the sums");
  const x = (value) => left + (wide * (value - least)) / (1 - least);
  const names = rows.map((y) => label(left, y - 14));
  const dots = ["words", "positions", "sums"].map((name, k) =>
    svg("circle", { cy: rows[k], r: 6, fill: COLORS[name] }));
  const threads = [0, 1].map(() =>
    svg("path", { fill: "none", stroke: "var(--ex-soft)", "stroke-dasharray": "2 4" }));
  const way = svg("path");
  const change = label(0, below + 4);
  // From a dot down to the sums, with gaps where the texts of the rows are.
  const down = (at, k) =>
    rows.slice(k, -1).map((y, n) => `M${at} ${y}V${rows[k + n + 1] - 28}M${at} ${rows[k + n + 1] - 10}v10`).join("");
  node.append(
    ...rows.map((y) => svg("line", { x1: left, x2: left + wide, y1: y, y2: y, stroke: "var(--ex-line)" })),
    ...[0, 0.5, 1].flatMap((v) => [
      svg("path", { d: rows.map((y) => `M${x(v)} ${y - 6}v12`).join(""), stroke: "var(--ex-line)" }),
      label(x(v), rows[2] + 44, String(v), "middle"),
    ]),
    label(0, 14, "cosine similarity"), ...threads, way, change, ...dots, ...names,
  );
  const update = (words, positions, sums, offset) => {
    const values = [words, positions, sums];
    const titles = ["words alone", `positions alone, ${offset} apart`, "sums, about"];
    values.forEach((value, k) => {
      move(dots[k], { cx: x(value) });
      names[k].textContent = `${titles[k]}: ${fixed(value, 3)}`;
    });
    threads.forEach((thread, k) => move(thread, { d: down(x(values[k]), k) }));
    // From the words to the sums, under the dots: where the way is short the head is small, so
    // the arrow never begins behind its beginning. The number is there however short it is.
    const [from, to] = [x(words), x(sums)];
    const size = Math.min(1, Math.abs(to - from) / HEAD.long);
    const [half, shaft] = [HEAD.half * size, HEAD.shaft * size];
    const neck = to - Math.sign(to - from) * HEAD.long * size;
    move(way, {
      d: Math.abs(to - from) < SEEN ? ""
        : `M${from} ${below - shaft}H${neck}V${below - half}L${to} ${below}L${neck} ${below + half}V${below + shaft}H${from}Z`,
      fill: `var(--ex-${sums < words ? "blue" : "red"})`,
    });
    const room = Math.max(from, to) < left + 0.6 * wide; // for the number, to the right
    move(change, {
      x: room ? Math.max(from, to) + 8 : Math.min(from, to) - 8, "text-anchor": room ? "start" : "end",
    });
    change.textContent = changed(sums - words);
  };
  return { node, update };
}

function render({ model, el }) {
  const [lengths, similarities] = [triangle(), scale()];

  const update = () => {
    const [length, words, first, second] = ["length", "words", "first", "second"].map((name) => model.get(name));
    const offset = Math.abs(second - first);
    const positions = similarity(offset, WIDTH) / (WIDTH / 2);
    const sums = mixture(length, words, POSITION, positions);
    const weight = length ** 2 / (length ** 2 + POSITION ** 2);
    lengths.update(length, weight);
    similarities.update(words, positions, sums, offset);
    const change = sums - words;
    const size = Math.abs(change) < 0.0005 ? "less than 0.001" : fixed(Math.abs(change), 3);
    const verdict = Math.abs(change) < 1e-9
      ? "does not change the similarity"
      : `${change > 0 ? "raises" : "lowers"} the similarity by ${size}`;
    return (
      `Two word vectors of length ${long(length)} and similarity ${fixed(words)}, at positions ${first} and ` +
      `${second}. The positions have the similarity ${fixed(positions, 3)}, the sums about ` +
      `${fixed(sums, 3)}: adding the positions ${verdict}. The word has ` +
      `${fixed(100 * weight, 1)}% of the squared length of a sum.`
    );
  };

  const figure = movingFigure({
    model, el, update,
    title: "More alike or less?",
    names: ["length", "words", "first", "second"],
  });
  figure.select(["length"], "words have", CASES, { other: "another length", basis: "165px" });
  figure.slider("length", "length of word vectors, a", {
    step: 0.25, from: Math.log2, to: (power) => 2 ** power, show: long, basis: "230px",
  });
  figure.slider("words", "similarity of the words", {
    step: 0.05, basis: "215px", show: (v) => fixed(v), to: (v) => Number(v.toFixed(2)),
  });
  figure.slider("first", "position of the first word, s");
  figure.slider("second", "position of the second word, t");
  return figure.start(
    lengths.node, similarities.node,
    h("p", { style: "width: 100%; margin: 0; font-size: 14px; color: var(--ex-soft)" },
      `All vectors have d = ${WIDTH} entries. Those of a position are ${WIDTH / 2} pairs of a sine and a ` +
      `cosine, each pair of length 1: together √${WIDTH / 2} = ${POSITION}.`),
  );
}

export default { render };
