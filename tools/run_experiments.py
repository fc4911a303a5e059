"""Train the tiny models behind the book's claims again, at three widths, until five have learned.

    python -m tools.run_experiments [NAME ...]

Each experiment (`tools/experiments.py`) has settings; each setting is trained at 16, 32 and 64
columns, seed after seed, until five have learned the trained lengths or ten were tried. What was
measured goes to `lab/experiments/NAME.json` after each seed, so a run that was interrupted
continues where it stopped.
"""

import argparse
import json
from pathlib import Path

from tools.experiments import EXPERIMENTS

FOLDER = Path(__file__).parents[1] / "lab" / "experiments"
WIDTHS, WANTED, MOST = (16, 32, 64), 5, 10


def run(name, folder=FOLDER):
    """Run what is missing of one experiment, and store it."""
    experiment, file = EXPERIMENTS[name], folder / f"{name}.json"
    stored = json.loads(file.read_text("utf8")) if file.exists() else {}
    for width in WIDTHS:
        for setting in experiment.settings:
            seeds = stored.setdefault(setting, {}).setdefault(str(width), {})
            for seed in range(MOST):
                threshold = experiment.learned(setting)
                if sum(each["trained"] >= threshold for each in seeds.values()) >= WANTED:
                    break
                if str(seed) not in seeds:
                    found = experiment.run(width, seed, setting)
                    seeds[str(seed)] = {key: round(value, 3) for key, value in found.items()}
                    print(name, width, setting, seed, seeds[str(seed)], flush=True)
                    write(file, stored)


def write(file, stored):
    """Write a file as a whole or not at all: one line for each seed."""
    text = json.dumps(stored, indent=1)
    part = file.with_suffix(".part")
    part.write_text(text + "\n", "utf8")
    part.replace(file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(EXPERIMENTS), metavar="NAME")
    for each in parser.parse_args().names:
        run(each)
