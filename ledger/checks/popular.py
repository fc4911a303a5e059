"""Checks that decide the rows of popular.yml, statements that one often meets."""

from functools import cache

import numpy as np

from lab import tasks
from lab.schemes import ALiBi, Learned, Rotary
from lab.scorecard import pairwise_distances, scorecard
from lab.training import train
from ledger.checks.shared import words_and_matrices
from pecheck.variants import VARIANTS
from pecode import (
    alibi_bias,
    alibi_slopes,
    attention_weights,
    by_offset,
    causal_mask,
    count,
    fit_translation,
    frequencies,
    rotate,
    self_attention,
    similarity,
    sine_only,
    sinusoidal,
    softmax,
    t5_buckets,
    to_half,
    translate,
    wavelengths,
)
from pecode.axes import timestep_embedding
from pecode.precision import bfloat16

# Attention and order


def position_from_the_mask(length=6):
    """One over the share of a start token, less one, under a causal mask and equal scores."""
    x, zero, one = np.eye(length)[:, :1], np.zeros((1, 1)), np.ones((1, 1))
    share = self_attention(x, zero, zero, one, mask=causal_mask(length)).ravel()
    return 1 / share - 1


# The formula


def columns_of_the_sines():
    """Columns that are zero at position 0; whether all other rows hold the same two functions."""
    t, omega = np.arange(1, 50), frequencies(8)
    rows = sinusoidal(t, 8)
    same = np.allclose(rows[:, 0::2], np.sin(np.outer(t, omega)))
    same &= np.allclose(rows[:, 1::2], np.cos(np.outer(t, omega)))
    return [*np.flatnonzero(sinusoidal(0, 8) == 0).tolist(), bool(same)]


def different_positions(length=100_000):
    """How many of the positions the first pair alone, sin t and cos t, tells apart."""
    return len(np.unique(np.mod(np.arange(length), 2 * np.pi).round(7)))


def worst_float32_frequencies():
    """Whether exp of a logarithm is over twice as wrong as a power, and whether the power is fine.

    The largest relative error of 256 frequencies in float32; "fine" is below 3e-7.
    """
    two_i, exact = np.arange(0, 512, 2), frequencies(512)
    by_log = np.exp(two_i.astype(np.float32) * np.float32(-np.log(10000.0) / 512))
    by_power = np.float32(10000) ** (-two_i / 512).astype(np.float32)
    log_error, power_error = (np.abs(w / exact - 1).max() for w in (by_log, by_power))
    return [bool(log_error > 2 * power_error), bool(power_error < 3e-7)]


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


def likeness_of_neighbors():
    """Cosine similarity of rows 0 and 1 at d = 512: the formula, divided twice."""
    rows = [sinusoidal([0, 1], 512), VARIANTS["divided twice"].make(2, 512)]
    return [row[0] @ row[1] / 256 for row in rows]


# Geometry


def rises_of_the_dot_product():
    """Offset before the first rise at d = 128; rises in 1999 steps at d = 512."""
    rises = [np.diff(similarity(np.arange(n), d)) > 0 for n, d in ((200, 128), (2000, 512))]
    return [rises[0].argmax(), rises[1].sum()]


def dot_product_and_the_side():
    """Where the product with row 50 is largest, and whether 46 and 54 are told apart.

    First as it is, then with the shift matrix of four back in between.
    """
    table, found = sinusoidal(range(100), 64), []
    for query in (table[50], translate(table[50], -4)):
        scores = table @ query
        found += [int(scores.argmax()), not np.isclose(scores[46], scores[54])]
    return found


def distances_from_5():
    """Distance of position 5 to 6 and to 11 at width 8."""
    return pairwise_distances(sinusoidal(range(12), 8))[5, [6, 11]]


def scores_of_twelve_sines():
    """Whether twelve sines tell 1024 positions apart, have even steps, have a shift."""
    card = scorecard(lambda t: sine_only(t, 12))
    unique = card.smallest_distance > 0.01
    return [bool(unique), bool(card.step_ratio < 1.01), card.has_shift]


