"""Naming the convention, or the mistake, that a whole table follows.

Three steps. First, measure: by which angle does every pair turn from one row to the next? Second,
propose: in all laws that people use, the frequency of pair k is exp(-decay * k), so one number, the
decay, is fitted to all pairs; it says which base each law would need, and the law that needs a
plain base is the likely one. Third, compare: build the table that was proposed, and believe it only
if no entry of the given table is farther away than the tolerance. What passes no comparison is not
named.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from pecode import _check, _phases
from pecode._check import checked
from pecode.diagnose import given
from pecode.diagnose.decoding import Pairs, nearest, positions_within
from pecode.diagnose.reading import (
    HIGHEST,
    LAYOUTS,
    LOWEST,
    SAMPLED_PAIRS,
    Reading,
    column_misfit,
    columns_of,
    consecutive,
    cosines_of_turns,
    first_position_of_columns,
    largest_error,
)
from pecode.diagnose.unusual import SUMMARIES, unusual_readings
from pecode.diagnose.variants import VARIANTS
from pecode.precision import bfloat16

_DIGITS = 6  # a base with more significant digits than these is not called plain
_STEEPEST = 100.0  # largest decay that is tried
_BASES = 2, 1e9  # a base that somebody might use lies between these
_STANDS = 0.5  # rows that differ by less than this in every pair are one row: pair 0 turns a radian
_ROUNDING = 2.0**-22  # of a frequency in float32 that went through a logarithm and back


@dataclass(frozen=True)
class Identity:
    """What a table is.

    Attributes
    ----------
    layout : str
        "interleaved", "cosine first", "concatenated" or "concatenated, cosine first"; of a table
        without sines "cosines alone", of one without cosines "sines alone", with the order of the
        pairs where each has two columns.
    spacing : str
        How the exponents grow: "paper" (2i/d_model), "endpoint", "even width" (2i/(d_model + 1)
        at an odd width: the table of the width above, less its last column), or the name of a
        mistake.
    base : float
        The base that the law of this spacing needs.
    first_position : int
        Position of the first row.
    scale : float
        Factor on all entries: 1 for sines and cosines as they are.
    bug : str or None
        The name of a mistake in `pecode.diagnose.variants.VARIANTS` or in
        `pecode.diagnose.unusual.SUMMARIES`.
    conventions : tuple of str
        Choices that differ from the paper's but are not mistakes: names in `VARIANTS`, and at an
        odd width "even width" (see `spacing`) or "zero column" (the even width below, and a column
        of zeros; the layout and the spacing are those of the even width). Also what was done on
        purpose: "NTK-aware by 4", "grid of 14 × 14, rows first", "row of zeros", ….
    error : float
        Largest difference between the given table and the named one, as a part of the scale.
    confidence : float
        1 - error / error of the next best reading that is another table, from 0 to 1. 1 says
        that nothing else comes near, 0 that the rows cannot tell.
    also : tuple of str
        Other readings that give the same rows.
    """

    layout: str
    spacing: str
    base: float
    first_position: int
    scale: float
    bug: str | None
    conventions: tuple
    error: float
    confidence: float
    also: tuple

    @property
    def name(self):
        """The mistake, else the conventions, else "paper"."""
        return self.bug or " + ".join(self.conventions) or "paper"

    def __str__(self):
        """One line for each thing that was found."""
        lines = [
            f"{self.name}: {self.layout}, {self.spacing} spacing, base {self.base:.6g}, "
            f"first position {self.first_position}, scale {self.scale:.4g}",
            f"largest error {self.error:.1e}, confidence {self.confidence:.3f}",
        ]
        if self.bug == "wrong base":  # any other base than the expected one, not only 1000
            lines.append("The base is not the one that is expected.")
        elif self.bug in VARIANTS:
            lines.append(VARIANTS[self.bug].summary)
        elif self.bug:
            lines.append(SUMMARIES[self.bug])
        if self.also:
            lines.append("the same rows: " + "; ".join(self.also))
        return "\n".join(lines)


@checked(table=given.table, tolerance=partial(_check.real, above=0))
def identify(table, base=10000.0, tolerance=0.01):
    """Name the convention or the mistake that a table of encodings follows.

    Parameters
    ----------
    table : array-like of floats, shape (rows, d_model), at least (3, 2)
        Rows of consecutive positions, from anywhere in a sequence: a list, an array or a tensor
        of any package, a data frame, the path of a file that `numpy.save` wrote. One axis alone
        holds the frequencies of the pairs (`inv_freq`); a batch of one loses its axis.
    base : float > 1
        The base that is expected. Some laws give the same table with different bases (a doubled
        exponent is a squared base); then the law that needs this base is named, else the one
        that needs the plainest base. `also` has the others. A law other than the paper's is
        named with another base only where somebody might use that base: from 2 to 1e9.
    tolerance : float, above 0, at most 1
        Largest difference of any entry, as a part of the scale, at which a reading is believed.
        The default lets float16 and noise of 0.001 pass; noise of 0.3 does not.

    Returns
    -------
    Identity or None
        None when no reading is within the tolerance: learned or shuffled rows, noise, constants.

    Raises
    ------
    TypeError, ValueError
        table does not hold finite real numbers in at least 3 rows and 2 columns, or is a file that
        cannot be read; base is not a finite number above 1; tolerance is not above 0 or is above 1.

    Notes
    -----
    A convention with the expected base is named before any other base, if no entry is farther from
    it than the tolerance. Then come other bases and the mistakes of `variants`, then what `unusual`
    lists: rules that stretch a context, caches of cosines alone, grids, padding, and changes to a
    right table. A larger tolerance accepts whatever a smaller one accepts.

    The first row is looked for at positions from -64 to 131,071, in unusual tables up to 4,095.
    "divided twice", "along the batch" and "low precision" are looked for with the expected base and
    powers of ten only, unusual tables with the expected base. A single pair fits nearly any angle
    of its first row with some position of that range, and two pairs every third one: at such
    widths only a first position near 0 says much.

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> from pecode.diagnose.variants import VARIANTS
    >>> identify(sinusoidal(range(7, 20), 32)).first_position
    7
    >>> print(identify(VARIANTS["factor 2 doubled"].make(50, 32)))
    factor 2 doubled: interleaved, factor 2 doubled spacing, base 10000, first position 0, scale 1
    largest error ..., confidence 1.000
    The loop runs over even columns, which are 2i already, and the exponent doubles them.
    the same rows: paper, base 1e+08
    >>> identify([[0.1, 0.2], [0.3, 0.5], [0.9, 0.1]]) is None
    True
    """
    if tolerance > 1:
        raise ValueError(
            f"tolerance: expected a part of the scale, at most 1, got {tolerance:g}: nearly any "
            "table would be believed"
        )
    largest = np.abs(table).max()
    if largest == 0:
        return None
    unit = table / largest  # so that no square overflows
    if np.ptp(unit) <= 0.01:
        return None  # one number everywhere, which is half way round every circle
    found = _named(unit, largest, base, tolerance)
    if not _ends_with_zeros(unit, tolerance):
        return found
    # A slow sine is nearly zero as well, and one that was rounded is quite: then what is right
    # without a bug says more.
    even = _before_zeros(unit, largest, base, tolerance)
    readings = [even, found] if not unit[:, -1].any() else [found, even]
    readings = [reading for reading in readings if reading]
    return min(readings, key=lambda reading: reading.bug is not None, default=None)


def _ends_with_zeros(table, tolerance):
    """Whether an odd width ends with a column of zeros, although the rows are not all one."""
    # One row again and again may be that of position 0, where every sine is 0.
    empty = table.shape[1] % 2 == 1 and np.abs(table[:, -1]).max() <= tolerance
    return bool(empty and np.ptp(table, axis=0).max() > 2 * tolerance)


def _before_zeros(table, largest, base, tolerance):
    """The identity of all columns but the last one."""
    found = _named(table[:, :-1], largest, base, tolerance)
    if found is None:
        return None
    error = max(found.error, float(np.abs(table[:, -1]).max() * largest / found.scale))
    return replace(found, error=error, conventions=(*found.conventions, "zero column"))


def _named(table, largest, base, tolerance):
    reading = reading_of(table, base, tolerance)
    if reading is None or _has_odd_base(reading, base):
        bound = tolerance if reading is None else max(2 * reading.error, 1e-6)

        def usual(changed):
            found = reading_of(changed, base, tolerance, _expected_readings)
            return found and replace(found, bug=_mistake(found, base))

        layout = reading and reading.layout
        reading = next(unusual_readings(table, base, bound, usual, layout), reading)
    return reading and _identity(reading, table, largest, base)


def _has_odd_base(reading, expected):
    """Whether a reading needs a base that nobody would choose: a rule may have made it."""
    plain = math.isclose(float(f"{reading.base:.1e}"), reading.base, rel_tol=1e-6)
    return _mistake(reading, expected) == "wrong base" and not (plain and _is_used(reading.base))


def reading_of(table, base=10000.0, tolerance=0.01, propose=None):
    """The likeliest reading that no entry of a table contradicts, or None; as `identify`."""
    for reading in (propose or _proposals)(table, base, tolerance):  # the likeliest comes first
        error = largest_error(reading, table)
        if error <= tolerance:
            return replace(reading, error=error)
    return None


def _expected_readings(table, base, tolerance):
    return _readings_by_pair(table, base, tolerance, (_with_expected_base,))


def _proposals(table, base, tolerance):
    """Readings with the expected base, whatever else fits better; then all others.

    A larger tolerance proposes what a smaller one does, and more: it accepts all that it accepts.
    """
    yield from _expected_readings(table, base, tolerance)
    others = _with_falling_frequencies, _with_rising_frequencies, _with_rounded_positions
    yield from _readings_by_pair(table, base, tolerance, (*others, _with_one_position))
    yield from _readings_by_column(table, base, tolerance)


class Candidate(NamedTuple):
    """A law with the base that it would need: ω_k = exp(-decay * k)."""

    spacing: str
    base: float
    decay: float

    def omega(self, count):
        """The first frequencies."""
        return np.exp(-self.decay * np.arange(count))


def _read(layout, candidate, positions, d_model, omega=None):
    """The reading with one frequency for each pair, those of the candidate unless given."""
    omega = candidate.omega((d_model + 1) // 2) if omega is None else omega
    sines, cosines = columns_of(layout, d_model)
    by_column, quarter = np.empty(d_model), np.empty(d_model)
    by_column[sines], by_column[cosines] = omega[: len(sines)], omega[: len(cosines)]
    quarter[sines], quarter[cosines] = 0, 1
    return Reading(layout, candidate.spacing, candidate.base, positions, by_column, quarter)


# Measure: how far a pair turns in 1, 2, 4, … rows


def _turns(phasors):
    """By how much each pair turns: (lag, angles, number of pairs of rows)."""
    turns, lag = [], 1
    while lag < len(phasors):
        mean = (phasors[lag:] * phasors[:-lag].conj()).mean(axis=0)
        turns.append((lag, np.angle(mean), len(phasors) - lag))
        lag *= 2
    return turns


def _misfit(turns, omega):
    """Mean square of the differences between measured and predicted turns."""
    chords = [(n, 2 * np.sin((angles - lag * omega) / 2)) for lag, angles, n in turns]
    weight = sum(n * len(omega) for n, _ in chords)
    return sum(n * (chord**2).sum() for n, chord in chords) / weight


def _misfit_of_noise(phasors, turns):
    """The misfit that the noise in the lengths of the phasors, all 1 without it, would cause.

    A decay that is fitted to a few turns follows their noise, and leaves too small a misfit. It
    cannot follow the lengths.
    """
    variance = ((np.abs(phasors) - 1) ** 2).mean()
    return 2 * variance * len(turns) / sum(n for _, _, n in turns)


def _fitted_decay(turns, n):
    """The decay that fits best: first from one row to the next, then from ever longer lags."""
    if n == 1:
        return 0.0
    k, first = np.arange(n), np.maximum(turns[0][1], 1e-9)
    weight = first**2 * k
    start = -(weight * np.log(first)).sum() / (weight * k).sum()
    return _refined_decay(start, turns, partial(_step_by_turns, k=k))


def _refined_decay(decay, turns, newton_step):
    decay = max(decay, 0.0)
    for last in range(1, len(turns) + 1):
        for _ in range(4):
            # No law has frequencies that grow here; without a bound a bad fit would overflow.
            decay = min(max(decay + newton_step(turns[:last], decay), 0.0), _STEEPEST)
    return decay


def _step_by_turns(turns, decay, k):
    """Newton's step for the angles lag * exp(-decay * k)."""
    omega = np.exp(-decay * k)
    numerator = denominator = 0.0
    for lag, angles, n in turns:
        slope = -k * omega * lag
        residual = np.angle(np.exp(1j * (angles - lag * omega)))
        numerator += n * (slope * residual).sum()
        denominator += n * (slope**2).sum()
    return numerator / denominator if denominator else 0.0


