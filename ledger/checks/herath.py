"""Checks that decide the statements of Herath (2024)."""

from functools import cache

import numpy as np

from lab import tasks
from lab.scorecard import pairwise_distances
from lab.training import train
from pecheck import identify
from pecode import (
    attention_weights,
    fit_translation,
    frequencies,
    similarity,
    sinusoidal,
    translation_matrix,
)

DOLPHINS = ["Dolphins", "leap", "grace", "##fully", "over", "waves", "."]
EAGLES = ["Eagles", "soar", "above", "the", "clouds", "during", "migration"]
SHOWN = [0, 1, 2, -1]  # the columns of "soar" that are printed
SOAR = np.array([0.12, -0.48, 0.85, -0.03])
PRINTED = np.array([0.95, -0.87, 1.82, 0.45])
D = 512


def columns_are_sinusoids():
    """Whether every column x has x(t+1) + x(t-1) = 2 cos(omega) x(t), with one omega."""
    table, omega = sinusoidal(range(300), D), np.repeat(frequencies(D), 2)
    return np.allclose(table[2:] + table[:-2], 2 * np.cos(omega) * table[1:-1], atol=1e-9)


def ratio_of_wavelengths():
    """Smallest and largest ratio of a wavelength to the one before, from the formula itself."""
    waves = 2 * np.pi * 10000 ** (2 * np.arange(256) / D)
    return [(waves[1:] / waves[:-1]).min(), (waves[1:] / waves[:-1]).max()]


def one_matrix_for_all_positions(offset=7):
    """Whether a matrix, fitted on 96 positions, is right on later ones: sinusoids, random rows."""
    t = np.arange(1024)
    tables = [sinusoidal(t, 12), np.random.default_rng(0).normal(size=(1024, 12))]
    right = []
    for table in tables:
        matrix, _ = fit_translation(table[:96], offset)
        right.append(np.allclose(table[:-offset] @ matrix.T, table[offset:], atol=1e-3))
    return right


@cache
def trained_short():
    """Accuracies of models trained on up to 16 tokens: at 0 to 15, at 32 to 63; medians of 3."""
    found = {}
    for task in [tasks.back(2), tasks.recent]:
        models = [train(task, "sine and cosine", s, steps=120, lengths=(4, 16)) for s in range(3)]
        runs = np.array([model.accuracy(64, size=32) for model in models])
        found[task.name] = np.median(
            [np.nanmean(runs[:, :16], axis=1), np.nanmean(runs[:, 32:], axis=1)], axis=1
        )
    return found


def looks_two_back_by_matrix_and_by_training():
    """Whether t - 2 scores best: by the shift matrix to 1023; and if trained: short, far."""
    table = sinusoidal(range(1024), 16)
    best = (table @ translation_matrix(-2, 16).T @ table.T).argmax(axis=1)
    inside, beyond = trained_short()["2 back"]
    return [np.array_equal(best[2:], np.arange(1022)), bool(inside > 0.9), bool(beyond > 0.6)]


def stays_good_on_longer_texts():
    """Whether both tasks are good where trained, and one of them at 2 to 4 times that length."""
    inside, beyond = np.array(list(trained_short().values())).T
    return [bool(inside.min() > 0.85), bool(beyond.max() > 0.75)]


def vectors_for_longer_texts():
    """Whether position 10**6 has a vector, of the same length as all others, sqrt(d/2)."""
    return np.allclose(np.linalg.norm(sinusoidal([0, 5, 10**6], D), axis=1), 16)


def halfway_misses(t=5):
    """How far the mean of rows t and t + 1 is from the formula at t + 1/2: fastest, slow half."""
    angle = np.outer([t, t + 0.5, t + 1], 10000 ** (-2 * np.arange(256) / D))
    rows = np.exp(1j * angle)
    miss = np.abs((rows[0] + rows[2]) / 2 - rows[1])
    return [miss[0], miss[128:].max()]


def gaps_between_sign_changes(t=100):
    """Pairs from one sign change to the next, across the sines of one position: first, last."""
    row = sinusoidal(t, D)[::2]
    gaps = np.diff(np.flatnonzero(np.diff(np.sign(row))))
    return [gaps[0], gaps[-1]]


def smallest_distance(length=512):
    """Smallest distance between the vectors of two positions of a text of 512."""
    return pairwise_distances(sinusoidal(range(length), D))[np.triu_indices(length, 1)].min()


def their_encoding(pos, d_model=512):
    """The program as printed, indented again, with numpy for math."""
    pe = np.zeros((1, d_model))
    for i in range(0, d_model, 2):
        pe[0][i] = np.sin(pos / (10000 ** ((2 * i) / d_model)))
        pe[0][i + 1] = np.cos(pos / (10000 ** ((2 * i) / d_model)))
    return pe


