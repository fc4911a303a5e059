// Which angles a pair has seen in training, and how frequencies are stretched so that a
// longer text stays among them.

import { movingFigure } from "./base.js";
import { rim } from "./dial.js";
import { circle, drawing, fixed, joined, legend, line, outline, path, short, text, times } from "./drawing.js";
import { frequencies, interpolated, llama3, ntkAware, yarn } from "./encodings.js";

const D_HEAD = 8;
const BASE = 10000;
const TRAINED = 64; // tokens of a text: a pair has seen the angles from 0 to ω (TRAINED − 1)
const PLAIN = frequencies(D_HEAD, BASE);
const ROUND = 2 * Math.PI;
const MARKS = { seen: "seen", "hardly new": "hardly", new: "new" };
const HARDLY = Math.PI / 12; // nearer than 15° to a seen angle, a new one is hardly new
const DIAL = { width: 138, height: 190, inner: 0.62, x: 69, y: 66, radius: 56 };

export const stretched = (scaling, factor) =>
  ({
    none: () => PLAIN,
    interpolation: () => interpolated(D_HEAD, factor, BASE),
    ntk: () => ntkAware(D_HEAD, factor, BASE),
    yarn: () => yarn(D_HEAD, factor, TRAINED, BASE),
    llama3: () => llama3(D_HEAD, factor, TRAINED, BASE),
  })[scaling]();

const degrees = (angle) => fixed((angle * 180) / Math.PI, 1);
const on = (angle, share = 1) => [
  DIAL.x + DIAL.radius * share * Math.cos(angle),
  DIAL.y - DIAL.radius * share * Math.sin(angle),
];
const at = (angle) =>
  on(angle)
    .map((value) => value.toFixed(2))
    .join(" ");

// From 0, the right end of the circle, counter-clockwise to an angle.
const arc = (angle) => {
  const { radius } = DIAL;
  const half = `A${radius} ${radius} 0 0 0 `;
  if (angle >= ROUND) return `M${at(0)}${half}${at(Math.PI)}${half}${at(0)}`;
  return `M${at(0)}A${radius} ${radius} 0 ${angle > Math.PI ? 1 : 0} 0 ${at(angle)}`;
};

// How far an angle is from the seen ones, 0 among them. Under a causal mask keys come before the
// query: the distances of the training fill the circle from 0 to ω (TRAINED − 1).
const beyond = (omega, now, distance) => {
  const [limit, angle] = [omega * (TRAINED - 1), (now * distance) % ROUND];
  return limit >= ROUND || angle <= limit * (1 + 1e-12) ? 0 : Math.min(angle - limit, ROUND - angle);
};

// An angle is "hardly new" beside seen ones.
const stateOf = (omega, now, distance) => {
  const far = beyond(omega, now, distance);
  return !far ? "seen" : far < HARDLY ? "hardly new" : "new";
};

// Inside the dial, from the hand without scaling back to the stretched one; nothing where that is
// more than once round.
const back = (turned, angle) => {
  if (turned >= ROUND) return "";
  const [[x, y], [fromX, fromY]] = [on(angle, DIAL.inner), on(angle + turned, DIAL.inner)];
  const radius = (DIAL.radius * DIAL.inner).toFixed(2);
  const arc = `A${radius} ${radius} 0 ${turned > Math.PI ? 1 : 0} 1`;
  return `M${fromX.toFixed(2)} ${fromY.toFixed(2)}${arc} ${x.toFixed(2)} ${y.toFixed(2)}`;
};

export const dialShapes = (i, omega, now, distance) => {
  const { x, y } = DIAL;
  const limit = omega * (TRAINED - 1);
  const [plain, angle] = [omega * distance, now * distance];
  const [old, state] = [omega, now].map((turning) => stateOf(omega, turning, distance));
  const [hx, hy] = on(angle);
  const before = { stroke: "soft", strokeWidth: 2, mark: "before", visibility: omega === now ? "hidden" : "inherit" };
  const [mark, isNew, color] = [MARKS[state], state === "new", state === "new" ? "accent" : "main"];
  const cross = { stroke: "accent", strokeWidth: 4, strokeLinecap: "round" };
  const dot = { fill: state === "seen" ? "main" : "paper", stroke: "main", strokeWidth: 2 };
  const ratio = omega / now;
  const weight = isNew || old === "new" ? { style: "font-weight: 650" } : {};
  return [
    rim(DIAL),
    outline(arc(limit), { stroke: "main", strokeWidth: 18, strokeOpacity: 0.45, mark: "arc" }),
    outline(back(plain - angle, angle), { ...before, strokeWidth: 1.5 }),
    line(x, y, ...on(plain), { ...before, strokeDasharray: "3 4" }),
    circle(...on(plain), 5, { ...before, fill: old === "seen" ? "soft" : "paper" }),
    line(x, y, hx, hy, { stroke: color, strokeWidth: 4, strokeLinecap: "round", mark }),
    circle(hx, hy, 6, { ...dot, mark, visibility: isNew ? "hidden" : "inherit" }),
    path(`M${hx - 6} ${hy - 6}l12 12m-12 0l12 -12`, { ...cross, mark, visibility: isNew ? "inherit" : "hidden" }),
    text(x, 146, `pair ${i}: ω ${Math.abs(ratio - 1) < 1e-12 ? `= ${short(now)}` : `÷ ${short(ratio)}`}`, "middle"),
    text(x, 166, limit >= ROUND ? "all angles seen" : `seen up to ${degrees(limit)}°`, "middle"),
    text(x, 186, old === state ? state : `${old} → ${state}`, "middle", weight),
  ];
};

