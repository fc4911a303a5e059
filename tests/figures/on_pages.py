"""The figures that the book shows, as Python writes them."""

import json
import re

import figures

from ..browser_fixtures import ROOT

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def shown_in_notebooks(name="*.ipynb"):
    """Return the repr of every figure of the notebooks, in the order of the pages."""
    shown = []
    for path in sorted([*ROOT.glob(f"chapters/{name}"), *ROOT.glob(f"appendices/{name}")]):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            for output in cell.get("outputs", []):
                if WIDGET_VIEW in output.get("data", {}):
                    shown.append("".join(output["data"]["text/plain"]))
    return shown


def shown_on_the_first_page():
    """Return the repr of every figure of the home page."""
    names = re.findall(r"```\{moving-figure\} (\w+)", (ROOT / "intro.md").read_text("utf8"))
    return [repr(getattr(figures, name)()) for name in names]
