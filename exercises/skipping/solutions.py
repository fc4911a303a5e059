"""What is left without positions, and what a mask gives back."""

from collections import Counter

import numpy as np

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
