"""Curve: the dials, the space and the text against pecode."""

import math

import numpy as np
import pytest

import pecode
from figures import Curve
from lab.scorecard import pairwise_distances

from .page import (
    click,
    drag,
    joined,
    near,
    number,
    numbers,
    press,
    said,
    shapes,
    sizes,
    slider,
    swipe,
    texts,
)
from .values import refuses, takes

PI = math.pi
DIALS = ["first", "second", "third"]
DEFAULT = [PI / 2, PI / 4, PI / 8]


def test_values():
    assert repr(Curve()) == (
        f"Curve(first={PI / 2}, position=1, second={PI / 4}, third={PI / 8}, tilt=25, turn=-35)"
    )
    takes(Curve, position=[0, 64], first=[0.003, PI], turn=[-180, 180], tilt=[-90, 90])
    refuses(
        Curve, position=[65, -1, 1.5], first=[0.0], second=[4.0], third=[math.nan],
        turn=[181], tilt=[-91],
    )  # fmt: skip


def several(items):
    """Write a list in words; of more than nine, the first eight."""
    return joined([*items[:8], f"{len(items) - 8} more"] if len(items) > 9 else items)


def curve_text(position, omegas):
    points = pecode.sine_only(range(65), 3, frequencies=omegas)
    phasors = np.exp(1j * np.outer(range(65), omegas))  # at the angle of each, whatever its zero
    distances, apart = pairwise_distances(points), pairwise_distances(phasors)
    same = [t for t in range(65) if t != position and distances[position, t] < 1e-6]
    different, settings = (
        sum(not (table[t, :t] < 1e-6).any() for t in range(65)) for table in (distances, apart)
    )
    alone = distances + np.diag(np.full(65, np.inf))
    said = f"Position {position} is the same point as "
    if same:
        back, unlike = ([t for t in same if (apart[position, t] > 1e-6) == k] for k in (0, 1))
        parts = [f"{several(back)}, where every hand is back"] if back else []
        if unlike:
            moved = np.abs(phasors[unlike[0]] - phasors[position]) > 1e-6
            which = joined([dial for dial, other in zip(DIALS, moved, strict=True) if other])
            parts.append(
                f"{several(unlike)}, where the sines are the same but not the hands (at "
                f"{unlike[0]} the {which})"
            )
        said += f"{', and as '.join(parts)}."
    else:
        others = alone[position]
        nearest = np.flatnonzero(others < others.min() + 1e-6)[0]
        said = (
            f"No other position is where position {position} is; the nearest is {nearest}, "
            f"{number(others.min())} away."
        )
    beside = np.where(np.abs(np.subtract.outer(range(65), range(65))) == 1, alone, np.inf)
    far = (alone.min(axis=1) < beside.min(axis=1) - 1e-6).sum()
    if different < settings:
        text = (
            f"The positions 0 to 64 make {settings} settings of the hands, but only {different} "
            "points: two directions of a hand can have the same sine."
        )
    elif different < 65:
        text = f"The positions 0 to 64 make only {different} different points."
    elif far:
        text = (
            f"A fault remains: for {far} of the 65 positions the nearest other one is not a "
            "neighbor."
        )
    else:
        text = "The nearest to each position is a neighbor."
    # Each dial is back after a whole number of its waves: try those of the fastest.
    waves = np.array(omegas) / max(omegas)
    whole = [n for n in range(1, 65) if np.allclose(n * waves, np.round(n * waves), atol=1e-7)]
    period = min(whole, default=65) * 2 * PI / max(omegas)
    if period < 64.0001:
        text += f" The curve closes after {round(period, 1):g} positions, and goes round again."
    else:
        text += " The curve does not close within 64 positions."
    dead = [name for name, column in zip(DIALS, points.T, strict=True) if np.ptp(column) < 1e-6]
    return said, text + "".join(f" The {name} dial reads 0 at every position." for name in dead)


