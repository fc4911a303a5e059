// A learned table while it trains, played back.
import { cosines } from "./alike.js";
import { tint } from "./parts.js";
import { all, draggable, drawing, fixed, h, label, move, movingFigure, polyline, specks, svg } from "./base.js";

const PAUSE = 700; // milliseconds from one snapshot to the next
const MAP = { width: 304, height: 346, left: 30, top: 22, size: 256, next: 282, key: 310, cells: 32 };
const HEAD = 36; // above the drawings that stand side by side: room for the caption of the map
const SIDE = { width: 148, height: 338, middle: 92, amplitude: 50 }; // beside the map, as high
const TALL = { width: 198, height: 338, left: 30, top: 22, wide: 156, tall: 256, name: 36 };
// Where the drawings do not fit side by side, the accuracy is flat, and next to the sliders, and
// the framed column lies below the map.
const FLAT = { width: 304, height: 104, left: 30, top: 22, wide: 256, tall: 60, name: 18 };
const LYING = { width: 304, height: 128, middle: 62, amplitude: 40 };
const ROW = MAP.width + SIDE.width + TALL.width + 2 * 16; // what they need side by side
const LOOK = `
.moving-figure .playback { display: flex; flex-wrap: wrap; gap: 8px 16px; justify-content: center;
  align-items: start; width: 100%; container-type: inline-size; }
.moving-figure .playback .ex-flat { display: none; margin: 0 max(0px, 50% - ${FLAT.width / 2}px); }
@container (max-width: ${ROW - 1}px) { .moving-figure .playback .ex-tall { display: none; }
  .moving-figure .playback .ex-flat { display: block; } }
.moving-figure .ex-task { margin: 8px 0 0; font-size: 15px; }
`;

const line = (attributes) => svg("path", { fill: "none", "stroke-width": 1.5, ...attributes });
const points = (attributes) => line({ "stroke-width": 5, "stroke-linecap": "round", ...attributes });
const dot = () => svg("circle", { r: 5, fill: "var(--ex-accent)" });
const ticks = (count) => [...new Set([0, 0.25, 0.5, 0.75].map((share) => Math.round(share * count))), count - 1];

const headed = (node, { width, height }) => move(node, { viewBox: `0 ${-HEAD} ${width} ${height + HEAD}` });

// The similarity of every row with every other. The column of the chosen position is framed.
function heatMap(count) {
  const { width, height, left, top, size, next, key, cells } = MAP;
  const cell = size / count;
  const node = drawing(width, height, "Cosine similarity of every row with every other. A click chooses a position.");
  headed(node, MAP);
  const none = svg("rect", {
    x: left, y: next, width: size, height: 20, fill: "none", stroke: "var(--ex-soft)", "stroke-dasharray": "4 4",
  });
  move(node, { "shape-rendering": "crispEdges" });
  node.style.userSelect = "none";
  const squares = all(count, (row) => all(count, (column) =>
    svg("rect", { x: left + column * cell, y: top + row * cell, width: cell, height: cell })));
  const frame = svg("rect", {
    y: top, width: cell, height: size, fill: "none", stroke: "var(--ex-ink)", "stroke-width": 1.5,
  });
  const ground = (y, height) => svg("rect", { x: left, y, width: size, height, fill: "var(--ex-paper)" });
  const front = svg("g", { style: "cursor: crosshair" }, ground(top, size), ...squares.flat(), frame);
  const wide = size / cells;
  node.append(
    front, none, label(left + size / 2, next + 15, `position ${count}: no row, so no vector`, "middle"), ground(key, 12),
    label(left, -22, "not the table itself, but the cosine"), label(left, -6, "of each row with each row"),
    ...ticks(count).map((t) => label(left + (t + 0.5) * cell, 14, String(t), "middle")),
    ...ticks(count).map((t) => label(left - 6, top + (t + 0.5) * cell + 4, String(t), "end")),
    ...all(cells, (k) => svg("rect", {
      x: left + k * wide, y: key, width: wide, height: 12, ...tint((2 * k + 1) / cells - 1),
    })),
    ...[-1, 0, 1].map((v) => label(left + ((v + 1) * size) / 2, key + 28, fixed(v, 0), "middle")),
    label(left + size / 4, key + 28, "cosine", "middle"),
  );
  const update = (values, position) => {
    values.forEach((row, r) => row.forEach((value, c) => move(squares[r][c], tint(value))));
    move(frame, { x: left + position * cell });
  };
  // What is put down on the map may be dragged beyond its edge.
  const positionAt = ({ clientX }) => {
    const { x, width: seen } = node.getBoundingClientRect();
    const place = (((clientX - x) / seen) * width - left) / cell;
    return Math.min(Math.max(Math.floor(place), 0), count - 1);
  };
  return { node, front, update, positionAt };
}

