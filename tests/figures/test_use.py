"""Figures in use beyond single keys: play and glide, touch, hands, themes, and the two games."""

import re

import numpy as np
import pytest

import figures
import pecode
from figures import Clock, EncodingTable, GuessTheBug, Shuffle, guess
from pecheck.variants import VARIANTS
from tests import data

from .data import ALL, GUESSING, SCHEMES, reach, results
from .page import cells, listen, pixels, press, said, settled, slider, swipe
from .states import drawn, shown

MOVING = {"clock": True, "reduced_motion": "no-preference"}


# Motion


# Shakespeare writes, and is watched in test_shakespeare.py.
STILL = "Shuffle SameValue WordSum Reach GridKernel BaseBound Cache Heads GuessTheBug Shakespeare"


@pytest.mark.parametrize("name", [name for name in ALL if name not in STILL.split()])
def test_what_plays_moves_can_be_paused_and_is_read_out_at_its_end(name, on_page):
    with on_page(ALL[name](), **MOVING) as page:
        button = page.locator(".ex-play")
        heard, before = listen(page), drawn(page)
        button.click()
        page.clock.run_for(400)
        assert button.inner_text() == "pause"
        between = drawn(page)
        assert between != before
        button.click()
        page.clock.run_for(700)
        assert button.inner_text() == "play"
        stopped = drawn(page)
        page.clock.run_for(700)
        assert drawn(page) == stopped
        assert heard() == [page.locator(".ex-said").inner_text()][: len(heard())]
        html = page.locator(".moving-figure").inner_html()
        assert not re.search("NaN|undefined", html)


def test_a_walk_ends_at_the_last_value_and_begins_again(on_page):
    with on_page(figures.TwoWaves(position=37), **MOVING) as page:
        button, position, heard = page.locator(".ex-play"), slider(page, "position t"), listen(page)
        button.click()
        page.clock.run_for(6000)
        assert (button.inner_text(), position.input_value()) == ("play", "40")
        assert heard() == [page.locator(".ex-said").inner_text()]
        button.click()
        page.clock.run_for(400)
        assert int(position.input_value()) < 5


def test_a_slider_takes_over_from_what_plays(on_page):
    with on_page(Clock(), **MOVING) as page:
        page.locator(".ex-play").click()
        page.clock.run_for(400)
        position = slider(page, "position t")
        position.fill("7")  # as a drag does: at once
        page.clock.run_for(1000)
        assert (page.locator(".ex-play").inner_text(), position.input_value()) == ("play", "7")


def test_it_stops_off_the_screen_and_in_a_hidden_tab(on_page):
    stopped = "document.querySelector('.ex-play').textContent === 'play'"
    with on_page(Clock(position=0), size=(760, 500), reduced_motion="no-preference") as page:
        page.evaluate("document.body.style.paddingBottom = '3000px'")
        page.locator(".ex-play").click()
        page.evaluate("scrollTo(0, 2500)")
        page.wait_for_function(stopped)
        page.evaluate("scrollTo(0, 0)")
        page.locator(".ex-play").click()
        page.evaluate(
            """Object.defineProperty(document, "hidden", { get: () => true });
            document.dispatchEvent(new Event("visibilitychange"));"""
        )
        page.wait_for_function(stopped)


def test_a_key_glides_and_arrives(on_page):
    with on_page(Clock(), **MOVING) as page:
        seen = [drawn(page)]
        slider(page, "offset Δ").focus()
        page.keyboard.press("End")
        for time in (120, 600):
            page.clock.run_for(time)
            seen.append(drawn(page))
        assert len(set(seen)) == 3
        told = page.locator(".ex-said").inner_text()
    with on_page(Clock(offset=20)) as page:
        assert page.locator(".ex-said").inner_text() == told


def test_a_word_finds_its_marks_and_a_mark_its_word(on_page):
    with on_page(Clock()) as page:
        word = page.locator(".ex-said [data-mark=moved]")
        first = page.locator(".ex-drawings svg[role=img]").first
        mark, other = first.locator("g[data-mark=moved]"), first.locator("g[data-mark=now]")
        dot = mark.locator("circle").first
        color = "e => getComputedStyle(e).color", "e => getComputedStyle(e).fill"
        assert word.evaluate(color[0]) == dot.evaluate(color[1])
        opacity = "e => getComputedStyle(e).opacity"
        word.hover()
        assert (mark.evaluate(opacity), other.evaluate(opacity)) == ("1", "0.18")
        page.mouse.move(0, 0)
        assert other.evaluate(opacity) == "1"
        plain = word.evaluate("e => getComputedStyle(e).backgroundColor")
        mark.locator("circle").last.hover()
        assert word.evaluate("e => getComputedStyle(e).backgroundColor") != plain


