// What all moving figures share: a frame with controls, drawing and a text that says what is to be seen. Controls are
// native inputs, so mouse, touch and keyboard work alike; drawings are SVG in the page's colors, and follow its theme.
//
// `update` draws from the state, and returns what is to be read: a text with words of marks in it
//   "From {now|31} to {next|32} six bits flip."
// that wear the color of that mark, `marks: { now: "main", next: "accent" }`. Shapes with the attribute data-mark="now"
// (several: "now pair0") belong to it: pointing at a word leaves them strong and the other marks pale; pointing at a
// shape finds the word. Numbers that only some want fold away: return { said, more }, two texts. `longest` has lists of
// the longest texts that may come, { said: [one, other], more: [one] }: they keep the room, and nothing moves.

import { withMinus } from "./drawing.js";
import { element } from "./element.js";
import { motion } from "./motion.js";

const READ_OUT_AFTER = 400; // milliseconds without a change before a text is read out
const READ_OUT_FOR = 3000; // milliseconds for which it is then in the page a second time

const STYLE = `
.moving-figure { position: relative; --ex-ink: #1d1d24; --ex-soft: #6b6f78; --ex-line: #d5d4cf; --ex-paper: #f4f3ef;
  --ex-blue: #1f5fa8; --ex-red: #b3261e; --ex-main: #2d2a86; --ex-accent: #b34700;
  color: var(--ex-ink); font: 16px/1.45 var(--pst-font-family-heading, system-ui, sans-serif);
  border: 1px solid var(--ex-line); border-radius: 8px; padding: 14px 16px; margin: 0;
  max-width: 736px; box-sizing: border-box; }
@media screen { /* paper is white */
  :is(html[data-theme="dark"], [data-jp-theme-light="false"]) .moving-figure { --ex-ink: #e6e5e1;
    --ex-soft: #a3a7b0; --ex-line: #3a3f49; --ex-paper: #20242c; --ex-blue: #6aa8f0;
    --ex-red: #f08a80; --ex-main: #b3aef5; --ex-accent: #f2a15f; } }
.moving-figure * { box-sizing: border-box; }
.moving-figure .ex-drawings { display: flex; flex-wrap: wrap; gap: 8px 16px; margin-top: 10px;
  justify-content: center; align-items: start; }
.moving-figure svg { display: block; height: auto; overflow: visible; }
.moving-figure svg text { fill: var(--ex-ink); font: 13px var(--pst-font-family-heading, system-ui, sans-serif); }
.moving-figure .ex-title { font-weight: 650; margin: 0 0 6px; order: -1; }
.moving-figure .ex-controls { display: flex; flex-wrap: wrap; gap: 6px 20px; align-items: end; }
.moving-figure label { display: grid; grid-template-columns: 1fr auto; flex: 1 1 190px; gap: 0 8px; font-size: 15px; }
.moving-figure label output { grid-area: 1 / 2; font-variant-numeric: tabular-nums; font-weight: 600; }
.moving-figure input[type="range"] { grid-column: 1 / -1; width: 100%; height: 28px; margin: 0;
  accent-color: var(--ex-main); touch-action: pan-y; }
.moving-figure label.ex-check { grid-template-columns: auto 1fr; flex: 0 1 auto; align-items: center; }
.moving-figure input[type="checkbox"] { width: 20px; height: 20px; margin: 0; accent-color: var(--ex-main); }
.moving-figure :is(button, select) { font: inherit; font-size: 15px; min-height: 32px; padding: 3px 12px;
  cursor: pointer;
  color: var(--ex-ink); background: var(--ex-paper); border: 1px solid var(--ex-soft); border-radius: 6px; }
.moving-figure select { grid-column: 1 / -1; width: 100%; min-height: 28px; padding: 1px 8px; }
.moving-figure .ex-play { min-width: 6.5em; }
.moving-figure .ex-play:is([data-state="play"], [data-state="pause"])::before { content: ""; display: inline-block;
  width: 0.62em; height: 0.72em; margin-right: 0.5em;
  background: currentColor; clip-path: polygon(0 0, 100% 50%, 0 100%); }
.moving-figure .ex-play[data-state="pause"]::before {
  clip-path: polygon(0 0, 36% 0, 36% 100%, 64% 100%, 64% 0, 100% 0, 100% 100%, 0 100%); }
.moving-figure :is(button, input, select, summary, svg):focus-visible { outline: 3px solid var(--ex-main);
  outline-offset: 2px; }
.moving-figure input[type="range"]:focus-visible { outline-offset: -3px; } /* clear of the label above */
.moving-figure .ex-reading { display: grid; margin: 8px 0 0; min-height: 2.9em; }
.moving-figure .ex-reading > * { grid-area: 1 / 1; margin: 0; }
.moving-figure .ex-room { visibility: hidden; }
.moving-figure .ex-more { margin: 6px 0 0; font-size: 15px; }
.moving-figure summary { width: fit-content; color: var(--ex-soft); cursor: pointer; }
.moving-figure [data-mark] { transition: opacity 0.15s; }
.moving-figure .ex-named { font-weight: 600; border-bottom: 2px dotted; border-radius: 3px; cursor: default; }
.moving-figure .ex-named.ex-lit { background: color-mix(in oklab, currentColor 14%, transparent);
  border-bottom-style: solid; }
.moving-figure[data-told] .ex-drawings [data-mark]:not(.ex-lit) { opacity: 0.18; }
.moving-figure .ex-live { position: absolute; bottom: 0; width: 1px; height: 1px; margin: 0;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media screen and (max-width: 600px) { /* what is being moved stays in sight, and hides the drawing below it in full */
  .moving-figure { display: flex; flex-wrap: wrap; align-items: end; gap: 0 20px; }
  .moving-figure > :not(.ex-controls) { flex: 0 0 100%; }
  .moving-figure > .ex-controls { display: contents; }
  .moving-figure .ex-controls > * { margin-top: 6px; order: -1; position: relative; z-index: 2; }
  .moving-figure .ex-controls > .ex-active { position: sticky; top: var(--ex-top, 0px); z-index: 3; }
  .moving-figure .ex-controls > .ex-active { box-shadow: 0 0 0 16px var(--ex-ground); clip-path: inset(0 -16px); }
  .moving-figure .ex-controls > button.ex-active { top: calc(var(--ex-top, 0px) + 6px); }
  .moving-figure .ex-controls > button.ex-active { clip-path: inset(-6px -16px); }
  .moving-figure:has(.ex-active)::before { content: ""; flex: 0 0 100%; height: 58px; margin-top: -58px;
    position: sticky; top: var(--ex-top, 0px); z-index: 1; }
  .moving-figure { --ex-ground: var(--pst-color-background, var(--jp-layout-color0, var(--ex-paper))); }
  .moving-figure:has(.ex-active)::before, .moving-figure label.ex-active { background: var(--ex-ground); }
  .moving-figure .ex-controls :is(button, input, select) { scroll-margin-top: 70px; } /* not below it */
  .moving-figure label.ex-active:not(.ex-check) { margin: 4px 0 -2px; padding: 2px 0; } } /* nothing moves */
@media (prefers-reduced-motion: reduce) { .moving-figure [data-mark] { transition: none; } }
@media print { .moving-figure { break-inside: avoid; }
  .moving-figure :is(input[type="range"], button) { display: none; }
  .moving-figure label:not(.ex-check) { flex: none !important; } /* the value beside its name */
  .moving-figure .ex-more::details-content { display: block; content-visibility: visible; block-size: auto; } }
`;

