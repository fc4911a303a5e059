"""TwoTurns: hands, angles, bars and the text against what `rotate` makes."""

import re

import numpy as np
import pytest

import pecode
from figures import TwoTurns

from .page import (
    click,
    near,
    number,
    numbers,
    path,
    press,
    said,
    shapes,
    short,
    sizes,
    slider,
    swipe,
    texts,
)
from .values import refuses, takes

EAST = [1.0, 0.0] * 4


def test_values():
    assert repr(TwoTurns()) == f"TwoTurns(base=10000.0, key={EAST}, m=120, n=100, query={EAST})"
    takes(
        TwoTurns, m=[0, 500], query=[[0.0] * 8, [1, -2, 3, -4, 5, -6, 7, 1e6]],
        base=[10, 500_000.0],
    )  # fmt: skip
    refuses(
        TwoTurns, m=[501], n=[0.5], query=[[1.0] * 7, [True] + [0.0] * 7], base=[1.0],
        key=[[float("nan")] + [0.0] * 7, [2e6] + [0.0] * 7, ["1"] + ["x"] * 7],
    )  # fmt: skip


def angles_from_key(turned, starts, offset, base):
    """Return the angles from key to query, and the texts with whole turns."""
    pairs = turned @ [1, 1j]
    drawn = np.abs(pairs).prod(axis=0) > 0
    angles = np.degrees(np.angle(pairs[0] * pairs[1].conj()))
    begin = starts @ [1, 1j]
    whole = pecode.frequencies(8, base) * offset + np.angle(begin[0] * begin[1].conj())
    turns = np.round((np.degrees(whole) - angles) / 360).astype(int)
    assert np.abs(360 * turns + angles - np.degrees(whole)).max(initial=0, where=drawn) < 1e-6
    written = []
    for k, angle, shown in zip(turns, angles, drawn, strict=True):
        times = f"{number(k, 0)} turn{'' if abs(k) == 1 else 's'} and " if k else ""
        written.append(f"{times}{number(angle, 1)}°" if shown else "no angle")
    return angles, written, drawn


def check(page, m, n, query=EAST, key=EAST, base=10_000.0):
    """Compare everything that is drawn with what `rotate` makes; return the score."""
    starts = np.reshape([query, key], (2, 4, 2)).astype(float)
    turned = np.stack(
        [pecode.rotate([vector], t, base)[0] for vector, t in [(query, m), (key, n)]]
    ).reshape(2, 4, 2)
    parts, lengths = (turned[0] * turned[1]).sum(axis=1), np.linalg.norm(turned, axis=2)
    angles, written, drawn = angles_from_key(turned, starts, m - n, base)
    assert said(page) == (
        f"With the query at {m} and the key at {n} the score is {number(parts.sum())}: it "
        f"depends only on the offset s − t = {number(n - m, 0)}, so it stays the same when both "
        "move together."
    )
    assert numbers(page) == (
        f"Angles from key to query: {', '.join(written)}. The pairs give "
        f"{', '.join(map(number, parts))}; the sum is the score."
    )
    both = slider(page, "both together")
    assert both.is_disabled() == (abs(m - n) == 500)
    room = "no room" if abs(m - n) == 500 else f"{m}, {n}"
    assert both.locator("xpath=../output").text_content() == room
    assert near(sizes(page, "0 circle", "cx")[:, 0], 14 + 272 * np.array([n, m]) / 500, 1e-6)
    hands = np.divide(turned, lengths[..., None], where=lengths[..., None] > 0, out=0 * turned)
    for i, fraction in enumerate(parts):
        dial = i + 2
        assert texts(page, f"{dial} text") == [
            f"pair {i}: ω = {short(pecode.frequencies(8, base)[i])}",
            written[i],
            f"gives {number(fraction)}",
        ]
        tips = [69, 62] + 56 * turned[::-1, i] * [1, -1] / lengths.max()  # the key is behind
        assert near(sizes(page, f"{dial} g > circle[stroke]", "cx", "cy"), tips, 1e-6)
        share = fraction / lengths.prod(axis=0).max()
        [[x, width, fill]] = shapes(page, f"{dial} rect", "x", "width", "fill")
        assert near([float(x), float(width)], [69 + 56 * min(share, 0), 56 * abs(share)], 1e-6)
        assert fill == f"var(--ex-{'blue' if share < 0 else 'red'})"
        [[wedge]] = shapes(page, f"{dial} path", "d")
        assert bool(wedge) == drawn[i]
        if wedge:
            if abs(angles[i]) > 1e-6:  # the short way, from key to query
                assert f" 0 0 {int(angles[i] < 0)} " in wedge
            corners = np.array(re.findall(r"[L ](-?[\d.]+) (-?[\d.]+)(?=A|Z)", wedge), dtype=float)
            assert near(corners, [69, 62] + 0.6 * 56 * hands[::-1, i] * [1, -1], 0.0051)
    start = "the same vector" if [*query] == [*key] else "two vectors that stay as they are"
    assert texts(page, ".ex-drawings > p") == [
        f"Query and key start as {start}, so only their positions change the score. These hands "
        "start at the right and turn counterclockwise; the hands of sine and cosine start at the "
        "top and turn clockwise."
    ]
    most = lengths.prod(axis=0).sum()
    assert texts(page, "1 text") == [
        f"score, the sum: {number(parts.sum())}", f"−{short(most)}", "0", short(most)
    ]  # fmt: skip
    assert near(sizes(page, "1 rect", "width"), [[136 * abs(parts.sum()) / most]], 1e-6)
    check_curve(page, n - m, query, key, base, most)
    return parts.sum()


