"""Relative positions: offsets, clipped offsets, the biases of ALiBi and T5, Shaw's key scores."""

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
    by_offset,
    clipped_relative_positions,
    relative_key_scores,
    relative_positions,
    t5_bias,
    t5_buckets,
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


def test_the_bias_of_no_positions_and_of_no_heads_is_empty():
    assert alibi_bias(0, [0.5, 0.25]).shape == (2, 0, 0)
    assert alibi_bias(3, []).shape == (0, 3, 3)
    assert t5_bias(0, np.ones((4, 2))).shape == (2, 0, 0)
    assert t5_bias(3, np.ones((4, 0))).shape == (0, 3, 3)


# by_offset


@given(st.integers(1, 12), st.sampled_from([(), (1,), (3,), (2, 3), (0,)]), st.integers(0, 10**6))
def test_a_matrix_by_offset_holds_the_value_of_each_offset(length, heads, seed):
    values = np.random.default_rng(seed).normal(size=(*heads, 2 * length - 1))
    matrix = by_offset(values)
    np.testing.assert_array_equal(matrix, values[..., length - 1 + relative_positions(length)])


@given(st.integers(1, 12))
def test_offsets_by_offset_are_the_relative_positions(length):
    np.testing.assert_array_equal(
        by_offset(np.arange(1 - length, length)), relative_positions(length)
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_matrix_by_offset_is_a_read_only_view_of_its_values(dtype):
    values = np.arange(10, dtype=dtype).reshape(2, 5)
    matrix = by_offset(values)
    assert np.shares_memory(matrix, values)
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0, 0] = 1
    values[0, 4] = 7  # the offset 2 stands in the corner
    assert matrix[0, 0, 2] == 7
    own = matrix.copy()
    own[:] = 0
    assert values[0, 4] == 7


@pytest.mark.parametrize("take", [np.s_[::-1], np.s_[::2], np.s_[1::3]])
def test_strided_values_are_read_as_their_copy(take):
    values = np.random.default_rng(0).normal(size=(4, 11))[:, take]
    values = values if values.shape[1] % 2 else values[:, 1:]
    np.testing.assert_array_equal(by_offset(values), by_offset(values.copy()))
    np.testing.assert_array_equal(by_offset(values.T[:, :3]), by_offset(values.T[:, :3].copy()))


def test_integers_become_float64_and_float32_stays():
    assert by_offset([1, 2, 3]).dtype == np.float64
    assert by_offset(np.array([1, 2, 3], np.float32)).dtype == np.float32


def test_the_values_live_as_long_as_the_matrix():
    matrix = by_offset(np.arange(1e5)[:99_999])
    np.zeros(100_000)  # takes the memory, if it was free
    assert matrix[0, -1] == 99_998


@given(st.integers(0, 12), slope_lists)
def test_the_biases_are_read_only(length, slopes):
    assert not alibi_bias(length, slopes).flags.writeable
    assert not t5_bias(length, np.ones((4, 2))).flags.writeable


# t5_buckets


def bucket_by_counting(distance, n, max_distance):
    """The bucket of one distance on one side, by integers: no logarithm, no root."""
    max_exact = n // 2
    if distance < max_exact:
        return distance
    # max_exact * ratio**(k / m) <= distance, with ratio = max_distance / max_exact and m buckets
    m, reached = n - max_exact, 0
    while reached + 1 < m and (
        max_distance ** (reached + 1) * max_exact ** (m - reached - 1) <= distance**m
    ):
        reached += 1
    return max_exact + reached


@st.composite
def t5_options(draw):
    both = draw(st.booleans())
    n = 2 * draw(st.integers(2, 40)) if both else draw(st.integers(2, 80))
    max_exact = n // 4 if both else n // 2
    return n, draw(st.integers(max_exact + 1, max_exact + 1000)), both


@given(t5_options(), st.lists(st.integers(-2000, 2000), max_size=20))
def test_a_bucket_is_found_by_integer_powers(options, offsets):
    n, max_distance, both = options
    side = n // 2 if both else n
    expected = [
        bucket_by_counting(abs(o) if both else max(-o, 0), side, max_distance)
        + (side if both and o > 0 else 0)
        for o in offsets
    ]
    assert t5_buckets(offsets, n, max_distance, both).tolist() == expected


