"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np

from pecode import rotate


def _ids(lengths):
    return np.concatenate([np.arange(length) for length in lengths])


def _same(lengths):
    text = np.repeat(np.arange(len(lengths)), lengths)
    return text[:, None] == text


def _causal(lengths):
    return np.tril(np.ones((sum(lengths),) * 2, bool))


def run_on(lengths):
    return np.arange(sum(lengths)), _causal(lengths) & _same(lengths)


def no_mask(lengths):
    return _ids(lengths), _causal(lengths)


def not_causal(lengths):
    return _ids(lengths), _same(lengths)


def keys_by_queries(lengths):
    return _ids(lengths), (_causal(lengths) & _same(lengths)).T


def hidden_for_true(lengths):
    return _ids(lengths), ~(_causal(lengths) & _same(lengths))


def not_itself(lengths):
    return _ids(lengths), np.tril(_same(lengths), -1)


def from_one(lengths):
    return _ids(lengths) + 1, _causal(lengths) & _same(lengths)


def ids_alone(lengths):
    return _ids(lengths)


def by_equal_ids(lengths):  # as many rows as texts, each of the longest length
    return _ids(lengths), np.tril(np.ones((max(lengths),) * 2, bool))


def not_turned(first, first_ids, second, second_ids):
    shift = first_ids[-1] + 1 - second_ids[0]
    return np.concatenate([first, second]), np.concatenate([first_ids, second_ids + shift])


def by_number_of_keys(first, first_ids, second, second_ids):
    keys = np.concatenate([first, rotate(second, len(first))])
    return keys, np.concatenate([first_ids, second_ids + len(first)])


def by_number_of_keys_from_its_start(first, first_ids, second, second_ids):
    shift = len(first) - second_ids[0]
    keys = np.concatenate([first, rotate(second, shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def from_zero_always(first, first_ids, second, second_ids):
    shift = first_ids[-1] + 1
    keys = np.concatenate([first, rotate(second, shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def turned_to_new_ids(first, first_ids, second, second_ids):
    new = second_ids + first_ids[-1] + 1 - second_ids[0]
    return np.concatenate([first, rotate(second, new)]), np.concatenate([first_ids, new])


def turned_back(first, first_ids, second, second_ids):
    shift = first_ids[-1] + 1 - second_ids[0]
    keys = np.concatenate([first, rotate(second, -shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def one_too_early(first, first_ids, second, second_ids):
    shift = first_ids[-1] - second_ids[0]
    keys = np.concatenate([first, rotate(second, shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def all_turned(first, first_ids, second, second_ids):
    shift = first_ids[-1] + 1 - second_ids[0]
    keys = rotate(np.concatenate([first, second]), shift)
    return keys, np.concatenate([first_ids, second_ids + shift])


def numbered_anew(first, first_ids, second, second_ids):
    keys = np.concatenate([first, second])
    return keys, np.arange(len(keys))


def _kept(n, n_sinks, window):
    return np.array([i for i in range(n) if i < n_sinks or i >= n - window])


def sinks_not_turned(keys, ids, n_sinks, window):
    kept = _kept(len(keys), n_sinks, window)
    return keys[kept], np.arange(len(kept))


def old_ids(keys, ids, n_sinks, window):
    kept = _kept(len(keys), n_sinks, window)
    return keys[kept], ids[kept]


def window_alone(keys, ids, n_sinks, window):
    n_kept = len(_kept(len(keys), n_sinks, window))
    kept, new = np.arange(len(keys) - n_kept, len(keys)), np.arange(n_kept)
    return rotate(keys[kept], new - ids[kept]), new


def some_twice(keys, ids, n_sinks, window):
    n = len(keys)
    kept = np.concatenate([np.arange(min(n_sinks, n)), np.arange(max(0, n - window), n)])
    new = np.arange(len(kept))
    return rotate(keys[kept], new - ids[kept]), new


def turned_twice(keys, ids, n_sinks, window):
    kept = _kept(len(keys), n_sinks, window)
    new = np.arange(len(kept))
    return rotate(keys[kept], new), new


def the_wrong_way(keys, ids, n_sinks, window):
    kept = _kept(len(keys), n_sinks, window)
    new = np.arange(len(kept))
    return rotate(keys[kept], ids[kept] - new), new


def all_by_the_gap(keys, ids, n_sinks, window):
    kept = _kept(len(keys), n_sinks, window)
    gap = len(keys) - len(kept)
    return rotate(keys[kept], -gap), np.arange(len(kept))


def ids_are_rows(keys, ids, n_sinks, window):  # right while nothing was evicted before
    kept = _kept(len(keys), n_sinks, window)
    new = np.arange(len(kept))
    return rotate(keys[kept], new - kept), new


def minus_zero(keys, ids, n_sinks, window):
    kept = np.arange(len(keys))[-window:]  # the sinks only where they are not in the window
    kept = np.concatenate([np.arange(n_sinks)[: len(keys) - len(kept)], kept])
    new = np.arange(len(kept))
    return rotate(keys[kept], ids[kept] * 0.0 + new), new


WRONG = {
    "pack": [
        ("run on", run_on, "run on through the row"),
        ("no mask", no_mask, "the texts see one another"),
        ("not causal", not_causal, "what comes after them"),
        ("keys by queries", keys_by_queries, "the other way"),
        ("hidden for true", hidden_for_true, "True must mean"),
        ("not itself", not_itself, "does not see itself"),
        ("from one", from_one, "count from 1"),
        ("IDs alone", ids_alone, "return them in a row"),
        ("a mask of the longest", by_equal_ids, "a row for each query"),
    ],
    "join": [
        ("not turned", not_turned, "still turned to their old IDs"),
        ("by the number of keys", by_number_of_keys, "is not the last ID plus one"),
        (
            "the same from its start",
            by_number_of_keys_from_its_start,
            "is not the last ID plus one",
        ),
        ("from zero always", from_zero_always, "need not have started at 0"),
        ("turned to new IDs", turned_to_new_ids, "adds both"),
        ("turned back", turned_back, "the wrong way"),
        ("one too early", one_too_early, "two tokens have the last ID"),
        ("all turned", all_turned, "the first text stay as they are"),
        ("numbered anew", numbered_anew, "still turned to their old IDs"),
    ],
    "keep_sinks": [
        ("not turned", sinks_not_turned, "still turned to their old IDs"),
        ("old IDs", old_ids, "numbered anew"),
        ("the window alone", window_alone, "the first keys are gone"),
        ("some twice", some_twice, "none of them twice"),
        ("turned twice", turned_twice, "turn it by the difference"),
        ("the wrong way", the_wrong_way, "the wrong way"),
        ("all by the gap", all_by_the_gap, "the sinks do not move as far"),
        ("IDs taken for rows", ids_are_rows, "from its old ID to its new one"),
        ("added to the old", minus_zero, "turn it by the difference"),
    ],
}
