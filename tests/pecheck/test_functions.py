"""`examine` names the mistake of a function in its first lines, and accuses no right one."""

import json
import re
from itertools import zip_longest

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pecode
from pecheck import config, examine
from pecheck.__main__ import main
from pecheck.functions import answer
from pecheck.misuses import MISUSES
from pecheck.sentences import FINDINGS, HEADLINES, PROBLEMS, SENTENCES
from pecode import alibi_bias, alibi_slopes, bfloat16, frequencies, llama3, rotate, sinusoidal, yarn
from tests import data
from tests.pecheck import LLAMA, YARN

D, OMEGA = 32, frequencies(32)
offsets = pecode.relative_positions  # key minus query


def half(x, positions, **options):
    return rotate(x, positions, layout="half", **options)


def halves(omega, factor=1):
    return lambda x, t: factor * half(x, t, frequencies=omega)


def angles(positions, omega=OMEGA):
    return np.multiply.outer(np.asarray(positions, float), omega)


def rotate_half(x):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


def by_cos_and_sin(cos_sin, swap=rotate_half):
    """x cos + swap(x) sin, as most code has it."""

    def turned(x, positions):
        cos, sin = cos_sin(positions)
        return x * cos + swap(x) * sin

    return turned


def cos_and_sin(theta):
    return np.cos(theta), np.sin(theta)


def for_halves(positions):
    return cos_and_sin(np.tile(angles(positions), 2))


def for_neighbors(positions):
    return cos_and_sin(np.repeat(angles(positions), 2, axis=-1))


def rounded_angles(positions):
    return cos_and_sin(np.tile(bfloat16(angles(positions)), 2))


def of_grid(x, row, column):
    """Half of the columns turn by the row, half by the column."""
    return np.concatenate([half(x[..., :16], row), half(x[..., 16:], column)], axis=-1)


def step_by_step(x, positions):
    """A step is made as often as a position says, and rounded each time."""
    for t in range(300):
        x = np.where((positions > t)[..., None], bfloat16(half(x, 1.0)), x)
    return x


def rotate_every_two(x):
    return np.stack([-x[..., 1::2], x[..., ::2]], axis=-1).reshape(x.shape)


def part(x, positions, omega=None, last=False):
    """Eight columns turn, the others stay."""
    turned = slice(-8, None) if last else slice(8)
    out = np.array(x)
    out[..., turned] = half(x[..., turned], positions, frequencies=omega)
    return out


def complex_numbers(x, positions):
    """As Llama's own code: pairs are complex numbers, the result has the dtype of x."""
    pairs = x.astype(np.float32).view(np.complex64)
    return (pairs * np.exp(1j * angles(positions))).astype(np.complex64).view(np.float32)


def with_heads(place):
    """x is (batch, length, heads, d_head), or its heads come before; positions (batch, length)."""

    def turned(x, positions):
        assert (x.ndim, positions.ndim) == (4, 2)
        return half(x, positions[place])

    return turned


def in_columns_of_halves(x, positions):
    """Neighbors go in, halves come out: scores are the same."""
    a, b, w = x[..., ::2], x[..., 1::2], angles(positions)
    return np.concatenate([a * np.cos(w) - b * np.sin(w), a * np.sin(w) + b * np.cos(w)], axis=-1)


class Table:
    """Cosines and sines are kept, up to a length."""

    def __init__(self, length, stale=False):
        self.angles, self.stale, self.last = angles(range(length)), stale, None

    def __call__(self, x, positions):
        if self.last is None or not self.stale:
            self.last = self.angles[positions]
        cos, sin = cos_and_sin(np.tile(self.last, 2))
        return x * cos + rotate_half(x) * sin


def scores(query_at=0, key_at=0, scale=1.0):
    def of(queries, keys):
        t = np.arange(len(queries))
        return scale * half(queries, t + query_at) @ half(keys, t + key_at).T

    return of


def of_scores(turned):
    return lambda queries, keys, t: turned(queries, t) @ turned(keys, t).T


def apply_rotary(q, k, cos, sin):
    return q * cos + rotate_half(q) * sin, k * cos - rotate_half(k) * sin


def alibi(length):
    return alibi_bias(length, alibi_slopes(8))


