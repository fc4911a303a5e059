"""Checks of mistakes.yml that take more than one expression."""

from collections import Counter

import numpy as np

from lab.scorecard import scorecard
from pecheck import identify
from pecheck.variants import VARIANTS
from pecode import (
    alibi_slopes,
    attention_weights,
    binary,
    by_offset,
    causal_mask,
    fit_translation,
    frequencies,
    rotate,
    self_attention,
    similarity,
    sinusoidal,
    t5_buckets,
    to_half,
)
from pecode.precision import bfloat16

# Order


def words_and_matrices(length=7, d_model=16):
    """Random words, shape (length, d_model), and random query, key and value matrices."""
    rng = np.random.default_rng(0)
    matrices = rng.normal(scale=d_model**-0.5, size=(3, d_model, d_model))
    return rng.normal(size=(length, d_model)), matrices


def same_bag(left, right):
    """Whether two sentences have the same words, as often."""
    bags = [Counter(text.lower().strip("?.").split()) for text in (left, right)]
    return bags[0] == bags[1]


def zeros_meet_the_three_wishes():
    """Whether vectors of zeros are bounded, alike for neighbors, defined beyond; and unique."""
    card = scorecard(lambda t: np.zeros((len(t), 8)))
    distance = card.smallest_distance
    return [card.largest_entry <= 1, distance < 0.1, card.defined_beyond, distance > 0]


# The table


def codes_nearest_to_halfway():
    """How many of eight codes are nearest to the point halfway from 3 to 4."""
    codes = binary(range(8), 3)
    distances = np.linalg.norm(codes - (codes[3] + codes[4]) / 2, axis=1)
    return int(np.isclose(distances, distances.min()).sum())


def raised_frequencies(width):
    """How many of the frequencies 10000**(-j/width) are above the halved ones, pi/2**j."""
    slowed = 1e-4 ** (np.arange(width) / width)
    return int((slowed > np.pi / 2.0 ** np.arange(1, width + 1)).sum())


def worst_float32_frequencies():
    """Whether exp of a logarithm is over twice as wrong as a power, and whether the power is fine.

    The largest relative error of 256 frequencies in float32; "fine" is below 3e-7.
    """
    two_i, exact = np.arange(0, 512, 2), frequencies(512)
    by_log = np.exp(two_i.astype(np.float32) * np.float32(-np.log(10000.0) / 512))
    by_power = np.float32(10000) ** (-two_i / 512).astype(np.float32)
    log_error, power_error = (np.abs(w / exact - 1).max() for w in (by_log, by_power))
    return [bool(log_error > 2 * power_error), bool(power_error < 3e-7)]


def spacings_apart(d_model):
    """Largest difference of the tables with exponents 2k/d and k/(d/2 - 1), 512 rows."""
    paper, endpoint = (sinusoidal(range(512), d_model, spacing=s) for s in ("paper", "endpoint"))
    return np.abs(paper - endpoint).max()


def weights_in_another_layout():
    """Whether a concatenated table gives the weights of the interleaved one.

    With the rows of the matrices sorted like the columns; with the matrices as they are.
    """
    _, (query, key, _) = words_and_matrices()
    table, other = (sinusoidal(range(30), 16, layout=s) for s in ("interleaved", "concatenated"))
    order = [*range(0, 16, 2), *range(1, 16, 2)]
    wanted = attention_weights(table, query, key)
    return [
        np.allclose(attention_weights(other, query[order], key[order]), wanted),
        np.allclose(attention_weights(other, query, key), wanted),
    ]


def exponent_2j_by_column():
    """Whether pairs lie on circles and a step is one matrix: exponent 2j/d by column, the formula.

    The best matrix of one step is fitted on 96 of 300 rows and tried on all.
    """
    found = []
    for rows in (VARIANTS["factor 2 by column"].make(300, 12), sinusoidal(range(300), 12)):
        matrix, _ = fit_translation(rows[:96], 1)
        found += [
            np.allclose(rows[:, 0::2] ** 2 + rows[:, 1::2] ** 2, 1),
            np.allclose(rows[:-1] @ matrix.T, rows[1:], atol=1e-3),
        ]
    return found


