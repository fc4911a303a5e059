"""Plain data on a pipe between two processes, one of which is not trusted.

A frame is two lengths, a JSON text and the bytes of the arrays. Nothing in it is ever run or
unpickled: what is not one of the shapes below is refused.
"""

import json
import math
import re
import struct

import numpy as np

TEXT, BYTES = 4_000_000, 64_000_000  # the most that a frame holds: JSON, and entries of arrays
MANY, DEEP, LONG = 200_000, 20, 300  # entries of lists, their nesting, characters of a message
_HEAD = struct.Struct("<II")
_DTYPE = re.compile(r"(b1|[iu][1248]|f[248]|c(8|16)|U\d{1,6})")


class NotData(Exception):
    """A value that cannot be sent; the text says what it is."""


class Rubbish(Exception):
    """What came is no frame."""


def write(stream, message, arrays=b""):
    """Send a message, which is JSON, and the bytes of its arrays."""
    text = json.dumps(message).encode()
    if len(text) > TEXT:
        raise NotData(f"more than {TEXT // 10**6} MB of numbers and texts")
    stream.write(_HEAD.pack(len(text), len(arrays)) + text + arrays)
    stream.flush()


def read(stream):
    """Receive what `write` sent. EOFError: the other side is gone. Rubbish: this is no frame."""
    text, arrays = _HEAD.unpack(_exactly(stream, _HEAD.size))
    if text > TEXT or arrays > BYTES:
        raise Rubbish
    try:
        message = json.loads(_exactly(stream, text))
    except (ValueError, RecursionError) as error:
        raise Rubbish from error
    if not isinstance(message, dict):
        raise Rubbish
    return message, _exactly(stream, arrays)


def _exactly(stream, count):
    got = stream.read(count)
    if len(got) < count:
        raise EOFError
    return got


def pack(value):
    """Return a value as JSON and bytes; NotData says what stands in the way."""
    packer = _Packer()
    return packer.pack(value, 0), b"".join(packer.arrays)


class _Packer:
    def __init__(self):
        self.arrays, self.size, self.count = [], 0, 0

    def pack(self, value, depth):
        self.count += 1
        if self.count > MANY:
            raise NotData(f"more than {MANY} entries")
        if depth > DEEP:
            raise NotData(f"a list in a list, more than {DEEP} deep")
        if value is None or type(value) in (bool, float):
            return value
        if value is Ellipsis:
            return {"...": 0}
        if isinstance(value, np.ndarray | np.generic) or hasattr(type(value), "__array__"):
            return self.pack_array(value)
        if isinstance(value, int):
            return self.pack_int(int(value))
        if isinstance(value, float | str):
            return (float if isinstance(value, float) else str)(value)
        if isinstance(value, complex):
            return {"complex": [value.real, value.imag]}
        if isinstance(value, tuple):
            return {"tuple": self.pack_all(value, depth)}
        if isinstance(value, list | range):
            return self.pack_all(value, depth)
        if isinstance(value, dict):
            return {"dict": [self.pack_all(pair, depth) for pair in value.items()]}
        raise NotData(_named(type(value).__name__))

    def pack_all(self, values, depth):
        if len(values) > MANY:
            raise NotData(f"more than {MANY} entries")
        return [self.pack(each, depth + 1) for each in values]

    def pack_int(self, value):
        if value.bit_length() > 10_000:  # JSON has 4300 digits at most
            raise NotData("a whole number of more than 3000 digits")
        return value

    def pack_array(self, value):
        array = np.asarray(value)
        if array.nbytes > BYTES - self.size:
            raise NotData(f"an array of {array.nbytes / 1e6:.0f} MB")
        if array.dtype.kind == "f" and array.itemsize > 8:
            array = array.astype(float)
        if array.dtype.kind == "c" and array.itemsize > 16:
            array = array.astype(complex)
        little = array.astype(array.dtype.newbyteorder("<"), order="C", copy=False)
        dtype = little.dtype.str[1:]
        if not _DTYPE.fullmatch(dtype):
            raise NotData(f"an array of dtype {array.dtype}"[:LONG])
        kind = "scalar" if isinstance(value, np.generic) else "array"
        self.arrays.append(little.tobytes())
        at, self.size = self.size, self.size + array.nbytes
        return {kind: [dtype, list(array.shape), at]}


def _named(name):
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name[:60]}"


def unpack(packed, arrays):
    """Return the value that was packed; Rubbish when there is none."""
    try:
        return _unpack(packed, arrays)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, MemoryError) as error:
        raise Rubbish from error


def _unpack(packed, arrays):
    if isinstance(packed, list):
        return [_unpack(each, arrays) for each in packed]
    if not isinstance(packed, dict):
        return packed
    [(kind, held)] = packed.items()
    if kind == "...":
        return ...
    if kind == "complex":
        return complex(*held)
    if kind == "tuple":
        return tuple(_unpack(each, arrays) for each in held)
    if kind == "dict":
        return {_unpack(key, arrays): _unpack(value, arrays) for key, value in held}
    if kind in ("array", "scalar"):
        array = _array(*held, arrays)
        return array if kind == "array" else array[()]
    raise Rubbish


def _array(dtype, shape, at, arrays):
    if not _DTYPE.fullmatch(dtype) or not all(type(n) is int and n >= 0 for n in (*shape, at)):
        raise Rubbish
    dtype = np.dtype(f"<{dtype}")
    held = arrays[at : at + math.prod(shape) * dtype.itemsize]
    if dtype.kind == "b":  # any byte: a truth value is 0 or 1
        return (np.frombuffer(held, "u1") != 0).reshape(shape)
    return (
        np.frombuffer(held, dtype).reshape(shape).copy()
    )  # refuses what has other than these bytes
