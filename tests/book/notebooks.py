"""What every notebook of the book must satisfy before a reader sees it.

A rule takes a notebook and yields problems, each a sentence that names the cell. All rules read
the stored file only: that the outputs are also right is checked by running the notebook.
"""

import json
import re
from xml.etree import ElementTree

import nbformat

import figures
from publishing.home import ROOT

RULES = []  # of every notebook; those of a chapter only are below
SIZE_CAP = 1_500_000  # bytes of a notebook; its pictures are downloaded by every reader
MAX_LINES = 25  # of a code cell that is seen at once
MAX_FOLDED = 60  # of one that is folded: the code of a figure, or the checks of several sections
FOLDED = "the tag hide-input and jupyter.source_hidden"
# How each look of what opens begins.
FOLDS = {"show": r"(.*(</strong>|\*\*) )?Show ", "hint": "Show ", "solution": "Show "}
# The question with its choices, and how the answer begins.
PREDICTION = re.compile(
    r"(?ms)^::::\{admonition\} Predict\n:class: predict\n((?:(?!^::::).)*?)"
    r"^:::\{dropdown\} Show the answer\n\*\*(.*?)\*\*(?:(?!^::::).)*?^:::\n::::$"
)
MIN_ALT = 40  # characters: shorter ones name a figure, they do not describe it
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"


def rule(function):
    """Add the function to the rules for every notebook."""
    RULES.append(function)
    return function


def problems(notebook, rules):
    """Return what the rules find, each sentence headed by the name of its rule."""
    return [f"{rule.__name__}: {problem}" for rule in rules for problem in rule(notebook)]


def read(path):
    """Read a notebook file; one that breaks the format raises, as two cells of one id do."""
    notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    return notebook


def name(index, cell):
    """Name a cell by its place, as it is counted in JupyterLab from 1, and by its first line."""
    first = cell.source.strip().splitlines()[0][:50] if cell.source.strip() else "(empty)"
    return f"cell {index} ({first})"


def code_cells(notebook):
    """Yield (name, cell) of every code cell."""
    for index, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            yield name(index, cell), cell


def outputs(form, *patterns):
    """Yield (cell, data) of every output of a form that some notebooks of the book store."""
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        for _, cell in code_cells(read(path)):
            data = [output.get("data", {}) for output in cell.outputs]
            yield from ((cell, each) for each in data if form in each)


def texts(cell):
    """Yield every text that the outputs of a code cell hold."""
    for output in cell.outputs:
        data = output.get("data", {})
        html = () if WIDGET_VIEW in data else ("text/html",)  # that of a widget is a still picture
        found = [output.get("text"), *map(data.get, ("text/plain", "text/markdown", *html))]
        yield from map("".join, filter(None, found))


def pictures(cell):
    """Return the outputs of a code cell that hold a picture."""
    mimes = {"image/png", "image/svg+xml", "image/jpeg"}
    return [out for out in cell.outputs if mimes & {*out.get("data", {})}]


@rule
def every_code_cell_was_executed_in_order(notebook):
    counts = [cell.execution_count for _, cell in code_cells(notebook)]
    for expected, (where, cell) in enumerate(code_cells(notebook), start=1):
        if cell.execution_count is None:
            yield f"{where} was not executed"
        elif cell.execution_count != expected:
            yield f"{where} has the count {cell.execution_count}, expected {expected}"
    if not counts:
        yield "there is no code cell"


@rule
def no_output_is_an_error_or_a_warning(notebook):
    for where, cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"{where} stores an error: {output.ename}"
            elif output.get("name") == "stderr":
                yield f"{where} writes to stderr: {output.text.strip()[:80]}"


@rule
def no_line_ends_in_a_semicolon(notebook):
    for where, cell in code_cells(notebook):
        if cell.source.rstrip().endswith(";"):
            yield f"{where} ends in `;`: the comparison of outputs cannot read that"


@rule
def code_cells_are_short(notebook):
    for where, cell in code_cells(notebook):
        lines = len(cell.source.splitlines())
        folded = {"hide-input", "hide-cell"} & {*cell.metadata.get("tags", [])}
        most = MAX_FOLDED if folded else MAX_LINES
        if lines > most:
            yield f"{where} has {lines} lines, at most {most}"
        if not cell.source.strip():
            yield f"{where} is empty"


@rule
def what_folds_says_what_it_opens(notebook):
    """“Show …”; the same twice in a row would be one."""
    before = None
    for index, cell in enumerate(notebook.cells, start=1):
        where, label = name(index, cell), cell.metadata.get("mystnb", {}).get("code_prompt_show")
        if label and (not label.startswith("Show ") or label == before):
            yield f"{where} folds as {label!r}"
        before = label
        folds = re.findall(r'<details class="(\w+)".*?><summary>(.*?)</sum', cell.source)
        ours = re.findall(r":::\{dropdown\} (.*)(?:\n:class: (\w+))?", cell.source)
        folds += [(look or "show", title) for title, look in ours]
        for look, title in folds:
            if not re.match(FOLDS.get(look, "$^"), title):
                yield f"{where} folds as {title!r}"
        if '<details class="show"' in cell.source:
            yield f"{where} stands open in JupyterLab: expected :::{{dropdown}}, not <details>"


