// Runs a page of the book where it is read: its cells become editors, Python works in a worker,
// and what a cell shows takes the place of what was stored. All of it is loaded by the first click.
const home = new URL(".", import.meta.url);
const root = new URL(document.documentElement.dataset.content_root, location.href);
const MEGABYTES = 22; // of a first visit with figures, compressed: tests/browser/test_run_all.py
const FIRST = ["numpy", "pecode"]; // what every page imports
const SPOKEN = 1000; // characters of an output up to which a screen reader reads it out as it comes
const GRACE = 700; // milliseconds that a cell has to end after it was told to stop
const INTERRUPTS = 4; // how often it is told again, where there is shared memory; then Python is ended

const h = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
const button = (text, onclick, attributes = {}) => h("button", { type: "button", onclick, ...attributes }, text);

// The bar at the foot of the window: what is going on, and what concerns the whole page.
const status = h("p", { class: "run-status", role: "status" });
const actions = h("div", { class: "run-actions" });
const bar = h("section", { class: "run-bar dressed", "aria-label": "Python in this page" }, status, actions);
const say = (text, aloud = true) => {
  status.setAttribute("aria-live", aloud ? "polite" : "off");
  if (status.textContent !== text) status.textContent = text;
};
const offer = (...buttons) => actions.replaceChildren(...buttons);

// What a reader typed, kept in this browser: { page: { cell: { now, was } } }.
const KEY = "pecode-cells";
const allTyped = () => {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return {}; // also when what was kept cannot be read
  }
};
let forgetful = "";
const keepAll = (path, typed) => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...allTyped(), [path]: typed }));
    if (!(localStorage instanceof Storage)) throw new Error("cookies are off"); // publishing/website/templates/layout.html
  } catch {
    forgetful ||= "untold";
  }
};
const keep = (path, id, text) => {
  const { [id]: _, ...others } = allTyped()[path] ?? {};
  keepAll(path, text === null ? others : { ...others, [id]: text });
};

const NEEDED = {
  WebAssembly: () => WebAssembly.Exception,
  "whole numbers of 64 bits": () => BigInt64Array,
  workers: () => Worker,
};
const lacks = () =>
  Object.entries(NEEDED)
    .filter(([, look]) => {
      try {
        return !look();
      } catch {
        return true;
      }
    })
    .map(([name]) => name);
const isPhone = () =>
  navigator.connection?.saveData ||
  (matchMedia("(pointer: coarse)").matches && Math.min(screen.width, screen.height) < 600);

// Python: a worker, which starts with the page, and anew when something is to run after it was stopped.
class Python {
  #worker = null;
  #interrupt = null;
  #loaded = 0;
  listeners = {};
  started = false;

