"""What every figure says and draws: the walk against what is stored, and its numbers by pecode.

states.py has the walk, the command that stores it anew, and the list of states.
"""

import re
from math import tau

import numpy as np
import pytest

import figures
import pecode
from pecode.axes import axial_frequencies, mixed_frequencies

from .data import ALL
from .states import STATES, label, stored, walked

STORED = stored()


@pytest.mark.parametrize("name", ALL)
def test_a_figure_says_and_draws_what_is_stored(name, chromium, tmp_path):
    found = walked(chromium, tmp_path, name)
    expected = STORED[name]
    assert list(found) == list(expected), "the controls have changed"
    for step, then in expected.items():
        for part in ("said", "more", "drawn"):  # the words first: they say most
            assert found[step].get(part) == then.get(part), f"{name}, {step}: {part}"


@pytest.mark.parametrize("name", ALL)
def test_every_control_changes_what_a_figure_shows_and_says(name):
    steps = STORED[name]
    assert re.search(r"\w.*[.?]$", steps["start"]["said"])
    controls = {}
    for step, then in steps.items():
        control, _, _ = step.rpartition(": ")
        if control and "; " not in step:
            controls.setdefault(control, []).append(then)
    assert controls
    for control, shown in controls.items():
        assert any(shown) or control.startswith(MAY_LEAD_BACK), control
    texts = " ".join(then.get("said", "") + then.get("more", "") for then in steps.values())
    assert not re.search("NaN|undefined|Infinity|-\\d", texts)


MAY_LEAD_BACK = (
    "next step",
    "original order",
    "move ",
    "recent",
    "write",
)  # to where a figure starts


def number(value, digits=2):
    """Write a number as the figures do."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "" if float(text) == 0 else "−")


# The numbers that a figure says, computed by pecode from its traits.


def clock(base, offset, position):
    angles = np.degrees(pecode.frequencies(8, base) * offset)
    moves = f"position {position} becomes position {number(position + offset, 0)}"
    block = pecode.translation_matrix(offset, 8, base)[:2, :2].ravel()
    return [
        moves if offset else f"position {position} stays",
        *(number(abs(angle) % 360, 1) for angle in angles),
        "({}, {}) and ({}, {})".format(*(number(value, 3) for value in block)),
    ]


def one_hand(offset, omega, position):
    now, moved = (np.array([np.sin(omega * t), np.cos(omega * t)])
                  for t in (position, position + offset))  # fmt: skip
    return [
        f"ωΔ = {number(omega * offset)}",
        f"becomes position {number(position + offset, 0)}",
        *(number(value, 3) for value in (*now, *moved)),
    ]


def two_waves(omega, position):
    sine, cosine = np.sin(omega * position), np.cos(omega * position)
    return [
        f"{number(abs(sine))} to the {'left' if sine < 0 else 'right'}",
        f"{number(abs(cosine))} {'below' if cosine < 0 else 'above'} the middle",
    ]


def encoding_table(base, column, d_model, position):
    omega = pecode.frequencies(d_model, base)[column // 2]
    products = pecode.similarity(range(64), d_model, base)
    return [
        f"{np.degrees(omega * position) % 360:.0f}°",
        f"= {number(pecode.sinusoidal(position, d_model, base)[column])}.",
        *(number(products[t] / products[0]) for t in (1, 8, 32)),
    ]


def word_sum(first, length, second, words):
    positions = pecode.similarity(abs(second - first), 512) / 256
    weight = length**2 / (length**2 + 256)
    sums = weight * words + (1 - weight) * positions
    return [
        f"break-even is {number(positions, 3)}",
        f"{number(100 * weight, 1)}%",
        f"about {number(sums, 3)}",
        "raise" if sums - words > 1e-9 else "lower" if sums - words < -1e-9 else "leave",
    ]


def grid_kernel(column, row, scheme):
    def score(*offset):
        if scheme == "one long index":
            return pecode.similarity(np.dot(offset, [14, 1]), 64) / 32
        omega = axial_frequencies((32, 32), 100.0) if scheme == "axial" else mixed_frequencies(32)
        return np.cos(omega @ offset).mean()

    beside, below = 1 if column < 13 else -1, 1 if row < 13 else -1
    return [
        f"{'right' if beside > 0 else 'left'} scores {number(score(0, beside))}",
        f"{'below' if below > 0 else 'above'} {number(score(below, 0))}",
        f"one down and one to the left {number(score(1, -1))}",
    ]


def video_clock(frame, slowed):
    omega = pecode.frequencies(16, 256.0)
    if slowed:
        omega[3] = tau / 66
    likeness = np.cos(omega * frame)
    return [
        f"frame {4 * frame + 1} of the video",
        "inside" if frame < 33 else "beyond",
        ", ".join(number(turn) for turn in omega * frame / tau),
        f"{number(likeness[:4].mean())} in pairs 0 to 3, {number(likeness.mean())} in all eight",
    ]


def two_turns(base, key, m, n, query):
    turned = [pecode.rotate([vector], t, base)[0] for vector, t in [(query, m), (key, n)]]
    parts = np.reshape(turned[0] * turned[1], (4, 2)).sum(axis=1)
    return [
        f"the score is {number(parts.sum())}",
        f"s − t = {number(n - m, 0)}",
        ", ".join(number(part) for part in parts),
    ]


def bits(gray, position):
    if position == 255:
        return ["256 needs a ninth"]
    code = (lambda t: t ^ (t >> 1)) if gray else int
    flips = (code(position) ^ code((position + 1) % 256)).bit_count()
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
    return [f"{words[flips]} bit", f"{flips**0.5:.2f}"]


def base_bound(base, length):
    sums = np.cos(np.outer(np.arange(16_384), pecode.frequencies(128, base))).mean(axis=1)
    negative = np.flatnonzero(sums < 0)
    return [f"{negative[0]:,}"] if len(negative) else []


def curve(position, first, second, third, **_):
    points = pecode.sine_only(range(65), 3, frequencies=[first, second, third])
    same = np.abs(points - points[position]).max(axis=1) < 1e-9
    return [str(t) for t in np.flatnonzero(same) if t != position][:8]  # "and 13 more"


def bias_heads(scheme, n_heads, head, query, key, **_):
    if scheme != "alibi":
        return []
    slope = pecode.alibi_slopes(n_heads)[head - 1]
    return [f"slope {float(f'{slope:.3g}'):g}", number(-slope * abs(query - key))]


NUMBERS = {
    "Clock": clock,
    "OneHand": one_hand,
    "TwoWaves": two_waves,
    "EncodingTable": encoding_table,
    "WordSum": word_sum,
    "GridKernel": grid_kernel,
    "VideoClock": video_clock,
    "TwoTurns": two_turns,
    "Bits": bits,
    "BaseBound": base_bound,
    "Curve": curve,
    "BiasHeads": bias_heads,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_that_a_figure_says_are_pecodes(name):
    cls = getattr(figures, name)
    for state in [{}, *STATES.get(name, [])]:
        figure, then = cls(**state), STORED[name][label(state) if state else "start"]
        said = f"{then['said']} {then['more']}"
        traits = {trait: getattr(figure, trait) for trait in cls.class_traits(public=True)}
        for text in NUMBERS[name](**traits):
            assert text in said, f"{name} {state}"
