"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.relative.checks import alibi, index_of
from pecode import relative_positions, softmax


def alibi_weights(queries, keys, slope):
    """Attention weights of one ALiBi head that sees both sides.

    Shape (length, length): a row for each query.
    """
    length, d_head = queries.shape
    t = np.arange(length)
    distances = np.abs(t - t[:, None])  # (length, length)
    scores = queries @ keys.T / np.sqrt(d_head) - slope * distances
    return softmax(scores)


def bias_row(table, t, n_keys):
    """The biases of the query t for the keys 0 … n_keys - 1: shape (n_keys,)."""
    clip = len(table) // 2
    offsets = np.arange(n_keys) - t
    return np.asarray(table)[np.clip(offsets, -clip, clip) + clip]


def relative_key_table(wanted, clip):
    """A vector for each offset from -clip to clip: shape (2 * clip + 1, len(wanted))."""
    table = np.zeros((2 * clip + 1, len(wanted)))
    for token, distance in enumerate(wanted):
        table[clip - distance, token] = 10
    return table


# Wrong answers


def direction_for_distance(queries, keys, slope):
    return alibi(queries, keys, slope, -relative_positions(len(queries)))


def everything_divided(queries, keys, slope):
    return alibi(queries, keys, slope / np.sqrt(queries.shape[1]))


def after_the_softmax(queries, keys, slope):
    return alibi(queries, keys, 0) - slope * np.abs(relative_positions(len(queries)))


def nothing_divided(queries, keys, slope):
    return alibi(queries, keys * np.sqrt(keys.shape[1]), slope)


def flat_beyond_six(queries, keys, slope):
    return alibi(queries, keys, slope, np.minimum(np.abs(relative_positions(len(queries))), 6))


def masked_row(table, t, n_keys):
    offsets = np.arange(n_keys) - t
    return np.where(offsets > 0, -np.inf, table[index_of(table, offsets)])


def the_whole_square(table, t, n_keys):
    s = np.arange(max(t + 1, n_keys))
    return table[index_of(table, s - s[:, None])][t, :n_keys]


def clip_is_the_size(table, t, n_keys):
    return table[np.minimum(index_of(table, np.arange(n_keys) - t), len(table) - 2)]


def _peaks(wanted, clip, height, sign=-1):
    table = np.zeros((2 * clip + 1, len(wanted)))
    table[clip + sign * np.array(wanted), np.arange(len(wanted))] = height
    return table


def looks_ahead(wanted, clip):
    return _peaks(wanted, clip, 10, sign=1)


def too_low(wanted, clip):
    return _peaks(wanted, clip, 5)


def nothing_else_allowed(wanted, clip):
    return np.log(_peaks(wanted, clip, 1))


def token_by_offset(wanted, clip):
    return _peaks(wanted, clip, 10).T


def one_bias_for_all(wanted, clip):
    return np.tile(_peaks(wanted, clip, 10).max(axis=1, keepdims=True), (1, len(wanted)))


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "alibi_weights": {
        direction_for_distance: "equally far",
        everything_divided: "whatever the width",
        after_the_softmax: "add up to 1",
        nothing_divided: "plain attention",
        flat_beyond_six: "however many steps",
    },
    "bias_row": {
        the_whole_square: "MemoryError",
        masked_row: "No mask here",
        clip_is_the_size: "last offset on their side",
    },
    "relative_key_table": {
        looks_ahead: "key minus query",
        too_low: "how far must the peak",
        nothing_else_allowed: "a high peak is enough",
        token_by_offset: "a vector for each offset",
        one_bias_for_all: "for each token",
    },
}
