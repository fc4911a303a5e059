"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import sinusoidal, translation_matrix


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


def _aligned(positions, table, offset):
    where = {int(t): k for k, t in enumerate(positions)}
    both = [t for t in where if t + offset in where]
    return table[[where[t] for t in both]], table[[where[t + offset] for t in both]]


def _solve(here, there):
    return np.linalg.lstsq(here, there, rcond=None)[0]


def not_transposed(positions, table, offset):
    return _solve(*_aligned(positions, table, offset))


def rows_exchanged(positions, table, offset):
    here, there = _aligned(positions, table, offset)
    return _solve(there, here).T


def holes_ignored(positions, table, offset):
    if offset < 0:
        return holes_ignored(positions, table, -offset).T
    return _solve(table[:-offset], table[offset:]).T


def sorted_then_holes_ignored(positions, table, offset):
    return holes_ignored(positions, table[np.argsort(positions)], offset)


def sign_ignored(positions, table, offset):
    return _solve(*_aligned(positions, table, abs(offset))).T


def from_the_formula(positions, table, offset):
    return translation_matrix(offset, table.shape[1])


def always_a_turn(positions, table, offset):
    here, there = _aligned(positions, table, offset)
    left, _, right = np.linalg.svd(there.T @ here)
    return left @ right


def nothing_moves(positions, table, offset):
    return np.eye(table.shape[1])


def back_by_transposing(positions, table, offset):
    T = _solve(*_aligned(positions, table, abs(offset))).T
    return T.T if offset < 0 else T


def back_by_inverting(positions, table, offset):
    T = _solve(*_aligned(positions, table, abs(offset))).T
    return np.linalg.inv(T) if offset < 0 else T


def zero_for_one_offset(positions, table, offset):
    T = _solve(*_aligned(positions, table, offset)).T
    return np.zeros_like(T) if offset == -4 else T


def as_many_rows_as_columns(positions, table, offset):
    here, there = _aligned(positions, table, offset)
    d = table.shape[1]
    return np.linalg.solve(here[:d], there[:d]).T


def half_of_the_pairs(positions, table, offset):
    here, there = _aligned(positions, table, offset)
    return _solve(here[::2], there[::2]).T


def row_zero_is_false(positions, table, offset):
    where = {int(t): k for k, t in enumerate(positions)}
    both = [t for t in where if where.get(t + offset)]
    return _solve(table[[where[t] for t in both]], table[[where[t + offset] for t in both]]).T


def row_zero_no_start(positions, table, offset):
    where = {int(t): k for k, t in enumerate(positions)}
    both = [t for t in where if where[t] and t + offset in where]
    return _solve(table[[where[t] for t in both]], table[[where[t + offset] for t in both]]).T


def inverse_of_the_way_back(positions, table, offset):
    here, there = _aligned(positions, table, offset)
    return np.linalg.inv(_solve(there, here).T)


def with_a_ridge(positions, table, offset):
    here, there = _aligned(positions, table, offset)
    return np.linalg.solve(here.T @ here + 1e-6 * np.eye(len(here.T)), here.T @ there).T


def small_values_dropped(positions, table, offset):
    return np.linalg.lstsq(*_aligned(positions, table, offset), rcond=1e-3)[0].T


def all_that_lstsq_returns(positions, table, offset):
    return np.linalg.lstsq(*_aligned(positions, table, offset), rcond=None)


WRONG = {
    "table_by_operators": [
        ("halves", one_after_the_other, "all sines, then all cosines"),
        ("stacked in the axis before the last", stacked_before, "side by side"),
        ("stacked in the first axis", stacked_in_front, "numbers of different positions"),
        ("cosine first", cosine_first, "the cosine stands first"),
        ("even widths only", even_widths_only, "The width is odd"),
        ("odd width cut from a wider table", odd_width_rounded_up, "the width that was asked"),
        ("odd width filled up with zeros", zero_for_the_last, "the last column is zero"),
        ("odd width from a narrower table", narrower_and_a_zero, "this is a table of width 6"),
        ("odd width, exponents of the narrower", narrower_exponents, "the exponents have 6"),
        ("odd width, first column dropped", first_column_dropped, "here it was the first sine"),
        ("odd width, too few pairs", half_pairs_for_an_odd_width, "The width is odd"),
        ("len(positions) in the shape", one_axis_of_positions, "have the shape (2, 3)"),
        ("both ends on the ladder", both_ends_on_the_ladder, "last frequency is 1/base"),
        ("positions cut to whole numbers", whole_positions, "cut to whole numbers"),
        ("sign of the position lost", sign_of_position_lost, "the sign is lost"),
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
        ("times as a factor", times_as_a_factor, "turning keeps lengths"),
        ("entries raised to a power", powers_of_entries, "turning keeps lengths"),
        ("columns for rows", columns_for_rows, "why:"),
        ("nothing done", lambda rows, T, times: rows, "to position 5"),
    ],
    "found_shift": [
        ("not transposed", not_transposed, "on the right of a row"),
        ("rows exchanged", rows_exchanged, "the other way"),
        ("holes ignored", holes_ignored, "+3 from its own"),
        ("sorted, holes ignored", sorted_then_holes_ignored, "+3 from its own"),
        ("sign ignored", sign_ignored, "is the transpose of the one for"),
        ("from the formula", from_the_formula, "that the formula has"),
        ("always orthogonal", always_a_turn, "its matrix is no turn"),
        ("the identity", nothing_moves, "with those of 103 to 122"),
        ("back by transposing", back_by_transposing, "only for hands does the transpose"),
        ("back by inverting", back_by_inverting, "the inverse of the matrix for +5"),
        ("zeros for one offset", zero_for_one_offset, "a count beside a constant"),
        ("as many rows as columns", as_many_rows_as_columns, "Is a pair left out"),
        ("every second pair", half_of_the_pairs, "Is a pair left out"),
        ("row 0 taken for False", row_zero_is_false, "whose second row is row 0"),
        ("row 0 skipped as a start", row_zero_no_start, "whose first row is row 0"),
        ("inverse of the way back", inverse_of_the_way_back, "the inverse of the matrix for -3"),
        ("a ridge", with_a_ridge, "something else made smallest"),
        ("small singular values dropped", small_values_dropped, "rcond=None"),
        ("all that lstsq returns", all_that_lstsq_returns, "the first is the matrix"),
    ],
}
