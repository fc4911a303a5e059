"""Figures that move, one pair of files a figure, and the style that all figures share.

A class is imported when it is asked for: the style needs numpy alone, a class needs `anywidget`.
"""

import importlib
import re
from pathlib import Path

from figures.style import COLORS, MAGNITUDE, SIGNED, use_book_style

# Class: the module that has it, and the front end of the same name. A file makes a figure known.
_CLASS = re.compile(r"^class (\w+)\(Figure\):", flags=re.MULTILINE)
FIGURES = {
    name: path.stem
    for path in sorted(Path(__file__).parent.glob("*.py"))
    for name in _CLASS.findall(path.read_text(encoding="utf8"))
}

__all__ = ["COLORS", "MAGNITUDE", "SIGNED", "use_book_style", *FIGURES]


def __getattr__(name):
    if name not in FIGURES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{FIGURES[name]}"), name)


def __dir__():  # what completion and the API page list
    return __all__
