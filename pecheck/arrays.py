"""Arrays of other packages and files, as arrays of numpy."""

import os
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from pecode import _check
from pecode._types import Any, Floats
from pecode.relative import alibi_slopes


def table(name: str, value: Any) -> Floats:
    """A table of at least 3 rows and 2 columns, or the frequencies of at least two pairs."""
    value = as_array(name, value)
    if getattr(value, "ndim", 0) == 2 and np.iscomplexobj(value):  # freqs_cis: cosines + i sines
        value = np.stack([np.imag(value), np.real(value)], axis=-1).reshape(len(value), -1)
    array = _check.reals(name, value, filled=1)
    if array.ndim > 2:  # axes of length 1: a batch of one text, heads that share a cache
        sizes = tuple(n for n in array.shape if n > 1)
        array = array.reshape(sizes if len(sizes) > 1 else array.shape)
    right = array.ndim == 2 and array.shape[0] >= 3 and array.shape[1] >= 2
    what = "one table, such as table[0] of several, of at least 3 rows and 2 columns"
    if array.ndim == 1:
        steps, slopes = np.diff(array), alibi_slopes(max(len(array), 1))
        one_way = (steps <= 0).all() or (steps >= 0).all() or np.allclose(array, slopes, rtol=0.01)
        right = len(array) > 1 and array.min() >= 0 and one_way
        what = "a table, or frequencies that fall, at least two"
    _check.require(right, name, what, f"shape {array.shape}")
    return array.astype(np.float64)


def as_array(name: str, value: Any) -> Any:
    """The numbers of a file .npy, a tensor, a data frame or an array of another package."""
    if isinstance(value, (str, os.PathLike)):
        path = repr(str(Path(value)))
        try:
            with Path(value).open("rb") as file:
                value = np.load(file, allow_pickle=False)
        except FileNotFoundError:
            _check.refuse(name, "a file that exists", path)
        except (OSError, ValueError, EOFError, BadZipFile, MemoryError):
            _check.refuse(name, "a file that numpy.save wrote", path)
        alone = isinstance(value, np.ndarray)
        _check.require(alone, name, "one array", f"{path}, an archive of arrays")
    no_type = "bfloat16" in str(getattr(value, "dtype", ""))  # of numpy
    for step in ("detach", "cpu", *["float"] * no_type, "to_numpy"):
        if callable(getattr(value, step, None)):
            value = getattr(value, step)()
    if str(getattr(value, "dtype", "")).startswith(("bfloat16", "float8")):
        value = np.asarray(value).astype(np.float32)  # numpy calls such types void
    return value
