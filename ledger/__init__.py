"""The ledger: popular mistakes and slips of the five sources, each with what decides it.

`mistakes.yml` holds the rows, `places.yml` says in which chapter each section of a source lives;
appendices/sources.md shows both. A check is an expression over numpy, `pecode` and the functions
of `ledger.checks`; `tests/ledger/test_mistakes.py` runs all of them.
"""

import math
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import yaml

import pecode

FOLDER = Path(__file__).parent


def mistakes():
    """Return the rows: group -> list of dicts, in the order of the page."""
    return _read("mistakes.yml")


def places():
    """Return where the sources live: source -> section -> words of chapters."""
    return _read("places.yml")


@cache
def _read(name):
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # seven times as fast
    return yaml.load((FOLDER / name).read_text(encoding="utf8"), loader)


def decide(check):
    """Run the check of a row and return what it gives."""
    return eval(check, _names())


@cache
def _names():
    """Names that a check may use: np, math, pecode's, and the functions of ledger.checks."""
    public = {name: getattr(pecode, name) for name in dir(pecode) if not name.startswith("_")}
    return {"np": np, "math": math, **public, **vars(import_module("ledger.checks"))}


def agrees(value, wanted, tolerance=1e-9):
    """Say whether what a check gives is what is wanted, to within the tolerance.

    >>> agrees(np.array([0.4147]), [0.41], tolerance=0.005), agrees([True], [False])
    (True, False)
    """
    value, wanted = np.asarray(value), np.asarray(wanted)
    if value.shape != wanted.shape:
        return False
    if wanted.dtype.kind in "bU":
        return bool((value == wanted).all())
    return bool((np.abs(value - wanted) <= tolerance).all())
