// A learned table while it trains, played back, one task beside the other.
import { cosines } from "./alike.js";
import { all, draggable, drawing, fixed, h, label, move, movingFigure, polyline, specks, svg } from "./base.js";
import { gridMap, onNewColors } from "./grid.js";
import { colorScale } from "./parts.js";

const PACE = 1.5; // snapshots in a second
const SIDES = { left: 34, wide: 256, width: 304 }; // of all drawings of a task: they stand in line
const PROGRESS = { height: 104, top: 10, tall: 58 };
const MAP = { ...SIDES, height: 316, top: 24, tall: 256, next: 286 };
const COLUMN = { height: 132, middle: 68, amplitude: 40 };
const LOOK = `
.moving-figure .playback { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: center; width: 100%;
  container-type: inline-size; }
.moving-figure .pb-task { width: min(100%, ${SIDES.width}px); }
.moving-figure .pb-task p { margin: 0; padding-left: ${SIDES.left}px; font-size: 15px; line-height: 1.35; min-height: 4.05em; }
.moving-figure .pb-key { flex: 0 0 100%; }
.moving-figure .pb-key svg { margin: 0 auto; }
@container (max-width: ${2 * SIDES.width + 23}px) { /* where one task has room, it is the chosen one */
  .moving-figure .pb-task:not(.chosen) { display: none; }
  .moving-figure .pb-task p { min-height: 2.7em; } }
`;

const line = (attributes) => svg("path", { fill: "none", "stroke-width": 1.5, ...attributes });
const points = (attributes) => line({ "stroke-width": 5, "stroke-linecap": "round", ...attributes });
const ticks = (count) => [...new Set([0, 0.25, 0.5, 0.75].map((share) => Math.round(share * count))), count - 1];

// Accuracy against the training step; what lies ahead is thin. The dot may be between two snapshots.
function progress({ steps, accuracy }) {
  const { left, wide, width } = SIDES;
  const { height, top, tall } = PROGRESS;
  const node = drawing(width, height, "Accuracy while training");
  const at = steps.map((step, k) => [left + (wide * step) / (steps.at(-1) || 1), top + tall * (1 - accuracy[k])]);
  const past = line({ stroke: "var(--ex-main)", "stroke-width": 2.5 });
  const now = svg("circle", { r: 6, fill: "var(--ex-main)", "data-mark": "accuracy" });
  node.append(
    ...[0, 0.5, 1].flatMap((v) => [
      svg("line", {
        x1: left,
        x2: left + wide,
        y1: top + tall * (1 - v),
        y2: top + tall * (1 - v),
        stroke: "var(--ex-line)",
      }),
      label(left - 9, top + tall * (1 - v) + 4, String(v), "end"),
    ]),
    label(left, top + tall + 17, String(steps[0]), "middle"),
    label(left + wide, top + tall + 17, String(steps.at(-1)), "end"),
    label(left + wide / 2, top + tall + 32, "accuracy against training step", "middle"),
    line({ stroke: "var(--ex-soft)", d: polyline(at) }),
    past,
    points({ stroke: "var(--ex-main)", d: specks(at) }),
    now,
  );
  const update = (frame) => {
    const before = Math.floor(frame);
    const [[x0, y0], [x1, y1]] = [at[before], at[Math.min(before + 1, at.length - 1)]];
    const [cx, cy] = [x0 + (x1 - x0) * (frame - before), y0 + (y1 - y0) * (frame - before)];
    move(past, { d: polyline([...at.slice(0, before + 1), [cx, cy]]) });
    move(now, { cx, cy });
  };
  return { node, update };
}

// The similarity of every row with every other. The column of the chosen position is framed.
function similarities(count, task) {
  const { width, left, wide, top, tall, next } = MAP;
  const cell = wide / count;
  const map = gridMap(
    count,
    count,
    MAP,
    `“${task}”: cosine similarity of every row with every other. A click chooses a position.`,
  );
  const frame = svg("rect", {
    y: top,
    width: cell,
    height: tall,
    fill: "none",
    stroke: "var(--ex-ink)",
    "stroke-width": 1.5,
    "data-mark": "row",
  });
  const grip = svg("rect", {
    x: left,
    y: top,
    width: wide,
    height: tall,
    fill: "transparent",
    style: "cursor: crosshair",
  });
  map.front.append(
    ...ticks(count).flatMap((t) => [
      label(left + (t + 0.5) * cell, top - 8, String(t), "middle"),
      label(left - 6, top + (t + 0.5) * cell + 4, String(t), "end"),
    ]),
    svg("rect", {
      x: left,
      y: next,
      width: wide,
      height: 20,
      fill: "none",
      stroke: "var(--ex-soft)",
      "stroke-dasharray": "4 4",
    }),
    label(left + wide / 2, next + 15, `position ${count}: no row, so no vector`, "middle"),
    grip,
    frame,
  );
  move(map.front, { viewBox: `0 0 ${width} ${MAP.height}` });
  const update = (values, position) => {
    map.paint(values);
    move(frame, { x: left + position * cell });
  };
  return { ...map, grip, update };
}

