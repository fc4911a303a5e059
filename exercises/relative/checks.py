"""Biases by offset, and vectors for each offset."""

import math

import numpy as np

from exercises.registry import ChapterExercises
from pecode import causal_mask, softmax
from pecode.relative import relative_key_scores, t5_buckets

chapter = ChapterExercises("relative")

_BUCKETS, _END, _FAR = 32, 128, 64
_NEAR = _BUCKETS // 2  # distances with a bucket each
_LAST = min(d for d in range(_END) if t5_buckets(-d, _BUCKETS, _END, False) == _BUCKETS - 1)
_SHARE = _NEAR * math.log(_FAR / _NEAR) / math.log(_END / _NEAR)
chapter.number(
    "a_bucket_for_64",
    "A bucket for distance 64",
    [
        (
            t5_buckets(-_FAR, _BUCKETS, _END, bidirectional=False),
            f"From 16 to 64 the distance doubles twice, from 16 to 128 three times. Two thirds of "
            f"16 are {_SHARE:.2f}; rounded down and added to 16, that is the bucket. Halfway to "
            "128, two thirds of the wide buckets are used up: the widest come last.",
        ),
        (
            _NEAR + _SHARE,
            "The brackets round down: a bucket is a whole number.",
        ),
        (
            _NEAR + math.ceil(_SHARE),
            f"You rounded {_SHARE:.2f} up. The brackets in the formula round down: a bucket begins "
            "where the share reaches a whole number.",
        ),
        (
            _NEAR + _NEAR * (_FAR - _NEAR) // (_END - _NEAR),
            "That is what 16 equal steps from 16 to 128 would give. The steps are equal *ratios*: "
            "what counts is how often the distance has doubled.",
        ),
        (
            t5_buckets(-_FAR, _BUCKETS, _END, bidirectional=True),
            "That is the bucket in a model that sees both sides, where each side has half of the "
            "buckets. This model is causal: all 32 look back.",
        ),
        (
            math.floor(_SHARE),
            "That counts the wide buckets only. Before them come the 16 buckets of one distance "
            "each.",
        ),
        (
            _BUCKETS - 1,
            f"That is the last bucket. It is for what is far: it begins at distance {_LAST}.",
        ),
    ],
    kind="hand",
    level=1,
    teaches="a logarithmic scale",
    tolerance=0.1,
    otherwise="How often does the distance double from 16 to 64, and how often from 16 to 128? "
    "Their ratio is the share of the 16 wide buckets that lie below.",
)


def _alibi(queries, keys, slope):
    t = np.arange(len(queries))
    scores = queries @ keys.T / np.sqrt(queries.shape[1])
    return softmax(scores - slope * np.abs(t - t[:, None]))


@chapter.function(
    "Repair a head that sees both sides", kind="debug", level=1, teaches="where a bias enters"
)
def alibi_weights(attempt):
    rng = np.random.default_rng(0)
    for length, width, slope in [(5, 4, 0.5), (7, 16, 0.25), (4, 9, 1.0), (30, 8, 0.125)]:
        alike = np.zeros((length, width))
        got = attempt.array(alike, alike, slope, shape=(length, length), why="row = query")
        attempt.close(got.sum(axis=1), np.ones(length), "the weights of a query add up to 1")
        before, own, after = got[1, :3]
        attempt.true(
            abs(after - before) <= 1e-5,
            "two equal weights in the row of query 1, at keys 0 and 2",
            f"key 0: {before:.3f}, key 2: {after:.3f}",
            "all words are alike here, and keys 0 and 2 are equally far from query 1: they must "
            "get the same weight. Which keys does this head prefer?",
        )
        with np.errstate(all="ignore"):
            ratio = before / own
        attempt.true(
            abs(ratio - np.exp(-slope)) <= 1e-4,
            f"the weight of query 1 on key 0 is {np.exp(-slope):.4f} times that on its own key",
            f"{ratio:.4f} times",
            "all words are alike here. One step of distance multiplies a weight by e to the power "
            "of minus the slope, whatever the width of the head",
        )
        queries, keys = rng.normal(size=(2, length, width))
        got = attempt.array(queries, keys, 0.0, shape=(length, length), why="row = query")
        attempt.close(
            got,
            _alibi(queries, keys, 0.0),
            "with the slope 0 this is plain attention: softmax of query times key, divided by "
            "the square root of the width",
            mistakes=[(_alibi(keys, queries, 0.0), "rows belong to queries, columns to keys")],
        )
        got = attempt.array(queries, keys, slope, shape=(length, length), why="row = query")
        attempt.close(
            got,
            _alibi(queries, keys, slope),
            "the distance costs the slope for each step, however many steps there are",
        )
        mirrored = attempt.array(queries[::-1], keys[::-1], slope, shape=(length, length))
        attempt.close(mirrored, got[::-1, ::-1], "the mirrored text has the mirrored weights")


chapter.choice(
    "a_bias_without_a_query",
    "A bias that never asks for the query",
    [
        (
            "At its neighbors on both sides, as with ALiBi.",
            "For keys before the query, m·s differs from ALiBi's -m(t - s) by m·t, the same for "
            "all of them. But for a later key the distance is s - t: ALiBi lowers its score by "
            "m(s - t), while m·s goes on rising.",
        ),
        (
            "At the last tokens of the text, wherever the query stands.",
            "Every query adds the same row, 0, m, 2m, and so on to the end of the text. A causal "
            "mask cuts the row off at the query, so its largest number is at the nearest key. "
            "Without the mask it is at the last one.",
            True,
        ),
        (
            "At the tokens right after it.",
            "They do weigh more than all before them. But each step farther is worth another m: "
            "which key has the largest number?",
        ),
        (
            "At the first tokens of the text.",
            "That is where a negative slope would send it. Here the numbers grow with the position "
            "of the key.",
        ),
    ],
    kind="predict",
    level=2,
    teaches="what the mask had hidden",
)


