"""Bad input to relative positions and rotations."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import pecode
from pecode.relative import alibi_bias, alibi_slopes, clipped_relative_positions, relative_positions
from pecode.rotary import rotate
from tests.test_bad_input import ANY_REALS, BAD, HUGE, INF, NAN, shown

ONE_INTEGER = BAD["one integer"]

# (what is called, a call with one argument left open, the name of the argument, what it refuses)
CASES = [
    ("relative", relative_positions, "length", [*ONE_INTEGER, *BAD["length"]]),
    ("clipped", lambda v: clipped_relative_positions(v, 2), "length", [*ONE_INTEGER, -1]),
    ("clipped", lambda v: clipped_relative_positions(3, v), "clip", [*ONE_INTEGER, -1, -HUGE]),
    ("slopes", alibi_slopes, "n_heads", [*ONE_INTEGER, 0, -1, -HUGE, HUGE]),
    ("bias", lambda v: alibi_bias(v, [0.5]), "length", [*ONE_INTEGER, *BAD["length"]]),
    (
        "bias",
        lambda v: alibi_bias(3, v),
        "slopes",
        [*ANY_REALS, 0.5, [[0.5]], [NAN], [0.5, INF], ["a"], [True], [0.5, True], [1.7e308]],
    ),
    (
        "rotate",
        lambda v: rotate(v, 0),
        "x",
        [*ANY_REALS, 1.0, [], [1.0], [1.0] * 7, np.ones((2, 3)), np.ones((3, 0)), [NAN, 1.0]],
    ),
    ("rotate", lambda v: rotate(np.ones((2, 4)), v), "positions", BAD["positions"]),
    (
        "rotate",
        lambda v: rotate(np.ones((2, 3, 4)), v),
        "positions",
        [[1, 2], [1, 2, 3, 4], [[1, 2, 3]] * 3, [[[1, 2, 3]]], np.zeros((3, 2), int), []],
    ),
    ("rotate", lambda v: rotate([1.0, 2.0], v), "positions", [[1], [1, 2]]),
    ("rotate", lambda v: rotate([1.0, 2.0], 1, v), "base", BAD["base"]),
    (
        "rotate",
        lambda v: rotate([1.0, 2.0], 1, layout=v),
        "layout",
        ["", "Half", "concatenated", "neox", b"half", None, 0, True, ["half"]],
    ),
]


def each_case():
    seen = {}
    for what, call, name, values in CASES:
        for value in values:
            label = f"{what}-{name}-{shown(value)}"
            seen[label] = seen.get(label, 0) + 1
            yield pytest.param(call, name, value, id=f"{label}-{seen[label]}")


@pytest.mark.parametrize(("call", "name", "value"), list(each_case()))
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, value):
    with pytest.raises((TypeError, ValueError), match=rf"^{name}\b.*expected .*got ") as caught:
        call(value)
    assert len(str(caught.value)) < 250  # a long array is not printed whole
    assert type(caught.value) in (TypeError, ValueError)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: clipped_relative_positions(3, 1.0)),
        (TypeError, lambda: rotate([1.0, 2.0], 1.0)),
        (ValueError, lambda: clipped_relative_positions(3, -1)),
        (ValueError, lambda: rotate([1.0, 2.0], 1, layout="other")),
    ],
)
def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error(kind, call):
    with pytest.raises(kind):
        call()


def test_every_public_function_is_tried():
    files = sorted(Path(__file__).parent.glob("test_bad_input*.py"))
    modules = [
        importlib.import_module(f"tests.{f.stem}") for f in files if "\nCASES = [" in f.read_text()
    ]
    calls = [part for module in modules for case in module.CASES for part in case if callable(part)]
    functions = [call for call in calls if hasattr(call, "__code__")]
    tried = {name for call in functions for name in (call.__name__, *call.__code__.co_names)}
    tried |= {"LearnedEmbedding"}  # in tests/lab
    tried |= {"self_attention", "attention_weights"}  # through attend and weigh
    tried |= {"interpolated", "ntk_aware"}  # in a loop over both
    assert set(pecode.__all__) <= tried
