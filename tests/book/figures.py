"""Compare two drawings of the same figure: the one that is stored and the one just drawn.

Another processor rounds the last digit differently, and then a line may have its bends elsewhere on
the same curve. So what is compared is what a reader sees: the same shapes and texts in the same
order and colors, each of them where it was, up to half a pixel.
"""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path
from matplotlib.colors import to_rgb
from matplotlib.path import Path
from PIL import Image

SLACK = 0.5  # pixels by which a shape may be elsewhere
TINT = 3  # of 255, by which a color may differ: that of a value on a color map
SHADE = 0.02  # by which an opacity may differ
WHOLE, CELL = 2.0, 24.0  # of 255: root mean square of a heat map, largest difference of a cell
STEP = 2.0  # pixels between two points of a line that are looked at
COLORS = ("fill", "stroke")
PLACES = ("x", "y", "width", "height", "cx", "cy", "r", "stroke-width", "font-size")
SLACKS = dict.fromkeys((*PLACES, "viewBox", "transform"), SLACK)
SLACKS |= dict.fromkeys(("fill-opacity", "stroke-opacity", "opacity"), SHADE)
# What a pen is told to draw, as matplotlib has it.
CODES = {"moveTo": Path.MOVETO, "lineTo": Path.LINETO, "qCurveTo": Path.CURVE3,
         "curveTo": Path.CURVE4, "closePath": Path.CLOSEPOLY}  # fmt: skip


def compare_outputs(stored, fresh):
    """Return a list of sentences: how the figures of a cell differ from the stored ones."""
    stored, fresh = drawings(stored), drawings(fresh)
    if len(stored) != len(fresh):
        return [f"the cell draws {len(fresh)} figures, {len(stored)} are stored"]
    found = []
    for count, (old, new) in enumerate(zip(stored, fresh, strict=True), start=1):
        found += [f"figure {count} of the cell: {each}" for each in differences(old, new)]
    return found


def drawings(outputs):
    """Return the figures among the outputs of a cell, as texts."""
    kinds = ("image/svg+xml", "image/png")  # a PNG is no drawing: it is as good as another figure
    data = [out.get("data", {}) for out in outputs]
    return ["".join(each[kind]) for each in data for kind in kinds if kind in each]


def differences(old, new):
    """Return how two drawings differ, as sentences; at most three.

    >>> line = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0l9 9" stroke="#000000"/></svg>'
    >>> differences(line, line.replace("l9 9", "l4.5 4.5 4.5 4.5"))  # the same line, with a point
    []
    >>> differences(line, line.replace("l9 9", "l9 8"))
    ['path 2 is 1.0 pixels away from where it is stored']
    """
    if old == new:
        return []
    if not all(text.startswith("<svg") for text in (old, new)):
        return ["it is not an SVG that begins with <svg"]
    old, new = marks(old), marks(new)
    kinds = [[kind for kind, *_ in each] for each in (old, new)]
    if kinds[0] != kinds[1]:
        counts = [{kind: each.count(kind) for kind in sorted({*each})} for each in kinds]
        return [f"its elements are {counts[1]}, {counts[0]} are stored, or in another order"]
    found = []
    for count, (before, now) in enumerate(zip(old, new, strict=True), start=1):
        found += [f"{now[0]} {count} {said}" for said in different(before, now)]
    return found[:3]


def marks(text):
    """Return what is drawn: tuples (kind, attributes with those of its groups, content)."""
    found = []
    walk(ElementTree.fromstring(text), {}, found)
    return found


def walk(node, inherited, found):
    """Collect the elements below a node."""
    kind = node.tag.rpartition("}")[2]
    attributes = {**inherited, **node.attrib}
    if kind in ("svg", "g"):
        if kind == "svg":  # the page itself, or a box outside of which nothing is seen
            found.append((kind, dict(node.attrib), ""))
            attributes = {name: value for name, value in attributes.items() if name not in PLACES}
            attributes.pop("viewBox", None)
        for child in node:
            walk(child, attributes, found)
        return
    content = "".join(ElementTree.tostring(child, encoding="unicode") for child in node)
    found.append((kind, attributes, (node.text or "") + content))


