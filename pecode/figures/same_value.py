"""One value of the normalized count, in texts of different length."""

from pecode.figures.base import Figure, Number, Whole, bundle


class SameValue(Figure):
    """One value of the normalized count, in texts of different length."""

    _esm = bundle("same_value.js")
    alt = (
        "Two texts as rows of dots, one of 51 words and one of 11. Above, drawn to the same width, "
        "a dashed line at 0.8 meets a dot of each: one far to the right in dense dots, one in wide "
        "steps. Below, at the plain count, the shorter row ends first, and a ring marks the same "
        "place in both; last, on the same scale, a bar hardly wider than a dot marks the entries "
        "of a word's vector."
    )
    length = Whole(51, min=2, max=200).tag(sync=True, public=True)
    value = Number(0.8, min=0.0, max=1.0).tag(sync=True, public=True)
