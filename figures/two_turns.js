// A query and a key are turned by their positions, and the score sees the offset only.

import { all, draggable, drawing, fixed, h, label, move, movingFigure, plainly, polyline, svg } from "./base.js";
import { byHand, handle } from "./parts.js";
import { rotaryFrequencies, rotate } from "./rotary.js";

const PAIRS = 4;
const LAST = LIMITS.m[1];
const DIAL = { width: 138, height: 205, x: 69, y: 62, radius: 56, bar: 191 };
const PLOT = { width: 300, height: 184, left: 30, across: 262, top: 8, tall: 128, half: 60 };
const LINE = { width: 300, height: 62, left: 14, across: 272, y: 32 };
const KINDS = [
  { name: "query", color: "var(--ex-main)", width: 4, dashes: "none", fill: "var(--ex-main)", tip: 4 },
  { name: "key", color: "var(--ex-accent)", width: 2.5, dashes: "6 3", fill: "var(--ex-paper)", tip: 7 },
];

const degrees = (angle) => (angle * 180) / Math.PI;
// The same angle, above −π and up to π.
const wrapped = (angle) => angle - 2 * Math.PI * Math.ceil(angle / (2 * Math.PI) - 0.5);
const product = (u, v) => u.reduce((sum, value, k) => sum + value * v[k], 0);
const short = (value) => String(Number(value.toPrecision(3))).replace("-", "−");
const whole = (turns) => (Math.abs(turns) === 1 ? `${fixed(turns, 0)} turn` : `${fixed(turns, 0)} turns`);
const partOf = (vector, i) => vector.slice(2 * i, 2 * i + 2);

// A second sign beside the color: the query has a disk at its end, the key a dashed line and a ring,
// wide enough to be seen around the disk where both point the same way.
const tip = ({ name, color, fill, tip: r }) =>
  svg("circle", { r, fill, stroke: color, "stroke-width": 2.5, "data-mark": name });

const hand = (kind) => {
  const line = svg("line", {
    x1: DIAL.x,
    y1: DIAL.y,
    stroke: kind.color,
    "stroke-width": kind.width,
    "stroke-dasharray": kind.dashes,
    "pointer-events": "none",
  });
  const end = tip(kind);
  const held = handle(kind.name === "key" ? 15 : 8); // the ring of the key is around the query's disk
  const update = (angle, share) => {
    const [x, y] = [DIAL.x + DIAL.radius * share * Math.cos(angle), DIAL.y - DIAL.radius * share * Math.sin(angle)];
    move(line, { x2: x, y2: y });
    for (const circle of [end, held]) move(circle, { cx: x, cy: y });
  };
  return { node: svg("g", { "data-mark": kind.name }, line, end, held), update };
};

// A bar from a middle to the right for what is above zero, to the left for what is below.
const bar = (x, y, half) => {
  const rect = svg("rect", { y: y - 5, height: 10 });
  const node = svg(
    "g",
    {},
    svg("line", { x1: x - half, x2: x + half, y1: y, y2: y, stroke: "var(--ex-line)" }),
    rect,
    svg("line", { x1: x, x2: x, y1: y - 8, y2: y + 8, stroke: "var(--ex-soft)" }),
  );
  const update = (share) =>
    move(rect, {
      x: x + Math.min(share, 0) * half,
      width: Math.abs(share) * half,
      fill: `var(--ex-${share < 0 ? "blue" : "red"})`,
    });
  return { node, update };
};

