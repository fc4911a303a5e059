"""Bad input: an error that names the argument, what was expected and what came; never silence.

Every argument of every public function is tried: the table CALLS has arguments that are right, and
an argument is replaced by what its name must not hold (BAD), or what only this function refuses.
"""

import contextlib
import decimal
import inspect
import re
from collections import deque

import numpy as np
import pytest

import pecode
from pecode._check import checked

NAN, INF = float("nan"), float("inf")
HUGE = 10**30  # fits no 64-bit integer
DIGITS = 10**5000  # Python refuses to write it out
MASKED = np.ma.array([1, 2], mask=[0, 1])

# What is a TypeError; after it, what is a ValueError.
NOT_INTEGER = [
    0.5, 1.0, np.float64(2), NAN, INF, 1j, True, np.True_, None, "3", "three", b"3", {3}, {3: 3},
    np.array(1.5), np.array("a"), np.datetime64("2017-06-12"), np.timedelta64(1, "s"), object(),
]  # fmt: skip
NOT_ONE_INTEGER = [*NOT_INTEGER, [3], (3,), np.array([3]), np.array([3, 4]), [], range(3)]
NOT_INTEGERS = [
    *NOT_INTEGER, [1, 2.0], [1, None], [1, "2"], [True, False], [1, True], [[1], [True]], MASKED,
    np.array([1, np.nan]), np.array([]), np.array([1, 2.5], object), (t for t in range(3)),
    [2**63, 1], [2**63, -1],  # numpy reads them as floats
    bytearray(b"ab"), deque([True, 2]), np.array([], object),
]  # fmt: skip
NO_INTEGERS = [
    [[1, 2], [3]], HUGE, -HUGE, [1, HUGE], 2**63, -(2**63) - 1, DIGITS,
    np.uint64(2**63), np.array([2**64 - 1], np.uint64), np.array([2**63, 1], object),
    np.zeros((1,) * 61, int),
]  # fmt: skip
# Positions that may lie between the integers
NOT_POSITIONS = [
    1j, True, np.True_, None, "3", "three", b"3", {3}, {3: 3}, np.array("a"), object(),
    np.datetime64("2017-06-12"), np.timedelta64(1, "s"), [1, None], [1, "2"], [True, False],
    [1, True], [1.5, True], [[1], [True]], MASKED, np.array([1, 2.5], object), bytearray(b"ab"),
    (t for t in range(3)), deque([True, 2]), np.array([], object),
]  # fmt: skip
NO_POSITIONS = [
    *NO_INTEGERS, NAN, INF, -INF, [0.5, NAN], np.array([1, np.nan]), [2**63, 1], [2**63, -1],
    2.0**63, -(2.0**63), [0.5, 1e300], [[0.5, 1.0], [2.0]],
]  # fmt: skip
NOT_REAL = [
    "4", b"4", None, True, np.True_, 1j, [4.0], np.array([4.0]), object(), {4.0},
    np.timedelta64(4, "s"), np.datetime64("2017-06-12"),
]  # fmt: skip
NOT_FINITE = [NAN, INF, -INF, np.float32("nan"), 10**400]
NOT_REALS = [
    None, "a", b"a", 1j, True, {1.0}, [[1.0, None], [2.0, 3.0]], [[1.0, "2"], [2.0, 3.0]],
    [[True, False], [True, True]], [[1.0, True], [2.0, 3.0]], np.ones((2, 2), complex),
    np.ones((2, 2), object), np.ones((2, 2), bool), np.array([["a", "b"]]), MASKED,
    np.array([np.datetime64("2017-06-12")]),
]  # fmt: skip
NO_REALS = [
    [[1.0, 2.0], [3.0]], [[NAN, 1.0], [1.0, 1.0]], [[INF, 1.0], [1.0, 1.0]],
    [[-INF, 1.0], [1.0, 1.0]],
]  # fmt: skip
NOT_BOOL = [None, 0, 1, 0.0, NAN, "True", "yes", [True], np.array([True])]
NOT_DTYPE = [
    None, int, "int64", bool, complex, "float128x", np.longdouble, ">f4", object, 32, [1],
    {"a": 1}, "f4,f4", "{", ",",
]  # fmt: skip
if np.dtype(np.longdouble) == np.float64:  # on some systems, and then it is welcome
    NOT_DTYPE.remove(np.longdouble)
NOT_MASK = [0, 1.0, NAN, "mask", [[1, 0, 0]] * 3, np.tri(3), MASKED]

