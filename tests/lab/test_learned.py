"""A learned table: rows that training may change, and nothing beyond the last."""

import numpy as np
import pytest

from lab.learned import LearnedEmbedding

EACH_SIZE = pytest.mark.parametrize(("length", "d_model"), [(1, 1), (7, 3), (20, 20)])


@pytest.mark.parametrize(
    "positions", [2, [], [4, 0, 0], np.array([[1, 2, 3], [0, 1, 0]]), range(5)]
)
def test_each_position_gets_a_copy_of_its_row(positions):
    embedding = LearnedEmbedding(5, 3)
    before, rows = embedding.table.copy(), embedding(positions)
    assert rows.shape == (*np.shape(positions), 3)
    for place in np.ndindex(np.shape(positions)):
        np.testing.assert_array_equal(rows[place], before[np.asarray(positions)[place]])
    rows[...] = 7
    np.testing.assert_array_equal(embedding.table, before)


@pytest.mark.parametrize("positions", [-1, 5, [0, 5], [4, -1], 2**62, -(2**62), [2, 9, -3, 0]])
def test_a_position_without_a_row_is_refused(positions):
    got = f"got {np.min(positions)} to {np.max(positions)}"
    with pytest.raises(ValueError, match=rf"^positions: expected values from 0 to 4, .*{got}"):
        LearnedEmbedding(5, 3)(positions)


@EACH_SIZE
def test_equal_seeds_give_equal_tables_and_others_do_not(length, d_model):
    one, again, other = (LearnedEmbedding(length, d_model, seed=s).table for s in (3, 3, 4))
    np.testing.assert_array_equal(one, again)
    assert (one != other).all()
    rng = np.random.default_rng(3)  # a generator is used as it stands
    first, second = (LearnedEmbedding(length, d_model, seed=rng).table for _ in range(2))
    np.testing.assert_array_equal(first, one)
    assert (second != one).all()


def test_rows_start_with_the_standard_deviation_asked_for():
    table = LearnedEmbedding(400, 100).table  # 40,000 numbers: within one percent or so
    assert table.dtype == np.float64
    assert table.std() == pytest.approx(0.02, rel=0.02)
    assert abs(table.mean()) < 4e-4
    standard = LearnedEmbedding(400, 100, 1).table
    for scale in (0, 1e-5, 0.02, 3.5):
        scaled = LearnedEmbedding(400, 100, scale).table
        np.testing.assert_array_equal(scaled, scale * standard)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, list])
def test_a_given_table_is_copied_as_float64(dtype):
    rows = np.arange(12).reshape(4, 3)
    given = rows.tolist() if dtype is list else rows.astype(dtype)
    if dtype is not list:
        given.flags.writeable = False
    embedding = LearnedEmbedding.from_table(given)
    assert embedding.table.dtype == np.float64
    np.testing.assert_array_equal(embedding(range(4)), rows)
    embedding.table += 1
    np.testing.assert_array_equal(given, rows)
    np.testing.assert_array_equal(embedding.table, rows + 1)


@EACH_SIZE
def test_there_is_a_parameter_for_each_entry_of_the_table_as_it_is_now(length, d_model):
    embedding = LearnedEmbedding(4, 3)
    embedding.table[2] = [1, 2, 3]
    np.testing.assert_array_equal(embedding(2), [1, 2, 3])
    embedding.table = np.ones((length, d_model))
    np.testing.assert_array_equal(embedding(length - 1), np.ones(d_model))
    assert embedding.n_parameters == length * d_model
    assert repr(embedding) == f"LearnedEmbedding(length={length}, d_model={d_model})"
