"""The directive `ledger`: the rows of a group of mistakes.yml, or the table of places.yml."""

from pathlib import Path

from mdit_py_plugins.anchors.index import slugify
from sphinx.util.docutils import SphinxDirective

import ledger
from book import CHAPTERS

SOURCES = {
    "kernes": "{cite:t}`kernes2021`",
    "chapter": "{ref}`The online chapter <source-chapter>`",
    "handbook": "{ref}`The online handbook <source-handbook>`",
    "herath": "{cite:t}`herath2024`",
    "apx": "{ref}`The ApX course page <source-apx>`",
}


class Ledger(SphinxDirective):
    """The mistakes of a group, or the places of the sources."""

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
            found = (f"{name} ({self._links(words)})" for name, words in sections.items())
            yield f"| {SOURCES[source]} | {' · '.join(found)} |"

    def _links(self, words):
        return ", ".join(self._link(word) for word in words)

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
