"""The slides of a chapter, made of what stands on its page.

A cell with the tag `in-slides`, and a formula or theorem with that class, has a slide. Above it
stand the heading of its section and the question of the Predict box that it answers.
"""

import copy
import re
from urllib.parse import urljoin, urlsplit

from markupsafe import Markup

from book import LECTURES
from publishing.website import noscript

PAGES = {f"chapters/{each.slug}": each for each in LECTURES}
CHOSEN = ":is(.tag_in-slides, .in-slides)"
NOT_SHOWN = ".headerlink, .section-number"
SENTENCE = re.compile(r"(?s).*?[.!?][”)]?(?=\s)")


def pages(app):
    """Write the slides of each chapter whose page was written."""
    for page in PAGES.keys() & app.trees.keys():
        soup, complete = app.trees[page]
        soup = copy.copy(soup)
        for link in soup.select("a[href]"):
            if not urlsplit(link["href"]).scheme:
                link["href"] = "../" + urljoin(f"{page}.html", link["href"])
        context = {
            "chapter": PAGES[page], "page": f"{page}.html",
            "question": inner_html(soup.h1.find_next("em")),
            "slides": [slide(part) for part in soup.select(CHOSEN)],
            "found": inner_html(soup.select_one(".finding ul")),
            "states": "".join(map(str, soup.find_all("script", type=noscript.STATE))),
            "complete": lambda html, complete=complete: Markup(complete(html)),
        }  # fmt: skip
        yield f"slides/{PAGES[page].slug}", context, "slides.html"


def slide(part):
    """Return what a slide shows of a part of a page, by the names of the template."""
    heading = part.find_parent("section").find(["h1", "h2", "h3"], recursive=False)
    figure, moving = part.find("figure"), part.find("script", type=noscript.VIEW)
    thing = figure or part.select_one(".cell_output") or part
    kind = next((each for each in ("cell_output", "math") if each in thing["class"]), "proof")
    kind = "moving" if moving else "figure" if figure else kind
    printed = "\n".join(each.get_text().strip("\n") for each in thing.select("pre"))
    lines = (printed or thing.get_text().strip("\n")).split("\n")
    asked, said = question(part)
    if kind == "cell_output" and not asked:
        said = first_sentence(part.find_next_sibling("p"))
    if kind == "math" and not asked:  # the sentence that leads to it
        said = re.split(r"(?<=[.!?])\s", inner_html(part.find_previous_sibling("p")))[-1]
    return {
        "heading": inner_html(heading), "question": asked, "thing": str(clean(thing)), "kind": kind,
        "said": said, "columns": max(map(len, lines)), "lines": len(lines),
    }  # fmt: skip


def question(part):
    """Return the question of the Predict box that a part is the first to answer, and its answer.

    A folded cell, or one that prints nothing, answers none.
    """
    for each in part.find_previous_siblings(True):
        if each.css.match("div.cell:not(.tag_hide-cell):has(.cell_output)"):
            break
        if each.css.match(".predict"):
            asked = copy.copy(each)
            answer = first_sentence(each.select_one("details > p"))
            for other in asked.select(".admonition-title, details"):
                other.decompose()
            return inner_html(asked), answer
    return "", ""


def first_sentence(paragraph):
    """Return the first sentence of a paragraph, if there is one: it says what is to be seen."""
    sentence = ""
    for each in clean(paragraph).contents if paragraph else ():
        end = SENTENCE.match(each) if isinstance(each, str) else None
        sentence += end[0] if end else str(each)
        if end:
            break
    return "" if sentence.endswith(":") else sentence


def inner_html(tag):
    """Return what stands in an element, if there is one."""
    return "".join(map(str, clean(tag).contents)) if tag else ""


def clean(tag):
    """Return a copy of an element without what is of no use on a slide."""
    tag = copy.copy(tag)
    for each in tag.select(NOT_SHOWN):
        each.decompose()
    return tag
