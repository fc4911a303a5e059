"""Figures that move, one pair of files a figure, and the style that all figures share.

A class is imported when it is asked for: the style needs numpy alone, a class needs `anywidget`.
"""

import importlib

from figures.style import COLORS, MAGNITUDE, SIGNED, use_book_style

# Class: the module that has it, and the front end of the same name.
FIGURES = {
    "WordClock": "word_clock",
    "Shuffle": "shuffle",
    "SameValue": "same_value",
    "Bits": "bits",
    "SquareToSine": "square",
    "Curve": "curve",
    "TwoWaves": "circle",
    "OneHand": "hand",
    "EncodingTable": "table",
    "Clock": "clock",
    "Playback": "playback",
    "WordSum": "word_sum",
    "Reach": "reach",
    "BiasHeads": "bias_heads",
    "TwoTurns": "two_turns",
    "Stretch": "stretch",
    "GridKernel": "grid_kernel",
    "VideoClock": "video_clock",
    "BaseBound": "base_bound",
    "Cache": "cache",
    "GuessTheBug": "guess",
}

__all__ = ["COLORS", "MAGNITUDE", "SIGNED", "use_book_style", *FIGURES]


def __getattr__(name):
    if name not in FIGURES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{FIGURES[name]}"), name)


def __dir__():  # what completion and the API page list
    return __all__
