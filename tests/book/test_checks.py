"""The checks of the notebooks and of the figures turn red when something is wrong."""

import re
from functools import cache

import matplotlib.pyplot as plt
import nbformat
import pytest
from matplotlib.figure import Figure
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from figures.style import SIGNED, use_book_style
from figures.svg import as_svg
from tests.book import figures, notebooks

RULES = [*notebooks.CHECKS, *notebooks.OF_CHAPTERS]
FOLDED = {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}


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


def remove_count(nb):
    nb.cells[1].execution_count = None


def change_count(nb):
    nb.cells[2].execution_count = 5


def remove_alt(nb):
    nb.cells[2].metadata.mystnb.image.alt = ""


def remove_image_metadata(nb):
    del nb.cells[2].metadata.mystnb["image"]


def remove_figure_metadata(nb):
    del nb.cells[2].metadata["mystnb"]


def shorten_alt(nb):
    nb.cells[2].metadata.mystnb.image.alt = "A curve."


def repeat_caption_as_alt(nb):
    nb.cells[2].metadata.mystnb.figure.caption = nb.cells[2].metadata.mystnb.image.alt


def remove_caption(nb):
    nb.cells[2].metadata.mystnb.figure.caption = " "


def rename_figure(nb):
    nb.cells[2].metadata.mystnb.figure.name = "line"


def repeat_figure_name(nb):
    nb.cells.append(nbformat.from_dict({**nb.cells[2], "id": "other", "execution_count": 3}))


def remove_picture(nb):
    nb.cells[2].outputs = []


def damage_picture(nb):
    data = nb.cells[2].outputs[0].data
    data["image/png"] = data.pop("image/svg+xml")


def write_a_hyphen(nb):
    nb.cells[2].outputs = [shown(drawn(title="from -1 to 1"))]


def store_error(nb):
    nb.cells[1].outputs = [new_output("error", ename="ValueError", evalue="", traceback=[])]


def store_warning(nb):
    nb.cells[1].outputs = [new_output("stream", name="stderr", text="DeprecationWarning\n")]


def print_address(nb):
    nb.cells[1].outputs[0].text = "<object at 0x7f3a5c0d9e80>"


def end_in_semicolon(nb):
    nb.cells[1].source = "print(1);"


def lengthen_cell(nb):
    nb.cells[1].source = "print(1)\n" * 26


def lengthen_folded_cell(nb):
    nb.cells[2].source = "draw()\n" * 61


def unfold_figure_on_the_page(nb):
    nb.cells[2].metadata.tags = []


def unfold_figure_in_jupyter(nb):
    del nb.cells[2].metadata["jupyter"]


def unfold_imports(nb):
    nb.cells[1].source = "import numpy"


def import_more_than_one(nb):
    nb.cells.append(new_code_cell("import a\nfrom b import c\nc(a)", execution_count=3))


def empty_cell(nb):
    nb.cells[1].source = " "


def change_kernel(nb):
    nb.metadata.kernelspec.name = "my-env"


def store_version(nb):
    nb.metadata["language_info"] = {"name": "python", "version": "3.11.7"}


def store_times(nb):
    nb.cells[1].metadata["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00"}


def grow_beyond_the_cap(nb):
    nb.cells[1].outputs[0].text = "1" * (notebooks.SIZE_CAP + 1)


def repeat_cell_id(nb):
    nb.cells[2].id = nb.cells[1].id


def remove_title(nb):
    nb.cells[0].source = "Text."


def add_second_title(nb):
    nb.cells.append(new_markdown_cell("# Another title"))


def remove_all_code(nb):
    del nb.cells[1:]


def claim_a_number(nb):
    nb.cells[0].source += " It is 97.5 long, in 20 places; 1 was printed."


def claim_a_number_in_a_box(nb):
    nb.cells[0].source += "\n\n```{admonition} A box\n`x` has 33 entries.\n```"


def claim_a_number_in_a_caption(nb):
    nb.cells[2].metadata["mystnb"]["figure"]["caption"] = "A line of 160 pixels."


def quote_a_number_that_is_not_there(nb):
    nb.cells[0].metadata["quoted"] = ["0.41"]


def show_widget_without_state(nb):
    nb.cells[1].outputs = [
        new_output("display_data", data={notebooks.WIDGET_VIEW: {"model_id": "abc"}})
    ]
    nb.cells[1].metadata["tags"] = ["nbval-ignore-output"]


