"""Stretch: dials, the table of rules and the text against the frequencies of pecode."""

import re

import numpy as np
import pytest

import pecode
from figures import Stretch
from pecode import scaling

from .page import (
    choose,
    click,
    joined,
    near,
    number,
    numbers,
    press,
    said,
    shapes,
    short,
    sizes,
    slider,
    texts,
    visible,
)
from .values import refuses, takes

RULES = {
    "none": ("No scaling", lambda factor, trained: pecode.frequencies(8)),
    "interpolation": (
        "Position interpolation",
        lambda factor, trained: scaling.interpolated(8, factor),
    ),
    "ntk": ("NTK-aware", lambda factor, trained: scaling.ntk_aware(8, factor)),
    "yarn": ("YaRN", lambda factor, trained: scaling.yarn(8, factor, trained)),
    "llama3": ("Llama 3", lambda factor, trained: scaling.llama3(8, factor, trained, base=1e4)),
}
PLAIN = pecode.frequencies(8)


def test_values():
    assert (
        repr(Stretch()) == "Stretch(distance=200, factor=4.0, scaling='interpolation', trained=64)"
    )
    takes(Stretch, scaling=list(RULES), factor=[1, 2.5, 8], distance=[0, 511], trained=[16, 256])
    refuses(
        Stretch, scaling=["linear"], factor=[0.5, float("nan")], distance=[-1], trained=[15, 257]
    )


def found_in(states):
    """Return what is said of the pairs: those at new angles, then those at angles hardly new."""
    new, hardly = ([i for i in range(4) if states[i] == state] for state in ("new", "hardly new"))
    parts = []
    if new:
        parts.append(
            f"{named(new)} {'comes to a new angle' if len(new) == 1 else 'come to new angles'}"
        )
    if hardly:
        verb = "is" if len(hardly) == 1 else "are"
        parts.append(f"{named(hardly)} {verb} less than 15° from seen angles")
    return ", and ".join(parts) or "all pairs show angles that they have seen"


def named(pairs):
    return f"{'pair' if len(pairs) == 1 else 'pairs'} {joined(pairs)}"


def states_of(angles, limits):
    """Compare angles with the seen ones, sampled finely and looked at as points of a circle."""
    states = []
    for angle, limit in zip(angles, limits, strict=True):
        seen = np.linspace(0, min(limit, 2 * np.pi), 100_001)
        nearest = np.degrees(np.abs(np.angle(np.exp(1j * (angle - seen)))).min())
        states.append("seen" if nearest < 0.002 else "hardly new" if nearest < 15 else "new")
    return states


def seen_by_each(now, limits):
    """Return which distances each pair has seen, and up to where all have."""
    angles = np.arange(4096)[:, None] * now % (2 * np.pi)
    among = (limits >= 2 * np.pi) | (angles <= limits * (1 + 1e-12))
    return among, np.argmin(among.all(axis=1)) - 1


def cost_of(ratios):
    """Return the sentence on the steps, from how many times more slowly each pair turns."""
    slow = [i for i in range(4) if not np.isclose(ratios[i], 1, rtol=1e-9)]
    kept = [i for i in range(4) if i not in slow]
    if not slow:
        return "All pairs keep their steps."
    times = [short(ratios[i]) for i in slow]
    times = joined(times if len(set(times)) > 1 else times[:1])
    turn = f"{'turns' if len(slow) == 1 else 'turn'} {times} times more slowly"
    cost = f"all pairs {turn}"
    if kept:
        keep = "keeps its step" if len(kept) == 1 else "keep their steps"
        cost = f"{named(kept)} {keep}, {named(slow)} {turn}"
    return f"The cost: {cost}, and there neighbors are more alike."


def who_leaves(among, reach, ratios, rule, factor):
    leaving = [i for i in range(4) if not among[reach + 1, i]]
    if len(leaving) > 1:
        return f"{named(leaving)} leave the seen angles"
    ratio, why = ratios[leaving[0]], ""
    if rule != "none" and ratio < factor * (1 - 1e-9):
        why = f": it turns {short(ratio)} times more slowly, not {short(factor)}"
        if ratio == 1:
            why = ": it keeps its step"
    return f"{named(leaving)} leaves the seen angles{why}"


