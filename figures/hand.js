// One hand, turned by ωΔ from wherever it stands, and the four numbers that turn it.

import { all, drawing, fixed, label, move, movingFigure, plainly, polyline, svg } from "./base.js";
import { turn } from "./encodings.js";
import { byHand, handle } from "./parts.js";

const DIAL = { width: 250, height: 232, x: 125, y: 114, radius: 88 };
const BOARD = { width: 335, height: 168, cell: 60, tall: 54, top: 52 };

// Sine across, cosine up: a hand starts at the top and turns clockwise.
const tipAt = (angle, radius = DIAL.radius) => [DIAL.x + radius * Math.sin(angle), DIAL.y - radius * Math.cos(angle)];
const angleAt = ([x, y]) => Math.atan2(x - DIAL.x, DIAL.y - y);
const degrees = (angle) => `${fixed((angle * 180) / Math.PI, 1)}°`;

const hand = (mark, color, width, tip, reach) => {
  const line = svg("line", { x1: DIAL.x, y1: DIAL.y, stroke: color, "stroke-width": width, "stroke-linecap": "round" });
  const ends = [svg("circle", { r: tip, fill: color }), handle(reach)];
  const update = (angle) => {
    const [x, y] = tipAt(angle);
    move(line, { x2: x, y2: y });
    for (const end of ends) move(end, { cx: x, cy: y });
  };
  return { node: svg("g", { "data-mark": mark }, line, ...ends), update };
};

// The way from one angle to another, with an arrow. It grows, so that whole turns show.
const way = (from, to) => {
  const steps = Math.max(Math.ceil(Math.abs(to - from) / 0.1), 1);
  const at = (share, out = 0) => {
    const angle = from + (to - from) * share;
    return tipAt(angle, 44 + 1.5 * Math.abs(angle - from) + out);
  };
  const back = 1 - 0.14 / Math.abs(to - from); // where the head of the arrow begins
  const line = all(steps + 1, (k) => at(k / steps));
  return polyline(back < 0 ? line : [...line, at(back, 6), at(1), at(back, -6)]);
};

// A number on a ground that is red above zero and blue below, pale enough to be read on.
function cell(x, y, mark, name = "") {
  const { cell: width, tall } = BOARD;
  const ground = svg("rect", { x, y, width, height: tall, stroke: "var(--ex-line)", "data-mark": mark });
  const value = label(x + width / 2, y + (name ? 24 : 33), "", "middle");
  move(value, { style: "font-size: 15px; font-variant-numeric: tabular-nums" });
  const update = (number) => {
    value.textContent = fixed(number, 3);
    move(ground, {
      fill: `color-mix(in oklab, var(--ex-${number < 0 ? "blue" : "red"}) ${(42 * Math.min(Math.abs(number), 1)).toFixed(1)}%, var(--ex-paper))`,
    });
  };
  return { nodes: [ground, value, label(x + width / 2, y + 44, name, "middle")], update };
}

const sentence = (position, offset, omega, read = plainly) => {
  const angle = `ωΔ = ${fixed(omega * offset)}`;
  return [
    `T(${read(offset)}) turns the hand by ${angle} wherever it stands: `,
    ["now", `position ${read(position)}`],
    " becomes ",
    ["moved", `position ${read(position + offset)}`],
    ", and ",
    ["matrix", "the four numbers"],
    " do not know where it started.",
  ];
};
const numbers = (block, now, moved, angle) =>
  `${degrees(angle)}; ` +
  ["sine", "cosine"]
    .map(
      (name, row) =>
        `${name}: ${fixed(moved[row], 3)} = ${block[row].map((value, k) => `(${fixed(value, 3)}) · (${fixed(now[k], 3)})`).join(" + ")}`,
    )
    .join("; ") +
  ".";

