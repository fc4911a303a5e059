"""Train the tiny models behind the book's claims at three widths, until five seeds have learned.

    python -m tools.run_experiments [NAME ...]

Each experiment (`tools/experiments.py`) has settings; each setting is trained at 16, 32 and 64
columns, seed after seed, until five have learned the trained lengths or twelve were tried. What was
measured goes to `lab/experiments/NAME.json` after each seed, so a run that was interrupted
continues where it stopped. At the end the claims in `lab/README.md` get their verdicts; with no
more to train, that is all it does.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np

from lab.experiments import WIDTHS, measured, stored
from lab.shakespeare import measured_losses, task_accuracies
from tools.experiments import EXPERIMENTS

LAB = Path(__file__).parents[1] / "lab"
WANTED, MOST = 5, 12


def run(name, width, folder=LAB / "experiments"):
    """Run what is missing of one experiment at one width, and store it."""
    experiment, file = EXPERIMENTS[name], folder / f"{name}.json"
    found = json.loads(file.read_text("utf8")) if file.exists() else {}
    for setting in experiment.settings:
        of_setting = found.setdefault(setting, {})
        threshold = of_setting["learned"] = experiment.learned(setting)
        seeds = [of_setting.setdefault(str(each), {}) for each in WIDTHS][WIDTHS.index(width)]
        for seed in map(str, range(MOST)):
            if sum(each["trained"] >= threshold for each in seeds.values()) >= WANTED:
                break
            if seed not in seeds:
                measures = experiment.run(width, int(seed), setting)
                seeds[seed] = {key: round(value, 3) for key, value in measures.items()}
                print(name, width, setting, seed, seeds[seed], flush=True)
                write(file, found)
    write(file, found)


def write(file, stored):
    """Write a file as a whole or not at all, with one line for each seed."""
    text = re.sub(
        r"\{[^{}]*\}", lambda found: " ".join(found[0].split()), json.dumps(stored, indent=1)
    )
    part = file.with_suffix(".part")
    part.write_text(text + "\n", "utf8")
    part.replace(file)


# The table of claims


def language_models():
    """Return what the language models measured in the same form: one width, 96 columns."""
    places = {"1-128": slice(0, 128), "129-256": slice(128, 256), "257-512": slice(256, 512)}
    found = {}
    for change in ("as trained", "keys more than 127 back hidden"):
        for model, loss in measured_losses(change).items():
            setting = found.setdefault(f"{model[:-2]}, {change}", {"learned": 0, "96": {}})
            means = {name: float(loss[part].mean()) for name, part in places.items()}
            setting["96"][model[-1]] = {"trained": 1, **means}
    for task in ("recent", "2 back", "first"):
        for kind, seeds in task_accuracies(task).items():
            each = {
                i: {"trained": near, "64-127": far, "window, 64-127": hidden}
                for i, ((near, far), (_, hidden)) in enumerate(seeds)
            }
            found[f"{kind}, {task}"] = {"learned": 0.95, "96": each}
    return found


def verdict(comparison, width):
    """Return whether a comparison holds at a width, with its ranges and counts, in one text.

    A comparison is written "needle: window, nothing / 256-511 > all, nothing / 256-511": setting
    and measure on the left, and others, or a number, on the right. It holds if all seeds on the
    left are above all on the right, is reversed if all are below, and is open if the ranges
    overlap, or if fewer than five seeds have learned (three of a language model).
    """
    experiment, left, sign, right = re.fullmatch(r"(\w+): (.*) ([<>]) (.*)", comparison).groups()
    language, sides = experiment == "language", []
    data = language_models() if language else stored(experiment)
    for side in (left, right):
        setting, _, measure = side.partition(" / ")
        if measure:
            sides.append(measured(data, setting, measure, width))
        else:
            sides.append((np.array([float(side)]), None))
    (one, _), (other, _) = sides
    counts = ", ".join(f"{values.size} of {n}" for values, n in sides if n is not None)
    if any(values.size < (3 if language else WANTED) for values, n in sides if n is not None):
        return f"open: too few learned ({counts})"
    above, below = one.min() > other.max(), one.max() < other.min()
    says = ("holds" if above == (sign == ">") else "reversed") if above or below else "open"
    ranges = f" {sign} ".join(
        "–".join(sorted({f"{values.min():.2f}", f"{values.max():.2f}"})) for values, _ in sides
    )
    return f"{says}: {ranges} ({counts})"


def with_verdicts(page):
    """Return a page whose tables of claims have the verdicts that follow from what is stored."""
    lines = []
    for line in page.splitlines():
        cells = line.split(" | ")
        if len(cells) == 4 and (found := re.fullmatch(r"`(.*)`", cells[2])):
            widths = (96,) if found[1].startswith("language") else WIDTHS
            each = (f"{width}: {verdict(found[1], width)}" for width in widths)
            line = " | ".join([*cells[:3], "<br>".join(each)]) + " |"
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(EXPERIMENTS), metavar="NAME")
    names = parser.parse_args().names
    for width in WIDTHS:
        for each in names:
            run(each, width)
    page = LAB / "README.md"
    page.write_text(with_verdicts(page.read_text("utf8")), "utf8")
