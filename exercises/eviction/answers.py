"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.eviction.checks import joined_cache, kept_indices, rotate_kept, shift_of
from pecode import rotate


def join(first, first_ids, second, second_ids):
    """Keys of both texts, the second right after the first, and their IDs."""
    shift = first_ids[-1] + 1 - second_ids[0]
    keys = np.concatenate([first, rotate(second, shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def keep_sinks(keys, ids, n_sinks, window):
    """The first and the last keys, turned to new IDs from 0 on, and these IDs."""
    n = len(keys)
    last = max(n_sinks, n - window)  # the first of the last keys; none is taken twice
    kept = np.concatenate([np.arange(min(n_sinks, n)), np.arange(last, n)])
    new = np.arange(len(kept))
    return rotate(keys[kept], new - ids[kept]), new


# Wrong answers


def all_turned(first, first_ids, second, second_ids):
    shift = shift_of(first_ids, second_ids)
    return joined_cache(rotate(first, shift), first_ids, second, second_ids, shift, shift)


def started_again(first, first_ids, second, second_ids):
    return joined_cache(first, first_ids, second, second_ids, 0, 0)


def some_twice(keys, ids, n_sinks, window):
    n = len(keys)
    kept = np.concatenate([np.arange(min(n_sinks, n)), np.arange(max(0, n - window), n)])
    return rotate_kept(keys, kept, np.arange(len(kept)) - ids[kept])


def ids_are_rows(keys, ids, n_sinks, window):  # right while nothing was evicted before
    kept = kept_indices(len(keys), n_sinks, window)
    return rotate_kept(keys, kept, np.arange(len(kept)) - kept)


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "join": {
        all_turned: "the first text stay as they are",
        started_again: "right behind the last ID of the first",
    },
    "keep_sinks": {
        some_twice: "you return as keys",
        ids_are_rows: "from its old ID to its new one",
    },
}
