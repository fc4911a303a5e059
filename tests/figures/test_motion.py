"""Motion: play, glide and hold, and the words that are tied to the marks."""

import math

import pytest

from figures import Clock, OneHand

from .data import ALL
from .page import listen, press, settled, shapes, sizes, slider

MOVING = {"reduced_motion": "no-preference"}
# The heights of each figure, with its sliders at their ends, in the middle and between.
HEIGHTS = """async (open) => {
  const ask = requestAnimationFrame;
  const frame = () => new Promise((done) => ask(() => ask(done)));
  const figures = [...document.querySelectorAll(".moving-figure")];
  for (const fold of document.querySelectorAll("details")) fold.open = open;
  const heights = figures.map(() => []);
  for (let k = 0; k < 9; k++) {
    for (const figure of figures)
      figure.querySelectorAll("input[type=range]").forEach((input, n) => {
        const share = [0, 0.31, 0.5, 0.77, 1][(k * (n + 1) + n) % 5];
        input.value = +input.min + share * (input.max - input.min);
        input.dispatchEvent(new Event("input", { bubbles: true }));
      });
    await frame();
    figures.forEach((figure, n) => heights[n].push(figure.offsetHeight));
  }
  return heights;
}"""
TIP = "1 g > circle[fill^=var]"  # of the moved hand of the second dial


def tip(page):
    return tuple(sizes(page, TIP, "cx", "cy")[0])


def hand(page):
    """Return the angle of the second dial's hand, from twelve and clockwise."""
    x, y = sizes(page, "1 g[data-mark=now] > circle", "cx", "cy")[0] - [62, 84]
    return math.atan2(x, -y) % math.tau


def play(page):
    return page.locator(".ex-play")


def steps(page, count):
    """Make single steps, as with reduced motion."""
    page.emulate_media(reduced_motion="reduce")
    play(page).evaluate("(button, count) => { while (count--) button.click(); }", count)
    page.emulate_media(reduced_motion="no-preference")
    page.clock.run_for(100)


def test_it_plays_to_the_end_when_asked_and_is_read_out_there(on_page):
    """Clock plays in two halves: t walks and the matrix stays, then Δ walks and it changes."""
    with on_page(Clock(position=5, offset=19), clock=True, **MOVING) as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        position, heard = slider(page, "position t"), listen(page)
        offset, told = slider(page, "offset Δ"), page.locator(".ex-said")
        matrix = shapes(page, "4 rect", "fill")
        assert play(page).inner_text() == "play"
        play(page).click()
        page.clock.run_for(100)
        assert play(page).inner_text() == "pause"
        page.clock.run_for(250)
        between = tip(page)
        # What is read is what is drawn, in the same picture: the number is of the drawing.
        place = position.locator("xpath=../output").inner_text()
        assert f"position {place} becomes" in told.inner_text()
        assert 0.1 * float(place) % math.tau == pytest.approx(hand(page), abs=0.006)
        assert told.inner_text().startswith("t walks and Δ stays: the angles between the hands and")
        assert shapes(page, "4 rect", "fill") == matrix
        play(page).click()
        page.clock.run_for(300)
        done = int(position.input_value()) - 5
        steps(page, 29 - done)  # 28 of them are of t
        play(page).click()
        page.clock.run_for(100)
        assert told.inner_text().startswith("Δ walks and t stays: the angles between the hands and")
        assert shapes(page, "4 rect", "fill") != matrix
        assert position.input_value() == "33"
        play(page).click()
        page.clock.run_for(300)
        steps(page, 107 - 29)
        noted = len(heard())
        play(page).click()
        page.clock.run_for(2000)
        assert play(page).inner_text() == "play"
        assert (position.input_value(), offset.input_value()) == ("33", "19")
        assert between != tip(page)
        assert heard()[noted:] == [told.inner_text()]
        play(page).click()  # from the end it starts again
        page.clock.run_for(400)
        assert 5 <= int(position.input_value()) < 10


