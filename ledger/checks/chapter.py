"""Checks that decide the statements of the online chapter."""

from collections import Counter
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from lab import tasks
from lab.learned import LearnedEmbedding
from lab.schemes import Learned
from lab.scorecard import pairwise_distances, scorecard
from lab.training import train
from ledger.checks.shared import ORDER, words_and_matrices
from pecode import (
    attention_weights,
    causal_mask,
    rotate,
    self_attention,
    sine_only,
    sinusoidal,
    softmax,
    translation_matrix,
    wavelengths,
)

WIDTH = 16


def weights_by_place_and_by_word():
    """Whether a shuffle leaves the weights as they were, by place; and by word."""
    x, (query, key, _) = words_and_matrices()
    before, after = (attention_weights(y, query, key) for y in (x, x[ORDER]))
    return [np.allclose(after, before), np.allclose(after, before[np.ix_(ORDER, ORDER)])]


def recurrent_state(x, seed=2):
    """The last state of a small recurrent network that reads the rows one by one."""
    rng = np.random.default_rng(seed)
    w_state, w_input = rng.normal(scale=WIDTH**-0.5, size=(2, WIDTH, WIDTH))
    state = np.zeros(WIDTH)
    for row in x:
        state = np.tanh(state @ w_state + row @ w_input)
    return state


def rows_need_no_earlier_row():
    """Whether each output of attention can be had alone, without any other."""
    x, (query, key, value) = words_and_matrices()
    alone = [softmax((row @ query) @ (x @ key).T / np.sqrt(WIDTH)) @ (x @ value) for row in x]
    return np.allclose(alone[::-1], self_attention(x, query, key, value)[::-1])


def weights_by_the_formula():
    """Whether the weights follow exp(q·k/√d) over its sum along the keys."""
    x, (query, key, _) = words_and_matrices()
    scores = np.exp((x @ query) @ (x @ key).T / np.sqrt(WIDTH))
    by_hand = scores / scores.sum(axis=1, keepdims=True)
    return np.allclose(by_hand, attention_weights(x, query, key))


def score_moves_with_the_words():
    """Whether the score of two words is what it was when both stand elsewhere."""
    x, (query, key, _) = words_and_matrices()
    scores, moved = ((y @ query) @ (y @ key).T for y in (x, x[ORDER]))
    here, there = ORDER.tolist().index(1), ORDER.tolist().index(4)
    return bool(np.isclose(moved[here, there], scores[1, 4]))


def score_and_weight_keep_when_word_6_changes():
    """Whether the score of words 1 and 4, and its weight, stay when word 6 becomes another."""
    x, (query, key, _) = words_and_matrices()
    other = x.copy()
    other[6] += 1
    scores = [(y[1] @ query) @ (y[4] @ key) for y in (x, other)]
    weights = [attention_weights(y, query, key)[1, 4] for y in (x, other)]
    return [np.allclose(*scores), np.allclose(*weights)]


def effects_of_a_swap():
    """Whether a swap of 2 and 5 changes weights by place, trades two outputs, keeps the others."""
    x, (query, key, value) = words_and_matrices()
    swap, others = np.array([0, 1, 5, 3, 4, 2, 6]), [0, 1, 3, 4, 6]
    before, after = (self_attention(y, query, key, value) for y in (x, x[swap]))
    pattern = np.allclose(attention_weights(x, query, key), attention_weights(x[swap], query, key))
    trade = np.allclose(after[[2, 5]], before[[5, 2]])
    return [not pattern, trade, np.allclose(after[others], before[others])]


def near_and_far_look_alike():
    """Whether the weight of one word on another is the same at 1 and 2 as at 1 and 5."""
    x, (query, key, _) = words_and_matrices()
    near = attention_weights(x, query, key)[1, 2]
    far = attention_weights(x[[0, 1, 5, 3, 4, 2, 6]], query, key)[1, 5]
    return bool(np.isclose(far, near))


def share_of_an_appended_index(positions, width=512):
    """Share of the squared length that an appended index has, beside entries of size 1."""
    return [t**2 / (t**2 + width) for t in positions]