RIGHT = {  # beside those of FOUND below
    "halves": half,
    "halves, by cos and sin": by_cos_and_sin(for_halves),
    "neighbors, by cos and sin": by_cos_and_sin(for_neighbors, rotate_every_two),
    "complex numbers": complex_numbers,
    "heads behind the length": with_heads(np.s_[..., None]),
    "heads in front of the length": with_heads(np.s_[:, None]),
    "a table of 64 rows": Table(64),
    "a part, with a temperature": lambda x, t: part(x, t) * np.repeat([1.139, 1], [8, D - 8]),
    "the first pairs of a head": halves(pecode.proportional(D, 0.25)),
    "a part, at the end": lambda x, t: part(x, t, last=True),
    "scores at positions": lambda q, k, t: half(q, t) @ half(k, t).T / np.sqrt(D),
    "scores, both moved": scores(7, 7),
    "scores, masked": lambda q, k: np.where(np.tri(len(q)) > 0, scores()(q, k), -np.inf),
    "angles for halves": for_halves,
    "angles as complex numbers": lambda length: np.exp(1j * angles(range(length))),
    "angles of 5 pairs": lambda length: np.exp(1j * angles(range(length), OMEGA[:5])),
    "ALiBi, one row a head": lambda n, length: alibi_slopes(n)[:, None] * np.arange(length),
    "BLOOM": lambda n: alibi_slopes(8)[:, None, None] * (np.zeros((n, 1)) + np.arange(n)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_right_function_is_accused(name):
    assert examine(RIGHT[name], D).problems == ()


RULES = {
    "none": frequencies,
    "interpolation": lambda d, base: pecode.interpolated(d, 4, base=base),
    "ntk": lambda d, base: pecode.ntk_aware(d, 4, base=base),
    "yarn": lambda d, base: yarn(d, 16, 4096, base=base),
    "llama3": lambda d, base: llama3(d, 8, 8192, base=base),
    "longrope": lambda d, base: frequencies(d, base) / np.linspace(1.05, 30, d // 2),
}
FORMS = {
    "rotation": lambda turned, cast: lambda x, t: cast(turned(x, t)),
    "scores": lambda turned, cast: (
        lambda q, k: cast(turned(q, np.arange(len(q))) @ turned(k, np.arange(len(k))).T)
    ),
    "scores at positions": lambda turned, cast: lambda q, k, t: cast(turned(q, t) @ turned(k, t).T),
    "two coordinates": lambda turned, cast: (
        lambda x, t: cast(
            np.concatenate([turned(x[..., :16], t[:, 1]), turned(x[..., 16:], t[:, 0])], -1)
        )
    ),
}


DRAWN = [
    st.sampled_from([16, 32, 64, 80]),
    st.floats(1, 11).map(lambda digits: float(f"{10**digits:.2e}")),
    st.sampled_from(["half", "interleaved"]),
    st.sampled_from(sorted(RULES)),
]
CASTS = [np.float16, np.float32, np.float64, bfloat16]


@given(*DRAWN, st.sampled_from(sorted(FORMS)), st.sampled_from(CASTS), st.booleans())
@settings(max_examples=120)
def test_no_rotation_of_any_rule_and_base_is_accused(d, base, layout, rule, form, dtype, is_part):
    """Of a half of the columns, too, and where results are rounded."""
    axes, width = form == "two coordinates", d // 2 if is_part else d
    omega = RULES[rule](16 if axes else width, base)

    def turned(x, t):
        if axes:
            return rotate(x, t, layout=layout, frequencies=omega)
        first = rotate(x[..., :width], t, layout=layout, frequencies=omega)
        return np.concatenate([first, x[..., width:]], -1)

    cast = dtype if dtype is bfloat16 else lambda each: each.astype(dtype)
    assert examine(FORMS[form](turned, cast), 32 if axes else d).problems == ()


def with_mistakes(omega, layout, base):
    """A rotation, or scores of two, with each mistake, by the sentence that names it."""
    other, made_for, swap, spread = {
        "half": ("interleaved", "made for neighbors", rotate_half, lambda t: np.repeat(t, 2, -1)),
        "interleaved": ("half", "made for halves", rotate_every_two, lambda t: np.tile(t, 2)),
    }[layout]

    def turned(x, t=None, layout=layout):
        return rotate(x, range(x.shape[-2]) if t is None else t, layout=layout, frequencies=omega)

    return {
        "layout": lambda x, t: turned(x, t, other),
        "backward": lambda x, t: turned(x, -t),
        "exchanged": lambda x, t: swap(turned(x, -t)),
        "ignored": lambda x, t: turned(x),
        "low precision": lambda x, t: turned(x, bfloat16(t)),
        "times": lambda x, t: rotate(x, 1.5 * t, layout=layout, base=base),
        made_for: by_cos_and_sin(lambda t: cos_and_sin(spread(angles(t, omega))), swap),
        "queries too far": lambda q, k: turned(q, 1 + np.arange(len(q))) @ turned(k).T,
        "against": lambda q, k: turned(q) @ turned(k, -np.arange(len(k))).T,
        "mixed": lambda q, k: turned(q) @ turned(k, None, other).T,
    }


def frequencies_by(exponents):
    return halves(10000.0 ** -np.asarray(exponents, float))


def by_rows(rows, of_keys=None):
    """Scores of queries and keys whose rows count as these."""

    def of(q, k):
        order = np.arange(len(q))
        return half(q, rows(order)) @ half(k, (of_keys or rows)(order)).T

    return of


def by_length(x, t, length=None):
    length = length or np.max(t) + 1
    return half(x, t, frequencies=pecode.ntk_aware(D, max(length / 2048, 1)))


def longest_seen():
    """Frequencies of the longest text so far: they stay where a shorter one follows."""
    length = 0

    def turned(x, t):
        nonlocal length
        length = max(length, np.max(t) + 1)
        return by_length(x, t, length)

    return turned


def one_half(half_of_x):
    """The second result of a pair takes one half of x alone."""

    def turned(x, t):
        alone = x[..., half_of_x] * (np.cos(angles(t)) + np.sin(angles(t)))
        return np.concatenate([half(x, t)[..., : D // 2], alone], -1)

    return turned


def biased(change):
    """ALiBi whose offsets, key minus query, are changed."""
    return lambda n: alibi_slopes(8)[:, None, None] * change(offsets(n))


def shifted(first):
    """The relative shift of Transformer-XL, which is to drop the first row, without a mask."""

    def of(n):
        padded = np.hstack([np.zeros((n, 1)), -np.tile(np.arange(n)[::-1], (n, 1))])
        return padded.reshape(n + 1, n)[first : first + n]

    return of


def coarse_buckets(n):
    """T5's, but 15 stands where 16 buckets share the far keys."""
    d = np.maximum(-offsets(n), 0)
    far = 16 + (np.log(np.maximum(d, 1) / 16) / np.log(8) * 15).astype(int)
    return np.random.default_rng(0).normal(size=32)[np.where(d < 16, d, np.minimum(far, 31))]


def one_query_of_row_0(n):
    bias = -np.abs(offsets(n)).astype(float)
    bias[-1] = bias[0]
    return bias


def random_ahead(n):
    noise = np.random.default_rng(0).normal(size=(8, n, n))
    return np.where(np.tri(n, dtype=bool), alibi_bias(n, alibi_slopes(8)), noise)


PAIR = np.arange(16)
CUT = OMEGA * (1 - 0.75 * np.clip((PAIR - 11) / 4, 0, 1))
TURNS = np.tile(PAIR % 3, 2)  # the coordinate of each column
GROWN = config({**LLAMA, "hidden_size": 1024, "rope_scaling": YARN}).layers[0]
BASE = {"base": 1e4}
# A function, what is expected of it, the sentence that must come first, and its values.
WRONG = {
    "nothing turned": (lambda x, t: x, {}, "no effect"),
    "one turn for all": (lambda x, t: half(x, 0 * t + 3), {}, "no effect"),
    "not a number": (lambda x, t: x * np.nan, {}, "not finite"),
    "bfloat16 positions": (lambda x, t: half(x, bfloat16(t)), {}, "low precision"),
    "float16 positions": (lambda x, t: half(x, np.float64(np.float16(t))), {},
                          "positions in float16"),
    "clipped": (lambda x, t: half(x, np.minimum(t, 100)), {}, "stops", 100, 100),
    "a table that begins again": (lambda x, t: half(x, t % 512), {}, "modulo", 512, 512),
    "scores of such a table": (of_scores(lambda x, t: half(x, t % 1024)), {}, "modulo", 1024, 1024),
    "halves' angles": (by_cos_and_sin(for_halves, rotate_every_two), {}, "made for halves"),
    "neighbors' angles": (by_cos_and_sin(for_neighbors), {}, "made for neighbors"),
    "other angles": (by_cos_and_sin(lambda t: cos_and_sin(angles(t, [*OMEGA, *OMEGA / 2]))), {},
                     "two angles"),
    "sine, then cosine": (lambda t: for_neighbors(t)[::-1], {}, "exchanged"),
    "no minus": (by_cos_and_sin(for_halves, lambda x: np.roll(x, 16, -1)), {}, "no minus"),
    "factor 2 missing": (frequencies_by(PAIR / 32), BASE, "factor 2 lost"),
    "factor 2 twice": (frequencies_by(4 * PAIR / 32), BASE, "factor 2 doubled"),
    "ends on 1/base": (frequencies_by(PAIR / 15), BASE, "endpoint spacing"),
    "slow to fast": (frequencies_by(2 * PAIR[::-1] / 32), {}, "reversed"),
    "integers": (frequencies_by(0 * PAIR), {}, "integer division"),
    "e² a pair": (halves(np.exp(-2.0 * PAIR)), {}, "precedence"),
    "divided": (frequencies_by(-2 * PAIR / 32), {}, "divided twice"),
    "another base": (half, {"base": 500_000.0}, "base", "10,000", 5e5),
    "base 12,345": (lambda x, t: half(x, t, base=12_345), BASE, "base", "12,345", 1e4),
    "twice": (lambda x, t: half(x, 2 * t), BASE, "times", 2, 1e4),
    "degrees": (lambda x, t: half(x, np.degrees(t)), {}, "degrees", 57.2958, 1e4),
    "radians": (lambda x, t: half(x, np.radians(t)), BASE, "degrees", 0.0174533, 1e4),
    "random": (halves(np.sin(PAIR) ** 2), BASE, "no rule", 1e4),
    "a line": (halves(1 - PAIR / 16), BASE, "no rule", 1e4),
    "times 1.1": (halves(OMEGA * np.where(PAIR < 8, 1.1, 1)), BASE, "no rule", 1e4),
    "Llama 3 of another base": (halves(llama3(D, 8, 8192, base=5e5)), BASE, "base", "500,000", 1e4),
    "YaRN of another base": (halves(yarn(D, 4, 2048, base=12_345)), BASE, "base", "12,345", 1e4),
    "m of m": (halves(yarn(D, 4, 2048), 1.1579), {}, "temperature twice", 1.158, 1.139),
    "m times m": (halves(yarn(D, 4, 2048), 1.2965), {}, "temperature twice", 1.296, 1.139),
    "rounded frequencies": (halves(bfloat16(OMEGA)), {}, "frequencies in bfloat16"),
    "width of the whole head": (lambda x, t: part(x, t, OMEGA[:4]), BASE, "another width"),
    "not those of a config": (lambda x, t: 1.139 * half(x, t), {"layer": GROWN}, "config"),
    "a stale table": (Table(9001, stale=True), {}, "stale"),
    "the longest text": (longest_seen(), {}, "sticks"),
    "a norm beside": (lambda x, t: half(x / (1e-9 + np.abs(x).max()), t), {}, "not linear"),
    "norms": (lambda x, t: x * np.cos(angles(t, np.repeat(OMEGA, 2))), {}, "multiplied"),
    "a sine too small": (by_cos_and_sin(lambda t: (for_halves(t)[0], 0.8 * for_halves(t)[1])), {},
                         "norms"),
    "step by step in 16 bits": (step_by_step, {}, "drift"),
    "half of x": (one_half(slice(None, 16)), {}, "unused", 16, 31),
    "half of the swap": (one_half(slice(16, None)), {}, "one way", 0, 15),
    "texts of a batch": (lambda x, t: half(x, t + np.arange(2)[:, None] * (x.ndim == 3)), {},
                         "texts"),
    "no temperature": (half, {"layer": GROWN}, "scale", 1, 1.139),
    "angles, other layout": (for_neighbors, {"layout": "half"}, "layout"),
    "keys not turned": (lambda q, k: half(q, np.arange(len(q))) @ k.T, {}, "keys not turned"),
    "queries not turned": (lambda q, k: q @ half(k, np.arange(len(k))).T, {}, "queries not turned"),
    "queries one too far": (scores(1, 0), {}, "queries too far"),
    "keys one too far": (scores(0, 1), {}, "keys too far"),
    "keys twice": (by_rows(lambda t: t, lambda t: 2 * t), {}, "keys twice"),
    "queries twice": (by_rows(lambda t: 2 * t, lambda t: t), {}, "queries twice"),
    "no positions": (lambda q, k: q @ k.T, {}, "no effect"),
    "no vectors": (lambda q, k: np.zeros((len(q), len(q))), {}, "no vectors"),
    "an offset": (lambda x, t: half(x, np.arange(x.shape[-2]) + t), {}, "offset"),
    "chunks begin again": (by_rows(lambda t: t % 16), {}, "restarts", 16),
    "chunks of positions": (of_scores(lambda x, t: half(x, t - t[np.arange(len(t)) // 8 * 8])), {},
                            "restarts", 8),
    "chunks counted twice": (by_rows(lambda t: t + t // 4 * 4), {}, "twice", 4),
    "keys in chunks": (by_rows(lambda t: t, lambda t: t % 16), {}, "of keys", "positions begin"),
    "queries in chunks": (by_rows(lambda t: t % 16, lambda t: t), {}, "of queries", "positions be"),
    "the cache's size": (by_rows(lambda t: np.minimum(t, 6)), {}, "stops", 6, 6),
    "late behind a prompt": (by_rows(lambda t: t + (t >= 9)), {}, "late", 9),
    "again behind a prompt": (by_rows(lambda t: np.where(t < 20, t, t - 20)), {}, "restarts", 20),
    "again, at positions": (of_scores(lambda x, t: half(x, t - (np.arange(len(t)) > 2) * t[3])), {},
                            "restarts behind", 3),
    "a grid, bent": (lambda x, t: of_grid(x, t[0] ** 2 % 91, t[1]), {}, "unclear", "", "", ""),
    "a grid, mirrored": (lambda x, t: of_grid(x, -t[0], -t[1]), {}, "backward"),
    "a gap": (by_rows(lambda t: t + 5 * (t > 10)), {}, "unclear", 11, 11, ", which counts as 16"),
    "scores, rounded positions": (of_scores(lambda x, t: half(x, bfloat16(t))), {},
                                 "low precision"),
    "rounded angles": (by_cos_and_sin(rounded_angles), {}, "angles in 16 bits"),
    "scores, rounded angles": (of_scores(by_cos_and_sin(rounded_angles)), {}, "angles in 16 bits"),
    "steps of 10": (lambda x, t: half(x, 10 * np.round(t / 10)), {}, "unclear", 6, 17),
    "scores, positions ignored": (lambda q, k, t: scores()(q, k), {}, "ignored"),
    "slopes from 1": (lambda n: 2.0 ** (-8 * np.arange(n) / n), {}, "slopes from 1"),
    "twelve heads": (lambda n: 2.0 ** (-8 * np.arange(1, n + 1) / n), {}, "slopes of one power"),
    "slopes in 16 bits": (lambda n: bfloat16(alibi_slopes(n)), {}, "rounded slopes", "float16 or"),
    "half of the heads": (lambda n: alibi_slopes(n // 2), {}, "other heads", 4, 8, "those of"),
    "the first half": (lambda n: alibi_slopes(n)[: n // 2], {}, "other heads", 4, 8,
                       "those of ALiBi for heads 0 to 3 of 8"),
    "always 8 heads": (lambda n, length: alibi(length), {}, "other heads", 8, 12, "those of"),
    "a table is added": (lambda x, t: x + sinusoidal(t, D), {}, "added"),
    "ALiBi upside down": (biased(np.abs), {}, "sign"),
    "an offset for a distance": (biased(lambda t: t), {}, "ahead preferred"),
    "random ahead": (random_ahead, {}, "no offset", "ahead of it"),
    "all random": (lambda n: np.random.default_rng(0).normal(size=(n, n)), {},
                   "no offset", "behind"),
    "all queries are row 0": (biased(lambda t: -np.tile(np.arange(len(t)), (len(t), 1))), {},
                              "row 0"),
    "one query is row 0": (one_query_of_row_0, {}, "one row", 160),
    "the last row dropped": (shifted(0), {}, "shift"),
    "no mask": (shifted(1), {}, "wrapped"),
    "in a ring": (lambda n: -1.0 * (-offsets(n) % n), {}, "wrapped"),
    "a bias of nothing": (biased(lambda t: t * np.nan), {}, "not finite"),
    "all masked": (biased(lambda t: 0 * t - np.inf), {}, "not finite"),
    "fewer far buckets": (coarse_buckets, {}, "buckets", 21),
}  # fmt: skip
MISUSED = {"cache off by one": "late", "keys in the other layout": "mixed",
           "keys turned backward": "against", "both turned backward": "backward"}  # fmt: skip
WRONG |= {name: (MISUSES[name].wrong, {"layout": "half"}, key) for name, key in MISUSED.items()}


def pattern(key, *values):
    """A sentence that begins its values as these; "" is any."""
    first, *texts = re.split(r"\{[^}]*\}", SENTENCES[key])
    fields = re.findall(r"\{[^}]*\}", SENTENCES[key])
    shown = [
        "" if value == "" else field.format(value)
        for field, value in zip(fields, values, strict=False)
    ]
    rest = zip_longest(map(re.escape, shown), map(re.escape, texts), fillvalue="")
    return "^" + re.escape(first) + "".join(f"{value}.*{text}" for value, text in rest)


@pytest.mark.parametrize("name", MISUSED)
def test_the_right_use_beside_a_misuse_has_no_problem(name):
    for d_model in (8, D):
        assert examine(MISUSES[name].right, d_model, layout="half").problems == ()


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_named_first(name):
    function, expected, key, *values = WRONG[name]
    problems = examine(function, D, **expected).problems
    assert problems
    assert re.search(pattern(key, *values), problems[0]), problems


@pytest.mark.parametrize("which", range(10))
@given(*DRAWN)
@settings(max_examples=20)
def test_each_of_ten_mistakes_in_a_random_rotation_is_named(which, d, base, layout, rule):
    """Positions times 1.5 alone need a base that is known: a rule may change any frequency."""
    key, function = [*with_mistakes(RULES[rule](d, base), layout, base).items()][which]
    problems = examine(function, d, layout=layout, base=base if key == "times" else None).problems
    assert re.search(pattern(key), problems[0])


FOUND = {  # a function, the sentence that is found of it, and its values
    "columns reordered": (in_columns_of_halves, "order"),
    "partial": (part, "rotation", "rotation", 8, 32, 0, 7),
    "a sine too small": (WRONG["a sine too small"][0], "no rotation", 32, 32, 0, 31),
    "neighbors": (rotate, "pairs", "neighbors (2i, 2i + 1)"),
    "scores": (scores(scale=0.5), "times scale", "scores", 0.5),
    "xPos": (
        lambda q, k: half(q, range(len(q))) * 1.02 ** np.arange(len(q))[:, None]
        @ (half(k, range(len(k))) / 1.02 ** np.arange(len(k))[:, None]).T, "xpos"),
    "xPos, of queries": (lambda x, t: half(x, t) * 1.0002 ** t[:, None], "xpos"),
    "one head": (lambda x, t: x if x.ndim < 4 else np.concatenate(
        [half(x[:, :1], t[:, None] if t.ndim > 1 else t), x[:, 1:]], 1), "heads", 0, "1, 2"),
    "dynamic": (by_length, "length", 45, 9000, "base 48,5"),
    "temperature": (halves(yarn(D, 4, 2048), 1.139), "temperature", 4, 1.1386),
    "positions": (half, "positions", "as given, real ones too"),
    "whole positions": (lambda x, t: half(x, np.floor(t)), "positions", "as given, cut to whole"),
    "from 1": (lambda x, t: half(x, t + 1), "positions", "counted from 1, real ones too"),
    "rows of a table": (Table(512), "positions", "as given, whole ones only"),
    "of neighbors": (for_neighbors, "frequencies", "", "base 10,000 over 32 columns"),
    "of 8 pairs": (lambda t: np.exp(1j * angles(t, OMEGA[:8])), "frequencies", "", "base 100 over"),
    "base 1e8": (lambda x, t: half(x, t, base=1e8), "frequencies", "",
                 "base 100,000,000 over 32 columns, or base 10,000 with a doubled exponent"),
    "base 1e11": (lambda x, t: half(x, t, base=1e11), "frequencies", "", "base 100,000,000,000"),
    "doubled": (lambda x, t: half(x, 2 * t), "frequencies", "",
                "base 10,000 over 32 columns; all multiplied by 2"),
    "tens": (lambda x, t: half(x, 10 * t), "frequencies", "",
             "base 10,000 over 32 columns; all multiplied by 10"),
    "YaRN, cut": (halves(yarn(D, 4, 131072)), "frequencies", "",
                  "base 10,000 over 32 columns; slowed from pair 12 on along a straight line (as "
                  "YaRN), the last by 1.75"),
    "YaRN, cut short": (halves(CUT), "frequencies", "",
                        "base 10,000 over 32 columns; slowed from pair 12 on along a straight line "
                        "(as YaRN), the last by 4, as if the line were cut at the last pair"),
    "a grid": (lambda x, t: of_grid(x, *t), "axes", 2, "first", "sections of 8, 8 pairs"),
    "both at once": (lambda x, t: half(x, t[:, 0] + t[:, 1]), "axes", 2, "last", "some pairs are"),
    "three in turn": (by_cos_and_sin(lambda t: cos_and_sin(t[:, TURNS] * np.tile(OMEGA, 2))),
                      "axes", 3, "last", "pairs in turn, 6, 5, 5 for each: 0, 1, 2"),
    "ALiBi": (alibi, "bias", 8, ""),
    "both sides": (alibi, "ahead", "as those behind it"),
    "nothing ahead": (biased(lambda t: np.minimum(t, 0)), "ahead", "all as the query itself"),
    "half ahead": (biased(lambda t: np.where(t < 0, t, -t / 2)), "ahead", "-0.25, -0.5"),
    "slopes": (alibi_slopes, "slopes", 8, "0.5, 0.25"),
    "known slopes": (alibi_slopes, "known slopes", "those of ALiBi"),
    "another sign": (lambda n: -alibi_slopes(n), "known slopes", "those of ALiBi"),
    "one of two devices": (lambda n: alibi_slopes(2 * n)[n:], "known slopes",
                           "those of ALiBi for heads 8 to 15 of 16"),
    "a bias in 16 bits": (lambda n, length: bfloat16(alibi_bias(length, alibi_slopes(n))),
                          "slopes", 12, "0.5, 0.25"),
    "one slope": (lambda n: -np.abs(offsets(n)) / 3, "known slopes", "not ALiBi's"),
    "T5": (lambda n: pecode.t5_bias(n, np.random.default_rng(0).normal(size=(32, 4))),
           "known buckets", 32, 128, "both sides"),
    "powers of two": (lambda n: np.sin(np.log2(1.0 + np.abs(offsets(n))).astype(int)),
                      "other buckets", "1, 3, 7, 15"),
    "clipped": (lambda n: np.sin(np.clip(offsets(n), -16, 16)), "other buckets", "1, 2, 3, 4"),
    "logarithms": (lambda n: -np.log1p(np.abs(offsets(n))), "distances"),
    "a mask alone": (lambda n: np.where(offsets(n) > 0, -np.inf, 0), "one number"),
    "a window of one": (lambda n: np.where(offsets(n), -np.inf, 1.0), "one number"),
    "8 heads alone": (lambda n: {8: alibi_slopes(8)}[n], "not read", 12, "KeyError"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_what_a_function_does_is_said(name):
    function, key, *values = FOUND[name]
    found = examine(function, D)
    assert any(re.search(pattern(key, *values), each) for each in found.findings), found.findings
    assert found.problems == () or key == "no rotation"


def test_every_sentence_has_a_function_of_which_it_is_true():
    told = {each[2] for each in WRONG.values()} | {each[1] for each in FOUND.values()}
    assert PROBLEMS.keys() | FINDINGS.keys() <= told


def test_what_follows_from_the_cause_is_not_another_problem():
    found = examine(of_scores(WRONG["neighbors' angles"][0]), D)
    assert len(found.problems) == 1
    assert "laid out for neighbors" in found.problems[0]
    assert len(examine(WRONG["steps of 10"][0], D).problems) == 1


@pytest.mark.parametrize(("given", "missing"), [
    ({}, "layout= or base="), ({"layout": "half"}, "base="), (BASE, "layout="),
    ({"layer": config(LLAMA).layers[0]}, ""), ({"layout": "half", **BASE}, ""),
])  # fmt: skip
def test_what_was_not_compared_is_said(given, missing):
    base = given["layer"].base if "layer" in given else 1e4
    shown = " ".join(str(examine(lambda x, t: half(x, t, base=base), **given)).split())
    conventions = f"{HEADLINES['conventions']} (no {missing} was given) rotation"
    assert shown.startswith(conventions if missing else f"{HEADLINES['right']} rotation")
    stretched = examine(halves(pecode.interpolated(D, 4)), layout="half", **BASE)
    assert "(no layer= was given)" in " ".join(str(stretched).split())
    assert re.search("^no mistake is seen\n(?s:.*) 12 heads: 0.5,", str(examine(alibi_slopes)))
    assert str(examine(FOUND["logarithms"][0])).startswith("these are its conventions")


def test_the_facts_are_those_of_the_function():
    found = examine(lambda x, t: part(x, t), D, layout="half")
    assert found.facts["columns"] == list(range(8))
    assert found.facts["layout"] == "half"
    np.testing.assert_allclose(found.facts["frequencies"], frequencies(8), rtol=1e-3)
    assert found.facts["base"] == 10000


def test_arrays_of_a_framework_go_in_and_out():
    class Tensor(np.ndarray):
        pass

    def function(x, positions):
        assert isinstance(x, Tensor)
        assert isinstance(positions, Tensor)
        return half(np.asarray(x), np.asarray(positions)).view(Tensor)

    assert examine(function, D, convert=lambda each: each.view(Tensor)).problems == ()


@pytest.mark.parametrize(
    ("function", "options", "words"),
    [
        (3, {}, "function: expected a function"),
        (half, {"d_head": 7}, "d_head: expected an even"),
        (half, {"layout": "halves"}, "layout: expected one of"),
        (half, {"layout": ""}, "layout: expected one of"),
        (half, {"base": 0}, "base: expected a number greater than 1"),
        (half, {"layer": []}, "layer: expected one of"),
        (half, {"layer": GROWN, "d_head": 0}, "d_head: expected an integer"),
        (half, {"n_heads": 0}, "n_heads: expected an integer"),
        (half, {"convert": ""}, "convert: expected a function"),
        (lambda x, t: x[..., :2], {}, "function: expected one of the forms.*has the shape .*, 2"),
        (lambda x, t: None, {}, "function: .* got rotation: .* expected an array, got None"),
        (lambda x, t: (x,), {}, "function: .* got rotation: .* an array, got a tuple of 1"),
        (lambda: 0, {}, "function: expected one of the forms"),
        (lambda q, k: np.full((len(q), len(q)), 1 / len(q)), {}, "before softmax"),
        (lambda q, k: np.tri(len(q)) / np.arange(1, len(q) + 1)[:, None], {}, "before softmax"),
        (lambda q, k, t: (half(q, t), half(k, t)), {}, "got scores: .* got a tuple of 2"),
        (lambda length: sinusoidal(range(length), 16), {}, "function: expected one of the forms"),
        (lambda x, t: x.float(), {}, "wants tensors: convert=torch"),
        (lambda q, k, t: half(q, t[..., 1]) @ half(k, t[..., 1]).T, {}, "scores by several"),
    ],
)
def test_what_is_none_of_these_functions_is_refused(function, options, words):
    with pytest.raises((TypeError, ValueError), match=words):
        examine(function, **options)


def test_a_function_that_takes_angles_is_refused_with_code_that_helps():
    with pytest.raises(ValueError, match="angles that another function makes") as refused:
        examine(apply_rotary)
    assert "convert=torch.tensor" in str(refused.value)
    code = "".join(re.findall(r"(?m)^(?:def|    ).*\n", str(refused.value)))
    names = {"apply_rotary": apply_rotary, "cos_sin": for_halves}
    exec(code, names)
    assert "keys turn against the queries" in examine(names["scores"]).problems[0]
    with pytest.raises(ValueError, match=r"return <lambda>\(x, freqs_cis\(t\)\)"):
        examine(lambda x, freqs_cis: x[freqs_cis])


def test_heads_of_other_usual_widths_are_tried():
    wide = Table(0)
    wide.angles = angles(range(4000), frequencies(64))
    assert examine(wide).facts["columns"] == list(range(64))
    wide.angles = angles(range(4000), frequencies(80))
    with pytest.raises(ValueError, match="heads of another width: d_head="):
        examine(wide)


def test_a_page_gives_the_code_of_a_function():
    code = "import pecode\n\ndef helper(): pass\n\ndef back(x, t):\n    return pecode.rotate(x, -t)"
    assert answer({"text": code})["examined"].startswith("back\nwrong: pairs turn the other way")
    assert answer({"text": "def f(x):\n  return"})["error"].startswith("ValueError: function")
    assert answer({"text": "def f("})["error"].startswith("SyntaxError")
    assert answer({"text": "import pecode"})["error"].endswith("expected a function, got None")
    assert answer({"text": "exit()"})["error"].startswith("SystemExit")


@pytest.fixture
def turning(tmp_path, monkeypatch):
    """A folder with a module, and with configs of Llama that agree with it and do not."""
    code = "import pecode\n\n\ndef back(x, t):\n    return pecode.rotate(x, -t)\n\n\n"
    code += "def half(x, t):\n    return pecode.rotate(x, t, layout='half')\n"
    code += "def slopes(n):\n    return [2 ** (-8 * k / n) for k in range(1, n + 1)]\n"
    (tmp_path / "turning.py").write_text(code)
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "numpy.py").write_text(code)
    (tmp_path / "llama.json").write_text(json.dumps({**LLAMA, "rope_theta": 10000.0}))
    (tmp_path / "other.json").write_text(json.dumps({**LLAMA, "rope_theta": 500000.0}))
    gemma = {"model_type": "gemma3_text", "head_dim": 64, "rope_local_base_freq": 500000.0}
    (tmp_path / "gemma.json").write_text(json.dumps({**gemma, "rope_theta": 10000.0}))
    (tmp_path / "bert.json").write_text(json.dumps({**LLAMA, "model_type": "bert"}))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("arguments", "status", "words"), data("pecheck/shell.yml"))
@pytest.mark.usefixtures("turning")
def test_a_function_in_a_file_is_examined_from_the_shell(arguments, status, words, capsys):
    assert main(["examine", *arguments.split()]) == status
    out, err = capsys.readouterr()
    assert words in (err if status == 2 else " ".join(out.split()))
