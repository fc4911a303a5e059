"""The ways to tell a Transformer the positions of its tokens: one interface for every scheme.

A scheme may add a table to the token vectors, change what a layer gets, add a bias to the scores,
add a vector to each key as a query sees it, or rotate queries and keys. What it does not do stays
as in `Scheme`, the scheme that does nothing. Arrays that are trained live in the dict of the
model's parameters.
"""

import functools
import inspect
from collections.abc import Hashable

import numpy as np

from lab.learned import LearnedEmbedding
from pecode import _check, encodings
from pecode.relative import (
    alibi_bias,
    clipped_relative_positions,
    relative_positions,
    t5_buckets,
)

_clip = functools.partial(_check.integer, minimum=0, maximum=2**20)


class Scheme:
    """No positions at all (NoPE), and the base of every scheme.

    Override one of the methods to write a scheme of your own. They are called any number of
    times; if one draws random numbers, so does every answer of the model. On trained arrays use
    only operators, indexing and the methods of arrays: autograd follows these to the gradient.
    """

    def start(self, rng, d_model):
        """Return the trained arrays as they are before training: a dict."""
        return {}

    def table(self, parameters, length, d_model):
        """Return what is added to the token vectors, shape (length, d_model), or 0.0."""
        return 0.0

    def layer_input(self, parameters, x):
        """Return what a layer gets in place of the token vectors x, of the same shape."""
        return x

    def bias(self, parameters, length):
        """Return what is added to the scores, shape (length, length), or 0.0."""
        return 0.0

    def relative_keys(self, parameters, length, d_model):
        """Return what a query finds added to each key, (length, length, d_model), or None."""
        return None  # noqa: RET501  -- a value: no relative keys

    def rotation(self, length, d_model):
        """Return cosines and sines, (2, length, d_model), or None; of four, two are the keys'."""
        return None  # noqa: RET501  -- a value: no rotation

    def for_layer(self, layer):
        """Return the scheme whose input, bias, relative keys and rotation layer 0, 1, … uses."""
        return self


class Fixed(Scheme):
    """A table from a formula, padded with zeros on the right to the width of the model.

    The formula, `encode`, is called once for each length and its rows are kept, so it must return
    the same rows every time. A formula that draws random numbers needs a `Scheme` of its own.
    """

    def __init__(self, encode):
        if not callable(encode):
            raise TypeError(f"encode: expected a function, got {type(encode).__name__}")
        if not isinstance(encode, Hashable):
            raise TypeError("encode: expected a function with a hash: its rows are kept")
        self.encode = encode  # (positions, length, d_model) -> (length, at most d_model)

    def table(self, parameters, length, d_model):  # noqa: D102
        return _padded_table(self.encode, length, d_model)


class Learned(Scheme):
    """A trained table that starts from random rows of size `scale`, or from a given table."""

    def __init__(self, length=None, scale=None, table=None):
        if table is not None and (length is not None or scale is not None):
            raise ValueError("table: expected no length or scale beside it, got both")
        self.initial_table = None if table is None else LearnedEmbedding.from_table(table).table
        if table is not None:
            length = len(self.initial_table)
        self.length = _check.positive_length("length", 32 if length is None else length)
        self.scale = _check.real("scale", 0.02 if scale is None else scale, minimum=0)

    def start(self, rng, d_model):  # noqa: D102
        if self.initial_table is None:
            return {"position": LearnedEmbedding(self.length, d_model, self.scale, rng).table}
        if self.initial_table.shape[1] != d_model:
            raise ValueError(
                f"table: expected rows of {d_model} numbers, the width of the model, got shape "
                f"{self.initial_table.shape}"
            )
        return {"position": self.initial_table.copy()}

    def table(self, parameters, length, d_model):  # noqa: D102
        rows = parameters["position"]
        if length > len(rows):
            raise ValueError(
                f"length: expected at most {len(rows)} positions, the rows of this learned "
                f"table, got {length}"
            )
        return rows[:length]


class ALiBi(Scheme):
    """A fixed bias: each step of distance lowers the score by the slope (Press et al., 2022)."""

    def __init__(self, slope=1.0):
        self.slope = _check.real("slope", slope)

    def bias(self, parameters, length):  # noqa: D102
        return _alibi_bias(self.slope, length)


class _TrainedBias(Scheme):
    """Numbers that are trained and added to the scores."""

    # A bias must grow as large as the scores, but Adam moves every number by the same small step.
    GAIN = 8.0


class RelativeBias(_TrainedBias):
    """A trained bias for each offset (Raffel et al., 2020); offsets beyond ±clip share one.

    Clip well inside the trained lengths: an offset that hardly occurs is hardly trained.
    """

    def __init__(self, clip=16):
        self.clip = _clip("clip", clip)

    def start(self, rng, d_model):  # noqa: D102
        return {"bias": np.zeros(2 * self.clip + 1)}

    def bias(self, parameters, length):  # noqa: D102
        offsets = clipped_relative_positions(length, self.clip)  # (length, length)
        return self.GAIN * parameters["bias"][offsets + self.clip]


