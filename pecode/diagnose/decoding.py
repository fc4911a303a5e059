"""From a vector back to its position: the nearest row of a table that is never built.

A block of positions is judged as a whole. Every pair of the vector has an angle, and within a block
the pair of a row can only have the angles between those of the first and the last position: the
best of them bounds how near any row of the block can come. Slow pairs hardly turn in a block, so
they say where to look; blocks that cannot beat what was found are dropped, the others are cut into
four. Nothing is guessed: a block is dropped only when its bound says so, and the answer is the
nearest of all rows.
"""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from pecode import _check, _phases
from pecode._check import checked
from pecode._types import Any, ArrayLike, Integers
from pecode.encodings import frequencies, sinusoidal, split_columns

_CUTS = 4  # a block is cut into so many
_FOLLOWED = 3  # blocks of each vector that are followed until it has an answer
_CELLS = 2**18  # blocks times pairs that are judged at once: 2 MB for each intermediate array
# Squared distances below this are those of exact vectors: 1e-12 for each entry.
_NOTHING = 1e-24


@checked(
    encoding=partial(_check.reals, minimum_ndim=1),
    length=_check.positive_length,
    return_distance=_check.boolean,
)
def decode(
    encoding: ArrayLike,
    length: int,
    base: float = 10000.0,
    layout: str = "interleaved",
    spacing: str = "paper",
    return_distance: bool = False,
) -> Integers | Any:  # and the distances, a tuple, with return_distance
    """The position whose encoding is nearest to a vector, exact or noisy.

    It is the largest dot product with all rows of the table, for the rows of an even width have
    equal norms: under Gaussian noise the most likely position. The table is not built. For
    neighbors at the distance D, D² = 2·(d_model/2 - similarity(1)), and noise of the standard
    deviation σ in every entry, the position is right with a probability near 1 - 2Q(D/2σ), with Q
    the tail of the normal distribution, as long as only neighbors are confused.

    Parameters
    ----------
    encoding : array-like of floats, shape (..., d_model)
        One vector a row. A positive factor on an even width changes nothing.
    length : int, at least 1
        Positions 0 … length - 1 are considered.
    base, layout, spacing
        Those that `encoding` was made with.
    return_distance : bool
        Also return how far the vectors are from the rows that were found.

    Returns
    -------
    positions : ndarray of int64, shape encoding.shape[:-1]
        The smallest where several fit equally.
    distances : ndarray of float64, the same shape; with return_distance only
        Root mean square of the differences of the entries: about σ for a noisy encoding, about
        1 / √2 and more for a vector that is no encoding at all.

    Notes
    -----
    About 1 ms for a vector of 512 entries among 131,072 positions. A vector that fits nothing
    takes far longer, because no block can be dropped.

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> decode(sinusoidal([3, 70_000, 12], 64), length=100_000).tolist()
    [3, 70000, 12]
    >>> position, distance = decode([0.0, 1.0, 0.1, 0.9], 50, return_distance=True)
    >>> int(position), float(distance.round(3))
    (0, 0.071)
    """
    vectors, pairs = _prepared(encoding, base, layout, spacing)
    if vectors.shape[-1] % 2 == 0 and not vectors.any(axis=-1).all():
        raise ValueError(
            "encoding: expected vectors with a direction, got one of zeros: every position fits"
        )
    rows = vectors.reshape(-1, vectors.shape[-1])
    positions, _ = nearest(_of_unit_pairs(rows), pairs, length)
    positions = positions.reshape(vectors.shape[:-1])
    if not return_distance:
        return positions
    differences = vectors - sinusoidal(positions, vectors.shape[-1], base, spacing=spacing)
    return positions, np.sqrt((differences**2).mean(axis=-1))


def nearest(rows, pairs, length, within=np.inf):
    """The nearest position of each row and its squared distance; -1 if none is within that."""
    positions, smallest = np.full(len(rows), -1), np.full(len(rows), float(within))
    for which, found, squared in positions_within(rows, pairs, length, smallest):
        order = np.lexsort((-found, -squared))  # what is written last stays: nearest, then smallest
        which, found, squared = which[order], found[order], squared[order]
        better = (squared < smallest[which]) | (
            (squared == smallest[which]) & (found < positions[which])
        )
        which, found, squared = which[better], found[better], squared[better]
        positions[which], smallest[which] = found, squared
    return positions, smallest


def _of_unit_pairs(rows):
    """Rows of an even width with a mean square of 1 for each pair; odd ones as they are."""
    if rows.shape[-1] % 2:
        return rows  # their norms differ, so a factor matters
    rows = rows / np.abs(rows).max(axis=-1, keepdims=True)  # squares of tiny numbers would be 0
    return rows / np.sqrt(2 * (rows**2).mean(axis=-1, keepdims=True))


@checked(
    row=partial(_check.reals, ndim=1),
    length=_check.positive_length,
    tolerance=partial(_check.real, minimum=0),
)
def positions_that_fit(
    row: ArrayLike,
    length: int,
    tolerance: float,
    base: float = 10000.0,
    layout: str = "interleaved",
    spacing: str = "paper",
) -> Integers:
    """All positions whose encoding is as near to a vector as the tolerance allows.

    `decode` names one position; this says whether it is the only one.

    Parameters
    ----------
    row : array-like of floats, shape (d_model,)
    length : int, at least 1
    tolerance : float, at least 0
        Largest root mean square of the differences of the entries. A row that was rounded to two
        decimals is within 0.005 of the true one.
    base, layout, spacing
        Those that `row` was made with.

    Returns
    -------
    ndarray of int64, shape (number of positions that fit,), ascending

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> row = sinusoidal(5, 2).round(2)  # a single pair
    >>> positions_that_fit(row, length=1000, tolerance=0.005).tolist()
    [5, 338, 715]
    """
    vectors, pairs = _prepared(row[None], base, layout, spacing, name="row")
    bound = np.array([vectors.shape[-1] * tolerance * tolerance])  # ** would refuse 1e200
    found = [found for _, found, _ in positions_within(vectors, pairs, length, bound)]
    return np.sort(np.concatenate([np.zeros(0, np.int64), *found]))


