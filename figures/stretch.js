// Which angles a pair has seen in training, and how frequencies are stretched so that a
// longer text stays among them.

import { movingFigure } from "./base.js";
import { rim } from "./dial.js";
import { circle, drawing, element, fixed, joined, line, outline, path, sample, short, text, times } from "./drawing.js";
import { interpolated, llama3, ntkAware, rotaryFrequencies, yarn } from "./rotary.js";

const D_HEAD = 8;
const BASE = 10000;
const ROUND = 2 * Math.PI;
const MARKS = { seen: "seen", "hardly new": "hardly", new: "new" };
const HARDLY = Math.PI / 12; // nearer than 15° to a seen angle, a new one is hardly new
const DIAL = { width: 138, height: 190, inner: 0.62, x: 69, y: 66, radius: 56 };

const stretched = (scaling, factor, trained) =>
  ({
    none: () => rotaryFrequencies(D_HEAD, BASE),
    interpolation: () => interpolated(D_HEAD, factor, BASE),
    ntk: () => ntkAware(D_HEAD, factor, BASE),
    yarn: () => yarn(D_HEAD, factor, trained, BASE),
    llama3: () => llama3(D_HEAD, factor, trained, BASE),
  })[scaling]();

const degrees = (angle) => fixed((angle * 180) / Math.PI, 1);
// An angle as a dial shows it, after the turns that it does not show.
const inTurns = (angle) => {
  const turns = Math.floor(angle / ROUND);
  return `${turns ? `${turns} turn${turns > 1 ? "s" : ""} and ` : ""}${degrees(angle - turns * ROUND)}°`;
};
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
// query: the distances of the training, 0 … trained − 1, fill the circle from 0 to ω (trained − 1).
const beyond = (omega, now, distance, trained) => {
  const [limit, angle] = [omega * (trained - 1), (now * distance) % ROUND];
  return limit >= ROUND || angle <= limit * (1 + 1e-12) ? 0 : Math.min(angle - limit, ROUND - angle);
};

// An angle is "hardly new" beside seen ones.
const stateOf = (omega, now, distance, trained) => {
  const far = beyond(omega, now, distance, trained);
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

export const dialShapes = (i, omega, now, distance, trained) => {
  const { x, y } = DIAL;
  const limit = omega * (trained - 1);
  const [plain, angle] = [omega * distance, now * distance];
  const [old, state] = [omega, now].map((turning) => stateOf(omega, turning, distance, trained));
  const [hx, hy] = on(angle);
  const before = { stroke: "soft", strokeWidth: 2, mark: "before", visibility: omega === now ? "hidden" : "visible" };
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
    circle(hx, hy, 6, { ...dot, mark, visibility: isNew ? "hidden" : "visible" }),
    path(`M${hx - 6} ${hy - 6}l12 12m-12 0l12 -12`, { ...cross, mark, visibility: isNew ? "visible" : "hidden" }),
    text(x, 146, `pair ${i}: ω ${Math.abs(ratio - 1) < 1e-12 ? `= ${short(now)}` : `÷ ${short(ratio)}`}`, "middle"),
    text(x, 166, limit >= ROUND ? "all angles seen" : `seen up to ${degrees(limit)}°`, "middle"),
    text(x, 186, old === state ? state : `${old} → ${state}`, "middle", weight),
  ];
};

// The largest distance up to which all angles are seen ones; the slowest pair ends the search: it
// never comes round.
const reachOf = (now, trained) => {
  const plain = rotaryFrequencies(D_HEAD, BASE);
  let reach = 0;
  while (plain.every((omega, i) => !beyond(omega, now[i], reach + 1, trained))) reach += 1;
  return reach;
};

// How many times more slowly each pair turns: exactly 1 where only rounding has changed it.
const slowdowns = (plain, now) => plain.map((omega, i) => (Math.abs(omega / now[i] - 1) < 1e-12 ? 1 : omega / now[i]));

