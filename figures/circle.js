// One hand that draws two waves: the sine is how far right its tip is, the cosine how far up.
import { movingFigure } from "./base.js";
import { hand, rim, tipAt, turnByHand, wave } from "./dial.js";
import { circle, drawing, fixed, outline, path, polyline, text } from "./drawing.js";

const LAST = LIMITS.position[1];
const DIAL = { x: 72, y: 72, radius: 52 };
const VIEW = { width: 334, height: 336, start: 146, step: 4.5 };

// Along the positions the cosine runs to the right and the sine down the page, each beside the hand.
const along = (t) => VIEW.start + VIEW.step * t;
const cosineAt = (t, omega) => [along(t), tipAt(DIAL, omega * t)[1]];
const sineAt = (t, omega) => [tipAt(DIAL, omega * t)[0], along(t)];

const sentence = (position, omega, name = position) => {
  const [sine, cosine] = [Math.sin(omega * position), Math.cos(omega * position)];
  const across = `${fixed(Math.abs(sine))} to the ${sine < 0 ? "left" : "right"}`;
  const up = `${fixed(Math.abs(cosine))} ${cosine < 0 ? "below" : "above"} the middle`;
  return (
    `At position ${name} the {hand|hand} is {sine|${across}} and {cosine|${up}}: ` +
    "together the sine and the cosine say where it points."
  );
};

// A wave, and a dashed line from the tip of the hand to it.
const tracedWave = (mark, color, at, t, omega) => {
  const look = { stroke: color, mark };
  return [
    wave((k) => at(k, omega), t, LAST, look),
    outline(polyline([tipAt(DIAL, omega * t), at(t, omega)]), { ...look, strokeDasharray: "2 3" }),
    circle(...at(t, omega), 5, { fill: color, mark }),
  ];
};

const tick = (t) => [
  text(along(t), DIAL.y + DIAL.radius + 20, t, "middle"),
  text(DIAL.x - DIAL.radius - 8, along(t) + 4, t, "end"),
];

export const shapes = ({ position, omega }) => {
  const { x, y, radius } = DIAL;
  const end = along(LAST);
  return [
    path(`M${x - radius} ${y}H${end}M${x} ${y - radius}V${end}`, { stroke: "line" }),
    rim(DIAL),
    tracedWave("cosine", "accent", cosineAt, position, omega),
    tracedWave("sine", "main", sineAt, position, omega),
    hand(DIAL, omega * position, { ref: "hand", mark: "hand", color: "ink", width: 4, tip: 6.5, reach: 18 }),
    [0, 10, 20, 30, 40].map(tick),
    text((VIEW.start + end) / 2, y + radius + 40, "position", "middle"),
    text((VIEW.start + end) / 2, 12, "cosine: how far up", "middle"),
    text(x + radius + 12, end - 4, "sine: how far right"),
  ];
};

function render({ model, el }) {
  const name = "The hand, the wave of its cosine to the right, and the wave of its sine downward";
  const node = drawing(VIEW.width, VIEW.height, name, { style: "width: min(100%, 430px)" });
  const update = (state, format) => {
    node.draw(shapes(state));
    return sentence(state.position, state.omega, format(state.position));
  };
  const figure = movingFigure(model, el, update, {
    title: "One hand, two waves",
    names: ["position", "omega"],
    marks: { hand: "ink", sine: "main", cosine: "accent" },
    longest: { said: [sentence(20, 0.3)] },
  });
  figure.play("position", { perSecond: 5 });
  figure.slider("position", "position t", { glide: true });
  const stop = figure.start(node);
  turnByHand(figure, node.refs.hand, node, "position", () => model.get("omega"), DIAL);
  return stop;
}

export default { render };
