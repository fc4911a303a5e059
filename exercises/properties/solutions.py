"""The nearest stranger, and the matrix of a shift from data."""

import numpy as np


def nearest_offset(d_model, length, base=10000.0):
    """The offset, from 1 to length - 1, at which two vectors are nearest."""
    omega = base ** (-2 * np.arange(d_model // 2) / d_model)  # (pairs,)
    angles = np.arange(1, length)[:, None] * omega  # (length - 1, pairs)
    products = np.cos(angles).sum(axis=1)  # (length - 1,)
    return 1 + int(products.argmax())


def found_shift(positions, table, offset):
    """The matrix (d, d) that moves by offset, found in table (n, d).

    Row k of the table belongs to positions[k].
    """
    row_of = {int(t): k for k, t in enumerate(positions)}
    starts = [t for t in row_of if t + offset in row_of]
    table = np.asarray(table, dtype=float)
    here = table[[row_of[t] for t in starts]]  # (pairs of rows, d)
    there = table[[row_of[t + offset] for t in starts]]
    return np.linalg.lstsq(here, there, rcond=None)[0].T
