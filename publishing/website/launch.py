"""Sphinx extension: the buttons that run a page, where it stands or elsewhere.

`python -m publishing.live` sets PECODE_LIVE, and puts Python for the browser into python/ beside
the pages. The button is there when that is: one that leads nowhere is worse than none.
"""

import os
from pathlib import Path
from urllib.parse import quote, urlsplit

PYTHON = "python"  # the folder with Python and the scripts (publishing/live)
# A page from a file may not load a module: the page of ways to run says what to do.
START = (
    "import('{home}/page.js').then((page) => page.start('{path}'), "
    "() => location.assign('{help}#if-it-does-not-start'))"
)


def setup(app):
    """Add the buttons after the theme has made its own."""
    app.add_config_value("live_notebooks", False, "html", bool)
    app.connect("config-inited", look_for_python)
    app.connect("html-page-context", add_buttons, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def look_for_python(app, config):
    """Remember whether Python for the browser lies beside the pages, or will."""
    there = (Path(app.outdir) / PYTHON / "page.js").exists()
    config.live_notebooks = bool(os.environ.get("PECODE_LIVE")) or there


def add_buttons(app, pagename, templatename, context, doctree):
    """Add the button that runs the page, and the menu of other ways."""
    folder, _, name = pagename.partition("/")
    if folder not in ("chapters", "exercises") or not (name[:1].isdigit() or name == "tour"):
        return
    path, repository = f"{pagename}.ipynb", app.config.pecode_repository
    ways = [  # the label, what is said, the address
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
    if app.config.live_notebooks:
        home = context["pathto"](PYTHON, resource=True)
        script = START.format(home=home, path=path, help=context["pathto"]("run"))
        words = {"text": "Run this page", "tooltip": "Python in this page, nothing to install"}
        button = {
            "type": "javascript",
            "javascript": script,
            "icon": "fas fa-play",
            "label": "launch-live",
        }
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

    Colab gets the notebook alone; on the branch `colab` it begins with a cell that fetches the
    modules (publishing/colab.py).
    """
    parts = urlsplit(repository)
    address = f"https://colab.research.google.com/github{parts.path}/blob/colab/{quote(path)}"
    return address if parts.hostname == "github.com" else None
