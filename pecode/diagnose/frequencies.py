"""Which rule makes the frequencies of a rotation: base, width, stretching, or a known mistake."""

import numpy as np

from pecode.precision import bfloat16

# Bases that published models use, the commonest first.
BASES = (10_000.0, 500_000.0, 1e6, 100.0, 1e5, 1e7, 5e6, 2e6, 8e6, 256.0, 150_000.0, 160_000.0)
TOLERANCE = 4e-3  # relative: what float32 leaves of a slow frequency at a few hundred positions
CLEARLY = 3e-4  # two rules that are nearer than this are equally near


def ladder(base, width, n_pairs, step=2.0):
    """Return base^(-step i / width) for pairs 0, 1, and so on."""
    return base ** (-step * np.arange(n_pairs) / width)


def roundings(base, turned, _):
    """Return rows (what is wrong, the frequencies, where it was seen), the right ones first."""
    right = ladder(base, turned, turned // 2)
    return [
        ("", right, ""),
        ("the frequencies are rounded to bfloat16", bfloat16(right), "Modalities/modalities#462"),
        ("the frequencies are rounded to float16", right.astype(np.float16).astype(float), ""),
    ]


def mistakes(base, turned, d_head):
    """Return rows, as `roundings` does, of frequencies that follow another rule."""
    n = turned // 2
    right = ladder(base, turned, n)
    rows = [
        ("the factor 2 is missing from the exponent", ladder(base, turned, n, 1.0),
         "jadore801120/attention-is-all-you-need-pytorch#32"),
        ("the factor 2 stands in the exponent twice", ladder(base, turned, n, 4.0),
         "SamLynnEvans/Transformer#25"),
        ("the ladder ends on 1/base: i/(d/2 - 1) in the exponent",
         ladder(base, max(turned - 2, 1), n), ""),
        ("the frequencies run from slow to fast", right[::-1], ""),
        ("all frequencies are 1: the exponent was computed in integers", np.ones(n),
         "codertimo/BERT-pytorch#18"),
        ("the frequencies count turns and not radians", 2 * np.pi * right, ""),
    ]  # fmt: skip
    if turned < d_head:
        name = f"the exponent has the width of the whole head, {d_head}, not the {turned} that turn"
        rows.append((name, ladder(base, d_head, n), "pie-project/pie#603"))
    return rows


def off(size, rule):
    """Return the largest difference of frequencies from a rule, relative to the rule."""
    return np.max(np.maximum(np.abs(size - rule) - 1e-7, 0) / np.abs(rule), initial=0)


def explain(size, turned, d_head, base=None):
    """Say which rule gives these frequencies: (finding, base, problem and thread, or None).

    size : radians per position, at least 0, one for each pair, shape (turned / 2,).
    """
    falls = len(size) > 3 and 0 < size[1] < size[0]
    implied = [float((size[0] / size[1]) ** (turned / 2))] if falls else []
    for bases in ([base], implied) if base else ([*BASES, *implied],):
        for rules in (roundings, mistakes):
            rows = [(each, *row) for each in bases for row in rules(each, turned, d_head)]
            distances = np.array([max(off(size, row[2]), CLEARLY) for row in rows])
            if len(rows) and distances.min() <= TOLERANCE:
                # a rounded rule only where it is clearly nearer than the exact one
                each, name, _, thread = rows[np.flatnonzero(distances < 3 * distances.min())[0]]
                problem = (f"{name} (base {_plain(each)})", thread) if name else None
                if not name and base and abs(each / base - 1) > TOLERANCE:
                    problem = f"the base is {_plain(each)}, not {_plain(base)}", ""
                return f"frequencies: base {_plain(each)} over {turned} columns", each, problem
        for each in bases:
            if stretched := _stretched(size / ladder(each, turned, len(size))):
                return f"frequencies: base {_plain(each)}; {stretched}", each, None
    shown = ", ".join(f"{each:.4g}" for each in size[:4])
    return f"frequencies: {shown}, … follow no rule that is known here", None, None


def _plain(base):
    return f"{float(f'{base:.4g}'):,.0f}"


def _stretched(share):
    """Say how pairs are slowed against their ladder; "" unless fast ones stay or all share."""
    kept, still, slow = np.abs(share - 1) < TOLERANCE, share < 1e-6, share[-1]
    if kept[0] and still.any() and (kept | still).all():
        return f"the {still.sum()} slowest pairs stand still"
    if share.min() <= 0 or slow > 1 - TOLERANCE:
        return ""
    if np.ptp(share) < TOLERANCE * slow:
        return f"all divided by {1 / slow:.4g} (interpolation)"
    last = np.abs(share / slow - 1) < TOLERANCE
    if kept[0] and last.sum() > 1 and np.all(np.diff(share) < 1e-3):
        return (f"pairs 0 to {kept.sum() - 1} stay, from {last.argmax()} on all are divided by "
                f"{1 / slow:.4g} (as YaRN or Llama 3)")  # fmt: skip
    return ""
