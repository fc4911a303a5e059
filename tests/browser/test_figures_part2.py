"""The figures of chapters 7 to 10: every control, by key, mouse and finger, against numpy."""

import re

import numpy as np
import pytest
from PIL import Image

import pecode
from pecode.figures import Playback, Reach, WordSum
from pecode.lab import tasks
from pecode.lab.schemes import Learned, scheme
from pecode.lab.training import extrapolation, train

from ..browser_fixtures import HTML, READY, ROOT, pages
from ..figures.page import (
    MOUNTED,
    heap_after,
    median_step,
    opened,
    press,
    said,
    settled,
    slider,
)
from .test_figures_part1b import attributes, listen, number, path_ends, swipe
from .test_site import WIDTHS, violations

ABOUT = {"near": "find what is near"}
STEPS = {"near": [0, 10, 40, 100], "far": [0, 25, 50, 600]}
SCHEMES = ["nothing", "sine and cosine", "learned", "ALiBi", "relative bias", "one's own"]
NOTED = SCHEMES[:-1]  # a scheme of one's own goes without words
GUESSING = {"recent": 0.4, "2 back": 1 / 8}


def recordings():
    """Random rows that turn into sinusoids, and others that stay random."""
    rng = np.random.default_rng(0)
    start, line = 0.02 * rng.normal(size=(32, 8)), pecode.sinusoidal(range(32), 8)
    shares = np.array([0, 0.01, 0.05, 1])[:, None, None]
    tables = {"near": (1 - shares) * start + shares * line, "far": rng.normal(size=(4, 32, 8))}
    tables["far"][0, 5] = 0.0001  # nothing is left of it: a row of zeros
    accuracy = {"near": [0.131, 0.3, 0.5, 0.98765], "far": [0, 0.25, 0.75, 1]}
    return [
        {
            "task": task,
            **({"about": ABOUT[task]} if task in ABOUT else {}),
            "steps": STEPS[task],
            "tables": tables[task],
            "accuracy": accuracy[task],
        }
        for task in STEPS
    ]


def results():
    """Accuracies of 3 seeds at 128 positions; on "2 back" the first eight answers do not count."""
    rng = np.random.default_rng(1)
    found = {
        task: {name: rng.integers(0, 33, (3, 128)) / 32 for name in SCHEMES}
        for task in ["recent", "2 back"]
    }
    for runs in found["2 back"].values():
        runs[:, :9] = np.nan
    return found


def figures():
    return {
        "Playback": Playback(recordings()),
        "WordSum": WordSum(),
        "Reach": Reach(results(), guessing=GUESSING, shortest=4),
    }


every_figure = pytest.mark.parametrize("name", ["Playback", "WordSum", "Reach"])


@pytest.fixture
def on_page(chromium, tmp_path):
    """Open figures on a page of their own."""
    return lambda *figures, **options: opened(chromium, tmp_path, *figures, **options)


def choose(page, name, index):
    page.get_by_role("combobox", name=name).select_option(index=index)
    settled(page)


