"""The signs of heat maps, for paper and for screens without colors."""

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import signs

from pecode.figures.style import MAGNITUDE, SIGNED, add_what_matplotlib_lacks
from pecode.figures.svg import as_svg

add_what_matplotlib_lacks()
VALUES = np.array([[-1, 0.9, -0.2, -0.05], [0.3, -0.6, -0.7, 1], [1, 0, -0.3, -1]])
LINE = re.compile(r"M([-\d.]+) ([-\d.]+)h([\d.]+)")


def drawn(values, cmap=SIGNED, numbers=False):
    """Return a heat map as the notebooks store it, and the place of its picture."""
    figure, ax = plt.subplots(figsize=(4, 3), dpi=100)
    ax.set_position([0.25, 0.25, 0.5, 0.5])
    ax.imshow(values, cmap=cmap, vmin=-1, vmax=1, aspect="auto", interpolation="none")
    if numbers:
        ax.text(1, 1, "0.5")
    drawing = as_svg(figure)
    plt.close(figure)
    return drawing, signs.place(signs.IMAGE.search(drawing)[0])


def cells_of(paths, place, shape):
    """Return which cells the lines cross, with the kind of each line."""
    left, top, width, height = place
    found = np.full(shape, "    ")
    for kind, path in zip(("pale", "dark"), paths, strict=True):
        for x, y, long in (map(float, line) for line in LINE.findall(path)):
            row = int((y - top) / height * shape[0])
            first, last = ((end - left) / width * shape[1] for end in (x, x + long))
            found[row, int(first) : int(last) + 1] = kind
    return found


def paths_of(drawing):
    return re.findall(r'<path stroke="[^"]*" d="([^"]*)"/>', drawing.partition('"minus"')[2])[:2]


def test_each_negative_cell_has_a_minus_and_no_other():
    drawing, place = drawn(VALUES)
    paths = paths_of(signs.signed(drawing))
    kinds = np.where(VALUES <= -0.4, "dark", np.where(VALUES <= -0.1, "pale", "    "))
    assert (cells_of(paths, place, VALUES.shape) == kinds).all()
    assert len(LINE.findall("".join(paths))) == (kinds != "    ").sum()  # each has its own


def test_low_cells_share_a_line_and_the_lines_keep_apart():
    values = np.repeat(VALUES, 30, axis=0)
    drawing, place = drawn(values)
    paths = paths_of(signs.signed(drawing))
    crossed = cells_of(paths, place, values.shape) != "    "
    assert not crossed[values > -0.1].any()
    with_lines = crossed.any(axis=1)
    assert (crossed == (values <= -0.1))[with_lines].all()
    heights = sorted({float(y) for _, y, _ in LINE.findall("".join(paths))})
    assert 10 < len(heights) < 90
    assert np.diff(heights).min() >= signs.PITCH - 0.2
    assert len(LINE.findall(paths[1])) < crossed.sum()


@pytest.mark.parametrize(
    ("values", "cmap", "numbers"),
    [
        (np.abs(VALUES) - 1, MAGNITUDE, False),  # blue means large
        (np.abs(VALUES), SIGNED, False),
        (VALUES, SIGNED, True),  # the numbers say their sign
        (VALUES[:, :1], SIGNED, False),  # a color bar alone
    ],
)
def test_other_maps_have_none(values, cmap, numbers):
    drawing, _ = drawn(values, cmap, numbers=numbers)
    assert signs.IMAGE.search(drawing)
    assert signs.signed(drawing) == drawing


def test_on_a_screen_the_signs_are_hidden():
    drawing, _ = drawn(VALUES)
    assert '<g class="minus" display="none"' in signs.signed(drawing)
