"""What the tests of pages that run share: packages for them, and what a page shows."""

import configparser
import contextlib
import functools
import hashlib
import json
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from ..browser_fixtures import HTML, READY, ROOT, Handler, serving

# The folder of the packages that are compiled for WebAssembly, for tests.
WHEELS = Path(os.environ.get("PECODE_WASM_WHEELS") or ROOT / "no such folder")
FULL = ROOT / "_build" / "full"  # Python and all its packages, as `make test-live` makes them
PLACE = "https://cdn.jsdelivr.net/"
NAMES = sorted(
    path.relative_to(ROOT).with_suffix("").as_posix()
    for path in [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("exercises/[0-9]*.ipynb")]
)
# What each cell shows, in the form of the stored outputs; pictures and figures are counted.
SHOWN = """() => [...document.querySelectorAll("article div.cell")].map((cell) => {
  const text = [...cell.querySelectorAll("div.run-live > :not([hidden])")].map((node) =>
    node.dataset.stream ? [node.dataset.stream, node.textContent] :
    node.matches(".traceback") ? ["error", node.textContent] :
    node.matches(".text_html") ? ["html", node.innerHTML] :
    node.matches(".anyhost, .drawn") ? null : ["text", node.textContent]).filter(Boolean);
  const pictures = [...cell.querySelectorAll("svg.drawn.run-live")]
    .map((svg) => [svg.width.baseVal.value, svg.height.baseVal.value]);
  const figures = cell.querySelectorAll(".run-live .anyhost").length;
  return { text, pictures, figures };
})"""
# Whether the browser keeps a file for a visit without a network.
KEPT = """async (file) => {
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys())
      if (url.includes(file)) return true;
}"""
# Whether nothing runs: "Stop" has nothing to do.
DONE = "() => document.querySelectorAll('.run-actions button')[1]?.disabled"
HTML_AS_PARSED = """(all) => all.map((html) =>
  Object.assign(document.createElement("div"), { innerHTML: html }).innerHTML)"""


def compiled():
    """Return the compiled wheels, by the name of the package."""
    return {path.name.split("-")[0].lower(): path for path in sorted(WHEELS.glob("*.whl"))}


class Elsewhere:
    """The place of the compiled packages: what is asked of it, and what it answers."""

    def __init__(self, context, answers):
        self.asked = []
        self.answers = answers
        context.route(f"{PLACE}**", self.answer)

    def answer(self, route):
        """Answer like the real one, with the test's own wheels, or refuse."""
        url = route.request.url
        self.asked.append(url)
        name = urlsplit(url).path.rsplit("/", 1)[-1].split("-")[0].lower()
        if name not in self.answers:
            route.abort()
            return
        headers = {"access-control-allow-origin": "*", "content-type": "application/octet-stream"}
        body = b"" if route.request.method == "HEAD" else self.answers[name]
        route.fulfill(body=body, headers=headers)


def with_packages(context):
    """Give a reader the test's own wheels in place of the official ones; returns the place."""
    wheels = {name: path.read_bytes() for name, path in compiled().items()}

    def in_list(route):  # they have not the hash of the official ones
        known = route.fetch().json()
        for name, body in wheels.items():
            known["packages"][name]["sha256"] = hashlib.sha256(body).hexdigest()
        route.fulfill(json=known)

    context.route("**/pyodide-lock.json*", in_list)
    return Elsewhere(context, wheels)


@contextlib.contextmanager
def serving_all():
    """Serve the book, below a path, with Python and all its packages; gives the address."""
    assert (FULL / "python" / "page.js").exists(), "run `make test-live`"

    class Both(Handler):
        def translate_path(self, path):
            path = path.removeprefix("/below")
            near = path.startswith(("/python/", "/offline.js"))
            self.directory = str(FULL if near else HTML)
            return super().translate_path(path)

    with serving(functools.partial(Both, directory=HTML)) as address:
        yield f"{address}/below"


