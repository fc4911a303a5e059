"""A position as four clock hands, and the matrix T(Δ) that moves it."""

from pecode.figures.base import Figure, Number, Whole, bundle


class Clock(Figure):
    """A position as four clock hands, and the matrix T(Δ) that moves it."""

    _esm = bundle("clock.js")
    alt = (
        "Four dials with two hands each, at position 5 and at 8: far apart on the first dial, "
        "nearer on the second; on the last two only a ring around the tip tells them apart. Arrows "
        "show how far each hand turns. "
        "Below, a matrix of cells from blue (−1) to red (1), with four blocks along its diagonal, "
        "times row 5 of the table, is row 8."
    )
    position = Whole(5, min=0, max=200).tag(sync=True, public=True)
    offset = Whole(3, min=-20, max=20).tag(sync=True, public=True)
    base = Number(10000.0, min=10.0, max=100_000.0).tag(sync=True, public=True)
