"""Cache: the dials, the bars and the text against keys that `rotate` turned."""

import numpy as np
import pytest

import pecode
from figures import Cache

from ..browser_fixtures import ALL_PAGES
from .page import (
    choose,
    near,
    number,
    numbers,
    press,
    said,
    settled,
    shapes,
    sizes,
    slider,
    texts,
    visible,
)
from .values import refuses, takes

OPERATIONS = ["append", "evict", "renumber", "front", "join"]
KEY = np.array([1.0, 0.0] * 4)  # every key and the query, before they are turned
OMEGAS = pecode.frequencies(8, 16)
LETTERS = "ABCDEFGH"


def test_values():
    assert repr(Cache()) == "Cache(by=3, operation='front', turn=0)"
    takes(Cache, operation=OPERATIONS, by=[1, 5], turn=[-8, 12])
    refuses(Cache, operation=["move"], by=[0, 6, 1.5], turn=[-9, 13])


def after(operation, by):
    """Of each key its name, what it is turned to, its ID and whether it is asked; and the next."""
    old = [(name, s, s, True) for s, name in enumerate(LETTERS)]
    new = [("abcde"[k], k) for k in range(by)]
    still = [(name, s, s, False) for name, s, _, _ in old]
    kept = [k for k in range(8) if not 2 <= k < 2 + by]
    if operation == "append":
        return old + [(name, 8 + k, 8 + k, False) for name, k in new], 8 + by
    if operation == "evict":
        return [(*old[k][:3], k >= 2) if k in kept else (*old[k][:2], None, False)
                for k in range(8)], 8  # fmt: skip
    if operation == "renumber":
        return [(*old[k][:2], k if k < 2 else k - by, k >= 2) for k in kept], 8 - by
    if operation == "front":
        return [(name, k, k, False) for name, k in new] + [
            (name, s, s + by, True) for name, s, _, _ in old
        ], 8 + by
    return still + [(name, k, 8 + k, True) for name, k in new], 8 + by


def check(page, operation, by, turn):
    """Compare the picture and the text; return how many scores are wrong."""
    settled(page)
    row, query = after(operation, by)
    q = pecode.rotate(KEY, query, base=16)
    held = [(name, s, i, s + turn * asked) for name, s, i, asked in row if i is not None]
    now, due = (
        np.array([q @ pecode.rotate(KEY, each[k], base=16) / 4 for each in held]) for k in (3, 2)
    )
    cells = page.locator(".ex-drawings svg:visible")
    assert cells.count() == len(row) + 1
    places = [page.locator(".ex-drawings svg").nth(k) for k in range(len(row))]
    k = 0
    for place, (name, _, i, _) in zip(places, row, strict=True):
        words = place.locator("text:visible").all_text_contents()
        if i is None:
            assert words[:2] == [name, "gone"]
            assert place.locator("rect").is_hidden()
            continue
        assert words == [name, f"ID {i}", number(now[k])]
        bar, line = place.locator("rect"), place.locator("line").last
        height = float(bar.get_attribute("height")) * (1 if now[k] > 0 else -1)
        assert height == pytest.approx(32 * now[k], abs=1e-6)
        assert float(line.get_attribute("y1")) == pytest.approx(128 - 32 * due[k], abs=1e-6)
        angle = OMEGAS[2] * held[k][3]
        hand = [float(place.locator("line").first.get_attribute(each)) for each in ("x2", "y2")]
        assert near([hand], [[22 + 19 * np.cos(angle), 42 - 19 * np.sin(angle)]], 1e-6)
        ring = [float(place.locator("circle").nth(1).get_attribute(each)) for each in ("cx", "cy")]
        angle = OMEGAS[2] * i
        assert near([ring], [[22 + 19 * np.cos(angle), 42 - 19 * np.sin(angle)]], 1e-6)
        k += 1
    assert texts(page, f"{len(row)} text")[:2] == ["next", f"ID {query}"]
    wrong = np.abs(now - due) > 1e-9
    if wrong.any():
        most = number(np.abs(now - due).max())
        differ = "differs" if wrong.sum() == 1 else "differ"
        verdict = (
            f"{wrong.sum()} of {len(now)} scores {differ} from those of one pass, by up to {most}."
        )
    else:
        verdict = f"all {len(now)} scores are those of one pass."
    turned = f"Turned by R({number(turn, 0)}), " if turn else "Not turned, "
    assert said(page).endswith(turned + verdict)
    ids = ", ".join(f"{name} {i}" for name, _, i, _ in held)
    scores = ", ".join(number(score) for score in now)
    assert numbers(page).startswith(f"IDs: {ids}. Scores: {scores}. ")
    return wrong.sum()


@pytest.mark.parametrize("by", [1, 3, 5] if ALL_PAGES else [5])
def test_each_operation_is_mended_by_its_own_turn(by, on_page):
    right = {"append": 0, "evict": 0, "renumber": -by, "front": by, "join": 8}
    with on_page(Cache(by=by)) as page:
        turn = slider(page, "turn by R(m), m =")
        for k, operation in enumerate(OPERATIONS):
            choose(page, "operation", k)
            turn.fill(str(right[operation]))
            assert check(page, operation, by, right[operation]) == 0
            asked = sum(each[3] for each in after(operation, by)[0])
            for other in {0, right[operation] + 1} - {right[operation]}:
                turn.fill(str(other))
                assert check(page, operation, by, other) == asked  # all that are in question


def test_keys_and_words(on_page):
    with on_page(Cache()) as page:
        assert check(page, "front", 3, 0) == 8
        assert said(page).startswith("A prompt of 3 tokens comes in front, and the IDs of the ")
        press(page, slider(page, "turn by R(m), m ="), "ArrowRight", 3)
        assert check(page, "front", 3, 3) == 0
        press(page, slider(page, "how many tokens"), "ArrowLeft", 2)
        assert check(page, "front", 1, 3) == 7  # H, now one ahead, scores as one after it
        assert "A prompt of 1 token comes" in said(page)
        choose(page, "operation", 1)
        assert said(page).startswith("Key C is gone, every other key keeps its ID, and the next ")
        choose(page, "operation", 2)
        assert "later IDs shrink by 1, and the next token has 7." in said(page)
        assert len(shapes(page, "[data-mark=due]", "cx")) > 8
        assert not all(visible(page, "[data-mark=due]"))
        assert sizes(page, "0 rect", "width").tolist() == [[16]]
