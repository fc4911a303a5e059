"""Data for the figures that show a training, and every figure with some."""

import numpy as np

import figures
import pecode

SCHEMES = ["nothing", "sine and cosine", "learned", "ALiBi", "relative bias", "one's own"]
GUESSING = {"recent": 0.4, "2 back": 1 / 8}


def recordings():
    """Random rows that turn into sinusoids, and others that stay random."""
    rng = np.random.default_rng(0)
    start, line = 0.02 * rng.normal(size=(32, 8)), pecode.sinusoidal(range(32), 8)
    shares = np.array([0, 0.01, 0.05, 1])[:, None, None]
    random = rng.normal(size=(4, 32, 8))
    random[0, 5] = 0.0001  # nothing is left of it: a row of zeros
    return [
        {
            "task": "near",
            "about": "find what is near",
            "steps": [0, 10, 40, 100],
            "tables": (1 - shares) * start + shares * line,
            "accuracy": [0.131, 0.3, 0.5, 0.98765],
        },
        {
            "task": "far",
            "steps": [0, 25, 50, 600],
            "tables": random,
            "accuracy": [0, 0.25, 0.75, 1],
        },
    ]


def results():
    """Accuracies of 3 seeds at 128 positions; on "2 back" the first eight answers do not count."""
    rng = np.random.default_rng(1)
    found = {
        task: {name: rng.integers(0, 33, (3, 128)) / 32 for name in SCHEMES} for task in GUESSING
    }
    for runs in found["2 back"].values():
        runs[:, :9] = np.nan
    return found


def reach(**state):
    return figures.Reach(results(), guessing=GUESSING, **state)


ALL = {name: getattr(figures, name) for name in figures.FIGURES} | {
    "Playback": lambda: figures.Playback(recordings()),
    "Reach": reach,
}
