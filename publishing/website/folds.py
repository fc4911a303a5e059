"""Sphinx extension: the directive `dropdown`, as the fold of the book that JupyterLab folds, too.

The one of sphinx_design has a look of its own; this writes what `<details class="hint">` would,
which JupyterLab's MyST does not fold around Markdown.
"""

from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective


class Fold(SphinxDirective):
    """A fold with a title, of the class "hint", "solution" or "show"."""

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


def setup(app):
    """Take the place of sphinx_design's directive of this name."""
    app.setup_extension("sphinx_design")
    app.add_directive("dropdown", Fold, override=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
