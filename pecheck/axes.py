"""A rotation by several coordinates: which of them turns which pairs."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from pecheck import rotations
from pecheck.calls import LENGTHS, ROWS, matrices, positions_below, turn
from pecheck.identity.known import measured_frequencies, name_frequencies
from pecode._types import Floats


def coordinates(*shape: int) -> Iterator[Any]:
    """Yield positions of two and three coordinates, last and first, for tokens of a shape."""
    for count in (2, 3):
        yield np.zeros((*shape, count), int)
        yield np.zeros((count, *shape), int)


def turn_scores(scores: Any, queries: Floats, keys: Floats, near: Any) -> bool:
    """Whether scores take positions of several coordinates, and depend on them."""
    for positions in coordinates(len(near)):
        first = positions.shape[-1] == len(near)
        moved = positions + (near if first else near[:, None])
        try:
            if not np.allclose(scores(positions, queries, keys), scores(moved, queries, keys)):
                return True
        except Exception:  # another number of coordinates
            continue
    return False


def read(report: Any, call: Callable[..., Any], x: Floats, at: Any) -> None:
    """Say which coordinate turns which pairs, and how fast."""
    report.form, first = "rotation", at.shape[-1] == ROWS
    count = at.shape[0 if first else -1]

    def shaped(axis, positions):
        out = np.zeros_like(at)
        out[(axis,) if first else (..., axis)] = positions
        return out

    p = positions_below(min(LENGTHS))
    M = [matrices(partial(turn, call, x, partial(shaped, axis)), p)
         for axis in range(count)]  # fmt: skip
    pairs = rotations.read_pairs(report, np.concatenate(M))
    if pairs is None or not pairs[-1]:
        return
    a, _, columns, angles, _ = pairs
    angles = angles.reshape(count, len(p), len(a))
    angles = np.angle(np.exp(1j * (angles - angles[:, :1])))
    moved = np.abs(angles).max(axis=1) > 0  # (axes, pairs)
    owners = moved.argmax(axis=0)
    size = np.zeros(len(a))
    for axis in range(count):
        omega = measured_frequencies(angles[axis], p)
        left = rotations.residual(angles[axis], p, omega).max(axis=1)
        if left.max() > rotations.ROUNDED:
            row = int((left > rotations.ROUNDED).argmax())
            report.wrong("unclear", row, p[row], "")
            return
        size[owners == axis] = omega[owners == axis]
    counts = ", ".join(str((owners == axis).sum()) for axis in range(count))
    if (moved.sum(axis=0) > 1).any():
        words = "some pairs are turned by several of them"
    elif np.count_nonzero(np.diff(owners)) < count:
        words = f"sections of {counts} pairs"
    else:
        words = f"pairs in turn, {counts} for each: {', '.join(map(str, owners[:8]))}, …"
    report.says("axes", count, "first" if first else "last", words, axes=owners.tolist())
    if (size < 0).all():
        report.wrong("backward")
    base = report.expected["base"] or report.expected["config base"]
    if name_frequencies(np.abs(size), len(columns), base).base:
        rotations.say_frequencies(report, np.abs(size), len(columns), 1e-7)
    else:
        for axis in np.unique(owners):
            mine = np.abs(size[owners == axis])
            rotations.say_frequencies(report, mine, 2 * len(mine), 1e-7, f" of coordinate {axis}")
