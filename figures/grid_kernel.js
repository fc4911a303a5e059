// The score of one patch with all others where all words are alike: what positions alone prefer.
import { movingFigure, onArrows } from "./base.js";
import { fixed, rect, text, times } from "./drawing.js";
import { gridMap, onNewColors } from "./grid.js";

const SIDE = LIMITS.row[1] + 1;
const MAP = { width: 334, height: 330, left: 36, top: 24, wide: 294, tall: 294 };
const CELL = MAP.wide / SIDE;

// The mean of cos(ω · offset) over the pairs.
const score = (scheme, rows, columns) => {
  const cosines = SCHEMES[scheme].map(([a, b]) => Math.cos(a * rows + b * columns));
  return cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
};
export const scores = ({ scheme, row, column }) =>
  times(SIDE, (r) => times(SIDE, (c) => score(scheme, r - row, c - column)));

const inside = (row, column) => [row, column].every((value) => value >= 0 && value < SIDE);

// The steps to the neighbors that are framed and told of: beside and below, or at the edge the other way.
const inward = (row, column) => [row, column].map((value) => (Math.round(value) + 1 < SIDE ? 1 : -1));

const sentence = ({ scheme, row, column }) => {
  const [way, side] = inward(row, column);
  const [one, other] = [score(scheme, 0, side), score(scheme, way, 0)];
  const found = scores({ scheme, row, column }).flat();
  const higher = found.filter((value) => value > other + 1e-9).length - 1;
  const rank = ["No other patch scores", "One other patch scores"][higher] ?? `${higher} other patches score`;
  const [beside, below] = [side > 0 ? "on its right" : "on its left", way > 0 ? "below" : "above"];
  return (
    `Row ${row}, column ${column}: the patch {right|${beside}} scores ${fixed(one)}, ` +
    `the one {below|${below}} ${fixed(other)}. ${rank} higher than that.`
  );
};
const LONGEST =
  "Row 10, column 10: the patch on its right scores −0.00, the one below −0.00. " +
  "188 other patches score higher than that.";

export const mapShapes = ({ row, column }) => {
  const { left, top, wide, tall } = MAP;
  const frame = (r, c, stroke, strokeWidth, mark) =>
    rect(left + c * CELL, top + r * CELL, CELL, CELL, { fill: "none", stroke, strokeWidth, mark });
  const [way, side] = inward(row, column);
  return [
    rect(left, top, wide, tall, { fill: "none", stroke: "line" }),
    [0, SIDE - 1].map((k) => [
      text(left + (k + 0.5) * CELL, 16, k, "middle"),
      text(left - 6, top + (k + 0.5) * CELL + 4, k, "end"),
    ]),
    text(left + wide / 2, 16, "column", "middle"),
    text(10, top + tall / 2, "row", "middle", { transform: `rotate(-90 10 ${top + tall / 2})` }),
    frame(row, column + side, "main", 2, "right"),
    frame(row + way, column, "accent", 2, "below"),
    frame(row, column, "ink", 2.5, "query"),
  ];
};

function render({ model, el }) {
  const map = gridMap(SIDE, SIDE, MAP, "Scores of all patches. The arrow keys move the query, and so does a click.");
  const update = (state) => {
    const found = scores(state); // between two patches while it moves
    const low = Math.min(...found.flat());
    map.paint(found.map((values) => values.map((value) => (value - low) / (1 - low))));
    map.front.draw(mapShapes(state));
    const chosen = { ...state, row: Math.round(state.row), column: Math.round(state.column) };
    return sentence(chosen);
  };

  const figure = movingFigure(model, el, update, {
    title: "Which patches does a patch see as near?",
    names: ["row", "column", "scheme"],
    marks: { right: "main", below: "accent" },
    longest: { said: [LONGEST] },
  });
  const options = Object.keys(SCHEMES).map((name) => [name, name]);
  figure.select(["scheme"], "frequencies", options, { basis: "170px" });
  figure.slider("row", "row", { glide: true, basis: "150px" });
  figure.slider("column", "column", { glide: true, basis: "150px" });
  map.onChoose(figure.setAll);
  onArrows(map.front, (down, right) => {
    const [row, column] = [model.get("row") + down, model.get("column") + right];
    if (inside(row, column)) figure.glide({ row, column }, 200);
  });
  figure.atEnd(onNewColors(figure.redraw));
  return figure.start(map.node);
}

export default { render };
