"""Frequencies for longer texts beyond their formulas: which pairs slow down, and the extremes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import formulas, frequencies, scaling
from tests.pecode.draws import even_widths, factors

several_pairs = st.integers(2, 64).map(lambda pairs: 2 * pairs)
bases = st.floats(10, 1e6)
trained_lengths = st.integers(256, 2**17)

# The rules that take (d_head, factor, base) and whatever else they need
RULES = {
    "interpolated": scaling.interpolated,
    "ntk_aware": scaling.ntk_aware,
    "dynamic_ntk": lambda d, s, base: scaling.dynamic_ntk(d, math.floor(1000 * s), 1000, base=base),
    "yarn": lambda d, s, base: scaling.yarn(d, s, 2048, base),
    "yarn, not truncated": lambda d, s, base: scaling.yarn(d, s, 2048, base, truncate=False),
    "llama3": lambda d, s, base: scaling.llama3(d, s, 2048, base),
    "longrope": lambda d, s, base: scaling.longrope(d, np.linspace(1, s, d // 2), base),
}
each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


@each_rule
@given(several_pairs, factors, factors, bases)
def test_a_larger_factor_slows_every_pair_by_no_more_than_itself(rule, d_head, one, other, base):
    smaller, larger = sorted([one, other])
    plain, fast, slow = (rule(d_head, factor, base) for factor in (1, smaller, larger))
    assert (slow.shape, slow.dtype) == ((d_head // 2,), np.float64)
    assert (slow <= fast * (1 + 1e-14)).all()
    assert (slow >= plain / larger * (1 - 1e-14)).all()
    assert (np.diff(slow) < 0).all()


# YaRN and Llama 3.1


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
            scaling.yarn(*arguments)
    else:
        np.testing.assert_allclose(scaling.yarn(*arguments), formulas.yarn(*arguments), rtol=1e-9)


@given(even_widths, factors, st.integers(512, 2**17))
def test_yarn_keeps_what_turns_32_times_and_divides_what_turns_once(d_head, factor, length):
    r, plain = turns(d_head, length, 10000.0), frequencies(d_head)
    fast, slow = r > 32 * 1.0001, r < 1 / 1.0001
    exact = scaling.yarn(d_head, factor, length, truncate=False)
    np.testing.assert_array_equal(exact[fast], plain[fast])
    np.testing.assert_allclose(exact[slow], plain[slow] / factor, rtol=1e-15)
    # Truncation moves the ends of the ramp outward, by less than one pair each.
    wider = scaling.yarn(d_head, factor, length)
    np.testing.assert_array_equal(wider[fast][:-1], plain[fast][:-1])
    np.testing.assert_allclose(wider[slow][1:], plain[slow][1:] / factor, rtol=1e-15)


def test_a_ramp_is_at_least_a_thousandth_of_a_pair_long():
    slow = turns(16, 2048, 10000.0)[3] * (1 - 1e-9)  # the ramp ends at pair 3
    fast = slow * 10000.0 ** (0.0005 * 2 / 16)  # and starts half a thousandth before it
    scaled = scaling.yarn(16, 8, 2048, beta_fast=fast, beta_slow=slow, truncate=False)
    kept = np.where(np.arange(8) < 3, 1, np.where(np.arange(8) > 3, 0, 0.5))
    np.testing.assert_allclose(scaled, frequencies(16) * (kept + (1 - kept) / 8), rtol=1e-5)
