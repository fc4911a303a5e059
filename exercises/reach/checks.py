"""How far a scheme reaches, and how to measure it."""

from math import comb, factorial

import numpy as np

from exercises.registry import ChapterExercises
from pecode import similarity

chapter = ChapterExercises("reach")

_SEEDS = 5
_WAYS = comb(2 * _SEEDS, _SEEDS)
_PAIRS = comb(10, 2)
chapter.number(
    "ranges_apart",
    "Two ranges apart",
    {
        _WAYS / 2: (
            f"There are {_WAYS} ways to choose which {_SEEDS} of the ten belong to the first "
            "scheme. In two of them the ranges do not overlap: it has the five highest, or the "
            f"five lowest. So for two schemes, ranges that do not overlap say much. Among ten "
            f"schemes there are {_PAIRS} pairs, and one such pair may well be chance."
        ),
        _WAYS: (
            "That is the number of ways to choose the five of the first scheme. In how many of "
            "them do the ranges not overlap: only when the first scheme is better?"
        ),
        2**_SEEDS: (
            "That compares seed by seed: heads five times in a row. Here every accuracy of one "
            "scheme is above every accuracy of the other, which is more."
        ),
        2 ** (_SEEDS - 1): (
            "That compares seed by seed: five times the same side. Here every accuracy of one "
            "scheme is above every accuracy of the other, which is more."
        ),
        2 / _WAYS: "That is the right probability. Give the whole number N of “one case in N.”",
        2 ** (2 * _SEEDS): (
            "That would hold if a coin toss made each of the ten high or low. But exactly five of "
            "the ten are the higher ones."
        ),
        factorial(2 * _SEEDS): (
            "That is the number of orders of all ten. Most of them differ only in how the five of "
            "one scheme are arranged among themselves."
        ),
    },
    kind="hand",
    level=1,
    teaches="what five seeds can show",
    tolerance=0.4,
    otherwise="Write the ten accuracies in order, and below each the name of its scheme. In how "
    "many ways can the ten names be written, and in how many of these are the names not mixed?",
)


@chapter.function(
    "Repair the measurement", kind="debug", level=1, teaches="which answers count as beyond"
)
def accuracy_beyond(attempt):
    rng = np.random.default_rng(9)
    for n_seeds, size, length, trained_to in [(3, 12, 40, 8), (2, 4, 24, 16), (1, 6, 5, 4)]:
        why = "one accuracy for each seed"
        targets = rng.integers(0, 8, (n_seeds, size, length))
        every = np.ones(targets.shape, dtype=bool)
        wrong = (targets + 1) % 8
        inside = np.arange(length) < trained_to
        counted = rng.random(targets.shape) < np.linspace(0.3, 0.9, length)
        counted[:, :2] = True  # a sequence more or less: no mean is empty
        some = np.where(rng.random(targets.shape) < 0.6, targets, wrong)
        saw = f"training saw {trained_to} positions, from 0 to {trained_to - 1}. This model "
        for answers, counts, reason in [
            (
                np.where(inside, targets, wrong),
                every,
                f"{saw}is right at all of them and wrong at every later one. Which axis holds the "
                "positions, and which of them do you look at?",
            ),
            (
                np.where(inside, wrong, targets),
                every,
                f"{saw}is wrong at all of them and right at every later one. Do you look at all "
                "later ones, and at no other?",
            ),
            (
                np.where(np.arange(length) == trained_to, targets, wrong),
                every,
                f"{saw}is right at position {trained_to} and nowhere else: that is the first of "
                "those that training did not see",
            ),
            (
                np.where(counted, targets, wrong),
                counted,
                "every answer that counts is right. Those that do not count should change nothing: "
                "are they in what you divide by?",
            ),
            (
                some,
                counted,
                "the right answers divided by the answers that count, over all sequences and all "
                "later positions of one seed together",
            ),
        ]:
            got = attempt.array(answers, targets, counts, trained_to, shape=(n_seeds,), why=why)
            right, of = beyond(answers, targets, counts, trained_to)
            attempt.close(got, right.sum(axis=(1, 2)) / of.sum(axis=(1, 2)), reason)


