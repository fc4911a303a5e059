"""The solutions of the exercises, and wrong answers that the checks must refuse."""

from collections import Counter

import numpy as np

from exercises.skipping.checks import bag, best_share, blind, labels_of
from pecode import softmax


def answer_without_order(x, is_token):
    """Mean output, (d_model,), of attention among the words of x, (length, d_model)."""
    words = x[is_token]  # padding goes before anything is computed
    weights = softmax(words @ words.T / np.sqrt(words.shape[1]))
    return (weights @ words).mean(axis=0)


def best_order_blind_accuracy(sequences, labels):
    """The largest share of right answers that the bags of words allow: one number."""
    answers = {}  # of each bag: how often which label
    for words, label in zip(sequences, labels, strict=True):
        answers.setdefault(tuple(sorted(words)), Counter())[label] += 1
    return sum(max(counts.values()) for counts in answers.values()) / len(labels)


def start_score(t):
    """Start token's score for which its share falls most from t to t + 1."""
    return np.log(t * (t + 1)) / 2


# Wrong answers


def mask_left_on(x, is_token):
    words = x[is_token]
    weights = np.exp(words @ words.T / np.sqrt(words.shape[1])) * np.tri(len(words))
    return (weights / weights.sum(axis=1, keepdims=True) @ words).mean(axis=0)


def padding_at_the_ends(x, is_token):
    places = np.flatnonzero(is_token)
    return blind(x[places[0] : places[-1] + 1])


def padding_at_the_end(x, is_token):
    return blind(x[: np.flatnonzero(is_token)[-1] + 1])


def mean_of_the_words(x, is_token):
    return x[is_token].mean(axis=0)


def sets_of_words(sequences, labels):
    return best_share(sequences, labels, frozenset)


def letters(sequences, labels):
    return best_share(sequences, labels, lambda words: bag("".join(map(str, words))))


def sum_of_the_words(sequences, labels):
    def key(words):
        return sum(words) if isinstance(words[0], int) else bag(words)

    return best_share(sequences, labels, key)


def first_label_wins(sequences, labels):
    groups = labels_of(sequences, labels)  # a Counter keeps the order
    return sum(next(iter(group.values())) for group in groups) / len(labels)


def first_words(sequences, labels):
    return best_share(sequences, labels, lambda words: bag(words[:3]))


def all_equal(t):
    return 0


WRONG_ANSWERS = {  # of each exercise: the answer, and words that the check must say to it
    "answer_without_order": {
        mask_left_on: "another order",
        padding_at_the_end: "padding was put around",
        padding_at_the_ends: "among the words",
        mean_of_the_words: "root of the width",
    },
    "best_order_blind_accuracy": {
        sets_of_words: "how often",
        letters: "the letters are the same",
        sum_of_the_words: "words 2 and 3",
        first_label_wins: "the last is the most frequent",
        first_words: "Group them by bag",
    },
    "start_score": {
        all_equal: "a little higher, or",
    },
}
