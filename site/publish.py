"""Sphinx extension: what the pages say of themselves to search engines, to links and to readers.

Everything that needs an absolute address takes it from two settings of the environment; without
them the book builds as well and leaves those parts out. So no file names an address, and a copy of
the repository is published under its own.

    PECODE_SITE        where the pages will be: https://user.github.io/repo/
    PECODE_REPOSITORY  where the sources are:   https://github.com/user/repo
"""

import hashlib
import os
import re
import subprocess
import tomllib
from html import escape, unescape
from pathlib import Path
from shutil import copy2
from urllib.parse import quote, urlsplit

from docutils import nodes
from sphinx.errors import ConfigError
from sphinx.util import logging

HERE = Path(__file__).parent
ROOT = HERE.parent
LOG = logging.getLogger(__name__)
PICTURE = "social.png"  # `python tools/social.py` draws it
PICTURE_ALT = (
    "The title of the book beside a ring of dials, each with a hand that turns more slowly than "
    "that of the dial before it."
)
PDF = "positional-encoding.pdf"
MISSING = "404"  # the page that a host shows for an address that does not exist
SHORTEST, LONGEST = 50, 160  # characters of a description; search engines show no more
# Where the first words of a page would not say what it is.
DESCRIPTIONS = {
    "intro": (
        "How does a Transformer know the place of a word? A book that runs: from counting over "
        "sines and cosines to rotation, every claim measured."
    ),
    "appendices/checks": (
        "The functions that decide the statements of the sources, where the ledger needs more "
        "than a short expression."
    ),
    "appendices/teaching": (
        "For teachers with two, six or twelve hours: three paths through this book, what students "
        "get wrong, and how to hand out exercises and grade them."
    ),
    "appendices/notation": (
        "The symbols of this book, what they are called in its code, and what each of its sources "
        "calls them."
    ),
    "appendices/glossary": (
        "The terms of this book in one sentence each, with the chapter that explains them: "
        "from accuracy and ALiBi to YaRN."
    ),
    "appendices/bibliography": (
        "The papers, books and articles on positional encoding that this book cites, with links "
        "to where they can be read."
    ),
    "genindex": "Every function, class and term of this book in alphabetical order.",
    "search": "Search the chapters, the exercises and the appendices of this book.",
    MISSING: "There is no page at this address. Search the book, or choose from its contents.",
    "_modules/index": "The modules of pecode, the code of this book, with their source.",
}
NOT_FOR_SEARCH = ("search", MISSING)


def setup(app):
    """Connect the hooks; the page for missing addresses is mended after all others (hooks.py)."""
    # Settings of category "html": when one changes, every page is written again. The last one is
    # this file, which decides what stands in the head of the pages.
    for name, value in settings(ROOT, os.environ).items():
        app.add_config_value(name, value, "html")
    app.add_config_value("pecode_pdf", False, "html")
    app.add_config_value(
        "pecode_tags", hashlib.md5(Path(__file__).read_bytes()).hexdigest(), "html"
    )
    app.connect("config-inited", look_for_pdf)
    app.connect("builder-inited", copy_picture)
    app.connect("html-page-context", add_tags)
    app.connect("html-page-context", add_footer)
    app.connect("html-collect-pages", missing_page)
    app.connect("build-finished", write_index, priority=400)  # the table of contents has a plainer
    app.connect("build-finished", write_maps)
    app.connect("build-finished", root_missing_page, priority=950)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


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


def repository(root, text):
    """Return the address of the sources: what was said, or where git has them from.

    "none" says that readers cannot get at them: then no button leads there.
    """
    if text.strip() == "none":
        return ""
    return repository_address(text) or known_forge(git(root, "remote", "get-url", "origin").strip())


def site_address(text):
    """Return the address of the published book, with a slash at its end, or nothing.

    >>> site_address("https://user.github.io/repo")
    'https://user.github.io/repo/'
    """
    if not text.strip():
        return ""
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"PECODE_SITE: expected https://host/path/, got {text!r}")
    path = quote(parts.path.rstrip("/"), safe="/%~")
    return f"{parts.scheme}://{parts.netloc}{path}/"


def repository_address(text):
    """Return the web address of a repository, from that or from what git clones, or nothing.

    Names and passwords that stand in the address are for nobody else and are left out.

    >>> repository_address("git@github.com:user/repo.git")
    'https://github.com/user/repo'
    """
    text = text.strip()
    if not text:
        return ""
    if "://" not in text:  # the short form of ssh
        text = "ssh://" + text.replace(":", "/", 1)
    parts = urlsplit(text)
    path = parts.path.strip("/").removesuffix(".git")
    if parts.scheme not in ("http", "https", "ssh") or not parts.hostname or "/" not in path:
        raise ValueError("PECODE_REPOSITORY: expected https://host/user/repository")
    port = f":{parts.port}" if parts.port and parts.scheme != "ssh" else ""
    scheme = "https" if parts.scheme == "ssh" else parts.scheme
    return f"{scheme}://{parts.hostname}{port}/{path}"


