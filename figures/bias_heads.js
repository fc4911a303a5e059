// A number for every offset, added to the scores, and what it does to the attention.

import { all, draggable, drawing, fixed, h, label, move, movingFigure, polyline, svg } from "./base.js";
import { softmax } from "./encodings.js";
import { onNewColors, paint } from "./grid.js";
import { colorScale, showIf, tint } from "./parts.js";
import { alibiBias, alibiSlopes, clippedOffset, t5Bucket } from "./relative.js";

const LENGTH = LIMITS.query[1] + 1; // positions 0 … LENGTH - 1
const MAP = { width: 300, height: 334, left: 34, top: 22, size: 256, key: 303 };
const ROW = { width: 300, height: 274, bias: [26, 120], weight: [156, 236] };
const CELL = MAP.size / LENGTH;
const LIMIT = 4; // where the colors end: a weight is then at most e⁻⁴, a fiftieth, of that at 0

const SMALL = 32; // cells of a small picture: every second query and key
// 64 words, a key each. The bias does not read them; so they are as good as any.
const WORDS = (
  "The keeper climbed the tower before the storm and lit the lamp. All night ships passed by the rocks, " +
  "and none of them came near. In the morning a small boat lay on the sand, empty but dry, with a note under its " +
  "bench: thank you, we saw your light and walked the rest of the way home along the long white beach together."
).split(" ");
const bare = (word) => word.replace(/[^a-z]/gi, "");

// On a phone the row comes first: it shows what a head looks at while its slider is moved.
const LOOK = `
.moving-figure .bias-heads { display: grid; grid-template-columns: repeat(16, minmax(0, 40px)); gap: 4px; width: 100%;
  justify-content: center; }
.moving-figure .bias-heads button { display: grid; justify-items: center; gap: 1px; min-height: 0; padding: 2px; font-size: 12px;
  line-height: 1.2; border-width: 2px; border-color: transparent; background: none; }
.moving-figure .bias-heads button[aria-pressed="true"] { border-color: var(--ex-accent); font-weight: 650; }
.moving-figure .bias-heads canvas { width: 100%; max-width: 32px; aspect-ratio: 1; image-rendering: pixelated; background: var(--ex-paper);
  print-color-adjust: exact; }
.moving-figure .bias-words { width: 100%; margin: 0; font-size: 15px; line-height: 1.75; cursor: pointer; }
.moving-figure .bias-words span { padding: 1px 2px; border-radius: 3px; border-bottom: 2px solid transparent; print-color-adjust: exact; }
.moving-figure .bias-words .masked { color: var(--ex-soft); }
.moving-figure .bias-words .query { outline: 2px solid var(--ex-ink); outline-offset: -1px; }
.moving-figure .bias-words .key { border-bottom-color: var(--ex-accent); }
@media (max-width: 600px) { .moving-figure .bias-row { order: -1; } .moving-figure .bias-words { order: -2; }
  .moving-figure .bias-heads { order: -3; grid-template-columns: repeat(8, minmax(0, 40px)); } }
@media print { .moving-figure .bias-heads button.ex-picture { display: grid; } } /* paper has no buttons, but pictures */
`;

const numbers = (texts) => texts.map((text) => text.split(" ").map((value) => Number(value) / 1000));
const offsets = all(2 * LENGTH - 1, (k) => k + 1 - LENGTH);
const middle = (position) => (position + 0.5) * CELL;
const times = (count, one, many) => (count === 1 ? one : `${count} ${many}`);

const ticks = (at, anchor) => [0, 16, 32, 48, LENGTH - 1].map((t) => label(...at(middle(t)), String(t), anchor));

