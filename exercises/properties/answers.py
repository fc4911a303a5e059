"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.properties.checks import aligned, cosines_of, solved


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


# Wrong answers


def itself(d_model, length, base=10000.0):
    return cosines_of(d_model, length, base, first=0).sum(axis=1).argmax()


def base_of_the_paper(d_model, length, base=10000.0):
    return 1 + cosines_of(d_model, length, 10000.0).sum(axis=1).argmax()


def holes_ignored(positions, table, offset):
    if offset < 0:
        return holes_ignored(positions, table, -offset).T
    return solved(table[:-offset], table[offset:])


def sign_ignored(positions, table, offset):
    return solved(*aligned(positions, table, abs(offset)))


def always_a_turn(positions, table, offset):
    here, there = aligned(positions, table, offset)
    left, _, right = np.linalg.svd(there.T @ here)
    return left @ right


def nothing_moves(positions, table, offset):
    return np.eye(table.shape[1])


def as_many_rows_as_columns(positions, table, offset):
    here, there = aligned(positions, table, offset)
    d = table.shape[1]
    return np.linalg.solve(here[:d], there[:d]).T


def all_that_lstsq_returns(positions, table, offset):
    return np.linalg.lstsq(*aligned(positions, table, offset), rcond=None)


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "nearest_offset": {
        itself: "offset 0 is the position itself",
        base_of_the_paper: "largest sum of cosines",
    },
    "found_shift": {
        holes_ignored: "+3 from its own",
        sign_ignored: "For hands the two are the same",
        always_a_turn: "its matrix is not a rotation",
        nothing_moves: "vectors of 103 to 122",
        as_many_rows_as_columns: "Is a pair left out",
        all_that_lstsq_returns: "the first is the matrix",
    },
}
