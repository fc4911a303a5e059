"""What a bias of the scores is: slopes, buckets, a number for each distance, on both sides."""

from collections.abc import Callable
from typing import Any

import numpy as np

from pecheck.identity.known import float16, match_slopes
from pecheck.sentences import counted
from pecode._types import Floats
from pecode.precision import bfloat16
from pecode.relative import alibi_slopes, t5_buckets

# Lengths that are asked for: beyond the last border of T5's buckets, and for tables that end before
# it. No model has so many heads: by the number `fits` knows which of the two was asked for.
LENGTHS = 161, 41
OTHERS = "not ALiBi's"  # slopes
SAME = 1e-5  # numbers that differ by less are one, beside what their type rounds
DISTANCES = 128, 256, 64, 96, 100, 192, 200, 384, 400, 512, 1024  # of T5's farthest bucket


def fits(out: Floats, *asked: int) -> bool:
    """Whether an output is one of slopes, one row a head, or a square of queries and keys."""
    n, length = asked[0], asked[-1]
    if length in LENGTHS:
        return out.shape[-2:] == (length, length) or (len(asked) == 2 and out.size == n * length)
    some = out.squeeze()
    few = some.ndim == 1 and 1 < out.size < n and _whose(np.abs(some)) != OTHERS
    return few or (out.shape == (n,) and not np.iscomplexobj(out))  # such are angles of n pairs


def read(report: Any, call: Callable[..., Any], *asked: int) -> None:
    """Say what a bias depends on, and whose slopes it has."""
    out, n, length = call(*asked), asked[0], asked[-1]
    heads = slopes = out.astype(float).reshape(-1)
    if np.isnan(slopes).any() or not slopes.any() or slopes.max() < -1e4:
        return report.wrong("not finite")
    if length in LENGTHS:
        square = out.shape[-2:] == (length, length)  # else one row a head, for all queries
        bias = slopes.reshape(-1, length if square else 1, length)
        bias = np.broadcast_to(bias, (len(bias), length, length))
        shown = np.abs(bias[bias > -1e4]).max(initial=0)
        same = SAME + 4 * shown * np.finfo(np.result_type(out, np.float16)).eps
        heads, slopes = bias, _read_square(report, bias, same)
    whose = "no slopes" if slopes is None else _whose(np.abs(slopes))
    if n not in LENGTHS and len(heads) not in (1, n):
        report.wrong("other heads", len(heads), n, whose)
    if slopes is None:
        return None
    if length in LENGTHS and (slopes < 0).all() and not report.problems:
        report.wrong("sign")
    shown = ", ".join(f"{each:.4g}" for each in np.abs(slopes[:4])) + ", …" * (len(slopes) > 4)
    report.says("slopes", counted(len(slopes), "head"), shown, slopes=slopes)
    slopes = np.abs(slopes)
    right, types = alibi_slopes(len(slopes)), {"float16": float16, "bfloat16": bfloat16}
    names = [name for name, of in types.items() if np.abs(slopes / of(right) - 1).max() < 1e-6]
    if names and np.abs(slopes / right - 1).max() > 1e-6:
        report.wrong("rounded slopes", " or ".join(names))
    known = match_slopes(slopes, 4e-3) if len(slopes) > 1 or whose != OTHERS else None
    if known and known[0]:
        report.wrong(known[0])
    return report.says("known slopes", whose, known=known)


def _whose(slopes):
    """Whose slopes these are: ALiBi's, those of some heads of a larger model, or of none."""
    n = len(slopes)
    for all_heads in (n, 2 * n, 4 * n, 8 * n):
        for first in range(0, all_heads, n):
            right = alibi_slopes(all_heads)[first : first + n]
            if (n > 1 or all_heads == 1) and np.abs(slopes / right - 1).max() < 4e-3:
                of_some = f" for heads {first} to {first + n - 1} of {all_heads}"
                return "those of ALiBi" + of_some * (all_heads > n)
    return OTHERS


