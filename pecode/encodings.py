"""Vectors for positions: counting, binary digits, sines, and sines with cosines.

Every encoding takes `positions`, a number or any array-like of numbers, and returns one vector for
each of them: float64 of shape `positions.shape + (width,)`. All are pure functions. Where the
formula asks for whole numbers, positions are ints; else they may lie between them, and before 0.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import islice

import numpy as np

from pecode import _check, _phases
from pecode._check import checked
from pecode._types import (
    Any,
    ArrayLike,
    BitOrder,
    DTypeLike,
    Floats,
    Layout,
    NDArray,
    Reals,
    Spacing,
)


@checked()
def count(positions: ArrayLike) -> Floats:
    """The `positions` themselves, each a vector of one number; beyond 2**53 a float64 rounds it.

    Examples
    --------
    >>> count([0, 1, 500]).tolist()
    [[0.0], [1.0], [500.0]]
    """
    return positions[..., None].astype(np.float64)


@checked(positions=_check.integers, length=_check.positive_length)
def normalized_count(positions: ArrayLike, length: int) -> Floats:
    """The position as a fraction of the sequence: 0 for the first, 1 for the last.

    Parameters
    ----------
    positions : ints from 0 to length - 1
    length : int
        Number of positions in the sequence. The largest position is length - 1, so that is
        what we divide by. A sequence of length 1 has the single value 0.

    Examples
    --------
    >>> normalized_count([0, 4, 5], length=6).ravel().tolist()
    [0.0, 0.8, 1.0]
    """
    _check.inside("positions", positions, length)
    return positions[..., None] / max(length - 1, 1)


@checked(positions=_check.integers)
def binary(positions: ArrayLike, n_bits: int, bit_order: BitOrder = "big") -> Floats:
    """The binary digits of the position, as zeros and ones.

    Parameters
    ----------
    positions : ints from 0 to 2**n_bits - 1
    n_bits : int, 1 to 63
    bit_order : "big" or "little"
        "big" writes the digits as on paper, ones last; "little" puts the ones first, which
        is the order of the sinusoids: fastest column first.

    Examples
    --------
    >>> binary(35, n_bits=6).astype(int).tolist()
    [1, 0, 0, 0, 1, 1]
    """
    _check.inside("positions", positions, 2**n_bits)
    bits = positions[..., None] >> np.arange(n_bits) & 1  # (..., n_bits), ones first
    return (bits if bit_order == "little" else bits[..., ::-1]).astype(np.float64)


@checked()
def frequencies(d_model: int, base: float = 10000.0, spacing: Spacing = "paper") -> Floats:
    """The frequencies ω_i of the pairs, in radians per position, fastest first.

    Parameters
    ----------
    d_model : int
        Width of the encoding. There is one frequency for each pair of columns, and one for the
        last, single column of an odd width.
    base : float > 1
    spacing : "paper" or "endpoint"
        "paper" is base**(-2i/d_model), as in Vaswani et al. (2017): the slowest frequency stays
        above 1/base. "endpoint" is base**(-i/(n-1)) for n frequencies, as in tensor2tensor,
        fairseq and several models since: the slowest is exactly 1/base.

    Examples
    --------
    >>> frequencies(8).round(6).tolist()
    [1.0, 0.1, 0.01, 0.001]
    """
    n, step = _phases.exponents(d_model, spacing)
    # Python's integers and powers, one by one: the last exponent of "endpoint" is exactly -1,
    # and every machine and version of numpy gives the same digits.
    over, under = step.numerator, step.denominator
    return np.array([base ** (-k * over / under) for k in range(n)])


def wavelengths(d_model: int, base: float = 10000.0, spacing: Spacing = "paper") -> Floats:
    """Positions in one full turn of each pair: 2π / frequencies(d_model, base, spacing).

    Examples
    --------
    >>> wavelengths(8).round(2).tolist()
    [6.28, 62.83, 628.32, 6283.19]
    """
    with np.errstate(over="ignore"):
        return _check.no_overflow("base", 2 * math.pi / frequencies(d_model, base, spacing))


@checked()
def sine_only(
    positions: ArrayLike, d_model: int, base: float = 10000.0, frequencies: ArrayLike | None = None
) -> Floats:
    """One sine per column, sin(ω_j t): smooth and bounded, but without its other half.

    Parameters
    ----------
    positions : numbers
    d_model : int
        Width of the encoding, and number of frequencies.
    base : float > 1
        The frequencies are base**(-j/d_model), j = 0 … d_model - 1.
    frequencies : d_model floats, optional
        In radians per position, in place of the ones from `base`. The angle is then rounded like
        any float64: its error is about 1e-16 times the angle.

    Examples
    --------
    >>> sine_only(1, 2).round(4).tolist()
    [0.8415, 0.01]
    >>> sine_only([0, 1, 2], 1, frequencies=[np.pi / 2]).round(4).ravel().tolist()
    [0.0, 1.0, 0.0]
    """
    if frequencies is None:
        return np.sin(_phases.phases(positions, _phases.steps(d_model, Fraction(1, d_model), base)))
    return np.sin(_phases.angles(positions, frequencies, d_model))


@checked()
def sinusoidal(
    positions: ArrayLike,
    d_model: int,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
    dtype: DTypeLike = np.float64,
) -> Reals:
    """The sinusoidal positional encoding of Vaswani et al. (2017), section 3.5.

    Pair i of the vector for position t is sin(ω_i t), cos(ω_i t), with ω_i from `frequencies`.
    Each float64 entry is within 1e-15 of the true value, and within 2e-15 at positions beyond
    2**32.

    Parameters
    ----------
    positions : numbers
    d_model : int
        Width. The last column of an odd width is a sine.
    base, spacing
        As in `frequencies`.
    layout : "interleaved" or "concatenated"
        sin, cos, sin, cos, … or all sines, then all cosines.
    dtype : float16, float32 or float64
        Computed in float64, then rounded once.

    Examples
    --------
    >>> sinusoidal(5, 8).round(3).tolist()
    [-0.959, 0.284, 0.479, 0.878, 0.05, 0.999, 0.005, 1.0]
    >>> sinusoidal([[0, 1, 2]], 8).shape
    (1, 3, 8)
    """
    phases = _phases.phases(positions, _phases.pair_steps(d_model, base, spacing))  # ω_i t
    encoding = np.empty((*positions.shape, d_model), dtype)
    sines, cosines = split_columns(encoding, layout)
    sines[...] = np.sin(phases)
    cosines[...] = np.cos(phases[..., : d_model // 2])  # the last column of an odd width is a sine
    return encoding


@checked()
def sinusoidal_table(
    length: int,
    d_model: int,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
    dtype: DTypeLike = np.float64,
    out: NDArray[Any] | None = None,
) -> Reals:
    """The rows 0 … length - 1 of `sinusoidal`, built fast.

    The translation theorem at work: a block of near positions is computed once, and every further
    block is the same block, turned. One complex product replaces a sine and a cosine. Each
    float64 entry is within 3e-15 of the true value; float32 entries are correct to the last bit
    or one beside it (3.1e-8).

    Parameters
    ----------
    length : int
    d_model, base, layout, spacing, dtype
        As in `sinusoidal`.
    out : ndarray of dtype, shape (length, d_model), optional
        Filled and returned, in place of a new array.

    Examples
    --------
    >>> bool(np.allclose(sinusoidal_table(100, 8), sinusoidal(np.arange(100), 8), atol=1e-14))
    True
    """
    shape = length, d_model
    out = np.empty(shape, dtype) if out is None else _check.output("out", out, shape, dtype)
    width = d_model, base, spacing
    rows = _phases.near_rows((d_model + 1) // 2)
    # i·exp(-iθ) = sin θ + i·cos θ: each pair is one complex number
    near = _phases.first_phasors(min(length, rows), rows, *width, stride=-1, start=1j)  # (rows, n)
    _write(near, out[:rows], layout)
    if length <= rows:
        return out
    far = _phases.first_phasors(-(-length // rows), 16, *width, stride=-rows)  # (blocks, n)
    numbers = _as_complex(out, layout)
    n = near.shape[1]
    # numpy rounds to float32 in a buffer, fastest when it holds a row: it takes multiples of 16.
    before = np.setbufsize(n if n % 16 == 0 and n >= 128 else 8192)
    try:
        for block, first, turn in islice(_phases.turned(near, far, length), 1, None):
            if numbers is None:
                _write(first * turn, out[block], layout)
            else:
                np.multiply(first, turn, out=numbers[block], casting="same_kind")
    finally:
        np.setbufsize(before)
    return out


def _write(numbers, out, layout):
    """Write sin + i·cos to the columns."""
    d_model = out.shape[1]
    if layout == "interleaved":  # real and imaginary parts alternate, as the columns do
        out[...] = numbers.view(np.float64)[:, :d_model]
    else:
        sines, cosines = split_columns(out, layout)
        sines[...], cosines[...] = numbers.real, numbers.imag[:, : d_model // 2]


def _as_complex(out, layout):
    """A table as the complex numbers sin + i·cos, if products can be written there; else None."""
    together = layout == "interleaved" and out.shape[1] % 2 == 0 and out.strides[1] == out.itemsize
    if together and out.dtype != np.float16:
        return out.view(np.result_type(out.dtype, np.complex64))
    return None


@checked(encoding=_check.anything)
def split_columns(
    encoding: NDArray[Any], layout: Layout = "interleaved"
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The sine columns and the cosine columns of an `encoding`, as two views.

    Examples
    --------
    >>> sines, cosines = split_columns(sinusoidal(0, 6, layout="concatenated"), "concatenated")
    >>> sines.tolist(), cosines.tolist()
    ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])
    """
    if layout == "interleaved":
        return encoding[..., 0::2], encoding[..., 1::2]
    n_sines = (encoding.shape[-1] + 1) // 2
    return encoding[..., :n_sines], encoding[..., n_sines:]
