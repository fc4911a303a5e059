// A query and a key are turned by their positions, and the score sees the offset only.
import { draggable, movingFigure, note } from "./base.js";
import { rim, turnByHand } from "./dial.js";
import {
  circle,
  clamp,
  drawing,
  element,
  fixed,
  group,
  line,
  outline,
  path,
  plainly,
  polyline,
  rect,
  short,
  text,
  times,
} from "./drawing.js";
import { rotaryFrequencies, rotate } from "./rotary.js";

const PAIRS = 4;
const LAST = LIMITS.m[1];
const ROUND = 2 * Math.PI;
const DIAL = { width: 138, height: 205, x: 69, y: 62, radius: 56, bar: 191 };
const PLOT = { width: 300, height: 184, left: 30, across: 262, top: 8, tall: 128, half: 60 };
const LINE = { width: 300, height: 62, left: 14, across: 272, y: 32 };
const SUM = { width: 300, height: 62, middle: 150, half: 136 };
// A second sign beside the color: the query has a disk at its end, the key a dashed line and a ring,
// wide enough to be seen around the disk where both point the same way.
const QUERY = {
  name: "query",
  position: "m",
  symbol: "t",
  color: "main",
  width: 4,
  dashes: "none",
  fill: "main",
  tip: 4,
  reach: 8,
};
const KEY = {
  name: "key",
  position: "n",
  symbol: "s",
  color: "accent",
  width: 2.5,
  dashes: "6 3",
  fill: "paper",
  tip: 7,
  reach: 15,
};
const VECTORS = [QUERY, KEY];

const degrees = (angle) => (angle * 180) / Math.PI;
// The same angle, above −π and up to π.
const wrapped = (angle) => angle - ROUND * Math.ceil(angle / ROUND - 0.5);
const product = (u, v) => u.reduce((sum, value, k) => sum + value * v[k], 0);
const sum = (values) => values.reduce((total, value) => total + value, 0);
const partOf = (vector, i) => vector.slice(2 * i, 2 * i + 2);
const direction = ([a, b]) => Math.atan2(b, a);

// Each pair of the turned query and key: their parts, the angle between them, and what they give.
export const turnedPairs = ({ m, n, query, key, base }) => {
  const omegas = rotaryFrequencies(2 * PAIRS, base);
  const vectors = [rotate(query, m, omegas), rotate(key, n, omegas)];
  return omegas.map((omega, i) => {
    const parts = vectors.map((vector) => partOf(vector, i));
    const lengths = parts.map((part) => Math.hypot(...part));
    const angles = parts.map(direction);
    const apart = wrapped(angles[0] - angles[1]);
    // The whole angle from key to query, with the turns that a dial does not show.
    const whole = omega * (m - n) + wrapped(direction(partOf(query, i)) - direction(partOf(key, i)));
    const turns = Math.round((whole - apart) / ROUND);
    const counted = turns ? `${fixed(turns, 0)} turn${Math.abs(turns) === 1 ? "" : "s"} and ` : "";
    const angle = lengths.every((length) => length > 0) ? `${counted}${fixed(degrees(apart), 1)}°` : "no angle";
    return { omega, lengths, angles, apart, angle, score: product(...parts), most: lengths[0] * lengths[1] };
  });
};

const sentence = (m, n, score, read = plainly) =>
  `With the {query|query at ${read(m)}} and the {key|key at ${read(n)}} the {score|score is ${fixed(score)}}: ` +
  `it depends only on the offset s\u00a0−\u00a0t\u00a0=\u00a0${read(n - m)}, ` +
  "so it stays the same when both move together.";
const numbers = (parts) =>
  `Angles from key to query: ${parts.map(({ angle }) => angle).join(", ")}. The pairs give ` +
  `${parts.map(({ score }) => fixed(score)).join(", ")}; the sum is the score.`;

// A bar from a middle to the right for what is above zero, to the left for what is below.
const bar = (x, y, half, share, look = {}) =>
  group(
    look,
    line(x - half, y, x + half, y, { stroke: "line" }),
    rect(x + Math.min(share, 0) * half, y - 5, Math.abs(share) * half, 10, { fill: share < 0 ? "blue" : "red" }),
    line(x, y - 8, x, y + 8, { stroke: "soft" }),
  );
const tip = (x, y, { name, color, fill, tip: radius }) =>
  circle(x, y, radius, { fill, stroke: color, strokeWidth: 2.5, mark: name });

