"""WordSum: the mean of two similarities against pecode."""

import re

import numpy as np
import pytest

import pecode
from figures import WordSum

from .page import (
    choose,
    click,
    drag_to,
    near,
    number,
    numbers,
    press,
    said,
    shapes,
    sizes,
    slider,
    texts,
)
from .values import refuses, takes

ROOT_512 = 512**0.5


def test_values():
    assert repr(WordSum()) == f"WordSum(first=1, length={ROOT_512}, second=6, words=0.0)"
    takes(WordSum, length=[1, 22.6, 512], words=[-0.2, 0, 1], first=[0, 511])
    refuses(
        WordSum, length=[0.99, 513, float("nan")], words=[-0.21, 1.01, None], first=[512, 1.5],
        second=[-1],
    )  # fmt: skip


def change_text(change):
    if abs(change) < 1e-9:
        return "no change"
    if abs(change) < 5e-4:
        return "change below 0.001"
    return f"change {'+' if change > 0 else ''}{number(change, 3)}"


def check(page, length, words, first, second):
    """Compare the picture and the text with the law and with pecode's similarity."""
    positions = pecode.similarity(abs(second - first), 512) / 256
    weight = length**2 / (length**2 + 256)
    sums = weight * words + (1 - weight) * positions
    change = sums - words
    size = "less than 0.001" if abs(change) < 5e-4 else number(abs(change), 3)
    act = "raise" if change > 0 else "lower"
    verdict = f"{act} the words’ similarity of {number(words)} by {size}"
    if abs(change) < 1e-9:
        verdict = f"leave the words’ similarity of {number(words)} as it is"
    assert said(page) == (
        f"Positions {abs(second - first)} apart {verdict}; the break-even is "
        f"{number(positions, 3)}, the similarity of the positions themselves."
    )
    assert numbers(page) == (
        f"The word vectors have length {number(length, 1 if length < 100 else 0)}, the position "
        "vectors √256 = 16: 256 pairs of a sine and a cosine, each pair of length 1. The word has "
        f"{number(100 * weight, 1)}% of the squared length of a sum, and with that weight the "
        f"similarity of the sums, about {number(sums, 3)}, lies between those of the words and of "
        "the positions."
    )
    lines = sizes(page, "0 line", "x1", "y1", "x2", "y2")
    sides = np.linalg.norm(lines[:, 2:] - lines[:, :2], axis=1)
    whole = np.hypot(length, 16)
    assert near(sides / sides[2], np.array([length, 16, whole]) / whole, 1e-6)
    x = 14 + 300 * (np.array([words, positions, sums]) + 0.2) / 1.2
    assert near(sizes(page, "1 circle", "cx")[:, 0], x, 1e-6)
    assert near(sizes(page, "0 rect", "width")[:, 0], [300 * weight, 300 * (1 - weight)], 1e-6)
    assert [text for text in texts(page, "1 text") if "change" in text] == [change_text(change)]
    # The arrow goes from the words to the sums and nowhere else; where it is too short to be seen
    # the number stands alone.
    [[way, color]] = shapes(page, "1 path[fill^='var']", "d", "fill")
    sides = sizes(page, "1 line[stroke-opacity]", "x1", "x2")  # what is raised, what is lowered
    assert near(sides, [[14, x[1]], [x[1], 314]], 1e-6)
    if abs(x[2] - x[0]) < 3:
        assert way == ""
        return
    assert color == f"var(--ex-{'red' if change > 0 else 'blue'})"
    start, *inner, end = [float(n) for n in re.findall(r"[MHL](\S+?)(?= |V|Z)", way)]
    neck = x[2] - np.sign(change) * min(13, abs(x[2] - x[0]))
    assert near([start, end, *inner], [x[0], x[0], neck, x[2], neck], 1e-6)


