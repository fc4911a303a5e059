"""bfloat16: the nearest of its numbers, found once, from float64."""

import numpy as np
import pytest

from pecode.precision import bfloat16

# Every finite bfloat16, by its bits: the upper half of a float32.
ALL = (np.arange(2**16, dtype=np.uint32) << 16).view(np.float32)
ALL = ALL[np.isfinite(ALL)]
LARGEST = 255 / 128 * 2.0**127


def test_every_bfloat16_stays_as_it_is():
    assert len(ALL) == 2**16 - 2 * 2**7
    assert ALL.max() == LARGEST
    kept = bfloat16(ALL)
    assert kept.dtype == np.float32
    np.testing.assert_array_equal(kept.view(np.uint32), ALL.view(np.uint32))  # signs of zero too


def test_the_nearer_neighbor_is_taken_and_in_the_middle_the_even_one():
    values = np.unique(np.abs(ALL)).astype(np.float64)  # ascending, from 0
    low, high = values[:-1], values[1:]
    middles = (low + high) / 2
    even = np.where(np.arange(len(low)) % 2 == 0, low, high)  # every second one is even
    for sign in (1, -1):
        np.testing.assert_array_equal(bfloat16(sign * middles), sign * even)
        np.testing.assert_array_equal(bfloat16(sign * np.nextafter(middles, 0)), sign * low)
        np.testing.assert_array_equal(bfloat16(sign * np.nextafter(middles, np.inf)), sign * high)


def test_integers_are_left_as_they_were():
    t = np.arange(1025)
    bfloat16(t)
    assert t.tolist() == list(range(1025))


def test_more_than_the_largest_is_refused():
    above = LARGEST + 2.0**119  # the middle to the power of two that is missing
    assert float(bfloat16(np.nextafter(above, 0))) == LARGEST
    for x in (above, -above, 1e39, 1.7e308, [1.0, -1e300]):
        with pytest.raises(ValueError, match=r"^x: expected .*bfloat16 holds, got larger"):
            bfloat16(x)
