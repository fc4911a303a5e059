"""Self-attention in a few lines, to see what it knows of order."""

import math

import numpy as np

from pecode import _check


def softmax(scores, axis=-1):
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
        scores are no real numbers, hold NaN or +inf, or a whole row is -inf.

    Examples
    --------
    >>> softmax([0.0, 0.0, -np.inf]).tolist()
    [0.5, 0.5, 0.0]
    """
    scores = _check.reals("scores", scores, minimum_ndim=1, finite=False)
    axis = _check.integer("axis", axis, minimum=-scores.ndim, maximum=scores.ndim - 1)
    if scores.shape[axis] == 0:
        raise ValueError(f"scores: expected at least one score in a row, got shape {scores.shape}")
    highest = scores.max(axis=axis, keepdims=True)
    if not np.isfinite(highest).all():
        worst = highest[~np.isfinite(highest)][0]
        raise ValueError(
            "scores: expected no NaN, no +inf and a finite score in every row, "
            f"got a row with {worst} as its largest"
        )
    with np.errstate(over="ignore"):  # a difference of -inf is a weight of 0
        weights = np.exp(scores - highest)  # the largest becomes 1: no overflow
    return weights / weights.sum(axis=axis, keepdims=True)


def causal_mask(length):
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
        length is no integer or negative.

    Examples
    --------
    >>> causal_mask(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    length = _check.length(length)
    return np.tri(length, dtype=bool)


def attention_weights(x, w_query, w_key, mask=None, bias=None):
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
        Inputs that are no finite real numbers or do not fit one another, a mask that is not
        bool, a row that may look nowhere.
    """
    x = _check.reals("x", x, minimum_ndim=2)
    if 0 in x.shape[-2:]:
        raise ValueError(f"x: expected at least one position and one column, got shape {x.shape}")
    query, key = _project(x, "w_query", w_query), _project(x, "w_key", w_key)
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"w_key: expected {query.shape[-1]} columns like w_query, got {key.shape[-1]}"
        )
    with np.errstate(over="ignore", invalid="ignore"):
        scores = query @ key.swapaxes(-1, -2) / math.sqrt(query.shape[-1])  # (..., length, length)
    _check.fits("x, w_query, w_key", scores)
    if bias is not None:
        bias = _check.reals("bias", bias)
        scores = scores + _fit("bias", bias, scores.shape)
    if mask is not None:
        mask = _fit("mask", _check.bools("mask", mask), scores.shape)
        if not mask.any(axis=-1).all():
            raise ValueError(
                "mask: expected every position to see at least one, got a row of False"
            )
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores)


def self_attention(x, w_query, w_key, w_value, mask=None, bias=None):
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
    return weights @ _project(_check.reals("x", x), "w_value", w_value)


def _project(x, name, matrix):
    """X @ matrix, with a message that names the matrix where they do not fit."""
    matrix = _check.reals(name, matrix, ndim=2)
    if matrix.shape[0] != x.shape[-1]:
        raise ValueError(
            f"{name}: expected {x.shape[-1]} rows, the width of x, got shape {matrix.shape}"
        )
    if matrix.shape[1] == 0:
        raise ValueError(f"{name}: expected at least one column, got shape {matrix.shape}")
    with np.errstate(over="ignore", invalid="ignore"):
        return _check.fits(f"x, {name}", x @ matrix)


def _fit(name, array, shape):
    """array, seen in the shape of the scores."""
    try:
        return np.broadcast_to(array, shape)
    except ValueError as error:
        raise ValueError(
            f"{name}: expected a shape that broadcasts to {shape}, got {array.shape}"
        ) from error
