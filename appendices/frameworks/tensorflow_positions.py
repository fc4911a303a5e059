"""Positions in TensorFlow: positions are tensors, so that all of it can be part of a graph."""

import numpy as np
import tensorflow as tf


def sinusoidal(positions, d_model, base=10000.0):
    """The encoding of integer positions: positions.shape + (d_model,), float32."""
    omega = base ** (-np.arange(0, d_model, 2) / d_model)  # (⌈d_model / 2⌉,)
    theta = tf.cast(positions, tf.float64)[..., tf.newaxis] * omega  # (..., ⌈d / 2⌉)
    pairs = tf.stack((tf.sin(theta), tf.cos(theta)), axis=-1)  # (..., ⌈d / 2⌉, 2)
    shape = tf.concat((tf.shape(theta)[:-1], (2 * len(omega),)), axis=0)
    table = tf.reshape(pairs, shape)[..., :d_model]  # an odd width ends with a sine
    return tf.cast(table, tf.float32)


class SinusoidalEncoding(tf.keras.layers.Layer):
    """Add the sinusoidal encoding."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.supports_masking = True  # that of Embedding(mask_zero=True) is handed on

    def call(self, x, positions=None):
        """x: (..., length, d_model); positions: integers that broadcast to x.shape[:-1]."""
        if positions is None:  # a layer of a Sequential model gets x alone
            positions = tf.range(tf.shape(x)[-2])
        rows = tf.cast(sinusoidal(positions, x.shape[-1]), x.dtype)
        return x + tf.broadcast_to(rows, tf.shape(x))


def rotate(x, positions, layout, base=10000.0):
    """Turn x, (..., d_head); positions: integers that broadcast to x.shape[:-1]."""
    d_head = x.shape[-1]
    omega = base ** (-np.arange(0, d_head, 2) / d_head)  # (d_head / 2,)
    theta = tf.cast(positions, tf.float64)[..., tf.newaxis] * omega  # (..., d_head / 2)
    cos, sin = tf.cast(tf.cos(theta), x.dtype), tf.cast(tf.sin(theta), x.dtype)
    axis = {"half": -2, "interleaved": -1}[layout]  # where a and b meet
    a, b = tf.split(x, 2, -1) if layout == "half" else (x[..., 0::2], x[..., 1::2])
    pairs = tf.stack((a * cos - b * sin, a * sin + b * cos), axis)
    return tf.reshape(pairs, tf.shape(x))


def alibi_bias(n_heads, queries, keys):
    """Added to the scores: (n_heads, n_queries, n_keys), from two rows of positions."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * tf.range(1.0, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * tf.range(1.0 * n_heads - lower) + 1))
    slopes = tf.concat((slopes, between), axis=0)  # (n_heads,)
    distance = tf.cast(tf.abs(keys - queries[:, tf.newaxis]), tf.float32)
    return -slopes[:, tf.newaxis, tf.newaxis] * distance
