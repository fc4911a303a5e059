"""Write copies of the notebooks for Colab into _build/colab: `make colab`.

Colab opens a notebook of a GitHub repository, and gets that file alone. So these copies begin with
a cell that fetches the modules of the book, and their Markdown is plain: numbers of figures,
formulas and theorems are read from the built pages, and links lead there. The publishing workflow
keeps the copies on the branch `colab`; PECODE_REPOSITORY and PECODE_SITE name the repository and
the published book, as in publishing/website/publish.py.
"""

import os
import posixpath
import re
import subprocess
import sys

import nbformat
from docutils.nodes import make_id
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.util.inventory import InventoryFile

from publishing import markdown
from publishing.home import HTML, ROOT
from publishing.website import publish

TARGET = ROOT / "_build" / "colab"
# What the pages say of answers, and what a notebook says.
HOW_TO_ANSWER = (
    ". To answer a question, run its cell. To write a function, fill in its cell, run it, and "
    "run the check below it."
)
# Versions of numpy and the rest are Colab's own; what it has not is installed.
FIRST_CELL = """#@title Colab needs this cell: it fetches the modules of the book. Run it first.
![ -d /content/book ] || git clone --quiet {repository} /content/book
!git -C /content/book checkout --quiet {commit}
%pip install --quiet autograd anywidget
import sys

from google.colab import output

sys.path.insert(0, "/content/book")
output.enable_custom_widget_manager()  # for the figures that move"""


def names(html):
    """Return the notebooks of chapters and exercises that have a page."""
    paths = [*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("exercises/[0-9]*.ipynb")]
    found = sorted(path.relative_to(ROOT).as_posix() for path in paths)
    return [name for name in found if (html / name).with_suffix(".html").exists()]


class Book:
    """Where the built book has what a text refers to, and which number it has there."""

    def __init__(self, html, site):
        self.site = site  # the address at which the book is read
        with (html / "objects.inv").open("rb") as file:
            self.objects = InventoryFile.load(file, "", posixpath.join)
        self.cited = markdown.references(ROOT / "references.bib")
        self.numbers = {}
        for name in names(html):
            page = name.removesuffix("ipynb") + "html"
            found = numbered((html / page).read_text(encoding="utf8"))
            self.numbers |= {place: (page, number) for place, number in found.items()}

    def link(self, role, target, title, document):
        """Return the Markdown of a reference in a document; without an end it is its title."""
        if role.startswith("cite"):
            link = f"[{{words}}]({self.site}appendices/bibliography.html#cite-{{key}})"
            return markdown.cited(target, self.cited, role == "cite:t", link)
        if role in ("number", "numref", "eq", "prf:ref"):
            is_formula = role == "eq" or target.startswith("eq-")
            place = make_id(f"equation-{target}" if is_formula else target)
            page, number = self.numbers.get(place, ("", ""))
            if role == "number":
                return number.strip("()")
            return f"[{title or number}]({self.site}{page}#{place})" if page else title or target
        kind = {"ref": "label", "numref": "label"}.get(role, role)
        if role == "doc":
            target = posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
        known = self.objects.get(f"std:{kind}", {})
        if found := known.get(target) or known.get(target.lower()):
            _, _, page, name = found
            return f"[{title or (target if name == '-' else name)}]({self.site}{page})"
        return title or target


def numbered(html):
    """Return the numbers of figures, theorems and formulas of a page, by the ids of their places.

    >>> numbered('<figure id="fig-a"><span class="caption-number">Fig. 5.1 </span></figure>')
    {'fig-a': 'Fig. 5.1'}
    """
    found, place = {}, ""
    for name, number in re.findall(r' id="([^"]+)"|class="(?:caption-number|eqno)">([^<]*)<', html):
        place = name or place
        if number:
            found[place] = number.strip()
    return found


def for_colab(notebook, document, book, first):
    """Return a notebook of the book as Colab runs it; `first` is the cell that fetches modules."""

    def refer(role, target, title):
        return book.link(role, target, title, document)

    def include(path, options):
        code = (ROOT / document).parent.joinpath(path).read_text(encoding="utf8")
        return markdown.definition(code, options["pyobject"])

    cells = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            source = cell.source.replace(markdown.HOW_TO_ANSWER, HOW_TO_ANSWER)
            cells.append(new_markdown_cell(markdown.plain(source, refer, include)))
            continue
        tags = cell.metadata.get("tags", [])
        # Folded, as on the page; but a question is asked by running its cell.
        folded = {"remove-input", "hide-input"} & set(tags) and not cell.source.startswith("ask(")
        metadata = {"jupyter": {"source_hidden": True}} if folded else {}
        cells.append(new_code_cell(cell.source, metadata={"tags": tags} | metadata))
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if "caption" in figure:
            number = refer("number", figure["name"], "")
            text = f"**{number}.** {markdown.plain(figure['caption'], refer)}"
            cells.append(new_markdown_cell(text))
    # Colab shows the title of a form, not its code.
    cells.insert(1, new_code_cell(first, metadata={"cellView": "form"}))
    for count, cell in enumerate(cells):
        cell.id = f"cell-{count}"
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return new_notebook(cells=cells, metadata=kernel)


def main():
    """Write the copies."""
    chosen = publish.settings(os.environ)
    site, repository = chosen["pecode_site"], chosen["pecode_repository"]
    if not (site and repository):
        sys.exit("Colab reads published repositories: set PECODE_SITE and PECODE_REPOSITORY.")
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    first, book = FIRST_CELL.format(repository=repository, commit=commit), Book(HTML, site)
    for name in names(HTML):
        stored = nbformat.read(ROOT / name, as_version=4)
        (TARGET / name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(for_colab(stored, name, book, first), TARGET / name)
    print(f"{TARGET}: {len(names(HTML))} notebooks")


if __name__ == "__main__":
    main()
