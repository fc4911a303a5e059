"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.learned.checks import along, cosines, stretched


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


# Wrong answers


def as_python_counts(table, positions):
    return table[positions]


def _looked_up(outside, table, positions, error=ValueError):
    if outside:
        raise error("no row")
    return np.take(table, positions, axis=0, mode="wrap")


def only_below_zero(table, positions):
    return _looked_up(np.min(positions) < 0, table, positions)


def counted_from_one(table, positions):
    return table[np.asarray(positions) - 1]


def last_row_refused(table, positions):
    return _looked_up(np.max(positions) >= len(table) - 1, table, positions)


def flattened(table, positions):
    return table[np.ravel(positions)]


def only_arrays_are_tested(table, positions):
    p = np.asarray(positions)
    outside = (p < 0) | (p >= len(table))
    return _looked_up(p.ndim and outside.any(), table, positions)


def asserted(table, positions):
    p = np.asarray(positions)
    outside = (p < 0) | (p >= len(table))
    return _looked_up(outside.any(), table, positions, AssertionError)


def error_returned(table, positions):
    p = np.asarray(positions)
    outside = (p < 0) | (p >= len(table))
    return ValueError("no row") if outside.any() else table[p]


def of_columns(table):
    return cosines(table.T)[0]


def columns_made_unit(table):
    directions = table / np.linalg.norm(table, axis=0, keepdims=True)
    return [along(directions @ directions.T, k).mean() for k in range(len(table))]


def all_signs_lost(table):
    return [np.abs(along(cosines(table), k)).mean() for k in range(len(table))]


def last_end_left_out(table, side, new_side):
    return stretched(table, side, np.arange(new_side) * side / new_side)


def smooth(table, side, new_side):
    places = np.linspace(0, side - 1, new_side)
    part = places % 1
    return stretched(table, side, places - part + part**2 * (3 - 2 * part))


def zeros_in_front(table, side, new_side):
    rows = stretched(table, side, np.linspace(0, side - 1, new_side))
    return np.concatenate([0 * rows[:1], rows[1:]])


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "rows_at": {
        as_python_counts: "position -1 is before the first word",
        only_below_zero: "no row for position 6",
        counted_from_one: "position t has row t",
        last_row_refused: "it was raised by the line",
        flattened: "is one integer here",
        only_arrays_are_tested: "a single position",
        asserted: "it raises, but AssertionError: use ValueError or IndexError",
        error_returned: "this error is returned",
    },
    "similarity_by_offset": {
        of_columns: "one number for each offset",
        columns_made_unit: "divided by its own length?",
        all_signs_lost: "each with its sign",
    },
    "stretched_square": {
        last_end_left_out: "the place of the last old one?",
        smooth: "change evenly",
        zeros_in_front: "is kept",
    },
}
