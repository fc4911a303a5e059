"""The gallery: every test of it passes on right code and fails on its mistake."""

import inspect
import re

import numpy as np
import pytest

from pecheck.misuses import MISUSES
from pecheck.variants import VARIANTS
from pecode import rotate, sinusoidal_table
from tests import data

TESTS = {variant.test.__name__: variant.test for variant in VARIANTS.values()}
CASES = [(4, 10.0), (4, 1e4), (6, 1e6), (8, 500.0), (16, 1e4), (64, 1e4), (512, 1e4), (512, 1e6)]
PASSES = data("pecheck/passes.yml")


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize(("d_model", "base"), CASES)
def test_every_test_passes_on_the_right_table(test, d_model, base):
    for dtype in (np.float32, np.float64):
        make = lambda *of, dtype=dtype: sinusoidal_table(*of, dtype=dtype)  # noqa: E731
        assert test(make, d_model, base) is True


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize(("d_model", "base"), CASES)
def test_the_test_of_a_mistake_fails_on_it(variant, d_model, base):
    assert variant.test(variant.make, d_model, base) is False


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_which_test_sees_which_mistake(variant):
    assert PASSES.keys() == VARIANTS.keys()
    passed = {name for name, test in TESTS.items() if test(variant.make)}
    assert {word for word in passed for key in PASSES[variant.name] if key in word} == passed
    assert len(passed) == len(PASSES[variant.name])


@pytest.mark.parametrize("entry", [*VARIANTS.values(), *MISUSES.values()], ids=lambda e: e.name)
def test_every_entry_is_told_in_sentences_and_its_reports_can_be_found(entry):
    for text in (entry.summary, entry.fingerprint):
        assert text[0].isupper() or text[0] == "`"
        assert text.endswith((".", "…"))
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+#[1-9]\d*", report) for report in entry.reports)


def test_the_source_of_a_mistake_can_be_shown():
    assert "2 * i" in inspect.getsource(VARIANTS["factor 2 doubled"].make)


# Right encodings, wrongly used: their tests are run on both uses in appendices/mistakes.ipynb


QUERIES, KEYS = np.random.default_rng(3).normal(size=(2, 7, 8))


def test_mixed_layouts_are_right_at_offset_zero_and_still_relative():
    misuse = MISUSES["both in the other layout"]
    right, wrong = misuse.right(QUERIES, KEYS), misuse.wrong(QUERIES, KEYS)
    np.testing.assert_allclose(np.diag(right), np.diag(wrong))
    assert np.abs(right - wrong).max() > 0.5
    assert MISUSES["keys turned backward"].test(misuse.wrong)  # diagonals_are_constant


def test_turning_both_backward_changes_the_sign_of_every_offset():
    misuse = MISUSES["both turned backward"]
    same_query, same_key = np.repeat(QUERIES[:1], 7, 0), np.repeat(KEYS[:1], 7, 0)
    right = misuse.right(same_query, same_key)
    np.testing.assert_allclose(misuse.wrong(same_query, same_key), right.T)


def test_a_late_count_moves_the_new_tokens_away_from_the_prompt():
    wrong = MISUSES["cache off by one"].wrong
    scores = wrong(np.repeat(QUERIES[:1], 7, 0), np.repeat(KEYS[:1], 7, 0))
    for t, s in zip(*np.tril_indices(7), strict=True):
        across = t >= 3 > s  # a new token looks at the prompt of 3
        turned = rotate(QUERIES[:1], t - s + across, layout="half") @ KEYS[0]
        np.testing.assert_allclose(scores[t, s], turned[0])


def test_ignored_positions_are_right_behind_padding_and_wrong_with_a_cache():
    def turned(x):
        return MISUSES["positions ignored"].wrong(x, None)

    right = turned(QUERIES) @ turned(KEYS).T
    queries, keys = (turned(np.pad(x, [(3, 0), (0, 0)]))[3:] for x in (QUERIES, KEYS))
    np.testing.assert_allclose(queries @ keys.T, right)
    assert not np.allclose(turned(QUERIES[-1:]) @ turned(KEYS).T, right[-1:])
