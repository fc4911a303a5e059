"""Sphinx extension: what the pages say of themselves to search engines, to links and to readers.

Everything that needs an absolute address takes it from two settings of the environment, and is left
out without them: no file names an address, and a copy of the repository has its own.

    PECODE_SITE        where the pages will be: https://user.github.io/repo/
    PECODE_REPOSITORY  where the sources are:   https://github.com/user/repo

The words are in the templates: tags.html, extra-footer.html, 404.html, forward.html, sitemap.xml,
robots.txt.
"""

import functools
import os
import re
import subprocess
import tomllib
from pathlib import Path
from shutil import copy2
from urllib.parse import quote, urlencode, urlsplit

from docutils import nodes
from sphinx.errors import ConfigError
from sphinx.util import logging

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LOG = logging.getLogger(__name__)
PICTURE = "social.png"  # 1200 by 630 pixels
PDF = "positional-encoding.pdf"
ABOUT = "appendices/site"  # what the site keeps, loads and was tried with
SHORTEST, LONGEST = 50, 160  # characters of a description; search engines show no more
# The pages without a source. Another one says it at its top (`html_meta`), or by its first words.
DESCRIPTIONS = {
    "slides/index": "Slides for each chapter of this book, made of its own figures and numbers.",
    "figures/index": "Every moving figure of this book, and a line that shows it on your page.",
    "genindex": "Every function, class and term of this book in alphabetical order.",
    "search": "Search the chapters, the exercises and the appendices of this book.",
    "404": "There is no page at this address. Search the book, or choose from its contents.",
    "_modules/index": "The modules of pecode, the code of this book, with their source.",
}


def setup(app):
    """Connect the hooks. A change of a setting of category "html" has every page written again."""
    for name, value in settings(ROOT, os.environ).items():
        app.add_config_value(name, value, "html")
    app.add_config_value("pecode_pdf", False, "html")
    app.add_config_value("imprint", {}, "html")
    app.connect("config-inited", look_around)
    app.connect("builder-inited", add_files)
    app.connect("html-page-context", add_words)
    app.connect("build-finished", write_maps)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def look_around(app, config):
    """Add our templates, and remember whether the book on paper lies beside the pages."""
    config.templates_path.insert(0, str(HERE / "templates"))  # before the theme's
    config.html_baseurl = config.pecode_site
    if not re.fullmatch(r"|10\.\d{4,9}/\S+", doi := config.imprint.get("doi", "")):
        raise ConfigError(f"imprint, doi: expected 10.…/…, without an address, got {doi!r}")
    config.pecode_pdf = (Path(app.outdir) / PDF).exists()


# Addresses


def settings(root, environ):
    """Return what the pages need to know; of two builds of the same sources it is the same."""
    try:
        return {
            "pecode_site": site_address(environ.get("PECODE_SITE", "")),
            "pecode_repository": repository(root, environ.get("PECODE_REPOSITORY", "")),
            "pecode_colab": bool(environ.get("PECODE_COLAB", "").strip()),
            "pecode_version": version(root),
            "pecode_date": last_change(root),
        }
    except ValueError as error:
        raise ConfigError(str(error)) from error


def site_address(text):
    """Return the address of the published book, with a slash at its end, or nothing."""
    if not text.strip():
        return ""
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"PECODE_SITE: expected https://host/path/, got {text!r}")
    return f"{parts.scheme}://{parts.netloc}{quote(parts.path.rstrip('/'), safe='/%~')}/"


def repository(root, text):
    """Return the address of the sources: as stated, or git's; nothing for "none"."""
    if text.strip() == "none":
        return ""
    return repository_address(text) or known_forge(git(root, "remote", "get-url", "origin").strip())


def repository_address(text):
    """Return the web address of a repository, without names and passwords, or nothing.

    >>> repository_address("git@github.com:user/repo.git")
    'https://github.com/user/repo'
    """
    if not (text := text.strip()):
        return ""
    if "://" not in text:  # the short form of ssh
        text = "ssh://" + text.replace(":", "/", 1)
    parts = urlsplit(text)
    path = parts.path.strip("/").removesuffix(".git")
    if parts.scheme not in ("http", "https", "ssh") or not parts.hostname or "/" not in path:
        raise ValueError("PECODE_REPOSITORY: expected https://host/user/repository")
    if parts.scheme == "ssh":
        return f"https://{parts.hostname}/{path}"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/{path}"


def known_forge(remote):
    """Return the web address of git's `origin` when it is at GitHub or a GitLab, or nothing."""
    try:
        address = repository_address(remote)
    except ValueError:
        return ""
    host = urlsplit(address).hostname or ""
    return address if host == "github.com" or host.startswith("gitlab.") else ""


def source_address(repository, path):
    """Return the address where a file of the repository can be read, or None."""
    if not repository:
        return None
    is_gitlab = urlsplit(repository).hostname.startswith("gitlab.")
    return f"{repository}{'/-' if is_gitlab else ''}/blob/HEAD/{quote(path)}"


def mistake_address(repository, pagename, version):
    """Return the address of a form, begun for a page, where a mistake is reported, or None."""
    if not repository:
        return None
    is_gitlab = urlsplit(repository).hostname.startswith("gitlab.")
    title = {"issue[title]" if is_gitlab else "title": f"Mistake in {pagename} ({version})"}
    return f"{repository}{'/-' if is_gitlab else ''}/issues/new?{urlencode(title)}"


# Version and dates


