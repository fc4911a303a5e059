// A word plus a position, and how similar two such sums are.
import { draggable, movingFigure, pointIn } from "./base.js";
import { tipAt } from "./dial.js";
import { circle, clamp, drawing, fixed, line, outline, path, text } from "./drawing.js";
import { mixture, similarity } from "./encodings.js";

const WIDTH = 512;
const OFFSET = 5;
const POSITION = Math.sqrt(WIDTH / 2); // length of every position vector
const CASES = [
  ["entries of size 1/√d", 1],
  ["entries of size 1", Math.sqrt(WIDTH)],
  ["entries of size √d", WIDTH],
];
const SCALE = { width: 320, height: 206, left: 14, wide: 300, least: LIMITS.words[0], rows: [54, 104, 154], way: 172 };
const FANS = { width: 320, height: 100, foot: 80, long: 66, x: [54, 160, 266] };
const STEP = 0.05; // of the similarity of the words
const HEAD = { long: 13, half: 7, shaft: 2 }; // of the arrow
const SHORTEST = 3; // pixels: a shorter arrow would not be seen
const COLOR = { words: "soft", positions: "main", sums: "ink" };

const changeText = (change) => {
  if (Math.abs(change) < 1e-9) return "no change";
  if (Math.abs(change) < 0.005) return "change below 0.01";
  return `change ${change > 0 ? "+" : ""}${fixed(change)}`;
};
const lengthText = (length) => fixed(length, length < 100 ? 1 : 0);

// The similarities of words, positions and sums.
export const similarities = ({ length, words }) => {
  const positions = similarity(OFFSET, WIDTH) / (WIDTH / 2);
  return { words, positions, sums: mixture(length, words, POSITION, positions) };
};

// Two words, the positions that are added, and the two sums: lengths on one scale, the angles between the two.
export const fanShapes = (length, found) => {
  const sum = Math.hypot(length, POSITION);
  return [
    ["words", length, "two words"],
    ["positions", POSITION, "their positions"],
    ["sums", sum, "the sums"],
  ].map(([name, size, said], k) => {
    const fan = { x: FANS.x[k], y: FANS.foot, radius: (FANS.long * size) / sum };
    const look = { stroke: COLOR[name], strokeWidth: 2.5, strokeLinecap: "round", mark: name };
    const half = Math.acos(clamp(found[name], -1, 1)) / 2;
    return [
      [-half, half].map((angle) => {
        const [x, y] = tipAt(fan, angle);
        return [line(fan.x, fan.y, x, y, look), circle(x, y, 4, { fill: COLOR[name], mark: name })];
      }),
      text(fan.x, FANS.height - 4, said, "middle"),
      text(FANS.x[k] + 53, FANS.foot - 24, "+="[k] ?? "", "middle"),
    ];
  });
};

// From the words to the sums, under the dots: where the way is short the head is small, so the arrow never
// begins behind its beginning.
const arrow = (from, to, y) => {
  if (Math.abs(to - from) < SHORTEST) return "";
  const size = Math.min(1, Math.abs(to - from) / HEAD.long);
  const [half, shaft] = [HEAD.half * size, HEAD.shaft * size];
  const neck = to - Math.sign(to - from) * HEAD.long * size;
  return `M${from} ${y - shaft}H${neck}V${y - half}L${to} ${y}L${neck} ${y + half}V${y + shaft}H${from}Z`;
};

