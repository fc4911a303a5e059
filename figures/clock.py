"""A position as four clock hands, and the matrix T(Δ) that moves it."""

from figures.base import Figure, IntTrait, bundle


class Clock(Figure):
    """A position as four clock hands, and the matrix T(Δ) that moves it."""

    _esm = bundle("clock.js")
    alt = (
        "Four dials with two hands each, at position 120 and at 132. On the first dial the hand "
        "has turned nearly twice, on the second by less than a quarter, on the third by a little, "
        "and on the last only a ring around the tip tells the two apart. Arrows show the turns. "
        "Below, a matrix of cells from blue (−1) to red (1), with four blocks along its diagonal, "
        "times the vector of position 120, is that of position 132."
    )
    position = IntTrait(120, min=0, max=200).tag(sync=True, public=True)
    offset = IntTrait(12, min=-20, max=20).tag(sync=True, public=True)
