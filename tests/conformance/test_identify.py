"""`identify` names the convention of other libraries' tables from twelve rows."""

import numpy as np
import pytest

from pecheck import identify
from tests.conformance import case as cases
from tests.conformance.groups import GROUPS

LAYOUTS = {
    "interleaved": "interleaved",
    "concatenated": "concatenated",
    "cosines first": "concatenated, cosine first",
}


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in GROUPS["excerpts"]])
def test_the_table_of_a_library_is_named(case):
    found = identify(cases.values(cases.stored("excerpts")[case.name]))
    (layout,) = [named for word, named in LAYOUTS.items() if word in case.name]
    assert found.layout == layout
    assert found.spacing == ("endpoint" if "endpoint spacing" in case.name else "paper")
    assert found.first_position == (2 if "position 2" in case.name else 0)
    assert found.bug is None
    np.testing.assert_allclose(found.base, 10000, rtol=1e-3)
    divided = "divided by the square root of the width" in case.name
    np.testing.assert_allclose(found.scale, 0.25 if divided else 1, rtol=1e-5)
