"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

# rows_at


def as_python_counts(table, positions):
    return table[positions]


def only_past_the_end(table, positions):
    if np.max(positions) >= len(table):
        raise ValueError("too far")
    return table[positions]


def only_below_zero(table, positions):
    if np.min(positions) < 0:
        raise ValueError("negative")
    return np.take(table, positions, axis=0, mode="clip")


def wrapped(table, positions):
    return table[np.asarray(positions) % len(table)]


def zeros_where_there_is_no_row(table, positions):
    positions = np.asarray(positions)
    there = (positions >= 0) & (positions < len(table))
    return table[np.where(there, positions, 0)] * there[..., None]


def last_row_refused(table, positions):
    if np.max(positions) >= len(table) - 1:
        raise IndexError("too far")
    return table[positions]


def first_row_refused(table, positions):
    if np.min(positions) <= 0 or np.max(positions) >= len(table):
        raise IndexError("no row")
    return table[positions]


def all_must_be_outside(table, positions):
    positions = np.asarray(positions)
    if (positions < 0).all() or (positions >= len(table)).all():
        raise ValueError("no row")
    return np.take(table, positions, axis=0, mode="clip")


def flattened(table, positions):
    positions = np.ravel(positions)
    if (positions < 0).any() or (positions >= len(table)).any():
        raise ValueError("no row")
    return table[positions]


def only_arrays_are_tested(table, positions):
    if np.ndim(positions) and (np.min(positions) < 0 or np.max(positions) >= len(table)):
        raise ValueError("no row")
    return np.take(table, positions, axis=0, mode="wrap")


def _or_error(bad, table, positions, error=ValueError):
    if bad:
        raise error("no row")
    return np.take(table, positions, axis=0, mode="wrap")


def only_the_ends_are_tested(table, positions):
    p = np.sort(np.ravel(positions)) if np.ndim(positions) == 0 else np.ravel(positions)
    return _or_error(p[0] < 0 or p[-1] >= len(table), table, positions)


def too_large_only_when_last(table, positions):
    p = np.ravel(positions)
    return _or_error((p < 0).any() or p[-1] >= len(table), table, positions)


def negative_in_every_line(table, positions):
    p = np.atleast_1d(positions)
    bad = (p < 0).any(axis=-1).all() or (p >= len(table)).any()
    return _or_error(bad, table, positions)


def negative_only_in_the_first_line(table, positions):
    p = np.atleast_2d(positions)
    return _or_error((p[0] < 0).any() or (p >= len(table)).any(), table, positions)


def negative_only_as_the_first(table, positions):
    p = np.ravel(positions)
    return _or_error(p[0] < 0 or (p >= len(table)).any(), table, positions)


def at_most_five(table, positions):
    p = np.asarray(positions)
    return _or_error((p < 0).any() or (p > min(5, len(table) - 1)).any(), table, positions)


def single_negative_wrapped(table, positions):
    p = np.asarray(positions)
    bad = (p >= len(table)).any() or (p.ndim and (p < 0).any())
    return _or_error(bad, table, positions)


def key_error(table, positions):
    p = np.asarray(positions)
    return _or_error((p < 0).any() or (p >= len(table)).any(), table, positions, KeyError)


def asserted(table, positions):
    p = np.asarray(positions)
    assert (p >= 0).all()
    assert (p < len(table)).all()
    return table[p]


def error_returned(table, positions):
    p = np.asarray(positions)
    if (p < 0).any() or (p >= len(table)).any():
        return ValueError("no row")
    return table[p]


def one_is_a_list_of_one(table, positions):
    return as_it_should_be(table, np.atleast_1d(positions))


def as_it_should_be(table, positions):
    p = np.asarray(positions)
    return _or_error((p < 0).any() or (p >= len(table)).any(), table, positions)


# similarity_by_offset


def _cosines(table):
    directions = table / np.linalg.norm(table, axis=1, keepdims=True)
    return directions @ directions.T


