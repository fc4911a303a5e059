"""Figures of matplotlib as small SVG: text stays text, and the colors can follow a page's theme.

matplotlib's own SVG of the book's figures is several times as large, says its colors in `style`,
which a style sheet cannot replace, and needs ids, which two figures of a page must not share. Here
a shape is one element with its color as an attribute, coordinates have a tenth of a pixel, what an
axes cuts off is cut by a nested `<svg>`, and nothing depends on the time or on an earlier figure.
What is too wide for a phone holds a second drawing (figures/narrow.py), which a page's style shows
there in place of the first.
"""

import base64
import io
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from matplotlib.backend_bases import FigureCanvasBase, RendererBase
from matplotlib.colors import to_hex
from matplotlib.path import Path
from matplotlib.transforms import Affine2D

from figures.narrow import narrow

FONTS = "'Source Sans 3', 'Source Sans Pro', sans-serif"  # the page puts its own list in this place
FITTED = "font-size-adjust: 0.486"  # the letters of another font are as high: they keep its room
PAPER = '<rect class="paper" width="100%" height="100%" fill="#ffffff"/>'  # which a page leaves out
LARGE = 60  # pixels: matplotlib draws a lone area as a marker, too
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
CAPS = {"butt": "butt", "round": "round", "projecting": "square"}


def as_svg(figure):
    """Return a figure as the text of an SVG document, in pixels of the page.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    str
        One `<svg class="drawn">`. What this module does not draw (hatches, clipping along a curve,
        smooth shading) makes it matplotlib's own SVG of the whole figure.
    """
    before = figure.canvas
    try:
        try:
            wide = drawn(figure)
            phone = narrow(figure)
            return document(wide, phone and drawn(phone))
        except NotImplementedError:
            held = io.StringIO()
            figure.savefig(held, format="svg", bbox_inches=None, metadata={"Date": None})
            return held.getvalue()
    finally:
        figure.set_canvas(before)


def drawn(figure):
    """Draw a figure and return its renderer."""
    canvas = Canvas(figure)
    figure.draw(canvas.get_renderer())
    return canvas.get_renderer()


def document(wide, phone=None):
    """Return an SVG of one drawing, or of two: the second is seen where a style sheet says so."""
    size = f'width="{number(wide.width)}" height="{number(wide.height)}"'
    shape = f"--phone: {number(phone.width)} / {number(phone.height)}; " if phone else ""
    box = "" if phone else f"{wide.box} "
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawn" {size} '
        f'{box}style="{shape}{FITTED}" font-family="{FONTS}" fill="none">',
        PAPER,
    ]
    if phone:
        parts += [f'<svg class="wide" {wide.box}>', *wide.elements(), "</svg>"]
        parts += [f'<svg class="phone" display="none" {phone.box}>', *phone.elements(), "</svg>"]
    else:
        parts += wide.elements()
    return "\n".join([*parts, "</svg>"])


class Canvas(FigureCanvasBase):
    """What a figure is drawn on: it knows the one renderer of the drawing."""

    def get_renderer(self):
        """Return the renderer; layouts measure their texts with it."""
        if not hasattr(self, "_renderer"):
            self._renderer = Renderer(*self.figure.bbox.size, self.figure.dpi)
        return self._renderer


