"""Changes that somebody made to a right table and that can be undone, such as a number added."""

import math
from dataclasses import replace

import numpy as np

from pecode.diagnose.identity.reading import LAYOUTS, columns_of, may_turn
from pecode.diagnose.identity.spacings import conventions


def with_a_change(table, usual):
    """Readings of what was there before a change."""
    found = [
        replace(reading, bug=name, seen=before)
        for name, undone in CHANGES.items()
        for before in undone(table)
        if (reading := usual(before)) and reading.bug is None
    ]
    # Rows that run backward and angles that turn backward are alike, but for where they begin.
    yield from sorted(found, key=lambda reading: reading.positions[0] < 0)


def half_a_position_on(table, base, usual, tolerance):
    """Readings at n + 1/2, as pixels have it whose position is their center."""
    d_model = table.shape[1]
    for sines, cosines in _sines_and_cosines(table):
        if not may_turn(table, sines, cosines, tolerance):
            continue
        phasors = table[:, cosines] + 1j * table[:, sines]
        for candidate in conventions(d_model, base):
            turned = phasors * np.exp(-0.5j * candidate.omega(d_model // 2))
            before = np.empty_like(table)
            before[:, sines], before[:, cosines] = turned.imag, turned.real
            reading = usual(before)
            if reading and reading.bug is None:
                name = ("half a position on",)
                positions = reading.positions + 0.5
                yield replace(reading, positions=positions, conventions=name)


def _without_constant(table):
    """The fastest pair runs round a circle whose center tells what was added."""
    for sines, cosines in _sines_and_cosines(table):
        x, y = table[:, cosines[0]], table[:, sines[0]]
        system = np.stack([2 * x, 2 * y, np.ones(len(table))], axis=1)
        (a, b, _), *_, rank, _ = np.linalg.lstsq(system, x**2 + y**2, rcond=None)
        if rank == 3 and abs(a + b) > 2e-3:
            yield table - (a + b) / 2


def _with_other_sines(table):
    for sines, _ in _sines_and_cosines(table):
        before = table.copy()
        before[:, sines] *= -1
        yield before


def _with_equal_scales(table):
    """The fastest pair runs round an ellipse whose axes tell how the two kinds were scaled."""
    for sines, cosines in _sines_and_cosines(table):
        system = np.stack([table[:, cosines[0]] ** 2, table[:, sines[0]] ** 2], axis=1)
        (a, b), *_, rank, _ = np.linalg.lstsq(system, np.ones(len(table)), rcond=None)
        if rank == 2 and min(a, b) > 0:
            equal = table.copy()
            equal[:, sines] *= math.sqrt(b / a)
            yield equal


def _sines_and_cosines(table):
    for layout in LAYOUTS if table.shape[1] % 2 == 0 else ():
        yield columns_of(layout, table.shape[1])


CHANGES = {  # name: the tables that may have been there before
    "negated": lambda table: [-table],
    "sines negated": _with_other_sines,
    "rows reversed": lambda table: [table[::-1]],
    "columns reversed": lambda table: [table[:, ::-1]],
    "transposed": lambda table: [table.T],
    "reshaped for transposed": lambda table: [table.reshape(table.shape[::-1]).T],
    "constant added": _without_constant,
    "sines scaled": _with_equal_scales,
}
