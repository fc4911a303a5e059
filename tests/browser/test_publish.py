"""The book as it is published: what its pages say of themselves, and how it is below a path."""

import functools
import html
import http.server
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
FIND_ROOT = re.compile(r"<script>\s*// The address of the book is not known.*?</script>", re.DOTALL)
# Deeper than any page, as deep as a page, and a folder.
NOWHERE = ["chapters/old/page.html", "chapters/00-nothing.html", "nothing", "nothing/"]
STYLED = "getComputedStyle(document.querySelector('article h1')).fontFamily"
READ_BY = re.compile(r"<meta (?=[^>]*name=\"description\")[^>]*content=\"([^\"]*)\"")


class _BelowPath(Handler):
    """Serves the book below a path, and a page of its own for every address that is not there."""

    def translate_path(self, path):
        below = urlsplit(path).path.removeprefix(PATH)
        return super().translate_path("/" + below) if path.startswith(PATH) else "/nowhere"

    def send_error(self, code, message=None, explain=None):
        if code != 404 or not self.path.startswith(PATH):
            super().send_error(code, message, explain)
            return
        body = self.server.missing.encode()
        self.send_response(404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def send_head(self):
        # a folder without a page is no page, and not a list of files
        if self.path.endswith("/") and self.path != PATH:
            self.send_error(http.HTTPStatus.NOT_FOUND)
            return None
        return super().send_head()


@pytest.fixture(scope="module")
def plain():
    """The page for missing addresses, as it is built without an address."""
    text = (HTML / "404.html").read_text(encoding="utf8")
    assert FIND_ROOT.search(text), "the book was built for an address: unset PECODE_SITE"
    return text


@pytest.fixture(scope="module")
def host(plain):
    """A server that has the book below a path."""
    with _Server(("127.0.0.1", 0), functools.partial(_BelowPath, directory=HTML)) as server:
        server.daemon_threads = True
        server.address = f"http://127.0.0.1:{server.server_port}{PATH}"
        # as templates/404.html writes it where there is an address
        server.addressed = FIND_ROOT.sub(f'<base href="{PATH}404.html"/>', plain)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def tab(chromium):
    with chromium.new_context(reduced_motion="reduce") as context:
        yield context.new_page()


def test_every_page_has_one_description_and_no_two_have_the_same():
    found = {}
    for name in pages():
        text = (HTML / name).read_text(encoding="utf8")
        said = [html.unescape(each) for each in READ_BY.findall(text)]
        assert len(said) == 1, name
        assert 50 <= len(said[0]) <= 160, name
        assert said[0][-1] in ".?!”", f"{name}: {said[0]}"
        found[name] = said[0]
    assert [text for text, count in Counter(found.values()).items() if count > 1] == []


def test_every_page_says_whose_it_is_and_which_version():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))
    for line in (
        f"ersion {publish.version(ROOT)}, <time datetime=",
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


@pytest.mark.parametrize("name", NOWHERE)
def test_with_an_address_a_missing_page_is_whole_at_any_depth(name, host, tab):
    host.missing = host.addressed
    log, address = Log(), host.address + name
    with log.watching(tab, host.address):
        assert tab.goto(address).status == 404
        tab.wait_for_function(READY)
        tab.wait_for_load_state("networkidle")
    assert (log.foreign, log.failed) == ([], [f"404 {address}"])
    assert tab.url == address
    assert "Source Sans" in tab.evaluate(STYLED)
    with tab.expect_navigation():
        tab.locator("article a", has_text="Rotary").click()
    assert tab.url == f"{host.address}chapters/12-rotary.html"


@pytest.mark.parametrize("name", NOWHERE)
def test_without_an_address_a_missing_page_looks_for_its_root(name, host, tab, plain):
    host.missing = plain
    tab.goto(host.address + name)
    tab.wait_for_url(f"{host.address}404.html")
    tab.wait_for_function(READY)
    assert tab.evaluate("getComputedStyle(document.documentElement).visibility") == "visible"
    assert "Source Sans" in tab.evaluate(STYLED)


def test_a_missing_page_that_finds_no_root_is_shown_as_it_is(host, tab, plain):
    host.missing = plain
    tab.route("**/objects.inv", lambda route: route.fulfill(status=404))
    tab.goto(f"{host.address}nothing/at/all")
    tab.wait_for_function("document.documentElement.style.visibility === ''")
    assert tab.locator("article h1").is_visible()
    assert tab.url == f"{host.address}nothing/at/all"


def test_a_missing_page_searches_for_what_is_typed(host, tab):
    host.missing = host.addressed
    tab.goto(host.address + NOWHERE[0])
    tab.wait_for_function(READY)
    tab.locator("article input[type=search]").fill("rotary")
    with tab.expect_navigation():
        tab.keyboard.press("Enter")
    assert tab.url == f"{host.address}search.html?q=rotary"
    tab.locator("#search-results li a").first.wait_for()


def test_a_missing_page_opens_by_double_click(file_tab):
    log = Log()
    with log.watching(file_tab, HTML.as_uri() + "/"):
        file_tab.goto((HTML / "404.html").as_uri())
        file_tab.wait_for_function(READY)
        file_tab.locator("article a", has_text="Rotary").click()
        file_tab.wait_for_url("**/chapters/12-rotary.html")
    assert (log.foreign, log.failed) == ([], [])
