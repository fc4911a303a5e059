"""Bad input to `pecode.diagnose`: a named error, never a silent wrong answer."""

import numpy as np
import pytest

from pecode import diagnose, sinusoidal_table
from pecode.diagnose import decode, identify, misuses, positions_of_entry, positions_that_fit
from pecode.diagnose import variants as variants_room
from pecode.diagnose.misuses import MISUSES
from pecode.diagnose.variants import VARIANTS
from tests.pecode.test_bad_input import BAD, INF, NAN, NOT_INTEGER, NOT_NUMBERS, assert_named

LENGTH, D_MODEL = BAD["length"], BAD["d_model"]
NO_NUMBER = [True, None, "1", 1j, [1.0], NAN, INF, -INF]
BOOL = [0, 1, None, "yes", NAN, [True]]
ROW = [0.0, 1.0, 0.1, 0.9]
TABLE = sinusoidal_table(5, 4)
NO_FUNCTION = [None, 3, "table", TABLE]


def entry(**changed):
    return positions_of_entry(**{"value": 0.5, "column": 1, "d_model": 8, "length": 9, **changed})


CASES = [
    (
        lambda v: decode(v, 9),
        "encoding",
        [
            *NOT_NUMBERS,
            1.0,
            [],
            [0.0, 0.0],
            [[0.0, 1.0], [0.0, 0.0]],
            np.ones((2, 0)),
            [1e200, 1.0],
        ],
    ),
    (lambda v: decode(ROW, v), "length", [*LENGTH, 0]),
    (lambda v: decode(ROW, 9, v), "base", BAD["base"]),
    (lambda v: decode(ROW, 9, layout=v), "layout", BAD["layout"]),
    (lambda v: decode(ROW, 9, spacing=v), "spacing", BAD["spacing"]),
    (lambda v: decode(ROW, 9, return_distance=v), "return_distance", BOOL),
    (lambda v: positions_that_fit(v, 9, 0.1), "row", [*NOT_NUMBERS, 1.0, [], TABLE, [1e200, 1.0]]),
    (lambda v: positions_that_fit(ROW, v, 0.1), "length", [*LENGTH, 0]),
    (lambda v: positions_that_fit(ROW, 9, v), "tolerance", [*NO_NUMBER, -0.1]),
    (lambda v: positions_that_fit(ROW, 9, 0.1, v), "base", BAD["base"]),
    (lambda v: positions_that_fit(ROW, 9, 0.1, layout=v), "layout", BAD["layout"]),
    (lambda v: positions_that_fit(ROW, 9, 0.1, spacing=v), "spacing", BAD["spacing"]),
    (lambda v: entry(value=v), "value", [*NO_NUMBER, 1.5, -1.06, 2]),
    (lambda v: entry(column=v), "column", [*NOT_INTEGER, -1, 8]),
    (lambda v: entry(d_model=v), "d_model", D_MODEL),
    (lambda v: entry(length=v), "length", LENGTH),
    (lambda v: entry(base=v), "base", BAD["base"]),
    (lambda v: entry(layout=v), "layout", BAD["layout"]),
    (lambda v: entry(spacing=v), "spacing", BAD["spacing"]),
    # None is half a unit of the last decimal
    (lambda v: entry(tolerance=v), "tolerance", [v for v in [*NO_NUMBER, -0.1] if v is not None]),
    (
        identify,
        "table",
        [
            *NOT_NUMBERS,
            1.0,
            [],
            ROW,
            [1],
            TABLE[:2],
            TABLE[:, :1],
            TABLE[:, :0],
            np.ones((2, 3, 3)),
        ],
    ),
    (lambda v: identify(TABLE, v), "base", BAD["base"]),
    (lambda v: identify(TABLE, tolerance=v), "tolerance", [*NO_NUMBER, 0, -0.1, 1.01, 1e300]),
]
TESTS = {variant.test.__name__: variant.test for variant in VARIANTS.values()}
for holds in TESTS.values():
    CASES += [
        (
            lambda v, holds=holds: holds(v),
            "make",
            [
                *NO_FUNCTION,
                lambda length, d_model, base: np.ones((length, d_model + 1)),
                lambda length, d_model, base: None,
                lambda length, d_model, base: np.full((length, d_model), NAN),
            ],
        ),
        (
            lambda v, holds=holds: holds(sinusoidal_table, v),
            "d_model",
            [*D_MODEL, *(1, 3, 7, 511), 2],
        ),
        (lambda v, holds=holds: holds(sinusoidal_table, base=v), "base", BAD["base"]),
    ]
for variant in VARIANTS.values():
    CASES += [
        (lambda v, variant=variant: variant.make(v, 8), "length", LENGTH),
        (lambda v, variant=variant: variant.make(9, v), "d_model", [*D_MODEL, *(1, 3, 7, 511), 2]),
        (lambda v, variant=variant: variant.make(9, 8, v), "base", BAD["base"]),
    ]
for misuse in MISUSES.values():
    CASES.append(
        (
            lambda v, misuse=misuse: misuse.test(v),
            "function",
            [*NO_FUNCTION, lambda *_: None, lambda *_: np.ones(3)],
        )
    )


@pytest.mark.parametrize(("call", "name", "values"), CASES)
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, values):
    assert_named(call, name, values)


def test_every_public_function_is_tried():
    tests = {misuse.test for misuse in MISUSES.values()} | set(TESTS.values())
    tried = {decode, positions_that_fit, positions_of_entry, identify} | tests
    tried |= {diagnose.config}  # what it refuses stands in test_config.py
    public = {getattr(diagnose, name) for name in diagnose.__all__}
    for room in (variants_room, misuses):
        made_here = [one for one in vars(room).values() if hasattr(one, "__module__")]
        public |= {
            one
            for one in made_here
            if one.__module__ == room.__name__ and not one.__name__.startswith("_")
        }
    assert {one for one in public if not isinstance(one, type)} == tried