def _fitted_column_decay(turns, j):
    _, cosine, trust = turns[0]
    first = np.maximum(np.arccos(cosine), 1e-9)
    weight = trust * first**4 * j
    scatter = (weight * j).sum()
    start = -(weight * np.log(first)).sum() / scatter if scatter else 0.0
    return _refined_decay(start, turns, partial(_step_by_cosines, j=j))


def _step_by_cosines(turns, decay, j):
    """Newton's step for the cosines of lag * exp(-decay * j)."""
    omega = np.exp(-decay * j)
    numerator = denominator = 0.0
    for lag, cosine, trust in turns:
        slope = np.sin(lag * omega) * lag * omega * j
        numerator += (trust * slope * (cosine - np.cos(lag * omega))).sum()
        denominator += (trust * slope**2).sum()
    return numerator / denominator if denominator else 0.0


# Measure: where the first row is


def _first_positions(phasors, decay, tolerance, same_position=False):
    """Where the first row may be: a list of the smallest position that is as near as any."""
    if decay == 0:
        phasors = phasors.mean(axis=1, keepdims=True)  # all pairs are one
    n = phasors.shape[1]
    omega = np.exp(-decay * np.arange(n))
    rows = 0 if same_position else np.arange(len(phasors))[:, None]
    start = (phasors * np.exp(-1j * rows * omega)).mean(axis=0)  # every row, turned to the first
    start *= np.exp(-1j * LOWEST * omega)  # the search counts from 0
    row = np.stack([start.imag, start.real], axis=1).reshape(1, -1)  # (1, 2n)
    pairs = Pairs(_phases.steps(n, Fraction(decay), math.e), omega)
    within = n * min(2 * tolerance, 0.8) ** 2  # of unit phasors; more would be anywhere
    found, squared = nearest(row, pairs, HIGHEST - LOWEST, within)
    if found[0] < 0:
        return []
    if n == 1:
        return [int(found[0]) + LOWEST]
    bound = 2 * squared + 1e-12 * n
    near = [found for _, found, _ in positions_within(row, pairs, HIGHEST - LOWEST, bound)]
    near = np.concatenate(near) + LOWEST
    return [int(near[np.abs(near).argmin()])]


