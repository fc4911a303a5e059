"""`examine` names the mistake of a function in its first lines, and accuses no right one."""

import json
import re

import numpy as np
import pytest

from pecheck import config, examine
from pecheck.__main__ import main
from pecheck.functions import answer
from pecheck.misuses import MISUSES
from pecode import (
    alibi_bias,
    alibi_slopes,
    bfloat16,
    frequencies,
    interpolated,
    llama3,
    ntk_aware,
    proportional,
    rotate,
    sinusoidal,
    t5_bias,
    yarn,
)
from tests.pecheck import LLAMA, YARN

D, OMEGA = 32, frequencies(32)


def half(x, positions, **options):
    return rotate(x, positions, layout="half", **options)


def angles(positions, omega=OMEGA):
    return np.multiply.outer(np.asarray(positions, float), omega)


def by_cos_and_sin(x, positions, cos_sin, swap):
    """x cos + swap(x) sin, as most code has it."""
    cos, sin = cos_sin(positions)
    return x * cos + swap(x) * sin


def for_halves(positions):
    twice = np.concatenate([angles(positions)] * 2, axis=-1)
    return np.cos(twice), np.sin(twice)


def for_neighbors(positions):
    twice = np.repeat(angles(positions), 2, axis=-1)
    return np.cos(twice), np.sin(twice)


def rotate_half(x):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


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


def with_heads_behind(x, positions):
    """x is (batch, length, heads, d_head), positions (batch, length)."""
    assert x.ndim == 4
    assert positions.ndim == 2
    return half(x, positions[..., None])


def with_heads_in_front(x, positions):
    """x is (batch, heads, length, d_head), positions (batch, length)."""
    assert x.ndim == 4
    assert positions.ndim == 2
    return half(x, positions[:, None])


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
        twice = np.concatenate([self.last] * 2, axis=-1)
        return x * np.cos(twice) + rotate_half(x) * np.sin(twice)


def scores(query_at=0, key_at=0, key_layout="half", sign=1, scale=1.0):
    def of(queries, keys):
        t = np.arange(len(queries))
        turned = rotate(keys, sign * (t + key_at), layout=key_layout)
        return scale * half(queries, t + query_at) @ turned.T

    return of


def scores_at(queries, keys, positions):
    return half(queries, positions) @ half(keys, positions).T / np.sqrt(queries.shape[-1])


def of_scores(turned):
    return lambda queries, keys, t: turned(queries, t) @ turned(keys, t).T


def by_rounded_angles(x, positions):
    twice = np.concatenate([bfloat16(angles(positions))] * 2, axis=-1)
    return x * np.cos(twice) + rotate_half(x) * np.sin(twice)


def apply_rotary(q, k, cos, sin):
    return q * cos + rotate_half(q) * sin, k * cos - rotate_half(k) * sin


def masked(queries, keys):
    seen = np.tri(len(queries), dtype=bool)
    return np.where(seen, scores()(queries, keys), -np.inf)


