"""Popular wrong answers: the check must refuse each of them and say these words."""

import math

import numpy as np

from pecode import frequencies, sinusoidal, sinusoidal_table


def _readable(row):
    return np.nan_to_num(np.asarray(row, dtype=float))


def arc_cosine_of_one_entry(row, length, base):
    return round(math.acos(np.clip(_readable(row)[1], -1, 1)))


def arc_cosine_of_the_second_pair(row, length, base):
    omega = frequencies(len(row), base)[min(1, len(row) // 2 - 1)]
    return round(math.acos(np.clip(_readable(row)[3 if len(row) > 2 else 1], -1, 1)) / omega)


def angle_of_the_slowest_hand(row, length, base):
    sine, cosine = _readable(row)[-2:]
    return round(math.atan2(sine, cosine) % math.tau / frequencies(len(row), base)[-1])


def exactly_equal(row, length, base):
    equal = (sinusoidal_table(length, len(row), base) == row).all(axis=1)
    return np.flatnonzero(equal)[0]


def largest_product(row, length, base):
    return (sinusoidal_table(length, len(row), base) @ _readable(row)).argmax()


def blots_taken_for_zeros(row, length, base):
    table = sinusoidal_table(length, len(row), base)
    return ((table - _readable(row)) ** 2).sum(axis=1).argmin()


def base_forgotten(row, length, base):
    table = sinusoidal_table(length, len(row))
    return np.nansum((table - row) ** 2, axis=1).argmin()


def length_forgotten(row, length, base):
    table = sinusoidal_table(10_000, len(row), base)
    return np.nansum((table - row) ** 2, axis=1).argmin()


def counted_from_one(row, length, base):
    table = sinusoidal_table(length, len(row), base)
    return np.nansum((table - row) ** 2, axis=1).argmin() + 1


def blots_make_everything_nan(row, length, base):
    table = sinusoidal_table(length, len(row), base)
    return ((table - row) ** 2).sum(axis=1).argmin()


def first_that_is_near(row, length, base):
    table = sinusoidal_table(length, len(row), base)
    return np.flatnonzero((np.abs(table - row) < 0.05).all(axis=1))[0]


def _by_measure(measure):
    def nearest(row, length, base):
        return np.nanargmin(measure(sinusoidal_table(length, len(row), base), row))

    return nearest


median = _by_measure(lambda table, row: np.nanmedian((table - row) ** 2, axis=1))
fourth_powers = _by_measure(lambda table, row: np.nansum((table - row) ** 4, axis=1))
absolute_values = _by_measure(lambda table, row: np.nansum(np.abs(table - row), axis=1))
largest_difference = _by_measure(lambda table, row: np.nanmax(np.abs(table - row), axis=1))
errors_cut_off = _by_measure(
    lambda table, row: np.nansum(np.minimum(np.abs(table - row), 0.1) ** 2, axis=1)
)
row_rounded = _by_measure(lambda table, row: np.nansum((table - row.round(1)) ** 2, axis=1))
table_rounded = _by_measure(lambda table, row: np.nansum((table.round(2) - row) ** 2, axis=1))
row_cut_off = _by_measure(lambda table, row: np.nansum((table - np.clip(row, -1, 1)) ** 2, axis=1))
mean_in_the_blots = _by_measure(
    lambda table, row: ((table - np.where(np.isnan(row), np.nanmean(row), row)) ** 2).sum(axis=1)
)


def product_by_length(row, length, base):
    known = ~np.isnan(row)
    table = sinusoidal_table(length, len(row), base)[:, known]
    return (table @ row[known] / np.maximum(np.linalg.norm(table, axis=1), 1e-9)).argmax()


def pairs_with_a_blot_left_out(row, length, base):
    known = np.repeat(~np.isnan(row).reshape(-1, 2).any(axis=1), 2)
    table = sinusoidal_table(length, len(row), base)
    return ((table - row)[:, known] ** 2).sum(axis=1).argmin()


def columns_counted(is_token, cached):
    batch, length = is_token.shape
    return np.tile(np.arange(cached, length), (batch, 1))


def started_again(is_token, cached):
    new = is_token[:, cached:]
    return np.cumsum(new, axis=1) - new


def one_too_far(is_token, cached):
    return np.cumsum(is_token, axis=1)[:, cached:]


def below_zero(is_token, cached):
    return (np.cumsum(is_token, axis=1) - 1)[:, cached:]


def down_the_batch(is_token, cached):
    return (np.cumsum(is_token, axis=0) - is_token)[:, cached:]


def columns_of_the_cache_counted(is_token, cached):
    new = is_token[:, cached:]
    return cached + np.cumsum(new, axis=1) - new


def padding_of_the_new_columns_only(is_token, cached):
    new = is_token[:, cached:]
    return np.maximum(np.arange(cached, is_token.shape[1]) - (1 - new).sum(axis=1)[:, None], 0)


def padding_of_the_first_text(is_token, cached):
    padding = (1 - is_token[0]).sum()
    columns = np.maximum(np.arange(is_token.shape[1]) - padding, 0)
    return np.tile(columns, (len(is_token), 1))[:, cached:]


def far_away_at_a_padding(is_token, cached):
    return np.where(is_token == 1, np.cumsum(is_token, axis=1) - 1, 10**6)[:, cached:]


def wrapped_round_at_a_padding(is_token, cached):
    return (np.cumsum(is_token, axis=1) - 1).astype(np.uint64)[:, cached:]


def only_the_first_entry(table):
    names = {(0, 1): "right", (1, 0): "cosine first", (0, 0): "sines first"}
    return names.get(tuple(np.abs(table[0, :2]).round().astype(int)), "positions from 1")


def _proposed(length, d_model):
    right = sinusoidal_table(length + 1, d_model)
    swapped = right[:-1].reshape(length, -1, 2)[:, :, ::-1].reshape(length, d_model)
    return {
        "right": right[:-1],
        "factor 2 doubled": sinusoidal_table(length, d_model, 1e8),
        "base 1000": sinusoidal_table(length, d_model, 1000),
        "integer division": np.tile(sinusoidal_table(length, 2), d_model // 2),
        "sines first": sinusoidal(range(length), d_model, layout="concatenated"),
        "cosine first": swapped,
        "positions from 1": right[1:],
    }


def _named(table, agree):
    for name, other in _proposed(*table.shape).items():
        if agree(table, other):
            return name
    return "none of these"


def compared_exactly(table):
    return _named(table, np.array_equal)


def compared_too_loosely(table):
    return _named(table, lambda table, other: np.abs(table - other).mean() < 0.2)


def two_rows_compared(table):
    return _named(table, lambda table, other: np.allclose(table[:2], other[:2], atol=1e-3))


def one_pair_compared(table):
    return _named(table, lambda table, other: np.allclose(table[:, :4], other[:, :4], atol=1e-3))


def never_none(table):
    proposed = _proposed(*table.shape)
    return min(proposed, key=lambda name: np.abs(table - proposed[name]).max())


def scale_forgiven(table):
    return _named(table / np.abs(table).max(), lambda a, b: np.allclose(a, b, atol=1e-3))


def sign_forgotten(table):
    return _named(table, lambda table, other: (other - table).max() < 1e-4)


def other_sign_forgotten(table):
    return _named(table, lambda table, other: (table - other).max() < 1e-4)


def tolerance_of_a_fifth(table):
    return _named(table, lambda table, other: np.abs(table - other).max() < 0.2)


def tolerance_of_a_hundredth(table):
    return _named(table, lambda table, other: np.abs(table - other).max() < 0.01)


def first_rows_compared(table):
    return _named(table[:16], lambda table, other: np.abs(table - other).max() < 1e-4)


def every_second_row_compared(table):
    return _named(table, lambda table, other: np.abs(table - other)[::2].max() < 1e-4)


def three_rows_compared(table):
    return _named(table, lambda table, other: np.abs(table - other)[[0, 1, -1]].max() < 1e-4)


def first_columns_compared(table):
    return _named(table, lambda table, other: np.abs(table - other)[:, :8].max() < 1e-4)


def every_second_column_compared(table):
    return _named(table, lambda table, other: np.abs(table - other)[:, ::2].max() < 1e-4)


def mean_compared(table):
    return _named(table, lambda table, other: np.abs(table - other).mean() < 1e-4)


def root_mean_square_compared(table):
    return _named(table, lambda table, other: np.sqrt(((table - other) ** 2).mean()) < 1e-4)


def most_entries_compared(table):
    return _named(table, lambda table, other: np.quantile(np.abs(table - other), 0.99) < 1e-4)


def sums_compared(table):
    return _named(table, lambda table, other: abs((table - other).sum()) < 0.01)


def measured_at_width_64(table):
    name = only_the_first_entry(table)
    if name != "right":
        return name
    turn = math.asin(np.clip(table[1, 2], -1, 1))
    known = {"right": 0.7499, "factor 2 doubled": 0.5623, "base 1000": 0.8058}
    near = [name for name, omega in known.items() if abs(omega - turn) < 0.01]
    return near[0] if near else "none of these"


WRONG = {
    "position_of": [
        ("one cosine", arc_cosine_of_one_entry, "One entry does not settle it"),
        ("the cosine of the second pair", arc_cosine_of_the_second_pair, "One entry does not"),
        ("the slowest hand", angle_of_the_slowest_hand, "as a whole"),
        ("equal entries wanted", exactly_equal, "IndexError"),
        ("the first row that is near", first_that_is_near, "IndexError"),
        ("the largest product", largest_product, "no longer equally long"),
        ("base forgotten", base_forgotten, "a table with base 1000"),
        ("length forgotten", length_forgotten, "positions below 300"),
        ("a blot makes it NaN", blots_make_everything_nan, "a sum with a NaN is NaN"),
        ("a blot is a zero", blots_taken_for_zeros, "a blot is not a zero"),
        ("the median", median, "why:"),
        ("fourth powers", fourth_powers, "*squared* differences"),
        ("absolute values", absolute_values, "*squared* differences"),
        ("the largest difference", largest_difference, "why:"),
        ("large errors cut off", errors_cut_off, "*squared* differences"),
        ("the row rounded", row_rounded, "*squared* differences"),
        ("the table rounded", table_rounded, "*squared* differences"),
        ("the row cut off", row_cut_off, "*squared* differences"),
        ("the mean in the blots", mean_in_the_blots, "why:"),
        ("product by length", product_by_length, "*squared* differences"),
        ("pairs with a blot", pairs_with_a_blot_left_out, "why:"),
        ("counted from one", counted_from_one, "the first row is position 0"),
    ],
    "positions_in_a_padded_batch": [
        ("columns counted", columns_counted, "that they would have alone"),
        ("cache forgotten", started_again, "read before and are kept"),
        ("one too far", one_too_far, "does not stand before itself"),
        ("below zero", below_zero, "no row before the first"),
        ("far away at a padding", far_away_at_a_padding, "no more positions than columns"),
        ("wrapped at a padding", wrapped_round_at_a_padding, "no more positions than columns"),
        ("down the batch", down_the_batch, "its tokens are 0, 1, 2"),
        ("columns of the cache", columns_of_the_cache_counted, "tokens count and padding does not"),
        (
            "padding of the new columns",
            padding_of_the_new_columns_only,
            "tokens count and padding",
        ),
        ("padding of the first text", padding_of_the_first_text, "have alone"),
    ],
    "name_the_mistake": [
        ("row 0 alone", only_the_first_entry, "how far does the second hand turn"),
        ("compared exactly", compared_exactly, "only rounded"),
        ("compared too loosely", compared_too_loosely, "why:"),
        ("two rows compared", two_rows_compared, "rows shuffled"),
        ("two pairs compared", one_pair_compared, "one column negated"),
        ("sign forgotten", sign_forgotten, "none of these"),
        ("other sign forgotten", other_sign_forgotten, "none of these"),
        ("tolerance of a fifth", tolerance_of_a_fifth, "all entries agree"),
        ("tolerance of a hundredth", tolerance_of_a_hundredth, "more than 0.0001"),
        ("first rows compared", first_rows_compared, "reversed from row 20 on"),
        ("every second row", every_second_row_compared, "stands backward"),
        ("three rows", three_rows_compared, "row 151 stands backward"),
        ("first columns", first_columns_compared, "one column negated"),
        ("every second column", every_second_column_compared, "one column negated"),
        ("the mean", mean_compared, "off by"),
        ("root mean square", root_mean_square_compared, "off by"),
        ("most entries", most_entries_compared, "row 151 stands backward"),
        ("sums", sums_compared, "why:"),
        ("never none", never_none, "random numbers"),
        ("scale forgiven", scale_forgiven, "why:"),
        ("frequencies of one width", measured_at_width_64, "only rounded"),
    ],
}
