"""The built book, read in a browser: every page, light and dark, on a desktop and on a phone."""

import html
import os
import re
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import pytest

from publishing.home import CONFIG
from publishing.website.publish import VERSION

from .. import browser_fixtures as fixtures
from ..axe import violations
from ..browser_fixtures import HTML, SMALL, pages, pages_to_visit

TOP = urlsplit(os.environ.get("PECODE_SITE", "")).path or "/"  # where the links of 404.html begin
each_page = pytest.mark.parametrize("name", pages_to_visit())
CHAPTERS = [page for page in pages() if page.startswith("chapters/")]
WITHOUT_SOURCE = {"404.html", "search.html", "genindex.html"}
READ_BY = re.compile(r"<meta (?=[^>]*name=\"description\")[^>]*content=\"([^\"]*)\"")
THEME = "document.documentElement.dataset.theme"
# Bytes of a first visit on the wire, with the moving figures and without the still ones, which
# are loaded when they come near.
PAGE_LIMIT = 500_000
LOADED = """["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind)).map(
  each => each.name)"""
# What is wrong with a page, a line each; loads the pictures that are not near, too.
PROBLEMS = """async () => {
  const all = (css) => [...document.querySelectorAll(css)];
  const problems = (what, found) => found.map((e) => `${what}: ${e.outerHTML.slice(0, 120)}`);
  const undrawn = (box) => { // as TeX, as unknown elements, or of no size
    const formula = box.querySelector("math");
    return !(formula instanceof MathMLElement) || formula.querySelector("merror")
      || (formula.checkVisibility() && !formula.getBoundingClientRect().width);
  };
  const ids = Map.groupBy(all("article [id]"), (e) => e.id);
  const images = all("article img");
  for (const image of images) image.loading = "eager";
  await Promise.all(images.map((image) => image.decode().catch(() => {})));
  const drawings = all("article svg.drawn");
  return [
    problems("formula not drawn", all("article .math").filter(undrawn)),
    problems("figure without number or link", all("article figure").filter(
      (f) => !f.id || !f.querySelector(".caption-number") || !f.querySelector("a.headerlink"))),
    problems("formula without number", all("article div.math[id]").filter(
      (m) => !m.querySelector(".eqno a.headerlink"))),
    problems("id used twice", [...ids.values()].flatMap(([_, ...more]) => more)),
    problems("second title", all("#main-content h1").slice(1)), // of the others axe takes care
    problems("picture not described", [...images.filter((i) => !i.alt.trim()),
      ...drawings.filter((d) => d.role !== "img" || !d.ariaLabel?.trim())]),
    problems("picture without size", [...images, ...drawings].filter(
      (i) => !i.hasAttribute("width") || !i.hasAttribute("height"))),
    problems("picture not loaded", [...images.filter((i) => !i.naturalWidth),
      ...drawings.filter((d) => !d.querySelector("path"))]),
  ].flat();
}"""
TOO_WIDE = "document.documentElement.scrollWidth > innerWidth"
# What scrolls in its own box: site.js has marked it. Code may, and the table that sets the letters
# of the sources side by side.
SCROLLING = """() => [...document.querySelectorAll("[aria-label$='scrolls sideways']")].filter(
  e => e.checkVisibility() && !(e.ariaLabel.startsWith("Code") && !e.closest(".cell_output"))
    && !e.closest("#the-sources-notation")
).map(e => e.outerHTML.slice(0, 150))"""

# Code whose lines break: nothing of it may be there.
WRAPPED = """() => [...document.querySelectorAll("main pre, .cm-content")].filter(
  (code) => code.checkVisibility() && getComputedStyle(code).whiteSpace !== "pre"
).map((code) => code.textContent.slice(0, 60))"""


@each_page
def test_a_page_is_whole_accessible_and_asks_no_other_host(name, visit):
    page = visit(name)
    if name in CHAPTERS:
        loaded = {unquote(urlsplit(url).path) for url in page.evaluate(LOADED)}
        names = [each.removeprefix(f"{fixtures.BELOW}/") for each in loaded]
        files = [HTML / each for each in names if not each.startswith("_images/")]
        assert sum(map(fixtures.gzipped, files)) < PAGE_LIMIT
    assert page.evaluate(PROBLEMS) == []
    page.wait_for_function(fixtures.FIGURES_SHOWN)
    assert page.locator("pre[tabindex='-1']").count() == 0  # the theme leaves them to site.js
    assert [url for url in page.evaluate(LOADED) if "/python/" in url] == []  # before a click
    assert page.evaluate(THEME) == "light"
    assert violations(page) == []


# Two looks and not four: axe takes long on long pages, and no color depends on the size.
@each_page
def test_a_page_is_accessible_and_legible_on_a_dark_phone_and_fits(name, visit):
    page = visit(name, "dark", "phone")
    assert page.evaluate(THEME) == "dark"
    assert violations(page) == []
    assert (page.evaluate(SMALL, [11.99, "body"]), page.evaluate(WRAPPED)) == ([], [])
    heights = {size["width"]: size["height"] for size in fixtures.VIEWPORTS.values()}
    for width in fixtures.WIDTHS:
        fixtures.resize(page, width, heights.get(width, 900))
        assert (width, page.evaluate(TOO_WIDE)) == (width, False)
        if width == 1280 and not name.startswith("_modules/"):  # 100 characters a line
            assert (width, page.evaluate(SCROLLING)) == (width, [])


