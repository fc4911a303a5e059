"""The claims on trained models: verdicts follow from what is stored, and a case comes out again."""

import json

import numpy as np
import pytest

from lab import experiments
from lab.shakespeare import measured_losses, task_accuracies
from tests import data
from tools import run_experiments as runner
from tools.experiments import EXPERIMENTS, Experiment

CASES = data("tools/experiments.yml")
PAGE = (runner.LAB / "README.md").read_text("utf8")


def seeds(*values):
    each = {str(seed): {"trained": 1, "far": value} for seed, value in enumerate(values)}
    return {"learned": 0.95, "16": each}


@pytest.fixture
def few(monkeypatch):
    of = {name: seeds(*values) for name, values in CASES["few"].items()}
    of["hard"]["learned"] = 1.1
    monkeypatch.setattr(runner, "stored", lambda name: of)


def test_every_verdict_in_the_table_follows_from_the_stored_numbers():
    assert runner.with_verdicts(PAGE) == PAGE


@pytest.mark.parametrize(("comparison", "says"), CASES["verdicts"])
def test_a_verdict_takes_all_seeds_and_only_those_that_have_learned(few, comparison, says):
    assert runner.verdict(comparison, 16) == says


def test_a_table_counts_the_seeds_that_have_not_learned(few, monkeypatch):
    monkeypatch.setattr(experiments, "stored", runner.stored)
    monkeypatch.setattr(experiments, "WIDTHS", (16,))
    of = runner.stored("some")
    of["high"]["16"]["5"] = {"trained": 0.5, "far": 0.1}
    found = experiments.table("some", "far", {"high up": ("high", "far")})
    assert found.splitlines() == CASES["table"]


def test_a_stored_case_comes_out_again():
    found = EXPERIMENTS["repair"].run(16, 0, "base 10000")
    held = experiments.stored("repair")["base 10000"]["16"]["0"]
    # Some hundred steps of training carry what processors round into the second decimal.
    assert found == pytest.approx(held, abs=0.05)


def test_every_experiment_is_stored_at_every_width():
    for name, experiment in EXPERIMENTS.items():
        of = experiments.stored(name)
        assert sorted(of) == sorted(experiment.settings), name
        for setting, stored in of.items():
            for width in experiments.WIDTHS:
                tried = stored[str(width)].values()
                learned = [each for each in tried if each["trained"] >= stored["learned"]]
                enough = len(learned) >= experiment.wanted(setting)
                assert enough or len(tried) == experiment.most, (name, width)


def test_what_the_language_models_measured_is_what_the_trainer_stored():
    of, found = experiments.stored("language"), []
    for change in ("as trained", "keys more than 127 back hidden"):
        for name, loss in measured_losses(change).items():
            kind, _, seed = name.rpartition("-")
            measures = of[f"{kind}, {change}"]["96"][seed]
            found.append(measures["1-128"] - loss[:128].mean())
            found.append(measures["257-512"] - loss[256:512].mean())
    for task in ("recent", "2 back", "first"):
        for kind, seeds in task_accuracies(task).items():
            for seed, ((near, far), (_, hidden)) in enumerate(seeds):
                measures = of[f"{kind}, {task}"]["96"][str(seed)]
                held = [measures[name] for name in ("trained", "64-127", "window, 64-127")]
                found += np.subtract(held, [near, far, hidden]).tolist()
    assert np.abs(found).max() < 0.001


def test_an_interrupted_run_goes_on_with_the_next_seed(tmp_path, monkeypatch):
    asked = []

    def run(width, seed, setting):
        if len(asked) == 3:
            asked.append("stop")
            raise KeyboardInterrupt
        asked.append(seed)
        return {"trained": 0.0 if seed == 1 else 1.0}

    monkeypatch.setitem(EXPERIMENTS, "some", Experiment(run, ("a",)))
    with pytest.raises(KeyboardInterrupt):
        runner.run("some", 16, tmp_path)
    runner.run("some", 16, tmp_path)
    assert asked == [0, 1, 2, "stop", 3, 4, 5]  # until five have learned: seed 1 has not
    assert len(json.loads((tmp_path / "some.json").read_text())["a"]["16"]) == 6
