"""A scheme or a task of one's own: what fits works, what does not is refused before training."""

import copy
import pickle

import numpy as np
import pytest

from pecode import sinusoidal
from pecode.lab.schemes import SCHEMES, Fixed, RelativeKeys, Scheme, scheme
from pecode.lab.tasks import Task, back, first, reverse
from pecode.lab.training import extrapolation, train

OPTIONS = {"steps": 3, "lengths": (4, 6), "d_model": 8, "batch_size": 2}


class Sliding(Scheme):
    """Sinusoids from a random position on."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def table(self, parameters, length, d_model):
        return sinusoidal(self.rng.integers(0, 90) + np.arange(length), d_model)


class Returns(Scheme):
    """What a scheme may return wrongly."""

    def __init__(self, **parts):
        self.parts = parts

    def start(self, rng, d_model):
        return self.parts.get("start", {})

    def table(self, parameters, length, d_model):
        return self.parts["table"](length, d_model) if "table" in self.parts else 0.0

    def bias(self, parameters, length):
        return self.parts["bias"](length) if "bias" in self.parts else 0.0

    def rotation(self, length, d_model):
        return self.parts["rotation"](length, d_model) if "rotation" in self.parts else None

    def relative_keys(self, parameters, length, d_model):
        return self.parts["keys"](length, d_model) if "keys" in self.parts else None


def test_a_fixed_table_of_ones_own_is_the_built_in_one():
    own = Fixed(lambda positions, length, d_model: sinusoidal(positions, d_model))
    models = [train(back(2), position, **OPTIONS) for position in (own, "sine and cosine")]
    for name, array in models[0].parameters.items():
        np.testing.assert_array_equal(array, models[1].parameters[name])


def test_a_scheme_that_draws_is_not_moved_on_by_the_checks_before_training():
    seen = []

    class Recorded(Sliding):
        def table(self, parameters, length, d_model):
            first = self.rng.integers(0, 90)
            if parameters["embedding"].__class__ is not np.ndarray:  # while a gradient is taken
                seen.append(int(first))
            return sinusoidal(first + np.arange(length), d_model)

    train(back(2), Recorded(3), **OPTIONS)
    rng = np.random.default_rng(3)
    assert seen == [int(rng.integers(0, 90)) for _ in range(3)]


@pytest.mark.parametrize(
    "parts",
    [
        {"table": lambda length, d_model: np.ones(d_model)},
        {"table": lambda length, d_model: np.ones((length, 1))},
        {"table": lambda length, d_model: np.ones((length + 1, d_model))},
        {"table": lambda length, d_model: np.full((length, d_model), np.nan)},
        {"table": lambda length, d_model: np.ones((length, d_model), complex)},
        {"table": lambda length, d_model: None},
        {"bias": lambda length: np.ones(length)},
        {"bias": lambda length: np.full((length, length), -np.inf)},
        {"bias": lambda length: np.ones((length, length), bool)},
        {"bias": lambda length: None},
        {"rotation": lambda length, d_model: (np.ones(d_model), np.ones(d_model))},
        {"rotation": lambda length, d_model: (np.ones((length, 1)), np.ones((length, 1)))},
        {"rotation": lambda length, d_model: np.full((2, length, d_model), np.nan)},
        {"keys": lambda length, d_model: 0.0},
        {"keys": lambda length, d_model: np.array(0.0)},
        {"keys": lambda length, d_model: np.ones(d_model)},
        {"keys": lambda length, d_model: np.ones((length, d_model))},
        {"keys": lambda length, d_model: np.ones((1, 1, d_model))},
        {"keys": lambda length, d_model: np.ones((length, 1, d_model))},
        {"keys": lambda length, d_model: np.ones((1, length, d_model))},
        {"keys": lambda length, d_model: np.ones((length, length, 1))},
        {"keys": lambda length, d_model: np.ones((d_model, length, length))},
        {"keys": lambda length, d_model: np.ones((2, length, length, d_model))},
        {"keys": lambda length, d_model: np.ones((6, 6, d_model))},  # only the longest is right
        {"keys": lambda length, d_model: np.ones((4, 4, d_model))},  # and only the shortest
        {"keys": lambda length, d_model: np.ones((length, min(length, 4), d_model))},
        {"keys": lambda length, d_model: np.full((length, length, d_model), np.nan)},
        {"keys": lambda length, d_model: np.full((length, length, d_model), np.inf)},
        {"keys": lambda length, d_model: np.ones((length, length, d_model), complex)},
        {"keys": lambda length, d_model: np.ones((length, length, d_model), bool)},
        {"keys": lambda length, d_model: np.ones((length, length, d_model)).tolist()},
        {"start": {"embedding": np.ones((8, 8))}},
        {"start": {"query 1": np.ones((8, 8))}},
    ],
)
def test_what_does_not_fit_the_model_is_refused(parts):
    with pytest.raises((TypeError, ValueError), match=r"^scheme\b.*: expected .*got ") as caught:
        train(back(2), Returns(**parts), **OPTIONS)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("part", "shape"),
    [
        ("table", lambda length, d_model: (length if length <= 6 else 1, d_model)),
        ("bias", lambda length, d_model: (length if length <= 6 else 1, length)),
        ("rotation", lambda length, d_model: (2, length if length <= 6 else 1, d_model)),
        ("keys", lambda length, d_model: (min(length, 6), min(length, 6), d_model)),
        ("keys", lambda length, d_model: (*[length if length <= 6 else 1] * 2, d_model)),
    ],
)
def test_what_fits_the_lengths_of_training_alone_is_refused_at_others(part, shape):
    def returned(length, d_model=8):
        return np.ones(shape(length, d_model))

    model = train(back(2), Returns(**{part: returned}), **OPTIONS)
    assert model.accuracy(5).shape == (5,)
    name = {"keys": "relative_keys"}.get(part, part)
    tokens = np.zeros((1, 7), int)
    for call in (lambda: model.accuracy(7), lambda: model.states(tokens)):
        with pytest.raises(ValueError, match=rf"^scheme\.{name}: expected shape .*7.*got "):
            call()


def test_what_was_not_tried_in_training_is_not_taken_as_it_is():
    def keys(length, d_model):
        return np.full((length, length, d_model), np.nan if length > 6 else 0.0)

    model = train(back(2), Returns(keys=keys), **OPTIONS)
    with pytest.raises(ValueError, match=r"^scheme\.relative_keys: expected finite numbers"):
        model.answers(np.zeros((1, 7), int))


def test_relative_keys_of_ones_own_are_the_built_in_ones():
    class Own(Scheme):
        def start(self, rng, d_model):
            return RelativeKeys(clip=2).start(rng, d_model)

        def relative_keys(self, parameters, length, d_model):
            t = np.arange(length)
            steps = [[max(-2, min(2, int(key) - int(query))) + 2 for key in t] for query in t]
            return parameters["relative"][np.array(steps)]

    models = [train(back(2), s, **OPTIONS) for s in (Own(), scheme("relative keys", clip=2))]
    for name, array in models[0].parameters.items():
        np.testing.assert_array_equal(array, models[1].parameters[name])


def test_a_rotation_may_be_one_array_of_cosines_and_sines():
    class Stacked(Scheme):
        def rotation(self, length, d_model):
            return np.array(scheme("rotary").rotation(length, d_model))

    models = [train(back(2), position, **OPTIONS) for position in (Stacked(), "rotary")]
    for name, array in models[0].parameters.items():
        np.testing.assert_array_equal(array, models[1].parameters[name])


def test_a_scheme_that_draws_is_not_moved_on_by_the_checks_of_a_trained_model():
    model = train(back(2), Sliding(3), **OPTIONS)
    rng = copy.deepcopy(model.scheme.rng)
    tokens = np.zeros((1, 5), int)
    first = model.states(tokens)[0] - model.parameters["embedding"][tokens]
    begin = rng.integers(0, 90)
    np.testing.assert_allclose(first[0], sinusoidal(begin + np.arange(5), 8), atol=1e-12)


@pytest.mark.parametrize("rows", [3, 7])
def test_a_formula_with_too_few_or_too_many_rows_is_refused(rows):
    with pytest.raises(ValueError, match=r"^encode: expected 4 rows"):
        train(back(2), Fixed(lambda t, length, d: np.ones((rows, d))), **OPTIONS)


def test_a_formula_that_is_too_wide_is_refused():
    with pytest.raises(ValueError, match=r"^encode: expected .* at most 8 numbers"):
        train(back(2), Fixed(lambda t, length, d: np.ones((length, d + 1))), **OPTIONS)


def drawn(tokens=None, targets=None, counted=None, **options):
    """A task that draws what is given in place of sound parts."""

    def draw(rng, size, length):
        sound = np.zeros((size, length), int)
        return (
            sound if tokens is None else tokens(size, length),
            sound if targets is None else targets(size, length),
            sound == 0 if counted is None else counted(size, length),
        )

    return Task("own", 8, 8, draw, **options)


@pytest.mark.parametrize(
    "task",
    [
        drawn(tokens=lambda size, length: np.full((size, length), -1)),
        drawn(tokens=lambda size, length: np.full((size, length), 8)),
        drawn(tokens=lambda size, length: np.zeros((size, length))),
        drawn(targets=lambda size, length: np.full((size, length), -1)),
        drawn(targets=lambda size, length: np.zeros((size, 1), int)),
        drawn(targets=lambda size, length: np.zeros(size, int)),
        drawn(counted=lambda size, length: np.ones((size, length), int)),
        drawn(pooled=True),
    ],
)
def test_a_task_that_draws_what_training_would_take_in_silence_is_refused(task):
    with pytest.raises(ValueError, match=r"^draw: expected"):
        train(task, "nothing", **OPTIONS)


def test_a_target_that_does_not_count_may_be_anything():
    task = drawn(
        targets=lambda size, length: np.full((size, length), -100),
        counted=lambda size, length: np.zeros((size, length), bool),
    )
    assert not task.batch(np.random.default_rng(0), 2, 3).counted.any()


def test_a_batch_shares_no_memory_between_tokens_and_targets():
    batch = reverse.batch(np.random.default_rng(0), 2, 5)
    assert not np.shares_memory(batch.tokens, batch.targets)


def test_what_watch_gets_is_its_own():
    def spoil(step, parameters):
        parameters["embedding"][:] = 0

    spoilt, plain = (train(back(2), "learned", watch=watch, **OPTIONS) for watch in (spoil, None))
    for name, array in plain.parameters.items():
        np.testing.assert_array_equal(array, spoilt.parameters[name])


def test_no_stream_of_random_numbers_is_that_of_the_seed_alone():
    model = train(back(2), "nothing", seed=5, **(OPTIONS | {"steps": 0}))
    alone = np.random.default_rng(5).standard_normal((8, 8))
    assert not np.allclose(model.parameters["embedding"], alone)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_model_can_be_pickled(name):
    model = train(first, scheme(name), **OPTIONS)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(model.accuracy(6), again.accuracy(6))


@pytest.mark.parametrize("options", [{"seed": 1}, {"lengths": (4, 8)}, {"step": 3}])
def test_extrapolation_names_an_option_that_it_does_not_have(options):
    with pytest.raises(TypeError, match=rf"^options: expected .* got {next(iter(options))}"):
        extrapolation(back(2), "nothing", [0], 8, **options)


def test_a_function_without_a_hash_is_refused():
    class Unhashable:
        __hash__ = None

        def __call__(self, positions, length, d_model):
            return np.zeros((length, d_model))

    with pytest.raises(TypeError, match=r"^encode: expected a function with a hash"):
        Fixed(Unhashable())