# What the vectors know


def count_and_one_shift_by_a_matrix(offset=4):
    """Whether one matrix moves every count, with a 1 beside it, by the offset."""
    rows = np.column_stack([np.arange(500), np.ones(500)])
    return np.allclose(rows[:-offset] @ [[1, 0], [offset, 1]], rows[offset:])


def apart_in_pair(pair, first, second):
    """Distance of two positions in one pair of columns, at width 8."""
    gap = sinusoidal(second, 8) - sinusoidal(first, 8)
    return np.linalg.norm(gap[2 * pair : 2 * pair + 2])


def sign_changes(column, rows):
    """How often the sign changes going down a column of a table of width 16."""
    signs = np.sign(sinusoidal(range(1, rows), 16)[:, column])
    return int((np.diff(signs) != 0).sum())


def moved(length=256, d_model=128):
    """The table of Kernes' figures, and how far each entry is from its value at position 0."""
    table = sinusoidal(range(length), d_model)
    return table, np.abs(table - table[0])


def dark_and_moved(amount):
    """Share of the dark places, below -amount, that moved by more; of the moved, the dark."""
    table, far = moved()
    dark, turned = table < -amount, far > amount
    return [turned[dark].mean(), dark[turned].mean()]


def share_at_rest(amount):
    """Share of the entries that are within an amount of row 0."""
    return (moved()[1] <= amount).mean()


# Relative and rotary


def mean_of_a_reversed_text():
    """Whether a reversed text has the same mean: a bias by distance, by offset; both, masked."""
    x, matrices = words_and_matrices(length=5)
    offsets, found = np.arange(-4, 5), []
    for mask in (None, causal_mask(5)):
        for numbers in (-0.5 * np.abs(offsets), 0.3 * offsets):
            bias = by_offset(numbers)
            outputs = [self_attention(y, *matrices, mask=mask, bias=bias) for y in (x, x[::-1])]
            found.append(np.allclose(*(rows.mean(axis=0) for rows in outputs)))
    return found


def slopes_by_formula(n):
    """Whether the slopes of n heads are 2**(-8h/n)."""
    return np.allclose(alibi_slopes(n), 2.0 ** (-8 * np.arange(1, n + 1) / n))


def first_distance_of_the_last_bucket():
    """The distance from which on 32 buckets up to 128 are one, for a causal model."""
    distances = np.arange(1000)
    return distances[t5_buckets(-distances, 32, 128, bidirectional=False) == 31][0]


def block_and_elementwise(d=8, t=3):
    """Whether the elementwise formula is the block matrix, whether it is its transpose."""
    q = np.random.default_rng(0).normal(size=d)
    omega = frequencies(d)
    c, s = np.cos(t * omega), np.sin(t * omega)
    blocks = np.zeros((d, d))
    for i in range(d // 2):
        blocks[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c[i], s[i]], [-s[i], c[i]]]
    crossed = np.empty(d)
    crossed[0::2], crossed[1::2] = -q[1::2], q[0::2]
    turned = q * np.repeat(c, 2) + crossed * np.repeat(s, 2)
    return [np.allclose(blocks @ q, turned), np.allclose(blocks.T @ q, turned)]


def layouts_of_a_rotation():
    """Whether halves give the scores of neighbors: columns sorted, columns as they are."""
    q, k = np.random.default_rng(0).normal(size=(2, 10, 16))
    t = np.arange(10)
    wanted, found = rotate(q, t) @ rotate(k, t).T, []
    for sort in (to_half, lambda x: x):
        turned = [rotate(sort(x), t, layout="half") for x in (q, k)]
        found.append(np.allclose(turned[0] @ turned[1].T, wanted))
    return found


