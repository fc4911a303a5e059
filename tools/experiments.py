"""The experiments on tiny models behind the book's trained claims: `tools/run_experiments.py`.

An experiment takes a width, a seed and a setting, trains a model, and returns what it measured,
by name. "trained" is the accuracy at the trained lengths: it says whether the seed has learned.
"""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from lab import tasks
from lab.schemes import (
    ALiBi,
    BucketBias,
    Fixed,
    Layered,
    Learned,
    RelativeBias,
    Rotary,
    RotaryPoints,
    Scheme,
    Window,
    scheme,
)
from lab.training import train
from lab.transformer import layers_of, recurrence
from pecode import frequencies, relative_positions, scaling, sinusoidal, softmax
from pecode.axes import (
    axial_frequencies,
    grid_positions,
    mixed_frequencies,
)
from pecode.rotary import to_interleaved


class Experiment(NamedTuple):
    """What is measured, on which settings, and when a seed has learned the trained lengths."""

    run: Callable  # (width, seed, setting) -> measures: a dict
    settings: tuple
    learned: Callable = lambda setting: 0.95  # "trained" must reach it; 0 where all seeds count


TASKS = {"recent": tasks.recent, "2 back": tasks.back(2), "first": tasks.first}


def fit(task, position, width, seed, n_layers=1, **options):
    """Train one model: wider and deeper ones in smaller steps, deeper ones longer."""
    rate = min(0.32 / width, 0.02 / n_layers)
    options = {"steps": (1000, 1500)[n_layers - 1], "rate": rate} | options
    return train(task, position, seed, d_model=width, n_layers=n_layers, **options)


def accuracy(model, length=32, first=0, size=32, position=None):
    """Return the mean accuracy from a position on, perhaps with another scheme."""
    model = dataclasses.replace(model, scheme=position or model.scheme)
    return float(np.nanmean(model.accuracy(length, size)[first:]))


def trained_and_far(model):
    """Return the accuracy at the trained lengths, and at 64 to 127."""
    return {"trained": accuracy(model, size=128), "64-127": accuracy(model, 128, 64)}


# Chapter 15


def needle(width, seed, setting):
    """Find a needle: a near layer, through a window or not, and a far one, of a base or nothing."""
    near, far = setting.split(", ")
    near = Window(Rotary(), 8) if near == "window" else Rotary()
    far = Scheme() if far == "nothing" else Rotary(float(far))
    model = fit(tasks.needle, Layered(near, far), width, seed, n_layers=2, steps=3000)
    without = Layered(near, Scheme())
    return trained_and_far(model) | {
        "256-511": accuracy(model, 512, 256, 16),
        "far rotation taken out, trained": accuracy(model, size=128, position=without),
        "far rotation taken out, 256-511": accuracy(model, 512, 256, 16, without),
    }


class Recurrence(Scheme):
    """No positions; before the attention, h[t] = a * h[t - 1] + x[t] in each column."""

    def start(self, rng, d_model):  # noqa: D102
        return {"a": np.linspace(0, 0.95, d_model)}

    def layer_input(self, parameters, x):  # noqa: D102
        return recurrence(x, parameters["a"])


def recurrent(width, seed, setting):
    """Read with a recurrence, with attention, or with both, in one layer."""
    task, position = {
        "recurrence and attention": (tasks.needle, Recurrence()),
        "attention alone": (tasks.needle, Scheme()),
        "recurrence alone": (tasks.needle, Window(Recurrence(), 1)),
        "2 back": (tasks.back(2), Recurrence()),
    }[setting]
    model = fit(task, position, width, seed)
    return trained_and_far(model) | {"256-511": accuracy(model, 512, 256, 16)}


def base(width, seed, setting):
    """Train a rotary model with another base."""
    task, number = setting.split(", ")
    return trained_and_far(fit(TASKS[task], Rotary(float(number)), width, seed))


# Chapter 12


