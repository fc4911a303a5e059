"""Positions in NumPy: by broadcasting and strided slices, no loop."""

import numpy as np


def sinusoidal(positions, d_model, base=10000.0):
    """The encoding of integer positions: positions.shape + (d_model,), float64."""
    t = np.asarray(positions)[..., None]  # (..., 1)
    omega = base ** (-np.arange(0, d_model, 2) / d_model)  # (⌈d_model / 2⌉,)
    table = np.empty((*t.shape[:-1], d_model))
    table[..., 0::2] = np.sin(t * omega)
    table[..., 1::2] = np.cos(t * omega[: d_model // 2])  # odd: the last is a sine
    return table  # round it once, at the end


def rotate(x, positions, layout, base=10000.0):
    """Turn x, (..., d_head); positions: integers that broadcast to x.shape[:-1]."""
    d_head = x.shape[-1]
    omega = base ** (-np.arange(0, d_head, 2) / d_head)  # (d_head / 2,)
    theta = np.asarray(positions)[..., None] * omega  # (..., d_head / 2)
    dtype = np.result_type(x, np.float32)  # float32 stays, integers become float64
    cos, sin = np.cos(theta).astype(dtype), np.sin(theta).astype(dtype)
    first, second = {
        "half": (np.s_[..., : d_head // 2], np.s_[..., d_head // 2 :]),
        "interleaved": (np.s_[..., 0::2], np.s_[..., 1::2]),
    }[layout]
    turned = np.empty(x.shape, dtype)
    turned[first] = x[first] * cos - x[second] * sin
    turned[second] = x[first] * sin + x[second] * cos
    return turned


def alibi_bias(n_heads, queries, keys):
    """Added to the scores: (n_heads, n_queries, n_keys), from two rows of positions."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * np.arange(1, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * np.arange(n_heads - lower) + 1))
    slopes = np.concatenate([slopes, between])  # (n_heads,)
    return -slopes[:, None, None] * np.abs(keys - queries[:, None])
