"""Numbers that are known by themselves: frequencies of published models, slopes of ALiBi."""

import numpy as np

from pecode.precision import bfloat16
from pecode.relative import alibi_slopes

# Bases that published models use, the commonest first.
BASES = (10_000.0, 500_000.0, 1e6, 100.0, 1e5, 1e7, 5e6, 2e6, 8e6, 256.0, 150_000.0, 160_000.0)
TOLERANCE = 4e-3  # relative: what float32 leaves of a slow frequency at a few hundred positions


def float16(values):
    """Round to half precision."""
    return values.astype(np.float16).astype(float)


def find_base(size, bases, width=None):
    """Return (base, what was rounded or None, stretchings, error) of frequencies, or None.

    size : radians per position, one for each pair; width : the number of columns that they are for.
    """
    exact = {each: by_formula(each, width or 2 * len(size), len(size)) for each in bases}
    rows = [(each, None, max_error(size, right)) for each, right in exact.items()]
    rows += [(each, "frequencies in bfloat16", max_error(size, bfloat16(right)))
             for each, right in exact.items()]  # fmt: skip
    near = max(3e-4, min(row[2] for row in rows))  # rules that are nearer are equally near
    if near <= TOLERANCE:  # a rounded rule only where it is clearly nearer than the exact one
        return next((*names, (), error) for *names, error in rows if error < 3 * near)
    stretched = ((each, None, _scaling_rule(size / exact[each]), TOLERANCE) for each in bases)
    return next((each for each in stretched if each[2]), None)


def by_formula(base, width, n):
    """Return base^(-2i / width) for n pairs."""
    return base ** (-2 * np.arange(n) / width)


def max_error(size, rule):
    """Return the largest difference of frequencies from a rule, relative to the rule."""
    return np.max(np.maximum(np.abs(size - rule) - 1e-7, 0) / np.abs(rule), initial=0)


def _scaling_rule(share):
    """Say how pairs are slowed against the formula, or () where that is no known rule."""
    slow = share[-1]
    if share.min() <= 0 or slow > 2 / 3:  # a neighboring base looks like less
        return ()
    if np.ptp(share) < TOLERANCE * slow:
        return (f"all divided by {1 / slow:.4g} (interpolation)",)
    last = np.abs(share / slow - 1) < TOLERANCE
    if abs(share[0] - 1) < TOLERANCE and last.sum() > 1 and np.all(np.diff(share) < 1e-3):
        return (f"from pair {last.argmax()} on divided by {1 / slow:.4g} (as YaRN or Llama 3)",)
    return ()


def match_slopes(size, tolerance):
    """Return (what is wrong or None, conventions, error) of slopes for heads, or None."""
    n = len(size)
    plain = 2.0 ** (-8 * np.arange(1, n + 1) / n)
    rules = {None: alibi_slopes(n), "slopes of one power": plain, "slopes from 1": plain / plain[0]}
    errors = {bug: float(np.max(np.abs(size / rule - 1))) for bug, rule in rules.items()}
    known = ((bug, () if bug else ("slopes of ALiBi",), error) for bug, error in errors.items())
    return next((each for each in known if each[2] <= tolerance), None)
