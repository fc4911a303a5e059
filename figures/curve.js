// Three sines as dials, as waves, and as one curve in space.

import { draggable, movingFigure, note, onArrows } from "./base.js";
import { rim, tipAt, turnByHand } from "./dial.js";
import {
  circle,
  clamp,
  dotsAt,
  drawing,
  fixed,
  line,
  listInWords,
  outline,
  path,
  polyline,
  rect,
  text,
  times,
} from "./drawing.js";
import { distance, sineOnly } from "./encodings.js";

const LAST = LIMITS.position[1]; // the positions are 0 … LAST
const SAME = 1e-6; // points nearer than this are one point
const PER_STEP = 16; // pieces of the smooth curve from one position to the next
const DIALS = ["first", "second", "third"];
const OMEGAS = [2, 4, 8].map((part) => Math.PI / part);

// The left drawing: in each column a dial, and below it its wave, downward along the positions.
const DIAL = { width: 310, left: 46, column: 88, y: 60, radius: 36, top: 112, step: 6.4, bottom: 334 };
// The right drawing: the cube from −1 to 1, seen from far away.
const SPACE = { width: 300, height: 340, unit: 84 };

// From a point of space to the screen, and how near it is. `turn` goes round the upright axis;
// a positive `tilt` looks from above.
const camera = (turn, tilt) => {
  const [a, e] = [turn, tilt].map((degrees) => (degrees * Math.PI) / 180);
  const [cosA, sinA, cosE, sinE] = [Math.cos(a), Math.sin(a), Math.cos(e), Math.sin(e)];
  return ([x, y, z]) => {
    const away = x * sinA + y * cosA;
    return [
      SPACE.width / 2 + SPACE.unit * (x * cosA - y * sinA),
      SPACE.height / 2 - SPACE.unit * (z * cosE + away * sinE),
      z * sinE - away * cosE,
    ];
  };
};

// What is far away fades into the ground.
const faded = (nearness) => {
  const share = clamp(62 + 26 * nearness, 18, 100);
  return `color-mix(in oklab, var(--ex-main) ${share.toFixed(0)}%, var(--ex-paper))`;
};

// What the strength of the color means, below the space.
const nearnessKey = () => {
  const [left, y, cells, cell] = [154, SPACE.height + 19, 16, 7];
  const color = (k) => faded(1.7 - (3.4 * k) / (cells - 1));
  return [
    text(left - 8, y, "color of the line: near", "end"),
    times(cells, (k) => rect(left + k * cell, y - 9, cell + 0.3, 9, { fill: color(k) })),
    text(left + cells * cell + 8, y, "far"),
  ];
};

const samePoint = (position, back, mirrored, turned) => {
  if (!back.length && !mirrored.length) return `{now|Position ${position}} is a point where no earlier position was.`;
  const all = `{now|Position ${position}} is the same point as `;
  const start = `${listInWords(back)}, where every hand is back`;
  const hands = `(at ${mirrored[0]} the ${listInWords(turned)})`;
  const sines = `${listInWords(mirrored)}, where the sines are the same but not the hands ${hands}`;
  if (!mirrored.length) return `${all}${start}.`;
  return back.length ? `${all}${start}, and as ${sines}.` : `${all}${sines}.`;
};
// Between two positions there is no row of the table, only the curve.
const betweenPositions = (place, name) =>
  `{now|t = ${name}} lies between the positions ${Math.floor(place)} and ${Math.ceil(place)}.`;

// The positions that are the same point, and what is said of them. A phasor has sines and cosines.
const POINTS = times(LAST + 1, (t) => sineOnly(t, OMEGAS));
const PHASORS = POINTS.map((point, t) => [...point, ...OMEGAS.map((omega) => Math.cos(omega * t))]);
export const sameAs = (position) => {
  const meets = (all) => (t) => distance(all[t], all[position]) < SAME;
  const same = times(position, (t) => t).filter(meets(POINTS)); // what comes later is not told
  const back = same.filter(meets(PHASORS));
  const mirrored = same.filter((t) => !back.includes(t));
  const cosine = (t, k) => PHASORS[t]?.[k + DIALS.length];
  const turned = DIALS.filter((_, k) => Math.abs(cosine(mirrored[0], k) - cosine(position, k)) > SAME);
  return { same, said: samePoint(position, back, mirrored, turned) };
};

