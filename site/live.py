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


def runs(pagename):
    """Return whether readers run the notebook of a page: chapters and exercises."""
    folder, _, name = pagename.partition("/")
    return folder in ("chapters", "exercises") and name[:1].isdigit()


def add_buttons(app, pagename, templatename, context, doctree):
    """Add the button that runs the notebook, and the menu of other ways."""
    if pagename == RUN:
        app.add_js_file("run.js", defer="defer")
    if not runs(pagename):
        return
    document, repository = f"{pagename}.ipynb", app.config.pecode_repository
    with_copies = repository if app.config.pecode_colab else ""  # on the branch that Colab reads
    here = f"{context['pathto'](RUN)}?path={quote(document)}"
    ways = [
        way("Binder", "a borrowed server, ready in some minutes", binder(repository, document)),
        way("Colab", "a server of Google, asks for an account", colab(with_copies, document)),
    ]
    if app.config.live_notebooks:
        ways.insert(0, way("Start afresh", "drops your changes to this notebook", f"{here}&fresh"))
    ways = [each for each in ways if each["url"]]
    if ways:
        menu = {"tooltip": "Other ways to run this page", "icon": "fas fa-chevron-down"}
        group = {"type": "group", "buttons": ways, "label": "launch-ways", **menu}
        context["header_buttons"].insert(0, group)
    if app.config.live_notebooks:
        words = {"text": "Run in the browser", "tooltip": "Opens the notebook, nothing to install"}
        button = {"type": "link", "url": here, "icon": "fas fa-play", "label": "launch-live"}
        context["header_buttons"].insert(0, button | words)


def way(name, what, url):
    """Return an entry of the menu: a name and, in a line, what it is."""
    label = f"launch-{name.split()[0].lower()}"
    return {"type": "link", "text": f"{name}: {what}", "url": url, "label": label}


def binder(repository, path):
    """Return the address that opens a notebook on mybinder.org, or None.

    repository: web address; path: of the notebook, from the root of the repository.

    >>> binder("https://github.com/user/repo", "chapters/02-counting.ipynb")
    'https://mybinder.org/v2/gh/user/repo/HEAD?urlpath=lab%2Ftree%2Fchapters%2F02-counting.ipynb'
    """
    parts = urlsplit(repository)
    name = parts.path.strip("/")
    # Binder knows no other GitLab
    places = {"github.com": f"gh/{name}", "gitlab.com": f"gl/{quote(name, safe='')}"}
    if parts.hostname not in places:
        return None
    asked = quote(f"lab/tree/{path}", safe="")
    return f"https://mybinder.org/v2/{places[parts.hostname]}/HEAD?urlpath={asked}"


def colab(repository, path):
    """Return the address that opens a notebook in Colab, or None: it reads GitHub only.

    Colab gets the notebook alone; on the branch `colab` it begins with a cell that installs
    `pecode` (tools/colab.py).

    >>> colab("https://github.com/user/repo", "chapters/02-counting.ipynb")
    'https://colab.research.google.com/github/user/repo/blob/colab/chapters/02-counting.ipynb'
    """
    parts = urlsplit(repository)
    if parts.hostname != "github.com":
        return None
    name = parts.path.strip("/")
    return f"https://colab.research.google.com/github/{name}/blob/colab/{quote(path)}"
