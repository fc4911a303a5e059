// A language model writes Shakespeare in the page: which mistakes in its positions can be read?
import { movingFigure, note } from "./base.js";
import { fixed } from "./drawing.js";
import { element } from "./element.js";
import { rotate, softmax } from "./encodings.js";
import { predictor, readNpz, rowOf, weightsOf } from "./language.js";
import { reducedMotion } from "./motion.js";

const PACE = 60; // characters in a second
const WORST = 5; // nats: the deepest color
const BATCH = 12; // milliseconds of work in one picture
const LOOK = `
.moving-figure .sh-text { width: 100%; min-height: 21em; margin: 0; padding: 8px 10px; border: 1px solid var(--ex-line);
  border-radius: 6px; font: 14px/1.5 var(--pst-font-family-monospace, monospace); white-space: pre-wrap; }
@media (forced-colors: active) { .sh-text { forced-color-adjust: none; background: var(--ex-paper); } }
.moving-figure .sh-given { color: var(--ex-soft); }
.moving-figure .sh-mark { border-left: 3px solid var(--ex-main); }
`;
const NOTE =
  `The bar stands after ${MODEL.length} characters, the length of the training texts. While it writes, red are ` +
  "characters that surprise a program without mistakes, which looks 127 back; while it reads, those that surprise it.";

const LONGEST =
  "Positions: sinusoids, added. Mistake: 40 characters of padding counted. A character costs 1.11 nats up to the " +
  "bar, 1.11 past it, where no training text went. It has nothing in which this mistake could be made.";

// What the program does with a position: the t-th character's own, as a mistake tells it.
const positionsOf = {
  still: () => 0,
  padding: (t) => t + 40,
  quarter: (t) => t / 4,
  skip: (t) => (t < PROMPT ? t : t + 1),
};
const BASES = { base: 500_000, double: 20_000 };
const ONLY_ROTARY = ["layout", "late", ...Object.keys(BASES)];

export const programOf = ({ scheme, mistake, window }, weights) => {
  const place = positionsOf[mistake] ?? ((t) => t);
  const base = BASES[mistake];
  const frequencies = base ? FREQUENCIES.map((_, k) => base ** (-k / FREQUENCIES.length)) : FREQUENCIES;
  const turn = (x, t) => (scheme === "rotary" ? rotate(x, t, frequencies, mistake === "layout") : x);
  const rows = {
    sinusoidal: (t) => Float32Array.from(OF_TABLE.flatMap((omega) => [Math.sin(t * omega), Math.cos(t * omega)])),
    learned: (t) => rowOf(weights.position, Math.floor(t)),
  };
  const row = rows[scheme];
  return {
    ...MODEL,
    added: row && ((t) => row(place(t))),
    query: (x, t) => turn(x, place(t) + (mistake === "late" ? 1 : 0)),
    key: (x, t) => turn(x, place(t)),
    bias: (head, t, s) => (scheme === "alibi" ? -SLOPES[head] * (place(t) - place(s)) : 0),
    window: window ? MODEL.length : Infinity,
  };
};

// Where a draw from 0 to 1 falls among the characters; a low temperature makes the likely likelier.
const sampled = (scores, draw) => {
  const shares = softmax(Float64Array.from(scores, (score) => score / TEMPERATURE));
  let [k, left] = [0, draw - shares[0]];
  while (left >= 0 && k < shares.length - 1) left -= shares[++k];
  return k;
};

const lossOf = (scores, character) => -Math.log(softmax(Float64Array.from(scores))[character]);

