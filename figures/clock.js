// A position as clock hands, and the matrix that moves it.

import { all, drawing, fixed, h, label, move, movingFigure, plainly, polyline, signed, svg } from "./base.js";
import { frequencies, sinusoidal, turn } from "./encodings.js";
import { byHand, handle } from "./parts.js";

const PAIRS = 4;
const CENTER = [62, 84];

// A hand on a circle: sine across, cosine up, as in the book's pictures.
const hand = (mark, color, width, tip, reach) =>
  svg(
    "g",
    { "data-mark": mark },
    svg("line", { stroke: color, "stroke-width": width, "stroke-linecap": "round" }),
    svg("circle", { r: tip, fill: color }),
    handle(reach),
  );

const point = (node, sine, cosine) => {
  const [line, ...dots] = node.children;
  const [cx, cy] = [CENTER[0] + RADIUS * sine, CENTER[1] - RADIUS * cosine];
  move(line, { x1: CENTER[0], y1: CENTER[1], x2: cx, y2: cy });
  for (const dot of dots) move(dot, { cx, cy });
};

const angleAt = ([x, y]) => Math.atan2(x - CENTER[0], CENTER[1] - y);

// The way of a hand from one angle to another, with an arrow. It grows, so that whole turns show.
const spiral = (from, to) => {
  const steps = Math.ceil(Math.abs(to - from) / 0.1);
  const at = (share, out = 0) => {
    const angle = from + (to - from) * share;
    const radius = 28 + 0.8 * Math.abs(angle - from) + out;
    return [CENTER[0] + radius * Math.sin(angle), CENTER[1] - radius * Math.cos(angle)];
  };
  const way = Array.from({ length: steps + 1 }, (_, k) => at(k / Math.max(steps, 1)));
  const back = 1 - 0.16 / Math.abs(to - from); // where the arrow begins
  return polyline(back < 0 ? way : [...way, at(back, 5), at(1), at(back, -5)]);
};

// An angle in degrees, without its sign: whole turns are counted.
const turned = (angle) => {
  const tenths = Math.round((Math.abs(angle) * 1800) / Math.PI);
  const [turns, rest] = [Math.floor(tenths / 3600), `${fixed((tenths % 3600) / 10, 1)}°`];
  return turns ? `${turns} ${turns === 1 ? "turn" : "turns"} and ${rest}` : rest;
};

// Which hand is which, above the hands: a dot in the color of the hand, and what it stands for.
const MARKS = { main: "now", accent: "moved" };
const legend = () => {
  const texts = ["main", "accent"].map((color) => {
    const text = h("span");
    const dot = h("span", { style: `color: var(--ex-${color})`, "aria-hidden": "true" }, "● ");
    return { text, entry: h("span", { "data-mark": MARKS[color] }, dot, text) };
  });
  const node = h(
    "div",
    {
      style: `display: flex; flex-wrap: wrap; justify-content: center; gap: 0 24px; width: 100%;
      font-size: 14px`,
    },
    ...texts.map(({ entry }) => entry),
  );
  return { node, texts: texts.map(({ text }) => text) };
};

// A row of colored cells, one a number.
const cells = (count, x, y, size) =>
  Array.from({ length: count }, (_, k) =>
    svg("rect", { x: x + k * size, y, width: size, height: size, stroke: "var(--ex-line)" }),
  );

// What is said of a move, and in numbers.
const sentence = (position, offset, read = plainly, half = 0) => {
  const name = `T(${read(offset)})`;
  const becomes = [
    ["now", `position ${read(position)}`],
    " becomes ",
    ["moved", `position ${read(position + offset)}`],
    ".",
  ];
  if (half === 1)
    return [`t walks and Δ stays: the angles between the hands and the matrix ${name} stay. `, ...becomes];
  if (half === 2)
    return [`Δ walks and t stays: the angles between the hands and the matrix ${name} change. `, ...becomes];
  if (!offset)
    return [
      `${name} turns no hand: `,
      ["now", `position ${read(position)}`],
      " stays as it is, and so does every other position.",
    ];
  return [
    `${name} turns each hand ${offset < 0 ? "back" : "forward"} by an angle of its own, ω·Δ, wherever it stands: `,
    ["now", `position ${read(position)}`],
    " becomes ",
    ["moved", `position ${read(position + offset)}`],
    `, as 20 becomes ${read(20 + offset)} and 100 becomes ${read(100 + offset)}.`,
  ];
};
const numbers = (position, offset, omegas, read = plainly) => {
  const angles = omegas.map((omega) => turned(omega * offset)).join(", ");
  const rows = turn(offset, omegas[0]).map((row) => row.map((value) => fixed(value, 3)).join(", "));
  const before =
    position + offset < 0 ? ` Position ${read(position + offset)} is before the start; the formula still holds.` : "";
  return (
    `The angles of the hands: ${angles}. There is no t in them. The first block of the matrix, ` +
    `(${rows.join(") and (")}), holds the cosine and the sine of the first angle.${before}`
  );
};
const ROOM = {
  said: [sentence(200, 20), sentence(199.9, -19.9, plainly, 2)],
  more: [
    numbers(
      10,
      -20,
      all(PAIRS, () => 1.9),
    ),
  ],
};

