"""Train the tiny models behind the book's claims at three widths, until five seeds have learned.

    python -m tools.run_experiments [NAME ...]

Each experiment (`tools/experiments.py`) has settings; each setting is trained at 16, 32 and 64
columns, seed after seed, until five have learned the trained lengths or twelve were tried, or as
many as the experiment says. What was measured goes to `lab/experiments/NAME.json` after each seed,
so a run that was interrupted continues where it stopped. At the end the claims in `lab/README.md`
get their verdicts; with no more to train, that is all it does.
"""

import argparse
import json
import re
from pathlib import Path

import numpy as np

from lab.experiments import WIDTHS, measured, stored
from tools.experiments import EXPERIMENTS

LAB = Path(__file__).parents[1] / "lab"
ENOUGH = 5  # learned seeds for a verdict
LANGUAGE_WIDTHS = "24", "48", "96", "192"  # of the models of `tools.train_language`


def run(name, width, folder=LAB / "experiments"):
    """Run what is missing of one experiment at one width, and store it."""
    experiment, file = EXPERIMENTS[name], folder / f"{name}.json"
    found = json.loads(file.read_text("utf8")) if file.exists() else {}
    for setting in experiment.settings:
        of_setting = found.setdefault(setting, {})
        threshold = of_setting["learned"] = experiment.learned(setting)
        seeds = [of_setting.setdefault(str(each), {}) for each in WIDTHS][WIDTHS.index(width)]
        for seed in map(str, range(experiment.most)):
            learned = sum(each["trained"] >= threshold for each in seeds.values())
            if learned >= experiment.wanted(setting):
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


def verdict(comparison, width):
    """Return whether a comparison holds at a width, with its ranges and counts, in one text.

    A comparison is written "needle: window, nothing / 256-511 > all, nothing / 256-511": setting
    and measure on the left, and others, or a number, on the right. It holds if all seeds on the
    left are above all on the right, is reversed if all are below, and is open if the ranges
    overlap, or if fewer than five seeds have learned.
    """
    experiment, left, sign, right = re.fullmatch(r"(\w+): (.*) ([<>]) (.*)", comparison).groups()
    sides, data = [], stored(experiment)
    for side in (left, right):
        setting, _, measure = side.partition(" / ")
        if measure:
            sides.append(measured(data, setting, measure, width))
        else:
            sides.append((np.array([float(side)]), None))
    (one, _), (other, _) = sides
    counts = ", ".join(f"{values.size} of {n}" for values, n in sides if n is not None)
    if any(values.size < ENOUGH for values, n in sides if n is not None):
        return f"open: too few learned ({counts})"
    above, below = one.min() > other.max(), one.max() < other.min()
    says = ("holds" if above == (sign == ">") else "reversed") if above or below else "open"
    ranges = f" {sign} ".join(
        "–".join(dict.fromkeys(f"{value:.2f}" for value in (values.min(), values.max())))
        for values, _ in sides
    )
    return f"{says}: {ranges} ({counts})"


def with_verdicts(page):
    """Return a page whose tables of claims have the verdicts that follow from what is stored."""
    lines = []
    for line in page.splitlines():
        cells = line.split(" | ")
        if len(cells) == 4 and (found := re.fullmatch(r"`(.*)`", cells[2])):
            widths = WIDTHS
            if found[1].startswith("language"):  # some have one width, others two or three
                setting = re.search(r": (.*) / .* [<>] ", found[1])[1]
                widths = [each for each in LANGUAGE_WIDTHS if each in stored("language")[setting]]
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
