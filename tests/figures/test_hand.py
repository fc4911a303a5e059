"""OneHand: the hands, the four numbers and the text against the translation matrix."""

import math

import numpy as np
import pytest

import pecode
from figures import OneHand

from .page import near, number, numbers, press, said, settled, sizes, slider, texts
from .values import refuses, takes


def test_values():
    assert repr(OneHand()) == "OneHand(offset=4, omega=0.3, position=2)"
    takes(OneHand, position=[0, 40], offset=[-12, 12], omega=[0.01, math.pi])
    refuses(OneHand, position=[-1, 41, 1.5], offset=[13], omega=[0.0, 4.0, math.nan])


def check(page, position, offset, omega=0.3):
    """Compare the picture and the text with what pecode computes."""
    settled(page)
    now, moved = pecode.sine_only([position, position + offset], 1, frequencies=[omega])[:, 0]
    pairs = [[now, math.cos(omega * position)], [moved, math.cos(omega * (position + offset))]]
    block = pecode.translation_matrix(offset, 2)  # ω = 1: the angle is the offset
    if omega != 1:
        angle = omega * offset
        block = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    assert block @ pairs[0] == pytest.approx(np.array(pairs[1]), abs=1e-9)
    tips = sizes(page, "0 g > circle[fill^=var]", "cx", "cy")  # the moved hand stands behind
    assert near(tips, [125, 114] + 88 * np.array(pairs[::-1]) * [1, -1], 1e-6)
    shown = texts(page, "1 text[style*='15px']")
    rows = [[pairs[1][r], *block[r], pairs[0][r]] for r in range(2)]
    assert shown == [number(value, 3) for row in rows for value in row]
    angle, by, there = omega * offset, number(offset, 0), number(position + offset, 0)
    assert said(page) == (
        f"T({by}) turns the hand by ωΔ = {number(angle)} wherever it stands: position {position} "
        f"becomes position {there}, and the four numbers do not know where it started."
    )
    sums = [
        f"{name}: {number(pairs[1][r], 3)} = "
        + " + ".join(f"({number(block[r][k], 3)}) · ({number(pairs[0][k], 3)})" for k in range(2))
        for r, name in enumerate(["sine", "cosine"])
    ]
    assert numbers(page) == f"{number(np.degrees(angle), 1)}°; {'; '.join(sums)}."
    return shown[1:3] + shown[5:7]


def test_the_four_numbers_stay_wherever_the_hand_starts(on_page):
    with on_page(OneHand()) as page:
        four = check(page, 2, 4)
        press(page, slider(page, "position t"), "ArrowRight", 5)
        assert check(page, 7, 4) == four
        press(page, slider(page, "position t"), "End")
        assert check(page, 40, 4) == four
        press(page, slider(page, "offset Δ"), "ArrowLeft", 9)
        assert check(page, 40, -5) != four
    with on_page(OneHand(omega=1.0, position=3, offset=-12)) as page:
        check(page, 3, -12, 1.0)


def test_both_hands_are_taken_and_turned(on_page):
    with on_page(OneHand()) as page:
        box = page.locator(".ex-drawings svg").first.bounding_box()
        middle = np.array([box["x"] + 125, box["y"] + 114])
        for which, positions, state in [(1, 9, (11, 4)), (0, -10, (11, -6)), (0, -20, (11, -12))]:
            x, y = sizes(page, "0 g > circle[fill^=var]", "cx", "cy")[which] - [125, 114]
            for k, part in enumerate(np.linspace(0, 0.3 * positions, 12)):
                way = complex(x, y) * np.exp(1j * part)  # downward is positive: clockwise
                page.mouse.move(middle[0] + way.real, middle[1] + way.imag)
                if k == 0:
                    page.mouse.down()
            page.mouse.up()
            check(page, *state)
