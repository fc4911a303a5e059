"""The book as it is published: what pages say of themselves, below a path, on others' pages."""

import functools
import html
import re
from collections import Counter

import pytest
import yaml

from figures import FIGURES
from publishing.website import publish

from ..axe import violations
from ..browser_fixtures import HTML, READY, ROOT, Handler, Log, pages, serving
from ..figures.page import MOUNTED

BELOW = "/a/b/"
WITHOUT_SOURCE = {"404.html", "index.html", "search.html", "genindex.html"}
READ_BY = re.compile(r"<meta (?=[^>]*name=\"description\")[^>]*content=\"([^\"]*)\"")
GALLERY = HTML / "figures" / "index.html"


class BelowPath(Handler):
    """Serves the book below a path."""

    def translate_path(self, path):
        below = path.startswith(BELOW)
        return super().translate_path("/" + path.removeprefix(BELOW) if below else "/nowhere")


def test_every_page_says_whose_it_is_and_no_two_have_the_same_description():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))
    found = {}
    for name in pages():
        text = (HTML / name).read_text(encoding="utf8")
        assert f"ersion {publish.VERSION}, <time datetime=" in text
        assert f"© {config['copyright']} {html.escape(config['author'])}" in text
        if name not in WITHOUT_SOURCE and not name.startswith(("_modules/", "figures/", "slides/")):
            (found[name],) = READ_BY.findall(text)
    assert [text for text, count in Counter(found.values()).items() if count > 1] == []


@pytest.mark.parametrize("name", ["", "chapters/05-translation.html", "search.html?q=position"])
def test_a_page_below_a_path_finds_all_its_files(name, window):
    with serving(functools.partial(BelowPath, directory=HTML)) as host:
        with Log().watching(window, host + BELOW) as log:
            window.goto(host + BELOW + name)
            if not name:
                window.wait_for_url("**/intro.html")
            window.wait_for_function(READY)
            if "search" in name:
                window.locator("#search-results li a").first.wait_for()
            window.wait_for_load_state("networkidle")
        window.goto("about:blank")
    assert (log.foreign, log.failed) == ([], [])


def test_every_figure_has_its_page_and_the_line_that_embeds_it():
    lines = re.findall(r"<pre>(&lt;iframe.*?)</pre>", GALLERY.read_text("utf8"))
    addresses = [re.search('src="(.*?)"', html.unescape(line))[1] for line in lines]
    assert addresses == [f"figures/{module}.html" for module in FIGURES.values()]
    for address in addresses:
        text = (HTML / address).read_text("utf8")
        back = re.search(r'href="\.\./((?:chapters/[\w-]+|intro)\.html)" target="_top"', text)[1]
        assert f'"_anywidget_id": "figures.{address[8:-5]}.' in text
        assert (HTML / back).exists()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_line_that_is_copied_shows_the_figure(theme, chromium, tmp_path):
    line = re.search(r"&lt;iframe[^\n]*two_turns.*?(?=</pre>)", GALLERY.read_text("utf8"))[0]
    address = f"{HTML.as_uri()}/figures/two_turns.html?theme={theme}"
    line = html.unescape(line).replace("figures/two_turns.html", address)
    page = tmp_path / "page.html"
    page.write_text(f'<!doctype html><html lang="en"><title>Mine</title><main>{line}</main>')
    tab = chromium.new_page(viewport={"width": 760, "height": 1000})
    with Log().watching(tab, "file://") as log:
        tab.goto(page.as_uri())
        frame = tab.frames[1]
        frame.wait_for_function(MOUNTED, arg=1)
        assert frame.evaluate("document.documentElement.dataset.theme") == theme
        assert frame.evaluate("scrollY + innerHeight - document.documentElement.scrollHeight") == 0
        assert frame.get_by_text("From Positional Encoding").is_visible()
        before = frame.locator(".moving-figure").inner_html()
        frame.locator("input[type=range]").first.press("ArrowRight")
        frame.wait_for_function(
            "before => document.querySelector('.moving-figure').innerHTML !== before", arg=before
        )
        tab.goto(frame.url)  # as one page: the checker does not look into frames of files
        tab.wait_for_function(MOUNTED, arg=1)
        assert violations(tab) == []
    tab.close()
    assert (log.foreign, log.failed, log.console) == ([], [], [])
