"""What a student handed in, as a notebook of the handout with the student's text and code in it."""

import html
import re
import warnings

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

LARGEST = 20_000_000  # bytes of a notebook


def read(path):
    """Return a notebook; ValueError says why a file is none."""
    if path.stat().st_size > LARGEST:
        raise ValueError("larger than 20 MB")
    try:
        with warnings.catch_warnings(action="ignore"):  # what is missing is made up for
            notebook = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            source = str(cell.get("source", ""))
            cell.source = source.encode(errors="replace").decode()  # half a character is none
            cell.metadata = dict(cell.get("metadata") or {})
    except Exception as error:  # a student may hand in anything
        raise ValueError("not a notebook") from error
    return notebook


def names(notebook):
    """Return the cells of the handout that nbgrader knows, by name."""
    return {
        cell.metadata.nbgrader.grade_id: cell
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    }


def named(notebook, known):
    """Return the cells of a student, each with its name or None, and which names were guessed.

    JupyterLab keeps the names, in the metadata; a program that drops them leaves the code.
    """
    found = []
    for cell in notebook.cells:
        metadata = cell.metadata.get("nbgrader")
        name = metadata.get("grade_id") if isinstance(metadata, dict) else None
        found.append(name if isinstance(name, str) and name in known else None)
    guessed = set(known) - set(found)
    for k, cell in enumerate(notebook.cells):
        told = re.findall(r"""^def (\w+)\(|\bask\(\s*["'](\w+)["']""", cell.source, re.MULTILINE)
        maybe = [name for pair in told for name in pair] if cell.get("cell_type") == "code" else []
        maybe += [name for name in guessed if bare(known[name].source) == bare(cell.source)]
        if not found[k]:
            found[k] = next((name for name in maybe if name in guessed), None)
    return list(zip(notebook.cells, found, strict=True)), guessed & set(found)


def bare(source):
    """Return code without its layout."""
    return "".join(source.split())


def rebuilt(notebook, released):
    """Return a notebook with the text and code of a student and all the rest from the handout.

    Formgrader and the pages of feedback show Markdown, outputs and metadata as they are. So what a
    student wrote comes as code without outputs, or as text. The cells that grade are those of the
    handout, each where the student has its last copy, or else behind the answer.

    Returns
    -------
    new : notebook
    remarks : dict of sets
        What was found, and the names of the cells.
    unedited : set
        The exercises whose answer is still that of the handout, or missing.
    """
    known, new = names(released), new_notebook(metadata=released.metadata)
    texts = {cell.source for cell in released.cells if cell.cell_type == "markdown"}
    answers = {name for name, cell in known.items() if cell.metadata.nbgrader.solution}
    cells, guessed = named(notebook, known)
    last, added = {name: k for k, (_, name) in enumerate(cells)}, set()
    deleted = known.keys() - last.keys()
    for name in answers & last.keys():
        if last.get(f"test_{name}", last[name]) < last[name]:
            del last[f"test_{name}"]  # in front of what it grades

    def add(source, kind, metadata=None):
        text = source if source in texts else f"<pre>{html.escape(source)}</pre>"
        cell = new_code_cell(source) if kind == "code" else new_markdown_cell(text)
        cell.metadata.update(metadata or {})
        new.cells.append(cell)

    def add_known(name, source):
        cell = known[name]
        add(source if name in answers else cell.source, cell.cell_type, cell.metadata)
        added.add(name)
        if (test := f"test_{name}") in known.keys() - last.keys():
            add_known(test, "")

    for k, (cell, name) in enumerate(cells):
        if name and last.get(name) == k:
            add_known(name, cell.source)
        elif name in answers or not name:
            add(cell.source, "code" if name else cell.get("cell_type"))
    for name in known:
        if name not in added:
            add_known(name, "# This cell was not in the notebook.")
    sources = {name: [bare(cell.source) for cell, each in cells if each == name] for name in known}
    unedited = {
        name
        for name, found in sources.items()
        if {*found} <= {bare(known[name].source)} or "".join(found) == bare(known[name].source)
    }
    remarks = {
        "tests edited": known.keys() - answers - unedited,
        "cells deleted": deleted,
        "cells split or copied": {name for name, found in sources.items() if len(found) > 1},
        "metadata lost": guessed,
    }
    return new, remarks, unedited & answers