// The largest distance up to which all angles are seen ones; the slowest pair ends the search: it
// never comes round.
const reachOf = (now) => {
  let reach = 0;
  while (PLAIN.every((omega, i) => !beyond(omega, now[i], reach + 1))) reach += 1;
  return reach;
};

const listed = (numbers, one, many) =>
  `${numbers.length < 2 ? "pair" : "pairs"} ${joined(numbers)} ${numbers.length < 2 ? one : many}`;

const found = (states) => {
  const pairs = (wanted) => states.flatMap((state, i) => (state === wanted ? [i] : []));
  const [fresh, hardly] = [pairs("new"), pairs("hardly new")];
  const parts = [
    fresh.length && `{new|${listed(fresh, "comes to a new angle", "come to new angles")}}`,
    hardly.length && `{hardly|${listed(hardly, "is", "are")}} less than 15° from seen angles`,
  ];
  return parts.filter(Boolean).join(", and ") || "{seen|all pairs show angles that they have seen}";
};

const sentence = ({ scaling, factor, distance }, now, read = String) => {
  const [name] = SCALINGS.find(([, value]) => value === scaling);
  const how = scaling === "none" ? "No scaling" : `${name[0].toUpperCase()}${name.slice(1)}, factor ${short(factor)}`;
  const states = now.map((turning, i) => stateOf(PLAIN[i], turning, distance));
  return (
    `${how}, ${distance === 1 ? "1 token" : `${read(distance)} tokens`} apart: ${found(states)}; ` +
    `all stay among {arc|seen angles} up to distance ${reachOf(now)}.`
  );
};

// What is drawn how. Below the dials: so these are in sight while a slider is moved on a phone.
const LEGEND = [
  [path("M2 6H28", { stroke: "main", strokeWidth: 10, strokeOpacity: 0.45 }), "seen in training"],
  [circle(15, 6, 5, { fill: "main" }), "now: seen"],
  [circle(15, 6, 5, { fill: "paper", stroke: "main", strokeWidth: 2 }), "hardly new"],
  [path("M10 1l10 10m-10 0l10 -10", { stroke: "accent", strokeWidth: 3.5, strokeLinecap: "round" }), "new"],
  [path("M2 6H28", { stroke: "soft", strokeWidth: 2, strokeDasharray: "3 4" }), "without scaling"],
];
function render({ model, el }) {
  const dials = times(D_HEAD / 2, (i) =>
    drawing(DIAL.width, DIAL.height, `Pair ${i}: the angles seen in training, and the angle now`),
  );
  const key = legend(LEGEND);

  const update = (state, read) => {
    const now = stretched(state.scaling, state.factor);
    dials.forEach((dial, i) => dial.draw(dialShapes(i, PLAIN[i], now[i], state.distance)));
    key.lastElementChild.style.visibility = state.scaling === "none" ? "hidden" : ""; // then there is no second hand
    return sentence(state, now, read);
  };
  const longest =
    "Position interpolation, factor 0.0, 000 tokens apart: pairs 0 and 0 come to new angles, and pairs 0 and 0 are " +
    "less than 15° from seen angles; all stay among seen angles up to distance 000.";
  const figure = movingFigure(model, el, update, {
    title: "Beyond the angles of training",
    names: ["distance", "scaling", "factor"],
    marks: { new: "accent", hardly: "main", seen: "main", arc: "main" },
    longest: { said: [longest] },
  });
  figure.play("distance", { perSecond: 24 });
  figure.slider("distance", "distance", { basis: "150px", glide: true });
  figure.select(["scaling"], "scaling", SCALINGS, { basis: "205px" });
  figure.slider("factor", "factor", { step: 0.5, show: (value) => short(value), basis: "110px" });
  return figure.start(...dials, key);
}

export default { render };
