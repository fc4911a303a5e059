"""Chapter 13: a table is shown, and the reader says which mistake, if any, has made it."""

import traitlets

from pecode.figures.base import Figure, Whole, bundle, refuse

# The names, and what each would do to the table, in words that need no formula.
_MEANINGS = {
    "no bug": "this is the right table.",
    "factor 2 doubled": "wavelengths rise twice as steeply as in the right table.",
    "factor 2 lost": "wavelengths rise half as steeply as in the right table.",
    "exponent by column": "a sine and its cosine have different wavelengths.",
    "wrong base": "the base lost a zero; wavelengths rise 3/4 as steeply as in the right table.",
    "precedence": (
        "two divisions were done in the wrong order; each wavelength is 7.39 times that of the "
        "pair before, where 1.78 times is right."
    ),
    "integer division": "all pairs have the wavelength of the first.",
    "divided twice": (
        "positions are divided by what they should be multiplied with; from pair to pair "
        "wavelengths fall, where they should rise."
    ),
    "along the batch": "all rows are the same.",
    "low precision": "positions are rounded; late rows, as 960 to 1023, are equal in groups.",
    "concatenated": "all sines stand left and all cosines right, where they should take turns.",
    "endpoint spacing": "wavelengths rise a little too steeply, and end at 62,800 rows.",
    "positions from 1": "the table is one row ahead; it lacks the row of position 0.",
    "cosine first": "in each pair the cosine stands left of the sine.",
}
_GUESSES = tuple(_MEANINGS)
# How each came about, without a line of code, and where the figure shows it.
_ABOUT = {
    "no bug": (
        "The table of the paper.",
        "the difference from the right table, which is 0 everywhere.",
    ),
    "factor 2 doubled": (
        "The loop runs over even columns, which are twice the number of the pair already, and the "
        "exponent doubles them again.",
        "columns 16 to 31, which hardly change from row 0 to row 63; their wavelengths are too "
        "long, from column 2 on.",
    ),
    "factor 2 lost": (
        "The exponent is half of the right one, so the frequencies stop half way.",
        "the wavelength of the last columns, 471 rows instead of 35,300.",
    ),
    "exponent by column": (
        "Every column has an exponent of its own, so a sine and its cosine turn at different "
        "speeds.",
        "the wavelengths: each column has its own, where the right ones come in pairs.",
    ),
    "wrong base": (
        "A zero is missing: 1000 stands for 10,000.",
        "the wavelength of the last columns, 4,080 rows instead of 35,300.",
    ),
    "precedence": (
        "Precedence is which operation comes first: one division comes too early, and its result "
        "is rounded down.",
        "the wavelengths, over a million rows from column 12 on.",
    ),
    "integer division": (
        "The exponent is computed in whole numbers and is 0 for every pair.",
        "the wavelengths, all alike: one sine stands in all even columns, one cosine in all odd "
        "ones.",
    ),
    "divided twice": (
        "The position is divided by a term that was inverted already.",
        "the wavelengths, which fall from column 2 on.",
    ),
    "along the batch": (
        "The table is added along the batch, from text to text, instead of along the positions.",
        "the rows, all the same: every column is a straight line.",
    ),
    "low precision": (
        "Positions are stored as bfloat16, which has 8 significant bits.",
        "rows 960 to 1023, equal in groups; in rows 0 to 63 nothing is wrong yet.",
    ),
    "concatenated": (
        "All sines come first, then all cosines.",
        "row 0: 0 in columns 0 to 15, 1 in columns 16 to 31. The wavelengths rise twice.",
    ),
    "endpoint spacing": (
        "The exponents end at exactly 1; the right ones end one step before.",
        "the wavelength of the last columns, 62,800 rows instead of 35,300.",
    ),
    "positions from 1": (
        "The first token is position 1.",
        "row 0, which begins with 0.84 and 0.54, as row 1 should.",
    ),
    "cosine first": (
        "In each pair the cosine comes first.",
        "row 0: 1, 0, 1, 0, …",
    ),
}


def _about():
    """What each table is, and what to look at in it."""
    return {name: f"{why} Look at: {where}" for name, (why, where) in _ABOUT.items()}


class GuessTheBug(Figure):
    """Chapter 13: a table is shown, and the reader says which mistake, if any, has made it.

    The tables are those of `pecode.diagnose.variants.VARIANTS`, 32 columns wide, and the right one.

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
    difference : bool
        Whether the right table is subtracted.

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

    _esm = bundle("guess.js")
    alt = (
        "Left, a heat map of 64 rows and 32 columns, from blue (−1) to red (1); below it a dot for "
        "the wavelength of each column, and beside it one column as a dotted curve, each over that "
        "of the right table, dashed. Right, a list of fourteen "
        "names of mistakes to choose from, with a button to check the answer."
    )
    bugs = traitlets.Dict(read_only=True).tag(sync=True)
    meanings = traitlets.Dict(_MEANINGS, read_only=True).tag(sync=True)
    seed = Whole(0, min=0, max=9999).tag(sync=True, public=True)
    case = Whole(0, min=0, max=len(_GUESSES) - 1).tag(sync=True, public=True)
    answers = traitlets.List().tag(sync=True, public=True)
    chosen = traitlets.Enum(["", *_GUESSES], "").tag(sync=True, public=True)
    column = Whole(6, min=0, max=31).tag(sync=True, public=True)
    late = traitlets.Bool(False).tag(sync=True, public=True)
    difference = traitlets.Bool(False).tag(sync=True, public=True)

    @traitlets.default("bugs")
    def _of_the_gallery(self):
        return _about()

    @traitlets.validate("case", "answers")
    def _tables_before_are_answered(self, proposal):
        name, value = proposal.trait.name, proposal.value
        case = value if name == "case" else self.case
        answers = value if name == "answers" else self.answers
        if len(answers) > len(_GUESSES) or any(answer not in _GUESSES for answer in answers):
            refuse("answers", f"up to {len(_GUESSES)} of {', '.join(_GUESSES)}", repr(answers))
        if case > len(answers):
            refuse(name, f"an answer for each table before case {case}", f"{value!r:.60}")
        return value