const dialAt = (k) => ({ x: DIAL.left + DIAL.column * (k + 0.5), y: DIAL.y, radius: DIAL.radius });

export const dialShapes = (place, name) => {
  const { width, left, y, radius, top, step, bottom } = DIAL;
  const row = top + step * place;
  const column = (omega, k) => {
    const { x } = dialAt(k);
    const at = (t) => [x + radius * Math.sin(omega * t), top + step * t];
    const [across, up] = tipAt(dialAt(k), omega * place);
    const below = 2 * y - up; // the hand mirrored up and down has the same sine: both tips stand on one line
    return [
      text(x, 14, `${DIALS[k]} dial`, "middle"),
      rim(dialAt(k)),
      line(x, y - radius, x, top + LAST * step, { stroke: "line" }),
      outline(polyline(times(LAST * 8 + 1, (n) => at(n / 8))), { stroke: "soft" }),
      path(dotsAt(POINTS.map((_, t) => at(t))), { stroke: "main", strokeWidth: 3, strokeLinecap: "round" }),
      line(across, Math.min(up, below), across, row, { stroke: "accent", strokeDasharray: "2 3" }),
      line(x, y, across, below, { stroke: "soft", strokeWidth: 2, strokeDasharray: "4 4" }),
      circle(across, below, 4, { fill: "none", stroke: "soft", strokeWidth: 2 }),
      line(x, y, across, up, { stroke: "main", strokeWidth: 3, strokeLinecap: "round" }),
      circle(across, up, 5, { fill: "main" }),
      circle(across, up, 16, { ref: `hand${k}`, fill: "transparent" }),
      circle(across, row, 5, { fill: "accent", mark: "now" }),
      text(x, bottom, `sine ${fixed(Math.sin(omega * place))}`, "middle"),
    ];
  };
  return [
    line(left + 6, row, width, row, { stroke: "accent", strokeDasharray: "2 3" }),
    OMEGAS.map(column),
    text(left + 2, row + 4, `t = ${name}`, "end", { style: "font-weight: 650" }),
  ];
};

// The cube: its corners, the edges along each axis, and the axes themselves.
const corner = (k) => [k & 1, k & 2, k & 4].map((bit) => (bit ? 1 : -1));
const edges = times(8, (k) => [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [corner(k), corner(k | bit)])).flat();
const AXES = [0, 1, 2].map((axis) => [0, 1, 2].map((k) => Number(k === axis)));
const along = AXES.map((_, axis) => edges.filter(([from, to]) => from[axis] !== to[axis]));

// The name of an axis stands outside of the cube, at its outermost edge, low and to the left.
const axisName = (parallel, seen) => {
  const [x0, y0] = [SPACE.width / 2, SPACE.height / 2];
  const middles = parallel.map(([from, to]) => {
    const [x, y] = seen(from.map((v, axis) => (v + to[axis]) / 2));
    const out = Math.hypot(x - x0, y - y0);
    return { dx: x - x0, dy: y - y0, out, rank: out + 0.1 * (y - y0 - (x - x0)) };
  });
  const { dx, dy, out } = middles.reduce((a, b) => (a.rank > b.rank ? a : b));
  const far = 1 + 17 / Math.max(out, 1);
  return [Math.max(x0 + far * dx, 22), y0 + far * dy + 4];
};