TIMES = [value for value in NOT_REALS if not isinstance(value, np.ndarray) or value.ndim]
LENGTH = [-1, -HUGE, HUGE, 2**63, 2**40, DIGITS]
WIDTH = [0, *LENGTH]
LIST = [*NO_REALS, 1.0, [], [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [NAN, 1.0], [1.0, INF]]
WEIGHTS = [*NO_REALS, 1.0, [1.0, 2.0], np.ones((3, 2)), np.ones((1, 2, 2)), np.ones((2, 0))]
GRID = [0, 3, [], [0], [2, -1], [[2, 2]], [2, 2**40], [1] * 9, *NO_INTEGERS]
POINTS = [*NO_REALS, 1.0, [], [1.0], [1.0] * 3, np.ones((3, 0)), np.ones((3, 3)), [NAN, 1.0]]
VECTORS_OF_ANY = [
    *NO_REALS, 1.0, [], [1.0, 2.0], np.ones((2, 0)), np.ones((0, 2)), np.ones((1, 2, 2)),
]  # fmt: skip
PAIRS = [*NO_REALS, 1.0, [], [1.0], [1.0] * 7, np.ones((2, 3)), np.ones((3, 0)), [NAN, 1.0]]

# Name of an argument: values of a wrong type, wrong values
BAD = {
    "positions offsets": (NOT_POSITIONS, NO_POSITIONS),
    "relative_positions": (NOT_INTEGERS, NO_INTEGERS),
    "length": (NOT_ONE_INTEGER, LENGTH),
    "d_model": (NOT_ONE_INTEGER, WIDTH),
    "d_head": (NOT_ONE_INTEGER, [*WIDTH, 1, 3, 7, 511]),
    "original_length": (NOT_ONE_INTEGER, [0, -1, -HUGE, HUGE, 2**63]),
    "n_bits": (NOT_ONE_INTEGER, [0, -1, 64, HUGE]),
    "n_heads": (NOT_ONE_INTEGER, [0, -1, -HUGE, HUGE]),
    "n_buckets": (NOT_ONE_INTEGER, [0, 1, 2, 3, 5, 33, -32, HUGE, -HUGE, 2**20]),
    "max_distance": (NOT_ONE_INTEGER, [-1, 0, 1, HUGE, -HUGE]),
    "clip": (NOT_ONE_INTEGER, [-1, -HUGE]),
    "offset": (
        [*NOT_REAL, 1j, [3], (3,), np.array([3]), [], range(3)],
        [*NOT_FINITE, HUGE, 2**63, -(2**64), 2.0**63, -1e300, DIGITS],
    ),
    "axis": (NOT_ONE_INTEGER, [2, -3, HUGE]),
    "base": (NOT_REAL, [*NOT_FINITE, 1, 1.0, 0, 0.5, -10000]),
    "factor": (NOT_REAL, [*NOT_FINITE, 0, 0.5, 0.999999, -4, -1e308]),
    "mscale mscale_all_dim": (NOT_REAL, [*NOT_FINITE, -0.1, -1]),
    "share fraction": (NOT_REAL, [*NOT_FINITE, 0, -0.5, 1.0001, 2]),
    "slope threshold gamma scale_base": (NOT_REAL, [*NOT_FINITE, 0, -1]),
    "kernel": ([None, 0, ["power"]], ["", "Power", "log"]),
    "r1": (NOT_REALS, [*NO_REALS, 1.0, [], [[1.0, 2.0]], [0.0, 1.0], [1.0, -1.0], [NAN, 1.0]]),
    "r2": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0], [[1.0, 2.0]], [0.0, 1.0], [1.0, -1.0]]),
    "w_in": (NOT_REALS, [*NO_REALS, 1.0, [], [[1.0] * 3], [NAN] * 3]),
    "b_in b_out": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0] * 7, [[1.0] * 3], [NAN] * 3]),
    "w_out": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0] * 3, np.ones((2, 2)), np.ones((3, 0))]),
    "content_bias position_bias": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0] * 7, [[1.0] * 3]]),
    "keys": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0] * 3, np.ones((4, 2)), np.ones((5, 3))]),
    "beta_fast": (NOT_REAL, [*NOT_FINITE, 0, 0.5, -3]),
    "high_freq_factor": (NOT_REAL, [*NOT_FINITE, 0, 1, 0.5, -3]),
    "beta_slow low_freq_factor": (NOT_REAL, [*NOT_FINITE, 0, -1]),
    "bidirectional truncate": (NOT_BOOL, []),
    "bit_order": ([None, 0, ["big"]], ["", "Big", "interleaved"]),
    "layout": ([b"interleaved", None, 0, True, ["half"]], ["", "Half", "Interleaved", "big"]),
    "spacing": ([None, 0, True, ["paper"]], ["", "Paper", "linear"]),
    "dtype": (NOT_DTYPE, []),
    "frequencies factors slopes": (NOT_REALS, LIST),
    "shape": (NOT_INTEGERS[:-3], GRID),
    "new_shape": (NOT_INTEGERS[:-3], [*GRID, [2], [2, 2, 2]]),
    "n_pairs n_axes n_vectors": (NOT_ONE_INTEGER, [0, -1, -HUGE, HUGE, 2**40]),
    "seed": (NOT_ONE_INTEGER, [-1, HUGE]),
    "period": (NOT_REAL, [*NOT_FINITE, 0, -1, 1e-308]),
    "directions": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0, 2.0], np.ones((3, 2)), np.zeros((2, 2))]),
    "timesteps": (NOT_REALS, [*NO_REALS, -1, -1e-9, [0.5, -0.5], NAN, INF]),
    "downscale_freq_shift": (NOT_REAL, [*NOT_FINITE, 4, 5.5]),
    "align_corners flip_sin_to_cos interleaved": (NOT_BOOL, []),
    "style": ([None, 0, ["mae"]], ["", "MAE", "vit"]),
    "scores": (NOT_REALS, [1.0, [], np.ones((2, 0)), [NAN, 1.0], [INF, 1.0], [-INF, -INF]]),
    "mask": (
        NOT_MASK,
        [[[True], [True, False]], False, [True, False], np.ones((2, 3), bool),
         np.ones((2, 3, 3), bool), np.diag([True, True, False])],
    ),
    "bias": (NOT_REALS, [*NO_REALS, [1.0, 2.0], np.ones((2, 3)), np.ones((2, 3, 3)), NAN, -INF]),
    "w_query w_value": (NOT_REALS, WEIGHTS),
    "w_key": (NOT_REALS, [*WEIGHTS, np.ones((2, 3))]),
    "encoding": (NOT_REALS, PAIRS),
    "queries": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0, 2.0, 3.0], [[NAN, 1.0, 1.0]]]),
    "values": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0, 2.0], np.ones((3, 4)), np.ones((3, 0))]),
    "out": ([], [
        [[0.0] * 4] * 3, 0, True, "out", np.zeros((4, 3)), np.zeros((3, 5)), np.zeros(12),
        np.zeros((3, 4), np.float32), np.zeros((3, 4), int), np.zeros((3, 4), ">f8"),
        np.broadcast_to(np.zeros(4), (3, 4)),
    ]),
}  # fmt: skip
BAD = {name: bad for names, bad in BAD.items() for name in names.split()}

