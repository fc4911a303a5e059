// A word plus a position, and how alike two such sums are.
import { mixture } from "./alike.js";
import { draggable, drawing, fixed, label, move, movingFigure, pointIn, svg } from "./base.js";
import { similarity } from "./encodings.js";

const WIDTH = LIMITS.first[1] + 1;
const POSITION = Math.sqrt(WIDTH / 2); // length of every position vector
const CASES = [
  ["entries of size 1/√d", 1],
  ["entries of size 1", Math.sqrt(WIDTH)],
  ["entries of size √d", WIDTH],
];
const TRIANGLE = { width: 320, height: 216, left: 70, bottom: 136, wide: 160, tall: 104 };
const BAR = { left: 14, wide: 300, y: 194 };
const SCALE = { width: 320, height: 216, left: 14, wide: 300, least: LIMITS.words[0], rows: [54, 104, 154], way: 172 };
const STEP = 0.05; // of the similarity of the words
const HEAD = { long: 13, half: 7, shaft: 2 }; // of the arrow
const SEEN = 3; // pixels: a shorter arrow would not be seen
const COLORS = { words: "var(--ex-soft)", positions: "var(--ex-main)", sums: "var(--ex-ink)" };

const line = (stroke, width, mark) =>
  svg("line", { stroke, "stroke-width": width, "stroke-linecap": "round", "data-mark": mark });
const within = (value, [least, most]) => Math.min(Math.max(value, least), most);
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
  const [word, position] = [line(COLORS.words, 4, "words"), line(COLORS.positions, 4, "positions")];
  const sum = line(COLORS.sums, 1.5, "sums");
  const tip = svg("circle", { r: 9, fill: COLORS.sums, style: "cursor: grab", "data-mark": "sums" });
  const names = [label(0, 0), label(0, 0), label(0, 0, "", "end")];
  const share = label(BAR.left, BAR.y - 8);
  const parts = ["words", "positions"].map((name) =>
    svg("rect", { y: BAR.y, height: 14, fill: COLORS[name], "data-mark": name }),
  );
  node.append(
    label(BAR.left, 14, "lengths; take the tip and drag it"),
    word,
    position,
    sum,
    tip,
    ...names,
    share,
    ...parts,
  );
  const update = (length, weight) => {
    const scale = Math.min(wide / length, tall / POSITION);
    const [x, y] = [left + scale * length, bottom - scale * POSITION];
    move(word, { x1: left, y1: bottom, x2: x, y2: bottom });
    move(position, { x1: x, y1: bottom, x2: x, y2: y });
    move(sum, { x1: left, y1: bottom, x2: x, y2: y });
    move(tip, { cx: x, cy: y });
    move(names[0], { x: left, y: bottom + 20 });
    move(names[1], { x: x + 14, y: (bottom + y) / 2 + 4 });
    move(names[2], { x: (left + x) / 2 - 10, y: (bottom + y) / 2 - 4 });
    names[0].textContent = `word ${long(length)}`;
    names[1].textContent = `position ${long(POSITION)}`;
    names[2].textContent = `sum ${long(Math.hypot(length, POSITION))}`;
    share.textContent = `squared length: word ${fixed(100 * weight, 1)}%, position ${fixed(100 - 100 * weight, 1)}%`;
    move(parts[0], { x: BAR.left, width: BAR.wide * weight });
    move(parts[1], { x: BAR.left + BAR.wide * weight, width: BAR.wide * (1 - weight) });
  };
  // The tip goes along the ray from the left end to the pointer: so it follows, however it is scaled.
  const lengthAt = (event) => {
    const [x, y] = pointIn(node, event);
    return within((POSITION * Math.max(x - left, 0.01)) / Math.max(bottom - y, 0.01), LIMITS.length);
  };
  return { node, tip, update, lengthAt };
}

