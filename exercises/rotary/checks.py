"""Pairs of columns that turn, in two layouts, with a cache, and on a plane."""

import math

import numpy as np

from exercises.registry import ChapterExercises
from pecode import frequencies, rotate, scaling

chapter = ChapterExercises("rotary")

_WIDTH, _TEXT = 128, 131_072
_SLOWEST = (_WIDTH - 2) / _WIDTH  # the exponent of the slowest pair


def _turns_of(omega):  # each pair, in the whole text
    return _TEXT * omega / (2 * math.pi)


def _turns(base):
    return _turns_of(frequencies(_WIDTH, base))


_AS_TRAINED = _turns(500_000)
_SLOWED = _turns_of(scaling.llama3(_WIDTH, 8, 8192, 500_000))  # Llama 3.1
_ROUNDED = "The right way, rounded too early or too far. Give three digits."

chapter.number(
    "a_base_for_a_long_text",
    "A base for a long text",
    {
        (_TEXT / (2 * math.pi)) ** (1 / _SLOWEST): (
            "The slowest pair needs 2π · base^(126/128) positions for a turn. Set equal to the "
            "length, that gives the base. Llama 3.1 has the base 500,000: with that the slowest "
            f"pair makes {_AS_TRAINED[-1]:.2f} turns in this text, and {(_AS_TRAINED < 1).sum()} "
            f"of the {_WIDTH // 2} pairs make less than one. Its rule then slows the slow pairs "
            f"further: {_SLOWED[-1]:.4f} turns, and {(_SLOWED < 1).sum()} pairs below one."
        ),
        24_000: (_ROUNDED),
        25_000: (_ROUNDED),
        _TEXT / (2 * math.pi): (
            f"Close. With this base the slowest pair makes {_turns(_TEXT / (2 * math.pi))[-1]:.2f} "
            "turns. Its frequency is not 1/base: the exponent of pair 63 is 126/128, not 1."
        ),
        _TEXT: (
            f"With this base the slowest pair makes {_turns(_TEXT)[-1]:.2f} turns. A full turn "
            "is 2π radians, and a frequency is counted in radians per position."
        ),
        _TEXT ** (1 / _SLOWEST): (
            "The exponent is right. This is the base at which the angle of the slowest pair "
            "becomes 1, one radian. A full turn is 2π of them."
        ),
        (_TEXT / (2 * math.pi)) ** _SLOWEST: (
            "Upside down at the end: base^(126/128) is the length divided by 2π, so the base is "
            "that number to the power of 128/126."
        ),
        10_000: (
            f"That is the usual one. With it the slowest pair makes {_turns(10_000)[-1]:.2f} turns "
            "in this text, more than the one that we want."
        ),
    },
    kind="hand",
    level=1,
    teaches="frequency, wavelength, base",
    tolerance=150,
    otherwise="What is the angle of pair 63 at position 131,072, written with the base? A full "
    "turn is 2π. Solve for the base.",
)

_LAYOUTS = ("interleaved", "half")


@chapter.function(
    "Turn the pairs yourself", kind="program", level=2, teaches="the rotation, both layouts"
)
def turn_pairs(attempt):
    arrows = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    cos, sin = math.cos(1), math.sin(1)
    for layout in _LAYOUTS:  # one pair: both are the same
        got = attempt.array(arrows, np.array([0, 1, 1]), 10000.0, layout, shape=(3, 2))
        attempt.close(
            got,
            [[1, 0], [cos, sin], [-sin, cos]],
            "the arrow (1, 0) stays at position 0, and at position 1 both arrows have turned by "
            "one radian",
        )
    rng = np.random.default_rng(0)
    places = [[5, 0, 1, 20, 7], [9, 30, -3], [0, 1, 2, 8]]
    for width, base, t in zip((4, 6, 10), (10000.0, 100.0, 500.0), places, strict=True):
        x, t = rng.normal(size=(len(t), width)), np.array(t)
        for layout in _LAYOUTS:
            got = attempt.array(x, t, base, layout, shape=x.shape, why="every row is turned")
            for row in np.flatnonzero(t == 0):
                attempt.close(
                    got[row],
                    x[row],
                    f"row {row} is at position 0, where angles are 0. All columns stay in place",
                )
            attempt.keeps_lengths(got, x)
            attempt.close(
                got,
                rotate(x, t, base, layout),
                f"pair i of the layout {layout!r} turns by the angle of its own frequency, times "
                "the position of its row",
            )


