"""Right encodings, wrongly used: each test passes on the right use and fails on the wrong one."""

import numpy as np
import pytest

from pecode import rotate, sinusoidal
from pecode.diagnose.misuses import MISUSES


@pytest.mark.parametrize("misuse", MISUSES.values(), ids=MISUSES)
def test_the_test_of_a_misuse_passes_on_the_right_use_and_fails_on_the_wrong_one(misuse):
    assert misuse.test(misuse.right) is True
    assert misuse.test(misuse.wrong) is False


RNG = np.random.default_rng(3)
QUERIES, KEYS = RNG.normal(size=(2, 7, 8))


def test_mixed_layouts_are_right_at_offset_zero_and_still_relative():
    misuse = MISUSES["both in the other layout"]
    right, wrong = misuse.right(QUERIES, KEYS), misuse.wrong(QUERIES, KEYS)
    np.testing.assert_allclose(np.diag(right), np.diag(wrong))
    assert np.abs(right - wrong).max() > 0.5
    assert MISUSES["keys turned backward"].test(misuse.wrong)  # diagonals_are_constant


@pytest.mark.parametrize(
    "name", [name for name in MISUSES if "layout" in name or "backward" in name]
)
def test_a_known_entry_catches_every_wrong_turn(name):
    known = MISUSES["both turned backward"].test
    assert known(MISUSES[name].right)
    assert not known(MISUSES[name].wrong)


def test_turning_both_backwards_changes_the_sign_of_every_offset():
    misuse = MISUSES["both turned backward"]
    same_query, same_key = np.repeat(QUERIES[:1], 7, 0), np.repeat(KEYS[:1], 7, 0)
    np.testing.assert_allclose(
        misuse.wrong(same_query, same_key), misuse.right(same_query, same_key).T
    )


def test_a_late_count_moves_the_new_tokens_away_from_the_prompt():
    misuse = MISUSES["cache off by one"]
    query, key = QUERIES[:1], KEYS[:1]
    wrong = misuse.wrong(np.repeat(query, 7, 0), np.repeat(key, 7, 0))
    for t in range(7):
        for s in range(t + 1):
            across = t >= 3 > s  # a new token looks at the prompt of 3
            turned = rotate(query, t - s + across, layout="half") @ key.T
            np.testing.assert_allclose(wrong[t, s], turned[0, 0])


def test_counting_the_padding_leaves_rotary_scores_alone_and_moves_a_table():
    padded, alone = 3 + np.arange(4), np.arange(4)
    scores = [rotate(QUERIES[:4], t) @ rotate(KEYS[:4], t).T for t in (padded, alone)]
    np.testing.assert_allclose(*scores, atol=1e-12)
    assert np.abs(sinusoidal(padded, 8) - sinusoidal(alone, 8)).max() > 1
