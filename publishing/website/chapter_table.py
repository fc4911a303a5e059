"""The directive `chapter-table`: the chapters with their questions, or the time to read them."""

import json
import re
from pathlib import Path

from sphinx.util.docutils import SphinxDirective

from book import CHAPTERS, LECTURES

WORDS, LINES, FIGURES = 200, 12, 1  # read in a minute
FOLDED = re.compile(r"(?ms)<details.*?</details>|^(`{3,}|:{3,})\{dropdown\}.*?^\1|^:\w+:.*?$")
HIDDEN = {"hide-cell", "hide-input", "remove-cell", "remove-input"}


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
