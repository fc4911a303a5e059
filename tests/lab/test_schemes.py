"""What the schemes tell a model; schemes of one's own; what does not fit is refused."""

import contextlib
import copy

import numpy as np
import pytest

import pecode
from lab import schemes
from lab.schemes import ALiBi, Fixed, Learned, RelativeBias, RelativeKeys, Rotary, Scheme, scheme
from lab.tasks import back
from lab.training import train
from pecode.axes import rotate_points
from pecode.relative import clipped_relative_positions, relative_positions, t5_bias

from .models import VARIANTS, same, untrained

OPTIONS = {"steps": 3, "lengths": (4, 6), "d_model": 8, "batch_size": 2}
PARTS = ["table", "bias", "rotation", "relative_keys"]


def part(scheme, name, parameters, length=5, d_model=6):
    arguments = {"bias": (parameters, length), "rotation": (length, d_model)}
    return getattr(scheme, name)(*arguments.get(name, (parameters, length, d_model)))


@pytest.mark.parametrize("name", VARIANTS)
def test_a_scheme_does_one_thing_and_nobody_can_spoil_it_by_writing(name):
    scheme, parameters = VARIANTS[name], untrained(VARIANTS[name])
    returned = {name: part(scheme, name, parameters) for name in PARTS}
    does = [name for name, value in returned.items() if value is not None and np.any(value)]
    places = {Fixed: "table", Learned: "table", Rotary: "rotation", RelativeKeys: "relative_keys"}
    expected = [] if type(scheme) is Scheme else [places.get(type(scheme), "bias")]
    assert does == expected
    for place in [] if name == "learned" else does:  # its rows are the parameters themselves
        before = copy.deepcopy(returned[place])
        for array in returned[place] if place == "rotation" else [returned[place]]:
            with contextlib.suppress(ValueError):  # read-only, which is as good as a copy
                array[...] = 7
        np.testing.assert_equal(part(scheme, place, parameters), before)


def test_a_fixed_scheme_adds_the_encoding_of_its_name():
    t, d_model = range(9), 6
    for name, expected in {
        "count": pecode.count(t),
        "normalized count": pecode.normalized_count(t, 9),
        "binary": pecode.binary(t, d_model, "little"),
        "sine and cosine": pecode.sinusoidal(t, d_model),
    }.items():
        table = scheme(name).table({}, 9, d_model)
        width = expected.shape[1]
        np.testing.assert_array_equal(table[:, :width], expected)
        np.testing.assert_array_equal(table[:, width:], 0)


def test_alibi_lowers_a_score_by_the_slope_and_by_one_where_none_is_given():
    distances = np.abs(relative_positions(5))
    for alibi, slope in ((ALiBi(), 1.0), (ALiBi(0.25), 0.25), (scheme("ALiBi"), 1.0)):
        np.testing.assert_array_equal(alibi.bias({}, 5), -slope * distances)


@pytest.mark.parametrize("length", [1, 9, 40])
@pytest.mark.parametrize("clip", [0, 1, 3, 20])
def test_relative_schemes_have_a_parameter_for_each_offset_up_to_the_clip(clip, length):
    offsets = clipped_relative_positions(length, clip) + clip  # key minus query, from 0 on
    scheme, keys = RelativeBias(clip), RelativeKeys(clip)
    numbers, vectors = untrained(scheme)["bias"], untrained(keys)["relative"]
    assert (numbers.shape, vectors.shape) == ((2 * clip + 1,), (2 * clip + 1, 6))
    bias = scheme.bias({"bias": numbers}, length)
    np.testing.assert_array_equal(bias, RelativeBias.GAIN * numbers[offsets])
    keys = keys.relative_keys({"relative": vectors}, length, 6)
    np.testing.assert_array_equal(keys, vectors[offsets])


@pytest.mark.parametrize("length", [1, 9, 40, 150])
@pytest.mark.parametrize(
    "options", [(32, 128, False), (4, 3, False), (8, 5, True), (10, 2**31, True)]
)
def test_the_bias_of_buckets_is_that_of_t5(options, length):
    scheme = schemes.BucketBias(*options)
    numbers = untrained(scheme)["bias"]
    assert numbers.shape == options[:1]
    expected = t5_bias(length, scheme.GAIN * numbers[:, None], *options[1:])[0]  # one head
    np.testing.assert_array_equal(scheme.bias({"bias": numbers}, length), expected)
    assert schemes.BucketBias().options == (32, 128, False)


def test_points_turn_as_pecode_turns_them_and_one_axis_is_rotary():
    rng = np.random.default_rng(0)
    points, omega = rng.normal(size=(5, 3)), rng.normal(size=(3, 3))
    x = rng.normal(size=(5, 6))
    cos, sin = schemes.RotaryPoints(points, omega).rotation(5, 6)
    turned = x * cos + np.stack([-x[:, 1::2], x[:, 0::2]], axis=-1).reshape(5, 6) * sin
    np.testing.assert_allclose(turned, rotate_points(x, points, omega), rtol=0, atol=1e-14)
    line = schemes.RotaryPoints(np.arange(5)[:, None], pecode.frequencies(6)[:, None])
    np.testing.assert_allclose(line.rotation(5, 6), Rotary().rotation(5, 6), rtol=0, atol=1e-15)


# A scheme of one's own