# Hands, fingers and the mouse


@pytest.mark.parametrize("hand", data("figures/hands.yml"), ids=lambda hand: hand[0])
def test_a_hand_is_turned_by_hand(hand, on_page):
    figure, drawing, middle, radius, angle, turned, name, value = hand
    with on_page(ALL[figure]()) as page:
        box = page.locator(".ex-drawings svg[role=img]").nth(drawing).bounding_box()
        x, y = box["x"] + middle[0], box["y"] + middle[1]
        for k, at in enumerate(angle + np.linspace(0, turned, 12)):
            page.mouse.move(x + radius * np.sin(at), y - radius * np.cos(at))
            if k == 0:
                page.mouse.down()
        page.mouse.up()
        settled(page)
        assert slider(page, name).input_value() == value


@pytest.mark.parametrize("name", ALL)
def test_a_finger_moves_sliders_and_leaves_scrolling_to_the_page(name, on_page):
    with on_page(ALL[name](), size=(390, 500), has_touch=True) as page:
        page.evaluate("document.body.style.paddingBottom = '900px'")
        shown = said(page)
        view = page.locator(
            ".ex-drawings :is(svg[role], [role=application], [role=img]):visible"
        ).first
        view.scroll_into_view_if_needed()
        top = page.evaluate("scrollY")
        swipe(page, view, 0, -110)
        page.wait_for_function("top => scrollY > top + 30", arg=top)
        assert said(page) == shown
        for control in page.locator(".ex-controls input[type=range]:visible").all():
            control.scroll_into_view_if_needed()
            box, before = control.bounding_box(), control.input_value()
            least, most = (float(control.get_attribute(end)) for end in ("min", "max"))
            share = 0.25 if float(before) > (least + most) / 2 else 0.75
            page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
            assert control.input_value() != before


def order(page):
    """The order of the words of Shuffle, as the places say it."""
    found = []
    for k, text in enumerate(page.locator(".ex-word small").all_text_contents()[:5]):
        digits = re.findall(r"\d", text)
        found.append(int(digits[1]) if len(digits) > 1 else k)
    return found


def test_words_are_moved_by_key_mouse_and_finger(on_page):
    phone = {"size": (375, 900), "has_touch": True, "is_mobile": True}
    with on_page(Shuffle(order=[0, 1, 2, 3, 4]), **phone) as page:
        words = page.locator(".ex-word")
        between = page.get_by_role("button", name="exchange the words at 1 and 2")
        press(page, between, "Enter", 1)
        assert order(page) == [0, 2, 1, 3, 4]
        press(page, page.locator(":focus"), "Space", 1)
        assert order(page) == [0, 1, 2, 3, 4]

        def across(k):
            return words.nth(k).bounding_box()["x"] + words.nth(k).bounding_box()["width"] / 2

        box = words.nth(4).bounding_box()
        y = box["y"] + 0.7 * box["height"]
        page.mouse.move(across(4), y)
        page.mouse.down()
        page.mouse.move(across(1), y, steps=8)
        page.mouse.up()
        page.mouse.move(across(3), y)  # nothing is held any more
        settled(page)
        assert order(page) == [0, 4, 1, 2, 3]
        swipe(page, words.nth(0), across(4) - across(0))
        assert order(page) == [4, 1, 2, 3, 0]


def test_a_tap_shuffles_the_words_and_what_stands_below_stays(on_page):
    # On a page of its own: right after a swipe a browser takes a tap for its end.
    with on_page(Shuffle(order=[0, 1, 2, 3, 4]), size=(375, 900), has_touch=True) as page:
        before = page.locator(".moving-figure").bounding_box()
        page.get_by_role("button", name="shuffle").tap()
        moved = "e => /\\d\\D+\\d/.test(e.textContent)"  # it says where it was and where it is
        page.wait_for_function(f"[...document.querySelectorAll('.ex-word small')].some({moved})")
        assert sorted(order(page)) == [0, 1, 2, 3, 4] != order(page)
        assert page.locator(".moving-figure").bounding_box() == before


def test_the_map_is_painted_again_when_the_theme_changes_and_for_paper(on_page):
    with on_page(EncodingTable()) as page:
        light = pixels(page)
        assert np.allclose(cells(page), pecode.sinusoidal(range(64), 32), atol=0.005)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert not np.array_equal(pixels(page), light)
        page.emulate_media(media="print")
        assert np.array_equal(pixels(page), light)


# GuessTheBug

NAMES = list(guess.NAMES)


def table_of(name, late=False):
    make = pecode.sinusoidal_table if name == "no bug" else VARIANTS[name].make
    return make(1024, 32)[960:] if late else make(1024, 32)[:64]


