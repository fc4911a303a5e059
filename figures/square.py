"""The wave of a bit, a sum of sines that loses its corners with the fast ones."""

from figures.base import Figure, Whole, bundle


class SquareToSine(Figure):
    """The wave of a bit, a sum of sines that loses its corners with the fast ones.

    `waves` says how many of its sines are left, the slowest first.
    """

    _esm = bundle("square.js")
    alt = (
        "The fours digit along sixteen positions as a wave with corners, and over it the sum of "
        "its 25 slowest sines, which runs along the edges and overshoots a little beside each jump."
    )
    waves = Whole(25, min=1, max=25).tag(sync=True, public=True)
