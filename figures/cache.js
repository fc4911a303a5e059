// Cached keys whose position IDs change, and the turn that mends their scores.

import { all, drawing, fixed, h, label, move, movingFigure, svg } from "./base.js";
import { frequencies, similarity } from "./encodings.js";

const KEYS = 8; // A to H, turned to 0 to 7
const GAP = 2; // the first that is evicted
const [WIDTH, BASE] = [8, 16];
const PAIR = 2; // the one on the dials
const OMEGA = frequencies(WIDTH, BASE)[PAIR];
const CELLS = KEYS + LIMITS.by[1] + 1; // the last is the next token

const CELL = { width: 44, height: 176, x: 22, y: 42, radius: 19, zero: 128, unit: 32 };

const letter = (k) => String.fromCharCode(65 + k);
const lower = (k) => String.fromCharCode(97 + k);
const score = (query, key) => similarity(query - key, WIDTH, BASE) / (WIDTH / 2);

// The row after an operation: of each key its name, the position that it is turned to, its ID, and
// whether it is in question. A key that is gone has no ID. Then the position of the next token.
const rowAfter = (operation, by) => {
  const key = (name, turned, id = turned, asked = true) => ({ name, turned, id, asked });
  const old = all(KEYS, (k) => key(letter(k), k));
  const added = (first) => all(by, (k) => key(lower(k), first + k, first + k, false));
  const behind = (k) => k >= GAP + by;
  const gone = (k) => k >= GAP && !behind(k);
  if (operation === "append") return [[...old, ...added(KEYS)], KEYS + by];
  if (operation === "evict")
    return [old.map((each, k) => (gone(k) ? key(each.name, k, null, false) : { ...each, asked: behind(k) })), KEYS];
  if (operation === "renumber")
    return [
      old
        .map((each, k) => (behind(k) ? key(each.name, k, k - by) : { ...each, asked: false }))
        .filter((_, k) => !gone(k)),
      KEYS - by,
    ];
  if (operation === "front") return [[...added(0), ...old.map(({ name }, k) => key(name, k, k + by))], KEYS + by];
  return [
    [...old.map((each) => ({ ...each, asked: false })), ...all(by, (k) => key(lower(k), k, KEYS + k))],
    KEYS + by,
  ];
};

const range = (first, count, name) => (count > 1 ? `${name(first)} to ${name(first + count - 1)}` : name(first));
const tokens = (by) => (by > 1 ? `${by} tokens` : "1 token");
const gone = (by) => `${by > 1 ? "Keys" : "Key"} ${range(GAP, by, letter)} ${by > 1 ? "are" : "is"} gone`;
const STORY = {
  append: (by) => `${tokens(by)} ${by > 1 ? "are" : "is"} added at the end, and every key keeps its ID. `,
  evict: (by) => `${gone(by)}, every other key keeps its ID, and the next token has ${KEYS}. `,
  renumber: (by) => `${gone(by)}, later IDs shrink by ${by}, and the next token has ${KEYS - by}. `,
  front: (by) => `A prompt of ${tokens(by)} comes in front, and the IDs of the text grow by ${by}. `,
  join: (by) =>
    `A cache of ${tokens(by)} is added at the end; its keys were turned from 0 on, and get IDs from ${KEYS} on. `,
};
const name = (turn) => `R(${fixed(turn, Number.isInteger(turn) ? 0 : 1)})`;
const sentence = (operation, by, turn, scores) => {
  const off = scores.filter(({ now, due }) => Math.abs(now - due) > 1e-9);
  const turned = turn ? `Turned by ${name(turn)}, ` : "Not turned, ";
  const most = Math.max(0, ...off.map(({ now, due }) => Math.abs(now - due)));
  const verdict = off.length
    ? [
        ["now", `${off.length} of ${scores.length} scores`],
        off.length === 1 ? " differs from " : " differ from ",
        ["due", "those of one pass"],
        `, by up to ${fixed(most)}.`,
      ]
    : [["now", `all ${scores.length} scores`], " are ", ["due", "those of one pass"], "."];
  return [STORY[operation](by) + turned, ...verdict];
};
const numbers = (row, turn, scores) =>
  `IDs: ${row
    .filter(({ id }) => id !== null)
    .map(({ name, id }) => `${name} ${id}`)
    .join(", ")}. ` +
  `Scores: ${scores.map(({ now }) => fixed(now)).join(", ")}. The keys in question are turned by ${fixed(OMEGA * turn)} radians in the pair on the dials.`;

