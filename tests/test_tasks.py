"""The small tasks: every answer worked out again in plain Python, and what the order has to do."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pecode.lab.tasks import (
    Batch,
    Task,
    back,
    denoise,
    first,
    jump,
    majority,
    recent,
    reverse,
    subject,
    where,
    with_start,
)

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("repeatable")

seeds = st.integers(0, 10**6)
lengths = st.integers(1, 20)
SIZE = 12

TASKS = [majority, subject, reverse, first, recent, denoise, back(1), back(3), jump, where(40)]
EACH_TASK = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)


def draw(task, seed=0, size=SIZE, length=9):
    return task.batch(np.random.default_rng(seed), size, 3 if task is subject else length)


# What all have in common


@EACH_TASK
def test_tokens_and_answers_are_whole_numbers_within_their_ranges(task):
    for seed in range(20):
        tokens, targets, counted = draw(task, seed)
        assert tokens.shape == (SIZE, 3 if task is subject else 9)
        assert targets.shape == counted.shape == ((SIZE, 1) if task.pooled else tokens.shape)
        assert (tokens.dtype, targets.dtype, counted.dtype) == (np.int64, np.int64, bool)
        assert 0 <= tokens.min() <= tokens.max() < task.n_tokens
        assert 0 <= targets.min() <= targets.max() < task.n_classes


@EACH_TASK
def test_every_token_and_every_answer_of_the_ranges_occurs(task):
    tokens, targets, counted = draw(task, size=2000, length=40)
    assert set(tokens.ravel().tolist()) == set(range(task.n_tokens))
    assert set(targets[counted].tolist()) == set(range(task.n_classes))


@EACH_TASK
def test_equal_seeds_give_equal_sequences_and_other_seeds_give_others(task):
    one, again, other = (draw(task, seed) for seed in (5, 5, 6))
    for field in Batch._fields:
        np.testing.assert_array_equal(getattr(one, field), getattr(again, field))
    assert (one.tokens != other.tokens).any()


@EACH_TASK
def test_the_generator_moves_on_from_batch_to_batch(task):
    rng = np.random.default_rng(0)
    length = 3 if task is subject else 9
    assert (task.batch(rng, SIZE, length).tokens != task.batch(rng, SIZE, length).tokens).any()


# The answers, one number at a time


@given(seeds, lengths)
def test_majority_counts_the_tokens_below_4(seed, length):
    tokens, targets, counted = draw(majority, seed, length=length)
    for row, (target,), (counts,) in zip(tokens.tolist(), targets, counted, strict=True):
        low = len([token for token in row if token < 4])
        high = len(row) - low
        assert counts == (low != high)
        assert target == (1 if low > high else 0)


@given(seeds)
def test_the_subject_is_the_first_noun(seed):
    tokens, targets, counted = draw(subject, seed)
    for (noun, verb, other), (target,) in zip(tokens.tolist(), targets, strict=True):
        assert target == noun != other
        assert noun in range(6)
        assert other in range(6)
        assert verb in range(6, 10)
    assert counted.all()


@given(seeds, lengths)
def test_reverse_is_the_sequence_from_the_end(seed, length):
    tokens, targets, counted = draw(reverse, seed, length=length)
    assert targets.tolist() == [list(reversed(row)) for row in tokens.tolist()]
    assert counted.all()


@given(seeds, lengths)
def test_first_repeats_the_token_at_position_0(seed, length):
    tokens, targets, counted = draw(first, seed, length=length)
    assert targets.tolist() == [[row[0]] * length for row in tokens.tolist()]
    assert counted.all()


@given(seeds, lengths)
def test_recent_is_the_latest_token_below_4(seed, length):
    tokens, targets, counted = draw(recent, seed, length=length)
    for row, answers in zip(tokens.tolist(), targets.tolist(), strict=True):
        latest = None
        for token, answer in zip(row, answers, strict=True):
            latest = token if token < 4 else latest
            assert answer == latest  # never None: the first token is below 4
    assert counted.all()


@given(seeds, lengths, st.integers(1, 25))
def test_back_is_the_token_so_many_positions_earlier(seed, length, offset):
    tokens, targets, counted = draw(back(offset), seed, length=length)
    for row, answers, counts in zip(tokens.tolist(), targets, counted, strict=True):
        assert counts.tolist() == [t >= offset for t in range(length)]
        for t in range(offset, length):
            assert answers[t] == row[t - offset]


@given(seeds, lengths)
def test_jump_is_the_token_as_far_back_as_the_token_asks(seed, length):
    far = {0: 1, 1: 2, 2: 3, 3: 4, 4: 1, 5: 2, 6: 3, 7: 4}
    tokens, targets, counted = draw(jump, seed, length=length)
    for row, answers, counts in zip(tokens.tolist(), targets, counted, strict=True):
        for t, token in enumerate(row):
            before = row[:t][::-1]  # the latest first
            assert counts[t] == (len(before) >= far[token])
            if counts[t]:
                assert answers[t] == before[far[token] - 1]


def test_every_distance_of_jump_is_asked_for_by_two_tokens_and_from_the_fourth_on_all_count():
    tokens, _, counted = draw(jump, size=8000, length=9)
    shares = counted.mean(axis=0)
    np.testing.assert_allclose(shares, [0, 0.25, 0.5, 0.75] + [1] * 5, rtol=0, atol=0.02)
    assert counted[:, 4:].all()
    assert not counted[:, 0].any()
    assert {int(token) for token in tokens[:, 1][counted[:, 1]]} == {0, 4}


@given(seeds, st.integers(1, 30))
def test_where_is_the_position(seed, length):
    _, targets, counted = draw(where(30), seed, length=length)
    assert targets.tolist() == [list(range(length))] * SIZE
    assert counted.all()


@given(seeds, lengths)
def test_a_start_token_stands_in_front_and_nothing_else_changes(seed, length):
    for task in (recent, back(2), jump, where(30), majority):
        plain, started = (
            draw(task, seed, length=length),
            draw(with_start(task), seed, length=length + 1),
        )
        assert (started.tokens[:, 0] == task.n_tokens).all()
        np.testing.assert_array_equal(started.tokens[:, 1:], plain.tokens)
        rest = slice(None) if task.pooled else slice(1, None)
        np.testing.assert_array_equal(started.targets[:, rest], plain.targets)
        np.testing.assert_array_equal(started.counted[:, rest], plain.counted)
        assert task.pooled or not started.counted[:, 0].any()


@EACH_TASK
def test_a_start_token_is_the_one_token_more(task):
    started = with_start(task)
    assert started.n_tokens == task.n_tokens + 1
    assert (started.n_classes, started.pooled) == (task.n_classes, task.pooled)
    assert started.name == f"{task.name}, with start"


@pytest.mark.parametrize(
    "task", [task for task in TASKS if task is not subject], ids=lambda task: task.name
)
def test_a_sequence_may_be_the_start_token_alone(task):
    tokens, _, counted = draw(with_start(task), length=1)
    assert tokens.tolist() == [[task.n_tokens]] * SIZE
    assert not counted.any()


def test_a_length_that_does_not_fit_behind_the_start_token_is_named_as_it_was_given():
    with pytest.raises(ValueError, match=r"^length: expected 4.*got 3"):
        with_start(subject).batch(np.random.default_rng(0), SIZE, 3)  # one of them is the start


@pytest.mark.parametrize("length", [31, 100])
def test_a_sequence_with_more_positions_than_answers_is_refused(length):
    with pytest.raises(ValueError, match=rf"^length: expected .*30.*got {length}"):
        draw(where(30), length=length)


@given(seeds)
def test_to_denoise_is_to_mend_runs_of_equal_tokens(seed):
    tokens, targets, counted = draw(denoise, seed, size=100, length=60)
    stays = np.mean(targets[:, 1:] == targets[:, :-1])
    assert stays == pytest.approx(0.9 + 0.1 / 8, abs=0.025)  # a new run may have the old token
    assert np.mean(tokens == targets) == pytest.approx(0.7 + 0.3 / 8, abs=0.04)
    assert counted.all()


def test_noise_hides_the_answer_of_denoise_at_every_position_alike():
    tokens, targets, _ = draw(denoise, size=4000, length=20)
    hidden = (tokens != targets).mean(axis=0)
    np.testing.assert_allclose(hidden, 0.3 * 7 / 8, rtol=0, atol=0.03)


@pytest.mark.parametrize(
    "task", [majority, reverse, first, back(2), jump, where(9)], ids=lambda t: t.name
)
def test_tokens_are_drawn_alike_at_every_position(task):
    tokens = draw(task, size=8000).tokens[:, 1:]
    for token in range(8):
        np.testing.assert_allclose((tokens == token).mean(axis=0), 1 / 8, rtol=0, atol=0.015)


def test_one_token_in_five_is_recent():
    tokens = draw(recent, size=8000).tokens
    np.testing.assert_allclose((tokens < 4).mean(axis=0)[1:], 0.2, rtol=0, atol=0.015)
    assert (tokens[:, 0] < 4).all()


# What the order has to do with it


def best_of_the_bag(task, length, position=None):
    """Share of right answers of the best rule that sees how often each token occurs, no more.

    `position` asks for the answer there; the rule may depend on it.
    """
    tokens, targets, counted = draw(task, size=4000, length=length)
    column = 0 if task.pooled else position
    bags = defaultdict(Counter)
    for row, target, counts in zip(tokens.tolist(), targets, counted, strict=True):
        if counts[column]:
            bags[tuple(sorted(row))][int(target[column])] += 1
    right = sum(max(answers.values()) for answers in bags.values())
    return right / sum(sum(answers.values()) for answers in bags.values())


@pytest.mark.parametrize("length", [2, 3, 5])
def test_the_bag_of_words_tells_the_majority_exactly(length):
    assert best_of_the_bag(majority, length) == 1


@pytest.mark.parametrize(
    ("task", "length"),
    [
        *((subject, 3), (reverse, 3), (first, 3), (back(1), 3), (back(2), 3), (recent, 3)),
        *((denoise, 3), (jump, 3)),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_the_bag_of_words_does_not_tell_what_needs_the_order(task, length):
    assert best_of_the_bag(task, length, position=2) < 0.9


@given(seeds, lengths)
def test_a_shuffled_sequence_has_the_same_majority(seed, length):
    tokens, targets, _ = draw(majority, seed, length=length)
    shuffled = np.random.default_rng(seed).permuted(tokens, axis=1)
    assert [
        [int(2 * sum(token < 4 for token in row) > length)] for row in shuffled
    ] == targets.tolist()


def test_the_two_orders_of_a_sentence_have_different_subjects():
    tokens, targets, _ = draw(subject, size=2000)
    answer = {
        tuple(row): int(target[0]) for row, target in zip(tokens.tolist(), targets, strict=True)
    }
    both = [(a, verb, b) for a, verb, b in answer if (b, verb, a) in answer]
    assert len(both) == 6 * 5 * 4  # all sentences there are
    assert all(answer[a, verb, b] != answer[b, verb, a] for a, verb, b in both)


def test_where_is_not_told_by_any_token():
    tokens, targets, _ = draw(where(8), size=8000, length=8)
    for token in range(8):
        shares = np.bincount(targets[tokens == token], minlength=8) / (tokens == token).sum()
        np.testing.assert_allclose(shares, 1 / 8, rtol=0, atol=0.02)


def test_a_task_is_named_after_its_offset():
    assert (back(2).name, back(11).name) == ("2 back", "11 back")
    assert isinstance(back(2), Task)
