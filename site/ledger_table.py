"""Sphinx extension: the ledger as a table, and marks in the text that lead to its rows.

    ```{ledger-table} statements
    ```

writes the table of the five sources (or of `popular` statements), and {ledger}`003-29` beside a
sentence leads to the row of that statement.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole

import ledger
from book import CHAPTERS

LOG = logging.getLogger(__name__)
COLUMNS = ("row", "statement", "what is right", "chapter")
# What stands below a check; the numbers of the source are those that it prints.
NUMBERS = {"value": "gives", "if_true": "would give, if it held", "stated": "the source has"}
TABLES = {"statements": ledger.statements, "popular": ledger.popular}


def setup(app):
    """Add the directive and the role; the links are set when all pages are read."""
    app.add_directive("ledger-table", LedgerTable)
    app.add_role("ledger", LedgerMark())
    app.connect("doctree-resolved", link_chapters)
    app.connect("html-page-context", add_filter)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class LedgerMark(SphinxRole):
    """One id or several: a small link to each row, with the sign of its verdict."""

    def run(self):
        """Return a link for each id; one that the ledger does not have is an error."""
        marks = []
        rows = {row["id"]: row for table in TABLES.values() for row in table()}
        for name in self.text.split():
            if name not in rows:
                message = f"the ledger has no row {name!r}"
                return [], [self.inliner.reporter.error(message, line=self.lineno)]
            verdict = rows[name]["verdict"]
            mark = nodes.inline("", classes=["ledger-mark", f"is-{nodes.make_id(verdict)}"])
            mark += nodes.Text(f"{ledger.SIGNS[verdict]} {name}")
            mark += nodes.inline("", f" {verdict}", classes=["visually-hidden"])
            marks += [
                nodes.Text(" "),
                nodes.reference("", "", mark, internal=True, ledger_row=name),
            ]
        return marks[1:], []


class LedgerTable(SphinxDirective):
    """The table of the statements of the sources, or of the popular ones."""

    required_arguments = 1

    def run(self):
        """Write a row for each statement, and remember where it is."""
        self.env.note_dependency(str(Path(ledger.FOLDER) / f"{self.arguments[0]}.yml"))
        self.env.metadata[self.env.docname]["ledger"] = True
        rows = TABLES[self.arguments[0]]()
        body = nodes.tbody("", *map(self._row, rows))
        head = nodes.thead("", nodes.row("", *(_cell(nodes.Text(text)) for text in COLUMNS)))
        widths = [nodes.colspec(colwidth=25) for _ in COLUMNS]  # book.css has the widths
        group = nodes.tgroup("", *widths, head, body, cols=len(COLUMNS))
        return [nodes.table("", group, classes=["ledger"])]

    def _row(self, row):
        anchor = f"ledger-{row['id'].lower()}"
        domain = self.env.get_domain("std")
        domain.note_hyperlink_target(anchor, self.env.docname, anchor, row["id"])
        verdict = row["verdict"]
        classes = ["source-" + row["id"].split("-")[0].lower(), "kind-" + row["kind"]]
        return nodes.row(
            "",
            _cell(nodes.literal("", row["id"]), _plain(f"{ledger.SIGNS[verdict]} {verdict}")),
            _cell(nodes.Text(row["says"]), _small(f"{ledger.source(row)}, {row['where']}")),
            self._instead(row),
            _cell(_chapter(row)),
            ids=[anchor],
            classes=[*classes, "verdict-" + nodes.make_id(verdict)],
        )

    def _instead(self, row):
        parts = [nodes.Text(row.get("right", "as it stands" if row["verdict"] == "holds" else ""))]
        if row.get("why"):
            parts.append(_small(row["why"]))
        if "check" in row:
            check = nodes.literal("", row["check"])
            parts.append(nodes.paragraph("", "", nodes.Text("check: "), check, classes=["small"]))
            parts += [
                _small(f"{what}: {_shown(row[key])}") for key, what in NUMBERS.items() if key in row
            ]
        else:
            parts.append(_small(f"no check: {row['no_check']}"))
        return _cell(*parts)


def _cell(*parts):
    first, *rest = parts
    return nodes.entry("", nodes.paragraph("", "", first), *rest)


def _shown(value):
    """Write a value of the ledger as a reader would."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _plain(text):
    return nodes.paragraph("", text)


def _small(text):
    return nodes.paragraph("", text, classes=["small"])


def _chapter(row):
    """Return a link to the chapter of a row; `link_chapters` gives it its address."""
    chapter = CHAPTERS[row["chapter"]]
    text = f"chapter {chapter.number}"
    return nodes.reference("", text, internal=True, ledger_to=f"chapters/{chapter.slug}")


def link_chapters(app, doctree, docname):
    """Lead each mark to its row, and each row to the chapter that treats its statement."""
    for link in list(doctree.findall(nodes.reference)):
        if "ledger_row" in link:
            _lead_to_row(app, link, docname)
        elif "ledger_to" in link:
            _lead_to_chapter(app, link, docname)


def _lead_to_row(app, link, docname):
    name = link.attributes.pop("ledger_row")
    labels = app.env.get_domain("std").anonlabels
    page, anchor = labels.get(f"ledger-{name.lower()}", (docname, ""))
    if not anchor:
        LOG.warning("ledger: no table has the row %s", name, location=link)
    link["refuri"] = f"{app.builder.get_relative_uri(docname, page)}#{anchor}"


def _lead_to_chapter(app, link, docname):
    target = link.attributes.pop("ledger_to")
    if target not in app.env.tocs:
        message = f"ledger: {target} is no part of the book, so its rows lead nowhere"
        LOG.warning(message, once=True)
        link.replace_self(nodes.inline("", link.astext()))
        return
    link["refuri"] = app.builder.get_relative_uri(docname, target)
    link["reftitle"] = app.env.titles[target].astext()


def add_filter(app, pagename, templatename, context, doctree):
    """Load the filter on the pages that have a table."""
    if app.env.metadata.get(pagename, {}).get("ledger"):
        names = {key.lower(): name for key, (_, name) in ledger.SOURCES.items()}
        data = {"data-sources": json.dumps(names)}
        app.add_js_file("ledger.js", defer="defer", **data)
