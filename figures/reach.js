// Accuracy against position, for schemes that were trained on short sequences.
import { draggable, movingFigure } from "./base.js";
import {
  clamp,
  element,
  fixed,
  line,
  outline,
  path,
  polyline,
  sample,
  shape,
  specks,
  surface,
  text,
  times,
} from "./drawing.js";

// The curves stretch with the figure, so they are drawn in shares: 1280 across, 1000 high.
const BOX = { top: 26, height: 250, across: 1280, up: 1000 };
const NAMES = { width: 128, gap: 17 };
const FEW = 4; // of so many schemes the bands can be told apart
// What the tasks of the book ask for, and what its schemes are. Those of others go without words.
const ASKS = {
  recent: "Answer with the latest marked token; one in five is marked. It takes a sense of what is nearer.",
  "2 back": "Answer with the token two positions back. It takes an exact distance.",
  first: "Answer with the token at position 0. It takes knowing one place.",
};
const SHORTLY = {
  recent: "the latest marked token",
  "2 back": "the token two places back",
  first: "the token at position 0",
};
const POINTED = 14; // pixels: a curve that is nearer is pointed at
const SCHEMES = {
  nothing: "no positions, but a causal mask: a token sees itself and what came before",
  count: "the number of the position is added, in one column",
  "normalized count": "the position as a share of the length is added, in one column",
  binary: "the binary digits of the position are added",
  "sine and cosine": "the sinusoidal table is added: pairs of columns that turn like clock hands",
  ALiBi: "the score falls with the distance, at a fixed rate",
  rotary: "query and key are turned by their positions",
  "relative bias": "a trained number for each distance is added to the score; far ones share one",
};
const learned = (trained, task) =>
  `a table with a row for each position is added. Training never reached the rows from ${trained} on: ` +
  `they keep their small random start${task === "first" ? ", and row 0 still stands out among them" : ""}`;

// A second sign beside the color: the dashes of a line.
const DASHES = [
  "2 7",
  "4 4",
  "14 3 2 3 2 3",
  "18 3 6 3",
  "6 2",
  null,
  "9 5",
  "2 2",
  "2 3 2 9",
  "10 3 2 3",
  "16 7",
  "9 3 2 3 2 3 2 3",
  "5 10",
  "3 3 9 3 9 3",
];
const LOOK = `
.moving-figure .reach { display: flex; width: 100%; padding: 0 2px 0 54px; container-type: inline-size; }
.moving-figure .reach > svg { height: ${BOX.top + BOX.height + 46}px; }
.moving-figure .reach > svg:first-child { flex: 1 1 0; min-width: 0; cursor: crosshair; user-select: none; }
.moving-figure .reach > svg:last-child { flex: 0 0 ${NAMES.width}px; min-width: 0; }
.moving-figure .reach > svg:last-child text { pointer-events: auto; cursor: pointer; }
@container (max-width: 440px) { /* on a phone the names keep their place, and the curves have less */
  .moving-figure .reach > svg:last-child { flex-basis: 106px; }
  .moving-figure .reach > svg:last-child text { font-size: 12px; }
}
.moving-figure .reach path { vector-effect: non-scaling-stroke; }
.moving-figure .reach [data-mark] { transition: none; }
.moving-figure .reach-tasks { display: grid; grid-template-columns: repeat(auto-fit, minmax(90px, 1fr)); gap: 8px;
  flex: 1 1 100%; }
.moving-figure .reach-tasks button { display: grid; gap: 2px; padding: 4px 6px; text-align: left;
  align-content: start; background: none;
  border-width: 2px; border-color: var(--ex-line); }
.moving-figure .reach-tasks button[aria-pressed="true"] { border-color: var(--ex-main); background: var(--ex-paper); }
@media print { .moving-figure .reach-tasks button.ex-picture { display: grid; } }
  /* paper has no buttons, but pictures */
/* Paper, which cannot be pressed, shows what is covered on the screen. */
@media screen { .moving-figure .reach-paper { display: none; } }
@media print { .moving-figure:not(.reach-covered) .reach-paper,
  .reach-covered :is(.reach, .reach-tasks):not(.reach-paper),
  .moving-figure.reach-covered .reach-level, .moving-figure.reach-covered > :is(.ex-reading, .ex-more, .ex-said) {
    display: none !important; } }
.moving-figure .reach-tasks svg { width: 100%; height: 56px; overflow: hidden; }
.moving-figure .reach-tasks path { vector-effect: non-scaling-stroke; }
.moving-figure .reach-tasks small { font-size: 13px; line-height: 1.25; }
.moving-figure .reach.guessing > svg:first-child { touch-action: none !important; }
.moving-figure .reach text { pointer-events: none; } /* a click on a number of the axis is no position */
.moving-figure fieldset { display: flex; flex-wrap: wrap; gap: 4px 16px; width: 100%; margin: 4px 0 0;
  padding: 0; border: 0; }
.moving-figure legend, .moving-figure .reach-note { padding: 0; font-size: 15px; }
.moving-figure .reach-room { flex: 1 1 100%; min-height: 0; margin: 0; font-size: 15px; }
.moving-figure .reach-room .ex-room { font-weight: 400; }
.moving-figure .reach-note { margin: 0; color: var(--ex-soft); }
.moving-figure fieldset label.ex-check { grid-template-columns: auto auto auto; }
@media screen { /* on dark ground the colors are paler */
  :is(html[data-theme="dark"], [data-jp-theme-light="false"]) .moving-figure { --ex-pale: 45%; } }
`;

