"""What the encoding knows: its matrix, found in data, and why a pair has one frequency."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies, sinusoidal, translation_matrix

chapter = ChapterExercises("properties")

chapter.choice(
    "pair_of_two_frequencies",
    "A pair with two frequencies",
    [
        (
            "Step 1: the formula needs a sine and a cosine of the same frequency.",
            "The formula holds for every ω, and it holds for the sine in this vector: sin ω(t + Δ) "
            "*is* that sum. The cosine in the sum has the frequency ω. Is it in the vector?",
        ),
        (
            "Step 3: the cosine of step 1 is not an entry of the vector.",
            "The moved sine needs cos ωt, but the vector has cos ω't. Of waves with different "
            "frequencies (between 0 and π) none is a weighted sum of the others, so neither this "
            "column nor any other can take its place.",
            True,
        ),
        (
            "Step 4: the weights of the sum now contain the position t.",
            "The weights in steps 1 and 2 are cos ωΔ and sin ωΔ, as before. They are right; one of "
            "the entries that they should multiply is missing.",
        ),
        (
            "No step: all entries are waves, so another matrix moves them.",
            "With sines alone all entries were waves, too. For a shift, each wave needs a partner "
            "of the same frequency, a quarter turn away.",
        ),
    ],
    kind="prove",
    level=2,
    teaches="where the proof needs the pair",
)


@chapter.function("The nearest stranger", kind="program", level=2, teaches="sums of cosines")
def nearest_offset(attempt):
    for d_model, length, base in [(8, 64, 1e4), (4, 1000, 1e4), (64, 500, 1e4), (6, 300, 100.0)]:
        got = attempt.number(d_model, length, base, why="one whole number, the offset")
        rows = sinusoidal(np.arange(length), d_model, base)
        away = np.linalg.norm(rows - rows[0], axis=1)
        right = 1 + int(np.argmin(away[1:]))
        phases = np.arange(length)[:, None] * frequencies(d_model, base)
        by_column = np.arange(length)[:, None] * base ** (-np.arange(d_model) / d_model)
        attempt.true(
            0 < got < length and got == int(got),
            f"a whole number from 1 to {length - 1}",
            f"{got:g}",
            "offset 0 is the position itself, and the last position is length - 1",
        )
        attempt.equal(
            int(got),
            right,
            "of all positions from 1 on, this is the one whose vector is nearest to that of "
            "position 0: it has the largest sum of cosines",
            mistakes=[
                (right - 1, "this is one too small: the first offset is 1, not 0"),
                (int(np.argmax(away)), "this is the position that is farthest away"),
                (
                    1 + int(np.argmax(np.cos(phases[1:, 0]))),
                    "this is the nearest for pair 0 alone. The sum goes over all pairs",
                ),
                (
                    1 + int(np.argmax(np.cos(by_column[1:]).sum(axis=1))),
                    "here each column has a frequency, with -j/d in the exponent. There are d/2 "
                    "pairs, with the exponents -2i/d",
                ),
            ],
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
                "these are the entries of TᵀT, for your matrix T, and those of the identity. The "
                "rows are made of hands, and a matrix that turns hands is undone by its "
                "transpose. Did you pair every row with the row of the position "
                f"{offset:+d} from its own?",
                tolerance=1e-4,
            )
        here = code(np.arange(100, 120))  # in no row
        attempt.close(
            here @ T.T,
            code(np.arange(100, 120) + offset),
            "these are the vectors T p for positions 100 to 119, which the table does not have, "
            f"and the vectors of {100 + offset} to {119 + offset}. "
            + (
                "This encoding is not made of hands. It is a count beside a constant, and its "
                "matrix is not a rotation"
                if is_count
                else "Did you pair every row with the row of the position "
                f"{offset:+d} from its own?"
            ),
            tolerance=1e-4,
            mistakes=_popular_moves(here, code, offset, is_count),
        )
        if not is_count:
            attempt.close(
                _matrix(attempt, positions, table, -offset),
                T.T,
                f"this is your matrix for {-offset:+d}, and the transpose of yours for "
                f"{offset:+d}. For hands the two are the same",
                tolerance=1e-4,
            )
    for seed, offset in [(2, 3), (5, -5)]:  # row 0 has partners on both sides
        _check_with_noise(attempt, np.random.default_rng(seed), offset)


def _count_and_one(t):
    return np.stack([t / 10, np.ones(len(t))], axis=1)


def _matrix(attempt, positions, table, offset):
    """Return the answer as a matrix; what else lstsq returns is not part of it."""
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
    """Where the rows `here` are taken by matrices that come from a single mistake."""
    d = here.shape[1]
    yield (
        code(np.arange(100, 120) - offset),
        f"T p moves by {-offset:+d}, the other way. Either the rows t and t + offset have changed "
        "places, or your matrix is meant to stand to the right of a row",
    )
    if not is_count:
        yield (
            here @ translation_matrix(offset, d).T,
            "this is the matrix from the formula, for the base 10,000. These rows are of another "
            "encoding, with a matrix of its own",
        )
        return
    forth, back = (np.array([[1, step / 10], [0, 1]]) for step in (offset, -offset))
    yield (
        here @ back,
        f"your matrix is the transpose of the one for {-offset:+d}. This encoding is a count "
        "beside a constant, and the transpose leads back only for hands",
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
        f"the rows of this table contain a little noise, and {len(here)} of them have a partner at "
        f"{offset:+d}. Your matrix is not the least-squares matrix of all these pairs. Is a pair "
        "left out, or is something else minimized?",
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
                f"this is the inverse of the matrix for {-offset:+d}. With noise that is a "
                "different matrix: it does not bring T p as near as possible to the partners",
            ),
            (
                solved(here, there, 1e-3),
                "some directions of these rows are as small as the noise. With this `rcond` they "
                "are taken for zero: leave it out, or write `rcond=None`",
            ),
        ],
    )
