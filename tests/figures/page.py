"""Interactive figures on a page of their own: the class, the host of the book, and nothing else."""

import contextlib
import json

from ..browser_fixtures import ROOT, Log

MOUNTED = "count => document.querySelectorAll('[data-mounted]').length === count"
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
    host = (ROOT / "site" / "anyhost.js").read_text(encoding="utf8")
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
def opened(chromium, folder, *figures, theme="light", size=(760, 1200), **context):
    """A tab with the figures; at the end it must have raised no error and asked for nothing."""
    path, log = write_page(folder, *figures, theme=theme), Log()
    width, height = size
    tab = chromium.new_context(viewport={"width": width, "height": height}, **context)
    tab.set_default_timeout(10_000)
    try:
        page = tab.new_page()
        with log.watching(page, path.as_uri()):
            page.goto(path.as_uri())
            page.wait_for_function(MOUNTED, arg=len(figures))
            yield page
        assert (log.foreign, log.failed, log.console) == ([], [], [])
    finally:
        tab.close()


def settled(page):
    """Wait until what has changed is drawn: two frames of the screen."""
    page.evaluate("() => new Promise(f => requestAnimationFrame(() => requestAnimationFrame(f)))")


def said(page, number=0):
    """Return the live text of a figure."""
    settled(page)
    return page.locator(".ex-said").nth(number).inner_text()


def press(page, control, key, times=1):
    """Focus a control and press a key."""
    control.focus()
    for _ in range(times):
        page.keyboard.press(key)
    settled(page)


def slider(page, name, number=0):
    """Return the slider of a figure by its name."""
    return page.locator(".moving-figure").nth(number).get_by_role("slider", name=name, exact=True)


# Moves a slider as the keyboard does, and measures the scripting of each step: the input event,
# and the drawing that it asks the next frame for.
STEPS = """async ([index, steps]) => {
  const input = document.querySelectorAll(".moving-figure input[type=range]")[index];
  const ask = window.requestAnimationFrame;
  const frame = () => new Promise((done) => ask.call(window, done));
  let drawing = 0;
  window.requestAnimationFrame = (draw) => ask.call(window, (now) => {
    const start = performance.now();
    draw(now);
    drawing += performance.now() - start;
  });
  const times = [];
  for (let k = 0; k < steps; k++) {
    const [min, max, step] = [+input.min, +input.max, +input.step || 1];
    const before = input.value;
    input.value = +input.value + step > max ? min : +input.value + step;
    if (input.value === before) throw new Error("the slider did not move");
    drawing = 0;
    const start = performance.now();
    input.dispatchEvent(new Event("input", { bubbles: true }));
    const handling = performance.now() - start;
    await frame(); // ours comes after the drawing's: both were asked for before it
    times.push(handling + drawing);
  }
  window.requestAnimationFrame = ask;
  return times.sort((a, b) => a - b)[Math.floor(steps / 2)];
}"""


def median_step(page, index, steps=41):
    """Return the median milliseconds of scripting that a step of a slider takes."""
    return page.evaluate(STEPS, [index, steps])


# Moves each slider through many steps, and draws at once rather than in the next frame.
MANY_STEPS = """async (steps) => {
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => (queueMicrotask(() => draw(performance.now())), 1);
  const inputs = document.querySelectorAll(".moving-figure input[type=range]");
  for (let k = 0; k < steps; k++) {
    const input = inputs[k % inputs.length];
    const before = input.value;
    input.stepUp();
    if (input.value === before) input.value = input.min;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await null;
    if (k % 50 === 0) await new Promise((done) => setTimeout(done));
  }
  window.requestAnimationFrame = ask;
}"""


def heap_after(page, steps):
    """Move the sliders; return the bytes of the JavaScript heap and the number of nodes then."""
    page.evaluate(MANY_STEPS, steps)
    settled(page)
    return heap(page)


def heap(page):
    """Return the bytes of the JavaScript heap, and the number of nodes, after a collection."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    for _ in range(3):
        session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    session.detach()
    return metrics["JSHeapUsedSize"], metrics["Nodes"]