const tinted = (color) => `color-mix(in oklab, ${color}, white var(--ex-pale, 0%))`;
const dashed = (index) => ({ strokeWidth: 2.2, strokeDasharray: DASHES[index % DASHES.length] ?? "none" });
const shownIf = (visible) => ({ visibility: visible ? "visible" : "hidden" });

// A curve is stored as texts, with its values in hundredths, and "-" where no answer counts.
const unpacked = (curve) =>
  Object.fromEntries(
    Object.entries(curve).map(([name, text]) => [
      name,
      text.split(" ").map((value) => (value === "-" ? null : Number(value) / 100)),
    ]),
  );

// What is shown of a curve while the reader guesses: nothing from a bin on.
const upTo = (limit, curve) =>
  Object.fromEntries(
    Object.entries(curve).map(([name, values]) => [name, values.map((value, k) => (k < limit ? value : null))]),
  );

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

// The curves of one task, small: `lit` is the scheme that is pointed at, and from the bin `limit` on nothing
// is shown.
export const smallShapes = ({ schemes, colors, size, length, trained, guessing }, curves, task, shown, lit, limit) => {
  const { across, up } = BOX;
  const chance = guessing[task] ?? null;
  const training = `M${(across * trained) / length} 0V${up}`;
  const curve = (name, k) => {
    const { median } = upTo(limit, curves[task][k]);
    const point = (bin) => [((bin + 0.5) * size * across) / length, up * (1 - median[bin])];
    const d = stretches(median)
      .map((run) => polyline(run.map(point)))
      .join("");
    const strokeOpacity = shown.includes(lit) && name !== lit ? 0.2 : 1;
    const look = { stroke: tinted(colors[k]), strokeWidth: 1.5, mark: `scheme${k}`, strokeOpacity };
    return outline(shown.includes(name) ? d : "", look);
  };
  return [
    path(training, { stroke: "soft", strokeDasharray: "5 4" }),
    chance === null ? [] : path(`M0 ${up * (1 - chance)}H${across}`, { stroke: "ink", strokeDasharray: "1 4" }),
    schemes.map(curve),
  ];
};

