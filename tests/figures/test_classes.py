"""The classes of the figures: what they take, refuse and keep."""

import json
import re

import numpy as np
import pytest
import traitlets

import figures
from figures import (
    BiasHeads,
    EncodingTable,
    GuessTheBug,
    Playback,
    Reach,
    Shuffle,
    TwoTurns,
    base_bound,
    guess,
)
from figures.base import Number, Whole
from pecode.diagnose import config
from pecode.diagnose.configuration import models
from pecode.diagnose.variants import VARIANTS

CLASSES = {name: getattr(figures, name) for name in figures.FIGURES}
every_class = pytest.mark.parametrize("figure", CLASSES.values(), ids=CLASSES)
TraitError = traitlets.TraitError


@every_class
def test_the_ends_of_a_range_are_taken_and_nothing_beyond(figure):
    for name, trait in figure.class_traits(public=True).items():
        if isinstance(trait, Number | Whole) and None not in (trait.min, trait.max):
            for end in (trait.min, trait.max):
                instance = figure()
                if (name, end) not in AMONG_OTHERS:
                    setattr(instance, name, end)
                    assert instance.get_state()[name] == end
            bad = [trait.min - 1, trait.max + 1, True, "x", float("nan")]
            refuses(figure, name, *bad, *([0.5] if isinstance(trait, Whole) else []))
        elif isinstance(trait, traitlets.Enum):
            refuses(figure, name, "another", 3)
            assert [getattr(figure(**{name: value}), name) for value in trait.values]
        elif isinstance(trait, traitlets.Bool):
            refuses(figure, name, "yes")


# The ends that depend on another value: a narrow table has no column 63, a new game no table 13.
AMONG_OTHERS = {("column", 63), ("head", 16), ("case", 13)}


def refuses(figure, name, *values):
    instance = figure()
    before = repr(instance)
    for value in values:
        with pytest.raises(TraitError, match=name):
            setattr(instance, name, value)
        with pytest.raises(TraitError):
            figure(**{name: value})
    assert repr(instance) == before


@pytest.mark.parametrize(
    ("figure", "name", "values"),
    [
        (Shuffle, "order", [[0, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5], 3]),
        (TwoTurns, "query", [[1.0] * 7, [2e6] + [0.0] * 7, [float("nan")] + [0.0] * 7]),
        (EncodingTable, "column", [32]),
        (BiasHeads, "head", [9]),
        (BiasHeads, "clip", [17]),
        (Playback, "frame", [13, -1]),
        (Playback, "position", [32]),
        (Reach, "position", [128]),
        (Reach, "shown", [["ALiBi", "ALiBi"]]),
        (GuessTheBug, "chosen", ["a bug"]),
        (GuessTheBug, "case", [1, 14]),
        (GuessTheBug, "answers", [["a bug"], ["no bug"] * 15, [True]]),
        (GuessTheBug, "hints", [[4], [-1], [True], [0] * 15]),
    ],
)
def test_what_no_range_says_is_refused(figure, name, values):
    refuses(figure, name, *values)


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
    heads = BiasHeads(table=np.zeros((8, 2)), scalars=np.zeros((5, 16)), n_heads=4, head=4)
    heads.scheme = "t5"
    assert heads.head == 2
    heads.scheme = "clipped"
    heads.head = 16
    heads.scheme = "alibi"
    assert (heads.head, heads.clip) == (4, 2)
    game = GuessTheBug(answers=["no bug", "wrong base"], case=2)
    with pytest.raises(TraitError, match="answers: expected an answer for each table before case"):
        game.answers = ["no bug"]


# What is given when a figure is made


def recording(**changed):
    return {
        "task": "2 back",
        "steps": [0, 3, 10],
        "tables": [[[0.12345, -0.0001], [1, -2]]] * 3,
        "accuracy": [0.1, 0.55555555, 1.0],
    } | changed


def test_what_is_given_is_kept_rounded_as_plain_numbers():
    [kept] = Playback([recording(about="look back")]).recordings
    assert json.loads(json.dumps(kept)) == {
        "task": "2 back",
        "about": "look back",
        "steps": [0, 3, 10],
        "tables": [["123 0", "1000 -2000"]] * 3,
        "accuracy": [0.1, 0.5556, 1.0],
    }
    heads = BiasHeads(table=np.full((4, 2), 0.12345), scalars=[[-1.0], [0.0], [2.0]])
    assert heads.learned == {
        "table": ["123 123"] * 4,
        "scalars": ["-1000", "0", "2000"],
        "max_distance": 128,
        "made_up": [],
    }
    runs = np.zeros((3, 12))
    runs[:, :4] = [[0.1], [0.5], [0.6]]
    runs[:, 4:6], runs[:, 6:8], runs[:, 8:] = np.nan, 0.25, np.nan
    data = Reach({"2 back": {"mine": runs}}, trained=4, guessing={"2 back": 1 / 3}).data
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["curves"] == [[{"median": "50 25 -", "low": "10 25 -", "high": "60 25 -"}]]
    assert data["guessing"] == [0.3333]
    for figure, name in [(heads, "learned"), (Playback(), "recordings"), (Reach(), "data")]:
        with pytest.raises(TraitError, match="read-only"):
            setattr(figure, name, [])


A, B = {"a": np.zeros((2, 8))}, {"b": np.zeros((2, 8))}


