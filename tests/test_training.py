"""The tiny Transformer: its gradients, its parts against plain formulas, and what it learns."""

import contextlib
import copy
import dataclasses
import math
import os
import subprocess
import sys

import autograd.numpy as anp
import numpy as np
import pytest
from autograd import grad
from autograd.test_util import check_grads
from hypothesis import given, settings
from hypothesis import strategies as st

import pecode
from pecode import causal_mask, self_attention, sinusoidal_table
from pecode.lab.schemes import SCHEMES, RelativeBias, Scheme, scheme
from pecode.lab.tasks import Batch, Task, back, jump, majority, recent, where
from pecode.lab.training import TinyTransformer, extrapolation, train
from pecode.lab.transformer import (
    cross_entropy,
    initial_parameters,
    logits,
    loss,
    project,
    relative_scores,
    rotate_pairs,
    softmax,
    states,
)
from pecode.relative import alibi_bias, relative_key_scores, t5_bias
from pecode.rotary import rotate

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

seeds = st.integers(0, 10**6)
EACH_SCHEME = pytest.mark.parametrize("name", SCHEMES)


def normal(seed, *shape):
    return np.random.default_rng(seed).normal(size=shape)


def untrained(position, seed=0, d_model=6, n_layers=1, n_tokens=4, n_classes=3):
    """A scheme and random parameters; a trained bias, which starts as zeros, is random too."""
    position = scheme(position) if isinstance(position, str) else position
    task = Task("any", n_tokens, n_classes, None)
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(task, position, rng, d_model, n_layers)
    for own in set(parameters) & {"bias", "position"}:
        parameters[own] = 0.3 * rng.normal(size=parameters[own].shape)
    return position, parameters


def same(one, other):
    """Whether two dicts of parameters are equal to the last bit."""
    return one.keys() == other.keys() and all(
        one[key].shape == other[key].shape and one[key].tobytes() == other[key].tobytes()
        for key in one
    )


# Gradients


def slopes_along(f, parameters, directions, step=1e-4):
    """Central differences of fourth order, one for each direction."""

    def at(amount, direction):
        return f({key: parameters[key] + amount * direction[key] for key in parameters})

    return np.array(
        [
            (8 * (at(step, d) - at(-step, d)) - (at(2 * step, d) - at(-2 * step, d))) / (12 * step)
            for d in directions
        ]
    )


@EACH_SCHEME
@pytest.mark.parametrize("causal", [True, False], ids=["causal", "unmasked"])
@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("pooled", [True, False], ids=["pooled", "each"])
def test_gradients_are_the_slopes_of_the_loss(name, causal, n_layers, pooled):
    position, parameters = untrained(name, d_model=4, n_layers=n_layers)
    rng = np.random.default_rng(1)
    shape = (2, 1 if pooled else 5)
    counted = rng.random(shape) < 0.7
    counted[0, 0] = True
    batch = Batch(rng.integers(0, 4, (2, 5)), rng.integers(0, 3, shape), counted)

    def f(values):
        return loss(values, batch, position, causal, pooled)

    gradients = grad(f)(parameters)
    assert gradients.keys() == parameters.keys()
    # One array at a time, along its gradient and across: none hides behind a larger one.
    nowhere = {key: np.zeros_like(array) for key, array in parameters.items()}
    for key, gradient in gradients.items():
        assert gradient.shape == parameters[key].shape
        size = np.linalg.norm(gradient)
        assert size > 1e-6  # every array matters
        steps = [gradient / size, *rng.normal(size=(2, *gradient.shape))]
        found = slopes_along(f, parameters, [{**nowhere, key: step} for step in steps])
        expected = [np.sum(gradient * step) for step in steps]
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6 * size)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("learned", {"length": 4}),
        ("relative bias", {"clip": 2}),
        ("rotary", {}),
        ("rotary", {"frequencies": [0.7]}),
        ("ALiBi", {}),
        ("T5 buckets", {"n_buckets": 4, "max_distance": 3}),
        ("T5 buckets", {"n_buckets": 6, "max_distance": 2, "bidirectional": True}),
        ("relative keys", {"clip": 2}),
        ("relative keys", {"clip": 0}),
    ],
    ids=str,
)
@pytest.mark.parametrize("causal", [True, False], ids=["causal", "unmasked"])
@pytest.mark.parametrize("n_layers", [1, 2])
def test_every_single_number_has_the_gradient_of_its_own_slope(name, options, causal, n_layers):
    position, parameters = untrained(
        scheme(name, **options), d_model=2, n_layers=n_layers, n_tokens=3
    )
    rng = np.random.default_rng(2)
    batch = Batch(rng.integers(0, 3, (3, 4)), rng.integers(0, 3, (3, 4)), np.ones((3, 4), bool))

    def f(values):
        return loss(values, batch, position, causal, False)

    gradients = grad(f)(parameters)
    largest = max(np.abs(g).max() for g in gradients.values())
    for key, array in parameters.items():
        directions = []
        for index in np.ndindex(array.shape):
            direction = {k: np.zeros_like(v) for k, v in parameters.items()}
            direction[key][index] = 1
            directions.append(direction)
        found = slopes_along(f, parameters, directions).reshape(array.shape)
        np.testing.assert_allclose(found, gradients[key], rtol=1e-6, atol=1e-8 * largest)


@given(seeds, st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(1, 4))
@settings(max_examples=15)
def test_project_has_the_gradient_of_the_product(seed, shape, columns):
    x, matrix = normal(seed, *shape), normal(seed + 1, shape[-1], columns)
    check_grads(project, modes=["rev"])(x, matrix)

    def total(product):
        return lambda x, matrix: anp.sum(anp.sin(product(x, matrix)))

    for argument in (0, 1):
        ours, plain = (grad(total(f), argument)(x, matrix) for f in (project, anp.matmul))
        np.testing.assert_allclose(ours, plain, rtol=0, atol=1e-12)


