"""Positions in NumPy: by broadcasting and strided slices, no loop."""

import numpy as np


def sinusoidal_table(length, d_model, start=0, base=10000.0):
    """Rows start … start + length - 1 of the encoding, shape (length, d_model)."""
    t = np.arange(start, start + length)[:, None]  # (length, 1)
    omega = base ** (-np.arange(0, d_model, 2) / d_model)  # (⌈d_model / 2⌉,)
    table = np.empty((length, d_model))
    table[:, 0::2] = np.sin(t * omega)
    table[:, 1::2] = np.cos(t * omega[: d_model // 2])  # odd: the last is a sine
    return table  # float64: round it once, at the end


def rotate(x, start=0, base=10000.0, layout="interleaved"):
    """Turn the rows of x, shape (..., length, d_head), from position start on."""
    length, d_head = x.shape[-2:]
    t = np.arange(start, start + length)[:, None]  # (length, 1)
    theta = t * base ** (-np.arange(0, d_head, 2) / d_head)  # (length, d_head / 2)
    dtype = np.result_type(x, np.float32)  # float32 stays, integers become float64
    cos, sin = np.cos(theta).astype(dtype), np.sin(theta).astype(dtype)
    first, second = {
        "interleaved": (np.s_[..., 0::2], np.s_[..., 1::2]),
        "half": (np.s_[..., : d_head // 2], np.s_[..., d_head // 2 :]),
    }[layout]
    turned = np.empty(x.shape, dtype)
    turned[first] = x[first] * cos - x[second] * sin
    turned[second] = x[first] * sin + x[second] * cos
    return turned


def alibi_bias(n_heads, length, start=0):
    """Added to the scores of queries from start on: (n_heads, length, n_keys)."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * np.arange(1, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * np.arange(n_heads - lower) + 1))
    slopes = np.concatenate([slopes, between])  # (n_heads,)
    query = np.arange(start, start + length)[:, None]  # (length, 1)
    key = np.arange(start + length)  # (n_keys,)
    return -slopes[:, None, None] * np.abs(key - query)
