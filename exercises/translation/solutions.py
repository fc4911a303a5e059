"""Sines with cosines, and the matrix that moves them."""

import numpy as np


def table_by_operators(positions, d_model, base=10000.0):
    """Encodings of positions of any shape (...): shape (..., d_model).

    Nothing is assigned into an array.
    """
    omega = base ** (-2 * np.arange((d_model + 1) // 2) / d_model)  # (pairs,)
    angles = np.asarray(positions)[..., None] * omega  # (..., pairs)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (..., pairs, 2)
    columns = pairs.reshape(*angles.shape[:-1], 2 * len(omega))
    return columns[..., :d_model]  # an odd width ends on a sine


def moved_rows(rows, T, times):
    """The rows (n, d), each moved `times` times by T (d, d): shape (n, d)."""
    if times < 0:
        return moved_rows(rows, T.T, -times)  # back is transposed
    for _ in range(times):
        rows = rows @ T.T
    return rows
