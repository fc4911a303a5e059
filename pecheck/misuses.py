"""A correct encoding, wrongly used: mistakes of real code, each with the test that catches it."""

import math
from collections.abc import Callable

import numpy as np

from pecheck.variants import Entry, checked_output, entry
from pecode._types import Floats
from pecode.encodings import sinusoidal_table
from pecode.rotary import rotate


def _scores(of_queries=np.asarray, of_keys=np.asarray, layouts=("half", "half")):
    """Scores of queries and keys at such positions of the rows: (length, length)."""

    def scores(queries, keys):
        t = np.arange(len(queries))
        turned = rotate(queries, of_queries(t), layout=layouts[0])
        return turned @ rotate(keys, of_keys(t), layout=layouts[1]).T

    return scores


def _late(t):
    """Behind a prompt, the length of the cache is asked after the new key's place was made."""
    return t + (t >= len(t) // 2)


def _in_halves(x, positions):
    return rotate(x, positions, layout="half")


def _added(x, axis=1):
    """Rows of a table, added to (batch, length, d_model) along an axis."""
    table = sinusoidal_table(x.shape[axis], x.shape[2])
    return x + (table if axis else table[:, None])


# Tests of a function: (queries, keys) -> scores, with pairs in halves and base 10000, of the shapes
# (length, d_head) and (length, length); or (x, positions) -> x, turned; or (is_token) -> positions,
# both (batch, length); or (x) -> x with positions, both (batch, length, d_model).


def token_by_token_agrees_with_one_pass(function: Callable[..., Floats]) -> bool:
    """From a cache, token by token, queries and keys have the scores of a single pass.

    Examples
    --------
    >>> token_by_token_agrees_with_one_pass(MISUSES["cache off by one"].right)
    True
    >>> token_by_token_agrees_with_one_pass(MISUSES["cache off by one"].wrong)
    False
    """
    queries, keys = np.random.default_rng(0).normal(size=(2, 6, 8))
    seen = np.tri(6, dtype=bool)
    scores = checked_output("function", function, (6, 6), queries, keys)
    return bool(np.allclose(scores[seen], _scores()(queries, keys)[seen], atol=1e-5))


def diagonals_are_constant(function: Callable[..., Floats]) -> bool:
    """With one query and one key at all positions, every diagonal of the scores is constant."""
    queries, keys = np.repeat(np.random.default_rng(0).normal(size=(2, 1, 8)), 6, axis=1)
    scores = checked_output("function", function, (6, 6), queries, keys)
    return bool(np.allclose(scores[1:, 1:], scores[:-1, :-1], atol=1e-5))


def known_entry_is_right(function: Callable[..., Floats]) -> bool:
    """A query with a 1 in column 0 and the key two before it, with a 1 in column d/2, score sin 2.

    The key does not stand at position 0, where nothing turns and every mistake in it would pass.
    """
    queries, keys = np.zeros((2, 4, 8))
    queries[:, 0] = keys[:, 4] = 1
    # the query at 3 is (cos 3, …, sin 3, …), the key at 1 is (-sin 1, …, cos 1, …)
    score = checked_output("function", function, (4, 4), queries, keys)[3, 1]
    return math.isclose(score, math.sin(2), rel_tol=1e-4)


def rows_turn_by_their_positions(function: Callable[..., Floats]) -> bool:
    """Rows at the positions 0, 0, 1, 2, 9, 5 are turned by these, not by where they stand."""
    x, t = np.random.default_rng(0).normal(size=(6, 8)), np.array([0, 0, 1, 2, 9, 5])
    turned = checked_output("function", function, (6, 8), x, t)
    return bool(np.allclose(turned, _in_halves(x, t), atol=1e-5))


def padding_moves_no_token(function: Callable[..., Floats]) -> bool:
    """Two paddings on the left leave the positions of the tokens as they were."""
    is_token = np.array([[True, True, True, True], [False, False, True, True]])
    return checked_output("function", function, (2, 4), is_token)[1, 2:].tolist() == [0, 1]


def texts_of_a_batch_are_alike(function: Callable[..., Floats]) -> bool:
    """Equal texts stay equal wherever they stand in the batch; their tokens become different."""
    added = checked_output("function", function, (3, 5, 8), np.zeros((3, 5, 8)))
    return bool(np.allclose(added[0], added[2]) and not np.allclose(added[:, 0], added[:, 1]))


_USES = {  # the right one, and the wrong one
    "cache off by one": (_scores(), _scores(_late, _late)),
    "both in the other layout": (_scores(), _scores(layouts=("interleaved", "interleaved"))),
    "keys in the other layout": (_scores(), _scores(layouts=("half", "interleaved"))),
    "keys turned backward": (_scores(), _scores(of_keys=np.negative)),
    "both turned backward": (_scores(), _scores(np.negative, np.negative)),
    "positions ignored": (_in_halves, lambda x, positions: _in_halves(x, np.arange(len(x)))),
    "padding counted": (
        lambda is_token: np.maximum(np.cumsum(is_token, axis=-1) - 1, 0),
        lambda is_token: np.broadcast_to(np.arange(is_token.shape[-1]), is_token.shape),
    ),
    "added along the batch": (_added, lambda x: _added(x, axis=0)),
}
MISUSES: dict[str, Entry] = {
    name: entry(name, globals(), right=right, wrong=wrong) for name, (right, wrong) in _USES.items()
}
