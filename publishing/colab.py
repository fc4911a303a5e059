"""Write copies of the notebooks for Colab into _build/colab: `make colab`.

Colab opens a notebook of a GitHub repository, and gets that file alone. So these copies begin with
a cell that fetches the modules of the book, and their Markdown is plain: what a page says of
itself (numbers of figures, formulas and theorems, titles) is read from the built book, and links
lead there. The publishing workflow keeps the copies on the branch `colab`; PECODE_REPOSITORY and
PECODE_SITE name the repository and the published book, as in publishing/website/publish.py.
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
COLAB = """#@title Colab needs this cell: it fetches the modules of the book. Run it first.
![ -d /content/book ] || git clone --quiet {repository} /content/book
!git -C /content/book checkout --quiet {commit}
%pip install --quiet autograd anywidget
import sys

from google.colab import output

sys.path.insert(0, "/content/book")
output.enable_custom_widget_manager()  # for the figures that move"""


def all_names(root):
    """Return the notebooks of chapters and exercises, without the overview."""
    paths = [*root.glob("chapters/*.ipynb"), *root.glob("exercises/[0-9]*.ipynb")]
    return sorted(path.relative_to(root).as_posix() for path in paths)


def names(root, html):
    """Return the notebooks that readers run: those that have a page."""
    return [name for name in all_names(root) if (html / name).with_suffix(".html").exists()]


class Book:
    """What the pages of the built book say about themselves."""

    def __init__(self, root, html, site):
        self.site = site  # the address at which the book is read
        self.objects = inventory(html / "objects.inv")
        self.cited = markdown.references(root / "references.bib")
        self.whole = names(root, html) == all_names(root)  # no reference may lead nowhere
        self.numbers, self.sections = {}, {}
        for path in [*html.glob("chapters/*.html"), *html.glob("exercises/*.html")]:
            page, text = path.relative_to(html).as_posix(), path.read_text(encoding="utf8")
            self.numbers |= {key: (page, number) for key, number in numbered(text).items()}
            self.sections[page] = sections(text)

    def link(self, role, target, title, document):
        """Return the Markdown of a reference in a document; one that leads nowhere raises."""
        if role == "number":
            return self.numbers[anchor_of(target)][1].strip("()")
        if role.startswith("cite"):
            link = f"[{{words}}]({self.site}appendices/bibliography.html#cite-{{key}})"
            return markdown.cited(target, self.cited, role == "cite:t", link)
        if role in ("numref", "eq", "prf:ref"):
            anchor = anchor_of(target, role)
            page, number = self.numbers[anchor]
            return f"[{title or number}]({self.site}{page}#{anchor})"
        kind = "label" if role == "ref" else role
        if role == "doc":
            target = posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
        page, name = self.objects[kind, target if kind == "doc" else target.lower()]
        return f"[{title or (target if kind == 'term' else name)}]({self.site}{page})"


def anchor_of(label, role=""):
    """Return the name of the place of a label in its page."""
    return make_id(f"equation-{label}" if role == "eq" or label.startswith("eq-") else label)


def inventory(path):
    """Return where a built book has its pages, labels and terms, by kind and name."""
    with path.open("rb") as file:
        kinds = InventoryFile.load(file, "", posixpath.join)
    return {
        (kind, name if kind == "doc" else name.lower()): (place, name if title == "-" else title)
        for kind in ("doc", "label", "term")
        for name, (_, _, place, title) in kinds.get(f"std:{kind}", {}).items()
    }


def numbered(html):
    """Return the numbers of figures, theorems and formulas of a page, by the names of their places.

    >>> numbered('<figure id="fig-a"><span class="caption-number">Fig. 5.1 </span></figure>')
    {'fig-a': 'Fig. 5.1'}
    """
    found, place = {}, ""
    for name, number in re.findall(r' id="([^"]+)"|class="(?:caption-number|eqno)">([^<]*)<', html):
        place = name or place
        if number:
            found[place] = number.strip()
    return found


def sections(html):
    """Return the number of each heading of a page, an empty text where it has none.

    >>> sections('<h1><span class="section-number">5. </span>A</h1><h2>B</h2>')
    ['5.', '']
    """
    article = html.partition("<article")[2].partition("</article>")[0] or html
    return re.findall(r'<h[1-6]>(?:<span class="section-number">([\d.]+) ?</span>)?', article)


def with_numbers(text, numbers):
    r"""Return a Markdown text whose headings begin with the next of the numbers.

    >>> with_numbers("# A\n```\n# no heading\n```\n## B", iter(["5.", "5.1."]))
    '# 5. A\n```\n# no heading\n```\n## 5.1. B'
    """

    def number(match):
        return match[0] if match["fence"] else f"{match['level']} {next(numbers)} ".rstrip() + " "

    fence = r"^(?P<fence>`{3,}|:{3,}).*?^(?P=fence)"
    return re.sub(rf"{fence}|^(?P<level>#+) ", number, text, flags=re.DOTALL | re.MULTILINE)


def plain(notebook, document, book, root):
    """Return the cells of a notebook of the book as any program shows them, without outputs."""

    def refer(role, target, title):
        try:
            return book.link(role, target, title, document)
        except KeyError:  # of a page that was left out: the build of the pages has named it
            if book.whole:
                raise
            return title or target

    def include(path, options):
        code = (root / document).parent.joinpath(path).read_text(encoding="utf8")
        return markdown.definition(code, options["pyobject"])

    numbers, cells = iter(book.sections[document.removesuffix("ipynb") + "html"]), []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            source = cell.source.replace(markdown.HOW_TO_ANSWER, HOW_TO_ANSWER)
            text = markdown.plain(with_numbers(source, numbers), refer, include)
            cells.append(new_markdown_cell(text, id=cell.id))
            continue
        cells.append(new_code_cell(cell.source, id=cell.id, metadata=folded(cell)))
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        if "caption" in figure:
            number = book.numbers[make_id(figure["name"])][1]
            text = f"**{number}.** {markdown.plain(figure['caption'], refer)}"
            cells.append(new_markdown_cell(text, id=f"{cell.id}-caption"))
    return cells


def folded(cell):
    """Return what a code cell keeps of its metadata: its tags, and whether it is folded."""
    tags = cell.metadata.get("tags", [])
    metadata = {"tags": tags} if tags else {}
    # Folded, as on the page; but a question is asked by running its cell.
    if {"remove-input", "hide-input"} & set(tags) and not cell.source.startswith("ask("):
        metadata["jupyter"] = {"source_hidden": True}
    return metadata


def for_colab(notebook, document, book, root, first):
    """Return a notebook of the book as Colab runs it; `first` is the cell that fetches modules."""
    # Colab shows the title of a form, not its code
    install = new_code_cell(first, id="install-pecode", metadata={"cellView": "form"})
    title, *rest = plain(notebook, document, book, root)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return new_notebook(cells=[title, install, *rest], metadata=kernel)


def main():
    """Write the copies."""
    chosen = publish.settings(os.environ)
    site, repository = chosen["pecode_site"], chosen["pecode_repository"]
    if not (site and repository):
        sys.exit("Colab reads published repositories: set PECODE_SITE and PECODE_REPOSITORY.")
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    first = COLAB.format(repository=repository, commit=commit)
    book, found = Book(ROOT, HTML, site), names(ROOT, HTML)
    for name in found:
        stored = nbformat.read(ROOT / name, as_version=4)
        (TARGET / name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(for_colab(stored, name, book, ROOT, first), TARGET / name)
    print(f"{TARGET}: {len(found)} notebooks")


if __name__ == "__main__":
    main()