// The picture has one shape for every offset: all cells of an offset have one color.
function picture() {
  const { width, height, left, top, size, key } = MAP;
  const node = drawing(width, height, "The bias, a row for each query. A click chooses query and key.");
  move(node, { style: `${node.getAttribute("style")}; cursor: crosshair; user-select: none` });
  const diagonals = offsets.map((offset) => {
    const cells = all(LENGTH - Math.abs(offset), (k) => {
      const query = k + Math.max(-offset, 0);
      return `M${left + (query + offset) * CELL} ${top + query * CELL}h${CELL}v${CELL}h${-CELL}z`;
    });
    return svg("path", { d: cells.join(""), "shape-rendering": "crispEdges" });
  });
  const masked = svg("path", {
    d: `M${left} ${top}h${size}v${size}Z`,
    fill: "var(--ex-paper)",
    stroke: "var(--ex-soft)",
    "stroke-dasharray": "2 3",
  });
  // A pale ground alone could be a bias of 0: lines across the diagonal say that nothing counts.
  const hatch = svg("path", {
    d: all(42, (k) => 12 * (k + 1))
      .map((sum) => {
        const [across, half] = [Math.min(sum, size), sum / 2];
        return `M${left + across} ${top + sum - across}L${left + half} ${top + half}`;
      })
      .join(""),
    fill: "none",
    stroke: "var(--ex-soft)",
    "stroke-width": 0.8,
  });
  const name = label(left + 0.68 * size, top + 0.3 * size, "masked", "middle");
  move(name, { stroke: "var(--ex-paper)", "stroke-width": 8, "stroke-linejoin": "round", "paint-order": "stroke" });
  // On blue of the same lightness the line needs an edge.
  const edge = svg("path", { fill: "none", stroke: "var(--ex-paper)", "stroke-width": 5 });
  const line = svg("path", {
    fill: "none",
    stroke: "var(--ex-accent)",
    "stroke-width": 2.5,
    "stroke-dasharray": "7 4",
    "data-mark": "key",
  });
  const row = svg("rect", {
    x: left,
    width: size,
    height: CELL,
    fill: "none",
    stroke: "var(--ex-ink)",
    "stroke-width": 1.5,
    "data-mark": "query",
  });
  const dot = svg("circle", { r: 5, fill: "var(--ex-accent)", stroke: "var(--ex-paper)", "data-mark": "key" });
  const colors = colorScale(left + 128, key);
  node.append(
    label(left, 14, "keys across, queries down"),
    ...ticks((at) => [left - 5, top + at + 4], "end"),
    ...ticks((at) => [left + at, top + size + 15], "middle"),
    svg("rect", { x: left, y: top, width: size, height: size, fill: "var(--ex-paper)" }),
    ...diagonals,
    masked,
    hatch,
    name,
    edge,
    line,
    row,
    dot,
    ...colors.nodes,
  );

  const update = ({ bias, limit, causal, query, key: at }) => {
    diagonals.forEach((path, k) => move(path, tint(bias[k], limit)));
    for (const part of [masked, hatch, name]) move(part, { visibility: causal ? "visible" : "hidden" });
    const offset = at - query;
    const [from, to] = [Math.max(-offset, 0), LENGTH - 1 - Math.max(offset, 0)];
    const place = (t) => [left + middle(t + offset), top + middle(t)];
    // Under the mask no cell of a later key counts: no line, and a ring in place of the dot.
    const hidden = causal && offset > 0;
    for (const part of [edge, line])
      move(part, { d: polyline([place(from), place(to)]), visibility: hidden ? "hidden" : "visible" });
    move(dot, {
      fill: `var(--ex-${hidden ? "paper" : "accent"})`,
      stroke: `var(--ex-${hidden ? "accent" : "paper"})`,
      "stroke-width": hidden ? 2 : 1,
    });
    move(row, { y: top + query * CELL });
    const [cx, cy] = place(query);
    move(dot, { cx, cy });
    colors.update(`≤ −${limit}`, "0", `≥ ${limit}`);
  };
  // The cell under a pointer, or the nearest one.
  const cellAt = ({ clientX, clientY }) => {
    const { x, y, width: wide } = node.getBoundingClientRect();
    const within = (value) => Math.min(Math.max(Math.floor(value / CELL), 0), LENGTH - 1);
    const scaled = width / wide;
    return { key: within((clientX - x) * scaled - left), query: within((clientY - y) * scaled - top) };
  };
  return { node, update, cellAt };
}

