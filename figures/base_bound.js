// The distance up to which a key like the query beats a stranger, by the base.
import { movingFigure } from "./base.js";
import { circle, drawing, line, outline, path, polyline, text, thousands, times } from "./drawing.js";
import { frequencies } from "./encodings.js";

const WIDTH = 128;
const [LENGTH, LONGEST] = [4096, 16_384]; // tokens in a text, and up to where distances are drawn
const STEP = 0.02; // between bases, in powers of ten: of the slider and of the right drawing
const BASES = times(201, (k) => Math.round(LIMITS.base[0] * 10 ** (k * STEP)));

// S at the distances from 1 on: each cosine is turned on to the next one.
const preference = (base) => {
  const sums = new Float64Array(LONGEST);
  for (const omega of frequencies(WIDTH, base)) {
    const [cos, sin] = [Math.cos(omega), Math.sin(omega)];
    let [a, b] = [cos, sin];
    for (let m = 0; m < LONGEST; m++) {
      sums[m] += a / (WIDTH / 2);
      const turned = a * cos - b * sin;
      b = a * sin + b * cos;
      a = turned;
    }
  }
  return sums;
};

const PLOT = { width: 320, height: 250, left: 50, right: 8, top: 26, bottom: 44 };
const across = (share) => PLOT.left + share * (PLOT.width - PLOT.left - PLOT.right);
const down = (share) => PLOT.top + (1 - share) * (PLOT.height - PLOT.top - PLOT.bottom);
const log = (value, [low, high]) => Math.log(value / low) / Math.log(high / low);
const [LOWEST, HIGHEST] = [-0.35, 1];
const atDistance = (m) => across(log(Math.max(m, 1), [1, LONGEST]));
const atHeight = (value) => down((value - LOWEST) / (HIGHEST - LOWEST));
const atBase = (base) => across(log(base, LIMITS.base));
const atFirst = (m) => down(log(Math.min(m ?? LONGEST, LONGEST), [128, LONGEST]));

const LINE = { strokeWidth: 1.4, strokeLinejoin: "round" };
const RULE = { stroke: "accent", strokeWidth: 1.6, strokeDasharray: "5 4", mark: "length" };
const DOT = { fill: "main", stroke: "paper", strokeWidth: 2, mark: "base" };
const frame = (xs, ys, xName, yName) => [
  outline(`M${across(0)} ${down(1)}V${down(0)}H${across(1)}`, { stroke: "soft" }),
  xs.map(([x, name]) => text(x, PLOT.height - 24, name, "middle")),
  ys.map(([y, name]) => text(PLOT.left - 6, y + 4, name, "end")),
  text(across(0.5), PLOT.height - 5, xName, "middle"),
  text(4, 10, yName),
];

// S over the distances on a logarithmic axis, four pixels at a time: their highest and their lowest.
const PLACES = Int16Array.from({ length: LONGEST }, (_, m) => Math.round(atDistance(m + 1) / 4));
const envelope = (sums) => {
  const [highest, lowest] = [[], []];
  for (let m = 0; m < LONGEST; ) {
    const place = PLACES[m]; // sums begin at distance 1
    let [low, high] = [m, m];
    for (m++; PLACES[m] === place; m++) {
      if (sums[m] < sums[low]) low = m;
      else if (sums[m] > sums[high]) high = m;
    }
    highest.push([atDistance(high + 1), atHeight(sums[high])]);
    lowest.push([atDistance(low + 1), atHeight(sums[low])]);
  }
  return { band: `${polyline([...highest, ...lowest.toReversed()])}Z`, lowest: polyline(lowest) };
};

const sentence = (base, first, failing) => {
  const fails = first !== null && first <= LENGTH;
  const dips =
    first === null
      ? `stays positive up to ${thousands(LONGEST)}, so it passes`
      : `first dips below zero at distance ${thousands(first)}, so it ${fails ? "fails" : "passes"}`;
  const larger = failing ? "at least one larger base fails" : "no larger base drawn fails";
  return `{base|Base ${thousands(base)}} ${dips} for {length|${thousands(LENGTH)} tokens}; ${larger}.`;
};

// The envelope of S for this base, with its lowest values as a line, and its first dip.
export const distanceShapes = (first, { band, lowest }) => [
  frame(
    [1, 10, 100, 1000, 10_000].map((m) => [atDistance(m), thousands(m)]),
    [0, 0.5, 1].map((value) => [atHeight(value), value]),
    "distance m",
    "S, as a share of S(0)",
  ),
  outline(`M${across(0)} ${atHeight(0)}H${across(1)}`, { ...LINE, stroke: "line", strokeWidth: 1 }),
  path(band, { fill: "main", fillOpacity: 0.25, mark: "base" }),
  outline(lowest, { ...LINE, strokeWidth: 2, stroke: "main", mark: "base" }),
  text(across(0.03), atHeight(0) - 8, "line: lowest nearby", "start"),
  circle(atDistance(first ?? 1), atHeight(0), 6, { ...DOT, visibility: first === null ? "hidden" : "inherit" }),
  line(atDistance(LENGTH), down(0), atDistance(LENGTH), down(1), RULE),
  text(atDistance(LENGTH) - 6, down(1) + 10, `${thousands(LENGTH)} tokens`, "end", { mark: "length" }),
];

export const baseShapes = (base, first, firsts) => [
  frame(
    ["1,000", "10⁴", "10⁵", "10⁶", "10⁷"].map((name, k) => [atBase(10 ** (k + 3)), name]),
    [128, 512, 2048, 8192].map((m) => [atFirst(m), thousands(m)]),
    "base",
    "first dip at distance",
  ),
  outline(polyline(BASES.map((each, k) => [atBase(each), atFirst(firsts[k])])), { ...LINE, stroke: "soft" }),
  circle(atBase(base), atFirst(first), 6, DOT),
  line(across(0), atFirst(LENGTH), across(1), atFirst(LENGTH), RULE),
  text(across(1), atFirst(LENGTH) + 17, `${thousands(LENGTH)} tokens`, "end", { mark: "length" }),
];

function render({ model, el }) {
  const firsts = model
    .get("firsts")
    .split(" ")
    .map((first) => Number(first) || null);
  const left = drawing(PLOT.width, PLOT.height, "S by distance");
  const right = drawing(PLOT.width, PLOT.height, "The distance of the first dip by the base");
  const update = ({ base }) => {
    const sums = preference(base);
    const first = sums.findIndex((sum) => sum < 0) + 1 || null;
    left.draw(distanceShapes(first, envelope(sums)));
    right.draw(baseShapes(base, first, firsts));
    const fails = (m, k) => BASES[k] > base && m !== null && m <= LENGTH;
    return sentence(base, first, firsts.some(fails));
  };
  const figure = movingFigure(model, el, update, {
    title: "How far a base lets a similar key win: heads of 128 columns",
    names: ["base"],
    marks: { base: "main", length: "accent" },
    longest: { said: [sentence(8_888_888, 16_000, false)] },
  });
  figure.baseSlider({ step: STEP, show: thousands });
  return figure.start(left, right);
}

export default { render };
