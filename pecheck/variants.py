"""Tables that differ from the paper's: mistakes of real code, and conventions that are as good.

Each stands here as it was written, so that a reader sees the mistake; `gallery.json` says what it
does, how to see it, and who met it, and names the shortest test that catches it. `pecheck.identify`
names them.
"""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from typing import Any

import numpy as np

from pecode import _check, formulas
from pecode._check import checked
from pecode._types import Floats
from pecode.encodings import sinusoidal, sinusoidal_table
from pecode.precision import bfloat16
from pecode.translation import translate

Make = Callable[..., Floats]


@dataclass(frozen=True)
class Entry:
    """An entry of the gallery.

    kind : "mistake", "convention" or "misuse". A convention is as good as the paper's; the trouble
    is to mix the two.
    summary, fingerprint : what the code does, and what to look at in an output of any size.
    reports : where people met it, owner/repository#number; empty where no report is known.
    test : (function) -> bool: True where a function does what is right, as far as this test looks.
    It is False for this entry.
    make : a mistake or a convention itself, (length, d_model, base=10000.0) -> ndarray (length,
    d_model); d_model is even and at least 4. `inspect.getsource` shows it.
    right, wrong : a right table, or a right rotation, and its misuse, of the same arguments.
    """

    name: str
    kind: str
    summary: str
    fingerprint: str
    reports: tuple[str, ...]
    test: Callable[..., bool]
    make: Make | None = None
    right: Callable[..., Floats] | None = None
    wrong: Callable[..., Floats] | None = None


# Tests of a table: short enough for anybody's test suite. `make` is a function (length, d_model,
# base) -> (length, d_model); widths are even and at least 4, for a single pair hides most mistakes.


def checked_output(name: str, function: Make, shape: tuple[int, ...], *arguments: object) -> Floats:
    """What a function returns, as a float64 array of the expected shape."""
    _check.function(name, function)
    array = _check.reals(name, function(*arguments), finite=False).astype(np.float64)
    what = f"a function that returns the shape {shape}"
    _check.require(array.shape == shape, name, what, array.shape)
    return array


def _checked_table(make, length, d_model, base):
    _check.two_pairs("d_model", d_model)
    _check.real("base", base, above=1)
    return checked_output("make", make, (length, d_model), length, d_model, base)


def starts_with_zero_and_one(make: Make, d_model: int = 16, base: float = 1e4) -> bool:
    """Row 0 is 0, 1, 0, 1, …: position 0 comes first, sines stand in the even columns.

    Examples
    --------
    >>> starts_with_zero_and_one(sinusoidal_table)
    True
    >>> starts_with_zero_and_one(VARIANTS["concatenated"].make)
    False
    """
    row = _checked_table(make, 2, d_model, base)[0]
    return bool(np.allclose(row[0::2], 0) and np.allclose(row[1::2], 1))


def pairs_lie_on_circles(make: Make, d_model: int = 16, base: float = 1e4) -> bool:
    """sin² + cos² = 1 for every pair in every row: both have the same angle."""
    rows = _checked_table(make, 64, d_model, base)
    return bool(np.allclose(rows[:, 0::2] ** 2 + rows[:, 1::2] ** 2, 1, atol=1e-5))


def slowest_pair_has_its_frequency(make: Make, d_model: int = 16, base: float = 1e4) -> bool:
    """The last sine of row 1 is the sine of base**(-(d_model - 2) / d_model)."""
    entry = _checked_table(make, 64, d_model, base)[1, d_model - 2]
    return math.isclose(entry, math.sin(base ** (2 / d_model - 1)), rel_tol=1e-4)


def second_pair_has_its_frequency(make: Make, d_model: int = 16, base: float = 1e4) -> bool:
    """The second sine of row 1 is the sine of base**(-2 / d_model)."""
    entry = _checked_table(make, 64, d_model, base)[1, 2]
    return math.isclose(entry, math.sin(base ** (-2 / d_model)), rel_tol=1e-4)


def one_step_moves_each_row_to_the_next(make: Make, d_model: int = 16, base: float = 1e4) -> bool:
    """T(1) turns row t into row t + 1, for 600 rows: the translation theorem as a test."""
    rows = _checked_table(make, 600, d_model, base)
    return bool(np.allclose(translate(rows[:-1], 1, base), rows[1:], atol=1e-5))


def a_longer_table_begins_with_the_shorter(
    make: Make, d_model: int = 16, base: float = 1e4
) -> bool:
    """The first 20 rows of 64 are the table of length 20."""
    short, long = _checked_table(make, 20, d_model, base), _checked_table(make, 64, d_model, base)
    return bool(np.allclose(short, long[:20], atol=1e-5))


