// The table of the encoding, with a row, a column and a dot product drawn as curves.
import { frequencies, similarity, sinusoidal } from "./encodings.js";
import { all, draggable, drawing, fixed, h, label, move, movingFigure, polyline, signed, specks, svg } from "./base.js";

const LENGTH = LIMITS.position[1] + 1; // the positions are 0 … LENGTH - 1
// The heat map is square, however many columns it has; the row is drawn below it.
const MAP = { width: 300, height: 434, left: 36, top: 22, size: 256, row: 356, amplitude: 36 };
// A curve along the positions stands beside the heat map, at the same height.
const SIDE = { width: 148, height: 322, middle: 94, amplitude: 50 };
// Beside the dot product stand the distances from the chosen position, as far as there are rows.
const FAR = { width: 166, height: 339, left: 151, distances: [-48, -32, -16, 0, 16, 32, 48] };
const KEY = { width: 288, height: 76, left: 14, cells: 65, cell: 4 };

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

const positionTicks = (x) =>
  [0, 16, 32, 48, LENGTH - 1].map((t) => label(x, height(t) + 4, String(t), "end"));

// Red and blue as strong as the value, over the ground: the ground follows the theme by itself,
// the two hues are asked for again when the theme changes.
const painted = (canvas, table) => {
  const style = getComputedStyle(canvas);
  const [red, blue] = ["--ex-red", "--ex-blue"].map((name) =>
    style.getPropertyValue(name).match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16)),
  );
  const width = table[0].length;
  if (canvas.width !== width) canvas.width = width;
  const context = canvas.getContext("2d");
  const image = context.createImageData(width, LENGTH);
  let next = 0;
  for (const row of table)
    for (const value of row) {
      image.data.set(value < 0 ? blue : red, next);
      image.data[next + 3] = 255 * Math.abs(value);
      next += 4;
    }
  context.putImageData(image, 0, 0);
};

