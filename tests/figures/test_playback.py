"""Playback: similarities, accuracy and the text of a recorded training against numpy."""

import json

import numpy as np
import pytest
from traitlets import TraitError

import pecode
from pecode.figures import Playback

from .data import recordings
from .page import (
    choose,
    click,
    listen,
    near,
    number,
    path,
    press,
    said,
    settled,
    shapes,
    sizes,
    slider,
    strengths,
    swipe,
    texts,
)  # fmt: skip
from .values import refuses, takes

MOVING = {"reduced_motion": "no-preference"}


def test_values():
    assert repr(Playback()) == "Playback(frame=12, position=12, task=0)"
    takes(Playback, frame=[0, 12], position=[0, 31])
    refuses(Playback, frame=[13, -1], position=[32], task=[1, True])


def a_recording(**changed):
    recording = {
        "task": "2 back",
        "steps": np.array([0, 3, 10]),
        "tables": np.random.default_rng(0).normal(size=(3, 8, 4)),
        "accuracy": [np.float64(0.1), 0.55555555, 1.0],
    }
    return recording | changed


def test_three_decimals_are_kept_as_plain_numbers():
    recording = a_recording(tables=[[[0.12345, -0.0001], [1, -2]]] * 3, about="look back")
    [kept] = Playback([recording]).recordings
    assert json.loads(json.dumps(kept)) == {
        "task": "2 back",
        "about": "look back",
        "steps": [0, 3, 10],
        "tables": [["123 0", "1000 -2000"]] * 3,
        "accuracy": [0.1, 0.5556, 1.0],
    }
    assert recording["tables"][0][0][0] == 0.12345


def test_it_starts_at_the_end_and_knows_its_limits():
    figure = Playback([a_recording(), a_recording(task="denoise")], task=1)
    assert repr(figure) == "Playback(frame=2, position=7, task=1)"
    for name, count in {"frame": 3, "position": 8, "task": 2}.items():
        with pytest.raises(TraitError, match=f"'{name}'.*less than {count}"):
            setattr(figure, name, count)
        with pytest.raises(TraitError, match=f"'{name}'.*less than {count}"):
            Playback([a_recording(), a_recording()], **{name: count})
    with pytest.raises(TraitError, match="read-only"):
        figure.recordings = []
    with pytest.raises(TypeError, match="steps"):
        Playback([a_recording()], steps=3)
    other = a_recording(tables=np.zeros((3, 9, 4)))
    with pytest.raises(TraitError, match="recordings: expected as many snapshots and rows"):
        Playback([a_recording(), other])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"task": 3}, "task: expected a name, got 3"),
        ({"about": 3}, "about: expected what the task asks for, a text, got 3"),
        ({"steps": [0, 3]}, "2, 3 and 3"),
        ({"steps": [0, 3, 3]}, "steps: expected rising whole numbers"),
        ({"steps": [0, 0.5, 3]}, "steps: expected rising whole numbers"),
        ({"steps": [-1, 0, 3]}, "steps: expected rising whole numbers"),
        ({"steps": []}, "steps: expected finite numbers in 1 dimension"),
        ({"tables": np.full((3, 8, 4), np.nan)}, "tables: expected finite"),
        ({"tables": np.zeros((3, 8))}, "tables: expected finite numbers in 3 dimensions"),
        ({"tables": np.zeros((3, 1, 8))}, "tables: expected 2 to 64 rows, got 1"),
        ({"tables": np.zeros((3, 65, 8))}, "tables: expected 2 to 64 rows, got 65"),
        ({"tables": [[1, 2], [3]]}, "tables: expected numbers"),
        ({"tables": "none"}, "tables: expected numbers"),
        ({"accuracy": [0, 0.5, 1.1]}, "accuracy: expected shares from 0 to 1"),
        ({"more": 1}, "recordings: expected dicts with accuracy, steps, tables, task"),
    ],
)
def test_a_bad_recording_is_refused(changed, message):
    with pytest.raises(TraitError, match=message):
        Playback([a_recording(**changed)])


def similarities(table):
    """Return the cosines of the rows as they are stored; a row of zeros has none."""
    table = np.round(table, 3)
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    directions = np.divide(table, lengths, out=np.zeros_like(table), where=lengths > 0)
    return directions @ directions.T


def playback_text(recording, values, nearest, frame, position):
    step, last = recording["steps"][frame], recording["steps"][-1]
    when = f"after {step} of {last} training steps" if step else "before training"
    row = f"Row {position} holds zeros: it has no direction."
    if values[position].any():
        away = abs(nearest[position] - position)
        row = (
            f"Of the other rows, row {nearest[position]} is most like row {position}: cosine "
            f"{number(values[position, nearest[position]])}, "
            f"{'a neighbor' if away == 1 else f'{away} positions away'}."
        )
    in_line = (np.abs(nearest - np.arange(32)) == 1).sum()
    beyond = " Position 32 has no row: a text that is longer cannot be encoded."
    return (
        f"“{recording['task']}” {when}: accuracy {number(round(recording['accuracy'][frame], 4))}. "
        f"{row} The cosine of two neighbors is {number(np.diagonal(values, 1).mean())} on average; "
        f"{in_line} of the 32 rows {'is' if in_line == 1 else 'are'} most like a neighbor."
        f"{beyond if position == 31 else ''}"
    )