def at_offsets(model, angles, length=128, size=16):
    """Return the accuracy at 64 to 127 if pair i turns by angles[i, n] over distance n."""
    batch, p = model.task.batch(np.random.default_rng([0, 3]), size, length), model.parameters
    back = np.subtract.outer(np.arange(length), np.arange(length))
    turned = np.exp(1j * angles[:, np.maximum(back, 0)])  # (pairs, length, length)
    x = p["embedding"][batch.tokens]
    for i in range(layers_of(p)):
        query, key = (x @ p[f"{name} {i}"] for name in ("query", "key"))
        query, key = (part[..., 0::2] + 1j * part[..., 1::2] for part in (query, key))
        scores = sum(
            ((query[:, :, j, None] * key.conj()[:, None, :, j]) * turned[j]).real
            for j in range(len(turned))
        )
        scores = np.where(back >= 0, scores / x.shape[-1] ** 0.5, -np.inf)
        x = x + softmax(scores) @ (x @ p[f"value {i}"]) @ p[f"output {i}"]
    right = (x @ p["readout"]).argmax(axis=-1) == batch.targets
    return float(right[:, 64:].mean())


def folded(omega, pairs):
    """Return the angles (pairs, 128) if, in some pairs, distances from 32 on count as 8 to 31."""
    far = np.arange(128)
    chosen = np.isin(np.arange(len(omega)), pairs)[:, None]
    return omega[:, None] * np.where(chosen & (far >= 32), 8 + (far - 8) % 24, far)


