"""Spacings: how exponents grow from pair to pair, and which base the measured turns need.

In all laws that people use, pair k turns by exp(-decay * k) a row. One number, the decay, is fitted
to all pairs. With the spacing s it is s * ln(base), so a decay can belong to several spacings, each
with a base of its own. The likely one needs the base that is expected, else the one with the fewest
digits.
"""

import math
from typing import NamedTuple

import numpy as np

from pecheck.identity.known import WIDTHS, measured_frequencies

CONVENTIONS = "paper", "endpoint", "even width"
DIGITS = 6  # a base with more significant digits than these is not called plain
_BASES = 2, 1e9  # a base that somebody might use lies between these
_ROUNDING = 2.0**-22  # of a frequency in float32 that went through a logarithm and back


class Spacing(NamedTuple):
    """How an exponent grows; the rarer it is, the more digits it must save."""

    name: str
    step: float  # of the exponent, from one pair to the next
    handicap: float  # in digits of the base


class Candidate(NamedTuple):
    """A spacing with the base that it would need: ω_k = exp(-decay * k)."""

    spacing: str
    base: float
    decay: float


class Turns:
    """How phasors of shape (rows, pairs), all of length 1 but for noise, turn from row to row."""

    def __init__(self, phasors: np.ndarray):
        rows = len(phasors)
        lags = 2 ** np.arange((rows // 2).bit_length())
        turned = [(phasors[lag:] * phasors[:-lag].conj()).mean(axis=0) for lag in lags]
        self.omega = measured_frequencies(np.angle(turned), lags)  # (pairs,)
        self.lag, self.k = int(lags[-1]), np.arange(phasors.shape[1])
        logs = np.log(np.maximum(self.omega, 1e-9))
        scatter = (self.omega**2 * self.k**2).sum()  # what turns more is known better
        self.decay = max(-(self.omega**2 * self.k * logs).sum() / scatter, 0.0) if scatter else 0.0
        # A plain base may fit worse than the decay that fits best: rounding and noise are not
        # independent from row to row, so three times the root mean square is allowed.
        self.allowed = 9 * self.misfit(self.decay) + 1e-18
        self.rounded = self.allowed + (self.lag * _ROUNDING) ** 2
        # A decay that is fitted to a few turns follows their noise. It cannot follow the lengths.
        variance = ((np.abs(phasors) - 1) ** 2).mean()
        self.noisy = max(self.allowed, 18 * variance / (rows - self.lag))

    def misfit(self, decay):
        """Mean square of the angles between measured and predicted turns, over the longest lag."""
        return ((self.lag * (self.omega - np.exp(-decay * self.k))) ** 2).mean()

    def allows(self, decay, digits=DIGITS):
        """Whether a decay that needs a base of so many digits explains the turns."""
        # A base of one or two digits stands behind frequencies that were rounded, too.
        return self.misfit(decay) <= (self.rounded if digits <= 2 else self.allowed)


def of_pairs(d_model, rows):
    """The spacings of pairs, the most usual first, with `rows` for those who divide by the length.

    In the room that noise leaves to a base, every tenth has a spacing whose base by chance needs a
    digit fewer than the paper's, and every hundredth one with two digits fewer.
    """
    n = (d_model + 1) // 2
    spacings = [Spacing("paper", 2 / d_model, 0)]
    if d_model % 2:
        spacings.append(Spacing("even width", 2 / (d_model + 1), 1.5))
    if n > 1:
        spacings.append(Spacing("endpoint", 1 / (n - 1), 1.5))
    return [
        *spacings,
        Spacing("factor 2 doubled", 4 / d_model, 2.5),
        Spacing("factor 2 lost", 1 / d_model, 2.5),
        Spacing("length for width", 2 / rows, 3.5),
    ]


def of_other_widths(d_model, base):
    """The spacings that divide by another width than that of the table, with the expected base.

    Where a power of ten from a thousand on explains the same frequencies, another base is likelier.
    """
    for width in dict.fromkeys([d_model + 2, *WIDTHS]):
        implied = math.log10(base) * d_model / width
        if width != d_model and (implied < 2.9 or abs(implied - round(implied)) > 1e-9):
            yield Spacing(f"exponent over {width}", 2 / width, 3)


def with_base(spacings, base):
    """The candidates of spacings with this base."""
    return [Candidate(name, base, step * math.log(base)) for name, step, _ in spacings]


def with_plain_base(spacings, turns):
    """The candidates with the shortest base that fits, those with the fewest digits first."""
    found = []
    for spacing in spacings:
        fitted = turns.decay / spacing.step
        for digits in range(1, DIGITS + 1) if 0 < fitted < 700 else ():
            base = float(f"{math.exp(fitted):.{digits - 1}e}")
            (candidate,) = with_base([spacing], base) if base > 1 else (None,)
            if candidate and turns.allows(candidate.decay, digits):
                # Beyond these bounds the first spacing with any base at all is likelier.
                digits += spacing.handicap
                if not spacing.handicap or (digits <= DIGITS and is_used(base)):
                    found.append((digits, spacing.handicap, candidate))
                break
    return [candidate for *_, candidate in sorted(found)]


def usual_bases(base):
    """The expected base and powers of ten."""
    return dict.fromkeys([base, *(10.0**k for k in range(1, 8))])


def is_used(base):
    """Whether a base is one that somebody might use."""
    return _BASES[0] <= base <= _BASES[1]


def others_as_text(candidates, spacing):
    """The other spacings as text, as far as they need a base that somebody might use."""
    return tuple(
        f"{other.spacing}, base {other.base:.6g}"
        for other in candidates
        if other.spacing != spacing
        and (
            other.spacing == "paper"
            or (is_used(other.base) and float(f"{other.base:.3e}") == other.base)
        )
    )