class BucketBias(_TrainedBias):
    """A trained bias for each bucket of distances, as in T5 (Raffel et al., 2020, section 2.1).

    A bucket that no training sequence reaches stays at zero: choose a max_distance below the
    longest sequence.
    """

    def __init__(self, n_buckets=32, max_distance=128, bidirectional=False):
        self.options = (n_buckets, max_distance, bidirectional)
        t5_buckets(0, *self.options)  # raises if the options make no buckets
        self.n_buckets = n_buckets

    def start(self, rng, d_model):  # noqa: D102
        return {"bias": np.zeros(self.n_buckets)}

    def bias(self, parameters, length):  # noqa: D102
        buckets = t5_buckets(relative_positions(length), *self.options)  # (length, length)
        return self.GAIN * parameters["bias"][buckets]


class RelativeKeys(Scheme):
    """A trained vector for each offset, added to the keys (Shaw et al., 2018, section 3.1)."""

    def __init__(self, clip=16):
        self.clip = _clip("clip", clip)

    def start(self, rng, d_model):  # noqa: D102
        return {"relative": rng.standard_normal((2 * self.clip + 1, d_model)) / d_model**0.5}

    def relative_keys(self, parameters, length, d_model):  # noqa: D102
        offsets = clipped_relative_positions(length, self.clip)  # (length, length)
        return parameters["relative"][offsets + self.clip]


class Rotary(Scheme):
    """Queries and keys are rotated by the angles of the sinusoids, or by given frequencies."""

    def __init__(self, base=10000.0, frequencies=None):
        self.base = _check.real("base", base, above=1)
        if frequencies is not None:
            frequencies = tuple(_check.reals("frequencies", frequencies, ndim=1).tolist())
        self.frequencies = frequencies  # radians per position, one for each pair

    def rotation(self, length, d_model):  # noqa: D102
        return _cosines_and_sines(self.base, self.frequencies, length, d_model)


class RotaryPoints(Scheme):
    """Queries and keys are rotated by points: the patches of a picture, one for each token."""

    def __init__(self, positions, frequencies):
        self.positions = _check.reals("positions", positions, ndim=2, filled=2)  # (n, n_axes)
        frequencies = _check.reals("frequencies", frequencies, ndim=2, filled=2)
        n_axes = self.positions.shape[1]
        _check.size("frequencies", frequencies.shape[1], n_axes, "columns, one for each axis")
        with np.errstate(over="ignore", invalid="ignore"):
            angles = sum(
                np.outer(at, omega)
                for at, omega in zip(self.positions.T, frequencies.T, strict=True)
            )
        _check.no_overflow("frequencies", angles)
        self.cos, self.sin = (
            _read_only(np.repeat(wave(angles), 2, axis=1)) for wave in (np.cos, np.sin)
        )

    def rotation(self, length, d_model):  # noqa: D102
        if (length, d_model) != self.cos.shape:
            raise ValueError(
                f"positions, frequencies: expected {length} points and {d_model // 2} pairs, as "
                f"the model has them, got {len(self.cos)} and {self.cos.shape[1] // 2}"
            )
        return self.cos, self.sin


class Layered(Scheme):
    """Layers with schemes of their own, in turn: as with local and global layers.

    Layer i has `schemes[i % len(schemes)]`. A table is added before the first layer, so only the
    first scheme may have one, and no two may train arrays of one name.
    """

    def __init__(self, *schemes):
        if not schemes:
            raise ValueError("schemes: expected at least one, got none")
        for each in schemes:
            if not isinstance(each, Scheme) or isinstance(each, Layered):
                raise TypeError(f"schemes: expected schemes of one layer, got {each!r:.60}")
        self.schemes = schemes

    def start(self, rng, d_model):  # noqa: D102
        trained = {}
        for each in self.schemes:
            own = each.start(rng, d_model)
            if taken := sorted(trained.keys() & own.keys()):
                raise ValueError(f"schemes: expected one that trains {taken[0]!r}, got two")
            trained |= own
        return trained

    def table(self, parameters, length, d_model):  # noqa: D102
        for each in self.schemes[1:]:
            if np.any(each.table(parameters, length, d_model)):
                raise ValueError(
                    "schemes: expected a table in the first layer alone, "
                    f"got one of {type(each).__name__}"
                )
        return self.schemes[0].table(parameters, length, d_model)

    def for_layer(self, layer):  # noqa: D102
        return self.schemes[layer % len(self.schemes)]


class Window(Scheme):
    """Another scheme, seen through a window: a query finds the last few keys, its own included."""

    def __init__(self, scheme, keys):
        self.scheme, self.keys = scheme, _check.integer("keys", keys, minimum=1)
        self.start, self.table, self.layer_input = scheme.start, scheme.table, scheme.layer_input
        self.rotation, self.relative_keys = scheme.rotation, scheme.relative_keys

    def bias(self, parameters, length):  # noqa: D102
        hidden = np.where(relative_positions(length) > -self.keys, 0.0, -1e9)  # softmax gives 0
        return self.scheme.bias(parameters, length) + hidden

    def for_layer(self, layer):  # noqa: D102
        return Window(self.scheme.for_layer(layer), self.keys)