def dot_products(table):
    return [np.diagonal(table @ table.T, k).mean() for k in range(len(table))]


def of_first_row(table):
    return _cosines(table)[0]


def of_last_row(table):
    return _cosines(table)[-1][::-1]


def in_a_ring(table):
    rows = np.arange(len(table))
    return [_cosines(table)[rows, (rows + k) % len(table)].mean() for k in rows]


def sums(table):
    return [np.trace(_cosines(table), k) for k in range(len(table))]


def divided_by_length(table):
    return [np.trace(_cosines(table), k) / len(table) for k in range(len(table))]


def of_columns(table):
    cosines = _cosines(table.T)
    return [np.diagonal(cosines, k).mean() for k in range(len(cosines))]


def columns_made_unit(table):
    directions = table / np.linalg.norm(table, axis=0, keepdims=True)
    cosines = directions @ directions.T
    return [np.diagonal(cosines, k).mean() for k in range(len(table))]


def averaged_too_early(table):
    norms = np.linalg.norm(table, axis=1)
    n = len(table)
    return [np.trace(table @ table.T, k) / (norms[: n - k] @ norms[k:]) for k in range(n)]


def _of_rows_divided_by(table, sizes):
    rows = table / sizes
    return [np.diagonal(rows @ rows.T, k).mean() for k in range(len(table))]


def squared_length(table):
    return _of_rows_divided_by(table, (table**2).sum(axis=1, keepdims=True))


def length_of_the_table(table):
    return _of_rows_divided_by(table, np.linalg.norm(table))


def mean_for_sum(table):
    return _of_rows_divided_by(table, np.sqrt((table**2).mean(axis=1, keepdims=True)))


def ratio_of_means(table):
    norms, n = np.linalg.norm(table, axis=1), len(table)
    dots = [np.diagonal(table @ table.T, k).mean() for k in range(n)]
    return [dots[k] / (norms[: n - k].mean() * norms[k:].mean()) for k in range(n)]


def divided_by_the_mean_length(table):
    norms = np.linalg.norm(table, axis=1)
    return [np.diagonal(table @ table.T, k).mean() / norms.mean() ** 2 for k in range(len(table))]


def without_sign(table):
    return np.abs([np.diagonal(_cosines(table), k).mean() for k in range(len(table))])


def all_signs_lost(table):
    return [np.abs(np.diagonal(_cosines(table), k)).mean() for k in range(len(table))]


def one_offset_less(table):
    return [np.diagonal(_cosines(table), k).mean() for k in range(len(table) - 1)]


def from_offset_one(table):
    return [np.diagonal(_cosines(table), k).mean() for k in range(1, len(table))] + [0]


def rows_centered(table):
    table = table - table.mean(axis=0)
    return [np.diagonal(_cosines(table), k).mean() for k in range(len(table))]


def median(table):
    return [np.median(np.diagonal(_cosines(table), k)) for k in range(len(table))]


# stretched_square


def _line(rows, length):
    places = np.linspace(0, len(rows) - 1, length)
    return np.stack([np.interp(places, range(len(rows)), column) for column in rows.T], axis=1)


def _square(table, side, new_side, share):
    square = table[1:].reshape(side, side, -1)
    both = np.einsum("rR,cC,RCd->rcd", share, share, square)
    return np.concatenate([table[:1], both.reshape(new_side**2, -1)])


def _shares(side, places):
    return np.maximum(0, 1 - np.abs(places[:, None] - np.arange(side)))


def as_one_line(table, side, new_side):
    return np.concatenate([table[:1], _line(table[1:], new_side**2)])


def as_one_line_with_the_first(table, side, new_side):
    return _line(table, 1 + new_side**2)


def first_token_stretched_along(table, side, new_side):
    rows = _line(table, new_side**2)
    return np.concatenate([table[:1], rows])


def nearest(table, side, new_side):
    rounded = np.round(np.linspace(0, side - 1, new_side)).astype(int)
    square = table[1:].reshape(side, side, -1)[np.ix_(rounded, rounded)]
    return np.concatenate([table[:1], square.reshape(new_side**2, -1)])


