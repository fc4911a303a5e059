"""The solutions of the exercises, and wrong answers that the checks must refuse."""

import numpy as np

from exercises.running.checks import own_ids


def pack(lengths):
    """Position IDs, (n,), and who sees whom, (n, n), of texts packed into one row."""
    ids = np.concatenate([np.arange(length) for length in lengths])
    text = np.repeat(np.arange(len(lengths)), lengths)  # which text each token belongs to
    t = np.arange(len(ids))
    seen = (text[:, None] == text) & (t[:, None] >= t)
    return ids, seen


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


# Wrong answers


def ids_alone(lengths):
    return own_ids(lengths)


def by_equal_ids(lengths):  # as many rows as texts, each of the longest length
    return own_ids(lengths), np.tri(max(lengths))


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
    "tokens_to_reuse": {
        token_by_token: "its whole block is lost",
        rounded_up: "its whole block is lost",
        all_or_nothing: "its whole block is lost",
    },
}
