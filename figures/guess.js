// A table with a mistake in it, and which mistake it is.

import { draggable, movingFigure, pointIn } from "./base.js";
import {
  clamp,
  colorScale,
  dotsAt,
  drawing,
  fixed,
  line,
  outline,
  path,
  polyline,
  rect,
  text,
  times,
} from "./drawing.js";
import { element } from "./element.js";
import { parsed, rowAt, shuffled, wavelengthsOf } from "./gallery.js";
import { gridCanvas, gridMap, onNewColors, paint } from "./grid.js";

const ROWS = 64;
const COLUMNS = 32;
const LATE = 960; // the first of the late rows
const MAP = { width: 300, height: 330, left: 36, top: 22, wide: 128, tall: 256, size: 256, key: 290 };
const RIGHT = { ...MAP, left: 172 }; // the right table, beside the one that is shown
const SIDE = { width: 138, height: 330, middle: 78, amplitude: 54 };
// Wavelengths from 1 row to a million, each power of ten as high as the others.
const WAVES = { width: 300, height: 146, top: 24, bottom: 138, decades: 6 };
const [CELL, WIDE, TALL] = [MAP.wide / COLUMNS, MAP.size / COLUMNS, MAP.tall / ROWS];
const LOOK = `
.moving-figure form { flex: 1 1 190px; margin: 0; min-width: 0; }
.moving-figure fieldset { display: grid; grid-template-columns: repeat(auto-fill, minmax(138px, 1fr));
  gap: 1px 10px; margin: 0 0 8px; padding: 0; border: 0; }
.moving-figure legend { float: none; margin: 0; padding: 0; font-size: 15px; line-height: inherit; }
.moving-figure .guess-map { display: grid; gap: 8px; width: min(100%, ${MAP.width}px); }
.moving-figure .guess-column { width: 138px; }
.moving-figure .guess-column label { margin-top: 8px; }
@media (max-width: 600px) { /* as wide as the map above it */
  .moving-figure .guess-column { width: min(100%, 300px); }
  .moving-figure .guess-column svg { margin: 0 auto; }
}
.moving-figure label.guess { display: grid; grid-template-columns: 20px 1fr; align-items: center; font-size: 14px;
  min-height: 24px; }
.moving-figure input[type="radio"] { width: 18px; height: 18px; margin: 0; accent-color: var(--ex-main); }
.moving-figure form button { margin-right: 8px; }
.moving-figure label.guess.right { font-weight: 650; }
.moving-figure button:disabled { color: var(--ex-soft); cursor: default; }
`;

const NAMES = ["seed", "case", "answers", "chosen", "column", "late"];

const rowsOf = (wave, late) => times(ROWS, (k) => rowAt(wave, late ? ROWS + k : k));
const curve = (d, look) => outline(d, { strokeWidth: 1.5, ...look });
const center = (row) => MAP.top + (row + 0.5) * TALL;
const ticks = (x, first) => [0, 16, 32, 48, ROWS - 1].map((t) => text(x, center(t) + 4, first + t, "end"));

// In front of the table and of the right one beside it.
export const mapShapes = ({ column, late }) => {
  const { left, top, wide, tall, key } = MAP;
  const frame = { fill: "none", stroke: "ink", strokeWidth: 1.5, mark: "column" };
  return [
    text(left, 14, "this table"),
    text(RIGHT.left, 14, "the right table"),
    ticks(left - 6, late ? LATE : 0),
    [MAP, RIGHT].map((box) => rect(box.left, top, wide, tall, { fill: "none", stroke: "line" })),
    [MAP, RIGHT].map((box) => rect(box.left + column * CELL, top, CELL, tall, frame)),
    colorScale((left + RIGHT.left + wide) / 2, key, ["−1", "0", "1"]),
  ];
};

