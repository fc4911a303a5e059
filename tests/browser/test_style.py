"""What the style does on a phone, on paper, without scripts and with the keyboard."""

import pytest

from ..browser_fixtures import VIEWPORTS, chapters_to_visit, resize

CHAPTER = "chapters/05-translation.html"
SMALLEST = (320, 640)  # a phone of ten years ago
each_chapter = pytest.mark.parametrize("name", chapters_to_visit())
# The boxes of the wide pictures as they are now: their box, their picture and the size of its
# smallest letters, their caption.
BOXES = """() => {
  const letters = (drawing) => Math.min(...[...drawing.querySelectorAll("text")].map(
    text => parseFloat(getComputedStyle(text).fontSize)
  )) * drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  return [...document.querySelectorAll("article .wide-picture")].filter(
    box => box.offsetWidth).map(box => ({
      scrolls: box.scrollWidth > box.clientWidth,
      named: box.tabIndex === 0 && box.role === "group" && box.ariaLabel.includes("scrolls"),
      shown: box.querySelector("svg").getBoundingClientRect().width,
      letters: letters(box.querySelector("svg.drawn")),
      caption: box.parentElement.querySelector("figcaption").getBoundingClientRect().right,
    }));
}"""


@each_chapter
def test_a_drawing_fits_a_phone_and_scrolls_on_the_smallest_only(name, visit):
    page, _ = visit(name, viewport="phone")
    width = VIEWPORTS["phone"][0]
    boxes = page.evaluate(BOXES)
    for box in boxes:
        assert not box["scrolls"], box
        assert 0.94 * width < box["shown"] < width
        assert box["letters"] > 8.5
        assert box["caption"] <= width
    resize(page, *SMALLEST)
    small = page.evaluate(BOXES)
    assert len(small) == len(boxes)
    for box in small:
        assert (box["scrolls"], box["named"]) == (True, True)
        assert box["letters"] > 7.9
        assert box["caption"] <= SMALLEST[0]
    page.locator("article figure .wide-picture").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


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


def test_without_scripts_a_page_has_colors_fonts_and_stills_that_can_be_read(chromium, address):
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
        assert len(fills) > 50
        assert "none" not in fills
        stills = page.locator(".anyhost-off img")
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
