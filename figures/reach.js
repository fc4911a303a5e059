// Accuracy against position, for schemes that were trained on short sequences.
import { draggable, movingFigure } from "./base.js";
import { clamp, fixed, line, outline, path, polyline, rect, shape, surface, text } from "./drawing.js";
import { element } from "./element.js";

// The curves stretch with the figure, so they are drawn in shares: 1280 across, 1000 high.
const BOX = { top: 26, height: 210, across: 1280, up: 1000 };
const NAMES = { width: 148, gap: 19 };
const LOOK = `
.moving-figure .reach { display: flex; width: 100%; padding: 0 2px 0 54px; container-type: inline-size; }
.moving-figure .reach > svg { height: ${BOX.top + BOX.height + 46}px; user-select: none; }
.moving-figure .reach > svg:first-child { flex: 1 1 0; min-width: 0; }
.moving-figure .reach > svg:last-child { flex: 0 0 ${NAMES.width}px; min-width: 0; }
.moving-figure .reach > svg:last-child text { cursor: pointer; }
.moving-figure .reach text { font-size: 16px; }
@container (max-width: 440px) { /* on a phone the names keep their place, and the curves have less */
  .moving-figure .reach > svg:last-child { flex-basis: 114px; }
  .moving-figure .reach > svg text { font-size: 12px; }
}
.moving-figure .reach path { vector-effect: non-scaling-stroke; }
@media print { /* paper cannot be pressed */
  .moving-figure .reach-covered :is(.reach-cover, [data-mark="guess"]) { display: none; } }
@media screen { .moving-figure .reach-covered > svg:last-child { visibility: hidden; }
  /* on dark ground the colors are paler */
  :is(html[data-theme="dark"], [data-jp-theme-light="false"]) .moving-figure { --ex-pale: 45%; } }
`;

const tinted = (color) => `color-mix(in oklab, ${color}, white var(--ex-pale, 0%))`;
const shownIf = (visible) => ({ visibility: visible ? "inherit" : "hidden" });
const level = (value) => BOX.top + BOX.height * (1 - value);

// A curve is stored as texts, with its values in hundredths, and "-" where no answer counts.
const unpacked = (curve) => {
  const value = (text) => (text === "-" ? null : Number(text) / 100);
  return Object.fromEntries(Object.entries(curve).map(([name, texts]) => [name, texts.split(" ").map(value)]));
};

// The bins where an answer counts: only the first positions may lack one.
const binsOf = ({ median }) => median.flatMap((value, bin) => (value === null ? [] : [bin]));

// Heights of labels: each as near to its wish as the others let it, none on another.
const spread = (wishes, gap, lowest) => {
  const order = wishes.map((_, k) => k).sort((a, b) => wishes[a] - wishes[b]);
  const heights = [...wishes];
  let free = -Infinity;
  for (const k of order) {
    heights[k] = Math.max(heights[k], free);
    free = heights[k] + gap;
  }
  let limit = lowest;
  for (const k of order.reverse()) {
    heights[k] = Math.min(heights[k], limit);
    limit = heights[k] - gap;
  }
  return heights;
};

// The curves of a task, the chosen one strong and with its band. Beyond the training they may be covered: then
// there is a line from the end of the chosen curve to what the reader guesses for the last position.
export const plotShapes = (data, curves, { task, scheme, covered, guess }) => {
  const { schemes, colors, size, length, trained, guessing } = data;
  const { top, height, across, up } = BOX;
  const percent = (position) => `${((100 * position) / length).toFixed(3)}%`;
  const at = (values) => (bin) => [((bin + 0.5) * size * across) / length, up * (1 - values[bin])];
  const chance = guessing[task] ?? null;
  const chosen = schemes.indexOf(scheme);
  const border = (across * trained) / length;
  const curve = (k) => {
    const strong = k === chosen;
    const look = { strokeWidth: strong ? 4 : 1.6, strokeOpacity: strong ? 1 : 0.55, mark: `scheme${k}` };
    const points = binsOf(curves[task][k]).map(at(curves[task][k].median));
    return outline(polyline(points), { stroke: tinted(colors[k]), strokeLinejoin: "round", ...look });
  };
  const { median, low, high } = curves[task][chosen];
  const bins = binsOf(curves[task][chosen]);
  const band = polyline([...bins.map(at(high)), ...bins.map(at(low)).reverse()]);
  const guessed = polyline([at(median)(Math.ceil(trained / size) - 1), [across, up * (1 - guess)]]);
  const covering = { class: "reach-cover", ...shownIf(covered) };
  const box = { x: 0, y: top, width: "100%", height, viewBox: `0 0 ${across} ${up}`, preserveAspectRatio: "none" };
  const inside = [
    path(`${band}Z`, { fill: tinted(colors[chosen]), fillOpacity: 0.2 }),
    ...schemes.map((_, k) => curve(k)),
    curve(chosen), // once more, in front of the others
    rect(border, -40, across - border, up + 80, { fill: "paper", ...covering }),
    outline(`M${border} 0V${up}`, { stroke: "soft", strokeDasharray: "5 4" }),
    outline(guess === null ? "" : guessed, { stroke: "ink", strokeWidth: 3, strokeDasharray: "7 4", mark: "guess" }),
  ];
  // The name of the line of a guess takes the place of a number that is too near.
  const near = (value) => chance !== null && Math.abs(level(value) - level(chance)) < 17;
  const middle = (share) => Math.round(share * length);
  return [
    [0, 0.5, 1].map((value) => line(0, level(value), "100%", level(value), { stroke: "line" })),
    [0, 0.5, 1].map((value) => text(-6, level(value) + 5, value, "end", shownIf(!near(value)))),
    line(0, level(chance), "100%", level(chance), {
      stroke: "ink",
      strokeDasharray: "1 4",
      ...shownIf(chance !== null),
    }),
    text(-6, level(chance) + 5, "chance", "end", shownIf(chance !== null)),
    text(0, top + height + 20, 0),
    [0.25, 0.5, 0.75].map((share) => text(percent(middle(share) + 0.5), top + height + 20, middle(share), "middle")),
    text("100%", top + height + 20, length - 1, "end"),
    text("50%", top + height + 40, "accuracy against position", "middle"),
    // On both sides of the line between the last position of training and the first beyond.
    text(percent(trained), 16, `trained to ${trained - 1}`, "end", { dx: -5 }),
    trained < length ? text(percent(trained), 16, `new from ${trained}`, "start", { dx: 5 }) : [],
    shape("svg", { ...box, "aria-hidden": "true" }, { style: `height: ${height}px` }, inside),
  ];
};

