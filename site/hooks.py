"""Sphinx extension of the book: its style, its scripts, its pictures, its mathematics.

The theme and Jupyter Book load every script and style they find under `_static` on every page.
So the book's own files live here and are put where they are needed, and only there.
"""

import hashlib
import importlib.util
import json
import re
import string
from html import escape
from pathlib import Path
from shutil import copy2

from docutils.nodes import make_id
from fontTools import subset
from fontTools.ttLib import TTFont
from PIL import Image
from sphinx.util import logging

HERE = Path(__file__).parent
LOG = logging.getLogger(__name__)

# What `mathjax3_config` in _config.yml loads, and the extensions that a macro may ask for.
MATHJAX_FILES = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "output/chtml.js",
    "a11y/assistive-mml.js",
    "input/tex/extensions/*.js",
    "output/chtml/fonts/woff-v2/*.woff",
)
MATHJAX_FACES = "output/chtml/fonts/tex.js"  # the rules that name its fonts
# The characters for which a part of a font is enough; the whole is loaded for any other.
MATHJAX_PARTS = {
    "MathJax_AMS-Regular": string.ascii_uppercase,  # blackboard bold
    "MathJax_Main-Regular": string.ascii_letters
    + string.digits
    + " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\xa0¬±·×÷ˉˊˋ˙˚˜ΓΔΘΛΞΠΣΥΦΨΩ–—‘’“”…′"
    + "←↑→↓↔↦⇐⇒⇔∀∂∃∅∇∈∉∋∏∑−∓∗∘∙√∝∞∠∣∥∧∨∩∪∫∼≃≅≈≠≡≤≥≪≫⊂⊃⊆⊇⊕⊖⊗⊙⊢⊤⊥⋅⋆⋮⋯⋱⌈⌉⌊⌋⟨⟩",
}
# The sheets of which a page needs little: all of Bootstrap, and all that could be designed.
LARGE_SHEETS = ("styles/pydata-sphinx-theme.css", "sphinx-design.min.css")
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
    app.connect("build-finished", drop_unused_rules, priority=890)
    app.connect("build-finished", mend_pages, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


# Files


def copy_files(app):
    """Copy style, scripts, fonts and MathJax before the pages are written: they hash them."""
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    for source in map(HERE.joinpath, ("book.css", "page.js", "anyhost.js", "ledger.js")):
        _copy(source, static / source.name)
    for folder in ("fonts", "stills"):
        for source in (HERE / folder).iterdir():
            _copy(source, static / folder / source.name)
    # The package's name has hyphens, so it cannot be imported by a statement. Its own extension
    # would copy all its 24 MB; these are 1.6.
    package = importlib.util.find_spec("sphinx-mathjax-offline")
    mathjax = Path(package.origin).parent / "static" / "mathjax"
    for pattern in MATHJAX_FILES:
        sources = list(mathjax.glob(pattern))
        if not sources:
            LOG.warning("MathJax has no file %s", pattern)
        for source in sources:
            _copy(source, static / "mathjax" / source.relative_to(mathjax))
    add_font_parts(mathjax, static / "mathjax")


def _copy(source, target):
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        target.parent.mkdir(parents=True, exist_ok=True)
        copy2(source, target)


def add_font_parts(source, target):
    """Give MathJax small fonts of its common letters: one rare letter loads 40 KB otherwise."""
    faces = (source / MATHJAX_FACES).read_text(encoding="utf8")
    folder = target / "output/chtml/fonts/woff-v2"
    for name, characters in MATHJAX_PARTS.items():
        write_font_part(folder / f"{name}.woff", folder / f"{name}-part.woff", characters)
        codes = ",".join(f"U+{ord(character):X}" for character in characters)
        # Of two faces with one name the later one is asked first, for what is in its range.
        faces, found = re.subn(
            rf'"@font-face /\* (\d+) \*/":(\{{[^}}]*/{name})(\.woff[^}}]*)\}}',
            rf'\g<0>,"@font-face /* \1 part */":\2-part\3,"unicode-range":"{codes}"}}',
            faces,
        )
        if not found:
            LOG.warning("MathJax names no font %s", name)
    (target / MATHJAX_FACES).write_text(faces, encoding="utf8")


def write_font_part(whole, part, characters):
    """Write the glyphs of some characters of a font as a font of its own."""
    options = subset.Options(flavor="woff", layout_features=[], name_IDs=[], drop_tables=["FFTM"])
    font = TTFont(whole)
    cutter = subset.Subsetter(options)
    cutter.populate(text=characters)
    cutter.subset(font)
    subset.save_font(font, part, options)


# Pages


def pages(outdir):
    """Return the files of all pages, without those of JupyterLite, which `make lite` adds."""
    found = Path(outdir).rglob("*.html")
    return [page for page in found if page.relative_to(outdir).parts[0] != "lite"]


def add_widget_host(app, pagename, templatename, context, doctree):
    """Load the host of the interactive figures on the pages that have one."""
    metadata = getattr(app.env, "nb_metadata", {}).get(pagename, {})
    if "ipywidgets_state" in metadata.get("js_files", {}):
        app.add_js_file("anyhost.js", defer="defer")


def mend_pages(app, error):
    """Mend the markup of every page that was written. A second run changes nothing."""
    if error or app.builder.format != "html":
        return
    for page in pages(app.outdir):
        before = page.read_text(encoding="utf8")
        after = mend(before, is_search=page.stem == "search")
        after = add_stills(after, "../" * (len(page.relative_to(app.outdir).parts) - 1))
        after = size_images(after, page)
        after = box_pictures(after)
        after = name_sheets(after, page)
        after = show_first(after, page)
        if after != before:
            page.write_text(after, encoding="utf8")


def drop_unused_rules(app, error):
    """Drop the rules for classes that no page and no script names: half of all style."""
    if error or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    named = set()
    for page in pages(app.outdir):
        html = page.read_text(encoding="utf8")
        for text in re.findall(r'class="([^"]*)"|<script[^>]*>(.*?)</script>', html, re.DOTALL):
            named.update(re.findall(r"[\w-]+", " ".join(text)))
    for script in [*static.glob("*.js"), *static.glob("scripts/*.js")]:
        named.update(re.findall(r"[\w-]+", script.read_text(encoding="utf8")))
    for sheet in map(static.joinpath, LARGE_SHEETS):
        if sheet.exists():
            rules = drop_rules(sheet.read_text(encoding="utf8"), named)
            sheet.write_text(rules, encoding="utf8")


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

    # Before the selectors may stand a comment, or `@charset "UTF-8";`.
    rules = re.sub(r"(?s)((?:/\*.*?\*/|[^{};]*;)*)([^{};]*)(\{[^{}]*\})", kept, sheet)
    return re.sub(r"@(?:media|supports)[^{}]*\{\s*\}", "", rules)


# Each mend: what the theme or an extension writes, what is written instead, and why.
MENDS = [
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
# The search index is for the search page; the theme loads it on every page.
SEARCH_SCRIPTS = r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>'


def mend(html, is_search=False):
    """Return the page with every mend made."""
    for pattern, replacement in MENDS:
        html = re.sub(pattern, replacement, html)
    return html if is_search else re.sub(SEARCH_SCRIPTS, "", html)


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


def name_sheets(html, page):
    """Name each style sheet by what is left of it, so that a browser keeps no older one."""

    def named(match):
        start, source, end = match.groups()
        sheet = page.parent / source
        if not sheet.exists():
            return match.group(0)
        return f"{start}{source}?v={hashlib.md5(sheet.read_bytes()).hexdigest()[:8]}{end}"

    return re.sub(r'(<link [^>]*href=")([^":?]*\.css)(?:\?[^"]*)?(")', named, html)


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
