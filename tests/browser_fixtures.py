"""The built book, served on this machine alone, and a Chromium to read it with."""

import contextlib
import functools
import gzip
import http.server
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from publishing import browser
from publishing.home import HTML, ROOT

# A page of every kind, the ones with the most on them: what is looked at on every change. All pages
# (PECODE_PAGES=all) are for a scheduled run.
SAMPLE = (
    "intro.html",
    "chapters/05-translation.html",
    "exercises/05-translation.html",
    "appendices/sources.html",
    "appendices/api.html",
    "search.html",
)
# Everything is looked at: every page, every figure in JupyterLab, every size of a style.
ALL_PAGES = os.environ.get("PECODE_PAGES", "") == "all"
VIEWPORTS = {
    "desktop": {"width": 1280, "height": 900},
    "phone": {"width": 390, "height": 844},
}
# In this order a phone's comes first, a desktop's last: two changes of the size less.
WIDTHS = (390, 360, 768, 1600, 1280)
BELOW = "/a/book"
READY = browser.READY
# The moving figures follow one by one; one that fails says so in the console.
FIGURES_SHOWN = """() => document.querySelectorAll("[data-mounted], .figure-host-failed").length ===
  document.querySelectorAll("script[type$='widget-view+json']").length"""
# What a prediction covers is in view: this reader skips all of them.
NOTHING_COVERED = """try { localStorage["pecode-answers"] ??= '{"predict: skip all": true}' }
catch {};"""
REFUSED = """Object.defineProperty(window, "localStorage", { configurable: true,
  get() { throw new DOMException("refused", "SecurityError"); } });"""
# Sections far from the screen are laid out late: most tests look at all of a page.
ALL_LAID_OUT = (
    NOTHING_COVERED
    + """addEventListener("DOMContentLoaded", () => document.head.insertAdjacentHTML(
  "beforeend", "<style>section { content-visibility: visible !important; }</style>"));"""
)
# What is seen and reaches over the edge of its slide, or of the place for the one thing on it.
OVER = """() => [...document.querySelectorAll(".slide-sheet")].flatMap((sheet, k) => {
  const edge = sheet.getBoundingClientRect();
  const foot = sheet.querySelector(".slide-foot").getBoundingClientRect();
  const scrolls = (e) => innerWidth < 600 && e !== sheet && ( // on a phone: a finger moves it
    getComputedStyle(e).overflowX === "auto" || scrolls(e.parentElement));
  const held = (e) => e.closest("pre, table") && scrolls(e.parentElement);
  const all = [...sheet.querySelectorAll(":not(svg *, math *, noscript, .ex-live)")];
  const seen = all.filter(e => e.checkVisibility() && !held(e));
  return seen.map(e => [e, e.getBoundingClientRect()]).filter(
    ([e, { left, right, top, bottom, width, height }]) => width && height && (
      left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 ||
      bottom > (e.closest(".slide-foot") ? edge.bottom : foot.top) + 1),
  ).map(([e]) => `slide ${k + 1}: ${e.outerHTML.slice(0, 80)}`);
})"""
# What is read in letters smaller than `least` pixels at some places.
SMALL = """([least, places]) => [...document.querySelectorAll(places)].flatMap((place) => {
  const SEEN = { visibilityProperty: true }; // the mark of a heading waits for a mouse
  const found = [];
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const box = text.parentElement, range = document.createRange();
    range.selectNodeContents(text);
    const seen = box.checkVisibility(SEEN) && range.getBoundingClientRect().width;
    if (!text.data.trim() || !seen) continue;
    const scale = box.ownerSVGElement ? Math.hypot(box.getScreenCTM().a, box.getScreenCTM().b) : 1;
    const size = scale * parseFloat(getComputedStyle(box).fontSize);
    if (size < least) found.push(`${size.toFixed(1)} px: ${text.data.trim().slice(0, 60)}`);
  }
  return found;
})"""


@functools.cache
def pages():
    """Return every page of the built book."""
    # Not the theme's and Pyodide's, no slides (tests/browser/test_slides.py), and intro.html once
    others = re.compile(r"(_static|python)/|slides/(?!index\.html)|index\.html")
    names = [path.relative_to(HTML).as_posix() for path in HTML.rglob("*.html")]
    return [name for name in sorted(names) if not others.match(name)]


def pages_to_visit():
    """Return a page of every kind; with PECODE_PAGES=all, every page."""
    listings = [page for page in pages() if page.startswith("_modules/pecode/")]
    largest = max(listings, key=lambda page: (HTML / page).stat().st_size)  # stands for all
    if ALL_PAGES:
        unread = {*listings, "404.html"} - {largest}  # 404.html is built for the root of a host
        return [page for page in pages() if page not in unread]
    return [*SAMPLE, largest]


def gzipped(path):
    """Return how many bytes of a file a server sends; what is packed does not shrink."""
    packed = path.suffix in (".png", ".woff", ".woff2", ".whl", ".zip")
    return len(path.read_bytes() if packed else gzip.compress(path.read_bytes()))


def chapters_to_visit():
    return [page for page in pages_to_visit() if page.startswith("chapters/")]


