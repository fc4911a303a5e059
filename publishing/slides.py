"""Print the slides of every chapter, each slide a page: `make slides`.

Every answer is there, and figures stand as they start, as large as the slide allows. The files lie
beside the slides in _build/html/slides, and their list leads to them.
"""

import sys

from publishing import browser
from publishing.home import HTML, NOT_BUILT

FOLDER = HTML / "slides"
# Each moving figure is there, and has its size.
SET = """() => document.fonts.status === "loaded" &&
  [...document.querySelectorAll(".slide-moving")].every(
    (place) => place.querySelector("[data-mounted]") && place.querySelector("[style*=scale]"))"""


def printed(chromium, path):
    """Return slides as a PDF."""
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    page.emulate_media(media="print")
    page.goto(path.as_uri())
    page.wait_for_function(SET)
    pdf = page.pdf(prefer_css_page_size=True, print_background=True, tagged=True)
    page.close()
    return pdf


def main():
    """Print the slides, and list the files where the list keeps a place for their names."""
    if not (FOLDER / "index.html").exists():
        sys.exit(NOT_BUILT)
    listed = (FOLDER / "index.html").read_text("utf8")
    with browser.opened() as chromium:
        for path in sorted(set(FOLDER.glob("*.html")) - {FOLDER / "index.html"}):
            file = path.with_suffix(".pdf")
            file.write_bytes(printed(chromium, path))
            listed = listed.replace(f"<!-- {file.name} -->", f'<a href="{file.name}">PDF</a>')
    (FOLDER / "index.html").write_text(listed, encoding="utf8")


if __name__ == "__main__":
    main()
