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

# What the reader is told: what the code does, what that does to the table, and where it shows
_TOLD = {
    "no bug": (
        "The table of the paper.",
        "this is the right table.",
        "the difference from the right table, which is 0 everywhere.",
    ),
    "factor 2 doubled": (
        "The loop runs over even columns, which are twice the number of the pair already, and the "
        "exponent doubles them again.",
        "wavelengths rise twice as steeply as in the right table.",
        "columns 16 to 31, which hardly change from row 0 to row 63; their wavelengths are too "
        "long, from column 2 on.",
    ),
    "factor 2 lost": (
        "The exponent is half of the right one, so the slow pairs turn too fast.",
        "wavelengths rise half as steeply as in the right table.",
        "the wavelength of the last columns, 471 rows instead of 35,300.",
    ),
    "exponent by column": (
        "Every column has an exponent of its own, so a sine and its cosine turn at different "
        "speeds.",
        "a sine and its cosine have different wavelengths.",
        "the wavelengths: each column has its own, where the right ones come in pairs.",
    ),
    "wrong base": (
        "A zero is missing: 1000 stands for 10000.",
        "the base lost a zero; wavelengths rise 3/4 as steeply as in the right table.",
        "the wavelength of the last columns, 4,080 rows instead of 35,300.",
    ),
    "precedence": (
        "Precedence is which operation comes first: one division comes too early, and its result "
        "is rounded down.",
        "two divisions were done in the wrong order; each wavelength is 7.39 times that of the "
        "pair before, where 1.78 times is right.",
        "the wavelengths, over a million rows from column 12 on.",
    ),
    "integer division": (
        "The exponent is computed in integers and is 0 for every pair.",
        "all pairs have the wavelength of the first.",
        "the wavelengths, all alike: one sine stands in all even columns, one cosine in all odd "
        "ones.",
    ),
    "divided twice": (
        "The position is divided by the frequency, where it should be multiplied by it.",
        "positions are divided by what they should be multiplied by; from pair to pair wavelengths"
        " fall, where they should rise.",
        "the wavelengths, which fall from column 2 on.",
    ),
    "along the batch": (
        "The table is added along the batch, from text to text, instead of along the positions.",
        "all rows are the same.",
        "the rows, all the same: every column is a straight line.",
    ),
    "low precision": (
        "Positions are stored as bfloat16, which has 8 significant bits.",
        "positions are rounded; late rows, as 960 to 1023, are equal in groups.",
        "rows 960 to 1023, equal in groups; in rows 0 to 63 nothing is wrong yet.",
    ),
    "concatenated": (
        "All sines first, then all cosines, where interleaved columns were expected.",
        "all sines stand left and all cosines right, where they should take turns.",
        "row 0: 0 in columns 0 to 15, 1 in columns 16 to 31. The wavelengths rise twice.",
    ),
    "endpoint spacing": (
        "The exponents end at exactly 1; the right ones end one step before.",
        "wavelengths rise a little too steeply, and end at 62,800 rows.",
        "the wavelength of the last columns, 62,800 rows instead of 35,300.",
    ),
    "positions from 1": (
        "The first token is position 1.",
        "the table is one row ahead; it lacks the row of position 0.",
        "row 0, which begins with 0.84 and 0.54, as row 1 should.",
    ),
    "cosine first": (
        "Each pair is cosine, sine.",
        "in each pair the cosine stands left of the sine.",
        "row 0: 1, 0, 1, 0, …",
    ),
}
NAMES = tuple(_TOLD)
MEANINGS = {name: effect for name, (_, effect, _) in _TOLD.items()}
LOOK_AT = {name: place for name, (_, _, place) in _TOLD.items()}
ABOUT = {name: f"{what} Look at: {place}" for name, (what, _, place) in _TOLD.items()}
HINTS = 3  # for each table; each costs one of four points


@cache
def wave(name):
    """A table as waves, sin(speed * position + quarter * π/2) in each column; numbers as text.

    So the front end has one formula for all of them, and no mistake is written down twice.
    """
    make = VARIANTS[name].make if name in VARIANTS else sinusoidal_table
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
