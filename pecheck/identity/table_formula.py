"""A table as a formula, and how far a table is from one."""

import math
from dataclasses import dataclass

import numpy as np

# Name of a layout: are the two kinds interleaved, do the sines come first?
LAYOUTS = {
    "interleaved": (True, True),
    "cosine first": (True, False),
    "concatenated": (False, True),
    "concatenated, cosine first": (False, False),
}


@dataclass(frozen=True)
class TableFormula:
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

    def rows(self, which):
        """Some rows of the table."""
        angles = self.positions[which, None] * self.omega
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


def largest_error(formula, table):
    """Largest difference from the rows of the formula, as a part of the scale."""
    rows = max(1, 2**18 // table.shape[1])
    parts = (slice(first, first + rows) for first in range(0, len(table), rows))
    return max(np.abs(formula.rows(part) - table[part]).max() for part in parts) / formula.scale
