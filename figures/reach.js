// Accuracy against position, for schemes that were trained on short sequences.
import { draggable, fixed, h, label, move, movingFigure, polyline, specks, svg } from "./base.js";

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
  "nothing, sees all": "no positions and no mask: every token sees all others, as a bag of words",
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
.moving-figure .reach-tasks { display: grid; grid-template-columns: repeat(auto-fit, minmax(90px, 1fr)); gap: 8px; flex: 1 1 100%; }
.moving-figure .reach-tasks button { display: grid; gap: 2px; padding: 4px 6px; text-align: left; align-content: start; background: none;
  border-width: 2px; border-color: var(--ex-line); }
.moving-figure .reach-tasks button[aria-pressed="true"] { border-color: var(--ex-main); background: var(--ex-paper); }
@media print { .moving-figure .reach-tasks button.ex-picture { display: grid; } } /* paper has no buttons, but pictures */
/* Paper, which cannot be pressed, shows what is covered on the screen. */
@media screen { .moving-figure .reach-paper { display: none; } }
@media print { .moving-figure:not(.reach-covered) .reach-paper,
  .reach-covered :is(.reach, .reach-tasks):not(.reach-paper),
  .moving-figure.reach-covered .reach-level, .moving-figure.reach-covered > :is(.ex-reading, .ex-more, .ex-said) { display: none !important; } }
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
const dashed = (index) => ({ "stroke-width": 2.2, "stroke-dasharray": DASHES[index % DASHES.length] ?? "none" });
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

