// A table with a mistake in it, and which mistake it is.

import { draggable, movingFigure, pointIn } from "./base.js";
import {
  clamp,
  colorScale,
  drawing,
  element,
  fixed,
  line,
  outline,
  path,
  polyline,
  rect,
  specks,
  text,
  times,
} from "./drawing.js";
import { dealt, read, rowAt, wavelengthsOf } from "./gallery.js";
import { gridCanvas, gridMap, onNewColors, paint } from "./grid.js";

const ROWS = 64;
const COLUMNS = 32;
const LATE = 960; // the first of the late rows
const MAP = { width: 300, height: 330, left: 36, top: 22, wide: 128, tall: 256, size: 256, key: 290 };
const RIGHT = { ...MAP, left: 172 }; // the right table, beside the one that is shown
const FULL = HINTS + 1; // points for a right answer; each hint costs one
const SIDE = { width: 138, height: 330, middle: 78, amplitude: 54 };
// Wavelengths from 1 row to a million, each power of ten as high as the others.
const WAVES = { width: 300, height: 162, top: 24, bottom: 138, decades: 6 };
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
.moving-figure label.guess.out { color: var(--ex-soft); text-decoration: line-through; }
.moving-figure form button { margin-right: 8px; }
.moving-figure label.guess.right { font-weight: 650; }
.moving-figure button:disabled { color: var(--ex-soft); cursor: default; }
`;

const NAMES = ["seed", "case", "answers", "hints", "chosen", "column", "late", "difference"];

const rowsOf = (wave, late) => times(ROWS, (k) => rowAt(wave, late ? ROWS + k : k));
const curve = (d, look) => outline(d, { strokeWidth: 1.5, ...look });
const center = (row) => MAP.top + (row + 0.5) * TALL;
const ticks = (x, first) => [0, 16, 32, 48, ROWS - 1].map((t) => text(x, center(t) + 4, first + t, "end"));

// In front of the table, and of the right one or the difference of the two beside it.
export const mapShapes = ({ column, late, difference }) => {
  const { left, top, wide, tall, key } = MAP;
  const frame = { fill: "none", stroke: "ink", strokeWidth: 1.5, mark: "column" };
  return [
    text(left, 14, "this table"),
    text(RIGHT.left, 14, difference ? "half the difference" : "the right table"),
    ticks(left - 6, late ? LATE : 0),
    [MAP, RIGHT].map((box) => rect(box.left, top, wide, tall, { fill: "none", stroke: "line" })),
    [MAP, RIGHT].map((box) => rect(box.left + column * CELL, top, CELL, tall, frame)),
    colorScale((left + RIGHT.left + wide) / 2, key, ["−1", "0", "1"]),
  ];
};

// After how many rows each column repeats, under the map of the columns. After the check there is the
// mistake that was named and is not in this table: `other`, a name, and the wavelengths of it.
export const waveShapes = (column, lengths, right, other, otherLengths) => {
  const { height, top, bottom, decades } = WAVES;
  const { left, size } = MAP;
  const level = (power) => bottom - ((bottom - top) * power) / decades;
  const at = (all) => all.map((rows, j) => [left + (j + 0.5) * WIDE, level(clamp(Math.log10(rows), 0, decades))]);
  const visibility = other ? "visible" : "hidden";
  const dotted = { stroke: "ink", strokeWidth: 2, strokeDasharray: "1 3", visibility };
  const powers = { 0: "≤ 1", 2: "100", 4: "10⁴", 6: "10⁶" };
  return [
    text(left, 14, "wavelength of each column, in rows"),
    Object.entries(powers).map(([power, name]) => [
      line(left, level(power), left + size, level(power), { stroke: "line" }),
      text(left - 6, level(power) + 4, name, "end"),
    ]),
    rect(left + column * WIDE, top - 4, WIDE, bottom - top + 8, {
      fill: "none",
      stroke: "ink",
      strokeWidth: 1,
      mark: "column",
    }),
    curve(polyline(at(right)), { stroke: "accent", strokeDasharray: "4 3", mark: "right" }),
    curve(specks(at(lengths)), { stroke: "main", strokeWidth: 5, strokeLinecap: "round", mark: "this" }),
    curve(other ? polyline(at(otherLengths)) : "", dotted),
    curve(`M${left} ${height - 5}h28`, dotted),
    text(left + 34, height - 1, other ? `“${other}”` : "", "start", { visibility }),
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
    curve(specks(at(table)), { ...thick, mark: "this" }),
    curve(`M6 ${bottom + 32}H34`, { stroke: "soft" }),
    text(40, bottom + 36, "this table"),
    path(`M12 ${bottom + 32}h0m8 0h0m8 0h0`, thick),
    curve(`M6 ${bottom + 49}H34`, dashed),
    text(40, bottom + 53, "right table"),
  ];
};

const farthest = (values) => Math.max(...values.map(Math.abs));
const rowsLong = (rows) =>
  rows > 1e6 ? "over a million" : rows.toLocaleString("en-US", { maximumSignificantDigits: 3 });
const range = (lengths) => {
  if (lengths.includes(Infinity)) return "No column changes from row to row.";
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)].map(rowsLong);
  return least === most ? `All wavelengths are ${least} rows.` : `Wavelengths go from ${least} to ${most} rows.`;
};
const few = (row) => times(4, (k) => fixed(row[k])).join(", ");

// What is to be seen of a table, in numbers.
const seen = ({ column, late, case: number }, count, table, right, wavelengths) => {
  const first = late ? LATE : 0;
  const apart = times(COLUMNS, (c) => farthest(table.map((row, r) => row[c] - right[r][c])));
  const wrong = apart.map((distance) => distance > 1e-6);
  const off = apart[column] < 0.005 ? "less than 0.01" : fixed(apart[column]);
  const differing = `${wrong.filter(Boolean).length} of ${COLUMNS} columns differ from those of the right table`;
  const rows =
    `Table ${number + 1} of ${count}, rows ${first} to ${first + ROWS - 1}. Row ${first} begins ` +
    `${few(table[0])}, row ${first + 1} begins ${few(table[1])}.`;
  const verdict = `column ${column} ${wrong[column] ? `by up to ${off}` : "does not"}.`;
  return { differing, numbers: `${rows} ${differing}; ${verdict} ${range(wavelengths)}` };
};

// The state of the game, from the values of the model.
const gameOf = (model, names) => {
  const state = Object.fromEntries(NAMES.map((name) => [name, model.get(name)]));
  const { seed, case: number, answers, hints } = state;
  const order = dealt(names, seed);
  const truth = order[number];
  const checked = answers.length > number;
  const hintsOf = (k) => hints[k] ?? 0;
  const score = answers.reduce((sum, answer, k) => sum + (answer === order[k] ? FULL - hintsOf(k) : 0), 0);
  // Four names are left at the last hint: the right one, and three that the seed draws.
  const others = names.filter((name) => name !== truth);
  const left = [truth, ...dealt(others, (seed + number) % 10000).slice(0, 3)];
  const out = (name) => !checked && hintsOf(number) === HINTS && !left.includes(name);
  return { ...state, number, order, truth, checked, hintsOf, score, out };
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
  const give = () => {
    const { number, hints, hintsOf } = game();
    const used = times(number + 1, hintsOf);
    used[number] += 1;
    figure.set("hints", [...used, ...hints.slice(number + 1)]);
    if (game().out(game().chosen)) figure.set("chosen", "");
  };
  const button = element("button", { type: "submit" });
  const hint = element("button", { type: "button", onClick: give });
  const fieldset = element("fieldset", {}, element("legend", {}, "It is made with"), ...labels);
  const sync = () => {
    const { number, answers, chosen, checked, truth, out, hintsOf } = game();
    names.forEach((name, k) => {
      radios[k].checked = name === chosen;
      const [right, said] = [checked && name === truth, checked && name === answers[number]];
      marks[k].textContent = right ? "\u00a0✓" : said ? "\u00a0✗" : "";
      labels[k].classList.toggle("right", right);
      labels[k].classList.toggle("out", out(name));
      radios[k].disabled = out(name);
    });
    button.textContent = !checked ? "check" : number + 1 < names.length ? "next table" : "begin again";
    button.disabled = !checked && !chosen;
    const more = HINTS - hintsOf(number);
    hint.textContent = more ? `hint (${more} left)` : "no more hints";
    hint.disabled = checked || !more;
  };
  return { node: element("form", { onSubmit: submit }, fieldset, button, hint), sync };
};

function render({ model, el }) {
  const gallery = model.get("gallery");
  const names = gallery.map(({ name }) => name);
  const byName = (part) => Object.fromEntries(gallery.map((one) => [one.name, part(one)]));
  const about = byName((one) => one.about);
  const waveOf = byName(read);
  const [looks, meanings] = [byName((one) => one.look), byName((one) => one.meaning)];
  const game = () => gameOf(model, names);

  const map = gridMap(ROWS, COLUMNS, MAP, "The table, and the right table beside it. A click chooses a column.");
  const beside = gridCanvas(ROWS, COLUMNS, RIGHT);
  map.node.insertBefore(beside, map.front);
  map.front.style.cursor = "crosshair";
  const waves = drawing(WAVES.width, WAVES.height, "The wavelength of each column, and that in the right table");
  const side = drawing(SIDE.width, SIDE.height, "The framed column, and the same column of the right table");
  let painted = ""; // the cells are many, and most changes leave them as they are

  const update = () => {
    const now = game();
    const { seed, number, answers, chosen, column, late, difference, order, truth, checked, hintsOf, score } = now;
    const [table, right] = [rowsOf(waveOf[truth], late), rowsOf(waveOf["no bug"], late)];
    const cells = [seed, number, late, difference].join();
    if (cells !== painted) {
      map.paint(table);
      paint(beside, difference ? table.map((row, r) => row.map((value, c) => (value - right[r][c]) / 2)) : right);
    }
    painted = cells;
    const wavelengths = wavelengthsOf(waveOf[truth]);
    // After the check the first answer is compared with the truth, or the name that is chosen since.
    const answer = answers[number];
    const other = checked ? ([chosen, answer].find((name) => name && name !== truth) ?? "") : "";
    const lengths = [wavelengthsOf(waveOf["no bug"]), other, other && wavelengthsOf(waveOf[other])];
    map.front.draw(mapShapes(now));
    waves.draw(waveShapes(column, wavelengths, ...lengths));
    side.draw(columnShapes(table, right, now));
    form.sync();

    const { differing, numbers } = seen(now, order.length, table, right, wavelengths);
    const total = answers.length ? ` Score: ${score} of ${FULL * answers.length}.` : "";
    if (!checked) {
      const look = `look at ${looks[truth].split(/[,:]/)[0]}`;
      const hints = [differing, look, "it is one of the four names left"].slice(0, hintsOf(number));
      const hinted = `${hints.length ? ` Hint: ${hints.join("; ")}.` : ""}${total}`;
      if (chosen) return { said: `“${chosen}” means: ${meanings[chosen]}${hinted}`, more: numbers };
      const asks = `how does {this|this table} differ from {right|the right one}, if at all?`;
      return { said: `Table ${number + 1} of ${order.length}: ${asks}${hinted}`, more: numbers };
    }
    const verdict = answer === truth ? "Right" : `You said “${answer}”, but no`;
    const as = about[other]?.replace("Look at:", "You would see:");
    const compared = other ? ` “${other}”, dotted below the table, would be: ${as}` : "";
    const missed = order.filter((name, k) => answers.length === order.length && answers[k] !== name);
    const list = missed.length ? ` Missed: ${missed.map((name) => `“${name}”`).join(", ")}.` : "";
    return { said: `${verdict}: it is “${truth}”. ${about[truth]}${total}`, more: `${numbers}${compared}${list}` };
  };

  const longest = (texts) => Object.values(texts).reduce((a, b) => (b.length > a.length ? b : a));
  const blank = "n".repeat(longest(names).length); // no name stands in the page more often than others
  const figure = movingFigure(model, el, update, {
    title: "Which mistake made this table?",
    names: NAMES,
    marks: { this: "main", right: "accent" },
    longest: { said: [`You said “${blank}”, but no: it is “${blank}”. ${longest(about)} Score: 00 of 00.`] },
  });
  figure.root.prepend(element("style", {}, LOOK));
  const slider = figure.slider("column", "column", { min: 0, max: COLUMNS - 1 });
  figure.check("difference", "difference from the right table");
  figure.check("late", `rows ${LATE} to ${LATE + ROWS - 1}`);
  const next = () => {
    const { number, seed } = game();
    if (number + 1 < names.length) figure.set("case", number + 1);
    else figure.setAll({ case: 0, answers: [], hints: [], seed: (seed + 1) % 10000 });
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
  const repaint = () => {
    painted = "";
    figure.redraw();
  };
  figure.atEnd(onNewColors(repaint));
  // What the slider changes stands right above it, on a phone, too.
  const column = element("div", { class: "guess-column" }, side, slider.closest("label"));
  return figure.start(element("div", { class: "guess-map" }, map.node, waves), column, form.node);
}

export default { render };
