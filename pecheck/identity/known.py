"""Numbers that are known by themselves: laws of frequencies, slopes of ALiBi."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pecode._types import Floats
from pecode.precision import bfloat16
from pecode.relative import alibi_slopes

# Bases that published models use, the commonest first.
BASES = (10_000.0, 500_000.0, 1e6, 100.0, 1e5, 1e7, 5e6, 2e6, 8e6, 256.0, 150_000.0, 160_000.0)
WIDTHS = (
    16, 32, 48, 64, 72, 80, 96, 112, 128, 160, 192, 256, 288, 320, 384, 512, 576, 640, 768, 1024,
    1152, 1280, 1536, 1600, 2048, 2304, 2560, 3072, 3584, 4096, 5120, 6144, 7168, 8192,
)  # fmt: skip
SLOWED = 2 / 3  # a share of the slowest pair; a neighboring base looks like less
UNSLOWED = 3e-6  # relative: of the first two pairs, which no rule by parts slows
TOLERANCE = 4e-3  # relative: what float32 leaves of a slow frequency at a few hundred positions


def float16(values: Floats) -> Floats:
    """Round to half precision."""
    return values.astype(np.float16).astype(float)


def measured_frequencies(angles: Floats, offsets: Floats) -> Floats:
    """Return radians for a step of the offset: from near samples, then ever farther ones."""
    turns, omega, last = angles / (2 * np.pi), np.zeros(angles.shape[1]), 0
    sizes, some = np.unique(np.abs(offsets), return_index=True)
    for size, k in zip(sizes, some, strict=True):
        if size > 1.2 * last or size == sizes[-1] > 0:  # each is known from the one before
            omega, last = (turns[k] + np.rint(omega * offsets[k] - turns[k])) / offsets[k], size
    return 2 * np.pi * omega


def by_formula(base: float, width: int, n: int) -> Floats:
    """Return base^(-2i / width) for n pairs."""
    return base ** (-2 * np.arange(n) / width)


def max_error(size: Floats, rule: Floats, slack: float | Floats) -> float:
    """Return the largest difference of frequencies from a rule, relative to the rule."""
    return np.max(np.maximum(np.abs(size - rule) - slack, 0) / np.abs(rule), initial=0)


@dataclass
class Law:
    """The law of frequencies: its rule, base, factor, and a mistake with its values, if it is one.

    how : in words, what was done to frequencies of the rule, such as by YaRN.
    alternative : the mistake that would explain them with the base that was expected.
    """

    rule: str
    base: float | None = None
    factor: float = 1.0
    mistake: str | None = None
    values: tuple[float, ...] = ()
    alternative: str | None = None
    slowed: float = 1.0  # the slowest pair, by a rule that slows pairs differently
    error: float = 0.0  # relative
    how: str = ""

    def __str__(self) -> str:
        return f"{self.rule}; {self.how}" if self.how else self.rule


def name_frequencies(size, width, expected=None, slack=1e-7):
    """Return the law of the frequencies of pairs over so many columns; slack is their error."""
    n, i = len(size), np.arange(len(size))
    shown = ", ".join(f"{each:.4g}" for each in size[:4]) + ", …" * (n > 4)
    bases = [expected] if expected else BASES
    if n == 1:
        return Law(f"{shown} radians for a step, of a single pair", expected, size[0])
    if np.abs(size - 1).max() <= TOLERANCE:
        return Law("all are 1", mistake="integer division")
    for base in bases:
        if np.abs(_folded(base ** (2 * i / width)) - _folded(size)).max() < 1e-3:
            return Law(f"base {base:,.0f}, rising", base, mistake="divided twice")
    if max_error(size, np.exp(-2.0 * i), slack) <= TOLERANCE:
        return Law("each e² times slower than the one before", mistake="precedence")
    law, of = fall_evenly(size, width, slack, bases), expected or BASES[0]
    if law:
        factor = law.factor
        if factor == 1 and abs(law.base / of - 1) > TOLERANCE:
            for step, name, words in _other_exponents(width, n, of):
                if not law.alternative and max_error(size, of ** (-step * i), slack) <= TOLERANCE:
                    law.rule, law.alternative = f"{law.rule}, or base {of:,.0f} {words}", name
        elif factor < SLOWED:
            why = {6.28: "2π: turns, not radians"}.get(round(1 / factor, 2), "interpolation")
            law.how = f"all divided by {1 / factor:.4g} ({why})"
        elif factor != 1:
            law.how = f"all multiplied by {factor:.4g}"
        if abs(abs(np.log(factor)) - np.log(180 / np.pi)) < TOLERANCE:
            law.mistake, law.values = "degrees", (factor, law.base)
        return law
    if size[0] < size[-1] and (law := fall_evenly(size[::-1], width, slack)) and law.factor <= 1:
        return Law(law.rule, law.base, mistake="reversed")  # and no wavelengths
    fast = [base for base in _shorter(max(size[1], 1e-9) ** (-width / 2)) if base > 1]
    rules = [(base, _by_parts) for base in (*bases, *BASES, *fast)
             if max_error(size[:2], by_formula(base, width, 2), slack) < UNSLOWED]  # fmt: skip
    for base, rule in [*rules, (expected, _ever_more)] if size.min() > 0 else ():
        share = size / by_formula(base or BASES[0], width, n)
        if base and (how := rule(share, share[-1], base, width)):
            slowed = 1 / share[-1] if rule is _by_parts else 1
            return Law(f"base {base:,.0f} over {width} columns", base, slowed=slowed, how=how)
    return Law(f"{shown}, by no rule that is known")


def _folded(omega):
    """What is seen of frequencies at whole positions: radians up to half a turn."""
    return np.abs((omega + np.pi) % (2 * np.pi) - np.pi)


def fall_evenly(size, width, slack, bases=()):
    """Return the law of frequencies that fall evenly; bases are those that are believed first."""
    i, logs = np.arange(len(size)), np.log(np.maximum(size, 1e-300))
    rule = "base {:,.0f} over {} columns".format
    for base in bases:
        error = max_error(size, by_formula(base, width, len(size)), slack)
        if error < 9e-4:
            return Law(rule(base, width), base, error=error)
    sure = size > 300 * slack
    if sure.sum() < 2:
        return None
    fall = np.median(np.diff(logs[sure]) / np.diff(i[sure]))  # fast pairs may turn more than half
    start = np.median((logs - fall * i)[sure])
    sure &= np.abs(logs - fall * i - start) < 5e-3
    if sure.sum() < 2:
        return None
    weight = size / (slack + 1e-6 * size)
    fall, start = np.polyfit(i[sure], logs[sure], 1, w=weight[sure])
    factor = 1.0 if abs(start) < TOLERANCE else np.exp(start)
    if factor == 1:
        fall = (weight * i * logs)[sure].sum() / (weight * i**2)[sure].sum()
    fitted = np.exp(min(-fall * width / 2, 300))
    if not 1 < fitted < np.exp(300):
        return None
    errors = {}
    for base in (*bases, *_shorter(fitted)):
        right = factor * by_formula(base, width, len(size))
        away = np.abs(_folded(size) - _folded(right))  # given alone, they may turn more than half
        errors[base] = np.max(np.maximum(away - slack, 0) / right)
    near = max(3 * errors[fitted], 2e-5)
    base = next(each for each in errors if each > 1 and errors[each] <= near)
    error = errors[base]
    if error > TOLERANCE:
        return None
    rounded = max_error(size, bfloat16(by_formula(base, width, len(size))), slack)
    rounded = factor == 1 and error > 3e-4 and rounded < error / 3
    mistake = "frequencies in bfloat16" if rounded else None
    return Law(rule(base, width), base, factor, mistake, error=error)


def _shorter(base):
    """A base with one digit, with two, up to five, and as it is."""
    return [*(float(f"{base:.{digits}e}") for digits in range(5)), base]


def _other_exponents(width, n, base):
    """Yield steps of the exponent: (from pair to pair, mistake or convention, in words)."""
    yield 4 / width, "factor 2 doubled", "with a doubled exponent"
    yield 1 / width, "factor 2 lost", "with half of the exponent"
    yield 1 / (n - 1), "endpoint spacing", "at the slowest pair exactly"
    for other in other_widths(width, base):
        yield 2 / other, "another width", f"over {other}"


def other_widths(width: int, base: float) -> Iterator[int]:
    """Yield the widths that may stand in an exponent instead of the right one, with a base.

    Where a power of ten from a thousand on explains the same frequencies, another base is likelier.
    """
    for other in dict.fromkeys([width + 2, *WIDTHS]):
        implied = np.log10(base) * width / other
        if other != width and (implied < 2.9 or abs(implied - round(implied)) > 1e-9):
            yield other


def _by_parts(share, slow, base, width):
    """From some pair on all are slowed alike, or along a straight line that does not end."""
    last, steps = np.abs(share / slow - 1) < TOLERANCE, -np.diff(share)
    if steps.min() < -1e-3 or slow > SLOWED:
        return None
    if last.sum() > 1:
        return f"from pair {last.argmax()} on divided by {1 / slow:.4g} (as YaRN or Llama 3)"
    ramp = np.flatnonzero(steps > TOLERANCE)
    if len(ramp) > 3 and np.ptp(steps[ramp[1] :]) < 1e-3:
        how = f"slowed from pair {ramp[0] + 1} on along a straight line (as YaRN)"
        # From 32 turns to 1 a line has its length: a shorter one that reaches the factor is cut.
        short = len(share) - 1 - ramp[0] < width * np.log(32) / (2 * np.log(base)) - 1.5
        cut = short and abs(1 / slow - round(1 / slow)) < TOLERANCE
        why = ", as if the line were cut at the last pair (jingyaogong/minimind#602)" if cut else ""
        return f"{how}, the last by {1 / slow:.4g}{why}"
    return None


def _ever_more(share, slow, base, width):
    """Each pair is slowed at least as much as the one before, by factors that no law gives."""
    if share[0] < 1 + TOLERANCE and np.diff(share).max() < TOLERANCE * slow:
        return f"divided by {1 / share[0]:.4g} to {1 / slow:.4g} (as LongRoPE)"
    return None


def match_slopes(size, tolerance):
    """Return (what is wrong or None, conventions, error) of slopes for heads, or None."""
    n = len(size)
    one = 2.0 ** (-8 * np.arange(1, n + 1) / n)
    rules = {None: alibi_slopes(n), "slopes of one power": one, "slopes from 1": one / one[0]}
    errors = {bug: float(np.max(np.abs(size / rule - 1))) for bug, rule in rules.items()}
    known = ((bug, () if bug else ("slopes of ALiBi",), error) for bug, error in errors.items())
    return next((each for each in known if each[2] <= tolerance), None)
