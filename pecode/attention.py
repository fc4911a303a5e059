"""Self-attention in a few lines, to see what it knows of order."""

from __future__ import annotations

import math

import numpy as np

from pecode import _check
from pecode._check import anything, checked, sequences
from pecode._types import ArrayLike, Bools, Reals


@checked()
def softmax(scores: ArrayLike, axis: int = -1) -> Reals:
    """Positive weights that sum to 1 along `axis`, in the shape of `scores`.

    A score may be -inf, and gets weight 0, as long as another score in its row is finite.

    Examples
    --------
    >>> softmax([0.0, 0.0, -np.inf]).tolist()
    [0.5, 0.5, 0.0]
    """
    _check.integer("axis", axis, minimum=-scores.ndim, maximum=scores.ndim - 1)
    highest = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    what = "no NaN, no +inf and a finite score in every row"
    _check.require(np.isfinite(highest).all(), "scores", what, highest)
    with np.errstate(over="ignore"):  # a difference of -inf is a weight of 0
        weights = scores - highest  # the largest becomes 0: no overflow
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=axis, keepdims=True)
    return weights


@checked()
def causal_mask(length: int) -> Bools:
    """True where a position may look: at itself and at what came before.

    Returns shape (length, length); the row is the position that looks.

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
    """Attention weights: the softmax of the scaled dot products.

    Parameters
    ----------
    x : floats, shape (..., length, d_model)
    w_query, w_key : floats, shape (d_model, d_head)
    mask : bool, broadcasts to (..., length, length)
        True where the row's position may look at the column's.
    bias : floats, broadcasts to (..., length, length)
        Added to the scores after they are scaled.

    Returns
    -------
    ndarray, shape (..., length, length); every row sums to 1
    """
    query, key = _project(x, "w_query", w_query), _project(x, "w_key", w_key)
    d_head = query.shape[-1]
    _check.size("w_key", key.shape[-1], d_head, "columns, as many as w_query has")
    with np.errstate(over="ignore", invalid="ignore"):
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(d_head)  # (..., length, length)
    _check.no_overflow("x, w_query, w_key", scores)
    if bias is not None:
        _check.broadcasts("bias", bias.shape, scores.shape)
        scores = scores + bias
    if mask is not None:
        _check.broadcasts("mask", mask.shape, scores.shape)
        mask = np.broadcast_to(mask, scores.shape)
        sees_one = mask.any(axis=-1).all()
        _check.require(sees_one, "mask", "every position to see at least one", "a row of False")
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
    x, w_query, w_key, mask, bias
        As in `attention_weights`.
    w_value : floats, shape (d_model, d_value)

    Returns
    -------
    ndarray, shape (..., length, d_value)

    Examples
    --------
    >>> x, identity = np.eye(3), np.eye(3)
    >>> self_attention(x, identity, identity, identity).shape
    (3, 3)
    """
    weights = attention_weights(x, w_query, w_key, mask, bias)
    return weights @ _project(x, "w_value", w_value)


def _project(x, name, matrix):
    """Return x @ matrix; errors name the matrix."""
    _check.size(name, len(matrix), x.shape[-1], "rows, as many as x has columns")
    with np.errstate(over="ignore", invalid="ignore"):
        return _check.no_overflow(f"x, {name}", x @ matrix)
