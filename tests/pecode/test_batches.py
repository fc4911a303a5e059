"""Functions of vectors: each sequence of a batch on its own, float32 kept, nothing overwritten."""

import numpy as np
import pytest

import pecode
from tests.pecode.draws import normal

T = np.arange(6) ** 3 - 20 + 10**6
POINTS, OMEGA = pecode.grid_positions((2, 3)), pecode.axial_frequencies((4, 4))


def like(x, array):
    """Another argument, in the type that the result is expected to have."""
    return array.astype(np.float32 if x.dtype == np.float32 else np.float64)


def in_pairs(x):
    """Vectors of two columns, of which none moves."""
    return x.reshape(*x.shape[:-1], 4, 2)


FUNCTIONS = {  # of x, shape (..., 6, 8)
    "attention": lambda x: pecode.self_attention(x, *like(x, normal(1, 3, 8, 8))),
    "relative scores": lambda x: pecode.relative_key_scores(x, like(x, normal(1, 7, 8))),
    "translate": lambda x: pecode.translate(x, 10**6),
    "rotate": lambda x: pecode.rotate(x, T),
    "rotate halves": lambda x: pecode.rotate(x, T, layout="half"),
    "rotate points": lambda x: pecode.rotate_points(x, POINTS, OMEGA),
    "to_half": pecode.to_half,
    "to_half, single pairs": lambda x: pecode.to_half(in_pairs(x)),
    "to_interleaved": pecode.to_interleaved,
    "to_interleaved, single pairs": lambda x: pecode.to_interleaved(in_pairs(x)),
}
each_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


@each_function
@pytest.mark.parametrize("batch", [(), (0,), (1,), (2, 3)])
def test_a_batch_is_its_sequences_one_by_one_and_stays_as_it_was(function, batch):
    x = normal(0, *batch, 6, 8)
    results = function(x)
    assert results.shape == (*batch, *function(normal(0, 6, 8)).shape)
    for index in np.ndindex(batch):
        np.testing.assert_allclose(results[index], function(x[index]), rtol=0, atol=1e-13)
    np.testing.assert_array_equal(x, normal(0, *batch, 6, 8))


@each_function
@pytest.mark.parametrize("dtype", [np.int64, np.float16, np.float32, np.float64])
def test_float32_stays_float32_and_everything_else_is_float64(function, dtype):
    x = (3 * normal(0, 6, 8)).astype(dtype)
    kept = np.float32 if dtype == np.float32 else np.float64
    assert function(x).dtype == kept
    assert not np.shares_memory(function(x), x)
    tolerance = 2e-5 if dtype == np.float32 else 0
    np.testing.assert_allclose(function(x), function(x.astype(float)), rtol=0, atol=tolerance)
