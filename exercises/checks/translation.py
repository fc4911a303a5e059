"""Chapter 5: sines with cosines, and the matrix that moves them."""

import numpy as np

from exercises._registry import Chapter
from pecode import frequencies, sinusoidal, translation_matrix

chapter = Chapter("05-translation")

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
    ],
    kind="hand",
    level=1,
    trains="an entry from the formula",
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
    trains="what each pair is for",
)


@chapter.function(
    "A table without assignment", kind="program", level=2, trains="the layout, by stack and reshape"
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
    ]
    for positions, d_model, base in cases:
        shape = np.shape(positions)
        got = attempt.array(
            positions,
            d_model,
            base,
            shape=(*shape, d_model),
            why=f"positions of shape {shape}: each becomes a vector of {d_model} numbers, in a new "
            "last axis"
            + (". The width is odd: the last pair has its sine only" if d_model % 2 else ""),
        )
        attempt.close(
            got,
            sinusoidal(positions, d_model, base),
            "the vector of t holds sin(ω t) in column 2i and cos(ω t) in column 2i + 1, with ω = "
            "base^(-2i/d_model)",
            mistakes=_popular_tables(positions, d_model, base) if d_model > 2 else [],
        )


def _popular_tables(positions, d_model, base):
    """Tables that come of one mistake, and what the mistake is."""
    t = np.asarray(positions)[..., None]
    i, j = np.arange((d_model + 1) // 2), np.arange(d_model)

    def filled(omega):
        table = np.zeros((*t.shape[:-1], d_model))
        table[..., 0::2] = np.sin(t * omega)
        table[..., 1::2] = np.cos(t * omega)[..., : d_model // 2]
        return table

    right = filled(base ** (-2 * i / d_model))
    yield (
        sinusoidal(positions, d_model, base, layout="concatenated"),
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
    by_column = t * base ** (-j / d_model)
    yield (
        np.where(j % 2, np.cos(by_column), np.sin(by_column)),
        "a sine and the cosine beside it have different frequencies: the exponent counts columns, "
        "and should count pairs",
    )
    yield sinusoidal(positions, d_model), "these are the values for the base 10,000"
    if d_model % 2:
        yield (
            filled(base ** (-2 * i / (d_model + 1))),
            f"these are {d_model} columns of a table of width {d_model + 1}: in the exponents "
            "stands the width that was asked for",
        )
        return
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
    "Rows, moved there and back", kind="debug", level=2, trains="rows, columns and the transpose"
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
        moves = f"T moves by {offset}, so {times} times are {times * offset} positions"
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
    trains="where the proof needs the pair",
)


@chapter.function(
    "A matrix from a text with holes", kind="extend", level=3, trains="finding T in data"
)
def found_shift(attempt):
    rng = np.random.default_rng(0)
    codes = {
        "sine and cosine": lambda t: sinusoidal(t, 8, 100.0),
        "halves": lambda t: sinusoidal(t, 6, 100.0, layout="concatenated"),
        "one hand": lambda t: sinusoidal(t, 2),
        "count and 1": lambda t: np.stack([t / 10, np.ones(len(t))], axis=1),
    }
    cases = [("sine and cosine", 3), ("halves", -2), ("one hand", 1), ("count and 1", 4)]
    for name, offset in cases:
        code = codes[name]
        positions = rng.permutation(60)[:36]
        table = code(positions)
        d = table.shape[1]
        one = "one matrix for all rows"
        other = attempt.array(positions, table, -offset, shape=(d, d), why=one)
        T = attempt.array(positions, table, offset, shape=(d, d), why=one)
        unseen = np.arange(100, 120)  # in no row
        here = code(unseen)
        expected = code(unseen + offset)
        back = code(unseen - offset)
        if name != "count and 1":
            attempt.close(
                T.T @ T,
                np.eye(d),
                "this is the transpose of your matrix times the matrix. The rows are made of "
                "hands, and a matrix that turns hands is undone by its transpose. Was every row "
                f"compared with the row of the position {offset:+d} from its own?",
                tolerance=1e-4,
            )
            attempt.close(
                T,
                other.T,
                f"for hands the matrix for {offset:+d} is the transpose of the one for "
                f"{-offset:+d}",
                tolerance=1e-4,
            )
        attempt.close(
            here @ T.T,
            expected,
            "these are the vectors T p of the positions 100 to 119, which the table does not have. "
            f"They should be those of {100 + offset} to {119 + offset}. "
            + (
                "This code is no hands but a count beside a constant: its matrix is no turn"
                if name == "count and 1"
                else "Was every row compared with the row of the position "
                f"{offset:+d} from its own?"
            ),
            tolerance=1e-4,
            mistakes=[
                (
                    back,
                    f"T p moves by {-offset:+d}, the other way. Either the rows t and t + offset "
                    "are exchanged, or the matrix is made to stand on the right of a row",
                ),
                (
                    here @ translation_matrix(offset, d).T,
                    "this is the matrix that the formula has for the base 10,000. The rows are "
                    "those of another code, and they have a matrix of their own",
                ),
            ],
        )
