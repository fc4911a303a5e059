"""What matplotlib draws with in a page that runs."""

from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas
from session import show_figures as show

__all__ = ["FigureCanvas", "show"]
