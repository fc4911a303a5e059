"""What axe finds on a page: for the tests of pages, slides and moving figures."""

from axe_playwright_python.base import AXE_SCRIPT

AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "preload": False,  # axe would fetch every style sheet again
}


# Most of axe's time goes into the contrast of words, and thousands of words look the same: same
# letters, same grounds in all the boxes around them. Three of each look are judged. A box that is
# lifted out of the text may lie on anything, so its words stand for each other only. axe passes
# over many signs and single letters, so these stand for their like and not for words.
THIN_OUT = """() => {
  const known = new Map(), counts = new Map();
  const number = look => known.get(look) ?? known.set(look, known.size).get(look);
  const grounds = new Map();
  const ground = e => {
    if (!e) return "";
    if (!grounds.has(e)) {
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position, transform }
        = getComputedStyle(e);
      const lifted = /absolute|fixed|sticky/.test(position) || transform !== "none";
      grounds.set(e, number([ground(e.parentElement), backgroundColor, backgroundImage, opacity,
                             filter, mixBlendMode, lifted && number(e)].join()));
    }
    return grounds.get(e);
  };
  for (const e of document.querySelectorAll("body *:not(svg *)")) {
    e.removeAttribute("data-alike");
    const words = [...e.childNodes].map(n => n.nodeType === Node.TEXT_NODE ? n.data : "").join("");
    if (!words.trim() || !e.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow, webkitTextStroke } = getComputedStyle(e);
    const look = number([ground(e), color, fontSize, fontWeight, textShadow, webkitTextStroke,
                         /[\\p{L}\\p{N}]{2}/u.test(words) || words.trim()].join());
    counts.set(look, (counts.get(look) ?? 0) + 1);
    if (counts.get(look) > 3) e.dataset.alike = "";
  }
}"""
AXE = """options => {
  axe.configure({ rules: [{ id: "color-contrast", selector: "*:not([data-alike])" }] });
  return axe.run(options);
}"""


def violations(page):
    """Return what axe finds on the page as it is shown now, a line for each place."""
    page.evaluate(AXE_SCRIPT)
    page.evaluate(THIN_OUT)
    rules = page.evaluate(AXE, AXE_OPTIONS)["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in rules for node in rule["nodes"]]
