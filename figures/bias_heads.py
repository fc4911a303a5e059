"""What a bias for every offset makes the heads of one layer look at."""

import numpy as np
import traitlets

from figures.base import (
    Figure,
    Whole,
    below,
    bundle,
    finite_array,
    packed,
    refuse,
    whole_number,
)

_ROWS = 64  # positions in the picture
_LARGEST_CLIP = 16


# Four made-up heads: what each looks at, and its bias for an offset.
_MADE_UP = {
    "the token before": lambda offsets: 4.5 * np.exp(-((offsets + 1.0) ** 2)) - 1.5,
    "near tokens": lambda offsets: 2.5 - np.log2(1 + np.abs(offsets)),
    "far tokens": lambda offsets: np.log2(1 + np.abs(offsets)) - 3,
    "tokens after the query": lambda offsets: 2.5 * np.tanh(offsets / 4),
}
# What the choices of `scheme` are called on the page.
_SCHEMES = {"alibi": "ALiBi", "t5": "T5 buckets", "clipped": "clipped offsets"}


def _made_up(offsets):
    """Return the biases of the made-up heads, a column for each head."""
    return np.stack([bias(offsets) for bias in _MADE_UP.values()], axis=-1)


def _bucket_starts(n_buckets, max_distance):
    """Offsets that stand for T5's buckets: 0 and before, then, in the other half, after."""
    half = n_buckets // 2
    exact = half // 2
    grown = exact * (max_distance / exact) ** (np.arange(half - exact) / (half - exact))
    distances = np.concatenate([np.arange(exact), grown])
    return np.concatenate([-distances, distances])


def _heads(name, values):
    """Return a table with a column for each head; the picture has room for 16."""
    table = finite_array(name, values, ndim=2)
    if table.shape[1] > 16:
        refuse(name, "1 to 16 heads, a column each", f"{table.shape[1]} columns")
    return table


def _learned(table, scalars, max_distance):
    """Return the numbers of the heads as they are stored: rows of texts, in thousandths."""
    max_distance = whole_number("max_distance", max_distance, 3, 1024)
    given = {"t5": table, "clipped": scalars}
    if table is None:
        table = _made_up(_bucket_starts(32, max_distance))
    if scalars is None:
        scalars = _made_up(np.arange(-_LARGEST_CLIP, _LARGEST_CLIP + 1))
    table, scalars = _heads("table", table), _heads("scalars", scalars)
    if len(table) % 2 or not 4 <= len(table) <= 64:
        refuse("table", "an even number of buckets from 4 to 64, a row each", f"{len(table)} rows")
    if max_distance <= len(table) // 2:
        most = f"more than {len(table) // 2}, half of the buckets"
        refuse("max_distance", most, max_distance)
    if len(scalars) % 2 == 0 or len(scalars) >= 2 * _ROWS:
        expected = f"an odd number of rows up to {2 * _ROWS - 1}, for the offsets -clip to clip"
        refuse("scalars", expected, f"{len(scalars)} rows")
    return {
        "table": [packed(row, 0.001) for row in table.tolist()],
        "scalars": [packed(row, 0.001) for row in scalars.tolist()],
        "max_distance": max_distance,
        "made_up": [scheme for scheme, values in given.items() if values is None],
    }


class BiasHeads(Figure):
    """What a bias for every offset makes the heads of one layer look at.

    `table` and `scalars` are given when the figure is made; without them, four made-up heads are
    shown. Three decimals are kept.

    Parameters
    ----------
    table : array-like of floats, shape (n_buckets, n_heads), optional
        The bias of T5's buckets, for up to 16 heads; n_buckets is even, from 4 to 64.
    scalars : array-like of floats, shape (2 · clip + 1, n_heads), optional
        A number for each offset from -clip to clip, for the clipped offsets.
    max_distance : int, optional
        The distance from which on all keys share the last bucket, 128 unless told.
    scheme : "alibi", "t5" or "clipped"
    n_heads : int, 1 to 16
        For ALiBi; the tables have as many heads as columns.
    head : int
        Counted from 1.
    query, key : int, 0 to 63
        The positions of the row and of the column that are put into words.
    causal : bool
        With the mask a query looks at itself and back.
    bidirectional : bool
        T5: whether keys after the query have buckets of their own, or count as offset 0.
    clip : int
        Offsets beyond ±clip count as ±clip; at most what `scalars` has.

    Examples
    --------
    >>> BiasHeads(n_heads=4, head=2)
    BiasHeads(bidirectional=True, causal=True, clip=8, head=2, key=30, n_heads=4, query=40,
    scheme='alibi')
    """

    _esm = bundle(
        "bias_heads.js",
        SCHEMES=[[text, name] for name, text in _SCHEMES.items()],
        MADE_UP=list(_MADE_UP),
    )
    alt = (
        "Left, a square heat map of the bias of 64 keys for 64 queries, white on the diagonal and "
        "bluer away from it, with its upper half masked; a dashed line marks all cells of one "
        "offset. Right, the row of query 40: the bias rises in a straight line to 0 at the query, "
        "and bars show most of the attention on the last tokens; without a bias all would be as "
        "tall as a dotted line."
    )
    learned = traitlets.Dict(read_only=True).tag(sync=True)
    scheme = traitlets.Enum(list(_SCHEMES), "alibi").tag(sync=True, public=True)
    n_heads = Whole(8, min=1, max=16).tag(sync=True, public=True)
    head = Whole(3, min=1).tag(sync=True, public=True)
    query = Whole(40, min=0, max=_ROWS - 1).tag(sync=True, public=True)
    key = Whole(30, min=0, max=_ROWS - 1).tag(sync=True, public=True)
    causal = traitlets.Bool(True).tag(sync=True, public=True)
    bidirectional = traitlets.Bool(True).tag(sync=True, public=True)
    clip = Whole(min=0).tag(sync=True, public=True)

    def __init__(self, table=None, scalars=None, max_distance=128, **state):
        self._given = _learned(table, scalars, max_distance)
        super().__init__(**state)

    @traitlets.default("learned")
    def _as_given(self):
        return self._given

    @traitlets.default("head")
    def _third_head(self):
        return min(3, self._count())

    @traitlets.default("clip")
    def _clip_8(self):
        return min(8, self._largest_clip())

    def _count(self):
        """How many heads the scheme has."""
        if self.scheme == "alibi":
            return self.n_heads
        rows = self._given["table" if self.scheme == "t5" else "scalars"]
        return len(rows[0].split())

    def _largest_clip(self):
        return len(self._given["scalars"]) // 2

    @traitlets.validate("head", "clip")
    def _there_is_such_a_head_or_clip(self, proposal):
        most = self._count() if proposal.trait.name == "head" else self._largest_clip()
        return below(proposal, most + 1)

    @traitlets.observe("scheme", "n_heads")
    def _fewer_heads_have_no_such_head(self, change):
        self.head = min(self.head, self._count())