def check(page, position, omegas=DEFAULT, turn=-35, tilt=25):
    """Compare the picture and the text with what pecode computes."""
    assert (said(page), numbers(page)) == curve_text(position, omegas)
    vector = pecode.sine_only(position, 3, frequencies=omegas)
    a, e = np.radians([turn, tilt])
    right = [np.cos(a), -np.sin(a), 0]
    up = [np.sin(a) * np.sin(e), np.cos(a) * np.sin(e), np.cos(e)]
    now = sizes(page, "1 circle", "cx", "cy")[-1]
    assert near(now, [150 + 84 * vector @ right, 170 - 84 * vector @ up], 1e-6)
    hands = sizes(page, "0 line[stroke-width='3']", "x1", "y1", "x2", "y2")
    mirrored = sizes(page, "0 line[stroke-width='2']", "x1", "y1", "x2", "y2")
    angles = np.array(omegas) * position
    # The dashed hand has the angle π − ωt: the other one with this sine.
    for drawn, at in [(hands, angles), (mirrored, PI - angles)]:
        way = drawn[:, 2:] - drawn[:, :2]
        assert near(way, 36 * np.stack([np.sin(at), -np.cos(at)], axis=1), 1e-6)
    down = sizes(page, "0 line[stroke='var(--ex-accent)'][x1][y1][x2]", "x1", "y1", "x2")[-3:]
    tips = np.minimum(hands[:, 3], mirrored[:, 3])  # one line goes down through both tips
    assert near(down, np.stack([hands[:, 2], tips, hands[:, 2]], axis=1), 1e-6)
    assert {f"t = {position}", *(f"sine {number(value)}" for value in vector)} <= set(
        texts(page, "0 text")
    )


def test_position(on_page):
    with on_page(Curve(), has_touch=True) as page:
        check(page, 1)
        control = slider(page, "position t")
        for key, times, position in [
            ("ArrowRight", 3, 4), ("ArrowLeft", 4, 0), ("End", 1, 64), ("Home", 1, 0),
            ("ArrowRight", 8, 8),
        ]:  # fmt: skip
            press(page, control, key, times)
            check(page, position)
        assert said(page) == (
            "Position 8 is the same point as 24, 40 and 56, where every hand is back, and as 0, "
            "16, 32, 48 and 64, where the sines are the same but not the hands (at 0 the third)."
        )
        assert "make 16 settings of the hands, but only 15 points" in numbers(page)
        for share, tap, among in [(0.5, False, range(30, 35)), (0.75, True, range(45, 52))]:
            click(page, control, share, tap)
            assert int(control.input_value()) in among
            check(page, int(control.input_value()))
        [note] = texts(page, ".ex-drawings > p")
        assert "A hand starts at the top and turns clockwise." in note


def test_frequencies_by_list_and_by_slider(on_page):
    with on_page(Curve()) as page:
        choice = page.get_by_role("combobox", name="frequencies")
        names = choice.locator("option:not([hidden])").all_text_contents()
        assert [name.split(":")[0] for name in names] == [
            "wavelengths of bits", "twice as long", "four times as long", "a ladder",
        ]  # fmt: skip
        for key, omegas in [
            ("ArrowUp", [PI, PI / 2, PI / 4]),
            ("ArrowDown", DEFAULT),
            ("ArrowDown", [PI / 4, PI / 8, PI / 16]),
            ("ArrowDown", [1, 0.1, 0.01]),
        ]:
            press(page, choice, key)
            check(page, 1, omegas)
        choice.select_option(index=0)
        omegas = [PI, PI / 2, PI / 4]
        check(page, 1, omegas)
        assert "The first dial reads 0 at every position." in numbers(page)
        page.get_by_text("your own frequencies").click()
        for k, name in enumerate(DIALS):
            control = slider(page, f"{name} dial ω")
            press(page, control, "ArrowLeft", 3)
            assert float(control.input_value()) == pytest.approx(-k - 0.3)
            omegas[k] = PI * 2 ** float(control.input_value())
            check(page, 1, omegas)
        assert choice.evaluate("list => list.selectedOptions[0].text") == "your own"
        press(page, control, "Home")
        assert control.get_attribute("aria-valuetext") == "π/1024"
        check(page, 1, [*omegas[:2], PI / 1024])