// The names of the schemes, each at the end of its curve.
export const nameShapes = ({ schemes, colors }, curves, { task, scheme }) => {
  const wishes = curves[task].map(({ median }) => level(median.at(-1) ?? 0));
  const heights = spread(wishes, NAMES.gap, BOX.top + BOX.height + 20);
  return schemes.map((name, k) => [
    outline(`M2 ${wishes[k]}L16 ${heights[k]}`, { stroke: tinted(colors[k]), strokeWidth: 1.6, mark: `scheme${k}` }),
    text(20, heights[k] + 5, name, "start", { ref: name, style: `font-weight: ${name === scheme ? 650 : 400}` }),
  ]);
};

const sentence = (data, curves, { task, scheme, covered, guess }) => {
  const { tasks, schemes, size, length, trained, seeds, guessing } = data;
  const k = schemes.indexOf(scheme);
  const { median, low, high } = curves[task][k];
  const [border, last] = [Math.ceil(trained / size) - 1, length / size - 1];
  const at = (bin) => `${fixed(median[bin] ?? 0)} at positions ${bin * size} to ${(bin + 1) * size - 1}`;
  const start = `“${tasks[task]}”, {scheme${k}|${scheme}}: accuracy ${at(border)}`;
  if (covered) return `${start}, the last of the training. How far will it reach?`;
  const mine = guess === null ? "" : ` {guess|Your guess} was ${fixed(guess)}.`;
  const chance = guessing.length ? ` Chance is ${Number(guessing[task].toFixed(3))}.` : "";
  const seen = `${fixed(low[last])} to ${fixed(high[last])} over ${seeds} seeds`;
  return `${start}, where training ends, and ${at(last)} (${seen}).${mine}${chance}`;
};

function render({ model, el }) {
  const data = model.get("data");
  const { tasks, schemes, colors, length, trained } = data;
  if (!tasks) {
    el.textContent = "No results were given to this figure.";
    return undefined;
  }
  const curves = data.curves.map((ofTask) => ofTask.map(unpacked));
  const front = surface({ role: "img", "aria-label": "Accuracy against position, a curve for each scheme" });
  const names = surface({ "aria-hidden": "true" });
  const plot = element("div", { class: "reach" }, front, names);
  const looked = new Map(); // tasks that the reader has looked at, each with the guess before
  const isCovered = () => trained < length && !looked.has(model.get("task"));

  const update = ({ task, scheme, guess }) => {
    const before = looked.get(task);
    const covered = isCovered();
    const mine = covered ? guess : before?.scheme === scheme ? before.guess : null;
    const state = { task, scheme, covered, guess: mine };
    front.draw(plotShapes(data, curves, state));
    names.draw(nameShapes(data, curves, state));
    plot.classList.toggle("reach-covered", covered);
    slider.disabled = !covered;
    button.textContent = covered ? "look" : "cover again";
    return sentence(data, curves, state);
  };
  const longest = schemes.map((_, k) => ({ task: 0, scheme: schemes[k], covered: false, guess: 1 }));
  const figure = movingFigure(model, el, update, {
    title: "How far does it reach?",
    names: ["task", "scheme", "guess"],
    marks: { guess: "ink", ...Object.fromEntries(schemes.map((_, k) => [`scheme${k}`, `scheme${k}`])) },
    longest: { said: longest.map((state) => sentence(data, curves, state)) },
  });
  schemes.forEach((_, k) => figure.root.style.setProperty(`--ex-scheme${k}`, tinted(colors[k])));
  figure.root.prepend(element("style", {}, LOOK));
  const listed = (all, value) => all.map((name, k) => [name, value(name, k)]);
  figure.select(
    ["task"],
    "task",
    listed(tasks, (_, k) => k),
    { basis: "110px" },
  );
  figure.select(
    ["scheme"],
    "scheme",
    listed(schemes, (name) => name),
    { basis: "170px" },
  );
  const slider = figure.slider("guess", `your guess at ${length - 1}`, { step: 0.05, show: fixed, basis: "200px" });
  const button = figure.button("", () => {
    const { task, scheme, guess } = Object.fromEntries(
      ["task", "scheme", "guess"].map((name) => [name, model.get(name)]),
    );
    if (isCovered()) looked.set(task, { scheme, guess });
    else looked.delete(task);
    figure.redraw();
  });
  button.style.minWidth = "7.5em";
  const stop = figure.start(plot);
  for (const name of schemes) names.refs[name].addEventListener("click", () => figure.set("scheme", name));
  const choose = ({ clientY }) => {
    const height = clientY - front.getBoundingClientRect().y;
    if (isCovered()) figure.set("guess", clamp(Math.round(20 * (1 - (height - BOX.top) / BOX.height)) / 20, 0, 1));
  };
  front.addEventListener("click", choose);
  draggable(front, choose);
  return stop;
}

export default { render };