def pytest_collection_modifyitems(items):
    """Skip what needs a browser where there is none; where CI is set that is an error."""
    on_pages = {item for item in items if ROOT / "tests" / "browser" in item.path.parents}
    ours = on_pages | {item for item in items if "chromium" in getattr(item, "fixturenames", ())}
    for item in ours:
        item.add_marker(pytest.mark.browser)
    if on_pages and not (HTML / "index.html").exists():
        pytest.exit("the book is not built: run `make book` first", returncode=2)
    try:
        if ours:
            browser.find()
    except FileNotFoundError as error:
        if {"CI", "PECODE_BROWSER"} & set(os.environ):
            pytest.exit(str(error), returncode=2)
        for item in ours:
            item.add_marker(pytest.mark.skip(reason=str(error)))


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 64  # a browser opens many connections at once; the default is 5


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files of a folder below a path, as hosts of many projects do, and keeps quiet."""

    protocol_version = "HTTP/1.1"  # keeps connections open: a page asks for thirty files

    def log_message(self, format, *args):
        pass

    def translate_path(self, path):
        below = path.startswith(f"{BELOW}/")
        return super().translate_path(path.removeprefix(BELOW) if below else "/nowhere")


@contextlib.contextmanager
def serving(handler=Handler):
    """Serve the built book on this machine; gives the address."""
    with Server(("127.0.0.1", 0), functools.partial(handler, directory=HTML)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{BELOW}"
        server.shutdown()
        thread.join()


@contextlib.contextmanager
def jupyter(application, *options, **program):
    """Run a server of Jupyter, for everybody on this machine; gives its address."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", application, "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--IdentityProvider.token=", *options]
    server = subprocess.Popen(command, **program)
    try:
        address, end = f"http://127.0.0.1:{port}", time.monotonic() + 90
        while time.monotonic() < end and server.poll() is None:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/api"):
                break
            time.sleep(0.3)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


@pytest.fixture(scope="session")
def address():
    """The address of the book on this machine."""
    with serving() as found:
        yield found


@pytest.fixture(scope="session")
def chromium():
    """The browser that is installed."""
    with browser.opened() as found:
        yield found


class Log:
    """What a page asked for and complained of; what is not its `own` is noted."""

    def __init__(self, page, own):
        self.own, self.console, self.failed, self.foreign, self.local = own, [], [], [], []
        page.on("console", self.said)
        page.on("pageerror", lambda error: self.console.append(f"script error: {error}"))
        page.on("requestfailed", self.broke_off)
        page.on("response", self.answered)
        page.on("request", self.asked)

    @property
    def troubles(self):
        """All that should not have happened."""
        return [*self.foreign, *self.failed, *self.console]

    def asked(self, request):
        if not request.url.startswith(("data:", "blob:")):
            self.noted(request).append(request.url)

    def noted(self, request):
        return self.local if request.url.startswith(self.own) else self.foreign

    def broke_off(self, request):
        if request.failure == "csp" and request.url in (asked := self.noted(request)):
            asked.remove(request.url)  # the page forbade it, so nobody was asked
        # What a page still loads when it is left is cancelled by the browser.
        if request.failure != "net::ERR_ABORTED":
            self.failed.append(f"{request.failure} {request.url}")

    def answered(self, answer):
        if answer.status >= 400:
            self.failed.append(f"{answer.status} {answer.url}")

    def said(self, line):
        if line.type in ("error", "warning"):
            self.console.append(f"{line.type}: {line.text}")


@pytest.fixture
def new_tab(chromium):
    """Open a tab of its own. In one that names its `own` files nothing may go wrong."""

    def open_tab(own="", before="", **look):
        page = stack.enter_context(chromium.new_context(**look)).new_page()
        page.add_init_script(before)
        if own:
            logs.append(Log(page, own))
        return page

    logs = []
    with contextlib.ExitStack() as stack:
        yield open_tab
    assert [trouble for log in logs for trouble in log.troubles] == []


def go(page, url, until=READY):
    """Open an address in a tab and wait until the page is set."""
    page.goto(url)
    page.wait_for_function(until)


@pytest.fixture
def read(new_tab, address):
    """Open a page of the book in such a tab, as a reader who comes for the first time."""

    def open_page(name, **look):
        page = new_tab(address + "/", **look)
        go(page, f"{address}/{name}")
        return page

    return open_page


@pytest.fixture
def visit(read):
    """Open a page of which nothing is covered, laid out late, or half way when it is looked at."""

    def open_page(name, scheme="light", viewport="desktop"):
        look = {"color_scheme": scheme, "viewport": VIEWPORTS[viewport]}
        return read(name, before=ALL_LAID_OUT, reduced_motion="reduce", **look)

    return open_page


def resize(page, width, height):
    """Change the size of the window; site.js then looks at the page again, and says so."""
    size = {"width": width, "height": height}
    if page.viewport_size == size:
        return  # nothing happens that one could wait for
    page.evaluate("delete document.documentElement.dataset.ready")
    page.set_viewport_size(size)
    page.wait_for_function(READY)