// Up to `end` the curve is drawn: while it plays, what lies ahead is not.
export const spaceShapes = ({ position, turn, tilt }, name, same, end) => {
  const { width, height } = SPACE;
  const seen = camera(turn, tilt);
  const edge = ([from, to]) => polyline([seen(from), seen(to)]);
  const byNearness = (a, b) => a.nearness - b.nearness; // the farthest is drawn first
  const curve = times(LAST * PER_STEP + 1, (n) => seen(sineOnly(n / PER_STEP, OMEGAS)));
  const pieces = times(LAST, (t) => {
    const part = curve.slice(t * PER_STEP, (t + 1) * PER_STEP + 1);
    const drawn = part.slice(0, Math.max(Math.round((end - t) * PER_STEP) + 1, 0));
    return { d: drawn.length > 1 ? polyline(drawn) : "", nearness: part[PER_STEP / 2][2] };
  }).sort(byNearness);
  const dots = POINTS.map((point, t) => {
    const [x, y, nearness] = seen(point);
    return { x, y, nearness, visibility: t > end + 1e-9 ? "hidden" : "visible" };
  });
  // A seam in the color of the ground keeps the letters readable on the curve.
  const style = "paint-order: stroke; stroke: var(--ex-paper); stroke-width: 4px";
  const [x, y, z] = sineOnly(position, OMEGAS);
  const [cx, cy] = seen([x, y, z]);
  const here = [name, ...same].sort((a, b) => a - b);
  const who = here.slice(0, 5).join(", ") + (here.length > 5 ? ", …" : "");
  const half = 4 * who.length; // of the width of the letters
  const stairs = [seen([0, 0, 0]), seen([x, 0, 0]), seen([x, y, 0]), [cx, cy]];
  return [
    rect(undefined, undefined, width, height, { rx: 6, fill: "paper" }),
    nearnessKey(),
    outline(edges.map(edge).join(""), { stroke: "line" }),
    outline(AXES.map((axis) => edge([axis.map((v) => -v), axis])).join(""), { stroke: "soft", strokeDasharray: "1 4" }),
    pieces.map(({ d, nearness }) => outline(d, { stroke: faded(nearness), strokeWidth: 2, strokeLinecap: "round" })),
    dots
      .sort(byNearness)
      .map(({ x, y, nearness, visibility }) => circle(x, y, 3.2, { fill: faded(nearness), visibility })),
    along.map((parallel, k) => text(...axisName(parallel, seen), DIALS[k], "middle", { style })),
    outline(polyline(stairs), { stroke: "accent", strokeWidth: 1.5 }),
    circle(cx, cy, 6.5, { fill: "accent", mark: "now" }),
    text(clamp(cx, half + 4, width - half - 4), cy + (cy < height / 2 ? -13 : 23), who, "middle", {
      style: `font-weight: 650; ${style}`,
    }),
  ];
};

// Dragging and arrow keys turn what is in the drawing.
const turnable = (node, model, figure) => {
  const now = () => [model.get("turn"), model.get("tilt")];
  const turnTo = (turn, tilt) =>
    figure.setAll({
      turn: ((((Math.round(turn) + 180) % 360) + 360) % 360) - 180,
      tilt: clamp(Math.round(tilt), ...LIMITS.tilt),
    });
  draggable(node, (_, dx, dy, [turn, tilt]) => turnTo(turn + 0.6 * dx, tilt + 0.6 * dy), now);
  onArrows(node, (down, right) => turnTo(model.get("turn") + 5 * right, model.get("tilt") + 5 * down));
};

function render({ model, el }) {
  const left = drawing(DIAL.width, DIAL.bottom + 2, "Three dials, and their waves along the positions");
  const label = "The curve in space. The arrow keys turn it, and so does dragging.";
  const style = "cursor: grab; user-select: none";
  const space = drawing(SPACE.width, SPACE.height + 26, label, { role: "application", tabindex: 0, style });
  const update = (state, format) => {
    const place = state.position; // on the way: between two positions
    const [name, position] = [format(place), Math.round(place)];
    const { said, same } = sameAs(position);
    const there = place === position;
    left.draw(dialShapes(place, name));
    space.draw(spaceShapes(state, name, there ? same : [], figure.playing() ? place : LAST));
    return there ? said : betweenPositions(place, name);
  };
  const figure = movingFigure(model, el, update, {
    title: "Three dials, one curve",
    names: ["position", "turn", "tilt"],
    marks: { now: "accent" },
    longest: { said: [sameAs(24).said, sameAs(32).said] },
  });
  figure.play("position", { perSecond: 6 });
  figure.slider("position", "position t", { glide: true });
  const below = note(
    "Turn the hands, or drag the curve. Only the sine of a hand is kept, how far its tip is to the right: the dashed " +
      "hand has the same.",
  );
  const stop = figure.start(left, space, below);
  OMEGAS.forEach((omega, k) => turnByHand(figure, left.refs[`hand${k}`], left, "position", () => omega, dialAt(k)));
  turnable(space, model, figure);
  return stop;
}

export default { render };
