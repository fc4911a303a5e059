"""The rotation as libraries spell it, in NumPy."""

import numpy as np


def cached(length, d_head, base=10000.0):
    """cos_cached and sin_cached, (length, d_head), and freqs_cis, (length, d_head / 2)."""
    angle = np.outer(np.arange(length), base ** (-np.arange(0, d_head, 2) / d_head))
    twice = np.concatenate([angle, angle], axis=-1)  # an angle for each column of a pair
    return np.cos(twice), np.sin(twice), np.exp(1j * angle)


def rotate_half(x):
    """Turn every pair (i, i + d_head / 2) by a right angle."""
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


def apply_rotary_pos_emb(q, k, cos, sin):
    """Turn in halves; cos and sin: rows of the cached tables."""
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def apply_rotary_emb(q, k, freqs_cis):
    """Turn neighbors, each pair as one complex number, q and k in float64."""
    return (q.view(complex) * freqs_cis).view(float), (k.view(complex) * freqs_cis).view(float)
