// Ten heads of a published language model: where does each look, if its queries and keys are turned so?
import { movingFigure, note } from "./base.js";
import { fixed, listInWords, rect, text, times } from "./drawing.js";
import { element } from "./element.js";
import { frequencies, rotate, softmax } from "./encodings.js";
import { gridMap, onNewColors } from "./grid.js";

const BOX = { width: 384, height: 386, left: 50, top: 52, wide: 330, tall: 330 };
const CELL = BOX.wide / TOKENS.length;
const FROM = 16; // tokens: the means leave out the first queries, which have few keys
const LOOK = `
.moving-figure .heads-map { flex: 0 1 ${BOX.width}px; }
.moving-figure .heads-map svg text { font-size: 16px; }
.moving-figure .heads-text { flex: 1 1 270px; margin: 0; font-size: 15px; line-height: 1.75; }
@media (forced-colors: active) { .heads-text { forced-color-adjust: none; background: var(--ex-paper); } }
.moving-figure .heads-text span { border-radius: 3px; padding: 0 1px; margin: 0 -1px; print-color-adjust: exact; }
.moving-figure .heads-text .heads-query { outline: 2px solid var(--ex-ink); }
.moving-figure .heads-text .heads-later { color: var(--ex-soft); }
@media (pointer: coarse) { .moving-figure:has(.heads-text) :is(select, input[type="range"]) { min-height: 44px; } }
`;
const NOTE =
  "A name has layer and head, both counted from 0, of SmolLM2-135M-Instruct, a published language model, here " +
  "from a file of about four bits a weight. Each is a single head: its queries and keys, before they are turned, " +
  "are those of the right model. In a running model a mistake would change the deeper queries and keys, too.";

// A head as it is stored: whole numbers of eight bits, and a factor for each column.
const unpacked = (packed, factors) => {
  const whole = Int8Array.from(atob(packed), (byte) => byte.charCodeAt(0));
  return TOKENS.map((_, t) => Float64Array.from(factors, (factor, k) => factor * whole[t * factors.length + k]));
};
export const vectorsOf = ({ heads }, head) => {
  const stored = heads[STORED_HEADS.indexOf(head)];
  return Object.fromEntries(["query", "key"].map((part) => [part, unpacked(stored[part], stored[`${part} factor`])]));
};

const PLACES = { quarter: (t) => t / 4, zero: () => 0, shifted: (t) => t + 1000 };

// The weights of each query, on the keys up to its own.
export const weightsOfHead = ({ query, key }, turned, pair) => {
  const omegas = frequencies(MODEL.columns, turned === "base" ? 10_000 : MODEL.base);
  if (turned === "pair") omegas[pair] = 0;
  const place = PLACES[turned] ?? ((t) => t);
  const turnAll = (vectors, shift) => vectors.map((x, t) => rotate(x, place(t) + shift, omegas, turned === "layout"));
  const [queries, keys] = [turnAll(query, turned === "late" ? 1 : 0), turnAll(key, 0)];
  const score = (one, other) => one.reduce((sum, value, k) => sum + value * other[k], 0) / Math.sqrt(one.length);
  return queries.map((one, t) => softmax(keys.slice(0, t + 1).map((other) => score(one, other))));
};

// One head as it was trained, in whole numbers: what is drawn before the file is there.
const atStart = () => {
  const whole = new Uint16Array(Uint8Array.from(atob(START), (byte) => byte.charCodeAt(0)).buffer);
  let next = 0;
  return TOKENS.map((_, t) => times(t + 1, () => whole[next++] / 10_000));
};

// The mean over the queries from token 16 on of the weight on some keys; queries that have none do not count.
const meanOn = (weights, isMeant) => {
  const found = weights.slice(FROM).flatMap((row, k) => {
    const meant = row.filter((_, key) => isMeant(FROM + k, key));
    return meant.length ? [meant.reduce((sum, weight) => sum + weight, 0)] : [];
  });
  return fixed(found.reduce((sum, weight) => sum + weight, 0) / found.length);
};
const COPIES = {
  "same token": ["there", (t, key) => key < t && TOKENS[key] === TOKENS[t]],
  induction: ["to the token after it", (t, key) => key > 0 && TOKENS[key - 1] === TOKENS[t]],
};

const nameIn = (options, value) => options.find(([, each]) => each === value)[0];
const quoted = (t) => `“${TOKENS[t].trim()}”`;

const summary = (weights, { head, turned, pair }) => {
  const how = turned === "pair" ? `with pair ${pair} held still` : nameIn(TURNED, turned);
  const [before, itself, first] = [(t) => t - 1, (t) => t, () => 0].map((of) =>
    meanOn(weights, (t, key) => key === of(t)),
  );
  const kind = Object.keys(COPIES).find((each) => nameIn(HEADS, head).includes(each));
  const copies = kind
    ? ` Where its token has come before, ${meanOn(weights, COPIES[kind][1])} goes ${COPIES[kind][0]}.`
    : "";
  return (
    `${head}, turned ${how}: from token ${FROM} on, a query gives ${before} of its weight to the token before it, ` +
    `${itself} to itself, ${first} to the first token.${copies}`
  );
};

const largest = (row, t) => {
  const order = times(t + 1, (key) => key).sort((a, b) => row[b] - row[a]);
  const shown = order.slice(0, 3).filter((key, k) => !k || row[key] >= 0.005);
  const list = listInWords(shown.map((key) => `${fixed(row[key])} to ${quoted(key)} (${key})`));
  return ` {query|Token ${t}, ${quoted(t)}}, gives ${list}.`;
};

