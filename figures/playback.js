// A learned table while it trains, played back, one task beside the other.
import { draggable, movingFigure } from "./base.js";
import {
  circle,
  colorScale,
  drawing,
  element,
  fixed,
  line,
  outline,
  polyline,
  rect,
  specks,
  text,
  times,
} from "./drawing.js";
import { cosines } from "./encodings.js";
import { gridMap, onNewColors } from "./grid.js";

const PACE = 1.5; // snapshots in a second
const SIDES = { left: 34, wide: 256, width: 304 }; // of all drawings of a task: they stand in line
const PROGRESS = { height: 104, top: 10, tall: 58 };
const MAP = { ...SIDES, height: 316, top: 24, tall: 256, next: 286 };
const COLUMN = { height: 132, middle: 68, amplitude: 40 };
const LOOK = `
.moving-figure .playback { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: center; width: 100%;
  container-type: inline-size; }
.moving-figure .pb-task { width: min(100%, ${SIDES.width}px); }
.moving-figure .pb-task p { margin: 0; padding-left: ${SIDES.left}px; font-size: 15px; line-height: 1.35;
  min-height: 4.05em; }
.moving-figure .pb-key { flex: 0 0 100%; }
.moving-figure .pb-key svg { margin: 0 auto; }
@container (max-width: ${2 * SIDES.width + 23}px) { /* where one task has room, it is the chosen one */
  .moving-figure .pb-task:not(.chosen) { display: none; }
  .moving-figure .pb-task p { min-height: 2.7em; } }
`;

const curve = (points, look) => outline(polyline(points), { strokeWidth: 1.5, ...look });
const dots = (points) => outline(specks(points), { stroke: "main", strokeWidth: 5, strokeLinecap: "round" });
const ticks = (count) => [...new Set([0, 0.25, 0.5, 0.75].map((share) => Math.round(share * count))), count - 1];

// Accuracy against the training step; what lies ahead is thin. The dot may be between two snapshots.
export const progressShapes = ({ steps, accuracy }, frame) => {
  const { left, wide } = SIDES;
  const { top, tall } = PROGRESS;
  const y = (value) => top + tall * (1 - value);
  const points = steps.map((step, k) => [left + (wide * step) / (steps.at(-1) || 1), y(accuracy[k])]);
  const before = Math.floor(frame);
  const [[x0, y0], [x1, y1]] = [points[before], points[Math.min(before + 1, points.length - 1)]];
  const now = [x0 + (x1 - x0) * (frame - before), y0 + (y1 - y0) * (frame - before)];
  return [
    [0, 0.5, 1].map((value) => [
      line(left, y(value), left + wide, y(value), { stroke: "line" }),
      text(left - 9, y(value) + 4, value, "end"),
    ]),
    text(left, top + tall + 17, steps[0], "middle"),
    text(left + wide, top + tall + 17, steps.at(-1), "end"),
    text(left + wide / 2, top + tall + 32, "accuracy against training step", "middle"),
    curve(points, { stroke: "soft" }),
    curve([...points.slice(0, before + 1), now], { stroke: "main", strokeWidth: 2.5 }),
    dots(points),
    circle(...now, 6, { fill: "main", mark: "accuracy" }),
  ];
};

// In front of the similarities of every row with every other: the column of the position is framed.
export const mapShapes = (count, position) => {
  const { left, wide, top, tall, next } = MAP;
  const cell = wide / count;
  return [
    ticks(count).map((t) => [
      text(left + (t + 0.5) * cell, top - 8, t, "middle"),
      text(left - 6, top + (t + 0.5) * cell + 4, t, "end"),
    ]),
    rect(left, next, wide, 20, { fill: "none", stroke: "soft", strokeDasharray: "4 4" }),
    text(left + wide / 2, next + 15, `position ${count}: no row, so no vector`, "middle"),
    rect(left, top, wide, tall, { ref: "grip", fill: "transparent", style: "cursor: crosshair" }),
    rect(left + position * cell, top, cell, tall, { fill: "none", stroke: "ink", strokeWidth: 1.5, mark: "row" }),
  ];
};