function dial(i) {
  const { width, height, x, y, radius } = DIAL;
  const node = drawing(width, height, `Pair ${i}: the query and the key, turned, and the angle between them`);
  const between = svg("path", { fill: "var(--ex-accent)", "fill-opacity": 0.25, stroke: "var(--ex-accent)" });
  const hands = KINDS.map(hand);
  const [name, angle, gives] = [136, 155, 174].map((height) => label(x, height, "", "middle"));
  const part = bar(x, DIAL.bar, radius);
  node.append(
    svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    between,
    ...[...hands].reverse().map((one) => one.node),
    name,
    angle,
    gives,
    part.node,
  );
  // Vectors are drawn as long as they are, the longest of all as long as the radius.
  // `turned` is the whole angle from key to query, with the turns that a dial does not show.
  const update = (omega, query, key, turned, longest, largest) => {
    const vectors = [query, key];
    const angles = vectors.map(([a, b]) => Math.atan2(b, a));
    vectors.forEach((vector, k) => hands[k].update(angles[k], longest && Math.hypot(...vector) / longest));
    const apart = wrapped(angles[0] - angles[1]);
    const [from, to] = [angles[1], angles[1] + apart].map(
      (one) => `${(x + 0.6 * radius * Math.cos(one)).toFixed(2)} ${(y - 0.6 * radius * Math.sin(one)).toFixed(2)}`,
    );
    const round = 0.6 * radius;
    const shown = vectors.every((vector) => Math.hypot(...vector) > 0);
    move(between, { d: shown ? `M${x} ${y}L${from}A${round} ${round} 0 0 ${apart < 0 ? 1 : 0} ${to}Z` : "" });
    const score = product(query, key);
    name.textContent = `pair ${i}: ω = ${Number(omega.toPrecision(3))}`;
    const turns = Math.round((turned - apart) / (2 * Math.PI));
    const seen = `${turns ? `${whole(turns)} and ` : ""}${fixed(degrees(apart), 1)}°`;
    angle.textContent = shown ? seen : "no angle";
    gives.textContent = `gives ${fixed(score)}`;
    part.update(largest && score / largest);
    return { apart: shown ? seen : "no angle", score };
  };
  return { node, update, hands: hands.map((one) => one.node) };
}

const angleAt = ([x, y]) => Math.atan2(DIAL.y - y, x - DIAL.x);

// The score against the offset: while both positions move together, its point stands still.
function plot() {
  const { width, height, left, across, top, tall, half } = PLOT;
  const node = drawing(width, height, "The score against the offset from the query to the key");
  const middle = top + tall / 2;
  const level = (y) => svg("line", { x1: left, x2: left + across, y1: y, y2: y, stroke: "var(--ex-line)" });
  const curve = svg("path", { fill: "none", stroke: "var(--ex-soft)", "stroke-width": 1.2 });
  const [drop, point] = [
    svg("line", { stroke: "var(--ex-ink)", "stroke-dasharray": "2 3", y1: middle }),
    svg("circle", { r: 5, fill: "var(--ex-ink)", "data-mark": "score" }),
  ];
  const ticks = [0, 0.5, 1].map((share) =>
    label(left + share * across, top + tall + 18, "", ["start", "middle", "end"][2 * share]),
  );
  const heights = [1, 0, -1].map((share) => label(left - 5, middle - (share * tall) / 2 + 4, "", "end"));
  node.append(
    ...[top, middle, top + tall].map(level),
    curve,
    drop,
    point,
    ...ticks,
    ...heights,
    label(left + across / 2, height - 6, "score against the offset s − t", "middle"),
  );
  let drawn = "";
  const update = (offset, score, most, scoreAt, vectors) => {
    const center = 2 * half * Math.round(offset / (2 * half));
    const y = (value) => middle - (most ? (value / most) * (tall / 2) : 0);
    const key = JSON.stringify([center, vectors]);
    if (key !== drawn) {
      drawn = key;
      move(curve, {
        d: polyline(all(4 * half + 1, (k) => [left + (across * k) / (4 * half), y(scoreAt(center - half + k / 2))])),
      });
      [-half, 0, half].forEach((shift, k) => (ticks[k].textContent = fixed(center + shift, 0)));
      [most, 0, -most].forEach((value, k) => (heights[k].textContent = short(value)));
    }
    const x = left + across * (0.5 + (offset - center) / (2 * half));
    move(point, { cx: x, cy: y(score) });
    move(drop, { x1: x, x2: x, y2: y(score) });
  };
  return { node, update };
}

