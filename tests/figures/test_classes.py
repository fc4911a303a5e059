"""The classes of the interactive figures: defaults, refusals, and what they weigh."""

import gzip
import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from traitlets import TraitError

import pecode
from pecode import figures
from pecode.diagnose.variants import VARIANTS
from pecode.figures import (
    COLORS,
    BiasHeads,
    Bits,
    Clock,
    EncodingTable,
    GuessTheBug,
    Playback,
    Reach,
    SameValue,
    Shuffle,
    Stretch,
    TwoTurns,
    WordSum,
    base,
    guess,
)

FIGURES = [
    figure
    for name, figure in ((name, getattr(figures, name)) for name in figures.FIGURES)
    if hasattr(figure, "get_state") and name[0] != "_"
]
ROOT = Path(__file__).parents[2]
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
GZIPPED_LIMIT = 15_000  # bytes of a front end with what it imports


def test_the_figures_are_found():
    assert {Shuffle, SameValue, Bits, Clock, Playback, WordSum, Reach} <= set(FIGURES)
    assert {BiasHeads, TwoTurns, Stretch, GuessTheBug} <= set(FIGURES)


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (Shuffle, "Shuffle(causal=False, order=[0, 1, 2, 3, 4], positions=False)"),
        (SameValue, "SameValue(length=51, value=0.8)"),
        (Bits, "Bits(gray=False, position=31)"),
        (Clock, "Clock(base=10000.0, offset=3, position=5)"),
        (Playback, "Playback(frame=12, position=12, task=0)"),
        (WordSum, f"WordSum(first=1, length={512**0.5}, second=6, words=0.0)"),
        (
            Reach,
            "Reach(position=96, shown=['sine and cosine', 'learned', 'ALiBi', 'relative bias'], "
            "task=0)",
        ),
        (
            BiasHeads,
            "BiasHeads(bidirectional=True, causal=True, clip=8, head=3, key=30, n_heads=8, "
            "query=40, scheme='alibi')",
        ),
        (
            TwoTurns,
            f"TwoTurns(base=10000.0, key={[1.0, 0.0] * 4}, m=120, n=100, query={[1.0, 0.0] * 4})",
        ),
        (Stretch, "Stretch(distance=200, factor=4.0, scaling='none', trained=64)"),
        (
            GuessTheBug,
            "GuessTheBug(answers=[], case=0, chosen='', column=6, difference=False, late=False, "
            "seed=0)",
        ),
    ],
)
def test_defaults(figure, shown):
    assert repr(figure()) == shown


@pytest.mark.parametrize("figure", FIGURES)
def test_repr_is_stable_and_makes_the_same_figure(figure):
    first, second = figure(), figure()
    assert repr(first) == repr(second)
    assert repr(eval(repr(first), {figure.__name__: figure})) == repr(first)


@pytest.mark.parametrize("figure", FIGURES)
def test_weight_of_the_front_end(figure):
    assert len(gzip.compress(figure._esm.encode())) < GZIPPED_LIMIT


@pytest.mark.parametrize("figure", FIGURES)
def test_the_front_end_is_one_module(figure):
    lines = figure._esm.splitlines()
    assert not [line for line in lines if line.startswith("import ")]
    assert [line for line in lines if line.startswith("export ")] == ["export default { render };"]


def test_what_an_import_imports_stands_before_it_and_once(tmp_path, monkeypatch):
    modules = {
        "deep.js": "export const deep = 1;\n",
        "left.js": 'import { deep } from "./deep.js";\nexport const left = deep + 1;\n',
        "right.js": (
            'import { deep } from "./deep.js";\nimport {\n  left,\n} from "./left.js";\n'
            "export function right() { return left + deep; }\n"
        ),
        "figure.js": (
            'import { right } from "./right.js";\nimport { left } from "./left.js";\n'
            "const render = () => left + right();\nexport default { render };\n"
        ),
    }
    for name, text in modules.items():
        (tmp_path / name).write_text(text, encoding="utf8")
    monkeypatch.setattr(base, "_HERE", tmp_path)
    assert base.bundle("figure.js").splitlines() == [
        "const deep = 1;",
        "const left = deep + 1;",
        "function right() { return left + deep; }",
        "const render = () => left + right();",
        "export default { render };",
    ]


