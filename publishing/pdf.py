"""Print the built book as one PDF: _build/pdf/positional-encoding.pdf.

python -m publishing.pdf            (after `make book`; needs a Chromium, as the checks do)

pdf.js puts the pages of _build/html behind one another in the order of _toc.yml, so all numbers
are those of the site; what paper looks like is in book.css. The browser prints twice: the first
print tells on which page each chapter and each answer stands.
"""

import re
import sys
from datetime import date
from pathlib import Path

import yaml
from jinja2 import Template
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from publishing import browser
from publishing.home import CONFIG, HTML, NOT_BUILT, ROOT, contents
from publishing.website import publish

HERE = Path(__file__)
TARGET = ROOT / "_build" / "pdf"
SOURCE = TARGET / "book.html"  # what the browser prints
PDF = TARGET / publish.PDF
TITLE, IMPRINT = CONFIG["title"], CONFIG["sphinx"]["config"]["imprint"]
# What is looked up or done on the site: the print is for reading.
NOT_PRINTED = {"run"} | {
    f"appendices/{name}" for name in ("sources", "api", "teaching", "config", "site")
}
# Everything is there: the fonts, the pictures.
SET = """async () => {
  await document.fonts.ready;
  await Promise.all([...document.images].map(image => image.decode()));
}"""


def cover():
    """Return the cover, and the contents without their lines."""
    return Template(HERE.with_suffix(".html").read_text(encoding="utf8")).render(
        title=TITLE, imprint=IMPRINT, owner=f"© {CONFIG['copyright']} {CONFIG['author']}",
        version=publish.VERSION, day=date.fromisoformat(publish.newest_entry()[1]),
    )  # fmt: skip


def pages():
    """Return what is printed, in its order: the part of each page, its name and its HTML."""
    parts = contents(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8")))
    return [
        {"part": part, "page": page, "html": (HTML / f"{page}.html").read_text(encoding="utf8")}
        for part, names in parts.items()
        for page in names
        if page not in NOT_PRINTED
    ]


def print_book(page):
    """Print what the browser shows; return the number of the page of each place with a link."""
    page.pdf(path=PDF, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    reader = PdfReader(PDF)
    ends, number = reader.named_destinations, reader.get_destination_page_number
    return {name.removeprefix("/"): number(end) + 1 for name, end in ends.items()}


def bookmarks(parent):
    """Yield each entry of an outline, in their order."""
    entry = parent.get("/First")
    while entry:
        yield entry.get_object()
        yield from bookmarks(entry.get_object())
        entry = entry.get_object().get("/Next")


def describe():
    """Write into the file what it is; the browser knows the title and the language only."""
    writer = PdfWriter(PDF, incremental=True)
    licenses = f"Text: {IMPRINT['license']}. Code: MIT."
    writer.add_metadata({"/Author": CONFIG["author"], "/Subject": licenses})
    writer.page_mode = "/UseOutlines"
    for entry in bookmarks(writer.root_object["/Outlines"]):  # the browser doubles some titles
        title = re.sub(r"^(.+)\1$", r"\1", entry["/Title"])
        entry[NameObject("/Title")] = TextStringObject(title)
    writer.write(PDF)
    print(f"{PDF.relative_to(ROOT)}: {len(writer.pages)} pages, {PDF.stat().st_size / 1e6:.1f} MB")


def main():
    """Bind the book, print it, and print it again with the numbers of its pages."""
    if not (HTML / "intro.html").exists():
        sys.exit(NOT_BUILT)
    TARGET.mkdir(parents=True, exist_ok=True)
    SOURCE.write_text(cover(), encoding="utf8")
    with browser.opened() as chromium:
        page = chromium.new_page()
        page.emulate_media(media="print", color_scheme="light")
        page.goto(SOURCE.as_uri())
        page.add_script_tag(path=HERE.with_suffix(".js"))
        page.evaluate("bind", {"base": f"{HTML.as_uri()}/", "pages": pages()})
        page.evaluate(SET)
        numbers = print_book(page)
        page.evaluate("writeNumbers", numbers)
        if print_book(page) != numbers:
            sys.exit("the numbers of the pages moved the text: the contents would be wrong")
        SOURCE.write_text(page.content(), encoding="utf8")
    describe()


if __name__ == "__main__":
    main()
