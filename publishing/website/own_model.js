// The page "Bring your own model": a reader's config, read by pecode in a worker (publishing/live/worker.js).
// Nothing is sent anywhere. The cell above the form has brought the shipped models as JSON.
import { element } from "../../figures/element.js";
import { Python } from "../live/python.js";

const place = document.getElementById("own-model");
const { models, sections } = JSON.parse(place.querySelector("script").textContent);
place.closest(".cell_output")?.replaceWith(place); // which has a ground of its own
const root = new URL(document.documentElement.dataset.content_root, location.href);
const many = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

// --- Python, started by the first question
const python = new Python(new URL("python/worker.js", root));
let pending, isCode;
let asked = 0;
const NONE = "This copy of the book brings no Python for the browser, or the browser cannot start it.";
// What does the same without the browser, once the wheel that this site serves is installed.
const atHome = async () => {
  const list = fetch(new URL("python/pyodide-lock.json", root)).then((answer) => answer.json());
  const name = await list.then(({ packages }) => packages.pecode.file_name).catch(() => null);
  const first = name ? `pip install ${new URL(`python/${name}`, root)}` : "# In a copy of the book:";
  const run = isCode ? "examine FILE.py:NAME --convert torch:tensor" : "config FILE";
  return `${first}\npython -m pecheck ${run}`;
};
const finish = (report) => {
  pending?.(report);
  pending = undefined;
};
const fail = (error) => {
  python.end();
  finish({ error, isLost: true });
};
// Said while code runs, which may never end.
const runs = () => pending && isCode && say("The code runs. “Read it” ends it, and starts anew.");
python.listeners = {
  loading({ name }) {
    say(`Loading ${name.split("-")[0]} … Once Python is there, no network is needed.`);
  },
  ready: runs,
  missing({ names, host }) {
    fail(`${names.join(", ")} could not be loaded from ${host}. “Read it” tries again.`);
  },
  answer({ id, value }) {
    if (id === asked) finish(value);
  },
  broken({ error, id, started }) {
    const why = String(error).replace(/^PythonError.*\n(?=\w+: )/s, ""); // of Python's own
    const ended = `Python could not answer (${why.match(/.{0,100}/)}), and was ended. “Read it” starts it again.`;
    fail(started || id ? ended : NONE);
  },
};
const ask = (argument) =>
  new Promise((done) => {
    if (pending && isCode && python.started) python.end(); // this code may never end
    finish(); // nobody waits for the answer to an earlier question
    pending = done;
    asked += 1;
    isCode = /^\s*(def|class|from|import|@|#|\w+\s*=)/.test(argument.text);
    const call = { module: `pecheck.${isCode ? "functions" : "configuration"}`, name: "answer", argument };
    try {
      python.send({ do: "call", id: asked, ...call });
      if (python.started) runs();
    } catch {
      fail(NONE); // a page from a file may start no worker
    }
  });

// --- the form
const status = element("p", { role: "status" });
const say = (text) => {
  if (status.textContent !== text) status.textContent = text;
};
const result = element("div", { class: "own-result" });
const print = (...text) => result.replaceChildren(element("pre", { tabindex: 0, hidden: !text.join("") }, ...text));
const oninput = () => (select.value = "");
const text = element("textarea", { rows: 6, spellcheck: "false", autocomplete: "off", oninput });
const length = element("input", { type: "number", min: 1, step: 1, inputmode: "numeric" });
const select = element(
  "select",
  { onchange: () => select.value && put(JSON.stringify(models[select.value], null, 1)) },
  element("option", { value: "" }, "your own"),
  ...Object.keys(models).map((name) => element("option", { value: name }, name)),
);
const onchange = async () => {
  select.value = "";
  if (file.files[0]) put(await file.files[0].text());
};
const file = element("input", { type: "file", accept: ".json,application/json", onchange });
const put = (content) => {
  text.value = content;
  read();
};
const read = async (event) => {
  event?.preventDefault();
  form.setAttribute("aria-busy", "true");
  result.style.minHeight = "100vh"; // what stands below it moves once, as it is pressed
  say("Reading …");
  const report = await ask({ text: text.value, length: length.value === "" ? null : Number(length.value) });
  if (!report) return; // a later question is on its way
  form.removeAttribute("aria-busy");
  if (report.error) {
    const lines = report.error.split("\n");
    if (report.isLost || lines[0].includes("No module named")) lines.push("On your machine:", await atHome());
    say(lines.shift());
    print(lines.join("\n"));
  } else if (report.examined) {
    say("The last function of the code was called at irregular positions.");
    print(report.examined);
  } else show(report);
};
const PASTED = "config.json, or a function of positions in Python, typed or pasted here";
const form = element(
  "form",
  { onsubmit: read },
  element("label", {}, "model ", select),
  element("label", {}, "length of a text, in tokens ", length),
  element("label", {}, "file ", file),
  element("label", { class: "own-text" }, PASTED, text),
  element("button", { type: "submit" }, "Read it"),
);

// --- the report: the blocks that the command prints, a card each, with links, bars and facts in columns
const linked = (text) =>
  text.split(/(https:\S+)/).map((part) => (part.startsWith("https:") ? element("a", { href: part }, part) : part));
const CELL = /([█▒░·])/;
const mark = (part) => (CELL.test(part) ? element("i", { class: `own-cell-${"█▒░·".indexOf(part)}` }) : part);
const fact = (text) => {
  const [, name, value] = text.match(/^ *(axes take pairs|\w+ (?=length|grid|to|of)\w+|\w+) (.*)/);
  return element("span", {}, `${name} `, element("b", {}, value));
};
const line = (text, k) => {
  const [, cells, legend] = text.match(/^ *([█▒░·]+) {2}(.*)/) ?? [];
  if (k === 1 && /^ {2}(head|layout|max length) /.test(text))
    return element("p", { class: "own-facts" }, ...text.split(/, (?=[a-z]+ )/).map(fact));
  if (!cells) return element("p", {}, ...linked(text.replace(/^[ ·]+/, "")));
  const bar = element("span", { class: "own-bar", "aria-hidden": true }, ...[...cells].map(mark));
  return element("p", {}, bar, element("span", { class: "own-key" }, ...legend.split(CELL).map(mark)));
};
const page = (address) => new URL(address.replace(/\.\w+#/, ".html#"), root);
const card = (lines) => {
  const kind = { "!": "warning", "·": "note" }[lines[0][0]] ?? "layer";
  const shown = element("section", { class: `own-card own-${kind}` }, ...lines.map(line));
  const [name, address] = sections[lines[1]?.trim().split(" ")[0]] ?? [];
  if (name) shown.lastChild.append(" · ", element("a", { href: page(address) }, name));
  return shown;
};
const show = ({ model_type, layers, warnings, blocks }) => {
  const n = layers.reduce((sum, layer) => sum + layer.indices.length, 0);
  const kinds = `${many(n, "layer")} of ${many(layers.length, "kind")}`;
  say(`${model_type ?? "No type"}: ${kinds}, ${many(warnings.length, "warning")}.`);
  result.replaceChildren(...blocks.slice(1).map(card));
};
for (const printed of document.querySelectorAll(".own-report"))
  printed.replaceWith(card(printed.textContent.split("\n")));

place.replaceChildren(form, status, result);
select.value = "gpt-oss-20b";
text.value = JSON.stringify(models[select.value], null, 1);
length.value = 8192;
const MEGABYTES = 17; // compressed: tests/browser/test_run.py
say(`“Read it” loads Python once (${MEGABYTES} MB). The report appears here; nothing leaves your browser.`);
