"""Compare two pictures of the same figure: the one that is stored and the one just drawn."""

import base64
import io

import numpy as np
from PIL import Image

# The same data drawn by another FreeType or another processor differs at the edges of letters and
# lines, by a little and thinly spread. A changed curve differs by much in some place. So the
# picture is compared as a whole and block by block; both limits are root mean squares, of 255.
WHOLE = 2.0
BLOCK = 24.0
BLOCK_SIZE = 16  # pixels
SIZE_SLACK = 1  # pixels: a label that is one pixel wider moves the edge of the picture


def compare_outputs(stored, fresh):
    """Return a list of sentences: how the pictures of a cell differ from the stored ones."""
    stored, fresh = pictures(stored), pictures(fresh)
    if len(stored) != len(fresh):
        return [f"the cell draws {len(fresh)} figures, {len(stored)} are stored"]
    problems = []
    for count, (old, new) in enumerate(zip(stored, fresh, strict=True), start=1):
        if problem := difference(old, new):
            problems.append(f"figure {count} of the cell: {problem}")
    return problems


def pictures(outputs):
    """Return the PNGs among the outputs of a cell, decoded: a list of (height, width, 3)."""
    encoded = [out["data"]["image/png"] for out in outputs if "image/png" in out.get("data", {})]
    return [_pixels(base64.b64decode(text)) for text in encoded]


def _pixels(png):
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")  # what is transparent shows the page
    return np.asarray(Image.alpha_composite(paper, image).convert("RGB"), dtype=float)


def difference(old, new):
    """Return how two pictures differ, as a sentence, or an empty string.

    >>> white = np.full((64, 64, 3), 255.0)
    >>> difference(white, white)
    ''
    >>> spotted = white.copy()
    >>> spotted[:8, :8] = 0
    >>> difference(white, spotted)
    'RMS 31.9 over the whole (limit 2.0), RMS 127.5 at row 0, column 0 (limit 24.0)'
    """
    if any(abs(a - b) > SIZE_SLACK for a, b in zip(old.shape, new.shape, strict=True)):
        return f"{_size(new)} pixels, the stored one has {_size(old)}"
    # Pictures of two sizes are laid on each other in every way that fits; the best way counts.
    ways = [_worst(a, b) for a, b in _overlaps(old, new)]
    whole, block, row, column = min(ways, key=lambda way: (way[1], way[0]))
    if whole <= WHOLE and block <= BLOCK:
        return ""
    return (
        f"RMS {whole:.1f} over the whole (limit {WHOLE}), RMS {block:.1f} at row "
        f"{row * BLOCK_SIZE}, column {column * BLOCK_SIZE} (limit {BLOCK})"
    )


def _overlaps(old, new):
    height, width = np.minimum(old.shape[:2], new.shape[:2])
    for top in range(abs(old.shape[0] - new.shape[0]) + 1):
        for left in range(abs(old.shape[1] - new.shape[1]) + 1):
            yield [
                picture[top * (picture.shape[0] > height) :, left * (picture.shape[1] > width) :][
                    :height, :width
                ]
                for picture in (old, new)
            ]


def _worst(old, new):
    """RMS over the whole, RMS of the worst block, and where that is."""
    squared = ((old - new) ** 2).mean(axis=2)  # (height, width)
    blocks = _block_means(squared)
    row, column = np.unravel_index(blocks.argmax(), blocks.shape)
    return np.sqrt(squared.mean()), np.sqrt(blocks[row, column]), row, column


def _size(picture):
    return f"{picture.shape[1]} × {picture.shape[0]}"


def _block_means(values):
    """Mean of every block; the last ones may be smaller."""
    height, width = values.shape
    rows, columns = np.arange(0, height, BLOCK_SIZE), np.arange(0, width, BLOCK_SIZE)
    sums = np.add.reduceat(np.add.reduceat(values, rows, axis=0), columns, axis=1)
    heights, widths = np.diff([*rows, height]), np.diff([*columns, width])
    return sums / np.outer(heights, widths)
