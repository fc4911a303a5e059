"""Popular wrong answers: the check must refuse each of them and say these words."""

from collections import Counter

import numpy as np

from pecode import softmax


def _scores(x):
    return x @ x.T / np.sqrt(x.shape[1])


def mask_left_on(x, is_token):
    words = x[is_token]
    weights = softmax(np.where(np.tri(len(words)), _scores(words), -np.inf))
    return (weights @ words).mean(axis=0)


def last_word_answers(x, is_token):
    words = x[is_token]
    return (softmax(_scores(words)) @ words)[-1]


def padding_is_seen(x, is_token):
    return (softmax(_scores(x)) @ x)[is_token].mean(axis=0)


def padding_in_the_mean(x, is_token):
    return (softmax(np.where(is_token, _scores(x), -np.inf)) @ x).mean(axis=0)


def divided_by_all(x, is_token):
    weights = softmax(np.where(is_token, _scores(x), -np.inf))
    return (weights @ x)[is_token].sum(axis=0) / len(x)


def padding_is_zero(x, is_token):
    x = x * is_token[:, None]
    return (softmax(_scores(x)) @ x)[is_token].mean(axis=0)


def padding_at_the_end(x, is_token):
    words = x[: is_token.sum()]
    return (softmax(_scores(words)) @ words).mean(axis=0)


def padding_at_the_ends(x, is_token):
    places = np.flatnonzero(is_token)
    words = x[places[0] : places[-1] + 1]
    return (softmax(_scores(words)) @ words).mean(axis=0)


def mean_of_the_words(x, is_token):
    return x[is_token].mean(axis=0)


def no_root(x, is_token):
    words = x[is_token]
    return (softmax(words @ words.T) @ words).mean(axis=0)


def columns_sum_to_one(x, is_token):
    words = x[is_token]
    return (softmax(_scores(words)).T @ words).mean(axis=0)


def _grouped(sequences, labels, key):
    bags = {}
    for words, label in zip(sequences, labels, strict=True):
        bags.setdefault(key(words), []).append(label)
    return list(bags.values())


def _vote(sequences, labels, key):
    groups = _grouped(sequences, labels, key)
    return sum(max(Counter(group).values()) for group in groups) / len(labels)


def sequences_told_apart(sequences, labels):
    return _vote(sequences, labels, tuple)


def sets_of_words(sequences, labels):
    return _vote(sequences, labels, frozenset)


def letters(sequences, labels):
    return _vote(sequences, labels, lambda words: "".join(sorted("".join(map(str, words)))))


def words_run_together(sequences, labels):
    return _vote(sequences, labels, lambda words: "".join(sorted(map(str, words))))


def sum_of_the_words(sequences, labels):
    def key(words):
        return sum(words) if isinstance(words[0], int) else tuple(sorted(words))

    return _vote(sequences, labels, key)


def mean_over_bags(sequences, labels):
    groups = _grouped(sequences, labels, lambda words: tuple(sorted(words)))
    return np.mean([max(Counter(group).values()) / len(group) for group in groups])


def one_label_for_all(sequences, labels):
    return max(Counter(labels).values()) / len(labels)


def bags_with_one_label(sequences, labels):
    groups = _grouped(sequences, labels, lambda words: tuple(sorted(words)))
    return sum(len(group) for group in groups if len(set(group)) == 1) / len(labels)


def first_label_wins(sequences, labels):
    groups = _grouped(sequences, labels, lambda words: tuple(sorted(words)))
    return sum(group.count(group[0]) for group in groups) / len(labels)


def number_of_bags(sequences, labels):
    return len(_grouped(sequences, labels, lambda words: tuple(sorted(words)))) / len(labels)


def not_divided(sequences, labels):
    return len(labels) * _vote(sequences, labels, lambda words: tuple(sorted(words)))


def last_label_wins(sequences, labels):
    groups = _grouped(sequences, labels, lambda words: tuple(sorted(words)))
    return sum(group.count(group[-1]) for group in groups) / len(labels)


def each_once(sequences, labels):
    pairs = list(dict.fromkeys(zip(map(tuple, sequences), labels, strict=True)))
    return _vote(
        [words for words, _ in pairs], [label for _, label in pairs], lambda w: str(sorted(w))
    )


def neighbors_in_the_file(sequences, labels):
    best, first = 0, 0
    for k in range(1, len(labels) + 1):
        if k == len(labels) or sorted(sequences[k]) != sorted(sequences[first]):
            best += max(Counter(labels[first:k]).values())
            first = k
    return best / len(labels)


def half_of_the_weight(t):
    return np.log(t)


def at_the_later_one(t):
    return np.log(t + 1)


def the_exponential(t):
    return np.sqrt(t * (t + 1))


def without_the_root(t):
    return np.log(t * (t + 1))


def turned_over(t):
    return -np.log(t * (t + 1)) / 2


def all_equal(t):
    return 0


def as_high_as_it_gets(t):
    return 1000


def decimal_logarithm(t):
    return np.log10(t * (t + 1)) / 2


def halfway(t):
    return np.log(t + 0.5)


WRONG = {
    "answer_without_order": [
        ("the mask left on", mask_left_on, "another order"),
        ("the last word answers", last_word_answers, "another order"),
        ("padding is seen", padding_is_seen, "still look at it"),
        ("padding in the mean", padding_in_the_mean, "its outputs"),
        ("divided by all", divided_by_all, "shrinks"),
        ("padding is zero", padding_is_zero, "padding was put around"),
        ("padding at the end", padding_at_the_end, "padding was put around"),
        ("padding at the ends", padding_at_the_ends, "among the words"),
        ("the mean of the words", mean_of_the_words, "root of the width"),
        ("no root", no_root, "root of the width"),
        ("columns sum to one", columns_sum_to_one, "root of the width"),
    ],
    "best_order_blind_accuracy": [
        ("sequences told apart", sequences_told_apart, "what told them apart"),
        ("sets of words", sets_of_words, "how often"),
        ("letters", letters, "the letters are the same"),
        ("words run together", words_run_together, "the letters are the same"),
        ("sum of the words", sum_of_the_words, "words 2 and 3"),
        ("mean over bags", mean_over_bags, "count three times"),
        ("one label for all", one_label_for_all, "not the most frequent of all"),
        ("only bags with one label", bags_with_one_label, "too few"),
        ("the first label wins", first_label_wins, "the last is the most frequent"),
        ("the number of bags", number_of_bags, "too few"),
        ("not divided", not_divided, "their share"),
        ("the last label wins", last_label_wins, "not the last one"),
        ("each once", each_once, "every sequence counts"),
        ("neighbors only", neighbors_in_the_file, "Group"),
    ],
    "start_score": [
        ("half of the weight", half_of_the_weight, "has two ends"),
        ("at the later one", at_the_later_one, "the later one"),
        ("the exponential", the_exponential, "power of the score"),
        ("without the root", without_the_root, "half of that"),
        ("turned over", turned_over, "the sign"),
        ("all equal", all_equal, "a little higher, or"),
        ("as high as it gets", as_high_as_it_gets, "a little lower"),
        ("decimal logarithm", decimal_logarithm, "a little higher"),
        ("halfway", halfway, "a little higher"),
    ],
}
