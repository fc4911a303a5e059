"""Bad input: an error that names the argument, what was expected and what came; never silence.

Every argument of every public function is tried with what people pass by mistake: an argument that
is right is replaced by what its name must not hold (BAD), or what only this function refuses.
"""

import inspect
import re

import numpy as np
import pytest

import pecode
from pecode._check import checked

NAN, INF = float("nan"), float("inf")
ONES = np.ones((3, 2))

NOT_INTEGER = [True, 1.0, 0.5, NAN, None, "3", [3]]
NOT_INTEGERS = [True, 1.0, [1, 2.5], [True, False], None, "3", [[1, 2], [3]], 2**63, 10**30]
NOT_LENGTH = [*NOT_INTEGER, -1, 2**40]
NOT_WIDTH = [*NOT_LENGTH, 0]
NOT_NUMBER = [True, None, "4", [4.0], 1j, NAN, INF]
NOT_NUMBERS = [True, None, "a", 1j, [True, False], [1.0, None], [[1.0, 2.0], [3.0]], NAN, [INF, 1]]
NOT_BOOL = [None, 0, 1, "True", [True]]
NOT_GRID = [*NOT_INTEGERS, 3, [], [0], [2, -1], [[2, 2]]]
NOT_PAIRS = [*NOT_NUMBERS, 1.0, [], [1.0], np.ones((2, 3)), np.ones((3, 0))]
NOT_MATRIX = [*NOT_NUMBERS, 1.0, [1.0, 2.0], np.ones((1, 2, 2)), np.ones((2, 0))]

BAD = {
    "positions offsets": [*NOT_NUMBERS, 2**63, 2.0**63, -1e300],
    "relative_positions": NOT_INTEGERS,
    "offset": [*NOT_NUMBER, 2**63, -1e300],
    "length": NOT_LENGTH,
    "original_length": [*NOT_LENGTH[:-1], 0, 10**30],
    "d_model n_heads n_pairs n_axes n_vectors": NOT_WIDTH,
    "d_head": [*NOT_WIDTH, 1, 7],
    "n_bits": [*NOT_INTEGER, 0, -1, 64],
    "n_buckets": [*NOT_INTEGER, 0, 2, 33, -32],
    "max_distance": [*NOT_INTEGER, -1, 0, 1, 8],
    "clip seed": [*NOT_INTEGER, -1],
    "axis": [*NOT_INTEGER, 2, -3],
    "base": [*NOT_NUMBER, 1, 0.5, 0, -10000],
    "factor": [*NOT_NUMBER, 0.5, 0, -4],
    "mscale mscale_all_dim": [*NOT_NUMBER, -0.1],
    "share fraction": [*NOT_NUMBER, 0, -0.5, 1.0001, 0.01],
    "beta_fast": [*NOT_NUMBER, 0, 0.5],
    "high_freq_factor": [*NOT_NUMBER, 0, 1],
    "beta_slow low_freq_factor period": [*NOT_NUMBER, 0, -1],
    "downscale_freq_shift": [*NOT_NUMBER, 4, 5.5],
    "bidirectional truncate align_corners flip_sin_to_cos interleaved": NOT_BOOL,
    "bit_order": [None, 0, "", "Big", "interleaved"],
    "layout": [None, 0, "", "Half", "neox", ["half"]],
    "spacing": [None, 0, "", "Paper", "linear"],
    "style": [None, 0, "", "MAE", "vit"],
    "dtype": [int, "int64", bool, complex, "float7", 32],
    "frequencies factors": [*NOT_NUMBERS, 1.0, [], [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]]],
    "slopes": [*NOT_NUMBERS, 0.5, [[0.5]], [1.7e308]],
    "shape": NOT_GRID,
    "new_shape": [*NOT_GRID, [2], [2, 2, 2]],
    "widths": [*NOT_GRID, [3, 4]],
    "directions": [*NOT_MATRIX, np.ones((3, 2)), np.zeros((2, 2))],
    "timesteps": NOT_NUMBERS,
    "scores": [*NOT_NUMBERS, 1.0, [], [-INF, -INF]],
    "mask": [0, 1.0, np.tri(3), False, [True, False], np.eye(3, dtype=bool)[:, :2],
             np.diag([True, True, False])],
    "bias": [*NOT_NUMBERS, [1.0, 2.0], np.ones((2, 3)), np.ones((2, 3, 3))],
    "w_query w_value": [*NOT_MATRIX, np.ones((3, 2))],
    "w_key": [*NOT_MATRIX, np.ones((3, 2)), np.ones((2, 3))],
    "encoding": NOT_PAIRS,
    "queries": [*NOT_NUMBERS, 1.0, [1.0, 2.0, 3.0], [[NAN, 1.0, 1.0]]],
    "values": [*NOT_NUMBERS, 1.0, [], [1.0, 2.0], np.ones((3, 4))],
    "out": [0, "out", [[0.0] * 4] * 3, np.zeros((4, 3)), np.zeros((3, 4), np.float32),
            np.broadcast_to(np.zeros(4), (3, 4))],
}  # fmt: skip
BAD = {name: bad for names, bad in BAD.items() for name in names.split()}

