"""The book as Firefox and WebKit show it: a server, and one window for all tests of an engine."""

import functools
import os

import pytest

from ..browser_fixtures import FIGURES_SHOWN, HTML, READY, VIEWPORTS, Handler, serving
from .drivers import ENGINES, missing, opened

# Before all others of a page: what goes wrong in it. Engines tell that in different ways, or not.
WATCH = b"""<script>window.wrong = [];
addEventListener("error", ({ message, target }) => {
  // Firefox fetches the next page ahead, and may give up; links are read elsewhere.
  if (!target.matches?.("link[rel=next]")) wrong.push(message ?? target.outerHTML);
}, true);
addEventListener("unhandledrejection", ({ reason }) => wrong.push(`${reason}`));
console.error = (...said) => wrong.push(said.join(" "));
</script>"""


class Watched(Handler):
    """Serves the pages of the book, with a script that notes errors before all others."""

    def do_GET(self):
        path = HTML / self.path.lstrip("/").split("?")[0]
        if path.suffix != ".html" or not path.is_file():
            return super().do_GET()
        page = path.read_bytes().replace(b"<head>", b"<head>" + WATCH, 1)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return self.wfile.write(page)


def pytest_generate_tests(metafunc):
    """Run a test in each engine, those of one engine in one process."""
    if "browser" in metafunc.fixturenames:
        engines = [
            pytest.param(name, marks=[pytest.mark.xdist_group(name), *skipped(engine)])
            for name, engine in ENGINES.items()
        ]
        metafunc.parametrize("browser", engines, indirect=True, scope="session")


def skipped(engine):
    """Return the mark of a test whose browser is not here; where CI is set that is an error."""
    sentence = missing(engine)
    if sentence and os.environ.get("CI"):
        pytest.exit(sentence, returncode=2)
    return [pytest.mark.skip(reason=sentence)] if sentence else []


@pytest.fixture(scope="session")
def browser(request):
    """The window of an engine."""
    assert (HTML / "index.html").exists(), "the book is not built: run `make book` first"
    with opened(ENGINES[request.param]) as found:
        found.resize(*VIEWPORTS["desktop"])
        yield found


@pytest.fixture(scope="session")
def visit(browser):
    """Open a page, wait until it is set and its figures are drawn; nothing may have failed."""
    with serving(functools.partial(Watched, directory=HTML)) as address:

        def open_page(name):
            browser.goto(f"{address}/{name}")
            browser.wait(READY)
            browser.wait(FIGURES_SHOWN)
            assert browser.js("() => wrong") == []
            return browser

        yield open_page
