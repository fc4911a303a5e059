// A position in eight bits, the step to the next one, and the corners of a cube.

import { all, drawing, fixed, label, move, movingFigure, svg } from "./base.js";
import { binary, distance, gray } from "./encodings.js";
import { between, eased, still } from "./motion.js";

const LAST = LIMITS.position[1];
const BITS = Math.log2(LAST + 1);
const BOX = 34;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];

// A corner of the cube on the page: ones to the right, twos to the back, fours up.
const corner = ([fours, twos, ones]) => [58 + 120 * ones + 70 * twos, 206 - 104 * fours - 40 * twos];

// What a side of the cube is: one bit, 0 at one end and 1 at the other.
const SIDES = {
  binary: ["ones", "twos", "fours"],
  gray: ["last bit", "2nd last", "3rd last"], // worth no number
};

// The shortest and the longest of all steps.
const extremes = (code) => {
  const steps = Array.from({ length: LAST }, (_, t) => distance(code(t, BITS), code(t + 1, BITS)));
  return [Math.min(...steps), Math.max(...steps)].map((step) => fixed(step));
};
const STEPS = { binary: extremes(binary), gray: extremes(gray) };

const line = (from, to, attributes) => svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1], ...attributes });

// Two corners are inside the outline; their labels stand where no edge and no step passes.
const LABELS = { "010": [-2, 23, "middle"], 101: [0, -12, "middle"] };

const EIGHT = Array.from({ length: 8 }, (_, t) => binary(t, 3));

const index = ([fours, twos, ones]) => 4 * fours + 2 * twos + ones;

// Every edge flips one bit; the three that meet in the far lower corner are hidden.
const edges = () =>
  EIGHT.flatMap((a, k) =>
    EIGHT.slice(k + 1)
      .filter((b) => distance(a, b) === 1)
      .map((b) =>
        line(corner(a), corner(b), {
          stroke: "var(--ex-soft)",
          "stroke-width": 1,
          opacity: 0.7,
          "stroke-dasharray": k === 2 || EIGHT.indexOf(b) === 2 ? "3 4" : "none",
        }),
      ),
  );

const box = (x, y) => {
  const frame = svg("rect", { x: x + 1.5, y: y + 1.5, width: BOX - 3, height: BOX - 3, rx: 4 });
  return { frame, digit: label(x + BOX / 2, y + BOX / 2 + 6, "", "middle") };
};

// A bit on its way from 0 to 1 is a share between them.
const fill = ({ frame, digit }, share, flipped) => {
  const bit = Math.round(share);
  move(frame, {
    fill:
      share === bit
        ? `var(--ex-${bit ? "main" : "paper"})`
        : `color-mix(in oklab, var(--ex-main) ${(100 * share).toFixed(0)}%, var(--ex-paper))`,
    stroke: flipped ? "var(--ex-accent)" : "var(--ex-soft)",
    "stroke-width": flipped ? 3.5 : 1,
  });
  move(digit, { style: `font-size: 17px; fill: var(--ex-${bit ? "paper" : "ink"})` });
  digit.textContent = bit;
};

// The way of a step: the carry goes from the last bit to the first, and each has its turn.
const rippled = (bits, next, share) => {
  const turns = bits.flatMap((bit, k) => (bit === next[k] ? [] : [k])).reverse();
  return bits.map((bit, k) => {
    const turn = turns.indexOf(k);
    if (turn < 0) return bit;
    return between(bit, next[k], eased(Math.min(Math.max(share * turns.length - turn, 0), 1)));
  });
};

// An arrow as one path: shaft and head. (A marker would need a name that is unique on the page.)
const arrow = ([x1, y1], [x2, y2], gap, head) => {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [u, v] = [(x2 - x1) / length, (y2 - y1) / length];
  const at = (along, aside) => [x1 + along * u - aside * v, y1 + along * v + aside * u].map((n) => n.toFixed(1)).join();
  const tip = length - gap;
  const [left, right] = [-0.6, 0.6].map((side) => at(tip - head, side * head));
  return `M${at(gap, 0)}L${at(tip, 0)}M${left}L${at(tip, 0)}L${right}`;
};

// Where the change of the highest bit leads: in binary it adds or takes away what that bit is worth.
const leap = (position, far, reflected) =>
  reflected ? far : `${position} ${far > position ? "+" : "−"} ${(LAST + 1) / 2} = ${far}`;

