"""Train the tiny models behind the book's claims again, at three widths, until five have learned.

    python -m tools.run_experiments [NAME ...]

Each experiment (`tools/experiments.py`) has settings; each setting is trained at 16, 32 and 64
columns, seed after seed, until five have learned the trained lengths or ten were tried. What was
measured goes to `lab/experiments/NAME.json` after each seed, so a run that was interrupted
continues where it stopped.
"""

import argparse
import json
import re
from pathlib import Path

from tools.experiments import EXPERIMENTS

FOLDER = Path(__file__).parents[1] / "lab" / "experiments"
WIDTHS, WANTED, MOST = (16, 32, 64), 5, 8


def run(name, width, folder=FOLDER):
    """Run what is missing of one experiment at one width, and store it."""
    experiment, file = EXPERIMENTS[name], folder / f"{name}.json"
    stored = json.loads(file.read_text("utf8")) if file.exists() else {}
    for setting in experiment.settings:
        seeds = stored.setdefault(setting, {}).setdefault(str(width), {})
        threshold = experiment.learned(setting)
        for seed in range(MOST):
            if sum(each["trained"] >= threshold for each in seeds.values()) >= WANTED:
                break
            if str(seed) not in seeds:
                found = experiment.run(width, seed, setting)
                seeds[str(seed)] = {key: round(value, 3) for key, value in found.items()}
                print(name, width, setting, seed, seeds[str(seed)], flush=True)
                write(file, stored)


def write(file, stored):
    """Write a file as a whole or not at all, with one line for each seed."""
    text = re.sub(
        r"\{[^{}]*\}", lambda found: " ".join(found[0].split()), json.dumps(stored, indent=1)
    )
    part = file.with_suffix(".part")
    part.write_text(text + "\n", "utf8")
    part.replace(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(EXPERIMENTS), metavar="NAME")
    names = parser.parse_args().names
    for width in WIDTHS:
        for each in names:
            run(each, width)
