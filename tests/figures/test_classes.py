"""The classes of the figures: what they take, refuse and keep."""

import json
import re

import numpy as np
import pytest
import traitlets

import figures
from figures import EncodingTable, GuessTheBug, Reach, Shuffle, guess
from figures.base import FloatTrait, IntTrait
from pecheck.variants import VARIANTS
from pecode import sinusoidal_table
from tests import data

CLASSES = {name: getattr(figures, name) for name in figures.FIGURES}
REFUSED = data("figures/refused.yml")
every_class = pytest.mark.parametrize("figure", CLASSES.values(), ids=CLASSES)
TraitError = traitlets.TraitError


@every_class
def test_the_ends_of_a_range_are_taken_and_nothing_beyond(figure):
    for name, trait in figure.class_traits(public=True).items():
        if isinstance(trait, FloatTrait | IntTrait) and None not in (trait.min, trait.max):
            for end in (trait.min, trait.max):
                instance = figure()
                if (name, end) not in AMONG_OTHERS:
                    setattr(instance, name, end)
                    assert instance.get_state()[name] == end
            bad = [trait.min - 1, trait.max + 1, True, "x", float("nan")]
            refuses(figure, name, *bad, *([0.5] if isinstance(trait, IntTrait) else []))
        elif isinstance(trait, traitlets.Enum):
            refuses(figure, name, "another", 3)
            assert [getattr(figure(**{name: value}), name) for value in trait.values]
        elif isinstance(trait, traitlets.Bool):
            refuses(figure, name, "yes")


# The ends that depend on another value: a narrow table has no column 63, a new game no table 13.
AMONG_OTHERS = {("column", 63), ("case", 13)}


def refuses(figure, name, *values):
    instance = figure()
    before = repr(instance)
    for value in values:
        with pytest.raises(TraitError, match=name):
            setattr(instance, name, value)
        with pytest.raises(TraitError):
            figure(**{name: value})
    assert repr(instance) == before


@pytest.mark.parametrize(("figure", "name", "values"), REFUSED["traits"])
def test_what_no_range_says_is_refused(figure, name, values):
    refuses(CLASSES[figure], name, *values)


@every_class
def test_a_figure_is_described_and_its_repr_makes_it_again(figure):
    assert len(figure.alt) >= 40
    assert figure.alt.endswith(".")
    assert repr(eval(repr(figure()), {figure.__name__: figure})) == repr(figure())
    with pytest.raises(TypeError, match=f"{figure.__name__}: expected some of .*, got colour"):
        figure(colour=1)


def test_a_choice_that_is_gone_moves_to_the_last_there_is():
    table = EncodingTable(column=20)
    table.d_model = 8
    assert table.column == 7
    table.set_state({"column": 40, "d_model": 64})  # as the browser sends it, in any order
    assert (table.column, table.d_model) == (40, 64)
    game = GuessTheBug(answers=["no bug", "wrong base"], case=2)
    with pytest.raises(TraitError, match="answers: expected an answer for each table before case"):
        game.answers = ["no bug"]


# What is given when a figure is made


def test_what_is_given_is_kept_rounded_as_plain_numbers():
    runs = np.zeros((3, 12))
    runs[:, :4] = [[0.1], [0.5], [0.6]]
    runs[:, 4:6], runs[:, 6:8], runs[:, 8:] = np.nan, 0.25, np.nan
    data = Reach({"2 back": {"mine": runs}}, trained=4, guessing={"2 back": 1 / 3}).data
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["curves"] == [[{"median": "50 25 -", "low": "10 25 -", "high": "60 25 -"}]]
    assert data["guessing"] == [0.3333]
    with pytest.raises(TraitError, match="read-only"):
        Reach().data = []


@pytest.mark.parametrize(("given", "message"), REFUSED["results"])
def test_a_bad_argument_is_refused_by_its_name(given, message):
    with pytest.raises(TraitError, match=re.escape(message)):
        Reach(**{"trained": 4} | given)


def test_defaults_follow_what_is_given():
    runs = {"recent": dict.fromkeys(["ALiBi", "count"], np.zeros((2, 64)))}
    assert repr(Reach(runs)) == "Reach(guess=1.0, scheme='ALiBi', task=0)"


def test_the_game_has_every_variant_but_those_that_would_be_twins():
    # the length of the table is another width for this one: in the figure it would be a twin
    assert set(VARIANTS) - set(guess.NAMES) == {"length for width", "factor 2 by column"}
    makers = [VARIANTS[name].make for name in guess.NAMES[1:]] + [sinusoidal_table]
    tables = np.array([make(1024, 32)[list(guess.ROWS)] for make in makers])
    for k, table in enumerate(tables):
        assert np.abs(np.delete(tables, k, axis=0) - table).max(axis=(1, 2)).min() > 0.5
    assert all(
        guess.about(name).endswith(".") and "`" not in guess.about(name) for name in guess.NAMES
    )


def test_the_numbers_of_shuffle_are_those_of_chapter_1():
    rng = np.random.default_rng(0)
    vectors = {word: rng.normal(size=16) for word in ["the", "dog", "bit", "man"]}
    figure = Shuffle()
    assert np.array_equal(figure.vectors, [vectors[word] for word in figure.words])
    matrices = [figure.w_query, figure.w_key, figure.w_value]
    assert np.array_equal(matrices, rng.normal(scale=0.25, size=(3, 16, 16)))