@each_page
def test_a_page_opens_by_double_click(name, new_tab):
    page = new_tab(HTML.as_uri() + "/", fixtures.ALL_LAID_OUT)
    fixtures.go(page, f"{(HTML / name).as_uri()}?q=rotary")
    assert page.evaluate(PROBLEMS) == []
    if name == "search.html":
        first = page.locator("#search-results a").first.get_attribute("href")
        assert first.startswith("./chapters/12-rotary.html#")


def test_these_checks_can_fail(new_tab, address):
    page = new_tab(before=fixtures.ALL_LAID_OUT)
    log = fixtures.Log(page, address)
    fixtures.go(page, f"{address}/{CHAPTERS[4]}")
    page.evaluate("""() => {
      const [first, second] = document.querySelectorAll("article .math");
      first.innerHTML = String.raw`<code>\\omega</code>`;
      second.querySelector("math").replaceChildren();
      const article = document.querySelector("article");
      article.insertAdjacentHTML("beforeend", `<h1 id="twice">a</h1><p id="twice">b</p>
        <img src="nosuch.png" loading="lazy"><figure></figure><div class="math" id="m"></div>
        <p style="min-width: 2000px; color: #ccc">pale and wide</p>
        <pre style="font-size: 11px; white-space: pre-wrap">x = 1</pre>`);
      fetch("https://example.org/a.js").catch(() => {});
      setTimeout(() => nothing());
    }""")
    found = {each.partition(":")[0] for each in page.evaluate(PROBLEMS)}
    assert len(found) == len(re.findall(r"problems\(\"", PROBLEMS))
    assert page.evaluate(TOO_WIDE)
    assert page.evaluate(SMALL, [11.99, "body"]) == ["11.0 px: x = 1"]
    assert page.evaluate(WRAPPED) == ["x = 1"]
    assert any("rgb(204, 204, 204)" in each or "#ccc" in each for each in violations(page))
    assert log.foreign == ["https://example.org/a.js"]
    assert any("nothing is not defined" in each for each in log.console)
    assert any(each.startswith("404") for each in log.failed)


def text_of(name):
    return (HTML / name).read_text(encoding="utf8")


def test_every_page_says_whose_it_is_and_no_two_have_the_same_description():
    owner, described = f"© {CONFIG['copyright']} {html.escape(CONFIG['author'])}", {}
    for name in pages():
        assert f"ersion {VERSION}, <time datetime=" in text_of(name)
        assert owner in text_of(name)
        if name not in WITHOUT_SOURCE and not name.startswith(("_modules/", "slides/")):
            (described[name],) = READ_BY.findall(text_of(name))
    assert len({*described.values()}) == len(described)


ANCHORS = """text => {
  const page = new DOMParser().parseFromString(text, "text/html");
  return [[...page.querySelectorAll("[id]")].map(e => e.id),
          [...page.querySelectorAll("a[href]")].map(a => a.getAttribute("href"))];
}"""


def test_every_internal_link_of_every_page_leads_somewhere(new_tab):
    page, ids, links = new_tab(), {}, {}
    for name in pages():
        ids[name], links[name] = map(set, page.evaluate(ANCHORS, text_of(name)))
    for source in pages():
        for link in links[source]:
            if urlsplit(link).scheme or link in ("#", ""):
                continue
            path, fragment = urldefrag(urljoin(source, link))
            path = unquote(path.partition("?")[0]).removeprefix(TOP).lstrip("/") or source
            assert (HTML / path).is_file(), (source, link)
            if fragment and path in ids:
                assert unquote(fragment) in ids[path], (source, link)


def test_the_contents_mark_the_section_after_a_jump_into_it(visit):
    page = visit("chapters/12-rotary.html")
    for name in ("four-ways-to-stretch", "which-columns-make-a-pair"):
        page.evaluate(f"document.querySelector('#{name} > :not(h2):nth-child(6)').scrollIntoView()")
        page.locator(f"#pst-page-toc-nav a.active[href='#{name}']").wait_for()


def test_a_visit_keeps_what_the_page_about_the_site_lists(read, address):
    listed = (fixtures.ROOT / "appendices" / "site.md").read_text(encoding="utf8")
    page = read("appendices/frameworks.html")
    page.locator(".sd-tab-set > label:visible").nth(1).click()
    page.locator(".theme-switch-button:visible").first.click()
    for name in (CHAPTERS[0], "search.html?q=rotary"):
        fixtures.go(page, f"{address}/{name}")
    names = set(page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"))
    assert page.context.cookies() == []
    assert page.evaluate("caches.keys()") == []
    assert {"mode", "theme", "sphinx-design-tab-id-framework"} <= names
    assert [name for name in sorted(names) if f"`{name}`" not in listed] == []
