"""SameValue: one value of the normalized count in two texts, against pecode."""

import functools
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

from figures import SameValue, Shuffle
from figures.same_value import TEXT, WORDS
from pecode import normalized_count

from .page import click, near, numbers, press, said, settled, shapes, sizes, slider, texts, visible
from .values import refuses, takes

BESIDE = "beside a word’s entries of about 1"


def test_values():
    assert repr(SameValue()) == "SameValue(length=51, plain=0, value=0.8)"
    takes(SameValue, length=[2, 11, 200], value=[0, 0.05, 1.0], plain=[0, 1])
    assert len(TEXT) == 200
    refuses(SameValue, length=[1, 201, 10.5], value=[-0.05, 1.05, float("nan"), "0.8", True])


def test_the_entries_of_a_word_are_of_the_order_of_one():
    """What the numbers say of the words of the book."""
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


def numbers_text(length, value):
    """Return the steps and the counts, in words."""
    there = around(value, 11)
    one, *two = there
    plain = f"The plain count of position {one} is {one}"
    if two:
        plain = f"The plain counts of positions {one} and {two[0]} are {one} and {two[0]}"
    if length == 11:
        return f"One step is 0.100 in both. {plain}; the last is 10, {BESIDE}."
    none = absent(there, length)
    verb = "are" if "positions" in none else "is"
    counted = f"{plain} {f'there, and here there {verb} {none}' if none else 'in both'}"
    # A half goes up in JavaScript; Python would take 0.0625 to 0.062.
    step = Decimal(1 / (length - 1)).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return (
        f"One step is {step} here, 0.100 there. {counted}; but the last is {length - 1} here, "
        f"10 there, {BESIDE}."
    )


def said_text(length, value, plain=0):
    """Return what is said of a value, in both texts."""
    here, there = (around(value, count) for count in (length, 11))
    if plain:
        [position, *between] = there
        if between:
            count = f"{value * 10:g}"
            return f"No word has the plain count {count}: it is 0, 1, 2 and so on in every text."
        other = f"position {position}, “{WORDS[position]}”"
        if position >= length:
            return (
                f"The plain count {position} is {other}, in the other text; yours of {length} "
                "words ends before it."
            )
        return (
            f"The plain count {position} is position {position}, “{TEXT[position]}”, in your text "
            f"and {other}, in the other: the same place."
        )
    mine, other = (
        named(p, "position", "between positions") + (f", “{text[p[0]]}”" if len(p) == 1 else "")
        for p, text in ((here, TEXT), (there, WORDS))
    )
    if length == 11:
        return f"Both texts have 11 words: {value:g} is {mine}, and {other}."
    return f"In a text of {length} words {value:g} is {mine}; in one of 11 words it is {other}."


def seen(page, selector, *names):
    """Return attributes of the shapes that are visible."""
    return [row for *row, v in shapes(page, selector, *names, "visibility") if v != "hidden"]