# The still pictures, for readers without scripts


def shown_in_chapters():
    """The interactive figures that the notebooks show, as Python writes them."""
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            for output in cell.get("outputs", []):
                if WIDGET_VIEW in output.get("data", {}):
                    yield "".join(output["data"]["text/plain"])


def test_every_figure_of_a_chapter_has_a_still_picture_of_its_present_code():
    fingerprint = runpy.run_path(str(ROOT / "tools" / "stills.py"))["fingerprint"]
    shown = list(shown_in_chapters())
    assert shown
    for text in shown:
        figure = getattr(figures, text.split("(")[0])
        assert text == repr(figure()), "the picture shows the state that the class starts with"
        with Image.open(ROOT / "site" / "stills" / f"{figure.__name__}.png") as still:
            described, source = still.info["Description"], still.info["Source"]
            assert still.width > 600
        assert described.startswith(f"{figure.alt} "), f"{figure.__name__}: run `make stills`"
        assert source == fingerprint(figure), f"{figure.__name__}: run `make stills`"


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_is_described(figure):
    assert len(figure.alt) >= 40
    assert figure.alt.endswith(".")


# What the classes take and refuse


def test_shuffle_draws_the_numbers_of_chapter_1():
    rng = np.random.default_rng(0)
    vocabulary = {word: rng.normal(size=16) for word in ["the", "dog", "bit", "man"]}
    matrices = rng.normal(scale=16**-0.5, size=(3, 16, 16))
    figure = Shuffle()
    assert figure.words == ["the", "dog", "bit", "the", "man"]
    assert np.array_equal(figure.vectors, [vocabulary[word] for word in figure.words])
    assert np.array_equal([figure.w_query, figure.w_key, figure.w_value], matrices)


def test_a_state_is_kept_by_each_figure_on_its_own():
    one, other = Shuffle(), Shuffle()
    one.order = [4, 3, 2, 1, 0]
    assert other.order == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("figure", "name", "values"),
    [
        (Shuffle, "order", ([2, 4, 0, 1, 3], [0, 1, 2, 3, 4])),
        (Shuffle, "causal", (True, False)),
        (Shuffle, "positions", (True, False)),
        (SameValue, "length", (2, 11, 200)),
        (SameValue, "value", (0, 0.05, 1.0)),
        (Bits, "position", (0, 255)),
        (Bits, "gray", (True, False)),
        (Playback, "frame", (0, 12)),
        (Playback, "position", (0, 31)),
        (WordSum, "length", (1, 22.6, 512)),
        (WordSum, "words", (-0.2, 0, 1)),
        (WordSum, "first", (0, 511)),
        (Reach, "position", (0, 127)),
        (Reach, "shown", ([], ["ALiBi", "learned"])),
        (BiasHeads, "scheme", ("alibi", "t5", "clipped")),
        (BiasHeads, "n_heads", (1, 12, 16)),
        (BiasHeads, "head", (1, 8)),
        (BiasHeads, "query", (0, 63)),
        (BiasHeads, "clip", (0, 16)),
        (TwoTurns, "m", (0, 500)),
        (TwoTurns, "query", ([0.0] * 8, [1, -2, 3, -4, 5, -6, 7, 1e6])),
        (TwoTurns, "base", (10, 500_000.0)),
        (Stretch, "scaling", ("none", "interpolation", "ntk", "yarn", "llama3")),
        (Stretch, "factor", (1, 2.5, 8)),
        (Stretch, "distance", (0, 511)),
        (Stretch, "trained", (16, 256)),
        (GuessTheBug, "seed", (0, 9999)),
        (GuessTheBug, "answers", ([], ["no bug"], ["wrong base"] * 14)),
        (GuessTheBug, "chosen", ("", "along the batch")),
        (GuessTheBug, "column", (0, 31)),
    ],
)
def test_values_that_are_taken(figure, name, values):
    for value in values:
        instance = figure(**{name: value})
        assert getattr(instance, name) == value
        assert instance.get_state()[name] == value


