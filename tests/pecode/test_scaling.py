"""YaRN beyond its formula: a ramp that goes down is refused, and none is too short."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import formulas, frequencies
from pecode.scaling import yarn
from tests.pecode.draws import even_widths, factors

bases = st.floats(10, 1e6)
trained_lengths = st.integers(256, 2**17)


def turns(d_head, length, base):
    """Full turns of every pair in the trained length."""
    return length * frequencies(d_head, base) / (2 * np.pi)


@pytest.mark.parametrize("truncate", [True, False])
@given(even_widths, factors, trained_lengths, bases, st.floats(0.5, 8), st.floats(1.5, 40))
def test_yarn_is_its_formula_where_the_ramp_goes_up(truncate, d, factor, length, base, slow, ratio):
    arguments = (d, factor, length, base, slow * ratio, slow, truncate)
    ends = d / 2 * np.log(length / (2 * np.pi * slow * np.array([ratio, 1]))) / np.log(base)
    low, high = (math.floor(ends[0]), math.ceil(ends[1])) if truncate else ends
    if max(low, 0) > min(high, d - 1):
        with pytest.raises(ValueError, match=r"^original_length: expected .*got "):
            yarn(*arguments)
    else:
        np.testing.assert_allclose(yarn(*arguments), formulas.yarn(*arguments), rtol=1e-9)


def test_a_ramp_is_at_least_a_thousandth_of_a_pair_long():
    slow = turns(16, 2048, 10000.0)[3] * (1 - 1e-9)  # the ramp ends at pair 3
    fast = slow * 10000.0 ** (0.0005 * 2 / 16)  # and starts half a thousandth before it
    scaled = yarn(16, 8, 2048, beta_fast=fast, beta_slow=slow, truncate=False)
    kept = np.where(np.arange(8) < 3, 1, np.where(np.arange(8) > 3, 0, 0.5))
    np.testing.assert_allclose(scaled, frequencies(16) * (kept + (1 - kept) / 8), rtol=1e-5)
