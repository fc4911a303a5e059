"""The experiments on tiny models behind the book's trained claims: `tools/run_experiments.py`.

An experiment takes a width, a seed and a setting, trains a model, and returns what it measured,
by name. "trained" is the accuracy at the trained lengths: it says whether the seed has learned.
"""

import dataclasses
import itertools
from collections.abc import Callable
from functools import partial
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
from pecode import frequencies, relative_positions, sinusoidal, softmax
from pecode.axes import (
    axial_frequencies,
    grid_positions,
    joined_positions,
    mixed_frequencies,
    resize_table,
    section_frequencies,
)


class Experiment(NamedTuple):
    """What is measured, on which settings, and when a seed has learned the trained lengths."""

    run: Callable  # (width, seed, setting) -> measures: a dict
    settings: tuple
    learned: Callable = lambda setting: 0.95  # (setting) -> a number
    wanted: Callable = lambda setting: 5  # (setting) -> so many learned seeds, or
    most: int = 12  # so many tried


EXPERIMENTS = {}


def experiment(settings, learned=0.95, wanted=5, **most):
    """Register a function under its name, with its settings, and what "trained" must reach there.

    It is 0 where all seeds count. Wanted are learned seeds; `most` are tried.
    """

    def register(run):
        of = [n if callable(n) else lambda setting, n=n: n for n in (learned, wanted)]
        EXPERIMENTS[run.__name__] = Experiment(run, tuple(settings.split("; ")), *of, **most)
        return run

    return register


TASKS = {"recent": tasks.recent, "2 back": tasks.back(2), "first": tasks.first}


def fit(task, position, width, seed, n_layers=1, **options):
    """Train one model: wider and deeper ones in smaller steps, deeper ones longer."""
    rate = min(0.32 / width, 0.02 / n_layers)
    options = {"steps": (1000, 1500)[n_layers - 1], "rate": rate} | options
    return train(task, position, seed, d_model=width, n_layers=n_layers, **options)


def accuracy(model, length=32, first=0, size=32, position=None, weights=None):
    """Return the mean accuracy from a place on, perhaps with another scheme or other weights."""
    parameters = model.parameters | (weights or {})
    model = dataclasses.replace(model, scheme=position or model.scheme, parameters=parameters)
    return float(np.nanmean(model.accuracy(length, size)[first:]))


def trained_and_far(model):
    """Return the accuracy at the trained lengths, and at 64 to 127."""
    return {"trained": accuracy(model, size=128), "64-127": accuracy(model, 128, 64)}


# Chapter 15


@experiment(
    "window, 1e4; window, nothing; all, nothing; all, 1e4",
    wanted=lambda setting: 15 if setting == "window, 1e4" else 10,
    most=40,
)
def needle(width, seed, setting):
    """Find a needle: a near layer, through a window or not, and a far one, of a base or nothing."""
    near, far = setting.split(", ")
    near = Window(Rotary(), 8) if near == "window" else Rotary()
    far = Scheme() if far == "nothing" else Rotary(float(far))
    model = fit(tasks.needle, Layered(near, far), width, seed, n_layers=2, steps=3000)
    far_out = partial(accuracy, model, 512, 256, 16)
    measures = trained_and_far(model) | {
        "256-511": far_out(),
        "far rotation taken out, 256-511": far_out(Layered(near, Scheme())),
    }
    for keys in (1, 2) if setting == "window, nothing" else ():
        cut = Layered(Window(Rotary(), keys), Scheme())
        measures[f"near window of {keys}, 256-511"] = far_out(cut)
    return measures


class Recurrence(Scheme):
    """No positions; before the attention, h[t] = a * h[t - 1] + x[t] in each column."""

    def start(self, rng, d_model):  # noqa: D102
        return {"a": np.linspace(0, 0.95, d_model)}

    def layer_input(self, parameters, x):  # noqa: D102
        return recurrence(x, parameters["a"])


@experiment(
    "recurrence and attention; attention alone; recurrence alone; 2 back",
    lambda setting: 0.95 if setting == "recurrence and attention" else 0,
    wanted=10,
)
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


@experiment(
    "2 back, 10; 2 back, 1e4; 2 back, 1e8; 2 layers, 10; 2 layers, 1e4; 2 layers, 1e8", wanted=10
)
def base(width, seed, setting):
    """Train a rotary model with another base to name the token two back."""
    first, number = setting.split(", ")
    n_layers = 2 if first == "2 layers" else 1
    return trained_and_far(fit(TASKS["2 back"], Rotary(float(number)), width, seed, n_layers))


# Chapter 13


