"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from pecode import frequencies, rotate


def turn_pairs(x, positions, base, layout):
    """Rows of x, (length, d_head), turned to their positions, (length,): shape of x."""
    n_pairs = x.shape[1] // 2
    omega = base ** (-np.arange(n_pairs) / n_pairs)  # (n_pairs,)
    angles = np.asarray(positions)[:, None] * omega  # (length, n_pairs)
    if layout == "half":
        first, second = slice(None, n_pairs), slice(n_pairs, None)
    else:
        first, second = slice(0, None, 2), slice(1, None, 2)
    a, b = x[:, first], x[:, second]
    answer = np.empty(x.shape)
    answer[:, first] = a * np.cos(angles) - b * np.sin(angles)
    answer[:, second] = a * np.sin(angles) + b * np.cos(angles)
    return answer


def scores_with_cache(query, key, cache):
    """Scores of a new token, (n + 1,), and the cache with its key, (n + 1, d_head)."""
    position = len(cache)  # so many tokens came before
    keys = np.concatenate([cache, [rotate(key, position)]])
    return keys @ rotate(query, position), keys


def turn_patches(x, rows, columns):
    """Rows of x, (n, d_head), turned to the places (rows[j], columns[j]): shape of x."""
    middle = x.shape[1] // 2
    by_row, by_column = rotate(x[:, :middle], rows), rotate(x[:, middle:], columns)
    return np.concatenate([by_row, by_column], axis=1)


# Wrong answers


def without_sines(x, positions, base, layout):
    return x * np.cos(np.tile(positions[:, None] * frequencies(x.shape[1], base), 2))


def to_the_limit(x, positions, base, layout):
    omega = base ** -np.linspace(0, 1, x.shape[1] // 2)
    return rotate(x, positions, layout=layout, frequencies=omega)


def halves_left_in_front(x, positions, base, layout):
    turned = rotate(x, positions, base, layout)
    if layout == "half":
        return turned
    return np.concatenate([turned[:, 0::2], turned[:, 1::2]], axis=1)


def _with(query, key, cache, at_query, at_key):
    keys = np.concatenate([cache, [rotate(key, at_key)]])
    return keys @ rotate(query, at_query), keys


def starts_again(query, key, cache):
    return _with(query, key, cache, 0, 0)


def query_starts_again(query, key, cache):
    return _with(query, key, cache, 0, len(cache))


def turned_again(query, key, cache):
    keys = rotate(np.concatenate([cache, [key]]), np.arange(len(cache) + 1))
    return keys @ rotate(query, len(cache)), keys


def not_entered(query, key, cache):
    return _with(query, key, cache, len(cache), len(cache))[0], cache


def scores_alone(query, key, cache):
    return _with(query, key, cache, len(cache), len(cache))[0]


def row_plus_column(x, rows, columns):
    return rotate(x, rows + columns)


def counted_to_the_widest(x, rows, columns):
    return rotate(x, (columns.max() + 1) * rows + columns)


def row_times_column(x, rows, columns):
    return rotate(x, rows * columns)


def added(x, rows, columns):
    return x + np.sin(rows + columns)[:, None]


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "turn_pairs": {
        without_sines: "both arrows have turned",
        to_the_limit: "its own frequency",
        halves_left_in_front: "columns stay in place",
    },
    "scores_with_cache": {
        starts_again: "the new key in the cache",
        query_starts_again: "the scores are not those",
        turned_again: "must come back as they were",
        scores_alone: "2 things: scores, cache",
        not_entered: "you return as cache",
    },
    "turn_patches": {
        row_plus_column: "tell these two places apart",
        counted_to_the_widest: "others do not matter",
        row_times_column: "the score must stay",
        added: "lengths of the rows",
    },
}
