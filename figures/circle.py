"""One hand that draws two waves: how far right it is, and how far up."""

import math

from figures.base import Figure, FloatTrait, IntTrait, bundle


class TwoWaves(Figure):
    """One hand that draws two waves: how far right its tip is, and how far up.

    `omega` is the frequency of the hand, in radians per position.
    """

    _esm = bundle("circle.js")
    alt = (
        "A circle with a hand at position 12. A line to the right leads from its tip to a wave "
        "that runs to the right and starts at 1, the cosine; a line downward leads to a wave "
        "that runs down the page and starts at 0, the sine. Up to position 12 the waves are strong."
    )
    position = IntTrait(12, min=0, max=40).tag(sync=True, public=True)
    omega = FloatTrait(0.3, min=0.01, max=math.pi).tag(sync=True, public=True)
