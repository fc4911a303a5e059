"""From a single entry back to the positions that may have it."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import numpy as np

from pecode import _check, _phases
from pecode._check import checked
from pecode._types import Integers
from pecode.encodings import split_columns

_BLOCK, _MAX_LENGTH = 2**20, 2**28  # positions that are looked at together, and in all


def _entry(name, value):
    """A finite number; float16 and float32 stay what they are, because they are less exact."""
    return value if _is_low_precision(value) and np.isfinite(value) else _check.real(name, value)


def _is_low_precision(value):
    return isinstance(value, (np.float16, np.float32))


@checked(value=_entry, column=_check.integer, tolerance=partial(_check.real, minimum=0))
def positions_of_entry(
    value: float,
    column: int,
    d_model: int,
    length: int,
    base: float = 10000.0,
    layout: str = "interleaved",
    spacing: str = "paper",
    tolerance: float | None = None,
) -> Integers:
    """All positions whose encoding has a given value in a given column.

    One entry fixes the angle of its pair only up to a mirror and whole turns: sin(ωt) = v where
    ωt is arcsin v or π - arcsin v, and any number of turns more. So the one column is made, a part
    at a time.

    Parameters
    ----------
    value : float
        As it was written: 0.85 is known to two decimals.
    column : int, from 0 to d_model - 1
    d_model : int
    length : int, at least 0
        Positions 0 … length - 1 are considered, at most 2**28.
    base, layout, spacing
        As in `pecode.encodings.sinusoidal`.
    tolerance : float, at least 0, optional
        Largest difference of the entries; half a unit of the last decimal of `value` unless given,
        but at least 2e-15, which is what a float64 entry may be off. An entry of a float32 or
        float16 table is known to one unit of its own last place.

    Returns
    -------
    ndarray of int64, shape (number of positions,), ascending

    Examples
    --------
    >>> positions_of_entry(0.85, column=3, d_model=16, length=6, base=100.0).tolist()
    [1]
    >>> positions_of_entry(0.85, column=3, d_model=16, length=1000, base=100.0).tolist()
    [1, 256, 325, 513, 582, 837]
    """
    _check.integer("column", column, minimum=0, maximum=d_model - 1)
    tolerance = max(_default_tolerance(value) if tolerance is None else tolerance, 2e-15)
    _check.integer("length", length, maximum=_MAX_LENGTH)
    value = float(value)
    _check.require(abs(value) - tolerance <= 1, "value", "a number from -1 to 1", value)
    sine_columns, cosine_columns = split_columns(np.arange(d_model), layout)
    is_sine = column in sine_columns
    pair = list(sine_columns if is_sine else cosine_columns).index(column)
    steps = _phases.Steps(
        *(part[pair : pair + 1] for part in _phases.pair_steps(d_model, base, spacing))
    )
    entry, found = np.sin if is_sine else np.cos, [np.zeros(0, np.int64)]
    for first in range(0, length, _BLOCK):
        positions = np.arange(first, min(first + _BLOCK, length))
        entries = entry(_phases.phases(positions, steps)[:, 0])
        found.append(positions[np.abs(entries - value) <= tolerance])
    return np.concatenate(found)


def _default_tolerance(value):
    """Half a unit of the last decimal that Python prints, 0.005 for 0.85; of a float32 its ulp."""
    if _is_low_precision(value):
        return float(np.spacing(np.abs(value)))
    return 0.5 * 10.0 ** min(0, Decimal(repr(value)).as_tuple().exponent)