SINUSOID = {"d_model": 4, "base": 10.0, "layout": "interleaved", "spacing": "paper"}
MOVED = {"offset": 1, "base": 10.0, "layout": "interleaved", "spacing": "paper"}
ATTEND = {
    "x": ONES, "w_query": np.eye(2), "w_key": np.eye(2), "mask": np.tri(3, dtype=bool),
    "bias": ONES[:, :1],
}  # fmt: skip
RULE = {"d_head": 8, "factor": 4.0, "base": 1e4}
ROTATE = {"x": np.ones((3, 4)), "positions": [1, 2, 3], "base": 10.0, "layout": "half"}
X = {"x": [*NOT_NUMBERS, 1.0, [1.0, 2.0], np.ones((0, 2))]}
EVEN = {"d_model": [*NOT_WIDTH, 1, 7]}
WHERE = {"positions": [*NOT_NUMBERS, [1, 2], [[1, 2, 3]] * 2, []]}

# A function, arguments that are right, and what it refuses in place of BAD
CALLS = [
    (pecode.count, {"positions": 0}, {}),
    (pecode.normalized_count, {"positions": 0, "length": 10},
     {"positions": [*NOT_INTEGERS, -1, 10, [0, 10]], "length": [*NOT_LENGTH, 0]}),
    (pecode.binary, {"positions": 0, "n_bits": 4, "bit_order": "big"},
     {"positions": [*NOT_INTEGERS, -1, 16, [0, 16]]}),
    (pecode.sine_only, {"positions": 0, "d_model": 2, "base": 10.0, "frequencies": [1.0, 2.0]}, {}),
    (pecode.frequencies, {"d_model": 4, "base": 10.0, "spacing": "paper"}, {}),
    (pecode.wavelengths, {"d_model": 4, "base": 10.0, "spacing": "paper"}, {}),
    (pecode.sinusoidal, {"positions": 0, **SINUSOID, "dtype": "f4"}, {}),
    (pecode.sinusoidal_table, {"length": 3, **SINUSOID, "dtype": "f8", "out": np.ones((3, 4))}, {}),
    (pecode.translation_matrix, {"d_model": 4, **MOVED}, EVEN),
    (pecode.translate, {"encoding": [0.0, 1.0], **MOVED}, {}),
    (pecode.fit_translation, {"table": ONES, "offset": 1},
     {"table": [*NOT_NUMBERS, 1.0, [1.0, 2.0], np.ones((3, 0))],
      "offset": [*NOT_INTEGER, 3, -3]}),
    (pecode.similarity, {"offsets": 1, "d_model": 4, "base": 10.0, "spacing": "paper"}, EVEN),
    (pecode.softmax, {"scores": ONES, "axis": -1}, {}),
    (pecode.causal_mask, {"length": 3}, {}),
    (pecode.attention_weights, ATTEND, X),
    (pecode.self_attention, {**ATTEND, "w_value": np.eye(2)}, X),
    (pecode.relative_positions, {"length": 3}, {}),
    (pecode.clipped_relative_positions, {"length": 3, "clip": 2}, {}),
    (pecode.alibi_slopes, {"n_heads": 2}, {}),
    (pecode.alibi_bias, {"length": 3, "slopes": [0.5]}, {}),
    (pecode.by_offset, {"values": [1.0, 2.0, 3.0]}, {}),
    (pecode.t5_buckets,
     {"relative_positions": 0, "n_buckets": 32, "max_distance": 128, "bidirectional": True}, {}),
    (pecode.t5_bias,
     {"length": 3, "table": np.ones((32, 2)), "max_distance": 128, "bidirectional": True},
     {"table": [*NOT_NUMBERS, 1.0, [1.0] * 4, np.ones((3, 3)), np.ones((2, 2))]}),
    (pecode.relative_key_scores, {"queries": np.ones((4, 3)), "table": np.ones((3, 3))},
     {"table": [*NOT_NUMBERS, 1.0, [1.0], np.ones((2, 3)), np.ones((3, 5)), np.ones((0, 3))]}),
    (pecode.rotate, {**ROTATE, "frequencies": [1.0, 2.0]}, {"x": NOT_PAIRS, **WHERE}),
    (pecode.rotate_part, {**ROTATE, "x": np.ones((3, 12)), "fraction": 0.5},
     {"x": [*NOT_NUMBERS, 1.0, []], "fraction": [*BAD["fraction"], 0.25, 0.75], **WHERE}),
    (pecode.to_half, {"x": ONES}, {"x": NOT_PAIRS}),
    (pecode.to_interleaved, {"x": ONES}, {"x": NOT_PAIRS}),
    (pecode.interpolated, RULE, {}),
    (pecode.ntk_aware, RULE, {"d_head": [*BAD["d_head"], 2]}),
    (pecode.dynamic_ntk, {**RULE, "length": 4096, "original_length": 2048}, {}),
    (pecode.yarn,
     {**RULE, "original_length": 2048, "beta_fast": 32, "beta_slow": 1, "truncate": False},
     {"original_length": [*BAD["original_length"], 1, 6]}),
    (pecode.llama3,
     {**RULE, "original_length": 2048, "low_freq_factor": 1, "high_freq_factor": 4}, {}),
    (pecode.longrope, {"d_head": 4, "factors": [1.0, 2.0], "base": 1e4},
     {"factors": [*BAD["factors"], [1.0, 0.0], [-1.0, 2.0]]}),
    (pecode.longrope_temperature, {"factor": 4.0, "original_length": 4096},
     {"original_length": [*BAD["original_length"], 1]}),
    (pecode.yarn_temperature, {"factor": 4.0, "mscale": 1.0}, {}),
    (pecode.yarn_scales, {"factor": 4.0, "mscale": 1.0, "mscale_all_dim": 1.0}, {}),
    (pecode.proportional, {"d_head": 8, "share": 0.5, "base": 1e4}, {}),
    (pecode.bfloat16, {"x": ONES}, {"x": [*NOT_NUMBERS, 1e39, -1e39]}),
    (pecode.grid_positions, {"shape": (2, 3)}, {}),
    (pecode.normalized_coordinates, {"shape": (2, 3)}, {}),
    (pecode.joined_positions, {"parts": [2, (1, 2, 3), 1], "n_axes": 3},
     {"parts": [None, 3, "3", [], [0.5], [True], ["2"], [-1], [(1, 2)], [(1, 2, 0)]]}),
    (pecode.axial_frequencies, {"widths": (4, 2), "base": (10.0, 20.0)},
     {"base": ["4", None, True, NAN, 1, 0.5, [10.0], [10.0, 1.0], [10.0, "5"], [10.0] * 3]}),
    (pecode.mixed_frequencies,
     {"n_pairs": 2, "n_axes": 2, "base": 10.0, "seed": 0, "directions": np.ones((2, 2))}, {}),
    (pecode.section_frequencies,
     {"d_model": 12, "sections": (2, 2, 2), "base": 10.0, "interleaved": True},
     {**EVEN, "sections": [*NOT_INTEGERS, 6, [], [2, 2], [3, 2, 2], [7, -1, 0], [1, 2, 3]]}),
    (pecode.periodic_frequencies, {"n_pairs": 2, "period": 1.0}, {}),
    (pecode.rotate_points,
     {"x": np.ones((3, 4)), "positions": ONES, "frequencies": np.ones((2, 2)), "layout": "half"},
     {"x": [*NOT_NUMBERS, 1.0, [1.0], np.ones((2, 3))],
      "positions": [*NOT_NUMBERS, 1.0, [1.0], np.ones((3, 3)), np.ones((2, 2))],
      "frequencies": [*NOT_MATRIX, np.ones((3, 2))]}),
    (pecode.grid_table, {"shape": (2, 3), "d_model": 8, "base": 10.0, "style": "mae"},
     {"d_model": [*NOT_WIDTH, 2, 3, 6, 10]}),
    (pecode.resize_table,
     {"table": np.ones((6, 2)), "shape": (2, 3), "new_shape": (4, 5), "align_corners": True},
     {"table": [*NOT_MATRIX, np.ones((5, 2))]}),
    (pecode.timestep_embedding,
     {"timesteps": 0.5, "d_model": 8, "base": 10.0, "flip_sin_to_cos": True,
      "downscale_freq_shift": 0.0}, EVEN),
    (pecode.laplacian_vectors, {"adjacency": 1 - np.eye(3), "n_vectors": 2},
     {"adjacency": [*NOT_MATRIX, np.ones((2, 3)), np.tri(3), -np.ones((3, 3))],
      "n_vectors": [*NOT_WIDTH, 3]}),
]  # fmt: skip

