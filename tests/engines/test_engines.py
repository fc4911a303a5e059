"""What Firefox and WebKit make of the book: the other tests of pages look at Chromium alone."""

import pytest

from ..browser.test_slides import OVER
from ..browser_fixtures import VIEWPORTS

pytestmark = pytest.mark.browser
CHAPTERS = ["chapters/05-translation.html", "chapters/12-rotary.html"]
SAMPLE = ["intro.html", "search.html?q=rotary", "appendices/api.html"]

# Formulas that are not as they should be: without a box, in two boxes (a line was broken within),
# or with a sign that stands outside of its own box, over its neighbor.
FORMULAS = """() => [...document.querySelectorAll("article math")].filter(
  math => math.checkVisibility()).flatMap(math => {
    const wrong = [];
    const inline = math.getAttribute("display") !== "block";
    const { width, height } = math.getBoundingClientRect();
    if (width < 2 || height < 2) wrong.push("no box");
    if (inline && math.getClientRects().length !== 1) wrong.push("broken");
    for (const sign of math.querySelectorAll("mi, mn, mo")) {
      const range = document.createRange();
      range.selectNodeContents(sign);
      const [own, drawn] = [sign, range].map(each => each.getBoundingClientRect());
      if (drawn.width && (drawn.left < own.left - 1 || drawn.right > own.right + 1))
        wrong.push(`${sign.textContent} hangs out`);
    }
    return wrong.map(each => `${each}: ${math.textContent}`);
  })"""

# Puts the focus on the first slider of a moving figure, and returns all that the figure shows.
SLIDER = """number => {
  const box = document.querySelectorAll(".moving-figure")[number];
  const slider = [...box.querySelectorAll("input[type=range]:enabled")].find(
    each => each.checkVisibility());
  slider.scrollIntoView({ block: "center", behavior: "instant" });
  slider.focus();
  return box.innerHTML + slider.value;
}"""
# The first question with answers to choose from: the middle of each answer, that of the button, and
# what is said to the answer.
QUESTION = """() => {
  const box = document.querySelector(".ask:has(input[type=radio])");
  box.scrollIntoView({ block: "center", behavior: "instant" });
  const middle = element => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  return {
    options: [...box.querySelectorAll(".ask-option")].map(middle),
    check: middle(box.querySelector("button")),
    verdict: box.querySelector("[aria-live]").textContent,
  };
}"""


@pytest.mark.parametrize("name", CHAPTERS)
def test_formulas_are_whole_and_sliders_move_figures(name, visit):
    browser = visit(name)
    assert browser.js("() => document.querySelectorAll('article math').length") > 30
    for viewport in VIEWPORTS.values():
        browser.resize(*viewport)
        assert browser.js(FORMULAS) == []
    browser.resize(*VIEWPORTS["desktop"])
    count = browser.js("() => document.querySelectorAll('.moving-figure').length")
    assert count
    for number in range(count):
        before = browser.js(SLIDER, number)
        for key in ("ArrowRight", "ArrowLeft", "ArrowRight"):
            browser.press(key)
        browser.wait("(number, before) => (" + SLIDER + ")(number) !== before", number, before)
    assert browser.js("() => wrong") == []


def test_a_question_is_answered_with_the_pointer(visit):
    browser, verdicts = visit("exercises/05-translation.html"), []
    for number in range(len(browser.js(QUESTION)["options"])):
        browser.click(*browser.js(QUESTION)["options"][number])
        browser.click(*browser.js(QUESTION)["check"])
        verdicts.append(browser.js(QUESTION)["verdict"])
    assert len(verdicts) > 1
    assert all(verdicts)
    assert sum(verdict.startswith("✓") for verdict in verdicts) == 1
    assert browser.js("() => wrong") == []


@pytest.mark.parametrize("name", SAMPLE)
def test_a_page_raises_no_error_and_is_not_too_wide(name, visit):
    browser = visit(name)
    for viewport in VIEWPORTS.values():
        browser.resize(*viewport)
        assert browser.js("() => document.documentElement.scrollWidth - innerWidth") <= 0
    browser.resize(*VIEWPORTS["desktop"])


def test_every_slide_has_room_for_what_is_on_it(visit):
    visit("slides/05-translation.html").wait(f"() => !({OVER})().length")
