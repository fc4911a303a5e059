"""The book as Firefox and WebKit show it: a server, and one window for all tests of an engine."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest

from ..browser_fixtures import FIGURES_SHOWN, READY, VIEWPORTS, Handler, serving
from .drivers import ENGINES

# Before all other scripts of a page: notes what goes wrong. Engines report that each in its way.
WATCH = b"""<head><script>window.wrong = [];
addEventListener("error", ({ message, target }) => {
  // Firefox fetches the next page ahead, and may give up; links are followed by other tests.
  if (!target.matches?.("link[rel=next]")) wrong.push(message ?? target.outerHTML);
}, true);
addEventListener("unhandledrejection", ({ reason }) => wrong.push(`${reason}`));
console.error = (...said) => wrong.push(said.join(" "));
</script>"""


class Watched(Handler):
    """Serves the pages of the book with this script."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.suffix != ".html":
            return super().do_GET()
        page = path.read_bytes().replace(b"<head>", WATCH, 1)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return self.wfile.write(page)


@pytest.fixture(scope="session", params=[
    pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES])  # fmt: skip
def browser(request):
    """The window of an engine."""
    engine = ENGINES[request.param]
    if not any(map(shutil.which, engine.programs)):
        sentence = f"{request.param} is missing. Debian and Ubuntu: apt install {engine.package}"
        pytest.fail(sentence) if os.environ.get("CI") else pytest.skip(sentence)
    with contextlib.ExitStack() as stack:
        found = engine(stack)
        found.resize(**VIEWPORTS["desktop"])
        yield found


@pytest.fixture(scope="session")
def visit(browser):
    """Open a page, wait until it is set and its figures are drawn; nothing may have failed."""
    with serving(Watched) as address:

        def open_page(name):
            browser.goto(f"{address}/{name}")
            browser.wait(READY)
            browser.wait(FIGURES_SHOWN)
            assert browser.js("() => wrong") == []
            return browser

        yield open_page
