"""What a student handed in, as a notebook of the handout with the student's text and code in it."""

import copy
import html
import re
import warnings
from collections import namedtuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

LARGEST = 20_000_000  # bytes of a notebook
# What names an exercise in the code of its answer, or of the cell that grades it
TOLD = re.compile(r"""^def (\w+)\(|\bask\(\s*["'](\w+)["']|^grade\(.*["'](\w+)["']\)""", re.M)

Cell = namedtuple("Cell", ["source", "is_code", "name"])  # the name in the metadata, or None


def read(path):
    """Return the cells of a notebook; ValueError says why a file is none."""
    if path.stat().st_size > LARGEST:
        raise ValueError("larger than 20 MB")
    try:
        with warnings.catch_warnings(action="ignore"):  # what is missing is made up for
            notebook = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        return [plain(cell) for cell in notebook.cells]
    except Exception as error:  # a student may hand in anything
        raise ValueError("not a notebook") from error


def plain(cell):
    """Return what is kept of a cell."""
    # Half a character is none.
    source = str(cell.get("source", "")).encode(errors="replace").decode()
    metadata = dict(cell.get("metadata") or {}).get("nbgrader")
    name = metadata.get("grade_id") if isinstance(metadata, dict) else None
    return Cell(source, cell.get("cell_type") == "code", name if isinstance(name, str) else None)


def names(notebook):
    """Return the cells of the handout that nbgrader knows, by name."""
    return {
        cell.metadata.nbgrader.grade_id: cell
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    }


def named(cells, known):
    """Return cells of which a program dropped the names with those that their code tells."""
    lost = known.keys() - {cell.name for cell in cells}
    for cell in cells:
        told = TOLD.findall(cell.source)
        told = [answer or asked or f"test_{graded}" for answer, asked, graded in told]
        name = next((name for name in told if name in lost), None)
        yield cell._replace(name=name) if cell.is_code and name and cell.name not in known else cell


def bare(source):
    """Return code without its layout."""
    return "".join(source.split())


def rebuilt(handed_in, released):
    """Return a notebook with the text and code of a student and all the rest from the handout.

    Formgrader and the pages of feedback show Markdown, outputs and metadata as they are. So what a
    student wrote comes as code without outputs, or as text. The cells that grade are those of the
    handout, where the student has them, but behind the answer.

    Returns
    -------
    new : notebook
    remarks : dict of sets
        What was found, and the names of the exercises.
    unedited : set
        The exercises whose answer is still that of the handout, or missing.
    """
    known, texts = names(released), {cell.source for cell in released.cells}
    answers = {name for name, cell in known.items() if cell.metadata.nbgrader.solution}
    cells = [each if each.name in known else each._replace(name=None)
             for each in named(handed_in, known)]  # fmt: skip
    last = {cell.name: k for k, cell in enumerate(cells)}
    places, placed = {}, []  # the place of a cell, and the cell: one that is missing comes last
    for k, cell in enumerate(cells):
        if not cell.name or (cell.name in answers and last[cell.name] != k):
            new = new_code_cell if cell.is_code else new_markdown_cell
            placed.append((k, new(cell.source if cell.is_code else shown(cell.source, texts))))
    for name, cell in known.items():
        new = copy.deepcopy(cell)
        if name in answers:
            places[name] = last.get(name, len(cells))
            source = cells[last[name]].source if name in last else "# This cell was not here."
            new.source = source if cell.cell_type == "code" else shown(source, texts)
        else:
            places[name] = max(last.get(name, 0), places.get(name.removeprefix("test_"), 0))
        placed.append((places[name], new))
    placed.sort(key=lambda pair: pair[0])
    found = {name: [bare(cell.source) for cell in cells if cell.name == name] for name in known}
    unedited = {
        name
        for name, code in ((name, bare(cell.source)) for name, cell in known.items())
        if {*found[name]} <= {code} or "".join(found[name]) == code
    }
    return (
        new_notebook(metadata=released.metadata, cells=[cell for _, cell in placed]),
        {
            "tests edited": known.keys() - answers - unedited,
            "cells deleted": known.keys() - last.keys(),
            "cells split or copied": {name for name in known if len(found[name]) > 1},
            "metadata lost": (last.keys() & known.keys()) - {cell.name for cell in handed_in},
        },
        unedited & answers,
    )


def shown(text, texts):
    """Return Markdown that shows what a student wrote as it was typed; a text of ours as it is."""
    return text if text in texts else f"<pre>{html.escape(text)}</pre>"
