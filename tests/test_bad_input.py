"""Bad input: an error that names the argument, never a silent wrong table."""

import contextlib
import re

import numpy as np
import pytest

import pecode
from pecode.lab.scorecard import scorecard

NAN, INF = float("nan"), float("inf")
HUGE = 10**30  # fits no 64-bit integer

# What every argument refuses, wherever it stands.
NO_INTEGERS = [
    0.5, 1.0, np.float64(2), NAN, INF, 1j, True, np.True_, None, "3", "three", b"3", {3}, {3: 3},
    np.array(1.5), np.array("a"), np.datetime64("2017-06-12"), np.timedelta64(1, "s"), object(),
]  # fmt: skip
BAD = {
    "positions": [
        *NO_INTEGERS, [1, 2.0], [1, None], [1, "2"], [True, False], [1, True], [[1], [True]],
        np.array([1, np.nan]), np.array([]), [[1, 2], [3]], HUGE, -HUGE, [1, HUGE], 2**63,
        [2**63, 1], [2**63, -1], np.uint64(2**63), np.array([2**64 - 1], np.uint64),
        np.array([1, 2.5], object), np.array([HUGE, 1], object), (t for t in range(3)),
    ],
    "one integer": [*NO_INTEGERS, [3], (3,), np.array([3]), np.array([3, 4]), [], range(3)],
    "d_model": [0, -1, -HUGE, HUGE, 2**63, 2**40],
    "even d_model": [1, 3, 7, 511],
    "length": [-1, -HUGE, HUGE, 2**63, 2**40],
    "base": [
        1, 1.0, 0, 0.5, -10000, NAN, INF, -INF, 10**400, True, None, "10000", 1j, [10000.0],
        np.array([100.0]), b"1",
    ],
    "layout": ["", "Interleaved", "half", "big", b"interleaved", None, 0, True, ["interleaved"]],
    "spacing": ["", "Paper", "linear", None, 0, True, ["paper"]],
    "dtype": [
        None, int, "int64", bool, complex, "float128x", np.longdouble, ">f4", object, 32, [1],
        {"a": 1}, "f4,f4", "{",
    ],
}  # fmt: skip
# numpy's longdouble is float64 on some systems, and then it is welcome
if np.dtype(np.longdouble) == np.float64:
    BAD["dtype"].remove(np.longdouble)

# What real arrays refuse.
NO_REALS = [
    None, "a", b"a", 1j, True, {1.0}, [[1.0, 2.0], [3.0]], [[1.0, None], [2.0, 3.0]],
    [[1.0, "2"], [2.0, 3.0]], [[True, False], [True, True]], [[1.0, True], [2.0, 3.0]],
    np.ones((2, 2), complex), np.ones((2, 2), object), np.ones((2, 2), bool),
    np.array([["a", "b"]]), np.array([np.datetime64("2017-06-12")]),
]  # fmt: skip
NOT_FINITE = [[[NAN, 1.0], [1.0, 1.0]], [[INF, 1.0], [1.0, 1.0]], [[-INF, 1.0], [1.0, 1.0]]]
ANY_REALS = [*NO_REALS, *NOT_FINITE]

W = np.eye(2)
X = np.ones((3, 2))


def attend(**changed):
    arguments = {"x": X, "w_query": W, "w_key": W, "w_value": W, **changed}
    return pecode.self_attention(**arguments)


def weigh(**changed):
    arguments = {"x": X, "w_query": W, "w_key": W, **changed}
    return pecode.attention_weights(**arguments)


