"""Training: what depends on the seed, every step of Adam, and what models learn."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from autograd import grad

from lab.schemes import SCHEMES, BucketBias, Learned, RelativeBias, RelativeKeys, scheme
from lab.tasks import Task, back, first, jump, majority, recent, where
from lab.training import TinyTransformer, extrapolation, train
from lab.transformer import logits, loss, states

from .models import recorded, run, same, watched

# Seeds


@pytest.mark.parametrize("name", SCHEMES)
def test_the_same_seed_gives_the_same_parameters_to_the_last_bit(name):
    one, other, again = (run(name, seed=seed).parameters for seed in (3, 4, 3))
    assert same(one, again)
    assert not same(one, other)


def test_watching_changes_nothing_and_neither_does_writing_to_what_is_watched():
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


def test_all_lengths_from_the_shortest_to_the_longest_are_drawn():
    task, drawn = recorded()
    run(task=task, steps=200, lengths=(3, 6), d_model=2)
    assert {len(tokens[0]) for tokens in drawn} == {3, 4, 5, 6}


def test_no_stream_of_random_numbers_is_used_twice():
    begins = []

    def draw(rng, size, length):
        begins.append(rng.bit_generator.state["state"]["state"])
        return recent.draw(rng, size, length)

    task = Task("noted", 8, 4, draw)
    model = run(task=task, seed=5)
    model.accuracy(6, size=3, seed=5)
    assert len(set(begins[2:])) == 6 + 1  # the first two are tries
    alone = np.random.default_rng(5).standard_normal((8, 6))
    assert not np.allclose(run(seed=5, steps=0).parameters["embedding"], alone)


# Steps


def gradient_at(parameters, rng, model):
    """The gradient at the batch that the options of `run` draw next."""
    batch = model.task.batch(rng, 3, int(rng.integers(4, 8 + 1)))
    return grad(loss)(parameters, batch, model.scheme, model.causal, model.task.pooled)


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
        gradient = gradient_at(seen[t - 1], data, model)
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


@pytest.mark.parametrize(
    ("task", "options"),
    [(back(4), {"lengths": (4, 8), "steps": 40}), (majority, {"lengths": (2, 2), "batch_size": 1})],
    ids=["no token is 4 back in a sequence of 4", "a tie"],
)
def test_a_batch_in_which_no_answer_counts_does_not_stop_the_training(task, options):
    model = run(task=task, **options)
    assert all(np.isfinite(array).all() for array in model.parameters.values())


@pytest.mark.parametrize(
    ("scheme", "name", "reached"),  # sequences have 4 to 8 tokens: offsets from -7 to 0
    [
        (Learned(12), "position", [t < 8 for t in range(12)]),
        (RelativeBias(9), "bias", [-7 <= offset <= 0 for offset in range(-9, 10)]),
        (RelativeKeys(9), "relative", [-7 <= offset <= 0 for offset in range(-9, 10)]),
        # Buckets of distance 0, 1, 2, from 3 on, from 10 (or 4) on, from 32 (or 6) on.
        (BucketBias(6, 100), "bias", [True] * 4 + [False] * 2),
        (BucketBias(6, 7), "bias", [True] * 6),
    ],
)
def test_only_what_a_sequence_reaches_is_trained(scheme, name, reached):
    seen, model = watched(scheme, steps=40)
    moved = model.parameters[name] != seen[0][name]
    expected = np.reshape(reached, (-1,) + (1,) * (moved.ndim - 1))
    np.testing.assert_array_equal(moved, np.broadcast_to(expected, moved.shape))


def test_frozen_arrays_stay_and_the_others_are_trained():
    for frozen in (["embedding"], ("query 0", "position")):
        seen, model = watched("learned", frozen=frozen)
        for name, array in model.parameters.items():
            assert np.array_equal(array, seen[0][name]) == (name in frozen)
    assert same(run("learned", frozen=[]).parameters, run("learned").parameters)
    all_frozen = run(frozen=list(run().parameters))
    assert same(all_frozen.parameters, run(steps=0).parameters)


# Continuing from given parameters


@pytest.mark.parametrize("name", SCHEMES)
def test_a_training_continues_where_another_ended(name):
    before = run(name, seed=3)
    seen, after = watched(name, seed=4, parameters=before.parameters)
    assert same(seen[0], before.parameters)
    assert not same(seen[0], after.parameters)
    unmoved = run(name, steps=0, seed=9, parameters=before.parameters)
    assert same(unmoved.parameters, before.parameters)


def test_the_order_the_type_and_the_precision_of_given_parameters_do_not_matter():
    initial, trained = (run("relative keys", steps=steps).parameters for steps in (0, 6))
    lists = {name: initial[name].tolist() for name in reversed(initial)}
    for given in (initial, lists):
        assert same(run("relative keys", parameters=given).parameters, trained)
    single = {name: array.astype(np.float32) for name, array in initial.items()}
    double = {name: array.astype(np.float64) for name, array in single.items()}
    one, other = (run("relative keys", parameters=given).parameters for given in (single, double))
    assert same(one, other)
    assert {array.dtype for array in one.values()} == {np.dtype(np.float64)}


def test_given_parameters_are_not_changed():
    model = run("relative keys")
    before = copy.deepcopy(model.parameters)
    for options in ({"rate": 0.5}, {"steps": 0}):
        other = run("relative keys", parameters=model.parameters, **options).parameters
        assert same(model.parameters, before)
        assert not any(np.shares_memory(model.parameters[key], other[key]) for key in other)


def test_continuing_with_the_same_seed_repeats_the_sequences():
    task, drawn = recorded()
    model = run(task=task, seed=5)
    once = drawn.copy()
    for seed in (5, 6):
        drawn.clear()
        run(task=task, seed=seed, parameters=model.parameters)
        assert (drawn == once) == (seed == 5)


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


def test_accuracy_of_a_pooled_task_is_one_number_and_ties_do_not_count():
    model = run("nothing", task=majority, steps=30)
    tokens, targets, counted = majority.batch(np.random.default_rng([7, 3]), 50, 6)
    assert 0 < counted.sum() < 50
    right = [model.answers(tokens)[i, 0] == targets[i, 0] for i in range(50) if counted[i, 0]]
    assert model.accuracy(6, size=50, seed=7).tolist() == [sum(right) / len(right)]


@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_answers_and_states_are_those_of_the_functions(n_layers):
    model = run("rotary", n_layers=n_layers, causal=False)
    assert isinstance(model, TinyTransformer)
    assert len(model.parameters) == 2 + 4 * n_layers
    tokens = np.random.default_rng(0).integers(0, 8, (4, 7))
    expected = states(model.parameters, tokens, model.scheme, False)
    assert len(expected) == n_layers + 1
    for ours, theirs in zip(model.states(tokens), expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    best = logits(model.parameters, tokens, model.scheme, False, False).argmax(axis=-1)
    np.testing.assert_array_equal(model.answers(tokens), best)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_model_can_be_pickled_and_compared(name):
    model = run(scheme(name), task=first)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.accuracy(6), again.accuracy(6))
    assert model == model
    assert model != again


# What models learn

SIX = {"causal": False, "lengths": (6, 6), "steps": 150}


@pytest.mark.parametrize(
    ("task", "name", "right", "options"),
    [
        (back(2), "sine and cosine", (0.9, 1), {}),
        (back(2), "nothing", (0, 0.4), {}),
        (majority, "nothing", (0.9, 1), {"causal": False, "steps": 150}),
        # The distance depends on the token, and a bias is the same for all queries.
        (jump, "relative keys", (0.95, 1), {}),
        (jump, "rotary", (0.95, 1), {}),
        (jump, "relative bias", (0, 0.6), {}),
        (where(6), "sine and cosine", (0.9, 1), SIX),
        (where(6), "nothing", (0, 0.3), SIX),
    ],
)
def test_a_task_is_learned_with_the_positions_that_it_needs(task, name, right, options):
    low, high = right
    model = train(task, name, **options)
    assert low <= np.nanmean(model.accuracy(min(16, task.longest))) <= high


@pytest.mark.parametrize(
    "name", ["learned", "rotary", "relative bias", "T5 buckets", "relative keys"]
)
def test_more_steps_lower_the_loss(name):
    seen, model = watched(name, steps=150, lengths=(4, 12), d_model=16, batch_size=16)
    batch = model.task.batch(np.random.default_rng(99), 200, 10)
    start, middle, end = (loss(seen[i], batch, model.scheme, True, False) for i in (0, 30, 150))
    assert start > middle > end
    assert end < np.log(8)  # that is guessing


def test_what_60_steps_do_not_find_60_more_do():
    one, other = (train(back(2), "sine and cosine", seed, steps=60) for seed in (0, 2))
    more = train(back(2), "sine and cosine", 2, steps=60, parameters=one.parameters)
    shares = [np.nanmean(model.accuracy(16)) for model in (one, other, more)]
    assert max(shares[:2]) < 0.7
    assert shares[2] > 0.9


# Longer sequences than in training


def test_extrapolation_is_the_accuracy_of_models_at_a_multiple_of_the_length():
    options = {"steps": 30, "d_model": 6, "batch_size": 4, "causal": False}
    models, shares = extrapolation(back(2), "rotary", seeds=(3, 8), longest=6, factor=3, **options)
    assert shares.shape == (2, 18)
    for model, row, seed in zip(models, shares, (3, 8), strict=True):
        expected = train(back(2), "rotary", seed, lengths=(4, 6), **options)
        assert same(model.parameters, expected.parameters)
        np.testing.assert_array_equal(row, expected.accuracy(18, size=32))


def test_without_options_extrapolation_asks_five_models_for_four_times_the_length():
    models, shares = extrapolation(back(1), "nothing", steps=2, d_model=4, batch_size=2)
    assert len(models) == 5
    assert shares.shape == (5, 128)


def test_extrapolation_from_shorter_sequences_than_4_trains_on_them():
    task, drawn = recorded()
    extrapolation(task, "nothing", seeds=[0], longest=2, factor=1, steps=10, d_model=4)
    assert {len(tokens[0]) for tokens in drawn} == {2}


def test_a_table_does_not_learn_positions_after_the_trained_lengths():
    (model,), (shares,) = extrapolation(
        where(24), Learned(24), seeds=[0], longest=8, factor=3, steps=200
    )
    assert shares[:8].mean() > 0.9
    assert shares[8:].max() < 0.2
    assert np.abs(model.parameters["position"][8:]).max() < 0.1  # as they started
