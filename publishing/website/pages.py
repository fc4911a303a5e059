"""Sphinx extension: the look of the book, and what its pages need beyond the theme.

The theme and Jupyter Book load every script and style they find under `_static` on every page. So
the book's own files live here and are put where they are needed. What extensions write into the
text of a page is corrected here, in one pass over the HTML of each page before it is written.
"""

import gc
import hashlib
import re
from functools import cache, partial
from html import unescape
from itertools import chain
from pathlib import Path
from shutil import copy2

import pybtex.plugin
from bs4 import BeautifulSoup
from bs4.element import PreformattedString

import figures
from figures import heads
from figures.base import bundle
from publishing.website import noscript, publish, search_index, slides

HERE = Path(__file__).parent
STATIC = ("book.css", "slides.css", "*.js", "fonts/*", "stills/*")
BUNDLED = ("figure_host.js", "own_model.js", "predict.js", "search.js", "site.js", "slides.js")
# What is on a page that needs one of them
NEEDED = {"figure_host.js": noscript.VIEW, "predict.js": 'class="predict',
          "own_model.js": 'id="own-model"'}  # fmt: skip
# Names and punctuation have the color of the text: their marks, half of a long page, go, but of --x
PLAIN_CODE = re.compile(r'<span class="(?:n|nn|nb|bp|p|w|pre(?!">[^<]*-))">([^<]*)</span>')
TAG = re.compile("<[^>]*>")
FORMATTER = re.compile(' *<span class="c1"># fmt: skip</span>')  # for a tool, not for readers
# What myst_nb folds of a cell, and what a reader finds there.
FOLDS = {"the source": "the code", "the content": "the code and what it prints",
         "the outputs": "what it prints", "the output": "what it prints"}  # fmt: skip
FOLDED = re.compile("|".join(FOLDS))
LINE = re.compile(r"(?m)(?:(?<=<span></span>)|^(?!<pre)).+\n?")
COLUMNS = re.compile(r"\S {2,}\S.* {2}\S")  # of a printed table: its lines do not break
PHONE = 38  # letters that fit a line of the narrowest phone
RANGE = re.compile(r"\([^()]*\d(?:–| to )[^()]*\)")
HYPHEN = re.compile(r"(?<![\w.)-])-(?=\.?\d)")
# Code and formulas: most elements of a page, and nothing in them changes. Scripts may say "<pre".
CODE_AND_FORMULAS = re.compile(r"(?s)<script\b.*?</script>|<(pre|math)\b[^>]*>(.*?)</\1>")
BUILT = re.compile("<m(?:frac|root|sqrt|sup|subsup|table|under|over)")  # no words for the search
IN_WORDS = re.compile(r'(?s)<(pre|math) data-number="(\d+)">.*?</\1>')
# What the theme looks at to find what scrolls
LOOKED_AT = re.compile(r'\["pre",[^]]*\]\.join\(", "\)')
OF_THEME = ("_static/basic.css", "_static/styles/pydata-sphinx-theme.css")  # Sphinx lists others
COMMENT = re.compile(r"(?s)/\*.*?\*/|\n\s*")
RULE = re.compile(r"([^{};]+)(\{[^{}]*\})")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
OPTIONAL = re.compile(r":(?:not|is|where)\([^()]*\)")  # an element may lack a class named there


def setup(app):
    """Connect the hooks; the pass over a page runs after those of other extensions."""
    gc.set_threshold(100_000)  # with the usual 700 all documents are looked through 40 times
    # For each citation pybtex looks through all installed packages for the same few plugins.
    pybtex.plugin._load_entry_point = cache(pybtex.plugin._load_entry_point)
    app.add_css_file("book.css", priority=900)  # after the theme's styles, to overrule them
    app.add_js_file("site.js", defer="defer")
    # Category "html": when a file of this folder or a figure changes, every page is written again.
    look = fingerprint(HERE) + fingerprint(publish.ROOT / "figures")
    app.add_config_value("pecode_look", look, "html")
    app.trees = {}  # of each page that is written: its tree, and what puts code back into it
    app.connect("builder-inited", copy_files)
    app.connect("html-page-context", add_scripts)
    app.connect("html-page-context", improve, priority=900)
    for collect in (figure_sources, slides.pages):
        app.connect("html-collect-pages", collect)
    app.connect("build-finished", finish, priority=900)  # when themes have corrected their styles


