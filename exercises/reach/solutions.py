"""How far a scheme reaches, and how to measure it."""

import numpy as np

from pecode import similarity


def accuracy_beyond(answers, targets, counted, trained_to):
    """Share of right answers from position trained_to on: shape (n_seeds,)."""
    right = (answers == targets) & counted  # (n_seeds, size, length)
    beyond = np.s_[:, :, trained_to:]
    return right[beyond].sum(axis=(1, 2)) / counted[beyond].sum(axis=(1, 2))


def randomized_positions(length, max_length, seed):
    """Different positions below max_length, at random, sorted: shape (length,)."""
    if length > max_length:
        raise ValueError(f"length: expected at most {max_length}, got {length}")
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(max_length, length, replace=False))


def sharpness_for(length, d_model):
    """Smallest factor for which each token gives half its weight two back."""
    offsets = np.arange(-2, length - 2)  # from the token two back, for the last token
    behind = similarity(offsets, d_model) - d_model / 2  # scores, less the highest one
    low, high = 0.0, 100.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        if 1 / np.exp(middle * behind).sum() < 0.5:  # the weight of offset 0
            low = middle
        else:
            high = middle
    return high
