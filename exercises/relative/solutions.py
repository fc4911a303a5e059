"""Biases by offset, and vectors for each offset."""

import numpy as np

from pecode import softmax


def alibi_weights(queries, keys, slope):
    """Attention weights of one ALiBi head that sees both sides.

    Shape (length, length): a row for each query.
    """
    length, d_head = queries.shape
    t = np.arange(length)
    distances = np.abs(t - t[:, None])  # (length, length)
    scores = queries @ keys.T / np.sqrt(d_head) - slope * distances
    return softmax(scores)


def bias_row(table, t, n_keys):
    """The biases of the query t for the keys 0 … n_keys - 1: shape (n_keys,)."""
    clip = len(table) // 2
    offsets = np.arange(n_keys) - t
    return np.asarray(table)[np.clip(offsets, -clip, clip) + clip]


def relative_key_table(wanted, clip):
    """A vector for each offset from -clip to clip: shape (2 * clip + 1, len(wanted))."""
    table = np.zeros((2 * clip + 1, len(wanted)))
    for token, distance in enumerate(wanted):
        table[clip - distance, token] = 10
    return table
