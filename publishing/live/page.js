// Runs a page of the book where it is read: its cells become editors, Python works in a worker,
// and what a cell shows takes the place of what was stored. All of it is loaded by the first click.
import { keep, kept } from "../../exercises/widgets/kept.js";
import { element } from "../../figures/element.js";
import { Python } from "./python.js";

const home = new URL(".", import.meta.url);
const root = new URL(document.documentElement.dataset.content_root, location.href);
const MEGABYTES = 26; // of a first visit with figures, compressed: tests/browser/test_run.py

const button = (text, onclick, attributes = {}) => element("button", { type: "button", onclick, ...attributes }, text);
const isTouched = matchMedia("(pointer: coarse)").matches;

// The bar at the foot of the window: what is going on, and what concerns the whole page.
const status = element("p", { class: "run-status", role: "status" });
const actions = element("div", { class: "run-actions" });
const bar = element("section", { class: "run-bar", "aria-label": "Python in this page" }, status, actions);
const say = (text, aloud = true) => {
  status.setAttribute("aria-live", aloud ? "polite" : "off");
  if (status.textContent !== text) status.textContent = text;
};

const KEY = "pecode-cells"; // of what a reader typed: { page: { cell: text } }
const LOADED = "pecode-python"; // that it was loaded here

const PICTURE = "img, svg.drawn";
const output = (type, ...children) => element("div", { class: `output ${type}` }, ...children);
// What is printed, with the marks that the stored text has (hanging in publishing/website/pages.py).
const LONG = /^(?=.{39})( *)(?!.*\S {2,}\S.* {2}\S)[^<\n]+\n?/gm;
const marked = (text) =>
  text.replace(LONG, (line, { length }) => `<span class="long" style="--in: ${length}ch">${line}</span>`);
const printed = (type, ...texts) => output(type, element("div", { class: "highlight" }, element("pre", {}, ...texts)));

class Cell {
  constructor(page, node, { id, source, outputs }, number) {
    Object.assign(this, { page, node, id, number, outputs });
    this.book = source.join("").replace(/ *# fmt: skip$/gm, ""); // for a tool, not for readers
    this.isCheck = /^check\(/.test(this.book);
    this.source = page.typed[id] ?? this.book;
    this.ran = null; // the source that Python has run
    this.figures = []; // that move
    this.input = node.querySelector(".cell_input");
    this.place = node.querySelector(".cell_output") ?? element("div", { class: "cell_output docutils container" });
    if (!this.place.isConnected) (this.input?.closest("details.hide") ?? node).append(this.place);
    this.stored = [...this.place.children];
    this.pictures = this.stored
      .flatMap((each) => [...each.querySelectorAll(PICTURE)])
      .map((picture) => picture.closest("a") ?? picture);
    this.live = element("div", { class: "run-live" });
    this.place.prepend(this.live);
    if (this.input) this.#edit();
  }

  #edit() {
    const { page, input, number } = this;
    // What runs is stopped; the second click of a double one is none.
    const click = ({ detail }) => detail < 2 && (page.running === this ? page.stop() : page.run(this));
    this.button = button("", click, { class: "run-button" });
    this.#name();
    this.reset = button("Reset", () => this.restore(), { "aria-label": `Reset cell ${number}` });
    input.querySelector(".run-first")?.remove(); // this cell's own button takes its place
    for (const child of input.children) child.classList.add("run-stored");
    const holder = element("div", { class: "run-editor highlight" });
    this.time = element("span", { class: "run-time" });
    input.append(element("div", { class: "run-tools" }, this.time, this.reset, this.button), holder);
    this.editor = page.library.editor({
      parent: holder,
      text: this.source,
      label: `Code of cell ${number}. Escape leaves the editor.`,
      run: () => page.run(this),
      leave: () => this.button.focus(),
      changed: (text) => this.change(text),
    });
    this.reset.hidden = this.source === this.book;
  }

  #name(name = this.isCheck ? "Check" : "Run") {
    if (!this.button) return;
    this.button.textContent = name;
    this.button.setAttribute("aria-label", `${name} cell ${this.number}`);
  }

  change(text) {
    this.source = text;
    this.reset.hidden = text === this.book;
    this.node.classList.remove("run-done", "run-failed");
    this.page.changed();
  }