CASES = [
    pytest.param(function, right, name, others.get(name) or BAD[name], id=function.__name__ + name)
    for function, right, others in CALLS
    for name in right
]


def assert_named(call, name, values):
    """A call with an argument left open refuses each value, and its error names the argument."""
    for value in values:
        said = "it is accepted"
        try:
            call(value)
        except (TypeError, ValueError) as error:
            said = str(error)
        assert re.match(rf"{name}\b.*: expected .*, got ", said, re.S), (value, said)
        assert len(said) < 250  # a long array is not printed whole


@pytest.mark.parametrize(("function", "right", "name", "bad"), CASES)
def test_an_error_names_the_argument_what_was_expected_and_what_came(function, right, name, bad):
    default = inspect.signature(function).parameters[name].default
    bad = [value for value in bad if value is not None or default is not None]
    assert_named(lambda value: function(**{**right, name: value}), name, bad)


@pytest.mark.parametrize(("function", "right", "_"), CALLS)
def test_right_arguments_are_accepted_by_name_and_by_place(function, right, _):
    by_place = inspect.signature(function).bind(**right).args
    np.testing.assert_equal(function(**right), function(*by_place))


def test_every_argument_of_every_public_function_is_tried():
    tried = {function.__name__: set(right) for function, right, _ in CALLS}
    public = {name: getattr(pecode, name) for name in pecode.__all__}
    assert tried == {name: set(inspect.signature(f).parameters) for name, f in public.items()}


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: pecode.count("3"), TypeError,
         "positions: expected real numbers, got <U1 values: '3'"),
        (lambda: pecode.count([[1, 2], [3]]), ValueError,
         "positions: expected a rectangular array, got [[1, 2], [3]]"),
        (lambda: pecode.causal_mask(3.0), TypeError, "length: expected an integer, got 3.0"),
        (lambda: pecode.causal_mask(-3), ValueError,
         "length: expected an integer of at least 0, got -3"),
        (lambda: pecode.similarity(1, 7), ValueError, "d_model: expected an even integer, got 7"),
        (lambda: pecode.binary([3, -1], 4), ValueError,
         "positions: expected values from 0 to 15, got [-1]"),
        (lambda: pecode.frequencies(8, base=1), ValueError,
         "base: expected a number greater than 1, got 1"),
        (lambda: pecode.sinusoidal_table(3, 4, out="out"), ValueError,
         "out: expected an array to write to, float64 (3, 4), got 'out'"),
        (lambda: pecode.rotate([1.0, 2.0], 1, layout="a"), ValueError,
         "layout: expected one of 'interleaved', 'half', got 'a'"),
        (lambda: pecode.llama3(8, 4, 2048, low_freq_factor=5.0), ValueError,
         "high_freq_factor: expected a number greater than 5.0, got 4.0"),
    ],
)  # fmt: skip
def test_a_wrong_type_and_a_wrong_value_are_told_apart_in_these_words(call, error, words):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    assert (caught.type, str(caught.value)) == (error, words)


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("positions, frequencies", lambda: pecode.sine_only(100, 1, frequencies=[1e307])),
        ("positions, frequencies", lambda: pecode.rotate([1.0, 2.0], 10**6, frequencies=[1e305])),
        ("encoding", lambda: pecode.translate([1.7e308] * 2, 1, base=2.0)),
        ("x, w_query", lambda: pecode.self_attention(ONES * 1e200, *[np.eye(2) * 1e200] * 3)),
        ("queries, table", lambda: pecode.relative_key_scores([[1e200]], [[1e200]])),
        ("x", lambda: pecode.rotate(np.full((2**10, 2**9), 1.7e308), range(2**10), layout="half")),
        ("table", lambda: pecode.fit_translation(1.7e308 * np.sign([[1, 1], [1, 1], [-1, -1]]), 1)),
        ("base", lambda: pecode.wavelengths(4, 1.7e308, "endpoint")),
        ("period", lambda: pecode.periodic_frequencies(2, 5e-324)),
        ("adjacency", lambda: pecode.laplacian_vectors(np.full((3, 3), 1e308), 1)),
        ("factors", lambda: pecode.longrope(4, [1.0, 5e-324])),
        ("mscale", lambda: pecode.yarn_temperature(1e300, 1e308)),
        ("mscale_all_dim", lambda: pecode.yarn_scales(4, 1.0, 1e200)),
    ],
)
def test_an_overflow_is_refused(words, call):
    with pytest.raises(ValueError, match=rf"^{words}: expected .*overflow"):
        call()