def check_column(page, drawing, dots, position, nearest, axis):
    """Compare one of the two drawings of the framed column with where its dots belong."""
    assert near(path(page, f"{drawing} path", -1), dots)
    ring, now = sizes(page, f"{drawing} circle", "cx", "cy")
    assert near([now, ring], dots[[position, nearest]], 1e-6)
    shift, room, start = (4, 15, 22) if axis == "y" else (0, 20, 30)
    place = dots[nearest, int(axis == "y")]
    *_, (name, where) = shapes(page, f"{drawing} text", "text", axis)
    assert (name, float(where)) == (str(nearest), place + shift)
    numbers = shapes(page, f"{drawing} text[visibility]", axis, "visibility")
    places = [start + 8 * (t + 0.5) for t in [0, 8, 16, 24, 31]]
    assert [float(x) - shift for x, _ in numbers] == places
    for x, (_, visibility) in zip(places, numbers, strict=True):  # no number on another
        assert visibility == ("hidden" if abs(x - place) < room else "visible")


def check(page, task, frame, position):
    """Compare the picture and the text with what numpy computes."""
    recording = recordings()[task]
    values = similarities(recording["tables"][frame])
    nearest = (values - 3 * np.eye(32)).argmax(axis=1)
    assert said(page) == playback_text(recording, values, nearest, frame, position)
    asked = f"“{recording['task']}”: {recording['about']}. " if "about" in recording else ""
    assert texts(page, ".ex-task") == [
        f"{asked}The table has a row for each position from 0 to 31. The training step stops at "
        "the dots of the accuracy, 4 in all."
    ]
    cells = strengths(page, "0 rect[fill-opacity]")
    assert near(cells[:1024], values.ravel(), 0.00051)
    assert near(cells[1024:], np.linspace(-31, 31, 32) / 32, 0.00051)  # the key
    frames = sizes(page, "0 rect[stroke='var(--ex-ink)']", "x", "width")
    assert frames.tolist() == [[30 + 8 * position, 8]]
    along, column = 8 * (np.arange(32) + 0.5), values[position]
    standing = np.stack([92 + 50 * column, 22 + along], axis=1)
    check_column(page, 1, standing, position, nearest[position], "y")
    lying = np.stack([30 + along, 62 - 40 * column], axis=1)
    check_column(page, 2, lying, position, nearest[position], "x")
    steps, scores = np.array(recording["steps"]), np.round(recording["accuracy"], 4)
    for drawing, wide, tall in [(3, 156, 256), (4, 256, 60)]:
        curve = np.stack([30 + wide * steps / steps[-1], 22 + tall * (1 - scores)], axis=1)
        assert near(path(page, f"{drawing} path", -1), curve)
        assert near(sizes(page, f"{drawing} circle", "cx", "cy"), [curve[frame]], 1e-6)
        assert texts(page, f"{drawing} text")[0] == f"accuracy {number(scores[frame])}"


def test_keys_mouse_and_touch(on_page):
    with on_page(Playback(recordings()), has_touch=True) as page:
        check(page, 0, 3, 12)
        step, position = slider(page, "training step"), slider(page, "position")
        press(page, step, "ArrowLeft")
        check(page, 0, 2, 12)
        assert step.get_attribute("aria-valuetext") == "40"
        press(page, page.get_by_role("combobox", name="task"), "ArrowDown")
        check(page, 1, 2, 12)
        assert step.get_attribute("aria-valuetext") == "50"  # another training, another step
        assert page.locator("output").first.inner_text() == "50"
        press(page, step, "Home")
        press(page, position, "ArrowLeft", 7)
        check(page, 1, 0, 5)
        press(page, position, "End")
        choose(page, "task", 0)
        check(page, 0, 0, 31)
        click(page, position, 0)
        click(page, step, 0.99, tap=True)
        check(page, 0, 3, 0)
        heat = page.locator(".ex-drawings svg").first
        click(page, heat, (30 + 8 * 20.5) / 304)
        check(page, 0, 3, 20)
        click(page, heat, (30 + 8 * 7.5) / 304, tap=True)
        check(page, 0, 3, 7)
        swipe(page, heat, 80)  # from the middle, which is 152 across
        check(page, 0, 3, 25)
        assert position.input_value() == "25"
        swipe(page, heat, 200)  # beyond the edge of the map
        check(page, 0, 3, 31)


def test_only_a_click_on_the_map_chooses_a_position(on_page):
    with on_page(Playback(recordings()), has_touch=True) as page:
        box = page.locator(".ex-drawings svg").first.bounding_box()
        by_the_map = [(295, 186), (150, 44), (150, 321), (150, 338)]  # a finger there means the map
        far = [(10, 186), (150, 361)]
        for point, places in [(page.mouse.click, by_the_map + far), (page.touchscreen.tap, far)]:
            for x, y in places:
                point(box["x"] + x, box["y"] + y)
                settled(page)
                assert slider(page, "position").input_value() == "12"
        page.mouse.click(box["x"] + 31, box["y"] + 306)
        check(page, 0, 3, 0)


