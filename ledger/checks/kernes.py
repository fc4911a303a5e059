"""Checks for the statements of Kernes (2021) that do not fit into one line."""

import numpy as np

from pecode import (
    attention_weights,
    binary,
    count,
    fit_translation,
    frequencies,
    normalized_count,
    self_attention,
    similarity,
    sine_only,
    sinusoidal,
    softmax,
    translate,
)

DIALS = np.pi / np.array([2.0, 4.0, 8.0])  # the three frequencies of text and caption
TABLE = sinusoidal(range(256), 128)  # the size of the dot product figure


def queries_act_from_the_right():
    """Whether the weights are those of x @ w_query and x @ w_key, and not of their transposes."""
    rng = np.random.default_rng(0)
    x, w_query, w_key = rng.normal(size=(5, 4)), *rng.normal(size=(2, 4, 4))
    weights = attention_weights(x, w_query, w_key)
    sides = [(w_query, w_key), (w_query.T, w_key.T)]
    return [np.allclose(weights, softmax((x @ q) @ (x @ k).T / 2)) for q, k in sides]


def spike_after_gaussian_average():
    """What the toy (sigma 1, chosen here) makes of a spike at index 3 of 8 items."""
    t = np.arange(8)
    weights = np.exp(-((t[:, None] - t) ** 2) / 2)
    return weights[:, 3] / weights.sum(axis=1)


def layers_that_take_9_rows():
    """Whether what was made for 5 rows takes 9: a layer with 5 · 4 inputs, attention."""
    rng = np.random.default_rng(0)
    layer, matrices, x = rng.normal(size=(5 * 4, 4)), rng.normal(size=(3, 4, 4)), np.ones((9, 4))
    takes = []
    for apply in (lambda: x.ravel() @ layer, lambda: self_attention(x, *matrices)):
        try:
            apply()
        except ValueError:
            takes.append(False)
        else:
            takes.append(True)
    return takes


def truncated_is_the_shorter_table():
    """Whether a table for 20 positions, cut to 5, is the table for 5: for the five guesses."""
    guesses = [
        count,
        lambda t: normalized_count(t, len(t)),
        lambda t: binary(t, 8),
        lambda t: sine_only(t, 12),
        lambda t: sinusoidal(t, 12),
    ]
    return [np.allclose(g(range(20))[:5], g(range(5))) for g in guesses]


def gradient_grows_with_the_count():
    """Whether the count makes the largest gradient of the query matrix over 10 times as large.

    And whether it leaves most rows of attention without any slope.
    """
    found = []
    for scale in (0, 1):
        steep, flat = [], []
        for seed in range(15):
            rng = np.random.default_rng(seed)
            x = rng.normal(size=(64, 16)) + scale * count(range(64))
            w_query, w_key, w_value = rng.normal(scale=0.25, size=(3, 16, 16))
            a = attention_weights(x, w_query, w_key)
            back = rng.normal(size=(64, 16)) @ (x @ w_value).T
            back = a * (back - (a * back).sum(axis=1, keepdims=True))  # softmax, backwards
            steep.append(np.abs(x.T @ back @ (x @ w_key) / 4).max())
            flat.append(np.mean(a.max(axis=1) > 1 - 1e-6))
        found.append((np.median(steep), np.median(flat)))
    (steep_0, flat_0), (steep_1, flat_1) = found
    return [bool(steep_1 > 10 * steep_0), bool(flat_0 == 0), bool(flat_1 > 0.5)]


def average_after_rescaling():
    """Average entry of 2x - 1 for all codes of 9 bits, and for 512 positions in 512 bits."""
    codes = 2 * binary(range(512), 9) - 1
    wide = np.hstack([-np.ones((512, 503)), codes])  # width d_model = 512: 503 leading zeros
    return [codes.mean(), wide.mean()]


def turning_angles(path):
    """The angles, in degrees, by which a path of points turns at its inner points."""
    steps = np.diff(np.asarray(path, float), axis=0)
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    return np.degrees(np.arccos((steps[1:] * steps[:-1]).sum(axis=1)))


def path_length(path):
    """Sum of the steps of a path of points."""
    return np.linalg.norm(np.diff(np.asarray(path, float), axis=0), axis=1).sum()


def distances_from_halfway(table, t):
    """Distances of all rows from the point halfway between rows t and t + 1."""
    return np.linalg.norm(table - (table[t] + table[t + 1]) / 2, axis=1)


