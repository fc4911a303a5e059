"""A position table that is learned: one row for each position, and none beyond the last."""

from __future__ import annotations

import numpy as np

from pecode import _check
from pecode._types import ArrayLike, Floats


class LearnedEmbedding:
    """A table with one row for each position, which training changes.

    The rows are in `table`, an ndarray of float64 of shape (length, d_model).

    Parameters
    ----------
    length : int, at least 1
        Number of rows. There is no vector for a position from `length` on.
    d_model : int
    scale : float, at least 0
        The rows start as random numbers of this standard deviation.
    seed : int of at least 0, or numpy Generator

    Examples
    --------
    >>> position = LearnedEmbedding(512, 64)
    >>> position([0, 1, 511]).shape, position.n_parameters
    ((3, 64), 32768)
    """

    def __init__(
        self, length: int, d_model: int, scale: float = 0.02, seed: int | np.random.Generator = 0
    ) -> None:
        length, d_model = _check.positive_length("length", length), _check.width("d_model", d_model)
        scale = _check.real("scale", scale, minimum=0)
        if not isinstance(seed, np.random.Generator):
            seed = np.random.default_rng(_check.integer("seed", seed, minimum=0))
        self.table = scale * seed.standard_normal((length, d_model))

    @classmethod
    def from_table(cls, table: ArrayLike) -> LearnedEmbedding:
        """Start from a copy of given rows, for example sinusoids."""
        table = np.array(_check.reals("table", table, ndim=2), dtype=np.float64)
        if 0 in table.shape:
            raise ValueError(f"table: expected at least one row and column, got {table.shape}")
        embedding = cls.__new__(cls)
        embedding.table = table
        return embedding

    def __call__(self, positions: ArrayLike) -> Floats:
        """Return rows of the table, shape positions.shape + (d_model,)."""
        positions = _check.integers("positions", positions)
        if positions.size and (positions.min() < 0 or positions.max() >= len(self.table)):
            raise ValueError(
                f"positions: expected values from 0 to {len(self.table) - 1}, the rows of this "
                f"learned table, got {positions.min()} to {positions.max()}"
            )
        return self.table[positions]

    @property
    def n_parameters(self) -> int:
        """Number of trained numbers."""
        return self.table.size

    def __repr__(self):
        length, d_model = self.table.shape
        return f"LearnedEmbedding(length={length}, d_model={d_model})"
