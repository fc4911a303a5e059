"""Print the built book as one PDF: _build/pdf/positional-encoding.pdf.

python -m publishing.pdf            (after `make book`; needs a Chromium, as the checks do)

The pages of _build/html are put behind one another in the order of _toc.yml, so all numbers are
those of the site. Figures that move stand still, tabs stand below one another, and what is folded
is open. Hints stay with their exercise; answers and solutions follow behind the last exercise of
the chapter.

The browser prints twice. The first print tells on which page each heading stands; these numbers
are then written into the contents, and into the references to solutions.
"""

import re
import sys
from datetime import date
from html import escape
from itertools import chain
from pathlib import Path
from posixpath import dirname, join, normpath

import yaml
from bs4 import BeautifulSoup
from jinja2 import Template
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from publishing import browser
from publishing.home import CONFIG, HTML, NOT_BUILT, ROOT, contents
from publishing.website import publish

TARGET = ROOT / "_build" / "pdf"
SOURCE = TARGET / "book.html"  # what the browser prints
PDF = TARGET / publish.PDF
TITLE, IMPRINT = CONFIG["title"], CONFIG["sphinx"]["config"]["imprint"]
# What is looked up or done on the site: the print is for reading.
NOT_PRINTED = {"run"} | {
    f"appendices/{name}" for name in ("sources", "api", "teaching", "config", "site")
}
UNKNOWN = "000"  # stands for the number of a page in the first print
SCALE = 0.78  # of pictures: what is 18 pixels high on a page, the letters of its text, is 14 here
# Of no use on paper. The anchors of headings, the links to listings that are not in the book.
SCREEN_ONLY = ".headerlink, .viewcode-link, .toctree-wrapper, script, .sd-tab-set > input"
# What a reader opens after an attempt. The list of all exercises looks alike, and is not folded.
FOLDED = "ol.ask-off, details.ask-off, details.below-input, details.solution"
STILL = (
    "<figcaption><p>A figure that moves, as it starts. To move it, open {} on the website "
    "or in JupyterLab.</p></figcaption>"
)
# Everything is there: the fonts, the pictures.
SET = """async () => {
  await document.fonts.ready;
  await Promise.all([...document.images].map(image => image.decode()));
}"""

# A page of the site becomes a chapter


def article(page, known):
    """Return the text of a page as one element, ready to stand behind that of another page."""
    html = (HTML / f"{page}.html").read_text(encoding="utf8")
    html = re.search(r"(?s)<article.*?</article>", html)[0]  # most of the rest is scripts
    # The marks of words in code, which is black on paper, are most of the size of the file.
    code = r"(?s)<(pre|code)\b.*?</\1>"
    text = fragment(re.sub(code, lambda found: re.sub(r"</?span[^>]*>", "", found[0]), html))
    for node in text.select(SCREEN_ONLY):
        node.decompose()
    unfold(text, page)
    move_answers(text)
    lead(text, page, known)
    # A further name of a section goes into its heading: before it, it could be a page earlier.
    for name in text.select("section > span[id]:has(+ :is(h1, h2, h3))"):
        name.find_next_sibling().insert(0, name)
    for heading in text.find_all(re.compile("^h[123]$")):  # h1 is for the parts of the book
        heading.name = f"h{int(heading.name[1]) + 1}"
    text.attrs = {"class": ["bd-article"], "id": name_of(page), "style": f"page: {name_of(page)}"}
    return text


def fragment(html):
    """Return the one element that the text describes."""
    return BeautifulSoup(html, "html.parser").find()


def name_of(page, anchor=""):
    """Return the id in the whole book of a page, or of an id of it: no two pages share one."""
    return page.replace("/", "--") + (anchor and f".{anchor}")