@given(seeds, st.integers(1, 4), st.integers(1, 5), st.integers(1, 4))
@settings(max_examples=15)
def test_relative_keys_have_the_gradient_of_the_slow_sum(seed, size, length, width):
    query, keys = normal(seed, size, length, width), normal(seed + 1, length, length, width)
    check_grads(relative_scores, modes=["rev"])(query, keys)

    def total(product):
        return lambda query, keys: anp.sum(anp.sin(product(query, keys)))

    def slow(query, keys):
        return anp.einsum("btd,tsd->bts", query, keys)

    for argument in (0, 1):
        ours, plain = (grad(total(f), argument)(query, keys) for f in (relative_scores, slow))
        np.testing.assert_allclose(ours, plain, rtol=0, atol=1e-12)


def plain_softmax(scores):
    weights = anp.exp(scores)
    return weights / anp.sum(weights, axis=-1, keepdims=True)


@given(seeds, st.lists(st.integers(1, 4), min_size=1, max_size=3))
@settings(max_examples=15)
def test_softmax_has_the_gradient_of_its_formula(seed, shape):
    scores, weigh = normal(seed, *shape), normal(seed + 1, *shape)
    check_grads(softmax, modes=["rev"], order=1)(scores)
    ours, plain = (
        grad(lambda s, f=f: anp.sum(weigh * f(s)))(scores) for f in (softmax, plain_softmax)
    )
    np.testing.assert_allclose(ours, plain, rtol=0, atol=1e-14)


def plain_cross_entropy(answers, targets, counted):
    losses = [
        -anp.log(plain_softmax(answers[index])[targets[index]])
        for index in np.ndindex(targets.shape)
        if counted[index]
    ]
    return sum(losses) / len(losses)


@given(seeds, st.integers(1, 4), st.integers(1, 4), st.integers(1, 5))
@settings(max_examples=15)
def test_cross_entropy_and_its_gradient_are_those_of_the_formula(seed, size, length, classes):
    rng = np.random.default_rng(seed)
    answers, targets = normal(seed, size, length, classes), rng.integers(0, classes, (size, length))
    counted = rng.random((size, length)) < 0.6
    counted[0, 0] = True
    value = cross_entropy(answers, targets, counted)
    assert value == pytest.approx(plain_cross_entropy(answers, targets, counted), abs=1e-13)
    ours, plain = (grad(f)(answers, targets, counted) for f in (cross_entropy, plain_cross_entropy))
    np.testing.assert_allclose(ours, plain, rtol=0, atol=1e-14)
    check_grads(lambda a: cross_entropy(a, targets, counted), modes=["rev"], order=1)(answers)
    assert not ours[~counted].any()


# The parts


@given(seeds, st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(1, 4))
def test_project_multiplies_every_vector(seed, shape, columns):
    x, matrix = normal(seed, *shape), normal(seed + 1, shape[-1], columns)
    np.testing.assert_allclose(project(x, matrix), x @ matrix, rtol=0, atol=1e-14)


@given(seeds, st.floats(-500, 500))
def test_softmax_is_that_of_attention(seed, shift):
    scores = 10 * normal(seed, 2, 3, 4) + shift
    np.testing.assert_allclose(softmax(scores), pecode.softmax(scores), rtol=1e-15)


def test_a_key_ahead_gets_no_weight_at_all():
    scores = normal(0, 4, 4) + np.where(causal_mask(4), 0, -1e9)
    assert (softmax(scores)[~causal_mask(4)] == 0).all()


def test_cross_entropy_of_large_numbers_does_not_overflow():
    answers = np.array([[[1e4, 0.0], [0.0, 1e4]]])
    all_count = np.ones((1, 2), bool)
    assert cross_entropy(answers, np.array([[0, 1]]), all_count) == 0
    assert cross_entropy(answers, np.array([[1, 1]]), all_count) == 5e3


def test_cross_entropy_of_equal_numbers_is_the_logarithm_of_their_count():
    value = cross_entropy(np.zeros((2, 3, 7)), np.zeros((2, 3), int), np.ones((2, 3), bool))
    assert value == pytest.approx(math.log(7))


@given(seeds, st.integers(1, 8), st.integers(1, 12), st.floats(1.01, 1e5))
def test_turn_is_rotate(seed, pairs, length, base):
    x = normal(seed, 3, length, 2 * pairs)
    rotation = scheme("rotary", base=base).rotation(length, 2 * pairs)
    np.testing.assert_allclose(
        rotate_pairs(x, rotation), rotate(x, np.arange(length), base), rtol=0, atol=2e-15
    )


@given(seeds, st.integers(1, 8), st.integers(1, 12))
def test_turn_by_other_frequencies_is_rotate_by_them(seed, pairs, length):
    x = normal(seed, 3, length, 2 * pairs)
    omega = np.random.default_rng(seed).uniform(-4, 4, pairs)
    rotation = scheme("rotary", frequencies=omega).rotation(length, 2 * pairs)
    expected = rotate(x, np.arange(length), frequencies=omega)
    np.testing.assert_allclose(rotate_pairs(x, rotation), expected, rtol=0, atol=4e-15)
    np.testing.assert_array_equal(
        rotation, scheme("rotary", frequencies=list(omega)).rotation(length, 2 * pairs)
    )


@given(st.integers(1, 8), st.integers(1, 40), st.floats(1.01, 1e5))
def test_the_frequencies_of_a_base_turn_as_the_base_does(pairs, length, base):
    by_base = scheme("rotary", base=base).rotation(length, 2 * pairs)
    omega = pecode.frequencies(2 * pairs, base)
    by_omega = scheme("rotary", base=3.0, frequencies=omega).rotation(length, 2 * pairs)
    # An angle of up to 40 radians is known to 40 times the rounding of its frequency.
    np.testing.assert_allclose(by_base, by_omega, rtol=0, atol=1e-14)


def test_a_model_trained_with_the_frequencies_of_the_base_is_that_of_the_base():
    omega = pecode.frequencies(6)
    plain, given_ones = (run(scheme("rotary", **o)) for o in ({}, {"frequencies": omega}))
    for key, array in plain.parameters.items():
        np.testing.assert_allclose(given_ones.parameters[key], array, rtol=0, atol=1e-9)
    halved = run(scheme("rotary", frequencies=omega / 2))
    assert not np.allclose(halved.parameters["readout"], plain.parameters["readout"], atol=1e-9)


