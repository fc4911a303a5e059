"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import causal_mask, relative_positions, softmax


def _offsets(queries):
    return relative_positions(len(queries))


def _products(queries, keys):
    return queries @ keys.T / np.sqrt(queries.shape[1])


def direction_for_distance(queries, keys, slope):
    return softmax(_products(queries, keys) + slope * _offsets(queries))


def everything_divided(queries, keys, slope):
    scores = queries @ keys.T - slope * np.abs(_offsets(queries))
    return softmax(scores / np.sqrt(queries.shape[1]))


def after_the_softmax(queries, keys, slope):
    return softmax(_products(queries, keys)) - slope * np.abs(_offsets(queries))


def far_is_better(queries, keys, slope):
    return softmax(_products(queries, keys) + slope * np.abs(_offsets(queries)))


def nothing_divided(queries, keys, slope):
    return softmax(queries @ keys.T - slope * np.abs(_offsets(queries)))


def masked(queries, keys, slope):
    scores = _products(queries, keys) + slope * _offsets(queries)
    return softmax(np.where(causal_mask(len(queries)), scores, -np.inf))


def queries_in_columns(queries, keys, slope):
    return softmax(_products(keys, queries) - slope * np.abs(_offsets(queries)))


def along_the_columns(queries, keys, slope):
    return softmax((_products(queries, keys) - slope * np.abs(_offsets(queries))).T).T


def multiplied(queries, keys, slope):
    weights = softmax(_products(queries, keys)) * np.exp(-slope * np.abs(_offsets(queries)))
    return weights / weights.sum(axis=0)


def flat_beyond_six(queries, keys, slope):
    distances = np.minimum(np.abs(_offsets(queries)), 6)
    return softmax(_products(queries, keys) - slope * distances)


def query_minus_key(table, t, n_keys):
    clip = len(table) // 2
    return table[np.clip(t - np.arange(n_keys), -clip, clip) + clip]


def not_clipped(table, t, n_keys):
    clip = len(table) // 2
    return np.take(table, np.arange(n_keys) - t + clip, mode="wrap")


def indices_come_round(table, t, n_keys):
    clip = len(table) // 2
    return table[np.minimum(np.arange(n_keys) - t, clip) + clip]


def distance_alone(table, t, n_keys):
    clip = len(table) // 2
    return table[clip - np.minimum(np.abs(np.arange(n_keys) - t), clip)]


def the_whole_square(table, t, n_keys):
    clip, longest = len(table) // 2, max(t + 1, n_keys)
    s = np.arange(longest)
    return table[np.clip(s - s[:, None], -clip, clip) + clip][t, :n_keys]


def keys_counted_from_one(table, t, n_keys):
    clip = len(table) // 2
    return table[np.clip(np.arange(1, n_keys + 1) - t, -clip, clip) + clip]


def index_is_the_offset(table, t, n_keys):
    clip = len(table) // 2
    return table[np.clip(np.arange(n_keys) - t, -clip, clip)]


def index_counts_from_one(table, t, n_keys):
    clip = len(table) // 2
    return np.take(table, np.clip(np.arange(n_keys) - t, -clip, clip) + clip + 1, mode="wrap")


def _hidden(table, t, n_keys, value):
    clip = len(table) // 2
    offsets = np.arange(n_keys) - t
    return np.where(offsets > 0, value, table[np.clip(offsets, -clip, clip) + clip])


def masked_row(table, t, n_keys):
    return _hidden(table, t, n_keys, -np.inf)


def later_keys_get_nothing(table, t, n_keys):
    return _hidden(table, t, n_keys, 0)


def clip_is_the_size(table, t, n_keys):
    clip = len(table) - 1
    return table[np.clip(np.arange(n_keys) - t + clip // 2, 0, clip - 1)]


def _peaks(wanted, clip, height, sign=-1):
    table = np.zeros((2 * clip + 1, len(wanted)))
    table[clip + sign * np.array(wanted), np.arange(len(wanted))] = height
    return table


def looks_ahead(wanted, clip):
    return _peaks(wanted, clip, 10, sign=1)


def too_low(wanted, clip):
    return _peaks(wanted, clip, 5)


def one_hot(wanted, clip):
    return _peaks(wanted, clip, 1)


def nothing_else_allowed(wanted, clip):
    return np.log(_peaks(wanted, clip, 1))


def token_by_offset(wanted, clip):
    return _peaks(wanted, clip, 10).T


def one_bias_for_all(wanted, clip):
    return np.tile(_peaks(wanted, clip, 10).max(axis=1, keepdims=True), (1, len(wanted)))


def one_too_far(wanted, clip):
    return _peaks(np.array(wanted) + 1, clip, 10)


def a_low_floor_within_the_clip(wanted, clip):
    table = _peaks(wanted, clip, 20) - 20
    table[0] = 0  # beyond
    return table


WRONG = {
    "alibi_weights": [
        ("a direction for a distance", direction_for_distance, "equally far"),
        ("the bias divided, too", everything_divided, "whatever the width"),
        ("added after the softmax", after_the_softmax, "add up to 1"),
        ("far keys preferred", far_is_better, "One step of distance"),
        ("not divided at all", nothing_divided, "plain attention"),
        ("a mask, too", masked, "equally far"),
        ("queries in columns", queries_in_columns, "rows belong to queries"),
        ("softmax along the columns", along_the_columns, "add up to 1"),
        ("a factor on the weights", multiplied, "add up to 1"),
        ("all far keys alike", flat_beyond_six, "however many steps"),
    ],
    "bias_row": [
        ("query minus key", query_minus_key, "negative for what came before"),
        ("wrapped", not_clipped, "counts negative indices from the end"),
        ("clipped on one side", indices_come_round, "counts negative indices from the end"),
        ("a distance alone", distance_alone, "second half of the table"),
        ("the whole square", the_whole_square, "MemoryError"),
        ("keys counted from one", keys_counted_from_one, "moved by one"),
        ("the index counted from one", index_counts_from_one, "moved by one"),
        ("an offset for an index", index_is_the_offset, "an offset is not an index"),
        ("minus infinity for later keys", masked_row, "no mask here"),
        ("0 for later keys", later_keys_get_nothing, "no mask here"),
        ("the last number missed", clip_is_the_size, "last offset on their side"),
    ],
    "relative_key_table": [
        ("looks ahead", looks_ahead, "key minus query"),
        ("a peak of 5", too_low, "how far must the peak"),
        ("a peak of 1", one_hot, "how far must the peak"),
        ("minus infinity", nothing_else_allowed, "a high peak is enough"),
        ("transposed", token_by_offset, "a vector for each offset"),
        ("one bias for all tokens", one_bias_for_all, "for each token"),
        ("one too far", one_too_far, "for each token"),
        ("the last vector forgotten", a_low_floor_within_the_clip, "beyond the clip"),
    ],
}
