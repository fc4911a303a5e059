// Words that change places, and what self-attention makes of it.

import { drawing, fixed, h, move, movingFigure, signed, svg } from "./base.js";
import { attentionWeights, causalMask, selfAttention, sinusoidal } from "./encodings.js";
import { still } from "./motion.js";

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
.moving-figure .ex-weight { display: grid; align-content: end; justify-items: center; height: 50px; width: 100%; font-size: 12px; }
.moving-figure .ex-weight i { width: min(60%, 30px); background: var(--ex-accent); border-radius: 2px 2px 0 0; }
.moving-figure .ex-average .ex-weight { visibility: hidden; }
.moving-figure .ex-looking b { box-shadow: 0 3px var(--ex-accent); }
.moving-figure .ex-moves { display: flex; justify-content: center; width: 100%; min-height: 32px; }
.moving-figure .ex-moves button { flex: 0 1 34px; min-width: 0; padding: 0; }
.moving-figure .ex-moves button[aria-disabled="true"] { opacity: 0.35; cursor: auto; }
.moving-figure .ex-word svg { height: ${WIDTH * CELL}px; }
.moving-figure .ex-verdict { display: grid; }
.moving-figure .ex-verdict span:first-child { font-size: 22px; line-height: 1; font-weight: 700; }
.moving-figure .ex-differs .ex-verdict { color: var(--ex-accent); font-weight: 650; }
.moving-figure .ex-note { width: 100%; margin: 0; font-size: 14px; color: var(--ex-soft); }
@media print { .moving-figure .ex-moves { display: none; } }
`;

const difference = (a, b) => Math.max(...a.map((value, k) => Math.abs(value - b[k])));

const average = (rows) => rows[0].map((_, k) => rows.reduce((sum, row) => sum + row[k], 0) / rows.length);

// A vector before and after, in two halves that touch: if nothing changed, they are one strip.
const column = () => {
  const strip = drawing(2 * HALF, WIDTH * CELL, "");
  // No letters in it, so it may be squeezed.
  move(strip, { preserveAspectRatio: "none", style: `width: min(100%, ${2 * HALF}px)` });
  const halves = [0, HALF].map((x) =>
    Array.from({ length: WIDTH }, (_, k) =>
      svg("rect", { x, y: k * CELL, width: HALF, height: CELL, "shape-rendering": "crispEdges" }),
    ),
  );
  strip.append(...halves.flat());
  const [name, place, sign, verdict] = ["b", "small", "span", "span"].map((tag) => h(tag));
  const [bar, weight] = [h("i"), h("span")];
  const taken = h("div", { class: "ex-weight", "data-mark": "look" }, weight, bar);
  const moves = h("div", { class: "ex-moves" });
  const root = h(
    "div",
    { class: "ex-word", role: "group" },
    place,
    name,
    taken,
    moves,
    strip,
    h("div", { class: "ex-verdict" }, sign, verdict),
  );
  const show = (word, where, before, after, extreme) => {
    const apart = difference(before, after);
    const changed = apart > ROUNDING;
    name.textContent = word;
    place.textContent = where;
    sign.textContent = changed ? "≠" : "=";
    const small = apart < LITTLE * extreme ? "differs a little" : "differs";
    verdict.textContent = changed ? small : "same";
    root.classList.toggle("ex-differs", changed);
    move(root, { "aria-label": `${word} ${where}`.trim() });
    move(strip, {
      "aria-label": `output of ${word} in the original order and now: ${verdict.textContent}`,
    });
    [before, after].forEach((vector, side) =>
      vector.forEach((value, k) => move(halves[side][k], { fill: signed(value / extreme) })),
    );
    return changed;
  };
  const look = (share, looking) => {
    bar.style.height = `${(32 * share).toFixed(1)}px`;
    weight.textContent = fixed(share);
    root.classList.toggle("ex-looking", looking);
  };
  return { root, moves, show, look };
};

function render({ model, el }) {
  let held = null; // the place of the word that is being dragged
  let focused = null; // the button that is to have the focus, once it has its new name

  const place = (from, to) => {
    const order = [...model.get("order")];
    order.splice(to, 0, ...order.splice(from, 1));
    figure.set("order", order);
  };

  const columns = FIRST.map(() => column());
  const mean = column();
  mean.root.classList.add("ex-average");

  // Two buttons a word. The focus goes along with the word, so a key can be pressed again.
  const buttons = columns.map(({ moves }, slot) =>
    [-1, 1].map((step, side) => {
      const button = h(
        "button",
        {
          type: "button",
          onClick: () => {
            if (!columns[slot + step]) return;
            focused = buttons[slot + step][side];
            place(slot, slot + step);
          },
        },
        step < 0 ? "←" : "→",
      );
      if (!columns[slot + step]) move(button, { "aria-disabled": true });
      moves.append(button);
      return button;
    }),
  );

  // A word can also be dragged. It changes places when the pointer enters the other's column.
  // The columns are equally wide; where a word slides, it does not matter where it is just now.
  const slotAt = (x) => {
    const { left, width } = columns[0].root.parentElement.getBoundingClientRect();
    const slot = Math.floor(((x - left) / width) * (columns.length + 1));
    return Math.min(Math.max(slot, 0), columns.length - 1);
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
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
      root.addEventListener(end, () => hold(null));
  });

  // The words slide from where they stood.
  let stood = model.get("order");
  const slide = (order) => {
    const left = (slot) => columns[slot].root.offsetLeft;
    order.forEach((word, slot) => {
      const from = left(stood.indexOf(word)) - left(slot);
      if (from && !still.matches)
        columns[slot].root.animate([{ transform: `translateX(${from}px)` }, { transform: "none" }], {
          duration: SLIDE,
          easing: "ease-in-out",
        });
    });
    stood = order;
  };

  const update = () => {
    const [order, causal, positions, words, vectors] = ["order", "causal", "positions", "words", "vectors"].map(
      (name) => model.get(name),
    );
    const matrices = ["w_query", "w_key", "w_value"].map((name) => model.get(name));
    const mask = causal ? causalMask(FIRST.length) : null;
    const inputs = (sequence) =>
      sequence.map((word, t) => {
        const added = positions ? sinusoidal(t, WIDTH) : null;
        return added ? vectors[word].map((value, k) => value + added[k]) : vectors[word];
      });
    const [before, after] = [FIRST, order].map((sequence) => selfAttention(inputs(sequence), ...matrices, mask));
    // The weights that the chosen word gives, in the original order and now.
    const looking = model.get("looking");
    const [first, now] = [FIRST, order].map((sequence) => {
      const weights = attentionWeights(inputs(sequence), ...matrices.slice(0, 2), mask)[sequence.indexOf(looking)];
      return FIRST.map((word) => weights[sequence.indexOf(word)]);
    });
    order.forEach((word, slot) => columns[slot].look(now[word], word === looking));
    if (order.join() !== stood.join()) slide(order);
    const weighs =
      difference(first, now) > ROUNDING
        ? "now weighs the words differently"
        : "gives each word the same weight as before";
    const look = [" ", ["look", `“${words[looking]}”`], ` ${weighs}.`];
    const extreme = Math.max(...before.flat().map(Math.abs));

    const changed = order.filter((word, slot) => {
      buttons[slot].forEach((button, side) =>
        move(button, { "aria-label": `move ${words[word]} ${side ? "right" : "left"}` }),
      );
      const where = `at ${slot}\n${word === slot ? "" : `was ${word}`}`;
      return columns[slot].show(words[word], where, before[word], after[slot], extreme);
    }).length;
    const moved = mean.show("all", "average of", average(before), average(after), extreme);
    focused?.focus();
    focused = null;

    const sentence = `“${order.map((word) => words[word]).join(" ")}”`;
    if (order.every((word, slot) => word === slot))
      return `${sentence} is the original order. Move a word: will its output change?`;
    const whole = ` The average over all outputs ${moved ? "changed" : "is the same"}.`;
    if (order.every((word, slot) => words[word] === words[slot]))
      return [
        `${sentence} reads as before: only the two “${words[0]}” have changed places. ` +
          (changed ? "Each has the output that the other had." : "They are equal, and so are their outputs.") +
          whole,
        ...look,
      ];
    const outcome = changed
      ? `${changed} of 5 outputs changed.`
      : "Every word keeps its output: it sees the same five words, in whatever order.";
    // Why they changed, or where they did not.
    let why = "";
    if (causal) {
      why = " With the mask, a word sees only itself and those before it: ";
      if (changed < FIRST.length)
        why += `where these are the same words${positions ? " at the same positions" : ", in whatever order"}, its output is the same.`;
      else
        why += `for none of the five are these the same words${positions ? " at the same positions" : ""} as before.`;
    } else if (positions)
      why =
        " A moved word is now another vector (the sum of word and position), and every word sees all five: so every output changes.";
    return [`${sentence}: ${outcome}${why}${whole}`, ...look];
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "Shuffle the words: what happens to their outputs?",
    names: ["order", "causal", "positions", "looking"],
    marks: { look: "accent" },
    longest: {
      said: [
        "“the dog bit the man”: 5 of 5 outputs changed. With the mask, a word sees only itself and those before it: for none " +
          "of the five are these the same words at the same positions as before. The average over all outputs is the same. " +
          "“the” gives each word the same weight as before.",
      ],
    },
  });
  figure.select(
    ["looking"],
    "weights of this word",
    model.get("words").map((word, k) => [`${word} (originally at ${k})`, k]),
    { basis: "250px" },
  );
  figure.button("shuffle", () => {
    const order = [...model.get("order")];
    // Each word in turn changes with one not yet dealt; again if nothing moved.
    do
      for (let k = order.length - 1; k > 0; k--) {
        const other = Math.floor(Math.random() * (k + 1));
        [order[k], order[other]] = [order[other], order[k]];
      }
    while (order.every((word, slot) => word === model.get("order")[slot]));
    figure.set("order", order);
  });
  figure.button("original order", () => figure.set("order", [...FIRST]));
  figure.check("causal", "causal mask");
  figure.check("positions", "add a vector for each position");
  return figure.start(
    h("style", {}, LOOK),
    h("div", { class: "ex-words" }, ...columns.map(({ root }) => root), mean.root),
    h(
      "p",
      { class: "ex-note" },
      "Above a word: its position. The bars: the weights that the underlined word gives. Below: the output of the word, 16 numbers from blue " +
        "(negative) to red (positive). Left half: in the original order. Right half: now. " +
        "“Differs a little” means by less than a tenth of the color scale. Both halves are computed with the boxes as they are ticked.",
    ),
  );
}

export default { render };
