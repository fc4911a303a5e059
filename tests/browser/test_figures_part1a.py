"""The figures of chapters 1 to 3, moved by keys, mouse and touch: they show what pecode says."""

import itertools
import re
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

from pecode import binary, causal_mask, count, normalized_count, self_attention, sinusoidal
from pecode.figures import Bits, SameValue, Shuffle

from ..browser_fixtures import HTML, READY, Log, pages
from ..figures.page import MOUNTED, heap, median_step, opened, press, said, settled, slider
from .test_site import violations

FIRST = [0, 1, 2, 3, 4]
SLIDERS = {SameValue: ["length", "value"], Bits: ["position"]}


def at_share(page, control, share):
    """Click a slider somewhere along its way."""
    box = control.bounding_box()
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    settled(page)


def number(node, attribute):
    return float(node.get_attribute(attribute).rstrip("%"))


def texts(page, selector):
    return [text for text in page.locator(selector).all_text_contents() if text]


# Chapter 1


def attended(order, causal=False, positions=False):
    """The outputs of chapter 1 for the words in an order."""
    rng = np.random.default_rng(0)
    vocabulary = {word: rng.normal(size=16) for word in ["the", "dog", "bit", "man"]}
    matrices = rng.normal(scale=16**-0.5, size=(3, 16, 16))
    words = np.stack([vocabulary[word] for word in ["the", "dog", "bit", "the", "man"]])
    x = words[order] + (sinusoidal(range(5), 16) if positions else 0)
    return self_attention(x, *matrices, mask=causal_mask(5) if causal else None)


def shares(strip):
    """The numbers that the cells of a strip show, left half and right half."""
    fills = strip.locator("rect").evaluate_all("cells => cells.map(c => c.getAttribute('fill'))")
    found = [re.search(r"--ex-(blue|red)\) ([\d.]+)%", fill).groups() for fill in fills]
    signed = [float(share) / 100 * (1 if color == "red" else -1) for color, share in found]
    return np.reshape(signed, (2, 16))


def check_shuffle(page, order, causal=False, positions=False):
    """Compare everything that is drawn with what pecode computes."""
    before, after = (attended(o, causal, positions) for o in (FIRST, order))
    words = ["the", "dog", "bit", "the", "man"]
    settled(page)
    columns = page.locator(".ex-word")
    assert texts(page, ".ex-word b") == [*(words[k] for k in order), "all"]
    pairs = [(before[k], after[slot]) for slot, k in enumerate(order)]
    pairs.append((before.mean(axis=0), after.mean(axis=0)))
    differs = [not np.allclose(old, new, atol=1e-9) for old, new in pairs]
    for slot, (pair, differs_here) in enumerate(zip(pairs, differs, strict=True)):
        strip = columns.nth(slot).locator("svg")
        expected = np.clip(np.stack(pair) / np.abs(before).max(), -1, 1)
        assert np.abs(shares(strip) - expected).max() < 6e-4
        verdict = "differs" if differs_here else "same"
        assert f"in the first order and now: {verdict}" in strip.get_attribute("aria-label")
    scale = np.abs(before).max()
    little = [np.abs(old - new).max() < 0.1 * scale for old, new in pairs]
    changes = ["≠differs a little" if small else "≠differs" for small in little]
    signs = [change if d else "=same" for d, change in zip(differs, changes, strict=True)]
    assert texts(page, ".ex-verdict") == signs
    sentence = f"“{' '.join(words[k] for k in order)}”"
    changed = sum(differs[:5])
    if order == FIRST:
        expected = f"{sentence} is the first order. Move a word: will its output change?"
    elif order == [3, 1, 2, 0, 4]:  # the same words again: nothing stands where it did not
        assert np.allclose(before, after, rtol=0, atol=1e-12)
        assert changed == (2 if causal or positions else 0)
        each = (
            "Each has the output that the other had."
            if changed
            else "They are equal, and so are their outputs."
        )
        expected = (
            f"{sentence} reads as at first: only the two “the” have changed places. {each} The "
            "average over all outputs is the same."
        )
    else:
        outcome = (
            f"{changed} of 5 outputs changed."
            if changed
            else "Every word keeps its output: it sees the same five words, in whatever order."
        )
        if causal:
            outcome += " With the mask, a word sees only itself and those before it: "
            if changed < 5:
                places = " at the same positions" if positions else ", in whatever order"
                outcome += f"where these are the same words{places}, its output is the same."
            else:
                places = " at the same positions" if positions else ""
                outcome += f"for none of the five are these the same words{places} as before."
        elif positions:
            assert changed == 5
            outcome += (
                " A moved word is now another vector (the sum of word and position), and every "
                "word sees all five: so every output changes."
            )
        average = "changed" if differs[5] else "is the same"
        expected = f"{sentence}: {outcome} The average over all outputs {average}."
    assert said(page) == expected


