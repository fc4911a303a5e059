"""The one place where arguments are checked and every message about them is written.

`@checked()` puts a face before a function: each argument passes its kind, and the function gets
what the kind returns. The name of an argument says its kind (KINDS), because a name means the same
everywhere; `@checked(d_model=even_width)` says another. How arguments go together, the function
says itself (`require` and what follows it). A message names the argument, what was expected, and
what came.
"""

import functools
import inspect
import math
import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])


def shown(value):
    """A value short enough for an error message."""
    try:
        text = repr(value)
    except Exception:  # an int of 5,000 digits, or a repr that fails: the message must not
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 60 else text[:57] + "..."


def integer(name, value, minimum=None, maximum=None, even=False):
    """One Python int; bool, float and text are refused even where Python would take them."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        value = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name}: expected an integer, got {shown(value)}") from error
    if minimum is not None and value < minimum:
        raise ValueError(f"{name}: expected an integer of at least {minimum}, got {shown(value)}")
    if maximum is not None and value > maximum:
        raise ValueError(f"{name}: expected an integer of at most {maximum}, got {shown(value)}")
    if even and value % 2:
        raise ValueError(f"{name}: expected an even integer, got {value}")
    return value


def _array(name, values):
    """Anything array-like as an array; what numpy would take wrongly in silence is refused."""
    if isinstance(values, (bytes, bytearray, memoryview, np.ma.MaskedArray)):
        raise TypeError(f"{name}: expected a plain array, got {shown(values)}")
    try:
        array = np.asarray(values)
    except (ValueError, RecursionError) as error:  # rows of different lengths, or nested too deep
        raise ValueError(f"{name}: expected a rectangular array, got {shown(values)}") from error
    if array.ndim > 60:  # numpy has 64 axes, and the encodings add some
        raise ValueError(f"{name}: expected at most 60 axes, got {array.ndim}")
    return array


def integers(name, values):
    """An int64 array of any shape, from an int or anything array-like that holds only ints."""
    if type(values) is int and -(2**63) <= values < 2**63:  # a single position needs no more
        return np.array(values, dtype=np.int64)
    array = _array(name, values)
    if array.size == 0 and not isinstance(values, np.ndarray):
        return array.astype(np.int64)  # an empty list has no type of its own
    if array.dtype == object and array.size and all(type(value) is int for value in array.flat):
        # an array of Python ints, or a list with one that is too large for numpy
        lowest, highest = min(array.flat), max(array.flat)
        if lowest >= -(2**63) and highest < 2**63:
            return array.astype(np.int64)
        raise ValueError(f"{name}: expected integers that fit into 64 bits, got {shown(values)}")
    if _holds_bool(values):  # numpy reads [True, 2] as integers
        raise TypeError(f"{name}: expected integers, got bool values: {shown(values)}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: expected integers, got {array.dtype} values: {shown(values)}")
    if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name}: expected integers below 2**63, got {array.max()}")
    return array.astype(np.int64)


def real_positions(name, values):
    """Positions that may lie between the integers, any shape: int64 or float64.

    Integers stay integers, and keep all of their 64 bits; floats must not go beyond those.
    """
    if type(values) is int:
        return integers(name, values)
    array = _array(name, values)
    only_ints = array.dtype == object and all(type(value) is int for value in array.flat)
    if array.dtype.kind in "iu" or only_ints:
        return integers(name, values)
    array = reals(name, values).astype(np.float64)
    require((np.abs(array) < 2.0**63).all(), name, "numbers within ±2**63", values)
    return array


def real_offset(name, value):
    """One number, an int or a finite float, that fits into 64 bits."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool):
        value = real(name, value)
    return real_positions(name, value)[()]


def points(name, values):
    """Real coordinates, one column for each axis, shape (..., n_axes), as float64."""
    return reals(name, values, minimum_ndim=1, filled=1).astype(np.float64)


def moments(name, values):
    """Real times from 0 on, any shape, as float64."""
    array = reals(name, values).astype(np.float64)
    require((array >= 0).all(), name, "times of at least 0", array.min(initial=0))
    return array


def counts(name, values, minimum=0, even=False):
    """A tuple of a few ints, one for each axis."""
    array = integers(name, values)
    require(array.ndim == 1 and 1 <= array.size <= 8, name, "1 to 8 integers, one for each axis",
            array.shape)  # fmt: skip
    return tuple(integer(name, value, minimum, 2**20, even) for value in array.tolist())


def grid_shape(name, values):
    """The shape of a grid that has some places, and not too many to be kept."""
    shape = counts(name, values, minimum=1)
    require(math.prod(shape) <= 2**27, name, "at most 2**27 places", shape)
    return shape


def parts(name, values):
    """A list of what follows each other: an int, so many words, or the shape of a grid."""
    if not isinstance(values, (list, tuple)):
        raise TypeError(f"{name}: expected a list of lengths and shapes, got {shown(values)}")
    require(len(values) > 0, name, "at least one length or shape", values)
    return [
        grid_shape(name, part) if isinstance(part, (list, tuple)) else length(name, part)
        for part in values
    ]


