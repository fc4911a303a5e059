// Chapter 6: a learned table while it trains, played back.
import { cosines } from "./alike.js";
import { draggable, drawing, explorer, fixed, h, label, move, polyline, specks, svg } from "./base.js";

const PAUSE = 700; // milliseconds from one snapshot to the next
const MAP = { width: 304, height: 338, left: 30, top: 22, size: 256, key: 296, cells: 32 };
const SIDE = { width: 148, height: 338, middle: 92, amplitude: 50 }; // beside the map, as high
const TALL = { width: 198, height: 338, left: 30, top: 22, wide: 156, tall: 256, name: 36 };
// Where the drawings do not fit side by side, the accuracy is flat, and next to the sliders.
const FLAT = { width: 304, height: 104, left: 30, top: 22, wide: 256, tall: 60, name: 18 };
const ROW = MAP.width + SIDE.width + TALL.width + 2 * 16; // what they need side by side
const LOOK = `
.explorer .playback { display: flex; flex-wrap: wrap; gap: 8px 16px; justify-content: center;
  align-items: start; width: 100%; container-type: inline-size; }
.explorer .playback .ex-flat { display: none; margin: 0 max(0px, 50% - ${FLAT.width / 2}px); }
@container (max-width: ${ROW - 1}px) { .explorer .playback .ex-tall { display: none; }
  .explorer .playback .ex-flat { display: block; order: -1; } }
`;

const all = (count, value) => Array.from({ length: count }, (_, k) => value(k));
const line = (attributes) => svg("path", { fill: "none", "stroke-width": 1.5, ...attributes });
const points = (attributes) => line({ "stroke-width": 5, "stroke-linecap": "round", ...attributes });
const dot = () => svg("circle", { r: 5, fill: "var(--ex-accent)" });
const ticks = (count) => [...new Set([0, 0.25, 0.5, 0.75].map((share) => Math.round(share * count))), count - 1];

// The ground follows the theme; a square on it is red or blue, as strong as its value.
const tint = (value) => ({
  fill: `var(--ex-${value < 0 ? "blue" : "red"})`,
  "fill-opacity": Math.min(Math.abs(value), 1).toFixed(3),
});

// The similarity of every row with every other. The column of the chosen position is framed.
function heatMap(count) {
  const { width, height, left, top, size, key, cells } = MAP;
  const cell = size / count;
  const node = drawing(width, height, "Cosine similarity of every row with every other. A click chooses a position.");
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
    front, ground(key, 12),
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

// The framed column as a curve, at the height of the map. A ring marks the most similar row, and
// its number stands among those of the axis, where the curve never comes.
function side(count) {
  const { width, height, middle, amplitude } = SIDE;
  const { top, size } = MAP;
  const node = drawing(width, height, "The framed column, along the positions");
  const title = label(0, 14);
  const at = (value, t) => [middle + amplitude * value, top + ((t + 0.5) * size) / count];
  const [curve, dots, now] = [line({ stroke: "var(--ex-soft)" }), points({ stroke: "var(--ex-main)" }), dot()];
  const ring = svg("circle", { r: 7, fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2 });
  const [edge, center] = [at(-1, 0)[0], top + size / 2];
  const lead = line({ stroke: "var(--ex-accent)", "stroke-dasharray": "2 3" });
  const name = label(edge - 8, 0, "", "end");
  name.style.cssText = "fill: var(--ex-accent); font-weight: 650";
  const numbers = ticks(count).map((t) => [at(0, t)[1], label(edge - 8, at(0, t)[1] + 4, String(t), "end")]);
  const axis = label(10, center, "position", "middle");
  move(axis, { transform: `rotate(-90 10 ${center})` });
  node.append(
    title, axis, ...numbers.map(([, number]) => number),
    ...[-1, 0, 1].map((v) => svg("line", {
      x1: at(v)[0], x2: at(v)[0], y1: top, y2: top + size, stroke: v ? "var(--ex-line)" : "var(--ex-soft)",
    })),
    ...[-1, 0, 1].map((v) => label(at(v)[0], top + size + 18, fixed(v, 0), "middle")),
    label(middle, top + size + 36, "cosine", "middle"), lead, curve, dots, ring, now, name,
  );
  const update = (values, position, nearest) => {
    title.textContent = `row ${position} and the others`;
    move(curve, { d: polyline(values.map(at)) });
    move(dots, { d: specks(values.map(at)) });
    const [[cx, cy], [x, y]] = [at(values[position], position), at(values[nearest], nearest)];
    move(now, { cx, cy });
    move(ring, { cx: x, cy: y });
    move(lead, { d: polyline([[edge, y], [x - 7, y]]) });
    move(name, { y: y + 4 });
    name.textContent = String(nearest);
    for (const [height, number] of numbers)
      move(number, { visibility: Math.abs(height - y) < 15 ? "hidden" : "visible" });
  };
  return { node, update };
}

// Accuracy against the training step; what lies ahead is thin.
function progress(kind, { width, height, left, top, wide, tall, name }) {
  const node = drawing(width, height, "Accuracy while training");
  move(node, { class: kind });
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
  const row = tables[frame][position].some((value) => value)
    ? `Row ${position} is most like row ${nearest} (cosine ${fixed(values[position][nearest])}), ` +
      `which is ${Math.abs(nearest - position) === 1 ? "a" : "not a"} neighbor.`
    : `Row ${position} holds zeros: it has no direction.`;
  return (
    `${when}: accuracy ${fixed(accuracy[frame])}. ${row} The cosine of two neighbors is ` +
    `${fixed(near)} on average; of ${count} rows, ${inLine} ${inLine === 1 ? "is" : "are"} most like a neighbor.`
  );
};

function render({ model, el }) {
  const recordings = model.get("recordings").map(unpacked);
  if (!recordings.length) {
    el.textContent = "No recording was given to this figure.";
    return undefined;
  }
  const [frames, count] = [recordings[0].steps.length, recordings[0].tables[0].length];
  const [map, column] = [heatMap(count), side(count)];
  const curves = [progress("ex-tall", TALL), progress("ex-flat", FLAT)];
  const get = (name, limit) => Math.min(model.get(name), limit - 1);

  const update = () => {
    const recording = recordings[get("task", recordings.length)];
    const [frame, position] = [get("frame", frames), get("position", count)];
    const values = cosines(recording.tables[frame]);
    const nearest = mostAlike(values[position], position);
    map.update(values, position);
    column.update(values[position], position, nearest);
    for (const curve of curves) curve.update(recording.steps, recording.accuracy, frame);
    return sentences(recording, frame, position, values, nearest);
  };

  const figure = explorer({
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
  const drawings = [map, column, ...curves].map(({ node }) => node);
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
