"""The tiny Transformer in functions that can be differentiated: the model and its loss.

Layers of attention with one head; no normalization and no other layers, so that positions are the
only thing that differs from run to run. Everything is plain numpy: autograd follows operators,
indexing and the methods of arrays, and finds the gradient. The largest parts bring their own, since
following every small step takes longer than the steps.
"""

import functools
import math

import numpy as np
from autograd.extend import Box, defvjp_argnums, primitive

from pecode import _check, causal_mask, softmax

WEIGHTS = ("query", "key", "value", "output")  # the four matrices of a layer


def layers_of(parameters):
    """How many layers a model has: it counts the names that `initial_parameters` gives."""
    return sum(f"{WEIGHTS[0]} {i}" in parameters for i in range(len(parameters)))


def initial_parameters(task, scheme, rng, d_model, n_layers):
    """Return random parameters, as they are before training: a dict of arrays."""
    parameters = {"embedding": rng.standard_normal((task.n_tokens, d_model))}
    for layer in range(n_layers):
        for name in WEIGHTS:
            matrix = rng.standard_normal((d_model, d_model)) / math.sqrt(d_model)
            parameters[f"{name} {layer}"] = matrix
    parameters["readout"] = rng.standard_normal((d_model, task.n_classes)) / math.sqrt(d_model)
    own = _checked_start(scheme.start(rng, d_model))  # last, so that all schemes share the rest
    if taken := {name for name in own if name in parameters or name.startswith("query ")}:
        raise ValueError(f"scheme.start: expected names that the model does not use, got {taken}")
    return parameters | own


def _checked_start(own):
    """The trained arrays of a scheme, as float64."""
    if not isinstance(own, dict) or not all(isinstance(name, str) for name in own):
        raise TypeError(f"scheme.start: expected a dict of arrays by name, got {own!r:.60}")
    return {
        name: _check.reals("scheme.start", array).astype(np.float64) for name, array in own.items()
    }


def states(parameters, tokens, scheme, causal):
    """Return the token vectors at the input and after each layer, each (size, length, d_model)."""
    length, d_model = tokens.shape[1], parameters["embedding"].shape[1]
    one_hot = np.eye(len(parameters["embedding"]))[tokens]  # (size, length, n_tokens)
    x = project(one_hot, parameters["embedding"])  # (size, length, d_model)
    x = x + scheme.table(parameters, length, d_model)
    seen = causal_mask(length) if causal else np.full((length, length), True)
    masked = np.where(seen, 0, -np.inf)

    after_layers, layer_scheme = [x], None
    for i in range(layers_of(parameters)):
        # Layers of one scheme ask it once: it may draw numbers.
        if scheme.for_layer(i) is not layer_scheme:
            layer_scheme = scheme.for_layer(i)
            bias = layer_scheme.bias(parameters, length) + masked  # (length, length)
            rotation = layer_scheme.rotation(length, d_model)
            relative_keys = layer_scheme.relative_keys(parameters, length, d_model)
        weights = (parameters[f"{name} {i}"] for name in WEIGHTS)
        x = layer_scheme.layer_input(parameters, x)
        x = layer(x, *weights, bias, rotation, relative_keys)
        after_layers.append(x)
    return after_layers


def logits(parameters, tokens, scheme, causal, pooled):
    """Return a score for each class, shape (size, length or 1, n_classes); the largest wins."""
    x = states(parameters, tokens, scheme, causal)[-1]
    return project(x.mean(axis=1, keepdims=True) if pooled else x, parameters["readout"])


def loss(parameters, batch, scheme, causal, pooled):
    """Return the cross-entropy: the mean of -log of the probability of the right answer."""
    answers = logits(parameters, batch.tokens, scheme, causal, pooled)
    return cross_entropy(answers, batch.targets, batch.counted)


# The parts, each with its gradients


def _with_gradients(compute):
    """Return a function that autograd can differentiate, once.

    `compute` returns its value and a function, which takes the gradient of the loss by the value to
    the gradients by all arguments.
    """
    back = None

    @primitive
    def value_of(*arguments):
        nonlocal back
        value, back = compute(*arguments)
        return value

    def gradients_of(numbers, value, arguments, options):  # called as soon as the value is there
        if any(isinstance(each, Box) for each in arguments):
            raise NotImplementedError(f"{compute.__name__}: it has no second gradient")
        gradients = back
        return lambda g: map(gradients(g).__getitem__, numbers)

    defvjp_argnums(value_of, gradients_of)
    return functools.update_wrapper(value_of, compute)


def _product(x, matrix):
    """Multiply every vector of x by the matrix, in one product instead of one for each sequence."""
    return (x.reshape(-1, x.shape[-1]) @ matrix).reshape(*x.shape[:-1], matrix.shape[1])