def lead(text, page, known):
    """Name ids by their page, lead links to their place in the book, and find the pictures."""
    for attribute in ("id", "for", "data-page", "aria-labelledby", "aria-describedby"):
        for node in text.select(f"[{attribute}]"):
            node[attribute] = " ".join(name_of(page, name) for name in node[attribute].split())
    for link in text.select("a[href]"):
        path, _, anchor = link["href"].partition("#")
        target = normpath(join(dirname(page), path.removesuffix(".html"))) if path else page
        if target in known:
            link["href"] = "#" + name_of(target, anchor)
            link.attrs.pop("title", None)  # the same in other words
        elif not re.match("[a-z]+:", path):  # a file that is not part of the book
            link.name, link.attrs = "span", {}
    for narrow in text.select("picture > source"):
        narrow.decompose()  # for phones
    for image in text.find_all("img"):
        image["src"] = f"../html/{normpath(join(dirname(page), image['src']))}"
        image.attrs.pop("loading", None)
    for image in text.select("img, svg.drawn"):
        for side in ("width", "height"):
            image[side] = round(float(image[side]) * SCALE)


def unfold(text, page):
    """Show stills, tabs and what can be unfolded; hidden code stays hidden."""
    for node in text.find_all("noscript"):
        node.unwrap()
    number = re.search(r"/0*(\d+)-", page)
    for box in text.select(".figure-host-off"):
        box.name, box["class"] = "figure", ["still"]
        where = f"chapter {number[1]}" if number else "its page"
        box.p.replace_with(fragment(STILL.format(where)))
    for folded in text.select("details.above-input"):
        folded.decompose()
    for folded in text.select("details:is(.hint, .show)"):
        folded.name, folded.summary.name = "div", "p"
        folded.p["class"] = ["hint-name"]
        for show in folded.p.select(".on-screen"):
            show.decompose()
    for label in text.select(".sd-tab-label"):
        label.name, label.attrs = "p", {"class": ["tab-name"]}
    for box in text.select(".sd-tab-set, .sd-tab-content"):
        box.attrs = {"class": ["tab"]} if "sd-tab-content" in box["class"] else {}


def move_answers(text):
    """Move answers, outputs and solutions behind the last exercise, and refer to them."""
    answers = ""
    for exercise in text.select("section > section"):
        if found := exercise.select(FOLDED):
            name = f"{exercise['id']}-answer"
            number = f'page <span data-page="{name}">{UNKNOWN}</span>'
            title = escape(exercise.h2.get_text())
            body = "".join(str(answer(each)) for each in found)
            exercise.append(fragment(f'<p class="see">Answer: <a href="#{name}">{number}</a></p>'))
            answers += f'<section id="{name}"><h3>{title}</h3>{body}</section>'
    if answers:
        head = '<section id="answers-and-solutions" class="answers"><h2>Answers and solutions</h2>'
        text.section.append(fragment(f"{head}{answers}</section>"))


def answer(folded):
    """Take an answer out of its exercise; return what is printed at the end of the chapter."""
    if folded.name == "ol":  # options, each with its reason: the options stay
        reasons = "".join(f"<li>{item.details.p.extract()}</li>" for item in folded.find_all("li"))
        for item in folded.find_all("details"):
            item.summary.unwrap()
            item.unwrap()
        folded["class"], folded["type"] = ["options"], "a"
        return f'<ol class="options reasons" type="a">{reasons}</ol>'
    names = {"ask-off": "Answer", "below-input": "What the cell prints", "solution": "Solution"}
    name = next(names[each] for each in folded["class"] if each in names)
    folded.summary.replace_with(fragment(f'<p class="answer-name">{name}</p>'))
    folded.name, folded.attrs = "div", {"class": ["answer"]}
    return folded.extract()


# The book around the chapters


def words(heading):
    """Return what a heading says, without the further names that stand in it."""
    parts = [part for part in heading.contents if isinstance(part, str) or "id" not in part.attrs]
    return "".join(map(str, parts))


