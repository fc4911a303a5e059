"""Make silent films of moving figures, for slides and other people's pages: `make films`.

python -m tools.films     (after `make book`; needs Chromium and ffmpeg)

Each film is taken from the figure's own page, picture by picture, on a clock that the program moves
on: the same code gives the same film. WebM (VP9) and GIF go to _build/films, with the captions,
which also stand in the picture, as a file of their own. The next build puts them on the site.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from pecode import figures
from pecode.figures.base import fingerprint
from tools import browser
from tools.home import CONFIG, HTML, ROOT

TARGET = ROOT / "_build" / "films"
RATE, GIF_RATE = 20, 10  # pictures a second
LIMIT = 1_500_000  # bytes of a file
CREDIT = f"{CONFIG['title']}. CC BY 4.0"
NO_FFMPEG = "no ffmpeg found. Debian and Ubuntu: `apt install ffmpeg`"

# A film shows what paper shows: no sliders. The sentence below the figure changes too fast for it.
STAGE = """([style, credit, room]) => {
  const make = (tag, name, text) =>
    Object.assign(document.createElement(tag), { className: name, textContent: text });
  const caption = make("p", "film-caption", "");
  for (const text of room) caption.append(make("span", "", text));
  document.head.append(make("style", "", style));
  document.querySelector(".moving-figure").append(caption, make("p", "film-credit", credit));
}"""
STYLE = """
.figure-alone > main > p, .anyhost-source { display: none }
.moving-figure { width: 736px }
.moving-figure :is(.ex-controls, .ex-reading, .ex-more, .ex-note, .ex-moves,
  .ex-drawings > p) { position: absolute; left: -3000px }