def test_a_trained_model_may_be_read_with_other_frequencies():
    # What position interpolation does: the same parameters, slower turns.
    model = run("rotary")
    slow = scheme("rotary", frequencies=pecode.frequencies(6) / 2)
    slower = dataclasses.replace(model, scheme=slow)
    tokens = np.random.default_rng(0).integers(0, 8, (2, 9))
    at_half = attention_of(slower.parameters, tokens, np.arange(9) / 2)
    np.testing.assert_allclose(slower.states(tokens)[1], at_half, rtol=0, atol=1e-12)
    assert np.abs(slower.states(tokens)[1] - model.states(tokens)[1]).max() > 1e-3


def attention_of(parameters, tokens, places):
    """One causal layer, rotary at places that need not be integers, in complex numbers."""
    x = parameters["embedding"][tokens]
    d_model = x.shape[-1]
    turns = np.exp(1j * np.outer(places, pecode.frequencies(d_model)))  # (length, d_model / 2)
    query, key = (
        (x @ parameters[f"{name} 0"]).reshape(*tokens.shape, -1, 2) @ [1, 1j] * turns
        for name in ("query", "key")
    )
    scores = (query @ key.conj().swapaxes(1, 2)).real / math.sqrt(d_model)
    scores = np.where(causal_mask(len(places)), scores, -np.inf)
    return x + pecode.softmax(scores) @ x @ parameters["value 0"] @ parameters["output 0"]


def test_turn_by_nothing_is_the_same_array():
    x = normal(0, 2, 3, 4)
    assert rotate_pairs(x, None) is x


def attention_by_hand(x, parameters, layer, position, causal):
    """The new part of x after a layer, from the functions of the earlier chapters."""
    length, d_model = x.shape[1:]
    query, key, value, output = (
        parameters[f"{part} {layer}"] for part in ("query", "key", "value", "output")
    )
    mask = causal_mask(length) if causal else None
    if isinstance(position, type(scheme("rotary"))):
        t = np.arange(length)
        scores = rotate(x @ query, t) @ rotate(x @ key, t).swapaxes(1, 2) / math.sqrt(d_model)
        if causal:
            scores = np.where(mask, scores, -np.inf)
        return pecode.softmax(scores) @ x @ value @ output
    if "relative" in parameters:  # equation 5 of Shaw et al.: a second term, then the division
        second = relative_key_scores(x @ query, parameters["relative"]) / math.sqrt(d_model)
        parts = zip(x, second, strict=True)
        attended = [self_attention(y, query, key, value, mask=mask, bias=b) for y, b in parts]
        return np.array(attended) @ output
    bias = np.broadcast_to(position.bias(parameters, length), (length, length))
    return self_attention(x, query, key, value, mask=mask, bias=bias) @ output


@EACH_SCHEME
@pytest.mark.parametrize("causal", [True, False], ids=["causal", "unmasked"])
def test_a_layer_adds_the_self_attention_of_chapter_1(name, causal):
    position, parameters = untrained(name, n_layers=3)
    tokens = np.random.default_rng(1).integers(0, 4, (5, 7))
    table = position.table(parameters, 7, 6)
    found = states(parameters, tokens, position, causal)
    assert len(found) == 4
    np.testing.assert_allclose(found[0], parameters["embedding"][tokens] + table, atol=1e-14)
    for layer in range(3):
        added = attention_by_hand(found[layer], parameters, layer, position, causal)
        np.testing.assert_allclose(found[layer + 1] - found[layer], added, rtol=0, atol=1e-11)
    for pooled in (True, False):
        last = found[-1].mean(axis=1, keepdims=True) if pooled else found[-1]
        np.testing.assert_allclose(
            logits(parameters, tokens, position, causal, pooled),
            last @ parameters["readout"],
            rtol=0,
            atol=1e-11,
        )


# What the schemes tell


def encoded(name, length, d_model):
    """The table of a scheme as the functions of the earlier chapters have it."""
    t = np.arange(length)
    rows = {
        "count": lambda: pecode.count(t),
        "normalized count": lambda: pecode.normalized_count(t, length),
        "binary": lambda: pecode.binary(t, d_model, bit_order="little"),
        "sine and cosine": lambda: sinusoidal_table(length, d_model),
    }[name]()
    table = np.zeros((length, d_model))
    table[:, : rows.shape[1]] = rows
    return table


@pytest.mark.parametrize("name", ["count", "normalized count", "binary", "sine and cosine"])
@pytest.mark.parametrize(("length", "d_model"), [(1, 1), (1, 6), (9, 6), (32, 16), (7, 5)])
def test_a_table_is_the_encoding_with_zeros_to_the_right(name, length, d_model):
    np.testing.assert_allclose(
        scheme(name).table({}, length, d_model), encoded(name, length, d_model), atol=4e-15
    )


@pytest.mark.parametrize("d_model", [63, 64, 100])
def test_a_wide_model_gets_the_bits_and_zeros(d_model):
    table = scheme("binary").table({}, 9, d_model)
    assert table.shape == (9, d_model)
    np.testing.assert_array_equal(table[:, :4], pecode.binary(range(9), 4, bit_order="little"))
    assert not table[:, 4:].any()


@EACH_SCHEME
def test_a_scheme_does_in_one_place_what_it_does(name):
    position, parameters = untrained(name)
    does = {
        "table": np.any(position.table(parameters, 5, 6)),
        "bias": np.any(position.bias(parameters, 5)),
        "rotation": position.rotation(5, 6) is not None,
        "relative_keys": position.relative_keys(parameters, 5, 6) is not None,
    }
    place = {
        "nothing": None,
        "ALiBi": "bias",
        "relative bias": "bias",
        "T5 buckets": "bias",
        "rotary": "rotation",
        "relative keys": "relative_keys",
    }
    expected = place.get(name, "table")
    assert [key for key, value in does.items() if value] == ([expected] if expected else [])