  send(message) {
    this.start();
    if (this.#interrupt) this.#interrupt[0] = 0; // what came too late for the cell before
    this.#worker.postMessage(message);
  }

  start() {
    if (this.#worker) return;
    this.#loaded = 0;
    this.#worker = new Worker(new URL("worker.js", home), { type: "module" });
    const worker = this.#worker; // what one said that has ended is no longer heard
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    worker.onerror = ({ message }) =>
      worker === this.#worker && this.#hear({ say: "broken", error: message ?? "the worker did not start" });
    if (globalThis.crossOriginIsolated) this.#interrupt = new Uint8Array(new SharedArrayBuffer(1));
    this.#worker.postMessage({ do: "start", first: FIRST, interrupt: this.#interrupt });
  }

  #hear(message) {
    if (message.say === "loading") this.#loaded += message.bytes;
    if (message.say === "ready") this.started = true;
    const { started } = this;
    if (message.say === "broken") this.end();
    this.listeners[message.say]?.({ ...message, started }, this.#loaded);
  }

  // Asks the cell to stop, where the server allows shared memory; otherwise there is only the end.
  interrupt() {
    if (this.#interrupt) this.#interrupt[0] = 2;
    return Boolean(this.#interrupt);
  }

  end() {
    this.#worker?.terminate();
    this.#worker = null;
    this.started = false;
  }
}

const PICTURE = "img, svg.drawn";

class Cell {
  constructor(page, node, { id, source, outputs }, number) {
    Object.assign(this, { page, node, id, number, outputs });
    this.book = this.source = [source].flat().join("");
    this.ran = null; // the source that Python has run
    this.mounted = [];
    this.input = node.querySelector(".cell_input");
    this.place = node.querySelector(".cell_output") ?? this.#newPlace();
    this.stored = [...this.place.children];
    this.pictures = this.stored
      .flatMap((each) => [...each.querySelectorAll(PICTURE)])
      .map((img) => img.closest("a") ?? img);
    this.live = h("div", { class: "run-live", "aria-live": "polite" });
    this.place.prepend(this.live);
    if (this.input) this.#edit();
  }

  #newPlace() {
    const place = h("div", { class: "cell_output docutils container" });
    (this.input?.closest("details.hide") ?? this.node).append(place);
    return place;
  }

  #edit() {
    const { page, input, number } = this;
    const kept = page.typed[this.id];
    if (kept) this.source = kept.now;
    this.outdated = Boolean(kept) && kept.was !== this.book;
    const isCheck = /^check\(/.test(this.book);
    const name = isCheck ? "Check" : "Run";
    this.button = button(name, () => page.run(this), { class: "run-button", "aria-label": `${name} cell ${number}` });
    this.reset = button("Reset", () => this.restore(), { "aria-label": `Reset cell ${number}`, hidden: "" });
    const above = button("Run all above", () => page.runAll(page.cells.slice(0, number - 1)), {
      "aria-label": `Run all cells above cell ${number}`,
    });
    for (const child of input.children) child.classList.add("run-stored");
    const holder = h("div", { class: "run-editor" });
    input.append(holder, h("div", { class: "run-tools" }, this.button, ...(number > 1 ? [above] : []), this.reset));
    this.editor = page.editor({
      parent: holder,
      text: this.source,
      label: `Code of cell ${number}. Escape leaves the editor.`,
      run: () => page.run(this),
      leave: () => this.button.focus(),
      changed: (text) => this.change(text),
    });
    this.reset.hidden = this.source === this.book;
  }

  change(text) {
    this.source = text;
    this.reset.hidden = text === this.book;
    keep(this.page.path, this.id, text === this.book ? null : { now: text, was: this.book });
    this.page.changed();
  }

  // The book's text and what was stored come back; what Python knows stays.
  restore() {
    if (this.editor && this.source !== this.book)
      this.editor.dispatch({ changes: { from: 0, to: this.source.length, insert: this.book } });
    this.clear();
    this.touched = false;
    this.dropped = this.page.running === this; // what it still shows is of the text that went
    for (const node of this.place.querySelectorAll(".run-stored")) node.classList.remove("run-stored");
    this.button?.focus();
  }

  clear() {
    for (const figure of this.mounted) figure.dispose();
    this.mounted = [];
    this.shown = 0; // pictures
    for (const node of [...this.place.querySelectorAll(".run-live:is(img, svg)")]) node.remove();
    this.live.replaceChildren();
  }

  begin() {
    this.ran = this.source;
    this.dropped = false;
    this.touched = true;
    this.fresh = true; // what was shown before stays until there is something new
    this.node.classList.add("run-running");
  }

  #refresh() {
    if (!this.fresh) return;
    this.fresh = false;
    this.clear();
    for (const node of this.stored) if (!node.querySelector(PICTURE)) node.classList.add("run-stored");
  }

  end() {
    this.node.classList.remove("run-running");
    if (this.dropped) return;
    this.#refresh();
    for (const picture of this.pictures.slice(this.shown)) picture.classList.add("run-stored");
    if (this.page.asked === this) for (const box of this.node.querySelectorAll("details.hide")) box.open = true;
  }

  show({ output_type: type, data = {}, display_id: id, ...output }) {
    if (this.dropped) return;
    this.#refresh();
    if (type === "stream") return this.#print(output);
    if (type === "error")
      return this.live.append(hushed(h("div", { class: "output traceback" }, pre(output.traceback.join("")))));
    if (data.figure) return this.#draw(data["image/svg+xml"]);
    const node = hushed(this.#render(data));
    const before = id && this.live.querySelector(`[data-display="${id}"]`);
    if (id) node.dataset.display = id;
    if (id) node.setAttribute("aria-live", "off"); // it may change ten times a second
    node.hidden = !Object.values(data).join("");
    if (before) before.replaceWith(node);
    else this.live.append(node);
  }

  // Of very much there is a tail, which each message replaces.
  #print({ name, text, tail }) {
    if (tail !== undefined) {
      this.live.querySelector(`[data-tail="${name}"]`)?.remove();
      return this.live.append(write(stream(name, { "data-tail": name, "aria-live": "off" }), tail));
    }
    let last = [...this.live.children].findLast((node) => !node.hidden); // a bar of progress hides at its end
    if (last?.dataset.stream !== name) {
      last = stream(name, { "data-stream": name });
      this.live.append(last);
    }
    hushed(write(last, text));
  }

  #draw(markup) {
    const place = this.pictures[this.shown++];
    const stored = place?.querySelector("img") ?? place;
    const same = place && this.source === this.book;
    const picture = harmless(new DOMParser().parseFromString(markup, "image/svg+xml").documentElement);
    picture.classList.add("run-live");
    picture.setAttribute("role", "img");
    picture.setAttribute(
      "aria-label",
      same ? (stored.getAttribute("aria-label") ?? stored.alt) : "Picture drawn by this cell",
    );
    if (!place) return this.live.append(picture);
    place.classList.add("run-stored");
    place.after(picture);
  }

  #render(data) {
    const view = data["application/vnd.jupyter.widget-view+json"];
    if (view) {
      const box = h("div", { class: "anyhost", "aria-live": "off" }); // it says itself what is to be heard
      this.mounted.push(this.page.mount(view, box));
      return box;
    }
    const markdown = data["text/markdown"];
    if (markdown) {
      const same = this.outputs.findIndex((each) => [each.data?.["text/markdown"]].flat().join("") === markdown);
      if (same >= 0 && this.stored[same]) return copy(this.stored[same]);
      return formatted(markdown);
    }
    const markup = data["text/html"] ?? data["image/svg+xml"];
    if (!markup) return write(h("div", { class: "output text_plain" }, pre("")), data["text/plain"] ?? "");
    const { body } = new DOMParser().parseFromString(markup, "text/html");
    return h("div", { class: "output text_html" }, ...harmless(body).childNodes);
  }
}
const stream = (name, mark) =>
  h("div", { class: `output ${name === "stderr" ? "stderr" : "stream"}`, ...mark }, pre(""));
