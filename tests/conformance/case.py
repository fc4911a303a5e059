"""One comparison of `pecode` with another implementation, and how its vectors are stored."""

import json
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from publishing.home import ROOT

VECTORS = Path(__file__).parent / "vectors"
FLOAT32 = 2.0**-24  # largest relative error of one rounding


@dataclass(frozen=True)
class Case:
    """What another implementation computes, and the same in the words of `pecode`.

    `theirs` and `ours` take the same named arguments. `arguments` are few and stored with the
    result, `more` are many and compared where the other implementation is installed.
    """

    name: str
    function: str  # where to find it: package, module, name
    theirs: Callable
    ours: Callable
    arguments: dict
    more: dict
    tolerance: Callable | float  # largest difference that is theirs, broadcasts to the result
    relative: bool = False  # the tolerance is a share of each entry of ours

    @property
    def package(self):
        return self.function.split(".")[0]


def excess(case, theirs, arguments, ours=None):
    """The largest difference in units of what is allowed, infinite where the shapes differ."""
    ours = np.asarray(case.ours(**arguments) if ours is None else ours, np.float64)
    if np.shape(theirs) != ours.shape:
        return math.inf
    held = case.tolerance
    allowed = np.broadcast_to(held(**arguments) if callable(held) else held, ours.shape)
    if case.relative:
        allowed = allowed * np.abs(ours)
    difference = np.abs(np.asarray(theirs, np.float64) - ours)
    if not np.isfinite(difference).all():
        return math.inf
    beyond = np.where(difference > 0, np.inf, 0.0)  # where nothing is allowed
    return float(np.divide(difference, allowed, out=beyond, where=allowed > 0).max(initial=0))


def roundings(n, **arguments):
    """The tolerance of so many roundings; a power in float32 is off by a share of itself."""
    return n * FLOAT32


def load(module):
    """Another implementation; what it warns of while it is imported is its own affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return import_module(module)


def small(module, config, d_head, base, **settings):
    """The code of a model of transformers, and a configuration with two heads of this width."""
    rope = {"rope_type": "default", "rope_theta": base} | settings
    made = getattr(load(f"transformers.models.{module}"), config)(
        hidden_size=2 * d_head, num_attention_heads=2, num_key_value_heads=2, head_dim=d_head,
        rope_parameters=rope,
    )  # fmt: skip
    return load(f"transformers.models.{module}.modeling_{module}"), made


def defined_in(*names, packages=("torch",)):
    """What files of the page "In your framework" define, where these packages are installed."""
    for package in packages:
        needs(package)
        load(package)
    found = {}
    for path in (ROOT / "appendices" / "frameworks" / name for name in names):
        exec(compile(path.read_text("utf-8"), path.name, "exec"), found)
    return SimpleNamespace(**{k: v for k, v in found.items() if not k.startswith("__")})


def needs(package):
    """Skip a test or a file where a package is absent."""
    if version(package) is None:
        pytest.skip(f"{package} is not installed", allow_module_level=True)


def version(package):
    """Version of an installed package, or None."""
    for name in (package, f"{package}_cpu"):
        try:
            return metadata.version(name).split("+")[0]  # without the mark of the build
        except metadata.PackageNotFoundError:
            continue
    return None


def record(case):
    """The result of the other implementation for the few arguments, ready for JSON."""
    values = np.asarray(case.theirs(**case.arguments))
    return {
        "name": case.name,
        "function": case.function,
        "version": version(case.package),
        "arguments": case.arguments,
        "shape": list(values.shape),
        "dtype": values.dtype.name,
        "values": [_shortest(value) for value in values.ravel()],
    }


def _shortest(value):
    """An int, or the shortest decimal that rounds to the same float32 or float64."""
    return int(value) if np.issubdtype(value.dtype, np.integer) else float(str(value))


def stored(group):
    """The records of a group of cases, by name."""
    records = json.loads((VECTORS / f"{group}.json").read_text(encoding="utf-8"))
    return {record["name"]: record for record in records}


def values(record):
    """The stored numbers as an array."""
    # A decimal that is short for float32 is that number only after it was rounded to float32.
    return np.array(record["values"], record["dtype"]).reshape(record["shape"])


def sample(*shape):
    """Numbers between -1 and 1 without a pattern, float32; the same on every machine."""
    k = np.arange(np.prod(shape), dtype=np.int64)
    return ((k * k * 31 + k * 7919 + 17) % 2003 / 1001 - 1).astype(np.float32).reshape(shape)
