"""The rules for notebooks, and the comparison of figures, turn red when something is wrong."""

import re
from functools import cache
from types import SimpleNamespace

import matplotlib.pyplot as plt
import nbformat
import pytest
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from figures.style import SIGNED, use_book_style
from figures.svg import as_svg
from tests.book import figures, notebooks

RULES = [*notebooks.RULES, *notebooks.CHAPTER_RULES]
FOLDED = {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}


def asks(*choices, answer="**12.** All."):
    """Return a prediction."""
    box = "\n\n::::{admonition} Predict\n:class: predict\nHow many?\n\n"
    box += "".join(f"- {choice}\n" for choice in choices)
    return f"{box}\n:::{{dropdown}} Show the answer\n{answer}\n:::\n::::"


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
    figure = {
        "figure": {"name": "fig-line", "caption": "A line."},
        "image": {"alt": "A straight black line, from the left to the right, near the top."},
    }
    return new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        cells=[
            new_markdown_cell("(ch-line)=\n# A line\n\nText."),
            new_code_cell(
                "print(1)", execution_count=1, outputs=[new_output("stream", text="1\n")]
            ),
            new_code_cell(
                "draw()",
                execution_count=2,
                outputs=[shown(drawn())],
                metadata={"mystnb": figure, **FOLDED},
            ),
        ],
    )


def test_a_sound_notebook_has_no_problem(notebook):
    nbformat.validate(notebook)
    assert problems(notebook) == []


def problems(nb):
    return notebooks.problems(nb, RULES)


def add(cell):
    """Return what adds a cell at the end."""
    return lambda its: its.notebook.cells.append(nbformat.from_dict(cell))


def says(text):
    """Return what adds a text to the cell with the title."""
    return lambda its: its.title.update(source=its.title.source + text)


def stores(*cells, **metadata):
    """Return what gives the notebook, or the cells named, metadata."""
    return lambda its: [
        part.metadata.update(metadata)
        for part in ([getattr(its, cell) for cell in cells] or [its.notebook])
    ]


def shows_figure(*tags, stored=True, **state):
    """Return what lets the cell that prints show a moving figure in some state."""
    view = {notebooks.WIDGET_VIEW: {"model_id": "abc"}}
    states = {"abc": {"state": state}} if stored else {}

    def breaks(its):
        its.prints.update(outputs=[new_output("display_data", data=view)])
        its.prints.metadata.update(tags=tags)
        its.notebook.metadata["widgets"] = {notebooks.WIDGET_STATE: {"state": states}}

    return breaks


IGNORED = "nbval-ignore-output"
TWO_WAVES = {"_anywidget_id": "figures.circle.TwoWaves", "omega": 0.3, "position": 1, "_esm": "…"}
PNG = new_output("display_data", data={"image/png": "", "text/plain": "<Figure>"})
AN_ERROR = new_output("error", ename="ValueError", evalue="", traceback=[])
IMPORTS = new_code_cell("import a\nfrom b import c\nc(a)", execution_count=3)
ADDRESS = "<object at 0x7f3a5c0d9e80>"