@pytest.mark.parametrize("positions", [False, True])
def test_with_the_mask_an_output_stays_where_the_words_seen_are_the_same(positions):
    """The reason that the figure gives, for all orders, and the other way round too."""
    words = ["the", "dog", "bit", "the", "man"]

    def seen(order, slot):
        places = [(words[k], t if positions else None) for t, k in enumerate(order[: slot + 1])]
        kinds = Counter(places)
        total = sum(kinds.values())  # two of two are as good as one of one
        here = slot if positions else None
        return here, {place: count / total for place, count in kinds.items()}

    before = attended(FIRST, causal=True, positions=positions)
    for order in itertools.permutations(FIRST):
        after = attended(list(order), causal=True, positions=positions)
        for slot, k in enumerate(order):
            same = np.allclose(before[k], after[slot], atol=1e-9)
            assert same == (seen(FIRST, k) == seen(order, slot))


def test_one_note_says_what_both_halves_of_a_strip_are(chromium, tmp_path):
    with opened(chromium, tmp_path, Shuffle()) as page:
        [note] = texts(page, ".ex-note")
        assert note.endswith("Both halves are computed with the boxes as they are ticked.")


def test_with_positions_every_output_changes_if_the_sentence_does():
    """The reason that the figure gives: without a mask it says "every", in all orders but two."""
    words = ["the", "dog", "bit", "the", "man"]
    before = attended(FIRST, positions=True)
    for order in itertools.permutations(FIRST):
        after = attended(list(order), positions=True)
        same = [np.allclose(before[k], after[slot], atol=1e-9) for slot, k in enumerate(order)]
        if [words[k] for k in order] != words:
            assert not any(same)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("positions", [False, True])
def test_the_two_equal_words_may_change_places(chromium, tmp_path, causal, positions):
    figure = Shuffle(order=[3, 1, 2, 0, 4], causal=causal, positions=positions)
    with opened(chromium, tmp_path, figure) as page:
        check_shuffle(page, [3, 1, 2, 0, 4], causal=causal, positions=positions)


@pytest.mark.parametrize("positions", [False, True])
def test_a_mask_may_leave_no_word_as_it_was(chromium, tmp_path, positions):
    figure = Shuffle(order=[4, 3, 2, 1, 0], causal=True, positions=positions)
    with opened(chromium, tmp_path, figure) as page:
        check_shuffle(page, [4, 3, 2, 1, 0], causal=True, positions=positions)
        assert "for none of the five" in said(page)


def read_order(page):
    """Read the order off the places that are written above the words."""
    order = []
    for slot, text in enumerate(texts(page, ".ex-word small")[:5]):
        here, *before = [int(digits) for digits in re.findall(r"\d", text)]
        assert here == slot
        order.append(before[0] if before else slot)
    return order


def mover(page, word, side, nth=0):
    return page.get_by_role("button", name=f"move {word} {side}", exact=True).nth(nth)