_AFTER = "no key comes before query 0: all numbers are of the second half of the table"


def _finite(attempt, *args, shape, why, reason):
    """The answer as an array; entries of minus infinity are refused with a reason of their own."""
    got = attempt(*args)
    try:
        with np.errstate(all="ignore"):
            minus = np.isneginf(np.asarray(got, dtype=float))
    except Exception:  # no numbers: as_array says so
        return attempt.as_array(got, shape, why)
    if minus.shape == shape:
        attempt.true(not minus.any(), "finite numbers", f"-inf at {minus.sum()} places", reason)
    return attempt.as_array(got, shape, why)


def _row(attempt, table, t, n_keys):
    why = "one number for each key"
    reason = "no mask here: keys after the query have offsets, too, and numbers in the table"
    return _finite(attempt, table, t, n_keys, shape=(n_keys,), why=why, reason=reason)


def _not_quite(table, t, n_keys):
    """Mistakes that look up a neighbor, or the wrong end, or nothing for the keys to come."""
    clip, offsets = len(table) // 2, np.arange(n_keys) - t
    clipped = np.clip(offsets, -clip, clip)
    for index in (
        *(np.clip(offsets + one, -clip, clip) + clip for one in (1, -1)),
        *(np.take(np.arange(len(table)), clipped + clip + one, mode="wrap") for one in (1, -1)),
    ):
        yield (
            table[index],
            "everything is moved by one: the key at the position t itself has the offset 0, whose "
            "number stands in the middle of the table",
        )
    yield (
        table[clipped],
        "an offset is not an index. The offset 0 has its number in the middle of the table, and "
        "the first number of the table belongs to the farthest back",
    )
    yield (
        np.where(offsets > 0, 0, table[clipped + clip]),
        "no mask here: keys after the query have offsets, too, and numbers in the table",
    )


@chapter.function(
    "One row of a clipped bias", kind="program", level=2, teaches="offsets as indices"
)
def bias_row(attempt):
    five = np.array([0.5, -1.0, 2.0, 4.0, -3.0])
    for t, n_keys, expected, mistakes in [
        (
            3,
            4,
            five[[0, 0, 1, 2]],
            [
                (
                    five[[4, 4, 3, 2]],
                    "these are the numbers of keys that come after the query. An offset is key "
                    "minus query: negative for what came before",
                ),
                (
                    five[[4, 0, 1, 2]],
                    "the key three back is beyond the table and got the number of the key two "
                    "ahead: Python counts negative indices from the end",
                ),
            ],
        ),
        (0, 5, five[[2, 3, 4, 4, 4]], [(five[[2, 1, 0, 0, 0]], _AFTER)]),
        (2, 5, five, [(five[::-1], "the first number of the table belongs to the farthest back")]),
        (9, 3, five[[0, 0, 0]], []),
    ]:
        got = _row(attempt, five, t, n_keys)
        attempt.close(
            got,
            expected,
            "the key at s gets the number of offset s − t, and farther keys that of the last "
            "offset on their side",
            mistakes=[*mistakes, *_not_quite(five, t, n_keys)],
        )
    rng = np.random.default_rng(1)
    for clip in (0, 1, 4):
        table = rng.normal(size=2 * clip + 1)
        got = _row(attempt, table, 3, 8)
        moved = _row(attempt, table, 8, 13)
        attempt.close(moved[5:], got, "a text that is moved by five positions keeps its biases")
        later = [table[min(max(s - 3, -clip), clip) + clip] for s in range(8)]
        attempt.close(got, later, f"a table of {len(table)} numbers is clipped at ±{clip}")
    got = _row(attempt, five, 10**7, 3)
    attempt.close(got, five[[0, 0, 0]], "in a long text, too, far keys have the number of -clip")


@chapter.function(
    "Relative keys by hand", kind="extend", level=2, teaches="a vector for each offset"
)
def relative_key_table(attempt):
    rng = np.random.default_rng(2)
    for wanted, clip in [([1, 2], 3), ([3, 0, 1, 3], 4), ([1, 2, 3, 4, 1, 2, 3, 4], 6)]:
        n = len(wanted)
        shape = (2 * clip + 1, n)
        reason = "a floor of −∞ is not allowed; a high peak is enough"
        why = "a vector for each offset"
        table = _finite(attempt, wanted, clip, shape=shape, why=why, reason=reason)
        back = table[clip::-1].T  # (n tokens, clip + 1 distances)
        ahead = table[clip + 1 :].T
        attempt.equal(
            back.argmax(axis=1).tolist(),
            wanted,
            "this is, for each token, the distance back with the highest score. The best offset of "
            + (
                "some tokens comes after the query: an offset is key minus query, and what came "
                "before has a negative one"
                if (ahead.max(axis=1) > back.max(axis=1)).any()
                else "a token is where its entry of the table is highest"
            ),
        )
        tokens = rng.integers(n, size=200)
        scores = relative_key_scores(np.eye(n)[tokens], table)
        weights = softmax(np.where(causal_mask(200), scores, -np.inf))
        t = np.arange(clip, 200)
        found = weights[t, t - np.array(wanted)[tokens[t]]]
        attempt.true(
            found.min() >= 0.99,
            "at least 0.99 of the weight on the key that is asked for, in 200 tokens",
            f"{found.min():.3g} for the token at {t[found.argmin()]}",
            "the other keys get little each, but there are many of them: how far must the peak "
            "stand above the floor? And what does the floor look like beyond the clip?",
        )