// Vectors are drawn as long as they are, the longest of all as long as the radius. These hands start at
// the right and turn counterclockwise.
export const dialShapes = (parts, i) => {
  const { x, y, radius } = DIAL;
  const { omega, lengths, angles, apart, angle, score } = parts[i];
  const longest = Math.max(...parts.flatMap((part) => part.lengths));
  const largest = Math.max(...parts.map(({ most }) => most));
  const on = (one, length) => [x + length * Math.cos(one), y - length * Math.sin(one)];
  const round = 0.6 * radius;
  const [from, to] = [angles[1], angles[1] + apart].map((one) =>
    on(one, round)
      .map((v) => v.toFixed(2))
      .join(" "),
  );
  const between = `M${x} ${y}L${from}A${round} ${round} 0 0 ${apart < 0 ? 1 : 0} ${to}Z`;
  const hand = (vector, k) => {
    const [px, py] = on(angles[k], longest && (radius * lengths[k]) / longest);
    const { name, color, width, dashes, reach } = vector;
    const look = { stroke: color, strokeWidth: width, strokeDasharray: dashes, pointerEvents: "none" };
    const handle = circle(px, py, reach, { fill: "transparent" });
    return group({ ref: name, mark: name }, line(x, y, px, py, look), tip(px, py, vector), handle);
  };
  return [
    rim(DIAL),
    path(angle === "no angle" ? "" : between, { fill: "accent", fillOpacity: 0.25, stroke: "accent" }),
    VECTORS.map(hand).reverse(),
    text(x, 136, `pair ${i}: ω = ${Number(omega.toPrecision(3))}`, "middle"),
    text(x, 155, angle, "middle"),
    text(x, 174, `gives ${fixed(score)}`, "middle"),
    bar(x, DIAL.bar, radius, largest && score / largest),
  ];
};

// The score against the offset: while both positions move together, its point stands still.
export const plotShapes = ({ m, n, query, key, base }, score, most) => {
  const { height, left, across, top, tall, half } = PLOT;
  const middle = top + tall / 2;
  const omegas = rotaryFrequencies(2 * PAIRS, base);
  const center = 2 * half * Math.round((n - m) / (2 * half));
  const y = (value) => middle - (most ? (value / most) * (tall / 2) : 0);
  const scoreAt = (offset) => product(rotate(query, -offset, omegas), key);
  const curve = times(4 * half + 1, (k) => [left + (across * k) / (4 * half), y(scoreAt(center - half + k / 2))]);
  const x = left + across * (0.5 + (n - m - center) / (2 * half));
  return [
    [top, middle, top + tall].map((level) => line(left, level, left + across, level, { stroke: "line" })),
    outline(polyline(curve), { stroke: "soft", strokeWidth: 1.2 }),
    line(x, middle, x, y(score), { stroke: "ink", strokeDasharray: "2 3" }),
    circle(x, y(score), 5, { fill: "ink", mark: "score" }),
    ["start", "middle", "end"].map((anchor, k) =>
      text(left + (k / 2) * across, top + tall + 18, fixed(center + (k - 1) * half, 0), anchor),
    ),
    [1, 0, -1].map((share) => text(left - 5, middle - (share * tall) / 2 + 4, short(share * most), "end")),
    text(left + across / 2, height - 6, "score against the offset s − t", "middle"),
  ];
};

export const sumShapes = (score, most) => [
  text(SUM.middle, 18, `score, the sum: ${fixed(score)}`, "middle"),
  bar(SUM.middle, 36, SUM.half, most && score / most, { mark: "score" }),
  [-1, 0, 1].map((share) => text(SUM.middle + SUM.half * share, 58, short(share * most), "middle")),
];

export const lineShapes = (state, read = plainly) => {
  const { width, height, left, across, y } = LINE;
  const places = VECTORS.map(({ position }) => left + (across * state[position]) / LAST);
  return [
    rect(undefined, undefined, width, height, { fill: "transparent" }),
    line(left, y, left + across, y, { stroke: "soft" }),
    line(places[0], y, places[1], y, { stroke: "accent", strokeWidth: 6, strokeOpacity: 0.5 }),
    VECTORS.map((vector, k) => tip(places[k], y, vector)).reverse(),
    VECTORS.map(({ name, symbol, position }, k) =>
      text(
        clamp(places[k], 44, width - 48),
        y + [-14, 25][k],
        `${name} ${symbol} = ${read(state[position])}`,
        "middle",
      ),
    ),
  ];
};

