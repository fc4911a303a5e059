"""What is left without positions, and what a mask gives back."""

from collections import Counter

import numpy as np

from exercises.registry import ChapterExercises
from pecode import softmax

chapter = ChapterExercises("skipping")


def bag(words):
    """Return the bag of a sequence: its words, in no order."""
    return tuple(sorted(map(str, words)))


def labels_of(sequences, labels, key=bag):
    """Return, for each group of sequences with one key, how often it has each label."""
    groups = {}
    for words, label in zip(sequences, labels, strict=True):
        groups.setdefault(key(words), Counter())[label] += 1
    return groups.values()


def best_share(sequences, labels, key=bag):
    """Return the share of right answers if each group gets its most frequent label."""
    groups = labels_of(sequences, labels, key)
    return sum(max(group.values()) for group in groups) / len(labels)


_VERDICTS = ["good", "bad", "not good", "not bad"]
_REVIEWS = [(plot, music) for plot in _VERDICTS for music in _VERDICTS]
_WORDS = [f"plot {plot} music {music}".split() for plot, music in _REVIEWS]
_LIKED = ("good", "not bad")
_SENTIMENT = best_share(_WORDS, [sum(each in _LIKED for each in both) for both in _REVIEWS])
_QUESTION = best_share(_WORDS, [plot in _LIKED for plot, _ in _REVIEWS])
_TRANSLATION = best_share(_WORDS, _REVIEWS)
_N = len(_REVIEWS)

chapter.choice(
    "no_encoding_at_all",
    "No encoding at all",
    {
        "It can do no better than guess: a heap of words says nothing.": (
            'They say a lot. "Plot bad, music bad" has a bag that no other review has, and every '
            "answer to it can be right. What is lost is how reviews with the same bag differ."
        ),
        "Sentiment can be right for all: good and bad are in the bag.": (
            'They are, and so is "not". But to which of the two does it belong? "Plot good, '
            'music not bad" and "plot not good, music bad" have the same bag, and 2 and 0 likes.'
        ),
        "All three lose something, and sentiment loses least.": (
            f"The best possible is {_SENTIMENT * _N:.0f} of {_N} for sentiment, "
            f"{_QUESTION * _N:.0f} for the question and {_TRANSLATION * _N:.0f} for the "
            "translation, which has to tell every two reviews apart. Sentiment needs the order "
            'only where "not" could belong to either word.'
        ),
        "Translation can be right for all: word for word, in any order.": (
            "If each place answered for itself, it could. Here a writer takes the words out of "
            "the bag: which of them comes first? Most reviews turn into another one, with the "
            "same bag, when plot and music change their verdicts."
        ),
    },
    right="c",
    kind="predict",
    level=1,
    teaches="which tasks a bag of words can solve",
)


def _scores(x):
    return x @ x.T / np.sqrt(x.shape[1])


def blind(words):
    """Return the mean of the outputs of a model without positions and mask."""
    return (softmax(_scores(words)) @ words).mean(axis=0)


@chapter.function(
    "Repair the ablation", kind="debug", level=1, teaches="what else can tell a model the order"
)
def answer_without_order(attempt):
    rng = np.random.default_rng(8)
    one = "one vector for the whole text, the mean over its words"
    for length, d_model in [(4, 4), (1, 3), (6, 9), (5, 1)]:
        words, every = rng.normal(size=(length, d_model)), np.ones(length, dtype=bool)
        got = attempt.array(words, every, shape=(d_model,), why=one)
        for _ in range(2):
            shuffled = attempt.array(rng.permutation(words), every, shape=(d_model,), why=one)
            attempt.close(
                shuffled,
                got,
                "the same words in another order gave another answer. There are no positions: "
                "what else in this program treats the words by their place?",
            )
        attempt.close(
            attempt.array(words, every, why=one),
            blind(words),
            "no padding here. Scores are products over the root of the width, each row of weights "
            "is a softmax over all words, and the answer is the mean of all outputs",
        )
        for before, after in [(0, 1), (2, 0), (1, 3)]:
            padding = rng.normal(scale=2, size=(before + after, d_model))
            x = np.concatenate([padding[:before], words, padding[before:]])
            is_token = np.pad(every, (before, after))
            got = attempt.array(x, is_token, shape=(d_model,), why=one)
            attempt.close(
                got,
                blind(words),
                "padding was put around the text, and the answer changed: the model sees how much "
                "of it there is. Padding is not looked at, and its outputs are not in the mean",
            )
        place = rng.permutation(length + 3)
        x = np.concatenate([words, rng.normal(size=(3, d_model))])[place]
        got = attempt.array(x, place < length, shape=(d_model,), why=one)
        attempt.close(
            got,
            blind(words),
            "here padding stands among the words, and is_token says where: it need not be at an "
            "end",
        )


@answer_without_order.mistake(
    "the outputs of padding are not in the mean, but the words still look at it: which "
    "entries of a row of scores belong to padding?"
)
def padding_is_seen(x, is_token):
    return (softmax(_scores(x)) @ x)[is_token].mean(axis=0)


@answer_without_order.mistake(
    "no query looks at the padding, but the padding looks at the words, and its outputs are "
    "in the mean"
)
def padding_in_the_mean(x, is_token):
    return (softmax(np.where(is_token, _scores(x), -np.inf)) @ x).mean(axis=0)


@answer_without_order.mistake(
    "no query looks at the padding, but it counts as words when the sum of the outputs is "
    "divided: the answer shrinks with every word of padding"
)
def divided_by_all(x, is_token):
    weights = softmax(np.where(is_token, _scores(x), -np.inf))
    return (weights @ x)[is_token].sum(axis=0) / len(x)