// Three similarities under each other on one scale. Words to the left of the break-even point are raised,
// words to the right of it lowered.
export const scaleShapes = ({ words, positions, sums }) => {
  const { left, wide, least, rows, way } = SCALE;
  const x = (value) => left + (wide * (value - least)) / (1 - least);
  const [from, border, to] = [words, positions, sums].map(x);
  // From a row down to the next, with a gap where its text is.
  const down = (at, k, start) => `M${at} ${start}V${rows[k + 1] - 28}M${at} ${rows[k + 1] - 10}v10`;
  const beyond = border > left + 0.7 * wide; // no room to the right
  const even = { mark: "even", style: "fill: var(--ex-main)" };
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const free = left + wide - last > first - left; // on the right there is more room for the number
  const number = free ? [last + 8, "start"] : [first - 8, "end"];
  const dot = (name, cx, k) => circle(cx, rows[k], k ? 6 : 9, { ref: name, fill: COLOR[name], mark: name });
  const side = (x1, x2, stroke) => line(x1, rows[0], x2, rows[0], { stroke, strokeWidth: 4, strokeOpacity: 0.4 });
  const titles = {
    "words alone": words,
    [`positions alone, ${OFFSET} apart`]: positions,
    "sums, about": sums,
  };
  return [
    rows.map((y) => line(left, y, left + wide, y, { stroke: "line" })),
    [0, 0.5, 1].map((v) => [
      path(rows.map((y) => `M${x(v)} ${y - 6}v12`).join(""), { stroke: "line" }),
      text(x(v), rows[2] + 44, v, "middle"),
    ]),
    text(left, 14, "cosine similarity"),
    side(left, border, "red"),
    side(border, left + wide, "blue"),
    outline(down(border, 1, rows[1]), { stroke: "soft", strokeDasharray: "2 4" }),
    outline(down(border, 0, rows[0] - 7), { stroke: "main", strokeWidth: 1.5, mark: "even" }),
    text(border + (beyond ? -6 : 6), rows[0] + 19, "break-even", beyond ? "end" : "start", even),
    path(arrow(from, to, way), { fill: sums < words ? "blue" : "red" }),
    text(number[0], way + 4, changeText(sums - words), number[1]),
    dot("words", from, 0),
    dot("positions", border, 1),
    dot("sums", to, 2),
    Object.entries(titles).map(([title, value], k) => text(left, rows[k] - 14, `${title}: ${fixed(value)}`)),
  ];
};

const sentence = ({ words, positions, sums }) => {
  const change = sums - words;
  const size = Math.abs(change) < 0.005 ? "less than 0.01" : fixed(Math.abs(change));
  const before = `{words|the words’ similarity of ${fixed(words)}}`;
  const verdict =
    Math.abs(change) < 1e-9
      ? `leave ${before} as it is`
      : `${change > 0 ? "raise" : "lower"} ${before} by {sums|${size}}`;
  return (
    `{positions|Positions ${OFFSET} apart} ${verdict}; ` +
    `the {even|break-even is ${fixed(positions)}}, the similarity of the positions themselves.`
  );
};

function render({ model, el }) {
  const scale = drawing(SCALE.width, SCALE.height, "Similarity of the words, of the positions and of the sums");
  const fans = drawing(FANS.width, FANS.height, "Two words, their positions and the sums, as arrows", {
    style: "align-self: center",
  });
  const update = (state) => {
    const found = similarities(state);
    fans.draw(fanShapes(state.length, found));
    scale.draw(scaleShapes(found));
    return sentence(found);
  };
  const figure = movingFigure(model, el, update, {
    title: "More alike or less?",
    names: ["length", "words"],
    marks: { words: "soft", positions: "main", sums: "ink", even: "main" },
    longest: { said: [sentence({ words: -0.2, positions: 0, sums: -0.1999 })] },
  });
  figure.select(["length"], "words have", CASES, { other: "another length", basis: "165px" });
  const power = { from: Math.log2, to: (exponent) => 2 ** exponent };
  figure.slider("length", "length of word vectors, a", { step: 0.25, ...power, show: lengthText, basis: "230px" });
  const rounded = { to: (value) => Number(value.toFixed(2)), show: (value) => fixed(value) };
  figure.slider("words", "similarity of the words", { step: STEP, basis: "215px", ...rounded });
  const stop = figure.start(fans, scale);

  // In the steps of the slider.
  const compare = (event) => {
    const share = (pointIn(scale, event)[0] - SCALE.left) / SCALE.wide;
    const value = SCALE.least + share * (1 - SCALE.least);
    figure.set("words", clamp(Number((Math.round(value / STEP) * STEP).toFixed(2)), ...LIMITS.words));
  };
  scale.refs.words.style.cursor = "grab";
  draggable(scale.refs.words, compare);
  return stop;
}

export default { render };
