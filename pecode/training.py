"""A Transformer small enough to be trained while you watch, and to be read in one sitting.

Layers of attention with one head; no normalization and no other layers, so that positions are the
only thing that differs from run to run. Gradients come from `autograd`, which follows numpy code.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import autograd.numpy as np  # numpy, with every operation recorded so that it can be differentiated
import numpy as onp  # the plain one, for what is not differentiated
from autograd import value_and_grad
from autograd.extend import defvjp, primitive

from pecode import _check
from pecode._progress import progress
from pecode.attention import causal_mask
from pecode.schemes import SCHEMES, Scheme, scheme
from pecode.tasks import Task

# --- the model ---------------------------------------------------------------------------------


def start(task, scheme, rng, d_model, n_layers):
    """Random parameters, before training: a dict of arrays."""
    parameters = {"embedding": rng.standard_normal((task.n_tokens, d_model))}
    for layer in range(n_layers):
        for name in ("query", "key", "value", "output"):
            matrix = rng.standard_normal((d_model, d_model)) / math.sqrt(d_model)
            parameters[f"{name} {layer}"] = matrix
    parameters["readout"] = rng.standard_normal((d_model, task.n_classes)) / math.sqrt(d_model)
    return parameters | scheme.start(rng, d_model)  # last: so all schemes share the rest


def states(parameters, tokens, scheme, causal):
    """The token vectors at the input and after each layer: arrays (size, length, d_model)."""
    length, d_model = tokens.shape[1], parameters["embedding"].shape[1]
    x = project(onp.eye(len(parameters["embedding"]))[tokens], parameters["embedding"])
    x = x + scheme.table(parameters, length, d_model)  # (size, length, d_model)
    bias = scheme.bias(parameters, length)  # (length, length)
    if causal:
        bias = bias + onp.where(causal_mask(length), 0, -onp.inf)
    rotation = scheme.rotation(length, d_model)

    found = [x]
    while f"query {len(found) - 1}" in parameters:
        layer = len(found) - 1
        query = turn(project(x, parameters[f"query {layer}"]), rotation)
        key = turn(project(x, parameters[f"key {layer}"]), rotation)
        value = project(x, parameters[f"value {layer}"])
        scores = query @ np.swapaxes(key, 1, 2) / math.sqrt(d_model) + bias
        x = x + project(softmax(scores) @ value, parameters[f"output {layer}"])
        found.append(x)
    return found


def logits(parameters, tokens, scheme, causal, pooled):
    """A number for each class; the largest is the answer. Shape (size, length or 1, n_classes)."""
    x = states(parameters, tokens, scheme, causal)[-1]
    return project(np.mean(x, axis=1, keepdims=True) if pooled else x, parameters["readout"])


def loss(parameters, batch, scheme, causal, pooled):
    """Minus the mean logarithm of the probability that the model gives to the right answer."""
    answers = logits(parameters, batch.tokens, scheme, causal, pooled)
    return cross_entropy(answers, batch.targets, batch.counted)


def turn(x, rotation):
    """Turn each pair of columns by its angle; rotation is (cosines, sines), or None."""
    if rotation is None:
        return x
    cos, sin = rotation
    quarter = onp.kron(onp.eye(x.shape[-1] // 2), [[0, 1], [-1, 0]])  # (a, b) @ … = (-b, a)
    return x * cos + project(x, quarter) * sin


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
    """Positive weights that sum to 1 along the last axis."""
    weights = onp.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


defvjp(
    softmax, lambda w, scores: lambda g: w * (g - (g * w).sum(axis=-1, keepdims=True))
)  # fmt: skip


@primitive
def cross_entropy(answers, targets, counted):
    """Mean of -log softmax(answers) at the targets, over the answers that count."""
    top = answers.max(axis=-1, keepdims=True)
    total = top[..., 0] + onp.log(onp.exp(answers - top).sum(axis=-1))
    right = onp.take_along_axis(answers, targets[..., None], axis=-1)[..., 0]
    return ((total - right) * counted).sum() / max(counted.sum(), 1)


def _cross_entropy_gradient(value, answers, targets, counted):
    wrong = softmax(answers) - onp.eye(answers.shape[-1])[targets]
    return lambda g: g * wrong * counted[..., None] / max(counted.sum(), 1)


defvjp(cross_entropy, _cross_entropy_gradient, argnums=[0])


# --- training ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TinyTransformer:
    """A trained model."""

    parameters: dict = field(repr=False)
    scheme: Scheme
    task: Task
    causal: bool

    def states(self, tokens):
        """Token vectors at the input and after each layer: a list of (size, length, d_model)."""
        return states(self.parameters, self._known(tokens), self.scheme, self.causal)

    def answers(self, tokens):
        """The class with the largest logit, shape (size, length), or (size, 1) if pooled."""
        model = (self.scheme, self.causal, self.task.pooled)
        return logits(self.parameters, self._known(tokens), *model).argmax(axis=-1)

    def accuracy(self, length, size=256, seed=0):
        """Share of right answers at each position of new sequences; NaN where none counts.

        Returns an array (length,), or (1,) for a task with one answer a sequence. The sequences
        are drawn from `seed`, which has nothing to do with that of the training.
        """
        rng = onp.random.default_rng([_check.integer("seed", seed, minimum=0), 2])
        tokens, targets, counted = self.task.batch(rng, size, length)
        right = (self.answers(tokens) == targets) & counted
        with onp.errstate(invalid="ignore"):
            return right.sum(axis=0) / counted.sum(axis=0)

    def _known(self, tokens):
        """Tokens as an array (size, length); a negative one would be taken from the end."""
        tokens, n = _check.integers("tokens", tokens), self.task.n_tokens
        if tokens.ndim != 2 or 0 in tokens.shape:
            raise ValueError(f"tokens: expected shape (size, length), got {tokens.shape}")
        if tokens.min() < 0 or tokens.max() >= n:
            raise ValueError(
                f"tokens: expected values from 0 to {n - 1}, got {tokens.min()} to {tokens.max()}"
            )
        return tokens


def train(
    task,
    position,
    seed=0,
    steps=400,
    lengths=(4, 32),
    d_model=16,
    n_layers=1,
    causal=True,
    batch_size=16,
    rate=0.02,
    watch=None,
):
    """Train a tiny Transformer on a task, with one scheme of positions.

    Parameters
    ----------
    task : Task
    position : str or Scheme
        A name in `pecode.schemes.SCHEMES`, or a scheme.
    seed : int
        Gives the first parameters and the sequences. Schemes that are trained with the same seed
        start from the same parameters, but for their own, and see the same sequences.
    steps : int
        Batches; each has sequences of one length. 0 gives the model as it is before training.
    lengths : (int, int)
        The shortest and the longest length. Each batch draws one of them.
    d_model, n_layers : int
    causal : bool
        Whether a token sees itself and what came before, or everything.
    batch_size : int
    rate : float
        Learning rate of Adam, reached after 20 steps; it falls to 0 over the last 30 percent.
    watch : callable, optional
        Called as watch(step, parameters) before the first step and after each one. The arrays
        go on changing: copy what you keep.

    Returns
    -------
    TinyTransformer

    Raises
    ------
    TypeError, ValueError
        An argument of the wrong kind, a scheme that does not exist or does not fit the width or
        the length.
    FloatingPointError
        The training diverged.
    """
    task, position = _task(task), _scheme(position)
    seed = _check.integer("seed", seed, minimum=0)
    steps = _check.integer("steps", steps, minimum=0)
    shortest, longest = _lengths(lengths)
    d_model = _check.width(d_model)
    n_layers = _check.integer("n_layers", n_layers, minimum=1)
    if not isinstance(causal, (bool, onp.bool_)):
        raise TypeError(f"causal: expected True or False, got {causal!r:.60}")
    batch_size = _check.integer("batch_size", batch_size, minimum=1)
    rate = _check.real("rate", rate, above=0)
    if watch is not None and not callable(watch):
        raise TypeError(f"watch: expected a function, got {type(watch).__name__}")

    parameters, vector = _one_vector(
        start(task, position, onp.random.default_rng([seed, 0]), d_model, n_layers)
    )
    _check_fit(parameters, position, task, shortest, longest)
    data = onp.random.default_rng([seed, 1])
    loss_and_gradient = value_and_grad(loss)
    mean, square = onp.zeros_like(vector), onp.zeros_like(vector)
    if watch:
        watch(0, parameters)
    for step in progress(range(1, steps + 1), f"{task.name}, seed {seed}"):
        batch = task.batch(data, batch_size, int(data.integers(shortest, longest + 1)))
        with onp.errstate(all="ignore"):  # what overflows is not finite, and is said below
            value, gradient = loss_and_gradient(parameters, batch, position, causal, task.pooled)
        gradient = onp.concatenate([gradient[name].ravel() for name in parameters])
        if not (onp.isfinite(value) and onp.isfinite(gradient).all()):
            raise FloatingPointError(f"the loss became {value} at step {step}: try a smaller rate")
        # Adam (Kingma and Ba, 2015): running means of the gradient and of its square.
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        direction = mean / (1 - 0.9**step) / (onp.sqrt(square / (1 - 0.99**step)) + 1e-8)
        vector -= rate * min(1, step / 20, (steps + 1 - step) / (0.3 * steps)) * direction
        if watch:
            watch(step, parameters)
    return TinyTransformer(parameters, position, task, causal)


def extrapolation(task, position, seeds=range(5), longest=32, factor=4, **options):
    """Train models on short sequences, and measure them on long ones.

    Parameters
    ----------
    task : Task
        One with an answer at every position.
    position : str or Scheme
        A learned table needs `factor * longest` rows; those past `longest` stay as they started.
    seeds : iterable of ints
        One model is trained for each.
    longest : int
        Training sees lengths from 4 (or `longest`, if that is less) to this.
    factor : int
        New sequences are this many times as long.
    options
        As in `train`.

    Returns
    -------
    models : list of TinyTransformer
    accuracy : ndarray of float64, shape (number of seeds, factor * longest)
        At every position of the long sequences; NaN where no answer counts.

    Raises
    ------
    TypeError, ValueError
        As in `train`; a task with one answer a sequence; no seeds.
    """
    task, position = _task(task), _scheme(position)
    longest = _check.integer("longest", longest, minimum=1, maximum=2**20)
    factor = _check.integer("factor", factor, minimum=1, maximum=2**10)
    seeds = _check.integers("seeds", list(seeds) if isinstance(seeds, Iterable) else seeds)
    if seeds.ndim != 1 or seeds.size == 0:
        raise ValueError(f"seeds: expected one seed or more in a row, got shape {seeds.shape}")
    if task.pooled:
        raise ValueError(f"task: expected answers at every position, got {task.name}, with one")
    options = {"lengths": (min(4, longest), longest), **options}
    untrained = train(task, position, int(seeds[0]), **(options | {"steps": 0, "watch": None}))
    untrained.accuracy(factor * longest, size=1)  # refuses before the work what is too long
    models = [train(task, position, int(seed), **options) for seed in seeds]
    return models, onp.array([model.accuracy(factor * longest, size=32) for model in models])


def _one_vector(parameters):
    """The parameters as views into one vector: what changes the vector changes them."""
    vector = onp.concatenate([array.ravel() for array in parameters.values()])
    views, first = {}, 0
    for name, array in parameters.items():
        views[name] = vector[first : first + array.size].reshape(array.shape)
        first += array.size
    return views, vector


def _task(task):
    if not isinstance(task, Task):
        raise TypeError(f"task: expected a Task, got {type(task).__name__}")
    return task


def _scheme(position):
    """Return a scheme, also by its name."""
    if isinstance(position, str):
        return scheme(_check.choice("position", position, tuple(SCHEMES)))
    if not isinstance(position, Scheme):
        raise TypeError(f"position: expected a name or a Scheme, got {type(position).__name__}")
    return position


def _lengths(lengths):
    ordered = isinstance(lengths, (tuple, list, range, onp.ndarray))
    if not ordered or len(lengths) != 2:
        raise TypeError(f"lengths: expected a pair of integers, got {lengths!r:.60}")
    shortest = _check.integer("lengths", lengths[0], minimum=1, maximum=2**20)
    return shortest, _check.integer("lengths", lengths[1], minimum=shortest, maximum=2**20)


def _check_fit(parameters, position, task, shortest, longest):
    """Try both ends of the lengths before training: a misfit must not depend on what is drawn."""
    d_model = parameters["embedding"].shape[1]
    for length in (shortest, longest):
        batch = task.batch(onp.random.default_rng(0), 32, length)
        position.table(parameters, length, d_model)
        position.bias(parameters, length)
        position.rotation(length, d_model)
    if not batch.counted.any():
        raise ValueError(
            f"lengths: expected sequences in which an answer of the task {task.name} counts, "
            f"got up to {longest}"
        )
