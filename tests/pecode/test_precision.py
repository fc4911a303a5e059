"""bfloat16: the nearest of its numbers, found once, from float64."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode.precision import bfloat16

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=200)
settings.load_profile("repeatable")

LARGEST = float(Fraction(255, 128) * 2**127)
finite = st.floats(-LARGEST, LARGEST)


def all_of_them():
    """Every finite bfloat16, by its bits: the upper half of a float32."""
    values = (np.arange(2**16, dtype=np.uint32) << 16).view(np.float32)
    return values[np.isfinite(values)]


def by_bits(x):
    """Rounding of a float32 by its bits: add half of what is dropped, a bit less for even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))
    return (rounded & np.uint32(0xFFFF0000)).view(np.float32)


def test_every_bfloat16_stays_as_it_is():
    values = all_of_them()
    assert len(values) == 2**16 - 2 * 2**7
    kept = bfloat16(values)
    assert kept.dtype == np.float32
    np.testing.assert_array_equal(kept.view(np.uint32), values.view(np.uint32))  # signs of zero too


def test_the_largest_is_the_largest():
    assert all_of_them().max() == LARGEST


@given(finite)
def test_no_other_bfloat16_is_nearer(x):
    # Fractions: the distances are compared without rounding.
    values = np.unique(all_of_them()).tolist()
    nearest = float(bfloat16(x))
    i = np.searchsorted(values, nearest)
    assert values[i] == nearest
    for other in values[max(i - 1, 0) : i + 2]:
        assert abs(Fraction(nearest) - Fraction(x)) <= abs(Fraction(other) - Fraction(x))


def test_a_number_in_the_middle_goes_to_the_even_neighbor():
    values = np.unique(np.abs(all_of_them())).astype(np.float64)  # ascending, from 0
    middles = (values[:-1] + values[1:]) / 2
    even = values[np.arange(len(middles)) + np.arange(len(middles)) % 2]  # every second is even
    np.testing.assert_array_equal(bfloat16(middles), even)
    np.testing.assert_array_equal(bfloat16(-middles), -even)


@given(st.integers(0, 10**6))
def test_a_float32_is_rounded_as_its_bits_are(seed):
    bits = np.random.default_rng(seed).integers(0, 2**32, 500, dtype=np.uint32)
    x = bits.view(np.float32)
    x = x[np.isfinite(x) & (np.abs(x) <= LARGEST)]
    np.testing.assert_array_equal(bfloat16(x), by_bits(x))


def test_a_float64_is_rounded_once():
    x = 1 + 2.0**-8 + 2.0**-40  # just above a middle; in float32 it is the middle
    assert float(bfloat16(x)) == 1 + 2.0**-7
    assert float(bfloat16(np.float32(x))) == 1.0


@given(finite, finite)
def test_rounding_keeps_the_order(x, y):
    smaller, larger = sorted([x, y])
    assert bfloat16(smaller) <= bfloat16(larger)


@given(finite)
def test_rounding_twice_is_rounding_once(x):
    assert bfloat16(bfloat16(x)) == bfloat16(x) == -bfloat16(-x)


def test_positions_collapse_after_256():
    t = np.arange(1025)
    rounded = bfloat16(t)
    np.testing.assert_array_equal(rounded[:257], t[:257])
    assert len(np.unique(rounded[256:513])) == 129  # every second one
    assert len(np.unique(rounded[512:1025])) == 129  # every fourth one


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
def test_the_shape_stays(shape):
    assert bfloat16(np.ones(shape)).shape == shape


def test_more_than_the_largest_is_refused():
    above = LARGEST + 2.0**119  # the middle to the power of two that is missing
    assert float(bfloat16(np.nextafter(above, 0))) == LARGEST
    for x in (above, -above, 1e39, 1.7e308, [1.0, -1e300]):
        with pytest.raises(ValueError, match=r"^x: expected .*bfloat16 holds, got larger"):
            bfloat16(x)


def test_the_input_stays_as_it_was():
    x = np.array([1.001, 257.0])
    bfloat16(x)
    assert x.tolist() == [1.001, 257.0]