SINUSOID = {"d_model": 4, "base": 10.0, "layout": "interleaved", "spacing": "paper"}
T = {"offset": 1, **SINUSOID}
ONES, W = np.ones((3, 2)), np.eye(2)
ATTEND = {"x": ONES, "w_query": W, "w_key": W, "mask": np.tri(3, dtype=bool), "bias": ONES[:, :1]}
X = (NOT_REALS, [*NO_REALS, 1.0, [], [1.0, 2.0], np.ones((0, 2)), np.ones((2, 0))])
T5 = {"max_distance": 128, "bidirectional": True}
RULE = {"d_head": 8, "factor": 4.0, "base": 1e4}
ROTATE = {"x": np.ones((2, 4)), "positions": 1, "base": 10.0, "layout": "half"}
FIRE = {
    "length": 3, "w_in": [1.0, 2.0, 3.0], "b_in": [0.0, 0.0, 1.0], "w_out": np.ones((3, 3)),
    "b_out": [0.0, 1.0, 2.0], "slope": 0.1, "threshold": 8.0,
}  # fmt: skip
BOTH = {"queries": np.ones((4, 3)), "keys": np.ones((4, 3))}
XL = {"content_bias": [1.0, 2.0, 3.0], "position_bias": [1.0, 2.0, 3.0]}
ROWS = [*NO_REALS, 1.0, [], [1.0, 2.0, 3.0], np.ones((0, 3)), np.ones((6, 5)), np.ones((1, 6, 3))]
TABLE = (NOT_REALS, [*ROWS, np.ones((2, 3))])

