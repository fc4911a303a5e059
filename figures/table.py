"""The sinusoidal table, with a row and a column as curves."""

import traitlets

from figures.base import Figure, FloatTrait, IntTrait, below, bundle

_WIDTHS = (8, 16, 32, 64)


class EncodingTable(Figure):
    """The sinusoidal table, with a row and a column as curves.

    `stage` is 1 for a row, 2 for a column beside it, 3 for width and base, too.
    """

    _esm = bundle("table.js", WIDTHS=_WIDTHS)
    alt = (
        "A heat map of 64 positions and 32 columns, from blue (−1) to red (1): fine stripes on the "
        "left, where the waves are short, and plain columns on the right. A frame marks row 12; "
        "curves show it below the map, from the shortest wave to the longest."
    )
    position = IntTrait(12, min=0, max=63).tag(sync=True, public=True)
    column = IntTrait(6, min=0, max=63).tag(sync=True, public=True)
    d_model = IntTrait(32).tag(sync=True, public=True)
    base = FloatTrait(10000.0, min=10.0, max=100_000.0).tag(sync=True, public=True)
    stage = IntTrait(1, min=1, max=3).tag(sync=True, public=True)

    @traitlets.validate("d_model")
    def _width_is_one_of_the_list(self, proposal):
        if proposal.value not in _WIDTHS:
            raise traitlets.TraitError(
                f"The value of the 'd_model' trait of {type(self).__name__} should be 8, 16, 32 "
                f"or 64, but a value of {proposal.value} was specified"
            )
        return proposal.value

    @traitlets.validate("column")
    def _column_is_in_the_table(self, proposal):
        return below(proposal, self.d_model, "d_model, ")

    @traitlets.observe("d_model")
    def _narrower_table_has_no_such_column(self, change):
        self.column = min(self.column, change.new - 1)
