"""Bad input to relative positions, rotary, scaled frequencies and bfloat16: named, never silent."""

import numpy as np
import pytest

from pecode import (
    bfloat16,
    by_offset,
    dynamic_ntk,
    interpolated,
    llama3,
    longrope,
    longrope_temperature,
    ntk_aware,
    relative_key_scores,
    rotate,
    t5_bias,
    t5_buckets,
    to_half,
    to_interleaved,
    yarn,
    yarn_temperature,
)
from tests.test_bad_input import ANY_REALS, BAD, HUGE, INF, NAN, shown

ONE_INTEGER = BAD["one integer"]
NO_REAL = ["4", b"4", None, True, np.True_, 1j, [4.0], np.array([4.0]), object(), {4.0}]
NOT_FINITE = [NAN, INF, -INF, np.float32("nan"), 10**400]
NO_BOOL = [None, 0, 1, 0.0, NAN, "True", "yes", [True], np.array([True])]

D_HEAD = [*ONE_INTEGER, 0, -2, -HUGE, HUGE, 2**40, 1, 3, 7, 511]
FACTOR = [*NO_REAL, *NOT_FINITE, 0, 0.5, 0.999999, -4, -1e308]
LENGTH = [*ONE_INTEGER, 0, -1, -HUGE, HUGE, 2**63]
TABLE = np.ones((4, 2))
NARROW, WIDE = np.ones((3, 3)), np.ones((3, 5))

