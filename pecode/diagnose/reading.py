"""A table as a formula, and how far a table is from one."""

import math
from dataclasses import dataclass

import numpy as np

LOWEST, HIGHEST = -64, 2**17  # where the first row may be
SAMPLED_PAIRS = 32  # so many are enough to find it

# Name of a layout: are the two kinds interleaved, do the sines come first?
LAYOUTS = {
    "interleaved": (True, True),
    "cosine first": (True, False),
    "concatenated": (False, True),
    "concatenated, cosine first": (False, False),
}


@dataclass(frozen=True)
class Reading:
    """A table as a formula: scale * sin(ω_j * position + quarter_j * π/2) in column j."""

    layout: str
    spacing: str
    base: float
    positions: np.ndarray  # (rows,)
    omega: np.ndarray  # (d_model,)
    quarter: np.ndarray  # (d_model,) 0 for sines, 1 for cosines
    scale: float = 1.0
    error: float = math.inf
    also: tuple = ()
    bug: str | None = None  # what else is wrong with it
    conventions: tuple = ()  # what else is unusual
    angles: np.ndarray | None = None  # (rows, d_model), where they are not ω · position
    seen: np.ndarray | None = None  # what was read, where that is not the whole table

    def rows(self, which):
        """Some rows of the table."""
        if self.angles is None:
            angles = self.positions[which, None] * self.omega
        else:
            angles = self.angles[which]
        return self.scale * np.sin(angles + self.quarter * (math.pi / 2))


def columns_of(layout, d_model):
    """Which columns hold sines, and which cosines, in the order of the pairs."""
    interleaved, sines_first = LAYOUTS[layout]
    columns, n = np.arange(d_model), (d_model + 1) // 2
    first, second = (columns[0::2], columns[1::2]) if interleaved else (columns[:n], columns[n:])
    return (first, second) if sines_first else (second, first)


def consecutive(first, rows):
    """Consecutive positions."""
    return first + np.arange(rows, dtype=float)


def cosines_of_turns(table):
    """cos(ω_j · lag) of every column for the lags 1, 2, 4, …, and how much each may be trusted.

    x(t + m) + x(t - m) = 2 cos(ωm) · x(t) for any sine, whatever its phase.
    """
    turns, lag = [], 1
    while 2 * lag < len(table):
        middle, around = table[lag:-lag], table[2 * lag :] + table[: -2 * lag]
        trust = (middle**2).sum(axis=0)
        cosine = (middle * around).sum(axis=0) / np.where(trust > 0, 2 * trust, 1)
        turns.append((lag, np.clip(cosine, -1, 1), trust))
        lag *= 2
    return turns


def column_misfit(turns, omega):
    """Mean square of the differences between measured and predicted cosines."""
    weight = sum(trust.sum() for _, _, trust in turns)
    total = sum((trust * (cosine - np.cos(lag * omega)) ** 2).sum() for lag, cosine, trust in turns)
    return total / weight if weight else math.inf  # rows of zeros alone have no frequency


def first_position_of_columns(table, omega, quarter, stride=1, highest=HIGHEST):
    """The nearest first position and the scale that goes with it, from some rows and columns."""
    rows = np.unique([0, len(table) // 2])
    some = np.unique(np.linspace(0, len(omega) - 1, SAMPLED_PAIRS // 2).astype(int))
    given = table[np.ix_(rows, some)]
    positions = np.arange(LOWEST, highest)
    squared, scales = [], []
    for part in np.array_split(positions, -(-len(positions) // 2048)):
        angles = (part[:, None, None] + stride * rows[:, None]) * omega[some]
        made = np.sin(angles + quarter[some] * (math.pi / 2))  # (positions, rows, columns)
        scale = (made * given).sum(axis=(1, 2)) / (made**2).sum(axis=(1, 2))
        scales.append(scale)
        squared.append(((scale[:, None, None] * made - given) ** 2).mean(axis=(1, 2)))
    squared, scales = np.concatenate(squared), np.concatenate(scales)
    near = np.flatnonzero(squared <= 2 * squared.min() + 1e-12 * (given**2).mean())
    best = near[np.abs(positions[near]).argmin()]
    return int(positions[best]), float(scales[best])


def largest_error(reading, table):
    """Largest difference from the rows of the reading, as a part of the scale."""
    rows = max(1, 2**18 // table.shape[1])
    parts = (slice(first, first + rows) for first in range(0, len(table), rows))
    return max(np.abs(reading.rows(part) - table[part]).max() for part in parts) / reading.scale
