"""The drawings of the figures: small, the same on every run, in the page's font and colors."""

import re
from pathlib import Path
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties, findfont

from figures.draw import label_ends, table
from figures.narrow import on_phone
from figures.style import FONTS, SIGNED, use_book_style
from figures.svg import Renderer, as_svg, overlaps
from publishing.home import ROOT
from tests.book.figures import differences, marks, pixels, segments
from tests.book.notebooks import outputs

DARK = "#14171c"  # the ground of the page: publishing/website/book.css


@pytest.fixture(autouse=True)
def look():
    with plt.style.context("default"):
        use_book_style()
        yield
        plt.close("all")


def elements(drawing, kind, part="wide"):
    """The elements of one kind: those of the drawing for a desktop, or of "phone"."""
    root = ElementTree.fromstring(drawing)
    root = next((each for each in root if each.get("class") == part), root)
    return [each for each in root.iter() if each.tag.endswith("}" + kind)]


def test_a_drawing_says_its_size_and_holds_no_id_no_style_and_no_date():
    fig, ax = plt.subplots()
    ax.plot([1, 2, 4], "o-")
    drawing = as_svg(fig)
    assert 'width="736" height="414" style="--phone: 358 / 351.9; font' in drawing
    boxes = [elements(drawing, "svg", part)[0].get("viewBox") for part in ("wide", "phone")]
    assert boxes == ["0 0 736 414", "0 0 358 351.9"]
    assert not re.search(r"\bid=|<metadata|\d{4}-\d\d-\d\d", drawing)


def test_matplotlib_measures_with_the_font_of_the_pages():
    for font, file in {"Source Sans 3": "", "Source Sans 3:bold": "-bold"}.items():
        assert findfont(font, fallback_to_default=False) == str(FONTS / f"source-sans-3{file}.ttf")
    renderer = Renderer(736, 414, 115)
    width, *_ = renderer.get_text_width_height_descent("position", FontProperties(size=10), False)
    assert width == pytest.approx(54.8, abs=0.2)  # as Chromium sets it


def test_text_stays_text_and_is_held_where_it_is_aligned():
    fig, ax = plt.subplots()
    ax.set(title="a < b & ω", xlabel="below", ylabel="beside", xticks=[], yticks=[])
    found = {text: look for kind, look, text in marks(as_svg(fig)) if kind == "text"}
    assert list(found) == ["below", "beside", "a < b & ω"]
    anchors = [look.get("text-anchor") for look in found.values()]
    assert anchors == ["middle", "middle", None]
    assert found["beside"]["transform"].startswith("rotate(-90 ")


def test_powers_are_raised():
    fig, ax = plt.subplots()
    ax.plot([1, 1e4])
    ax.set(yscale="log", xticks=[])
    for text in elements(as_svg(fig), "text"):
        base, power = text
        assert base.text == "10"
        assert float(power.get("dy")) < -3
        assert float(power.get("font-size")) < float(text.get("font-size"))


def test_what_lies_outside_of_the_axes_is_not_drawn():
    fig, ax = plt.subplots()
    ax.plot(np.arange(10), np.arange(10), "o", color="#b3262e")
    ax.set(xlim=(0, 3), ylim=(0, 3))
    assert len(elements(as_svg(fig), "circle")) == 4  # those on the edge are seen whole


def test_only_what_lies_inside_of_all_four_edges_is_whole():
    box = (0, 0, 10, 10)
    assert overlaps(box, 0, 0, 10, 10) == overlaps(box, 4, 4, 5, 5) == "whole"
    assert overlaps(None, -99, 0, 99, 1) == "whole"
    for x0, y0, x1, y1 in [(-1, 4, 5, 5), (4, -1, 5, 5), (4, 4, 11, 5), (4, 4, 5, 11)]:
        assert overlaps(box, x0, y0, x1, y1) == "partly"
    for x, y in [(-2, 4), (12, 4), (4, -2), (4, 12)]:
        assert overlaps(box, x, y, x + 1, y + 1) == ""