const LONGEST =
  "L18H6, turned by positions shifted by 1,000: from token 16 on, a query gives 0.00 of its weight to the token " +
  "before it, 0.00 to itself, 0.00 to the first token. Where its token has come before, 0.00 goes to the token " +
  "after it. {query|Token 100, “museum”}, gives 0.00 to “Captain” (100), 0.00 to “museum” (100) and 0.00 " +
  "to “Captain” (100).";

export const mapShapes = (token) => {
  const { left, top, wide, tall } = BOX;
  const [right, soft] = [left + wide, { style: "fill: var(--ex-soft)" }];
  const frame = { fill: "none", stroke: "ink", strokeWidth: 1.5, mark: "query" };
  return [
    text(left + wide / 2, 16, "keys", "middle"),
    text(15, top + tall / 2, "queries", "middle", { transform: `rotate(-90 15 ${top + tall / 2})` }),
    [0, 50, 100].map((t) => [
      text(left + (t + 0.5) * CELL, top - 8, t, "middle"),
      text(left - 6, top + (t + 0.5) * CELL + 5, t, "end"),
    ]),
    times(16, (k) => rect(right - 138 + 8 * k, top + 14, 8, 12, { fill: "red", fillOpacity: (k / 15).toFixed(3) })),
    text(right - 138, top + 44, "0"),
    text(right - 74, top + 44, "weight", "middle"),
    text(right - 10, top + 44, "1", "end"),
    text(right - 10, top + 90, "hidden: keys after", "end", soft),
    text(right - 10, top + 110, "the query", "end", soft),
    rect(left - 1, top + token * CELL - 1.5, (token + 1) * CELL + 2, CELL + 3, frame),
  ];
};

// The queries and keys of all heads: Python's own, or a file of the site.
const fetchHeads = (root) =>
  new Promise((resolve, reject) => {
    const script = element("script", {
      src: `${root}_static/published/heads.js`, // a script: a page from a disk may not fetch
      onLoad: () => resolve(script.heads),
      onError: () => reject(new Error("the file is missing")),
    });
    document.head.append(script);
  });

function render({ model, el }) {
  const map = gridMap(TOKENS.length, TOKENS.length, BOX, "Attention weights: a row for each query");
  map.node.classList.add("heads-map");
  const words = TOKENS.map((token, t) => element("span", { "data-token": t }, token.trim()));
  const page = element("p", { class: "heads-text" });
  page.append(...words.flatMap((word, t) => (TOKENS[t].startsWith(" ") ? [" ", word] : [word])));
  let [stored, trouble, under] = [null, "", null]; // under: the query under a mouse that only looks
  const packed = model.get("vectors");
  if (packed) stored = JSON.parse(packed);

  let last = {};
  const weightsNow = ({ head, turned, pair }) => {
    const key = [head, turned, pair, Boolean(stored)].join();
    if (last.key === key) return last.weights;
    const isStart = head === HEADS[0][1] && turned === TURNED[0][1];
    const weights = stored ? weightsOfHead(vectorsOf(stored, head), turned, pair) : isStart ? atStart() : null;
    last = { key, weights };
    return weights;
  };

  const update = (state) => {
    const weights = weightsNow(state);
    const token = under ?? state.token;
    pairs.style.display = state.turned === "pair" ? "" : "none";
    map.front.draw(mapShapes(token));
    map.paint(TOKENS.map((_, t) => TOKENS.map((_, key) => weights?.[t][key] ?? null)));
    words.forEach((word, t) => {
      word.className = t === token ? "heads-query" : t > token ? "heads-later" : "";
      const share = (48 * (weights?.[token][t] ?? 0)).toFixed(1);
      word.style.background = `color-mix(in oklab, var(--ex-red) ${share}%, transparent)`;
    });
    if (!weights) return trouble || "The queries and keys are being loaded.";
    return summary(weights, state) + largest(weights[token], token);
  };

  const figure = movingFigure(model, el, update, {
    title: "Heads of a published model: turn their queries and keys",
    names: ["head", "turned", "pair", "token"],
    marks: { query: "ink" },
    longest: { said: [LONGEST] },
  });
  figure.select(["head"], "head", HEADS, { basis: "300px" });
  figure.select(["turned"], "queries and keys are turned", TURNED, { basis: "300px" });
  figure.slider("token", "query", { show: (t) => `${t} ${quoted(t)}`, basis: "130px" });
  const pairs = figure.slider("pair", "pair held still", { basis: "120px" }).closest("label");

  const look = (found) => {
    under = found;
    figure.redraw();
  };
  const choose = (found) => {
    if (found === null) return;
    figure.set("token", found);
    look(null);
  };
  const rowAt = (event) => map.cellAt(event).row;
  const wordAt = ({ target }) => (target.dataset.token ? Number(target.dataset.token) : null);
  for (const [node, queryAt] of [
    [map.front, rowAt],
    [page, wordAt],
  ]) {
    node.addEventListener("click", (event) => choose(queryAt(event)));
    node.addEventListener("pointermove", (event) => event.pointerType === "mouse" && look(queryAt(event)));
    node.addEventListener("pointerleave", () => look(null));
  }
  figure.atEnd(onNewColors(figure.redraw));
  const end = figure.start(element("style", {}, LOOK), map.node, page);
  figure.root.append(note(NOTE));
  // What the file says changes nothing that is drawn at the start, so it waits until the figure is seen.
  const seen = new IntersectionObserver(async (entries) => {
    if (stored || !entries.at(-1).isIntersecting) return;
    seen.disconnect();
    try {
      stored = await fetchHeads(document.documentElement.dataset.content_root ?? "");
    } catch (error) {
      trouble = `The queries and keys could not be loaded (${error.message}).`;
    }
    figure.redraw();
  });
  seen.observe(figure.root);
  figure.atEnd(() => seen.disconnect());
  return end;
}

export default { render };