function render({ model, el }) {
  const { x, y, radius } = DIAL;
  const dial = drawing(DIAL.width, DIAL.height, "The hand at the position, and turned");
  const arc = svg("path", { fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2, "data-mark": "moved" });
  const [now, moved] = [hand("now", "var(--ex-main)", 4, 7, 10), hand("moved", "var(--ex-accent)", 3, 10, 18)];
  const angleName = label(x, DIAL.height - 4, "", "middle");
  dial.append(
    svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    svg("path", { d: `M${x - radius} ${y}h${2 * radius}M${x} ${y - radius}v${2 * radius}`, stroke: "var(--ex-line)" }),
    label(x + radius + 5, y + 4, "sine"),
    label(x, y - radius - 12, "cosine", "middle"),
    arc,
    moved.node,
    now.node,
    angleName,
  );

  const { cell: width, tall, top } = BOARD;
  const board = drawing(
    BOARD.width,
    BOARD.height,
    "Sine and cosine afterwards are the matrix times sine and cosine before",
  );
  const columns = [0, width + 26, 2 * width + 26, 3 * width + 52];
  const names = [
    ["", "cos ωΔ", "sin ωΔ", ""],
    ["", "−sin ωΔ", "cos ωΔ", ""],
  ];
  const marks = ["moved", "matrix", "matrix", "now"];
  const cells = names.map((row, r) => row.map((name, c) => cell(columns[c], top + r * tall, marks[c], name)));
  const heads = [
    label(width / 2, top - 12, "", "middle"),
    label(2 * width + 26, top - 12, "", "middle"),
    label(columns[3] + width / 2, top - 12, "", "middle"),
  ];
  ["moved", "matrix", "now"].forEach((mark, k) =>
    move(heads[k], { "data-mark": mark, style: `font-weight: 650; fill: var(--ex-${["accent", "ink", "main"][k]})` }),
  );
  board.append(
    ...cells.flat().flatMap(({ nodes }) => nodes),
    ...heads,
    label(width + 13, top + tall + 5, "=", "middle"),
    label(columns[3] - 13, top + tall + 5, "·", "middle"),
    svg("rect", {
      x: columns[1],
      y: top,
      width: 2 * width,
      height: 2 * tall,
      fill: "none",
      stroke: "var(--ex-ink)",
      "stroke-width": 1.5,
    }),
    ...["sine", "cosine"].map((name, row) => label(columns[3] + width + 5, top + row * tall + 32, name)),
  );

  const update = () => {
    const omega = model.get("omega");
    const [t, by] = ["position", "offset"].map(figure.at); // on the way: between two positions
    const [start, angle] = [omega * t, omega * by];
    const pairs = [start, start + angle].map((one) => [Math.sin(one), Math.cos(one)]);
    const block = turn(by, omega);
    now.update(start);
    moved.update(start + angle);
    move(arc, { d: way(start, start + angle) });
    angleName.textContent = `ωΔ = ${Number(omega.toPrecision(3))} · ${figure.read(by)} = ${fixed(omega * by)}, or ${degrees(omega * by)}`;
    cells.forEach((row, r) => [pairs[1][r], ...block[r], pairs[0][r]].forEach((value, c) => row[c].update(value)));
    heads[0].textContent = `t + Δ = ${figure.read(t + by)}`;
    heads[1].textContent = `T(${figure.read(by)})`;
    heads[2].textContent = `t = ${figure.read(t)}`;
    return { said: sentence(t, by, omega, figure.read), more: numbers(block, ...pairs, angle) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "Turn one hand",
    names: ["position", "offset", "omega"],
    marks: { now: "main", moved: "accent" },
    longest: {
      said: [sentence(28, -12, -Math.PI)],
      more: [
        numbers(
          [
            [-1, -1],
            [-1, -1],
          ],
          [-1, -1],
          [-1, -1],
          -700,
        ),
      ],
    },
  });
  figure.slider("offset", "offset Δ", { glide: true });
  figure.slider("position", "position t", { glide: true });
  figure.play("position", { perSecond: 3 });
  const grab = (node, name) =>
    byHand(
      node,
      dial,
      angleAt,
      (angle, start) => {
        const [low, high] = LIMITS[name];
        figure.hold({ [name]: Math.min(Math.max(start + angle / model.get("omega"), low), high) });
      },
      { begin: () => figure.at(name), end: figure.settle },
    );
  grab(now.node, "position");
  grab(moved.node, "offset");
  return figure.start(dial, board);
}

export default { render };
