// A number for every offset, added to the scores, and what it does to the attention.
import { draggable, movingFigure, pointIn, showIf } from "./base.js";
import {
  circle,
  clamp,
  colorScale,
  drawing,
  element,
  fixed,
  line,
  outline,
  path,
  polyline,
  rect,
  text,
  times,
  tint,
} from "./drawing.js";
import { softmax } from "./encodings.js";
import { onNewColors, paint } from "./grid.js";
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
const withoutMarks = (word) => word.replace(/[^a-z]/gi, "");

// On a phone the row comes first: it shows what a head looks at while its slider is moved.
const LOOK = `
.moving-figure .bias-heads { display: grid; grid-template-columns: repeat(16, minmax(0, 40px)); gap: 4px; width: 100%;
  justify-content: center; }
.moving-figure .bias-heads button { display: grid; justify-items: center; gap: 1px; min-height: 0; padding: 2px;
  font-size: 12px;
  line-height: 1.2; border-width: 2px; border-color: transparent; background: none; }
.moving-figure .bias-heads button[aria-pressed="true"] { border-color: var(--ex-accent); font-weight: 650; }
.moving-figure .bias-heads canvas { width: 100%; max-width: 32px; aspect-ratio: 1; image-rendering: pixelated;
  background: var(--ex-paper);
  print-color-adjust: exact; }
.moving-figure .bias-words { width: 100%; margin: 0; font-size: 15px; line-height: 1.75; cursor: pointer; }
.moving-figure .bias-words span { padding: 1px 2px; border-radius: 3px; border-bottom: 2px solid transparent;
  print-color-adjust: exact; }
.moving-figure .bias-words .masked { color: var(--ex-soft); }
.moving-figure .bias-words .query { outline: 2px solid var(--ex-ink); outline-offset: -1px; }
.moving-figure .bias-words .key { border-bottom-color: var(--ex-accent); }
@media (max-width: 600px) { .moving-figure .bias-row { order: -1; } .moving-figure .bias-words { order: -2; }
  .moving-figure .bias-heads { order: -3; grid-template-columns: repeat(8, minmax(0, 40px)); } }
@media print { .moving-figure .bias-heads button.ex-picture { display: grid; } }
  /* paper has no buttons, but pictures */
`;

const thousandths = (texts) => texts.map((row) => row.split(" ").map((value) => Number(value) / 1000));
const OFFSETS = times(2 * LENGTH - 1, (k) => k + 1 - LENGTH);
const middle = (position) => (position + 0.5) * CELL;
const counted = (count, one, many) => (count === 1 ? one : `${count} ${many}`);
const ticks = (at, anchor) => [0, 16, 32, 48, LENGTH - 1].map((t) => text(...at(middle(t)), t, anchor));
const visibility = (is) => (is ? "visible" : "hidden");

// The map has one shape for every offset: all cells of an offset have one color.
const DIAGONALS = OFFSETS.map((offset) =>
  times(LENGTH - Math.abs(offset), (k) => {
    const query = k + Math.max(-offset, 0);
    return `M${MAP.left + (query + offset) * CELL} ${MAP.top + query * CELL}h${CELL}v${CELL}h${-CELL}z`;
  }).join(""),
);
// A pale ground alone could be a bias of 0: lines across the diagonal say that nothing counts.
const HATCH = times(42, (k) => {
  const [sum, across] = [12 * (k + 1), Math.min(12 * (k + 1), MAP.size)];
  return `M${MAP.left + across} ${MAP.top + sum - across}L${MAP.left + sum / 2} ${MAP.top + sum / 2}`;
}).join("");

