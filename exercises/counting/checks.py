"""Counts, and counts divided by the length."""

import numpy as np

from exercises.registry import ChapterExercises
from pecode import softmax

chapter = ChapterExercises("counting")

chapter.choice(
    "a_smaller_step",
    "A smaller step",
    {
        "Yes, for good: the entries are small now.": (
            "They are small in this text. In one of 5,000 words they reach 50 again, and in longer "
            "ones they go on growing. A fixed factor only moves the length at which it breaks."
        ),
        "Yes at this length, but it breaks again in longer texts.": (
            "With entries below 1 the weights are nearly those without a count. But the entry is "
            "t/100, so position 4,000 now has the entry that position 40 had before. A fixed "
            "factor moves the trouble to longer texts, where it comes back little by little."
        ),
        "No: softmax divides by the sum, so a common factor changes nothing.": (
            "Softmax does not change when the same number is *added* to all scores. *Multiplying* "
            "the scores does change it: small factors even the weights out, large ones make them "
            "all or nothing."
        ),
        "No: a score contains two counts, so dividing each by 100 is not enough.": (
            "It contains two, and each is divided, so their product is divided by 10,000. That is "
            "why a modest factor helps so much here. In a much longer text the product is large "
            "again."
        ),
    },
    right="b",
    kind="predict",
    level=1,
    teaches="what a large entry does to a softmax",
)

_LEARNED, _SHORT = 128, 32
chapter.number(
    "three_back_in_a_short_text",
    "Three back in a short text",
    {
        3 * (_SHORT - 1) / (_LEARNED - 1): (
            "The rule subtracts 3/127. In a text of 32 words one step is 1/31, so the rule moves "
            "3 · 31/127 steps: not even to the neighbor."
        ),
        3 * (_LEARNED - 1) / (_SHORT - 1): (
            "That is upside down. In a shorter text the steps are *longer*, so the same difference "
            "covers fewer of them."
        ),
        3 * _SHORT / _LEARNED: (
            "Nearly: you divided the lengths. But between 128 words there are 127 steps, and "
            "between 32 words there are 31."
        ),
        -3 * (_SHORT - 1) / (_LEARNED - 1): (
            "The number is right, but leave out the sign: the question already says “back.”"
        ),
        3: "The rule subtracts a fixed number, and here a step has a different size.",
    },
    kind="hand",
    level=1,
    teaches="what a normalized count means",
    unit="positions",
    tolerance=0.006,
    otherwise="What does the rule subtract? What is one step in a text of 32 words? Divide.",
)


@chapter.function(
    "Repair the normalized count", kind="debug", level=1, teaches="the ends of a sequence"
)
def normalized(attempt):
    for length in (2, 5, 11):
        got = attempt.array(length, shape=(length,), why="one number for each position")
        ends = "the first entry is 0 and the last is 1"
        attempt.close(got[0], 0, f"{ends}: do you count from 0?")
        attempt.close(got[-1], 1, f"{ends}: what must the largest count be divided by to give 1?")
        attempt.true(
            abs(got[-1] - 1) <= 1e-9,
            "a last entry of 1",
            f"{got[-1]:.9f}",
            f"{ends}, exactly: is something added to the divisor?",
        )
        attempt.close(np.diff(got), np.full(length - 1, 1 / (length - 1)), "all steps are equal")
    why = "a text of one word has the single count 0: return an array with one entry"
    attempt.close(attempt.array(1, shape=(1,), why=why), [0], why)


@chapter.function(
    "A bell from counts and squares", kind="program", level=2, teaches="scores as products"
)
def bell_queries_and_keys(attempt):
    peak = "Where is the score t·s - c·s² highest, as a function of s?"
    whole = []
    for positions, sigma, asked in [
        (np.arange(9), 1.0, peak),
        (
            np.arange(9),
            2.0,
            "With sigma = 1 they were right. Does sigma divide both terms, in the same way?",
        ),
        (np.array([3, 4, 8]), 1.5, f"For 0 to 8 they were right. {peak}"),
    ]:
        queries, keys = attempt.parts(positions, sigma, queries=None, keys=None)
        for part, name in [(queries, "queries"), (keys, "keys")]:
            attempt.true(
                part.ndim == 2 and len(part) == len(positions) and part.shape[1] <= 3,
                f"{name} of shape ({len(positions)}, n) with n at most 3",
                f"shape {part.shape}",
                "one row for each position; two numbers in each are enough",
            )
        attempt.true(
            queries.shape == keys.shape,
            "queries and keys of the same width",
            f"shapes {queries.shape} and {keys.shape}",
            "a score is the product of a query and a key",
        )
        weights = softmax(queries @ keys.T)
        attempt.equal(
            positions[weights.argmax(axis=1)].tolist(),
            positions.tolist(),
            "this is where the weights of each row are highest: each position should look most at "
            f"itself. {asked}",
        )
        wanted = np.exp(-((positions[:, None] - positions) ** 2) / (2 * sigma**2))
        wanted /= wanted.sum(axis=1, keepdims=True)
        if positions[2] == 2:  # both neighbors of position 1, whatever the middle of the bell
            attempt.close(
                weights[1, [0, 2]].prod(keepdims=True) / weights[1, 1] ** 2,
                wanted[1, [0, 2]].prod(keepdims=True) / wanted[1, 1] ** 2,
                "these are the weights of position 1 for its two neighbors, multiplied, and "
                "divided by the square of that for itself: the width of the bell is not sigma. "
                "How does sigma enter the exponent?",
            )
        attempt.close(weights, wanted, "the weights of every row are the bell around its position")
        whole.append((positions, sigma, {"queries": queries, "keys": keys}))
    for positions, sigma, whole_text in whole:
        for some, left_out in [(slice(1, None), "first"), (slice(None, -1), "last")]:
            wanted = {name: rows[some] for name, rows in whole_text.items()}
            shapes = {name: rows.shape for name, rows in wanted.items()}
            parts = attempt.parts(positions[some], sigma, **shapes)
            for part, (name, rows) in zip(parts, wanted.items(), strict=True):
                attempt.close(
                    part,
                    rows,
                    f"these are the {name}, as they were when the {left_out} position was there, "
                    "too: each may depend on its own position only. What in it comes from the "
                    "others: their average, the first of them, or a total over all?",
                    tolerance=1e-4,
                )


chapter.choice(
    "a_line_plus_constants",
    "A line, and constants",
    {
        "Yes: the constants move the highest point, so it can be put anywhere.": (
            "They can change the slope and the height of the line. But wherever it lies, a line "
            "has no highest point between its ends."
        ),
        "Yes, if the product of a and c is negative.": (
            "The slope of the line is (at + b)c. With ac < 0 it falls as t grows, and may change "
            "its sign. Rising or falling, a line peaks at one end."
        ),
        "No, since softmax forgets constants.": (
            "It forgets what is added to a whole row, here (at + b)·e. The term b·c·s differs from "
            "one s to the next and is not forgotten. The conclusion is right for another reason."
        ),
        "No: for a fixed t the score is still a line in s.": (
            "(at + b)(cs + e) = [(at + b)c]·s + (at + b)e: a slope times s and a constant. The "
            "slope can change its sign with t, so the peak can jump from one end to the other, but "
            "never stops in between. Where the slope is 0, all weights are equal."
        ),
    },
    right="d",
    kind="prove",
    level=2,
    teaches="what a bilinear score can say",
)
