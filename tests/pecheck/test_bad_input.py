"""Bad input to `pecheck`: an error that names the argument and what was expected."""

import numpy as np
import pytest

from pecheck import decode, identify
from pecheck.misuses import MISUSES
from pecheck.variants import VARIANTS
from pecode import sinusoidal_table

NAN, INF = float("nan"), float("inf")
NOT_INTEGER = [True, 1.0, NAN, None, "3", [3]]
NOT_NUMBER = [True, None, "4", [4.0], 1j, NAN, INF]
NOT_NUMBERS = [True, None, "a", 1j, [True, False], [[1.0, 2.0], [3.0]], NAN, [INF, 1.0]]
ROW = [0.0, 1.0, 0.1, 0.9]
TABLE = sinusoidal_table(5, 4)
SINUSOID = {
    "base": [*NOT_NUMBER, 1, 0.5],
    "layout": [None, 0, "half"],
    "spacing": [None, 0, "linear"],
}
LENGTH = [*NOT_INTEGER, -1, 2**40]
FUNCTION = [None, 3, TABLE, lambda *_: None, lambda *_: np.ones(3)]

CASES = [
    (decode, {"encoding": ROW, "length": 9}, {
        "encoding": [*NOT_NUMBERS, 1.0, [], [0.0, 0.0], np.ones((2, 0)), [1e200, 1.0]],
        "length": [*LENGTH, 0], **SINUSOID}),
    (identify, {"table": TABLE}, {
        "table": [*NOT_NUMBERS, 1.0, [], ROW, TABLE[:2], TABLE[:, :1], np.ones((2, 3, 3))],
        "base": SINUSOID["base"], "tolerance": [*NOT_NUMBER, 0, -0.1, 1.01]}),
    (VARIANTS["wrong base"].make, {"length": 9, "d_model": 8}, {
        "length": [*LENGTH, 0], "d_model": [*LENGTH, 1, 2, 7], "base": SINUSOID["base"]}),
    (VARIANTS["wrong base"].test, {"make": sinusoidal_table}, {
        "make": FUNCTION, "d_model": [*LENGTH, 2, 7], "base": SINUSOID["base"]}),
    (MISUSES["cache off by one"].test, {}, {"function": FUNCTION}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "right", "name", "bad"),
    [(function, right, name, bad) for function, right, args in CASES for name, bad in args.items()],
    ids=[f"{function.__name__}-{name}" for function, _, args in CASES for name in args],
)
def test_the_error_names_the_argument_and_what_was_expected(function, right, name, bad):
    for value in bad:
        with pytest.raises((TypeError, ValueError), match=f"(?s)^{name}: expected .*, got ") as at:
            function(**{**right, name: value})
        assert len(str(at.value)) < 300
