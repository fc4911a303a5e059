"""Chapter 11."""

import numpy as np

from pecode import frequencies, rotate


def only_neighbors(x, positions, base, layout):
    return rotate(x, positions, base)


def layouts_swapped(x, positions, base, layout):
    return rotate(x, positions, base, "half" if layout == "interleaved" else "interleaved")


def clockwise(x, positions, base, layout):
    return rotate(x, -positions, base, layout)


def both_numbers_gain(x, positions, base, layout):
    a, b = x[:, 0::2], x[:, 1::2]
    angles = positions[:, None] * frequencies(x.shape[1], base)
    pairs = [a * np.cos(angles) + b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.stack(pairs, axis=2).reshape(x.shape)


def written_over(x, positions, base, layout):
    if layout == "half" or x.shape[1] == 2:
        return rotate(x, positions, base, layout)
    angles = positions[:, None] * frequencies(x.shape[1], base)
    x[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    x[:, 1::2] = x[:, 0::2] * np.sin(angles) + x[:, 1::2] * np.cos(angles)
    return x


def rows_counted(x, positions, base, layout):
    positions = np.arange(len(x)) if len(x) > 3 else positions
    return rotate(x, positions, base, layout)


def from_the_first(x, positions, base, layout):
    return rotate(x, positions - (positions[0] if len(x) == 5 else 0), base, layout)


def from_the_lowest(x, positions, base, layout):
    return rotate(x, positions - positions.min(), base, layout)


def factor_2_lost(x, positions, base, layout):
    omega = base ** (-np.arange(x.shape[1] // 2) / x.shape[1])
    return rotate(x, positions, layout=layout, frequencies=omega)


def base_ignored(x, positions, base, layout):
    return rotate(x, positions, layout=layout)


def all_equally_fast(x, positions, base, layout):
    return rotate(x, positions, layout=layout, frequencies=np.ones(x.shape[1] // 2))


def endpoint_spacing(x, positions, base, layout):
    n_pairs = x.shape[1] // 2
    omega = base ** -np.linspace(0, 1, n_pairs) if n_pairs > 1 else np.ones(1)
    return rotate(x, positions, layout=layout, frequencies=omega)


def halves_left_in_front(x, positions, base, layout):
    middle = x.shape[1] // 2
    half = rotate(x, positions, base, layout)
    if layout == "half":
        return half
    return np.concatenate([half[:, 0::2], half[:, 1::2]], axis=1) if middle > 1 else half


def _with(query, key, cache, at_query, at_key):
    keys = np.concatenate([cache, [rotate(key, at_key)]])
    return keys @ rotate(query, at_query), keys


def starts_again(query, key, cache):
    return _with(query, key, cache, 0, 0)


def query_starts_again(query, key, cache):
    return _with(query, key, cache, 0, len(cache))


def counted_late(query, key, cache):
    return _with(query, key, cache, len(cache) + 1, len(cache) + 1)


def query_one_on(query, key, cache):
    return _with(query, key, cache, len(cache) + 1, len(cache))


def turned_again(query, key, cache):
    keys = rotate(np.concatenate([cache, [key]]), np.arange(len(cache) + 1))
    return keys @ rotate(query, len(cache)), keys


def kept_as_it_came(query, key, cache):
    keys = np.concatenate([cache, [key]])
    turned = rotate(keys, np.arange(len(keys)))
    return turned @ rotate(query, len(cache)), keys


def not_entered(query, key, cache):
    return _with(query, key, cache, len(cache), len(cache))[0], cache


def put_in_front(query, key, cache):
    keys = np.concatenate([[rotate(key, len(cache))], cache])
    return keys @ rotate(query, len(cache)), keys


def width_not_length(query, key, cache):
    return _with(query, key, cache, cache.shape[1], cache.shape[1])


def row_plus_column(x, rows, columns):
    return rotate(x, rows + columns)


def one_after_the_other(x, rows, columns):
    return rotate(rotate(x, rows), columns)


def rows_alone(x, rows, columns):
    return rotate(x, rows)


def counted_through(x, rows, columns):
    return rotate(x, 16 * rows + columns)


def counted_to_the_widest(x, rows, columns):
    return rotate(x, (columns.max() + 1) * rows + columns)


def row_times_column(x, rows, columns):
    return rotate(x, rows * columns)


def distance_to_the_corner(x, rows, columns):
    middle = x.shape[1] // 2
    far = np.rint(np.hypot(rows, columns)).astype(int)
    return np.concatenate([rotate(x[:, :middle], rows), rotate(x[:, middle:], far)], axis=1)


def added(x, rows, columns):
    middle = x.shape[1] // 2
    moved = x.copy()
    moved[:, :middle] += np.sin(rows)[:, None]
    moved[:, middle:] += np.sin(columns)[:, None]
    return moved


def columns_between_rows(x, rows, columns):
    mixed = rotate(x, rows)
    mixed[:, 1::2] = rotate(x, columns)[:, 1::2]
    return mixed


def not_turned(x, rows, columns):
    return x


WRONG = {
    "turn_pairs": [
        ("neighbors in both layouts", only_neighbors, "which two columns are pair 0"),
        ("layouts swapped", layouts_swapped, "which two columns are pair 0"),
        ("clockwise", clockwise, "clockwise"),
        ("a minus lost", both_numbers_gain, "turn to the left"),
        ("first column written over", written_over, "come from the old ones"),
        ("rows counted", rows_counted, "counted anew"),
        ("counted from the first row", from_the_first, "counted anew"),
        ("counted from the lowest", from_the_lowest, "counted anew"),
        ("factor 2 lost", factor_2_lost, "the slow pairs turn too fast"),
        ("base ignored", base_ignored, "the base is an argument"),
        ("all equally fast", all_equally_fast, "a frequency of its own"),
        ("frequencies to 1/base", endpoint_spacing, "its own frequency"),
        ("columns not put back", halves_left_in_front, "columns stay in place"),
    ],
    "scores_with_cache": [
        ("starts again at 0", starts_again, "the new key in the cache"),
        ("the query starts again", query_starts_again, "the scores are not those"),
        ("counted late", counted_late, "the new key in the cache"),
        ("the query one on", query_one_on, "the scores are not those"),
        ("turned again", turned_again, "must come back as they were"),
        ("kept as it came", kept_as_it_came, "the new key in the cache"),
        ("not entered", not_entered, "the new key is one more row"),
        ("put in front", put_in_front, "must come back as they were"),
        ("width for length", width_not_length, "the new key in the cache"),
    ],
    "turn_patches": [
        ("row plus column", row_plus_column, "tell these two places apart"),
        ("one after the other", one_after_the_other, "tell these two places apart"),
        ("rows alone", rows_alone, "tell these two places apart"),
        ("counted through", counted_through, "tell these two places apart"),
        ("counted to the widest", counted_to_the_widest, "others do not matter"),
        ("row times column", row_times_column, "the score must stay"),
        ("distance to the corner", distance_to_the_corner, "the score must stay"),
        ("added", added, "lengths of the rows"),
        ("one number of each pair", columns_between_rows, "lengths of the rows"),
        ("not turned", not_turned, "tell these two places apart"),
    ],
}