class Renderer(RendererBase):
    """Writes what a figure draws as elements; y counts downward."""

    def __init__(self, width, height, dpi):
        super().__init__()
        self.width, self.height, self.dpi = width, height, dpi
        self.shapes = []  # (box that cuts it or None, style, element without its style)
        self.flip = Affine2D().scale(1, -1).translate(0, height)

    @property
    def box(self):
        """The attribute that says what part of the plane is seen: all."""
        return f'viewBox="0 0 {number(self.width)} {number(self.height)}"'

    def elements(self):
        """Return all that was drawn, an element a line."""
        parts = []
        for clip, shapes in groupby(self.shapes, lambda shape: shape[0]):
            lines = [
                together(style, [one[2] for one in same])
                for style, same in groupby(shapes, lambda shape: shape[1])
            ]
            parts += [cut(clip, lines)] if clip else lines
        return parts

    # What matplotlib asks

    def get_canvas_width_height(self):
        """Return the size in pixels."""
        return self.width, self.height

    def points_to_pixels(self, points):
        """Return a length in pixels."""
        return points * self.dpi / 72

    def option_image_nocomposite(self):
        """Keep images apart."""
        return True

    def option_scale_image(self):
        """Take images as they are: the browser makes them larger."""
        return True

    # What matplotlib draws

    def draw_path(self, gc, path, transform, rgbFace=None):
        """Draw lines, areas, circles."""
        style, clip = self._style(gc, rgbFace), rectangle(gc)
        circle = as_circle(path, transform)
        if circle:
            x, y, radius = circle
            inside = overlaps(clip, x - radius, y - radius, x + radius, y + radius)
            element = self._circle(x, y, radius)
        else:
            points = transform.transform(path.vertices)
            points = points[np.isfinite(points).all(axis=1)]
            if not len(points):
                return
            inside = overlaps(clip, *points.min(axis=0), *points.max(axis=0))
            line = rgbFace is None and path.codes is None
            cutting = line and clip is not None and inside == "partly"
            d = outline(path, transform + self.flip, self._turned(clip) if cutting else None, line)
            if not d:
                return
            inside = "whole" if cutting else inside
            element = f'path d="{d}"'
        if inside and style:
            self._add(style, element, clip if inside == "partly" else None)

    def draw_markers(self, gc, marker_path, marker_trans, path, trans, rgbFace=None):
        """Draw a marker at each point that is not cut off."""
        if np.ptp(marker_trans.transform(marker_path.vertices), axis=0).max() > LARGE:
            super().draw_markers(gc, marker_path, marker_trans, path, trans, rgbFace)
            return
        if len(marker_path.vertices) < 3:  # a tick has no area
            rgbFace = None
        clip, style = rectangle(gc), self._style(gc, rgbFace)
        circle = as_circle(marker_path, marker_trans)
        if circle and style.get("stroke") == style.get("fill") and "stroke-opacity" not in style:
            radius = circle[2] + float(style.get("stroke-width", 0)) / 2  # one disk
            circle, style = (*circle[:2], radius), {"fill": style["fill"]}
        for points, _ in path.iter_segments(trans, simplify=False):
            x, y = points[-2:]
            if not overlaps(clip, x, y, x, y, slack=0.5) or not np.isfinite([x, y]).all():
                continue
            if circle:
                element = self._circle(circle[0] + x, circle[1] + y, circle[2])
            else:
                place = marker_trans + Affine2D().translate(x, y) + self.flip
                element = f'path d="{outline(marker_path, place)}"'
            self._add(style, element)

    def draw_quad_mesh(self, gc, master_transform, meshWidth, meshHeight, coordinates, offsets,
                       offsetTrans, facecolors, antialiased, edgecolors):  # fmt: skip
        """Draw the colors beside a heat map: an upright mesh of equal steps is a picture."""
        corners = master_transform.transform(coordinates.reshape(-1, 2))
        (left, bottom), (right, top) = corners.min(axis=0), corners.max(axis=0)
        colors = np.round(255 * facecolors.reshape(meshHeight, meshWidth, 4)).astype(np.uint8)
        self._image(gc, colors[::-1], left, self.height - top, right - left, top - bottom)

    def draw_gouraud_triangles(self, gc, triangles_array, colors_array, transform):
        """Leave smooth shading to matplotlib."""
        raise NotImplementedError

    def draw_image(self, gc, x, y, im, transform=None):
        """Draw an upright picture; its first row is the lowest."""
        height, width = im.shape[:2]
        if not height or not width:
            return
        if transform is None:
            transform = Affine2D().scale(width, height)
        place = transform + Affine2D().translate(x, y) + self.flip
        (left, low), (right, high) = place.transform([(0, 0), (1, 1)])
        im = im[:: 1 if low < high else -1, :: 1 if left < right else -1]
        self._image(gc, im, min(left, right), min(low, high), abs(right - left), abs(high - low))

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        """Draw a line of text, held where matplotlib aligned it: a font may differ in width."""
        style = {"fill": to_hex(gc.get_rgb()), "font-size": number(self._size(prop))}
        if (alpha := opacity(gc, gc.get_rgb())) != 1:
            style["fill-opacity"] = number(alpha, 2)
        if prop.get_weight() in ("bold", "semibold") or prop.get_weight() in (600, 700):
            style["font-weight"] = "600"
        if prop.get_style() == "italic":
            style["font-style"] = "italic"
        content = escape(s)
        if ismath:
            content = self._formula(s, prop)
        elif mtext is not None and mtext.get_ha() != "left":
            width = self.get_text_width_height_descent(s, prop, ismath)[0]
            share = {"center": width / 2, "right": width}[mtext.get_ha()]
            x, y = x + share * np.cos(np.radians(angle)), y - share * np.sin(np.radians(angle))
            style["text-anchor"] = ANCHORS[mtext.get_ha()]
        turn = f' transform="rotate({number(-angle)} {number(x)} {number(y)})"' if angle else ""
        element = f'text x="{number(x)}" y="{number(y)}"{turn}'
        self.shapes.append((None, tuple(style.items()), (element, content)))

    # How it is written

    def _add(self, style, element, clip=None):
        box = None if clip is None else self._turned(clip)
        self.shapes.append((box and tuple(map(number, box)), tuple(style.items()), (element, None)))

    def _turned(self, clip):
        """Left, top, right, bottom of a box, y downward."""
        x0, y0, x1, y1 = clip
        return x0, self.height - y1, x1, self.height - y0

    def _circle(self, x, y, radius):
        x, y, radius = (number(each) for each in (x, self.height - y, radius))
        return f'circle cx="{x}" cy="{y}" r="{radius}"'

    def _style(self, gc, fill):
        """Attributes of a shape: none when nothing of it is seen."""
        if gc.get_hatch() is not None or gc.get_clip_path() != (None, None):
            raise NotImplementedError
        style = {}
        if fill is not None and (alpha := opacity(gc, fill)):
            style["fill"] = to_hex(fill[:3])
            if alpha != 1:
                style["fill-opacity"] = number(alpha, 2)
        width = self.points_to_pixels(gc.get_linewidth())
        if width and (alpha := opacity(gc, gc.get_rgb())):
            style |= {"stroke": to_hex(gc.get_rgb()[:3]), "stroke-width": number(width)}
            if alpha != 1:
                style["stroke-opacity"] = number(alpha, 2)
            offset, dashes = gc.get_dashes()
            if dashes is not None:
                style["stroke-dasharray"] = " ".join(
                    number(self.points_to_pixels(each)) for each in dashes
                )
                if offset:
                    style["stroke-dashoffset"] = number(self.points_to_pixels(offset))
            if (cap := CAPS[gc.get_capstyle()]) != "butt":
                style["stroke-linecap"] = cap
            if (join := gc.get_joinstyle()) != "miter":
                style["stroke-linejoin"] = join
        return style

    def _image(self, gc, pixels, x, y, width, height):
        from PIL import Image  # as matplotlib does

        held = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(pixels)).save(held, format="png", optimize=True)
        data = base64.b64encode(held.getvalue()).decode()
        style = {} if (alpha := gc.get_alpha()) in (None, 1) else {"opacity": number(alpha, 2)}
        if (pixels[..., 3] == 255).all() and not np.ptp(pixels[..., :3], axis=2).any():
            style["class"] = "gray"  # white means white, on a dark page, too
        place = zip(("x", "y", "width", "height"), (x, y, width, height), strict=True)
        self._add(
            style,
            f"image {' '.join(f'{name}={quoteattr(number(value))}' for name, value in place)} "
            f'preserveAspectRatio="none" image-rendering="pixelated" '
            f'href="data:image/png;base64,{data}"',
        )

    def _size(self, prop):
        return self.points_to_pixels(prop.get_size_in_points())

    def _formula(self, text, prop):
        """What stands higher, lower or smaller in a formula, as spans of a text."""
        *_, glyphs, rules = self._text2path.mathtext_parser.parse(text, 72, prop)
        if rules:
            raise NotImplementedError
        content, before, whole = "", 0.0, prop.get_size_in_points()
        # From matplotlib 3.11 on, an index stands before the place of a glyph: y is the last.
        for (y, size), same in groupby(glyphs, lambda glyph: (glyph[-1], glyph[1])):
            letters = escape("".join(chr(glyph[2]) for glyph in same))
            shift = self.points_to_pixels(before - y)
            before = y
            said = f' dy="{number(shift)}"' if shift else ""
            if size != whole:
                said += f' font-size="{number(self.points_to_pixels(size))}"'
            content += f"<tspan{said}>{letters}</tspan>" if said else letters
        return content