# (what is called, a call with one argument left open, the name of the argument, what it refuses)
CASES = [
    # by_offset
    (
        "by_offset",
        by_offset,
        "values",
        [*ANY_REALS, 1.0, [], [1.0, 2.0], np.ones((3, 4)), np.ones((3, 0)), [NAN], [1, INF, 2]],
    ),
    # T5
    ("buckets", t5_buckets, "relative_positions", BAD["positions"]),
    (
        "buckets",
        lambda v: t5_buckets(0, v),
        "n_buckets",
        [*ONE_INTEGER, 0, 1, 2, 3, 5, 33, -32, HUGE, -HUGE, 2**20],
    ),
    (
        "buckets",
        lambda v: t5_buckets(0, v, bidirectional=False),
        "n_buckets",
        [*ONE_INTEGER, 0, 1, -32, HUGE],
    ),
    (
        "buckets",
        lambda v: t5_buckets(0, 32, v),
        "max_distance",
        [*ONE_INTEGER, -1, 0, 1, 8, HUGE, -HUGE],
    ),
    (
        "buckets",
        lambda v: t5_buckets(0, 33, v, bidirectional=False),
        "max_distance",
        [0, 16, -128],
    ),
    ("buckets", lambda v: t5_buckets(0, bidirectional=v), "bidirectional", NO_BOOL),
    ("t5_bias", lambda v: t5_bias(v, TABLE), "length", [*ONE_INTEGER, *BAD["length"]]),
    (
        "t5_bias",
        lambda v: t5_bias(3, v),
        "table",
        [*ANY_REALS, 1.0, [1.0] * 4, np.ones((1, 4, 2)), NARROW, np.ones((2, 2)), np.ones((0, 2))],
    ),
    ("t5_bias", lambda v: t5_bias(3, v, 10**6), "table", [np.ones((2**11, 1))]),
    ("t5_bias", lambda v: t5_bias(3, TABLE, v), "max_distance", [*ONE_INTEGER, 0, 1, -1, HUGE]),
    ("t5_bias", lambda v: t5_bias(3, TABLE, bidirectional=v), "bidirectional", NO_BOOL),
    # Shaw
    (
        "key scores",
        lambda v: relative_key_scores(v, NARROW),
        "queries",
        [*ANY_REALS, 1.0, [], [1.0, 2.0, 3.0], [[NAN, 1.0, 1.0]]],
    ),
    (
        "key scores",
        lambda v: relative_key_scores(np.ones((4, 3)), v),
        "table",
        [*ANY_REALS, 1.0, [], [1.0, 2.0, 3.0], np.ones((2, 3)), np.ones((0, 3)), WIDE,
         np.ones((1, 3, 3)), np.ones((3, 0))],
    ),
    (
        "key scores",
        lambda v: relative_key_scores(np.ones((4, 0)), v),
        "table",
        [np.ones((3, 0))],
    ),
    # Rotary
    (
        "rotate",
        lambda v: rotate([1.0, 2.0, 3.0, 4.0], 1, frequencies=v),
        "frequencies",
        # None means that there are none
        [*ANY_REALS[1:], 1.0, [], [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [NAN, 1.0], [1.0, INF]],
    ),
    ("rotate", lambda v: rotate([1.0, 2.0], 1, v, frequencies=[1.0]), "base", BAD["base"]),
    (
        "to_half",
        to_half,
        "x",
        [*ANY_REALS, 1.0, [], [1.0], [1.0] * 7, WIDE, np.ones((3, 0)), [NAN, 1.0]],
    ),
    (
        "to_interleaved",
        to_interleaved,
        "x",
        [*ANY_REALS, 1.0, [], [1.0], [1.0] * 7, WIDE, np.ones((3, 0)), [NAN, 1.0]],
    ),
    # Temperatures
    ("temperature", yarn_temperature, "factor", FACTOR),
    ("temperature", lambda v: longrope_temperature(v, 4096), "factor", FACTOR),
    ("temperature", lambda v: longrope_temperature(4, v), "original_length", [*LENGTH, 1]),
    # bfloat16
    (
        "bfloat16",
        bfloat16,
        "x",
        [*ANY_REALS, NAN, INF, -INF, [1.0, NAN], 1e39, -1e39, [[1.0], [4e38]], "1"],
    ),
]  # fmt: skip

# What scaled frequencies share
RULES = {
    "interpolated": lambda d=8, s=4, base=1e4: interpolated(d, s, base),
    "ntk_aware": lambda d=8, s=4, base=1e4: ntk_aware(d, s, base),
    "dynamic_ntk": lambda d=8, s=4, base=1e4: dynamic_ntk(d, 4096, 2048, s, base),
    "yarn": lambda d=8, s=4, base=1e4: yarn(d, s, 2048, base),
    "llama3": lambda d=8, s=4, base=1e4: llama3(d, s, 2048, base),
}
for rule, call in RULES.items():
    pairs = [2] if "ntk" in rule else []  # a single pair has no slowest beside the fastest
    CASES += [
        (rule, lambda v, call=call: call(d=v), "d_head", [*D_HEAD, *pairs]),
        (rule, lambda v, call=call: call(s=v), "factor", FACTOR),
        (rule, lambda v, call=call: call(base=v), "base", BAD["base"]),
    ]
CASES += [
    ("dynamic_ntk", lambda v: dynamic_ntk(8, v, 2048), "length", [*ONE_INTEGER, *BAD["length"]]),
    ("dynamic_ntk", lambda v: dynamic_ntk(8, 4096, v), "original_length", LENGTH),
    ("dynamic_ntk", lambda v: dynamic_ntk(8, 2**31, 1, v), "factor", [1e308]),
    ("yarn", lambda v: yarn(8, 4, v), "original_length", [*LENGTH, 10**12]),
    ("yarn", lambda v: yarn(8, 4, v, truncate=False), "original_length", [1, 6]),
    ("yarn", lambda v: yarn(8, 4, 2048, beta_fast=v), "beta_fast", [*NO_REAL, *NOT_FINITE, 1, -3]),
    ("yarn", lambda v: yarn(8, 4, 2048, beta_slow=v), "beta_slow", [*NO_REAL, *NOT_FINITE, 0, -1]),
    ("yarn", lambda v: yarn(8, 4, 2048, beta_slow=v), "beta_fast", [32, 33.0]),
    ("yarn", lambda v: yarn(8, 4, 2048, truncate=v), "truncate", NO_BOOL),
    ("llama3", lambda v: llama3(8, 4, v), "original_length", LENGTH),
    (
        "llama3",
        lambda v: llama3(8, 4, 2048, low_freq_factor=v),
        "low_freq_factor",
        [*NO_REAL, *NOT_FINITE, 0, -1],
    ),
    (
        "llama3",
        lambda v: llama3(8, 4, 2048, high_freq_factor=v),
        "high_freq_factor",
        [*NO_REAL, *NOT_FINITE, 0, 1, 0.5],
    ),
    ("llama3", lambda v: llama3(8, 4, 2048, low_freq_factor=v), "high_freq_factor", [4, 5.0]),
    ("longrope", lambda v: longrope(v, [1.0] * 4), "d_head", D_HEAD),
    (
        "longrope",
        lambda v: longrope(4, v),
        "factors",
        [*ANY_REALS, 1.0, [], [1.0], [1.0] * 3, [[1.0, 2.0]], [1.0, 0.0], [-1.0, 2.0], [1.0, NAN],
         [1e-320, 1e-320]],
    ),
    ("longrope", lambda v: longrope(4, [1.0, 2.0], v), "base", BAD["base"]),
]  # fmt: skip


def each_case():
    seen = {}
    for label, call, name, values in CASES:
        for value in values:
            key = f"{label}-{name}-{shown(value)}"
            seen[key] = seen.get(key, 0) + 1
            yield pytest.param(call, name, value, id=f"{key}-{seen[key]}")


@pytest.mark.parametrize(("call", "name", "value"), list(each_case()))
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, value):
    with pytest.raises((TypeError, ValueError), match=rf"^{name}\b.*expected .*got ") as caught:
        call(value)
    assert len(str(caught.value)) < 250  # a long array is not printed whole
    assert type(caught.value) in (TypeError, ValueError)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: t5_buckets(1.0)),
        (TypeError, lambda: t5_buckets(1, bidirectional=1)),
        (TypeError, lambda: by_offset("abc")),
        (TypeError, lambda: yarn(8, "4", 2048)),
        (TypeError, lambda: yarn(8, 4, 2048.0)),
        (TypeError, lambda: rotate([1.0, 2.0], 1, frequencies=["1"])),
        (ValueError, lambda: t5_buckets(1, 33)),
        (ValueError, lambda: by_offset([1.0, 2.0])),
        (ValueError, lambda: yarn(7, 4, 2048)),
        (ValueError, lambda: yarn(8, 0.5, 2048)),
        (ValueError, lambda: rotate([1.0, 2.0], 1, frequencies=[1.0, 2.0])),
        (ValueError, lambda: bfloat16(1e39)),
    ],
)
def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error(kind, call):
    with pytest.raises(kind):
        call()


def test_angles_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"^positions, frequencies: expected .*overflow"):
        rotate([1.0, 2.0], 10**6, frequencies=[1e305])


def test_a_scalar_array_serves_as_bool_integer_and_factor():
    buckets = t5_buckets([-20, 20], np.array(32), np.int8(100), np.True_)
    np.testing.assert_array_equal(buckets, t5_buckets([-20, 20], 32, 100, True))
    np.testing.assert_array_equal(
        yarn(np.int16(8), np.array(4), np.int32(2048)), yarn(8, 4.0, 2048)
    )
