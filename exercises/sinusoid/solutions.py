"""Sines, their frequencies, and what sines alone are missing."""

import numpy as np


def ladder_of_pairs(d_model, base=10000.0):
    """Frequencies of the d_model / 2 pairs, fastest first: shape (d_model // 2,)."""
    return np.array([base ** (-2 * i / d_model) for i in range(d_model // 2)])


def two_futures(omegas, offset, length):
    """Two positions below length: same sines there, others `offset` later."""
    t = np.arange(length)

    def gaps(positions):  # the largest difference of each two rows: (length, length)
        rows = np.sin(np.outer(positions, omegas))  # (length, sines)
        return np.abs(rows[:, None] - rows[None, :]).max(axis=-1)

    found = np.argwhere((gaps(t) < 1e-9) & (gaps(t + offset) > 0.001))
    return tuple(found[0])


def base_for(length, d_model):
    """The smallest base whose slowest sine, of d_model, rises all through the text.

    A number; the positions are 0 to length - 1.
    """
    slowest = np.pi / 2 / (length - 1)  # a quarter turn at the last position
    return slowest ** (-d_model / (d_model - 1))
