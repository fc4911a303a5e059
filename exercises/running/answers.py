"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.running.checks import joined_cache, kept_indices, own_ids, rotate_kept, shift_of
from pecode import rotate


def pack(lengths):
    """Position IDs, (n,), and who sees whom, (n, n), of texts packed into one row."""
    ids = np.concatenate([np.arange(length) for length in lengths])
    text = np.repeat(np.arange(len(lengths)), lengths)  # which text each token belongs to
    t = np.arange(len(ids))
    seen = (text[:, None] == text) & (t[:, None] >= t)
    return ids, seen


def join(first, first_ids, second, second_ids):
    """Keys of both texts, the second right after the first, and their IDs."""
    shift = first_ids[-1] + 1 - second_ids[0]
    keys = np.concatenate([first, rotate(second, shift)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def tokens_to_reuse(old, new, size):
    """How many leading tokens of `new` have their keys in the cache of `old`.

    Both are lists of token IDs; a cache keeps whole blocks of `size` tokens.
    """
    reused = 0
    while reused + size <= min(len(old), len(new)):
        block = slice(reused, reused + size)
        if old[block] != new[block]:
            break
        reused += size
    return reused


def keep_sinks(keys, ids, n_sinks, window):
    """The first and the last keys, turned to new IDs from 0 on, and these IDs."""
    n = len(keys)
    last = max(n_sinks, n - window)  # the first of the last keys; none is taken twice
    kept = np.concatenate([np.arange(min(n_sinks, n)), np.arange(last, n)])
    new = np.arange(len(kept))
    return rotate(keys[kept], new - ids[kept]), new


# Wrong answers


def ids_alone(lengths):
    return own_ids(lengths)


def by_equal_ids(lengths):  # as many rows as texts, each of the longest length
    return own_ids(lengths), np.tri(max(lengths))


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


def token_by_token(old, new, size):
    same = [one == other for one, other in zip(old, new, strict=False)]
    return same.index(False) if False in same else len(same)


def rounded_up(old, new, size):
    return min(-(-token_by_token(old, new, size) // size) * size, len(old))


def all_or_nothing(old, new, size):
    return len(new) // size * size if old[: len(new)] == new else 0


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "pack": {
        ids_alone: "2 things: IDs, seen",
        by_equal_ids: "you return as seen",
    },
    "join": {
        all_turned: "the first text stay as they are",
        started_again: "right behind the last ID of the first",
    },
    "tokens_to_reuse": {
        token_by_token: "its whole block is lost",
        rounded_up: "its whole block is lost",
        all_or_nothing: "its whole block is lost",
    },
    "keep_sinks": {
        some_twice: "you return as keys",
        ids_are_rows: "from its old ID to its new one",
    },
}