@pytest.mark.parametrize(
    "omegas",
    [
        [PI, PI / 2, PI / 4],  # sin ωt is 0 everywhere, and of the hands some stand down
        [PI] * 3,
        [2 * PI / 3] * 3,
        [PI / 2, PI / 2, PI / 4],
        [PI * 2**-0.5, PI * 2**-1.5, PI * 2**-2.5],  # closes between positions
        [PI / 32, PI / 16, PI / 8],  # closes at the last position
        [PI / 64, PI / 32, PI / 16],  # after it
        [0.003] * 3,
    ],
)
def test_hands_that_are_back_and_hands_that_share_a_sine(on_page, omegas):
    with on_page(Curve(position=4, **dict(zip(DIALS, omegas, strict=True)))) as page:
        check(page, 4, omegas)


def test_the_key_has_the_colors_of_the_line(on_page):
    with on_page(Curve()) as page:
        assert {"color of the line: near", "far"} <= set(texts(page, "1 text"))
        key, line = (
            [int(color.split("--ex-main) ")[1].split("%")[0]) for [color] in found]
            for found in (
                shapes(page, "1 rect[fill*='color-mix']", "fill"),
                shapes(page, "1 path[stroke*='color-mix']", "stroke"),
            )
        )
        assert key == sorted(key, reverse=True)  # near and strong to the left
        assert line == sorted(line)  # near and strong in front: the last that is drawn
        assert key[-1] <= min(line)
        assert key[0] >= max(line)


def test_turning_by_slider_key_mouse_and_touch(on_page):
    with on_page(Curve(position=3), has_touch=True) as page:
        view = page.get_by_role("application")
        press(page, view, "ArrowRight")
        press(page, view, "ArrowUp")
        check(page, 3, turn=-30, tilt=20)
        for key, angles in [
            ("ArrowRight", (-25, 20)), ("ArrowUp", (-25, 15)), ("ArrowLeft", (-30, 15)),
            ("ArrowDown", (-30, 20)),
        ]:  # fmt: skip
            press(page, view, key)
            check(page, 3, DEFAULT, *angles)
        drag(page, view, 50, -25)
        check(page, 3, turn=0, tilt=5)
        before = sizes(page, "1 circle", "cx", "cy")[-1]
        swipe(page, view, -50)
        turned = sizes(page, "1 circle", "cx", "cy")[-1]
        fits = []
        for turn in range(-40, 0):  # the browser keeps the first pixels of a gesture
            a, e = np.radians([turn, 5])
            x, y, z = pecode.sine_only(3, 3, frequencies=DEFAULT)
            right, up = (
                x * np.cos(a) - y * np.sin(a),
                z * np.cos(e) + (x * np.sin(a) + y * np.cos(a)) * np.sin(e),
            )
            fits.append(np.hypot(*(turned - [150 + 84 * right, 170 - 84 * up])) < 1e-6)
        assert sum(fits) == 1  # turned, not tilted
        assert not near(turned, before)


def test_turning_goes_all_the_way_round_but_not_over_head(on_page):
    with on_page(Curve(turn=175, tilt=85)) as page:
        view = page.get_by_role("application")
        press(page, view, "ArrowRight", 2)
        press(page, view, "ArrowDown", 3)
        check(page, 1, turn=-175, tilt=90)


def test_the_hands_draw_the_curve_while_they_turn(on_page):
    with on_page(Curve(position=0), clock=True, reduced_motion="no-preference") as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        page.get_by_role("button", name="play").click()
        drawn = []
        for _ in range(4):
            page.clock.run_for(300)
            paths = shapes(page, "1 path[stroke-width='2']", "d")
            drawn.append(sum(d != "" for [d] in paths))
        assert drawn == sorted(set(drawn))
        assert drawn[-1] < 10
        page.get_by_role("button", name="pause").click()
        page.clock.run_for(400)
        assert all(d for [d] in shapes(page, "1 path[stroke-width='2']", "d"))
        page.clock.resume()
        check(page, int(slider(page, "position t").input_value()))


def test_a_hand_is_taken_and_turned(on_page):
    with on_page(Curve()) as page:
        drawing = page.locator(".ex-drawings svg").first
        box = drawing.bounding_box()
        middle = np.array([box["x"] + 40 + 90 * 1.5, box["y"] + 60])  # the second dial
        for k, part in enumerate(np.linspace(PI / 4, PI / 4 + 5 * PI / 4, 12)):
            page.mouse.move(*(middle + 36 * np.array([np.sin(part), -np.cos(part)])))
            if k == 0:
                page.mouse.down()
        page.mouse.up()
        check(page, 6)
