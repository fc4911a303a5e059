"""Chapter 2."""

import numpy as np


def divided_by_length(length):
    return np.arange(length) / length


def counted_from_one(length):
    return np.arange(1, length + 1) / length


def nothing_to_divide_by(length):
    return np.arange(length) / (length - 1)


def _pair(positions, query, key):
    t = np.asarray(positions, dtype=float)
    return np.stack(query(t), axis=1), np.stack(key(t), axis=1)


def count_alone(positions, sigma):
    return _pair(positions, lambda t: [t / sigma**2], lambda t: [t])


def no_half(positions, sigma):
    return _pair(
        positions, lambda t: [t / sigma**2, np.ones_like(t) / sigma**2], lambda t: [t, -(t**2)]
    )


def sigma_not_squared(positions, sigma):
    return _pair(
        positions, lambda t: [t / sigma, np.ones_like(t) / sigma], lambda t: [t, -(t**2) / 2]
    )


def the_bell_itself(positions, sigma):
    t = np.asarray(positions, dtype=float)
    return -((t[:, None] - t) ** 2) / (2 * sigma**2), np.eye(len(t))


WRONG = {
    "normalized": [
        ("divided by the length", divided_by_length, "divided to give 1"),
        ("counted from one", counted_from_one, "count from 0"),
        ("0/0 for one word", nothing_to_divide_by, "finite numbers"),
    ],
    "bell_queries_and_keys": [
        ("the count alone", count_alone, "highest point"),
        ("without the half", no_half, "highest point"),
        ("sigma not squared", sigma_not_squared, "How does sigma enter"),
        ("the bell as queries", the_bell_itself, "n at most 3"),
    ],
}
