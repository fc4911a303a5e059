"""TwoWaves: the hand and its two waves against sine and cosine."""

import math

import numpy as np

import pecode
from figures import TwoWaves

from .page import near, number, path, press, said, settled, sizes, slider
from .values import refuses, takes


def test_values():
    assert repr(TwoWaves()) == "TwoWaves(omega=0.3, position=12)"
    takes(TwoWaves, position=[0, 40], omega=[0.01, math.pi])
    refuses(TwoWaves, position=[-1, 41, 0.5], omega=[0.0, 4.0])


def check(page, position, omega=0.3):
    """Compare what is drawn and said with pecode: the pair of ω = 1 at the angle."""
    settled(page)
    sine, cosine = (
        pecode.sine_only(range(41), 1, frequencies=[omega])[:, 0],
        np.cos(omega * np.arange(41)),
    )
    assert near(sizes(page, "0 g > circle", "cx", "cy"),
                [[72 + 52 * sine[position], 72 - 52 * cosine[position]]] * 2, 1e-6)  # fmt: skip
    along = 146 + 4.5 * np.arange(41)
    cosines, sines = (
        np.stack(pair, axis=1) for pair in [(along, 72 - 52 * cosine), (72 + 52 * sine, along)]
    )
    for mark, points in [("cosine", cosines), ("sine", sines)]:
        assert near(path(page, f"0 path[data-mark={mark}]", 0)[::10], points)
        assert near(path(page, f"0 path[data-mark={mark}]", 1)[-1], points[position])
        assert near(path(page, f"0 path[data-mark={mark}]", 2), points[: position + 1])
        assert near(
            sizes(page, f"0 circle[data-mark={mark}]", "cx", "cy"), [points[position]], 1e-6
        )
    across = f"{number(abs(sine[position]))} to the {'left' if sine[position] < 0 else 'right'}"
    up = f"{number(abs(cosine[position]))} {'below' if cosine[position] < 0 else 'above'}"
    assert said(page) == (
        f"At position {position} the hand is {across} and {up} the middle: together the sine and "
        "the cosine say where it points."
    )


def test_keys_and_the_hand(on_page):
    with on_page(TwoWaves()) as page:
        check(page, 12)
        press(page, slider(page, "position t"), "ArrowRight", 9)
        check(page, 21)
        box = page.locator(".ex-drawings svg").bounding_box()
        middle = np.array([box["x"] + 72, box["y"] + 72])
        x, y = sizes(page, "0 g > circle", "cx", "cy")[0] - 72
        for k, part in enumerate(np.linspace(0, 0.3 * 15, 15)):
            way = complex(x, y) * np.exp(1j * part)
            page.mouse.move(middle[0] + way.real, middle[1] + way.imag)
            if k == 0:
                page.mouse.down()
        page.mouse.up()
        check(page, 36)