def known_forge(remote):
    """Return the web address of git's `origin` when it is at GitHub or a GitLab, or nothing.

    >>> known_forge("/srv/backup/book.git")
    ''
    """
    try:
        address = repository_address(remote)
    except ValueError:
        return ""
    return address if _is_github(address) or _is_gitlab(address) else ""


def _is_github(repository):
    return urlsplit(repository).hostname == "github.com"


def _is_gitlab(repository):
    return (urlsplit(repository).hostname or "").startswith("gitlab.")


def binder(repository, path):
    """Return the address that opens a notebook on mybinder.org, or None.

    repository: web address; path: of the notebook, from the root of the repository.

    >>> binder("https://github.com/user/repo", "chapters/02-counting.ipynb")
    'https://mybinder.org/v2/gh/user/repo/HEAD?urlpath=lab%2Ftree%2Fchapters%2F02-counting.ipynb'
    """
    name = urlsplit(repository).path.strip("/")
    if _is_github(repository):
        place = f"gh/{name}"
    elif urlsplit(repository).hostname == "gitlab.com":  # Binder knows no other GitLab
        place = f"gl/{quote(name, safe='')}"
    else:
        return None
    return f"https://mybinder.org/v2/{place}/HEAD?urlpath={quote(f'lab/tree/{path}', safe='')}"


def colab(repository, path, branch="colab"):
    """Return the address that opens a notebook in Colab, or None: it reads GitHub only.

    Colab gets the notebook alone; on the branch `colab` it begins with a cell that installs
    `pecode` (tools/colab.py).

    >>> colab("https://github.com/user/repo", "chapters/02-counting.ipynb")
    'https://colab.research.google.com/github/user/repo/blob/colab/chapters/02-counting.ipynb'
    """
    if not _is_github(repository):
        return None
    name = urlsplit(repository).path.strip("/")
    return f"https://colab.research.google.com/github/{name}/blob/{quote(branch)}/{quote(path)}"


def source_address(repository, path):
    """Return the address where a file of the repository can be read, or None."""
    if not repository:
        return None
    between = "/-/blob/HEAD/" if _is_gitlab(repository) else "/blob/HEAD/"
    return repository + between + quote(path)


# Version and dates


def git(root, *arguments):
    """Return what git says of this repository; nothing without git, or inside another one."""

    def said(*words):
        # quotePath: names with letters that are not ASCII are printed as they are
        command = ["git", "-C", str(root), "-c", "core.quotePath=false", *words]
        return subprocess.run(
            command, capture_output=True, check=True, text=True, encoding="utf8"
        ).stdout

    try:
        if Path(said("rev-parse", "--show-toplevel").strip()) != Path(root).resolve():
            return ""
        return said(*arguments)
    except (OSError, subprocess.CalledProcessError):
        return ""


