// A question: options to choose from, or a number to type; then the verdict, and why.
import { element } from "../../figures/element.js";
import { frame, onward } from "./frame.js";
import { answerTo, keepAnswer, keepState, readNumber } from "./kept.js";

const LOOK = `
.ask .ask-option { display: flex; gap: 8px; align-items: baseline; padding: 6px 0; min-height: 36px; cursor: pointer; }
.ask .ask-option input { align-self: start; margin-top: 3px; }
.ask .ask-why { padding: 0 0 6px 28px; color: var(--ask-soft); }
.ask .ask-others { list-style: none; }
.ask .ask-others li { padding: 6px 0 0; color: var(--ask-soft); }
.ask .ask-buttons { margin-top: 8px; }
@media (width >= 600px) { .ask form:has(> fieldset > label.ask-row) { display: flex; gap: 16px; align-items: end; } }
.ask input[type="text"] { width: 9em; max-width: 100%; cursor: text; }
.ask .ask-verdict:not(:empty) { margin-top: 10px; }
@media print { .ask { break-inside: avoid; }
  .ask :is(.ask-verdict, .ask-why, .ask-others, .ask-option input) { display: none; }
  .ask input[type="text"] { color: transparent; background: none; } }
`;

// `code` and *emphasis*; everything else is text.
const MARKS = /(`[^`]+`|(?<![\p{L}\p{N}_*])\*(?=\S)[^*]+(?<=\S)\*(?![\p{L}\p{N}_*]))/u;
const inline = (text) =>
  text.split(MARKS).map((part, k) => (k % 2 ? element(part[0] === "`" ? "code" : "em", {}, part.slice(1, -1)) : part));

const OPEN = -1; // no option is chosen; not null, which does not reach a Python in the browser
const letter = (k) => `${String.fromCharCode(97 + k)})`;
const right = () => element("span", { class: "ask-right" }, "✓ Right.");
const wrong = () => element("span", { class: "ask-wrong" }, "✗ Not this one.");

function render({ model, el }) {
  const [name, options, unit] = ["name", "options", "unit"].map((key) => model.get(key));
  const isNumber = model.get("kind") === "number";
  const verdict = element("div", { class: "ask-verdict", "aria-live": "polite" });
  const others = element("ul", { class: "ask-others", hidden: "" });
  const say = (...children) => verdict.replaceChildren(...children);

  // The answer in the model, and the option that it is, or what is said to a number of no option.
  const answer = () => model.get(isNumber ? "typed" : "chosen");
  const isOpen = () => (isNumber ? !answer() : answer() < 0);
  const found = () => {
    if (!isNumber) return options[answer()];
    const value = readNumber(answer());
    const near = (
      option, // rounding: 0.35 is within 0.05 of 0.3
    ) => Math.abs(value - option.value) <= model.get("tolerance") + 1e-9 * Math.max(1, Math.abs(option.value));
    const first = [...options].sort((a, b) => b.right - a.right);
    return first.find(near) ?? { right: false, why: model.get("otherwise") };
  };

  // The controls of a choice: an option, and below it, once the question is solved, why.
  const radios = options.map((_, k) =>
    element("input", { type: "radio", name: "answer", value: k, onChange: () => unsay() }),
  );
  const whys = options.map(({ why }) => element("p", { class: "ask-why", hidden: "" }, "✗ ", ...inline(why)));
  const choice = () =>
    options.flatMap(({ text }, k) => [
      element(
        "label",
        { class: "ask-option" },
        radios[k],
        element("span", {}, letter(k)),
        element("span", {}, ...inline(text)),
      ),
      whys[k],
    ]);
  // The controls of a number. A phone's keys for numbers have no minus.
  const field = element("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    inputmode: options.some(({ value }) => value < 0) ? "text" : "decimal",
    onInput: () => unsay(),
  });
  const number = () => [element("label", { class: "ask-row" }, "Answer", field, unit)];

  // What stands below is about the answer that was checked: with another it goes.
  const unsay = () => {
    say();
    verdict.classList.remove("ask-passed");
    for (const why of [...whys, others]) why.hidden = true;
    field.removeAttribute("aria-invalid");
  };
  const draw = () => {
    unsay();
    if (isNumber) field.value = answer();
    else radios.forEach((radio, k) => (radio.checked = k === answer()));
    again.hidden = isOpen();
    if (isOpen()) return;
    const option = found();
    say(element("p", {}, option.right ? right() : wrong(), " ", ...inline(option.why)), option.right ? onward(el) : "");
    verdict.classList.toggle("ask-passed", option.right);
    if (!option.right) return;
    others.hidden = !isNumber;
    whys.forEach((why, k) => (why.hidden = isNumber || options[k].right)); // that one is said below
  };
  const set = (value) => {
    model.set(isNumber ? "typed" : "chosen", value);
    model.save_changes();
    draw(); // also where nothing changed: then the verdict is said again
  };

  const keepChecked = () => {
    keepAnswer(name, answer());
    keepState(name, found().right ? "passed" : "failed");
  };

  const check = (event) => {
    event.preventDefault();
    const chosen = radios.findIndex((radio) => radio.checked);
    const typed = field.value.trim();
    if (isNumber ? !typed : chosen < 0)
      return say(element("p", {}, isNumber ? "Type a number first." : "Choose one of the answers first."));
    if (isNumber && readNumber(typed) === null) {
      field.setAttribute("aria-invalid", "true");
      const comma = /\d,\d{3}/.test(typed) ? " A thousand is written 1000." : "";
      return say(element("p", {}, `“${typed}” cannot be read as a number: write 0.5, -2, 1/3 or 1e-3.${comma}`));
    }
    set(isNumber ? typed : chosen);
    verdict.scrollIntoView({ block: "nearest" }); // it may be below the edge of the window
    keepChecked();
  };
  const clear = () => {
    (isNumber ? field : radios[0]).focus(); // the button goes
    set(isNumber ? "" : OPEN);
    keepAnswer(name, null);
  };
  const again = element("button", { type: "button", onClick: clear }, "Try again");

  others.append(
    ...options
      .filter((option) => !option.right)
      .map(({ text, why }) => element("li", {}, element("span", {}, `✗ ${text} ${unit}`.trim(), ": "), ...inline(why))),
  );
  const root = frame(
    LOOK,
    element(
      "form",
      { onSubmit: check },
      element(
        "fieldset",
        {},
        element("legend", { class: "ask-hidden" }, model.get("title")),
        ...(isNumber ? number() : choice()),
      ),
      element("div", { class: "ask-row ask-buttons" }, element("button", { type: "submit" }, "Check"), again),
    ),
    verdict,
    others,
  );

  // What was answered here before; an answer given in Python comes first, and is kept if a reader of this page gave it.
  const before = answerTo(name);
  const fits = isNumber
    ? typeof before === "string" && readNumber(before) !== null
    : Number.isInteger(before) && before in options;
  if (isOpen() && fits) set(before);
  else if (!isOpen() && el.closest(".run-live")) keepChecked();
  draw();
  const names = ["change:chosen", "change:typed"];
  for (const event of names) model.on(event, draw);
  el.append(root);
  return () => names.forEach((event) => model.off(event, draw));
}

export default { render };
