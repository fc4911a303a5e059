"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import translation_matrix


def _products(d_model, length, base, first=1):
    omega = base ** (-2 * np.arange(d_model // 2) / d_model)
    return np.cos(np.arange(first, length)[:, None] * omega)


def itself(d_model, length, base=10000.0):
    return _products(d_model, length, base, first=0).sum(axis=1).argmax()


def one_less(d_model, length, base=10000.0):
    return _products(d_model, length, base).sum(axis=1).argmax()


def the_farthest(d_model, length, base=10000.0):
    return 1 + _products(d_model, length, base).sum(axis=1).argmin()


def fast_pair_alone(d_model, length, base=10000.0):
    return 1 + _products(d_model, length, base)[:, 0].argmax()


def always_the_neighbor(d_model, length, base=10000.0):
    return 1


def frequencies_of_columns(d_model, length, base=10000.0):
    omega = base ** (-np.arange(d_model) / d_model)
    return 1 + np.cos(np.arange(1, length)[:, None] * omega).sum(axis=1).argmax()


def base_of_the_paper(d_model, length, base=10000.0):
    return 1 + _products(d_model, length, 10000.0).sum(axis=1).argmax()


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
    "nearest_offset": [
        ("itself", itself, "offset 0 is the position itself"),
        ("one less", one_less, "the first offset is 1"),
        ("the farthest", the_farthest, "farthest away"),
        ("pair 0 alone", fast_pair_alone, "The sum goes over all pairs"),
        ("always the neighbor", always_the_neighbor, "why:"),
        ("frequencies of columns", frequencies_of_columns, "each column has a frequency"),
        ("the base ignored", base_of_the_paper, "largest sum of cosines"),
    ],
    "found_shift": [
        ("not transposed", not_transposed, "to the right of a row"),
        ("rows exchanged", rows_exchanged, "the other way"),
        ("holes ignored", holes_ignored, "+3 from its own"),
        ("sorted, holes ignored", sorted_then_holes_ignored, "+3 from its own"),
        ("sign ignored", sign_ignored, "For hands the two are the same"),
        ("from the formula", from_the_formula, "matrix from the formula"),
        ("always orthogonal", always_a_turn, "its matrix is not a rotation"),
        ("the identity", nothing_moves, "vectors of 103 to 122"),
        ("back by transposing", back_by_transposing, "the transpose leads back only for hands"),
        ("back by inverting", back_by_inverting, "the inverse of the matrix for +5"),
        ("zeros for one offset", zero_for_one_offset, "a count beside a constant"),
        ("as many rows as columns", as_many_rows_as_columns, "Is a pair left out"),
        ("every second pair", half_of_the_pairs, "Is a pair left out"),
        ("row 0 taken for False", row_zero_is_false, "whose second row is row 0"),
        ("row 0 skipped as a start", row_zero_no_start, "whose first row is row 0"),
        ("inverse of the way back", inverse_of_the_way_back, "the inverse of the matrix for -3"),
        ("a ridge", with_a_ridge, "something else minimized"),
        ("small singular values dropped", small_values_dropped, "rcond=None"),
        ("all that lstsq returns", all_that_lstsq_returns, "the first is the matrix"),
    ],
}
