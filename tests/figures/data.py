"""Every figure, with data if it shows a training; and the figures that the book shows."""

import re

import numpy as np

import figures
from tests.book.notebooks import WIDGET_VIEW, outputs

from ..browser_fixtures import ROOT

SCHEMES = ["nothing", "sine and cosine", "learned", "ALiBi", "relative bias", "one's own"]
GUESSING = {"recent": 0.4, "2 back": 1 / 8}


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


def whole_table(**state):
    """The table in its last stage, with all of its controls."""
    return figures.EncodingTable(**{"stage": 3} | state)


ALL = {name: getattr(figures, name) for name in figures.FIGURES}
ALL |= {"Reach": reach, "EncodingTable": whole_table}


def shown_in_notebooks(name="*.ipynb"):
    """Return the repr of every figure of the notebooks, in the order of the pages."""
    found = outputs(WIDGET_VIEW, f"chapters/{name}", f"appendices/{name}")
    return ["".join(data["text/plain"]) for _, data in found]


def shown_on_the_first_page():
    """Return the repr of every figure of the home page."""
    names = re.findall(r"```\{moving-figure\} (\w+)", (ROOT / "intro.md").read_text("utf8"))
    return [repr(getattr(figures, name)()) for name in names]