function heatMap() {
  const { width, height: tall, left, top, size, row, amplitude } = MAP;
  const share = (value, whole) => `${(100 * value) / whole}%`;
  const canvas = h("canvas", {
    width: 1, height: LENGTH, "aria-hidden": "true",
    style: `position: absolute; left: ${share(left, width)}; top: ${share(top, tall)};
      width: ${share(size, width)}; height: ${share(size, tall)}; image-rendering: pixelated;
      background: var(--ex-paper); print-color-adjust: exact`,
  });
  const front = drawing(width, tall, "The table. The arrow keys move the chosen cell, and so does a click.");
  move(front, {
    role: "application", tabindex: 0,
    style: "position: relative; width: 100%; cursor: crosshair; user-select: none",
  });
  const node = h("div", { style: `position: relative; width: min(100%, ${width}px)` }, canvas, front);
  const frame = () => svg("rect", { fill: "none", stroke: "var(--ex-ink)", "stroke-width": 1.2 });
  const [rowFrame, columnFrame] = [frame(), frame()];
  const last = label(left + size, 14, "", "end");
  const rowName = label(left, row - amplitude - 10);
  // Below the row: its first and its last pair, and how long their waves are.
  const below = [left, left + size].map((x, k) =>
    [18, 35].map((y) => label(x, row + amplitude + y, "", k ? "end" : "start")));
  const marker = svg("line", { stroke: "var(--ex-accent)", y1: row - amplitude, y2: row + amplitude });
  const curves = [
    line({ stroke: "var(--ex-main)" }), points({ stroke: "var(--ex-main)" }),
    line({ stroke: "var(--ex-main)", "stroke-dasharray": "3 3" }), points({ stroke: "var(--ex-main)" }),
  ];
  const now = svg("circle", { r: 5, fill: "var(--ex-accent)" });
  front.append(
    label(left, 14, "0"), label(left + size / 2, 14, "column", "middle"), last, ...positionTicks(left - 6), upright(9), ...below.flat(),
    svg("rect", { x: left, y: top, width: size, height: size, fill: "none", stroke: "var(--ex-line)" }),
    columnFrame, rowFrame, rowName,
    svg("line", { x1: left, x2: left + size, y1: row, y2: row, stroke: "var(--ex-line)" }),
    ...[1, 0, -1].map((v) => label(left - 6, row - amplitude * v + 4, fixed(v, 0), "end")),
    marker, ...curves, now,
  );

  const update = (table, position, column, omegas) => {
    const dModel = table[0].length;
    [0, omegas.length - 1].forEach((pair, k) => {
      below[k][0].textContent = `pair ${pair}`;
      below[k][1].textContent = `wavelength ${wavelengthName(omegas[pair])}`;
    });
    const cell = size / dModel;
    const at = (value, k) => [left + (k + 0.5) * cell, row - amplitude * value];
    painted(canvas, table);
    last.textContent = String(dModel - 1);
    rowName.textContent = `row ${position}: sines (line), cosines (dashed)`;
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
  // The cell under a pointer, or the nearest one.
  const cellAt = ({ clientX, clientY }, dModel) => {
    const { x, y, width: wide } = front.getBoundingClientRect();
    const within = (value, count) => Math.min(Math.max(Math.floor((value / size) * count), 0), count - 1);
    return {
      position: within(((clientY - y) / wide) * width - top, LENGTH),
      column: within(((clientX - x) / wide) * width - left, dModel),
    };
  };
  return { node, front, update, cellAt };
}

// Values from −1 to 1 along the positions: a smooth curve, and dots where positions are.
function side(name, axis, distances = []) {
  const { height: tall, middle, amplitude } = SIDE;
  const { width, height: lower } = distances.length ? FAR : SIDE;
  const node = drawing(width, lower, name);
  const title = label(0, 14);
  const level = svg("line", { stroke: "var(--ex-accent)", x1: middle - amplitude, x2: middle + amplitude });
  const [curve, dots] = [line({ stroke: "var(--ex-soft)" }), points({ stroke: "var(--ex-main)" })];
  const now = svg("circle", { r: 5, fill: "var(--ex-accent)" });
  const far = distances.map((distance) => label(FAR.left, 0, String(Math.abs(distance))));
  if (far.length) far.push(label(middle, lower - 7, "right: distance", "middle"));
  for (const text of far) text.style.fill = "var(--ex-accent)";
  node.append(
    title, ...far, ...positionTicks(36), upright(9),
    svg("line", { x1: middle, x2: middle, y1: MAP.top, y2: MAP.top + MAP.size, stroke: "var(--ex-line)" }),
    ...[-1, 0, 1].map((v) => label(middle + amplitude * v, tall - 26, fixed(v, 0), "middle")),
    label(middle, tall - 7, axis, "middle"), level, curve, dots, now,
  );
  const update = (text, position, value) => {
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

// The colors, what they mean, and where the chosen value is among them.
function key() {
  const { width, height: tall, left, cells, cell } = KEY;
  const node = drawing(width, tall, "Colors of the values from minus 1 to 1");
  const x = (value) => left + (cells * cell * (value + 1)) / 2;
  const arrow = svg("path", { fill: "var(--ex-accent)" });
  const name = label(0, 14, "", "middle");
  node.append(
    ...all(cells, (k) =>
      svg("rect", {
        x: left + k * cell, y: 32, width: cell + 0.3, height: 14,
        fill: signed((2 * k) / (cells - 1) - 1),
      }),
    ),
    ...[-1, 0, 1].map((v) => label(x(v), 64, fixed(v, 0), "middle")),
    arrow, name,
  );
  const update = (value) => {
    move(arrow, { d: `M${x(value) - 6} 20h12l-6 10Z` });
    move(name, { x: Math.min(Math.max(x(value), 22), width - 22) });
    name.textContent = fixed(value);
  };
  return { node, update };
}

const sentences = (position, column, dModel, base, value) => {
  const kind = column % 2 ? "cosine" : "sine";
  const pair = Math.floor(column / 2);
  const wavelength = wavelengthName(frequencies(dModel, base)[pair]);
  const products = all(LENGTH, (offset) => similarity(offset, dModel, base));
  const turn = all(LENGTH - 1, (k) => k).find((k) => products[k + 1] > products[k]);
  const fall = turn === undefined
    ? "It falls all the way."
    : `It falls as far as distance ${turn}, then rises again for the first time.`;
  const [first, last] = [0, dModel / 2 - 1].map((k) => wavelengthName(frequencies(dModel, base)[k]));
  const [one, eight, far] = [1, 8, 32].map((offset) => fixed(products[offset] / products[0]));
  return (
    `Position ${position}, column ${column} (${kind} of pair ${pair}, wavelength ${wavelength}): ` +
    `value ${fixed(value)}. Width ${dModel} makes ${dModel / 2} pairs. Their wavelengths grow from ` +
    `${first} to ${last}; a larger base makes the last ones longer. The dot product of two rows depends on ` +
    `their distance alone: ${dModel / 2} for a row with itself, ${one} of that at distance 1, ${eight} at 8, ` +
    `${far} at 32. ${fall}`
  );
};

function render({ model, el }) {
  const [map, values, products, colors] = [
    heatMap(), side("The column, along the positions", "value"),
    side("The dot product, along the positions", "dot product ÷ (d/2)", FAR.distances), key(),
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
    values.update(`column ${column}`, position, (t) => wave(omega * t));
    products.update(`dot product with ${position}`, position, (t) =>
      (2 * similarity(t - position, dModel, base)) / dModel,
    );
    colors.update(table[position][column]);
    return sentences(position, column, dModel, base, table[position][column]);
  };

  const figure = movingFigure({
    model, el, update,
    title: "The table, and what is in it",
    names: ["position", "column", "d_model", "base"],
  });
  figure.slider("position", "position t", { basis: "130px" });
  const columns = figure.slider("column", "column", {
    max: model.get("d_model") - 1, basis: "130px",
  });
  figure.select(["d_model"], "width d (d_model)", WIDTHS.map((width) => [String(width), width]), { basis: "130px" });
  figure.slider("base", "base", {
    step: 0.1, basis: "130px",
    from: Math.log10, to: (exponent) => Math.round(10 ** exponent),
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
  const found = (event) => map.cellAt(event, model.get("d_model"));
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

  // The canvas does not follow the theme, nor the white of paper, by itself.
  const theme = new MutationObserver(figure.redraw);
  for (const node of [document.documentElement, document.body])
    theme.observe(node, { attributeFilter: ["data-theme", "data-jp-theme-light"] });
  const paper = matchMedia("print");
  paper.addEventListener("change", figure.redraw);

  const beside = h("div", {
    style: "display: flex; flex-wrap: wrap; gap: 8px 4px; align-items: start; width: min(100%, 318px)",
  }, values.node, products.node, colors.node);
  const stop = figure.start(map.node, beside);
  return () => {
    theme.disconnect();
    paper.removeEventListener("change", figure.redraw);
    model.off("change:d_model", fit);
    stop();
  };
}

export default { render };
