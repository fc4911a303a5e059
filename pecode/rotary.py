"""Rotary position embedding: queries and keys are turned, and their product sees the offset."""

from __future__ import annotations

from functools import partial

import numpy as np

from pecode import _check, _phases
from pecode._check import checked, pairs
from pecode._types import ArrayLike, Reals


@checked(x=pairs, layout=_check.rotary_layout)
def rotate(
    x: ArrayLike,
    positions: ArrayLike,
    base: float = 10000.0,
    layout: str = "interleaved",
    frequencies: ArrayLike | None = None,
) -> Reals:
    """Turn every pair of columns by ω_i t, counterclockwise (RoPE; Su et al., 2021).

    A pair (a, b) at position t becomes (a cos θ - b sin θ, a sin θ + b cos θ) with θ = ω_i t:
    the complex number a + ib, times exp(iθ). The dot product of a query and a key that were
    both turned depends on their offset only.

    Parameters
    ----------
    x : floats, shape (..., length, d_head), d_head even
    positions : numbers, broadcast to x.shape[:-1]
        Absolute positions of the rows; a cache goes on where it stopped.
    base : float > 1
        ω_i = base**(-2i / d_head).
    layout : "interleaved" or "half"
        Which columns make a pair: 2i and 2i + 1, or i and i + d_head / 2. Checkpoints hold one
        or the other.
    frequencies : floats, shape (d_head / 2,), optional
        Other ω_i, in radians per position, such as those of `pecode.scaling`. They replace the
        ones from `base`. The angle is then rounded like any float64: its error is about 1e-16
        times the angle.

    Returns
    -------
    ndarray, shape of x; float32 stays float32, everything else is float64

    Examples
    --------
    >>> rotate([[1.0, 0.0]], 1).round(4).tolist()
    [[0.5403, 0.8415]]
    >>> rotate([[1.0, 0.0]], 3, frequencies=[np.pi / 2]).round(4).tolist()
    [[-0.0, -1.0]]
    """
    _check.broadcasts("positions", positions.shape, x.shape[:-1])
    if frequencies is None:
        angles = _phases.phases(positions, _phases.pair_steps(x.shape[-1], base))
    else:
        angles = _phases.angles(positions, frequencies, x.shape[-1] // 2)
    return rotate_by_angles(x, angles, layout)


@checked(x=partial(_check.reals, minimum_ndim=1, filled=1), layout=_check.rotary_layout)
def rotate_part(
    x: ArrayLike,
    positions: ArrayLike,
    fraction: float,
    base: float = 10000.0,
    layout: str = "interleaved",
) -> Reals:
    """Partial rotary: the first columns turn, the others do not (GPT-J, GPT-NeoX, Phi).

    The columns that turn have frequencies of their own, from 1 to near 1/base. `proportional`, in
    `pecode.scaling`, is something else: the frequencies of the whole head, cut off.

    Parameters
    ----------
    x, positions, base, layout
        As in `rotate`; the layout is that of the columns that turn.
    fraction : float, above 0 and at most 1
        `partial_rotary_factor` in a config. The columns that turn are int(fraction · d_head): an
        even number of at least 2.

    Examples
    --------
    >>> rotate_part([1.0, 0.0, 7.0, 8.0], 1, fraction=0.5).round(4).tolist()
    [0.5403, 0.8415, 7.0, 8.0]
    """
    width = int(fraction * x.shape[-1])
    what = f"a share of {x.shape[-1]} columns that makes an even number of at least 2"
    got = f"{fraction:g}, {width} of them"
    _check.require(width >= 2 and width % 2 == 0, "fraction", what, got)
    turned = rotate(x[..., :width], positions, base, layout)
    return np.concatenate([turned, x[..., width:]], axis=-1)


@checked(x=pairs)
def to_half(x: ArrayLike) -> Reals:
    """Columns of the interleaved layout in the order of the other: all a, then all b.

    rotate(to_half(x), t, layout="half") == to_half(rotate(x, t)). Reordering the columns that
    the query and key projections put out turns a checkpoint of one layout into one of the other:
    x @ to_half(w) == to_half(x @ w). Where weights are stored as (out, in), those are the rows.

    Examples
    --------
    >>> to_half([0, 1, 2, 3, 4, 5]).astype(int).tolist()
    [0, 2, 4, 1, 3, 5]
    """
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


@checked(x=pairs)
def to_interleaved(x: ArrayLike) -> Reals:
    """Columns of the half layout in the order of the other, a pair side by side.

    to_interleaved(to_half(x)) == x.

    Examples
    --------
    >>> to_interleaved([0, 2, 4, 1, 3, 5]).astype(int).tolist()
    [0, 1, 2, 3, 4, 5]
    """
    n = x.shape[-1] // 2
    return np.stack([x[..., :n], x[..., n:]], axis=-1).reshape(x.shape)


def rotate_by_angles(x, angles, layout):
    """Rotate the pairs of x by angles, shape (..., d_head / 2): each is a + ib, times exp(iθ)."""
    complex_type = np.result_type(x.dtype, np.complex64)
    phasors = np.empty(angles.shape, complex_type)
    phasors.real, phasors.imag = np.cos(angles), np.sin(angles)
    with np.errstate(over="ignore", invalid="ignore"):
        if layout == "interleaved":  # neighbors in memory are already a complex number
            numbers = np.ascontiguousarray(x).view(complex_type) * phasors
            return _check.no_overflow("x", numbers.view(x.dtype))
        n = x.shape[-1] // 2
        numbers = np.empty((*x.shape[:-1], n), complex_type)
        numbers.real, numbers.imag = x[..., :n], x[..., n:]
        numbers *= phasors
    return _check.no_overflow("x", np.concatenate([numbers.real, numbers.imag], axis=-1))
