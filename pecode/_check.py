"""Checks of arguments: every message names the argument, what was expected and what came."""

import math
import operator
from collections.abc import Sequence

import numpy as np


def _shown(value):
    """A value short enough for an error message."""
    try:
        text = repr(value)
    except Exception:  # an int of 5,000 digits, or a repr that fails: the message must not
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 60 else text[:57] + "..."


_LONGEST, _WIDEST = 2**31, 2**20  # beyond these it is a slip, and would only fill the memory


def integer(name, value, minimum=None, maximum=None):
    """One Python int; bool, float and text are refused even where Python would take them."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        value = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name}: expected an integer, got {_shown(value)}") from error
    if minimum is not None and value < minimum:
        raise ValueError(f"{name}: expected an integer of at least {minimum}, got {_shown(value)}")
    if maximum is not None and value > maximum:
        raise ValueError(f"{name}: expected an integer of at most {maximum}, got {_shown(value)}")
    return value


def length(value, minimum=0):
    """How many positions, as an int."""
    return integer("length", value, minimum, _LONGEST)


def width(value):
    """d_model, as an int."""
    return integer("d_model", value, minimum=1, maximum=_WIDEST)


def _array(name, values):
    """Anything array-like as an array; what numpy would take wrongly in silence is refused."""
    if isinstance(values, (bytes, bytearray, memoryview)) or np.ma.isMaskedArray(values):
        raise TypeError(f"{name}: expected a plain array, got {_shown(values)}")
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name}: expected a rectangular array, got rows of different lengths: {_shown(values)}"
        ) from error
    except RecursionError as error:
        raise ValueError(f"{name}: expected an array, got lists nested too deep") from error
    if array.ndim > 60:  # numpy has 64 axes, and the encodings add some
        raise ValueError(f"{name}: expected at most 60 axes, got {array.ndim}")
    return array


def integers(name, values):
    """An int64 array of any shape, from an int or anything array-like that holds only ints."""
    array = _array(name, values)
    if array.size == 0 and not isinstance(values, np.ndarray):
        return array.astype(np.int64)  # an empty list has no type of its own
    if array.dtype == object and array.size and all(type(value) is int for value in array.flat):
        # an array of Python ints, or a list with one that is too large for numpy
        lowest, highest = min(array.flat), max(array.flat)
        if lowest >= -(2**63) and highest < 2**63:
            return array.astype(np.int64)
        raise ValueError(f"{name}: expected integers that fit into 64 bits, got {_shown(values)}")
    if _holds_bool(values):  # numpy reads [True, 2] as integers
        raise TypeError(f"{name}: expected integers, got bool values: {_shown(values)}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, got {array.dtype} values: {_shown(values)}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name}: expected integers below 2**63, got {array.max()}")
    return array.astype(np.int64)


def _holds_bool(values):
    if isinstance(values, Sequence) and not isinstance(values, (str, range)):
        return any(map(_holds_bool, values))
    return isinstance(values, bool) or getattr(values, "dtype", None) == np.bool_


def real(name, value, above=None, minimum=None):
    """One finite float."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        raise TypeError(f"{name}: expected a real number, got {_shown(value)}")
    try:
        value = float(value)
    except OverflowError as error:
        raise ValueError(
            f"{name}: expected a number that fits a float, got {_shown(value)}"
        ) from error
    if not math.isfinite(value) or (above is not None and value <= above):
        wanted = "a finite number" if above is None else f"a finite number greater than {above:g}"
        raise ValueError(f"{name}: expected {wanted}, got {value:g}")
    if minimum is not None and value < minimum:
        raise ValueError(f"{name}: expected a number of at least {minimum:g}, got {value:g}")
    return value


def bools(name, values):
    """A bool array; zeros and ones are refused, for some libraries mean the opposite by them."""
    array = _array(name, values)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected bool, True where one may look, got {array.dtype}")
    return array


def reals(name, values, ndim=None, minimum_ndim=0, finite=True, copy=True):
    """A float array without NaN or infinity; float32 stays float32, everything else is float64.

    copy=False: a float64 array may come back as it is. Whoever asks for that must not write to it.
    """
    array = _array(name, values)
    if array.dtype.kind not in "iuf" or _holds_bool(values):
        raise TypeError(
            f"{name}: expected real numbers, got {array.dtype} values: {_shown(values)}"
        )
    if array.dtype != np.float32:
        with np.errstate(over="ignore"):  # what a longdouble holds and a float64 does not is inf
            array = array.astype(np.float64, copy=copy)
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} axes, got shape {array.shape}")
    if array.ndim < minimum_ndim:
        raise ValueError(f"{name}: expected at least {minimum_ndim} axes, got shape {array.shape}")
    return array


def fits(name, array):
    """array, unless it overflowed: then the argument was finite, and its products were not."""
    if not np.isfinite(array).all():
        raise ValueError(
            f"{name}: expected entries whose products fit a {array.dtype}, got an overflow"
        )
    return array


def boolean(name, value):
    """True or False; 0, 1 and text are refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {_shown(value)}")
    return bool(value)


def choice(name, value, options):
    """One of a few words."""
    if not isinstance(value, str):
        raise TypeError(
            f"{name}: expected one of {', '.join(map(repr, options))}, got {_shown(value)}"
        )
    if value not in options:
        raise ValueError(f"{name}: expected one of {', '.join(map(repr, options))}, got {value!r}")
    return value


def float_dtype(name, value):
    """float16, float32 or float64, as a numpy dtype."""
    try:
        dtype = np.dtype(value)
    except TypeError as error:
        raise TypeError(f"{name}: expected a floating-point dtype, got {_shown(value)}") from error
    if value is None or dtype not in (np.float16, np.float32, np.float64):
        raise TypeError(f"{name}: expected float16, float32 or float64, got {_shown(value)}")
    return dtype


def even_width(d_model, why):
    """d_model as an even int of at least 2."""
    d_model = width(d_model)
    if d_model % 2:
        raise ValueError(f"d_model: expected an even width, got {d_model}: {why}")
    return d_model
