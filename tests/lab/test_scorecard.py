"""The scorecard: every number against a case whose answer is known."""

import dataclasses
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import pecode
from lab import scorecard as module
from lab.scorecard import Scorecard, compare, pairwise_distances, scorecard
from pecode import sinusoidal
from tests import data

CASES = data("lab/scorecards.yml")
ENCODINGS = {
    name: partial(getattr(pecode, function), **options)
    for name, (function, options) in CASES["encodings"].items()
} | {
    "normalized count": lambda p: pecode.normalized_count(p, len(p)),
    "random vectors": lambda p: np.random.default_rng(0).normal(size=(len(p), 6)),
    "a constant": lambda p: np.ones((len(p), 2)),
    "zeros": lambda p: np.zeros((len(p), 2)),
}


@pytest.mark.parametrize("name", CASES["known"])
def test_the_numbers_are_those_that_are_known(name):
    card = scorecard(ENCODINGS[name], length=300)
    for field, known in CASES["known"][name].items():
        found = getattr(card, field)
        if isinstance(known, list):
            assert known[0] < found < known[1], field
        elif isinstance(known, str):
            assert found == pytest.approx(float(Fraction(known)), abs=1e-12), field
        else:
            np.testing.assert_equal(found, known, err_msg=field)


def test_lengths_and_offset_are_used_as_given():
    asked = []

    def encode(positions):
        asked.append(len(positions))
        return (positions % 6 < 2).astype(float)[:, None]  # 1 1 0 0 0 0 1 1 …

    assert not scorecard(encode, length=40, offset=3).has_shift
    assert asked == [40, 20, 160]
    assert scorecard(encode, length=40, offset=6).has_shift


def test_small_distances_are_not_lost_beside_large_entries():
    distances = pairwise_distances(np.array([[1e8], [1e8 + 1e-6]]))
    assert distances[0, 1] == pytest.approx(1e-6, rel=0.02)


def test_a_tie_is_not_nearest():
    # 0 and 2 are as far from 1 as 3 is: no help to position 1
    corners = np.array([[0, 0], [1, 0], [1, 1], [2, 0]], float)
    assert module.neighbors_nearest(pairwise_distances(corners)) == 0.5


# Shown as text

CARD = Scorecard(
    smallest_distance=0.5, defined_beyond=True, largest_entry=1.0, length_change=0.0,
    has_shift=True, width=8, step_ratio=1.0, neighbors_nearest=1.0,
)  # fmt: skip


@pytest.mark.parametrize(("value", "text"), CASES["texts"])
def test_values_are_shown_with_few_digits(value, text):
    card = dataclasses.replace(CARD, smallest_distance=value)
    assert card.shown("smallest_distance") == text


def test_compare_shows_a_row_for_each_card_and_an_arrow_at_each_mark():
    table = compare({"a": CARD, "b": CARD}, mark=iter([("b", "neighbors_nearest")]))
    head, first, second = repr(table).splitlines()
    assert head.split() == [w for h, _ in module.MEANINGS.values() for w in h.split()]
    assert first.startswith("a ")
    assert "←" not in first
    assert second.endswith("1 ←")
    page = table._repr_html_()
    assert page.count("<tr>") == 3
    assert page.count("<strong>") == 1


def test_the_columns_that_are_shown_can_be_chosen():
    head, row = repr(compare({"a": CARD}, columns=["width", "largest_entry"])).splitlines()
    assert head.split() == ["width", "bounded"]
    assert row.split()[1:] == [CARD.shown("width"), CARD.shown("largest_entry")]
    with pytest.raises(ValueError, match=r"^mark: "):
        compare({"a": CARD}, mark=[("a", "width")], columns=["largest_entry"])


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_the_scale_of_the_vectors_changes_only_what_has_a_scale(scale):
    plain = scorecard(lambda t: sinusoidal(t, 8), length=200)
    other = scorecard(lambda t: scale * sinusoidal(t, 8), length=200)
    assert other.smallest_distance == pytest.approx(scale * plain.smallest_distance)
    assert other.neighbors_nearest == plain.neighbors_nearest
    assert other.step_ratio == pytest.approx(1)
