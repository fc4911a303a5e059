"""The one place where arguments are checked and every message about them is written.

`@checked()` gives each argument to its check, and the function gets what the check returns: an
int, a float, an array. A name means the same everywhere, so `CHECKS` finds the check by the
argument's name; `@checked(d_model=even_width)` names another one. How arguments fit each other the
function says itself, with `require` and what follows it.

What is refused raises a TypeError (a bool or a float for an integer, text for a number) or a
ValueError (NaN, a wrong shape, a number out of range, an unknown word). Its message names the
argument, what was expected and what came: "d_model: expected an even integer, got 7".
"""

import functools
import inspect
import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, get_args

import numpy as np

from pecode._types import BitOrder, Layout, RotaryLayout, Spacing, Style

Function = TypeVar("Function", bound=Callable[..., Any])


def shown(value):
    """A value short enough for an error message."""
    try:
        text = repr(value)
    except ValueError:  # Python does not print integers of more than 4,300 digits
        return f"a {type(value).__name__} that is too long to print"
    return text if len(text) <= 60 else text[:57] + "..."


def integer(name, value, minimum=None, maximum=None, even=False):
    """One Python int; bool, float and text are refused even where Python would take them."""
    if type(value) is not int:
        try:
            if isinstance(value, (bool, np.bool_, list, tuple)) or as_array(name, value).ndim:
                raise TypeError
            value = operator.index(value)
        except TypeError as error:
            raise TypeError(f"{name}: expected an integer, got {shown(value)}") from error
    if even and value % 2:
        refuse(name, "an even integer", value)
    return _bounded(name, value, "an integer", minimum, maximum)


def real(name, value, above=None, minimum=None, maximum=None):
    """One finite float."""
    if type(value) not in (float, int):
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = as_array(name, value)[()]
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"{name}: expected a real number, got {shown(value)}")
    try:
        number = float(value)
    except OverflowError:  # 10**400
        number = math.inf
    if not math.isfinite(number):
        refuse(name, "a finite number", value)
    if above is not None and not value > above:
        refuse(name, f"a number greater than {above}", value)
    return _bounded(name, number, "a number", minimum, maximum)


def _bounded(name, value, what, minimum, maximum):
    if minimum is not None and value < minimum:
        refuse(name, f"{what} of at least {minimum}", value)
    if maximum is not None and value > maximum:
        refuse(name, f"{what} of at most {maximum}", value)
    return value


