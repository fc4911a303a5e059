// Chapter 9: accuracy against position, for schemes that were trained on short sequences.
import { draggable, explorer, fixed, h, label, move, polyline, specks, svg } from "./base.js";

// The curves stretch with the figure, so they are drawn in shares: 1280 across, 1000 high.
const BOX = { top: 26, height: 250, across: 1280, up: 1000 };
const NAMES = { width: 128, gap: 17 };
const FEW = 4; // of so many schemes the bands can be told apart
// A second sign beside the color: the dashes of a line.
const DASHES = [
  "2 7", "4 4", "14 3 2 3 2 3", "18 3 6 3", "6 2", null, "9 5", "2 2", "2 3 2 9", "10 3 2 3",
  "16 7", "9 3 2 3 2 3 2 3", "5 10", "3 3 9 3 9 3",
];
const LOOK = `
.explorer .reach { display: flex; width: 100%; padding: 0 2px 0 44px; container-type: inline-size; }
.explorer .reach > svg { height: ${BOX.top + BOX.height + 46}px; }
.explorer .reach > svg:first-child { flex: 1 1 0; min-width: 0; cursor: crosshair; user-select: none; }
.explorer .reach > svg:last-child { flex: 0 0 ${NAMES.width}px; min-width: 0; }
@container (max-width: 440px) { .explorer .reach > svg:last-child { display: none; } }
.explorer .reach path { vector-effect: non-scaling-stroke; }
.explorer .reach text { pointer-events: none; } /* a click on a number of the axis is no position */
.explorer fieldset { display: flex; flex-wrap: wrap; gap: 4px 16px; width: 100%; margin: 4px 0 0;
  padding: 0; border: 0; }
.explorer legend { padding: 0; font-size: 15px; }
.explorer fieldset label.ex-check { grid-template-columns: auto auto auto; }
@media screen { /* on dark ground the colors are paler */
  :is(html[data-theme="dark"], [data-jp-theme-light="false"]) .explorer { --ex-pale: 45%; } }
`;

const tinted = (color) => `color-mix(in oklab, ${color}, white var(--ex-pale, 0%))`;
const dashed = (index) => ({ "stroke-width": 2.2, "stroke-dasharray": DASHES[index % DASHES.length] ?? "none" });
const shownIf = (visible) => ({ visibility: visible ? "visible" : "hidden" });

// A curve is stored as texts, with its values in hundredths, and "-" where no answer counts.
const unpacked = (curve) =>
  Object.fromEntries(Object.entries(curve).map(([name, text]) =>
    [name, text.split(" ").map((value) => (value === "-" ? null : Number(value) / 100))]));

// The runs of bins where an answer counts, each a list of numbers of bins.
const stretches = (values) => {
  const found = [];
  values.forEach((value, k) => {
    if (value === null) return;
    if (k && values[k - 1] !== null) found.at(-1).push(k);
    else found.push([k]);
  });
  return found;
};

// Heights of labels: each as near to its wish as the others let it, none on another.
const spread = (wishes, gap, lowest) => {
  const order = wishes.map((_, k) => k).sort((a, b) => wishes[a] - wishes[b]);
  const heights = [...wishes];
  let free = -Infinity;
  for (const k of order) free = (heights[k] = Math.max(heights[k], free)) + gap;
  let limit = lowest;
  for (const k of order.reverse()) limit = (heights[k] = Math.min(heights[k], limit)) - gap;
  return heights;
};