@pytest.mark.parametrize(
    ("figure", "name", "value"),
    [
        (Shuffle, "order", [0, 1, 2, 3]),
        (Shuffle, "order", [0, 1, 2, 3, 3]),
        (Shuffle, "order", [1, 2, 3, 4, 5]),
        (Shuffle, "order", [False, True, 2, 3, 4]),
        (Shuffle, "order", [0.0, 1.0, 2.0, 3.0, 4.0]),
        (Shuffle, "order", ["the", "dog", "bit", "the", "man"]),
        (Shuffle, "order", 3),
        (Shuffle, "causal", "yes"),
        (Shuffle, "positions", None),
        (SameValue, "length", 1),
        (SameValue, "length", 201),
        (SameValue, "length", 10.5),
        (SameValue, "value", -0.05),
        (SameValue, "value", 1.05),
        (SameValue, "value", float("nan")),
        (SameValue, "value", "0.8"),
        (Bits, "position", -1),
        (Bits, "position", 256),
        (Bits, "position", "31"),
        (Bits, "gray", 2),
        (Playback, "frame", 13),
        (Playback, "frame", -1),
        (Playback, "position", 32),
        (Playback, "task", 1),
        (Playback, "task", True),
        (WordSum, "length", 0.99),
        (WordSum, "length", 513),
        (WordSum, "length", float("nan")),
        (WordSum, "words", -0.21),
        (WordSum, "words", 1.01),
        (WordSum, "words", None),
        (WordSum, "first", 512),
        (WordSum, "first", 1.5),
        (WordSum, "second", -1),
        (Reach, "position", 128),
        (Reach, "task", 1),
        (Reach, "shown", ["ALiBi", "ALiBi"]),
        (BiasHeads, "scheme", "rotary"),
        (BiasHeads, "n_heads", 0),
        (BiasHeads, "n_heads", 17),
        (BiasHeads, "head", 0),
        (BiasHeads, "head", 9),
        (BiasHeads, "query", 64),
        (BiasHeads, "key", -1),
        (BiasHeads, "clip", 17),
        (BiasHeads, "causal", "yes"),
        (TwoTurns, "m", 501),
        (TwoTurns, "n", 0.5),
        (TwoTurns, "query", [1.0] * 7),
        (TwoTurns, "query", [True] + [0.0] * 7),
        (TwoTurns, "key", [float("nan")] + [0.0] * 7),
        (TwoTurns, "key", [2e6] + [0.0] * 7),
        (TwoTurns, "key", ["1"] + ["x"] * 7),
        (TwoTurns, "base", 1.0),
        (Stretch, "scaling", "linear"),
        (Stretch, "factor", 0.5),
        (Stretch, "factor", float("nan")),
        (Stretch, "distance", -1),
        (Stretch, "trained", 15),
        (GuessTheBug, "seed", -1),
        (GuessTheBug, "case", 1),
        (GuessTheBug, "case", 14),
        (GuessTheBug, "answers", ["a bug"]),
        (GuessTheBug, "answers", ["no bug"] * 15),
        (GuessTheBug, "answers", [True]),
        (GuessTheBug, "answers", [["no bug"]]),
        (GuessTheBug, "chosen", "a bug"),
        (GuessTheBug, "column", 32),
    ],
)
def test_a_bad_value_is_refused_with_its_name(figure, name, value):
    instance = figure()
    before = repr(instance)
    with pytest.raises(TraitError) as caught:
        setattr(instance, name, value)
    message = str(caught.value)
    assert name in message
    assert str(value if name != "shown" else "ALiBi") in message
    assert "expected" in message or "should" in message
    assert repr(instance) == before


@pytest.mark.parametrize(
    ("figure", "values"),
    [
        (Bits, {"position": True}),
        (SameValue, {"value": True}),
        (EncodingTable, {"column": True}),
        (EncodingTable, {"d_model": 8.5}),
        (EncodingTable, {"d_model": 12}),
        (EncodingTable, {"base": 10**400}),
    ],
)
def test_a_value_of_another_kind_is_refused_at_the_start(figure, values):
    with pytest.raises(TraitError):
        figure(**values)


