"""Print the built book as one PDF: _build/pdf/positional-encoding.pdf.

python tools/pdf.py            (after `make book`; needs a Chromium, as the checks do)

The pages of _build/html are put behind one another in the order of _toc.yml, so the numbers of
chapters, figures and formulas are those of the site. What a page does when it is clicked is written
out: figures that move stand still, tabs stand below one another, and what is folded is open. Hints
stay with their exercise; answers and solutions follow behind the last exercise of the chapter.

The browser prints twice. The first print tells on which page each heading stands; these numbers
are then written into the contents, and into the references to solutions.
"""

import io
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from datetime import date, datetime, time
from html import escape
from pathlib import Path
from posixpath import dirname, join, normpath

import yaml
from bs4 import BeautifulSoup
from jinja2 import Template
from pypdf import PdfReader, PdfWriter
from pypdf.generic import BooleanObject, DictionaryObject, NameObject, TextStringObject

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from tools import browser  # noqa: E402

HTML = ROOT / "_build" / "html"
TARGET = ROOT / "_build" / "pdf"
SOURCE = TARGET / "book.html"  # what the browser prints
PDF = TARGET / "positional-encoding.pdf"
TITLE = "Positional Encoding, from Counting to Rotation"
INTRODUCTION = "Introduction"  # the first page of the site bears the title of the book
UNKNOWN = "000"  # stands for the number of a page in the first print
SCALE = 0.78  # of pictures: what is 18 pixels high on a page, the letters of its text, is 14 here
ADDRESS = re.compile(r"[a-z]+:")  # what starts so leads out of the book
# Of no use on paper. The anchors of headings, the links to listings that are not in the book.
SCREEN_ONLY = ".headerlink, .viewcode-link, .toctree-wrapper, script, .sd-tab-set > input"
STILL = (
    "<figcaption><p>A figure that moves, as it starts. To move it, open {where} on the website "
    "or in JupyterLab.</p></figcaption>"
)
# Everything is there: the fonts, the pictures.
SET = """async () => {
  await document.fonts.ready;
  await Promise.all([...document.images].map(image => image.decode()));
}"""


@dataclass
class Part:
    """A part of the book: its heading and its pages, by their names."""

    title: str
    pages: list = field(default_factory=list)


# What is printed


def read_parts(toc):
    """Return the parts of the book in their order; what lies below a page follows it."""
    parts = [Part("", [toc["root"]])]
    for part in toc["parts"]:
        pages = []
        for chapter in part["chapters"]:
            pages += [chapter["file"], *(each["file"] for each in chapter.get("sections", ()))]
        parts.append(Part(part["caption"], pages))
    return parts


def name_of(page, anchor=""):
    """Return the id in the whole book of a page, or of an id of it: no two pages share one."""
    return ".".join(filter(None, [*page.split("/"), anchor]))


def article(page, known):
    """Return the text of a page as one element, ready to stand behind that of another page."""
    html = (HTML / f"{page}.html").read_text(encoding="utf8")
    own = html[html.index("<article") : html.index("</article>")]  # most of the rest is scripts
    text = fragment(plain_code(f"{own}</article>"))
    for node in text.select(SCREEN_ONLY):
        node.decompose()
    text.attrs = {"class": ["bd-article"], "id": name_of(page)}
    text["style"] = f"page: {page_name(page)}"
    open_folded(text, page)
    print_tabs(text)
    move_answers(text, page)
    name_ids(text, page)
    lead_links(text, page, known)
    lead_pictures(text, page)
    lower_headings(text)
    return text


def name_ids(text, page):
    """Name each id, and whatever refers to it, by its page."""
    for node in text.find_all(True):
        for attribute in ("id", "for", "aria-controls", "aria-labelledby", "aria-describedby"):
            if attribute in node.attrs and node is not text:
                names = node[attribute].split()
                node[attribute] = " ".join(name_of(page, name) for name in names)


def lead_links(text, page, known):
    """Lead each link to its place in the book; files that are not part of it are not linked."""
    for link in text.find_all("a", href=True):
        address = link["href"]
        if ADDRESS.match(address):
            continue
        path, _, anchor = address.partition("#")
        target = normpath(join(dirname(page), path.removesuffix(".html"))) if path else page
        if target in known:
            link["href"] = "#" + name_of(target, anchor)
            link.attrs.pop("title", None)  # the same in other words
        else:
            link.name, link.attrs = "span", {}


def lead_pictures(text, page):
    """Find each picture from where the whole book lies, load it at once, and give it its size."""
    for image in text.find_all("img"):
        image["src"] = f"../html/{normpath(join(dirname(page), image['src']))}"
        image.attrs.pop("loading", None)
        for side in ("width", "height"):
            image[side] = round(int(image[side]) * SCALE)


def plain_code(html):
    """Drop the marks of words in code, which is black on paper: most of the size of the file."""
    return re.sub(
        r"(?s)<(pre|code)\b.*?</\1>", lambda code: re.sub(r"</?span[^>]*>", "", code[0]), html
    )


