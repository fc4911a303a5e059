"""What Firefox and WebKit make of the book: the other tests of pages look at Chromium alone."""

import contextlib
import os
import shutil
from pathlib import Path

import pytest

from ..browser.live import DONE, NAMES, SHOWN, compiled, differences, serving_all
from ..browser_fixtures import ALL_PAGES, FIGURES_SHOWN, OVER, READY, VIEWPORTS, Handler, serving
from .drivers import ENGINES

pytestmark = pytest.mark.browser
SAMPLE = ["intro.html", "search.html?q=rotary", "chapters/05-translation.html",
          "chapters/12-rotary.html", "appendices/api.html"]  # fmt: skip
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
# Moves the first slider of a moving figure by a step; returns what the figure showed before.
MOVE = """number => {
  const box = document.querySelectorAll(".moving-figure")[number], shown = box.innerHTML;
  const slider = [...box.querySelectorAll("input[type=range]:enabled")].find(
    each => each.checkVisibility());
  slider.value === slider.max ? slider.stepDown() : slider.stepUp();
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  return shown;
}"""
MOVED = """(number, before) =>
  document.querySelectorAll(".moving-figure")[number].innerHTML !== before"""
# Skips every prediction; returns how much was covered before, and is now.
SKIP = """() => {
  const covered = () => document.querySelectorAll("section > [hidden]").length;
  const before = covered();
  for (const button of document.querySelectorAll(".predict-skip")) button.click();
  return [before, covered()];
}"""
# Gives each answer to the first question; returns what is said to them.
ANSWERS = """() => {
  const box = document.querySelector(".ask:has(input[type=radio])");
  return [...box.querySelectorAll("input")].map((option) => {
    option.click();
    box.querySelector("button").click();
    return box.querySelector("[aria-live]").textContent;
  });
}"""


# Before all other scripts of a page: notes what goes wrong. Engines report that each in its way.
WATCH = b"""<head><script>window.wrong = [];
addEventListener("error", ({ message, target }) => {
  // Firefox fetches the next page ahead, and may give up; links are followed by other tests.
  if (!target.matches?.("link[rel=next]")) wrong.push(message ?? target.outerHTML);
}, true);
addEventListener("unhandledrejection", ({ reason }) => wrong.push(`${reason}`));
console.error = (...said) => wrong.push(said.join(" "));
</script>"""


class Watched(Handler):
    """Serves the pages of the book with this script."""

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.suffix != ".html":
            return super().do_GET()
        page = path.read_bytes().replace(b"<head>", WATCH, 1)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        return self.wfile.write(page)


@pytest.fixture(scope="session", params=[
    pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES])  # fmt: skip
def browser(request):
    """The window of an engine."""
    engine = ENGINES[request.param]
    if not any(map(shutil.which, engine.programs)):
        sentence = f"{request.param} is missing. Debian and Ubuntu: apt install {engine.package}"
        pytest.fail(sentence) if os.environ.get("CI") else pytest.skip(sentence)
    with contextlib.ExitStack() as stack:
        found = engine(stack)
        found.resize(**VIEWPORTS["desktop"])
        yield found


@pytest.fixture(scope="session")
def visit(browser):
    """Open a page, wait until it is set and its figures are drawn; nothing may have failed."""
    with serving(Watched) as address:

        def open_page(name):
            browser.goto(f"{address}/{name}")
            browser.wait(READY)
            browser.wait(FIGURES_SHOWN)
            assert browser.js("() => wrong") == []
            return browser

        yield open_page


@pytest.mark.parametrize("name", SAMPLE)
def test_a_page_fits_its_formulas_are_whole_and_its_sliders_move(name, visit):
    browser = visit(name)
    covered, now = browser.js(SKIP)
    assert now == 0 <= covered - ("12-rotary" in name)
    for viewport in VIEWPORTS.values():
        browser.resize(**viewport)
        assert browser.js(FORMULAS) == []
        assert browser.js("() => document.documentElement.scrollWidth - innerWidth") <= 0
    browser.resize(**VIEWPORTS["desktop"])
    count = browser.js("() => document.querySelectorAll('.moving-figure').length")
    assert count or "chapters" not in name
    for number in range(count):
        browser.wait(MOVED, number, browser.js(MOVE, number))
    assert browser.js("() => wrong") == []


def test_a_question_is_answered(visit):
    verdicts = visit("exercises/05-translation.html").js(ANSWERS)
    assert all(verdicts)
    assert [verdict.startswith("✓") for verdict in verdicts].count(True) == 1 < len(verdicts)


def test_every_slide_has_room_for_what_is_on_it(visit):
    visit("slides/05-translation.html").wait(f"() => !({OVER})().length")


# All pages take an hour.
@pytest.mark.wheels
@pytest.mark.skipif(not compiled(), reason="PECODE_WASM_WHEELS names no folder of packages")
@pytest.mark.parametrize("name", NAMES if ALL_PAGES else ["chapters/02-counting"])
def test_a_page_runs_where_it_is_read_and_shows_what_is_stored(name, browser):
    with serving_all() as address:
        browser.goto(f"{address}/{name}.html")
        browser.wait(READY)
        browser.js("() => document.querySelector('.btn-launch-live').click()")
        browser.wait("() => document.querySelectorAll('.run-actions button').length")
        browser.js("() => document.querySelector('.run-actions button').click()")
        browser.wait(DONE, seconds=3600 if ALL_PAGES else 300)
        said = browser.js("() => document.querySelector('.run-status').textContent")
        if "ft2font" in said:
            assert "Safari 26.1 or newer" in said
            pytest.skip("WebKit before Safari 26.1 cannot run matplotlib: webkit.org/b/299629")
        assert differences(name, browser.js(SHOWN), browser.js) == {}, said