def test_a_mistyped_trait_is_named():
    with pytest.raises(TypeError, match="expected some of gray, position, got postion"):
        Bits(postion=3)


@pytest.mark.parametrize("name", ["words", "vectors", "w_query", "w_key", "w_value"])
def test_the_numbers_of_chapter_1_are_not_to_be_changed(name):
    with pytest.raises(TraitError, match=f"{name}.*read-only"):
        setattr(Shuffle(), name, [])


# What the figures of a training are given


def a_recording(**changed):
    rng = np.random.default_rng(0)
    recording = {
        "task": "2 back",
        "steps": np.array([0, 3, 10]),
        "tables": rng.normal(size=(3, 8, 4)),
        "accuracy": [np.float64(0.1), 0.55555555, 1.0],
    }
    return recording | changed


def test_playback_keeps_three_decimals_as_plain_numbers():
    recording = a_recording(tables=[[[0.12345, -0.0001], [1, -2]]] * 3, about="look back")
    [kept] = Playback([recording]).recordings
    assert json.loads(json.dumps(kept)) == {
        "task": "2 back",
        "about": "look back",
        "steps": [0, 3, 10],
        "tables": [["123 0", "1000 -2000"]] * 3,
        "accuracy": [0.1, 0.5556, 1.0],
    }
    assert recording["tables"][0][0][0] == 0.12345


def test_playback_starts_at_the_end_and_knows_its_limits():
    figure = Playback([a_recording(), a_recording(task="denoise")], task=1)
    assert repr(figure) == "Playback(frame=2, position=7, task=1)"
    for name, count in {"frame": 3, "position": 8, "task": 2}.items():
        with pytest.raises(TraitError, match=f"'{name}'.*less than {count}"):
            setattr(figure, name, count)
        with pytest.raises(TraitError, match=f"'{name}'.*less than {count}"):
            Playback([a_recording(), a_recording()], **{name: count})
    with pytest.raises(TraitError, match="read-only"):
        figure.recordings = []
    with pytest.raises(TypeError, match="steps"):
        Playback([a_recording()], steps=3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"task": 3}, "task: expected a name, got 3"),
        ({"about": 3}, "about: expected what the task asks for, a text, got 3"),
        ({"steps": [0, 3]}, "2, 3 and 3"),
        ({"steps": [0, 3, 3]}, "steps: expected rising whole numbers"),
        ({"steps": [0, 0.5, 3]}, "steps: expected rising whole numbers"),
        ({"steps": [-1, 0, 3]}, "steps: expected rising whole numbers"),
        ({"steps": []}, "steps: expected finite numbers in 1 dimension"),
        ({"tables": np.full((3, 8, 4), np.nan)}, "tables: expected finite"),
        ({"tables": np.zeros((3, 8))}, "tables: expected finite numbers in 3 dimensions"),
        ({"tables": np.zeros((3, 1, 8))}, "tables: expected 2 to 64 rows, got 1"),
        ({"tables": np.zeros((3, 65, 8))}, "tables: expected 2 to 64 rows, got 65"),
        ({"tables": [[1, 2], [3]]}, "tables: expected numbers"),
        ({"tables": "none"}, "tables: expected numbers"),
        ({"accuracy": [0, 0.5, 1.1]}, "accuracy: expected shares from 0 to 1"),
        ({"more": 1}, "recordings: expected dicts with accuracy, steps, tables, task"),
    ],
)
def test_a_bad_recording_is_refused(changed, message):
    with pytest.raises(TraitError, match=message):
        Playback([a_recording(**changed)])


def test_recordings_fit_each_other():
    other = a_recording(tables=np.zeros((3, 9, 4)))
    with pytest.raises(TraitError, match="recordings: expected as many snapshots and rows"):
        Playback([a_recording(), other])


def test_reach_keeps_median_and_range_of_four_positions_as_plain_numbers():
    runs = np.zeros((3, 12))
    runs[:, :4] = [[0.1], [0.5], [0.6]]
    runs[:, 4:6], runs[:, 6:8] = np.nan, 0.25
    runs[:, 8:] = np.nan
    data = Reach({"2 back": {"nothing, sees all": runs, "mine": runs}}, trained=4).data
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    curve = data["curves"][0][0]
    assert curve == {"median": "50 25 -", "low": "10 25 -", "high": "60 25 -"}
    assert data["colors"] == [COLORS["nothing"]] * 2
    assert (data["trained"], data["seeds"], data["length"], data["size"]) == (4, 3, 12, 4)
    assert data["shortest"] is None
    assert Reach({"2 back": {"mine": runs}}, trained=4, shortest=4).data["shortest"] == 4