def bases(name, value):
    """One base as a float, or a tuple with one for each axis."""
    if isinstance(value, (str, bytes)) or _array(name, value).ndim == 0:
        return above_one(name, value)
    return tuple(above_one(name, base) for base in reals(name, value, ndim=1).tolist())


def _holds_bool(values):
    if isinstance(values, Sequence) and not isinstance(values, (str, range)):
        return any(map(_holds_bool, values))
    return isinstance(values, bool) or getattr(values, "dtype", None) == np.bool_


def real(name, value, above=None, minimum=None):
    """One finite float."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    numbers = (int, float, np.integer, np.floating)
    others = (bool, np.bool_, np.timedelta64)  # numpy counts a time span as an integer
    if isinstance(value, others) or not isinstance(value, numbers):
        raise TypeError(f"{name}: expected a real number, got {shown(value)}")
    try:
        value = float(value)
    except OverflowError as error:
        raise ValueError(f"{name}: expected a finite number, got {shown(value)}") from error
    if not math.isfinite(value) or (above is not None and value <= above):
        wanted = "a finite number" if above is None else f"a finite number greater than {above:g}"
        raise ValueError(f"{name}: expected {wanted}, got {value:g}")
    if minimum is not None and value < minimum:
        raise ValueError(f"{name}: expected a number of at least {minimum:g}, got {value:g}")
    return value


def share(name, value):
    """A float above 0 and at most 1."""
    value = real(name, value, above=0)
    require(value <= 1, name, "a number of at most 1", value)
    return value


def bools(name, values):
    """A bool array; zeros and ones are refused: some libraries mean the opposite by them."""
    array = _array(name, values)
    if array.dtype != bool:
        raise TypeError(f"{name}: expected bool, True where one may look, got {array.dtype}")
    return array


def reals(name, values, ndim=None, minimum_ndim=0, filled=0, finite=True, copy=True):
    """A float array without NaN or infinity; float32 stays float32, everything else is float64.

    filled=k: the last k axes must not be empty. copy=False: a float64 array may come back as it
    is, and must not be written to.
    """
    array = _array(name, values)
    if array.dtype.kind not in "iuf" or (array is not values and _holds_bool(values)):
        raise TypeError(f"{name}: expected real numbers, got {array.dtype} values: {shown(values)}")
    if array.dtype != np.float32:
        with np.errstate(over="ignore"):  # what a longdouble holds and a float64 does not is inf
            array = array.astype(np.float64, copy=copy)
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got NaN or infinity")
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} axes, got shape {array.shape}")
    if array.ndim < minimum_ndim:
        raise ValueError(f"{name}: expected at least {minimum_ndim} axes, got shape {array.shape}")
    if filled and 0 in array.shape[-filled:]:
        raise ValueError(f"{name}: expected no empty axis, got shape {array.shape}")
    return array


def pairs(name, values, **options):
    """Real vectors whose columns form pairs, shape (..., even width)."""
    array = reals(name, values, minimum_ndim=1, **options)
    require(array.shape[-1] > 0 and array.shape[-1] % 2 == 0, name, "an even width", array.shape)
    return array


def boolean(name, value):
    """True or False; 0, 1 and text are refused."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: expected True or False, got {shown(value)}")
    return bool(value)


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
    except (TypeError, ValueError, SyntaxError, RuntimeError):  # "," is the start of a list
        dtype = None
    if value is None or dtype not in (np.float16, np.float32, np.float64):
        raise TypeError(f"{name}: expected float16, float32 or float64, got {shown(value)}")
    return dtype


def anything(name, value):
    """What is checked elsewhere."""
    return value


LAYOUTS, SPACINGS = ("interleaved", "concatenated"), ("paper", "endpoint")
rotary_layout = partial(choice, options=("interleaved", "half"))

# Above the bounds of length and width a number is a slip, and would only fill the memory.
length = partial(integer, minimum=0, maximum=2**31)
width = partial(integer, minimum=1, maximum=2**20)
length_of_some = partial(length, minimum=1)
even_width = partial(width, minimum=2, even=True)
two_pairs = partial(even_width, minimum=4)
sequences = partial(reals, minimum_ndim=2, filled=2)
above_one = partial(real, above=1)
vector = partial(reals, ndim=1, filled=1)
rows = partial(reals, ndim=2, filled=2)
two_sided_buckets = partial(integer, minimum=4, maximum=2**10, even=True)
matrix = partial(reals, ndim=2, filled=1)
finite_later = {"finite": False, "copy": False}  # the function itself looks, where it costs less

