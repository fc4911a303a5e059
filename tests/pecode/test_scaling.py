"""Frequencies for longer texts: which pairs slow down, and by how much."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import frequencies, rotate
from pecode.scaling import (
    dynamic_ntk,
    interpolated,
    llama3,
    longrope,
    longrope_temperature,
    ntk_aware,
    yarn,
    yarn_temperature,
)

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

even_widths = st.integers(1, 64).map(lambda pairs: 2 * pairs)
several_pairs = st.integers(2, 64).map(lambda pairs: 2 * pairs)
factors = st.floats(1, 100)
bases = st.floats(10, 1e6)
trained_lengths = st.integers(256, 2**17)

# The rules that take (d_head, factor, base) and whatever else they need
RULES = {
    "interpolated": interpolated,
    "ntk_aware": ntk_aware,
    "dynamic_ntk": lambda d, s, base: dynamic_ntk(d, math.floor(1000 * s), 1000, base=base),
    "yarn": lambda d, s, base: yarn(d, s, 2048, base),
    "yarn, not truncated": lambda d, s, base: yarn(d, s, 2048, base, truncate=False),
    "llama3": lambda d, s, base: llama3(d, s, 2048, base),
    "longrope": lambda d, s, base: longrope(d, np.linspace(1, s, d // 2), base),
}
each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


# What all rules share


@each_rule
@pytest.mark.parametrize("d_head", [4, 64, 128])
def test_there_is_one_frequency_for_each_pair(rule, d_head):
    omega = rule(d_head, 4, 10000.0)
    assert omega.shape == (d_head // 2,)
    assert omega.dtype == np.float64


@each_rule
@given(several_pairs, bases)
def test_factor_1_changes_nothing(rule, d_head, base):
    np.testing.assert_allclose(rule(d_head, 1, base), frequencies(d_head, base), rtol=1e-15)


@each_rule
@given(several_pairs, factors, bases)
def test_no_pair_speeds_up_and_none_slows_down_by_more_than_the_factor(rule, d_head, factor, base):
    plain, scaled = frequencies(d_head, base), rule(d_head, factor, base)
    assert (scaled <= plain * (1 + 1e-14)).all()
    assert (scaled >= plain / factor * (1 - 1e-14)).all()


@each_rule
@given(several_pairs, factors, bases)
def test_the_fastest_stands_first(rule, d_head, factor, base):
    assert (np.diff(rule(d_head, factor, base)) < 0).all()


@each_rule
@given(several_pairs, factors, factors, bases)
def test_a_larger_factor_makes_no_pair_faster(rule, d_head, one, other, base):
    smaller, larger = sorted([one, other])
    slow, fast = rule(d_head, larger, base), rule(d_head, smaller, base)
    assert (slow <= fast * (1 + 1e-14)).all()


# Position interpolation


@given(even_widths, factors, bases)
def test_interpolation_divides_every_frequency(d_head, factor, base):
    np.testing.assert_array_equal(
        interpolated(d_head, factor, base), frequencies(d_head, base) / factor
    )


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_interpolated_position_4t_turns_like_position_t(layout):
    x, t = np.random.default_rng(0).normal(size=(100, 16)), np.arange(100)
    np.testing.assert_allclose(
        rotate(x, 4 * t, layout=layout, frequencies=interpolated(16, 4)),
        rotate(x, t, layout=layout),
        rtol=0,
        atol=1e-13,
    )


# NTK


@given(several_pairs, factors, bases)
def test_ntk_is_a_larger_base(d_head, factor, base):
    larger = base * factor ** (d_head / (d_head - 2))
    np.testing.assert_allclose(
        ntk_aware(d_head, factor, base), frequencies(d_head, larger), rtol=1e-13
    )


@given(several_pairs, factors, bases)
def test_ntk_keeps_the_fastest_pair_and_divides_the_slowest_by_the_factor(d_head, factor, base):
    plain, scaled = frequencies(d_head, base), ntk_aware(d_head, factor, base)
    assert scaled[0] == plain[0]
    assert scaled[-1] == pytest.approx(plain[-1] / factor, rel=1e-14)


def test_ntk_bears_a_factor_whose_base_no_float_holds():
    scaled = ntk_aware(4, 1e200)  # the new base would be 1e404
    np.testing.assert_allclose(scaled, [1, 1e-202], rtol=1e-13)


@given(several_pairs, trained_lengths, st.floats(0, 1), factors, bases)
def test_dynamic_ntk_changes_nothing_within_the_trained_length(d_head, trained, part, factor, base):
    np.testing.assert_allclose(
        dynamic_ntk(d_head, int(part * trained), trained, factor, base),
        frequencies(d_head, base),
        rtol=1e-15,
    )


@given(several_pairs, trained_lengths, st.integers(0, 10**6), factors, bases)
def test_dynamic_ntk_is_the_base_of_the_popular_code(d_head, trained, more, factor, base):
    length = trained + more
    larger = base * (factor * length / trained - (factor - 1)) ** (d_head / (d_head - 2))
    np.testing.assert_allclose(
        dynamic_ntk(d_head, length, trained, factor, base),
        frequencies(d_head, larger),
        rtol=1e-10,  # the subtraction there loses digits
    )


def test_a_factor_that_outgrows_the_floats_is_told_as_it_was_given():
    with pytest.raises(ValueError, match=r"^factor: expected .* got 1e\+308$"):
        dynamic_ntk(8, 3 * 2048, 2048, factor=1e308)


@given(several_pairs, trained_lengths, st.integers(1, 50))
def test_dynamic_ntk_at_n_times_the_length_is_ntk_with_factor_n(d_head, trained, times):
    np.testing.assert_allclose(
        dynamic_ntk(d_head, times * trained, trained), ntk_aware(d_head, times), rtol=1e-14
    )


# YaRN and Llama 3.1


def turns(d_head, length, base):
    """Full turns of every pair in the trained length."""
    return length * frequencies(d_head, base) / (2 * np.pi)


@given(even_widths, factors, trained_lengths, bases)
def test_llama3_keeps_what_turns_more_than_4_times_and_divides_what_turns_less_than_once(
    d_head, factor, length, base
):
    r, plain = turns(d_head, length, base), frequencies(d_head, base)
    scaled = llama3(d_head, factor, length, base)
    np.testing.assert_array_equal(scaled[r >= 4], plain[r >= 4])
    np.testing.assert_array_equal(scaled[r <= 1], plain[r <= 1] / factor)


def llama3_by_cases(d_head, factor, length, base, low, high):
    """The rule pair by pair, by wavelengths as the released model has it, with 40 digits."""
    scaled = []
    with mpmath.workdps(40):
        for i in range(d_head // 2):
            omega = mpmath.mpf(base) ** (-mpmath.mpf(2 * i) / d_head)
            wavelength = 2 * mpmath.pi / omega
            if wavelength < length / mpmath.mpf(high):
                scaled.append(omega)
            elif wavelength > length / mpmath.mpf(low):
                scaled.append(omega / factor)
            else:
                smooth = (length / wavelength - low) / (mpmath.mpf(high) - low)
                scaled.append((1 - smooth) * omega / factor + smooth * omega)
    return np.array(scaled, float)


@given(even_widths, factors, trained_lengths, bases, st.floats(0.1, 10), st.floats(0.01, 50))
def test_llama3_is_the_rule_of_the_released_model(d_head, factor, length, base, low, more):
    np.testing.assert_allclose(
        llama3(d_head, factor, length, base, low, low + more),
        llama3_by_cases(d_head, factor, length, base, low, low + more),
        rtol=1e-10,
    )


def yarn_by_loop(d_head, factor, length, base, fast, slow, truncate):
    """The authors' ramp between pairs, pair by pair, with 40 digits."""
    with mpmath.workdps(40):
        base = mpmath.mpf(base)

        def pair(n_turns):  # where base**(2i/d) = length / (2π n)
            return d_head * mpmath.log(length / (2 * mpmath.pi * n_turns), base) / 2

        low, high = pair(fast), pair(slow)
        if truncate:
            low, high = mpmath.floor(low), mpmath.ceil(high)
        low, high = max(low, 0), min(high, d_head - 1)
        if low > high:
            return None  # all pairs are fast or all are slow, and the ramp would run backward
        if low == high:
            high += mpmath.mpf("0.001")
        scaled = []
        for i in range(d_head // 2):
            omega = base ** (-mpmath.mpf(2 * i) / d_head)
            ramp = min(max((i - low) / (high - low), 0), 1)
            scaled.append(omega / factor * ramp + omega * (1 - ramp))
    return np.array(scaled, float)


@pytest.mark.parametrize("truncate", [True, False])
@given(even_widths, factors, trained_lengths, bases, st.floats(0.5, 8), st.floats(1.5, 40))
def test_yarn_is_the_rule_of_the_authors_code(truncate, d_head, factor, length, base, slow, ratio):
    fast = slow * ratio
    expected = yarn_by_loop(d_head, factor, length, base, fast, slow, truncate)
    if expected is None:
        with pytest.raises(ValueError, match=r"^original_length: expected .*got "):
            yarn(d_head, factor, length, base, fast, slow, truncate)
        return
    scaled = yarn(d_head, factor, length, base, fast, slow, truncate)
    np.testing.assert_allclose(scaled, expected, rtol=1e-9)


@given(even_widths, factors, st.integers(512, 2**17))
def test_yarn_keeps_what_turns_more_than_32_times_and_divides_what_turns_less_than_once(
    d_head, factor, length
):
    r, plain = turns(d_head, length, 10000.0), frequencies(d_head)
    fast, slow = r > 32 * 1.0001, r < 1 / 1.0001
    exact = yarn(d_head, factor, length, truncate=False)
    np.testing.assert_array_equal(exact[fast], plain[fast])
    np.testing.assert_allclose(exact[slow], plain[slow] / factor, rtol=1e-15)
    # Truncation moves the ends of the ramp outward, by less than one pair each.
    wider = yarn(d_head, factor, length)
    np.testing.assert_array_equal(wider[fast][:-1], plain[fast][:-1])
    np.testing.assert_allclose(wider[slow][1:], plain[slow][1:] / factor, rtol=1e-15)


def test_the_ramp_of_yarn_is_a_line_over_pairs_and_that_of_llama3_a_line_over_turns():
    plain, r = frequencies(128), turns(128, 4096, 10000.0)

    def kept(scaled):  # share of the plain frequency, when the factor is 8
        return (scaled / plain - 1 / 8) / (1 - 1 / 8)

    between = (r > 1) & (r < 32)
    over_pairs = kept(yarn(128, 8, 4096, truncate=False))[between]
    over_turns = kept(llama3(128, 8, 4096, 10000.0, 1, 32))[between]
    assert len(over_pairs) > 10
    np.testing.assert_allclose(np.diff(over_pairs, 2), 0, atol=1e-13)
    np.testing.assert_allclose(over_turns, (r[between] - 1) / 31, rtol=1e-12)
    assert (over_pairs - over_turns).max() > 0.3


def test_a_single_pair_is_kept_when_it_turns_often():
    for rule in (yarn, llama3):
        assert rule(2, 8, 2048).tolist() == [1.0]
        assert interpolated(2, 8).tolist() == [1 / 8]


@pytest.mark.parametrize(
    ("slow", "fast"), [(5e-324, 1e-323), (5e-324, 1.7e308), (1e308, 1.7e308), (1.0, 1.0 + 2**-52)]
)
def test_a_ramp_at_the_ends_of_the_floats_leads_from_kept_to_divided(slow, fast):
    plain, scaled = frequencies(16), llama3(16, 8, 2048, 1e4, slow, fast)
    assert (scaled >= plain / 8).all()
    assert (scaled <= plain).all()


def test_turns_at_the_ends_of_the_floats_make_a_long_ramp():
    scaled = yarn(16, 8, 2048, beta_fast=1.7e308, beta_slow=5e-324)
    expected = yarn_by_loop(16, 8, 2048, 1e4, 1.7e308, 5e-324, True)
    np.testing.assert_allclose(scaled, expected, rtol=1e-12)


# LongRoPE


@given(even_widths, factors, bases)
def test_longrope_with_equal_factors_is_interpolation(d_head, factor, base):
    np.testing.assert_array_equal(
        longrope(d_head, [factor] * (d_head // 2), base), interpolated(d_head, factor, base)
    )


@given(several_pairs, factors, bases)
def test_ntk_is_longrope_with_powers_as_factors(d_head, factor, base):
    powers = factor ** (np.arange(d_head // 2) / (d_head // 2 - 1))
    np.testing.assert_allclose(
        longrope(d_head, powers, base), ntk_aware(d_head, factor, base), rtol=1e-13
    )


# Temperatures


@given(factors)
def test_the_temperature_of_yarn_grows_with_the_logarithm(factor):
    with mpmath.workdps(30):
        expected = float(mpmath.mpf(1) / 10 * mpmath.log(factor) + 1)
    assert yarn_temperature(factor) == pytest.approx(expected, rel=1e-15)
    assert yarn_temperature(1) == 1


@given(st.floats(1, 1000), st.integers(2, 2**20))
def test_the_square_of_longropes_temperature_is_a_ratio_of_logarithms(factor, length):
    ratio = math.log(factor * length) / math.log(length)
    assert longrope_temperature(factor, length) ** 2 == pytest.approx(ratio, rel=1e-12)
    assert longrope_temperature(1, length) == 1


@given(st.integers(0, 10**6), factors)
def test_queries_and_keys_times_the_temperature_give_scores_times_its_square(seed, factor):
    query, key = np.random.default_rng(seed).normal(size=(2, 16))
    m = yarn_temperature(factor)
    plain = rotate(query, 9) @ rotate(key, 4)
    assert (m * rotate(query, 9)) @ (m * rotate(key, 4)) == pytest.approx(m**2 * plain)


# Kinds


def test_float32_factors_are_read_as_their_exact_values():
    factors = np.array([1.1, 7.3], np.float32)
    scaled = longrope(4, factors)
    assert scaled.dtype == np.float64
    np.testing.assert_array_equal(scaled, longrope(4, factors.astype(float)))


def test_integers_serve_as_factor_base_and_turns():
    np.testing.assert_array_equal(yarn(8, 4, 2048, 10000, 32, 1), yarn(8, 4.0, 2048))
    np.testing.assert_array_equal(llama3(8, 4, 2048, 10000, 1, 4), llama3(8, 4.0, 2048, 1e4))
