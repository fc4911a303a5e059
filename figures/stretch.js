// Which angles a pair has seen in training, and how frequencies are stretched so that a
// longer text stays among them.

import { drawing, fixed, h, label, move, movingFigure, svg } from "./base.js";
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
const short = (value) => String(Number(value.toPrecision(3)));
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
  return `M${fromX.toFixed(2)} ${fromY.toFixed(2)}A${radius} ${radius} 0 ${turned > Math.PI ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}`;
};

function dial(i) {
  const { width, height, x, y, radius } = DIAL;
  const node = drawing(width, height, `Pair ${i}: the angles seen in training, and the angle now`);
  const seenArc = svg("path", {
    fill: "none",
    stroke: "var(--ex-main)",
    "stroke-width": 18,
    "stroke-opacity": 0.45,
    "data-mark": "arc",
  });
  const [plain, before] = [
    svg("line", {
      x1: x,
      y1: y,
      stroke: "var(--ex-soft)",
      "stroke-width": 2,
      "stroke-dasharray": "3 4",
      "data-mark": "before",
    }),
    svg("circle", { r: 5, stroke: "var(--ex-soft)", "stroke-width": 2, "data-mark": "before" }),
  ];
  const way = svg("path", { fill: "none", stroke: "var(--ex-soft)", "stroke-width": 1.5, "data-mark": "before" });
  const hand = svg("line", { x1: x, y1: y, "stroke-width": 4, "stroke-linecap": "round" });
  const [dot, cross] = [
    svg("circle", { r: 6, stroke: "var(--ex-main)", "stroke-width": 2 }),
    svg("path", { stroke: "var(--ex-accent)", "stroke-width": 4, "stroke-linecap": "round" }),
  ];
  const lines = [146, 166, 186].map((height) => label(x, height, "", "middle"));
  node.append(
    svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    seenArc,
    way,
    plain,
    before,
    hand,
    dot,
    cross,
    ...lines,
  );
  const update = (omega, now, distance, trained) => {
    const limit = omega * (trained - 1);
    const [plainAngle, angle] = [omega * distance, now * distance];
    const [old, state] = [omega, now].map((turning) => stateOf(omega, turning, distance, trained));
    const [[px, py], [hx, hy]] = [on(plainAngle), on(angle)];
    const visibility = omega === now ? "hidden" : "visible";
    move(seenArc, { d: arc(limit) });
    move(plain, { x2: px, y2: py, visibility });
    move(before, { cx: px, cy: py, fill: `var(--ex-${old === "seen" ? "soft" : "paper"})`, visibility });
    move(way, { d: back(plainAngle - angle, angle), visibility });
    move(hand, {
      x2: hx,
      y2: hy,
      stroke: `var(--ex-${state === "new" ? "accent" : "main"})`,
      "data-mark": MARKS[state],
    });
    move(dot, {
      cx: hx,
      cy: hy,
      fill: `var(--ex-${state === "seen" ? "main" : "paper"})`,
      visibility: state === "new" ? "hidden" : "visible",
      "data-mark": MARKS[state],
    });
    move(cross, {
      d: `M${hx - 6} ${hy - 6}l12 12m-12 0l12 -12`,
      visibility: state === "new" ? "visible" : "hidden",
      "data-mark": MARKS[state],
    });
    const ratio = omega / now;
    lines[0].textContent = `pair ${i}: ω ${Math.abs(ratio - 1) < 1e-12 ? `= ${short(now)}` : `÷ ${short(ratio)}`}`;
    lines[1].textContent = limit >= ROUND ? "all angles seen" : `seen up to ${degrees(limit)}°`;
    lines[2].textContent = old === state ? state : `${old} → ${state}`;
    lines[2].style.fontWeight = state === "new" || old === "new" ? "650" : "";
    return state;
  };
  return { node, update };
}

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
.moving-figure table thead th { vertical-align: bottom; color: var(--ex-soft); border-bottom: 1px solid var(--ex-line); }
.moving-figure table tr.chosen > * { font-weight: 650; }
@media (max-width: 600px) { .moving-figure table { font-size: 13px; } }
`;

function comparison() {
  const heading = (text) => h("th", { scope: "col" }, text);
  const caption = h("caption");
  const rows = SCALINGS.map(([name]) => {
    const cells = Array.from({ length: D_HEAD / 2 + 1 }, () => h("td"));
    return { cells, row: h("tr", {}, h("th", { scope: "row" }, name), ...cells) };
  });
  const node = h(
    "table",
    {},
    caption,
    h("thead", {}, h("tr", {}, ...["scaling", "pair 0", "1", "2", "3", "seen up to"].map(heading))),
    h("tbody", {}, ...rows.map(({ row }) => row)),
  );
  let filled = "";
  const update = (scaling, factor, trained) => {
    rows.forEach(({ row }, k) => row.classList.toggle("chosen", SCALINGS[k][1] === scaling));
    if (filled === `${factor} ${trained}`) return;
    filled = `${factor} ${trained}`;
    caption.textContent = `Factor ${short(factor)}: how many times smaller the steps of each pair become, which is the cost, and up to which distance all angles are seen`;
    const plain = rotaryFrequencies(D_HEAD, BASE);
    rows.forEach(({ cells }, k) => {
      const now = stretched(SCALINGS[k][1], factor, trained);
      const texts = [...slowdowns(plain, now).map(short), String(reachOf(now, trained))];
      cells.forEach((cell, c) => (cell.textContent = texts[c]));
    });
  };
  return { node: h("div", { class: "stretch-table" }, node), update };
}

const joined = (parts) =>
  parts.length < 2 ? String(parts[0]) : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
const listed = (numbers, one, many) =>
  `${numbers.length < 2 ? "pair" : "pairs"} ${joined(numbers)} ${numbers.length < 2 ? one : many}`;

// What a rule costs: in which pairs a step is smaller, and how many times.
const costOf = (ratios) => {
  const numbers = ratios.map((_, i) => i);
  const [kept, slow] = [numbers.filter((i) => ratios[i] === 1), numbers.filter((i) => ratios[i] !== 1)];
  if (!slow.length) return "All pairs keep their steps.";
  const times = new Set(slow.map((i) => short(ratios[i])));
  const turn = `turn ${joined(times.size < 2 ? [...times] : slow.map((i) => short(ratios[i])))} times more slowly`;
  const who = kept.length
    ? `${listed(kept, "keeps its step", "keep their steps")}, ${listed(slow, turn.replace("turn", "turns"), turn)}`
    : `all pairs ${turn}`;
  return `The cost: ${who}, and there neighbors are more alike.`;
};
const found = (states) => {
  const [fresh, hardly] = ["new", "hardly new"].map((wanted) =>
    states.flatMap((state, i) => (state === wanted ? [i] : [])),
  );
  const parts = [
    fresh.length && [["new", listed(fresh, "comes to a new angle", "come to new angles")]],
    hardly.length && [["hardly", listed(hardly, "is", "are")], " less than 15° from seen angles"],
  ].filter(Boolean);
  if (!parts.length) return [["seen", "all pairs show angles that they have seen"]];
  return parts.length < 2 ? parts[0] : [...parts[0], ", and ", ...parts[1]];
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
    `Trained on ${trained} tokens. Beyond distance ${reach} ${listed(leaving, "leaves", "leave")} the seen angles${why}. ` +
    `${costOf(ratios)} The angles now: ${angles.join("; ")}.`
  );
};

// The longest of it, by rule, and a word more: lines do not break alike.
const roomFor = (trained) => {
  const [least, most] = LIMITS.factor;
  const far = LIMITS.distance[1];
  return SCALINGS.map(([, scaling]) => {
    const texts = Array.from({ length: 2 * (most - least) + 1 }, (_, k) =>
      numbers(far, scaling, least + k / 2, trained),
    );
    return `${texts.reduce((a, b) => (b.length > a.length ? b : a))} 000.0° 000`;
  });
};

// What is drawn how. Below the dials: so these are in sight while a slider is moved on a phone.
const legend = (names) =>
  h(
    "div",
    {
      style: `display: flex; flex-wrap: wrap; justify-content: center; gap: 0 22px; width: 100%; font-size: 14px`,
    },
    ...names.map(([shape, text]) =>
      h(
        "span",
        {},
        svg(
          "svg",
          { style: "display: inline-block; width: 30px; height: 12px; margin-right: 6px", "aria-hidden": "true" },
          shape,
        ),
        text,
      ),
    ),
  );
const stroke = (attributes) => svg("path", { d: "M2 6H28", ...attributes });

function render({ model, el }) {
  const dials = Array.from({ length: D_HEAD / 2 }, (_, i) => dial(i));
  const table = comparison();

  const update = () => {
    const [scaling, factor, trained] = ["scaling", "factor", "trained"].map((name) => model.get(name));
    const plain = rotaryFrequencies(D_HEAD, BASE);
    const now = stretched(scaling, factor, trained);
    const distance = figure.at("distance"); // between two while it moves
    const states = dials.map(({ update: draw }, i) => draw(plain[i], now[i], distance, trained));
    table.update(scaling, factor, trained);
    const [name] = SCALINGS.find(([, value]) => value === scaling);
    const how = scaling === "none" ? "No scaling" : `${name[0].toUpperCase()}${name.slice(1)}, factor ${short(factor)}`;
    return {
      said: [
        `${how}, ${distance === 1 ? "1 token" : `${figure.read(distance)} tokens`} apart: `,
        ...found(states),
        "; all stay among ",
        ["arc", "seen angles"],
        ` up to distance ${reachOf(now, trained)}.`,
      ],
      more: numbers(distance, scaling, factor, trained),
    };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "Beyond the angles of training",
    names: ["distance", "scaling", "factor", "trained"],
    marks: { new: "accent", hardly: "main", seen: "main", arc: "main" },
    longest: {
      more: roomFor(model.get("trained")),
      said: [
        "Position interpolation, factor 0.0, 000 tokens apart: pairs 0 and 0 come to new angles, and pairs 0 and 0 are less than 15° from seen angles; all stay among seen angles up to distance 000.",
      ],
    },
  });
  figure.root.prepend(h("style", {}, LOOK));
  figure.play("distance", { perSecond: 24 });
  figure.slider("distance", "distance", { basis: "150px", glide: true });
  figure.select(["scaling"], "scaling", SCALINGS, { basis: "205px" });
  figure.slider("factor", "factor", { step: 0.5, show: short, basis: "110px" });
  const key = legend([
    [stroke({ stroke: "var(--ex-main)", "stroke-width": 10, "stroke-opacity": 0.45 }), "seen in training"],
    [svg("circle", { cx: 15, cy: 6, r: 5, fill: "var(--ex-main)" }), "now: seen"],
    [
      svg("circle", { cx: 15, cy: 6, r: 5, fill: "var(--ex-paper)", stroke: "var(--ex-main)", "stroke-width": 2 }),
      "hardly new",
    ],
    [
      svg("path", {
        d: "M10 1l10 10m-10 0l10 -10",
        stroke: "var(--ex-accent)",
        "stroke-width": 3.5,
        "stroke-linecap": "round",
      }),
      "new",
    ],
    [stroke({ stroke: "var(--ex-soft)", "stroke-width": 2, "stroke-dasharray": "3 4" }), "without scaling"],
  ]);
  // Without a rule there is no second hand.
  const fit = () => (key.lastElementChild.style.visibility = model.get("scaling") === "none" ? "hidden" : "");
  model.on("change:scaling", fit);
  fit();
  const stop = figure.start(...dials.map(({ node }) => node), key, table.node);
  return () => {
    model.off("change:scaling", fit);
    stop();
  };
}

export default { render };