// The framed column along the positions. A ring marks the most similar row, and its number stands
// among those of the axis, where the curve never comes.
function framed(count) {
  const { left, wide, width } = SIDES;
  const { height, middle, amplitude } = COLUMN;
  const node = drawing(width, height, "The framed column, along the positions");
  const title = label(left, 14);
  const at = (value, t) => [left + ((t + 0.5) * wide) / count, middle - amplitude * value];
  const [curve, dots] = [line({ stroke: "var(--ex-soft)" }), points({ stroke: "var(--ex-main)" })];
  const now = svg("circle", { r: 5, fill: "var(--ex-ink)", "data-mark": "row" });
  const ring = svg("circle", {
    r: 7,
    fill: "none",
    stroke: "var(--ex-accent)",
    "stroke-width": 2,
    "data-mark": "nearest",
  });
  const lead = line({ stroke: "var(--ex-accent)", "stroke-dasharray": "2 3", "data-mark": "nearest" });
  const foot = middle + amplitude + 18;
  const name = label(0, foot, "", "middle");
  name.style.cssText = "fill: var(--ex-accent); font-weight: 650";
  const numbers = ticks(count).map((t) => [t, label(at(0, t)[0], foot, String(t), "middle")]);
  node.append(
    title,
    ...numbers.map(([, number]) => number),
    ...[-1, 0, 1].flatMap((v) => [
      svg("line", {
        x1: left,
        x2: left + wide,
        y1: middle - amplitude * v,
        y2: middle - amplitude * v,
        stroke: v ? "var(--ex-line)" : "var(--ex-soft)",
      }),
      label(left - 6, middle - amplitude * v + 4, fixed(v, 0), "end"),
    ]),
    lead,
    curve,
    dots,
    ring,
    now,
    name,
  );
  const update = (values, position, nearest) => {
    title.textContent = `cosine of row ${position} with each row`;
    move(curve, { d: polyline(values.map(at)) });
    move(dots, { d: specks(values.map(at)) });
    const [[cx, cy], [x, y]] = [at(values[position], position), at(values[nearest], nearest)];
    move(now, { cx, cy });
    move(ring, { cx: x, cy: y });
    move(lead, {
      d: polyline([
        [x, y + 7],
        [x, foot - 12],
      ]),
    });
    move(name, { x });
    name.textContent = String(nearest);
    for (const [t, number] of numbers)
      move(number, { visibility: Math.abs(at(0, t)[0] - x) < 20 ? "hidden" : "visible" });
  };
  return { node, update };
}

// The row that is most like a given one, itself left out.
const mostAlike = (values, position) =>
  values.reduce((best, value, t) => (t !== position && (best < 0 || value > values[best]) ? t : best), -1);

// A table is stored as rows, each a text with its entries in thousandths.
const unpacked = (recording) => ({
  ...recording,
  tables: recording.tables.map((table) => table.map((row) => row.split(" ").map((entry) => Number(entry) / 1000))),
});

const sentence = ({ task, steps, accuracy, tables }, frame, position, values, nearest) => {
  const when = steps[frame] ? `after ${steps[frame]} steps` : "before training";
  const start = [`“${task}”, ${when}: `, ["accuracy", `accuracy ${fixed(accuracy[frame])}`]];
  if (!tables[frame][position].some((value) => value))
    return [...start, "; ", ["row", `row ${position}`], " holds zeros, so it has no direction."];
  const away = Math.abs(nearest - position);
  return [
    ...start,
    "; ",
    ["row", `row ${position}`],
    " is most like ",
    ["nearest", `row ${nearest}`],
    ` (cosine ${fixed(values[position][nearest])}), ${away === 1 ? "a neighbor" : `${away} positions away`}.`,
  ];
};