def test_reach_keeps_what_a_guess_reaches_in_the_order_of_the_tasks():
    runs = {"ALiBi": np.zeros((2, 8))}
    given = {"first": np.float64(0.125), "recent": 1 / 3}
    data = Reach({"recent": runs, "first": runs}, trained=4, guessing=given).data
    assert json.loads(json.dumps(data)) == data
    assert data["guessing"] == [0.3333, 0.125]
    assert Reach({"recent": runs}, trained=4).data["guessing"] == []


@pytest.mark.parametrize(
    ("guessing", "message"),
    [
        (0.4, "guessing: expected a dict with recent, got 0.4"),
        ({}, "guessing: expected a dict with recent, got {}"),
        ({"first": 0.4}, "guessing: expected a dict with recent"),
        ({"recent": 0.4, "first": 0.4}, "guessing: expected a dict with recent"),
        ({"recent": 1.1}, "guessing: expected accuracies from 0 to 1, got 1.1"),
        ({"recent": -0.1}, "guessing: expected accuracies from 0 to 1"),
        ({"recent": float("nan")}, "guessing: expected accuracies from 0 to 1, got nan"),
        ({"recent": True}, "guessing: expected accuracies from 0 to 1, got True"),
        ({"recent": "0.4"}, "guessing: expected accuracies from 0 to 1, got '0.4'"),
        ({"recent": [0.4]}, "guessing: expected accuracies from 0 to 1"),
    ],
)
def test_what_is_no_accuracy_of_a_guess_is_refused(guessing, message):
    with pytest.raises(TraitError, match=re.escape(message)):
        Reach({"recent": {"ALiBi": np.zeros((2, 8))}}, trained=4, guessing=guessing)


def test_guesses_without_results_are_refused():
    with pytest.raises(TraitError, match="guessing: expected a dict"):
        Reach(guessing={"recent": 0.4})


def test_reach_agrees_with_the_mean_over_positions():
    runs = np.random.default_rng(0).integers(0, 33, (5, 128)) / 32
    [[curve]] = Reach({"recent": {"ALiBi": runs}}).data["curves"]
    means = runs.reshape(5, 32, 4).mean(axis=2)
    for name, pick in {"median": np.median, "low": np.min, "high": np.max}.items():
        kept = np.array(curve[name].split(), dtype=int)
        assert np.abs(kept / 100 - pick(means, axis=0)).max() < 0.00501


def test_reach_shows_what_there_is():
    runs = np.zeros((2, 64))
    figure = Reach(
        {"recent": {"ALiBi": runs, "count": runs}, "first": {"ALiBi": runs, "count": runs}}
    )
    assert repr(figure) == "Reach(position=63, shown=['ALiBi'], task=0)"
    assert Reach({"recent": {"count": runs}}).shown == ["count"]
    for name, value in {"position": 64, "task": 2, "shown": ["learned"]}.items():
        with pytest.raises(TraitError, match=name):
            setattr(figure, name, value)
    assert json.dumps(figure.data).count("0 " * 15 + "0") == 4 * 3


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([1], "results: expected a dict"),
        ({"recent": {}}, "results: expected the same schemes"),
        ({"recent": {"a": np.zeros((2, 8))}, "first": {"b": np.zeros((2, 8))}}, "the same schemes"),
        ({"recent": {"a": np.zeros((2, 8)), "b": np.zeros((2, 12))}}, "arrays of one shape"),
        ({"recent": {"a": np.zeros(8)}}, "a: expected a shape"),
        ({"recent": {"a": np.zeros((2, 9))}}, "a: expected a shape"),
        ({"recent": {"a": np.zeros((0, 8))}}, "a: expected a shape"),
        ({"recent": {"a": np.full((2, 8), 1.5)}}, "a: expected accuracies from 0 to 1, got 1.5"),
        ({"recent": {"a": "none"}}, "a: expected an array of accuracies"),
    ],
)
def test_bad_results_are_refused(results, message):
    with pytest.raises(TraitError, match=message):
        Reach(results, trained=4)


