// Words that change places, and what self-attention makes of it.

import { movingFigure, note } from "./base.js";
import { clamp, drawing, heatColor, rect } from "./drawing.js";
import { element } from "./element.js";
import { causalMask, selfAttention, sinusoidal } from "./encodings.js";
import { shuffled } from "./gallery.js";
import { reducedMotion } from "./motion.js";

const FIRST = [0, 1, 2, 3, 4];
const WIDTH = 16;
const HALF = 36;
const CELL = 9;
const ROUNDING = 1e-9; // sums in another order differ in their last digits
const SLIDE = 350; // milliseconds that a word takes to its new place
const LITTLE = 0.1; // of the color scale: a difference below it is hard to see

const LOOK = `
.moving-figure .ex-words { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 4px;
  width: 100%; text-align: center; font-size: 13px; line-height: 1.3; }
.moving-figure .ex-word { display: grid; gap: 3px; align-content: start; justify-items: center;
  padding: 4px 0; border-radius: 6px; cursor: grab; touch-action: pan-y; user-select: none; }
.moving-figure .ex-word.ex-held { outline: 3px solid var(--ex-main); cursor: grabbing; }
.moving-figure .ex-average { cursor: auto; border-left: 1px solid var(--ex-line); border-radius: 0; }
.moving-figure .ex-word b { font-size: 17px; }
.moving-figure .ex-word small { font-size: 12px; color: var(--ex-soft); min-height: 2.6em; white-space: pre-line; }
.moving-figure .ex-moves { width: 100%; min-height: 32px; }
.moving-figure .ex-moves button { position: relative; left: calc(50% + 2px); min-width: min(44px, 100%); padding: 0; }
.moving-figure .ex-word svg { height: ${WIDTH * CELL}px; }
.moving-figure .ex-verdict { display: grid; min-height: 39px; }
.moving-figure .ex-verdict span:first-child { font-size: 22px; line-height: 1; font-weight: 700; }
.moving-figure .ex-differs .ex-verdict { color: var(--ex-accent); font-weight: 650; }
@media (max-width: 600px) { .moving-figure .ex-verdict { min-height: 56px; } }
@media (pointer: coarse) { .moving-figure .ex-moves { min-height: 44px; } }
@media print { .moving-figure .ex-moves { display: none; } }
`;

const difference = (a, b) => Math.max(...a.map((value, k) => Math.abs(value - b[k])));

const average = (rows) => rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);

// A vector before and after, in two halves that touch: if nothing changed, they are one strip.
export const stripShapes = (before, after, extreme) =>
  [before, after].map((vector, side) =>
    vector.map((value, k) =>
      rect(side * HALF, k * CELL, HALF, CELL, { shapeRendering: "crispEdges", fill: heatColor(value / extreme) }),
    ),
  );

// A word with its place, its button, and its output before and after.
const column = () => {
  // There are no letters in it, so it may be squeezed.
  const strip = drawing(2 * HALF, WIDTH * CELL, "", { preserveAspectRatio: "none" });
  const [name, place, sign, verdict] = ["b", "small", "span", "span"].map((tag) => element(tag));
  const moves = element("div", { class: "ex-moves" });
  const verdicts = element("div", { class: "ex-verdict" }, sign, verdict);
  const root = element("div", { class: "ex-word", role: "group" }, place, name, moves, strip, verdicts);
  // Before a word has moved there is nothing to compare.
  const show = (word, where, before, after, extreme, moved) => {
    const change = difference(before, after);
    const changed = change > ROUNDING;
    name.textContent = word;
    place.textContent = where;
    sign.textContent = !moved ? "" : changed ? "≠" : "=";
    const small = change < LITTLE * extreme ? "differs a little" : "differs";
    verdict.textContent = !moved ? "" : changed ? small : "same";
    root.classList.toggle("ex-differs", changed);
    root.setAttribute("aria-label", `${word} ${where}`.trim());
    const label = `output of ${word} in the original order${moved ? ` and now: ${verdict.textContent}` : ""}`;
    strip.setAttribute("aria-label", label);
    strip.draw(stripShapes(before, after, extreme));
    return changed;
  };
  return { root, moves, show };
};

// The outputs of the words in an order.
export const outputs = ({ causal, positions, vectors, w_query, w_key, w_value }, order) => {
  const mask = causal ? causalMask(FIRST.length) : null;
  const added = (t) => (positions ? sinusoidal(t, WIDTH) : Array(WIDTH).fill(0));
  const inputs = order.map((word, t) => vectors[word].map((value, k) => value + added(t)[k]));
  return selfAttention(inputs, w_query, w_key, w_value, mask);
};

