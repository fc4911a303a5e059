"""Training the tiny Transformer of `lab.transformer`, and measuring what it has learned."""

import copy
import inspect
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from autograd.core import VJPNode, backward_pass
from autograd.tracer import new_box, trace_stack

from lab import schemes
from lab.progress import progress
from lab.schemes import Scheme
from lab.tasks import Task, checked_task
from lab.transformer import initial_parameters, layers_of, logits, loss, states
from pecode import _check
from pecode._check import checked

# Checks of arguments, beside those of `pecode._check`


def _scheme(name, scheme):
    """A scheme, also by its name."""
    if isinstance(scheme, str):
        return schemes.scheme(_check.choice(name, scheme, tuple(schemes.SCHEMES)))
    if not isinstance(scheme, Scheme):
        raise TypeError(f"{name}: expected a name or a Scheme, got {type(scheme).__name__}")
    return scheme


def _lengths(name, lengths):
    """The shortest and the longest length."""
    ordered = isinstance(lengths, (tuple, list, range, np.ndarray))
    if not ordered or len(lengths) != 2:
        raise TypeError(f"{name}: expected a pair of integers, got {lengths!r:.60}")
    shortest = _check.integer(name, lengths[0], minimum=1, maximum=2**20)
    return shortest, _check.integer(name, lengths[1], minimum=shortest, maximum=2**20)


def _seeds(name, seeds):
    seeds = _check.integers(name, list(seeds) if isinstance(seeds, Iterable) else seeds)
    if seeds.ndim != 1 or seeds.size == 0:
        raise ValueError(f"{name}: expected at least one seed, in one axis, got {seeds.shape}")
    return seeds.tolist()


def _names(name, names):
    if not isinstance(names, (tuple, list)) or not all(isinstance(each, str) for each in names):
        raise TypeError(f"{name}: expected a list of names of arrays, got {names!r:.60}")
    return names


def _watch(name, watch):
    if not callable(watch):
        raise TypeError(f"{name}: expected a function, got {type(watch).__name__}")
    return watch


_seed = partial(_check.integer, minimum=0, maximum=2**32 - 1)
_number = partial(_check.integer, minimum=1, maximum=2**20)


@dataclass(frozen=True, eq=False)
class TinyTransformer:
    """A trained model: its parameters, and what they were trained for."""

    parameters: dict = field(repr=False)
    scheme: Scheme
    task: Task
    causal: bool

    def states(self, tokens):
        """Return the token vectors at the input and after each layer: (size, length, d_model)."""
        return states(self.parameters, self._checked(tokens), self.scheme, self.causal)

    def answers(self, tokens):
        """Return the class with the largest logit: (size, length), or (size, 1) if pooled."""
        model = (self.scheme, self.causal, self.task.pooled)
        return logits(self.parameters, self._checked(tokens), *model).argmax(axis=-1)

    def accuracy(self, length, size=256, seed=0):
        """Return the share of right answers at each position of new sequences.

        The shape is (length,), or (1,) for a task with one answer for a sequence. Positions where
        no answer counts are NaN: take means with `np.nanmean`. The `size` sequences are drawn from
        `seed`, which is independent of the seed of the training: all models get the same ones.
        """
        rng = np.random.default_rng([_seed("seed", seed), 3])
        tokens, targets, counted = self.task.batch(rng, size, length)
        right = (self.answers(tokens) == targets) & counted
        with np.errstate(invalid="ignore"):
            return right.sum(axis=0) / counted.sum(axis=0)

    def _checked(self, tokens):
        """Return tokens as an array (size, length), of a length at which the scheme fits too."""
        tokens, n = _check.integers("tokens", tokens), self.task.n_tokens
        if tokens.ndim != 2 or 0 in tokens.shape:
            raise ValueError(f"tokens: expected shape (size, length), got {tokens.shape}")
        _check.inside("tokens", tokens, n)  # Python would take a negative one from the end
        _try_scheme(self.scheme, self.parameters, tokens.shape[1:])
        return tokens