def whole_book(day):
    """Return the book as one page of HTML."""
    parts = contents(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8")))
    parts = {
        part: [page for page in pages if page not in NOT_PRINTED] for part, pages in parts.items()
    }
    parts = {part: pages for part, pages in parts.items() if pages}
    known = list(chain.from_iterable(parts.values()))
    articles = {page: article(page, known) for page in known}
    articles[known[0]].h2.string = "Introduction"  # it bears the title of the book
    start = (HTML / f"{known[0]}.html").read_text(encoding="utf8")
    sheets = re.findall(r'<link [^>]*rel="?stylesheet[^>]*>|<link [^>]*\.css[^>]*>', start)
    return Template(Path(__file__).with_suffix(".html").read_text(encoding="utf8")).render(
        title=TITLE, version=publish.VERSION, day=day, unknown=UNKNOWN,
        sheets="\n".join(sheets).replace('="_static/', '="../html/_static/'), parts=parts,
        articles=articles, words=words, owner=f"© {CONFIG['copyright']} {CONFIG['author']}",
        imprint=IMPRINT,
    )  # fmt: skip


def unresolved(html):
    """Return what is wrong with the links and ids of the book: an id that two have, no end."""
    ids = re.findall(r'\bid="([^"]*)"', html)
    ends = set(re.findall(r'\bhref="#([^"]*)"', html))
    return [f"two have the id {name}" for name in sorted(set(ids)) if ids.count(name) > 1] + [
        f"a link leads to nothing: {end}" for end in sorted(ends - set(ids))
    ]


# How it is printed


def print_book(chromium, html):
    """Lay out the book and print it."""
    SOURCE.write_text(html, encoding="utf8")
    page = chromium.new_page()
    page.emulate_media(media="print", color_scheme="light")
    page.goto(SOURCE.as_uri(), timeout=300_000)
    page.evaluate(SET)
    page.pdf(path=PDF, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    page.close()


def page_numbers(pdf):
    """Return the number of the page of each place in the book that a link leads to."""
    reader = PdfReader(pdf)
    ends, number = reader.named_destinations, reader.get_destination_page_number
    return {name.removeprefix("/"): number(end) + 1 for name, end in ends.items()}


def with_numbers(html, numbers):
    """Write the numbers of pages into the book."""
    unknown = rf'(data-page="([^"]*)">){UNKNOWN}<'
    return re.sub(unknown, lambda found: f"{found[1]}{numbers[found[2]]}<", html)


def describe(pdf, html):
    """Write into the file what it is; the browser knows the title and the language only."""
    writer = PdfWriter(pdf, incremental=True)
    licenses = f"Text: {IMPRINT['license']}. Code: MIT."
    writer.add_metadata({"/Author": CONFIG["author"], "/Subject": licenses})
    writer.page_mode = "/UseOutlines"
    # Each bookmark gets its heading: the browser doubles one that begins a page.
    book = BeautifulSoup(html, "html.parser")
    titles = [" ".join(each.get_text().split()) for each in book.select("h1, h2, h3, h4, h5, h6")]
    for entry, title in zip(bookmarks(writer.root_object["/Outlines"]), titles, strict=True):
        entry[NameObject("/Title")] = TextStringObject(title)
    writer.write(pdf)


def bookmarks(parent):
    """Yield each entry of an outline, in their order."""
    entry = parent.get("/First")
    while entry:
        yield entry.get_object()
        yield from bookmarks(entry.get_object())
        entry = entry.get_object().get("/Next")


def main():
    """Write the book as one page, print it, and print it again with the numbers of its pages."""
    if not (HTML / "intro.html").exists():
        sys.exit(NOT_BUILT)
    day = date.fromisoformat(publish.last_change(ROOT))
    html = whole_book(day)
    if wrong := unresolved(html):
        sys.exit("\n".join(wrong))
    TARGET.mkdir(parents=True, exist_ok=True)
    with browser.opened() as chromium:
        print_book(chromium, html)
        numbers = page_numbers(PDF)
        print_book(chromium, with_numbers(html, numbers))
    if page_numbers(PDF) != numbers:
        sys.exit("the numbers of the pages moved the text: the contents would be wrong")
    describe(PDF, html)
    pages, size = len(PdfReader(PDF).pages), PDF.stat().st_size / 1e6
    print(f"{PDF.relative_to(ROOT)}: {pages} pages, {size:.1f} MB")


if __name__ == "__main__":
    main()