// What is said: the step to the next position beside the change of the highest bit alone.
const sentence = (position, reflected) => {
  if (position === LAST) return `${LAST} is the last position that eight bits can write: ${LAST + 1} needs a ninth.`;
  const code = reflected ? gray : binary;
  const [bits, next] = [position, position + 1].map((t) => code(t, BITS));
  const count = bits.filter((bit, k) => bit !== next[k]).length;
  const far = reflected ? LAST - position : (position + (LAST + 1) / 2) % (LAST + 1);
  const jump =
    Math.abs(far - position) > 1
      ? `; from ${position} to ${leap(position, far, reflected)} ${count > 1 ? "only one does, a distance of 1.00" : "one does, too"}`
      : "";
  return [
    "From ",
    ["now", position],
    " to ",
    ["next", position + 1],
    ` ${NUMBERS[count]} ` +
      `${count === 1 ? "bit flips" : "bits flip"}, a distance of ${fixed(distance(bits, next))}${jump}.`,
  ];
};

function render({ model, el }) {
  const table = drawing(290, 246, "The bits of the position and of the next one");
  const columns = Array.from({ length: BITS }, (_, k) => k * BOX + 1);
  const heads = columns.map((x) => label(x + BOX / 2, 40, "", "middle"));
  const now = columns.map((x) => box(x, 48));
  const flips = columns.map((x) =>
    svg("path", {
      d: arrow([x + BOX / 2, 82], [x + BOX / 2, 112], 3, 8),
      fill: "none",
      stroke: "var(--ex-accent)",
      "stroke-width": 3,
    }),
  );
  const next = columns.map((x) => box(x, 114));
  const names = [label(1, 14), label(1, 166), label(1, 196), label(1, 226)];
  const boxes = [...now, ...next].flatMap(({ frame, digit }) => [frame, digit]);
  now.forEach(({ frame, digit }, k) => {
    move(digit, { "pointer-events": "none" });
    move(frame, { style: "cursor: pointer" });
    frame.addEventListener("click", () => figure.set("position", flipped(model.get("position"), k)));
  });
  const marked = (mark, nodes) => nodes.forEach((node) => move(node, { "data-mark": mark }));
  marked(
    "now",
    now.flatMap(({ frame, digit }) => [frame, digit]),
  );
  marked("next", [...next.flatMap(({ frame, digit }) => [frame, digit]), ...flips]);
  table.append(...heads, ...boxes, ...flips, ...names);

  const cube = drawing(280, 284, "The lowest three bits as corners of a cube, and the path through them");
  const path = svg("polyline", {
    fill: "none",
    stroke: "var(--ex-blue)",
    "stroke-width": 2.5,
    "stroke-linejoin": "round",
  });
  const dots = EIGHT.map((code) => {
    const [cx, cy] = corner(code);
    return svg("circle", { cx, cy, r: 4.5, fill: "var(--ex-blue)" });
  });
  const corners = EIGHT.map((code) => {
    const [x, y] = corner(code);
    const [across, down, anchor] = LABELS[code.join("")] ?? [code[2] ? 13 : -13, code[0] ? -5 : 14];
    return label(x + across, y + down, "", anchor ?? (code[2] ? "start" : "end"));
  });
  const step = svg("path", {
    fill: "none",
    stroke: "var(--ex-accent)",
    "stroke-width": 4,
    "stroke-linecap": "round",
  });
  const here = svg("circle", { r: 9, fill: "var(--ex-main)", stroke: "var(--ex-paper)", "stroke-width": 2 });
  const there = svg("circle", { r: 9, fill: "none", stroke: "var(--ex-accent)", "stroke-width": 3 });
  marked("now", [here]);
  marked("next", [there, step]);
  const sides = [label(118, 223, "", "middle"), label(220, 201), label(52, 158, "", "end")];
  for (const side of sides) move(side, { style: "fill: var(--ex-soft)" });
  const [cubeName, flipsThere] = [label(0, 14), label(0, 278)];
  const cubeNote = [
    label(0, 244, "a corner: the last three bits, 000 lower left"),
    label(0, 261, "blue: the corners in order of counting"),
  ];
  cube.append(...edges(), path, ...dots, step, here, there, ...corners, ...sides, cubeName, ...cubeNote, flipsThere);

  const coding = () => (model.get("gray") ? gray : binary);
  // The position whose code differs in one bit.
  const flipped = (position, k) => {
    const code = coding();
    const wanted = code(position, BITS)
      .map((bit, j) => (j === k ? 1 - bit : bit))
      .join();
    return all(LAST + 1, (t) => t).find((t) => code(t, BITS).join() === wanted);
  };

  const update = () => {
    const reflected = model.get("gray");
    const code = coding();
    const place = figure.at("position"); // between two positions while it moves
    const position = Math.floor(place + 1e-9);
    const bits = code(position, BITS);
    const ends = position === LAST;
    const nextBits = ends ? null : code(position + 1, BITS);
    const walking = ends ? bits : rippled(bits, nextBits, place - position);
    const changed = bits.map((bit, k) => !ends && bit !== nextBits[k]);
    const count = changed.filter(Boolean).length;
    const gap = ends ? "" : fixed(distance(bits, nextBits));

    bits.forEach((_, k) => {
      const visibility = ends ? "hidden" : "visible";
      fill(now[k], walking[k], false);
      fill(next[k], ends ? 0 : nextBits[k], changed[k]);
      move(next[k].frame, { visibility });
      move(next[k].digit, { visibility });
      move(flips[k], { visibility: changed[k] ? "visible" : "hidden" });
      heads[k].textContent = reflected ? "" : 2 ** (BITS - 1 - k);
    });
    const parts = bits
      .map((bit, k) => bit * 2 ** (BITS - 1 - k))
      .filter(Boolean)
      .join(" + ");
    names[0].textContent =
      place > position + 1e-9
        ? `from ${position} to ${position + 1}`
        : reflected
          ? `${position} in Gray code`
          : `${position} = ${parts || 0}`;
    names[1].textContent = ends ? `${LAST + 1} needs a ninth bit` : `next position: ${position + 1}`;
    names[2].textContent = ends ? "" : `flips: ${count}, distance: √${count} = ${gap}`;
    const [least, most] = STEPS[reflected ? "gray" : "binary"];
    names[3].textContent =
      least === most ? `all steps are ${least} long` : `steps are ${least} to ${most} long (8 bits here)`;

    // The cube shows the eight positions that share the higher bits.
    const first = position - (position % 8);
    const codes = EIGHT.map((_, k) => code(first + k, BITS).slice(-3));
    move(path, { points: codes.map((bits) => corner(bits).join()).join(" ") });
    codes.forEach((bits, k) => (corners[index(bits)].textContent = first + k));
    const from = corner(bits.slice(-3));
    const to = ends ? from : corner(nextBits.slice(-3));
    const stays = from.join() === to.join();
    const shown = changed.slice(-3).filter(Boolean).length;
    if (!ends && position === first + 7) corners[index(nextBits.slice(-3))].textContent += `, ${position + 1}`;
    const [cx, cy] = corner(walking.slice(-3));
    move(here, { cx, cy });
    move(there, { cx: to[0], cy: to[1], visibility: stays ? "hidden" : "visible" });
    move(step, { d: stays ? "" : arrow(from, to, 11, 11) });
    SIDES[reflected ? "gray" : "binary"].forEach((side, k) => (sides[k].textContent = side));
    cubeName.textContent = `positions ${first} to ${first + 7}`;
    flipsThere.textContent = ends
      ? ""
      : `flips on the cube: ${shown ? `${shown} of ${count}` : `none of ${count}, so no arrow`}`;
    move(button, { "aria-disabled": ends });
    walk.hidden = still.matches; // it would make single steps, as the other button does

    return sentence(position, reflected);
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "One step in bits",
    names: ["position", "gray"],
    marks: { now: "main", next: "accent" },
    longest: { said: [sentence(127, false)] },
  });
  const walk = figure.play("position", { perSecond: 0.8, share: 0.8 });
  figure.slider("position", "position", { glide: true, show: (place) => String(Math.floor(place + 1e-9)) });
  const button = figure.button("next step", () =>
    figure.glide({ position: Math.min(model.get("position") + 1, LAST) }, 900),
  );
  figure.check("gray", "Gray code");
  return figure.start(table, cube);
}

export default { render };
