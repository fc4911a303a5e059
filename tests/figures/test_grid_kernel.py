"""GridKernel: the map, the bars and the text against pecode."""

import numpy as np
import pytest

import pecode
from figures import GridKernel
from pecode.axes import axial_frequencies, grid_positions, mixed_frequencies

from .page import cells, choose, near, number, numbers, press, said, sizes, slider, texts, visible
from .values import refuses, takes

SCHEMES = ["one long index", "axial", "mixed"]
PATCHES = grid_positions((14, 14))


def test_values():
    assert repr(GridKernel()) == "GridKernel(column=6, row=6, scheme='one long index')"
    takes(GridKernel, row=[0, 13], column=[0, 13], scheme=SCHEMES)
    refuses(GridKernel, row=[-1, 14, 1.5], column=[14, True], scheme=["two", "axial "])


def score(scheme, offsets):
    """The mean over the pairs, from pecode and not from the numbers of the figure."""
    offsets = np.asarray(offsets)
    if scheme == "one long index":
        return pecode.similarity(offsets @ [14, 1], 64) / 32
    omega = axial_frequencies((32, 32), 100.0) if scheme == "axial" else mixed_frequencies(32)
    return np.cos(offsets @ omega.T).mean(axis=-1)


def check(page, row, column, scheme):
    side, beside = (1, "on its right") if column < 13 else (-1, "on its left")
    way, under = (1, "below") if row < 13 else (-1, "above")
    found = score(scheme, PATCHES - (row, column))
    one, other = score(scheme, (0, side)), score(scheme, (way, 0))
    higher = (found > other + 1e-6).sum() - 1
    rank = {0: "No other patch scores", 1: "One other patch scores"}.get(
        higher, f"{higher} other patches score"
    )
    assert said(page) == (
        f"Row {row}, column {column}: the patch {beside} scores {number(one)}, the one {under} "
        f"{number(other)}. {rank} higher than that."
    )
    assert numbers(page) == (
        f"The lowest score of the map is {number(found.min())}; {(found > 0.5).sum() - 1} other "
        f"patches score above 0.5. One down and one to the right scores "
        f"{number(score(scheme, (1, 1)))}, one down and one to the left "
        f"{number(score(scheme, (1, -1)))}."
    )
    shares = (found - found.min()) / (1 - found.min())
    assert near(cells(page), shares.reshape(14, 14), 0.005)
    framed = [(side, 0), (0, way), (0, 0)]  # the two that are told of, and the patch itself
    frames = sizes(page, "0 rect[data-mark]", "x", "y")
    assert near(frames, [[36 + 21 * (column + a), 24 + 21 * (row + b)] for a, b in framed])
    neighbors = [(0, 1), (1, 0), (1, 1), (1, -1)]
    there = [0 <= row + a < 14 and 0 <= column + b < 14 for a, b in neighbors]
    heights = score(scheme, neighbors)
    assert near(sizes(page, "1 rect", "width")[:, 0], 84 * heights)
    assert visible(page, "1 rect") == there
    shown = [number(h) if seen else "outside" for h, seen in zip(heights, there, strict=True)]
    assert texts(page, "1 text")[1:8:2] == shown


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_and_the_edges(scheme, on_page):
    with on_page(GridKernel(scheme=scheme)) as page:
        check(page, 6, 6, scheme)
        press(page, slider(page, "row"), "End")
        check(page, 13, 6, scheme)
        press(page, slider(page, "column"), "End")
        check(page, 13, 13, scheme)
        press(page, slider(page, "column"), "Home")
        check(page, 13, 0, scheme)


def test_keys_mouse_and_choice(on_page):
    with on_page(GridKernel()) as page:
        view = page.get_by_role("application")
        press(page, view, "ArrowUp", 3)
        press(page, view, "ArrowRight", 9)
        check(page, 3, 13, "one long index")
        choose(page, "frequencies", 2)
        check(page, 3, 13, "mixed")
        box = page.locator("canvas").bounding_box()
        page.mouse.click(box["x"] + 2.5 * box["width"] / 14, box["y"] + 9.5 * box["height"] / 14)
        check(page, 9, 2, "mixed")
        choose(page, "frequencies", 1)
        check(page, 9, 2, "axial")


def test_axial_scores_are_sums_and_mixed_ones_are_not():
    """What the chapter reads off the map."""
    corners = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    one, other = (score("axial", each).sum() for each in corners)
    assert one == pytest.approx(other, abs=1e-12)
    one, other = (score("mixed", each).sum() for each in corners)
    assert abs(one - other) > 1e-3