def _first_position_of_rising(phasor, omega):
    """The first position for frequencies above π, where a search in blocks cannot help."""
    some = np.unique(np.linspace(0, len(omega) - 1, SAMPLED_PAIRS).astype(int))
    positions = np.arange(LOWEST, HIGHEST)
    squared = [
        (np.abs(np.exp(1j * part[:, None] * omega[some]) - phasor[some]) ** 2).sum(axis=-1)
        for part in np.array_split(positions, 64)
    ]
    return int(positions[np.concatenate(squared).argmin()])


# Propose: which law has this decay with a likely base?


def _laws(d_model, rows):
    """Each law as (name, decay / ln base, handicap in digits): the rarer, the more.

    In the room that noise leaves to a base, every tenth has a law whose base by chance needs a
    digit fewer than the paper's, and every hundredth one with two digits fewer.
    """
    n = (d_model + 1) // 2
    laws = [
        ("paper", 2 / d_model, 0),
        ("factor 2 doubled", 4 / d_model, 2.5),
        ("factor 2 lost", 1 / d_model, 2.5),
        ("length for width", 2 / rows, 3.5),
    ]
    if d_model % 2:
        laws.append(("even width", 2 / (d_model + 1), 1.5))
    return [*laws, ("endpoint", 1 / (n - 1), 1.5)] if n > 1 else laws


