"""The figures that the book shows, as Python writes them."""

import re

import figures
from tests.book.notebooks import WIDGET_VIEW, outputs

from ..browser_fixtures import ROOT


def shown_in_notebooks(name="*.ipynb"):
    """Return the repr of every figure of the notebooks, in the order of the pages."""
    found = outputs(WIDGET_VIEW, f"chapters/{name}", f"appendices/{name}")
    return ["".join(data["text/plain"]) for _, data in found]


def shown_on_the_first_page():
    """Return the repr of every figure of the home page."""
    names = re.findall(r"```\{moving-figure\} (\w+)", (ROOT / "intro.md").read_text("utf8"))
    return [repr(getattr(figures, name)()) for name in names]
