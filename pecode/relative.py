"""Relative positions: how far the key stands from the query, and terms of the score made of it.

A term that depends on the offset alone has 2·length - 1 different numbers, not length². So the
biases here are views: the matrix is there to be read, and takes no memory of its own.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pecode import _check
from pecode._check import checked
from pecode._types import ArrayLike, Floats, Integers, Reals


@checked()
def relative_positions(length: int) -> Integers:
    """Key minus query: 0 on the diagonal, negative for what came before.

    Returns ints of shape (length, length); row = query, column = key.

    Examples
    --------
    >>> relative_positions(3).tolist()
    [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    """
    t = np.arange(length)
    return t - t[:, None]


@checked()
def clipped_relative_positions(length: int, clip: int) -> Integers:
    """Relative positions, those beyond ±clip counted as ±clip (Shaw et al., 2018, section 3.2).

    Returns ints from -clip to clip, shape (length, length); row = query, column = key.

    Examples
    --------
    >>> clipped_relative_positions(4, clip=1)[0].tolist()
    [0, 1, 1, 1]
    """
    return np.clip(relative_positions(length), -clip, clip)


@checked()
def alibi_slopes(n_heads: int) -> Floats:
    """The slopes of ALiBi: 2**(-8 k / n_heads), k = 1 … n_heads (Press et al., 2022, section 3).

    A head count that is not a power of two gets the slopes of the next lower power, and every
    second one of the next higher, as in the authors' code.

    Examples
    --------
    >>> alibi_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    >>> alibi_slopes(3).tolist()
    [0.0625, 0.00390625, 0.25]
    """
    lower = 2 ** (n_heads.bit_length() - 1)

    def slopes(n):
        return 2.0 ** (-8 * np.arange(1, n + 1) / n)

    return np.concatenate([slopes(lower), slopes(2 * lower)[::2][: n_heads - lower]])


@checked()
def by_offset(values: ArrayLike) -> Reals:
    """A matrix that is constant along its diagonals, as a view on the numbers of the diagonals.

    Parameters
    ----------
    values : floats, shape (..., 2·length - 1)
        One number for each offset, key minus query, from -(length - 1) to length - 1.

    Returns
    -------
    read-only view of values, shape (..., length, length); row = query, column = key
        Entry [..., q, k] is values[..., length - 1 + k - q]. It follows an array of float32 or
        float64 that is changed later; anything else is copied to float64 first. `.copy()` gives
        an array of one's own.

    Examples
    --------
    >>> by_offset([-2, -1, 0, 1, 2]).astype(int).tolist()
    [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    """
    width = values.shape[-1]
    what = "an odd width, one number for each offset from -(length - 1) to length - 1"
    _check.require(width % 2, "values", what, width)
    return _by_offset(values)


def _by_offset(values):
    """The core of `by_offset`; an empty array gives the matrix of length 0."""
    length = (values.shape[-1] + 1) // 2
    step = values.strides[-1]
    # One key further is one number on, one query further is one number back.
    return as_strided(
        values[..., length - 1 :],  # the first row starts at offset 0
        shape=(*values.shape[:-1], length, length),
        strides=(*values.strides[:-1], -step, step),
        writeable=False,
    )


def _offsets(length):
    """All offsets of a sequence, from -(length - 1) to length - 1; none for length 0."""
    return np.arange(1 - length, length)


@checked()
def alibi_bias(length: int, slopes: ArrayLike) -> Floats:
    """The bias of ALiBi: every position of distance costs `slope` (Press et al., 2022).

    Parameters
    ----------
    length : int
    slopes : floats, shape (n_heads,)
        See `alibi_slopes`.

    Returns
    -------
    read-only view of float64, shape (n_heads, length, length); see `by_offset`
        To be added to the scores. It is the same on both sides: a causal mask is not in it.

    Examples
    --------
    >>> alibi_bias(3, [0.5])[0].tolist()
    [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    distances = np.abs(_offsets(length))
    with np.errstate(over="ignore"):
        costs = -slopes[:, None] * distances + 0.0  # (n_heads, 2·length - 1); no negative zero
    return _by_offset(_check.no_overflow("slopes", costs))


@checked()
def t5_buckets(
    relative_positions: ArrayLike,
    n_buckets: int = 32,
    max_distance: int = 128,
    bidirectional: bool = True,
) -> Integers:
    """The bucket of T5 for each relative position (Raffel et al., 2020, section 2.1).

    Near distances have a bucket each, far ones share: of the n buckets of a side, the first n/2
    hold the distances 0 to n/2 - 1; the others divide the way from there to max_distance into
    equal ratios; everything beyond is in the last. The paper gives the idea and the numbers 32
    and 128, the authors' code the rule. That code takes logarithms in float32; here the borders
    are found in integers, so that no rounding decides about a distance that is on a border.

    Parameters
    ----------
    relative_positions : ints
        Key minus query; see `relative_positions`.
    n_buckets : int
        Even and at least 4 when bidirectional, at least 2 when not.
    max_distance : int
        Larger than the number of distances with a bucket each: n_buckets / 4 when
        bidirectional, n_buckets / 2 when not, rounded down.
    bidirectional : bool
        True: keys after the query have the upper half of the buckets, whose first stays empty: it
        would hold distance 0. False, for a decoder: keys after the query are in bucket 0, with
        distance 0; a causal mask hides them anyway.

    Examples
    --------
    >>> t5_buckets([-200, -128, -9, -8, -7, 0, 1, 8, 200]).tolist()
    [15, 15, 8, 8, 7, 0, 17, 24, 31]
    >>> t5_buckets([-200, -100, -15, 0, 1], bidirectional=False).tolist()
    [31, 30, 15, 0, 0]
    """
    return _t5_buckets(relative_positions, "n_buckets", n_buckets, max_distance, bidirectional)


def _t5_buckets(offsets, name, n_buckets, max_distance, bidirectional):
    """The core of `t5_buckets`; an error calls the number of buckets by its name."""
    least = 4 if bidirectional else 2
    n = _check.integer(name, n_buckets, minimum=least, maximum=2**10, even=bidirectional)
    n = n // 2 if bidirectional else n  # buckets of one side
    _check.integer("max_distance", max_distance, minimum=n // 2 + 1)
    starts = _bucket_starts(n, max_distance)
    if not bidirectional:
        return _bucket_of(np.minimum(offsets, 0), starts)
    return _bucket_of(offsets, starts) + n * (offsets > 0)


def _bucket_of(offsets, starts):
    # Distances are counted below zero: -2**63 has no absolute value in 64 bits.
    minus_distances = np.where(offsets > 0, -offsets, offsets)
    return len(starts) - np.searchsorted(-starts[::-1], minus_distances, side="left")


@functools.lru_cache(maxsize=64)
def _bucket_starts(n, max_distance):
    """Smallest distance of the buckets 1 … n - 1 of one side."""
    max_exact = n // 2
    ratios = n - max_exact
    far = [_root(max_distance**k * max_exact ** (ratios - k), ratios) for k in range(1, ratios)]
    starts = np.array([*range(1, max_exact + 1), *far])
    starts.flags.writeable = False  # shared by the cache
    return starts


def _root(power, degree):
    """Smallest integer whose power is at least this one: the root, rounded up."""
    lowest, highest = 0, 1 << -(-power.bit_length() // degree)
    while highest - lowest > 1:  # lowest**degree < power <= highest**degree
        middle = (lowest + highest) // 2
        lowest, highest = (middle, highest) if middle**degree < power else (lowest, middle)
    return highest


@checked()
def t5_bias(
    length: int, table: ArrayLike, max_distance: int = 128, bidirectional: bool = True
) -> Reals:
    """The bias of T5: one number for each bucket and head (Raffel et al., 2020, section 2.1).

    Parameters
    ----------
    length : int
    table : floats, shape (n_buckets, n_heads)
        What T5 trains; all layers share it.
    max_distance, bidirectional
        As in `t5_buckets`.

    Returns
    -------
    read-only view, shape (n_heads, length, length); see `by_offset`
        To be added to the scores. float32 stays float32, everything else is float64.

    Examples
    --------
    >>> t5_bias(3, [[0.0], [0.1], [0.2], [0.3]])[0].tolist()
    [[0.0, 0.3, 0.3], [0.1, 0.0, 0.3], [0.1, 0.1, 0.0]]
    """
    rows = "table, its number of rows"
    buckets = _t5_buckets(_offsets(length), rows, len(table), max_distance, bidirectional)
    return _by_offset(table.T[:, buckets])  # (n_heads, length, length)


@checked(table=_check.matrix)
def relative_key_scores(queries: ArrayLike, table: ArrayLike) -> Reals:
    """What relative key vectors add to the scores: q_t · a_{s - t} (Shaw et al., 2018).

    It is the second term of their equation 5, before the division by √d. Every query meets
    2·clip + 1 vectors, not one for every key: so we multiply first and pick the offsets after.

    Parameters
    ----------
    queries : floats, shape (..., length, d)
    table : floats, shape (2·clip + 1, d)
        One vector for each clipped offset, key minus query, from -clip to clip.

    Returns
    -------
    ndarray, shape (..., length, length); row = query, column = key
        float32 where both are float32, everything else is float64.

    Examples
    --------
    >>> relative_key_scores([[1.0], [10.0], [100.0]], [[-1.0], [0.0], [1.0]]).astype(int).tolist()
    [[0, 1, 1], [-10, 0, 10], [-100, -100, 0]]
    """
    what = "an odd number of rows, one for each offset from -clip to clip"
    _check.require(len(table) % 2, "table", what, len(table))
    _check.size("table", table.shape[1], queries.shape[-1], "columns, as many as the queries have")
    length, clip = queries.shape[-2], len(table) // 2
    with np.errstate(over="ignore", invalid="ignore"):
        products = queries @ table.T  # (..., length, 2·clip + 1)
    _check.no_overflow("queries, table", products)
    rows = np.arange(length)[:, None]
    return products[..., rows, clipped_relative_positions(length, clip) + clip]
