"""Sines with cosines, and the matrix that moves them."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies, sinusoidal, translation_matrix

chapter = ChapterExercises("translation")

chapter.number(
    "fifty_in_column_three",
    "Position 50, column 3",
    {
        np.cos(5.0): (
            "Column 3 is the cosine of pair 1, whose frequency is 0.1: cos(0.1 · 50) = cos 5. It "
            "is column 1 of position 5 once more: a hand that turns ten times as slowly needs ten "
            "times as many positions to get to the same place."
        ),
        np.sin(5.0): (
            "That is column 2. The even column of a pair holds the sine, the odd one the cosine."
        ),
        np.cos(0.05): (
            "That takes 3 for i. The exponent counts pairs: column 3 is 2i + 1, so i is 1."
        ),
        np.cos(50 * 10000 ** (-1 / 8)): (
            "The factor 2 in the exponent got lost: for i = 1 the exponent is -2/8, not -1/8."
        ),
        np.cos(0.5): (
            "That is a cosine with the frequency 0.01, which is pair 2. Pairs are counted from 0, "
            "so column 3 belongs to pair 1, and the exponent of pair 1 is -2/8."
        ),
        np.cos(np.radians(5)): (
            "The angle is right, but the calculator took it for degrees. It is in radians."
        ),
        np.cos(50 * 10000 ** (-3 / 8)): (
            "That puts the column into the exponent, -3/8, in place of 2i. Column 3 is 2i + 1, so "
            "2i is 2, for the cosine, too: both entries of a pair have the same frequency."
        ),
        np.cos(50.0): "That is the cosine of pair 0, column 1. Column 3 is 2i + 1 with i = 1.",
        np.sin(0.05): (
            "That takes 3 for i, and the sine for the cosine. Column 3 is 2i + 1: i is 1, and odd "
            "columns hold the cosine."
        ),
        np.cos(500.0): (
            "The minus sign of the exponent got lost: ω is 10000^(-2/8) = 0.1, not 10."
        ),
        0.28: "That is the right entry to two decimals. Give three.",
    },
    kind="hand",
    level=1,
    teaches="an entry from the formula",
    tolerance=0.001,
    otherwise="Which pair has columns 2 and 3? What is its frequency? What is its angle at "
    "position 50? And is an odd column a sine or a cosine?",
)

_OMEGA = frequencies(8)
_GAPS = 2 * np.abs(np.sin(_OMEGA * 495 / 2))  # from tip to tip, for each hand
chapter.choice(
    "five_and_five_hundred",
    "5 and 6, 5 and 500",
    {
        "Pair 0, with ω = 1": (
            f"Its two tips are {_GAPS[0]:.2f} apart, farther than any others, but between 5 and "
            "500 it goes around 78 times. Where it stands after that is luck: at 5 and 49 it "
            "stands in nearly the same place."
        ),
        "Pair 1, with ω = 0.1": (
            f"It tells 5 from 30. Between 5 and 500 it goes around almost 8 times, and that its "
            f"tips are {_GAPS[1]:.2f} apart is chance."
        ),
        "Pair 2, with ω = 0.01": (
            f"It turns by {_OMEGA[2] * 495:.2f}, less than a full turn, and its tips are "
            f"{_GAPS[2]:.2f} apart. As a rule, the pair to read is the fastest one whose "
            "wavelength is longer than the distance."
        ),
        "Pair 3, with ω = 0.001": (
            f"It has not come around either. But it has turned by only {_OMEGA[3] * 495:.3f}, so "
            f"its tips are {_GAPS[3]:.2f} apart; another pair shows the distance more clearly."
        ),
    },
    right="c",
    kind="predict",
    level=1,
    teaches="what each pair is for",
)


@chapter.function(
    "A table without assignment",
    kind="program",
    level=2,
    teaches="the layout, by stack and reshape",
)
def table_by_operators(attempt):
    cases = [
        (np.arange(9), 8, 10000.0),
        (np.arange(4), 4, 10000.0),  # as many rows as columns
        (np.array([[0, 1, 2], [7, 5, 3]]), 6, 300.0),
        (np.arange(30).reshape(2, 3, 5), 2, 10000.0),
        (np.array([5, 60]), 7, 500.0),
        (np.arange(3), 1, 10000.0),
        (4, 8, 10000.0),
        (np.array([[3.5], [-2]]), 6, 10000.0),
    ]
    for positions, d_model, base in cases:
        shape = np.shape(positions)
        odd = ". The width is odd: the last pair has its sine only" if d_model % 2 else ""
        got = attempt.array(
            positions,
            d_model,
            base,
            shape=(*shape, d_model),
            why=f"positions of shape {shape}: each becomes a vector of {d_model} numbers, in a new "
            f"last axis{odd}",
            note=f"The positions here have the shape {shape}{odd}",
        )
        attempt.close(
            got,
            table_of(positions, d_model, frequencies(d_model, base)),
            "the vector of t holds sin(ω t) in column 2i and cos(ω t) in column 2i + 1, with ω = "
            f"base^(-2i/d_model){odd}",
        )


def table_of(positions, d_model, omega):
    """Return the table with a frequency for each pair; a pair that is cut off keeps its sine."""
    angles = np.asarray(positions)[..., None] * omega
    table = np.zeros((*np.shape(positions), d_model))
    table[..., 0::2] = np.sin(angles)
    table[..., 1::2] = np.cos(angles)[..., : d_model // 2]
    return table


def sines_and_cosines(positions, d_model, base):
    """Return the sines of the pairs, and their cosines: two tables with a column for each pair."""
    table = table_of(positions, d_model, frequencies(d_model, base))
    return table[..., 0::2], table[..., 1::2]


@table_by_operators.mistake(
    "these are all sines, then all cosines. Along which axis do a sine and its cosine lie "
    "side by side before they are reshaped?"
)
def one_after_the_other(positions, d_model, base=10000.0):
    return np.concatenate(sines_and_cosines(positions, d_model, base), axis=-1)


@table_by_operators.mistake(
    "numbers of different positions share a row. reshape reads the last axis fastest: a sine "
    "and its cosine must be neighbors there"
)
def stacked_in_front(positions, d_model, base=10000.0):
    pairs = np.stack(sines_and_cosines(positions, d_model, base))
    return pairs.reshape(*np.shape(positions), d_model)


@table_by_operators.mistake("the cosine comes first; the sine should have the even column")
def cosine_first(positions, d_model, base=10000.0):
    sines, cosines = sines_and_cosines(positions, d_model, base)
    return np.stack([cosines, sines], axis=-1).reshape(*np.shape(positions), d_model)


@table_by_operators.mistake(
    "these are the columns of a table that is one wider: the exponents should contain the "
    "width that was asked for"
)
def odd_width_rounded_up(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model + d_model % 2, base)[..., :d_model]


@table_by_operators.mistake(
    "the last column is zero. The width is odd, and the last column should be the sine of one "
    "more pair"
)
def zero_for_the_last(positions, d_model, base=10000.0):
    table = sinusoidal(positions, d_model, base)
    if d_model % 2:
        table[..., -1] = 0
    return table


@table_by_operators.mistake(
    "the exponents contain the width less one where the width that was asked for belongs"
)
def narrower_exponents(positions, d_model, base=10000.0):
    i = np.arange((d_model + 1) // 2)
    return table_of(positions, d_model, base ** (-2 * i / max(d_model // 2 * 2, 1)))


@table_by_operators.mistake(
    "the width is odd, so one column must go: the last cosine. Here it was the first sine"
)
def first_column_dropped(positions, d_model, base=10000.0):
    omega = frequencies(d_model, base)
    return table_of(positions, 2 * len(omega), omega)[..., -d_model:]


@table_by_operators.mistake(
    "the last frequency is 1/base. With the exponent -2i/d_model it never gets there: the "
    "steps were counted as if both ends belonged to the ladder"
)
def both_ends_on_the_ladder(positions, d_model, base=10000.0):
    pairs = (d_model + 1) // 2
    return table_of(positions, d_model, base ** (-np.arange(pairs) / max(pairs - 1, 1)))


@table_by_operators.mistake("the positions were cut to whole numbers")
def whole_positions(positions, d_model, base=10000.0):
    return sinusoidal(np.asarray(positions).astype(int), d_model, base)


@table_by_operators.mistake("this is right for -t in place of t: the sign got lost")
def sign_of_position_lost(positions, d_model, base=10000.0):
    return table_of(np.abs(positions), d_model, frequencies(d_model, base))


@table_by_operators.mistake("the frequencies fall too fast: the factor 2 is there twice")
def factor_doubled(positions, d_model, base=10000.0):
    return table_of(positions, d_model, frequencies(d_model, base) ** 2)


@table_by_operators.mistake("the frequencies fall too slowly: the factor 2 got lost")
def factor_lost(positions, d_model, base=10000.0):
    return table_of(positions, d_model, frequencies(d_model, base) ** 0.5)


@table_by_operators.mistake(
    "a sine and the cosine beside it have different frequencies: the exponent counts columns, "
    "and should count pairs"
)
def exponent_by_column(positions, d_model, base=10000.0):
    j = np.arange(d_model)
    angles = np.asarray(positions)[..., None] * base ** (-j / d_model)
    return np.where(j % 2, np.cos(angles), np.sin(angles))


@table_by_operators.mistake("these are the values for the base 10,000")
def base_ignored(positions, d_model, base=10000.0):
    return sinusoidal(positions, d_model)


@chapter.function(
    "Rows, moved there and back", kind="debug", level=1, teaches="rows, columns and the transpose"
)
def moved_rows(attempt):
    cases = [
        ([5, 9, 20], 8, 10000.0, "interleaved", 3, 1),
        ([5, 9, 20], 8, 10000.0, "interleaved", 3, 0),
        (range(10, 18), 8, 10000.0, "interleaved", 2, 2),  # as many rows as columns
        ([12, 40], 6, 100.0, "concatenated", 4, 3),
        ([12, 40], 6, 100.0, "concatenated", 4, -1),
        ([31, 30, 50], 8, 10000.0, "interleaved", 5, -2),
        ([0, 30], 2, 10000.0, "interleaved", -3, -5),
    ]
    for positions, d_model, base, layout, offset, times in cases:
        rows = sinusoidal(list(positions), d_model, base, layout=layout)
        T = translation_matrix(offset, d_model, base, layout=layout)
        got = attempt.array(rows, T, times, shape=rows.shape, why="a row for each row")
        moves = f"T moves by {offset}, so times = {times} means {times * offset} positions"
        attempt.close(
            np.linalg.norm(got, axis=1),
            np.linalg.norm(rows, axis=1),
            f"these are the lengths of the rows. {moves}, and a turn keeps every length",
        )
        for row, start in zip(got, positions, strict=True):
            attempt.true(
                np.allclose(
                    row,
                    sinusoidal(start + times * offset, d_model, base, layout=layout),
                    rtol=0,
                    atol=1e-4,
                ),
                f"from position {start} to position {start + times * offset}",
                f"from position {start} to {_position_of(row, d_model, base, layout)}",
                moves,
            )


def _position_of(row, d_model, base, layout):
    """Say which position a row stands for; a table knows no more than this."""
    near = np.arange(-100, 200)
    gaps = np.abs(sinusoidal(near, d_model, base, layout=layout) - row).max(axis=1)
    if gaps.min() < 1e-4:
        return f"position {near[gaps.argmin()]}"
    gaps = np.abs(sinusoidal(near, d_model, base, layout=layout) + row).max(axis=1)
    if gaps.min() < 1e-4:
        return f"minus the vector of position {near[gaps.argmin()]}"
    return "a vector of no position"