def angle_text(i, omega, distance):
    turns, rest = divmod(np.degrees(omega * distance), 360)
    times = f"{turns:.0f} {'turn' if turns == 1 else 'turns'} and " if turns else ""
    return f"pair {i} {times}{number(rest, 1)}°, in steps of {short(np.degrees(omega))}°"


def check_way(page, i, before, after):
    """Compare the arc from the hand without scaling to the other; more than a turn has none."""
    [_, [way], _] = shapes(page, f"{i} path", "d")
    if before - after >= 2 * np.pi:
        assert way == ""
        return
    x0, y0, *_, large, sweep, x1, y1 = map(float, re.sub("[MA]", " ", way).split())
    both = np.array([before, after])
    ends = [69, 66] + 56 * 0.62 * np.stack([np.cos(both), -np.sin(both)], axis=1)
    assert near([[x0, y0], [x1, y1]], ends)
    assert (large, sweep) == (before - after > np.pi, 1)  # clockwise: a stretched hand lags


def check(page, distance, rule="none", factor=4.0, trained=64):
    """Compare dials, table and text with the frequencies of pecode; return the dials' states."""
    name, rule_of = RULES[rule]
    now, limits = rule_of(factor, trained), PLAIN * (trained - 1)
    among, reach = seen_by_each(now, limits)
    states, ratios = states_of(now * distance, limits), PLAIN / now
    assert [state == "seen" for state in states] == among[distance].tolist()
    how = name if rule == "none" else f"{name}, factor {short(factor)}"
    assert said(page) == (
        f"{how}, {distance} tokens apart: {found_in(states)}; all stay among seen angles up to "
        f"distance {reach}."
    )
    angles = "; ".join(angle_text(i, now[i], distance) for i in range(4))
    assert numbers(page) == (
        f"Trained on {trained} tokens. Beyond distance {reach} "
        f"{who_leaves(among, reach, ratios, rule, factor)}. {cost_of(ratios)} The angles now: "
        f"{angles}."
    )
    before = states_of(PLAIN * distance, limits)
    headings = texts(page, "tbody th")
    assert texts(page, "tr.chosen th") == [headings[list(RULES).index(rule)]]
    expected = []
    for _, other in RULES.values():
        there = other(factor, trained)
        expected += [*map(short, PLAIN / there), str(seen_by_each(there, limits)[1])]
    assert texts(page, "tbody td") == expected
    for i in range(4):
        angle, new = now[i] * distance, states[i] == "new"
        both = np.array([PLAIN[i] * distance, angle])
        hands = [69, 66] + 56 * np.stack([np.cos(both), -np.sin(both)], axis=1)
        assert near(sizes(page, f"{i} line", "x2", "y2"), hands, 1e-6)
        color = f"var(--ex-{'accent' if new else 'main'})"
        assert shapes(page, f"{i} line", "stroke")[1] == [color]
        assert visible(page, f"{i} line")[0] == (now[i] != PLAIN[i])
        [_, ring, dot] = shapes(page, f"{i} circle", "visibility", "fill")
        full = f"var(--ex-{'soft' if before[i] == 'seen' else 'paper'})"
        assert ring == ["visible" if now[i] != PLAIN[i] else "hidden", full]
        assert near(sizes(page, f"{i} circle", "cx", "cy")[1:], hands, 1e-6)
        paper = f"var(--ex-{'main' if states[i] == 'seen' else 'paper'})"
        assert dot == ["hidden" if new else "visible", paper]
        assert visible(page, f"{i} path")[2] == new  # a cross
        check_way(page, i, PLAIN[i] * distance, angle)
        [arc] = shapes(page, f"{i} path", "d")[0]
        if limits[i] < 2 * np.pi:
            x, y = 69 + 56 * np.cos(limits[i]), 66 - 56 * np.sin(limits[i])
            assert arc == f"M125.00 66.00A56 56 0 {int(limits[i] > np.pi)} 0 {x:.2f} {y:.2f}"
        else:
            assert arc.count("A") == 2
        kept = abs(ratios[i] - 1) < 1e-12
        assert texts(page, f"{i} text") == [
            f"pair {i}: ω {f'= {short(now[i])}' if kept else f'÷ {short(ratios[i])}'}",
            "all angles seen"
            if limits[i] >= 2 * np.pi
            else f"seen up to {number(np.degrees(limits[i]), 1)}°",
            states[i] if before[i] == states[i] else f"{before[i]} → {states[i]}",
        ]
    assert slider(page, "factor").get_attribute("aria-valuetext") == short(factor)
    assert page.get_by_text("without scaling").is_visible() == (rule != "none")
    return states