// After how many rows each column repeats, under the map of the columns.
export const waveShapes = (column, lengths, right) => {
  const { top, bottom, decades } = WAVES;
  const { left, size } = MAP;
  const level = (power) => bottom - ((bottom - top) * power) / decades;
  const at = (all) => all.map((rows, j) => [left + (j + 0.5) * WIDE, level(clamp(Math.log10(rows), 0, decades))]);
  const frame = { fill: "none", stroke: "ink", strokeWidth: 1, mark: "column" };
  const powers = { 0: "≤ 1", 2: "100", 4: "10⁴", 6: "10⁶" };
  return [
    text(left, 14, "wavelength of each column, in rows"),
    Object.entries(powers).map(([power, name]) => [
      line(left, level(power), left + size, level(power), { stroke: "line" }),
      text(left - 6, level(power) + 4, name, "end"),
    ]),
    rect(left + column * WIDE, top - 4, WIDE, bottom - top + 8, frame),
    curve(polyline(at(right)), { stroke: "accent", strokeDasharray: "4 3", mark: "right" }),
    curve(dotsAt(at(lengths)), { stroke: "main", strokeWidth: 5, strokeLinecap: "round", mark: "this" }),
  ];
};

// The framed column, and that of the right table, at the height of the map.
export const columnShapes = (table, right, { column, late }) => {
  const { middle, amplitude } = SIDE;
  const bottom = MAP.top + MAP.size;
  const at = (rows) => rows.map((row, t) => [middle + amplitude * row[column], center(t)]);
  const dashed = { stroke: "accent", strokeDasharray: "4 3" };
  const thick = { stroke: "main", strokeWidth: 4, strokeLinecap: "round" };
  const values = [-1, 0, 1];
  const x = (v) => middle + amplitude * v;
  return [
    text(0, 14, `column ${column}`),
    ticks(17, late ? LATE : 0),
    values.map((v) => line(x(v), MAP.top, x(v), bottom, { stroke: "line" })),
    values.map((v) => text(x(v), bottom + 16, fixed(v, 0), "middle")),
    curve(polyline(at(right)), { ...dashed, mark: "right" }),
    curve(polyline(at(table)), { stroke: "soft" }),
    curve(dotsAt(at(table)), { ...thick, mark: "this" }),
    curve(`M6 ${bottom + 32}H34`, { stroke: "soft" }),
    text(40, bottom + 36, "this table"),
    path(`M12 ${bottom + 32}h0m8 0h0m8 0h0`, thick),
    curve(`M6 ${bottom + 49}H34`, dashed),
    text(40, bottom + 53, "right table"),
  ];
};

// What differs between a table and the right one, in numbers.
const numbersOf = ({ column, late }, table, right) => {
  const differences = times(COLUMNS, (c) => Math.max(...table.map((row, r) => Math.abs(row[c] - right[r][c]))));
  const count = differences.filter((distance) => distance > 1e-6).length;
  const first = late ? LATE : 0;
  return (
    `Rows ${first} to ${first + ROWS - 1}: ${count} of ${COLUMNS} columns differ from those of the right table, ` +
    `column ${column} by up to ${fixed(differences[column])}.`
  );
};

// The state of the game, from the values of the model.
const gameOf = (model, names) => {
  const state = Object.fromEntries(NAMES.map((name) => [name, model.get(name)]));
  const { seed, case: number, answers } = state;
  const order = shuffled(names, seed);
  const right = answers.filter((answer, k) => answer === order[k]).length;
  return { ...state, number, truth: order[number], checked: answers.length > number, right };
};

// The form with the names, and the buttons below them. `next` goes on from a table that is checked.
const guessForm = (figure, names, game, next) => {
  // Radio buttons of a form of their own: those of another figure on the page are another group.
  const radios = names.map((name) => {
    const choose = () => {
      figure.set("chosen", name);
      sync(); // at once: Enter presses the button only when that is enabled
    };
    return element("input", { type: "radio", name: "guess", value: name, onChange: choose });
  });
  const marks = names.map(() => element("span", { "aria-hidden": "true" }));
  const labels = names.map((name, k) =>
    element("label", { class: "guess" }, radios[k], element("span", {}, name, marks[k])),
  );
  const submit = (event) => {
    event.preventDefault();
    const { checked, chosen, answers } = game();
    if (checked) {
      next();
      sync(); // the button is not for use now, and would lose the focus
      radios[0].focus({ preventScroll: true });
    } else if (chosen) figure.set("answers", [...answers, chosen]);
  };
  const button = element("button", { type: "submit" });
  const fieldset = element("fieldset", {}, element("legend", {}, "It is made with"), ...labels);
  const sync = () => {
    const { number, answers, chosen, checked, truth } = game();
    names.forEach((name, k) => {
      radios[k].checked = name === chosen;
      const [right, said] = [checked && name === truth, checked && name === answers[number]];
      marks[k].textContent = right ? "\u00a0✓" : said ? "\u00a0✗" : "";
      labels[k].classList.toggle("right", right);
    });
    button.textContent = !checked ? "check" : number + 1 < names.length ? "next table" : "begin again";
    button.disabled = !checked && !chosen;
  };
  return { node: element("form", { onSubmit: submit }, fieldset, button), sync };
};