def scores_by_distance(distance, turned_back):
    """Mean score of a vector with itself at 0 and at a distance; where a chosen query has its peak.

    2000 random vectors of width 64; unturned, the score of a vector with itself is 1. The chosen
    query is the key, turned back.
    """
    keys = np.random.default_rng(0).normal(size=(2000, 64))
    turned = np.exp(1j * np.outer(np.arange(200), frequencies(64)))

    def means(query):
        q, k = (x[:, 0::2] + 1j * x[:, 1::2] for x in (query, keys))
        return ((q * k.conj()).mean(axis=0) @ turned.T).real / 64

    return [*means(keys)[[0, distance]], means(rotate(keys, -turned_back)).argmax()]


def pairs_with_new_angles(omega, trained_to=32768, factor=4, base=1e6):
    """Pairs that did not go round in training and would meet angles beyond it, by over 1%."""
    trained = frequencies(128, base)
    short = trained * trained_to < 2 * np.pi
    return int((short & (omega * factor > 1.01 * trained)).sum())


def best_score_after_a_turn(base, length, d_model=128):
    """Scores of a vector with itself: the best from 2π · base on, and that of neighbors."""
    alike = similarity(np.arange(length), d_model, base) / (d_model // 2)
    return [alike[int(2 * np.pi * base) :].max(), alike[1]]


def rounded_positions():
    """Positions below 4096 that bfloat16 tells apart, and the first that it does not."""
    rounded = bfloat16(np.arange(4096))
    return [len(np.unique(rounded)), np.flatnonzero(np.diff(rounded) == 0)[0] + 1]


# The online handbook: the word and the sum that it prints for "book", at position 2, base 100

WORD = [0.02, 0.15, 0.31, 0.08, -0.26, 0.21, -0.58, 1.12]
WORD += [-0.38, -0.91, 0.52, 0.87, -0.17, 0.73, -0.38, 0.18]
RESULT = [0.93, -0.27, -0.59, -0.033, -0.85, -0.6, -0.93, 0.18]
RESULT += [-0.58, -1.89, 0.41, -0.12, -0.23, -0.27, -0.42, -0.82]


def sums_and_differences():
    """Entries of the result that are word plus position, and minus, to within a printed digit."""
    position = sinusoidal(2, 16, 100)
    results = (np.add(WORD, position), np.subtract(WORD, position))
    return [int((np.abs(x - RESULT) < 0.015).sum()) for x in results]


def first_position_of(value, length, base=10_000.0):
    """The first position at which entry 1088 of width 5120 begins with these six decimals."""
    column = np.sin(frequencies(5120, base)[544] * np.arange(length))
    return np.flatnonzero(np.abs(column - value) <= 1.01e-6)[0]


# The ApX course page: the data of its heat map, ten positions and eight dimensions

HEAT_MAP = np.array(
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


def cells_that_agree(widths):
    """How many cells of the heat map are right to three decimals, for each width."""
    widths = np.asarray(widths)[..., None, None]
    angles = np.arange(10)[:, None] * 10_000.0 ** (-2 * np.arange(4) / widths)
    tables = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (…, 10, 4, 2)
    return (np.abs(tables - HEAT_MAP.reshape(10, 4, 2)) <= 5.1e-4).sum(axis=(-3, -2, -1))


def rows_copied():
    """Rows in which columns 2 and 3 are columns 0 and 1 of the next row."""
    return np.flatnonzero((HEAT_MAP[:-1, 2:4] == HEAT_MAP[1:, :2]).all(axis=1))


# Herath (2024)


def name_of_the_printed_program(length=300, d_model=64):
    """What a program that names tables says of the rows that the printed loop makes."""
    table = np.zeros((length, d_model))
    for pos in range(length):
        for i in range(0, d_model, 2):
            table[pos, i] = np.sin(pos / (10000 ** ((2 * i) / d_model)))
            table[pos, i + 1] = np.cos(pos / (10000 ** ((2 * i) / d_model)))
    return identify(table).name
