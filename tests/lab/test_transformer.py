"""The tiny Transformer: its gradients, its layers against the formulas, and what it can see."""

import numpy as np
import pytest
from autograd import grad

import pecode
from lab.schemes import ALiBi, Layered, RelativeBias, RelativeKeys, Rotary, Scheme, Window, scheme
from lab.tasks import Batch
from lab.transformer import WEIGHTS, cross_entropy, layer, logits, loss, recurrence, states
from pecode import formulas
from tools.experiments import Mistaken

from ..pecode.draws import normal
from .models import VARIANTS, untrained

CAUSAL_OR_NOT = pytest.mark.parametrize("causal", [True, False], ids=["causal", "unmasked"])


# Gradients


def slope(f, parameters, direction, step=1e-4):
    """Central difference of fourth order."""
    at = {
        k: f({name: array + k * step * direction[name] for name, array in parameters.items()})
        for k in (-2, -1, 1, 2)
    }
    return (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * step)


class Recurrence(Scheme):
    def start(self, rng, d_model):
        return {"decay": np.linspace(0, 0.9, d_model)}

    def layer_input(self, parameters, x):
        return recurrence(x, parameters["decay"])


LAYERED = {
    "recurrence, a window, then rotary": Layered(Window(Recurrence(), 2), Rotary()),
    "rotary, then nothing": Layered(Rotary(), Scheme()),
    "trained bias, then rotary": Layered(RelativeBias(2), Rotary(base=5)),
    "sinusoids, then relative keys": Layered(scheme("sine and cosine"), RelativeKeys(2)),
    "wrong rotations": Layered(Mistaken("angles for halves"), Mistaken("keys the wrong way")),
}


@pytest.mark.parametrize("scheme", (VARIANTS | LAYERED).values(), ids=VARIANTS | LAYERED)
@CAUSAL_OR_NOT
@pytest.mark.parametrize("pooled", [True, False], ids=["pooled", "each"])
def test_gradients_are_the_slopes_of_the_loss(scheme, causal, pooled):
    parameters, rng = untrained(scheme, n_layers=2), np.random.default_rng(1)
    shape = (2, 1 if pooled else 5)
    counted = rng.random(shape) < 0.7
    counted[0, 0] = True
    batch = Batch(rng.integers(0, 4, (2, 5)), rng.integers(0, 3, shape), counted)

    def f(values):
        return loss(values, batch, scheme, causal, pooled)

    gradients = grad(f)(parameters)
    assert gradients.keys() == parameters.keys()
    # One array at a time, along its gradient and across: none hides behind a larger one.
    nowhere = {name: np.zeros_like(array) for name, array in parameters.items()}
    for name, gradient in gradients.items():
        size = np.linalg.norm(gradient)
        if gradient.shape == (1, 6):  # one vector for all offsets: softmax cannot see it
            assert size < 1e-12
            continue
        assert size > 1e-6  # every other array matters
        for step in [gradient / size, *rng.normal(size=(2, *gradient.shape))]:
            found = slope(f, parameters, nowhere | {name: step})
            assert found == pytest.approx(np.sum(gradient * step), rel=0, abs=1e-6 * size)


def test_large_numbers_do_not_overflow():
    answers, both = np.array([[[1e4, 0.0], [0.0, 1e4]]]), np.ones((1, 2), bool)
    assert cross_entropy(answers, np.array([[0, 1]]), both) == 0
    assert cross_entropy(answers, np.array([[1, 1]]), both) == 5e3
    assert cross_entropy(answers, np.array([[1, 1]]), ~both) == 0


# The forward pass


def test_a_state_is_the_sum_of_what_came_before_decayed_by_its_age():
    x, decay, age = normal(0, 2, 5, 3), np.array([0.0, 0.5, -0.9]), -pecode.relative_positions(5)
    weights = np.where(age[..., None] < 0, 0, decay ** np.abs(age)[..., None])  # (t, s, column)
    expected = np.einsum("tsd,bsd->btd", weights, x)
    np.testing.assert_allclose(recurrence(x, decay), expected, rtol=0, atol=1e-15)


# A slope may favor what comes later: no number that stands for a mask may be small beside it.
@pytest.mark.parametrize("scheme", [*VARIANTS.values(), ALiBi(-1e6)], ids=[*VARIANTS, "steep"])
@CAUSAL_OR_NOT
def test_the_model_is_that_of_the_formulas(scheme, causal):
    parameters, t = untrained(scheme, n_layers=3), np.arange(7)
    tokens = np.random.default_rng(1).integers(0, 4, (5, 7))
    places = {"mask": formulas.causal_mask(7) if causal else True}
    places["bias"] = scheme.bias(parameters, 7)
    if isinstance(scheme, Rotary):
        places["turn"] = lambda x: formulas.rotate(x, t, scheme.base, omega=scheme.frequencies)
    if isinstance(scheme, RelativeKeys):
        places["relative"] = lambda q: formulas.relative_key_scores(q, parameters["relative"])
    layers = [[parameters[f"{name} {i}"] for name in WEIGHTS] for i in range(3)]

    found = states(parameters, tokens, scheme, causal)
    table = scheme.table(parameters, 7, 6)
    start = formulas.transformer(tokens, parameters["embedding"], [], np.eye(6), table)
    np.testing.assert_allclose(found[0], start, rtol=0, atol=1e-14)
    for before, after, weights in zip(found[:-1], found[1:], layers, strict=True):
        expected = formulas.layer(before, *weights, **places)
        np.testing.assert_allclose(after, expected, rtol=1e-12, atol=1e-12)
    matrices = parameters["embedding"], layers, parameters["readout"]
    expected = formulas.transformer(tokens, *matrices, table, **places)
    tolerance = {"rtol": 0, "atol": 1e-12 * np.abs(found[-1]).max()}
    each = logits(parameters, tokens, scheme, causal, pooled=False)
    np.testing.assert_allclose(each, expected, **tolerance)
    pooled = logits(parameters, tokens, scheme, causal, pooled=True)
    np.testing.assert_allclose(pooled, expected.mean(axis=1, keepdims=True), **tolerance)


@pytest.mark.parametrize("name", LAYERED)
def test_each_layer_has_its_own_scheme(name):
    schemes, parameters = LAYERED[name].schemes, untrained(LAYERED[name], n_layers=3)
    tokens = np.random.default_rng(1).integers(0, 4, (5, 7))
    found = states(parameters, tokens, LAYERED[name], causal=True)
    start = parameters["embedding"][tokens] + schemes[0].table(parameters, 7, 6)
    np.testing.assert_allclose(found[0], start, rtol=0, atol=1e-14)
    hidden = np.where(pecode.causal_mask(7), 0, -np.inf)
    for i, own in enumerate([*schemes, schemes[0]]):  # in turn: the third has the first
        weights = [parameters[f"{each} {i}"] for each in WEIGHTS]
        parts = own.rotation(7, 6), own.relative_keys(parameters, 7, 6)
        before = own.layer_input(parameters, found[i])
        expected = layer(before, *weights, own.bias(parameters, 7) + hidden, *parts)
        np.testing.assert_allclose(found[i + 1], expected, rtol=0, atol=1e-12)