def check(page, length, value, plain=0):
    """Compare everything that is drawn with what pecode computes."""
    settled(page)
    lengths, written = (length, 11), texts(page, "svg text")
    widest = max(lengths) - 1
    shares = [np.arange(count) / widest if plain else counts(count) for count in lengths]
    drawn = [float(x[:-1]) / 100 for [x] in seen(page, "0 circle:not([fill=none])", "cx")]
    assert near(drawn, np.concatenate(shares), 1e-5)
    # A ring goes round the position that has the value. Where none has it there is no ring,
    # and the bracket of one step reaches from the position before to the one after.
    places = [around(value, 11 if plain else count) for count in lengths]
    there = [place[-1] < count for place, count in zip(places, lengths, strict=True)]
    rings = [len(place) == 1 and has for place, has in zip(places, there, strict=True)]
    assert visible(page, "0 circle[fill=none]") == rings
    spot = value * 10 / widest if plain else value
    assert near(sizes(page, "0 circle[fill=none]", "cx"), [[spot]] * 2, 1e-5)
    assert near(sizes(page, "0 line[stroke-dasharray]", "x1", "x2"), [[spot] * 2] * 2, 1e-5)
    assert visible(page, "0 line[stroke-width='4']") == there
    brackets = np.sort(sizes(page, "0 line[stroke-width='4']", "x1", "x2"))
    rows = zip(lengths, shares, places, brackets, there, strict=True)
    for count, share, place, ends, has in rows:
        above = absent(place, count) or named(place, "position", "between")
        assert {above, "one step: 1" if plain else f"one step: {counts(count)[1]:.3f}"} <= {
            *written
        }
        if has:
            assert ends[1] - ends[0] == pytest.approx(share[1], abs=1e-4)
            assert len(place) == 1 or near(ends, share[[*place]], 1e-5)
    last = [f"last: {count - 1 if plain else 1}" for count in lengths]
    assert [text for text in written if text.startswith("last")] == last
    assert f"your text: {length} words" in written

    # All words where there is room, else the one at the value.
    wanted = []
    for text, count, share, place, room in zip(
        (TEXT, WORDS), lengths, shares, places, (0.15, 0.08), strict=True
    ):
        if share[1] >= room and count <= 11:
            wanted += [[word, t in place] for t, word in enumerate(text[:count])]
        elif place[-1] < count:
            wanted = [[" | ".join(text[t] for t in place), True], *wanted]
    words = seen(page, "0 text[style*=fill]", "text", "style")
    assert sorted([text, "700" in style] for text, style in words) == sorted(wanted)
    control = slider(page, "plain count" if plain else "normalized count")
    number = f"{value * 10 if plain else value:g}"
    assert control.get_attribute("aria-valuetext") == number
    assert control.locator("xpath=../output").text_content() == number
    assert (said(page), numbers(page)) == (
        said_text(length, value, plain),
        numbers_text(length, value),
    )


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
        assert "normalized count fails because the same number means another position" in note


def test_a_value_that_no_position_has_lies_between_two(on_page):
    with on_page(SameValue(length=6, value=0.5)) as page:
        check(page, 6, 0.5)
        assert said(page) == (
            "In a text of 6 words 0.5 is between positions 2 and 3; in one of 11 words it is "
            "position 5, “and”."
        )
        assert numbers(page) == (
            "One step is 0.200 here, 0.100 there. The plain count of position 5 is 5 in both; but "
            f"the last is 5 here, 10 there, {BESIDE}."
        )
        press(page, slider(page, "words in the text"), "ArrowLeft")
        check(page, 5, 0.5)
        assert "position 5 is 5 there, and here there is no position 5; but" in numbers(page)


# What the figure says, for all lengths of the slider at a value.
SAID = """async (value) => {
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
    found.push([".ex-said", ".ex-numbers"].map((part) => document.querySelector(part).textContent));
  }
  window.requestAnimationFrame = ask;
  return found;
}"""


@pytest.mark.parametrize("plain", [0, 1])
def test_the_text_is_right_at_every_setting_of_the_sliders(plain, on_page):
    with on_page(SameValue(length=2, value=1, plain=plain)) as page:
        for value in np.round(np.arange(21) / 20, 2):
            found = page.evaluate(SAID, float(value))
            for length, texts_of_it in enumerate(found, start=2):
                wanted = [said_text(length, value, plain), numbers_text(length, value)]
                assert texts_of_it == wanted


def test_a_button_slides_the_words_to_their_plain_counts(on_page):
    moving = {"clock": True, "reduced_motion": "no-preference"}
    with on_page(SameValue(), **moving) as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        button = page.get_by_role("button", name="count plainly")
        last = "0 circle[cx]:not([fill=none])"
        button.click()
        page.clock.run_for(450)
        end = sizes(page, last, "cx")[-1][0]
        assert 10 / 50 < end < 1
        page.clock.run_for(900)
        page.clock.resume()
        check(page, 51, 0.8, plain=1)
        page.get_by_role("button", name="normalize the count").click()
        page.wait_for_timeout(1200)
        check(page, 51, 0.8)


def test_by_the_plain_count_a_word_has_one_place_in_both_texts(on_page):
    with on_page(SameValue(plain=1)) as page:
        length = slider(page, "words in the text")
        for key in ("End", "Home"):
            press(page, length, key)
            check(page, {"End": 200, "Home": 2}[key], 0.8, plain=1)
        press(page, length, "ArrowRight", 12)
        check(page, 14, 0.8, plain=1)