def beyond(answers, targets, counted, trained_to):
    """Return which answers are right, and which count, at positions from `trained_to` on."""
    later = np.s_[..., trained_to:]
    return (answers == targets)[later] & counted[later], counted[later]


@accuracy_beyond.mistake(
    "a mean of the accuracies at each position: but at some positions more answers count than "
    "at others, and every answer has the same weight here"
)
def mean_of_positions(answers, targets, counted, trained_to):
    right, of = beyond(answers, targets, counted, trained_to)
    with np.errstate(all="ignore"):
        return np.nanmean(right.sum(axis=1) / of.sum(axis=1), axis=1)


@accuracy_beyond.mistake("all seeds were thrown together: each has an accuracy of its own")
def seeds_together(answers, targets, counted, trained_to):
    right, of = beyond(answers, targets, counted, trained_to)
    return np.full(len(answers), right.sum() / of.sum())


chapter.choice(
    "a_short_text_far_out",
    "A short text, far out",
    {
        "All but the learned table: its rows there were never trained.": (
            "The table fails, for this reason. But the vectors of the sinusoids from 96 on have "
            "never been seen in training either. They exist, but what was learned is about others."
        ),
        "Rotary and the relative bias: they notice no difference.": (
            "Both give the score an offset and nothing else, and in a text of 32 tokens there are "
            "only offsets that training had. Every score is what it was. Rotary's trouble with "
            "long texts comes from long offsets, not from late positions."
        ),
        "All four: the text is no longer than those in training.": (
            "The length is not new, and the offsets are not. But two of the four add a vector that "
            "belongs to the place, and the places are new."
        ),
        "The relative bias: all others meet angles or rows that are new.": (
            "Rotary turns by angles that training never had. But query and key are both turned, "
            "and what is left in their product is the difference of the angles. Is that new?"
        ),
    },
    right="b",
    kind="predict",
    level=2,
    teaches="new lengths or new positions",
)


