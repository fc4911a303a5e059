// What a page needs once its mathematics is set. Whatever is wider than the screen scrolls inside
// itself; whoever reads with the keyboard must be able to scroll it too, and to know what it is.
{
  const SCROLLING = {
    'mjx-container[display="true"]': "Formula",
    "span.math > mjx-container": "Formula",
    ".pst-scrollable-table-container": "Table",
    ".highlight pre": "Code",
  };

  const mark = (box, name) => {
    box.classList.toggle("too-wide", box.offsetWidth > box.closest("p, li, dd, td, div").clientWidth);
    const scrolls = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline";
    if (scrolls) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", `${name}, scrolls sideways`);
    } else {
      for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
    }
  };

  const markAll = () => {
    for (const [selector, name] of Object.entries(SCROLLING))
      for (const box of document.querySelectorAll(selector)) mark(box, name);
  };

  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(markAll, 100);
  });
  addEventListener("load", async () => {
    await window.MathJax?.startup?.promise;
    markAll();
    document.documentElement.dataset.ready = ""; // the checks wait for this instead of sleeping
  });
}