const explanation = ({ query, key }) => {
  const same = query.every((value, k) => value === key[k]);
  return (
    `Query and key start as ${same ? "the same vector" : "two vectors that stay as they are"}, ` +
    "so only their positions change the score. These hands start at the right and turn counterclockwise; " +
    "the hands of sine and cosine start at the top and turn clockwise."
  );
};

// One slider for both: where the earlier of the two stands. The offset stays.
const bothSlider = (figure, positions, moveTo) => {
  const output = element("output", { "aria-hidden": "true" });
  const input = element("input", { type: "range", min: 0, max: LAST, onInput: () => moveTo(Number(input.value)) });
  const name = element("span", {}, "both together");
  figure.controls.append(element("label", { style: "flex-basis: 170px" }, name, input, output));
  figure.onChange(["m", "n"], () => {
    const [m, n] = positions();
    input.max = LAST - Math.abs(m - n);
    input.disabled = input.max === "0";
    input.value = Math.min(m, n);
    input.setAttribute("aria-valuetext", `${m} and ${n}`);
  });
  return ({ m, n }, read) => {
    output.textContent = input.disabled ? "no room" : `${read(m)}, ${read(n)}`;
  };
};

function render({ model, el }) {
  const ways = drawing(LINE.width, LINE.height, "The two positions. Dragging moves both.", {
    style: "cursor: ew-resize; user-select: none",
  });
  const total = drawing(SUM.width, SUM.height, "The score, the sum of what the pairs give");
  const dials = times(PAIRS, (i) =>
    drawing(DIAL.width, DIAL.height, `Pair ${i}: the query and the key, turned, and the angle between them`),
  );
  const plot = drawing(PLOT.width, PLOT.height, "The score against the offset from the query to the key", {
    style: "order: -1",
  });
  const below = note("", 15);
  const positions = () => [model.get("m"), model.get("n")];

  const update = (state, read) => {
    const parts = turnedPairs(state);
    const score = sum(parts.map((part) => part.score));
    const most = sum(parts.map((part) => part.most));
    dials.forEach((dial, i) => dial.draw(dialShapes(parts, i)));
    ways.draw(lineShapes(state, read));
    plot.draw(plotShapes(state, score, most));
    total.draw(sumShapes(score, most));
    below.textContent = explanation(state);
    showBoth(state, read);
    return { said: sentence(state.m, state.n, score, read), more: numbers(parts) };
  };
  const figure = movingFigure(model, el, update, {
    title: "Turn the query, turn the key",
    names: ["m", "n", "query", "key", "base"],
    marks: { query: "main", key: "accent" },
    longest: {
      said: [sentence(LAST, 0, -1e3)],
      more: [numbers(dials.map(() => ({ angle: "−79 turns and −179.9°", score: -1e3 })))],
    },
  });
  figure.slider("m", "query at t", { basis: "40%", glide: true });
  figure.slider("n", "key at s", { basis: "40%", glide: true });
  const moveTo = (start) => {
    const [m, n] = positions();
    const by = clamp(start, 0, LAST - Math.abs(m - n)) - Math.min(m, n);
    figure.setAll({ m: m + by, n: n + by });
  };
  const showBoth = bothSlider(figure, positions, moveTo);
  // Both walk, as far as they have room: the hands turn, and the score stands still.
  const ahead = () => positions().map((place) => place - Math.min(...positions()));
  figure.play("m", {
    perSecond: 12,
    place: () => Math.min(figure.at("m"), figure.at("n")),
    values: (place) => ({ m: place + ahead()[0], n: place + ahead()[1] }),
    limits: () => [0, LAST - Math.max(...ahead())],
  });
  const scale = () => (ways.getBoundingClientRect().width / LINE.width) * (LINE.across / LAST);
  draggable(
    ways,
    (_event, dx, _dy, start) => moveTo(Math.round(start + dx / scale())),
    () => Math.min(...positions()),
  );
  const beside = element("div", { style: "display: grid; gap: 8px; order: -2; max-width: 100%" }, ways, total);
  const stop = figure.start(beside, ...dials, plot, below);
  const angleAt = ([x, y]) => Math.atan2(DIAL.y - y, x - DIAL.x);
  dials.forEach((dial, i) => {
    const omega = () => rotaryFrequencies(2 * PAIRS, model.get("base"))[i];
    for (const { name, position } of VECTORS) turnByHand(figure, dial.refs[name], dial, position, omega, DIAL, angleAt);
  });
  return stop;
}

export default { render };