def lower_headings(text):
    """Make room for the parts: the title of a chapter becomes a heading of the second level.

    A further name of a section goes into its heading: before it, it could stand on another page.
    """
    for name in text.select("section > span[id]:has(+ :is(h1, h2, h3))"):
        name.find_next_sibling().insert(0, name)
    for level in (3, 2, 1):
        for heading in text.find_all(f"h{level}"):
            heading.name = f"h{level + 1}"


def open_folded(text, page):
    """Show the stills of figures and what can be unfolded; hidden code stays hidden."""
    for node in text.find_all("noscript"):
        node.unwrap()
    for box in text.select(".anyhost-off"):
        box.name, box["class"] = "figure", ["still"]
        box.p.replace_with(fragment(STILL.format(where=place(page))))
    for folded in text.select("details.above-input"):
        folded.decompose()
    for open_at_once in text.select("details:is(.hint, .predict, .answer)"):
        open_at_once.name, open_at_once.summary.name = "div", "p"
        open_at_once.p["class"] = ["hint-name"]
    for folded in text.select("details:not([class])"):
        if not folded.find_parent(class_="ask-off"):
            folded.summary.decompose()
            folded.name, folded["class"] = "div", ["listing"]


def place(page):
    """Return a page's name in words."""
    number = page.split("/")[-1].split("-")[0].lstrip("0")
    return f"chapter {number}" if number.isdigit() else "its page"


def print_tabs(text):
    """Put the contents of tabs below one another, each below its name."""
    for label in text.select(".sd-tab-label"):
        label.name, label.attrs = "p", {"class": ["tab-name"]}
    for box in text.select(".sd-tab-set, .sd-tab-content"):
        box.attrs = {"class": ["tab"]} if "sd-tab-content" in box["class"] else {}


def move_answers(text, page):
    """Move answers, outputs and solutions behind the last exercise, and refer to them."""
    answers = []
    for exercise in text.select("section > section"):
        found = [part for each in exercise.select(FOLDED) for part in answer(each)]
        if found:
            number = f"{exercise['id']}-answer"
            title = exercise.h2.get_text()
            exercise.append(fragment(f'<p class="see">Answer: {page_link(number, page)}</p>'))
            body = "".join(map(str, found))
            answers.append(f'<section id="{number}"><h3>{escape(title)}</h3>{body}</section>')
    if answers:
        head = f'<section id="{ANSWERS_ID}" class="answers"><h2>Answers and solutions</h2>'
        text.section.append(fragment(f"{head}{''.join(answers)}</section>"))


ANSWERS_ID = "answers-and-solutions"
# What a reader opens after an attempt. The list of all exercises looks alike, and is not folded.
FOLDED = "ol.ask-off, details.ask-off, details.below-input, details.solution"


def answer(folded):
    """Take an answer out of its exercise; return what is printed at the end of the chapter."""
    if "ask-off" in folded["class"] and folded.name == "ol":
        reasons = "".join(f"<li>{item.details.p.extract()}</li>" for item in folded.find_all("li"))
        for item in folded.find_all("details"):
            item.summary.unwrap()
            item.unwrap()
        folded["class"] = ["options"]
        return [fragment(f'<ol class="options reasons" type="a">{reasons}</ol>')]
    names = {"ask-off": "Answer", "below-input": "What the cell prints"}
    name = next((names[each] for each in folded["class"] if each in names), None)
    title = escape(name or folded.summary.get_text(" ", strip=True))
    folded.summary.decompose()
    folded.extract()
    folded.name, folded.attrs = "div", {"class": ["answer"]}
    folded.insert(0, fragment(f'<p class="answer-name">{title}</p>'))
    return [folded]


def fragment(html):
    """Return the one element that the text describes."""
    return BeautifulSoup(html, "html.parser").find()


def page_link(anchor, page=None):
    """Return a link that says on which page it ends; `page` when ids are still to be named."""
    whole = name_of(page, anchor) if page else anchor
    return f'<a href="#{anchor}">page <span data-page="{escape(whole)}">{UNKNOWN}</span></a>'


# The book around the pages


def page_name(page):
    """Return the name by which the style knows the sheets of a page."""
    return "sheet-" + re.sub(r"\W", "-", page)


def words(heading):
    """Return what a heading says, without the further names that stand in it."""
    parts = [part for part in heading.contents if isinstance(part, str) or "id" not in part.attrs]
    return "".join(map(str, parts))


def licenses():
    """Return the licenses as the foot of every page of the site names them."""
    footer = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))["html"]
    words = BeautifulSoup(footer["extra_footer"], "html.parser").get_text()
    return [f"{sentence}." for sentence in re.split(r"\.\s+|\.$", words.strip()) if sentence]


def head(page):
    """Return the style sheets of a page of the site."""
    html = (HTML / page).read_text(encoding="utf8")
    sheets = re.findall(r'<link [^>]*rel="?stylesheet[^>]*>|<link [^>]*\.css[^>]*>', html)
    return "\n".join(sheets).replace('="_static/', '="../html/_static/')


