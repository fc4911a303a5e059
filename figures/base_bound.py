"""The distance up to which a key like the query beats a stranger, by the base."""

from functools import cache

import numpy as np
import traitlets

import pecode
from figures.base import Figure, FloatTrait, bundle, packed

_STEPS = np.arange(128)  # a distance below 16,384 is some of them, and some 128 times as long


@cache
def _first_dips():
    """The first distance at which S is negative, for 201 bases from 1,000 to 10,000,000."""
    found = []
    for base in np.round(1000 * 10 ** (0.02 * np.arange(201))):
        omega = pecode.frequencies(128, base)
        near, far = (np.exp(1j * np.outer(m, omega)) for m in (_STEPS, 128 * _STEPS))
        dips = np.flatnonzero((far @ near.T).real < 0)
        found.append(dips[0] if dips.size else None)
    return packed(found, 1)


class BaseBound(Figure):
    """The distance up to which a key like the query beats a stranger, by the base.

    Heads have 128 columns, S is the mean of cos(ωm) over their 64 pairs, and a text has 4,096
    tokens.
    """

    _esm = bundle("base_bound.js")
    alt = (
        "Left, a pale band of ripples that falls with the distance from 1 toward 0; the line "
        "along its lower edge dips below zero at 1,707, before a line that marks 4,096 tokens. "
        "Right, the distance of the first dip by the base: a jagged line that rises to the right. "
        "Where it lies under the line of 4,096 tokens a base fails: of those drawn, nearly all "
        "below 46,000, and 54,954 once more."
    )
    base = FloatTrait(10_000.0, min=1000.0, max=10_000_000.0).tag(sync=True, public=True)
    firsts = traitlets.Unicode().tag(sync=True)  # a browser would take a second to find them

    @traitlets.default("firsts")
    def _find_firsts(self):
        return _first_dips()