function render({ model, el }) {
  const gallery = model.get("gallery");
  const names = gallery.map(({ name }) => name);
  const byName = (part) => Object.fromEntries(gallery.map((one) => [one.name, part(one)]));
  const [about, waveOf] = [byName((one) => one.about), byName(parsed)];
  const game = () => gameOf(model, names);

  const map = gridMap(ROWS, COLUMNS, MAP, "The table, and the right table beside it. A click chooses a column.");
  const beside = gridCanvas(ROWS, COLUMNS, RIGHT);
  map.node.insertBefore(beside, map.front);
  map.front.style.cursor = "crosshair";
  const waves = drawing(WAVES.width, WAVES.height, "The wavelength of each column, and that in the right table");
  const side = drawing(SIDE.width, SIDE.height, "The framed column, and the same column of the right table");

  const update = () => {
    const now = game();
    const { number, answers, chosen, column, late, truth, checked, right: score } = now;
    const [table, right] = [truth, "no bug"].map((name) => rowsOf(waveOf[name], late));
    map.paint(table);
    paint(beside, right);
    map.front.draw(mapShapes(now));
    waves.draw(waveShapes(column, wavelengthsOf(waveOf[truth]), wavelengthsOf(waveOf["no bug"])));
    side.draw(columnShapes(table, right, now));
    form.sync();
    const numbers = numbersOf(now, table, right);
    const total = answers.length ? ` ${score} of ${answers.length} right.` : "";
    if (checked) {
      const verdict = answers[number] === truth ? "Right" : `You said “${answers[number]}”, but no`;
      return { said: `${verdict}: it is “${truth}”. ${about[truth]}${total}`, more: numbers };
    }
    if (chosen) return { said: `“${chosen}” means: ${about[chosen]}${total}`, more: numbers };
    const asks = "how does {this|this table} differ from {right|the right one}, if at all?";
    return { said: `Table ${number + 1} of ${names.length}: ${asks}${total}`, more: numbers };
  };

  const longest = (texts) => Object.values(texts).reduce((a, b) => (b.length > a.length ? b : a));
  const blank = "n".repeat(longest(names).length); // no name stands in the page more often than others
  const figure = movingFigure(model, el, update, {
    title: "Which mistake made this table?",
    names: NAMES,
    marks: { this: "main", right: "accent" },
    longest: { said: [`You said “${blank}”, but no: it is “${blank}”. ${longest(about)} 00 of 00 right.`] },
  });
  figure.root.prepend(element("style", {}, LOOK));
  const slider = figure.slider("column", "column", { min: 0, max: COLUMNS - 1 });
  figure.check("late", `rows ${LATE} to ${LATE + ROWS - 1}`);
  const next = () => {
    const { number, seed } = game();
    if (number + 1 < names.length) figure.set("case", number + 1);
    else figure.setAll({ case: 0, answers: [], seed: (seed + 1) % 10000 });
    figure.set("chosen", game().answers[game().number] ?? "");
    map.node.scrollIntoView({ block: "nearest" });
  };
  const form = guessForm(figure, names, game, next);

  const choose = (event) => {
    const [x] = pointIn(map.front, event);
    const from = x < RIGHT.left ? MAP.left : RIGHT.left;
    figure.set("column", clamp(Math.floor((x - from) / CELL), 0, COLUMNS - 1));
  };
  map.front.addEventListener("click", choose);
  draggable(map.front, choose);
  figure.atEnd(onNewColors(figure.redraw));
  // What the slider changes stands right above it, on a phone, too.
  const column = element("div", { class: "guess-column" }, side, slider.closest("label"));
  return figure.start(element("div", { class: "guess-map" }, map.node, waves), column, form.node);
}

export default { render };
