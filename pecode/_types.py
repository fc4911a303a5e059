"""The types of arguments and results; shapes, units and what is refused are in the docstrings."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Bools = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Reals = NDArray[np.floating[Any]]  # the precision of what was given

__all__ = [
    "Any",
    "ArrayLike",
    "Bools",
    "DTypeLike",
    "Floats",
    "Integers",
    "Mapping",
    "NDArray",
    "PathLike",
    "Reals",
    "Sequence",
]
