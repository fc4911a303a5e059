// What a page needs once its mathematics is set. Whatever is wider than the screen scrolls inside
// itself; whoever reads with the keyboard must be able to scroll it too, and to know what it is.
{
  const SCROLLING = {
    'mjx-container[display="true"]': "Formula",
    "span.math > mjx-container": "Formula",
    ".pst-scrollable-table-container": "Table",
    ".wide-picture": "Picture",
    ".highlight pre": "Code",
    ".cell_output > .output": "Output",
  };

  const mark = (box, name) => {
    if (box.matches("span.math > mjx-container")) {
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
  addEventListener("load", async () => {
    await window.MathJax?.startup?.promise;
    markAll();
  });
}
