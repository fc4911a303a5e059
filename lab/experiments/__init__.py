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
    """Return the medians and ranges of {name: (setting, measure)} at each width, in Markdown.

    They are over the seeds that learned the trained lengths; how many, if some have not.
    """
    widths = " | ".join(f"{width} columns" for width in WIDTHS)
    lines = [f"| {head} | {widths} |", "|---" * (1 + len(WIDTHS)) + "|"]
    for name, case in rows.items():
        cells = []
        for width in WIDTHS:
            found, n = measured(stored(experiment), *case, width)
            some = f"; {found.size} of {n}" if found.size < n else ""
            spread = f"{found.min():.2f}–{found.max():.2f}"
            cells.append(f"{np.median(found):.2f} ({spread}{some})")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
