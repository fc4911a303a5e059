"""The book as it is published: what pages say of themselves, below a path, on others' pages."""

import html
import re
from collections import Counter

import yaml

from figures import FIGURES
from publishing.website import publish

from ..axe import violations
from ..browser_fixtures import HTML, ROOT, pages
from ..figures.page import MOUNTED

WITHOUT_SOURCE = {"404.html", "search.html", "genindex.html"}
READ_BY = re.compile(r"<meta (?=[^>]*name=\"description\")[^>]*content=\"([^\"]*)\"")


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


def test_each_figure_has_a_line_that_shows_it_on_another_page(new_tab, tmp_path):
    gallery = html.unescape((HTML / "figures" / "index.html").read_text("utf8"))
    lines = re.findall(r"<pre>(<iframe.*?)</pre>", gallery)
    addresses = [re.search('src="(.*?)"', line)[1] for line in lines]
    known = [f"figures/{module}.html" for module in FIGURES.values()]
    assert addresses == [address for address in known if (HTML / address).exists()]
    assert len(addresses) > 15
    address = addresses[-1]
    line = lines[-1].replace(address, f"{HTML.as_uri()}/{address}?theme=dark")
    page = tmp_path / "page.html"
    page.write_text(f'<!doctype html><html lang="en"><title>Mine</title><main>{line}</main>')
    tab = new_tab("file://", viewport={"width": 760, "height": 1000})
    tab.goto(page.as_uri())
    frame = tab.frames[1]
    frame.wait_for_function(MOUNTED, arg=1)
    assert frame.evaluate("document.documentElement.dataset.theme") == "dark"
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