def counting_goes_on_to(position):
    """What a straight line from the count, fitted on 1 to 100, says at `position`."""
    t = np.arange(1.0, 101.0)
    return np.polyval(np.polyfit(t, t, deg=1), position)


def count_saturates_and_steepens(length=64, draws=25):
    """Whether [t, …, t], added, takes most rows their slope, and makes gradients 5 times larger."""

    def gradient(seed, scale):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=(length, 32)) + scale * np.arange(length)[:, None]
        query, key, value = rng.normal(scale=32**-0.5, size=(3, 32, 32))
        weights = attention_weights(x, query, key)
        d_weights = rng.normal(size=(length, 32)) @ (x @ value).T
        d_scores = weights * (d_weights - (weights * d_weights).sum(axis=1, keepdims=True))
        top = weights.max(axis=1)
        flat = (top * (1 - top) < 1e-6).mean()
        return flat, np.abs(x.T @ d_scores @ (x @ key)).max() / np.sqrt(32)

    plain, counted = (
        np.median([gradient(seed, s) for seed in range(draws)], axis=0) for s in (0, 1)
    )
    return [bool(plain[0] < 0.5 < counted[0]), bool(counted[1] > 5 * plain[1])]


def shares_left_by_two_matrices(d_model=128, length=256):
    """Share of the table that two matrices leave: one chosen to wipe it out, one the identity."""
    table = sinusoidal(range(length), d_model)
    _, sizes, directions = np.linalg.svd(table, full_matrices=False)
    taken = directions[sizes > 1e-8 * sizes[0]]
    wipe = np.eye(d_model) - taken.T @ taken
    left = [np.linalg.norm(table @ matrix) for matrix in (wipe, np.eye(d_model))]
    return np.divide(left, np.linalg.norm(table))


def attention_may_ignore_or_use_positions():
    """Whether one matrix makes the weights free of positions, and another makes them differ."""
    d_model, length = 128, 32
    table = sinusoidal(range(length), d_model)
    _, sizes, directions = np.linalg.svd(table, full_matrices=False)
    taken = directions[sizes > 1e-10 * sizes[0]]
    wipe = np.eye(d_model) - taken.T @ taken
    words = np.random.default_rng(0).normal(size=(length, d_model))
    ignored = [attention_weights(x, wipe, wipe) for x in (words, words + table)]
    used = [attention_weights(x, np.eye(d_model), np.eye(d_model)) for x in (words, words + table)]
    return [np.allclose(*ignored, atol=1e-6), not np.allclose(*used, atol=1e-3)]


def cosine_of_sums(cosine=0.9, d_model=512):
    """Mean cosine of two sums: words of a given cosine, entries of size 1, at positions 5 and 6."""
    rng = np.random.default_rng(0)
    first, noise = rng.normal(size=(2, 200, d_model))
    second = cosine * first + np.sqrt(1 - cosine**2) * noise
    a, b = first + sinusoidal(5, d_model), second + sinusoidal(6, d_model)
    cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    return cosines.mean()


def zeros_meet_the_three_wishes():
    """Whether vectors of zeros are bounded, defined beyond, and different from each other."""
    card = scorecard(lambda t: np.zeros((len(t), 8)))
    return [card.largest_entry == 0, card.defined_beyond, card.smallest_distance > 0]


def printed_entries(positions, d_model=8):
    """Entries of the vectors, one after the other."""
    return sinusoidal(positions, d_model).ravel()


def changes_of_entries(first, second, d_model=8):
    """How far each entry moves from one position to another."""
    return np.abs(sinusoidal(second, d_model) - sinusoidal(first, d_model))


def pair_distances(first, second, d_model=8):
    """Distance of two positions in each pair of dimensions."""
    gap = sinusoidal(second, d_model) - sinusoidal(first, d_model)
    return np.linalg.norm(gap.reshape(-1, 2), axis=1)


def sign_changes(columns, length=64, d_model=16):
    """How often the sign changes going down these columns of the heat map."""
    signs = np.sign(sinusoidal(range(1, length), d_model))[:, columns]
    return (np.diff(signs, axis=0) != 0).sum(axis=0)


