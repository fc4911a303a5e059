"""The built book, read in a browser: every page, light and dark, on a desktop and on a phone."""

import itertools
from collections import Counter
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from .conftest import HTML, READY, VIEWPORTS, Log, gzipped, pages

WIDTHS = (360, 390, 768, 1280, 1600)
CHAPTERS = [page for page in pages() if page.startswith("chapters/")]
# Bytes of a first visit on the wire, with the moving figures and without the still ones, which
# are loaded when they come near.
PAGE_LIMIT = 500_000
FORMULAS = """() => ({
  unset: [...document.querySelectorAll("article .math")]
    .filter(m => !m.querySelector("mjx-container")).map(m => m.textContent),
  wrong: [...document.querySelectorAll("mjx-merror")].map(e => e.textContent),
})"""
AXE_OPTIONS = {
    "resultTypes": ["violations"],
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "preload": False,  # axe would fetch every style sheet again
}


def violations(page, colors=True):
    """Return what axe finds on the page as it is shown now, a line for each place."""
    options = AXE_OPTIONS | {"rules": {"color-contrast": {"enabled": colors}}}
    rules = Axe().run(page, options=options).response["violations"]
    return [f"{rule['id']}: {node['html'][:200]}" for rule in rules for node in rule["nodes"]]


def test_page_is_accessible_in_both_themes_on_desktop_and_phone(page_name, visit):
    page, _ = visit(page_name)
    found = {}
    # Listings of source code have thousands of words, in the same few colors: one stands for all.
    colors = not page_name.startswith("_modules/") or page_name.endswith("/rotary.html")
    # Both themes and both sizes, in two looks and not four: axe takes long on long pages, and no
    # color depends on the size.
    for scheme, viewport in [("light", "desktop"), ("dark", "phone")]:
        page.emulate_media(color_scheme=scheme)
        resize(page, *VIEWPORTS[viewport])
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        found[scheme, viewport] = violations(page, colors)
    page.emulate_media(color_scheme="light")
    resize(page, *VIEWPORTS["desktop"])
    assert {key: places for key, places in found.items() if places} == {}


def resize(page, width, height):
    """Change the size of the window; page.js then looks at the page again, and says so."""
    page.evaluate("delete document.documentElement.dataset.ready")
    page.set_viewport_size({"width": width + 1, "height": height})  # a change in any case
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(READY)


def test_page_asks_no_other_host_and_raises_no_error(page_name, visit):
    page, log = visit(page_name)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # what is loaded when it is near
    page.wait_for_load_state("networkidle")
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_page_opens_by_double_click(page_name, chromium):
    context, log = chromium.new_context(), Log()
    page = context.new_page()
    with log.watching(page, HTML.as_uri() + "/"):
        page.goto((HTML / page_name).as_uri())
        page.wait_for_function(READY)
        formulas = page.evaluate(FORMULAS)
    context.close()
    assert formulas == {"unset": [], "wrong": []}
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_every_formula_is_set(page_name, visit):
    page, _ = visit(page_name)
    assert page.evaluate(FORMULAS) == {"unset": [], "wrong": []}


def test_no_page_is_wider_than_the_screen(page_name, visit):
    page, _ = visit(page_name)
    found = {}
    for width in WIDTHS:
        resize(page, width, 900)
        over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if over > 0:
            found[width] = page.evaluate(TOO_WIDE)
    resize(page, *VIEWPORTS["desktop"])
    assert found == {}


TOO_WIDE = """() => [...document.querySelectorAll("main *")].filter(e => {
  for (let box = e.parentElement; box; box = box.parentElement)
    if (box !== document.body && getComputedStyle(box).overflowX !== "visible") return false;
  return e.getBoundingClientRect().right > innerWidth + 1;
}).map(e => e.outerHTML.slice(0, 150)).slice(0, 5)"""


def test_every_picture_is_described_and_loads(page_name, visit):
    page, _ = visit(page_name)
    found = page.evaluate(
        """async () => {
          const images = [...document.querySelectorAll("article img")];
          for (const image of images) { image.loading = "eager"; await image.decode(); }
          return images.map(i => ({source: i.src, alt: i.alt, width: i.naturalWidth,
                                   sized: i.hasAttribute("width") && i.hasAttribute("height")}));
        }"""
    )
    for image in found:
        assert image["alt"].strip(), image["source"]
        assert image["width"] > 0, image["source"]
        assert image["sized"], f"{image['source']} moves the text when it loads"


