// Mounts the interactive figures on a page of the book: no kernel, no require.js, no html-manager.
//
// A figure is a Python class and one ES module. In JupyterLab the module talks to the class; here
// it talks to a model made from the state that is stored in the notebook. myst-nb writes that
// state, and one script per figure that says which model to show. The same module runs in both
// places: it must do its own mathematics and draw from `model.get`, `model.set` and `model.on`.
//
// A classic script, since modules are refused on file://; what it loads comes from a blob.
import { element } from "../../figures/element.js";

const MIME = "application/vnd.jupyter.widget-";
const models = new Map();
const modules = new Map();

class Model extends EventTarget {
  #state;
  #changed = {};
  #tell;

  // Where Python runs in the page, `tell` gets what a reader changes; else there is nobody to tell.
  constructor(state, tell = () => {}) {
    super();
    this.#state = { ...state };
    this.#tell = tell;
  }

  get(key) {
    return this.#state[key];
  }

  set(name, value) {
    if (Object.is(this.#state[name], value)) return;
    this.#state[name] = this.#changed[name] = value;
    this.dispatchEvent(new Event(`change:${name}`));
  }

  save_changes() {
    this.#tell(this.#changed);
    this.#changed = {};
  }

  // What Python says: it need not be told.
  receive(state) {
    for (const [name, value] of Object.entries(state)) {
      this.set(name, value);
      delete this.#changed[name];
    }
  }

  send() {}

  on = this.addEventListener;
  off = this.removeEventListener;
}

// The state of a page names the file of the code (publishing/website/noscript.py); Python, where
// it runs in the page, sends the code itself.
const codeOf = async (text) => {
  if (!/^\w+\.js\?/.test(text)) return text;
  const src = `${document.documentElement.dataset.content_root}_static/widgets/${text}`;
  return new Promise((resolve, reject) => {
    const onError = () => reject(new Error(`${text} could not be loaded`));
    document.head.append(element("script", { src, onError, onLoad: ({ target }) => resolve(target.code) }));
  });
};

const imported = async (text) => {
  const url = URL.createObjectURL(new Blob([await codeOf(text)], { type: "text/javascript" }));
  return (await import(url).finally(() => URL.revokeObjectURL(url))).default;
};

const load = (text) => {
  if (!modules.has(text)) modules.set(text, imported(text));
  return modules.get(text);
};

// The code of a figure is one click away: publishing/website/pages.py writes a page for each class of the book.
const sourceLink = (model) => {
  const [room, file, name] = model.get("_anywidget_id").split(".");
  const root = document.documentElement.dataset.content_root; // a page of another site has none
  if (room !== "figures" || root === undefined) return [];
  const href = `${root}_modules/figures/${file}.html`;
  const label = { "aria-label": `Source of the figure ${name}`, "data-figure": name };
  return [element("a", { class: "figure-host-source", href, ...label }, "Source")];
};

const mount = async (model, box) => {
  const widget = await load(model.get("_esm"));
  const clean = await widget.render({ model, el: box });
  box.append(...sourceLink(model));
  box.dataset.mounted = "";
  return clean;
};

for (const script of document.querySelectorAll(`script[type="${MIME}state+json"]`))
  for (const [id, { state }] of Object.entries(JSON.parse(script.textContent).state)) models.set(id, new Model(state));

const show = (id, box) =>
  mount(models.get(id), box).catch((error) => {
    // The reader sees that something is missing; the checks see it in the console.
    box.className = "figure-host figure-host-failed";
    box.textContent = "This interactive figure could not be started.";
    console.error("interactive figure:", error);
  });

// For a page that runs (publishing/live/page.js): a figure that Python made in it.
globalThis.figureHost = {
  live(id, state, box, tell) {
    const model = new Model(state, tell);
    models.set(id, model);
    const mounted = show(id, box);
    return {
      receive: (changes) => model.receive(changes),
      dispose: () =>
        mounted.then((clean) => {
          models.delete(id);
          clean?.();
        }),
    };
  },
};

// A figure is drawn when it comes near, so that the first screen does not wait for the last. Its
// module is loaded now: paper does not wait, and what is loaded is drawn at once.
// What fails, `show` tells the reader.
for (const model of models.values()) if (model.get("_esm")) load(model.get("_esm")).catch(() => {});

const waiting = new Map(); // the box of each figure that is not drawn, and the id of its model
const start = (box) => {
  const id = waiting.get(box);
  if (waiting.delete(box)) show(id, box);
};
const startAll = () => [...waiting.keys()].forEach(start);
const near = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => start(target)),
  { rootMargin: "800px" },
);
for (const script of document.querySelectorAll(`script[type="${MIME}view+json"]`)) {
  const box = element("div", { class: "figure-host", style: "min-height: 1px" }); // an empty box is never seen
  script.after(box);
  waiting.set(box, JSON.parse(script.textContent).model_id);
  near.observe(box);
}
// The rest follow one at a time when the page has nothing else to do: a picture of the whole page,
// or a search in it, finds them drawn.
const whenIdle = window.requestIdleCallback ?? ((callback) => setTimeout(callback, 300));
const startNext = () => {
  const [box] = waiting.keys();
  if (!box) return;
  start(box);
  whenIdle(startNext);
};
addEventListener("load", () => whenIdle(startNext));
addEventListener("beforeprint", startAll);
if (matchMedia("print").matches) startAll(); // opened as on paper
