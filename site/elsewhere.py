"""Each moving figure at an address of its own, and a page that lists them for other people."""

import json
from pathlib import Path

import without_scripts
from PIL import Image

from pecode import figures

FOOT = 100  # CSS pixels of the line below a figure


def what(name):
    """Return in a line what a figure shows, as its class says, and how high it is in CSS pixels."""
    with Image.open(without_scripts.HERE / "stills" / f"{name}.png") as still:
        dots = still.info["dpi"][0] / 100  # as in pages.py
        height = round(still.height / dots) + FOOT
    return getattr(figures, name).__doc__.splitlines()[0].rstrip("."), height


def gallery(app):
    """Write the page that lists the figures, each with the line to copy."""
    listed = [(name, module, *what(name)) for name, module in figures.FIGURES.items()]
    template = without_scripts.JINJA.get_template("gallery.html")
    body = template.render(listed=listed, foot=FOOT, site=app.config.pecode_site)
    yield "figures/index", {"title": "The figures, for your pages", "body": body}, "page.html"


def write(out, page, soup, site):
    """Write a page for each figure of a chapter; returns their paths."""
    if not page.startswith("chapters/") or page.endswith("tour.html"):
        return []
    states, written = {}, []
    for script in soup.find_all("script", type=without_scripts.STATE):
        states |= json.loads(script.string)["state"]
    for view in soup.find_all("script", type=without_scripts.VIEW):
        model = json.loads(view.string)["model_id"]
        name = states[model]["state"].get("_anywidget_id", "").split(".")[-1]
        path = Path(out, "figures", f"{figures.FIGURES.get(name)}.html")
        if name not in figures.FIGURES or path in written:
            continue
        title, _ = what(name)
        own = {key: states[key] for key in states if key == model}
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            without_scripts.JINJA.get_template("figure.html").render(
                title=title, page=page, chapter=soup.find("h1").get_text().rstrip("#").strip(),
                state=json.dumps({"state": own}).replace("</", "<\\/"), model=model, site=site,
                still=without_scripts.Markup(without_scripts.in_words(own[model]["state"], "../")),
            ),
            encoding="utf8",
        )  # fmt: skip
        written.append(path)
    return written
