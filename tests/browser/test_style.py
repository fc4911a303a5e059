"""What the style does on a phone and on paper."""

import pytest

from ..browser_fixtures import READY, VIEWPORTS, resize
from .test_site import CHAPTERS

SMALLEST = (320, 640)  # a phone of ten years ago
# The boxes of the wide pictures as they are now: their box, their picture and the size of its
# smallest letters, their caption.
BOXES = """() => {
  const letters = (drawing) => Math.min(...[...drawing.querySelectorAll("text")].map(
    text => parseFloat(getComputedStyle(text).fontSize)
  )) * drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  return [...document.querySelectorAll("article .wide-picture")].filter(
    box => box.offsetWidth).map(box => ({
      scrolls: box.scrollWidth > box.clientWidth,
      shown: box.querySelector("svg").getBoundingClientRect().width,
      letters: letters(box.querySelector("svg.drawn")),
      tabIndex: box.tabIndex, role: box.getAttribute("role"), name: box.getAttribute("aria-label"),
      caption: box.parentElement.querySelector("figcaption").getBoundingClientRect().right,
    }));
}"""


def test_a_drawing_fits_a_phone_with_letters_of_eight_pixels_and_more(chapter_name, visit):
    page, _ = visit(chapter_name, viewport="phone")
    width = VIEWPORTS["phone"][0]
    for box in page.evaluate(BOXES):
        assert not box["scrolls"], box
        assert 0.94 * width < box["shown"] < width
        assert box["letters"] > 8.5
        assert box["caption"] <= width


def test_a_wide_picture_scrolls_in_a_named_box_on_the_smallest_screens_only(chapter_name, visit):
    page, _ = visit(chapter_name, viewport="phone")
    wide = page.locator("article figure :is(img, svg.drawn)").evaluate_all(
        "images => images.filter(image => image.getAttribute('width') > 560).length"
    )
    resize(page, *SMALLEST)
    boxes = page.evaluate(BOXES)
    assert len(boxes) == wide
    for box in boxes:
        assert (box["scrolls"], box["tabIndex"]) == (True, 0)
        assert (box["role"], box["name"]) == ("group", "Picture, scrolls sideways")
        assert box["caption"] <= SMALLEST[0]
        assert box["letters"] > 7.9
    resize(page, *VIEWPORTS["desktop"])
    boxes = page.evaluate(BOXES)
    assert not any(box["scrolls"] or box["role"] or box["tabIndex"] == 0 for box in boxes)
    resize(page, *SMALLEST)
    page.emulate_media(media="print")
    assert not any(box["scrolls"] for box in page.evaluate(BOXES))
    page.emulate_media(media="null")


def test_a_wide_picture_is_scrolled_with_the_keyboard(visit):
    page, _ = visit(CHAPTERS[4], viewport="phone")
    resize(page, *SMALLEST)
    box = page.locator("article figure .wide-picture").first
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())


def test_a_still_fits_a_phone_without_scripts_and_can_be_read(chromium, address):
    width, height = VIEWPORTS["phone"]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(f"{address}/{CHAPTERS[4]}")
    stills = page.locator(".anyhost-off img")
    assert stills.count() > 1
    for still in stills.all():
        still.scroll_into_view_if_needed()
        stored = still.evaluate("still => still.decode().then(() => still.naturalWidth)")
        shown = still.bounding_box()["width"]
        assert shown < width
        assert 2 * shown / stored > 0.85  # of two dots a pixel: its letters have 13 pixels, here 11
    assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_without_scripts_a_page_has_its_colors(chromium, address):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{CHAPTERS[4]}")
    fills = page.locator("svg.drawn text").evaluate_all(
        "texts => texts.map(text => getComputedStyle(text).fill)"
    )
    assert len(fills) > 50
    assert "none" not in fills
    box = page.locator(".anyhost-off").first
    assert box.evaluate("box => getComputedStyle(box).borderTopStyle") == "dashed"
    context.close()


def test_the_button_back_to_the_top_covers_nothing_on_a_phone(visit):
    page, _ = visit(CHAPTERS[4], viewport="phone")
    for position in (3000, 2800):  # the theme shows the button when one scrolls back
        page.evaluate("position => scrollTo(0, position)", position)
        page.wait_for_function("position => scrollY === position", arg=position)
        page.wait_for_timeout(200)
    button = page.locator("#pst-back-to-top")
    assert button.evaluate("button => button.style.display") == "block"  # the theme wants it
    assert not button.is_visible()
    page.set_viewport_size({"width": 768, "height": 900})
    visible = button.is_visible()
    resize(page, *VIEWPORTS["phone"])
    assert visible


def test_a_chapter_prints_black_on_white(chapter_name, visit):
    page, _ = visit(chapter_name, scheme="dark")
    page.emulate_media(media="print")
    ground, filters, hidden = page.evaluate(
        """() => [
          getComputedStyle(document.body).backgroundColor,
          [...document.querySelectorAll("article :is(img, .drawn image)")].map(
            i => getComputedStyle(i).filter),
          ["#pst-primary-sidebar", ".bd-header-article"].map(
            s => getComputedStyle(document.querySelector(s)).display),
        ]"""
    )
    page.emulate_media(media="null")
    assert ground == "rgb(255, 255, 255)"
    assert set(filters) <= {"none"}
    assert hidden == ["none", "none"]


# Whether every control of a part of the page looks different when the keyboard reaches it.
WITHOUT_FOCUS = """part => {
  const look = (control) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(control);
    const { boxShadow } = getComputedStyle(control.closest("form") ?? control);
    return `${outlineStyle === "none" ? "" : outlineWidth} ${boxShadow}`;
  };
  const controls = [...document.querySelectorAll(`${part} :is(a, button, input)`)].filter(
    control => control.checkVisibility() && control.tabIndex >= 0);
  window.unseen = new Map(controls.map(control => [control, look(control)]));
  window.reached = () => {
    const control = document.activeElement;
    if (unseen.has(control) && look(control) !== unseen.get(control)) unseen.delete(control);
    return unseen.size;
  };
  return controls.length;
}"""
UNSEEN = "[...unseen.keys()].map(control => control.outerHTML.slice(0, 100))"


@pytest.mark.parametrize("part", [".bd-header-article", ".bd-sidebar-primary"])
def test_the_focus_of_the_keyboard_is_seen(part, chromium, address):
    """With the key itself, from the top of a new page: what a script focuses need not be shown."""
    width, height = VIEWPORTS["desktop"]
    with chromium.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce"
    ) as context:
        page = context.new_page()
        page.goto(f"{address}/{CHAPTERS[4]}")
        page.wait_for_function(READY)
        page.bring_to_front()
        controls = page.evaluate(WITHOUT_FOCUS, part)
        assert controls >= 3
        way = []  # where the key led, to be read when it did not lead to the part
        for _ in range(controls + 40):
            page.keyboard.press("Tab")
            way.append(page.evaluate("document.activeElement.outerHTML.slice(0, 60)"))
            if not page.evaluate("reached()"):
                break
        assert page.evaluate(UNSEEN) == [], way


@pytest.mark.parametrize("name", ["search.html", CHAPTERS[4]])
def test_the_glass_of_a_search_field_covers_no_letter(name, visit):
    page, _ = visit(name)
    if name != "search.html":
        page.keyboard.press("Control+k")
    glass = page.locator(".bd-search:visible .fa-magnifying-glass").bounding_box()
    field = page.locator(".bd-search:visible input")
    padding = field.evaluate("field => parseFloat(getComputedStyle(field).paddingLeft)")
    assert glass["x"] + glass["width"] < field.bounding_box()["x"] + padding
