"""Bad input to the lab: an error that names the argument, never silence."""

import numpy as np
import pytest

from lab.learned import LearnedEmbedding
from lab.schemes import Learned, RelativeKeys, Rotary, scheme
from lab.tasks import Task, back, jump, majority, recent, subject, where, with_start
from lab.training import extrapolation, train
from tests.pecode.test_bad_input import assert_named

NAN, INF, HUGE = float("nan"), float("inf"), 10**30  # the last fits no 64-bit integer

NO_INTEGER = [
    0.5, 1.0, np.float64(2), NAN, INF, 1j, True, np.True_, "3", b"3", None, {3}, [3], (3,), [],
    range(3), np.array([3]), np.array(1.5), np.array("a"), np.datetime64("2017-06-12"), object(),
]  # fmt: skip
NO_LENGTH = [*NO_INTEGER, -1, -HUGE, HUGE, 2**63, 2**40]
NO_COUNT = [*NO_INTEGER, 0, -1, -HUGE]
NO_WIDTH = [*NO_COUNT, HUGE, 2**63, 2**40]
NO_SEED = [*NO_INTEGER, -1, -HUGE]
NO_CLIP = [*NO_INTEGER, -1, -HUGE, HUGE]
NO_REAL = [
    "0.1", b"1", None, True, np.True_, 1j, [0.1], np.array([0.1]), object(), {0.1},
    NAN, INF, -INF, np.float32("nan"), 10**400,
]  # fmt: skip
NO_BOOL = [None, 0, 1, 0.0, NAN, "True", "yes", [True], np.array([True])]
NO_REALS = [
    "a", b"a", 1j, True, {1.0}, 1.0, [[1.0, 2.0], [3.0]], [[1.0, None]], [[1.0, "2"]],
    [[True, False]], [[1.0, True]], [[NAN, 1.0]], [[INF, 1.0]], np.ones((2, 2), complex),
    np.ones((2, 2), object), np.ones((2, 2), bool), np.array([["a"]]), np.ma.ones((4, 4)),
]  # fmt: skip
NO_TOKENS = [
    None, 3, "abc", [[0.5, 1.0]], [[True, False]], [[0, 1], [2]], [[0, NAN]], np.array([0, 1]),
    np.array([[[0, 1]]]), np.array([[0.0, 1.0]]), np.array([[8, 0]]), np.array([[0, -1]]),
    np.array([[True, False]]), np.array([["a"]]), np.zeros((2, 0), int),
]  # fmt: skip
NO_LENGTHS = [
    None, 4, 4.0, NAN, True, "46", b"46", (), (4,), (4, 5, 6), (6, 4), [32, 4], (0, 4), (-4, 4),
    (4.0, 6.0), (4, 6.5), (4, NAN), (True, 4), (4, True), (None, 6), (4, None), ("4", "6"),
    ([4], [6]), {4: 1, 6: 2}, {4, 6}, np.array([4.0, 6.0]), np.array([6, 4]), (4, HUGE),
    (HUGE, HUGE), object(),
]  # fmt: skip


def learn(task=None, scheme="nothing", **changed):
    options = {"steps": 2, "lengths": (4, 6), "d_model": 4, "batch_size": 2, **changed}
    return train(back(2) if task is None else task, scheme, **options)


def draw(task=recent, size=2, length=4):
    return task.batch(np.random.default_rng(0), size, length)


def extrapolate(task=None, scheme="nothing", **changed):
    options = {"seeds": [0], "longest": 4, "factor": 1, "steps": 1, "d_model": 4, **changed}
    return extrapolation(back(2) if task is None else task, scheme, **options)


MODEL = learn()
WEIGHTS = MODEL.parameters
TABLE = LearnedEmbedding(4, 2)
NO_TABLE = [*NO_REALS, [], [1.0, 2.0], np.ones((2, 2, 2)), np.ones((0, 2)), np.ones((2, 0))]

