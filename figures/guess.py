"""Chapter 13: a table is shown, and the reader says which mistake, if any, has made it."""

from functools import cache

import numpy as np
import traitlets

from figures.base import Figure, Whole, bundle, refuse
from pecode.diagnose.identity import reading_of
from pecode.diagnose.variants import VARIANTS
from pecode.encodings import sinusoidal_table

WIDTH = 32
ROWS = (*range(64), *range(960, 1024))  # the rows that can be shown

# What the reader is told beside the record of a variant is about the right table alone.
_QUIZ = {name: variant for name, variant in VARIANTS.items() if variant.look_at}
NAMES = ("no bug", *_QUIZ)
MEANINGS = {"no bug": "this is the right table."} | {
    name: variant.effect for name, variant in _QUIZ.items()
}
LOOK_AT = {"no bug": "the difference from the right table, which is 0 everywhere."} | {
    name: variant.look_at for name, variant in _QUIZ.items()
}
_IN_WORDS = {"no bug": "The table of the paper."} | {
    name: variant.in_words for name, variant in _QUIZ.items()
}
ABOUT = {name: f"{_IN_WORDS[name]} Look at: {LOOK_AT[name]}" for name in NAMES}
HINTS = 3  # for each table; each costs one of four points


@cache
def wave(name):
    """A table as waves, sin(speed * position + quarter * π/2) in each column; numbers as text.

    So the front end has one formula for all of them, and no mistake is written down twice.
    """
    make = _QUIZ[name].make if name in _QUIZ else sinusoidal_table
    reading = reading_of(make(ROWS[-1] + 1, WIDTH))
    numbers = {
        "speeds": reading.omega.tolist(),
        "quarters": reading.quarter.astype(int).tolist(),
        "positions": reading.positions[np.array(ROWS)].astype(int).tolist(),
    }
    return {key: " ".join(map(str, values)) for key, values in numbers.items()}


def _gallery():
    return [
        {
            "name": name,
            "meaning": MEANINGS[name],
            "about": ABOUT[name],
            "look": LOOK_AT[name],
            **wave(name),
        }
        for name in NAMES
    ]


class GuessTheBug(Figure):
    """Chapter 13: a table is shown, and the reader says which mistake, if any, has made it.

    The tables are those of `pecode.diagnose.variants.VARIANTS` that look different from each other
    at 32 columns, and the right one.

    Parameters
    ----------
    seed : int, 0 to 9999
        It decides the order of the fourteen tables.
    case : int, 0 to 13
        The table that is shown; those before it have been answered.
    answers : list of names
        What was answered and checked, from the first table on.
    hints : list of int, 0 to 3
        How many hints were taken, from the first table on; tables without an entry had none.
    chosen : name, or ""
        The name that is chosen now.
    column : int, 0 to 31
        The column that is drawn as a curve.
    late : bool
        Whether rows 960 to 1023 are shown, instead of 0 to 63.
    difference : bool
        Whether the right table beside gives way to the difference from it.

    Raises
    ------
    TraitError
        A value out of its range, an unknown name, a table beyond the first without an answer.
    TypeError
        An unknown argument.

    Examples
    --------
    >>> GuessTheBug(answers=["no bug"], case=1).case
    1
    """

    _esm = bundle("guess.js", HINTS=HINTS)
    alt = (
        "Left, two heat maps of 64 rows and 32 columns, from blue (−1) to red (1): the table, and "
        "the right table beside it; below them a dot for the wavelength of each column, and beside "
        "them one column as a dotted curve, each over that of the right table, dashed. Right, a "
        "list of fourteen names of mistakes to choose from, with a button to check the answer and "
        "one for a hint."
    )
    gallery = traitlets.List(read_only=True).tag(sync=True)
    seed = Whole(0, min=0, max=9999).tag(sync=True, public=True)
    case = Whole(0, min=0, max=len(NAMES) - 1).tag(sync=True, public=True)
    answers = traitlets.List().tag(sync=True, public=True)
    hints = traitlets.List().tag(sync=True, public=True)
    chosen = traitlets.Enum(["", *NAMES], "").tag(sync=True, public=True)
    column = Whole(6, min=0, max=WIDTH - 1).tag(sync=True, public=True)
    late = traitlets.Bool(False).tag(sync=True, public=True)
    difference = traitlets.Bool(False).tag(sync=True, public=True)

    @traitlets.default("gallery")
    def _of_the_variants(self):
        return _gallery()

    @traitlets.validate("hints")
    def _are_numbers_of_hints(self, proposal):
        value = proposal.value
        if len(value) > len(NAMES) or any(
            isinstance(hints, bool) or hints not in range(HINTS + 1) for hints in value
        ):
            refuse("hints", f"up to {len(NAMES)} numbers from 0 to {HINTS}", repr(value))
        return value

    @traitlets.validate("case", "answers")
    def _tables_before_are_answered(self, proposal):
        name, value = proposal.trait.name, proposal.value
        case = value if name == "case" else self.case
        answers = value if name == "answers" else self.answers
        if len(answers) > len(NAMES) or any(answer not in NAMES for answer in answers):
            refuse("answers", f"up to {len(NAMES)} of {', '.join(NAMES)}", repr(answers))
        if case > len(answers):
            refuse(name, f"an answer for each table before case {case}", f"{value!r:.60}")
        return value