export const mapShapes = ({ bias, limit, causal, query, key }) => {
  const { left, top, size } = MAP;
  const offset = key - query;
  const place = (t) => [left + middle(t + offset), top + middle(t)];
  const diagonal = polyline([place(Math.max(-offset, 0)), place(LENGTH - 1 - Math.max(offset, 0))]);
  // Under the mask no cell of a later key counts: no line, and a ring in place of the dot.
  const hidden = causal && offset > 0;
  const [mask, shown] = [{ visibility: visibility(causal) }, { visibility: visibility(!hidden) }];
  const seam = { stroke: "paper", strokeWidth: 8, strokeLinejoin: "round", paintOrder: "stroke" };
  const dot = hidden
    ? { fill: "paper", stroke: "accent", strokeWidth: 2 }
    : { fill: "accent", stroke: "paper", strokeWidth: 1 };
  const row = { fill: "none", stroke: "ink", strokeWidth: 1.5, mark: "query" };
  return [
    text(left, 14, "keys across, queries down"),
    ticks((at) => [left - 5, top + at + 4], "end"),
    ticks((at) => [left + at, top + size + 15], "middle"),
    rect(left, top, size, size, { fill: "paper" }),
    DIAGONALS.map((d, k) => path(d, { shapeRendering: "crispEdges", ...tint(bias[k], limit) })),
    path(`M${left} ${top}h${size}v${size}Z`, { fill: "paper", stroke: "soft", strokeDasharray: "2 3", ...mask }),
    outline(HATCH, { stroke: "soft", strokeWidth: 0.8, ...mask }),
    text(left + 0.68 * size, top + 0.3 * size, "masked", "middle", { ...seam, ...mask }),
    outline(diagonal, { stroke: "paper", strokeWidth: 5, ...shown }), // on blue of its lightness the line needs an edge
    outline(diagonal, { stroke: "accent", strokeWidth: 2.5, strokeDasharray: "7 4", mark: "key", ...shown }),
    rect(left, top + query * CELL, size, CELL, row),
    circle(...place(query), 5, { ...dot, mark: "key" }),
    colorScale(left + 128, MAP.key, [`≤ −${limit}`, "0", `≥ ${limit}`]),
  ];
};

// The chosen row: the bias as a curve, and the weights that it makes of equal scores.
export const rowShapes = ({ bias, weights, unbiased, limit, highest, causal, query, key, group }) => {
  const { left, size } = MAP;
  const [top, bottom] = ROW.bias;
  const [summit, ground] = ROW.weight;
  const last = causal ? query : LENGTH - 1;
  const x = (k) => left + middle(k);
  const y = (value) => top + (bottom - top) * clamp((highest - value) / (highest + limit), 0, 1);
  const at = (k) => y(bias[k - query + LENGTH - 1]);
  const tall = [0.02, 0.05, 0.1, 0.2, 0.5, 1].find((bound) => bound >= Math.max(...weights));
  const height = (weight) => (ground - ((ground - summit) * weight) / tall).toFixed(2);
  const column = (k) => `M${x(k)} ${ground}V${height(weights[k])}`;
  const shown = { visibility: visibility(!causal || key <= query) };
  // The keys that share their bucket, or their clipped offset, with the key.
  const [from, to] = group.map((offset) => clamp(query + offset, 0, last));
  const shared = { fill: "accent", fillOpacity: 0.16, visibility: group[0] < group[1] ? shown.visibility : "hidden" };
  const dashes = { stroke: "ink", strokeWidth: 1.5, strokeDasharray: "1 3" };
  const curve = polyline(times(last + 1, (k) => [x(k), at(k)]));
  return [
    text(left, 14, `bias in the row of query ${query}`),
    rect(x(from) - CELL / 2, top, (to - from + 1) * CELL, bottom - top, shared),
    text(left, summit - 10, "attention, if words are alike"),
    line(left, y(0), left + size, y(0), { stroke: "soft" }),
    line(left, ground, left + size, ground, { stroke: "soft" }),
    text(left - 5, top + 4, highest ? `≥ ${highest}` : "0", "end"),
    text(left - 5, bottom + 4, `≤ −${limit}`, "end"),
    text(left - 5, y(0) + 4, "0", "end", { visibility: visibility(highest) }),
    text(left - 5, summit + 5, tall, "end"),
    text(left - 5, ground + 4, "0", "end"),
    ticks((at) => [left + at, ground + 17], "middle"),
    path(`M${x(key)} ${top}V${bottom}M${x(key)} ${summit}V${ground}`, { stroke: "accent", strokeDasharray: "3 3" }),
    outline(weights.map((_, k) => column(k)).join(""), { stroke: "main", strokeWidth: CELL - 1 }),
    path(column(key), { stroke: "accent", strokeWidth: CELL, mark: "key", ...shown }),
    outline(curve, { stroke: "main", strokeWidth: 2, strokeLinejoin: "round" }),
    circle(x(key), at(key), 5, { fill: "accent", mark: "key", ...shown }),
    path(`M${x(query)} ${ground + 2}l-4 7h8Z`, { fill: "ink", mark: "query" }),
    text(clamp(x(query), left + 12, left + size - 12), ground + 33, "query", "middle"),
    path(`M${left} ${height(unbiased)}H${x(last) + CELL / 2}`, dashes), // what the weights would be without a bias
    path(`M${left + 188} ${summit - 14}h18`, dashes),
    text(left + size, summit - 10, "no bias", "end"),
  ];
};

