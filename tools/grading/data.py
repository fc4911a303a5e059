"""Plain data between two processes, one of which is not trusted: a message is a line of JSON.

Nothing that comes is run or unpickled, and what is not one of the shapes below is refused. The
bytes of an array stand in its line, so no array can claim more than what came, or share it.
"""

import base64
import json
import re

import numpy as np

LINE, ARRAYS = 24_000_000, 12_000_000  # the most bytes of a message, and of its arrays
MANY, DEEP, LONG = 200_000, 20, 300  # entries of lists, their nesting, characters of a text
_DTYPE = re.compile(r"(b1|[iu][1248]|f[248]|c(8|16)|U\d{1,6})")


class NotData(Exception):
    """A value that cannot be sent; the text says what it is."""


class Rubbish(Exception):
    """What came is not a message."""


def write(stream, message):
    """Send a message."""
    line = json.dumps(message).encode() + b"\n"
    if len(line) > LINE:
        raise NotData(f"more than {LINE // 10**6} MB of numbers and texts")
    stream.write(line)
    stream.flush()


def read(stream):
    """Receive a message. EOFError: the other side is gone. Rubbish: it sent something else."""
    line = stream.readline(LINE)
    if not line.endswith(b"\n"):
        raise Rubbish if len(line) == LINE else EOFError
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Rubbish from error
    if not isinstance(message, dict):
        raise Rubbish
    return message


def pack(value):
    """Return a value as JSON; NotData says what stands in the way."""
    left = {"entries": MANY, "bytes": ARRAYS}

    def spend(what, amount, problem):
        left[what] -= amount
        if left[what] < 0:
            raise NotData(problem)

    def each(values, depth):
        spend("entries", len(values), f"more than {MANY} entries")
        return [walk(value, depth + 1) for value in values]

    def walk(value, depth):
        if depth > DEEP:
            raise NotData(f"a list in a list, more than {DEEP} deep")
        if value is None or type(value) in (bool, float):
            return value
        if value is Ellipsis:
            return {"...": 0}
        if isinstance(value, np.ndarray | np.generic) or hasattr(type(value), "__array__"):
            kind = "scalar" if isinstance(value, np.generic) else "array"
            return {kind: packed_array(np.asarray(value))}
        if isinstance(value, int):
            if value.bit_length() > 10_000:  # JSON has 4300 digits at most
                raise NotData("a whole number of more than 3000 digits")
            return int(value)
        if isinstance(value, float | str):
            return (float if isinstance(value, float) else str)(value)
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, tuple):
            return {"tuple": each(value, depth)}
        if isinstance(value, list | range):
            return each(value, depth)
        if isinstance(value, dict):
            return {"dict": each(list(value.items()), depth)}
        name = type(value).__name__[:60]
        raise NotData(f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}")

    def packed_array(array):
        spend("bytes", array.nbytes, f"an array of {array.nbytes / 1e6:.0f} MB")
        if array.dtype.kind in "fc":  # long doubles are no format of their own elsewhere
            most = 8 if array.dtype.kind == "f" else 16
            array = array.astype(f"{array.dtype.kind}{min(array.itemsize, most)}")
        array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        dtype = array.dtype.str[1:]
        if not _DTYPE.fullmatch(dtype):
            raise NotData(f"an array of dtype {array.dtype}"[:LONG])
        return [dtype, list(array.shape), base64.b64encode(array.tobytes()).decode()]

    return walk(value, 0)


def unpack(packed):
    """Return the value that was packed; Rubbish when there is none."""
    try:
        return _unpack(packed)
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError, MemoryError) as e:
        raise Rubbish from e


def _unpack(packed):
    if isinstance(packed, list):
        return [_unpack(each) for each in packed]
    if not isinstance(packed, dict):
        return packed
    [(kind, held)] = packed.items()
    match kind:
        case "...":
            return ...
        case "complex":
            return complex(*held)
        case "tuple":
            return tuple(_unpack(each) for each in held)
        case "dict":
            return dict(map(_unpack, held))
        case "array":
            return _array(*held)
        case "scalar":
            return _array(*held)[()]
    raise Rubbish


def _array(dtype, shape, text):
    if not _DTYPE.fullmatch(dtype) or not all(type(n) is int and n >= 0 for n in shape):
        raise Rubbish
    held = base64.b64decode(text, validate=True)
    if dtype == "b1":  # any byte: a truth value is 0 or 1
        return (np.frombuffer(held, "u1") != 0).reshape(shape)
    # reshape refuses what does not have exactly these entries
    return np.frombuffer(held, f"<{dtype}").reshape(shape).copy()
