"""A figure for a phone: the same one again, with its panels below one another.

What a cell draws for 736 pixels would have letters of 8 pixels on 358. So the figure is copied,
made as narrow as the screen, and laid out again; letters and lines are only a little smaller. A
cell whose figure needs more than that says so with `on_phone`.
"""

from copy import deepcopy
from weakref import WeakKeyDictionary

WIDTH = 358  # CSS pixels: what the text of a page has on a phone of 390
SCALE = 0.85  # of letters, lines and marks
LEGIBLE = 450  # pixels: of a narrower figure letters have 12 pixels on a phone as it is
FITS = 575  # pixels: a figure as narrow as this keeps its panels side by side
TALLEST = 200  # pixels, of one panel among several
_CHANGES = WeakKeyDictionary()


def on_phone(figure, change):
    """Let a function change what a phone shows: it gets the narrow copy of the figure."""
    _CHANGES[figure] = change


def narrow(figure):
    """Return a figure laid out for a phone, or None if it is legible there as it is.

    It must not be one of pyplot's (its canvas has no manager), or the copy would be, too.
    """
    if figure.bbox.width < LEGIBLE:
        return None
    copy = deepcopy(figure)
    height = SCALE * figure.bbox.height
    copy.set_dpi(SCALE * figure.dpi)
    if figure.bbox.width > FITS:
        height = stack(copy, height)
    copy.set_size_inches(WIDTH / copy.dpi, height / copy.dpi)
    if figure in _CHANGES:
        _CHANGES[figure](copy)
    return copy


def stack(figure, height):
    """Put up to three panels into one column and more into two; return the new height."""
    from matplotlib.gridspec import GridSpec  # here: a page loads matplotlib when a cell draws

    panels = [ax for ax in figure.axes if ax.get_subplotspec() is not None and ax.has_data()]
    columns = 1 if len(panels) < 4 else 2
    grid = panels[0].get_subplotspec().get_gridspec() if panels else None
    if grid is None or grid.ncols <= columns:
        return height
    places = GridSpec(-(-len(panels) // columns), columns, figure=figure)
    for k, ax in enumerate(panels):
        ax.set_subplotspec(places[k])
        first, above = panels[k - k % columns], panels[k - columns] if k >= columns else None
        share_y = ax.get_shared_y_axes()
        begins = ax is first or not share_y.joined(first, ax)
        if begins and share_y.joined(panels[0], ax):
            ax.set_ylabel(panels[0].get_ylabel())
        ax.tick_params(labelleft=begins)
        ax.yaxis.label.set_visible(begins)
        if above and along(above) == along(ax):
            above.tick_params(labelbottom=False)
            above.set_xlabel("")
    return places.nrows * min(height / grid.nrows, TALLEST)


def along(ax):
    """Return what is written along the foot of a panel, and from where to where it goes."""
    return ax.get_xlabel(), ax.get_xlim(), [tick.get_text() for tick in ax.get_xticklabels()]
