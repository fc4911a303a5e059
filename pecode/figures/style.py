"""What all figures share: the colors, and matplotlib set to the look of the book."""

# One color for an encoding, in the whole book: distinct for color-blind readers, dark enough on
# white for thin lines. Signed values use SIGNED (zero is white), magnitudes MAGNITUDE.
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
    "relative keys": "#9c2f6b",
}
SIGNED = "RdBu_r"
MAGNITUDE = "Blues"


def use_book_style():
    """Set matplotlib to the look of the book; in a notebook also crisp, uncropped pictures."""
    import matplotlib.pyplot as plt

    plt.style.use("pecode.figures.book")
    try:
        from IPython import get_ipython
    except ImportError:
        return
    if get_ipython() is not None:
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        # two dots a pixel; no cropping, so that a figure has the same size on every machine
        set_matplotlib_formats("retina", bbox_inches=None)
