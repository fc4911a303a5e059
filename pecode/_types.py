"""The types of arguments and results; shapes, units and what is refused are in the docstrings."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Reals = NDArray[np.floating[Any]]  # the precision of what was given

# `_check` reads the words from here.
Layout = Literal["interleaved", "concatenated"]  # of a table
RotaryLayout = Literal["interleaved", "half"]
Spacing = Literal["paper", "endpoint"]
BitOrder = Literal["big", "little"]
Style = Literal["timm", "mae", "blocks", "detr"]

__all__ = [
    "Any",
    "ArrayLike",
    "BitOrder",
    "Bools",
    "DTypeLike",
    "Floats",
    "Integers",
    "Layout",
    "Mapping",
    "NDArray",
    "PathLike",
    "Reals",
    "RotaryLayout",
    "Sequence",
    "Spacing",
    "Style",
]