# (a call with one argument left open, the name of the argument, what it must refuse)
CASES = [
    (lambda v: LearnedEmbedding(v, 2), "length", [*NO_LENGTH, 0]),
    (lambda v: LearnedEmbedding(2, v), "d_model", NO_WIDTH),
    (lambda v: LearnedEmbedding(2, 2, v), "scale", [*NO_REAL, -1e-9, -1]),
    (lambda v: LearnedEmbedding(2, 2, seed=v), "seed", NO_SEED),
    (LearnedEmbedding.from_table, "table", [*NO_TABLE, None]),
    (
        TABLE,
        "positions",
        [
            *(v for v in NO_INTEGER if not isinstance(v, (list, tuple, range, np.ndarray))),
            -1, 4, [0, 4], [-1, 0], -(2**63), 2**63, HUGE, [1, 2.0], [1, None], [True, 1],
            [[1, 2], [3]], np.array([]), np.array([1, NAN]), np.uint64(2**63),
        ],
    ),
    (scheme, "name", ["", "sinusoid", "alibi", "NOTHING", None, 3, b"ALiBi", []]),
    (lambda v: scheme("ALiBi", slope=v), "slope", NO_REAL),
    (lambda v: scheme("rotary", base=v), "base", [*NO_REAL, 1, 1.0, 0, 0.5, -10000]),
    # None is the default of what follows
    (lambda v: scheme("rotary", frequencies=v), "frequencies", [*NO_REALS, [NAN, 1.0], [1.0, INF]]),
    (lambda v: scheme("learned", length=v), "length", [v for v in NO_LENGTH if v is not None]),
    (lambda v: scheme("learned", scale=v), "scale", [-1, *(v for v in NO_REAL if v is not None)]),
    (lambda v: scheme("learned", table=v), "table", NO_TABLE),
    (lambda v: scheme("learned", table=[[1.0]], length=v, scale=0.1), "table", [None, 1]),
    (lambda v: scheme("relative bias", clip=v), "clip", NO_CLIP),
    (lambda v: scheme("relative keys", clip=v), "clip", NO_CLIP),
    (lambda v: scheme("T5 buckets", n_buckets=v), "n_buckets", [*NO_COUNT, 1, HUGE]),
    (
        lambda v: scheme("T5 buckets", n_buckets=v, bidirectional=True),
        "n_buckets",
        [*NO_INTEGER, 2, 3, 31, 0, -4],
    ),
    (lambda v: scheme("T5 buckets", max_distance=v), "max_distance", [*NO_COUNT, 16, 1, HUGE]),
    (lambda v: scheme("T5 buckets", bidirectional=v), "bidirectional", NO_BOOL),
    # A model that is 4 wide
    (
        lambda v: learn(scheme=Rotary(frequencies=v)),
        "frequencies",
        [[], [1.0], [1.0, 2.0, 3.0], np.ones(4), [1.0, 1.7e308]],
    ),
    (lambda v: learn(scheme=Learned(table=np.ones((6, v)))), "table", [1, 3, 5]),
    (lambda v: learn(scheme="rotary", d_model=v), "d_model", [*NO_WIDTH, 1, 3, 7]),
    (back, "offset", NO_COUNT),
    (where, "length", [*NO_LENGTH, 0]),
    (with_start, "task", [None, "majority", 3, back, Task, MODEL]),
    (lambda v: draw(size=v), "size", NO_COUNT),
    (lambda v: draw(length=v), "length", [*NO_LENGTH, 0]),
    (lambda v: draw(subject, length=v), "length", [*NO_INTEGER, 1, 2, 4, 32]),
    (lambda v: recent.batch(v, 2, 4), "rng", [None, 0, 1.5, "0", np.random, [1]]),
    (lambda v: learn(task=v), "task", [3, "majority", back, Task, [majority], MODEL]),
    (
        lambda v: learn(scheme=v),
        "scheme",
        [None, 3, True, b"rotary", [], {}, Rotary, np.ones((6, 4)), "", "sinusoid", "Rotary"],
    ),
    (lambda v: learn(seed=v), "seed", NO_SEED),
    (lambda v: learn(steps=v), "steps", [*NO_INTEGER, -1, -HUGE]),
    (lambda v: learn(lengths=v), "lengths", NO_LENGTHS),
    (lambda v: learn(d_model=v), "d_model", NO_WIDTH),
    (lambda v: learn(n_layers=v), "n_layers", NO_COUNT),
    (lambda v: learn(causal=v), "causal", NO_BOOL),
    (lambda v: learn(batch_size=v), "batch_size", NO_COUNT),
    (lambda v: learn(rate=v), "rate", [*NO_REAL, 0, 0.0, -0.02]),
    (lambda v: learn(watch=v), "watch", [3, "print", True, [print], {"a": 1}]),
    (
        lambda v: learn(frozen=v),
        "frozen",
        [None, 3, True, "embedding", [1], [None], {"embedding": 1}, ["position"], ["readout", ""]],
    ),
    (
        lambda v: learn(parameters=v),
        "parameters",
        [
            3, True, "embedding", [], [("embedding", 1)], list(WEIGHTS.values()), np.ones((8, 4)),
            MODEL, object(), {}, {1: 2}, {None: None}, WEIGHTS | {1: np.ones(2)},
            WEIGHTS | {"position": np.ones((6, 4))}, WEIGHTS | {"query 1": np.ones((4, 4))},
            WEIGHTS | {("a",) * 200: 1}, {k.upper(): v for k, v in WEIGHTS.items()},
            dict.fromkeys(WEIGHTS),
        ],
    ),
    (
        lambda v: learn(parameters=WEIGHTS | {"query 0": v}),
        "parameters",
        [
            *NO_REALS, None, [], np.ones(4), np.ones((4, 5)), np.ones((3, 3)), np.ones((1, 4)),
            np.ones((4, 1)), np.ones((1, 4, 4)), np.full((4, 4), NAN), np.full((4, 4), "1"),
        ],
    ),
    (
        lambda v: learn(scheme=RelativeKeys(2), parameters=WEIGHTS | {"relative": v}),
        "parameters",
        [np.ones((3, 4)), np.ones((5, 6)), np.ones((33, 4)), np.full((5, 4), NAN)],
    ),
    (
        lambda v: learn(**({"task": back(2)} | v), parameters=WEIGHTS),
        "parameters",  # of another model
        [{"d_model": 6}, {"n_layers": 2}, {"task": where(6)}, {"scheme": "learned"}],
    ),
    (lambda v: extrapolate(task=v), "task", [3, "first", back, majority, subject]),
    (lambda v: extrapolate(scheme=v), "scheme", [None, 3, Rotary, "sinusoid"]),
    (
        lambda v: extrapolate(seeds=v),
        "seeds?",
        [None, 3, 1.5, True, [], (), range(0), "01", [1.5], [True], [0, -1], [None], ["0"]],
    ),
    (lambda v: extrapolate(longest=v), "longest", NO_COUNT),
    (lambda v: extrapolate(factor=v), "factor", NO_COUNT),
    (lambda v: extrapolate(steps=v), "steps", [*NO_INTEGER, -1]),
    (lambda v: extrapolate(**{v: 1}), "options", ["seed", "lengths", "step"]),
    (lambda v: MODEL.accuracy(v), "length", [*NO_LENGTH, 0]),
    (lambda v: MODEL.accuracy(4, size=v), "size", NO_COUNT),
    (lambda v: MODEL.accuracy(4, seed=v), "seed", NO_SEED),
    (MODEL.answers, "tokens", NO_TOKENS),
    (MODEL.states, "tokens", NO_TOKENS),
    # Lengths that a task or a scheme does not have
    (lambda v: learn(task=subject, lengths=v), "lengths?", [(2, 2), (4, 4), (3, 4), (4, 32)]),
    (lambda v: learn(task=where(v), lengths=(6, 6)), "lengths?", [1, 3, 5]),
    (lambda v: learn(task=where(6), lengths=(6, 6)).accuracy(v), "length", [7]),
    (lambda v: learn(task=jump, lengths=(1, v)), "lengths", [1]),  # no answer ever counts
    (lambda v: learn(task=back(6), lengths=(4, v)), "lengths", [4, 6]),
    (lambda v: learn(scheme="binary", d_model=2, lengths=(4, v)), "positions", [5, 1000]),
    (lambda v: learn(scheme="binary", d_model=2, lengths=(4, 4)).accuracy(v), "positions", [5]),
    (lambda v: learn(scheme=Learned(6), lengths=(4, v)), "length", [7, 1000]),
    (lambda v: learn(scheme=Learned(6)).accuracy(v), "length", [7, 8, 100]),
    (lambda v: learn(scheme=Learned(6)).answers(np.zeros((1, v), int)), "length", [7, 100]),
    (lambda v: learn(scheme=Learned(6)).states(np.zeros((1, v), int)), "length", [7, 100]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "name", "values"), CASES)
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, values):
    assert_named(call, name, values)


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (TypeError, lambda: learn(steps=1.0)),
        (TypeError, lambda: learn(rate="fast")),
        (TypeError, lambda: learn(scheme=3)),
        (TypeError, lambda: learn(task="2 back")),
        (TypeError, lambda: learn(parameters=[WEIGHTS])),
        (TypeError, lambda: learn(parameters=WEIGHTS | {"readout": "many"})),
        (TypeError, lambda: scheme("T5 buckets", bidirectional=1)),
        (TypeError, lambda: scheme("relative keys", clip=2.0)),
        (TypeError, lambda: TABLE(1.0)),
        (ValueError, lambda: TABLE(-1)),
        (ValueError, lambda: learn(steps=-1)),
        (ValueError, lambda: learn(rate=0)),
        (ValueError, lambda: learn(scheme="sinusoid")),
        (ValueError, lambda: learn(lengths=(6, 4))),
        (ValueError, lambda: learn(parameters={})),
        (ValueError, lambda: learn(parameters=WEIGHTS | {"readout": np.ones((4, 9))})),
        (ValueError, lambda: scheme("T5 buckets", n_buckets=1)),
        (ValueError, lambda: scheme("relative keys", clip=-2)),
        (ValueError, lambda: scheme("rotary", frequencies=[NAN])),
    ],
)
def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error(kind, call):
    with pytest.raises(kind):
        call()


