// Chapter 13: a table with a mistake in it, and which mistake it is.

import {
  all,
  draggable,
  drawing,
  fixed,
  h,
  label,
  move,
  movingFigure,
  pointIn,
  polyline,
  specks,
  svg,
} from "./base.js";
import { dealt, read, rowAt, wavelengthsOf } from "./gallery.js";
import { gridCanvas, gridMap, onNewColors, paint } from "./grid.js";
import { colorScale } from "./parts.js";

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

const rowsOf = (wave, late) => all(ROWS, (k) => rowAt(wave, late ? ROWS + k : k));
const line = (attributes) => svg("path", { fill: "none", "stroke-width": 1.5, ...attributes });
const center = (row) => MAP.top + (row + 0.5) * TALL;
const ticks = (x) => [0, 16, 32, 48, ROWS - 1].map((t) => label(x, center(t) + 4, "", "end"));
const renumber = (texts, first) =>
  texts.forEach((text, k) => (text.textContent = String(first + [0, 16, 32, 48, ROWS - 1][k])));

// The table, and beside it the right one, or the difference of the two.
function tables() {
  const { left, top, wide, tall, key } = MAP;
  const map = gridMap(ROWS, COLUMNS, MAP, "The table, and the right table beside it. A click chooses a column.");
  const { node, front } = map;
  front.style.cursor = "crosshair";
  const other = gridCanvas(ROWS, COLUMNS, RIGHT);
  node.insertBefore(other, front);
  const frames = [MAP, RIGHT].map(() =>
    svg("rect", {
      y: top,
      width: CELL,
      height: tall,
      fill: "none",
      stroke: "var(--ex-ink)",
      "stroke-width": 1.5,
      "data-mark": "column",
    }),
  );
  const edges = [MAP, RIGHT].map((box) =>
    svg("rect", {
      x: box.left,
      y: top,
      width: wide,
      height: tall,
      fill: "none",
      stroke: "var(--ex-line)",
    }),
  );
  const numbers = ticks(left - 6);
  const name = label(RIGHT.left, 14);
  const colors = colorScale((left + RIGHT.left + wide) / 2, key);
  colors.update("−1", "0", "1");
  front.append(label(left, 14, "this table"), name, ...numbers, ...edges, ...frames, ...colors.nodes);
  const update = (table, right, first, difference) => {
    map.paint(table);
    paint(other, difference ? table.map((row, r) => row.map((value, c) => (value - right[r][c]) / 2)) : right);
    renumber(numbers, first);
    name.textContent = difference ? "half the difference" : "the right table";
  };
  const choose = (column) => frames.forEach((frame, k) => move(frame, { x: [MAP, RIGHT][k].left + column * CELL }));
  const columnAt = (event) => {
    const [x] = pointIn(front, event);
    const from = x < RIGHT.left ? left : RIGHT.left;
    return Math.min(Math.max(Math.floor((x - from) / CELL), 0), COLUMNS - 1);
  };
  return { node, front, update, choose, columnAt };
}