// What is said, and in numbers.
const sentence = (m, n, score, read = plainly) => [
  "With the ",
  ["query", `query at ${read(m)}`],
  " and the ",
  ["key", `key at ${read(n)}`],
  " the ",
  ["score", `score is ${fixed(score)}`],
  `: it depends only on the offset s\u00a0−\u00a0t\u00a0=\u00a0${read(n - m)}, ` +
    "so it stays the same when both move together.",
];
const numbers = (parts) =>
  `Angles from key to query: ${parts.map(({ apart }) => apart).join(", ")}. The pairs give ` +
  `${parts.map((part) => fixed(part.score)).join(", ")}; the sum is the score.`;

// The two positions on their line. Dragged, both move.
function positionLine() {
  const { width, height, left, across, y } = LINE;
  const node = drawing(width, height, "The two positions. Dragging moves both.");
  move(node, { style: `${node.getAttribute("style")}; cursor: ew-resize; user-select: none` });
  const gap = svg("line", { y1: y, y2: y, stroke: "var(--ex-accent)", "stroke-width": 6, "stroke-opacity": 0.5 });
  const ends = KINDS.map(tip);
  const names = [label(0, y - 14, "", "middle"), label(0, y + 25, "", "middle")];
  node.append(
    svg("rect", { width, height, fill: "transparent" }),
    svg("line", { x1: left, x2: left + across, y1: y, y2: y, stroke: "var(--ex-soft)" }),
    gap,
    ...[...ends].reverse(),
    ...names,
  );
  const update = (positions, read) => {
    const x = positions.map((t) => left + (across * t) / LAST);
    move(gap, { x1: x[0], x2: x[1] });
    ends.forEach((end, k) => move(end, { cx: x[k], cy: y }));
    names.forEach((name, k) => {
      name.textContent = `${KINDS[k].name} ${"ts"[k]} = ${read(positions[k])}`;
      move(name, { x: Math.min(Math.max(x[k], 44), width - 48) });
    });
  };
  const scale = () => (node.getBoundingClientRect().width / width) * (across / LAST);
  return { node, update, scale };
}

const direction = ([a, b]) => Math.atan2(b, a);

