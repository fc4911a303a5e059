"""Small tasks made of random tokens: some need the order, some do not."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from pecode import _check
from pecode._check import checked


class Batch(NamedTuple):
    """Sequences, the right answers, and which answers count."""

    tokens: np.ndarray  # (size, length) ints
    targets: np.ndarray  # (size, length) ints; (size, 1) if a whole sequence gets one answer
    counted: np.ndarray  # bool, shape of targets


@dataclass(frozen=True)
class Task:
    """What a model must answer. `pooled`: one answer for a sequence, from its mean vector."""

    name: str
    n_tokens: int
    n_classes: int
    draw: Callable  # (rng, size, length) -> tokens, targets, counted
    pooled: bool = False
    shortest: int = 1
    longest: int = 2**31

    def __post_init__(self):
        """Refuse what no task has."""
        if not isinstance(self.name, str):
            raise TypeError(f"name: expected a text, got {self.name!r:.60}")
        if not callable(self.draw):
            raise TypeError(f"draw: expected a function, got {type(self.draw).__name__}")
        _check.boolean("pooled", self.pooled)
        for field in ("n_tokens", "n_classes", "shortest"):
            _check.integer(field, getattr(self, field), minimum=1)
        _check.integer("longest", self.longest, minimum=self.shortest)

    def batch(self, rng, size, length):
        """Draw sequences of one length from a numpy Generator."""
        if not isinstance(rng, np.random.Generator):
            raise TypeError(f"rng: expected a numpy Generator, got {type(rng).__name__}")
        size = _check.integer("size", size, minimum=1)
        length = _check.positive_length("length", length)
        if not self.shortest <= length <= self.longest:
            allowed = f"{self.shortest}"
            if self.longest > self.shortest:
                allowed += f" to {self.longest}"
            raise ValueError(f"length: expected {allowed} for the task {self.name}, got {length}")
        drawn = self.draw(rng, size, length)
        if not isinstance(drawn, (tuple, list)) or len(drawn) != 3:
            raise TypeError(f"draw: expected tokens, targets, counted, got {drawn!r:.60}")
        batch = Batch(*map(np.array, drawn))  # no views
        if batch.tokens.shape != (size, length):
            shape = batch.tokens.shape
            raise ValueError(f"draw: expected tokens of shape {(size, length)}, got {shape}")
        return self._checked(batch)

    def _checked(self, batch):
        """Refuse mistakes in a task of your own that training would silently accept."""
        tokens, targets, counted = batch
        answers = (len(tokens), 1) if self.pooled else tokens.shape
        if targets.shape != answers or counted.shape != answers or counted.dtype != bool:
            raise ValueError(
                f"draw: expected targets, and bools for what counts, of shape {answers}, got "
                f"{targets.shape}, and {counted.dtype} {counted.shape}"
            )
        for name, values, n in [
            ("tokens", tokens, self.n_tokens),
            ("targets", targets[counted], self.n_classes),
        ]:
            if values.dtype.kind not in "iu" or (values < 0).any() or (values >= n).any():
                raise ValueError(f"draw: expected {name} from 0 to {n - 1}, got {values!r:.60}")
        return batch


def checked_task(name, task):
    """Check of an argument, beside those of `pecode._check`."""
    if not isinstance(task, Task):
        raise TypeError(f"{name}: expected a Task, got {type(task).__name__}")
    return task


def _all_count(targets):
    return np.ones(targets.shape, dtype=bool)


# Order does not matter.


def _majority(rng, size, length):
    tokens = rng.integers(0, 8, (size, length))
    low = (tokens < 4).sum(axis=1, keepdims=True)
    return tokens, (2 * low > length).astype(int), 2 * low != length  # a tie does not count


# Are more tokens below 4 than not?
majority = Task("majority", 8, 2, _majority, pooled=True)


# Order matters.


def _subject(rng, size, length):
    nouns = rng.permuted(np.tile(np.arange(6), (size, 1)), axis=1)[:, :2]
    verb = rng.integers(6, 10, size)
    tokens = np.stack([nouns[:, 0], verb, nouns[:, 1]], axis=1)
    return tokens, nouns[:, :1], _all_count(nouns[:, :1])


# Dog bites man: who bites?
subject = Task("subject", 10, 6, _subject, pooled=True, shortest=3, longest=3)


def _reverse(rng, size, length):
    tokens = rng.integers(0, 8, (size, length))
    return tokens, tokens[:, ::-1], _all_count(tokens)


# The token that is as far from the end as this one is from the start.
reverse = Task("reverse", 8, 8, _reverse)


def _first(rng, size, length):
    tokens = rng.integers(0, 8, (size, length))
    return tokens, np.repeat(tokens[:, :1], length, axis=1), _all_count(tokens)


# The token at position 0.
first = Task("first", 8, 8, _first)


def _recent(rng, size, length):
    marked = rng.random((size, length)) < 0.2
    marked[:, :1] = True  # a slice, since a start token may have no token behind it
    tokens = np.where(
        marked, rng.integers(0, 4, (size, length)), rng.integers(4, 8, (size, length))
    )
    latest = np.maximum.accumulate(np.where(marked, np.arange(length), 0), axis=1)
    return tokens, np.take_along_axis(tokens, latest, axis=1), _all_count(tokens)


# The latest token below 4.
recent = Task("recent", 8, 4, _recent)


@checked(offset=partial(_check.integer, minimum=1))
def back(offset):
    """Return the task whose answer is the token `offset` positions earlier."""

    def draw(rng, size, length):
        tokens = rng.integers(0, 8, (size, length))
        counted = np.broadcast_to(np.arange(length) >= offset, tokens.shape)
        return tokens, np.roll(tokens, offset, axis=1), counted

    return Task(f"{offset} back", 8, 8, draw)


def _jump(rng, size, length):
    tokens = rng.integers(0, 8, (size, length))
    origin = np.arange(length) - tokens % 4 - 1
    return tokens, np.take_along_axis(tokens, np.maximum(origin, 0), axis=1), origin >= 0


# Each token v asks for the token v % 4 + 1 positions earlier.
jump = Task("jump", 8, 8, _jump)


def _needle(rng, size, length):
    tokens, row = rng.integers(0, 8, (size, length)), np.arange(size)
    depth = (rng.permutation(size) + rng.random(size)) / size  # evenly spread, in no order
    mark = (depth * (length - 1)).astype(int)
    tokens[row, mark] = 8
    after = np.roll(tokens, -1, axis=1)[row, mark, None]  # (size, 1)
    counted = np.arange(length) > mark[:, None]
    return tokens, np.where(counted, after, 0), counted


# The token right after the mark, asked for from there on.
needle = Task("needle", 9, 8, _needle, shortest=2)


def _denoise(rng, size, length):
    true = rng.integers(0, 8, (size, length))
    stays = rng.random((size, length)) < 0.9
    run_starts = np.maximum.accumulate(np.where(stays, 0, np.arange(length)), axis=1)
    true = np.take_along_axis(true, run_starts, axis=1)
    noisy = rng.random((size, length)) < 0.3
    return np.where(noisy, rng.integers(0, 8, (size, length)), true), true, _all_count(true)


# The true token, in runs of equal tokens of which three in ten are overwritten.
denoise = Task("denoise", 8, 8, _denoise)


@checked(length=_check.positive_length)
def where(length):
    """Return the task whose answer is the position itself, for sequences up to a length."""

    def draw(rng, size, length):
        tokens = rng.integers(0, 8, (size, length))
        return tokens, np.broadcast_to(np.arange(length), tokens.shape), _all_count(tokens)

    return Task("where", 8, length, draw, longest=length)


@checked(along=partial(_check.counts, minimum=0), wide=partial(_check.integer, minimum=1))
def stripes(shape, along, wide=1):
    """Return the task of filling the holes in striped pictures.

    A picture has `shape` (rows, columns) patches, which are the tokens, row by row. Each stripe
    has one of 8 colors; about 3 of 10 patches are holes, token 8, and their colors are asked for.
    Stripes run `along` a step (rows, columns), such as (1, 0), down, or (1, 1), diagonally. With
    `wide`, the same pictures are cut finer: that many rows and columns make one of before.
    """
    _check.size("shape", len(shape), 2, "numbers, rows and columns")
    _check.size("along", len(along), 2, "numbers, a step of rows and columns")
    _check.require(any(along), "along", "a step", along)
    row, column = np.indices(shape).reshape(2, -1) // wide
    stripe = column * along[0] - row * along[1]  # the same all along a stripe
    stripe -= stripe.min()
    n = len(stripe)

    def draw(rng, size, length):
        colors = rng.integers(0, 8, (size, stripe.max() + 1))[:, stripe]  # (size, n)
        holes = rng.random((size, length)) < 0.3
        return np.where(holes, 8, colors), colors, holes

    return Task(f"stripes {along}", 9, 8, draw, shortest=n, longest=n)


@checked(task=checked_task)
def with_start(task):
    """Return the same task with a token of its own in front, at which no answer counts."""

    def draw(rng, size, length):
        tokens, targets, counted = task.draw(rng, size, length - 1)
        tokens = np.pad(tokens, [(0, 0), (1, 0)], constant_values=task.n_tokens)
        if task.pooled:
            return tokens, targets, counted
        return tokens, np.pad(targets, [(0, 0), (1, 0)]), np.pad(counted, [(0, 0), (1, 0)])

    return dataclasses.replace(
        task,
        name=f"{task.name}, with start",
        n_tokens=task.n_tokens + 1,
        draw=draw,
        shortest=1 if task.shortest == 1 else task.shortest + 1,  # the start alone is fine
        longest=task.longest + 1,
    )