@chapter.function(
    "Positions with gaps", kind="program", level=2, teaches="training far positions in short texts"
)
def randomized_positions(attempt):
    def drawn(length, max_length, seed):
        got = attempt.array(length, max_length, seed, shape=(length,), why="one for each token")
        whole = np.round(got)
        attempt.true(
            (got == whole).all(), "whole numbers", got, "positions are rows of a table: 0, 1, 2, …"
        )
        attempt.true(
            whole.min() >= 0 and whole.max() < max_length,
            f"positions from 0 to {max_length - 1}",
            f"from {whole.min():g} to {whole.max():g}",
            f"a table of {max_length} rows has no row there",
        )
        attempt.true(
            (np.diff(whole) >= 0).all(),
            "positions in order",
            got,
            "a later word must have a later position, or the order of the text is lost",
        )
        attempt.true(
            (np.diff(whole) > 0).all(),
            "different positions",
            got,
            "two words have the same position: between them, nothing says which came first",
        )
        return whole

    for length, max_length in [(5, 5), (1, 1), (3, 4), (20, 25), (32, 128), (1, 9)]:
        for seed in range(4):
            drawn(length, max_length, seed)
    again = [drawn(6, 200, 17) for _ in range(2)]
    attempt.close(
        *again, "the same seed twice, and different positions: the draw cannot be repeated"
    )

    draws = np.array([attempt.array(4, 12, seed, shape=(4,)) for seed in range(1000)])
    often = np.array([(draws == place).any(axis=1).mean() for place in range(12)])
    sets = len(np.unique(draws, axis=0))
    far = (np.diff(draws, axis=1) > 1).all(axis=1).mean()  # no two are neighbors
    for holds, expected, got, why in [
        (
            sets > 1,
            "other positions for other seeds",
            "the same ones for 1000 seeds",
            "each batch of the training should see different positions",
        ),
        (
            (often > 0).all(),
            "every position from 0 to 11 in one of 1000 drawings",
            f"never position {often.argmin()}",
            "training should reach each row of the table, including the first and the last",
        ),
        (
            len(np.unique(np.diff(draws, axis=1))) > 1,
            "gaps of many sizes",
            f"gaps of {np.diff(draws)[0, 0]:g} only",
            "the positions of one text are evenly spaced: that is a window, and here gaps should "
            "be drawn, too",
        ),
        (
            sets > 300,
            f"more than 300 of the {comb(12, 4)} ways to choose 4 of 12, in 1000 drawings",
            f"{sets} ways",
            "some choices never occur: every set of positions should be equally probable",
        ),
        (
            abs(far - comb(9, 4) / comb(12, 4)) < 0.06,
            "no two neighbors in about a quarter of the drawings of 4 of 12",
            f"in {far:.2f} of them",
            "every set of positions should be equally probable, with neighbors or without. (To "
            "move a position that is taken to the next free place makes neighbors too frequent.)",
        ),
    ]:
        attempt.true(holds, expected, got, why)
    wide = np.array([attempt.array(6, 200, seed, shape=(6,)) for seed in range(300)])
    span = (wide[:, -1] - wide[:, 0]).mean()
    attempt.true(
        abs(span - 201 * 5 / 7) < 10,  # six standard errors
        "about 144 places from the first to the last of 6 positions of 200, on average",
        f"{span:.0f} places",
        "every set of positions should be equally probable, over the whole table",
    )
    silent = "there are fewer positions than tokens: say so with an error"
    attempt.refuses(6, 5, 0, errors=(ValueError,), why=silent)
    attempt.refuses(40, 32, 3, errors=(ValueError,), why=silent)


@chapter.function(
    "How sharp is sharp enough?", kind="extend", level=3, teaches="many weak scores against one"
)
def sharpness_for(attempt):
    for length, d_model in [(6, 8), (3, 16), (4, 16), (64, 8), (128, 16), (1000, 8), (300, 64)]:
        got = attempt.number(length, d_model, why="a factor is one number")
        t = np.arange(length)[:, None]
        scores = np.where(t >= t.T, similarity(t - 2 - t.T, d_model), -np.inf)
        weights = [_on_target(got, scores[row, : row + 1], row) for row in range(2, length)]
        least = int(np.argmin(weights))
        attempt.close(
            min(weights),
            0.5,
            f"this is the least weight on the token two back, at position {least + 2} of "
            f"{length}, with your factor. "
            + (
                "It is less than a half: the scores must be sharper"
                if min(weights) < 0.5
                else "It is more than a half: a smaller factor would do"
            ),
            tolerance=1e-3,
        )


def factor_against(offsets, d_model):
    """Return the factor for a half of the weight against tokens at offsets from the target."""
    below = d_model / 2 - similarity(np.asarray(offsets), d_model)
    low, high = 0.0, 100.0
    for _ in range(50):
        middle = (low + high) / 2
        is_enough = np.exp(-middle * below).sum() < 1
        low, high = (low, middle) if is_enough else (middle, high)
    return high


@sharpness_for.mistake(
    "your factor is enough for position 2, which sees three tokens. Later ones see more, and "
    "each takes part of the weight"
)
def for_position_two(length, d_model):
    return factor_against([-2, -1], d_model)


@sharpness_for.mistake("a token looks at itself as well: its score, too, takes part of the weight")
def not_itself(length, d_model):
    return factor_against([-1, *range(1, length - 2)], d_model) if length > 3 else 0.1


def _on_target(factor, scores, t):
    """Weight of the token two back for the token t, which sees as many as there are scores."""
    raised = np.clip(factor, -1e6, 1e6) * (scores - scores[t - 2])
    return 1 / np.exp(np.minimum(raised, 500)).sum()
