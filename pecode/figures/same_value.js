// One value of the normalized count, in texts of different length, and the plain count.
import { normalizedCount } from "./encodings.js";
import { fixed, h, label, move, movingFigure, svg } from "./base.js";

// The text that does not change.
const WORDS = "the dog bit the man and the man bit the dog".split(" ");
const OTHER = WORDS.length;
const LONGEST = LIMITS.length[1];

const percent = (share) => `${(100 * share).toFixed(3)}%`;

// As wide as there is room: places across are shares of the width, so letters keep their size.
const strip = (height, name) =>
  svg("svg", {
    style: `width: calc(100% - 28px); height: ${height}px`, role: "img", "aria-label": name,
  });

// A label beside a share of the width, on the side where there is more room.
const place = (text, share, content) => {
  const left = share > 0.5;
  move(text, { x: percent(share), dx: left ? -8 : 8, "text-anchor": left ? "end" : "start" });
  text.textContent = content;
};

// The positions of a text as dots on a line, and a ring around the one that has the value.
const row = (y, count) => {
  const line = svg("line", { x1: 0, y1: y, y2: y, stroke: "var(--ex-line)", "stroke-width": 2 });
  const marker = svg("line", {
    y1: y - 26, y2: y + 36, stroke: "var(--ex-soft)", "stroke-dasharray": "4 3",
  });
  const step = svg("line", {
    y1: y + 12, y2: y + 12, stroke: "var(--ex-accent)", "stroke-width": 4,
  });
  const dots = Array.from({ length: count }, () =>
    svg("circle", { cy: y, fill: "var(--ex-main)" }),
  );
  const ring = svg("circle", {
    cy: y, r: 8, fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2.5,
  });
  const [name, above, below] = [label(0, y - 36), label(0, y - 14), label(0, y + 31)];
  move(name, { style: "font-weight: 600" });
  const nodes = [marker, line, ...dots, step, ring, name, above, below];
  return { nodes, marker, line, dots, step, ring, name, above, below };
};

const dot = (row, shares, radius) => {
  move(row.line, { x2: percent(shares.at(-1)) });
  row.dots.forEach((dot, t) =>
    move(dot, t < shares.length
      ? { cx: percent(shares[t]), r: radius, visibility: "visible" }
      : { visibility: "hidden" }),
  );
};

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

// What is said of the normalized count, and in numbers, with the plain count.
const readout = (length, value) => {
  const places = [length, OTHER].map((count) => around(value, count));
  const [here, there] = places.map((found) => named(found, "position", "between positions"));
  const shown = trim(value);
  const none = missing(places[1], length);
  const [low, high] = places[1];
  const beside = "beside a word’s entries of about 1";
  const counts = low === high
    ? `The plain count of position ${low} is ${low}`
    : `The plain counts of positions ${low} and ${high} are ${low} and ${high}`;
  if (length === OTHER)
    return {
      said: [`In both texts, of ${OTHER} words each, ${shown} is `, ["there", there], "."],
      more: `One step is ${fixed(1 / (OTHER - 1), 3)} in both. ${counts}; the last is ${OTHER - 1}, ${beside}.`,
    };
  return {
    said: [
      `In a text of ${length} words ${shown} is `, ["here", here], `; in one of ${OTHER} words it is `, ["there", there], ".",
    ],
    more:
      `One step is ${fixed(1 / (length - 1), 3)} here, ${fixed(1 / (OTHER - 1), 3)} there. ` +
      `${counts} ${none ? `there, and here ${thereIs(none)}` : "in both"}; but the last is ${length - 1} here, ${OTHER - 1} there, ${beside}.`,
  };
};