def click(page, control, share, tap=False):
    """Click or tap somewhere along the way of a slider, or across a drawing."""
    box = control.bounding_box()
    hand = page.touchscreen.tap if tap else page.mouse.click
    hand(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    settled(page)


def shapes(locator, *names):
    """Return some attributes of many shapes at once."""
    script = "(all, names) => all.map((shape) => names.map((name) => shape.getAttribute(name)))"
    return locator.evaluate_all(script, list(names))


# Playback


def similarities(table):
    """Cosines of the rows as they are stored; a row of zeros has none."""
    table = np.round(table, 3)
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    directions = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
    return directions @ directions.T


def check_column(drawn, dots, position, nearest, beside):
    """Compare one of the two drawings of the framed column with where its dots belong."""
    assert np.abs(path_ends(drawn.locator("path").last) - dots).max() < 0.051
    now, ring = (drawn.locator("circle").nth(k) for k in (1, 0))
    assert attributes(now, "cx", "cy") == pytest.approx(dots[position], abs=1e-6)
    assert attributes(ring, "cx", "cy") == pytest.approx(dots[nearest], abs=1e-6)
    named = drawn.locator("text").last
    axis, shift, room = ("y", 4, 15) if beside else ("x", 0, 20)
    place = dots[nearest, 1 if beside else 0]
    assert (named.text_content(), *attributes(named, axis)) == (str(nearest), place + shift)
    numbers = shapes(drawn.locator("text[visibility]"), axis, "visibility")
    start = 22 if beside else 30
    places = [start + 8 * (t + 0.5) for t in [0, 8, 16, 24, 31]]
    assert [float(x) - shift for x, _ in numbers] == places
    for x, (_, visibility) in zip(places, numbers, strict=True):  # no number on another
        assert visibility == ("hidden" if abs(x - place) < room else "visible")


def check_playback(page, task, frame, position):
    """Compare the picture and the text with what numpy computes."""
    recording = recordings()[task]
    values = similarities(recording["tables"][frame])
    others = values - 3 * np.eye(32)
    nearest = others.argmax(axis=1)
    step, last = recording["steps"][frame], recording["steps"][-1]
    when = f"after {step} of {last} training steps" if step else "before training"
    row = f"Row {position} holds zeros: it has no direction."
    if values[position].any():
        away = abs(nearest[position] - position)
        cosine = number(values[position, nearest[position]])
        row = (
            f"Of the other rows, row {nearest[position]} is most like row {position}: cosine "
            f"{cosine}, {'a neighbor' if away == 1 else f'{away} positions away'}."
        )
    in_line = (np.abs(nearest - np.arange(32)) == 1).sum()
    accuracy = round(recording["accuracy"][frame], 4)
    beyond = " Position 32 has no row: a text that is longer cannot be encoded."
    assert said(page) == (
        f"“{recording['task']}” {when}: accuracy {number(accuracy)}. {row} The cosine of two "
        f"neighbors is {number(np.diagonal(values, 1).mean())} on average; {in_line} of the 32 "
        f"rows {'is' if in_line == 1 else 'are'} most like a neighbor."
        f"{beyond if position == 31 else ''}"
    )
    asked = f"“{recording['task']}”: {recording['about']}. " if "about" in recording else ""
    assert page.locator(".ex-task").inner_text() == (
        f"{asked}The table has a row for each position from 0 to 31. The training step stops at "
        "the dots of the accuracy, 4 in all."
    )
    heat, side, lying, *curves = (page.locator(".ex-drawings svg").nth(k) for k in range(5))
    cells = shapes(heat.locator("rect[fill-opacity]"), "fill", "fill-opacity")
    shown = [float(share) * (-1 if "blue" in fill else 1) for fill, share in cells]
    assert np.abs(np.reshape(shown[:1024], (32, 32)) - values).max() < 0.00051
    assert np.abs(shown[1024:] - np.linspace(-31, 31, 32) / 32).max() < 0.00051  # the key
    frame_of_column = heat.locator("rect[stroke='var(--ex-ink)']")
    assert attributes(frame_of_column, "x", "width") == [30 + 8 * position, 8]
    along = 8 * (np.arange(32) + 0.5)
    standing = np.stack([92 + 50 * values[position], 22 + along], axis=1)
    check_column(side, standing, position, nearest[position], beside=True)
    flat = np.stack([30 + along, 62 - 40 * values[position]], axis=1)
    check_column(lying, flat, position, nearest[position], beside=False)
    steps, scores = np.array(recording["steps"]), np.round(recording["accuracy"], 4)
    for curve, wide, tall in zip(curves, [156, 256], [256, 60], strict=True):
        along = np.stack([30 + wide * steps / last, 22 + tall * (1 - scores)], axis=1)
        assert np.abs(path_ends(curve.locator("path").last) - along).max() < 0.051
        mark = attributes(curve.locator("circle"), "cx", "cy")
        assert mark == pytest.approx(along[frame], abs=1e-6)
        assert curve.locator("text").first.text_content() == f"accuracy {number(accuracy)}"


def test_playback_by_keys_mouse_and_touch(on_page):
    with on_page(Playback(recordings()), has_touch=True) as page:
        check_playback(page, 0, 3, 12)
        step, position = slider(page, "training step"), slider(page, "position")
        press(page, step, "ArrowLeft")
        check_playback(page, 0, 2, 12)
        assert step.get_attribute("aria-valuetext") == "40"
        press(page, page.get_by_role("combobox", name="task"), "ArrowDown")
        check_playback(page, 1, 2, 12)
        assert step.get_attribute("aria-valuetext") == "50"  # another training, another step
        assert page.locator("output").first.inner_text() == "50"
        press(page, step, "Home")
        press(page, position, "ArrowLeft", 7)
        check_playback(page, 1, 0, 5)
        press(page, position, "End")
        choose(page, "task", 0)
        check_playback(page, 0, 0, 31)
        click(page, position, 0)
        click(page, step, 0.99, tap=True)
        check_playback(page, 0, 3, 0)
        heat = page.locator(".ex-drawings svg").first
        click(page, heat, (30 + 8 * 20.5) / 304)
        check_playback(page, 0, 3, 20)
        click(page, heat, (30 + 8 * 7.5) / 304, tap=True)
        check_playback(page, 0, 3, 7)
        swipe(page, heat, 80, 0)  # from the middle, which is 152 across
        check_playback(page, 0, 3, 25)
        assert position.input_value() == "25"
        swipe(page, heat, 200, 0)  # beyond the edge of the map
        check_playback(page, 0, 3, 31)


def test_only_a_click_on_the_map_chooses_a_position(on_page):
    with on_page(Playback(recordings()), has_touch=True) as page:
        box = page.locator(".ex-drawings svg").first.bounding_box()
        near = [(295, 186), (150, 44), (150, 321), (150, 338)]  # a finger so near means the map
        far = [(10, 186), (150, 361)]
        for hand, places in [(page.mouse.click, near + far), (page.touchscreen.tap, far)]:
            for x, y in places:
                hand(box["x"] + x, box["y"] + y)
                settled(page)
                check_playback(page, 0, 3, 12)
        page.mouse.click(box["x"] + 31, box["y"] + 306)
        check_playback(page, 0, 3, 0)


@pytest.mark.parametrize("width", [360, 390, 600])
def test_on_a_narrow_screen_the_accuracy_stands_next_to_the_sliders(width, on_page):
    with on_page(Playback(recordings()), size=(width, 844)) as page:
        drawings = (page.locator(".ex-drawings svg").nth(k) for k in range(5))
        heat, standing, lying, tall, flat = drawings
        assert (tall.is_visible(), flat.is_visible()) == (False, True)
        assert (standing.is_visible(), lying.is_visible()) == (False, True)
        above, below = heat.bounding_box(), lying.bounding_box()
        assert below["x"] == above["x"]  # each dot is below its column
        assert 0 <= below["y"] - above["y"] - above["height"] < 20
        step, accuracy = slider(page, "training step").bounding_box(), flat.bounding_box()
        assert accuracy["y"] + accuracy["height"] - step["y"] < 300
        assert accuracy["y"] + accuracy["height"] <= heat.bounding_box()["y"]
        page.set_viewport_size({"width": 760, "height": 844})
        assert (tall.is_visible(), flat.is_visible()) == (True, False)
        assert (standing.is_visible(), lying.is_visible()) == (True, False)
        assert tall.bounding_box()["y"] == heat.bounding_box()["y"]


@pytest.mark.parametrize("rows", [2, 32, 64])
def test_below_the_last_row_of_the_map_there_is_none(rows, on_page):
    table = np.random.default_rng(0).normal(size=(rows, 4))
    recording = {"task": "near", "steps": [5], "tables": [table], "accuracy": [0.5]}
    with on_page(Playback([recording])) as page:
        heat = page.locator(".ex-drawings svg").first
        name, none = (
            heat.get_by_text(f"position {rows}: no row, so no vector"),
            heat.locator("[stroke-dasharray]"),
        )
        bottom = max(
            float(y) + float(tall)
            for y, tall in shapes(heat.locator("g rect[fill-opacity]"), "y", "height")
        )
        y, tall = attributes(none, "y", "height")
        assert bottom < y < attributes(name, "y")[0] < y + tall
        assert none.get_attribute("fill") == "none"
        assert slider(page, "position").get_attribute("max") == str(rows - 1)
        above = heat.get_by_text("not the table itself"), heat.get_by_text("of each row with each")
        assert attributes(above[0], "y") < attributes(above[1], "y") < [0]
        assert f"a row for each position from 0 to {rows - 1}." in (
            page.locator(".ex-task").inner_text()
        )


def test_the_key_has_the_colors_of_the_map(on_page):
    colors = """rects => rects.map(r => [r.getAttribute("fill"), r.getAttribute("fill-opacity"),
      document.elementsFromPoint(r.getBoundingClientRect().x + 2, r.getBoundingClientRect().y + 2)
        .filter(e => e.tagName === "rect").map(e => e.getAttribute("fill"))])"""
    with on_page(Playback(recordings())) as page:
        rects = page.locator(".ex-drawings svg").first.locator("rect[fill-opacity]")
        for fill, _, layers in rects.evaluate_all(colors):
            assert layers[-2:] == [fill, "var(--ex-paper)"]


def test_playback_plays_only_when_asked_and_is_read_out_at_the_end(on_page):
    with on_page(Playback(recordings(), frame=1)) as page:
        button, heard = page.locator(".moving-figure button"), listen(page)
        page.wait_for_timeout(900)
        check_playback(page, 0, 1, 12)
        press(page, button, "Enter")
        assert button.inner_text() == "pause"
        page.wait_for_function("() => document.querySelector('input').value === '2'")
        button.click()
        assert button.inner_text() == "play"
        page.wait_for_timeout(900)
        check_playback(page, 0, 2, 12)
        assert heard() == [said(page)]
        button.click()
        page.wait_for_function("() => document.querySelector('button').textContent === 'play'")
        check_playback(page, 0, 3, 12)
        page.wait_for_timeout(600)
        assert heard()[1:] == [said(page)]
        button.click()  # at the end it begins anew
        check_playback(page, 0, 0, 12)
        page.wait_for_function("() => document.querySelector('input').value === '2'")
        assert len(heard()) == 2  # two snapshots were passed and not read out
        button.click()


def test_playing_ends_when_the_slider_is_moved_to_the_last_snapshot(on_page):
    with on_page(Playback(recordings(), frame=0)) as page:
        button = page.locator(".moving-figure button")
        button.click()
        assert button.inner_text() == "pause"
        press(page, slider(page, "training step"), "End")
        assert button.inner_text() == "play"
        page.wait_for_timeout(900)
        check_playback(page, 0, 3, 12)


def test_one_snapshot_is_soon_played(on_page):
    table = pecode.sinusoidal(range(8), 4)
    recording = {"task": "near", "steps": [5], "tables": [table], "accuracy": [0.5]}
    with on_page(Playback([recording])) as page:
        button = page.locator(".moving-figure button")
        button.click()
        assert button.inner_text() == "pause"
        page.wait_for_timeout(900)
        assert button.inner_text() == "play"


def test_with_reduced_motion_a_press_is_one_step(on_page):
    with on_page(Playback(recordings(), frame=2), reduced_motion="reduce") as page:
        button = page.locator(".moving-figure button")
        assert button.inner_text() == "next step"
        for frame, name in [(3, "start again"), (0, "next step"), (1, "next step")]:
            press(page, button, "Space")
            check_playback(page, 0, frame, 12)
            assert button.inner_text() == name
        page.wait_for_timeout(800)
        check_playback(page, 0, 1, 12)


# WordSum


def long(length):
    return number(length, 1 if length < 100 else 0)


def check_sum(page, length, words, first, second):
    """Compare the picture and the text with the law and with pecode's similarity."""
    offset = abs(second - first)
    positions = pecode.similarity(offset, 512) / 256
    sums = (length**2 * words + 256 * positions) / (length**2 + 256)
    weight = length**2 / (length**2 + 256)
    change = sums - words
    size = "less than 0.001" if abs(change) < 5e-4 else number(abs(change), 3)
    verdict = f"{'raises' if change > 0 else 'lowers'} the similarity by {size}"
    if abs(change) < 1e-9:
        verdict = "does not change the similarity"
    assert said(page) == (
        f"Two word vectors of length {long(length)} and similarity {number(words)}, at positions "
        f"{first} and {second}. The positions have the similarity {number(positions, 3)}, the "
        f"sums about {number(sums, 3)}: adding the positions {verdict}. The word has "
        f"{number(100 * weight, 1)}% of the squared length of a sum."
    )
    triangle, scale = (page.locator(".ex-drawings svg").nth(k) for k in range(2))
    word, position, slant = [
        np.array(line, dtype=float)
        for line in shapes(triangle.locator("line"), "x1", "y1", "x2", "y2")
    ]
    sides = [np.hypot(*(line[2:] - line[:2])) for line in (word, position, slant)]
    assert np.array(sides) / sides[2] == pytest.approx(
        np.array([length, 16, np.hypot(length, 16)]) / np.hypot(length, 16), abs=1e-9
    )
    x = 14 + 300 * (np.array([words, positions, sums]) + 0.2) / 1.2
    dots = np.array(shapes(scale.locator("circle"), "cx"), dtype=float)[:, 0]
    assert dots == pytest.approx(x, abs=1e-6)
    bars = np.array(shapes(triangle.locator("rect"), "width"), dtype=float)[:, 0]
    assert bars == pytest.approx([300 * weight, 300 * (1 - weight)], abs=1e-6)
    # The arrow goes from the words to the sums and nowhere else; where it is too short to be seen
    # the number stands alone.
    [[way, color]] = shapes(scale.locator("path[fill^='var']"), "d", "fill")
    labels = scale.locator("text").all_text_contents()
    assert [text for text in labels if "change" in text] == [change_text(change)]
    if abs(x[2] - x[0]) < 3:
        assert way == ""
        return
    assert color == f"var(--ex-{'red' if change > 0 else 'blue'})"
    start, *inner, end = [float(n) for n in re.findall(r"[MHL](\S+?)(?= |V|Z)", way)]
    assert [start, end, inner[1]] == pytest.approx([x[0], x[0], x[2]], abs=1e-6)
    head = min(13, abs(x[2] - x[0]))
    assert [inner[0], inner[2]] == pytest.approx([x[2] - np.sign(change) * head] * 2, abs=1e-6)


def change_text(change):
    if abs(change) < 1e-9:
        return "no change"
    if abs(change) < 5e-4:
        return "change below 0.001"
    return f"change {'+' if change > 0 else ''}{number(change, 3)}"


@pytest.mark.parametrize(
    ("words", "length"),
    [(0.75, 512**0.5), (0.7, 512**0.5), (0.7, 10.0), (0.8, 10.0), (0.74, 512**0.5)],
)
def test_a_short_arrow_lies_between_the_words_and_the_sums(on_page, words, length):
    """At positions 1 and 6 the similarity of the positions is 0.741."""
    with on_page(WordSum(words=words, length=length)) as page:
        check_sum(page, length, words, 1, 6)


def test_the_length_of_a_position_is_explained(on_page):
    with on_page(WordSum()) as page:
        rows = pecode.sinusoidal(range(512), 512)
        assert np.allclose(np.hypot(rows[:, ::2], rows[:, 1::2]), 1)
        assert np.allclose(np.linalg.norm(rows, axis=1), 16)
        [note] = page.locator(".ex-drawings > p").all_text_contents()
        assert note == (
            "All vectors have d = 512 entries. Those of a position are 256 pairs of a sine and a "
            "cosine, each pair of length 1: together √256 = 16."
        )


def test_word_sum_by_keys_mouse_and_touch(on_page):
    root = 512**0.5
    with on_page(WordSum(), has_touch=True) as page:
        check_sum(page, root, 0, 1, 6)
        names = [
            *("length of word vectors, a", "similarity of the words"),
            *("position of the first word, s", "position of the second word, t"),
        ]
        length, words, first, second = [slider(page, name) for name in names]
        press(page, words, "ArrowRight", 17)
        check_sum(page, root, 0.85, 1, 6)  # more alike than the positions: it falls
        press(page, length, "ArrowLeft", 2)
        check_sum(page, 16.0, 0.85, 1, 6)
        press(page, second, "ArrowLeft", 6)
        press(page, first, "ArrowRight", 2)
        check_sum(page, 16.0, 0.85, 3, 0)
        press(page, second, "End")
        press(page, words, "Home")
        check_sum(page, 16.0, -0.2, 3, 511)
        for index, value in [(0, 1.0), (2, 512.0), (1, root)]:
            choose(page, "words have", index)
            check_sum(page, value, -0.2, 3, 511)
            assert float(length.input_value()) == np.log2(value)
        press(page, page.get_by_role("combobox"), "ArrowUp")
        check_sum(page, 1.0, -0.2, 3, 511)
        click(page, words, 0.99)
        click(page, second, 0.5, tap=True)
        click(page, first, 0.25)
        places = [int(control.input_value()) for control in (first, second)]
        assert np.abs(np.array(places) - [128, 256]).max() < 12
        check_sum(page, 1.0, 1.0, *places)
        press(page, first, "Home")
        press(page, second, "Home")
        check_sum(page, 1.0, 1.0, 0, 0)
        assert "does not change the similarity" in said(page)


def test_between_the_conventions_the_list_says_so(on_page):
    with on_page(WordSum(length=100.0)) as page:
        check_sum(page, 100.0, 0, 1, 6)
        chosen = page.get_by_role("combobox").evaluate("list => list.selectedOptions[0].text")
        assert chosen == "another length"


# Reach


def binned(runs):
    """Median and range of the seeds for each four positions, as stored."""
    bins = runs.reshape(len(runs), 32, 4)
    counted = ~np.isnan(bins)
    with np.errstate(invalid="ignore"):
        means = np.where(counted, bins, 0).sum(axis=2) / counted.sum(axis=2)
    return [np.round(pick(means, axis=0), 2) for pick in (np.median, np.min, np.max)]


ASKS = {
    "recent": (
        "Answer with the latest marked token; one in five is marked. It takes a sense of nearer."
    ),
    "2 back": "Answer with the token two places back. It takes an exact distance.",
}


def check_reach(page, task, position, shown, lit=None):
    """Compare the picture and the text with what numpy computes."""
    by_scheme = results()[["recent", "2 back"][task]]
    k, first = position // 4, position // 4 * 4
    where = "where it was trained" if first < 32 else "beyond the 32 of training"
    if 4 <= first < 32:  # how many lengths, 4 to 32, have such a position
        fewest, most = ((np.arange(4, 33) > place).sum() for place in (first + 3, first))
        where += f": {fewest} to {most} of the 29 lengths of training reach so far"
    start = f"“{['recent', '2 back'][task]}”, positions {first} to {first + 3}, {where}. "
    curves = {name: binned(by_scheme[name]) for name in SCHEMES}
    here = [(name, *(values[k] for values in curves[name])) for name in shown]
    here = sorted((row for row in here if not np.isnan(row[1])), key=lambda row: -row[1])
    listed = [
        f"{name} {number(median)} ({number(low)} to {number(high)})"
        for name, median, low, high in here
    ]
    guess = GUESSING[["recent", "2 back"][task]]
    reached = f"Guessing reaches {round(guess, 3):g}."
    end = f"Accuracy, median and range of 3 seeds: {'; '.join(listed)}. {reached}"
    if not here:
        end = "No answer counts here." if shown else "No scheme is switched on."
    assert said(page) == start + end
    asked, note = page.locator(".reach-note").all_inner_texts()
    assert asked == ASKS[["recent", "2 back"][task]]
    boxed = page.locator("fieldset label:has(:focus)").all_inner_texts()  # switched off, perhaps
    told = lit or (boxed[0] if boxed else None)
    hint = "scheme, or tap its name beside the curves, to read what it is."
    if told in NOTED:
        assert note.startswith(f"{told}: ")
        assert hint not in note
    elif "learned" in shown:  # of this one it is said at the start
        assert re.fullmatch(rf"learned: a table .*\. Point at another {hint}", note)
    else:
        assert note == f"Point at a {hint}"
    boxes = page.get_by_role("checkbox")
    assert [box.is_checked() for box in boxes.all()] == [name in shown for name in SCHEMES]
    inner = page.locator(".reach svg svg")
    centers = 40 * np.arange(32) + 20
    paths = shapes(inner.locator("path[stroke-linejoin]"), "d", "visibility", "stroke")
    clear = shapes(inner.locator("path[stroke-linejoin]"), "stroke-opacity")
    back = len(shown) > 4 and lit in shown
    assert [o for (o,) in clear] == ["0.35" if back and n != lit else "1" for n in SCHEMES]
    bands = shapes(inner.locator("path[fill-opacity]"), "d", "visibility")
    dots = shapes(inner.locator("path[stroke-linecap]"), "d", "visibility")
    for name, (d, visibility, stroke), band, dot in zip(SCHEMES, paths, bands, dots, strict=True):
        assert visibility == dot[1] == ("visible" if name in shown else "hidden")
        banded = name in shown and (len(shown) <= 4 or name == lit)
        assert band[1] == ("visible" if banded else "hidden")
        median, low, high = curves[name]
        counted = ~np.isnan(median)
        expected = np.stack([centers, 1000 * (1 - median)], axis=1)[counted]
        assert np.abs(points(d) - expected).max() < 0.051
        around = [*(1 - high[counted]), *(1 - low[counted])[::-1]]
        assert np.abs(points(band[0])[:, 1] - 1000 * np.array(around)).max() < 0.051
        if counted[k]:
            assert points(dot[0])[0] == pytest.approx(
                [centers[k], 1000 * (1 - median[k])], abs=0.051
            )
        else:
            assert dot[0] == ""
        assert pecode.figures.COLORS.get(name, "#767676") in stroke
    level = attributes(page.locator(".reach line[stroke-dasharray]"), "y1", "y2")
    assert level == pytest.approx(2 * [26 + 250 * (1 - guess)], abs=1e-6)
    names = page.locator(".reach > svg").last.locator("text")
    heights = [float(y) for v, y in shapes(names, "visibility", "y") if v == "visible"]
    assert len(heights) == len(shown)
    weights = names.evaluate_all("all => all.map((e) => [e.textContent, e.style.fontWeight])")
    bold = [name for name, weight in weights if weight == "650" and name in shown]
    assert bold == ([lit] if lit in shown else [])
    assert (np.diff(sorted(heights)) > 16.9).all()


def points(d):
    return np.array(re.findall(r"([\d.]+) ([\d.]+)", d), dtype=float)


def test_reach_by_keys_mouse_and_touch(on_page):
    shown = ["sine and cosine", "learned", "ALiBi", "relative bias"]
    with on_page(Reach(results(), guessing=GUESSING, shortest=4), has_touch=True) as page:
        check_reach(page, 0, 96, shown)
        position = slider(page, "position")
        press(page, position, "ArrowRight", 2)
        check_reach(page, 0, 104, shown)
        assert position.get_attribute("aria-valuetext") == "104 to 107"
        press(page, page.get_by_role("combobox", name="task"), "ArrowDown")
        press(page, position, "Home")
        check_reach(page, 1, 0, shown)
        assert "No answer counts here." in said(page)
        press(page, position, "ArrowRight", 2)
        check_reach(page, 1, 8, shown)  # three of the four count
        press(page, position, "End")
        check_reach(page, 1, 124, shown)

        press(page, page.get_by_role("checkbox", name="nothing"), "Space")
        page.get_by_text("learned", exact=True).first.click()
        page.get_by_role("checkbox", name="one's own").tap()
        shown = [name for name in SCHEMES if name != "learned"]
        page.mouse.move(5, 5)
        settled(page)
        check_reach(page, 1, 124, shown, lit="one's own")
        for name in shown:
            page.get_by_role("checkbox", name=name, exact=True).uncheck()
        check_reach(page, 1, 124, [])
        page.get_by_role("checkbox", name="ALiBi").check()

        choose(page, "task", 0)
        plot = page.locator(".reach > svg").first
        click(page, plot, 50.5 / 128)
        check_reach(page, 0, 50, ["ALiBi"])
        assert position.input_value() == "48"
        click(page, plot, 20.5 / 128, tap=True)
        check_reach(page, 0, 20, ["ALiBi"])
        swipe(page, plot, plot.bounding_box()["width"] * 0.3, 0)
        check_reach(page, 0, 102, ["ALiBi"])
        click(page, position, 0.01, tap=True)
        check_reach(page, 0, 0, ["ALiBi"])


def test_of_many_schemes_only_the_one_that_is_pointed_at_has_a_band(on_page):
    with on_page(Reach(results(), shown=SCHEMES, guessing=GUESSING, shortest=4)) as page:
        check_reach(page, 0, 96, SCHEMES)
        legend = page.locator("legend")
        seeds = "3 seeds, trainings from different random starts"
        assert legend.inner_text() == f"schemes; point at one to see its range over {seeds}"
        page.locator("fieldset label").nth(2).hover()
        settled(page)
        check_reach(page, 0, 96, SCHEMES, lit="learned")
        box = page.get_by_role("checkbox", name="ALiBi")
        box.focus()
        settled(page)
        check_reach(page, 0, 96, SCHEMES, lit="learned")  # the pointer comes first
        widths = shapes(page.locator(".reach path[stroke-linejoin]"), "stroke-width")
        assert [w for (w,) in widths] == ["4" if name == "learned" else "2.2" for name in SCHEMES]
        page.mouse.move(5, 5)
        settled(page)
        check_reach(page, 0, 96, SCHEMES, lit="ALiBi")
        box.evaluate("box => box.blur()")
        settled(page)
        check_reach(page, 0, 96, SCHEMES)
        for name in SCHEMES[:2]:
            page.get_by_role("checkbox", name=name, exact=True).uncheck()
        page.mouse.move(5, 5)
        settled(page)
        check_reach(page, 0, 96, SCHEMES[2:])
        assert legend.inner_text() == f"schemes; a band is the range of {seeds}"


def test_a_tap_on_a_name_beside_the_curves_lights_its_curve(on_page):
    figure = Reach(results(), shown=SCHEMES, guessing=GUESSING, shortest=4)
    with on_page(figure, has_touch=True, size=(390, 844)) as page:
        names = page.locator(".reach > svg").last.locator("text")
        names.nth(2).tap()
        check_reach(page, 0, 96, SCHEMES, lit="learned")
        names.nth(0).tap()
        check_reach(page, 0, 96, SCHEMES, lit="nothing")
        names.nth(0).tap()  # once more: none
        check_reach(page, 0, 96, SCHEMES)
        box = page.locator(".moving-figure").bounding_box()
        right = names.evaluate_all(
            "a => Math.max(...a.map((e) => e.getBoundingClientRect().right))"
        )
        assert right <= box["x"] + box["width"]


def test_the_schemes_of_the_book_are_put_into_words(on_page):
    with on_page(schemes_of_the_book()) as page:
        labels = page.locator("fieldset label")
        boxes = page.get_by_role("checkbox")
        notes = {}
        for k in range(labels.count()):
            labels.nth(k).hover()
            settled(page)
            note = page.locator(".reach-note").last.inner_text()
            spoken = boxes.nth(k).get_attribute("aria-description")
            name = labels.nth(k).inner_text()
            assert note == (f"{name}: {spoken}." if spoken else note)
            notes[name] = spoken
        reached = [
            *["nothing", "nothing, sees all", "count", "normalized count", "binary"],
            *["sine and cosine", "learned", "ALiBi", "rotary", "relative bias"],
        ]
        assert all(notes[name] for name in reached)


def test_what_is_said_of_a_learned_table_is_what_training_leaves(on_page):
    """Rows past the longest text keep their start, and row 0 is far longer than they are."""
    start = train(tasks.first, Learned(16), steps=0, lengths=(4, 8)).parameters["position"]
    rows = train(tasks.first, Learned(16), steps=100, lengths=(4, 8)).parameters["position"]
    assert np.array_equal(rows[8:], start[8:])
    assert (rows[:8] != start[:8]).any(axis=1).all()
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths[0] > 5 * lengths[8:].max()
    runs = {task: {"learned": np.full((2, 16), 0.5)} for task in ["recent", "first"]}
    with on_page(Reach(runs, trained=8, shortest=4)) as page:
        page.locator("fieldset label").hover()
        note = page.locator(".reach-note").last
        kept = (
            "learned: a table with a row for each position is added. Training never reached the "
            "rows from 8 on: they keep their small random start"
        )
        settled(page)
        assert note.inner_text() == f"{kept}."
        choose(page, "task", 1)
        assert note.inner_text() == f"{kept}, and row 0 still stands out among them."


@pytest.mark.parametrize(("chance", "hidden"), [(0.4, []), (0.47, ["0.5"]), (0.01, ["0"])])
def test_the_name_of_the_guessing_line_stands_on_no_number(chance, hidden, on_page):
    runs = {"recent": {"mine": np.full((2, 8), 0.5)}}
    with on_page(Reach(runs, trained=4, guessing={"recent": chance})) as page:
        texts = shapes(page.locator(".reach > svg > text[x='-6']"), "visibility")
        contents = page.locator(".reach > svg > text[x='-6']").all_text_contents()
        assert [t for t, (v,) in zip(contents, texts, strict=True) if v == "hidden"] == hidden
        assert "guess" in contents


def test_the_line_stands_between_the_last_position_of_training_and_the_first_new(on_page):
    runs = {"recent": {"mine": np.full((2, 16), 0.5)}}
    for trained, texts in [(8, ["trained to 7", "new from 8"]), (16, ["trained to 15"])]:
        with on_page(Reach(runs, trained=trained)) as page:
            names = page.locator(".reach > svg > text[y='14']")
            assert names.all_text_contents() == texts
            plot = page.locator(".reach > svg").first.bounding_box()
            line = plot["x"] + plot["width"] * trained / 16
            path = page.locator(".reach path[stroke-dasharray='5 4']").bounding_box()
            assert path["x"] + path["width"] / 2 == pytest.approx(line, abs=1)
            boxes = [name.bounding_box() for name in names.all()]
            assert boxes[0]["x"] + boxes[0]["width"] < line
            assert all(line < box["x"] for box in boxes[1:])
            eight = page.locator(".reach > svg > text[y='296']", has_text=re.compile("^8$"))
            box = eight.bounding_box()  # the number stands under the middle of its position
            middle = (box["x"] + box["width"] / 2 - plot["x"]) / plot["width"]
            assert middle == pytest.approx(8.5 / 16, abs=0.002)


def test_that_all_were_asked_the_same_texts_is_said_if_it_is_so(on_page):
    runs = {"recent": {"mine": np.full((2, 8), 0.5)}}
    said_of = "All schemes and seeds get the same 32 texts: small ups and downs"
    for texts in (32, None):
        with on_page(Reach(runs, trained=4, texts=texts)) as page:
            assert (said_of in page.locator(".moving-figure").inner_text()) == (texts == 32)


def test_all_schemes_and_seeds_of_the_chapter_are_asked_the_same_texts(monkeypatch):
    asked, draw = [], tasks.Task.batch

    def batch(self, rng, size, length):
        made = draw(self, rng, size, length)
        asked.extend([made[0]] if length == 32 and size > 1 else [])
        return made

    monkeypatch.setattr(tasks.Task, "batch", batch)
    for position in ("nothing", "ALiBi"):
        extrapolation(tasks.recent, scheme(position), [0, 1], 8, steps=0)
    assert len(asked) == 4
    assert all(np.array_equal(tokens, asked[0]) for tokens in asked)
    assert len(asked[0]) == 32


def test_a_click_on_a_number_of_the_axis_chooses_no_position(on_page):
    with on_page(Reach(results(), guessing=GUESSING)) as page:
        for number in page.locator(".reach > svg > text[x='-6']").all():
            box = number.bounding_box()
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert slider(page, "position").input_value() == "96"


def test_without_the_accuracy_of_a_guess_there_is_no_line(on_page):
    with on_page(Reach(results())) as page:
        assert page.locator(".reach line[stroke-dasharray]").get_attribute("visibility") == "hidden"
        assert "Guessing" not in said(page)


def schemes_of_the_book():
    """A figure with everything that has a color in the book, and with those that see all."""
    runs = np.full((2, 8), 0.5)
    return Reach({"recent": dict.fromkeys(["nothing, sees all", *pecode.figures.COLORS], runs)}, 4)


def test_every_scheme_of_the_book_has_a_sign_beside_its_color(on_page):
    with on_page(schemes_of_the_book()) as page:
        samples = shapes(page.locator("fieldset path"), "stroke-dasharray")
        assert len(samples) == len({dashes for (dashes,) in samples}) == 14


# A color as the screen has it, and as WCAG weighs it.
LUMINANCE = """(all) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return all.map((shape) => {
    const style = getComputedStyle(shape);
    canvas.fillStyle = shape.tagName === "HTML" ? style.backgroundColor : style.stroke;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) =>
      byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  });
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_curve_can_be_told_from_the_ground(theme, on_page):
    with on_page(schemes_of_the_book(), theme=theme) as page:
        [ground] = page.locator("html").evaluate_all(LUMINANCE)
        curves = page.locator(".reach path[stroke-linejoin]").evaluate_all(LUMINANCE)
        assert len(curves) == 14
        for light in curves:
            assert (max(light, ground) + 0.05) / (min(light, ground) + 0.05) >= 3


def test_in_the_words_of_a_screen_reader_a_drawing_is_one_thing(on_page):
    with on_page(Reach(results())) as page:
        for drawing in page.locator(".moving-figure svg").all():
            outer = drawing.evaluate("e => e.parentElement.closest('svg') === null")
            hidden = drawing.get_attribute("aria-hidden") == "true"
            assert hidden or (outer and drawing.get_attribute("aria-label"))


# All of them


@every_figure
def test_a_step_is_quick_and_memory_does_not_grow(name, on_page):
    with on_page(figures()[name]) as page:
        for index in range(page.locator("input[type=range]").count()):
            assert median_step(page, index, steps=21) < 16
        heap_after(page, 200)
        before, nodes = heap_after(page, 100)
        after, nodes_after = heap_after(page, 1000)
        assert after - before < 200_000
        assert nodes_after - nodes < 50


def test_figures_fit_every_screen_and_their_letters_can_be_read(on_page):
    with on_page(*figures().values()) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            letters = page.locator(
                ".moving-figure text, .moving-figure :is(p, span, output, select, legend, button)"
            )
            smallest = letters.evaluate_all(
                """all => Math.min(...all.filter(e => e.checkVisibility()).map(e => {
                     const { a, b } = e.getScreenCTM?.() ?? { a: 1, b: 0 };
                     return parseFloat(getComputedStyle(e).fontSize) * Math.hypot(a, b);
                   }))"""
            )
            assert smallest >= 12


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_figures_are_accessible(theme, width, on_page):
    with on_page(*figures().values(), theme=theme, size=(width, 900)) as page:
        assert violations(page) == []
        assert page.locator(".ex-heard[aria-live=polite]").count() == 3
        assert page.locator(".moving-figure [id], .moving-figure [name]").count() == 0


def test_every_control_is_reached_with_the_tab_key(on_page):
    controls = "input, select, button"
    with on_page(*figures().values()) as page:
        wanted = page.locator(controls).count()
        assert wanted == (3 + 1) + 5 + (2 + len(SCHEMES))
        reached = set()
        for _ in range(wanted):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    """(controls) => [...document.querySelectorAll(controls)]
                         .indexOf(document.activeElement)""",
                    controls,
                )
            )
        assert reached == set(range(wanted))


def test_on_paper_there_are_values_but_no_sliders(on_page):
    with on_page(*figures().values(), theme="dark") as page:
        page.emulate_media(media="print")
        settled(page)
        assert page.locator(":is(input[type=range], button):visible").count() == 0
        assert page.locator("output:visible").count() == 2 + 4 + 1
        inks = page.locator(".moving-figure").evaluate_all(
            "all => all.map(e => getComputedStyle(e).color)"
        )
        assert inks == ["rgb(29, 29, 36)"] * 3
        stroke = page.locator("fieldset path").nth(2).evaluate("e => getComputedStyle(e).stroke")
        page.emulate_media(media="screen")
        assert stroke != page.locator("fieldset path").nth(2).evaluate(
            "e => getComputedStyle(e).stroke"
        )


def test_two_figures_on_a_page_keep_their_own_state(on_page):
    with on_page(Reach(results()), Reach(results()), size=(760, 2000)) as page:
        text = said(page, 0)
        press(page, slider(page, "position", 1), "ArrowLeft", 3)
        page.get_by_role("checkbox", name="ALiBi").nth(1).uncheck()
        assert said(page, 1) != text
        assert said(page, 0) == text
        assert page.get_by_role("checkbox", name="ALiBi").nth(0).is_checked()


@every_figure
def test_the_still_picture_says_what_the_page_says(name, chromium):
    """What a figure draws comes from its chapter, too: the picture must not be older."""
    shown = f'"_anywidget_id": "pecode.figures.{name}"'
    chapters = [page for page in pages() if shown in (HTML / page).read_text(encoding="utf8")]
    assert len(chapters) == 1
    page = chromium.new_page()
    page.emulate_media(media="print")  # every figure is drawn at once
    page.goto((HTML / chapters[0]).as_uri())
    page.wait_for_function(READY)
    page.wait_for_function(MOUNTED, arg=page.locator("script[type$='widget-view+json']").count())
    texts = page.locator(".ex-said").all_inner_texts()
    page.close()
    with Image.open(ROOT / "site" / "stills" / f"{name}.png") as still:
        described = still.info["Description"]
    alt = getattr(pecode.figures, name).alt
    assert described in [f"{alt} {text}" for text in texts], f"{name}: run `make stills`"