def first_length(seed):
    """What the first batch of a training with lengths=(4, 1000) draws."""
    return np.random.default_rng([seed, 2]).integers(4, 1000 + 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        # The only step would draw a length that fits: that must not hide the misfit of others.
        ({"scheme": Learned(6), "lengths": (4, 1000), "steps": 1}, r"length: .*got 1000"),
        ({"scheme": "binary", "d_model": 2, "lengths": (4, 1000), "steps": 1}, "positions: "),
        (
            {"parameters": {k: v for k, v in WEIGHTS.items() if k != "key 0"}},
            "parameters: .*none named 'key 0'",
        ),
        ({"parameters": WEIGHTS | {"position": 1}}, "parameters: .*'position' as well"),
        (
            {"parameters": WEIGHTS | {"value 0": np.ones((4, 3))}},
            r"parameters: .*\(4, 4\) for value 0.*\(4, 3\)",
        ),
        (
            {"parameters": WEIGHTS | {"value 0": np.full((4, 4), NAN)}},
            "parameters, value 0: expected finite numbers",
        ),
    ],
)
def test_what_does_not_fit_is_refused_before_the_first_step(options, words):
    seen = []
    seed = next(s for s in range(10**4) if first_length(s) <= 4)
    with pytest.raises(ValueError, match=f"^{words}"):
        learn(**options, seed=seed, watch=lambda step, parameters: seen.append(step))
    assert seen == []