def show_widget_without_tag(nb):
    show_widget_without_state(nb)
    nb.metadata["widgets"] = {notebooks.WIDGET_STATE: {"state": {"abc": {"state": {}}}}}
    del nb.cells[1].metadata["tags"]


def store_fewer_traits(nb):
    state = {"_anywidget_id": "figures.circle.TwoWaves", "omega": 0.3}
    nb.metadata["widgets"] = {notebooks.WIDGET_STATE: {"state": {"abc": {"state": state}}}}


BREAKAGES = {
    remove_count: ["every_code_cell_was_executed_in_order: cell 2 (print(1)) was not executed"],
    change_count: ["every_code_cell_was_executed_in_order: cell 3"],
    remove_alt: ["cell 3 (draw()) has a figure without an alternative text"],
    remove_image_metadata: ["cell 3 (draw()) has a figure without an alternative text"],
    remove_figure_metadata: ["figure name ''", "without a caption", "without an alternative text"],
    shorten_alt: ["alternative text of 8 characters"],
    repeat_caption_as_alt: ["repeats the caption"],
    remove_caption: ["without a caption"],
    rename_figure: ["figure name 'line'"],
    repeat_figure_name: ["'fig-line' is used twice"],
    remove_picture: ["describes one figure and stores 0 pictures"],
    damage_picture: ["stores a picture that figures.svg has not drawn"],
    write_a_hyphen: ["writes 'from -1 to 1' in its figure with a hyphen"],
    store_error: ["stores an error: ValueError"],
    store_warning: ["writes to stderr"],
    print_address: ["prints the address 0x7f3a5c0d9e80"],
    end_in_semicolon: ["ends in `;`"],
    lengthen_cell: ["has 26 lines"],
    lengthen_folded_cell: ["has 61 lines, at most 60"],
    unfold_figure_on_the_page: ["cell 3 (draw()) draws a figure and is not folded"],
    unfold_figure_in_jupyter: ["cell 3 (draw()) draws a figure and is not folded"],
    unfold_imports: ["cell 2 (import numpy) has the imports and is not folded"],
    import_more_than_one: ["cell 4 (import a) has 2 imports, an open cell at most one"],
    empty_cell: ["is empty"],
    change_kernel: ["the kernel is 'my-env'"],
    store_version: ["version of the interpreter"],
    store_times: ["stores the time of its run"],
    grow_beyond_the_cap: ["the_file_is_small"],
    repeat_cell_id: ["has no id of its own"],
    remove_title: ["does not begin with a title", "has 0 titles"],
    add_second_title: ["cell 4 (# Another title) has 1 titles"],
    remove_all_code: ["there is no code cell"],
    claim_a_number: ["no cell computes 20", "no cell computes 97.5"],
    claim_a_number_in_a_box: ["no cell computes 33"],
    claim_a_number_in_a_caption: ["no cell computes 160"],
    quote_a_number_that_is_not_there: ["lists the number 0.41 as quoted or given, not in its text"],
    show_widget_without_state: ["whose state is not stored"],
    show_widget_without_tag: ["needs the tag nbval-ignore-output"],
    store_fewer_traits: ["the figure abc is stored without 'position'"],
}


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda breakage: breakage.__name__)
def test_a_broken_notebook_is_named(notebook, breakage):
    breakage(notebook)
    found, expected = problems(notebook), BREAKAGES[breakage]
    assert len(found) == len(expected), found
    assert all(part in problem for part, problem in zip(expected, found, strict=True)), found


def test_every_check_is_shown_to_fail(notebook):
    failing = set()
    for breakage in BREAKAGES:
        broken = nbformat.reads(nbformat.writes(notebook), as_version=4)
        breakage(broken)
        failing |= {problem.split(":")[0] for problem in problems(broken)}
    assert failing == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize(
    "text",
    [
        "It is 2.35 long.",  # 2.346, rounded
        "It is 12,345 long, and has 3 ends.",
        "The formula $10000^{-2i/d}$, `x[17]`, section 3.5 and {cite:t}`x2017` are no results.",
        "Minus: −2.35.",
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
    assert figures.apart("M0 0l8 4", "M0 0l2 1 2 1 4 2") < 1e-9  # the same line, more points


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
