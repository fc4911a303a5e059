// The page "Bring your own model": a reader's config, read by pecode in a worker (publishing/live/worker.js).
// Nothing is sent anywhere. The cell above the form has brought the shipped models as JSON.
{
  const place = document.getElementById("own-model");
  const { models, chapters } = JSON.parse(place.querySelector("script").textContent);
  place.closest(".cell")?.replaceWith(place); // an output has a ground of its own
  const root = new URL(document.documentElement.dataset.content_root, location.href);
  const SVG = "http://www.w3.org/2000/svg";
  const build = (node, attributes, children) => {
    for (const [name, value] of Object.entries(attributes))
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const h = (tag, attributes = {}, ...children) => build(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) => build(document.createElementNS(SVG, tag), attributes, children);
  const words = (value) =>
    value === null || value === undefined
      ? "–"
      : typeof value === "number"
        ? value.toLocaleString("en-US", { maximumFractionDigits: 4 })
        : String(value);
  const many = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  // --- Python, started by the first question
  let worker,
    questions = 0,
    bytes = 0,
    trouble = "";
  const waiting = new Map();
  const NONE =
    "This copy of the book brings no Python for the browser, or the browser cannot start it. On your machine, “python -m pecode config FILE” says the same.";
  const heard = {
    loading(message) {
      bytes += message.bytes || 0;
      say(`Loading Python: ${(bytes / 1e6).toFixed(0)} MB so far. Once it is there, no network is needed.`);
    },
    answer: ({ id, value }) => settle(id, value),
    output: ({ output }) => {
      if (/^\w*Error/.test(output.text ?? "")) trouble = output.text.trim();
    },
    broken({ error }) {
      // it may be of no use from now on: the next question starts another
      const why = trouble || String(error).split("\n")[0].slice(0, 100);
      end();
      settle(undefined, {
        error: `Python could not answer (${why}), and was ended. What you typed is there: “Read it” starts Python again. On your machine, “python -m pecode config FILE” says the same.`,
      });
    },
  };
  const end = () => {
    worker?.terminate();
    worker = undefined;
    bytes = 0;
    trouble = "";
  };
  const settle = (id, value) => {
    for (const [key, done] of waiting)
      if (id === undefined || key === id) {
        waiting.delete(key);
        done(value);
      }
  };
  const ask = (argument) =>
    new Promise((done) => {
      try {
        if (!worker) {
          worker = new Worker(new URL("python/worker.js", root), { type: "module" });
          const mine = worker;
          worker.onmessage = ({ data }) => worker === mine && heard[data.say]?.(data);
          worker.onerror = () => {
            end();
            settle(undefined, { error: NONE });
          };
          worker.postMessage({ do: "start", first: ["numpy", "pecode"] });
        }
        questions += 1;
        waiting.set(questions, done);
        worker.postMessage({
          do: "call",
          id: questions,
          module: "pecode.diagnose.configuration",
          name: "answer",
          argument,
        });
      } catch {
        done({ error: NONE }); // a page from a file may start no worker
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
    const asked = { text: text.value, length: length.value === "" ? null : Number(length.value) };
    const report = await ask(asked);
    if (waiting.size) return; // a later question is on its way
    form.removeAttribute("aria-busy");
    if (report.error) {
      say(report.error);
      result.replaceChildren();
    } else show(report);
  };
  const form = h(
    "form",
    { onsubmit: read },
    h("label", {}, "model ", select),
    h("label", {}, "length of a text, in tokens ", length),
    h("label", {}, "file ", file),
    h("label", { class: "own-text" }, "config.json, typed, pasted or dropped here", text),
    h("button", { type: "submit" }, "Read it"),
  );
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });

  // --- the report
  const looks = (layer) => {
    if (/linear|mamba|conv|recurrent|mlp/.test(layer.kind)) return "empty";
    if (layer.scheme === "none") return "none";
    return layer.window ? "window" : "whole";
  };
  const MEANS = {
    whole: "sees everything",
    window: "has a window",
    none: "attends without positions",
    empty: "no attention",
  };
  const layerMap = (layers) => {
    const first = layers.filter(({ kind }) => kind !== "decoder"); // of two stacks, the encoder
    const n = Math.max(0, ...first.flatMap(({ indices }) => indices)) + 1;
    const cells = first.flatMap((layer) =>
      layer.indices.map((i) =>
        svg(
          "rect",
          { class: `own-${looks(layer)}`, x: i * 10 + 1, y: 1, width: 8, height: 22 },
          svg("title", {}, `layer ${i}: ${layer.kind}, ${layer.scheme}`),
        ),
      ),
    );
    const used = [...new Set(layers.map(looks))];
    return h(
      "figure",
      {},
      svg(
        "svg",
        {
          viewBox: `0 0 ${n * 10} 24`,
          preserveAspectRatio: "none",
          style: "height: 26px",
          role: "img",
          "aria-label": `${many(n, "layer")}; the table below has their numbers`,
        },
        ...cells,
      ),
      h(
        "figcaption",
        {},
        "The layers, first to last: ",
        ...used.flatMap((look) => [h("span", { class: `own-key own-${look}` }), ` ${MEANS[look]} `]),
      ),
    );
  };
  const H = 260,
    LEFT = 48,
    BOTTOM = 225;
  const short = new Intl.NumberFormat("en-US", { notation: "compact" });
  const ladder = (layers, asked) => {
    const W = Math.max(280, Math.min(640, place.clientWidth)); // letters keep their size on a phone
    const turned = layers.filter((layer) => layer.rotary_dim && layer.frequencies);
    if (!turned.length) return [];
    const [unit, first, last] = turned[0].axes // of several axes, a step is a row or a frame
      ? ["steps", "first pair", "last"]
      : ["tokens", "fastest pair", "slowest"];
    const tokens = (omega) => (omega > 0 ? (2 * Math.PI) / omega : NaN);
    const wavelengths = turned.flatMap(({ frequencies, plain }) =>
      [...frequencies, ...plain].map(tokens).filter(Number.isFinite),
    );
    const top = Math.ceil(
      Math.log10(Math.max(...wavelengths, asked ?? 10, ...turned.map((layer) => layer.trained_length ?? 10))),
    );
    const low = Math.min(0, Math.floor(Math.log10(Math.min(...wavelengths)))); // below 1 where coordinates are not counted
    const y = (value) => BOTTOM - ((BOTTOM - 15) * (Math.log10(value) - low)) / (top - low);
    const line = (omegas, attributes) => {
      const points = omegas
        .map((omega, i) => [LEFT + ((W - LEFT - 20) * i) / Math.max(omegas.length - 1, 1), y(tokens(omega))])
        .filter(([, v]) => Number.isFinite(v));
      return svg("path", {
        fill: "none",
        d: `M${points.map((point) => point.map((v) => v.toFixed(1)).join(" ")).join("L")}`,
        ...attributes,
      });
    };
    const level = (value, name, dash, x, anchor) =>
      value && value < 10 ** top
        ? [
            svg("line", {
              class: "own-level",
              x1: LEFT,
              x2: W - 20,
              y1: y(value),
              y2: y(value),
              "stroke-dasharray": dash,
            }),
            svg(
              "text",
              { class: "own-name", x, y: y(value) + (anchor === "start" ? 14 : -4), "text-anchor": anchor },
              `${name} ${words(value)}`,
            ),
          ]
        : [];
    const ticks = Array.from({ length: top - low + 1 }, (_, k) =>
      svg("text", { x: LEFT - 8, y: y(10 ** (k + low)) + 4, "text-anchor": "end" }, short.format(10 ** (k + low))),
    );
    const different = turned.filter(
      (layer, k) => turned.findIndex(({ frequencies }) => `${frequencies}` === `${layer.frequencies}`) === k,
    );
    const lines = different.flatMap((layer, k) => [
      line(layer.plain, { class: "own-plain" }),
      line(layer.frequencies, { class: `own-line own-line-${k % 2}` }),
    ]);
    const slow = different.map(
      (layer) =>
        `${layer.kind}: ${words(Math.round(Math.max(...layer.frequencies.map(tokens).filter(Number.isFinite))))} ${unit} in the slowest pair that turns`,
    );
    return [
      h(
        "figure",
        {},
        svg(
          "svg",
          {
            viewBox: `0 0 ${W} ${H}`,
            style: `max-width: ${W}px`,
            role: "img",
            "aria-label": `${unit} for one turn, of each pair. ${slow.join("; ")}`,
          },
          ...ticks,
          ...level(turned.at(-1).trained_length, "trained", "2 4", LEFT + 4, "start"),
          ...level(asked, "asked", "8 4", W - 20, "end"),
          ...lines,
          svg("text", { x: LEFT, y: H - 8 }, first),
          svg("text", { x: W - 20, y: H - 8, "text-anchor": "end" }, last),
        ),
        h("figcaption", {}, `For one turn of each pair, in ${unit}; dotted without the rule. `, `${slow.join("; ")}.`),
      ),
    ];
  };
  const ranges = (indices) => {
    const [first, last, count] = [indices[0], indices.at(-1), indices.length];
    if (count > 1 && last - first === count - 1) return `${first}–${last}`;
    return count > 4 ? `${indices.slice(0, 3).join(", ")} … ${last} (${count})` : indices.join(", ");
  };
  const rows = [
    ["layers", (l) => ranges(l.indices)],
    ["positions", (l) => l.scheme],
    ["columns of a head", (l) => words(l.head_dim)],
    ["turned", (l) => words(l.rotary_dim)],
    ["layout", (l) => words(l.layout)],
    ["base", (l) => words(l.base)],
    ["rule", (l) => words(l.rule)],
    ["factor", (l) => words(l.factor)],
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
  const show = ({ model_type, layers, vision, warnings, notes, length: asked }) => {
    const n = layers.reduce((sum, layer) => sum + layer.indices.length, 0);
    say(
      `${model_type ?? "No type"}: ${many(n, "layer")} of ${many(layers.length, "kind")}, ${many(warnings.length, "warning")}.`,
    );
    result.replaceChildren(
      layerMap(layers),
      ...ladder(layers, layers[0]?.axes ? null : asked),
      table(layers, "The kinds of layers"),
      ...(vision.length
        ? [h("h3", {}, "The part for images"), layerMap(vision), table(vision, "The kinds of layers for images")]
        : []),
      ...(warnings.length ? [h("h3", {}, "Warnings"), h("ul", {}, ...warnings.map(warned))] : []),
      ...(notes.length
        ? [h("h3", {}, "What was assumed"), h("ul", {}, ...notes.map((note) => h("li", {}, note)))]
        : []),
    );
  };

  place.replaceChildren(
    h(
      "style",
      {},
      `
    #own-model { --own-a: var(--pst-color-link); --own-b: #b34700; margin: 1rem 0; }
    html[data-theme="dark"] #own-model { --own-b: #f2a15f; }
    #own-model form { display: flex; flex-wrap: wrap; gap: .6rem 1.2rem; align-items: end; font-size: .95rem; }
    #own-model label { display: grid; gap: .2rem; max-width: 100%; }
    #own-model .own-text { flex: 1 1 100%; }
    #own-model :is(select, input, button, textarea) { font: inherit; min-height: 2.2rem; max-width: 100%;
      color: var(--pst-color-text-base); background: var(--pst-color-background); border: 1px solid var(--pst-color-text-muted);
      border-radius: 4px; padding: .2rem .5rem; }
    #own-model textarea { font: .85rem/1.35 var(--pst-font-family-monospace); width: 100%; }
    #own-model [role="status"] { min-height: 1.6em; margin: .6rem 0; overflow-wrap: anywhere; }
    #own-model figure { margin: .8rem 0; } #own-model figcaption { font-size: .9rem; color: var(--pst-color-text-muted); }
    #own-model svg { width: 100%; height: auto; display: block; } #own-model svg text { fill: currentColor; font-size: 13px; }
    #own-model .own-whole { fill: var(--own-a); background: var(--own-a); }
    #own-model .own-window { fill: color-mix(in srgb, var(--own-a) 40%, transparent); background: color-mix(in srgb, var(--own-a) 40%, transparent); }
    #own-model .own-none { fill: var(--own-b); background: var(--own-b); }
    #own-model .own-empty { fill: transparent; stroke: var(--pst-color-text-muted); }
    #own-model .own-key { display: inline-block; width: .8em; height: .8em; margin-left: .8em; border: 1px solid var(--pst-color-text-muted); }
    #own-model .own-line { stroke: var(--own-a); stroke-width: 2.5; } #own-model .own-line-1 { stroke: var(--own-b); }
    #own-model .own-plain { stroke: var(--pst-color-text-muted); stroke-width: 1.5; stroke-dasharray: 2 4; }
    #own-model .own-name { paint-order: stroke; stroke: var(--pst-color-background); stroke-width: 4px; }
    #own-model .own-level { stroke: var(--pst-color-text-muted); }
    #own-model .own-table { overflow-x: auto; } #own-model table { font-size: .9rem; margin: 0; }
    #own-model table :is(th, td) { text-align: left; padding: .15rem .8rem .15rem 0; vertical-align: top; }
    #own-model li { overflow-wrap: anywhere; }
    @media print { #own-model { display: none; } }`,
    ),
    form,
    status,
    result,
  );
  select.value = "gpt-oss-20b";
  text.value = JSON.stringify(models[select.value], null, 1);
  length.value = 8192;
  say("Press “Read it”: Python is loaded then, once. Nothing that you paste leaves your browser.");
}
