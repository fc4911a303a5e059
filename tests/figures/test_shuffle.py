"""Shuffle: the outputs of the words, in any order, against pecode."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest
from traitlets import TraitError

from figures import Bits, Shuffle
from pecode import causal_mask, self_attention, sinusoidal
from pecode.attention import attention_weights

from .page import near, press, said, settled, shapes, strengths, texts
from .values import refuses, takes

WORDS = ["the", "dog", "bit", "the", "man"]
FIRST = [0, 1, 2, 3, 4]
SWAPPED = [3, 1, 2, 0, 4]  # the two equal words: the sentence reads the same
BOXES = list(itertools.product([False, True], repeat=2))


def test_values():
    assert repr(Shuffle()) == (
        "Shuffle(causal=False, looking=1, order=[0, 1, 2, 3, 4], positions=False)"
    )
    takes(Shuffle, order=[[2, 4, 0, 1, 3], FIRST], causal=[True, False], positions=[True, False])
    takes(Shuffle, looking=[0, 4])
    refuses(Shuffle, looking=[-1, 5, True])
    refuses(
        Shuffle, causal=["yes"], positions=[None],
        order=[
            [0, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5], [False, True, 2, 3, 4],
            [0.0, 1.0, 2.0, 3.0, 4.0], WORDS, 3,
        ],
    )  # fmt: skip
    one, other = Shuffle(), Shuffle()
    one.order = FIRST[::-1]
    assert other.order == FIRST


def of_chapter_1():
    """Vectors of the words and three matrices, drawn as in chapter 1."""
    rng = np.random.default_rng(0)
    vocabulary = {word: rng.normal(size=16) for word in ["the", "dog", "bit", "man"]}
    return np.stack([vocabulary[word] for word in WORDS]), rng.normal(scale=0.25, size=(3, 16, 16))


def test_the_numbers_are_those_of_chapter_1():
    vectors, matrices = of_chapter_1()
    figure = Shuffle()
    assert figure.words == WORDS
    assert np.array_equal(figure.vectors, vectors)
    assert np.array_equal([figure.w_query, figure.w_key, figure.w_value], matrices)
    for name in ["words", "vectors", "w_query", "w_key", "w_value"]:
        with pytest.raises(TraitError, match=f"{name}.*read-only"):
            setattr(figure, name, [])


def attended(order, causal=False, positions=False):
    """Return the outputs of chapter 1 for the words in an order."""
    vectors, matrices = of_chapter_1()
    x = vectors[order] + (sinusoidal(range(5), 16) if positions else 0)
    return self_attention(x, *matrices, mask=causal_mask(5) if causal else None)


def shares(order, looking, causal=False, positions=False):
    """Return the weights that a word gives, in the original order of the words."""
    vectors, [query, key, _] = of_chapter_1()
    x = vectors[order] + (sinusoidal(range(5), 16) if positions else 0)
    weights = attention_weights(x, query, key, mask=causal_mask(5) if causal else None)
    return weights[order.index(looking)][np.argsort(order)]


@pytest.mark.parametrize("positions", [False, True])
def test_with_the_mask_an_output_stays_where_the_words_seen_are_the_same(positions):
    """The reason that the figure gives, for all orders, and the other way round too."""

    def seen(order, slot):
        places = [(WORDS[k], t if positions else None) for t, k in enumerate(order[: slot + 1])]
        shares = {place: count / len(places) for place, count in Counter(places).items()}
        return slot if positions else None, shares  # two of two are as good as one of one

    before = attended(FIRST, causal=True, positions=positions)
    for order in itertools.permutations(FIRST):
        after = attended(list(order), causal=True, positions=positions)
        for slot, k in enumerate(order):
            same = np.allclose(before[k], after[slot], atol=1e-9)
            assert same == (seen(FIRST, k) == seen(order, slot))


def test_with_positions_every_output_changes_if_the_sentence_does():
    """The reason that the figure gives: without a mask it says "every", in all orders but two."""
    before = attended(FIRST, positions=True)
    for order in itertools.permutations(FIRST):
        after = attended(list(order), positions=True)
        same = [np.allclose(before[k], after[slot], atol=1e-9) for slot, k in enumerate(order)]
        assert [WORDS[k] for k in order] == WORDS or not any(same)


def shuffle_text(order, differs, causal, positions):
    sentence = f"“{' '.join(WORDS[k] for k in order)}”"
    average = f"The average over all outputs {'changed' if differs[5] else 'is the same'}."
    changed = sum(differs[:5])
    if order == FIRST:
        return f"{sentence} is the original order. Move a word: will its output change?"
    if order == SWAPPED:
        assert changed == (2 if causal or positions else 0)
        each = "Each has the output that the other had."
        if not changed:
            each = "They are equal, and so are their outputs."
        return (
            f"{sentence} reads as before: only the two “the” have changed places. {each} {average}"
        )
    outcome = f"{changed} of 5 outputs changed."
    if not changed:
        outcome = "Every word keeps its output: it sees the same five words, in whatever order."
    places = " at the same positions" if positions else ", in whatever order"
    if causal:
        outcome += " With the mask, a word sees only itself and those before it: "
        if changed < 5:
            outcome += f"where these are the same words{places}, its output is the same."
        else:
            same = f"the same words{places if positions else ''}"
            outcome += f"for none of the five are these {same} as before."
    elif positions:
        assert changed == 5
        outcome += (
            " A moved word is now another vector (the sum of word and position), and every word "
            "sees all five: so every output changes."
        )
    return f"{sentence}: {outcome} {average}"


def check(page, order, causal=False, positions=False, looking=1):
    """Compare everything that is drawn with what pecode computes."""
    before, after = (attended(o, causal, positions) for o in (FIRST, order))
    settled(page)
    assert texts(page, ".ex-word b") == [*(WORDS[k] for k in order), "all"]
    pairs = [(before[k], after[slot]) for slot, k in enumerate(order)]
    pairs.append((before.mean(axis=0), after.mean(axis=0)))
    scale = np.abs(before).max()
    assert near(strengths(page, ".ex-word rect"), np.clip(np.ravel(pairs) / scale, -1, 1), 6e-4)
    apart = [np.abs(old - new).max() for old, new in pairs]
    differs = [gap > 1e-9 for gap in apart]
    signs = [
        ("≠differs a little" if gap < 0.1 * scale else "≠differs") if gap > 1e-9 else "=same"
        for gap in apart
    ]
    assert texts(page, ".ex-verdict") == signs
    for sign, [name] in zip(signs, shapes(page, ".ex-word svg", "aria-label"), strict=True):
        assert f"in the original order and now: {sign[1:]}" in name
    first, now = (shares(o, looking, causal, positions) for o in (FIRST, order))
    bars = [float(style[8:-3]) for [style] in shapes(page, ".ex-weight i", "style")[:5]]
    assert near(bars, 32 * now[order])
    assert texts(page, ".ex-weight span")[:5] == [f"{share:.2f}" for share in now[order]]
    assert [text for [text] in shapes(page, ".ex-looking b", "text")] == [WORDS[looking]]
    text = shuffle_text(order, differs, causal, positions)
    if order != FIRST:
        same = np.allclose(first, now, atol=1e-9)
        weighs = "gives each word the same weight as before"
        if not same:
            weighs = "now weighs the words differently"
        text += f" “{WORDS[looking]}” {weighs}."
    assert said(page) == text


def read_order(page):
    """Read the order off the places that are written above the words."""
    order = []
    for slot, text in enumerate(texts(page, ".ex-word small")[:5]):
        here, *before = [int(digits) for digits in re.findall(r"\d", text)]
        assert here == slot
        order.append(before[0] if before else slot)
    return order


def mover(page, word, side):
    return page.get_by_role("button", name=f"move {word} {side}", exact=True).first


@pytest.mark.parametrize(("causal", "positions"), BOXES)
def test_boxes_and_buttons(on_page, causal, positions):
    state = {"causal": causal, "positions": positions}
    with on_page(Shuffle()) as page:
        if causal:
            page.get_by_label("causal mask").click()
        if positions:
            press(page, page.get_by_label("add a vector for each position"), "Space")
        check(page, FIRST, **state)
        mover(page, "dog", "left").click()
        check(page, [1, 0, 2, 3, 4], **state)
        if state == {"causal": True, "positions": False}:
            # a mask touches only the words that see others than before
            changed = [text.split()[0] for text in texts(page, ".ex-verdict span:last-child")]
            assert changed == [*["differs"] * 2, *["same"] * 3, "differs"]
        for _ in range(3):
            before = read_order(page)
            page.get_by_role("button", name="shuffle").click()
            settled(page)
            order = read_order(page)
            assert sorted(order) == FIRST
            assert order != before
            check(page, order, **state)
        page.get_by_role("button", name="original order").click()
        check(page, FIRST, **state)


@pytest.mark.parametrize(("causal", "positions"), BOXES)
@pytest.mark.parametrize("order", [SWAPPED, FIRST[::-1]])
def test_equal_words_and_the_order_that_leaves_none(on_page, order, causal, positions):
    with on_page(Shuffle(order=order, causal=causal, positions=positions)) as page:
        check(page, order, causal, positions)
        assert ("for none of the five" in said(page)) == (causal and order != SWAPPED)
        [note] = texts(page, ".ex-note")
        assert note.endswith("Both halves are computed with the boxes as they are ticked.")


def test_words_are_moved_with_the_keyboard_and_the_focus_goes_with_them(on_page):
    with on_page(Shuffle()) as page:
        press(page, mover(page, "bit", "left"), "Enter")
        check(page, [0, 2, 1, 3, 4])
        page.keyboard.press("Space")  # it is still the button of the same word
        check(page, [2, 0, 1, 3, 4])
        page.keyboard.press("Enter")  # the end: nothing further to the left
        check(page, [2, 0, 1, 3, 4])
        focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert focused == "move bit left"
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        check(page, [0, 2, 1, 3, 4])


def middle(column):
    box = column.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.7


def test_words_are_dragged_with_the_mouse(on_page):
    with on_page(Shuffle()) as page:
        columns = page.locator(".ex-word")
        page.mouse.move(*middle(columns.nth(4)))
        page.mouse.down()
        page.mouse.move(*middle(columns.nth(1)), steps=8)
        assert columns.nth(1).evaluate("column => column.classList.contains('ex-held')")
        page.mouse.up()
        assert page.locator(".ex-held").count() == 0
        page.mouse.move(*middle(columns.nth(3)))  # nothing is held any more
        check(page, [0, 4, 1, 2, 3])


def test_words_are_moved_with_a_finger(on_page):
    phone = {"size": (375, 900), "has_touch": True, "is_mobile": True}
    with on_page(Shuffle(), Bits(), **phone) as page:
        mover(page, "man", "left").tap()
        check(page, [0, 1, 2, 4, 3])
        page.get_by_role("button", name="next step", exact=True).tap()
        assert said(page, 1).startswith("From 32 to 33 one bit flips, a distance of 1.00")
        columns = page.locator(".ex-word")
        columns.nth(0).scroll_into_view_if_needed()
        (x, y), (end, _) = middle(columns.nth(0)), middle(columns.nth(4))
        session = page.context.new_cdp_session(page)

        def touch(kind, *across):
            touches = [{"x": x, "y": y} for x in across]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        touch("touchStart", x)
        for share in np.linspace(0.1, 1, 10):
            touch("touchMove", x + share * (end - x))
        touch("touchEnd")
        check(page, [1, 2, 4, 3, 0])


def test_the_word_whose_shares_are_shown_is_chosen(on_page):
    with on_page(Shuffle(order=[4, 1, 3, 0, 2])) as page:
        for looking in (0, 3, 4):
            page.get_by_role("combobox").select_option(index=looking)
            check(page, [4, 1, 3, 0, 2], looking=looking)


def test_the_words_slide_to_their_places(on_page):
    with on_page(Shuffle(), reduced_motion="no-preference") as page:
        place = "columns => columns.map(c => c.getBoundingClientRect().x)"
        columns = page.locator(".ex-word")
        before = columns.evaluate_all(place)
        mover(page, "man", "left").click()
        settled(page)
        running = "() => document.getAnimations().length"
        assert page.evaluate(running) == 2  # the two that change places, and no other
        page.wait_for_function(f"() => ({running})() === 0")
        assert columns.evaluate_all(place) == before
        check(page, [0, 1, 2, 4, 3])
