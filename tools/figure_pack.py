"""Put every figure of the chapters into one archive, for other people's slides: `make figure-pack`.

python -m tools.figure_pack     (after `make book`; needs Chromium, and poppler's pdftocairo)

Writes _build/figures and _build/html/slides/figures.zip: each figure as SVG and PNG, moving ones as
they stand on paper, and `index.csv` with number, caption, description, license, and the page where
it is (where a moving one moves). All of it is in the files, too. The same pages give the same
bytes.
"""

import csv
import io
import shutil
import subprocess
from html import escape

import nbformat
from bs4 import BeautifulSoup
from PIL import Image, PngImagePlugin

from pecode import figures
from tools import browser, slides
from tools.films import CREDIT
from tools.handout import write_archive
from tools.home import HTML, ROOT

TARGET = ROOT / "_build" / "figures"
COLUMNS = ("file", "forms", "number", "caption", "description", "license", "page")
SVG, DENSITY = "image/svg+xml", 2  # pixels of the picture to one of the page
NO_POPPLER = (
    "moving figures as PNG only: no pdftocairo (Debian, Ubuntu: `apt install poppler-utils`)"
)
PAPER = 736  # pixels: the width of a figure in a chapter
# A page of one figure, on paper: the figure, and nothing around it.
ALONE = """
  @page { margin: 0 }
  body, main, main > div { margin: 0 !important; padding: 0 !important }
  main > :not(div) { display: none }
"""
README = """The figures of the chapters. {credit}
You may use and change them if you name the book. index.csv has their numbers, captions and
descriptions (the alternative texts), and the page where each one stands.
"""


def drawn(page):
    """Yield a row of the index and the SVG of each figure of a chapter; page: its path."""
    html = (HTML / page).read_text(encoding="utf8")
    soup = BeautifulSoup(html[html.index("<article") :], "html.parser")
    path = (ROOT / page).with_suffix(".ipynb")
    for cell in nbformat.read(path, as_version=4).cells:
        figure = cell.metadata.get("mystnb", {}).get("figure")
        for output in cell.get("outputs", []) if figure else []:
            if SVG in output.get("data", {}):
                caption = soup.find(id=figure["name"]).figcaption
                number, text = map(caption.select_one, (".caption-number", ".caption-text"))
                yield {
                    "file": f"{path.stem}/{figure['name'].removeprefix('fig-')}",
                    "forms": "svg png", "number": number.get_text(strip=True),
                    "caption": " ".join(text.get_text().split()),
                    "description": cell.metadata["mystnb"]["image"]["alt"],
                    "license": CREDIT, "page": f"{page}#{figure['name']}",
                }, output["data"][SVG]  # fmt: skip


def described(svg, row):
    """Return an SVG that says what it is; its first tag opens it."""
    said = "".join(
        f"<{tag}>{escape(row[name])}</{tag}>"
        for tag, name in (("title", "caption"), ("desc", "description"), ("metadata", "license"))
    )
    head, sign, rest = svg.partition(">")
    return head + sign + said + rest


def pictured(png, row):
    """Return a PNG that says what it is."""
    notes, held = PngImagePlugin.PngInfo(), io.BytesIO()
    for name in ("caption", "description", "license"):
        notes.add_itxt(name.capitalize(), row[name])
    Image.open(io.BytesIO(png)).convert("RGB").save(held, "PNG", pnginfo=notes, optimize=True)
    return held.getvalue()


def moving():
    """Yield a row of the index and the picture of each moving figure."""
    for name, module in figures.FIGURES.items():
        png = (ROOT / "site" / "stills" / f"{name}.png").read_bytes()
        figure = getattr(figures, name)
        yield {
            "file": f"moving/{module}", "number": "",
            "caption": figure.__doc__.splitlines()[0],
            "description": Image.open(io.BytesIO(png)).info["Description"],
            "license": CREDIT, "page": f"figures/{module}.html",
        }, png  # fmt: skip


def outlined(page, path):
    """Return the SVG of the moving figure on a page of its own, its letters as outlines.

    Such a figure is HTML, several drawings and canvases. Chromium makes one PDF of them, and
    poppler an SVG of that; what a canvas holds is a picture in it.
    """
    page.emulate_media(media="print")
    page.goto(path.as_uri())
    page.wait_for_function(browser.MOUNTED)
    page.add_style_tag(content=ALONE)
    box = page.locator(".moving-figure").bounding_box()
    width, height = 2 * box["x"] + box["width"], 2 * box["y"] + box["height"]
    pdf = page.pdf(width=f"{width}px", height=f"{height}px", print_background=True)
    command = ["pdftocairo", "-svg", "-", "-"]
    svg = subprocess.run(command, input=pdf, stdout=subprocess.PIPE, check=True).stdout.decode()
    return svg[svg.index("<svg") :]


def taken(chromium, drawings, folder):
    """Return the picture of each drawing, in the fonts of the book, as the browser shows it."""
    path = folder / "all.html"
    sheet = f'<link rel="stylesheet" href="{(HTML / "_static" / "style.css").as_uri()}">'
    look = "<style>svg { display: block } body { margin: 0; background: #fff }</style>"
    path.write_text(f'<html data-theme="light">{sheet}{look}<body>{"".join(drawings)}', "utf8")
    page = chromium.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=DENSITY)
    page.goto(path.as_uri())
    page.evaluate("document.fonts.ready")
    return [svg.screenshot() for svg in page.locator("body > svg").all()]


def collected(chromium):
    """Return a row of the index, the SVG if there is one, and the PNG of every figure."""
    pages = sorted(path.relative_to(HTML).as_posix() for path in HTML.glob("chapters/*.html"))
    rows, drawings = zip(*(each for page in pages for each in drawn(page)), strict=True)
    found = list(zip(rows, drawings, taken(chromium, drawings, TARGET), strict=True))
    page = chromium.new_page(viewport={"width": PAPER, "height": 900})
    vectors = shutil.which("pdftocairo")
    if not vectors:
        print(NO_POPPLER)
    for row, png in moving():
        svg = outlined(page, HTML / row["page"]) if vectors else None
        found.append((row | {"forms": "svg png" if vectors else "png"}, svg, png))
    return found


def main():
    """Write the folder and the archive, and list it."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with browser.opened() as chromium:
        rows = collected(chromium)
    index, found = io.StringIO(), {"README.txt": README.format(credit=CREDIT)}
    table = csv.DictWriter(index, COLUMNS, lineterminator="\n")
    table.writeheader()
    for row, svg, png in rows:
        if svg:
            found[f"{row['file']}.svg"] = described(svg, row)
        found[f"{row['file']}.png"] = pictured(png, row)
        table.writerow(row)
    found["index.csv"] = index.getvalue()
    archive = write_archive(found, TARGET).replace(slides.FOLDER / "figures.zip")
    size = archive.stat().st_size / 1e6
    slides.list_file(archive.name, f"All figures in one archive, {size:.1f} MB")
    print(f"{archive.relative_to(ROOT)}: {len(rows)} figures, {len(figures.FIGURES)} of them move")


if __name__ == "__main__":
    main()