def test_words_are_moved_with_the_keyboard_and_the_focus_goes_with_them(chromium, tmp_path):
    with opened(chromium, tmp_path, Shuffle()) as page:
        check_shuffle(page, FIRST)
        press(page, mover(page, "bit", "left"), "Enter")
        check_shuffle(page, [0, 2, 1, 3, 4])
        page.keyboard.press("Space")  # it is still the button of the same word
        check_shuffle(page, [2, 0, 1, 3, 4])
        page.keyboard.press("Enter")  # the end: nothing further to the left
        check_shuffle(page, [2, 0, 1, 3, 4])
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused == "move bit left"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        check_shuffle(page, [0, 2, 1, 3, 4])


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("positions", [False, True])
def test_the_checks_and_the_buttons_with_the_mouse(chromium, tmp_path, causal, positions):
    state = {"causal": causal, "positions": positions}
    with opened(chromium, tmp_path, Shuffle()) as page:
        if causal:
            page.get_by_label("causal mask").click()
        if positions:
            press(page, page.get_by_label("add a vector for each position"), "Space")
        check_shuffle(page, FIRST, **state)
        mover(page, "dog", "left").click()
        check_shuffle(page, [1, 0, 2, 3, 4], **state)
        for _ in range(5):
            before = read_order(page)
            page.get_by_role("button", name="shuffle").click()
            settled(page)
            order = read_order(page)
            assert sorted(order) == FIRST
            assert order != before
            check_shuffle(page, order, **state)
        page.get_by_role("button", name="first order").click()
        check_shuffle(page, FIRST, **state)


def test_a_mask_touches_only_the_words_that_see_others_than_before(chromium, tmp_path):
    with opened(chromium, tmp_path, Shuffle(causal=True, order=[1, 0, 2, 3, 4])) as page:
        assert texts(page, ".ex-verdict span:last-child") == [
            *["differs"] * 2, *["same"] * 3, "differs",
        ]  # fmt: skip


def middle(column):
    box = column.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7


def test_words_are_dragged_with_the_mouse(chromium, tmp_path):
    with opened(chromium, tmp_path, Shuffle()) as page:
        columns = page.locator(".ex-word")
        page.mouse.move(*middle(columns.nth(4)))
        page.mouse.down()
        page.mouse.move(*middle(columns.nth(1)), steps=8)
        assert columns.nth(1).evaluate("column => column.classList.contains('ex-held')")
        page.mouse.up()
        assert page.locator(".ex-held").count() == 0
        check_shuffle(page, [0, 4, 1, 2, 3])
        page.mouse.move(*middle(columns.nth(3)))  # nothing is held any more
        check_shuffle(page, [0, 4, 1, 2, 3])


def test_words_are_dragged_with_a_finger(chromium, tmp_path):
    phone = {"size": (375, 900), "has_touch": True, "is_mobile": True}
    with opened(chromium, tmp_path, Shuffle(), **phone) as page:
        columns = page.locator(".ex-word")
        (x, y), (end, _) = middle(columns.nth(0)), middle(columns.nth(4))
        session = page.context.new_cdp_session(page)

        def touch(kind, *points):
            points = [{"x": x, "y": y} for x in points]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", x)
        for share in np.linspace(0.1, 1, 10):
            touch("touchMove", x + share * (end - x))
        touch("touchEnd")
        check_shuffle(page, [1, 2, 3, 4, 0])


def test_buttons_are_tapped(chromium, tmp_path):
    phone = {"size": (375, 900), "has_touch": True, "is_mobile": True}
    with opened(chromium, tmp_path, Shuffle(), Bits(), **phone) as page:
        mover(page, "man", "left").tap()
        check_shuffle(page, [0, 1, 2, 4, 3])
        page.get_by_role("button", name="next").tap()
        assert said(page, 1).startswith("From 32 to 33 one bit flips: the distance is 1.00.")


# Chapter 2


def visible(row):
    return [node for node in row if node.get_attribute("visibility") != "hidden"]


def around(value, count):
    """The positions on both sides of a value of the normalized count; one if it has it exactly."""
    values = normalized_count(range(count), count)[:, 0]
    exact = np.flatnonzero(np.isclose(values, value, atol=1e-9))
    return [*exact] if exact.size else [np.sum(values < value) - 1, np.sum(values < value)]


def named(places, one, two):
    return f"{one} {places[0]}" if len(places) == 1 else f"{two} {places[0]} and {places[1]}"


def counts_of(places):
    """The plain counts of one position or two, which are these positions themselves."""
    if len(places) == 1:
        return f"The plain count of position {places[0]} is {places[0]}"
    one, two = places
    return f"The plain counts of positions {one} and {two} are {one} and {two}"


