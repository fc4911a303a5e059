"""`make vectors`: write publishing/vectors.json, what engines in other languages are compared with.

Rotations of every rule, rotations by several coordinates, and biases for distances.

Every number is computed with 50 digits and rounded once, to float64. The rules are written out
here again, and the tests compare them with `pecode`. `appendices/frameworks.md` has the fields.
"""

import json
from pathlib import Path

import mpmath
import numpy as np
from mpmath import mpf

TARGET = Path(__file__).with_name("vectors.json")
FAR, NEAR = [0, 1, 2, 10, 100, 1000, 4095, 8191, 131071], [0, 1, 2, 10, 100, 1000, 4095]
ORIGINAL = {"original_max_position_embeddings": 4096}
YARN = {"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, **ORIGINAL}
LLAMA = {"low_freq_factor": 1.0, "high_freq_factor": 4.0, **ORIGINAL}
LONG = {"short_factor": [1.0, 1.0, 1.125, 1.25], "long_factor": [1.0, 2.5, 16.0, 48.0], **ORIGINAL}
SHORT = {"length": 4096, "positions": NEAR}
CASES = {  # name: keys of the rule, and what differs from the usual settings
    "default": ({}, {}),
    "default, 64 columns": ({"rope_theta": 1e6}, {"head": 64, "positions": [1, 1000, 131071]}),
    "linear": ({"rope_type": "linear", "factor": 4.0}, {"head": 12}),
    "ntk": ({"rope_type": "ntk", "factor": 4.0}, {}),
    "dynamic, a short text": ({"rope_type": "dynamic", "factor": 2.0}, {"promised": 4096, **SHORT}),
    "dynamic, a long text": ({"rope_type": "dynamic", "factor": 2.0}, {"promised": 4096}),
    "yarn": (YARN, {}),
    "yarn, ends not rounded": (YARN | {"rope_theta": 150000.0, "truncate": False}, {}),
    "yarn, both mscales equal": (YARN | {"mscale": 1.0, "mscale_all_dim": 1.0}, {}),
    "yarn, two mscales": (YARN | {"mscale": 1.0, "mscale_all_dim": 0.707}, {}),
    "yarn, attention_factor": (YARN | {"attention_factor": 1.25}, {}),
    "llama3": ({"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, **LLAMA}, {}),
    "longrope, a short text": ({"rope_type": "longrope", **LONG}, {"head": 8, **SHORT}),
    "longrope, a long text": ({"rope_type": "longrope", **LONG}, {"head": 8}),
    "proportional": ({"rope_type": "proportional", "partial_rotary_factor": 0.25}, {}),
    "partial": ({"partial_rotary_factor": 0.25}, {}),
    "partial, yarn": (YARN | {"partial_rotary_factor": 0.5}, {}),
}

# Tokens of text stand at (t, t, t), the patches of a picture at (time, row, column).
POINTS = [[0, 0, 0], [3, 3, 3], [4, 4, 4], [4, 4, 9], [4, 7, 4], [10, 10, 10], [5000, 5000, 5000]]
SECTIONS = {  # name: pairs for each axis, whether the axes take turns
    "mrope, one axis after the other": ([2, 3, 3], False),
    "mrope, axes in turns": ([4, 2, 2], True),
}
HEADS, DISTANCES = (8, 12), [0, 1, 2, 10, 100, 1000, 131071]


def ladder(n, base):
    """Frequencies of n columns, fastest first, in radians per position."""
    return [mpf(base) ** (-mpf(2 * i) / n) for i in range(n // 2)]


def rule(n, rope, promised, length):
    """Frequencies of n columns under a rule, and what multiplies their cosines and sines."""
    kind, base, factor = rope["rope_type"], rope["rope_theta"], mpf(rope.get("factor", 1))
    original = mpf(rope.get("original_max_position_embeddings", promised))
    omega, scale = ladder(n, base), mpf(1)
    if kind == "dynamic":
        factor = 1 + factor * max(length / original - 1, 0)
    if kind == "linear":
        omega = [w / factor for w in omega]
    elif kind in ("ntk", "dynamic"):
        omega = ladder(n, base * factor ** (mpf(n) / (n - 2)))
    elif kind == "yarn":
        waves = [original / (2 * mpmath.pi * rope[key]) for key in ("beta_fast", "beta_slow")]
        low, high = (n * mpmath.log(wave, base) / 2 for wave in waves)
        if rope.get("truncate", True):
            low, high = mpmath.floor(low), mpmath.ceil(high)
        low, high = max(low, 0), min(high, n - 1)
        shares = [min(max((i - low) / (high - low), 0), 1) for i in range(n // 2)]
        omega = [w / factor * s + w * (1 - s) for w, s in zip(omega, shares, strict=True)]
        weights = rope.get("mscale", 1), rope.get("mscale_all_dim", 0)
        of_columns, of_all = (weight * mpmath.log(factor) / 10 + 1 for weight in weights)
        scale = mpf(rope.get("attention_factor", of_columns / of_all))
    elif kind == "llama3":
        low, high = mpf(rope["low_freq_factor"]), mpf(rope["high_freq_factor"])
        kept = [min(max((original * w / 2 / mpmath.pi - low) / (high - low), 0), 1) for w in omega]
        omega = [w * k + w / factor * (1 - k) for w, k in zip(omega, kept, strict=True)]
    elif kind == "longrope":
        factors = rope["long_factor" if length > original else "short_factor"]
        omega = [w / mpf(f) for w, f in zip(omega, factors, strict=True)]
        scale = mpmath.sqrt(1 + mpmath.log(promised / original) / mpmath.log(original))
    elif kind == "proportional":
        omega = [w * (i < int(rope["partial_rotary_factor"] * n // 2)) for i, w in enumerate(omega)]
    return omega, scale


def case(name, rope, head=16, promised=131072, length=131072, positions=FAR):
    """One record of the file; the positions lie within the length of the text."""
    rope = {"rope_type": "default", "rope_theta": 10000.0} | rope
    # A proportional share counts pairs of the whole head; any other says how many columns turn.
    share = 1 if rope["rope_type"] == "proportional" else rope.get("partial_rotary_factor", 1)
    n = int(head * share)
    omega, scale = rule(n, rope, promised, length)
    angles = [[t * w for w in omega] for t in positions]
    record = {"name": name, "head_dim": head, "max_position_embeddings": promised}
    record |= {"rope_parameters": rope, "length": length, "positions": positions}
    record |= {"frequencies": rounded(omega), "attention_scaling": float(scale)}
    return record | turned(angles, scale, head)


def turned(angles, scale, head):
    """What every record has of its angles: cosines, sines, and a vector turned in both layouts."""
    n = 2 * len(angles[0])
    cos = [[scale * mpmath.cos(angle) for angle in row] for row in angles]
    sin = [[scale * mpmath.sin(angle) for angle in row] for row in angles]
    x = [(7 * j % 11 - 5) / 8 for j in range(head)]  # both signs, exact in every format
    record = {"cos": rounded(cos), "sin": rounded(sin), "x": x}
    half, adjacent = np.arange(n).reshape(2, -1).T.tolist(), np.arange(n).reshape(-1, 2).tolist()
    for layout, pairs in {"half": half, "interleaved": adjacent}.items():
        rows = [list(x) for _ in angles]
        for row, cosines, sines in zip(rows, cos, sin, strict=True):
            for (a, b), c, s in zip(pairs, cosines, sines, strict=True):
                row[a], row[b] = x[a] * c - x[b] * s, x[a] * s + x[b] * c
        record[layout] = {"pairs": pairs, "turned": rounded(rows)}
    return record


def by_sections(name, sections, in_turns, head=16):
    """One record of rotations by three coordinates (M-RoPE)."""
    rope = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": sections}
    rope["mrope_interleaved"] = in_turns
    axes = [axis for axis, section in enumerate(sections) for _ in range(section)]
    if in_turns:  # pairs 1, 4, … are of axis 1 and 2, 5, … of axis 2, while these have some left
        axes = [i % 3 if i // 3 < sections[i % 3] else 0 for i in range(head // 2)]
    omega = ladder(head, rope["rope_theta"])
    angles = [[point[axis] * w for axis, w in zip(axes, omega, strict=True)] for point in POINTS]
    record = {"name": name, "head_dim": head, "rope_parameters": rope, "positions": POINTS}
    return record | {"frequencies": rounded(omega), "axes": axes} | turned(angles, mpf(1), head)


def slopes(n):
    """ALiBi's slopes: 2^(-8k/n), and for no power of two every second one of the next power."""
    power = 2 ** (n.bit_length() - 1)
    lower, higher = (
        [mpf(2) ** (-mpf(8 * k) / m) for k in range(1, m + 1)] for m in (power, 2 * power)
    )
    return (lower + higher[::2])[:n]


def by_distance(n):
    """One record of biases (ALiBi)."""
    of_heads = slopes(n)
    bias = [[-slope * distance for distance in DISTANCES] for slope in of_heads]
    record = {"name": f"alibi, {n} heads", "heads": n, "slopes": rounded(of_heads)}
    return record | {"distances": DISTANCES, "bias": rounded(bias)}


def rounded(values):
    """Nested lists with every number rounded to float64."""
    return [rounded(v) for v in values] if isinstance(values, list) else float(values)


def text():
    """Return the file: a line for each field, so that a difference is easy to see."""
    with mpmath.workdps(50):
        cases = [case(name, rope, **own) for name, (rope, own) in CASES.items()]
        mrope = [by_sections(name, *own) for name, own in SECTIONS.items()]
        lists = {"cases": cases, "mrope": mrope, "alibi": [by_distance(n) for n in HEADS]}
    return '{"version": 1, ' + ", ".join(f'"{k}": {_lines(v)}' for k, v in lists.items()) + "}\n"


def _lines(records):
    fields = [",\n".join(f'"{k}": {json.dumps(v)}' for k, v in each.items()) for each in records]
    return "[\n{" + "},\n\n{".join(fields) + "}\n]"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf8")
