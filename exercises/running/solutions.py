"""Positions in a model that runs: packed rows, joined caches, sinks that are kept."""

import numpy as np

from pecode import rotate


def pack(lengths):
    """Position IDs, (n,), and who sees whom, (n, n), of texts packed into one row."""
    ids = np.concatenate([np.arange(length) for length in lengths])
    text = np.repeat(np.arange(len(lengths)), lengths)  # which text each token belongs to
    t = np.arange(len(ids))
    seen = (text[:, None] == text) & (t[:, None] >= t)
    return ids, seen


def join(first, first_ids, second, second_ids):
    """Keys of both texts, the second right after the first, and their IDs."""
    shift = first_ids[-1] + 1 - second_ids[0]
    keys = np.concatenate([first, rotate(second, shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def keep_sinks(keys, ids, n_sinks, window):
    """The first and the last keys, turned to new IDs from 0 on, and these IDs."""
    n = len(keys)
    last = max(n_sinks, n - window)  # the first of the last keys; none is taken twice
    kept = np.concatenate([np.arange(min(n_sinks, n)), np.arange(last, n)])
    new = np.arange(len(kept))
    return rotate(keys[kept], new - ids[kept]), new
