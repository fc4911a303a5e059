"""The tiny Transformer in functions that can be differentiated: the model and its loss.

Layers of attention with one head; no normalization and no other layers, so that positions are the
only thing that differs from run to run. Everything is plain numpy: autograd follows operators,
indexing and the methods of arrays, and finds the gradient.
"""

import math

import numpy as np
from autograd.extend import defvjp, primitive

from pecode.attention import causal_mask

WEIGHTS = ("query", "key", "value", "output")  # the four matrices of a layer


def initial_parameters(task, scheme, rng, d_model, n_layers):
    """Return random parameters, as they are before training: a dict of arrays."""
    parameters = {"embedding": rng.standard_normal((task.n_tokens, d_model))}
    for layer in range(n_layers):
        for name in WEIGHTS:
            matrix = rng.standard_normal((d_model, d_model)) / math.sqrt(d_model)
            parameters[f"{name} {layer}"] = matrix
    parameters["readout"] = rng.standard_normal((d_model, task.n_classes)) / math.sqrt(d_model)
    own = scheme.start(rng, d_model)  # last, so that all schemes share the rest
    if taken := {name for name in own if name in parameters or name.startswith("query ")}:
        raise ValueError(f"scheme.start: expected names that the model does not use, got {taken}")
    return parameters | own


def states(parameters, tokens, scheme, causal):
    """Return the token vectors at the input and after each layer, each (size, length, d_model)."""
    length, d_model = tokens.shape[1], parameters["embedding"].shape[1]
    one_hot = np.eye(len(parameters["embedding"]))[tokens]  # (size, length, n_tokens)
    x = project(one_hot, parameters["embedding"])  # (size, length, d_model)
    x = x + scheme.table(parameters, length, d_model)
    bias = scheme.bias(parameters, length)  # (length, length)
    if causal:
        bias = bias + np.where(causal_mask(length), 0, -np.inf)
    rotation = scheme.rotation(length, d_model)
    relative_keys = scheme.relative_keys(parameters, length, d_model)

    after_layers = [x]
    for i in range(sum(name.startswith("query ") for name in parameters)):
        weights = (parameters[f"{name} {i}"] for name in WEIGHTS)
        x = layer(x, *weights, bias, rotation, relative_keys)
        after_layers.append(x)
    return after_layers


def layer(x, w_query, w_key, w_value, w_output, bias, rotation=None, relative_keys=None):
    """Return the token vectors after one layer of attention, shape (size, length, d_model)."""
    query = rotate_pairs(project(x, w_query), rotation)
    key = rotate_pairs(project(x, w_key), rotation)
    value = project(x, w_value)
    scores = query @ key.swapaxes(1, 2)  # (size, length, length)
    if relative_keys is not None:
        scores = scores + relative_scores(query, relative_keys)
    scores = scores / math.sqrt(x.shape[-1]) + bias
    return x + project(softmax(scores) @ value, w_output)


def logits(parameters, tokens, scheme, causal, pooled):
    """Return a number for each class, shape (size, length or 1, n_classes); the largest wins."""
    x = states(parameters, tokens, scheme, causal)[-1]
    return project(x.mean(axis=1, keepdims=True) if pooled else x, parameters["readout"])


def loss(parameters, batch, scheme, causal, pooled):
    """Return the cross-entropy: the mean of -log of the probability of the right answer."""
    answers = logits(parameters, batch.tokens, scheme, causal, pooled)
    return cross_entropy(answers, batch.targets, batch.counted)


def rotate_pairs(x, rotation):
    """Rotate each pair of columns by its angle; rotation is (cosines, sines), or None.

    `pecode.rotate` writes to slices, which autograd cannot follow: a matrix does the same here.
    """
    if rotation is None:
        return x
    cos, sin = rotation
    quarter_turn = np.kron(np.eye(x.shape[-1] // 2), [[0, 1], [-1, 0]])  # (a, b) @ … = (-b, a)
    return x * cos + project(x, quarter_turn) * sin


def relative_scores(query, relative_keys):
    """Return the dot products of the query at t with the vectors [t, s]: (size, length, length)."""
    return (query.swapaxes(0, 1) @ relative_keys.swapaxes(1, 2)).swapaxes(0, 1)


# Three functions with gradients of their own: shorter and faster than the gradients of their steps.


@primitive
def project(x, matrix):
    """Multiply every vector of x by the matrix, in one product instead of one for each sequence."""
    return (x.reshape(-1, x.shape[-1]) @ matrix).reshape(*x.shape[:-1], matrix.shape[1])


defvjp(
    project,
    lambda value, x, matrix: lambda g: project(g, matrix.T),
    lambda value, x, matrix: lambda g: x.reshape(-1, x.shape[-1]).T @ g.reshape(-1, g.shape[-1]),
)


@primitive
def softmax(scores):
    """Return positive weights that sum to 1 along the last axis: `pecode.softmax`, unchecked."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


defvjp(softmax, lambda w, scores: lambda g: w * (g - (g * w).sum(axis=-1, keepdims=True)))


@primitive
def cross_entropy(answers, targets, counted):
    """Return the mean of -log softmax(answers) at the targets that count; 0 if none counts."""
    top = answers.max(axis=-1, keepdims=True)
    total = top[..., 0] + np.log(np.exp(answers - top).sum(axis=-1))
    right = np.take_along_axis(answers, targets[..., None], axis=-1)[..., 0]
    return ((total - right) * counted).sum() / max(counted.sum(), 1)


def _cross_entropy_gradient(value, answers, targets, counted):
    error = softmax(answers) - np.eye(answers.shape[-1])[targets]
    return lambda g: g * error * counted[..., None] / max(counted.sum(), 1)


defvjp(cross_entropy, _cross_entropy_gradient, argnums=[0])
