"""The built book, read in a browser: every page, light and dark, on a desktop and on a phone."""

import itertools
import re
import unicodedata
from collections import Counter
from functools import partial
from html import unescape
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest
from fontTools.ttLib import TTFont

from ..axe import violations
from ..browser_fixtures import HTML, READY, ROOT, VIEWPORTS, WIDTHS, Log, gzipped, pages, resize

CHAPTERS = [page for page in pages() if page.startswith("chapters/")]
# Bytes of a first visit on the wire, with the moving figures and without the still ones, which
# are loaded when they come near.
PAGE_LIMIT = 500_000
# The formulas that the browser does not draw: as TeX, as unknown elements, or of no size.
FORMULAS = """() => [...document.querySelectorAll("article .math")].filter(box => {
  const formula = box.querySelector("math");
  const drawn = formula instanceof MathMLElement && !formula.querySelector("merror");
  return !drawn || (formula.checkVisibility() && !formula.getBoundingClientRect().width);
}).map(box => box.textContent)"""
# A letter that stands alone in a formula is drawn by its italic twin.
ITALICS = {
    unicodedata.normalize("NFKC", twin): twin
    for twin in map(chr, [*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)])
}
# Loads the pictures that are not near, too.
PICTURES = """async () => {
  const images = [...document.querySelectorAll("article img")];
  for (const image of images) image.loading = "eager";
  const loaded = await Promise.all(images.map(i => i.decode().then(() => true, () => false)));
  const sized = (i) => i.hasAttribute("width") && i.hasAttribute("height");
  const pictures = images.map((i, k) => ({source: i.src, alt: i.alt, sized: sized(i),
                                          loads: loaded[k] && i.naturalWidth > 0}));
  const drawings = [...document.querySelectorAll("article svg.drawn")].map(
    (i) => ({source: "", alt: i.getAttribute("aria-label"), sized: sized(i),
             loads: i.getAttribute("role") === "img" && i.querySelectorAll("path").length > 0}));
  return [...pictures, ...drawings];
}"""


def test_every_formula_is_set(page_name, read):
    page, _ = read(page_name)
    assert page.evaluate(FORMULAS) == []


def test_the_font_of_the_formulas_has_every_sign():
    signs = TTFont(HTML / "_static/fonts/stix-two-math-part-400-normal.woff2").getBestCmap()
    html = "".join((HTML / name).read_text(encoding="utf8") for name in pages())
    formulas = set(re.findall(r"<math.*?</math>", html, flags=re.DOTALL))
    assert len(formulas) > 300
    for formula in formulas:
        alone = map(partial(unicodedata.normalize, "NFKC"), re.findall("<mi>(.)</mi>", formula))
        # U+2061 says, unseen, that a function is applied
        others = re.sub(r"\s|\u2061", "", unescape(re.sub("<mi>.</mi>|<[^>]*>", "", formula)))
        needed = {ITALICS.get(letter, letter) for letter in alone} | set(others)
        assert needed <= set(map(chr, signs)), formula


