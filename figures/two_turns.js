// A query and a key are turned by their positions, and the score sees the offset only.
import { draggable, movingFigure, note } from "./base.js";
import { rim, turnByHand } from "./dial.js";
import { circle, clamp, drawing, fixed, group, line, path, rect, text, times, withMinus } from "./drawing.js";
import { element } from "./element.js";
import { frequencies } from "./encodings.js";

const PAIRS = 4;
const OMEGAS = frequencies(2 * PAIRS);
const LAST = LIMITS.t[1];
const ROUND = 2 * Math.PI;
const DIAL = { width: 138, height: 205, x: 69, y: 62, radius: 56, bar: 191 };
const LINE = { width: 300, height: 62, left: 14, across: 272, y: 32 };
// A second sign beside the color: the query has a disk at its end, the key a dashed line and a ring,
// wide enough to be seen around the disk where both point the same way.
const QUERY = { name: "query", position: "t", color: "main", width: 4, dashes: "none", fill: "main" };
const KEY = { name: "key", position: "s", color: "accent", width: 2.5, dashes: "6 3", fill: "paper" };
const VECTORS = [
  { ...QUERY, tip: 4, reach: 8 },
  { ...KEY, tip: 7, reach: 15 },
];

// Each pair of the turned query and key, which start as (1, 0): the angle between them, above −π and up to π, in
// words with the turns that a dial does not show; and what the pair gives to the score.
export const turnedPairs = ({ t, s }) =>
  OMEGAS.map((omega) => {
    const whole = omega * (t - s);
    const turns = Math.ceil(whole / ROUND - 0.5);
    const difference = whole - ROUND * turns;
    const counted = turns ? `${fixed(turns, 0)} turn${Math.abs(turns) === 1 ? "" : "s"} and ` : "";
    const angle = `${counted}${fixed((difference * 180) / Math.PI, 1)}°`;
    return { omega, angles: [omega * t, omega * s], difference, angle, score: Math.cos(whole) };
  });
const scoreOf = (state) => turnedPairs(state).reduce((sum, { score }) => sum + score, 0);

const sentence = ({ t, s, hands }, format = withMinus) => {
  const score = fixed(scoreOf({ t, s }));
  return hands
    ? `The clock hands at {query|${format(t, "t")}} and {key|${format(s, "s")}}, sine across and cosine up: turned ` +
        `over, they are the arrows of the query and the key. So their dot product is {score|the same ${score}}.`
    : `With the {query|query at ${format(t, "t")}} and the {key|key at ${format(s, "s")}}, at the offset ` +
        `s\u00a0−\u00a0t\u00a0=\u00a0${format(s - t).replace(/\.0$/, "")}, the pairs ` +
        `add up to {score|a score of ${score}}.`;
};

// A bar from a middle to the right for what is above zero, to the left for what is below.
const bar = (x, y, half, share) =>
  group(
    { mark: "score" },
    line(x - half, y, x + half, y, { stroke: "line" }),
    rect(x + Math.min(share, 0) * half, y - 5, Math.abs(share) * half, 10, { fill: share < 0 ? "blue" : "red" }),
    line(x, y - 8, x, y + 8, { stroke: "soft" }),
  );
const tip = (x, y, { name, color, fill, tip: radius }) =>
  circle(x, y, radius, { fill, stroke: color, strokeWidth: 2.5, mark: name });

// Arrows start at the right and turn counterclockwise, clock hands at the top and clockwise: a dial that is turned
// over, by a `share` of the way, its right edge becoming its top.
const turnedOver = ({ x, y }, share) => {
  const [stays, swaps] = [1, -1].map((sign) => (1 + sign * Math.cos(Math.PI * share)) / 2);
  return `translate(${x} ${y}) matrix(${stays} ${-swaps} ${-swaps} ${stays} 0 0) translate(${-x} ${-y})`;
};