// The chosen row: the bias as a curve, and the weights that it makes of equal scores.
function chosenRow() {
  const { left } = MAP;
  const {
    width,
    height,
    bias: [top, bottom],
    weight: [summit, ground],
  } = ROW;
  const node = drawing(width, height, "The row of the query: the bias, and the attention that it makes");
  const title = label(left, 14);
  const zero = svg("line", { x1: left, x2: left + MAP.size, stroke: "var(--ex-soft)" });
  const curve = svg("path", { fill: "none", stroke: "var(--ex-main)", "stroke-width": 2, "stroke-linejoin": "round" });
  const bars = svg("path", { fill: "none", stroke: "var(--ex-main)", "stroke-width": CELL - 1 });
  const [bar, here] = [
    svg("path", { stroke: "var(--ex-accent)", "stroke-width": CELL, "data-mark": "key" }),
    svg("path", { stroke: "var(--ex-accent)", "stroke-dasharray": "3 3" }),
  ];
  const dot = svg("circle", { r: 5, fill: "var(--ex-accent)", "data-mark": "key" });
  const alike = svg("rect", { y: top, height: bottom - top, fill: "var(--ex-accent)", "fill-opacity": 0.16 });
  const self = svg("path", { fill: "var(--ex-ink)", "data-mark": "query" });
  const selfName = label(0, ground + 33, "query", "middle");
  const heights = [
    label(left - 5, top + 4, "", "end"),
    label(left - 5, bottom + 4, "", "end"),
    label(left - 5, 0, "0", "end"),
  ];
  const most = label(left - 5, summit + 5, "", "end");
  // What the weights would be without a bias, and its sample in the title.
  const dashes = { stroke: "var(--ex-ink)", "stroke-width": 1.5, "stroke-dasharray": "1 3" };
  const [even, sample] = [svg("path", dashes), svg("path", { ...dashes, d: `M${left + 188} ${summit - 14}h18` })];
  node.append(
    title,
    alike,
    label(left, summit - 10, "attention, if words are alike"),
    zero,
    svg("line", { x1: left, x2: left + MAP.size, y1: ground, y2: ground, stroke: "var(--ex-soft)" }),
    ...heights,
    most,
    label(left - 5, ground + 4, "0", "end"),
    ...ticks((at) => [left + at, ground + 17], "middle"),
    here,
    bars,
    bar,
    curve,
    dot,
    self,
    selfName,
    even,
    sample,
    label(left + MAP.size, summit - 10, "no bias", "end"),
  );
  const x = (key) => left + middle(key);

  const update = ({ bias, weights, unbiased, limit, highest, causal, query, key, group }) => {
    const y = (value) => {
      const share = (highest - value) / (highest + limit);
      return top + (bottom - top) * Math.min(Math.max(share, 0), 1);
    };
    const at = (k) => bias[k - query + LENGTH - 1];
    const tall = [0.02, 0.05, 0.1, 0.2, 0.5, 1].find((bound) => bound >= Math.max(...weights));
    const up = (k) => ground - ((ground - summit) * weights[k]) / tall;
    title.textContent = `bias in the row of query ${query}`;
    heights[0].textContent = highest ? `≥ ${highest}` : "0";
    heights[1].textContent = `≤ −${limit}`;
    move(heights[2], { y: y(0) + 4, visibility: highest ? "visible" : "hidden" });
    most.textContent = String(tall);
    move(zero, { y1: y(0), y2: y(0) });
    move(curve, { d: polyline(all(causal ? query + 1 : LENGTH, (k) => [x(k), y(at(k))])) });
    const column = (k) => `M${x(k)} ${ground}V${up(k).toFixed(2)}`;
    move(bars, { d: weights.map((_, k) => column(k)).join("") });
    move(bar, { d: column(key) });
    const level = ground - ((ground - summit) * unbiased) / tall;
    move(even, { d: `M${left} ${level.toFixed(2)}H${x(causal ? query : LENGTH - 1) + CELL / 2}` });
    move(here, { d: `M${x(key)} ${top}V${bottom}M${x(key)} ${summit}V${ground}` });
    const visibility = causal && key > query ? "hidden" : "visible";
    move(dot, { cx: x(key), cy: y(at(key)), visibility });
    move(bar, { visibility });
    // The keys that share their bucket, or their clipped offset, with the key.
    const [from, to] = [query + group[0], query + group[1]].map((k) =>
      Math.min(Math.max(k, 0), causal ? query : LENGTH - 1),
    );
    move(alike, {
      x: x(from) - CELL / 2,
      width: (to - from + 1) * CELL,
      visibility: group[0] < group[1] ? visibility : "hidden",
    });
    move(self, { d: `M${x(query)} ${ground + 2}l-4 7h8Z` });
    move(selfName, { x: Math.min(Math.max(x(query), left + 12), left + MAP.size - 12) });
  };
  return { node, update };
}

