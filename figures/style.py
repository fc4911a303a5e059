"""What all figures share: the colors, and matplotlib set to the look of the book."""

from pathlib import Path

# One color for an encoding, in the whole book: distinct for color-blind readers, dark enough on
# white for thin lines. Their counterparts on dark ground are in book.css. Signed values use
# SIGNED, magnitudes MAGNITUDE: a value is as opaque as it is large, so that zero is the paper of
# the page, light or dark. The moving figures do the same (base.js).
COLORS = {
    "nothing": "#767676",
    "count": "#c44e00",
    "normalized count": "#a8478f",
    "binary": "#0068a8",
    "sine only": "#00795a",
    "sine and cosine": "#2d2a86",
    "random": "#5f5f5f",
    "learned": "#b3262e",
    "ALiBi": "#8a6d00",
    "rotary": "#2a7f8e",
    "relative bias": "#6b4fa0",
    "T5 buckets": "#4a6b1f",
}
BLUE, RED = "#1f5fa8", "#b3261e"
SIGNED = "blue paper red"
MAGNITUDE = "paper blue"
FONTS = Path(__file__).parent / "fonts"  # those of the pages, as matplotlib reads them


def use_book_style():
    """Set matplotlib to the look of the book; in a notebook its figures become SVG."""
    import matplotlib.pyplot as plt

    add_what_matplotlib_lacks()
    plt.style.use("figures.book")
    try:
        from IPython import get_ipython
    except ImportError:
        return
    if get_ipython() is not None:
        from matplotlib.figure import Figure
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        from figures.svg import as_svg

        set_matplotlib_formats("svg")
        formatters = get_ipython().display_formatter.formatters
        formatters["image/svg+xml"].for_type(Figure, as_svg)


def add_what_matplotlib_lacks():
    """Make the fonts of the pages and the two color maps known to matplotlib, once."""
    import matplotlib as mpl
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.font_manager import fontManager

    if SIGNED in mpl.colormaps:
        return
    for path in sorted(FONTS.glob("*.ttf")):
        fontManager.addfont(path)
    clear = {color: f"{color}00" for color in (BLUE, RED)}
    ends = {SIGNED: [BLUE, clear[BLUE], clear[RED], RED], MAGNITUDE: [clear[BLUE], BLUE]}
    for name, colors in ends.items():
        places = [0, 0.5, 0.5, 1] if name == SIGNED else [0, 1]
        colors = list(zip(places, colors, strict=True))
        mpl.colormaps.register(LinearSegmentedColormap.from_list(name, colors, N=257))