export const dialShapes = (parts, i, hands) => {
  const { x, y, radius } = DIAL;
  const { omega, angles, difference, angle, score } = parts[i];
  const on = (one, length) => [x + length * Math.cos(one), y - length * Math.sin(one)];
  const round = 0.6 * radius;
  const [from, to] = [angles[1], angles[0]].map((one) =>
    on(one, round)
      .map((v) => v.toFixed(2))
      .join(" "),
  );
  const between = `M${x} ${y}L${from}A${round} ${round} 0 0 ${difference < 0 ? 1 : 0} ${to}Z`;
  const hand = (vector, k) => {
    const [px, py] = on(angles[k], radius);
    const { name, color, width, dashes, reach } = vector;
    const look = { stroke: color, strokeWidth: width, strokeDasharray: dashes, pointerEvents: "none" };
    const handle = circle(px, py, reach, { fill: "transparent" });
    return group({ ref: name, mark: name }, line(x, y, px, py, look), tip(px, py, vector), handle);
  };
  return [
    rim(DIAL),
    group(
      { transform: turnedOver(DIAL, hands) },
      path(between, { fill: "accent", fillOpacity: 0.25, stroke: "accent" }),
      VECTORS.map(hand).reverse(),
    ),
    text(x, 136, `pair ${i}: ω = ${Number(omega.toPrecision(3))}`, "middle"),
    text(x, 155, angle, "middle"),
    text(x, 174, `gives ${fixed(score)}`, "middle"),
    bar(x, DIAL.bar, radius, score),
  ];
};

export const lineShapes = (state, format = withMinus) => {
  const { width, height, left, across, y } = LINE;
  const places = VECTORS.map(({ position }) => left + (across * state[position]) / LAST);
  const name = ({ name, position }, k) => {
    const content = `${name} ${position} = ${format(state[position], position)}`;
    return text(clamp(places[k], 44, width - 48), y + [-14, 25][k], content, "middle");
  };
  return [
    rect(undefined, undefined, width, height, { fill: "transparent" }),
    line(left, y, left + across, y, { stroke: "soft" }),
    line(places[0], y, places[1], y, { stroke: "accent", strokeWidth: 6, strokeOpacity: 0.5 }),
    VECTORS.map((vector, k) => tip(places[k], y, vector)).reverse(),
    VECTORS.map(name),
  ];
};

function render({ model, el }) {
  const axis = drawing(LINE.width, LINE.height, "The two positions. Dragging moves both.", {
    style: "cursor: ew-resize; user-select: none; margin: 0 auto",
  });
  const dials = times(PAIRS, (i) =>
    drawing(DIAL.width, DIAL.height, `Pair ${i}: the query and the key, turned, and the angle between them`),
  );
  const positions = () => [model.get("t"), model.get("s")];
  const update = (state, format) => {
    const parts = turnedPairs(state);
    dials.forEach((dial, i) => dial.draw(dialShapes(parts, i, state.hands)));
    axis.draw(lineShapes(state, format));
    return sentence(state, format);
  };
  const figure = movingFigure(model, el, update, {
    title: "Turn the query, turn the key",
    names: ["t", "s", "hands"],
    marks: { query: "main", key: "accent", score: "ink" },
    longest: { said: [0, 1].map((hands) => sentence({ t: LAST, s: 0, hands })) },
  });
  figure.slider("t", "query at t", { basis: "140px", glide: true });
  figure.slider("s", "key at s", { basis: "140px", glide: true });
  // Both walk, as far as they have room: the hands turn, and the score stands still.
  const earlier = () => Math.min(...positions());
  const both = (place) => {
    const start = clamp(place, 0, LAST - Math.abs(positions()[0] - positions()[1]));
    const [t, s] = positions().map((at) => at - earlier() + start);
    return { t, s };
  };
  figure.play("both", {
    perSecond: 12,
    place: () => Math.min(figure.at("t"), figure.at("s")),
    values: both,
    limits: () => [0, LAST - Math.max(...positions()) + earlier()],
  });
  const over = figure.button("", () => figure.glide({ hands: 1 - model.get("hands") }, 1500));
  figure.onChange(["hands"], () => (over.textContent = model.get("hands") ? "as arrows" : "as hands"));
  over.style.minWidth = "6.5em"; // whatever it says
  const scale = () => (axis.getBoundingClientRect().width / LINE.width) * (LINE.across / LAST);
  draggable(axis, (_event, dx, _dy, start) => figure.setAll(both(Math.round(start + dx / scale()))), earlier);
  const below = note("The line moves both.");
  const stop = figure.start(element("div", { style: "width: 100%" }, axis), ...dials, below);
  const angleAt = ([x, y]) => {
    const [across, up] = [x - DIAL.x, DIAL.y - y];
    return model.get("hands") ? Math.atan2(across, up) : Math.atan2(up, across);
  };
  dials.forEach((dial, i) => {
    const omega = () => OMEGAS[i];
    for (const { name, position } of VECTORS) turnByHand(figure, dial.refs[name], dial, position, omega, DIAL, angleAt);
  });
  return stop;
}

export default { render };
