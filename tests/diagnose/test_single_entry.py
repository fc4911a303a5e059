"""A single entry gives back the positions that may have it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from pecode import sinusoidal, sinusoidal_table
from pecode._check import LAYOUTS, SPACINGS
from pecode.diagnose import positions_of_entry
from tests.diagnose import bases


@given(
    st.integers(1, 30),
    st.integers(0, 2000),
    bases,
    st.sampled_from(LAYOUTS),
    st.sampled_from(SPACINGS),
    st.integers(1, 6),
    st.randoms(use_true_random=False),
)
def test_an_entry_fits_where_the_table_has_it(
    d_model, length, base, layout, spacing, decimals, random
):
    column = random.randrange(d_model)
    entries = sinusoidal_table(length, d_model, base, layout, spacing)[:, column]
    value = round(float(random.choice(entries)) if length else 0.5, decimals)
    tolerance = random.choice([1e-3, 0.2, 0.5 * 10.0**-decimals])
    found = positions_of_entry(value, column, d_model, length, base, layout, spacing, tolerance)
    off = np.abs(entries - value)
    sure = np.flatnonzero(off <= tolerance - 1e-12)
    assert set(sure) <= set(found.tolist()) <= set(np.flatnonzero(off <= tolerance + 1e-12))


def test_the_tolerance_is_half_a_unit_of_the_last_decimal():
    for value, half in [(0.85, 0.005), (0.488814, 5e-7), (1.0, 0.05), (-0.5, 0.05)]:
        given = positions_of_entry(value, 3, 16, 500, tolerance=half)
        np.testing.assert_array_equal(positions_of_entry(value, 3, 16, 500), given)
    assert positions_of_entry(0.0, 0, 16, 100, tolerance=0).tolist() == [0]


def test_a_slow_column_names_its_position():
    entry = float(sinusoidal(12_345, 512)[510])
    found = positions_of_entry(entry, 510, 512, 30_000)
    assert found.tolist() == [12_345]


# The practice question of the sources: width 5120, entry 1088 is 0.488814, which position?

VALUE, WIDTH, COLUMN, ROUNDED, CUT = 0.488814, 5120, 1088, 5e-7, 1e-6


def true_entry(position, exponent, function=mp.sin):
    with mp.workdps(40):
        return function(position / mp.mpf(10000) ** exponent)


def test_no_position_below_900_000_has_the_entry_that_the_question_gives():
    assert positions_of_entry(VALUE, COLUMN, WIDTH, 1_000_000).tolist() == [929_505]
    assert abs(true_entry(929_505, mp.mpf(COLUMN) / WIDTH) - mp.mpf(str(VALUE))) < ROUNDED


def test_the_published_answer_comes_from_a_lost_factor_2_and_a_cut_decimal():
    lost = true_entry(7, mp.mpf(COLUMN // 2) / WIDTH)
    assert mp.nstr(lost, 9) == "0.488814939"  # rounded it is 0.488815; what is printed is cut
    # the exponent i/d of pair i is 2i/2d: that of the same column at twice the width
    assert positions_of_entry(VALUE, COLUMN, 2 * WIDTH, 10**5).tolist() == [60_676]
    cut = positions_of_entry(VALUE, COLUMN, 2 * WIDTH, 10**5, tolerance=CUT)
    assert cut.tolist() == [7, 60_676]


@pytest.mark.parametrize("tolerance", [None, 0])
def test_an_entry_with_all_its_digits_is_found_however_it_is_rounded(tolerance):
    positions = range(1000, 1100)
    ours = sinusoidal(positions, 8)[:, 0].tolist()
    assert ours != [math.sin(t) for t in positions]
    for t in positions:
        found = positions_of_entry(math.sin(t), 0, 8, 1100, tolerance=tolerance)
        assert found.tolist() == [t]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("position", "column"), [(777, 0), (12_345, 3), (5, 254), (20_000, 255)])
def test_an_entry_of_a_coarse_table_finds_its_position(dtype, position, column):
    entry = sinusoidal(position, 256, dtype=dtype)[column]
    found = positions_of_entry(entry, column, 256, 30_000)
    assert position in found
    exact = sinusoidal(found, 256)[:, column]
    assert np.abs(exact - float(entry)).max() <= np.spacing(np.abs(entry))
