"""Bad input to schemes, tasks and training: an error that names the argument, never silence."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import pecode
from pecode.lab.learned import LearnedEmbedding
from pecode.lab.schemes import SCHEMES, Rotary, scheme
from pecode.lab.tasks import Task, back, jump, majority, recent, subject, where, with_start
from pecode.lab.training import extrapolation, train
from pecode.relative import alibi_bias, alibi_slopes, clipped_relative_positions, relative_positions
from pecode.rotary import rotate
from tests.test_bad_input import ANY_REALS, BAD, HUGE, INF, NAN, shown

NO_REAL = ["0.1", b"1", None, True, np.True_, 1j, [0.1], np.array([0.1]), object(), {0.1}]
NOT_FINITE = [NAN, INF, -INF, np.float32("nan"), 10**400]
ONE_INTEGER = BAD["one integer"]
NO_BOOL = [None, 0, 1, 0.0, NAN, "True", "yes", [True], np.array([True])]
NO_SEED = [1.5, NAN, True, np.True_, "0", b"0", None, 1j, -1, -HUGE, [0.5], object()]


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
SHORT = learn(scheme=scheme("learned", length=6))
TABLE = LearnedEmbedding(4, 2)

# (what is called, a call with one argument left open, the name of the argument, what it refuses)
CASES = [
    ("relative", relative_positions, "length", [*ONE_INTEGER, *BAD["length"]]),
    ("clipped", lambda v: clipped_relative_positions(v, 2), "length", [*ONE_INTEGER, -1]),
    ("clipped", lambda v: clipped_relative_positions(3, v), "clip", [*ONE_INTEGER, -1, -HUGE]),
    ("slopes", alibi_slopes, "n_heads", [*ONE_INTEGER, 0, -1, -HUGE, HUGE]),
    ("bias", lambda v: alibi_bias(v, [0.5]), "length", [*ONE_INTEGER, *BAD["length"]]),
    (
        "bias",
        lambda v: alibi_bias(3, v),
        "slopes",
        [*ANY_REALS, 0.5, [[0.5]], [NAN], [0.5, INF], ["a"], [True], [0.5, True], [1.7e308]],
    ),
    (
        "rotate",
        lambda v: rotate(v, 0),
        "x",
        [*ANY_REALS, 1.0, [], [1.0], [1.0] * 7, np.ones((2, 3)), np.ones((3, 0)), [NAN, 1.0]],
    ),
    ("rotate", lambda v: rotate(np.ones((2, 4)), v), "positions", BAD["positions"]),
    (
        "rotate",
        lambda v: rotate(np.ones((2, 3, 4)), v),
        "positions",
        [[1, 2], [1, 2, 3, 4], [[1, 2, 3]] * 3, [[[1, 2, 3]]], np.zeros((3, 2), int), []],
    ),
    ("rotate", lambda v: rotate([1.0, 2.0], v), "positions", [[1], [1, 2]]),
    ("rotate", lambda v: rotate([1.0, 2.0], 1, v), "base", BAD["base"]),
    (
        "rotate",
        lambda v: rotate([1.0, 2.0], 1, layout=v),
        "layout",
        ["", "Half", "concatenated", "neox", b"half", None, 0, True, ["half"]],
    ),
    # A learned table
    ("embedding", lambda v: LearnedEmbedding(v, 2), "length", [*ONE_INTEGER, *BAD["length"], 0]),
    ("embedding", lambda v: LearnedEmbedding(2, v), "d_model", [*ONE_INTEGER, *BAD["d_model"]]),
    ("embedding", lambda v: LearnedEmbedding(2, 2, v), "scale", [*NO_REAL, *NOT_FINITE, -1e-9, -1]),
    ("embedding", lambda v: LearnedEmbedding(2, 2, seed=v), "seed", NO_SEED),
    (
        "from_table",
        LearnedEmbedding.from_table,
        "table",
        [*ANY_REALS, 1.0, [], [1.0, 2.0], np.ones((2, 2, 2)), np.ones((0, 2)), np.ones((2, 0))],
    ),
    ("rows", TABLE, "positions", [*BAD["positions"], -1, 4, [0, 4], [-1, 0], -(2**63)]),
    # Schemes
    ("scheme", scheme, "name", ["", "sinusoid", "alibi", "NOTHING", None, 3, b"ALiBi", []]),
    ("scheme", lambda v: scheme("ALiBi", slope=v), "slope", [*NO_REAL, *NOT_FINITE]),
    ("scheme", lambda v: scheme("rotary", base=v), "base", BAD["base"]),
    ("scheme", lambda v: scheme("relative bias", clip=v), "clip", [*ONE_INTEGER, -1, -HUGE, HUGE]),
    ("scheme", lambda v: scheme("relative keys", clip=v), "clip", [*ONE_INTEGER, -1, -HUGE, HUGE]),
    (
        "scheme",
        lambda v: scheme("T5 buckets", n_buckets=v),
        "n_buckets",
        [*ONE_INTEGER, 1, 0, -2, -HUGE, HUGE],
    ),
    (
        "scheme both sides",
        lambda v: scheme("T5 buckets", n_buckets=v, bidirectional=True),
        "n_buckets",
        [*ONE_INTEGER, 2, 3, 31, 0, -4],
    ),
    (
        "scheme",
        lambda v: scheme("T5 buckets", max_distance=v),
        "max_distance",
        [*ONE_INTEGER, 16, 1, 0, -1, -HUGE, HUGE],
    ),
    ("scheme", lambda v: scheme("T5 buckets", bidirectional=v), "bidirectional", NO_BOOL),
    (
        "scheme",
        lambda v: scheme("rotary", frequencies=v),
        "frequencies",
        # None is the default
        [*ANY_REALS[1:], 1.0, [[1.0, 2.0]], [NAN, 1.0], [1.0, INF], [1.0, True], "12", {1.0, 2.0}],
    ),
    (
        "train rotary",
        lambda v: learn(scheme=scheme("rotary", frequencies=v)),
        "frequencies",
        [[], [1.0], [1.0, 2.0, 3.0], np.ones(4), [1.0, 1.7e308]],  # the model is 4 wide
    ),
    (
        "train learned",
        lambda v: learn(scheme=scheme("learned", length=v)),
        "length",
        [v for v in [*ONE_INTEGER, *BAD["length"], 0] if v is not None],  # None is the default
    ),
    (
        "train learned",
        lambda v: learn(scheme=scheme("learned", scale=v)),
        "scale",
        [v for v in [*NO_REAL, *NOT_FINITE, -1] if v is not None],
    ),
    (
        "train learned",
        lambda v: learn(scheme=scheme("learned", table=v)),
        "table",
        # None means that there is none; the model is 4 wide
        [*ANY_REALS[1:], 1.0, [], [1.0] * 4, np.ones((6, 3)), np.ones((6, 5)), np.ones((6, 1))],
    ),
    (
        "train rotary",
        lambda v: learn(scheme="rotary", d_model=v),
        "d_model",
        [*ONE_INTEGER, *BAD["d_model"], 1, 3, 7],
    ),
    # Tasks
    ("back", back, "offset", [*ONE_INTEGER, 0, -1, -HUGE]),
    ("where", where, "length", [*ONE_INTEGER, *BAD["length"], 0]),
    ("with_start", with_start, "task", [None, "majority", 3, back, Task, MODEL]),
    ("batch", lambda v: draw(size=v), "size", [*ONE_INTEGER, 0, -1, -HUGE]),
    ("batch", lambda v: draw(length=v), "length", [*ONE_INTEGER, *BAD["length"], 0]),
    ("batch", lambda v: draw(subject, length=v), "length", [*ONE_INTEGER, 1, 2, 4, 32]),
    ("batch", lambda v: recent.batch(v, 2, 4), "rng", [None, 0, 1.5, "0", np.random, [1]]),
    # Training
    ("train", lambda v: learn(task=v), "task", [3, "majority", back, Task, [majority], MODEL]),
    (
        "train",
        lambda v: learn(scheme=v),
        "scheme",
        [None, 3, True, b"rotary", [], {}, Rotary, np.ones((6, 4)), "", "sinusoid", "Rotary"],
    ),
    ("train", lambda v: learn(seed=v), "seed", [*ONE_INTEGER, -1, -HUGE]),
    ("train", lambda v: learn(steps=v), "steps", [*ONE_INTEGER, -1, -HUGE]),
    (
        "train",
        lambda v: learn(lengths=v),
        "lengths",
        [
            None, 4, 4.0, NAN, True, "46", b"46", (), (4,), (4, 5, 6), (6, 4), [32, 4], (0, 4),
            (-4, 4), (4.0, 6.0), (4, 6.5), (4, NAN), (True, 4), (4, True), (None, 6), (4, None),
            ("4", "6"), ([4], [6]), {4: 1, 6: 2}, {4, 6}, np.array([4.0, 6.0]), np.array([6, 4]),
            (4, HUGE), (HUGE, HUGE), object(),
        ],
    ),
    ("train", lambda v: learn(d_model=v), "d_model", [*ONE_INTEGER, *BAD["d_model"]]),
    ("train", lambda v: learn(n_layers=v), "n_layers", [*ONE_INTEGER, 0, -1, -HUGE]),
    ("train", lambda v: learn(causal=v), "causal", NO_BOOL),
    ("train", lambda v: learn(batch_size=v), "batch_size", [*ONE_INTEGER, 0, -1, -HUGE]),
    ("train", lambda v: learn(rate=v), "rate", [*NO_REAL, *NOT_FINITE, 0, 0.0, -0.02]),
    ("train", lambda v: learn(watch=v), "watch", [3, "print", True, [print], {"a": 1}]),
    (
        "train",
        lambda v: learn(parameters=v),
        "parameters",
        [
            3, True, "embedding", [], [("embedding", 1)], list(WEIGHTS.values()), np.ones((8, 4)),
            MODEL, object(), {}, {1: 2}, {None: None}, WEIGHTS | {1: np.ones(2)},
            WEIGHTS | {"position": np.ones((6, 4))}, WEIGHTS | {"query 1": np.ones((4, 4))},
            WEIGHTS | {("a",) * 200: 1}, {k: v for k, v in WEIGHTS.items() if k != "readout"},
            {k.upper(): v for k, v in WEIGHTS.items()}, dict.fromkeys(WEIGHTS),
        ],
    ),
    (
        "train",
        lambda v: learn(parameters=WEIGHTS | {"query 0": v}),
        "parameters",
        [
            *ANY_REALS, 1.0, [], np.ones(4), np.ones((4, 5)), np.ones((3, 3)), np.ones((1, 4)),
            np.ones((4, 1)), np.ones((1, 4, 4)), np.full((4, 4), NAN), np.full((4, 4), -INF),
            np.ones((4, 4), bool), np.ones((4, 4), complex), np.full((4, 4), "1"),
            np.full((4, 4), None), np.ma.ones((4, 4)),
        ],
    ),
    (
        "train relative keys",
        lambda v: learn(
            scheme=scheme("relative keys", clip=2), parameters=WEIGHTS | {"relative": v}
        ),
        "parameters",
        [np.ones((3, 4)), np.ones((5, 6)), np.ones((33, 4)), np.full((5, 4), NAN)],
    ),
    ("extrapolation", lambda v: extrapolate(task=v), "task", [3, "first", back, majority, subject]),
    ("extrapolation", lambda v: extrapolate(scheme=v), "scheme", [None, 3, Rotary, "sinusoid"]),
    (
        "extrapolation",
        lambda v: extrapolate(seeds=v),
        "seeds?",
        [None, 3, 1.5, True, [], (), range(0), "01", [1.5], [True], [0, -1], [None], ["0"]],
    ),
    ("extrapolation", lambda v: extrapolate(longest=v), "longest", [*ONE_INTEGER, 0, -1, -HUGE]),
    ("extrapolation", lambda v: extrapolate(factor=v), "factor", [*ONE_INTEGER, 0, -1, -HUGE]),
    ("extrapolation", lambda v: extrapolate(steps=v), "steps", [*ONE_INTEGER, -1]),
    # A trained model
    ("accuracy", lambda v: MODEL.accuracy(v), "length", [*ONE_INTEGER, *BAD["length"], 0]),
    ("accuracy", lambda v: MODEL.accuracy(4, size=v), "size", [*ONE_INTEGER, 0, -1]),
    ("accuracy", lambda v: MODEL.accuracy(4, seed=v), "seed", NO_SEED),
]  # fmt: skip
BAD_TOKENS = [
    None, 3, "abc", [[0.5, 1.0]], [[True, False]], [[0, 1], [2]], [[0, NAN]], np.array([0, 1]),
    np.array([[[0, 1]]]), np.array([[0.0, 1.0]]), np.array([[8, 0]]), np.array([[0, -1]]),
    np.array([[True, False]]), np.array([["a"]]), np.zeros((2, 0), int),
]  # fmt: skip
CASES += [
    ("answers", MODEL.answers, "tokens", BAD_TOKENS),
    ("states", MODEL.states, "tokens", BAD_TOKENS),
]


def each_case():
    seen = {}
    for what, call, name, values in CASES:
        for value in values:
            label = f"{what}-{name}-{shown(value)}"
            seen[label] = seen.get(label, 0) + 1
            yield pytest.param(call, name, value, id=f"{label}-{seen[label]}")


def refused(name, *more):
    """What the error must say: the argument, what was expected, what came, in this order."""
    return pytest.raises(
        (TypeError, ValueError), match=rf"^{name}\b.*expected .*got {'.*'.join(more)}"
    )


@pytest.mark.parametrize(("call", "name", "value"), list(each_case()))
def test_the_error_names_the_argument_what_was_expected_and_what_came(call, name, value):
    with refused(name) as caught:
        call(value)
    assert len(str(caught.value)) < 250  # a long array is not printed whole
    assert type(caught.value) in (TypeError, ValueError)


# Options


@pytest.mark.parametrize("name", SCHEMES)
def test_an_option_that_a_scheme_does_not_have_is_named(name):
    with pytest.raises(TypeError, match=rf"slop\b.*{name}|{name}.*slop\b"):
        scheme(name, slop=1)


def test_an_option_of_another_scheme_is_refused_with_those_there_are():
    with pytest.raises(TypeError, match=r"expected .*slope.*got .*clip"):
        scheme("ALiBi", clip=3)


def test_options_of_a_learned_table_are_refused_where_they_are_given():
    for bad in ({"length": 0}, {"length": "32"}, {"scale": -1}, {"table": [1.0, 2.0]}):
        (name,) = bad
        with refused(name):
            scheme("learned", **bad)


# Lengths that a scheme or a task does not have


def test_sequences_longer_than_a_learned_table_are_refused_in_training():
    with refused("lengths?", "7"):
        learn(scheme=scheme("learned", length=6), lengths=(7, 7))


def test_they_are_refused_before_the_first_step():
    # Steps that happen to draw shorter sequences must not hide it, nor be lost when it comes out.
    seen = []
    with refused("lengths?"):
        learn(
            scheme=scheme("learned", length=6),
            lengths=(4, 1000),
            steps=1,
            seed=next(s for s in range(10**4) if drawn_length(s, 4, 1000) <= 6),
            watch=lambda step, parameters: seen.append(step),
        )
    assert seen == []


def drawn_length(seed, shortest, longest):
    """What the first batch of a training draws."""
    return np.random.default_rng([seed, 2]).integers(shortest, longest + 1)


@pytest.mark.parametrize("length", [7, 8, 100])
def test_sequences_longer_than_a_learned_table_are_refused_in_a_trained_model(length):
    with refused("length", str(length)):
        SHORT.accuracy(length)
    for call in (SHORT.answers, SHORT.states):
        with refused("length", str(length)):
            call(np.zeros((1, length), int))
    assert SHORT.accuracy(6).shape == (6,)


def test_a_learned_table_that_ends_before_the_longer_sequences_is_refused_before_training():
    seen = []
    with refused("(length|factor|longest)", "8"):
        extrapolate(
            scheme=scheme("learned", length=6),
            factor=2,
            watch=lambda step, parameters: seen.append(step),
        )
    assert seen == []


def test_positions_that_do_not_fit_the_bits_are_refused():
    with refused("(positions|d_model|lengths)"):
        learn(scheme="binary", d_model=2, lengths=(5, 5))
    assert learn(scheme="binary", d_model=2, lengths=(4, 4)).accuracy(4).shape == (4,)
    with refused("(positions|d_model|length)"):
        learn(scheme="binary", d_model=2, lengths=(4, 4)).accuracy(5)


def test_a_width_is_refused_for_its_bits_before_the_first_step():
    with refused("(positions|d_model|lengths)"):
        learn(
            scheme="binary",
            d_model=2,
            lengths=(4, 1000),
            steps=1,
            seed=next(s for s in range(10**4) if drawn_length(s, 4, 1000) <= 4),
        )


@pytest.mark.parametrize("lengths", [(2, 2), (4, 4), (3, 4), (4, 32)])
def test_a_sentence_of_other_than_three_words_is_refused(lengths):
    with refused("lengths?"):
        learn(task=subject, lengths=lengths, steps=20)


def test_a_sentence_of_three_words_is_not():
    assert learn(task=subject, lengths=(3, 3)).accuracy(3).shape == (1,)


def test_sequences_with_more_positions_than_there_are_answers_are_refused():
    with refused("lengths?"):
        learn(task=where(3), lengths=(6, 6))
    with refused("length"):
        learn(task=where(6), lengths=(6, 6)).accuracy(7)


def test_a_length_at_which_no_answer_ever_counts_is_not_called_a_rate_that_is_too_large():
    for task, lengths in ((back(6), (4, 6)), (jump, (1, 1))):
        with refused("lengths?"):
            learn(task=task, lengths=lengths)


# Parameters to go on from


def test_parameters_are_refused_before_the_first_step_and_say_which_they_are():
    seen = []
    for bad, words in [
        ({k: v for k, v in WEIGHTS.items() if k != "key 0"}, r"none named 'key 0'"),
        (WEIGHTS | {"position": 1}, r"'position' as well"),
        (WEIGHTS | {"value 0": np.ones((4, 3))}, r"\(4, 4\) for value 0.*\(4, 3\)"),
        (WEIGHTS | {"value 0": np.full((4, 4), NAN)}, r"value 0: expected finite numbers"),
    ]:
        with pytest.raises(ValueError, match=rf"^parameters.*{words}"):
            learn(parameters=bad, watch=lambda step, parameters: seen.append(step))
    assert seen == []


@pytest.mark.parametrize(
    "changed",
    [{"d_model": 6}, {"n_layers": 2}, {"task": where(6)}, {"scheme": "learned"}],
    ids=["width", "layers", "task", "scheme"],
)
def test_parameters_of_another_model_are_refused(changed):
    with refused("parameters"):
        learn(**({"task": back(2)} | changed), parameters=WEIGHTS)


def test_the_parameters_of_a_scheme_are_not_those_of_another():
    ones = {name: learn(scheme=name).parameters for name in ("relative bias", "T5 buckets")}
    with refused("parameters", r"\(33,\)"):  # both are called bias
        learn(scheme="T5 buckets", parameters=ones["relative bias"])
    with refused("parameters", r"\(32,\)"):
        learn(scheme="relative bias", parameters=ones["T5 buckets"])


def test_parameters_so_large_that_training_fails_are_said_to_do_so():
    large = {name: 1e200 * array for name, array in WEIGHTS.items()}
    with pytest.raises(FloatingPointError, match="not finite at step 1"):
        learn(parameters=large)


# Kinds


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
        (ValueError, lambda: learn(parameters={})),
        (ValueError, lambda: learn(parameters=WEIGHTS | {"readout": np.ones((4, 9))})),
        (ValueError, lambda: scheme("T5 buckets", n_buckets=1)),
        (ValueError, lambda: scheme("relative keys", clip=-2)),
        (ValueError, lambda: scheme("rotary", frequencies=[NAN])),
        (TypeError, lambda: clipped_relative_positions(3, 1.0)),
        (TypeError, lambda: rotate([1.0, 2.0], 1.0)),
        (TypeError, lambda: TABLE(1.0)),
        (ValueError, lambda: learn(steps=-1)),
        (ValueError, lambda: learn(rate=0)),
        (ValueError, lambda: learn(scheme="sinusoid")),
        (ValueError, lambda: learn(lengths=(6, 4))),
        (ValueError, lambda: clipped_relative_positions(3, -1)),
        (ValueError, lambda: rotate([1.0, 2.0], 1, layout="other")),
        (ValueError, lambda: TABLE(-1)),
    ],
)
def test_a_wrong_type_is_a_type_error_and_a_wrong_value_a_value_error(kind, call):
    with pytest.raises(kind):
        call()


def test_tokens_in_lists_are_read_like_an_array():
    np.testing.assert_array_equal(
        MODEL.answers([[0, 1, 2], [3, 4, 5]]), MODEL.answers(np.arange(6).reshape(2, 3))
    )


def test_a_pair_of_lengths_may_be_any_sequence_of_two_integers():
    for lengths in ([4, 6], np.array([4, 6]), (np.int8(4), np.uint64(6)), range(4, 8, 3)):
        assert learn(lengths=lengths).accuracy(4).shape == (4,)


def test_a_refused_batch_takes_nothing_from_the_generator():
    rng = np.random.default_rng(0)
    for bad in ((0, 4), (2, 0), (2, 4.0)):
        with pytest.raises((TypeError, ValueError)):
            recent.batch(rng, *bad)
    fresh = np.random.default_rng(0)
    np.testing.assert_array_equal(recent.batch(rng, 2, 4).tokens, recent.batch(fresh, 2, 4).tokens)


def test_every_public_function_is_tried():
    files = sorted(Path(__file__).parent.glob("test_bad_input*.py"))
    modules = [
        importlib.import_module(f"tests.{f.stem}") for f in files if "\nCASES = [" in f.read_text()
    ]
    calls = [part for module in modules for case in module.CASES for part in case if callable(part)]
    functions = [call for call in calls if hasattr(call, "__code__")]
    tried = {name for call in functions for name in (call.__name__, *call.__code__.co_names)}
    tried |= {"self_attention", "attention_weights"}  # through attend and weigh
    tried |= {"interpolated", "ntk_aware"}  # in a loop over both
    assert set(pecode.__all__) <= tried
