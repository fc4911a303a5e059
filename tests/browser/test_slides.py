"""The slides of every chapter: what is on them, that it fits, and how they are turned."""

import html
import io
import re

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from book import LECTURES

from ..axe import violations
from ..browser_fixtures import FIGURES_SHOWN, HTML, OVER, SMALL, chapters_to_visit, go

NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
HERE = "() => Math.round(scrollY / innerHeight) + 1"
# The size of each question that stands alone; all answers.
QUESTIONS = """[...document.querySelectorAll(".slide-asks .slide-question")].map(
  e => getComputedStyle(e).fontSize)"""
TELL_ALL = "document.querySelectorAll('.slide-asks').forEach(e => e.click())"
TALLER = """() => [...document.querySelectorAll(".slide-cell_output")].filter(
  e => e.scrollHeight > e.clientHeight + 1).length"""
SLIDES = HTML / "slides" / "05-translation.html"


def words(text):
    """Return the text of a page or a part of it: without scripts, signs and drawings."""
    text = re.sub(r"(?s)<(script|style|noscript)\b.*?</\1>", " ", text)
    return html.unescape(re.sub("<[^>]*>", " ", text))


def all_slides():
    """Return the slides of the chapter, and the number of the first that asks something."""
    slides = SLIDES.read_text("utf8").split('<section class="slide')[1:]
    return slides, next(k for k, slide in enumerate(slides, 1) if slide.startswith(" slide-asks"))


@pytest.mark.parametrize("chapter", LECTURES, ids=[each.word for each in LECTURES])
def test_a_chapter_has_eight_to_twelve_and_every_number_is_its_own(chapter):
    page = (HTML / "slides" / f"{chapter.slug}.html").read_text("utf8")
    shown = re.sub('(?s)<section class="printed.*?</section>', "", page.partition("</main>")[0])
    found = shown.split('<section class="slide')[1:]
    assert 8 <= len(found) <= 12
    whole = (HTML / "chapters" / f"{chapter.slug}.html").read_text("utf8")
    known = set(NUMBER.findall(words(whole)))
    for number, slide in enumerate(found, start=1):
        assert f"<span>{number} / {len(found)}</span>" in slide
        assert set(NUMBER.findall(words(slide.rpartition('<p class="slide-foot">')[0]))) <= known
        assert slide.count('class="slide-thing') <= 1
    assert ("What we found" in found[-1]) == (chapter.number is not None)


@pytest.mark.parametrize("name", chapters_to_visit())
@pytest.mark.parametrize("size", [(1280, 720), (1024, 768), (390, 844)])
def test_no_slide_is_too_small_for_what_is_on_it(size, name, new_tab):
    tab = new_tab("file://", viewport=dict(zip(("width", "height"), size, strict=True)))
    slides = (HTML / name.replace("chapters", "slides")).as_uri()
    go(tab, f"{slides}?theme=light", FIGURES_SHOWN)
    asked = tab.evaluate(QUESTIONS)
    tab.evaluate(TELL_ALL)
    tab.wait_for_function(f"({OVER})().length === 0")
    if size[0] > 1000:  # on a phone pages are as long as what is on them
        assert tab.evaluate(TALLER) == 0
    if size == (1280, 720):
        assert set(asked) <= {"40px"}
        drawings = ".slide-figure svg.drawn, .slide-moving svg"
        assert tab.evaluate(SMALL, [17.9, drawings]) == []  # for a room
    assert tab.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_keys_turn_the_slides_and_an_answer_comes_first(new_tab):
    tab = new_tab(viewport={"width": 1920, "height": 1080}, reduced_motion="reduce")
    go(tab, SLIDES.as_uri(), FIGURES_SHOWN)
    slides, asks = all_slides()
    answer = tab.locator(".slide-later").first
    for number in range(2, asks + 1):
        tab.keyboard.press("ArrowRight")
        tab.wait_for_function(f"({HERE})() === {number}")
    assert not answer.is_visible()
    tab.keyboard.press("PageDown")
    assert answer.is_visible()
    assert tab.evaluate(HERE) == asks
    last = len(slides)
    steps = {"PageDown": asks + 1, "End": last, "Shift+Space": last - 1, "Home": 1}
    for key, number in steps.items():
        tab.keyboard.press(key)
        tab.wait_for_function(f"({HERE})() === {number}")
    # A control of a figure has its own keys; a remote, which sends Page Down, turns the slide.
    slider = tab.locator("input[type=range]").first
    slider.scroll_into_view_if_needed()
    here, before = tab.evaluate(HERE), slider.input_value()
    slider.press("ArrowRight")
    tab.wait_for_function("([e, old]) => e.value !== old", arg=[slider.element_handle(), before])
    assert tab.evaluate(HERE) == here
    slider.press("PageDown")
    tab.wait_for_function(f"({HERE})() === {here + 1}")
    assert violations(tab) == []


def test_a_print_has_a_page_for_each_slide_and_question(new_tab):
    slides, asks = all_slides()
    tab = new_tab(viewport={"width": 1100, "height": 800})
    go(tab, SLIDES.as_uri(), FIGURES_SHOWN)
    pages = PdfReader(io.BytesIO(tab.pdf(prefer_css_page_size=True))).pages
    assert len(pages) == len(slides) + sum(slide.startswith(" slide-asks") for slide in slides)
    assert {(page.mediabox.width, page.mediabox.height) for page in pages} == {(960, 540)}
    answer = words(slides[asks - 1].partition('<p class="slide-said')[2].partition(">")[2])
    said = [" ".join(answer.split()[:3]) in " ".join(page.extract_text().split()) for page in pages]
    assert said.index(True) == asks  # the page after the question's


def test_on_a_phone_an_answer_comes_at_a_tap(new_tab):
    tab = new_tab(viewport={"width": 390, "height": 844}, has_touch=True)
    go(tab, SLIDES.as_uri(), FIGURES_SHOWN)
    slide = tab.locator(".slide-asks:has(.slide-later)").first
    answer = slide.locator(".slide-later").first
    expect(answer).to_be_hidden()
    slide.locator(".slide-question").tap()
    expect(answer).to_be_visible()