def check_curve(page, offset, query, key, base, most):
    """The score at every offset around, of positions that `rotate` turned, and where we are."""
    center = 120 * np.floor(offset / 120 + 0.5)
    offsets = center - 60 + np.arange(241) / 2
    omegas = pecode.frequencies(8, base)
    q, k = (np.reshape(vector, (4, 2)) @ [1, 1j] for vector in (query, key))
    phases = np.exp(-1j * np.outer(offsets, omegas))
    scores = (q * k.conj() * phases).real.sum(axis=1)
    whole = np.arange(241)[offsets % 1 == 0][::30]  # rotate takes whole positions
    for at in whole:
        t, s = (max(sign * int(offsets[at]), 0) for sign in (-1, 1))
        turned = pecode.rotate([query], t, base) @ pecode.rotate([key], s, base).T
        assert scores[at] == pytest.approx(turned[0, 0])
    heights = 72 - 64 * scores / (most or 1)
    across = 30 + 262 * (offsets - offsets[0]) / 120
    assert near(path(page, "6 path"), np.stack([across, heights], axis=1))
    at = 2 * (offset - offsets[0])
    assert near(sizes(page, "6 circle", "cx", "cy"), [[across[int(at)], heights[int(at)]]])


def test_keys_mouse_and_touch(on_page):
    with on_page(TwoTurns(), has_touch=True) as page:
        m, n = slider(page, "query at t"), slider(page, "key at s")
        both = slider(page, "both together")
        score = check(page, 120, 100)
        for key, times, places in [
            ("ArrowRight", 3, (123, 103)), ("End", 1, (500, 480)), ("Home", 1, (20, 0)),
        ]:  # fmt: skip
            press(page, both, key, times)
            assert check(page, *places) == pytest.approx(score)
            assert both.get_attribute("aria-valuetext") == f"{places[0]} and {places[1]}"
        press(page, m, "ArrowLeft", 2)
        press(page, n, "ArrowRight", 17)
        check(page, 18, 17)
        press(page, n, "Home")
        assert check(page, 18, 0) != pytest.approx(score, abs=0.01)
        for control, key, places in [
            (n, "End", (18, 500)), (both, "End", (18, 500)), (m, "Home", (0, 500)),
        ]:  # fmt: skip
            press(page, control, key)  # for both there is no room to the right
            check(page, *places)
        press(page, m, "End")
        assert check(page, 500, 500) == pytest.approx(4)
        press(page, both, "Home")
        check(page, 0, 0)
        click(page, m, 0.5)
        click(page, n, 0.25, tap=True)
        places = [int(control.input_value()) for control in (m, n)]
        assert places == pytest.approx([250, 125], abs=12)
        score = check(page, *places)
        line = page.locator(".ex-drawings svg").first
        swipe(page, line, 272 / 500 * 30)
        moved = [int(control.input_value()) for control in (m, n)]
        assert moved == pytest.approx([place + 30 for place in places], abs=1)
        assert check(page, *moved) == pytest.approx(score)
        swipe(page, line, -300)
        assert check(page, moved[0] - moved[1], 0) == pytest.approx(score)


def test_vectors_of_ones_own(on_page):
    query, key = np.random.default_rng(3).normal(size=(2, 8)).round(2).tolist()
    key[4:6] = 0.0, 0.0  # a pair without a direction
    figure = TwoTurns(query=query, key=key, base=100.0, m=7, n=30)
    with on_page(figure, size=(390, 844)) as page:
        score = check(page, 7, 30, query, key, 100.0)
        press(page, slider(page, "both together"), "ArrowRight", 5)
        assert check(page, 12, 35, query, key, 100.0) == pytest.approx(score)


def test_vectors_of_zeros_give_nothing(on_page):
    with on_page(TwoTurns(query=[0.0] * 8, key=[0.0] * 8)) as page:
        assert "no angle, no angle, no angle, no angle. The pairs give 0.00" in numbers(page)
        assert texts(page, "1 text")[1:] == ["0"] * 3
        assert "NaN" not in page.locator(".moving-figure").inner_html()


def test_both_walk_while_the_score_stands_still(on_page):
    state = {"clock": True, "reduced_motion": "no-preference"}
    with on_page(TwoTurns(m=120, n=490), **state) as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        page.get_by_role("button", name="play").click()
        seen = []
        for _ in range(3):
            page.clock.run_for(180)
            tips = sizes(page, "3 g > circle[stroke]", "cx", "cy").round(3)
            score = sizes(page, "6 circle", "cx", "cy").round(6).tolist()
            seen.append((tips.tolist(), texts(page, "1 text")[0], score))
        assert seen[0][0] != seen[1][0] != seen[2][0]
        assert seen[0][1:] == seen[1][1:] == seen[2][1:]
        page.clock.run_for(1000)  # to the end of the room
        page.clock.resume()
        check(page, 130, 500)


def test_hands_are_taken_and_turned(on_page):
    with on_page(TwoTurns()) as page:
        dial = page.locator(".ex-drawings svg").nth(3)  # ω = 0.1
        box = dial.bounding_box()
        middle = np.array([box["x"], box["y"]]) + np.array([69, 62]) * box["width"] / 138
        for which, positions, places in [(1, 9, (129, 100)), (0, -30, (129, 70))]:
            x, y = sizes(page, "3 g > circle[stroke]", "cx", "cy")[which] - [69, 62]
            for k, part in enumerate(np.linspace(0, 0.1 * positions, 12)):
                way = complex(x, -y) * np.exp(1j * part) * box["width"] / 138
                page.mouse.move(middle[0] + way.real, middle[1] - way.imag)
                if k == 0:
                    page.mouse.down()
            page.mouse.up()
            check(page, *places)
