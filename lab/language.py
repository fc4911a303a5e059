"""Small language models that read and write Shakespeare, one for each scheme of positions.

Three layers of width 96 with four heads, norms and feed-forward parts, as language models have
them. They read characters, and were trained on texts of 128 (`tools/train_language.py`). Positions
come from the schemes of `lab.schemes`, so any of them, or any mistake, can be put into a model that
was trained with another.
"""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from lab.schemes import ALiBi, Layered, Learned, Rotary, Scheme, Window, scheme
from lab.shakespeare import ALPHABET, FOLDER, numbers
from pecode import _check, alibi_slopes, causal_mask, frequencies, scaling, softmax
from pecode._types import ArrayLike, Floats, Integers

LENGTH, LAYERS, HEADS, D_HEAD = 128, 3, 4, 24  # trained on texts of LENGTH characters
FACTOR = 4  # texts that are so many times as long are asked of a rotary model, too


class PerHead(Scheme):
    """A scheme of its own for the bias of each head."""

    def __init__(self, *schemes):
        self.schemes = schemes

    def bias(self, parameters, length):  # noqa: D102
        return np.stack([each.bias(parameters, length) for each in self.schemes])


class ScaledRotary(Rotary):
    """Rotary with given frequencies, and a temperature that multiplies queries and keys (YaRN)."""

    def __init__(self, frequencies, temperature=1.0):
        super().__init__(frequencies=frequencies)
        self.temperature = _check.real("temperature", temperature, above=0)

    def rotation(self, length, d_model):  # noqa: D102
        return tuple(self.temperature * part for part in super().rotation(length, d_model))


TEMPERATURE = scaling.yarn_temperature(FACTOR)
ROPE_SCALINGS = {
    "plain": ScaledRotary(frequencies(D_HEAD)),
    "interpolation": ScaledRotary(scaling.interpolated(D_HEAD, FACTOR)),
    "ntk-aware": ScaledRotary(scaling.ntk_aware(D_HEAD, FACTOR)),
    "yarn": ScaledRotary(scaling.yarn(D_HEAD, FACTOR, LENGTH), TEMPERATURE),
    "llama3": ScaledRotary(scaling.llama3(D_HEAD, FACTOR, LENGTH, base=1e4)),
}
CONTINUED = {  # trained on at FACTOR times the length
    f"rotary-{name}": each for name, each in ROPE_SCALINGS.items() if name != "llama3"
}
SCHEMES = {
    "none": Scheme(),
    "learned": Learned(),
    "sinusoidal": scheme("sine and cosine"),
    "alibi": PerHead(*map(ALiBi, alibi_slopes(HEADS))),
    "rotary": Rotary(),
    "near-far": Layered(Window(Rotary(), 32), Window(Rotary(), 32), Scheme()),
} | CONTINUED


@dataclasses.dataclass(frozen=True)
class LanguageModel:
    """Weights, and how they are told positions: `scheme`, and two functions if others are to turn.

    `turn_query` and `turn_key` take vectors (..., length, d_head) and their positions (length,), in
    the layers where the scheme rotates.
    """

    weights: dict[str, Floats] = dataclasses.field(repr=False)
    scheme: Scheme
    turn_query: Callable[[Any, Any], Any] | None = None
    turn_key: Callable[[Any, Any], Any] | None = None

    def replace(self, **changes: Any) -> LanguageModel:
        """Return the same weights with another scheme, turn_query or turn_key."""
        return dataclasses.replace(self, **changes)


class _LayerCache:
    """What a layer has to know of positions, and the keys and values that it has seen."""

    def __init__(self, model, scheme, capacity):
        bias = scheme.bias(model.weights, capacity)
        self.bias = np.where(causal_mask(capacity), bias, -np.inf).astype(np.float32)
        self.keys_and_values = self.attention = None
        self.turn_query = self.turn_key = lambda x, t: x
        if (rotation := scheme.rotation(capacity, D_HEAD)) is not None:
            cos, sin = np.asarray(rotation, np.float32)  # each (capacity, d_head)
            right = functools.partial(_rotate, cos=cos, sin=sin)
            self.turn_query, self.turn_key = model.turn_query or right, model.turn_key or right

    def append(self, *new):
        if self.keys_and_values:
            pairs = zip(self.keys_and_values, new, strict=True)
            new = (np.concatenate(pair, axis=-2) for pair in pairs)
        self.keys_and_values = tuple(new)
        return self.keys_and_values