def boolean(name, value):
    """True or False; 0, 1 and text are refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


def function(name, value):
    """Anything that can be called."""
    if not callable(value):
        raise TypeError(f"{name}: expected a function, got {shown(value)}")
    return value


def choice(name, value, options):
    """One of a few words."""
    if not isinstance(value, str) or value not in options:
        error = ValueError if isinstance(value, str) else TypeError
        raise error(f"{name}: expected one of {', '.join(map(repr, options))}, got {shown(value)}")
    return value


def float_dtype(name, value):
    """float16, float32 or float64, as a numpy dtype."""
    try:
        dtype = np.dtype(value)
    except (TypeError, ValueError):
        dtype = None
    if dtype not in (np.float16, np.float32, np.float64):
        raise TypeError(f"{name}: expected float16, float32 or float64, got {shown(value)}")
    return dtype


def anything(name, value):
    """What the function checks itself."""
    return value


def as_array(name, values):
    if type(values) is not np.ndarray and (kind := _no_numbers(values)):
        raise TypeError(f"{name}: expected an array of numbers, got {kind}")
    try:
        return np.asarray(values)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name}: expected a rectangular array, got {shown(values)}") from error
    except OverflowError as error:  # [10**400, 0.5]
        raise ValueError(
            f"{name}: expected numbers that a float can hold, got {shown(values)}"
        ) from error


def _no_numbers(values):
    """What numpy would read as numbers in silence, in nested lists too; "" if there is none."""
    if isinstance(values, np.ma.MaskedArray):
        return "a masked array"
    if isinstance(values, (bytearray, memoryview)) and np.asarray(values).dtype == np.uint8:
        return f"a {type(values).__name__} of bytes"
    if isinstance(values, (list, tuple)) and not _PLAIN.issuperset(map(type, values)):
        return next(filter(None, map(_no_numbers, values)), "")
    return ""


_PLAIN = {int, float}  # a list of them is not looked at one by one


def integers(name, values):
    """An int64 array of any shape, from an int or anything array-like that holds only ints."""
    array = as_array(name, values)
    if array.dtype.kind not in "iu" and array.size:  # an empty list has no type of its own
        raise TypeError(f"{name}: expected integers, got {array.dtype} values: {shown(values)}")
    if array.dtype == np.uint64:
        require((array < 2**63).all(), name, "integers below 2**63", values)
    return array.astype(np.int64)


def real_positions(name, values):
    """Positions that may lie between the integers, any shape: int64 or float64.

    Integers stay integers, and keep all of their 64 bits; floats must not go beyond those.
    """
    array = as_array(name, values)
    if array.dtype.kind in "iu":
        return integers(name, array)
    array = reals(name, values).astype(np.float64)
    require((np.abs(array) < 2.0**63).all(), name, "numbers within ±2**63", values)
    return array


def real_offset(name, value):
    """One number, an int or a finite float, that fits into 64 bits."""
    array = real_positions(name, value)
    require(array.ndim == 0, name, "one number", array)
    return array[()]


def reals(name, values, ndim=None, minimum_ndim=0, filled=0, finite=True, copy=True):
    """A float array without NaN or infinity; float32 stays float32, everything else is float64.

    filled=k: the last k axes must not be empty. copy=False: a float64 array may come back as it
    is, and must not be written to. finite=False: the function looks for NaN itself.
    """
    array = as_array(name, values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name}: expected real numbers, got {array.dtype} values: {shown(values)}")
    if array.dtype != np.float32:
        array = array.astype(np.float64, copy=copy)
    require(not finite or np.isfinite(array).all(), name, "finite numbers", "NaN or infinity")
    if ndim is not None and array.ndim != ndim:
        refuse(name, f"{ndim} axes", f"shape {array.shape}")
    if array.ndim < minimum_ndim:
        refuse(name, f"at least {minimum_ndim} axes", f"shape {array.shape}")
    if filled and 0 in array.shape[-filled:]:
        refuse(name, "no empty axis", f"shape {array.shape}")
    return array


def pairs(name, values, **options):
    """Real vectors whose columns form pairs, shape (..., even width)."""
    array = reals(name, values, minimum_ndim=1, **options)
    width = array.shape[-1]
    require(width and width % 2 == 0, name, "an even width: columns form pairs", array.shape)
    return array


def bools(name, values):
    """A bool array; zeros and ones are refused: some libraries mean the opposite by them."""
    array = as_array(name, values)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected bool, True where one may look, got {array.dtype}")
    return array


def counts(name, values, minimum=0, even=False):
    """A tuple of a few ints, one for each axis."""
    array = integers(name, values)
    require(array.ndim == 1 and array.size, name, "integers, one for each axis", array.shape)
    return tuple(integer(name, value, minimum, 2**20, even) for value in array.tolist())


LAYOUTS, SPACINGS = get_args(Layout), get_args(Spacing)
rotary_layout = partial(choice, options=get_args(RotaryLayout))

# A larger length or width is almost certainly a typo, and would exhaust the memory.
length = partial(integer, minimum=0, maximum=2**31)
positive_length = partial(length, minimum=1)
width = partial(integer, minimum=1, maximum=2**20)
even_width = partial(width, minimum=2, even=True)
two_pairs = partial(even_width, minimum=4)
grid_shape = partial(counts, minimum=1)
above_one = partial(real, above=1)
points = partial(reals, minimum_ndim=1, filled=1)  # one column for each axis
sequences = partial(reals, minimum_ndim=2, filled=2)
matrix = partial(reals, ndim=2, filled=1)
rows = partial(reals, ndim=2, filled=2)

CHECKS = {  # of an argument, by its name
    "positions offsets": real_positions,
    "relative_positions": integers,
    "offset": real_offset,
    "length": length,
    "original_length": partial(integer, minimum=1, maximum=2**40),
    "max_distance": partial(integer, maximum=2**31),
    "axis n_buckets": integer,
    "n_bits": partial(integer, minimum=1, maximum=63),  # an int64 has no more
    "n_heads d_model n_pairs n_axes n_vectors": width,
    "d_head": even_width,
    "clip": partial(integer, minimum=0, maximum=2**31),
    "seed": partial(integer, minimum=0),
    "base": above_one,
    "factor": partial(real, minimum=1),
    "mscale mscale_all_dim": partial(real, minimum=0),
    "beta_fast beta_slow low_freq_factor high_freq_factor period": partial(real, above=0),
    "share fraction": partial(real, above=0, maximum=1),
    "downscale_freq_shift": real,
    "bidirectional truncate align_corners flip_sin_to_cos interleaved": boolean,
    "bit_order": partial(choice, options=get_args(BitOrder)),
    "style": partial(choice, options=get_args(Style)),
    "layout": partial(choice, options=LAYOUTS),
    "spacing": partial(choice, options=SPACINGS),
    "dtype": float_dtype,
    "shape": grid_shape,
    "widths": partial(counts, minimum=2, even=True),
    "mask": bools,
    "bias timesteps": reals,
    "frequencies factors slopes": partial(reals, ndim=1),
    "values": partial(reals, minimum_ndim=1, copy=False),
    "scores": partial(reals, minimum_ndim=1, finite=False, copy=False),
    "queries": partial(reals, minimum_ndim=2),
    "table": partial(reals, ndim=2),
    "directions": rows,
    "w_query w_key w_value": matrix,
    "encoding": pairs,
    "out": anything,
}
CHECKS = {name: check for names, check in CHECKS.items() for name in names.split()}


def checked(**checks: Callable[..., Any]) -> Callable[[Function], Function]:
    """Check the arguments of a function before it runs; default values pass as they are."""

    def decorate(function):
        parameters = inspect.signature(function).parameters
        known = CHECKS | checks
        if unknown := checks.keys() - parameters.keys():
            raise TypeError(f"{function.__name__} has no argument {', '.join(unknown)}")
        if missing := [name for name in parameters if name not in known]:
            raise TypeError(
                f"{function.__name__}: nothing checks {', '.join(missing)}. Name a check in "
                f"@checked({missing[0]}=…), or add a row to CHECKS in pecode/_check.py."
            )
        rules = {name: (known[name], p.default) for name, p in parameters.items()}
        in_order = [(name, *rule) for name, rule in rules.items()]

        @functools.wraps(function)
        def wrapper(*args, **kwargs):  # Python refuses what is missing or too much
            kept = [
                value if value is default else check(name, value)
                for (name, check, default), value in zip(in_order, args, strict=False)
            ]
            for name, value in kwargs.items():
                check, default = rules.get(name, (None, value))
                if value is not default:
                    kwargs[name] = check(name, value)
            return function(*kept, *args[len(kept) :], **kwargs)

        return wrapper

    return decorate


# How arguments fit each other


def refuse(name, expected, got):
    """Raise the ValueError that all refusals of a value share."""
    raise ValueError(
        f"{name}: expected {expected}, got {got if isinstance(got, str) else shown(got)}"
    )


def require(holds, name, expected, got):
    """Refuse an argument unless something holds."""
    if not holds:
        refuse(name, expected, got)


def no_overflow(name, array):
    """Return the array; where it overflowed, the argument was finite and its products were not."""
    require(
        np.isfinite(array).all(), name, "numbers whose products and sums fit a float", "an overflow"
    )
    return array


def inside(name, values, end):
    """Every value is one of 0 … end - 1."""
    outside = values[(values < 0) | (values >= end)]
    require(not outside.size, name, f"values from 0 to {end - 1}", outside[:3].tolist())


def size(name, got, wanted, of_what):
    """As many entries as another argument asks for."""
    require(got == wanted, name, f"{wanted} {of_what}", got)


def broadcasts(name, shape, wanted):
    """A shape broadcasts to another; numpy's own check takes longer than to turn one vector."""
    alike = shape == wanted[len(wanted) - len(shape) :]  # so it is at almost every call
    alike = alike or all(n in (1, m) for n, m in zip(shape[::-1], wanted[::-1], strict=False))
    if len(shape) > len(wanted) or not alike:
        refuse(name, f"a shape that broadcasts to {wanted}", shape)


def output(name, array, shape, dtype):
    """An array that a result can be written to."""
    is_array = isinstance(array, np.ndarray) and not isinstance(array, np.ma.MaskedArray)
    right = is_array and (array.shape, array.dtype) == (shape, dtype) and array.flags.writeable
    got = f"{array.dtype} {array.shape}" if is_array else shown(array)
    require(right, name, f"an array to write to, {np.dtype(dtype)} {shape}", got)
    return array
