"""The score of one patch of a picture with all others, under three choices of frequencies."""

import traitlets

from figures.base import Figure, IntTrait, bundle
from pecode.axes import axial_frequencies, mixed_frequencies
from pecode.encodings import frequencies

SIDE = 14  # patches a side: a picture of 224 pixels in patches of 16

# Frequency vectors of 32 pairs, (row, column). One long index is 14 · row + column.
SCHEMES = {
    "one long index": [[SIDE * omega, omega] for omega in frequencies(64)],
    "axial": axial_frequencies((32, 32), base=100.0).tolist(),
    "mixed": mixed_frequencies(32, base=10.0).tolist(),
}


class GridKernel(Figure):
    """The score of one patch of a picture with all others, under three choices of frequencies."""

    _esm = bundle(
        "grid_kernel.js",
        SCHEMES={
            name: [[float(f"{omega:.6g}") for omega in pair] for pair in pairs]
            for name, pairs in SCHEMES.items()
        },
    )
    alt = (
        "A map of 14 rows and 14 columns of patches, one of them framed. With one long index its "
        "own row is red near it, the rows above and below are evenly pink, and the pattern runs on "
        "from line to line."
    )
    row = IntTrait(6, min=0, max=SIDE - 1).tag(sync=True, public=True)
    column = IntTrait(6, min=0, max=SIDE - 1).tag(sync=True, public=True)
    scheme = traitlets.Enum([*SCHEMES], "one long index").tag(sync=True, public=True)
