"""Sphinx extension: the directives of the book, beside those of MyST and Jupyter Book.

`dropdown` is a fold, `moving-figure` a figure on a page of Markdown; `chapter-table` has the
chapters, `ledger` the rows of the popular mistakes.
"""

import json
import re
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from mdit_py_plugins.anchors.index import slugify
from sphinx.util.docutils import SphinxDirective

import figures
import ledger
from book import CHAPTERS, LECTURES
from publishing.website.noscript import STATE, VIEW, in_script

WORDS, LINES, FIGURES = 200, 12, 1  # read in a minute
FOLDED = re.compile(r"(?ms)<details.*?</details>|^(`{3,}|:{3,})\{dropdown\}.*?^\1|^:\w+:.*?$")
HIDDEN = {"hide-cell", "hide-input", "remove-cell", "remove-input"}
SOURCES = {
    "kernes": "{cite:t}`kernes2021`",
    "chapter": "{ref}`The online chapter <source-chapter>`",
    "handbook": "{ref}`The online handbook <source-handbook>`",
    "herath": "{cite:t}`herath2024`",
    "apx": "{ref}`The ApX course page <source-apx>`",
}


def setup(app):
    """Add the directives; `dropdown` takes the place of the one of sphinx_design."""
    app.setup_extension("sphinx_design")
    app.add_directive("dropdown", Fold, override=True)
    app.add_directive("moving-figure", MovingFigure)
    app.add_directive("chapter-table", ChapterTable)
    app.add_directive("ledger", Ledger)


class Fold(SphinxDirective):
    """A fold with a title, of the class "hint", "solution" or "show".

    The one of sphinx_design has a look of its own; this writes what `<details class="hint">` would,
    which JupyterLab's MyST does not fold around Markdown.
    """

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"class": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        """Return what folds, between the tags of the fold."""
        name = self.arguments[0].removeprefix("Show ")
        title, messages = self.parse_inline(name)
        show = '<span class="on-screen">Show </span>' if name != self.arguments[0] else ""
        look = escape(self.options.get("class", "show"))
        start, middle, end = (
            nodes.raw("", tag, format="html")
            for tag in (f'<details class="{look}"><summary>{show}', "</summary>", "</details>")
        )
        return [start, *title, middle, *messages, *self.parse_content_to_nodes(), end]


class MovingFigure(SphinxDirective):
    """A figure as its class starts, by the scripts that a notebook's page has for it."""

    required_arguments = 1

    def run(self):
        """Return the state of the figure and its place; figure_host.js mounts it there."""
        name = self.arguments[0]
        if name not in figures.FIGURES:
            raise self.error(f"moving-figure: expected one of {', '.join(figures.FIGURES)}: {name}")
        for path in Path(figures.__file__).parent.glob("*.[jp][sy]"):
            self.env.note_dependency(str(path))
        state = getattr(figures, name)().get_state()
        del state["layout"]
        html = (
            f'<script type="{STATE}">{in_script({"state": {name: {"state": state}}})}</script>'
            f'<div class="opening"><script type="{VIEW}">{in_script({"model_id": name})}</script>'
            "</div>"
        )
        return [nodes.raw("", html, format="html")]


class ChapterTable(SphinxDirective):
    """The chapters of this copy of the book, each with its `question` or the `minutes` it takes."""

    required_arguments = 1

    def run(self):
        """Return the table: part, chapter, and what is asked for."""
        what, part = self.arguments[0], ""
        lines = [f"| | chapter | {what} |", "|---|---|---|"]
        for chapter in LECTURES if what == "minutes" else CHAPTERS.values():
            page = f"chapters/{chapter.slug}"
            if page not in self.env.found_docs:
                continue
            path = self.env.doc2path(page)
            self.env.note_dependency(path)
            cells = json.loads(Path(path).read_text("utf8"))["cells"]
            number = chapter.part.partition(" · ")[0].removeprefix("Part ")
            name = f"{chapter.number} {chapter.title}" if chapter.number else chapter.title
            row = (number if chapter.part != part else "", f"{{doc}}`{name} </{page}>`")
            lines.append(f"| {' | '.join(row)} | {COLUMNS[what](cells)} |")
            part = chapter.part
        return self.parse_text_to_nodes("\n".join(lines))


def question(cells):
    """Return the question below the title of a chapter."""
    found = re.search(r"(?m)^\*(.+)\*$", "".join(cells[0]["source"]))
    return found[1] if found else ""  # a chapter of a copy may ask nothing


def minutes(cells):
    """Return the time for words, open code, printed lines and figures, in steps of five minutes."""
    words = lines = figures = 0
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            words += len(FOLDED.sub("", source).split())
            continue
        tags = {*cell["metadata"].get("tags", [])}
        lines += 0 if tags & HIDDEN else source.count("\n") + 1
        for output in [] if tags & {"hide-cell", "hide-output"} else cell["outputs"]:
            drawn = {"image/svg+xml", "application/vnd.jupyter.widget-view+json"}
            figures += bool(drawn & output.get("data", {}).keys())
            lines += len(output.get("text", ()))
    return 5 * round((words / WORDS + lines / LINES + figures / FIGURES) / 5)


COLUMNS = {"question": question, "minutes": minutes}


class Ledger(SphinxDirective):
    """The mistakes of a group of mistakes.yml, or the places of the sources (places.yml)."""

    required_arguments = 1

    def run(self):
        """Write them in Markdown, each with its links."""
        for name in ("mistakes", "places"):
            self.env.note_dependency(str(Path(ledger.FOLDER) / f"{name}.yml"))
        group = self.arguments[0]
        lines = self._places() if group == "places" else self._mistakes(group)
        return self.parse_text_to_nodes("\n".join(lines))

    def _mistakes(self, group):
        for row in ledger.mistakes()[group]:
            verdict = row["verdict"].capitalize()
            yield from (row["says"], f": *{verdict}.* {row['so']} ({self._link(row['see'])})", "")

    def _places(self):
        yield from ("| source | its sections, and the chapters they live in |", "|---|---|")
        for source, sections in ledger.places().items():
            found = [f"{name} ({', '.join(map(self._link, places))})"
                     for name, places in sections.items()]  # fmt: skip
            yield f"| {SOURCES[source]} | {' · '.join(found)} |"

    def _link(self, place):
        """Return a link to a chapter and its section; its name in a copy without that chapter."""
        place, _, section = place.partition("#")
        folder, _, word = place.rpartition("/")
        page = f"{folder or 'chapters'}/{CHAPTERS[word].slug}"
        name = f"exercises {CHAPTERS[word].number}" if folder else f"{CHAPTERS[word].number}"
        name = f"chapter {name}" if section else name
        if page not in self.env.found_docs:
            return name
        return f"[{name}](/{page}.ipynb{'#' * bool(section)}{slugify(section)})"