def test_on_a_narrow_screen_the_accuracy_stands_next_to_the_sliders(on_page):
    with on_page(Playback(recordings()), **MOVING) as page:
        drawings = page.locator(".ex-drawings svg").all()
        for width in (360, 390, 600, 760):
            page.set_viewport_size({"width": width, "height": 844})
            shown = [drawing.is_visible() for drawing in drawings]
            heat, standing, lying, tall, flat = (
                drawing.bounding_box() if seen else None
                for drawing, seen in zip(drawings, shown, strict=True)
            )
            if width == 760:
                assert shown == [True, True, False, True, False]
                assert tall["y"] == heat["y"]
                continue
            assert shown == [True, False, True, False, True]
            assert standing is None
            assert lying["x"] == heat["x"]  # each dot is below its column
            assert 0 <= lying["y"] - heat["y"] - heat["height"] < 20
            bottom = flat["y"] + flat["height"]
            assert bottom - slider(page, "training step").bounding_box()["y"] < 300
            assert bottom <= heat["y"]


@pytest.mark.parametrize("rows", [2, 32, 64])
def test_below_the_last_row_of_the_map_there_is_none(rows, on_page):
    table = np.random.default_rng(0).normal(size=(rows, 4))
    recording = {"task": "near", "steps": [5], "tables": [table], "accuracy": [0.5]}
    with on_page(Playback([recording])) as page:
        written = {text: float(y) for text, y in shapes(page, "0 text", "text", "y")}
        bottom = sizes(page, "0 g rect[fill-opacity]", "y", "height").sum(axis=1).max()
        [(y, tall, fill)] = shapes(page, "0 [stroke-dasharray]", "y", "height", "fill")
        name = written[f"position {rows}: no row, so no vector"]
        assert bottom < float(y) < name < float(y) + float(tall)
        assert fill == "none"
        assert slider(page, "position").get_attribute("max") == str(rows - 1)
        first = written["not the table itself, but the cosine"]
        assert first < written["of each row with each row"] < 0
        assert f"a row for each position from 0 to {rows - 1}." in texts(page, ".ex-task")[0]


def test_the_key_has_the_colors_of_the_map(on_page):
    layers = """rects => rects.map(r => [r, r.getBoundingClientRect()]).map(([r, { x, y }]) =>
      [r.getAttribute("fill"), ...document.elementsFromPoint(x + 2, y + 2)
        .filter(e => e.tagName === "rect").map(e => e.getAttribute("fill"))])"""
    with on_page(Playback(recordings())) as page:
        rects = page.locator(".ex-drawings svg").first.locator("rect[fill-opacity]")
        for fill, *found in rects.evaluate_all(layers):
            assert found[-2:] == [fill, "var(--ex-paper)"]


def test_it_plays_only_when_asked_and_is_read_out_at_the_end(on_page):
    with on_page(Playback(recordings(), frame=1), clock=True, **MOVING) as page:
        button, heard = page.locator(".moving-figure button"), listen(page)
        page.clock.fast_forward(900)
        check(page, 0, 1, 12)
        press(page, button, "Enter")
        assert button.inner_text() == "pause"
        page.clock.fast_forward(710)
        button.click()
        assert button.inner_text() == "play"
        page.clock.fast_forward(900)
        check(page, 0, 2, 12)
        assert heard() == [said(page)]
        button.click()
        page.clock.fast_forward(710)
        page.wait_for_function("() => document.querySelector('button').textContent === 'play'")
        check(page, 0, 3, 12)
        page.clock.fast_forward(600)
        assert heard()[1:] == [said(page)]
        button.click()  # at the end it begins anew
        check(page, 0, 0, 12)
        for frame in (1, 2):
            page.clock.fast_forward(710)
            page.wait_for_function(
                "frame => document.querySelector('input').value >= frame", arg=frame
            )
        assert len(heard()) == 2  # two snapshots were passed and not read out
        press(page, slider(page, "training step"), "End")  # moved to the end by hand, it stops
        assert button.inner_text() == "play"
        page.clock.fast_forward(900)
        check(page, 0, 3, 12)


def test_one_snapshot_is_soon_played(on_page):
    table = pecode.sinusoidal(range(8), 4)
    recording = {"task": "near", "steps": [5], "tables": [table], "accuracy": [0.5]}
    with on_page(Playback([recording]), clock=True, **MOVING) as page:
        button = page.locator(".moving-figure button")
        button.click()
        assert button.inner_text() == "pause"
        page.clock.fast_forward(900)
        assert button.inner_text() == "play"


def test_with_reduced_motion_a_press_is_one_step(on_page):
    figure = Playback(recordings(), frame=2)
    with on_page(figure, clock=True) as page:
        button = page.locator(".moving-figure button")
        assert button.inner_text() == "next step"
        for frame, name in [(3, "start again"), (0, "next step"), (1, "next step")]:
            press(page, button, "Space")
            check(page, 0, frame, 12)
            assert button.inner_text() == name
        page.clock.fast_forward(900)
        check(page, 0, 1, 12)
