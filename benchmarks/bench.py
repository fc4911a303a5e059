"""Speed and exactness beside plain numpy, each with its goal; exit 1 where one is missed.

Run it as `make bench`. Times differ from machine to machine, so what counts are ratios within one
run: to three lines of numpy in the same dtype, or to a fresh copy of as many bytes. All take turns,
and the best of many counts, since a busy machine only ever adds. A goal is missed when the ratio is
more than a third above it. How much memory it takes is no matter of the machine: a test counts it.
"""

import itertools
import sys
import time
from functools import partial

import numpy as np

from pecode import frequencies, rotate, sinusoidal, sinusoidal_table, softmax

FLOAT32 = np.float32
MISSED = 4 / 3  # of the goal: shared machines are noisy
TURNS = 4


def plain_table(length, d_model):
    """Position times frequency in float32, as most code has it."""
    omega = FLOAT32(10000) ** (-np.arange(0, d_model, 2, dtype=FLOAT32) / d_model)
    angles = np.arange(length, dtype=FLOAT32)[:, None] * omega
    table = np.empty((length, d_model), FLOAT32)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def plain_rotation(x, positions, layout):
    """Four products, with cosines and sines made anew, as in a model's first layer."""
    n = x.shape[-1] // 2
    angles = np.multiply.outer(positions, frequencies(2 * n))
    cos, sin = np.cos(angles).astype(FLOAT32), np.sin(angles).astype(FLOAT32)
    halves, neighbors = (slice(n), slice(n, None)), (slice(0, None, 2), slice(1, None, 2))
    columns = halves if layout == "half" else neighbors
    a, b = (x[..., each] for each in columns)
    turned = np.empty_like(x)
    for each, value in zip(columns, (a * cos - b * sin, a * sin + b * cos), strict=True):
        turned[..., each] = value
    return turned


def plain_softmax(scores):
    """The formula."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


def best_seconds(rounds, *functions):
    """Best time of each function; they take turns of several calls, as a program calls them."""
    best = [float("inf")] * len(functions)
    for _ in range(TURNS):
        for k, function in enumerate(functions):
            for _ in range(-(-rounds // TURNS)):
                start = time.perf_counter()
                function()
                best[k] = min(best[k], time.perf_counter() - start)
    return best


class Report:
    """Rows of what was measured, and whether one missed its goal."""

    def __init__(self):
        self.missed = False
        print(f"{'':58}{'ours':>10}{'plain numpy':>13}{'ratio':>8}{'goal':>8}")

    def row(self, name, ours, other, ratio, goal):
        """Print one row; the ratio is the number that is held against the goal."""
        missed = ratio > MISSED * goal
        self.missed |= missed
        print(f"{name:58}{ours:>10}{other:>13}{ratio:8.2f}{goal:8.2f}{'  missed' * missed}")

    def times(self, name, goal, rounds, ours, plain, copied=None):
        """The ratio is to plain numpy, or to a copy of an array, where one is given."""
        copy = [] if copied is None else [copied.copy]
        seconds = best_seconds(rounds, ours, plain, *copy)
        ours, plain = (f"{1e3 * each:.3f} ms" for each in seconds[:2])
        self.row(name, ours, plain, seconds[0] / seconds[-1], goal)


def main():
    """Print all rows; the exit status."""
    report, rng = Report(), np.random.default_rng(0)
    print(f"numpy {np.__version__}, float32, one thread")

    ours, plain = partial(sinusoidal_table, dtype=FLOAT32), plain_table
    for length, d_model, goal in [(16, 64, 1.2), (128, 512, 0.5), (512, 512, 0.3)]:
        name, ways = f"table {length} × {d_model} ÷ plain numpy", []
        for way in (ours, plain):  # another length at each call, so that no table is remembered
            lengths = itertools.cycle(range(length + 9, length - 1, -1))
            ways.append(lambda way=way, of=lengths, d_model=d_model: way(next(of), d_model))
        report.times(name, goal, 200, *ways)
    shape = 131_072, 512
    ways = [partial(way, *shape) for way in (ours, plain)]
    report.times("table 131072 × 512 ÷ copy", 1.2, 5, *ways, np.ones(shape, FLOAT32))

    layouts = [("interleaved", 1.5), ("half", 2.2)]
    for shape, (layout, goal) in itertools.product([(1, 32, 2048, 128), (8, 32, 512, 64)], layouts):
        x, t = rng.standard_normal(shape, dtype=FLOAT32), np.arange(shape[2])
        ways = [partial(way, x, t, layout=layout) for way in (rotate, plain_rotation)]
        report.times(f"rotate {shape}, {layout} ÷ copy", goal, 30, *ways, x)
    x, t = rng.standard_normal((1, 32, 1, 128), dtype=FLOAT32), [77]
    for layout, _ in layouts:
        ways = [partial(way, x, t, layout=layout) for way in (rotate, plain_rotation)]
        report.times(f"one token, {layout} ÷ plain numpy", 1.2, 2000, *ways)
    scores = rng.standard_normal((16, 32, 32))
    ways = [partial(way, scores) for way in (softmax, plain_softmax)]
    report.times("softmax (16, 32, 32), float64 ÷ plain numpy", 1.2, 2000, *ways)

    length = 1_000_000
    exact = sinusoidal(np.arange(length), 8)  # float64, within 1e-15
    error, of_plain = (float(np.abs(way(length, 8) - exact).max()) for way in (ours, plain))
    name = f"largest error, {length:,} positions ÷ 3e-8"
    report.row(name, f"{error:.1e}", f"{of_plain:.1e}", error / 3e-8, 1.0)
    return int(report.missed)


if __name__ == "__main__":
    sys.exit(main())
