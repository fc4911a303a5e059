// Three sines as dials, as waves, and as one curve in space.

import { all, draggable, drawing, fixed, h, label, move, movingFigure, polyline, specks, svg } from "./base.js";
import { distance, sineOnly } from "./encodings.js";
import { byHand, handle } from "./parts.js";

const LAST = LIMITS.position[1]; // the positions are 0 … LAST
const SAME = 1e-6; // points nearer than this are one point
const PER_STEP = 16; // pieces of the smooth curve from one position to the next
const DIALS = ["first", "second", "third"];
const PRESETS = [
  ["wavelengths of bits: π, π/2, π/4", Math.PI, Math.PI / 2, Math.PI / 4],
  ["twice as long: π/2, π/4, π/8", Math.PI / 2, Math.PI / 4, Math.PI / 8],
  ["four times as long: π/4, π/8, π/16", Math.PI / 4, Math.PI / 8, Math.PI / 16],
  ["a ladder: 1, 0.1, 0.01", 1, 0.1, 0.01],
];

// The left drawing: in each column a dial, and below it its wave, downward along the positions.
const DIAL = { width: 310, left: 46, column: 88, y: 60, radius: 36, top: 112, step: 3.2, bottom: 334 };
// The right drawing: the cube from −1 to 1, seen from far away.
const SPACE = { width: 300, height: 340, unit: 84 };

// π/8 rather than 0.3927: that is what makes waves fit into one another.
const frequencyName = (omega) => {
  const k = Math.round(Math.log2(Math.PI / omega));
  if (Math.abs(omega * 2 ** k - Math.PI) > 1e-9) return String(Number(omega.toPrecision(3)));
  return k ? `π/${2 ** k}` : "π";
};

const listed = (numbers) => {
  if (numbers.length > 9) return `${numbers.slice(0, 8).join(", ")} and ${numbers.length - 8} more`;
  return numbers.join(", ").replace(/, (\d+)$/, " and $1");
};

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
  const share = Math.min(Math.max(62 + 26 * nearness, 18), 100);
  return `color-mix(in oklab, var(--ex-main) ${share.toFixed(0)}%, var(--ex-paper))`;
};

// What the strength of the color means, below the space.
const nearnessKey = () => {
  const [left, y, cells, cell] = [154, SPACE.height + 19, 16, 7];
  const colors = all(cells, (k) =>
    svg("rect", {
      x: left + k * cell,
      y: y - 9,
      width: cell + 0.3,
      height: 9,
      fill: faded(1.7 - (3.4 * k) / (cells - 1)),
    }),
  );
  return [label(left - 8, y, "color of the line: near", "end"), ...colors, label(left + cells * cell + 8, y, "far")];
};

const byNearness = (a, b) => a.nearness - b.nearness;

const different = (vectors) =>
  vectors.filter((vector, t) => !vectors.slice(0, t).some((v) => distance(v, vector) < SAME)).length;

const first = (away) => {
  const least = Math.min(...away);
  return away.findIndex((d) => d < least + SAME);
};

// Where all hands are back for the first time: after some whole waves of the slowest.
const closing = (omegas) => {
  const wave = (2 * Math.PI) / Math.min(...omegas);
  return all(Math.floor(LAST / wave + SAME), (k) => (k + 1) * wave).find((t) =>
    omegas.every((omega) => Math.abs(Math.sin((omega * t) / 2)) < SAME),
  );
};

const meeting = (position, back, unlike, turned) => {
  const now = ["now", `Position ${position}`];
  const which = turned.join(", ").replace(/, (\w+)$/, " and $1");
  const mirrored = `the sines are the same but not the hands (at ${unlike[0]} the ${which})`;
  if (!unlike.length) return [now, ` is the same point as ${listed(back)}, where every hand is back.`];
  if (!back.length) return [now, ` is the same point as ${listed(unlike)}, where ${mirrored}.`];
  return [
    now,
    ` is the same point as ${listed(back)}, where every hand is back, and as ${listed(unlike)}, where ${mirrored}.`,
  ];
};
// Between two positions there is no row of the table, only the curve.
const underway = (place, name) => [
  ["now", `t = ${name}`],
  ` lies between the positions ${Math.floor(place)} and ${Math.ceil(place)}.`,
];
const alone = (position, nearest, away) => [
  "No other position is where ",
  ["now", `position ${position}`],
  ` is; the nearest is ${nearest}, ${fixed(away)} away.`,
];

