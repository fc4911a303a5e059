"""What the printed book promises: its order, its links, its pictures, and that nothing is cut."""

import re
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from pypdf import PdfReader

from book import CHAPTERS
from publishing import pdf

ROOT = Path(__file__).parents[2]

POINTS = 72 / 25.4  # in a millimeter
TEXT_WIDTH = round((210 - 22 - 20) / 25.4 * 96)  # website/print.css: A4 without its margins
TEXT_HEIGHT = (297 - 24 - 24) / 25.4 * 96


def squeezed(text):
    """Return a text without spaces and marks that a print may add, drop or draw otherwise."""
    return re.sub(r"[\W_]+", "", text.replace("ﬁ", "fi").replace("ﬂ", "fl")).lower()


def plain(node):
    """Return the longest piece of a text between formulas, whose letters a print may not name."""
    pieces = [piece for piece in node.find_all(string=True) if not piece.find_parent(class_="math")]
    return squeezed(max(pieces, key=len))


@pytest.fixture(scope="module")
def book():
    """The printed book."""
    assert pdf.PDF.exists(), "the book is not printed: run `make pdf` first"
    return PdfReader(pdf.PDF)


@pytest.fixture(scope="module")
def words(book):
    """The text of each page."""
    return [page.extract_text() for page in book.pages]


@pytest.fixture(scope="module")
def source(book):
    """What was printed, as a tree."""
    return BeautifulSoup(pdf.SOURCE.read_text(encoding="utf8"), "html.parser")


@pytest.fixture(scope="module")
def sheet(chromium, book):
    """What was printed, laid out as it was for the print, on one long sheet."""
    page = chromium.new_page(viewport={"width": TEXT_WIDTH, "height": 1000})
    page.emulate_media(media="print", color_scheme="light")
    page.goto(pdf.SOURCE.as_uri(), timeout=300_000)
    page.evaluate(pdf.SET)
    yield page
    page.close()


@pytest.fixture(scope="module")
def places(book):
    """The number of the page of each place that a link leads to."""
    return pdf.page_numbers(pdf.PDF)


@pytest.fixture(scope="module")
def links(book):
    """The actions and destinations of all links."""
    found = [link.get_object() for page in book.pages for link in page.get("/Annots", ())]
    return [link for link in found if link["/Subtype"] == "/Link"]


def toc():
    """Return the contents of the book."""
    return yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8"))


def bookmarks(outline):
    """Return the titles of an outline, in their order."""
    for entry in outline:
        yield from bookmarks(entry) if isinstance(entry, list) else [entry.title]


def pictures(page):
    """Return the numbers of the pictures that a page shows; a heat map of a drawing is smaller."""
    drawn = page["/Resources"].get("/XObject", {}).values()
    images = [each for each in drawn if each.get_object()["/Subtype"] == "/Image"]
    return [each.idnum for each in images if each.get_object()["/Width"] > 600]


def test_it_has_as_many_pages_as_a_book_and_weighs_less_than_25_megabytes(book):
    assert 300 < len(book.pages) < 600
    assert pdf.PDF.stat().st_size < 25e6


def test_its_sheets_are_a4(book):
    for page in book.pages:
        size = [float(side) / POINTS for side in page.mediabox[2:]]
        assert size == pytest.approx([210, 297], abs=0.5)


def test_it_says_what_it_is(book):
    assert (book.metadata.title, book.metadata.author) == (pdf.TITLE, pdf.CONFIG["author"])
    assert "CC BY 4.0" in book.metadata.subject
    clocks = re.findall(rb"Date \(D:\d{8}(\d{6})", pdf.PDF.read_bytes())
    assert set(clocks) == {b"120000"}  # nothing of the hour of the print
    root = book.root_object
    assert root["/Lang"] == "en"
    assert root["/MarkInfo"]["/Marked"]
    assert root["/StructTreeRoot"]["/K"]
    assert root["/PageMode"] == "/UseOutlines"


