"""Positions in JAX: tables are made once with NumPy, functions are pure and can be compiled."""

import jax.numpy as jnp
import numpy as np


def sinusoidal_table(length, d_model, base=10000.0):
    """The encoding of positions 0 … length - 1, shape (length, d_model), float32."""
    t = np.arange(length)[:, None]  # (length, 1); NumPy computes in float64
    theta = t * base ** (-np.arange(0, d_model, 2) / d_model)  # (length, ⌈d / 2⌉)
    pairs = np.stack((np.sin(theta), np.cos(theta)), axis=-1)  # (length, ⌈d / 2⌉, 2)
    table = pairs.reshape(length, -1)[:, :d_model]  # an odd width ends with a sine
    return jnp.asarray(table, jnp.float32)


def add_positions(x, positions, table):
    """Add to x, (..., d_model); positions: integers that broadcast to x.shape[:-1]."""
    # A position below 0 or beyond the table gets NaN, not another row.
    outside = {"mode": "fill", "fill_value": jnp.nan, "wrap_negative_indices": False}
    rows = table.at[positions].get(**outside)  # (..., d_model)
    return x + jnp.broadcast_to(rows, x.shape).astype(x.dtype)


def rotary_table(length, d_head, base=10000.0):
    """Cosines and sines of positions 0 … length - 1, shape (2, length, d_head / 2)."""
    if d_head % 2:
        raise ValueError(f"d_head: expected an even width, got {d_head}")
    t = np.arange(length)[:, None]  # (length, 1); NumPy computes in float64
    theta = t * base ** (-np.arange(0, d_head, 2) / d_head)  # (length, d_head / 2)
    return jnp.asarray(np.stack((np.cos(theta), np.sin(theta))), jnp.float32)


def rotate(x, positions, table, layout):
    """Turn x, (..., d_head); positions: integers that broadcast to x.shape[:-1]."""
    if x.shape[-1] != 2 * table.shape[-1]:  # a table of one pair would fit any width
        raise ValueError(f"x: expected width {2 * table.shape[-1]}, got {x.shape[-1]}")
    axis = {"half": -2, "interleaved": -1}[layout]  # where a and b meet
    # A position below 0 or beyond the table gets NaN, not another row.
    outside = {"mode": "fill", "fill_value": jnp.nan, "wrap_negative_indices": False}
    cos, sin = table.at[:, positions].get(**outside).astype(x.dtype)  # (..., d_head / 2)
    a, b = jnp.split(x, 2, -1) if layout == "half" else (x[..., 0::2], x[..., 1::2])
    return jnp.stack((a * cos - b * sin, a * sin + b * cos), axis).reshape(x.shape)


def alibi_bias(n_heads, queries, keys):
    """Added to the scores: (n_heads, n_queries, n_keys), from two rows of positions."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * jnp.arange(1, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * jnp.arange(n_heads - lower) + 1))
    slopes = jnp.concatenate((slopes, between))  # (n_heads,)
    return -slopes[:, None, None] * jnp.abs(keys - queries[:, None])
