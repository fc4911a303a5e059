"""At which position a table begins, once its frequencies are known: the nearest one is found.

It is looked for from -64 to 131,071. Among positions that are equally near, the smallest counts.
"""

import math
from fractions import Fraction

import numpy as np

from pecode import _phases
from pecode.diagnose.decoding import nearest, positions_within

LOWEST, HIGHEST = -64, 2**17
_BLOCK = 2048  # positions that are tried together
_SAMPLED = 32  # so many pairs, or half as many columns in two rows, are enough to find it


def of_pairs(phasors, decay, tolerance, same_position=False):
    """The first position for the frequencies exp(-decay * k), or None if none is near.

    With same_position, all rows have that position.
    """
    if decay == 0:
        phasors = phasors.mean(axis=1, keepdims=True)  # all pairs are one
    n = phasors.shape[1]
    omega = np.exp(-decay * np.arange(n))
    rows = 0 if same_position else np.arange(len(phasors))[:, None]
    start = (phasors * np.exp(-1j * rows * omega)).mean(axis=0)  # every row, turned to the first
    start *= np.exp(-1j * LOWEST * omega)  # the search counts from 0
    some = np.unique(np.linspace(0, n - 1, _SAMPLED).astype(int))
    row = np.stack([start.imag, start.real], axis=1)[some].reshape(1, -1)
    steps = _phases.Steps(*(each[some] for each in _phases.steps(n, Fraction(decay), math.e)))
    found, squared = nearest(row, steps, HIGHEST - LOWEST)
    if squared[0] > len(some) * min(2 * tolerance, 0.8) ** 2:  # of unit phasors; anywhere
        return None
    if n > 1:
        bound = 2 * squared[0] + 1e-12 * len(some)
        found = positions_within(row, steps, HIGHEST - LOWEST, bound)
    return _smallest(found + LOWEST)


def of_rising(phasor, omega):
    """The first position for frequencies above π, where a search in blocks cannot help."""
    some = np.unique(np.linspace(0, len(omega) - 1, _SAMPLED).astype(int))
    positions = np.arange(LOWEST, HIGHEST)
    squared = [
        (np.abs(np.exp(1j * part[:, None] * omega[some]) - phasor[some]) ** 2).sum(axis=-1)
        for part in np.array_split(positions, 64)
    ]
    return int(positions[np.concatenate(squared).argmin()])


def of_columns(table, omega, quarter):
    """The first position and the scale that goes with it, from two rows and some columns."""
    rows = np.unique([0, len(table) // 2])
    some = np.unique(np.linspace(0, len(omega) - 1, _SAMPLED // 2).astype(int))
    given = table[np.ix_(rows, some)].ravel()
    # Position p + q turns a phasor by ω(p + q): one table for every p, one for every q.
    omega, quarter = (np.tile(each[some], len(rows)) for each in (omega, quarter))
    start = np.repeat(rows, len(some)) * omega + quarter * (math.pi / 2)
    positions, q = np.arange(LOWEST, HIGHEST), np.arange(_BLOCK)
    turned = np.exp(1j * (q[:, None] * omega + start))  # (block, entries)
    squared, scales = [], []
    for p in range(LOWEST, HIGHEST, _BLOCK):
        made = (np.exp(1j * p * omega) * turned).imag[: HIGHEST - p]
        scale = (made @ given) / np.einsum("pe,pe->p", made, made)
        scales.append(scale)
        squared.append(((scale[:, None] * made - given) ** 2).mean(axis=1))
    squared, scales = np.concatenate(squared), np.concatenate(scales)
    near = squared <= 2 * squared.min() + 1e-12 * (given**2).mean()
    first = _smallest(positions[near])
    return first, float(scales[first - LOWEST])


def _smallest(positions):
    return int(positions[np.abs(positions).argmin()])