// As a browser reads an address: without control characters and spaces before it, tabs and ends of lines in it.
// An animation gives a link one address after the other, in a list.
const isScript = (addresses) => /(^|;)[\0- ]*(javascript:|data:text\/html)/i.test(addresses.replace(/[\t\n\r]/g, ""));
// What a cell shows runs no script of its own.
const harmless = (node) => {
  for (const each of [node, ...node.querySelectorAll("*")]) {
    if (/^(script|iframe|object|embed|base|meta|link|form)$/i.test(each.localName)) each.remove();
    for (const { name, value } of [...each.attributes])
      if (/^on|^srcdoc$/i.test(name) || isScript(value)) each.removeAttribute(name);
  }
  return node;
};
// What is long is not read out whole: it is there, to be read.
const hushed = (node) => {
  if (node.textContent.length > SPOKEN) node.setAttribute("aria-live", "off");
  return node;
};
const pre = (text) => h("div", { class: "highlight" }, h("pre", {}, text));
// Adds a text to a block, and notes its longest line, as publishing/website/pages.py does: book.css chooses the
// size of the letters by it.
const write = (node, text) => {
  const block = node.querySelector(".highlight");
  const lines = ((block.lastLine ?? "") + text).split("\n");
  block.lastLine = lines.at(-1);
  block.columns = lines.reduce((most, { length }) => Math.max(most, length), block.columns ?? 1);
  block.style.setProperty("--columns", block.columns);
  block.querySelector("pre").append(text);
  return node;
};

