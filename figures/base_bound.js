// The distance up to which a key like the query beats a stranger, by the base.

import { all, drawing, label, move, movingFigure, polyline, svg } from "./base.js";
import { frequencies } from "./encodings.js";

const WIDTH = 128;
const LONGEST = LIMITS.length[1];
const BASES = all(121, (k) => LIMITS.base[0] * 10 ** (k / 30)); // of the lower drawing
const CHUNK = 256;

// S at the distances from `first` on, `count` of them: each cosine is turned on to the next one.
const preference = (base, first, count) => {
  const sums = new Float64Array(count);
  for (const omega of frequencies(WIDTH, base)) {
    const [cos, sin] = [Math.cos(omega), Math.sin(omega)];
    let [a, b] = [Math.cos(omega * first), Math.sin(omega * first)];
    for (let m = 0; m < count; m++) {
      sums[m] += a;
      const turned = a * cos - b * sin;
      b = a * sin + b * cos;
      a = turned;
    }
  }
  for (let m = 0; m < count; m++) sums[m] /= WIDTH / 2;
  return sums;
};

// The first distance up to the longest text at which S is negative, or null.
const firstNegative = (base) => {
  for (let first = 0; first < LONGEST; first += CHUNK) {
    const found = preference(base, first, CHUNK).findIndex((value) => value < 0);
    if (found >= 0) return first + found;
  }
  return null;
};

const whole = (value) => Math.round(value).toLocaleString("en");
const PLOT = { width: 320, height: 250, left: 50, right: 8, top: 26, bottom: 44 };
const across = (share) => PLOT.left + share * (PLOT.width - PLOT.left - PLOT.right);
const down = (share) => PLOT.top + (1 - share) * (PLOT.height - PLOT.top - PLOT.bottom);
const log = (value, [low, high]) => Math.log(value / low) / Math.log(high / low);
const DISTANCES = [1, LONGEST];
const HEIGHTS = [-0.35, 1];
const atDistance = (m) => across(log(Math.max(m, 1), DISTANCES));
const atHeight = (value) => down((value - HEIGHTS[0]) / (HEIGHTS[1] - HEIGHTS[0]));
const atBase = (base) => across(log(base, LIMITS.base));
const FIRSTS = [128, LONGEST];
const atFirst = (m) => down(log(Math.min(m ?? LONGEST, LONGEST), FIRSTS));

const line = (color, width = 1.6, more = {}) =>
  svg("path", {
    fill: "none",
    stroke: `var(--ex-${color})`,
    "stroke-width": width,
    "stroke-linejoin": "round",
    ...more,
  });
const rule = () =>
  svg("line", { stroke: "var(--ex-accent)", "stroke-width": 1.6, "stroke-dasharray": "5 4", "data-mark": "length" });
const dot = () =>
  svg("circle", { r: 6, fill: "var(--ex-main)", stroke: "var(--ex-paper)", "stroke-width": 2, "data-mark": "base" });
const frame = (xs, ys, xName, yName) => [
  svg("path", { d: `M${across(0)} ${down(1)}V${down(0)}H${across(1)}`, fill: "none", stroke: "var(--ex-soft)" }),
  ...xs.map(([x, text]) => label(x, PLOT.height - 24, text, "middle")),
  ...ys.map(([y, text]) => label(PLOT.left - 6, y + 4, text, "end")),
  label(across(0.5), PLOT.height - 5, xName, "middle"),
  label(4, 10, yName),
];

// S over the distances on a logarithmic axis: where many fall on one place, from lowest to highest.
const PLACES = Int16Array.from({ length: LONGEST }, (_, m) => Math.round(atDistance(m + 1)));
const envelope = (sums) => {
  const [highest, lowest] = [[], []];
  for (let m = 0; m < LONGEST; ) {
    const x = PLACES[m]; // sums begin at distance 1
    let [low, high] = [sums[m], sums[m]];
    for (m++; PLACES[m] === x; m++) {
      if (sums[m] < low) low = sums[m];
      else if (sums[m] > high) high = sums[m];
    }
    highest.push([x, atHeight(high)]);
    lowest.push([x, atHeight(low)]);
  }
  return `${polyline([...highest, ...lowest.reverse()])}Z`;
};

