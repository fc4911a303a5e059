// What a page needs once it is laid out. Whatever is wider than the screen scrolls inside
// itself; a reader with a keyboard must be able to scroll it too, and to know what it is.
import { keep, kept, states } from "../../exercises/widgets/kept.js";
import { element } from "../../figures/element.js";

const SCROLLING = {
  "div.math > div": "Formula",
  "span.math": "Formula",
  ".pst-scrollable-table-container": "Table",
  ".highlight pre": "Code",
  ".cell_output > .output": "Output",
  ".cell_output pre": "Output",
};

// Marks the boxes that scroll, once what they hold is laid out. All is read before anything is written.
const mark = (part) => {
  const boxes = Object.entries(SCROLLING)
    .flatMap(([selector, name]) => [...part.querySelectorAll(selector)].map((box) => [box, name]))
    .filter(([box]) => box.checkVisibility({ contentVisibilityAuto: true }));
  const formulas = boxes.map(([box]) => box).filter((box) => box.matches("span.math"));
  for (const box of formulas) box.classList.remove("too-wide"); // its own width, not the one that it was cut to
  const around = (box) => box.closest("p, li, dd, td, th, figcaption, div");
  const wide = formulas.filter((box) => box.offsetWidth > around(box).clientWidth);
  for (const box of wide) box.classList.add("too-wide");
  const scrolls = boxes.map(
    ([box]) => box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX),
  );
  for (const [k, [box, name]] of boxes.entries()) {
    const attributes = { tabindex: "0", role: "group", "aria-label": `${name}, scrolls sideways` };
    for (const [attribute, value] of Object.entries(attributes))
      scrolls[k] ? box.setAttribute(attribute, value) : box.removeAttribute(attribute);
  }
};

// Names that the theme leaves out, and one that says less than what is seen.
const NAMES = {
  ".search-button-field": () => "Search Ctrl+K",
  "summary:has(.toctree-toggle)": (summary) =>
    `Pages of ${summary.parentElement.previousElementSibling.textContent.trim()}`,
  ".sidebar-primary-items__start": () => "This book",
};
for (const [selector, name] of Object.entries(NAMES))
  for (const node of document.querySelectorAll(selector)) node.setAttribute("aria-label", name(node));
document.querySelector(".sidebar-primary-items__start")?.setAttribute("role", "region");

// What the search needs comes when its dialog is opened.
const find = () => {
  for (const name of ["passages", "search"]) {
    const src = `${document.documentElement.dataset.content_root}_static/${name}.js`;
    document.head.append(Object.assign(document.createElement("script"), { src, async: false }));
  }
};
if (!document.querySelector(".bd-search-container"))
  document.getElementById("pst-search-dialog")?.addEventListener("focusin", find, { once: true });

// What opens over the page has a button that closes it.
for (const box of document.querySelectorAll(".bd-sidebar-primary, .bd-sidebar-secondary, #pst-search-dialog form")) {
  const onClick = ({ target }) => target.closest("dialog").close();
  box.append(element("button", { class: "close-dialog", type: "button", "aria-label": "Close", onClick }, "×"));
}

// A phone's list of chapters opens where the reader is.
const here = () => document.querySelector(".bd-links a.current")?.scrollIntoView({ block: "center" });
document.querySelector(".primary-toggle")?.addEventListener("click", () => setTimeout(here));

// What was passed on an earlier visit says so, where the answer to the empty exercise is stored.
for (const cell of document.querySelectorAll("div.cell:has(.cell_output)")) {
  const name = /^\s*check\((\w+)\)/.exec(cell.querySelector(".cell_input")?.textContent)?.[1];
  if (states()[name] !== "passed") continue;
  const note = "✓ You passed this one. What you wrote is kept: the button at the top brings it back.";
  cell.querySelector(".cell_output").replaceChildren(element("p", { class: "passed-before" }, note));
}

// An open cell has a button of its own, which starts Python first and then runs the cell.
const launch = document.querySelector(".btn-launch-live");
for (const [k, { firstElementChild: code }] of document.querySelectorAll("article div.cell").entries()) {
  if (!launch || !code?.matches(".cell_input")) continue;
  const name = /^\s*check\(/.test(code.textContent) ? "Check" : "Run";
  const onClick = () => {
    launch.dataset.cell = k;
    launch.click();
  };
  const attributes = { class: "run-first", type: "button", "aria-label": `${name} cell ${k + 1}`, onClick };
  code.prepend(element("button", attributes, name));
}

// The contents mark the last heading above the upper third of the screen, at the end of the page the last one that is
// seen. (The theme marks one that passes there, and none after a jump.)
const entries = [...document.querySelectorAll("#pst-page-toc-nav a")];
const target = ({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1)));
const follow = () => {
  const atEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 4;
  const line = innerHeight * (atEnd ? 0.9 : 0.3);
  const passed = entries.findLast((link) => target(link).getBoundingClientRect().top < line);
  for (const link of entries) {
    link.classList.toggle("active", link === passed);
    link === passed ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
    link.closest(".toc-entry").classList.toggle("active", link.closest(".toc-entry").contains(passed));
  }
};
if (entries.length) addEventListener("scroll", () => setTimeout(follow), { passive: true });

// The page says when it is ready, so that the checks need not guess a time.
const markAll = () => {
  mark(document);
  document.documentElement.dataset.ready = "";
};

// Heights of what is far away are guessed (book.css), and figures are drawn late. Until they stand, what a reader came
// for stays in its place, unless the reader moves: where a link leads, or else the paragraph that was read last.
const hold = (part, top) => {
  const align = () => (top === undefined ? part.scrollIntoView() : scrollBy(0, part.getBoundingClientRect().top - top));
  const growing = new ResizeObserver(align);
  if (part) growing.observe(document.body);
  const stop = () => growing.disconnect();
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"]) addEventListener(kind, stop, { once: true });
  setTimeout(stop, 3000);
};
const PLACES = "pecode-places";
const parts = () => [...document.querySelectorAll("article section > *")];
const isNew = performance.getEntriesByType("navigation")[0]?.type === "navigate";
const [index, top] = isNew ? [] : (kept(PLACES)[location.pathname] ?? []);
if (index >= 0) history.scrollRestoration = "manual";
setTimeout(() => (history.scrollRestoration = "auto"), 3000);
hold(isNew ? target(location) : parts()[index], top);
addEventListener("hashchange", () => hold(target(location)));
addEventListener("pagehide", () => {
  const part = document.elementFromPoint(innerWidth / 2, innerHeight / 3)?.closest("article section > *");
  keep(PLACES, location.pathname, part && [parts().indexOf(part), part.getBoundingClientRect().top]);
});
addEventListener("resize", () => requestAnimationFrame(markAll));
// What was hidden, far away or folded has had no width until now; what opens has one in the next picture.
addEventListener("change", ({ target }) => target.matches(".sd-tab-set > input") && mark(document));
addEventListener("toggle", ({ target }) => requestAnimationFrame(() => setTimeout(mark, 0, target)), true);
addEventListener("contentvisibilityautostatechange", ({ target, skipped }) => skipped || mark(target), true);
addEventListener("load", () => document.fonts.ready.then(markAll));
