// ALiBi: a bias that falls with the distance, added to the scores, and what it does to the attention.
import { draggable, movingFigure, pointIn } from "./base.js";
import { clamp, colorScale, drawing, line, outline, path, polyline, rect, text, times, tint } from "./drawing.js";
import { softmax } from "./encodings.js";

const LENGTH = LIMITS.query[1] + 1; // positions 0 … LENGTH - 1
const MAP = { width: 300, height: 334, left: 34, top: 22, size: 256, key: 303 };
const ROW = { width: 300, height: 274, bias: [26, 120], weight: [156, 236] };
const CELL = MAP.size / LENGTH;
const LIMIT = 4; // where the colors end: a weight is then at most e⁻⁴, a fiftieth, of that at 0
const slopeOf = (head) => 2 ** -head; // of eight heads
const biasOf = (head, distance) => 0 - slopeOf(head) * distance; // no negative zero

const middle = (position) => (position + 0.5) * CELL;
const ticks = (at, anchor) => [0, 16, 32, 48, LENGTH - 1].map((t) => text(...at(middle(t)), t, anchor));

// The map has one shape for every distance: all its cells have one color. Later keys are masked.
const DIAGONALS = times(LENGTH, (distance) =>
  times(LENGTH - distance, (key) => {
    const [x, y] = [MAP.left + key * CELL, MAP.top + (key + distance) * CELL];
    return `M${x} ${y}h${CELL}v${CELL}h${-CELL}z`;
  }).join(""),
);

export const mapShapes = ({ head, query }) => {
  const { left, top, size } = MAP;
  const color = (distance) => ({ shapeRendering: "crispEdges", ...tint(biasOf(head, distance), LIMIT) });
  return [
    text(left, 14, "keys across, queries down"),
    ticks((at) => [left - 5, top + at + 4], "end"),
    ticks((at) => [left + at, top + size + 15], "middle"),
    rect(left, top, size, size, { fill: "paper" }),
    DIAGONALS.map((d, distance) => path(d, color(distance))),
    outline(`M${left} ${top}h${size}v${size}Z`, { stroke: "soft", strokeDasharray: "2 3" }),
    text(left + 0.68 * size, top + 0.3 * size, "masked", "middle"),
    rect(left, top + query * CELL, size, CELL, { fill: "none", stroke: "ink", strokeWidth: 1.5, mark: "query" }),
    colorScale(left + 128, MAP.key, [`≤ −${LIMIT}`, "0", `≥ ${LIMIT}`]),
  ];
};

// The row of a query: the bias of each key that it may see, and the weights that it makes of equal scores.
const rowOf = ({ head, query }) => {
  const bias = times(query + 1, (key) => biasOf(head, query - key));
  return { bias, weights: softmax(bias) };
};

export const rowShapes = (state) => {
  const { query } = state;
  const { bias, weights } = rowOf(state);
  const { left, size } = MAP;
  const [top, bottom] = ROW.bias;
  const [summit, ground] = ROW.weight;
  const x = (k) => left + middle(k);
  const tall = [0.02, 0.05, 0.1, 0.2, 0.5, 1].find((bound) => bound >= Math.max(...weights));
  const height = (weight) => (ground - ((ground - summit) * weight) / tall).toFixed(2);
  const dashes = { stroke: "ink", strokeWidth: 1.5, strokeDasharray: "1 3" };
  const curve = polyline(bias.map((value, k) => [x(k), top + (bottom - top) * clamp(-value / LIMIT, 0, 1)]));
  return [
    text(left, 14, `bias in the row of query ${query}`),
    text(left, summit - 10, "attention, if words are alike"),
    line(left, top, left + size, top, { stroke: "soft" }),
    line(left, ground, left + size, ground, { stroke: "soft" }),
    text(left - 5, top + 4, "0", "end"),
    text(left - 5, bottom + 4, `≤ −${LIMIT}`, "end"),
    text(left - 5, summit + 5, tall, "end"),
    text(left - 5, ground + 4, "0", "end"),
    ticks((at) => [left + at, ground + 17], "middle"),
    outline(weights.map((weight, k) => `M${x(k)} ${ground}V${height(weight)}`).join(""), {
      stroke: "main",
      strokeWidth: CELL - 1,
      mark: "weights",
    }),
    outline(curve, { stroke: "main", strokeWidth: 2, strokeLinejoin: "round" }),
    path(`M${x(query)} ${ground + 2}l-4 7h8Z`, { fill: "ink", mark: "query" }),
    text(clamp(x(query), left + 12, left + size - 12), ground + 33, "query", "middle"),
    path(`M${left} ${height(1 / weights.length)}H${x(weights.length - 1) + CELL / 2}`, dashes), // without a bias
    path(`M${left + 188} ${summit - 14}h18`, dashes),
    text(left + size, summit - 10, "no bias", "end"),
  ];
};

const sentence = (state) => {
  const { head, query } = state;
  const { weights } = rowOf(state);
  let [sum, count] = [0, 0];
  while (sum < 0.5 - 1e-12) sum += weights[query - count++];
  const half = count > 1 ? `the last ${count} of ${query + 1} tokens` : "itself";
  return (
    `Head ${head} takes ${Number(slopeOf(head).toPrecision(3))} from a score for each position of distance: ` +
    `{query|query ${query}} gives half of its attention to {weights|${half}}.`
  );
};

function render({ model, el }) {
  const label = "The bias, a row for each query. A click chooses a query.";
  const map = drawing(MAP.width, MAP.height, label, { style: "cursor: crosshair; user-select: none" });
  const row = drawing(ROW.width, ROW.height, "The row of the query: the bias, and the attention that it makes");
  const update = (state) => {
    const whole = { ...state, query: Math.round(state.query) }; // it may be on its way
    map.draw(mapShapes(whole));
    row.draw(rowShapes(whole));
    return sentence(whole);
  };
  const figure = movingFigure(model, el, update, {
    title: "What a bias makes a head look at",
    names: ["head", "query"],
    marks: { query: "ink", weights: "main" },
    longest: { said: [sentence({ head: 8, query: 63 })] },
  });
  figure.slider("head", "head", { basis: "120px" });
  figure.slider("query", "query position", { basis: "150px" });
  figure.play("query", { perSecond: 6 });
  const choose = (event) =>
    figure.set("query", clamp(Math.floor((pointIn(map, event)[1] - MAP.top) / CELL), 0, LENGTH - 1));
  map.addEventListener("click", choose);
  draggable(map, choose);
  return figure.start(map, row);
}

export default { render };
