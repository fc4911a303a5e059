// Python (Pyodide) in a worker, so that the page answers while it computes.
//
// It takes { do: "start", home, first }, { do: "run", cell, source }, { do: "state", model, state }
// and { do: "call", id, module, name, argument, needs }, one after another, and posts { say: … }.
const MODULES = ["session.py", "backend.py"];
const PLACE = "/lib/python3.14/site-packages";
const home = new URL(".", import.meta.url);
const post = (message) => postMessage(message);
const ask = self.fetch.bind(self);
const early = new Map(); // what was asked for before Python asks for it
let python, session, packages, needs;

// A file's name tells its content, so what the browser has kept is right, also without a network.
const get = async (address, options = {}) => {
  const name = address.replace(/.*\//, "");
  const answer = await ask(address, { cache: /[.](whl|wasm|zip)$/.test(name) ? "force-cache" : "no-cache", ...options });
  post({ say: "loading", name, bytes: Number(answer.headers.get("content-length")) });
  return answer;
};
self.fetch = (resource, options) => {
  const address = String(resource.url ?? resource);
  const answer = early.get(address) ?? get(address, options);
  early.delete(address);
  return answer;
};
const integrity = (sha256) =>
  `sha256-${btoa(sha256.match(/../g).map((pair) => String.fromCharCode(parseInt(pair, 16))).join(""))}`;
const addressOf = (name) => new URL(packages[name].file_name, home).href;

// The packages that modules need: what a module of the book imports is listed in needs.json.
const packagesFor = (modules) => {
  const top = modules.flatMap((module) => needs[module] ?? [module.split(".")[0]]);
  const named = new Set(top);
  return Object.values(packages).filter(({ imports }) => imports.some((name) => named.has(name))).map(({ name }) => name);
};
const load = async (modules) => {
  const wanted = packagesFor(modules).filter((name) => !(name in python.loadedPackages));
  if (!wanted.length) return;
  await python.loadPackage(wanted, { messageCallback() {}, errorCallback() {} });
  const missing = wanted.filter((name) => !(name in python.loadedPackages));
  if (missing.length) post({ say: "missing", names: missing, address: addressOf(missing[0]) });
};

const does = {
  async start({ first = [], interrupt }) {
    const json = (name) => ask(new URL(name, home), { cache: "no-cache" }).then((answer) => answer.json());
    const lists = Promise.all([json("pyodide-lock.json"), json("needs.json")]);
    const texts = MODULES.map((name) =>
      ask(new URL(name, home), { cache: "no-cache" }).then((answer) => answer.text()));
    const core = import(new URL("pyodide.mjs", home));
    const ready = core.then(({ loadPyodide }) => loadPyodide({ indexURL: home.href, packageCacheDir: home.href }));
    [{ packages }, needs] = await lists;
    for (const name of packagesFor(first)) {
      const answer = get(addressOf(name), { integrity: integrity(packages[name].sha256) });
      answer.catch(() => {}); // Python asks again, and says what is missing
      early.set(addressOf(name), answer);
    }
    python = await ready;
    if (interrupt) python.setInterruptBuffer(interrupt);
    for (const [k, text] of (await Promise.all(texts)).entries())
      python.FS.writeFile(`${PLACE}/${MODULES[k]}`, text);
    session = python.pyimport("session");
    session.start((text) => post(JSON.parse(text)));
    post({ say: "ready" });
  },
  async run({ cell, source }) {
    await load(session.imports(source).toJs());
    post({ say: "begin", cell });
    post({ say: "end", cell, passed: session.run(cell, source) });
  },
  state({ model, state }) {
    session.receive(model, JSON.stringify(state));
  },
  async call({ id, module, name, argument }) {
    await load([module]);
    post({ say: "answer", id, value: JSON.parse(session.call(module, name, JSON.stringify(argument))) });
  },
};

let line = Promise.resolve();
onmessage = ({ data }) => {
  line = line.then(() => does[data.do](data)).catch((error) => post({ say: "broken", id: data.id, error: String(error) }));
};
