"""The figures that the chapters show, as Python writes them."""

import json

from ..browser_fixtures import ROOT

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def shown_in_chapters(name="*.ipynb"):
    """Return the repr of every figure of the chapters, in the order of the pages."""
    shown = []
    for path in sorted((ROOT / "chapters").glob(name)):
        for cell in json.loads(path.read_text(encoding="utf8"))["cells"]:
            for output in cell.get("outputs", []):
                if WIDGET_VIEW in output.get("data", {}):
                    shown.append("".join(output["data"]["text/plain"]))
    return shown
