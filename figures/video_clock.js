// Time in a video model: eight hands, base 256, and the moment at which four of them start over.

import { all, drawing, fixed, label, move, movingFigure, polyline, svg } from "./base.js";
import { frequencies } from "./encodings.js";

const PAIRS = 8;
const CHANGED = 3; // the pair that may be slowed
const LAST = LIMITS.frame[1];
const DIAL = { step: 83, rows: 116, radius: 34, x: 42, y: 40 };
const PLOT = { width: 334, height: 200, left: 28, right: 330, top: 24, zero: 96, unit: 60 };

const speeds = (slowed) =>
  frequencies(2 * PAIRS, 256).map((omega, i) => (slowed && i === CHANGED ? (2 * Math.PI) / SLOWED : omega));
const turnsAt = (frame, slowed) => speeds(slowed).map((omega) => (omega * frame) / (2 * Math.PI));
// How alike a frame is to frame 0, to the first `count` pairs: 1 where all of them are back.
const alike = (frame, slowed, count) =>
  speeds(slowed)
    .slice(0, count)
    .reduce((sum, omega) => sum + Math.cos(omega * frame), 0) / count;

const back = (turns) => turns > 0.5 && Math.abs(turns - Math.round(turns)) < 0.06;

const sentence = (frame, slowed, read = String) => {
  const turns = turnsAt(frame, slowed);
  const where = frame < TRAINED ? "inside the clips of the training" : "beyond the clips of the training";
  const home = all(PAIRS, (i) => i).filter((i) => back(turns[i]));
  const listed = home.length > 1 ? `${home.slice(0, -1).join(", ")} and ${home.at(-1)}` : String(home[0]);
  const who =
    frame === 0
      ? "every hand stands at its start"
      : !home.length
        ? "no hand is back at its start"
        : home.length === 1
          ? `the hand of pair ${listed} is back at its start`
          : `the hands of pairs ${listed} are back at their start`;
  return [
    ["now", `Latent frame ${read(frame)}`],
    ` is frame ${read(4 * frame + 1)} of the video, ${where}: `,
    ["back", who],
    ".",
  ];
};
const numbers = (frame, slowed) =>
  `Turns since the beginning, pair by pair: ${turnsAt(frame, slowed)
    .map((turns) => fixed(turns))
    .join(", ")}. ` +
  `Likeness to frame 0: ${fixed(alike(frame, slowed, 4))} in pairs 0 to 3, ${fixed(alike(frame, slowed, 8))} in all eight. ` +
  `Pair 3 makes one turn in ${fixed((2 * Math.PI) / speeds(slowed)[CHANGED], 1)} latent frames.`;

// The way of a hand since the beginning, at most one round.
const arc = (turns, radius) => {
  const end = Math.min(turns, 1) * 2 * Math.PI;
  return polyline(
    all(49, (k) => {
      const angle = (end * k) / 48;
      return [radius * Math.sin(angle), -radius * Math.cos(angle)];
    }),
  );
};

