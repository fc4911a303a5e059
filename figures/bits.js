// A position in eight bits, the step to the next one, and the corners of a cube.
import { movingFigure } from "./base.js";
import { circle, clamp, drawing, fixed, line, outline, rect, shape, text, times } from "./drawing.js";
import { binary, distance, gray } from "./encodings.js";
import { between, eased, reducedMotion } from "./motion.js";

const LAST = LIMITS.position[1];
const BITS = Math.log2(LAST + 1);
const BOX = 34;
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
// What a side of the cube is: one bit, 0 at one end and 1 at the other. In Gray code it is worth no number.
const SIDES = [
  ["ones", "twos", "fours"],
  ["last bit", "2nd last", "3rd last"],
];
// Two corners are inside the outline; their labels stand where no edge and no step passes.
const LABELS = { "010": [-2, 23, "middle"], 101: [0, -12, "middle"] };
const EIGHT = times(8, (t) => binary(t, 3));

// A corner of the cube on the page: ones to the right, twos to the back, fours up.
const corner = ([fours, twos, ones]) => [58 + 120 * ones + 70 * twos, 206 - 104 * fours - 40 * twos];
const codeOf = (reflected) => (reflected ? gray : binary);

// The shortest and the longest of all steps.
const extremes = (code) => {
  const steps = times(LAST, (t) => distance(code(t, BITS), code(t + 1, BITS)));
  return [Math.min(...steps), Math.max(...steps)].map((step) => fixed(step));
};
const STEPS = [extremes(binary), extremes(gray)];

// The way of a step: the carry goes from the last bit to the first, and each has its turn.
const rippled = (bits, next, share) => {
  const turns = bits.flatMap((bit, k) => (bit === next[k] ? [] : [k])).reverse();
  return bits.map((bit, k) => {
    const turn = turns.indexOf(k);
    return turn < 0 ? bit : between(bit, next[k], eased(clamp(share * turns.length - turn, 0, 1)));
  });
};