# A function, arguments that are right, and what it refuses beyond BAD, or instead of it (a pair)
CALLS = [
    (pecode.count, {"positions": 0}, {}),
    (
        pecode.normalized_count,
        {"positions": 0, "length": 10},
        {"positions": (NOT_INTEGERS, [*NO_INTEGERS, -1, 10, [0, 10]]), "length": [0]},
    ),
    (
        pecode.binary,
        {"positions": 0, "n_bits": 4, "bit_order": "big"},
        {"positions": (NOT_INTEGERS, [*NO_INTEGERS, -1, 16, [0, 16], -(2**63)])},
    ),
    (pecode.binary, {"positions": 0, "n_bits": 63}, {"positions": (NOT_INTEGERS, [-1])}),
    (
        pecode.sine_only,
        {"positions": 0, "d_model": 2, "base": 10.0, "frequencies": [1.0, 2.0]},
        {},
    ),
    (pecode.sine_only, {"positions": 0, "d_model": 4, "base": 10.0}, {}),
    (pecode.frequencies, {"d_model": 4, "base": 10.0, "spacing": "paper"}, {}),
    (pecode.wavelengths, {"d_model": 4, "base": 10.0, "spacing": "paper"}, {}),
    (pecode.sinusoidal, {"positions": 0, **SINUSOID, "dtype": "f4"}, {}),
    (
        pecode.sinusoidal_table,
        {"length": 3, **SINUSOID, "dtype": np.float64, "out": np.ones((3, 4))},
        {},
    ),
    (pecode.translation_matrix, T, {"d_model": [1, 3, 7, 511]}),
    (
        pecode.translate,
        {"encoding": [0.0, 1.0], **{k: v for k, v in T.items() if k != "d_model"}},
        {},
    ),
    (
        pecode.fit_translation,
        {"table": ONES, "offset": 1},
        {
            "table": (
                NOT_REALS,
                [*NO_REALS, 1.0, [], [1.0, 2.0], [[]], *map(np.ones, [(2, 2, 2), (3, 0), (0, 3)])],
            ),
            "offset": (NOT_ONE_INTEGER, [3, -3, 4, HUGE, -HUGE, 2**63]),
        },
    ),
    (
        pecode.similarity,
        {"offsets": 1, "d_model": 4, "base": 10.0, "spacing": "paper"},
        {"d_model": [1, 3, 7, 511]},
    ),
    (pecode.softmax, {"scores": ONES, "axis": -1}, {}),
    (pecode.causal_mask, {"length": 3}, {}),
    (pecode.attention_weights, ATTEND, {"x": X}),
    (pecode.self_attention, {**ATTEND, "w_value": W}, {"x": X}),
    (pecode.relative_positions, {"length": 3}, {}),
    (pecode.clipped_relative_positions, {"length": 3, "clip": 2}, {}),
    (pecode.alibi_slopes, {"n_heads": 2}, {}),
    (
        pecode.alibi_bias,
        {"length": 3, "slopes": [0.5]},
        {"slopes": (NOT_REALS, [*NO_REALS, 0.5, [[0.5]], [NAN], [0.5, INF], [1.7e308]])},
    ),
    (pecode.by_offset, {"values": [1.0, 2.0, 3.0]}, {}),
    (
        pecode.t5_buckets,
        {"relative_positions": 0, "n_buckets": 32, **T5},
        {"max_distance": [8]},
    ),
    (
        pecode.t5_buckets,
        {"relative_positions": 0, "n_buckets": 33, "max_distance": 128, "bidirectional": False},
        {"n_buckets": (NOT_ONE_INTEGER, [0, 1, -32, HUGE]), "max_distance": [16, -128]},
    ),
    (
        pecode.t5_bias,
        {"length": 3, "table": np.ones((4, 2)), **T5},
        {
            "table": (
                NOT_REALS,
                [*NO_REALS, 1.0, [1.0] * 4, np.ones((1, 4, 2)), np.ones((3, 3)), np.ones((2, 2)),
                 np.ones((0, 2)), np.ones((2**11, 1))],
            ),
        },
    ),
    (
        pecode.relative_key_scores,
        {"queries": np.ones((4, 3)), "table": np.ones((3, 3))},
        {
            "table": (
                NOT_REALS,
                [*NO_REALS, 1.0, [], [1.0, 2.0, 3.0], np.ones((2, 3)), np.ones((0, 3)),
                 np.ones((3, 5)), np.ones((1, 3, 3)), np.ones((3, 0))],
            ),
        },
    ),
    (pecode.kerple_bias, {"length": 3, "r1": [1.0, 2.0], "r2": [0.5, 1.0], "kernel": "power"},
     {"r2": [[0.5, 2.1]]}),
    (pecode.fire_bias, FIRE, {"slope": [], "threshold": [5e-324]}),
    (pecode.transformer_xl_scores, {**BOTH, "table": np.ones((5, 3)), **XL}, {"table": TABLE}),
    (
        pecode.deberta_buckets,
        {"relative_positions": 0, "n_buckets": 32, "max_distance": 128},
        {"max_distance": [16, 17]},
    ),
    (
        pecode.disentangled_scores,
        {**BOTH, "position_queries": np.ones((6, 3)), "position_keys": np.ones((6, 3)),
         "offsets": np.zeros((4, 4), int)},
        {
            "position_queries": (NOT_REALS, [*ROWS, np.ones((4, 3))]),
            "position_keys": (NOT_REALS, [*ROWS, np.ones((5, 3))]),
            "offsets": (NOT_INTEGERS, [*NO_INTEGERS, 0, [1, 2, 3, 4], np.zeros((3, 3), int)]),
        },
    ),
    (
        pecode.xpos_decay,
        {"positions": 0, "d_head": 4, "gamma": 0.4, "scale_base": 512.0},
        {"positions": [-1e300, -(10**9)]},
    ),
    (
        pecode.contextual_positions,
        {"scores": np.ones((2, 3, 3))},
        {"scores": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0], np.ones((2, 3)), np.ones((3, 2, 4))])},
    ),
    (
        pecode.contextual_bias,
        {"queries": np.ones((2, 3)), "positions": np.ones((2, 2)), "table": np.ones((5, 3))},
        {
            "positions": (
                NOT_REALS,
                [*NO_REALS, 1.0, [], [1.0], np.ones((3, 3)), np.ones((1, 2, 2)), -np.ones((2, 2))],
            ),
            "queries": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0, 2.0, 3.0], [[NAN, 1.0, 1.0]] * 2]),
            "table": (NOT_REALS, ROWS),
        },
    ),
    (pecode.rotate, {**ROTATE, "frequencies": [1.0, 2.0]}, {"x": (NOT_REALS, [])}),
    (
        pecode.rotate,
        {**ROTATE, "x": np.ones((2, 3, 4))},
        {
            "x": (NOT_REALS, PAIRS),
            "positions": [
                [1, 2], [1, 2, 3, 4], [[1, 2, 3]] * 3, [[[1, 2, 3]]], np.zeros((3, 2), int), [],
            ],
            "layout": ["concatenated", "neox"],
        },
    ),
    (pecode.rotate, {**ROTATE, "x": np.ones(2)}, {"x": ([], []), "positions": [[1], [1, 2]]}),
    (
        pecode.rotate_part,
        {**ROTATE, "x": np.ones((3, 12)), "fraction": 0.5},
        {
            "x": (
                NOT_REALS,
                [*NO_REALS, 1.0, [], np.ones((3, 0)), [NAN, *[1.0] * 7],
                 [*[1.0] * 7, INF]],
            ),
            "positions": [[1, 2], [[1, 2, 3]] * 2, []],
            "fraction": [0.25, 0.1, 1e-9, 0.75],
            "layout": ["concatenated", "neox"],
        },
    ),
    (pecode.to_half, {"x": ONES}, {"x": (NOT_REALS, PAIRS)}),
    (pecode.to_interleaved, {"x": ONES}, {"x": (NOT_REALS, PAIRS)}),
    (pecode.interpolated, RULE, {}),
    (pecode.ntk_aware, RULE, {"d_head": [2]}),
    (pecode.dynamic_ntk, {**RULE, "length": 4096, "original_length": 2048}, {"d_head": [2]}),
    (pecode.dynamic_ntk, {**RULE, "length": 2**31, "original_length": 1}, {"factor": [1e308]}),
    (
        pecode.yarn,
        {**RULE, "original_length": 2048, "beta_fast": 32, "beta_slow": 1, "truncate": True},
        {"original_length": [10**12]},
    ),
    (
        pecode.yarn,
        {**RULE, "original_length": 2048, "truncate": False},
        {"original_length": [1, 6]},
    ),
    (
        pecode.llama3,
        {**RULE, "original_length": 2048, "low_freq_factor": 1, "high_freq_factor": 4},
        {},
    ),
    (
        pecode.longrope,
        {"d_head": 4, "factors": [1.0, 2.0], "base": 1e4},
        {"factors": [[1.0, 0.0], [-1.0, 2.0], [1e-320, 1e-320]]},
    ),
    (pecode.yarn_temperature, {"factor": 4.0, "mscale": 1.0}, {}),
    (
        pecode.yarn_scales,
        {"factor": 4.0, "mscale": 1.0, "mscale_all_dim": 1.0},
        {"mscale_all_dim": [1e308]},
    ),
    (
        pecode.proportional,
        {"d_head": 8, "share": 0.5, "base": 10000.0},
        {"share": [0.2, 5e-324]},  # not one pair of four
    ),
    (
        pecode.longrope_temperature,
        {"factor": 4.0, "original_length": 4096},
        {"original_length": [1]},
    ),
    (
        pecode.bfloat16,
        {"x": ONES},
        {"x": (NOT_REALS, [*NO_REALS, NAN, INF, -INF, [1.0, NAN], 1e39, -1e39, [[1.0], [4e38]]])},
    ),
    (pecode.grid_positions, {"shape": (2, 3)}, {}),
    (pecode.normalized_coordinates, {"shape": (2, 3)}, {}),
    (
        pecode.joined_positions,
        {"parts": [2, (1, 2, 3), 1], "n_axes": 3},
        {
            "parts": (
                [None, 3, "3", {3}, np.array([3]), [0.5], [True], ["2"], [(1, 2, 0.5)], [None]],
                [[], [-1], [(1, 2)], [(1, 2, 0)], [2, (1, 1, 1, 1)], [HUGE], [()]],
            ),
            "n_axes": (NOT_ONE_INTEGER, [0, -1, 9, HUGE]),
        },
    ),
    (
        pecode.axial_frequencies,
        {"widths": (4, 2), "base": (10.0, 20.0)},
        {
            "widths": (NOT_INTEGERS[:-3], [*NO_INTEGERS, 4, [], [0, 4], [3, 4], [[2, 2]], [-2, 2]]),
            "base": (
                ["4", None, True, 1j, object(), ["4", "5"], [True, 2.0], {4.0}],
                [*NOT_FINITE, 1, 0.5, [10.0], [10.0, 1.0], [10.0, NAN], [10.0] * 3, [[10.0] * 2],
                 [[10.0, 10.0], [10.0]]],
            ),
        },
    ),
    (
        pecode.mixed_frequencies,
        {"n_pairs": 2, "n_axes": 2, "base": 10.0, "seed": 0, "directions": np.ones((2, 2))},
        {"n_pairs": (NOT_ONE_INTEGER, [0, -1, HUGE]), "n_axes": (NOT_ONE_INTEGER, [0, -1, 9])},
    ),
    (
        pecode.section_frequencies,
        {"d_model": 12, "sections": (2, 2, 2), "base": 10.0, "interleaved": True},
        {
            "d_model": (NOT_ONE_INTEGER, [0, 3, -2, HUGE]),
            "sections": (
                NOT_INTEGERS[:-3],
                [*NO_INTEGERS, 6, [], [2, 2], [3, 2, 2], [7, -1, 0], [1, 2, 3], [[2, 2, 2]]],
            ),
        },
    ),
    (pecode.periodic_frequencies, {"n_pairs": 2, "period": 1.0}, {}),
    (
        pecode.sinusoidal_points,
        {"positions": [1.0, 2.0], "frequencies": np.ones((3, 2)), "layout": "interleaved"},
        {"positions": (NOT_REALS, POINTS), "frequencies": (NOT_REALS, VECTORS_OF_ANY)},
    ),
    (
        pecode.rotate_points,
        {"x": np.ones((3, 4)), "positions": np.ones((3, 2)), "frequencies": np.ones((2, 2)),
         "layout": "half"},
        {
            "x": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0], np.ones((2, 3)), np.ones((3, 0))]),
            "positions": (NOT_REALS, [*POINTS, np.ones((2, 2)), np.ones((2, 3, 2))]),
            "frequencies": (NOT_REALS, [*VECTORS_OF_ANY, np.ones((3, 2))]),
            "layout": ["concatenated", "neox"],
        },
    ),
    (
        pecode.grid_table,
        {"shape": (2, 3), "d_model": 8, "base": 10.0, "style": "mae"},
        {"d_model": (NOT_ONE_INTEGER, [0, 3, 2, 6, 10, -4, HUGE])},
    ),
    (
        pecode.resize_table,
        {"table": np.ones((6, 2)), "shape": (2, 3), "new_shape": (4, 5), "align_corners": True},
        {
            "table": (NOT_REALS, [*NO_REALS, 1.0, [], [1.0] * 6, np.ones((5, 2)), np.ones((6, 0))]),
            "shape": (NOT_INTEGERS[:-3], GRID),
        },
    ),
    (
        pecode.fourier_features,
        {"positions": [1.0, 2.0], "frequencies": np.ones((3, 2))},
        {"positions": (NOT_REALS, POINTS), "frequencies": (NOT_REALS, VECTORS_OF_ANY)},
    ),
    (
        pecode.timestep_embedding,
        {"timesteps": 0.5, "d_model": 8, "base": 10.0, "flip_sin_to_cos": True,
         "downscale_freq_shift": 0.0},
        {"d_model": [3, 7], "timesteps": (TIMES, [*NO_REALS, -1, -1e-9, [0.5, -0.5], NAN, INF])},
    ),
    (
        pecode.laplacian_vectors,
        {"adjacency": 1 - np.eye(3), "n_vectors": 2},
        {
            "adjacency": (
                NOT_REALS,
                [*NO_REALS, 1.0, [], [1.0], np.ones((2, 3)), np.tri(3), -np.ones((3, 3))],
            ),
            "n_vectors": (NOT_ONE_INTEGER, [0, -1, 3, HUGE]),
        },
    ),
]  # fmt: skip

