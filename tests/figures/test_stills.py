"""The still pictures, for readers without scripts."""

import pytest
from PIL import Image

import figures
from publishing import stills

from ..browser_fixtures import ROOT
from .data import shown_in_notebooks, shown_on_the_first_page

SHOWN = sorted({*shown_in_notebooks(), *shown_on_the_first_page()})


def test_every_figure_is_shown():
    assert {text.split("(")[0] for text in SHOWN} == set(figures.FIGURES)


@pytest.mark.parametrize(("form", "widths"), [("", (1200, 1500)), ("-phone", (640, 720))])
@pytest.mark.parametrize("text", SHOWN, ids=lambda text: text.split("(")[0])
def test_a_still_picture_is_of_the_start_and_described(text, form, widths):
    figure = getattr(figures, text.split("(")[0])
    assert text == repr(figure()), "the picture shows the state that the class starts with"
    with Image.open(ROOT / "publishing/website/stills" / f"{figure.__name__}{form}.png") as still:
        described = still.info["Description"]
        assert widths[0] <= still.width <= widths[1]
    assert described.startswith(figure.alt), f"{figure.__name__}: run `make stills`"


def test_a_still_picture_is_of_the_present_drawing(chromium):
    """The fingerprint is of what is drawn, style included: publishing/stills.py."""
    present = {(name, form): found for name, form, _, found in stills.drawn(chromium)}
    assert {name for name, _ in present} == set(figures.FIGURES)
    assert [key for key, found in present.items() if stills.stored(*key) != found] == []
