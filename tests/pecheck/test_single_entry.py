"""A single entry gives back the positions that may have it."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecheck import positions_of_entry
from pecode import sinusoidal, sinusoidal_table
from tests.pecheck import bases
from tests.pecode.draws import layouts, spacings


@given(
    st.integers(1, 30),
    st.integers(0, 2000),
    bases,
    layouts,
    spacings,
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