// The curves of one task, small, in a button that chooses it.
function smallTask(task, { schemes, colors, size, trained, guessing = [] }, curves, index, onChoose) {
  const { across, up } = BOX;
  const length = size * curves[0].median.length;
  const lines = schemes.map((_, k) =>
    svg("path", { fill: "none", stroke: tinted(colors[k]), "stroke-width": 1.5, "data-mark": `scheme${k}` }),
  );
  const chance = guessing[index] ?? null;
  const node = h(
    "button",
    { type: "button", class: "ex-picture", "aria-label": task, onClick: onChoose },
    h("b", {}, task),
    svg(
      "svg",
      { viewBox: `0 -30 ${across} ${up + 60}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("path", {
        d: `M${(across * trained) / length} 0V${up}`,
        stroke: "var(--ex-soft)",
        "stroke-dasharray": "5 4",
      }),
      ...(chance === null
        ? []
        : [
            svg("path", { d: `M0 ${up * (1 - chance)}H${across}`, stroke: "var(--ex-ink)", "stroke-dasharray": "1 4" }),
          ]),
      ...lines,
    ),
    ...(SHORTLY[task] ? [h("small", {}, SHORTLY[task])] : []),
  );
  const update = (chosen, shown, lit, limit) => {
    node.setAttribute("aria-pressed", String(chosen));
    schemes.forEach((name, k) => {
      const { median } = upTo(limit, curves[k]);
      const point = (b) => [((b + 0.5) * size * across) / length, up * (1 - median[b])];
      move(lines[k], {
        d: shown.includes(name)
          ? stretches(median)
              .map((run) => polyline(run.map(point)))
              .join("")
          : "",
        "stroke-opacity": shown.includes(lit) && name !== lit ? 0.2 : 1,
      });
    });
  };
  return { node, update };
}

function plot({ schemes, colors, curves, size, trained, guessing = [], onName }) {
  const { top, height, across, up } = BOX;
  const length = size * curves[0][0].median.length;
  const percent = (position) => `${((100 * position) / length).toFixed(3)}%`;
  const x = (bin) => ((bin + 0.5) * size * across) / length;
  const y = (value) => up * (1 - value);
  const node = svg("svg", {
    role: "img",
    "aria-label": "Accuracy against position. A click chooses a position.",
  });
  const inner = svg("svg", {
    x: 0,
    y: top,
    width: "100%",
    height,
    style: `height: ${height}px`,
    viewBox: `0 0 ${across} ${up}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const place = svg("path", { stroke: "var(--ex-ink)", "stroke-width": 1, fill: "none" });
  const sketch = svg("path", {
    fill: "none",
    stroke: "var(--ex-ink)",
    "stroke-width": 3,
    "stroke-dasharray": "7 4",
    "data-mark": "guess",
  });
  const lines = schemes.map((_, k) => {
    const color = tinted(colors[k]);
    return {
      band: svg("path", { fill: color, "fill-opacity": 0.13 }),
      curve: svg("path", {
        fill: "none",
        stroke: color,
        "stroke-linejoin": "round",
        "data-mark": `scheme${k}`,
        ...dashed(k),
      }),
      dot: svg("path", { stroke: color, "stroke-width": 9, "stroke-linecap": "round", "data-mark": `scheme${k}` }),
    };
  });
  // On both sides of the line between the last position of training and the first beyond.
  const border = [
    svg("text", { x: percent(trained), y: 14, dx: -5, "text-anchor": "end" }, `trained to ${trained - 1}`),
    ...(trained < length ? [svg("text", { x: percent(trained), y: 14, dx: 5 }, `new from ${trained}`)] : []),
  ];
  const level = (value) => top + height * (1 - value);
  const marks = [0, 0.5, 1].map((v) => [level(v), label(-6, level(v) + 4, String(v), "end")]);
  const chanceLine = svg("line", { x1: 0, x2: "100%", stroke: "var(--ex-ink)", "stroke-dasharray": "1 4" });
  const guessed = label(-6, 0, "chance", "end");
  node.append(
    ...marks.flatMap(([y, text]) => [svg("line", { x1: 0, x2: "100%", y1: y, y2: y, stroke: "var(--ex-line)" }), text]),
    chanceLine,
    guessed,
    ...[0, 0.25, 0.5, 0.75].map((share) =>
      label(
        percent(Math.round(share * length) + (share && 0.5)),
        top + height + 20,
        String(Math.round(share * length)),
        share ? "middle" : "start",
      ),
    ),
    label("100%", top + height + 20, String(length - 1), "end"),
    label("50%", top + height + 40, "accuracy against position", "middle"),
    ...border,
    inner,
  );
  inner.append(
    svg("path", {
      d: `M${(across * trained) / length} 0V${up}`,
      stroke: "var(--ex-soft)",
      "stroke-dasharray": "5 4",
      fill: "none",
    }),
    place,
    ...lines.map(({ band }) => band),
    ...lines.map(({ curve }) => curve),
    ...lines.map(({ dot }) => dot),
    sketch,
  );

  const names = svg("svg", { "aria-hidden": "true" });
  const tags = schemes.map((name, k) => ({
    text: svg("text", { x: 20, onClick: () => onName(name) }, name),
    lead: svg("path", { fill: "none", stroke: tinted(colors[k]), "stroke-width": 1 }),
  }));
  names.append(...tags.flatMap(({ text, lead }) => [lead, text]));

  const update = (task, shown, lit, bin, limit, guess) => {
    move(sketch, {
      d: guess ? polyline(guess.map((value, b) => [x(b), y(value)]).filter(([, v]) => !Number.isNaN(v))) : "",
    });
    move(place, { d: `M${x(bin)} 0V${up}` });
    // The name of the line takes the place of a number that is too near.
    const chance = guessing[task] ?? null;
    for (const part of [chanceLine, guessed]) move(part, shownIf(chance !== null));
    move(chanceLine, { y1: level(chance), y2: level(chance) });
    move(guessed, { y: level(chance) + 4 });
    for (const [y, text] of marks) move(text, shownIf(chance === null || Math.abs(y - level(chance)) > 14));
    const ends = [];
    schemes.forEach((name, k) => {
      const { median, low, high } = upTo(limit, curves[task][k]);
      const visible = shownIf(shown.includes(name));
      const runs = stretches(median);
      const at = (values) => (b) => [x(b), y(values[b])];
      const around = runs.map((run) => [...run.map(at(high)), ...run.map(at(low)).reverse()]);
      move(lines[k].curve, {
        d: runs.map((run) => polyline(run.map(at(median)))).join(""),
        "stroke-width": name === lit ? 4 : 2.2,
        "stroke-opacity": shown.includes(lit) && name !== lit ? 0.25 : 1,
        ...visible,
      });
      move(lines[k].band, {
        d: around.map((points) => `${polyline(points)}Z`).join(""),
        ...shownIf(shown.includes(name) && (name === lit || (shown.length <= FEW && !shown.includes(lit)))),
      });
      move(lines[k].dot, { d: median[bin] === null ? "" : specks([at(median)(bin)]), ...visible });
      const last = runs.length ? median[runs.at(-1).at(-1)] : null;
      const labelled = last !== null && shown.includes(name);
      for (const part of [tags[k].text, tags[k].lead]) move(part, shownIf(labelled));
      if (labelled) ends.push({ k, wish: level(last) });
    });
    const heights = spread(
      ends.map(({ wish }) => wish),
      NAMES.gap,
      top + height + 4,
    );
    ends.forEach(({ k, wish }, n) => {
      move(tags[k].text, { y: heights[n] + 4, style: `font-weight: ${schemes[k] === lit ? 650 : 400}` });
      move(tags[k].lead, { d: `M2 ${wish}L16 ${heights[n]}` });
    });
  };
  const positionAt = ({ clientX }) => {
    const { x: left, width } = node.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * length);
    return Math.min(Math.max(place, 0), length - 1);
  };
  const valueAt = ({ clientY }) => {
    const { y: above } = node.getBoundingClientRect();
    return Math.min(Math.max(1 - (clientY - above - top) / height, 0), 1);
  };
  // The curve that a pointer is on, or near to.
  const schemeAt = (event, task, shown, limit) => {
    const bin = Math.floor(positionAt(event) / size);
    const off = (name) => {
      const value = bin < limit ? curves[task][schemes.indexOf(name)].median[bin] : null;
      return value === null ? Infinity : Math.abs(value - valueAt(event)) * height;
    };
    const [nearest] = [...shown].sort((a, b) => off(a) - off(b));
    return nearest !== undefined && off(nearest) < POINTED ? nearest : undefined;
  };
  return { nodes: [node, names], front: node, update, positionAt, valueAt, schemeAt, length };
}

function render({ model, el }) {
  const data = model.get("data");
  const { tasks, schemes, colors, size, trained, shortest, seeds, texts, guessing = [], covered = false } = data;
  if (!tasks?.length) {
    el.textContent = "No results were given to this figure.";
    return undefined;
  }
  const curves = data.curves.map((ofTask) => ofTask.map(unpacked));
  const first = (position) => position - (position % size); // of the bin
  const shown = () => schemes.filter((name) => model.get("shown").includes(name));
  const legend = h("legend");
  const asked = h("p", { class: "reach-note" });
  const note = h("p", { class: "reach-note" });
  // They keep the room of the longest, so that the page does not move.
  const roomy = (text, longest) =>
    h(
      "div",
      { class: "ex-reading reach-room" },
      ...longest.map((room) => h("p", { class: "ex-room", "aria-hidden": "true" }, room)),
      text,
    );
  // The scheme that is pointed at, or whose name was clicked, or whose box has the focus.
  const pointed = {};
  const lit = () => pointed.pointer ?? pointed.name ?? pointed.focus;
  const light = (by, name) => () => {
    pointed[by] = name;
    if (by === "focus") pointed.name = undefined;
    figure.redraw();
  };
  const drawn = plot({
    ...data,
    curves,
    onName: (name) => light("name", name === pointed.name ? undefined : name)(),
  });
  // The guess of the reader: a value for each bin beyond the training, and whether it is still open.
  const count = drawn.length / size;
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
    guess = { open: true, scheme, values: Array.from({ length: count }, (_, bin) => (isNew(bin) ? 1 : NaN)) };
  };
  const clear = () => {
    guess = null;
    if (shown().length && isCovered(model.get("task"))) begin();
    offer();
  };
  const small = tasks.map((task, k) => smallTask(task, data, curves[k], k, () => figure.set("task", k)));
  // Their copies for paper, without what would hide them.
  const paper = covered && {
    drawn: plot({ ...data, curves, onName: () => {} }),
    small: tasks.map((task, k) => smallTask(task, data, curves[k], k, () => {})),
  };
  // How many of the lengths of training reach a place; evenly many texts had each.
  const reaching = (place) => Math.max(trained - Math.max(place, shortest - 1), 0);

  const words = (name) => (name === "learned" ? learned(trained, tasks[model.get("task")]) : SCHEMES[name]) ?? "";
  const hint = (told) =>
    `Point at ${told ? "another" : "a"} curve or scheme, or tap its name beside the curves, to read what it is.`;
  const same =
    texts &&
    `All schemes and seeds get the same ${texts} texts: small ups and downs that curves share come from these.`;
  const describe = (task) => {
    legend.textContent =
      shown().length > FEW
        ? `schemes; point at one to see its range over ${seeds} seeds, trainings from different random starts`
        : `schemes; a band is the range of ${seeds} seeds, trainings from different random starts`;
    schemes.forEach((name, k) => boxes[k].setAttribute("aria-description", words(name)));
    // Of a curve with a surprise it is said at the start; of the others, when they are pointed at.
    const told = words(lit()) ? lit() : shown().includes("learned") ? "learned" : "";
    note.textContent = [told && `${told}: ${words(told)}.`, told && told === lit() ? "" : hint(told)]
      .filter(Boolean)
      .join(" ");
    asked.textContent = [ASKS[tasks[task]], same].filter(Boolean).join(" ");
  };

  const named = (name, text) => [`scheme${schemes.indexOf(name)}`, text];
  // How far the guess is from the curve, on average over the bins that count.
  const missed = (task) => {
    const { median } = curves[task][schemes.indexOf(guess.scheme)];
    const off = guess.values
      .map((value, bin) => [value, median[bin]])
      .filter(([value, truth]) => !Number.isNaN(value) && truth !== null)
      .map(([value, truth]) => Math.abs(value - truth));
    return off.reduce((sum, value) => sum + value, 0) / off.length;
  };

  const update = () => {
    const [task, position] = [model.get("task"), model.get("position")];
    const from = first(position);
    const bin = from / size;
    drawn.update(task, shown(), lit(), bin, limit(), guess?.values);
    small.forEach(({ update: draw }, k) => draw(k === task, shown(), lit(), isCovered(k) ? border : limit()));
    if (paper) {
      figure.root.classList.toggle(
        "reach-covered",
        tasks.some((_, k) => isCovered(k)),
      );
      paper.drawn.update(task, shown(), undefined, bin, count);
      paper.small.forEach(({ update: draw }, k) => draw(k === task, shown(), undefined, count));
    }
    describe(task);
    if (guess?.open)
      return {
        said: [
          "Draw ",
          ["guess", "your guess"],
          " for ",
          named(guess.scheme, guess.scheme),
          ` beyond the ${trained} of training, then look.`,
        ],
        more: "What comes after the training is covered until you look.",
      };
    const places = size > 1 ? `positions ${from} to ${from + size - 1}` : `position ${from}`;
    const [fewest, most] = [reaching(from + size - 1), reaching(from)];
    const among = fewest === most ? most : `${fewest} to ${most}`;
    const reached =
      shortest && most < trained - shortest + 1
        ? ` ${among} of the ${trained - shortest + 1} lengths of training reach so far.`
        : "";
    const where = from < trained ? "where it was trained" : `beyond the ${trained} of training`;
    const start = `“${tasks[task]}”, ${places}, ${where}: `;
    const counted = shown()
      .map((name) => [name, curves[task][schemes.indexOf(name)]])
      .map(([name, { median, low, high }]) => [name, median[bin], low[bin], high[bin]])
      .filter(([, median]) => median !== null)
      .sort((a, b) => b[1] - a[1]);
    if (!shown().length) return `${start}no scheme is switched on.`;
    if (!counted.length) return `${start}no answer counts here.`;
    const few = counted.length > FEW ? [...counted.slice(0, FEW - 1), counted.at(-1)] : counted;
    const listed = few.flatMap(([name, median], k) => [
      k === 0 ? "" : k === FEW - 1 && counted.length > FEW ? ", … " : ", ",
      named(name, `${name} ${fixed(median)}`),
    ]);
    const chance = guessing.length ? `; guessing reaches ${Number(guessing[task].toFixed(3))}.` : ".";
    const ranges = counted.map(
      ([name, median, low, high]) => `${name} ${fixed(median)} (${fixed(low)} to ${fixed(high)})`,
    );
    const away = guess && [
      "Beyond training ",
      ["guess", "your guess"],
      ` is ${fixed(missed(task))} away from `,
      named(guess.scheme, guess.scheme),
      ", on average.",
    ];
    return {
      said: away || [start, ...listed.filter(Boolean), chance],
      more: `Median and range of ${seeds} seeds: ${ranges.join("; ")}.${from < trained ? reached : ""}`,
    };
  };

  const figure = movingFigure({
    model,
    el,
    update,
    title: "How far does it reach?",
    names: ["task", "position", "shown"],
    marks: { guess: "ink", ...Object.fromEntries(schemes.map((_, k) => [`scheme${k}`, `scheme${k}`])) },
    longest: {
      said: [
        `“${tasks[0]}”, positions 000 to 000, beyond the 00 of training: sine and cosine 0.00, relative bias 0.00, normalized count 0.00, … nothing 0.00; guessing reaches 0.000.`,
      ],
    },
  });
  schemes.forEach((_, k) => figure.root.style.setProperty(`--ex-scheme${k}`, tinted(colors[k])));
  figure.root.prepend(h("style", {}, LOOK));
  const controls = figure.root.querySelector(".ex-controls");
  controls.append(
    h("div", { class: "reach-tasks", role: "group", "aria-label": "task" }, ...small.map(({ node }) => node)),
  );
  if (paper)
    controls.append(
      h("div", { class: "reach-tasks reach-paper", "aria-hidden": "true" }, ...paper.small.map(({ node }) => node)),
    );
  figure.slider("position", "position", {
    min: 0,
    max: drawn.length - size,
    step: size,
    basis: "300px",
    from: first,
    show: (v) => (size > 1 ? `${first(v)} to ${first(v) + size - 1}` : String(v)),
  });

  // Guess first: the curves are covered beyond the training until the reader has drawn a guess.
  const level = h("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.05,
    value: 1,
    onInput: () => {
      if (!guess?.open) return; // it is not there then
      guess.values = guess.values.map((_, bin) => (isNew(bin) ? Number(level.value) : NaN));
      offer();
      figure.redraw();
    },
  });
  const levelText = h("output", { "aria-hidden": "true" });
  const levelLabel = h("label", { class: "reach-level" }, h("span", {}, "your guess, level"), level, levelText);
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
  const curvesBox = h("div", { class: "reach" }, ...drawn.nodes);
  controls.append(
    levelLabel,
    roomy(
      asked,
      tasks.map((task) => [ASKS[task], same].filter(Boolean).join(" ")),
    ),
  );
  const boxes = schemes.map((name) =>
    h("input", {
      type: "checkbox",
      onChange: ({ target }) =>
        figure.set(
          "shown",
          schemes.filter((other) => (other === name ? target.checked : model.get("shown").includes(other))),
        ),
    }),
  );
  const synced = () => {
    boxes.forEach((box, k) => (box.checked = model.get("shown").includes(schemes[k])));
    clear();
  };
  const events = { "change:shown": synced, "change:task": clear };
  for (const [event, does] of Object.entries(events)) model.on(event, does);
  synced();
  controls.append(
    h(
      "fieldset",
      {},
      legend,
      ...schemes.map((name, k) => {
        const sample = svg(
          "svg",
          { style: "width: 42px; height: 12px", "aria-hidden": "true" },
          svg("path", { d: "M0 6H42", stroke: tinted(colors[k]), ...dashed(k) }),
        );
        const listeners = {
          onPointerEnter: light("pointer", name),
          onPointerLeave: light("pointer"),
          onFocusIn: light("focus", name),
          onFocusOut: light("focus"),
        };
        return h("label", { class: "ex-check", ...listeners }, boxes[k], sample, h("span", {}, name));
      }),
    ),
  );

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
  const stop = figure.start(
    curvesBox,
    ...(paper ? [h("div", { class: "reach reach-paper" }, ...paper.drawn.nodes)] : []),
    roomy(
      note,
      tasks.map((task) => `learned: ${learned(trained, task)}. ${hint("learned")}`),
    ),
  );
  return () => {
    for (const [event, does] of Object.entries(events)) model.off(event, does);
    stop();
  };
}

export default { render };
