"""Playback: similarities, accuracy and the text of a recorded training against numpy."""

import json

import numpy as np
import pytest
from traitlets import TraitError

from figures import Playback

from .data import recordings
from .page import (
    cells,
    choose,
    click,
    near,
    number,
    numbers,
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
)
from .values import refuses, takes


def test_values():
    assert repr(Playback()) == "Playback(frame=0, position=12, task=0)"
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


def test_it_starts_before_the_training_and_knows_its_limits():
    figure = Playback([a_recording(), a_recording(task="denoise")], task=1)
    assert repr(figure) == "Playback(frame=0, position=7, task=1)"
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
    step = recording["steps"][frame]
    accuracy = number(round(recording["accuracy"][frame], 4))
    start = (
        f"“{recording['task']}”, {f'after {step} steps' if step else 'before training'}: "
        f"accuracy {accuracy}; row {position} "
    )
    if not values[position].any():
        return start + "holds zeros, so it has no direction."
    away = abs(nearest[position] - position)
    return (
        f"{start}is most like row {nearest[position]} (cosine "
        f"{number(values[position, nearest[position]])}), "
        f"{'a neighbor' if away == 1 else f'{away} positions away'}."
    )


def numbers_text(recording, values, nearest):
    in_line = (np.abs(nearest - np.arange(32)) == 1).sum()
    return (
        f"“{recording['task']}”: the cosine of two neighbors is "
        f"{number(np.diagonal(values, 1).mean())} on average, and {in_line} of 32 rows "
        f"{'is' if in_line == 1 else 'are'} most like a neighbor."
    )


def check_panel(page, k, recording, values, nearest, frame, position):
    """Compare the three drawings of a task with what numpy computes."""
    accuracy, front, column = (3 * k + drawing for drawing in range(3))
    steps, scores = np.array(recording["steps"]), np.round(recording["accuracy"], 4)
    curve = np.stack([34 + 256 * steps / steps[-1], 10 + 58 * (1 - scores)], axis=1)
    assert near(path(page, f"{accuracy} path", -1), curve)
    assert near(sizes(page, f"{accuracy} circle", "cx", "cy"), [curve[frame]], 1e-6)
    assert near(cells(page, k), values, 0.005)
    frames = sizes(page, f"{front} rect[stroke='var(--ex-ink)']", "x", "width")
    assert frames.tolist() == [[34 + 8 * position, 8]]
    dots = np.stack([34 + 8 * (np.arange(32) + 0.5), 68 - 40 * values[position]], axis=1)
    assert near(path(page, f"{column} path", -1), dots)
    ring, now = sizes(page, f"{column} circle", "cx", "cy")
    assert near([now, ring], dots[[position, nearest[position]]], 1e-6)
    place = dots[nearest[position], 0]
    *_, (name, where) = shapes(page, f"{column} text", "text", "x")
    assert (name, float(where)) == (str(nearest[position]), place)
    for x, visibility in shapes(page, f"{column} text[visibility]", "x", "visibility"):
        assert visibility == ("hidden" if abs(float(x) - place) < 20 else "visible")


def check(page, task, frame, position):
    """Compare the pictures and the text with what numpy computes."""
    found = []
    for recording in recordings():
        values = similarities(recording["tables"][frame])
        nearest = (values - 3 * np.eye(32)).argmax(axis=1)
        found.append((recording, values, nearest))
    assert said(page) == playback_text(*found[task], frame, position)
    rest = "Each table has a row for each position from 0 to 31, and was recorded at the 4 dots"
    assert numbers(page) == (
        f"{' '.join(numbers_text(*one) for one in found)} {rest} of its accuracy."
    )
    for k, one in enumerate(found):
        check_panel(page, k, *one, frame, position)


def test_keys_mouse_and_touch(on_page):
    with on_page(Playback(recordings()), has_touch=True) as page:
        check(page, 0, 0, 12)
        assert texts(page, ".pb-task p") == ["near: find what is near", "far"]
        step, position = slider(page, "training step"), slider(page, "position")
        press(page, step, "ArrowRight", 2)
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
        click(page, position, 0)
        click(page, step, 0.99, tap=True)
        check(page, 0, 3, 0)
        first, second = (page.locator(".pb-task svg").nth(k) for k in (1, 4))
        click(page, second, (34 + 8 * 20.5) / 304)  # a click chooses the task, too
        check(page, 1, 3, 20)
        click(page, first, (34 + 8 * 7.5) / 304, tap=True)
        check(page, 0, 3, 7)
        swipe(page, first, 80)  # from the middle, which is 152 across
        check(page, 0, 3, 24)
        swipe(page, first, 200)  # beyond the edge of the map
        check(page, 0, 3, 31)
        box = first.bounding_box()
        for x, y in [(150, 14), (10, 186), (150, 300)]:  # beside the map is no position
            page.mouse.click(box["x"] + x, box["y"] + y)
        assert slider(page, "position").input_value() == "31"


def test_on_a_narrow_screen_the_chosen_task_is_drawn(on_page):
    with on_page(Playback(recordings())) as page:
        panels = page.locator(".pb-task").all()
        boxes = [panel.bounding_box() for panel in panels]
        assert boxes[0]["y"] == boxes[1]["y"]  # side by side
        for width in (360, 390, 600):
            page.set_viewport_size({"width": width, "height": 844})
            for task in (0, 1):
                choose(page, "task", task)
                assert [panel.is_visible() for panel in panels] == [task == 0, task == 1]


@pytest.mark.parametrize("rows", [2, 32, 64])
def test_below_the_last_row_of_the_map_there_is_none(rows, on_page):
    table = np.random.default_rng(0).normal(size=(rows, 4))
    recording = {"task": "near", "steps": [5], "tables": [table], "accuracy": [0.5]}
    with on_page(Playback([recording])) as page:
        written = {text: float(y) for text, y in shapes(page, "1 text", "text", "y")}
        [(y, tall, fill)] = shapes(page, "1 rect[stroke-dasharray]", "y", "height", "fill")
        name = written[f"position {rows}: no row, so no vector"]
        assert 24 + 256 < float(y) < name < float(y) + float(tall)
        assert fill == "none"
        assert cells(page).shape == (rows, rows)
        assert slider(page, "position").get_attribute("max") == str(rows - 1)
        assert page.get_by_role("combobox").count() == 0  # there is one task
        page.get_by_role("button", name="start again").click()  # one snapshot is soon played
        settled(page)
        assert said(page).startswith("“near”, after 5 steps: accuracy 0.50; ")


def test_the_key_has_the_colors_of_the_map(on_page):
    with on_page(Playback(recordings())) as page:
        key = strengths(page, "6 rect")
        assert near(key, np.linspace(-1, 1, 33), 0.001)
        assert texts(page, "6 text") == ["−1", "cosine 0", "1"]


def test_it_plays_from_the_beginning_to_the_end_when_asked(on_page):
    options = {"clock": True, "reduced_motion": "no-preference"}
    with on_page(Playback(recordings()), **options) as page:
        button = page.locator(".ex-play")
        page.clock.fast_forward(900)
        check(page, 0, 0, 12)
        press(page, button, "Enter")
        assert button.inner_text() == "pause"
        page.clock.run_for(5000)
        assert button.inner_text() == "play"
        check(page, 0, 3, 12)


def test_with_reduced_motion_a_press_is_one_step(on_page):
    with on_page(Playback(recordings(), frame=2)) as page:
        button = page.locator(".ex-play")
        for frame, name in [(3, "start again"), (0, "next step"), (1, "next step")]:
            press(page, button, "Space")
            check(page, 0, frame, 12)
            assert button.inner_text() == name