// A small picture of every head, to choose from. All that there may be keep their places, so that
// the page does not move with their number.
function smallHeads(onChoose) {
  const buttons = times(LIMITS.n_heads[1], (k) => {
    const name = { type: "button", class: "ex-picture", "aria-label": `head ${k + 1}` };
    const canvas = element("canvas", { "aria-hidden": "true" });
    return element("button", { ...name, onClick: () => onChoose(k + 1) }, canvas, String(k + 1));
  });
  const node = element("div", { class: "bias-heads", role: "group", "aria-label": "heads" }, ...buttons);
  let painted = "";
  const every = LENGTH / SMALL;
  // `key` names what the pictures depend on; they are many, and most changes leave them as they are.
  const update = (key, biases, limit, causal, head) => {
    buttons.forEach((button, k) => {
      button.style.visibility = k < biases.length ? "" : "hidden";
      button.setAttribute("aria-pressed", String(k + 1 === head));
    });
    if (key === painted) return;
    painted = key;
    const value = (bias, query, at) => (causal && at > query ? null : bias[every * (at - query) + LENGTH - 1]);
    biases.forEach((bias, k) => {
      const cells = times(SMALL, (query) => times(SMALL, (at) => value(bias, query, at)));
      paint(buttons[k].firstChild, cells, limit);
    });
  };
  return { node, update, repaint: () => (painted = "") };
}

// The keys as words: each shaded as strongly as the query looks at it.
function words(onChoose) {
  const spans = WORDS.map((word, k) => element("span", { onClick: () => onChoose(k) }, word));
  const node = element("p", { class: "bias-words" }, ...spans.flatMap((span) => [span, " "]));
  const update = ({ weights, causal, query, key }) => {
    const most = Math.max(...weights);
    spans.forEach((span, k) => {
      const classes = [causal && k > query && "masked", k === query && "query", k === key && "key"];
      const share = ((45 * weights[k]) / most).toFixed(1);
      span.className = classes.filter(Boolean).join(" ");
      span.style.background = `color-mix(in oklab, var(--ex-main) ${share}%, transparent)`;
    });
  };
  return { node, update };
}

// The first and the last offset of the run that has the same value as an offset.
const runAround = (values, offset) => {
  const same = (o) => values[o + LENGTH - 1] === values[offset + LENGTH - 1];
  let [from, to] = [offset, offset];
  while (same(from - 1)) from -= 1;
  while (same(to + 1)) to += 1;
  return [from, to];
};

// How far from the query the tokens lie that hold half of the attention.
const distanceOfHalf = (weights, query) => {
  let [sum, distance] = [weights[query], 0];
  while (sum < 0.5 - 1e-12) {
    distance += 1;
    sum += (weights[query - distance] ?? 0) + (weights[query + distance] ?? 0);
  }
  return distance;
};

const spread = ({ bias, weights, causal, query }) => {
  const distance = distanceOfHalf(weights, query);
  const tokens = counted(query + 1, "1 token", "tokens");
  if (causal && distance) return `Half of the attention lies on the last ${distance + 1} of ${tokens}.`;
  if (causal) return `Half of the attention or more lies on the query itself, the last of ${tokens}.`;
  const share = (from, to) => fixed(100 * weights.slice(from, to).reduce((a, b) => a + b, 0), 0);
  const [before, after] = [query, LENGTH - 1 - query].map((count) => counted(count, "token", "tokens"));
  const within = distance ? `within ${counted(distance, "1 token", "tokens")}` : "on the query itself";
  const same = bias.every((value, k) => Math.abs(value - bias[2 * LENGTH - 2 - k]) < 1e-12);
  const verdict = same ? "is the same: it has no direction" : "differs: it has a direction";
  return (
    `The ${before} before the query ${query === 1 ? "gets" : "get"} ${share(0, query)}% of the attention, ` +
    `the ${after} after it ${share(query + 1)}%, half of it ${within}. ` +
    `At equal distance before and after, the bias ${verdict}.`
  );
};

