"""Interactive figures on a page of their own: the class, the host of the book, and nothing else."""

import base64
import contextlib
import json

import numpy as np

from figures.base import bundle

from ..browser_fixtures import ROOT, Log

MOUNTED = "count => document.querySelectorAll('[data-mounted]').length === count"
COLLISIONS = (ROOT / "tests/figures/collisions.js").read_text(encoding="utf8")
WHITE, BLACK = "#fffefb", "#14171c"


def write_page(folder, *figures, theme="light"):
    """Write a page with the figures, as the book stores and mounts them; returns its path."""
    states, views = {}, []
    for number, figure in enumerate(figures):
        state = {key: value for key, value in figure.get_state().items() if key != "layout"}
        states[f"figure-{number}"] = {"state": state}
        view = json.dumps({"model_id": f"figure-{number}"})
        views.append(
            f'<div><script type="application/vnd.jupyter.widget-view+json">{view}</script></div>'
        )
    stored = json.dumps({"state": states}).replace("</", "<\\/")
    host = bundle(ROOT / "publishing" / "website" / "figure_host.js")
    path = folder / "figures.html"
    path.write_text(
        f"""<!doctype html>
<html lang="en" data-theme="{theme}" style="background: {BLACK if theme == "dark" else WHITE}">
<head><meta charset="utf8"><title>Figures</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1 style="position: absolute; opacity: 0">Figures</h1>{"".join(views)}</main>
<script type="application/vnd.jupyter.widget-state+json">{stored}</script>
<script>{host}</script></body></html>""",
        encoding="utf8",
    )
    return path


@contextlib.contextmanager
def opened(chromium, folder, *figures, theme="light", size=(760, 1200), clock=False, **context):
    """A tab with the figures; at the end it must have raised no error and asked for nothing.

    With `clock` its time stands until it is moved on: page.clock.run_for(milliseconds). Nothing
    moves between two values, unless reduced_motion="no-preference" asks for it.
    """
    context = {"reduced_motion": "reduce"} | context
    path = write_page(folder, *figures, theme=theme)
    width, height = size
    with chromium.new_context(viewport={"width": width, "height": height}, **context) as tab:
        tab.set_default_timeout(10_000)
        page = tab.new_page()
        if clock:
            page.clock.install()
        log = Log(page, path.as_uri())
        page.goto(path.as_uri())
        page.wait_for_function(MOUNTED, arg=len(figures), timeout=60_000)
        if clock:
            page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        yield page
        assert log.troubles == []


@contextlib.contextmanager
def exporting(chromium, *modules):
    """A page whose `book` holds what these modules export, each given as its source."""
    with chromium.new_page() as page:
        for source in modules:
            url = "data:text/javascript;base64," + base64.b64encode(source.encode()).decode()
            page.evaluate(
                "async (url) => { window.book = { ...window.book, ...(await import(url)) }; }", url
            )
        yield page


def settled(page):
    """Wait until what has changed is drawn: two frames of the screen."""
    page.evaluate("() => new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))")


def said(page):
    """Return what the first figure says of what it shows, once that is drawn."""
    settled(page)
    return page.locator(".ex-said").first.inner_text().replace("\xa0", " ")


# Controls


def slider(page, name):
    """Return the slider of the first figure by its name."""
    return page.locator(".moving-figure").first.get_by_role("slider", name=name, exact=True)


def press(page, control, key, times=1):
    """Focus a control and press a key."""
    control.focus()
    for _ in range(times):
        page.keyboard.press(key)
        settled(page)  # the focus may move with what is moved


def swipe(page, node, x, y=0):
    """Put a finger into the middle of something, move it by x, y, and lift it."""
    box = node.bounding_box()
    x0, y0 = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for k in range(9):
        point = {"x": x0 + x * k / 8, "y": y0 + y * k / 8}
        touch = {"type": "touchMove" if k else "touchStart", "touchPoints": [point]}
        session.send("Input.dispatchTouchEvent", touch)
        settled(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    settled(page)


# From a copy: a canvas that is read often is kept elsewhere, and the browser complains.
PIXELS = """canvas => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  return [width, height, [...copy.getImageData(0, 0, width, height).data]];
}"""


def pixels(page):
    """Return the pixels of the first heat map, once they are drawn: rows, columns, 4 channels."""
    settled(page)
    width, height, data = page.locator("canvas").first.evaluate(PIXELS)
    return np.reshape(data, (height, width, 4)).astype(float)


def cells(page):
    """Return the values of the first heat map, from its colors, as `strengths` does."""
    red, _, blue, strength = np.moveaxis(pixels(page), -1, 0)
    return np.where(red > blue, 1, -1) * strength / 255


# Notes what the live element of a figure is given to say.
LISTEN = """() => {
  const live = document.querySelector("[aria-live]");
  window.heard = [];
  new MutationObserver(() => live.textContent && heard.push(live.textContent))
    .observe(live, { childList: true, characterData: true, subtree: true });
}"""


def listen(page):
    """From now on, note what a figure has read out; returns the function that tells it."""
    page.evaluate(LISTEN)
    return lambda: page.evaluate("heard")


# Moves each slider to its ends many times, and draws soon rather than in the next frame.
MANY_STEPS = """async (steps) => {
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()));
  const inputs = document.querySelectorAll(".moving-figure input[type=range]");
  for (let k = 0; k < steps; k++) {
    const input = inputs[k % inputs.length];
    input.value = input.value === input.max ? input.min : input.max;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => setTimeout(done));
  }
  window.requestAnimationFrame = ask;
}"""


def heap_after(page, steps):
    """Move the sliders; return the bytes of the JavaScript heap and the number of nodes then."""
    page.evaluate(MANY_STEPS, steps)
    settled(page)
    session = page.context.new_cdp_session(page)
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    used, held = map(session.send, ("Runtime.getHeapUsage", "Memory.getDOMCounters"))
    session.detach()
    return used["usedSize"], held["nodes"]
