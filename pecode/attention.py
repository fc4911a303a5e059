"""Self-attention in a few lines, to see what it knows of order."""

from __future__ import annotations

import math

import numpy as np

from pecode import _check
from pecode._check import anything, checked, sequences
from pecode._types import ArrayLike, Bools, Reals


@checked()
def softmax(scores: ArrayLike, axis: int = -1) -> Reals:
    """Positive weights that sum to 1 along an axis.

    Parameters
    ----------
    scores : array-like of floats
        -inf is allowed and gets weight 0, as long as one score in its row is finite.
    axis : int

    Returns
    -------
    ndarray, shape of scores

    Raises
    ------
    TypeError, ValueError
        scores are not real numbers, hold NaN or +inf, or a whole row is -inf.

    Examples
    --------
    >>> softmax([0.0, 0.0, -np.inf]).tolist()
    [0.5, 0.5, 0.0]
    """
    _check.integer("axis", axis, minimum=-scores.ndim, maximum=scores.ndim - 1)
    highest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    _check.require(np.isfinite(highest).all(), "scores", "finite rows", highest)
    with np.errstate(over="ignore"):  # a difference of -inf is a weight of 0
        weights = np.exp(scores - highest)  # the largest becomes 1: no overflow
    return weights / weights.sum(axis=axis, keepdims=True)


@checked()
def causal_mask(length: int) -> Bools:
    """True where a position may look: at itself and at what came before.

    Parameters
    ----------
    length : int, at least 0

    Returns
    -------
    ndarray of bool, shape (length, length); row = the position that looks

    Raises
    ------
    TypeError, ValueError
        length is not an integer or is negative.

    Examples
    --------
    >>> causal_mask(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return np.tri(length, dtype=bool)


@checked(x=sequences)
def attention_weights(
    x: ArrayLike,
    w_query: ArrayLike,
    w_key: ArrayLike,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> Reals:
    """Who looks at whom, and how much: the softmax of the scaled dot products.

    Parameters
    ----------
    x : array-like of floats, shape (..., length, d_model)
    w_query, w_key : array-like of floats, shape (d_model, d_head)
    mask : array-like of bool, broadcast to (..., length, length), optional
        True where the row's position may look at the column's.
    bias : array-like of floats, broadcast to (..., length, length), optional
        Added to the scores, after their scaling.

    Returns
    -------
    ndarray, shape (..., length, length); every row sums to 1

    Raises
    ------
    TypeError, ValueError
        Inputs that are not finite real numbers or do not fit one another, a mask that is not
        bool, a row that may look nowhere.
    """
    query, key = _project(x, "w_query", w_query), _project(x, "w_key", w_key)
    d_head = query.shape[-1]
    _check.size("w_key", key.shape[-1], d_head, "columns, as many as w_query has")
    with np.errstate(over="ignore", invalid="ignore"):
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(d_head)  # (..., length, length)
    _check.fits("x, w_query, w_key", scores)
    if bias is not None:
        scores = scores + _check.broadcast("bias", bias, scores.shape)
    if mask is not None:
        mask = _check.broadcast("mask", mask, scores.shape)
        _check.require(mask.any(axis=-1).all(), "mask", "open rows", "a row of False")
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores)


@checked(x=sequences, w_query=anything, w_key=anything, mask=anything, bias=anything)
def self_attention(
    x: ArrayLike,
    w_query: ArrayLike,
    w_key: ArrayLike,
    w_value: ArrayLike,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> Reals:
    """Single-head scaled dot-product self-attention (Vaswani et al., 2017, equation 1).

    Parameters
    ----------
    x : array-like of floats, shape (..., length, d_model)
    w_query, w_key : array-like of floats, shape (d_model, d_head)
    w_value : array-like of floats, shape (d_model, d_value)
    mask, bias
        As in `attention_weights`.

    Returns
    -------
    ndarray, shape (..., length, d_value)

    Raises
    ------
    TypeError, ValueError
        As in `attention_weights`.

    Examples
    --------
    >>> x, identity = np.eye(3), np.eye(3)
    >>> self_attention(x, identity, identity, identity).shape
    (3, 3)
    """
    weights = attention_weights(x, w_query, w_key, mask, bias)
    return weights @ _project(x, "w_value", w_value)


def _project(x, name, matrix):
    """X @ matrix; an error calls the matrix by its name."""
    _check.size(name, len(matrix), x.shape[-1], "rows, as many as x has columns")
    with np.errstate(over="ignore", invalid="ignore"):
        return _check.fits(f"x, {name}", x @ matrix)
