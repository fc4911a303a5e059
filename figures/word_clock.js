// A sentence, four hands that draw their waves beside it, and the table of their sines and cosines.

import { all, drawing, h, label, move, movingFigure, polyline, specks, svg } from "./base.js";
import { frequencies, sinusoidal } from "./encodings.js";
import { byHand, handle, tint } from "./parts.js";

const HANDS = 4;
const OMEGAS = frequencies(2 * HANDS, BASE);
const LAST = LIMITS.position[1];
const PIECES = 12; // of a wave from one word to the next
const RADIUS = 26;
const [DIAL, START, STEP] = [46, 94, 19]; // the middle of the dials, the first word, from word to word
const [HEIGHT, CELL] = [START + STEP * LAST + 12, 24];
const middle = (k) => 92 + 62 * k;
const rowAt = (t) => START + STEP * t;

const waveAt = (k, t) => [middle(k) + RADIUS * Math.sin(OMEGAS[k] * t), rowAt(t)];
const band = (width, look) => svg("rect", { x: 0, width, height: STEP, rx: 3, "data-mark": "word", ...look });

const sentence = (position) => [
  ["word", `Word ${position}, “${WORDS[position]}”,`],
  " learns where it stands from ",
  ["hands", "four hands"],
  ", each half as fast as the one before. Their sines and cosines are ",
  ["row", `row ${position}`],
  " of a table.",
];

// A dial, the wave below it, and the thread from the tip of its hand to the wave.
const column = (k) => {
  const x = middle(k);
  const line = (attributes) =>
    svg("path", { fill: "none", stroke: "var(--ex-main)", "data-mark": "hands", ...attributes });
  const thread = line({ stroke: "var(--ex-accent)", "stroke-dasharray": "2 3" });
  const past = line({ "stroke-width": 2.5 });
  const dots = line({ "stroke-width": 5, "stroke-linecap": "round" });
  const here = svg("circle", { r: 4.5, fill: "var(--ex-accent)", "data-mark": "hands" });
  const arm = svg("line", {
    x1: x,
    y1: DIAL,
    stroke: "var(--ex-main)",
    "stroke-width": 3.5,
    "stroke-linecap": "round",
  });
  const [tip, held] = [svg("circle", { r: 5.5, fill: "var(--ex-main)" }), handle(16)];
  const hand = svg("g", { "data-mark": "hands" }, arm, tip, held);
  const nodes = [
    svg("path", { d: `M${x} ${START - STEP / 2}V${rowAt(LAST) + STEP / 2}`, stroke: "var(--ex-line)" }),
    svg("circle", { cx: x, cy: DIAL, r: RADIUS, fill: "none", stroke: "var(--ex-soft)" }),
    line({ d: polyline(all(LAST * PIECES + 1, (n) => waveAt(k, n / PIECES))), opacity: 0.3 }),
    past,
    dots,
    thread,
    here,
    hand,
  ];
  const update = (t) => {
    const [across, y] = waveAt(k, t);
    const up = DIAL - RADIUS * Math.cos(OMEGAS[k] * t);
    move(arm, { x2: across, y2: up });
    for (const circle of [tip, held]) move(circle, { cx: across, cy: up });
    move(here, { cx: across, cy: y });
    move(thread, { d: `M${across} ${up}V${y}` });
    move(past, { d: polyline([...all(Math.floor(t * PIECES) + 1, (n) => waveAt(k, n / PIECES)), [across, y]]) });
    move(dots, { d: specks(all(Math.floor(t + 1e-9) + 1, (n) => waveAt(k, n))) });
  };
  const angleAt = ([px, py]) => Math.atan2(px - x, DIAL - py);
  return { nodes, hand, angleAt, update };
};

function render({ model, el }) {
  const left = drawing(310, HEIGHT, "The words of a sentence, and four hands that draw waves beside them");
  const columns = all(HANDS, column);
  const words = WORDS.map((word, t) =>
    svg(
      "g",
      { style: "cursor: pointer" },
      svg("rect", { x: 0, y: rowAt(t) - STEP / 2, width: 56, height: STEP, fill: "transparent" }),
      label(16, rowAt(t) + 4.5, String(t), "end"),
      label(26, rowAt(t) + 4.5, word),
    ),
  );
  // Around the row of the table, whose colors are values: behind it they would change.
  const bands = [
    band(310, { fill: "var(--ex-accent)", opacity: 0.16 }),
    band(2 * HANDS * CELL, { fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2 }),
  ];
  left.append(
    bands[0],
    ...words,
    ...columns.flatMap(({ nodes }) => nodes),
    label(0, 12, "word"),
    label(middle(1.5), 12, "the hands, and their sines", "middle"),
  );

  // A narrow screen has no room beside the waves.
  const right = drawing(2 * HANDS * CELL, HEIGHT, "The table: a row for each word, two columns for each hand");
  right.classList.add("ex-beside");
  const rows = all(LAST + 1, (t) =>
    svg(
      "g",
      { "data-mark": "row" },
      ...sinusoidal(t, 2 * HANDS, BASE).map((value, c) =>
        svg("rect", { x: c * CELL, y: rowAt(t) - STEP / 2 + 1, width: CELL - 1, height: STEP - 2, ...tint(value) }),
      ),
    ),
  );
  right.append(
    ...rows,
    bands[1],
    label(HANDS * CELL, 12, "the table", "middle"),
    ...all(HANDS, (k) => label((2 * k + 1) * CELL, 50, `hand ${k}`, "middle")),
    ...all(HANDS, (k) => label((2 * k + 1) * CELL, 68, "sin cos", "middle")),
  );

  const update = () => {
    const t = figure.at("position");
    const position = Math.floor(t + 1e-9); // of the last word that was reached
    columns.forEach((column) => column.update(t));
    for (const node of bands) move(node, { y: rowAt(t) - STEP / 2 });
    rows.forEach((row, k) => move(row, { opacity: Math.min(Math.max(t - k + 1, 0.16), 1).toFixed(3) }));
    words.forEach((word, k) => move(word, { style: `cursor: pointer; font-weight: ${k === position ? 700 : 400}` }));
    return sentence(position);
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "Every word gets four hands",
    names: ["position"],
    marks: { word: "accent", hands: "main", row: "ink" },
    longest: { said: [sentence(10)] },
  });
  figure.play("position", { perSecond: 1.25, share: 0.6 });
  figure.slider("position", "position t", { glide: true });
  words.forEach((word, t) => word.addEventListener("click", () => figure.glide({ position: t })));
  columns.forEach(({ hand, angleAt }, k) =>
    byHand(
      hand,
      left,
      angleAt,
      (angle, start) => {
        figure.hold({ position: Math.min(Math.max(start + angle / OMEGAS[k], 0), LAST) });
      },
      { begin: () => figure.at("position"), end: figure.settle },
    ),
  );
  return figure.start(
    h(
      "style",
      {},
      `@media screen and (max-width: 600px) { .moving-figure .ex-beside { display: none; }
      .moving-figure .ex-named[data-mark="row"] { border: 0; font-weight: inherit; } }`,
    ),
    left,
    right, // it points at nothing then
  );
}

export default { render };