# What numpy or Python would take in silence, or refuse without naming the argument
MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
RAGGED = [[1, 2], [3]]
NOWHERE_RIGHT = [
    np.ma.masked, np.ma.array(3), MASKED, [MASKED, MASKED], (np.ma.masked, 1.0), np.ma.ones((3, 4)),
    bytearray(b"ab"), memoryview(b"ab"), [bytearray(b"ab")], 10**400, -(10**400), 10**5000,
    [10**400, 0.5], [10**5000], RAGGED, [RAGGED, 1], (RAGGED,),
]  # fmt: skip


@pytest.mark.parametrize(("function", "right", "_"), CALLS)
def test_masks_bytes_huge_integers_and_ragged_lists_are_refused_by_name(function, right, _):
    for name in right:
        bad = [value for value in NOWHERE_RIGHT if name != "seed" or type(value) is not int]
        assert_named(lambda value, n=name: function(**{**right, n: value}), name, bad)


def test_a_refused_out_is_left_as_it_was():
    out = np.full((3, 4), 7.0)
    for bad in ({"length": 4}, {"dtype": np.float32}, {"layout": "other"}, {"base": 1}):
        with pytest.raises(ValueError, match="expected"):
            pecode.sinusoidal_table(**{"length": 3, "d_model": 4, "out": out, **bad})
    assert (out == 7).all()


