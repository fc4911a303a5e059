// The table of the encoding: first a row, then a column, then its width and base.
import { movingFigure, onArrows } from "./base.js";
import {
  circle,
  clamp,
  colorScale,
  dotsAt,
  drawing,
  fixed,
  line,
  outline,
  polyline,
  rect,
  span,
  text,
  times,
} from "./drawing.js";
import { element } from "./element.js";
import { frequencies, sinusoidal } from "./encodings.js";
import { gridMap, onNewColors } from "./grid.js";

const LENGTH = LIMITS.position[1] + 1; // the positions are 0 … LENGTH - 1
// The heat map is square, however many columns it has; the row is drawn below it.
const MAP = { width: 300, height: 434, left: 36, top: 22, wide: 256, tall: 256, size: 256, row: 356, amplitude: 36 };
// A curve along the positions stands beside the heat map, at the same height.
const SIDE = { width: 148, height: 322, middle: 94, amplitude: 50 };
const NEXT = ["", "next: a column", "next: width and base", "back to a row"]; // on the button of each stage
const ROUND = 2 * Math.PI;
const HUES = ["main", "accent"]; // of sines and cosines, which take turns
const WAVES = ["sine", "cosine"];

const height = (position) => MAP.top + ((position + 0.5) * MAP.size) / LENGTH;
const dots = (points, look) => outline(dotsAt(points), { strokeWidth: 3.5, strokeLinecap: "round", ...look });
const wavelengthName = (omega) =>
  Number((ROUND / omega).toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 2 });
// The axis of the positions, downward.
const positionAxis = (x) => [
  [0, 16, 32, 48, LENGTH - 1].map((t) => text(x, height(t) + 4, t, "end")),
  text(9, MAP.top + MAP.size / 2, "position", "middle", { transform: `rotate(-90 9 ${MAP.top + MAP.size / 2})` }),
];

export const mapShapes = (table, { position, column }, omegas, stage) => {
  const { left, top, size, row, amplitude } = MAP;
  const [width, cell] = [table[0].length, size / table[0].length];
  const at = (value, k) => [left + (k + 0.5) * cell, row - amplitude * value];
  const [x, y] = at(table[position][column], column);
  const frame = { fill: "none", stroke: "ink", strokeWidth: 1.2, mark: "cell" };
  const names = HUES.map((hue, k) =>
    span(`${WAVES[k]}s`, { dx: k ? 8 : 0, style: `fill: var(--ex-${hue}); font-weight: 650` }),
  );
  const curve = (stroke, k) => {
    const points = table[position].map(at).filter((_, c) => c % 2 === k);
    const look = { stroke, mark: WAVES[k] };
    const strokeDasharray = k ? "3 3" : "none";
    return [outline(polyline(points), { ...look, strokeWidth: 1.5, strokeDasharray }), dots(points, look)];
  };
  // Below the row: its first and its last pair, and how long their waves are.
  const end = (pair, k) => {
    const [x, anchor] = [left + k * size, k ? "end" : "start"];
    const names = [`pair ${pair}`, wavelengthName(omegas[pair])];
    return names.map((name, below) => text(x, row + amplitude + 18 + 17 * below, name, anchor));
  };
  return [
    text(left, 14, "0"),
    text(left + size / 2, 14, "column", "middle"),
    text(left + size, 14, width - 1, "end"),
    positionAxis(left - 6),
    [0, omegas.length - 1].map(end),
    text(left + size / 2, row + amplitude + 35, "wavelength", "middle"),
    rect(left, top, size, size, { fill: "none", stroke: "line" }),
    stage > 1 ? rect(left + column * cell, top, cell, size, frame) : [],
    rect(left, height(position) - size / LENGTH / 2, size, size / LENGTH, frame),
    text(left, row - amplitude - 10, [span(`row ${position}: `), ...names]),
    line(left, row, left + size, row, { stroke: "line" }),
    [1, 0, -1].map((v) => text(left - 6, row - amplitude * v + 4, fixed(v, 0), "end")),
    HUES.map(curve),
    stage > 1 ? line(x, row - amplitude, x, row + amplitude, { stroke: "ink" }) : [],
    stage > 1 ? circle(x, y, 5.5, { fill: "ink", mark: "cell sine cosine" }) : [],
  ];
};

// Values from −1 to 1 along the positions: a smooth curve, and dots where positions are.
export const columnShapes = (column, position, value) => {
  const { height: tall, middle, amplitude } = SIDE;
  const at = (t) => [middle + amplitude * value(t), height(t)];
  const [x, y] = at(position);
  return [
    text(0, 14, `column ${column}`),
    positionAxis(36),
    line(middle, MAP.top, middle, MAP.top + MAP.size, { stroke: "line" }),
    [-1, 0, 1].map((v) => text(middle + amplitude * v, tall - 26, fixed(v, 0), "middle")),
    text(middle, tall - 7, "value", "middle"),
    line(middle - amplitude, y, middle + amplitude, y, { stroke: "ink" }),
    outline(polyline(times((LENGTH - 1) * 4 + 1, (n) => at(n / 4))), { stroke: "soft", strokeWidth: 1.5 }),
    dots(times(LENGTH, at), { stroke: HUES[column % 2] }),
    circle(x, y, 5.5, { fill: "ink", mark: "cell" }),
  ];
};

