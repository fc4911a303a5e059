"""Naming the convention, or the bug, that a whole table follows.

Three steps. First, measure: how far does every hand turn from one row to the next? Second,
propose: in all laws that people use, hand k turns by ρ**k radians, so one number ρ is fitted to
all hands; it says which base each law would need, and the law that needs a plain base is the
likely one. Third, compare: build the table that was proposed, and believe it only if no entry of
the given table is further away than the tolerance. What passes no comparison is not named.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pecode import _check, _phases
from pecode.diagnose.decoding import _leaves, _nearest
from pecode.diagnose.variants import VARIANTS
from pecode.precision import bfloat16

_FIRST, _LAST = -64, 2**17  # where the first row may be
_HANDS = 32  # enough to find it
_DIGITS = 6  # a base with more significant digits than these is not called plain
_STEEPEST = 100.0  # largest ρ that is tried
_BASES = 2, 1e9  # a base that somebody might use lies between these

# Name of a layout: are the two kinds interleaved, do the sines come first?
_LAYOUTS = {
    "interleaved": (True, True),
    "cosine first": (True, False),
    "concatenated": (False, True),
    "concatenated, cosine first": (False, False),
}


@dataclass(frozen=True)
class Identity:
    """What a table is.

    Attributes
    ----------
    layout : str
        "interleaved", "cosine first", "concatenated" or "concatenated, cosine first".
    spacing : str
        How the exponents grow: "paper" (2i/d_model), "endpoint", "even width" (2i/(d_model + 1)
        at an odd width: the table of the width above, less its last column), or the name of a bug.
    base : float
        The base that the law of this spacing needs.
    first_position : int
        Position of the first row.
    scale : float
        Factor on all entries: 1 for sines and cosines as they are.
    bug : str or None
        The name of a mistake in `pecode.diagnose.variants.VARIANTS`.
    conventions : tuple of str
        Choices that differ from the paper's but are not mistakes: names in `VARIANTS`, and at an
        odd width "even width" (see `spacing`) or "zero column" (the even width below, and a column
        of zeros; the layout and the spacing are those of the even width).
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
        """The bug, else the conventions, else "paper"."""
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
        if self.also:
            lines.append("the same rows: " + "; ".join(self.also))
        return "\n".join(lines)


