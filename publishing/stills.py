"""Draw the pictures that stand for the interactive figures where scripts are off.

python -m publishing.stills     (after `make book`; needs a Chromium, as the checks do)

A picture is what the page shows on paper: the values, and no sliders. There are two of each, as
wide as a desktop page and as narrow as a phone, where the drawings stand below one another. They
carry their description, which website/noscript.py puts on the page, and a fingerprint.

The fingerprint is of what was drawn, not of the code: of each element that is seen its place, its
shape, its text and its computed colors and letters, and of each canvas the pixels. So a change of
the style sheet or of a shared module makes a picture stale when it changes the drawing, and only
then; and a newer Chromium, which may smooth an edge in another way, does not. Pictures whose
fingerprint is the present one are left as they are.
"""

import hashlib
import io
import json
from itertools import chain

from PIL import Image, PngImagePlugin

import figures
from publishing import browser
from publishing.home import HTML, ROOT
from publishing.website.noscript import DENSITY

TARGET = ROOT / "publishing" / "website" / "stills"
# On paper a page has no margins of its own: at 358 a figure is as wide as on a phone of 390.
SIZES = {"": {"width": 1280, "height": 900}, "-phone": {"width": 358, "height": 844}}
PAGES = ("intro.html", "chapters/*.html", "appendices/mistakes.html")
# The PDF shrinks a picture again.
LARGE = ":is(.moving-figure, .ex-drawings) { zoom: 1 !important; --tallest: 90mm; }"
MOUNTED = "() => !document.querySelector('.figure-host:not([data-mounted])')"
DRAWN = """(figure) => {
  const shape = ["d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "dx", "dy",
    "width", "height", "points", "transform", "viewBox"];
  const look = ["color", "background-color", "border-color", "border-style", "opacity", "fill",
    "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linecap", "font-family", "font-size", "font-weight", "font-style", "text-anchor"];
  const pixels = (canvas) => {
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    return [...copy.getImageData(0, 0, width, height).data].join();
  };
  const origin = figure.getBoundingClientRect();
  const seen = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const nodes = [...figure.querySelectorAll("*")].filter((node) => node.checkVisibility(seen));
  return nodes.map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    // The attributes of a shape say where it is. Of the rest, fractions of a pixel may differ.
    const isDrawn = node instanceof SVGElement;
    const style = getComputedStyle(node);
    const own = [...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    return [
      node.tagName,
      ...(isDrawn ? [] : [x - origin.x, y - origin.y, width, height].map((v) => Math.round(v / 8))),
      ...shape.map((name) => node.getAttribute(name)),
      ...look.map((name) => style.getPropertyValue(name)),
      ...own.map(({ data }) => data.trim()),
      node.tagName === "CANVAS" ? pixels(node) : "",
    ];
  });
}"""


def drawn(chromium):
    """Yield name, form ("" or "-phone"), element on the page and fingerprint of each figure."""
    for form, size in SIZES.items():
        page = chromium.new_page(viewport=size, device_scale_factor=DENSITY)
        page.emulate_media(media="print")
        seen = set()
        for path in chain.from_iterable(sorted(HTML.glob(each)) for each in PAGES):
            page.goto(path.as_uri())
            page.add_style_tag(content=LARGE)
            page.wait_for_function(browser.READY)
            page.wait_for_function(MOUNTED)
            for box in page.locator(".figure-host:has([data-figure])").all():
                found = box.locator("[data-figure]").get_attribute("data-figure")
                if found not in seen:
                    seen.add(found)
                    figure = box.locator(".moving-figure")
                    shapes = json.dumps(figure.evaluate(DRAWN)).encode()
                    yield found, form, figure, hashlib.md5(shapes).hexdigest()
        page.close()


def stored(name, form):
    """Return the fingerprint that a stored picture carries, or None."""
    path = TARGET / f"{name}{form}.png"
    if not path.exists():
        return None
    with Image.open(path) as still:
        return still.info.get("Drawn")


def store(name, form, figure, fingerprint):
    """Write a picture with its description and the fingerprint of what is drawn."""
    said = figure.locator(":is(.ex-said, .ex-numbers):visible").all_text_contents()
    notes = PngImagePlugin.PngInfo()
    notes.add_itxt("Description", f"{getattr(figures, name).alt} {' '.join(filter(None, said))}")
    notes.add_text("Drawn", fingerprint)
    image = Image.open(io.BytesIO(figure.screenshot())).convert("RGB")
    path = TARGET / f"{name}{form}.png"
    image.quantize(256, dither=0).save(path, optimize=True, pnginfo=notes)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    with browser.opened() as chromium:
        for name, form, figure, fingerprint in drawn(chromium):
            if stored(name, form) != fingerprint:
                store(name, form, figure, fingerprint)
