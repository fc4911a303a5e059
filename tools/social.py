"""Draw the picture that a link to the book shows where it is shared: site/social.png.

python tools/social.py

A ring of dials: each has a hand, and each hand turns more slowly than that of the dial before it.
At the foot are the sines of the same frequencies, position by position.
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle
from PIL import Image

from pecode import frequencies, sinusoidal
from pecode.figures import SIGNED

TARGET = Path(__file__).parents[1] / "site" / "social.png"
WIDTH, HEIGHT = 1200, 630  # pixels; what the services ask for
GROUND, INK, MUTED = "#fffefb", "#22262b", "#59616b"
COLORS = ("#3b7cc4", "#c8741a", "#1f8f80")  # of the logo
POSITION, DIALS, BASE = 11, 12, 50.0  # a small base: all hands move
LINES = ("Positional", "Encoding")
BELOW = "from counting to rotation"
SAID = "A book that runs: every number is computed"


def draw():
    """Return the picture as an array of bytes (HEIGHT, WIDTH, 3)."""
    # A style of matplotlib's own, so that no setting of this machine changes the picture.
    with plt.style.context(["default", {"font.family": "STIXGeneral"}]):
        figure = plt.figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100, facecolor=GROUND)
        page = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, HEIGHT))
        page.axis("off")
        write(page)
        ring(page, center=(905, 375), radius=178)
        strip(figure)
        figure.canvas.draw()
        pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
        plt.close(figure)
    return pixels


def write(page):
    """Write the title, and below it what the book is."""
    for line, height in zip(LINES, (455, 355), strict=True):
        page.text(70, height, line, fontsize=68, color=INK, weight="bold")
    page.text(74, 285, BELOW, fontsize=34, color=COLORS[0], style="italic")
    page.text(74, 205, SAID, fontsize=20, color=MUTED)


def ring(page, center, radius):
    """Draw a dial for each pair of columns of one position, the fastest on top."""
    pairs = sinusoidal(POSITION, 2 * DIALS, base=BASE).reshape(DIALS, 2)
    for number, (sine, cosine) in enumerate(pairs):
        angle = 2 * np.pi * number / DIALS  # clockwise from the top, as hands go
        middle = np.add(center, radius * np.array([np.sin(angle), np.cos(angle)]))
        color = COLORS[number % len(COLORS)]
        page.add_patch(Circle(middle, 39, fill=False, edgecolor=color, linewidth=2.5))
        tip = middle + 29 * np.array([sine, cosine])
        page.plot(*zip(middle, tip, strict=True), color=color, lw=4, solid_capstyle="round")
        page.add_patch(Circle(tip, 6, color=color))
    page.text(*center, f"t = {POSITION}", fontsize=30, color=MUTED, ha="center", va="center")


def strip(figure):
    """Draw the sines of the same frequencies, position by position, at the foot."""
    rows = np.sin(np.outer(frequencies(2 * DIALS, base=BASE), np.arange(120)))  # (DIALS, 120)
    foot = figure.add_axes((0, 0, 1, 0.2))
    foot.imshow(rows, cmap=SIGNED, aspect="auto", interpolation="nearest", vmin=-1, vmax=1)
    foot.axis("off")


def main():
    """Store the picture with few colors: it is flat."""
    image = Image.fromarray(draw()).quantize(256, dither=Image.Dither.NONE)
    image.save(TARGET, optimize=True)
    print(f"{TARGET.name}: {TARGET.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