KINDS = {  # arguments: their kind
    "positions offsets": real_positions,
    "relative_positions": integers,
    "axis n_buckets": integer,
    "shape": grid_shape,
    "widths": partial(counts, minimum=2, even=True),
    "n_pairs n_vectors": width,
    "n_axes": partial(integer, minimum=1, maximum=8),
    "seed": partial(integer, minimum=0, maximum=2**63 - 1),
    "period": partial(real, above=0),
    "directions": rows,
    "timesteps": moments,
    "parts": parts,
    "r1 r2 w_in b_in b_out": vector,
    "w_out": rows,
    "keys": partial(reals, minimum_ndim=2),
    "kernel": partial(choice, options=("logarithmic", "power")),
    "slope threshold gamma scale_base": partial(real, above=0),
    "fraction": share,
    "downscale_freq_shift": real,
    "align_corners flip_sin_to_cos interleaved": boolean,
    "offset": real_offset,
    "length": length,
    "original_length": partial(integer, minimum=1, maximum=2**40),
    "max_distance": partial(integer, maximum=2**31),
    "clip": partial(integer, minimum=0),
    "n_bits": partial(integer, minimum=1, maximum=63),  # an int64 has no more
    "n_heads d_model": width,
    "d_head": even_width,
    "base": above_one,
    "factor": partial(real, minimum=1),
    "mscale mscale_all_dim": partial(real, minimum=0),
    "share": share,
    "beta_fast beta_slow low_freq_factor high_freq_factor": partial(real, above=0),
    "bidirectional truncate": boolean,
    "bit_order": partial(choice, options=("big", "little")),
    "style": partial(choice, options=("timm", "mae", "blocks", "detr")),
    "layout": partial(choice, options=LAYOUTS),
    "spacing": partial(choice, options=SPACINGS),
    "dtype": float_dtype,
    "mask": bools,
    "bias": reals,
    "frequencies factors slopes": partial(reals, ndim=1),
    "values": partial(reals, minimum_ndim=1, copy=False),
    "scores": partial(reals, minimum_ndim=1, **finite_later),
    "queries": partial(reals, minimum_ndim=2),
    "table": partial(reals, ndim=2),
    "w_query w_key w_value": matrix,
    "encoding": pairs,
    "out": anything,
}
KINDS = {name: kind for names, kind in KINDS.items() for name in names.split()}


def checked(**kinds: Callable[..., Any]) -> Callable[[Function], Function]:
    """Put a face before a function, where each argument passes its kind.

    Default values pass as they are, so None may stand for "not given".
    """

    def with_face(function):
        parameters = inspect.signature(function).parameters
        if not kinds.keys() <= parameters.keys():
            raise TypeError(f"{function.__name__} has no {kinds.keys() - parameters.keys()}")
        rules = [(n, kinds.get(n) or KINDS[n], p.default) for n, p in parameters.items()]

        @functools.wraps(function)
        def face(*given, **named):
            passed = list(given)
            for k, (value, (name, kind, default)) in enumerate(zip(given, rules, strict=False)):
                if value is not default:
                    passed[k] = kind(name, value)
            for name, kind, default in rules if named else ():
                if named.get(name, default) is not default:
                    named[name] = kind(name, named[name])
            return function(*passed, **named)  # Python refuses what is missing or too much

        return face

    return with_face


# How arguments go together

EXPECTED = {
    "a bfloat16": "numbers within ±3.39e38, which bfloat16 holds",
    "a finite product": "a number whose product with the excess length fits a float",
    "a ramp": "a length in which the pairs make between beta_slow and beta_fast turns",
    "all above 0": "numbers above 0",
    "an even width": "an even width, because columns form pairs",
    "an odd height": "an odd number of rows, one for each offset from -clip to clip",
    "an odd width": "an odd width, one number for each offset from -(length - 1) to length - 1",
    "finite rows": "no NaN, no +inf and a finite score in every row",
    "no overflow": "entries whose products fit a float",
    "open rows": "every position to see at least one",
}


def require(holds, name, what, got):
    """Refuse an argument; `what` was expected is a row of EXPECTED, or is said in full."""
    if not holds:
        got = got if isinstance(got, str) else shown(got)
        raise ValueError(f"{name}: expected {EXPECTED.get(what, what)}, got {got}")


def fits(name, array):
    """array, unless it overflowed: then the argument was finite, and its products were not."""
    require(np.isfinite(array).all(), name, "no overflow", "an overflow")
    return array


def inside(name, values, end):
    """Every value is one of 0 … end - 1."""
    if values.size and (values.min() < 0 or int(values.max()) >= end):
        low, high = values.min(), values.max()
        got = f"{low}" if low == high else f"{low} to {high}"
        require(False, name, f"values from 0 to {end - 1}", got)


def size(name, got, wanted, of_what):
    """As many entries as another argument asks for."""
    require(got == wanted, name, f"{wanted} {of_what}", got)


def broadcast(name, array, shape):
    """array, seen in another shape."""
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        return require(False, name, f"a shape that broadcasts to {shape}", array.shape)


def broadcasts(name, shape, wanted):
    """As `broadcast`, of a shape alone: numpy's own check takes longer than to turn one vector."""
    fits = all(n in (1, m) for n, m in zip(shape[::-1], wanted[::-1], strict=False))
    holds = len(shape) <= len(wanted) and fits
    require(holds, name, f"a shape that broadcasts to {wanted}", shape)


def output(name, array, shape, dtype):
    """array, when a result can be written to it."""
    if not isinstance(array, np.ndarray) or (array.shape, array.dtype) != (shape, dtype):
        got = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else shown(array)
        require(False, name, f"an array {np.dtype(dtype)} {shape}", got)
    require(array.flags.writeable, name, "an array that can be written to", "a read-only one")
    return array
