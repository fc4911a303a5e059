// One number in two texts: by the normalized count, which draws both to one width, or by the plain.

import { fixed, h, label, move, movingFigure, svg } from "./base.js";
import { normalizedCount } from "./encodings.js";
import { between } from "./motion.js";

const OTHER = WORDS.length; // the text that does not change
const ROOMY = [0.15, 0.08]; // of the width, from word to word: then all words stand under their dots
const STRETCH = 900; // milliseconds from one count to the other

const percent = (share) => `${(100 * share).toFixed(3)}%`;

// As wide as there is room: places across are shares of the width, so letters keep their size.
const strip = (height, name) =>
  svg("svg", {
    style: `width: calc(100% - 28px); height: ${height}px`,
    role: "img",
    "aria-label": name,
  });

// A label beside a share of the width, on the side where there is more room.
const place = (text, share, content) => {
  const left = share > 0.5;
  move(text, { x: percent(share), dx: left ? -12 : 12, "text-anchor": left ? "end" : "start" });
  text.textContent = content;
};

// The positions of a text as dots on a line with its words below, and a ring around the one that
// has the value.
const row = (y, words, mark) => {
  const line = svg("line", { x1: 0, y1: y, y2: y, stroke: "var(--ex-line)", "stroke-width": 2 });
  const marker = svg("line", { y1: y - 26, y2: y + 12, stroke: "var(--ex-soft)", "stroke-dasharray": "4 3" });
  const step = svg("line", {
    y1: y + 12,
    y2: y + 12,
    stroke: "var(--ex-accent)",
    "stroke-width": 4,
    "data-mark": mark,
  });
  const dots = words.map(() => svg("circle", { cy: y, fill: "var(--ex-main)" }));
  const ring = svg("circle", {
    cy: y,
    r: 8,
    fill: "none",
    stroke: "var(--ex-accent)",
    "stroke-width": 2.5,
    "data-mark": mark,
  });
  const shown = words.slice(0, OTHER).map((word) => label(0, y + 32, word, "middle"));
  const [name, above, below, last] = [label(0, y - 36), label(0, y - 14), label(0, y + 54), label(0, y + 4.5)];
  const word = label(0, y + 32, "", "middle"); // the one that the value names, where only it has room
  move(name, { style: "font-weight: 600" });
  move(word, { style: "font-weight: 700; fill: var(--ex-accent)" });
  move(above, { "data-mark": mark });
  const nodes = [marker, line, ...dots, step, ring, name, above, below, last, word, ...shown];
  return { nodes, marker, line, dots, step, ring, name, above, below, last, word, shown };
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
const quoted = ([low, high], words) => (low === high ? `, “${words[low]}”` : "");

// What is said of the normalized count.
const normalized = (length, value) => {
  const places = [length, OTHER].map((count) => around(value, count));
  const [here, there] = places.map(
    (found, k) => named(found, "position", "between positions") + quoted(found, [TEXT, WORDS][k]),
  );
  if (length === OTHER)
    return [`Both texts have ${OTHER} words: ${trim(value)} is `, ["here", here], ", and ", ["there", there], "."];
  return [
    `In a text of ${length} words ${trim(value)} is `,
    ["here", here],
    `; in one of ${OTHER} words it is `,
    ["there", there],
    ".",
  ];
};
// And of the plain count, for what the value names in the other text.
const plain = (length, value) => {
  const [low, high] = around(value, OTHER);
  if (low !== high)
    return `No word has the plain count ${trim(value * (OTHER - 1))}: it is 0, 1, 2 and so on in every text.`;
  const there = ["there", `position ${low}, “${WORDS[low]}”`];
  if (low >= length)
    return [`The plain count ${low} is `, there, `, in the other text; yours of ${length} words ends before it.`];
  return [
    `The plain count ${low} is `,
    ["here", `position ${low}, “${TEXT[low]}”`],
    ", in your text and ",
    there,
    ", in the other: the same place.",
  ];
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
  if (length === OTHER)
    return `One step is ${fixed(1 / (OTHER - 1), 3)} in both. ${counts}; the last is ${OTHER - 1}, ${beside}.`;
  return (
    `One step is ${fixed(1 / (length - 1), 3)} here, ${fixed(1 / (OTHER - 1), 3)} there. ` +
    `${counts} ${none ? `there, and here ${thereIs(none)}` : "in both"}; but the last is ${length - 1} here, ${OTHER - 1} there, ${beside}.`
  );
};

function render({ model, el }) {
  const texts = [TEXT, WORDS];
  const share = strip(248, "Two texts with the number of each word, and the value in both");
  const rows = [row(52, TEXT, "here"), row(176, WORDS, "there")];
  share.append(...rows.flatMap(({ nodes }) => nodes));

  const update = () => {
    const [length, value, isPlain] = ["length", "value", "plain"].map((name) => model.get(name));
    const way = figure.at("plain"); // from the normalized count to the plain
    const widest = Math.max(length, OTHER) - 1;
    const there = around(value, OTHER);
    [length, OTHER].forEach((count, k) => {
      const { marker, line, dots, step, ring, name, above, below, last, word, shown } = rows[k];
      const at = (t) => between(normalizedCount(t, count), t / widest, way);
      const spot = between(value, (value * (OTHER - 1)) / widest, way);
      const places = isPlain ? there : around(value, count);
      const [low, high] = places;
      const absent = missing(places, count);
      const next = low + (low < count - 1 ? 1 : -1);
      move(line, { x2: percent(at(count - 1)) });
      dots.forEach((dot, t) =>
        move(
          dot,
          t < count
            ? { cx: percent(at(t)), r: count <= 30 ? 4 : count <= 90 ? 2.5 : 1.5, visibility: "visible" }
            : { visibility: "hidden" },
        ),
      );
      move(marker, { x1: percent(spot), x2: percent(spot) });
      move(ring, { cx: percent(spot), visibility: low === high && !absent ? "visible" : "hidden" });
      move(step, { x1: percent(at(low)), x2: percent(at(next)), visibility: absent ? "hidden" : "visible" });
      name.textContent = `${k ? "another" : "your"} text: ${count} words`;
      place(above, spot, absent || named(places, "position", "between"));
      place(below, spot, isPlain ? "one step: 1" : `one step: ${fixed(normalizedCount(1, count), 3)}`);
      const end = at(count - 1);
      move(last, {
        x: percent(end),
        dx: end > 0.97 ? 0 : 12,
        dy: end > 0.97 ? -40.5 : 0,
        "text-anchor": end > 0.97 ? "end" : "start",
      });
      last.textContent = `last: ${isPlain ? count - 1 : 1}`;
      const roomy = count <= OTHER && at(1) >= ROOMY[k];
      shown.forEach((node, t) => {
        const strong = places.includes(t);
        move(node, {
          x: percent(at(t)),
          visibility: roomy && t < count ? "visible" : "hidden",
          style: `font-weight: ${strong ? 700 : 400}; fill: var(--ex-${strong ? "accent" : "soft"})`,
        });
      });
      move(word, { x: percent(spot), visibility: roomy || absent ? "hidden" : "visible" });
      word.textContent = (low === high ? [low] : places).map((t) => texts[k][t]).join(" | ");
    });
    const [sliderName, input, shown] = slider.parentNode.children;
    sliderName.textContent = isPlain ? "plain count" : "normalized count";
    shown.textContent = onSlider(value);
    move(input, { "aria-valuetext": onSlider(value) });
    swap.textContent = isPlain ? "normalize the count" : "count plainly";
    return { said: isPlain ? plain(length, value) : normalized(length, value), more: numbers(length, value) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
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
  return figure.start(
    share,
    h(
      "p",
      { style: "width: 100%; margin: 0; font-size: 14px; color: var(--ex-soft)" },
      "The plain count fails by its size: added to a word’s vector, a large number drowns the word. " +
        "The normalized count fails because the same number means another position in a longer text.",
    ),
  );
}

export default { render };