function render({ model, el }) {
  const share = strip(236, "Two texts drawn to the same width, and the value in both");
  const shareRows = [row(68, LONGEST), row(160, OTHER)];
  const valueName = label(0, 230, "", "middle");
  // Its words stand under its positions; those at the value are strong.
  const words = WORDS.map((word) => label(0, 186, word, "middle"));
  words.forEach((word, t) => move(word, { x: percent(normalizedCount(t, OTHER)) }));
  move(shareRows[1].below, { y: 208 });
  const shareTitle = label(0, 12, "normalized count: never above 1");
  share.append(...shareRows.flatMap(({ nodes }) => nodes), ...words, valueName, shareTitle);

  const plain = strip(232, "The same two texts, each word at its plain count, and the entries of a word on that scale");
  const plainRows = [row(68, LONGEST), row(150, OTHER)];
  const plainTitle = label(0, 12, "plain count: every step is 1");
  shareRows.forEach(({ ring, step, above }, k) => {
    for (const node of [ring, step, above]) move(node, { "data-mark": k ? "there" : "here" });
  });
  // What the counts are added to, on their scale: entries of the order of 1.
  const entries = svg("line", {
    x1: percent(-1 / (LONGEST - 1)), x2: percent(1 / (LONGEST - 1)), y1: 222, y2: 222,
    stroke: "var(--ex-ink)", "stroke-width": 10,
  });
  const [word, size] = [label(0, 206, "a word’s vector"), label(14, 226, "entries of about −1 to 1")];
  move(word, { style: "font-weight: 600" });
  plain.append(...plainRows.flatMap(({ nodes }) => nodes), plainTitle, entries, word, size);
  for (const title of [shareTitle, plainTitle]) move(title, { style: "fill: var(--ex-soft)" });

  const update = () => {
    const [length, value] = ["length", "value"].map((name) => model.get(name));
    const lengths = [length, OTHER];
    const shown = trim(value);
    const places = lengths.map((count) => around(value, count));
    lengths.forEach((count, k) => {
      const shares = Array.from({ length: count }, (_, t) => normalizedCount(t, count));
      const { marker, step, ring, name, above, below } = shareRows[k];
      const [low, high] = places[k];
      const next = low + (low < count - 1 ? 1 : -1);
      dot(shareRows[k], shares, count <= 30 ? 4 : count <= 90 ? 2.5 : 1.5);
      move(marker, { x1: percent(value), x2: percent(value) });
      move(ring, { cx: percent(value), visibility: low === high ? "visible" : "hidden" });
      move(step, { x1: percent(shares[low]), x2: percent(shares[next]) });
      name.textContent = `${k ? "another" : "your"} text: ${count} words`;
      place(above, value, named(places[k], "position", "between"));
      place(below, value, `one step: ${fixed(shares[1], 3)}`);
    });
    words.forEach((word, t) => {
      const named = places[1].includes(t);
      move(word, { style: `font-weight: ${named ? 700 : 400}; fill: var(--ex-${named ? "accent" : "soft"})` });
    });
    move(valueName, { x: percent(value) });
    valueName.textContent = shown;

    // What the value names in the other text, at its plain count in both.
    const [low, high] = places[1];
    const none = missing(places[1], length);
    lengths.forEach((count, k) => {
      const shares = Array.from({ length: count }, (_, t) => normalizedCount(t, LONGEST));
      const at = normalizedCount(value * (OTHER - 1), LONGEST);
      const { marker, step, ring, name, above, below } = plainRows[k];
      dot(plainRows[k], shares, 1.5);
      move(marker, { x1: percent(at), x2: percent(at) });
      const absent = missing(places[1], count);
      move(ring, { cx: percent(at), visibility: !absent && low === high ? "visible" : "hidden" });
      move(step, { visibility: "hidden" });
      name.textContent = `${k ? "another" : "your"} text: ${count} words`;
      place(above, at, absent || named(places[1], "position", "between"));
      // Behind the last dot; above it where the line needs the whole width.
      const wide = count > 0.7 * LONGEST;
      move(below, {
        x: percent(Math.max(shares.at(-1), at)), dx: wide ? 0 : 13, dy: wide ? -45 : -26,
        "text-anchor": wide ? "end" : "start",
      });
      below.textContent = `last: ${count - 1}`;
    });

    return readout(length, value);
  };

  const figure = movingFigure({
    model, el, update,
    title: "Which word is that?",
    names: ["length", "value"],
    marks: { here: "accent", there: "accent" },
    longest: { said: [readout(200, 0.25).said, readout(180, 0.05).said], more: [readout(2, 0.25).more] },
  });
  figure.slider("length", "words in the text");
  figure.slider("value", "value of the normalized count", { step: 0.05, show: trim });
  return figure.start(
    share, plain,
    h("p", { style: "width: 100%; margin: 0; font-size: 14px; color: var(--ex-soft)" },
      "The plain count fails by its size: added to a word’s vector, a large number drowns the word. " +
      "The normalized count fails by its meaning: one number is another position in a longer text."),
  );
}

export default { render };
