"""Bad input: an error that names the argument, what was expected and what came; never silence.

Every argument of every public function is tried with what people pass by mistake: an argument that
is right is replaced by what its name must not hold (BAD), or what only this function refuses.
"""

import inspect
import re

import numpy as np
import pytest

import pecode
from tests import data

ARGUMENTS = data("pecode/arguments.yml")
BAD = {name: bad for names, bad in ARGUMENTS["bad"].items() for name in names.split()}
BAD["dtype"] = [int, "int64", bool, complex, "float7", 32]
BAD["out"] += [np.zeros((3, 4), np.float32), np.broadcast_to(np.zeros(4), (3, 4))]
# A function, arguments that are right, and what it refuses in place of BAD
CALLS = [
    (getattr(pecode, name), right, ARGUMENTS["refused"].get(name, {}))
    for name, right in ARGUMENTS["right"].items()
]
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


@pytest.mark.parametrize(("name", "arguments", "error", "words"), ARGUMENTS["words"])
def test_a_wrong_type_and_a_wrong_value_are_told_apart_in_these_words(
    name, arguments, error, words
):
    with pytest.raises((TypeError, ValueError)) as caught:
        getattr(pecode, name)(**arguments)
    assert (caught.typename, str(caught.value)) == (error, words)


LARGE = {"x": np.full((2**10, 2**9), 1.7e308), "positions": range(2**10), "layout": "half"}


@pytest.mark.parametrize(
    ("words", "name", "arguments"), [*ARGUMENTS["overflows"], ("x", "rotate", LARGE)]
)
def test_an_overflow_is_refused(words, name, arguments):
    with pytest.raises(ValueError, match=rf"^{words}: expected .*overflow"):
        getattr(pecode, name)(**arguments)


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


def test_a_scalar_array_serves_as_bool_integer_and_factor():
    buckets = pecode.t5_buckets([-20, 20], np.array(32), np.int8(100), np.True_)
    np.testing.assert_array_equal(buckets, pecode.t5_buckets([-20, 20], 32, 100, True))
    np.testing.assert_array_equal(
        pecode.yarn(np.int16(8), np.array(4), np.int32(2048)), pecode.yarn(8, 4.0, 2048)
    )
