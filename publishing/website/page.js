// What a page needs once it is laid out. Whatever is wider than the screen scrolls inside
// itself; a reader with a keyboard must be able to scroll it too, and to know what it is.
{
  const SCROLLING = {
    "div.math > div": "Formula",
    "span.math": "Formula",
    ".pst-scrollable-table-container": "Table",
    ".wide-picture": "Picture",
    ".highlight pre": "Code",
    ".cell_output > .output": "Output",
    ".cell_output pre": "Output",
  };

  const mark = (box, name) => {
    if (box.matches("span.math")) {
      const around = box.closest("p, li, dd, td, th, figcaption, div");
      box.classList.remove("too-wide"); // its own width, not the one that it was cut to
      box.classList.toggle("too-wide", box.offsetWidth > around.clientWidth);
    }
    const scrolls = /auto|scroll/.test(getComputedStyle(box).overflowX);
    if (scrolls && box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `${name}, scrolls sideways`);
    } else {
      for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
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

  // The page says when it is ready, so that the checks need not guess a time.
  const markAll = () => {
    for (const [selector, name] of Object.entries(SCROLLING))
      for (const box of document.querySelectorAll(selector)) mark(box, name);
    document.documentElement.dataset.ready = "";
  };

  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(markAll, 400); // after the theme, which does the same for code at 300 ms
  });
  // Code in a tab that was hidden has had no width until now.
  addEventListener("change", ({ target }) => {
    if (target.matches(".sd-tab-set > input")) markAll();
  });
  // The fonts of a first visit, once something is shown: those that the text needs. They come
  // together, since each by itself would lay out the whole page again.
  const FONTS = [
    "1em 'Source Serif 4'",
    "italic 1em 'Source Serif 4'",
    "600 1em 'Source Serif 4'",
    "1em 'Source Sans 3'",
    "1em 'JetBrains Mono'",
    "1em 'STIX Two Math'",
  ];
  const PATIENCE = 5000; // milliseconds; what comes later is put on as it comes
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const dress = async () => {
    if (!document.documentElement.classList.contains("first-visit")) return;
    await frame();
    const text = document.body.textContent;
    const come = Promise.allSettled(FONTS.map((font) => document.fonts.load(font, text)));
    await Promise.race([come, new Promise((done) => setTimeout(done, PATIENCE))]);
    localStorage.setItem("fonts", "known");
    // The text first, then what is around it; a part at a time, so that the page answers meanwhile.
    let around = document.querySelector("article > section") ?? document.querySelector("main");
    const parts = [...around.children];
    for (; around !== document.body; around = around.parentElement)
      parts.push(...[...around.parentElement.children].filter((part) => part !== around));
    for (const part of parts) {
      part.classList.add("dressed");
      if (part.matches("section")) await frame();
    }
  };
  const dressed = dress();
  addEventListener("load", () => dressed.finally(markAll));
}
