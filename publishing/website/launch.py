"""Sphinx extension: the buttons that run a page here or on Binder.

`python -m publishing.live` sets PECODE_LIVE, and puts Python for the browser into python/ beside
the pages. The button is there when that is: one that leads nowhere is worse than none.
"""

import os
from pathlib import Path
from urllib.parse import quote

PYTHON = "python"  # the folder with Python and the scripts (publishing/live)
# A page from a file may not load a module: the page of ways to run says what to do.
START = (
    "import('{home}/page.js').then((page) => page.start('{path}'), "
    "() => location.assign('{help}#if-it-does-not-start'))"
)


def setup(app):
    """Add the buttons after the theme has made its own."""
    there = (Path(app.outdir) / PYTHON / "page.js").exists()
    live = there or bool(os.environ.get("PECODE_LIVE"))
    app.add_config_value("live_notebooks", live, "html", bool)
    app.connect("html-page-context", add_buttons, priority=900)


def add_buttons(app, pagename, templatename, context, doctree):
    """Add the button that runs the page, and the menu with the other way."""
    folder, _, name = pagename.partition("/")
    numbered = folder in ("chapters", "exercises") and name[:1].isdigit()
    if not numbered and name not in ("tour", "mistakes", "config", "choosing", "extending"):
        return
    path, repository = f"{pagename}.ipynb", app.config.pecode_repository
    if repository:
        way = {"type": "link", "label": "launch-way", "url": binder(repository, path)}
        way["text"] = "Binder: a borrowed server, ready in some minutes"
        look = {"tooltip": "Another way to run this page", "icon": "fas fa-chevron-down"}
        menu = {"type": "group", "label": "launch-ways", "buttons": [way]}
        context["header_buttons"].insert(0, menu | look)
    if app.config.live_notebooks:
        home, help_page = context["pathto"](PYTHON, resource=True), context["pathto"]("run")
        script = START.format(home=home, path=path, help=help_page)
        look = {"text": "Edit and run the code", "icon": "fas fa-play"}
        button = {"type": "javascript", "label": "launch-live", "javascript": script}
        context["header_buttons"].insert(0, button | look)


def binder(repository, path):
    """Return the address that opens a notebook of a repository on mybinder.org."""
    place, asked = (quote(text, safe="") for text in (repository, f"lab/tree/{path}"))
    return f"https://mybinder.org/v2/git/{place}/HEAD?urlpath={asked}"
