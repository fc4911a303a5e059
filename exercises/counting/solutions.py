"""Counts, and counts divided by the length."""

import numpy as np


def normalized(length):
    """Positions 0 … length - 1, divided so that the last is 1: (length,)."""
    return np.arange(length) / max(length - 1, 1)


def bell_queries_and_keys(positions, sigma):
    """Queries and keys, each (length, 2): a softmax makes them a bell."""
    t = np.asarray(positions, dtype=float)
    queries = np.stack([t, np.ones_like(t)], axis=1) / sigma**2  # (length, 2)
    keys = np.stack([t, -(t**2) / 2], axis=1)  # (length, 2)
    return queries, keys