def rotary(width, seed, setting):
    """Take a rotary model past its trained length, as it is and in other ways."""
    task, n_layers = setting.split(", ")
    model = fit(TASKS[task], Rotary(), width, seed, n_layers=int(n_layers[0]))
    omega = frequencies(width)
    fast, pairs = np.flatnonzero(32 * omega >= 2 * np.pi), np.arange(width // 2)
    found = trained_and_far(model) | {
        "rotation taken out": accuracy(model, position=Scheme()),
        "all folded": at_offsets(model, folded(omega, pairs)),
        "fast folded": at_offsets(model, folded(omega, fast)),
        "slow folded": at_offsets(model, folded(omega, np.delete(pairs, fast))),
        "window": accuracy(model, 128, 64, position=Window(model.scheme, 32)),
    }
    slowed = Rotary(frequencies=scaling.interpolated(width, 4))
    order = to_interleaved(np.arange(float(width))).astype(int)
    turned = {
        name: matrix[:, order]
        for name, matrix in model.parameters.items()
        if name.startswith(("query", "key"))
    }
    other = dataclasses.replace(model, parameters=model.parameters | turned)
    return found | {
        "interpolated": accuracy(model, position=slowed),
        "interpolated, 64-127": accuracy(model, 128, 64, position=slowed),
        "other layout": accuracy(other),
        "other way around": accuracy(model, position=Rotary(frequencies=-omega)),
    }


# Chapter 10


WEAK = ("count", "ALiBi")  # on 2 back in one layer, even at the trained lengths
UNABLE = (*(f"2 back, {name}" for name in WEAK), "first, rotary", "first, relative bias")


def reach(width, seed, setting):
    """Train one scheme on one task, as chapter 10 does."""
    task, name = setting.split(", ")
    position = Learned(length=128) if name == "learned" else scheme(name)
    return trained_and_far(fit(TASKS[task], position, width, seed, steps=600))


class Repaired(Scheme):
    """Sinusoids in a trained model that looks at most 31 back: chapter 10 has its three changes."""

    def __init__(self, model, averaged, held, reach=31):
        p, self.width = model.parameters, model.parameters["embedding"].shape[1]
        table = sinusoidal(range(128), self.width)
        scores = table @ p["query 0"] @ p["key 0"].T @ table.T / self.width**0.5
        back = np.subtract.outer(range(128), range(128))
        mean = np.array(
            [np.diagonal(scores[:32, :32] if k < 32 else scores, -k).mean() for k in range(128)]
        )
        self.held, wanted = held, mean[np.maximum(back, 0)] if averaged else scores
        brought = scores if held is None else 0  # by the table; softmax is blind to a constant
        self.scores = np.where(back <= reach, wanted - brought, -1e9)

    def table(self, parameters, length, d_model):  # noqa: D102
        own = np.arange(length)
        return sinusoidal(own if self.held is None else 0 * own + self.held, self.width)

    def bias(self, parameters, length):  # noqa: D102
        return self.scores[:length, :length]


REPAIRS = {
    "far hidden": (False, None),
    "far hidden, averaged": (True, None),
    "far hidden, fixed": (False, 16),
    "all three": (True, 16),
    "averaged, fixed": (True, 16, 127),
}


def repair(width, seed, setting):
    """Train sinusoids on 2 back, and repair them without training."""
    base = 5 if setting == "base 5" else 10_000
    position = Fixed(lambda positions, length, d_model: sinusoidal(positions, d_model, base))
    model = fit(tasks.back(2), position, width, seed)
    found = trained_and_far(model)
    if base == 10_000:
        for name, changes in REPAIRS.items():
            found[name] = accuracy(model, 128, 64, position=Repaired(model, *changes))
    return found


# Chapter 9


def bag(width, seed, setting):
    """Answer questions that a bag of words can answer, in part or wholly, without positions."""
    length = {"majority": 9, "subject": 3}.get(setting, 8)
    task, lengths = getattr(tasks, setting), (length, length)
    model = fit(task, "nothing", width, seed, lengths=lengths, causal=False)
    return {"trained": accuracy(model, length, size=1024)}


def majority(width, seed, setting):
    """Take a task without order beyond the trained lengths."""
    model = fit(tasks.majority, setting, width, seed, causal=False)
    found = {"trained": accuracy(model, 31, size=256), "127": accuracy(model, 127, size=256)}
    if setting == "sine and cosine":
        again = Fixed(lambda positions, length, d_model: sinusoidal(positions % 32, d_model))
        found["127, vectors repeated"] = accuracy(model, 127, size=256, position=again)
    return found


def where(width, seed, setting):
    """Name the position, without any positions."""
    task = tasks.where(16)
    task = tasks.with_start(task) if "with a start" in setting else task
    options = {"lengths": (task.longest, task.longest), "causal": "causal" in setting}
    model = fit(task, "nothing", width, seed, **options)
    return {"trained": float(model.accuracy(task.longest, size=128)[-16:].mean())}


def order(width, seed, setting):
    """Name the latest marked token: what the mask alone can do, in one layer and in two."""
    name, n_layers, seen, *start = setting.split(", ")
    task = tasks.recent if start else tasks.with_start(tasks.recent)
    model = fit(task, name, width, seed, n_layers=int(n_layers[0]), causal=seen == "causal")
    length = 31 if start else 32
    trained, far = accuracy(model, length, size=512), accuracy(model, 128, 64)
    return {"trained": trained, "64-127": far, "lost": trained - far}


# Chapter 11


class DistanceBias(RelativeBias):
    """A learned bias that cannot tell left from right."""

    def bias(self, parameters, length):  # noqa: D102
        distances = np.minimum(np.abs(relative_positions(length)), self.clip)
        return self.GAIN * parameters["bias"][distances]


BITES = {  # "dog bites man": the scheme, whether causal, whether with a start token
    "ALiBi": (ALiBi(), False, False),
    "number per distance": (DistanceBias(), False, False),
    "number per offset": (RelativeBias(), False, False),
    "T5, both sides": (BucketBias(16, 24, bidirectional=True), False, False),
    "ALiBi, causal": (ALiBi(), True, False),
    "nothing, causal": (Scheme(), True, False),
    "ALiBi, start": (ALiBi(), False, True),
}


def bites(width, seed, setting):
    """Say who bites whom."""
    position, causal, start = BITES[setting]
    task = tasks.with_start(tasks.subject) if start else tasks.subject
    lengths = (task.longest, task.longest)
    model = fit(task, position, width, seed, lengths=lengths, causal=causal)
    return {"trained": accuracy(model, task.longest, size=512)}


def dilution(width, seed, setting):
    """A learned bias at the second half of 2,048 tokens: as it is, and with each remedy."""
    model = fit(TASKS[setting], "relative bias", width, seed)
    p, raised = model.parameters, model.parameters["bias"].copy()
    raised[model.scheme.clip - 2] += np.log(2048 / 128) / RelativeBias.GAIN
    times = np.log(2048) / np.log(32)
    changes = {
        "2,048": {},
        "2,048, words alike": {"query 0": np.zeros((width, width))},
        "2,048, peak raised": {"bias": raised},
        "2,048, log n": {"query 0": times * p["query 0"], "bias": times * p["bias"]},
    }
    found = trained_and_far(model)
    for name, change in changes.items():
        found[name] = accuracy(dataclasses.replace(model, parameters=p | change), 2048, 1024, 1)
    window = Window(model.scheme, 32)
    return found | {"2,048, window": accuracy(model, 2048, 1024, 1, window)}


# Chapter 14


def stripes(width, seed, setting):
    """Fill the holes of pictures with diagonal stripes."""
    places, options = grid_positions((6, 6)), {"lengths": (36, 36), "causal": False}
    position = {
        "one long index": lambda: RotaryPoints(places, np.outer(frequencies(width, 10), [6, 1])),
        "axial": lambda: RotaryPoints(places, axial_frequencies((width // 2, width // 2), 10)),
        "mixed": lambda: RotaryPoints(places, mixed_frequencies(width // 2, base=10, seed=seed)),
        "learned": lambda: Learned(36),
    }[setting]()
    model = fit(tasks.stripes((6, 6), (1, 1)), position, width, seed, **options)
    return {"trained": accuracy(model, 36, size=256)}


EXPERIMENTS = {
    "needle": Experiment(
        needle,
        ("window, 1e4", "window, nothing", "all, nothing"),
        lambda setting: 0.95 if "window" in setting else 0,
    ),
    "rotary": Experiment(
        rotary,
        ("recent, 1 layer", "2 back, 1 layer", "recent, 2 layers", "2 back, 2 layers"),
    ),
    "order": Experiment(
        order,
        (
            *("nothing, 2 layers, causal", "nothing, 2 layers, causal, no start"),
            *("sine and cosine, 2 layers, causal", "ALiBi, 2 layers, causal"),
            *("nothing, 1 layer, causal", "nothing, 2 layers, all"),
        ),
        lambda setting: 0 if setting.startswith("nothing") else 0.95,
    ),
    "repair": Experiment(repair, ("base 10000", "base 5")),
    "reach": Experiment(
        reach,
        tuple(
            f"{task}, {name}"
            for task, names in {
                "2 back": ("binary", "sine and cosine", "learned", *WEAK, "relative bias"),
                "recent": ("count", "sine and cosine", "learned", "ALiBi", "relative bias"),
                "first": ("count", "sine and cosine", "learned", "rotary", "relative bias"),
            }.items()
            for name in names
        ),
        lambda setting: 0 if setting in UNABLE else 0.85 if "learned" in setting else 0.95,
    ),
    "base": Experiment(base, ("2 back, 10", "2 back, 1e4", "2 back, 1e8")),
    "majority": Experiment(majority, ("nothing", "sine and cosine")),
    "where": Experiment(
        where,
        ("causal, with a start", "causal, no start", "all, with a start"),
        lambda setting: 0.95 if setting == "causal, with a start" else 0.0,
    ),
    "bag": Experiment(bag, ("majority", "subject", "first", "reverse"), lambda setting: 0),
    "recurrent": Experiment(
        recurrent,
        ("recurrence and attention", "attention alone", "recurrence alone", "2 back"),
        lambda setting: 0.95 if setting == "recurrence and attention" else 0.0,
    ),
    "bites": Experiment(bites, tuple(BITES), lambda setting: 0.0),
    "dilution": Experiment(dilution, ("2 back", "recent")),
    "stripes": Experiment(
        stripes, ("one long index", "axial", "mixed", "learned"), lambda setting: 0
    ),
}
