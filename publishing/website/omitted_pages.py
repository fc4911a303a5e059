"""Sphinx extension: a copy of the book may leave pages out of _toc.yml.

Its chapters keep their numbers, since the text names them. A reference to what is left out becomes
words without a link; `_build/left-out.txt` lists the places.
"""

import re
from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import docname_join, logging
from sphinx.util.nodes import get_node_line, get_node_source

from book import CHAPTERS, LECTURES

LOG = logging.getLogger(__name__)
BY_SLUG = {each.slug: each for each in CHAPTERS.values()}
OF_THE_LIST = {each.slug for each in LECTURES}
LEFT_OUT = []  # filled while the pages are written
HEADING = re.compile(r'^\s*"?# (.+?)(?:\\n)?"?,?$', re.MULTILINE)  # of Markdown or of a notebook
REFERENCE_NAMES = {
    "numref": "a figure", "ref": "an exercise", "eq": "a formula", "prf": "a statement",
}  # fmt: skip


def setup(app):
    """Connect the hooks; that of the numbers runs when all are given."""
    app.connect("env-get-updated", number_chapters, priority=900)
    app.connect("missing-reference", reference_text)
    app.add_post_transform(LinksToWhatIsLeftOut)
    app.connect("build-finished", report)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def number_chapters(app, env):
    """Give each chapter, its sections and what is counted in it the number of book.py.

    The figures of any other page count from 1.
    """
    for kinds in env.toc_fignumbers.values():
        figures = kinds.get("figure", {})
        before = min((number[0] for number in figures.values() if len(number) == 1), default=1) - 1
        figures |= {name: (first - before, *rest) for name, (first, *rest) in figures.items()}
    for page, sections in env.toc_secnumbers.items():
        if page.startswith("chapters/") and page.removeprefix("chapters/") not in OF_THE_LIST:
            raise ExtensionError(f"{page}: book.py numbers the chapters, and has no line for it")
        chapter = BY_SLUG.get(page.removeprefix("chapters/"))
        if not chapter:
            continue
        for held in (sections, *env.toc_fignumbers.get(page, {}).values()):
            held |= {name: (chapter.number, *own[1:]) for name, own in held.items() if own}
        for node in [env.titles[page], *env.tocs[page].findall(nodes.reference)]:
            if own := node.get("secnumber"):
                node["secnumber"] = [chapter.number, *own[1:]]
    return ()  # a page whose number has changed is written again as it is


class LinksToWhatIsLeftOut(SphinxPostTransform):
    """Links of Markdown and references to statements, of which others would warn one by one."""

    default_priority = 8  # MyST has 9

    def run(self):
        """Replace them by words."""
        known = {"doc": self.env.found_docs, "prf": getattr(self.env, "proof_list", {})}
        for node in list(self.document.findall(addnodes.pending_xref)):
            domain, target = node["refdomain"], node["reftarget"]
            gone = domain in known and target not in known[domain]
            if gone and (words := reference_text(self.app, self.env, node, node[0])):
                node.replace_self(words)


def reference_text(app, env, node, contnode):
    """Return the words that stand for a reference to what is left out, or None if nothing is."""
    kind, target = node["reftype"], node["reftarget"]
    if kind == "myst":
        kind, target = "doc", f"/{target}"
    elif node["refdomain"] == "prf":
        kind = "prf"
    if kind == "doc":
        page = docname_join(node["refdoc"], target)
        chapter, titled = BY_SLUG.get(PurePosixPath(page).name), HEADING.search(text(app, page))
        said = titled[1] if titled else chapter and chapter.title
    else:
        label = re.compile(rf'\({target}\)=|"name": "{target}"|:label: {target}\b')
        gone = [each for each in BY_SLUG.values() if f"chapters/{each.slug}" not in env.found_docs]
        homes = [each for each in gone for room in ("chapters", "exercises")
                 if label.search(text(app, f"{room}/{each.slug}"))]  # fmt: skip
        thing = gone and REFERENCE_NAMES.get(kind)
        said = f"{thing} of chapter {homes[0].number}" if thing and homes else thing
    if not said:
        return None  # mistyped: Sphinx says so
    if node["refexplicit"] and "%s" not in contnode.astext():
        said = contnode.astext()
    LEFT_OUT.append(f"{get_node_source(node)}:{get_node_line(node)}: {target}: {said}")
    return nodes.inline("", said)


def report(app, exception):
    """Say how many references became words, and list them in a file."""
    if LEFT_OUT and not exception:
        path = Path(app.outdir).parent / "left-out.txt"
        path.write_text("\n".join(LEFT_OUT) + "\n", "utf8")
        LOG.warning("%d references to what is left out became words: see %s", len(LEFT_OUT), path)
        LEFT_OUT.clear()


def text(app, page):
    """Return the source of a page, or nothing."""
    paths = [Path(app.srcdir, f"{page}{suffix}") for suffix in (".ipynb", ".md")]
    return next((path.read_text("utf8") for path in paths if path.exists()), "")
