// A sentence, four hands that draw their waves beside it, and the table of their sines and cosines.
import { movingFigure } from "./base.js";
import { hand, rim, tipAt, turnByHand, wave } from "./dial.js";
import { circle, clamp, drawing, group, outline, path, rect, text, times, tint } from "./drawing.js";
import { element } from "./element.js";
import { frequencies, sinusoidal } from "./encodings.js";

const HANDS = 4;
const OMEGAS = frequencies(2 * HANDS, BASE);
const LAST = LIMITS.position[1];
const [START, STEP, CELL] = [94, 19, 24]; // the first word, from word to word, a column of the table
const HEIGHT = START + STEP * LAST + 12;
// Waves and table fill the width. On a narrow screen the table is a small picture beside the waves, with its name.
const LOOK = `.ex-waves { flex: 310 1 0; min-width: 0; } .ex-beside { flex: 192 1 0; min-width: 0; }
  .ex-drawings:has(> .ex-waves) { margin-top: 20px !important; }
  @media screen and (width <= 600px) { .ex-waves { flex-grow: 256; } .ex-beside { flex-grow: 70; align-self: stretch; }
    .ex-waves text, .ex-beside text { font-size: 17px !important; } .ex-beside > text ~ text { display: none; }
    .ex-beside > :is(text, .ex-key) { transform: scaleX(2.26); transform-origin: ${HANDS * CELL}px 0; } }`;

const dialAt = (k) => ({ x: 92 + 62 * k, y: 46, radius: 26 });
const rowAt = (t) => START + STEP * t;
const waveAt = (k, t) => [tipAt(dialAt(k), OMEGAS[k] * t)[0], rowAt(t)];
const band = (t, width, look) => rect(0, rowAt(t) - STEP / 2, width, STEP, { rx: 3, mark: "word", ...look });

const sentence = (position) =>
  `{word|Word ${position}, “${WORDS[position]}”,} learns where it stands from {hands|four hands}, ` +
  `each half as fast as the one before. Their sines and cosines are {row|row ${position}} of a table.`;

// A dial, the wave below it, and the thread from the tip of its hand to the wave.
const column = (k, t) => {
  const dial = dialAt(k);
  const [across, y] = waveAt(k, t);
  const look = { stroke: "main", mark: "hands" };
  return [
    path(`M${dial.x} ${START - STEP / 2}V${rowAt(LAST) + STEP / 2}`, { stroke: "line" }),
    rim(dial),
    wave((n) => waveAt(k, n), t, LAST, look),
    outline(`M${across} ${tipAt(dial, OMEGAS[k] * t)[1]}V${y}`, { ...look, stroke: "accent", strokeDasharray: "2 3" }),
    circle(across, y, 4.5, { fill: "accent", mark: "hands" }),
    hand(dial, OMEGAS[k] * t, { ref: `hand${k}`, mark: "hands", color: "main", width: 3.5, tip: 5.5, reach: 16 }),
  ];
};

export const waveShapes = ({ position }) => {
  const word = (content, t) => {
    const weight = t === Math.floor(position + 1e-9) ? 700 : 400; // the last word that was reached
    return group(
      { ref: `word${t}`, style: `cursor: pointer; font-weight: ${weight}` },
      rect(0, rowAt(t) - STEP / 2, 56, STEP, { fill: "transparent" }),
      text(16, rowAt(t) + 4.5, t, "end"),
      text(26, rowAt(t) + 4.5, content),
    );
  };
  return [
    band(position, 310, { fill: "accent", opacity: 0.16 }),
    WORDS.map(word),
    times(HANDS, (k) => column(k, position)),
    text(0, 12, "word"),
    text(92 + 62 * 1.5, 12, "the hands, and their sines", "middle"),
  ];
};

export const tableShapes = ({ position }) => {
  const cell = (value, t, c) => rect(c * CELL, rowAt(t) - STEP / 2 + 1, CELL - 1, STEP - 2, tint(value));
  const row = (t) =>
    group(
      { mark: "row", opacity: clamp(position - t + 1, 0.3, 1).toFixed(3) },
      sinusoidal(t, 2 * HANDS, BASE).map((value, c) => cell(value, t, c)),
    );
  // The frame is around the row, whose colors are values: behind it they would change.
  return [
    times(LAST + 1, row),
    band(position, 2 * HANDS * CELL, { fill: "none", stroke: "accent", strokeWidth: 2 }),
    text(HANDS * CELL, 12, "the table", "middle"),
    group(
      { class: "ex-key" },
      times(11, (k) => rect(HANDS * CELL - 22 + 4 * k, 21, 4, 9, tint(k - 5, 5))),
      ["−1", "1"].map((end, k) => text(HANDS * CELL + 52 * k - 26, 30, end, k ? "start" : "end")),
    ),
    times(HANDS, (k) => text((2 * k + 1) * CELL, 50, `hand ${k}`, "middle")),
    times(HANDS, (k) => text((2 * k + 1) * CELL, 68, "sin cos", "middle")),
  ];
};

function render({ model, el }) {
  const words = "The words of a sentence, and four hands that draw waves beside them";
  const waves = drawing(310, HEIGHT, words, { class: "ex-waves" });
  const name = "The table: a row for each word, two columns for each hand";
  const table = drawing(2 * HANDS * CELL, HEIGHT, name, { class: "ex-beside", preserveAspectRatio: "none" });
  const update = (state) => {
    waves.draw(waveShapes(state));
    table.draw(tableShapes(state));
    return sentence(Math.floor(state.position + 1e-9));
  };
  const figure = movingFigure(model, el, update, {
    title: "Every word gets four hands",
    names: ["position"],
    marks: { word: "accent", hands: "main", row: "ink" },
    longest: { said: [sentence(10)] },
  });
  figure.play("position", { perSecond: 1.25, share: 0.6 });
  figure.slider("position", "position t", { glide: true });
  const stop = figure.start(element("style", {}, LOOK), waves, table);
  WORDS.forEach((_, t) => waves.refs[`word${t}`].addEventListener("click", () => figure.glide({ position: t })));
  OMEGAS.forEach((omega, k) => turnByHand(figure, waves.refs[`hand${k}`], waves, "position", () => omega, dialAt(k)));
  return stop;
}

export default { render };
