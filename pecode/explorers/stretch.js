// Chapter 11: which angles a pair has seen in training, and how frequencies are stretched so that a
// longer text stays among them.
import { interpolated, llama3, ntkAware, rotaryFrequencies, yarn } from "./rotary.js";
import { drawing, explorer, fixed, h, label, move, svg } from "./base.js";
import { choice } from "./parts.js";

const D_HEAD = 8;
const BASE = 10000;
const ROUND = 2 * Math.PI;
const HARDLY = Math.PI / 12; // nearer than 15° to a seen angle, a new one is hardly new
const DIAL = { width: 138, height: 214, x: 69, y: 66, radius: 56 };
const SCALINGS = [
  ["none", "none"], ["position interpolation", "interpolation"], ["NTK-aware", "ntk"],
  ["YaRN", "yarn"], ["Llama 3", "llama3"],
];

const stretched = (scaling, factor, trained) =>
  ({
    none: () => rotaryFrequencies(D_HEAD, BASE),
    interpolation: () => interpolated(D_HEAD, factor, BASE),
    ntk: () => ntkAware(D_HEAD, factor, BASE),
    yarn: () => yarn(D_HEAD, factor, trained, BASE),
    llama3: () => llama3(D_HEAD, factor, trained, BASE),
  })[scaling]();

const degrees = (angle) => fixed((angle * 180) / Math.PI, 1);
const short = (value) => String(Number(value.toPrecision(3)));
const on = (angle, share = 1) =>
  [DIAL.x + DIAL.radius * share * Math.cos(angle), DIAL.y - DIAL.radius * share * Math.sin(angle)];
const at = (angle) => on(angle).map((value) => value.toFixed(2)).join(" ");

// From 0, the right end of the circle, counter-clockwise to an angle.
const arc = (angle) => {
  const { radius } = DIAL;
  const half = `A${radius} ${radius} 0 0 0 `;
  if (angle >= ROUND) return `M${at(0)}${half}${at(Math.PI)}${half}${at(0)}`;
  return `M${at(0)}A${radius} ${radius} 0 ${angle > Math.PI ? 1 : 0} 0 ${at(angle)}`;
};

// How far an angle is from the seen ones, 0 among them. Under a causal mask keys come before the
// query: the offsets of the training, 0 … trained − 1, fill the circle from 0 to ω (trained − 1).
const beyond = (omega, now, offset, trained) => {
  const [limit, angle] = [omega * (trained - 1), (now * offset) % ROUND];
  return limit >= ROUND || angle <= limit * (1 + 1e-12) ? 0 : Math.min(angle - limit, ROUND - angle);
};

function dial(i) {
  const { width, height, x, y, radius } = DIAL;
  const node = drawing(width, height, `Pair ${i}: the angles seen in training, and the angle now`);
  const seenArc = svg("path", { fill: "none", stroke: "var(--ex-main)", "stroke-width": 18, "stroke-opacity": 0.45 });
  const plain = svg("line", { x1: x, y1: y, stroke: "var(--ex-soft)", "stroke-width": 2, "stroke-dasharray": "3 4" });
  const hand = svg("line", { x1: x, y1: y, "stroke-width": 4, "stroke-linecap": "round" });
  const [dot, cross] = [
    svg("circle", { r: 6, stroke: "var(--ex-main)", "stroke-width": 2 }),
    svg("path", { stroke: "var(--ex-accent)", "stroke-width": 4, "stroke-linecap": "round" }),
  ];
  const lines = [146, 166, 186, 206].map((height) => label(x, height, "", "middle"));
  node.append(
    svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    seenArc, plain, hand, dot, cross, ...lines,
  );
  const update = (omega, now, offset, trained) => {
    const limit = omega * (trained - 1);
    const [before, angle] = [omega * offset, now * offset];
    const far = beyond(omega, now, offset, trained);
    const state = !far ? "seen" : far < HARDLY ? "hardly new" : "new";
    const [[px, py], [hx, hy]] = [on(before), on(angle)];
    move(seenArc, { d: arc(limit) });
    move(plain, { x2: px, y2: py, visibility: omega === now ? "hidden" : "visible" });
    move(hand, { x2: hx, y2: hy, stroke: `var(--ex-${state === "new" ? "accent" : "main"})` });
    move(dot, {
      cx: hx, cy: hy, fill: `var(--ex-${state === "seen" ? "main" : "paper"})`,
      visibility: state === "new" ? "hidden" : "visible",
    });
    move(cross, {
      d: `M${hx - 6} ${hy - 6}l12 12m-12 0l12 -12`, visibility: state === "new" ? "visible" : "hidden",
    });
    const ratio = omega / now;
    lines[0].textContent = `pair ${i}: ω ${Math.abs(ratio - 1) < 1e-12 ? `= ${short(now)}` : `÷ ${short(ratio)}`}`;
    lines[1].textContent = limit >= ROUND ? "all angles seen" : `seen up to ${degrees(limit)}°`;
    lines[2].textContent = `${degrees(angle % ROUND)}°: ${state}`;
    lines[3].textContent = `1 step: ${short((now * 180) / Math.PI)}°`;
    lines[2].style.fontWeight = state === "new" ? "650" : "";
    return state;
  };
  return { node, update };
}