def different(old, new):
    """Yield in what two elements of one kind differ."""
    (kind, before, text), (_, now, other) = old, new
    if text != other:
        yield f"says {other!r}, {text!r} is stored"
    if before.keys() != now.keys():
        yield f"has {sorted(before.keys() ^ now.keys())} in one of the two only"
        return
    for name, value in now.items():
        if value != before[name] and not alike(name, before[name], value):
            yield f"has {name} {shortened(value)}, {shortened(before[name])} is stored"
    if kind == "path" and before["d"] != now["d"]:
        away = largest_gap(before["d"], now["d"])
        if not away <= SLACK:
            yield f"is {away:.1f} pixels away from where it is stored"


def shortened(value):
    """Return a value, or its beginning."""
    return value if len(value) < 40 else f"{value[:37]}…"


def alike(name, old, new):
    """Say whether two values of an attribute look the same."""
    if name == "d":
        return True  # see largest_gap
    if name == "href":
        return same_image(old, new)
    if name in COLORS and old.startswith("#") and new.startswith("#"):
        return np.abs(np.subtract(to_rgb(old), to_rgb(new))).max() * 255 <= TINT + 1e-9
    if name not in SLACKS:
        return False
    numbers = [[float(each) for each in re.findall(r"-?[\d.]+", text)] for text in (old, new)]
    letters = [re.sub(r"-?[\d.]+", "", text) for text in (old, new)]
    return letters[0] == letters[1] and np.abs(np.subtract(*numbers)).max() <= SLACKS[name]


def same_image(old, new):
    """Say whether two small pictures show the same values."""
    old, new = pixels(old), pixels(new)
    if old.shape != new.shape:
        return False
    away = np.abs(old - new)
    return np.sqrt((away**2).mean()) <= WHOLE and away.max() <= CELL


def pixels(href):
    """Return the picture of a data address on white paper: (height, width, 3)."""
    image = Image.open(io.BytesIO(base64.b64decode(href.partition(",")[2]))).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    return np.asarray(Image.alpha_composite(paper, image).convert("RGB"), dtype=float)


def largest_gap(old, new):
    """Return how far two paths are from each other, in pixels, where they are farthest."""
    old, new = segments(old), segments(new)
    if not len(old) or not len(new):
        return np.inf
    return max(farthest(old, new), farthest(new, old))


def farthest(lines, others):
    """Return the largest distance of a point of some segments to others: arrays (n, 2, 2)."""
    counts = np.ceil(np.hypot(*(lines[:, 1] - lines[:, 0]).T) / STEP).astype(int) + 1
    shares = np.concatenate([np.linspace(0, 1, count + 1) for count in counts])[:, None]
    begin, end = (np.repeat(lines[:, side], counts + 1, axis=0) for side in (0, 1))
    points = begin + shares * (end - begin)
    return max(to_segments(points[k : k + 500], others).max() for k in range(0, len(points), 500))


def to_segments(points, lines):
    """Return the distance of each point to the nearest segment."""
    along = lines[:, 1] - lines[:, 0]
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    way = points[:, None] - lines[None, :, 0]
    share = np.clip((way * along).sum(axis=2) / length, 0, 1)
    return np.hypot(*(way - share[..., None] * along).transpose(2, 0, 1)).min(axis=1)


def segments(d):
    """Return a path as straight segments (n, 2, 2).

    >>> segments("M1 2h3v-1z")[:, 1].tolist()
    [[4.0, 2.0], [4.0, 1.0], [1.0, 2.0]]
    """
    pen, points, codes = RecordingPen(), [], []
    parse_path(d, pen)
    for name, stops in pen.value:
        if name in CODES:  # an open path ends with nothing to draw
            stops = stops or [(0, 0)]  # matplotlib wants a point with each code
            points += stops
            codes += [CODES[name]] * len(stops)
    lines = Path(points, codes).to_polygons(closed_only=False)
    found = np.concatenate([np.stack([line[:-1], line[1:]], axis=1) for line in lines])
    moved = found[(found[:, 0] != found[:, 1]).any(axis=1)]
    return moved if len(moved) else found