// A button that shows the curves of a task, and chooses it.
function smallTask(data, curves, task, onChoose) {
  const name = data.tasks[task];
  const viewBox = `0 -30 ${BOX.across} ${BOX.up + 60}`;
  const picture = surface({ viewBox, preserveAspectRatio: "none", "aria-hidden": "true" });
  const about = SHORTLY[name] ? [element("small", {}, SHORTLY[name])] : [];
  const attributes = { type: "button", class: "ex-picture", "aria-label": name, onClick: onChoose };
  const node = element("button", attributes, element("b", {}, name), picture, ...about);
  const update = (chosen, ...shown) => {
    node.setAttribute("aria-pressed", String(chosen));
    picture.draw(smallShapes(data, curves, task, ...shown));
  };
  return { node, update };
}

const level = (value) => BOX.top + BOX.height * (1 - value);

// The plot of a task, and the names of its schemes. `guess` has the values that the reader has drawn.
export const plotShapes = (data, curves, { task, shown, lit, bin, limit, guess }) => {
  const { schemes, colors, size, length, trained, guessing } = data;
  const { top, height, across, up } = BOX;
  const percent = (position) => `${((100 * position) / length).toFixed(3)}%`;
  const x = (bin) => ((bin + 0.5) * size * across) / length;
  const y = (value) => up * (1 - value);
  const chance = guessing[task] ?? null;
  const drawn = schemes.map((name, k) => {
    const { median, low, high } = upTo(limit, curves[task][k]);
    const runs = stretches(median);
    const at = (values) => (bin) => [x(bin), y(values[bin])];
    const around = runs.map((run) => [...run.map(at(high)), ...run.map(at(low)).reverse()]);
    const visible = shownIf(shown.includes(name));
    const look = { stroke: tinted(colors[k]), mark: `scheme${k}`, ...visible };
    const bands = name === lit || (shown.length <= FEW && !shown.includes(lit)); // more cannot be told apart
    return {
      band: path(around.map((points) => `${polyline(points)}Z`).join(""), {
        fill: tinted(colors[k]),
        fillOpacity: 0.13,
        ...shownIf(shown.includes(name) && bands),
      }),
      curve: outline(runs.map((run) => polyline(run.map(at(median)))).join(""), {
        ...look,
        ...dashed(k),
        strokeLinejoin: "round",
        strokeWidth: name === lit ? 4 : 2.2,
        strokeOpacity: shown.includes(lit) && name !== lit ? 0.25 : 1,
      }),
      dot: path(median[bin] === null ? "" : specks([at(median)(bin)]), {
        ...look,
        strokeWidth: 9,
        strokeLinecap: "round",
      }),
      last: runs.length && shown.includes(name) ? median[runs.at(-1).at(-1)] : null,
    };
  });
  const sketch = (guess ?? []).map((value, bin) => [x(bin), y(value)]).filter(([, v]) => !Number.isNaN(v));
  const axis = (share) => {
    const position = Math.round(share * length);
    return text(percent(position + (share && 0.5)), top + height + 20, position, share ? "middle" : "start");
  };
  const box = { x: 0, y: top, width: "100%", height, viewBox: `0 0 ${across} ${up}`, preserveAspectRatio: "none" };
  const inner = [
    outline(`M${(across * trained) / length} 0V${up}`, { stroke: "soft", strokeDasharray: "5 4" }),
    outline(`M${x(bin)} 0V${up}`, { stroke: "ink", strokeWidth: 1 }),
    ...drawn.map(({ band }) => band),
    ...drawn.map(({ curve }) => curve),
    ...drawn.map(({ dot }) => dot),
    outline(guess ? polyline(sketch) : "", { stroke: "ink", strokeWidth: 3, strokeDasharray: "7 4", mark: "guess" }),
  ];
  const curveShapes = [
    // The name of the line of a guess takes the place of a number that is too near.
    [0, 0.5, 1].map((value) => [
      line(0, level(value), "100%", level(value), { stroke: "line" }),
      text(-6, level(value) + 4, value, "end", shownIf(chance === null || Math.abs(level(value) - level(chance)) > 14)),
    ]),
    line(0, level(chance), "100%", level(chance), {
      stroke: "ink",
      strokeDasharray: "1 4",
      ...shownIf(chance !== null),
    }),
    text(-6, level(chance) + 4, "chance", "end", shownIf(chance !== null)),
    [0, 0.25, 0.5, 0.75].map(axis),
    text("100%", top + height + 20, length - 1, "end"),
    text("50%", top + height + 40, "accuracy against position", "middle"),
    // On both sides of the line between the last position of training and the first beyond.
    text(percent(trained), 14, `trained to ${trained - 1}`, "end", { dx: -5 }),
    trained < length ? text(percent(trained), 14, `new from ${trained}`, "start", { dx: 5 }) : [],
    shape("svg", { ...box, "aria-hidden": "true" }, { style: `height: ${height}px` }, inner),
  ];
  const ends = drawn.flatMap(({ last }, k) => (last === null ? [] : [k]));
  const wishes = ends.map((k) => level(drawn[k].last));
  const heights = spread(wishes, NAMES.gap, top + height + 4);
  const names = schemes.map((name, k) => {
    const n = ends.indexOf(k);
    const look = { stroke: tinted(colors[k]), strokeWidth: 1, ...shownIf(n >= 0) };
    const style = `font-weight: ${name === lit ? 650 : 400}`;
    return [
      outline(n < 0 ? "" : `M2 ${wishes[n]}L16 ${heights[n]}`, look),
      text(20, n < 0 ? 0 : heights[n] + 4, name, "start", { ref: name, style, ...shownIf(n >= 0) }),
    ];
  });
  return { curveShapes, names };
};