RIGHT = {
    "neighbors": rotate,
    "halves": half,
    "halves, by cos and sin": lambda x, t: by_cos_and_sin(x, t, for_halves, rotate_half),
    "neighbors, by cos and sin": lambda x, t: by_cos_and_sin(x, t, for_neighbors, rotate_every_two),
    "complex numbers": complex_numbers,
    "heads behind the length": with_heads_behind,
    "heads in front of the length": with_heads_in_front,
    "columns reordered": in_columns_of_halves,
    "a table of 512 rows": Table(512),
    "a table of 64 rows": Table(64),
    "a part, at the start": part,
    "the first pairs of a head": lambda x, t: half(x, t, frequencies=proportional(D, 0.25)),
    "a part, at the end": lambda x, t: part(x, t, last=True),
    "base 500,000": lambda x, t: half(x, t, base=500_000.0),
    "YaRN with its temperature": lambda x, t: 1.139 * half(x, t, frequencies=yarn(D, 4, 2048)),
    "Llama 3": lambda x, t: half(x, t, base=5e5, frequencies=llama3(D, 8, 8192)),
    "interpolation": lambda x, t: half(x, t, frequencies=interpolated(D, 4)),
    "a larger base": lambda x, t: half(x, t, frequencies=ntk_aware(D, 4)),
    "neighbors, a larger base": lambda x, t: rotate(x, t, frequencies=ntk_aware(D, 4)),
    "rounded to 16 bits": lambda x, t: half(x, t).astype(np.float16),
    "scores": scores(scale=D**-0.5),
    "scores at positions": scores_at,
    "scores, both moved": scores(7, 7),
    "scores, masked": masked,
    "angles for halves": for_halves,
    "angles as complex numbers": lambda length: np.exp(1j * angles(range(length))),
    "slopes": alibi_slopes,
    "slopes of 8 heads alone": lambda n: {8: alibi_slopes(8)}[n],
    "ALiBi": lambda length: alibi_bias(length, alibi_slopes(8)),
    "ALiBi, one row a head": lambda n, length: alibi_slopes(n)[:, None] * np.arange(length),
    "BLOOM": lambda length: (
        alibi_slopes(8)[:, None, None] * np.tile(np.arange(length), (length, 1))
    ),
    "T5": lambda length: t5_bias(length, np.random.default_rng(0).normal(size=(32, 4))),
}


@pytest.mark.parametrize("name", RIGHT)
def test_no_right_function_is_accused(name):
    assert examine(RIGHT[name], D).problems == ()


def test_results_in_16_bits_are_not_taken_for_rounded_frequencies():
    assert examine(lambda x, t: bfloat16(half(x, t, base=1e6)), 128).problems == ()


def frequencies_by(exponents):
    return lambda x, t: half(x, t, frequencies=10000.0 ** -np.asarray(exponents, float))