class Mistaken(Rotary):
    """A rotation that is wrong in training already."""

    def __init__(self, mistake):
        super().__init__()
        self.mistake = mistake

    def rotation(self, length, d_model):  # noqa: D102
        cos, sin = super().rotation(length, d_model)
        if self.mistake == "keys the wrong way":
            return cos, sin, cos, -sin
        columns = np.r_[0:d_model:2, 0:d_model:2]  # the angles of cat(freqs, freqs)
        return cos[:, columns], sin[:, columns]


ROTATIONS = "right", "angles for halves", "keys the wrong way"


@experiment(
    "; ".join(f"{task}, {how}" for task in ("recent", "2 back") for how in ROTATIONS)
    + "; 2 back, keys the wrong way, 2 layers",
    learned=0,
    wanted=lambda setting: 5 if "wrong way" in setting else 10,
)
def mistaken(width, seed, setting):
    """Train with a rotation that turns neighbors by the angles of halves, or keys backward."""
    task, how, *deep = setting.split(", ")
    position = Rotary() if how == "right" else Mistaken(how)
    return trained_and_far(fit(TASKS[task], position, width, seed, n_layers=1 + len(deep)))


# Chapter 12


def at_offsets(model, angles):
    """Return the accuracy at the last 64 positions if pair i turns by angles[i, n] over n."""
    length, p = angles.shape[1], model.parameters
    batch = model.task.batch(np.random.default_rng([0, 3]), 16, length)
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
    return float(right[:, -64:].mean())


def folded(omega, pairs, length=128):
    """Return angles (pairs, length) where some pairs count distances from 32 on as 8 to 31."""
    far = np.arange(length)
    chosen = np.isin(np.arange(len(omega)), pairs)[:, None]
    return omega[:, None] * np.where(chosen & (far >= 32), 8 + (far - 8) % 24, far)