// What the text says is found in the points and in the phasors: a hand has a sine and a cosine.
const sentences = (position, points, phasors, omegas) => {
  const here = points[position];
  const away = points.map((point) => distance(point, here));
  const same = away.flatMap((d, t) => (t !== position && d < SAME ? [t] : []));
  const back = same.filter((t) => distance(phasors[t], phasors[position]) < SAME);
  const unlike = same.filter((t) => !back.includes(t));
  const turned = DIALS.filter((_, k) => Math.abs(phasors[unlike[0]]?.[k + 3] - phasors[position][k + 3]) > SAME);
  const [folded, settings] = [different(points), different(phasors)];
  const dead = DIALS.filter((_, k) => points.every((point) => Math.abs(point[k]) < SAME));
  const others = away.map((d, t) => (t === position ? Infinity : d));
  let text = "";
  if (folded < settings)
    text += `The positions 0 to ${LAST} make ${settings} settings of the hands, but only ${folded} points: two directions of a hand can have the same sine.`;
  else if (folded < points.length) text += `The positions 0 to ${LAST} make only ${folded} different points.`;
  else {
    const far = points.filter((point, t) => {
      const [before, after] = [t - 1, t + 1].map((s) => (points[s] ? distance(points[s], point) : Infinity));
      return points.some((other, s) => s !== t && distance(other, point) < Math.min(before, after) - SAME);
    }).length;
    text += far
      ? `A fault remains: for ${far} of the ${points.length} positions the nearest other one is not a neighbor.`
      : "The nearest to each position is a neighbor.";
  }
  const period = closing(omegas);
  text += period
    ? ` The curve closes after ${Number(period.toFixed(1))} positions, and goes round again.`
    : ` The curve does not close within ${LAST} positions.`;
  for (const dial of dead) text += ` The ${dial} dial reads 0 at every position.`;
  const said = same.length
    ? meeting(position, back, unlike, turned)
    : alone(position, first(others), Math.min(...others));
  return { said, more: text, same };
};

function dials() {
  const { width, left, column, y, radius, top, step, bottom } = DIAL;
  const node = drawing(width, bottom + 2, "Three dials, and their waves along the positions");
  const foot = top + LAST * step;
  const reading = svg("line", { x1: left + 6, x2: width, stroke: "var(--ex-accent)", "stroke-dasharray": "2 3" });
  const time = label(left + 2, 0, "", "end");
  time.setAttribute("style", "font-weight: 650");
  const middle = (k) => left + column * (k + 0.5);
  const parts = DIALS.map((name, k) => {
    const x = middle(k);
    const part = {
      wave: svg("path", { fill: "none", stroke: "var(--ex-soft)" }),
      dots: svg("path", { stroke: "var(--ex-main)", "stroke-width": 3, "stroke-linecap": "round" }),
      hand: svg("line", { x1: x, y1: y, stroke: "var(--ex-main)", "stroke-width": 3, "stroke-linecap": "round" }),
      other: svg("line", { x1: x, y1: y, stroke: "var(--ex-soft)", "stroke-width": 2, "stroke-dasharray": "4 4" }),
      ring: svg("circle", { r: 4, fill: "none", stroke: "var(--ex-soft)", "stroke-width": 2 }),
      drop: svg("line", { stroke: "var(--ex-accent)", "stroke-dasharray": "2 3" }),
      tip: svg("circle", { r: 5, fill: "var(--ex-main)" }),
      held: handle(16),
      mark: svg("circle", { r: 5, fill: "var(--ex-accent)", "data-mark": "now" }),
      value: label(x, bottom, "", "middle"),
    };
    node.append(
      label(x, 14, `${name} dial`, "middle"),
      svg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke: "var(--ex-soft)" }),
      svg("line", { x1: x, y1: y - radius, x2: x, y2: foot, stroke: "var(--ex-line)" }),
      ...["wave", "dots", "drop", "other", "ring", "hand", "tip", "held", "mark", "value"].map((key) => part[key]),
    );
    return part;
  });
  node.prepend(reading);
  node.append(time);

  const update = (place, name, omegas, points) => {
    const row = top + step * place;
    move(reading, { y1: row, y2: row });
    move(time, { y: row + 4 });
    time.textContent = `t = ${name}`;
    parts.forEach((part, k) => {
      const x = middle(k);
      const at = (t, sine) => [x + radius * sine, top + step * t];
      const smooth = all(LAST * 8 + 1, (n) => at(n / 8, Math.sin((omegas[k] * n) / 8)));
      const sine = Math.sin(omegas[k] * place);
      const across = x + radius * sine;
      const up = y - radius * Math.cos(omegas[k] * place);
      move(part.wave, { d: polyline(smooth) });
      move(part.dots, { d: specks(points.map((point, t) => at(t, point[k]))) });
      move(part.hand, { x2: across, y2: up });
      // The hand mirrored up and down has the same sine: both tips stand on one line.
      move(part.other, { x2: across, y2: 2 * y - up });
      move(part.ring, { cx: across, cy: 2 * y - up });
      move(part.drop, { x1: across, y1: Math.min(up, 2 * y - up), x2: across, y2: row });
      for (const circle of [part.tip, part.held]) move(circle, { cx: across, cy: up });
      move(part.mark, { cx: across, cy: row });
      part.value.textContent = `sine ${fixed(sine)}`;
    });
  };
  const hands = parts.map(({ held }, k) => ({ node: held, angleAt: ([a, b]) => Math.atan2(a - middle(k), y - b) }));
  return { node, update, hands };
}

