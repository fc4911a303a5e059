"""The distance up to which a key like the query beats a stranger, by the base."""

from figures.base import Figure, FloatTrait, bundle


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