@pytest.mark.parametrize("texts", [1, 32.0, True])
def test_texts_are_counted(texts):
    with pytest.raises(TraitError, match="texts: expected a whole number"):
        Reach({"recent": {"ALiBi": np.zeros((2, 8))}}, trained=4, texts=texts)


@pytest.mark.parametrize("shortest", [0, 5, 4.0, True])
def test_the_shortest_length_of_the_training_is_one_of_them(shortest):
    with pytest.raises(TraitError, match="shortest: expected a whole number"):
        Reach({"recent": {"ALiBi": np.zeros((2, 8))}}, trained=4, shortest=shortest)


@pytest.mark.parametrize("trained", [0, 9, 4.0, True, None])
def test_reach_wants_the_length_of_the_training(trained):
    with pytest.raises(TraitError, match=r"trained: expected a whole number from 1 to 8"):
        Reach({"recent": {"a": np.zeros((2, 8))}}, trained=trained)


# What the figures of Part III are given


def test_bias_heads_keeps_three_decimals_as_plain_numbers():
    table, scalars = np.full((4, 2), 0.12345), [[-1.0], [0.0], [2.0]]
    figure = BiasHeads(table=table, scalars=scalars, max_distance=np.int64(9))
    kept = figure.learned
    assert json.loads(json.dumps(kept)) == {
        "table": ["123 123"] * 4,
        "scalars": ["-1000", "0", "2000"],
        "max_distance": 9,
        "made_up": [],
    }
    assert BiasHeads().learned["made_up"] == ["t5", "clipped"]
    assert BiasHeads(table=table).learned["made_up"] == ["clipped"]
    assert figure.clip == 1
    with pytest.raises(TraitError, match="read-only"):
        figure.learned = {}


def test_bias_heads_has_as_many_heads_as_the_scheme():
    figure = BiasHeads(table=np.zeros((8, 2)), scalars=np.zeros((5, 16)), n_heads=4, head=4)
    figure.scheme = "t5"
    assert figure.head == 2
    with pytest.raises(TraitError, match=r"'head'.*less than 3"):
        figure.head = 3
    figure.scheme = "clipped"
    figure.head = 16
    figure.scheme = "alibi"
    assert figure.head == 4
    figure.n_heads = 3
    assert figure.head == 3
    assert BiasHeads(n_heads=1).head == 1
    with pytest.raises(TraitError, match=r"'clip'.*less than 3"):
        figure.clip = 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"table": np.zeros(32)}, "table: expected finite numbers in 2 dimensions"),
        ({"table": np.zeros((2, 4))}, "table: expected an even number of buckets"),
        ({"table": np.zeros((33, 4))}, "table: expected an even number of buckets"),
        ({"table": np.zeros((66, 4))}, "table: expected an even number of buckets"),
        ({"table": np.zeros((32, 17))}, "table: expected 1 to 16 heads"),
        ({"table": np.zeros((32, 0))}, "table: expected finite numbers"),
        ({"table": np.full((32, 4), np.inf)}, "table: expected finite numbers"),
        ({"table": "none"}, "table: expected numbers"),
        ({"scalars": np.zeros((4, 1))}, "scalars: expected an odd number of rows up to 127"),
        ({"scalars": np.zeros((129, 1))}, "scalars: expected an odd number of rows up to 127"),
        ({"max_distance": 16}, "max_distance: expected more than 16, half of the buckets, got 16"),
        ({"max_distance": 2000}, "max_distance: expected a whole number from 3 to 1024, got 2000"),
        ({"max_distance": 64.0}, "max_distance: expected a whole number from 3 to 1024, got 64.0"),
        ({"max_distance": True}, "max_distance: expected a whole number from 3 to 1024, got True"),
    ],
)
def test_a_bad_bias_is_refused(given, message):
    with pytest.raises(TraitError, match=message):
        BiasHeads(**given)