function plot(data, curves, onName) {
  const { schemes, size, length } = data;
  const front = surface({ role: "img", "aria-label": "Accuracy against position. A click chooses a position." });
  const names = surface({ "aria-hidden": "true" });
  let listens = false;
  const update = (state) => {
    const shapes = plotShapes(data, curves, state);
    front.draw(shapes.curveShapes);
    names.draw(shapes.names);
    if (!listens) for (const name of schemes) names.refs[name].addEventListener("click", () => onName(name));
    listens = true;
  };
  const positionAt = ({ clientX }) => {
    const { x, width } = front.getBoundingClientRect();
    return clamp(Math.floor(((clientX - x) / width) * length), 0, length - 1);
  };
  const valueAt = ({ clientY }) => clamp(1 - (clientY - front.getBoundingClientRect().y - BOX.top) / BOX.height, 0, 1);
  // The curve that a pointer is on, or near to.
  const schemeAt = (event, task, shown, limit) => {
    const bin = Math.floor(positionAt(event) / size);
    const off = (name) => {
      const value = bin < limit ? curves[task][schemes.indexOf(name)].median[bin] : null;
      return value === null ? Infinity : Math.abs(value - valueAt(event)) * BOX.height;
    };
    const [nearest] = [...shown].sort((a, b) => off(a) - off(b));
    return nearest !== undefined && off(nearest) < POINTED ? nearest : undefined;
  };
  return { nodes: [front, names], front, update, positionAt, valueAt, schemeAt };
}