@pytest.mark.parametrize(
    ("words", "length"), [(0.75, ROOT_512), (0.7, ROOT_512), (0.7, 10.0), (0.74, ROOT_512)]
)
def test_a_short_arrow_lies_between_the_words_and_the_sums(on_page, words, length):
    """At positions 1 and 6 the similarity of the positions is 0.741."""
    with on_page(WordSum(words=words, length=length)) as page:
        check(page, length, words, 1, 6)


def test_the_length_of_a_position_is_explained(on_page):
    rows = pecode.sinusoidal(range(512), 512)
    assert np.allclose(np.hypot(rows[:, ::2], rows[:, 1::2]), 1)
    assert np.allclose(np.linalg.norm(rows, axis=1), 16)
    with on_page(WordSum(length=100.0)) as page:
        check(page, 100.0, 0, 1, 6)
        chosen = page.get_by_role("combobox").evaluate("list => list.selectedOptions[0].text")
        assert chosen == "another length"


def test_keys_mouse_and_touch(on_page):
    with on_page(WordSum(), has_touch=True) as page:
        check(page, ROOT_512, 0, 1, 6)
        length, words, first, second = (
            slider(page, name)
            for name in (
                "length of word vectors, a", "similarity of the words",
                "position of the first word, s", "position of the second word, t",
            )
        )  # fmt: skip
        press(page, words, "ArrowRight", 17)
        check(page, ROOT_512, 0.85, 1, 6)  # more alike than the positions: it falls
        press(page, length, "ArrowLeft", 2)
        check(page, 16.0, 0.85, 1, 6)
        press(page, second, "ArrowLeft", 6)
        press(page, first, "ArrowRight", 2)
        check(page, 16.0, 0.85, 3, 0)
        press(page, second, "End")
        press(page, words, "Home")
        check(page, 16.0, -0.2, 3, 511)
        for index, value in [(0, 1.0), (2, 512.0), (1, ROOT_512)]:
            choose(page, "words have", index)
            check(page, value, -0.2, 3, 511)
            assert float(length.input_value()) == np.log2(value)
        press(page, page.get_by_role("combobox"), "ArrowUp")
        check(page, 1.0, -0.2, 3, 511)
        click(page, words, 0.99)
        click(page, second, 0.5, tap=True)
        click(page, first, 0.25)
        places = [int(control.input_value()) for control in (first, second)]
        assert places == pytest.approx([128, 256], abs=12)
        check(page, 1.0, 1.0, *places)
        press(page, first, "Home")
        press(page, second, "Home")
        check(page, 1.0, 1.0, 0, 0)
        assert "leave the words’ similarity of 1.00 as it is" in said(page)


def test_at_the_break_even_point_the_words_are_left_as_they_are():
    """Below it the sum is more alike than the words, above it less, however long they are."""
    for offset in (0, 5, 199, 511):
        even = pecode.similarity(offset, 512) / 256
        for length in (1, ROOT_512, 512):
            weight = length**2 / (length**2 + 256)
            words = np.array([-0.2, even - 0.01, even, even + 0.01])
            change = weight * words + (1 - weight) * even - words
            assert np.sign(change.round(12)).tolist() == [1, 1, 0, -1]


def test_the_tip_and_the_words_are_dragged(on_page):
    """The tip goes along the ray to the pointer: its slope is position over word."""
    with on_page(WordSum()) as page:
        left = page.locator(".ex-drawings svg").first.bounding_box()
        tip = page.locator("circle[style*=grab]").first
        for x, y in [(150, 60), (230, 100), (72, 20), (300, 135.5)]:
            drag_to(page, tip, left["x"] + x, left["y"] + y)
            check(page, np.clip(16 * (x - 70) / (136 - y), 1, 512), 0, 1, 6)
        right = page.locator(".ex-drawings svg").nth(1).bounding_box()
        words = page.locator("circle[style*=grab]").nth(1)
        for x, value in [(214, 0.6), (0, -0.2), (330, 1.0)]:
            drag_to(page, words, right["x"] + x, right["y"] + 80)
            check(page, 512, value, 1, 6)
