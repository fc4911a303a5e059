"""Clock: the hands, the matrix and the text against pecode."""

import math

import numpy as np
import pytest

import pecode
from figures import Clock

from .page import (
    click,
    joined,
    near,
    number,
    numbers,
    path,
    press,
    said,
    shapes,
    sizes,
    slider,
    strengths,
    texts,
)
from .values import refuses, takes


def test_values():
    assert repr(Clock()) == "Clock(base=10000.0, offset=12, position=120)"
    takes(Clock, position=[0, 200], offset=[-20, 20], base=[10.0, 100_000.0])
    refuses(Clock, position=[-1, 201, 1.5], offset=[21, -21], base=[1e9, 1.0, "10"])


def turned(angle):
    """Write an angle as the figure says it: whole turns, and the rest in degrees."""
    turns, rest = divmod(int(abs(np.degrees(angle)) * 10 + 0.5), 3600)
    whole = f"{turns} turn{'' if turns == 1 else 's'} and " if turns else ""
    return f"{whole}{rest / 10:.1f}°"


def clock_text(position, offset, base):
    omegas = pecode.frequencies(8, base)
    matrix = pecode.translation_matrix(offset, 8, base)
    rows = ") and (".join(", ".join(number(value, 3) for value in row) for row in matrix[:2, :2])
    by, there = number(offset, 0), number(position + offset, 0)
    moves = (
        f"T(0) turns no hand: position {position} stays as it is, and so does every other position."
    )
    if offset:
        moves = (
            f"T({by}) turns each hand {'back' if offset < 0 else 'forward'} by an angle of its "
            f"own, ω·Δ, wherever it stands: position {position} becomes position {there}, as 20 "
            f"becomes {20 + offset} and 100 becomes {100 + offset}."
        )
    for row in (position, 20, 100):  # what the text says of these rows
        before, after = pecode.sinusoidal([row, row + offset], 8, base)
        assert matrix @ before == pytest.approx(after, abs=1e-9)
    told = (
        f"The angles of the hands: {', '.join(turned(omega * offset) for omega in omegas)}. There "
        f"is no t in them. The first block of the matrix, ({rows}), holds the cosine and the sine "
        "of the first angle."
    )
    if position + offset < 0:
        told += f" Position {there} is before the start; the formula still holds."
    return moves, told


def check_way(points, start, end):
    """An arc sets out from one hand and ends on the other, and has made as many turns."""
    away, size = points - [62, 84], abs(end - start)
    count = math.ceil(size / 0.1) + 1
    way, arrow = away[:count], away[count:]
    angles = np.unwrap(np.arctan2(way[:, 0], -way[:, 1]))
    assert math.remainder(angles[0] - start, math.tau) == pytest.approx(0, abs=0.003)
    assert angles[-1] - angles[0] == pytest.approx(end - start, abs=0.006)
    assert near(np.hypot(*way.T), 28 + 0.8 * np.linspace(0, size, count), 0.1)
    assert len(arrow) == (3 if size > 0.16 else 0)
    if len(arrow):
        assert arrow[1] == pytest.approx(way[-1])
        back = np.arctan2(arrow[[0, 2], 0], -arrow[[0, 2], 1]) - end
        turns = [math.remainder(angle, math.tau) for angle in back]
        assert turns == pytest.approx([-0.16 * np.sign(end - start)] * 2, abs=0.005)


def check(page, position, offset, base=10_000.0):
    """Compare the picture and the text with what pecode computes."""
    omegas = pecode.frequencies(8, base)
    assert (said(page), numbers(page)) == clock_text(position, offset, base)
    now, moved = pecode.sinusoidal([position, position + offset], 8, base)
    for i in range(4):
        pair = slice(2 * i, 2 * i + 2)
        tips = sizes(page, f"{i} g > circle[fill^=var]", "cx", "cy")  # the moved hand stands behind
        assert near(tips, [62, 84] + 50 * np.stack([moved[pair], now[pair]]) * [1, -1], 1e-6)
        check_way(
            path(page, f"{i} path[data-mark]"),
            omegas[i] * position,
            omegas[i] * (position + offset),
        )
        *axes, name, turn = texts(page, f"{i} text")
        assert axes == ["cosine", "sine"]
        assert name.startswith(f"pair {i}: ω = ")
        assert float(name.split("= ")[1]) == pytest.approx(omegas[i], rel=0.006)
        assert turn == f"{'back' if offset < 0 else 'by'} {turned(omegas[i] * offset)}"
    assert texts(page, "4 text")[0] == f"T({number(offset, 0)}): the same for every position"
    assert texts(page, "5 text")[:16] == [number(value) for value in (*now, *moved)]
    matrix = pecode.translation_matrix(offset, 8, base)
    assert near(strengths(page, "4 rect"), matrix.ravel(), 0.00051)


