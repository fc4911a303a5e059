"""How far a table turns from row to row, and by which law that falls from pair to pair.

A pair, a sine and a cosine of one angle, is a phasor: its angle tells how far it has turned 1, 2,
4, … rows later. In all laws that people use, pair k turns by exp(-decay * k) a row. One number,
the decay, is fitted to all of them.
"""

import math
from dataclasses import dataclass

import numpy as np

_STEEPEST = 100.0  # largest decay that is tried
_ROUNDING = 2.0**-22  # of a frequency in float32 that went through a logarithm and back
DIGITS = 6  # a base with more significant digits than these is not called plain


class PairTurns:
    """The turns of phasors of shape (rows, pairs), all of length 1 but for noise."""

    def __init__(self, phasors):
        self.count = phasors.shape[1]
        lags = [2**k for k in range((len(phasors) - 1).bit_length())]
        self.angles = np.array([_turn(phasors, lag) for lag in lags])  # (lags, pairs)
        self.lags = np.array(lags, dtype=float)[:, None]
        self.counts = len(phasors) - self.lags  # how many pairs of rows tell the turn of each lag

    def misfit(self, omega, lags=None):
        """Mean square of the differences between measured and predicted turns."""
        counts = self.counts[:lags]
        chords = 2 * np.sin((self.angles[:lags] - self.lags[:lags] * omega) / 2)
        return (counts * chords**2).sum() / (counts.sum() * len(omega))

    def first_decay(self, k):
        """The decay that explains the turns from one row to the next."""
        first = np.maximum(self.angles[0], 1e-9)
        return _slope(np.log(first), k, weight=first**2 * k)

    def newton_step(self, decay, k, lags):
        """Newton's step for the angles lag * exp(-decay * k)."""
        turned = self.lags[:lags] * np.exp(-decay * k)
        slope = -k * turned
        away = self.angles[:lags] - turned
        residual = away - 2 * math.pi * np.round(away / (2 * math.pi))
        numerator = (self.counts[:lags] * slope * residual).sum()
        denominator = (self.counts[:lags] * slope**2).sum()
        return numerator / denominator if denominator else 0.0

    def misfit_of_noise(self, phasors):
        """The misfit that the noise in the lengths of the phasors would cause.

        A decay that is fitted to a few turns follows their noise, and leaves too small a misfit. It
        cannot follow the lengths.
        """
        variance = ((np.abs(phasors) - 1) ** 2).mean()
        return 2 * variance * len(self.lags) / self.counts.sum()

    def misfit_of_rounding(self):
        """The misfit of frequencies that were rounded to float32."""
        return (self.counts * (self.lags * _ROUNDING) ** 2).sum() / self.counts.sum()


def _turn(phasors, lag):
    """The angle by which each pair turns in so many rows."""
    return np.angle((phasors[lag:] * phasors[:-lag].conj()).mean(axis=0))


def _slope(logarithms, k, weight):
    """How fast the logarithms fall with k."""
    scatter = (weight * k).sum()
    return -(weight * logarithms).sum() / scatter if scatter else 0.0


def fitted_decay(turns):
    """The decay that fits best, and its misfit."""
    k, decay = np.arange(turns.count), 0.0
    if turns.count > 1:
        # First from one row to the next, then from ever longer lags.
        decay = max(turns.first_decay(k), 0.0)
        for lags in range(1, len(turns.lags) + 1):
            for _ in range(4):
                # No law has frequencies that grow here; without a bound a bad fit would overflow.
                decay = min(max(decay + turns.newton_step(decay, k, lags), 0.0), _STEEPEST)
    return decay, turns.misfit(np.exp(-decay * k))


@dataclass(frozen=True)
class Fit:
    """How pairs turn, if number k turns by exp(-decay * k) a row."""

    turns: PairTurns
    decay: float  # the one that fits best
    allowed: float  # a misfit as good as the best one
    rounded: float  # one that frequencies in float32 explain
    noisy: float  # one that the noise in the lengths of the phasors explains

    def within(self, decay, misfit):
        """Whether the turns of a decay are the measured ones, up to a misfit."""
        return self.turns.misfit(np.exp(-decay * np.arange(self.turns.count))) <= misfit

    def allows(self, decay, digits=DIGITS):
        """Whether a decay that needs a base of so many digits explains the turns."""
        # A base of one or two digits stands behind frequencies that were rounded, too.
        return self.within(decay, self.rounded if digits <= 2 else self.allowed)


def fit_of_pairs(phasors, tolerance):
    """The law by which the turns of phasors fall from pair to pair, or None."""
    if abs(_turn(phasors[:, 0], 1) - 1) > 4 * tolerance:
        return None  # pair 0 turns a radian in every law
    turns = PairTurns(phasors)
    decay, least = fitted_decay(turns)
    allowed = _allowed(least)
    rounded = allowed + turns.misfit_of_rounding()
    noisy = max(allowed, 9 * turns.misfit_of_noise(phasors))
    return Fit(turns, decay, allowed, rounded, noisy)


def _allowed(least):
    # A plain base may fit worse than the decay that fits best: rounding and noise are not
    # independent from lag to lag, so we allow three times the root mean square.
    return 9 * least + 1e-18
