// The page "Bring your own model": a reader's config, read by pecode in a worker (publishing/live/worker.js).
// Nothing is sent anywhere. The cell above the form has brought the shipped models as JSON.
{
  const place = document.getElementById("own-model");
  const { models, chapters } = JSON.parse(place.querySelector("script").textContent);
  place.closest(".cell")?.replaceWith(place); // an output has a ground of its own
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  const h = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const words = (value) =>
    value === null || value === undefined
      ? "–"
      : typeof value === "number"
        ? value.toLocaleString("en-US", { maximumFractionDigits: 4 })
        : String(value);
  const many = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  // --- Python, started by the first question
  let worker, pending, started, isCode;
  let asked = 0;
  let bytes = 0;
  let waiting = 0;
  const AT_HOME = "On your machine, “python -m pecode config FILE” says the same.";
  const NONE = `This copy of the book brings no Python for the browser, or the browser cannot start it. ${AT_HOME}`;
  const finish = (report) => {
    clearTimeout(waiting);
    pending?.(report);
    pending = undefined;
  };
  // A worker that failed is of no use from then on: the next question starts another.
  const fail = (error) => {
    worker?.terminate();
    worker = started = undefined;
    bytes = 0;
    finish(error && { error });
  };
  const RUNS = "This code still runs: “Read it” ends it, and starts anew.";
  const wait = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => pending && isCode && started && say(RUNS), 6000);
  };
  const heard = {
    loading(message) {
      bytes += message.bytes || 0;
      say(`Loading Python: ${(bytes / 1e6).toFixed(0)} MB so far. Once it is there, no network is needed.`);
    },
    ready() {
      started = true;
      wait();
    },
    answer({ id, value }) {
      if (id === asked) finish(value);
    },
    broken({ error }) {
      const why = String(error).split("\n")[0].slice(0, 100);
      const rest = "What you typed is there: “Read it” starts Python again.";
      fail(`Python could not answer (${why}), and was ended. ${rest} ${AT_HOME}`);
    },
  };
  const ask = (argument) =>
    new Promise((done) => {
      if (pending && isCode && started) fail(); // this code may never end
      finish(); // nobody waits for the answer to an earlier question
      pending = done;
      asked += 1;
      isCode = /^\s*(def|class|from|import|@|#|\w+\s*=)/.test(argument.text);
      try {
        if (!worker) {
          worker = new Worker(new URL("python/worker.js", root), { type: "module" });
          worker.onmessage = ({ data }) => heard[data.say]?.(data);
          worker.onerror = () => fail(NONE);
          worker.postMessage({ do: "start" });
        }
        const call = { module: `pecode.diagnose.${isCode ? "functions" : "configuration"}`, name: "answer", argument };
        worker.postMessage({ do: "call", id: asked, ...call });
      } catch {
        fail(NONE); // a page from a file may start no worker
      }
    });

  // --- the form
  const status = h("p", { role: "status" });
  const say = (text) => {
    if (status.textContent !== text) status.textContent = text;
  };
  const result = h("div", { class: "own-result" });
  const text = h("textarea", {
    rows: 10,
    spellcheck: "false",
    autocomplete: "off",
    oninput: () => (select.value = ""),
  });
  const length = h("input", { type: "number", min: 1, step: 1, inputmode: "numeric" });
  const select = h(
    "select",
    {
      onchange: () => {
        if (select.value) put(JSON.stringify(models[select.value], null, 1));
      },
    },
    h("option", { value: "" }, "your own"),
    ...Object.keys(models).map((name) => h("option", { value: name }, name)),
  );
  const take = async (file) => {
    if (file) {
      select.value = "";
      put(await file.text());
    }
  };
  const file = h("input", { type: "file", accept: ".json,application/json", onchange: () => take(file.files[0]) });
  const put = (content) => {
    text.value = content;
    read();
  };
  const read = async (event) => {
    event?.preventDefault();
    form.setAttribute("aria-busy", "true");
    say("Reading …");
    const answer = ask({ text: text.value, length: length.value === "" ? null : Number(length.value) });
    wait();
    const report = await answer;
    if (!report) return; // a later question is on its way
    form.removeAttribute("aria-busy");
    if (report.error) {
      say(report.error);
      result.replaceChildren();
    } else if (report.examined) {
      say("The last function of the code was called at irregular positions.");
      result.replaceChildren(h("pre", { tabindex: 0 }, report.examined));
    } else show(report);
  };
  const form = h(
    "form",
    { onsubmit: read },
    h("label", {}, "model ", select),
    h("label", {}, "length of a text, in tokens ", length),
    h("label", {}, "file ", file),
    h("label", { class: "own-text" }, "config.json, or a function of positions in Python, typed or pasted here", text),
    h("button", { type: "submit" }, "Read it"),
  );

  // --- the report
  const ranges = (indices) => {
    const [first, last, count] = [indices[0], indices.at(-1), indices.length];
    if (count > 1 && last - first === count - 1) return `${first}–${last}`;
    return count > 4 ? `${indices.slice(0, 3).join(", ")} … ${last} (${count})` : indices.join(", ");
  };
  const from = (layer, name) => (layer.sources[name] ? ` (${layer.sources[name]})` : "");
  const rows = [
    ["layers", (l) => ranges(l.indices)],
    ["positions", (l) => l.scheme + from(l, "scheme")],
    ["columns of a head", (l) => words(l.head_dim)],
    ["turned", (l) => words(l.rotary_dim)],
    ["layout", (l) => words(l.layout) + from(l, "layout")],
    ["base", (l) => words(l.base) + from(l, "base")],
    ["rule", (l) => words(l.rule) + from(l, "rule")],
    ["factor", (l) => words(l.factor) + from(l, "factor")],
    ["cosines and sines ×", (l) => words(l.attention_scaling)],
    ["scores ×", (l) => words(l.score_scaling)],
    ["window", (l) => words(l.window)],
    ["trained length", (l) => words(l.trained_length)],
    ["promised length", (l) => words(l.promised_length)],
    ["axes", (l) => words(l.axes?.join(", "))],
    ["trained grid", (l) => words(l.grid?.some((n) => n) ? l.grid.map((n) => n ?? "?").join(" × ") : null)],
    [
      "sections",
      (l) => words(l.sections && l.sections.join(", ") + (l.sections_in_turn ? ", pair by pair in turn" : "")),
    ],
    ["rows of a table", (l) => words(l.rows)],
    ["buckets", (l) => words(l.buckets)],
    ["pairs at new angles", (l) => words(l.at_length && l.rotary_dim ? l.at_length.new_pairs.length : null)],
    [
      "pairs slowed",
      (l) => words(l.at_length?.slowed.length ? l.at_length.slowed.filter((ratio) => ratio > 1 + 1e-9).length : null),
    ],
    ["temperature", (l) => words(l.at_length?.temperature)],
    [
      "a row for the last token",
      (l) => words(l.at_length && l.at_length.has_row !== null ? (l.at_length.has_row ? "yes" : "no") : null),
    ],
  ];
  const table = (layers, label) =>
    h(
      "div",
      { class: "own-table", tabindex: 0, role: "region", "aria-label": label },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, h("td"), ...layers.map(({ kind }) => h("th", { scope: "col" }, kind.replaceAll("_", " ")))),
        ),
        h(
          "tbody",
          {},
          ...rows
            .map(([name, of]) => [name, layers.map(of)])
            .filter(([, values]) => values.some((value) => value !== "–"))
            .map(([name, values]) =>
              h("tr", {}, h("th", { scope: "row" }, name), ...values.map((value) => h("td", {}, value))),
            ),
        ),
      ),
    );
  const warned = ({ id, message, report }) => {
    const [number, address] = chapters[id];
    return h(
      "li",
      {},
      message,
      " ",
      h("a", { href: new URL(address, root) }, `Chapter ${number}`),
      ", ",
      h(
        "a",
        { href: report },
        report
          .replace(/^https:\/\/github.com\//, "")
          .replace(/\/(issues|pull)\//, " #")
          .replace(/\/blob\/.*/, ""),
      ),
      " ",
      h("code", {}, id),
    );
  };
  const show = ({ model_type, layers, vision, warnings, notes }) => {
    const n = layers.reduce((sum, layer) => sum + layer.indices.length, 0);
    say(
      `${model_type ?? "No type"}: ${many(n, "layer")} of ${many(layers.length, "kind")}, ` +
        `${many(warnings.length, "warning")}.`,
    );
    result.replaceChildren(
      table(layers, "The kinds of layers"),
      ...(vision.length ? [h("h3", {}, "The part for images"), table(vision, "The kinds of layers for images")] : []),
      ...(warnings.length ? [h("h3", {}, "Warnings"), h("ul", {}, ...warnings.map(warned))] : []),
      ...(notes.length
        ? [h("h3", {}, "What was assumed"), h("ul", {}, ...notes.map((note) => h("li", {}, note)))]
        : []),
    );
  };

  place.replaceChildren(form, status, result);
  select.value = "gpt-oss-20b";
  text.value = JSON.stringify(models[select.value], null, 1);
  length.value = 8192;
  say("Press “Read it”: Python is loaded then, once. Nothing that you paste leaves your browser.");
}
