"""The small tasks: every answer worked out again in plain Python, and what the order has to do."""

import numpy as np
import pytest

from lab import tasks
from lab.tasks import back, first, jump, majority, needle, recent, subject, where, with_start
from tests import data

SIZE = 12
TASKS = [majority, subject, tasks.reverse, first, recent, tasks.denoise, back(1), back(3), jump]
TASKS += [needle, where(40)]
EACH_TASK = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


def draw(task, seed=0, size=SIZE, length=9):
    return task.batch(np.random.default_rng(seed), size, min(length, task.longest))


@EACH_TASK
def test_tokens_and_answers_are_all_the_integers_of_their_ranges(task):
    tokens, targets, counted = draw(task, size=2000, length=40)
    assert tokens.shape == (2000, 3 if task is subject else 40)
    assert targets.shape == counted.shape == ((2000, 1) if task.pooled else tokens.shape)
    assert (tokens.dtype, targets.dtype, counted.dtype) == (np.int64, np.int64, bool)
    assert set(tokens.ravel().tolist()) == set(range(task.n_tokens))
    assert set(targets[counted].tolist()) == set(range(task.n_classes))
    assert not np.shares_memory(tokens, targets)


@EACH_TASK
def test_batches_depend_on_the_state_of_the_generator_alone(task):
    rng, again = np.random.default_rng(5), np.random.default_rng(5)
    length = min(9, task.longest)
    one, two = (task.batch(rng, SIZE, length) for _ in range(2))
    for ours, theirs in zip(one, task.batch(again, SIZE, length), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (one.tokens != two.tokens).any()
    assert (one.tokens != draw(task, seed=6).tokens).any()


# The answers by plain Python: from a list of tokens, the answer at each position, or None


def latest_below_4(row):
    return [next(v for v in reversed(row[: t + 1]) if v < 4) for t in range(len(row))]


def majority_below_4(row):
    low = sum(v < 4 for v in row)
    return [None if 2 * low == len(row) else int(2 * low > len(row))]


def after_the_mark(row):
    mark = row.index(8)
    return [None] * (mark + 1) + row[mark + 1 : mark + 2] * (len(row) - mark - 1)


def steps_back(far):
    """far(token) positions earlier."""
    return lambda row: [row[t - far(v)] if t >= far(v) else None for t, v in enumerate(row)]


ANSWERS = [
    (majority, majority_below_4),
    (subject, lambda row: row[:1]),
    (tasks.reverse, lambda row: row[::-1]),
    (first, lambda row: row[:1] * len(row)),
    (recent, latest_below_4),
    *((back(n), steps_back(lambda v, n=n: n)) for n in (1, 2, 7, 25)),
    (jump, steps_back(lambda v: {0: 1, 1: 2, 2: 3, 3: 4, 4: 1, 5: 2, 6: 3, 7: 4}[v])),
    (needle, after_the_mark),
    (where(20), lambda row: list(range(len(row)))),
]


@pytest.mark.parametrize("length", [1, 2, 3, 9, 20])
@pytest.mark.parametrize(("task", "answers"), ANSWERS, ids=lambda value: getattr(value, "name", ""))
def test_the_answers_are_those_of_plain_python(task, answers, length):
    length = min(max(length, task.shortest), task.longest)
    for seed in range(5):
        tokens, targets, counted = draw(task, seed, length=length)
        for row, target, counts in zip(tokens.tolist(), targets, counted, strict=True):
            expected = answers(row)
            assert counts.tolist() == [answer is not None for answer in expected]
            assert target[counts].tolist() == [answer for answer in expected if answer is not None]


def test_a_sentence_has_two_different_nouns_around_a_verb_and_all_occur():
    tokens, _, counted = draw(subject, size=2000)
    sentences = {tuple(row) for row in tokens.tolist()}
    nouns, verbs = range(6), range(6, 10)
    assert sentences == {(a, v, b) for a in nouns for v in verbs for b in nouns if a != b}
    assert counted.all()


def test_denoise_mends_runs_of_equal_tokens():
    tokens, targets, counted = draw(tasks.denoise, size=4000, length=20)
    assert counted.all()
    stays = (targets[:, 1:] == targets[:, :-1]).mean(axis=0)  # a new run may have the old token
    np.testing.assert_allclose(stays, 0.9 + 0.1 / 8, rtol=0, atol=0.02)
    np.testing.assert_allclose((tokens != targets).mean(axis=0), 0.3 * 7 / 8, rtol=0, atol=0.03)


# A token in front


@EACH_TASK
def test_a_start_token_stands_in_front_and_nothing_else_changes(task):
    started = with_start(task)
    assert (started.n_tokens, started.n_classes) == (task.n_tokens + 1, task.n_classes)
    assert (started.name, started.pooled) == (f"{task.name}, with start", task.pooled)
    plain, found = draw(task, 4, length=9), draw(started, 4, length=10)
    assert (found.tokens[:, 0] == task.n_tokens).all()
    rest = slice(None) if task.pooled else slice(1, None)
    np.testing.assert_array_equal(found.tokens[:, 1:], plain.tokens)
    np.testing.assert_array_equal(found.targets[:, rest], plain.targets)
    np.testing.assert_array_equal(found.counted[:, rest], plain.counted)
    assert task.pooled or not found.counted[:, 0].any()
    if task.shortest == 1:  # the start token alone is a sequence too
        tokens, _, counted = draw(started, length=1)
        assert tokens.tolist() == [[task.n_tokens]] * SIZE
        assert not counted.any()


def test_a_length_that_a_task_does_not_have_is_refused_as_it_was_given():
    for task, length, allowed in ((with_start(subject), 3, "4"), (where(30), 31, "1 to 30")):
        with pytest.raises(ValueError, match=rf"^length: expected {allowed} for.*got {length}"):
            task.batch(np.random.default_rng(0), SIZE, length)


@pytest.mark.parametrize(("shape", "along", "wide", "stripe"), data("lab/tasks.yml")["stripes"])
def test_a_stripe_has_one_color_and_its_holes_ask_for_it(shape, along, wide, stripe):
    task = tasks.stripes(shape, along, wide)
    tokens, targets, counted = task.batch(np.random.default_rng(0), 400, np.prod(shape))
    rows, columns = np.indices(shape) // wide
    number = (stripe[0] * columns + stripe[1] * rows).ravel()
    np.testing.assert_array_equal(tokens == 8, counted)
    np.testing.assert_array_equal(tokens[~counted], targets[~counted])
    for one in np.unique(number):
        colors = targets[:, number == one]
        assert (colors == colors[:, :1]).all()
        shares = np.bincount(colors[:, 0], minlength=8) / 400
        np.testing.assert_allclose(shares, 1 / 8, rtol=0, atol=0.08)
    pairs = targets[:, [np.flatnonzero(number == one)[0] for one in np.unique(number)[:2]]]
    assert 0.05 < (pairs[:, 0] == pairs[:, 1]).mean() < 0.2  # stripes have colors of their own
    assert counted.mean() == pytest.approx(0.3, abs=0.02)
    with pytest.raises(ValueError, match=rf"^length: expected {np.prod(shape)} for"):
        task.batch(np.random.default_rng(0), 4, np.prod(shape) + 1)