function render({ model, el }) {
  const dials = drawing(4 * DIAL.step, 2 * DIAL.rows - 8, "The hands of the eight pairs");
  const hands = all(PAIRS, (i) => {
    const trained = svg("path", { fill: "none", stroke: "var(--ex-line)", "stroke-width": 7 });
    const line = svg("line", { x1: 0, y1: 0, "stroke-width": 3, "stroke-linecap": "round" });
    const tip = svg("circle", { r: 5 });
    const turns = label(0, DIAL.radius + 34, "", "middle");
    const hand = svg("g", { "data-mark": "now" }, line, tip);
    dials.append(
      svg(
        "g",
        { transform: `translate(${DIAL.x + (i % 4) * DIAL.step} ${DIAL.y + Math.floor(i / 4) * DIAL.rows})` },
        trained,
        svg("circle", { r: DIAL.radius, fill: "none", stroke: "var(--ex-soft)" }),
        hand,
        label(0, DIAL.radius + 18, `pair ${i}`, "middle"),
        turns,
      ),
    );
    return { trained, line, tip, turns, hand };
  });

  const plot = drawing(PLOT.width, PLOT.height, "How alike each frame is to frame 0, along the time");
  const x = (frame) => PLOT.left + ((PLOT.right - PLOT.left) * frame) / LAST;
  const y = (value) => PLOT.zero - PLOT.unit * value;
  const [four, eight] = [
    ["var(--ex-accent)", "back"],
    ["var(--ex-soft)", "all"],
  ].map(([stroke, mark]) =>
    svg("path", {
      fill: "none",
      stroke,
      "stroke-width": 2,
      "data-mark": mark,
      "stroke-dasharray": mark === "all" ? "4 3" : "none",
    }),
  );
  const now = svg("line", {
    y1: PLOT.top - 8,
    y2: y(-1) + 4,
    stroke: "var(--ex-main)",
    "stroke-width": 2,
    "data-mark": "now",
  });
  const dot = svg("circle", { r: 5, fill: "var(--ex-accent)", "data-mark": "back now" });
  const names = [
    ["pairs 0 to 3", "accent", 0],
    ["all eight (dashed)", "soft", 110],
  ].map(([text, color, shift]) => {
    const node = label(PLOT.left + shift, y(-1) + 40, text);
    node.style.cssText = `fill: var(--ex-${color}); font-weight: 600`;
    return node;
  });
  plot.append(
    svg("rect", {
      x: x(0),
      y: y(1),
      width: x(TRAINED - 1) - x(0),
      height: 2 * PLOT.unit,
      fill: "var(--ex-line)",
      "fill-opacity": 0.45,
    }),
    label(x(1), y(-1) - 6, "trained"),
    label(PLOT.left, 13, "likeness to frame 0"),
    ...[1, 0, -1].map((v) => label(PLOT.left - 6, y(v) + 4, fixed(v, 0), "end")),
    svg("line", { x1: x(0), x2: x(LAST), y1: y(0), y2: y(0), stroke: "var(--ex-line)" }),
    ...[0, TRAINED - 1, 50, LAST].map((t) => label(x(t), y(-1) + 18, String(t), t === LAST ? "end" : "middle")),
    eight,
    four,
    now,
    dot,
    ...names,
  );

  const update = () => {
    const slowed = model.get("slowed");
    const here = figure.at("frame"); // between two frames while it moves
    const turns = turnsAt(here, slowed);
    const omegas = speeds(slowed);
    hands.forEach(({ trained, line, tip, turns: text, hand }, i) => {
      const angle = omegas[i] * here;
      const [px, py] = [DIAL.radius * Math.sin(angle), -DIAL.radius * Math.cos(angle)];
      const home = back(turns[i]);
      const color = `var(--ex-${home ? "accent" : "main"})`;
      move(line, { x2: px, y2: py, stroke: color });
      move(tip, { cx: px, cy: py, fill: color });
      move(hand, { "data-mark": home ? "back now" : "now" });
      move(trained, { d: arc(turnsAt(TRAINED - 1, false)[i], DIAL.radius) }); // as it was trained: not slowed
      text.textContent = `${fixed(turns[i])} turns`;
    });
    const curve = (count) => polyline(all(2 * LAST + 1, (k) => [x(k / 2), y(alike(k / 2, slowed, count))]));
    move(four, { d: curve(4) });
    move(eight, { d: curve(8) });
    move(now, { x1: x(here), x2: x(here) });
    move(dot, { cx: x(here), cy: y(alike(here, slowed, 4)) });
    return { said: sentence(here, slowed, figure.read), more: numbers(here, slowed) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "What time is it in the video?",
    names: ["frame", "slowed"],
    marks: { now: "main", back: "accent" },
    longest: {
      said: [sentence(50, false)],
      more: [numbers(77, false)],
    },
  });
  figure.play("frame", { perSecond: 6 });
  figure.slider("frame", "latent frame", { glide: true });
  figure.check("slowed", "slow pair 3");
  return figure.start(dials, plot);
}

export default { render };