// What is said of a position, of the guess, and in numbers.
const sentence = (data, counted, from, task, any) => {
  const { tasks, schemes, size, trained, guessing } = data;
  const places = size > 1 ? `positions ${from} to ${from + size - 1}` : `position ${from}`;
  const where = from < trained ? "where it was trained" : `beyond the ${trained} of training`;
  const start = `“${tasks[task]}”, ${places}, ${where}: `;
  if (!any) return `${start}no scheme is switched on.`;
  if (!counted.length) return `${start}no answer counts here.`;
  const named = counted.map(({ name, median }) => `{scheme${schemes.indexOf(name)}|${name} ${fixed(median)}}`);
  const few = named.length > FEW ? `${named.slice(0, FEW - 1).join(", ")}, … ${named.at(-1)}` : named.join(", ");
  return start + few + (guessing.length ? `; guessing reaches ${Number(guessing[task].toFixed(3))}.` : ".");
};
const numbers = ({ trained, shortest, seeds, size }, counted, from) => {
  const ranges = counted.map(
    ({ name, median, low, high }) => `${name} ${fixed(median)} (${fixed(low)} to ${fixed(high)})`,
  );
  // How many of the lengths of training reach a place; evenly many texts had each.
  const reaching = (place) => Math.max(trained - Math.max(place, shortest - 1), 0);
  const lengths = trained - shortest + 1;
  const [fewest, most] = [reaching(from + size - 1), reaching(from)];
  const among = fewest === most ? most : `${fewest} to ${most}`;
  const reached = ` ${among} of the ${lengths} lengths of training reach so far.`;
  const tells = shortest && most < lengths && from < trained;
  return `Median and range of ${seeds} seeds: ${ranges.join("; ")}.${tells ? reached : ""}`;
};
// How far the guess is from the curve, on average over the bins that count.
const missed = (guess, median) => {
  const off = guess.values.map((value, bin) => (median[bin] === null ? NaN : Math.abs(value - median[bin])));
  const counted = off.filter((error) => !Number.isNaN(error));
  return counted.reduce((sum, value) => sum + value, 0) / counted.length;
};

// A note that keeps the room of the longest, so that the page does not move.
const roomy = (note, longest) => {
  const rooms = longest.map((room) => element("p", { class: "ex-room", "aria-hidden": "true" }, room));
  return element("div", { class: "ex-reading reach-room" }, ...rooms, note);
};
const hint = (told) =>
  `Point at ${told ? "another" : "a"} curve or scheme, or tap its name beside the curves, to read what it is.`;

