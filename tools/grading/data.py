"""Plain data between two processes, one of which is not trusted: a message is a line of JSON.

JSON has no tuples, arrays or complex numbers: an object with one key names the kind of what it
holds. Nothing that comes is run or unpickled, and what has another shape is refused.
"""

import base64
import io
import json

import numpy as np

MOST, MANY, DEEP = 20_000_000, 200_000, 20  # bytes, entries of a list, lists in one another


class NotData(Exception):
    """A value that cannot be sent; the text says what it is."""


class Rubbish(Exception):
    """What came is not a message."""


def write(stream, message):
    """Send a message; NotData says what stands in the way."""
    try:
        line = json.dumps(pack(message)).encode() + b"\n"
    except ValueError as error:
        raise NotData("a whole number of more than 4300 digits") from error
    if len(line) > MOST:
        raise NotData(f"more than {MOST // 10**6} MB of numbers and texts")
    stream.write(line)
    stream.flush()


def read(stream):
    """Receive a message. EOFError: the other side is gone. Rubbish: it sent something else."""
    line = stream.readline(MOST + 1)
    if not line.endswith(b"\n"):
        raise Rubbish if len(line) > MOST else EOFError
    message = unpack(line)
    if not isinstance(message, dict):
        raise Rubbish
    return message


def pack(value, depth=0):
    """Return a value as what JSON can hold."""

    def each(values):
        if len(values) > MANY:
            raise NotData(f"more than {MANY} entries")
        return [pack(value, depth + 1) for value in values]

    if depth > DEEP:
        raise NotData(f"a list in a list, more than {DEEP} deep")
    if hasattr(type(value), "__array__"):
        return {"scalar" if isinstance(value, np.generic) else "array": _saved(np.asarray(value))}
    match value:
        case None | bool() | int() | float() | str():
            return value
        case complex():
            return {"complex": [value.real, value.imag]}
        case tuple():
            return {"tuple": each(value)}
        case list() | range():
            return each(value)
        case dict():
            return {"dict": each(value.items())}
    if value is ...:
        return {"...": []}
    name = type(value).__name__[:60]
    raise NotData(f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}")


def unpack(text):
    """Return the value that was packed, from its JSON; Rubbish when there is none."""
    try:
        return json.loads(text, object_hook=_unpacked)
    except Exception as error:  # whatever it is that was sent
        raise Rubbish from error


def _unpacked(packed):
    [(kind, held)] = packed.items()
    match kind:
        case "tuple":
            return tuple(held)
        case "dict":
            return dict(held)
        case "complex":
            return complex(*held)
        case "array":
            return _loaded(held)
        case "scalar":
            return _loaded(held)[()]
        case "...":
            return ...
    raise Rubbish


def _saved(array):
    if array.nbytes > MOST:  # a view may claim more than there is
        raise NotData(f"an array of {array.nbytes / 1e6:.0f} MB")
    if array.dtype.hasobject:
        raise NotData(f"an array of dtype {array.dtype}"[:300])
    held = io.BytesIO()
    np.lib.format.write_array(held, array, allow_pickle=False)
    return base64.b64encode(held.getbuffer()).decode()


def _loaded(text):
    held = io.BytesIO(base64.b64decode(text, validate=True))
    array = np.lib.format.read_array(held, allow_pickle=False)
    if array.size > len(text):  # entries that have no bytes
        raise Rubbish
    return array
