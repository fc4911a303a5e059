"""Training the tiny Transformer of `pecode.lab.transformer`, and measuring what it has learned."""

import copy
import inspect
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from autograd import value_and_grad

from pecode import _check
from pecode.lab import schemes
from pecode.lab.progress import progress
from pecode.lab.schemes import Scheme
from pecode.lab.tasks import Task
from pecode.lab.transformer import logits, loss, start, states


@dataclass(frozen=True, eq=False)
class TinyTransformer:
    """A trained model: its parameters, and what they were trained for."""

    parameters: dict = field(repr=False)
    scheme: Scheme
    task: Task
    causal: bool

    def states(self, tokens):
        """Token vectors at the input and after each layer: a list of (size, length, d_model)."""
        return states(self.parameters, self._checked(tokens), self.scheme, self.causal)

    def answers(self, tokens):
        """The class with the largest logit, shape (size, length), or (size, 1) if pooled."""
        model = (self.scheme, self.causal, self.task.pooled)
        return logits(self.parameters, self._checked(tokens), *model).argmax(axis=-1)

    def accuracy(self, length, size=256, seed=0):
        """Share of right answers at each position of new sequences.

        Returns an array (length,), or (1,) for a task with one answer a sequence. It is NaN where
        no answer counts: take means with `np.nanmean`. The `size` sequences are drawn from
        `seed`, which has nothing to do with that of the training: all models get the same.
        """
        rng = np.random.default_rng([_seed(seed), 3])
        tokens, targets, counted = self.task.batch(rng, size, length)
        right = (self.answers(tokens) == targets) & counted
        with np.errstate(invalid="ignore"):
            return right.sum(axis=0) / counted.sum(axis=0)

    def _checked(self, tokens):
        """Tokens as an array (size, length); a negative one would be taken from the end.

        Training has tried the scheme at the lengths of training, and this may be another.
        """
        tokens, n = _check.integers("tokens", tokens), self.task.n_tokens
        if tokens.ndim != 2 or 0 in tokens.shape:
            raise ValueError(f"tokens: expected shape (size, length), got {tokens.shape}")
        if tokens.min() < 0 or tokens.max() >= n:
            raise ValueError(
                f"tokens: expected values from 0 to {n - 1}, got {tokens.min()} to {tokens.max()}"
            )
        _check_parts(copy.deepcopy(self.scheme), self.parameters, tokens.shape[1])
        return tokens


def train(
    task,
    position,
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
):
    """Train a tiny Transformer on a task, with one scheme of positions.

    Parameters
    ----------
    task : Task
    position : str or Scheme
        A name in `pecode.lab.schemes.SCHEMES`, or a scheme.
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
        Learning rate of Adam: it rises over the first 20 steps and falls over the last 30 percent.
    watch : callable, optional
        Called as watch(step, parameters) before the first step and after each one, with a copy.
    parameters : dict of arrays, optional
        Where to go on from, as in a trained model of the same shape. They are not changed. Adam
        and its rate begin anew, and the same seed gives the same sequences again.

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
    task, position, seed = _task(task), _scheme(position), _seed(seed)
    steps = _check.integer("steps", steps, minimum=0)
    shortest, longest = _lengths(lengths)
    d_model = _check.width(d_model)
    n_layers = _check.integer("n_layers", n_layers, minimum=1)
    _check.boolean("causal", causal)
    batch_size = _check.integer("batch_size", batch_size, minimum=1)
    rate = _check.real("rate", rate, above=0)
    if watch is not None and not callable(watch):
        raise TypeError(f"watch: expected a function, got {type(watch).__name__}")

    # The second number keeps the streams apart. It is not 0: [seed, 0] would be the stream of seed.
    first = start(task, position, np.random.default_rng([seed, 1]), d_model, n_layers)
    data = np.random.default_rng([seed, 2])
    if parameters is not None:
        first = _given(parameters, first)
    _check_fit(first, position, task, shortest, longest)
    parameters, vector = _one_vector(first)
    loss_and_gradient = value_and_grad(loss)
    mean, square = np.zeros_like(vector), np.zeros_like(vector)
    if watch:
        watch(0, _copied(parameters))
    for step in progress(range(1, steps + 1), f"{task.name}, seed {seed}"):
        batch = task.batch(data, batch_size, int(data.integers(shortest, longest + 1)))
        with np.errstate(all="ignore"):  # what overflows is not finite, and is said below
            value, gradient = loss_and_gradient(parameters, batch, position, causal, task.pooled)
        gradient = np.concatenate([gradient[name].ravel() for name in parameters])
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            raise FloatingPointError(
                f"the loss or its gradient is not finite at step {step}: try a smaller rate"
            )
        # Adam (Kingma and Ba, 2015): running means of the gradient and of its square. Theirs
        # remembers squares for 1000 steps; a training of a few hundred needs to forget sooner.
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        direction = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        vector -= rate * min(1, step / 20, (steps + 1 - step) / (0.3 * steps)) * direction
        if watch:
            watch(step, _copied(parameters))
    return TinyTransformer(_copied(parameters), position, task, causal)


def extrapolation(task, position, seeds=range(5), longest=32, *, factor=4, size=32, **options):
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
    size : int
        Number of new sequences, the same for all models.
    options
        As in `train`, but for `seed` and `lengths`.

    Returns
    -------
    models : list of TinyTransformer
    accuracy : ndarray of float64, shape (number of seeds, factor * longest)
        At every position of the long sequences; NaN where no answer counts.

    Raises
    ------
    TypeError, ValueError
        As in `train`; a task with one answer a sequence; no seeds; an unknown option.
    """
    task, position = _task(task), _scheme(position)
    longest = _check.integer("longest", longest, minimum=1, maximum=2**20)
    factor = _check.integer("factor", factor, minimum=1, maximum=2**10)
    seeds = _check.integers("seeds", list(seeds) if isinstance(seeds, Iterable) else seeds)
    if seeds.ndim != 1 or seeds.size == 0:
        raise ValueError(f"seeds: expected one seed or more in a row, got shape {seeds.shape}")
    if task.pooled:
        raise ValueError(f"task: expected answers at every position, got {task.name}, with one")
    known = set(inspect.signature(train).parameters) - {"task", "position", "seed", "lengths"}
    if unknown := sorted(set(options) - known):
        raise TypeError(f"options: expected some of {sorted(known)}, got {unknown[0]}")
    options["lengths"] = (min(4, longest), longest)
    before = options | {"steps": 0, "watch": None}
    untrained = train(task, copy.deepcopy(position), int(seeds[0]), **before)
    untrained.accuracy(factor * longest, size=1)  # refuses before the work what is too long
    models = [train(task, position, int(seed), **options) for seed in seeds]
    return models, np.array([model.accuracy(factor * longest, size) for model in models])


