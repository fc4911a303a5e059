"""What the tests of the notebooks in the browser share: open one, run it, read what it shows."""

import hashlib
import json
import os
import time
from pathlib import Path
from urllib.parse import urlsplit

from ..browser_fixtures import ROOT

# The folder of the packages that are compiled for WebAssembly, for tests.
WHEELS = Path(os.environ.get("PECODE_WASM_WHEELS") or ROOT / "no such folder")
PLACE = "https://cdn.jsdelivr.net/"
VISIBLE = ".jp-Notebook .jp-Cell"
CODE = ".jp-CodeCell:has(.cm-content)"  # cells whose code is not folded
IDLE = """() => window.jupyterapp?.shell.currentWidget?.context?.sessionContext
  ?.session?.kernel?.status === "idle" """
RUN = """() => { window.ran = false;
  window.jupyterapp.commands.execute("notebook:run-all-cells").then(() => (window.ran = true)); }"""
STATE = "() => window.jupyterapp.shell.currentWidget.context.model.toJSON()"


def compiled():
    """Return the compiled wheels, by the name of the package."""
    return {path.name.split("-")[0].lower(): path for path in sorted(WHEELS.glob("*.whl"))}


def expose(context):
    """Let the tests look into JupyterLite: it shows its application to a page that asks."""

    def with_application(route):
        settings = route.fetch().json()
        settings["jupyter-config-data"]["exposeAppInBrowser"] = "true"
        route.fulfill(json=settings)

    context.route("**/lite/jupyter-lite.json*", with_application)


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


def expect(context, wheels):
    """Let the site expect the test's own wheels, which have not the hash of the official ones."""
    hashes = {name: hashlib.sha256(body).hexdigest() for name, body in wheels.items()}

    def in_list(route):
        known = route.fetch().json()
        for name, digest in hashes.items():
            known["packages"][name]["sha256"] = digest
        route.fulfill(json=known)

    def on_page(route):
        built = route.fetch().json()
        for name, needed in zip(built["compiled"], built["needs"], strict=True):
            needed["sha256"] = hashes[name]
        route.fulfill(json=built)

    context.route("**/pyodide-lock.json*", in_list)
    context.route("**/lite/live.json", on_page)


def with_packages(context):
    """Give a reader the test's own wheels in place of the official ones; returns the place."""
    wheels = {name: path.read_bytes() for name, path in compiled().items()}
    expect(context, wheels)
    return Elsewhere(context, wheels)


def wait_for_kernel(page, seconds=120):
    """Wait until the notebook is there and Python has started."""
    page.wait_for_selector(VISIBLE, timeout=seconds * 1000)
    page.wait_for_function(IDLE, timeout=seconds * 1000)


def run_all(page, seconds=60):
    """Run all cells and return the notebook as it is then."""
    page.evaluate(RUN)
    page.wait_for_function("() => window.ran", timeout=seconds * 1000)
    for _ in range(100):  # what a cell shows may arrive after it is done
        before = page.evaluate(STATE)
        time.sleep(0.2)
        if page.evaluate(STATE) == before:
            break
    return before


def insert_cell(page, code):
    """Put a cell below the first one and run it; return it."""
    page.locator(CODE).first.locator(".cm-content").click()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    return write_cell(page, code, 1)


def write_cell(page, code, number=0):
    """Replace what a code cell holds and run it, as a reader does; return what it shows."""
    cell = page.locator(CODE).nth(number)
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")
    return cell


def printed(cell):
    """Return what a cell printed or returned as text; pictures and figures that move are none."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if output["output_type"] == "stream":
            found.append((output["name"], "".join(output["text"])))
        elif output["output_type"] == "error":
            found.append(("error", f"{output['ename']}: {output['evalue']}"))
        elif not any(kind in data for kind in ("image/png", WIDGET)):
            found.append(("result", "".join(data.get("text/plain", ""))))
    # Where a line said how far a loop was, an empty output is left.
    return merged([(kind, text) for kind, text in found if text.strip()])


WIDGET = "application/vnd.jupyter.widget-view+json"


def merged(pieces):
    """Join what follows each other on the same stream: when a piece ends is chance."""
    found = []
    for kind, text in pieces:
        if found and found[-1][0] == kind and kind != "result":
            found[-1] = (kind, found[-1][1] + text)
        else:
            found.append((kind, text))
    return found


def stored(name):
    """Return a notebook of the book as it is stored."""
    return json.loads((ROOT / name).read_text(encoding="utf8"))
