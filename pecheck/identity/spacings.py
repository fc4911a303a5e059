"""Spacings: how exponents grow from pair to pair, and which base a measured decay needs.

With the spacing s, pair k has the frequency base**(-s * k): its decay is s * ln(base). A decay can
belong to several spacings, each with a base of its own. The likely one needs the base that is
expected, else the one with the fewest digits.
"""

import math
from typing import NamedTuple

import numpy as np

from pecheck.identity.turns import DIGITS

WIDTHS = (
    16, 32, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256, 288, 320, 384, 512, 576, 640, 768, 1024,
    1152, 1280, 1536, 1600, 2048, 2304, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192,
)  # fmt: skip
_BASES = 2, 1e9  # a base that somebody might use lies between these


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

    def omega(self, count):
        """The first frequencies."""
        return np.exp(-self.decay * np.arange(count))


def of_pairs(d_model, rows):
    """The spacings of pairs, with `rows` for those who divide by the length.

    In the room that noise leaves to a base, every tenth has a spacing whose base by chance needs a
    digit fewer than the paper's, and every hundredth one with two digits fewer.
    """
    n = (d_model + 1) // 2
    spacings = [
        Spacing("paper", 2 / d_model, 0),
        Spacing("factor 2 doubled", 4 / d_model, 2.5),
        Spacing("factor 2 lost", 1 / d_model, 2.5),
        Spacing("length for width", 2 / rows, 3.5),
    ]
    if d_model % 2:
        spacings.append(Spacing("even width", 2 / (d_model + 1), 1.5))
    if n > 1:
        spacings.append(Spacing("endpoint", 1 / (n - 1), 1.5))
    return spacings


def of_other_widths(d_model, base):
    """The spacings that divide by another width than that of the table, with the expected base.

    Where a power of ten from a thousand on explains the same frequencies, another base is likelier.
    """
    for width in dict.fromkeys([d_model + 2, *WIDTHS]):
        implied = math.log10(base) * d_model / width
        if width != d_model and (implied < 2.9 or abs(implied - round(implied)) > 1e-9):
            yield Spacing(f"exponent over {width}", 2 / width, 3)


def with_base(spacings, base, fits):
    """The candidates that fit with this base, the most usual spacing first."""
    usual_first = sorted(spacings, key=lambda spacing: spacing.handicap)
    candidates = [Candidate(name, base, step * math.log(base)) for name, step, _ in usual_first]
    return [candidate for candidate in candidates if fits(candidate.decay)]


def with_plain_base(spacings, fit, excluded=()):
    """The candidates with the shortest base that fits, those with the fewest digits first.

    Spacings of the candidates in `excluded` are left out.
    """
    excluded = {candidate.spacing for candidate in excluded}
    others = (spacing for spacing in spacings if spacing.name not in excluded)
    candidates = (_with_shortest_base(spacing, fit) for spacing in others)
    return [candidate for *_, candidate in sorted(filter(None, candidates))]


def _with_shortest_base(spacing, fit):
    """(Digits, handicap, candidate) of the first base that fits a spacing, or None."""
    name, step, handicap = spacing
    if not 0 < fit.decay / step < 700:
        return None
    for digits in range(1, DIGITS + 1):
        base = float(f"{math.exp(fit.decay / step):.{digits - 1}e}")
        if base > 1 and fit.allows(step * math.log(base), digits):
            # Beyond these bounds the first spacing with any base at all is likelier.
            likely = not handicap or (digits + handicap <= DIGITS and is_used(base))
            candidate = Candidate(name, base, step * math.log(base))
            return (digits + handicap, handicap, candidate) if likely else None
    return None


def without_a_base(d_model, base, fits):
    """The mistakes whose decay does not come from a base that could be read off."""
    # The mistake itself, as in `variants`: (… / d_model) // 2 where … / (d_model // 2) was meant.
    precedence = -2 * (-math.log(base) / d_model // 2)
    for name, decay in (("precedence", precedence), ("integer division", 0.0)):
        if d_model > 3 and fits(decay):
            yield Candidate(name, base, decay)


def conventions(d_model, base):
    """The candidates of the two conventions."""
    n = (d_model + 1) // 2
    yield Candidate("paper", base, 2 / d_model * math.log(base))
    if n > 1:
        yield Candidate("endpoint", base, math.log(base) / (n - 1))


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
