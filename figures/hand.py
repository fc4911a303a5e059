"""One hand, turned by the same angle from wherever it stands."""

import math

from figures.base import Figure, Number, Whole, bundle


class OneHand(Figure):
    """One hand, turned by the same angle from wherever it stands.

    `omega` is the frequency of the hand, in radians per position. The four numbers beside it are
    the block of T(Δ) that turns its pair.
    """

    _esm = bundle("hand.js")
    alt = (
        "Left, a circle with two hands, at position 2 and at position 6, and an arrow from one to "
        "the other. Right, the column of sine and cosine at position 6 equals a matrix of four "
        "numbers, the cosine and sine of the angle, times the column at position 2."
    )
    position = Whole(2, min=0, max=40).tag(sync=True, public=True)
    offset = Whole(4, min=-12, max=12).tag(sync=True, public=True)
    omega = Number(0.3, min=0.01, max=math.pi).tag(sync=True, public=True)