def largest_step(columns, length=64, d_model=16):
    """Largest change from one row of the heat map to the next, for each of these columns."""
    return np.abs(np.diff(sinusoidal(range(length), d_model)[:, columns], axis=0)).max(axis=0)


def nearest_rows(d_model, length=64):
    """Smallest distance between two of the first 64 rows of a table."""
    return pairwise_distances(sinusoidal(range(length), d_model))[np.triu_indices(length, 1)].min()


def sines_alone_are_unique():
    """Whether sines of 11 and 344 agree to a millionth; exactly; whether twelve are unique."""
    gap = abs(np.sin(11) - np.sin(344))
    smallest = scorecard(lambda t: sine_only(t, 12)).smallest_distance
    return [bool(gap < 1e-6), bool(gap == 0), bool(smallest > 0.1)]


def speeds_of_the_circles(d_model=8, length=1000):
    """Angle that each pair turns by at every step, and its largest distance from radius 1."""
    pairs = sinusoidal(range(length), d_model).reshape(length, -1, 2)
    angles = np.unwrap(np.arctan2(pairs[..., 0], pairs[..., 1]), axis=0)
    return [*np.diff(angles, axis=0).mean(axis=0), np.abs(np.linalg.norm(pairs, axis=2) - 1).max()]


def nearest_points_of_the_first_turn():
    """Smallest distance on the circle of ω = 1 between the positions of its first turn, 0 to 6."""
    return pairwise_distances(sinusoidal(range(7), 2))[np.triu_indices(7, 1)].min()


def distances_of_random_rows():
    """Distances of random rows, width 512: of neighbors and of all others, on average."""
    apart = pairwise_distances(np.random.default_rng(0).normal(size=(64, 512)))
    return [np.diagonal(apart, 1).mean(), apart[np.triu_indices(64, 2)].mean()]


def one_matrix_looks_three_back(d_model=64, length=2000):
    """Whether one rotation turns every position into the one three earlier, also far out."""
    table = sinusoidal(range(length), d_model)
    back = translation_matrix(-3, d_model)
    rotation = np.allclose(back @ back.T, np.eye(d_model))
    return rotation and np.allclose(table[3:] @ back.T, table[:-3], atol=1e-9)


def pairs_short_of_a_turn(length, base):
    """How many of the 256 pairs of width 512 do not turn once in `length` positions."""
    return int((wavelengths(512, base) > length).sum())


def untrained_rows_stay():
    """Which rows of a table of 128 move in training on 32 tokens: all of 0 to 31, any later one."""
    start, rows = {}, Learned(length=128)

    def watch(step, parameters):
        if step == 0:
            start["table"] = parameters["position"].copy()

    model = train(tasks.back(2), rows, seed=0, steps=8, batch_size=4, lengths=(32, 32), watch=watch)
    moved = (model.parameters["position"] != start["table"]).any(axis=1)
    return [bool(moved[:32].all()), bool(moved[32:].any())]


def rows_and_gap(rows=512, length=1000):
    """First and last position of a text of 1000 that a table of 512 rows serves, and refuses."""
    table = LearnedEmbedding(rows, 8)

    def refused(position):
        try:
            table(position)
        except ValueError:
            return True
        return False

    missing = [t for t in range(length) if refused(t)]
    served = [t for t in range(length) if not refused(t)]
    return [served[0], served[-1], missing[0], missing[-1]]


