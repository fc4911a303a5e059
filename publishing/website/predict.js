// Predictions. What follows a box in its section stays covered until its question is answered or skipped; the
// answers stay in this browser. What was wrong is asked once more at the end of the page.

import { answerTo, keepAnswer, readNumber } from "../../exercises/widgets/kept.js";
import { element } from "../../figures/element.js";

const SKIP_ALL = "predict: skip all";
// Where a browser can, it finds what is covered when it searches the page, and follows links to it.
const COVERED = "onbeforematch" in document.body ? "until-found" : "";
const ENDS = "section, .objectives, .finding"; // of what a box covers
const WITHIN = /within ([\d.]*\d)/i; // in a question for a number

const plain = (node) => node.textContent.replace(/\s+/g, " ").trim();
const button = (onClick, ...children) => element("button", { type: "button", onClick }, ...children);
const quiet = (text, onClick) => element("button", { type: "button", class: "predict-skip", onClick }, text);

// Put controls in place of the choices of a box. `asked` has what may be done with the question when it is open:
// `skip`, in words; and what is told: `given(said, isRight)`, where nothing is said by who skips.
const ask = (box, { skip, given }) => {
  const [list, fold] = ["ul", "details"].map((tag) => box.querySelector(`:scope > ${tag}`));
  const right = plain(fold.querySelector("strong")).replace(/\.$/, ""); // how the answer begins
  const within = WITHIN.exec(plain(box))?.[1] ?? 0;
  const numberOf = (text) => readNumber(text.replace(/(?<!^\D?0+),(?=\d{3}\b)/g, ""));
  const isRight = (said) =>
    list
      ? said.toLowerCase().startsWith(right.toLowerCase())
      : Math.abs(numberOf(said) - numberOf(right)) <= Number(within) + 1e-9 * Math.abs(numberOf(right));

  const choices = [...(list?.children ?? [])].map((item) => {
    const said = plain(item);
    return { said, node: button(() => give(said), ...(item.querySelector("p") ?? item).childNodes) };
  });
  const field = element("input", { type: "text", autocomplete: "off", "aria-label": "Your prediction" });
  const submit = (event) => {
    event.preventDefault();
    if (numberOf(field.value) !== null) return give(field.value.trim());
    field.setAttribute("aria-invalid", "true");
    status.textContent = "Type a number, such as 12, 0.5 or 1/3.";
  };
  const controls = list
    ? element("div", { role: "group", "aria-label": "Your prediction" }, ...choices.map(({ node }) => node))
    : element("form", { onSubmit: submit }, field, element("button", { type: "submit" }, "Predict"));
  controls.className = "predict-choices";
  const status = element("div", { role: "status", tabindex: "-1" });
  const skipping = quiet(skip, () => give(""));
  if (skip) controls.append(skipping);
  list?.remove();
  fold.before(controls, status);

  // The answer, after a word about what was said.
  const show = (said) => {
    for (const { said: choice, node } of choices) {
      node.setAttribute("aria-pressed", choice === said);
      node.setAttribute("aria-disabled", "true");
      node.classList.toggle("predict-right", isRight(choice));
      if (isRight(choice)) node.append(" ✓");
      else if (choice === said) node.append(" ✗");
    }
    field.value = said;
    field.readOnly = true;
    field.removeAttribute("aria-invalid");
    controls.querySelector("[type='submit']")?.remove();
    skipping.remove();
    const wrong = `✗ You predicted ${list ? `“${said.replace(/\.$/, "")}.”` : `${said}.`} `;
    fold.querySelector("p").prepend(!said ? "" : isRight(said) ? "✓ You were right. " : wrong);
    status.replaceChildren(...[...fold.childNodes].filter((node) => node.tagName !== "SUMMARY"));
    fold.remove();
  };
  const give = (said) => {
    if (!fold.isConnected) return;
    show(said);
    if (!controls.contains(document.activeElement)) status.focus({ preventScroll: true }); // the button is gone
    given(said, isRight(said));
  };
  const fits = (said) => !said || (list ? choices.some((choice) => choice.said === said) : numberOf(said) !== null);
  return { show, isRight, fits, status };
};

const open = new Set(); // the boxes that cover something
const boxes = [...document.querySelectorAll(".bd-article .admonition.predict:has(> details)")];
const sections = new Set(boxes.map((box) => box.parentElement));
const cover = () => {
  for (const section of sections) {
    let covered = false;
    for (const child of section.children) {
      if (child.matches(ENDS)) covered = false;
      if (covered) child.setAttribute("hidden", COVERED);
      else child.removeAttribute("hidden");
      if (open.has(child)) covered = true;
    }
  }
  dispatchEvent(new Event("resize")); // site.js: what was covered had no width
};
// A search or a link leads to something that is covered.
const uncover = (target) => {
  const covered = target?.closest(".bd-article section > [hidden]");
  if (!covered) return;
  for (const box of open)
    if (box.parentElement === covered.parentElement && box.compareDocumentPosition(covered) & 4) open.delete(box);
  cover();
  target.scrollIntoView();
};
const uncoverLinked = () => uncover(document.getElementById(decodeURIComponent(location.hash.slice(1))));

// Ask a question that was missed once more, behind the findings.
const again = element("div");
const askAgain = (copy, name) => {
  copy.querySelector(".admonition-title").textContent = "Predict, once more";
  const given = (_, isRight) => isRight && keepAnswer(`${name}, again`, true);
  ask(copy, { given });
  again.append(copy);
};

const skipsAll = Boolean(answerTo(SKIP_ALL));
const toSkip = (name) =>
  quiet(skipsAll ? "Ask me again" : "Skip all predictions", () => {
    keepAnswer(SKIP_ALL, skipsAll ? null : true);
    if (skipsAll) keepAnswer(name, null);
    location.reload();
  });

for (const box of boxes) {
  const copy = box.cloneNode(true);
  const name = `predict: ${plain(box.querySelector("p:not(.admonition-title)"))}`;
  const goOn = (said, isRight) => {
    if (!said) asked.status.append(toSkip(name));
    else if (!isRight && !answerTo(`${name}, again`)) askAgain(copy, name);
  };
  const given = (said, isRight) => {
    keepAnswer(name, said);
    goOn(said, isRight);
    open.delete(box);
    cover();
  };
  const asked = ask(box, { skip: "Skip: show the rest of this section", given });
  const said = skipsAll ? "" : answerTo(name);
  if (typeof said === "string" && asked.fits(said)) {
    asked.show(said);
    goOn(said, asked.isRight(said));
  } else open.add(box);
}
document.querySelector(".finding")?.after(again);
document.documentElement.dataset.asks = ""; // book.css: until now the style covered it
cover();
uncoverLinked();
addEventListener("hashchange", uncoverLinked);
addEventListener("beforematch", ({ target }) => uncover(target), true);