def test_a_line_ends_and_an_area_is_cut_where_the_axes_end():
    fig, ax = plt.subplots(layout=None)
    ax.plot([0, 10], [0, 10], color="#b3262e")
    ax.fill_between([0, 10], [5, 5], color="#0068a8", alpha=0.3, linewidth=0)
    ax.set(xlim=(0, 5), ylim=(0, 4))
    drawing = as_svg(fig)
    line = segments(re.search(r'd="([^"]*)" stroke="#b3262e"', drawing)[1])
    box = ax.get_window_extent()
    assert line[:, :, 0].max() <= box.x1 + 1.1  # matplotlib leaves a pixel
    assert line[:, :, 1].min() >= fig.bbox.height - box.y1 - 1.1
    (frame,) = elements(drawing, "svg")[1:]
    assert float(frame.get("width")) == pytest.approx(box.width, abs=0.1)
    (area,) = elements(ElementTree.tostring(frame, encoding="unicode"), "path")
    assert (area.get("fill"), area.get("fill-opacity")) == ("#0068a8", ".3")


def test_a_heat_map_has_a_pixel_for_each_value_and_zero_is_the_paper():
    fig, ax = plt.subplots()
    table(ax, [[1, 0, -1], [0.5, 0, 0]])
    image, _colorbar = elements(as_svg(fig), "image")
    found = pixels(image.get("href"))
    assert found.shape == (2, 3, 3)
    assert found[:, 1].tolist() == [[255] * 3] * 2
    red, blue = found[0, 0], found[0, 2]  # the first row is the upper one
    assert red[0] > 150 > red[2]
    assert blue[2] > 150 > blue[0]
    assert image.get("image-rendering") == "pixelated"


def test_what_is_not_drawn_here_is_drawn_by_matplotlib():
    fig, ax = plt.subplots()
    ax.bar([0, 1], [1, 2], hatch="/")
    drawing = as_svg(fig)
    assert 'class="drawn"' not in drawing
    assert "pattern" in drawing
    assert fig.canvas.figure is fig


def places(drawing, which):
    """The texts of the wide drawing or of the one for phones: {text: (x, y)}."""
    texts = elements(drawing, "text", which)
    return {each.text: (float(each.get("x")), float(each.get("y"))) for each in texts}


def test_on_a_phone_panels_stand_below_each_other_and_say_their_axes_once():
    fig, axes = plt.subplots(1, 3, figsize=(6.4, 2.4), sharey=True)
    for ax, name in zip(axes, "abc", strict=True):
        ax.plot([1, 2, 4])
        ax.set(title=name, xlabel="across")
    axes[0].set_ylabel("up")
    drawing = as_svg(fig)
    wide, phone = places(drawing, "wide"), places(drawing, "phone")
    assert wide["a"][1] == wide["b"][1] == wide["c"][1]
    assert phone["a"][0] == phone["b"][0] == phone["c"][0]
    assert phone["a"][1] + 100 < phone["b"][1] < phone["c"][1] - 100
    assert (drawing.count(">across<"), drawing.count(">up<")) == (3 + 1, 1 + 3)
    assert differences(drawing, as_svg(fig)) == []  # the figure itself is not changed


def test_a_figure_as_narrow_as_a_phone_is_drawn_once_and_a_wish_is_heard():
    fig, ax = plt.subplots(figsize=(3.1, 2))
    assert 'class="phone"' not in as_svg(fig)
    fig, ax = plt.subplots()
    on_phone(fig, lambda copy: copy.axes[0].set_title("here"))
    drawing = as_svg(fig)
    assert "here" in places(drawing, "phone")
    assert "here" not in places(drawing, "wide")
    assert not ax.get_title()


def test_names_at_the_ends_of_lines_are_in_their_order_and_apart():
    fig, ax = plt.subplots()
    for name, end in {"low": 0.5, "same": 0.5, "high": 1}.items():
        ax.plot([0, end], label=name)
    label_ends(ax)
    for drawn in ("wide", "phone"):
        found = places(as_svg(fig), drawn)
        assert found["high"][1] + 14 < found["same"][1] < found["low"][1] - 14


def stored():
    """Yield the names and the drawings of the book's figures."""
    svg = "image/svg+xml"
    for cell, data in outputs(svg, "chapters/*.ipynb", "appendices/*.ipynb"):
        yield cell.metadata.mystnb.figure.name, data[svg]