def fingerprint(folder):
    """Return a hash of all files in a folder, but what Python has compiled."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc")
    return hashlib.md5(b"".join(path.read_bytes() for path in files)).hexdigest()


def copy_files(app):
    """Copy style, scripts and fonts before the pages are written: they hash them."""
    if app.builder.format != "html":
        return
    app.builder.search = False  # no index of Sphinx's: see search_index.py
    static = Path(app.outdir) / "_static"
    weights = publish.ROOT / "lab"  # of models: a page asks for one by its name, Python for a head
    for home, path in [
        *((HERE, path) for path in chain.from_iterable(map(HERE.glob, STATIC))),
        *((weights, path) for path in weights.glob("shakespeare/*.npz")),
        (weights, heads.FILE),
    ]:
        target = static / path.relative_to(home)
        target.parent.mkdir(parents=True, exist_ok=True)
        copy2(path, target)
        if path.name in BUNDLED:  # a block of its own: two of them may meet on a page
            target.write_text(f"{{\n{bundle(path)}}}\n", encoding="utf8")
    script = f"document.currentScript.heads = {heads.FILE.read_text('utf8')};"  # of figures.Heads
    (static / "published/heads.js").write_text(script, encoding="utf8")
    (static / "widgets").mkdir(exist_ok=True)
    for name, code in noscript.WIDGETS.items():  # figure_host.js reads it off the script's element
        source = f"document.currentScript.code = {noscript.in_script(code)};"
        (static / f"widgets/{name}.js").write_text(source, encoding="utf8")


def finish(app, error):
    """Write what needs all pages."""
    if not error and app.builder.name == "html":
        search_index.write(app)
        turn_off_scroll_detection(app)
        write_styles(app)


def turn_off_scroll_detection(app):
    """Let site.js say what scrolls: the theme lays out all of a page to do so, at each change."""
    script = Path(app.outdir) / "_static" / "scripts" / "pydata-sphinx-theme.js"
    script.write_text(LOOKED_AT.sub('":not(*)"', script.read_text("utf8")), encoding="utf8")


def write_styles(app):
    """Write one style sheet for all pages, of what they and their scripts name."""
    out = Path(app.outdir)
    names = {"bs-tooltip-auto"}  # put together by a script of the theme
    for page in out.rglob("*.html"):
        for classes in re.findall(r'class="([^"]*)"', page.read_text("utf8")):
            names.update(classes.split())
    for home in (out / "_static", out / "_static/scripts", HERE.parent / "live"):
        for script in home.glob("[!f]*.js"):  # not fontawesome.js, which no page loads
            names.update(re.findall(r"[\w-]+", script.read_text("utf8")))
    texts = [COMMENT.sub("", (out / each).read_text("utf8")) for each in app.sheets]
    # The last is the book's own: its rules are needed, and figures bring classes of their own.
    style = "\n".join([*(used(text, names) for text in texts[:-1]), texts[-1]])
    (out / "_static/all.css").write_text(style.replace("url(../", "url("), encoding="utf8")


def used(style, names):
    """Return a style without the selectors of classes that have none of these names.

    >>> used(".a,.b:not(.c){x:y}.c{x:y}", {"a", "b"})
    '.a,.b:not(.c){x:y}'
    """

    def kept(rule):
        selectors = re.split(r",(?![^()]*\))", rule[1])
        seen = [each for each in selectors if names >= {*CLASS.findall(OPTIONAL.sub("", each))}]
        return ",".join(seen) + rule[2] if seen else ""

    return RULE.sub(kept, style)


def add_scripts(app, pagename, templatename, context, doctree):
    """Load the scripts that a page needs, and write out the settings."""
    for script, mark in NEEDED.items():
        if mark in context.get("body", ""):
            app.add_js_file(script, defer="defer")
    # Scripts in the page change the settings, and the file that has them would run after those.
    settings = Path(app.outdir) / "_static" / "documentation_options.js"
    sheets = sorted(context["css_files"], key=lambda sheet: sheet.priority)  # as Sphinx does later
    app.sheets = [*OF_THEME, *(sheet.filename for sheet in sheets)]
    context["look"] = app.config.pecode_look[:8]
    context["settings"] = settings.read_text(encoding="utf8").strip() if settings.exists() else ""


def figure_sources(app):
    """Write a page with both files of each moving figure, to which figure_host.js leads."""
    for name, module in figures.FIGURES.items():
        title = f"Source of the figure {name}"
        body = f'<h1 id="{name}">{title}</h1>'  # where the page of the API leads
        for suffix, language in ((".py", "python"), (".js", "javascript")):
            path = publish.ROOT / "figures" / f"{module}{suffix}"
            code = app.builder.highlighter.highlight_block(path.read_text("utf8"), language)
            body += f"\n<h2>figures/{path.name}</h2>\n{code}"
        yield f"_modules/figures/{module}", {"title": title, "body": body}, "page.html"


def improve(app, pagename, templatename, context, doctree):
    """Correct the HTML of a page that has a source."""
    if doctree is None or app.builder.name != "html":
        return
    sources = {name: Path(app.srcdir, path) for path, name in app.builder.images.items()}
    soup, complete = improved(context["body"], sources)
    for script in list(context["script_files"]):  # the state of a notebook's figures
        if script.attributes.get("type") == noscript.STATE:
            context["script_files"].remove(script)
            state = script.attributes["body"]
            soup.append(soup.new_tag("script", type=noscript.STATE, string=state))
    for section in soup.find_all("section"):  # book.css guesses heights by it
        if section.parent.parent is soup:
            seen = [x for x in section.find_all(["p", "li", "td"]) if not x.find_parent("details")]
            section["style"] = f"--letters: {sum(len(x.get_text()) for x in seen)}"
    for glossary in soup.select("dl.glossary"):  # a long way, and a letter leads there
        first = {dt.text[0].upper(): dt["id"] for dt in reversed(glossary("dt", recursive=False))}
        row = "".join(f'<a href="#{name}">{letter}</a>' for letter, name in sorted(first.items()))
        glossary.insert_before(BeautifulSoup(f'<p class="letters">{row}</p>', "html.parser"))
    noscript.add_fallbacks(soup, app.env.found_docs, context["content_root"])
    context["body"] = complete(str(soup))
    app.trees[pagename] = soup, complete


def improved(html, sources):
    """Return the tree of a page, with code and formulas as words, and what puts these back.

    sources: the file of each picture, by the name that it has on the pages.
    """
    html = FORMATTER.sub("", PLAIN_CODE.sub(r"\1", html))
    html, kept = code_in_words(html)
    soup = BeautifulSoup(html, "html.parser")
    for tag in soup.find_all(["div", "section", "span", "summary", "td", "th"]):
        correct(tag, soup)
    for image in soup.find_all("img", src=re.compile(r"\.svg$")):
        if source := sources.get(Path(image["src"]).name):
            put_into_page(image, source, soup)
    return soup, partial(IN_WORDS.sub, lambda found: kept[int(found[2])])


def hanging(found):
    r"""Mark a line of code or output that a phone breaks: what follows hangs below its beginning.

    >>> LINE.sub(hanging, "  a\n  " + "b" * 46)[:46]
    '  a\n<span class="long" style="--in: 2ch">  bbb'
    """
    line = found[0]
    text = unescape(TAG.sub("", line)).rstrip("\n")
    whole = line.count("<span") == line.count("</span")
    if len(text) <= PHONE or ("<span" not in line and COLUMNS.search(text)) or not whole:
        return line
    depth = len(text) - len(text.lstrip())
    return f'<span class="long" style="--in: {depth}ch">{line}</span>'


def code_in_words(html):
    """Return a page with the words of its code and formulas in their places, and a list of them."""
    kept = []

    def words(found):
        if not found[1]:
            return found[0]
        kept.append(LINE.sub(hanging, found[0]) if found[1] == "pre" else found[0])
        text = "…" if BUILT.search(found[2]) else TAG.sub("", found[2])
        return f'<{found[1]} data-number="{len(kept) - 1}">{text}</{found[1]}>'

    return CODE_AND_FORMULAS.sub(words, html), kept


def correct(tag, soup):
    """Correct one element: for each, what an extension writes and why it cannot stay."""
    classes, name = tag.get("class", []), tag.get("id", "")
    if "math" in classes and tag.name == "span":
        keep_together(tag, soup)
    elif tag.name == "th" and not tag.get_text(strip=True) and not tag.find("img"):
        # A header cell without text heads nothing: the corner of a table is a plain cell.
        tag.clear()
        tag.name, tag.attrs = "td", {}
    elif tag.name == "td":
        for words in tag.find_all(string=RANGE):  # (0.37–0.94) stays in one line
            words.replace_with(words.replace(" to ", "\xa0to\xa0").replace("–", "\u2060–\u2060"))
        for words in tag.find_all(string=HYPHEN):  # a number has a true minus sign
            if words.parent.name not in ("code", "pre"):
                words.replace_with(HYPHEN.sub("−", words))
    elif tag.name == "summary" and tag.get("aria-label"):
        del tag["aria-label"]  # "Toggle hidden content" would hide what it says
        for words in tag.find_all(string=FOLDED):
            words.replace_with(FOLDED.sub(lambda found: FOLDS[found[0]], words))
    elif tag.get("role") == "doc-biblioentry":
        tag["role"] = "listitem"  # ARIA has withdrawn the other
    elif name == "proof" or (tag.name == "section" and re.fullmatch("[a-z]+-content", name)):
        del tag["id"]  # the same in every theorem and proof of a page


def keep_together(formula, soup):
    """Put a formula into one box with the punctuation that touches it.

    A browser would break the line between them, and start the next one with a comma.
    """
    before, after = formula.previous_sibling, formula.next_sibling
    left = re.search(r"[^\s—]*\Z", before)[0] if isinstance(before, str) else ""
    right = re.match(r"[^\s—]*", after)[0] if isinstance(after, str) else ""
    if left:
        before.replace_with(before.removesuffix(left))
    if right:
        after.replace_with(after.removeprefix(right))
    if left or right:
        together = formula.wrap(soup.new_tag("span", attrs={"class": "together"}))
        together.insert(0, left)
        together.append(right)


def put_into_page(image, source, soup):
    """Put a figure of a cell into the page itself, where it has the page's fonts and colors."""
    text = source.read_text(encoding="utf8")
    if not text.startswith('<svg xmlns="http://www.w3.org/2000/svg" class="drawn"'):
        return
    head, _, rest = text.partition(">")
    figure = BeautifulSoup(f"{head}></svg>", "html.parser").svg
    figure["role"], figure["aria-label"] = "img", image["alt"]
    figure.append(soup.new_string(rest.removesuffix("</svg>"), PreformattedString))
    link = image.parent  # to the picture, which is now here in full
    (link if "image-reference" in link.get("class", []) else image).replace_with(figure)