@pytest.mark.parametrize(
    "call",
    [lambda: pecode.sinusoidal(1), lambda: pecode.count(1, 2), lambda: pecode.count(1, length=3),
     lambda: pecode.count(1, positions=2)],
)  # fmt: skip
def test_python_refuses_what_is_missing_or_too_much(call):
    with pytest.raises(TypeError, match=r"^(sinusoidal|count)\(\) "):
        call()


def test_an_argument_without_a_check_says_what_to_do_when_it_is_written():
    words = r"^stretch: nothing checks stiffness\. Name a check in @checked\(stiffness=…\), or add"

    def stretch(length, stiffness=1.0):
        return length * stiffness

    with pytest.raises(TypeError, match=words):
        checked()(stretch)
    assert checked(stiffness=float)(stretch)(3) == 3.0
    with pytest.raises(TypeError, match="stretch has no argument sitffness"):
        checked(sitffness=float)(stretch)


def test_a_scalar_array_serves_as_bool_integer_and_factor():
    buckets = pecode.t5_buckets([-20, 20], np.array(32), np.int8(100), np.True_)
    np.testing.assert_array_equal(buckets, pecode.t5_buckets([-20, 20], 32, 100, True))
    np.testing.assert_array_equal(
        pecode.yarn(np.int16(8), np.array(4), np.int32(2048)), pecode.yarn(8, 4.0, 2048)
    )
