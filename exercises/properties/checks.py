"""What the encoding knows: its matrix, found in data, and why a pair has one frequency."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies, sinusoidal, translation_matrix

chapter = ChapterExercises("properties")

chapter.choice(
    "pair_of_two_frequencies",
    "A pair with two frequencies",
    {
        "Step 1: the formula needs a sine and a cosine of the same frequency.": (
            "The formula holds for every ω, and it holds for the sine in this vector: sin ω(t + Δ) "
            "*is* that sum. The cosine in the sum has the frequency ω. Is it in the vector?"
        ),
        "Step 3: the cosine of step 1 is not an entry of the vector.": (
            "The moved sine needs cos ωt, but the vector has cos ω't. Of waves with different "
            "frequencies (between 0 and π) none is a weighted sum of the others, so neither this "
            "column nor any other can take its place."
        ),
        "Step 4: the weights of the sum now contain the position t.": (
            "The weights in steps 1 and 2 are cos ωΔ and sin ωΔ, as before. They are right; one of "
            "the entries that they should multiply is missing."
        ),
        "No step: all entries are waves, so another matrix moves them.": (
            "With sines alone all entries were waves, too. For a shift, each wave needs a partner "
            "of the same frequency, a quarter turn away."
        ),
    },
    right="b",
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
        )


def cosines_of(d_model, length, base, first=1):
    """Return the cosine of each pair, a row for each offset from the first on."""
    return np.cos(np.arange(first, length)[:, None] * frequencies(d_model, base))


@nearest_offset.mistake("this is one too small: the first offset is 1, not 0")
def one_less(d_model, length, base=10000.0):
    return cosines_of(d_model, length, base).sum(axis=1).argmax()


@nearest_offset.mistake("this is the position that is farthest away")
def the_farthest(d_model, length, base=10000.0):
    return 1 + cosines_of(d_model, length, base).sum(axis=1).argmin()


@nearest_offset.mistake("this is the nearest for pair 0 alone. The sum goes over all pairs")
def fast_pair_alone(d_model, length, base=10000.0):
    return 1 + cosines_of(d_model, length, base)[:, 0].argmax()


@nearest_offset.mistake(
    "the next position is not always the nearest. Does your sum go over the pairs, with the "
    "exponents -2i/d, or over the columns, with -j/d?"
)
def always_the_neighbor(d_model, length, base=10000.0):
    return 1


@chapter.function(
    "A matrix from a text with holes", kind="extend", level=3, teaches="finding T in data"
)
def found_shift(attempt):
    rng = np.random.default_rng(0)

    def count_and_one(t):
        return np.stack([t / 10, np.ones(len(t))], axis=1)

    for code, offset in [
        (lambda t: sinusoidal(t, 8, 100.0), 3),
        (lambda t: sinusoidal(t, 6, 100.0, layout="concatenated"), -2),
        (lambda t: sinusoidal(t, 2), 1),
        (count_and_one, 4),
        (count_and_one, -4),
    ]:
        is_count = code is count_and_one
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
        rng = np.random.default_rng(seed)
        positions = rng.permutation(60)[:36]
        table = sinusoidal(positions, 8) + 0.001 * rng.normal(size=(36, 8))
        here, there = aligned(positions, table, offset)
        attempt.close(
            _matrix(attempt, positions, table, offset),
            solved(here, there),
            f"the rows of this table contain a little noise, and {len(here)} of them have a "
            f"partner at {offset:+d}. Your matrix is not the least-squares matrix of all these "
            "pairs. Is a pair left out, or is something else minimized?",
            tolerance=1e-4,
        )


def _matrix(attempt, positions, table, offset):
    """Return the answer as a matrix; what else lstsq returns is not part of it."""
    got = attempt(positions, table, offset)
    d = table.shape[1]
    attempt.true(
        not isinstance(got, tuple) or len(got) != 4,
        "one matrix for all rows",
        "four things",
        "`lstsq` returns four things: the first is the matrix",
    )
    return attempt.as_array(got, shape=(d, d), why="one matrix for all rows")


def aligned(positions, table, offset):
    """Return the rows that have a partner, and their partners."""
    where = {int(t): k for k, t in enumerate(positions)}
    both = [t for t in where if t + offset in where]
    return table[[where[t] for t in both]], table[[where[t + offset] for t in both]]


def solved(here, there, rcond=None):
    """Return the least-squares matrix that takes the rows `here` to the rows `there`."""
    return np.linalg.lstsq(here, there, rcond=rcond)[0].T


@found_shift.mistake(
    "T p moves the other way. Either the rows t and t + offset have changed places, or your "
    "matrix is meant to stand to the right of a row"
)
def not_transposed(positions, table, offset):
    return solved(*aligned(positions, table, offset)).T


@found_shift.mistake(
    "this is the matrix from the formula, for the base 10,000. These rows are of another "
    "encoding, with a matrix of its own"
)
def from_the_formula(positions, table, offset):
    return translation_matrix(offset, table.shape[1])


@found_shift.mistake(
    "your matrix is the transpose of the one for -offset. This encoding is a count beside a "
    "constant, and the transpose leads back only for hands"
)
def back_by_transposing(positions, table, offset):
    T = solved(*aligned(positions, table, abs(offset)))
    return T.T if offset < 0 else T


@found_shift.mistake(
    "this is the inverse of the matrix for -offset. With noise that is a different matrix: it "
    "does not bring T p as near as possible to the partners"
)
def back_by_inverting(positions, table, offset):
    T = solved(*aligned(positions, table, abs(offset)))
    return np.linalg.inv(T) if offset < 0 else T


@found_shift.mistake(
    "one pair is left out: the one whose second row is row 0 of the table. A row number 0 "
    "counts as False"
)
def row_zero_is_false(positions, table, offset):
    where = {int(t): k for k, t in enumerate(positions)}
    both = [t for t in where if where.get(t + offset)]
    return solved(table[[where[t] for t in both]], table[[where[t + offset] for t in both]])


@found_shift.mistake(
    "some directions of these rows are as small as the noise. With this `rcond` they are "
    "taken for zero: leave it out, or write `rcond=None`"
)
def small_values_dropped(positions, table, offset):
    return solved(*aligned(positions, table, offset), rcond=1e-3)
