"""What a bias of the scores is: slopes, buckets, a number for each distance."""

import numpy as np

from pecode.diagnose.calls import attempt
from pecode.relative import alibi_slopes, relative_positions, t5_buckets


def take_bias(call, _, n_heads):
    """Return slopes (heads,), or a bias (heads, 40, 40); or a text that says why not."""
    slopes = attempt(call, n_heads) if call.takes(1) else ""
    if isinstance(slopes, np.ndarray) and slopes.squeeze().shape == (n_heads,):
        return (slopes.squeeze().astype(float),)
    for arguments in [(40,)] * call.takes(1) + [(n_heads, 40)] * call.takes(2):
        found = attempt(call, *arguments)
        if isinstance(found, np.ndarray) and found.shape[-2:] == (40, 40):
            return (found.reshape(-1, 40, 40).astype(float),)
    return "it returns no bias (heads, length, length) and no slopes (n_heads,)"


def read_bias(report, slopes):
    """Say what a bias depends on, and whose slopes it has."""
    if slopes.ndim == 3:
        seen, bias, n = slopes[0] > -1e4, np.where(slopes > -1e4, slopes, 0), slopes.shape[1]
        report.says(f"a bias for {len(bias)} heads" + ", masked" * (not seen.all()))
        back = bias[:, n - 1, ::-1]  # by the distance, of the last query
        diagonals = [np.diagonal(bias, -k, 1, 2) for k in range(n)]
        if not all(np.ptp(each, axis=1).max() < 1e-5 for each in diagonals):
            report.wrong("the bias is not a number for each offset")
            return None
        steps = np.diff(back, axis=1)
        if np.ptp(steps, axis=1).max() > 1e-5:
            report.says(_buckets(bias, seen))
            return None
        slopes = -steps[:, 0]
        if seen.all() and slopes.any() and np.allclose(bias[:, 0], -back, atol=1e-5):
            report.wrong("keys ahead are preferred: the offset has a sign where a distance belongs")
    if (slopes < 0).all():
        report.wrong("the slopes have the wrong sign: far keys are preferred")
    size, n = np.abs(slopes), len(slopes)
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
    for options in ((32, 128, False), (32, 128, True), (16, 64, False), (16, 64, True)):
        buckets = t5_buckets(offset, options[0], options[1], bidirectional=options[2])
        groups = [bias[:, seen & (buckets == each)] for each in np.unique(buckets[seen])]
        if all(np.ptp(group, axis=1).max() < 1e-5 for group in groups):
            sides = "both sides" if options[2] else "one side"
            return f"constant on T5's {options[0]} buckets up to {options[1]}, of {sides}"
    return "a number for each distance: no slopes, and not T5's buckets"