@rule
def a_prediction_has_choices_and_one_answer(notebook):
    """The answer begins as one of two to four choices does, or is a number."""
    count = 0
    for index, cell in enumerate(notebook.cells, start=1):
        where, found = name(index, cell), PREDICTION.findall(cell.source)
        count += len(found)
        if len(found) != len(re.findall(r"\{admonition\} Predict|=.predict", cell.source)):
            yield f"{where} asks for a prediction in another form than the others"
        for asked, answer in found:
            choices = [choice.lower() for choice in re.findall(r"(?m)^- (.*)", asked)]
            right = answer.lower().rstrip(".")
            number = not choices and re.fullmatch(r"−?[\d.,/]+", right)
            if not number and not 2 <= len(choices) <= 4:
                yield f"{where} offers {len(choices)} choices"
            elif not number and sum(choice.startswith(right) for choice in choices) != 1:
                yield f"{where} answers {answer!r}, which is not how one choice begins"
    if count > 3:
        yield f"{count} predictions, at most three"


def the_code_of_figures_and_imports_is_folded(notebook):
    for count, (where, cell) in enumerate(code_cells(notebook)):
        imports = re.findall(r"^(?:import|from) ", cell.source, re.MULTILINE)
        draws = "figure" in cell.metadata.get("mystnb", {})
        on_the_page = {"hide-input", "hide-cell"} & {*cell.metadata.get("tags", [])}
        if on_the_page and cell.metadata.get("jupyter", {}).get("source_hidden"):
            continue
        if draws:
            yield f"{where} draws a figure and is not folded ({FOLDED})"
        elif imports and count == 0:
            yield f"{where} has the imports and is not folded ({FOLDED})"
        elif len(imports) > 1:
            yield f"{where} has {len(imports)} imports, an open cell at most one"


CHAPTER_RULES = [the_code_of_figures_and_imports_is_folded]


@rule
def the_file_is_small(notebook):
    size = len(json.dumps(notebook))
    if size > SIZE_CAP:
        yield f"{size:,} bytes, at most {SIZE_CAP:,}"


@rule
def the_first_cell_is_the_title(notebook):
    first = notebook.cells[0] if notebook.cells else None
    # A label, "(name)=", may stand above the title.
    pattern = r"\A(\([\w-]+\)=\s*\n)*# \S"
    if first is None or first.cell_type != "markdown" or not re.match(pattern, first.source):
        yield "the first cell does not begin with a title, `# …`"
    for index, cell in enumerate(notebook.cells, start=1):
        text = re.sub(r"(?ms)^(```+|:::+).*?^\1", "", cell.source)  # without fences
        titles = len(re.findall(r"(?m)^# \S", text)) * (cell.cell_type == "markdown")
        if titles != (1 if index == 1 else 0):
            yield f"{name(index, cell)} has {titles} titles; the one title is in the first cell"


@rule
def every_picture_is_a_described_figure(notebook):
    for where, cell in code_cells(notebook):
        meta = cell.metadata.get("mystnb", {})
        figure, image = meta.get("figure", {}), meta.get("image", {})
        drawn = len(pictures(cell))
        if not drawn and not (figure or image):
            continue
        if (figure or image) and drawn != 1:
            yield f"{where} describes one figure and stores {drawn} pictures"
        label, caption = (figure.get(key, "") for key in ("name", "caption"))
        alt = image.get("alt", "")
        if not re.fullmatch(r"fig-[a-z0-9-]+", label):
            yield f"{where} has the figure name {label!r}, expected fig-…"
        if not caption.strip():
            yield f"{where} has a figure without a caption"
        if not alt.strip():
            yield f"{where} has a figure without an alternative text"
        elif len(alt) < MIN_ALT:
            yield f"{where} has an alternative text of {len(alt)} characters, at least {MIN_ALT}"
        if alt.strip() and alt.strip() == caption.strip():
            yield f"{where} repeats the caption as alternative text: say what is to be seen"


@rule
def every_picture_is_a_drawing_with_true_minus_signs(notebook):
    for where, cell in code_cells(notebook):
        for output in pictures(cell):
            drawing = "".join(output.data.get("image/svg+xml", ""))
            if not drawing.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="drawn"'):
                yield f"{where} stores a picture that figures.svg has not drawn"
                continue
            for text in ElementTree.fromstring(drawing).itertext():
                if re.search(r"(?<![\w.])-\d", text):
                    yield f"{where} writes {text!r} in its figure with a hyphen for the minus"


@rule
def every_interactive_figure_has_its_state(notebook):
    states = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    for where, cell in code_cells(notebook):
        for output in cell.outputs:
            view = output.get("data", {}).get(WIDGET_VIEW)
            if view and view["model_id"] not in states:
                yield f"{where} shows an interactive figure whose state is not stored"
            if view and "nbval-ignore-output" not in cell.metadata.get("tags", []):
                yield f"{where} shows an interactive figure and needs the tag nbval-ignore-output"


@rule
def every_interactive_figure_is_stored_with_its_present_traits(notebook):
    states = notebook.metadata.get("widgets", {}).get(WIDGET_STATE, {}).get("state", {})
    for model_id, state in states.items():
        name = state["state"].get("_anywidget_id", "").split(".")[-1]
        if name in figures.FIGURES:
            for trait in getattr(figures, name).class_traits(sync=True, public=True):
                if trait not in state["state"]:
                    yield f"the figure {model_id} is stored without {trait!r} (`make refresh`)"
