"""Each moving figure on other people's pages: one line embeds it."""

import html
import re

import pytest

from figures import FIGURES

from ..axe import violations
from ..browser_fixtures import HTML, Log
from ..figures.page import MOUNTED

GALLERY = (HTML / "figures" / "index.html").read_text("utf8")
LINES = [html.unescape(line) for line in re.findall(r"<pre>(&lt;iframe.*?)</pre>", GALLERY)]


def test_every_figure_has_its_page_and_its_line():
    addresses = [re.search('src="(.*?)"', line)[1] for line in LINES]
    assert addresses == [f"figures/{module}.html" for module in FIGURES.values()]
    for address in addresses:
        text = (HTML / address).read_text("utf8")
        back = re.search(r'href="\.\./((?:chapters/[\w-]+|intro)\.html)" target="_top"', text)[1]
        assert f'"_anywidget_id": "figures.{address[8:-5]}.' in text
        assert (HTML / back).exists()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_line_that_is_copied_shows_the_figure(theme, chromium, tmp_path):
    line = next(line for line in LINES if "two_turns" in line)
    page = tmp_path / "page.html"
    line = line.replace(
        "figures/two_turns.html", f"{HTML.as_uri()}/figures/two_turns.html?theme={theme}"
    )
    page.write_text(
        f'<!doctype html><html lang="en"><title>Mine</title><main><h1>Mine</h1>{line}</main>'
    )
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