CASES = [
    pytest.param(function, right, name, further, id=f"{number}-{function.__name__}-{name}")
    for number, (function, right, others) in enumerate(CALLS)
    for name, further in [(name, others.get(name, [])) for name in right]
]


def refused(call, *arguments, **named):
    """What the error of a call says; nothing without one."""
    try:
        call(*arguments, **named)
    except (TypeError, ValueError) as error:
        if type(error) not in (TypeError, ValueError):
            raise
        return str(error)
    return ""


def assert_named(call, name, values):
    """A call with an argument left open refuses each value, and its error names the argument."""
    for number, value in enumerate(values):
        said = refused(call, value)
        assert re.match(rf"{name}\b.*expected .*got ", said, re.S), (number, said)
        assert len(said) < 250  # a long array is not printed whole


def refusal(function, arguments, name):
    """The error of a call, by name and by place."""
    signature = inspect.signature(function)
    by_place = signature.bind(**arguments).args  # up to the first that is not given
    calls = [lambda: function(**arguments)]
    if len(by_place) == len(arguments):
        calls.append(lambda: function(*by_place))
    errors = []
    for call in calls:
        try:
            call()
        except (TypeError, ValueError) as error:
            errors.append(error)
        else:
            pytest.fail(f"{name} = {arguments[name]!r:.100} is accepted")
    assert len({str(error) for error in errors}) == 1
    return errors[0]


