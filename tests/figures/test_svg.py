"""The drawings of the figures: small, the same on every run, in the page's font and colors."""

import re
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties, findfont

from figures.narrow import on_phone
from figures.style import FONTS, SIGNED, use_book_style
from figures.svg import Renderer, as_svg, overlaps
from publishing.home import ROOT
from tests.book.figures import segments
from tests.book.notebooks import outputs

from .page import COLLISIONS

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
    ax.set(title="a < b & c")  # which XML has to say otherwise
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


def test_what_is_not_drawn_here_is_drawn_by_matplotlib():
    fig, ax = plt.subplots()
    ax.bar([0, 1], [1, 2], hatch="/")
    drawing = as_svg(fig)
    assert 'class="drawn"' not in drawing
    assert "pattern" in drawing
    assert fig.canvas.figure is fig


def test_a_figure_as_narrow_as_a_phone_is_drawn_once_and_a_wish_is_heard():
    fig, ax = plt.subplots(figsize=(3.1, 2))
    assert 'class="phone"' not in as_svg(fig)
    fig, ax = plt.subplots()
    on_phone(fig, lambda copy: copy.axes[0].set_title("here"))
    drawing = as_svg(fig)
    texts = {
        part: {each.text for each in elements(drawing, "text", part)} for part in ("wide", "phone")
    }
    assert texts["phone"] - texts["wide"] == {"here"}
    assert not ax.get_title()


BOOK_CSS = ROOT / "publishing" / "website" / "book.css"


def test_texts_that_are_cut_off_or_lie_on_something_are_found(new_tab):
    fig, ax = plt.subplots(layout="none")
    ax.plot([0, 1], [0.5, 0.5])
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    ax.text(0.2, 0.49, "on a line")
    ax.text(0.2, 0.8, "above")
    ax.text(0.23, 0.82, "turned", rotation=40)
    ax.text(1.1, 0.2, "too far right")
    ax.text(0.8, 0.53, "clear of it")
    page = new_tab()
    page.set_content(f'<figure id="fig">{as_svg(fig)}</figure>')
    assert {(kind, text) for _, kind, text, *_ in page.evaluate(COLLISIONS)} == {
        ("text", "turned"),
        ("cut", "too far right"),
        ("line", "on a line"),
    }


def contrast(color):
    """The contrast of a color on dark ground, as WCAG 2.2 defines it."""
    parts = np.array([to_rgb(color), to_rgb(DARK)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    light, ground = linear @ [0.2126, 0.7152, 0.0722] + 0.05
    return light / ground


def test_every_color_of_a_figure_has_a_counterpart_on_dark_ground():
    drawings = outputs("image/svg+xml", "chapters/*.ipynb", "appendices/*.ipynb")
    filled = re.compile(r'(?:fill|stroke)="(#\w{6})"')
    used = {color for _, data in drawings for color in filled.findall(data["image/svg+xml"])}
    css = BOOK_CSS.read_text(encoding="utf8")
    rules = [line for line in css.splitlines() if ".drawn" in line and '="#' in line]
    shown = [re.search(r": ([^:;]*); }$", rule)[1] for rule in rules]
    pairs = zip(rules, shown, strict=True)
    dark = {color: now for rule, now in pairs for color in re.findall(r'="(#\w{6})"', rule)}
    assert len(used) > 15
    missing = [c for c in used - dark.keys() if contrast(c) < 3 and not is_tint(c)]
    assert missing == []
    grays = {"#c8c8c8", "#d9d9d9", "#d4d4d4", "#e6e6e6"}
    words = {color: now for color, now in dark.items() if now[0] == "#" and color not in grays}
    assert [color for color, now in words.items() if contrast(now) < 4.5] == []


def is_tint(color):
    """Say whether a color is one of a value: on the way from blue over white to red."""
    blue, red = (np.array(plt.colormaps[SIGNED](end)[:3]) for end in (0.0, 1.0))
    return any(np.abs(np.array(to_rgb(color)) - end).max() < 0.02 for end in (blue, red))
