// Time in a video model: eight hands, base 256, and the moment at which four of them start over.
import { movingFigure } from "./base.js";
import { hand, rim, tipAt } from "./dial.js";
import { drawing, fixed, group, listInWords, outline, polyline, text, times } from "./drawing.js";
import { frequencies } from "./encodings.js";

const PAIRS = 8;
const CHANGED = 3; // the pair that may be slowed
const ROUND = 2 * Math.PI;
const DIAL = { x: 0, y: 0, radius: 34 };
const DIALS = { step: 83, rows: 116, x: 42, y: 40 };

const speeds = (slowed) =>
  frequencies(2 * PAIRS, 256).map((omega, i) => (slowed && i === CHANGED ? ROUND / SLOWED : omega));
const turnsAt = (frame, slowed) => speeds(slowed).map((omega) => (omega * frame) / ROUND);
const isAtStart = (turns) => turns > 0.5 && Math.abs(turns - Math.round(turns)) < 0.06;

const sentence = (frame, slowed, format = String) => {
  const where = frame < TRAINED ? "inside the clips of the training" : "beyond the clips of the training";
  const atStart = turnsAt(frame, slowed).flatMap((turns, i) => (isAtStart(turns) ? [i] : []));
  const subject =
    frame === 0
      ? "every hand stands at its start"
      : !atStart.length
        ? "no hand is back at its start"
        : atStart.length === 1
          ? `the hand of pair ${atStart[0]} is almost back at its start`
          : `the hands of pairs ${listInWords(atStart)} are almost back at their start`;
  const [latent, video] = [format(frame), format(4 * frame + 1)];
  return `{now|Latent frame ${latent}} is frame ${video} of the video, ${where}: {back|${subject}}.`;
};
export const dialShapes = ({ frame, slowed }) => {
  const [turns, trained] = [turnsAt(frame, slowed), turnsAt(TRAINED - 1, false)]; // in training none was slowed
  return times(PAIRS, (i) => {
    const atStart = isAtStart(turns[i]);
    const look = { mark: atStart ? "back now" : "now", color: atStart ? "accent" : "main", width: 3, tip: 5, reach: 5 };
    const arc = times(49, (k) => tipAt(DIAL, (ROUND * Math.min(trained[i], 1) * k) / 48)); // at most one round
    return group(
      { transform: `translate(${DIALS.x + (i % 4) * DIALS.step} ${DIALS.y + Math.floor(i / 4) * DIALS.rows})` },
      outline(polyline(arc), { stroke: "line", strokeWidth: 7 }),
      rim(DIAL),
      hand(DIAL, ROUND * turns[i], look),
      text(0, DIAL.radius + 18, `pair ${i}`, "middle"),
      text(0, DIAL.radius + 34, `${fixed(turns[i])} turns`, "middle"),
    );
  });
};

function render({ model, el }) {
  const dials = drawing(4 * DIALS.step, 2 * DIALS.rows - 8, "The hands of the eight pairs");
  const update = (state, format) => {
    dials.draw(dialShapes(state));
    return sentence(state.frame, state.slowed, format);
  };
  const figure = movingFigure(model, el, update, {
    title: "What time is it in the video?",
    names: ["frame", "slowed"],
    marks: { now: "main", back: "accent" },
    longest: { said: [sentence(50, false)] },
  });
  figure.play("frame", { perSecond: 6 });
  figure.slider("frame", "latent frame", { glide: true });
  figure.check("slowed", "slow pair 3");
  return figure.start(dials);
}

export default { render };