def absent(places, length):
    """Those of the positions that a text of this length does not have, in words."""
    gone = [str(t) for t in places if t not in range(length)]
    return f"no position{'s' * (len(gone) - 1)} {' and '.join(gone)}" if gone else ""


def same_value_text(length, value):
    here, there = (around(value, count) for count in (length, 11))
    word, word_there = (named(p, "position", "between positions") for p in (here, there))
    counts = counts_of(there)
    beside = "beside a word’s entries of about 1"
    if length == 11:
        return (
            f"In both texts, of 11 words each, {value:g} is {word_there}. One step is 0.100 in "
            f"both. {counts}; the last is 10, {beside}."
        )
    none = absent(there, length)
    verb = "are" if "positions" in none else "is"
    counted = f"{counts} {f'there, and here there {verb} {none}' if none else 'in both'}"
    # A half goes up in JavaScript; Python would take 0.0625 to 0.062.
    step = Decimal(1 / (length - 1)).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return (
        f"In a text of {length} words {value:g} is {word}; in one of 11 words it is "
        f"{word_there}. One step is {step} here, 0.100 there. {counted}; "
        f"but the last is {length - 1} here, 10 there, {beside}."
    )


def count_row(length):
    return count(range(length))[:, 0]


def check_same_value(page, length, value):
    settled(page)
    share, plain = (page.locator(".ex-drawings svg").nth(k) for k in (0, 1))
    rings = share.locator("circle[fill=none]").all()
    dots = share.locator("circle:not([fill=none])").all()
    brackets = share.locator("line[stroke-width='4']").all()
    rows = zip((length, 11), rings, brackets, (dots[:200], dots[200:]), strict=True)
    for words, ring, bracket, row in rows:
        values = normalized_count(range(words), words)[:, 0]
        place = around(value, words)
        drawn = [number(dot, "cx") / 100 for dot in visible(row)]
        assert np.allclose(drawn, values, atol=1e-5)
        # A ring goes round the position that has the value. Where none has it there is no ring,
        # and the bracket of one step reaches from the position before to the one after.
        assert (ring.get_attribute("visibility") == "visible") == (len(place) == 1)
        assert number(ring, "cx") / 100 == pytest.approx(value, abs=1e-5)
        ends = sorted(number(bracket, end) / 100 for end in ("x1", "x2"))
        assert ends[1] - ends[0] == pytest.approx(1 / (words - 1), abs=1e-4)
        if len(place) == 2:
            assert ends == pytest.approx(values[place], abs=1e-5)
        assert {
            named(place, "position", "between"), f"one step: {values[1]:.3f}",
        } <= set(texts(page, "svg text"))  # fmt: skip
    for marker in share.locator("line[stroke-dasharray]").all():
        assert number(marker, "x1") == number(marker, "x2") == pytest.approx(100 * value)
    assert f"your text: {length} words" in texts(page, "svg text")

    # At the plain count, what the value names in the other text has one place in both.
    there = around(value, 11)
    shown = [len(there) == 1 and there[-1] < words for words in (length, 11)]
    plain_rings = plain.locator("circle[fill=none]").all()
    assert [ring.get_attribute("visibility") == "visible" for ring in plain_rings] == shown
    for ring in plain_rings:
        assert number(ring, "cx") / 100 == pytest.approx(value * 10 / 199, abs=1e-5)
    label = absent(there, length) or named(there, "position", "between")
    assert label == texts(plain, "text")[1]
    assert f"last: {length - 1}" in texts(page, "svg text")

    # The entries of a word, −1 to 1, stand on the scale of the counts.
    counts = [number(dot, "cx") for dot in visible(plain.locator("circle:not([fill=none])").all())]
    assert np.allclose(counts, 100 * np.r_[count_row(length), count_row(11)] / 199, atol=1e-3)
    entries = plain.locator("line[stroke-width='10']")
    ends = [number(entries, end) * 199 / 100 for end in ("x1", "x2")]
    assert ends == pytest.approx([-1, 1], abs=1e-2)
    assert said(page) == same_value_text(length, value)