@pytest.mark.parametrize("name", [name for name in SCHEMES if name != "learned"])
@pytest.mark.parametrize("place", ["table", "bias", "rotation", "relative_keys"])
def test_what_a_scheme_returned_cannot_be_spoiled_by_writing_to_it(name, place):
    position, parameters = untrained(name)
    arguments = {"bias": (parameters, 5), "rotation": (5, 6)}.get(place, (parameters, 5, 6))
    returned = getattr(position, place)(*arguments)
    before = copy.deepcopy(returned)
    for array in returned if isinstance(returned, tuple) else [returned]:
        if isinstance(array, np.ndarray):
            with contextlib.suppress(ValueError):  # read-only, which is as good as a copy
                array[...] = 7
    np.testing.assert_equal(getattr(position, place)(*arguments), before)


def test_a_slope_that_is_changed_changes_the_bias():
    position = scheme("ALiBi", slope=1.0)
    position.bias({}, 5)
    with contextlib.suppress(AttributeError):  # or it cannot be changed
        position.slope = 2.0
    np.testing.assert_array_equal(position.bias({}, 5), alibi_bias(5, [position.slope])[0])


def test_the_bias_of_alibi_is_that_of_its_module():
    bias = scheme("ALiBi", slope=0.3).bias({}, 9)
    np.testing.assert_array_equal(bias, alibi_bias(9, [0.3])[0])


@pytest.mark.parametrize("clip", [0, 1, 3, 20])
def test_the_relative_bias_has_one_number_for_each_distance_up_to_the_clip(clip):
    position, parameters = untrained(scheme("relative bias", clip=clip))
    assert parameters["bias"].shape == (2 * clip + 1,)
    bias = position.bias(parameters, 9)
    for query, key in np.ndindex(9, 9):
        place = max(-clip, min(clip, key - query)) + clip
        assert bias[query, key] == position.GAIN * parameters["bias"][place]


@pytest.mark.parametrize("bidirectional", [False, True], ids=["back", "both sides"])
@pytest.mark.parametrize(("n_buckets", "max_distance"), [(4, 3), (8, 5), (32, 128), (10, 2**31)])
@pytest.mark.parametrize("length", [1, 9, 40])
def test_the_bias_of_t5_is_that_of_its_module(n_buckets, max_distance, bidirectional, length):
    options = {"max_distance": max_distance, "bidirectional": bidirectional}
    position, parameters = untrained(scheme("T5 buckets", n_buckets=n_buckets, **options))
    assert parameters["bias"].shape == (n_buckets,)
    table = RelativeBias.GAIN * parameters["bias"][:, None]  # one head
    np.testing.assert_array_equal(
        position.bias(parameters, length), t5_bias(length, table, **options)[0]
    )


def test_without_options_t5_has_32_buckets_up_to_128_and_looks_back():
    position, parameters = untrained("T5 buckets")
    table = RelativeBias.GAIN * parameters["bias"][:, None]
    expected = t5_bias(150, table, max_distance=128, bidirectional=False)[0]
    np.testing.assert_array_equal(position.bias(parameters, 150), expected)
    assert parameters["bias"].shape == (32,)


def test_t5_with_a_bucket_for_each_distance_is_the_relative_bias():
    buckets, parameters = untrained(
        scheme("T5 buckets", n_buckets=18, max_distance=10, bidirectional=False)
    )
    numbers = parameters["bias"]  # of distances 0 to 8; that of 9 is beyond the sequences
    behind = {"bias": np.concatenate([numbers[8::-1], np.full(8, numbers[0])])}  # -8 … 8
    np.testing.assert_array_equal(
        buckets.bias(parameters, 9), scheme("relative bias", clip=8).bias(behind, 9)
    )


@pytest.mark.parametrize("clip", [0, 1, 3, 20])
@pytest.mark.parametrize("length", [1, 2, 9])
def test_relative_keys_add_the_vector_of_the_distance_up_to_the_clip(clip, length):
    position, parameters = untrained(scheme("relative keys", clip=clip))
    table = parameters["relative"]
    assert table.shape == (2 * clip + 1, 6)
    keys = position.relative_keys(parameters, length, 6)
    assert keys.shape == (length, length, 6)
    for query, key in np.ndindex(length, length):
        place = max(-clip, min(clip, key - query)) + clip
        np.testing.assert_array_equal(keys[query, key], table[place])

    queries = normal(3, 4, length, 6)
    found = relative_scores(queries, keys)
    slow = np.einsum("btd,tsd->bts", queries, keys)
    np.testing.assert_allclose(found, slow, rtol=0, atol=1e-14)
    np.testing.assert_allclose(found, relative_key_scores(queries, table), rtol=0, atol=1e-14)


def test_relative_keys_are_added_to_the_keys():
    # Equation 4 of Shaw et al.: a key that depends on who looks.
    position, parameters = untrained("relative keys")
    tokens = np.array([[0, 1, 2, 3, 0]])
    x = parameters["embedding"][tokens[0]]
    query, key = x @ parameters["query 0"], x @ parameters["key 0"]
    mixed = np.zeros((5, 6))
    for t in range(5):
        seen = key + [parameters["relative"][16 + s - t] for s in range(5)]
        weights = pecode.softmax(query[t] @ seen.T / math.sqrt(6))
        mixed[t] = x[t] + weights @ x @ parameters["value 0"] @ parameters["output 0"]
    (found,) = last_state(position, parameters, tokens, causal=False)
    np.testing.assert_allclose(found, mixed, rtol=0, atol=1e-13)


def test_the_vectors_of_relative_keys_start_about_as_long_as_those_of_the_matrices():
    vectors = scheme("relative keys", clip=500).start(np.random.default_rng(0), 64)["relative"]
    np.testing.assert_allclose(np.mean(vectors**2), 1 / 64, rtol=0.05)
    np.testing.assert_allclose(vectors.mean(), 0, atol=2e-3)


def test_relative_keys_of_zeros_are_no_positions():
    position, parameters = untrained("relative keys")
    parameters["relative"][:] = 0
    tokens = np.random.default_rng(1).integers(0, 4, (3, 8))
    nothing = last_state(Scheme(), parameters, tokens, causal=True)
    np.testing.assert_array_equal(last_state(position, parameters, tokens, causal=True), nothing)


