"""Three sines as dials, as waves, and as one curve in space that can be turned."""

import math

from figures.base import Figure, Number, Whole, bundle


class Curve(Figure):
    """Three sines as dials, as waves, and as one curve in space that can be turned.

    `first`, `second` and `third` are the frequencies, in radians per position.
    """

    _esm = bundle("curve.js")
    alt = (
        "Left: three dials with one hand each and its dashed mirror image, whose tip is as far to "
        "the right; below them their waves along the positions, the second twice as long as the "
        "first, the third twice as long again. Right: the points of the positions in a cube, "
        "joined by a line that closes to a loop and is darker where it is near."
    )
    position = Whole(1, min=0, max=64).tag(sync=True, public=True)
    first = Number(math.pi / 2, min=0.003, max=math.pi).tag(sync=True, public=True)
    second = Number(math.pi / 4, min=0.003, max=math.pi).tag(sync=True, public=True)
    third = Number(math.pi / 8, min=0.003, max=math.pi).tag(sync=True, public=True)
    turn = Whole(-35, min=-180, max=180).tag(sync=True, public=True)
    tilt = Whole(25, min=-90, max=90).tag(sync=True, public=True)
