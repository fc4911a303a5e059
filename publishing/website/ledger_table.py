"""Sphinx extension: the ledger as a table.

    ```{ledger-table} statements
    ```

writes the table of the five sources (or of `popular` statements). {ref}`003-29` leads to the row of
that statement, and shows the sign of its verdict.
"""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxDirective

import ledger
from book import CHAPTERS

COLUMNS = ("row", "statement", "what is right", "chapter")
# What stands below a check; the numbers of the source are those that it prints.
NUMBERS = {"value": "gives", "if_true": "would give, if it held", "stated": "the source has"}
TABLES = {"statements": ledger.statements, "popular": ledger.popular}


def setup(app):
    """Add the directive."""
    app.add_directive("ledger-table", LedgerTable)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


class LedgerTable(SphinxDirective):
    """The table of the statements of the sources, or of the popular ones."""

    required_arguments = 1

    def run(self):
        """Write a row for each statement, and remember where it is."""
        self.env.note_dependency(str(Path(ledger.FOLDER) / f"{self.arguments[0]}.yml"))
        body = nodes.tbody("", *map(self._row, TABLES[self.arguments[0]]()))
        head = nodes.thead("", nodes.row("", *map(_cell, COLUMNS)))
        widths = [nodes.colspec(colwidth=25) for _ in COLUMNS]  # book.css has the widths
        group = nodes.tgroup("", *widths, head, body, cols=len(COLUMNS))
        return [nodes.table("", group, classes=["ledger", self.arguments[0]])]

    def _row(self, row):
        anchor, verdict = f"ledger-{row['id'].lower()}", row["verdict"]
        sign, domain = ledger.MARKS[verdict], self.env.get_domain("std")
        label = row["id"].lower(), self.env.docname, anchor, f"{sign} {row['id']}"
        domain.note_hyperlink_target(*label)
        return nodes.row(
            "",
            _cell(nodes.literal("", row["id"]), nodes.paragraph("", f"{sign} {verdict}")),
            _cell(row["says"], _small(f"{ledger.source(row)}, {row['where']}")),
            _right(row),
            _cell(_chapter(row)),
            ids=[anchor],
        )


def _right(row):
    parts = [_small(row["why"])] if row.get("why") else []
    if "check" in row:
        check = nodes.literal("", row["check"])
        parts.append(nodes.paragraph("", "", nodes.Text("check: "), check, classes=["small"]))
        parts += [_small(f"{NUMBERS[key]}: {_shown(row[key])}") for key in NUMBERS if key in row]
    else:
        parts.append(_small(f"no check: {row['no_check']}"))
    return _cell(row.get("right", "as it stands" if row["verdict"] == "holds" else ""), *parts)


def _cell(first, *rest):
    node = nodes.Text(first) if isinstance(first, str) else first
    return nodes.entry("", nodes.paragraph("", "", node), *rest)


def _shown(value):
    """Write a value of the ledger as a reader would."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _small(text):
    return nodes.paragraph("", text, classes=["small"])


def _chapter(row):
    """Return a link to the chapter of a row; its text where the book is built without that."""
    chapter = CHAPTERS[row["chapter"]]
    link = {"refdomain": "std", "reftype": "doc", "reftarget": f"/chapters/{chapter.slug}"}
    text = nodes.inline("", f"chapter {chapter.number}")
    return addnodes.pending_xref("", text, refexplicit=True, refwarn=False, **link)
