"""Phases without rounding: position times frequency, less the whole turns.

`positions * frequencies` in float64 keeps 53 bits of the product. At position 131,072 seventeen
of them stand before the point, mostly for whole turns, which sine and cosine throw away, and
the error has grown to 1.4e-11. Here a phase is a fraction of a turn, counted in units of
2**-64 turn: 64-bit integers overflow, and what overflows is exactly the whole turns.
The remainder is exact, so the error of a sine stays below 2e-15, whatever the position.
"""

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pecode import _check

_TWO_PI = Decimal("6.283185307179586476925286766559005768394338798750211641949889184615632812572")
# Bits kept while the frequencies are multiplied up. Each product drops less than 2**-160, so after
# a million of them 2**-140 is wrong. A position below 2**63 makes that 2**-77 of a turn: nothing.
_GUARD = 160


# 70 decimal digits are more than the 160 bits; a context of the caller's must not change them.
_EXACT = Context(prec=70, Emin=MIN_EMIN, Emax=MAX_EMAX, rounding=ROUND_HALF_EVEN, traps=[])


class Steps(NamedTuple):
    """How far every pair turns in one position, in units of 2**-64 turn: whole units and rest."""

    whole: np.ndarray  # (n,) uint64
    rest: np.ndarray  # (n,) float64, in [0, 1)


@lru_cache(maxsize=128)
def steps(n_frequencies, exponent_step, base):
    """Steps of the frequencies base**(-k * exponent_step), k = 0 … n-1; the step is a Fraction."""
    with localcontext(_EXACT):
        exponent = -Decimal(exponent_step.numerator) / Decimal(exponent_step.denominator)
        ratio = int((exponent * Decimal(base).ln()).exp() * 2**_GUARD)
        step = int(2**_GUARD / _TWO_PI)  # frequency 1 turns 1/2π of a turn per position
    all_steps = []
    for _ in range(n_frequencies):
        all_steps.append(step)
        step = step * ratio >> _GUARD
    rest_bits = _GUARD - 64
    whole = np.array([step >> rest_bits for step in all_steps], dtype=np.uint64)
    rest = np.array([float(step % 2**rest_bits) for step in all_steps]) * 2.0**-rest_bits
    whole.flags.writeable = rest.flags.writeable = False  # shared by the cache
    return Steps(whole, rest)


def exponents(d_model, spacing):
    """Number of frequencies of an encoding, and the step of their exponents as a Fraction."""
    n = (d_model + 1) // 2
    return n, Fraction(2, d_model) if spacing == "paper" else Fraction(1, max(n - 1, 1))


@lru_cache(maxsize=128)
def pair_steps(d_model, base, spacing="paper"):
    """Steps of the pairs of an encoding, fastest first."""
    return steps(*exponents(d_model, spacing), base)


def phases(positions, steps):
    """Angles in radians of every pair at every position, less whole turns: all within ±3π.

    positions: int64 or float64, any shape; steps: Steps of n frequencies; returns
    positions.shape + (n,). A float is an integer and what is left of it: at most half a position,
    whose phase needs no reduction.
    """
    if positions.dtype.kind == "f":
        nearest = np.rint(positions)
        frequencies = (steps.whole + steps.rest) * (math.tau / 2**64)
        between = (positions - nearest)[..., None] * frequencies
        return phases(nearest.astype(np.int64), steps) + between
    positions = positions[..., None]  # (..., 1)
    # The product wraps round at 2**64, which is one turn: that is the reduction. Seen as signed,
    # what is left lies within half a turn; two's complement makes it right for negative positions.
    whole = (positions.astype(np.uint64) * steps.whole).view(np.int64)  # (..., n)
    return (whole + positions * steps.rest) * (math.tau / 2**64)


def angles(positions, frequencies, n):
    """Angles in radians with any n frequencies, rounded as products of floats are."""
    _check.size("frequencies", len(frequencies), n, "numbers")
    with np.errstate(over="ignore"):
        products = positions[..., None] * frequencies  # (..., n)
    return _check.no_overflow("positions, frequencies", products)


def phasors(count, steps, stride=1, start=1):
    """Numbers start · exp(i · phase) at positions 0, stride, 2·stride, …: complex (count, n).

    Built by doubling: the second half of 2m rows is the first half, turned on by m strides.
    A negative stride turns the other way: exp(-i · phase).
    """
    doublings = max(count - 1, 0).bit_length()
    angles = phases(stride * 2 ** np.arange(doublings), steps)  # (doublings, n)
    out = np.empty((count, len(steps.whole)), dtype=np.complex128)
    out[:1] = start
    for j, turn in enumerate(np.cos(angles) + 1j * np.sin(angles)):
        second = out[2**j : 2 ** (j + 1)]  # shorter than the first at the end of the array
        np.multiply(out[: len(second)], turn, out=second)
    return out


_BLOCK = 2**14  # phasors in a block: 256 KB, which a level-2 cache holds beside what they make


def near_rows(n):
    """Rows in a block of n pairs; fewer than 16 would make the turns of all blocks large."""
    return max(_BLOCK // n, 16)


def first_phasors(count, most, d_model, base, spacing="paper", stride=1, start=1):
    """The first `count` rows of `phasors`. Up to `most` are kept for a width and a base."""
    if count > most or most * d_model > 2 * _BLOCK:
        return phasors(count, pair_steps(d_model, base, spacing), stride, start)
    return _kept_phasors(most, d_model, base, spacing, stride, start)[:count]


@lru_cache(maxsize=32)
def _kept_phasors(count, d_model, base, spacing, stride, start):
    kept = phasors(count, pair_steps(d_model, base, spacing), stride, start)
    kept.flags.writeable = False  # shared by the cache
    return kept


def turned(near, far, length):
    """For each block of `length` rows: where it stands, the near rows, and what turns them."""
    for first, turn in zip(range(0, length, len(near)), far, strict=True):
        yield slice(first, first + len(near)), near[: length - first], turn


def cut(most, leader, *others):
    """Cut arrays alike, along all axes but the last, until the leader has at most `most` entries.

    The others have the leader's axes. Where one of them has size 1 on an axis, it stays whole.
    """
    axis = next((k for k, size in enumerate(leader.shape[:-1]) if size > 1), None)
    if leader.size <= most or axis is None:
        yield leader, *others
        return
    length = leader.shape[axis]
    step = max(most * length // leader.size, 1)
    for first in range(0, length, step):
        index = (slice(None),) * axis + (slice(first, first + step),)
        yield from cut(most, leader[index], *(a if a.shape[axis] < 2 else a[index] for a in others))


def consecutive(positions, d_model, base):
    """Phasors in complex64 of positions t, t + 1, t + 2, …, made like the blocks of a table."""
    rows, n = near_rows(d_model // 2), d_model // 2
    near = first_phasors(min(len(positions), rows), rows, d_model, base)
    angles = phases(positions[::rows], pair_steps(d_model, base))
    out = np.empty((len(positions), n), np.complex64)
    for block, numbers, turn in turned(near, np.cos(angles) + 1j * np.sin(angles), len(out)):
        np.multiply(numbers, turn, out=out[block], casting="same_kind")
    return out