@turn_pairs.mistake("these are the pairs of the other layout: which two columns are pair 0?")
def layouts_swapped(x, positions, base, layout):
    return rotate(x, positions, base, "half" if layout == "interleaved" else "interleaved")


@turn_pairs.mistake(
    "the arrows turned clockwise: a small turn of (1, 0) leads up, to a positive second number"
)
def clockwise(x, positions, base, layout):
    return rotate(x, -positions, base, layout)


@turn_pairs.mistake("the arrow (0, 1) must turn to the left")
def both_numbers_gain(x, positions, base, layout):
    a, b = x[:, 0::2], x[:, 1::2]
    angles = positions[:, None] * frequencies(x.shape[1], base)
    pairs = [a * np.cos(angles) + b * np.sin(angles), a * np.sin(angles) + b * np.cos(angles)]
    return np.stack(pairs, axis=2).reshape(x.shape)


@turn_pairs.mistake(
    "one of the two new numbers of a pair was made from the other new one: both must be made "
    "from the old ones. (A slice of an array is a view of it: writing into the array changes "
    "the slice, too.)"
)
def views_written_over(x, positions, base, layout):
    x = x.copy()
    pairs = x.reshape(len(x), -1, 2) if layout == "interleaved" else x.reshape(len(x), 2, -1)
    a, b = np.moveaxis(pairs, 2, 0) if layout == "interleaved" else np.moveaxis(pairs, 1, 0)
    angles = positions[:, None] * frequencies(x.shape[1], base)
    a[...] = a * np.cos(angles) - b * np.sin(angles)
    b[...] = a * np.sin(angles) + b * np.cos(angles)
    return x


