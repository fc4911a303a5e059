"""Sphinx extension: a copy of the book may leave pages out of _toc.yml.

Its chapters keep their numbers, since the text names them. A reference to what is left out becomes
words without a link, and the build warns of each place.
"""

import re
from itertools import chain
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import docname_join, logging
from sphinx.util.nodes import get_node_line

from book import CHAPTERS, LECTURES

LOG = logging.getLogger(__name__)
BY_SLUG = {each.slug: each for each in CHAPTERS.values()}
OF_THE_LIST = {each.slug for each in LECTURES}
HEADING = re.compile(r'^\s*"?# (.+?)(?:\\n)?"?,?$', re.MULTILINE)  # of Markdown or of a notebook
LABEL = re.compile(r'\(([\w-]+)\)=|"name": "([\w-]+)"|:label: ([\w-]+)')
THINGS = {"numref": "a figure", "eq": "a formula", "prf": "a statement"}  # else an exercise
LEFT_OUT = {}  # what a reference becomes, by the page or the label to which it leads


def setup(app):
    """Connect the hooks; that of the numbers runs when all are given."""
    app.connect("env-before-read-docs", look_for_what_is_left_out)
    app.connect("env-get-updated", number_chapters, priority=900)
    app.add_post_transform(LinksToWhatIsLeftOut)


def look_for_what_is_left_out(app, env, docnames):
    """Read the headings of the pages that are left out, and their labels."""
    root = Path(app.srcdir)
    for path in chain.from_iterable(map(root.glob, ("*.md", "*/*.md", "*/*.ipynb"))):
        page, chapter = path.relative_to(root).with_suffix("").as_posix(), BY_SLUG.get(path.stem)
        text = path.read_text("utf8")
        if page in env.found_docs:
            continue
        LEFT_OUT[page] = titled[1] if (titled := HEADING.search(text)) else path.stem
        for label in map("".join, LABEL.findall(text)):
            LEFT_OUT[label] = f" of chapter {chapter.number}" if chapter else ""


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
    """References to what is left out become words, before anybody warns of them."""

    default_priority = 8  # MyST has 9

    def run(self):
        """Replace them."""
        for node in list(self.document.findall(addnodes.pending_xref)):
            domain, kind, target = (node[name] for name in ("refdomain", "reftype", "reftarget"))
            page = docname_join(node["refdoc"], target) if kind == "doc" else target
            if (said := LEFT_OUT.get(page)) is None:
                continue
            if page == target and domain != "doc":
                said = THINGS.get(domain if domain == "prf" else kind, "an exercise") + said
            if node["refexplicit"] and "%s" not in node.astext():
                said = node.astext()
            place = node["refdoc"], get_node_line(node)
            LOG.warning("%s is left out, and is called %r", target, said, location=place)
            node.replace_self(nodes.inline("", said))
