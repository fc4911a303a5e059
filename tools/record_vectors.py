"""Compute publishing/vectors.json again, with 50 digits, rounded once to float64.

python -m tools.record_vectors     writes the numbers; settings, positions and `x` stay

The formulas are those of the page "In your framework"; none of `pecode` is used.
"""

import json
from pathlib import Path

from mpmath import mp, mpf

TARGET = Path(__file__).parents[1] / "publishing" / "vectors.json"


def clip(number):
    """A number between 0 and 1."""
    return min(max(number, mpf(0)), mpf(1))


def ramp(rope, n, base, original):
    """The pairs at which YaRN's ramp begins and ends."""
    ends = [n * mp.log(original / (2 * mp.pi * rope[k])) / (2 * mp.log(base))
            for k in ("beta_fast", "beta_slow")]  # fmt: skip
    if rope.get("truncate", True):
        ends = [mp.floor(ends[0]), mp.ceil(ends[1])]
    return max(ends[0], mpf(0)), min(ends[1], mpf(n - 1))


def frequencies(case):
    """Radians per position of each pair, after the rule, and the factor of cosines and sines."""
    rope, d, length = case["rope_parameters"], case["head_dim"], case.get("length")
    rule, base = rope["rope_type"], mpf(rope["rope_theta"])
    share = rope.get("partial_rotary_factor")
    original, factor = rope.get("original_max_position_embeddings"), mpf(rope.get("factor", 1))
    n = d if share is None else int(d * share)
    ladder = [base ** (mpf(-2 * i) / (d if rule == "proportional" else n)) for i in range(n // 2)]
    if rule == "proportional":
        return ladder + [mpf(0)] * (d // 2 - len(ladder)), mpf(1)
    if rule in ("ntk", "dynamic"):
        if rule == "dynamic":
            factor = 1 + factor * max(mpf(length) / case["max_position_embeddings"] - 1, mpf(0))
        base *= factor ** (mpf(n) / (n - 2))
        return [base ** (mpf(-2 * i) / n) for i in range(n // 2)], mpf(1)
    if rule == "linear":
        return [omega / factor for omega in ladder], mpf(1)
    if rule == "llama3":
        low, high = mpf(rope["low_freq_factor"]), mpf(rope["high_freq_factor"])
        kept = [clip((original * omega / (2 * mp.pi) - low) / (high - low)) for omega in ladder]
        return [w * k + w * (1 - k) / factor for w, k in zip(ladder, kept, strict=True)], mpf(1)
    if rule == "longrope":
        factors = rope["long_factor" if length > original else "short_factor"]
        ratio = mpf(case["max_position_embeddings"]) / original
        scale = mp.sqrt(1 + mp.log(ratio) / mp.log(original))
        return [w / mpf(f) for w, f in zip(ladder, factors, strict=True)], scale
    if rule == "yarn":
        p, q = ramp(rope, n, base, original)
        slowed = [clip((i - p) / (q - p)) for i in range(n // 2)]
        weights = [mpf(rope.get(k, 1)) for k in ("mscale", "mscale_all_dim")]
        one, other = (mpf("0.1") * weight * mp.log(factor) + 1 for weight in weights)
        scale = one / other if "mscale_all_dim" in rope else one
        omega = [w * (1 - r) + w * r / factor for w, r in zip(ladder, slowed, strict=True)]
        return omega, mpf(rope.get("attention_factor", scale))
    return ladder, mpf(1)


def turned(record):
    """The record with its numbers computed again."""
    omega, scale = frequencies(record)
    axes = record.get("axes", [0] * len(omega))
    rows = [p if isinstance(p, list) else [p] for p in record["positions"]]
    angles = [[row[a] * w for a, w in zip(axes, omega, strict=True)] for row in rows]
    cos, sin = ([[scale * f(angle) for angle in row] for row in angles] for f in (mp.cos, mp.sin))
    record = record | {"frequencies": plain(omega), "cos": plain(cos), "sin": plain(sin)}
    if "attention_scaling" in record:
        record["attention_scaling"] = float(scale)
    for layout in ("half", "interleaved"):
        result = [list(map(mpf, record["x"])) for _ in rows]
        for row, c, s in zip(result, cos, sin, strict=True):
            for i, (a, b) in enumerate(record[layout]["pairs"]):
                row[a], row[b] = row[a] * c[i] - row[b] * s[i], row[a] * s[i] + row[b] * c[i]
        record[layout] = record[layout] | {"turned": plain(result)}
    return record


def biases(record):
    """The record of ALiBi: slopes of a power of two, then those between of twice as many heads."""
    n = record["heads"]
    whole = 2 ** (n.bit_length() - 1)
    exponents = [mpf(8 * i) / whole for i in range(1, whole + 1)]
    exponents += [mpf(4 * i) / whole for i in range(1, 2 * (n - whole), 2)]
    slopes = [mpf(2) ** -x for x in exponents]
    bias = [[-slope * t for t in record["distances"]] for slope in slopes]
    return record | {"slopes": plain(slopes), "bias": plain(bias)}


def plain(numbers):
    """Numbers with 50 digits as float64, in lists as they are."""
    return [plain(x) if isinstance(x, list) else float(x) + 0.0 for x in numbers]


def main():
    """Write the numbers (tests/publishing/test_vectors.py compares them)."""
    mp.dps = 50
    stored = json.loads(TARGET.read_text(encoding="utf-8"))
    new = {"version": stored["version"]}
    new |= {name: [turned(each) for each in stored[name]] for name in ("cases", "mrope")}
    new["alibi"] = [biases(each) for each in stored["alibi"]]
    TARGET.write_text(laid_out(new), encoding="utf-8")


def laid_out(content):
    """The file as it is stored: a line for each field of a record."""
    lists = []
    for name in ("cases", "mrope", "alibi"):
        records = [",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in each.items())
                   for each in content[name]]  # fmt: skip
        lists.append(f'"{name}": [\n' + ",\n\n".join(f"{{{x}}}" for x in records) + "\n]")
    return f'{{"version": {content["version"]}, ' + ", ".join(lists) + "}\n"


if __name__ == "__main__":
    main()
