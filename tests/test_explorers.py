"""The classes of the interactive figures: defaults, refusals, and what they weigh."""

import gzip
import inspect
import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from traitlets import TraitError

from pecode import explorers
from pecode.explorers import Bits, Clock, SameValue, Shuffle

FIGURES = [
    figure
    for name, figure in inspect.getmembers(explorers, inspect.isclass)
    if figure.__module__ == "pecode.explorers" and hasattr(figure, "get_state") and name[0] != "_"
]
ROOT = Path(__file__).parents[1]
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
GZIPPED_LIMIT = 15_000  # bytes of a front end with what it imports


def test_the_figures_are_found():
    assert {Shuffle, SameValue, Bits, Clock} <= set(FIGURES)


@pytest.mark.parametrize(
    ("figure", "shown"),
    [
        (Shuffle, "Shuffle(causal=False, order=[0, 1, 2, 3, 4], positions=False)"),
        (SameValue, "SameValue(length=51, value=0.8)"),
        (Bits, "Bits(gray=False, position=31)"),
        (Clock, "Clock(base=10000.0, offset=3, position=5)"),
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
    monkeypatch.setattr(explorers, "_HERE", tmp_path)
    assert explorers.bundle("figure.js").splitlines() == [
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
        figure = getattr(explorers, text.split("(")[0])
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
    ],
)
def test_a_bad_value_is_refused_with_its_name(figure, name, value):
    instance = figure()
    before = repr(instance)
    with pytest.raises(TraitError) as caught:
        setattr(instance, name, value)
    message = str(caught.value)
    assert name in message
    assert str(value) in message
    assert "expected" in message or "should" in message
    assert repr(instance) == before


@pytest.mark.parametrize("name", ["words", "vectors", "w_query", "w_key", "w_value"])
def test_the_numbers_of_chapter_1_are_not_to_be_changed(name):
    with pytest.raises(TraitError, match=f"{name}.*read-only"):
        setattr(Shuffle(), name, [])