// How much of a line the rows of a table form.
const inNumbers = ({ task }, values) => {
  const count = values.length;
  const near = all(count - 1, (t) => values[t][t + 1]).reduce((sum, value) => sum + value, 0) / (count - 1);
  const inLine = values.filter((row, t) => Math.abs(mostAlike(row, t) - t) === 1).length;
  return (
    `“${task}”: the cosine of two neighbors is ${fixed(near)} on average, and ${inLine} of ` +
    `${count} rows ${inLine === 1 ? "is" : "are"} most like a neighbor.`
  );
};

function render({ model, el }) {
  const recordings = model.get("recordings").map(unpacked);
  if (!recordings.length) {
    el.textContent = "No recording was given to this figure.";
    return undefined;
  }
  const [frames, count] = [recordings[0].steps.length, recordings[0].tables[0].length];
  const panels = recordings.map((recording) => {
    const parts = { accuracy: progress(recording), map: similarities(count, recording.task), column: framed(count) };
    const about = recording.about ? `: ${recording.about}` : "";
    const node = h(
      "div",
      { class: "pb-task" },
      h("p", {}, h("b", {}, recording.task), about),
      parts.accuracy.node,
      parts.map.node,
      parts.column.node,
    );
    return { ...parts, node, found: recording.tables.map(() => null) };
  });
  const key = drawing(SIDES.width, 34, "Colors of the cosines from minus 1 to 1");
  const colors = colorScale(SIDES.left + SIDES.wide / 2, 4);
  colors.update("−1", "cosine 0", "1");
  key.append(...colors.nodes);
  const get = (name, limit) => Math.min(model.get(name), limit - 1);

  const update = () => {
    const [chosen, frame, position] = [get("task", panels.length), get("frame", frames), get("position", count)];
    const states = panels.map((panel, k) => {
      panel.found[frame] ??= cosines(recordings[k].tables[frame]);
      const values = panel.found[frame];
      const nearest = mostAlike(values[position], position);
      panel.node.classList.toggle("chosen", k === chosen);
      panel.accuracy.update(Math.min(figure.at("frame"), frames - 1));
      panel.map.update(values, position);
      panel.column.update(values[position], position, nearest);
      return { values, nearest };
    });
    const { values, nearest } = states[chosen];
    return {
      said: sentence(recordings[chosen], frame, position, values, nearest),
      more:
        states.map((state, k) => inNumbers(recordings[k], state.values)).join(" ") +
        ` Each table has a row for each position from 0 to ${count - 1}, and was recorded at the ${frames} dots of its accuracy.`,
    };
  };

  const names = recordings.map(({ task }) => task);
  const long = names.reduce((a, b) => (b.length > a.length ? b : a));
  const figure = movingFigure({
    model,
    el,
    update,
    title: recordings.length > 1 ? "Tables while they train" : "A table while it trains",
    names: ["task", "frame", "position"],
    marks: { accuracy: "main", row: "ink", nearest: "accent" },
    longest: {
      said: [
        `“${long}”, after ${recordings[0].steps.at(-1)} steps: accuracy 0.00; row 00 is most like row 00 (cosine −0.00), 00 positions away.`,
      ],
    },
  });
  figure.root.prepend(h("style", {}, LOOK));
  figure.play("frame", { perSecond: PACE, limits: () => [0, frames - 1] });
  const step = (frame) => String(recordings[get("task", panels.length)].steps[frame]);
  const slider = figure.slider("frame", "training step", { min: 0, max: frames - 1, show: step, basis: "230px" });
  figure.slider("position", "position", { min: 0, max: count - 1, basis: "120px" });
  if (names.length > 1)
    figure.select(
      ["task"],
      "task described",
      names.map((task, k) => [task, k]),
      { basis: "110px" },
    );

  // The same snapshot of another training may have another step.
  const renamed = () => {
    const text = step(get("frame", frames));
    slider.setAttribute("aria-valuetext", text);
    slider.nextSibling.textContent = text;
  };
  model.on("change:task", renamed);

  panels.forEach(({ map }, k) => {
    const choose = (event) => {
      figure.set("position", map.cellAt(event).column);
      figure.set("task", k);
    };
    map.grip.addEventListener("click", choose);
    draggable(map.grip, choose);
    map.node.style.touchAction = "pan-y";
  });
  const uncolored = onNewColors(figure.redraw);
  const end = figure.start(
    h("div", { class: "playback" }, ...panels.map(({ node }) => node), h("div", { class: "pb-key" }, key)),
  );
  return () => {
    uncolored();
    model.off("change:task", renamed);
    end();
  };
}

export default { render };