@turn_pairs.mistake(
    "do both new numbers of a pair use the same angle? Angles in the order of one layout do "
    "not fit the columns of the other"
)
def angles_always_tiled(x, positions, base, layout):
    angles = np.tile(positions[:, None] * frequencies(x.shape[1], base), 2)
    quarter = rotate(
        x, np.ones(len(x)), layout=layout, frequencies=np.full(x.shape[1] // 2, np.pi / 2)
    )
    return x * np.cos(angles) + quarter * np.sin(angles)


@turn_pairs.mistake("row j does not have the angles of positions[j]: they come in any order")
def positions_sorted(x, positions, base, layout):
    return rotate(x, np.sort(positions), base, layout)


@turn_pairs.mistake("pair 1 is slower than pair 0, not faster")
def a_minus_in_the_exponent_lost(x, positions, base, layout):
    return rotate(x, positions, layout=layout, frequencies=1 / frequencies(x.shape[1], base))


@turn_pairs.mistake("the positions were counted anew from 0")
def rows_counted(x, positions, base, layout):
    return rotate(x, np.arange(len(x)), base, layout)


@turn_pairs.mistake(
    "the slow pairs turn too fast: the exponent of pair i is minus 2i, divided by the width"
)
def factor_2_lost(x, positions, base, layout):
    return rotate(x, positions, np.sqrt(base), layout)


@turn_pairs.mistake("the base is an argument, and this one is not 10000")
def base_ignored(x, positions, base, layout):
    return rotate(x, positions, layout=layout)


@turn_pairs.mistake("all pairs turn equally fast: each has a frequency of its own")
def all_equally_fast(x, positions, base, layout):
    return rotate(x, positions, layout=layout, frequencies=np.ones(x.shape[1] // 2))


chapter.choice(
    "values_turned_too",
    "Turn the values, too?",
    {
        "All outputs are as before: only offsets count in rotary attention.": (
            "That holds for the scores, where the turn of the query meets that of the key. A "
            "turned value meets no second turn that could take the position back out."
        ),
        "Other weights, since each turned value brings an angle of its own.": (
            "Values have no part in the weights: these come from queries and keys, and depend on "
            "offsets alone. What changes is what the weights add up."
        ),
        "The same weights; the outputs shrink, as turned values partly cancel.": (
            "Values at different angles may cancel, but they do so before the move as well. The "
            "move adds the same turn to all of them, and the length of their sum stays."
        ),
        "The same weights; R(100) comes out of the sum and turns every output.": (
            "R(s + 100) = R(100) R(s), so every term has the factor R(100), and the output is the "
            "old one turned by it. So an output carries "
            "its absolute position, and later layers must cope. Turning the output of t back "
            "by R(-t) repairs it: then the sum holds R(s - t) v, offsets again."
        ),
    },
    right="d",
    kind="prove",
    level=2,
    teaches="where a position cancels",
)


@chapter.function(
    "Repair the cache", kind="debug", level=2, teaches="absolute positions in a cache"
)
def scores_with_cache(attempt):
    rng = np.random.default_rng(1)
    for width in (2, 8):
        queries, keys = rng.normal(size=(2, 5, width))
        all_queries, all_keys = (rotate(x, np.arange(5)) for x in (queries, keys))
        cache = np.zeros((0, width))
        for t in range(5):
            _one_token(attempt, queries[t], keys[t], cache, all_queries[t], all_keys[: t + 1])
            cache = all_keys[: t + 1]
    query, key = rng.normal(size=(2, 4))
    late = rotate(np.tile(key, (41, 1)), np.arange(41))  # the same word 41 times
    _one_token(attempt, query, key, late[:40], rotate(query, 40), late)


def _one_token(attempt, query, key, cache, turned_query, turned_keys):
    n, width = cache.shape
    scores, kept = attempt.parts(query, key, cache, scores=(n + 1,), cache=(n + 1, width))
    token = f"{n} tokens came before" if n != 1 else "one token came before"
    attempt.close(
        kept[:n], cache, f"{token}; the keys that the cache held must come back as they were"
    )
    attempt.close(
        kept[n],
        turned_keys[n],
        f"{token}; the new key in the cache is not as a pass over the whole text would turn it",
    )
    attempt.close(
        scores,
        turned_keys @ turned_query,
        f"{token}; the new cache is right, but the scores are not those of a pass over the whole "
        "text",
    )


@chapter.function("Patches on a plane", kind="extend", level=3, teaches="a proof with two offsets")
def turn_patches(attempt):
    rng = np.random.default_rng(2)
    places = np.array([(0, 0), (2, 7), (5, 1), (3, 3)])  # of a key, row and column
    for width in (4, 8, 12, 16):
        x = rng.normal(size=(4, width))
        got = attempt.array(x, *places.T, shape=x.shape, why="every row is turned")
        attempt.keeps_lengths(got, x)
        alone = attempt.array(x[2:3], *places[2:3].T, shape=(1, width), why="one patch alone")
        attempt.close(alone[0], got[2], "a patch is turned by its own place: others do not matter")
        query, key = rng.normal(size=(2, width))
        for row, column in [(9, 0), (0, 8), (4, 6)]:
            scores = []
            for r, c in [(0, 0), (row, column)]:  # the picture, and the picture moved
                both = attempt.array(
                    np.array([query, key]), np.array([6, 3]) + r, np.array([2, 5]) + c,
                    shape=(2, width),
                )  # fmt: skip
                scores.append(both[0] @ both[1])
            attempt.close(
                scores[1],
                scores[0],
                f"these are two scores of one query and one key. For the second, both were moved "
                f"by {row} rows and {column} columns: the score must stay",
            )
        _all_offsets_differ(attempt, width)


def _all_offsets_differ(attempt, width, side=16):
    """No two offsets on a square of patches turn a key in the same way, as seen from a query."""
    r, c = (place.ravel() for place in np.indices((side, side)))
    got = attempt.array(
        np.tile(np.eye(width), (len(r), 1)), np.repeat(r, width), np.repeat(c, width),
        shape=(width * side**2, width),
    ).reshape(side, side, width, width)  # fmt: skip
    steps = range(1 - side, side)
    offsets = [(dr, dc) for dr in steps for dc in steps]
    between = []
    for dr, dc in offsets:
        query = got[max(0, -dr), max(0, -dc)]
        key = got[max(0, dr), max(0, dc)]
        between.append((query @ key.T).ravel())  # what the score is made of
    between = np.array(between)
    squares = (between**2).sum(axis=1)
    distances = squares[:, None] + squares - 2 * between @ between.T + 9 * np.eye(len(offsets))
    alike = np.argwhere(np.triu(distances <= 1e-4))
    farther = np.abs(offsets)[alike].sum(axis=(1, 2))  # of two places that look the same
    one, other = alike[farther.argmin()] if len(alike) else (0, 0)
    attempt.true(
        not len(alike),
        "other scores for other offsets, up to 15 rows and 15 columns each way",
        f"nearly the same for the offsets {offsets[one]} and {offsets[other]} (rows, columns)",
        "a query must be able to tell these two places apart",
    )
