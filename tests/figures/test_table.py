"""EncodingTable: the heat map, its curves and the text against pecode."""

import math

import numpy as np
import pytest
from traitlets import TraitError

import pecode
from figures import Curve, EncodingTable

from .page import (
    cells,
    drag_to,
    near,
    number,
    numbers,
    path,
    pixels,
    press,
    said,
    settled,
    sizes,
    slider,
    swipe,
    texts,
    visible,
)
from .page import shapes as shapes_of
from .values import refuses, takes


def test_values():
    assert repr(EncodingTable()) == "EncodingTable(base=10000.0, column=6, d_model=32, position=12)"
    takes(EncodingTable, position=[0, 63], column=[0, 31], d_model=[8, 16, 32, 64], base=[10, 1e5])
    refuses(
        EncodingTable, d_model=[0, 7], base=[1, math.nan, math.inf], column=[32, -1], position=[64]
    )


@pytest.mark.parametrize(
    "values", [{"column": True}, {"d_model": 8.5}, {"d_model": 12}, {"base": 10**400}]
)
def test_a_value_of_another_kind_is_refused_at_the_start(values):
    with pytest.raises(TraitError):
        EncodingTable(**values)


def test_a_narrower_table_moves_the_choice_to_its_last_column():
    table = EncodingTable(column=20)
    table.d_model = 8
    assert table.column == 7
    table.set_state({"column": 40, "d_model": 64})  # as the browser sends it, in any order
    assert (table.column, table.d_model) == (40, 64)


def wavelength_name(omega):
    rounded = float(f"{2 * math.pi / omega:.3g}")
    return f"{rounded:,.2f}".rstrip("0").rstrip(".")


