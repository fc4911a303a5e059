"""Formulas that might explain a table, the likeliest first; the first that no entry contradicts.

A formula needs a layout (which columns are the sines), a spacing with its base, and the positions
of the rows. In most laws that people use, pair k turns by exp(-decay * k) a row. One number, the
decay, is fitted to all pairs. With the spacing s it is s * ln(base), so a decay can belong to
several spacings, each with a base of its own. The likely one needs the base that is expected, else
the one with the fewest digits. In other tables frequencies rise, or rows repeat the row before.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

import numpy as np

from pecheck.decoding import positions_within
from pecheck.identity.known import measured_frequencies, other_widths
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
CONVENTIONS = "paper", "endpoint", "even width"
DIGITS = 6  # a base with more significant digits than these is not called plain
_BASES = 2, 1e9  # a base that somebody might use lies between these
_FLOAT32 = 2.0**-22  # of a frequency in float32 that went through a logarithm and back
LAYOUTS = {  # are the two kinds interleaved, do the sines come first?
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


def find_formula(table: Floats, base: float = 1e4, tolerance: float = 0.01) -> TableFormula | None:
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


class Candidate(NamedTuple):
    """A spacing with the base that it would need: ω_k = exp(-decay * k)."""

    spacing: str
    base: float
    decay: float


class Turns:
    """How phasors of shape (rows, pairs), all of length 1 but for noise, turn from row to row."""

    def __init__(self, phasors: Any) -> None:
        rows = len(phasors)
        lags = 2 ** np.arange((rows - 1).bit_length())
        turned = [(phasors[lag:] * phasors[:-lag].conj()).mean(axis=0) for lag in lags]
        self.angles, self.lags = np.angle(turned), lags[:, None]  # (lags, pairs), (lags, 1)
        self.counts = rows - self.lags  # how many pairs of rows tell the turn of each lag
        sure = lags <= rows // 2
        self.omega = measured_frequencies(self.angles[sure], lags[sure])  # (pairs,)
        self.k = np.arange(phasors.shape[1])
        first = np.maximum(self.omega, 1e-9)
        weight = (first * self.k) ** 2  # what turns more is known better
        decay = -(weight[1:] * np.log(first[1:]) / self.k[1:]).sum() / max(weight.sum(), 1e-300)
        for _ in range(4):  # Newton's method
            expected = self.lags * np.exp(-decay * self.k)
            away, slope = self.angles - expected, -self.k * expected
            away -= 2 * math.pi * np.rint(away / (2 * math.pi))
            scatter = (self.counts * slope**2).sum()
            decay += (self.counts * slope * away).sum() / max(scatter, 1e-300)
            decay = min(max(decay, 0.0), 100.0)  # a bad fit would overflow
        self.decay = decay
        # A plain base may fit worse than the decay that fits best: rounding and noise are not
        # independent from lag to lag, so three times the root mean square is allowed.
        self.allowed, total = 9 * self.misfit(self.decay) + 1e-18, self.counts.sum()
        self.rounded = self.allowed + (self.counts * (self.lags * _FLOAT32) ** 2).sum() / total
        # A decay that is fitted to a few turns follows their noise. It cannot follow the lengths.
        variance = ((np.abs(phasors) - 1) ** 2).mean()
        self.noisy = max(self.allowed, 18 * variance * len(lags) / total)

    def misfit(self, decay: float) -> float:
        """Mean square of the differences between measured and predicted turns."""
        chords = 2 * np.sin((self.angles - self.lags * np.exp(-decay * self.k)) / 2)
        return (self.counts * chords**2).sum() / (self.counts.sum() * len(self.k))

    def allows(self, decay: float, digits: int = DIGITS) -> bool:
        """Whether a decay that needs a base of so many digits explains the turns."""
        # A base of one or two digits stands behind frequencies that were rounded, too.
        return self.misfit(decay) <= (self.rounded if digits <= 2 else self.allowed)


# A sine and a cosine share each frequency


def _by_pair(table, base, tolerance):
    d_model = table.shape[1]
    for layout in LAYOUTS:
        sines, cosines = columns_of(layout, d_model)
        n = d_model // 2
        phasors = table[:, cosines[:n]] + 1j * table[:, sines[:n]]  # (rows, n)
        lengths = np.abs(phasors)
        scale = math.sqrt((lengths**2).mean())
        if scale > 0 and np.abs(lengths / scale - 1).max() <= 2 * tolerance:  # of one angle
            pairs = _Pairs(layout, phasors / scale, d_model, base, tolerance)
            for formula in chain(pairs.falling(), pairs.rising(), pairs.standing()):
                yield replace(formula, scale=scale)


class _Pairs:
    """The pairs of a table in one layout: phasors (rows, n)."""

    def __init__(self, layout, phasors, d_model, base, tolerance):
        self.layout, self.phasors, self.d_model = layout, phasors, d_model
        self.base, self.tolerance, self.loosely = base, tolerance, (4 * tolerance) ** 2
        self.rows, self.n = phasors.shape

    def _formula(self, candidate, positions, omega=None, also=()):
        """The formula with one frequency for each pair, those of the candidate unless given."""
        if omega is None:
            omega = np.exp(-candidate.decay * np.arange((self.d_model + 1) // 2))
        sines, cosines = columns_of(self.layout, self.d_model)
        by_column, quarter = np.empty(self.d_model), np.zeros(self.d_model)
        by_column[sines], by_column[cosines] = omega[: len(sines)], omega[: len(cosines)]
        quarter[cosines] = 1
        name, base, _ = candidate
        return TableFormula(self.layout, name, base, positions, by_column, quarter, also=also)

    def falling(self):
        """Spacings with the expected base, then those with any other, the plainest first."""
        turns, base, d_model = Turns(self.phasors), self.base, self.d_model
        if (turns.omega[0] - 1) ** 2 > self.loosely:
            return  # pair 0 turns a radian in every law
        expected = [(each, turns.misfit(each.decay)) for each in self._with_base(base)]
        fitting = [each for each, misfit in expected if misfit <= turns.noisy]
        # The mistakes themselves, as in `variants`: (… / d_model) // 2 where … / (d_model // 2) was
        # meant, and an exponent of 0. Their decays do not come from a base that could be read off.
        precedence = Candidate("precedence", base, -2 * (-math.log(base) / d_model // 2))
        others = [precedence, Candidate("integer division", base, 0.0)] if d_model > 3 else []
        likely = [*fitting, *(each for each in others if turns.allows(each.decay))]
        loose = [each for each, misfit in expected
                 if each.spacing in CONVENTIONS and misfit <= self.loosely]  # fmt: skip
        widths = [Candidate(f"exponent over {width}", base, 2 / width * math.log(base))
                  for width in other_widths(d_model, base)]  # fmt: skip
        widths = [each for each in widths if turns.misfit(each.decay) <= turns.noisy]
        plain = self._with_plain_base(turns)
        found = {each.spacing for each in likely}
        known = [*likely, *(each for each in plain if each.spacing not in found)]
        candidates = [*likely, *loose, *widths[:1]]
        if turns.misfit(turns.decay) <= self.loosely:
            fitted = math.exp(min(turns.decay * d_model / 2, 700))
            candidates += [*plain[:3], Candidate("paper", fitted, turns.decay)]
        for candidate in dict.fromkeys(candidates):
            first = self._first_position(self.phasors, candidate.decay)
            if first is not None:
                also = _as_text(known, candidate.spacing) if self.n > 1 else ("any base",)
                yield self._formula(candidate, first + np.arange(float(self.rows)), also=also)

    def rising(self):
        """The mistake "divided twice", of usual bases: its turns are too fast to measure."""
        width, phasors = self.d_model, self.phasors
        for usual in usual_bases(self.base) if self.n > 1 else ():
            omega = usual ** (2 * np.arange((width + 1) // 2) / width)
            turned = phasors[:-1] * np.exp(1j * omega[: self.n])  # to the next row
            if (np.abs(phasors[1:] - turned) ** 2).mean() <= self.loosely:
                candidate = Candidate("divided twice", usual, -2 / width * math.log(usual))
                for first in _FIRST_POSITIONS:
                    yield self._formula(candidate, first + np.arange(float(self.rows)), omega)

    def standing(self):
        """Rows that repeat the row before: one position in all, or positions in bfloat16."""
        stands = np.abs(np.diff(self.phasors, axis=0)).max(axis=1) <= _SAME_ROW
        if not stands.any() or (stands.all() and self.n == 1):
            return
        usual = chain(*(self._with_base(each) for each in usual_bases(self.base)))
        row = self.phasors.mean(axis=0, keepdims=True) if stands.all() else self.phasors[:1]
        for candidate in (each for each in usual if each.spacing in ("paper", "endpoint")):
            start = self._first_position(row, candidate.decay)
            if start is None:
                continue
            if stands.all():
                # Pairs that never turn give the row of position 0 at every position.
                also = () if start else ("frequencies of 0, never filled",)
                yield self._formula(candidate, np.full(self.rows, float(start)), also=also)
                continue
            step = 2 ** max(abs(start).bit_length() - 8, 0)  # between neighbors in bfloat16
            for first in range(start - step, start + step + 1):
                positions = bfloat16(first + np.arange(self.rows)).astype(float)
                if np.array_equal(np.diff(positions) == 0, stands):
                    yield self._formula(candidate, positions)

    def _first_position(self, phasors, decay):
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
        near = len(some) * min(2 * self.tolerance, _ANYWHERE) ** 2
        positions, squared = positions_within(row, steps, _HIGHEST - _LOWEST, near)
        if not len(positions):
            return None
        equally = (1 if n == 1 else _EQUALLY) * squared.min() + _ROUNDING * len(some)
        positions = positions[squared <= equally] + _LOWEST
        return int(positions[np.abs(positions).argmin()])  # the nearest to 0

    def _spacings(self):
        """The spacings of pairs, the most usual first: (name, step of the exponent, handicap).

        A handicap is how many digits of the base it must save: in the room that noise leaves to a
        base, every tenth has a spacing whose base by chance needs a digit fewer than the paper's,
        and every hundredth one with two fewer.
        """
        d_model, n = self.d_model, (self.d_model + 1) // 2
        yield "paper", 2 / d_model, 0
        if d_model % 2:
            yield "even width", 2 / (d_model + 1), 1.5
        if n > 1:
            yield "endpoint", 1 / (n - 1), 1.5
        yield "factor 2 doubled", 4 / d_model, 2.5
        yield "factor 2 lost", 1 / d_model, 2.5
        yield "length for width", 2 / self.rows, 3.5

    def _with_base(self, base):
        """The candidates of all spacings with this base."""
        return [Candidate(name, base, step * math.log(base)) for name, step, _ in self._spacings()]

    def _with_plain_base(self, turns):
        """The candidates with the shortest base that fits, those with the fewest digits first."""
        found = []
        for name, step, handicap in self._spacings():
            fitted = turns.decay / step
            for digits in range(1, DIGITS + 1) if 0 < fitted < 700 else ():
                base = float(f"{math.exp(fitted):.{digits - 1}e}")
                decay = step * math.log(base)
                if base > 1 and turns.allows(decay, digits):
                    # Beyond these bounds the first spacing with any base at all is likelier.
                    digits += handicap
                    if not handicap or (digits <= DIGITS and _BASES[0] <= base <= _BASES[1]):
                        found.append((digits, handicap, Candidate(name, base, decay)))
                    break
        return [candidate for *_, candidate in sorted(found)]


def _as_text(candidates, spacing):
    """The other spacings as text, as far as they need a base that somebody might use."""
    return tuple(
        f"{name}, base {base:.6g}"
        for name, base, _ in candidates
        if name != spacing
        and (name == "paper" or (_BASES[0] <= base <= _BASES[1] and float(f"{base:.3e}") == base))
    )


def usual_bases(base: float) -> dict[float, None]:
    """The expected base and powers of ten."""
    return dict.fromkeys([base, *(10.0**k for k in range(1, 8))])


# Every column has a frequency of its own


def _by_column(table, base, tolerance):
    """A frequency for each column, ω_j = base^(-j/d) or its square, of usual bases."""
    rows, d_model = table.shape
    j, glance = np.arange(d_model), slice(_ROWS_FOR_SCALE)
    names = "exponent by column", "factor 2 by column"
    for usual in usual_bases(base) if d_model >= 4 else ():
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
