"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from pecode import sinusoidal


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


# Wrong answers


def even_widths_only(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model // 2 * 2, base)


def one_row_of_positions_only(positions, d_model, base=10000.0):
    return sinusoidal(np.ravel(positions), d_model, base)


def sine_decides_by_position(positions, d_model, base=10000.0):
    t = np.asarray(positions)[..., None]
    angles = t * base ** (-2 * (np.arange(d_model) // 2) / d_model)
    return np.where(t % 2, np.cos(angles), np.sin(angles))


def one_axis_of_positions(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model, base).reshape(len(positions), d_model)


def half_pairs_for_an_odd_width(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model // 2 * 2, base).reshape(*np.shape(positions), d_model)


def forward_is_right(rows, T, times):
    return rows @ np.linalg.matrix_power(T, times)


def back_is_minus(rows, T, times):
    return rows @ np.linalg.matrix_power(-T.T if times < 0 else T.T, abs(times))


def times_as_a_factor(rows, T, times):
    return rows @ (times * T.T)


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "table_by_operators": {
        even_widths_only: "The width is odd",
        half_pairs_for_an_odd_width: "The width is odd",
        one_axis_of_positions: "have the shape (2, 3)",
        one_row_of_positions_only: "in a new last axis",
        sine_decides_by_position: "sin(ω t) in column 2i",
    },
    "moved_rows": {
        forward_is_right: "to position 2",
        back_is_minus: "minus the vector of position",
        times_as_a_factor: "a turn keeps every length",
    },
}