def levels_of_dials(n):
    """How many different sums n dials give that are worth 1, 2, 4 and so on."""
    return len({int(code @ 2 ** np.arange(n)) for code in binary(range(2**n), n).astype(int)})


def printed_wave(j, length=64):
    """Column j of the printed matrix sin(2 pi i / 2**j), rounded to 9 digits."""
    return np.round(np.sin(2 * np.pi * np.arange(length) / 2**j), 9) + 0


def same_point(a, b, dials=DIALS):
    """Whether positions a and b are the same point of the sine curve."""
    return np.allclose(*sine_only([a, b], len(dials), frequencies=dials), atol=1e-9)


def distinct_points(length):
    """Different points of the three-dial curve among positions 0 … length - 1."""
    return len(np.unique(sine_only(range(length), 3, frequencies=DIALS).round(9) + 0, axis=0))


def distinct_waves(n):
    """How many of the waves cos(2 pi k t / n), k = 0 … n - 1, differ at t = 0 … n - 1."""
    k = np.arange(n)
    return len(np.unique(np.cos(2 * np.pi * np.outer(k, k) / n).round(9) + 0, axis=0))


def first_return(n_dials):
    """First t > 0 at which the halving dials read as at 0 and t + 1 as at 1."""
    codes = sine_only(range(2 ** (n_dials + 2)), n_dials, frequencies=halving(n_dials)).round(9)
    back = [np.abs(codes[k : len(codes) - 1 + k] - codes[k]).max(axis=1) < 1e-8 for k in (0, 1)]
    return int(np.flatnonzero(back[0] & back[1])[1])


def halving(n_dials):
    """The frequencies pi/2, pi/4, pi/8, … of the text."""
    return np.pi / 2.0 ** np.arange(1, n_dials + 1)


def raised_frequencies(width):
    """How many of the slowed frequencies 10000**(-j/width) are above the halved ones."""
    return int((1e-4 ** (np.arange(width) / width) > halving(width)).sum())


def dials_that_turn(width, length=256):
    """How many sines pass 0.5 in size within the text: halved frequencies, slowed ones."""
    omegas = [halving(width), 1e-4 ** (np.arange(width) / width)]
    tables = [sine_only(range(length), width, frequencies=omega) for omega in omegas]
    return [int((np.abs(table).max(axis=0) > 0.5).sum()) for table in tables]


def slowed_curve(width=12):
    """Largest step of the slowed curve in a thousandth of a position, and its nearest return."""
    t = np.linspace(8, 9, 1001)
    curve = np.sin(np.outer(t, 1e-4 ** (np.arange(width) / width)))
    step = np.linalg.norm(np.diff(curve, axis=0), axis=1).max()
    return [bool(step < 0.002), bool(nearest_return(width, 20_001) > 1)]


def cycles_of_columns(columns):
    """Cycles in 64 positions of columns of the printed matrix, measured."""
    return [int(np.abs(np.fft.rfft(printed_wave(j))).argmax()) for j in columns]


def nearest_return(width, length):
    """Nearest return to position 0 of the slowed sines, in units of the first step."""
    away = np.linalg.norm(sine_only(range(1, length), width), axis=1)
    return away[1:].min() / away[0]


def order_of_columns_matters():
    """Whether reversed columns change any distance between positions."""
    table = sine_only(range(40), 6)
    gaps = [np.linalg.norm(t[:, None] - t, axis=-1) for t in (table, table[:, ::-1])]
    return not np.allclose(*gaps)


def cosine_first(positions, d_model):
    """The rows of Kernes, with the cosine first in each pair."""
    return sinusoidal(positions, d_model)[..., np.arange(d_model) ^ 1]  # 1, 0, 3, 2, …


def printed_matrix(offset, d_model):
    """T as printed: blocks [[cos, -sin], [sin, cos]] of omega_k times the offset."""
    matrix = np.zeros((d_model, d_model))
    for k, angle in enumerate(frequencies(d_model) * offset):
        c, s = np.cos(angle), np.sin(angle)
        matrix[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[c, -s], [s, c]]
    return matrix


def angles_between(a, b, d_model):
    """The angle of every dial from position a to position b, cosine first."""
    hands = cosine_first([a, b], d_model).reshape(2, -1, 2) @ [1, 1j]
    return np.angle(hands[1] / hands[0])


def moves_rows(rows, matrix, offset=4):
    """Whether rows @ matrix is every row moved by the offset."""
    return np.allclose(rows[:-offset] @ matrix, rows[offset:])


