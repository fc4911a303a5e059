"""Models that several tests use: without training, or trained in a moment."""

import numpy as np

from lab import schemes
from lab.tasks import Task, back, recent
from lab.training import train
from lab.transformer import initial_parameters
from tests import data

# Every scheme as it is without options, and those whose options change what is computed.
VARIANTS = {name: make() for name, make in schemes.SCHEMES.items()}
for name, (scheme, options) in data("lab/tasks.yml")["schemes"].items():
    VARIANTS[name] = getattr(schemes, scheme)(**options)
assert {type(scheme).__name__ for scheme in VARIANTS.values()} == {
    *("Scheme", "Fixed", "Learned", "ALiBi", "Rotary", "RelativeBias", "BucketBias", "RelativeKeys")
}


def untrained(scheme, seed=0, n_layers=1, d_model=6):
    """Random parameters; a trained bias, which starts as zeros, is random too."""
    task, rng = Task("any", n_tokens=4, n_classes=3, draw=print), np.random.default_rng(seed)
    parameters = initial_parameters(task, scheme, rng, d_model, n_layers)
    for name in parameters.keys() & {"bias", "position"}:
        parameters[name] = 0.3 * rng.normal(size=parameters[name].shape)
    return parameters


def run(scheme="nothing", task=None, **options):
    """Train for a moment."""
    options = {"steps": 6, "lengths": (4, 8), "d_model": 6, "batch_size": 3, **options}
    return train(back(2) if task is None else task, scheme, **options)


def watched(scheme="nothing", **options):
    """Train for a moment: the parameters before the first step and after each one, the model."""
    seen = []

    def watch(step, parameters):
        assert step == len(seen)
        seen.append({name: array.copy() for name, array in parameters.items()})

    return seen, run(scheme, watch=watch, **options)


def recorded():
    """A task, and a list of all the tokens that it will have drawn."""
    drawn = []

    def draw(rng, size, length):
        batch = recent.draw(rng, size, length)
        drawn.append(batch[0].tolist())
        return batch

    return Task("recorded", 8, 4, draw), drawn


def same(one, other):
    """Whether two dicts of parameters are equal to the last bit."""
    return one.keys() == other.keys() and all(
        one[name].shape == other[name].shape and one[name].tobytes() == other[name].tobytes()
        for name in one
    )