function space() {
  const { width, height } = SPACE;
  const node = drawing(width, height + 26, "The curve in space. The arrow keys turn it, and so does dragging.");
  move(node, {
    role: "application",
    tabindex: 0,
    style: `${node.getAttribute("style")}; cursor: grab; user-select: none`,
  });
  const corner = (k) => [k & 1, k & 2, k & 4].map((bit) => (bit ? 1 : -1));
  const edges = all(8, (k) => [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [corner(k), corner(k | bit)])).flat();
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const along = axes.map((_, axis) => edges.filter(([from, to]) => from[axis] !== to[axis]));
  const box = svg("path", { fill: "none", stroke: "var(--ex-line)" });
  const cross = svg("path", { fill: "none", stroke: "var(--ex-soft)", "stroke-dasharray": "1 4" });
  const names = DIALS.map((name) => label(0, 0, name, "middle"));
  // A seam in the color of the ground keeps the letters readable on the curve.
  const seam = "paint-order: stroke; stroke: var(--ex-paper); stroke-width: 4px";
  for (const name of names) name.setAttribute("style", seam);
  const pieces = all(LAST, () => svg("path", { fill: "none", "stroke-width": 2, "stroke-linecap": "round" }));
  const dots = all(LAST + 1, () => svg("circle", { r: 3.2 }));
  const stairs = svg("path", { fill: "none", stroke: "var(--ex-accent)", "stroke-width": 1.5 });
  const now = svg("circle", { r: 6.5, fill: "var(--ex-accent)", "data-mark": "now" });
  const who = label(0, 0, "", "middle");
  who.setAttribute("style", `font-weight: 650; ${seam}`);
  node.append(
    svg("rect", { width, height, rx: 6, fill: "var(--ex-paper)" }),
    ...nearnessKey(),
    box,
    cross,
    ...pieces,
    ...dots,
    ...names,
    stairs,
    now,
    who,
  );

  // While it plays, what lies ahead is not yet drawn.
  const update = (place, name, omegas, points, same, turn, tilt, playing) => {
    const end = playing ? place : LAST;
    const seen = camera(turn, tilt);
    const edge = ([from, to]) => polyline([seen(from), seen(to)]);
    move(box, { d: edges.map(edge).join("") });
    move(cross, { d: axes.map((axis) => edge([axis.map((v) => -v), axis])).join("") });
    // The name of an axis stands outside of the cube, at its outermost edge, low and to the left.
    along.forEach((parallel, k) => {
      const middles = parallel.map(([from, to]) => {
        const [x, y] = seen(from.map((v, axis) => (v + to[axis]) / 2));
        const [dx, dy] = [x - width / 2, y - height / 2];
        return { dx, dy, out: Math.hypot(dx, dy), rank: Math.hypot(dx, dy) + 0.1 * (dy - dx) };
      });
      const { dx, dy, out } = middles.reduce((a, b) => (a.rank > b.rank ? a : b));
      const far = 1 + 17 / Math.max(out, 1);
      move(names[k], { x: Math.max(width / 2 + far * dx, 22), y: height / 2 + far * dy + 4 });
    });
    // The farthest is drawn first: each piece of the drawing takes the next place in that order.
    const curve = all(LAST * PER_STEP + 1, (n) => seen(sineOnly(n / PER_STEP, omegas)));
    all(LAST, (t) => {
      const part = curve.slice(t * PER_STEP, (t + 1) * PER_STEP + 1);
      const drawn = part.slice(0, Math.max(Math.round((end - t) * PER_STEP) + 1, 0));
      return { d: drawn.length > 1 ? polyline(drawn) : "", nearness: part[PER_STEP / 2][2] };
    })
      .sort(byNearness)
      .forEach(({ d, nearness }, k) => move(pieces[k], { d, stroke: faded(nearness) }));
    points
      .map((point) => seen(point))
      .map(([cx, cy, nearness], t) => ({ cx, cy, nearness, visibility: t > end + 1e-9 ? "hidden" : "visible" }))
      .sort(byNearness)
      .forEach(({ cx, cy, nearness, visibility }, k) => move(dots[k], { cx, cy, fill: faded(nearness), visibility }));
    const [x, y, z] = sineOnly(place, omegas);
    move(stairs, {
      d: polyline(
        [
          [0, 0, 0],
          [x, 0, 0],
          [x, y, 0],
          [x, y, z],
        ].map(seen),
      ),
    });
    const [cx, cy] = seen([x, y, z]);
    move(now, { cx, cy });
    const here = [name, ...same].sort((a, b) => a - b);
    who.textContent = here.slice(0, 5).join(", ") + (here.length > 5 ? ", …" : "");
    const half = 4 * who.textContent.length;
    move(who, {
      x: Math.min(Math.max(cx, half + 4), width - half - 4),
      y: cy + (cy < height / 2 ? -13 : 23),
    });
  };
  return { node, update };
}

