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

    Parameters
    ----------
    length : int, at least 0

    Returns
    -------
    ndarray of int64, shape (length, length); row = query, column = key

    Raises
    ------
    TypeError, ValueError
        length is not an integer or is negative.

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

    Parameters
    ----------
    length : int, at least 0
    clip : int, at least 0

    Returns
    -------
    ndarray of int64, shape (length, length), entries from -clip to clip

    Raises
    ------
    TypeError, ValueError
        length or clip are not integers or are negative.

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

    Parameters
    ----------
    n_heads : int, at least 1

    Returns
    -------
    ndarray of float64, shape (n_heads,)

    Raises
    ------
    TypeError, ValueError
        n_heads is not an integer of at least 1.

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
    values : array-like of floats, shape (..., 2·length - 1)
        One number for each offset, key minus query, from -(length - 1) to length - 1.

    Returns
    -------
    read-only view of values, shape (..., length, length); row = query, column = key
        Entry [..., q, k] is values[..., length - 1 + k - q]. It follows an array of float32 or
        float64 that is changed later; anything else is copied to float64 first. `.copy()` gives
        an array of one's own.

    Raises
    ------
    TypeError, ValueError
        values are not finite real numbers, or the size of their last axis is even.

    Examples
    --------
    >>> by_offset([-2, -1, 0, 1, 2]).astype(int).tolist()
    [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    """
    _check.require(values.shape[-1] % 2 == 1, "values", "an odd width", values.shape)
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
    length : int, at least 0
    slopes : array-like of floats, shape (n_heads,)
        See `alibi_slopes`.

    Returns
    -------
    read-only view of float64, shape (n_heads, length, length)
        To be added to the scores. It is the same on both sides: a causal mask is not in it.
        It holds 2·length - 1 numbers for each head (see `by_offset`); `.copy()` gives an array
        of one's own.

    Raises
    ------
    TypeError, ValueError
        length is not an integer or is negative, slopes are not finite real numbers along one axis.

    Examples
    --------
    >>> alibi_bias(3, [0.5])[0].tolist()
    [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    distances = np.abs(_offsets(length))
    with np.errstate(over="ignore"):
        costs = -slopes[:, None] * distances + 0.0  # (n_heads, 2·length - 1); no negative zero
    return _by_offset(_check.fits("slopes", costs))


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
    relative_positions : int or array-like of ints
        Key minus query; see `relative_positions`.
    n_buckets : int
        Even and at least 4 when bidirectional, at least 2 when not.
    max_distance : int
        Larger than the number of distances with a bucket each: n_buckets / 4 when
        bidirectional, n_buckets / 2 when not, rounded down.
    bidirectional : bool
        True: keys after the query have the upper half of the buckets. False, for a decoder:
        keys after the query are in bucket 0, with distance 0; a causal mask hides them anyway.

    Returns
    -------
    ndarray of int64, shape of relative_positions, entries from 0 to n_buckets - 1
        Bucket n_buckets / 2 stays empty when bidirectional: it would hold distance 0 after the
        query.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong type; n_buckets or max_distance too small for the rule, or
        n_buckets odd when bidirectional.

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
    length : int, at least 0
    table : array-like of floats, shape (n_buckets, n_heads)
        What T5 trains; all layers share it.
    max_distance, bidirectional
        As in `t5_buckets`.

    Returns
    -------
    read-only view, shape (n_heads, length, length); float32 stays float32, all else is float64
        To be added to the scores. It holds 2·length - 1 numbers for each head (see `by_offset`).

    Raises
    ------
    TypeError, ValueError
        length is not an integer or is negative, table does not hold finite real numbers along
        two axes; otherwise as in `t5_buckets`.

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
    queries : array-like of floats, shape (..., length, d)
    table : array-like of floats, shape (2·clip + 1, d)
        One vector for each clipped offset, key minus query, from -clip to clip.

    Returns
    -------
    ndarray, shape (..., length, length); row = query, column = key
        float32 where both are float32, everything else is float64.

    Raises
    ------
    TypeError, ValueError
        queries or table do not hold finite real numbers, or their shapes do not fit; table has an
        even number of rows.

    Examples
    --------
    >>> relative_key_scores([[1.0], [10.0], [100.0]], [[-1.0], [0.0], [1.0]]).astype(int).tolist()
    [[0, 1, 1], [-10, 0, 10], [-100, -100, 0]]
    """
    _check.require(len(table) % 2 == 1, "table", "an odd height", table.shape)
    _check.size("table", table.shape[1], queries.shape[-1], "columns, as many as the queries have")
    length, clip = queries.shape[-2], len(table) // 2
    with np.errstate(over="ignore", invalid="ignore"):
        products = queries @ table.T  # (..., length, 2·clip + 1)
    _check.fits("queries, table", products)
    rows = np.arange(length)[:, None]
    return products[..., rows, clipped_relative_positions(length, clip) + clip]


# Biases with a form between ALiBi's line and T5's table


@checked()
def kerple_bias(length: int, r1: ArrayLike, r2: ArrayLike, kernel: str = "logarithmic") -> Floats:
    """The bias of KERPLE: a kernel of distance with two numbers for a head (Chi et al., 2022).

    "logarithmic": -r1 · ln(1 + r2 · distance), the better one in the paper: far keys cost hardly
    more than those before them. "power": -r1 · distance**r2, which is ALiBi for r2 = 1.

    Parameters
    ----------
    length : int, at least 0
    r1, r2 : array-like of floats above 0, shape (n_heads,)
        r2 is at most 2 in the power kernel.
    kernel : "logarithmic" or "power"

    Returns
    -------
    read-only view of float64, shape (n_heads, length, length)
        To be added to the scores; see `by_offset`. A causal mask is not in it.

    Raises
    ------
    TypeError, ValueError
        length is not an integer or is negative; r1 and r2 are not finite numbers above 0, one for
        each head, or r2 is above 2 in the power kernel; an unknown kernel.

    Examples
    --------
    >>> kerple_bias(3, [1.0], [1.0])[0].round(3).tolist()
    [[0.0, -0.693, -1.099], [-0.693, 0.0, -0.693], [-1.099, -0.693, 0.0]]
    """
    _check.size("r2", len(r2), len(r1), "numbers, as many as r1 has")
    for name, values in [("r1", r1), ("r2", r2)]:
        _check.require(values.min(initial=1) > 0, name, "all above 0", values.min(initial=1))
    distances = np.abs(_offsets(length))
    with np.errstate(over="ignore"):
        if kernel == "logarithmic":
            costs = np.log1p(r2[:, None] * distances)
        else:
            highest = r2.max(initial=1)
            _check.require(highest <= 2, "r2", "exponents of at most 2", highest)
            costs = distances ** r2[:, None].astype(np.float64)
        return _by_offset(_check.fits("r1, r2", -r1[:, None] * costs + 0.0))


@checked()
def fire_bias(
    length: int,
    w_in: ArrayLike,
    b_in: ArrayLike,
    w_out: ArrayLike,
    b_out: ArrayLike,
    slope: float = 0.1,
    threshold: float = 512.0,
) -> Floats:
    """The bias of FIRE: a small network of a distance between 0 and 1 (Li et al., 2024).

    The distance is ψ(t - s) / ψ(t), with ψ(x) = ln(slope · x + 1): the first key is always at
    distance 1, however long the text has become. Up to the threshold all queries divide by
    ψ(threshold), and there the bias depends on the offset alone. The network is
    relu(distance · w_in + b_in) @ w_out + b_out.

    Parameters
    ----------
    length : int, at least 0
    w_in, b_in : array-like of floats, shape (width,)
    w_out : array-like of floats, shape (width, n_heads)
    b_out : array-like of floats, shape (n_heads,)
    slope : float > 0
        c in the paper, trained; it starts at 0.1.
    threshold : float > 0
        L in the paper, trained.

    Returns
    -------
    ndarray of float64, shape (n_heads, length, length); row = query, column = key
        To be added to the scores of a causal model; keys after the query count as far as those
        before it.

    Raises
    ------
    TypeError, ValueError
        length is not an integer or is negative; the arrays are not finite or their shapes do not
        fit; slope or threshold are not finite numbers above 0.

    Examples
    --------
    >>> fire_bias(3, [1.0], [0.0], [[-1.0]], [0.0], slope=1.0, threshold=1.0)[0].round(3).tolist()
    [[0.0, -1.0, -1.585], [-1.0, 0.0, -1.0], [-1.0, -0.631, 0.0]]
    """
    _check.size("b_in", len(b_in), len(w_in), "numbers, as many as w_in has")
    _check.size("w_out", len(w_out), len(w_in), "rows, as many as w_in has numbers")
    _check.size("b_out", len(b_out), w_out.shape[1], "numbers, one for each column of w_out")
    what = "a number whose product with slope is above 0"  # the smallest floats become 0
    _check.require(slope * threshold > 0, "threshold", what, threshold)
    distances = np.abs(relative_positions(length))
    farthest = np.maximum(np.arange(length), threshold)[:, None]
    with np.errstate(over="ignore", invalid="ignore"):
        share = np.log1p(slope * distances) / np.log1p(slope * farthest)  # (length, length)
        hidden = np.maximum(share[..., None] * w_in + b_in, 0)  # (length, length, width)
        bias = hidden @ w_out.astype(np.float64) + b_out
    return np.moveaxis(_check.fits("w_in, b_in, w_out, b_out", bias), -1, 0)


# What the content asks of the position, and the position of the content


@checked(table=_check.matrix, content_bias=_check.vector, position_bias=_check.vector)
def transformer_xl_scores(
    queries: ArrayLike,
    keys: ArrayLike,
    table: ArrayLike,
    content_bias: ArrayLike,
    position_bias: ArrayLike,
) -> Reals:
    """What Transformer-XL adds to q · k: (q_t + v) · r_{s-t} + u · k_s (Dai et al., 2019).

    Of the product of two sums of content and position four terms are left: content with content,
    which is q · k and not in here, content with position and two in which a trained vector
    stands in for the query. u asks which keys are wanted wherever they are, v which distances.

    Parameters
    ----------
    queries, keys : array-like of floats, shape (..., length, d)
    table : array-like of floats, shape (2·clip + 1, d)
        r for each offset, key minus query, from -clip to clip: in the paper a matrix times the
        sinusoidal encoding of the offset. Offsets beyond ±clip share the last rows.
    content_bias, position_bias : array-like of floats, shape (d,)
        u and v, one pair for each head.

    Returns
    -------
    ndarray, shape (..., length, length); row = query, column = key
        To be added to the products before they are divided by √d. float32 where all are float32.

    Raises
    ------
    TypeError, ValueError
        The arrays do not hold finite real numbers, or their shapes do not fit; table has an even
        number of rows.

    Examples
    --------
    >>> q, k, r = [[1.0], [2.0]], [[10.0], [20.0]], [[-1.0], [0.0], [1.0]]
    >>> transformer_xl_scores(q, k, r, content_bias=[0.1], position_bias=[1.0]).tolist()
    [[1.0, 4.0], [-2.0, 2.0]]
    """
    _same_width(queries, keys=keys, content_bias=content_bias, position_bias=position_bias)
    _check.size("keys", keys.shape[-2], queries.shape[-2], "rows, as many as the queries have")
    with np.errstate(over="ignore", invalid="ignore"):
        wanted = keys @ content_bias  # (..., length)
        moved = queries + position_bias
    _check.fits("keys, content_bias", wanted)
    scores = relative_key_scores(_check.fits("queries, position_bias", moved), table)
    return scores + wanted[..., None, :]


@checked(n_buckets=_check.two_sided_buckets)
def deberta_buckets(
    relative_positions: ArrayLike, n_buckets: int = 256, max_distance: int = 512
) -> Integers:
    """The signed buckets of DeBERTa, version 2 and later (He et al., 2021).

    Distances below n_buckets / 2 have a bucket each; of the n_buckets / 2 - 1 further ones each
    ends at an equal ratio beyond the one before, and the last at max_distance - 1. Farther
    distances go on in the same ratio; `disentangled_scores` clips them. The result is odd:
    before and after are told apart by the sign.

    Parameters
    ----------
    relative_positions : int or array-like of ints
    n_buckets : int, even, at least 4
    max_distance : int, above n_buckets / 2 + 1

    Returns
    -------
    ndarray of int64, shape of relative_positions

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong type, or too small for the rule.

    Examples
    --------
    >>> deberta_buckets([-511, -130, -128, 0, 5, 127, 128, 129, 200]).tolist()
    [-255, -130, -128, 0, 5, 127, 128, 129, 169]
    """
    middle = n_buckets // 2
    _check.integer("max_distance", max_distance, minimum=middle + 2)
    distances = np.abs(relative_positions.astype(np.float64))
    ratio = np.log((max_distance - 1) / middle)
    far = np.log(np.maximum(distances, middle) / middle) / ratio * (middle - 1)
    # An integer is on the border of a bucket or well beyond: rounding does not decide.
    buckets = np.where(distances <= middle, distances, middle + np.ceil(far - 1e-9))
    return (np.sign(relative_positions) * buckets).astype(np.int64)


@checked(position_queries=_check.rows, position_keys=_check.rows, offsets=_check.integers)
def disentangled_scores(
    queries: ArrayLike,
    keys: ArrayLike,
    position_queries: ArrayLike,
    position_keys: ArrayLike,
    offsets: ArrayLike | None = None,
) -> Reals:
    """What DeBERTa adds to q · k: content asks position, and position content (He et al., 2021).

    Query t and key s with the offset s - t add q_t · K[offset] + k_s · Q[offset], where K and Q are
    projections of a trained table of offsets. There is no position with position.

    In the paper the second term reads the table at the opposite offset; its code, and so every
    checkpoint, reads both at the same place. So does this function.

    Parameters
    ----------
    queries, keys : array-like of floats, shape (..., length, d)
    position_queries, position_keys : array-like of floats, shape (2·k, d)
        Row r is the offset k - r, key minus query: the first rows are keys after the query. Offsets
        beyond count as the first or the last row.
    offsets : array-like of ints, shape (length, length), optional
        In place of `relative_positions`, such as `deberta_buckets` of them.

    Returns
    -------
    ndarray, shape (..., length, length); row = query, column = key
        To be added to the products q · k; the sum of the three is divided by √(3d).

    Raises
    ------
    TypeError, ValueError
        The arrays do not hold finite real numbers, or their shapes do not fit.

    Examples
    --------
    >>> q, k = [[1.0], [2.0]], [[10.0], [20.0]]
    >>> Q, K = [[0.5], [0.0], [-0.5], [1.0]], [[1.0], [2.0], [3.0], [4.0]]
    >>> disentangled_scores(q, k, Q, K).tolist()
    [[-2.0, 2.0], [18.0, -4.0]]
    """
    length, rows = queries.shape[-2], len(position_keys)
    _same_width(queries, keys=keys, position_queries=position_queries, position_keys=position_keys)
    _check.size("keys", keys.shape[-2], length, "rows, as many as the queries have")
    what = "an even number of rows"
    _check.require(rows % 2 == 0, "position_keys", what, position_keys.shape)
    _check.size("position_queries", len(position_queries), rows, "rows, as many as position_keys")
    offsets = relative_positions(length) if offsets is None else offsets
    wanted = (length, length)
    _check.require(offsets.shape == wanted, "offsets", f"shape {wanted}", offsets.shape)
    # Clipped first: an offset of 64 bits has no room for another number.
    row = rows // 2 - np.clip(offsets, 1 - rows // 2, rows // 2)  # (length, length)
    query, key = np.arange(length)[:, None], np.arange(length)
    with np.errstate(over="ignore", invalid="ignore"):
        asked = (queries @ position_keys.T)[..., query, row]
        asking = (keys @ position_queries.T)[..., key, row]
        return _check.fits("queries, keys", asked + asking)


def _same_width(queries, **others):
    for name, array in others.items():
        what = "columns, as many as the queries have"
        _check.size(name, array.shape[-1], queries.shape[-1], what)


@checked()
def xpos_decay(
    positions: ArrayLike, d_head: int, gamma: float = 0.4, scale_base: float = 512.0
) -> Floats:
    """What xPos multiplies pairs of a query by, and divides those of a key by (Sun et al., 2023).

    Pair i at position t has ζ_i**(t / scale_base) with ζ_i = (2i / d_head + γ) / (1 + γ), below 1:
    the score of pair i fades with the distance t - s, and fast pairs fade first. Keys after the
    query would grow in its place, so the decay is for causal models alone.

    Parameters
    ----------
    positions : number or array-like of numbers
    d_head : int, even
    gamma : float > 0
    scale_base : float > 0
        Larger is slower.

    Returns
    -------
    ndarray of float64, shape positions.shape + (d_head / 2,)
        One number for each pair: repeat it for both of its columns.

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong type or size; positions so far before 0 that the numbers overflow.

    Examples
    --------
    >>> xpos_decay([0, 512], 4).round(3).tolist()
    [[1.0, 1.0], [0.286, 0.643]]
    """
    zeta = (np.arange(0, d_head, 2) / d_head + gamma) / (1 + gamma)
    with np.errstate(over="ignore", under="ignore"):
        return _check.fits("positions", zeta ** (positions[..., None] / scale_base))


# Positions that the content counts


@checked(scores=_check.reals)
def contextual_positions(scores: ArrayLike) -> Floats:
    """Positions that count chosen keys in place of all: CoPE (Golovneva et al., 2024).

    Every query opens a gate for each key, σ(score), and the position of a key is the sum of the
    gates from it to the query. Gates that open at commas alone count commas; gates that are all
    open count tokens, and then the query itself has position 1.

    Parameters
    ----------
    scores : array-like of floats, shape (..., length, length); row = query, column = key
        Products q · k. Keys after the query are left out, as by a causal mask.

    Returns
    -------
    ndarray of float64, shape of scores: real numbers from 0 to t + 1 in row t
        0 for keys after the query. See `contextual_bias`.

    Raises
    ------
    TypeError, ValueError
        scores are not finite real numbers, or not square.

    Examples
    --------
    >>> contextual_positions([[99.0, 0.0], [99.0, -99.0]]).round(2).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    square = scores.ndim >= 2 and scores.shape[-1] == scores.shape[-2]
    _check.require(square, "scores", "square matrices", scores.shape)
    length = scores.shape[-1]
    # σ(x) without overflow: the sign decides which exponential is small.
    small = np.exp(-np.abs(scores.astype(np.float64)))
    gates = np.where(scores >= 0, 1.0, small) / (1 + small)
    gates = np.where(relative_positions(length) <= 0, gates, 0.0)
    return np.cumsum(gates[..., ::-1], axis=-1)[..., ::-1]


@checked(positions=_check.sequences, table=_check.rows)
def contextual_bias(queries: ArrayLike, positions: ArrayLike, table: ArrayLike) -> Reals:
    """What CoPE adds to the scores: q · e[p], with e between two rows (Golovneva et al., 2024).

    Parameters
    ----------
    queries : array-like of floats, shape (..., length, d)
    positions : array-like of floats, at least 0, shape (..., length, length)
        From `contextual_positions`; those beyond the table count as its last row.
    table : array-like of floats, shape (n_positions, d)
        e, a trained vector for each whole position from 0 on.

    Returns
    -------
    ndarray, shape (..., length, length); row = query, column = key

    Raises
    ------
    TypeError, ValueError
        An array does not hold finite real numbers, or their shapes do not fit; a negative
        position.

    Examples
    --------
    >>> contextual_bias([[1.0], [10.0]], [[0.5, 0.0], [9.0, 1.0]], [[0.0], [2.0]]).tolist()
    [[1.0, 0.0], [20.0, 20.0]]
    """
    _same_width(queries, table=table)
    lowest = positions.min()
    _check.require(lowest >= 0, "positions", "positions of at least 0", lowest)
    length = queries.shape[-2]
    wanted = (*queries.shape[:-1], length)
    _check.require(positions.shape == wanted, "positions", f"shape {wanted}", positions.shape)
    places = np.minimum(positions, len(table) - 1)
    lower, upper = np.floor(places).astype(int), np.ceil(places).astype(int)
    with np.errstate(over="ignore", invalid="ignore"):
        products = _check.fits("queries, table", queries @ table.T)  # (..., length, n_positions)
    share = places - lower
    near, far = (np.take_along_axis(products, row, axis=-1) for row in (lower, upper))
    return near * (1 - share) + far * share
