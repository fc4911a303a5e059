"""The directive `moving-figure`: with the name of a class, its figure on a page of Markdown."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import figures
from publishing.website.noscript import STATE, VIEW, in_script


class MovingFigure(SphinxDirective):
    """Show a figure as its class starts, by the scripts that a notebook's page has for it."""

    required_arguments = 1

    def run(self):
        """Return the state of the figure and its place; figure_host.js mounts it there."""
        name = self.arguments[0]
        if name not in figures.FIGURES:
            raise self.error(f"moving-figure: expected one of {', '.join(figures.FIGURES)}: {name}")
        for path in Path(figures.__file__).parent.glob("*.[jp][sy]"):
            self.env.note_dependency(str(path))
        self.env.metadata[self.env.docname]["moving-figure"] = name
        state = getattr(figures, name)().get_state()
        del state["layout"]
        html = (
            f'<script type="{STATE}">{in_script({"state": {name: {"state": state}}})}</script>'
            f'<div class="opening"><script type="{VIEW}">{in_script({"model_id": name})}</script>'
            "</div>"
        )
        return [nodes.raw("", html, format="html")]
