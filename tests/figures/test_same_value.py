"""SameValue: one value of the normalized count in two texts, against pecode."""

import functools
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

from pecode import normalized_count
from pecode.figures import SameValue, Shuffle

from .page import click, near, numbers, press, said, settled, shapes, sizes, slider, texts, visible
from .values import refuses, takes

BESIDE = "beside a word’s entries of about 1"


def test_values():
    assert repr(SameValue()) == "SameValue(length=51, value=0.8)"
    takes(SameValue, length=[2, 11, 200], value=[0, 0.05, 1.0])
    refuses(SameValue, length=[1, 201, 10.5], value=[-0.05, 1.05, float("nan"), "0.8", True])


def test_the_entries_of_a_word_are_of_the_order_of_one():
    """What the bar of −1 to 1 stands for: the typical entry of the words of the book."""
    assert np.std(Shuffle().vectors) == pytest.approx(1, abs=0.2)


@functools.cache
def counts(length):
    return normalized_count(range(length), length)[:, 0]


@functools.cache
def around(value, length):
    """Return the positions on both sides of a value; one if it has the value exactly."""
    exact = np.flatnonzero(np.isclose(counts(length), value, atol=1e-9))
    after = np.sum(counts(length) < value)
    return (*exact,) if exact.size else (after - 1, after)


def named(places, one, two):
    return f"{one} {places[0]}" if len(places) == 1 else f"{two} {places[0]} and {places[1]}"


def absent(places, length):
    """Return those of the positions that a text of this length does not have, in words."""
    gone = [str(t) for t in places if t not in range(length)]
    return f"no position{'s' * (len(gone) - 1)} {' and '.join(gone)}" if gone else ""


def same_value_text(length, value):
    here, there = (around(value, count) for count in (length, 11))
    word, word_there = (named(p, "position", "between positions") for p in (here, there))
    one, *two = there
    plain = f"The plain count of position {one} is {one}"
    if two:
        plain = f"The plain counts of positions {one} and {two[0]} are {one} and {two[0]}"
    if length == 11:
        return (
            f"In both texts, of 11 words each, {value:g} is {word_there}.",
            f"One step is 0.100 in both. {plain}; the last is 10, {BESIDE}.",
        )
    none = absent(there, length)
    verb = "are" if "positions" in none else "is"
    counted = f"{plain} {f'there, and here there {verb} {none}' if none else 'in both'}"
    # A half goes up in JavaScript; Python would take 0.0625 to 0.062.
    step = Decimal(1 / (length - 1)).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return (
        f"In a text of {length} words {value:g} is {word}; in one of 11 words it is {word_there}.",
        f"One step is {step} here, 0.100 there. {counted}; but the last is {length - 1} here, "
        f"10 there, {BESIDE}.",
    )


def check(page, length, value):
    """Compare everything that is drawn with what pecode computes."""
    settled(page)
    lengths, written = (length, 11), texts(page, "svg text")
    shares = np.concatenate([counts(count) for count in lengths])
    dots = shapes(page, "0 circle:not([fill=none])", "cx", "visibility")
    drawn = [float(x[:-1]) / 100 for x, seen in dots if seen != "hidden"]
    assert near(drawn, shares, 1e-5)
    # A ring goes round the position that has the value. Where none has it there is no ring,
    # and the bracket of one step reaches from the position before to the one after.
    places = [around(value, count) for count in lengths]
    assert visible(page, "0 circle[fill=none]") == [len(place) == 1 for place in places]
    assert near(sizes(page, "0 circle[fill=none]", "cx"), [[value]] * 2, 1e-5)
    brackets = sizes(page, "0 line[stroke-width='4']", "x1", "x2")
    for count, place, ends in zip(lengths, places, np.sort(brackets), strict=True):
        assert ends[1] - ends[0] == pytest.approx(1 / (count - 1), abs=1e-4)
        assert len(place) == 1 or near(ends, counts(count)[[*place]], 1e-5)
        step = f"one step: {counts(count)[1]:.3f}"
        assert {named(place, "position", "between"), step} <= set(written)
    assert near(sizes(page, "0 line[stroke-dasharray]", "x1", "x2"), [[value] * 2] * 2, 1e-5)
    assert {f"your text: {length} words", f"last: {length - 1}"} <= set(written)

    words = shapes(page, "0 text[x][text-anchor=middle]", "text", "style")[:-1]
    assert " ".join(word for word, _ in words) == "the dog bit the man and the man bit the dog"
    strong = [t for t, (_, style) in enumerate(words) if "700" in style]
    assert strong == [*places[1]]

    # At the plain count, what the value names in the other text has one place in both.
    there = places[1]
    shown = [len(there) == 1 and there[-1] < count for count in lengths]
    assert visible(page, "1 circle[fill=none]") == shown
    assert near(sizes(page, "1 circle[fill=none]", "cx"), [[value * 10 / 199]] * 2, 1e-5)
    label = absent(there, length) or named(there, "position", "between")
    assert label == [text for text in texts(page, "1 text") if text][1]
    # The entries of a word, −1 to 1, stand on the scale of the counts.
    dots = shapes(page, "1 circle:not([fill=none])", "cx", "visibility")
    plain = [float(x[:-1]) / 100 for x, seen in dots if seen != "hidden"]
    assert near(plain, np.r_[range(length), range(11)] / 199, 1e-5)
    assert near(sizes(page, "1 line[stroke-width='10']", "x1", "x2") * 199, [[-1, 1]], 1e-2)
    assert (said(page), numbers(page)) == same_value_text(length, value)