def test_no_heading_level_is_skipped(page_name, read):
    page, _ = read(page_name)
    headings = page.locator("#main-content :is(h1, h2, h3, h4, h5, h6):visible")
    levels = headings.evaluate_all("found => found.map(heading => +heading.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels)), levels


def test_no_id_is_used_twice(page_name, read):
    page, _ = read(page_name)
    ids = page.evaluate("() => [...document.querySelectorAll('article [id]')].map(e => e.id)")
    assert [name for name, count in Counter(ids).items() if count > 1] == []


ANCHORS = """text => {
  const page = new DOMParser().parseFromString(text, "text/html");
  return [[...page.querySelectorAll("[id]")].map(e => e.id),
          [...page.querySelectorAll("a[href]")].map(a => a.getAttribute("href"))];
}"""


def test_every_internal_link_of_every_page_leads_somewhere(chromium):
    page, ids, links = chromium.new_page(), {}, {}
    for name in pages():
        text = (HTML / name).read_text(encoding="utf8")
        ids[name], links[name] = map(set, page.evaluate(ANCHORS, text))
    page.close()
    for source in pages():
        for link in links[source]:
            if urlsplit(link).scheme or link in ("#", ""):
                continue
            path, fragment = urldefrag(urljoin(source, link))
            path = unquote(path.partition("?")[0]) or source
            assert (HTML / path).is_file(), (source, link)
            if fragment and path in ids:
                assert unquote(fragment) in ids[path], (source, link)


def test_every_figure_and_labelled_formula_is_numbered_and_has_a_link(page_name, read):
    page, _ = read(page_name)
    unnumbered = page.evaluate(
        """() => [
          ...[...document.querySelectorAll("article figure")].filter(
            f => !f.id || !f.querySelector(".caption-number") || !f.querySelector("a.headerlink")),
          ...[...document.querySelectorAll("article div.math[id]")].filter(
            m => !m.querySelector(".eqno a.headerlink")),
        ].map(e => e.outerHTML.slice(0, 150))"""
    )
    assert unnumbered == []


@pytest.mark.parametrize("chapter", CHAPTERS)  # no browser is asked
def test_no_script_keeps_a_chapter_from_being_shown(chapter):
    scripts = re.findall(r"<script[^>]*src=[^>]*>", (HTML / chapter).read_text(encoding="utf8"))
    assert len(scripts) > 5
    assert [script for script in scripts if " defer" not in script] == []


def test_the_icons_need_no_font(page_name, read):
    _, log = read(page_name)
    assert [url for url in log.local if "fontawesome" in url] == []  # book.css draws them


def test_a_chapter_is_light(chapter_name, read):
    _, log = read(chapter_name)
    text = [url for url in log.at_first if "/_images/" not in url]
    weight = gzipped(text)
    print(f"{chapter_name}: {weight / 1000:.0f} KB without pictures, {len(log.at_first)} requests")
    assert weight < PAGE_LIMIT


def test_every_picture_is_described_and_loads(page_name, read):
    page, _ = read(page_name)
    for image in page.evaluate(PICTURES):
        assert image["alt"].strip(), image["source"]
        assert image["loads"], image["source"]
        assert image["sized"], f"{image['source']} moves the text when it loads"


def test_page_is_accessible_in_both_themes_on_desktop_and_phone(page_name, read):
    found = {}
    # Both themes and both sizes, in two looks and not four: axe takes long on long pages, and no
    # color depends on the size.
    for scheme, viewport in [("light", "desktop"), ("dark", "phone")]:
        page, _ = read(page_name, scheme, viewport)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        found[scheme, viewport] = violations(page)
    assert {key: places for key, places in found.items() if places} == {}


def test_no_page_and_no_block_of_it_is_wider_than_the_screen(page_name, read):
    page, _ = read(page_name, viewport="phone")
    heights, found = dict(VIEWPORTS.values()), {}
    for width in WIDTHS:
        resize(page, width, heights.get(width, 900))
        if page.evaluate(OVER) > 0:
            found[width] = page.evaluate(TOO_WIDE)
        elif width in (390, 1280) and (scrolling := page.evaluate(SCROLLING)):
            found[width] = scrolling
    assert found == {}


# What scrolls in its own box: page.js has marked it. Pictures do so on purpose, and so does the
# table that sets the letters of the sources side by side.
SCROLLING = """() => [...document.querySelectorAll("[aria-label$='scrolls sideways']")].filter(
  e => e.checkVisibility() && !e.matches(".wide-picture") && !e.closest("#the-sources-notation")
).map(e => e.outerHTML.slice(0, 150))"""


OVER = "document.documentElement.scrollWidth - innerWidth"
TOO_WIDE = """() => [...document.querySelectorAll("main *")].filter(e => {
  for (let box = e.parentElement; box; box = box.parentElement)
    if (box !== document.body && getComputedStyle(box).overflowX !== "visible") return false;
  return e.getBoundingClientRect().right > innerWidth + 1;
}).map(e => e.outerHTML.slice(0, 150)).slice(0, 5)"""


def test_page_asks_no_other_host_and_raises_no_error(page_name, read):
    page, log = read(page_name)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")  # what is loaded when it is near
    page.evaluate(PICTURES)  # and what is not near
    page.evaluate("scrollTo(0, 0)")
    assert (log.foreign, log.failed, log.console) == ([], [], [])


def test_chapter_is_in_the_row_of_chapters(chapter_name, read):
    page, _ = read(chapter_name)
    assert page.locator(".prev-next-area a.left-prev").count() == 1
    assert page.locator(".prev-next-area a.right-next").count() == 1
    for link in ["a.right-next", "a.left-prev"]:
        with page.expect_navigation(wait_until="domcontentloaded"):
            page.locator(f".prev-next-area {link}").click()
    assert page.url.endswith(chapter_name)


def test_page_opens_by_double_click(page_name, file_tab):
    log = Log()
    with log.watching(file_tab, HTML.as_uri() + "/"):
        file_tab.goto((HTML / page_name).as_uri())
        file_tab.wait_for_function(READY)
        formulas = file_tab.evaluate(FORMULAS)
    assert formulas == []
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


def test_a_visit_leaves_what_the_page_about_the_site_lists_and_no_cookie(chromium, address):
    listed = (ROOT / "appendices" / "site.md").read_text(encoding="utf8")
    with chromium.new_context() as context:
        page = context.new_page()
        for name in (
            CHAPTERS[0],
            "appendices/frameworks.html",
            "search.html?q=rotary",
            "intro.html",
        ):
            page.goto(f"{address}/{name}")
            page.wait_for_function(READY)
            if "frameworks" in name:
                page.locator(".sd-tab-set > label:visible").nth(1).click()
        page.wait_for_function("localStorage.fonts")
        stored = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"
        names = set(page.evaluate(stored))
        assert context.cookies() == []
        assert page.evaluate("caches.keys()") == []
    assert {"mode", "theme", "fonts", "sphinx-design-tab-id-framework"} <= names
    assert [name for name in sorted(names) if f"`{name}`" not in listed] == []


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


# The checks above can fail


def test_a_formula_that_is_not_drawn_would_be_seen(visit):
    page, _ = visit(CHAPTERS[4])
    assert page.evaluate(FORMULAS) == []
    page.evaluate(
        """() => {
          const [first, second] = document.querySelectorAll("article .math");
          first.innerHTML = String.raw`<code>\\omega</code>`;
          second.querySelector("math").replaceChildren();
        }"""
    )
    assert len(page.evaluate(FORMULAS)) == 2


def test_a_picture_without_a_description_would_be_seen(visit):
    page, _ = visit("404.html")
    page.evaluate("document.querySelector('article').append(new Image(10, 10))")
    assert any(place.startswith("image-alt") for place in violations(page))


def test_a_pale_word_among_thousands_and_a_dark_ground_would_be_seen(visit):
    page, _ = visit(CHAPTERS[4])  # that it is accessible as it stands is tested above
    page.evaluate(
        """() => {
          const words = document.querySelectorAll("article pre span");
          const seen = [...words].filter(
            (word) => word.textContent.length > 2 && word.checkVisibility());
          Object.assign(seen.at(-1).style, { color: "#ccc" });
          const texts = document.querySelectorAll("article p");
          [...texts].at(-1).style.background = "#555";
        }"""
    )
    found = violations(page)
    assert any("color: rgb(204, 204, 204)" in place for place in found)
    assert any("background: rgb(85, 85, 85)" in place for place in found)


def test_a_picture_that_does_not_load_would_be_seen(visit):
    page, log = visit(CHAPTERS[0])
    page.evaluate(
        """() => {
          const picture = new Image(10, 10);
          picture.loading = "lazy";
          picture.src = "nosuchpicture.png";
          document.querySelector("article").append(picture);
        }"""
    )
    assert [image["loads"] for image in page.evaluate(PICTURES)].count(False) == 1
    assert [failure.split()[0] for failure in log.failed] == ["404"]


def test_a_line_wider_than_the_screen_would_be_seen(visit):
    page, _ = visit(CHAPTERS[0])
    assert page.evaluate(OVER) <= 0
    page.evaluate(
        """() => {
          const line = document.createElement("p");
          Object.assign(line.style, { minWidth: "2000px", height: "9px" });
          document.querySelector("article").append(line);
        }"""
    )
    assert page.evaluate(OVER) > 0
    assert any("2000px" in place for place in page.evaluate(TOO_WIDE))


def test_a_request_to_another_host_would_be_seen(visit):
    page, log = visit(CHAPTERS[0])
    page.evaluate("fetch('https://example.org/a.js').catch(() => {})")
    assert log.foreign == ["https://example.org/a.js"]


def test_a_script_error_would_be_seen(visit):
    page, log = visit(CHAPTERS[0])
    page.evaluate("() => new Promise(done => setTimeout(() => { done(); nothing(); }))")
    page.wait_for_timeout(50)
    assert log.console == ["script error: nothing is not defined"]
