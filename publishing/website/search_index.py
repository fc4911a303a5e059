"""What the search page looks through: sections, terms and names with their text.

They are in a script of the site, which a page that was opened as a file may load. Sphinx's own
index knows the words of a page, but neither its sections nor its sentences.
"""

import json
import re
from pathlib import Path

PLACES = "section[id], .glossary dt[id], dl.py > dt[id]"
NOT_READ = "script, style, noscript, button, svg, .eqno, .headerlink, .viewcode-link, summary, form"
HEADING, SECTION = re.compile("^h[1-6]$"), re.compile(r"chapters/|^(?!bib)\w+\.html#")
FILE, PREFIX = "_static/passages.js", "PASSAGES = "


def take_passages(soup):
    """Return the passages of a page; they are taken out of its tree.

    A passage is a list: anchor, title, sentences, code, and the chapter to which the glossary leads
    from its term, else nothing.
    """
    found = []
    for rest in soup.select(NOT_READ):
        rest.decompose()
    # The last ones first: a section is read when those within it have been taken out.
    for place in reversed(soup.select(PLACES)):
        if place.name == "section":
            heading, parts, chapter = place.find(HEADING, recursive=False), [place], None
            title = heading.extract() if heading else ""
        elif "sig" in place.get("class", []):
            title, parts, chapter = place["id"], [place, place.find_next_sibling("dd")], None
        else:
            title, parts = place, [place.find_next_sibling("dd")]
            chapter = parts[0].find("a", href=SECTION)
        ends = ["dt", "dd", "li", "td", "br"]
        for block in (block for part in parts for block in part.find_all(ends)):
            block.append(" · " if block.name == "td" else " ")  # cells of a table stay apart
        code = [pre.extract() for part in parts for pre in part.find_all("pre")]
        leads_to = chapter["href"].lstrip("./") if chapter else ""
        found.append([place["id"], words(title), words(*parts), words(*code), leads_to])
        for part in (place, *parts):
            part.extract()
    return [passage for passage in reversed(found) if passage[1]]


def words(*parts):
    """Return the text of elements, with single spaces."""
    return " ".join(" ".join(getattr(part, "text", part) for part in parts).split())


def write(app):
    """Write the passages of these pages, and keep those of the pages that were not made again."""
    path = Path(app.outdir) / FILE
    held = json.loads(path.read_text("utf8").removeprefix(PREFIX)) if path.exists() else {}
    held |= {f"{page}.html": take_passages(soup) for page, (soup, _) in app.trees.items()}
    kept = {page: rest for page, rest in held.items() if rest and page[:-5] in app.env.found_docs}
    path.write_text(PREFIX + json.dumps(kept, ensure_ascii=False), encoding="utf8")