def test_one_vector_for_all_distances_changes_no_weight():
    # What a query gives to all keys alike, the softmax does not see.
    position, parameters = untrained(scheme("relative keys", clip=0))
    tokens = np.random.default_rng(1).integers(0, 4, (3, 8))
    nothing = last_state(Scheme(), parameters, tokens, causal=True)
    found = last_state(position, parameters, tokens, causal=True)
    np.testing.assert_allclose(found, nothing, rtol=0, atol=1e-13)


def test_a_learned_table_may_start_as_sinusoids():
    table = sinusoidal_table(20, 6)
    position = scheme("learned", table=table)
    parameters = position.start(np.random.default_rng(0), 6)
    np.testing.assert_array_equal(parameters["position"], table)
    parameters["position"][:] = 0
    np.testing.assert_array_equal(table, sinusoidal_table(20, 6))  # it was copied


# What a model can see


def last_state(position, parameters, tokens, causal):
    return states(parameters, tokens, position, causal)[-1]


@given(seeds, st.permutations(range(7)), st.integers(1, 2))
@settings(max_examples=20)
def test_without_mask_and_positions_the_states_follow_a_permutation(seed, order, n_layers):
    position, parameters = untrained("nothing", seed, n_layers=n_layers)
    tokens = np.random.default_rng(seed).integers(0, 4, (3, 7))
    np.testing.assert_allclose(
        last_state(position, parameters, tokens[:, order], causal=False),
        last_state(position, parameters, tokens, causal=False)[:, order],
        rtol=0,
        atol=1e-10,
    )


@pytest.mark.parametrize(
    ("name", "causal"),
    [*((name, False) for name in SCHEMES if name != "nothing"), ("nothing", True)],
)
def test_any_positions_and_a_causal_mask_break_the_equivariance(name, causal):
    position, parameters = untrained(name)
    tokens, order = np.array([[0, 1, 2, 3, 0, 1, 3]]), [3, 0, 2, 6, 1, 5, 4]
    plain, shuffled = (
        last_state(position, parameters, t, causal) for t in (tokens, tokens[:, order])
    )
    assert np.abs(plain[:, order] - shuffled).max() > 1e-2


def test_alibi_without_a_mask_cannot_tell_forward_from_backward():
    tokens = np.array([[0, 1, 2, 3, 0, 1, 3]])
    for name in ("ALiBi", "relative bias", "rotary", "T5 buckets", "relative keys"):
        position, parameters = untrained(name)
        forward, backward = (
            last_state(position, parameters, t, causal=False) for t in (tokens, tokens[:, ::-1])
        )
        assert (np.abs(forward - backward[:, ::-1]).max() > 1e-2) == (name != "ALiBi")


@EACH_SCHEME
@pytest.mark.parametrize("n_layers", [1, 2])
def test_a_causal_model_ignores_what_comes_later(name, n_layers):
    position, parameters = untrained(name, n_layers=n_layers)
    rng = np.random.default_rng(1)
    tokens = rng.integers(0, 4, (3, 8))
    whole = last_state(position, parameters, tokens, causal=True)
    for cut in range(1, 8):
        other = tokens.copy()
        other[:, cut:] = (other[:, cut:] + rng.integers(1, 4, (3, 8 - cut))) % 4
        changed = last_state(position, parameters, other, causal=True)
        np.testing.assert_array_equal(changed[:, :cut], whole[:, :cut])
        assert np.abs(changed[:, cut:] - whole[:, cut:]).max() > 1e-3


@EACH_SCHEME
def test_only_a_count_that_is_normalized_tells_a_causal_model_the_length(name):
    position, parameters = untrained(name)
    tokens = np.random.default_rng(1).integers(0, 4, (3, 8))
    whole = last_state(position, parameters, tokens, causal=True)[:, :5]
    alone = last_state(position, parameters, tokens[:, :5], causal=True)
    if name == "normalized count":
        assert np.abs(whole - alone).max() > 1e-2
    else:
        np.testing.assert_allclose(whole, alone, rtol=0, atol=1e-11)


@EACH_SCHEME
def test_an_unmasked_model_sees_what_comes_later(name):
    position, parameters = untrained(name)
    tokens = np.array([[0, 1, 2, 3, 0]])
    other = np.array([[0, 1, 2, 3, 1]])
    one, two = (last_state(position, parameters, t, causal=False) for t in (tokens, other))
    assert np.abs(one[:, 0] - two[:, 0]).max() > 1e-8


@pytest.mark.parametrize("slope", [-1.0, -1e6])
def test_no_slope_of_alibi_lets_a_causal_model_look_ahead(slope):
    position, parameters = untrained(scheme("ALiBi", slope=slope))
    one, two = (
        last_state(position, parameters, np.array([[0, 1, 2, last]]), causal=True)
        for last in (0, 3)
    )
    np.testing.assert_array_equal(one[:, :3], two[:, :3])


@given(seeds, st.integers(1, 20))
@settings(max_examples=20)
def test_the_scores_of_rotary_do_not_see_where_a_sequence_starts(seed, begin):
    cos, sin = scheme("rotary").rotation(begin + 5, 6)
    query, key = normal(seed, 2, 1, 5, 6)
    scores = [
        rotate_pairs(query, rotation) @ rotate_pairs(key, rotation).swapaxes(1, 2)
        for rotation in ((cos[:5], sin[:5]), (cos[begin:], sin[begin:]))
    ]
    np.testing.assert_allclose(*scores, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["ALiBi", "relative bias", "T5 buckets"])
@pytest.mark.parametrize("begin", [1, 5])
def test_a_bias_does_not_see_where_a_sequence_starts(name, begin):
    position, parameters = untrained(name)
    bias = position.bias(parameters, 12)
    np.testing.assert_array_equal(bias[begin:, begin:], bias[:-begin, :-begin])


@pytest.mark.parametrize("begin", [1, 5])
def test_relative_keys_do_not_see_where_a_sequence_starts(begin):
    position, parameters = untrained(scheme("relative keys", clip=3))
    keys = position.relative_keys(parameters, 12, 6)
    np.testing.assert_array_equal(keys[begin:, begin:], keys[:-begin, :-begin])


# Training


