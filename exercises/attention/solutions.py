"""What self-attention notices when words are shuffled."""

import numpy as np


def causal_softmax(scores):
    """Weights, (length, length): row t sees columns 0 … t only, and sums to 1."""
    weights = np.exp(scores) * np.tri(len(scores))
    return weights / weights.sum(axis=1, keepdims=True)


def kind_of_symmetry(before, after, order):
    """Return "equivariant", "invariant", "both" or "neither".

    `before` and `after` have the shape (length, n).
    """
    follows = np.allclose(after, before[order])
    stays = np.allclose(after, before)
    if follows and stays:
        return "both"
    return "equivariant" if follows else "invariant" if stays else "neither"


def cancelling_positions(x):
    """Vectors, (length, d_model), that hide that the first word went last."""
    return -(x + np.roll(x, -1, axis=0))  # minus the word, minus the next word
