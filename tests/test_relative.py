"""Relative positions: offsets, clipped offsets, and the bias of ALiBi."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import causal_mask, self_attention, softmax
from pecode.relative import (
    alibi_bias,
    alibi_slopes,
    clipped_relative_positions,
    relative_positions,
)

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

lengths = st.integers(0, 40)
clips = st.integers(0, 50)
slope_lists = st.lists(st.floats(-100, 100), max_size=5)


# relative_positions


@given(lengths)
def test_a_relative_position_is_the_key_minus_the_query(length):
    expected = [[key - query for key in range(length)] for query in range(length)]
    assert relative_positions(length).tolist() == expected
    assert relative_positions(length).shape == (length, length)
    assert relative_positions(length).dtype == np.int64


@given(lengths)
def test_relative_positions_are_antisymmetric(length):
    offsets = relative_positions(length)
    np.testing.assert_array_equal(offsets, -offsets.T)


@given(lengths)
def test_what_a_causal_mask_shows_is_not_after_the_query(length):
    np.testing.assert_array_equal(relative_positions(length) <= 0, causal_mask(length))


@given(st.integers(1, 40))
def test_offsets_along_two_steps_add_up(length):
    offsets = relative_positions(length)
    through = offsets[:, :, None] + offsets[None, :, :]  # query to middle, middle to key
    np.testing.assert_array_equal(through, np.repeat(offsets[:, None, :], length, axis=1))


@given(st.integers(0, 20), st.integers(0, 20))
def test_a_shorter_sequence_is_a_corner_of_a_longer_one(length, more):
    whole = relative_positions(length + more)
    np.testing.assert_array_equal(whole[:length, :length], relative_positions(length))
    np.testing.assert_array_equal(whole[more:, more:], relative_positions(length))


# clipped_relative_positions


@given(lengths, clips)
def test_clipping_limits_each_offset_and_keeps_its_sign(length, clip):
    expected = [
        [max(-clip, min(clip, key - query)) for key in range(length)] for query in range(length)
    ]
    clipped = clipped_relative_positions(length, clip)
    assert clipped.tolist() == expected
    assert clipped.dtype == np.int64


@given(lengths, clips)
def test_clipped_positions_are_antisymmetric(length, clip):
    clipped = clipped_relative_positions(length, clip)
    np.testing.assert_array_equal(clipped, -clipped.T)


@given(st.integers(1, 40), st.integers(0, 50))
def test_a_clip_that_no_offset_reaches_changes_nothing(length, more):
    np.testing.assert_array_equal(
        clipped_relative_positions(length, length - 1 + more), relative_positions(length)
    )


@pytest.mark.parametrize("clip", [2**31, 2**63 - 1, 2**63, 10**30])
def test_a_clip_larger_than_any_integer_of_numpy_changes_nothing(clip):
    np.testing.assert_array_equal(clipped_relative_positions(5, clip), relative_positions(5))


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_clipping_twice_is_clipping_once_at_the_smaller(length, one, other):
    twice = np.clip(clipped_relative_positions(length, one), -other, other)
    np.testing.assert_array_equal(twice, clipped_relative_positions(length, min(one, other)))


@given(st.integers(0, 30))
def test_there_are_two_clip_plus_one_different_values(clip):
    values = np.unique(clipped_relative_positions(clip + 5, clip))
    assert values.tolist() == list(range(-clip, clip + 1))


# alibi_slopes


def slopes_of_the_authors(n):
    """get_slopes of Press et al., from their repository, number for number."""

    def of_a_power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return of_a_power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return of_a_power_of_2(closest) + slopes_of_the_authors(2 * closest)[0::2][: n - closest]


@pytest.mark.parametrize("n_heads", range(1, 65))
def test_slopes_are_those_of_the_reference_code(n_heads):
    slopes = alibi_slopes(n_heads)
    assert slopes.shape == (n_heads,)
    assert slopes.dtype == np.float64
    np.testing.assert_allclose(slopes, slopes_of_the_authors(n_heads), rtol=1e-13)


def test_eight_heads_have_the_slopes_of_the_paper():
    assert alibi_slopes(8).tolist() == [
        1 / 2,
        1 / 4,
        1 / 8,
        1 / 16,
        1 / 32,
        1 / 64,
        1 / 128,
        1 / 256,
    ]


@pytest.mark.parametrize("n_heads", [1, 2, 4, 8, 16, 32, 64])
def test_slopes_of_a_power_of_two_are_a_geometric_sequence_that_starts_at_its_ratio(n_heads):
    slopes = alibi_slopes(n_heads)
    ratio = 2.0 ** float(Fraction(-8, n_heads))
    np.testing.assert_allclose(slopes[0], ratio, rtol=1e-15)
    np.testing.assert_allclose(slopes[1:] / slopes[:-1], ratio, rtol=1e-14)
    assert slopes[-1] == 2.0**-8


@given(st.integers(1, 2000))
def test_slopes_are_all_different_and_lie_between_0_and_1(n_heads):
    slopes = alibi_slopes(n_heads)
    assert len(set(slopes.tolist())) == n_heads
    assert ((slopes > 0) & (slopes < 1)).all()


@given(st.integers(1, 100))
def test_twice_the_heads_have_the_old_slopes_at_every_second_place(n_heads):
    power = 2 ** (n_heads.bit_length() - 1)
    np.testing.assert_allclose(alibi_slopes(2 * power)[1::2], alibi_slopes(power), rtol=1e-14)


# alibi_bias


@given(st.integers(0, 12), slope_lists)
def test_each_bias_is_minus_the_slope_times_the_distance(length, slopes):
    bias = alibi_bias(length, slopes)
    assert bias.shape == (len(slopes), length, length)
    assert bias.dtype == np.float64
    for head, slope in enumerate(slopes):
        for query in range(length):
            for key in range(length):
                assert bias[head, query, key] == -slope * abs(key - query)


@given(lengths, st.floats(0, 10))
def test_rows_of_the_bias_fall_by_the_slope_to_both_sides(length, slope):
    (bias,) = alibi_bias(length, [slope])
    for query in range(length):
        np.testing.assert_allclose(np.diff(bias[query, query:]), -slope, rtol=0, atol=1e-12)
        np.testing.assert_allclose(np.diff(bias[query, : query + 1]), slope, rtol=0, atol=1e-12)


@given(lengths, slope_lists)
def test_the_bias_is_symmetric_and_zero_on_the_diagonal(length, slopes):
    bias = alibi_bias(length, slopes)
    np.testing.assert_array_equal(bias, bias.transpose(0, 2, 1))
    assert not np.diagonal(bias, axis1=1, axis2=2).any()


def test_no_zero_of_the_bias_has_a_minus_sign():
    bias = alibi_bias(5, [0.5, 0.0, -0.5])
    assert not np.signbit(bias[bias == 0]).any()


@given(st.integers(1, 12), slope_lists, st.floats(-4, 4))
def test_the_bias_is_linear_in_the_slope(length, slopes, factor):
    np.testing.assert_allclose(
        alibi_bias(length, factor * np.array(slopes)),
        factor * alibi_bias(length, slopes),
        rtol=1e-12,
        atol=1e-300,
    )


def test_float32_slopes_make_the_bias_of_their_exact_values():
    slopes = np.array([0.1, 0.7], np.float32)
    bias = alibi_bias(50, slopes)
    assert bias.dtype == np.float64
    np.testing.assert_array_equal(bias, alibi_bias(50, slopes.astype(float)))


def test_the_bias_leaves_its_slopes_as_they_were():
    slopes = np.array([0.5, 0.25])
    alibi_bias(5, slopes)
    assert slopes.tolist() == [0.5, 0.25]


@given(st.integers(2, 12), st.floats(0.01, 2))
def test_under_a_causal_mask_the_bias_equals_the_slope_times_the_key(length, slope):
    # A constant in a row changes no softmax: that is why the authors' code has no query in it.
    visible = causal_mask(length)
    (ours,) = alibi_bias(length, [slope])
    theirs = np.broadcast_to(slope * np.arange(length), (length, length))
    np.testing.assert_allclose(
        softmax(np.where(visible, ours, -np.inf)),
        softmax(np.where(visible, theirs, -np.inf)),
        rtol=1e-12,
    )


@given(st.integers(0, 10**6))
def test_equal_tokens_are_weighed_by_powers_of_exp_minus_slope(seed):
    rng = np.random.default_rng(seed)
    x, W = np.repeat(rng.normal(size=(1, 4)), 6, axis=0), rng.normal(size=(4, 4))
    slope = rng.uniform(0.1, 2)
    # The values are the rows' own numbers, so the outputs are the weights.
    weights = self_attention(
        np.hstack([x, np.eye(6)]),
        *(np.vstack([W, np.zeros((6, 4))]) for _ in range(2)),
        np.vstack([np.zeros((4, 6)), np.eye(6)]),
        bias=alibi_bias(6, [slope])[0],
    )
    for query in range(6):
        powers = [math.exp(-slope * abs(key - query)) for key in range(6)]
        np.testing.assert_allclose(weights[query], np.array(powers) / sum(powers), rtol=1e-10)


def test_slopes_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"^slopes: expected .*got "):
        alibi_bias(100, [1e308])
