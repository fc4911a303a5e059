"""Tables that are no sines and cosines of whole positions: what a rotary cache holds, and grids.

Cosines or sines alone, each angle once or twice; angles or positions in 16 bits; positions in steps
other than 1, as DETR has them. All begin at the first position.
"""

import numpy as np

from pecheck.identity.known import BASES, float16
from pecheck.identity.table_formula import LAYOUTS, columns_of
from pecode.encodings import frequencies
from pecode.precision import bfloat16

ROUNDED = {  # name of the mistake: what happens to positions, and to angles
    None: (np.asarray, np.asarray),
    "low precision": (bfloat16, np.asarray),
    "positions in float16": (float16, np.asarray),
    "angles in bfloat16": (np.asarray, bfloat16),
    "angles in float16": (np.asarray, float16),
}


def match_cache(table, base, tolerance):
    """Return (layout, base, mistake, conventions, error) of such a table, or None."""
    t = np.arange(len(table), dtype=float)
    some = np.unique(np.linspace(0, len(t) - 1, 64).astype(int))
    for layout, parts in _layouts(table):
        step, first = _steps(parts)
        for bug, (of_positions, of_angles) in ROUNDED.items():
            positions = of_positions(first + t) * step
            for each in dict.fromkeys([base, *BASES]):
                omega = frequencies(2 * parts[0][1].shape[1], each)

                def error(rows, positions=positions, omega=omega, of=of_angles, parts=parts):
                    angles = of(positions[rows, None] * omega)
                    return max(np.abs(wave(angles)[:, : part.shape[1]] - part[rows]).max()
                               for wave, part in parts)  # fmt: skip

                if error(some) <= tolerance and error(slice(None)) <= tolerance:
                    conventions = _conventions(layout, step, first)
                    return layout, each, bug, conventions, float(error(slice(None)))
    return None


def _layouts(table):
    """Yield names of layouts and their parts, (function, columns with an angle each)."""
    alone, half = table, table.shape[1] // 2
    for first, second in ((table[:, :half], table[:, half:]), (table[:, 0::2], table[:, 1::2])):
        alone = first if np.array_equal(first, second) else alone
    for name, wave, start in (("cosines alone", np.cos, 1), ("sines alone", np.sin, 0)):
        if np.abs(alone[0] - start).max() < 1e-6:
            yield name, [(wave, alone)]
    for name in LAYOUTS:
        sines, cosines = columns_of(name, table.shape[1])
        first = table[:, sines[0]] ** 2 + table[:, cosines[0]] ** 2
        if np.abs(first - 1).max() < 0.02:  # an angle rounded to 16 bits has both alike
            yield name, [(np.sin, table[:, sines]), (np.cos, table[:, cosines])]


def _steps(parts):
    """How far pair 0 turns in a row, and the first position in such steps."""
    if len(parts) == 1:
        return 1.0, 0.0
    phasors = parts[1][1][:32, 0] + 1j * parts[0][1][:32, 0]  # farther ones may be rounded
    step = float(np.angle((phasors[1:] * phasors[:-1].conj()).mean()))
    if step < 1e-6 or abs(step - 1) < 1e-3:
        return 1.0, 0.0
    start = np.angle((phasors * np.exp(-1j * step * np.arange(len(phasors)))).mean())
    return step, float(start) / step


def _conventions(layout, step, first):
    names = [] if layout in LAYOUTS else [layout]
    names += [] if step == 1 else [f"steps of {step:.4g}"]
    where = {0.5: "centers of cells", 1.0: "positions from 1"}.get(round(first, 2))
    return (*names, where) if where else tuple(names)