// Three similarities under each other on one scale.
function scale() {
  const { width, height, left, wide, least, rows, way: below } = SCALE;
  const node = drawing(width, height, "Similarity of the words, of the positions and of the sums");
  const x = (value) => left + (wide * (value - least)) / (1 - least);
  const names = rows.map((y) => label(left, y - 14));
  const dots = ["words", "positions", "sums"].map((name, k) =>
    svg("circle", { cy: rows[k], r: k ? 6 : 9, fill: COLORS[name], "data-mark": name }),
  );
  dots[0].style.cursor = "grab";
  const thread = svg("path", { fill: "none", stroke: "var(--ex-soft)", "stroke-dasharray": "2 4" });
  // Words to the left of the break-even point are raised, words to the right of it lowered.
  const sides = ["red", "blue"].map((color) =>
    svg("line", { y1: rows[0], y2: rows[0], stroke: `var(--ex-${color})`, "stroke-width": 4, "stroke-opacity": 0.4 }),
  );
  const even = svg("path", { fill: "none", stroke: COLORS.positions, "stroke-width": 1.5, "data-mark": "even" });
  const evenName = label(0, rows[0] + 19, "break-even");
  move(evenName, { "data-mark": "even" });
  evenName.style.fill = COLORS.positions;
  const way = svg("path");
  const change = label(0, below + 4);
  // From a row down to the next, with a gap where its text is.
  const down = (at, k, from = rows[k]) => `M${at} ${from}V${rows[k + 1] - 28}M${at} ${rows[k + 1] - 10}v10`;
  node.append(
    ...rows.map((y) => svg("line", { x1: left, x2: left + wide, y1: y, y2: y, stroke: "var(--ex-line)" })),
    ...[0, 0.5, 1].flatMap((v) => [
      svg("path", { d: rows.map((y) => `M${x(v)} ${y - 6}v12`).join(""), stroke: "var(--ex-line)" }),
      label(x(v), rows[2] + 44, String(v), "middle"),
    ]),
    label(left, 14, "cosine similarity"),
    ...sides,
    thread,
    even,
    evenName,
    way,
    change,
    ...dots,
    ...names,
  );
  const update = (words, positions, sums, offset) => {
    const values = [words, positions, sums];
    const titles = ["words alone", `positions alone, ${offset} apart`, "sums, about"];
    values.forEach((value, k) => {
      move(dots[k], { cx: x(value) });
      names[k].textContent = `${titles[k]}: ${fixed(value, 3)}`;
    });
    move(thread, { d: down(x(positions), 1) });
    const border = x(positions);
    move(sides[0], { x1: left, x2: border });
    move(sides[1], { x1: border, x2: left + wide });
    move(even, { d: down(border, 0, rows[0] - 7) });
    const beyond = border > left + 0.7 * wide; // no room to the right
    move(evenName, { x: border + (beyond ? -6 : 6), "text-anchor": beyond ? "end" : "start" });
    // From the words to the sums, under the dots: where the way is short the head is small, so
    // the arrow never begins behind its beginning. The number is there however short it is.
    const [from, to] = [x(words), x(sums)];
    const size = Math.min(1, Math.abs(to - from) / HEAD.long);
    const [half, shaft] = [HEAD.half * size, HEAD.shaft * size];
    const neck = to - Math.sign(to - from) * HEAD.long * size;
    move(way, {
      d:
        Math.abs(to - from) < SEEN
          ? ""
          : `M${from} ${below - shaft}H${neck}V${below - half}L${to} ${below}L${neck} ${below + half}V${below + shaft}H${from}Z`,
      fill: `var(--ex-${sums < words ? "blue" : "red"})`,
    });
    const room = Math.max(from, to) < left + 0.6 * wide; // for the number, to the right
    move(change, {
      x: room ? Math.max(from, to) + 8 : Math.min(from, to) - 8,
      "text-anchor": room ? "start" : "end",
    });
    change.textContent = changed(sums - words);
  };
  // In the steps of the slider.
  const wordsAt = (event) => {
    const value = least + ((pointIn(node, event)[0] - left) / wide) * (1 - least);
    return within(Number((Math.round(value / STEP) * STEP).toFixed(2)), LIMITS.words);
  };
  return { node, grip: dots[0], update, wordsAt };
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
    const verdict =
      Math.abs(change) < 1e-9
        ? ["leave ", ["words", `the words’ similarity of ${fixed(words)}`], " as it is"]
        : [
            change > 0 ? "raise " : "lower ",
            ["words", `the words’ similarity of ${fixed(words)}`],
            " by ",
            ["sums", size],
          ];
    return {
      said: [
        ["positions", `Positions ${offset} apart`],
        " ",
        ...verdict,
        "; the ",
        ["even", `break-even is ${fixed(positions, 3)}`],
        ", the similarity of the positions themselves.",
      ],
      more:
        `The word vectors have length ${long(length)}, the position vectors √${WIDTH / 2} = ${POSITION}: ` +
        `${WIDTH / 2} pairs of a sine and a cosine, each pair of length 1. The word has ${fixed(100 * weight, 1)}% of the ` +
        `squared length of a sum, and with that weight the similarity of the sums, about ${fixed(sums, 3)}, lies between ` +
        "those of the words and of the positions.",
    };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "More alike or less?",
    names: ["length", "words", "first", "second"],
    marks: { words: "soft", positions: "main", sums: "ink", even: "main" },
    longest: {
      said: [
        "Positions 000 apart raise the words’ similarity of −0.00 by less than 0.001; the break-even is 0.000, the similarity of the positions themselves.",
      ],
    },
  });
  figure.select(["length"], "words have", CASES, { other: "another length", basis: "165px" });
  figure.slider("length", "length of word vectors, a", {
    step: 0.25,
    from: Math.log2,
    to: (power) => 2 ** power,
    show: long,
    basis: "230px",
  });
  figure.slider("words", "similarity of the words", {
    step: STEP,
    basis: "215px",
    show: (v) => fixed(v),
    to: (v) => Number(v.toFixed(2)),
  });
  figure.slider("first", "position of the first word, s");
  figure.slider("second", "position of the second word, t");
  draggable(lengths.tip, (event) => figure.set("length", lengths.lengthAt(event)), undefined, { free: true });
  draggable(similarities.grip, (event) => figure.set("words", similarities.wordsAt(event)));
  return figure.start(lengths.node, similarities.node);
}

export default { render };