SEEN, HARDLY, NEW = "seen", "hardly new", "new"


def test_keys_mouse_and_touch(on_page):
    with on_page(Stretch(scaling="none"), has_touch=True) as page:
        assert check(page, 200) == [SEEN, SEEN, NEW, HARDLY]
        distance, factor = slider(page, "distance"), slider(page, "factor")
        distance.fill("63")
        assert check(page, 63) == [SEEN] * 4
        press(page, distance, "ArrowRight")
        assert check(page, 64) == [SEEN, SEEN, HARDLY, HARDLY]
        for place in ("89", "90", "325"):  # 15° are 26.2 steps of pair 2, 261.8 of pair 3
            distance.fill(place)
            check(page, int(place))
        distance.fill("200")
        schemes, found = page.get_by_role("combobox", name="scaling"), {}
        for rule in list(RULES)[1:]:
            press(page, schemes, "ArrowDown")
            found[rule] = check(page, 200, rule)
        assert found == dict.fromkeys(list(RULES)[1:], [SEEN] * 4) | {
            "ntk": [SEEN, SEEN, HARDLY, SEEN]
        }
        press(page, factor, "Home")
        assert check(page, 200, "llama3", 1.0) == [SEEN, SEEN, NEW, HARDLY]
        choose(page, "scaling", 1)
        press(page, factor, "ArrowRight", 3)
        check(page, 200, "interpolation", 2.5)
        press(page, factor, "End")
        press(page, distance, "End")
        check(page, 511, "interpolation", 8.0)
        click(page, distance, 0.2, tap=True)
        click(page, factor, 0.5)
        chosen = int(distance.input_value()), float(factor.input_value())
        assert chosen == pytest.approx((102, 4.5), abs=16)
        check(page, chosen[0], "interpolation", chosen[1])
        press(page, distance, "Home")
        check(page, 0, "interpolation", chosen[1])


def test_what_a_rule_costs_is_said_of_each_pair(on_page):
    with on_page(Stretch(scaling="ntk")) as page:
        ratios = PLAIN / scaling.ntk_aware(8, 4)
        assert ratios == pytest.approx([1, 4 ** (1 / 3), 4 ** (2 / 3), 4])
        assert said(page).endswith("up to distance 158.")
        assert (
            "Beyond distance 158 pair 2 leaves the seen angles: it turns 2.52 times more slowly, "
            "not 4. The cost: pair 0 keeps its step, pairs 1, 2 and 3 turn 1.59, 2.52 and 4 times "
            "more slowly, and there neighbors are more alike."
        ) in numbers(page)
        assert int(63 * ratios[2]) == 158


@pytest.mark.parametrize("trained", [16, 40, 63, 256])
def test_a_training_of_another_length(trained, on_page):
    with on_page(Stretch(trained=trained, distance=300), size=(390, 844)) as page:
        for k, rule in enumerate(RULES):
            choose(page, "scaling", k)
            check(page, 300, rule, 4.0, trained)


def test_the_distance_is_played(on_page):
    options = {"clock": True, "reduced_motion": "no-preference"}
    with on_page(Stretch(distance=490), **options) as page:
        press(page, page.locator(".ex-play"), "Space")
        page.clock.run_for(3000)
        check(page, 511, "interpolation")