@pytest.mark.parametrize(("function", "right", "name", "further"), CASES)
def test_an_error_names_the_argument_what_was_expected_and_what_came(
    function, right, name, further
):
    types, values = further if isinstance(further, tuple) else BAD[name]
    values = values if isinstance(further, tuple) else [*values, *further]
    optional = inspect.signature(function).parameters[name].default is None
    for expected, bad in [(TypeError, types), (ValueError, values)]:
        for value in bad:
            if value is None and optional:
                continue
            error = refusal(function, {**right, name: value}, name)
            assert type(error) is expected, f"{value!r:.100}: {error!r}"
            assert re.match(rf"{name}\b.*expected .*got ", str(error)), f"{value!r:.100}: {error}"
            assert len(str(error)) < 250  # a long array is not printed whole


@pytest.mark.parametrize(("function", "right"), [call[:2] for call in CALLS])
def test_the_arguments_that_are_right_are_accepted(function, right):
    function(**right)


def test_every_argument_of_every_public_function_is_tried():
    tried = {}
    for function, right, _ in CALLS:
        tried.setdefault(function.__name__, set()).update(right)
    rest = {}
    for name in pecode.__all__:
        parameters = set(inspect.signature(getattr(pecode, name)).parameters)
        assert parameters == tried[name] | rest.get(name, set()), name


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("positions, frequencies", lambda: pecode.sine_only(100, 1, frequencies=[1e307])),
        ("positions, frequencies", lambda: pecode.rotate([1.0, 2.0], 10**6, frequencies=[1e305])),
        ("encoding", lambda: pecode.translate([1.7e308] * 2, 1, base=2.0)),
        ("x, w_query, w_key", lambda: pecode.self_attention(ONES * 1e200, W, W, W)),
        ("x, w_query", lambda: pecode.self_attention(ONES * 1e200, W * 1e200, W, W)),
        ("x, w_value", lambda: pecode.self_attention(ONES * 1e100, W / 1e100, W, W * 1e300)),
        ("queries, table", lambda: pecode.relative_key_scores([[1e200]], [[1e200]])),
        ("x", lambda: pecode.rotate([1.7e308] * 2, 1)),
    ],
)
def test_an_overflow_is_refused(words, call):
    with pytest.raises(ValueError, match=rf"^{words}: expected .*overflow"):
        call()