PAIR = np.arange(16)
GROWN = config({**LLAMA, "hidden_size": 1024, "rope_scaling": YARN}).layers[0]
# A function, what is expected of it, words of the first line.
WRONG = {
    "the other layout": (half, {"layout": "interleaved"}, "pairs are halves"),
    "the other layout back": (rotate, {"layout": "half"}, "pairs are neighbors"),
    "turned backward": (lambda x, t: half(x, -t), {}, "turn the other way"),
    "positions ignored": (lambda x, t: half(x, np.arange(x.shape[-2])), {}, "wrong with a cache"),
    "nothing turned": (lambda x, t: x, {}, "no position has an effect"),
    "one turn for all": (lambda x, t: half(x, 0 * t + 3), {}, "all are turned alike"),
    "bfloat16 positions": (lambda x, t: half(x, bfloat16(t)), {}, "rounded to bfloat16"),
    "float16 positions": (lambda x, t: half(x, t.astype(np.float16).astype(float)), {}, "float16"),
    "clipped": (lambda x, t: half(x, np.minimum(t, 100)), {}, "clipped"),
    "halves' angles": (lambda x, t: by_cos_and_sin(x, t, for_halves, rotate_every_two), {},
                       "laid out for halves"),
    "neighbors' angles": (lambda x, t: by_cos_and_sin(x, t, for_neighbors, rotate_half), {},
                          "laid out for neighbors"),
    "factor 2 missing": (frequencies_by(PAIR / 32), {"base": 1e4}, "half of the right one"),
    "factor 2 twice": (frequencies_by(4 * PAIR / 32), {"base": 1e4}, "the exponent doubles them"),
    "ends on 1/base": (frequencies_by(PAIR / 15), {"base": 1e4}, "slowest frequency is exactly"),
    "slow to fast": (frequencies_by(2 * PAIR[::-1] / 32), {}, "from slow to fast"),
    "integers": (frequencies_by(0 * PAIR), {}, "computed in integers"),
    "another base": (half, {"base": 500_000.0}, "base"),
    "rounded frequencies": (lambda x, t: half(x, t, frequencies=bfloat16(OMEGA)), {},
                            "frequencies are rounded to bfloat16"),
    "width of the whole head": (lambda x, t: part(x, t, OMEGA[:4]), {"base": 1e4}, "whole head"),
    "a stale table": (Table(512, stale=True), {}, "called before"),
    "a norm beside": (lambda x, t: half(x / (1e-9 + np.abs(x).max()), t), {}, "twice the vector"),
    "norms": (lambda x, t: x * np.cos(angles(t, np.repeat(OMEGA, 2))), {}, "norms are not kept"),
    "a sine too small": (
        lambda x, t: by_cos_and_sin(x, t, lambda t: (for_halves(t)[0], 0.8 * for_halves(t)[1]),
                                    rotate_half), {}, "norms are not kept: a cosine"),
    "texts of a batch": (lambda x, t: half(x, t + np.arange(2)[:, None] * (x.ndim == 3)), {},
                         "wrong axis"),
    "no temperature": (half, {"layer": GROWN}, "multiplied by 1, not 1.139"),
    "angles, other layout": (for_neighbors, {"layout": "half"}, "pairs are neighbors"),
    "keys not turned": (lambda q, k: half(q, np.arange(len(q))) @ k.T, {}, "keys are not"),
    "queries not turned": (lambda q, k: q @ half(k, np.arange(len(k))).T, {}, "queries are not"),
    "queries one too far": (scores(1, 0), {}, "queries are one position too far"),
    "keys one too far": (scores(0, 1), {}, "keys are one position too far"),
    "no positions": (lambda q, k: q @ k.T, {}, "no position has an effect"),
    "scores, rounded positions": (of_scores(lambda x, t: half(x, bfloat16(t))), {}, "to bfloat16"),
    "rounded angles": (by_rounded_angles, {}, "angles are rounded to 16 bits"),
    "scores, rounded angles": (of_scores(by_rounded_angles), {}, "angles are rounded to 16 bits"),
    "steps of 10": (lambda x, t: half(x, 10 * np.round(t / 10)), {}, "not proportional"),
    "scores, positions ignored": (lambda q, k, t: scores()(q, k), {}, "ignored"),
    "slopes from 1": (lambda n: 2.0 ** (-8 * np.arange(n) / n), {}, "start at 1"),
    "twelve heads": (lambda n: 2.0 ** (-8 * np.arange(1, n + 1) / n), {}, "of two"),
    "ALiBi upside down": (lambda n: -alibi_bias(n, alibi_slopes(8)), {}, "wrong sign"),
    "an offset for a distance": (
        lambda n: alibi_slopes(8)[:, None, None] * -np.subtract.outer(range(n), range(n)), {},
        "keys ahead are preferred"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_function_is_named_first(name):
    function, expected, words = WRONG[name]
    problems = examine(function, D, **expected).problems
    assert problems
    assert any(word in problems[0] for word in words.split("|")), problems


def test_what_follows_from_the_cause_is_not_another_problem():
    found = examine(of_scores(WRONG["neighbors' angles"][0]), D)
    assert len(found.problems) == 1
    assert "laid out for neighbors" in found.problems[0]
    assert len(examine(WRONG["steps of 10"][0], D).problems) == 1


@pytest.mark.parametrize(("given", "missing"), [
    ({}, "layout= or base="), ({"layout": "half"}, "base="), ({"base": 1e4}, "layout="),
    ({"layer": config(LLAMA).layers[0]}, ""),
])  # fmt: skip
def test_what_was_not_compared_is_said(given, missing):
    base = given["layer"].base if "layer" in given else 1e4
    said = str(examine(lambda x, t: half(x, t, base=base), **given)).split("\n")[0]
    missing = f" (no {missing} was given to compare with)" if missing else ""
    assert said == f"no mistake is seen{missing}"
    assert re.search("^no mistake is seen\n(?s:.*) 12 heads: 0.5,", str(examine(alibi_slopes)))


@pytest.mark.parametrize("name", ["halves' angles", "neighbors' angles", "a sine too small"])
def test_what_changes_norms_is_not_called_a_rotation(name):
    assert "  no rotation: mixes 32 of 32 columns" in str(examine(WRONG[name][0], 32))


MISUSED = {
    "cache off by one": "the cache",
    "keys in the other layout": "different layouts",
    "keys turned backward": "sum of the positions",
    "both turned backward": "other way",
}


@pytest.mark.parametrize("name", MISUSED)
def test_the_misuses_are_named(name):
    found = examine(MISUSES[name].wrong, 8, layout="half")
    assert MISUSED[name] in found.problems[0]
    assert examine(MISUSES[name].right, 8, layout="half").problems == ()


def test_the_facts_are_those_of_the_function():
    found = examine(lambda x, t: part(x, t), D, layout="half")
    assert found.facts["columns"] == list(range(8))
    assert found.facts["layout"] == "half"
    np.testing.assert_allclose(found.facts["frequencies"], frequencies(8), rtol=1e-3)
    assert found.facts["base"] == 10000


@pytest.mark.parametrize(("function", "words"), [
    (half, "as given, real ones too"),
    (lambda x, t: half(x, np.floor(t)), "as given, cut to whole ones"),
    (lambda x, t: half(x, t + 1), "counted from 1, real ones too"),
    (Table(512), "as given, whole ones only"),
])  # fmt: skip
def test_the_positions_that_a_function_takes_are_said(function, words):
    assert examine(function, D).findings[-1] == f"positions: {words}"


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
        (lambda x, t: x[..., :2], {}, "function: expected one of the forms"),
        (lambda: 0, {}, "function: expected one of the forms"),
        (lambda q, k: np.full((8, 8), 1 / 8), {}, "before softmax"),
        (lambda x, t: x.float(), {}, "wants tensors: convert=torch"),
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


def test_a_table_is_none_of_these_functions():
    with pytest.raises(ValueError, match="expected one of the forms"):
        examine(lambda length: sinusoidal(range(length), 16))


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
    (tmp_path / "llama.json").write_text(json.dumps({**LLAMA, "rope_theta": 10000.0}))
    (tmp_path / "other.json").write_text(json.dumps({**LLAMA, "rope_theta": 500000.0}))
    (tmp_path / "bert.json").write_text(json.dumps({**LLAMA, "model_type": "bert"}))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("arguments", "status", "words"), [
    ("turning:back --base 10000", 1, "wrong: pairs turn the other way"),
    ("turning:half --d-head 64 --layout interleaved", 1, "wrong: pairs are halves"),
    ("turning:half --config llama.json", 0, "rotation of 128 of 128 columns"),
    ("turning:half --config other.json", 1, "the frequencies are not those of the config"),
    ("turning:half --config bert.json", 2, "layer: expected one of `config` that turns"),
    ("turning.py:half --convert numpy:asarray", 0, "no mistake is seen"),
    ("turning:half --convert numpy", 2, "convert: expected module:function"),
    ("turning:nothing", 2, "turning:nothing cannot be loaded: AttributeError"),
    ("turning", 2, "function: expected module:function"),
    ("turning:slopes", 1, "wrong: The number of heads is not a power of two"),
    ("turning:slopes --heads 16", 0, "no mistake is seen slopes for 16 heads: 0.7071,"),
    ("turning:slopes --heads -1", 2, "n_heads: expected an integer of at least 1"),
    ("turning:half --base 0", 2, "base: expected a number greater than 1"),
])  # fmt: skip
@pytest.mark.usefixtures("turning")
def test_a_function_in_a_file_is_examined_from_the_shell(arguments, status, words, capsys):
    assert main(["examine", *arguments.split()]) == status
    out, err = capsys.readouterr()
    assert words in (err if status == 2 else " ".join(out.split()))