def run(position="nothing", task=None, **options):
    """A training that is over in a moment."""
    options = {"steps": 6, "lengths": (4, 8), "d_model": 6, "batch_size": 3, **options}
    return train(back(2) if task is None else task, position, **options)


def watched(position="nothing", **options):
    """The parameters before the first step and after each one, and the model."""
    seen = []

    def watch(step, parameters):
        assert step == len(seen)
        seen.append({key: array.copy() for key, array in parameters.items()})

    return seen, run(position, watch=watch, **options)


@EACH_SCHEME
def test_the_same_seed_gives_the_same_parameters_to_the_last_bit(name):
    assert same(run(name, seed=3).parameters, run(name, seed=3).parameters)
    assert not same(run(name, seed=3).parameters, run(name, seed=4).parameters)


def test_watching_changes_nothing():
    seen, model = watched("learned")
    assert len(seen) == 7
    assert same(seen[-1], model.parameters)
    assert same(model.parameters, run("learned").parameters)


def test_what_was_drawn_before_has_no_influence():
    first = run()
    np.random.default_rng(0).normal(size=100)
    run(seed=8)
    assert same(first.parameters, run().parameters)


OTHER_PROCESS = """
import numpy as np
from pecode.lab.tasks import back
from pecode.lab.training import train
for name in ("sine and cosine", "learned", "rotary"):
    model = train(back(2), name, steps=60)
    print(" ".join(f"{share:.9f}" for share in model.accuracy(16)[2:]))
"""


def test_another_process_with_other_threads_finds_the_same_accuracies():
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-c", OTHER_PROCESS],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert printed.stderr == ""
    there = [[float(share) for share in line.split()] for line in printed.stdout.splitlines()]
    here = [
        train(back(2), name, steps=60).accuracy(16)[2:]
        for name in ("sine and cosine", "learned", "rotary")
    ]
    np.testing.assert_allclose(there, here, rtol=0, atol=5e-4)


def test_schemes_with_the_same_seed_start_from_the_same_shared_parameters():
    starts = {name: watched(name, seed=5)[0][0] for name in SCHEMES}
    shared = starts["nothing"]
    for name, parameters in starts.items():
        assert same(shared, {key: parameters[key] for key in shared})
        own = {
            "learned": {"position"},
            "relative bias": {"bias"},
            "T5 buckets": {"bias"},
            "relative keys": {"relative"},
        }
        assert parameters.keys() - shared.keys() == own.get(name, set())


def test_schemes_with_the_same_seed_see_the_same_sequences():
    seen = {}
    for name in SCHEMES:
        seen[name] = []

        def draw(rng, size, length, name=name):
            tokens, targets, counted = recent.draw(rng, size, length)
            seen[name].append(tokens)
            return tokens, targets, counted

        run(name, task=Task("recorded", 8, 4, draw), seed=5)
    expected = [tokens.tolist() for tokens in seen["nothing"]]
    assert len(expected) == 2 + 6  # two tries, of the shortest and of the longest, and the steps
    assert len({len(tokens[0]) for tokens in expected}) > 1  # of different lengths
    for sequences in seen.values():
        assert [tokens.tolist() for tokens in sequences] == expected


def test_all_lengths_from_the_shortest_to_the_longest_are_drawn():
    lengths = []

    def draw(rng, size, length):
        lengths.append(length)
        return recent.draw(rng, size, length)

    run(task=Task("recorded", 8, 4, draw), steps=200, lengths=(3, 6), d_model=2)
    assert set(lengths) == {3, 4, 5, 6}


def test_accuracy_is_measured_on_sequences_that_training_did_not_see():
    drawn = []

    def draw(rng, size, length):
        drawn.append(rng.bit_generator.state["state"]["state"])
        return recent.draw(rng, size, length)

    model = run(task=Task("recorded", 8, 4, draw))
    trained = set(drawn)
    model.accuracy(6, size=3)
    assert drawn[-1] not in trained


def test_rows_of_a_learned_table_that_were_never_reached_stay_as_they_started():
    seen, model = watched(scheme("learned", length=12), steps=40, lengths=(4, 8))
    before, after = seen[0]["position"], model.parameters["position"]
    assert after[8:].tobytes() == before[8:].tobytes()
    assert (after[:8] != before[:8]).all()


def test_biases_of_distances_ahead_stay_at_0_in_a_causal_model():
    model = run(scheme("relative bias", clip=9), steps=40)
    behind = model.parameters["bias"][:9]  # distances -9 to -1, of which -7 is the farthest here
    assert (model.parameters["bias"][10:] == 0).all()
    assert (behind[:2] == 0).all()
    assert (behind[2:] != 0).all()


def test_a_bucket_that_no_sequence_reaches_stays_at_0():
    far, near = (
        run(scheme("T5 buckets", n_buckets=6, max_distance=distance), steps=40)
        for distance in (100, 7)
    )
    # Buckets of distance 0, 1, 2, then those from 3 on, from 10 (or 4, rounded up) and from
    # 32 (or 6) on; the longest sequence here has a distance of 7.
    assert (far.parameters["bias"] != 0).tolist() == [True] * 4 + [False] * 2
    assert (near.parameters["bias"] != 0).all()


def test_vectors_of_distances_that_no_query_sees_stay_as_they_started():
    seen, model = watched(scheme("relative keys", clip=9), steps=40)
    moved = (model.parameters["relative"] != seen[0]["relative"]).all(axis=1)
    assert moved.tolist() == [-7 <= offset <= 0 for offset in range(-9, 10)]


# Going on from given parameters


@EACH_SCHEME
def test_a_training_goes_on_where_another_ended(name):
    before = run(name, seed=3)
    seen, after = watched(name, seed=4, parameters=before.parameters)
    assert same(seen[0], before.parameters)
    assert same(seen[-1], after.parameters)
    assert not same(seen[0], after.parameters)


def test_no_more_steps_leave_the_parameters_as_they_were_given():
    before = run("learned")
    model = run("learned", steps=0, seed=9, parameters=before.parameters)
    assert same(model.parameters, before.parameters)


