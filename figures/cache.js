// Cached keys whose position IDs change, and the turn that repairs their scores.
import { movingFigure, note } from "./base.js";
import { circle, drawing, fixed, legend, line, rect, text, times } from "./drawing.js";
import { element } from "./element.js";
import { frequencies, similarity } from "./encodings.js";

const TEXT = "the dog bit the man who ran home".split(" "); // turned to 0 to 7
const ADDED = "a bird sang".split(" ");
const KEYS = TEXT.length;
const [GAP, BY] = [2, ADDED.length]; // the first key that is evicted, and how many come or go
const [WIDTH, BASE] = [8, 16];
const [OMEGA] = frequencies(WIDTH, BASE); // of the pair on the dials
const CELLS = KEYS + BY + 1; // the last is the next token

const CELL = { width: 52, height: 194, x: 26, y: 48, radius: 24, zero: 146, unit: 38 };

const score = (query, key) => similarity(query - key, WIDTH, BASE) / (WIDTH / 2);

// The row after an operation: of each key its name, the position that it is turned to, its ID, and
// whether it is in question. Then the position of the next token.
export const rowAfter = (operation) => {
  const key = (name, turned, id, asked = true) => ({ name, turned, id, asked });
  const old = TEXT.map((name, k) => key(name, k, k, false));
  const moved = (keys, by) => keys.map((each) => ({ ...each, id: each.id + by, asked: true }));
  const added = ADDED.map((name, k) => key(name, k, k, false));
  if (operation === "renumber") return [[...old.slice(0, GAP), ...moved(old.slice(GAP + BY), -BY)], KEYS - BY];
  if (operation === "front") return [[...added, ...moved(old, BY)], KEYS + BY];
  return [[...old, ...moved(added, KEYS)], KEYS + BY];
};

const STORY = {
  renumber: "The keys of “bit the man” are gone, later IDs drop by 3, and the next token has ID 5. ",
  front: "A prompt of 3 tokens comes in front, and the IDs of the text grow by 3. ",
  join: "A cache of 3 tokens is added at the end; its keys were turned from 0 on, and get IDs from 8 on. ",
};
const sentence = (operation, turn, scores) => {
  const off = scores.map(({ now, due }) => Math.abs(now - due)).filter((error) => error > 1e-9);
  const turned = turn ? `Turned by R(${fixed(turn, Number.isInteger(turn) ? 0 : 1)}), ` : "Not turned, ";
  const verdict = off.length
    ? `{now|${off.length} of ${scores.length} scores} ${off.length === 1 ? "differs" : "differ"} from ` +
      `{due|the right ones}, by up to ${fixed(Math.max(...off))}.`
    : `{now|all ${scores.length} scores} of layer 1 are {due|right}.`;
  return STORY[operation] + turned + verdict;
};

const NOTE = `The dials show the fastest of four pairs, one radian for each ID. Blue dials: keys with new IDs.
  A score is the mean of all four.`;
// What is drawn how.
const RING = { fill: "none", stroke: "accent", strokeWidth: 2 };
const LEGEND = [
  [line(2, 6, 28, 6, { stroke: "main", strokeWidth: 2.5 }), "where a key is turned to"],
  [circle(15, 6, 5, RING), "where its ID says"],
  [rect(8, 0, 14, 12, { fill: "main" }), "its score"],
  [line(2, 6, 28, 6, { stroke: "accent", strokeWidth: 2.5 }), "the right score"],
];

// A hand starts at the right and turns counterclockwise, as rotary's do.
const tip = (angle) => [CELL.x + CELL.radius * Math.cos(angle), CELL.y - CELL.radius * Math.sin(angle)];
const at = ({ turned, asked }, turn) => turned + (asked ? turn : 0);

// A cell of the row: its dial, its ID, and its score as a bar, with a line where it should end.
export const cellShapes = (held, isKey, next, turn) => {
  const { width, height, x, y, radius, zero, unit } = CELL;
  const [now, due] = [score(next, at(held, turn)), score(next, held.id)];
  const [top, level] = [zero - unit * Math.max(now, 0), zero - unit * due];
  const asKey = { visibility: isKey ? "inherit" : "hidden" };
  const hand = { stroke: "main", strokeWidth: 2.5, strokeLinecap: "round", mark: "now" };
  return [
    text(x, 14, held.name, "middle"),
    circle(x, y, radius, { fill: "none", stroke: held.asked ? "main" : "soft" }),
    circle(...tip(OMEGA * held.id), 6, { ...RING, mark: "due", ...asKey }),
    line(x, y, ...tip(OMEGA * at(held, turn)), hand),
    text(x, 92, `ID ${held.id}`, "middle"),
    line(4, zero, width - 4, zero, { stroke: "soft", ...asKey }),
    rect(x - 10, top, 20, unit * Math.abs(now), { fill: "main", mark: "now", ...asKey }),
    line(x - 17, level, x + 17, level, { stroke: "accent", strokeWidth: 2.5, mark: "due", ...asKey }),
    text(x, height - 2, isKey ? fixed(now) : "", "middle", asKey),
  ];
};

function render({ model, el }) {
  const cells = times(CELLS, () => drawing(CELL.width, CELL.height, ""));
  // Twelve, six or four in a row.
  const wide = "calc(230px + clamp(0px, (100% - 322px) * 99, 110px) + max(0px, (100% - 646px) * 99))";
  const style = `display: flex; flex-wrap: wrap; gap: 6px 2px; justify-content: center; width: min(100%, ${wide})`;
  const strip = element("div", { style }, ...cells);

  const update = ({ operation, turn }) => {
    const [row, next] = rowAfter(operation);
    const scores = row.map((key) => ({ now: score(next, at(key, turn)), due: score(next, key.id) }));
    const shown = [...row, { name: "next", turned: next, id: next }];
    cells.forEach((cell, k) => {
      const held = shown[k];
      cell.style.display = held ? "" : "none";
      if (!held) return;
      cell.setAttribute("aria-label", `${held.name}, ID ${held.id}`);
      cell.draw(cellShapes(held, k < row.length, next, turn));
    });
    return sentence(operation, turn, scores);
  };

  const figure = movingFigure(model, el, update, {
    title: "Layer 1 of a cache: turn the keys until the scores are right",
    names: ["operation", "turn"],
    marks: { now: "main", due: "accent" },
    longest: { said: [sentence("join", -8, Array(11).fill({ now: -1, due: 0.5 }))] },
  });
  figure.select(["operation"], "operation", OPERATIONS, { basis: "220px" });
  model.on("change:operation", () => model.set("turn", 0)); // each begins with its own task
  figure.slider("turn", "turn by R(m), m =", { glide: true, basis: "260px" });
  return figure.start(legend(LEGEND), strip, note(NOTE));
}

export default { render };