// The part of Markdown that the book's cells display: paragraphs, tables, and what stands in a line.
const INLINE = /`([^`]+)`|[*][*](.+?)[*][*]|[*]([^*]+)[*]|\[([^\]]+)\]\(([^()\s]+)\)/;
const inline = (text) => {
  const found = INLINE.exec(text);
  if (!found) return [text];
  const [all, code, strong, emphasis, label, address] = found;
  const node = code
    ? h("code", {}, code)
    : strong
      ? h("strong", {}, ...inline(strong))
      : emphasis
        ? h("em", {}, ...inline(emphasis))
        : h("a", { href: /^(https?:|[^:]*$)/.test(address) ? address : null }, ...inline(label));
  return [text.slice(0, found.index), node, ...inline(text.slice(found.index + all.length))];
};
const cells = (line) =>
  line
    .trim()
    .replace(/^[|]|(?<!\\)[|]$/g, "")
    .split(/(?<!\\)[|]/)
    .map((cell) => cell.replaceAll("\\|", "|").trim());
const row = (line, tag) => h("tr", {}, ...cells(line).map((cell) => h(tag, {}, ...inline(cell))));
const block = (text) => {
  const [head, rule, ...rows] = text.split("\n");
  if (!/^[|:\s-]*-[|:\s-]*$/.test(rule ?? "") || !head.includes("|")) return h("p", {}, ...inline(text));
  const table = h(
    "table",
    { class: "table" },
    h("thead", {}, row(head, "th")),
    h("tbody", {}, ...rows.map((line) => row(line, "td"))),
  );
  return h("div", { class: "pst-scrollable-table-container", tabindex: "0" }, table);
};
const formatted = (markdown) =>
  h(
    "div",
    { class: "output text_markdown" },
    ...markdown
      .trim()
      .split(/\n\s*\n/)
      .map(block),
  );
const copy = (node) => {
  const twin = node.cloneNode(true);
  twin.classList.remove("run-stored");
  return twin;
};

class Page {
  constructor(path, notebook, editor, python) {
    Object.assign(this, { path, editor, python, queue: [], running: null, runs: 0, asked: null });
    this.typed = allTyped()[path] ?? {};
    this.figures = new Map();
    const nodes = [...document.querySelectorAll("article div.cell")];
    const codes = notebook.cells.filter(({ cell_type }) => cell_type === "code");
    if (nodes.length !== codes.length) throw new Error(`${codes.length} cells, and ${nodes.length} on the page`);
    this.cells = nodes.map((node, k) => new Cell(this, node, codes[k], k + 1));
    python.listeners = {
      loading: ({ name }, bytes) =>
        this.running || this.queue.length
          ? say(`Loading ${name.split("-")[0]} … ${(bytes / 1e6).toFixed(1)} MB so far`)
          : null,
      ready: () => this.tell(),
      begin: () => this.tell(),
      output: ({ output }) => this.running?.show(output),
      state: ({ model, state }) => this.figures.get(model)?.receive(state),
      end: ({ passed }) => this.ended(passed),
      missing: (message) => this.missing(message),
      broken: (message) => this.broken(message),
      used: ({ addresses }) => this.keepOffline(addresses),
    };
    this.stopButton = button("Stop", () => this.stop());
    this.restartButton = button("Restart", () =>
      this.restart("Python begins anew: its variables are gone, what you typed is there."),
    );
    this.resetButton = button("Reset all", () => this.resetAll());
    offer(
      button("Run all", () => this.runAll(this.cells)),
      this.stopButton,
      this.restartButton,
      this.resetButton,
    );
    this.changed();
  }

  changed() {
    this.resetButton.disabled = !this.cells.some(({ source, book, touched }) => touched || source !== book);
    if (forgetful === "untold")
      say(
        "Your browser does not keep what you type (its store is full or closed): it is gone when you leave this page.",
      );
    if (forgetful) forgetful = "told";
  }

  // A cell, and before it the cells above that Python does not know as they stand.
  run(cell) {
    if (this.running === cell && cell.ran === cell.source && !cell.dropped) return; // a second click
    const above = this.cells.slice(0, cell.number - 1).filter(({ ran, source }) => ran !== source);
    this.start([...above, cell], { asked: cell, stopAtError: false });
  }

  runAll(cells) {
    this.start(cells, { asked: null, stopAtError: true });
  }

  start(cells, { asked, stopAtError }) {
    Object.assign(this, { asked, stopAtError, trouble: "" });
    if (!this.running) this.first = this.runs + 1;
    this.queue = [...this.queue.filter((cell) => !cells.includes(cell)), ...cells];
    this.next();
  }

  next() {
    const idle = !this.running && !this.queue.length;
    if (idle && document.activeElement === this.stopButton) actions.querySelector("button").focus(); // a disabled one drops it
    this.stopButton.disabled = idle;
    if (this.running || idle) return this.tell();
    this.running = this.queue.shift();
    this.runs += 1;
    this.stopButton.disabled = false;
    this.running.begin();
    this.changed();
    this.tell();
    this.python.send({ do: "run", cell: this.running.number, source: this.running.source });
  }

  ended(passed) {
    const cell = this.running;
    if (!cell) return; // a cell can post such messages, too
    this.running = null;
    cell.end();
    if (!passed && this.stopAtError) this.queue = [];
    if (!this.queue.length)
      say(
        this.trouble ||
          (passed
            ? `Cell ${cell.number} has run.`
            : `Cell ${cell.number} stopped with an error, which stands below it.`),
      );
    this.next();
    if (!this.running && navigator.serviceWorker) this.python.send({ do: "used" });
  }

  // When nothing runs: what has been loaded is kept for a visit without a network.
  async keepOffline(used) {
    const registration = await navigator.serviceWorker.register(new URL("offline.js", root)).catch(() => null);
    const worker = registration?.installing ?? registration?.waiting ?? registration?.active;
    if (!worker) return; // a browser that keeps nothing runs the page all the same
    const here = [
      location.href,
      ...performance.getEntriesByType("resource").map(({ name }) => name),
      new URL("worker.js", home).href,
    ];
    const ours = here.map((address) => address.replace(/#.*/, "")).filter((address) => address.startsWith(root.href));
    worker.postMessage({ keep: [...new Map([...ours.map((address) => [address]), ...used])] });
  }

  tell() {
    if (this.running) {
      const more = this.queue.length ? `, ${this.queue.length} more to come` : "";
      say(`Running cell ${this.running.number} of ${this.cells.length}${more} …`, this.runs === this.first); // not all that follow
    }
  }

  stop() {
    this.queue = [];
    const { running: cell, runs } = this;
    if (!cell) return;
    say("Stopping …");
    // An interrupt can get lost where Python ignores what is raised, and a cell can catch it.
    const wait = (tries) =>
      setTimeout(() => {
        if (this.running !== cell || this.runs !== runs) return; // it ended; a reader may have run it again
        if (tries) {
          this.python.interrupt();
          wait(tries - 1);
          return;
        }
        this.restart(
          `Cell ${cell.number} was stopped, and with it Python: its variables are gone. “Run” runs the cells above again.`,
        );
      }, GRACE);
    wait(this.python.interrupt() ? INTERRUPTS : 0);
  }

  // Python ends, with all that it knows, and nothing is to run.
  forget() {
    this.python.end();
    this.queue = [];
    this.running?.end();
    this.running = null;
    for (const each of this.cells) each.ran = null;
    this.next();
  }

  // Whatever a cell has done to Python: it begins anew, at once.
  restart(text) {
    this.forget();
    this.python.start();
    say(text);
  }

  resetAll() {
    for (const cell of this.cells) if (cell.touched || cell.source !== cell.book) cell.restore();
    keepAll(this.path, {}); // what was typed into cells that the book no longer has goes, too
    this.changed();
    this.restart("The page is as it was, and Python begins anew.");
    actions.querySelector("button").focus();
  }

  mount(view, box) {
    const tell = (state) => this.python.send({ do: "state", model: view.model_id, state });
    const figure = globalThis.anyhost.live(view.model_id, view.state, box, tell);
    this.figures.set(view.model_id, figure);
    return figure;
  }

  async missing({ names, address }) {
    const { host } = new URL(address);
    const reached = await fetch(address, { method: "HEAD" }).then(
      ({ ok }) => ok,
      () => false,
    );
    this.trouble = reached
      ? `What came from ${host} is not what it should be: ${names.join(", ")}. Your browser refuses it.`
      : `Your browser does not reach ${host}, which has ${names.join(", ")}. ` +
        "Is there a connection, or does a filter keep it away?";
    say(this.trouble);
  }

  broken({ error, started }) {
    const why = String(error).split("\n")[0].slice(0, 100);
    const { running } = this;
    this.forget();
    if (started && running) this.python.start(); // what it was doing may have been too much; nothing else is
    say(
      started
        ? `Python broke down${running ? ` in cell ${running.number}` : ""} (${why}) and begins anew: its variables are gone, what you typed is there.`
        : `Python could not be started (${why}). Is there a connection to the network? “Run” tries again.`,
    );
  }
}

const script = (address) =>
  new Promise((resolve, reject) => {
    document.head.append(h("script", { src: address, onload: resolve, onerror: () => reject(new Error(address)) }));
  });

const open = async (path) => {
  say("Loading the editor …");
  const python = new Python();
  python.start(); // beside the editor: a reader who runs a cell at once waits less
  const [notebook, { editor }] = await Promise.all([
    fetch(new URL(`_sources/${path}`, root)).then((answer) => answer.json()),
    import(new URL("editor.js", home)),
    globalThis.anyhost ?? script(new URL("_static/anyhost.js", root)),
  ]);
  const page = new Page(path, notebook, editor, python);
  const changed = page.cells.filter(({ source, book }) => source !== book).length;
  const outdated = page.cells.filter((cell) => cell.outdated).length;
  say(
    [
      "Change a cell, and run it with Shift+Enter.",
      changed
        ? `${changed === 1 ? "One cell is" : `${changed} cells are`} as you left ${changed === 1 ? "it" : "them"}.`
        : "",
      outdated ? `The book has a newer text of ${outdated}: Reset shows it.` : "",
    ]
      .filter(Boolean)
      .join(" "),
  );
  return page;
};

// What the button of the page calls; a second click leads back to the bar.
export const start = async (path) => {
  if (bar.isConnected) return actions.querySelector("button")?.focus();
  const ready = new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: new URL("run.css", home), onload: done, onerror: done }));
  });
  document.body.append(bar);
  await ready;
  const missing = lacks();
  if (missing.length)
    return say(
      `This browser is too old to run Python: it has no ${missing.join(", no ")}. A current Firefox, Chrome, Edge or Safari has.`,
    );
  const go = () => {
    offer();
    return open(path).catch((error) => say(`This page cannot run (${error.message}).`));
  };
  if (!isPhone()) return go();
  say(`Python runs on your phone, too. It loads about ${MEGABYTES} MB the first time.`);
  offer(button(`Load ${MEGABYTES} MB`, go));
};
