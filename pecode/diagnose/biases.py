"""What a bias of the scores is: slopes, buckets, a number for each distance."""

import numpy as np

from pecode.relative import alibi_slopes, relative_positions, t5_buckets

LENGTH = 40


def inputs(_, n_heads):
    """Return how a bias may be called: for slopes, or for a bias of 40 queries and keys."""
    return (n_heads,), (LENGTH,), (n_heads, LENGTH)


def fits(found, *asked):
    """Whether the result is one of slopes (heads,) or of a bias (heads, length, length)."""
    return found.shape[-2:] == (LENGTH, LENGTH) or asked == found.squeeze().shape


def read(report, call, *asked):
    """Say what a bias depends on, and whose slopes it has."""
    slopes = call(*asked).astype(float)
    if slopes.shape[-2:] == (LENGTH, LENGTH):
        bias, n = slopes.reshape(-1, LENGTH, LENGTH), LENGTH
        seen, bias = bias[0] > -1e4, np.where(bias > -1e4, bias, 0)
        report.says(f"a bias for {len(bias)} heads" + ", masked" * (not seen.all()))
        back = bias[:, n - 1, ::-1]  # by the distance, of the last query
        diagonals = [np.diagonal(bias, -k, 1, 2) for k in range(n)]
        if not all(np.ptp(each, axis=1).max() < 1e-5 for each in diagonals):
            return report.wrong("the bias is not a number for each offset")
        steps = np.diff(back, axis=1)
        if np.ptp(steps, axis=1).max() > 1e-5:
            return report.says(_buckets(bias, seen))
        slopes = -steps[:, 0]
        if seen.all() and slopes.any() and np.allclose(bias[:, 0], -back, atol=1e-5):
            report.wrong("keys ahead are preferred: the offset has a sign where a distance belongs")
    if (slopes < 0).all():
        report.wrong("the slopes have the wrong sign: far keys are preferred")
    size, n = np.abs(slopes.squeeze()), slopes.size
    shown = ", ".join(f"{each:.4g}" for each in size[:4]) + ", …" * (n > 4)
    report.says(f"slopes: {shown}", slopes=slopes)
    right, plain = alibi_slopes(n), 2.0 ** (-8 * np.arange(1, n + 1) / n)
    power = f"{n} is no power of two: ALiBi takes the slopes of the power below it, then every"
    known = [
        (size, right, ""),
        (size, plain, f"{power} second one of the next (ml-explore/mlx#343)"),
        (size, plain / plain[0], "the slopes start at 1: heads are counted from 0"),
        (np.sort(size), np.sort(right), "ALiBi's slopes, in another order of the heads"),
        (size / size[0], right / right[0], "ALiBi's slopes, all multiplied by one number"),
    ]
    for found, rule, problem in known:
        if np.allclose(found, rule, rtol=1e-3):
            return report.wrong(problem) if problem else report.says("those of ALiBi")
    return report.says("not ALiBi's")


def _buckets(bias, seen):
    """Say whether a bias is constant on the buckets of T5."""
    offset = relative_positions(len(seen))
    for both in (False, True):
        buckets = t5_buckets(offset, 32, 128, bidirectional=both)
        groups = [bias[:, seen & (buckets == each)] for each in np.unique(buckets[seen])]
        if all(np.ptp(group, axis=1).max() < 1e-5 for group in groups):
            sides = "both sides" if both else "one side"
            return f"constant on T5's 32 buckets up to 128, of {sides}"
    return "a number for each distance: no slopes, and not T5's buckets"