// A small picture of every head, to choose from. All that there may be keep their places, so that
// the page does not move with their number.
function smallHeads(onChoose) {
  const node = h("div", { class: "bias-heads", role: "group", "aria-label": "heads" });
  const buttons = all(LIMITS.n_heads[1], (k) =>
    h(
      "button",
      { type: "button", class: "ex-picture", "aria-label": `head ${k + 1}`, onClick: () => onChoose(k + 1) },
      h("canvas", { "aria-hidden": "true" }),
      String(k + 1),
    ),
  );
  node.append(...buttons);
  let painted = "";
  // `key` names what the pictures depend on; they are many, and most changes leave them as they are.
  const update = (key, biases, limit, causal, head) => {
    buttons.forEach((button, k) => {
      button.style.visibility = k < biases.length ? "" : "hidden";
      button.setAttribute("aria-pressed", String(k + 1 === head));
    });
    if (key === painted) return;
    painted = key;
    const every = LENGTH / SMALL;
    biases.forEach((bias, k) =>
      paint(
        buttons[k].firstChild,
        all(SMALL, (query) =>
          all(SMALL, (key) => (causal && key > query ? null : bias[every * (key - query) + LENGTH - 1])),
        ),
        limit,
      ),
    );
  };
  return { node, update, repaint: () => (painted = "") };
}

// The keys as words: each shaded as strongly as the query looks at it.
function words(onChoose) {
  const spans = WORDS.map((word, k) => h("span", { onClick: () => onChoose(k) }, word));
  const node = h("p", { class: "bias-words" }, ...spans.flatMap((span) => [span, " "]));
  const update = ({ weights, causal, query, key }) => {
    const most = Math.max(...weights);
    spans.forEach((span, k) => {
      span.className = [causal && k > query && "masked", k === query && "query", k === key && "key"]
        .filter(Boolean)
        .join(" ");
      span.style.background = `color-mix(in oklab, var(--ex-main) ${((45 * weights[k]) / most).toFixed(1)}%, transparent)`;
    });
  };
  return { node, update };
}

// The first and the last offset of the run that has the same value as an offset.
const alikeAround = (values, offset) => {
  const same = (o) => values[o + LENGTH - 1] === values[offset + LENGTH - 1];
  let [from, to] = [offset, offset];
  while (same(from - 1)) from -= 1;
  while (same(to + 1)) to += 1;
  return [from, to];
};

// How many tokens, counted from the query on, hold half of the attention.
const half = (weights, query) => {
  let [sum, distance] = [weights[query], 0];
  while (sum < 0.5 - 1e-12) {
    distance += 1;
    sum += (weights[query - distance] ?? 0) + (weights[query + distance] ?? 0);
  }
  return distance;
};

const spread = ({ bias, weights, causal, query }) => {
  const distance = half(weights, query);
  if (causal)
    return distance
      ? `Half of the attention lies on the last ${distance + 1} of ${query + 1} tokens.`
      : `Half of the attention or more lies on the query itself, the last of ${times(query + 1, "1 token", "tokens")}.`;
  const share = (from, to) => fixed(100 * weights.slice(from, to).reduce((a, b) => a + b, 0), 0);
  const sides =
    `The ${times(query, "token", "tokens")} before the query ${query === 1 ? "gets" : "get"} ` +
    `${share(0, query)}% of the attention, the ${times(LENGTH - 1 - query, "token", "tokens")} after it ${share(query + 1)}%, ` +
    `half of it ${distance ? `within ${times(distance, "1 token", "tokens")}` : "on the query itself"}.`;
  const same = bias.every((value, k) => Math.abs(value - bias[2 * LENGTH - 2 - k]) < 1e-12);
  return `${sides} ${same ? "At equal distance before and after, the bias is the same: it has no direction." : "At equal distance before and after, the bias differs: it has a direction."}`;
};