def test_length_and_value_with_keys(chromium, tmp_path):
    with opened(chromium, tmp_path, SameValue()) as page:
        length, value = slider(page, "words in the text"), page.get_by_role("slider").nth(1)
        check_same_value(page, 51, 0.8)
        press(page, length, "ArrowRight", times=3)
        check_same_value(page, 54, 0.8)
        press(page, value, "ArrowRight")
        check_same_value(page, 54, 0.85)
        press(page, length, "Home")
        check_same_value(page, 2, 0.85)
        press(page, length, "ArrowRight", times=9)
        check_same_value(page, 11, 0.85)
        press(page, length, "End")
        check_same_value(page, 200, 0.85)
        press(page, value, "Home")
        check_same_value(page, 200, 0)
        press(page, value, "End")
        check_same_value(page, 200, 1)


def test_a_value_that_no_position_has_lies_between_two(chromium, tmp_path):
    with opened(chromium, tmp_path, SameValue(length=6, value=0.5)) as page:
        check_same_value(page, 6, 0.5)
        assert said(page) == (
            "In a text of 6 words 0.5 is between positions 2 and 3; in one of 11 words it is "
            "position 5. One step is 0.200 here, 0.100 there. The plain count of position 5 is 5 "
            "in both; but the last is 5 here, 10 there, beside a word’s entries of about 1."
        )
        press(page, slider(page, "words in the text"), "ArrowLeft")
        check_same_value(page, 5, 0.5)
        assert "position 5 is 5 there, and here there is no position 5; but" in said(page)


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
    found.push([document.querySelector(".ex-said").textContent, labels[1], labels[4]]);
  }
  window.requestAnimationFrame = ask;
  return found;
}"""


def test_the_drawing_and_the_text_agree_at_every_setting_of_the_sliders(chromium, tmp_path):
    with opened(chromium, tmp_path, SameValue(length=2, value=1)) as page:
        for value in np.round(np.arange(21) / 20, 2):
            there = around(value, 11)
            found = page.evaluate(PLAIN_COUNTS, float(value))
            for length, (text, mine, other) in enumerate(found, start=2):
                assert text == same_value_text(length, value)
                none = absent(there, length)
                assert mine == none or (not none and mine == other)
                assert (f" {mine}; but the last" in text) == bool(none)
                assert other == named(there, "position", "between")


def test_the_entries_of_a_word_are_of_the_order_of_one():
    """What the bar of −1 to 1 stands for: the typical entry of the words of the book."""
    assert np.std(Shuffle().vectors) == pytest.approx(1, abs=0.2)


def test_the_note_says_why_each_count_fails(chromium, tmp_path):
    with opened(chromium, tmp_path, SameValue()) as page:
        [note] = texts(page, ".ex-drawings > p")
        assert "plain count fails by its size" in note
        assert "normalized count fails by its meaning" in note


@pytest.mark.parametrize("share", [0.05, 0.5, 0.97])
def test_length_and_value_with_the_mouse(chromium, tmp_path, share):
    with opened(chromium, tmp_path, SameValue()) as page:
        for control in page.get_by_role("slider").all():
            at_share(page, control, share)
            length, value = (float(c.input_value()) for c in page.get_by_role("slider").all())
            check_same_value(page, int(length), value)
        assert length != 51
        assert value != 0.8


# Chapter 3

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]


def coded(position, gray):
    return binary(position ^ (position >> 1) if gray else position, 8)


def check_bits(page, position, gray=False):
    settled(page)
    table, cube = (page.locator(".ex-drawings svg").nth(k) for k in (0, 1))
    bits = coded(position, gray)
    following = coded(position + 1, gray) if position < 255 else bits
    flipped = bits != following
    frames = table.locator("rect").all()
    digits = [int(text) for text in table.locator("rect + text").all_text_contents()]
    assert digits[:8] == bits.tolist()
    arrows = table.locator("path").all()
    assert [a.get_attribute("visibility") == "visible" for a in arrows] == flipped.tolist()
    strokes = [frame.get_attribute("stroke") for frame in frames]
    framed = ["var(--ex-accent)" if flips else "var(--ex-soft)" for flips in flipped]
    assert strokes == [*["var(--ex-soft)"] * 8, *framed]

    # The cube is drawn by a linear map: the corner of each bit gives all the others.
    points = {}
    for dot, code in zip(cube.locator("circle[r='4.5']").all(), np.ndindex(2, 2, 2), strict=True):
        points[code] = np.array([number(dot, "cx"), number(dot, "cy")])
    origin = points[0, 0, 0]
    sides = [points[side] - origin for side in [(1, 0, 0), (0, 1, 0), (0, 0, 1)]]
    for code, point in points.items():
        assert np.allclose(point, origin + code @ np.array(sides))

    def corner(code):
        return points[tuple(code[-3:].astype(int))]

    block = range(position - position % 8, position - position % 8 + 8)
    path = cube.locator("polyline").get_attribute("points").split()
    assert np.allclose(
        [[float(n) for n in point.split(",")] for point in path],
        [corner(coded(t, gray)) for t in block],
    )
    here, there = cube.locator("circle[r='9']").all()
    assert np.allclose([number(here, "cx"), number(here, "cy")], corner(bits))
    assert np.allclose([number(there, "cx"), number(there, "cy")], corner(following))
    stays = not flipped[-3:].any()
    assert (there.get_attribute("visibility") == "hidden") == stays
    assert (cube.locator("path").last.get_attribute("d") == "") == stays
    labels = ", ".join(cube.locator("text").all_text_contents()[:8]).split(", ")
    beyond = [position + 1] if position % 8 == 7 and position < 255 else []
    assert sorted(map(int, labels)) == [*block, *beyond]

    assert "the cube shows only the lowest three bits" in texts(cube, "text")
    on_cube = [text for text in texts(cube, "text") if text.startswith("flips on the cube: ")]
    shown, total = int(flipped[-3:].sum()), int(flipped.sum())
    if position == 255:
        assert on_cube == []
    else:
        part = f"none of {total}, so no arrow" if stays else f"{shown} of {total}"
        assert on_cube == [f"flips on the cube: {part}"]

    names = ["last bit", "2nd last", "3rd last"] if gray else ["ones", "twos", "fours"]
    assert cube.locator("text").all_text_contents()[8:11] == names
    for text, side in zip(cube.locator("text").all()[8:11], reversed(sides), strict=True):
        # Its letters stand beside the middle of an edge of that bit.
        x, y = number(text, "x"), number(text, "y")
        across = {"start": 18, "middle": 0, "end": -18}[text.get_attribute("text-anchor")]
        middles = [
            point + side / 2
            for point in points.values()
            if any(np.allclose(point + side, other) for other in points.values())
        ]
        assert min(np.hypot(*(middle - (x + across, y - 4))) for middle in middles) < 30

    steps = np.linalg.norm(np.diff([coded(t, gray) for t in range(256)], axis=0), axis=1)
    steps = [f"{step:.2f}" for step in (steps.min(), steps.max())]
    lengths = (
        f"all steps are {steps[0]} long" if gray else f"steps are from {' to '.join(steps)} long"
    )
    assert lengths in texts(table, "text")

    heads = table.locator("text").all_text_contents()[:8]
    assert heads == ([""] * 8 if gray else [str(2**k) for k in range(7, -1, -1)])
    if position == 255:
        assert said(page) == (
            "255 is the last position that eight bits can write: 256 needs a ninth."
        )
        return
    assert digits[8:] == following.tolist()
    count, gap = int(flipped.sum()), np.linalg.norm(following - bits)
    assert f"flips: {count}, distance: √{count} = {gap:.2f}" in texts(page, "svg text")
    bits_flip = f"{NUMBERS[count]} {'bit flips' if count == 1 else 'bits flip'}"
    expected = f"From {position} to {position + 1} {bits_flip}: the distance is {gap:.2f}."
    sentence = said(page)
    assert sentence.startswith(expected)
    hidden = "The three lowest bits do not change: the cube, which shows only these, has no arrow."
    assert (hidden in sentence) == stays
    if jump := re.search(r"The jump from (\d+) to (\d+) flips (.*)$", sentence):
        start, far = map(int, jump.groups()[:2])
        assert start == position
        assert abs(far - position) > 1
        assert np.abs(coded(far, gray) - bits).sum() == 1
        nearer = np.linalg.norm(coded(far, gray) - bits) < gap
        assert jump[3] == (
            f"only one: {far} is nearer to {position} than the next position is."
            if nearer
            else f"one, too: {far} is as near to {position} as the next position is."
        )


def test_position_and_code_with_keys(chromium, tmp_path):
    with opened(chromium, tmp_path, Bits()) as page:
        position, gray = slider(page, "position"), page.get_by_label("Gray code")
        after = page.get_by_role("button", name="next")
        check_bits(page, 31)
        press(page, position, "ArrowRight")
        check_bits(page, 32)
        press(page, position, "Home")
        check_bits(page, 0)
        for t in range(1, 17):
            press(page, after, "Enter")
            check_bits(page, t)
        press(page, gray, "Space")
        for t in range(17, 34):
            check_bits(page, t - 1, gray=True)
            press(page, after, "Space")
        press(page, gray, "Space")
        check_bits(page, 33)
        press(page, position, "End")
        check_bits(page, 255)
        press(page, after, "Enter")  # there is none
        check_bits(page, 255)
        assert after.get_attribute("aria-disabled") == "true"
        press(page, position, "ArrowLeft")
        check_bits(page, 254)
        assert after.get_attribute("aria-disabled") == "false"


def test_a_step_that_is_not_on_the_cube_is_said(chromium, tmp_path):
    with opened(chromium, tmp_path, Bits(position=7, gray=True)) as page:
        check_bits(page, 7, gray=True)
        assert "the cube, which shows only these, has no arrow" in said(page)
        assert "flips on the cube: none of 1, so no arrow" in texts(page, "svg text")


@pytest.mark.parametrize("start", [0, 3, 7, 63, 127, 128, 191, 223, 254, 255])
def test_position_and_code_with_the_mouse(chromium, tmp_path, start):
    with opened(chromium, tmp_path, Bits(position=start)) as page:
        check_bits(page, start)
        page.get_by_label("Gray code").click()
        check_bits(page, start, gray=True)
        page.get_by_role("button", name="next").click(force=True)  # at the end it is disabled
        check_bits(page, min(start + 1, 255), gray=True)
        at_share(page, slider(page, "position"), 0.4)
        position = int(slider(page, "position").input_value())
        assert 80 < position < 120
        check_bits(page, position, gray=True)


# All three


def test_figures_on_one_page_do_not_disturb_one_another(chromium, tmp_path):
    figures = [Shuffle(), Bits(), SameValue(), Shuffle(causal=True, order=[4, 3, 2, 1, 0]), Bits()]
    with opened(chromium, tmp_path, *figures) as page:
        boxes = page.locator(".moving-figure")
        settled(page)
        before = [box.inner_html() for box in boxes.all()]
        assert page.locator(".moving-figure [id]").count() == 0
        boxes.nth(0).get_by_role("button", name="shuffle").click()
        boxes.nth(1).get_by_role("button", name="next").click()
        press(page, boxes.nth(2).get_by_role("slider").first, "ArrowRight")
        after = [box.inner_html() for box in boxes.all()]
        changed = [old != new for old, new in zip(before, after, strict=True)]
        assert changed == [True, True, True, False, False]


LETTERS = """() => [...document.querySelectorAll(".moving-figure :not(style)")]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => {
    const svg = e.closest("svg");
    const scale = svg?.getAttribute("viewBox") && e.ownerSVGElement
      ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return parseFloat(getComputedStyle(e).fontSize) * scale;
  })"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 375, 768, 1280, 1600])
