"""Popular wrong answers: the check must refuse each of them and say these words."""

import numpy as np


def masked_after_softmax(scores):
    weights = np.exp(scores)
    return weights / weights.sum(axis=1, keepdims=True) * np.tri(len(scores))


def columns_sum_to_one(scores):
    weights = np.exp(scores) * np.tri(len(scores))
    return weights / weights.sum(axis=0, keepdims=True)


def hidden_scores_are_zero(scores):
    weights = np.exp(scores * np.tri(len(scores)))
    return weights / weights.sum(axis=1, keepdims=True)


def looks_at_what_comes(scores):
    weights = np.exp(scores) * np.tri(len(scores)).T
    return weights / weights.sum(axis=1, keepdims=True)


def not_at_itself(scores):
    weights = np.exp(scores) * np.tri(len(scores), k=-1)
    return weights / weights.sum(axis=1, keepdims=True)


def no_scores(scores):
    weights = np.tri(len(scores))
    return weights / weights.sum(axis=1, keepdims=True)


def no_exponential(scores):
    weights = np.abs(scores) * np.tri(len(scores))
    return weights / weights.sum(axis=1, keepdims=True)


def _named(follows, stays):
    if follows and stays:
        return "both"
    return "equivariant" if follows else "invariant" if stays else "neither"


def wrong_way_round(before, after, order):
    return _named(np.allclose(after[order], before), np.allclose(after, before))


def to_the_last_bit(before, after, order):
    return _named((after == before[order]).all(), (after == before).all())


def looser_than_allclose(before, after, order):
    follows = np.allclose(after, before[order], atol=1e-3)
    return _named(follows, np.allclose(after, before, atol=1e-3))


def looser_for_the_same(before, after, order):
    return _named(np.allclose(after, before[order]), np.allclose(after, before, rtol=1e-2))


def same_rows_somewhere(before, after, order):
    follows = np.allclose(np.sort(after[:, 0]), np.sort(before[:, 0]))
    return _named(follows, np.allclose(after, before))


def same_rows_in_any_order(before, after, order):
    gaps = np.abs(after[:, None] - before).max(axis=-1)
    stays = np.allclose(after, before)
    return _named((gaps.min(axis=1) < 1e-6).all() and not stays, stays)


def only_the_average(before, after, order):
    follows = np.allclose(after.mean(axis=0), before.mean(axis=0))
    return _named(follows, np.allclose(after, before))


def only_the_first_row(before, after, order):
    return _named(np.allclose(after[0], before[order[0]]), np.allclose(after[0], before[0]))


def only_lengths(before, after, order):
    before, after = np.linalg.norm(before, axis=1), np.linalg.norm(after, axis=1)
    return _named(np.allclose(after, before[order]), np.allclose(after, before))


def one_or_the_other(before, after, order):
    if np.allclose(after, before[order]):
        return "equivariant"
    return "invariant" if np.allclose(after, before) else "neither"


def the_words_mixed_up(before, after, order):
    return _named(np.allclose(after, before), np.allclose(after, before[order]))


def all_equal(x):
    return np.ones_like(x)


def minus_the_word(x):
    return -x


def minus_the_next_word(x):
    return 1 - np.roll(x, -1, axis=0)


def minus_the_word_before(x):
    return -np.roll(x, 1, axis=0)


def nothing_beyond_the_ends(x):
    padded = np.pad(x, [(1, 1), (0, 0)])
    return np.cumsum(padded[:-2] - padded[2:], axis=0)


def steps_not_added_up(x):
    return np.roll(x, 1, axis=0) - np.roll(x, -1, axis=0)


def steps_backwards(x):
    return -np.cumsum(steps_not_added_up(x), axis=0)


def the_word_before(x):
    return np.roll(x, 1, axis=0)  # works for three words


def wrong_neighbor(x):
    return -(x + np.roll(x, 1, axis=0))


def far_too_large(x):
    return 1e9 * np.arange(1, len(x) + 1)[:, None] + np.zeros_like(x)


def nearly_equal(x):
    return 1e-5 * np.arange(len(x))[:, None] + np.zeros_like(x)


WRONG = {
    "causal_softmax": [
        ("masked after the softmax", masked_after_softmax, "may not see"),
        ("columns sum to one", columns_sum_to_one, "sums of the rows"),
        ("hidden scores are zero", hidden_scores_are_zero, "above the diagonal"),
        ("the other triangle", looks_at_what_comes, "above the diagonal"),
        ("not at itself", not_at_itself, "may look at itself"),
        ("without scores", no_scores, "exponentials"),
        ("without exponential", no_exponential, "exponentials"),
    ],
    "kind_of_symmetry": [
        ("order the wrong way round", wrong_way_round, "should row k of `after`"),
        ("equal to the last bit", to_the_last_bit, "1e-9"),
        ("looser than allclose", looser_than_allclose, "call this equivariant"),
        ("looser for the same rows", looser_for_the_same, "call this invariant"),
        ("the same rows somewhere", same_rows_somewhere, "do not follow"),
        ("the same rows in any order", same_rows_in_any_order, "hold at once"),
        ("the average only", only_the_average, "do not follow"),
        ("the first row only", only_the_first_row, "row 2 of"),
        ("lengths of the rows only", only_lengths, "signs turned over"),
        ("never both", one_or_the_other, "hold at once"),
        ("the two words mixed up", the_words_mixed_up, "row k of"),
    ],
    "cancelling_positions": [
        ("all positions equal", all_equal, "one position"),
        ("minus the word", minus_the_word, "rows of the first sum are equal"),
        ("minus the next word", minus_the_next_word, "rows of the second sum are equal"),
        ("minus the word before", minus_the_word_before, "steps over two"),
        ("no circle", nothing_beyond_the_ends, "0.00 at t = 1"),
        ("steps not added up", steps_not_added_up, "row t−1 of the first"),
        ("steps backwards", steps_backwards, "row t−1 of the first"),
        ("the word before", the_word_before, "text of 4 words"),
        ("the wrong neighbor", wrong_neighbor, "leaves minus the word before"),
        ("positions that drown the words", far_too_large, "drown"),
        ("nearly equal", nearly_equal, "one position"),
    ],
}