def _one_vector(parameters):
    """The parameters as views into one vector: what changes the vector in place changes them."""
    vector = np.concatenate([array.ravel() for array in parameters.values()])
    views, first = {}, 0
    for name, array in parameters.items():
        views[name] = vector[first : first + array.size].reshape(array.shape)
        first += array.size
    return views, vector


def _copied(parameters):
    return {name: array.copy() for name, array in parameters.items()}


def _given(parameters, wanted):
    """Parameters to go on from, refused where they are not those of the model."""
    if not isinstance(parameters, dict):
        raise TypeError(f"parameters: expected a dict, got {type(parameters).__name__}")
    if missing := [name for name in wanted if name not in parameters]:
        raise ValueError(f"parameters: expected all of the model, got none named {missing[0]!r}")
    if unknown := [name for name in parameters if name not in wanted]:
        raise ValueError(f"parameters: expected those of the model, got {unknown[0]!r:.60} as well")
    given = {name: _check.reals(f"parameters, {name}", parameters[name]) for name in wanted}
    for name, array in given.items():
        if array.shape != wanted[name].shape:
            raise ValueError(
                f"parameters: expected shape {wanted[name].shape} for {name}, got {array.shape}"
            )
    return {name: array.astype(np.float64) for name, array in given.items()}


def _task(task):
    if not isinstance(task, Task):
        raise TypeError(f"task: expected a Task, got {type(task).__name__}")
    return task


def _scheme(position):
    """Return a scheme, also by its name."""
    if isinstance(position, str):
        return schemes.scheme(_check.choice("position", position, tuple(schemes.SCHEMES)))
    if not isinstance(position, Scheme):
        raise TypeError(f"position: expected a name or a Scheme, got {type(position).__name__}")
    return position


def _seed(seed):
    return _check.integer("seed", seed, minimum=0, maximum=2**32 - 1)


def _lengths(lengths):
    ordered = isinstance(lengths, (tuple, list, range, np.ndarray))
    if not ordered or len(lengths) != 2:
        raise TypeError(f"lengths: expected a pair of integers, got {lengths!r:.60}")
    shortest = _check.integer("lengths", lengths[0], minimum=1, maximum=2**20)
    return shortest, _check.integer("lengths", lengths[1], minimum=shortest, maximum=2**20)


def _check_fit(parameters, position, task, shortest, longest):
    """Try both ends of the lengths before training: a misfit must not depend on what is drawn."""
    position = copy.deepcopy(position)  # one that draws must not be moved on by a trial
    for length in (shortest, longest):
        batch = task.batch(np.random.default_rng(0), 32, length)
        _check_parts(position, parameters, length)
    if not batch.counted.any():
        raise ValueError(
            f"lengths: expected sequences in which an answer of the task {task.name} counts, "
            f"got up to {longest}"
        )


def _check_parts(position, parameters, length):
    """Refuse what a scheme may get wrong at a length, and numpy would broadcast in silence."""
    d_model = parameters["embedding"].shape[1]
    _check_part("table", position.table(parameters, length, d_model), (length, d_model), ())
    _check_part("bias", position.bias(parameters, length), (length, length), ())
    rotation = position.rotation(length, d_model)
    for part in () if rotation is None else rotation:
        _check_part("rotation", part, (length, d_model), ())
    keys = position.relative_keys(parameters, length, d_model)
    if keys is not None:
        if not isinstance(keys, np.ndarray):  # the model needs its axes: lists will not do
            raise TypeError(f"position: expected relative_keys as an array, got {keys!r:.60}")
        _check_part("relative_keys", keys, (length, length, d_model))


def _check_part(name, array, *shapes):
    array = _check.reals(f"position, its {name}", array)
    if array.shape not in shapes:
        raise ValueError(f"position: expected a {name} of shape {shapes[0]}, got {array.shape}")
