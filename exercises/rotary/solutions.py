"""Pairs of columns that turn, in two layouts, with a cache, and on a plane."""

import numpy as np

from pecode import rotate


def turn_pairs(x, positions, base, layout):
    """Rows of x, (length, d_head), turned to their positions, (length,): shape of x."""
    n_pairs = x.shape[1] // 2
    omega = base ** (-np.arange(n_pairs) / n_pairs)  # (n_pairs,)
    angles = np.asarray(positions)[:, None] * omega  # (length, n_pairs)
    if layout == "half":
        first, second = slice(None, n_pairs), slice(n_pairs, None)
    else:
        first, second = slice(0, None, 2), slice(1, None, 2)
    a, b = x[:, first], x[:, second]
    answer = np.empty(x.shape)
    answer[:, first] = a * np.cos(angles) - b * np.sin(angles)
    answer[:, second] = a * np.sin(angles) + b * np.cos(angles)
    return answer


def scores_with_cache(query, key, cache):
    """Scores of a new token, (n + 1,), and the cache with its key, (n + 1, d_head)."""
    position = len(cache)  # so many tokens came before
    keys = np.concatenate([cache, [rotate(key, position)]])
    return keys @ rotate(query, position), keys


def turn_patches(x, rows, columns):
    """Rows of x, (n, d_head), turned to the places (rows[j], columns[j]): shape of x."""
    middle = x.shape[1] // 2
    by_row, by_column = rotate(x[:, :middle], rows), rotate(x[:, middle:], columns)
    return np.concatenate([by_row, by_column], axis=1)
