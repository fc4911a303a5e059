"""The figures of chapters 4 and 5: every control, by key, mouse and finger, against pecode."""

import gzip
import math

import numpy as np
import pytest
import traitlets

import pecode
from pecode.figures import Clock, Curve, EncodingTable
from pecode.figures.base import bundle
from pecode.lab.scorecard import pairwise_distances

from ..figures.page import heap_after, median_step, opened, press, said, settled, slider
from .test_site import WIDTHS, violations

FIGURES = {Curve: "curve.js", EncodingTable: "table.js", Clock: "clock.js"}
every_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.__name__)


@pytest.fixture
def on_page(chromium, tmp_path):
    """Open figures on a page of their own."""
    return lambda *figures, **options: opened(chromium, tmp_path, *figures, **options)


def number(value, digits=2):
    """A number as the figures write it."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "" if float(text) == 0 else "−")


def attributes(locator, *names):
    return [float(locator.get_attribute(name)) for name in names]


def drag(page, locator, x, y):
    """Press the mouse in the middle of something, move it by x, y, and let go."""
    box = locator.bounding_box()
    x0, y0 = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x0 + x / 2, y0 + y / 2)
    page.mouse.move(x0 + x, y0 + y)
    page.mouse.up()
    settled(page)


def swipe(page, locator, x, y):
    """Put a finger into the middle of something, move it by x, y, and lift it."""
    box = locator.bounding_box()
    x0, y0 = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    steps = 8
    for k in range(steps + 1):
        point = {"x": x0 + x * k / steps, "y": y0 + y * k / steps}
        session.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove" if k else "touchStart", "touchPoints": [point]},
        )
        settled(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    settled(page)


# Notes what the live element of a figure is given to say.
LISTEN = """number => {
  const live = document.querySelectorAll("[aria-live]")[number];
  window.heard = [];
  new MutationObserver(() => live.textContent && heard.push(live.textContent))
    .observe(live, { childList: true, characterData: true, subtree: true });
}"""


def listen(page, number=0):
    """From now on, note what a figure has read out; returns the function that tells it."""
    page.evaluate(LISTEN, number)
    return lambda: page.evaluate("heard")


# Curve


ORDINALS = ["first", "second", "third"]


def several(items):
    """A list in words; of more than nine, the first eight."""
    shown = [*map(str, items)]
    if len(shown) > 9:
        shown = [*shown[:8], f"{len(shown) - 8} more"]
    return " and ".join([*filter(None, [", ".join(shown[:-1])]), shown[-1]])


def curve_text(position, omegas):
    points = pecode.sine_only(range(65), 3, frequencies=omegas)
    hands = np.exp(1j * np.outer(range(65), omegas))  # at the angle of each, whatever its zero
    distances, apart = pairwise_distances(points), pairwise_distances(hands)
    same = [t for t in range(65) if t != position and distances[position, t] < 1e-6]
    different, settings = (
        sum(not (table[t, :t] < 1e-6).any() for t in range(65)) for table in (distances, apart)
    )
    if same:
        back, unlike = ([t for t in same if (apart[position, t] > 1e-6) == k] for k in (0, 1))
        text = f"Position {position} is"
        if back:
            text += f" the same point as {several(back)}: there every hand is back."
        if back and unlike:
            text += " It is also"
        if unlike:
            moved = np.abs(hands[unlike[0]] - hands[position]) > 1e-6
            which = several([dial for dial, other in zip(ORDINALS, moved, strict=True) if other])
            text += (
                f" the same point as {several(unlike)}: there the sines are the same, but not the "
                f"hands (at {unlike[0]} the {which})."
            )
    else:
        others = distances[position].copy()
        others[position] = np.inf
        nearest = np.flatnonzero(others < others.min() + 1e-6)[0]
        text = (
            f"No other position up to 64 is here; the nearest is {nearest}, "
            f"{number(others.min())} away."
        )
    if different < settings:
        text += (
            f" The positions 0 to 64 make {settings} settings of the hands, but only {different} "
            "points: two hands can have one sine."
        )
    elif different < 65:
        text += f" The positions 0 to 64 make only {different} different points."
    else:
        alone = distances + np.diag(np.full(65, np.inf))
        beside = np.full_like(alone, np.inf)
        for t in range(64):
            beside[t, t + 1] = beside[t + 1, t] = alone[t, t + 1]
        far = (alone.min(axis=1) < beside.min(axis=1) - 1e-6).sum()
        text += (
            f" A fault remains: for {far} of the 65 positions the nearest other one is not a "
            "neighbor."
            if far
            else " The nearest to each position is a neighbor."
        )
    # Each dial is back after a whole number of its waves: try those of the fastest.
    waves = np.array(omegas) / max(omegas)
    whole = [n for n in range(1, 65) if np.allclose(n * waves, np.round(n * waves), atol=1e-7)]
    period = min(whole, default=65) * 2 * np.pi / max(omegas)
    if period < 64.0001:
        text += f" The curve closes after {round(period, 1):g} positions, and goes round again."
    else:
        text += " The curve does not close within 64 positions."
    for name, column in zip(ORDINALS, points.T, strict=True):
        if np.abs(column).max() < 1e-6:
            text += f" The {name} dial reads 0 at every position."
    return text


def check_curve(page, position, omegas, turn, tilt):
    """Compare the picture and the text with what pecode computes."""
    assert said(page) == curve_text(position, omegas)
    vector = pecode.sine_only(position, 3, frequencies=omegas)
    a, e = np.radians([turn, tilt])
    right = [np.cos(a), -np.sin(a), 0]
    up = [np.sin(a) * np.sin(e), np.cos(a) * np.sin(e), np.cos(e)]
    now = page.locator("svg[role=application] circle").last
    assert attributes(now, "cx", "cy") == pytest.approx(
        [150 + 84 * vector @ right, 170 - 84 * vector @ up], abs=1e-6
    )
    dials = page.locator("svg[role=img]")
    hands = dials.locator("line[x1][x2][stroke-width='3']")
    others = dials.locator("line[x1][x2][stroke-width='2']")
    shadows = dials.locator("line[stroke='var(--ex-accent)']")
    for k, (omega, value) in enumerate(zip(omegas, vector, strict=True)):
        x1, y1, x2, y2 = attributes(hands.nth(k), "x1", "y1", "x2", "y2")
        assert (x2 - x1, y1 - y2) == pytest.approx(
            (36 * value, 36 * np.cos(omega * position)), abs=1e-6
        )
        # The dashed hand has the angle π − ωt: the other one with this sine.
        x1, y1, x2, y2 = attributes(others.nth(k), "x1", "y1", "x2", "y2")
        angle = math.pi - omega * position
        assert (x2 - x1, y1 - y2) == pytest.approx(
            (36 * np.sin(angle), 36 * np.cos(angle)), abs=1e-6
        )
        # One line down goes through both tips.
        x1, y1, x2 = attributes(shadows.nth(k + 1), "x1", "y1", "x2")
        assert x1 == x2 == pytest.approx(attributes(hands.nth(k), "x2")[0])
        tips = [attributes(hand.nth(k), "y2")[0] for hand in (hands, others)]
        assert y1 == pytest.approx(min(tips))
        assert f"sine {number(value)}" in dials.locator("text").all_text_contents()
    assert f"t = {position}" in dials.locator("text").all_text_contents()


DEFAULT = [math.pi / 2, math.pi / 4, math.pi / 8]


def test_curve_position_by_keys(on_page):
    with on_page(Curve()) as page:
        check_curve(page, 1, DEFAULT, -35, 25)
        control = slider(page, "position t")
        for key, times, position in [
            ("ArrowRight", 3, 4),
            ("ArrowLeft", 4, 0),
            ("End", 1, 64),
            ("Home", 1, 0),
            ("ArrowRight", 8, 8),
        ]:
            press(page, control, key, times)
            check_curve(page, position, DEFAULT, -35, 25)
        assert said(page).startswith("Position 8 is the same point as 24, 40 and 56: there every")


def test_curve_position_by_mouse_and_touch(on_page):
    with on_page(Curve(), has_touch=True) as page:
        control = slider(page, "position t")
        box = control.bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        settled(page)
        position = int(control.input_value())
        assert position in range(30, 35)
        check_curve(page, position, DEFAULT, -35, 25)
        page.touchscreen.tap(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
        settled(page)
        position = int(control.input_value())
        assert position in range(45, 52)
        check_curve(page, position, DEFAULT, -35, 25)


def test_curve_frequencies_by_list_and_by_slider(on_page):
    with on_page(Curve()) as page:
        choice = page.get_by_role("combobox", name="frequencies")
        pi = math.pi
        for key, omegas in [
            ("ArrowUp", [pi, pi / 2, pi / 4]),
            ("ArrowDown", DEFAULT),
            ("ArrowDown", [pi / 4, pi / 8, pi / 16]),
            ("ArrowDown", [1, 0.1, 0.01]),
        ]:
            press(page, choice, key)
            check_curve(page, 1, omegas, -35, 25)
        choice.select_option(index=0)
        check_curve(page, 1, [pi, pi / 2, pi / 4], -35, 25)
        assert "The first dial reads 0 at every position." in said(page)

        omegas = [pi, pi / 2, pi / 4]
        for k, name in enumerate(["first", "second", "third"]):
            control = slider(page, f"{name} dial ω")
            press(page, control, "ArrowLeft", 3)
            omegas[k] = pi * 2 ** float(control.input_value())
            assert float(control.input_value()) == pytest.approx(-k - 0.3)
            check_curve(page, 1, omegas, -35, 25)
        assert choice.evaluate("list => list.selectedOptions[0].text") == "your own"
        press(page, control, "Home")
        assert control.get_attribute("aria-valuetext") == "π/1024"
        check_curve(page, 1, [*omegas[:2], pi / 1024], -35, 25)


def test_two_settings_of_the_hands_with_the_same_sines_are_one_point(on_page):
    with on_page(Curve(position=8)) as page:
        check_curve(page, 8, DEFAULT, -35, 25)
        assert (
            "It is also the same point as 0, 16, 32, 48 and 64: there the sines are the same, but "
            "not the hands (at 0 the third)."
        ) in said(page)
        assert "make 16 settings of the hands, but only 15 points" in said(page)
        [note] = page.locator(".ex-drawings > p").all_text_contents()
        assert note.startswith("A hand starts at the top and turns clockwise.")
        # sin ωt is 0 at every position, and of the hands that stand up, some then stand down
        choose = page.get_by_role("combobox", name="frequencies")
        choose.select_option(index=0)
        settled(page)
        press(page, slider(page, "position t"), "ArrowLeft", 4)
        check_curve(page, 4, [math.pi, math.pi / 2, math.pi / 4], -35, 25)


@pytest.mark.parametrize(
    "omegas",
    [
        [math.pi] * 3,
        [2 * math.pi / 3] * 3,
        [math.pi / 2, math.pi / 2, math.pi / 4],
        [math.pi * 2**-0.5, math.pi * 2**-1.5, math.pi * 2**-2.5],  # closes between positions
        [math.pi / 32, math.pi / 16, math.pi / 8],  # closes at the last position
        [math.pi / 64, math.pi / 32, math.pi / 16],  # after it
        [0.003] * 3,
    ],
)
def test_curve_tells_hands_that_are_back_from_hands_that_share_a_sine(on_page, omegas):
    state = dict(zip(ORDINALS, omegas, strict=True))
    with on_page(Curve(position=4, **state)) as page:
        check_curve(page, 4, omegas, -35, 25)


def test_curve_presets_are_named_by_their_wavelengths(on_page):
    with on_page(Curve()) as page:
        choice = page.get_by_role("combobox", name="frequencies")
        names = choice.locator("option:not([hidden])").all_text_contents()
        assert [name.split(":")[0] for name in names] == [
            "wavelengths of bits", "twice as long", "four times as long", "a ladder",
        ]  # fmt: skip


def strengths(locator, attribute):
    """Return how strong the colors of some shapes are, in percent."""
    fills = locator.evaluate_all(f"all => all.map(e => e.getAttribute('{attribute}'))")
    return [int(fill.split("--ex-main) ")[1].split("%")[0]) for fill in fills]


def test_curve_has_a_key_of_its_colors(on_page):
    with on_page(Curve()) as page:
        view = page.get_by_role("application")
        assert {"color of the line: near", "far"} <= set(view.locator("text").all_text_contents())
        key = strengths(view.locator("rect[fill*='color-mix']"), "fill")
        line = strengths(view.locator("path[stroke*='color-mix']"), "stroke")
        assert key == sorted(key, reverse=True)  # near and strong to the left
        assert line == sorted(line)  # near and strong in front: the last that is drawn
        assert key[-1] <= min(line)
        assert key[0] >= max(line)


def test_curve_turns_by_slider_key_mouse_and_touch(on_page):
    with on_page(Curve(position=3), has_touch=True) as page:
        view = page.get_by_role("application")
        turn, tilt = slider(page, "turn"), slider(page, "tilt")
        press(page, turn, "ArrowRight", 5)
        press(page, tilt, "ArrowLeft", 5)
        check_curve(page, 3, DEFAULT, -30, 20)
        for key, angles in [
            ("ArrowRight", (-25, 20)),
            ("ArrowUp", (-25, 15)),
            ("ArrowLeft", (-30, 15)),
            ("ArrowDown", (-30, 20)),
        ]:
            press(page, view, key)
            check_curve(page, 3, DEFAULT, *angles)
        drag(page, view, 50, -25)
        check_curve(page, 3, DEFAULT, 0, 5)
        swipe(page, view, -50, 0)
        after = float(turn.input_value())
        assert -32 <= after <= -20  # the browser keeps the first pixels of a gesture
        check_curve(page, 3, DEFAULT, after, 5)
        assert (turn.input_value(), tilt.input_value()) == (f"{after:g}", "5")


def test_curve_turns_all_the_way_round_but_not_over_head(on_page):
    with on_page(Curve(turn=175, tilt=85)) as page:
        view = page.get_by_role("application")
        press(page, view, "ArrowRight", 2)
        press(page, view, "ArrowDown", 3)
        check_curve(page, 1, DEFAULT, -175, 90)


def test_a_finger_that_moves_down_scrolls_the_page(on_page):
    with on_page(Curve(), EncodingTable(), size=(390, 500), has_touch=True) as page:
        text = said(page), said(page, 1)
        for k in range(2):
            view = page.get_by_role("application").nth(k)
            view.scroll_into_view_if_needed()
            before = page.evaluate("scrollY")
            swipe(page, view, 0, -150)
            page.wait_for_function("before => scrollY > before + 50", arg=before)
        assert (said(page), said(page, 1)) == text


# EncodingTable


def wavelength_name(omega):
    rounded = float(f"{2 * math.pi / omega:.3g}")
    return f"{rounded:,.2f}".rstrip("0").rstrip(".")


def table_text(position, column, width, base):
    value = pecode.sinusoidal(position, width, base)[column]
    products = pecode.similarity(range(64), width, base)
    rises = np.flatnonzero(np.diff(products) > 0)
    kind = "cosine" if column % 2 else "sine"
    omega = pecode.frequencies(width, base)[column // 2]
    fall = "It falls all the way."
    if rises.size:
        fall = f"It falls as far as distance {rises[0]}, then rises again for the first time."
    first, last = (wavelength_name(omega) for omega in pecode.frequencies(width, base)[[0, -1]])
    one, eight, far = (number(products[offset] / products[0]) for offset in (1, 8, 32))
    return (
        f"Position {position}, column {column} ({kind} of pair {column // 2}, wavelength "
        f"{wavelength_name(omega)}): value {number(value)}. Width {width} makes {width // 2} "
        f"pairs. Their wavelengths grow from {first} to {last}; a larger base makes the last ones "
        f"longer. The dot product of two rows depends on their distance alone: {width // 2} for a "
        f"row with itself, {one} of that at distance 1, {eight} at 8, {far} at 32. {fall}"
    )


# From a copy: a canvas that is read often is kept elsewhere, and the browser complains.
PIXELS = """canvas => {
  const { width, height } = canvas;
  const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  return [width, height, [...copy.getImageData(0, 0, width, height).data]];
}"""


def colors(page, number=0):
    """Return the pixels of the heat map: an array of positions, columns, and four channels."""
    width, height, data = page.locator("canvas").nth(number).evaluate(PIXELS)
    return np.reshape(data, (height, width, 4)).astype(float)


def path_ends(path):
    """Return the points of a path as an array."""
    text = path.get_attribute("d").replace("M", " ").replace("L", " ").replace("h0", " ")
    return np.array(text.split(), dtype=float).reshape(-1, 2)


def check_table(page, position, column, width, base=10_000.0):
    """Compare the picture and the text with what pecode computes."""
    assert said(page) == table_text(position, column, width, base)
    table = pecode.sinusoidal(range(64), width, base)
    pixels = colors(page)
    assert pixels.shape[:2] == table.shape
    assert np.abs(pixels[..., 3] / 255 - np.abs(table)).max() < 0.005
    strong = np.abs(table) > 0.05
    assert np.array_equal((pixels[..., 0] > pixels[..., 2])[strong], (table > 0)[strong])

    rows = 22 + (np.arange(64) + 0.5) * 4  # where the positions stand, in the heat map and beside
    dots = page.locator("svg path[stroke-width='3.5']")
    cell = 256 / width
    for parity in (0, 1):
        x = 36 + (np.arange(parity, width, 2) + 0.5) * cell
        y = 356 - 36 * table[position, parity::2]
        assert path_ends(dots.nth(parity)) == pytest.approx(np.stack([x, y], axis=1), abs=0.051)
    far = page.get_by_label("The dot product, along the positions").locator("text[visibility]")
    seen = [each for each in far.all() if each.get_attribute("visibility") == "visible"]
    places = [position + offset for offset in range(-48, 49, 16) if 0 <= position + offset < 64]
    assert [each.text_content() for each in seen] == [str(abs(t - position)) for t in places]
    assert [attributes(each, "y")[0] - 4 for each in seen] == [rows[t] for t in places]
    products = table @ table[position] / (width / 2)
    for k, values in [(2, table[:, column]), (3, products)]:
        expected = np.stack([94 + 50 * values, rows], axis=1)
        assert path_ends(dots.nth(k)) == pytest.approx(expected, abs=0.051)
    named = page.get_by_role("application").locator("text").all_text_contents()
    omegas = pecode.frequencies(width, base)
    for pair in (0, len(omegas) - 1):  # the ends of the axis of the row
        assert f"pair {pair}" in named
        assert f"wavelength {wavelength_name(omegas[pair])}" in named

    frames = page.get_by_role("application").locator("rect[stroke='var(--ex-ink)']")
    assert attributes(frames.nth(0), "x", "width") == pytest.approx([36 + column * cell, cell])
    assert attributes(frames.nth(1), "y", "height") == pytest.approx([22 + position * 4, 4])


def middle_of(page, position, column, width):
    """Return where a cell of the heat map is on the screen."""
    box = page.locator("canvas").bounding_box()
    return (
        box["x"] + (column + 0.5) * box["width"] / width,
        box["y"] + (position + 0.5) * box["height"] / 64,
    )


def test_table_by_keys(on_page):
    with on_page(EncodingTable()) as page:
        check_table(page, 12, 6, 32)
        press(page, slider(page, "position t"), "ArrowRight", 2)
        press(page, slider(page, "column"), "ArrowLeft", 5)
        check_table(page, 14, 1, 32)
        view = page.get_by_role("application")
        for key, times, cell in [
            ("ArrowUp", 2, (12, 1)),
            ("ArrowLeft", 3, (12, 0)),
            ("ArrowRight", 40, (12, 31)),
            ("ArrowDown", 60, (63, 31)),
        ]:
            press(page, view, key, times)
            check_table(page, *cell, 32)
        assert slider(page, "position t").input_value() == "63"
        assert slider(page, "column").input_value() == "31"


def test_table_width_and_base_by_keys(on_page):
    with on_page(EncodingTable(column=20)) as page:
        choice, base = page.get_by_role("combobox", name="width d"), slider(page, "base")
        press(page, choice, "ArrowDown")
        check_table(page, 12, 20, 64)
        press(page, choice, "ArrowUp", 3)
        check_table(page, 12, 7, 8)  # column 20 is gone: the last one is chosen
        column = slider(page, "column")
        assert (column.input_value(), column.get_attribute("max")) == ("7", "7")
        assert column.get_attribute("aria-valuetext") == "7"
        press(page, base, "Home")
        check_table(page, 12, 7, 8, 10.0)
        press(page, base, "ArrowRight", 3)
        check_table(page, 12, 7, 8, 20.0)
        press(page, base, "End")
        check_table(page, 12, 7, 8, 100_000.0)
        choice.select_option("16")
        press(page, column, "End")
        check_table(page, 12, 15, 16, 100_000.0)


def test_table_names_its_axes_and_its_width(on_page):
    with on_page(EncodingTable()) as page:
        axis = page.get_by_label("The dot product, along the positions").locator("text")
        assert axis.filter(has_text="dot product ÷ (d/2)").count() == 1
        assert axis.filter(has_text="right: distance").count() == 1
        named = page.get_by_role("application").locator("text").all_text_contents()
        assert named[:3] == ["0", "column", "31"]
        tops = [each.bounding_box()["y"] for each in page.locator(".ex-drawings svg").all()[:3]]
        assert tops == [tops[0]] * 3  # the same position at the same height in all
        for drawing in page.locator(".ex-drawings svg").all()[:3]:  # a row is a position in all
            assert drawing.get_by_text("position", exact=True).count() == 1
        assert page.get_by_role("combobox", name="width d (d_model)", exact=True).count() == 1


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_only_a_larger_base_makes_the_last_wave_longer_and_not_the_first(width):
    """As the text of the figure says."""
    bases = np.round(10 ** np.linspace(1, 5, 41))
    omegas = np.array([pecode.frequencies(width, base) for base in bases])
    assert np.ptp(omegas[:, 0]) == 0
    assert (np.diff(omegas[:, 1:], axis=0) < 0).all()
    assert (np.diff(omegas, axis=1) < 0).all()


def test_table_by_mouse_looks_on_hover_and_chooses_on_click(on_page):
    with on_page(EncodingTable()) as page:
        page.mouse.move(*middle_of(page, 40, 3, 32))
        check_table(page, 40, 3, 32)
        assert slider(page, "position t").input_value() == "12"
        page.mouse.move(1, 1)
        check_table(page, 12, 6, 32)
        page.mouse.click(*middle_of(page, 40, 3, 32))
        page.mouse.move(1, 1)
        check_table(page, 40, 3, 32)
        assert slider(page, "position t").input_value() == "40"
        assert slider(page, "column").input_value() == "3"
        page.mouse.move(*middle_of(page, 10, 10, 32))
        page.mouse.down()
        page.mouse.move(*middle_of(page, 11, 30, 32))
        page.mouse.move(1, 1)  # a drag goes on outside of the table: the nearest cell
        page.mouse.up()
        settled(page)
        check_table(page, 0, 0, 32)


def test_table_by_touch(on_page):
    with on_page(EncodingTable(), size=(390, 844), has_touch=True) as page:
        page.touchscreen.tap(*middle_of(page, 50, 20, 32))
        check_table(page, 50, 20, 32)
        swipe(page, page.locator("canvas"), -60, 0)
        assert slider(page, "column").input_value() == "8"
        check_table(page, int(slider(page, "position t").input_value()), 8, 32)


def test_table_is_painted_again_when_the_theme_changes_and_for_paper(on_page):
    with on_page(EncodingTable()) as page:
        settled(page)
        light = colors(page)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        settled(page)
        dark = colors(page)
        assert not np.array_equal(light, dark)
        page.emulate_media(media="print")
        settled(page)
        assert np.array_equal(colors(page), light)


# Clock


def turned(angle):
    """An angle as the figure says it: whole turns, and the rest in degrees."""
    turns, rest = divmod(int(abs(np.degrees(angle)) * 10 + 0.5), 3600)
    whole = f"{turns} turn{'' if turns == 1 else 's'} and " if turns else ""
    return f"{whole}{rest / 10:.1f}°"


def clock_text(position, offset, base):
    omegas = pecode.frequencies(8, base)
    matrix = pecode.translation_matrix(offset, 8, base)
    rows = ") and (".join(", ".join(number(value, 3) for value in row) for row in matrix[:2, :2])
    by, there = number(offset, 0), number(position + offset, 0)
    moves = f"T(0) turns no hand: the whole row {position} of the table stays as it is."
    if offset:
        angles = ", ".join(turned(omega * offset) for omega in omegas)
        moves = (
            f"T({by}) turns each hand {'back' if offset < 0 else 'forward'} by an angle of its "
            f"own, ω·Δ: {angles}. That turns the whole row {position} of the table into row "
            f"{there}."
        )
    if position + offset < 0:
        moves += f" Position {there} is before the start; the formula still holds."
    for row in (position, 20, 100):  # what the text says of these rows
        before, after = pecode.sinusoidal([row, row + offset], 8, base)
        assert matrix @ before == pytest.approx(after, abs=1e-9)
    return (
        f"{moves} There is no t in the angles, so one matrix serves all positions: the same "
        f"T({by}) turns row 20 into row {20 + offset}, and row 100 into row {100 + offset}. Its "
        f"first block, ({rows}), holds the cosine and the sine of the first angle."
    )


def check_way(path, start, end):
    """An arc sets out from one hand and ends on the other, and has made as many turns."""
    away = path_ends(path) - [76, 74]
    size = abs(end - start)
    points = away[: math.ceil(size / 0.1) + 1]
    arrow = away[len(points) :]
    angles = np.unwrap(np.arctan2(points[:, 0], -points[:, 1]))
    assert math.remainder(angles[0] - start, math.tau) == pytest.approx(0, abs=0.003)
    assert angles[-1] - angles[0] == pytest.approx(end - start, abs=0.006)
    radii = 34 + 0.8 * np.linspace(0, size, len(points))
    assert np.hypot(*points.T) == pytest.approx(radii, abs=0.1)
    assert len(arrow) == (3 if size > 0.16 else 0)
    if len(arrow):
        assert arrow[1] == pytest.approx(points[-1])
        back = np.arctan2(arrow[[0, 2], 0], -arrow[[0, 2], 1]) - end
        turns = [math.remainder(angle, math.tau) for angle in back]
        assert turns == pytest.approx([-0.16 * np.sign(end - start)] * 2, abs=0.005)


def check_clock(page, position, offset, base):
    """Compare the picture and the text with what pecode computes."""
    omegas = pecode.frequencies(8, base)
    matrix = pecode.translation_matrix(offset, 8, base)
    assert said(page) == clock_text(position, offset, base)
    before, after = pecode.sinusoidal([position, position + offset], 8, base)
    dials = page.locator("svg")
    for i in range(4):
        for hand, vector in [(1, before), (0, after)]:
            tip = dials.nth(i).locator("g").nth(hand).locator("circle")
            expected = [76 + 64 * vector[2 * i], 74 - 64 * vector[2 * i + 1]]
            assert attributes(tip, "cx", "cy") == pytest.approx(expected, abs=1e-6)
        way = dials.nth(i).locator("path")
        check_way(way, omegas[i] * position, omegas[i] * (position + offset))
        names = dials.nth(i).locator("text").all_text_contents()
        assert names[0].startswith(f"pair {i}: ω = ")
        assert float(names[0].split("= ")[1]) == pytest.approx(omegas[i], rel=0.006)
        assert names[1] == f"{'back' if offset < 0 else 'by'} {turned(omegas[i] * offset)}"
    assert dials.nth(4).locator("text").first.text_content() == (
        f"T({number(offset, 0)}): the same for every position"
    )
    texts = dials.nth(5).locator("text").all_text_contents()
    assert texts[:16] == [number(value) for value in (*before, *after)]
    fills = (
        dials.nth(4)
        .locator("rect")
        .evaluate_all(
            "cells => cells.map(cell => cell.getAttribute('fill').match(/(red|blue)\\) ([\\d.]+)/))"
        )
    )
    shown = [(-1 if hue == "blue" else 1) * float(share) / 100 for _, hue, share in fills]
    assert np.reshape(shown, (8, 8)) == pytest.approx(matrix, abs=0.00051)


@pytest.mark.parametrize(("offset", "base"), [(0, 10_000.0), (1, 10_000.0), (20, 100_000.0)])
def test_both_hands_are_seen_where_they_are_near(offset, base, on_page):
    with on_page(Clock(position=5, offset=offset, base=base)) as page:
        for dial in page.locator(".ex-drawings svg").all()[:4]:
            moved, now = (dial.locator("g").nth(k).locator("circle") for k in (0, 1))
            (x, y, r), (x0, y0, r0) = (attributes(tip, "cx", "cy", "r") for tip in (moved, now))
            away = math.hypot(x - x0, y - y0)
            assert r + away - r0 > 3  # what one tip leaves of the other behind it
            assert r0 >= 5
            order = dial.evaluate("d => [...d.querySelectorAll('g')].map(g => g.innerHTML)")
            assert "accent" in order[0]  # drawn first


def test_clock_by_keys_and_mouse(on_page):
    with on_page(Clock()) as page:
        check_clock(page, 5, 3, 10_000.0)
        press(page, slider(page, "position t"), "ArrowRight", 7)
        check_clock(page, 12, 3, 10_000.0)
        press(page, slider(page, "offset Δ"), "ArrowLeft", 9)
        check_clock(page, 12, -6, 10_000.0)
        press(page, slider(page, "base"), "ArrowLeft", 4)
        check_clock(page, 12, -6, 1000.0)
        control = slider(page, "offset Δ")
        box = control.bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
        settled(page)
        offset = int(control.input_value())
        assert offset in range(8, 13)
        check_clock(page, 12, offset, 1000.0)


@pytest.mark.parametrize("offset", [0, -20, 7, 20])
def test_clock_counts_whole_turns(offset, on_page):
    with on_page(Clock(position=100, offset=offset, base=10.0)) as page:
        check_clock(page, 100, offset, 10.0)
        turns = {0: "no hand", -20: "3 turns and 65.9°", 7: "1 turn and 41.1°"}
        assert turns.get(offset, "3 turns and 65.9°, 1 turn and 284.4°") in said(page)


def test_the_matrix_is_the_same_while_the_position_moves(on_page):
    with on_page(Clock()) as page:
        matrix, vectors = (page.locator(".ex-drawings svg").nth(k) for k in (4, 5))
        turns = page.locator(".ex-drawings svg text:nth-of-type(2)").all_text_contents()[:4]
        drawn = [each.inner_html() for each in (matrix, vectors)]
        press(page, slider(page, "position t"), "ArrowRight", 5)
        assert matrix.inner_html() == drawn[0]
        assert vectors.inner_html() != drawn[1]
        after = page.locator(".ex-drawings svg text:nth-of-type(2)").all_text_contents()[:4]
        assert after == turns
        press(page, slider(page, "offset Δ"), "ArrowRight")
        assert matrix.inner_html() != drawn[0]


def test_the_key_of_the_matrix_has_the_colors_of_its_cells(on_page):
    shades = """(paths) => paths.map(({ outerHTML }) =>
      outerHTML.match(/M([\\d.]+).*(red|blue)\\) ([\\d.]+)/).slice(1))"""
    with on_page(Clock()) as page:
        matrix = page.locator(".ex-drawings svg").nth(4)
        key = matrix.locator("path[stroke^=color-mix]").evaluate_all(shades)
        ends = [float(matrix.get_by_text(t, exact=True).get_attribute("x")) for t in ("−1", "1")]
        for x, hue, share in key:
            value = (-1 if hue == "blue" else 1) * float(share) / 100
            place = (float(x) + 2 - ends[0]) / (ends[1] - ends[0])  # its middle
            assert value == pytest.approx(2 * place - 1, abs=0.03)
        assert len(key) == 52


def test_clock_before_the_start(on_page):
    with on_page(Clock(position=2, offset=-5)) as page:
        check_clock(page, 2, -5, 10_000.0)
        assert "Position −3 is before the start; the formula still holds." in said(page)
        press(page, slider(page, "position t"), "ArrowRight", 3)
        check_clock(page, 5, -5, 10_000.0)  # position 0 is the start itself
        assert "before the start" not in said(page)


def test_clock_says_which_hand_is_which_above_the_hands(on_page):
    with on_page(Clock(position=5, offset=-8)) as page:
        hands = page.get_by_label("Pair 0: hands at the position and at the moved position")
        for text, hand in [("position t = 5", 1), ("moved position t + Δ = −3", 0)]:
            entry = page.locator(".ex-drawings > div > span", has_text=text).last
            box = entry.bounding_box()
            assert box["y"] + box["height"] <= hands.bounding_box()["y"]
            color = entry.locator("span").first.evaluate("dot => getComputedStyle(dot).color")
            tip = hands.locator("g").nth(hand).locator("circle")
            assert tip.evaluate("tip => getComputedStyle(tip).fill") == color


# All of them


@every_figure
def test_front_end_is_small(figure):
    source = bundle(FIGURES[figure])
    assert len(gzip.compress(source.encode())) < 15_000
    assert "import " not in source
    assert source.count("export ") == 1


@every_figure
def test_a_step_takes_less_than_a_frame(figure, on_page):
    with on_page(figure()) as page:
        for index in range(page.locator("input[type=range]").count()):
            assert median_step(page, index) < 16


@every_figure
def test_memory_does_not_grow(figure, on_page):
    with on_page(figure()) as page:
        heap_after(page, 300)
        before, nodes = heap_after(page, 100)
        after, nodes_after = heap_after(page, 1000)
        assert after - before < 200_000
        assert nodes_after - nodes < 50


@every_figure
def test_two_figures_on_a_page_keep_their_own_state(figure, on_page):
    with on_page(figure(), figure(), size=(760, 2400)) as page:
        first = page.locator(".moving-figure").nth(0)
        drawn = first.locator(".ex-drawings").inner_html()
        text = said(page, 0)
        assert said(page, 1) == text
        press(page, slider(page, "position t", 1), "ArrowRight", 3)
        assert first.locator(".ex-drawings").inner_html() == drawn
        assert said(page, 0) == text
        assert slider(page, "position t", 0).input_value() != (
            slider(page, "position t", 1).input_value()
        )
        assert page.locator(".moving-figure [id], .moving-figure [name]").count() == 0


@every_figure
def test_figure_fits_every_screen_and_its_letters_can_be_read(figure, on_page):
    for width in WIDTHS:
        with on_page(figure(), size=(width, 900)) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            sizes = page.locator(".moving-figure text, .moving-figure :is(p, span, output, select)")
            smallest = sizes.evaluate_all(
                """all => Math.min(...all.map(e => {
                     const { a, b } = e.getScreenCTM?.() ?? { a: 1, b: 0 };
                     return parseFloat(getComputedStyle(e).fontSize) * Math.hypot(a, b);
                   }))"""
            )
            assert smallest >= 12


@every_figure
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figure_is_accessible(figure, theme, on_page):
    with on_page(figure(), theme=theme) as page:
        assert violations(page) == []
        assert page.locator(".ex-heard").get_attribute("aria-live") == "polite"


def test_many_keys_in_a_row_are_seen_at_once_and_read_out_once(on_page):
    with on_page(Clock()) as page:
        page.wait_for_timeout(600)
        assert page.locator(".ex-heard").inner_text() == ""  # nobody is told of a page that opens
        heard, seen = listen(page), []
        for _ in range(5):
            press(page, slider(page, "offset Δ"), "ArrowRight")
            page.wait_for_timeout(100)
            seen.append(said(page))
        assert len(set(seen)) == 5
        assert heard() == []
        page.wait_for_function("heard.length")
        assert heard() == seen[-1:]
        page.wait_for_function("!document.querySelector('.ex-heard').textContent")
        assert said(page) == seen[-1]
        page.wait_for_timeout(600)
        assert heard() == seen[-1:]


def test_what_is_read_out_and_not_seen_takes_no_place(on_page):
    with on_page(Clock()) as page:
        before = page.locator(".moving-figure").bounding_box()
        listen(page)
        press(page, slider(page, "offset Δ"), "ArrowRight")
        page.wait_for_function("heard.length")
        box = page.locator(".ex-heard").bounding_box()
        assert (box["width"], box["height"]) == (1, 1)
        assert page.locator(".moving-figure").bounding_box() == before
        assert page.evaluate("document.documentElement.scrollWidth") <= 760


@every_figure
def test_every_control_is_reached_with_the_tab_key(figure, on_page):
    with on_page(figure()) as page:
        wanted = page.locator("input, select, [tabindex='0']").count()
        reached = set()
        for _ in range(wanted):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    """() => [...document.querySelectorAll("input, select, [tabindex='0']")]
                         .indexOf(document.activeElement)"""
                )
            )
        assert reached == set(range(wanted))


@every_figure
def test_on_paper_there_are_values_but_no_sliders(figure, on_page):
    with on_page(figure(), theme="dark") as page:
        page.emulate_media(media="print")
        settled(page)
        assert page.locator("input[type=range]:visible").count() == 0
        assert page.locator("output:visible").count() > 0
        ink = page.locator(".moving-figure").evaluate("e => getComputedStyle(e).color")
        assert ink == "rgb(29, 29, 36)"


@pytest.mark.parametrize(
    ("figure", "name", "value"),
    [
        (Curve, "position", 65),
        (Curve, "position", -1),
        (Curve, "position", 1.5),
        (Curve, "first", 0.0),
        (Curve, "second", 4.0),
        (Curve, "third", math.nan),
        (Curve, "turn", 181),
        (Curve, "tilt", -91),
        (EncodingTable, "d_model", 0),
        (EncodingTable, "d_model", 7),
        (EncodingTable, "base", 1),
        (EncodingTable, "base", math.nan),
        (EncodingTable, "base", math.inf),
        (EncodingTable, "column", 32),
        (EncodingTable, "column", -1),
        (EncodingTable, "position", 64),
        (Clock, "position", -1),
        (Clock, "offset", 21),
        (Clock, "base", 1e9),
        (Clock, "base", "10"),
    ],
)
def test_bad_state_is_refused_and_named(figure, name, value):
    instance = figure()
    before = getattr(instance, name)
    with pytest.raises(traitlets.TraitError) as refused:
        setattr(instance, name, value)
    assert f"'{name}' trait" in str(refused.value)
    assert str(value) in str(refused.value)
    assert getattr(instance, name) == before


def test_a_narrower_table_moves_the_choice_to_its_last_column():
    table = EncodingTable(column=20)
    table.d_model = 8
    assert table.column == 7
    table.set_state({"column": 40, "d_model": 64})  # as the browser sends it, in any order
    assert (table.column, table.d_model) == (40, 64)