def _column_laws(d_model):
    return [("exponent by column", 1 / d_model, 0), ("factor 2 by column", 2 / d_model, 1.5)]


def _expected(laws, base, fits):
    """The candidates that fit with the expected base, the most usual law first."""
    usual_first = sorted(laws, key=lambda law: law[2])
    candidates = [Candidate(name, base, factor * math.log(base)) for name, factor, _ in usual_first]
    return [candidate for candidate in candidates if fits(candidate.decay)]


def _without(laws, candidates):
    named = [candidate.spacing for candidate in candidates]
    return [law for law in laws if law[0] not in named]


def _plainest(laws, decay, fits):
    """The candidates with the shortest base that fits, those with the fewest digits first."""
    plain = []
    for name, factor, handicap in laws:
        if not 0 < decay / factor < 700:
            continue
        for digits in range(1, _DIGITS + 1):
            base = float(f"{math.exp(decay / factor):.{digits - 1}e}")
            if base > 1 and fits(factor * math.log(base), digits):
                # Beyond these bounds the first law with any base at all is likelier.
                if not handicap or (digits + handicap <= _DIGITS and _is_used(base)):
                    candidate = Candidate(name, base, factor * math.log(base))
                    plain.append((digits + handicap, handicap, candidate))
                break
    return [candidate for _, _, candidate in sorted(plain)]


