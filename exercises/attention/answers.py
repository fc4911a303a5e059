"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.attention.checks import named


def causal_softmax(scores):
    """Weights, (length, length): row t sees columns 0 … t only, and sums to 1."""
    weights = np.exp(scores) * np.tri(len(scores))
    return weights / weights.sum(axis=1, keepdims=True)


def kind_of_symmetry(before, after, order):
    """Return "equivariant", "invariant", "both" or "neither".

    `before` and `after` have the shape (length, n).
    """
    follows = np.allclose(after, before[order])
    stays = np.allclose(after, before)
    if follows and stays:
        return "both"
    return "equivariant" if follows else "invariant" if stays else "neither"


def cancelling_positions(x):
    """Vectors, (length, d_model), that hide that the first word went last."""
    return -(x + np.roll(x, -1, axis=0))  # minus the word, minus the next word


# Wrong answers


def masked_after_softmax(scores):
    weights = np.exp(scores)
    return weights / weights.sum(axis=1, keepdims=True) * np.tri(len(scores))


def columns_sum_to_one(scores):
    weights = np.exp(scores) * np.tri(len(scores))
    return weights / weights.sum(axis=0, keepdims=True)


def hidden_scores_are_zero(scores):
    weights = np.exp(scores * np.tri(len(scores)))
    return weights / weights.sum(axis=1, keepdims=True)


def not_at_itself(scores):
    weights = np.exp(scores) * np.tri(len(scores), k=-1)
    return weights / weights.sum(axis=1, keepdims=True)


def no_scores(scores):
    weights = np.tri(len(scores))
    return weights / weights.sum(axis=1, keepdims=True)


def wrong_way_round(before, after, order):
    return named(np.allclose(after[order], before), np.allclose(after, before))


def to_the_last_bit(before, after, order):
    return named((after == before[order]).all(), (after == before).all())


def looser_than_allclose(before, after, order):
    follows = np.allclose(after, before[order], atol=1e-3)
    return named(follows, np.allclose(after, before, atol=1e-3))


def same_rows_in_any_order(before, after, order):
    gaps = np.abs(after[:, None] - before).max(axis=-1)
    stays = np.allclose(after, before)
    return named((gaps.min(axis=1) < 1e-6).all() and not stays, stays)


def only_the_first_row(before, after, order):
    return named(np.allclose(after[0], before[order[0]]), np.allclose(after[0], before[0]))


def all_equal(x):
    return np.ones_like(x)


def nothing_beyond_the_ends(x):
    padded = np.pad(x, [(1, 1), (0, 0)])
    return np.cumsum(padded[:-2] - padded[2:], axis=0)


def far_too_large(x):
    return 1e9 * np.arange(1, len(x) + 1)[:, None] + np.zeros_like(x)


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "causal_softmax": {
        masked_after_softmax: "may not see",
        columns_sum_to_one: "sums of the rows",
        hidden_scores_are_zero: "above the diagonal",
        not_at_itself: "may look at itself",
        no_scores: "exponentials",
    },
    "kind_of_symmetry": {
        wrong_way_round: "should row k of `after`",
        to_the_last_bit: "1e-9",
        looser_than_allclose: "call this equivariant",
        same_rows_in_any_order: "hold at once",
        only_the_first_row: "every entry of every row",
    },
    "cancelling_positions": {
        all_equal: "one position",
        nothing_beyond_the_ends: "0.00 at t = 1",
        far_too_large: "drown",
    },
}