// The framed column as a curve along the positions: standing, at the height of the map, or lying,
// below it. A ring marks the most similar row, and its number stands among those of the axis, where
// the curve never comes.
function side(count, lying) {
  const { width, height, middle, amplitude } = lying ? LYING : SIDE;
  const { left, top, size } = MAP;
  const node = drawing(width, height, "The framed column, along the positions");
  move(node, { class: lying ? "ex-flat" : "ex-tall" });
  if (!lying) headed(node, SIDE);
  const title = label(lying ? left : 0, 14);
  const at = (value, t) => {
    const along = (lying ? left : top) + ((t + 0.5) * size) / count;
    return lying ? [along, middle - amplitude * value] : [middle + amplitude * value, along];
  };
  const [curve, dots, now] = [line({ stroke: "var(--ex-soft)" }), points({ stroke: "var(--ex-main)" }), dot()];
  const ring = svg("circle", { r: 7, fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2 });
  const lead = line({ stroke: "var(--ex-accent)", "stroke-dasharray": "2 3" });
  const place = (t) => {
    const [x, y] = at(-1, t);
    return lying ? { x, y: y + 18 } : { x: x - 8, y: y + 4 };
  };
  const tick = (t, text) => label(place(t).x, place(t).y, text, lying ? "middle" : "end");
  const name = tick(0, "");
  name.style.cssText = "fill: var(--ex-accent); font-weight: 650";
  const numbers = ticks(count).map((t) => [t, tick(t, String(t))]);
  const center = top + size / 2;
  const axes = lying ? [] : [label(10, center, "position", "middle"), label(middle, top + size + 36, "cosine", "middle")];
  if (!lying) move(axes[0], { transform: `rotate(-90 10 ${center})` });
  node.append(
    title, ...axes, ...numbers.map(([, number]) => number),
    ...[-1, 0, 1].map((v) => {
      const [[x1, y1], [x2, y2]] = [at(v, -0.5), at(v, count - 0.5)];
      return svg("line", { x1, y1, x2, y2, stroke: v ? "var(--ex-line)" : "var(--ex-soft)" });
    }),
    ...[-1, 0, 1].map((v) => {
      const [x, y] = at(v, -0.5);
      return lying ? label(x - 6, y + 4, fixed(v, 0), "end") : label(x, top + size + 18, fixed(v, 0), "middle");
    }),
    lead, curve, dots, ring, now, name,
  );
  const update = (values, position, nearest) => {
    title.textContent = lying ? `cosine of row ${position} and the others` : `row ${position} and the others`;
    move(curve, { d: polyline(values.map(at)) });
    move(dots, { d: specks(values.map(at)) });
    const [[cx, cy], [x, y]] = [at(values[position], position), at(values[nearest], nearest)];
    move(now, { cx, cy });
    move(ring, { cx: x, cy: y });
    move(lead, { d: polyline([at(-1, nearest), lying ? [x, y + 7] : [x - 7, y]]) });
    move(name, place(nearest));
    name.textContent = String(nearest);
    const near = (lying ? 20 : 15) * (count / size); // in rows
    for (const [t, number] of numbers)
      move(number, { visibility: Math.abs(t - nearest) < near ? "hidden" : "visible" });
  };
  return { node, update };
}

// Accuracy against the training step; what lies ahead is thin.
function progress(kind, { width, height, left, top, wide, tall, name }) {
  const node = drawing(width, height, "Accuracy while training");
  move(node, { class: kind });
  if (kind === "ex-tall") headed(node, TALL);
  const [ahead, past] = [line({ stroke: "var(--ex-soft)" }), line({ stroke: "var(--ex-main)", "stroke-width": 2.5 })];
  const marks = points({ stroke: "var(--ex-main)" });
  const [now, title, last] = [dot(), label(left, 14), label(left + wide, top + tall + 18, "", "end")];
  const y = (accuracy) => top + tall * (1 - accuracy);
  node.append(
    title,
    ...[0, 0.5, 1].map((v) => svg("line", {
      x1: left, x2: left + wide, y1: y(v), y2: y(v), stroke: "var(--ex-line)",
    })),
    ...[0, 0.5, 1].map((v) => label(left - 6, y(v) + 4, String(v), "end")),
    label(left, top + tall + 18, "0", "middle"), last,
    label(left + wide / 2, top + tall + name, "training step", "middle"), ahead, past, marks, now,
  );
  const update = (steps, accuracy, frame) => {
    const at = steps.map((step, k) => [left + (wide * step) / (steps.at(-1) || 1), y(accuracy[k])]);
    last.textContent = String(steps.at(-1));
    move(ahead, { d: polyline(at) });
    move(past, { d: polyline(at.slice(0, frame + 1)) });
    move(marks, { d: specks(at) });
    const [cx, cy] = at[frame];
    move(now, { cx, cy });
    title.textContent = `accuracy ${fixed(accuracy[frame])}`;
  };
  return { node, update };
}

// The row that is most like a given one, itself left out.
const mostAlike = (values, position) =>
  values.reduce((best, value, t) =>
    t !== position && (best < 0 || value > values[best]) ? t : best, -1);

// A table is stored as rows, each a text with its entries in thousandths.
const unpacked = (recording) => ({
  ...recording,
  tables: recording.tables.map((table) =>
    table.map((row) => row.split(" ").map((entry) => Number(entry) / 1000))),
});

