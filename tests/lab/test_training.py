"""Training: what depends on the seed, every step of Adam, and what models learn."""

import subprocess
import sys

import numpy as np
import pytest
from autograd import grad

from lab.schemes import SCHEMES
from lab.tasks import back, jump, majority, where
from lab.training import extrapolation, train
from lab.transformer import loss
from tests import data

from .models import recorded, run, same, watched

# Seeds


@pytest.mark.parametrize("name", SCHEMES)
def test_the_same_seed_gives_the_same_parameters_to_the_last_bit(name):
    one, other, again = (run(name, seed=seed).parameters for seed in (3, 4, 3))
    assert same(one, again)
    assert not same(one, other)


def test_neither_watching_nor_writing_to_what_is_watched_changes_anything():
    seen, model = watched("learned")
    spoiled = run("learned", watch=lambda step, parameters: parameters["embedding"].fill(0))
    assert len(seen) == 7
    assert same(seen[-1], model.parameters)
    assert same(run("learned").parameters, model.parameters)
    assert same(spoiled.parameters, model.parameters)


OTHER_PROCESS = """
from lab.tasks import back
from lab.training import train
for name in ("learned", "rotary"):
    print(*train(back(2), name, steps=60).accuracy(16)[2:])
"""


def test_another_process_with_other_threads_finds_the_same_accuracies(monkeypatch):
    for library in ("OPENBLAS", "OMP"):
        monkeypatch.setenv(f"{library}_NUM_THREADS", "2")
    command = [sys.executable, "-W", "error", "-c", OTHER_PROCESS]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    there = [[float(share) for share in line.split()] for line in done.stdout.splitlines()]
    here = [train(back(2), name, steps=60).accuracy(16)[2:] for name in ("learned", "rotary")]
    np.testing.assert_allclose(there, here, rtol=0, atol=5e-4)


def test_models_of_one_seed_share_initial_parameters_and_sequences():
    own = {"learned": {"position"}, "relative keys": {"relative"}}
    own |= {"relative bias": {"bias"}, "T5 buckets": {"bias"}}
    starts, sequences = {}, {}
    for name in SCHEMES:
        task, sequences[name] = recorded()
        seen, _ = watched(name, task=task, seed=5)
        starts[name] = seen[0]
    shared = starts["nothing"]
    for name, parameters in starts.items():
        assert same(shared, {key: parameters[key] for key in shared})
        assert parameters.keys() - shared.keys() == own.get(name, set())
        assert sequences[name] == sequences["nothing"]
    assert len(sequences["nothing"]) == 2 + 6  # two tries, shortest and longest, and the steps


# Steps


@pytest.mark.parametrize("start", ["anew", "continued"])
@pytest.mark.parametrize(
    ("name", "steps"),
    [("nothing", 60), ("learned", 10), ("relative bias", 10), ("relative keys", 10)],
)
def test_all_steps_are_those_of_adam(name, steps, start):
    # Algorithm 1 of Kingma and Ba, with the rates of the docstring: up over 20 steps, down to 0
    # over the last 30 percent. Its means start anew where a training continues.
    given = {"parameters": run(name, steps=30).parameters} if start == "continued" else {}
    seen, model = watched(name, steps=steps, rate=0.05, seed=2, **given)
    data = np.random.default_rng([2, 2])
    m, v = ({key: np.zeros_like(array) for key, array in seen[0].items()} for _ in range(2))
    for t in range(1, steps + 1):
        batch = model.task.batch(data, 3, int(data.integers(4, 8 + 1)))  # as `run` draws it
        gradient = grad(loss)(seen[t - 1], batch, model.scheme, model.causal, model.task.pooled)
        alpha = 0.05 * min(1.0, t / 20, (steps + 1 - t) / (0.3 * steps))
        for key, before in seen[t - 1].items():
            m[key] = 0.9 * m[key] + (1 - 0.9) * gradient[key]
            v[key] = 0.99 * v[key] + (1 - 0.99) * gradient[key] ** 2
            m_hat, v_hat = m[key] / (1 - 0.9**t), v[key] / (1 - 0.99**t)
            after = before - alpha * m_hat / (np.sqrt(v_hat) + 1e-8)
            np.testing.assert_allclose(seen[t][key], after, rtol=0, atol=1e-12)


def test_too_large_a_rate_and_too_large_parameters_are_named():
    with pytest.raises(FloatingPointError, match="try a smaller rate"):
        run(rate=1e200, steps=60)
    large = {name: 1e200 * array for name, array in run().parameters.items()}
    with pytest.raises(FloatingPointError, match="not finite at step 1:"):
        run(parameters=large)


def test_frozen_arrays_stay_and_the_others_are_trained():
    for frozen in (["embedding"], ("query 0", "position")):
        seen, model = watched("learned", frozen=frozen)
        for name, array in model.parameters.items():
            assert np.array_equal(array, seen[0][name]) == (name in frozen)
    assert same(run("learned", frozen=[]).parameters, run("learned").parameters)
    all_frozen = run(frozen=list(run().parameters))
    assert same(all_frozen.parameters, run(steps=0).parameters)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_training_continues_where_another_ended(name):
    before = run(name, seed=3)
    seen, after = watched(name, seed=4, parameters=before.parameters)
    assert same(seen[0], before.parameters)
    assert not same(seen[0], after.parameters)
    unmoved = run(name, steps=0, seed=9, parameters=before.parameters)
    assert same(unmoved.parameters, before.parameters)


# The trained model


def test_accuracy_is_the_share_of_right_answers_at_each_position():
    model = run("learned", steps=30)
    tokens = model.task.batch(np.random.default_rng([7, 3]), 50, 6).tokens
    answers, shares = model.answers(tokens), model.accuracy(6, size=50, seed=7)
    assert answers.shape == (50, 6)
    assert np.isnan(shares[:2]).all()
    for t in range(2, 6):
        assert shares[t] == sum(answers[i, t] == tokens[i, t - 2] for i in range(50)) / 50
    np.testing.assert_array_equal(model.answers(tokens.tolist()), answers)


# What models learn

TASKS = {"back": back(2), "majority": majority, "jump": jump, "where": where(6)}


@pytest.mark.parametrize(("task", "name", "right", "options"), data("lab/tasks.yml")["learned"])
def test_a_task_is_learned_with_the_positions_that_it_needs(task, name, right, options):
    low, high = right
    model = train(TASKS[task], name, **options)
    assert low <= np.nanmean(model.accuracy(min(16, TASKS[task].longest))) <= high


# Longer sequences than in training


def test_extrapolation_is_the_accuracy_at_a_multiple_of_the_length():
    options = {"steps": 30, "d_model": 6, "batch_size": 4, "causal": False}
    models, shares = extrapolation(back(2), "rotary", seeds=(3, 8), longest=6, factor=3, **options)
    assert shares.shape == (2, 18)
    for model, row, seed in zip(models, shares, (3, 8), strict=True):
        expected = train(back(2), "rotary", seed, lengths=(4, 6), **options)
        assert same(model.parameters, expected.parameters)
        np.testing.assert_array_equal(row, expected.accuracy(18, size=32))
