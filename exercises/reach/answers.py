"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.reach.checks import beyond, factor_against
from pecode import similarity


def accuracy_beyond(answers, targets, counted, trained_to):
    """Share of right answers from position trained_to on: shape (n_seeds,)."""
    right = (answers == targets) & counted  # (n_seeds, size, length)
    beyond = np.s_[:, :, trained_to:]
    return right[beyond].sum(axis=(1, 2)) / counted[beyond].sum(axis=(1, 2))


def randomized_positions(length, max_length, seed):
    """Different positions below max_length, at random, sorted: shape (length,)."""
    if length > max_length:
        raise ValueError(f"length: expected at most {max_length}, got {length}")
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(max_length, length, replace=False))


def sharpness_for(length, d_model):
    """Smallest factor for which each token gives half its weight two back."""
    offsets = np.arange(-2, length - 2)  # from the token two back, for the last token
    behind = similarity(offsets, d_model) - d_model / 2  # scores, less the highest one
    low, high = 0.0, 100.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        if 1 / np.exp(middle * behind).sum() < 0.5:  # the weight of offset 0
            low = middle
        else:
            high = middle
    return high


# Wrong answers


def sequences_cut(answers, targets, counted, trained_to):
    right = (answers == targets) & counted
    return right[:, trained_to:].sum(axis=(1, 2)) / counted[:, trained_to:].sum(axis=(1, 2))


def one_late(answers, targets, counted, trained_to):
    right, of = beyond(answers, targets, counted, trained_to + 1)
    return right.sum(axis=(1, 2)) / np.maximum(of.sum(axis=(1, 2)), 1)


def divided_by_all(answers, targets, counted, trained_to):
    return beyond(answers, targets, counted, trained_to)[0].mean(axis=(1, 2))


def with_repeats(length, max_length, seed):
    return np.sort(np.random.default_rng(seed).integers(0, max_length, length))


def not_sorted(length, max_length, seed):
    return np.random.default_rng(seed).permutation(max_length)[:length]


def in_silence(length, max_length, seed):
    return np.sort(np.random.default_rng(seed).permutation(max_length)[:length])


def from_one(length, max_length, seed):
    return 1 + in_silence(length, max_length, seed)


def no_seed(length, max_length, seed):
    return in_silence(length, max_length, None)


def always_the_same(length, max_length, seed):
    return in_silence(length, max_length, 0)


def never_the_last(length, max_length, seed):
    return in_silence(length, max(length, max_length - 1), seed)


def real_numbers(length, max_length, seed):
    return np.sort(np.random.default_rng(seed).uniform(0, max_length, length))


def window(length, max_length, seed):
    first = np.random.default_rng(seed).integers(0, max_length - length + 1)
    return first + np.arange(length)


def in_a_short_window(length, max_length, seed):
    width = min(max_length, 3 * length)
    first = np.random.default_rng(seed).integers(0, max_length - width + 1)
    return first + in_silence(length, width, seed)


def spread_evenly(length, max_length, seed):
    ends = np.linspace(0, max_length, length + 1).astype(int)
    return np.random.default_rng(seed).integers(ends[:-1], ends[1:])


def moved_on(length, max_length, seed):
    if length > max_length:
        raise ValueError("too long")
    taken = []
    for place in np.sort(np.random.default_rng(seed).integers(0, max_length, length)):
        while place in taken:
            place = (place + 1) % max_length
        taken.append(place)
    return np.sort(taken)


def nearest_rivals(length, d_model):
    return factor_against([-1, 1] if length > 3 else [-2, -1], d_model)


def one_too_long(length, d_model):
    return factor_against([-2, -1, *range(1, length - 1)], d_model)


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "accuracy_beyond": {
        sequences_cut: "Which axis",
        one_late: "the first of those that training did not see",
        divided_by_all: "what you divide by",
    },
    "randomized_positions": {
        with_repeats: "same position",
        not_sorted: "in order",
        from_one: "has no row there",
        window: "that is a window",
        in_a_short_window: "over the whole table",
        moved_on: "neighbors too frequent",
        no_seed: "cannot be repeated",
        always_the_same: "other positions",
        in_silence: "fewer positions than tokens",
        spread_evenly: "some choices never occur",
        never_the_last: "never position 11",
        real_numbers: "whole numbers",
    },
    "sharpness_for": {
        nearest_rivals: "less than a half",
        one_too_long: "more than a half",
    },
}
