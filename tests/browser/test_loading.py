"""How a page comes to be seen: what it waits for, how it starts, what moves."""

import re
import threading
import time

import pytest

from ..browser_fixtures import HTML, READY, VIEWPORTS, Handler, serving

PAGES = ("intro.html", "chapters/01-attention.html", "chapters/05-translation.html",
         "exercises/05-translation.html")  # fmt: skip
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
# Sums up what moves on the page, as browsers do for the people who look after a site.
SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries())
    if (!hadRecentInput) window.shifts.push(value);
}).observe({ type: "layout-shift", buffered: true });"""
GOOD_SHIFT = 0.1  # what counts as good; a line more in a paragraph is 0.05
REFUSED = """Object.defineProperty(window, "localStorage", { configurable: true,
  get() { throw new DOMException("refused", "SecurityError"); } });"""


class Gate:
    """A server that keeps the files whose names fit a pattern until it is opened."""

    def __init__(self, pattern):
        self.pattern = re.compile(pattern)
        self.open = False
        self.kept = threading.Event()  # somebody has asked for one of them

    def handler(self, *arguments):
        """Answer one request."""
        gate = self

        class Waiting(Handler):
            def do_GET(self):
                while gate.pattern.search(self.path.partition("?")[0]) and not gate.open:
                    gate.kept.set()
                    time.sleep(0.02)
                super().do_GET()

        return Waiting(*arguments, directory=HTML)


@pytest.fixture
def tab(chromium):
    """Return a function that opens a page on a phone, of which some files do not come yet."""
    contexts = []

    def opened(address, name, scheme="light", before="", viewport="phone"):
        width, height = VIEWPORTS[viewport]
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            is_mobile=viewport == "phone",
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(f"{SHIFTS} {before}")
        page.goto(f"{address}/{name}", wait_until="commit")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("awaited", [r"\.woff2?$", r"\.js$"])
def test_a_page_is_shown_before_fonts_and_scripts_and_then_stays(name, awaited, tab):
    gate = Gate(awaited)
    with serving(gate.handler) as address:
        page = tab(address, name)
        page.wait_for_function(PAINTED)
        assert gate.kept.wait(10)
        page.wait_for_timeout(500)
        gate.open = True
        page.wait_for_function(READY)
        page.wait_for_timeout(300)
        if "woff" in awaited:
            assert sum(page.evaluate("shifts")) < GOOD_SHIFT
            page.evaluate("document.querySelector('article').style.paddingTop = '300px'")
            page.wait_for_function(f"shifts.reduce((a, b) => a + b, 0) > {GOOD_SHIFT}")


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_the_first_page_keeps_the_room_of_its_moving_figure(viewport, tab):
    gate = Gate(r"anyhost\.js$")
    with serving(gate.handler) as address:
        page = tab(address, PAGES[0], viewport=viewport)
        page.wait_for_function(PAINTED)
        assert gate.kept.wait(10)
        page.wait_for_timeout(500)
        before = page.locator(".opening").bounding_box()
        gate.open = True
        page.wait_for_function(READY)
        page.locator(".opening .moving-figure").wait_for()
        page.wait_for_timeout(300)
        assert page.locator(".opening").bounding_box()["height"] - before["height"] < 8
        assert sum(page.evaluate("shifts")) < GOOD_SHIFT


@pytest.mark.parametrize(
    ("scheme", "before", "theme"),
    [
        ("light", "", "light"),
        ("dark", "", "dark"),
        ("light", "localStorage.setItem('mode', 'dark');", "dark"),
        ("dark", REFUSED, "dark"),
    ],
)
def test_a_page_starts_in_the_colors_that_it_keeps(scheme, before, theme, tab):
    gate = Gate(r"\.js$")
    with serving(gate.handler) as address:
        page = tab(address, PAGES[1], scheme, before)
        page.wait_for_function(PAINTED)
        ground = "() => getComputedStyle(document.body).backgroundColor"
        start = page.evaluate(ground)
        assert page.evaluate("document.documentElement.dataset.theme") == theme
        gate.open = True
        page.wait_for_function(READY)
        assert page.evaluate(ground) == start
        seen = set()  # where nothing is kept, too
        for _ in range(3):
            page.locator(".theme-switch-button:visible").first.click()
            seen.add(page.evaluate("document.documentElement.dataset.mode"))
        assert seen == {"auto", "dark", "light"}


FAMILIES = """() => Object.fromEntries(["article > section > p", "article h2", "article pre",
  "article math", ".bd-sidebar-primary"].map(
  part => [part, getComputedStyle(document.querySelector(part)).fontFamily]))"""


def test_a_first_visit_ends_in_the_fonts_with_which_the_second_starts(tab, address):
    page = tab(address, PAGES[2])
    page.wait_for_function(READY)
    first = page.evaluate(FAMILIES)
    assert page.locator(".first-visit .dressed").count() > 10
    page.reload()
    page.wait_for_function(READY)
    assert page.locator(".first-visit, .dressed").count() == 0
    assert page.evaluate(FAMILIES) == first
    assert first["article > section > p"].startswith('"Source Serif 4"')
    assert first["article math"].startswith('"STIX Two Math"')
