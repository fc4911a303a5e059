// The table of the encoding, with a row, a column and a dot product drawn as curves.

import {
  all,
  draggable,
  drawing,
  fixed,
  h,
  label,
  move,
  movingFigure,
  pointIn,
  polyline,
  signed,
  specks,
  svg,
} from "./base.js";
import { frequencies, similarity, sinusoidal } from "./encodings.js";
import { gridMap, onNewColors } from "./grid.js";

const LENGTH = LIMITS.position[1] + 1; // the positions are 0 … LENGTH - 1
// The heat map is square, however many columns it has; the row is drawn below it.
const MAP = { width: 300, height: 434, left: 36, top: 22, wide: 256, tall: 256, size: 256, row: 356, amplitude: 36 };
// A curve along the positions stands beside the heat map, at the same height.
const SIDE = { width: 148, height: 322, middle: 94, amplitude: 50 };
// Beside the dot product stand the distances from the chosen position, as far as there are rows.
const FAR = { width: 166, height: 339, left: 153, distances: [-48, -32, -16, 0, 16, 32, 48] };
const KEY = { width: 318, height: 118, left: 136, top: 62, cells: 45, cell: 4 };
const DIAL = { x: 64, y: 64, radius: 46 };
const ROUND = 2 * Math.PI;
const COLORS = ["var(--ex-main)", "var(--ex-accent)"]; // of sines and cosines, which take turns

const line = (attributes) => svg("path", { fill: "none", "stroke-width": 1.5, ...attributes });
const points = (attributes) => line({ "stroke-width": 3.5, "stroke-linecap": "round", ...attributes });
const height = (position) => MAP.top + ((position + 0.5) * MAP.size) / LENGTH;
const upright = (x) => {
  const y = MAP.top + MAP.size / 2;
  const name = label(x, y, "position", "middle");
  move(name, { transform: `rotate(-90 ${x} ${y})` });
  return name;
};
const wavelengthName = (omega) =>
  Number(((2 * Math.PI) / omega).toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 2 });

const positionTicks = (x) => [0, 16, 32, 48, LENGTH - 1].map((t) => label(x, height(t) + 4, String(t), "end"));

function heatMap() {
  const { left, top, size, row, amplitude } = MAP;
  const { node, front, paint, cellAt } = gridMap(
    LENGTH,
    1,
    MAP,
    "The table. The arrow keys move the chosen cell, and so does a click.",
  );
  move(front, { role: "application", tabindex: 0 });
  front.style.cursor = "crosshair";
  const frame = () => svg("rect", { fill: "none", stroke: "var(--ex-ink)", "stroke-width": 1.2, "data-mark": "cell" });
  const [rowFrame, columnFrame] = [frame(), frame()];
  const last = label(left + size, 14, "", "end");
  const rowName = label(left, row - amplitude - 10);
  const kinds = ["sines", "cosines"].map((text, k) => {
    const name = svg("tspan", { dx: k ? 8 : 0 }, text);
    name.style.cssText = `fill: ${COLORS[k]}; font-weight: 650`;
    return name;
  });
  const rowNumber = svg("tspan");
  rowName.append(rowNumber, ...kinds);
  // Below the row: its first and its last pair, and how long their waves are.
  const below = [left, left + size].map((x, k) =>
    [18, 35].map((y) => label(x, row + amplitude + y, "", k ? "end" : "start")),
  );
  const marker = svg("line", { stroke: "var(--ex-ink)", y1: row - amplitude, y2: row + amplitude });
  const curves = COLORS.flatMap((stroke, k) => [
    line({ stroke, "stroke-dasharray": k ? "3 3" : "none", "data-mark": k ? "cosine" : "sine" }),
    points({ stroke, "data-mark": k ? "cosine" : "sine" }),
  ]);
  const now = svg("circle", { r: 5.5, fill: "var(--ex-ink)", "data-mark": "cell sine cosine" });
  front.append(
    label(left, 14, "0"),
    label(left + size / 2, 14, "column", "middle"),
    last,
    ...positionTicks(left - 6),
    upright(9),
    ...below.flat(),
    svg("rect", { x: left, y: top, width: size, height: size, fill: "none", stroke: "var(--ex-line)" }),
    columnFrame,
    rowFrame,
    rowName,
    svg("line", { x1: left, x2: left + size, y1: row, y2: row, stroke: "var(--ex-line)" }),
    ...[1, 0, -1].map((v) => label(left - 6, row - amplitude * v + 4, fixed(v, 0), "end")),
    marker,
    ...curves,
    now,
  );

  const update = (table, position, column, omegas) => {
    const dModel = table[0].length;
    [0, omegas.length - 1].forEach((pair, k) => {
      below[k][0].textContent = `pair ${pair}`;
      below[k][1].textContent = `wavelength ${wavelengthName(omegas[pair])}`;
    });
    const cell = size / dModel;
    const at = (value, k) => [left + (k + 0.5) * cell, row - amplitude * value];
    paint(table);
    last.textContent = String(dModel - 1);
    rowNumber.textContent = `row ${position}: `;
    move(rowFrame, { x: left, y: height(position) - size / LENGTH / 2, width: size, height: size / LENGTH });
    move(columnFrame, { x: left + column * cell, y: top, width: cell, height: size });
    [0, 1].forEach((parity) => {
      const half = table[position].map(at).filter((_, k) => k % 2 === parity);
      move(curves[2 * parity], { d: polyline(half) });
      move(curves[2 * parity + 1], { d: specks(half) });
    });
    const [x, y] = at(table[position][column], column);
    move(marker, { x1: x, x2: x });
    move(now, { cx: x, cy: y });
  };
  return { node, front, update, cellAt };
}

