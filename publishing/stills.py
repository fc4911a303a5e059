"""Draw the pictures that stand for the interactive figures where scripts are off.

python -m publishing.stills            (after `make book`; needs a Chromium, as the checks do)

A picture is what the page shows on paper: the values, and no sliders. There are two of each, as
wide as a desktop page and as narrow as a phone, where the drawings stand below one another. They
carry their description, which website/without_scripts.py puts on the page, and a fingerprint of the
code that drew them, so that tests/figures sees an old one.
"""

import io

from PIL import Image, PngImagePlugin

import figures
from figures.base import fingerprint
from publishing import browser
from publishing.home import HTML, ROOT

TARGET = ROOT / "publishing" / "website" / "stills"
# On paper a page has wider margins than on a phone: at 414 a figure is as wide as on one of 390.
SIZES = {"": {"width": 1280, "height": 900}, "-phone": {"width": 414, "height": 844}}
DENSITY = 2  # pixels of the picture to one of the page
COLORS = 256  # a palette: flat drawings need no more
MOUNTED = "() => !document.querySelector('.anyhost:not([data-mounted])')"


def store(name, form, picture, said):
    """Write a picture with its description and the fingerprint of its code."""
    figure = getattr(figures, name)
    notes = PngImagePlugin.PngInfo()
    notes.add_itxt("Description", f"{figure.alt} {said}")
    notes.add_text("Source", fingerprint(figure))
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLORS, dither=0)
    path = TARGET / f"{name}{form}.png"
    image.save(path, optimize=True, pnginfo=notes, dpi=(100 * DENSITY, 100 * DENSITY))
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} KB")


def main():
    """Open the first page and every chapter as on paper, and store each interactive figure."""
    TARGET.mkdir(exist_ok=True)
    with browser.opened() as chromium:
        for form, size in SIZES.items():
            page = chromium.new_page(viewport=size, device_scale_factor=DENSITY)
            page.emulate_media(media="print")
            for path in [HTML / "intro.html", *sorted(HTML.glob("chapters/*.html"))]:
                page.goto(path.as_uri())
                page.wait_for_function(browser.READY)
                page.wait_for_function(MOUNTED)
                for box in page.locator(".anyhost:has([data-figure])").all():
                    name = box.locator("[data-figure]").get_attribute("data-figure")
                    figure = box.locator(".moving-figure")
                    said = figure.locator(":is(.ex-said, .ex-numbers):visible").all_text_contents()
                    store(name, form, figure.screenshot(), " ".join(filter(None, said)))
            page.close()


if __name__ == "__main__":
    main()
