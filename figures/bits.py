"""A position in eight bits, the step to the next, and the corners of a cube."""

import traitlets

from figures.base import Figure, IntTrait, bundle


class Bits(Figure):
    """A position in eight bits, the step to the next, and the corners of a cube."""

    _esm = bundle("bits.js")
    alt = (
        "Left: the eight bits of position 30 above those of 31, an arrow at the bit that flips. "
        "Right: the corners of a cube stand for the lowest three bits; a blue path goes through "
        "them in the order of counting, and the arrow of the next step goes along its last edge."
    )
    position = IntTrait(30, min=0, max=255).tag(sync=True, public=True)
    gray = traitlets.Bool(False).tag(sync=True, public=True)
