// One number in two texts: by the normalized count, which draws both to one width, or by the plain.

import { movingFigure, note } from "./base.js";
import { circle, fixed, line, surface, text } from "./drawing.js";
import { normalizedCount } from "./encodings.js";
import { between } from "./motion.js";

const OTHER = WORDS.length; // the text that does not change
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
const named = ([low, high], one, two) => (low === high ? `${one} ${low}` : `${two} ${low} and ${high}`);
// Those of them that a text of so many words does not have; nothing if it has all.
const missing = ([low, high], count) =>
  high < count ? "" : `no ${named([Math.max(low, count), high], "position", "positions")}`;
const thereIs = (none) => `there ${none.startsWith("no positions") ? "are" : "is"} ${none}`;

const trim = (value) => String(Number(value.toFixed(2)));
const quoted = ([low, high], words) => (low === high ? `, “${words[low]}”` : "");

// What is said of the normalized count.
const normalized = (length, value) => {
  const name = (places, words) => named(places, "position", "between positions") + quoted(places, words);
  const [here, there] = [name(around(value, length), TEXT), name(around(value, OTHER), WORDS)];
  return length === OTHER
    ? `Both texts have ${OTHER} words: ${trim(value)} is {here|${here}}, and {there|${there}}.`
    : `In a text of ${length} words ${trim(value)} is {here|${here}}; in one of ${OTHER} words it is {there|${there}}.`;
};
// And of the plain count, for what the value names in the other text.
const plain = (length, value) => {
  const [low, high] = around(value, OTHER);
  if (low !== high)
    return `No word has the plain count ${trim(value * (OTHER - 1))}: it is 0, 1, 2 and so on in every text.`;
  const [here, there] = [TEXT, WORDS].map((words) => `position ${low}, “${words[low]}”`);
  return low >= length
    ? `The plain count ${low} is {there|${there}}, in the other text; yours of ${length} words ends before it.`
    : `The plain count ${low} is {here|${here}}, in your text and {there|${there}}, in the other: the same place.`;
};

// The steps and the numbers.
const numbers = (length, value) => {
  const [low, high] = around(value, OTHER);
  const none = missing([low, high], length);
  const beside = "beside a word’s entries of about 1";
  const counts =
    low === high
      ? `The plain count of position ${low} is ${low}`
      : `The plain counts of positions ${low} and ${high} are ${low} and ${high}`;
  const step = fixed(1 / (OTHER - 1), 3);
  if (length === OTHER) return `One step is ${step} in both. ${counts}; the last is ${OTHER - 1}, ${beside}.`;
  return (
    `One step is ${fixed(1 / (length - 1), 3)} here, ${step} there. ` +
    `${counts} ${none ? `there, and here ${thereIs(none)}` : "in both"}; ` +
    `but the last is ${length - 1} here, ${OTHER - 1} there, ${beside}.`
  );
};

// A text beside a share of the width, on the side where there is more room.
const beside = (share, y, content, look) => {
  const left = share > 0.5;
  return text(percent(share), y, content, left ? "end" : "start", { dx: left ? -12 : 12, ...look });
};

// A text as dots on a line with its words below: yours (k = 0) or the other (k = 1). A ring is around the
// dot that has the value. On its way from the normalized count to the plain one, `way` is between 0 and 1.
export const textShapes = ({ length, value, plain: way }, isPlain, k) => {
  const [y, count, words, mark] = [[52, 176][k], [length, OTHER][k], [TEXT, WORDS][k], ["here", "there"][k]];
  const widest = Math.max(length, OTHER) - 1;
  const at = (t) => between(normalizedCount(t, count), t / widest, way);
  const spot = between(value, (value * (OTHER - 1)) / widest, way);
  const places = around(value, isPlain ? OTHER : count);
  const [low, high] = places;
  const absent = missing(places, count);
  const next = low + (low < count - 1 ? 1 : -1);
  const radius = count <= 30 ? 4 : count <= 90 ? 2.5 : 1.5;
  const visibility = (is) => (is ? "visible" : "hidden");
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
    beside(spot, y - 14, absent || named(places, "position", "between"), { mark }),
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
    const [{ length, value }, isPlain] = [state, model.get("plain")];
    texts.draw(textShapes(state, isPlain, 0), textShapes(state, isPlain, 1));
    const [name, input, output] = slider.parentNode.children;
    name.textContent = isPlain ? "plain count" : "normalized count";
    output.textContent = onSlider(value);
    input.setAttribute("aria-valuetext", onSlider(value));
    swap.textContent = isPlain ? "normalize the count" : "count plainly";
    return { said: isPlain ? plain(length, value) : normalized(length, value), more: numbers(length, value) };
  };

  const figure = movingFigure(model, el, update, {
    title: "Which word is that?",
    names: ["length", "value", "plain"],
    marks: { here: "accent", there: "accent" },
    longest: { said: [normalized(200, 0.25), plain(200, 0.6), plain(2, 1), plain(11, 0.05)], more: [numbers(2, 0.25)] },
  });
  figure.slider("length", "words in the text");
  // The plain count is the one that the value gives in the other text.
  const onSlider = (value) => trim(model.get("plain") ? value * (OTHER - 1) : value);
  const slider = figure.slider("value", "normalized count", { step: 0.05, show: onSlider });
  const swap = figure.button("", () => figure.glide({ plain: 1 - model.get("plain") }, STRETCH));
  swap.style.minWidth = "11.5em";
  const below =
    "The plain count fails by its size: added to a word’s vector, a large number drowns the word. " +
    "The normalized count fails because the same number means another position in a longer text.";
  return figure.start(texts, note(below));
}

export default { render };