def their_table_is_named():
    """What a program that names tables says of 300 rows of width 64 from the printed code."""
    return identify(np.concatenate([their_encoding(t, 64) for t in range(300)])).name


def consequences_of_the_doubled_factor():
    """Entries off by over 0.001 and largest error at position 1, slowest wave, pairs that stand."""
    error = np.abs(their_encoding(1)[0] - sinusoidal(1, D))
    exponents = 2 * np.arange(0, D, 2) / D
    wave = 2 * np.pi * 10000 ** exponents[-1] / 1e6  # in millions of positions
    return [(error > 0.001).sum(), error.max(), wave, (exponents >= 1).sum()]


def compiles(text):
    """Whether a text is a Python program."""
    try:
        compile(text, "as printed", "exec")
    except SyntaxError:
        return False
    return True


def literal_with_dots():
    """Entries of the array as printed, and the error of adding a row of 512."""
    y = np.array([0.12, -0.48, 0.85, ..., -0.03], dtype=object)
    try:
        y + np.zeros((1, 512))
    except ValueError as error:
        return [y.size, type(error).__name__]
    return [y.size, "none"]


def calling_an_array():
    """What happens when an array is called like a function."""
    pc = np.zeros((1, 512))
    try:
        pc("soar")
    except TypeError as error:
        return type(error).__name__
    return "none"


def cosine(u, v):
    """Cosine similarity, row by row."""
    return (u * v).sum(axis=-1) / np.linalg.norm(u, axis=-1) / np.linalg.norm(v, axis=-1)


def words_of_similarity(c, n=2000, seed=0):
    """Pairs of words, entries of size 1, with cosine similarity c."""
    e, g = np.random.default_rng(seed).normal(size=(2, n, D))
    e /= np.linalg.norm(e, axis=1, keepdims=True)
    g -= (g * e).sum(axis=1, keepdims=True) * e
    g /= np.linalg.norm(g, axis=1, keepdims=True)
    return D**0.5 * e, D**0.5 * (c * e + np.sqrt(1 - c**2) * g)


def share_that_falls(c, first=1, second=6):
    """Share of word pairs of similarity c that are less alike after the positions are added."""
    e, f = words_of_similarity(c)
    after = cosine(e + sinusoidal(first, D), f + sinusoidal(second, D))
    return (after < c).mean()


def same_word_at_1_and_6():
    """Mean similarity of one word with itself at positions 1 and 6, and the largest of 2000."""
    e, _ = words_of_similarity(0)
    after = cosine(e + sinusoidal(1, D), e + sinusoidal(6, D))
    return [after.mean(), bool(after.max() < 1)]


def similarity_shows_both_parts():
    """Whether the mean similarity rises with that of the words, and falls with the distance."""
    mean = {}
    for c in (0.0, 0.5):
        e, f = words_of_similarity(c)
        for offset in (1, 5, 100):
            mean[c, offset] = cosine(e + sinusoidal(1, D), f + sinusoidal(1 + offset, D)).mean()
    by_word = all(mean[0.5, k] > mean[0.0, k] + 0.1 for k in (1, 5, 100))
    by_place = all(mean[c, 1] > mean[c, 5] + 0.02 > mean[c, 100] + 0.04 for c in (0.0, 0.5))
    return [by_word, by_place]


def both_found_by_search(n=64):
    """Share of all sums of 64 words and 64 positions, d = 512, of which a search finds both."""
    words = np.random.default_rng(0).normal(size=(n, D))
    sums = (words[:, None] + sinusoidal(range(n), D)).reshape(-1, D)
    some = np.arange(0, n * n, 37)
    squares = (sums**2).sum(axis=1)
    nearest = (squares - 2 * sums[some] @ sums.T).argmin(axis=1)
    alone = len(np.unique(sums[:, :4].round(6), axis=0)) == n * n
    return [(nearest == some).mean(), alone]


def weight_by_word_alone():
    """Whether two equal words get equal weights: as they are, with positions added."""
    rng = np.random.default_rng(0)
    x, (query, key) = rng.normal(size=(5, 16)), rng.normal(scale=0.25, size=(2, 16, 16))
    x[3] = x[0]
    found = []
    for p in (0, sinusoidal(range(5), 16)):
        weights = attention_weights(x + p, query, key)
        found.append(np.allclose(weights[:, 0], weights[:, 3]))
    return found


def border_at(offset):
    """Similarity of two positions at this offset, d = 512: the border between rise and fall."""
    return similarity(offset, D) / 256
