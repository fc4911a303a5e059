"""Rotary position embedding: queries and keys are turned, and their product sees the offset."""

import numpy as np

from pecode import _check
from pecode.encodings import sinusoidal

_WHY_EVEN = "its columns are turned in pairs"


def rotate(x, positions, base=10000.0, layout="interleaved"):
    """Turn every pair of columns by ω_i t, counter-clockwise (RoPE; Su et al., 2021).

    A pair (a, b) at position t becomes (a cos θ - b sin θ, a sin θ + b cos θ) with θ = ω_i t.
    The dot product of a query and a key that were both turned depends on their offset only.

    Parameters
    ----------
    x : array-like of floats, shape (..., length, d_head), d_head even
    positions : int or array-like of ints, broadcast to x.shape[:-1]
        Absolute positions of the rows; a cache goes on where it stopped.
    base : float > 1
    layout : "interleaved" or "half"
        Which columns make a pair: 2i and 2i + 1, or i and i + d_head / 2. Checkpoints hold one
        or the other.

    Returns
    -------
    ndarray, shape of x; float32 stays float32, everything else is float64

    Raises
    ------
    TypeError, ValueError
        x holds no finite real numbers or has an odd width, positions are no integers or do not
        fit x, base is no finite number above 1, an unknown layout.

    Examples
    --------
    >>> rotate([[1.0, 0.0]], 1).round(4).tolist()
    [[0.5403, 0.8415]]
    """
    x = _check.reals("x", x, minimum_ndim=1)
    d_head = x.shape[-1]
    if d_head == 0 or d_head % 2:
        raise ValueError(
            f"x: expected an even width of at least 2, got shape {x.shape}: {_WHY_EVEN}"
        )
    _check.choice("layout", layout, ("interleaved", "half"))
    positions = _check.integers("positions", positions)
    try:
        np.broadcast_to(positions, x.shape[:-1])
    except ValueError as error:
        raise ValueError(
            f"positions: expected a shape that broadcasts to {x.shape[:-1]}, the rows of x, "
            f"got {positions.shape}"
        ) from error
    hands = sinusoidal(positions, d_head, base).astype(x.dtype)  # (..., d_head)
    sin, cos = hands[..., 0::2], hands[..., 1::2]  # (..., d_head / 2)
    first, second = _pairs(d_head, layout)
    a, b = x[..., first], x[..., second]
    turned = np.empty(x.shape, x.dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        turned[..., first] = a * cos - b * sin
        turned[..., second] = a * sin + b * cos
    return _check.fits("x", turned)


def _pairs(d_head, layout):
    """Columns of the first and of the second member of every pair."""
    if layout == "interleaved":
        return slice(0, None, 2), slice(1, None, 2)
    return slice(0, d_head // 2), slice(d_head // 2, None)
