"""A table is shown, and the reader says which mistake, if any, has made it."""

from functools import cache

import numpy as np
import traitlets

from figures.base import Figure, IntTrait, bundle, refuse
from pecheck.identity import find_formula
from pecheck.variants import VARIANTS
from pecode.encodings import sinusoidal_table

WIDTH = 32
ROWS = (*range(64), *range(960, 1024))  # the rows that can be shown
# At this width "length for width" and "factor 2 by column" would be twins of others.
NAMES = ("no bug", *sorted(set(VARIANTS) - {"length for width", "factor 2 by column"}))
NO_BUG = "The table of the paper."


def about(name):
    """Return what the code of a table does."""
    return VARIANTS[name].summary.replace("`", "") if name in VARIANTS else NO_BUG


@cache
def wave(name):
    """A table as waves, sin(speed * position + quarter * π/2) in each column; numbers as text.

    So the front end has one formula for all of them, and no mistake is written down twice.
    """
    make = VARIANTS[name].make if name in VARIANTS else sinusoidal_table
    formula = find_formula(make(ROWS[-1] + 1, WIDTH))
    numbers = {
        "speeds": formula.omega.tolist(),
        "quarters": formula.quarter.astype(int).tolist(),
        "positions": formula.positions[np.array(ROWS)].astype(int).tolist(),
    }
    return {key: " ".join(map(str, values)) for key, values in numbers.items()}


class GuessTheBug(Figure):
    """A table is shown, and the reader says which mistake, if any, has made it.

    The tables are those of `pecheck.variants.VARIANTS` that look different from each other
    at 32 columns, and the right one.

    Parameters
    ----------
    seed : int, 0 to 9999
        It decides the order of the fourteen tables.
    case : int, 0 to 13
        The table that is shown; those before it have been answered.
    answers : list of names
        What was answered and checked, from the first table on.
    chosen : name, or ""
        The name that is chosen now.
    column : int, 0 to 31
        The column that is drawn as a curve.
    late : bool
        Whether rows 960 to 1023 are shown, instead of 0 to 63.

    Examples
    --------
    >>> GuessTheBug(answers=["no bug"], case=1).case
    1
    """

    _esm = bundle("guess.js")
    alt = (
        "Left, two heat maps of 64 rows and 32 columns, from blue (−1) to red (1): the table, and "
        "the right table beside it; below them a dot for the wavelength of each column, and beside "
        "them one column as a dotted curve, each over that of the right table, dashed. Right, a "
        "list of fourteen names of mistakes to choose from, with a button to check the answer."
    )
    gallery = traitlets.List(read_only=True).tag(sync=True)
    seed = IntTrait(0, min=0, max=9999).tag(sync=True, public=True)
    case = IntTrait(0, min=0, max=len(NAMES) - 1).tag(sync=True, public=True)
    answers = traitlets.List().tag(sync=True, public=True)
    chosen = traitlets.Enum(["", *NAMES], "").tag(sync=True, public=True)
    column = IntTrait(6, min=0, max=WIDTH - 1).tag(sync=True, public=True)
    late = traitlets.Bool(False).tag(sync=True, public=True)

    @traitlets.default("gallery")
    def _of_the_variants(self):
        return [{"name": name, "about": about(name), **wave(name)} for name in NAMES]

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