// How wide a control would like to be, as CSS says it: it decides how many stand in a row.
const sized = (basis) => ({ style: basis ? `flex-basis: ${basis}` : null });

// Dragging with a mouse, a pen or a finger: `drag` gets the event, how far the pointer has come
// since it was put down, and what `begin` returned then. A finger that sets out up or down scrolls
// the page instead, but not from something small that is to be taken in any direction: `free`.
// `end` runs when it is let go.
export const draggable = (node, drag, begin = () => null, { free = false, end } = {}) => {
  node.style.touchAction = free ? "none" : "pan-y";
  let from;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    from = { x: event.clientX, y: event.clientY, moving: free || event.pointerType !== "touch", state: begin(event) };
  });
  node.addEventListener("pointermove", (event) => {
    if (!node.hasPointerCapture(event.pointerId)) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    from.moving ||= Math.abs(dx) > Math.abs(dy);
    if (from.moving) drag(event, dx, dy, from.state);
  });
  if (end) node.addEventListener("lostpointercapture", end);
};

// Where an event is, in the units of a drawing.
export const pointIn = (node, { clientX, clientY }) => {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(node.getScreenCTM().inverse());
  return [x, y];
};

// The arrow keys of what is in the focus: `step` gets how far down and to the right.
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
export const onArrows = (node, step) =>
  node.addEventListener("keydown", (event) => {
    if (!ARROWS[event.key]) return;
    event.preventDefault(); // the page stays where it is
    step(...ARROWS[event.key]);
  });

// A note below the drawings.
export const note = (content) =>
  element(
    "p",
    { style: "width: 100%; max-width: none; margin: 4px 0 0; font-size: 14px; color: var(--ex-soft)" },
    content,
  );