def identify(table, base=10000.0, tolerance=0.01):
    """Name the convention or the bug that a table of encodings follows.

    Parameters
    ----------
    table : array-like of floats, shape (rows, d_model), at least (3, 2)
        Rows of consecutive positions, from anywhere in a sequence.
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
        table is no 2-D array of finite real numbers with at least 3 rows and 2 columns, base is
        no finite number above 1, tolerance is not above 0 or is above 1.

    Notes
    -----
    The first row is looked for at positions from -64 to 131,071. "divided twice", "along the
    batch" and "low precision" are looked for with the expected base and powers of ten only.
    A single pair fits nearly any start of its hand with some position of that range, and two
    pairs every third one: at such widths only a first position near 0 says much.

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
    table = _check.reals("table", table, ndim=2).astype(np.float64)
    if table.shape[0] < 3 or table.shape[1] < 2:
        raise ValueError(f"table: expected at least 3 rows and 2 columns, got {table.shape}")
    base = _check.real("base", base, above=1)
    tolerance = _check.real("tolerance", tolerance, above=0)
    if tolerance > 1:
        raise ValueError(
            f"tolerance: expected a part of the scale, at most 1, got {tolerance:g}: nearly any "
            "table would be believed"
        )
    largest = np.abs(table).max()
    if largest == 0:
        return None
    unit = table / largest  # no square leaves the floats
    if _ends_with_zeros(unit):
        found = _named(unit[:, :-1], largest, base, tolerance)
        if found is not None:
            return replace(found, conventions=(*found.conventions, "zero column"))
    return _named(unit, largest, base, tolerance)


def _ends_with_zeros(table):
    """Whether an odd width ends with a column of zeros, although the rows are not all one."""
    # One row again and again may be that of position 0, where every sine is 0.
    return table.shape[1] % 2 == 1 and not table[:, -1].any() and bool(np.diff(table, axis=0).any())


def _named(table, largest, base, tolerance):
    for look in (_look_at_pairs, _look_at_columns):
        for reading in look(table, base, tolerance):  # the likeliest comes first
            reading = replace(reading, error=_error(reading, table))
            if reading.error <= tolerance:
                return _identity(reading, table, largest, base)
    return None


@dataclass(frozen=True)
class _Reading:
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
        angles = self.positions[which, None] * self.omega + self.quarter * (math.pi / 2)
        return self.scale * np.sin(angles)


def _columns(layout, d_model):
    """Which columns hold sines, and which cosines, in the order of the hands."""
    interleaved, sines_first = _LAYOUTS[layout]
    columns, n = np.arange(d_model), (d_model + 1) // 2
    first, second = (columns[0::2], columns[1::2]) if interleaved else (columns[:n], columns[n:])
    return (first, second) if sines_first else (second, first)


def _of_hands(layout, spacing, base, positions, omega, d_model, **more):
    """A reading with one frequency for each pair."""
    sines, cosines = _columns(layout, d_model)
    by_column, quarter = np.empty(d_model), np.empty(d_model)
    by_column[sines], by_column[cosines] = omega[: len(sines)], omega[: len(cosines)]
    quarter[sines], quarter[cosines] = 0, 1
    return _Reading(layout, spacing, base, positions, by_column, quarter, **more)


def _error(reading, table):
    """Largest difference from the rows of the reading, as a part of the scale."""
    rows = max(1, 2**18 // table.shape[1])
    parts = (slice(first, first + rows) for first in range(0, len(table), rows))
    return max(np.abs(reading.rows(part) - table[part]).max() for part in parts) / reading.scale


# Step 1 and 2 for pairs: how far do the hands turn, and which law says so?


def _look_at_pairs(table, base, tolerance):
    """Readings in which a sine and a cosine share each frequency."""
    d_model = table.shape[1]
    for layout in _LAYOUTS:
        sines, cosines = _columns(layout, d_model)
        n = d_model // 2
        hands = table[:, cosines[:n]] + 1j * table[:, sines[:n]]  # (rows, n)
        scale = math.sqrt((np.abs(hands) ** 2).mean())
        if scale == 0 or np.abs(np.abs(hands) / scale - 1).max() > 2 * tolerance:
            continue  # a hand that changes its length is none
        for reading in _proposals(layout, hands / scale, d_model, base, tolerance):
            yield replace(reading, scale=scale)


def _proposals(layout, hands, d_model, base, tolerance):
    turns = _turns(hands)
    if _small(np.abs(np.diff(hands, axis=0)), tolerance):
        yield from _one_vector(layout, hands, d_model, base, tolerance)
    elif np.abs(np.diff(hands, axis=0)).max(axis=1).min() <= 2 * tolerance:
        yield from _stuck(layout, hands, d_model, base, tolerance)
    elif abs(turns[0][1][0] - 1) <= 4 * tolerance:  # the first hand turns a radian in every law
        yield from _slowing(layout, hands, turns, d_model, base, tolerance)
        yield from _growing(layout, hands, turns, d_model, base, tolerance)


def _small(differences, tolerance):
    return differences.max() <= 2 * tolerance


def _turns(hands):
    """By how much each hand turns in 1, 2, 4, … rows: (lag, angles, number of pairs of rows)."""
    turns, lag = [], 1
    while lag < len(hands):
        mean = (hands[lag:] * hands[:-lag].conj()).mean(axis=0)
        turns.append((lag, np.angle(mean), len(hands) - lag))
        lag *= 2
    return turns


def _misfit(turns, omega):
    """Mean square of the differences between measured and predicted turns."""
    off = [(n, 2 * np.sin((angles - lag * omega) / 2)) for lag, angles, n in turns]
    weight = sum(n * len(omega) for n, _ in off)
    return sum(n * (delta**2).sum() for n, delta in off) / weight


def _fitted_decay(turns, n):
    """ρ of the best ω_k = exp(-ρk): first from one row to the next, then from ever longer lags."""
    k, first = np.arange(n), np.maximum(turns[0][1], 1e-9)
    if n == 1:
        return 0.0
    weight = first**2 * k
    decay = max(-(weight * np.log(first)).sum() / (weight * k).sum(), 0.0)
    for last in range(1, len(turns) + 1):
        for _ in range(4):
            # No law has hands that get faster here; without a bound a bad fit leaves the floats.
            decay = min(max(decay + _newton_step(turns[:last], decay, k), 0.0), _STEEPEST)
    return decay


def _newton_step(turns, decay, k):
    omega = np.exp(-decay * k)
    above = below = 0.0
    for lag, angles, n in turns:
        slope = -k * omega * lag
        off = np.angle(np.exp(1j * (angles - lag * omega)))
        above, below = above + n * (slope * off).sum(), below + n * (slope**2).sum()
    return above / below if below else 0.0


def _slowing(layout, hands, turns, d_model, base, tolerance):
    """Laws in which hand k turns by exp(-ρk)."""
    rows, n = hands.shape
    k = np.arange((d_model + 1) // 2)
    decay = _fitted_decay(turns, n)
    least = _misfit(turns, np.exp(-decay * k[:n]))
    if least > (4 * tolerance) ** 2:
        return
    # A plain base may fit worse than the decay that fits best: rounding and noise are not
    # independent from lag to lag, so we allow three times the root mean square.
    allowed = 9 * least + 1e-18

    def fits(decay):
        return _misfit(turns, np.exp(-decay * k[:n])) <= allowed

    laws = _laws(d_model, rows)
    named = _likely(laws, decay, fits, base, d_model)
    raw = ("paper", math.exp(min(decay * d_model / 2, 700)), decay)
    for spacing, its_base, its_decay in [*named[:3], raw]:
        omega = np.exp(-its_decay * k)
        for first in _first_positions(hands, its_decay, tolerance):
            positions = first + np.arange(rows, dtype=float)
            reading = _of_hands(layout, spacing, its_base, positions, omega, d_model)
            yield replace(reading, also=_others(named, spacing) if n > 1 else ("any base",))


def _laws(d_model, rows):
    """Each law as the factor of ln base in ρ, with a handicap in digits: the rarer, the more.

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