  // The book's text and what was stored come back; what Python knows stays.
  restore() {
    if (this.editor && this.source !== this.book)
      this.editor.dispatch({ changes: { from: 0, to: this.source.length, insert: this.book } });
    this.button?.focus({ preventScroll: true }); // "Reset" goes
    this.#clear();
    this.dropped = this.page.running === this; // what it still shows is of the text that went
    for (const node of this.place.querySelectorAll(".run-stored")) node.classList.remove("run-stored");
  }

  #clear() {
    for (const figure of this.figures) figure.dispose();
    this.figures = [];
    this.drawn = 0; // pictures
    for (const node of [...this.place.querySelectorAll("svg.run-live")]) node.remove();
    this.live.replaceChildren();
  }

  begin() {
    this.ran = this.source;
    this.began = performance.now();
    this.dropped = false;
    this.node.classList.remove("run-done", "run-failed");
    this.node.classList.add("run-running", "run-waiting"); // dim, what was shown stays until there is something new
    this.#name("Stop");
  }

  #refresh() {
    if (!this.node.classList.contains("run-waiting")) return;
    this.node.classList.remove("run-waiting");
    this.#clear();
    for (const node of this.stored) if (!node.querySelector(PICTURE)) node.classList.add("run-stored");
  }

  end(passed) {
    this.node.classList.remove("run-running");
    this.#name();
    const seconds = ((performance.now() - this.began) / 1000).toFixed(1);
    if (this.time) this.time.textContent = `${passed ? "ran in" : "stopped after"} ${seconds} s`;
    if (this.dropped) return this.node.classList.remove("run-waiting");
    this.#refresh();
    for (const picture of this.pictures.slice(this.drawn)) picture.classList.add("run-stored");
    for (const text of this.live.querySelectorAll(":is(.stream, .text_plain) pre"))
      text.innerHTML = marked(text.innerHTML);
    if (this.page.asked === this) for (const box of this.node.querySelectorAll("details.hide")) box.open = true;
  }

  show({ output_type, name, text, ename, traceback, data, display_id: id }) {
    if (this.dropped) return;
    this.#refresh();
    if (output_type === "stream") this.#print(name, text);
    else if (output_type === "error") this.#fail(ename, traceback.join(""));
    else if (data.figure) this.#draw(data["image/svg+xml"]);
    else {
      const node = this.#render(data);
      node.hidden = !Object.values(data).join(""); // a line of progress hides at its end
      const before = id && this.live.querySelector(`[data-display="${id}"]`);
      if (id) node.dataset.display = id;
      if (before) before.replaceWith(node);
      else this.live.append(node);
    }
  }

  #print(name, text) {
    const last = [...this.live.children].findLast((node) => !node.hidden);
    if (last?.dataset.stream === name) return last.querySelector("pre").append(text);
    const node = printed(name === "stderr" ? "stderr" : "stream", text);
    node.dataset.stream = name;
    this.live.append(node);
  }

  // The line that names the error is red.
  #fail(name, trace) {
    const start = trace.lastIndexOf("\n", trace.lastIndexOf(name)) + 1;
    const [line] = trace.slice(start).split("\n", 1);
    const rest = trace.slice(start + line.length);
    this.live.append(printed("traceback", trace.slice(0, start), element("span", { class: "run-error" }, line), rest));
  }

  #draw(markup) {
    const place = this.pictures[this.drawn++];
    const stored = place?.querySelector("img") ?? place;
    const same = place && this.source === this.book;
    const picture = this.page.library.harmless(markup).firstElementChild;
    picture.classList.add("run-live");
    picture.setAttribute("role", "img");
    const alt = same ? (stored.getAttribute("aria-label") ?? stored.alt) : "Picture drawn by this cell";
    picture.setAttribute("aria-label", alt);
    place?.classList.add("run-stored");
    if (place) place.after(picture);
    else this.live.append(picture);
  }

  #render(data) {
    const view = data["application/vnd.jupyter.widget-view+json"];
    if (view) {
      const box = element("div", { class: "figure-host" });
      this.figures.push(this.page.mount(view, box));
      return box;
    }
    const markdown = data["text/markdown"]; // the page has it as HTML, unless the cell was changed
    const same = this.outputs.findIndex((each) => each.data?.["text/markdown"]?.join("") === markdown);
    if (markdown && this.stored[same]) {
      const twin = this.stored[same].cloneNode(true);
      twin.classList.remove("run-stored");
      return twin;
    }
    const markup = data["text/html"] ?? data["image/svg+xml"];
    if (markup) return output("text_html", ...this.page.library.harmless(markup).childNodes);
    return printed("text_plain", markdown ?? data["text/plain"] ?? "");
  }
}

