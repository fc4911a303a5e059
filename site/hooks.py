"""Sphinx extension of the book: its style, its scripts, its pictures.

The theme and Jupyter Book load every script and style they find under `_static` on every page.
So the book's own files live here and are put where they are needed, and only there.
"""

import hashlib
import json
import posixpath
import re
from html import escape
from pathlib import Path
from shutil import copy2

from docutils.nodes import make_id
from PIL import Image
from sphinx.util import logging

from pecode import figures

HERE = Path(__file__).parent
LOG = logging.getLogger(__name__)

# A style sheet of a page: what leads to `_static`, and its name there.
SHEET = re.compile(r'<link [^>]*href="([^":]*)_static/([^":?]*\.css)[^>]*>\s*')
STYLE = "style.css"  # all of them in one
# An interactive figure in a page: a view names its model, and the state of that names its class.
VIEW = re.compile(
    r'(<script type="application/vnd\.jupyter\.widget-view\+json">([^<]*)</script>)'
    r"(?:<noscript>.*?</noscript>)?"  # an earlier build's
)
STATE = re.compile(
    r'<script type="application/vnd\.jupyter\.widget-state\+json">(.*?)</script>', re.DOTALL
)
CSS_PIXELS_PER_INCH = 100  # matplotlib's own: a figure 7 inches wide is 700 pixels wide
WIDE = 560  # CSS pixels: on a phone a wider picture scrolls, since its letters would be too small


