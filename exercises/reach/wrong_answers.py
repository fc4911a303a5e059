"""Popular wrong answers: the check must refuse each of them and say these words."""

from itertools import pairwise

import numpy as np

from pecode import similarity


def sequences_cut(answers, targets, counted, trained_to):
    right = (answers == targets) & counted
    return right[:, trained_to:].sum(axis=(1, 2)) / counted[:, trained_to:].sum(axis=(1, 2))


def all_positions(answers, targets, counted, trained_to):
    return ((answers == targets) & counted).sum(axis=(1, 2)) / counted.sum(axis=(1, 2))


def _beyond(answers, targets, counted, cut):
    return (answers == targets)[..., cut] & counted[..., cut], counted[..., cut]


def inside(answers, targets, counted, trained_to):
    right, of = _beyond(answers, targets, counted, slice(trained_to))
    return right.sum(axis=(1, 2)) / of.sum(axis=(1, 2))


def one_early(answers, targets, counted, trained_to):
    right, of = _beyond(answers, targets, counted, slice(trained_to - 1, None))
    return right.sum(axis=(1, 2)) / of.sum(axis=(1, 2))


def one_late(answers, targets, counted, trained_to):
    right, of = _beyond(answers, targets, counted, slice(trained_to + 1, None))
    return right.sum(axis=(1, 2)) / np.maximum(of.sum(axis=(1, 2)), 1)


def divided_by_all(answers, targets, counted, trained_to):
    return _beyond(answers, targets, counted, slice(trained_to, None))[0].mean(axis=(1, 2))


def all_count(answers, targets, counted, trained_to):
    return (answers == targets)[..., trained_to:].mean(axis=(1, 2))


def mean_of_positions(answers, targets, counted, trained_to):
    right, of = _beyond(answers, targets, counted, slice(trained_to, None))
    with np.errstate(all="ignore"):
        return np.nanmean(right.sum(axis=1) / of.sum(axis=1), axis=1)


def seeds_together(answers, targets, counted, trained_to):
    right, of = _beyond(answers, targets, counted, slice(trained_to, None))
    return np.full(len(answers), right.sum() / of.sum())


def wrong_counts_as_right(answers, targets, counted, trained_to):
    right = ((answers == targets) | ~counted)[..., trained_to:]
    return right.sum(axis=(1, 2)) / counted[..., trained_to:].sum(axis=(1, 2))


def last_position(answers, targets, counted, trained_to):
    right, of = _beyond(answers, targets, counted, slice(-1, None))
    return right.sum(axis=(1, 2)) / np.maximum(of.sum(axis=(1, 2)), 1)


def _refuse(length, max_length):
    if length > max_length:
        raise ValueError("too long")


def with_repeats(length, max_length, seed):
    _refuse(length, max_length)
    return np.sort(np.random.default_rng(seed).integers(0, max_length, length))


def not_sorted(length, max_length, seed):
    _refuse(length, max_length)
    return np.random.default_rng(seed).permutation(max_length)[:length]


def from_one(length, max_length, seed):
    _refuse(length, max_length)
    return 1 + np.sort(np.random.default_rng(seed).permutation(max_length)[:length])


def window(length, max_length, seed):
    _refuse(length, max_length)
    return np.random.default_rng(seed).integers(0, max_length - length + 1) + np.arange(length)


