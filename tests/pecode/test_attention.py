"""Self-attention beyond its formula: numbers of every size and type, masks of a batch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pecode import attention_weights, causal_mask, self_attention, softmax
from tests.pecode.draws import normal, seeds


def inputs(seed, *batch, length=6, d_model=4):
    matrices = (normal(seed + k, d_model, d) for k, d in enumerate((3, 3, 5), start=1))
    return normal(seed, *batch, length, d_model), *matrices


def test_a_hidden_position_has_no_weight_however_large_its_score():
    x, w_query, w_key, _ = inputs(0)
    weights = attention_weights(100 * x, w_query, 100 * w_key, causal_mask(6))
    np.testing.assert_array_equal(np.triu(weights, 1), 0)


# softmax


@given(seeds, st.lists(st.integers(1, 8), min_size=1, max_size=3), st.integers(-3, 2))
def test_weights_are_positive_and_sum_to_1_along_any_axis(seed, shape, axis):
    axis = max(-len(shape), min(axis, len(shape) - 1))
    scores = 30 * normal(seed, *shape)
    weights = softmax(scores, axis)
    assert (weights > 0).all()
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-14)
    last = softmax(np.moveaxis(scores, axis, -1))
    np.testing.assert_allclose(weights, np.moveaxis(last, -1, axis), rtol=1e-12)


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([1e4, 1e4, -1e4], [0.5, 0.5, 0]),
        ([-1.7e308, 1.7e308], [0, 1]),
        ([-np.inf, 3.0, 3.0], [0, 0.5, 0.5]),
        (np.array([-128, 127], np.int8), [0, 1]),  # the difference wraps around in 8 bits
        (np.array([0, 200, 200], np.uint8), [0, 0.5, 0.5]),
        (np.array([0, 200, 200], np.uint64), [0, 0.5, 0.5]),
    ],
)
def test_no_score_is_too_large_and_no_type_too_short(scores, weights):
    np.testing.assert_allclose(softmax(scores), weights, rtol=0, atol=1e-50)


# Shapes and types


@pytest.mark.parametrize("batch", [(1,), (3,), (2, 3), (0,)])
def test_a_batch_is_its_sequences_one_by_one_each_with_its_mask_and_bias(batch):
    x, *weights = inputs(0, *batch)
    masks, biases = (normal(k, *batch, 6, 6) for k in (1, 2))
    masks = (masks > 0) | np.eye(6, dtype=bool)
    outputs = self_attention(x, *weights, masks, biases)
    assert outputs.shape == (*batch, 6, 5)
    for index in np.ndindex(batch):
        expected = self_attention(x[index], *weights, masks[index], biases[index])
        np.testing.assert_allclose(outputs[index], expected, rtol=1e-12)
