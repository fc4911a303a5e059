"""What else a table may be, once no law of one base explains it.

Searches, one after the other: roundings, changes that can be undone (`changes`), positions that do
not count by one and grids (`order`), entries set to zero (`zeros`), and other laws and forms
(`laws`). `pecode.diagnose.identify` tries them all and believes what comes within its tolerance of
every entry.
"""

from dataclasses import replace

import numpy as np

from pecode.diagnose.identity import changes, first_row, order, zeros
from pecode.diagnose.identity.laws import USUAL, forms, laws, laws_of_step
from pecode.diagnose.identity.reading import Reading, consecutive, judged
from pecode.diagnose.identity.turns import ColumnTurns
from pecode.precision import bfloat16

_HIGHEST = 4096  # where the first row of an unusual table may be
_TRIED = 3  # laws with the same turns, which differ by their first position only

SUMMARIES = {  # names of mistakes: what happened
    "exponent over d - 1": "The exponent is 2i/(d_model - 1).",
    "log10 for ln": "The logarithm to base 10 stands where exp needs the natural one.",
    "log2 for ln": "The logarithm to base 2 stands where exp needs the natural one.",
    "exponents from 2": "The exponent is 2(i + 1)/d_model: the loop over i begins at 1.",
    "another width": "The exponent divides by another width, that of the model for instance.",
    "degrees": "The angles were turned into degrees, and the sine takes radians.",
    "degrees for radians": "The angles were taken for degrees and turned into radians.",
    "turns for radians": "The angles are 2π times too large.",
    "half turns for radians": "The angles are π times too large.",
    "stride": "The positions grow by more than one from row to row.",
    "positions from 0 to 1": "The positions were divided by the length.",
    "jump": "The positions count by one, except for one jump.",
    "bfloat16 frequencies": "The frequencies were rounded to bfloat16.",
    "float16 frequencies": "The frequencies were rounded to float16.",
    "bfloat16 angles": "The angles were rounded to bfloat16 before the sine was taken.",
    "float16 angles": "The angles were rounded to float16 before the sine was taken.",
    "bfloat16 throughout": "Positions, frequencies and angles were rounded to bfloat16.",
    "float16 throughout": "Positions, frequencies and angles were rounded to float16.",
    "float16 positions": "The positions were rounded to float16: beyond 2048 odd ones are lost.",
    "transposed": "Columns hold the positions, and rows the pairs.",
    "reshaped for transposed": "The transposed table was reshaped, which mixes its rows.",
    "negated": "Every entry has the opposite sign.",
    "sines negated": "Every sine has the opposite sign: the angles turn backward.",
    "rows reversed": "The rows run from the last position to the first.",
    "columns reversed": "The columns run from the slowest pair to the fastest.",
    "constant added": "The same number was added to every entry.",
    "sines scaled": "The sines have another scale than the cosines.",
    "negative entries cut off": "Negative entries are zero, as after a ReLU.",
    "columns of zeros": "Some columns were never filled.",
    "never filled": "Every frequency is 0: the memory was never filled.",
    "dropout left on": "Entries are zero here and there, as dropout leaves them.",
}


def unusual_readings(table, base, tolerance, usual, layout=None):
    """Readings of a table that no law of one base explains, with their errors, within a tolerance.

    usual(table) is the reading of a right table, or None; a layout, if it is known, stays.
    """
    if min(table.shape) < 3:
        return  # two columns fit too much
    searches = (
        _with_rounding(table, usual),
        changes.with_a_change(table, usual),
        order.with_rows_of_zeros(table, usual),
        order.with_jumps(table, usual),
        zeros.with_zeros(table, base),
        order.on_a_grid(table, usual),
        changes.half_a_position_on(table, base, usual, tolerance),
        _with_other_laws(table, base, tolerance, layout),
    )
    for search in searches:
        for reading in search:
            if reading.error <= tolerance:
                yield reading


def _with_other_laws(table, base, tolerance, layout):
    """The laws whose turns are nearest to the measured ones, in all forms."""
    turns = ColumnTurns(table)
    still = int((np.ptp(table, axis=0) < 1e-6).sum())
    for form in forms(table.shape[1], layout):
        n_pairs, is_cache = form.pair.max() + 1, "alone" in form.name
        possible = [
            law
            for law in laws(n_pairs, base, still * n_pairs // table.shape[1])
            if is_cache or law.name not in USUAL  # they were tried with sines and cosines
        ]
        steps = laws_of_step(turns.first_turn(), n_pairs, base, len(table))
        for laws_here in (possible, steps):
            for law, also in _likely(laws_here, turns, form, tolerance):
                yield from _reading(table, base, form, law, also)


def _likely(possible, turns, form, tolerance):
    """The laws that fit the measured turns, each with the names of the others."""
    if not possible:
        return
    omegas = np.stack([law.stride * law.omega for law in possible])  # (laws, pairs)
    misfits = turns.misfit(omegas[:, form.pair])
    least = min(misfits)
    if least > (4 * tolerance) ** 2:
        return
    enough = 9 * least + 1e-18
    likely = [law for law, misfit in zip(possible, misfits, strict=True) if misfit <= enough]
    for law in likely[:_TRIED]:
        yield law, tuple(other.name for other in likely if other is not law)


def _reading(table, base, form, law, also):
    omega = law.omega[form.pair]
    first, scale = first_row.of_columns(table, omega, form.quarter, law.stride, _HIGHEST)
    if scale <= 0:
        return
    conventions = [form.name] if "alone" in form.name else []
    conventions += [] if law.name in USUAL or law.is_mistake else [law.name]
    reading = Reading(
        form.name,
        law.spacing,
        base,
        first + law.stride * np.arange(len(table), dtype=float),
        omega,
        form.quarter,
        scale,
        bug=law.name if law.is_mistake else None,
        also=also,
        conventions=tuple(conventions),
    )
    yield judged(reading, table)


def _with_rounding(table, usual):
    """The first rows are nearly right, and what follows them is not."""
    beginning = usual(table[:3]) if table.shape[1] >= 8 else None
    if beginning is None or beginning.bug:
        return
    positions = consecutive(beginning.positions[0], len(table))
    omega = beginning.omega
    with np.errstate(over="ignore"):
        exact = positions[:, None] * omega
        roundings = {
            "float16 positions": _float16(positions)[:, None] * omega,
            "bfloat16 angles": _bfloat16(exact),
            "float16 angles": _float16(exact),
            "bfloat16 throughout": _throughout(_bfloat16, positions, omega),
            "float16 throughout": _throughout(_float16, positions, omega),
        }
    for name, angles in roundings.items():
        if np.isfinite(angles).all():
            reading = replace(beginning, positions=positions, angles=angles, bug=name)
            yield judged(reading, table)


def _throughout(rounded, positions, omega):
    return rounded(rounded(positions)[:, None] * rounded(omega))


def _float16(numbers):
    return numbers.astype(np.float16).astype(float)


def _bfloat16(numbers):
    return bfloat16(numbers).astype(float)
