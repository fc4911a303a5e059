"""Formulas that might explain a table, the likeliest first; the first that no entry contradicts.

A formula needs a layout (which columns are the sines), a spacing with its base, and the positions
of the rows. Each *family* below proposes formulas of one kind: frequencies that fall from pair to
pair, frequencies that rise, rows that repeat the row before.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

import numpy as np

from pecheck.decoding import positions_within
from pecheck.identity import spacings
from pecheck.identity.known import other_widths
from pecheck.identity.spacings import Candidate, Turns
from pecode import _phases
from pecode._types import Any, Floats
from pecode.precision import bfloat16

_SAME_ROW = 0.5  # rows that differ by less in every pair are one row: pair 0 turns a radian
_LOWEST, _HIGHEST = -64, 2**17  # first positions that are looked for
_ANYWHERE = 0.8  # a distance of unit phasors that some position has by chance
_EQUALLY, _ROUNDING = 2, 1e-12  # squared distances of positions that fit as well as the nearest
_PAIRS_SEARCHED = 32  # so many pairs are enough to find one
_FIRST_POSITIONS = 0, 1  # first positions of tables that no search can place
_ROWS_FOR_SCALE = 64  # rows that tell the scale
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
    positions: Floats  # (rows,)
    omega: Floats  # (d_model,)
    quarter: Floats  # (d_model,) 0 for sines, 1 for cosines
    scale: float = 1.0
    error: float = math.inf
    also: tuple[str, ...] = ()

    def rows(self, which: Any) -> Floats:
        """Some rows of the table."""
        angles = self.positions[which, None] * self.omega
        return self.scale * np.sin(angles + self.quarter * (math.pi / 2))


def columns_of(layout, d_model):
    """Which columns hold sines, and which cosines, in the order of the pairs."""
    interleaved, sines_first = LAYOUTS[layout]
    columns, n = np.arange(d_model), (d_model + 1) // 2
    first, second = (columns[0::2], columns[1::2]) if interleaved else (columns[:n], columns[n:])
    return (first, second) if sines_first else (second, first)


def find_formula(
    table: Floats, base: float = 10000.0, tolerance: float = 0.01
) -> TableFormula | None:
    """The likeliest formula that no entry of a table contradicts, or None; as `identify`.

    A larger tolerance proposes what a smaller one does, and more: it accepts all that it accepts.
    """
    rows = max(1, 2**18 // table.shape[1])
    parts = [slice(first, first + rows) for first in range(0, len(table), rows)]
    for formula in chain(_by_pair(table, base, tolerance), _by_column(table, base, tolerance)):
        error = max(np.abs(formula.rows(part) - table[part]).max() for part in parts)
        if error <= tolerance * formula.scale:
            return replace(formula, error=error / formula.scale)
    return None


def _formula(layout, candidate, positions, d_model, omega=None, also=()):
    """The formula with one frequency for each pair, those of the candidate unless given."""
    if omega is None:
        omega = np.exp(-candidate.decay * np.arange((d_model + 1) // 2))
    sines, cosines = columns_of(layout, d_model)
    by_column, quarter = np.empty(d_model), np.zeros(d_model)
    by_column[sines], by_column[cosines] = omega[: len(sines)], omega[: len(cosines)]
    quarter[cosines] = 1
    name, base, _ = candidate
    return TableFormula(layout, name, base, positions, by_column, quarter, also=also)


# A sine and a cosine share each frequency


def _by_pair(table, base, tolerance):
    d_model = table.shape[1]
    for layout in LAYOUTS:
        sines, cosines = columns_of(layout, d_model)
        n = d_model // 2
        phasors = table[:, cosines[:n]] + 1j * table[:, sines[:n]]  # (rows, n)
        lengths = np.abs(phasors)
        scale = math.sqrt((lengths**2).mean())
        if scale == 0 or np.abs(lengths / scale - 1).max() > 2 * tolerance:
            continue  # these columns are not sine and cosine of one angle
        for family in (_falling, _rising, _standing):
            for formula in family(layout, phasors / scale, d_model, base, tolerance):
                yield replace(formula, scale=scale)


def _falling(layout, phasors, d_model, base, tolerance):
    """Spacings with the expected base, then those with any other, the plainest first."""
    turns, loosely = Turns(phasors), (4 * tolerance) ** 2
    if (turns.omega[0] - 1) ** 2 > loosely:
        return  # pair 0 turns a radian in every law
    known = spacings.of_pairs(d_model, len(phasors))
    expected = [(each, turns.misfit(each.decay)) for each in spacings.with_base(known, base)]
    fitting = [each for each, misfit in expected if misfit <= turns.noisy]
    # The mistakes themselves, as in `variants`: (… / d_model) // 2 where … / (d_model // 2) was
    # meant, and an exponent of 0. Their decays do not come from a base that could be read off.
    precedence = Candidate("precedence", base, -2 * (-math.log(base) / d_model // 2))
    others = [precedence, Candidate("integer division", base, 0.0)] if d_model > 3 else []
    likely = [*fitting, *(each for each in others if turns.allows(each.decay))]
    loose = [each for each, misfit in expected
             if each.spacing in spacings.CONVENTIONS and misfit <= loosely]  # fmt: skip
    widths = [Candidate(f"exponent over {width}", base, 2 / width * math.log(base))
              for width in other_widths(d_model, base)]  # fmt: skip
    widths = [each for each in widths if turns.misfit(each.decay) <= turns.noisy]
    plain = spacings.with_plain_base(known, turns)
    found = {each.spacing for each in likely}
    also = [*likely, *(each for each in plain if each.spacing not in found)]
    candidates = [*likely, *loose, *widths[:1]]
    if turns.misfit(turns.decay) <= loosely:
        fitted = math.exp(min(turns.decay * d_model / 2, 700))
        candidates += [*plain[:3], Candidate("paper", fitted, turns.decay)]
    rows, n = phasors.shape
    for candidate in dict.fromkeys(candidates):
        first = _first_position(phasors, candidate.decay, tolerance)
        if first is not None:
            others = spacings.others_as_text(also, candidate.spacing) if n > 1 else ("any base",)
            yield _formula(layout, candidate, first + np.arange(float(rows)), d_model, also=others)


def _first_position(phasors, decay, tolerance):
    """The first position for the frequencies exp(-decay * k), or None if none is near."""
    if decay == 0:
        phasors = phasors.mean(axis=1, keepdims=True)  # all pairs are one
    n = phasors.shape[1]
    omega = np.exp(-decay * np.arange(n))
    angles = np.arange(len(phasors))[:, None] * omega
    start = (phasors * np.exp(-1j * angles)).mean(axis=0)  # every row, turned to the first
    some = np.unique(np.linspace(0, n - 1, _PAIRS_SEARCHED).astype(int))
    start = (start * np.exp(-1j * _LOWEST * omega))[some]  # the search counts from 0
    steps = _phases.Steps(*(each[some] for each in _phases.steps(n, Fraction(decay), math.e)))
    row = np.stack([start.imag, start.real], axis=1).reshape(1, -1)
    near = len(some) * min(2 * tolerance, _ANYWHERE) ** 2
    positions, squared = positions_within(row, steps, _HIGHEST - _LOWEST, near)
    if not len(positions):
        return None
    equally = (1 if n == 1 else _EQUALLY) * squared.min() + _ROUNDING * len(some)
    positions = positions[squared <= equally] + _LOWEST
    return int(positions[np.abs(positions).argmin()])  # the nearest to 0


def _rising(layout, phasors, d_model, base, tolerance):
    """The mistake "divided twice"; its turns are too fast to measure, so usual bases are tried."""
    rows, n = phasors.shape
    for usual in spacings.usual_bases(base) if n > 1 else ():
        omega = usual ** (2 * np.arange((d_model + 1) // 2) / d_model)
        turned = phasors[:-1] * np.exp(1j * omega[:n])  # to the next row
        if (np.abs(phasors[1:] - turned) ** 2).mean() <= (4 * tolerance) ** 2:
            candidate = Candidate("divided twice", usual, -2 / d_model * math.log(usual))
            for first in _FIRST_POSITIONS:
                yield _formula(layout, candidate, first + np.arange(float(rows)), d_model, omega)


def _standing(layout, phasors, d_model, base, tolerance):
    """Rows that repeat the row before: one position in all, or positions in bfloat16."""
    rows, n = phasors.shape
    stands = np.abs(np.diff(phasors, axis=0)).max(axis=1) <= _SAME_ROW
    if not stands.any() or (stands.all() and n == 1):
        return
    usual = [spacings.with_base(spacings.of_pairs(d_model, rows), each)
             for each in spacings.usual_bases(base)]  # fmt: skip
    usual = [each for each in chain(*usual) if each.spacing in ("paper", "endpoint")]
    row = phasors.mean(axis=0, keepdims=True) if stands.all() else phasors[:1]
    for candidate in usual:
        start = _first_position(row, candidate.decay, tolerance)
        if start is None:
            continue
        if stands.all():
            # Pairs that never turn give the row of position 0 at every position.
            also = () if start else ("frequencies of 0, never filled",)
            yield _formula(layout, candidate, np.full(rows, float(start)), d_model, also=also)
            continue
        step = 2 ** max(abs(start).bit_length() - 8, 0)  # between neighbors in bfloat16
        for first in range(start - step, start + step + 1):
            positions = bfloat16(first + np.arange(rows)).astype(float)
            if np.array_equal(np.diff(positions) == 0, stands):
                yield _formula(layout, candidate, positions, d_model)


# Every column has a frequency of its own


def _by_column(table, base, tolerance):
    """A frequency for each column, ω_j = base^(-j/d) or its square, of usual bases."""
    rows, d_model = table.shape
    j, glance = np.arange(d_model), slice(_ROWS_FOR_SCALE)
    names = "exponent by column", "factor 2 by column"
    for usual in spacings.usual_bases(base) if d_model >= 4 else ():
        for step, name in enumerate(names, 1):
            omega = usual ** (-step * j / d_model)
            also = (f"{names[2 - step]}, base {usual ** (step / (3 - step)):.6g}",)
            for layout, quarter in (("interleaved", j % 2), ("cosine first", 1 - j % 2)):
                for first in _FIRST_POSITIONS:
                    positions = first + np.arange(float(rows))
                    formula = TableFormula(layout, name, usual, positions, omega, quarter)
                    made = formula.rows(glance)
                    scale = (made * table[glance]).sum() / (made**2).sum()
                    if np.abs(scale * made - table[glance]).max() <= tolerance * scale:
                        yield replace(formula, scale=scale, also=also)