class Sliding(Scheme):
    """Sinusoids from a random position on, which it notes."""

    def __init__(self, seed):
        self.rng, self.begins = np.random.default_rng(seed), []

    def table(self, parameters, length, d_model):
        self.begins.append(int(self.rng.integers(0, 90)))
        return pecode.sinusoidal(self.begins[-1] + np.arange(length), d_model)


def test_a_scheme_that_draws_is_not_advanced_by_the_checks():
    model = train(back(2), Sliding(3), **OPTIONS)
    rng = np.random.default_rng(3)
    assert model.scheme.begins == [int(rng.integers(0, 90)) for _ in range(3)]
    tokens = np.zeros((1, 5), int)
    first = model.states(tokens)[0] - model.parameters["embedding"][tokens]
    expected = pecode.sinusoidal(rng.integers(0, 90) + np.arange(5), 8)
    np.testing.assert_allclose(first[0], expected, rtol=0, atol=1e-12)


# What a scheme may return wrongly, from (length, d_model); training tries lengths 4 and 6

WRONG = {
    "table": [lambda n, d: np.ones(d), lambda n, d: np.ones((n, 1)),
              lambda n, d: np.full((n, d), np.nan), lambda n, d: None],
    "bias": [lambda n, d: np.ones(n), lambda n, d: np.full((n, n), -np.inf),
             lambda n, d: np.ones((n, n), bool)],
    "rotation": [lambda n, d: (np.ones((n, 1)), np.ones((n, 1))), lambda n, d: np.ones((3, n, d)),
                 lambda n, d: np.ones((2, n, d)).cumsum(1)],  # no cosines and sines of one angle
    "relative_keys": [lambda n, d: 0.0, lambda n, d: np.ones((1, n, d)),
                      lambda n, d: np.ones((6, 6, d)),  # right for the longest alone
                      lambda n, d: np.ones((n, n, d)).tolist()],
    "start": [lambda n, d: {"embedding": np.ones((8, 8))}, lambda n, d: {"query 1": np.eye(8)},
              lambda n, d: None, lambda n, d: {"own": "x"}, lambda n, d: {"own": np.nan}],
}  # fmt: skip


class Returns(Scheme):
    """One part of the scheme returns something else than nothing."""

    def __init__(self, name, returned):
        def method(*arguments):
            length = next((n for n in arguments if isinstance(n, int)), 8)
            return returned(length, 8)

        setattr(self, name, method)


def test_cosines_and_sines_may_be_longer_by_one_factor_alone():
    """YaRN's temperature makes all of them longer; a millionth apart is rounding, more is not."""

    def scaled(last):
        def waves(n, d):
            factors = np.where(np.arange(n) == n - 1, last, 1.2)[:, None]
            return tuple(factors * wave for wave in Rotary().rotation(n, d))

        return Returns("rotation", waves)

    train(back(2), scaled(1.2 * (1 + 5e-7)), **OPTIONS)
    with pytest.raises(ValueError, match=r"^scheme\.rotation: expected cosines and sines of the"):
        train(back(2), scaled(1.2 * (1 + 3e-6)), **OPTIONS)


@pytest.mark.parametrize(("name", "returned"), [(name, r) for name in WRONG for r in WRONG[name]])
def test_what_does_not_fit_the_model_is_refused(name, returned):
    words = rf"^scheme\.{name}: expected .*got "
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        train(back(2), Returns(name, returned), **OPTIONS)
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("name", schemes.SCHEMES)
def test_an_option_of_another_scheme_is_refused_with_those_there_are(name):
    with pytest.raises(TypeError, match=rf"^options: expected .*{name}.*got slop"):
        scheme(name, slop=1)
    with pytest.raises(TypeError, match=r"expected .*slope.*got .*clip"):
        scheme("ALiBi", clip=3)


@pytest.mark.parametrize("name", ["sine and cosine", "rotary", "relative bias", "relative keys"])
def test_a_window_hides_the_far_keys_of_another_scheme(name):
    inside, window = scheme(name), schemes.Window(scheme(name), keys=3)
    parameters = untrained(inside)
    for other in [each for each in PARTS if each != "bias"]:
        expected = part(inside, other, parameters)
        np.testing.assert_equal(part(window, other, parameters), expected)
    hidden = part(window, "bias", parameters) - part(inside, "bias", parameters) < -1e8
    np.testing.assert_equal(hidden, relative_positions(5) < -2)
    assert same(untrained(window), parameters)


# Layers with schemes of their own


ONE = "schemes: expected schemes of one layer, got "


@pytest.mark.parametrize(
    ("layers", "error", "words"),
    [
        ([], ValueError, "schemes: expected at least one, got none"),
        ([Rotary(), "nothing"], TypeError, f"{ONE}'nothing'"),
        ([schemes.Layered(Rotary())], TypeError, f"{ONE}.*Layered"),
        ([RelativeBias(), RelativeBias()], ValueError, "expected one that trains 'bias', got two"),
        ([Scheme(), scheme("count")], ValueError, "a table in the first layer alone, got .* Fixed"),
    ],
)
def test_layers_that_do_not_fit_one_another_are_refused(layers, error, words):
    with pytest.raises(error, match=words):
        train(back(2), schemes.Layered(*layers), n_layers=2, **OPTIONS)
