"""A learned table: rows that training may change, and nothing beyond the last."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import sinusoidal, sinusoidal_table
from pecode.lab.learned import LearnedEmbedding

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

sizes = st.integers(1, 20)


@given(st.data(), sizes, sizes)
def test_each_position_gets_its_row(data, length, d_model):
    position = LearnedEmbedding(length, d_model)
    asked = data.draw(st.lists(st.integers(0, length - 1), max_size=6))
    rows = position(asked)
    assert rows.shape == (len(asked), d_model)
    for row, t in zip(rows, asked, strict=True):
        np.testing.assert_array_equal(row, position.table[t])


@pytest.mark.parametrize("shape", [(), (0,), (4,), (2, 3), (1, 0, 2)])
def test_the_shape_is_that_of_the_positions_and_the_width(shape):
    assert LearnedEmbedding(5, 3)(np.zeros(shape, int)).shape == (*shape, 3)


def test_all_positions_give_the_table():
    position = LearnedEmbedding(7, 3)
    np.testing.assert_array_equal(position(range(7)), position.table)


@pytest.mark.parametrize("positions", [-1, 5, [0, 5], [4, -1], 2**62, -(2**62)])
def test_a_position_without_a_row_is_refused(positions):
    with pytest.raises(ValueError, match=r"^positions: expected values from 0 to 4, .*got "):
        LearnedEmbedding(5, 3)(positions)


def test_the_message_says_the_smallest_and_the_largest_that_came():
    with pytest.raises(ValueError, match=re.escape("got -3 to 9")):
        LearnedEmbedding(5, 3)([2, 9, -3, 0])


def test_a_sinusoid_has_a_vector_where_the_table_ends():
    position = LearnedEmbedding.from_table(sinusoidal_table(5, 4))
    np.testing.assert_array_equal(position(4), sinusoidal(4, 4))
    with pytest.raises(ValueError, match="positions"):
        position(5)
    assert sinusoidal(5, 4).shape == (4,)


# The start


@given(sizes, sizes, st.integers(0, 10**6))
def test_equal_seeds_give_equal_tables_and_others_do_not(length, d_model, seed):
    first, again, other = (
        LearnedEmbedding(length, d_model, seed=s).table for s in (seed, seed, seed + 1)
    )
    np.testing.assert_array_equal(first, again)
    assert (first != other).all()


def test_a_generator_is_used_as_it_stands():
    rng = np.random.default_rng(7)
    first, second = LearnedEmbedding(4, 3, seed=rng), LearnedEmbedding(4, 3, seed=rng)
    np.testing.assert_array_equal(first.table, LearnedEmbedding(4, 3, seed=7).table)
    assert (first.table != second.table).all()


@pytest.mark.parametrize("scale", [0.02, 1.0, 3, 1e-5])
def test_rows_start_with_the_standard_deviation_asked_for(scale):
    table = LearnedEmbedding(400, 100, scale).table  # 40,000 numbers: within one percent or so
    assert table.dtype == np.float64
    assert table.std() == pytest.approx(scale, rel=0.02)
    assert abs(table.mean()) < 0.02 * scale


@given(st.floats(0, 1e6))
def test_the_scale_only_scales(scale):
    np.testing.assert_array_equal(
        LearnedEmbedding(4, 3, scale).table, scale * LearnedEmbedding(4, 3, 1.0).table
    )


def test_a_scale_of_0_starts_with_zeros():
    assert not LearnedEmbedding(4, 3, scale=0).table.any()


# from_table


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16])
def test_a_given_table_is_copied_as_float64(dtype):
    given_rows = np.arange(12).reshape(4, 3).astype(dtype)
    position = LearnedEmbedding.from_table(given_rows)
    given_rows[:] = -1
    assert position.table.dtype == np.float64
    np.testing.assert_array_equal(position.table, np.arange(12).reshape(4, 3))


def test_a_table_may_be_a_list():
    np.testing.assert_array_equal(LearnedEmbedding.from_table([[1, 2.5]])(0), [1, 2.5])


def test_a_given_table_can_be_trained_although_it_was_read_only():
    given_rows = sinusoidal_table(4, 2)
    given_rows.flags.writeable = False
    position = LearnedEmbedding.from_table(given_rows)
    position.table += 1
    np.testing.assert_array_equal(position.table, given_rows + 1)


# Training changes it


def test_what_is_written_to_the_table_is_what_positions_get():
    position = LearnedEmbedding(4, 3)
    position.table[2] = [1, 2, 3]
    np.testing.assert_array_equal(position(2), [1, 2, 3])
    position.table = np.ones((6, 2))
    np.testing.assert_array_equal(position(5), [1, 1])
    assert position.n_parameters == 12
    assert repr(position) == "LearnedEmbedding(length=6, d_model=2)"


@pytest.mark.parametrize("positions", [1, np.array(1), [0, 1], range(4)])
def test_what_positions_get_is_a_copy(positions):
    position = LearnedEmbedding(4, 3)
    before = position.table.copy()
    position(positions)[...] = 7
    np.testing.assert_array_equal(position.table, before)


@given(sizes, sizes)
def test_there_is_a_parameter_for_each_row_and_column(length, d_model):
    for position in (
        LearnedEmbedding(length, d_model),
        LearnedEmbedding.from_table(np.zeros((length, d_model))),
    ):
        assert position.n_parameters == length * d_model
        assert repr(position) == f"LearnedEmbedding(length={length}, d_model={d_model})"
