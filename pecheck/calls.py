"""How functions are called: with unit vectors, at irregular positions, near and far."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pecode._types import Floats, Integers

START = (0, 0, 1, 2, 5, 3, 17, 40)  # positions: one twice, one out of order
BEYOND = 60, 100, 160, 301, 600, 1000, 1500, 3001, 5000, 9000  # as far as its table reaches
LENGTHS = (9001, 8192, 4096, 2048, 1024, 512, 300, 50)  # of the function's table
ROWS = 40  # of vectors; what goes wrong in chunks shows where a second one begins
HEADS = 3  # of vectors that have an axis of heads


def positions_below(length: int) -> Integers:
    """Return irregular positions below a length."""
    beyond = [p for p in BEYOND if p < length]
    return np.array([*START, *beyond, *(29 * k % 47 for k in range(ROWS))][:ROWS])


def farthest(call: Callable[[int], Floats]) -> tuple[Integers, Floats]:
    """Return the farthest positions that a function takes, and what it returns for this length."""
    for length in LENGTHS:
        try:
            return positions_below(length), call(length)
        except Exception:  # its table ends before
            continue
    raise ValueError("function: expected the same answer to the same call, got an error")


def turn(call: Any, x: Floats, shaped: Any, vectors: Floats, positions: Integers) -> Floats:
    """Return vectors (length, d) as turned in each text and head: (texts, heads, length, d)."""
    axis = 1 if x.ndim > 3 and x.shape[-2] == HEADS else -2  # of the length
    vectors = np.broadcast_to(vectors[:, None] if axis == 1 else vectors, x.shape)
    out = call(vectors.astype(np.float32, order="C"), shaped(positions))
    out = np.moveaxis(out.astype(float), axis, -2)
    return out.reshape(x.shape[0] if x.ndim > 2 else 1, -1, *out.shape[-2:])


def matrices(turned: Any, positions: Integers, head: int = 0) -> Floats:
    """Return what each position does to the unit vectors of a head: (length, d, d)."""
    d = turned.args[1].shape[-1]
    units = (np.broadcast_to(unit, (ROWS, d)) for unit in np.eye(d))
    return np.stack([turned(unit, positions)[0, head] for unit in units], axis=-1)