// After how many rows each column repeats, under the map of the columns.
function waves(waveOf) {
  const { width, height, top, bottom, decades } = WAVES;
  const { left, size } = MAP;
  const node = drawing(width, height, "The wavelength of each column, and that in the right table");
  const level = (power) => bottom - ((bottom - top) * power) / decades;
  const at = (lengths) =>
    lengths.map((rows, j) => [left + (j + 0.5) * WIDE, level(Math.min(Math.max(Math.log10(rows), 0), decades))]);
  const dotted = { stroke: "var(--ex-ink)", "stroke-width": 2, "stroke-dasharray": "1 3" };
  const [right, dots, other] = [
    line({
      stroke: "var(--ex-accent)",
      "stroke-dasharray": "4 3",
      d: polyline(at(wavelengthsOf(waveOf["no bug"]))),
      "data-mark": "right",
    }),
    line({ "data-mark": "this", stroke: "var(--ex-main)", "stroke-width": 5, "stroke-linecap": "round" }),
    line(dotted),
  ];
  // After the check: the mistake that was named and is not in this table.
  const sample = line({ ...dotted, d: `M${left} ${height - 5}h28` });
  const name = label(left + 34, height - 1);
  const frame = svg("rect", {
    y: top - 4,
    width: WIDE,
    height: bottom - top + 8,
    fill: "none",
    stroke: "var(--ex-ink)",
    "stroke-width": 1,
    "data-mark": "column",
  });
  node.append(
    label(left, 14, "wavelength of each column, in rows"),
    ...[
      [0, "≤ 1"],
      [2, "100"],
      [4, "10⁴"],
      [6, "10⁶"],
    ].flatMap(([power, text]) => [
      svg("line", { x1: left, x2: left + size, y1: level(power), y2: level(power), stroke: "var(--ex-line)" }),
      label(left - 6, level(power) + 4, text, "end"),
    ]),
    frame,
    right,
    dots,
    other,
    sample,
    name,
  );
  const update = (lengths, column, compared) => {
    move(dots, { d: specks(at(lengths)) });
    move(frame, { x: left + column * WIDE });
    const visibility = compared ? "visible" : "hidden";
    for (const part of [other, sample, name]) move(part, { visibility });
    move(other, { d: compared ? polyline(at(wavelengthsOf(waveOf[compared]))) : "" });
    name.textContent = compared ? `“${compared}”` : "";
  };
  return { node, update };
}

// The framed column, and that of the right table, at the height of the map.
function side() {
  const { width, height, middle, amplitude } = SIDE;
  const node = drawing(width, height, "The framed column, and the same column of the right table");
  const title = label(0, 14);
  const numbers = ticks(17);
  const [right, here, dots] = [
    line({ stroke: "var(--ex-accent)", "stroke-dasharray": "4 3", "data-mark": "right" }),
    line({ stroke: "var(--ex-soft)" }),
    line({ "data-mark": "this", stroke: "var(--ex-main)", "stroke-width": 4, "stroke-linecap": "round" }),
  ];
  const bottom = MAP.top + MAP.size;
  const sample = (y, text, ...marks) => {
    for (const mark of marks) move(mark, { d: `M6 ${y}H34` });
    return [...marks, label(40, y + 4, text)];
  };
  node.append(
    title,
    ...numbers,
    ...[-1, 0, 1].map((v) =>
      svg("line", {
        x1: middle + amplitude * v,
        x2: middle + amplitude * v,
        y1: MAP.top,
        y2: bottom,
        stroke: "var(--ex-line)",
      }),
    ),
    ...[-1, 0, 1].map((v) => label(middle + amplitude * v, bottom + 16, fixed(v, 0), "middle")),
    right,
    here,
    dots,
    ...sample(bottom + 32, "this table", line({ stroke: "var(--ex-soft)" })),
    svg("path", {
      d: `M12 ${bottom + 32}h0m8 0h0m8 0h0`,
      stroke: "var(--ex-main)",
      "stroke-width": 4,
      "stroke-linecap": "round",
    }),
    ...sample(bottom + 49, "right table", line({ stroke: "var(--ex-accent)", "stroke-dasharray": "4 3" })),
  );
  const update = (table, rightTable, first, column) => {
    const at = (rows) => rows.map((row, t) => [middle + amplitude * row[column], center(t)]);
    title.textContent = `column ${column}`;
    renumber(numbers, first);
    move(right, { d: polyline(at(rightTable)) });
    move(here, { d: polyline(at(table)) });
    move(dots, { d: specks(at(table)) });
  };
  return { node, update };
}

const farthest = (values) => Math.max(...values.map(Math.abs));
const rowsLong = (rows) =>
  rows > 1e6 ? "over a million" : rows.toLocaleString("en-US", { maximumSignificantDigits: 3 });
const range = (lengths) => {
  if (lengths.includes(Infinity)) return "No column changes from row to row.";
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)].map(rowsLong);
  return least === most ? `All wavelengths are ${least} rows.` : `Wavelengths go from ${least} to ${most} rows.`;
};
const few = (row) =>
  row
    .slice(0, 4)
    .map((value) => fixed(value))
    .join(", ");

