"""What self-attention notices when words are shuffled."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import causal_mask, self_attention, softmax

chapter = ChapterExercises("attention")

chapter.choice(
    "middle_of_the_sentence",
    "The middle of a sentence",
    {
        "None: a causal mask makes every output depend on the order.": (
            "Some do, not all. Ask of each word which words it may look at, before and after. "
            "Where these are the same words, nothing in the computation has changed."
        ),
        "Those of “only,” “chase” and “here”: these words did not move.": (
            "“chase” stays in its place, but it used to see “only” and “dogs,” and now it sees "
            "“only” and “cats.” An output depends on what the word sees, not on whether it moved."
        ),
        "Those of “only” and “here”: they see the same words as before.": (
            "“only” sees itself alone. “here” sees all five words, in whatever order they come. "
            "The mask decides which words are seen; among these, attention is as blind as ever. "
            "(That holds for one layer. In a second, “here” would see outputs that have changed.)"
        ),
        "That of “only”: every later word has different words in front of it.": (
            "“here” has the same four words in front of it, in another order. Its weights and its "
            "average are taken over the same five words, and an average has no order."
        ),
    },
    right="c",
    kind="predict",
    level=1,
    teaches="what a causal mask lets through",
)


@chapter.function("No look ahead", kind="debug", level=1, teaches="softmax and the causal mask")
def causal_softmax(attempt):
    rng = np.random.default_rng(1)
    for length in (1, 2, 3, 6):
        scores = rng.normal(scale=1.5, size=(length, length))
        shape, itself = (length, length), "each word, the first too, may look at itself"
        later = scores.copy()
        later[:, -1] += 2.0  # another last word: the others look at it with other scores
        got = attempt.array(scores, shape=shape, why=itself)
        attempt.close(
            np.triu(got, 1),
            np.zeros(shape),
            "these are the weights above the diagonal, where a word would look at a later one",
        )
        changed = attempt.array(later, shape=shape, why=itself)
        attempt.close(
            changed[:-1],
            got[:-1],
            "these are all rows but the last. The scores of the last column were raised by 2, and "
            "the rows changed with them. How do they know of a word that they may not see?",
        )
        got = attempt.array(scores, shape=shape, why=itself)
        attempt.close(
            got.sum(axis=1),
            np.ones(length),
            "these are the sums of the rows: an output is an average, so its weights sum to 1",
        )
        wanted = softmax(np.where(causal_mask(length), scores, -np.inf))
        attempt.close(
            got,
            wanted,
            "within a row, the weights are proportional to the exponentials of their scores",
        )


@chapter.function(
    "Equivariant, invariant", kind="program", level=2, teaches="telling the two terms apart"
)
def kind_of_symmetry(attempt):
    rng = np.random.default_rng(4)
    follow = (
        "row k of the shuffled input was row order[k] of the input. Which row of `before` "
        "should row k of `after` be compared with?"
    )
    rounding = (
        "the rows of `after` are those of `before`, each with its word, up to a difference "
        "of 1e-9. Do you count that as equal?"
    )
    for order in ([2, 4, 0, 1, 3], [1, 2, 3, 0]):
        order = np.array(order)
        length = len(order)
        x = rng.normal(size=(length, 6))
        weights = rng.normal(scale=0.5, size=(3, 6, 6))
        before = self_attention(x, *weights)
        attempt.equal(attempt(before, before[order], order), "equivariant", follow)
        near = before[order] + 1e-9 * (-1) ** np.arange(6)
        attempt.equal(attempt(before, near, order), "equivariant", rounding)

        ordered = np.sort(before, axis=0)  # does not ask in which order the rows came
        attempt.equal(
            attempt(ordered, ordered, order),
            "invariant",
            "the result of the shuffled input is the old result, row by row",
        )

        average = np.tile(before.mean(axis=0), (length, 1))
        attempt.equal(
            attempt(average, average, order),
            "both",
            "all rows are the average: the result is the old one, and it is also the old one "
            "in the new order. The two properties hold at once",
        )

        mask = causal_mask(length)
        masked, after = (self_attention(x[o], *weights, mask=mask) for o in (..., order))
        attempt.equal(
            attempt(masked, after, order),
            "neither",
            "this is attention with a causal mask: the words have new outputs",
        )
        for row, columns in [(0, [0, 1]), (length - 1, [4, 5]), (1, [2, 3])]:
            bent = before[order]
            bent[row, columns] += [0.1, -0.1]
            attempt.equal(
                attempt(before, bent, order),
                "neither",
                f"two entries of row {row} of `after` have changed: every entry of every row "
                "counts, not just one row or a sum",
            )
        for old, name in [(before[order], "equivariant"), (before, "invariant")]:
            bent = old.copy()
            row, column = np.unravel_index(np.abs(bent).argmax(), bent.shape)
            bent[row, column] += 1e-4
            attempt.equal(
                attempt(before, bent, order),
                "neither",
                f"one entry, {bent[row, column]:.2f}, is off by 0.0001. `np.allclose`, with its "
                f"default tolerances, does not call this {name}",
            )


def named(follows, stays):
    """Return the name for rows that follow their words, stay in place, both or neither."""
    if follows and stays:
        return "both"
    return "equivariant" if follows else "invariant" if stays else "neither"


@kind_of_symmetry.mistake(
    "the rows of `after` do not follow their words: row 0 of it is the old row 0"
)
def same_rows_somewhere(before, after, order):
    follows = np.allclose(np.sort(after[:, 0]), np.sort(before[:, 0]))
    return named(follows, np.allclose(after, before))


chapter.choice(
    "where_the_proof_breaks",
    "Where the proof breaks",
    {
        "With positions at step 1, with the mask at step 2.": (
            "The positions stay in place while the words move: PX + p is not P(X + p), and so the "
            "queries are not PQ. The mask stays in place, too: step 2 needs PMPᵀ in the new "
            "scores, but M is there. Steps 3 and 4 only pass on what they are given."
        ),
        "With positions at step 2, with the mask at step 2.": (
            "The scores do change with positions, but something fails earlier. Each word has a "
            "new position: are the rows of the new queries still the old rows, reordered?"
        ),
        "With positions at step 1, with the mask at step 3.": (
            "Softmax works row by row and treats all entries of a row alike, even one that is −∞. "
            "But the mask is already in the scores of step 2: are they PSPᵀ?"
        ),
        "With positions at step 2, with the mask at step 4.": (
            "PᵀP = I holds for every permutation, whatever the network does, so step 4 cannot be "
            "the first to fail. And positions are added before any score is computed."
        ),
    },
    right="a",
    kind="prove",
    level=2,
    teaches="what the proof of equivariance uses",
)


@chapter.function(
    "When words and positions cancel", kind="extend", level=3, teaches="what a sum can hide"
)
def cancelling_positions(attempt):
    rng = np.random.default_rng(5)
    for length, d_model in [(4, 3), (3, 4), (5, 3), (6, 8)]:  # three words hide mistakes
        x = rng.normal(size=(length, d_model))
        got = attempt.array(x, shape=x.shape, why="a vector for each position, as wide as a word")
        attempt.true(
            np.abs(got).max() <= 100,
            "entries between -100 and 100",
            f"one of size {np.abs(got).max():.3g}",
            "positions must not drown the words: compare the two sums entry by entry",
        )
        gaps = np.linalg.norm(got[:, None] - got, axis=-1)[~np.eye(length, dtype=bool)]
        attempt.true(
            gaps.min() >= 0.1,
            "position vectors at least 0.1 apart",
            f"two at a distance of {gaps.min():.3g}",
            "two positions with one vector are one position, and hide a swap without any trick",
        )
        first, second = x + got, np.roll(x, -1, axis=0) + got
        missing = _missing(first, second)
        gaps = np.abs(second - np.roll(first, 1, axis=0)).max(axis=1)
        attempt.true(
            missing is None,
            "the same rows in both sums, in some order",
            f"row {missing} of the first sum is not in the second",
            f"in a text of {length} words the model sees different vectors when the first word "
            f"moves to the end, and notices. {_row_by_row(gaps)}",
        )


def _missing(first, second):
    """Which row of the first array is not in the second (each used once), or None."""
    free = list(second)
    for k, row in enumerate(first):
        gaps = [np.abs(row - other).max() for other in free]
        if min(gaps) > 1e-3:
            return k
        free.pop(int(np.argmin(gaps)))
    return None


def _row_by_row(gaps):
    """Where the plan of the first hint fails."""
    off = ", ".join(f"{gap:.2f} at t = {t}" for t, gap in enumerate(gaps))
    return (
        "What must each row of the second sum be? If row t of it is to be row t−1 of the first, "
        f"and row 0 the last one, then the largest differences are {off}"
    )


@cancelling_positions.mistake(
    "With p = −x all rows of the first sum are equal. Those of the second are not: each position "
    "has the next word there"
)
def minus_the_word(x):
    return -x


@cancelling_positions.mistake(
    "With p = −np.roll(x, -1, axis=0) all rows of the second sum are equal. Those of the first are "
    "not: each holds a word minus the next one"
)
def minus_the_next_word(x):
    return -np.roll(x, -1, axis=0)


@cancelling_positions.mistake(
    "With minus the word before, the rows of the first sum are steps from a word to the next, and "
    "those of the second are steps over two words"
)
def minus_the_word_before(x):
    return -np.roll(x, 1, axis=0)


@cancelling_positions.mistake(
    "In the first sum this leaves minus the word before. Which word stands there in the second "
    "sum: the word before, or the next one?"
)
def wrong_neighbor(x):
    return -(x + np.roll(x, 1, axis=0))
