"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np


def normalized(length):
    """Positions 0 … length - 1, divided so that the last is 1: (length,)."""
    return np.arange(length) / max(length - 1, 1)


def bell_queries_and_keys(positions, sigma):
    """Queries and keys, each (length, n): a softmax makes them a bell."""
    t = np.asarray(positions, dtype=float)
    queries = np.stack([t, np.ones_like(t)], axis=1) / sigma**2  # (length, 2)
    keys = np.stack([t, -(t**2) / 2], axis=1)  # (length, 2)
    return queries, keys


# Wrong answers


def divided_by_length(length):
    return np.arange(length) / length


def counted_from_one(length):
    return np.arange(1, length + 1) / length


def nearly_one(length):
    return np.arange(length) / (length - 1 + 1e-6)


def a_bare_zero(length):
    return np.arange(length) / (length - 1) if length > 1 else 0


def count_alone(positions, sigma):
    t = np.asarray(positions)[:, None]
    return t / sigma**2, t


def bell_over(t, divisor):
    """Queries and keys of the bell, the queries divided by some power of sigma."""
    return np.stack([t, np.ones_like(t)], axis=1) / divisor, np.stack([t, -(t**2) / 2], axis=1)


def sigma_not_squared(positions, sigma):
    return bell_over(positions, sigma)


def sigma_in_one_term(positions, sigma):
    queries, keys = bell_over(positions, 1)
    return queries, keys / [1, sigma**2]


def average_subtracted(positions, sigma):
    return bell_over(positions - positions.mean(), sigma**2)


def places_for_positions(positions, sigma):
    return bell_over(np.arange(len(positions)), sigma**2)


def a_shifted_bell(positions, sigma):
    return bell_over(positions + 0.4, sigma**2)[0], bell_over(positions, sigma)[1]


def the_bell_itself(positions, sigma):
    return -((positions[:, None] - positions) ** 2) / (2 * sigma**2), np.eye(len(positions))


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "normalized": {
        divided_by_length: "divided by to give 1",
        counted_from_one: "count from 0",
        nearly_one: "added to the divisor",
        a_bare_zero: "an array with one entry",
    },
    "bell_queries_and_keys": {
        count_alone: "t·s - c·s² highest",
        sigma_not_squared: "How does sigma enter",
        sigma_in_one_term: "divide both terms",
        average_subtracted: "own position only",
        places_for_positions: "bell around its position",
        a_shifted_bell: "bell around its position",
        the_bell_itself: "n at most 3",
    },
}
