// A learned table while it trains, played back, one task beside the other.
import { movingFigure } from "./base.js";
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
const MAP = { ...SIDES, height: 284, top: 24, tall: 256 };
const LOOK = `
.moving-figure .pb-task { width: min(100%, ${SIDES.width}px); }
.moving-figure .pb-task p { margin: 0; padding-left: ${SIDES.left}px; font-size: 15px; line-height: 1.35;
  min-height: 4.05em; }
.moving-figure .pb-key { flex: 0 0 100%; }
.moving-figure .pb-key svg { margin: 0 auto; }
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

// In front of the similarities of every row with every other.
const mapShapes = (count) => {
  const { left, wide, top, tall } = MAP;
  const cell = wide / count;
  return [
    ticks(count).map((t) => [
      text(left + (t + 0.5) * cell, top - 8, t, "middle"),
      text(left - 6, top + (t + 0.5) * cell + 4, t, "end"),
    ]),
    rect(left, top, wide, tall, { fill: "none", stroke: "line" }),
  ];
};

// A table is stored as rows, each a text with its entries in thousandths.
const unpacked = (recording) => ({
  ...recording,
  tables: recording.tables.map((table) => table.map((row) => row.split(" ").map((entry) => Number(entry) / 1000))),
});

// What the accuracy is, and how alike neighbors are and the two ends of the table.
const sentence = (recordings, frame, found) => {
  const parts = recordings.map(({ task, accuracy }, k) => {
    const values = found[k];
    const count = values.length;
    const near = times(count - 1, (t) => values[t][t + 1]).reduce((sum, value) => sum + value, 0) / (count - 1);
    return (
      `“${task}”: {accuracy|accuracy ${fixed(accuracy[frame])}}, cosine of two neighbors ${fixed(near)} on average, ` +
      `of the first and the last row ${fixed(values[0][count - 1])}.`
    );
  });
  return parts.join(" ");
};

const panelOf = (recording) => {
  const { task, about, tables } = recording;
  const count = tables[0].length;
  const progress = drawing(SIDES.width, PROGRESS.height, "Accuracy while training");
  const map = gridMap(count, count, MAP, `“${task}”: cosine similarity of every row with every other`);
  const title = element("p", {}, element("b", {}, task), about ? `: ${about}` : "");
  const node = element("div", { class: "pb-task" }, title, progress, map.node);
  map.front.draw(mapShapes(count));
  const found = []; // the similarities of each snapshot, once they are asked for
  const draw = (frame, shown) => {
    found[frame] ??= cosines(tables[frame]);
    map.paint(found[frame]);
    progress.draw(progressShapes(recording, shown));
    return found[frame];
  };
  return { node, draw };
};

function render({ model, el }) {
  const recordings = model.get("recordings").map(unpacked);
  if (!recordings.length) {
    el.textContent = "No recording was given to this figure.";
    return undefined;
  }
  const { steps } = recordings[0];
  const panels = recordings.map(panelOf);
  const key = drawing(SIDES.width, 34, "Colors of the cosines from minus 1 to 1");
  key.draw(colorScale(SIDES.left + SIDES.wide / 2, 4, ["−1", "cosine 0", "1"]));

  const update = ({ frame: shown }) => {
    const frame = model.get("frame");
    const found = panels.map(({ draw }) => draw(frame, shown));
    return sentence(recordings, frame, found);
  };
  const first = recordings.map(({ tables }) => cosines(tables[0]).map((row) => row.map(() => -0.5)));
  const figure = movingFigure(model, el, update, {
    title: "Tables while they train",
    names: ["frame"],
    marks: { accuracy: "main" },
    longest: { said: [sentence(recordings, 0, first)] },
  });
  figure.root.prepend(element("style", {}, LOOK));
  const limits = [0, steps.length - 1];
  figure.play("frame", { perSecond: PACE, limits: () => limits });
  const show = (frame) => String(steps[Math.round(frame)]);
  figure.slider("frame", "training step", { min: 0, max: limits[1], show, basis: "230px" });
  figure.atEnd(onNewColors(figure.redraw));
  return figure.start(...panels.map(({ node }) => node), element("div", { class: "pb-key" }, key));
}

export default { render };
