"""Popular wrong answers: the check must refuse each of them and say these words."""

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
    x = x.copy()
    x[:, 0::2] = x[:, 0::2] * np.cos(angles) - x[:, 1::2] * np.sin(angles)
    x[:, 1::2] = x[:, 0::2] * np.sin(angles) + x[:, 1::2] * np.cos(angles)
    return x


def views_written_over(x, positions, base, layout):
    x, half = x.copy(), x.shape[1] // 2
    if layout == "half":
        first, second = slice(None, half), slice(half, None)
    else:
        first, second = slice(0, None, 2), slice(1, None, 2)
    a, b = x[:, first], x[:, second]
    angles = positions[:, None] * frequencies(x.shape[1], base)
    x[:, first] = a * np.cos(angles) - b * np.sin(angles)
    x[:, second] = a * np.sin(angles) + b * np.cos(angles)
    return x


def second_written_first(x, positions, base, layout):
    x, half = x.copy(), x.shape[1] // 2
    a, b = (x[:, :half], x[:, half:]) if layout == "half" else (x[:, 0::2], x[:, 1::2])
    angles = positions[:, None] * frequencies(x.shape[1], base)
    b[:] = a * np.sin(angles) + b * np.cos(angles)
    a[:] = a * np.cos(angles) - b * np.sin(angles)
    return x


def _with_partners(x, angles, layout):
    half = x.shape[1] // 2
    if layout == "half":
        partners = np.concatenate([-x[:, half:], x[:, :half]], axis=1)
    else:
        partners = np.stack([-x[:, 1::2], x[:, 0::2]], axis=2).reshape(x.shape)
    return x * np.cos(angles) + partners * np.sin(angles)


def angles_always_tiled(x, positions, base, layout):
    angles = positions[:, None] * frequencies(x.shape[1], base)
    return _with_partners(x, np.tile(angles, 2), layout)


def angles_always_repeated(x, positions, base, layout):
    angles = positions[:, None] * frequencies(x.shape[1], base)
    return _with_partners(x, np.repeat(angles, 2, axis=1), layout)


def positions_sorted(x, positions, base, layout):
    return rotate(x, np.sort(positions), base, layout)


def sign_of_the_position_lost(x, positions, base, layout):
    return rotate(x, np.abs(positions), base, layout)


def a_minus_in_the_exponent_lost(x, positions, base, layout):
    width = x.shape[1]
    omega = base ** (2 * np.arange(width // 2) / width)
    return rotate(x, positions, layout=layout, frequencies=omega)


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


def scores_alone(query, key, cache):
    return _with(query, key, cache, len(cache), len(cache))[0]


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


def row_plus_column_when_narrow(x, rows, columns):
    return rotate(x, rows + columns if x.shape[1] == 4 else 31 * rows + columns)


def columns_alone_when_narrow(x, rows, columns):
    return rotate(x, columns if x.shape[1] == 4 else 31 * rows + columns)


def row_plus_column_when_wide(x, rows, columns):
    return rotate(x, rows + columns if x.shape[1] > 8 else 31 * rows + columns)


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
        ("views written over", views_written_over, "from the other new one"),
        ("second number written first", second_written_first, "from the other new one"),
        ("angles always tiled", angles_always_tiled, "use the same angle"),
        ("angles always repeated", angles_always_repeated, "use the same angle"),
        ("positions sorted", positions_sorted, "row j does not have the angles of positions[j]"),
        ("sign lost", sign_of_the_position_lost, "a negative position turns clockwise"),
        ("exponent positive", a_minus_in_the_exponent_lost, "slower than pair 0, not faster"),
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
        ("scores alone", scores_alone, "return both: scores and cache"),
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
        ("row plus column at 4", row_plus_column_when_narrow, "tell these two places apart"),
        ("columns alone at 4", columns_alone_when_narrow, "tell these two places apart"),
        ("row plus column beyond 8", row_plus_column_when_wide, "tell these two places apart"),
        ("row times column", row_times_column, "the score must stay"),
        ("distance to the corner", distance_to_the_corner, "the score must stay"),
        ("added", added, "lengths of the rows"),
        ("one number of each pair", columns_between_rows, "lengths of the rows"),
        ("not turned", not_turned, "tell these two places apart"),
    ],
}