@checked(
    task=checked_task,
    scheme=_scheme,
    seed=_seed,
    steps=partial(_check.integer, minimum=0, maximum=10**7),
    lengths=_lengths,
    n_layers=_number,
    causal=_check.boolean,
    batch_size=_number,
    rate=partial(_check.real, above=0),
    watch=_watch,
    parameters=_check.anything,
    frozen=_names,
)
def train(
    task,
    scheme,
    seed=0,
    *,
    steps=400,
    lengths=(4, 32),
    d_model=16,
    n_layers=1,
    causal=True,
    batch_size=16,
    rate=0.02,
    watch=None,
    parameters=None,
    frozen=(),
):
    """Train a tiny Transformer on a task, with one scheme of positions.

    Parameters
    ----------
    task : Task
    scheme : str or Scheme
        A name in `lab.schemes.SCHEMES`, or a scheme.
    seed : int
        Determines the initial parameters and the sequences. Models with different schemes and the
        same seed share all initial parameters but those of the scheme, and see the same sequences.
    steps : int
        Batches; each has sequences of one length. 0 gives the model as it is before training.
    lengths : (int, int)
        The shortest and the longest length. Each batch draws a length between them.
    d_model, n_layers : int
    causal : bool
        True if a token sees only itself and what came before.
    batch_size : int
    rate : float
        Learning rate of Adam: it rises over the first 20 steps and falls over the last 30 percent.
    watch : callable, optional
        Called as watch(step, parameters) before the first step and after each one, with a copy.
    parameters : dict of arrays, optional
        Where to continue from, as in a trained model of the same shape. They are not changed. Adam
        and its rate start anew, and the same seed gives the same sequences again.
    frozen : list of str, optional
        Arrays that stay as they are, as in ["embedding"].

    Returns
    -------
    TinyTransformer
    """
    # The second number keeps the streams apart. It is not 0: [seed, 0] would be the stream of seed.
    rng = np.random.default_rng([seed, 1])
    initial = initial_parameters(task, scheme, rng, d_model, n_layers)
    if parameters is not None:
        initial = _checked_parameters(parameters, initial)
    if unknown := sorted(set(frozen) - set(initial)):
        raise ValueError(f"frozen: expected some of {sorted(initial)}, got {unknown[0]!r:.60}")
    _try_scheme(scheme, initial, lengths)
    _try_task(task, lengths)
    parameters, vector = _flattened(initial)
    kept = np.concatenate([np.full(array.size, name in frozen) for name, array in initial.items()])
    rng = np.random.default_rng([seed, 2])
    mean, mean_square = np.zeros_like(vector), np.zeros_like(vector)
    if watch:
        watch(0, _copied(parameters))
    for step in progress(range(1, steps + 1), f"{task.name}, seed {seed}"):
        batch = task.batch(rng, batch_size, int(rng.integers(lengths[0], lengths[1] + 1)))
        with np.errstate(all="ignore"):  # an overflow is not finite, and raises below
            try:
                value, gradients = _loss_and_gradients(
                    parameters, batch, scheme, causal, task.pooled
                )
            except ValueError as error:
                if not str(error).startswith("scores: expected no NaN"):  # as softmax says
                    raise
                value, gradients = np.nan, parameters
        gradient = np.concatenate([gradients[name].ravel() for name in parameters])
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            raise FloatingPointError(
                f"the loss or its gradient is not finite at step {step}: try a smaller rate"
            )
        gradient[kept] = 0  # so Adam's running means stay 0, too: these arrays do not move
        # Adam (Kingma and Ba, 2015): running means of the gradient and of its square. Theirs
        # remembers squares for 1000 steps; a training of a few hundred needs to forget sooner.
        mean = 0.9 * mean + 0.1 * gradient
        mean_square = 0.99 * mean_square + 0.01 * gradient**2
        direction = mean / (1 - 0.9**step) / (np.sqrt(mean_square / (1 - 0.99**step)) + 1e-8)
        vector -= rate * min(1, step / 20, (steps + 1 - step) / (0.3 * steps)) * direction
        if watch:
            watch(step, _copied(parameters))
    return TinyTransformer(_copied(parameters), scheme, task, causal)


