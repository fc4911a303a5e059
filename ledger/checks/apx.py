"""Checks that decide the statements of the ApX course page."""

import json

import numpy as np

from ledger.checks.shared import ORDER, words_and_matrices
from pecode import frequencies, self_attention, sinusoidal

# The data of the page's heat map: ten positions, eight dimensions, three decimals.
CLAIMED = np.array(
    [
        [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0],
        [0.841, 0.54, 0.909, -0.416, 0.956, -0.279, 0.989, -0.141],
        [0.909, -0.416, 0.141, -0.99, 0.412, -0.911, 0.657, -0.754],
        [0.141, -0.99, -0.757, -0.654, -0.279, -0.96, -0.0, -0.999],
        [-0.757, -0.654, -0.96, 0.279, -0.842, 0.54, -0.657, 0.754],
        [-0.96, 0.279, -0.279, 0.96, -0.956, 0.279, -0.989, 0.141],
        [-0.279, 0.96, 0.657, 0.754, -0.412, 0.911, -0.0, 1.0],
        [0.657, 0.754, 0.989, -0.141, 0.0, -1.0, 0.657, 0.754],
        [0.989, -0.141, 0.412, -0.911, 0.842, -0.54, 0.96, -0.279],
        [0.412, -0.911, -0.54, -0.842, 0.996, 0.09, 0.279, -0.96],
    ]
)


def positions_break_the_symmetry():
    """Whether two layers still give every word its output in a shuffle: no positions, positions."""
    x, matrices = words_and_matrices()
    kept = []
    for added in (0, sinusoidal(range(7), 16)):
        before, after = x + added, x[ORDER] + added
        for _ in range(2):
            before, after = (y + self_attention(y, *matrices) for y in (before, after))
        kept.append(np.allclose(after, before[ORDER], atol=1e-2))
    return kept


def read_from_the_sum(with_positions):
    """Shares of words and of positions found in 1000 slightly disturbed sums, nearest of all."""
    rng = np.random.default_rng(0)
    words = rng.normal(size=(32, 64))
    places = sinusoidal(range(32), 64) if with_positions else np.zeros((32, 64))
    sums = (words[:, None] + places).reshape(-1, 64)
    pair = rng.integers(len(sums), size=1000)
    x = sums[pair] + rng.normal(scale=0.1, size=(1000, 64))
    found = ((sums**2).sum(axis=1) - 2 * x @ sums.T).argmin(axis=1)
    return [(found // 32 == pair // 32).mean(), (found % 32 == pair % 32).mean()]


def distinct_values(length=1000, digits=3):
    """Distinct values among 1000 positions, to three decimals: of column 0, of whole rows."""
    table = sinusoidal(range(length), 64).round(digits) + 0.0  # no negative zeros
    return [len(np.unique(table[:, 0])), len(np.unique(table, axis=0))]


def formula_makes_the_table(function, column):
    """Whether the repaired line makes the table; whether the line as printed does."""
    pos, i, d = np.arange(1, 50)[:, None], np.arange(1, 8), 16
    ours = sinusoidal(np.arange(1, 50), d)[:, 2 + column :: 2]
    repaired = np.allclose(function(pos / 10_000 ** (2 * i / d)), ours)
    return [repaired, np.allclose(function(100_002 * i / (d * pos)), ours)]


def width_of_the_sum(d=512):
    """Shape of ten embeddings of a width, with the positions added; and with them appended."""
    words, places = np.zeros((10, d)), sinusoidal(range(10), d)
    return [*(words + places).shape, *np.hstack([words, places]).shape]


def parses(text):
    """Whether a strict JSON parser takes the text."""
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    return True


def possible_at_position_1():
    """Cells of row 1 that some width and some base allow: sines up to sin 1, cosines from cos 1."""
    sines, cosines = CLAIMED[1, 0::2], CLAIMED[1, 1::2]
    return np.stack([sines <= np.sin(1) + 5e-4, cosines >= np.cos(1) - 5e-4], axis=1).ravel()


def cells_that_agree(d, columns=slice(None)):
    """How many cells of the heat map are right to three decimals, for a width."""
    return int((np.abs(CLAIMED - sinusoidal(range(10), d)[:, :8]) <= 5.1e-4)[:, columns].sum())


def best_of_all_widths(columns=slice(None)):
    """The largest number of cells that agree, over all even widths from 8 to 4096."""
    d = np.arange(8, 4097, 2)[:, None, None]
    angles = np.arange(10)[:, None] * 10_000.0 ** (-2 * np.arange(4) / d)
    tables = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(d), 10, 8)
    return int((np.abs(tables - CLAIMED) <= 5.1e-4)[..., columns].sum(axis=(1, 2)).max())


def orders_that_fit():
    """Whether sine first, cosine first fit row 0; and columns 0 and 1 of row 1."""
    sine_first = sinusoidal([0, 1], 8)
    cosine_first = sine_first.reshape(2, 4, 2)[..., ::-1].reshape(2, 8)
    fit = [np.allclose(CLAIMED[0], table[0]) for table in (sine_first, cosine_first)]
    return fit + [
        np.allclose(CLAIMED[1, :2], table[1, :2], atol=1e-3) for table in (sine_first, cosine_first)
    ]


def right_rows_of_the_first_pair():
    """Rows in which columns 0 and 1 are both right to three decimals."""
    right = np.abs(CLAIMED[:, :2] - sinusoidal(range(10), 8)[:, :2]) <= 5.1e-4
    return np.flatnonzero(right.all(axis=1))


def rows_copied():
    """Rows in which columns 2 and 3 are columns 0 and 1 of the next row."""
    return np.flatnonzero((CLAIMED[:-1, 2:4] == CLAIMED[1:, :2]).all(axis=1))


def steps_of_a_pair(pair):
    """By how much the angle of a pair grows from row to row, from row 1 on, in radians."""
    z = CLAIMED[1:, 2 * pair + 1] + 1j * CLAIMED[1:, 2 * pair]
    return np.angle(z[1:] / z[:-1])


def off_the_circle():
    """Rows and pairs whose length is off 1 by more than rounding to three decimals can make it."""
    length = np.linalg.norm(CLAIMED.reshape(10, 4, 2), axis=2)
    return np.argwhere(np.abs(length - 1) > 0.0005 * np.sqrt(2) + 1e-9).tolist()


def last_pair_over_ten_positions(d=512):
    """How far the last sine and the last cosine move over positions 0 to 9."""
    return np.ptp(sinusoidal(range(10), d)[:, -2:], axis=0)


def counters_of_a_width(d=512):
    """How many values i takes, and the largest column 2i + 1."""
    return [frequencies(d).size, 2 * (frequencies(d).size - 1) + 1]
