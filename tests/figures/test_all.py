"""What holds for every figure: its front end, its weight and speed, every screen, paper, keys."""

import gzip

import pytest

import figures
from exercises.widgets import Progress, Question
from figures import Clock, GuessTheBug

from ..axe import violations
from ..browser_fixtures import SMALL, WIDTHS
from .data import ALL
from .page import heap_after, listen, press, settled, slider

CLASSES = {name: getattr(figures, name) for name in figures.FIGURES}
# Bytes of a front end with what it imports; a page stores each widget of the exercises
GZIPPED_LIMITS = dict.fromkeys(CLASSES.values(), 17 * 1024) | {Question: 6_000, Progress: 6_000}


@pytest.mark.parametrize(("widget", "limit"), GZIPPED_LIMITS.items())
def test_a_front_end_is_one_small_module(widget, limit):
    exports = [line for line in widget._esm.splitlines() if line.startswith("export ")]
    assert exports == ["export default { render };"]
    assert len(gzip.compress(widget._esm.encode())) < limit


@pytest.mark.parametrize("name", ["Clock", "EncodingTable", "BiasHeads"])
def test_memory_does_not_grow_while_a_figure_is_used(name, on_page):
    with on_page(ALL[name]()) as page:
        heap_after(page, 60)
        before, nodes = heap_after(page, 60)
        after, nodes_after = heap_after(page, 300)
        assert after - before < 200_000
        assert nodes_after - nodes < 50


# Every screen, every reader


def everything():
    """Every figure, and one after its check."""
    return [make() for make in ALL.values()] + [
        GuessTheBug(answers=["wrong base"], chosen="wrong base")
    ]


def test_figures_fit_every_screen_and_their_letters_can_be_read(on_page):
    with on_page(*everything()) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(SMALL, [11.99, ".moving-figure"]) == []
            for button in page.locator("button:visible").all():  # room for a finger
                box = button.bounding_box()
                assert min(box["width"], box["height"]) >= 24


# Puts a pointer on each control in turn, as a finger does before it is lifted; returns those where
# a control has another place then: the finger would be lifted from another one.
MOVED_WHEN_TOUCHED = """() => {
  const controls = [...document.querySelectorAll(".moving-figure .ex-controls > *")].filter(
    control => control.checkVisibility());
  const places = () => controls.map(control => {
    const part = control.querySelector("input, select") ?? control;
    const { x, y, width, height } = part.getBoundingClientRect();
    return [x, y, width, height].map(Math.round).join();
  }).join(" ");
  const before = places();
  return controls.filter(control => {
    control.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    return places() !== before;
  }).map(control => control.textContent);
}"""


@pytest.mark.parametrize("width", [390, 360])
def test_no_control_moves_while_a_finger_is_on_it(width, on_page):
    with on_page(*everything(), size=(width, 844)) as page:
        assert page.locator(".moving-figure button:visible").count() > 10
        assert page.evaluate(MOVED_WHEN_TOUCHED) == []


# The heights of each figure, with its sliders at their ends, in the middle and between.
HEIGHTS = """async (open) => {
  const ask = requestAnimationFrame;
  const frame = () => new Promise((done) => ask(() => ask(done)));
  const figures = [...document.querySelectorAll(".moving-figure")];
  for (const fold of document.querySelectorAll("details")) fold.open = open;
  const heights = figures.map(() => []);
  for (let k = 0; k < 9; k++) {
    for (const figure of figures)
      figure.querySelectorAll("input[type=range]").forEach((input, n) => {
        const share = [0, 0.31, 0.5, 0.77, 1][(k * (n + 1) + n) % 5];
        input.value = +input.min + share * (input.max - input.min);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      });
    await frame();
    figures.forEach((figure, n) => heights[n].push(figure.offsetHeight));
  }
  return heights;
}"""


