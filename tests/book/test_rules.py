"""The rules for notebooks, and the comparison of figures, turn red when something is wrong."""

import re
from functools import cache

import matplotlib.pyplot as plt
import nbformat
import pytest
from matplotlib.figure import Figure
from nbformat.v4 import new_output

from figures.style import SIGNED, use_book_style
from figures.svg import as_svg
from tests import data
from tests.book import figures, notebooks

CASES = data("book/rules.yml")
RULES = [*notebooks.RULES, *notebooks.CHAPTER_RULES]


def asks(choices, answer="**12.** All.", times=1):
    """Return a prediction, once or several times."""
    box = "\n\n::::{admonition} Predict\n:class: predict\nHow many?\n\n"
    box += "".join(f"- {choice}\n" for choice in choices)
    return f"{box}\n:::{{dropdown}} Show the answer\n{answer}\n:::\n::::" * times


@cache
def drawn(values=(0, 1, 0.5), color="#2d2a86", title="a line", cell=0.5, **line):
    """A line, a word and a heat map, as a notebook stores them."""
    figure = Figure(figsize=(3, 2), dpi=100)
    left, right = figure.subplots(1, 2)
    left.plot(values, color=color, **line)
    left.plot([0, 1], [0.2, 0.4], "o", color="#b34700")
    left.set(title=title, ylim=(-0.1, 1.1))
    right.imshow([[0, cell], [1, -1]], cmap=SIGNED, vmin=-1, vmax=1, interpolation="none")
    return as_svg(figure)


def shown(drawing):
    return new_output("display_data", data={"image/svg+xml": drawing, "text/plain": "<Figure>"})


@pytest.fixture
def notebook():
    """A notebook without a fault: a title, a cell that prints, a cell that draws."""
    sound = nbformat.from_dict(CASES["sound"])
    sound.cells[2].outputs = [shown(drawn())]
    return sound


def problems(nb):
    return notebooks.problems(nb, RULES)


def change(part, new):
    """Set what a case says in a part of a notebook, and nothing else of it."""
    for key, value in new.items():
        if value == "gone":
            del part[key]
        elif isinstance(value, dict) and key in part:
            change(part[key], value)
        else:
            part[key] = nbformat.from_dict(value)


def broken(notebook, case):
    """Return a copy of a notebook with a fault."""
    copy = nbformat.reads(nbformat.writes(notebook), as_version=4)
    title, prints, draws = copy.cells
    for name, part in {"title": title, "prints": prints, "draws": draws, "notebook": copy}.items():
        change(part, case.get(name, {}))
    title.source += case.get("text", "")
    if "asked" in case:
        title.source += asks(**case["asked"])
    if "drawn" in case:
        draws.outputs = [shown(drawn(**case["drawn"]))]
    if "cell" in case:
        copy.cells.append(nbformat.from_dict(case["cell"]))
    return copy


BROKEN = [
    {"says": ["has 26 lines"], "prints": {"source": "print(1)\n" * 26}},
    {"says": ["has 61 lines, at most 60"], "draws": {"source": "draw()\n" * 61}},
    {"says": ["the_file_is_small"], "title": {"metadata": {"a": "1" * notebooks.SIZE_CAP}}},
    *CASES["broken"],
]


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["says"][0])
def test_a_broken_notebook_is_named(notebook, case):
    found = problems(broken(notebook, case))
    assert len(found) == len(case["says"]), found
    assert all(part in problem for part, problem in zip(case["says"], found, strict=True)), found


def test_every_check_is_shown_to_fail(notebook):
    found = [problem for case in BROKEN for problem in problems(broken(notebook, case))]
    assert {problem.split(":")[0] for problem in found} == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize(
    "text", [*CASES["computed"], asks(["2.35 of them", "8.88 of them"], "**2.35 of them.** So.")]
)
def test_a_number_that_a_cell_prints_is_computed(notebook, text):
    notebook.cells[0].source += text
    notebook.cells[1].outputs[0].text = "2.346 and 12345\n"
    assert problems(notebook) == []


def test_a_quoted_number_needs_no_cell(notebook):
    notebook.cells[0].source += " The source has 0.41."
    notebook.cells[0].metadata["quoted"] = ["0.41"]
    assert problems(notebook) == []


@pytest.fixture(autouse=True)
def look():
    with plt.style.context("default"):
        use_book_style()
        yield


def compared(stored, fresh):
    return figures.compare_outputs([shown(stored)], [shown(fresh)])


def test_the_same_figure_is_drawn_with_the_same_letters():
    assert drawn.__wrapped__() == drawn.__wrapped__()
    assert compared(drawn(), drawn()) == []


def test_what_another_processor_rounds_is_no_difference():
    rounded = drawn(values=(0, 1.002, 0.5004), cell=0.502)
    assert rounded != drawn()
    assert compared(drawn(), rounded) == []
    assert figures.largest_gap("M0 0l8 4", "M0 0l2 1 2 1 4 2") < 1e-9  # the same line, more points


@pytest.mark.parametrize(("change", "said"), CASES["changed"], ids=str)
def test_a_changed_figure_is_told(change, said):
    found = compared(drawn(), drawn.__wrapped__(**change))
    assert any(said in sentence for sentence in found), found


def test_a_shade_is_told_and_what_rounds_in_it_is_not():
    assert "has stroke-opacity .8, .5" in compared(drawn(alpha=0.5), drawn(alpha=0.8))[0]
    assert compared(drawn(alpha=0.5), drawn(alpha=0.51)) == []


def test_a_dot_that_has_moved_by_a_pixel_is_told():
    dot = re.search(r'<circle cx="([\d.]+)"', drawn())
    moved = dot[0].replace(dot[1], f"{float(dot[1]) + 1:.1f}")
    assert "has cx" in compared(drawn(), drawn().replace(dot[0], moved))[0]


@pytest.mark.parametrize(("stored", "fresh"), [(0, 1), (1, 0), (2, 1)])
def test_a_missing_picture_is_a_difference(stored, fresh):
    found = figures.compare_outputs([shown(drawn())] * stored, [shown(drawn())] * fresh)
    assert found == [f"the cell draws {fresh} figures, {stored} are stored"]
