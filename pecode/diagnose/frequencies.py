"""Which rule makes the frequencies of a rotation: base, width, stretching, or a known mistake."""

import numpy as np

from pecode.precision import bfloat16

# Bases that published models use, the commonest first.
BASES = (10_000.0, 500_000.0, 1e6, 100.0, 1e5, 1e7, 5e6, 2e6, 8e6, 256.0, 150_000.0, 160_000.0)
FACTOR_2 = "jadore801120/attention-is-all-you-need-pytorch#32"
INTEGERS = "codertimo/BERT-pytorch#18"
TOLERANCE = 2e-3  # relative: what float32 leaves of a slow frequency at a few hundred positions


def ladder(base, width, n_pairs, step=2.0):
    """Return base^(-step i / width) for pairs 0, 1, and so on."""
    return base ** (-step * np.arange(n_pairs) / width)


def mistakes(base, turned, d_head):
    """Return rows (what is wrong, the frequencies it gives, where it was seen)."""
    n = turned // 2
    right, endpoint = ladder(base, turned, n), ladder(base, max(turned - 2, 1), n)
    whole = f"the exponent has the width of the whole head, {d_head}, not the {turned} that turn"
    return [
        ("the factor 2 is missing from the exponent", ladder(base, turned, n, 1.0), FACTOR_2),
        ("the factor 2 stands in the exponent twice", ladder(base, turned, n, 4.0), FACTOR_2),
        *([(whole, ladder(base, d_head, n), "pie-project/pie#603")] if turned < d_head else []),
        ("the ladder ends on 1/base: i/(d/2 - 1) in the exponent", endpoint, ""),
        ("the frequencies run from slow to fast", right[::-1], ""),
        ("all frequencies are 1: the exponent was computed in integers", np.ones(n), INTEGERS),
        ("the frequencies are rounded to bfloat16", bfloat16(right), "Modalities/modalities#462"),
        ("the frequencies are rounded to float16", right.astype(np.float16).astype(float), ""),
        ("the frequencies count turns and not radians", 2 * np.pi * right, ""),
    ]


def near(omega, rule, tolerance=TOLERANCE):
    """Whether frequencies follow a rule, up to rounding."""
    return bool(np.all(np.abs(omega - rule) <= tolerance * np.abs(rule) + 1e-7))


def explain(size, turned, d_head, base=None):
    """Say which rule gives these frequencies: (finding, base, problem and thread, or None).

    size : radians per position, at least 0, one for each pair, shape (turned / 2,).
    """
    expected = BASES if base is None else (base,)
    for each in expected:
        right = ladder(each, turned, len(size))
        if near(size, right):
            off, coarse = (np.abs(size / rule - 1).max() for rule in (right, bfloat16(right)))
            if off > 3e-4 and coarse < off / 3:
                return _wrong(each, "the frequencies are rounded to bfloat16",
                              "Modalities/modalities#462")  # fmt: skip
            return f"frequencies: base {each:,.0f} over {turned} columns", each, None
    ratio = _ratio(size)
    implied = ratio ** (-turned / 2) if ratio else None
    if base is None and ratio and ratio < 0.999 and abs(size[0] - 1) < TOLERANCE:
        return f"frequencies: base {implied:,.4g} over {turned} columns", implied, None
    for each in expected:
        for name, rule, thread in mistakes(each, turned, d_head):
            if near(size, rule, 2 * TOLERANCE):
                return _wrong(each, name, thread)
    fast = (size[1] / size[0]) ** (-turned / 2) if len(size) > 3 and 0 < size[1] < size[0] else 0
    for each in expected if base else (*BASES, fast):
        if each and (found := _stretched(size / ladder(each, turned, len(size)))):
            return f"frequencies: base {each:,.0f}; {found}", each, None
    if ratio:
        found = f"frequencies: base {implied:,.4g} over {turned} columns, {size[0]:.4g} the fastest"
        problem = (f"the base is {implied:,.4g}, not {base:,.0f}", "") if base else None
        return found, implied, problem
    shown = ", ".join(f"{each:.4g}" for each in size[:4])
    return f"frequencies: {shown}, … follow no rule that is known here", None, None


def _wrong(base, name, thread):
    return "", base, (f"{name} (base {base:,.0f})", thread)


def _ratio(size):
    """Return the ratio of each frequency to the one before, if there is one; else None."""
    if len(size) < 3 or size.min() <= 0:
        return None
    ratios = size[1:] / size[:-1]
    return float(np.exp(np.log(ratios).mean())) if np.ptp(ratios) < 2e-3 * ratios.mean() else None


def _stretched(share):
    """Say how pairs are slowed against their ladder; "" unless fast ones stay or all share."""
    kept, slow = np.abs(share - 1) < 2 * TOLERANCE, share[-1]
    still = share < 1e-6
    if kept[0] and still.any() and (kept | still).all():
        return f"the {still.sum()} slowest pairs stand still"
    if share.min() <= 0 or slow > 1 - TOLERANCE:
        return ""
    if np.ptp(share) < 2 * TOLERANCE * slow:
        return f"all divided by {1 / slow:.4g} (interpolation)"
    last = np.abs(share / slow - 1) < 2 * TOLERANCE
    if kept[0] and last.sum() > 1 and np.all(np.diff(share) < 1e-3):
        return (f"pairs 0 to {kept.sum() - 1} stay, from {last.argmax()} on all are divided by "
                f"{1 / slow:.4g} (as YaRN or Llama 3)")  # fmt: skip
    return ""
