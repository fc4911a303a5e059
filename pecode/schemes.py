"""How a Transformer may be told positions, and where: one interface for every scheme.

A scheme may add a table to the token vectors, add a bias to the scores, or turn queries and keys;
what it does not do stays as in `Scheme`, the scheme that does nothing. Arrays that are trained
live in the dict of the model's parameters.
"""

import functools

import numpy as np

from pecode import _check, encodings
from pecode.learned import LearnedEmbedding
from pecode.relative import alibi_bias, clipped_relative_positions


class Scheme:
    """No positions at all."""

    def start(self, rng, d_model):
        """Return what is trained, as it is before training: a dict of arrays."""
        return {}

    def table(self, parameters, length, d_model):
        """Return what is added to the token vectors, shape (length, d_model)."""
        return 0.0

    def bias(self, parameters, length):
        """Return what is added to the scores, shape (length, length)."""
        return 0.0

    def rotation(self, length, d_model):
        """Return what turns queries and keys: cosines and sines, each (length, d_model)."""
        return None  # noqa: RET501  -- the value that says "none of these"


class Fixed(Scheme):
    """A table from a formula, with zeros to the right where it is narrower than the model."""

    def __init__(self, encode):
        self.encode = encode  # (positions, length, d_model) -> (length, at most d_model)
        self.rows = functools.cache(self._rows)  # training asks for the same few again and again

    def table(self, parameters, length, d_model):  # noqa: D102
        return self.rows(length, d_model)

    def _rows(self, length, d_model):
        rows = self.encode(np.arange(length), length, d_model)
        return np.pad(rows, [(0, 0), (0, d_model - rows.shape[1])])


class Learned(Scheme):
    """A table that is trained; `table` gives it a start other than random rows."""

    def __init__(self, length=32, scale=0.02, table=None):
        self.length, self.scale, self.first = length, scale, table

    def start(self, rng, d_model):  # noqa: D102
        if self.first is not None:
            return {"position": LearnedEmbedding.from_table(self.first).table}
        return {"position": LearnedEmbedding(self.length, d_model, self.scale, rng).table}

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
        self.costs = functools.cache(lambda length: alibi_bias(length, [self.slope])[0])

    def bias(self, parameters, length):  # noqa: D102
        return self.costs(length)


class RelativeBias(Scheme):
    """A trained bias for each distance; distances beyond ±clip share one."""

    # A bias has to become large beside scores, and Adam moves every number by the same small step.
    GAIN = 8.0

    def __init__(self, clip=31):
        self.clip = _check.integer("clip", clip, minimum=0)

    def start(self, rng, d_model):  # noqa: D102
        return {"bias": np.zeros(2 * self.clip + 1)}

    def bias(self, parameters, length):  # noqa: D102
        offsets = clipped_relative_positions(length, self.clip)  # (length, length)
        return self.GAIN * parameters["bias"][offsets + self.clip]


class Rotary(Scheme):
    """Queries and keys are turned by the angles of the sinusoids."""

    def __init__(self, base=10000.0):
        self.base = _check.real("base", base, above=1)
        self.angles = functools.cache(self._angles)

    def rotation(self, length, d_model):  # noqa: D102
        return self.angles(length, d_model)

    def _angles(self, length, d_model):
        d_model = _check.even_width(d_model, "rotary turns its columns in pairs")
        hands = encodings.sinusoidal(np.arange(length), d_model, self.base)
        return np.repeat(hands[:, 1::2], 2, axis=1), np.repeat(hands[:, 0::2], 2, axis=1)


# Names and their order are those of the book's figures and tables.
SCHEMES = {
    "nothing": Scheme,
    "count": lambda: Fixed(lambda t, length, d: encodings.count(t)),
    "normalized count": lambda: Fixed(lambda t, length, d: encodings.normalized_count(t, length)),
    "binary": lambda: Fixed(lambda t, length, d: encodings.binary(t, d, bit_order="little")),
    "sine and cosine": lambda: Fixed(lambda t, length, d: encodings.sinusoidal(t, d)),
    "learned": Learned,
    "ALiBi": ALiBi,
    "rotary": Rotary,
    "relative bias": RelativeBias,
}


def scheme(name, **options):
    """A scheme by its name in `SCHEMES`.

    Parameters
    ----------
    name : str
    options
        For "learned": length, scale, table. For "ALiBi": slope. For "relative bias": clip. For
        "rotary": base.

    Returns
    -------
    Scheme

    Raises
    ------
    TypeError, ValueError
        A name that is not in `SCHEMES`, or an option that the scheme does not have.

    Examples
    --------
    >>> scheme("ALiBi", slope=0.5).bias({}, 2).tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    _check.choice("name", name, tuple(SCHEMES))
    return SCHEMES[name](**options)