// Dragging and arrow keys turn what is in the drawing.
const turnable = (node, model, set) => {
  const turnTo = (turn, tilt) => {
    set("turn", ((((Math.round(turn) + 180) % 360) + 360) % 360) - 180);
    set("tilt", Math.min(Math.max(Math.round(tilt), LIMITS.tilt[0]), LIMITS.tilt[1]));
  };
  draggable(
    node,
    (_, dx, dy, [turn, tilt]) => turnTo(turn + 0.6 * dx, tilt + 0.6 * dy),
    () => [model.get("turn"), model.get("tilt")],
  );
  const keys = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] };
  node.addEventListener("keydown", (event) => {
    if (!keys[event.key]) return;
    event.preventDefault(); // the page stays where it is
    const [turn, tilt] = keys[event.key];
    turnTo(model.get("turn") + turn, model.get("tilt") + tilt);
  });
};

function render({ model, el }) {
  const [left, right] = [dials(), space()];
  const update = () => {
    const [turn, tilt, ...omegas] = ["turn", "tilt", ...DIALS].map((name) => model.get(name));
    const points = all(LAST + 1, (t) => sineOnly(t, omegas));
    const phasors = points.map((point, t) => [...point, ...omegas.map((omega) => Math.cos(omega * t))]);
    const place = figure.at("position"); // on the way: between two positions
    const [name, position] = [figure.read(place), Math.round(place)];
    const { said, more, same } = sentences(position, points, phasors, omegas);
    left.update(place, name, omegas, points);
    right.update(place, name, omegas, points, place === position ? same : [], turn, tilt, figure.playing());
    return { said: place === position ? said : underway(place, name), more };
  };
  const figure = movingFigure({
    model,
    el,
    update,
    title: "Three dials, one curve",
    names: ["position", ...DIALS, "turn", "tilt"],
    marks: { now: "accent" },
    longest: {
      said: [
        meeting(
          64,
          all(30, (k) => 10 + k),
          all(30, (k) => 20 + k),
          DIALS,
        ),
      ],
      more: [
        `The positions 0 to ${LAST} make 16 settings of the hands, but only 15 points: two directions of a hand can have the same sine. ` +
          `The curve closes after 56.6 positions, and goes round again.${DIALS.map((dial) => ` The ${dial} dial reads 0 at every position.`).join("")}`,
      ],
    },
  });
  figure.play("position", { perSecond: 6 });
  figure.slider("position", "position t", { glide: true });
  figure.select(DIALS, "frequencies", PRESETS, { other: "your own", basis: "min(100%, 290px)" });
  figure.aside("your own frequencies", () => {
    for (const name of DIALS)
      figure.slider(name, `${name} dial ω`, {
        min: -10,
        max: 0,
        step: 0.1,
        basis: "170px",
        from: (omega) => Math.log2(omega / Math.PI),
        to: (exponent) => Math.PI * 2 ** exponent,
        show: frequencyName,
      });
  });
  left.hands.forEach(({ node, angleAt }, k) =>
    byHand(
      node,
      left.node,
      angleAt,
      (angle, start) => {
        const place = start + angle / model.get(DIALS[k]);
        figure.hold({ position: Math.min(Math.max(place, 0), LAST) });
      },
      { begin: () => figure.at("position"), end: figure.settle },
    ),
  );
  turnable(right.node, model, figure.set);
  return figure.start(
    left.node,
    right.node,
    h(
      "p",
      { style: "width: 100%; margin: 0; font-size: 14px; color: var(--ex-soft)" },
      "Turn the hands, or drag the curve. A hand starts at the top and turns clockwise. Its sine is how far its tip is to the right, and " +
        "only the sine is kept: the dashed hand has the same, so the sine alone cannot tell the two apart.",
    ),
  );
}

export default { render };
