"""Relative positions beyond their formulas: views, borders found in integers, types, no rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import causal_mask, formulas, softmax
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
from tests.pecode.draws import normal, seeds

lengths = st.integers(0, 20)


@given(lengths)
def test_relative_positions_are_integers_antisymmetric_and_those_of_any_part(length):
    offsets = relative_positions(length)
    assert (offsets.shape, offsets.dtype) == ((length, length), np.int64)
    np.testing.assert_array_equal(offsets, -offsets.T)
    np.testing.assert_array_equal(offsets <= 0, causal_mask(length))
    np.testing.assert_array_equal(relative_positions(length + 3)[3:, 3:], offsets)


@pytest.mark.parametrize("clip", [5, 2**31, 2**63 - 1, 2**63, 10**30])
def test_a_clip_that_no_offset_reaches_changes_nothing(clip):
    clipped = clipped_relative_positions(5, clip)
    np.testing.assert_array_equal(clipped, relative_positions(5))
    assert clipped.dtype == np.int64


# ALiBi


def test_eight_heads_have_the_slopes_of_the_paper():
    assert alibi_slopes(8).tolist() == [1 / 2**k for k in range(1, 9)]


@given(st.integers(1, 2000))
def test_slopes_are_all_different_and_lie_between_0_and_1(n_heads):
    slopes = alibi_slopes(n_heads)
    assert len(set(slopes.tolist())) == n_heads
    assert ((slopes > 0) & (slopes < 1)).all()


def test_no_zero_of_the_bias_has_a_minus_sign():
    bias = alibi_bias(5, [0.5, 0.0, -0.5])
    assert not np.signbit(bias[bias == 0]).any()


def test_float32_slopes_make_the_bias_of_their_exact_values_and_stay():
    slopes = np.array([0.1, 0.7], np.float32)
    bias = alibi_bias(50, slopes)
    assert bias.dtype == np.float64
    np.testing.assert_array_equal(bias, alibi_bias(50, slopes.astype(float)))
    np.testing.assert_array_equal(slopes, np.array([0.1, 0.7], np.float32))


@given(st.integers(2, 12), st.floats(0.01, 2))
def test_under_a_causal_mask_the_bias_equals_the_slope_times_the_key(length, slope):
    # A constant in a row changes no softmax: that is why the authors' code has no query in it.
    theirs = np.broadcast_to(slope * np.arange(length), (length, length))
    weights = [
        softmax(np.where(causal_mask(length), bias, -np.inf))
        for bias in (alibi_bias(length, [slope])[0], theirs)
    ]
    np.testing.assert_allclose(*weights, rtol=1e-12)


def test_slopes_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"^slopes: expected .*got "):
        alibi_bias(100, [1e308])


# by_offset, and the biases that are made with it


@pytest.mark.parametrize("heads", [(), (1,), (3,), (2, 3), (0,)])
@pytest.mark.parametrize("take", [np.s_[:], np.s_[::-1], np.s_[::2], np.s_[1::3]])
def test_values_of_any_shape_and_stride_are_read_as_their_copy(heads, take):
    values = normal(0, *heads, 21)[..., take]
    assert values.shape[-1] % 2 == 1
    np.testing.assert_array_equal(by_offset(values), formulas.by_offset(values.copy()))
    columns = normal(0, 5, *heads).T
    np.testing.assert_array_equal(by_offset(columns), formulas.by_offset(columns.copy()))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_matrix_by_offset_is_a_read_only_view_of_its_values(dtype):
    values = np.arange(10, dtype=dtype).reshape(2, 5)
    matrix = by_offset(values)
    assert matrix.dtype == dtype
    assert np.shares_memory(matrix, values)
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0, 0] = 1
    values[0, 4] = 7  # the offset 2 stands in the corner
    assert matrix[0, 0, 2] == 7
    own = matrix.copy()
    own[:] = 0
    assert values[0, 4] == 7


def test_integers_become_float64():
    assert by_offset([1, 2, 3]).dtype == np.float64


def test_the_values_live_as_long_as_the_matrix():
    matrix = by_offset(np.arange(1e5)[:99_999])
    np.zeros(100_000)  # takes the memory, if it was free
    assert matrix[0, -1] == 99_998


@pytest.mark.parametrize(("length", "n_heads"), [(0, 2), (3, 0), (0, 0), (3, 2)])
def test_biases_are_read_only_also_for_no_positions_and_for_no_heads(length, n_heads):
    for bias in (alibi_bias(length, np.ones(n_heads)), t5_bias(length, np.ones((4, n_heads)))):
        assert bias.shape == (n_heads, length, length)
        assert not bias.flags.writeable


# T5


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
    offsets += [0, 1, -1, max_distance, -max_distance, 1 - max_distance]
    expected = [
        bucket_by_counting(abs(o) if both else max(-o, 0), side, max_distance)
        + (side if both and o > 0 else 0)
        for o in offsets
    ]
    assert t5_buckets(offsets, n, max_distance, both).tolist() == expected


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("options", [(32, 128), (32, 256), (64, 128), (320, 800)])
def test_no_border_of_a_model_in_use_depends_on_how_logarithms_are_rounded(options, both):
    offsets = np.arange(-3000, 3001)
    by_logarithms = formulas.t5_buckets(offsets, *options, both)
    np.testing.assert_array_equal(t5_buckets(offsets, *options, both), by_logarithms)
    short = formulas.t5_buckets(offsets.astype(np.float32), *options, both)
    np.testing.assert_array_equal(short, by_logarithms)


def test_the_first_bucket_after_the_query_stays_empty():
    buckets = np.unique(t5_buckets(np.arange(-200, 201)))
    assert buckets.tolist() == [b for b in range(32) if b != 16]


@pytest.mark.parametrize("both", [True, False])
def test_the_ends_of_64_bits_are_in_the_last_buckets(both):
    ends = t5_buckets([-(2**63), 2**63 - 1], bidirectional=both).tolist()
    assert ends == ([15, 31] if both else [31, 0])


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3, 4)])
def test_buckets_have_the_shape_of_the_positions(shape):
    buckets = t5_buckets(np.ones(shape, int))
    assert (buckets.shape, buckets.dtype) == (shape, np.int64)


@given(st.integers(1, 20), t5_options(), seeds)
def test_the_bias_of_t5_is_the_row_of_the_table_that_the_bucket_names(length, options, seed):
    n, max_distance, both = options
    table = normal(seed, n, 3)
    buckets = t5_buckets(relative_positions(length), n, max_distance, both)
    np.testing.assert_array_equal(
        t5_bias(length, table, max_distance, both), table[buckets].transpose(2, 0, 1)
    )


def test_the_bias_of_t5_has_the_type_of_its_table_and_does_not_follow_it():
    table = np.ones((4, 2), np.float32)
    bias = t5_bias(3, table)
    table[:] = 2
    assert (bias == 1).all()
    assert bias.dtype == np.float32
    assert t5_bias(3, table.astype(int)).dtype == np.float64


# relative_key_scores


@given(st.integers(1, 8), seeds)
def test_equal_queries_make_a_matrix_by_offset(length, seed):
    query, table = normal(seed, 4), normal(seed + 1, 2 * length - 1, 4)
    scores = relative_key_scores(np.tile(query, (length, 1)), table)
    np.testing.assert_allclose(scores, by_offset(table @ query), rtol=0, atol=1e-13)


@pytest.mark.parametrize("batch", [(), (0,), (2, 3)])
@pytest.mark.parametrize("length", [0, 1, 8])
def test_a_batch_of_relative_scores_is_its_sequences_one_by_one(batch, length):
    queries, table = normal(0, *batch, length, 4), normal(1, 7, 4)
    scores = relative_key_scores(queries, table)
    assert scores.shape == (*batch, length, length)
    for index in np.ndindex(batch):
        expected = formulas.relative_key_scores(queries[index], table)
        np.testing.assert_allclose(scores[index], expected, rtol=0, atol=1e-13)


def test_relative_scores_stay_float32_only_where_both_are():
    queries, table = np.ones((3, 2), np.float32), np.ones((3, 2), np.float32)
    assert relative_key_scores(queries, table).dtype == np.float32
    assert relative_key_scores(queries, table.astype(float)).dtype == np.float64


def test_relative_scores_that_overflow_are_refused():
    with pytest.raises(ValueError, match=r"^queries, table: expected .*overflow"):
        relative_key_scores([[1e200]], [[1e200]])
