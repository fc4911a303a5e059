"""Numbers with fewer bits: what becomes of positions and angles in a short floating-point format.

float16 and float32 are types of numpy; bfloat16 is not, so it is made here from float32.
"""

from __future__ import annotations

import numpy as np

from pecode import _check
from pecode._check import checked, reals
from pecode._types import ArrayLike, NDArray

_DIGITS = 8  # binary digits of a bfloat16, the leading one among them
_LOWEST = -133  # its smallest number above zero is 2**-133


@checked(x=reals)
def bfloat16(x: ArrayLike) -> NDArray[np.float32]:
    """The nearest numbers that bfloat16 can hold, as float32; ties go to the even last digit.

    bfloat16 is a float32 without the last 16 bits: the same range, and 8 binary digits. So it
    holds the integers up to 256, and from there on not all of them. `x` is rounded once, from
    float64.

    Examples
    --------
    >>> bfloat16([256, 257, 258, 259]).tolist()
    [256.0, 256.0, 258.0, 260.0]
    >>> float(bfloat16(np.pi))
    3.140625
    """
    x = x.astype(np.float64)
    _, exponents = np.frexp(x)  # x = m · 2**exponent with 0.5 <= |m| < 1
    unit = np.maximum(exponents - _DIGITS, _LOWEST)  # the last digit stands for 2**unit
    with np.errstate(over="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(x, -unit)), unit)  # rint: ties to even
        rounded = rounded.astype(np.float32)
    what = "numbers within ±3.39e38, which bfloat16 holds"
    _check.require(np.isfinite(rounded).all(), "x", what, "larger ones")
    return rounded
