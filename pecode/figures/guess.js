// Chapter 13: a table with a mistake in it, and which mistake it is.
import { dealt, read, rowAt, wavelengthsOf } from "./gallery.js";
import { all, draggable, drawing, fixed, h, label, move, movingFigure, polyline, specks, svg } from "./base.js";
import { colorScale, tint } from "./parts.js";

const ROWS = 64;
const COLUMNS = 32;
const LATE = 960; // the first of the late rows
const MAP = { width: 300, height: 330, left: 36, top: 22, size: 256, key: 290 };
const SIDE = { width: 138, height: 330, middle: 78, amplitude: 54 };
// Wavelengths from 1 row to a million, each power of ten as high as the others.
const WAVES = { width: 300, height: 162, top: 24, bottom: 138, decades: 6 };
const [WIDE, TALL] = [MAP.size / COLUMNS, MAP.size / ROWS];
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
.moving-figure label.guess.right { font-weight: 650; }
.moving-figure button:disabled { color: var(--ex-soft); cursor: default; }
`;

const rowsOf = (wave, late) => all(ROWS, (k) => rowAt(wave, late ? ROWS + k : k));
const line = (attributes) => svg("path", { fill: "none", "stroke-width": 1.5, ...attributes });
const center = (row) => MAP.top + (row + 0.5) * TALL;
const ticks = (x) => [0, 16, 32, 48, ROWS - 1].map((t) => label(x, center(t) + 4, "", "end"));
const renumber = (texts, first) =>
  texts.forEach((text, k) => (text.textContent = String(first + [0, 16, 32, 48, ROWS - 1][k])));

function heatMap() {
  const { width, height, left, top, size, key } = MAP;
  const node = drawing(width, height, "The table, or its difference from the right one. A click chooses a column.");
  move(node, { style: `${node.getAttribute("style")}; cursor: crosshair; user-select: none` });
  const cells = all(ROWS, (row) => all(COLUMNS, (column) =>
    svg("rect", {
      x: left + column * WIDE, y: top + row * TALL, width: WIDE, height: TALL, "shape-rendering": "crispEdges",
    })));
  const frame = svg("rect", {
    y: top, width: WIDE, height: size, fill: "none", stroke: "var(--ex-ink)", "stroke-width": 2,
  });
  const numbers = ticks(left - 6);
  const name = label(left, 14);
  const colors = colorScale(left + 128, key);
  node.append(
    name, ...numbers,
    svg("rect", { x: left, y: top, width: size, height: size, fill: "var(--ex-paper)", stroke: "var(--ex-line)" }),
    ...cells.flat(), frame, ...colors.nodes,
  );
  const update = (table, first, difference) => {
    const limit = difference ? 2 : 1;
    table.forEach((row, r) => row.forEach((value, c) => move(cells[r][c], tint(value, limit))));
    renumber(numbers, first);
    name.textContent = difference ? "this table minus the right one" : "this table, columns 0 to 31";
    colors.update(fixed(-limit, 0), "0", String(limit));
  };
  const choose = (column) => move(frame, { x: left + column * WIDE });
  const columnAt = ({ clientX }) => {
    const { x, width: wide } = node.getBoundingClientRect();
    const place = (((clientX - x) / wide) * width - left) / WIDE;
    return Math.min(Math.max(Math.floor(place), 0), COLUMNS - 1);
  };
  return { node, update, choose, columnAt };
}

// After how many rows each column repeats, under the map of the columns.
function waves(waveOf) {
  const { width, height, top, bottom, decades } = WAVES;
  const { left, size } = MAP;
  const node = drawing(width, height, "The wavelength of each column, and that in the right table");
  const level = (power) => bottom - ((bottom - top) * power) / decades;
  const at = (lengths) => lengths.map((rows, j) =>
    [left + (j + 0.5) * WIDE, level(Math.min(Math.max(Math.log10(rows), 0), decades))]);
  const dotted = { stroke: "var(--ex-ink)", "stroke-width": 2, "stroke-dasharray": "1 3" };
  const [right, dots, other] = [
    line({ stroke: "var(--ex-accent)", "stroke-dasharray": "4 3", d: polyline(at(wavelengthsOf(waveOf["no bug"]))) }),
    line({ stroke: "var(--ex-main)", "stroke-width": 5, "stroke-linecap": "round" }),
    line(dotted),
  ];
  // After the check: the mistake that was named and is not in this table.
  const sample = line({ ...dotted, d: `M${left} ${height - 5}h28` });
  const name = label(left + 34, height - 1);
  const frame = svg("rect", {
    y: top - 4, width: WIDE, height: bottom - top + 8, fill: "none", stroke: "var(--ex-ink)", "stroke-width": 1,
  });
  node.append(
    label(left, 14, "wavelength of each column, in rows"),
    ...[[0, "≤ 1"], [2, "100"], [4, "10⁴"], [6, "≥ 10⁶"]].flatMap(([power, text]) => [
      svg("line", { x1: left, x2: left + size, y1: level(power), y2: level(power), stroke: "var(--ex-line)" }),
      label(left - 6, level(power) + 4, text, "end"),
    ]), frame, right, dots, other, sample, name,
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
    line({ stroke: "var(--ex-accent)", "stroke-dasharray": "4 3" }), line({ stroke: "var(--ex-soft)" }),
    line({ stroke: "var(--ex-main)", "stroke-width": 4, "stroke-linecap": "round" }),
  ];
  const bottom = MAP.top + MAP.size;
  const sample = (y, text, ...marks) => [...marks.map((mark) => (move(mark, { d: `M6 ${y}H34` }), mark)), label(40, y + 4, text)];
  node.append(
    title, ...numbers,
    ...[-1, 0, 1].map((v) => svg("line", {
      x1: middle + amplitude * v, x2: middle + amplitude * v, y1: MAP.top, y2: bottom, stroke: "var(--ex-line)",
    })),
    ...[-1, 0, 1].map((v) => label(middle + amplitude * v, bottom + 16, fixed(v, 0), "middle")), right, here, dots,
    ...sample(bottom + 32, "this table", line({ stroke: "var(--ex-soft)" })),
    svg("path", { d: `M12 ${bottom + 32}h0m8 0h0m8 0h0`, stroke: "var(--ex-main)", "stroke-width": 4, "stroke-linecap": "round" }),
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
const few = (row) => row.slice(0, 4).map((value) => fixed(value)).join(", ");

function render({ model, el }) {
  const gallery = model.get("gallery");
  const names = gallery.map(({ name }) => name);
  const byName = (part) => Object.fromEntries(gallery.map((one) => [one.name, part(one)]));
  const [about, meanings, waveOf] = [byName((one) => one.about), byName((one) => one.meaning), byName(read)];
  const [map, lengths, curve] = [heatMap(), waves(waveOf), side()];
  const state = () => Object.fromEntries(
    ["seed", "case", "answers", "chosen", "column", "late", "difference"].map((name) => [name, model.get(name)]));
  const truth = () => dealt(names, model.get("seed"))[model.get("case")];
  const checked = () => model.get("answers").length > model.get("case");
  let painted = ""; // the cells are many, and most changes leave them as they are

  const update = () => {
    const { seed, case: number, answers, chosen, column, late, difference } = state();
    const order = dealt(names, seed);
    const first = late ? LATE : 0;
    const [table, right] = [rowsOf(waveOf[order[number]], late), rowsOf(waveOf["no bug"], late)];
    const apart = table.map((row, r) => row.map((value, c) => value - right[r][c]));
    const now = [seed, number, late, difference].join();
    if (now !== painted) map.update(difference ? apart : table, first, difference);
    painted = now;
    map.choose(column);
    curve.update(table, right, first, column);
    const wavelengths = wavelengthsOf(waveOf[order[number]]);
    // After the check the first answer is compared with the truth, or the name that is chosen since.
    const answer = answers[number];
    const other = !checked() ? "" : [chosen, answer].find((name) => name && name !== order[number]) ?? "";
    lengths.update(wavelengths, column, other);
    sync();

    const wrong = all(COLUMNS, (c) => farthest(apart.map((row) => row[c])) > 1e-6);
    const off = farthest(apart.map((row) => row[column]));
    const seen =
      `Table ${number + 1} of ${order.length}, rows ${first} to ${first + ROWS - 1}. Row ${first} begins ` +
      `${few(table[0])}, row ${first + 1} begins ${few(table[1])}. ${wrong.filter(Boolean).length} of ${COLUMNS} ` +
      `columns differ from those of the right table; column ${column} ` +
      (wrong[column] ? `by up to ${off < 0.005 ? "less than 0.01" : fixed(off)}.` : "does not.") +
      ` ${range(wavelengths)}`;
    const meant = chosen ? `“${chosen}” means: ${meanings[chosen]} ` : "";
    const score = answers.filter((answer, k) => answer === order[k]).length;
    const count = `${score} of ${answers.length} right.`;
    if (!checked()) return `${meant}${seen}${answers.length ? ` So far ${count}` : ""}`;
    const verdict = answer === order[number] ? "Right" : `You said “${answer}”, but no`;
    const compared = other ? ` And “${other}”, dotted below the table, would be: ${about[other].replace("Look at:", "You would see:")}` : "";
    const missed = order.filter((name, k) => answers.length === order.length && answers[k] !== name);
    const list = missed.length ? ` Missed: ${missed.map((name) => `“${name}”`).join(", ")}.` : "";
    return `${verdict}: it is “${order[number]}”. ${about[order[number]]}${compared} ${count}${list}`;
  };

  const figure = movingFigure({
    model, el, update,
    title: "Which mistake made this table?",
    names: ["seed", "case", "answers", "chosen", "column", "late", "difference"],
  });
  figure.root.prepend(h("style", {}, LOOK));
  const slider = figure.slider("column", "column", { min: 0, max: COLUMNS - 1 });
  figure.check("difference", "difference from the right table");
  figure.check("late", `rows ${LATE} to ${LATE + ROWS - 1}`);

  // Radio buttons of a form of their own: those of another figure on the page are another group.
  const radios = names.map((name) => h("input", {
    type: "radio", name: "guess", value: name,
    onChange: () => {
      figure.set("chosen", name);
      sync(); // at once: Enter presses the button only when that is enabled
    },
  }));
  const marks = names.map(() => h("span", { "aria-hidden": "true" }));
  const labels = names.map((name, k) => h("label", { class: "guess" }, radios[k], h("span", {}, name, marks[k])));
  const button = h("button", { type: "submit" });
  const next = () => {
    if (model.get("case") + 1 < names.length) figure.set("case", model.get("case") + 1);
    else {
      figure.set("case", 0);
      figure.set("answers", []);
      figure.set("seed", (model.get("seed") + 1) % 10000);
    }
    const { answers, case: number } = state();
    figure.set("chosen", answers[number] ?? "");
    sync(); // the button is not for use now, and would lose the focus
    radios[0].focus({ preventScroll: true });
    map.node.scrollIntoView({ block: "nearest" });
  };
  const form = h("form", {
    onSubmit: (event) => {
      event.preventDefault();
      if (checked()) next();
      else if (model.get("chosen")) figure.set("answers", [...model.get("answers"), model.get("chosen")]);
    },
  }, h("fieldset", {}, h("legend", {}, "It is made with"), ...labels), button);
  const sync = () => {
    const { case: number, answers, chosen } = state();
    const done = checked();
    names.forEach((name, k) => {
      radios[k].checked = name === chosen;
      const [right, said] = [done && name === truth(), done && name === answers[number]];
      marks[k].textContent = right ? "\u00a0✓" : said ? "\u00a0✗" : "";
      labels[k].classList.toggle("right", right);
    });
    button.textContent = !done ? "check" : number + 1 < names.length ? "next table" : "begin again";
    button.disabled = !done && !chosen;
  };

  const choose = (event) => figure.set("column", map.columnAt(event));
  map.node.addEventListener("click", choose);
  draggable(map.node, choose);
  // What the slider changes stands right above it, on a phone, too.
  const column = h("div", { class: "guess-column" }, curve.node, slider.closest("label"));
  return figure.start(h("div", { class: "guess-map" }, map.node, lengths.node), column, form);
}

export default { render };