class Cache:
    """What a model keeps of a text while it reads on, up to a number of characters."""

    def __init__(self, model: LanguageModel, capacity: int) -> None:
        width = HEADS * D_HEAD
        table = model.scheme.table(model.weights, capacity, width)
        self.table = np.broadcast_to(np.asarray(table, np.float32), (capacity, width))
        self.layers = [
            _LayerCache(model, model.scheme.for_layer(i), capacity) for i in range(LAYERS)
        ]
        self.used = 0


def read(model: LanguageModel, tokens: Integers, cache: Cache) -> Floats:
    """Return a number for each character that may come next, (..., length, characters).

    The tokens, (..., length), follow those that the cache has seen. The attention
    weights of a layer are then in `cache.layers[i].attention`, (..., heads, length, used).
    """
    w, t = model.weights, cache.used + np.arange(tokens.shape[-1])
    cache.used += len(t)
    x = w["embedding"][tokens] + cache.table[t]  # (..., length, width)
    for i, layer in enumerate(cache.layers):
        mixed = rms_norm(x, w[f"{i} norm attention"]) @ w[f"{i} query key value"]
        query, key, value = (_heads(part) for part in np.split(mixed, 3, axis=-1))
        keys, values = layer.append(layer.turn_key(key, t), value)  # (..., heads, used, d_head)
        scores = layer.turn_query(query, t) @ keys.swapaxes(-1, -2) / D_HEAD**0.5
        layer.attention = softmax(scores + layer.bias[..., t, : cache.used])
        x = x + (layer.attention @ values).swapaxes(-2, -3).reshape(x.shape) @ w[f"{i} output"]
        inner = rms_norm(x, w[f"{i} norm forward"]) @ w[f"{i} up"]
        x = x + gelu(inner) @ w[f"{i} down"]
    return rms_norm(x, w["norm"]) @ w["readout"]


def rms_norm(x, gain):
    """Divide each vector by the root of the mean of its squares."""
    return gain * x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)


def gelu(x):
    """Return x times about the share of a normal distribution below x, by way of tanh."""
    return 0.5 * x * (1 + np.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x * x * x)))


def _heads(x):
    return x.reshape(*x.shape[:-1], HEADS, D_HEAD).swapaxes(-2, -3)


def _rotate(x, t, cos, sin):
    quarter = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    return x * cos[t] + quarter * sin[t]


def logits(model: LanguageModel, text: str | ArrayLike) -> Floats:
    """Return a number for each character that may follow each one: (..., length, characters)."""
    tokens = numbers(text)
    return read(model, tokens, Cache(model, tokens.shape[-1]))


def losses(model: LanguageModel, text: str | ArrayLike) -> Floats:
    """Return -ln of the probability of each character but the first: (..., length - 1)."""
    tokens = numbers(text)
    probabilities = softmax(logits(model, tokens[..., :-1]).astype(np.float64))
    return -np.log(np.take_along_axis(probabilities, tokens[..., 1:, None], axis=-1)[..., 0])


def generate(model: LanguageModel, prompt: str, n: int, temperature=0.0, seed=0) -> Iterator[str]:
    """Yield n characters that continue the prompt, each as soon as it is there.

    Temperature 0 takes the likeliest; above it they are drawn. `"".join` makes them one text.
    """
    rng, new = np.random.default_rng(seed), numbers(prompt)
    _check.require(len(new), "prompt", "at least one character", "none")
    cache = Cache(model, len(new) + n)
    for _ in range(n):
        answers = read(model, new, cache)[-1].astype(np.float64)
        new = answers.argmax(keepdims=True)
        if temperature > 0:
            new = rng.choice(len(answers), size=1, p=softmax(answers / temperature))
        yield ALPHABET[new[0]]


@functools.cache
def _weights(path):
    with path.open("rb") as opened, np.load(opened, allow_pickle=False) as held:
        found = {name: held[name].astype(np.float32) for name in held.files}
    weights = [name for name in found if not name.endswith(" factor")]
    return {name: found[name] * found.get(f"{name} factor", 1) for name in weights}


def load(name: str, folder: Any = None) -> LanguageModel:
    """Return a trained model: a name of `SCHEMES` and a seed, as "rotary-0".

    The weights are kept in eight bits, as whole numbers of -127 to 127 with a factor a column.
    """
    folder = FOLDER if folder is None else folder
    path, (kind, _, _) = folder / f"{name}.npz", name.rpartition("-")
    if kind not in SCHEMES or not path.is_file():
        there = sorted(each.name[:-4] for each in folder.iterdir() if each.name[-6:-5] == "-")
        raise ValueError(f"name: expected one of {', '.join(there)}, got {_check.shown(name)}")
    return LanguageModel(_weights(path), SCHEMES[kind])
