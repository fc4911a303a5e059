"""Take the README's picture of the book, a chapter as a desktop shows it: `make picture`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tools import browser  # noqa: E402

PAGE = ROOT / "_build" / "html" / "chapters" / "05-translation.html"  # built by `make book`

with browser.opened() as chromium:
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{PAGE.as_uri()}#the-whole-table")
    page.wait_for_function("() => document.documentElement.dataset.ready !== undefined")
    page.locator("#the-whole-table").evaluate("target => target.scrollIntoView()")
    page.wait_for_load_state("networkidle")  # the pictures in view load last
    page.screenshot(path=ROOT / "site" / "book.png")
