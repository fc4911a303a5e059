"""Spacings: how exponents grow from pair to pair, and which base the measured turns need.

In all laws that people use, pair k turns by exp(-decay * k) a row. One number, the decay, is fitted
to all pairs. With the spacing s it is s * ln(base), so a decay can belong to several spacings, each
with a base of its own. The likely one needs the base that is expected, else the one with the fewest
digits.
"""

import math
from typing import NamedTuple

import numpy as np

from pecheck.identity.known import measured_frequencies

CONVENTIONS = "paper", "endpoint", "even width"
DIGITS = 6  # a base with more significant digits than these is not called plain
_BASES = 2, 1e9  # a base that somebody might use lies between these
_ROUNDING = 2.0**-22  # of a frequency in float32 that went through a logarithm and back


class Candidate(NamedTuple):
    """A spacing with the base that it would need: ω_k = exp(-decay * k)."""

    spacing: str
    base: float
    decay: float


class Turns:
    """How phasors of shape (rows, pairs), all of length 1 but for noise, turn from row to row."""

    def __init__(self, phasors):
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

    Each has its name, the step of its exponent from pair to pair, and a handicap, the digits of the
    base that it must save: in the room that noise leaves to a base, every tenth has a spacing whose
    base by chance needs a digit fewer than the paper's, and every hundredth one with two fewer.
    """
    n = (d_model + 1) // 2
    even = [("even width", 2 / (d_model + 1), 1.5)] if d_model % 2 else []
    endpoint = [("endpoint", 1 / (n - 1), 1.5)] if n > 1 else []
    return [
        ("paper", 2 / d_model, 0),
        *even,
        *endpoint,
        ("factor 2 doubled", 4 / d_model, 2.5),
        ("factor 2 lost", 1 / d_model, 2.5),
        ("length for width", 2 / rows, 3.5),
    ]


def with_base(spacings, base):
    """The candidates of spacings with this base."""
    return [Candidate(name, base, step * math.log(base)) for name, step, _ in spacings]


def with_plain_base(spacings, turns):
    """The candidates with the shortest base that fits, those with the fewest digits first."""
    found = []
    for name, step, handicap in spacings:
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


def usual_bases(base):
    """The expected base and powers of ten."""
    return dict.fromkeys([base, *(10.0**k for k in range(1, 8))])


def others_as_text(candidates, spacing):
    """The other spacings as text, as far as they need a base that somebody might use."""
    return tuple(
        f"{name}, base {base:.6g}"
        for name, base, _ in candidates
        if name != spacing
        and (name == "paper" or (_BASES[0] <= base <= _BASES[1] and float(f"{base:.3e}") == base))
    )