function render({ model, el }) {
  const gallery = model.get("gallery");
  const names = gallery.map(({ name }) => name);
  const byName = (part) => Object.fromEntries(gallery.map((one) => [one.name, part(one)]));
  const [about, looks, meanings, waveOf] = [
    byName((one) => one.about),
    byName((one) => one.look),
    byName((one) => one.meaning),
    byName(read),
  ];
  const [map, lengths, curve] = [tables(), waves(waveOf), side()];
  const state = () =>
    Object.fromEntries(
      ["seed", "case", "answers", "hints", "chosen", "column", "late", "difference"].map((name) => [
        name,
        model.get(name),
      ]),
    );
  const truth = () => dealt(names, model.get("seed"))[model.get("case")];
  const checked = () => model.get("answers").length > model.get("case");
  const hintsOf = (number) => model.get("hints")[number] ?? 0;
  const scoreOf = (order) =>
    model.get("answers").reduce((sum, answer, k) => sum + (answer === order[k] ? FULL - hintsOf(k) : 0), 0);
  // Four names are left at the last hint: the right one, and three that the seed draws.
  const left = () => {
    const { seed, case: number } = state();
    const others = dealt(
      names.filter((name) => name !== truth()),
      (seed + number) % 10000,
    );
    return [truth(), ...others.slice(0, 3)];
  };
  const out = (name) => !checked() && hintsOf(model.get("case")) === HINTS && !left().includes(name);
  let painted = ""; // the cells are many, and most changes leave them as they are

  const update = () => {
    const { seed, case: number, answers, chosen, column, late, difference } = state();
    const order = dealt(names, seed);
    const first = late ? LATE : 0;
    const [table, right] = [rowsOf(waveOf[order[number]], late), rowsOf(waveOf["no bug"], late)];
    const apart = table.map((row, r) => row.map((value, c) => value - right[r][c]));
    const now = [seed, number, late, difference].join();
    if (now !== painted) map.update(table, right, first, difference);
    painted = now;
    map.choose(column);
    curve.update(table, right, first, column);
    const wavelengths = wavelengthsOf(waveOf[order[number]]);
    // After the check the first answer is compared with the truth, or the name that is chosen since.
    const answer = answers[number];
    const other = !checked() ? "" : ([chosen, answer].find((name) => name && name !== order[number]) ?? "");
    lengths.update(wavelengths, column, other);
    sync();

    const wrong = all(COLUMNS, (c) => farthest(apart.map((row) => row[c])) > 1e-6);
    const off = farthest(apart.map((row) => row[column]));
    const differing = `${wrong.filter(Boolean).length} of ${COLUMNS} columns differ from those of the right table`;
    const seen =
      `Table ${number + 1} of ${order.length}, rows ${first} to ${first + ROWS - 1}. Row ${first} begins ` +
      `${few(table[0])}, row ${first + 1} begins ${few(table[1])}. ${differing}; column ${column} ` +
      (wrong[column] ? `by up to ${off < 0.005 ? "less than 0.01" : fixed(off)}.` : "does not.") +
      ` ${range(wavelengths)}`;
    const score = answers.length ? ` Score: ${scoreOf(order)} of ${FULL * answers.length}.` : "";
    const marked = [["this", "this table"], " differ from ", ["right", "the right one"]];
    if (!checked()) {
      const hints = [
        differing,
        `look at ${looks[order[number]].split(/[,:]/)[0]}`,
        "it is one of the four names left",
      ].slice(0, hintsOf(number));
      const text = `${hints.length ? ` Hint: ${hints.join("; ")}.` : ""}${score}`;
      if (chosen) return { said: `“${chosen}” means: ${meanings[chosen]}${text}`, more: seen };
      return {
        said: [`Table ${number + 1} of ${order.length}: how does `, ...marked, `, if at all?${text}`],
        more: seen,
      };
    }
    const verdict = answer === order[number] ? "Right" : `You said “${answer}”, but no`;
    const compared = other
      ? ` “${other}”, dotted below the table, would be: ${about[other].replace("Look at:", "You would see:")}`
      : "";
    const missed = order.filter((name, k) => answers.length === order.length && answers[k] !== name);
    const list = missed.length ? ` Missed: ${missed.map((name) => `“${name}”`).join(", ")}.` : "";
    return {
      said: `${verdict}: it is “${order[number]}”. ${about[order[number]]}${score}`,
      more: `${seen}${compared}${list}`,
    };
  };

  const longest = (texts) => Object.values(texts).reduce((a, b) => (b.length > a.length ? b : a));
  const blank = "n".repeat(longest(names).length); // no name stands in the page more often than others
  const figure = movingFigure({
    model,
    el,
    update,
    title: "Which mistake made this table?",
    names: ["seed", "case", "answers", "hints", "chosen", "column", "late", "difference"],
    marks: { this: "main", right: "accent" },
    longest: { said: [`You said “${blank}”, but no: it is “${blank}”. ${longest(about)} Score: 00 of 00.`] },
  });
  figure.root.prepend(h("style", {}, LOOK));
  const slider = figure.slider("column", "column", { min: 0, max: COLUMNS - 1 });
  figure.check("difference", "difference from the right table");
  figure.check("late", `rows ${LATE} to ${LATE + ROWS - 1}`);

  // Radio buttons of a form of their own: those of another figure on the page are another group.
  const radios = names.map((name) =>
    h("input", {
      type: "radio",
      name: "guess",
      value: name,
      onChange: () => {
        figure.set("chosen", name);
        sync(); // at once: Enter presses the button only when that is enabled
      },
    }),
  );
  const marks = names.map(() => h("span", { "aria-hidden": "true" }));
  const labels = names.map((name, k) => h("label", { class: "guess" }, radios[k], h("span", {}, name, marks[k])));
  const button = h("button", { type: "submit" });
  const hint = h("button", {
    type: "button",
    onClick: () => {
      const { case: number } = state();
      const used = all(number + 1, hintsOf);
      used[number] += 1;
      figure.set("hints", [...used, ...model.get("hints").slice(number + 1)]);
      if (out(model.get("chosen"))) figure.set("chosen", "");
    },
  });
  const next = () => {
    if (model.get("case") + 1 < names.length) figure.set("case", model.get("case") + 1);
    else {
      figure.set("case", 0);
      figure.set("answers", []);
      figure.set("hints", []);
      figure.set("seed", (model.get("seed") + 1) % 10000);
    }
    const { answers, case: number } = state();
    figure.set("chosen", answers[number] ?? "");
    sync(); // the button is not for use now, and would lose the focus
    radios[0].focus({ preventScroll: true });
    map.node.scrollIntoView({ block: "nearest" });
  };
  const form = h(
    "form",
    {
      onSubmit: (event) => {
        event.preventDefault();
        if (checked()) next();
        else if (model.get("chosen")) figure.set("answers", [...model.get("answers"), model.get("chosen")]);
      },
    },
    h("fieldset", {}, h("legend", {}, "It is made with"), ...labels),
    button,
    hint,
  );
  const sync = () => {
    const { case: number, answers, chosen } = state();
    const done = checked();
    names.forEach((name, k) => {
      radios[k].checked = name === chosen;
      const [right, said] = [done && name === truth(), done && name === answers[number]];
      marks[k].textContent = right ? "\u00a0✓" : said ? "\u00a0✗" : "";
      labels[k].classList.toggle("right", right);
      labels[k].classList.toggle("out", out(name));
      radios[k].disabled = out(name);
    });
    button.textContent = !done ? "check" : number + 1 < names.length ? "next table" : "begin again";
    button.disabled = !done && !chosen;
    const more = HINTS - hintsOf(number);
    hint.textContent = more ? `hint (${more} left)` : "no more hints";
    hint.disabled = done || !more;
  };

  const choose = (event) => figure.set("column", map.columnAt(event));
  map.front.addEventListener("click", choose);
  draggable(map.front, choose);
  // What the slider changes stands right above it, on a phone, too.
  const column = h("div", { class: "guess-column" }, curve.node, slider.closest("label"));
  const uncolored = onNewColors(() => {
    painted = "";
    figure.redraw();
  });
  const stop = figure.start(h("div", { class: "guess-map" }, map.node, lengths.node), column, form);
  return () => {
    uncolored();
    stop();
  };
}

export default { render };