@experiment("recent, 1 layer; 2 back, 1 layer; recent, 2 layers; 2 back, 2 layers", wanted=10)
def rotary(width, seed, setting):
    """Take a rotary model past its trained length, as it is and in other ways."""
    task, n_layers = setting.split(", ")
    model = fit(TASKS[task], Rotary(), width, seed, n_layers=int(n_layers[0]))
    omega = frequencies(width)
    fast, pairs = np.flatnonzero(32 * omega >= 2 * np.pi), np.arange(width // 2)
    parts = {"all": pairs, "fast": fast, "slow": np.delete(pairs, fast)}
    if task == "2 back":
        parts |= {"as many slow": pairs[len(fast) : 2 * len(fast)], "none": []}
    found = trained_and_far(model) | {
        "rotation taken out": accuracy(model, position=Scheme()),
        "window": accuracy(model, 128, 64, position=Window(model.scheme, 32)),
    }
    for name, chosen in parts.items():
        found[f"{name} folded"] = at_offsets(model, folded(omega, chosen))
        if task == "2 back":
            at_256 = at_offsets(model, folded(omega, chosen, 256))
            found[f"{name} folded, 192-255"] = at_256
    return found


# Chapter 10


# On 2 back in one layer, these fail even at the trained lengths:
WEAK = "nothing", "count", "normalized count", "ALiBi"
VARIED = "first, sine and cosine", "first, learned"  # the first differs widely from seed to seed
UNABLE = (*(f"2 back, {name}" for name in WEAK), "first, rotary", "first, relative bias")


@experiment(
    "2 back, binary; 2 back, sine and cosine; 2 back, learned; 2 back, count; 2 back, ALiBi; "
    "2 back, nothing; 2 back, normalized count; 2 back, relative bias; recent, count; "
    "recent, sine and cosine; recent, learned; recent, ALiBi; recent, relative bias; "
    "first, count; first, sine and cosine; first, learned; first, rotary; first, relative bias",
    lambda setting: 0 if setting in UNABLE else 0.85 if "learned" in setting else 0.95,
    wanted=lambda setting: 10 if setting in VARIED else 5,
)
def reach(width, seed, setting):
    """Train one scheme on one task, as chapter 10 does."""
    task, name = setting.split(", ")
    position = Learned(length=128) if name == "learned" else scheme(name)
    return trained_and_far(fit(TASKS[task], position, width, seed, steps=600))


def place_scores(model):
    """Return the scores of 128 sinusoids with one another in a trained model: (128, 128)."""
    p, width = model.parameters, model.parameters["embedding"].shape[1]
    table = sinusoidal(range(128), width)
    return table @ p["query 0"] @ p["key 0"].T @ table.T / width**0.5


def two_back_best(scores, first, last, among):
    """Return the share of t from first to last where t - 2 scores best of the last `among` keys."""
    latest = [np.argmax(scores[t, max(0, t - among + 1) : t + 1][::-1]) for t in range(first, last)]
    return float(np.mean(np.array(latest) == 2))


class Repaired(Scheme):
    """Sinusoids in a trained model that looks at most 31 back: chapter 10 has its three changes."""

    def __init__(self, model, averaged, held, reach=31):
        self.width, scores = model.parameters["embedding"].shape[1], place_scores(model)
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


@experiment("base 10000; base 5", wanted=10)
def repair(width, seed, setting):
    """Train sinusoids on 2 back, and repair them without training."""
    base = 5 if setting == "base 5" else 10_000
    position = Fixed(lambda positions, length, d_model: sinusoidal(positions, d_model, base))
    model = fit(tasks.back(2), position, width, seed)
    found = trained_and_far(model)
    if base == 10_000:
        for name, changes in REPAIRS.items():
            found[name] = accuracy(model, 128, 64, position=Repaired(model, *changes))
        scores = place_scores(model)
        found["t - 2 best, 2-31"] = two_back_best(scores, 2, 32, among=128)
        found["t - 2 best, 64-127"] = two_back_best(scores, 64, 128, among=128)
        found["t - 2 best of 32, 64-127"] = two_back_best(scores, 64, 128, among=32)
    return found


# Chapter 9


@experiment("majority; subject; first; reverse", 0)
def bag(width, seed, setting):
    """Answer questions that a bag of words can answer, in part or wholly, without positions."""
    length = {"majority": 9, "subject": 3}.get(setting, 8)
    task, lengths = getattr(tasks, setting), (length, length)
    model = fit(task, "nothing", width, seed, lengths=lengths, causal=False)
    return {"trained": accuracy(model, length, size=1024)}


@experiment("nothing; sine and cosine")
def majority(width, seed, setting):
    """Take a task without order beyond the trained lengths."""
    model = fit(tasks.majority, setting, width, seed, causal=False)
    found = {"trained": accuracy(model, 31, size=256), "127": accuracy(model, 127, size=256)}
    if setting == "sine and cosine":
        again = Fixed(lambda positions, length, d_model: sinusoidal(positions % 32, d_model))
        found["127, vectors repeated"] = accuracy(model, 127, size=256, position=again)
    return found


@experiment(
    "causal, with a start; causal, no start; all, with a start",
    lambda setting: 0.95 if setting == "causal, with a start" else 0,
)
def where(width, seed, setting):
    """Name the position, without any positions."""
    task = tasks.where(16)
    task = tasks.with_start(task) if "with a start" in setting else task
    options = {"lengths": (task.longest, task.longest), "causal": "causal" in setting}
    model = fit(task, "nothing", width, seed, **options)
    return {"trained": float(model.accuracy(task.longest, size=128)[-16:].mean())}


@experiment(
    "nothing, 2 layers, causal; nothing, 2 layers, causal, no start; "
    "sine and cosine, 2 layers, causal; ALiBi, 2 layers, causal; nothing, 1 layer, causal; "
    "nothing, 2 layers, all",
    lambda setting: 0 if setting.startswith("nothing") else 0.95,
)
def order(width, seed, setting):
    """Name the latest marked token: what the mask alone can do, in one layer and in two."""
    name, n_layers, seen, *start = setting.split(", ")
    task = tasks.recent if start else tasks.with_start(tasks.recent)
    model = fit(task, name, width, seed, n_layers=int(n_layers[0]), causal=seen == "causal")
    length = 31 if start else 32
    trained, far = accuracy(model, length, size=512), accuracy(model, 128, 64)
    return {"trained": trained, "64-127": far, "lost": trained - far}


# Chapter 11


@experiment("recent, up to 128; recent, up to 24; 2 back, up to 128; 2 back, up to 24")
def buckets(width, seed, setting):
    """Train T5's buckets that end within the trained lengths, or beyond them."""
    task, ends = setting.split(", ")
    position = BucketBias(16, 24) if ends == "up to 24" else BucketBias(32, 128)
    model = fit(TASKS[task], position, width, seed)
    found = trained_and_far(model)
    if ends == "up to 128":  # bucket 20 copied into all that training missed, or nearly
        rows = model.parameters["bias"][np.minimum(range(32), 20)]
        found["filled"] = accuracy(model, 128, 64, weights={"bias": rows})
    return found


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


@experiment("; ".join(BITES), 0)
def bites(width, seed, setting):
    """Say who bites whom."""
    position, causal, start = BITES[setting]
    task = tasks.with_start(tasks.subject) if start else tasks.subject
    lengths = (task.longest, task.longest)
    model = fit(task, position, width, seed, lengths=lengths, causal=causal)
    return {"trained": accuracy(model, task.longest, size=512)}


@experiment(
    "relative bias; relative keys", lambda setting: 0.85 if setting == "relative keys" else 0
)
def jump(width, seed, setting):
    """Let the token say how far back to look."""
    return trained_and_far(fit(tasks.jump, setting, width, seed))


@experiment("2 back; recent; recent, ALiBi")
def dilution(width, seed, setting):
    """A learned bias at the second half of 2,048 tokens: as it is, and with each remedy."""
    task, *slope = setting.split(", ")
    model = fit(TASKS[task], "ALiBi" if slope else "relative bias", width, seed)
    if slope:
        return trained_and_far(model) | {"2,048": accuracy(model, 2048, 1024, 1)}
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
        found[name] = accuracy(model, 2048, 1024, 1, weights=change)
    return found | {"2,048, window": accuracy(model, 2048, 1024, 1, Window(model.scheme, 32))}


# Chapter 14


def vectors_of(name, width, seed):
    """Return the frequency vectors of a choice of chapter 14."""
    return {
        "one long index": lambda: np.outer(frequencies(width, 10), [6, 1]),
        "axial": lambda: axial_frequencies((width // 2, width // 2), 10),
        "mixed": lambda: mixed_frequencies(width // 2, base=10, seed=seed),
    }[name]()


@experiment(
    "vertical, nothing; vertical, one long index; vertical, axial; vertical, mixed; "
    "vertical, learned; diagonal, nothing; diagonal, one long index; diagonal, axial; "
    "diagonal, mixed; diagonal, learned; diagonal, axial, 2 layers",
    0,
    wanted=10,
)
def stripes(width, seed, setting):
    """Fill the holes of striped pictures; then of wider and of finer ones."""
    along, name, *deeper = setting.split(", ")
    task = tasks.stripes((6, 6), (1, 0) if along == "vertical" else (1, 1))
    places, turns = grid_positions((6, 6)), name not in ("nothing", "learned")
    if turns:
        position = RotaryPoints(places, vectors_of(name, width, seed))
    else:
        position = Learned(36) if name == "learned" else Scheme()
    options = {"lengths": (36, 36), "causal": False, "n_layers": 1 + len(deeper)}
    model = fit(task, position, width, seed, **options)
    found = {"trained": accuracy(model, 36, size=256)}
    if not (turns and along == "vertical"):
        return found
    wider, finer = grid_positions((6, 9)), grid_positions((12, 12))
    in_lines = wider * [9 / 6, 1] if name == "one long index" else wider
    for case, shape, at, wide in [
        ("wider", (6, 9), in_lines, 1),
        ("finer, same step", (12, 12), finer, 2),
        ("finer, squeezed", (12, 12), (finer + 0.5) / 2 - 0.5, 2),
    ]:
        there = RotaryPoints(at, vectors_of(name, width, seed))
        larger = dataclasses.replace(model, task=tasks.stripes(shape, (1, 0), wide))
        found[case] = accuracy(larger, len(at), size=64, position=there)
    return found


class PlaceInContent(RotaryPoints):
    """The vectors carry places, too: a learned table is added before anything turns."""

    initial_table, length, scale = None, 36, 0.02
    start, table = Learned.start, Learned.table


@experiment("blocks; interleaved; blocks, place in content", 0)
def mrope(width, seed, setting):
    """Fill vertical stripes with M-RoPE, in blocks or interleaved."""
    at, n = joined_positions([10, (1, 6, 6)])[10:], width // 16
    shares = {16: (3, 3, 2), 32: (6, 5, 5), 64: (12, 10, 10)}[width]
    apart = setting == "interleaved"
    vectors = section_frequencies(
        width, shares if apart else (2 * n, 3 * n, 3 * n), base=1e6, interleaved=apart
    )
    points = PlaceInContent if setting.endswith("content") else RotaryPoints
    task, options = tasks.stripes((6, 6), (1, 0)), {"lengths": (36, 36), "causal": False}
    model = fit(task, points(at, vectors), width, seed, **options)
    return {"trained": accuracy(model, 36, size=256)}


# Chapters 7 and 8


STARTS = {
    "sine and cosine": "sine and cosine",
    "learned, small start": Learned(),
    "learned, equal start": Learned(scale=0.71),
}


@experiment("; ".join(STARTS), 0)
def speed(width, seed, setting):
    """Count the steps until nine answers in ten are right: tried every 25."""
    reached = []

    def watch(step, parameters):
        if step % 25 == 0 and not reached:
            model = dataclasses.replace(untrained, parameters=parameters)
            reached.extend([step] * (accuracy(model) > 0.9))

    untrained = fit(tasks.back(2), STARTS[setting], width, seed, steps=0)
    model = fit(tasks.back(2), STARTS[setting], width, seed, watch=watch)
    return {"trained": accuracy(model), "steps": reached[0] if reached else 1000}


@experiment("; ".join(TASKS), 0.85)
def unreached(width, seed, setting):
    """Fill the rows of a learned table that no text has reached, in four ways."""
    model = fit(TASKS[setting], Learned(128), width, seed)
    rows = model.parameters["position"][:32]
    fillings = {
        "64-127": model.parameters["position"],
        "stretched": resize_table(rows, (32,), (128,), align_corners=True),
        "last row again": rows[np.minimum(range(128), 31)],
        "wrapped": np.tile(rows, (4, 1)),
    }
    return {"trained": accuracy(model, size=128)} | {
        name: accuracy(model, 128, 64, weights={"position": filled})
        for name, filled in fillings.items()
    }


def missed(rows, offset):
    """Return the error of a matrix that predicts each row from the one `offset` before, unseen."""
    here, there = rows[:-offset], rows[offset:]
    errors = []
    for t in range(len(here)):
        others = np.arange(len(here)) != t
        T = np.linalg.lstsq(here[others], there[others], rcond=None)[0]
        errors.append(there[t] - here[t] @ T)
    return float(np.linalg.norm(errors) / np.linalg.norm(there))


@experiment("2 back; denoise; random", 0.85, wanted=10)
def table(width, seed, setting):
    """Look for what a task leaves in a learned table: neighbors alike, or a matrix for two back."""
    task = {"denoise": tasks.denoise}.get(setting) or TASKS.get(setting)
    rows = np.random.default_rng(seed).normal(size=(32, width))
    found = {"trained": 1.0}
    if setting != "random":
        model = fit(task, Learned(32), width, seed, lengths=(32, 32), causal=False)
        rows, found = model.parameters["position"], {"trained": accuracy(model, size=128)}
    alike = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    cosines = alike @ alike.T
    found["neighbors' cosine"] = float(np.diagonal(cosines, 1).mean())
    if setting == "denoise":  # are both ends more alike than an end and the middle?
        found["ends"] = float((cosines[:4, -4:] - cosines[:4, 14:18]).mean())
    return found | {f"error at {offset}": missed(rows, offset) for offset in (1, 2, 3)}


@experiment(
    "2 back, 16, fixed; 2 back, 16, fixed, words frozen; 2 back, 0.71, fixed; "
    "2 back, 0.18, fixed; 2 back, 0.03, fixed; 2 back, 0, fixed; 2 back, 0.03, rows trained; "
    "majority, 16, fixed; majority, 16, fixed, words frozen; "
    "majority, 0.71, fixed, words frozen",
    0,
)
def ratio(width, seed, setting):
    """Positions that start so many times as long as words; the sum is kept equally long."""
    task, size, trains, *frozen = setting.split(", ")
    task = {"majority": tasks.majority}.get(task) or TASKS[task]
    size = float(size)
    word = np.sqrt(1.5 / (1 + size**2))
    place = word * size / np.sqrt(0.5)
    position = Fixed(lambda positions, length, d_model: place * sinusoidal(positions, d_model))
    if trains == "rows trained":
        position = Learned(table=place * sinusoidal(range(32), width))
    parameters = train(task, position, seed, steps=0, d_model=width).parameters
    parameters["embedding"] = word * parameters["embedding"]
    options = {"parameters": parameters, "frozen": ["embedding"] if frozen else []}
    model = fit(task, position, width, seed, **options)
    return {"trained": accuracy(model, size=256)}


# Chapter 11


@experiment("2 back")
def terms(width, seed, setting):
    """Return how much each of the four terms of a score varies within its row."""
    model = fit(TASKS[setting], "sine and cosine", width, seed)
    p, place = model.parameters, sinusoidal(range(24), width)
    words = p["embedding"][model.task.batch(np.random.default_rng(0), 1, 24).tokens[0]]
    A, sizes = p["query 0"] @ p["key 0"].T / width**0.5, {}
    parts = {"word": words, "position": place}
    for (one, x), (other, y) in itertools.product(parts.items(), repeat=2):
        rows = [row[: t + 1] - row[: t + 1].mean() for t, row in enumerate(x @ A @ y.T)]
        sizes[f"{one}, {other}"] = float(np.concatenate(rows).std())
    *others, largest = sizes.values()
    return trained_and_far(model) | sizes | {"lead of the last": largest - max(others)}
