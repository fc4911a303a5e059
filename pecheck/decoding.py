"""From a vector back to its position, without a table of all rows.

Seen as complex numbers, the pairs of position p + q are those of p times those of q. So two small
tables, of every 300th position and of 300 offsets, say, give the dot products of a vector with
90,000 rows as one product of matrices. Those that come nearest are compared again, with rows that
are exact to the last digit.
"""

import math
from functools import partial

import numpy as np

from pecode import _check, _phases
from pecode._check import checked
from pecode._types import ArrayLike, Floats, Integers
from pecode.encodings import split_columns

_BLOCK_VECTORS = 64  # at once
_BLOCK_PRODUCTS = 2**21  # at once: 16 MB
_MAX_PRODUCTS = 2**36  # positions times pairs of a vector: more take minutes
_ROUNDING_ERROR = 1e-24  # squared distances below are those of exact vectors: 1e-12 an entry


@checked(encoding=partial(_check.reals, minimum_ndim=1, filled=1), length=_check.positive_length)
def decode(
    encoding: ArrayLike,
    length: int,
    base: float = 10000.0,
    layout: str = "interleaved",
    spacing: str = "paper",
) -> Integers:
    """The position whose encoding is nearest to a vector, exact or noisy.

    It is the largest dot product with all rows of the table, for the rows of an even width have
    equal norms: under Gaussian noise the most likely position. The table is not built. With noise
    of the standard deviation σ in every entry, and neighbors at the distance D, it is right with a
    probability near 1 - 2Q(D/2σ), with Q the tail of the normal distribution.

    Parameters
    ----------
    encoding : array-like of floats, shape (..., d_model)
        One vector a row. A positive factor on an even width changes nothing.
    length : int, at least 1
        Positions 0 … length - 1 are considered; 131,072 of width 512 take about 20 ms a vector.
    base, layout, spacing
        Those that `encoding` was made with.

    Returns
    -------
    ndarray of int64, shape encoding.shape[:-1]
        The smallest where several fit equally.

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> decode(sinusoidal([3, 70_000, 12], 64), length=100_000).tolist()
    [3, 70000, 12]
    """
    d_model, shape = encoding.shape[-1], encoding.shape[:-1]
    _check.integer("length", length, maximum=2 * _MAX_PRODUCTS // d_model)
    rows = np.empty((math.prod(shape), d_model))
    rows[:, 0::2], rows[:, 1::2] = split_columns(encoding.reshape(rows.shape), layout)
    with np.errstate(over="ignore"):
        _check.no_overflow("encoding", (rows**2).sum(axis=-1))
    steps = _phases.pair_steps(d_model, base, spacing)
    if d_model % 2 == 0:  # with a mean square of 1 for each pair; of odd rows a factor matters
        right = rows.any(axis=-1).all()
        _check.require(right, "encoding", "vectors with a direction", "zeros: every position fits")
        rows /= np.abs(rows).max(axis=-1, keepdims=True)  # squares of tiny numbers would be 0
        rows /= np.sqrt(2 * (rows**2).mean(axis=-1, keepdims=True))
    return _nearest(rows, steps, length).reshape(shape)


def nearest(angles: Floats, omega: Floats, length: int) -> Integers:
    """The position at which pairs of any frequencies come nearest to such angles, (rows, n)."""
    turns = omega / (2 * np.pi) % 1 * 2.0**64
    steps = _phases.Steps(turns.astype(np.uint64), turns % 1)
    rows = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
    return _nearest(rows, steps, length)


def _nearest(rows, steps, length):
    """The nearest position of each interleaved row."""
    least, found = np.full(len(rows), np.inf), [(np.zeros(0, np.int64),) * 3]
    for which, positions, squared, slack in _squared_distances(rows, steps, length):
        least[which] = np.minimum(least[which], squared.min(axis=1))
        row, column = np.nonzero(squared <= least[which, None] + slack)
        found.append((which[row], positions[column], squared[row, column] - slack[row, 0]))
    which, positions, lowest = (np.concatenate(parts) for parts in zip(*found, strict=True))
    near = lowest <= least[which]
    which, positions = which[near], positions[near]
    squared = _exact(rows[which], positions, steps)
    least = np.full(len(rows), np.inf)
    np.minimum.at(least, which, squared)
    equal = squared <= least[which] * (1 + 1e-9) + _ROUNDING_ERROR * 1e-4
    smallest = np.full(len(rows), length)
    np.minimum.at(smallest, which[equal], positions[equal])
    return smallest


def positions_within(row, steps, length, bound):
    """All positions within a squared distance of one interleaved row, ascending; the distances."""
    found = [np.zeros(0, np.int64)]
    for _, positions, squared, slack in _squared_distances(row, steps, length):
        found.append(positions[squared[0] <= bound + slack[0]])
    positions = np.concatenate(found)
    squared = _exact(row, positions, steps)
    near = squared <= bound * (1 + 1e-9) + _ROUNDING_ERROR * row.shape[-1]
    return positions[near], squared[near]


def _squared_distances(rows, steps, length):
    """Yield (which rows, positions, squared distances (rows, positions), their error (rows, 1)).

    |z - e|² = |z|² + 1 - 2 Re(z* e) for a pair z and the e = exp(iωt) of a position. A lone sine at
    the end of an odd width has (x - sin ωt)² = x² + 1/2 - 2 Re(-ix e + e²/4).
    """
    n, odd = divmod(rows.shape[1], 2)
    weights = rows[:, 1::2] - 1j * rows[:, 0 : 2 * n : 2]  # (rows, n)
    if odd:
        weights = np.hstack([weights, -1j * rows[:, -1:], np.full((len(rows), 1), 0.25)])

    def turned(positions):  # (positions, n), and two more at an odd width
        phasors = np.exp(1j * _phases.phases(positions, steps))
        return np.hstack([phasors, phasors[:, -1:] ** 2]) if odd else phasors

    constant = (rows**2).sum(axis=1, keepdims=True) + n + odd / 2
    slack = 1e-13 * (np.abs(weights).sum(axis=1, keepdims=True) + 1)
    width = math.isqrt(length - 1) + 1
    offsets = turned(np.arange(width)).T  # (n, width)
    offsets = np.vstack([offsets.real, -offsets.imag])
    for vector in range(0, len(rows), _BLOCK_VECTORS):
        which = np.arange(vector, min(vector + _BLOCK_VECTORS, len(rows)))
        part = width * max(1, _BLOCK_PRODUCTS // (width * len(which)))
        for first in range(0, length, part):
            positions = np.arange(first, min(first + part, length))
            starts = weights[which, None] * turned(positions[::width])  # (rows, starts, n)
            products = np.concatenate([starts.real, starts.imag], axis=-1) @ offsets
            products = products.reshape(len(which), -1)[:, : len(positions)]
            yield which, positions, constant[which] - 2 * products, slack[which]


def _exact(rows, positions, steps):
    """Squared distances of rows from the encodings of positions, one for each or all of one row."""
    phases = _phases.phases(positions, steps)
    encodings = np.stack([np.sin(phases), np.cos(phases)], axis=-1)
    encodings = encodings.reshape(len(positions), 2 * phases.shape[-1])
    return ((rows - encodings[:, : rows.shape[-1]]) ** 2).sum(axis=-1)