def codes_with_a_shift():
    """Whether a matrix fitted on 96 positions shifts later ones: count and 1, hands, sines."""
    t = np.arange(512)
    tables = [np.column_stack([count(t), np.ones(512)]), sinusoidal(t, 12), sine_only(t, 12)]
    found = []
    for table in tables:
        matrix, _ = fit_translation(table[:96], 4)
        error = np.linalg.norm(table[128:-4] @ matrix.T - table[132:])
        found.append(bool(error < 1e-3 * np.linalg.norm(table[132:])))
    return found


def entries_stay_within_1():
    """Whether the entries of 512 positions stay within 1: count and 1, hands."""
    return [bool(count(range(512)).max() <= 1), bool(np.abs(sinusoidal(range(512), 12)).max() <= 1)]


# What was trained: up to 16 tokens, asked at 32 to 63

SCHEMES = {
    "sine and cosine": lambda: "sine and cosine",
    "learned": lambda: Learned(length=64),
    "rotary": lambda: "rotary",
    "ALiBi": ALiBi,
}
TASKS = {"2 back": tasks.back(2), "recent": tasks.recent, "first": tasks.first}


@cache
def accuracies(scheme, task):
    """Accuracies inside the trained lengths and beyond, medians of three models."""
    runs = []
    for seed in range(3):
        model = train(TASKS[task], SCHEMES[scheme](), seed, steps=150, lengths=(4, 16))
        accuracy = model.accuracy(64, size=32)
        runs.append([np.nanmean(accuracy[:16]), np.nanmean(accuracy[32:])])
    return np.median(runs, axis=0)


def solves(scheme, task):
    """Whether a scheme is good at a task, above 0.8: inside, beyond."""
    return [bool(share > 0.8) for share in accuracies(scheme, task)]


# Adding


def words_read_from_sums(d=128):
    """Share of sums that a search reads; whether a matrix separates 64 words, whether 90."""
    places = sinusoidal(range(256), d)
    _, sizes, directions = np.linalg.svd(places, full_matrices=False)
    directions = directions[sizes > 1e-8 * sizes[0]]
    found = []
    for n in (64, 90):
        words = np.random.default_rng(0).normal(size=(n, d))
        known = np.vstack([words, directions])
        wanted = np.vstack([words, np.zeros_like(directions)])
        matrix = np.linalg.lstsq(known, wanted, rcond=1e-9)[0]
        sums = words[:, None] + places
        missed = np.linalg.norm(sums @ matrix - words[:, None]) / np.linalg.norm(sums - places)
        found.append(bool(missed < 1e-6))
    sums = (words[:64, None] + places[:64]).reshape(-1, d)
    some = np.arange(0, len(sums), 41)
    nearest = ((sums**2).sum(axis=1) - 2 * sums[some] @ sums.T).argmin(axis=1)
    return [bool((nearest == some).all()), *found]


def angles_to_positions(d=128, n=2000):
    """Angles of a random word, in degrees: to one position, to the 38 directions of the table.

    The first is the mean size of the difference from 90.
    """
    table = sinusoidal(range(256), d)
    directions = np.linalg.svd(table, full_matrices=False)[2][:38]
    words = np.random.default_rng(0).normal(size=(n, d))
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    one = np.degrees(np.arcsin(words @ table[7] / np.linalg.norm(table[7])))
    all_of_them = np.degrees(np.arccos(np.linalg.norm(words @ directions.T, axis=1)))
    return [np.abs(one).mean(), all_of_them.mean()]


def position_over_word(entry, factor, d=512):
    """Length of a position vector over that of a word with entries of a size, times a factor."""
    return np.linalg.norm(sinusoidal(7, d)) / (entry * factor * d**0.5)


# Relative positions


def slopes_by_formula(n):
    """Whether the slopes of n heads are 2**(-8h/n)."""
    return np.allclose(alibi_slopes(n), 2.0 ** (-8 * np.arange(1, n + 1) / n))


def first_distance_of_the_last_bucket():
    """The distance from which on 32 buckets up to 128 are one, for a causal model."""
    distances = np.arange(1000)
    return distances[t5_buckets(-distances, 32, 128, bidirectional=False) == 31][0]