def test_keys_and_mouse(on_page):
    with on_page(Clock()) as page:
        check(page, 120, 12)
        matrix = shapes(page, "4 *", "fill", "d")
        position, offset = slider(page, "position t"), slider(page, "offset Δ")
        press(page, position, "ArrowRight", 7)
        check(page, 127, 12)
        assert shapes(page, "4 *", "fill", "d") == matrix  # the same for every position
        press(page, offset, "ArrowLeft", 18)
        check(page, 127, -6)
        assert shapes(page, "4 *", "fill", "d") != matrix
        press(page, slider(page, "base"), "ArrowLeft", 4)
        check(page, 127, -6, 1000.0)
        click(page, offset, 0.75)
        found = int(offset.input_value())
        assert found in range(8, 13)
        check(page, 127, found, 1000.0)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ((100, 0, 10.0), "no hand"),
        ((100, -20, 10.0), "3 turns and 65.9°"),
        ((100, 7, 10.0), "1 turn and 41.1°"),
        ((100, 20, 10.0), "3 turns and 65.9°, 1 turn and 284.4°"),
        ((2, -5, 10_000.0), "Position −3 is before the start; the formula still holds."),
        ((5, -5, 10_000.0), "becomes position 0,"),
        ((5, 1, 10_000.0), "forward"),
        ((5, 20, 100_000.0), "forward"),
    ],
)
def test_turns_and_near_hands(on_page, state, sentence):
    with on_page(Clock(**dict(zip(("position", "offset", "base"), state, strict=True)))) as page:
        check(page, *state)
        assert sentence in said(page) + numbers(page)
        assert ("before the start" in numbers(page)) == (sum(state[:2]) < 0)
        for i in range(4):  # both tips are seen, however near they are
            (x, y, r), (x0, y0, r0) = sizes(page, f"{i} g > circle[fill^=var]", "cx", "cy", "r")
            assert r + math.hypot(x - x0, y - y0) - r0 > 3
            assert r0 >= 5


def test_the_keys_of_colors(on_page):
    with on_page(Clock(position=5, offset=-8)) as page:
        marks = shapes(page, "4 path[stroke^=color-mix]", "d")
        across = np.array([float(d[1:].split()[0]) for [d] in marks])
        values = strengths(page, "4 path[stroke^=color-mix]", "stroke")
        assert near(values, across / (4 * 26) - 1, 0.03)
        assert len(marks) == 52
        drawing = page.get_by_label("Pair 0: hands at the position and at the moved position")
        for text, hand in [("position t = 5", 1), ("moved to t + Δ = −3", 0)]:
            entry = page.locator(".ex-drawings > div > span", has_text=text).last
            box = entry.bounding_box()
            assert box["y"] + box["height"] <= drawing.bounding_box()["y"]
            color = entry.locator("span").first.evaluate("dot => getComputedStyle(dot).color")
            tip = drawing.locator("g").nth(hand).locator("circle").first
            assert tip.evaluate("tip => getComputedStyle(tip).fill") == color
        assert joined(texts(page, "4 text")[2:]) == "−1, 0 and 1"


def test_a_hand_is_taken_and_turned(on_page):
    with on_page(Clock(position=5, offset=3)) as page:
        dial = page.locator(".ex-drawings svg").nth(1)  # ω = 0.1
        scale = dial.bounding_box()["width"] / 146

        def tip(which):  # where a hand of the second dial is, on the screen
            x, y = sizes(page, "1 g > circle[fill^=var]", "cx", "cy")[which]
            box = dial.bounding_box()
            return box["x"] + scale * x, box["y"] + scale * y

        def turn(which, positions):
            x, y = tip(which)
            box = dial.bounding_box()
            middle = np.array([box["x"] + 62 * scale, box["y"] + 84 * scale])
            page.mouse.move(x, y)
            page.mouse.down()
            for part in np.linspace(0, 0.1 * positions, 12)[1:]:
                way = complex(*(np.array([x, y]) - middle)) * np.exp(1j * part)
                page.mouse.move(middle[0] + way.real, middle[1] + way.imag)
            page.mouse.up()

        turn(0, 9)  # the moved hand
        check(page, 5, 12)
        turn(1, 20)
        check(page, 25, 12)
        turn(0, 15)  # no further than the slider
        check(page, 25, 20)