def test_keys_and_mouse(on_page):
    with on_page(SameValue()) as page:
        length, value = page.get_by_role("slider").all()
        check(page, 51, 0.8)
        for control, key, times, state in [
            (length, "ArrowRight", 3, (54, 0.8)), (value, "ArrowRight", 1, (54, 0.85)),
            (length, "Home", 1, (2, 0.85)), (length, "ArrowRight", 9, (11, 0.85)),
            (length, "End", 1, (200, 0.85)), (value, "Home", 1, (200, 0)),
            (value, "End", 1, (200, 1)),
        ]:  # fmt: skip
            press(page, control, key, times)
            check(page, *state)
        for share in (0.05, 0.97):
            click(page, length, share)
            click(page, value, share)
            state = int(length.input_value()), float(value.input_value())
            assert state == pytest.approx((2 + 198 * share, share), abs=8)
            check(page, *state)
        [note] = texts(page, ".ex-drawings > p")
        assert "plain count fails by its size" in note
        assert "normalized count fails by its meaning" in note


def test_a_value_that_no_position_has_lies_between_two(on_page):
    with on_page(SameValue(length=6, value=0.5)) as page:
        check(page, 6, 0.5)
        assert said(page) == (
            "In a text of 6 words 0.5 is between positions 2 and 3; in one of 11 words it is "
            "position 5."
        )
        assert numbers(page) == (
            "One step is 0.200 here, 0.100 there. The plain count of position 5 is 5 in both; but "
            f"the last is 5 here, 10 there, {BESIDE}."
        )
        press(page, slider(page, "words in the text"), "ArrowLeft")
        check(page, 5, 0.5)
        assert "position 5 is 5 there, and here there is no position 5; but" in numbers(page)


# What the figure says and draws of the plain count, for all lengths of the slider at a value.
PLAIN_COUNTS = """async (value) => {
  const ask = window.requestAnimationFrame;
  window.requestAnimationFrame = (draw) => (queueMicrotask(() => draw(performance.now())), 1);
  const [lengths, values] = document.querySelectorAll("input[type=range]");
  const put = async (input, value) => {
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await null;
  };
  await put(values, value);
  const found = [];
  for (let length = 2; length <= 200; length++) {
    await put(lengths, length);
    const [, plain] = document.querySelectorAll(".ex-drawings svg");
    const labels = [...plain.querySelectorAll("text")].map((text) => text.textContent);
    const read = (part) => document.querySelector(part).textContent;
    const texts = [".ex-said", ".ex-numbers"].map(read);
    found.push([...texts, labels[1], labels[4]]);
  }
  window.requestAnimationFrame = ask;
  return found;
}"""


def test_the_drawing_and_the_text_agree_at_every_setting_of_the_sliders(on_page):
    with on_page(SameValue(length=2, value=1)) as page:
        for value in np.round(np.arange(21) / 20, 2):
            there = around(value, 11)
            found = page.evaluate(PLAIN_COUNTS, float(value))
            for length, (text, told, mine, other) in enumerate(found, start=2):
                assert (text, told) == same_value_text(length, value)
                none = absent(there, length)
                assert mine == none or (not none and mine == other)
                assert (f" {mine}; but the last" in told) == bool(none)
                assert other == named(there, "position", "between")