const ROOM = {
  said: [
    [
      "A cache of 5 tokens is added at the end; its keys were turned from 0 on, and get IDs from 8 on. Turned by R(−8), 13 of 13 scores differ from those of one pass, by up to 0.00.",
    ],
  ],
  more: [
    numbers(
      all(13, (k) => ({ name: "A", id: 10 + k })),
      -8,
      all(13, () => ({ now: -0.5 })),
    ),
  ],
};

const cell = () => {
  const { width, height, x, y, radius, zero } = CELL;
  const node = drawing(width, height, "");
  const parts = {
    name: label(x, 14, "", "middle"),
    rim: svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
    due: svg("circle", { r: 6, fill: "none", stroke: "var(--ex-accent)", "stroke-width": 2, "data-mark": "due" }),
    hand: svg("line", {
      x1: x,
      y1: y,
      stroke: "var(--ex-main)",
      "stroke-width": 2.5,
      "stroke-linecap": "round",
      "data-mark": "now",
    }),
    id: label(x, 82, "", "middle"),
    axis: svg("line", { x1: 4, x2: width - 4, y1: zero, y2: zero, stroke: "var(--ex-soft)" }),
    bar: svg("rect", { x: x - 8, width: 16, fill: "var(--ex-main)", "data-mark": "now" }),
    line: svg("line", { x1: x - 14, x2: x + 14, stroke: "var(--ex-accent)", "stroke-width": 2.5, "data-mark": "due" }),
    value: label(x, height - 2, "", "middle"),
  };
  node.append(...Object.values(parts));
  return { node, ...parts };
};

// A hand starts at the right and turns counterclockwise, as rotary's do.
const tip = (angle) => [CELL.x + CELL.radius * Math.cos(angle), CELL.y - CELL.radius * Math.sin(angle)];
const shown = (node, on) => move(node, { visibility: on ? "inherit" : "hidden" });

function render({ model, el }) {
  const cells = all(CELLS, cell);
  const strip = h(
    "div",
    { style: "display: flex; flex-wrap: wrap; gap: 6px clamp(2px, 1vw - 2px, 6px); justify-content: center" },
    ...cells.map(({ node }) => node),
  );

  const update = () => {
    const [operation, by] = ["operation", "by"].map((key) => model.get(key));
    const turn = figure.at("turn");
    const [row, next] = rowAfter(operation, by);
    const at = ({ turned, asked }, share) => turned + (asked ? share : 0);
    const scores = row
      .filter(({ id }) => id !== null)
      .map((each) => ({ now: score(next, at(each, turn)), due: score(next, each.id) }));
    cells.forEach((each, k) => {
      const held = k < row.length ? row[k] : k === row.length ? { name: "next", turned: next, id: next } : null;
      each.node.style.visibility = held ? "" : "hidden"; // it keeps its room
      if (!held) return;
      const [there, isKey] = [held.id !== null, k < row.length];
      const place = at(held, turn);
      const [x2, y2] = tip(OMEGA * place);
      const [cx, cy] = tip(OMEGA * (held.id ?? 0));
      move(each.node, { "aria-label": there ? `${held.name}, ID ${held.id}` : `${held.name}, evicted` });
      move(each.rim, { "stroke-dasharray": there ? "none" : "3 4" });
      each.name.textContent = held.name;
      each.id.textContent = there ? `ID ${held.id}` : "gone";
      move(each.hand, { x2, y2 });
      move(each.due, { cx, cy });
      shown(each.hand, there);
      shown(each.due, there && isKey);
      for (const node of [each.axis, each.bar, each.line, each.value]) shown(node, there && isKey);
      const [now, due] = [score(next, place), score(next, held.id ?? 0)];
      move(each.bar, { y: CELL.zero - CELL.unit * Math.max(now, 0), height: CELL.unit * Math.abs(now) });
      move(each.line, { y1: CELL.zero - CELL.unit * due, y2: CELL.zero - CELL.unit * due });
      each.value.textContent = there && isKey ? fixed(now) : "";
    });
    return { said: sentence(operation, by, turn, scores), more: numbers(row, turn, scores) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "A cache and its position IDs: turn the keys until the scores are right",
    names: ["operation", "by", "turn"],
    marks: { now: "main", due: "accent" },
    longest: ROOM,
  });
  figure.select(["operation"], "operation", OPERATIONS, { basis: "220px" });
  figure.slider("by", "how many tokens", { basis: "140px" });
  figure.slider("turn", "turn by R(m), m =", { glide: true, basis: "260px" });
  return figure.start(strip);
}

export default { render };