def test_the_first_page_has_title_version_date_and_licenses(words):
    first = words[0]
    year = pdf.CONFIG["copyright"]
    for wanted in (
        "Positional Encoding",
        "ersion",
        f"© {year}",
        "CC BY 4.0",
        "MIT",
        "Open Font License",
    ):
        assert wanted in first
    assert re.search(r"\d{1,2} [A-Z][a-z]+ 20\d\d", first)


def test_every_page_of_the_site_is_a_bookmark_and_stands_where_the_bookmark_leads(
    book, words, source, places
):
    titles = [squeezed(title) for title in bookmarks(book.outline)]
    assert titles == [squeezed(each.get_text()) for each in source.find_all(re.compile("^h[1-6]$"))]
    pages = [page for part in pdf.read_parts(toc()).values() for page in part]
    assert len(pages) > 30
    for page in pages:
        section = source.find(id=pdf.name_of(page)).section
        title = plain(section.h2)
        assert any(title in each for each in titles)
        assert title in squeezed(words[places[section["id"]] - 1])


def test_the_numbers_in_the_contents_are_those_of_the_pages(source, words, places):
    entries = source.find_all(attrs={"data-page": True})
    assert len(entries) > 200
    for entry in entries:
        assert entry.get_text() == str(places[entry["data-page"]])
    for entry in source.select("#contents a"):
        title = plain(entry.select_one(".title"))
        page = words[int(entry.select_one(".number").get_text()) - 1]
        assert title in squeezed(page)


def test_every_page_has_its_number_but_the_title_pages_of_book_and_parts(source, words, places):
    bare = {1, *(places[part["id"]] for part in source.select(".part-page"))}
    assert len(bare) == len(pdf.read_parts(toc()))  # the first has no title, the book has
    for number, text in enumerate(words, 1):
        assert (str(number) in text.split("\n")) == (number not in bare), number


def test_the_head_of_a_page_names_its_chapter(source, words, places):
    for article in source.select("article"):
        title = plain(article.section.h2)
        last = max(places.get(node["id"], 0) for node in article.select("section[id]"))
        for number in {places[article.section["id"]], last}:
            assert title in squeezed(words[number - 1][:200])


def test_every_link_in_the_book_leads_to_a_page_of_it(links, places):
    inner = [link for link in links if "/A" not in link]
    assert len(inner) > 1500
    assert [link["/Dest"] for link in inner if link["/Dest"].removeprefix("/") not in places] == []


def test_other_links_lead_to_public_addresses(links):
    outer = {str(link["/A"].get("/URI")) for link in links if "/A" in link}
    assert len(outer) > 10
    for address in outer:
        assert re.match(r"https://[\w-]+(\.[\w-]+)+(/|$)", address), address


def test_no_file_of_a_machine_is_named(words):
    text = "\n".join(words)
    assert "file://" not in text
    assert str(ROOT) not in text


def test_a_link_without_an_end_and_an_id_twice_are_found():
    html = '<p id="a"></p><p id="a"></p><a href="#a"></a><a href="#b"></a>'
    assert pdf.unresolved(html) == ["two have the id a", "a link leads to nothing: b"]
    assert pdf.unresolved(pdf.SOURCE.read_text(encoding="utf8")) == []


def test_every_caption_stands_on_the_page_of_its_picture(book, words, source):
    left = [len(pictures(page)) for page in book.pages]
    pages = [squeezed(text) for text in words]
    captions = [
        squeezed(figure.figcaption.get_text())[:80]
        for figure in source.find_all("figure")
        if figure.find("img")
    ]
    assert len(captions) == len(source.select("article img"))
    at = 0
    for caption in captions:  # in the order of the book; stills share their words
        at = next(
            number for number in range(at, len(pages)) if left[number] and caption in pages[number]
        )
        left[at] -= 1
    assert sum(left) == 0


