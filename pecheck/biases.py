"""What a bias of the scores is: slopes, buckets, a number for each distance."""

import numpy as np

from pecheck.identity.known import match_slopes
from pecheck.identity.naming import SUMMARIES
from pecode import _check
from pecode.relative import relative_positions, t5_buckets

LENGTH = 40


def read(report, call, *asked):
    """Say what a bias depends on, and whose slopes it has."""
    slopes = call(*asked).astype(float).squeeze()
    if slopes.ndim == 2 and len(slopes) != LENGTH:  # one row a head, for all queries
        slopes = np.repeat(slopes[:, None], LENGTH, axis=1)
    if slopes.shape[-2:] == (LENGTH, LENGTH):
        bias = slopes.reshape(-1, LENGTH, LENGTH)
        of_keys = np.ptp(bias, axis=1).max() < 1e-5  # BLOOM's and MPT's: behind a causal mask
        own = np.diagonal(bias, 0, 1, 2)[..., None]  # softmax is blind to a number for all keys
        seen, bias = bias[0] > -1e4, np.where(bias > -1e4, bias - own, 0)
        report.says(f"a bias for {len(bias)} heads" + ", masked" * (not seen.all()))
        if not all(np.ptp(np.diagonal(bias, -k, 1, 2), axis=1).max() < 1e-5 for k in range(LENGTH)):
            return report.wrong("the bias is not a number for each offset")
        back = bias[:, -1, ::-1]  # by the distance, of the last query
        steps = np.diff(back, axis=1)
        if np.ptp(steps, axis=1).max() > 1e-5:
            return report.says(_buckets(bias, seen))
        slopes = -steps[:, 0]
        if seen.all() and not of_keys and np.allclose(bias[:, 0], -back, atol=1e-5):
            report.wrong("keys ahead are preferred: the offset has a sign where a distance belongs")
    if (slopes < 0).all():
        report.wrong("the slopes have the wrong sign: far keys are preferred")
    shown = ", ".join(f"{each:.4g}" for each in np.abs(slopes[:4])) + ", …" * (len(slopes) > 4)
    report.says(f"slopes for {len(slopes)} heads: {shown}", slopes=slopes)
    bug = (match_slopes(np.abs(slopes), 1e-3) or ["not ALiBi's"])[0] or "those of ALiBi"
    return report.wrong(SUMMARIES[bug]) if bug in SUMMARIES else report.says(bug)


def read_others(report, call, heads, *length):
    """Ask for other numbers of heads, which a function may refuse."""
    for n in heads:
        try:
            found = len(call(n, *length).squeeze())
            _check.require(found == n, "the result", f"{n} heads", found)
            read(report, call, n, *length)
        except Exception as error:  # whatever the function of somebody else raises
            report.says(f"not read for {n} heads: {type(error).__name__}: {error}"[:80])


def _buckets(bias, seen):
    """Say whether a bias is constant on the buckets of T5."""
    for both, sides in ((False, "one side"), (True, "both sides")):
        buckets = t5_buckets(relative_positions(LENGTH), 32, 128, bidirectional=both)
        groups = [bias[:, seen & (buckets == each)] for each in np.unique(buckets[seen])]
        if all(np.ptp(group, axis=1).max() < 1e-5 for group in groups):
            return f"constant on T5's 32 buckets up to 128, of {sides}"
    return "a number for each distance: no slopes, and not T5's buckets"
