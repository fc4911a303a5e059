"""VideoClock: the hands, the curves and the text against pecode."""

import math

import numpy as np
import pytest

import pecode
from figures import VideoClock

from .page import joined, near, number, numbers, path, press, said, shapes, sizes, slider, texts
from .values import refuses, takes


def test_values():
    assert repr(VideoClock()) == "VideoClock(frame=50, slowed=False)"
    takes(VideoClock, frame=[0, 80], slowed=[True, False])
    refuses(VideoClock, frame=[-1, 81, 2.5], slowed=["yes"])


def speeds(slowed):
    omega = pecode.frequencies(16, 256.0)
    if slowed:
        omega[3] = math.tau / 66
    return omega


def alike(frames, slowed, count):
    return np.cos(np.multiply.outer(frames, speeds(slowed)[:count])).mean(axis=-1)


def check(page, frame, slowed=False):
    turns = speeds(slowed) * frame / math.tau
    home = [i for i in range(8) if turns[i] > 0.5 and abs(turns[i] - round(turns[i])) < 0.06]
    who = "no hand is back at its start"
    if len(home) == 1:
        who = f"the hand of pair {home[0]} is back at its start"
    elif home:
        who = f"the hands of pairs {joined(home)} are back at their start"
    elif frame == 0:
        who = "every hand stands at its start"
    where = "inside" if frame < 33 else "beyond"
    assert said(page) == (
        f"Latent frame {frame} is frame {4 * frame + 1} of the video, {where} the clips of the "
        f"training: {who}."
    )
    listed = ", ".join(number(turn) for turn in turns)
    assert numbers(page) == (
        f"Turns since the beginning, pair by pair: {listed}. Likeness to frame 0: "
        f"{number(alike(frame, slowed, 4))} in pairs 0 to 3, "
        f"{number(alike(frame, slowed, 8))} in all eight. Pair 3 makes one turn in "
        f"{number(math.tau / speeds(slowed)[3], 1)} latent frames."
    )
    angles = speeds(slowed) * frame
    tips = np.stack([34 * np.sin(angles), -34 * np.cos(angles)], axis=1)
    assert near(sizes(page, "0 g[data-mark] circle", "cx", "cy"), tips, 1e-6)
    fills = [fill for [fill] in shapes(page, "0 g[data-mark] circle", "fill")]
    assert [i for i, fill in enumerate(fills) if "accent" in fill] == home
    assert [text for text in texts(page, "0 text") if text.endswith("turns")] == [
        f"{number(turn)} turns" for turn in turns
    ]
    for i in range(8):  # what the training has shown, at most all around, with no hand slowed
        end = path(page, "0 path", i)[-1]
        seen = min(32 * speeds(False)[i], math.tau)
        assert near(end, [34 * np.sin(seen), -34 * np.cos(seen)])
    frames = np.arange(161) / 2
    for k, count in enumerate((8, 4)):
        curve = np.stack([28 + 302 * frames / 80, 96 - 60 * alike(frames, slowed, count)], axis=1)
        assert near(path(page, "1 path", k), curve)
    assert near(sizes(page, "1 circle", "cx", "cy"), [[28 + 302 * frame / 80,
                96 - 60 * alike(frame, slowed, 4)]], 1e-6)  # fmt: skip


@pytest.mark.parametrize("slowed", [False, True])
@pytest.mark.parametrize("frame", [0, 1, 13, 25, 32, 33, 50, 66, 80])
def test_frames(frame, slowed, on_page):
    with on_page(VideoClock(frame=frame, slowed=slowed)) as page:
        check(page, frame, slowed)


def test_keys_and_the_slowed_pair(on_page):
    with on_page(VideoClock()) as page:
        check(page, 50)
        assert "pairs 0, 1, 2 and 3 are back" in said(page)
        page.get_by_role("checkbox", name="slow pair 3").check()
        check(page, 50, True)
        assert "pairs 0, 1 and 2 are back" in said(page)
        press(page, slider(page, "latent frame"), "Home")
        check(page, 0, True)
        press(page, slider(page, "latent frame"), "ArrowRight", 7)
        check(page, 7, True)


def test_the_loop_is_where_the_chapter_says():
    """The first four hands return together once, and beyond the clips of the training."""
    four = alike(np.arange(1, 81), False, 4)
    assert four.argmax() + 1 == 50
    assert four.max() > 0.98
    assert np.sort(four)[-4] < 0.95  # 49 and 51 are near, and nothing else is
    assert alike(50, True, 4) < 0.8
