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

import ledger
from tools import markdown

BOOK = "http://book.invalid/"  # a name that nobody can own
KERNEL = {
    "kernelspec": {"name": "python", "display_name": "Python (Pyodide)", "language": "python"},
    "language_info": {"name": "python"},  # without it a dialog asks for the kernel
}
NOTE = (
    "> **This notebook runs in your browser.** Nothing is installed, and nothing is sent anywhere. "
    "{how} The first cell takes up to a minute, since Python is loaded before it. `[*]` beside a "
    "cell means that it waits or works; the circle at the top right (on a phone behind `…`) says "
    "how far all of them are.\n>\n"
    "> Change what you like. Your text is kept in this browser, some seconds after you write it; "
    "what Python has computed is not. So run the cells again after a reload, from the top. A "
    "`NameError` means that cells above have not been run, *Loading widget…* that this one has "
    "not. `•••` is code that is folded: click it.\n>\n"
    "> To drop your changes, [start afresh]({fresh}), and close this tab. If a small red sign "
    "appears at the top right, Python could not be loaded: "
    "[what to do]({run}#if-it-does-not-start). Links lead to the pages "
    "of the book, as here to [the one of this notebook]({page}).{marks}"
)
HOW = {
    "chapters": "Press Shift+Enter (or ▶ at the top) in one cell after another, from the top, or "
    "choose *Run → Run All Cells* (on a phone ▶▶).",
    "exercises": "Run the first cell with Shift+Enter (or ▶ at the top), then one exercise at a "
    "time: some cells show the answer that you are asked to guess.",
}
MARKS = (
    " A small mark such as ✗ 003-29 leads to a statement of a source, and to what we found about "
    "it: ✓ it holds, ~ it is imprecise, ✗ it is wrong."
)
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

# The kernel in the browser runs each cell in a context of its own, where numpy prints as ever.
PRINTING = re.compile(r"^(np\.set_printoptions\(.*?\)).*$", flags=re.MULTILINE)
EVERY_CELL = """{0}
# Only for Python in the browser, which would forget the line above after each cell:
get_ipython().events.register("pre_run_cell", lambda _: {1})"""
IN_BROWSER = re.compile(r"\n# Only for Python in the browser.*\n.*")


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
        self.sections = {}
        self.cited = {}
        self.verdicts = {
            row["id"]: row["verdict"] for row in [*ledger.statements(), *ledger.popular()]
        }
        self.whole = True  # nothing was left out, so no reference may lead nowhere

    @classmethod
    def of(cls, root, html):
        """Read the built book, and the bibliography of its sources."""
        book = cls(html)
        book.whole = names(root, book.html) == all_names(root)
        book.cited = markdown.references((root / "references.bib").read_text(encoding="utf8"))
        for page in [*book.html.glob("chapters/*.html"), *book.html.glob("exercises/*.html")]:
            name = page.relative_to(book.html).as_posix()
            html = page.read_text(encoding="utf8")
            book.numbers |= {key: (name, number) for key, number in numbered(html).items()}
            book.sections[name] = sections(html)
        return book

    def link(self, role, target, title, document):
        """Return the Markdown of a reference in a document; one that leads nowhere raises."""
        if role == "number":
            return self.numbers[anchor_of(target)][1].strip("()")
        if role.startswith("cite"):
            link = f"[{{words}}]({BOOK}appendices/bibliography.html#cite-{{key}})"
            return markdown.cited(target, self.cited, role == "cite:t", link)
        if role == "ledger":
            return f"<sup>{', '.join(map(self._mark, target.split()))}</sup>"
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

    def _mark(self, row):
        """Return the link to a row of the ledger, with its verdict, as the page has it."""
        place, _ = self.objects["label", f"ledger-{row.lower()}"]
        verdict = self.verdicts[row]
        title = f"a statement of the sources: {verdict}"
        words = f"{ledger.SIGNS[verdict]} {row}".replace(" ", "\u00a0").replace("-", "\u2011")
        return f'[{words}]({BOOK}{place} "{title}")'


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


def file_of(document):
    """Return the file of a live notebook: its name is all that a tab of the browser shows.

    >>> file_of("chapters/05-translation.ipynb"), file_of("exercises/05-translation.ipynb")
    ('chapters/05-translation.ipynb', 'exercises/05-translation-exercises.ipynb')
    """
    return re.sub(r"^(exercises/.*)\.ipynb$", r"\1-exercises.ipynb", document)


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

    page = document.removesuffix(".ipynb") + ".html"
    numbers = iter(book.sections[page])
    cells = []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            for phrase, other in PHRASES.items():
                source = source.replace(phrase, other)
            text = markdown.plain(with_numbers(source, numbers), refer, include)
            cells.append(_markdown(cell["id"], text))
        else:
            source = PRINTING.sub(lambda found: EVERY_CELL.format(found[0], found[1]), source)
            cells.append(_code(cell, source))
            cells += caption(cell, book, refer)
    run = f"{BOOK}run.html"
    how = HOW[document.partition("/")[0]]
    fresh = f"{run}?path={document}&fresh"
    marks = MARKS if "{ledger}`" in json.dumps(notebook) else ""
    note = NOTE.format(how=how, fresh=fresh, run=run, page=BOOK + page, marks=marks)
    cells.insert(1, _markdown("runs-in-the-browser", note))
    new = {"cells": cells, "metadata": dict(KERNEL), "nbformat": 4, "nbformat_minor": 5}
    new["metadata"]["edition"] = hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:12]
    return new


def for_colab(notebook, site, requirement):
    """Return a live notebook as Colab runs it: Colab gets it alone and must install `pecode`."""
    title, _, *rest = json.loads(json.dumps(notebook["cells"]))
    for cell in rest:
        cell["source"] = _lines(IN_BROWSER.sub("", "".join(cell["source"])))
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
    """Write all live notebooks into a folder; return the file and the edition of each."""
    book, built = Book.of(root, html), {}
    for name in names(root, html):
        notebook = json.loads((root / name).read_text(encoding="utf8"))
        new = live(notebook, name, book, root)
        path = target / file_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(new, indent=1, ensure_ascii=False) + "\n", encoding="utf8")
        built[name] = {"file": file_of(name), "edition": new["metadata"]["edition"]}
    return built
