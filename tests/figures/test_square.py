"""SquareToSine: the sum of sines and their heights, from the wave of a bit to one sine."""

import numpy as np
import pytest

import pecode
from figures import SquareToSine

from .page import near, number, numbers, path, press, said, settled, sizes, slider, visible
from .values import refuses, takes


def test_values():
    assert repr(SquareToSine()) == "SquareToSine(waves=25)"
    takes(SquareToSine, waves=[1, 25])
    refuses(SquareToSine, waves=[0, 26, 1.5, True])


def check(page, waves):
    """Compare the curve, the dots, the bars and the text with the sines of the bit."""
    settled(page)
    multiples = 2 * np.arange(25) + 1
    heights = 4 / np.pi / multiples

    def total(t):
        return np.sin(np.pi / 4 * np.outer(t, multiples[:waves])) @ heights[:waves]

    for k, t in [(1, np.arange(641) / 40), (2, np.arange(17))]:
        at = np.stack([26 + 286 * t / 16, 102 - 58 * total(t)], axis=1)
        assert near(path(page, "0 path", k), at)
    between = np.arange(16) + 0.5
    digits = pecode.binary(np.floor(between).astype(int), 5)[:, 2]  # the fours digit
    if waves == 25:
        assert np.abs(total(between) - (1 - 2 * digits)).max() < 0.1
    if waves == 1:
        sine = pecode.sine_only(range(17), 1, frequencies=[np.pi / 4])[:, 0]
        assert total(np.arange(17)) == pytest.approx(4 / np.pi * sine)
    edges = path(page, "0 path", 0)
    assert near(edges[::2, 1], 102 - 58 * (1 - 2 * digits[::4]))
    shown = np.arange(25) < waves
    assert visible(page, "1 line[stroke-width='7']") == shown.tolist()
    tops = sizes(page, "1 line[stroke-width='7']", "y2")[shown, 0]
    assert near(172 - tops, (108 * heights / heights[0])[:waves])
    assert ("one sine is left" in said(page)) == (waves == 1)
    assert (f"the {waves} slowest" in said(page)) == (waves > 1)
    assert f"ω ({number(heights[0])})" in numbers(page)
    assert (f"{multiples[3]}ω ({number(heights[3])})" in numbers(page)) == (waves > 3)


def test_from_the_bit_to_the_sine(on_page):
    with on_page(SquareToSine()) as page:
        check(page, 25)
        left = slider(page, "sines that are left")
        press(page, left, "ArrowRight", 3)
        check(page, 22)
        press(page, left, "End")
        check(page, 1)
        press(page, left, "ArrowLeft")
        check(page, 2)
        page.get_by_role("button", name="next step").click()
        check(page, 1)
        page.get_by_role("button", name="start again").click()
        check(page, 25)


def test_a_sine_fades_while_it_plays(on_page):
    with on_page(SquareToSine(waves=2), clock=True, reduced_motion="no-preference") as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        page.get_by_role("button", name="play").click()
        heights = []
        for _ in range(8):
            page.clock.run_for(32)
            heights.append(sizes(page, "1 line[stroke-width='7']", "y2")[1, 0])
        assert len(set(heights)) > 5
        assert heights == sorted(heights)  # downward is positive
        page.clock.run_for(1000)
        page.clock.resume()
        check(page, 1)