def test_no_readout_moves_the_page(on_page):
    """The room of the longest text is kept, folded and unfolded, on every screen."""
    held = [make() for make in ALL.values()]
    with on_page(*held) as page:
        for width in (390, 760, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            for opened in (False, True):
                heights = page.evaluate(HEIGHTS, opened)
                moved = zip(held, heights, strict=True)
                assert [type(one).__name__ for one, h in moved if len(set(h)) > 1] == []


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_figures_are_accessible(theme, width, on_page):
    with on_page(*everything(), theme=theme, size=(width, 900)) as page:
        assert violations(page) == []
        assert page.locator(".ex-live[aria-live=polite]").count() == len(ALL) + 1
        assert page.locator(".moving-figure [id]").count() == 0


def test_every_control_is_reached_with_the_tab_key(on_page):
    reached = """() => [...document.querySelectorAll(
      "input, select, button, summary, [tabindex='0']")]
      .indexOf(document.activeElement)"""
    with on_page(*everything()) as page:
        controls = page.locator(
            ":is(input:not([type=radio]), select, button, summary, [tabindex='0'])"
        )
        wanted = controls.locator("visible=true").and_(page.locator(":not(:disabled)")).count()
        groups = page.locator("form").count()  # of the names of a group, one is reached
        found = set()
        for _ in range(wanted + groups):
            page.keyboard.press("Tab")
            found.add(page.evaluate(reached))
        assert len(found - {-1}) == wanted + groups


def test_colors_follow_the_theme_and_paper_is_white_without_sliders(on_page):
    ink = "all => [...new Set(all.map(e => getComputedStyle(e).color))]"
    with on_page(*everything(), theme="dark") as page:
        boxes, name = page.locator(".moving-figure"), page.locator(".reach > svg:last-child path")
        curve = "e => getComputedStyle(e).stroke"
        pressed = page.locator(".moving-figure :is(button, input[type=range])")
        assert pressed.first.is_visible()
        [dark], dark_curve = boxes.evaluate_all(ink), name.first.evaluate(curve)
        page.evaluate("document.documentElement.dataset.theme = 'light'")
        [light] = boxes.evaluate_all(ink)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        page.emulate_media(media="print")
        settled(page)
        assert boxes.evaluate_all(ink) == [light] == ["rgb(29, 29, 36)"]
        assert light != dark
        assert name.first.evaluate(curve) != dark_curve
        assert pressed.locator("visible=true").count() == 0
        assert page.locator("output:visible").count() > 15


def test_figures_on_one_page_do_not_disturb_one_another(on_page):
    """Each stands twice; the first control of each second one is moved."""
    pairs = [figure for make in ALL.values() for figure in (make(), make())]
    with on_page(*pairs) as page:
        settled(page)
        boxes = page.locator(".moving-figure").all()
        before = [box.inner_html() for box in boxes]
        for box in boxes[1::2]:
            control = box.locator("button:not([hidden]), input[type=range]").first
            if control.evaluate("e => e.tagName") == "BUTTON":
                control.click()
            else:
                press(page, control, "ArrowLeft", 2)
        settled(page)
        states = [box.inner_html() != old for box, old in zip(boxes, before, strict=True)]
        assert states == [False, True] * len(ALL)


def test_many_keys_in_a_row_are_seen_at_once_and_read_out_once(on_page):
    with on_page(Clock(), clock=True) as page:
        page.clock.fast_forward(600)
        assert page.locator(".ex-live").inner_text() == ""  # nobody is told of a page that opens
        before, heard, seen = page.locator(".moving-figure").bounding_box(), listen(page), []
        offset = slider(page, "offset Δ")
        offset.focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
            page.clock.run_for(100)
            seen.append(page.locator(".ex-said").inner_text())
        assert len(set(seen)) == 5
        assert heard() == []
        page.clock.run_for(400)
        assert heard() == seen[-1:]
        box = page.locator(".ex-live").bounding_box()  # it takes no place
        assert (box["width"], box["height"]) == (1, 1)
        assert page.locator(".moving-figure").bounding_box()["width"] == before["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 760
        page.clock.run_for(3100)
        assert page.locator(".ex-live").inner_text() == ""
        assert heard() == seen[-1:]
