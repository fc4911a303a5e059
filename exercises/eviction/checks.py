"""Keys that move: joined caches, other frequencies, sinks that are kept."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import rotate

chapter = ChapterExercises("eviction")


@chapter.function("Join two caches", kind="debug", level=2, teaches="a turn for each changed ID")
def join(attempt):
    rng = np.random.default_rng(3)
    cases = [
        (np.arange(3), np.arange(2)),
        (np.arange(5), np.arange(4)),
        (np.array([0, 1, 2, 7, 8]), np.arange(3)),  # something was evicted
        (np.arange(4), np.arange(6, 9)),  # a text that did not start at 0
        (np.array([0, 5, 6]), np.array([2, 3, 9])),
    ]
    for first_ids, second_ids in cases:
        first, second = (rng.normal(size=(len(ids), 8)) for ids in (first_ids, second_ids))
        caches = rotate(first, first_ids), rotate(second, second_ids)
        n, k = len(first_ids), len(first_ids) + len(second_ids)
        args = caches[0], first_ids, caches[1], second_ids
        keys, ids = attempt.parts(*args, keys=(k, 8), IDs=(k,))
        shift = first_ids[-1] + 1 - second_ids[0]
        right = np.concatenate([first_ids, second_ids + shift])
        attempt.close(ids[:n], first_ids, "the first text stays where it is, gaps and all")
        attempt.close(
            ids[n:],
            right[n:],
            "the second text keeps its own distances and starts right behind the last ID of the "
            "first",
        )
        attempt.close(keys[:n], caches[0], "the keys of the first text stay as they are")
        attempt.close(
            keys[n:],
            rotate(second, right[n:]),
            "a key of the second text is not turned to its new ID (places count in the second"
            " text)",
        )


def joined_cache(first, first_ids, second, second_ids, turn, shift):
    """Return both caches, the second with its keys turned and its IDs shifted."""
    keys = np.concatenate([first, rotate(second, turn)])
    return keys, np.concatenate([first_ids, second_ids + shift])


def shift_of(first_ids, second_ids):
    """Return by how much the IDs of the second text change."""
    return first_ids[-1] + 1 - second_ids[0]


@join.mistake("the keys of the second text are still turned to their old IDs")
def not_turned(first, first_ids, second, second_ids):
    return joined_cache(first, first_ids, second, second_ids, 0, shift_of(first_ids, second_ids))


@join.mistake("keys were evicted: their number is not the last ID plus one")
def by_number_of_keys(first, first_ids, second, second_ids):
    return joined_cache(first, first_ids, second, second_ids, len(first), len(first))


@join.mistake("the second text need not have started at 0")
def from_zero_always(first, first_ids, second, second_ids):
    shift = first_ids[-1] + 1
    return joined_cache(first, first_ids, second, second_ids, shift, shift)


@join.mistake(
    "they have been turned to their old IDs already: turning them to the new ones adds both. "
    "By how much has the ID changed?"
)
def turned_to_new_ids(first, first_ids, second, second_ids):
    shift = shift_of(first_ids, second_ids)
    return joined_cache(first, first_ids, second, second_ids, second_ids + shift, shift)


@join.mistake("turned the wrong way: they move to later positions")
def turned_back(first, first_ids, second, second_ids):
    shift = shift_of(first_ids, second_ids)
    return joined_cache(first, first_ids, second, second_ids, -shift, shift)


chapter.choice(
    "frequencies_that_switch",
    "Frequencies that switch",
    {
        "One turn for all keys: `R(m)` with the right `m`.": (
            "`R(m)` turns every key by the same angle in a pair. A key at position s is off by "
            "(ω′ − ω)·s: the error grows with the position of the key."
        ),
        "Nothing, since only offsets count.": (
            "A key turned by ω·s and a query turned by ω′·t score by ω′·t − ω·s, which is no "
            "function of the offset t − s."
        ),
        "A turn for each key by (ω′ − ω) times its own position.": (
            "In pair i the key holds the angle ω·s and should hold ω′·s. The cache knows s if it "
            "keeps the IDs. Or store keys unturned, and turn them when they are used."
        ),
        "The values must be turned as well.": (
            "Values are not turned at all. And the keys are off by (ω′ − ω)·s."
        ),
    },
    right="c",
    kind="prove",
    level=2,
    teaches="what one turn can mend",
)


@chapter.function("Keep the sinks", kind="extend", level=3, teaches="eviction with new IDs")
def keep_sinks(attempt):
    rng = np.random.default_rng(4)
    cases = [  # how many keys, sinks, window
        (10, 2, 4), (12, 1, 3), (6, 2, 4), (5, 2, 4), (3, 4, 2), (4, 0, 3), (9, 3, 1),
    ]  # fmt: skip
    for n, n_sinks, window in cases:
        for ids in (np.arange(n), np.sort(rng.choice(40, n, replace=False))):
            x = rng.normal(size=(n, 8))
            kept = kept_indices(n, n_sinks, window)
            size, new = len(kept), np.arange(len(kept))
            keys, new_ids = attempt.parts(
                rotate(x, ids), ids, n_sinks, window, keys=(size, 8), IDs=(size,)
            )
            attempt.close(new_ids, new, "the new IDs count what is left, from 0 on")
            attempt.close(
                keys,
                rotate(x[kept], new),
                "each key must be turned from its old ID to its new one",
            )


def kept_indices(n, n_sinks, window):
    """Return which of n keys are kept: the first and the last ones, none of them twice."""
    return np.array([i for i in range(n) if i < n_sinks or i >= n - window])


def rotate_kept(keys, kept, turn):
    """Return the keys that are kept, turned, and their new IDs."""
    return rotate(keys[kept], turn), np.arange(len(kept))


@keep_sinks.mistake("the keys are still turned to their old IDs")
def sinks_not_turned(keys, ids, n_sinks, window):
    return rotate_kept(keys, kept_indices(len(keys), n_sinks, window), 0)


@keep_sinks.mistake("these are the old IDs: the kept keys are numbered anew")
def old_ids(keys, ids, n_sinks, window):
    kept = kept_indices(len(keys), n_sinks, window)
    return keys[kept], ids[kept]


@keep_sinks.mistake("the first keys are gone")
def window_alone(keys, ids, n_sinks, window):
    n, size = len(keys), len(kept_indices(len(keys), n_sinks, window))
    kept = np.arange(n - size, n)
    return rotate_kept(keys, kept, np.arange(size) - ids[kept])


@keep_sinks.mistake("a key was turned to its old ID already: turn it by the difference")
def turned_twice(keys, ids, n_sinks, window):
    kept = kept_indices(len(keys), n_sinks, window)
    return rotate_kept(keys, kept, np.arange(len(kept)))


@keep_sinks.mistake("turned the wrong way: the IDs become smaller")
def the_wrong_way(keys, ids, n_sinks, window):
    kept = kept_indices(len(keys), n_sinks, window)
    return rotate_kept(keys, kept, ids[kept] - np.arange(len(kept)))


@keep_sinks.mistake("all were turned by the same amount, but the sinks do not move as far")
def all_by_the_gap(keys, ids, n_sinks, window):
    kept = kept_indices(len(keys), n_sinks, window)
    return rotate_kept(keys, kept, len(kept) - len(keys))
