"""Spacings: how exponents grow from pair to pair, and which base the measured turns need.

In all laws that people use, pair k turns by exp(-decay * k) a row. One number, the decay, is fitted
to all pairs. With the spacing s it is s * ln(base), so a decay can belong to several spacings, each
with a base of its own. The likely one needs the base that is expected, else the one with the fewest
digits.
"""

import math
from typing import Any, NamedTuple

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
        self.rounded = self.allowed + (self.counts * (self.lags * _ROUNDING) ** 2).sum() / total
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


def of_pairs(d_model: int, rows: int) -> list[tuple[str, float, float]]:
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


def usual_bases(base: float) -> dict[float, None]:
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
