// The score of one patch with all others where all words are alike: what positions alone prefer.

import { all, draggable, drawing, fixed, label, move, movingFigure, svg } from "./base.js";
import { gridMap, onNewColors } from "./grid.js";

const SIDE = LIMITS.row[1] + 1;
const MAP = { width: 334, height: 330, left: 36, top: 24, wide: 294, tall: 294 };
const CELL = MAP.wide / SIDE;
const BARS = { width: 250, height: 226, left: 104, unit: 84, top: 30, step: 36 };
// The neighbors that have a bar: row and column offset, name, mark.
const NEIGHBORS = [
  [0, 1, "right", "right"],
  [1, 0, "below", "below"],
  [1, 1, "below right", "corner"],
  [1, -1, "below left", "corner"],
];

// The mean of cos(ω · offset) over the pairs.
const score = (pairs, rows, columns) =>
  pairs.reduce((sum, [a, b]) => sum + Math.cos(a * rows + b * columns), 0) / pairs.length;
const scores = (pairs, row, column) => all(SIDE, (r) => all(SIDE, (c) => score(pairs, r - row, c - column)));

const inside = (row, column) => [row, column].every((value) => value >= 0 && value < SIDE);

// The steps to the neighbors that are framed and told of: beside and below, or at the edge the other way.
const inward = (row, column) => [row, column].map((value) => (value + 1 < SIDE ? 1 : -1));
const sentence = (name, row, column) => {
  const [way, side] = inward(row, column);
  const [beside, under] = [side > 0 ? "on its right" : "on its left", way > 0 ? "below" : "above"];
  const pairs = SCHEMES[name];
  const [one, other] = [score(pairs, 0, side), score(pairs, way, 0)];
  const higher =
    scores(pairs, row, column)
      .flat()
      .filter((value) => value > other + 1e-9).length - 1;
  const rank =
    higher === 0 ? "No other patch scores" : higher === 1 ? "One other patch scores" : `${higher} other patches score`;
  return [
    `Row ${row}, column ${column}: the patch `,
    ["right", beside],
    ` scores ${fixed(one)}, the one `,
    ["below", under],
    ` ${fixed(other)}. ${rank} higher than that.`,
  ];
};
const numbers = (name, row, column) => {
  const found = scores(SCHEMES[name], row, column).flat();
  const half = found.filter((value) => value > 0.5).length - 1;
  const [near, far] = [score(SCHEMES[name], 1, 1), score(SCHEMES[name], 1, -1)];
  return (
    `The lowest score of the map is ${fixed(Math.min(...found))}; ${half} other patches score above 0.5. ` +
    `One down and one to the right scores ${fixed(near)}, one down and one to the left ${fixed(far)}.`
  );
};