function render({ model, el }) {
  const line = positionLine();
  const dials = Array.from({ length: PAIRS }, (_, i) => dial(i));
  const curve = plot();
  const note = h("p", { style: "width: 100%; margin: 0; font-size: 15px; color: var(--ex-soft)" });
  const sum = drawing(300, 62, "The score, the sum of what the pairs give");
  const [sumName, total] = [label(150, 18, "", "middle"), bar(150, 36, 136)];
  const ends = [-1, 0, 1].map((share) => label(150 + 136 * share, 58, "", "middle"));
  sum.append(sumName, total.node, ...ends);
  move(total.node, { "data-mark": "score" });
  const positions = () => [model.get("m"), model.get("n")];

  const update = () => {
    const [m, n] = ["m", "n"].map(figure.at); // on the way: between two positions
    const omegas = rotaryFrequencies(2 * PAIRS, model.get("base"));
    const [query, key] = [rotate(model.get("query"), m, omegas), rotate(model.get("key"), n, omegas)];
    const given = [model.get("query"), model.get("key")];
    const turned = omegas.map(
      (omega, i) => omega * (m - n) + wrapped(direction(partOf(given[0], i)) - direction(partOf(given[1], i))),
    );
    const alike = given[0].every((value, k) => value === given[1][k]);
    note.textContent =
      `${alike ? "Query and key start as the same vector" : "Query and key start as two vectors that stay as they are"}, ` +
      "so only their positions change the score. These hands start at the right and turn counterclockwise; the hands of sine and cosine start at the top and turn clockwise.";
    const lengths = [query, key].map((vector) => omegas.map((_, i) => Math.hypot(...partOf(vector, i))));
    const longest = Math.max(...lengths.flat());
    const possible = omegas.map((_, i) => lengths[0][i] * lengths[1][i]);
    const parts = dials.map(({ update: draw }, i) =>
      draw(omegas[i], partOf(query, i), partOf(key, i), turned[i], longest, Math.max(...possible)),
    );
    const score = parts.reduce((all, part) => all + part.score, 0);
    const most = possible.reduce((all, part) => all + part, 0);
    line.update([m, n], figure.read);
    output.textContent = both.disabled ? "no room" : `${figure.read(m)}, ${figure.read(n)}`;
    const scoreAt = (offset) => product(rotate(given[0], -offset, omegas), given[1]);
    curve.update(n - m, score, most, scoreAt, [...given, model.get("base")]);
    sumName.textContent = `score, the sum: ${fixed(score)}`;
    total.update(most && score / most);
    [-most, 0, most].forEach((value, k) => (ends[k].textContent = short(value)));
    return { said: sentence(m, n, score, figure.read), more: numbers(parts) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "Turn the query, turn the key",
    names: ["m", "n", "query", "key", "base"],
    marks: { query: "main", key: "accent" },
    longest: {
      said: [sentence(LAST, 0, -1e3)],
      more: [numbers(dials.map(() => ({ apart: "−79 turns and −179.9°", score: -1e3 })))],
    },
  });
  figure.slider("m", "query at t", { basis: "40%", glide: true });
  figure.slider("n", "key at s", { basis: "40%", glide: true });

  // One slider for both: where the earlier of the two stands. The offset stays.
  const moved = (start) => {
    const [m, n] = positions();
    const free = LAST - Math.abs(m - n);
    const by = Math.min(Math.max(start, 0), free) - Math.min(m, n);
    figure.set("m", m + by);
    figure.set("n", n + by);
  };
  const output = h("output", { "aria-hidden": "true" });
  const both = h("input", { type: "range", min: 0, max: LAST, onInput: () => moved(Number(both.value)) });
  const sync = () => {
    const [m, n] = positions();
    both.max = LAST - Math.abs(m - n);
    both.disabled = both.max === "0";
    both.value = Math.min(m, n);
    both.setAttribute("aria-valuetext", `${m} and ${n}`);
  };
  for (const event of ["change:m", "change:n"]) model.on(event, sync);
  sync();
  figure.root
    .querySelector(".ex-controls")
    .append(h("label", { style: "flex-basis: 170px" }, h("span", {}, "both together"), both, output));
  // Both walk, as far as they have room: the hands turn, and the score stands still.
  const ahead = () => positions().map((place) => place - Math.min(...positions()));
  figure.play("m", {
    perSecond: 12,
    place: () => Math.min(...["m", "n"].map(figure.at)),
    values: (place) => ({ m: place + ahead()[0], n: place + ahead()[1] }),
    limits: () => [0, LAST - Math.max(...ahead())],
  });
  dials.forEach(({ node, hands }, i) =>
    hands.forEach((one, k) =>
      byHand(
        one,
        node,
        angleAt,
        (angle, start) => {
          const place = start + angle / rotaryFrequencies(2 * PAIRS, model.get("base"))[i];
          figure.hold({ ["mn"[k]]: Math.min(Math.max(place, 0), LAST) });
        },
        { begin: () => figure.at("mn"[k]), end: figure.settle },
      ),
    ),
  );
  draggable(
    line.node,
    (_event, dx, _dy, start) => moved(Math.round(start + dx / line.scale())),
    () => Math.min(...positions()),
  );

  curve.node.style.order = -1;
  const beside = h("div", { style: "display: grid; gap: 8px; order: -2; max-width: 100%" }, line.node, sum);
  const stop = figure.start(beside, ...dials.map(({ node }) => node), curve.node, note);
  return () => {
    for (const event of ["change:m", "change:n"]) model.off(event, sync);
    stop();
  };
}

export default { render };