const fetchWeights = async (model, name) => {
  const root = document.documentElement.dataset.content_root;
  if (root !== undefined)
    return (await fetch(new URL(`${root}_static/shakespeare/${name}-0.npz`, location.href))).arrayBuffer();
  return new Promise((resolve) => {
    const receive = ({ weights }, [data]) => {
      if (weights !== name) return;
      model.off("msg:custom", receive);
      resolve(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
    };
    model.on("msg:custom", receive);
    model.send(name);
  });
};

const nameIn = (options, value) => options.find(([, each]) => each === value)[0];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function render({ model, el }) {
  const numberOf = Object.fromEntries([...ALPHABET].map((character, k) => [character, k]));
  const loaded = {};
  // What stands in the text, as [character, loss]; the frame that is awaited; how often it has begun.
  let [written, running, runs] = [[], 0, 0];
  let trouble = "";

  const update = (state) => {
    const all = written.map(([character, loss], t) => {
      const share = Math.round((60 * Math.min(loss, WORST)) / WORST);
      const style = `background: color-mix(in oklab, var(--ex-red) ${share}%, transparent)`;
      return element("span", t < PROMPT ? { class: "sh-given" } : { style }, character);
    });
    if (all.length > MODEL.length) all[MODEL.length].className = "sh-mark";
    if (all.length <= PROMPT)
      all.push(element("span", { class: "sh-given" }, ` … press “${state.reads ? "read" : "write"}”`));
    page.replaceChildren(...all);
    page.setAttribute("aria-label", written.map(([character]) => character).join(""));
    const begun = runs ? "again" : "write on";
    go.textContent = running ? "stop" : written.length > PROMPT ? begun : state.reads ? "read" : "write";
    return trouble || sentence(state);
  };

  const sentence = ({ scheme, mistake, reads }) => {
    const [inside, beyond] = [written.slice(PROMPT, MODEL.length), written.slice(MODEL.length)];
    const without = scheme === "none" || (ONLY_ROTARY.includes(mistake) && scheme !== "rotary");
    const rest = mistake !== "none" && without ? " It has nothing in which this mistake could be made." : "";
    const name = `Positions: ${nameIn(SCHEMES, scheme)}. Mistake: ${nameIn(MISTAKES, mistake)}. `;
    if (!inside.length) return `${name}It will ${reads ? "read" : "write"} on where the gray text ends.${rest}`;
    const cost = (part) => fixed(mean(part.map(([, loss]) => loss)));
    const after = beyond.length ? `, ${cost(beyond)} past it, where no training text went` : "";
    return `${name}A character costs ${cost(inside)} nats up to the bar${after}.${rest}`;
  };

  const stop = () => {
    cancelAnimationFrame(running);
    running = 0;
    figure.mute(false);
    figure.redraw();
  };

  const begin = async () => {
    if (running) return stop();
    const turn = ++runs;
    const state = Object.fromEntries(["scheme", "mistake", "window", "reads"].map((name) => [name, model.get(name)]));
    try {
      for (const name of state.reads ? [state.scheme] : [state.scheme, "rotary"])
        loaded[name] ??= weightsOf(await readNpz(await fetchWeights(model, name)));
      trouble = "";
    } catch (error) {
      trouble = `The weights could not be loaded (${error.message}).`;
      return figure.redraw();
    }
    if (turn !== runs) return;
    const score = predictor(loaded[state.scheme], programOf(state, loaded[state.scheme]));
    const right = { scheme: "rotary", mistake: "none", window: true };
    const judge = state.reads ? null : predictor(loaded.rotary, programOf(right));
    const there = runs > 1 ? PROMPT : written.length; // what stood there at the start is written at once
    written = [];
    let [scores, expected] = [null, null];
    const next = () => {
      const t = written.length;
      const given = state.reads || t < PROMPT;
      const character = given ? numberOf[SCENE[t]] : sampled(scores, DRAWS[t - PROMPT]);
      written.push([ALPHABET[character], t ? lossOf(judge ? expected : scores, character) : 0]);
      scores = score(character);
      expected = judge?.(character);
    };
    while (written.length < PROMPT) next();
    figure.mute(true);
    let [last, due] = [null, there - PROMPT];
    const step = (now) => {
      due += reducedMotion().matches ? Infinity : ((last === null ? 0 : Math.min(now - last, 100)) / 1000) * PACE;
      last = now;
      const until = performance.now() + BATCH;
      while (due >= 1 && written.length < SCENE.length && performance.now() < until) {
        next();
        due--;
      }
      if (written.length >= SCENE.length) return stop();
      if (!reducedMotion().matches) figure.redraw();
      running = requestAnimationFrame(step);
    };
    running = requestAnimationFrame(step);
  };

  const figure = movingFigure(model, el, update, {
    title: "A model writes Shakespeare: break its positions",
    names: ["scheme", "mistake", "window", "reads"],
    longest: { said: [LONGEST] },
  });
  figure.select(["scheme"], "positions", SCHEMES, { basis: "150px" });
  figure.select(["mistake"], "mistake", MISTAKES, { basis: "265px" });
  const WAYS = [
    ["it writes", false],
    ["it reads Macbeth", true],
  ];
  figure.select(["reads"], "text", WAYS, { basis: "170px" });
  figure.check("window", `hide keys more than ${MODEL.length - 1} back`);
  const go = figure.button("write", begin);
  const page = element("div", { class: "sh-text", role: "img" });
  const losses = model.get("losses").split(" ").filter(Boolean);
  written = [...(model.get("text") || SCENE.slice(0, PROMPT))].map((character, t) => [
    character,
    t ? losses[t - 1] / 100 : 0,
  ]);
  // Another program begins anew.
  const restart = () => {
    if (running) stop();
    written = written.slice(0, PROMPT);
    begin();
  };
  for (const name of ["scheme", "mistake", "window", "reads"]) model.on(`change:${name}`, restart);
  figure.atEnd(() => cancelAnimationFrame(running));
  return figure.start(element("style", {}, LOOK), page, note(NOTE));
}

export default { render };