function render({ model, el }) {
  const map = gridMap(SIDE, SIDE, MAP, "Scores of all patches. The arrow keys move the query, and so does a click.");
  const { front } = map;
  move(front, { role: "application", tabindex: 0 });
  front.style.cursor = "crosshair";
  const frame = (stroke, width, mark) =>
    svg("rect", {
      width: CELL,
      height: CELL,
      fill: "none",
      stroke: `var(--ex-${stroke})`,
      "stroke-width": width,
      "data-mark": mark,
    });
  const here = frame("ink", 2.5, "query");
  const near = NEIGHBORS.slice(0, 2).map(([, , , mark], k) => frame(["main", "accent"][k], 2, mark));
  const upright = label(10, MAP.top + MAP.tall / 2, "row", "middle");
  move(upright, { transform: `rotate(-90 10 ${MAP.top + MAP.tall / 2})` });
  front.append(
    svg("rect", { x: MAP.left, y: MAP.top, width: MAP.wide, height: MAP.tall, fill: "none", stroke: "var(--ex-line)" }),
    ...[0, SIDE - 1].flatMap((k) => [
      label(MAP.left + (k + 0.5) * CELL, 16, String(k), "middle"),
      label(MAP.left - 6, MAP.top + (k + 0.5) * CELL + 4, String(k), "end"),
    ]),
    label(MAP.left + MAP.wide / 2, 16, "column", "middle"),
    upright,
    ...near,
    here,
  );

  const bars = drawing(BARS.width, BARS.height, "Scores of four neighbors");
  const rows = NEIGHBORS.map(([, , name, mark], k) => {
    const y = BARS.top + k * BARS.step;
    const fill = `var(--ex-${{ right: "main", below: "accent" }[mark] ?? "soft"})`;
    const bar = svg("rect", { x: BARS.left, y, height: 20, fill, "data-mark": mark });
    const value = label(BARS.width, y + 15, "", "end");
    bars.append(label(0, y + 15, name), bar, value);
    return { bar, value };
  });
  bars.append(
    label(0, 14, "score of the neighbor"),
    svg("line", {
      x1: BARS.left,
      x2: BARS.left,
      y1: BARS.top - 6,
      y2: BARS.top + 4 * BARS.step - 10,
      stroke: "var(--ex-soft)",
    }),
    label(BARS.left, BARS.top + 4 * BARS.step + 6, "0", "middle"),
    label(BARS.left + BARS.unit, BARS.top + 4 * BARS.step + 6, "1", "middle"),
    label(0, BARS.top + 4 * BARS.step + 30, "The map: red is 1,"),
    label(0, BARS.top + 4 * BARS.step + 47, "faint the lowest score."),
  );

  const at = (row, column) => ({ x: MAP.left + column * CELL, y: MAP.top + row * CELL });
  const update = () => {
    const [r, c] = ["row", "column"].map(figure.at); // between two patches while it moves
    const [row, column, name] = [Math.round(r), Math.round(c), model.get("scheme")];
    const found = scores(SCHEMES[name], r, c);
    const low = Math.min(...found.flat());
    map.paint(found.map((line) => line.map((value) => (value - low) / (1 - low))));
    move(here, at(r, c));
    const [way, side] = inward(row, column);
    [
      [0, side],
      [way, 0],
    ].forEach(([down, right], k) => move(near[k], at(r + down, c + right)));
    rows.forEach(({ bar, value }, k) => {
      const [down, right] = NEIGHBORS[k];
      const there = inside(row + down, column + right);
      const height = score(SCHEMES[name], down, right);
      move(bar, { width: height * BARS.unit, visibility: there ? "visible" : "hidden" });
      value.textContent = there ? fixed(height) : "outside";
    });
    return { said: sentence(name, row, column), more: numbers(name, row, column) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "Which patches does a patch see as near?",
    names: ["row", "column", "scheme"],
    marks: { right: "main", below: "accent" },
    longest: {
      said: [
        "Row 10, column 10: the patch on its right scores −0.00, the one below −0.00. 188 other patches score higher than that.",
      ],
      more: [numbers("mixed", 6, 6)],
    },
  });
  figure.select(
    ["scheme"],
    "frequencies",
    Object.keys(SCHEMES).map((name) => [name, name]),
    { basis: "170px" },
  );
  figure.slider("row", "row", { glide: true, basis: "150px" });
  figure.slider("column", "column", { glide: true, basis: "150px" });
  const choose = (row, column) => {
    if (inside(row, column)) figure.glide({ row, column }, 200);
  };
  const found = (event) => {
    const { row, column } = map.cellAt(event);
    figure.set("row", row);
    figure.set("column", column);
  };
  front.addEventListener("click", found);
  draggable(front, found);
  const keys = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  front.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault(); // the page stays where it is
    const [down, right] = keys[event.key];
    choose(model.get("row") + down, model.get("column") + right);
  });
  const uncolored = onNewColors(figure.redraw);
  const stop = figure.start(map.node, bars);
  return () => {
    uncolored();
    stop();
  };
}

export default { render };