def version(root):
    """Return the version that pyproject.toml states."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf8"))["project"]["version"]


def last_change(root):
    """Return the date of the last commit; without git that of the newest entry in CHANGELOG.md."""
    return (
        git(root, "log", "-1", "--format=%cs").strip()
        or newest_entry((root / "CHANGELOG.md").read_text(encoding="utf8"))[1]
    )


def newest_entry(changelog):
    r"""Return version and date of the first entry that has a version.

    >>> newest_entry("## [Unreleased]\n\n## [0.2.0] - 2026-12-31\n")
    ('0.2.0', '2026-12-31')
    """
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


def described(doctree):
    """Return the first whole sentences of a page as plain text, or nothing.

    A chapter begins with its question; where that is short, the text goes on to the next sentence.
    """
    section = next(iter(doctree.findall(nodes.section)), None)
    paragraphs = [each for each in section or [] if isinstance(each, nodes.paragraph)]
    text = ""
    for paragraph in paragraphs:
        # A formula would be shown as its TeX: the sentence that has it ends the text.
        for sentence in sentences(plain(paragraph)):
            longer = f"{text} {sentence}".strip()
            if len(longer) > LONGEST or "$" in sentence:
                return text
            text = longer
        if len(text) >= SHORTEST:
            return text
    return text


def plain(paragraph):
    """Return the words of a paragraph on one line, with a $ for each formula."""
    paragraph = paragraph.deepcopy()
    for formula in list(paragraph.findall(nodes.math)):
        formula.replace_self(nodes.Text("$"))
    return " ".join(paragraph.astext().split())


def sentences(text):
    """Return the sentences of a text; an ellipsis ends none.

    >>> sentences('It is 0.5. Who says "one"? She says, "Yes." So: one.')
    ['It is 0.5.', 'Who says "one"?', 'She says, "Yes."', 'So: one.']
    """
    # Also one that ends within quotation marks.
    return [
        each for each in re.split(r"(?:(?<=[.?!])|(?<=[.?!][\"”]))\s+(?=[\"“]?[A-Z])", text) if each
    ]


def description(pagename, doctree):
    """Return what a page says of itself in one to three sentences; empty when it cannot be said."""
    if pagename in DESCRIPTIONS:
        return DESCRIPTIONS[pagename]
    if pagename.startswith("_modules/"):
        name = pagename.removeprefix("_modules/").replace("/", ".")
        return f"The source code of {name}, part of the code of this book."
    return described(doctree) if doctree else ""


def add_tags(app, pagename, templatename, context, doctree):
    """Add the description, and what a link to the page shows where it is shared."""
    title = unescape(re.sub(r"<[^>]*>", "", context.get("title") or app.config.html_title))
    text = description(pagename, doctree)
    if not SHORTEST <= len(text) <= LONGEST:
        LOG.warning(
            "%s: a description has %d to %d characters, and this has %d: %r. Rewrite the first "
            "sentences, or add the page to DESCRIPTIONS in site/publish.py",
            *(pagename, SHORTEST, LONGEST, len(text), text),
        )
    found = tags(pagename, title, text, app.config.pecode_site, app.config.html_title)
    context["metatags"] = context.get("metatags", "") + "\n" + found


def tags(pagename, title, text, site, book):
    """Return the tags for the head of a page; those with addresses only where there is one."""
    properties = {
        "og:title": title,
        "og:description": text,
        "og:type": "website" if title == book else "article",
        "og:site_name": book,
        "og:locale": "en_US",
    }
    names = {"description": text, "twitter:card": "summary"}
    links = ""
    if pagename in NOT_FOR_SEARCH:
        names["robots"] = "noindex"
    if site:
        names["twitter:card"] = "summary_large_image"
        properties |= {
            "og:image": f"{site}_static/{PICTURE}",
            "og:image:width": "1200",
            "og:image:height": "630",
            "og:image:alt": PICTURE_ALT,
        }
    if site and pagename != MISSING:  # that one is shown at many addresses, and has none
        address = page_address(site, pagename)
        properties["og:url"] = address
        links = f'<link rel="canonical" href="{escape(address)}">\n'
    metas = [("name", *each) for each in names.items()]
    metas += [("property", *each) for each in properties.items()]
    return links + "".join(
        f'<meta {kind}="{name}" content="{escape(value)}">\n' for kind, name, value in metas
    )


def page_address(site, pagename):
    """Return where a page will be."""
    return f"{site}{quote(pagename)}.html"


def copy_picture(app):
    """Put the picture for shared links beside the pages, if they can name its address."""
    target = Path(app.outdir) / "_static" / PICTURE
    if app.builder.name == "html" and app.config.pecode_site:
        target.parent.mkdir(parents=True, exist_ok=True)
        copy2(HERE / PICTURE, target)
    else:
        target.unlink(missing_ok=True)


# Footer


def look_for_pdf(app, config):
    """Remember whether the book on paper lies beside the pages."""
    config.pecode_pdf = (Path(app.outdir) / PDF).exists()


def add_footer(app, pagename, templatename, context, doctree):
    """Add version, date and the book on paper to the footer that _config.yml states."""
    config = app.config
    pdf = context["pathto"](PDF, resource=1) if config.pecode_pdf else ""
    context["theme_extra_footer"] = context.get("theme_extra_footer", "") + footer(
        config.pecode_version, config.pecode_date, config.pecode_repository, pdf
    )


def footer(number, date, repository="", pdf=""):
    """Return a line that says which version this is, with links to what there is."""
    parts = [f'Version {escape(number)}, <time datetime="{date}">{date}</time>.']
    if repository:
        parts.append(f'<a href="{escape(repository)}">Sources</a>')
        parts.append(f'<a href="{source_address(repository, "CHANGELOG.md")}">Changes</a>')
    if pdf:
        parts.append(f'<a href="{escape(pdf)}">The book as a PDF</a>')
    return f"<p>{parts[0]} {' · '.join(parts[1:])}".rstrip() + "</p>"


# Files beside the pages


def write_index(app, error):
    """Write the page that forwards to the first one, with what a link to the site shows."""
    if error or app.builder.name != "html":
        return
    start, title = app.config.root_doc, app.config.html_title
    forward = f'<!DOCTYPE html>\n<meta http-equiv="Refresh" content="0; url={start}.html" />\n'
    head = f'<html lang="en">\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
    found = tags(start, title, DESCRIPTIONS[start], app.config.pecode_site, title)
    link = f'<p><a href="{start}.html">{escape(title)}</a></p>\n'
    (Path(app.outdir) / "index.html").write_text(forward + head + found + link, encoding="utf8")


def write_maps(app, error):
    """Write sitemap.xml and robots.txt for the address of the book; without one there are none."""
    if error or app.builder.name != "html":
        return
    out, site = Path(app.outdir), app.config.pecode_site
    for name in ("sitemap.xml", "robots.txt"):
        (out / name).unlink(missing_ok=True)  # an earlier build may have had an address
    if site:
        dates = dates_of_files(ROOT)
        sources = {page: f"{page}{_suffix(app, page)}" for page in sorted(app.env.found_docs)}
        pages = {page: dates.get(source, "") for page, source in sources.items()}
        (out / "sitemap.xml").write_text(sitemap(site, pages), encoding="utf8")
        (out / "robots.txt").write_text(robots(site), encoding="utf8")


def _suffix(app, page):
    return Path(app.env.doc2path(page)).suffix


def sitemap(site, pages):
    """Return the list of pages for search engines; pages: page name to date, or to nothing."""
    lines = [
        f"  <url><loc>{escape(page_address(site, page))}</loc>"
        + (f"<lastmod>{date}</lastmod>" if date else "")
        + "</url>"
        for page, date in pages.items()
    ]
    start = '<?xml version="1.0" encoding="UTF-8"?>'
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return "\n".join([start, f'<urlset xmlns="{space}">', *lines, "</urlset>", ""])


def robots(site):
    """Return what is said to robots; they ask for it at the root of a host and nowhere else."""
    note = (
        "# Robots read this file at the root of a host only, and this site lies below it: so it\n"
        "# says nothing to them. The sitemap must be named to the search engines by hand.\n"
    )
    below = note if urlsplit(site).path != "/" else ""
    return f"{below}User-agent: *\nAllow: /\nSitemap: {site}sitemap.xml\n"


# The page for missing addresses


def missing_page(app):
    """Make a page of the book's look that offers the search and the contents."""
    if app.builder.name == "html":
        title = "There is no page here"
        body = missing_body(title, app.env.external_site_map, app.env.titles)
        yield MISSING, {"title": title, "body": body}, "page.html"


