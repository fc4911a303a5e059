"""Take the README's picture of the book: a chapter, as a desktop shows it.

python tools/picture.py            (after `make book`; needs a Chromium, as the checks do)
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tools import browser  # noqa: E402

TARGET = ROOT / "site" / "book.png"


def main():
    """Open the page, wait until it is set, and store what the window shows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", default="chapters/05-translation.html")
    parser.add_argument("--at", default="", help="id of the element at the top of the picture")
    arguments = parser.parse_args()
    page_file = ROOT / "_build" / "html" / arguments.page
    if not page_file.exists():
        sys.exit(f"{arguments.page} is not built: run `make book` first")
    with browser.opened() as chromium:
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(page_file.as_uri())
        page.wait_for_function("() => document.documentElement.dataset.ready !== undefined")
        if arguments.at:
            page.locator(f"#{arguments.at}").evaluate("target => target.scrollIntoView()")
        page.wait_for_load_state("networkidle")  # the pictures in view load last
        page.screenshot(path=TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main()