def shift_error(table, offset=5):
    """Relative error of the best matrix for a shift, fitted and tested on all rows but the last."""
    _, residuals = fit_translation(table, offset)
    return np.linalg.norm(residuals) / np.linalg.norm(table[offset:])


def looks_back(offset, d_model=64, length=60):
    """Whether T(-offset) as query matrix makes every row look that far back."""
    rows = sinusoidal(range(length), d_model)
    return (translate(rows, -offset) @ rows.T).argmax(axis=1)[offset:].tolist() == list(
        range(length - offset)
    )


def fitted_pair(phi=0.7):
    """Determinant and largest deviation from a rotation of the best matrix for one pair."""
    theta = np.linspace(0, 6, 50)
    here, there = (np.column_stack([np.cos(a), np.sin(a)]) for a in (theta, theta + phi))
    matrix = np.linalg.lstsq(here, there, rcond=None)[0].T
    return [np.linalg.det(matrix), np.abs(matrix @ matrix.T - np.eye(2)).max()]


def share_moved(amount, length=256, d_model=128):
    """Share of the entries that differ from those of position 0 by more than the amount."""
    table = sinusoidal(range(length), d_model)
    return np.mean(np.abs(table - table[0]) > amount)


def growth_of_first_moves():
    """Factor from pair to pair of the position at which a sine has travelled 0.5, d = 128."""
    travelled = np.abs(np.diff(TABLE[:, ::2], axis=0)).cumsum(axis=0)  # (255, 64)
    first = (travelled > 0.5).argmax(axis=0)  # 0: at once, or never within the table
    slow = np.flatnonzero(first > 8)  # fine enough to measure with whole positions
    return np.exp(np.polyfit(slow, np.log(first[slow]), 1)[0])


def dark_and_moved(amount=0.5):
    """Share of the dark places, below -0.5, that have moved by over 0.5; of the moved, the dark."""
    dark, turned = -amount > TABLE, np.abs(TABLE - TABLE[0]) > amount
    return [turned[dark].mean(), dark[turned].mean()]


def shares_at_rest():
    """Share of the entries that are zero; that are within 0.01 of row 0, and within 0.1."""
    return [np.mean(TABLE == 0), 1 - share_moved(0.01), 1 - share_moved(0.1)]


def variation_of_pairs():
    """Change per step of a pair, from depth to depth: root mean square, d = 128."""
    steps = np.diff(TABLE, axis=0)
    return np.sqrt((steps**2).reshape(255, 64, 2).sum(axis=2).mean(axis=0))


def sign_changes(columns):
    """Sign changes going down columns of the table, from position 1."""
    return [int((np.diff(np.sign(TABLE[1:, c])) != 0).sum()) for c in columns]


def rebuilt_from_the_notes():
    """Outer product by broadcasting, then cosine and sine on slices, against the formula."""
    table = np.arange(50.0)[:, None] * np.repeat(frequencies(16), 2)
    table[:, 0::2] = np.cos(table[:, 0::2])
    table[:, 1::2] = np.sin(table[:, 1::2])
    return np.allclose(table, cosine_first(range(50), 16))


def rises_of_the_product():
    """Rises among the 128 steps from offset 0 to 128, the first, the largest, the highest hump.

    A hump is a run of rises, its height in units of the peak; 0 if nothing rises.
    """
    rises = np.maximum(np.diff(similarity(range(129), 128) / 64), 0)
    hump = highest = 0.0
    for rise in rises:
        hump = hump + rise if rise > 0 else 0.0
        highest = max(highest, hump)
    return [(rises > 0).sum(), (rises > 0).argmax(), rises.max(), highest]


def first_rise(d_model):
    """The offset from which the dot product rises for the first time."""
    return int((np.diff(similarity(range(200), d_model)) > 0).argmax())


def peak_with_a_matrix_between():
    """Offset of the row with the largest product: without a matrix between, and with T(-4)."""
    row = sinusoidal(128, 128)
    return [int((TABLE @ query).argmax()) - 128 for query in (row, translate(row, -4))]


def columns_and_directions(share=0.99):
    """Columns, and directions, that hold this share of the variance of the table."""
    by_column = np.sort(TABLE.var(axis=0))[::-1].cumsum() / TABLE.var(axis=0).sum()
    power = np.linalg.svd(TABLE - TABLE.mean(axis=0), compute_uv=False) ** 2
    return [int((part < share).sum()) + 1 for part in (by_column, power.cumsum() / power.sum())]
