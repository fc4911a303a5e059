"""What the printed book promises: its order, its links, its pictures, and that nothing is cut."""

import re

import pytest
import yaml
from bs4 import BeautifulSoup
from pypdf import PdfReader

from exercises.registry import exercises
from publishing import pdf
from publishing.home import ROOT, contents

TEXT_WIDTH = round((210 - 22 - 20) / 25.4 * 96)  # pdf.html, book.css: A4 without its margins
TEXT_HEIGHT = (297 - 24 - 22) / 25.4 * 96


def squeezed(text):
    """Return a text without spaces and marks that a print may add, drop or draw otherwise."""
    return re.sub(r"[\W_]+", "", text.replace("ﬁ", "fi").replace("ﬂ", "fl")).lower()


def longest_piece(node):
    """Return the longest piece of a text between formulas, whose letters a print may not name."""
    pieces = [piece for piece in node.find_all(string=True) if not piece.find_parent(class_="math")]
    return squeezed(max(pieces, key=len))


@pytest.fixture(scope="module")
def book():
    assert pdf.PDF.exists(), "the book is not printed: run `make pdf` first"
    return PdfReader(pdf.PDF)


@pytest.fixture(scope="module")
def words(book):
    """The text of each page."""
    return [page.extract_text() for page in book.pages]


@pytest.fixture(scope="module")
def source():
    """What was printed, as a tree."""
    return BeautifulSoup(pdf.SOURCE.read_text(encoding="utf8"), "html.parser")


@pytest.fixture(scope="module")
def places(book):
    """The number of the page of each place that a link leads to."""
    ends, number = book.named_destinations, book.get_destination_page_number
    return {name.removeprefix("/"): number(end) + 1 for name, end in ends.items()}


def test_it_is_a_tagged_book_on_a4_and_says_what_it_is(book, words):
    assert len(book.pages) > 100
    assert pdf.PDF.stat().st_size < 25e6
    for page in book.pages:
        size = [float(side) * 25.4 / 72 for side in page.mediabox[2:]]
        assert size == pytest.approx([210, 297], abs=0.5)
    assert (book.metadata.title, book.metadata.author) == (pdf.TITLE, pdf.CONFIG["author"])
    root = book.root_object
    assert (root["/Lang"], root["/PageMode"]) == ("en", "/UseOutlines")
    assert book.outline[1].title == "Contents"  # the browser says it twice
    assert root["/MarkInfo"]["/Marked"]
    assert root["/StructTreeRoot"]["/K"]
    for wanted in ("ersion", f"© {pdf.CONFIG['copyright']}", "CC BY 4.0", "MIT"):
        assert wanted in words[0]
    text = "\n".join(words)
    assert "file://" not in text
    assert str(ROOT) not in text
    assert not re.search(r"\\[(\[]|\\(?:frac|omega|sin|text|begin)\b", text)  # every formula is set


def test_every_page_but_those_for_the_screen_is_printed(source, places):
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))
    for page in (page for part in contents(toc).values() for page in part):
        article = source.find("article", id=page.replace("/", "--"))
        assert (article is None) == (page in pdf.NOT_PRINTED)
        assert article is None or article["id"] in places


def test_the_numbers_in_the_contents_are_those_of_the_pages(source, words, places):
    for entry in source.select("#contents a"):
        page = words[int(entry.select_one(".number").get_text()) - 1]
        assert longest_piece(entry) in squeezed(page)
    answers = source.select(".see a")
    assert answers
    assert all(f" {places[each['href'][1:]]}" in each.get_text() for each in answers)


def test_a_page_has_its_number_and_chapter_but_for_the_cover(source, words, places):
    for number, text in enumerate(words, 1):
        assert (str(number) in text.split("\n")) == (number > 1), number
    for article in source.select("article"):
        parts = (article, *article.select("section[id]"))
        last = max(places.get(node["id"], 0) for node in parts)
        for number in {places[article["id"]], last}:
            assert longest_piece(article.section.h1) in squeezed(words[number - 1][:200])


def test_every_link_leads_to_a_page_or_to_a_public_address(book, source, places):
    ids = [node["id"] for node in source.select("[id]")]
    assert len(ids) == len(set(ids))
    assert {link["href"][1:] for link in source.select("a[href^='#']")} <= set(ids)
    links = [link.get_object() for page in book.pages for link in page.get("/Annots", ())]
    links = [link for link in links if link["/Subtype"] == "/Link"]
    inner = [link["/Dest"].removeprefix("/") for link in links if "/A" not in link]
    assert inner
    assert [name for name in inner if name not in places] == []
    outer = {str(link["/A"].get("/URI")) for link in links if "/A" in link}
    assert outer
    assert [each for each in outer if not re.match(r"https://[\w-]+(\.[\w-]+)+(/|$)", each)] == []


CUT = """height => [...document.querySelectorAll(
  "article :is(pre, code, table, td, img, p, dt, figure, .cell_input, div.math > div, .math)"
  )].filter(box => {
    const { right, width, height: own } = box.getBoundingClientRect();
    return width && (right > innerWidth + 1 || (box.matches("figure, .cell_input") && own > height)
      || (box.matches("pre, .math") && box.scrollWidth > box.clientWidth + 1 && box.clientWidth));
  }).map(box => box.closest("[id]").id + ": " + box.textContent.slice(0, 80))"""

HIDDEN = """() => [...document.querySelectorAll(".sd-tab-content, details > :not(summary)")]
  .filter(box => !box.checkVisibility()).map(box => box.textContent.slice(0, 80))"""


def test_nothing_is_folded_or_cut_at_the_right_edge_or_higher_than_a_page(new_tab, book):
    sheet = new_tab(viewport={"width": TEXT_WIDTH, "height": 1000})
    sheet.emulate_media(media="print", color_scheme="light")
    sheet.goto(pdf.SOURCE.as_uri(), timeout=300_000)
    sheet.evaluate(pdf.SET)
    assert sheet.evaluate(CUT, TEXT_HEIGHT) == []
    count = "selector => document.querySelectorAll(selector).length"
    assert sheet.evaluate(count, "article .math") > 100
    assert sheet.evaluate(count, "article .math:not(:has(math))") == 0
    assert sheet.evaluate(HIDDEN) == []
    sheet.evaluate(
        """() => {
          const first = document.querySelector("article pre");
          first.style.whiteSpace = "pre";
          first.prepend("x ".repeat(300));
        }"""
    )
    assert len(sheet.evaluate(CUT, TEXT_HEIGHT)) == 1


def test_answers_stand_behind_the_exercises_and_nothing_waits_for_a_script(source):
    assert len(source.select(".answers")) == len({each.chapter for each in exercises().values()})
    verdicts = source.find_all(string=re.compile("✓ Right"))
    assert verdicts
    asked, answered = (source.select(f"{part} ol.ask-off") for part in ("article", ".answers"))
    assert len(asked) == 2 * len(answered)  # the options stay with the question
    assert all(each.get("type") == "a" for each in asked)
    assert all(verdict.find_parent(class_="answers") for verdict in verdicts)
    waiting = "details:not([open]), noscript, script, input:not(.sd-tab-set > input), button"
    assert source.select(f"main :is({waiting})") == []
    assert "allow JavaScript" not in source.get_text()