// Values from −1 to 1 along the positions: a smooth curve, and dots where positions are.
function side(name, axis, distances = []) {
  const { height: tall, middle, amplitude } = SIDE;
  const { width, height: lower } = distances.length ? FAR : SIDE;
  const node = drawing(width, lower, name);
  const title = label(0, 14);
  const level = svg("line", { stroke: "var(--ex-ink)", x1: middle - amplitude, x2: middle + amplitude });
  const [curve, dots] = [line({ stroke: "var(--ex-soft)" }), points({ stroke: "var(--ex-main)" })];
  const now = svg("circle", { r: 5.5, fill: "var(--ex-ink)", "data-mark": "cell" });
  const far = distances.map((distance) => label(FAR.left, 0, String(Math.abs(distance))));
  if (far.length) far.push(label(middle, lower - 7, "right: distance", "middle"));
  for (const text of far) text.style.fill = "var(--ex-soft)";
  node.append(
    title,
    ...far,
    ...positionTicks(36),
    upright(9),
    svg("line", { x1: middle, x2: middle, y1: MAP.top, y2: MAP.top + MAP.size, stroke: "var(--ex-line)" }),
    ...[-1, 0, 1].map((v) => label(middle + amplitude * v, tall - 26, fixed(v, 0), "middle")),
    label(middle, tall - 7, axis, "middle"),
    level,
    curve,
    dots,
    now,
  );
  const update = (text, position, value, stroke) => {
    move(dots, { stroke });
    const at = (t) => [middle + amplitude * value(t), height(t)];
    title.textContent = text;
    move(curve, { d: polyline(all((LENGTH - 1) * 4 + 1, (n) => at(n / 4))) });
    move(dots, { d: specks(all(LENGTH, at)) });
    distances.forEach((distance, k) => {
      const t = position + distance;
      move(far[k], { y: height(t) + 4, visibility: t < 0 || t >= LENGTH ? "hidden" : "visible" });
    });
    const [cx, cy] = at(position);
    move(level, { y1: cy, y2: cy });
    move(now, { cx, cy });
  };
  return { node, update };
}

