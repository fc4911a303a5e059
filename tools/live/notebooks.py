"""The book's notebooks as a reader runs them in the browser: plain Markdown, no outputs.

What a page says about itself (numbers of figures, formulas and theorems, titles) is read from the
built book, so that the notebooks count as the pages do. Links lead to the pages: they are written
with the address BOOK, which site/live.js replaces by the address under which the site is read.
"""

import hashlib
import json
import re
import zlib
from html import unescape
from pathlib import Path, PurePosixPath

from docutils.nodes import make_id

from tools import markdown

BOOK = "http://book.invalid/"  # a name that nobody can own
KERNEL = {
    "kernelspec": {"name": "python", "display_name": "Python (Pyodide)", "language": "python"},
    "language_info": {"name": "python"},  # without it a dialog asks for the kernel
}
NOTE = (
    "> **This notebook runs in your browser.** Nothing is installed, and nothing is sent anywhere. "
    "{how} The first cell takes up to a minute, since Python is loaded before it. `[*]` beside a "
    "cell means that it waits or works; the circle at the top right says how far all of them are. "
    "A `NameError` means that cells above have not been run: after a reload, none has.\n>\n"
    "> Change what you like. Your changes are kept in this browser, some seconds after you make "
    "them; to [start afresh]({fresh}), close this tab as well. If a small red sign appears at the "
    "top right, Python could not be loaded: [what to do]({run}#if-it-does-not-start). Here is "
    "[the page of the book]({page})."
)
HOW = {
    "chapters": "Press Shift+Enter in one cell after another, from the top, or choose "
    "*Run → Run All Cells*.",
    "exercises": "Run the first cell with Shift+Enter, then one exercise at a time: some cells "
    "show the answer that you are asked to guess.",
}
# Versions of numpy and the rest are Colab's own; what it has not is installed.
COLAB = """#@title Colab needs this cell: it installs the module of the book. Run it first.
%pip install --quiet "{requirement}" autograd anywidget
from google.colab import output

output.enable_custom_widget_manager()  # for the figures that move"""
PHRASES = {  # of the book's pages, and what they are in a live notebook
    markdown.HOW_TO_ANSWER: (
        " To answer a question, run its cell. To write a function, fill in its cell, run it, and "
        "run the check below it."
    ),
}

# The kernel in the browser runs each cell in a context of its own, where numpy has its own print
# options again.
PRINTING = re.compile(r"^(np\.set_printoptions\((.*?)\)).*$", flags=re.MULTILINE)
EVERY_CELL = (
    'get_ipython().events.register("pre_run_cell", lambda _: {0})\n'
    "{0}  # the line above says it to each cell again: in the browser it is forgotten otherwise"
)


def all_names(root):
    """Return the notebooks of chapters and exercises, without the overview."""
    paths = [*root.glob("chapters/*.ipynb"), *root.glob("exercises/[0-9]*.ipynb")]
    return sorted(path.relative_to(root).as_posix() for path in paths)


def names(root, html):
    """Return the notebooks that readers run: those that have a page."""
    return [name for name in all_names(root) if (html / name).with_suffix(".html").exists()]


class Book:
    """What the pages of the built book say about themselves."""

    def __init__(self, html):
        self.html = Path(html)
        self.objects = inventory(self.html / "objects.inv")
        self.numbers = {}
        self.cited = {}
        self.whole = True  # nothing was left out, so no reference may lead nowhere

    @classmethod
    def of(cls, root, html):
        """Read the built book, and the bibliography of its sources."""
        book = cls(html)
        book.whole = names(root, book.html) == all_names(root)
        book.cited = markdown.references((root / "references.bib").read_text(encoding="utf8"))
        for page in [*book.html.glob("chapters/*.html"), *book.html.glob("exercises/*.html")]:
            name = page.relative_to(book.html).as_posix()
            found = numbered(page.read_text(encoding="utf8"))
            book.numbers |= {key: (name, number) for key, number in found.items()}
        return book

    def link(self, role, target, title, document):
        """Return the Markdown of a reference in a document; one that leads nowhere raises."""
        if role == "number":
            return self.numbers[anchor_of(target)][1].strip("()")
        if role.startswith("cite"):
            words = markdown.cited(target, self.cited, role == "cite:t")
            return f"[{words}]({BOOK}appendices/bibliography.html)"
        if role == "ledger":
            rows = target.split()
            marks = ", ".join(f"[{row}]({BOOK}{self.objects['label', f'ledger-{row.lower()}'][0]})"
                              for row in rows)  # fmt: skip
            return f"<sup>{marks}</sup>"
        if role in ("numref", "eq", "prf:ref"):
            page, number = self.numbers[anchor_of(target, role)]
            return f"[{title or number}]({BOOK}{page}#{anchor_of(target, role)})"
        if role == "doc":
            target = (PurePosixPath(document).parent / target).as_posix()
            while "../" in target:
                target = re.sub(r"[^/]+/\.\./", "", target, count=1)
        kind = {"doc": "doc", "term": "term", "ref": "label"}[role]
        page, name = self.objects[kind, target.lower() if kind != "doc" else target]
        return f"[{title or (target if kind == 'term' else name)}]({BOOK}{page})"


