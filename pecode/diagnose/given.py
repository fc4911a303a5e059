"""What people have in their hands, as a plain numpy array."""

import os
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from pecode import _check

_SMALL_FLOATS = "bfloat16", "float8"  # types of other packages that numpy calls void


def table(name, value):
    """A table of at least 3 rows and 2 columns; frequencies alone become the table they make."""
    array = _check.reals(name, plain(name, value), filled=1)
    if array.ndim == 1:
        falls = len(array) > 1 and array[-1] >= 0 and bool((np.diff(array) <= 0).all())
        what = "a table, or frequencies that fall, at least two"
        _check.require(falls, name, what, f"shape {array.shape}")
        angles = np.arange(max(64, len(array)))[:, None] * array.astype(np.float64)
        array = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), -1)
    if array.ndim == 3 and 1 in array.shape[:2]:  # a batch of one, or a middle axis of the batch
        array = array.reshape(-1, array.shape[-1])
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(f"{name}: expected at least 3 rows and 2 columns, got {array.shape}")
    return array.astype(np.float64)


def plain(name, value):
    """The numbers of a file .npy, a tensor, a data frame or an array of another package."""
    if isinstance(value, (str, os.PathLike)):
        value = _loaded(name, Path(value))
    for step in ("detach", "cpu"):  # a parameter, or a tensor elsewhere
        if callable(getattr(value, step, None)):
            value = getattr(value, step)()
    if "bfloat16" in str(getattr(value, "dtype", "")) and callable(getattr(value, "float", None)):
        value = value.float()  # numpy has no such type
    if callable(getattr(value, "to_numpy", None)):
        value = value.to_numpy()
    dtype = getattr(value, "dtype", None)
    if str(dtype).startswith(_SMALL_FLOATS):
        value = np.asarray(value).astype(np.float32)
    return value


def _loaded(name, path):
    try:
        with path.open("rb") as file:
            value = np.load(file, allow_pickle=False)
    except FileNotFoundError:
        raise ValueError(f"{name}: expected a file that exists, got {str(path)!r}") from None
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        what = "a file that numpy.save wrote"
        raise ValueError(f"{name}: expected {what}, got {str(path)!r}") from error
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{name}: expected one array, got {str(path)!r} with several")
    return value
