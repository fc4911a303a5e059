"""Rotary position embedding: queries and keys are turned, and their product sees the offset."""

from __future__ import annotations

import math
from functools import lru_cache, partial

import numpy as np

from pecode import _check, _phases
from pecode._check import checked, pairs
from pecode._types import ArrayLike, Reals, RotaryLayout

_BLOCK = 2**18  # numbers turned at once: of float32 1 MB, which a level-2 cache holds
_FEW = 2**13  # phasors that are always made at once
_KEPT = 2**17  # phasors that are kept for the next call: 2,048 positions of 128 columns
_FRESH = 2**25  # bytes: as much as malloc in glibc keeps for the next call; more is new each time


@checked(x=partial(pairs, finite=False, copy=False), layout=_check.rotary_layout)
def rotate(
    x: ArrayLike,
    positions: ArrayLike,
    base: float = 10000.0,
    layout: RotaryLayout = "interleaved",
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
    try:
        _check.broadcasts("positions", positions.shape, x.shape[:-1])
    except ValueError:
        _check.reals("x", x)  # what is wrong with x is said first
        raise
    n = x.shape[-1] // 2
    if frequencies is not None:
        _check.size("frequencies", len(frequencies), n, "numbers")
        frequencies = tuple(frequencies.tolist())
    x, out = _with_result(x)
    as_columns = layout == "half" and x.size > _BLOCK
    most = max(_FEW, x.size // 64)  # phasors at once: where rows are many for each, all of them
    for part, rows, turned in _parts(most // n, positions, x, out):
        phasors = _phasors(part, 2 * n, base, frequencies, x.dtype, as_columns)
        _rotate(rows, turned, phasors, layout)
    return out


@checked(x=partial(_check.reals, minimum_ndim=1, filled=1), layout=_check.rotary_layout)
def rotate_part(
    x: ArrayLike,
    positions: ArrayLike,
    fraction: float,
    base: float = 10000.0,
    layout: RotaryLayout = "interleaved",
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
    x, out = _with_result(x)
    phasors = _exp(angles, x.dtype)
    as_columns = layout == "half" and x.size > _BLOCK
    _rotate(x, out, _columns(phasors) if as_columns else (phasors,), layout)
    return out


def _with_result(x):
    """X and memory for the result; where that is new, both are a copy of x, turned in place.

    A copy fills new pages so much faster than products do that a second pass is cheaper.
    """
    return (x, np.empty(x.shape, x.dtype)) if x.nbytes < _FRESH else (x.copy(),) * 2


def _parts(most, positions, x, out):
    """Positions, x and out in parts of at most so many positions."""
    if positions.size <= most:
        return ((positions, x, out),)
    positions = positions.reshape((1,) * (x.ndim - 1 - positions.ndim) + (*positions.shape, 1))
    return ((part[..., 0], *rows) for part, *rows in _phases.cut(most, positions, x, out))


def _phasors(positions, d_head, base, frequencies, dtype, as_columns):
    """What turns the pairs at every position: exp(iθ), or the two arrays of `_columns`.

    Queries and keys of all layers stand at the same positions, so the last ones are kept.
    """
    kept = positions.tobytes(), positions.dtype, positions.shape
    make = _kept_phasors if positions.size * d_head <= 2 * _KEPT else _kept_phasors.__wrapped__
    return make(kept, d_head, base, frequencies, dtype, as_columns)


@lru_cache(maxsize=4)
def _kept_phasors(positions, d_head, base, frequencies, dtype, as_columns):
    kept, kept_dtype, shape = positions
    positions = np.frombuffer(kept, kept_dtype).reshape(shape)
    if frequencies is not None:
        phasors = _exp(_phases.angles(positions, np.array(frequencies), d_head // 2), dtype)
    elif dtype == np.float32 and _are_consecutive(positions.ravel()):
        phasors = _phases.consecutive(positions.ravel(), d_head, base)
        phasors = phasors.reshape(*positions.shape, -1)
    else:
        phasors = _exp(_phases.phases(positions, _phases.pair_steps(d_head, base)), dtype)
    arrays = _columns(phasors) if as_columns else (phasors,)
    for each in arrays:
        each.flags.writeable = False  # shared by the cache
    return arrays


def _are_consecutive(t):
    return len(t) > 16 and t.dtype.kind == "i" and (np.diff(t) == 1).all()


def _exp(angles, dtype):
    phasors = np.empty(angles.shape, np.result_type(dtype, np.complex64))
    phasors.real, phasors.imag = np.cos(angles), np.sin(angles)
    return phasors


def _columns(phasors):
    """For halves (a, b): what (a, b) is multiplied by, and then (b, a): cosines and ∓ sines."""
    cosines, sines = phasors.real, phasors.imag
    return np.concatenate([cosines, cosines], -1), np.concatenate([-sines, sines], -1)


def _rotate(x, out, phasors, layout):
    """Write x, turned, to out, which may be x; the phasors broadcast to the rows."""
    turn = _turn_neighbors if layout == "interleaved" else _turn_halves
    if len(phasors) == 2:  # fresh memory for every block would take longer than the products
        turn = partial(_turn_many_halves, np.empty(min(x.size, _BLOCK + x.shape[-1]), x.dtype))
    blocks = ((x, out, *phasors),)
    if x.size > _BLOCK:
        phasors = [np.broadcast_to(each, (*x.shape[:-1], each.shape[-1])) for each in phasors]
        blocks = _phases.cut(_BLOCK, x, out, *phasors)
    for x, out, *phasors in blocks:
        x = np.ascontiguousarray(x)
        # A turn keeps lengths: where the sum of the squares fits a float, so does every product.
        # This is the only look at all of x for NaN, and the cache holds it from here on.
        if math.isfinite(np.vdot(x, x)):
            turn(x, out, *phasors)
            continue
        _check.reals("x", x)
        with np.errstate(over="ignore", invalid="ignore"):
            turn(x, out, *phasors)
        _check.no_overflow("x", out)


def _turn_neighbors(x, out, phasors):
    """Columns 2i and 2i + 1: neighbors in memory are already a complex number a + ib."""
    np.multiply(x.view(phasors.dtype), phasors, out=out.view(phasors.dtype))


def _turn_halves(x, out, phasors):
    """Columns i and i + d_head / 2, brought together and parted again."""
    n = x.shape[-1] // 2
    numbers = np.empty((*x.shape[:-1], n), phasors.dtype)
    numbers.real, numbers.imag = x[..., :n], x[..., n:]
    numbers *= phasors
    out[..., :n], out[..., n:] = numbers.real, numbers.imag


def _turn_many_halves(scratch, x, out, cosines, sines):
    """The same with `_columns`: (a, b) · (cos, cos) + (b, a) · (-sin, sin), whole rows at once."""
    half = np.dtype((np.void, x.itemsize * x.shape[-1] // 2))  # is moved as one item
    swapped = scratch[: x.size].reshape(x.shape)
    swapped.view(half)[...] = x.view(half)[..., ::-1]
    swapped *= sines
    np.multiply(x, cosines, out=out)
    out += swapped
