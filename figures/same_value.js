// One number in two texts: by the normalized count, which draws both to one width, or by the plain.

import { movingFigure } from "./base.js";
import { circle, fixed, line, surface, text } from "./drawing.js";
import { normalizedCount } from "./encodings.js";
import { between } from "./motion.js";

const OTHER = WORDS.length; // the text that does not change
const VALUE = 0.8;
const ROOMY = [0.15, 0.08]; // of the width, from word to word: then all words stand under their dots
const STRETCH = 900; // milliseconds from one count to the other

const percent = (share) => `${(100 * share).toFixed(3)}%`;

// The positions around a value: the same one twice where a position has it exactly.
const around = (value, count) => {
  const place = value * (count - 1);
  const nearest = Math.round(place);
  if (Math.abs(place - nearest) < 1e-9) return [nearest, nearest];
  return [Math.floor(place), Math.floor(place) + 1];
};
const PLACES = around(VALUE, OTHER);
const named = ([low, high], one, two) => (low === high ? `${one} ${low}` : `${two} ${low} and ${high}`);
// Those of them that a text of so many words does not have; nothing if it has all.
const missing = ([low, high], count) =>
  high < count ? "" : `no ${named([Math.max(low, count), high], "position", "positions")}`;

const quoted = ([low, high], words) => (low === high ? `, “${words[low]}”` : "");

// What is said of the normalized count.
const normalized = (length) => {
  const name = (places, words) => named(places, "position", "between positions") + quoted(places, words);
  const [here, there] = [name(around(VALUE, length), TEXT), name(PLACES, WORDS)];
  return length === OTHER
    ? `Both texts have ${OTHER} words: ${VALUE} is {here|${here}}, and {there|${there}}.`
    : `In a text of ${length} words ${VALUE} is {here|${here}}; in one of ${OTHER} words it is {there|${there}}.`;
};
// And of the plain count, for what the value names in the other text.
const plain = (length) => {
  const [place] = PLACES;
  const [here, there] = [TEXT, WORDS].map((words) => `position ${place}, “${words[place]}”`);
  return place >= length
    ? `The plain count ${place} is {there|${there}}, in the other text; yours of ${length} words ends before it.`
    : `The plain count ${place} is {here|${here}}, in your text and {there|${there}}, in the other: the same place.`;
};

// A text beside a share of the width, on the side where there is more room.
const beside = (share, y, content, look) => {
  const left = share > 0.5;
  return text(percent(share), y, content, left ? "end" : "start", { dx: left ? -12 : 12, ...look });
};

// A text as dots on a line with its words below: yours (k = 0) or the other (k = 1). A ring is around the
// dot that has the value. On its way from the normalized count to the plain one, `way` is between 0 and 1.
export const textShapes = ({ length, plain: way }, isPlain, k) => {
  const [y, count, words, mark] = [[52, 176][k], [length, OTHER][k], [TEXT, WORDS][k], ["here", "there"][k]];
  const widest = Math.max(length, OTHER) - 1;
  const at = (t) => between(normalizedCount(t, count), t / widest, way);
  const spot = between(VALUE, PLACES[0] / widest, way);
  const places = around(VALUE, isPlain ? OTHER : count);
  const [low, high] = places;
  const absent = missing(places, count);
  const next = low + (low < count - 1 ? 1 : -1);
  const radius = count <= 30 ? 4 : count <= 90 ? 2.5 : 1.5;
  const visibility = (is) => (is ? "inherit" : "hidden");
  const end = at(count - 1);
  const last = end > 0.97 ? { anchor: "end", dx: 0, dy: -40.5 } : { anchor: "start", dx: 12, dy: 0 };
  const roomy = count <= OTHER && at(1) >= ROOMY[k];
  const word = (content, t) => {
    const strong = places.includes(t);
    const style = `font-weight: ${strong ? 700 : 400}; fill: var(--ex-${strong ? "accent" : "soft"})`;
    return text(percent(at(t)), y + 32, content, "middle", { style, visibility: visibility(roomy && t < count) });
  };
  const accent = { stroke: "accent", mark };
  const step = { ...accent, strokeWidth: 4, visibility: visibility(!absent) };
  const ring = { ...accent, fill: "none", strokeWidth: 2.5, visibility: visibility(low === high && !absent) };
  const chosen = (low === high ? [low] : places).map((t) => words[t]).join(" | ");
  return [
    line(percent(spot), y - 26, percent(spot), y + 12, { stroke: "soft", strokeDasharray: "4 3" }),
    line(0, y, percent(end), y, { stroke: "line", strokeWidth: 2 }),
    words.slice(0, count).map((_, t) => circle(percent(at(t)), y, radius, { fill: "main" })),
    line(percent(at(low)), y + 12, percent(at(next)), y + 12, step),
    circle(percent(spot), y, 8, ring),
    text(0, y - 36, `${k ? "another" : "your"} text: ${count} words`, "start", { style: "font-weight: 600" }),
    beside(spot, y - 14, absent || `${isPlain ? PLACES[0] : VALUE} is ${named(places, "position", "between")}`, {
      mark,
    }),
    beside(spot, y + 54, `one step: ${isPlain ? 1 : fixed(normalizedCount(1, count), 3)}`),
    text(percent(end), y + 4.5, `last: ${isPlain ? count - 1 : 1}`, last.anchor, { dx: last.dx, dy: last.dy }),
    text(percent(spot), y + 32, chosen, "middle", {
      style: "font-weight: 700; fill: var(--ex-accent)",
      visibility: visibility(!roomy && !absent), // only where the words have no room
    }),
    words.slice(0, OTHER).map(word),
  ];
};

function render({ model, el }) {
  // As wide as there is room: places across are shares of the width, so letters keep their size.
  const style = "width: calc(100% - 28px); height: 248px";
  const name = "Two texts with the number of each word, and the value in both";
  const texts = surface({ style, role: "img", "aria-label": name });
  const update = (state) => {
    const isPlain = model.get("plain");
    texts.draw(textShapes(state, isPlain, 0), textShapes(state, isPlain, 1));
    swap.textContent = isPlain ? "normalize the count" : "count plainly";
    return (isPlain ? plain : normalized)(state.length);
  };

  const figure = movingFigure(model, el, update, {
    title: "Which word is that?",
    names: ["length", "plain"],
    marks: { here: "accent", there: "accent" },
    longest: { said: [normalized(198), plain(200), plain(2)] },
  });
  figure.slider("length", "words in the text");
  const swap = figure.button("", () => figure.glide({ plain: 1 - model.get("plain") }, STRETCH));
  swap.style.minWidth = "11.5em";
  return figure.start(texts);
}

export default { render };