def test_the_made_up_heads_look_where_they_are_said_to_look():
    """Before, near, far and after, in both of the ways in which a bias is stored."""
    given = BiasHeads().learned
    scalars = np.array([row.split() for row in given["scalars"]], dtype=int)
    table = np.array([row.split() for row in given["table"]], dtype=int)
    before, near, far, after = (scalars[:, head] for head in range(4))
    assert [before.argmax(), near.argmax(), far.argmin()] == [15, 16, 16]
    assert np.array_equal(near, near[::-1])
    assert np.array_equal(after, -after[::-1])
    assert (np.diff(after) > 0).all()
    for distance in range(1, 8):  # each has a bucket to itself, on both sides
        assert np.array_equal(table[distance], scalars[16 - distance])
        assert np.array_equal(table[16 + distance], scalars[16 + distance])


def test_guess_the_bug_explains_in_words_where_to_look():
    about = {row["name"]: row["about"] for row in GuessTheBug().gallery}
    assert list(about) == list(guess.NAMES)
    for text in about.values():
        assert re.fullmatch(r"[A-Z].*\. Look at: .*[.…]", text)
        assert not re.search(r"[`*/_]| -\d", text)  # no code, no hyphen for a minus
    # the length of the table is another width for this one: in the figure it would be a twin
    assert set(VARIANTS) - set(about) == {"length for width", "factor 2 by column"}


def test_what_guess_the_bug_says_to_look_at_is_in_the_rows_that_it_shows():
    look = {name: VARIANTS[name].look_at for name in guess.NAMES[1:]}
    tables = {name: VARIANTS[name].make(1024, 32) for name in look if name != "no bug"}
    right = pecode.sinusoidal_table(1024, 32)
    rows = {name: table[:64] for name, table in tables.items()}

    def lengths(name):  # of the pairs, from the sines of row 1
        return 2 * np.pi / np.arcsin(tables[name][1, 0::2])

    def rounded(value):
        return f"{float(f'{value:.3g}'):,.0f}"

    last = rounded(2 * np.pi / pecode.frequencies(32)[-1])
    for name in ["factor 2 lost", "wrong base", "endpoint spacing"]:
        found = rounded(lengths(name)[-1])
        assert f"the wavelength of the last columns, {found} rows instead of {last}." in look[name]
    changes = np.ptp(rows["factor 2 doubled"], axis=0)
    assert changes[16:].max() < 0.01 < np.ptp(right[:64, 14])
    assert changes[14] > 0.01
    assert (lengths("factor 2 doubled")[1:] > 2 * np.pi / pecode.frequencies(32)[1:]).all()
    assert lengths("precedence")[5] < 1e6 < lengths("precedence")[6]  # columns 10 and 12
    assert np.allclose(rows["integer division"], np.tile(right[:64, :2], 16), atol=1e-12)
    speeds = 10_000 ** (np.arange(16) / 16)  # falling wavelengths
    assert np.allclose(rows["divided twice"][:, 0::2], np.sin(np.arange(64)[:, None] * speeds))
    assert np.ptp(rows["along the batch"], axis=0).max() == 0
    by_column = 10_000 ** -(np.arange(32) / 32)
    turned = np.arange(64)[:, None] * by_column
    waves = np.where(np.arange(32) % 2, np.cos(turned), np.sin(turned))
    assert np.allclose(rows["exponent by column"], waves)
    assert np.allclose(rows["low precision"], right[:64])
    assert len(np.unique(tables["low precision"][960:], axis=0)) < 64 / 3 + 1
    assert rows["concatenated"][0].tolist() == [0] * 16 + [1] * 16
    assert rows["cosine first"][0].tolist() == [1, 0] * 16
    assert rows["positions from 1"][0, :2].round(2).tolist() == [0.84, 0.54]
    assert np.allclose(rows["positions from 1"][0], right[1])


def test_guess_the_bug_wants_an_answer_for_each_table_before():
    figure = GuessTheBug(answers=["no bug", "wrong base"], case=2)
    with pytest.raises(TraitError, match="answers: expected an answer for each table before case"):
        figure.answers = ["no bug"]
    figure.case = 0
    figure.answers = []
