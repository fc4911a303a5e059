// Chapter 11: which angles a pair has seen in training, and how frequencies are stretched so that a
// longer text stays among them.
import { interpolated, llama3, ntkAware, rotaryFrequencies, yarn } from "./rotary.js";
import { drawing, explorer, fixed, h, label, move, svg } from "./base.js";
import { choice, showIf } from "./parts.js";

const D_HEAD = 8;
const BASE = 10000;
const ROUND = 2 * Math.PI;
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

// Under a causal mask keys come before the query: the offsets of the training, 0 … trained − 1,
// fill the circle from 0 to ω (trained − 1).
const isSeen = (omega, now, offset, trained) => {
  const limit = omega * (trained - 1);
  return limit >= ROUND || (now * offset) % ROUND <= limit * (1 + 1e-12);
};

function dial(i) {
  const { width, height, x, y, radius } = DIAL;
  const node = drawing(width, height, `Pair ${i}: the angles seen in training, and the angle now`);
  const seenArc = svg("path", { fill: "none", stroke: "var(--ex-main)", "stroke-width": 14, "stroke-opacity": 0.45 });
  const plain = svg("line", { x1: x, y1: y, stroke: "var(--ex-soft)", "stroke-width": 2, "stroke-dasharray": "3 4" });
  const hand = svg("line", { x1: x, y1: y, "stroke-width": 4, "stroke-linecap": "round" });
  const [dot, cross] = [
    svg("circle", { r: 6, fill: "var(--ex-main)" }),
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
    const seen = isSeen(omega, now, offset, trained);
    const [[px, py], [hx, hy]] = [on(before), on(angle)];
    move(seenArc, { d: arc(limit) });
    move(plain, { x2: px, y2: py, visibility: omega === now ? "hidden" : "visible" });
    move(hand, { x2: hx, y2: hy, stroke: `var(--ex-${seen ? "main" : "accent"})` });
    move(dot, { cx: hx, cy: hy, visibility: seen ? "visible" : "hidden" });
    move(cross, {
      d: `M${hx - 6} ${hy - 6}l12 12m-12 0l12 -12`, visibility: seen ? "hidden" : "visible",
    });
    const ratio = omega / now;
    lines[0].textContent = `ω = ${short(now)}${Math.abs(ratio - 1) < 1e-12 ? "" : `, ÷ ${short(ratio)}`}`;
    lines[1].textContent = limit >= ROUND ? "all angles seen" : `seen up to ${degrees(limit)}°`;
    lines[2].textContent = `${degrees(angle % ROUND)}°: ${seen ? "seen" : "unseen"}`;
    lines[3].textContent = `1 step: ${short((now * 180) / Math.PI)}°`;
    lines[2].style.fontWeight = seen ? "" : "650";
    return seen;
  };
  return { node, update };
}

const listed = (numbers) =>
  numbers.length < 2 ? `pair ${numbers[0]} points to an angle that it has not seen`
    : `pairs ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)} point to angles that they have not seen`;

// What is drawn how, above the dials.
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
    const unseen = dials
      .map(({ update: draw }, i) => (draw(plain[i], now[i], offset, trained) ? null : i))
      .filter((i) => i !== null);
    let reach = 0; // the slowest pair ends the search: it never comes round
    while (plain.every((omega, i) => isSeen(omega, now[i], reach + 1, trained))) reach += 1;
    const [name] = SCALINGS.find(([, value]) => value === scaling);
    const how = scaling === "none" ? "No scaling" : `${name[0].toUpperCase()}${name.slice(1)}, factor ${short(factor)}`;
    const found = unseen.length ? listed(unseen) : "all pairs point to angles that they have seen";
    const step = now[0] === plain[0]
      ? `One step turns the fastest pair by ${degrees(now[0])}°.`
      : `One step turns the fastest pair by ${degrees(now[0])}° instead of ${degrees(plain[0])}°.`;
    return `Trained on ${trained} tokens, offset ${offset}. ${how}: ${found}. All pairs stay among seen angles up to offset ${reach}. ${step}`;
  };

  const figure = explorer({
    model, el, update,
    title: "Beyond the angles of training",
    names: ["offset", "scaling", "factor", "trained"],
  });
  figure.slider("offset", "offset", { min: 0, max: 511, basis: "200px" });
  const unlist = choice(figure, model, "scaling", "scaling", SCALINGS, "150px");
  const factor = figure.slider("factor", "factor", { min: 1, max: 8, step: 0.5, show: short, basis: "120px" });
  const fit = () => showIf(factor, model.get("scaling") !== "none");
  model.on("change:scaling", fit);
  fit();
  const key = legend([
    [stroke({ stroke: "var(--ex-main)", "stroke-width": 10, "stroke-opacity": 0.45 }), "seen in training"],
    [stroke({ stroke: "var(--ex-main)", "stroke-width": 4 }), "now"],
    [stroke({ stroke: "var(--ex-soft)", "stroke-width": 2, "stroke-dasharray": "3 4" }), "without scaling"],
  ]);
  const stop = figure.start(key, ...dials.map(({ node }) => node));
  return () => {
    model.off("change:scaling", fit);
    unlist();
    stop();
  };
}

export default { render };