// Across is the sine, up the cosine.
const axes = () => {
  const names = [
    label(CENTER[0], CENTER[1] - RADIUS - 16, "cosine", "middle"),
    label(CENTER[0] + RADIUS + 10, CENTER[1] + 4, "sine"),
  ];
  for (const name of names) name.style.fill = "var(--ex-soft)";
  return names;
};

const CELL = 26;
const RADIUS = 50;
const WALK = 28; // positions that play walks before Δ moves

function render({ model, el }) {
  const now = [],
    moved = [],
    arcs = [],
    names = [],
    turns = [];
  const key = legend();
  const dials = Array.from({ length: PAIRS }, (_, i) => {
    const dial = drawing(146, 185, `Pair ${i}: hands at the position and at the moved position`);
    now.push(hand("now", "var(--ex-main)", 3.5, 5.5, 8));
    moved.push(hand("moved", "var(--ex-accent)", 8, 9.5, 18)); // behind and wider: a rim shows it where both point the same way
    arcs.push(svg("path", { fill: "none", stroke: "var(--ex-accent)", "stroke-width": 1.5, "data-mark": "moved" }));
    names.push(label(CENTER[0], 164, "", "middle"));
    turns.push(label(CENTER[0], 181, "", "middle"));
    dial.append(
      svg("circle", { cx: CENTER[0], cy: CENTER[1], r: RADIUS, fill: "none", stroke: "var(--ex-soft)" }),
      svg("path", {
        d: `M${CENTER[0] - RADIUS} ${CENTER[1]}h${2 * RADIUS}M${CENTER[0]} ${CENTER[1] - RADIUS}v${2 * RADIUS}`,
        stroke: "var(--ex-line)",
      }),
      ...axes(),
      arcs[i],
      moved[i],
      now[i],
      names[i],
      turns[i],
    );
    return dial;
  });

  const left = drawing(8 * CELL + 60, 8 * CELL + 70, "The matrix of the move, and what its colors mean");
  const matrix = Array.from({ length: 8 }, (_, row) => cells(8, 2, 24 + row * CELL, CELL));
  const matrixName = label(2, 14);
  const blocks = Array.from({ length: PAIRS }, (_, i) =>
    svg("path", {
      d: `M${2 + 2 * i * CELL} ${24 + 2 * i * CELL}h${2 * CELL}v${2 * CELL}h${-2 * CELL}Z`,
      fill: "none",
      stroke: "var(--ex-ink)",
      "stroke-width": 1.2,
    }),
  );
  const scale = Array.from({ length: (8 * CELL) / 4 }, (_, k) =>
    svg("path", {
      d: `M${2 + 4 * k} ${40 + 8 * CELL}h4.3`,
      "stroke-width": 12,
      stroke: signed((2 * k) / (2 * CELL - 1) - 1),
    }),
  );
  left.append(
    ...matrix.flat(),
    ...blocks,
    matrixName,
    label(8 * CELL + 12, 24 + 4 * CELL + 5, "times"),
    ...scale,
    ...[-1, 0, 1].map((v) =>
      label(2 + 4 * CELL * (v + 1), 62 + 8 * CELL, fixed(v, 0), ["start", "middle", "end"][v + 1]),
    ),
  );

  const right = drawing(304, 8 * CELL + 30, "The vectors before and after the move");
  const columns = [2, 128].map((x) => Array.from({ length: 8 }, (_, row) => cells(1, x, 24 + row * CELL, CELL)[0]));
  const values = [2, 128].map((x) =>
    Array.from({ length: 8 }, (_, row) => label(x + CELL + 46, 42 + row * CELL, "", "end")),
  );
  // The dots say which vector belongs to which hand.
  const heads = [label(16, 14), label(142, 14)];
  const keys = ["var(--ex-main)", "var(--ex-accent)"].map((fill, side) =>
    svg("circle", { cx: [8, 134][side], cy: 9.5, r: 5, fill }),
  );
  right.append(
    ...columns.flat(),
    ...values.flat(),
    ...keys,
    ...heads,
    label(95, 24 + 4 * CELL + 5, "is"),
    ...dials.map((_, i) => label(262, 29 + (2 * i + 1) * CELL, `pair ${i}`)),
    ...all(2 * PAIRS, (row) => label(208, 42 + row * CELL, row % 2 ? "cosine" : "sine")),
  );

  const update = () => {
    const base = model.get("base");
    const [t, by] = ["position", "offset"].map(figure.at); // on the way: between two positions
    const omegas = frequencies(2 * PAIRS, base);
    const vectors = [t, t + by].map((place) => sinusoidal(place, 2 * PAIRS, base));
    omegas.forEach((omega, i) => {
      point(now[i], vectors[0][2 * i], vectors[0][2 * i + 1]);
      point(moved[i], vectors[1][2 * i], vectors[1][2 * i + 1]);
      move(arcs[i], { d: spiral(omega * t, omega * (t + by)) });
      names[i].textContent = `pair ${i}: ω = ${Number(omega.toPrecision(3))}`;
      turns[i].textContent = `${by < 0 ? "back" : "by"} ${turned(omega * by)}`;
      turn(by, omega).forEach((row, r) =>
        row.forEach((value, c) => move(matrix[2 * i + r][2 * i + c], { fill: signed(value) })),
      );
    });
    vectors.forEach((vector, side) =>
      vector.forEach((value, row) => {
        move(columns[side][row], { fill: signed(value) });
        values[side][row].textContent = fixed(value);
      }),
    );
    const [here, there, name] = [figure.read(t), figure.read(t + by), `T(${figure.read(by)})`];
    matrixName.textContent = `${name}: the same for every position`;
    heads[0].textContent = `t = ${here}`;
    heads[1].textContent = `t + Δ = ${there}`;
    key.texts[0].textContent = `position t = ${here}`;
    key.texts[1].textContent = `moved to t + Δ = ${there}`;
    return {
      said: sentence(t, by, figure.read, figure.playing() && (tour.here > WALK ? 2 : 1)),
      more: numbers(t, by, omegas, figure.read),
    };
  };

  matrix.flat().forEach((cell) => move(cell, { fill: signed(0) }));
  const figure = movingFigure({
    model,
    el,
    update,
    title: "Move a position: turn the hands",
    names: ["position", "offset", "base"],
    marks: { now: "main", moved: "accent" },
    longest: ROOM,
  });
  figure.slider("position", "position t", { glide: true });
  // First t walks, and the matrix stays; then Δ goes through its range and back, and it changes.
  const tour = { here: 0 };
  const [low, high] = LIMITS.offset;
  const along = (place) => {
    const step = Math.min(place, WALK);
    const swept = (Math.max(place - WALK, 0) + tour.offset - low) % (2 * (high - low));
    return {
      position: tour.position + (tour.position + WALK > LIMITS.position[1] ? -step : step),
      offset: high - Math.abs(swept - (high - low)),
    };
  };
  const isThere = () =>
    Object.entries(along(tour.here)).every(([name, value]) => Math.round(value) === model.get(name));
  figure.play("position", {
    perSecond: 4,
    place: () => {
      // What a slider or a hand has set is a new beginning.
      if (!isThere()) Object.assign(tour, { here: 0, position: model.get("position"), offset: model.get("offset") });
      return tour.here;
    },
    values: (place) => {
      tour.here = place;
      return along(place);
    },
    limits: () => [0, WALK + 2 * (high - low)],
  });
  figure.slider("offset", "offset Δ", { glide: true });
  figure.slider("base", "base", {
    step: 0.25,
    from: Math.log10,
    to: (exponent) => Math.round(10 ** exponent),
    show: (v) => Number(v.toPrecision(6)).toLocaleString("en"),
  });
  // A hand that is turned takes all the others along.
  const grab = (node, name, i) =>
    byHand(
      node,
      dials[i],
      angleAt,
      (angle, start) => {
        const omega = frequencies(2 * PAIRS, model.get("base"))[i];
        const [low, high] = LIMITS[name];
        figure.hold({ [name]: Math.min(Math.max(start + angle / omega, low), high) });
      },
      { begin: () => figure.at(name), end: figure.settle },
    );
  dials.forEach((_, i) => {
    grab(now[i], "position", i);
    grab(moved[i], "offset", i);
  });
  return figure.start(key.node, ...dials, left, right);
}

export default { render };
