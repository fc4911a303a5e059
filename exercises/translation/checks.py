"""Sines with cosines, and the matrix that moves them."""

import numpy as np

from exercises.attempt import WHY, Failed
from exercises.registry import ChapterExercises
from pecode import frequencies, sinusoidal, translation_matrix

chapter = ChapterExercises("translation")

chapter.number(
    "fifty_in_column_three",
    "Position 50, column 3",
    [
        (
            np.cos(5.0),
            "Column 3 is the cosine of pair 1, whose frequency is 0.1: cos(0.1 · 50) = cos 5. It "
            "is column 1 of position 5 once more: a hand that turns ten times as slowly stands, "
            "at a position ten times as far, where the fast one stood.",
        ),
        (
            np.sin(5.0),
            "That is column 2. The even column of a pair holds the sine, the odd one the cosine.",
        ),
        (
            np.cos(0.05),
            "Here 3 was taken for i. The exponent counts pairs: column 3 is 2i + 1, so i is 1.",
        ),
        (
            np.cos(50 * 10000 ** (-1 / 8)),
            "The factor 2 of the exponent is lost: for i = 1 it is -2/8, not -1/8.",
        ),
        (
            np.cos(0.5),
            "This is a cosine of the frequency 0.01, which is pair 2. Pairs are counted from 0, so "
            "column 3 belongs to pair 1, and the exponent of pair 1 is -2/8.",
        ),
        (
            np.cos(np.radians(5)),
            "The angle is right, and the calculator took it for degrees. It is in radians.",
        ),
        (
            np.cos(50 * 10000 ** (-3 / 8)),
            "The column stands in the exponent, -3/8, in place of 2i. Column 3 is 2i + 1, so 2i is "
            "2, for the cosine too: both entries of a pair have one frequency.",
        ),
        (
            np.cos(50.0),
            "That is the cosine of pair 0, column 1. Column 3 is 2i + 1 with i = 1.",
        ),
        (
            np.sin(0.05),
            "Here 3 was taken for i, and the sine for the cosine. Column 3 is 2i + 1: i is 1, and "
            "odd columns hold the cosine.",
        ),
        (
            np.cos(500.0),
            "The minus sign of the exponent is lost: ω is 10000^(-2/8) = 0.1, not 10.",
        ),
        (0.28, "That is the right entry to two decimals. Give three."),
    ],
    kind="hand",
    level=1,
    teaches="an entry from the formula",
    tolerance=0.001,
    otherwise="Which pair has the columns 2 and 3? What is its frequency, what its angle at "
    "position 50, and is an odd column a sine or a cosine?",
)

