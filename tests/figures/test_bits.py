"""Bits: digits, flips and the cube against pecode."""

import itertools
import re

import numpy as np
import pytest

from figures import Bits
from pecode import binary

from .page import click, near, press, said, settled, shapes, sizes, slider, texts, visible
from .values import refuses, takes

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]
CORNERS = list(np.ndindex(2, 2, 2))


def test_values():
    assert repr(Bits()) == "Bits(gray=False, position=31)"
    takes(Bits, position=[0, 255], gray=[True, False])
    refuses(Bits, position=[-1, 256, "31", True], gray=[2])
    with pytest.raises(TypeError, match="expected some of gray, position, got postion"):
        Bits(postion=3)


def coded(position, gray):
    return binary(position ^ (position >> 1) if gray else position, 8)


def check_cube(page, position, gray, bits, following):
    # The cube is drawn by a linear map: the corner of each bit gives all the others.
    dots = dict(zip(CORNERS, sizes(page, "1 circle[r='4.5']", "cx", "cy"), strict=True))
    origin = dots[0, 0, 0]
    sides = np.array([dots[side] - origin for side in [(1, 0, 0), (0, 1, 0), (0, 0, 1)]])

    def corner(code):
        return origin + code[-3:] @ sides

    for code, point in dots.items():
        assert near(point, corner(np.array(code)), 1e-6)
    block = range(position - position % 8, position - position % 8 + 8)
    [[way]] = shapes(page, "1 polyline", "points")
    drawn = [[float(n) for n in point.split(",")] for point in way.split()]
    assert near(drawn, [corner(coded(t, gray)) for t in block], 1e-6)
    ends = sizes(page, "1 circle[r='9']", "cx", "cy")
    assert near(ends, [corner(bits), corner(following)], 1e-6)
    flipped = bits != following
    stays = not flipped[-3:].any()
    assert visible(page, "1 circle[r='9']") == [True, not stays]
    assert (shapes(page, "1 path", "d")[-1] == [""]) == stays
    written = texts(page, "1 text")
    beyond = [position + 1] if position % 8 == 7 and position < 255 else []
    assert sorted(map(int, ", ".join(written[:8]).split(", "))) == [*block, *beyond]
    names = ["last bit", "2nd last", "3rd last"] if gray else ["ones", "twos", "fours"]
    assert written[8:11] == names
    shifts = {"start": 18, "middle": 0, "end": -18}
    for (x, y, anchor), side in zip(
        shapes(page, "1 text", "x", "y", "text-anchor")[8:11], sides[::-1], strict=True
    ):  # its letters stand beside the middle of an edge of that bit
        letters = np.array([float(x) + shifts[anchor], float(y) - 4])
        starts = [p for p in dots.values() if any(near(p + side, q, 1e-6) for q in dots.values())]
        assert min(np.hypot(*(start + side / 2 - letters)) for start in starts) < 30
    assert "a corner: the last three bits, 000 lower left" in written
    on_cube = [text for text in written if text.startswith("flips on the cube: ")]
    shown, total = int(flipped[-3:].sum()), int(flipped.sum())
    part = f"none of {total}, so no arrow" if stays else f"{shown} of {total}"
    assert on_cube == ([] if position == 255 else [f"flips on the cube: {part}"])


def check(page, position, gray=False):
    """Compare everything that is drawn with what pecode computes."""
    settled(page)
    bits = coded(position, gray)
    following = coded(position + 1, gray) if position < 255 else bits
    flipped = bits != following
    digits = [int(text) for text in texts(page, "0 rect + text")]
    assert digits[:8] == bits.tolist()
    assert visible(page, "0 path") == flipped.tolist()
    framed = ["var(--ex-accent)" if flips else "var(--ex-soft)" for flips in flipped]
    strokes = [stroke for [stroke] in shapes(page, "0 rect", "stroke")]
    assert strokes == [*["var(--ex-soft)"] * 8, *framed]
    check_cube(page, position, gray, bits, following)
    written = texts(page, "0 text")
    assert written[:8] == ([""] * 8 if gray else [str(2**k) for k in range(7, -1, -1)])
    steps = np.linalg.norm(np.diff([coded(t, gray) for t in range(256)], axis=0), axis=1)
    least, most = (f"{step:.2f}" for step in (steps.min(), steps.max()))
    assert (
        f"all steps are {least} long" if gray else f"steps are {least} to {most} long (8 bits here)"
    ) in written
    if position == 255:
        assert said(page) == (
            "255 is the last position that eight bits can write: 256 needs a ninth."
        )
        return
    assert digits[8:] == following.tolist()
    count, gap = int(flipped.sum()), np.linalg.norm(following - bits)
    assert f"flips: {count}, distance: √{count} = {gap:.2f}" in written
    flip = f"{NUMBERS[count]} {'bit flips' if count == 1 else 'bits flip'}"
    way = re.fullmatch(
        rf"From {position} to {position + 1} {flip}, a distance of {gap:.2f}"
        r"(?:; from (\d+) to (?:\1 [+−] 128 = )?(\d+) (one|only one) does, "
        r"(too|a distance of 1\.00))?\.",
        said(page),
    )
    if way[1]:  # the change of one bit that leads far away
        assert int(way[1]) == position
        assert abs(int(way[2]) - position) > 1
        assert np.abs(coded(int(way[2]), gray) - bits).sum() == 1
        assert way.group(3, 4) == (
            ("one", "too") if count == 1 else ("only one", "a distance of 1.00")
        )


