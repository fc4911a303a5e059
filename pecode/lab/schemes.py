"""How a Transformer may be told positions, and where: one interface for every scheme.

A scheme may add a table to the token vectors, add a bias to the scores, add a vector to each key
as a query sees it, or turn queries and keys; what it does not do stays as in `Scheme`, the scheme
that does nothing. Arrays that are trained live in the dict of the model's parameters.
"""

import functools
import inspect
from collections.abc import Hashable

import numpy as np

from pecode import _check, encodings
from pecode.lab.learned import LearnedEmbedding
from pecode.relative import (
    alibi_bias,
    clipped_relative_positions,
    relative_positions,
    t5_buckets,
)


class Scheme:
    """No positions at all, and the base of every scheme.

    A scheme of one's own overrides one of the methods. They are called any number of times; if
    one draws random numbers, so does every answer of the model. On what is trained, use
    operators, indexing and the methods of arrays: the gradient is found by following those.
    """

    def start(self, rng, d_model):
        """Return what is trained, as it is before training: a dict of arrays."""
        return {}

    def table(self, parameters, length, d_model):
        """Return what is added to the token vectors, shape (length, d_model), or 0.0."""
        return 0.0

    def bias(self, parameters, length):
        """Return what is added to the scores, shape (length, length), or 0.0."""
        return 0.0

    def relative_keys(self, parameters, length, d_model):
        """Return what each query finds added to each key, (length, length, d_model), or None."""
        return None  # noqa: RET501  -- the value that says "none of these"

    def rotation(self, length, d_model):
        """Return cosines and sines, each (length, d_model), that turn queries and keys, or None."""
        return None  # noqa: RET501  -- the value that says "none of these"


class Fixed(Scheme):
    """A table from a formula, with zeros to the right where it is narrower than the model.

    The formula, `encode`, is asked once for each length and its rows are kept: it must give the
    same ones every time. What draws random numbers is a `Scheme` of its own.
    """

    def __init__(self, encode):
        if not callable(encode):
            raise TypeError(f"encode: expected a function, got {type(encode).__name__}")
        if not isinstance(encode, Hashable):
            raise TypeError("encode: expected a function with a hash, for its rows are kept")
        self.encode = encode  # (positions, length, d_model) -> (length, at most d_model)

    def table(self, parameters, length, d_model):  # noqa: D102
        return _padded(self.encode, length, d_model)


class Learned(Scheme):
    """A table that is trained, from random rows of a size (`scale`), or from a given table."""

    def __init__(self, length=None, scale=None, table=None):
        if table is not None and (length is not None or scale is not None):
            raise ValueError("table: expected no length or scale beside it, got both")
        self.given = None if table is None else LearnedEmbedding.from_table(table).table
        self.length = _check.length(32 if length is None else length, minimum=1)
        self.scale = _check.real("scale", 0.02 if scale is None else scale, minimum=0)

    def start(self, rng, d_model):  # noqa: D102
        if self.given is None:
            return {"position": LearnedEmbedding(self.length, d_model, self.scale, rng).table}
        if self.given.shape[1] != d_model:
            raise ValueError(
                f"table: expected rows of {d_model} numbers, the width of the model, got shape "
                f"{self.given.shape}"
            )
        return {"position": self.given.copy()}

    def table(self, parameters, length, d_model):  # noqa: D102
        rows = parameters["position"]
        if length > len(rows):
            raise ValueError(
                f"length: expected at most {len(rows)} positions, the rows of this learned "
                f"table, got {length}"
            )
        return rows[:length]


class ALiBi(Scheme):
    """A fixed bias: every position of distance lowers the score by the slope."""

    def __init__(self, slope=1.0):
        self.slope = _check.real("slope", slope)

    def bias(self, parameters, length):  # noqa: D102
        return _distance_costs(self.slope, length)


class RelativeBias(Scheme):
    """A trained bias for each distance (Raffel et al., 2020); those beyond ±clip share one.

    Clip well inside the trained lengths: a distance that hardly occurs is hardly trained.
    """

    # A bias has to become large beside scores, and Adam moves every number by the same small step.
    GAIN = 8.0

    def __init__(self, clip=16):
        self.clip = _check.integer("clip", clip, minimum=0, maximum=2**20)

    def start(self, rng, d_model):  # noqa: D102
        return {"bias": np.zeros(2 * self.clip + 1)}

    def bias(self, parameters, length):  # noqa: D102
        offsets = clipped_relative_positions(length, self.clip)  # (length, length)
        return self.GAIN * parameters["bias"][offsets + self.clip]


class BucketBias(Scheme):
    """A trained bias for each bucket of distances, as in T5 (Raffel et al., 2020, section 2.1).

    A bucket that no training sequence reaches stays at zero: choose max_distance below the
    longest of them.
    """

    def __init__(self, n_buckets=32, max_distance=128, bidirectional=False):
        self.options = (n_buckets, max_distance, bidirectional)
        t5_buckets(0, *self.options)  # refuses what makes no buckets
        self.n_buckets = n_buckets

    def start(self, rng, d_model):  # noqa: D102
        return {"bias": np.zeros(self.n_buckets)}

    def bias(self, parameters, length):  # noqa: D102
        buckets = t5_buckets(relative_positions(length), *self.options)  # (length, length)
        return RelativeBias.GAIN * parameters["bias"][buckets]


