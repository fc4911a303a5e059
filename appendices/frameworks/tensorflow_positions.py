"""Positions in TensorFlow: its operators alone, so that all of it can be part of a graph."""

import tensorflow as tf


def angles(positions, width, base=10000.0):
    """θ = ω_i t, shape (length, ⌈width / 2⌉), float64."""
    t = tf.cast(positions, tf.float64)[:, tf.newaxis]  # (length, 1)
    exponents = tf.range(0, width, 2, dtype=tf.float64) / tf.cast(width, tf.float64)
    return t * tf.cast(base, tf.float64) ** -exponents


def sinusoidal_table(length, d_model, start=0, base=10000.0):
    """Rows start … start + length - 1 of the encoding, (length, d_model), float32."""
    theta = angles(tf.range(start, start + length), d_model, base)
    pairs = tf.stack((tf.sin(theta), tf.cos(theta)), axis=-1)  # (length, ⌈d / 2⌉, 2)
    table = tf.reshape(pairs, (length, -1))[:, :d_model]  # odd: the last is a sine
    return tf.cast(table, tf.float32)


def rotary_hands(x, start, base):
    """Cosines and sines from position start on, each (length, d_head / 2)."""
    theta = angles(tf.range(start, start + tf.shape(x)[-2]), x.shape[-1], base)
    return tf.cast(tf.cos(theta), x.dtype), tf.cast(tf.sin(theta), x.dtype)


def rotate(x, start=0, base=10000.0):
    """Turn x, shape (..., length, d_head), from position start on; layout "half"."""
    cos, sin = rotary_hands(x, start, base)
    a, b = tf.split(x, 2, axis=-1)
    return tf.concat((a * cos - b * sin, a * sin + b * cos), axis=-1)


def rotate_interleaved(x, start=0, base=10000.0):
    """The same for the layout "interleaved"."""
    cos, sin = rotary_hands(x, start, base)
    a, b = x[..., 0::2], x[..., 1::2]
    pairs = tf.stack((a * cos - b * sin, a * sin + b * cos), axis=-1)
    return tf.reshape(pairs, tf.shape(x))


class SinusoidalEncoding(tf.keras.layers.Layer):
    """Add the sinusoidal encoding to x, shape (..., length, d_model)."""

    def call(self, x, start=0):
        """`start` is how many words came before, as in a cache."""
        table = sinusoidal_table(tf.shape(x)[-2], x.shape[-1], start)
        return x + tf.cast(table, x.dtype)


def alibi_bias(n_heads, length, start=0):
    """Added to the scores of queries from start on: (n_heads, length, n_keys)."""
    lower = 2 ** (n_heads.bit_length() - 1)  # the largest power of two up to n_heads
    slopes = 2.0 ** (-8 / lower * tf.range(1.0, lower + 1))
    between = 2.0 ** (-4 / lower * (2 * tf.range(1.0 * n_heads - lower) + 1))
    slopes = tf.concat((slopes, between), axis=0)  # (n_heads,)
    query = tf.range(start, start + length)[:, tf.newaxis]  # (length, 1)
    key = tf.range(start + length)  # (n_keys,)
    distance = tf.cast(tf.abs(key - query), tf.float32)  # (length, n_keys)
    return -slopes[:, tf.newaxis, tf.newaxis] * distance