# (a call with one argument left open, the name of the argument, what it must refuse)
CASES = [
    (lambda v: pecode.count(v), "positions", BAD["positions"]),
    (lambda v: pecode.normalized_count(v, 10), "positions", [*BAD["positions"], -1, 10, [0, 10]]),
    (lambda v: pecode.normalized_count(0, v), "length", [*BAD["one integer"], *BAD["length"], 0]),
    (lambda v: pecode.binary(v, 4), "positions", [*BAD["positions"], -1, 16, [0, 16], -(2**63)]),
    (lambda v: pecode.binary(v, 63), "positions", [-1, 2**63]),
    (lambda v: pecode.binary(0, v), "n_bits", [*BAD["one integer"], 0, -1, 64, HUGE]),
    (lambda v: pecode.binary(0, 4, v), "bit_order", ["", "Big", "interleaved", None, 0, ["big"]]),
    (lambda v: pecode.sine_only(v, 4), "positions", BAD["positions"]),
    (lambda v: pecode.sine_only(0, v), "d_model", [*BAD["one integer"], *BAD["d_model"]]),
    (lambda v: pecode.sine_only(0, 4, v), "base", BAD["base"]),
    (lambda v: pecode.sine_only(0, 2, v, frequencies=[1.0, 2.0]), "base", BAD["base"]),
    (
        lambda v: pecode.sine_only(0, 2, frequencies=v),
        "frequencies",
        [*ANY_REALS[1:], 1.0, [], [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [NAN, 1.0], [1.0, INF]],
    ),
    (lambda v: pecode.frequencies(v), "d_model", [*BAD["one integer"], *BAD["d_model"]]),
    (lambda v: pecode.frequencies(4, v), "base", BAD["base"]),
    (lambda v: pecode.frequencies(4, spacing=v), "spacing", BAD["spacing"]),
    (lambda v: pecode.wavelengths(v), "d_model", [*BAD["one integer"], *BAD["d_model"]]),
    (lambda v: pecode.wavelengths(4, v), "base", BAD["base"]),
    (lambda v: pecode.wavelengths(4, spacing=v), "spacing", BAD["spacing"]),
    (lambda v: pecode.sinusoidal(v, 4), "positions", BAD["positions"]),
    (lambda v: pecode.sinusoidal(0, v), "d_model", [*BAD["one integer"], *BAD["d_model"]]),
    (lambda v: pecode.sinusoidal(0, 4, v), "base", BAD["base"]),
    (lambda v: pecode.sinusoidal(0, 4, layout=v), "layout", BAD["layout"]),
    (lambda v: pecode.sinusoidal(0, 4, spacing=v), "spacing", BAD["spacing"]),
    (lambda v: pecode.sinusoidal(0, 4, dtype=v), "dtype", BAD["dtype"]),
    (lambda v: pecode.sinusoidal_table(v, 4), "length", [*BAD["one integer"], *BAD["length"]]),
    (lambda v: pecode.sinusoidal_table(3, v), "d_model", [*BAD["one integer"], *BAD["d_model"]]),
    (lambda v: pecode.sinusoidal_table(3, 4, v), "base", BAD["base"]),
    (lambda v: pecode.sinusoidal_table(3, 4, layout=v), "layout", BAD["layout"]),
    (lambda v: pecode.sinusoidal_table(3, 4, spacing=v), "spacing", BAD["spacing"]),
    (lambda v: pecode.sinusoidal_table(3, 4, dtype=v), "dtype", BAD["dtype"]),
    (
        lambda v: pecode.sinusoidal_table(3, 4, out=v),
        "out",
        [
            [[0.0] * 4] * 3,
            0,
            True,
            "out",
            np.zeros((4, 3)),
            np.zeros((3, 5)),
            np.zeros(12),
            np.zeros((3, 4), np.float32),
            np.zeros((3, 4), int),
            np.zeros((3, 4), ">f8"),
            np.broadcast_to(np.zeros(4), (3, 4)),
        ],
    ),
    (lambda v: pecode.translation_matrix(v, 4), "offset", [*BAD["one integer"], HUGE, 2**63]),
    (
        lambda v: pecode.translation_matrix(1, v),
        "d_model",
        [*BAD["one integer"], *BAD["d_model"], *BAD["even d_model"]],
    ),
    (lambda v: pecode.translation_matrix(1, 4, v), "base", BAD["base"]),
    (lambda v: pecode.translation_matrix(1, 4, layout=v), "layout", BAD["layout"]),
    (lambda v: pecode.translation_matrix(1, 4, spacing=v), "spacing", BAD["spacing"]),
    (
        lambda v: pecode.translate(v, 1),
        "encoding",
        [*ANY_REALS, 1.0, [], [1.0], [1.0] * 7, np.ones((2, 3)), np.ones((3, 0))],
    ),
    (lambda v: pecode.translate([0.0, 1.0], v), "offset", [*BAD["one integer"], HUGE, -(2**64)]),
    (lambda v: pecode.translate([0.0, 1.0], 1, v), "base", BAD["base"]),
    (lambda v: pecode.translate([0.0, 1.0], 1, layout=v), "layout", BAD["layout"]),
    (lambda v: pecode.translate([0.0, 1.0], 1, spacing=v), "spacing", BAD["spacing"]),
    (
        lambda v: pecode.fit_translation(v, 1),
        "table",
        [*ANY_REALS, 1.0, [], [1.0, 2.0], np.ones((2, 2, 2)), np.ones((3, 0))],
    ),
    (
        lambda v: pecode.fit_translation(X, v),
        "offset",
        [*BAD["one integer"], 3, -3, 4, HUGE, -HUGE],
    ),
    (lambda v: pecode.similarity(v, 4), "offsets", BAD["positions"]),
    (
        lambda v: pecode.similarity(1, v),
        "d_model",
        [*BAD["one integer"], *BAD["d_model"], *BAD["even d_model"]],
    ),
    (lambda v: pecode.similarity(1, 4, v), "base", BAD["base"]),
    (lambda v: pecode.similarity(1, 4, spacing=v), "spacing", BAD["spacing"]),
    (
        lambda v: pecode.softmax(v),
        "scores",
        [*NO_REALS, 1.0, [], np.ones((2, 0)), [NAN, 1.0], [INF, 1.0], [-INF, -INF]],
    ),
    (lambda v: pecode.softmax(X, v), "axis", [*BAD["one integer"], 2, -3, HUGE]),
    (lambda v: pecode.causal_mask(v), "length", [*BAD["one integer"], *BAD["length"]]),
]
for call in (attend, weigh):
    CASES += [
        (
            lambda v, call=call: call(x=v),
            "x",
            [*ANY_REALS, 1.0, [], [1.0, 2.0], np.ones((0, 2)), np.ones((2, 0))],
        ),
        (
            lambda v, call=call: call(w_query=v),
            "w_query",
            [*ANY_REALS, 1.0, [1.0, 2.0], np.ones((3, 2)), np.ones((1, 2, 2)), np.ones((2, 0))],
        ),
        (
            lambda v, call=call: call(w_key=v),
            "w_key",
            [*ANY_REALS, 1.0, [1.0, 2.0], np.ones((3, 2)), np.ones((2, 3)), np.ones((2, 0))],
        ),
        (
            lambda v, call=call: call(mask=v),
            "mask",
            [
                0, 1.0, NAN, "mask", [[1, 0, 0]] * 3, np.tri(3), [[True], [True, False]],
                False, [True, False], np.ones((2, 3), bool), np.ones((2, 3, 3), bool),
                np.diag([True, True, False]),
            ],
        ),
        (
            lambda v, call=call: call(bias=v),
            "bias",
            # None means that there is none
            [*ANY_REALS[1:], [1.0, 2.0], np.ones((2, 3)), np.ones((2, 3, 3)), NAN, INF, -INF],
        ),
    ]  # fmt: skip
CASES.append(
    (
        lambda v: attend(w_value=v),
        "w_value",
        [*ANY_REALS, 1.0, [1.0, 2.0], np.ones((3, 2)), np.ones((2, 0))],
    )
)
CASES += [
    (scorecard, "encode", [None, 3, "count", np.ones((3, 2))]),
    (
        lambda v: scorecard(lambda p: v),
        "encode",
        [*ANY_REALS, 1.0, [], np.ones(1024), np.ones((3, 2)), np.ones((1024, 0))],
    ),
    (lambda v: scorecard(pecode.count, length=v), "length", [*BAD["one integer"], 0, 132, HUGE]),
    (lambda v: scorecard(pecode.count, fit_below=v), "fit_below", [*BAD["one integer"], 0, 4, -1]),
    (lambda v: scorecard(pecode.count, test_from=v), "test_from", [*BAD["one integer"], 0, 95]),
    (lambda v: scorecard(pecode.count, offset=v), "offset", [*BAD["one integer"], 0, -4]),
]


def shown(value):
    return re.sub(r"0x\w+", "…", " ".join(repr(value).split()))[:40]


def function_of(call):
    names = [name for name in call.__code__.co_names if name != "pecode"]
    return "scorecard" if call is scorecard else names[0] if names else "attention"


def each_case():
    seen = {}
    for call, name, values in CASES:
        for value in values:
            label = f"{function_of(call)}-{name}-{shown(value)}"
            seen[label] = seen.get(label, 0) + 1
            yield pytest.param(call, name, value, id=f"{label}-{seen[label]}")


@pytest.mark.parametrize(("call", "name", "value"), list(each_case()))
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, value):
    with pytest.raises((TypeError, ValueError), match=rf"^{name}\b.*expected .*got ") as caught:
        call(value)
    assert len(str(caught.value)) < 250  # a long array is not printed whole
    assert type(caught.value) in (TypeError, ValueError)