def whole_book(parts, version, day):
    """Return the book as one page of HTML."""
    known = [page for part in parts for page in part.pages]
    articles = {page: article(page, known) for page in known}
    articles[known[0]].h2.string = INTRODUCTION
    return Template(Path(__file__).with_suffix(".html").read_text(encoding="utf8")).render(
        title=TITLE, version=version, day=day, licenses=licenses(), unknown=UNKNOWN,
        sheets=head("intro.html"), parts=parts, articles=articles, words=words, page_name=page_name,
    )  # fmt: skip


def unresolved(html):
    """Return what is wrong with the links and ids of the book: an id that two have, no end."""
    ids = re.findall(r'\bid="([^"]*)"', html)
    twice = sorted({name for name in ids if ids.count(name) > 1})
    ends = set(re.findall(r'\bhref="#([^"]*)"', html))
    return [f"two have the id {name}" for name in twice] + [
        f"a link leads to nothing: {end}" for end in sorted(ends - set(ids))
    ]


# How it is printed


def page_numbers(pdf):
    """Return the number of the page of each place in the book that a link leads to."""
    reader = PdfReader(pdf)
    number_of = {page.indirect_reference.idnum: k for k, page in enumerate(reader.pages, 1)}
    ends = reader.named_destinations
    return {name.removeprefix("/"): number_of[end.page.idnum] for name, end in ends.items()}


def with_numbers(html, numbers):
    """Write the numbers of pages into the book."""

    def numbered(match):
        return f"{match[1]}{numbers[match[2]]}<"

    return re.sub(rf'(data-page="([^"]*)">){UNKNOWN}<', numbered, html)


def print_book(chromium, html):
    """Lay out the book and print it."""
    SOURCE.write_text(html, encoding="utf8")
    page = chromium.new_page()
    page.emulate_media(media="print", color_scheme="light")
    page.goto(SOURCE.as_uri(), timeout=300_000)
    page.evaluate(SET)
    page.pdf(path=PDF, prefer_css_page_size=True, print_background=True, tagged=True, outline=True)
    page.close()


def describe(pdf, html, day):
    """Write into the file what it is; the browser knows the title and the language only."""
    writer = PdfWriter(io.BytesIO(pdf.read_bytes()), incremental=True)
    name_bookmarks(writer, headings(html))
    stamp = datetime.combine(day, time(12)).strftime("D:%Y%m%d%H%M%S+00'00'")
    writer.add_metadata(
        {
            "/Title": TITLE,
            "/Subject": " ".join(licenses()),
            "/Keywords": "positional encoding, Transformer, attention",
            "/CreationDate": stamp,
            "/ModDate": stamp,
        }
    )
    root = writer.root_object
    root[NameObject("/PageMode")] = NameObject("/UseOutlines")
    shown = DictionaryObject({NameObject("/DisplayDocTitle"): BooleanObject(True)})
    root[NameObject("/ViewerPreferences")] = shown
    writer.write(pdf)


def headings(html):
    """Return the text of each heading of the book."""
    book = BeautifulSoup(html, "html.parser")
    for line in book.select(":is(h1, h2, h3, h4, h5, h6) br"):
        line.replace_with(" ")
    found = book.select("h1, h2, h3, h4, h5, h6")
    return [" ".join(heading.get_text().split()) for heading in found]


def name_bookmarks(writer, titles):
    """Give each bookmark its heading: the browser doubles one that begins a page."""

    def entries(parent):
        entry = parent.get("/First")
        while entry:
            yield entry.get_object()
            yield from entries(entry.get_object())
            entry = entry.get_object().get("/Next")

    found = list(entries(writer.root_object["/Outlines"].get_object()))
    for entry, title in zip(found, titles, strict=True):
        entry[NameObject("/Title")] = TextStringObject(title)


def last_change():
    """Return the day of the last commit; outside of a repository, today."""
    command = ["git", "log", "-1", "--format=%cs"]
    try:
        said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return date.fromisoformat(said.stdout.strip())
    except (OSError, subprocess.CalledProcessError, ValueError):
        return date.today()


def main():
    """Write the book as one page, print it, and print it again with the numbers of its pages."""
    if not (HTML / "intro.html").exists():
        sys.exit("the book is not built: run `make book` first")
    parts = read_parts(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8")))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    day = last_change()
    html = whole_book(parts, project["version"], day)
    if wrong := unresolved(html):
        sys.exit("\n".join(wrong))
    TARGET.mkdir(parents=True, exist_ok=True)
    with browser.opened() as chromium:
        print_book(chromium, html)
        numbers = page_numbers(PDF)
        print_book(chromium, with_numbers(html, numbers))
    if page_numbers(PDF) != numbers:
        sys.exit("the numbers of the pages moved the text: the contents would be wrong")
    describe(PDF, html, day)
    print(
        f"{PDF.relative_to(ROOT)}: {len(PdfReader(PDF).pages)} pages, "
        f"{PDF.stat().st_size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