def table_text(position, column, width, base):
    omega = pecode.frequencies(width, base)[column // 2]
    value = number(pecode.sinusoidal(position, width, base)[column])
    kind, wave = ("cosine", "cos") if column % 2 else ("sine", "sin")
    digits = np.format_float_positional(float(f"{omega:.5g}"), trim="-")
    return (
        f"At position {position} the hand of pair {column // 2} points to "
        f"{np.degrees(omega * position) % 360:.0f}°, and column {column} holds its {kind}: "
        f"{wave}({position} · {digits}) = {value}."
    )


def numbers_text(width, base):
    products = pecode.similarity(range(64), width, base)
    rises = np.flatnonzero(np.diff(products) > 0)
    omegas = pecode.frequencies(width, base)
    fall = "It falls all the way."
    if rises.size:
        fall = f"It falls until distance {rises[0]}, then rises for the first time."
    one, eight, far = (number(products[offset] / products[0]) for offset in (1, 8, 32))
    return (
        f"Width {width} makes {width // 2} pairs. Their wavelengths grow from "
        f"{wavelength_name(omegas[0])} to {wavelength_name(omegas[-1])}; a larger base makes the "
        "last ones longer. The dot product of two rows depends on their distance alone: "
        f"{width // 2} for a row with itself, {one} of that at distance 1, {eight} at 8, {far} at "
        f"32. {fall}"
    )


@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_only_a_larger_base_makes_the_last_wave_longer_and_not_the_first(width):
    """As the text of the figure says."""
    bases = np.round(10 ** np.linspace(1, 5, 41))
    omegas = np.array([pecode.frequencies(width, base) for base in bases])
    assert np.ptp(omegas[:, 0]) == 0
    assert (np.diff(omegas[:, 1:], axis=0) < 0).all()
    assert (np.diff(omegas, axis=1) < 0).all()


COLORS = ["var(--ex-main)", "var(--ex-accent)"]  # of sines and cosines


def check_hand(page, position, column, omegas):
    """The hand starts at twelve: across is the sine of its angle, upright the cosine."""
    angle = omegas[column // 2] * position
    x, y = 64 + 46 * np.sin(angle), 72 - 46 * np.cos(angle)
    assert near(sizes(page, "3 circle[data-mark]", "cx", "cy"), [[x, y]], 1e-6)
    across, upright, hand = sizes(page, "3 line", "x1", "y1", "x2", "y2")
    assert near([across, upright, hand], [[64, y, x, y], [x, 72, x, y], [64, 72, x, y]], 1e-6)
    thick = sizes(page, "3 line", "stroke-width")[:2, 0]
    assert thick.argmax() == column % 2  # the chosen one of the two
    value = [np.sin, np.cos][column % 2](angle)
    assert texts(page, "3 text")[-1] == f"{'cosine' if column % 2 else 'sine'} {number(value)}"


def check(page, position, column, width=32, base=10_000.0):
    """Compare the picture and the text with what pecode computes."""
    assert said(page) == table_text(position, column, width, base)
    assert numbers(page) == numbers_text(width, base)
    table = pecode.sinusoidal(range(64), width, base)
    assert near(cells(page), table, 0.005)

    rows = 22 + (np.arange(64) + 0.5) * 4  # where the positions stand, in the heat map and beside
    cell = 256 / width
    for parity in (0, 1):
        x = 36 + (np.arange(parity, width, 2) + 0.5) * cell
        row = np.stack([x, 356 - 36 * table[position, parity::2]], axis=1)
        assert near(path(page, "0 path[stroke-width='3.5']", parity), row)
        color = shapes_of(page, "0 path[stroke-width='3.5']", "stroke")[parity]
        assert color == [COLORS[parity]]
    for drawing, values in [(1, table[:, column]), (2, table @ table[position] / (width / 2))]:
        standing = np.stack([94 + 50 * values, rows], axis=1)
        assert near(path(page, f"{drawing} path[stroke-width='3.5']"), standing)
    shown = [
        (text, float(y) - 4)
        for text, y, seen in shapes_of(page, "2 text[visibility]", "text", "y", "visibility")
        if seen == "visible"
    ]
    places = [position + offset for offset in range(-48, 49, 16) if 0 <= position + offset < 64]
    assert shown == [(str(abs(t - position)), rows[t]) for t in places]
    named, omegas = texts(page, "0 text"), pecode.frequencies(width, base)
    for pair in (0, len(omegas) - 1):  # the ends of the axis of the row
        assert {f"pair {pair}", f"wavelength {wavelength_name(omegas[pair])}"} <= set(named)
    assert shapes_of(page, "1 path[stroke-width='3.5']", "stroke") == [[COLORS[column % 2]]]
    check_hand(page, position, column, pecode.frequencies(width, base))
    frames = sizes(page, "0 rect[stroke='var(--ex-ink)']", "x", "width", "y", "height")
    assert near(frames[0, :2], [36 + column * cell, cell])
    assert near(frames[1, 2:], [22 + position * 4, 4])


def cell_at(page, position, column, width=32):
    """Return where a cell of the heat map is on the screen."""
    box = page.locator("canvas").bounding_box()
    return (
        box["x"] + (column + 0.5) * box["width"] / width,
        box["y"] + (position + 0.5) * box["height"] / 64,
    )


def test_keys(on_page):
    with on_page(EncodingTable()) as page:
        check(page, 12, 6)
        position, column = slider(page, "position t"), slider(page, "column")
        press(page, position, "ArrowRight", 2)
        press(page, column, "ArrowLeft", 5)
        check(page, 14, 1)
        view = page.get_by_role("application")
        for key, times, cell in [
            ("ArrowUp", 2, (12, 1)), ("ArrowLeft", 3, (12, 0)), ("ArrowRight", 40, (12, 31)),
            ("ArrowDown", 60, (63, 31)),
        ]:  # fmt: skip
            press(page, view, key, times)
            check(page, *cell)
        assert (position.input_value(), column.input_value()) == ("63", "31")


def test_width_and_base(on_page):
    with on_page(EncodingTable(column=20)) as page:
        choice, base = page.get_by_role("combobox", name="width d"), slider(page, "base")
        press(page, choice, "ArrowDown")
        check(page, 12, 20, 64)
        press(page, choice, "ArrowUp", 3)
        check(page, 12, 7, 8)  # column 20 is gone: the last one is chosen
        column = slider(page, "column")
        assert (column.input_value(), column.get_attribute("max")) == ("7", "7")
        assert column.get_attribute("aria-valuetext") == "7"
        for key, times, value in [("Home", 1, 10.0), ("ArrowRight", 3, 20.0), ("End", 1, 1e5)]:
            press(page, base, key, times)
            check(page, 12, 7, 8, value)
        choice.select_option("16")
        press(page, column, "End")
        check(page, 12, 15, 16, 1e5)


def test_the_axes_are_named(on_page):
    with on_page(EncodingTable()) as page:
        assert {"dot product ÷ (d/2)", "right: distance"} <= set(texts(page, "2 text"))
        assert texts(page, "0 text")[:3] == ["0", "column", "31"]
        tops = [each.bounding_box()["y"] for each in page.locator(".ex-drawings svg").all()[:3]]
        assert tops == [tops[0]] * 3  # the same position at the same height in all
        for k in range(3):  # a row is a position in all
            assert texts(page, f"{k} text").count("position") == 1
        assert page.get_by_role("combobox", name="width d (d_model)", exact=True).count() == 1
        assert all(visible(page, "1 text"))


def test_the_mouse_looks_on_hover_and_chooses_on_click(on_page):
    with on_page(EncodingTable()) as page:
        position, column = slider(page, "position t"), slider(page, "column")
        page.mouse.move(*cell_at(page, 40, 3))
        check(page, 40, 3)
        assert position.input_value() == "12"
        page.mouse.move(1, 1)
        check(page, 12, 6)
        page.mouse.click(*cell_at(page, 40, 3))
        page.mouse.move(1, 1)
        check(page, 40, 3)
        assert (position.input_value(), column.input_value()) == ("40", "3")
        page.mouse.move(*cell_at(page, 10, 10))
        page.mouse.down()
        page.mouse.move(*cell_at(page, 11, 30))
        page.mouse.move(1, 1)  # a drag goes on outside of the table: the nearest cell
        page.mouse.up()
        check(page, 0, 0)


def test_touch(on_page):
    with on_page(EncodingTable(), size=(390, 844), has_touch=True) as page:
        page.touchscreen.tap(*cell_at(page, 50, 20))
        check(page, 50, 20)
        swipe(page, page.locator("canvas"), -60)
        assert slider(page, "column").input_value() == "8"
        check(page, int(slider(page, "position t").input_value()), 8)


def test_a_finger_that_moves_down_scrolls_the_page(on_page):
    with on_page(Curve(), EncodingTable(), size=(390, 500), has_touch=True) as page:
        before = said(page), said(page, 1)
        for view in page.get_by_role("application").all():
            view.scroll_into_view_if_needed()
            top = page.evaluate("scrollY")
            swipe(page, view, 0, -150)
            page.wait_for_function("top => scrollY > top + 50", arg=top)
        assert (said(page), said(page, 1)) == before


def test_the_map_is_painted_again_when_the_theme_changes_and_for_paper(on_page):
    with on_page(EncodingTable()) as page:
        settled(page)
        light = pixels(page)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        settled(page)
        assert not np.array_equal(pixels(page), light)
        page.emulate_media(media="print")
        settled(page)
        assert np.array_equal(pixels(page), light)


def test_the_hand_can_be_turned(on_page):
    """The position is the one whose hand is nearest to where the hand is dragged to."""
    with on_page(EncodingTable()) as page:
        dial, tip = page.locator(".ex-drawings svg").nth(3), page.locator("circle[style*=grab]")
        omega = pecode.frequencies(32)[3]
        for degrees in (180, 270, 20):
            turned = np.radians(degrees)
            box = dial.bounding_box()
            drag_to(
                page, tip, box["x"] + 64 + 70 * np.sin(turned), box["y"] + 72 - 70 * np.cos(turned)
            )
            position = int(slider(page, "position t").input_value())
            off = np.abs((omega * np.arange(64) - turned + np.pi) % (2 * np.pi) - np.pi)
            assert off[position] < off.min() + 0.064  # or nearer to where the hand was
            check(page, position, 6)


def test_the_positions_are_played(on_page):
    options = {"clock": True, "reduced_motion": "no-preference"}
    with on_page(EncodingTable(position=60), **options) as page:
        press(page, page.locator(".ex-play"), "Space")
        page.clock.run_for(3000)
        check(page, 63, 6)
