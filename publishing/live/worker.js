// Python (Pyodide) in a worker, so that the page answers while it computes. What it is told to do, it does
// one after another; the messages in both directions are listed in README.md.
const MODULES = ["session.py", "backend.py"];
const FIRST = ["numpy", "pecode"]; // what every page imports
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const home = new URL(".", import.meta.url);
const core = new URL("pyodide-314.0.6/", home); // its version: what lies there never changes
const ask = self.fetch.bind(self);
const early = new Map(); // answers to what Python has not asked for yet
let python, session, packages;

// The names of these files, or of their folder, tell their content: what the browser has kept is right.
const get = async (address, options) => {
  const silence = new AbortController(); // a host that does not answer is away
  const patience = setTimeout(() => silence.abort(), 15_000);
  const answer = await ask(address, { cache: "force-cache", signal: silence.signal, ...options });
  clearTimeout(patience);
  const isCore = address.startsWith(core.href);
  if (isCore && !answer.ok) throw new Error(`${answer.status} ${address}`);
  postMessage({ say: "loading", name: address.replace(/.*\//, "") });
  return answer;
};
self.fetch = (resource, options) => {
  const address = String(resource.url ?? resource);
  const answer = early.get(address) ?? get(address, options);
  early.delete(address);
  // Without a part of its core Pyodide would wait forever, and say nothing.
  if (address.startsWith(core.href)) answer.catch((error) => postMessage({ say: "broken", error: String(error) }));
  return answer;
};
const text = async (name) => (await get(new URL(name, home).href, { cache: "no-cache" })).text();

// The wheel has empty files for what models hold: each becomes one that is fetched when Python opens it.
const lendWeights = () => {
  for (const room of ["shakespeare", "published"]) {
    const folder = `${SITE_PACKAGES}/lab/${room}`;
    for (const name of python.FS.readdir(folder).filter((name) => !python.FS.stat(`${folder}/${name}`).size)) {
      python.FS.unlink(`${folder}/${name}`);
      const address = new URL(`../_static/${room}/${name}`, home).href;
      python.FS.createLazyFile(folder, name, address, true, false);
    }
  }
};

// The packages of which modules are imported; the list has names in small letters, Python says Pillow for pillow.
const packagesOf = (names) =>
  Object.keys(packages).filter((key) => packages[key].imports.some((name) => names.includes(name)));
const isLoaded = (key) => packages[key].name in python.loadedPackages;
const addressOf = (key) => new URL(packages[key].file_name, home).href;
const integrity = (sha256) => {
  const bytes = sha256.match(/../g).map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return `sha256-${btoa(bytes.join(""))}`;
};
// Asks for packages, and what they depend on, before Python does.
const prefetch = (names) => {
  const wanted = new Set(packagesOf(names));
  for (const key of wanted) {
    for (const other of packages[key].depends) wanted.add(other);
    if (python && isLoaded(key)) continue;
    const answer = get(addressOf(key), { integrity: integrity(packages[key].sha256) });
    answer.catch(() => {}); // Python asks again, and says what is missing
    early.set(addressOf(key), answer);
  }
};
const load = async (names) => {
  const wanted = packagesOf(names).filter((key) => !isLoaded(key));
  if (wanted.length) await python.loadPackage(wanted, { messageCallback() {}, errorCallback() {} });
  return wanted.filter((key) => !isLoaded(key)); // not reached, or not the bytes that they should be
};
// Whether all came; what is the book's needs numpy.
const loadOrTell = async (names) => {
  const missing = await load(packagesOf(names).length ? [...FIRST, ...names] : []);
  if (missing.length) postMessage({ say: "missing", names: missing, host: new URL(addressOf(missing[0])).host });
  return !missing.length;
};

const does = {
  async start() {
    const texts = Promise.all(MODULES.map(text));
    const lock = text("pyodide-lock.json").then(JSON.parse);
    const ready = import(new URL("pyodide.mjs", core)).then(({ loadPyodide }) =>
      loadPyodide({ indexURL: core.href, lockFileContents: lock, packageBaseUrl: home.href }),
    );
    ({ packages } = await lock);
    prefetch(FIRST);
    python = await ready;
    for (const [k, source] of (await texts).entries()) python.FS.writeFile(`${SITE_PACKAGES}/${MODULES[k]}`, source);
    session = python.pyimport("session");
    session.start((message) => postMessage(JSON.parse(message)));
    postMessage({ say: "ready" });
    const missing = await load(FIRST);
    if (missing.length) return;
    lendWeights();
    FIRST.map(python.pyimport); // while the reader looks for a cell
  },
  async run({ cell, source }) {
    const [now, later] = session.needed(source).toJs();
    if (!(await loadOrTell(now))) return postMessage({ say: "end", cell, passed: false });
    prefetch(later);
    postMessage({ say: "begin", cell });
    postMessage({ say: "end", cell, passed: session.run(cell, source) });
  },
  state({ model, state }) {
    session.receive(model, JSON.stringify(state));
  },
  async call({ id, module, name, argument }) {
    if (!(await loadOrTell([module.split(".")[0]]))) return;
    postMessage({ say: "answer", id, value: JSON.parse(session.call(module, name, JSON.stringify(argument))) });
  },
};

let line = Promise.resolve();
self.onmessage = ({ data }) => {
  line = line
    .then(() => does[data.do](data))
    .catch((error) => postMessage({ say: "broken", id: data.id, error: String(error) }));
};
