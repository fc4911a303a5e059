"""Sphinx extension: the buttons that run a page's notebook, in the browser or elsewhere.

`make lite` sets PECODE_LIVE, and builds the notebooks for the browser into lite/ after the pages.
The button is there when they are: one that leads nowhere is worse than none.
"""

import os
from pathlib import Path
from urllib.parse import quote, urlsplit

RUN = "run"  # the page that looks whether a browser can run a notebook, and opens it


def setup(app):
    """Add the buttons after the theme has made its own."""
    app.add_config_value("live_notebooks", False, "html", bool)
    app.connect("config-inited", look_for_notebooks)
    app.connect("html-page-context", add_buttons, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def look_for_notebooks(app, config):
    """Remember whether the notebooks for the browser lie beside the pages, or will."""
    there = (Path(app.outdir) / "lite" / "live.json").exists()
    config.live_notebooks = bool(os.environ.get("PECODE_LIVE")) or there


def add_buttons(app, pagename, templatename, context, doctree):
    """Add the button that runs the notebook, and the menu of other ways."""
    if pagename == RUN:
        app.add_js_file("run.js", defer="defer")
    folder, _, name = pagename.partition("/")
    if folder not in ("chapters", "exercises") or not name[:1].isdigit():
        return
    path, repository = f"{pagename}.ipynb", app.config.pecode_repository
    here = f"{context['pathto'](RUN)}?path={quote(path)}"
    live = app.config.live_notebooks
    ways = [  # the label, what is said, the address
        ("start", "Start afresh: drops your changes to this notebook", live and f"{here}&fresh"),
        ("binder", "Binder: a borrowed server, ready in some minutes", binder(repository, path)),
        ("colab", "Colab: a server of Google, asks for an account",
         app.config.pecode_colab and colab(repository, path)),
    ]  # fmt: skip
    buttons = [
        {"type": "link", "label": f"launch-{label}", "text": text, "url": url}
        for label, text, url in ways
        if url
    ]
    if buttons:
        menu = {"tooltip": "Other ways to run this page", "icon": "fas fa-chevron-down"}
        group = {"type": "group", "buttons": buttons, "label": "launch-ways", **menu}
        context["header_buttons"].insert(0, group)
    if live:
        words = {"text": "Run in the browser", "tooltip": "Opens the notebook, nothing to install"}
        button = {"type": "link", "url": here, "icon": "fas fa-play", "label": "launch-live"}
        context["header_buttons"].insert(0, button | words)


def binder(repository, path):
    """Return the address that opens a notebook of a repository on mybinder.org, or None.

    >>> binder("https://github.com/user/repo", "chapters/02-counting.ipynb")
    'https://mybinder.org/v2/gh/user/repo/HEAD?urlpath=lab%2Ftree%2Fchapters%2F02-counting.ipynb'
    """
    parts = urlsplit(repository)
    name = parts.path.strip("/")
    # Binder knows no other GitLab
    places = {"github.com": f"gh/{name}", "gitlab.com": f"gl/{quote(name, safe='')}"}
    place, asked = places.get(parts.hostname), quote(f"lab/tree/{path}", safe="")
    return f"https://mybinder.org/v2/{place}/HEAD?urlpath={asked}" if place else None


def colab(repository, path):
    """Return the address that opens a notebook in Colab, or None: it reads GitHub only.

    Colab gets the notebook alone; on the branch `colab` it begins with a cell that installs
    `pecode` (tools/colab.py).
    """
    parts = urlsplit(repository)
    address = f"https://colab.research.google.com/github{parts.path}/blob/colab/{quote(path)}"
    return address if parts.hostname == "github.com" else None