def number(value, digits=1):
    """Return a number as short as SVG allows.

    >>> number(10.04), number(-0.34), number(-0.01), number(0.525, 2)
    ('10', '-.3', '0', '.53')
    """
    text = f"{value + 0.0:.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:.0f}"
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def outline(path, transform, clip=None, simplify=False):
    """Return a path in the language of SVG, each point told from the one before."""
    simplified = path.should_simplify if simplify else False
    pieces, last, start = [], np.zeros(2), np.zeros(2)  # in tenths of a pixel
    letters = {Path.LINETO: "l", Path.CURVE3: "q", Path.CURVE4: "c"}
    before = ""
    for points, code in path.iter_segments(
        transform, remove_nans=True, clip=clip, snap=False, simplify=simplified
    ):
        if code == Path.CLOSEPOLY:
            pieces.append("z")
            last, before = start, "z"
            continue
        points = np.round(10 * points.reshape(-1, 2))
        steps = points - last
        if code == Path.MOVETO:
            letter, text, start = "M", pair(*points[0]), points[0]
        elif code == Path.LINETO and not steps.any() and before == "l":
            continue
        elif code == Path.LINETO and not steps[0, 1]:
            letter, text = "h", tenth(steps[0, 0])
        elif code == Path.LINETO and not steps[0, 0]:
            letter, text = "v", tenth(steps[0, 1])
        else:
            letter = letters[code]
            text = ""
            for step in steps:
                text = joined(text, pair(*step))
        pieces.append(joined(pieces.pop(), text) if letter == before and letter != "M" and pieces
                      else letter + text)  # fmt: skip
        before, last = letter, points[-1]
    return "".join(pieces)