def git(root, *arguments):
    """Return what git says of this repository; nothing without git, or inside another one."""
    # quotePath: names with letters that are not ASCII are printed as they are
    command = ["git", "-C", str(root), "-c", "core.quotePath=false"]
    run = functools.partial(subprocess.run, capture_output=True, check=True, encoding="utf8")
    try:
        top = run([*command, "rev-parse", "--show-toplevel"]).stdout.strip()
        return run([*command, *arguments]).stdout if Path(top) == Path(root).resolve() else ""
    except (OSError, subprocess.CalledProcessError):
        return ""


def version(root):
    """Return the version that pyproject.toml states."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf8"))["project"]["version"]


def last_change(root):
    """Return the date of the last commit; without git that of the newest entry in CHANGELOG.md."""
    date = git(root, "log", "-1", "--format=%cs").strip()
    return date or newest_entry((root / "CHANGELOG.md").read_text(encoding="utf8"))[1]


def newest_entry(changelog):
    """Return version and date of the first entry that has a version."""
    found = re.search(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    if not found:
        raise ValueError("CHANGELOG.md: expected a heading like `## [0.1.0] - 2026-01-31`")
    return found.groups()


def dates_of_files(root):
    """Return the date of the last commit of every file, by its path; nothing without git."""
    dates, date = {}, ""
    for line in git(root, "log", "--format=%x00%cs", "--name-only").splitlines():
        if line.startswith("\0"):
            date = line[1:]
        elif line:
            dates.setdefault(line, date)  # the newest commit comes first
    return dates


# Descriptions


def description(pagename, doctree):
    """Return what a page says of itself in one to three sentences; empty when it cannot be said."""
    if pagename in DESCRIPTIONS:
        return DESCRIPTIONS[pagename]
    if pagename.startswith("_modules/"):
        name = pagename.removeprefix("_modules/").replace("/", ".")
        return f"The source code of {name}, part of the code of this book."
    if not doctree:
        return ""
    stated = [each for each in doctree.findall(nodes.meta) if each.get("name") == "description"]
    return stated[0]["content"] if stated else first_sentences(doctree)


def first_sentences(doctree):
    """Return the first whole sentences of a page as plain text, up to one with a formula."""
    section, text = doctree.next_node(nodes.section), ""
    for paragraph in (each for each in section or [] if isinstance(each, nodes.paragraph)):
        parts = paragraph.findall(nodes.Text)
        words = "".join("$" if isinstance(each.parent, nodes.math) else each for each in parts)
        for sentence in sentences(" ".join(words.split())):
            longer = f"{text} {sentence}".strip()
            if len(longer) > LONGEST or "$" in sentence:
                return text
            text = longer
        if len(text) >= SHORTEST:
            return text
    return text


def sentences(text):
    """Return the sentences of a text; an ellipsis ends none.

    >>> sentences('It is 0.5. Who says "one"? She says, "Yes." So: one.')
    ['It is 0.5.', 'Who says "one"?', 'She says, "Yes."', 'So: one.']
    """
    return re.split(r"(?:(?<=[.?!])|(?<=[.?!][\"”]))\s+(?=[\"“]?[A-Z])", text) if text else []


def add_words(app, pagename, templatename, context, doctree):
    """Give the templates what they say: description, addresses, version."""
    config = app.config
    if pagename == "index":  # it shows what the first page shows
        doctree = app.env.get_doctree(config.root_doc)
    text = description(pagename, doctree)
    if not SHORTEST <= len(text) <= LONGEST:
        LOG.warning(
            "%s: a description has %d to %d characters, and this has %d: %r. Rewrite the first "
            "sentences, or add one at the top of the page (`html_meta`)",
            *(pagename, SHORTEST, LONGEST, len(text), text),
        )
    context |= {
        "description": text,
        "site": config.pecode_site,
        "site_path": urlsplit(config.pecode_site).path,
        "repository": config.pecode_repository,
        "changes": source_address(config.pecode_repository, "CHANGELOG.md"),
        "mistake": mistake_address(config.pecode_repository, pagename, config.pecode_version),
        "author": config.author,
        "imprint": config.imprint,
        "book_version": config.pecode_version,
        "book_date": config.pecode_date,
        "about": ABOUT in app.env.found_docs and context["pathto"](ABOUT),
        "pdf": config.pecode_pdf and context["pathto"](PDF, resource=1),
    }
    if pagename == "404":
        parts = app.env.external_site_map.root.subtrees
        context |= {"title": "There is no page here", "contents": parts, "titles": app.env.titles}


# Files beside the pages


def add_files(app):
    """Add the pages without a source, and the picture for shared links if it has an address."""
    picture = Path(app.outdir) / "_static" / PICTURE
    picture.unlink(missing_ok=True)  # an earlier build may have had an address
    if app.builder.name != "html":
        return
    app.config.html_additional_pages |= {"404": "404.html", "index": "forward.html"}
    if app.config.pecode_site:
        picture.parent.mkdir(parents=True, exist_ok=True)
        copy2(HERE / PICTURE, picture)


def write_maps(app, error):
    """Write sitemap.xml and robots.txt for the address of the book; without one there are none."""
    if error or app.builder.name != "html":
        return
    site, dates = app.config.pecode_site, dates_of_files(ROOT)
    files = {page: Path(app.env.doc2path(page, base=False)) for page in sorted(app.env.found_docs)}
    pages = [(f"{site}{quote(page)}.html", dates.get(files[page].as_posix())) for page in files]
    words = {"site": site, "site_path": urlsplit(site).path, "pages": pages}
    for name in ("sitemap.xml", "robots.txt"):
        path = Path(app.outdir) / name
        path.unlink(missing_ok=True)
        if site:
            path.write_text(app.builder.templates.render(name, words), encoding="utf8")