def test_every_picture_is_stored_once(book, source):
    files = {image["src"] for image in source.select("article img")}
    stored = {number for page in book.pages for number in pictures(page)}
    assert len(stored) == len(files)


def test_no_heading_is_left_alone_at_the_foot_of_a_page(book, words, source, places):
    for heading in source.select("article :is(h2, h3, h4)"):
        name = heading.parent.get("id")
        if name not in places:
            continue
        number = places[name] - 1
        # Head and foot come first in the file; the words of a heading may return in the text.
        title, text = plain(heading), squeezed(words[number]).partition(str(number + 1))[2]
        below = text[text.index(title) + len(title) :]
        assert below or pictures(book.pages[number]), (number + 1, heading.get_text())


def test_figures_and_cells_fit_on_a_page(sheet):
    too_high = """height => [...document.querySelectorAll("article :is(figure, .cell_input)")].map(
      box => [box.getBoundingClientRect().height, box.textContent.slice(0, 60)]).filter(
      ([own]) => own > height)"""
    assert sheet.evaluate(too_high, TEXT_HEIGHT) == []
    kept = """() => [...document.querySelectorAll("article figure")].map(
      box => getComputedStyle(box).breakInside)"""
    assert set(sheet.evaluate(kept)) == {"avoid"}


WIDE = """() => [...document.querySelectorAll(
  "article :is(pre, code, table, td, img, p, dt, div.math > div, .math)")].filter(box => {
    const { right, width } = box.getBoundingClientRect();
    return width && (right > innerWidth + 1
      || (box.matches("pre, .math") && box.scrollWidth > box.clientWidth + 1 && box.clientWidth));
  }).map(box => box.closest("[id]").id + ": " + box.textContent.slice(0, 80))"""


def test_nothing_is_cut_at_the_right_edge(sheet):
    assert sheet.evaluate(WIDE) == []
    long_line = "() => document.querySelector('article pre').prepend('x '.repeat(300))"
    sheet.evaluate("() => document.querySelector('article pre').style.whiteSpace = 'pre'")
    sheet.evaluate(long_line)
    assert len(sheet.evaluate(WIDE)) == 1
    sheet.reload()
    sheet.evaluate(pdf.SET)


def test_every_formula_is_set(sheet, words):
    count = "selector => document.querySelectorAll(selector).length"
    formulas = sheet.evaluate(count, "article .math")
    assert formulas > 800
    assert sheet.evaluate(count, "article .math:not(:has(math))") == 0
    text = "\n".join(words)
    assert not re.search(r"\\[(\[]|\\(?:frac|omega|sin|text|begin)\b", text)


def test_every_font_is_in_the_file(book):
    fonts = {}
    for page in book.pages:
        fonts.update({each.idnum: each.get_object() for each in fonts_of(page)})
    named = " ".join(str(font.get("/BaseFont")) for font in fonts.values())
    for family in ("SourceSerif4", "SourceSans3", "JetBrainsMono"):
        assert family in named
    for font in fonts.values():
        if font["/Subtype"] == "/Type3":  # drawn glyph by glyph in the file
            assert font["/CharProcs"]
            continue
        own = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
        files = {"/FontFile", "/FontFile2", "/FontFile3"}
        assert files & set(own["/FontDescriptor"].get_object()), font["/BaseFont"]


def fonts_of(page):
    """Return the references to the fonts of a page."""
    return page["/Resources"].get("/Font", {}).values()


def test_the_right_answers_stand_behind_the_exercises(source):
    answers = source.select(".answers")
    assert len(answers) == len(CHAPTERS)
    verdicts = source.find_all(string=re.compile("✓ Right"))
    assert len(verdicts) > 20
    assert all(verdict.find_parent(class_="answers") for verdict in verdicts)


def test_nothing_is_folded_or_waits_for_a_script(source):
    assert source.select("main :is(details, noscript, script, input, button)") == []
    assert "allow JavaScript" not in source.get_text()
