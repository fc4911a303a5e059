"""The book as it is published: what its pages say of themselves, and how it is below a path."""

import functools
import html
import re
import threading
from collections import Counter
from urllib.parse import urlsplit

import pytest
import yaml

from publishing.website import publish

from ..browser_fixtures import HTML, READY, ROOT, Handler, Log, _Server, pages

PATH = "/a/b/"
PAGES = ["intro.html", "chapters/05-translation.html", "search.html?q=position"]
WITHOUT_SOURCE = {"404.html", "index.html", "search.html", "genindex.html"}
READ_BY = re.compile(r"<meta (?=[^>]*name=\"description\")[^>]*content=\"([^\"]*)\"")


class _BelowPath(Handler):
    """Serves the book below a path."""

    def translate_path(self, path):
        below = urlsplit(path).path.removeprefix(PATH)
        return super().translate_path("/" + below) if path.startswith(PATH) else "/nowhere"


@pytest.fixture(scope="module")
def host():
    """A server that has the book below a path."""
    with _Server(("127.0.0.1", 0), functools.partial(_BelowPath, directory=HTML)) as server:
        server.daemon_threads = True
        server.address = f"http://127.0.0.1:{server.server_port}{PATH}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def tab(chromium):
    with chromium.new_context(reduced_motion="reduce") as context:
        yield context.new_page()


def test_every_page_with_a_source_has_one_description_and_no_two_have_the_same():
    found = {}
    for name in set(pages()) - WITHOUT_SOURCE:
        if not name.startswith(("_modules/", "figures/", "slides/")):
            said = READ_BY.findall((HTML / name).read_text(encoding="utf8"))
            assert len(said) == 1, name
            found[name] = said[0]
    assert [text for text, count in Counter(found.values()).items() if count > 1] == []


def test_every_page_says_whose_it_is_and_which_version():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))
    for line in (
        f"ersion {publish.VERSION}, <time datetime=",
        f"© {config['copyright']} {html.escape(config['author'])}",
    ):
        assert [name for name in pages() if line not in (HTML / name).read_text("utf8")] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_below_a_path_finds_all_its_files(name, host, tab):
    log = Log()
    with log.watching(tab, host.address):
        tab.goto(host.address + name)
        tab.wait_for_function(READY)
        if "search" in name:
            tab.locator("#search-results li a").first.wait_for()
        tab.wait_for_load_state("networkidle")
    assert (log.foreign, log.failed) == ([], [])


def test_the_root_leads_to_the_first_page(host, tab):
    tab.goto(host.address)
    tab.wait_for_url("**/intro.html")


def test_a_missing_page_leads_to_the_search_and_to_every_chapter(visit):
    page, log = visit("404.html")
    assert (log.foreign, log.failed, log.console) == ([], [], [])
    page.keyboard.press("Control+k")
    page.keyboard.type("rotary")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.locator("#search-results li a").first.wait_for()
