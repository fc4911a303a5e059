"""Take the README's picture of the book: a chapter, as a desktop shows it.

python tools/picture.py            (after `make book`; needs a Chromium, as the checks do)
"""

import argparse
import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "site" / "book.png"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def main():
    """Open the page, wait until it is set, and store what the window shows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--page", default="chapters/05-translation.html")
    parser.add_argument("--at", default="", help="id of the element at the top of the picture")
    arguments = parser.parse_args()
    named = [os.environ["PECODE_BROWSER"]] if "PECODE_BROWSER" in os.environ else NAMES
    browser = next(filter(None, map(shutil.which, named)), None)
    page_file = ROOT / "_build" / "html" / arguments.page
    if not browser:
        sys.exit("No Chromium found: install one, or name it in PECODE_BROWSER")
    if not page_file.exists():
        sys.exit(f"{arguments.page} is not built: run `make book` first")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        chromium = playwright.chromium.launch(executable_path=browser, args=flags)
        page = chromium.new_page(viewport={"width": 1280, "height": 800})
        page.goto(page_file.as_uri())
        page.wait_for_function("() => document.documentElement.dataset.ready !== undefined")
        if arguments.at:
            page.locator(f"#{arguments.at}").evaluate("target => target.scrollIntoView()")
        page.wait_for_load_state("networkidle")  # the pictures in view load last
        page.screenshot(path=TARGET)
        chromium.close()
    print(f"{TARGET.relative_to(ROOT)}: {TARGET.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main()