BOOK_CSS = ROOT / "publishing" / "website" / "book.css"
COLLISIONS = (Path(__file__).parent / "collisions.js").read_text(encoding="utf8")


def collisions(chromium, folder, drawings, width=1280):
    """Return what is cut off or lies on something, as lists: figure, kind, text, what it meets.

    drawings: pairs of a name and a drawing; width: that of the screen, on which book.css lays
    out the drawings as on a page.
    """
    look = f'<link rel="stylesheet" href="{BOOK_CSS.as_uri()}"><style>'
    for file, weight in {"source-sans-3.ttf": 400, "source-sans-3-bold.ttf": 600}.items():
        source = f"src: url('{(FONTS / file).as_uri()}'); font-weight: {weight}"
        look += f"@font-face {{ font-family: 'Source Sans 3'; {source} }}"
    look += "body { margin: 0 1rem } .drawn.drawn.drawn { font-family: 'Source Sans 3' }</style>"
    parts = "".join(f'<figure id="{name}">{drawing}</figure>' for name, drawing in drawings)
    html = f'<!doctype html><html data-theme="light"><meta charset=utf8>{look}'
    html += f'<article class="bd-article">{parts}</article>'
    path = folder / "drawings.html"
    path.write_text(html, encoding="utf8")
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto(path.as_uri())
    found = page.evaluate(COLLISIONS)
    page.close()
    return found


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_of_a_figure_is_cut_off_or_lies_on_something(width, chromium, tmp_path):
    drawings = list(stored())
    assert drawings
    assert collisions(chromium, tmp_path, drawings, width) == []


def test_texts_that_are_cut_off_or_lie_on_something_are_found(chromium, tmp_path):
    fig, ax = plt.subplots(layout="none")
    ax.plot([0, 1], [0.5, 0.5])
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    ax.text(0.2, 0.49, "on a line")
    ax.text(0.2, 0.8, "above")
    ax.text(0.23, 0.82, "turned", rotation=40)
    ax.text(1.1, 0.2, "too far right")
    ax.text(0.8, 0.53, "clear of it")
    for width in (1280, 390):
        found = collisions(chromium, tmp_path, [("fig", as_svg(fig))], width)
        assert {(kind, text) for _, kind, text, *_ in found} == {
            ("text", "turned"),
            ("cut", "too far right"),
            ("line", "on a line"),
        }


def contrast(one, other):
    """The contrast of two colors, as WCAG 2.2 defines it."""

    def light(color):
        parts = np.array(to_rgb(color))
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    first, second = light(one), light(other)
    return max(first, second) / min(first, second)


def test_every_color_of_a_figure_has_a_counterpart_on_dark_ground():
    used = {}
    for name, drawing in stored():
        for color in re.findall(r'(?:fill|stroke)="(#\w{6})"', drawing):
            used.setdefault(color, set()).add(name)
    css = BOOK_CSS.read_text(encoding="utf8")
    rules = [line for line in css.splitlines() if ".drawn" in line and '="#' in line]
    shown = [re.search(r": ([^:;]*); }$", rule)[1] for rule in rules]
    pairs = zip(rules, shown, strict=True)
    dark = {color: now for rule, now in pairs for color in re.findall(r'="(#\w{6})"', rule)}
    assert len(used) > 15
    missing = [c for c in used if c not in dark and contrast(c, DARK) < 3 and not is_tint(c)]
    assert {color: sorted(used[color])[:3] for color in missing} == {}
    pale = {color: shown for color, shown in dark.items()
            if shown.startswith("#") and color not in ("#c8c8c8", "#d9d9d9", "#d4d4d4", "#e6e6e6")
            and contrast(shown, DARK) < 4.5}  # fmt: skip
    assert pale == {}


def is_tint(color):
    """Say whether a color is one of a value: on the way from blue over white to red."""
    blue, red = (np.array(plt.colormaps[SIGNED](end)[:3]) for end in (0.0, 1.0))
    return any(np.abs(np.array(to_rgb(color)) - end).max() < 0.02 for end in (blue, red))
