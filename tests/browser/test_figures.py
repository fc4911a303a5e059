"""The moving figures on the pages of the book: as pictures, on paper, with their source."""

import pytest
from PIL import Image

import figures
from publishing import stills
from tests.book.notebooks import WIDGET_VIEW, outputs

from ..browser_fixtures import HTML, ROOT, VIEWPORTS, go, pages_to_visit
from ..figures.page import MOUNTED
from ..figures.states import stored

# Those of the exercises have questions: test_exercises.py
PAGES = [name for name in pages_to_visit() if not name.startswith("exercises/")]
VIEWS = {name: (HTML / name).read_text("utf8").count("widget-view+json") for name in PAGES}
every_page_with_figures = pytest.mark.parametrize("name", [name for name in VIEWS if VIEWS[name]])


@every_page_with_figures
@pytest.mark.parametrize("size", VIEWPORTS.values(), ids=VIEWPORTS)
def test_without_scripts_there_are_fonts_colors_and_described_pictures(
    size, name, new_tab, address
):
    page = new_tab(address + "/", viewport=size, java_script_enabled=False)
    page.goto(f"{address}/{name}")
    stills = page.locator(".figure-host-off img")
    assert stills.count() == VIEWS[name]
    for still in stills.all():
        still.scroll_into_view_if_needed()
        assert len(still.get_attribute("alt")) >= 40
        stored = still.evaluate("still => still.decode().then(() => still.naturalWidth)")
        # of two dots a pixel: its letters have 13 pixels, on a phone 11
        assert 0.425 * stored < still.bounding_box()["width"] < size["width"]
    font = page.locator("article p").first.evaluate("p => getComputedStyle(p).fontFamily")
    fills = page.locator("svg.drawn text").evaluate_all(
        "texts => texts.map(text => getComputedStyle(text).fill)"
    )
    assert font.startswith('"Source Ser')
    assert "none" not in fills
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


STORED = stored()
VIEWED = outputs(WIDGET_VIEW, "chapters/*.ipynb", "appendices/*.ipynb")
SHOWN = {"".join(data["text/plain"]) for _, data in VIEWED}


@pytest.mark.parametrize(("form", "widths"), [("", (1200, 1500)), ("-phone", (640, 720))])
@pytest.mark.parametrize("name", figures.FIGURES)
def test_a_still_picture_is_of_the_start_and_described(name, form, widths):
    figure, start = getattr(figures, name), STORED[name]["start"]
    shown = {text for text in SHOWN if text.startswith(f"{name}(")}
    assert shown <= {repr(figure())}, "the picture shows the state that the class starts with"
    with Image.open(stills.TARGET / f"{name}{form}.png") as still:
        described = still.info["Description"].replace("\xa0", " ")
        assert widths[0] <= still.width <= widths[1]
    other = name in ("Reach", "EncodingTable")  # of another training, in another stage
    words = [figure.alt] if other else [figure.alt, start["said"], start["more"]]
    assert described.startswith(" ".join(filter(None, words))), f"{name}: run `make stills`"


def test_a_still_picture_is_of_the_present_drawing(chromium):
    """The fingerprint is of what is drawn, style included: publishing/stills.py."""
    present = {(name, form): found for name, form, _, found in stills.drawn(chromium)}
    assert {name for name, _ in present} == set(figures.FIGURES)
    assert [key for key, found in present.items() if stills.stored(*key) != found] == []


# The listener is the last, so what an earlier one has drawn is there.
COUNT_ON_PAPER = """() => addEventListener("beforeprint", () => {
  window.onPaper = document.querySelectorAll("[data-mounted] .moving-figure .ex-said").length;
})"""


@every_page_with_figures
def test_a_figure_is_whole_on_paper_and_leads_to_its_source(name, new_tab):
    """The page is a file: the link to the source is relative."""
    late = "window.requestIdleCallback = () => {};"  # what is far away waits
    page = new_tab(before=late, viewport={"width": 1280, "height": 400})
    go(page, (HTML / name).as_uri())
    page.evaluate(COUNT_ON_PAPER)
    page.pdf()  # every figure is drawn before the page is scrolled
    assert page.evaluate("onPaper") == VIEWS[name]
    page.emulate_media(media="print")
    page.wait_for_function(MOUNTED, arg=VIEWS[name])
    boxes = page.locator(".moving-figure").all()
    assert all(box.bounding_box()["height"] > 300 for box in boxes)
    page.emulate_media(media="screen")
    links = page.locator(".figure-host-source")
    assert links.all_text_contents() == ["Source"] * VIEWS[name]
    page.goto(links.last.evaluate("link => link.href"))  # a prediction may cover it
    page.wait_for_load_state()
    listing = page.locator("main").inner_text()
    module = page.url.rpartition("/")[2].removesuffix(".html")
    for path in (ROOT / f"figures/{module}.py", ROOT / f"figures/{module}.js"):
        assert f"figures/{path.name}" in listing
        assert path.read_text("utf8").splitlines()[0] in listing
