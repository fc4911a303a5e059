"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import sinusoidal


def _sliced(positions, d_model, omega):
    t = np.asarray(positions)[..., None]
    table = np.empty((*t.shape[:-1], d_model))
    table[..., 0::2] = np.sin(t * omega)
    table[..., 1::2] = np.cos(t * omega)[..., : d_model // 2]
    return table


def one_after_the_other(positions, d_model, base=10000.0):
    angles = np.asarray(positions)[..., None] * base ** (-2 * np.arange(d_model // 2) / d_model)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def stacked_before(positions, d_model, base=10000.0):
    angles = np.asarray(positions)[..., None] * base ** (-2 * np.arange(d_model // 2) / d_model)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-2)
    return pairs.reshape(*angles.shape[:-1], d_model)


def stacked_in_front(positions, d_model, base=10000.0):
    angles = np.asarray(positions)[..., None] * base ** (-2 * np.arange(d_model // 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)]).reshape(*angles.shape[:-1], d_model)


def cosine_first(positions, d_model, base=10000.0):
    return (
        sinusoidal(positions, d_model, base)
        .reshape(*np.shape(positions), -1, 2)[..., ::-1]
        .reshape(*np.shape(positions), d_model)
    )


def even_widths_only(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model // 2 * 2, base)


def odd_width_rounded_up(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model + d_model % 2, base)[..., :d_model]


def zero_for_the_last(positions, d_model, base=10000.0):
    table = sinusoidal(positions, d_model, base)
    if d_model % 2:
        table[..., -1] = 0
    return table


def factor_doubled(positions, d_model, base=10000.0):
    omega = base ** (-2 * np.arange(0, d_model, 2) / d_model)
    return _sliced(positions, d_model, omega)


def factor_lost(positions, d_model, base=10000.0):
    return _sliced(positions, d_model, base ** (-np.arange((d_model + 1) // 2) / d_model))


def exponent_by_column(positions, d_model, base=10000.0):
    j = np.arange(d_model)
    angles = np.asarray(positions)[..., None] * base ** (-j / d_model)
    return np.where(j % 2, np.cos(angles), np.sin(angles))


def base_ignored(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model)


def one_row_of_positions_only(positions, d_model, base=10000.0):
    return sinusoidal(np.ravel(positions), d_model, base)


def sine_decides_by_position(positions, d_model, base=10000.0):
    t = np.asarray(positions)[..., None]
    angles = t * base ** (-2 * (np.arange(d_model) // 2) / d_model)
    return np.where(t % 2, np.cos(angles), np.sin(angles))


def both_ends_on_the_ladder(positions, d_model, base=10000.0):
    pairs = (d_model + 1) // 2
    return _sliced(positions, d_model, base ** (-np.arange(pairs) / max(pairs - 1, 1)))


def whole_positions(positions, d_model, base=10000.0):
    return sinusoidal(np.asarray(positions).astype(int), d_model, base)


def _real(positions, d_model, base):
    return _sliced(positions, d_model, base ** (-2 * np.arange((d_model + 1) // 2) / d_model))


def sign_of_position_lost(positions, d_model, base=10000.0):
    return _real(np.abs(positions), d_model, base)


def narrower_and_a_zero(positions, d_model, base=10000.0):
    if d_model % 2 == 0:
        return _real(positions, d_model, base)
    table = sinusoidal(positions, d_model - 1, base)
    return np.concatenate([table, np.zeros((*np.shape(positions), 1))], axis=-1)


def narrower_exponents(positions, d_model, base=10000.0):
    i = np.arange((d_model + 1) // 2)
    return _sliced(positions, d_model, base ** (-2 * i / max(d_model // 2 * 2, 1)))


def first_column_dropped(positions, d_model, base=10000.0):
    angles = np.asarray(positions)[..., None] * base ** (
        -2 * np.arange((d_model + 1) // 2) / d_model
    )
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*angles.shape[:-1], -1)[..., -d_model:]


def one_axis_of_positions(positions, d_model, base=10000.0):
    angles = np.asarray(positions)[..., None] * base ** (-2 * np.arange(d_model // 2) / d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), d_model)


def half_pairs_for_an_odd_width(positions, d_model, base=10000.0):
    angles = np.asarray(positions)[..., None] * base ** (-2 * np.arange(d_model // 2) / d_model)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(*np.shape(positions), d_model)


def forward_is_right(rows, T, times):
    return rows @ np.linalg.matrix_power(T, times)


def never_back(rows, T, times):
    return rows @ np.linalg.matrix_power(T.T, abs(times))


def back_is_minus(rows, T, times):
    return rows @ np.linalg.matrix_power(-T.T if times < 0 else T.T, abs(times))


def back_mended_only(rows, T, times):
    return rows @ np.linalg.matrix_power(T if times > 0 else T.T, abs(times))


def once(rows, T, times):
    return rows @ np.linalg.matrix_power(T.T, np.sign(times))


def times_as_a_factor(rows, T, times):
    return rows @ (times * T.T)


def powers_of_entries(rows, T, times):
    return rows @ T.T ** abs(times)


def columns_for_rows(rows, T, times):
    return np.linalg.matrix_power(T, times) @ rows if len(rows) == len(T) else rows @ T


WRONG = {
    "table_by_operators": [
        ("halves", one_after_the_other, "all sines, then all cosines"),
        ("stacked in the axis before the last", stacked_before, "side by side"),
        ("stacked in the first axis", stacked_in_front, "numbers of different positions"),
        ("cosine first", cosine_first, "the cosine comes first"),
        ("even widths only", even_widths_only, "The width is odd"),
        ("odd width cut from a wider table", odd_width_rounded_up, "the width that was asked"),
        ("odd width filled up with zeros", zero_for_the_last, "the last column is zero"),
        ("odd width from a narrower table", narrower_and_a_zero, "this is a table of width 6"),
        ("odd width, exponents of the narrower", narrower_exponents, "the exponents contain 6"),
        ("odd width, first column dropped", first_column_dropped, "Here it was the first sine"),
        ("odd width, too few pairs", half_pairs_for_an_odd_width, "The width is odd"),
        ("len(positions) in the shape", one_axis_of_positions, "have the shape (2, 3)"),
        ("both ends on the ladder", both_ends_on_the_ladder, "last frequency is 1/base"),
        ("positions cut to whole numbers", whole_positions, "cut to whole numbers"),
        ("sign of the position lost", sign_of_position_lost, "the sign got lost"),
        ("factor 2 doubled", factor_doubled, "fall too fast"),
        ("factor 2 lost", factor_lost, "fall too slowly"),
        ("exponent by column", exponent_by_column, "have different frequencies"),
        ("base ignored", base_ignored, "for the base 10,000"),
        ("positions in one row only", one_row_of_positions_only, "in a new last axis"),
        ("even positions, sines", sine_decides_by_position, "sin(ω t) in column 2i"),
    ],
    "moved_rows": [
        ("matrix on the right, as it is", forward_is_right, "to position 2"),
        ("never back", never_back, "to position 16"),
        ("back is minus", back_is_minus, "minus the vector of position"),
        ("back mended only", back_mended_only, "to position 2"),
        ("once only", once, "to position 12"),
        ("times as a factor", times_as_a_factor, "a turn keeps every length"),
        ("entries raised to a power", powers_of_entries, "a turn keeps every length"),
        ("columns for rows", columns_for_rows, "why:"),
        ("nothing done", lambda rows, T, times: rows, "to position 5"),
    ],
}