def last_end_left_out(table, side, new_side):
    places = np.arange(new_side) * side / new_side
    return _square(table, side, new_side, _shares(side, places))


def centers_of_squares(table, side, new_side):
    places = np.clip((np.arange(new_side) + 0.5) * side / new_side - 0.5, 0, side - 1)
    return _square(table, side, new_side, _shares(side, places))


def lines_and_columns_exchanged(table, side, new_side):
    square = table[1:].reshape(side, side, -1).swapaxes(0, 1).reshape(side**2, -1)
    table = np.concatenate([table[:1], square])
    return _square(table, side, new_side, _shares(side, np.linspace(0, side - 1, new_side)))


def first_row_forgotten(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    return _square(table, side, new_side, share)[1:]


def first_row_last(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    return np.roll(_square(table, side, new_side, share), -1, axis=0)


def first_row_zero(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    return _square(table, side, new_side, share) * (np.arange(1 + new_side**2) > 0)[:, None]


def smooth_shares(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    return _square(table, side, new_side, share**2 / (share**2).sum(axis=1, keepdims=True))


def one_direction(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    rounded = np.eye(side)[np.round(np.linspace(0, side - 1, new_side)).astype(int)]
    both = np.einsum("rR,cC,RCd->rcd", share, rounded, table[1:].reshape(side, side, -1))
    return np.concatenate([table[:1], both.reshape(new_side**2, -1)])


def padded_with_zeros(table, side, new_side):
    square = np.zeros((new_side, new_side, table.shape[1]))
    least = min(side, new_side)
    square[:least, :least] = table[1:].reshape(side, side, -1)[:least, :least]
    return np.concatenate([table[:1], square.reshape(new_side**2, -1)])


def _expected(table, side, new_side):
    return _square(table, side, new_side, _shares(side, np.linspace(0, side - 1, new_side)))


def _entries_as_squares(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    squares = table[1:].reshape(-1, side, side)
    return np.einsum("rR,cC,dRC->drc", share, share, squares)


def entries_taken_for_squares(table, side, new_side):
    both = _entries_as_squares(table, side, new_side).reshape(new_side**2, -1)
    return np.concatenate([table[:1], both])


def entries_taken_for_squares_at_first(table, side, new_side):
    both = np.moveaxis(_entries_as_squares(table, side, new_side), 0, -1)
    return np.concatenate([table[:1], both.reshape(new_side**2, -1)])


def entries_taken_for_squares_at_the_end(table, side, new_side):
    rows = _expected(table, side, new_side)[1:]
    return np.concatenate([table[:1], rows.T.reshape(rows.shape)])


def one_row_off(table, side, new_side):
    off = np.concatenate([table[:1], table[:-1]])
    return _expected(off, side, new_side)


def one_axis_only(table, side, new_side):
    share = _shares(side, np.linspace(0, side - 1, new_side))
    lines = np.einsum("rR,RCd->rCd", share, table[1:].reshape(side, side, -1))
    return np.concatenate([table[:1], lines.reshape(new_side * side, -1)])


def without_row_0(table, side, new_side):
    return _expected(table, side, new_side)[1:]


def left_as_a_square(table, side, new_side):
    return _expected(table, side, new_side)[1:].reshape(new_side, new_side, -1)


def spaced_too_far(table, side, new_side):
    places = np.minimum(np.linspace(0, side, new_side), side - 1)
    return _square(table, side, new_side, _shares(side, places))


WRONG = {
    "rows_at": [
        ("indexing as Python counts", as_python_counts, "position -1 is before the first word"),
        ("only past the end", only_past_the_end, "which row did it get"),
        ("only below zero", only_below_zero, "no row for position 6"),
        ("wrapped", wrapped, "no row for position 6"),
        ("zeros where there is no row", zeros_where_there_is_no_row, "does not say so"),
        ("the last row refused", last_row_refused, "IndexError"),
        ("the first row refused", first_row_refused, "IndexError"),
        ("only if all are outside", all_must_be_outside, "no row for position 6"),
        ("flattened", flattened, "shape"),
        ("a single position is not tested", only_arrays_are_tested, "a single position"),
        ("a single one is not tested below", single_negative_wrapped, "without a row, -1,"),
        ("only the ends are tested", only_the_ends_are_tested, "no row for position 6"),
        ("too large only when last", too_large_only_when_last, "no row for position 6"),
        ("negative in every line", negative_in_every_line, "position -1 is before"),
        ("negative in line 0 only", negative_only_in_the_first_line, "position -1 is before"),
        ("negative as the first only", negative_only_as_the_first, "position -1 is before"),
        ("at most 5", at_most_five, "it was raised by the line"),
        ("a KeyError", key_error, "it raises, but KeyError: use ValueError or IndexError"),
        ("an assertion", asserted, "it raises, but AssertionError"),
        ("an error returned", error_returned, "do you mean `raise`?"),
        ("a list of one for a single one", one_is_a_list_of_one, "is one integer here"),
    ],
    "similarity_by_offset": [
        ("dot products", dot_products, "these are dot products"),
        ("of the first row only", of_first_row, "only row 0 meets row k"),
        ("of the last row only", of_last_row, "only the last row"),
        ("in a ring", in_a_ring, "as if the table were a ring"),
        ("sums", sums, "a sum over the pairs"),
        ("divided by the length", divided_by_length, "fewer pairs than rows"),
        ("of columns", of_columns, "one number for each offset"),
        ("columns made unit", columns_made_unit, "divided by its own length?"),
        ("divided by squared lengths", squared_length, "divided by its own length?"),
        ("divided by the table's length", length_of_the_table, "divided by its own length?"),
        ("the mean for the sum", mean_for_sum, "divided by its own length?"),
        ("averaged too early", averaged_too_early, "then take the mean"),
        ("a ratio of means", ratio_of_means, "then take the mean"),
        ("by the mean length", divided_by_the_mean_length, "then take the mean"),
        ("without sign", without_sign, "keeps its sign"),
        ("all signs lost", all_signs_lost, "mean"),
        ("one offset less", one_offset_less, "from 0 to length - 1"),
        ("from offset one", from_offset_one, "begin with that of offset 1"),
        ("rows centered", rows_centered, "mean over these pairs"),
        ("median", median, "the mean of the cosines of all pairs"),
    ],
    "stretched_square": [
        ("as one line", as_one_line, "stretched as one long line"),
        ("as one line, with the first", as_one_line_with_the_first, "the corners"),
        ("the first token in the line", first_token_stretched_along, "with the token in front"),
        ("nearest", nearest, "a copy of the nearest old one"),
        ("last end left out", last_end_left_out, "in line 2, square 2"),
        ("last end left out: why", last_end_left_out, "the place of the last old one?"),
        ("spaced too far", spaced_too_far, "the middle of the new picture"),
        ("entries for squares", entries_taken_for_squares, "taken for squares"),
        ("entries first", entries_taken_for_squares_at_first, "taken for squares"),
        ("entries at the end", entries_taken_for_squares_at_the_end, "taken for squares"),
        ("one row off", one_row_off, "the squares begin at row 1"),
        ("one axis only", one_axis_only, "stretched in one direction only"),
        ("without row 0", without_row_0, "the row of the token in front is missing"),
        ("left as a square", left_as_a_square, "become one list of rows again"),
        ("centers of squares, coming in", centers_of_squares, "by the centers of squares"),
        ("lines and columns exchanged", lines_and_columns_exchanged, "exchanged"),
        ("first row forgotten", first_row_forgotten, "the token in front"),
        ("first row last", first_row_last, "row 0 is that of the token in front"),
        ("first row zero", first_row_zero, "is kept"),
        ("other shares", smooth_shares, "evenly"),
        ("in one direction", one_direction, "mean"),
        ("padded with zeros", padded_with_zeros, "the corners"),
    ],
}