def setup(app):
    """Connect the hooks; the mends run last, after the links in the code cells are set."""
    app.add_css_file("book.css", priority=900)  # after the theme's styles, to overrule them
    app.add_js_file("page.js", defer="defer")
    app.connect("builder-inited", copy_files)
    app.connect("html-page-context", add_widget_host)
    app.connect("html-collect-pages", figure_sources)
    app.connect("build-finished", bundle_sheets, priority=890)
    app.connect("build-finished", mend_pages, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# Files


def copy_files(app):
    """Copy style, scripts and fonts before the pages are written: they hash them."""
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for source in map(HERE.joinpath, ("book.css", "page.js", "anyhost.js", "ledger.js")):
        _copy(source, static / source.name)
    for folder in ("fonts", "stills"):
        for source in (HERE / folder).iterdir():
            _copy(source, static / folder / source.name)


def _copy(source, target):
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        copy2(source, target)


# Pages


def pages(outdir):
    """Return the files of all pages, without the theme's templates and JupyterLite's own."""
    found = Path(outdir).rglob("*.html")
    return [page for page in found if page.relative_to(outdir).parts[0] not in ("_static", "lite")]


def add_widget_host(app, pagename, templatename, context, doctree):
    """Load the host of the interactive figures on the pages that have one."""
    metadata = getattr(app.env, "nb_metadata", {}).get(pagename, {})
    if "ipywidgets_state" in metadata.get("js_files", {}):
        app.add_js_file("anyhost.js", defer="defer")


def figure_sources(app):
    """Write a page with the source of each moving figure, as viewcode does for documented modules.

    The page shows both files, Python and JavaScript; the link is set by anyhost.js.
    """
    folder = HERE.parent / "pecode" / "figures"
    for name, module in figures.FIGURES.items():
        sections = []
        for suffix, language in ((".py", "python"), (".js", "javascript")):
            path = folder / f"{module}{suffix}"
            code = app.builder.highlighter.highlight_block(path.read_text("utf8"), language)
            sections.append(f"<h2>pecode/figures/{path.name}</h2>\n{code}")
        body = f"<h1>Source of the figure {name}</h1>\n" + "\n".join(sections)
        context = {"title": f"Source of the figure {name}", "body": body}
        yield f"_modules/pecode/figures/{module}", context, "page.html"


def mend_pages(app, error):
    """Mend the markup of every page that was written. A second run changes nothing."""
    if error or app.builder.format != "html":
        return
    for page in pages(app.outdir):
        before = page.read_text(encoding="utf8")
        after = mend(before, is_search=page.stem == "search")
        after = list_what_is_there(after, page.parent)
        after = add_stills(after, "../" * (len(page.relative_to(app.outdir).parts) - 1))
        after = size_images(after, page)
        after = box_pictures(after)
        after = show_first(after, page)
        if after != before:
            page.write_text(after, encoding="utf8")


def bundle_sheets(app, error):
    """Put the eleven style sheets of the pages into one, without the rules that no page needs.

    One file is shown sooner than eleven, and two thirds of the rules are for classes that no page
    and no script names. Its address has a hash, so that a browser keeps no older one.
    """
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    texts = {page: page.read_text(encoding="utf8") for page in pages(app.outdir)}
    lists = {tuple(sheets) for sheets in map(sheets_of, texts.values()) if sheets}
    if len(lists) > 1:
        LOG.warning("pages with different style sheets: %s", lists)
    scripts = [*static.glob("*.js"), *static.glob("scripts/*.js")]
    named = names_in(texts.values()) | names_in_scripts(scripts)
    sheets = max(lists, key=len)
    style = drop_rules("\n".join(read_sheet(static, name) for name in sheets), named)
    (static / STYLE).write_text(style, encoding="utf8")
    version = hashlib.md5(style.encode()).hexdigest()[:8]
    for page, html in texts.items():
        after = link_sheet(html, sheets, version)
        if after != html:
            page.write_text(after, encoding="utf8")


def sheets_of(html):
    """Return the names of the sheets of a page; the bundle of an earlier build tells its own."""
    names = [name for _, name in SHEET.findall(html)]
    bundled = re.search(r' data-sheets="([^"]*)"', html)
    return bundled[1].split() if names == [STYLE] and bundled else names


def link_sheet(html, sheets, version):
    """Return the page with the bundle in the place of its first style sheet."""
    first = SHEET.search(html)
    if not first:
        return html
    link = (
        f'<link rel="stylesheet" href="{first[1]}_static/{STYLE}?v={version}" '
        f'data-sheets="{" ".join(sheets)}">\n'
    )
    rest = SHEET.sub("", html[first.end() :])
    return html[: first.start()] + link + rest


def read_sheet(static, name):
    """Return a sheet with those that it imports, its addresses as seen from the bundle."""
    folder = posixpath.dirname(name)

    def rebased(address):
        return posixpath.normpath(posixpath.join(folder, address))

    sheet = re.sub(
        r'/\*.*?\*/|@charset "UTF-8";', "", (static / name).read_text("utf8"), flags=re.S
    )
    sheet = re.sub(
        r"(url\(\s*[\"']?)(?![a-z]+:|[#/])([^)\"'\s]+)",
        lambda found: found[1] + rebased(found[2]),
        sheet,
    )
    return re.sub(
        r"@import\s*[\"']([^\"']+)[\"'];",
        lambda found: read_sheet(static, rebased(found[1])),
        sheet,
    )


def names_in(pages):
    """Return all that could be a class in the pages: of their elements, and in their scripts."""
    named = set()
    for html in pages:
        for text in re.findall(r'class="([^"]*)"|<script[^>]*>(.*?)</script>', html, re.DOTALL):
            named.update(re.findall(r"[\w-]+", " ".join(text)))
    return named


def names_in_scripts(scripts):
    """Return all that could be a class in files of scripts."""
    return {
        name
        for script in scripts
        for name in re.findall(r"[\w-]+", script.read_text(encoding="utf8"))
    }


def drop_rules(sheet, named):
    """Return a style sheet without the rules that ask for a class that is not in `named`.

    What a selector has in `:not(…)` or another bracket is not asked for, and what is not plain
    (an escape, a keyframe) is kept.
    """

    def is_used(selector):
        plain = re.sub(r"\([^()]*\)", "", re.sub(r"\([^()]*\)", "", selector))
        return "\\" in plain or named.issuperset(re.findall(r"\.([A-Za-z_-][\w-]*)", plain))

    def kept(match):
        before, selectors, body = match.groups()
        if selectors.lstrip().startswith("@"):
            return match.group(0)
        # a comma in a bracket (or in one inside of that) parts no selectors
        parts = re.findall(r"(?:[^,()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+", selectors)
        used = list(filter(is_used, parts))
        return before + (",".join(used) + body if used else "")

    rules = re.sub(r"((?:[^{};]*;)*)([^{};]*)(\{[^{}]*\})", kept, sheet)
    return re.sub(r"@(?:media|supports)[^{}]*\{\s*\}", "", rules)


# Before anything is shown. The theme itself decides between light and dark at the end of the page,
# when the wrong colors have been seen. A first visit starts with fonts that the reader has, and
# page.js changes them when the book's own have come, all at once.
START = """<script data-cfasync="false">
{
  const { classList, dataset } = document.documentElement;
  let kept = { fonts: "known" };
  try { kept = localStorage; } catch { /* cookies are off: every visit would be the first */ }
  dataset.mode = kept.mode || "auto";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dataset.mode !== "auto" ? dataset.mode : dark ? "dark" : "light";
  if (!kept.fonts) classList.add("first-visit");
}
</script>"""
# Each mend: what the theme or an extension writes, what is written instead, and why.
MENDS = [
    (r'(?s)<script data-cfasync="false">\s*document\.documentElement\.dataset.*?</script>', START),
    # Scripts that run last shall not be loaded first.
    (r'<link (?=[^>]*rel="preload")(?=[^>]*as="script")[^>]*>\s*', ""),
    # 1.5 MB of script for a dozen icons; book.css draws them.
    (r'<script[^>]* src="[^"]*/fontawesome\.js[^>]*></script>', ""),
    # The visible text ("Search Ctrl+K") must be part of the name that is read out.
    (
        r'<button (?=[^>]*search-button-field)([^>]*)aria-label="Search"',
        r'<button \1aria-label="Search Ctrl+K"',
    ),
    # A name on the summary would hide what it says.
    (r'<summary aria-label="Toggle hidden content">', "<summary>"),
    # The button that unfolds the pages below a page has no name.
    (
        r"(>([^<]*)</a><details[^>]*><summary)(><span class=.toctree-toggle)",
        r'\1 aria-label="Pages of \2"\3',
    ),
    # A role that ARIA has withdrawn, inside a list whose entries are read as list items anyway.
    (r' role="doc-biblioentry"', ' role="listitem"'),
    # The side bar's first part is outside of every landmark.
    (
        r'<div class="sidebar-primary-items__start',
        '<div role="region" aria-label="This book" class="sidebar-primary-items__start',
    ),
    # The same id in every theorem and proof of a page.
    (r'(<section (?:class="[^"]*" )?)id="[a-z]+-content"', r"\1"),
    (r'(<div class="proof admonition") id="proof"', r"\1"),
    # A header cell without text heads nothing: the corner of a table is a plain cell.
    (
        r'<th(?: class="[^"]*"| scope="[^"]*"| title="[^"]*")*>\s*(?:<p>\s*</p>)?\s*</th>',
        "<td></td>",
    ),
    # A size in `style` keeps its height when a phone makes the picture narrower.
    (
        r'(<img [^>]*)style="width: (\d+)px; height: (\d+)px;"',
        r'\1width="\2" height="\3"',
    ),
]
# Names and signs in code, which have the color of the text: half of all elements of a long page.
# And the words of code in a sentence, which nothing sets apart.
PLAIN_CODE = r'<span class="(?:n|nn|p|w|pre)">([^<]*)</span>'
# A formula and what stands next to it without a space: a browser would break the line between them,
# and start the next one with a comma. The first group is an earlier build's.
TOGETHER = re.compile(
    r'(<span class="together">)?([^\s<>—]*)(<span class="math .*?</math></span>)([^\s<>—]*)',
    re.DOTALL,
)
# The search index is for the search page; the theme loads it on every page.
SEARCH_SCRIPTS = r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>'


def mend(html, is_search=False):
    """Return the page with every mend made."""
    for pattern, replacement in MENDS:
        html = re.sub(pattern, replacement, html)
    html = re.sub(PLAIN_CODE, r"\1", html)
    html = TOGETHER.sub(keep_together, html)
    return html if is_search else re.sub(SEARCH_SCRIPTS, "", html)


def keep_together(match):
    """Return a formula in one box with the signs next to it."""
    known, before, formula, after = match.groups()
    alone = known or not before + after
    return match[0] if alone else f'<span class="together">{before}{formula}{after}</span>'


def list_what_is_there(html, folder):
    """Return the page, its list of all exercises without those whose page was left out."""

    def kept(match):
        held = json.loads(match[1])
        left_out = False
        for state in (model["state"] for model in held["state"].values()):
            listed = state.get("exercises", [])
            there = [each for each in listed if (folder / f"{each['chapter']}.html").exists()]
            if there != listed:
                state["exercises"], left_out = there, True
        new = json.dumps(held).replace("</", "<\\/")
        return match[0].replace(match[1], new, 1) if left_out else match[0]

    return STATE.sub(kept, html)


def add_stills(html, root):
    """Show a picture of each interactive figure where scripts are off; `make stills` draws it."""
    states = {}
    for state in STATE.findall(html):
        states.update(json.loads(state)["state"])

    def with_still(match):
        state = states.get(json.loads(match.group(2))["model_id"], {}).get("state", {})
        name = state.get("_anywidget_id", "").split(".")[-1]
        if name in IN_WORDS:
            return f"{match.group(1)}<noscript>{IN_WORDS[name](state)}</noscript>"
        still = HERE / "stills" / f"{name}.png"
        if still.exists():
            with Image.open(still) as image:
                alt = escape(image.info["Description"])
            picture = f'<img src="{root}_static/stills/{still.name}" alt="{alt}">'
            # No script can say that it scrolls.
            box = '<div class="wide-picture" tabindex="0" role="group" aria-label="Picture">'
            picture = f"{box}{picture}</div>"
        else:
            LOG.warning("no picture of the interactive figure %r: run `make stills`", name)
            picture = ""
        return (
            f'{match.group(1)}<noscript><div class="anyhost-off">{picture}'
            "<p>This figure is interactive: to move it, allow JavaScript.</p></div></noscript>"
        )

    return VIEW.sub(with_still, html)


def question_in_words(state):
    """Return a question as a list: each answer opens to the verdict and the explanation."""
    unit = f" {state['unit']}" if state["unit"] else ""
    answers = [
        (
            marked(option["text"] + (unit if state["kind"] == "number" else "")),
            f"{'✓ Right.' if option['right'] else '✗ Not this one.'} {marked(option['why'])}",
        )
        for option in state["options"]
    ]
    if state["kind"] == "choice":
        items = "".join(
            f"<li><details><summary>{text}</summary><p>{why}</p></details></li>"
            for text, why in answers
        )
        return f'<ol class="ask-off" type="a">{items}</ol>'
    items = "".join(f"<p>{text}: {why}</p>" for text, why in answers)
    return f'<details class="ask-off"><summary>Show the answer</summary>{items}</details>'


def progress_in_words(state):
    """Return the list of all exercises as links."""
    items = "".join(
        f'<li><a href="{each["chapter"]}.html#{make_id("exercise-" + each["name"])}">'
        f"{escape(each['number'])} {escape(each['title'])}</a></li>"
        for each in state["exercises"]
    )
    return f'<ul class="ask-off">{items}</ul>'


def marked(text):
    """Return a text as HTML on one line, with its `code` and its *emphasis*."""
    text = escape(" ".join(text.split()))
    return re.sub(
        r"`([^`]+)`|(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])",
        lambda found: f"<code>{found[1]}</code>" if found[1] else f"<em>{found[2]}</em>",
        text,
    )


# What a widget that is no figure shows where scripts are off.
IN_WORDS = {"Question": question_in_words, "Progress": progress_in_words}


def size_images(html, page):
    """Write the size of each picture, so that the text does not jump, and load it when near."""
    start = html.find("<article")  # the logo above needs neither
    if start < 0:
        return html

    def sized(match):
        tag, source = match.group(0), match.group("src")
        if " loading=" in tag:
            return tag
        attributes = ' loading="lazy" decoding="async"'
        if " width=" not in tag and source.endswith(".png"):
            with Image.open(page.parent / source) as image:
                # matplotlib stores its resolution: 200 dots an inch are two a CSS pixel.
                scale = CSS_PIXELS_PER_INCH / image.info.get("dpi", (CSS_PIXELS_PER_INCH,))[0]
                width, height = (round(side * scale) for side in image.size)
            attributes += f' width="{width}" height="{height}"'
        return tag.replace("<img", f"<img{attributes}", 1)

    return html[:start] + re.sub(r'<img [^>]*src="(?P<src>[^":]*)"[^>]*>', sized, html[start:])


def box_pictures(html):
    """Put each wide picture into a box that can scroll: on a phone its letters stay readable."""

    def boxed(match):
        box, picture, width = match.groups()
        wide = not box and int(width) > WIDE
        return f'<div class="wide-picture">{picture}</div>' if wide else match.group(0)

    picture = (
        r'(<div class="wide-picture"[^>]*>)?'  # an earlier build's
        r'(<a [^>]*image-reference[^>]*><img [^>]*width="(\d+)"[^>]*>\s*</a>)'
    )
    return re.sub(picture, boxed, html)


def show_first(html, page):
    """Let no script keep the page from being shown: each is run when the page has been read.

    They keep their order, behind those that the theme runs then. The first is a list of settings
    that scripts in the page change: it becomes one of these.
    """
    settings = re.search(r'<script src="([^"?]*documentation_options\.js)[^"]*"></script>', html)
    if settings:
        text = (page.parent / settings[1]).read_text(encoding="utf8").strip()
        html = html.replace(settings[0], f"<script>{text}</script>")
    head, body, rest = html.partition("<body")
    waits = r'<script(?![^>]*\b(?:defer|async|type)\b)([^>]*\ssrc="[^"]*"[^>]*)></script>\n?'
    later = "".join(
        f"<script defer{attributes}></script>\n" for attributes in re.findall(waits, head)
    )
    rest = rest.replace("</body>", f"{later}</body>", 1) if later else rest
    return re.sub(waits, "", head) + body + rest