def _read_square(report, bias, same):
    """Read a bias (heads, queries, keys); return the slopes, or None where it has none."""
    order = np.arange(bias.shape[-1])
    own = np.diagonal(bias, 0, 1, 2)[..., None]  # softmax is blind to a number for all keys
    seen, alike = bias[0] > -1e4, np.where(bias > -1e4, bias, bias[:, -1:])
    of_keys = np.ptp(alike, axis=1).max() < same  # BLOOM's and MPT's: behind a causal mask
    bias = np.where(bias > -1e4, bias - own, 0)
    report.says("bias", counted(len(bias), "head"), ", masked" * (not seen.all()))
    offsets = order - order[:, None]
    back, ahead = bias[:, -1, ::-1], bias[:, 0]  # by the distance: of the last query, of the first
    expected = np.where(offsets > 0, ahead[:, np.abs(offsets)], back[:, np.abs(offsets)])
    wrong = seen & (np.abs(bias - expected).max(axis=0) > same)
    if wrong.any():
        return _say_where(report, bias, seen, offsets, wrong, same)
    behind, before = (len(each) if each.all() else each.argmin()
                      for each in (seen[-1, ::-1], seen[0]))  # fmt: skip
    back, ahead = back[:, :behind], ahead[:, :before]  # as far as a window reaches
    steps = np.diff(back, axis=1)
    if not steps.size:
        return report.says("one number")
    if of_keys and (steps > same).all():
        report.wrong("row 0")
    rest = steps[:, 1:] if steps.shape[1] > 1 else steps
    if np.abs(steps[:, 0]).max() < same < np.abs(rest).max() and np.ptp(rest, axis=1).max() < same:
        return report.wrong("shift")
    if not of_keys and before > 1:
        _say_ahead(report, ahead, back, same)
    shares = back[:, 1:] / np.arange(1, back.shape[1])  # of slopes, rounded to 16 bits perhaps
    if (np.ptp(shares, axis=1) < 2**-7 * np.abs(shares).max(axis=1)).all():
        return -np.median(shares, axis=1)
    return _say_buckets(report, steps, same)


def _say_where(report, bias, seen, offsets, wrong, same):
    """Say where a bias is not a number for each offset: in one query, behind, or ahead."""
    length = len(seen)
    for query, rest in ((length - 1, slice(0, -1)), (0, slice(1, None))):  # all others may agree
        square = bias[:, rest, rest]
        steps = np.abs(square[:, 1:, 1:] - square[:, :-1, :-1]).max(axis=0)
        if steps[seen[rest, rest][1:, 1:]].max(initial=0) < same:
            return report.wrong("one row", query)
    sides = {"behind the query": offsets < 0, "ahead of it": offsets > 0}
    sides = [name for name, side in sides.items() if (wrong & side).any()]
    return report.wrong("no offset", " and ".join(sides))


def _say_ahead(report, ahead, back, same):
    """Say what keys ahead of the query have, by their distance."""
    n = min(ahead.shape[1], back.shape[1])
    ring = (1, 2) if ahead.shape == back.shape else ()  # with a column of zeros, or without
    if np.allclose(ahead[:, :n], back[:, :n], atol=same):
        words = "as those behind it"
    elif np.abs(ahead).max() < same:
        words = "all as the query itself"
    elif np.allclose(ahead[:, :n], -back[:, :n], atol=same) and (np.diff(ahead) > 0).all():
        return report.wrong("ahead preferred")
    elif any(np.allclose(ahead[:, k:], back[:, : k - 1 : -1], atol=same) for k in ring):
        return report.wrong("wrapped")
    else:
        words = ", ".join(f"{each:.4g}" for each in ahead[0, 1:5]) + ", … in the first head"
    return report.says("ahead", words)


def _say_buckets(report, steps, same):
    """Say at which distances the number changes, and whether those are T5's."""
    changes = np.abs(steps).max(axis=0) > same
    borders = np.flatnonzero(changes) + 1
    if len(borders) in (0, len(changes)):
        return report.says("distances" if len(borders) else "one number")
    distances = -np.arange(steps.shape[1] + 1)
    for both, sides in ((False, "one side"), (True, "both sides")):
        for farthest in DISTANCES:
            right = np.diff(t5_buckets(distances, 32, farthest, bidirectional=both)) != 0
            if np.array_equal(changes, right):
                return report.says("known buckets", 32, farthest, sides, known=farthest)
    near = int((borders == np.arange(1, len(borders) + 1)).sum())  # distances of their own
    if near in (8, 16) and len(borders) > near:  # T5's, of both sides and of one
        right = np.diff(t5_buckets(distances, 32, bidirectional=near == 8)) != 0
        report.wrong("buckets", (changes != right).argmax() + 1)
    shown = ", ".join(map(str, borders[:12])) + ", …" * (len(borders) > 12)
    return report.says("other buckets", shown)
