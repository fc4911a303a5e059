"""Print the slides of every chapter, each slide a page: `make slides`.

python -m publishing.slides          (after `make book`; needs a Chromium, as the checks do)

They are printed as readers without scripts see them: figures stand still, and every answer is
there. The files lie beside the slides in _build/html/slides, and the list of the slides leads to
them.
"""

import re
import sys

from publishing import browser
from publishing.home import HTML, NOT_BUILT, ROOT
from publishing.website import publish

FOLDER = HTML / "slides"


def list_file(name, words):
    """Let the list of the slides lead to a file, where it keeps a place for its name."""
    path = FOLDER / "index.html"
    place, link = f"<!-- {name} -->", f'<a href="{name}">{words}</a>'
    path.write_text(path.read_text("utf8").replace(place, link), encoding="utf8")


def printed(chromium, path, day):
    """Return slides as a PDF; its dates are this day, "2026-11-22", so the bytes are the same."""
    page = chromium.new_context(java_script_enabled=False).new_page()
    page.goto(path.as_uri())
    pdf = page.pdf(prefer_css_page_size=True, print_background=True, tagged=True)
    page.context.close()
    return re.sub(rb"\(D:\d{14}", f"(D:{day.replace('-', '')}120000".encode(), pdf)


def main():
    """Print the slides, and list the files."""
    if not (FOLDER / "index.html").exists():
        sys.exit(NOT_BUILT)
    with browser.opened() as chromium:
        for path in sorted(set(FOLDER.glob("*.html")) - {FOLDER / "index.html"}):
            pdf, file = printed(chromium, path, publish.last_change(ROOT)), path.with_suffix(".pdf")
            file.write_bytes(pdf)
            list_file(file.name, f"PDF, {len(pdf) / 1e6:.1f} MB")
            print(f"{file.relative_to(ROOT)}: {len(pdf) / 1e6:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