class Running:
    """A page that runs, as its reader uses it."""

    def __init__(self, page, address, name):
        self.page, self.name = page, name
        page.goto(f"{address}/{name}.html")
        page.wait_for_function(READY)
        page.get_by_role("button", name="Run this page").click()

    def button(self, name):
        """Return a button by its whole name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def status(self):
        """Return what the line at the foot of the window says."""
        return self.page.locator(".run-status").inner_text()

    def says(self, text, seconds=60):
        """Wait until the line says a text."""
        self.page.locator(".run-status", has_text=text).wait_for(timeout=seconds * 1000)

    def cell(self, number):
        """Return a cell, counted from 1, with the box around its code opened."""
        cell = self.page.locator("article div.cell").nth(number - 1)
        cell.evaluate(
            "cell => { for (const box of cell.querySelectorAll('details')) box.open = true }"
        )
        return cell

    def write(self, number, code, run=True):
        """Replace the code of a cell and run it, as a reader does; return the cell."""
        cell = self.cell(number)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(code)
        if run:
            self.page.keyboard.press("Shift+Enter")
        return cell

    def wait(self, seconds=60):
        """Wait until nothing runs."""
        self.page.wait_for_function(DONE, timeout=seconds * 1000)

    def run_all(self, seconds=60):
        """Run all cells; return what each shows."""
        self.button("Run all").click()
        self.wait(seconds)
        return self.shown()

    def shown(self):
        """Return what each cell shows now."""
        return self.page.evaluate(SHOWN)


WIDGET = "application/vnd.jupyter.widget-view+json"


def codes(name):
    """Return the code cells of a notebook."""
    return [cell for cell in notebook(name)["cells"] if cell["cell_type"] == "code"]


def svg_size(text):
    """Return width and height of a drawing, which stand at its beginning."""
    return [float(each) for each in re.findall(r' (?:width|height)="([\d.]+)"', text)[:2]]


# Long trainings from large entries, and deep ones, end elsewhere where sines are rounded in another
# way: by less than this, in the numbers of these cells.
ROUGH = {
    "c-starts": 0.015,
    "c-with-normalization": 0.08,
    "c-recent-patient": 0.05,
    "axes-two-layers": 0.025,  # OpenBLAS alone moves an end of a range by 0.07
    "r15-hybrid": 0.1,  # one of five models, beyond the trained length: 0.65 or 0.73
    "r15-sink": 0.25,  # models that agree on every answer look at the start more, or less
}


def differences(name, shown, evaluate):
    """Return the cells of a page that show something other than what is stored, with both.

    `evaluate` calls a JavaScript function in the browser, which reads HTML in its own way.
    """
    wrong = {}
    for number, (now, cell) in enumerate(zip(shown, codes(name), strict=True), start=1):
        data = [output.get("data", {}) for output in cell["outputs"]]
        drawn = ["".join(each["image/svg+xml"]) for each in data if "image/svg+xml" in each]
        pictures = [svg_size(text) for text in drawn]
        text = [as_shown(output, evaluate) for output in cell["outputs"]]
        before = {
            "text": [each for each in text if each],
            "pictures": pictures,
            "figures": sum(WIDGET in each for each in data),
        }
        now = {**now, "text": [[kind, sanitized(text)] for kind, text in now["text"]]}
        for k, (kind, text) in enumerate(before["text"]):
            if text is None and k < len(now["text"]) and now["text"][k][0] == kind:
                now["text"][k][1] = None  # a table in Markdown: the page shows it as it was stored
        # Releases of matplotlib round the size of a figure in their own ways.
        for old, new in zip(before["pictures"], now["pictures"], strict=False):
            if max(abs(a - b) for a, b in zip(old, new, strict=True)) <= 1:
                old[:] = new
        if now != before and not is_near(now, before, ROUGH.get(cell["id"], 0)):
            wrong[number] = {"now": now, "stored": before}
    return wrong


def is_near(now, before, slack):
    """Say whether two cells show the same but for numbers that differ by less than a slack.

    WebKit's driver gives the parts of a cell in an order of its own.

    >>> is_near({"text": "0.42", "figures": 0}, {"figures": 0, "text": "0.43"}, slack=0.02)
    True
    >>> is_near({"text": "0.42", "figures": 0}, {"figures": 0, "text": "0.45"}, slack=0.02)
    False
    """
    numbers = re.compile(r"\d+\.\d+")
    texts = [json.dumps(each, sort_keys=True) for each in (now, before)]
    if not slack or len({numbers.sub("#", text) for text in texts}) > 1:
        return False
    pairs = zip(*(map(float, numbers.findall(text)) for text in texts), strict=True)
    return all(abs(a - b) < slack for a, b in pairs)


def as_shown(output, evaluate):
    """Return the kind and the text of a stored output as a page shows it, or None."""
    data = output.get("data", {})
    if output["output_type"] == "stream":
        return [output["name"], sanitized("".join(output["text"]))]
    if "text/html" in data:
        (html,) = evaluate(HTML_AS_PARSED, ["".join(data["text/html"])])
        return ["html", sanitized(html)]
    if "text/markdown" in data:
        return ["text", None]
    return None if {WIDGET, "image/svg+xml"} & set(data) else ["text", "".join(data["text/plain"])]


def sanitized(text):
    """Return a text as `make test-notebooks` compares it: what was measured may differ."""
    rules = configparser.ConfigParser()
    rules.read(ROOT / "tests" / "nbval.cfg")
    for section in rules.sections():
        text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
    return text


def notebook(name):
    """Return a notebook of the book as it is stored."""
    return json.loads((ROOT / f"{name}.ipynb").read_text(encoding="utf8"))
