"""The slides of a chapter, made of what stands on its page; `slides.yml` says which parts.

A slide has one thing on it: a figure, what a cell prints, a formula or a theorem. Above it stand
the heading of its section and the question that leads to it, or else the sentence before it; below
it, the sentence after it. So nothing is written twice.
"""

import copy
import json
import re
from pathlib import Path

import yaml
from bs4 import Tag
from markupsafe import Markup
from sphinx.util import logging

from book import LECTURES
from publishing.website import without_scripts

HERE = Path(__file__).parent
LOG = logging.getLogger(__name__)
CHOSEN = yaml.safe_load(HERE.joinpath("slides.yml").read_text("utf8"))
PAGES = {f"chapters/{each.slug}": each for each in LECTURES}
SHORT = 40  # characters: "Only the last." says nothing without the next sentence
NOT_SHOWN = ".headerlink, .section-number"


def listing(app):
    """Write the page that lists the slides of the chapters in this copy of the book."""
    held = [each for page, each in PAGES.items() if page in app.env.found_docs]
    body = without_scripts.JINJA.get_template("slide_list.html").render(chapters=held)
    yield "slides/index", {"title": "Slides", "body": body}, "page.html"


def write(out, page, soup, complete):
    """Write the slides of a chapter from its page; return their path in a list.

    complete: puts code and formulas back into their places (see pages.py).
    """
    chapter = PAGES.get(page.removesuffix(".html"))
    if not chapter:
        return []
    parts, article = named(soup, chapter.slug), soup.find("article")
    chosen = CHOSEN[chapter.word]
    for name in set(chosen) - set(parts):
        LOG.warning("slides.yml: %s has no %r: left out", page, name)
    html = without_scripts.JINJA.get_template("slides.html").render(
        chapter=chapter, page=page, question=inside(article.h1.find_next("em")),
        slides=[slide(parts[name]) for name in chosen if name in parts],
        found=inside(article.select_one(".finding ul")),
        states=Markup("".join(map(str, soup.find_all("script", type=without_scripts.STATE)))),
    )  # fmt: skip
    html = html.replace('href="#', f'href="../{page}#')
    html = re.sub(r'href="(?=[\w-]+\.html)', 'href="../chapters/', html)
    path = Path(out, "slides", f"{chapter.slug}.html")
    path.parent.mkdir(exist_ok=True)
    path.write_text(complete(html), encoding="utf8")
    return [path]


def named(soup, slug):
    """Return what may stand on a slide, by the names that slides.yml uses."""
    notebook = json.loads((HERE.parents[1] / "chapters" / f"{slug}.ipynb").read_text("utf8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    cells = [cell for cell in code if "remove-cell" not in cell["metadata"].get("tags", [])]
    found = {}
    for cell, part in zip(cells, soup.select("article div.cell"), strict=True):
        found[cell["id"]] = part
        if is_moving(part):
            found[re.match(r"\w+", "".join(cell["source"]))[0]] = part
    labeled = soup.select("article :is(div.math, div.proof)[id]")
    return found | {part["id"].removeprefix("equation-"): part for part in labeled}


def slide(part):
    """Return what a slide shows of a part of a page, by the names of the template."""
    heading = part.find_parent("section").find(["h1", "h2", "h3"], recursive=False)
    figure, moving = part.find("figure"), is_moving(part)
    thing = figure or part.select_one(".cell_output") or part
    asked, lines = question(part), thing.get_text().strip("\n").split("\n")
    said = {}
    if not (figure or moving):  # they say it themselves
        after = beside(part.next_siblings)
        more = after and (len(after[0]) < SHORT or after[0].endswith("?"))
        after = after[: 2 if more else 1]
        said["after"] = " ".join(each for each in after if not each.endswith(":"))
        said["lead"] = "" if asked else "".join(beside(part.previous_siblings)[-1:])
    return {
        "heading": inside(heading), "question": asked, "thing": Markup(shown(thing)),
        "kind": "moving" if moving else "figure" if figure else thing["class"][0],
        "columns": max(map(len, lines)), "lines": len(lines),
        **{name: Markup(text) for name, text in said.items()},
    }  # fmt: skip


def question(part):
    """Return the question of the Predict box that a part answers, if one does and no other part."""
    answers = "div.cell:not(.tag_hide-cell):has(.cell_output)"
    for each in part.find_previous_siblings(True):
        if each.css.match(answers):
            return ""
        if each.css.match(".predict"):
            asked = copy.copy(each.summary or each)
            for name in asked.select(".admonition-title, :scope > strong:first-child"):
                name.decompose()
            return inside(asked)
    return ""


def beside(siblings):
    """Return the sentences of the paragraph beside a part, if one is there, without asides."""
    near = next((each for each in siblings if isinstance(each, Tag)), None)
    found = sentences(inside(near)) if near is not None and near.name == "p" else []
    return [each for each in found if not each.startswith("(")]


def sentences(html):
    """Return the sentences of a text; none ends in brackets, in quotation marks or in an element.

    >>> sentences("It (a. B) is <em>so. And</em> so. Two: 1, 2.")
    ['It (a. B) is <em>so. And</em> so.', 'Two: 1, 2.']
    """
    found = [""]
    for piece in re.split(r"(?<=[.?!>”)])\s+", html):
        found[-1] = f"{found[-1]} {piece}".strip()
        text = re.sub("(?s)<math.*?</math>|<[^>]*>", "", found[-1])
        opened = len(re.findall(r"<\w", found[-1])) - found[-1].count("</")
        paired = text.count("(") == text.count(")") and text.count("“") == text.count("”")
        if not opened and paired and re.search(r"[.?!][”)]*$", text):
            found.append("")
    return [each for each in found if each]


def is_moving(part):
    """Return whether a part is a moving figure."""
    return part.find("script", type=without_scripts.VIEW) is not None


def inside(tag):
    """Return what stands in an element, if there is one."""
    return Markup("".join(map(str, shown(tag).contents))) if tag else ""


def shown(tag):
    """Return a copy of an element without what is of no use on a slide."""
    tag = copy.copy(tag)
    for each in tag.select(NOT_SHOWN):
        each.decompose()
    return tag