def test_keys(on_page):
    with on_page(Bits()) as page:
        position, gray = slider(page, "position"), page.get_by_label("Gray code")
        after = page.get_by_role("button", name="next step", exact=True)
        check(page, 31)
        press(page, position, "ArrowRight")
        check(page, 32)
        press(page, position, "Home")
        check(page, 0)
        for t in range(1, 17):
            press(page, after, "Enter")
            check(page, t)
        press(page, gray, "Space")
        for t in range(17, 34):
            check(page, t - 1, gray=True)
            press(page, after, "Space")
        press(page, gray, "Space")
        check(page, 33)
        press(page, position, "End")
        press(page, after, "Enter")  # there is none
        check(page, 255)
        assert after.get_attribute("aria-disabled") == "true"
        press(page, position, "ArrowLeft")
        check(page, 254)
        assert after.get_attribute("aria-disabled") == "false"


def test_there_is_one_button_for_a_single_step(on_page):
    for motion, names in [("reduce", ["next step"]), ("no-preference", ["play", "next step"])]:
        with on_page(Bits(), reduced_motion=motion) as page:
            assert [button.text_content() for button in page.get_by_role("button").all()] == names


@pytest.mark.parametrize("start", [0, 3, 7, 63, 127, 128, 191, 223, 254, 255])
def test_mouse(on_page, start):
    with on_page(Bits(position=start)) as page:
        check(page, start)
        page.get_by_label("Gray code").click()
        check(page, start, gray=True)
        page.get_by_role("button", name="next step", exact=True).click(
            force=True
        )  # at the end it is disabled
        check(page, min(start + 1, 255), gray=True)
        click(page, slider(page, "position"), 0.4)
        position = int(slider(page, "position").input_value())
        assert 80 < position < 120
        check(page, position, gray=True)


@pytest.mark.parametrize("gray", [False, True])
def test_a_click_changes_one_bit(on_page, gray):
    with on_page(Bits(position=31, gray=gray)) as page:
        position = 31
        for k in (0, 5, 7, 5):
            page.locator("svg rect").nth(k).click()
            now = int(slider(page, "position").input_value())
            changed = np.flatnonzero(coded(now, gray) != coded(position, gray))
            assert changed.tolist() == [k]
            check(page, now, gray)
            position = now


def test_the_carry_goes_from_bit_to_bit_and_the_point_from_corner_to_corner(on_page):
    """On the way from 31 to 32, as a counter passes 30, 28, 24, 16 and 0."""
    with on_page(Bits(), clock=True, reduced_motion="no-preference") as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        page.get_by_role("button", name="play").click()
        dots = dict(zip(CORNERS, sizes(page, "1 circle[r='4.5']", "cx", "cy"), strict=True))
        passed, points = [31], []
        for _ in range(70):
            page.clock.run_for(16)
            shown = int("".join(texts(page, "0 rect + text")[:8]), 2)
            passed += [shown] * (shown != passed[-1])
            points.append(sizes(page, "1 circle[r='9']", "cx", "cy")[0])
        assert passed == [31, 30, 28, 24, 16, 0, 32]
        way = np.array([dots[corner] for corner in [(1, 1, 1), (1, 1, 0), (1, 0, 0), (0, 0, 0)]])
        on_the_way = np.zeros(len(points), dtype=bool)
        for a, b in itertools.pairwise(way):  # along the edges
            shares = (points - a) @ (b - a) / ((b - a) @ (b - a))
            beside = np.hypot(*(points - a - np.outer(shares, b - a)).T)
            on_the_way |= (beside < 0.01) & (shares > -0.001) & (shares < 1.001)
            assert ((beside < 0.01) & (shares > 0.1) & (shares < 0.9)).sum() >= 3
        assert on_the_way.all()
