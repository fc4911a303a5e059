"""Print the slides of every chapter, each slide a page: `make slides`.

They are printed as readers without scripts see them: figures stand still, and every answer is
there. The files lie beside the slides in _build/html/slides, and their list leads to them.
"""

import sys

from publishing import browser
from publishing.home import HTML, NOT_BUILT

FOLDER = HTML / "slides"


def printed(chromium, path):
    """Return slides as a PDF."""
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(path.as_uri())
    pdf = page.pdf(prefer_css_page_size=True, print_background=True, tagged=True)
    page.context.close()
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