// The framed column along the positions. A ring marks the most similar row, and its number stands
// among those of the axis, where the curve never comes.
export const columnShapes = (values, position, nearest) => {
  const { left, wide } = SIDES;
  const { middle, amplitude } = COLUMN;
  const foot = middle + amplitude + 18;
  const at = (value, t) => [left + ((t + 0.5) * wide) / values.length, middle - amplitude * value];
  const [x, y] = at(values[nearest], nearest);
  const number = (t) => {
    const place = at(0, t)[0];
    return text(place, foot, t, "middle", { visibility: Math.abs(place - x) < 20 ? "hidden" : "visible" });
  };
  const accent = { stroke: "accent", mark: "nearest" };
  return [
    text(left, 14, `cosine of row ${position} with each row`),
    ticks(values.length).map(number),
    [-1, 0, 1].map((v) => [
      line(left, at(v)[1], left + wide, at(v)[1], { stroke: v ? "line" : "soft" }),
      text(left - 6, at(v)[1] + 4, fixed(v, 0), "end"),
    ]),
    curve(
      [
        [x, y + 7],
        [x, foot - 12],
      ],
      { ...accent, strokeDasharray: "2 3" },
    ),
    curve(values.map(at), { stroke: "soft" }),
    dots(values.map(at)),
    circle(x, y, 7, { ...accent, fill: "none", strokeWidth: 2 }),
    circle(...at(values[position], position), 5, { fill: "ink", mark: "row" }),
    text(x, foot, nearest, "middle", { style: "fill: var(--ex-accent); font-weight: 650" }),
  ];
};

// The row that is most similar to a given one, itself left out.
const mostSimilar = (values, position) =>
  values.reduce((best, value, t) => (t !== position && (best < 0 || value > values[best]) ? t : best), -1);

// A table is stored as rows, each a text with its entries in thousandths.
const unpacked = (recording) => ({
  ...recording,
  tables: recording.tables.map((table) => table.map((row) => row.split(" ").map((entry) => Number(entry) / 1000))),
});

const sentence = ({ task, steps, accuracy, tables }, frame, position, values, nearest) => {
  const when = steps[frame] ? `after ${steps[frame]} steps` : "before training";
  const start = `“${task}”, ${when}: {accuracy|accuracy ${fixed(accuracy[frame])}}; {row|row ${position}}`;
  if (!tables[frame][position].some((value) => value)) return `${start} holds zeros, so it has no direction.`;
  const away = Math.abs(nearest - position);
  const cosine = fixed(values[position][nearest]);
  const where = away === 1 ? "a neighbor" : `${away} positions away`;
  return `${start} is most like {nearest|row ${nearest}} (cosine ${cosine}), ${where}.`;
};

// How much of a line the rows of a table form.
const numbers = ({ task }, values) => {
  const count = values.length;
  const near = times(count - 1, (t) => values[t][t + 1]).reduce((sum, value) => sum + value, 0) / (count - 1);
  const inLine = values.filter((row, t) => Math.abs(mostSimilar(row, t) - t) === 1).length;
  return (
    `“${task}”: the cosine of two neighbors is ${fixed(near)} on average, and ${inLine} of ` +
    `${count} rows ${inLine === 1 ? "is" : "are"} most like a neighbor.`
  );
};