class Pairs(NamedTuple):
    """How fast the pairs turn: exactly, and as frequencies in radians."""

    steps: _phases.Steps
    omega: np.ndarray  # (pairs,)


def _prepared(encoding, base, layout, spacing, name="encoding"):
    """Interleaved float64 vectors, and how fast their pairs turn."""
    encoding = encoding.astype(np.float64)
    d_model = encoding.shape[-1]
    if d_model == 0:
        raise ValueError(f"{name}: expected at least one column, got shape {encoding.shape}")
    steps, omega = _phases.pair_steps(d_model, base, spacing), frequencies(d_model, base, spacing)
    vectors = np.empty_like(encoding)
    vectors[..., 0::2], vectors[..., 1::2] = split_columns(encoding, layout)
    with np.errstate(over="ignore"):
        _check.no_overflow(name, (vectors**2).sum(axis=-1))
    return vectors, Pairs(steps, omega)


def positions_within(rows, pairs, length, bound):
    """Positions that lie within the bound: (which rows, positions, squared distances), in parts.

    `bound` is a squared distance for each row; the caller may lower it between two parts.
    """
    bounds = _Bounds(rows, pairs)
    omega = pairs.omega
    largest = 1
    while largest * omega[-1] < 1 and largest < length:
        largest *= _CUTS  # in a block of this size even the slowest pair turns by a radian
    blocks = -(-length // largest)
    at_once = max(_CUTS, _CELLS // omega.size)
    # All blocks of some vectors together; of a narrow vector with very many blocks, a part.
    portion = min(blocks * max(1, at_once // blocks), _CELLS)
    for first in range(0, len(rows) * blocks, portion):
        which, block = np.divmod(np.arange(first, min(first + portion, len(rows) * blocks)), blocks)
        stack = [bounds.of_blocks(largest, which, block * largest)]
        while stack:
            size, *judged = stack.pop()
            within = judged[2] <= bound[judged[0]] * (1 + 1e-9) + _NOTHING * rows.shape[-1]
            which, starts, squared = (part[within] for part in judged)
            if not len(which):
                continue
            if size == 1:
                yield which, starts, squared
                continue
            now = _followed_first(which, squared, bound, at_once // _CUTS)
            stack.append((size, which[~now], starts[~now], squared[~now]))
            size //= _CUTS
            starts = (starts[now, None] + size * np.arange(_CUTS)).ravel()
            which = np.repeat(which[now], _CUTS)
            exist = starts < length
            stack.append(bounds.of_blocks(size, which[exist], starts[exist]))


def _followed_first(which, squared, bound, most):
    """Mask of the blocks to go on with: the best ones, of each vector until it has an answer."""
    mask = np.zeros(len(which), bool)
    if np.isfinite(bound[which]).all():
        mask[np.argsort(squared)[:most]] = True
        return mask
    order = np.lexsort((squared, which))
    ordered = which[order]
    rank = np.arange(len(which)) - np.searchsorted(ordered, ordered)
    mask[order[rank < _FOLLOWED]] = True
    return mask


class _Bounds:
    """Vectors as pairs with an angle and a length: how near any position of a block may come."""

    def __init__(self, rows, pairs):
        n_pairs = rows.shape[-1] // 2
        sines, cosines = rows[:, 0::2], rows[:, 1::2]
        self.angles = np.arctan2(sines[:, :n_pairs], cosines)  # (rows, n_pairs)
        self.lengths = np.hypot(sines[:, :n_pairs], cosines)
        self.beyond = ((self.lengths - 1) ** 2).sum(axis=-1)  # no angle mends a wrong length
        self.single = sines[:, n_pairs:]  # (rows, 0 or 1): the sine that ends an odd width
        self.steps, self.omega, self.n_pairs = pairs.steps, pairs.omega, n_pairs

    def of_blocks(self, size, which, starts):
        """The blocks with lower bounds of their squared distances: the distances if size is 1."""
        at_once = max(1, _CELLS // self.omega.size)
        squared = [
            self._least_squared(size, *(part[first : first + at_once] for part in (which, starts)))
            for first in range(0, len(which), at_once)
        ]
        return size, which, starts, np.concatenate([np.zeros(0), *squared])

    def _least_squared(self, size, which, starts):
        half = size // 2  # from the middle of a block to its first position
        slow = np.searchsorted(-self.omega * half, -np.pi)  # faster pairs take every angle
        turned = _phases.phases(starts + half, _phases.Steps(*(s[slow:] for s in self.steps)))
        end = self.n_pairs - slow
        away = np.abs(turned[:, :end] - self.angles[which, slow:])  # (blocks, slow pairs)
        away = np.abs(away - math.tau * np.round(away / math.tau))  # at most half a turn
        away -= self.omega[slow : self.n_pairs] * half
        np.maximum(away, 0, out=away)
        # |z - exp(iα)|² = (|z| - 1)² + 4 |z| sin²(α/2), exact for small angles too
        chords = np.sin(away / 2) ** 2
        squared = self.beyond[which] + 4 * np.einsum("bn,bn->b", self.lengths[which, slow:], chords)
        if self.single.size and slow <= self.n_pairs:
            short = np.abs(self.single[which, 0] - np.sin(turned[:, -1])) - self.omega[-1] * half
            squared += np.maximum(short, 0) ** 2
        return squared