def mean_of_a_reversed_text():
    """Whether a reversed text has the same mean: a bias by distance, by offset; both, masked."""
    x, matrices = words_and_matrices(length=5)
    offsets, found = np.arange(-4, 5), []
    for mask in (None, causal_mask(5)):
        for numbers in (-0.5 * np.abs(offsets), 0.3 * offsets):
            bias = by_offset(numbers)
            means = [
                self_attention(y, *matrices, mask=mask, bias=bias).mean(axis=0)
                for y in (x, x[::-1])
            ]
            found.append(np.allclose(*means))
    return found


# Rotary


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


def turned_vector_and_score():
    """Whether a turned query is the same at 3 and 700; whether its score with a key 3 back is."""
    q, k = np.random.default_rng(0).normal(size=(2, 64))
    scores = [rotate(q, t) @ rotate(k, t - 3) for t in (3, 700)]
    return [np.allclose(rotate(q, 3), rotate(q, 700)), np.allclose(*scores)]


def mean_scores_by_distance():
    """Mean score at distances 0 and 199, same vector; largest mean, different; peak, chosen.

    2000 random vectors of width 64; the score of a vector with itself, unturned, is 1. The chosen
    query is the key, turned back by 50.
    """
    rng = np.random.default_rng(0)
    keys, others = rng.normal(size=(2, 2000, 64))
    turned = np.exp(1j * np.outer(np.arange(200), frequencies(64)))

    def mean_by_distance(query):
        q, k = (x[:, 0::2] + 1j * x[:, 1::2] for x in (query, keys))
        return ((q * k.conj()).mean(axis=0) @ turned.T).real / 64

    same, different = mean_by_distance(keys), mean_by_distance(others)
    chosen = mean_by_distance(rotate(keys, -50))
    return [same[0], same[199], np.abs(different).max(), chosen.argmax() / 100]


@cache
def rotary_models(base=10000.0):
    """Two models of chapter 12: recent, rotary, up to 32 tokens."""
    return [train(tasks.recent, Rotary(base), seed, steps=250) for seed in range(2)]


def far_accuracy(base, fold):
    """Mean accuracy at 64 to 127 when these pairs see distances from 32 on as 8 to 31."""
    distance, omega = np.arange(128), frequencies(16, base)[:, None]
    known = np.where(distance < 32, distance, 8 + (distance - 8) % 24)
    angles = omega * np.where(np.isin(np.arange(8), fold)[:, None], known, distance)  # (8, 128)
    back = np.concatenate([angles[:, ::-1], 0 * angles[:, 1:]], axis=1)
    turned, shares = np.exp(1j * by_offset(back)), []
    for model in rotary_models(base):
        tokens, targets, _ = tasks.recent.batch(np.random.default_rng(3), 16, 128)
        p = model.parameters
        x = p["embedding"][tokens]
        query, key = (x @ p[name] for name in ("query 0", "key 0"))
        query, key = (part[..., 0::2] + 1j * part[..., 1::2] for part in (query, key))
        scores = np.einsum("bti,bsi,its->bts", query, key.conj(), turned, optimize=True).real / 4
        weights = softmax(np.where(causal_mask(128), scores, -np.inf))
        x = x + weights @ (x @ p["value 0"]) @ p["output 0"]
        shares.append(((x @ p["readout"]).argmax(axis=-1) == targets)[:, 64:].mean())
    return np.mean(shares)


def folding_helps(base, fold):
    """Whether folding these pairs wins more than 0.15 at 64 to 127."""
    return bool(far_accuracy(base, fold) > far_accuracy(base, []) + 0.15)


def no_new_angle_and_still_lost():
    """Turns of the slowest pair in 32 positions at base 5, and whether recent is lost beyond."""
    turns = 32 * frequencies(16, base=5)[-1] / (2 * np.pi)
    return [bool(turns > 1), bool(far_accuracy(5.0, []) < 0.7)]


def shares_of_frequencies(rule):
    """Frequency after stretching 8 times over that before: fastest pair, slowest pair."""
    return (rule / frequencies(128))[[0, -1]]


