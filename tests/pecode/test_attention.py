"""Self-attention: what it knows of order, and what a mask and a bias change."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode import attention_weights, causal_mask, self_attention, sinusoidal, softmax

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

seeds = st.integers(0, 10**6)
sizes = st.integers(1, 8)


def inputs(seed, length=6, d_model=4, d_head=3, d_value=5, batch=()):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(*batch, length, d_model))
    return x, *(rng.normal(size=(d_model, d)) for d in (d_head, d_head, d_value))


# softmax


@given(seeds, st.lists(sizes, min_size=1, max_size=3), st.integers(-3, 2))
def test_softmax_rows_are_positive_and_sum_to_1(seed, shape, axis):
    axis = max(-len(shape), min(axis, len(shape) - 1))
    weights = softmax(np.random.default_rng(seed).normal(scale=30, size=shape), axis)
    assert weights.shape == tuple(shape)
    assert (weights > 0).all()
    np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-14)


@given(seeds, st.floats(-1e3, 1e3))
def test_softmax_does_not_change_when_all_scores_are_shifted(seed, shift):
    scores = np.random.default_rng(seed).normal(size=(3, 5))
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), rtol=1e-11)


@given(seeds)
def test_softmax_ratios_are_exponentials_of_differences(seed):
    scores = np.random.default_rng(seed).normal(size=5)
    weights = softmax(scores)
    np.testing.assert_allclose(
        weights / weights[0], [math.exp(s - scores[0]) for s in scores], rtol=1e-13
    )


def test_softmax_of_large_scores_does_not_overflow():
    np.testing.assert_allclose(softmax([1e4, 1e4, -1e4]), [0.5, 0.5, 0])


def test_softmax_gives_no_weight_to_minus_infinity():
    np.testing.assert_array_equal(softmax([-np.inf, 1.0, 3.0]), [0, *softmax([1.0, 3.0])])


@pytest.mark.parametrize("int_type", [np.int8, np.uint8, np.int64, np.uint64])
def test_softmax_of_integers_is_softmax_of_their_floats(int_type):
    scores = np.array([0, 100, 101], int_type)
    np.testing.assert_array_equal(softmax(scores), softmax(scores.astype(float)))


def test_softmax_of_distant_small_integers_does_not_wrap_around():
    np.testing.assert_array_equal(softmax(np.array([-128, 127], np.int8)), softmax([-128.0, 127.0]))


# The formula


def naive(x, w_query, w_key, w_value, allowed=None, bias=None):
    """Vaswani et al., equation 1, one number at a time."""
    length, d_model = x.shape
    d_value = w_value.shape[1]

    def project(w):
        return [
            [sum(x[t, a] * w[a, b] for a in range(d_model)) for b in range(w.shape[1])]
            for t in range(length)
        ]

    query, key, value = project(w_query), project(w_key), project(w_value)
    output = []
    for t in range(length):
        exponentials = []
        for s in range(length):
            score = sum(q * k for q, k in zip(query[t], key[s], strict=True))
            score = score / math.sqrt(len(query[t])) + (0 if bias is None else bias[t][s])
            sees = allowed is None or allowed[t][s]
            exponentials.append(math.exp(score) if sees else 0.0)
        weights = [e / sum(exponentials) for e in exponentials]
        output.append(
            [sum(w * v[b] for w, v in zip(weights, value, strict=True)) for b in range(d_value)]
        )
    return output


@given(seeds, sizes, sizes, sizes, sizes)
def test_self_attention_is_the_formula_of_the_paper(seed, length, d_model, d_head, d_value):
    arguments = inputs(seed, length, d_model, d_head, d_value)
    np.testing.assert_allclose(self_attention(*arguments), naive(*arguments), rtol=1e-8, atol=1e-11)


@given(seeds, sizes)
def test_mask_and_bias_enter_where_the_formula_has_them(seed, length):
    arguments = inputs(seed, length)
    rng = np.random.default_rng(seed + 1)
    bias = rng.normal(size=(length, length))
    mask = rng.random((length, length)) < 0.5
    np.fill_diagonal(mask, True)
    np.testing.assert_allclose(
        self_attention(*arguments, mask=mask, bias=bias),
        naive(*arguments, allowed=mask, bias=bias),
        rtol=1e-8,
        atol=1e-11,
    )


# Order


@given(seeds, sizes, st.randoms(use_true_random=False))
def test_without_a_mask_the_outputs_follow_the_permutation_of_the_inputs(seed, length, random):
    x, *weights = inputs(seed, length)
    order = random.sample(range(length), length)
    np.testing.assert_allclose(
        self_attention(x[order], *weights), self_attention(x, *weights)[order], rtol=0, atol=1e-12
    )


@given(seeds)
def test_a_causal_mask_breaks_the_equivariance(seed):
    x, *weights = inputs(seed)
    mask = causal_mask(len(x))
    shuffled = self_attention(x[::-1], *weights, mask=mask)
    assert np.abs(shuffled - self_attention(x, *weights, mask=mask)[::-1]).max() > 1e-2


@given(seeds)
def test_positions_added_to_the_inputs_break_the_equivariance(seed):
    x, *weights = inputs(seed)
    positions = sinusoidal(range(6), 4)
    shuffled = self_attention(x[::-1] + positions, *weights)
    assert np.abs(shuffled - self_attention(x + positions, *weights)[::-1]).max() > 1e-3


@given(seeds)
def test_the_same_word_twice_gets_the_same_output(seed):
    x, *weights = inputs(seed)
    x[4] = x[1]
    outputs = self_attention(x, *weights)
    np.testing.assert_allclose(outputs[4], outputs[1], rtol=0, atol=1e-12)


@given(seeds, st.integers(1, 6))
def test_with_a_causal_mask_later_words_change_nothing_earlier(seed, length):
    x, *weights = inputs(seed)
    whole = self_attention(x, *weights, mask=causal_mask(6))
    start = self_attention(x[:length], *weights, mask=causal_mask(length))
    np.testing.assert_allclose(whole[:length], start, rtol=0, atol=1e-12)


def test_the_causal_mask_lets_each_look_at_itself_and_back():
    mask = causal_mask(5)
    assert mask.dtype == bool
    assert mask.tolist() == [[s <= t for s in range(5)] for t in range(5)]
    assert causal_mask(0).shape == (0, 0)


# Weights and shapes


@given(seeds, sizes)
def test_attention_weights_sum_to_1_and_keep_to_the_mask(seed, length):
    x, w_query, w_key, _ = inputs(seed, length)
    weights = attention_weights(x, w_query, w_key, causal_mask(length))
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-14)
    assert (weights[~causal_mask(length)] == 0).all()
    assert (weights[causal_mask(length)] > 0).all()


@given(seeds)
def test_self_attention_is_its_weights_times_the_values(seed):
    x, w_query, w_key, w_value = inputs(seed)
    weights = attention_weights(x, w_query, w_key)
    np.testing.assert_allclose(
        self_attention(x, w_query, w_key, w_value), weights @ (x @ w_value), rtol=1e-13
    )


@pytest.mark.parametrize("batch", [(), (1,), (3,), (2, 3), (0,)])
def test_a_batch_is_its_sequences_one_by_one(batch):
    x, *weights = inputs(0, batch=batch)
    mask, bias = causal_mask(6), np.arange(36.0).reshape(6, 6) / 10
    outputs = self_attention(x, *weights, mask, bias)
    assert outputs.shape == (*batch, 6, 5)
    for index in np.ndindex(batch):
        np.testing.assert_allclose(
            outputs[index], self_attention(x[index], *weights, mask, bias), rtol=1e-12
        )


def test_a_mask_or_bias_for_each_sequence_of_the_batch():
    x, *weights = inputs(0, batch=(2,))
    masks = np.array([causal_mask(6), np.ones((6, 6), bool)])
    biases = np.array([np.zeros((6, 6)), np.arange(36.0).reshape(6, 6) / 10])
    outputs = self_attention(x, *weights, masks, biases)
    for k in range(2):
        expected = self_attention(x[k], *weights, masks[k], biases[k])
        np.testing.assert_allclose(outputs[k], expected, rtol=1e-12)


@given(seeds)
def test_a_constant_bias_changes_nothing(seed):
    x, *weights = inputs(seed)
    np.testing.assert_allclose(
        self_attention(x, *weights, bias=3.0), self_attention(x, *weights), rtol=0, atol=1e-12
    )


def test_a_mask_is_a_bias_of_minus_a_lot():
    x, *weights = inputs(0)
    bias = np.where(causal_mask(6), 0, -1e6)
    np.testing.assert_allclose(
        self_attention(x, *weights, bias=bias), self_attention(x, *weights, mask=causal_mask(6))
    )


def test_float32_stays_float32():
    arguments = [a.astype(np.float32) for a in inputs(0)]
    assert self_attention(*arguments, mask=causal_mask(6)).dtype == np.float32
    np.testing.assert_allclose(self_attention(*arguments), self_attention(*inputs(0)), atol=1e-5)
