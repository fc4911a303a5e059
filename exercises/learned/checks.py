"""Tables that are learned, and the rows that they do not have."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import sinusoidal

chapter = ChapterExercises("learned")

_OLD, _NEW = 224 // 16, 384 // 16  # squares along a side
chapter.number(
    "rows_of_a_picture",
    "A larger picture",
    {
        _NEW**2 - _OLD**2: (
            f"{_NEW} · {_NEW} + 1 = {_NEW**2 + 1} tokens need a row, and {_OLD} · {_OLD} + 1 = "
            f"{_OLD**2 + 1} rows exist. A side grew by {_NEW / _OLD - 1:.0%}, and yet most rows "
            "are missing: the table grows with the area."
        ),
        _NEW**2 + 1: (
            "That many rows are needed in all. Some of them exist: those of the smaller pictures."
        ),
        _NEW**2: (
            "That is the number of squares in the larger picture, and the token in front needs a "
            "row, too. But the question is how many rows are *missing*: those of the smaller "
            "pictures exist."
        ),
        _NEW - _OLD: "That is how many squares are missing along one side. There are two sides.",
        (_NEW - _OLD) ** 2: (
            "The difference of the sides, squared. The larger picture is more than the smaller one "
            "and a square in its corner: count the squares of each, then subtract."
        ),
        _NEW**2 + 1 - _OLD**2: (
            "Nearly. The small picture has a token in front as well, so its row exists."
        ),
        384 - 224: "These are pixels along one side. A token is a square of pixels.",
        384**2 - 224**2: (
            f"These are pixels. A token is a square of them, and a square has {16**2}."
        ),
        (384**2 - 224**2) // 16: (
            f"The pixels are divided by 16: a square is 16 wide and 16 high, and has {16**2}."
        ),
    },
    kind="hand",
    level=1,
    teaches="what fixes the size of a table",
    unit="rows",
    tolerance=0.1,
    otherwise="How many squares are there along one side, and how many in the whole picture?",
)


@chapter.function("Repair the lookup", kind="debug", level=1, teaches="positions without a row")
def rows_at(attempt):
    rng = np.random.default_rng(0)
    for length, d_model in [(6, 3), (1, 4), (10, 2)]:
        table = rng.normal(size=(length, d_model))
        every = np.arange(length)
        got = attempt.array(table, every, shape=table.shape, why="one row for each position")
        attempt.close(got, table, "position t has row t, from the first to the last")
        why = "positions is one integer here: shape () + (d_model,)"
        got = attempt.array(table, length - 1, shape=(d_model,), why=why)
        attempt.close(got, table[-1], "the last position has the last row")
        several = rng.integers(0, length, (2, 5))
        got = attempt.array(table, several, shape=(2, 5, d_model), why="one row for each position")
        attempt.close(got, table[several], "position t has row t, also in an array of two axes")
        for bad in (length, length + 1, 7 * length, -1, -length, -length - 1):
            why = f"the table has no row for position {bad}, and the answer does not say so"
            if bad < 0:
                why = (
                    f"position {bad} is before the first word: which row did it get, and whose "
                    "row is that?"
                )
            one, last = min(1, length - 1), length - 1
            for positions in (
                np.append(every, bad),
                np.append(bad, every),
                np.array([0, bad, one]),
                np.array([[0, one], [bad, last]]),
                np.array([[0, one], [last, bad]]),
                np.array([[bad, one], [last, 0]]),
            ):
                attempt.refuses(table, positions, errors=(ValueError, IndexError), why=why)
            why = f"a single position without a row, {bad}, is no better than one of many"
            attempt.refuses(table, bad, errors=(ValueError, IndexError), why=why)


@chapter.function(
    "Similarity by offset", kind="program", level=2, teaches="reading a table, lengths aside"
)
def similarity_by_offset(attempt):
    rng = np.random.default_rng(0)
    sizes = [(7, 4), (4, 7), (2, 3), (6, 1), (1, 5)]
    tables = [rng.normal(size=size) * rng.uniform(0.1, 9, (size[0], 1)) for size in sizes]
    for table in [sinusoidal(range(9), 8), *tables]:
        n = len(table)
        why = "one number for each offset, from 0 to length - 1"
        got = attempt.array(table, shape=(n,), why=why)
        attempt.close(
            got[0],
            1,
            "at offset 0 every row meets itself: the cosine is 1. Is each row divided by its own "
            "length?",
        )
        attempt.close(
            got,
            [along(cosines(table), k).mean() for k in range(n)],
            "the mean of the cosines of all pairs of rows t and t + k, each with its sign",
        )


def cosines(table):
    """Return the cosine similarity of every row with every other."""
    directions = table / np.linalg.norm(table, axis=1, keepdims=True)
    return directions @ directions.T


def along(pairs, offset):
    """Return the entries of a matrix for pairs of rows at one offset."""
    return np.diagonal(pairs, offset)


@similarity_by_offset.mistake("these are dot products: a cosine is divided by both lengths")
def dot_products(table):
    return [along(table @ table.T, k).mean() for k in range(len(table))]


@similarity_by_offset.mistake("only row 0 meets row k here: all pairs t and t + k count")
def of_first_row(table):
    return cosines(table)[0]


@similarity_by_offset.mistake(
    "the last rows are paired with the first ones, as if the table were a ring"
)
def in_a_ring(table):
    rows = np.arange(len(table))
    return [cosines(table)[rows, (rows + k) % len(table)].mean() for k in rows]


@similarity_by_offset.mistake("a sum over the pairs: their number falls with k")
def sums(table):
    return [along(cosines(table), k).sum() for k in range(len(table))]


@similarity_by_offset.mistake(
    "divided by the length at every offset, but at offset k there are fewer pairs than rows"
)
def divided_by_length(table):
    return [along(cosines(table), k).sum() / len(table) for k in range(len(table))]


@similarity_by_offset.mistake("divide each pair first, by its own two lengths, then take the mean")
def averaged_too_early(table):
    norms = np.linalg.norm(table, axis=1)
    dots, products = table @ table.T, np.outer(norms, norms)
    return [along(dots, k).mean() / along(products, k).mean() for k in range(len(table))]


@similarity_by_offset.mistake("a similarity below 0 keeps its sign")
def without_sign(table):
    return np.abs([along(cosines(table), k).mean() for k in range(len(table))])


@similarity_by_offset.mistake(
    "the numbers begin with that of offset 1: offset 0, each row with itself, is missing"
)
def from_offset_one(table):
    return [*(along(cosines(table), k).mean() for k in range(1, len(table))), 0]


chapter.choice(
    "two_ends_of_a_table",
    "Forward and backward",
    {
        "They are opposite: what lies ahead of one lies behind the other.": (
            "Opposite would follow if the model could tell ahead from behind. From zeros it "
            "cannot: without positions and mask, attention treats all others alike."
        ),
        "They are unrelated: these rows meet other tokens, far from each other.": (
            "In one text they do. But the mirrored text brings the same tokens to row 31 − t, in "
            "the same company, with the same answers."
        ),
        "They are equal: over the whole batch both rows get the same.": (
            "Attention without positions and mask is equivariant, so a mirrored text has mirrored "
            "vectors, errors and gradients. A batch with both kinds has one gradient for rows t "
            "and 31 − t: they move alike, and stay alike in every later step."
        ),
        "They are zero: where a row is zero, there is nothing to be changed.": (
            "A row is *added*. The gradient asks what a small change of the sum would do, and the "
            "word is there, whatever the row is."
        ),
    },
    right="c",
    kind="predict",
    level=2,
    teaches="equivariance and gradients",
)


@chapter.function(
    "Stretch a square table", kind="extend", level=3, teaches="making up rows in two directions"
)
def stretched_square(attempt):
    rng = np.random.default_rng(0)
    for side, new_side, d_model in [(2, 3, 4), (3, 5, 2), (3, 3, 1), (4, 9, 3), (5, 3, 2)]:
        table = rng.normal(size=(1 + side**2, d_model))
        why = "one row for the token in front and one for each square of the new picture"
        got = attempt.array(table, side, new_side, shape=(1 + new_side**2, d_model), why=why)
        attempt.close(
            got[0],
            table[0],
            "row 0 is that of the token in front: it is not a square of the picture, and is kept",
        )
        old, new = table[1:].reshape(side, side, -1), got[1:].reshape(new_side, new_side, -1)
        ends = np.s_[:: side - 1, :: side - 1], np.s_[:: new_side - 1, :: new_side - 1]
        attempt.close(
            new[ends[1]],
            old[ends[0]],
            "these are the corners of the new picture and those of the old one. The new squares "
            "are evenly spaced between them: is the last new square at the place of the last old "
            "one?",
        )
        expected = stretched(table, side, np.linspace(0, side - 1, new_side))
        attempt.close(
            new,
            expected[1:].reshape(new.shape),
            "these are the lines of squares. Between two old squares the rows change evenly, along "
            "the lines and along the columns: in the middle of four stands their mean",
        )


def stretched(table, side, places):
    """Return the table with new squares at these places, in old ones; row 0 is kept."""
    share = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(side)))
    both = np.einsum("rR,cC,RCd->rcd", share, share, table[1:].reshape(side, side, -1))
    return np.concatenate([table[:1], both.reshape(len(places) ** 2, -1)])


def _evenly(table, side, new_side):
    return stretched(table, side, np.linspace(0, side - 1, new_side))


@stretched_square.mistake(
    "stretched as one long line: there the end of one line of squares runs into the beginning "
    "of the next. A square has neighbors left, right, above and below"
)
def as_one_line(table, side, new_side):
    places = np.linspace(0, side**2 - 1, new_side**2)
    columns = [np.interp(places, range(side**2), column) for column in table[1:].T]
    return np.concatenate([table[:1], np.stack(columns, axis=1)])


@stretched_square.mistake(
    "each new row is a copy of the nearest old one: between two squares it should be a "
    "mixture of both"
)
def nearest(table, side, new_side):
    return stretched(table, side, np.round(np.linspace(0, side - 1, new_side)))


@stretched_square.mistake(
    "the entries of one row were taken for squares: in the table the entry is the last axis, "
    "and reshape alone moves no axis"
)
def entries_taken_for_squares(table, side, new_side):
    squares = table[1:].reshape(-1, side**2).T  # as if the entry were the first axis
    rows = _evenly(np.concatenate([table[:1], squares]), side, new_side)[1:]
    return np.concatenate([table[:1], rows.T.reshape(rows.shape)])


@stretched_square.mistake("one row off: the squares begin at row 1, and end with the last row")
def one_row_off(table, side, new_side):
    return _evenly(np.concatenate([table[:1], table[:-1]]), side, new_side)


@stretched_square.mistake("the row of the token in front is missing")
def without_row_0(table, side, new_side):
    return _evenly(table, side, new_side)[1:]


@stretched_square.mistake(
    "placed by the centers of squares, each picture filling the same frame: here the new "
    "squares are evenly spaced from the first old one to the last"
)
def centers_of_squares(table, side, new_side):
    centers = (np.arange(new_side) + 0.5) * side / new_side - 0.5
    return stretched(table, side, np.clip(centers, 0, side - 1))


@stretched_square.mistake("lines and columns of the picture are exchanged")
def lines_and_columns_exchanged(table, side, new_side):
    rows = _evenly(table, side, new_side)
    square = rows[1:].reshape(new_side, new_side, -1).swapaxes(0, 1)
    return np.concatenate([rows[:1], square.reshape(new_side**2, -1)])
