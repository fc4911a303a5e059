"""The checks of the notebooks and of the figures turn red when something is wrong."""

import base64
import io

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from tests.book import figures, notebooks

RULES = [*notebooks.CHECKS, *notebooks.OF_CHAPTERS]
FOLDED = {"tags": ["hide-input"], "jupyter": {"source_hidden": True}}


def png(pixels):
    buffer = io.BytesIO()
    Image.fromarray(pixels.astype(np.uint8)).save(buffer, format="png")
    return base64.b64encode(buffer.getvalue()).decode()


def picture(curve=12, height=120, width=160):
    """A white picture with a black horizontal line, three pixels thick."""
    pixels = np.full((height, width, 3), 255.0)
    pixels[curve : curve + 3, 10:-10] = 0
    return pixels


def shown(pixels):
    return new_output("display_data", data={"image/png": png(pixels), "text/plain": "<Figure>"})


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
                outputs=[shown(picture())],
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
    nb.cells[2].outputs[0].data["image/png"] = base64.b64encode(b"no picture").decode()


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


def store_other_widget_code(nb):
    state = {"abc": {"state": {"_esm": "export default {}"}}}
    nb.metadata["widgets"] = {notebooks.WIDGET_STATE: {"state": state}}


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
    damage_picture: ["not a PNG"],
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
    store_other_widget_code: ["the widget abc is stored with older code"],
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


def test_the_same_picture_is_the_same():
    assert figures.compare_outputs([shown(picture())], [shown(picture())]) == []


def test_a_faint_noise_is_no_difference():
    noise = np.random.default_rng(0).integers(-2, 3, size=(120, 160, 3))
    noisy = np.clip(picture() + noise, 0, 255)
    assert figures.difference(picture(), noisy) == ""


def test_a_line_moved_by_two_pixels_is_a_difference():
    assert "RMS" in figures.difference(picture(curve=12), picture(curve=14))


def test_a_small_spot_on_a_large_picture_is_a_difference():
    large = np.full((900, 1400, 3), 255.0)
    spotted = large.copy()
    spotted[700:704, 1000:1004] = 0  # 16 of 1.3 million pixels: far below the limit for the whole
    found = figures.difference(large, spotted)
    assert "row 688, column 992" in found


def test_one_pixel_more_of_paper_is_no_difference():
    taller = np.vstack([np.full((1, 160, 3), 255.0), picture()])
    assert figures.difference(picture(), taller) == ""
    assert figures.difference(taller, picture()) == ""


def test_one_pixel_more_does_not_hide_a_changed_line():
    assert "RMS" in figures.difference(picture(curve=12), picture(curve=60, height=121))


def test_another_size_is_a_difference():
    found = figures.difference(picture(), picture(width=170))
    assert found == "170 × 120 pixels, the stored one has 160 × 120"


@pytest.mark.parametrize(("stored", "fresh"), [(0, 1), (1, 0), (2, 1)])
def test_a_missing_picture_is_a_difference(stored, fresh):
    found = figures.compare_outputs([shown(picture())] * stored, [shown(picture())] * fresh)
    assert found == [f"the cell draws {fresh} figures, {stored} are stored"]


def test_transparent_paper_is_white():
    transparent = np.dstack([picture(), np.where(picture()[..., 0] > 0, 0, 255)])
    assert figures.compare_outputs([shown(picture())], [shown(transparent)]) == []
