"""From a single entry back to the positions that may have it."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import partial

import numpy as np

from pecode import _check, _phases
from pecode._check import checked
from pecode._types import Integers
from pecode.encodings import frequencies, split_columns

_BRANCHES = 2**16  # arcs that are looked at together
_MOST = 2**26  # arcs or positions: more take minutes, and half a gigabyte


def _entry(name, value):
    """A finite number; float16 and float32 stay what they are, because they are less exact."""
    return value if _is_coarse(value) and np.isfinite(value) else _check.real(name, value)


def _is_coarse(value):
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
    ωt is arcsin v or π - arcsin v, and any number of turns more. Each solution is an arc of the
    tolerance's width, and a position is an integer in one of them. No table is built.

    Parameters
    ----------
    value : float
        As it was written: 0.85 is known to two decimals.
    column : int, from 0 to d_model - 1
    d_model : int
    length : int, at least 0
        Positions 0 … length - 1 are considered. A column that turns more than 2**25 times in them,
        or more than 2**26 positions that fit, are refused.
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
    tolerance = max(_known_to(value) if tolerance is None else tolerance, 2e-15)
    value = float(value)
    if abs(value) - tolerance > 1:
        raise ValueError(f"value: expected a number from -1 to 1, got {value:g}")
    sine_columns, cosine_columns = split_columns(np.arange(d_model), layout)
    is_sine = column in sine_columns
    pair = list(sine_columns if is_sine else cosine_columns).index(column)
    omega = frequencies(d_model, base, spacing)[pair]
    steps = _phases.Steps(
        *(part[pair : pair + 1] for part in _phases.pair_steps(d_model, base, spacing))
    )

    arcs = 2 * length * omega / math.tau
    # Where the entry is v, it is within the tolerance for about this share of all angles.
    share = (math.asin(min(value + tolerance, 1)) - math.asin(max(value - tolerance, -1))) / math.pi
    if max(arcs, length * share) > _MOST:
        raise ValueError(
            f"length: expected fewer positions than {length:,}, in which column {column} turns "
            f"{arcs / 2:,.0f} times and about {length * share:,.0f} entries fit"
        )
    entry = np.sin if is_sine else np.cos
    found = [np.zeros(0, np.int64)]
    for candidates in _candidates(value, tolerance, omega, length, is_sine):
        entries = entry(_phases.phases(candidates, steps)[..., 0])
        found.append(candidates[np.abs(entries - value) <= tolerance])
    return np.unique(np.concatenate(found))


def _known_to(value):
    """Half a unit of the last decimal that Python prints, 0.005 for 0.85; of a float32 its ulp."""
    if _is_coarse(value):
        return float(np.spacing(np.abs(value)))
    return 0.5 * 10.0 ** min(0, Decimal(repr(value)).as_tuple().exponent)


def _candidates(value, tolerance, omega, length, is_sine):
    """Integers in or near the arcs where the entry fits; some integers more, none fewer."""
    low, high = max(value - tolerance, -1.0), min(value + tolerance, 1.0)
    if is_sine:
        first, last = math.asin(low), math.asin(high)
        arcs = (first, last), (math.pi - last, math.pi - first)
    else:
        first, last = math.acos(high), math.acos(low)
        arcs = (first, last), (-last, -first)
    turns = math.ceil(length * omega / math.tau) + 2
    slack = 1e-6 + 1e-14 * length  # the ends of the arcs are rounded: we look a little further
    for start in range(-2, turns, _BRANCHES):
        whole = math.tau * np.arange(start, min(start + _BRANCHES, turns))
        for begin, end in arcs:
            lowest = np.ceil(np.clip((begin + whole) / omega - slack, 0, length)).astype(np.int64)
            highest = np.floor(np.clip((end + whole) / omega + slack, -1, length - 1))
            highest = highest.astype(np.int64)
            some = lowest <= highest
            yield _ranges(lowest[some], highest[some])


def _ranges(lowest, highest):
    """All integers of several ranges, ends included, one range after the other."""
    counts = highest - lowest + 1
    # What repeats must fit into the machine's own integers: 32 bits in a browser.
    shift = np.repeat(lowest - np.cumsum(counts) + counts, counts.astype(np.intp))
    return np.arange(counts.sum(), dtype=np.int64) + shift