class Page {
  constructor(path, notebook, library, python) {
    Object.assign(this, { path, library, python, queue: [], running: null, asked: null, aloud: true });
    this.typed = kept(KEY)[path] ?? {};
    this.figures = new Map();
    const nodes = [...document.querySelectorAll("article div.cell")];
    const codes = notebook.cells.filter(({ cell_type }) => cell_type === "code");
    if (nodes.length !== codes.length) throw new Error(`${codes.length} cells, and ${nodes.length} on the page`);
    this.cells = nodes.map((node, k) => new Cell(this, node, codes[k], k + 1));
    python.listeners = {
      loading: (message) => this.loading(message),
      ready: () => this.tell(),
      begin: () => this.tell(),
      output: ({ output: shown }) => this.running?.show(shown),
      state: ({ model, state }) => this.figures.get(model)?.receive(state),
      end: ({ passed }) => this.ended(passed),
      missing: (message) => this.missing(message),
      broken: (message) => this.broken(message),
    };
    this.stopButton = button("Stop", () => this.stop(), { disabled: "" });
    const restart = () => this.restart("Python was restarted: its variables are gone, what you typed is there.");
    actions.replaceChildren(
      button("Run all", () => this.start(this.cells)),
      this.stopButton,
      button("Restart", restart),
      button("Reset all", () => this.resetAll()),
    );
  }

  changed() {
    const changed = this.cells.filter(({ source, book }) => source !== book);
    keep(KEY, this.path, Object.fromEntries(changed.map(({ id, source }) => [id, source])));
  }

  // Leads to the code that the reader asked for, is at, or comes to next.
  lead(asked) {
    // not folded, nor covered by a prediction
    const open = this.cells.filter(({ input }) => input && !input.closest("details, [hidden]"));
    const cell =
      asked ?? open.find(({ node }) => node.getBoundingClientRect().bottom > 100) ?? open.at(-1) ?? this.cells[0];
    const { top, bottom } = cell.node.getBoundingClientRect();
    if (top < 60 || bottom > innerHeight - bar.offsetHeight) cell.node.scrollIntoView();
    cell.button?.focus({ preventScroll: true });
  }

  // A cell, and before it the cells above that Python does not know as they stand.
  run(cell) {
    if (this.running === cell && cell.ran === cell.source && !cell.dropped) return; // a second click
    const above = this.cells.slice(0, cell.number - 1).filter(({ ran, source }) => ran !== source);
    this.start([...above, cell], cell);
  }

  start(cells, asked = null) {
    Object.assign(this, { asked, trouble: "", aloud: true });
    this.queue = [...this.queue.filter((cell) => !cells.includes(cell)), ...cells];
    this.next();
  }

  next() {
    const before = this.running;
    this.running ??= this.queue.shift();
    for (const cell of this.cells) cell.node.classList.toggle("run-queued", this.queue.includes(cell));
    if (before) return this.tell();
    if (!this.running && document.activeElement === this.stopButton) actions.firstChild.focus(); // or it would be lost
    this.stopButton.disabled = !this.running;
    if (!this.running) return;
    this.running.begin();
    this.tell();
    this.aloud = false; // of many cells the first and the end are read out
    this.python.send({ do: "run", cell: this.running.number, source: this.running.source });
  }

  ended(passed) {
    const cell = this.running;
    if (!cell) return; // a cell can post such messages, too
    this.running = null;
    cell.end(passed);
    const verdict = cell.isCheck && cell.live.textContent[0]; // ✓, ✗, or · of a function that is not written
    const kind = passed && verdict !== "✗" ? "run-done" : "run-failed";
    if (!cell.dropped && verdict !== "·") cell.node.classList.add(kind);
    if (!passed && !this.asked) this.queue = [];
    const done = this.asked ? `Cell ${cell.number} has run.` : "The cells have run.";
    const how = passed ? done : `Cell ${cell.number} stopped with an error, which stands below it.`;
    if (!this.queue.length) say(this.trouble || how);
    this.next();
  }