// The schemes: how many heads each has, the bias of a head at every offset, where the colors end, the
// offsets that share a number with one, and what is said of it. `learned` has the numbers that were trained.
const schemeOf = (name, learned, { n_heads, clip: wanted, bidirectional }) => {
  const highest = (values) => Math.max(LIMIT, Math.ceil(Math.max(...values.flat().map(Math.abs))));
  if (name === "alibi")
    return {
      heads: n_heads,
      biasOf: (head) => OFFSETS.map((o) => alibiBias(o, alibiSlopes(n_heads)[head - 1])),
      limit: LIMIT,
      highest: 0,
      groupOf: (offset) => [offset, offset],
      title: "ALiBi",
      about: (_, head) => `, slope ${Number(alibiSlopes(n_heads)[head - 1].toPrecision(3))}`,
    };
  if (name === "t5") {
    const { table, maxDistance } = learned;
    const bucket = (o) => t5Bucket(o, table.length, maxDistance, bidirectional);
    return {
      heads: table[0].length,
      biasOf: (head) => OFFSETS.map((o) => table[bucket(o)][head - 1]),
      limit: highest(table),
      highest: highest(table),
      groupOf: (offset) => runAround(OFFSETS.map(bucket), offset),
      title: "T5 buckets",
      about: (offset) => `: offset ${fixed(offset, 0)} is in bucket ${bucket(offset)} of 0 to ${table.length - 1}`,
      also: (from, to) => `, as are the offsets ${from} to ${to}`,
      note: bidirectional ? "" : " All tokens after the query share its bucket, 0.",
    };
  }
  const { scalars } = learned;
  const largest = (scalars.length - 1) / 2;
  const clip = Math.min(wanted, largest);
  return {
    heads: scalars[0].length,
    biasOf: (head) => OFFSETS.map((o) => scalars[clippedOffset(o, clip) + largest][head - 1]),
    limit: highest(scalars),
    highest: highest(scalars),
    groupOf: (offset) =>
      runAround(
        OFFSETS.map((o) => clippedOffset(o, clip)),
        offset,
      ),
    title: `Offsets clipped at ±${clip}`,
    about: () => "",
    also: (from, to, offset) => `: the offsets ${from} to ${to} all count as ${fixed(clippedOffset(offset, clip), 0)}`,
  };
};

// What is drawn: the biases of all heads, and for the chosen one the weights in the row of the query.
export const attention = (state, learned, { query, key }) => {
  const { causal } = state;
  const scheme = schemeOf(state.scheme, learned, state);
  const head = Math.min(state.head, scheme.heads);
  const biases = times(scheme.heads, (k) => scheme.biasOf(k + 1));
  const bias = biases[head - 1];
  const scores = times(LENGTH, (k) => (causal && k > query ? -Infinity : bias[k - query + LENGTH - 1]));
  const unbiased = 1 / (causal ? query + 1 : LENGTH);
  const group = scheme.groupOf(key - query);
  return { ...scheme, head, biases, bias, weights: softmax(scores), unbiased, causal, query, key, group };
};

const sentence = ({ head, bias, weights, unbiased, causal, query, key }) => {
  const [one, other] = [
    `{query|query ${query} (“${withoutMarks(WORDS[query])}”)}`,
    `{key|key ${key} (“${withoutMarks(WORDS[key])}”)}`,
  ];
  if (causal && key > query) return `Head ${head}: ${other} comes after ${one} and is masked.`;
  return (
    `Head ${head}: ${one} gives ${other} the weight ${fixed(weights[key], 3)}; its bias is ` +
    `${fixed(bias[key - query + LENGTH - 1])}, and without any it would get ${fixed(unbiased, 3)}.`
  );
};

const numbers = (found, state, madeUp) => {
  const { head, heads, bias, weights, unbiased, causal, query, key, group, title, about, also, note = "" } = found;
  const offset = key - query;
  const [value, weight, hidden] = [bias[offset + LENGTH - 1], weights[key], causal && offset > 0];
  // The numbers are made up for both directions: for one, they stand in buckets for other tokens.
  const isMadeUp = madeUp.includes(state.scheme) && !(state.scheme === "t5" && !state.bidirectional);
  const hides = causal && head === MADE_UP.length ? ", all masked here" : "";
  const made = isMadeUp ? `, made up to look at ${MADE_UP[head - 1]}${hides}` : "";
  const against = !hidden && ((value < 0 && weight > unbiased) || (value > 0 && weight < unbiased));
  const [side, gets] = value < 0 ? ["below", "more"] : ["above", "less"];
  const why = ` The bias is ${side} 0, and yet the key gets ${gets}: softmax compares it with the other keys.`;
  const [from, to] = group.map((o) => fixed(o, 0));
  const shared = group[0] < group[1] ? also(from, to, offset) + (hidden ? "" : " (shaded)") : "";
  const which = `${title}, head ${head} of ${heads}${made}${about(offset, head)}`;
  return `${which}${shared}.${note}${against ? why : ""} ${spread(found)}`;
};
const LONGEST = {
  said: [
    "Head 00: query 00 (“together”) gives key 00 (“together”) the weight 0.000; its bias is −0.00, " +
      "and without any it would get 0.000.",
  ],
  more: ["At equal distance before and after, the bias is the same. ".repeat(9)],
};

