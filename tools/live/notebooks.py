"""The book's notebooks as a reader runs them in the browser: plain Markdown, no outputs.

What a page says about itself (numbers of figures, formulas and theorems, titles) is read from the
built book, so that the notebooks count as the pages do. Links lead to the pages, at the address
BOOK, which a script of tools/lite.py replaces by the one at which the site is read.
"""

import hashlib
import posixpath
import re
from pathlib import Path

import nbformat
from docutils.nodes import make_id
from jinja2 import Template
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.util.inventory import InventoryFile

from tools import markdown

BOOK = "http://book.invalid/"  # a name that nobody can own
KERNEL = {
    "kernelspec": {"name": "python", "display_name": "Python (Pyodide)", "language": "python"},
    "language_info": {"name": "python"},  # without it a dialog asks for the kernel
}
NOTE = Template(Path(__file__).with_name("note.md").read_text(encoding="utf8").rstrip())
# What the pages say of answers, and what a notebook says.
HOW_TO_ANSWER = (
    " To answer a question, run its cell. To write a function, fill in its cell, run it, and "
    "run the check below it."
)
# Versions of numpy and the rest are Colab's own; what it has not is installed.
COLAB = """#@title Colab needs this cell: it installs the module of the book. Run it first.
%pip install --quiet "{requirement}" autograd anywidget
from google.colab import output

output.enable_custom_widget_manager()  # for the figures that move"""
# The kernel in the browser runs each cell in a context of its own, where numpy prints as ever.
PRINTING = re.compile(r"^(np\.set_printoptions\(.*?\)).*$", flags=re.MULTILINE)
EVERY_CELL = r"""\g<0>
# Only for Python in the browser, which would forget the line above after each cell:
get_ipython().events.register("pre_run_cell", lambda _: \1)"""


def all_names(root):
    """Return the notebooks of chapters and exercises, without the overview."""
    paths = [*root.glob("chapters/[0-9]*.ipynb"), *root.glob("exercises/[0-9]*.ipynb")]
    return sorted(path.relative_to(root).as_posix() for path in paths)


def names(root, html):
    """Return the notebooks that readers run: those that have a page."""
    return [name for name in all_names(root) if (html / name).with_suffix(".html").exists()]


class Book:
    """What the pages of the built book say about themselves."""

    def __init__(self, root, html):
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
            link = f"[{{words}}]({BOOK}appendices/bibliography.html#cite-{{key}})"
            return markdown.cited(target, self.cited, role == "cite:t", link)
        if role in ("numref", "eq", "prf:ref"):
            anchor = anchor_of(target, role)
            page, number = self.numbers[anchor]
            return f"[{title or number}]({BOOK}{page}#{anchor})"
        kind = "label" if role == "ref" else role
        if role == "doc":
            target = posixpath.normpath(posixpath.join(posixpath.dirname(document), target))
        page, name = self.objects[kind, target if kind == "doc" else target.lower()]
        return f"[{title or (target if kind == 'term' else name)}]({BOOK}{page})"


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


def for_browser(notebook, document, book, root):
    """Return a notebook of the book as it runs in the browser."""
    cells = plain(notebook, document, book, root)
    for cell in cells:
        if cell.cell_type == "code":
            cell.source = PRINTING.sub(EVERY_CELL, cell.source)
    note = NOTE.render(
        exercises=document.startswith("exercises"),
        fresh=f"{BOOK}run.html?path={document}&fresh",
        help=f"{BOOK}run.html#if-it-does-not-start",
        page=BOOK + document.removesuffix("ipynb") + "html",
    )
    cells.insert(1, new_markdown_cell(note, id="runs-in-the-browser"))
    new = new_notebook(cells=cells, metadata=dict(KERNEL))
    new.metadata["edition"] = hashlib.sha256(nbformat.writes(new).encode()).hexdigest()[:12]
    return new


def for_colab(notebook, document, book, root, site, requirement):
    """Return a notebook of the book as Colab runs it, which must install `pecode` first."""
    # Colab shows the title of a form, not its code
    install = new_code_cell(COLAB.format(requirement=requirement), id="install-pecode",
                            metadata={"cellView": "form"})  # fmt: skip
    title, *rest = plain(notebook, document, book, root)
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    new = new_notebook(cells=[title, install, *rest], metadata=kernel)
    return nbformat.reads(nbformat.writes(new).replace(BOOK, site), as_version=4)


def write(root, html, target):
    """Write all live notebooks into a folder; return the file and the edition of each."""
    book, built = Book(root, html), {}
    for name in names(root, html):
        new = for_browser(nbformat.read(root / name, as_version=4), name, book, root)
        # The file's name is all that a tab of the browser shows.
        file = re.sub(r"^(exercises/.*)[.]ipynb$", r"\1-exercises.ipynb", name)
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(new, target / file)
        built[name] = {"file": file, "edition": new.metadata.edition}
    return built
