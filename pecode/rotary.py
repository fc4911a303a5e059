"""Rotary position embedding: queries and keys are turned, and their product sees the offset."""

from __future__ import annotations

import functools
import math
from functools import partial

import numpy as np

from pecode import _check, _phases
from pecode._check import checked, pairs
from pecode._types import ArrayLike, Reals

_BLOCK = 2**20  # bytes that are turned at once, which a level-2 cache holds
_COMPLEX = {np.dtype(np.float32): np.complex64, np.dtype(np.float64): np.complex128}
_KEPT = 2**20  # phasors that are worth keeping: 8,192 positions of 128 columns


@checked(x=partial(pairs, **_check.finite_later), layout=_check.rotary_layout)
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
    x : array-like of floats, shape (..., length, d_head), d_head even
    positions : number or array-like of numbers, broadcast to x.shape[:-1]
        Absolute positions of the rows; a cache goes on where it stopped.
    base : float > 1
        ω_i = base**(-2i / d_head).
    layout : "interleaved" or "half"
        Which columns make a pair: 2i and 2i + 1, or i and i + d_head / 2. Checkpoints hold one
        or the other.
    frequencies : array-like of floats, shape (d_head / 2,), optional
        Other ω_i, in radians per position, such as those of `pecode.scaling`. They replace the
        ones from `base`. The angle is then rounded like any float64: its error is about 1e-16
        times the angle.

    Returns
    -------
    ndarray, shape of x; float32 stays float32, everything else is float64

    Raises
    ------
    TypeError, ValueError
        x does not hold finite real numbers or has an odd width, positions are not finite real
        numbers within ±2**63 or do not fit x, base is not a finite number above 1, an unknown
        layout, or frequencies are not d_head / 2 finite numbers.

    Examples
    --------
    >>> rotate([[1.0, 0.0]], 1).round(4).tolist()
    [[0.5403, 0.8415]]
    >>> rotate([[1.0, 0.0]], 3, frequencies=[np.pi / 2]).round(4).tolist()
    [[-0.0, -1.0]]
    """
    # _rotate_block looks for NaN in x, block by block.
    _check.broadcasts("positions", positions.shape, x.shape[:-1])
    phasors = _phasors(positions, x.shape[-1], base, frequencies, x.dtype, layout)
    turned = np.empty(x.shape, x.dtype)
    with np.errstate(over="ignore", invalid="ignore"):  # found by _rotate_block
        if x.nbytes <= _BLOCK:
            _rotate_block(x, turned, *phasors)
            return turned
        phasors = [np.broadcast_to(each, (*x.shape[:-1], each.shape[-1])) for each in phasors]
        for block in _blocks(x, turned, *phasors):
            _rotate_block(*block)
    return turned


@checked(x=partial(_check.reals, minimum_ndim=1, filled=1), layout=_check.rotary_layout)
def rotate_part(
    x: ArrayLike,
    positions: ArrayLike,
    fraction: float,
    base: float = 10000.0,
    layout: str = "interleaved",
) -> Reals:
    """Partial rotary: the first columns turn, the others know no position (GPT-J, GPT-NeoX, Phi).

    The columns that turn have a ladder of their own, from 1 to near 1/base. `proportional`, in
    `pecode.scaling`, is something else: the ladder of the whole head, cut off.

    Parameters
    ----------
    x : array-like of floats, shape (..., length, d_head)
    positions, base
        As in `rotate`.
    fraction : float, above 0 and at most 1
        `partial_rotary_factor` in a config. The columns that turn are int(fraction · d_head): an
        even number of at least 2.
    layout : "interleaved" or "half"
        Of the columns that turn.

    Returns
    -------
    ndarray, shape of x; float32 stays float32, everything else is float64

    Raises
    ------
    TypeError, ValueError
        fraction does not make an even number of columns; otherwise as in `rotate`.

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

    Parameters
    ----------
    x : array-like of floats, shape (..., d_head), d_head even

    Returns
    -------
    ndarray, shape of x; float32 stays float32, everything else is float64

    Raises
    ------
    TypeError, ValueError
        x does not hold finite real numbers or has an odd width.

    Examples
    --------
    >>> to_half([0, 1, 2, 3, 4, 5]).astype(int).tolist()
    [0, 2, 4, 1, 3, 5]
    """
    return np.concatenate([x[..., 0::2], x[..., 1::2]], axis=-1)


@checked(x=pairs)
def to_interleaved(x: ArrayLike) -> Reals:
    """Columns of the half layout in the order of the other: a pair side by side.

    Takes, returns and raises what `to_half` does, and undoes it.

    Examples
    --------
    >>> to_interleaved([0, 2, 4, 1, 3, 5]).astype(int).tolist()
    [0, 1, 2, 3, 4, 5]
    """
    n = x.shape[-1] // 2
    return np.stack([x[..., :n], x[..., n:]], axis=-1).reshape(x.shape)


def _phasors(positions, d_head, base, frequencies, dtype, layout):
    """What turns the columns, for every position.

    Interleaved: exp(iθ) of every pair, one complex array of shape positions.shape + (d_head / 2,).
    Half: cosines of all columns, and sines, negative in the first half; two arrays
    positions.shape + (d_head,).

    Queries and keys of all layers stand at the same positions, so the last ones are kept.
    """
    if frequencies is not None:
        frequencies = tuple(frequencies.tolist())
    make = _kept_phasors
    if positions.size * d_head // 2 > _KEPT:
        make = make.__wrapped__
    kept = positions.tobytes(), positions.dtype, positions.shape
    return make(kept, d_head, base, frequencies, dtype, layout)


@functools.lru_cache(maxsize=4)
def _kept_phasors(positions, d_head, base, frequencies, dtype, layout):
    kept, kept_dtype, shape = positions
    positions = np.frombuffer(kept, kept_dtype).reshape(shape)
    if frequencies is None:
        angles = _phases.phases(positions, _phases.pair_steps(d_head, base))
    else:
        angles = _phases.angles(positions, np.array(frequencies), d_head // 2)
    cosines, sines = np.cos(angles), np.sin(angles)
    if layout == "half":
        halves = (cosines, cosines), (-sines, sines)
        phasors = tuple(np.concatenate(two, -1, dtype=dtype, casting="same_kind") for two in halves)
    else:
        phasors = (np.empty(angles.shape, _COMPLEX[dtype]),)
        phasors[0].real, phasors[0].imag = cosines, sines
    for each in phasors:
        each.flags.writeable = False  # shared by the cache
    return phasors


def _blocks(*arrays):
    """Cut the arrays alike, along any axis but the last, into blocks that the cache holds."""
    shape = arrays[0].shape
    axis = next((k for k, size in enumerate(shape[:-1]) if size > 1), None)
    if axis is None or arrays[0].nbytes <= _BLOCK:
        yield arrays
        return
    middle = shape[axis] // 2
    for part in (slice(None, middle), slice(middle, None)):
        index = (slice(None),) * axis + (part,)
        yield from _blocks(*(array[index] for array in arrays))


def _rotate_block(x, out, *phasors):
    """Write x, turned, to out."""
    x = np.ascontiguousarray(x)
    # A turn keeps lengths: where the sum of the squares fits a float, so does every product.
    # This is the only look at all of x for NaN and infinity, and the cache holds it from here on.
    surely_fits = math.isfinite(np.vdot(x, x))
    if len(phasors) == 1:  # every pair, read as a + ib, times its phasor
        np.multiply(x.view(phasors[0].dtype), phasors[0], out=out.view(phasors[0].dtype))
    else:
        cosines, sines = phasors
        half = np.dtype((np.void, x.itemsize * x.shape[-1] // 2))  # half a row is moved as one item
        swapped = x.view(half)[..., ::-1].copy().view(x.dtype)
        np.multiply(x, cosines, out=out)
        swapped *= sines  # (b, a) · (-sin, sin)
        out += swapped
    if not surely_fits:
        _check.reals("x", x)
        _check.fits("x", out)