def missing_body(title, site_map, titles):
    """Return the text of the page; titles: page name to its title."""
    start = site_map.root
    parts = "".join(
        f"<h2>{escape(part.caption or 'Contents')}</h2>\n<ul>\n"
        + "".join(f"<li>{_link(name, titles)}</li>\n" for name in part.files())
        + "</ul>\n"
        for part in start.subtrees
    )
    return (
        f"<section>\n<h1>{title}</h1>\n"
        "<p>The address is mistyped, or the page has moved. Search for what it was about, start "
        f"at {_link(start.docname, titles)}, or choose from the contents.</p>\n"
        # the theme's own markup: its look, and Ctrl+K leads here
        '<div><form class="bd-search d-flex align-items-center" action="search.html" method="get">'
        '<input type="search" class="form-control" name="q" placeholder="Search the book" '
        'aria-label="Search the book" required></form></div>\n'
        f"{parts}</section>\n"
    )


def _link(name, titles):
    return f'<a href="{name}.html">{escape(titles[name].astext())}</a>'


# A host shows the page for any address, and does not say how deep that is. Without an address of
# the site, a script looks in each folder above for the book's files, and goes to the page there.
FIND_ROOT = """<script>
if (location.protocol.startsWith("http") && !/\\/404(\\.html)?$/.test(location.pathname)) {
  document.documentElement.style.visibility = "hidden";
  (async () => {
    for (let folder = location.pathname; folder; ) {
      folder = folder.slice(0, folder.replace(/\\/$/, "").lastIndexOf("/") + 1);
      const found = folder && await fetch(folder + "objects.inv", { method: "HEAD" });
      if (found?.ok && !/html/.test(found.headers.get("content-type")))
        return location.replace(folder + "404.html");
    }
    document.documentElement.style.visibility = "";
  })();
}
</script>
"""


def root_missing_page(app, error):
    """Let the links of the page for missing addresses work from any address."""
    page = Path(app.outdir) / f"{MISSING}.html"
    if not error and app.builder.name == "html" and page.exists():
        html = page.read_text(encoding="utf8")
        page.write_text(rooted(html, app.config.pecode_site), encoding="utf8")


def rooted(html, site):
    """Return a page of the root whose links start at the root of the host. Twice is as once."""
    if not site:
        return html if FIND_ROOT in html else html.replace("<head>", f"<head>\n{FIND_ROOT}", 1)
    path = urlsplit(site).path

    def absolute(match):
        name, address = match.groups()
        return f'{name}="{path}{address.removeprefix("./")}"'

    # Not: what has a scheme, starts at the root or stays on the page.
    names = r"(\b(?:href|src|action|data-content_root))"
    return re.sub(names + r'="(?![a-z]+:|/|#|")([^"]*)"', absolute, html)
