"""BaseBound: curves, dips and text against the similarity of pecode."""

import numpy as np
import pytest

import pecode
from figures import BaseBound, base_bound
from pecode.diagnose import config
from pecode.diagnose.configuration import models

from .page import near, path, press, said, sizes, slider, texts, visible
from .values import refuses, takes

LONGEST = 16_384
BASES = 1000 * 10 ** (np.arange(121) / 30)


def test_values():
    assert repr(BaseBound()) == "BaseBound(base=10000.0, length=4096)"
    takes(BaseBound, base=[1000.0, 500_000, 1e7], length=[256, 16_384])
    refuses(BaseBound, base=[999.0, 2e7, float("nan")], length=[255, 16_385, 300.5])


def test_the_models_have_the_bases_and_lengths_of_their_files():
    names = {"Llama 2": "llama-2-7b", "Llama 3": "llama-3.1-8b"}
    for name, (base, length) in base_bound._MODELS.items():
        layer = config(models()[names[name]]["settings"]).layers[0]
        assert (layer.base, layer.trained_length, layer.head_dim) == (base, length, 128)


def preference(base):
    return np.cos(np.outer(np.arange(LONGEST), pecode.frequencies(128, base))).mean(axis=1)


def first_negative(base):
    negative = np.flatnonzero(preference(base) < 0)
    return int(negative[0]) if len(negative) else None


@pytest.fixture(scope="module")
def firsts():
    return [first_negative(base) for base in BASES]


def across(share):
    return 50 + share * (320 - 58)


def down(share):
    return 26 + (1 - share) * (250 - 70)


def height_of_first(first):
    return down(np.log((first or LONGEST) / 128) / np.log(LONGEST / 128))


def check(page, base, length, firsts):
    """Compare both drawings and the text with pecode; return whether the base passes."""
    sums, first = preference(base), first_negative(base)
    curve = path(page, "0 path", 2)
    heights = down((sums[1:] + 0.35) / 1.35)
    for m in (1, 2, 3, 5):  # where a distance has a place of its own
        x = np.round(across(np.log(m) / np.log(LONGEST)))
        found = curve[np.abs(curve[:, 0] - x) < 0.01, 1]
        assert np.abs(found - heights[m - 1]).min() < 0.06
    assert curve[:, 1].min() == pytest.approx(heights.min(), abs=0.06)
    assert curve[:, 1].max() == pytest.approx(heights.max(), abs=0.06)
    assert visible(page, "0 circle") == [first is not None]
    if first is not None:
        at = across(np.log(first) / np.log(LONGEST))
        assert near(sizes(page, "0 circle", "cx"), [[at]], 1e-6)
    line = path(page, "1 path", 1)
    assert near(line[:, 1], [height_of_first(each) for each in firsts])
    at = across(np.log(base / 1000) / np.log(10_000))
    assert near(sizes(page, "1 circle", "cx", "cy")[-1:], [[at, height_of_first(first)]], 1e-6)
    text = said(page)
    passes = first is None or first > length
    if first is None:
        assert f"Base {base:,} stays positive up to 16,384, so it passes for {length:,} " in text
    else:
        word = "passes" if passes else "fails"
        start = f"Base {base:,} first dips below zero at distance {first:,}, so it {word} for "
        assert text.startswith(f"{start}{length:,} tokens. ")
    larger = [f for b, f in zip(BASES, firsts, strict=True) if b > base * (1 + 1e-9)]
    failing = sum(f is not None and f <= length for f in larger)
    if failing:
        assert f"Of the {len(larger)} larger bases drawn, {failing} fail" in text
    elif larger:
        assert f"all {len(larger)} larger bases" in text or "the one larger base" in text
    return passes


def test_bases_and_lengths(on_page, firsts):
    with on_page(BaseBound()) as page:
        base, length = slider(page, "base"), slider(page, "tokens in a text")
        assert not check(page, 10_000, 4096, firsts)
        assert first_negative(10_000) == 1707  # the words of the chapter
        for exponent, passes in [("4.46", True), ("4.58", False), ("4.72", True), ("7", True)]:
            base.fill(exponent)
            value = round(10 ** float(exponent))
            assert check(page, value, 4096, firsts) == passes
        press(page, length, "End")
        assert check(page, 10**7, 16_384, firsts)
        press(page, base, "Home")
        assert not check(page, 1000, 16_384, firsts)
        press(page, length, "Home")
        assert check(page, 1000, 256, firsts) == (first_negative(1000) > 256)
        assert texts(page, "1 text")[-2:] == ["Llama 2", "Llama 3"]
