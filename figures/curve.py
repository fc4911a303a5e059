"""Three sines as dials, as waves, and as one curve in space that can be turned."""

from figures.base import Figure, IntTrait, bundle


class Curve(Figure):
    """Three sines as dials, as waves, and as one curve in space that can be turned.

    Their wavelengths are 4, 8 and 16 positions.
    """

    _esm = bundle("curve.js")
    alt = (
        "Left: three dials with one hand each and its dashed mirror image, whose tip is as far to "
        "the right; below them their waves along the positions, the second twice as long as the "
        "first, the third twice as long again. Right: the points of the positions in a cube, "
        "joined by a line that closes to a loop and is darker where it is near."
    )
    position = IntTrait(1, min=0, max=32).tag(sync=True, public=True)
    turn = IntTrait(-35, min=-180, max=180).tag(sync=True, public=True)
    tilt = IntTrait(25, min=-90, max=90).tag(sync=True, public=True)