  loading({ name }) {
    if (this.running) say(`Loading ${name.split("-")[0]} …`, false);
  }

  tell() {
    if (!this.running) return;
    const more = this.queue.length ? `, ${this.queue.length} more to come` : "";
    say(`Running cell ${this.running.number} of ${this.cells.length}${more} …`, this.aloud);
  }

  // A browser cannot interrupt a worker: it is ended, and Python with it.
  stop() {
    this.restart("Python was stopped: its variables are gone. “Run” runs the cells above again.");
  }

  // Python ends, with all that it knows, and nothing is to run.
  forget() {
    this.python.end();
    this.queue = [];
    this.running?.end();
    this.running = null;
    for (const cell of this.cells) {
      cell.ran = null;
      cell.node.classList.remove("run-done", "run-failed");
    }
    this.next();
  }

  restart(text) {
    this.forget();
    this.python.start();
    say(text);
  }

  resetAll() {
    this.restart("The page is as it was, and Python was restarted.");
    for (const cell of this.cells) cell.restore();
    this.changed();
    actions.firstChild.focus();
  }

  mount(view, box) {
    const tell = (state) => this.python.send({ do: "state", model: view.model_id, state });
    const figure = globalThis.figureHost.live(view.model_id, view.state, box, tell);
    this.figures.set(view.model_id, figure);
    return figure;
  }

  // A cell that needs what does not come, and those after it, do not run.
  missing({ names, host }) {
    const why = "Is there a connection, does a filter keep it away, or was the file changed?";
    const what = `${names.join(", ")} could not be loaded from ${host}`;
    this.trouble = `Cell ${this.running.number} did not run: ${what}. ${why} “Run” tries again.`;
    this.queue = [];
    Object.assign(this.running, { dropped: true, ran: null }); // what is stored stays
  }

  broken({ error, started }) {
    const why = String(error).split("\n")[0].slice(0, 100);
    const where = this.running ? ` in cell ${this.running.number}` : "";
    this.forget();
    const happened = started ? `broke down${where}` : "could not be started";
    const needs = "It needs a connection and a current browser (Safari 26.1 or newer).";
    say(`Python ${happened} (${why}). ${needs} “Run” starts it again; what you typed is there.`);
  }
}

let page = null; // once its cells can be changed
const open = async (path) => {
  say("Loading the editor …");
  const python = new Python(new URL("worker.js", home));
  python.start(); // beside the editor: a reader who runs a cell at once waits less
  const [notebook, library] = await Promise.all([
    fetch(new URL(`_sources/${path}`, root)).then((answer) => answer.json()),
    import(new URL("editor.js", home)),
    globalThis.figureHost ?? import(new URL("_static/figure_host.js", root)),
  ]);
  page = new Page(path, notebook, library, python);
  const launch = document.querySelector(".btn-launch-live");
  launch.querySelector(".btn__text-container").textContent = "Editing is on";
  document.documentElement.classList.add("run-on");
  page.lead(page.cells[launch.dataset.cell]);
  const cost = kept(LOADED).once ? "" : ` Python loads about ${MEGABYTES} MB, once.`;
  keep(LOADED, "once", true);
  say(isTouched ? "Change a cell, press Run." : `Change a cell, and press Run or Shift+Enter.${cost}`);
  page.cells[launch.dataset.cell]?.button.click(); // of which it was asked
};

// What the button of the page calls; a second click leads to the code again.
export const start = async (path) => {
  if (bar.isConnected) return page ? page.lead() : actions.firstChild?.focus();
  document.body.append(bar);
  const style = { rel: "stylesheet", href: new URL("run.css", home) };
  await new Promise((done) => document.head.append(element("link", { ...style, onload: done, onerror: done })));
  const go = () => open(path).catch((error) => say(`This page cannot run (${error.message}).`));
  const isPhone = isTouched && Math.min(screen.width, screen.height) < 600;
  if (kept(LOADED).once || (!isPhone && !navigator.connection?.saveData)) return go();
  say(`Python runs on your phone, too. It loads about ${MEGABYTES} MB the first time.`);
  actions.replaceChildren(
    button(`Load ${MEGABYTES} MB`, go),
    button("Not now", () => {
      bar.remove();
      document.querySelector(".btn-launch-live").focus();
    }),
  );
};
