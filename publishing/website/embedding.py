"""Moving figures outside of notebooks: on a page of Markdown, and for other people's pages.

The directive `moving-figure` with the name of a class shows the figure as the class starts. Each
figure has a page of its own, and a page lists them with the line to copy.
"""

import json
from pathlib import Path

from docutils import nodes
from PIL import Image
from sphinx.util.docutils import SphinxDirective

import figures
from publishing.website import noscript
from publishing.website.noscript import STATE, VIEW, in_script

FOOT = 100  # CSS pixels of the line below a figure


class MovingFigure(SphinxDirective):
    """Show a moving figure, by the scripts that a notebook's page has for it."""

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


def what(name):
    """Return in a line what a figure shows, as its class says, and how high it is in CSS pixels."""
    path, height = noscript.HERE / "stills" / f"{name}.png", FOOT
    if path.exists():  # else noscript.py warns of it, and `make stills` needs the pages
        with Image.open(path) as still:
            height += noscript.displayed_size(still)[1]
    return getattr(figures, name).__doc__.splitlines()[0].rstrip("."), height


def gallery(app):
    """Write the page that lists the figures of this copy, each with the line to copy."""
    there = {path.stem for path in Path(app.outdir, "figures").glob("*.html")}
    listed = [(name, module, *what(name)) for name, module in figures.FIGURES.items()
              if module in there]  # fmt: skip
    template = noscript.JINJA.get_template("gallery.html")
    body = template.render(
        listed=listed, foot=FOOT, site=app.config.pecode_site, imprint=app.config.imprint
    )
    yield "figures/index", {"title": "The figures, for your pages", "body": body}, "page.html"


def pages(app):
    """Write a page for each moving figure of the book, as its page stores it."""
    written = set()
    for page, (soup, _) in app.trees.items():
        if page.endswith("tour"):
            continue
        states = {}
        for script in soup.find_all("script", type=STATE):
            states |= json.loads(script.string)["state"]
        for view in soup.find_all("script", type=VIEW):
            model = json.loads(view.string)["model_id"]
            name = states[model]["state"].get("_anywidget_id", "").split(".")[-1]
            if name not in figures.FIGURES or name in written:
                continue
            written.add(name)
            context = {
                "title": what(name)[0], "model": model, "page": f"{page}.html",
                "chapter": "" if page == "intro" else soup.h1.get_text().rstrip("#").strip(),
                "state": in_script({"state": {model: states[model]}}),
                "still": noscript.in_words(states[model]["state"], "../"),
            }  # fmt: skip
            yield f"figures/{figures.FIGURES[name]}", context, "figure.html"
