"""`pecode` and the implementations that people run agree.

Each case is compared three times: our result with the stored one, wherever the tests run; and
where the other library is installed, its result with the stored one, and with ours for many more
arguments.
"""

import numpy as np
import pytest

from pecheck import identify
from tests.conformance import case as cases
from tests.conformance.groups import GROUPS

CASES = [(group, case) for group, members in GROUPS.items() for case in members]


def each(members):
    params = [pytest.param(*member, id=f"{member[0]}: {member[1].name}") for member in members]
    return pytest.mark.parametrize(("group", "case"), params)


every_case = each(CASES)
every_case_here = each([(group, case) for group, case in CASES if cases.version(case.package)])


@pytest.fixture(scope="module")
def stored():
    return {group: cases.stored(group) for group in GROUPS}


@every_case
def test_our_result_is_the_stored_one_which_has_its_origin(group, case, stored):
    record = stored[group][case.name]
    assert cases.excess(case, cases.values(record), record["arguments"]) <= 1
    assert cases.excess(case, cases.values(record) * 1.01, record["arguments"]) > 1  # is noticed
    assert record["function"] == case.function
    assert record["arguments"] == case.arguments
    assert record["version"][0].isdigit()


@every_case_here
def test_the_stored_result_is_theirs(group, case, stored):
    record = stored[group][case.name]
    fresh, values = cases.values(cases.record(case)), cases.values(record)
    # Another processor or version may round otherwise: each may be off by what is allowed.
    assert cases.excess(case, fresh, record["arguments"], values) <= 2


@every_case_here
def test_our_result_is_theirs_for_many_arguments(group, case):
    theirs = np.asarray(case.theirs(**case.more))
    assert cases.excess(case, theirs, case.more) <= 1


@pytest.mark.parametrize("group", GROUPS)
def test_nothing_is_stored_that_no_case_compares(group, stored):
    assert list(stored[group]) == [case.name for case in GROUPS[group]]


# `identify` names the convention of other libraries' tables from twelve rows

LAYOUTS = {each: each for each in ("interleaved", "concatenated")}
LAYOUTS["cosines first"] = "concatenated, cosine first"


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
