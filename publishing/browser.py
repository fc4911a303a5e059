"""The browser that the tools and the tests drive: the Chromium or Chrome of this computer."""

import contextlib
import os
import shutil
import sys

from playwright.sync_api import sync_playwright

# The one without a window draws twice as fast where there is no graphics processor.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
         "google-chrome-stable", "chrome",
         "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")  # fmt: skip
# It finds no other host: no page of ours needs one. Letters are as wide as on a phone or a sharp
# screen, where no width is rounded to whole pixels.
FLAGS = ("--disable-gpu", "--disable-background-networking", "--font-render-hinting=none",
         "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")  # fmt: skip
# website/site.js says when a page is set: once the fonts are there and what scrolls is marked.
READY = "() => document.documentElement?.dataset.ready !== undefined"
GET_ONE = (
    "no browser found. Debian and Ubuntu: `apt install chromium`; elsewhere install Chrome or "
    "Chromium and name it: PECODE_BROWSER=/path/to/chromium"
)


def find():
    """Return the path of the browser; FileNotFoundError says how to get one."""
    named = os.environ.get("PECODE_BROWSER")
    path = next(filter(None, map(shutil.which, [named] if named else NAMES)), None)
    if path is None:
        raise FileNotFoundError(f"PECODE_BROWSER names no program: {named}" if named else GET_ONE)
    return path


@contextlib.contextmanager
def opened():
    """Open the browser, without a window, and close it; ends with advice where there is none."""
    try:
        program = find()
    except FileNotFoundError as error:
        sys.exit(str(error))
    # Containers run as root; only our own pages are opened.
    flags = [*FLAGS, "--no-sandbox"] if sys.platform == "linux" else [*FLAGS]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        yield browser
        browser.close()
