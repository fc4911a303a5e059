"""Tables that are learned, and the rows that they do not have."""

import numpy as np


def rows_at(table, positions):
    """Rows of a table (length, d_model) at positions.

    Shape positions.shape + (d_model,).
    """
    positions = np.asarray(positions)
    if (positions < 0).any() or (positions >= len(table)).any():
        raise ValueError(f"positions: expected 0 to {len(table) - 1}, got {positions}")
    return np.take(table, positions, axis=0)


def similarity_by_offset(table):
    """Mean cosine of the rows t and t + k of a table (length, d_model).

    Shape (length,): the entry k is for rows k positions apart.
    """
    directions = table / np.linalg.norm(table, axis=1, keepdims=True)
    cosines = directions @ directions.T  # (length, length)
    return np.array([np.diagonal(cosines, k).mean() for k in range(len(table))])


def stretched_square(table, side, new_side):
    """Stretch a table (1 + side**2, d_model).

    Shape (1 + new_side**2, d_model).
    """
    places = np.linspace(0, side - 1, new_side)  # of new squares, in old ones
    away = np.abs(places[:, None] - np.arange(side))  # (new_side, side)
    share = np.maximum(0, 1 - away)
    square = table[1:].reshape(side, side, -1)  # (side, side, d_model)
    both = np.einsum("rR,cC,RCd->rcd", share, share, square)  # lines, columns
    return np.concatenate([table[:1], both.reshape(new_side**2, -1)])
