"""A learned table: rows that training may change, and nothing beyond the last."""

import numpy as np
import pytest

from lab.learned import LearnedEmbedding


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


def test_rows_are_drawn_from_the_seed_or_copied_from_a_table():
    rows = 0.5 * np.random.default_rng(3).standard_normal((7, 3))
    np.testing.assert_array_equal(LearnedEmbedding(7, 3, scale=0.5, seed=3).table, rows)
    rng = np.random.default_rng(3)  # a generator is used as it stands
    np.testing.assert_array_equal(LearnedEmbedding(7, 3, scale=0.5, seed=rng).table, rows)
    copied = LearnedEmbedding.from_table(rows.astype(np.float32))
    assert copied.table.dtype == np.float64
    before = rows.copy()
    LearnedEmbedding.from_table(rows).table += 1
    np.testing.assert_array_equal(rows, before)
    assert repr(copied) == "LearnedEmbedding(length=7, d_model=3)"
    assert copied.n_parameters == 21