function render({ model, el }) {
  const { table, scalars, max_distance: maxDistance, made_up: madeUp = [] } = model.get("learned");
  const learned = { table: thousandths(table), scalars: thousandths(scalars), maxDistance };
  const label = "The bias, a row for each query. A click chooses query and key.";
  const map = drawing(MAP.width, MAP.height, label, { style: "cursor: crosshair; user-select: none" });
  const row = drawing(ROW.width, ROW.height, "The row of the query: the bias, and the attention that it makes");
  row.setAttribute("class", "bias-row");
  const small = smallHeads((head) => figure.set("head", head));
  const sentenceOfKeys = words((key) => figure.set("key", key));
  let under = null; // the cell under a mouse that only looks

  const update = (state) => {
    const { query, key } = under ?? state;
    const found = attention(state, learned, { query: Math.round(query), key }); // it may be on its way
    map.draw(mapShapes(found));
    row.draw(rowShapes(found));
    sentenceOfKeys.update(found);
    const painted = ["scheme", "n_heads", "causal", "bidirectional", "clip"].map((name) => model.get(name));
    small.update(painted.join(), found.biases, found.limit, found.causal, found.head);
    return { said: sentence(found), more: numbers(found, state, madeUp) };
  };

  const figure = movingFigure(model, el, update, {
    title: "What a bias makes a head look at",
    names: ["scheme", "n_heads", "head", "query", "key", "causal", "bidirectional", "clip"],
    marks: { query: "ink", key: "accent" },
    longest: LONGEST,
  });
  const count = () =>
    ({ alibi: model.get("n_heads"), t5: learned.table[0].length })[model.get("scheme")] ?? learned.scalars[0].length;
  figure.root.prepend(element("style", {}, LOOK));
  const basis = "130px";
  figure.play("query", { perSecond: 6 });
  figure.select(["scheme"], "bias", SCHEMES, { basis });
  const head = figure.slider("head", "head", { min: 1, max: count(), basis: "90px" });
  const wide = { basis: "145px" }; // the name and two digits on one line
  figure.slider("query", "query position", wide);
  figure.slider("key", "key position", wide);
  figure.check("causal", "causal mask");
  const heads = figure.slider("n_heads", "number of heads", { basis });
  const clip = figure.slider("clip", "clip", { min: 0, max: (scalars.length - 1) / 2, basis });
  const both = figure.check("bidirectional", "buckets for both directions");
  both.closest("label").style.minHeight = "calc(1.45em + 28px)"; // as tall as a slider with its name

  // Each scheme has a control of its own, the last, so that no other changes its place, and as many
  // heads as it has.
  figure.onChange(["scheme", "n_heads"], () => {
    const name = model.get("scheme");
    showIf(heads, name === "alibi");
    showIf(clip, name === "clipped");
    showIf(both, name === "t5");
    head.max = count();
    head.value = model.get("head");
    if (model.get("head") > count()) figure.set("head", count());
  });
  // A slider that is moved is followed, also while the mouse rests on the map.
  const look = (cell) => {
    under = cell;
    figure.redraw();
  };
  figure.onChange(["query", "key"], () => look(null));

  // The cell under a pointer, or the nearest one.
  const cellAt = (event) => {
    const [x, y] = pointIn(map, event);
    const within = (value) => clamp(Math.floor(value / CELL), 0, LENGTH - 1);
    return { query: within(y - MAP.top), key: within(x - MAP.left) };
  };
  const choose = (event) => {
    figure.setAll(cellAt(event));
    look(null);
  };
  map.addEventListener("click", choose);
  draggable(map, choose);
  map.addEventListener("pointermove", (event) => {
    if (!event.buttons && event.pointerType !== "touch") look(cellAt(event));
  });
  map.addEventListener("pointerleave", () => look(null));
  const repaint = () => {
    small.repaint();
    figure.redraw();
  };
  figure.atEnd(onNewColors(repaint));
  return figure.start(small.node, map, row, sentenceOfKeys.node);
}

export default { render };