def buckets_by_logarithms(offsets, n, max_distance, both, dtype):
    """The authors' rule, as it is mostly written."""
    offsets = np.asarray(offsets)
    side = n // 2 if both else n
    distances = np.abs(offsets) if both else np.maximum(-offsets, 0)
    max_exact = side // 2
    ratios = np.maximum(distances, 1).astype(dtype) / dtype(max_exact)
    share = np.log(ratios) / dtype(math.log(max_distance / max_exact))
    far = np.minimum(max_exact + (share * dtype(side - max_exact)).astype(int), side - 1)
    return np.where(distances < max_exact, distances, far) + (side * (offsets > 0) if both else 0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize(("n", "max_distance"), [(32, 128), (32, 256), (64, 128), (320, 800)])
def test_buckets_of_models_in_use_are_those_by_logarithms(n, max_distance, both, dtype):
    offsets = np.arange(-3000, 3001)
    np.testing.assert_array_equal(
        t5_buckets(offsets, n, max_distance, both),
        buckets_by_logarithms(offsets, n, max_distance, both, dtype),
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(t5_options())
def test_logarithms_differ_only_where_a_distance_is_on_a_border(dtype, options):
    n, max_distance, both = options
    offsets = np.arange(-1500, 1501)
    exact = t5_buckets(offsets, n, max_distance, both)
    rounded = buckets_by_logarithms(offsets, n, max_distance, both, dtype)
    for offset in offsets[exact != rounded]:
        # On a border: the next distance inward is in another bucket by the exact rule too.
        inward = t5_buckets(offset - np.sign(offset), n, max_distance, both)
        assert inward != exact[offsets == offset][0]


@given(t5_options())
def test_buckets_never_fall_with_the_distance_and_end_at_max_distance(options):
    n, max_distance, both = options
    back = t5_buckets(-np.arange(2 * max_distance), n, max_distance, both)
    last = (n // 2 if both else n) - 1
    assert (np.diff(back) >= 0).all()
    assert (back[max_distance:] == last).all()
    if both:
        ahead = t5_buckets(np.arange(1, 2 * max_distance), n, max_distance)
        np.testing.assert_array_equal(ahead, back[1:] + n // 2)


@given(t5_options())
def test_near_distances_have_a_bucket_each(options):
    n, max_distance, both = options
    near = np.arange(n // 4 if both else n // 2)
    np.testing.assert_array_equal(t5_buckets(-near, n, max_distance, both), near)


def test_the_first_bucket_after_the_query_stays_empty():
    buckets = np.unique(t5_buckets(np.arange(-200, 201)))
    assert buckets.tolist() == [b for b in range(32) if b != 16]


def test_what_comes_after_the_query_is_in_bucket_0_for_a_decoder():
    assert not t5_buckets(np.arange(300), bidirectional=False).any()


@pytest.mark.parametrize("both", [True, False])
def test_the_ends_of_64_bits_are_in_the_last_buckets(both):
    ends = t5_buckets([-(2**63), 2**63 - 1], bidirectional=both).tolist()
    assert ends == ([15, 31] if both else [31, 0])


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3, 4)])
def test_buckets_have_the_shape_of_the_positions(shape):
    buckets = t5_buckets(np.ones(shape, int))
    assert buckets.shape == shape
    assert buckets.dtype == np.int64


# t5_bias


@given(st.integers(1, 20), t5_options(), st.integers(0, 10**6))
def test_the_bias_of_t5_is_the_row_of_the_table_that_the_bucket_names(length, options, seed):
    n, max_distance, both = options
    table = np.random.default_rng(seed).normal(size=(n, 3))
    buckets = t5_buckets(relative_positions(length), n, max_distance, both)
    np.testing.assert_array_equal(
        t5_bias(length, table, max_distance, both), table[buckets].transpose(2, 0, 1)
    )


def test_a_float32_table_makes_a_float32_bias():
    table = np.arange(8, dtype=np.float32).reshape(4, 2)
    assert t5_bias(3, table).dtype == np.float32
    assert t5_bias(3, table.astype(int)).dtype == np.float64


def test_the_bias_of_t5_does_not_follow_its_table():
    table = np.ones((4, 1))
    bias = t5_bias(3, table)
    table[:] = 2
    assert (bias == 1).all()


# relative_key_scores


@given(st.integers(0, 8), st.integers(0, 5), st.integers(1, 6), st.integers(0, 10**6))
def test_a_relative_score_is_the_query_times_the_vector_of_the_offset(length, clip, d, seed):
    rng = np.random.default_rng(seed)
    queries, table = rng.normal(size=(2, 3, length, d)), rng.normal(size=(2 * clip + 1, d))
    vectors = table[clipped_relative_positions(length, clip) + clip]  # a_{t,s}: (length, length, d)
    np.testing.assert_allclose(
        relative_key_scores(queries, table),
        np.einsum("...td,tsd->...ts", queries, vectors),
        rtol=0,
        atol=1e-13,
    )


@given(st.integers(1, 8), st.integers(0, 10**6))
def test_equal_queries_make_a_matrix_by_offset(length, seed):
    rng = np.random.default_rng(seed)
    query, table = rng.normal(size=4), rng.normal(size=(2 * length - 1, 4))
    scores = relative_key_scores(np.tile(query, (length, 1)), table)
    np.testing.assert_allclose(scores, by_offset(table @ query), rtol=0, atol=1e-13)


def test_relative_scores_stay_float32_only_where_both_are():
    queries, table = np.ones((3, 2), np.float32), np.ones((3, 2), np.float32)
    assert relative_key_scores(queries, table).dtype == np.float32
    assert relative_key_scores(queries, table.astype(float)).dtype == np.float64


def test_relative_scores_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"^queries, table: expected .*overflow"):
        relative_key_scores([[1e200]], [[1e200]])