// What each rule gains, and what it costs in which pair.
const LOOK = `
.moving-figure .stretch-table { width: 100%; overflow-x: auto; }
.moving-figure table { width: 100%; max-width: 620px; margin: 0 auto; border-collapse: collapse; font-size: 14px;
  line-height: 1.3; font-variant-numeric: tabular-nums; }
.moving-figure table :is(th, td) { padding: 2px 4px; border: 0; text-align: right; font-weight: 400;
  background: none; color: inherit; }
.moving-figure table td { white-space: nowrap; min-width: 3em; }
.moving-figure table :is(th:first-child, caption) { text-align: left; padding-left: 0; }
.moving-figure table caption { caption-side: top; padding: 0 0 2px; color: inherit; }
.moving-figure table thead th { vertical-align: bottom; color: var(--ex-soft);
  border-bottom: 1px solid var(--ex-line); }
.moving-figure table tr.chosen > * { font-weight: 650; }
@media (max-width: 600px) { .moving-figure table { font-size: 13px; } }
`;

function comparison() {
  const heading = (name) => element("th", { scope: "col" }, name);
  const caption = element("caption");
  const rows = SCALINGS.map(([name]) => {
    const cells = times(D_HEAD / 2 + 1, () => element("td"));
    return { cells, row: element("tr", {}, element("th", { scope: "row" }, name), ...cells) };
  });
  const headings = ["scaling", "pair 0", "1", "2", "3", "seen up to"].map(heading);
  const head = element("thead", {}, element("tr", {}, ...headings));
  const node = element("table", {}, caption, head, element("tbody", {}, ...rows.map(({ row }) => row)));
  let filled = "";
  const update = ({ scaling, factor, trained }) => {
    rows.forEach(({ row }, k) => row.classList.toggle("chosen", SCALINGS[k][1] === scaling));
    if (filled === `${factor} ${trained}`) return;
    filled = `${factor} ${trained}`;
    caption.textContent =
      `Factor ${short(factor)}: how many times smaller the steps of each pair become, which is the cost, ` +
      "and up to which distance all angles are seen";
    const plain = rotaryFrequencies(D_HEAD, BASE);
    rows.forEach(({ cells }, k) => {
      const now = stretched(SCALINGS[k][1], factor, trained);
      const texts = [...slowdowns(plain, now).map((ratio) => short(ratio)), reachOf(now, trained)];
      cells.forEach((cell, c) => (cell.textContent = texts[c]));
    });
  };
  return { node: element("div", { class: "stretch-table" }, node), update };
}

const listed = (numbers, one, many) =>
  `${numbers.length < 2 ? "pair" : "pairs"} ${joined(numbers)} ${numbers.length < 2 ? one : many}`;

// What a rule costs: in which pairs a step is smaller, and how many times.
const costOf = (ratios) => {
  const numbers = ratios.map((_, i) => i);
  const [kept, slow] = [numbers.filter((i) => ratios[i] === 1), numbers.filter((i) => ratios[i] !== 1)];
  if (!slow.length) return "All pairs keep their steps.";
  const different = new Set(slow.map((i) => short(ratios[i])));
  const ratio = joined(different.size < 2 ? [...different] : slow.map((i) => short(ratios[i])));
  const turn = `turn ${ratio} times more slowly`;
  const who = kept.length
    ? `${listed(kept, "keeps its step", "keep their steps")}, ${listed(slow, turn.replace("turn", "turns"), turn)}`
    : `all pairs ${turn}`;
  return `The cost: ${who}, and there neighbors are more alike.`;
};
const found = (states) => {
  const pairs = (wanted) => states.flatMap((state, i) => (state === wanted ? [i] : []));
  const [fresh, hardly] = [pairs("new"), pairs("hardly new")];
  const parts = [
    fresh.length && `{new|${listed(fresh, "comes to a new angle", "come to new angles")}}`,
    hardly.length && `{hardly|${listed(hardly, "is", "are")}} less than 15° from seen angles`,
  ];
  return parts.filter(Boolean).join(", and ") || "{seen|all pairs show angles that they have seen}";
};

// The rest of what is to be read: what each pair is at, and what the rule costs.
const numbers = (distance, scaling, factor, trained) => {
  const plain = rotaryFrequencies(D_HEAD, BASE);
  const now = stretched(scaling, factor, trained);
  const [reach, ratios] = [reachOf(now, trained), slowdowns(plain, now)];
  // Who leaves first; where a rule slows it less than the factor, this is why.
  const leaving = plain.map((_, i) => i).filter((i) => beyond(plain[i], now[i], reach + 1, trained));
  const less = leaving.length === 1 && ratios[leaving[0]] < factor * (1 - 1e-12) ? ratios[leaving[0]] : factor;
  const why =
    scaling === "none" || less === factor
      ? ""
      : less === 1
        ? ": it keeps its step"
        : `: it turns ${short(less)} times more slowly, not ${short(factor)}`;
  const angles = now.map(
    (omega, i) => `pair ${i} ${inTurns(omega * distance)}, in steps of ${short((omega * 180) / Math.PI)}°`,
  );
  return (
    `Trained on ${trained} tokens. Beyond distance ${reach} ` +
    `${listed(leaving, "leaves", "leave")} the seen angles${why}. ` +
    `${costOf(ratios)} The angles now: ${angles.join("; ")}.`
  );
};