def _without_a_base(d_model, base, fits):
    """The mistakes whose decay does not come from a base that could be read off."""
    precedence = -2 * (-math.log(base) / d_model // 2)
    for name, decay in (("precedence", precedence), ("integer division", 0.0)):
        if d_model > 3 and fits(decay):
            yield Candidate(name, base, decay)


def _others(candidates, spacing):
    """The other laws as text, as long as they need a base that somebody might use."""
    return tuple(
        f"{other.spacing}, base {other.base:.6g}"
        for other in candidates
        if other.spacing != spacing
        and (
            other.spacing == "paper"
            or (_is_used(other.base) and float(f"{other.base:.3e}") == other.base)
        )
    )


def _is_used(base):
    return _BASES[0] <= base <= _BASES[1]


def _usual_bases(base):
    """The expected base and powers of ten."""
    return dict.fromkeys([base, *(10.0**k for k in range(1, 8))])


def _usual_candidates(d_model, base):
    """The two conventions with the usual bases."""
    n = (d_model + 1) // 2
    for usual in _usual_bases(base):
        yield Candidate("paper", usual, 2 / d_model * math.log(usual))
        if n > 1:
            yield Candidate("endpoint", usual, math.log(usual) / (n - 1))


def _readings_by_pair(table, base, tolerance, families):
    """Readings in which a sine and a cosine share each frequency."""
    d_model = table.shape[1]
    for layout in LAYOUTS:
        sines, cosines = columns_of(layout, d_model)
        n = d_model // 2
        phasors = table[:, cosines[:n]] + 1j * table[:, sines[:n]]  # (rows, n)
        scale = math.sqrt((np.abs(phasors) ** 2).mean())
        if scale == 0 or np.abs(np.abs(phasors) / scale - 1).max() > 2 * tolerance:
            continue  # these columns are not sine and cosine of one angle
        for family in families:
            for reading in family(layout, phasors / scale, d_model, base, tolerance):
                yield replace(reading, scale=scale)


class Fit(NamedTuple):
    """How the pairs turn, if pair k turns by exp(-decay * k)."""

    turns: list
    decay: float  # the one that fits best
    allowed: float  # a misfit as good as the best one
    rounded: float  # one that frequencies in float32 explain
    noisy: float  # one that the noise in the lengths of the phasors explains

    def within(self, decay, misfit):
        """Whether the turns of a decay are the measured ones, up to a misfit."""
        omega = np.exp(-decay * np.arange(self.turns[0][1].size))
        return _misfit(self.turns, omega) <= misfit

    def allows(self, decay, digits=_DIGITS):
        """Whether a decay that needs a base of so many digits explains the turns."""
        # A base of one or two digits stands behind frequencies that were rounded, too.
        return self.within(decay, self.rounded if digits <= 2 else self.allowed)


def _falling(phasors, tolerance):
    """The law by which the frequencies fall from pair to pair, or None."""
    turns = _turns(phasors)
    if abs(turns[0][1][0] - 1) > 4 * tolerance:
        return None  # pair 0 turns a radian in every law
    decay = _fitted_decay(turns, phasors.shape[1])
    least = _misfit(turns, np.exp(-decay * np.arange(phasors.shape[1])))
    # A plain base may fit worse than the decay that fits best: rounding and noise are not
    # independent from lag to lag, so we allow three times the root mean square.
    allowed = 9 * least + 1e-18
    noisy = max(allowed, 9 * _misfit_of_noise(phasors, turns))
    return Fit(turns, decay, allowed, allowed + _misfit_of_rounding(turns), noisy)


def _misfit_of_rounding(turns):
    """The misfit of frequencies that were rounded to float32."""
    return sum(n * (lag * _ROUNDING) ** 2 for lag, _, n in turns) / sum(n for _, _, n in turns)


def _with_expected_base(layout, phasors, d_model, base, tolerance):
    """Laws with the expected base that fit; then the conventions, as far as they may."""
    fit = _falling(phasors, tolerance)
    if fit is None:
        return
    laws = _laws(d_model, len(phasors))
    expected = _expected(laws, base, partial(fit.within, misfit=fit.noisy))
    conventions = [law for law in laws if law[0] in ("paper", "endpoint", "even width")]
    loose = _expected(conventions, base, partial(fit.within, misfit=(4 * tolerance) ** 2))
    likely = [*expected, *_without_a_base(d_model, base, fit.allows)]
    others = [*likely, *_plainest(_without(laws, expected), fit.decay, fit.allows)]
    for candidate in dict.fromkeys([*likely, *loose]):
        yield from _located(layout, phasors, d_model, candidate, others, tolerance)


def _with_falling_frequencies(layout, phasors, d_model, base, tolerance):
    """Laws with any base, the plainest first."""
    fit = _falling(phasors, tolerance)
    if fit is None or not fit.within(fit.decay, (4 * tolerance) ** 2):
        return
    plain = _plainest(_laws(d_model, len(phasors)), fit.decay, fit.allows)
    fitted = Candidate("paper", math.exp(min(fit.decay * d_model / 2, 700)), fit.decay)
    for candidate in [*plain[:3], fitted]:
        yield from _located(layout, phasors, d_model, candidate, plain, tolerance)


def _located(layout, phasors, d_model, candidate, others, tolerance):
    """The readings of a candidate at the first positions that fit it."""
    rows, n = phasors.shape
    also = _others(others, candidate.spacing) if n > 1 else ("any base",)
    for first in _first_positions(phasors, candidate.decay, tolerance):
        yield replace(_read(layout, candidate, consecutive(first, rows), d_model), also=also)


def _with_rising_frequencies(layout, phasors, d_model, base, tolerance):
    """The law "divided twice"; its turns are too fast to be measured, so usual bases are tried."""
    rows, n = phasors.shape
    turns = _turns(phasors)
    for usual in _usual_bases(base) if n > 1 else ():
        omega = usual ** (2 * np.arange((d_model + 1) // 2) / d_model)
        if _misfit(turns[:2], omega[:n]) <= (4 * tolerance) ** 2:
            first = _first_position_of_rising(phasors[0], omega[:n])
            candidate = Candidate("divided twice", usual, -2 / d_model * math.log(usual))
            yield _read(layout, candidate, consecutive(first, rows), d_model, omega)


def _with_one_position(layout, phasors, d_model, base, tolerance):
    """All rows alike: the vector of one position, if it is one."""
    rows, n = phasors.shape
    if _changes(phasors).max() > _STANDS:
        return
    for candidate in _usual_candidates(d_model, base) if n > 1 else ():
        for first in _first_positions(phasors, candidate.decay, tolerance, same_position=True):
            yield _read(layout, candidate, np.full(rows, float(first)), d_model)


def _changes(phasors):
    """How much each row differs from the row before, at most in any pair."""
    return np.abs(np.diff(phasors, axis=0)).max(axis=1)


def _with_rounded_positions(layout, phasors, d_model, base, tolerance):
    """Some rows repeat the row before: positions that were rounded to bfloat16."""
    rows = len(phasors)
    stands = _changes(phasors) <= _STANDS
    if stands.all() or not stands.any():
        return
    for candidate in _usual_candidates(d_model, base):
        for start in _first_positions(phasors[:1], candidate.decay, tolerance):
            step = 2 ** max(abs(start).bit_length() - 8, 0)  # between neighbors in bfloat16
            for first in range(start - step, start + step + 1):
                positions = bfloat16(first + np.arange(rows)).astype(float)
                if np.array_equal(np.diff(positions) == 0, stands):
                    yield _read(layout, candidate, positions, d_model)


def _readings_by_column(table, base, tolerance):
    """Readings in which every column has a frequency of its own: ω_j = exp(-decay * j)."""
    rows, d_model = table.shape
    if d_model < 4:
        return  # one or two frequencies fit too much
    turns = cosines_of_turns(table)
    j = np.arange(d_model)
    decay = _fitted_column_decay(turns, j)
    least = column_misfit(turns, np.exp(-decay * j))
    if least > (4 * tolerance) ** 2:
        return
    allowed = 9 * least + 1e-18

    def fits(decay, _digits=_DIGITS):
        return column_misfit(turns, np.exp(-decay * j)) <= allowed

    laws = _column_laws(d_model)
    expected = _expected(laws, base, fits)
    likely = [*expected, *_plainest(_without(laws, expected), decay, fits)]
    fitted = Candidate("exponent by column", math.exp(min(decay * d_model, 700)), decay)
    for candidate in [*likely[:2], fitted]:
        omega = candidate.omega(d_model)
        for layout, quarter in (("interleaved", j % 2), ("cosine first", 1 - j % 2)):
            first, scale = first_position_of_columns(table, omega, quarter)
            if scale > 0:
                positions, also = consecutive(first, rows), _others(likely, candidate.spacing)
                law = layout, candidate.spacing, candidate.base
                yield Reading(*law, positions, omega, quarter, scale, also=also)


# Compare: how far the table is from a reading, what the reading is called, and how sure that is


def _identity(reading, table, largest, expected):
    first = reading.positions[0]
    still = bool((reading.positions == first).all())
    interleaved, sines_first = LAYOUTS.get(reading.layout, (True, True))
    signs = {
        "concatenated": not interleaved,
        "cosine first": not sines_first,
        "endpoint spacing": reading.spacing == "endpoint",
        "even width": reading.spacing == "even width",
        "positions from 1": first == 1 and not still,
    }
    return Identity(
        reading.layout,
        reading.spacing,
        reading.base,
        int(first),
        float(reading.scale * largest),
        _mistake(reading, expected),
        (*reading.conventions, *(name for name, seen in signs.items() if seen)),
        float(reading.error),
        _confidence(reading, table if reading.seen is None else reading.seen, expected),
        reading.also,
    )


def _mistake(reading, expected):
    if reading.bug or reading.conventions:
        return reading.bug
    if (reading.positions == reading.positions[0]).all():
        return "along the batch"
    if (np.diff(reading.positions) != 1).any():
        return "low precision"
    if reading.spacing in VARIANTS:
        return reading.spacing
    return None if math.isclose(reading.base, expected, rel_tol=1e-9) else "wrong base"


def _confidence(reading, table, expected):
    """1 - error / error of the next best reading, on some rows."""
    which = np.unique(np.linspace(0, len(table) - 1, 64).astype(int))
    made, given = reading.rows(which), table[which]
    error = np.abs(made - given).max()
    rivals = [rival.rows(which) for rival in _rivals(reading, expected)]
    # A rival with the same rows is the same table under another name.
    errors = [np.abs(rival - given).max() for rival in rivals if not np.allclose(rival, made)]
    return float(max(0.0, 1 - error / min(errors))) if errors else 0.0


def _rivals(reading, expected):
    """Readings next to this one: a position away, in another layout, spacing or base."""
    d_model = len(reading.omega)
    for away in (-1, 1):
        yield replace(reading, positions=reading.positions + away)
    for layout in LAYOUTS:
        for base in {reading.base, expected}:
            for spacing in ("paper", "endpoint"):
                k = np.arange((d_model + 1) // 2)
                step = 2 / d_model if spacing == "paper" else 1 / max(len(k) - 1, 1)
                with np.errstate(over="ignore"):
                    omega = base ** (-k * step)
                rival = Candidate(spacing, base, step * math.log(base))
                rival = _read(layout, rival, reading.positions, d_model, omega)
                yield replace(rival, scale=reading.scale)