def _matrix_gradient(x, g):
    return x.reshape(-1, x.shape[-1]).T @ g.reshape(-1, g.shape[-1])


@_with_gradients
def project(x, matrix):
    """Return every vector of x times the matrix."""
    return _product(x, matrix), lambda g: (_product(g, matrix.T), _matrix_gradient(x, g))


@_with_gradients
def layer(x, w_query, w_key, w_value, w_output, bias, rotation=None, relative_keys=None):
    """Return the token vectors after one layer of attention, shape (size, length, d_model)."""
    # The scores, the largest arrays, are changed in place: new memory takes as long as the sums.
    scale = math.sqrt(x.shape[-1])
    query = rotate_pairs(_product(x, w_query), rotation)
    key = rotate_pairs(_product(x, w_key), rotation, -2)
    value = _product(x, w_value)
    scores = query @ key.swapaxes(1, 2)  # (size, length, length)
    if relative_keys is not None:
        scores += relative_scores(query, relative_keys)
    scores /= scale
    scores += bias
    weights = softmax(scores)
    mixed = weights @ value

    def gradients(g):  # in the order of the steps above, backwards
        g_mixed = _product(g, w_output.T)
        g_weights = g_mixed @ value.swapaxes(1, 2)
        g_weights -= (g_weights * weights).sum(axis=-1, keepdims=True)
        g_scores = np.multiply(g_weights, weights, out=g_weights)
        g_bias = g_scores.sum(axis=0)
        g_scores /= scale
        g_query = g_scores @ key
        g_key = (query.swapaxes(1, 2) @ g_scores).swapaxes(1, 2)
        g_relative_keys = None
        if relative_keys is not None:
            by_query = g_scores.swapaxes(0, 1)  # (length, size, length)
            g_query = g_query + (by_query @ relative_keys).swapaxes(0, 1)
            g_relative_keys = (query.transpose(1, 2, 0) @ by_query).swapaxes(1, 2)
        g_value = weights.swapaxes(1, 2) @ g_mixed
        g_query = rotate_pairs(g_query, rotation, back=True)
        g_key = rotate_pairs(g_key, rotation, -2, back=True)
        g_x = g + _product(g_value, w_value.T)
        g_x += _product(g_key, w_key.T)
        g_x += _product(g_query, w_query.T)
        g_matrices = (_matrix_gradient(x, each) for each in (g_query, g_key, g_value))
        g_output = _matrix_gradient(mixed, g)
        return g_x, *g_matrices, g_output, g_bias, None, g_relative_keys

    return x + _product(mixed, w_output), gradients


@_with_gradients
def recurrence(x, decay):
    """Return the states h[t] = decay * h[t - 1] + x[t]: (size, length, d_model)."""
    states = x.copy()
    for t in range(1, x.shape[1]):
        states[:, t] += decay * states[:, t - 1]

    def gradients(g):  # the same recurrence, from the end
        g_x = g.copy()
        for t in reversed(range(x.shape[1] - 1)):
            g_x[:, t] += decay * g_x[:, t + 1]
        return g_x, (g_x[:, 1:] * states[:, :-1]).sum(axis=(0, 1))

    return states, gradients


def rotate_pairs(x, rotation, first=0, back=False):
    """Rotate each pair of columns by its angle, or back; rotation[first] has the cosines."""
    if rotation is None:
        return x
    cos, sin = rotation[first:][:2]
    even, odd = (np.asarray(sin)[..., i::2] for i in (0, 1))
    if back:  # the transpose, also where the two columns of a pair have angles of their own
        even, odd = -odd, -even
    turned = x * cos
    turned[..., 0::2] -= x[..., 1::2] * even
    turned[..., 1::2] += x[..., 0::2] * odd
    return turned


def relative_scores(query, relative_keys):
    """Return the dot products of the query at t with the vectors [t, s]: (size, length, length)."""
    return (query.swapaxes(0, 1) @ relative_keys.swapaxes(1, 2)).swapaxes(0, 1)


@_with_gradients
def cross_entropy(answers, targets, counted):
    """Return the mean of -log softmax(answers) at the targets that count; 0 if none counts."""
    top = answers.max(axis=-1, keepdims=True)
    weights = np.exp(answers - top)
    total = weights.sum(axis=-1, keepdims=True)
    right = np.take_along_axis(answers, targets[..., None], axis=-1)
    n = max(counted.sum(), 1)

    def gradients(g):
        error = weights / total - np.eye(answers.shape[-1])[targets]
        return (g * error * counted[..., None] / n,)

    return ((top + np.log(total) - right)[..., 0] * counted).sum() / n, gradients
