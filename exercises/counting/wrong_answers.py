"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np


def divided_by_length(length):
    return np.arange(length) / length


def counted_from_one(length):
    return np.arange(1, length + 1) / length


def nothing_to_divide_by(length):
    return np.arange(length) / (length - 1)


def nearly_one(length):
    return np.arange(length) / (length - 1 + 1e-6)


def a_bare_zero(length):
    return np.arange(length) / (length - 1) if length > 1 else 0


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


def sigma_in_one_term(positions, sigma):
    return _pair(positions, lambda t: [t, np.ones_like(t)], lambda t: [t, -(t**2) / 2 / sigma**2])


def sigma_in_the_other_term(positions, sigma):
    return _pair(positions, lambda t: [t / sigma**2, np.ones_like(t)], lambda t: [t, -(t**2) / 2])


def _moved(move):
    def moved(positions, sigma):
        t = np.asarray(positions, dtype=float)
        return _pair(
            t - move(t), lambda t: [t / sigma**2, np.ones_like(t) / sigma**2],
            lambda t: [t, -(t**2) / 2],
        )  # fmt: skip

    return moved


def keys_less_their_average(positions, sigma):
    queries, keys = _pair(
        positions, lambda t: [t / sigma**2, np.ones_like(t) / sigma**2], lambda t: [t, -(t**2) / 2]
    )
    return queries, keys - keys.mean(axis=0)  # moves each row of scores by a constant


def factors_of_the_whole_table(positions, sigma):
    t = np.asarray(positions, dtype=float)
    u, s, v = np.linalg.svd(-((t[:, None] - t) ** 2) / (2 * sigma**2))
    return u[:, :3] * s[:3], v[:3].T


def places_for_positions(positions, sigma):
    return _moved(lambda t: t - np.arange(len(t)))(positions, sigma)


def the_bell_itself(positions, sigma):
    t = np.asarray(positions, dtype=float)
    return -((t[:, None] - t) ** 2) / (2 * sigma**2), np.eye(len(t))


WRONG = {
    "normalized": [
        ("divided by the length", divided_by_length, "divided by to give 1"),
        ("counted from one", counted_from_one, "count from 0"),
        ("nearly one", nearly_one, "added to the divisor"),
        ("a bare zero", a_bare_zero, "an array with one entry"),
        ("0/0 for one word", nothing_to_divide_by, "finite numbers"),
    ],
    "bell_queries_and_keys": [
        ("the count alone", count_alone, "t·s - c·s² highest"),
        ("without the half", no_half, "t·s - c·s² highest"),
        ("sigma not squared", sigma_not_squared, "How does sigma enter"),
        ("sigma in one term", sigma_in_one_term, "divide both terms"),
        ("sigma in the other term", sigma_in_the_other_term, "divide both terms"),
        ("positions less their average", _moved(np.mean), "own position only"),
        ("positions less their median", _moved(np.median), "own position only"),
        ("positions less the first", _moved(lambda t: t[0]), "own position only"),
        ("positions less the last", _moved(lambda t: t[-1]), "own position only"),
        ("positions less the second", _moved(lambda t: t[1]), "own position only"),
        ("keys less their average", keys_less_their_average, "a key may depend"),
        ("factors of the whole table", factors_of_the_whole_table, "own position only"),
        ("places for positions", places_for_positions, "bell around its position"),
        ("the bell as queries", the_bell_itself, "n at most 3"),
    ],
}