def anchor_of(label, role=""):
    """Return the name of the place of a label in its page."""
    return make_id(f"equation-{label}" if role == "eq" or label.startswith("eq-") else label)


def inventory(path):
    """Return where a built book has its pages, labels and terms, by kind and name."""
    packed = path.read_bytes().split(b"\n", 4)[4]
    found = {}
    for line in zlib.decompress(packed).decode("utf8").splitlines():
        row = re.fullmatch(r"(.+?) std:(doc|label|term) -?\d+ (\S+) (.*)", line)
        if row:
            name, kind, place, title = row.groups()
            place = place.removesuffix("$") + (name if place.endswith("$") else "")
            found[kind, name if kind == "doc" else name.lower()] = (
                place,
                name if title == "-" else title,
            )
    return found


def numbered(html):
    """Return the numbers of figures, theorems and formulas of a page, by the names of their places.

    >>> numbered('<figure id="fig-a"><span class="caption-number">Fig. 5.1 </span></figure>')
    {'fig-a': 'Fig. 5.1'}
    """
    found = {}
    for place, inside in re.findall(r'<figure[^>]*\sid="([^"]+)"[^>]*>(.*?)</figure>', html, re.S):
        number = re.search(r'class="caption-number">([^<]*)<', inside)
        found[place] = number[1].strip() if number else "the figure"
    proof = (
        r'<div class="proof [^"]*" id="([^"]+)">\s*<p[^>]*><span class="caption-number">([^<]*)<'
    )
    formula = r'id="(equation-[^"]+)">\s*<span class="eqno">([^<]*)<'
    for place, number in re.findall(f"{proof}", html) + re.findall(formula, html):
        found[place] = unescape(number).strip()
    return found


def live(notebook, document, book, root):
    """Return a notebook of the book as it runs in the browser."""

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

    cells = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for phrase, other in PHRASES.items():
                source = source.replace(phrase, other)
            cells.append(_markdown(cell["id"], markdown.plain(source, refer, include)))
        else:
            source = PRINTING.sub(lambda found: EVERY_CELL.format(found[1]), source)
            cells.append(_code(cell, source))
            cells += caption(cell, book, refer)
    page = f"{BOOK}{document.removesuffix('.ipynb')}.html"
    run = f"{BOOK}run.html"
    how = HOW[document.partition("/")[0]]
    note = NOTE.format(how=how, fresh=f"{run}?path={document}&fresh", run=run, page=page)
    cells.insert(1, _markdown("runs-in-the-browser", note))
    new = {"cells": cells, "metadata": dict(KERNEL), "nbformat": 4, "nbformat_minor": 5}
    new["metadata"]["edition"] = hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:12]
    return new


def for_colab(notebook, site, requirement):
    """Return a live notebook as Colab runs it: Colab gets it alone and must install `pecode`."""
    title, _, *rest = notebook["cells"]
    install = _code({"id": "install-pecode", "metadata": {}}, COLAB.format(requirement=requirement))
    install["metadata"] = {"cellView": "form"}  # Colab shows the title of a form, not its code
    text = json.dumps({
        "cells": [title, install, *rest],
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    })  # fmt: skip
    return json.loads(text.replace(BOOK, site))


def _markdown(name, source):
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": _lines(source)}


def _lines(source):
    return source.splitlines(keepends=True)


def _code(cell, source):
    tags = cell["metadata"].get("tags", [])
    metadata = {"tags": tags} if tags else {}
    # Folded, as on the page; but a question is asked by running its cell.
    if {"remove-input", "hide-input"} & set(tags) and not source.startswith("ask("):
        metadata["jupyter"] = {"source_hidden": True}
    return {"cell_type": "code", "id": cell["id"], "metadata": metadata, "execution_count": None,
            "outputs": [], "source": _lines(source)}  # fmt: skip


def caption(cell, book, refer):
    """Return the caption of the figure that a cell draws, as a cell; or none."""
    figure = cell["metadata"].get("mystnb", {}).get("figure", {})
    if "caption" not in figure:
        return []
    number = book.numbers[make_id(figure["name"])][1]
    return [
        _markdown(
            f"{cell['id']}-caption", f"**{number}.** {markdown.plain(figure['caption'], refer)}"
        )
    ]


def write(root, html, target):
    """Write all live notebooks into a folder; return their names and editions."""
    book, editions = Book.of(root, html), {}
    for name in names(root, html):
        notebook = json.loads((root / name).read_text(encoding="utf8"))
        new = live(notebook, name, book, root)
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(new, indent=1, ensure_ascii=False) + "\n", encoding="utf8")
        editions[name] = new["metadata"]["edition"]
    return editions