function plot({ schemes, colors, curves, size, trained, guessing = [] }) {
  const { top, height, across, up } = BOX;
  const length = size * curves[0][0].median.length;
  const percent = (position) => `${((100 * position) / length).toFixed(3)}%`;
  const x = (bin) => ((bin + 0.5) * size * across) / length;
  const y = (value) => up * (1 - value);
  const node = svg("svg", {
    role: "img", "aria-label": "Accuracy against position. A click chooses a position.",
  });
  const inner = svg("svg", {
    x: 0, y: top, width: "100%", height, style: `height: ${height}px`,
    viewBox: `0 0 ${across} ${up}`, preserveAspectRatio: "none", "aria-hidden": "true",
  });
  const place = svg("path", { stroke: "var(--ex-ink)", "stroke-width": 1, fill: "none" });
  const lines = schemes.map((_, k) => {
    const color = tinted(colors[k]);
    return {
      band: svg("path", { fill: color, "fill-opacity": 0.13 }),
      curve: svg("path", { fill: "none", stroke: color, "stroke-linejoin": "round", ...dashed(k) }),
      dot: svg("path", { stroke: color, "stroke-width": 9, "stroke-linecap": "round" }),
    };
  });
  const border = label(percent(trained), 14, `trained up to ${trained - 1}`, "middle");
  const level = (value) => top + height * (1 - value);
  const marks = [0, 0.5, 1].map((v) => [level(v), label(-6, level(v) + 4, String(v), "end")]);
  const guess = svg("line", { x1: 0, x2: "100%", stroke: "var(--ex-ink)", "stroke-dasharray": "1 4" });
  const guessed = label(-6, 0, "guess", "end");
  node.append(
    ...marks.flatMap(([y, text]) => [svg("line", { x1: 0, x2: "100%", y1: y, y2: y, stroke: "var(--ex-line)" }), text]),
    guess, guessed,
    ...[0, 0.25, 0.5, 0.75].map((share) =>
      label(percent(share * length), top + height + 20, String(Math.round(share * length)), share ? "middle" : "start")),
    label("100%", top + height + 20, String(length - 1), "end"),
    label("50%", top + height + 40, "accuracy (up) against position (across)", "middle"), border, inner,
  );
  inner.append(
    svg("path", {
      d: `M${(across * trained) / length} 0V${up}`, stroke: "var(--ex-soft)", "stroke-dasharray": "5 4", fill: "none",
    }),
    place, ...lines.map(({ band }) => band), ...lines.map(({ curve }) => curve), ...lines.map(({ dot }) => dot),
  );

  const names = svg("svg", { "aria-hidden": "true" });
  const tags = schemes.map((name, k) => ({
    text: label(20, 0, name),
    lead: svg("path", { fill: "none", stroke: tinted(colors[k]), "stroke-width": 1 }),
  }));
  names.append(...tags.flatMap(({ text, lead }) => [lead, text]));

  const update = (task, shown, lit, bin) => {
    move(place, { d: `M${x(bin)} 0V${up}` });
    // The name of the line takes the place of a number that is too near.
    const chance = guessing[task] ?? null;
    for (const part of [guess, guessed]) move(part, shownIf(chance !== null));
    move(guess, { y1: level(chance), y2: level(chance) });
    move(guessed, { y: level(chance) + 4 });
    for (const [y, text] of marks)
      move(text, shownIf(chance === null || Math.abs(y - level(chance)) > 14));
    const ends = [];
    schemes.forEach((name, k) => {
      const { median, low, high } = curves[task][k];
      const visible = shownIf(shown.includes(name));
      const runs = stretches(median);
      const at = (values) => (b) => [x(b), y(values[b])];
      const around = runs.map((run) => [...run.map(at(high)), ...run.map(at(low)).reverse()]);
      move(lines[k].curve, {
        d: runs.map((run) => polyline(run.map(at(median)))).join(""),
        "stroke-width": name === lit ? 4 : 2.2, ...visible,
      });
      move(lines[k].band, {
        d: around.map((points) => `${polyline(points)}Z`).join(""),
        ...shownIf(shown.includes(name) && (shown.length <= FEW || name === lit)),
      });
      move(lines[k].dot, { d: median[bin] === null ? "" : specks([at(median)(bin)]), ...visible });
      const last = runs.length ? median[runs.at(-1).at(-1)] : null;
      const labelled = last !== null && shown.includes(name);
      for (const part of [tags[k].text, tags[k].lead])
        move(part, shownIf(labelled));
      if (labelled) ends.push({ k, wish: level(last) });
    });
    const heights = spread(ends.map(({ wish }) => wish), NAMES.gap, top + height + 4);
    ends.forEach(({ k, wish }, n) => {
      move(tags[k].text, { y: heights[n] + 4 });
      move(tags[k].lead, { d: `M2 ${wish}L16 ${heights[n]}` });
    });
  };
  const positionAt = ({ clientX }) => {
    const { x: left, width } = node.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * length);
    return Math.min(Math.max(place, 0), length - 1);
  };
  return { nodes: [node, names], front: node, update, positionAt, length };
}

