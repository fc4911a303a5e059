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
CSS_PIXELS_PER_INCH = 100  # matplotlib's own: a figure 7 inches wide is 700 pixels wide
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


def displayed_size(picture):
    """Return width and height of a picture on a page: 200 dots an inch are two a CSS pixel."""
    scale = CSS_PIXELS_PER_INCH / picture.info.get("dpi", (CSS_PIXELS_PER_INCH,))[0]
    return [round(side * scale) for side in picture.size]


def in_script(data):
    """Return data as JSON that may stand in a script of a page."""
    return json.dumps(data).replace("</", "<\\/")


def state_script(text):
    """Return the script of a page that holds the state of its figures."""
    return BeautifulSoup(f'<script type="{STATE}">{text}</script>', "html.parser").script


def add_fallbacks(soup, found_docs, root):
    """Add to each widget of a page what is shown without scripts; root: the way to the root."""
    states = {}
    for script in soup.find_all("script", type=STATE):
        held = json.loads(script.string)
        drop_missing_pages(held["state"], found_docs)
        refer_to_code(held["state"])
        script.replace_with(state_script(in_script(held)))
        states |= held["state"]
    for view in soup.find_all("script", type=VIEW):
        state = states.get(json.loads(view.string)["model_id"], {}).get("state", {})
        view.insert_after(
            BeautifulSoup(f"<noscript>{in_words(state, root)}</noscript>", "html.parser")
        )


def drop_missing_pages(models, found_docs):
    """Drop from the list of all exercises those whose page was left out."""
    for state in (model["state"] for model in models.values()):
        if listed := state.get("exercises"):
            there = [each for each in listed if f"exercises/{each['chapter']}" in found_docs]
            state["exercises"] = there


def refer_to_code(models):
    """Let each widget name the file of its code: a notebook has a stand-in (tools/refresh.py)."""
    for held in models.values():
        name = held["state"].get("_anywidget_id", "").split(".")[-1]
        if name in WIDGETS:
            version = sha256(WIDGETS[name].encode()).hexdigest()[:8]
            held["state"]["_esm"] = f"{name}.js?v={version}"


def in_words(state, root=""):
    """Return what stands for a widget, from the state that is stored in the notebook."""
    name = state.get("_anywidget_id", "").split(".")[-1]
    stills = [HERE / "stills" / f"{name}{form}.png" for form in ("", "-phone")]
    pictures, said = [], ""
    if all(still.exists() for still in stills):  # `make stills` draws them
        for still in stills:
            with Image.open(still) as image:
                pictures.append((f"{root}_static/stills/{still.name}", *displayed_size(image)))
                said = image.info["Description"]
    elif "options" not in state and "exercises" not in state:
        LOG.warning("no picture of the interactive figure %r: run `make stills`", name)
    return IN_WORDS.render(state=state, pictures=pictures, said=said)