def test_no_overflow_and_no_small_letters(chromium, tmp_path, width, theme):
    figures = [
        Shuffle(order=[4, 3, 2, 1, 0]),
        SameValue(length=200, value=0.35),
        Bits(position=254),
    ]
    size = {"size": (width, 900), "theme": theme}
    with opened(chromium, tmp_path, *figures, **size) as page:
        settled(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert min(page.evaluate(LETTERS)) >= 12
        for button in page.get_by_role("button").all():  # room for a finger
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_axe_finds_nothing(chromium, tmp_path, width, theme):
    figures = Shuffle(order=[1, 0, 2, 3, 4], causal=True), SameValue(), Bits()
    with opened(chromium, tmp_path, *figures, theme=theme, size=(width, 900)) as page:
        settled(page)
        assert violations(page) == []


def test_print_shows_the_drawing_without_what_can_be_pressed(chromium, tmp_path):
    with opened(chromium, tmp_path, Shuffle(), SameValue(), Bits()) as page:
        page.emulate_media(media="print")
        pressed = page.locator(".moving-figure :is(button, input[type=range])").all()
        assert pressed
        assert not any(control.is_visible() for control in pressed)
        assert all(drawing.is_visible() for drawing in page.locator(".moving-figure svg").all())


@pytest.mark.parametrize("figure", [SameValue, Bits])
def test_a_step_takes_less_than_a_frame_and_a_thousand_leave_nothing(chromium, tmp_path, figure):
    with opened(chromium, tmp_path, figure()) as page:
        for index in range(len(SLIDERS[figure])):
            assert median_step(page, index) < 16
        memory, nodes = heap(page)
        median_step(page, 0, steps=1000)
        memory_after, nodes_after = heap(page)
        assert nodes_after - nodes < 20
        assert memory_after - memory < 300_000


def test_a_thousand_moves_of_a_word_are_quick_and_leave_nothing(chromium, tmp_path):
    moves = """async (moves) => {
      const button = document.querySelector("[aria-label='move dog right']");
      const ask = requestAnimationFrame;
      const frame = () => new Promise((done) => ask(done));
      let drawing = 0;
      window.requestAnimationFrame = (draw) => ask((now) => {
        const start = performance.now();
        draw(now);
        drawing += performance.now() - start;
      });
      for (let k = 0; k < moves; k++) {
        button.click();
        await frame();
      }
      await frame();
      window.requestAnimationFrame = ask;
      return drawing / moves;
    }"""
    with opened(chromium, tmp_path, Shuffle(positions=True)) as page:
        page.evaluate(moves, 20)
        memory, nodes = heap(page)
        assert page.evaluate(moves, 1000) < 16
        memory_after, nodes_after = heap(page)
        assert nodes_after - nodes < 20
        assert memory_after - memory < 300_000


# In the book: every page with figures

VIEWS = Counter(
    {
        name: (HTML / name).read_text("utf8").count("widget-view+json")
        for name in pages()
        if not name.startswith("exercises/")  # questions: test_exercises.py
    }
)
every_page_with_figures = pytest.mark.parametrize("name", +VIEWS)


@every_page_with_figures
def test_without_scripts_there_is_a_described_picture(name, chromium, address):
    context, log = chromium.new_context(java_script_enabled=False), Log()
    page = context.new_page()
    with log.watching(page, address + "/"):
        page.goto(f"{address}/{name}")
        stills = page.locator(".anyhost-off img")
        assert stills.count() == VIEWS[name]
        for still in stills.all():
            still.scroll_into_view_if_needed()
            assert len(still.get_attribute("alt")) >= 40
            assert still.evaluate("still => still.decode().then(() => still.naturalWidth)") > 600
            assert still.bounding_box()["width"] > 400
    context.close()
    assert log.foreign == []


# The listener is the last, so what an earlier one has drawn is there.
COUNT_ON_PAPER = """() => addEventListener("beforeprint", () => {
  window.onPaper = document.querySelectorAll("[data-mounted] .moving-figure .ex-said").length;
})"""


@every_page_with_figures
def test_every_figure_is_drawn_on_paper_before_the_page_is_scrolled(name, chromium, address):
    page = chromium.new_page(viewport={"width": 1280, "height": 400})
    page.goto(f"{address}/{name}")
    page.wait_for_function(READY)
    page.evaluate(COUNT_ON_PAPER)
    page.pdf()
    assert page.evaluate("onPaper") == VIEWS[name]
    page.close()


@every_page_with_figures
def test_every_figure_is_drawn_in_a_preview_of_paper(name, chromium, address):
    page = chromium.new_page(viewport={"width": 1280, "height": 400})
    page.goto(f"{address}/{name}")
    page.wait_for_function(READY)
    page.emulate_media(media="print")
    page.wait_for_function(MOUNTED, arg=VIEWS[name])
    for figure in page.locator(".moving-figure").all():
        assert figure.bounding_box()["height"] > 300
    page.close()