def wrapped_rows_coincide(rows=512, length=1000):
    """Pairs of positions that share a row when a table of 512 rows is wrapped to 1000."""
    return sum(n * (n - 1) // 2 for n in Counter(t % rows for t in range(length)).values())


def readout_goes_on(d_model=128):
    """Whether a line fitted on 0 to 99 reads t within 1 there, and misses 100 to 199 by over 20."""
    t = np.arange(200)
    inputs = np.column_stack([sinusoidal(t, d_model), np.ones(200)])
    gram = inputs[:100].T @ inputs[:100] + 1e-3 * np.eye(d_model + 1)
    weights = np.linalg.solve(gram, inputs[:100].T @ t[:100])
    error = np.abs(inputs @ weights - t)
    return [bool(error[:100].mean() < 1), bool(error[100:].mean() > 20)]


def distance_alone_cannot_tell_sides():
    """Whether attention on the reversed text is the same, reversed: bias of distance, of offset."""
    x, matrices = words_and_matrices()
    offset = np.arange(7) - np.arange(7)[:, None]
    biases = [-1.0 * np.abs(offset), np.where(offset > 0, -5.0, 0.0)]
    forward = [self_attention(x, *matrices, bias=bias) for bias in biases]
    backward = [self_attention(x[::-1], *matrices, bias=bias) for bias in biases]
    return [np.allclose(b[::-1], f) for f, b in zip(forward, backward, strict=True)]


def rotation_is_fixed():
    """Whether the turn of a query is the shift matrix backward, with nothing learned."""
    x = np.random.default_rng(0).normal(size=64)
    return np.allclose(rotate(x, 5), translation_matrix(-5, 64) @ x)


def dog_looks_at_bites_from_both_sides():
    """Whether dog weighs each word alike in both orders of dog bites man; and all words alike."""
    x, (query, key, _) = words_and_matrices(length=3)
    left, right = (attention_weights(y, query, key) for y in (x, x[::-1]))
    return [np.allclose(left[0], right[2][::-1]), np.allclose(left[0], 1 / 3, atol=0.01)]


def same_bag(left, right):
    """Whether two sentences have the same words, as often."""
    bags = [Counter(text.lower().strip("?.").split()) for text in (left, right)]
    return bags[0] == bags[1]


def best_guess_from_the_bag(length=8, n_words=8):
    """Chance to name the first of random words rightly from the bag: the mean largest count."""
    total = 0
    for draw in combinations_with_replacement(range(n_words), length):
        counts = Counter(draw).values()  # a bag, and in how many orders it may come
        total += max(counts) / length * (factorial(length) // prod(map(factorial, counts)))
    return total / n_words**length


def majority_from_the_bag(length=9):
    """Whether a text and its shuffle always have the same majority of low or high words."""
    rng = np.random.default_rng(0)
    texts = rng.integers(0, 8, (1000, length))
    shuffled = rng.permuted(texts, axis=1)
    before, after = (2 * (t < 4).sum(axis=1) > length for t in (texts, shuffled))
    return bool((before == after).all() and (texts != shuffled).any())


def mixing_that_is_blind():
    """Whether outputs follow a shuffle: of an average of the words, of attention, if causal."""
    x, matrices = words_and_matrices()
    mixings = (
        lambda y: y + y.mean(axis=0),
        lambda y: y + self_attention(y, *matrices),
        lambda y: y + self_attention(y, *matrices, mask=causal_mask(7)),
    )
    return [np.allclose(mix(x[ORDER]), mix(x)[ORDER]) for mix in mixings]


def convolution_follows_a_shuffle():
    """Whether the outputs of a convolution follow when the words are shuffled."""
    rng = np.random.default_rng(0)
    x, kernel = rng.normal(size=7), np.array([1.0, 2.0, -1.0])
    outputs = np.convolve(x, kernel, "same")
    return np.allclose(np.convolve(x[ORDER], kernel, "same"), outputs[ORDER])


def last_output_feels_the_first_word(length=50):
    """Whether the last of 50 outputs feels the first word: of attention, of a convolution."""
    x, matrices = words_and_matrices(length=length)
    other = x.copy()
    other[0] += 1
    attention = not np.allclose(*(self_attention(y, *matrices)[-1] for y in (x, other)), atol=1e-6)
    kernel = np.array([1.0, 2.0, -1.0])
    layers = [np.convolve(y[:, 0], kernel, "same")[-1] for y in (x, other)]
    return [attention, not np.allclose(*layers)]


def different_sums(n=64, d_model=16):
    """How many different sums 64 words at 64 positions make."""
    words = np.random.default_rng(0).normal(size=(n, 1, d_model))
    sums = (words + sinusoidal(range(n), d_model)).reshape(-1, d_model)
    return len(np.unique(sums.round(6), axis=0))
