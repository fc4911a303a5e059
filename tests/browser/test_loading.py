"""How a page comes to be seen: what it waits for, how it starts, what moves."""

import re
import threading
import time

import pytest

from ..browser_fixtures import HTML, READY, VIEWPORTS, Handler, serving

PAGES = ("intro.html", "chapters/01-attention.html", "chapters/05-translation.html",
         "exercises/05-translation.html")  # fmt: skip
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
FONTS = r"\.woff2?$"
SCRIPTS = r"\.js$"
# Sums up what moves on the page, as browsers do for the people who look after a site.
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.shifts.push(value);
  }).observe({ type: "layout-shift", buffered: true });
}"""
GOOD_SHIFT = 0.1  # what counts as good; a line more in a paragraph is 0.05


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

    def opened(address, name, scheme="light", before=""):
        width, height = VIEWPORTS["phone"]
        context = chromium.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, is_mobile=True
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(f"({SHIFTS})(); {before}")
        page.goto(f"{address}/{name}", wait_until="commit")
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("awaited", [FONTS, SCRIPTS])
def test_a_page_is_shown_before_its_fonts_and_its_scripts_have_come(name, awaited, tab):
    gate = Gate(awaited)
    with serving(gate.handler) as address:
        page = tab(address, name)
        page.wait_for_function(PAINTED)
        assert gate.kept.wait(10)
        gate.open = True
        page.wait_for_function(READY)


def test_a_page_that_waits_for_its_style_is_not_shown(tab):
    gate = Gate(r"book\.css$")
    with serving(gate.handler) as address:
        page = tab(address, PAGES[2])
        page.wait_for_timeout(1000)
        assert not page.evaluate(PAINTED)
        gate.open = True
        page.wait_for_function(PAINTED)


@pytest.mark.parametrize("name", PAGES)
def test_nothing_on_a_page_moves_when_its_fonts_come(name, tab):
    gate = Gate(FONTS)
    with serving(gate.handler) as address:
        page = tab(address, name)
        page.wait_for_function(PAINTED)
        page.wait_for_timeout(500)
        gate.open = True
        page.wait_for_function(READY)
        page.wait_for_timeout(300)
        assert sum(page.evaluate("shifts")) < GOOD_SHIFT


@pytest.mark.parametrize("viewport", VIEWPORTS.values(), ids=VIEWPORTS)
def test_the_first_page_keeps_the_room_of_its_moving_figure(viewport, tab):
    gate = Gate(r"anyhost\.js$")
    with serving(gate.handler) as address:
        page = tab(address, PAGES[0])
        page.set_viewport_size(dict(zip(("width", "height"), viewport, strict=True)))
        page.wait_for_function(PAINTED)
        assert gate.kept.wait(10)
        page.wait_for_timeout(500)
        assert page.locator(".opening .moving-figure").count() == 0
        before = page.locator(".opening").bounding_box()
        gate.open = True
        page.wait_for_function(READY)
        page.locator(".opening .moving-figure").wait_for()
        page.wait_for_timeout(300)
        assert page.locator(".opening").bounding_box()["height"] - before["height"] < 8
        assert sum(page.evaluate("shifts")) < GOOD_SHIFT


def test_what_moves_would_be_seen(tab, address):
    page = tab(address, PAGES[2])
    page.wait_for_function(READY)
    page.evaluate("document.querySelector('article').style.paddingTop = '300px'")
    page.wait_for_function(f"shifts.reduce((sum, shift) => sum + shift, 0) > {GOOD_SHIFT}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_starts_in_the_colors_that_it_keeps(scheme, tab):
    gate = Gate(SCRIPTS)
    with serving(gate.handler) as address:
        page = tab(address, PAGES[2], scheme)
        page.wait_for_function(PAINTED)
        ground = "() => getComputedStyle(document.body).backgroundColor"
        start = page.evaluate(ground)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        gate.open = True
        page.wait_for_function(READY)
        assert page.evaluate(ground) == start


REFUSED = """Object.defineProperty(window, "localStorage", { configurable: true,
  get() { throw new DOMException("refused", "SecurityError"); } });"""


@pytest.mark.parametrize(
    ("before", "scheme"), [("localStorage.setItem('mode', 'dark');", "light"), (REFUSED, "dark")]
)
def test_colors_are_there_from_the_start_where_they_are_kept_and_where_nothing_is(
    before, scheme, tab
):
    gate = Gate(SCRIPTS)
    with serving(gate.handler) as address:
        page = tab(address, PAGES[1], scheme, before)
        page.wait_for_function(PAINTED)
        assert page.evaluate("document.documentElement.dataset.theme") == "dark"
        # where nothing is kept every visit would be the first
        assert page.locator(".first-visit").count() == (before != REFUSED)
        gate.open = True
        page.wait_for_function(READY)


def test_where_nothing_is_kept_the_colors_change_and_the_search_opens(tab, address):
    page = tab(address, PAGES[1], "light", REFUSED)
    page.wait_for_function(READY)
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert seen == {"auto", "dark", "light"}
    page.keyboard.press("Control+k")
    page.locator("dialog input[type=search], .search-button__wrapper input").first.wait_for()


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


def test_without_scripts_a_page_has_its_fonts(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{PAGES[2]}")
    style = page.locator("article > section > p").first.evaluate(
        "text => getComputedStyle(text).fontFamily"
    )
    assert style.startswith('"Source Serif 4"')
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_loads_nothing_ahead(name):
    html = (HTML / name).read_text(encoding="utf8")
    assert "preload" not in html.partition("</head>")[0]
