"""What a bias of the scores is: slopes, buckets, a number for each distance, on both sides."""

import numpy as np

from pecheck.identity.known import float16, match_slopes
from pecode import _check
from pecode.precision import bfloat16
from pecode.relative import alibi_slopes, relative_positions, t5_buckets

LENGTHS = 160, 40  # beyond the last border of T5's buckets, and for tables that end before
SAME = 1e-5  # numbers that differ by less are one
DISTANCES = (
    128,
    256,
    64,
    96,
    100,
    192,
    200,
    384,
    400,
    512,
    1024,
)  # up to which T5's buckets may reach


def fits(out, *asked):
    """Whether an output is one of slopes, one row a head, or a square of queries and keys."""
    shape, length = out.squeeze().shape, asked[-1]
    if len(asked) == 1 and len(shape) == 1 and 1 < shape[0] < length and length not in LENGTHS:
        return match_slopes(np.abs(out.squeeze()), 4e-3) is not None  # of fewer heads
    return asked == shape or (length in LENGTHS and out.shape[-2:] == (length, length))


def read(report, call, *asked):
    """Say what a bias depends on, and whose slopes it has."""
    slopes, length = call(*asked).astype(float).squeeze(), asked[-1]
    if slopes.ndim == 1 and len(slopes) != asked[0]:
        report.wrong("other heads", len(slopes), asked[0], len(slopes))
    if slopes.ndim == 2 and slopes.shape[0] != length:  # one row a head, for all queries
        slopes = np.repeat(slopes[:, None], length, axis=1)
    if slopes.ndim > 1:
        slopes = _read_square(report, slopes.reshape(-1, length, length))
        if slopes is None:
            return
    if (slopes < 0).all() and not report.problems:
        report.wrong("sign")
    shown = ", ".join(f"{each:.4g}" for each in np.abs(slopes[:4])) + ", …" * (len(slopes) > 4)
    report.says("slopes", len(slopes), shown, slopes=slopes)
    _name_slopes(report, np.abs(slopes))


def _name_slopes(report, slopes):
    right, names = alibi_slopes(len(slopes)), {"float16": float16, "bfloat16": bfloat16}
    if np.abs(slopes / right - 1).max() > 1e-6:
        names = [name for name, of in names.items() if np.abs(slopes / of(right) - 1).max() < 1e-6]
        if names:
            report.wrong("rounded slopes", " or ".join(names))
    known = match_slopes(slopes, 4e-3) if len(slopes) > 1 else None
    if known and known[0]:
        report.wrong(known[0])
    report.says("known slopes" if known and not known[0] else "other slopes", known=known)


def _read_square(report, bias):
    """Read a bias (heads, queries, keys); return the slopes, or None where it has none."""
    length, order = bias.shape[-1], np.arange(bias.shape[-1])
    own = np.diagonal(bias, 0, 1, 2)[..., None]  # softmax is blind to a number for all keys
    seen, alike = bias[0] > -1e4, np.where(bias > -1e4, bias, bias[:, -1:])
    of_keys = np.ptp(alike, axis=1).max() < SAME  # BLOOM's and MPT's: behind a causal mask
    bias = np.where(bias > -1e4, bias - own, 0)
    report.says("bias", len(bias), ", masked" * (not seen.all()))
    offsets = order - order[:, None]
    back, ahead = bias[:, -1, ::-1], bias[:, 0]  # by the distance: of the last query, of the first
    expected = np.where(offsets > 0, ahead[:, np.abs(offsets)], back[:, np.abs(offsets)])
    wrong = seen & (np.abs(bias - expected).max(axis=0) > SAME)
    if wrong.any():
        alone = np.ptp(np.diff(bias[:, 1:-1], axis=2)[:, :, 0], axis=1).max() < SAME
        _say_where(report, bias, seen, offsets, wrong, alone)
        return None
    steps = np.diff(back, axis=1)
    if of_keys and (steps > SAME).all():
        report.wrong("row 0")
    elif np.ptp(steps[:, 1:], axis=1).max() < SAME and np.abs(steps[:, 0]).max() < SAME < np.abs(
        steps[:, 1:]
    ).max():  # fmt: skip
        report.wrong("shift")
        return None
    if not of_keys:
        _say_ahead(report, ahead, back, seen[0])
    if np.ptp(steps, axis=1).max() < SAME:
        return -steps[:, 0]
    _say_buckets(report, steps)
    return None


def _say_where(report, bias, seen, offsets, wrong, alone):
    """Say where a bias is not a number for each offset: in one query, behind, or ahead."""
    for query in (len(seen) - 1, 0):  # perhaps all others agree
        rest = np.delete(np.arange(len(seen)), query)
        square = bias[:, rest][:, :, rest]
        if all(
            np.ptp(np.diagonal(square, k, 1, 2), axis=1).max() < SAME
            for k in range(1 - len(rest), len(rest))
            if seen[rest][:, rest].diagonal(k).all()
        ):
            report.wrong("one row", query)
            return
    sides = [name for name, side in (("behind the query", offsets < 0), ("ahead of it", offsets > 0))
             if (wrong & side).any()]  # fmt: skip
    report.wrong("no offset", " and ".join(sides))


def _say_ahead(report, ahead, back, seen):
    """Say what keys ahead of the query have, by their distance."""
    if not seen[1:].any():
        return
    if np.allclose(ahead, back, atol=SAME):
        words = "as those behind it"
    elif np.abs(ahead).max() < SAME:
        words = "all as the query itself"
    elif np.allclose(ahead, -back, atol=SAME) and (np.diff(ahead) > 0).all():
        report.wrong("ahead preferred")
        return
    elif np.allclose(ahead[:, 2:], back[:, :1:-1], atol=SAME):
        report.wrong("wrapped")
        return
    else:
        words = ", ".join(f"{each:.4g}" for each in ahead[0, 1:5]) + ", … in the first head"
    report.says("ahead", words)


def _say_buckets(report, steps):
    """Say at which distances the number changes, and whether those are T5's."""
    borders = np.flatnonzero(np.abs(steps).max(axis=0) > SAME) + 1
    if len(borders) == steps.shape[1]:
        report.says("distances")
        return
    distances = -np.arange(steps.shape[1] + 1)
    for both, sides in ((False, "one side"), (True, "both sides")):
        for farthest in DISTANCES:
            right = np.diff(t5_buckets(distances, 32, farthest, bidirectional=both))
            right = np.flatnonzero(right) + 1
            if np.array_equal(borders, right):
                report.says("known buckets", 32, farthest, sides, known=farthest)
                return
    near = int((borders == np.arange(1, len(borders) + 1)).sum())  # distances of their own
    if near in (8, 16):  # T5's, of both sides and of one
        right = np.diff(t5_buckets(distances, 32, bidirectional=near == 8))
        report.wrong("buckets", min({*borders} ^ {*(np.flatnonzero(right) + 1)}))
    report.says("other buckets", ", ".join(map(str, borders[:12])) + ", …" * (len(borders) > 12))


def read_others(report, call, heads, *length):
    """Ask for other numbers of heads, which a function may refuse."""
    for n in heads:
        try:
            size = len(call(n, *length).squeeze())
            _check.require(size == n, "the result", f"{n} heads", size)
            read(report, call, n, *length)
        except Exception as error:  # whatever the function of somebody else raises
            report.says("not read", n, f"{type(error).__name__}: {error}"[:80])