// The longest of it, by rule, and a word more: lines do not break alike.
const roomFor = (trained) => {
  const [least, most] = LIMITS.factor;
  const far = LIMITS.distance[1];
  return SCALINGS.map(([, scaling]) => {
    const texts = times(2 * (most - least) + 1, (k) => numbers(far, scaling, least + k / 2, trained));
    return `${texts.reduce((a, b) => (b.length > a.length ? b : a))} 000.0° 000`;
  });
};

// What is drawn how. Below the dials: so these are in sight while a slider is moved on a phone.
const LEGEND = [
  [path("M2 6H28", { stroke: "main", strokeWidth: 10, strokeOpacity: 0.45 }), "seen in training"],
  [circle(15, 6, 5, { fill: "main" }), "now: seen"],
  [circle(15, 6, 5, { fill: "paper", stroke: "main", strokeWidth: 2 }), "hardly new"],
  [path("M10 1l10 10m-10 0l10 -10", { stroke: "accent", strokeWidth: 3.5, strokeLinecap: "round" }), "new"],
  [path("M2 6H28", { stroke: "soft", strokeWidth: 2, strokeDasharray: "3 4" }), "without scaling"],
];
const legend = () => {
  const style = "display: flex; flex-wrap: wrap; justify-content: center; gap: 0 22px; width: 100%; font-size: 14px";
  const small = "display: inline-block; width: 30px; height: 12px; margin-right: 6px";
  return element("div", { style }, ...LEGEND.map(([shape, name]) => element("span", {}, sample(shape, small), name)));
};

function render({ model, el }) {
  const dials = times(D_HEAD / 2, (i) =>
    drawing(DIAL.width, DIAL.height, `Pair ${i}: the angles seen in training, and the angle now`),
  );
  const [table, key] = [comparison(), legend()];

  const update = (state, read) => {
    const { scaling, factor, trained, distance } = state; // the distance may be between two while it moves
    const plain = rotaryFrequencies(D_HEAD, BASE);
    const now = stretched(scaling, factor, trained);
    dials.forEach((dial, i) => dial.draw(dialShapes(i, plain[i], now[i], distance, trained)));
    table.update(state);
    key.lastElementChild.style.visibility = scaling === "none" ? "hidden" : ""; // then there is no second hand
    const [name] = SCALINGS.find(([, value]) => value === scaling);
    const how = scaling === "none" ? "No scaling" : `${name[0].toUpperCase()}${name.slice(1)}, factor ${short(factor)}`;
    const states = now.map((turning, i) => stateOf(plain[i], turning, distance, trained));
    return {
      said:
        `${how}, ${distance === 1 ? "1 token" : `${read(distance)} tokens`} apart: ${found(states)}; ` +
        `all stay among {arc|seen angles} up to distance ${reachOf(now, trained)}.`,
      more: numbers(distance, scaling, factor, trained),
    };
  };
  const longest =
    "Position interpolation, factor 0.0, 000 tokens apart: pairs 0 and 0 come to new angles, and pairs 0 and 0 are " +
    "less than 15° from seen angles; all stay among seen angles up to distance 000.";
  const figure = movingFigure(model, el, update, {
    title: "Beyond the angles of training",
    names: ["distance", "scaling", "factor", "trained"],
    marks: { new: "accent", hardly: "main", seen: "main", arc: "main" },
    longest: { more: roomFor(model.get("trained")), said: [longest] },
  });
  figure.root.prepend(element("style", {}, LOOK));
  figure.play("distance", { perSecond: 24 });
  figure.slider("distance", "distance", { basis: "150px", glide: true });
  figure.select(["scaling"], "scaling", SCALINGS, { basis: "205px" });
  figure.slider("factor", "factor", { step: 0.5, show: (value) => short(value), basis: "110px" });
  return figure.start(...dials, key, table.node);
}

export default { render };
