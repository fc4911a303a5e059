"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.debugging.checks import NAMES, misfits, table_named
from pecode import frequencies, sinusoidal, sinusoidal_table


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


# Wrong answers


def arc_cosine_of_one_entry(row, length, base):
    return round(np.arccos(row[1]))


def angle_of_the_slowest_hand(row, length, base):
    sine, cosine = row[-2:]
    return round(np.arctan2(sine, cosine) % (2 * np.pi) / frequencies(len(row), base)[-1])


def exactly_equal(row, length, base):
    return np.flatnonzero(misfits(row, length, base) == 0)[0]


def length_forgotten(row, length, base):
    return misfits(row, 10_000, base).argmin()


def absolute_values(row, length, base):
    return np.nansum(np.abs(sinusoidal_table(length, len(row), base) - row), axis=1).argmin()


def mean_in_the_blots(row, length, base):
    return misfits(np.where(np.isnan(row), np.nanmean(row), row), length, base).argmin()


def columns_counted(is_token, cached):
    batch, length = is_token.shape
    return np.tile(np.arange(cached, length), (batch, 1))


def started_again(is_token, cached):
    new = is_token[:, cached:]
    return np.cumsum(new, axis=1) - new


def columns_of_the_cache_counted(is_token, cached):
    return cached + started_again(is_token, cached)


def below_zero(is_token, cached):
    return (np.cumsum(is_token, axis=1) - 1)[:, cached:]


def far_away_at_a_padding(is_token, cached):
    return np.where(is_token == 1, np.cumsum(is_token, axis=1) - 1, 10**6)[:, cached:]


def down_the_batch(is_token, cached):
    return (np.cumsum(is_token, axis=0) - is_token)[:, cached:]


def only_the_first_entry(table):
    names = {(0, 1): "right", (1, 0): "cosine first", (0, 0): "sines first"}
    return names.get(tuple(np.abs(table[0, :2]).round().astype(int)), "positions from 1")


def never_none(table):
    return min(NAMES, key=lambda name: np.abs(table - table_named(name, *table.shape)).max())


def _named(table, part=..., tolerance=1e-4, measure=lambda gaps: np.abs(gaps).max()):
    """Return the first name whose table is near, by a part of the entries or another measure."""
    for name in NAMES:
        if measure((table - table_named(name, *table.shape))[part]) < tolerance:
            return name
    return "none of these"


def compared_exactly(table):
    return _named(table, tolerance=1e-9)


def two_rows_compared(table):
    return _named(table, np.s_[:2])


def two_pairs_compared(table):
    return _named(table, np.s_[:, :4])


def first_rows_compared(table):
    return _named(table, np.s_[:16])


def every_second_row_compared(table):
    return _named(table, np.s_[::2])


def tolerance_of_a_hundredth(table):
    return _named(table, tolerance=0.01)


def sign_forgotten(table):
    return _named(table, measure=np.max)


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "position_of": {
        arc_cosine_of_one_entry: "One entry does not settle it",
        angle_of_the_slowest_hand: "as a whole",
        exactly_equal: "IndexError",
        length_forgotten: "positions below 300",
        absolute_values: "*squared* differences",
        mean_in_the_blots: "only the others can be compared",
    },
    "positions_in_a_padded_batch": {
        columns_counted: "that they would have alone",
        started_again: "read before and are kept",
        below_zero: "no row before the first",
        far_away_at_a_padding: "no more positions than columns",
        down_the_batch: "its tokens are 0, 1, 2",
        columns_of_the_cache_counted: "tokens count and padding does not",
    },
    "name_the_mistake": {
        only_the_first_entry: "how far does the second hand turn",
        compared_exactly: "only rounded",
        two_rows_compared: "rows shuffled",
        two_pairs_compared: "one column negated",
        first_rows_compared: "reversed from row 20 on",
        every_second_row_compared: "stands backward",
        tolerance_of_a_hundredth: "off by 0.0005",
        sign_forgotten: "one column negated",
        never_none: "random numbers",
    },
}
