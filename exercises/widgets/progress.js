// All exercises by chapter, with links, and which of them are done in this browser.
import { element } from "../../figures/element.js";
import { frame } from "./frame.js";
import { CHANGED, dropState, forget, keepState, states } from "./kept.js";

const LOOK = `
.ask .ask-row { margin-bottom: 8px; }
.ask select { max-width: 100%; }
.ask progress { accent-color: var(--ask-main); flex: 1 1 90px; height: 16px; max-width: 200px; min-width: 60px; }
.ask .ask-chapter { border-top: 1px solid var(--ask-line); padding-top: 10px; margin-top: 14px; }
.ask .ask-name { font-weight: 650; flex: 1 1 180px; }
.ask ul { list-style: none; }
.ask li { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 10px; min-height: 36px; padding: 5px 0; }
.ask li > :first-child { padding-top: 3px; }
.ask li > :nth-child(2) { display: flex; flex-wrap: wrap; gap: 0 12px; justify-content: space-between; min-width: 0; }
.ask [hidden] { display: none; }
.ask a { color: inherit; display: inline-block; padding: 3px 0; text-decoration: underline;
  text-underline-offset: 0.2em; }
.ask .ask-facts { padding-top: 3px; }
.ask .ask-facts, .ask .ask-open { color: var(--ask-soft); }
.ask .ask-open { padding-left: 28px; }
.ask .ask-done { display: inline-flex; gap: 8px; align-items: center; min-height: 32px; margin: -5px 0;
  cursor: pointer; }
.ask .ask-foot { border-top: 1px solid var(--ask-line); margin: 14px 0 0; padding-top: 10px; }
`;
const OPEN = ["ask-open", "open"];
const WORDS = { passed: ["ask-right", "✓ done"], failed: ["ask-wrong", "✗ tried"] };

// The id that the book gives to the label of a heading, `(exercise-half_turn)=`.
const anchor = (name) =>
  `exercise-${name}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/-+$/, "");
const state = ([look, words]) => element("span", { class: look }, words);

function render({ model, el }) {
  const exercises = model.get("exercises");
  // On a page of the book its host shows the list, and there is no kernel: functions cannot be
  // checked, and the notebooks are pages.
  const isPage = Boolean(el.closest(".figure-host"));
  const link = ({ name, chapter, number, title }) =>
    isPage
      ? element("a", { href: `${chapter}.html#${anchor(name)}` }, `${number} ${title}`)
      : element("a", { href: `${chapter}.ipynb`, target: "_blank", rel: "noopener" }, `${number} ${title}`);

  const rows = exercises.map((exercise) => {
    const shown = element("span");
    const { name, title, kind, level } = exercise;
    const box = element("input", {
      type: "checkbox",
      "aria-label": `done: ${title}`,
      onChange: () => {
        if (box.checked) keepState(name, "passed");
        else dropState(name);
      },
    });
    const isMarked = isPage && !exercise.is_question; // by the reader
    const word = element("span");
    if (isMarked) shown.append(element("label", { class: "ask-done" }, box, word));
    const node = element(
      "li",
      {},
      shown,
      element("span", {}, link(exercise), element("span", { class: "ask-facts" }, `${kind} · level ${level} of 3`)),
    );
    const show = (now) => {
      box.checked = now === "passed";
      word.textContent = box.checked ? "done" : "open";
      if (!isMarked) shown.replaceChildren(state(WORDS[now] ?? OPEN));
    };
    return { exercise, node, draw: show };
  });

  // A count in words, and as a bar.
  const counter = (label) => {
    const bar = element("progress", { "aria-label": label });
    const text = element("span");
    const draw = (some, all) => {
      const done = some.filter(({ exercise }) => all[exercise.name] === "passed").length;
      [bar.max, bar.value] = [some.length || 1, done];
      text.textContent = `${done} of ${some.length} done`;
    };
    return { nodes: [text, bar], draw };
  };
  const total = counter("all exercises");
  const chapters = [...new Set(exercises.map(({ chapter }) => chapter))].map((chapter) => {
    const own = rows.filter(({ exercise }) => exercise.chapter === chapter);
    const name = `${Number.parseInt(chapter, 10)} ${own[0].exercise.chapter_title}`;
    const count = counter(name);
    const node = element(
      "div",
      { class: "ask-chapter" },
      element("div", { class: "ask-row" }, element("span", { class: "ask-name" }, name), ...count.nodes),
      element("ul", { role: "list", "aria-label": name }, ...own.map(({ node }) => node)),
    );
    return { own, node, count };
  });

  const select = (label, key, all, words) => {
    const values = [...new Set(exercises.map((exercise) => exercise[key]))].sort();
    const input = element(
      "select",
      { onChange: () => filter() },
      element("option", { value: "" }, all),
      ...values.map((value) => element("option", { value }, words(value))),
    );
    return { key, input, node: element("label", { class: "ask-row" }, label, input) };
  };
  const filters = [
    select("Kind", "kind", "all kinds", String),
    select("Level", "level", "all levels", (level) => `level ${level} of 3`),
  ];
  const status = element("p", { role: "status" });
  const filter = () => {
    for (const { exercise, node } of rows)
      node.hidden = filters.some(({ key, input }) => input.value && input.value !== String(exercise[key]));
    for (const { own, node } of chapters) node.hidden = own.every((row) => row.node.hidden);
    const shown = rows.filter(({ node }) => !node.hidden).length;
    status.textContent =
      shown < rows.length ? `${shown} of ${rows.length} exercises are shown.` : "All exercises are shown.";
  };

  // Python passes on what was checked there; a click on "Forget" passes on that it is gone.
  const merge = () => {
    for (const name of model.get("passed")) keepState(name, "passed");
  };
  const draw = () => {
    const all = states();
    for (const row of rows) row.draw(all[row.exercise.name]);
    for (const { own, count } of chapters) count.draw(own, all);
    total.draw(rows, all);
  };
  const button = (label, onClick) => element("button", { type: "button", onClick }, label);
  const ask = (on) => {
    sure.hidden = !on;
    first.hidden = on;
    (on ? no : first).focus();
  };
  const first = button("Forget all of it", () => ask(true));
  const no = button("No, keep it", () => ask(false));
  const yes = button("Yes, forget it", () => {
    forget();
    model.set("passed", []);
    model.save_changes();
    status.textContent = "All of it is forgotten.";
    ask(false);
  });
  const sure = element(
    "div",
    { class: "ask-row", hidden: "", role: "group", "aria-label": "Forget all of it?" },
    element("span", {}, "Forget all answers and all that is done?"),
    no,
    yes,
  );
  const where = isPage
    ? "This list is kept in this browser, nowhere else."
    : "This list is kept in this browser and in a file beside the kernel, nowhere else.";

  merge();
  draw();
  el.append(
    frame(
      LOOK,
      element("div", { class: "ask-row" }, element("span", { class: "ask-name" }, "All exercises"), ...total.nodes),
      element("div", { class: "ask-row" }, ...filters.map(({ node }) => node)),
      status,
      ...chapters.map(({ node }) => node),
      element("div", { class: "ask-foot" }, element("p", { class: "ask-row" }, where), first, sure),
    ),
  );
  model.on("change:passed", merge);
  // A question of this page or of another tab is answered, or this page comes back as it was left.
  const events = [CHANGED, "storage", "pageshow"];
  for (const event of events) addEventListener(event, draw);
  return () => {
    model.off("change:passed", merge);
    for (const event of events) removeEventListener(event, draw);
  };
}

export default { render };