const listed = (numbers, one, many) =>
  numbers.length < 2 ? `pair ${numbers[0]} ${one}`
    : `pairs ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} ${many}`;
const found = (states) => {
  const [fresh, hardly] = ["new", "hardly new"].map((wanted) =>
    states.flatMap((state, i) => (state === wanted ? [i] : [])));
  const parts = [
    fresh.length && listed(fresh, "comes to a new angle", "come to new angles"),
    hardly.length && listed(hardly, "is less than 15° from angles that it has seen", "are less than 15° from angles that they have seen"),
  ];
  return parts.filter(Boolean).join("; ") || "all pairs show angles that they have seen";
};

// What is drawn how. Below the dials: so these are in sight while a slider is moved on a phone.
const legend = (names) =>
  h("div", {
    style: `display: flex; flex-wrap: wrap; justify-content: center; gap: 0 22px; width: 100%; font-size: 14px`,
  }, ...names.map(([shape, text]) =>
    h("span", {}, svg("svg", { style: "display: inline-block; width: 30px; height: 12px; margin-right: 6px", "aria-hidden": "true" }, shape), text)));
const stroke = (attributes) => svg("path", { d: "M2 6H28", ...attributes });

function render({ model, el }) {
  const dials = Array.from({ length: D_HEAD / 2 }, (_, i) => dial(i));

  const update = () => {
    const [offset, scaling, factor, trained] = ["offset", "scaling", "factor", "trained"].map((name) => model.get(name));
    const plain = rotaryFrequencies(D_HEAD, BASE);
    const now = stretched(scaling, factor, trained);
    const states = dials.map(({ update: draw }, i) => draw(plain[i], now[i], offset, trained));
    let reach = 0; // the slowest pair ends the search: it never comes round
    while (plain.every((omega, i) => !beyond(omega, now[i], reach + 1, trained))) reach += 1;
    const [name] = SCALINGS.find(([, value]) => value === scaling);
    const how = scaling === "none" ? "No scaling" : `${name[0].toUpperCase()}${name.slice(1)}, factor ${short(factor)}`;
    const step = now[0] === plain[0]
      ? `One step turns the fastest pair by ${degrees(now[0])}°.`
      : `One step turns the fastest pair by ${degrees(now[0])}° instead of ${degrees(plain[0])}°.`;
    return `Trained on ${trained} tokens, the key ${offset === 1 ? "1 token" : `${offset} tokens`} before the query. ${how}: ${found(states)}. All pairs stay among seen angles up to offset ${reach}. ${step}`;
  };

  const figure = explorer({
    model, el, update,
    title: "Beyond the angles of training",
    names: ["offset", "scaling", "factor", "trained"],
  });
  figure.slider("offset", "offset", { min: 0, max: 511, basis: "200px" });
  const unlist = choice(figure, model, "scaling", "scaling", SCALINGS, "200px");
  const factor = figure.slider("factor", "factor", { min: 1, max: 8, step: 0.5, show: short, basis: "120px" });
  const key = legend([
    [stroke({ stroke: "var(--ex-main)", "stroke-width": 10, "stroke-opacity": 0.45 }), "seen in training"],
    [svg("circle", { cx: 15, cy: 6, r: 5, fill: "var(--ex-main)" }), "now: seen"],
    [svg("circle", { cx: 15, cy: 6, r: 5, fill: "var(--ex-paper)", stroke: "var(--ex-main)", "stroke-width": 2 }), "hardly new"],
    [svg("path", { d: "M10 1l10 10m-10 0l10 -10", stroke: "var(--ex-accent)", "stroke-width": 3.5, "stroke-linecap": "round" }), "new"],
    [stroke({ stroke: "var(--ex-soft)", "stroke-width": 2, "stroke-dasharray": "3 4" }), "without scaling"],
  ]);
  // Without a rule there is nothing to divide by, and no second hand.
  const fit = () => {
    const used = model.get("scaling") !== "none";
    factor.disabled = !used;
    const value = used ? short(model.get("factor")) : "not used";
    factor.nextElementSibling.textContent = value;
    factor.setAttribute("aria-valuetext", value);
    key.lastElementChild.style.visibility = used ? "" : "hidden";
  };
  for (const event of ["change:scaling", "change:factor"]) model.on(event, fit);
  fit();
  const stop = figure.start(...dials.map(({ node }) => node), key);
  return () => {
    for (const event of ["change:scaling", "change:factor"]) model.off(event, fit);
    unlist();
    stop();
  };
}

export default { render };
