"""A Transformer small enough to be read in one sitting: the model and its loss, without classes.

Layers of attention with one head; no normalization and no other layers, so that positions are the
only thing that differs from run to run. It is plain numpy: autograd follows the operators, the
indexing and the methods of arrays, and finds the gradient.
"""

import math

import numpy as np
from autograd.extend import defvjp, primitive

from pecode.attention import causal_mask


def start(task, position, rng, d_model, n_layers):
    """Random parameters, before training: a dict of arrays."""
    parameters = {"embedding": rng.standard_normal((task.n_tokens, d_model))}
    for layer in range(n_layers):
        for name in ("query", "key", "value", "output"):
            matrix = rng.standard_normal((d_model, d_model)) / math.sqrt(d_model)
            parameters[f"{name} {layer}"] = matrix
    parameters["readout"] = rng.standard_normal((d_model, task.n_classes)) / math.sqrt(d_model)
    own = position.start(rng, d_model)  # last: so all schemes share the rest
    if taken := {name for name in own if name in parameters or name.startswith("query ")}:
        raise ValueError(f"position: expected names of its own for what is trained, got {taken}")
    return parameters | own


def states(parameters, tokens, position, causal):
    """The token vectors at the input and after each layer: arrays (size, length, d_model)."""
    length, d_model = tokens.shape[1], parameters["embedding"].shape[1]
    one_hot = np.eye(len(parameters["embedding"]))[tokens]  # (size, length, n_tokens)
    x = project(one_hot, parameters["embedding"])  # (size, length, d_model)
    x = x + position.table(parameters, length, d_model)
    bias = position.bias(parameters, length)  # (length, length)
    if causal:
        bias = bias + np.where(causal_mask(length), 0, -np.inf)
    rotation = position.rotation(length, d_model)
    relative_keys = position.relative_keys(parameters, length, d_model)

    found = [x]
    for layer in range(sum(name.startswith("query ") for name in parameters)):
        query = turn(project(x, parameters[f"query {layer}"]), rotation)
        key = turn(project(x, parameters[f"key {layer}"]), rotation)
        value = project(x, parameters[f"value {layer}"])
        scores = query @ key.swapaxes(1, 2)  # (size, length, length)
        if relative_keys is not None:
            scores = scores + seen_from(query, relative_keys)
        scores = scores / math.sqrt(d_model) + bias
        x = x + project(softmax(scores) @ value, parameters[f"output {layer}"])
        found.append(x)
    return found


def logits(parameters, tokens, position, causal, pooled):
    """A number for each class; the largest is the answer. Shape (size, length or 1, n_classes)."""
    x = states(parameters, tokens, position, causal)[-1]
    return project(x.mean(axis=1, keepdims=True) if pooled else x, parameters["readout"])


def loss(parameters, batch, position, causal, pooled):
    """Minus the mean logarithm of the probability that the model gives to the right answer."""
    answers = logits(parameters, batch.tokens, position, causal, pooled)
    return cross_entropy(answers, batch.targets, batch.counted)


def turn(x, rotation):
    """Turn each pair of columns by its angle; rotation is (cosines, sines), or None.

    What `pecode.rotary.rotate` does, with a matrix: autograd cannot follow writing to slices.
    """
    if rotation is None:
        return x
    cos, sin = rotation
    quarter = np.kron(np.eye(x.shape[-1] // 2), [[0, 1], [-1, 0]])  # (a, b) @ … = (-b, a)
    return x * cos + project(x, quarter) * sin


def seen_from(query, relative_keys):
    """Dot products of the query at t with the vectors [t, s]; returns (size, length, length)."""
    return (query.swapaxes(0, 1) @ relative_keys.swapaxes(1, 2)).swapaxes(0, 1)


# Three functions whose gradients we give: shorter, and faster, than what their steps would make.


@primitive
def project(x, matrix):
    """Every vector of x times the matrix: one large product in place of one for each sequence."""
    return (x.reshape(-1, x.shape[-1]) @ matrix).reshape(*x.shape[:-1], matrix.shape[1])


defvjp(
    project,
    lambda value, x, matrix: lambda g: project(g, matrix.T),
    lambda value, x, matrix: lambda g: x.reshape(-1, x.shape[-1]).T @ g.reshape(-1, g.shape[-1]),
)


@primitive
def softmax(scores):
    """Positive weights that sum to 1 along the last axis; `pecode.softmax` without its checks."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


defvjp(softmax, lambda w, scores: lambda g: w * (g - (g * w).sum(axis=-1, keepdims=True)))


@primitive
def cross_entropy(answers, targets, counted):
    """Mean of -log softmax(answers) at the targets that count; 0 where none does."""
    top = answers.max(axis=-1, keepdims=True)
    total = top[..., 0] + np.log(np.exp(answers - top).sum(axis=-1))
    right = np.take_along_axis(answers, targets[..., None], axis=-1)[..., 0]
    return ((total - right) * counted).sum() / max(counted.sum(), 1)


def _cross_entropy_gradient(value, answers, targets, counted):
    wrong = softmax(answers) - np.eye(answers.shape[-1])[targets]
    return lambda g: g * wrong * counted[..., None] / max(counted.sum(), 1)


defvjp(cross_entropy, _cross_entropy_gradient, argnums=[0])
