// The wave of a bit as a sum of sines: without the fast ones it has no corners, and the last is a sine.
import { movingFigure } from "./base.js";
import { drawing, line, outline, path, polyline, specks, text, times } from "./drawing.js";
import { binary, squareSum } from "./encodings.js";

const MOST = LIMITS.waves[1];
const BIT = 2; // the fours digit: 0 at positions 0 to 3, 1 at 4 to 7, and so on
const OMEGA = (2 * Math.PI) / 2 ** (BIT + 1);
const LAST = 16;
const WAVE = { width: 320, height: 214, left: 26, across: 286, middle: 102, unit: 58 };

const xAt = (t) => WAVE.left + (WAVE.across * t) / LAST;
const yAt = (value) => WAVE.middle - WAVE.unit * value;
// A bit is drawn as +1 for 0 and −1 for 1, so that its wave lies around zero.
const bitAt = (t) => 1 - 2 * binary(Math.floor(t), BIT + 1)[0];

const sentence = (waves) =>
  waves === 1
    ? "Of {bit|the wave of the bit} one sine is left, {sum|as long, with no corners}. " +
      "At height 1, a little lower than here, it is a column of the new encoding."
    : `Of the sines that add up to {bit|the wave of the bit}, {sum|the ${waves} slowest} are left. ` +
      "The fewer there are, the rounder the corners.";

export const waveShapes = ({ waves }) => {
  const sum = (count, at) => times(count, at).map((t) => [xAt(t), yAt(squareSum(t, OMEGA, waves))]);
  const edges = times(LAST / 4, (k) => [4 * k, 4 * k + 4].map((t) => [xAt(t), yAt(bitAt(4 * k))])).flat();
  const level = (value) => line(xAt(0), yAt(value), xAt(LAST), yAt(value), { stroke: value ? "line" : "soft" });
  const fine = polyline(sum(LAST * 40 + 1, (k) => k / 40));
  return [
    [-1, 0, 1].map(level),
    outline(polyline(edges), { stroke: "accent", strokeWidth: 2, strokeDasharray: "5 3", mark: "bit" }),
    outline(fine, { stroke: "main", strokeWidth: 2.5, strokeLinejoin: "round", mark: "sum" }),
    path(specks(sum(LAST + 1, (t) => t)), { stroke: "main", strokeWidth: 7, strokeLinecap: "round", mark: "sum" }),
    ["+1", "0", "−1"].map((name, k) => text(WAVE.left - 6, yAt(1 - k) + 4, name, "end")),
    [0, 4, 8, 12, 16].map((t) => text(xAt(t), yAt(-1.27) + 20, t, "middle")),
    text(xAt(LAST / 2), WAVE.height - 2, "position", "middle"),
    text(WAVE.left, 14, "the fours digit: 0 as +1, 1 as −1"),
  ];
};

function render({ model, el }) {
  const name = "The fours digit as a wave with corners, and the sum of the sines that are left";
  const plot = drawing(WAVE.width, WAVE.height, name);
  const left = (waves) => Math.ceil(waves - 1e-9);
  const update = (state) => {
    plot.draw(waveShapes(state));
    return sentence(left(state.waves));
  };
  const figure = movingFigure(model, el, update, {
    title: "From a bit to a sine",
    names: ["waves"],
    marks: { bit: "accent", sum: "main" },
    longest: { said: [sentence(1), sentence(MOST)] },
  });
  // To the right there are fewer: from the bit to the sine.
  const [min, max] = [-MOST, -LIMITS.waves[0]];
  const from = (waves) => -waves;
  figure.slider("waves", "sines that are left", {
    glide: true,
    min,
    max,
    from,
    to: from,
    show: (w) => String(left(w)),
  });
  figure.play("waves", {
    perSecond: 4,
    place: () => -figure.at("waves"),
    values: (place) => ({ waves: -place }),
    limits: () => [min, max],
  });
  return figure.start(plot);
}

export default { render };
