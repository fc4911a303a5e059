"""Interactive figures on a page of their own: the class, the host of the book, and nothing else."""

import contextlib
import json
import re

import numpy as np

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
    host = (ROOT / "publishing" / "website" / "anyhost.js").read_text(encoding="utf8")
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

    With `clock` its time can be moved on: page.clock.fast_forward(milliseconds). Nothing moves
    between two values, unless reduced_motion="no-preference" asks for it.
    """
    context = {"reduced_motion": "reduce"} | context
    path, log = write_page(folder, *figures, theme=theme), Log()
    width, height = size
    tab = chromium.new_context(viewport={"width": width, "height": height}, **context)
    tab.set_default_timeout(10_000)
    try:
        page = tab.new_page()
        if clock:
            page.clock.install()
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
    """Return what a figure says of what it shows, once that is drawn."""
    settled(page)
    return page.locator(".ex-said").nth(number).inner_text().replace("\xa0", " ")


def numbers(page, number=0):
    """Return the numbers of a figure, which fold away, once they are drawn."""
    settled(page)
    return page.locator(".moving-figure").nth(number).locator(".ex-numbers").text_content()


# Controls


def slider(page, name, number=0):
    """Return the slider of a figure by its name."""
    figure = page.locator(".moving-figure").nth(number)
    return figure.get_by_role("slider", name=name, exact=True)


def press(page, control, key, times=1):
    """Focus a control and press a key."""
    control.focus()
    for _ in range(times):
        page.keyboard.press(key)
    settled(page)


def choose(page, name, index):
    """Choose from a list by its name."""
    page.get_by_role("combobox", name=name).select_option(index=index)
    settled(page)


def click(page, node, share, tap=False):
    """Click or tap at a share of the width of a slider or a drawing, half way down."""
    box = node.bounding_box()
    point = page.touchscreen.tap if tap else page.mouse.click
    point(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    settled(page)


def drag(page, node, x, y=0):
    """Press the mouse in the middle of something, move it by x, y, and let go."""
    box = node.bounding_box()
    x0, y0 = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x0 + x, y0 + y, steps=2)
    page.mouse.up()
    settled(page)


def drag_to(page, node, x, y):
    """Press the mouse in the middle of something, move it to a place, and let go."""
    box = node.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x, y, steps=2)
    page.mouse.up()
    settled(page)


def swipe(page, node, x, y=0):
    """Put a finger into the middle of something, move it by x, y, and lift it."""
    box = node.bounding_box()
    x0, y0 = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    for k in range(9):
        point = {"x": x0 + x * k / 8, "y": y0 + y * k / 8}
        session.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove" if k else "touchStart", "touchPoints": [point]},
        )
        settled(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    settled(page)


# What is drawn. A selector may begin with the number of a drawing: "0 circle".

SHAPES = """([number, selector, names]) => {
  const figure = document.querySelectorAll(".moving-figure")[number];
  const [, drawing, rest] = /^(?:(\\d+) )?(.*)$/s.exec(selector);
  const all = figure.querySelectorAll(".ex-drawings svg:is([role=img], [role=application])");
  return [...(drawing ? all[drawing] : figure).querySelectorAll(rest)].map((shape) =>
    names.map((name) => (name === "text" ? shape.textContent : shape.getAttribute(name))));
}"""


def shapes(page, selector, *names, number=0):
    """Return attributes of all shapes of a figure that a selector finds; "text" is their text."""
    return page.evaluate(SHAPES, [number, selector, list(names)])


def sizes(page, selector, *names, number=0):
    """Return attributes as an array of numbers, a row for each shape; percents as shares."""
    rows = shapes(page, selector, *names, number=number)
    numbers = [[float(v[:-1]) / 100 if v.endswith("%") else float(v) for v in row] for row in rows]
    return np.array(numbers).reshape(-1, len(names))


def texts(page, selector="text", number=0):
    """Return the texts that a selector finds."""
    return [text for [text] in shapes(page, selector, "text", number=number)]


def visible(page, selector):
    """Return whether the shapes are visible."""
    return [v != "hidden" for [v] in shapes(page, selector, "visibility")]


def points(d):
    """Return the points of a path as an array."""
    found = re.findall(r"(-?[\d.]+) (-?[\d.]+)", re.sub("[MLZ]|h0", " ", d))
    return np.array(found, dtype=float).reshape(-1, 2)


def path(page, selector, k=0):
    """Return the points of the k-th path that a selector finds."""
    return points(shapes(page, selector, "d")[k][0])


def near(found, expected, tolerance=0.051):
    """Return whether what is drawn, with one digit after the point, is what is expected."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    return found.shape == expected.shape and np.abs(found - expected).max(initial=0) < tolerance


def strengths(page, selector, name="fill"):
    """Return the values of colored cells: red is above zero, blue below, as strong as the value."""
    fills = shapes(page, selector, name, f"{name}-opacity")
    return np.array([_strength(*fill) for fill in fills])


def _strength(fill, opacity):
    hue, percent = re.search(r"(red|blue)\)(?: ([\d.]+)%)?", fill).groups()
    share = float(opacity) if percent is None else float(percent) / 100
    return share if hue == "red" else -share


# From a copy: a canvas that is read often is kept elsewhere, and the browser complains.
PIXELS = """canvas => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  return [width, height, [...copy.getImageData(0, 0, width, height).data]];
}"""


def pixels(page, k=0):
    """Return the pixels of the k-th heat map: an array of rows, columns, and four channels."""
    width, height, data = page.locator("canvas").nth(k).evaluate(PIXELS)
    return np.reshape(data, (height, width, 4)).astype(float)


def cells(page, k=0):
    """Return the values of the k-th heat map, from its colors, as `strengths` does."""
    settled(page)
    red, _, blue, strength = np.moveaxis(pixels(page, k), -1, 0)
    return np.where(red > blue, 1, -1) * strength / 255


# Texts


def number(value, digits=2):
    """Write a number as the figures do."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "" if float(text) == 0 else "−")


def short(value):
    """Write three digits, without zeros at the end."""
    return np.format_float_positional(float(f"{value:.3g}"), trim="-")


def joined(parts):
    """Write a list in words."""
    parts = [*map(str, parts)]
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


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


# Speed and memory


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
