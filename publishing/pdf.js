// Puts the pages of the site behind one another, as a book on paper: publishing/pdf.py runs it in pdf.html.

// What is of no use on paper, and what a reader opens after an attempt.
const SCREEN_ONLY = ".headerlink, .viewcode-link, .toctree-wrapper, details.above-input, picture > source, script";
const FOLDED = ":is(ol, details).ask-off, details:is(.below-input, .solution)";
const STILL = "A figure that moves, as it starts. To move it, open this page on the website or in JupyterLab.";

const each = (node, selector, change) => node.querySelectorAll(selector).forEach(change);
const make = (tag, attributes, ...children) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...children);
  return node;
};

// A link and the number of its page, which is known after the first print.
const numbered = (id, ...words) =>
  make("a", { href: `#${id}` }, ...words, make("span", { className: "number" }, "000"));
globalThis.writeNumbers = (numbers) =>
  each(document, "a > .number", (number) => number.replaceChildren(numbers[number.parentNode.hash.slice(1)]));

// Answers, outputs and solutions follow the last exercise, and each exercise says where.
const moveAnswers = (text) => {
  const answers = make("section", { className: "answers" }, make("h2", {}, "Answers and solutions"));
  for (const exercise of text.querySelectorAll("section > section")) {
    const found = [...exercise.querySelectorAll(FOLDED)];
    if (!found.length) continue;
    for (const options of found.filter((fold) => fold.matches("ol"))) {
      options.before(options.cloneNode(true));
      each(options.previousSibling, "details", (fold) => fold.replaceWith(...fold.firstChild.childNodes));
    }
    const id = `${exercise.id}-answer`;
    answers.append(make("section", { id }, make("h3", {}, exercise.querySelector("h2").textContent), ...found));
    exercise.append(make("p", { className: "see" }, numbered(id, "Answer: page ")));
    text.firstElementChild.append(answers);
  }
  each(answers, "details.ask-off > summary", (summary) => summary.replaceChildren("Answer"));
  each(answers, ".below-input > summary", (summary) => summary.replaceChildren("What the cell prints"));
};

// The text of a page: its ids are named by the page, its links lead to their place in the book.
const chapter = (page, html, base, known) => {
  const nameOf = (path, anchor) => path.replace("/", "--") + (anchor ? `.${anchor}` : "");
  const source = html.replace("<head>", `<head><base href="${base}${page}.html">`);
  const text = new DOMParser().parseFromString(source, "text/html").querySelector("article");
  each(text, SCREEN_ONLY, (node) => node.remove());
  each(text, "noscript", (node) => node.replaceWith(...node.childNodes));
  each(text, "pre, code", (code) => code.replaceChildren(code.textContent)); // its colors are half of the file
  each(text, ".figure-host-off > p", (words) => words.replaceChildren(STILL));
  each(text, "img", (image) => Object.assign(image, { src: image.src, loading: "eager" }));
  each(text, "[id]", (node) => Object.assign(node, { id: nameOf(page, node.id) }));
  // A further name of a section goes into its heading: before it, it could be a page earlier.
  each(text, "section > span[id]:has(+ :is(h1, h2, h3))", (name) => name.nextElementSibling.prepend(name));
  each(text, "a[href]", (link) => {
    const [path, anchor] = link.href.split("#");
    const target = path.replace(base, "").replace(/\.html$/, "");
    if (known.has(target)) Object.assign(link, { href: `#${nameOf(target, anchor)}`, title: "" });
    else if (link.protocol === "file:") link.replaceWith(...link.childNodes);
  });
  moveAnswers(text);
  each(text, "details", (fold) => Object.assign(fold, { open: true }));
  return Object.assign(text, { id: nameOf(page), style: `page: ${nameOf(page)}` });
};

globalThis.bind = ({ base, pages }) => {
  const known = new Set(pages.map(({ page }) => page));
  const [style, list, main] = ["style", "#contents ul", "main"].map((name) => document.querySelector(name));
  for (const [k, { part, page, html }] of pages.entries()) {
    const text = chapter(page, html, base, known);
    const title = text.querySelector("h1");
    if (!part) title.replaceChildren("Introduction"); // it bears the title of the book
    const words = [...title.childNodes].filter(({ id }) => !id).map((word) => word.cloneNode(true));
    if (part && part !== pages[k - 1].part) {
      list.append(make("li", { className: "part" }, numbered(text.id, part)));
      text.prepend(make("h1", { className: "part" }, part));
    }
    list.append(make("li", { className: "chapter" }, numbered(text.id, ...words)));
    style.append(`@page ${text.id} { @top-right { content: ${JSON.stringify(title.textContent)}; } }\n`);
    main.append(text);
  }
};
