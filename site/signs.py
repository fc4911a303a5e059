"""Signs for heat maps on paper: where a printer has no colors, blue and red are one gray.

A minus is drawn on every cell below zero. Cells that are too small for one get a line through
several of them, and of rows that are too low only some have lines. The color bar has them, too,
so it explains them. On a screen with colors they are not shown (`minus` in book.css).
"""

import base64
import io
import re
from itertools import groupby
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from pecode.figures.style import BLUE, RED
from pecode.figures.svg import number

IMAGE = re.compile(r'<image [^>]*href="data:image/png;base64,([^"]*)"[^>]*/>')
FAINT, STRONG = 0.1, 0.4  # opacity: below the one a cell counts as zero, above the other as dark
PITCH = 4  # pixels from line to line, at least
CELL = 9  # pixels: so high is a cell with a minus of its own
LINES = (
    '<g class="minus" display="none" stroke-width="1">'
    f'<path stroke="{BLUE}" d="{{pale}}"/><path stroke="#ffffff" d="{{dark}}"/></g>'
)


def signed(drawing):
    """Return a figure of `pecode.figures.svg` with a minus on each negative cell of its maps."""
    maps = [pixels(found[1]) for found in IMAGE.finditer(drawing)]
    if not any(shown(each, RED).any() for each in maps) or has_numbers(drawing):
        return drawing  # blue is then a magnitude, or each cell says its sign
    if all(each.shape[1] == 1 for each in maps):
        return drawing  # a color bar alone: its colors are those of dots
    each = iter(maps)
    return IMAGE.sub(lambda found: found[0] + minuses(found[0], next(each)), drawing)


def pixels(data):
    """Return the picture of a map as an array, a row for each row of cells."""
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        return np.asarray(image.convert("RGBA")) / 255


def shown(cells, color):
    """Return how opaque each cell is where it has this color, elsewhere zero."""
    rgb = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(np.isclose(cells[..., :3], rgb).all(axis=-1), cells[..., 3], 0)


def has_numbers(drawing):
    """Say whether a text stands on a map."""
    boxes = [place(found[0]) for found in IMAGE.finditer(drawing)]
    points = re.findall(r'<text[^>]* x="([^"]*)" y="([^"]*)"', drawing)
    return any(
        left < float(x) < left + width and top < float(y) < top + height
        for x, y in points
        for left, top, width, height in boxes
    )


def place(image):
    """Return left, top, width and height of an image."""
    attributes = ElementTree.fromstring(image).attrib
    return [float(attributes[name]) for name in ("x", "y", "width", "height")]


def minuses(image, cells):
    """Return the signs of one map: those on pale cells are blue, those on dark ones white."""
    left, top, width, height = place(image)
    depth = shown(cells, BLUE)
    n_rows, n_columns = depth.shape
    wide, high = width / n_columns, height / n_rows
    single = high >= CELL
    every = int(np.ceil(PITCH / high))
    paths = {"pale": "", "dark": ""}
    for row in range(every // 2, n_rows, every):
        y = number(top + (row + 0.5) * high)
        for kind, start, count in runs(depth[row], single):
            long = min(0.5 * wide, CELL - 1) if single else count * wide - 1
            x = left + (start + count / 2) * wide - long / 2
            paths[kind] += f"M{number(x)} {y}h{number(long)}"
    return LINES.format(**paths) if any(paths.values()) else ""


def runs(depth, single):
    """Yield the kind, the start and the length of each run of negative cells in a row."""
    kinds = ["dark" if value >= STRONG else "pale" if value >= FAINT else "" for value in depth]
    for (kind, _), group in groupby(enumerate(kinds), lambda at: (at[1], single and at[0])):
        places = [column for column, _ in group]
        if kind:
            yield kind, places[0], len(places)