@pytest.mark.parametrize(("name", "slow"), [("beta_fast", 32.5), ("beta_fast", 33.0)])
def test_a_ramp_of_yarn_has_two_ends(name, slow):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*at least {slow:g}, got 32"):
        pecode.yarn(8, 4, 2048, beta_slow=slow)
    assert pecode.yarn(8, 4, 2048, beta_slow=32).shape == (4,)  # a step


@pytest.mark.parametrize("low", [4, 5.0])
def test_a_ramp_of_llama_has_two_ends(low):
    with pytest.raises(ValueError, match=rf"^high_freq_factor: .*greater than {low:g}, got 4"):
        pecode.llama3(8, 4, 2048, low_freq_factor=low)


def test_the_words_of_a_message():
    for value, words in [
        ("3", "positions: expected real numbers, got <U1 values: '3'"),
        ([[1, 2], [3]], "positions: expected a rectangular array, got [[1, 2], [3]]"),
    ]:
        with pytest.raises((TypeError, ValueError), match=re.escape(words)):
            pecode.count(value)
    with pytest.raises(ValueError, match=r"^positions: expected values from 0 to 15, got -1 to 3$"):
        pecode.binary([3, -1], 4)
    with pytest.raises(ValueError, match=r"^positions: expected values from 0 to 15, got 16$"):
        pecode.binary(16, 4)
    with pytest.raises(ValueError, match=r"^table: expected no empty axis, got shape \(3, 0\)$"):
        pecode.relative_key_scores(np.ones((4, 0)), np.ones((3, 0)))
    with pytest.raises(ValueError, match=r"^out: expected an array float64 \(3, 4\), got 'out'$"):
        pecode.sinusoidal_table(3, 4, out="out")
    with pytest.raises(
        ValueError, match=r"^layout: expected one of 'interleaved', 'half', got 'a'"
    ):
        pecode.rotate([1.0, 2.0], 1, layout="a")


