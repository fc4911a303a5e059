"""Tables that are no sines and cosines of whole positions: what a rotary cache holds, and grids.

Cosines or sines alone, each angle once or twice; angles or positions in 16 bits; positions in steps
other than 1, as DETR has them; rows of several texts, or behind padding.
"""

from itertools import groupby

import numpy as np

from pecheck.identity.known import BASES, fall_evenly, float16
from pecheck.identity.proposals import LAYOUTS, columns_of
from pecode.encodings import frequencies
from pecode.precision import bfloat16

ROUNDED = (  # name of the mistake: what happens to positions, frequencies and angles
    (None, np.asarray, np.asarray, np.asarray),
    ("low precision", bfloat16, np.asarray, np.asarray),
    ("positions in float16", float16, np.asarray, np.asarray),
    ("frequencies in bfloat16", np.asarray, bfloat16, np.asarray),
    ("angles in bfloat16", np.asarray, np.asarray, bfloat16),
    ("angles in bfloat16", np.asarray, bfloat16, bfloat16),
    ("angles in bfloat16", bfloat16, np.asarray, bfloat16),
    ("angles in bfloat16", bfloat16, bfloat16, bfloat16),
    ("angles in float16", np.asarray, np.asarray, float16),
    ("angles in float16", float16, float16, float16),
)
_IDS = 2**13  # position IDs that are looked for in rows of several texts
_FEW = 4  # rows, and columns, that are tried first: another ID than that of all may be nearest


def match_cache(table, base, tolerance):
    """What cosines alone are, rounded angles, or positions in other steps: fields, or None."""
    t = np.arange(len(table), dtype=float)
    for layout, parts in _layouts(table, at_start=True):
        step, first, bases = _steps(parts, base)
        for bug, of_positions, of_frequencies, of_angles in ROUNDED:
            positions = of_positions(first + t) * step
            for each in bases:
                omega = of_frequencies(frequencies(2 * parts[0][1].shape[1], each))
                error = _error(parts, positions, omega, of_angles, tolerance)
                if error <= tolerance:
                    bug = bug or (None if each == base else "wrong base")
                    names = _conventions(layout, step, first)
                    return layout, "paper", each, round(first), 1.0, bug, names, error
    return None


def match_ids(table, base, tolerance):
    """What rows of several texts are, one behind the other, or a padded text; or None."""
    for layout, parts in _layouts(table, at_start=False):
        for each in dict.fromkeys([base, *BASES]):
            omega = frequencies(2 * parts[0][1].shape[1], each)
            few, fast = [(wave, rows[:_FEW, :_FEW]) for wave, rows in parts], omega[:_FEW]
            if _error(few, _nearest_ids(few, fast), fast, np.asarray, 1) <= _FEW * tolerance:
                ids = _nearest_ids(parts, omega)
                error = _error(parts, ids, omega, np.asarray, tolerance)
                names = _texts(ids)
                if error <= tolerance and names:
                    names = (*_conventions(layout), names)
                    bug, first = None if each == base else "wrong base", int(ids[0])
                    return layout, "paper", each, first, 1.0, bug, names, error
    return None


def _error(parts, positions, omega, rounded, tolerance):
    """The largest error of some rows, and of all if those are within the tolerance."""
    some = np.unique(np.linspace(0, len(positions) - 1, 64).astype(int))
    error = 0.0
    for rows in (some, slice(None)):
        if error <= tolerance:
            angles = rounded(positions[rows, None] * omega)
            error = max(float(np.abs(wave(angles)[:, : part.shape[1]] - part[rows]).max())
                        for wave, part in parts)  # fmt: skip
    return error


def _nearest_ids(parts, omega):
    """The position ID of each row whose waves are nearest."""
    angles = np.arange(_IDS)[:, None] * omega
    known = np.hstack([wave(angles)[:, : rows.shape[1]] for wave, rows in parts])
    products = np.hstack([rows for _, rows in parts]) @ known.T
    return (2 * products - (known**2).sum(axis=1)).argmax(axis=1)


def _texts(ids):
    """The IDs of texts that all begin alike, with padding or not, or None for other rows."""
    ids = ids.tolist()
    groups = [[*group] for _, group in groupby(ids)]
    start = len(groups[0]) - (len(groups) > 1 and groups[1][0] == groups[0][0] + 1)
    end = len(ids) - (len(groups[-1]) if len(groups[-1]) > 1 else 0)
    if start >= end:
        return None
    runs = np.split(ids[start:end], np.flatnonzero(np.diff(ids[start:end]) != 1) + 1)
    right = all(run[0] == runs[0][0] <= 2 for run in runs) and 3 * len(runs) <= len(ids)
    names = [f"{ids[0]} ({start} times)"] * (start > 0)
    names += [f"{run[0]} to {run[-1]}" for run in runs]
    names += [f"{ids[-1]} ({len(ids) - end} times)"] * (end < len(ids))
    return f"IDs {', '.join(names)}" if right and (len(names) > 1 or ids[0]) else None


def _layouts(table, at_start):
    """Yield names of layouts and their parts, (function, columns with an angle each)."""
    alone, half = table, table.shape[1] // 2
    for first, second in ((table[:, :half], table[:, half:]), (table[:, 0::2], table[:, 1::2])):
        alone = first if np.array_equal(first, second) else alone
    for name, wave, start in (("cosines alone", np.cos, 1), ("sines alone", np.sin, 0)):
        if not at_start or np.abs(alone[0] - start).max() < 1e-6:
            yield name, [(wave, alone)]
    for name in LAYOUTS if table.shape[1] % 2 == 0 else ():  # two columns for each angle
        sines, cosines = columns_of(name, table.shape[1])
        first = table[:, sines[0]] ** 2 + table[:, cosines[0]] ** 2
        if np.abs(first - 1).max() < 0.02:  # an angle rounded to 16 bits has both alike
            yield name, [(np.sin, table[:, sines]), (np.cos, table[:, cosines])]


def _steps(parts, base):
    """How far pair 0 turns in a row, the first position in such steps, and bases that may be."""
    if len(parts) == 1:  # at position 0
        wave, rows = parts[0]
        inverse = np.arccos if wave is np.cos else np.arcsin
        turns, phasors = inverse(np.clip(rows[1], -1, 1)), None
    else:
        n = min(part.shape[1] for _, part in parts)
        phasors = parts[1][1][:32, :n] + 1j * parts[0][1][:32, :n]  # farther ones may be rounded
        turns = np.angle((phasors[1:] * phasors[:-1].conj()).mean(axis=0))
    step, first = float(turns[0]), 0.0
    law = fall_evenly(np.abs(turns), 2 * parts[0][1].shape[1], slack=1e-4)
    bases = dict.fromkeys([base, *([law.base] if law else []), *BASES])
    if abs(step) < 1e-6 or abs(step - 1) < 1e-3:
        return 1.0, first, bases
    if phasors is None:
        return 1 / round(1 / step, 2), first, bases
    hands = phasors[:, 0] * np.exp(-1j * step * np.arange(len(phasors)))
    return step, float(np.angle(hands.mean())) / step, bases


def _conventions(layout, step=1, first=0):
    names = [] if layout in LAYOUTS else [layout]
    names += [] if step == 1 else [f"steps of {step:.4g}"]
    where = {0.5: "centers of cells", 1.0: "positions from 1"}.get(round(first, 2))
    return (*names, where) if where else tuple(names)