// A text whose words belong to marks, over the room that its longest takes.
const markedText = (name, longest = [], marks = {}) => {
  const text = element("p", { class: name });
  const nodes = (found) =>
    found
      .split(/(\{\w+\|[^}]*\})/)
      .filter(Boolean)
      .map((part) => {
        const [, mark, word] = /^\{(\w+)\|(.*)\}$/.exec(part) ?? [];
        if (!mark) return part;
        const color = `color: var(--ex-${marks[mark] ?? "ink"})`;
        return element("span", { class: "ex-named", "data-mark": mark, style: color }, word);
      });
  const rooms = longest.map((room) => element("p", { class: "ex-room", "aria-hidden": "true" }, ...nodes(room)));
  let shown = "";
  const update = (found) => {
    if (found === shown) return false;
    shown = found;
    text.replaceChildren(...nodes(found));
    return true;
  };
  return { node: element("div", { class: "ex-reading" }, ...rooms, text), text, update };
};

// Words and shapes of one mark find each other.
const linkMarks = (root) => {
  let lit = "";
  const light = (marks = "", told = false) => {
    lit = marks;
    for (const node of root.querySelectorAll("[data-mark]"))
      node.classList.toggle(
        "ex-lit",
        marks !== "" && node.dataset.mark.split(" ").some((one) => marks.split(" ").includes(one)),
      );
    root.toggleAttribute("data-told", told);
  };
  const over = ({ target, buttons }) => {
    if (buttons) return; // something is being dragged
    const node = target.closest("[data-mark]");
    if (lit || node) light(node?.dataset.mark, node?.matches(".ex-named"));
  };
  root.addEventListener("pointerover", over);
  root.addEventListener("pointerdown", ({ target, pointerType }) => pointerType === "touch" && over({ target }));
  root.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && lit && light());
  return () => lit && light(lit, root.hasAttribute("data-told"));
};