function render({ model, el }) {
  const data = model.get("data");
  const { tasks, schemes, colors, size, trained, seeds, guessing = [] } = data;
  if (!tasks?.length) {
    el.textContent = "No results were given to this figure.";
    return undefined;
  }
  const curves = data.curves.map((ofTask) => ofTask.map(unpacked));
  const drawn = plot({ ...data, curves });
  const first = (position) => position - (position % size); // of the bin
  const shown = () => schemes.filter((name) => model.get("shown").includes(name));
  const legend = h("legend");
  // The scheme that is pointed at, or else the one whose box has the focus.
  const pointed = {};
  const lit = () => pointed.pointer ?? pointed.focus;
  const light = (by, name) => () => {
    pointed[by] = name;
    figure.redraw();
  };

  const update = () => {
    const [task, position] = [model.get("task"), model.get("position")];
    const from = first(position);
    const bin = from / size;
    drawn.update(task, shown(), lit(), bin);
    legend.textContent = shown().length > FEW
      ? "schemes; point at one to see its range"
      : "schemes; a band is the range of the seeds";
    const places = size > 1 ? `positions ${from} to ${from + size - 1}` : `position ${from}`;
    const where = from < trained ? "where it was trained" : `beyond the ${trained} of training`;
    const start = `“${tasks[task]}”, ${places}, ${where}. `;
    const counted = shown()
      .map((name) => [name, curves[task][schemes.indexOf(name)]])
      .map(([name, { median, low, high }]) => [name, median[bin], low[bin], high[bin]])
      .filter(([, median]) => median !== null)
      .sort((a, b) => b[1] - a[1]);
    if (!shown().length) return `${start}No scheme is switched on.`;
    if (!counted.length) return `${start}No answer counts here.`;
    const numbers = counted.map(([name, median, low, high]) =>
      `${name} ${fixed(median)} (${fixed(low)} to ${fixed(high)})`);
    const chance = guessing.length ? ` Guessing reaches ${Number(guessing[task].toFixed(3))}.` : "";
    return `${start}Accuracy, median and range of ${seeds} seeds: ${numbers.join("; ")}.${chance}`;
  };

  const figure = explorer({
    model, el, update,
    title: "How far does it reach?",
    names: ["task", "position", "shown"],
  });
  figure.root.prepend(h("style", {}, LOOK));
  figure.select(["task"], "task", tasks.map((name, k) => [name, k]), { basis: "130px" });
  figure.slider("position", "position", {
    min: 0, max: drawn.length - size, step: size, basis: "300px", from: first,
    show: (v) => (size > 1 ? `${first(v)} to ${first(v) + size - 1}` : String(v)),
  });

  const boxes = schemes.map((name) => h("input", {
    type: "checkbox",
    onChange: ({ target }) => figure.set("shown", schemes.filter((other) =>
      other === name ? target.checked : model.get("shown").includes(other))),
  }));
  const synced = () => boxes.forEach((box, k) => (box.checked = model.get("shown").includes(schemes[k])));
  model.on("change:shown", synced);
  synced();
  figure.root.querySelector(".ex-controls").append(
    h("fieldset", {}, legend, ...schemes.map((name, k) => {
      const sample = svg("svg", { style: "width: 42px; height: 12px", "aria-hidden": "true" },
        svg("path", { d: "M0 6H42", stroke: tinted(colors[k]), ...dashed(k) }));
      const listeners = {
        onPointerEnter: light("pointer", name), onPointerLeave: light("pointer"),
        onFocusIn: light("focus", name), onFocusOut: light("focus"),
      };
      return h("label", { class: "ex-check", ...listeners }, boxes[k], sample, h("span", {}, name));
    })),
  );

  const choose = (event) => figure.set("position", drawn.positionAt(event));
  drawn.front.addEventListener("click", choose);
  draggable(drawn.front, choose);
  const stop = figure.start(h("div", { class: "reach" }, ...drawn.nodes));
  return () => {
    model.off("change:shown", synced);
    stop();
  };
}

export default { render };
