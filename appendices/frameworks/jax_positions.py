"""Positions in JAX: tables are made once with NumPy, functions are pure and can be compiled."""

import jax
import jax.numpy as jnp
import numpy as np


def angles(length, width, base=10000.0):
    """θ = ω_i t, shape (length, ⌈width / 2⌉), float64: so NumPy computes it."""
    t = np.arange(length)[:, None]
    return t * base ** (-np.arange(0, width, 2) / width)


def sinusoidal_table(length, d_model, base=10000.0):
    """The encoding of positions 0 … length - 1, shape (length, d_model), float32."""
    theta = angles(length, d_model, base)
    pairs = np.stack((np.sin(theta), np.cos(theta)), axis=-1)  # (length, ⌈d / 2⌉, 2)
    table = pairs.reshape(length, -1)[:, :d_model]  # an odd width ends with a sine
    return jnp.asarray(table, jnp.float32)


def rotary_table(length, d_head, base=10000.0):
    """Cosines and sines of positions 0 … length - 1, each (length, d_head / 2)."""
    theta = angles(length, d_head, base)
    return tuple(jnp.asarray(f(theta), jnp.float32) for f in (np.cos, np.sin))


@jax.jit
def add_positions(x, table, start=0):
    """x, shape (..., length, d_model), plus the rows of the table from start on."""
    return x + rows(table, start, x.shape[-2]).astype(x.dtype)


@jax.jit
def rotate(x, table, start=0):
    """Turn x, shape (..., length, d_head), from position start on; layout "half"."""
    cos, sin = (rows(part, start, x.shape[-2]).astype(x.dtype) for part in table)
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate((a * cos - b * sin, a * sin + b * cos), axis=-1)


@jax.jit
def rotate_interleaved(x, table, start=0):
    """The same for the layout "interleaved"."""
    cos, sin = (rows(part, start, x.shape[-2]).astype(x.dtype) for part in table)
    a, b = x[..., 0::2], x[..., 1::2]
    return jnp.stack((a * cos - b * sin, a * sin + b * cos), axis=-1).reshape(x.shape)


def rows(table, start, length):
    """Rows of a table from a position on that may be traced; NaN beyond its end."""
    return table.at[start + jnp.arange(length)].get(mode="fill", fill_value=jnp.nan)


def alibi_bias(n_heads, length, start=0):
    """Added to the scores of queries from start on: (n_heads, length, n_keys)."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * jnp.arange(1, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * jnp.arange(n_heads - lower) + 1))
    slopes = jnp.concatenate((slopes, between))  # (n_heads,)
    query = jnp.arange(start, start + length)[:, None]  # (length, 1)
    key = jnp.arange(start + length)  # (n_keys,)
    return -slopes[:, None, None] * jnp.abs(key - query)
