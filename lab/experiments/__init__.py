"""What tiny models of three widths measured, seed after seed: the evidence for the book's claims.

`python -m tools.run_experiments` trains them and writes a file for each experiment; `lab/README.md`
has the claims that rest on them, each with its verdict.
"""

import functools
import importlib.resources
import json

import numpy as np

from pecode import _check

FOLDER, WIDTHS = importlib.resources.files(__name__), (16, 32, 64)


@functools.cache
def stored(experiment):
    """Return an experiment: {setting: {"learned": threshold, width: {seed: {measure: value}}}}."""
    known = sorted(each.name[:-5] for each in FOLDER.iterdir() if each.name.endswith(".json"))
    _check.choice("experiment", experiment, known)
    return json.loads((FOLDER / f"{experiment}.json").read_text("utf8"))


def measured(of, setting, measure, width):
    """Return a measure of the seeds that learned the trained lengths, and how many were trained."""
    seeds = of[setting][str(width)].values()
    learned = [each[measure] for each in seeds if each["trained"] >= of[setting]["learned"]]
    return np.array(learned), len(seeds)


def table(experiment, head, rows):
    """Return the medians and ranges of {name: (setting, measure)} at each width, in Markdown."""
    lines = [
        f"| {head} | {' | '.join(f'{width} columns' for width in WIDTHS)} |",
        "|---|---|---|---|",
    ]
    for name, case in rows.items():
        found = [measured(stored(experiment), *case, width)[0] for width in WIDTHS]
        cells = [f"{np.median(v):.2f} ({v.min():.2f}–{v.max():.2f})" for v in found]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
