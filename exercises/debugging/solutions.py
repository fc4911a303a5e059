"""Positions read back, positions in a batch, and a table that has to be named."""

import numpy as np

from pecode import sinusoidal, sinusoidal_table


def position_of(row, length, base):
    """The position from 0 to length - 1 whose row is nearest to `row`.

    `row` has the shape (d_model,); entries that cannot be read are NaN.
    """
    row = np.asarray(row, dtype=float)
    known = ~np.isnan(row)
    table = sinusoidal_table(length, len(row), base)  # (length, d_model)
    away = (table - row)[:, known]  # (length, number of entries that can be read)
    return (away**2).sum(axis=1).argmin()


def positions_in_a_padded_batch(is_token, cached):
    """Positions of the columns from `cached` on.

    Whole numbers of shape (batch, length - cached).
    """
    before = np.cumsum(is_token, axis=1) - is_token  # tokens to the left
    return before[:, cached:]


def name_the_mistake(table):
    """The name of what is wrong with a table, or "none of these".

    `table` has the shape (length, d_model).
    """
    table = np.asarray(table)
    length, d_model = table.shape
    right = sinusoidal_table(length + 1, d_model)  # one row more, for the last case
    pairs = right[:-1].reshape(length, d_model // 2, 2)
    proposed = {
        "right": right[:-1],
        "factor 2 doubled": sinusoidal_table(length, d_model, base=10000.0**2),
        "base 1000": sinusoidal_table(length, d_model, base=1000),
        "integer division": np.tile(sinusoidal_table(length, 2), d_model // 2),
        "sines first": sinusoidal(range(length), d_model, layout="concatenated"),
        "cosine first": pairs[:, :, ::-1].reshape(length, d_model),
        "positions from 1": right[1:],
    }
    for name, other in proposed.items():
        if np.abs(table - other).max() < 1e-4:
            return name
    return "none of these"