def test_from_its_own_start_a_training_is_the_same_to_the_last_bit():
    # Also where what was given stands in another order, in lists or in single precision.
    first = run("relative keys", steps=0).parameters
    whole = run("relative keys").parameters
    backward = {key: first[key] for key in reversed(first)}
    for parameters in (first, backward, {key: array.tolist() for key, array in first.items()}):
        assert same(run("relative keys", parameters=parameters).parameters, whole)
    single = {key: array.astype(np.float32) for key, array in first.items()}
    double = {key: array.astype(np.float64) for key, array in single.items()}
    one, two = (run("relative keys", parameters=p).parameters for p in (single, double))
    assert same(one, two)
    assert {array.dtype for array in one.values()} == {np.dtype(np.float64)}


def test_parameters_that_were_given_are_not_changed():
    model = run("relative keys")
    before = copy.deepcopy(model.parameters)
    again = run("relative keys", rate=0.5, parameters=model.parameters)
    unmoved = run("relative keys", steps=0, parameters=model.parameters)
    assert same(model.parameters, before)
    for key, array in model.parameters.items():
        assert not np.shares_memory(array, again.parameters[key])
        assert not np.shares_memory(array, unmoved.parameters[key])


def test_going_on_the_mean_of_the_gradients_starts_anew():
    # The first step moves each number by the first rate, against its gradient there.
    model = run("rotary", steps=30)
    seen, _ = watched("rotary", steps=100, rate=0.5, seed=6, parameters=model.parameters)
    gradient = gradient_at(model.parameters, np.random.default_rng([6, 2]), model, (4, 8), 3)
    for key, before in model.parameters.items():
        large = np.abs(gradient[key]) > 1e-4
        moved = (seen[1][key] - before)[large]
        np.testing.assert_allclose(moved, -0.5 / 20 * np.sign(gradient[key][large]), rtol=2e-4)


def test_going_on_with_the_same_seed_is_to_see_the_same_sequences_again():
    drawn = []

    def draw(rng, size, length):
        batch = recent.draw(rng, size, length)
        drawn.append(batch[0].tolist())
        return batch

    task = Task("recorded", 8, 4, draw)
    model = run(task=task, seed=5)
    run(task=task, seed=5, parameters=model.parameters)
    once, twice = drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]
    assert once == twice
    drawn.clear()
    run(task=task, seed=6, parameters=model.parameters)
    assert drawn[2:] != once[2:]  # the first two are tries


@pytest.mark.parametrize("seed", [0, 1])
def test_what_60_steps_do_not_find_60_more_do(seed):
    first = train(back(2), "sine and cosine", seed=seed, steps=60)
    other = train(back(2), "sine and cosine", seed=seed + 2, steps=60)
    more = train(back(2), "sine and cosine", seed=seed + 2, steps=60, parameters=first.parameters)
    shares = [np.nanmean(model.accuracy(16)) for model in (first, other, more)]
    assert max(shares[:2]) < 0.7
    assert shares[2] > 0.9


def test_a_table_is_gone_on_with_where_it_has_as_many_rows():
    model = run(scheme("learned", length=12))
    seen, _ = watched(scheme("learned", length=12), parameters=model.parameters)
    assert same(seen[0], model.parameters)
    with pytest.raises(ValueError, match=r"^parameters: expected .*\(20, 6\).*got \(12, 6\)"):
        run(scheme("learned", length=20), parameters=model.parameters)


def gradient_at(parameters, rng, model, lengths, size):
    length = int(rng.integers(lengths[0], lengths[1] + 1))
    batch = model.task.batch(rng, size, length)
    return grad(loss)(parameters, batch, model.scheme, model.causal, model.task.pooled)


@pytest.mark.parametrize(
    ("name", "steps"),
    [("nothing", 60), ("learned", 10), ("relative bias", 10), ("relative keys", 10)],
)
def test_all_steps_are_those_of_adam(name, steps):
    # Algorithm 1 of Kingma and Ba, with the rates of the docstring: up over 20 steps, down to 0
    # over the last 30 percent.
    rate = 0.02
    seen, model = watched(name, steps=steps, rate=rate, seed=2)
    data = np.random.default_rng([2, 2])
    m, v = ({key: np.zeros_like(array) for key, array in seen[0].items()} for _ in range(2))
    for t in range(1, steps + 1):
        gradient = gradient_at(seen[t - 1], data, model, (4, 8), 3)
        alpha = rate * min(1.0, t / 20, (steps + 1 - t) / (0.3 * steps))
        for key, before in seen[t - 1].items():
            g = gradient[key]
            m[key] = 0.9 * m[key] + (1 - 0.9) * g
            v[key] = 0.99 * v[key] + (1 - 0.99) * g * g
            m_hat, v_hat = m[key] / (1 - 0.9**t), v[key] / (1 - 0.99**t)
            after = before - alpha * m_hat / (np.sqrt(v_hat) + 1e-8)
            np.testing.assert_allclose(seen[t][key], after, rtol=0, atol=1e-12)


def test_the_first_step_moves_every_number_by_the_first_rate_against_its_gradient():
    seen, model = watched(steps=100, rate=0.5)
    gradient = gradient_at(seen[0], np.random.default_rng([0, 2]), model, (4, 8), 3)
    for key, before in seen[0].items():
        moved = (seen[1][key] - before)[np.abs(gradient[key]) > 1e-4]
        signs = np.sign(gradient[key][np.abs(gradient[key]) > 1e-4])
        np.testing.assert_allclose(moved, -0.5 / 20 * signs, rtol=2e-4)


def test_a_rate_that_is_too_large_is_said_to_be():
    with pytest.raises(FloatingPointError, match="try a smaller rate"):
        run(rate=1e200, steps=60)


@pytest.mark.parametrize(
    ("task", "options"),
    [(back(4), {"lengths": (4, 8), "steps": 40}), (majority, {"lengths": (2, 2), "batch_size": 1})],
    ids=["no token is 4 back in a sequence of 4", "a tie"],
)
def test_a_batch_in_which_no_answer_counts_does_not_stop_the_training(task, options):
    model = run(task=task, **options)
    assert all(np.isfinite(array).all() for array in model.parameters.values())


# The trained model