def test_no_heading_level_is_skipped(page_name, visit):
    page, _ = visit(page_name)
    headings = page.locator("#main-content :is(h1, h2, h3, h4, h5, h6):visible")
    levels = headings.evaluate_all("found => found.map(heading => +heading.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels)), levels


def test_no_id_is_used_twice(page_name, visit):
    page, _ = visit(page_name)
    ids = page.evaluate("() => [...document.querySelectorAll('article [id]')].map(e => e.id)")
    assert [name for name, count in Counter(ids).items() if count > 1] == []


@pytest.fixture(scope="session")
def anchors(tabs, address):
    """The ids of every page, and where its links lead."""
    page, ids, links = tabs("light", "desktop"), {}, {}
    for name in pages():
        page.goto(f"{address}/{name}", wait_until="domcontentloaded")
        ids[name], hrefs = page.evaluate(
            """() => [[...document.querySelectorAll("[id]")].map(e => e.id),
                      [...document.querySelectorAll("a[href]")].map(a => a.getAttribute("href"))]"""
        )
        links[name] = set(hrefs)
    return {name: set(found) for name, found in ids.items()}, links


def test_every_internal_link_leads_somewhere(page_name, anchors):
    ids, links = anchors
    for link in links[page_name]:
        target = urlsplit(link)
        if target.scheme or link in ("#", ""):
            continue
        path, fragment = urldefrag(urljoin(page_name, link))
        path = unquote(path) or page_name
        assert (HTML / path).is_file(), link
        if fragment and path in ids:
            assert unquote(fragment) in ids[path], link


def test_every_figure_and_labelled_formula_is_numbered_and_has_a_link(page_name, visit):
    page, _ = visit(page_name)
    unnumbered = page.evaluate(
        """() => [
          ...[...document.querySelectorAll("article figure")].filter(
            f => !f.id || !f.querySelector(".caption-number") || !f.querySelector("a.headerlink")),
          ...[...document.querySelectorAll("article div.math[id]")].filter(
            m => !m.querySelector(".eqno a.headerlink")),
        ].map(e => e.outerHTML.slice(0, 150))"""
    )
    assert unnumbered == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_is_in_the_row_of_chapters(chapter, visit):
    page, _ = visit(chapter)
    assert page.locator(".prev-next-area a.left-prev").count() == 1
    assert page.locator(".prev-next-area a.right-next").count() == 1
    for link in ["a.right-next", "a.left-prev"]:
        with page.expect_navigation():
            page.locator(f".prev-next-area {link}").click()
        page.wait_for_function(READY)
    assert page.url.endswith(chapter)


def test_the_search_finds_a_word(visit, address):
    page, log = visit("search.html?q=position")
    page.locator("#search-results li a").first.wait_for()
    found = page.locator("#search-results li a").evaluate_all("links => links.map(a => a.href)")
    page.wait_for_load_state("networkidle")  # it shows a piece of each page that it found
    assert any("/chapters/" in link for link in found)
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_the_search_is_reached_by_keyboard(visit):
    page, _ = visit(CHAPTERS[0])
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog input").wait_for(state="visible")
    page.keyboard.type("frequency")
    page.keyboard.press("Enter")
    page.locator("#search-results").wait_for()
    assert page.url.endswith("search.html?q=frequency")


def test_the_theme_is_switched_and_kept(chromium, address):
    context = chromium.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{address}/{CHAPTERS[0]}")
    page.wait_for_function(READY)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    for _ in range(3):  # the button goes through light, dark and the system's own
        page.locator(".bd-header-article .theme-switch-button").click()
        if page.evaluate("document.documentElement.dataset.theme") == "dark":
            break
    dark = page.evaluate(ground)
    page.goto(f"{address}/{CHAPTERS[-1]}")
    page.wait_for_function(READY)
    kept = page.evaluate(ground)
    context.close()
    assert dark != light
    assert kept == dark


def test_the_menu_opens_on_a_phone(visit):
    page, _ = visit(CHAPTERS[0], viewport="phone")
    link = page.locator(f"#pst-primary-sidebar-modal a[href='{CHAPTERS[1].split('/')[1]}']")
    page.locator("button.primary-toggle").click()
    link.wait_for(state="visible")
    with page.expect_navigation():
        link.click()
    page.wait_for_function(READY)
    assert page.url.endswith(CHAPTERS[1])


def test_the_notebook_of_a_chapter_can_be_downloaded(visit, address):
    page, _ = visit(CHAPTERS[0])
    link = page.locator("a.btn-download-source-button").get_attribute("href")
    assert link.endswith(CHAPTERS[0].split("/")[1].replace(".html", ".ipynb"))
    assert page.request.get(urljoin(f"{address}/{CHAPTERS[0]}", link)).ok


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_is_light(chapter, chromium, address):
    context, log = chromium.new_context(), Log()  # a reader who comes for the first time
    page = context.new_page()
    with log.watching(page, address + "/"):
        page.goto(f"{address}/{chapter}")
        page.wait_for_function(READY)
    context.close()
    text = [url for url in log.local if "/_images/" not in url]
    weight = gzipped(text)
    print(f"{chapter}: {weight / 1000:.0f} KB without pictures, {len(log.local)} requests")
    assert [url for url in log.local if "fontawesome" in url] == []  # book.css draws the icons
    assert weight < PAGE_LIMIT


# The checks above can fail


def test_an_unknown_macro_would_be_seen(visit):
    page, _ = visit(CHAPTERS[0])
    page.evaluate(
        """() => {
          const formula = document.createElement("p");
          formula.className = "math";
          formula.textContent = String.raw`\\(\\nosuchmacro\\)`;
          document.querySelector("article").append(formula);
          return MathJax.typesetPromise();
        }"""
    )
    assert len(page.evaluate(FORMULAS)["wrong"]) == 1


def test_a_picture_without_a_description_would_be_seen(visit):
    page, _ = visit(CHAPTERS[0])
    page.evaluate("document.querySelector('article').append(new Image(10, 10))")
    assert any(place.startswith("image-alt") for place in violations(page))


def test_a_request_to_another_host_would_be_seen(visit):
    page, log = visit(CHAPTERS[0])
    page.evaluate("fetch('https://example.org/a.js').catch(() => {})")
    assert log.foreign == ["https://example.org/a.js"]


def test_a_script_error_would_be_seen(visit):
    page, log = visit(CHAPTERS[0])
    page.evaluate("() => new Promise(done => setTimeout(() => { done(); nothing(); }))")
    page.wait_for_timeout(50)
    assert log.console == ["script error: nothing is not defined"]