// What is drawn of a place: the bits of the last position that was reached, those of the next one, and
// the bits on their way.
export const stepFrom = (place, reflected) => {
  const position = Math.floor(place + 1e-9);
  const ends = position === LAST;
  const [bits, next] = [position, ends ? LAST : position + 1].map((t) => codeOf(reflected)(t, BITS));
  const changed = bits.map((bit, k) => bit !== next[k]);
  return { position, ends, bits, next, changed, walking: rippled(bits, next, place - position) };
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

// What is said: the step to the next position beside the change of the highest bit alone. In binary it
// adds or takes away what that bit is worth.
const sentence = (position, reflected) => {
  const { ends, bits, next, changed } = stepFrom(position, reflected);
  if (ends) return `${LAST} is the last position that eight bits can write: ${LAST + 1} needs a ninth.`;
  const count = changed.filter(Boolean).length;
  const worth = (LAST + 1) / 2;
  const far = reflected ? LAST - position : (position + worth) % (LAST + 1);
  const leap = reflected ? far : `${position} ${far > position ? "+" : "−"} ${worth} = ${far}`;
  const jump = `; from ${position} to ${leap} ${count > 1 ? "only one does, a distance of 1.00" : "one does, too"}`;
  return (
    `From {now|${position}} to {next|${position + 1}} ${NUMBERS[count]} ${count === 1 ? "bit flips" : "bits flip"}, ` +
    `a distance of ${fixed(distance(bits, next))}${Math.abs(far - position) > 1 ? jump : ""}.`
  );
};

// A bit on its way from 0 to 1 is a share between them.
const box = (x, y, share, flips, look) => {
  const bit = Math.round(share);
  const mixed = `color-mix(in oklab, var(--ex-main) ${(100 * share).toFixed(0)}%, var(--ex-paper))`;
  const frame = {
    fill: share === bit ? ["paper", "main"][bit] : mixed,
    stroke: flips ? "accent" : "soft",
    strokeWidth: flips ? 3.5 : 1,
  };
  const digit = { style: `font-size: 17px; fill: var(--ex-${["ink", "paper"][bit]})` };
  return [
    rect(x + 1.5, y + 1.5, BOX - 3, BOX - 3, { rx: 4, ...frame, ...look }),
    text(x + BOX / 2, y + BOX / 2 + 6, bit, "middle", { ...digit, ...look }),
  ];
};

export const tableShapes = ({ position: place, gray: reflected }) => {
  const { position, ends, bits, next, changed, walking } = stepFrom(place, reflected);
  const columns = times(BITS, (k) => k * BOX + 1);
  const count = changed.filter(Boolean).length;
  const worth = times(BITS, (k) => 2 ** (BITS - 1 - k));
  const parts = worth.filter((_, k) => bits[k]).join(" + ");
  const name =
    place > position + 1e-9
      ? `from ${position} to ${position + 1}`
      : reflected
        ? `${position} in Gray code`
        : `${position} = ${parts || 0}`;
  const [least, most] = STEPS[Number(reflected)];
  const there = (is) => ({ mark: "next", visibility: is ? "inherit" : "hidden" });
  const flip = (x, k) =>
    outline(arrow([x + BOX / 2, 82], [x + BOX / 2, 112], 3, 8), {
      stroke: "accent",
      strokeWidth: 3,
      ...there(changed[k]),
    });
  return [
    columns.map((x, k) => text(x + BOX / 2, 40, reflected ? "" : worth[k], "middle")),
    columns.map((x, k) => box(x, 48, walking[k], false, { mark: "now" })),
    columns.map((x, k) => box(x, 114, ends ? 0 : next[k], changed[k], there(!ends))),
    columns.map(flip),
    text(1, 14, name),
    text(1, 166, ends ? `${LAST + 1} needs a ninth bit` : `next position: ${position + 1}`),
    text(1, 196, ends ? "" : `flips: ${count}, distance: √${count} = ${fixed(distance(bits, next))}`),
    text(1, 226, least === most ? `all steps are ${least} long` : `steps are ${least} to ${most} long (8 bits here)`),
  ];
};

// Every edge flips one bit; the three that meet in the far lower corner are hidden.
const edges = EIGHT.flatMap((a, k) =>
  EIGHT.flatMap((b, j) => {
    if (j <= k || distance(a, b) !== 1) return [];
    const look = { stroke: "soft", strokeWidth: 1, opacity: 0.7, strokeDasharray: k === 2 || j === 2 ? "3 4" : "none" };
    return line(...corner(a), ...corner(b), look);
  }),
);

// The cube shows the eight positions that share the higher bits.
export const cubeShapes = ({ position: place, gray: reflected }) => {
  const { position, ends, bits, next, changed, walking } = stepFrom(place, reflected);
  const first = position - (position % 8);
  const codes = times(8, (k) => codeOf(reflected)(first + k, BITS).slice(-3));
  const [from, to, here] = [bits, next, walking].map((each) => corner(each.slice(-3)));
  const stays = from.join() === to.join();
  const [count, shown] = [changed, changed.slice(-3)].map((each) => each.filter(Boolean).length);
  const names = codes.map((_, k) => String(first + k));
  const name = (code) => {
    const [x, y] = corner(code);
    const [across, down, anchor] = LABELS[code.join("")] ?? [code[2] ? 13 : -13, code[0] ? -5 : 14];
    const k = codes.findIndex((other) => other.join() === code.join());
    const arrives = !ends && position === first + 7 && next.slice(-3).join() === code.join();
    const content = arrives ? `${names[k]}, ${position + 1}` : names[k];
    return text(x + across, y + down, content, anchor ?? (code[2] ? "start" : "end"));
  };
  const side = (content, k) =>
    text([118, 220, 52][k], [223, 201, 158][k], content, ["middle", "start", "end"][k], {
      style: "fill: var(--ex-soft)",
    });
  const path = { points: codes.map((code) => corner(code).join()).join(" "), fill: "none" };
  return [
    edges,
    shape("polyline", path, { stroke: "blue", strokeWidth: 2.5, strokeLinejoin: "round" }),
    EIGHT.map((code) => circle(...corner(code), 4.5, { fill: "blue" })),
    outline(stays ? "" : arrow(from, to, 11, 11), {
      stroke: "accent",
      strokeWidth: 4,
      strokeLinecap: "round",
      mark: "next",
    }),
    circle(...here, 9, { fill: "main", stroke: "paper", strokeWidth: 2, mark: "now" }),
    circle(...to, 9, {
      fill: "none",
      stroke: "accent",
      strokeWidth: 3,
      mark: "next",
      visibility: stays ? "hidden" : "inherit",
    }),
    EIGHT.map(name),
    SIDES[Number(reflected)].map(side),
    text(0, 14, `positions ${first} to ${first + 7}`),
    text(0, 244, "a corner: the last three bits, 000 lower left"),
    text(0, 261, "blue: the corners in order of counting"),
    text(0, 278, ends ? "" : `flips on the cube: ${shown ? `${shown} of ${count}` : `none of ${count}, so no arrow`}`),
  ];
};

function render({ model, el }) {
  const table = drawing(290, 246, "The bits of the position and of the next one");
  const cube = drawing(280, 284, "The lowest three bits as corners of a cube, and the path through them");
  const update = (state) => {
    table.draw(tableShapes(state));
    cube.draw(cubeShapes(state));
    const position = Math.floor(state.position + 1e-9);
    button.setAttribute("aria-disabled", position === LAST);
    walk.hidden = reducedMotion().matches; // it would make single steps, as the other button does
    return sentence(position, state.gray);
  };
  const figure = movingFigure(model, el, update, {
    title: "One step in bits",
    names: ["position", "gray"],
    marks: { now: "main", next: "accent" },
    longest: { said: [sentence(127, false)] },
  });
  const walk = figure.play("position", { perSecond: 0.8, share: 0.8 });
  figure.slider("position", "position", { glide: true, show: (place) => String(Math.floor(place + 1e-9)) });
  const next = () => figure.glide({ position: Math.min(model.get("position") + 1, LAST) }, 900);
  const button = figure.button("next step", next);
  figure.check("gray", "Gray code");
  return figure.start(table, cube);
}

export default { render };
