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
    {
        t5_buckets(-_FAR, _BUCKETS, _END, bidirectional=False): (
            f"From 16 to 64 the distance doubles twice, from 16 to 128 three times. Two thirds of "
            f"16 are {_SHARE:.2f}; rounded down and added to 16, that is the bucket. Halfway to "
            "128, two thirds of the wide buckets are used up: the widest come last."
        ),
        _NEAR + _SHARE: "The brackets round down: a bucket is a whole number.",
        _NEAR + math.ceil(_SHARE): (
            f"You rounded {_SHARE:.2f} up. The brackets in the formula round down: a bucket begins "
            "where the share reaches a whole number."
        ),
        _NEAR + _NEAR * (_FAR - _NEAR) // (_END - _NEAR): (
            "That is what 16 equal steps from 16 to 128 would give. The steps are equal *ratios*: "
            "what counts is how often the distance has doubled."
        ),
        t5_buckets(-_FAR, _BUCKETS, _END, bidirectional=True): (
            "That is the bucket in a model that sees both sides, where each side has half of the "
            "buckets. This model is causal: all 32 look back."
        ),
        math.floor(_SHARE): (
            "That counts the wide buckets only. Before them come the 16 buckets of one distance "
            "each."
        ),
        _BUCKETS - 1: (
            f"That is the last bucket. It is for what is far: it begins at distance {_LAST}."
        ),
    },
    kind="hand",
    level=1,
    teaches="a logarithmic scale",
    tolerance=0.1,
    otherwise="How often does the distance double from 16 to 64, and how often from 16 to 128? "
    "Their ratio is the share of the 16 wide buckets that lie below.",
)


def alibi(queries, keys, slope, steps=None):
    """Return the weights: scores less the slope for each step between query and key."""
    t = np.arange(len(queries))
    steps = np.abs(t - t[:, None]) if steps is None else steps
    return softmax(queries @ keys.T / np.sqrt(queries.shape[1]) - slope * steps)


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
            alibi(queries, keys, 0.0),
            "with the slope 0 this is plain attention: softmax of query times key, divided by "
            "the square root of the width",
        )
        got = attempt.array(queries, keys, slope, shape=(length, length), why="row = query")
        attempt.close(
            got,
            alibi(queries, keys, slope),
            "the distance costs the slope for each step, however many steps there are",
        )


@alibi_weights.mistake("rows belong to queries, columns to keys")
def queries_in_columns(queries, keys, slope):
    return alibi(keys, queries, slope)


chapter.choice(
    "a_bias_without_a_query",
    "A bias that never asks for the query",
    {
        "At its neighbors on both sides, as with ALiBi.": (
            "For keys before the query, m·s differs from ALiBi's -m(t - s) by m·t, the same for "
            "all of them. But for a later key the distance is s - t: ALiBi lowers its score by "
            "m(s - t), while m·s goes on rising."
        ),
        "At the last tokens of the text, wherever the query stands.": (
            "Every query adds the same row, 0, m, 2m, and so on to the end of the text. A causal "
            "mask cuts the row off at the query, so its largest number is at the nearest key. "
            "Without the mask it is at the last one."
        ),
        "At the tokens right after it.": (
            "They do weigh more than all before them. But each step farther is worth another m: "
            "which key has the largest number?"
        ),
        "At the first tokens of the text.": (
            "That is where a negative slope would send it. Here the numbers grow with the position "
            "of the key."
        ),
    },
    right="b",
    kind="predict",
    level=2,
    teaches="what the mask had hidden",
)


@chapter.function(
    "One row of a clipped bias", kind="program", level=2, teaches="offsets as indices"
)
def bias_row(attempt):
    five = np.array([0.5, -1.0, 2.0, 4.0, -3.0])
    why = (
        "one number for each key. No mask here: keys after the query have offsets, too, and "
        "numbers in the table"
    )
    for t, n_keys in [(3, 4), (0, 5), (2, 5), (9, 3)]:
        attempt.close(
            attempt.array(five, t, n_keys, shape=(n_keys,), why=why),
            five[index_of(five, np.arange(n_keys) - t)],
            "the key at s gets the number of offset s − t, and farther keys that of the last "
            "offset on their side",
        )
    rng = np.random.default_rng(1)
    for clip in (0, 1, 4):
        table = rng.normal(size=2 * clip + 1)
        got = attempt.array(table, 3, 8, shape=(8,), why=why)
        expected = table[index_of(table, np.arange(8) - 3)]
        attempt.close(got, expected, f"a table of {len(table)} numbers is clipped at ±{clip}")
    got = attempt.array(five, 10**7, 3, shape=(3,), why=why)
    attempt.close(got, five[[0, 0, 0]], "in a long text, too, far keys have the number of -clip")


def index_of(table, offsets):
    """Return where a table holds the numbers of these offsets."""
    clip = len(table) // 2
    return np.clip(offsets, -clip, clip) + clip


@bias_row.mistake(
    "these are the numbers of keys that come after the query. An offset is key minus query: "
    "negative for what came before"
)
def query_minus_key(table, t, n_keys):
    return table[index_of(table, t - np.arange(n_keys))]


@bias_row.mistake(
    "the key three back is beyond the table and got the number of the key two ahead: Python "
    "counts negative indices from the end"
)
def not_clipped(table, t, n_keys):
    return np.take(table, np.arange(n_keys) - t + len(table) // 2, mode="wrap")


@bias_row.mistake(
    "everything is moved by one: the key at the position t itself has the offset 0, whose "
    "number stands in the middle of the table"
)
def keys_counted_from_one(table, t, n_keys):
    return table[index_of(table, np.arange(1, n_keys + 1) - t)]


@bias_row.mistake(
    "an offset is not an index. The offset 0 has its number in the middle of the table, and "
    "the first number of the table belongs to the farthest back"
)
def index_is_the_offset(table, t, n_keys):
    return table[index_of(table, np.arange(n_keys) - t) - len(table) // 2]


@chapter.function(
    "Relative keys by hand", kind="extend", level=2, teaches="a vector for each offset"
)
def relative_key_table(attempt):
    rng = np.random.default_rng(2)
    for wanted, clip in [([1, 2], 3), ([3, 0, 1, 3], 4), ([1, 2, 3, 4, 1, 2, 3, 4], 6)]:
        n = len(wanted)
        shape = (2 * clip + 1, n)
        why = "a vector for each offset. A floor of −∞ is not allowed; a high peak is enough"
        table = attempt.array(wanted, clip, shape=shape, why=why)
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
