"""Entries that are zero in a table that is right elsewhere: never filled, cut off, dropped."""

from dataclasses import replace

import numpy as np

from pecode.diagnose.identity.laws import USUAL, forms
from pecode.diagnose.identity.reading import Reading, consecutive
from pecode.encodings import frequencies

_CLEAR = 0.05  # an entry that is farther from zero was not rounded to it


def with_zeros(table, base):
    """Readings of the entries that are left, named by where the zeros are."""
    rows, d_model = table.shape
    empty = table == 0
    if d_model % 2 or not 0.005 < empty.mean() < 0.8:
        return
    for form in forms(d_model):
        for spacing in USUAL if "alone" not in form.name else ():
            omega = frequencies(d_model, base, spacing)[form.pair]
            for first in (0, 1):
                positions = consecutive(first, rows)
                law = Reading(form.name, spacing, base, positions, omega, form.quarter)
                made = law.rows(np.arange(rows))
                clear = np.abs(made) > _CLEAR
                kept, gone = ~empty & clear, empty & clear
                if not kept.any() or not gone.any():
                    continue
                scale = float(np.median(table[kept] / made[kept]))
                name = _cause(made, gone, clear)
                if scale <= 0 or name is None:
                    continue
                error = np.abs(table[~empty] / scale - made[~empty]).max()
                seen = np.where(empty, scale * made, table)
                yield replace(law, scale=scale, error=error, bug=name, seen=seen)


def _cause(made, gone, clear):
    """What makes zeros in these places, or None if nothing known does."""
    if np.array_equal(gone, clear & (made < 0)):
        return "negative entries cut off"
    columns = gone.any(axis=0)
    if np.array_equal(gone, clear & columns):
        return "columns of zeros" if columns.sum() < len(columns) else None
    share = gone.sum() / clear.sum()
    for axis in (0, 1):  # dropout favors no row and no column
        n, zeros = clear.sum(axis=axis), gone.sum(axis=axis)
        if (np.abs(zeros - share * n) > 6 * np.sqrt(share * (1 - share) * n + 1)).any():
            return None
    return "dropout left on"