def strided(length, max_length, seed):
    _refuse(length, max_length)
    rng = np.random.default_rng(seed)
    gap = rng.integers(1, max((max_length - 1) // max(length - 1, 1), 1) + 1)
    return rng.integers(0, max_length - gap * (length - 1)) + gap * np.arange(length)


def no_seed(length, max_length, seed):
    _refuse(length, max_length)
    return np.sort(np.random.default_rng().permutation(max_length)[:length])


def always_the_same(length, max_length, seed):
    _refuse(length, max_length)
    return np.sort(np.random.default_rng(0).permutation(max_length)[:length])


def in_silence(length, max_length, seed):
    return np.sort(np.random.default_rng(seed).permutation(max_length)[:length])


def from_zero_always(length, max_length, seed):
    _refuse(length, max_length)
    rest = np.random.default_rng(seed).permutation(max_length - 1)[: length - 1]
    return np.append(0, 1 + np.sort(rest))


def spread_evenly(length, max_length, seed):
    _refuse(length, max_length)
    ends = np.linspace(0, max_length, length + 1).astype(int)
    rng = np.random.default_rng(seed)
    return np.array([rng.integers(a, b) for a, b in pairwise(ends)])


def never_the_last(length, max_length, seed):
    _refuse(length, max_length)
    fits = max_length - 1 if length < max_length else max_length
    return np.sort(np.random.default_rng(seed).permutation(fits)[:length])


def small_gaps(length, max_length, seed):
    _refuse(length, max_length)
    rng = np.random.default_rng(seed)
    gaps = rng.integers(1, max((max_length - 1) // length, 1) + 1, length)
    return np.cumsum(gaps) - 1


def repeats_pushed_apart(length, max_length, seed):
    _refuse(length, max_length)
    rng = np.random.default_rng(seed)
    return np.sort(rng.integers(0, max_length - length + 1, length)) + np.arange(length)


def one_after_the_other(length, max_length, seed):
    _refuse(length, max_length)
    rng, positions = np.random.default_rng(seed), [-1]
    for left in range(length - 1, -1, -1):
        positions.append(rng.integers(positions[-1] + 1, max_length - left))
    return np.array(positions[1:])


def real_numbers(length, max_length, seed):
    _refuse(length, max_length)
    return np.sort(np.random.default_rng(seed).uniform(0, max_length, length))


def _needed(rivals):
    """The factor for a half against rivals that are so much below the target."""
    low, high = 0.0, 100.0
    for _ in range(50):
        middle = (low + high) / 2
        is_enough = np.exp(-middle * np.asarray(rivals)).sum() < 1
        low, high = (low, middle) if is_enough else (middle, high)
    return high


def _below(offsets, d_model):
    return d_model / 2 - similarity(np.asarray(offsets), d_model)


def for_position_two(length, d_model):
    return _needed(_below([-2, -1], d_model))


def not_itself(length, d_model):
    return _needed(_below([-1, *range(1, length - 2)], d_model)) if length > 3 else 0.1


def nearest_rivals(length, d_model):
    return _needed(_below([-1, 1] if length > 3 else [-2, -1], d_model))


def one_too_long(length, d_model):
    return _needed(_below([-2, -1, *range(1, length - 1)], d_model))


def one_too_short(length, d_model):
    return _needed(_below([-2, -1, *range(1, length - 3)], d_model))


def both_sides(length, d_model):
    reach = range(1, length)
    return _needed(_below([*(-k for k in reach), *reach], d_model))


def all_rivals_as_the_nearest(length, d_model):
    return np.log(length - 1) / float(_below(1, d_model))


def all_rivals_without_score(length, d_model):
    return np.log(length - 1) / (d_model / 2)


def very_sharp(length, d_model):
    return 1000


def highest_only(length, d_model):
    return 0.0


def upside_down(length, d_model):
    return -_needed(_below([-2, -1, *range(1, length - 2)], d_model))


def moved_on(length, max_length, seed):
    if length > max_length:
        raise ValueError
    taken = []
    for place in np.sort(np.random.default_rng(seed).integers(0, max_length, length)):
        while place in taken:
            place = (place + 1) % max_length
        taken.append(place)
    return np.sort(taken)


def in_a_short_window(length, max_length, seed):
    if length > max_length:
        raise ValueError
    rng = np.random.default_rng(seed)
    width = min(max_length, 3 * length)
    first = rng.integers(0, max_length - width + 1)
    return first + np.sort(rng.choice(width, length, replace=False))


WRONG = {
    "accuracy_beyond": [
        ("sequences cut off", sequences_cut, "Which axis"),
        ("all positions", all_positions, "Which axis"),
        ("inside", inside, "Which axis"),
        ("one early", one_early, "which of them do you look at"),
        ("one late", one_late, "why:"),
        ("divided by all", divided_by_all, "what you divide by"),
        ("all count", all_count, "what you divide by"),
        ("mean of positions", mean_of_positions, "at each position"),
        ("seeds thrown together", seeds_together, "thrown together"),
        ("what does not count is right", wrong_counts_as_right, "why:"),
        ("the last position", last_position, "why:"),
    ],
    "randomized_positions": [
        ("with repeats", with_repeats, "same position"),
        ("not sorted", not_sorted, "in order"),
        ("from one", from_one, "has no row there"),
        ("a window", window, "that is a window"),
        ("a short window with gaps", in_a_short_window, "over the whole table"),
        ("moved on to a free place", moved_on, "neighbors too frequent"),
        ("even strides", strided, "why:"),
        ("without the seed", no_seed, "cannot be repeated"),
        ("always the same", always_the_same, "other positions"),
        ("in silence", in_silence, "fewer positions than tokens"),
        ("always from 0", from_zero_always, "more often"),
        ("one of each part", spread_evenly, "some choices never occur"),
        ("never the last", never_the_last, "never position 11"),
        ("small gaps", small_gaps, "why:"),
        ("repeats pushed apart", repeats_pushed_apart, "with neighbors or without"),
        ("one after the other", one_after_the_other, "more often"),
        ("real numbers", real_numbers, "whole numbers"),
    ],
    "sharpness_for": [
        ("for position 2", for_position_two, "position 2, which sees three"),
        ("without itself", not_itself, "looks at itself"),
        ("nearest rivals only", nearest_rivals, "less than a half"),
        ("one token too many", one_too_long, "more than a half"),
        ("one token too few", one_too_short, "the position before the last"),
        ("both sides", both_sides, "more than a half"),
        ("all like the nearest", all_rivals_as_the_nearest, "why:"),
        ("all without a score", all_rivals_without_score, "why:"),
        ("very sharp", very_sharp, "more than a half"),
        ("not sharp at all", highest_only, "less than a half"),
        ("upside down", upside_down, "less than a half"),
    ],
}
