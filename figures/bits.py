"""A position in eight bits, the step to the next, and the corners of a cube."""

import traitlets

from figures.base import Figure, IntTrait, bundle


class Bits(Figure):
    """A position in eight bits, the step to the next, and the corners of a cube."""

    _esm = bundle("bits.js")
    alt = (
        "Left: the eight bits of position 31 above those of 32, with arrows where a bit flips. "
        "Right: the corners of a cube stand for the lowest three bits; a blue path goes through "
        "them in the order of counting, and the arrow of the next step crosses the whole cube."
    )
    position = IntTrait(31, min=0, max=255).tag(sync=True, public=True)
    gray = traitlets.Bool(False).tag(sync=True, public=True)