@chapter.function(
    "The best a bag can do", kind="program", level=2, teaches="how far words go without order"
)
def best_order_blind_accuracy(attempt):
    def case(sequences, labels, why):
        sequences = [list(each.split() if isinstance(each, str) else each) for each in sequences]
        got = attempt.number(sequences, labels, why="a share of right answers is one number")
        attempt.close(got, best_share(sequences, labels), why)

    case(
        ["go now", "now go", "go now", "stop", "stop"],
        ["x", "x", "y", "y", "y"],
        "one bag occurs three times, twice with the label x: say x, and 2 of 3 are right. The "
        "other occurs twice, and y is right both times. The share is taken over all sequences",
    )
    case(
        ["dog bites man", "man bites dog"],
        ["dog", "man"],
        "two sentences, one bag, two answers: whatever is said to this bag, it is right once",
    )
    case(
        ["a b b", "a a b"],
        ["left", "right"],
        "a bag knows which words it holds *and how often*: these are two different bags",
    )
    case(
        [["ab", "c"], ["a", "bc"]],
        ["left", "right"],
        "two words each, and none in common: these bags differ, though the letters are the same",
    )
    case([[1, 4], [2, 3]], ["left", "right"], "the words 1 and 4 are not the words 2 and 3")
    case(
        [*["up down"] * 3, *["down up"] * 4],
        [0, 1, 1, 2, 2, 2, 2],
        "one bag, and labels 0, 1, 1, 2, 2, 2, 2: of these the last is the most frequent",
    )
    rng = np.random.default_rng(0)
    for words in ("ab", "abc", "abcdef"):
        sequences = [rng.choice(list(words), rng.integers(1, 5)).tolist() for _ in range(60)]
        first = [each[0] for each in sequences]
        case(
            sequences,
            first,
            f"60 random texts of the words {', '.join(words)}; the label is the first word. Group "
            "them by bag, and give each bag its most frequent label",
        )
        case(
            sequences,
            [len(each) for each in sequences],
            "60 random texts, and the label is their length: the bag tells it, always",
        )


@best_order_blind_accuracy.mistake("the two sentences have the same words: what told them apart?")
def sequences_told_apart(sequences, labels):
    return best_share(sequences, labels, tuple)


@best_order_blind_accuracy.mistake(
    "here each bag counts once: one that occurs three times should count three times"
)
def mean_over_bags(sequences, labels):
    groups = labels_of(sequences, labels)
    return np.mean([max(group.values()) / group.total() for group in groups])


@best_order_blind_accuracy.mistake(
    "each bag has an answer of its own: the label that comes with it most often, not the last "
    "one, and not the most frequent of all labels"
)
def one_label_for_all(sequences, labels):
    return best_share(sequences, labels, lambda words: "all")


@best_order_blind_accuracy.mistake(
    "those are too few: a bag that occurs several times is right as often as its most "
    "frequent label occurs, even if it has other labels, too"
)
def bags_with_one_label(sequences, labels):
    groups = labels_of(sequences, labels)
    return sum(group.total() for group in groups if len(group) == 1) / len(labels)


@best_order_blind_accuracy.mistake("that many are right; return their share of all sequences")
def not_divided(sequences, labels):
    return len(labels) * best_share(sequences, labels)


@best_order_blind_accuracy.mistake(
    "every sequence counts, even one that occurred before with the same label"
)
def each_once(sequences, labels):
    return best_share(*zip(*set(zip(map(tuple, sequences), labels, strict=True)), strict=True))


chapter.choice(
    "ten_times_the_same_word",
    "Ten times the same word",
    {
        "None, in any layer: each average is one of equal vectors.": (
            "Ten equal vectors have equal values, and an average of equal values is that value, "
            "whatever the weights and however many there are. So ten equal vectors come out and "
            "enter the next layer: a proof by induction. Something must differ before a share "
            "can be seen, such as a start token, or other words."
        ),
        "The first, in any layer: it sees nothing but itself.": (
            "The others see more, but more of the same. (The chapter's model found the first "
            "place because its words were random: there, others mixed in something else.)"
        ),
        "All, in any layer: the first word's share is 1/(t+1).": (
            "So it is, but a share is not passed on. What is passed on is the sum of shares times "
            "values. The shares sum to 1, and here all values are the same."
        ),
        "None after one layer, and all of them after two.": (
            "A second layer can use what the first one found. Which difference between two "
            "places did the first layer find and pass on?"
        ),
    },
    right="a",
    kind="prove",
    level=2,
    teaches="what a mask needs to count",
)


@chapter.function(
    "A score for the start token", kind="extend", level=3, teaches="shares that tell late places"
)
def start_score(attempt):
    for t in (30, 2, 7, 1, 100, 1000):
        got = attempt.number(t, why="the score of the start token is one number")
        attempt.close(
            got,
            np.log(t * (t + 1)) / 2,
            f"with your score the share falls by {_step(got, t):.6f} from position {t} to "
            f"{t + 1}. It can fall by {_step(np.log(t * (t + 1)) / 2, t):.6f}. Is the step larger "
            "for a score a little higher, or a little lower?",
            tolerance=1e-3,
        )


@start_score.mistake(
    "the share is then a half at position t, where its curve is steepest as a function of the "
    "score. But a step from one position to the next has two ends, and it is the step that "
    "should be largest"
)
def half_of_the_weight(t):
    return np.log(t)


@start_score.mistake("is that the score, or e to the power of the score?")
def the_exponential(t):
    return np.sqrt(t * (t + 1))


@start_score.mistake("the sign is reversed: a start token with a low score is hardly looked at")
def turned_over(t):
    return -np.log(t * (t + 1)) / 2


def _step(score, t):
    high = np.exp(np.clip(score, -500, 500))
    return high / (high + t) - high / (high + t + 1)
