"""The scorecard: every number against a case whose answer is known."""

import dataclasses

import numpy as np
import pytest

from lab.scorecard import (
    MEANINGS,
    Scorecard,
    compare,
    neighbors_nearest,
    pairwise_distances,
    scorecard,
)
from pecode import binary, count, normalized_count, sine_only, sinusoidal


def near(value, tolerance=1e-12):
    return pytest.approx(value, abs=tolerance)


def random_vectors(positions):
    return np.random.default_rng(0).normal(size=(len(positions), 6))


# Name of a case: an encoding, and what is known of its scorecard. A pair is a range, ends excluded.
CASES = {
    "count": (
        count,
        {
            "smallest_distance": 1, "largest_entry": 299, "length_change": 0, "step_ratio": 1,
            "neighbors_nearest": 1, "defined_beyond": True, "width": 1,
            "has_shift": True,  # by the constant
        },
    ),
    "normalized count": (
        lambda p: normalized_count(p, len(p)),
        {
            "largest_entry": 1, "smallest_distance": near(1 / 299),
            "length_change": near(1 - 149 / 299),  # the last of 150 is in the middle of 300
            "has_shift": True,
        },
    ),
    "binary": (
        lambda p: binary(p, 9),
        {
            "smallest_distance": 1, "neighbors_nearest": (-1, 1), "has_shift": False,
            "step_ratio": near(3),  # from 255 to 256 all nine bits flip: √9
            "defined_beyond": False, "width": 9,
        },
    ),
    "one sine": (
        lambda p: sine_only(p, 1, frequencies=[np.pi / 2]),
        {"smallest_distance": near(0), "largest_entry": 1, "neighbors_nearest": 0},
    ),
    "sine and cosine": (
        lambda p: sinusoidal(p, 12),
        {
            "smallest_distance": (0.9, 1), "largest_entry": 1, "length_change": 0,
            "step_ratio": near(1), "neighbors_nearest": 1, "has_shift": True,
            "defined_beyond": True, "width": 12,
        },
    ),
    # The fastest pair is nearly back after 6 positions, and the other three have hardly moved.
    "four pairs": (lambda p: sinusoidal(p, 8), {"neighbors_nearest": 0}),
    "wide sinusoids": (lambda p: sinusoidal(p, 128), {"has_shift": True}),
    "wide sines": (lambda p: sine_only(p, 64), {"has_shift": False}),
    "random vectors": (random_vectors, {"neighbors_nearest": (-1, 0.1), "has_shift": False}),
    "a constant": (
        lambda p: np.ones((len(p), 2)),
        {
            "smallest_distance": 0, "step_ratio": pytest.approx(np.nan, nan_ok=True),
            "neighbors_nearest": 0, "has_shift": True,
        },
    ),
    "zeros": (lambda p: np.zeros((len(p), 2)), {"has_shift": True}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_are_those_that_are_known(name):
    encode, known = CASES[name]
    card = scorecard(encode, length=300)
    for field, value in known.items():
        found = getattr(card, field)
        assert value[0] < found < value[1] if isinstance(value, tuple) else found == value, field


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
    assert neighbors_nearest(pairwise_distances(corners)) == 0.5


# Shown as text

CARD = Scorecard(
    smallest_distance=0.5, defined_beyond=True, largest_entry=1.0, length_change=0.0,
    has_shift=True, width=8, step_ratio=1.0, neighbors_nearest=1.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (1e-9, "< 1e-6"),
        (0.123456, "0.12"),
        (1.0, "1"),
        (99.4, "99"),
        (99.7, "100"),  # not 1e+02
        (1023.0, "1023"),
        (np.inf, "∞"),
        (np.nan, "–"),
    ],
)
def test_values_are_shown_with_few_digits(value, text):
    card = dataclasses.replace(CARD, smallest_distance=value)
    assert card.shown("smallest_distance") == text


def test_compare_shows_a_row_for_each_card_and_an_arrow_at_each_mark():
    table = compare({"a": CARD, "b": CARD}, mark=iter([("b", "neighbors_nearest")]))
    head, first, second = repr(table).splitlines()
    assert head.split() == [w for h, _ in MEANINGS.values() for w in h.split()]
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