function render({ model, el }) {
  const { table: rows, scalars: kept, max_distance: maxDistance, made_up: madeUp = [] } = model.get("learned");
  const [table, scalars] = [numbers(rows), numbers(kept)];
  const largest = (scalars.length - 1) / 2;
  const highestOf = (values) => Math.max(LIMIT, Math.ceil(Math.max(...values.flat().map(Math.abs))));
  const [map, row] = [picture(), chosenRow()];
  move(row.node, { class: "bias-row" });
  const small = smallHeads((head) => figure.set("head", head));
  const text64 = words((key) => figure.set("key", key));
  let under = null; // the cell under a mouse that only looks

  const count = () =>
    ({ alibi: model.get("n_heads"), t5: table[0].length, clipped: scalars[0].length })[model.get("scheme")];
  const chosen = () => Math.min(model.get("head"), count());
  const scheme = (offset) => {
    const [name, heads] = [model.get("scheme"), count()];
    const head = chosen();
    // The numbers are made up for both directions: for one, they stand in buckets for other tokens.
    const oneWay = name === "t5" && !model.get("bidirectional");
    const hides = model.get("causal") && head === MADE_UP.length ? ", all masked here" : "";
    const made = madeUp.includes(name) && !oneWay ? `, made up to look at ${MADE_UP[head - 1]}${hides}` : "";
    const which = `head ${head} of ${heads}${made}`;
    if (name === "alibi") {
      const slope = alibiSlopes(heads)[head - 1];
      return {
        biasOf: (k) => offsets.map((o) => alibiBias(o, alibiSlopes(heads)[k - 1])),
        limit: LIMIT,
        highest: 0,
        group: [offset, offset],
        text: `ALiBi, ${which}, slope ${Number(slope.toPrecision(3))}`,
      };
    }
    if (name === "t5") {
      const bucket = (o) => t5Bucket(o, table.length, maxDistance, model.get("bidirectional"));
      return {
        biasOf: (k) => offsets.map((o) => table[bucket(o)][k - 1]),
        limit: highestOf(table),
        highest: highestOf(table),
        group: alikeAround(offsets.map(bucket), offset),
        also: ([from, to]) => `, as are the offsets ${from} to ${to}`,
        note: oneWay ? " All tokens after the query share its bucket, 0." : "",
        text: `T5 buckets, ${which}: offset ${fixed(offset, 0)} is in bucket ${bucket(offset)} of 0 to ${table.length - 1}`,
      };
    }
    const clip = Math.min(model.get("clip"), largest);
    const counted = clippedOffset(offset, clip);
    return {
      biasOf: (k) => offsets.map((o) => scalars[clippedOffset(o, clip) + largest][k - 1]),
      limit: highestOf(scalars),
      highest: highestOf(scalars),
      group: alikeAround(
        offsets.map((o) => clippedOffset(o, clip)),
        offset,
      ),
      also: ([from, to]) => `: the offsets ${from} to ${to} all count as ${fixed(counted, 0)}`,
      text: `Offsets clipped at ±${clip}, ${which}`,
    };
  };

  const update = () => {
    const { query, key } = under ?? { query: model.get("query"), key: model.get("key") };
    const causal = model.get("causal");
    const offset = key - query;
    const { text, also, note = "", biasOf, ...drawn } = scheme(offset);
    const biases = all(count(), (k) => biasOf(k + 1));
    drawn.bias = biases[chosen() - 1];
    const scores = all(LENGTH, (k) => (causal && k > query ? -Infinity : drawn.bias[k - query + LENGTH - 1]));
    const unbiased = 1 / (causal ? query + 1 : LENGTH);
    const state = { ...drawn, weights: softmax(scores), unbiased, causal, query, key };
    map.update(state);
    row.update(state);
    text64.update(state);
    const painted = ["scheme", "n_heads", "causal", "bidirectional", "clip"].map((name) => model.get(name));
    small.update(painted.join(), biases, drawn.limit, causal, chosen());
    const value = drawn.bias[offset + LENGTH - 1];
    const [hidden, weight] = [causal && offset > 0, state.weights[key]];
    const names = [
      ["query", `query ${query} (“${bare(WORDS[query])}”)`],
      ["key", `key ${key} (“${bare(WORDS[key])}”)`],
    ];
    const said = hidden
      ? [`Head ${chosen()}: `, names[1], " comes after ", names[0], " and is masked."]
      : [
          `Head ${chosen()}: `,
          names[0],
          " gives ",
          names[1],
          ` the weight ${fixed(weight, 3)}; its bias is ${fixed(value)}, ` +
            `and without any it would get ${fixed(unbiased, 3)}.`,
        ];
    const against = (value < 0 && weight > unbiased) || (value > 0 && weight < unbiased);
    const why =
      hidden || !against
        ? ""
        : ` The bias is ${value < 0 ? "below" : "above"} 0, and yet the key gets ${value < 0 ? "more" : "less"}: softmax compares it with the other keys.`;
    const [from, to] = drawn.group;
    const group = from < to ? also([from, to].map((o) => fixed(o, 0))) + (hidden ? "" : " (shaded)") : "";
    return { said, more: `${text}${group}.${note}${why} ${spread(state)}` };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "What a bias makes a head look at",
    names: ["scheme", "n_heads", "head", "query", "key", "causal", "bidirectional", "clip"],
    marks: { query: "ink", key: "accent" },
    longest: {
      said: [
        "Head 00: query 00 (“together”) gives key 00 (“together”) the weight 0.000; its bias is −0.00, and without any it would get 0.000.",
      ],
      more: ["At equal distance before and after, the bias is the same. ".repeat(9)],
    },
  });
  figure.root.prepend(h("style", {}, LOOK));
  const basis = "130px";
  figure.play("query", { perSecond: 6 });
  figure.select(["scheme"], "bias", SCHEMES, { basis });
  const head = figure.slider("head", "head", { min: 1, max: count(), basis: "90px" });
  const wide = { basis: "145px" }; // the name and two digits on one line
  figure.slider("query", "query position", wide);
  figure.slider("key", "key position", wide);
  figure.check("causal", "causal mask");
  const heads = figure.slider("n_heads", "number of heads", { basis });
  const clip = figure.slider("clip", "clip", { min: 0, max: largest, basis });
  const both = figure.check("bidirectional", "buckets for both directions");
  both.closest("label").style.minHeight = "calc(1.45em + 28px)"; // as tall as a slider with its name

  // Each scheme has a control of its own, the last, so that no other changes its place, and as many
  // heads as it has.
  const fit = () => {
    const name = model.get("scheme");
    showIf(heads, name === "alibi");
    showIf(clip, name === "clipped");
    showIf(both, name === "t5");
    move(head, { max: count() });
    head.value = model.get("head");
    if (model.get("head") > count()) figure.set("head", count());
  };
  const events = ["change:scheme", "change:n_heads"];
  for (const event of events) model.on(event, fit);
  fit();

  // A slider that is moved is followed, also while the mouse rests on the picture.
  const look = () => (under = null);
  const places = ["change:query", "change:key"];
  for (const event of places) model.on(event, look);

  const choose = (event) => {
    under = null;
    const { query, key } = map.cellAt(event);
    figure.set("query", query);
    figure.set("key", key);
    figure.redraw();
  };
  map.node.addEventListener("click", choose);
  draggable(map.node, choose);
  map.node.addEventListener("pointermove", (event) => {
    if (event.buttons || event.pointerType === "touch") return;
    under = map.cellAt(event);
    figure.redraw();
  });
  map.node.addEventListener("pointerleave", () => {
    under = null;
    figure.redraw();
  });
  const uncolored = onNewColors(() => {
    small.repaint();
    figure.redraw();
  });
  const stop = figure.start(small.node, map.node, row.node, text64.node);
  return () => {
    uncolored();
    for (const event of events) model.off(event, fit);
    for (const event of places) model.off(event, look);
    stop();
  };
}

export default { render };