# Training asks for the same few lengths again and again. Shared arrays must not be written to.


@functools.lru_cache(maxsize=64)
def _padded_table(encode, length, d_model):
    rows = _check.reals("encode", encode(np.arange(length), length, d_model), ndim=2)
    if len(rows) != length or rows.shape[1] > d_model:
        raise ValueError(
            f"encode: expected {length} rows of at most {d_model} numbers, got shape {rows.shape}"
        )
    return _read_only(np.pad(rows, [(0, 0), (0, d_model - rows.shape[1])]))


@functools.lru_cache(maxsize=64)
def _alibi_bias(slope, length):
    return _read_only(alibi_bias(length, [slope])[0])


@functools.lru_cache(maxsize=64)
def _cosines_and_sines(base, frequencies, length, d_model):
    d_model = _check.even_width("d_model", d_model)
    if frequencies is None:
        sinusoids = encodings.sinusoidal(np.arange(length), d_model, base)
        cos, sin = sinusoids[:, 1::2], sinusoids[:, 0::2]  # each (length, d_model / 2)
    elif len(frequencies) == d_model // 2:
        with np.errstate(over="ignore"):
            angles = np.outer(np.arange(length), frequencies)  # (length, d_model / 2)
        _check.no_overflow("frequencies", angles)
        cos, sin = np.cos(angles), np.sin(angles)
    else:
        raise ValueError(
            f"frequencies: expected {d_model // 2}, one for each pair, got {len(frequencies)}"
        )
    return tuple(_read_only(np.repeat(part, 2, axis=1)) for part in (cos, sin))


def _read_only(array):
    array.flags.writeable = False
    return array


def _count(positions, length, d_model):
    return encodings.count(positions)


def _normalized_count(positions, length, d_model):
    return encodings.normalized_count(positions, length)


def _binary(positions, length, d_model):
    return encodings.binary(positions, min(d_model, 63), bit_order="little")


def _sinusoidal(positions, length, d_model):
    return encodings.sinusoidal(positions, d_model)


# The names, in the order of the book's figures and tables.
SCHEMES = {
    "nothing": Scheme,
    "count": functools.partial(Fixed, _count),
    "normalized count": functools.partial(Fixed, _normalized_count),
    "binary": functools.partial(Fixed, _binary),
    "sine and cosine": functools.partial(Fixed, _sinusoidal),
    "learned": Learned,
    "ALiBi": ALiBi,
    "rotary": Rotary,
    "relative bias": RelativeBias,
    "T5 buckets": BucketBias,
    "relative keys": RelativeKeys,
}


def scheme(name, **options):
    """Return a scheme by its name in `SCHEMES`.

    Parameters
    ----------
    name : str
    options
        For "learned": length (number of rows, 32), scale (standard deviation at the start,
        0.02), or table (the rows to start from). For "ALiBi": slope (1.0). For "rotary": base
        (10000.0) or frequencies. For "relative bias" and "relative keys": clip (16). For
        "T5 buckets": n_buckets (32), max_distance (128), bidirectional (False).

    Returns
    -------
    Scheme

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


def check_scheme(scheme, parameters, length, d_model, n_layers):
    """Refuse a scheme whose parts do not fit a model: numpy would silently broadcast some."""
    vectors, scores = (length, d_model), (length, length)
    _check_part("table", scheme.table(parameters, length, d_model), vectors, ())
    for each in dict.fromkeys(map(scheme.for_layer, range(n_layers))):
        if not isinstance(each, Scheme):
            raise TypeError(f"scheme.for_layer: expected a Scheme, got {type(each).__name__}")
        _check_part("bias", each.bias(parameters, length), scores, ())
        rotation = each.rotation(length, d_model)
        if rotation is not None:
            _check_part("rotation", rotation, (2, *vectors), (4, *vectors))
            cos, sin = (np.asarray(rotation)[part::2] for part in (0, 1))
            lengths = np.hypot(cos, sin)  # YaRN's temperature makes all of them longer
            if not np.ptp(lengths) <= 1e-6 * lengths.min():
                raise ValueError(
                    "scheme.rotation: expected cosines and sines of the same angles, got squares "
                    f"that sum to {lengths.min() ** 2:.4g} and to {lengths.max() ** 2:.4g}"
                )
        keys = each.relative_keys(parameters, length, d_model)
        if keys is not None:
            if not isinstance(keys, np.ndarray):  # the model swaps their axes: lists will not do
                raise TypeError(f"scheme.relative_keys: expected an array, got {keys!r:.60}")
            _check_part("relative_keys", keys, (*scores, d_model))


def _check_part(name, part, *shapes):
    array = _check.reals(f"scheme.{name}", part)
    if array.shape not in shapes:
        raise ValueError(f"scheme.{name}: expected shape {shapes[0]}, got {array.shape}")