const rowSentence = (position, last) =>
  `Row ${position} holds the {sine|sine} and {cosine|cosine} of each pair, from pair 0, the fastest, to pair ${last}.`;
const sentence = (position, column, omega, value) => {
  const wave = WAVES[column % 2];
  const angle = `${position} · ${Number(omega.toPrecision(5))}`;
  return (
    `At position ${position} {cell|column ${column}} holds the ${wave} of pair ${Math.floor(column / 2)}: ` +
    `{${wave}|${["sin", "cos"][column % 2]}(${angle}) = ${fixed(value)}}.`
  );
};

function render({ model, el }) {
  const map = gridMap(LENGTH, 1, MAP, "The table. The arrow keys move the chosen cell, and so does a click.");
  const values = drawing(SIDE.width, SIDE.height, "The column, along the positions");
  const key = drawing(300, 40, "Colors from minus 1 to 1");
  key.draw(colorScale(150, 8, ["−1", "0", "1"]));
  let under = null; // the cell under a mouse that only looks
  const cell = () => {
    const { position, column } = under ?? { position: model.get("position"), column: model.get("column") };
    return { position, column: Math.min(column, model.get("d_model") - 1) };
  };

  const update = ({ d_model: dModel, base, stage }) => {
    const { position, column } = cell();
    const [pair, parity] = [Math.floor(column / 2), column % 2];
    const omegas = frequencies(dModel, base);
    const wave = (t) => [Math.sin, Math.cos][parity](omegas[pair] * t);
    const table = times(LENGTH, (t) => sinusoidal(t, dModel, base));
    map.paint(table);
    map.front.draw(mapShapes(table, { position, column }, omegas, stage));
    values.draw(columnShapes(column, position, wave));
    values.style.display = stage > 1 ? "" : "none";
    if (stage === 1) return rowSentence(position, omegas.length - 1);
    return sentence(position, column, omegas[pair], wave(position));
  };

  const figure = movingFigure(model, el, update, {
    title: "The table, and what is in it",
    names: ["position", "column", "d_model", "base", "stage"],
    marks: { sine: "main", cosine: "accent", cell: "ink" },
    longest: { said: [sentence(63, 63, 0.000123456, -1), rowSentence(63, 31)] },
  });
  const basis = "110px";
  figure.play("position", { perSecond: 4 });
  figure.slider("position", "position t", { basis, glide: true });
  const columns = figure.slider("column", "column", { max: model.get("d_model") - 1, basis });
  const widths = WIDTHS.map((width) => [String(width), width]);
  const width = figure.select(["d_model"], "width d (d_model)", widths, { basis });
  const base = figure.baseSlider({ step: 0.1, basis });
  const next = figure.button("", () => figure.set("stage", (model.get("stage") % 3) + 1));
  figure.onChange(["stage"], () => {
    const stage = model.get("stage");
    next.textContent = NEXT[stage];
    columns.closest("label").style.display = stage > 1 ? "" : "none";
    for (const input of [width, base]) input.closest("label").style.display = stage > 2 ? "" : "none";
  });

  // A narrower table has no such column: the choice moves to its last one.
  figure.onChange(["d_model"], () => {
    columns.max = model.get("d_model") - 1;
    columns.value = model.get("column");
    if (model.get("column") > columns.max) figure.set("column", Number(columns.max));
  });
  const choose = (chosen) => {
    under = null;
    figure.setAll(chosen);
    figure.redraw();
  };
  const look = (found) => {
    under = found;
    figure.redraw();
  };
  const cellAt = (event) => {
    const { row: position, column } = map.cellAt(event);
    return { position, column };
  };
  map.onChoose(({ row: position, column }) => choose({ position, column }));
  map.front.addEventListener("pointermove", (event) => {
    if (!event.buttons && event.pointerType !== "touch") look(cellAt(event));
  });
  map.front.addEventListener("pointerleave", () => look(null));
  onArrows(map.front, (down, right) => {
    const { position, column } = cell();
    const last = model.get("d_model") - 1;
    choose({ position: clamp(position + down, 0, LENGTH - 1), column: clamp(column + right, 0, last) });
  });
  figure.atEnd(onNewColors(figure.redraw));
  for (const node of [map.node, key]) node.style.width = "100%"; // both drawings by 5/4
  values.style.width = "185px";
  return figure.start(element("div", { style: "width: min(100%, 375px)" }, map.node, key), values);
}

export default { render };