def turned_and_biased():
    """Whether turned queries and keys with ALiBi's bias have scores by the offset alone."""
    q, k = np.random.default_rng(0).normal(size=(2, 64))
    t = np.arange(30)
    scores = rotate(np.tile(q, (30, 1)), t) @ rotate(np.tile(k, (30, 1)), t).T
    both = scores + alibi_bias(30, [0.1])[0]
    alone = all(np.ptp(np.diagonal(both, offset)) < 1e-9 for offset in range(-29, 30))
    return [alone, not np.allclose(both, scores)]


def layouts_of_a_rotation():
    """Whether halves give the scores of neighbors: columns sorted, columns as they are."""
    q, k = np.random.default_rng(0).normal(size=(2, 10, 16))
    t = np.arange(10)
    wanted = rotate(q, t) @ rotate(k, t).T
    found = []
    for sort in (to_half, lambda x: x):
        turned = [rotate(sort(x), t, layout="half") for x in (q, k)]
        found.append(np.allclose(turned[0] @ turned[1].T, wanted))
    return found


def rounded_positions():
    """Positions below 4096 that bfloat16 tells apart, and the first that it does not."""
    positions = np.arange(4096)
    rounded = bfloat16(positions)
    return [len(np.unique(rounded)), np.flatnonzero(np.diff(rounded) == 0)[0] + 1]


def counted_padding():
    """Whether five columns of padding leave the weights as they are: rotary, added sinusoids."""
    x, (query, key, _) = words_and_matrices(6)
    t, mask = np.arange(6), causal_mask(6)
    found = []
    for turn in (True, False):
        weights = []
        for first in (0, 5):
            if turn:
                q, k = (rotate(x @ w, t + first) for w in (query, key))
            else:
                q, k = ((x + sinusoidal(t + first, 16)) @ w for w in (query, key))
            weights.append(softmax(np.where(mask, q @ k.T / 4, -np.inf)))
        found.append(np.allclose(*weights))
    return found


# More than one axis


def positions_and_width_exchanged(width=10, tokens=4):
    """Whether the slide's table is that of its tokens, or columns of one with more positions."""
    table = np.zeros((width, tokens))
    omega = 10_000.0 ** (-np.arange(0, tokens, 2) / width)
    angles = np.arange(width)[:, None] * omega
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    right = sinusoidal(range(tokens), width)
    of_more_positions = sinusoidal(range(width), width)[:, :tokens]
    return [np.allclose(table.T, right), np.allclose(table, of_more_positions)]


def frame_of_the_loop():
    """The frame at which the four fastest pairs for the time are back together, and whether so."""
    turns = np.arange(1, 81)[:, None] * frequencies(16, 256.0) / (2 * np.pi)  # latent frames
    away = np.abs(turns[:, :4] - turns[:, :4].round()).max(axis=1)
    return [4 * (1 + away.argmin()) + 1, away.min() < 0.05]


def columns_that_move():
    """Columns of the timestep embedding that move by more than 0.1; whether one tells the time."""
    table = timestep_embedding(np.linspace(0, 1, 1001), 256, downscale_freq_shift=0.0)
    moving = np.ptp(table, axis=0) > 0.1
    return [moving.sum(), any((np.diff(column) > 0).all() for column in table.T)]


def beats_random_keys(base, length, d_model=128):
    """Whether, up to a distance, the mean score of an equal key stays above that of a stranger."""
    return bool((similarity(np.arange(length), d_model, base) >= 0).all())


def back_at_the_start(base, d_model, length):
    """Beyond 2π · base: whether a pair has turned once, all look as at 0, and a neighbor did."""
    limit = int(2 * np.pi * base)
    alike = similarity(np.arange(length), d_model, base) / (d_model // 2)
    turned = wavelengths(d_model, base)[-1] < limit
    return [bool(turned), bool(alike[limit:].max() > 0.35), bool(alike[1] > 0.9)]


@cache
def rotary_within_and_at_four_times():
    """Whether rotary models, trained to 32 tokens on recent, are right to 0.9: there, to 128."""
    runs = [train(tasks.recent, Rotary(), seed, steps=250).accuracy(128, 32) for seed in range(3)]
    means = [np.nanmean(runs, axis=0)[part].mean() for part in (slice(0, 32), slice(64, 128))]
    assert means[1] < 0.7
    return [bool(mean > 0.9) for mean in means]