@checked(
    task=checked_task,
    scheme=_scheme,
    seeds=_seeds,
    longest=partial(_check.integer, minimum=1, maximum=2**20),
    factor=partial(_check.integer, minimum=1, maximum=2**10),
    size=_number,
    options=_check.anything,
)
def extrapolation(task, scheme, seeds=range(5), longest=32, *, factor=4, size=32, **options):
    """Train models on short sequences, and measure them on long ones.

    Parameters
    ----------
    task : Task
        One with an answer at every position.
    scheme : str or Scheme
        A learned table needs `factor * longest` rows; those past `longest` stay as they started.
    seeds : iterable of ints
        One model is trained for each.
    longest : int
        Training sees lengths from 4 (or `longest`, if it is smaller) to `longest`.
    factor : int
        New sequences are this many times as long.
    size : int
        Number of new sequences, the same for all models.
    options
        As in `train`, except `seed` and `lengths`.

    Returns
    -------
    models : list of TinyTransformer
    accuracy : ndarray of float64, shape (number of seeds, factor * longest)
        At every position of the long sequences; NaN where no answer counts.
    """
    if task.pooled:
        raise ValueError(f"task: expected answers at every position, got {task.name}, with one")
    known = set(inspect.signature(train).parameters) - {"task", "scheme", "seed", "lengths"}
    if unknown := sorted(set(options) - known):
        raise TypeError(f"options: expected some of {sorted(known)}, got {unknown[0]}")
    options["lengths"] = (min(4, longest), longest)
    no_steps = options | {"steps": 0, "watch": None}
    untrained = train(task, copy.deepcopy(scheme), seeds[0], **no_steps)
    untrained.accuracy(factor * longest, size=1)  # raises before the work if that is too long
    models = [train(task, scheme, seed, **options) for seed in seeds]
    return models, np.array([model.accuracy(factor * longest, size) for model in models])


# autograd's `grad` takes a dict apart and puts it together anew at every step, which takes as long
# as a layer. So each array is where its own trace begins, and the gradient that arrives is kept.


def _loss_and_gradients(parameters, *rest):
    """Return the loss, and its gradient by the name of each array."""
    gradients = {name: np.zeros_like(array) for name, array in parameters.items()}
    with trace_stack.new_trace() as level:
        traced = {
            name: new_box(array, level, _root(partial(gradients.__setitem__, name)))
            for name, array in parameters.items()
        }
        value = loss(traced, *rest)
    backward_pass(1.0, value._node)
    return value._value, gradients


def _root(keep):
    """Return the node of an array that is no result of others; `keep` is called with a gradient."""
    root = VJPNode.new_root()
    root.vjp = lambda g: keep(g) or ()
    return root


def _flattened(parameters):
    """Return the parameters as views into one vector, and the vector: changing it changes them."""
    vector = np.concatenate([array.ravel() for array in parameters.values()])
    views, begin = {}, 0
    for name, array in parameters.items():
        views[name] = vector[begin : begin + array.size].reshape(array.shape)
        begin += array.size
    return views, vector


def _copied(parameters):
    return {name: array.copy() for name, array in parameters.items()}


def _try_scheme(scheme, parameters, lengths):
    """Try a scheme at some lengths, on a copy: the trial must not advance one that draws."""
    scheme = copy.deepcopy(scheme)
    d_model, n_layers = parameters["embedding"].shape[1], layers_of(parameters)
    for length in lengths:
        schemes.check_scheme(scheme, parameters, length, d_model, n_layers)


def _try_task(task, lengths):
    """Try both ends of the lengths: whether a task fits must not depend on what is drawn."""
    batches = [task.batch(np.random.default_rng(0), 32, length) for length in lengths]
    if not batches[-1].counted.any():
        raise ValueError(
            f"lengths: expected sequences in which an answer of the task {task.name} counts, "
            f"got up to {lengths[1]}"
        )


def _checked_parameters(parameters, initial):
    """Return parameters to continue from, as float64; refuse those of another model."""
    if not isinstance(parameters, dict):
        raise TypeError(f"parameters: expected a dict, got {type(parameters).__name__}")
    if missing := [name for name in initial if name not in parameters]:
        raise ValueError(f"parameters: expected all of the model, got none named {missing[0]!r}")
    if unknown := [name for name in parameters if name not in initial]:
        raise ValueError(f"parameters: expected those of the model, got {unknown[0]!r:.60} as well")
    arrays = {name: _check.reals(f"parameters, {name}", parameters[name]) for name in initial}
    for name, array in arrays.items():
        if array.shape != initial[name].shape:
            raise ValueError(
                f"parameters: expected shape {initial[name].shape} for {name}, got {array.shape}"
            )
    return {name: array.astype(np.float64) for name, array in arrays.items()}