def test_a_table_that_ends_before_the_longer_sequences_is_refused_before_the_first_step():
    seen = []
    with pytest.raises(ValueError, match=r"^length: expected at most 6 .*got 8"):
        extrapolate(scheme=Learned(6), factor=2, watch=lambda *step: seen.append(step))
    assert seen == []


def test_the_parameters_of_a_scheme_are_not_those_of_another():
    one, other = (learn(scheme=s).parameters for s in ("relative bias", "T5 buckets"))
    for name, parameters, got in (("T5 buckets", one, 33), ("relative bias", other, 32)):
        with pytest.raises(ValueError, match=rf"^parameters: .*got \({got},\)"):  # both "bias"
            learn(scheme=name, parameters=parameters)
    with pytest.raises(ValueError, match=r"^parameters: expected .*\(20, 4\).*got \(12, 4\)"):
        learn(scheme=Learned(20), parameters=learn(scheme=Learned(12)).parameters)


@pytest.mark.parametrize(
    "lengths", [[4, 6], np.array([4, 6]), (np.int8(4), np.uint64(6)), range(4, 8, 3)], ids=str
)
def test_lengths_may_be_any_sequence_of_two_integers(lengths):
    assert learn(lengths=lengths).accuracy(4).shape == (4,)


def test_lengths_that_fit_are_not_refused():
    assert learn(task=subject, lengths=(3, 3)).accuracy(3).shape == (1,)
    assert learn(scheme="binary", d_model=2, lengths=(4, 4)).accuracy(4).shape == (4,)
    assert learn(scheme=Learned(6)).accuracy(6).shape == (6,)


def test_a_refused_batch_takes_nothing_from_the_generator():
    rng = np.random.default_rng(0)
    for size, length in ((0, 4), (2, 0), (2, 4.0)):
        with pytest.raises((TypeError, ValueError)):
            recent.batch(rng, size, length)
    np.testing.assert_array_equal(recent.batch(rng, 2, 4).tokens, draw().tokens)