def test_a_slider_takes_over_from_what_plays(on_page):
    with on_page(Clock(), clock=True, **MOVING) as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        play(page).click()
        page.clock.run_for(400)
        position = slider(page, "position t")
        position.fill("7")  # as a drag does: at once
        page.clock.run_for(1000)
        assert (play(page).inner_text(), position.input_value()) == ("play", "7")
        assert tip(page) == pytest.approx(tuple(sizes(page, TIP, "cx", "cy")[0]))


def test_it_stops_off_the_screen_and_in_a_hidden_tab(on_page):
    with on_page(Clock(position=0), size=(760, 500), **MOVING) as page:
        page.evaluate("document.body.style.paddingBottom = '3000px'")
        play(page).click()
        page.evaluate("scrollTo(0, 2500)")
        page.wait_for_function("document.querySelector('.ex-play').textContent === 'play'")
        stopped = slider(page, "position t").input_value()
        assert int(stopped) < 200
        page.evaluate("scrollTo(0, 0)")
        settled(page)
        assert slider(page, "position t").input_value() == stopped
        play(page).click()
        page.evaluate(
            """Object.defineProperty(document, "hidden", { get: () => true });
            document.dispatchEvent(new Event("visibilitychange"));"""
        )
        settled(page)
        assert play(page).inner_text() == "play"


def test_a_key_glides_and_arrives(on_page):
    with on_page(Clock(), clock=True, **MOVING) as page:
        page.clock.pause_at(page.evaluate("Date.now()") + 1000)
        begin = tip(page)
        slider(page, "offset Δ").focus()
        page.keyboard.press("End")
        page.clock.run_for(120)
        way = tip(page)
        page.clock.run_for(600)
        assert len({begin, way, tip(page)}) == 3
    with on_page(Clock(offset=20)) as page:
        settled(page)
        there = tip(page)
    with on_page(Clock(), **MOVING) as page:
        press(page, slider(page, "offset Δ"), "End")
        page.wait_for_timeout(400)
        assert tip(page) == there


def test_with_reduced_motion_a_press_is_one_step(on_page):
    with on_page(OneHand(position=39)) as page:
        names = []
        for _ in range(3):
            names.append((play(page).inner_text(), slider(page, "position t").input_value()))
            play(page).click()
            settled(page)
        assert names == [("next step", "39"), ("start again", "40"), ("next step", "0")]


def test_a_word_finds_its_marks_and_a_mark_its_word(on_page):
    with on_page(Clock()) as page:
        word = page.locator(".ex-said .ex-named[data-mark=moved]")
        mark = page.locator(".ex-drawings svg").first.locator("g[data-mark=moved]")
        other = page.locator(".ex-drawings svg").first.locator("g[data-mark=now]")
        dot = mark.locator("circle").first
        color = "e => getComputedStyle(e).color", "e => getComputedStyle(e).fill"
        assert word.evaluate(color[0]) == dot.evaluate(color[1])
        opacity = "e => getComputedStyle(e).opacity"
        word.hover()
        assert (mark.evaluate(opacity), other.evaluate(opacity)) == ("1", "0.18")
        page.mouse.move(0, 0)
        assert other.evaluate(opacity) == "1"
        mark.locator("circle").last.hover()
        assert "ex-lit" in word.get_attribute("class")
        assert other.evaluate(opacity) == "1"  # pointing at a mark leaves the drawing as it is


def test_no_readout_moves_the_page(on_page):
    """The room of the longest text is kept, folded and unfolded, on every screen."""
    held = [make() for make in ALL.values()]
    with on_page(*held) as page:
        for width in (390, 760, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            for opened in (False, True):
                heights = page.evaluate(HEIGHTS, opened)
                moved = zip(held, heights, strict=True)
                assert [type(one).__name__ for one, h in moved if len(set(h)) > 1] == []
