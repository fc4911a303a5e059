"""Relative positions beyond their formulas: views, borders found in integers, types, no rows."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import formulas
from pecode.relative import alibi_bias, by_offset, relative_key_scores, t5_bias, t5_buckets
from tests.pecode.draws import normal

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
    distances = [abs(o) if both else max(-o, 0) for o in offsets]
    expected = [bucket_by_counting(distance, side, max_distance) for distance in distances]
    expected = np.array(expected) + side * (both & (np.array(offsets) > 0))
    assert t5_buckets(offsets, n, max_distance, both).tolist() == expected.tolist()


def test_a_distance_may_lie_on_the_border_of_two_buckets():
    # Border 16 of 24 is 24 · (81 / 24)**(16 / 24), and that is 54.
    assert Fraction(54, 24) ** 24 == Fraction(81, 24) ** 16
    assert t5_buckets([-53, -54], 48, 81, bidirectional=False).tolist() == [39, 40]


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("options", [(32, 128), (32, 256), (64, 128), (320, 800)])
def test_no_border_of_a_model_in_use_depends_on_how_logarithms_are_rounded(options, both):
    offsets = np.arange(-3000, 3001)
    by_logarithms = formulas.t5_buckets(offsets, *options, both)
    np.testing.assert_array_equal(t5_buckets(offsets, *options, both), by_logarithms)
    short = formulas.t5_buckets(offsets.astype(np.float32), *options, both)
    np.testing.assert_array_equal(short, by_logarithms)


def test_the_bias_of_t5_has_the_type_of_its_table_and_does_not_follow_it():
    table = np.ones((4, 2), np.float32)
    bias = t5_bias(3, table)
    table[:] = 2
    assert (bias == 1).all()
    assert bias.dtype == np.float32
    assert t5_bias(3, table.astype(int)).dtype == np.float64


# relative_key_scores


def test_relative_scores_stay_float32_only_where_both_are():
    queries, table = np.ones((3, 2), np.float32), np.ones((3, 2), np.float32)
    assert relative_key_scores(queries, table).dtype == np.float32
    assert relative_key_scores(queries, table.astype(float)).dtype == np.float64
    assert relative_key_scores(queries[:0], table).shape == (0, 0)
