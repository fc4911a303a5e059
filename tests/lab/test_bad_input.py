"""Bad input to the lab: an error that names the argument, before the first step of a training."""

import numpy as np
import pytest

from lab.learned import LearnedEmbedding
from lab.published import reaction_model
from lab.schemes import Learned, RelativeKeys, Rotary, RotaryPoints, scheme
from lab.scorecard import compare, scorecard
from lab.tasks import Task, back, jump, majority, recent, stripes, subject, where
from lab.training import extrapolation, train
from pecode import count
from tests import data
from tests.pecode.test_bad_input import assert_named

ARGUMENTS = data("lab/arguments.yml")
NOT_A_COUNT, NOT_NUMBERS = (ARGUMENTS["lists"][name] for name in ("not_a_count", "not_numbers"))


def learn(task=None, scheme="nothing", **changed):
    options = {"steps": 2, "lengths": (4, 6), "d_model": 4, "batch_size": 2, **changed}
    return train(back(2) if task is None else task, scheme, **options)


def extrapolate(task=None, scheme="nothing", **changed):
    options = {"seeds": [0], "longest": 4, "factor": 1, "steps": 1, "d_model": 4, **changed}
    return extrapolation(back(2) if task is None else task, scheme, **options)


def own(draw=None, **changed):
    return Task(**{"name": "own", "n_tokens": 8, "n_classes": 8, "draw": draw or print, **changed})


def counted(**changed):
    return scorecard(count, **changed)


def drawn(tokens=0, targets=0, counted=True, columns=4):
    """A batch with the given number everywhere."""
    shape = (2, columns)
    return np.full((2, 4), tokens), np.full(shape, targets), np.full(shape, counted)


def drawing(batch, pooled=False):
    """Ask a task of one's own, of 2 sequences of 4 tokens, for a batch that may not fit."""
    return own(draw=lambda *_: batch, pooled=pooled).batch(np.random.default_rng(0), 2, 4)


MODEL = learn()
CARD = scorecard(count, length=20)
WEIGHTS = MODEL.parameters
REACTIONS = reaction_model()
NO_ENCODING = [None, "a", 1j, True, {1.0}, 1.0, [], np.ones(1024), np.ones((3, 2))]
NO_ENCODING += [np.ones((1024, 0)), np.full((1024, 2), np.nan), np.full((1024, 2), np.inf)]

# A call with one argument left open, the name of that argument, what it must refuse.
CASES = [
    (LearnedEmbedding.from_table, "table", [*NOT_NUMBERS, [], np.ones((0, 2))]),
    (LearnedEmbedding(4, 2), "positions", [1.0, True, None, -1, 4, [0, 4]]),
    (lambda v: scheme("learned", table=[[1.0]], length=v, scale=0.1), "table", [None, 1]),
    (lambda v: learn(scheme=Rotary(frequencies=v)), "frequencies", [[], [1.0], [1.0, 2.0, 3.0]]),
    (lambda v: learn(scheme=Learned(table=np.ones((6, v)))), "table", [1, 3, 5]),
    (drawing, "draw",
     [None, (1, 2), (np.zeros((3, 4), int), np.zeros((3, 4), int), np.ones((3, 4), bool)),
      *(drawn(tokens=v) for v in (-1, 8, 0.0)), *(drawn(targets=v) for v in (-1, 8, 0.0)),
      drawn(counted=1), drawn(columns=1)]),
    (lambda v: drawing(v, pooled=True), "draw", [drawn()]),
    (lambda v: recent.batch(np.random.default_rng(0), v, 4), "size", NOT_A_COUNT),
    (lambda v: recent.batch(v, 2, 4), "rng", [None, 0, np.random]),
    (lambda v: learn(task=v), "task", [3, "majority", back]),
    (lambda v: learn(scheme=v), "scheme", [None, 3, Rotary, "sinusoid", "Rotary"]),
    (lambda v: learn(parameters=v), "parameters",
     [3, [], {}, WEIGHTS | {"position": np.ones((6, 4))}, dict.fromkeys(WEIGHTS)]),
    (lambda v: learn(parameters=WEIGHTS | {"query 0": v}), "parameters",
     [*NOT_NUMBERS, np.ones((4, 5)), np.full((4, 4), np.nan)]),
    (lambda v: learn(**({"task": back(2)} | v), parameters=WEIGHTS), "parameters",
     [{"d_model": 6}, {"n_layers": 2}, {"task": where(6)}, {"scheme": "learned"}]),
    (lambda v: extrapolate(task=v), "task", [3, majority]),
    (lambda v: extrapolate(seeds=v), "seeds?", [None, 3, [], "01", [1.5], [0, -1]]),
    (lambda v: extrapolate(**{v: 1}), "options", ["seed", "lengths", "step"]),
    (scorecard, "encode", [None, 3, "count", np.ones((3, 2))]),
    (lambda v: scorecard(lambda p: v), "encode", [*NO_ENCODING, [[1.0, 2.0], [3.0]]]),
    (lambda v: scorecard(lambda p: np.ones((len(p), len(p) // v))), "encode", [100]),
    (lambda v: compare({"a": CARD}, columns=v), "columns", [["size"], [None]]),
    (lambda v: compare({"a": CARD}, mark=[v]), "mark", [("x", "width"), ("a", "size")]),
    (compare, "cards", [None, [CARD], {"a": 3}]),
    (lambda v: REACTIONS.logits([[1, 2]], v), "table", [REACTIONS.table[:1]]),
    # Lengths that a task or a scheme does not have
    (lambda v: learn(task=subject, lengths=v), "lengths?", [(2, 2), (3, 4)]),
    (lambda v: learn(task=jump, lengths=(1, v)), "lengths", [1]),  # no answer ever counts
    (lambda v: learn(scheme="binary", d_model=2, lengths=(4, v)), "positions", [5]),
    (lambda v: learn(scheme=Learned(6), lengths=(4, v)), "length", [7]),
    (lambda v: learn(scheme=Learned(6)).accuracy(v), "length", [7]),
]  # fmt: skip


FUNCTIONS = (LearnedEmbedding, RotaryPoints, scheme, back, where, stripes, own, learn, extrapolate)
FUNCTIONS += (counted, MODEL.accuracy, MODEL.answers, REACTIONS.tokens, REACTIONS.logits)
FUNCTIONS = {each.__name__: each for each in FUNCTIONS}
CASES += [
    (lambda v, call=FUNCTIONS[call], right=right, name=name: call(**right | {name: v}), name, bad)
    for call, right, refused in ARGUMENTS["refused"]
    for name, bad in refused.items()
]


@pytest.mark.parametrize(("call", "name", "values"), CASES)
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, values):
    assert_named(call, name, values)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scheme": Learned(6), "lengths": (4, 1000)}, r"length: .*got 1000"),
        ({"parameters": WEIGHTS | {"value 0": np.ones((4, 3))}}, r"parameters: .*\(4, 3\)"),
        ({"scheme": RelativeKeys(2), "parameters": WEIGHTS}, "parameters: .*none named 'relative'"),
    ],
)
def test_what_does_not_fit_is_refused_before_the_first_step(options, words):
    seen = []
    # The first batch of this seed would have 4 tokens, which fits: that must not hide the others.
    seed = next(s for s in range(10**4) if np.random.default_rng([s, 2]).integers(4, 1001) == 4)
    with pytest.raises(ValueError, match=f"^{words}"):
        learn(**options, seed=seed, watch=lambda step, parameters: seen.append(step))
    assert seen == []