def test_accuracy_is_the_share_of_right_answers_at_each_position():
    model = run("learned", steps=30)
    batch = model.task.batch(np.random.default_rng([7, 3]), 50, 6)
    answers = model.answers(batch.tokens)
    assert answers.shape == (50, 6)
    shares = model.accuracy(6, size=50, seed=7)
    assert np.isnan(shares[:2]).all()
    for t in range(2, 6):
        assert shares[t] == sum(answers[i, t] == batch.tokens[i, t - 2] for i in range(50)) / 50


def test_accuracy_of_a_pooled_task_is_one_number_and_ties_do_not_count():
    model = run("nothing", task=majority, steps=30)
    tokens, targets, counted = majority.batch(np.random.default_rng([7, 3]), 50, 6)
    assert 0 < counted.sum() < 50
    right = [model.answers(tokens)[i, 0] == targets[i, 0] for i in range(50) if counted[i, 0]]
    assert model.accuracy(6, size=50, seed=7).tolist() == [sum(right) / len(right)]


def test_answers_and_states_are_those_of_the_functions():
    model = run("rotary", n_layers=2, causal=False)
    tokens = np.random.default_rng(0).integers(0, 8, (4, 7))
    expected = states(model.parameters, tokens, model.scheme, False)
    assert len(model.states(tokens)) == 3
    for ours, theirs in zip(model.states(tokens), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    best = logits(model.parameters, tokens, model.scheme, False, False).argmax(axis=-1)
    np.testing.assert_array_equal(model.answers(tokens), best)


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_a_model_has_as_many_layers_as_were_asked_for(n_layers):
    model = run(n_layers=n_layers)
    assert isinstance(model, TinyTransformer)
    assert len(model.states(np.zeros((1, 4), int))) == n_layers + 1
    assert len(model.parameters) == 2 + 4 * n_layers


def test_two_models_can_be_compared():
    one, again = run(), run()
    assert isinstance(one == again, bool)


# It learns


@pytest.mark.parametrize("seed", [0, 1])
def test_sinusoids_tell_the_token_2_back_within_the_default_steps(seed):
    model = train(back(2), "sine and cosine", seed=seed)
    for length in (4, 8, 16, 32):
        assert np.nanmean(model.accuracy(length)) > 0.9


@pytest.mark.parametrize("seed", [0, 1])
def test_without_positions_the_token_2_back_is_not_found(seed):
    model = train(back(2), "nothing", seed=seed)
    for length in (16, 32):
        assert np.nanmean(model.accuracy(length)) < 0.4
    assert np.nanmean(model.accuracy(4)) < 0.6  # two of four tokens are candidates, or fewer


def test_what_needs_no_order_is_learned_without_positions():
    model = train(majority, "nothing", causal=False, steps=150)
    assert model.accuracy(16)[0] > 0.9


@pytest.mark.parametrize("seed", [0, 1])
def test_how_far_back_to_look_is_told_by_keys_that_are_asked_and_not_by_a_bias(seed):
    # In this task the distance depends on the token. A bias is the same for all queries.
    for name, right in (("relative keys", True), ("rotary", True), ("relative bias", False)):
        share = np.nanmean(train(jump, name, seed=seed).accuracy(32))
        assert share > 0.95 if right else share < 0.6


@pytest.mark.parametrize(
    "name", ["learned", "rotary", "relative bias", "T5 buckets", "relative keys"]
)
def test_a_few_more_steps_lower_the_loss(name):
    seen, model = watched(name, steps=150, lengths=(4, 12), d_model=16, batch_size=16)
    batch = model.task.batch(np.random.default_rng(99), 200, 10)
    losses = [loss(seen[step], batch, model.scheme, True, False) for step in (0, 30, 150)]
    assert losses[0] > losses[1] > losses[2]
    assert losses[2] < math.log(8)  # that is guessing


def test_a_position_beyond_a_learned_table_has_no_answer():
    model = run(scheme("learned", length=8))
    assert model.accuracy(8).shape == (8,)
    with pytest.raises(ValueError, match=r"^length: expected at most 8 positions.*got 9"):
        model.accuracy(9)


def test_where_is_told_by_a_table_and_not_without_mask_and_positions():
    with_table, without = (
        train(where(6), name, causal=False, lengths=(6, 6), steps=150)
        for name in ("sine and cosine", "nothing")
    )
    assert with_table.accuracy(6).mean() > 0.95
    assert without.accuracy(6).mean() < 0.3


# Longer sequences than in training


def test_extrapolation_is_the_accuracy_of_models_at_a_multiple_of_the_length():
    options = {"steps": 30, "d_model": 6, "batch_size": 4, "causal": False}
    models, shares = extrapolation(back(2), "rotary", seeds=(3, 8), longest=6, factor=3, **options)
    assert shares.shape == (2, 18)
    for model, row, seed in zip(models, shares, (3, 8), strict=True):
        expected = train(back(2), "rotary", seed, lengths=(4, 6), **options)
        assert same(model.parameters, expected.parameters)
        np.testing.assert_array_equal(row, expected.accuracy(18, size=32))
    assert np.isnan(shares[:, :2]).all()
    assert not np.isnan(shares[:, 2:]).any()


def test_extrapolation_asks_five_models_for_four_times_the_length():
    models, shares = extrapolation(back(1), "nothing", steps=2, d_model=4, batch_size=2)
    assert len(models) == 5
    assert shares.shape == (5, 128)


def test_extrapolation_from_the_shortest_sequences_trains_on_them():
    lengths = []

    def draw(rng, size, length):
        lengths.append(length)
        return recent.draw(rng, size, length)

    task = Task("recorded", 8, 4, draw)
    extrapolation(task, "nothing", seeds=[0], longest=2, factor=1, steps=10, d_model=4)
    assert set(lengths) == {2}


def test_what_came_after_the_trained_lengths_was_not_learned_by_a_table():
    position = scheme("learned", length=24)
    (model,), (shares,) = extrapolation(
        where(24), position, seeds=[0], longest=8, factor=3, steps=200
    )
    assert shares[:8].mean() > 0.9
    assert shares[8:].max() < 0.2
    assert np.abs(model.parameters["position"][8:]).max() < 0.1  # as they started
