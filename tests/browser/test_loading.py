"""How a page comes to be seen: what it waits for, and how it starts."""

import re

import pytest

from ..browser_fixtures import READY, VIEWPORTS

PAGES = ("intro.html", "chapters/05-translation.html", "exercises/05-translation.html")
FONTS, SCRIPTS, FIGURES = (
    re.compile(rf"{name}(\?|$)") for name in (r"\.woff2?", r"\.js", r"/figure_host\.js")
)
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
REFUSED = """Object.defineProperty(window, "localStorage", { configurable: true,
  get() { throw new DOMException("refused", "SecurityError"); } });"""


@pytest.fixture
def opened(new_tab, address):
    """Open a page of which some files do not come yet, once it is painted; and let them come."""

    def open_page(name, kept, scheme="light", before=""):
        page = new_tab(viewport=VIEWPORTS["phone"], color_scheme=scheme)
        waiting, late = [], [kept]
        page.add_init_script(before)
        page.route(kept, lambda route: waiting.append(route) if late else route.continue_())
        page.goto(f"{address}/{name}", wait_until="commit")
        page.wait_for_function(PAINTED)
        assert waiting

        def come():
            late.clear()
            for route in waiting:
                route.continue_()
            page.wait_for_function(READY)

        return page, come

    return open_page


@pytest.mark.parametrize("kept", [FONTS, SCRIPTS, FIGURES])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_before_what_comes_late(name, kept, opened):
    _, come = opened(name, kept)
    come()


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
    page, come = opened(PAGES[1], SCRIPTS, scheme, before)
    ground = "() => getComputedStyle(document.body).backgroundColor"
    start = page.evaluate(ground)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    come()
    assert page.evaluate(ground) == start
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.add(page.evaluate("document.documentElement.dataset.mode"))
    assert seen == {"auto", "dark", "light"}