# What is said of a notebook, in parts of sentences, and how it is broken: `its` has its cells
# `title`, `prints` and `draws`, and `figure` and `image` of the metadata of the last.
BREAKAGES = [
    (["every_code_cell_was_executed_in_order: cell 2 (print(1)) was not executed"],
     lambda its: its.prints.update(execution_count=None)),
    (["every_code_cell_was_executed_in_order: cell 3"],
     lambda its: its.draws.update(execution_count=5)),
    (["cell 3 (draw()) has a figure without an alternative text"],
     lambda its: its.image.update(alt="")),
    (["cell 3 (draw()) has a figure without an alternative text"],
     lambda its: its.draws.metadata.mystnb.pop("image")),
    (["figure name ''", "without a caption", "without an alternative text"],
     lambda its: its.draws.metadata.pop("mystnb")),
    (["alternative text of 8 characters"], lambda its: its.image.update(alt="A curve.")),
    (["repeats the caption"], lambda its: its.figure.update(caption=its.image.alt)),
    (["without a caption"], lambda its: its.figure.update(caption=" ")),
    (["figure name 'line'"], lambda its: its.figure.update(name="line")),
    (["'fig-line' is used twice"],
     lambda its: add({**its.draws, "id": "other", "execution_count": 3})(its)),
    (["describes one figure and stores 0 pictures"], lambda its: its.draws.update(outputs=[])),
    (["stores a picture that figures.svg has not drawn"],
     lambda its: its.draws.update(outputs=[PNG])),
    (["writes 'from -1 to 1' in its figure with a hyphen"],
     lambda its: its.draws.update(outputs=[shown(drawn(title="from -1 to 1"))])),
    (["stores an error: ValueError"], lambda its: its.prints.update(outputs=[AN_ERROR])),
    (["writes to stderr"],
     lambda its: its.prints.outputs[0].update(name="stderr", text="Deprecated")),
    (["the address 0x7f3a5c0d9e80"], lambda its: its.prints.outputs[0].update(text=ADDRESS)),
    (["ends in `;`"], lambda its: its.prints.update(source="print(1);")),
    (["has 26 lines"], lambda its: its.prints.update(source="print(1)\n" * 26)),
    (["has 61 lines, at most 60"], lambda its: its.draws.update(source="draw()\n" * 61)),
    (["cell 3 (draw()) draws a figure and is not folded"], stores("draws", tags=[])),
    (["cell 3 (draw()) draws a figure and is not folded"],
     lambda its: its.draws.metadata.pop("jupyter")),
    (["cell 2 (import numpy) has the imports and is not folded"],
     lambda its: its.prints.update(source="import numpy")),
    (["cell 4 (import a) has 2 imports, an open cell at most one"], add(IMPORTS)),
    (["is empty"], lambda its: its.prints.update(source=" ")),
    (["folds as 'Check it'"], stores("prints", mystnb={"code_prompt_show": "Check it"})),
    (["folds as 'Proof'"], says(":::{dropdown} Proof\n\nSo.\n:::")),
    (["in JupyterLab"], says('<details class="show"><summary>Show the proof</summary>')),
    (["offers 1 choices"], says(asks("12"))),
    (["offers 0 choices"], says(asks(answer="**None.** All."))),
    (["answers '3'"], says(asks("12", "4", answer="**3**."))),
    (["answers '1'"], says(asks("12", "10", answer="**1**."))),
    (["4 predictions"], says(asks("11", "12") * 4)),
    (["in another form"], says("\n\n:::{admonition} Predict\nHow many?\n:::")),
    (["the_file_is_small"],
     lambda its: its.prints.outputs[0].update(text="1" * (notebooks.SIZE_CAP + 1))),
    (["does not begin with a title", "has 0 titles"],
     lambda its: its.title.update(source="Text.")),
    (["cell 4 (# Another title) has 1 titles"], add(new_markdown_cell("# Another title"))),
    (["there is no code cell"], lambda its: its.notebook.update(cells=[its.title])),
    (["no cell computes 20", "no cell computes 97.5"],
     says(" It is 97.5 long, in 20 places; 1 was printed.")),
    (["no cell computes 33"], says("\n\n```{admonition} A box\n`x` has 33 entries.\n```")),
    (["no cell computes 160"], lambda its: its.figure.update(caption="A line of 160 pixels.")),
    (["the number 0.41 as quoted or assumed, not in its text"], stores("title", quoted=["0.41"])),
    (["whose state is not stored"], shows_figure(IGNORED, stored=False)),
    (["needs the tag nbval-ignore-output"], shows_figure()),
    (["the figure abc is stored without 'position'"],
     shows_figure(IGNORED, **{k: v for k, v in TWO_WAVES.items() if k != "position"})),
]  # fmt: skip


def broken(notebook, breaks):
    """Return a copy of a notebook after it was broken."""
    copy = nbformat.reads(nbformat.writes(notebook), as_version=4)
    title, prints, draws = copy.cells
    parts = draws.metadata.mystnb
    its = {"notebook": copy, "title": title, "prints": prints, "draws": draws}
    breaks(SimpleNamespace(**its, figure=parts.figure, image=parts.image))
    return copy


@pytest.mark.parametrize(
    ("expected", "breaks"), BREAKAGES, ids=[expected[0] for expected, _ in BREAKAGES]
)
def test_a_broken_notebook_is_named(notebook, expected, breaks):
    found = problems(broken(notebook, breaks))
    assert len(found) == len(expected), found
    assert all(part in problem for part, problem in zip(expected, found, strict=True)), found


def test_every_check_is_shown_to_fail(notebook):
    found = [problem for _, breaks in BREAKAGES for problem in problems(broken(notebook, breaks))]
    assert {problem.split(":")[0] for problem in found} == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize(
    "text",
    [
        "It is 2.35 long.",  # 2.346, rounded
        "It is 12,345 long, and has 3 ends.",
        "The formula $10000^{-2i/d}$, `x[17]`, section 3.5 and {cite:t}`x2017` are no results.",
        "Minus: −2.35.",
        "Chapters 14, 16 and 17 and exercise 17.2 are places of the book.",
        asks("2.35 of them", "8.88 of them", answer="**2.35 of them.** As printed."),
    ],
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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"values": (0, 1, 0.48)}, "pixels away from where it is stored"),
        ({"values": (0, 1)}, "pixels away from where it is stored"),
        ({"color": "#1d2a86"}, "has stroke #1d2a86, #2d2a86 is stored"),
        ({"title": "a lime"}, "says 'a lime', 'a line' is stored"),
        ({"title": ""}, "its elements are"),
        ({"cell": 0.3}, "has href"),
        ({"linewidth": 3}, "has stroke-width"),
        ({"linestyle": "--"}, "'stroke-dasharray'"),
        ({"alpha": 0.5}, "has ['stroke-opacity'] in one of the two only"),
        ({"marker": "o"}, "its elements are"),
    ],
    ids=str,
)
def test_a_changed_figure_is_told(change, said):
    found = compared(drawn(), drawn(**change))
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