const sentence = (base, length, first, larger) => {
  const fails = first !== null && first <= length;
  const start = [["base", `Base ${whole(base)}`]];
  if (first === null) start.push(` stays positive up to ${whole(LONGEST)}, so it passes for `);
  else start.push(` first dips below zero at distance ${whole(first)}, so it ${fails ? "fails" : "passes"} for `);
  start.push(["length", `${whole(length)} tokens`], ". ");
  const [failing, all] = larger;
  if (!all) return start;
  if (!failing)
    return [
      ...start,
      `So ${all > 1 ? `do all ${all} larger bases` : "does the one larger base"} drawn${fails ? " not: they pass" : ""}.`,
    ];
  return [...start, `Of the ${all} larger bases drawn, ${failing} fail${failing === 1 ? "s" : ""}.`];
};
const ROOM = { said: [sentence(8_888_888, 16_384, 16_000, [100, 120])] };

function render({ model, el }) {
  const firsts = BASES.map(firstNegative);
  const left = drawing(PLOT.width, PLOT.height, "S by distance");
  const right = drawing(PLOT.width, PLOT.height, "The distance of the first dip by the base");
  const [curve, dip, end] = [line("main", 1.4, { fill: "var(--ex-main)", "data-mark": "base" }), dot(), rule()];
  left.append(
    ...frame(
      [1, 10, 100, 1000, 10_000].map((m) => [atDistance(m), whole(m)]),
      [0, 0.5, 1].map((v) => [atHeight(v), String(v)]),
      "distance m",
      "S, as a share of S(0)",
    ),
    line("line", 1, { d: `M${across(0)} ${atHeight(0)}H${across(1)}` }),
    curve,
    dip,
    end,
  );
  const [now, bar] = [dot(), rule()];
  right.append(
    ...frame(
      [1e3, 1e4, 1e5, 1e6, 1e7].map((b, k) => [atBase(b), ["1,000", "10⁴", "10⁵", "10⁶", "10⁷"][k]]),
      [128, 512, 2048, 8192].map((m) => [atFirst(m), whole(m)]),
      "base",
      "first dip at distance",
    ),
    line("soft", 1.4, { d: polyline(BASES.map((base, k) => [atBase(base), atFirst(firsts[k])])) }),
    ...MODELS.flatMap(([name, base, length]) => [
      svg("circle", {
        cx: atBase(base),
        cy: atFirst(length),
        r: 5,
        fill: "none",
        stroke: "var(--ex-ink)",
        "stroke-width": 1.6,
      }),
      label(
        atBase(base) + (base > 1e5 ? 9 : -9),
        atFirst(length) + (base > 1e5 ? 16 : -8),
        name,
        base > 1e5 ? "start" : "end",
      ),
    ]),
    now,
    bar,
  );

  let [held, first] = [null, null]; // of the base: a new length alone needs no sums
  const update = () => {
    const [base, length] = ["base", "length"].map((name) => model.get(name));
    if (base !== held) {
      [held, first] = [base, firstNegative(base)];
      move(curve, { d: envelope(preference(base, 1, LONGEST)) });
    }
    move(dip, { cx: atDistance(first ?? 1), cy: atHeight(0), visibility: first === null ? "hidden" : "visible" });
    move(end, { x1: atDistance(length), x2: atDistance(length), y1: down(0), y2: down(1) });
    move(now, { cx: atBase(base), cy: atFirst(first) });
    move(bar, { x1: across(0), x2: across(1), y1: atFirst(length), y2: atFirst(length) });
    const larger = firsts.filter((_, k) => BASES[k] > base * (1 + 1e-9));
    const failing = larger.filter((m) => m !== null && m <= length).length;
    return { said: sentence(base, length, first, [failing, larger.length]) };
  };
  const figure = movingFigure({
    model,
    el,
    update,
    title: "How far a base lets a similar key win: heads of 128 columns",
    names: ["base", "length"],
    marks: { base: "main", length: "accent" },
    longest: ROOM,
  });
  figure.slider("base", "base", {
    step: 0.02,
    from: Math.log10,
    to: (exponent) => Math.round(10 ** exponent),
    show: whole,
  });
  figure.slider("length", "tokens in a text", {
    step: 0.5,
    from: Math.log2,
    to: (exponent) => Math.round(2 ** exponent),
    show: whole,
  });
  return figure.start(left, right);
}

export default { render };