def neighbors_are_a_step_apart(make: Make, d_model: int = 16, base: float = 1e4) -> bool:
    """Every row differs from the one before by more than 0.4 in some entry, for 512 rows."""
    rows = _checked_table(make, 512, d_model, base)
    return bool((np.abs(np.diff(rows, axis=0)).max(axis=1) > 0.4).all())


# Tables, each with its mistake in plain sight

ROWS = json.loads(resources.files(__package__).joinpath("gallery.json").read_text("utf-8"))
VARIANTS: dict[str, Entry] = {}


def _variant(make):
    """Put a function that makes a table into the gallery, under its own name."""
    make = checked(length=_check.positive_length, d_model=_check.two_pairs)(make)
    name = make.__name__.strip("_").replace("_", " ")
    VARIANTS[name] = entry(name, globals(), make=make)
    return make


def entry(name: str, tests: dict[str, Any], **functions: Callable[..., Floats]) -> Entry:
    """What `gallery.json` says of an entry, with its test and its functions."""
    row = ROWS[name]
    told = row | {"reports": tuple(row["reports"]), "test": tests[row["test"]]}
    return Entry(name, **told, **functions)


def _by_column(length, omega):
    """Sines and cosines in turn, with a frequency of its own for each column."""
    angles = np.arange(length)[:, None] * omega
    return np.where(np.arange(len(omega)) % 2, np.cos(angles), np.sin(angles))


@_variant
def _factor_2_doubled(length, d_model, base=10000.0):
    i = np.arange(0, d_model, 2)  # already 2i
    omega = base ** (-2 * i / d_model)
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _factor_2_lost(length, d_model, base=10000.0):
    i = np.arange(d_model // 2)
    omega = base ** (-i / d_model)
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _exponent_by_column(length, d_model, base=10000.0):
    j = np.arange(d_model)  # a sine and its cosine have different j
    return _by_column(length, base ** (-j / d_model))


@_variant
def _factor_2_by_column(length, d_model, base=10000.0):
    j = np.arange(d_model)  # the columns, taken for the pairs
    return _by_column(length, base ** (-2 * j / d_model))


@_variant
def _wrong_base(length, d_model, base=10000.0):
    i = np.arange(d_model // 2)
    omega = (base / 10) ** (-2 * i / d_model)  # a zero is missing
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _length_for_width(length, d_model, base=10000.0):
    i = np.arange(d_model // 2)
    omega = base ** (-2 * i / length)
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _precedence(length, d_model, base=10000.0):
    two_i = np.arange(0, d_model, 2)
    # meant: / (d_model // 2), with pairs counted; reads: (… / d_model) // 2, rounded down to -1
    omega = np.exp(two_i * (-math.log(base) / d_model // 2))
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _integer_division(length, d_model, base=10000.0):
    two_i = np.arange(0, d_model, 2)
    omega = base ** -(two_i // d_model).astype(float)  # always 0
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _divided_twice(length, d_model, base=10000.0):
    div_term = formulas.frequencies(d_model, base)
    angles = np.arange(length)[:, None] / div_term  # div_term is a factor already
    return formulas.join(np.sin(angles), np.cos(angles), "interleaved")


@_variant
def _along_the_batch(length, d_model, base=10000.0):
    batch = np.zeros((2, length, d_model))
    batch += sinusoidal_table(len(batch), d_model, base)[:, None, :]  # meant for axis 1
    return batch[1]  # the second text


@_variant
def _low_precision(length, d_model, base=10000.0):
    t = bfloat16(np.arange(length)).astype(float)
    return formulas.sinusoidal(t, d_model, base)


@_variant
def _concatenated(length, d_model, base=10000.0):
    return sinusoidal_table(length, d_model, base, layout="concatenated")


@_variant
def _endpoint_spacing(length, d_model, base=10000.0):
    n = d_model // 2
    omega = base ** (-np.arange(n) / (n - 1))
    return formulas.sinusoidal(np.arange(length), d_model, omega=omega)


@_variant
def _positions_from_1(length, d_model, base=10000.0):
    return sinusoidal(np.arange(1, length + 1), d_model, base)


@_variant
def _cosine_first(length, d_model, base=10000.0):
    table = sinusoidal_table(length, d_model, base)
    table[:, 0::2], table[:, 1::2] = table[:, 1::2].copy(), table[:, 0::2].copy()
    return table
