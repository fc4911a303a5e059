"""Bad input to `pecheck`: an error that names the argument and what was expected."""

import numpy as np
import pytest

from pecheck import decode, identify
from pecheck.misuses import MISUSES
from pecheck.variants import VARIANTS
from pecode import sinusoidal_table
from tests.pecode.test_bad_input import ARGUMENTS, BAD, assert_named

ROW = [0.0, 1.0, 0.1, 0.9]
TABLE = sinusoidal_table(5, 4)
NOT_LENGTH, NOT_NUMBER, NOT_NUMBERS = (
    ARGUMENTS["lists"][name] for name in ("not_length", "not_number", "not_numbers")
)
LENGTH, BASE = [*NOT_LENGTH, 0], BAD["base"]
FUNCTION = [None, 3, TABLE, lambda *_: None, lambda *_: np.ones(3)]

CASES = [
    (decode, {"encoding": ROW, "length": 9}, {
        "encoding": [*NOT_NUMBERS, 1.0, [], [0.0, 0.0], np.ones((2, 0)), [1e200, 1.0]],
        "length": LENGTH, "base": BASE, "layout": [None, 0, "half"], "spacing": BAD["spacing"]}),
    (identify, {"table": TABLE}, {
        "table": [*NOT_NUMBERS, 1.0, [], [1.0], ROW, [0.5, 1.0, 0.2], [1.0, -0.1], TABLE[:2],
                  TABLE[:, :1], np.ones((2, 3, 3))],
        "base": BASE, "tolerance": [*NOT_NUMBER, 0, -0.1, 1.01]}),
    (VARIANTS["wrong base"].make, {"length": 9, "d_model": 8}, {
        "length": LENGTH, "d_model": [*NOT_LENGTH, 1, 2, 7], "base": BASE}),
    (VARIANTS["wrong base"].test, {"make": sinusoidal_table}, {
        "make": FUNCTION, "d_model": [*NOT_LENGTH, 2, 7], "base": BASE}),
    (MISUSES["cache off by one"].test, {}, {"function": FUNCTION}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "right", "name", "bad"),
    [(function, right, name, bad) for function, right, args in CASES for name, bad in args.items()],
    ids=[f"{function.__name__}-{name}" for function, _, args in CASES for name in args],
)
def test_the_error_names_the_argument_and_what_was_expected(function, right, name, bad):
    assert_named(lambda value: function(**{**right, name: value}), name, bad)
