// Python (Pyodide) in a worker, so that the page answers while it computes.
//
// It takes { do: "start", first, interrupt }, { do: "run", cell, source }, { do: "used" },
// { do: "state", model, state } and { do: "call", id, module, name, argument }, one after another,
// and posts { say: … }.

const MODULES = ["session.py", "backend.py"];
const LISTS = ["pyodide-lock.json", "needs.json"];
const SCRIPTS = ["pyodide.mjs", "pyodide.asm.mjs"];
const PLACE = "/lib/python3.14/site-packages";
const home = new URL(".", import.meta.url);
const core = new URL("pyodide-314.0.6/", home); // its version: what lies there never changes
const post = (message) => postMessage(message);
const ask = self.fetch.bind(self);
const early = new Map(); // what was asked for before Python asks for it
const used = new Map(); // each address, with its hash where there is one
let python, session, packages, needs;

// These files' names, or their folder's, tell their content: what the browser has kept is right.
const get = async (address, options = {}) => {
  const name = address.replace(/.*\//, "");
  used.set(address, options.integrity);
  const answer = await ask(address, { cache: "force-cache", ...options });
  post({ say: "loading", name, bytes: Number(answer.headers.get("content-length")) });
  return answer;
};
// Without a part of its core Pyodide would wait forever, and say nothing.
const have = ({ ok, status, url }) => {
  if (!ok) throw new Error(`${status} ${url}`);
};
self.fetch = (resource, options) => {
  const address = String(resource.url ?? resource);
  const answer = early.get(address) ?? get(address, options);
  early.delete(address);
  if (address.startsWith(core.href)) answer.then(have).catch((error) => post({ say: "broken", error: String(error) }));
  return answer;
};
const integrity = (sha256) =>
  `sha256-${btoa(
    sha256
      .match(/../g)
      .map((pair) => String.fromCharCode(parseInt(pair, 16)))
      .join(""),
  )}`;
// The list has names in small letters; Python says Pillow for pillow.
const isLoaded = (name) => packages[name].name in python.loadedPackages;
const addressOf = (name) => new URL(packages[name].file_name, home).href;

// The packages that modules need: what a module of the book imports is listed in needs.json.
const packagesFor = (modules) => {
  const top = modules.flatMap((module) => needs[module] ?? [module.split(".")[0]]);
  const named = new Set(top);
  return Object.keys(packages).filter((key) => packages[key].imports.some((name) => named.has(name)));
};
// Asks for packages, and what they need, before Python does.
const prefetch = (modules) => {
  const wanted = new Set(packagesFor(modules));
  for (const name of wanted) for (const other of packages[name].depends) wanted.add(other);
  for (const name of wanted) {
    const address = addressOf(name);
    if (early.has(address) || (python && isLoaded(name))) continue;
    const answer = get(address, { integrity: integrity(packages[name].sha256) });
    answer.catch(() => {}); // Python asks again, and says what is missing
    early.set(address, answer);
  }
};
// Returns the names of the packages that are not reached, or not what they should be.
const load = async (modules) => {
  const wanted = packagesFor(modules).filter((name) => !isLoaded(name));
  if (wanted.length) await python.loadPackage(wanted, { messageCallback() {}, errorCallback() {} });
  return wanted.filter((name) => !isLoaded(name));
};
const loadOrTell = async (modules) => {
  const names = await load(modules);
  if (names.length) post({ say: "missing", names, address: addressOf(names[0]) });
};

const does = {
  async start({ first = [], interrupt }) {
    const text = async (name) => {
      used.set(new URL(name, home).href);
      return (await ask(new URL(name, home), { cache: "no-cache" })).text();
    };
    const lists = Promise.all(LISTS.map(text));
    const texts = MODULES.map(text);
    for (const name of SCRIPTS) used.set(new URL(name, core).href);
    const ready = import(new URL(SCRIPTS[0], core)).then(({ loadPyodide }) =>
      loadPyodide({
        indexURL: core.href,
        lockFileURL: new URL(LISTS[0], home).href,
        packageBaseUrl: home.href,
        packageCacheDir: home.href,
      }),
    );
    const [lock, table] = (await lists).map((each) => JSON.parse(each));
    [packages, needs] = [lock.packages, table];
    prefetch(first);
    python = await ready;
    if (interrupt) python.setInterruptBuffer(interrupt);
    for (const [k, text] of (await Promise.all(texts)).entries()) python.FS.writeFile(`${PLACE}/${MODULES[k]}`, text);
    session = python.pyimport("session");
    session.start((text) => post(JSON.parse(text)));
    post({ say: "ready" });
    if (!(await load(first)).length) session.warm(first); // what is missing is told when a cell asks for it
  },
  async run({ cell, source }) {
    const [now, later] = session.needed(source).toJs();
    await loadOrTell(now);
    prefetch(later);
    post({ say: "begin", cell });
    post({ say: "end", cell, passed: session.run(cell, source) });
  },
  used() {
    post({ say: "used", addresses: [...used] });
  },
  state({ model, state }) {
    session.receive(model, JSON.stringify(state));
  },
  async call({ id, module, name, argument }) {
    await loadOrTell([module]);
    post({ say: "answer", id, value: JSON.parse(session.call(module, name, JSON.stringify(argument))) });
  },
};

let line = Promise.resolve();
self.onmessage = ({ data }) => {
  line = line
    .then(() => does[data.do](data))
    .catch((error) => post({ say: "broken", id: data.id, error: String(error) }));
};
