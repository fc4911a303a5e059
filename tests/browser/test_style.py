"""What the style does on a phone, on paper and with the keyboard."""

import io
import re

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from ..browser_fixtures import HTML, NOTHING_COVERED, SMALL, VIEWPORTS, chapters_to_visit, pages
from ..figures.page import COLLISIONS

CHAPTER = "chapters/05-translation.html"
# All that a page shows, at once.
OPEN = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  for (const part of document.querySelectorAll("section")) part.style.contentVisibility = "visible";
}"""
# The drawings that reach over an edge of the window.
CROPPED = """() => [...document.querySelectorAll("article svg.drawn")].filter((drawing) => {
  const { left, right } = drawing.getBoundingClientRect();
  return left < 0 || right > innerWidth;
}).map((drawing) => drawing.closest("[id]").id)"""


@pytest.mark.parametrize("size", VIEWPORTS.values(), ids=VIEWPORTS)
def test_no_drawing_of_a_page_is_cropped_illegible_or_written_over(size, new_tab, address):
    names = [name for name in pages() if 'class="drawn"' in (HTML / name).read_text("utf8")]
    assert len(names) > 15
    page = new_tab(viewport=size, java_script_enabled=False)
    for name in names:
        page.goto(f"{address}/{name}")
        page.evaluate(OPEN)
        assert (name, page.evaluate(CROPPED)) == (name, [])
        assert (name, page.evaluate(SMALL, [11.9, "article svg.drawn"])) == (name, [])
        assert (name, page.evaluate(COLLISIONS)) == (name, [])


def test_a_section_far_away_is_laid_out_and_marked_when_it_is_reached(read):
    page = read(CHAPTER, before=NOTHING_COVERED, viewport={"width": 600, "height": 844})
    box = page.locator("article div.cell > .cell_input pre").last
    laid_out = "box => box.checkVisibility({ contentVisibilityAuto: true })"
    assert not box.evaluate(laid_out)
    box.evaluate("box => box.scrollIntoView()")
    page.wait_for_function("box => box.role === 'group'", arg=box.element_handle())
    assert box.evaluate(laid_out)


@pytest.mark.parametrize("name", chapters_to_visit())
def test_a_chapter_prints_black_on_white(name, visit):
    page = visit(name, scheme="dark")
    page.emulate_media(media="print")
    expect(page.locator("body")).to_have_css("background-color", "rgb(255, 255, 255)")
    for place in ("#pst-primary-sidebar", ".bd-header-article"):
        expect(page.locator(place)).to_have_css("display", "none")
    filters = "pictures => pictures.map(each => getComputedStyle(each).filter)"
    assert {*page.locator("article :is(img, .drawn image)").evaluate_all(filters)} <= {"none"}


def test_a_page_printed_alone_has_margins_numbers_and_open_folds(read):
    page = read(CHAPTER)
    page.emulate_media(media="print")
    folds = page.locator("details.show:not(.predict *) > p:first-of-type").all_text_contents()
    sheets = PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
    words = re.sub(r"\W", "", "".join(sheet.extract_text() for sheet in sheets))
    assert [text for text in folds if re.sub(r"\W", "", text)[:40] not in words] == []
    assert "Showthe" not in words
    how = "boxes => boxes.map(box => getComputedStyle(box).breakInside)"
    assert set(page.locator("article .cell_output pre").evaluate_all(how)) == {"avoid"}
    left = []  # of each text: what is turned has no first number, and that of a page no fifth
    for number, sheet in enumerate(sheets, 1):
        text = sheet.extract_text(
            visitor_text=lambda text, at, *_: text.strip() and left.append(at)
        )
        assert text.startswith(f"{number}\n")
    assert min(at[4] for at in left if at[0] and at[4]) > 50  # points


def test_the_cells_of_a_heat_map_stand_in_its_frame_on_paper(read):
    page = read(CHAPTER)
    page.emulate_media(media="print")
    heat_map = page.locator(":has(> canvas)").first
    boxes = heat_map.bounding_box(), heat_map.locator("svg").first.bounding_box()
    wide, frame = (box["width"] for box in boxes)
    assert wide == pytest.approx(frame, abs=1)


def test_what_opens_over_a_page_has_a_button_that_closes_it(read):
    page = read(CHAPTER, viewport=VIEWPORTS["phone"], has_touch=True)
    for opens in (".primary-toggle", ".secondary-toggle", ".search-button:visible"):
        page.locator(opens).first.click()
        close = page.locator("dialog[open]").get_by_role("button", name="Close")
        box = close.bounding_box()
        assert (box["width"], box["height"]) == (44, 44)
        close.click()
        assert page.locator("dialog[open]").count() == 0


def test_the_focus_of_the_keyboard_is_seen(visit):
    page = visit(CHAPTER)
    page.bring_to_front()
    look = """() => { const { outlineStyle, boxShadow } = getComputedStyle(
      document.activeElement.closest("form") ?? document.activeElement);
      return document.activeElement.matches("a, button, input") && outlineStyle + boxShadow; }"""
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(look))
    assert len([each for each in seen if each]) > 20
    assert "nonenone" not in seen