const panelOf = (recording, count) => {
  const { task, about } = recording;
  const name = `“${task}”: cosine similarity of every row with every other. A click chooses a position.`;
  const progress = drawing(SIDES.width, PROGRESS.height, "Accuracy while training");
  const map = gridMap(count, count, MAP, name);
  const column = drawing(SIDES.width, COLUMN.height, "The framed column, along the positions");
  const title = element("p", {}, element("b", {}, task), about ? `: ${about}` : "");
  const node = element("div", { class: "pb-task" }, title, progress, map.node, column);
  const found = []; // the similarities of each snapshot, once they are asked for
  const draw = (frame, shown, position) => {
    found[frame] ??= cosines(recording.tables[frame]);
    const values = found[frame];
    const nearest = mostSimilar(values[position], position);
    map.paint(values);
    progress.draw(progressShapes(recording, shown));
    map.front.draw(mapShapes(count, position));
    column.draw(columnShapes(values[position], position, nearest));
    return { values, nearest };
  };
  return { node, map, draw };
};

function render({ model, el }) {
  const recordings = model.get("recordings").map(unpacked);
  if (!recordings.length) {
    el.textContent = "No recording was given to this figure.";
    return undefined;
  }
  const [{ steps, tables }] = recordings;
  const [frames, count] = [steps.length, tables[0].length];
  const panels = recordings.map((recording) => panelOf(recording, count));
  const key = drawing(SIDES.width, 34, "Colors of the cosines from minus 1 to 1");
  key.draw(colorScale(SIDES.left + SIDES.wide / 2, 4, ["−1", "cosine 0", "1"]));
  const get = (name, limit) => Math.min(model.get(name), limit - 1);
  const step = (frame) => String(recordings[get("task", panels.length)].steps[frame]);

  const update = (state) => {
    const [chosen, frame, position] = [get("task", panels.length), get("frame", frames), get("position", count)];
    const states = panels.map(({ node, draw }, k) => {
      node.classList.toggle("chosen", k === chosen);
      return draw(frame, Math.min(state.frame, frames - 1), position);
    });
    const { values, nearest } = states[chosen];
    const recorded =
      `Each table has a row for each position from 0 to ${count - 1}, ` +
      `and was recorded at the ${frames} dots of its accuracy.`;
    return {
      said: sentence(recordings[chosen], frame, position, values, nearest),
      more: [...states.map((found, k) => numbers(recordings[k], found.values)), recorded].join(" "),
    };
  };

  const names = recordings.map(({ task }) => task);
  const long = names.reduce((a, b) => (b.length > a.length ? b : a));
  const longest =
    `“${long}”, after ${steps.at(-1)} steps: accuracy 0.00; ` +
    "row 00 is most like row 00 (cosine −0.00), 00 positions away.";
  const figure = movingFigure(model, el, update, {
    title: recordings.length > 1 ? "Tables while they train" : "A table while it trains",
    names: ["task", "frame", "position"],
    marks: { accuracy: "main", row: "ink", nearest: "accent" },
    longest: { said: [longest] },
  });
  figure.root.prepend(element("style", {}, LOOK));
  figure.play("frame", { perSecond: PACE, limits: () => [0, frames - 1] });
  const slider = figure.slider("frame", "training step", { min: 0, max: frames - 1, show: step, basis: "230px" });
  figure.slider("position", "position", { min: 0, max: count - 1, basis: "120px" });
  const options = names.map((task, k) => [task, k]);
  if (names.length > 1) figure.select(["task"], "task described", options, { basis: "110px" });
  // The same snapshot of another training may have another step.
  figure.onChange(["task"], () => {
    slider.setAttribute("aria-valuetext", step(get("frame", frames)));
    slider.nextSibling.textContent = step(get("frame", frames));
  });
  figure.atEnd(onNewColors(figure.redraw));
  const stop = figure.start(
    element("div", { class: "playback" }, ...panels.map(({ node }) => node), element("div", { class: "pb-key" }, key)),
  );
  panels.forEach(({ map }, task) => {
    const choose = (event) => figure.setAll({ position: map.cellAt(event).column, task });
    map.front.refs.grip.addEventListener("click", choose);
    draggable(map.front.refs.grip, choose);
    map.node.style.touchAction = "pan-y";
  });
  return stop;
}

export default { render };