def made_with(page):
    """Return the name of the table that is shown, from its cells: first rows and late ones."""
    box, seen = page.get_by_role("checkbox", name="rows 960 to 1023"), {}
    for late in (True, False):
        box.set_checked(late)
        seen[late] = cells(page)
    [name] = [
        n for n in NAMES if all(np.allclose(table_of(n, k), seen[k], atol=0.005) for k in seen)
    ]
    return name


def test_all_tables_are_guessed_from_their_cells(on_page):
    with on_page(GuessTheBug(seed=8)) as page:
        button, met, right = page.locator("button[type=submit]"), [], 0
        for k in range(14):
            name = made_with(page)
            met.append(name)
            wrong = (np.abs(table_of(name) - table_of("no bug")).max(axis=0) > 1e-6).sum()
            assert f"Rows 0 to 63: {wrong} of 32 columns differ" in shown(page)["more"]
            assert button.is_disabled()
            html = page.locator(".moving-figure").inner_html()
            assert k or {html.count(f">{other}<") for other in NAMES} == {1}  # nothing tells
            answer = name if k % 3 else NAMES[NAMES.index(name) - 1]  # every third is wrong
            page.get_by_role("radio", name=answer, exact=True).check()
            assert f"“{answer}” means: {guess.about(answer)}" in said(page)
            button.click()
            right += answer == name
            verdict = "Right" if answer == name else f"You said “{answer}”, but no"
            assert said(page) == (
                f"{verdict}: it is “{name}”. {guess.about(name)} {right} of {k + 1} right."
            )
            assert button.inner_text() == ("next table" if k < 13 else "begin again")
            button.press("Enter")
            assert page.evaluate("document.activeElement.value") == NAMES[0]  # not lost
            assert page.locator("input[type=radio]:checked").count() == 0
        assert sorted(met) == sorted(NAMES)
        assert " right." not in said(page)


def test_names_are_chosen_by_the_arrow_keys_in_each_figure_alone(on_page):
    with on_page(GuessTheBug(seed=3), GuessTheBug(seed=4), size=(760, 1600)) as page:
        first, second = page.locator(".moving-figure").all()
        press(page, first.get_by_role("radio").nth(0), "Space")
        press(page, first.get_by_role("radio").nth(0), "ArrowDown", 3)
        assert first.locator("input:checked").get_attribute("value") == NAMES[3]
        assert second.locator("input:checked").count() == 0


def test_another_operation_on_the_cache_begins_unturned(on_page):
    with on_page(figures.Cache(turn=5)) as page:
        assert "Turned by R(5)" in said(page)
        page.get_by_label("operation").select_option(index=1)
        assert "Not turned" in said(page)


# Reach


def test_results_are_covered_until_the_reader_looks_but_not_on_paper(on_page):
    with on_page(reach()) as page:
        look, cover = page.locator(".moving-figure button"), page.locator(".reach-cover")
        told = said(page)
        assert told.endswith("the last of the training. How far will it reach?")
        assert cover.is_visible()
        page.emulate_media(media="print")
        assert cover.is_hidden()
        page.emulate_media(media="screen")
        slider(page, "your guess at 127").fill("0.5")
        look.click()
        assert "Your guess was 0.50." in said(page)
        assert cover.is_hidden()
        page.get_by_label("task").select_option(index=1)  # it waits for its own guess
        settled(page)
        assert cover.is_visible()
        page.get_by_label("task").select_option(index=0)
        settled(page)
        assert cover.is_hidden()
        look.click()
        assert said(page) == told


@pytest.mark.parametrize("name", SCHEMES)
def test_the_accuracies_said_are_the_median_and_range_of_the_seeds(name, on_page):
    runs = results()["recent"][name].reshape(3, 32, 4).mean(axis=2)
    with on_page(reach(scheme=name)) as page:
        page.locator(".moving-figure button").click()
        told, middle = said(page), np.median(runs, axis=0)
    assert f"accuracy {middle[7]:.2f} at positions 28 to 31" in told
    assert f"{middle[31]:.2f} at positions 124 to 127" in told
    low, high = runs[:, 31].min(), runs[:, 31].max()
    assert f"({low:.2f} to {high:.2f} over 3 seeds)" in told
    assert f"Chance is {GUESSING['recent']:g}." in told


def test_a_click_on_the_plot_guesses_and_one_on_a_name_chooses_its_scheme(on_page):
    with on_page(reach()) as page:
        box = page.locator(".reach > svg").first.bounding_box()
        page.mouse.click(box["x"] + box["width"] - 9, box["y"] + 26 + 0.75 * 210)
        assert slider(page, "your guess at 127").input_value() == "0.25"
        page.locator(".moving-figure button").click()
        page.locator(".reach > svg text").get_by_text("ALiBi").click()
        assert "ALiBi: accuracy" in said(page)