const sentences = ({ task, steps, accuracy, tables }, frame, position, values, nearest) => {
  const count = values.length;
  const when = steps[frame]
    ? `“${task}” after ${steps[frame]} of ${steps.at(-1)} training steps`
    : `“${task}” before training`;
  const near = all(count - 1, (t) => values[t][t + 1]).reduce((sum, value) => sum + value, 0) / (count - 1);
  const inLine = values.filter((row, t) => Math.abs(mostAlike(row, t) - t) === 1).length;
  const away = Math.abs(nearest - position);
  const row = tables[frame][position].some((value) => value)
    ? `Of the other rows, row ${nearest} is most like row ${position}: cosine ` +
      `${fixed(values[position][nearest])}, ${away === 1 ? "a neighbor" : `${away} positions away`}.`
    : `Row ${position} holds zeros: it has no direction.`;
  const beyond = position === count - 1
    ? ` Position ${count} has no row: a text that is longer cannot be encoded.` : "";
  return (
    `${when}: accuracy ${fixed(accuracy[frame])}. ${row} The cosine of two neighbors is ` +
    `${fixed(near)} on average; ${inLine} of the ${count} rows ${inLine === 1 ? "is" : "are"} most like a neighbor.${beyond}`
  );
};

// What the task asks for, what the table is, and where the slider stops.
const explained = ({ task, about, steps, tables: [table] }) =>
  `${about ? `“${task}”: ${about}. ` : ""}The table has a row for each position from 0 to ${table.length - 1}. ` +
  `The training step stops at the dots of the accuracy, ${steps.length} in all.`;

function render({ model, el }) {
  const recordings = model.get("recordings").map(unpacked);
  if (!recordings.length) {
    el.textContent = "No recording was given to this figure.";
    return undefined;
  }
  const [frames, count] = [recordings[0].steps.length, recordings[0].tables[0].length];
  const [map, columns] = [heatMap(count), [side(count, false), side(count, true)]];
  const curves = [progress("ex-tall", TALL), progress("ex-flat", FLAT)];
  curves[1].node.style.order = -1;
  const task = h("p", { class: "ex-task" });
  const get = (name, limit) => Math.min(model.get(name), limit - 1);

  const update = () => {
    const recording = recordings[get("task", recordings.length)];
    const [frame, position] = [get("frame", frames), get("position", count)];
    const values = cosines(recording.tables[frame]);
    const nearest = mostAlike(values[position], position);
    map.update(values, position);
    for (const column of columns) column.update(values[position], position, nearest);
    const text = explained(recording);
    if (task.textContent !== text) task.textContent = text;
    for (const curve of curves) curve.update(recording.steps, recording.accuracy, frame);
    return sentences(recording, frame, position, values, nearest);
  };

  const figure = movingFigure({
    model, el, update,
    title: "A table while it trains",
    names: ["task", "frame", "position"],
  });
  figure.root.prepend(h("style", {}, LOOK));
  figure.select(["task"], "task", recordings.map(({ task }, k) => [task, k]), { basis: "120px" });
  const step = (frame) => String(recordings[get("task", recordings.length)].steps[frame]);
  const slider = figure.slider("frame", "training step", { min: 0, max: frames - 1, show: step });
  figure.slider("position", "position", { min: 0, max: count - 1 });

  // The same snapshot of another training has another step.
  const renamed = () => {
    const text = step(get("frame", frames));
    slider.setAttribute("aria-valuetext", text);
    slider.nextSibling.textContent = text;
  };
  model.on("change:task", renamed);

  // Playing: nothing moves by itself, and with reduced motion each press is one snapshot. What is
  // passed on the way is not read out, only where it ends.
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;
  const ended = () => get("frame", frames) === frames - 1;
  const advance = () => figure.set("frame", ended() ? 0 : get("frame", frames) + 1);
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    named();
  };
  const press = () => {
    if (timer) return stop();
    if (still.matches) return advance();
    if (ended()) advance();
    timer = setInterval(() => (ended() ? stop() : advance()), PAUSE);
    return named();
  };
  const button = figure.button("", press);
  button.style.minWidth = "6.5em";
  const named = () => {
    const next = still.matches ? "next step" : "play";
    button.textContent = timer ? "pause" : still.matches && ended() ? "start again" : next;
    figure.hush(timer !== 0);
  };
  // The last snapshot ends it, however it was reached.
  const moved = () => (ended() ? stop() : named());
  model.on("change:frame", moved);
  still.addEventListener("change", stop);

  const choose = (event) => figure.set("position", map.positionAt(event));
  map.front.addEventListener("click", choose);
  draggable(map.front, choose);
  map.node.style.touchAction = "pan-y";
  const drawings = [map, ...columns, ...curves].map(({ node }) => node);
  figure.root.querySelector(".ex-controls").after(task);
  const end = figure.start(h("div", { class: "playback" }, ...drawings));
  stop();
  return () => {
    clearInterval(timer);
    still.removeEventListener("change", stop);
    model.off("change:task", renamed);
    model.off("change:frame", moved);
    end();
  };
}

export default { render };
