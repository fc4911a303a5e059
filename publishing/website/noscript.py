"""What stands for a widget where scripts are off: a picture, a question in words, links."""

import json
import re
from hashlib import sha256
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup
from docutils.nodes import make_id
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup
from PIL import Image
from sphinx.util import logging

import figures
from exercises import widgets

HERE = Path(__file__).parent
DENSITY = 2  # pixels of a still picture to one of the page
LOG = logging.getLogger(__name__)
WIDGETS = {name: getattr(figures, name)._esm for name in figures.FIGURES} | {
    widget.__name__: widget._esm for widget in (widgets.Passed, widgets.Progress, widgets.Question)
}
# A view names its model, and the state of that its class.
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"


def marked(text):
    """Return a text as HTML on one line, with its `code` and its *emphasis*.

    As `exercises/widgets/question.js` does; in Markdown `2*3*4` would have emphasis.
    """

    def element(found):
        return f"<code>{found[1]}</code>" if found[1] else f"<em>{found[2]}</em>"

    marks = r"`([^`]+)`|(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])"
    return Markup(re.sub(marks, element, escape(" ".join(text.split()))))


JINJA = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True)
JINJA.filters |= {"marked": marked, "id": make_id}
IN_WORDS = JINJA.get_template("without-scripts.html")


def in_script(data):
    """Return data as JSON that may stand in a script of a page."""
    return json.dumps(data).replace("</", "<\\/")


def add_fallbacks(soup, found_docs, root):
    """Add to each widget of a page what is shown without scripts; root: the way to the root."""
    states = {}
    for script in soup.find_all("script", type=STATE):
        held = json.loads(script.string)
        for model in held["state"].values():
            complete(model["state"], found_docs)
        script.string = in_script(held)
        states |= held["state"]
    for view in soup.find_all("script", type=VIEW):
        state = states.get(json.loads(view.string)["model_id"], {}).get("state", {})
        words = BeautifulSoup(f"<noscript>{in_words(state, root)}</noscript>", "html.parser")
        view.insert_after(words)


def complete(state, found_docs):
    """Name the file of a widget's code: a notebook has a stand-in (tools/refresh.py).

    The list of all exercises loses those whose page was left out.
    """
    if (name := class_of(state)) in WIDGETS:
        version = sha256(WIDGETS[name].encode()).hexdigest()[:8]
        state["_esm"] = f"{name}.js?v={version}"
    if listed := state.get("exercises"):
        there = [each for each in listed if f"exercises/{each['chapter']}" in found_docs]
        state["exercises"] = there


def class_of(state):
    """Return the name of the class of a widget, or nothing."""
    return state.get("_anywidget_id", "").split(".")[-1]


def in_words(state, root=""):
    """Return what stands for a widget, from the state that is stored in the notebook."""
    name, pictures = class_of(state), []
    stills = [HERE / "stills" / f"{name}{form}.png" for form in ("", "-phone")]
    if all(still.exists() for still in stills):  # `make stills` draws them
        for still in stills:
            with Image.open(still) as image:
                width, height = (round(side / DENSITY) for side in image.size)
                alt = image.info["Description"]
            pictures.append((f"{root}_static/stills/{still.name}", width, height, alt))
    elif "options" not in state and "exercises" not in state:
        LOG.warning("no picture of the interactive figure %r: run `make stills`", name)
    return IN_WORDS.render(state=state, pictures=pictures)