def _likely(laws, decay, fits, base, d_model):
    """(law, base, ρ), the likeliest first: the expected base, then the plainest one."""
    found = [
        (name, base, factor * math.log(base))
        for name, factor, _ in sorted(laws, key=lambda law: law[2])
        if fits(factor * math.log(base))
    ]
    wrong_factor = -2 * (-math.log(base) / d_model // 2)
    for name, special in (("precedence", wrong_factor), ("integer division", 0.0)):
        if d_model > 3 and fits(special):
            found.append((name, base, special))
    plain = []
    for name, factor, handicap in laws:
        if name in [other for other, _, _ in found] or not 0 < decay / factor < 700:
            continue
        for digits in range(1, _DIGITS + 1):
            its_base = float(f"{math.exp(decay / factor):.{digits - 1}e}")
            if its_base > 1 and fits(factor * math.log(its_base)):
                # Beyond these bounds the first law with any base at all is likelier.
                if not handicap or (digits + handicap <= _DIGITS and _is_used(its_base)):
                    law = (name, its_base, factor * math.log(its_base))
                    plain.append((digits + handicap, handicap, law))
                break
    return found + [law for _, _, law in sorted(plain)]


def _others(named, spacing):
    """The other laws as text, as long as they need a base that somebody might use."""
    return tuple(
        f"{name}, base {base:.6g}"
        for name, base, _ in named
        if name != spacing
        and (name == "paper" or (_is_used(base) and float(f"{base:.3e}") == base))
    )


def _is_used(base):
    return _BASES[0] <= base <= _BASES[1]


def _plain_bases(base):
    return dict.fromkeys([base, *(10.0**k for k in range(1, 8))])


def _growing(layout, hands, turns, d_model, base, tolerance):
    """The law in which hands get faster; too fast to be measured, so plain bases are tried."""
    rows, n = hands.shape
    k = np.arange((d_model + 1) // 2)
    for its_base in _plain_bases(base):
        omega = its_base ** (2 * k / d_model)
        if n > 1 and _misfit(turns[:2], omega[:n]) <= (4 * tolerance) ** 2:
            first = _first_position_of_fast_hands(hands[0], omega[:n])
            positions = first + np.arange(rows, dtype=float)
            yield _of_hands(layout, "divided twice", its_base, positions, omega, d_model)


def _one_vector(layout, hands, d_model, base, tolerance):
    """All rows alike: the vector of one position, if it is one."""
    rows, n = hands.shape
    for spacing, its_base, decay in _plain_laws(d_model, base) if n > 1 else ():
        omega = np.exp(-decay * np.arange((d_model + 1) // 2))
        for first in _first_positions(hands, decay, tolerance, stand_still=True):
            positions = np.full(rows, float(first))
            yield _of_hands(layout, spacing, its_base, positions, omega, d_model)


def _stuck(layout, hands, d_model, base, tolerance):
    """Some rows repeat the row before: positions that were rounded to bfloat16."""
    rows = len(hands)
    stands = np.abs(np.diff(hands, axis=0)).max(axis=1) <= 2 * tolerance
    for spacing, its_base, decay in _plain_laws(d_model, base):
        omega = np.exp(-decay * np.arange((d_model + 1) // 2))
        for start in _first_positions(hands[:1], decay, tolerance):
            step = 2 ** max(abs(start).bit_length() - 8, 0)  # between neighbors in bfloat16
            for first in range(start - step, start + step + 1):
                positions = bfloat16(first + np.arange(rows)).astype(float)
                if np.array_equal(np.diff(positions) == 0, stands):
                    yield _of_hands(layout, spacing, its_base, positions, omega, d_model)


def _plain_laws(d_model, base):
    """(law, base, ρ) for the expected base and powers of ten."""
    n = (d_model + 1) // 2
    for its_base in _plain_bases(base):
        yield "paper", its_base, 2 / d_model * math.log(its_base)
        if n > 1:
            yield "endpoint", its_base, math.log(its_base) / (n - 1)


def _first_positions(hands, decay, tolerance, stand_still=False):
    """Where the first row may be: a list of the smallest position that is as near as any."""
    if decay == 0:
        hands = hands.mean(axis=1, keepdims=True)  # all hands are one
    n = hands.shape[1]
    omega = np.exp(-decay * np.arange(n))
    rows = 0 if stand_still else np.arange(len(hands))[:, None]
    start = (hands * np.exp(-1j * rows * omega)).mean(axis=0)  # every row, turned back to the first
    start *= np.exp(-1j * _FIRST * omega)  # the search counts from 0
    row = np.stack([start.imag, start.real], axis=1).reshape(1, -1)  # (1, 2n)
    steps = _phases.steps(n, Fraction(decay), math.e)
    within = n * (4 * tolerance) ** 2
    nearest, squared = _nearest(row, steps, omega, _LAST - _FIRST, within)
    if nearest[0] < 0:
        return []
    if n == 1:
        return [int(nearest[0]) + _FIRST]
    bound = 2 * squared + 1e-12 * n
    as_near = [found for _, found, _ in _leaves(row, steps, omega, _LAST - _FIRST, bound)]
    as_near = np.concatenate(as_near) + _FIRST
    return [int(as_near[np.abs(as_near).argmin()])]


def _first_position_of_fast_hands(hand, omega):
    """The same for frequencies above π: all positions, one by one."""
    some = np.unique(np.linspace(0, len(omega) - 1, _HANDS).astype(int))
    positions = np.arange(_FIRST, _LAST)
    squared = [
        (np.abs(np.exp(1j * part[:, None] * omega[some]) - hand[some]) ** 2).sum(axis=-1)
        for part in np.array_split(positions, 64)
    ]
    return int(positions[np.concatenate(squared).argmin()])


# Step 1 and 2 for columns that go their own ways


def _look_at_columns(table, base, tolerance):
    """Readings in which every column has a frequency of its own: ω_j = exp(-ρj)."""
    rows, d_model = table.shape
    if d_model < 4:
        return  # one or two frequencies fit too much
    turns = _cosines(table)
    j = np.arange(d_model)
    decay = _fitted_column_decay(turns, j)
    least = _column_misfit(turns, np.exp(-decay * j))
    if least > (4 * tolerance) ** 2:
        return
    allowed = 9 * least + 1e-18

    def fits(decay):
        return _column_misfit(turns, np.exp(-decay * j)) <= allowed

    laws = [("exponent by column", 1 / d_model, 0), ("factor 2 by column", 2 / d_model, 1.5)]
    named = [law for law in _likely(laws, decay, fits, base, d_model) if "column" in law[0]]
    raw = ("exponent by column", math.exp(min(decay * d_model, 700)), decay)
    for spacing, its_base, its_decay in [*named[:2], raw]:
        omega = np.exp(-its_decay * j)
        for layout, quarter in (("interleaved", j % 2), ("cosine first", 1 - j % 2)):
            first, scale = _first_position_of_columns(table, omega, quarter)
            if scale > 0:
                positions = first + np.arange(rows, dtype=float)
                reading = _Reading(layout, spacing, its_base, positions, omega, quarter, scale)
                yield replace(reading, also=_others(named, spacing))


def _cosines(table):
    """cos(ω_j · lag) of every column for the lags 1, 2, 4, …, and how much each may be trusted.

    x(t + m) + x(t - m) = 2 cos(ωm) · x(t) for any sine, whatever its phase.
    """
    turns, lag = [], 1
    while 2 * lag < len(table):
        middle, around = table[lag:-lag], table[2 * lag :] + table[: -2 * lag]
        trust = (middle**2).sum(axis=0)
        cosine = (middle * around).sum(axis=0) / np.where(trust > 0, 2 * trust, 1)
        turns.append((lag, np.clip(cosine, -1, 1), trust))
        lag *= 2
    return turns


def _column_misfit(turns, omega):
    weight = sum(trust.sum() for _, _, trust in turns)
    total = sum((trust * (cosine - np.cos(lag * omega)) ** 2).sum() for lag, cosine, trust in turns)
    return total / weight if weight else math.inf  # rows of zeros alone have no frequency


def _fitted_column_decay(turns, j):
    _, cosine, trust = turns[0]
    first = np.maximum(np.arccos(cosine), 1e-9)
    weight = trust * first**4 * j
    below = (weight * j).sum()
    decay = max(-(weight * np.log(first)).sum() / below, 0.0) if below else 0.0
    for last in range(1, len(turns) + 1):
        for _ in range(4):
            omega = np.exp(-decay * j)
            above = below = 0.0
            for lag, cosine, trust in turns[:last]:
                slope = np.sin(lag * omega) * lag * omega * j
                above += (trust * slope * (cosine - np.cos(lag * omega))).sum()
                below += (trust * slope**2).sum()
            decay += above / below if below else 0.0
            decay = min(max(decay, 0.0), _STEEPEST)
    return decay


def _first_position_of_columns(table, omega, quarter):
    """The nearest first position and the scale that goes with it, from some rows and columns."""
    rows = np.unique([0, len(table) // 2])
    some = np.unique(np.linspace(0, len(omega) - 1, _HANDS // 2).astype(int))
    given = table[np.ix_(rows, some)]
    positions = np.arange(_FIRST, _LAST)
    squared, scales = [], []
    for part in np.array_split(positions, 64):
        angles = (part[:, None, None] + rows[:, None]) * omega[some] + quarter[some] * (math.pi / 2)
        made = np.sin(angles)  # (positions, rows, columns)
        scale = (made * given).sum(axis=(1, 2)) / (made**2).sum(axis=(1, 2))
        scales.append(scale)
        squared.append(((scale[:, None, None] * made - given) ** 2).mean(axis=(1, 2)))
    squared, scales = np.concatenate(squared), np.concatenate(scales)
    as_near = np.flatnonzero(squared <= 2 * squared.min() + 1e-12 * (given**2).mean())
    best = as_near[np.abs(positions[as_near]).argmin()]
    return int(positions[best]), float(scales[best])


# Step 3: what it is called, and how sure that is


def _identity(reading, table, largest, expected):
    first = reading.positions[0]
    still = bool((reading.positions == first).all())
    rounded = not still and bool((np.diff(reading.positions) != 1).any())
    bug = reading.spacing if reading.spacing in VARIANTS else None
    bug = "along the batch" if still else "low precision" if rounded else bug
    if bug is None and not math.isclose(reading.base, expected, rel_tol=1e-9):
        bug = "wrong base"
    interleaved, sines_first = _LAYOUTS[reading.layout]
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
        bug,
        tuple(name for name, seen in signs.items() if seen),
        float(reading.error),
        _confidence(reading, table, expected),
        reading.also,
    )


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
    for layout in _LAYOUTS:
        for base in {reading.base, expected}:
            for spacing in ("paper", "endpoint"):
                k = np.arange((d_model + 1) // 2)
                step = 2 / d_model if spacing == "paper" else 1 / max(len(k) - 1, 1)
                with np.errstate(over="ignore"):
                    omega = base ** (-k * step)
                rival = _of_hands(layout, spacing, base, reading.positions, omega, d_model)
                yield replace(rival, scale=reading.scale)