.film-caption { display: grid; font-size: 19px; line-height: 1.35; margin: 12px 0 0 }
.film-caption span { grid-area: 1 / 1; visibility: hidden }
.film-caption .shown { visibility: visible }
.film-credit { color: var(--ex-soft); font-size: 13px; margin: 6px 0 0 }
"""
SAY = """(shown) => [...document.querySelectorAll(".film-caption span")].forEach((line, k) =>
  line.classList.toggle("shown", k === shown))"""
# The controls are not seen, so no key reaches them: what the browser would make of it.
PUT = """(input, value) => {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}"""
PRESS = """(input, key) => {
  input.dispatchEvent(new KeyboardEvent("keydown", { key }));
  key === "ArrowRight" ? input.stepUp() : input.stepDown();
  input.dispatchEvent(new Event("input", { bubbles: true }));
}"""
# What the style sheet moves keeps time with the pictures.
KEEP_TIME = """(passed) => {
  for (const animation of document.getAnimations()) {
    animation.pause();
    animation.currentTime += passed;
  }
}"""


class Scene(NamedTuple):
    """Seconds of a film with their caption; what is done at its start, and again and again."""

    seconds: float
    caption: str
    start: tuple = ()
    again: tuple = ()
    every: float = 1.0


def put(name, value):
    """Return what moves a slider to a value."""
    return ("slider", name, value)


def click(name):
    """Return what presses a button, or ticks a box."""
    return ("click", name)


PLAY = click("play")
FILMS = {
    "WordClock": [
        Scene(2, "To self-attention, words come without an order.", (put("position t", 0),)),
        Scene(8.5, "So every word gets four hands, each half as fast as the one before.", (PLAY,)),
        Scene(3.5, "Their sines and cosines are its row, and no other word has that row."),
    ],
    "Shuffle": [
        Scene(2.5, "Five words, and what self-attention makes of each: 16 numbers."),
        Scene(
            4, "Move the dog: every word keeps its output. Order goes unnoticed.",
            again=(click("move dog right"),), every=1.2,
        ),
        Scene(
            4, "Add a vector for each position, and every output changes.",
            (click("add a vector for each position"),),
        ),
        Scene(2.5, "Now the order shows.", again=(click("move bit right"),), every=1.2),
    ],
    "Bits": [
        Scene(5, "Count in binary. Some steps flip one bit.", (put("position", 2), PLAY)),
        Scene(5.5, "Others set off a carry, and many bits flip at once."),
        Scene(4.5, "So neighbors may be far apart: the jump goes through the cube."),
    ],
    "Curve": [
        Scene(
            5.5, "Three hands turn, each half as fast as the one before.",
            (put("position t", 0), PLAY),
        ),
        Scene(6, "Their sines draw one curve. It crosses itself: sines alone are not enough."),
    ],
    "TwoWaves": [
        Scene(4.5, "How far up the hand points is its cosine.", (put("position t", 0), PLAY)),
        Scene(5.5, "How far right is its sine. Both together say where it points."),
    ],
    "Clock": [
        Scene(
            6.5, "To move a position by Δ, turn each hand by an angle of its own.",
            (put("offset Δ", 0),), (("press", "offset Δ", "ArrowRight"),), 0.5,
        ),
        Scene(6, "Wherever the hands stand, the same matrix makes the same move.", (PLAY,)),
    ],
    "TwoTurns": [
        Scene(
            7, "Query and key walk together: the hands turn, and the score stays.",
            (put("query at t", 30), put("key at s", 10), PLAY),
        ),
        Scene(
            5, "Only when their distance changes does the score change.",
            (click("pause"),), (("press", "key at s", "ArrowRight"),), 0.35,
        ),
    ],
}  # fmt: skip


def act(page, kind, name, value=None):
    """Do what a reader does."""
    slider = page.get_by_role("slider", name=name, exact=True)
    if kind == "slider":
        slider.evaluate(PUT, value)
    elif kind == "press":
        slider.evaluate(PRESS, value)
    else:
        control = page.locator(f"button:text-is({name!r}), button[aria-label={name!r}]")
        control = control.or_(page.get_by_role("checkbox", name=name))
        control.first.evaluate("node => node.click()")  # the film does not show it


def take(page, name, scenes, folder):
    """Open the page of a figure and store the film, picture by picture; returns how many."""
    page.clock.install(time=0)
    page.goto(f"{(HTML / 'figures' / figures.FIGURES[name]).as_uri()}.html?theme=light")
    page.wait_for_function(browser.MOUNTED)
    page.evaluate("document.fonts.ready")
    page.evaluate(STAGE, [STYLE, CREDIT, [scene.caption for scene in scenes]])
    page.clock.pause_at(60_000)
    box = page.locator(".moving-figure").bounding_box()
    # Videos have even sides.
    clip = {side: int(box[side]) for side in "xy"} | {
        side: 2 * round(box[side] / 2) for side in ("width", "height")
    }
    count = 0
    for number, scene in enumerate(scenes):
        page.evaluate(SAY, number)
        for action in scene.start:
            act(page, *action)
            page.clock.run_for(1)
        for k in range(round(scene.seconds * RATE)):
            if k % round(scene.every * RATE) == 0:
                for action in scene.again:
                    act(page, *action)
            page.clock.run_for(1000 // RATE)
            page.evaluate(KEEP_TIME, 1000 // RATE)
            page.screenshot(path=folder / f"{count:04}.png", clip=clip)
            count += 1
    return count


def encode(folder, path):
    """Make a WebM and a GIF of the pictures of a folder."""
    quiet = ["ffmpeg", "-y", "-v", "error", "-framerate", str(RATE), "-i", f"{folder}/%04d.png"]
    same = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]
    vp9 = ["-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "33", "-pix_fmt", "yuv420p"]
    subprocess.run([*quiet, *vp9, *same, path.with_suffix(".webm")], check=True)
    palette = (
        f"fps={GIF_RATE},split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];"
        "[b][p]paletteuse=dither=none:diff_mode=rectangle"
    )
    subprocess.run([*quiet, "-filter_complex", palette, path.with_suffix(".gif")], check=True)


def captions(name, scenes):
    """Return the captions with their times, after what the figure shows, as WebVTT."""
    parts, start = ["WEBVTT", f"NOTE {getattr(figures, name).alt} {CREDIT}."], 0.0
    for scene in scenes:
        times = f"00:{start:06.3f} --> 00:{start + scene.seconds:06.3f}"
        parts.append(f"{times}\n{scene.caption}")
        start += scene.seconds
    return "\n\n".join(parts) + "\n"


def make(chromium, name, scenes, target):
    """Make the film of a figure, and note of what code it is."""
    target.mkdir(parents=True, exist_ok=True)
    path = target / figures.FIGURES[name]
    with tempfile.TemporaryDirectory() as folder:
        page = chromium.new_page(viewport={"width": 760, "height": 1400})
        take(page, name, scenes, Path(folder))
        page.close()
        encode(folder, path)
    path.with_suffix(".vtt").write_text(captions(name, scenes), encoding="utf8")
    sizes = [path.with_suffix(suffix).stat().st_size for suffix in (".webm", ".gif")]
    if max(sizes) > LIMIT:
        raise ValueError(f"{name}: expected at most {LIMIT} bytes, got {sizes}: make it shorter")
    seconds = sum(scene.seconds for scene in scenes)
    note = {"figure": name, "seconds": seconds, "code": fingerprint(getattr(figures, name))}
    path.with_suffix(".json").write_text(json.dumps(note), encoding="utf8")
    print(
        f"{path.name}: {seconds:g} s, WebM and GIF of {sizes[0]} and {sizes[1]} bytes", flush=True
    )


def main():
    """Make the films of all figures that have one."""
    if not shutil.which("ffmpeg"):
        sys.exit(NO_FFMPEG)
    with browser.opened() as chromium:
        for name, scenes in FILMS.items():
            make(chromium, name, scenes, TARGET)


if __name__ == "__main__":
    main()