// The hand of the pair, as a clock shows it: across is its sine, upright its cosine. One of them is
// the chosen cell, and the colors tell what that is on the map.
function handAndKey() {
  const { width, height, left, top, cells, cell } = KEY;
  const { x, y, radius } = DIAL;
  const node = drawing(width, height, "The hand of the pair, and the color of the chosen cell");
  const title = label(0, 14);
  const [across, upright] = COLORS.map((stroke, k) =>
    svg("line", { stroke, "stroke-linecap": "round", "data-mark": k ? "cosine" : "sine" }),
  );
  const hand = svg("line", {
    x1: x,
    y1: y,
    stroke: "var(--ex-ink)",
    "stroke-width": 2.5,
    "stroke-linecap": "round",
    "data-mark": "hand",
  });
  const tip = svg("circle", { r: 8, fill: "var(--ex-ink)", style: "cursor: grab", "data-mark": "hand" });
  const place = (value) => left + (cells * cell * (value + 1)) / 2;
  const arrow = svg("path", { "data-mark": "sine cosine" });
  const name = label(0, top - 18, "", "middle");
  name.style.fontWeight = 650;
  node.append(
    title,
    svg("circle", { cx: x, cy: y + 8, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    svg("path", {
      d: `M${x - radius} ${y + 8}h${2 * radius}M${x} ${y + 8 - radius}v${2 * radius}`,
      stroke: "var(--ex-line)",
    }),
    across,
    upright,
    hand,
    tip,
    ...all(cells, (k) =>
      svg("rect", {
        x: left + k * cell,
        y: top,
        width: cell + 0.3,
        height: 14,
        fill: signed((2 * k) / (cells - 1) - 1),
      }),
    ),
    ...[-1, 0, 1].map((v) => label(place(v), top + 32, fixed(v, 0), "middle")),
    arrow,
    name,
  );
  const center = y + 8;
  const update = (pair, angle, parity, value) => {
    const [px, py] = [x + radius * Math.sin(angle), center - radius * Math.cos(angle)];
    title.textContent = `hand of pair ${pair}`;
    move(hand, { y1: center, x2: px, y2: py });
    move(tip, { cx: px, cy: py });
    move(across, { x1: x, y1: py, x2: px, y2: py, "stroke-width": parity ? 2 : 5 });
    move(upright, { x1: px, y1: center, x2: px, y2: py, "stroke-width": parity ? 5 : 2 });
    move(arrow, { d: `M${place(value) - 6} ${top - 12}h12l-6 10Z`, fill: COLORS[parity] });
    move(name, { x: Math.min(Math.max(place(value), left + 30), width - 30) });
    name.textContent = `${parity ? "cosine" : "sine"} ${fixed(value)}`;
  };
  // The angle of a pointer, from twelve and clockwise.
  const angleAt = (event) => {
    const [px, py] = pointIn(node, event);
    return Math.atan2(px - x, center - py);
  };
  return { node, tip, update, angleAt };
}

// The position whose hand is nearest to an angle; of some that are as near, the one nearest to now.
const turnedTo = (angle, omega, now) => {
  const miss = (t) =>
    Math.abs(((((omega * t - angle) % ROUND) + 1.5 * ROUND) % ROUND) - ROUND / 2) + Math.abs(t - now) / 1000;
  return all(LENGTH, (t) => t).reduce((best, t) => (miss(t) < miss(best) ? t : best));
};

const sentence = (position, column, omega, value, name = position) => {
  const [kind, wave] = column % 2 ? ["cosine", "cos"] : ["sine", "sin"];
  const degrees = ((((omega * position) % ROUND) * 360) / ROUND).toFixed(0);
  return [
    `At position ${name} the `,
    ["hand", `hand of pair ${Math.floor(column / 2)}`],
    ` points to ${degrees}°, and `,
    ["cell", `column ${column}`],
    ` holds its ${kind}: `,
    [kind, `${wave}(${name} · ${Number(omega.toPrecision(5))}) = ${fixed(value)}`],
    ".",
  ];
};

const inNumbers = (dModel, base) => {
  const omegas = frequencies(dModel, base);
  const products = all(LENGTH, (offset) => similarity(offset, dModel, base));
  const turn = all(LENGTH - 1, (k) => k).find((k) => products[k + 1] > products[k]);
  const fall =
    turn === undefined ? "It falls all the way." : `It falls until distance ${turn}, then rises for the first time.`;
  const [first, last] = [omegas[0], omegas.at(-1)].map(wavelengthName);
  const [one, eight, far] = [1, 8, 32].map((offset) => fixed(products[offset] / products[0]));
  return (
    `Width ${dModel} makes ${dModel / 2} pairs. Their wavelengths grow from ` +
    `${first} to ${last}; a larger base makes the last ones longer. The dot product of two rows depends on ` +
    `their distance alone: ${dModel / 2} for a row with itself, ${one} of that at distance 1, ${eight} at 8, ` +
    `${far} at 32. ${fall}`
  );
};

function render({ model, el }) {
  const [map, values, products, dial] = [
    heatMap(),
    side("The column, along the positions", "value"),
    side("The dot product, along the positions", "dot product ÷ (d/2)", FAR.distances),
    handAndKey(),
  ];
  let under = null; // the cell under a mouse that only looks
  const cell = () => {
    const { position, column } = under ?? { position: model.get("position"), column: model.get("column") };
    return [position, Math.min(column, model.get("d_model") - 1)];
  };

  const update = () => {
    const [dModel, base] = [model.get("d_model"), model.get("base")];
    const [position, column] = cell();
    const table = all(LENGTH, (t) => sinusoidal(t, dModel, base));
    const omegas = frequencies(dModel, base);
    const omega = omegas[Math.floor(column / 2)];
    const wave = column % 2 ? Math.cos : Math.sin;
    map.update(table, position, column, omegas);
    values.update(`column ${column}`, position, (t) => wave(omega * t), COLORS[column % 2]);
    products.update(
      `dot product with ${position}`,
      position,
      (t) => (2 * similarity(t - position, dModel, base)) / dModel,
      "var(--ex-ink)",
    );
    const turning = under ? position : figure.at("position"); // between two positions while it moves
    dial.update(Math.floor(column / 2), omega * turning, column % 2, wave(omega * turning));
    return {
      said: sentence(turning, column, omega, wave(omega * turning), under ? position : figure.read(turning)),
      more: inNumbers(dModel, base),
    };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "The table, and what is in it",
    names: ["position", "column", "d_model", "base"],
    marks: { sine: "main", cosine: "accent", hand: "ink", cell: "ink" },
    longest: {
      said: [
        "At position 00 the hand of pair 00 points to 000°, and column 00 holds its cosine: cos(00 · 0.000000) = −0.00.",
      ],
      more: [inNumbers(64, 99999)],
    },
  });
  figure.play("position", { perSecond: 4 });
  figure.slider("position", "position t", { basis: "110px", glide: true });
  const columns = figure.slider("column", "column", {
    max: model.get("d_model") - 1,
    basis: "110px",
  });
  figure.select(
    ["d_model"],
    "width d (d_model)",
    WIDTHS.map((width) => [String(width), width]),
    { basis: "110px" },
  );
  figure.slider("base", "base", {
    step: 0.1,
    basis: "110px",
    from: Math.log10,
    to: (exponent) => Math.round(10 ** exponent),
    show: (v) => Number(v.toPrecision(6)).toLocaleString("en"),
  });

  // A narrower table has no such column: the choice moves to its last one.
  const fit = () => {
    const last = model.get("d_model") - 1;
    move(columns, { max: last });
    columns.value = model.get("column");
    if (model.get("column") > last) figure.set("column", last);
  };
  model.on("change:d_model", fit);

  const choose = ({ position, column }) => {
    under = null;
    figure.set("position", position);
    figure.set("column", column);
    figure.redraw();
  };
  const { front } = map;
  const found = (event) => {
    const { row, column } = map.cellAt(event);
    return { position: row, column };
  };
  front.addEventListener("click", (event) => choose(found(event)));
  draggable(front, (event) => choose(found(event)));
  front.addEventListener("pointermove", (event) => {
    if (event.buttons || event.pointerType === "touch") return;
    under = found(event);
    figure.redraw();
  });
  front.addEventListener("pointerleave", () => {
    under = null;
    figure.redraw();
  });
  const keys = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  front.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault(); // the page stays where it is
    const [position, column] = cell().map((value, k) => Math.max(value + keys[event.key][k], 0));
    choose({
      position: Math.min(position, LENGTH - 1),
      column: Math.min(column, model.get("d_model") - 1),
    });
  });

  draggable(
    dial.tip,
    (event) => {
      const [position, column] = cell();
      const omega = frequencies(model.get("d_model"), model.get("base"))[Math.floor(column / 2)];
      figure.set("position", turnedTo(dial.angleAt(event), omega, position));
    },
    undefined,
    { free: true },
  );
  const uncolored = onNewColors(figure.redraw);

  const beside = h(
    "div",
    {
      style: "display: flex; flex-wrap: wrap; gap: 8px 4px; align-items: start; width: min(100%, 318px)",
    },
    values.node,
    products.node,
    dial.node,
  );
  const stop = figure.start(map.node, beside);
  return () => {
    uncolored();
    model.off("change:d_model", fit);
    stop();
  };
}

export default { render };