@pytest.mark.parametrize(
    ("figure", "given", "message"),
    [
        (BiasHeads, {"table": np.zeros(32)}, "table: expected finite numbers in 2 dimensions"),
        (BiasHeads, {"table": np.zeros((33, 4))}, "table: expected an even number of buckets"),
        (BiasHeads, {"table": np.zeros((32, 17))}, "table: expected 1 to 16 heads"),
        (BiasHeads, {"table": np.full((32, 4), np.inf)}, "table: expected finite numbers"),
        (BiasHeads, {"scalars": np.zeros((4, 1))}, "scalars: expected an odd number of rows"),
        (BiasHeads, {"max_distance": 16}, "max_distance: expected more than 16, half of"),
        (BiasHeads, {"max_distance": 2000}, "expected a whole number from 3 to 1024, got 2000"),
        (Reach, {"results": [1]}, "results: expected a dict"),
        (Reach, {"results": {"recent": {}}}, "results: expected the same schemes"),
        (Reach, {"results": {"recent": A, "first": B}}, "the same schemes"),
        (Reach, {"results": {"r": A | {"b": np.zeros((2, 12))}}}, "arrays of one shape"),
        (Reach, {"results": {"r": {"a": np.zeros((2, 9))}}}, "a: expected a shape"),
        (Reach, {"results": {"r": {"a": np.full((2, 8), 1.5)}}}, "accuracies from 0 to 1, got"),
        (Reach, {"results": {"r": {"a": "none"}}}, "a: expected an array of accuracies"),
        (Reach, {"results": {"r": A}, "texts": 1}, "texts: expected a whole number"),
        (Reach, {"results": {"r": A}, "shortest": 5}, "shortest: expected a whole number from 1"),
        (Reach, {"results": {"r": A}, "trained": 9}, "trained: expected a whole number from 1 to"),
        (Reach, {"results": {"r": A}, "guessing": {}}, "guessing: expected a dict with r, got"),
        (Reach, {"results": {"r": A}, "guessing": {"r": 1.1}}, "guessing: expected accuracies"),
        (Reach, {"results": {"r": A}, "covered": 1}, "covered: expected True or False, got 1"),
    ],
)
def test_a_bad_argument_is_refused_by_its_name(figure, given, message):
    given = ({"trained": 4} if figure is Reach else {}) | given
    with pytest.raises(TraitError, match=re.escape(message)):
        figure(**given)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"task": 3}, "task: expected a name, got 3"),
        ({"about": 3}, "about: expected what the task asks for, a text, got 3"),
        ({"steps": [0, 3]}, "2, 3 and 3"),
        ({"steps": [0, 3, 3]}, "steps: expected rising whole numbers"),
        ({"steps": [-1, 0, 3]}, "steps: expected rising whole numbers"),
        ({"tables": np.full((3, 8, 4), np.nan)}, "tables: expected finite"),
        ({"tables": np.zeros((3, 8))}, "tables: expected finite numbers in 3 dimensions"),
        ({"tables": np.zeros((3, 65, 8))}, "tables: expected 2 to 64 rows, got 65"),
        ({"accuracy": [0, 0.5, 1.1]}, "accuracy: expected shares from 0 to 1"),
        ({"more": 1}, "recordings: expected dicts with accuracy, steps, tables, task"),
    ],
)
def test_a_bad_recording_is_refused(changed, message):
    with pytest.raises(TraitError, match=message):
        Playback([recording(**changed)])


def test_recordings_of_two_shapes_are_refused_and_each_has_its_limits():
    with pytest.raises(TraitError, match="recordings: expected as many snapshots and rows"):
        Playback([recording(), recording(tables=np.zeros((3, 9, 2)))])
    figure = Playback([recording(), recording(task="denoise")])
    for name, count in {"frame": 3, "position": 2, "task": 2}.items():
        with pytest.raises(TraitError, match=f"'{name}'.*less than {count}"):
            setattr(figure, name, count)
    runs = {"recent": dict.fromkeys(["ALiBi", "count"], np.zeros((2, 64)))}
    assert repr(Reach(runs)) == "Reach(position=63, shown=['ALiBi'], task=0)"


def test_the_models_of_base_bound_have_the_bases_and_lengths_of_their_files():
    names = {"Llama 2": "llama-2-7b", "Llama 3": "llama-3.1-8b"}
    for name, (base, length) in base_bound._MODELS.items():
        layer = config(models()[names[name]]["settings"]).layers[0]
        assert (layer.base, layer.trained_length, layer.head_dim) == (base, length, 128)


def test_the_game_has_every_variant_and_says_where_to_look():
    assert list(guess.ABOUT) == list(guess.NAMES) == list(guess.MEANINGS)
    assert all(re.fullmatch(r"[A-Z].*\. Look at: .*[.…]", text) for text in guess.ABOUT.values())
    # the length of the table is another width for this one: in the figure it would be a twin
    assert set(VARIANTS) - set(guess.ABOUT) == {"length for width", "factor 2 by column"}


def test_the_numbers_of_shuffle_are_those_of_chapter_1():
    rng = np.random.default_rng(0)
    vectors = {word: rng.normal(size=16) for word in ["the", "dog", "bit", "man"]}
    figure = Shuffle()
    assert np.array_equal(figure.vectors, [vectors[word] for word in figure.words])
    matrices = [figure.w_query, figure.w_key, figure.w_value]
    assert np.array_equal(matrices, rng.normal(scale=0.25, size=(3, 16, 16)))
