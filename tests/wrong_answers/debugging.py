"""Chapter 12."""

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
        ("one cosine", arc_cosine_of_one_entry, "One entry does not tell it"),
        ("the cosine of the second pair", arc_cosine_of_the_second_pair, "One entry does not"),
        ("the slowest hand", angle_of_the_slowest_hand, "as a whole"),
        ("equal entries wanted", exactly_equal, "IndexError"),
        ("the first row that is near", first_that_is_near, "IndexError"),
        ("the largest product", largest_product, "no longer the same length"),
        ("blots taken for zeros", blots_taken_for_zeros, "cannot be read (NaN)"),
        ("blots in every distance", blots_make_everything_nan, "cannot be read (NaN)"),
        ("base forgotten", base_forgotten, "a table with base 1000"),
        ("length forgotten", length_forgotten, "Positions end at length - 1"),
        ("counted from one", counted_from_one, "the first row is position 0"),
    ],
    "positions_in_a_padded_batch": [
        ("columns counted", columns_counted, "that they have alone"),
        ("cache forgotten", started_again, "read before and are kept"),
        ("one too far", one_too_far, "does not stand before itself"),
        ("below zero", below_zero, "no row before the first"),
        ("down the batch", down_the_batch, "its tokens are 0, 1, 2"),
        ("columns of the cache", columns_of_the_cache_counted, "tokens count and paddings do not"),
        (
            "padding of the new columns",
            padding_of_the_new_columns_only,
            "tokens count and paddings",
        ),
        ("padding of the first text", padding_of_the_first_text, "have alone"),
    ],
    "name_the_mistake": [
        ("row 0 alone", only_the_first_entry, "how far does the second hand turn"),
        ("compared exactly", compared_exactly, "only rounded"),
        ("compared too loosely", compared_too_loosely, "why:"),
        ("two rows compared", two_rows_compared, "rows shuffled"),
        ("two pairs compared", one_pair_compared, "one column negated"),
        ("never none", never_none, "random numbers"),
        ("scale forgiven", scale_forgiven, "why:"),
        ("frequencies of one width", measured_at_width_64, "only rounded"),
    ],
}
