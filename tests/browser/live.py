"""What the tests of pages that run share: a server, a page as its reader uses it, its outputs."""

import configparser
import contextlib
import json
import os
import re
from pathlib import Path

from ..browser_fixtures import BELOW, HTML, ROOT, Handler, go, serving

# The folder of the packages that are compiled for WebAssembly, for tests.
WHEELS = Path(os.environ.get("PECODE_WASM_WHEELS") or ROOT / "no such folder")
FULL = ROOT / "_build" / "full"  # Python and all its packages, as `make test-live` makes them
PATHS = [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("exercises/[0-9]*.ipynb")]
NAMES = sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in PATHS)
WIDGET = "application/vnd.jupyter.widget-view+json"
# What each cell shows, in the form of the stored outputs; pictures and figures are counted.
SHOWN = """() => [...document.querySelectorAll("article div.cell")].map((cell) => {
  const text = [...cell.querySelectorAll("div.run-live > :not([hidden])")].map((node) =>
    node.dataset.stream ? [node.dataset.stream, node.textContent] :
    node.matches(".traceback") ? ["error", node.textContent] :
    node.matches(".text_html") ? ["html", node.innerHTML] :
    node.matches(".figure-host, .drawn") ? null : ["text", node.textContent]).filter(Boolean);
  const pictures = [...cell.querySelectorAll("svg.drawn.run-live")]
    .map((svg) => [svg.width.baseVal.value, svg.height.baseVal.value]);
  const figures = cell.querySelectorAll(".run-live .figure-host").length;
  return { text, pictures, figures };
})"""
# Whether nothing runs: "Stop" has nothing to do.
DONE = "() => document.querySelectorAll('.run-actions button')[1]?.disabled"
AS_PARSED = """(html) =>
  Object.assign(document.createElement("div"), { innerHTML: html }).innerHTML"""
# Long trainings from large entries, and deep ones, end elsewhere where sines are rounded in another
# way: by less than this, in the numbers of these cells.
ROUGH = {
    "c-with-normalization": 0.08,
    "axes-trained": 0.025,  # two layers: OpenBLAS alone moves an end of a range by 0.07
}


def compiled():
    """Return the compiled wheels, by the name of the package."""
    return {path.name.split("-")[0].lower(): path for path in sorted(WHEELS.glob("*.whl"))}


@contextlib.contextmanager
def serving_all():
    """Serve the book with Python and all its packages; gives the address."""
    assert (FULL / "python" / "page.js").exists(), "run `make test-live`"

    class Both(Handler):
        def translate_path(self, path):
            self.directory = str(FULL if path.startswith(f"{BELOW}/python/") else HTML)
            return super().translate_path(path)

    with serving(Both) as address:
        yield address


class Running:
    """A page that runs, as its reader uses it."""

    def __init__(self, page, address, name):
        self.page, self.name = page, name
        go(page, f"{address}/{name}.html")
        page.get_by_role("button", name="Edit and run the code").click()

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def says(self, text, seconds=60):
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

    def prints(self, number, code, text):
        cell = self.write(number, code)
        cell.locator(".run-live").get_by_text(text).first.wait_for(timeout=90_000)
        return cell

    def wait(self, seconds=60):
        self.page.wait_for_function(DONE, timeout=seconds * 1000)

    def run_all(self, seconds=60):
        """Run all cells; return what each shows."""
        self.button("Run all").click()
        self.wait(seconds)
        return self.page.evaluate(SHOWN)


def codes(name):
    """Return the code cells of a notebook of the book."""
    text = (ROOT / name).with_suffix(".ipynb").read_text(encoding="utf8")
    return [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def differences(name, shown, evaluate):
    """Return the cells of a page that show something other than what is stored, with both.

    `evaluate` calls a JavaScript function in the browser, which reads HTML in its own way.
    """
    wrong = {}
    for number, (now, cell) in enumerate(zip(shown, codes(name), strict=True), start=1):
        stored = {"text": [], "pictures": [], "figures": 0}
        for output in cell["outputs"]:
            data = {form: "".join(text) for form, text in output.get("data", {}).items()}
            if WIDGET in data:
                stored["figures"] += 1
            elif "image/svg+xml" in data:
                sides = re.findall(r' (?:width|height)="([\d.]+)"', data["image/svg+xml"])[:2]
                stored["pictures"].append([float(side) for side in sides])
            elif "text" in output:
                stored["text"].append([output["name"], sanitized("".join(output["text"]))])
            elif "text/html" in data:
                html = evaluate(AS_PARSED, data["text/html"])
                stored["text"].append(["html", sanitized(html)])
            elif "text/markdown" in data:  # which the page shows as it was stored
                stored["text"].append(now["text"][len(stored["text"])])
            else:
                stored["text"].append(["text", data["text/plain"]])
        now["text"] = [[kind, sanitized(text)] for kind, text in now["text"]]
        now["pictures"] = [[float(side) for side in sides] for sides in now["pictures"]]
        # Releases of matplotlib round the size of a figure in their own ways.
        if not is_near(now, stored, 1 if now["text"] == stored["text"] else ROUGH.get(cell["id"])):
            wrong[number] = {"now": now, "stored": stored}
    return wrong


def is_near(now, before, slack):
    """Say whether two cells show the same but for numbers that differ by no more than a slack."""
    numbers = re.compile(r"\d+\.\d+")
    texts = [json.dumps(each, sort_keys=True) for each in (now, before)]
    if not slack or len({numbers.sub("#", text) for text in texts}) > 1:
        return now == before
    pairs = zip(*(map(float, numbers.findall(text)) for text in texts), strict=True)
    return all(abs(a - b) <= slack for a, b in pairs)


def sanitized(text):
    """Return a text as `make test-notebooks` compares it: what was measured may differ."""
    rules = configparser.ConfigParser()
    rules.read(ROOT / "tests" / "nbval.cfg")
    for section in rules.sections():
        text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
    return text
