"""WordClock: words, hands, waves and table against pecode.sinusoidal."""

import numpy as np

import pecode
from figures import WordClock

from .page import (
    drag_to,
    near,
    path,
    press,
    said,
    settled,
    shapes,
    sizes,
    slider,
    strengths,
    texts,
)
from .values import refuses, takes

WORDS = ["the", "dog", "bit", "the", "man", "and", "the", "man", "bit", "the", "dog"]
TABLE = pecode.sinusoidal(range(11), 8, base=16)
MIDDLES = 92 + 62 * np.arange(4)
ROWS = 94 + 19 * np.arange(11)


def test_values():
    assert repr(WordClock()) == "WordClock(position=4)"
    takes(WordClock, position=[0, 10])
    refuses(WordClock, position=[-1, 11, 0.5])


def test_no_two_words_have_one_row():
    """What is said under the figure on the first page."""
    rows = TABLE.round(3)
    assert len(np.unique(rows, axis=0)) == len(WORDS)
    assert pecode.frequencies(8, base=16).tolist() == [1, 0.5, 0.25, 0.125]


def check(page, position):
    """Compare what is drawn and said with pecode."""
    settled(page)
    sines, cosines = TABLE[:, ::2], TABLE[:, 1::2]
    tips = np.stack([MIDDLES + 26 * sines[position], 46 - 26 * cosines[position]], axis=1)
    assert near(sizes(page, "0 g > circle[fill^=var]", "cx", "cy"), tips, 1e-6)
    for k in range(4):
        wave = np.stack([MIDDLES[k] + 26 * sines[:, k], ROWS], axis=1)
        whole, past, dots = (path(page, "0 path[stroke*=main]", 3 * k + n) for n in range(3))
        assert near(whole[::12], wave)
        assert near(past[-1], wave[position])
        assert near(dots, wave[: position + 1])
    cells = strengths(page, "1 g[data-mark=row] rect").reshape(11, 8)
    assert near(cells, TABLE, 6e-4)
    seen = sizes(page, "1 g[data-mark=row]", "opacity")[:, 0]
    assert near(seen, np.where(np.arange(11) <= position, 1, 0.16), 1e-3)
    bands = sizes(page, "rect[data-mark=word]", "y", "height")
    assert near(bands, [[ROWS[position] - 9.5, 19]] * 2, 1e-6)
    words = shapes(page, "0 g[style*=font-weight]", "style")
    assert [t for t, [style] in enumerate(words) if "700" in style] == [position]
    assert texts(page, "0 g[style*=font-weight] text:last-child") == WORDS
    assert said(page) == (
        f"Word {position}, “{WORDS[position]}”, learns where it stands from four hands, each half "
        f"as fast as the one before. Their sines and cosines are row {position} of a table."
    )


def test_keys_words_and_hands(on_page):
    with on_page(WordClock()) as page:
        check(page, 4)
        press(page, slider(page, "position t"), "ArrowRight", 3)
        check(page, 7)
        page.locator(".ex-drawings svg").first.locator("text", has_text="bit").first.click()
        check(page, 2)
        box = page.locator(".ex-drawings svg").first.bounding_box()
        hand = page.locator(".ex-drawings g[data-mark=hands]").nth(2).locator("circle").last
        angle = 0.25 * 9  # of the third hand at word 9
        drag_to(
            page, hand, box["x"] + MIDDLES[2] + 26 * np.sin(angle),
            box["y"] + 46 - 26 * np.cos(angle),
        )  # fmt: skip
        check(page, 9)


def test_it_plays_word_by_word_to_the_last(on_page):
    with on_page(WordClock(), clock=True, reduced_motion="no-preference") as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        page.locator(".ex-play").click()
        page.clock.run_for(300)
        [[y]] = sizes(page, "0 rect[data-mark=word]", "y")
        assert ROWS[4] - 9.5 < y < ROWS[5] - 9.5
        page.clock.run_for(6000)
        page.clock.resume()
        check(page, 10)
        assert page.locator(".ex-play").inner_text() == "play"


def test_the_table_stands_beside_the_waves_where_there_is_room(on_page):
    with on_page(WordClock()) as page:
        table = page.locator(".ex-drawings svg").last
        row = page.locator(".ex-said .ex-named[data-mark=row]")
        underlined = "e => getComputedStyle(e).borderBottomStyle === 'dotted'"
        assert table.is_visible()
        assert row.evaluate(underlined)
        page.set_viewport_size({"width": 390, "height": 844})
        settled(page)
        assert not table.is_visible()  # a word would point at nothing
        assert not row.evaluate(underlined)
        page.emulate_media(media="print")
        assert table.is_visible()
        assert row.evaluate(underlined)
