"""How a page comes to be seen: what it waits for, how it starts, and that nothing moves."""

import re

import pytest

from .. import data
from ..browser_fixtures import ALL_PAGES, READY, REFUSED, VIEWPORTS, pages

PAGES = ("intro.html", "chapters/05-translation.html", "exercises/05-translation.html")
FONTS, SCRIPTS, FIGURES = (
    re.compile(rf"{name}(\?|$)") for name in (r"\.woff2?", r"\.js", r"/figure_host\.js")
)
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"


@pytest.fixture
def opened(new_tab, address):
    """Open a page of which some files do not come yet, once it is painted; and let them come."""

    def open_page(name, kept, scheme="light", before=""):
        page = new_tab(before=before, viewport=VIEWPORTS["phone"], color_scheme=scheme)
        waiting, late = [], [kept]
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


@pytest.mark.parametrize(("scheme", "before", "theme"), data("browser/cases.yml")["themes"])
def test_a_page_starts_in_the_colors_that_it_keeps(scheme, before, theme, opened):
    page, come = opened(PAGES[1], SCRIPTS, scheme, before.replace("REFUSED", REFUSED))
    ground = "() => getComputedStyle(document.body).backgroundColor"
    start = page.evaluate(ground)
    assert page.evaluate("document.documentElement.dataset.theme") == theme
    come()
    assert page.evaluate(ground) == start
    seen = set()
    for _ in range(3):
        page.locator(".theme-switch-button:visible").first.click()
        seen.add(mode := page.evaluate("document.documentElement.dataset.mode"))
        assert page.evaluate("localStorage.getItem('mode')") == mode
    assert seen == {"auto", "dark", "light"}


# Sums up what moves on the page, as browsers do for the people who look after a site.
SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push([value, sources[0]?.node?.outerHTML?.slice(0, 90)]);
}).observe({ type: "layout-shift", buffered: true });"""
STILL = [*PAGES, "exercises/overview.html", "appendices/config.html", "search.html?q=rotary"]
if ALL_PAGES:
    STILL = [page for page in pages() if page != "404.html"]
MOST = 0.02  # a line more in a paragraph is 0.05
# A phone of the middle range: a slow network (bytes, milliseconds), a processor of a quarter.
SLOW = {"offline": False, "latency": 150, "downloadThroughput": 400_000, "uploadThroughput": 90_000}
# Controls with less room than a finger, or a mouse, needs. The label of a box is part of it.
SMALL = """least => [...document.querySelectorAll(
    "button, summary, select, input, .start a, .ask a")]
  .map(e => e.matches("[type=radio], [type=checkbox]") ? e.closest("label") ?? e : e)
  .filter(e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, { width, height }]) => width && height && Math.min(width, height) < least - 0.5)
  .map(([e, { width, height }]) => `${width} × ${height}: ${e.outerHTML.slice(0, 90)}`)"""


@pytest.fixture(params=VIEWPORTS)
def arrived(request, new_tab, address):
    """Open a page on a slow machine; gives it and the least size of its controls."""
    is_phone = request.param == "phone"
    window = {"viewport": VIEWPORTS[request.param], "reduced_motion": "reduce"}
    page = new_tab(before=SHIFTS, **window, has_touch=is_phone, is_mobile=is_phone)
    speak = page.context.new_cdp_session(page).send
    speak("Network.enable")
    speak("Network.emulateNetworkConditions", SLOW)
    speak("Emulation.setCPUThrottlingRate", {"rate": 4})

    def open_page(name):
        page.goto(f"{address}/{name}", timeout=60_000)
        page.wait_for_function(READY, timeout=60_000)
        page.wait_for_timeout(500)
        return page, 44 if is_phone else 24

    return open_page


@pytest.mark.parametrize("name", STILL)
def test_nothing_moves_and_each_control_has_room(name, arrived):
    page, least = arrived(name)
    assert sum(value for value, _ in page.evaluate("shifts")) < MOST, page.evaluate("shifts")
    page.add_style_tag(content="section { content-visibility: visible !important; }")
    assert page.evaluate(SMALL, least) == []


def test_these_checks_can_fail(arrived):
    page, least = arrived("intro.html")
    page.evaluate("document.querySelector('article').style.paddingTop = '300px'")
    page.wait_for_function(f"shifts.reduce((sum, [value]) => sum + value, 0) > {MOST}")
    page.evaluate("""document.querySelector("article").insertAdjacentHTML("beforeend",
      '<button style="height: 20px">small</button>')""")
    assert "small" in page.evaluate(SMALL, least)[0]


# The last heading above the upper third of the window, and where it is.
AT = """() => [...document.querySelectorAll("section[id]")]
  .map(e => [e.id, Math.round(e.getBoundingClientRect().top)])
  .findLast(([_, top]) => top < innerHeight / 3)"""


def test_a_jump_ends_at_its_heading(read):
    heading = "does-it-reach-longer-texts"  # far down, below figures and predictions
    page = read(f"chapters/tour.html#{heading}", viewport=VIEWPORTS["desktop"])
    page.wait_for_timeout(1500)  # until the figures stand
    name, top = page.evaluate(AT)
    assert name == heading
    assert 0 <= top < 100


@pytest.mark.parametrize("name", ["tour", "16-running"])
def test_a_page_loaded_again_is_where_it_was(name, read, address):
    page = read(f"chapters/{name}.html", viewport=VIEWPORTS["desktop"])
    page.evaluate("scrollTo(0, 6500)")  # past sections that nobody has seen, and undrawn figures
    page.wait_for_timeout(1500)
    heading, top = page.evaluate(AT)
    for load in (page.reload, lambda: [page.goto(f"{address}/intro.html"), page.go_back()]):
        load()
        page.wait_for_function(READY)
        page.wait_for_timeout(1500)
        after, now = page.evaluate(AT)
        assert after == heading
        assert abs(now - top) < 40  # two lines