def tenth(value):
    """Return a number of tenths as short as SVG allows."""
    return number(value / 10)


def pair(x, y):
    """Return two numbers of tenths."""
    return joined(tenth(x), tenth(y))


def joined(first, second):
    """Put two numbers behind each other, with a space where they would be one."""
    if not first or second.startswith("-"):
        return first + second
    return f"{first} {second}"


def together(style, shapes):
    """Return elements of one style, in a group when they are several."""
    said = "".join(f' {name}="{value}"' for name, value in style)
    if len(shapes) == 1:
        return closed(shapes[0], said)
    if dict(style).keys() & {"stroke-opacity", "fill", "opacity"} or not all(
        element.startswith("path") for element, _ in shapes
    ):
        return f"<g{said}>" + "".join(closed(shape) for shape in shapes) + "</g>"
    lines = "".join(element.removeprefix('path d="').removesuffix('"') for element, _ in shapes)
    return f'<path d="{lines}"{said}/>'


def closed(shape, said=""):
    """Return an element with its end."""
    element, content = shape
    if content is None:
        return f"<{element}{said}/>"
    return f"<{element}{said}>{content}</text>"


def cut(clip, lines):
    """Return elements of which what lies outside of a box is not seen."""
    left, top, right, bottom = map(float, clip)
    size = f"{number(right - left)} {number(bottom - top)}"
    width, height = size.split()
    return (
        f'<svg x="{clip[0]}" y="{clip[1]}" width="{width}" height="{height}" '
        f'viewBox="{clip[0]} {clip[1]} {size}">' + "".join(lines) + "</svg>"
    )


def rectangle(gc):
    """Return the box outside of which nothing is seen: left, bottom, right, top; or None."""
    box = gc.get_clip_rectangle()
    return None if box is None else box.extents


def overlaps(clip, x0, y0, x1, y1, slack=0.05):
    """Say how much of a box is within another: "whole", "partly" or "" for nothing."""
    if clip is None:
        return "whole"
    left, bottom, right, top = clip[0] - slack, clip[1] - slack, clip[2] + slack, clip[3] + slack
    if x1 < left or x0 > right or y1 < bottom or y0 > top:
        return ""
    whole = x0 >= left and x1 <= right and y0 >= bottom and y1 <= top
    return "whole" if whole else "partly"


def as_circle(path, transform):
    """Return center and radius when a path is a circle, else None."""
    circle = Path.unit_circle()
    if path is not circle and not (
        path.vertices.shape == circle.vertices.shape
        and np.array_equal(path.vertices, circle.vertices)
    ):
        return None
    (a, c, x), (b, d, y), _ = transform.get_matrix()
    if not (np.isclose(abs(a), abs(d)) and abs(b) + abs(c) < 1e-9):
        return None
    return x, y, abs(a)


def opacity(gc, color):
    """Return how opaque a color is drawn."""
    return gc.get_alpha() if gc.get_forced_alpha() else (color[3] if len(color) > 3 else 1.0)
