// Time in a video model: eight hands, base 256, and the moment at which four of them start over.
import { movingFigure } from "./base.js";
import { tipAt } from "./dial.js";
import { circle, drawing, fixed, group, joined, line, outline, polyline, rect, text, times } from "./drawing.js";
import { frequencies } from "./encodings.js";

const PAIRS = 8;
const CHANGED = 3; // the pair that may be slowed
const LAST = LIMITS.frame[1];
const ROUND = 2 * Math.PI;
const DIAL = { x: 0, y: 0, radius: 34 };
const DIALS = { step: 83, rows: 116, x: 42, y: 40 };
const PLOT = { width: 334, height: 200, left: 28, right: 330, top: 24, zero: 96, unit: 60 };

const speeds = (slowed) =>
  frequencies(2 * PAIRS, 256).map((omega, i) => (slowed && i === CHANGED ? ROUND / SLOWED : omega));
const turnsAt = (frame, slowed) => speeds(slowed).map((omega) => (omega * frame) / ROUND);
// How similar a frame is to frame 0, to the first `count` pairs: 1 where all of them are back.
const likeness = (frame, slowed, count) => {
  const cosines = speeds(slowed)
    .slice(0, count)
    .map((omega) => Math.cos(omega * frame));
  return cosines.reduce((sum, value) => sum + value, 0) / count;
};
const back = (turns) => turns > 0.5 && Math.abs(turns - Math.round(turns)) < 0.06;

const sentence = (frame, slowed, read = String) => {
  const where = frame < TRAINED ? "inside the clips of the training" : "beyond the clips of the training";
  const home = turnsAt(frame, slowed).flatMap((turns, i) => (back(turns) ? [i] : []));
  const who =
    frame === 0
      ? "every hand stands at its start"
      : !home.length
        ? "no hand is back at its start"
        : home.length === 1
          ? `the hand of pair ${home[0]} is back at its start`
          : `the hands of pairs ${joined(home)} are back at their start`;
  return `{now|Latent frame ${read(frame)}} is frame ${read(4 * frame + 1)} of the video, ${where}: {back|${who}}.`;
};
const numbers = (frame, slowed) => {
  const [four, eight] = [4, 8].map((count) => fixed(likeness(frame, slowed, count)));
  const turns = turnsAt(frame, slowed).map((value) => fixed(value));
  return (
    `Turns since the beginning, pair by pair: ${turns.join(", ")}. ` +
    `Likeness to frame 0: ${four} in pairs 0 to 3, ${eight} in all eight. ` +
    `Pair 3 makes one turn in ${fixed(ROUND / speeds(slowed)[CHANGED], 1)} latent frames.`
  );
};

export const dialShapes = ({ frame, slowed }) => {
  const [turns, trained] = [turnsAt(frame, slowed), turnsAt(TRAINED - 1, false)]; // in training none was slowed
  return times(PAIRS, (i) => {
    const home = back(turns[i]);
    const color = home ? "accent" : "main";
    const [x, y] = tipAt(DIAL, ROUND * turns[i]);
    const arc = times(49, (k) => tipAt(DIAL, (ROUND * Math.min(trained[i], 1) * k) / 48)); // at most one round
    return group(
      { transform: `translate(${DIALS.x + (i % 4) * DIALS.step} ${DIALS.y + Math.floor(i / 4) * DIALS.rows})` },
      outline(polyline(arc), { stroke: "line", strokeWidth: 7 }),
      circle(undefined, undefined, DIAL.radius, { fill: "none", stroke: "soft" }),
      group(
        { mark: home ? "back now" : "now" },
        line(0, 0, x, y, { stroke: color, strokeWidth: 3, strokeLinecap: "round" }),
        circle(x, y, 5, { fill: color }),
      ),
      text(0, DIAL.radius + 18, `pair ${i}`, "middle"),
      text(0, DIAL.radius + 34, `${fixed(turns[i])} turns`, "middle"),
    );
  });
};

export const plotShapes = ({ frame, slowed }) => {
  const { left, right, top, zero, unit } = PLOT;
  const x = (t) => left + ((right - left) * t) / LAST;
  const y = (value) => zero - unit * value;
  const curve = (count, look) =>
    outline(polyline(times(2 * LAST + 1, (k) => [x(k / 2), y(likeness(k / 2, slowed, count))])), {
      strokeWidth: 2,
      ...look,
    });
  const name = (shift, content, color) =>
    text(left + shift, y(-1) + 40, content, "start", { style: `fill: var(--ex-${color}); font-weight: 600` });
  return [
    rect(x(0), y(1), x(TRAINED - 1) - x(0), 2 * unit, { fill: "line", fillOpacity: 0.45 }),
    text(x(1), y(-1) - 6, "trained"),
    text(left, 13, "likeness to frame 0"),
    [1, 0, -1].map((v) => text(left - 6, y(v) + 4, fixed(v, 0), "end")),
    line(x(0), y(0), x(LAST), y(0), { stroke: "line" }),
    [0, TRAINED - 1, 50, LAST].map((t) => text(x(t), y(-1) + 18, t, t === LAST ? "end" : "middle")),
    curve(8, { stroke: "soft", mark: "all", strokeDasharray: "4 3" }),
    curve(4, { stroke: "accent", mark: "back", strokeDasharray: "none" }),
    line(x(frame), top - 8, x(frame), y(-1) + 4, { stroke: "main", strokeWidth: 2, mark: "now" }),
    circle(x(frame), y(likeness(frame, slowed, 4)), 5, { fill: "accent", mark: "back now" }),
    name(0, "pairs 0 to 3", "accent"),
    name(110, "all eight (dashed)", "soft"),
  ];
};

function render({ model, el }) {
  const dials = drawing(4 * DIALS.step, 2 * DIALS.rows - 8, "The hands of the eight pairs");
  const plot = drawing(PLOT.width, PLOT.height, "How alike each frame is to frame 0, along the time");
  const update = (state, read) => {
    dials.draw(dialShapes(state));
    plot.draw(plotShapes(state));
    return { said: sentence(state.frame, state.slowed, read), more: numbers(state.frame, state.slowed) };
  };
  const figure = movingFigure(model, el, update, {
    title: "What time is it in the video?",
    names: ["frame", "slowed"],
    marks: { now: "main", back: "accent" },
    longest: { said: [sentence(50, false)], more: [numbers(77, false)] },
  });
  figure.play("frame", { perSecond: 6 });
  figure.slider("frame", "latent frame", { glide: true });
  figure.check("slowed", "slow pair 3");
  return figure.start(dials, plot);
}

export default { render };
