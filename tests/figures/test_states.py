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
from .states import STATES, label, make, stored, walked, without_drawing

STORED = stored()


@pytest.mark.parametrize("name", ALL)
def test_a_figure_says_the_sentences_stored_and_every_control_moves_it(name, chromium, tmp_path):
    found = walked(chromium, tmp_path, name)
    controls = {}
    for step, then in found.items():
        control, _, _ = step.rpartition(": ")
        if control:
            controls.setdefault(control, []).append(then)
    assert controls
    still = [control for control, then in controls.items() if not any(then)]
    assert [control for control in still if not control.startswith(MAY_LEAD_BACK)] == []
    assert {step: without_drawing(then) for step, then in found.items()} == STORED[name]
    assert re.search(r"\w.*[.?]$", STORED[name]["start"]["said"])
    for then in STORED[name].values():
        said = then.get("said", "") + then.get("more", "")
        assert not re.search("NaN|undefined|Infinity|-\\d", said)


# To where a figure starts
MAY_LEAD_BACK = ("next step", "original order", "move ", "recent", "write")


def number(value, digits=2):
    """Write a number as the figures do."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "" if float(text) == 0 else "−")


# The numbers that a figure says, computed by pecode from its traits.


def clock(offset, position):
    angles = np.degrees(pecode.frequencies(8) * offset)
    moves = f"position {position} becomes position {number(position + offset, 0)}"
    block = pecode.translation_matrix(offset, 8)[:2, :2].ravel()
    return [
        moves if offset else f"position {position} stays",
        *(number(abs(angle) % 360, 1) for angle in angles),
        "({}, {}) and ({}, {})".format(*(number(value, 3) for value in block)),
    ]


def two_waves(omega, position):
    sine, cosine = np.sin(omega * position), np.cos(omega * position)
    return [
        f"{number(abs(sine))} to the {'left' if sine < 0 else 'right'}",
        f"{number(abs(cosine))} {'below' if cosine < 0 else 'above'} the middle",
    ]


def encoding_table(base, column, d_model, position, stage):
    if stage == 1:
        return [f"Row {position} holds", f"to pair {d_model // 2 - 1}."]
    return [f"= {number(pecode.sinusoidal(position, d_model, base)[column])}."]


def word_sum(length, words):
    positions = pecode.similarity(5, 512) / 256
    weight = length**2 / (length**2 + 256)
    change = (1 - weight) * (positions - words)
    return [
        f"break-even is {number(positions)}",
        f"{'raise' if change > 0 else 'lower'} the words’ similarity of {number(words)}",
        "less than 0.01" if abs(change) < 0.005 else f"by {number(abs(change))}",
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
    ]


def video_clock(frame, slowed):
    omega = pecode.frequencies(16, 256.0)
    if slowed:
        omega[3] = tau / 66
    turns = omega * frame / tau
    home = [i for i, turn in enumerate(turns) if turn > 0.5 and abs(turn - round(turn)) < 0.06]
    listed = ", ".join(map(str, home[:-1])) + f" and {home[-1]} are" if home[1:] else f"{home} is"
    return [
        f"frame {4 * frame + 1} of the video",
        "inside" if frame < 33 else "beyond",
        f"{listed.replace('[', '').replace(']', '')} almost back at" if home else "at its start",
    ]


def two_turns(s, t, hands):
    if hands:
        return [f"is the same {number(pecode.sinusoidal(t, 8) @ pecode.sinusoidal(s, 8))}."]
    vector = np.array([1.0, 0.0] * 4)
    score = pecode.rotate(vector, t) @ pecode.rotate(vector, s)
    return [f"a score of {number(score)}", f"s − t = {number(s - t, 0)}"]


def bits(gray, position):
    if position == 255:
        return ["256 needs a ninth"]
    code = (lambda t: t ^ (t >> 1)) if gray else int
    flips = (code(position) ^ code((position + 1) % 256)).bit_count()
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
    return [f"{words[flips]} bit", f"{flips**0.5:.2f}"]


def base_bound(base):
    sums = np.cos(np.outer(np.arange(16_384), pecode.frequencies(128, base))).mean(axis=1)
    negative = np.flatnonzero(sums < 0)
    return [f"{negative[0]:,}"] if len(negative) else ["stays positive up to 16,384"]


def curve(position, **_):
    points = pecode.sine_only(range(33), 3, frequencies=np.pi / np.array([2, 4, 8]))
    same = np.abs(points - points[position]).max(axis=1) < 1e-9
    return [str(t) for t in np.flatnonzero(same[:position])] or ["no earlier"]


def bias_heads(head, query):
    slope = pecode.alibi_slopes(8)[head - 1]
    weights = pecode.softmax(-slope * np.arange(query + 1))
    count = np.flatnonzero(weights.cumsum() > 0.5 - 1e-12)[0] + 1
    half = f"the last {count} of {query + 1} tokens" if count > 1 else "itself"
    return [f"takes {float(f'{slope:.3g}'):g} from", f"attention to {half}"]


FUNCTIONS = [clock, two_waves, encoding_table, word_sum, grid_kernel, video_clock, two_turns]
FUNCTIONS += [bits, base_bound, curve, bias_heads]
NUMBERS = {each.__name__.title().replace("_", ""): each for each in FUNCTIONS}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_that_a_figure_says_are_pecodes(name):
    cls = getattr(figures, name)
    for state in [{}, *STATES.get(name, [])]:
        figure, then = make(name, state), STORED[name][label(state)]
        said = f"{then['said']} {then['more']}"
        traits = {trait: getattr(figure, trait) for trait in cls.class_traits(public=True)}
        for text in NUMBERS[name](**traits):
            assert text in said, f"{name} {state}"