def test_a_refused_out_is_left_as_it_was():
    out = np.full((3, 4), 7.0)
    for bad in ({"length": 4}, {"dtype": np.float32}, {"layout": "other"}, {"base": 1}):
        arguments = {"length": 3, "d_model": 4, "out": out, **bad}
        with contextlib.suppress(ValueError):
            pecode.sinusoidal_table(**arguments)
            pytest.fail("accepted")
    assert (out == 7).all()


def test_python_refuses_what_is_missing_or_too_much():
    for call in (
        lambda: pecode.sinusoidal(1),
        lambda: pecode.count(1, 2),
        lambda: pecode.count(1, positions=2),
        lambda: pecode.count(1, length=3),
    ):
        with pytest.raises(TypeError, match=r"^(sinusoidal|count)\(\) "):
            call()


def test_a_face_keeps_the_signature_and_refuses_a_kind_without_an_argument():
    assert list(inspect.signature(pecode.binary).parameters) == ["positions", "n_bits", "bit_order"]
    assert inspect.signature(pecode.binary).parameters["bit_order"].default == "big"
    with pytest.raises(TypeError, match="d_modle"):
        checked(d_modle=int)(lambda d_model: d_model)


def test_sixty_axes_are_not_too_many():
    axes = (1,) * 60
    assert pecode.sinusoidal(np.zeros(axes, int), 4).shape == (*axes, 4)


def test_a_scalar_array_serves_as_bool_integer_and_factor():
    buckets = pecode.t5_buckets([-20, 20], np.array(32), np.int8(100), np.True_)
    np.testing.assert_array_equal(buckets, pecode.t5_buckets([-20, 20], 32, 100, True))
    np.testing.assert_array_equal(
        pecode.yarn(np.int16(8), np.array(4), np.int32(2048)), pecode.yarn(8, 4.0, 2048)
    )


def test_a_base_as_int_or_a_changed_decimal_context_makes_no_difference():
    expected = pecode.sinusoidal(7, 6, base=321.0)
    pecode._phases.steps.cache_clear()
    with decimal.localcontext() as context:
        context.traps[decimal.Inexact] = context.traps[decimal.FloatOperation] = True
        context.prec, context.Emax, context.rounding = 5, 20, decimal.ROUND_UP
        assert np.array_equal(pecode.sinusoidal(7, 6, base=321), expected)


@pytest.mark.parametrize("scale", [1e200, 1e-200, 2.0**1023])  # the last: the largest power of two
def test_a_translation_is_found_in_vectors_of_any_scale(scale):
    table = pecode.sinusoidal(range(50), 8)
    matrix, residuals = pecode.fit_translation(table * scale, 2)
    assert np.allclose(matrix, pecode.fit_translation(table, 2)[0])
    assert residuals.max() < 1e-9 * scale