// The frame of a figure. `update` draws everything from the model; it runs at the start, and once
// in a frame of the screen, however many values have changed since the last.
export const movingFigure = (model, el, update, { title, names, marks, longest = {} }) => {
  const root = element("div", { class: "moving-figure", role: "group", "aria-label": title });
  const controls = element("div", { class: "ex-controls" });
  const said = markedText("ex-said", longest.said, marks);
  const more = markedText("ex-numbers", longest.more, marks);
  const folded = element("details", { class: "ex-more", hidden: "" }, element("summary", {}, "in numbers"), more.node);
  const liveRegion = element("p", { class: "ex-live", "aria-live": "polite" });
  root.append(element("style", {}, STYLE), element("p", { class: "ex-title" }, title), controls);
  // JupyterLab has shortcuts on single keys: what is typed here must not reach it.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(root);
  const relight = linkMarks(root);
  const touched = ({ target }) => {
    const control = target.closest(".ex-controls > *");
    if (!control) return;
    for (const other of controls.children) other.classList.remove("ex-active"); // each is in its row
    const foot = (node) => node.getBoundingClientRect().bottom;
    const row = [...controls.children].filter((other) => Math.abs(foot(other) - foot(control)) < 8);
    for (const other of row) other.classList.add("ex-active");
  };
  for (const event of ["pointerdown", "input", "focusin"]) root.addEventListener(event, touched);

  // What is seen follows at once. It is read out when it has come to rest, or else five presses of
  // a key would be five texts. Then it is taken away again: each text stands once in the page.
  let [resting, muted] = [0, true];
  const announce = () => {
    clearTimeout(resting);
    liveRegion.textContent = "";
    if (muted) return;
    resting = setTimeout(() => {
      liveRegion.textContent = said.text.textContent;
      resting = setTimeout(() => (liveRegion.textContent = ""), READ_OUT_FOR);
    }, READ_OUT_AFTER);
  };

  let waiting = 0;
  const outputs = []; // of the sliders
  const ends = []; // what else is to be undone when the figure goes
  const draw = () => {
    cancelAnimationFrame(waiting);
    waiting = 0;
    for (const show of outputs) show();
    const found = update(Object.fromEntries(names.map((name) => [name, moving.at(name)])), moving.format);
    const parts = typeof found === "string" ? { said: found } : found;
    moving.label();
    folded.hidden = !parts.more;
    const others = parts.more ? more.update(parts.more) : false;
    const text = said.update(parts.said);
    if (text || others) relight();
    if (text) announce();
  };
  const later = () => (waiting ||= requestAnimationFrame(draw));
  // Now, and until the figure goes: what a change of these values does.
  const listen = (names, act) => {
    for (const name of names) {
      model.on(`change:${name}`, act);
      ends.push(() => model.off(`change:${name}`, act));
    }
  };
  const onChange = (names, act) => {
    listen(names, act);
    act();
  };
  listen(names, later);

  const setAll = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const set = (name, value) => setAll({ [name]: value });
  // While something plays, nothing is read out; where it stops, that is.
  const mute = (on) => {
    if (muted === on) return;
    muted = on;
    announce();
  };
  const moving = motion({ model, root, redraw: later, draw, mute, put: setAll });
  const button = (label, onClick) => {
    const node = element("button", { type: "button", onClick }, label);
    controls.append(node);
    return node;
  };
  return {
    ...moving,
    root,
    set,
    setAll,
    redraw: later,
    atEnd: (undo) => ends.push(undo),
    onChange,
    mute,
    // See motion.js. A name stands for the number of the model that walks from end to end.
    play(name, options) {
      const walk = {
        place: () => moving.at(name),
        values: (value) => ({ [name]: value }),
        limits: () => LIMITS[name],
        ...options,
      };
      return moving.play((press) => button("", press), walk);
    },
    // A slider for a number of the model, with its name and its value. The limits are those of the
    // Python class (LIMITS: see base.py); `from` leads from the number to the slider, `to` back.
    slider(name, label, options = {}) {
      const { step = 1, show, from = (v) => v, to = (v) => v, basis, glide } = options;
      const { min = from(LIMITS[name][0]), max = from(LIMITS[name][1]) } = options;
      const output = element("output", { "aria-hidden": "true" }); // the input says it: aria-valuetext
      const spoken = label.replace(/ \p{L}$|, .*/u, ""); // "position t" is "position 16", say
      let byKey = false;
      const input = element("input", {
        type: "range",
        min,
        max,
        step,
        onKeydown: () => (byKey = true),
        onPointerdown: () => (byKey = false),
        onInput: () => {
          const value = to(Number(input.value));
          if (glide && byKey) moving.glide({ [name]: value }, 250);
          else set(name, value);
        },
      });
      // The number stands where the drawing is; the slider, and what it tells, where the model is.
      const sync = () => {
        input.value = from(model.get(name));
        input.setAttribute("aria-valuetext", `${spoken} ${(show ?? withMinus)(model.get(name))}`);
      };
      outputs.push(() => {
        const text = show ? show(moving.at(name)) : moving.format(moving.at(name), name);
        if (output.textContent !== text) output.textContent = text;
      });
      controls.append(element("label", sized(basis), element("span", {}, label), input, output));
      onChange([name], sync);
      return input;
    },
    // The base of the frequencies, on a logarithmic scale.
    baseSlider(options = {}) {
      const show = (value) => Number(value.toPrecision(6)).toLocaleString("en");
      const to = (exponent) => Math.round(10 ** exponent);
      return this.slider("base", "base", { step: 0.25, from: Math.log10, to, show, ...options });
    },
    // A list to choose from. An option is a text and the values that it gives to the names; the
    // text `other` is shown, and cannot be chosen, while the values are none of these.
    select(names, label, options, { other = "", basis } = {}) {
      const input = element(
        "select",
        {
          onChange: () => {
            const [, ...values] = options[input.selectedIndex]; // the first change selects "other"
            names.forEach((name, k) => model.set(name, values[k]));
            model.save_changes();
          },
        },
        ...options.map(([text]) => element("option", {}, text)),
        ...(other ? [element("option", { disabled: "", hidden: "" }, other)] : []),
      );
      const sync = () => {
        const found = options.findIndex(([, ...values]) =>
          values.every((value, k) => {
            const now = model.get(names[k]); // a text, or a number that may be rounded
            return value === now || Math.abs(value - now) < 1e-9;
          }),
        );
        input.selectedIndex = found < 0 ? options.length : found;
      };
      controls.append(element("label", sized(basis), element("span", {}, label), input));
      onChange(names, sync);
      return input;
    },
    check(name, label) {
      const input = element("input", { type: "checkbox", onChange: () => set(name, input.checked) });
      const sync = () => (input.checked = model.get(name));
      controls.append(element("label", { class: "ex-check" }, input, element("span", {}, label)));
      onChange([name], sync);
      return input;
    },
    button,
    // Last: puts the drawings and the text in place and draws for the first time.
    start(...drawings) {
      root.append(element("div", { class: "ex-drawings" }, ...drawings), said.node, folded, liveRegion);
      const slider = controls.querySelector("label:has([type=range])"); // in sight from the start
      if (slider) requestAnimationFrame(() => touched({ target: slider }));
      draw();
      muted = false; // what stands there at the start is found by reading, like the page
      return () => {
        moving.end();
        cancelAnimationFrame(waiting);
        clearTimeout(resting);
        for (const undo of ends) undo();
      };
    },
  };
};
