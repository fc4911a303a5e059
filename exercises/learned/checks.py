"""Tables that are learned, and the rows that they do not have."""

import re

import numpy as np

from exercises.attempt import Failed
from exercises.registry import ChapterExercises
from pecode import similarity, sinusoidal

chapter = ChapterExercises("learned")

_OLD, _NEW = 224 // 16, 384 // 16  # squares along a side
chapter.number(
    "rows_of_a_picture",
    "A larger picture",
    [
        (
            _NEW**2 - _OLD**2,
            f"{_NEW} · {_NEW} + 1 = {_NEW**2 + 1} tokens need a row, and {_OLD} · {_OLD} + 1 = "
            f"{_OLD**2 + 1} rows exist. A side grew by {_NEW / _OLD - 1:.0%}, and yet most rows "
            "are missing: the table grows with the area.",
        ),
        (
            _NEW**2 + 1,
            "That many rows are needed in all. Some of them exist: those of the smaller pictures.",
        ),
        (
            _NEW**2,
            "That is the number of squares in the larger picture, and the token in front needs a "
            "row, too. But the question is how many rows are *missing*: those of the smaller "
            "pictures exist.",
        ),
        (
            _NEW - _OLD,
            "That is how many squares are missing along one side. There are two sides.",
        ),
        (
            (_NEW - _OLD) ** 2,
            "The difference of the sides, squared. The larger picture is more than the smaller one "
            "and a square in its corner: count the squares of each, then subtract.",
        ),
        (
            _NEW**2 + 1 - _OLD**2,
            "Nearly. The small picture has a token in front as well, so its row exists.",
        ),
        (384 - 224, "These are pixels along one side. A token is a square of pixels."),
        (
            384**2 - 224**2,
            f"These are pixels. A token is a square of them, and a square has {16**2}.",
        ),
        (
            (384**2 - 224**2) // 16,
            f"The pixels are divided by 16: a square is 16 wide and 16 high, and has {16**2}.",
        ),
    ],
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
                _refused(attempt, table, positions, why)
            why = f"a single position without a row, {bad}, is no better than one of many"
            _refused(attempt, table, bad, why)


def _refused(attempt, table, positions, why):
    """These positions must raise; another error, or one that is returned, is told apart."""
    errors = ValueError, IndexError
    try:
        attempt.refuses(table, positions, errors=errors, why=why)
    except Failed as problem:
        got = re.search(r"got: +(.*)", str(problem))[1]
        if re.match(r"(Value|Index)Error\b", got):
            why = "this error is returned, like an answer: do you mean `raise`?"
        elif other := re.match(r"([A-Z]\w*):", got):
            why = f"it raises, but {other[1]}: use ValueError or IndexError"
        attempt.refuses(table, positions, errors=errors, why=why)


@chapter.function(
    "Similarity by offset", kind="program", level=2, teaches="reading a table, lengths aside"
)
def similarity_by_offset(attempt):
    rng = np.random.default_rng(0)
    hands = sinusoidal(range(9), 8)
    dots = hands @ hands.T
    got = attempt.array(hands, shape=(9,), why="one number for each offset, from 0 to length - 1")
    expected = similarity(range(9), 8) / 4  # of equal lengths, and the offset decides
    circular = [np.mean([dots[t, (t + k) % 9] for t in range(9)]) / 4 for k in range(9)]
    attempt.close(
        got,
        expected,
        _unless_the_first_is_wrong(
            got,
            expected,
            "in a table of sinusoids every pair of rows at one offset has the same similarity, and "
            "the mean over these pairs is that",
        ),
        mistakes=[
            (4 * expected, "these are dot products: a cosine is divided by both lengths"),
            (expected * (9 - np.arange(9)), "a sum over the pairs: their number falls with k"),
            (
                expected * (9 - np.arange(9)) / 9,
                "divided by 9 at every offset, but at offset k there are fewer pairs than rows",
            ),
            (circular, "the last rows are paired with the first ones, as if the table were a ring"),
        ],
    )
    for length, d_model in [(7, 4), (4, 7), (2, 3), (6, 1), (1, 5)]:
        table = rng.normal(size=(length, d_model)) * rng.uniform(0.1, 9, (length, 1))
        sizes = np.sqrt((table**2).sum(axis=1))
        of_pair = table @ table.T / np.outer(sizes, sizes)
        means = [np.mean([of_pair[t, t + k] for t in range(length - k)]) for k in range(length)]
        got = attempt.array(table, shape=(length,), why="one number for each offset of the rows")
        products = np.array([np.diagonal(table @ table.T, k).mean() for k in range(length)])
        norms = [np.mean(sizes[: length - k] * sizes[k:]) for k in range(length)]
        of_means = [sizes[: length - k].mean() * sizes[k:].mean() for k in range(length)]
        too_late = "divide each pair first, by its own two lengths, then take the mean"
        attempt.close(
            got,
            means,
            _unless_the_first_is_wrong(
                got,
                means,
                "the mean of the cosines of all pairs of rows t and t + k; here the rows are "
                "random, and of different lengths",
            ),
            mistakes=[
                (of_pair[0], "only row 0 meets row k here: all pairs t and t + k count"),
                (of_pair[-1][::-1], "only the last row is compared: all pairs t and t + k count"),
                (products / norms, too_late),
                (products / of_means, too_late),
                (products / sizes.mean() ** 2, too_late),
                (products / np.mean(sizes**2), too_late),
                (np.abs(means), "a similarity below 0 keeps its sign"),
            ],
        )


def _unless_the_first_is_wrong(got, expected, why):
    if abs(got[0] - 1) < 1e-5:
        return why
    if np.allclose(got[:-1], expected[1:], atol=1e-5):
        return "the numbers begin with that of offset 1: offset 0, each row with itself, is missing"
    return (
        "at offset 0 every row meets itself: the cosine is 1. Is each row divided by its own "
        "length?"
    )


chapter.choice(
    "two_ends_of_a_table",
    "Forward and backward",
    [
        (
            "They are opposite: what lies ahead of one lies behind the other.",
            "Opposite would follow if the model could tell ahead from behind. From zeros it "
            "cannot: without positions and mask, attention treats all others alike.",
        ),
        (
            "They are unrelated: these rows meet other tokens, far from each other.",
            "In one text they do. But the mirrored text brings the same tokens to row 31 − t, in "
            "the same company, with the same answers.",
        ),
        (
            "They are equal: over the whole batch both rows get the same.",
            "Attention without positions and mask is equivariant, so a mirrored text has mirrored "
            "vectors, errors and gradients. A batch with both kinds has one gradient for rows t "
            "and 31 − t: they move alike, and stay alike in every later step.",
            True,
        ),
        (
            "They are zero: where a row is zero, there is nothing to be changed.",
            "A row is *added*. The gradient asks what a small change of the sum would do, and the "
            "word is there, whatever the row is. (The chapter trained a table of zeros, too.)",
        ),
    ],
    kind="predict",
    level=2,
    teaches="equivariance and gradients",
)


@chapter.function(
    "Stretch a square table", kind="extend", level=3, teaches="making up rows in two directions"
)
def stretched_square(attempt):
    rng = np.random.default_rng(0)
    for side, new_side, d_model in [
        (2, 3, 4),
        (3, 5, 2),
        (3, 3, 1),
        (4, 9, 3),
        (5, 3, 2),
        (3, 4, 5),
    ]:
        table = rng.normal(size=(1 + side**2, d_model))
        got = attempt.array(table, side, new_side)
        shape = (1 + new_side**2, d_model)
        got = attempt.as_array(got, shape, _of_shape(got.shape, side, new_side))
        attempt.close(
            got[0],
            table[0],
            "row 0 is that of the token in front: it is not a square of the picture, and is kept",
        )
        old, new = table[1:].reshape(side, side, -1), got[1:].reshape(new_side, new_side, -1)
        expected = _both_ways(old, new_side)
        why = "between the squares the rows change evenly, along the lines and along the columns"
        if side == new_side:
            why = "stretched to its own size, a table does not change"
        elif (side, new_side) == (2, 3):
            why = (
                "the middle of the new picture is equally near to all four old squares and gets "
                "their mean; between two corners stands the mean of these two"
            )
        corners = [(-1, -1), (0, 0), (0, -1), (-1, 0)]
        wrong = [place for place in corners if not np.allclose(new[place], old[place], atol=1e-5)]
        if wrong:
            why = "the corners of the old picture are those of the new one"
            if (0, 0) not in wrong:
                why += ", and the new squares are evenly spaced between them: is the last new "
                why += "square at the place of the last old one?"
        _same_squares(
            attempt, new, expected, why, _mistakes(table, side, new_side, expected), wrong[:1]
        )


def _of_shape(shape, side, new_side):
    """Say what an answer of this shape may be."""
    if shape[:1] == (1 + side * new_side,):
        return "stretched in one direction only: the other one follows"
    if shape[:1] == (new_side**2,):
        return "the row of the token in front is missing"
    if shape[:2] == (new_side, new_side):
        return "at the end the lines of squares become one list of rows again, after row 0"
    return "one row for the token in front and one for each square of the new picture"


def _same_squares(attempt, got, expected, why, mistakes, first):
    """Compare squares, and name a place by line and square, and by its row in the table."""
    for value, reason in mistakes:
        if np.allclose(got, value, atol=1e-5):
            why = reason
            break
    off = np.abs(got - expected)
    if first:  # a corner that is wrong says more than the place that is farthest off
        line, square = (k % len(got) for k in first[0])
        entry = off[line, square].argmax()
    else:
        line, square, entry = np.unravel_index(off.argmax(), off.shape)
    row = 1 + line * len(got) + square
    where = f"in line {line}, square {square}, entry {entry} (row {row} of your table)"
    place = line, square, entry
    attempt.true(
        np.allclose(got, expected, atol=1e-5),
        f"{expected[place]:.6g} {where}",
        f"{got[place]:.6g}",
        why,
    )


def _mistakes(table, side, new_side, expected):
    shape = expected.shape
    old = table[1:].reshape(side, side, -1)
    centers = np.clip((np.arange(new_side) + 0.5) * side / new_side - 0.5, 0, side - 1)
    by_centers = np.maximum(0, 1 - np.abs(centers[:, None] - np.arange(side)))
    rounded = np.round(np.linspace(0, side - 1, new_side)).astype(int)
    squares_of_entries = _both_ways(np.moveaxis(table[1:].reshape(-1, side, side), 0, -1), new_side)
    entries_first = np.moveaxis(expected, -1, 0)
    entries = (
        "the entries of one row were taken for squares: in the table the entry is the last axis, "
        "and reshape alone moves no axis"
    )
    return [
        (
            _stretched(table[1:], new_side**2).reshape(shape),
            "stretched as one long line: there the end of one line of squares runs into the "
            "beginning of the next. A square has neighbors left, right, above and below",
        ),
        (
            _stretched(table, new_side**2).reshape(shape),
            "stretched as one long line, with the token in front: it is not a square, and squares "
            "have neighbors left, right, above and below",
        ),
        (
            old[np.ix_(rounded, rounded)],
            "each new row is a copy of the nearest old one: between two squares it should be a "
            "mixture of both",
        ),
        (
            np.einsum("rR,cC,RCd->rcd", by_centers, by_centers, old),
            "placed by the centers of squares, each picture filling the same frame: here the "
            "new squares are evenly spaced from the first old one to the last",
        ),
        (expected.swapaxes(0, 1), "lines and columns of the picture are exchanged"),
        (squares_of_entries, entries),
        (np.moveaxis(squares_of_entries, -1, 0).reshape(shape), entries),
        (entries_first.reshape(shape), entries),
        (
            _both_ways(table[:-1].reshape(old.shape), new_side),
            "one row off: the squares begin at row 1, and end with the last row",
        ),
    ]


def _both_ways(square, new_side):
    return _stretched(_stretched(square, new_side).swapaxes(0, 1), new_side).swapaxes(0, 1)


def _stretched(rows, length):
    """The rows of an array (n, …) at `length` places between its ends, both ends included."""
    places = np.linspace(0, len(rows) - 1, length)
    below = np.minimum(places.astype(int), len(rows) - 2)
    share = (places - below).reshape(-1, *[1] * (rows.ndim - 1))
    return (1 - share) * rows[below] + share * rows[below + 1]
