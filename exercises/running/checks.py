"""Positions in a model that runs: packed rows, joined caches, sinks that are kept."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import rotate

chapter = ChapterExercises("running")

_LAYERS, _WINDOW = 4, 8
chapter.number(
    "how_far_back",
    "How far back?",
    [
        (
            _LAYERS * (_WINDOW - 1),
            "A window of 8 keys holds the token itself and the 7 before it, so each layer hands "
            "news on by 7 tokens, and four layers by 28. What a layer sees and what a model can "
            "know are two lengths: a test of a window must look at one layer, or count like this.",
        ),
        (
            _LAYERS * _WINDOW,
            "Each layer would have to look 8 back. A window of 8 keys has the token's own key in "
            "it: how many does that leave for those before?",
        ),
        (
            _WINDOW - 1,
            "That is what one layer sees. But the token 7 back has, in the layer before, looked "
            "7 back itself.",
        ),
        (
            _WINDOW,
            "One layer sees 8 keys, its own among them. And the layers before have looked, too.",
        ),
        (
            _LAYERS * (_WINDOW - 1) + 1,
            "That is the number of tokens that have a say, the last one among them. How far back "
            "is the first of them?",
        ),
        (
            (_WINDOW - 1) ** _LAYERS,
            "Steps back add up: they do not multiply.",
        ),
        (
            _WINDOW**_LAYERS,
            "Steps back add up: they do not multiply.",
        ),
    ],
    kind="hand",
    level=1,
    teaches="what a window of w keys holds",
    tolerance=0.4,
    otherwise="Follow a token backward: in the last layer it looks back by some number of tokens, "
    "and what it finds there has looked back by as many in the layer before.",
)


@chapter.function("Pack a row", kind="program", level=2, teaches="IDs and masks of packed texts")
def pack(attempt):
    for lengths in ([3, 2], [1], [4, 1, 3], [2, 2], [5, 7, 1, 1]):
        n = sum(lengths)
        ids, seen = attempt.parts(lengths, names=["ids", "seen"])
        ids = attempt.as_array(ids, (n,), "an ID for every token of the row")
        seen = attempt.as_array(seen, (n, n), "a row for each query, a column for each key")
        starts = np.cumsum([0, *lengths[:-1]])
        text = np.repeat(np.arange(len(lengths)), lengths)
        t = np.arange(n)
        attempt.close(
            ids,
            t - np.repeat(starts, lengths),
            "each text must have the positions that it has alone, so its first token has 0",
            mistakes=[
                (t, "these IDs run on through the row: the second text does not start at 0"),
                (t - np.repeat(starts, lengths) + 1, "these IDs count from 1"),
                (text, "this is the number of the text, not the position in it"),
            ],
        )
        causal, same = t[:, None] >= t, text[:, None] == text
        attempt.close(
            seen,
            causal & same,
            "a token sees itself and what comes before it in its own text, nothing else",
            mistakes=[
                (causal, "the texts see one another: IDs that start again do not keep them apart"),
                (same, "tokens see what comes after them"),
                ((causal & same).T, "rows are queries, columns are keys: this is the other way"),
                (causal & same & ~np.eye(n, dtype=bool), "a token does not see itself"),
                (~(causal & same), "True must mean: may be seen"),
            ],
        )


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
        keys, ids = attempt.parts(
            caches[0], first_ids, caches[1], second_ids, names=["keys", "IDs"]
        )
        n, k = len(first_ids), len(first_ids) + len(second_ids)
        ids = attempt.as_array(ids, (k,), "an ID for every key")
        keys = attempt.as_array(keys, (k, 8), "all keys of both caches, the first ones first")
        shift = first_ids[-1] + 1 - second_ids[0]
        right = np.concatenate([first_ids, second_ids + shift])
        attempt.close(ids[:n], first_ids, "the first text stays where it is, gaps and all")
        attempt.close(
            ids[n:],
            right[n:],
            "the second text keeps its own distances and starts right behind the last ID of the "
            "first",
            mistakes=[
                (second_ids + first_ids[-1] + 1, "the second text need not have started at 0"),
                (second_ids + n, "keys were evicted: their number is not the last ID plus one"),
                (
                    second_ids + n - second_ids[0],
                    "keys were evicted: their number is not the last ID plus one",
                ),
                (np.arange(n, k), "the distances within the second text must stay"),
                (second_ids + shift - 1, "two tokens have the last ID of the first text"),
            ],
        )  # fmt: skip
        attempt.close(keys[:n], caches[0], "the keys of the first text stay as they are")
        attempt.close(
            keys[n:],
            rotate(second, right[n:]),
            "a key of the second text is not turned to its new ID (places count in the second"
            " text)",
            mistakes=[
                (caches[1], "the keys of the second text are still turned to their old IDs"),
                (rotate(caches[1], right[n:]), "they have been turned to their old IDs already: "
                 "turning them to the new ones adds both. By how much has the ID changed?"),
                (rotate(caches[1], -shift), "turned the wrong way: they move to later positions"),
            ],
        )  # fmt: skip


chapter.choice(
    "frequencies_that_switch",
    "Frequencies that switch",
    [
        (
            "One turn for all keys: `R(m)` with the right `m`.",
            "`R(m)` turns every key by the same angle in a pair. A key at position s is off by "
            "(ω′ − ω)·s: the error grows with the position of the key.",
        ),
        (
            "Nothing, since only offsets count.",
            "A key turned by ω·s and a query turned by ω′·t score by ω′·t − ω·s, which is no "
            "function of the offset t − s.",
        ),
        (
            "A turn for each key by (ω′ − ω) times its own position.",
            "In pair i the key holds the angle ω·s and should hold ω′·s. The cache knows s if it "
            "keeps the IDs. Or store keys unturned, and turn them when they are used.",
            True,
        ),
        (
            "The values must be turned as well.",
            "Values are not turned at all. And the keys are off by (ω′ − ω)·s.",
        ),
    ],
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
            kept = [i for i in range(n) if i < n_sinks or i >= n - window]
            keys, new = attempt.parts(rotate(x, ids), ids, n_sinks, window, names=["keys", "IDs"])
            new = attempt.as_array(
                new, (len(kept),), "the first keys and the last ones, none of them twice"
            )
            attempt.close(
                new,
                np.arange(len(kept)),
                "the new IDs count what is left, from 0 on",
                mistakes=[(ids[kept], "these are the old IDs: the kept keys are numbered anew")],
            )
            keys = attempt.as_array(keys, (len(kept), 8), "a key for each ID")
            last = [*range(n - len(kept), n)]
            attempt.close(
                keys,
                rotate(x[kept], np.arange(len(kept))),
                "each key must be turned from its old ID to its new one",
                mistakes=[
                    (rotate(x, ids)[kept], "the keys are still turned to their old IDs"),
                    (
                        rotate(x[kept], ids[kept] + np.arange(len(kept))),
                        "a key was turned to its old ID already: turn it by the difference",
                    ),
                    (
                        rotate(x[kept], 2 * ids[kept] - np.arange(len(kept))),
                        "turned the wrong way: the IDs become smaller",
                    ),
                    (
                        rotate(x[kept], ids[kept] - (n - len(kept))),
                        "all were turned by the same amount, but the sinks do not move as far",
                    ),
                    (rotate(x[last], np.arange(len(kept))), "the first keys are gone"),
                ],
            )
