"""Checks that decide the statements of the online handbook."""

import math

import numpy as np

from pecheck import decode, positions_of_entry
from pecode import (
    binary,
    frequencies,
    normalized_count,
    rotate,
    sinusoidal,
)

# The handbook's table of "classify the book": d = 16, base 100, as printed.
TABLE = np.array(
    [
        [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
        [0.84, 0.54, 0.53, 0.85, 0.31, 0.95, 0.18, 0.98, 0.10, 1, 0.06, 1, 0.03, 1, 0.02, 1],
        [0.91, -0.42, 0.90, 0.41, 0.59, 0.81, 0.35, 0.94, 0.20, 0.98, 0.11, 0.99, 0.06, 1, 0.04, 1],
    ]
)
# The vector that it takes for "book", and the row that it prints as the sum.
WORD = np.array(
    [
        [0.02, 0.15, 0.31, 0.08, -0.26, 0.21, -0.58, 1.12],
        [-0.38, -0.91, 0.52, 0.87, -0.17, 0.73, -0.38, 0.18],
    ]
).ravel()
RESULT = np.array(
    [
        [0.93, -0.27, -0.59, -0.033, -0.85, -0.6, -0.93, 0.18],
        [-0.58, -1.89, 0.41, -0.12, -0.23, -0.27, -0.42, -0.82],
    ]
).ravel()


def added_difference_depends_on_the_place(offset=2):
    """Whether two tokens 2 apart get vectors with the same difference at 3 and 5 as at 4 and 6."""
    first, second = (sinusoidal(t + offset, 16, 100.0) - sinusoidal(t, 16, 100.0) for t in (3, 4))
    return not np.allclose(first, second, atol=0.1)


def sines_by_parity(length=6, d_model=16):
    """Whether even columns hold the sine at all positions; whether even positions hold sines."""
    table = sinusoidal(range(length), d_model, 100.0).reshape(length, -1, 2)
    angles = np.arange(length)[:, None] * frequencies(d_model, 100.0)
    by_column = np.allclose(table[..., 0], np.sin(angles))
    return [by_column, np.allclose(table[::2], np.sin(angles)[::2, :, None], atol=0.01)]


def entry_of_the_handbook(function, k, i, d=16, n=100):
    """An entry by the typeset half of the handbook's formula."""
    return function(k / n ** (2 * i / d))


def typeset_and_flat_half(function, column):
    """Whether the typeset half of the formula gives the table; whether the flat half does."""
    ours = sinusoidal(range(1, 50), 16, base=100)[:, column::2]
    k, i = np.arange(1, 50)[:, None], np.arange(8)
    typeset = entry_of_the_handbook(function, k, i)
    return [np.allclose(typeset, ours), np.allclose(function(k * 100 * 2 * i / 16), ours)]


def widths_that_can_be_added():
    """The even widths of a position vector, up to 64, that can be added to the word."""
    widths = []
    for d in range(2, 65, 2):
        try:
            WORD + sinusoidal(2, d, 100.0)
        except ValueError:
            continue
        widths.append(d)
    return widths


def columns_addressed(largest_i, d=16):
    """Columns beyond the table that the formula would fill, if i ran up to largest_i."""
    return [j for i in range(largest_i + 1) for j in (2 * i, 2 * i + 1) if j >= d]


def pair_of_each_column(d, base, t):
    """For each column the number of its pair, measured from its entries at t - 1, t and t + 1."""
    before, here, after = sinusoidal([t - 1, t, t + 1], d, base)
    omega = np.arccos((before + after) / (2 * here))  # f(t - 1) + f(t + 1) = 2 cos(ω) f(t)
    return [int(np.abs(frequencies(d, base) - w).argmin()) for w in omega]


def one_matrix_for_all(code, offset=3):
    """Whether the matrix that best shifts positions 0 to 99 by 3 also shifts 100 to 199."""
    x = code(np.arange(200 + offset))
    here, there = x[:-offset], x[offset:]
    matrix = np.linalg.lstsq(here[:100], there[:100], rcond=1e-9)[0]
    return np.allclose(here[100:] @ matrix, there[100:], atol=1e-4)


def encoding_of_p_plus_k(k=3):
    """Whether rotations by ω k, free of p, turn the encoding of p into that of p + k, for all p."""
    x = sinusoidal(range(200), 16, 100.0).reshape(200, 8, 2)
    sin, cos = np.sin(k * frequencies(16, 100.0)), np.cos(k * frequencies(16, 100.0))
    moved = np.stack([x[..., 0] * cos + x[..., 1] * sin, x[..., 1] * cos - x[..., 0] * sin], -1)
    return np.allclose(moved[:-k], x[k:], atol=1e-9)


def repeated_codes(waves, length=64):
    """How many of 64 positions have the code of an earlier one: sines and cosines of the waves."""
    angles = math.tau * np.arange(length)[:, None] / np.asarray(waves)
    codes = np.hstack([np.sin(angles), np.cos(angles)]).round(6) + 0.0  # no negative zeros
    return length - len(np.unique(codes, axis=0))


def entries_of_a_unique_code(length=1000):
    """Entries that tell 1000 positions apart: of a plain count, of a code of zeros and ones."""
    bits = next(n for n in range(1, 20) if 2**n >= length)
    assert len(np.unique(binary(range(length), bits), axis=0)) == length
    return [np.arange(length)[:, None].shape[1], bits]


def formula_and_readout_far_out():
    """Entries at 10 million within ±1; a read-out of t, fitted to 0 … 99, good; good on 100 … 199.

    Good means off by less than 1 on average.
    """
    far = np.abs(sinusoidal(10**7, 16, 100.0)).max() <= 1
    t = np.arange(200)
    inputs = np.column_stack([sinusoidal(t, 16, 100.0), np.ones(200)])
    gram = inputs[:100].T @ inputs[:100] + 1e-3 * np.eye(17)
    weights = np.linalg.solve(gram, inputs[:100].T @ t[:100])
    error = np.abs(inputs @ weights - t)
    return [bool(far), bool(error[:100].mean() < 1), bool(error[100:].mean() < 1)]


def same_vectors_in_a_longer_text():
    """Whether positions 0 … 499 have the same vectors in a text of 1000: sinusoids, count / L."""
    kept = []
    for code in (
        lambda n: sinusoidal(range(n), 16, 100.0),
        lambda n: normalized_count(range(n), n),
    ):
        kept.append(np.allclose(code(500), code(1000)[:500], rtol=0, atol=1e-12))
    return kept


def cells_that_fit(bases):
    """How many of the 48 printed cells are the right rounding, for each base."""
    tables = [sinusoidal(range(3), 16, float(base)) for base in bases]
    return [int((np.abs(table - TABLE) <= 0.005 + 1e-9).sum()) for table in tables]


def positions_of_the_rows():
    """The positions whose encodings are nearest to the three printed rows, among 1000."""
    return decode(TABLE, 1000, base=100.0)


def sums_and_differences():
    """Cells of the result that are word plus position, and minus, with the printed rows."""
    plus, minus = WORD + TABLE[2], WORD - TABLE[2]
    return [int(np.isclose(x, RESULT).sum()) for x in (plus, minus)]


def position_from_a_cosine(value, i=1):
    """The handbook's inverse: base^(2i/d) times the arc cosine."""
    return 100 ** (2 * i / 16) * math.acos(value)


def positions_that_come_back(length=50):
    """Positions below 50 that the handbook's inverse finds from the exact cosine of pair 1."""
    cosines = sinusoidal(range(length), 16, 100.0)[:, 3]
    return [t for t, c in enumerate(cosines) if round(position_from_a_cosine(c), 6) == t]


def readings_of_one_value(value=0.85):
    """Where the inverse leads with 0.85 as the cosine of pair 0, of pair 1 and of pair 2."""
    return [position_from_a_cosine(value, i) for i in range(3)]


def vectors_and_scores_of_a_rotary_pair():
    """Whether a rotated query at 3 differs from that at 10; whether scores at one offset differ."""
    q, k = np.random.default_rng(1).normal(size=(2, 1, 64))
    vectors_differ = np.abs(rotate(q, [3]) - rotate(q, [10])).max() > 0.1
    scores = [(rotate(q, [t + 4]) * rotate(k, [t])).sum() for t in range(0, 1000, 7)]
    return [bool(vectors_differ), bool(np.ptp(scores) > 1e-9)]


def column_1088():
    """Parity and pair of column 1088, and the divisor of its angle for d = 5120."""
    return [1088 % 2, 1088 // 2, 1 / frequencies(5120)[1088 // 2]]


def positions_of_value(value, length, base=10_000.0, column=1088, cut_off=False):
    """Positions with this entry, rounded to six decimals; or cut off after them."""
    near = positions_of_entry(value, column, 5120, length, base=base, tolerance=1.01e-6)
    entries = sinusoidal(near, 5120, base=base)[:, column]
    digits = np.trunc(entries * 1e6) if cut_off else np.round(entries * 1e6)
    return near[digits == round(value * 1e6)].tolist()


def value_of_seven_by_two_slips():
    """Entry 1088 of position 7 with base 100, and with base 10,000 and the exponent i/d."""
    return [sinusoidal(7, 5120, base=100.0)[1088], math.sin(7 / 10_000 ** (544 / 5120))]
