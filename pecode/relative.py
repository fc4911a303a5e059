"""Relative positions: how far the key stands from the query, and terms of the score made of it."""

import numpy as np

from pecode import _check


def relative_positions(length):
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
        length is no integer or negative.

    Examples
    --------
    >>> relative_positions(3).tolist()
    [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    """
    t = np.arange(_check.length(length))
    return t - t[:, None]


def clipped_relative_positions(length, clip):
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
        length or clip are no integers or negative.

    Examples
    --------
    >>> clipped_relative_positions(4, clip=1)[0].tolist()
    [0, 1, 1, 1]
    """
    clip = _check.integer("clip", clip, minimum=0)
    return np.clip(relative_positions(length), -clip, clip)


def alibi_slopes(n_heads):
    """The slopes of ALiBi: 2**(-8 k / n_heads), k = 1 … n_heads (Press et al., 2022, section 3).

    A head count that is no power of two gets the slopes of the next lower power, and every
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
        n_heads is no integer of at least 1.

    Examples
    --------
    >>> alibi_slopes(4).tolist()
    [0.25, 0.0625, 0.015625, 0.00390625]
    >>> alibi_slopes(3).tolist()
    [0.0625, 0.00390625, 0.25]
    """
    n_heads = _check.integer("n_heads", n_heads, minimum=1, maximum=2**20)
    lower = 2 ** (n_heads.bit_length() - 1)

    def slopes(n):
        return 2.0 ** (-8 * np.arange(1, n + 1) / n)

    return np.concatenate([slopes(lower), slopes(2 * lower)[::2][: n_heads - lower]])


def alibi_bias(length, slopes):
    """The bias of ALiBi: every position of distance costs `slope` (Press et al., 2022).

    Parameters
    ----------
    length : int, at least 0
    slopes : array-like of floats, shape (n_heads,)
        See `alibi_slopes`.

    Returns
    -------
    ndarray of float64, shape (n_heads, length, length)
        To be added to the scores. It is the same on both sides: a causal mask is not in it.

    Raises
    ------
    TypeError, ValueError
        length is no integer or negative, slopes are no finite real numbers along one axis.

    Examples
    --------
    >>> alibi_bias(3, [0.5])[0].tolist()
    [[0.0, -0.5, -1.0], [-0.5, 0.0, -0.5], [-1.0, -0.5, 0.0]]
    """
    distances = np.abs(relative_positions(length))
    slopes = _check.reals("slopes", slopes, ndim=1).astype(np.float64)
    with np.errstate(over="ignore"):
        bias = -slopes[:, None, None] * distances + 0.0  # no negative zero on the diagonal
    return _check.fits("slopes", bias)
