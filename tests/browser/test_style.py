"""What the style does on a phone, on paper, without scripts and with the keyboard."""

import pytest

from ..browser_fixtures import READY, VIEWPORTS, chapters_to_visit, resize

CHAPTER = "chapters/05-translation.html"
SMALLEST = (320, 640)  # a phone of ten years ago
each_chapter = pytest.mark.parametrize("name", chapters_to_visit())
# The boxes of the wide pictures as they are now: their box, their picture, their caption.
BOXES = """() => [...document.querySelectorAll("article .wide-picture")].filter(
  box => box.offsetWidth).map(box => ({
    scrolls: box.scrollWidth > box.clientWidth,
    named: box.tabIndex === 0 && box.role === "group" && box.ariaLabel.includes("scrolls"),
    caption: box.parentElement.querySelector("figcaption").getBoundingClientRect().right,
  }))"""


@each_chapter
def test_a_wide_drawing_scrolls_on_a_phone_and_its_caption_does_not(name, visit):
    page, _ = visit(name, viewport="phone")
    for width in (VIEWPORTS["phone"][0], SMALLEST[0]):
        resize(page, width, SMALLEST[1])
        for box in page.evaluate(BOXES):
            assert (box["scrolls"], box["named"]) == (True, True)
            assert box["caption"] <= width
    page.locator("article figure .wide-picture").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_a_section_far_away_is_laid_out_and_marked_when_it_is_reached(chromium, address):
    width, height = VIEWPORTS["phone"]
    page = chromium.new_page(viewport={"width": width, "height": height})
    page.goto(f"{address}/{CHAPTER}")
    page.wait_for_function(READY)
    box = page.locator("article .wide-picture").last
    laid_out = "box => box.checkVisibility({ contentVisibilityAuto: true })"
    assert not box.evaluate(laid_out)
    box.evaluate("box => box.scrollIntoView()")
    page.wait_for_function("box => box.role === 'group'", arg=box.element_handle())
    assert box.evaluate(laid_out)
    page.close()


@each_chapter
def test_a_chapter_prints_black_on_white(name, visit):
    page, _ = visit(name, scheme="dark")
    page.emulate_media(media="print")
    assert not any(box["scrolls"] for box in page.evaluate(BOXES))
    ground, filters, hidden = page.evaluate(
        """() => [
          getComputedStyle(document.body).backgroundColor,
          [...document.querySelectorAll("article :is(img, .drawn image)")].map(
            i => getComputedStyle(i).filter),
          ["#pst-primary-sidebar", ".bd-header-article"].map(
            s => getComputedStyle(document.querySelector(s)).display),
        ]"""
    )
    assert (ground, hidden) == ("rgb(255, 255, 255)", ["none", "none"])
    assert set(filters) <= {"none"}


def test_without_scripts_a_page_has_colors_fonts_and_legible_stills(chromium, address):
    width, height = VIEWPORTS["phone"]
    size = {"width": width, "height": height}
    with chromium.new_context(viewport=size, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}/{CHAPTER}")
        text = "text => getComputedStyle(text).fontFamily"
        assert page.locator("article > section > p").first.evaluate(text).startswith('"Source Ser')
        fills = page.locator("svg.drawn text").evaluate_all(
            "texts => texts.map(text => getComputedStyle(text).fill)"
        )
        assert len(fills) > 20
        assert "none" not in fills
        stills = page.locator(".figure-host-off img")
        assert stills.count() > 1
        for still in stills.all():
            still.scroll_into_view_if_needed()
            stored = still.evaluate("still => still.decode().then(() => still.naturalWidth)")
            shown = still.bounding_box()["width"]
            # of two dots a pixel: its letters have 13 pixels, here 11
            assert 0.425 * stored < shown < width
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_focus_of_the_keyboard_is_seen(visit):
    page, _ = visit(CHAPTER)
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