def test_a_width_that_changes_with_the_length_is_refused():
    with pytest.raises(ValueError, match=r"^encode: expected the same width .* got"):
        scorecard(lambda p: np.ones((len(p), len(p) // 100)))


def test_a_function_that_breaks_is_not_taken_for_one_that_ends():
    def broken(positions):
        if len(positions) > 1024:
            raise ZeroDivisionError
        return pecode.count(positions)

    with pytest.raises(ZeroDivisionError):
        scorecard(broken)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: pecode.sinusoidal(1.0, 4)),
        (TypeError, lambda: pecode.sinusoidal(True, 4)),
        (TypeError, lambda: pecode.sinusoidal(1, "4")),
        (ValueError, lambda: pecode.sinusoidal(1, 0)),
        (ValueError, lambda: pecode.sinusoidal(1, 4, layout="other")),
        (ValueError, lambda: pecode.sinusoidal_table(-1, 4)),
        (ValueError, lambda: pecode.binary(16, 4)),
    ],
)
def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error(kind, call):
    with pytest.raises(kind):
        call()


def test_a_refused_out_is_left_as_it_was():
    out = np.full((3, 4), 7.0)
    for bad in ({"length": 4}, {"dtype": np.float32}, {"layout": "other"}, {"base": 1}):
        arguments = {"length": 3, "d_model": 4, "out": out, **bad}
        with contextlib.suppress(ValueError):
            pecode.sinusoidal_table(**arguments)
            pytest.fail("accepted")
    assert (out == 7).all()