class RelativeKeys(Scheme):
    """A trained vector for each distance, added to the keys (Shaw et al., 2018, section 3.1)."""

    def __init__(self, clip=16):
        self.clip = _check.integer("clip", clip, minimum=0, maximum=2**20)

    def start(self, rng, d_model):  # noqa: D102
        return {"relative": rng.standard_normal((2 * self.clip + 1, d_model)) / d_model**0.5}

    def relative_keys(self, parameters, length, d_model):  # noqa: D102
        offsets = clipped_relative_positions(length, self.clip)  # (length, length)
        return parameters["relative"][offsets + self.clip]


class Rotary(Scheme):
    """Queries and keys are turned by the angles of the sinusoids, or by given frequencies."""

    def __init__(self, base=10000.0, frequencies=None):
        self.base = _check.real("base", base, above=1)
        if frequencies is not None:
            frequencies = tuple(_check.reals("frequencies", frequencies, ndim=1).tolist())
        self.frequencies = frequencies  # radians per position, d_model / 2 of them

    def rotation(self, length, d_model):  # noqa: D102
        return _turns(self.base, self.frequencies, length, d_model)


# Training asks for the same few lengths again and again. What is shared must not be written to.


@functools.lru_cache(maxsize=64)
def _padded(encode, length, d_model):
    rows = _check.reals("encode", encode(np.arange(length), length, d_model), ndim=2)
    if len(rows) != length or rows.shape[1] > d_model:
        raise ValueError(
            f"encode: expected {length} rows of at most {d_model} numbers, got shape {rows.shape}"
        )
    return _read_only(np.pad(rows, [(0, 0), (0, d_model - rows.shape[1])]))


@functools.lru_cache(maxsize=64)
def _distance_costs(slope, length):
    return _read_only(alibi_bias(length, [slope])[0])


@functools.lru_cache(maxsize=64)
def _turns(base, frequencies, length, d_model):
    d_model = _check.even_width(d_model, "rotary turns its columns in pairs")
    if frequencies is None:
        hands = encodings.sinusoidal(np.arange(length), d_model, base)
        cos, sin = hands[:, 1::2], hands[:, 0::2]  # each (length, d_model / 2)
    elif len(frequencies) == d_model // 2:
        with np.errstate(over="ignore"):
            angles = np.outer(np.arange(length), frequencies)  # (length, d_model / 2)
        _check.fits("frequencies", angles)
        cos, sin = np.cos(angles), np.sin(angles)
    else:
        raise ValueError(
            f"frequencies: expected {d_model // 2} of them, one a pair, got {len(frequencies)}"
        )
    return tuple(_read_only(np.repeat(part, 2, axis=1)) for part in (cos, sin))


def _read_only(array):
    array.flags.writeable = False
    return array


def _bits(t, length, d_model):
    return encodings.binary(t, min(d_model, 63), bit_order="little")


def _count(positions, length, d_model):
    return encodings.count(positions)


def _normalized_count(positions, length, d_model):
    return encodings.normalized_count(positions, length)


def _sinusoidal(positions, length, d_model):
    return encodings.sinusoidal(positions, d_model)


# Names and their order are those of the book's figures and tables.
SCHEMES = {
    "nothing": Scheme,
    "count": functools.partial(Fixed, _count),
    "normalized count": functools.partial(Fixed, _normalized_count),
    "binary": functools.partial(Fixed, _bits),
    "sine and cosine": functools.partial(Fixed, _sinusoidal),
    "learned": Learned,
    "ALiBi": ALiBi,
    "rotary": Rotary,
    "relative bias": RelativeBias,
    "T5 buckets": BucketBias,
    "relative keys": RelativeKeys,
}


def scheme(name, **options):
    """A scheme by its name in `SCHEMES`.

    Parameters
    ----------
    name : str
    options
        For "learned": length (number of rows, 32), scale (size of the random start, 0.02), or
        table (the rows to start from). For "ALiBi": slope (1.0). For "rotary": base (10000.0),
        frequencies (in place of the base). For "relative bias" and "relative keys": clip (16).
        For "T5 buckets": n_buckets (32), max_distance (128), bidirectional (False).

    Returns
    -------
    Scheme

    Raises
    ------
    TypeError, ValueError
        A name that is not in `SCHEMES`, an option that the scheme does not have, or a value
        that does not suit it.

    Examples
    --------
    >>> scheme("ALiBi", slope=0.5).bias({}, 2).tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    make = SCHEMES[_check.choice("name", name, tuple(SCHEMES))]
    known = list(inspect.signature(make).parameters)
    for option in options:
        if option not in known:
            expected = " or ".join(known) or "no options"
            raise TypeError(f"options: expected {expected} for {name!r}, got {option}")
    return make(**options)
