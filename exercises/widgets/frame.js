// What a question and the list of all exercises share: their look.

import { element } from "../../figures/element.js";

// What a page of the book offers once an exercise has passed: the next one, and the list of all.
export const onward = (el) => {
  if (!el.closest(".figure-host")) return "";
  const next = el.closest("section")?.nextElementSibling;
  const title = next?.querySelector("h2")?.textContent.replace(/#$/, "");
  const link = (href, text) => element("a", { href }, text);
  const first = title ? link(`#${next.id}`, `Next: ${title}`) : "";
  return element("p", { class: "ask-row" }, first, link("overview.html", "All exercises"));
};

const STYLE = `
.ask { --ask-ink: #1d1d24; --ask-soft: #5c606a; --ask-line: #d5d4cf; --ask-paper: #f4f3ef;
  --ask-main: #2d2a86; --ask-right: #00664f; --ask-wrong: #a3331b; position: relative;
  color: var(--ask-ink); font: 16px/1.45 var(--pst-font-family-heading, system-ui, sans-serif);
  border: 1px solid var(--ask-line); border-radius: 8px; padding: 14px 16px; margin: 0;
  max-width: 736px; box-sizing: border-box; overflow-wrap: break-word; }
@media screen { /* paper is white */
  :is(html[data-theme="dark"], [data-jp-theme-light="false"]) .ask { --ask-ink: #e6e5e1;
    --ask-soft: #a3a7b0; --ask-line: #3a3f49; --ask-paper: #20242c; --ask-main: #b3aef5;
    --ask-right: #5cc9a7; --ask-wrong: #f08a80; } }
.ask * { box-sizing: border-box; }
.ask :is(p, fieldset, form, legend, ul) { margin: 0; padding: 0; border: 0; min-width: 0; max-width: none; }
.ask :is(button, select, input[type="text"]) { font: inherit; min-height: 36px; padding: 3px 12px;
  color: var(--ask-ink); background: var(--ask-paper); border: 1px solid var(--ask-soft); border-radius: 6px; }
.ask :is(button, select) { cursor: pointer; }
.ask :is(input[type="radio"], input[type="checkbox"]) { width: 20px; height: 20px; margin: 0;
  accent-color: var(--ask-main); flex: none; }
.ask :is(button, input, select, a, progress):focus-visible { outline: 3px solid var(--ask-main); outline-offset: 2px; }
.ask code { font-family: var(--pst-font-family-monospace, ui-monospace, monospace); font-size: 0.9em;
  color: inherit; background: var(--ask-paper); border: 0; padding: 0 3px; border-radius: 3px; }
.ask .ask-row { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; }
.ask .ask-right { color: var(--ask-right); font-weight: 650; }
.ask .ask-passed { color: inherit; border-left: 4px solid var(--ask-right); padding: 4px 12px;
  background: color-mix(in srgb, var(--ask-right) 10%, transparent); }
.ask .ask-passed a { color: inherit; }
.ask .ask-wrong { color: var(--ask-wrong); font-weight: 650; }
.ask .ask-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media print { .ask :is(button, select) { display: none; } }
`;

// The box of a widget. JupyterLab has shortcuts on single keys: what is typed must not reach it.
export const frame = (look, ...children) => {
  const root = element("div", { class: "ask" }, element("style", {}, STYLE + look), ...children);
  root.addEventListener("keydown", (event) => event.stopPropagation());
  return root;
};
