"""Sphinx extension: where the book is published, whose it is, and which version.

What needs an absolute address is left out without one. No file names an address, so a copy of the
repository is published under its own:

    PECODE_SITE        where the pages will be: https://user.github.io/repo/
    PECODE_REPOSITORY  where the sources are:   https://github.com/user/repo
"""

import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from sphinx.errors import ConfigError

import pecode
from book import LECTURES

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VERSION = pecode.__version__
PDF = "positional-encoding.pdf"
ABOUT = "appendices/site"  # what the site keeps, loads and was tried with
NOT_LISTED = ["404.html", "search.html", "genindex.html", "_modules/*", "slides/*"]


def setup(app):
    """Connect the hooks. A change of a setting of category "html" has every page written again."""
    site = address(os.environ, "PECODE_SITE", end="/")
    app.add_config_value("pecode_site", site, "html")
    app.add_config_value("pecode_repository", address(os.environ, "PECODE_REPOSITORY"), "html")
    app.add_config_value("pecode_date", newest_entry()[1], "html")
    there = "PECODE_PDF" in os.environ or (Path(app.outdir) / PDF).exists()
    app.add_config_value("pecode_pdf", there, "html")
    app.add_config_value("imprint", {}, "html")
    if site:
        app.setup_extension("sphinx_sitemap")
    app.connect("config-inited", configure)
    app.connect("html-page-context", add_words)
    app.connect("build-finished", put_home_page_at_root, priority=990)  # when it is as it will be


def configure(app, config):
    """Set what depends on the address."""
    config.templates_path.insert(0, str(HERE / "templates"))  # before the theme's
    config.html_baseurl = config.ogp_site_url = config.pecode_site
    config.ogp_site_name = config.html_title
    config.notfound_urls_prefix = urlsplit(config.pecode_site).path or "/"
    if config.pecode_site:
        config.html_static_path.append(str(HERE / "social.png"))
        config.ogp_image = "_static/social.png"
        config.sitemap_url_scheme, config.sitemap_excludes = "{link}", NOT_LISTED
    keep_first_authors(config.author, config.imprint, (ROOT / "LICENSE-text").read_text("utf8"))


def put_home_page_at_root(app, exception):
    """Copy the first page to index.html, so that the root has a title and a description."""
    home = Path(app.outdir) / f"{app.config.root_doc}.html"
    if home.exists() and not exception:
        shutil.copyfile(home, home.with_name("index.html"))


def keep_first_authors(author, imprint, license):
    """Refuse an author who takes the place of those whom the license asks to name."""
    for holder in re.findall(r"^Copyright \(c\) \d+ (.+)$", license, re.MULTILINE):
        name = holder.removeprefix("The authors of ")
        if holder != author and name not in imprint.get("adapted_from", ""):
            raise ConfigError(
                f"_config.yml: the license asks you to name {name!r}: imprint, adapted_from. "
                "If the book is yours and your name has changed, change LICENSE-text, too"
            )


def address(environ, name, end=""):
    """Return an address from the environment, with one `end` behind it; an empty text without one.

    >>> address({"PECODE_SITE": "https://user.github.io/repo"}, "PECODE_SITE", end="/")
    'https://user.github.io/repo/'
    """
    if not (text := environ.get(name, "").strip()):
        return ""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ConfigError(f"{name}: expected https://host/path, got {text!r}")
    return text.rstrip("/") + end


def mistake_address(repository, pagename):
    """Return the address of a form, begun for a page, where a mistake is reported."""
    at_gitlab = urlsplit(repository).hostname.startswith("gitlab.")
    title = {"issue[title]" if at_gitlab else "title": f"Mistake in {pagename} ({VERSION})"}
    return f"{repository}{'/-' if at_gitlab else ''}/issues/new?{urlencode(title)}"


def newest_entry():
    """Return version and date of the first entry of CHANGELOG.md that has a version."""
    heading = re.compile(r"(?m)^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$")
    return heading.search((ROOT / "CHANGELOG.md").read_text(encoding="utf8")).groups()


def ownership(author, title, imprint):
    """Return whose the book is, for a line that names it; nothing where its title says so."""
    adapted = imprint.get("adapted_from") and f"adapted from {imprint['adapted_from']}"
    return ", ".join(filter(None, [author if title not in author else "", adapted]))


def add_words(app, pagename, templatename, context, doctree):
    """Give the templates what they say: addresses, imprint, version."""
    repository = app.config.pecode_repository
    links = {
        "Privacy, accessibility": ABOUT in app.env.found_docs and context["pathto"](ABOUT),
        "Sources": repository,
        "Changes": repository and f"{repository}/blob/HEAD/CHANGELOG.md",
        "Report a mistake on this page": repository and mistake_address(repository, pagename),
        "The book as a PDF": app.config.pecode_pdf and context["pathto"](PDF, resource=1),
    }
    context |= {
        "site": app.config.pecode_site,
        "author": app.config.author,
        "imprint": app.config.imprint,
        "whose": ownership(app.config.author, app.config.html_title, app.config.imprint),
        "book_version": VERSION,
        "book_date": app.config.pecode_date,
        "chapters": [each for each in LECTURES if f"chapters/{each.slug}" in app.env.found_docs],
        "foot_links": {words: link for words, link in links.items() if link},
    }
