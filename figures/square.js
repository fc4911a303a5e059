// The wave of a bit as a sum of sines: without the fast ones it has no corners, and the last is a sine.

import { all, drawing, fixed, label, move, movingFigure, polyline, specks, svg } from "./base.js";
import { binary, squareSum } from "./encodings.js";

const MOST = LIMITS.waves[1];
const BIT = 2; // the fours digit: 0 at positions 0 to 3, 1 at 4 to 7, and so on
const OMEGA = (2 * Math.PI) / 2 ** (BIT + 1);
const LAST = 16;
const WAVE = { width: 320, height: 214, left: 26, across: 286, middle: 102, unit: 58 };
const BARS = { width: 304, height: 214, left: 30, foot: 172, tall: 108, step: 10.6 };

const xAt = (t) => WAVE.left + (WAVE.across * t) / LAST;
const yAt = (value) => WAVE.middle - WAVE.unit * value;
// A bit is drawn as +1 for 0 and −1 for 1, so that its wave lies around zero.
const bitAt = (t) => 1 - 2 * binary(Math.floor(t), BIT + 1)[0];
const height = (k) => 4 / Math.PI / (2 * k + 1);

const sentence = (waves) => {
  const bit = ["bit", "the wave of the bit"];
  if (waves === 1)
    return [
      "Of ",
      bit,
      " one sine is left, ",
      ["sum", "as long, with no corners"],
      ". At height 1, a little lower than here, it is a column of the new encoding.",
    ];
  return [
    "Of the sines that add up to ",
    bit,
    ", ",
    ["sum", `the ${waves} slowest`],
    " are left. The fewer there are, the rounder the corners.",
  ];
};
const numbers = (waves) => {
  const listed = all(Math.min(waves, 4), (k) => `${k ? `${2 * k + 1}ω` : "ω"} (${fixed(height(k))})`).join(", ");
  return (
    `ω = π/4. Frequencies, with the height of each sine: ${listed}${waves > 4 ? ", …" : ""}. ` +
    "All are odd multiples of ω, and the heights fall like one over the multiple."
  );
};

function render({ model, el }) {
  const plot = drawing(
    WAVE.width,
    WAVE.height,
    "The fours digit as a wave with corners, and the sum of the sines that are left",
  );
  const edges = all(LAST / 4, (k) => [
    [xAt(4 * k), yAt(bitAt(4 * k))],
    [xAt(4 * k + 4), yAt(bitAt(4 * k))],
  ]).flat();
  const level = (value) =>
    svg("line", {
      x1: xAt(0),
      x2: xAt(LAST),
      y1: yAt(value),
      y2: yAt(value),
      stroke: `var(--ex-${value ? "line" : "soft"})`,
    });
  const sum = svg("path", {
    fill: "none",
    stroke: "var(--ex-main)",
    "stroke-width": 2.5,
    "stroke-linejoin": "round",
    "data-mark": "sum",
  });
  const dots = svg("path", {
    stroke: "var(--ex-main)",
    "stroke-width": 7,
    "stroke-linecap": "round",
    "data-mark": "sum",
  });
  plot.append(
    ...[-1, 0, 1].map(level),
    svg("path", {
      d: polyline(edges),
      fill: "none",
      stroke: "var(--ex-accent)",
      "stroke-width": 2,
      "stroke-dasharray": "5 3",
      "data-mark": "bit",
    }),
    sum,
    dots,
    ...[
      [1, "+1"],
      [0, "0"],
      [-1, "−1"],
    ].map(([value, text]) => label(WAVE.left - 6, yAt(value) + 4, text, "end")),
    ...[0, 4, 8, 12, 16].map((t) => label(xAt(t), yAt(-1.27) + 20, String(t), "middle")),
    label(xAt(LAST / 2), WAVE.height - 2, "position", "middle"),
    label(WAVE.left, 14, "the fours digit: 0 as +1, 1 as −1"),
  );

  const chart = drawing(BARS.width, BARS.height, "The heights of the sines, the slowest first");
  const bars = all(MOST, (k) =>
    svg("line", {
      x1: BARS.left + 8 + k * BARS.step,
      x2: BARS.left + 8 + k * BARS.step,
      y1: BARS.foot,
      stroke: "var(--ex-main)",
      "stroke-width": 7,
      "data-mark": "sum",
    }),
  );
  const outlines = all(MOST, (k) =>
    svg("rect", {
      x: BARS.left + 4.5 + k * BARS.step,
      width: 7,
      y: BARS.foot - (BARS.tall * height(k)) / height(0),
      height: (BARS.tall * height(k)) / height(0),
      fill: "none",
      stroke: "var(--ex-soft)",
      "stroke-width": 0.8,
    }),
  );
  chart.append(
    svg("line", { x1: BARS.left, x2: BARS.width, y1: BARS.foot, y2: BARS.foot, stroke: "var(--ex-soft)" }),
    ...outlines,
    ...bars,
    label(BARS.left, 14, "heights of its sines"),
    label(BARS.left - 6, BARS.foot - BARS.tall + 5, fixed(height(0)), "end"),
    label(BARS.left - 6, BARS.foot + 4, "0", "end"),
    ...[0, 12, 24].map((k) =>
      label(BARS.left + 8 + k * BARS.step, BARS.foot + 20, k ? `${2 * k + 1}ω` : "ω", "middle"),
    ),
    label(BARS.left + 8 + 12 * BARS.step, BARS.height - 2, "frequency", "middle"),
  );

  const update = () => {
    const waves = figure.at("waves"); // on the way: the last of them at a part of its height
    const fine = all(LAST * 40 + 1, (k) => k / 40);
    move(sum, { d: polyline(fine.map((t) => [xAt(t), yAt(squareSum(t, OMEGA, waves))])) });
    move(dots, { d: specks(all(LAST + 1, (t) => [xAt(t), yAt(squareSum(t, OMEGA, waves))])) });
    bars.forEach((bar, k) => {
      const share = Math.min(Math.max(waves - k, 0), 1);
      move(bar, {
        y2: BARS.foot - (share * BARS.tall * height(k)) / height(0),
        visibility: share ? "visible" : "hidden",
      });
    });
    const left = Math.ceil(waves - 1e-9);
    return { said: sentence(left), more: numbers(left) };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "From a bit to a sine",
    names: ["waves"],
    marks: { bit: "accent", sum: "main" },
    longest: { said: [sentence(1), sentence(MOST)], more: [numbers(MOST)] },
  });
  // To the right there are fewer: from the bit to the sine.
  figure.slider("waves", "sines that are left", {
    glide: true,
    min: -MOST,
    max: -LIMITS.waves[0],
    from: (waves) => -waves,
    to: (place) => -place,
    show: (waves) => String(Math.ceil(waves - 1e-9)),
  });
  figure.play("waves", {
    perSecond: 4,
    place: () => -figure.at("waves"),
    values: (place) => ({ waves: -place }),
    limits: () => [-MOST, -LIMITS.waves[0]],
  });
  return figure.start(plot, chart);
}

export default { render };