function render({ model, el }) {
  const data = { guessing: [], covered: false, ...model.get("data") };
  const { tasks, schemes, colors, size, length, trained, seeds, texts, covered } = data;
  if (!tasks?.length) {
    el.textContent = "No results were given to this figure.";
    return undefined;
  }
  const curves = data.curves.map((ofTask) => ofTask.map(unpacked));
  const first = (position) => position - (position % size); // of the bin
  const shown = () => schemes.filter((name) => model.get("shown").includes(name));
  const legend = element("legend");
  const [asked, note] = times(2, () => element("p", { class: "reach-note" }));
  // The scheme that is pointed at, or whose name was clicked, or whose box has the focus.
  const pointed = {};
  const lit = () => pointed.pointer ?? pointed.name ?? pointed.focus;
  const light = (by, name) => () => {
    pointed[by] = name;
    if (by === "focus") pointed.name = undefined;
    figure.redraw();
  };
  const drawn = plot(data, curves, (name) => light("name", name === pointed.name ? undefined : name)());
  // The guess of the reader: a value for each bin beyond the training, and whether it is still open.
  const count = length / size;
  const border = Math.ceil(trained / size);
  const isNew = (bin) => bin >= border;
  let guess = null;
  // Covered results are shown task by task, when the reader has guessed or skips it.
  const looked = new Set();
  const isCovered = (task) => covered && border < count && !looked.has(task);
  const limit = () => (guess?.open ? border : count);
  const begin = () => {
    level.value = 1;
    const scheme = shown().includes(lit()) ? lit() : shown()[0];
    guess = { open: true, scheme, values: times(count, (bin) => (isNew(bin) ? 1 : NaN)) };
  };
  const clear = () => {
    guess = null;
    if (shown().length && isCovered(model.get("task"))) begin();
    offer();
  };
  const small = tasks.map((_, task) => smallTask(data, curves, task, () => figure.set("task", task)));
  // Their copies for paper, without what would hide them.
  const nothing = () => {};
  const paper = covered && {
    drawn: plot(data, curves, nothing),
    small: tasks.map((_, task) => smallTask(data, curves, task, nothing)),
  };

  const words = (name) => (name === "learned" ? learned(trained, tasks[model.get("task")]) : SCHEMES[name]) ?? "";
  const same =
    texts &&
    `All schemes and seeds get the same ${texts} texts: small ups and downs that curves share come from these.`;
  const describe = (task) => {
    const many = shown().length > FEW ? "point at one to see its range over" : "a band is the range of";
    legend.textContent = `schemes; ${many} ${seeds} seeds, trainings from different random starts`;
    schemes.forEach((name, k) => boxes[k].setAttribute("aria-description", words(name)));
    // Of a curve with a surprise it is said at the start; of the others, when they are pointed at.
    const told = words(lit()) ? lit() : shown().includes("learned") ? "learned" : "";
    const parts = [told && `${told}: ${words(told)}.`, told && told === lit() ? "" : hint(told)];
    note.textContent = parts.filter(Boolean).join(" ");
    asked.textContent = [ASKS[tasks[task]], same].filter(Boolean).join(" ");
  };

  const update = ({ task, position }) => {
    const from = first(position);
    const bin = from / size;
    const state = { task, shown: shown(), lit: lit(), bin, limit: limit(), guess: guess?.values };
    drawn.update(state);
    small.forEach((each, k) => each.update(k === task, shown(), lit(), isCovered(k) ? border : limit()));
    if (paper) {
      figure.root.classList.toggle(
        "reach-covered",
        tasks.some((_, k) => isCovered(k)),
      );
      paper.drawn.update({ task, shown: shown(), bin, limit: count });
      paper.small.forEach((each, k) => each.update(k === task, shown(), undefined, count));
    }
    describe(task);
    const guessed = guess && `{scheme${schemes.indexOf(guess.scheme)}|${guess.scheme}}`;
    if (guess?.open)
      return {
        said: `Draw {guess|your guess} for ${guessed} beyond the ${trained} of training, then look.`,
        more: "What comes after the training is covered until you look.",
      };
    const counted = shown()
      .map((name) => {
        const { median, low, high } = curves[task][schemes.indexOf(name)];
        return { name, median: median[bin], low: low[bin], high: high[bin] };
      })
      .filter(({ median }) => median !== null)
      .sort((a, b) => b.median - a.median);
    const said = sentence(data, counted, from, task, shown().length);
    if (!shown().length || !counted.length) return said;
    const more = numbers(data, counted, from);
    if (!guess) return { said, more };
    const error = fixed(missed(guess, curves[task][schemes.indexOf(guess.scheme)].median));
    return { said: `Beyond training {guess|your guess} is ${error} away from ${guessed}, on average.`, more };
  };

  const longest =
    `“${tasks[0]}”, positions 000 to 000, beyond the 00 of training: sine and cosine 0.00, relative bias 0.00, ` +
    "normalized count 0.00, … nothing 0.00; guessing reaches 0.000.";
  const figure = movingFigure(model, el, update, {
    title: "How far does it reach?",
    names: ["task", "position", "shown"],
    marks: { guess: "ink", ...Object.fromEntries(schemes.map((_, k) => [`scheme${k}`, `scheme${k}`])) },
    longest: { said: [longest] },
  });
  const { root, controls } = figure;
  schemes.forEach((_, k) => root.style.setProperty(`--ex-scheme${k}`, tinted(colors[k])));
  root.prepend(element("style", {}, LOOK));
  const row = (attributes, buttons) => controls.append(element("div", attributes, ...buttons.map(({ node }) => node)));
  row({ class: "reach-tasks", role: "group", "aria-label": "task" }, small);
  if (paper) row({ class: "reach-tasks reach-paper", "aria-hidden": "true" }, paper.small);
  const show = (v) => (size > 1 ? `${first(v)} to ${first(v) + size - 1}` : String(v));
  figure.slider("position", "position", { min: 0, max: length - size, step: size, basis: "300px", from: first, show });

  // Guess first: the curves are covered beyond the training until the reader has drawn a guess.
  const setLevel = () => {
    if (!guess?.open) return; // it is not there then
    guess.values = guess.values.map((_, bin) => (isNew(bin) ? Number(level.value) : NaN));
    offer();
    figure.redraw();
  };
  const level = element("input", { type: "range", min: 0, max: 1, step: 0.05, value: 1, onInput: setLevel });
  const levelText = element("output", { "aria-hidden": "true" });
  const levelName = element("span", {}, "your guess, level");
  const levelLabel = element("label", { class: "reach-level" }, levelName, level, levelText);
  const button = figure.button("", () => {
    if (guess?.open) {
      guess.open = false;
      looked.add(model.get("task"));
    } else if (guess) guess = null;
    else begin();
    offer();
    figure.redraw();
  });
  const skip = figure.button("skip the guesses", () => {
    tasks.forEach((_, task) => looked.add(task));
    clear();
    figure.redraw();
  });
  const offer = () => {
    button.textContent = !guess ? "guess first" : guess.open ? "look" : "no guess";
    button.disabled = !shown().length || border >= count;
    skip.hidden = !(guess?.open && isCovered(model.get("task")));
    levelLabel.style.display = guess?.open ? "" : "none";
    levelText.textContent = Number(level.value).toFixed(2);
    level.setAttribute("aria-valuetext", levelText.textContent);
    curvesBox.classList.toggle("guessing", Boolean(guess?.open));
  };
  const curvesBox = element("div", { class: "reach" }, ...drawn.nodes);
  controls.append(
    levelLabel,
    roomy(
      asked,
      tasks.map((task) => [ASKS[task], same].filter(Boolean).join(" ")),
    ),
  );
  const boxes = schemes.map((name) => {
    const choose = ({ target }) => {
      const isShown = (other) => (other === name ? target.checked : model.get("shown").includes(other));
      figure.set("shown", schemes.filter(isShown));
    };
    return element("input", { type: "checkbox", onChange: choose });
  });
  figure.onChange(["shown"], () => {
    boxes.forEach((box, k) => (box.checked = model.get("shown").includes(schemes[k])));
    clear();
  });
  figure.onChange(["task"], clear);
  const entry = (name, k) => {
    const attributes = {
      class: "ex-check",
      onPointerEnter: light("pointer", name),
      onPointerLeave: light("pointer"),
      onFocusIn: light("focus", name),
      onFocusOut: light("focus"),
    };
    const line = sample(path("M0 6H42", { stroke: tinted(colors[k]), ...dashed(k) }), "width: 42px; height: 12px");
    return element("label", attributes, boxes[k], line, element("span", {}, name));
  };
  controls.append(element("fieldset", {}, legend, ...schemes.map(entry)));

  // A guess is drawn from bin to bin, however fast the pointer is; else the position is chosen.
  let last = null;
  const draw = (event) => {
    const [bin, value] = [Math.floor(drawn.positionAt(event) / size), drawn.valueAt(event)];
    const [begin, from] = last ?? [bin, value];
    for (let k = 0; k <= Math.abs(bin - begin); k++) {
      const share = k / Math.max(Math.abs(bin - begin), 1);
      const at = begin + Math.sign(bin - begin) * k;
      if (isNew(at)) guess.values[at] = from + (value - from) * share;
    }
    last = [bin, value];
    figure.redraw();
  };
  const choose = (event) => (guess?.open ? draw(event) : figure.set("position", drawn.positionAt(event)));
  drawn.front.addEventListener("click", choose);
  draggable(drawn.front, choose, (event) => {
    last = null;
    if (guess?.open) draw(event);
  });
  drawn.front.addEventListener("pointermove", (event) => {
    if (event.buttons || event.pointerType === "touch") return;
    const found = drawn.schemeAt(event, model.get("task"), shown(), limit());
    if (found !== pointed.pointer) light("pointer", found)();
  });
  drawn.front.addEventListener("pointerleave", light("pointer"));
  const copies = paper ? [element("div", { class: "reach reach-paper" }, ...paper.drawn.nodes)] : [];
  const longestNotes = tasks.map((task) => `learned: ${learned(trained, task)}. ${hint("learned")}`);
  return figure.start(curvesBox, ...copies, roomy(note, longestNotes));
}

export default { render };