_OMEGA = frequencies(8)
_HANDS = 2 * np.abs(np.sin(_OMEGA * 495 / 2))  # distance on each circle between 5 and 500
chapter.choice(
    "five_and_five_hundred",
    "5 and 6, 5 and 500",
    [
        (
            "Pair 0, with ω = 1",
            f"Its hands are {_HANDS[0]:.2f} apart, the most of all, but it went round 78 times "
            "between the two. Where it stands after that is luck: at 5 and 49 it stands nearly in "
            "the same place.",
        ),
        (
            "Pair 1, with ω = 0.1",
            f"It tells 5 from 30. Between 5 and 500 it goes round almost 8 times, and its hands "
            f"are {_HANDS[1]:.2f} apart by chance.",
        ),
        (
            "Pair 2, with ω = 0.01",
            f"It turns by {_OMEGA[2] * 495:.2f}, less than a whole turn, and its hands are "
            f"{_HANDS[2]:.2f} apart. For each distance the pair to read is about the one whose "
            "wavelength is next above it.",
            True,
        ),
        (
            "Pair 3, with ω = 0.001",
            f"It has not come round either, and would do. But it turned by {_OMEGA[3] * 495:.3f} "
            f"only, and its hands are {_HANDS[3]:.2f} apart; another pair shows the same distance "
            "more clearly.",
        ),
    ],
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
        got = _answer(
            attempt,
            positions,
            d_model,
            base,
            case=f"The positions here have the shape {shape}{odd}",
        )
        got = attempt.as_array(
            got,
            shape=(*shape, d_model),
            why=f"positions of shape {shape}: each becomes a vector of {d_model} numbers, in a new "
            f"last axis{odd}",
        )
        attempt.close(
            got,
            _filled(positions, d_model, frequencies(d_model, base)),
            "the vector of t holds sin(ω t) in column 2i and cos(ω t) in column 2i + 1, with ω = "
            f"base^(-2i/d_model){odd}",
            mistakes=_popular_tables(positions, d_model, base) if d_model > 2 else [],
        )


def _answer(attempt, *args, case):
    """Call the function; where that fails, the message says in which case."""
    try:
        return attempt(*args)
    except Failed as problem:
        said = str(problem)
        raise Failed(f"{said}. {case}" if WHY in said else f"{said}\n{WHY}{case}") from None


def _filled(positions, d_model, omega):
    """Return the table with these frequencies, one a pair; a pair that is cut has its sine only."""
    angles = np.asarray(positions)[..., None] * omega
    table = np.zeros((*np.shape(positions), d_model))
    table[..., 0::2] = np.sin(angles)
    table[..., 1::2] = np.cos(angles)[..., : d_model // 2]
    return table


def _popular_tables(positions, d_model, base):
    """Tables that come of one mistake, and what the mistake is."""
    t = np.asarray(positions)[..., None]
    pairs = (d_model + 1) // 2
    i, j = np.arange(pairs), np.arange(d_model)

    def filled(omega, at=positions):
        return _filled(at, d_model, omega)

    omega = base ** (-2 * i / d_model)
    right = filled(omega)
    yield (
        np.concatenate([right[..., 0::2], right[..., 1::2]], axis=-1),
        "these are all sines, then all cosines. In which axis do a sine and its cosine lie side by "
        "side before they are reshaped?",
    )
    yield (
        filled(base ** (-4 * i / d_model)),
        "the frequencies fall too fast: the factor 2 is there twice",
    )
    yield (
        filled(base ** (-i / d_model)),
        "the frequencies fall too slowly: the factor 2 is lost",
    )
    yield filled(omega, np.trunc(positions)), "the positions were cut to whole numbers"
    yield filled(omega, np.abs(positions)), "this is right for -t in place of t: the sign is lost"
    by_column = t * base ** (-j / d_model)
    yield (
        np.where(j % 2, np.cos(by_column), np.sin(by_column)),
        "a sine and the cosine beside it have different frequencies: the exponent counts columns, "
        "and should count pairs",
    )
    yield (
        filled(10000.0 ** (-2 * i / d_model)),
        "these are the values for the base 10,000",
    )
    if d_model % 2:
        yield (
            filled(base ** (-2 * i / (d_model + 1))),
            f"these are {d_model} columns of a table of width {d_model + 1}: in the exponents "
            "stands the width that was asked for",
        )
        narrower = filled(base ** (-2 * i / (d_model - 1)))
        yield (
            narrower,
            f"the exponents have {d_model - 1} where the width that was asked for, {d_model}, "
            "should stand",
        )
        zero = ". The width is odd, and the last column should be the sine of one more pair"
        yield (
            np.where(j == d_model - 1, 0, narrower),
            f"this is a table of width {d_model - 1} with zeros in one more column{zero}",
        )
        yield np.where(j == d_model - 1, 0, right), f"the last column is zero{zero}"
        whole = np.stack([np.sin(t * omega), np.cos(t * omega)], axis=-1)
        yield (
            whole.reshape(*t.shape[:-1], d_model + 1)[..., 1:],
            "one column must go, as the width is odd: the last cosine, and here it was the first "
            "sine",
        )
        return
    yield (
        filled(base ** (-i / (pairs - 1))),
        "the last frequency is 1/base. With the exponent -2i/d_model it never is: the steps "
        "are counted as if both ends belonged to the ladder",
    )
    halves = np.stack([right[..., 0::2], right[..., 1::2]])  # (2, ..., pairs)
    yield (
        np.moveaxis(halves[::-1], 0, -1).reshape(right.shape),
        "the cosine stands first; the sine should have the even column",
    )
    yield (
        halves.reshape(right.shape),
        "numbers of different positions stand in one row. reshape reads the last axis fastest: a "
        "sine and its cosine must be neighbors there",
    )


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
        lengths = np.linalg.norm(got, axis=1)
        attempt.close(
            lengths,
            np.linalg.norm(rows, axis=1),
            f"these are the lengths of the rows. {moves}, and turning keeps lengths",
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


chapter.choice(
    "pair_of_two_frequencies",
    "A pair with two frequencies",
    [
        (
            "Step 1: the formula needs a sine and a cosine of one frequency.",
            "The formula holds for every ω, and it holds for the sine in this vector: sin ω(t + Δ) "
            "*is* that sum. The cosine in the sum is one of the frequency ω. Does the vector have "
            "it?",
        ),
        (
            "Step 3: the cosine of step 1 is no entry of the vector.",
            "The moved sine needs cos ωt, and beside the sine stands cos ω't. For different "
            "frequencies (between 0 and π) none of these waves is a sum of the others, so no "
            "weights replace it, and no other column helps.",
            True,
        ),
        (
            "Step 4: the weights of the sum now contain the position t.",
            "The weights in steps 1 and 2 are cos ωΔ and sin ωΔ, as before. They are right; what "
            "they should multiply is missing.",
        ),
        (
            "No step: all entries are waves, so another matrix moves them.",
            "That all entries are waves was so with sines alone, too. For a shift each wave needs "
            "its partner of the same frequency, a quarter turn apart.",
        ),
    ],
    kind="prove",
    level=2,
    teaches="where the proof needs the pair",
)


@chapter.function(
    "A matrix from a text with holes", kind="extend", level=3, teaches="finding T in data"
)
def found_shift(attempt):
    rng = np.random.default_rng(0)
    codes = {
        "sine and cosine": lambda t: sinusoidal(t, 8, 100.0),
        "halves": lambda t: sinusoidal(t, 6, 100.0, layout="concatenated"),
        "one hand": lambda t: sinusoidal(t, 2),
        "count and 1": _count_and_one,
    }
    cases = [
        ("sine and cosine", 3),
        ("halves", -2),
        ("one hand", 1),
        ("count and 1", 4),
        ("count and 1", -4),
    ]
    for name, offset in cases:
        code, is_count = codes[name], name == "count and 1"
        positions = rng.permutation(60)[:36]
        table = code(positions)
        d = table.shape[1]
        T = _matrix(attempt, positions, table, offset)
        if not is_count:
            attempt.close(
                T.T @ T,
                np.eye(d),
                "compared are the entries of TᵀT, made of your matrix T, and those of the "
                "identity. The rows are made of hands, and a matrix that turns hands is undone by "
                "its transpose. Was every row compared with the row of the position "
                f"{offset:+d} from its own?",
                tolerance=1e-4,
            )
        here = code(np.arange(100, 120))  # in no row
        attempt.close(
            here @ T.T,
            code(np.arange(100, 120) + offset),
            "compared are the vectors T p, for the positions 100 to 119, which the table does not "
            f"have, with those of {100 + offset} to {119 + offset}. "
            + (
                "This code is no hands but a count beside a constant: its matrix is no turn"
                if is_count
                else "Was every row compared with the row of the position "
                f"{offset:+d} from its own?"
            ),
            tolerance=1e-4,
            mistakes=_popular_moves(here, code, offset, is_count),
        )
        if not is_count:
            attempt.close(
                _matrix(attempt, positions, table, -offset),
                T.T,
                "compared is this matrix with the transpose of yours for the offset "
                f"{offset:+d}. For hands the matrix for {-offset:+d} is the transpose of the one "
                f"for {offset:+d}",
                tolerance=1e-4,
            )
    for seed, offset in [(2, 3), (5, -5)]:  # row 0 has partners on both sides
        _check_with_noise(attempt, np.random.default_rng(seed), offset)


def _count_and_one(t):
    return np.stack([t / 10, np.ones(len(t))], axis=1)


def _matrix(attempt, positions, table, offset):
    """Return the answer as a matrix; what lstsq returns besides is no part of it."""
    got = attempt(positions, table, offset)
    d = table.shape[1]
    if isinstance(got, tuple):
        attempt.true(
            len(got) != 4,
            "one matrix for all rows",
            "four things",
            "`lstsq` returns four things: the first is the matrix",
        )
    return attempt.as_array(got, shape=(d, d), why="one matrix for all rows")


def _popular_moves(here, code, offset, is_count):
    """Where the rows `here` are taken by matrices that come of one mistake."""
    d = here.shape[1]
    yield (
        code(np.arange(100, 120) - offset),
        f"T p moves by {-offset:+d}, the other way. Either the rows t and t + offset are "
        "exchanged, or the matrix is made to stand on the right of a row",
    )
    if not is_count:
        yield (
            here @ translation_matrix(offset, d).T,
            "this is the matrix that the formula has for the base 10,000. The rows are those of "
            "another code, and they have a matrix of their own",
        )
        return
    forth, back = (np.array([[1, step / 10], [0, 1]]) for step in (offset, -offset))
    yield (
        here @ back,
        f"your matrix is the transpose of the one for {-offset:+d}. The code is a count beside a "
        "constant, no hands: only for hands does the transpose lead back",
    )
    yield (
        here @ forth,
        "your matrix is the transpose of the right one: on which side of a vector does it stand?",
    )


def _check_with_noise(attempt, rng, offset):
    """Where the rows are not exact, each pair counts, and so does what is made smallest."""
    positions = rng.permutation(60)[:36]
    table = sinusoidal(positions, 8) + 0.001 * rng.normal(size=(36, 8))
    starts, ends = np.nonzero(positions[:, None] + offset == positions)
    here, there = table[starts], table[ends]

    def solved(here, there, rcond=None):
        return np.linalg.lstsq(here, there, rcond=rcond)[0].T

    attempt.close(
        _matrix(attempt, positions, table, offset),
        solved(here, there),
        f"the rows of this table have a little noise, and {len(here)} of them have a partner at "
        f"{offset:+d}. Your matrix is not the one of least squares over all these pairs. Is a pair "
        "left out, or is something else made smallest?",
        tolerance=1e-4,
        mistakes=[
            (
                solved(here[ends > 0], there[ends > 0]),
                "one pair is left out: the one whose second row is row 0 of the table. A row "
                "number 0 counts as False",
            ),
            (
                solved(here[starts > 0], there[starts > 0]),
                "one pair is left out: the one whose first row is row 0 of the table. A row "
                "number 0 counts as False",
            ),
            (
                np.linalg.inv(solved(there, here)),
                f"this is the inverse of the matrix for {-offset:+d}. With noise that is another "
                "one: it is not T p that it brings as near as possible to the partners",
            ),
            (
                solved(here, there, 1e-3),
                "the noise is small, and so are some singular values of the rows. With this "
                "`rcond` they are taken for zero: leave it out, or write `rcond=None`",
            ),
        ],
    )
