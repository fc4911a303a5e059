"""How a page comes to be seen: what it waits for, and how it starts."""

import contextlib
import re
import threading

import pytest

from ..browser_fixtures import HTML, READY, VIEWPORTS, Handler, serving

PAGES = ("intro.html", "chapters/05-translation.html", "exercises/05-translation.html")
FONTS, SCRIPTS, FIGURES = r"\.woff2?$", r"\.js$", r"figure_host\.js$"
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
REFUSED = """Object.defineProperty(window, "localStorage", { configurable: true,
  get() { throw new DOMException("refused", "SecurityError"); } });"""


class Gate:
    """A server that keeps the files whose names fit a pattern until it is opened."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)
        self.open, self.kept = threading.Event(), threading.Event()

    def handler(self, *arguments):
        """Answer one request."""
        gate = self

        class Waiting(Handler):
            def do_GET(self):
                if gate.pattern.search(self.path.partition("?")[0]):
                    gate.kept.set()
                    gate.open.wait()
                super().do_GET()

        return Waiting(*arguments, directory=HTML)


@pytest.fixture
def opened(chromium):
    """Open a page of which some files do not come yet, once it is painted; give it and its gate."""

    def open_page(name, kept, scheme="light", before=""):
        width, height = VIEWPORTS["phone"]
        window = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
        page = stack.enter_context(chromium.new_context(**window)).new_page()
        page.add_init_script(before)
        gate = Gate(kept)
        stack.callback(gate.open.set)
        page.goto(f"{stack.enter_context(serving(gate.handler))}/{name}", wait_until="commit")
        page.wait_for_function(PAINTED)
        assert gate.kept.wait(10)
        return page, gate

    with contextlib.ExitStack() as stack:
        yield open_page


@pytest.mark.parametrize("kept", [FONTS, SCRIPTS, FIGURES])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_before_what_comes_late(name, kept, opened):
    page, gate = opened(name, kept)
    gate.open.set()
    page.wait_for_function(READY)


@pytest.mark.parametrize(
    ("scheme", "before", "theme"),
    [
        ("light", "", "light"),
        ("dark", "", "dark"),
        ("light", "localStorage.setItem('mode', 'dark');", "dark"),
        ("dark", REFUSED, "dark"),  # where nothing is kept
    ],
)
def test_a_page_starts_in_the_colors_that_it_keeps(scheme, before, theme, opened):
    page, gate = opened(PAGES[1], SCRIPTS, scheme, before)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    start = page.evaluate(ground)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    gate.open.set()
    page.wait_for_function(READY)
    assert page.evaluate(ground) == start
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert seen == {"auto", "dark", "light"}