// `changed` of the outputs have changed, and `moved` says whether their average has.
const sentence = ({ words, order, causal, positions }, changed, moved) => {
  const start = `“${order.map((word) => words[word]).join(" ")}”`;
  if (order.every((word, slot) => word === slot))
    return `${start} is the original order. Move a word: will its output change?`;
  const whole = `The average over all outputs ${moved ? "changed" : "is the same"}.`;
  if (order.every((word, slot) => words[word] === words[slot])) {
    const equal = changed ? "Each has the output that the other had." : "They are equal, and so are their outputs.";
    return `${start} reads as before: only the two “${words[0]}” have changed places. ${equal} ${whole}`;
  }
  const outcome = changed
    ? `${changed} of 5 outputs changed.`
    : "every word keeps its output: it sees the same five words, in whatever order.";
  // Why they changed, or where they did not.
  const there = positions ? " at the same positions" : "";
  const masked =
    changed < FIRST.length
      ? `where these are the same words${there || ", in whatever order"}, its output is the same.`
      : `for none of the five are these the same words${there} as before.`;
  const why = causal
    ? ` With the mask, a word sees only itself and those before it: ${masked}`
    : positions
      ? " A moved word is now another vector (the sum of word and position), and every word sees all five: " +
        "so every output changes."
      : "";
  return `${start}: ${outcome}${why} ${whole}`;
};
const LONGEST =
  "“the dog bit the man”: 5 of 5 outputs changed. With the mask, a word sees only itself and those before it: " +
  "for none of the five are these the same words at the same positions as before. " +
  "The average over all outputs is the same.";
const NOTE =
  "Each strip: the output of the word, 16 numbers from blue (negative) to red (positive), " +
  "left in the original order, right now. “Differs a little” means by less than a tenth of the color scale.";

function render({ model, el }) {
  let held = null; // the place of the word that is being dragged

  const place = (from, to) => {
    const order = [...model.get("order")];
    order.splice(to, 0, ...order.splice(from, 1));
    figure.set("order", order);
  };

  const columns = FIRST.map(column);
  const mean = column();
  mean.root.classList.add("ex-average");

  // A button between two words exchanges them.
  columns.slice(1).forEach((_, slot) => {
    const name = `exchange the words at ${slot} and ${slot + 1}`;
    const attributes = { type: "button", "aria-label": name, onClick: () => place(slot, slot + 1) };
    columns[slot].moves.append(element("button", attributes, "⇄"));
  });

  // A word can also be dragged. It changes places when the pointer enters the other's column.
  // The columns are equally wide; where a word slides, it does not matter where it is just now.
  const slotAt = (x) => {
    const { left, width } = columns[0].root.parentElement.getBoundingClientRect();
    const slot = Math.floor(((x - left) / width) * (columns.length + 1));
    return clamp(slot, 0, columns.length - 1);
  };
  const hold = (slot) => {
    held = slot;
    columns.forEach(({ root }, k) => root.classList.toggle("ex-held", k === held));
  };
  columns.forEach(({ root }, slot) => {
    root.addEventListener("pointerdown", (event) => {
      if (event.button || event.target.closest("button")) return;
      root.setPointerCapture(event.pointerId);
      hold(slot);
    });
    root.addEventListener("pointermove", ({ clientX }) => {
      if (held === null || slotAt(clientX) === held) return;
      place(held, slotAt(clientX));
      hold(slotAt(clientX));
    });
    root.addEventListener("lostpointercapture", () => hold(null));
  });

  // The words slide from where they stood.
  let previous = model.get("order");
  const slide = (order) => {
    const left = (slot) => columns[slot].root.offsetLeft;
    order.forEach((word, slot) => {
      const from = left(previous.indexOf(word)) - left(slot);
      if (from && !reducedMotion().matches)
        columns[slot].root.animate([{ transform: `translateX(${from}px)` }, { transform: "none" }], {
          duration: SLIDE,
          easing: "ease-in-out",
        });
    });
    previous = order;
  };

  const matrices = Object.fromEntries(
    ["words", "vectors", "w_query", "w_key", "w_value"].map((name) => [name, model.get(name)]),
  );
  const update = (values) => {
    const state = { ...matrices, ...values };
    const { order, words } = state;
    const [before, now] = [FIRST, order].map((sequence) => outputs(state, sequence));
    if (order.join() !== previous.join()) slide(order);
    const extreme = Math.max(...before.flat().map(Math.abs));
    const isMoved = order.some((word, slot) => word !== slot);
    const changed = order.filter((word, slot) => {
      const where = `at ${slot}\n${word === slot ? "" : `was ${word}`}`;
      return columns[slot].show(words[word], where, before[word], now[slot], extreme, isMoved);
    }).length;
    const moved = mean.show("all", "average of", average(before), average(now), extreme, isMoved);
    return sentence(state, changed, moved);
  };

  const figure = movingFigure(model, el, update, {
    title: "Shuffle the words: what happens to their outputs?",
    names: ["order", "causal", "positions"],
    longest: { said: [LONGEST] },
  });
  figure.button("shuffle", () => {
    let order;
    do order = shuffled(FIRST, 2 ** 32 * Math.random());
    while (order.every((word, slot) => word === model.get("order")[slot]));
    figure.set("order", order);
  });
  figure.button("original order", () => figure.set("order", [...FIRST]));
  figure.check("causal", "causal mask");
  figure.check("positions", "add a vector for each position");
  const strip = element("div", { class: "ex-words" }, ...columns.map(({ root }) => root), mean.root);
  return figure.start(element("style", {}, LOOK), strip, note(NOTE));
}

export default { render };
