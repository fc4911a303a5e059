"""The slides of a chapter, made of what stands on its page.

A cell with the tag `in-slides`, and a formula or theorem with that class, has a slide. Above it
stand the heading of its section and the question of the Predict box that it answers.
"""

import copy
import re
from pathlib import Path

from markupsafe import Markup

from book import LECTURES
from publishing.website import without_scripts

PAGES = {f"chapters/{each.slug}": each for each in LECTURES}
CHOSEN = ":is(.tag_in-slides, .in-slides)"
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
    article = soup.find("article")
    html = without_scripts.JINJA.get_template("slides.html").render(
        chapter=chapter, page=page, question=inside(article.h1.find_next("em")),
        slides=[slide(part) for part in article.select(CHOSEN)],
        found=inside(article.select_one(".finding ul")),
        states=Markup("".join(map(str, soup.find_all("script", type=without_scripts.STATE)))),
    )  # fmt: skip
    html = html.replace('href="#', f'href="../{page}#')
    html = re.sub(r'href="(?=[\w-]+\.html)', 'href="../chapters/', html)
    path = Path(out, "slides", f"{chapter.slug}.html")
    path.parent.mkdir(exist_ok=True)
    path.write_text(complete(html), encoding="utf8")
    return [path]


def slide(part):
    """Return what a slide shows of a part of a page, by the names of the template."""
    heading = part.find_parent("section").find(["h1", "h2", "h3"], recursive=False)
    figure, moving = part.find("figure"), part.find("script", type=without_scripts.VIEW)
    thing = figure or part.select_one(".cell_output") or part
    kind = next((each for each in ("cell_output", "math") if each in thing["class"]), "proof")
    kind = "moving" if moving else "figure" if figure else kind
    lines = thing.get_text().strip("\n").split("\n")
    return {
        "heading": inside(heading), "question": question(part), "thing": Markup(shown(thing)),
        "kind": kind, "columns": max(map(len, lines)), "lines": len(lines),
    }  # fmt: skip


def question(part):
    """Return the question of the Predict box that a part is the first to answer, if there is one.

    A folded cell, or one that prints nothing, answers none.
    """
    for each in part.find_previous_siblings(True):
        if each.css.match("div.cell:not(.tag_hide-cell):has(.cell_output)"):
            return ""
        if each.css.match(".predict"):
            asked = copy.copy(each.summary or each)
            for name in asked.select(".admonition-title, :scope > strong:first-child"):
                name.decompose()
            return inside(asked)
    return ""


def inside(tag):
    """Return what stands in an element, if there is one."""
    return Markup("".join(map(str, shown(tag).contents))) if tag else ""


def shown(tag):
    """Return a copy of an element without what is of no use on a slide."""
    tag = copy.copy(tag)
    for each in tag.select(NOT_SHOWN):
        each.decompose()
    return tag
