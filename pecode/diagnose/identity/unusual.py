"""What else a table may be, once no law of one base explains it.

Three lists, each row a few lines: *forms*, which say what a column holds (a cache of cosines has no
sines); *laws*, which give every pair its frequency (a stretched context, an exponent over
d_model - 1); and *changes*, which somebody made to a right table (turned upside down, a number
added, dropout left on) and which can be undone. `pecode.diagnose.identify` tries them all and
believes what comes within its tolerance of every entry.
"""

import functools
import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pecode import scaling
from pecode.diagnose.identity import first_row
from pecode.diagnose.identity.reading import (
    LAYOUTS,
    Reading,
    columns_of,
    consecutive,
    largest_error,
)
from pecode.diagnose.identity.turns import ColumnTurns
from pecode.encodings import frequencies
from pecode.precision import bfloat16

_FACTORS = 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 128
_TRAINED = 2048, 4096, 8192, 16384, 32768, 65536, 131072
_HIGHEST = 4096  # where the first row of an unusual table may be
_TRIED = 3  # laws with the same turns, which differ by their first position only
USUAL = "paper", "endpoint"
_STRIDES = 2, 3, 4, 5, 6, 7, 8, 16

SUMMARIES = {  # names of mistakes: what happened
    "exponent over d - 1": "The exponent is 2i/(d_model - 1).",
    "log10 for ln": "The logarithm to base 10 stands where exp needs the natural one.",
    "degrees": "The angles were turned into degrees, and the sine takes radians.",
    "degrees for radians": "The angles were taken for degrees and turned into radians.",
    "stride": "The positions are multiples: every second, third, … one.",
    "bfloat16 frequencies": "The frequencies were rounded to bfloat16.",
    "float16 frequencies": "The frequencies were rounded to float16.",
    "bfloat16 angles": "The angles were rounded to bfloat16 before the sine was taken.",
    "float16 angles": "The angles were rounded to float16 before the sine was taken.",
    "float16 positions": "The positions were rounded to float16: beyond 2048 odd ones are lost.",
    "transposed": "Columns hold the positions, and rows the pairs.",
    "negated": "Every entry has the opposite sign.",
    "rows reversed": "The rows run from the last position to the first.",
    "columns reversed": "The columns run from the slowest pair to the fastest.",
    "constant added": "The same number was added to every entry.",
    "sines scaled": "The sines have another scale than the cosines.",
    "dropout left on": "Some entries are zero, and the others larger by the same factor.",
}


class Law(NamedTuple):
    """A frequency for each pair, under a name."""

    name: str
    is_mistake: bool
    omega: np.ndarray  # (pairs,)
    stride: int = 1  # between the positions of neighboring rows


@functools.lru_cache(maxsize=8)
def laws(n_pairs, base, still=0):
    """The laws in the order in which they are believed; `still` pairs do not turn at all."""
    different = {}
    for law in _laws(n_pairs, base, still):
        different.setdefault((law.stride, np.round(law.omega, 12).tobytes()), law)
    return tuple(different.values())


def _laws(n_pairs, base, still):
    d, omega = 2 * n_pairs, frequencies(2 * n_pairs, base)
    ladder = np.arange(0, d, 2)
    yield Law("paper", False, omega)
    if n_pairs > 1:
        yield Law("endpoint", False, frequencies(d, base, "endpoint"))
        yield Law("exponent over d - 1", True, base ** (-ladder / (d - 1)))
        yield Law("log10 for ln", True, np.exp(-ladder / d * math.log10(base)))
    for stride in _STRIDES:
        yield Law("stride", True, omega, stride)
    yield Law("degrees", True, np.degrees(omega))
    yield Law("degrees for radians", True, np.radians(omega))
    yield Law("bfloat16 frequencies", True, bfloat16(omega).astype(float))
    yield Law("float16 frequencies", True, omega.astype(np.float16).astype(float))
    if 0 < still < n_pairs:
        kept = n_pairs - still
        some = np.pad(frequencies(2 * kept, base), (0, still))
        yield Law(f"partial, {2 * kept} of {d} columns", False, some)
        some = np.where(np.arange(n_pairs) < kept, omega, 0.0)
        yield Law(f"proportional, {2 * kept} of {d} columns", False, some)
    yield from _stretched(d, base) if n_pairs > 1 else ()


def _stretched(d_model, base):
    """The rules that stretch a context, with the settings that published models have."""
    for factor in _FACTORS:
        yield Law(f"interpolation by {factor}", False, scaling.interpolated(d_model, factor, base))
        if d_model > 2:
            yield Law(f"NTK-aware by {factor}", False, scaling.ntk_aware(d_model, factor, base))
    for factor in _FACTORS:
        for trained in _TRAINED:
            name = f"by {factor} from {trained}"
            stretched = scaling.llama3(d_model, factor, trained, base)
            yield Law(f"Llama 3 {name}", False, stretched)
            try:
                stretched = scaling.yarn(d_model, factor, trained, base)
            except ValueError:
                continue  # at this base and length the ramp has no pair to begin with
            yield Law(f"YaRN {name}", False, stretched)


class Form(NamedTuple):
    """What each column holds."""

    name: str
    pair: np.ndarray  # (d_model,)
    quarter: np.ndarray  # (d_model,) 0 for sines, 1 for cosines


def forms(d_model, layout=None):
    """Sines with cosines in the layouts, or only one of them, as in the caches of models."""
    j = np.arange(d_model)
    for name in (LAYOUTS if layout is None else [layout]) if d_model % 2 == 0 else ():
        pair, quarter = np.empty(d_model, int), np.empty(d_model, int)
        for kind, columns in enumerate(columns_of(name, d_model)):
            pair[columns], quarter[columns] = np.arange(d_model // 2), kind
        yield Form(name, pair, quarter)
    if layout is not None:
        return
    orders = {"": j}
    if d_model % 2 == 0:
        orders = {", halves alike": j % (d_model // 2), ", neighbors alike": j // 2, **orders}
    for order, pair in orders.items():
        for name, quarter in (("cosines", 1), ("sines", 0)):
            yield Form(f"{name} alone{order}", pair, np.full(d_model, quarter))


def unusual_readings(table, base, tolerance, usual, layout=None):
    """Readings of a table that no law of one base explains, with their errors, within a tolerance.

    usual(table) is the reading of a right table, or None; a layout, if it is known, stays.
    """
    if min(table.shape) < 3:
        return  # two columns fit too much
    searches = (
        _with_rounding(table, usual),
        _with_a_change(table, usual),
        _with_rows_of_zeros(table, usual),
        _with_several_texts(table, usual),
        _with_dropout(table, base),
        _on_a_grid(table, usual),
        _with_other_laws(table, base, tolerance, layout),
    )
    for search in searches:
        for reading in search:
            if reading.error <= tolerance:
                yield reading


def _judged(reading, table):
    return replace(reading, error=largest_error(reading, table))


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
        omegas = np.stack([law.stride * law.omega for law in possible])  # (laws, pairs)
        judged = list(zip(turns.misfit(omegas[:, form.pair]), possible, strict=True))
        least = min(misfit for misfit, _ in judged)
        if least > (4 * tolerance) ** 2:
            continue
        likely = [law for misfit, law in judged if misfit <= 9 * least + 1e-18]
        for law in likely[:_TRIED]:
            also = tuple(other.name for other in likely if other is not law)
            yield from _reading(table, base, form, law, also)


def _reading(table, base, form, law, also):
    omega = law.omega[form.pair]
    first, scale = first_row.of_columns(table, omega, form.quarter, law.stride, _HIGHEST)
    if scale <= 0:
        return
    conventions = [form.name] if "alone" in form.name else []
    conventions += [] if law.name in USUAL or law.is_mistake else [law.name]
    reading = Reading(
        form.name,
        law.name if law.name in USUAL else "paper",
        base,
        first + law.stride * np.arange(len(table), dtype=float),
        omega,
        form.quarter,
        scale,
        bug=law.name if law.is_mistake else None,
        also=also,
        conventions=tuple(conventions),
    )
    yield _judged(reading, table)


def _with_rounding(table, usual):
    """The first rows are nearly right, and what follows them is not."""
    beginning = usual(table[:3]) if table.shape[1] >= 8 else None
    if beginning is None or beginning.bug:
        return
    positions = consecutive(beginning.positions[0], len(table))
    with np.errstate(over="ignore"):
        coarse = positions.astype(np.float16).astype(float)
        exact = positions[:, None] * beginning.omega
        roundings = {
            "float16 positions": coarse[:, None] * beginning.omega,
            "bfloat16 angles": bfloat16(exact).astype(float),
            "float16 angles": exact.astype(np.float16).astype(float),
        }
    for name, angles in roundings.items():
        if np.isfinite(angles).all():
            reading = replace(beginning, positions=positions, angles=angles, bug=name)
            yield _judged(reading, table)


def _with_a_change(table, usual):
    for name, undone in CHANGES.items():
        for before in undone(table):
            if (reading := usual(before)) and reading.bug is None:
                yield replace(reading, bug=name, seen=before)


def _with_rows_of_zeros(table, usual):
    """A row for padding, as some libraries keep it: zeros, and the others go on beside it."""
    empty = ~table.any(axis=1)
    ends = np.flatnonzero(empty)
    if not len(ends) or len(ends) > 2 or len(table) - ends[-1] < 4:
        return
    after = usual(table[ends[-1] + 1 :])
    if after is None or after.bug:
        return
    rows = np.arange(len(table))
    for start in (after.positions[0] - ends[-1] - 1, after.positions[0]):
        reading = replace(
            after, positions=start + rows.astype(float), conventions=("row of zeros",)
        )
        seen = np.where(empty[:, None], reading.rows(rows), table)
        yield replace(_judged(reading, seen), seen=seen)


def _with_several_texts(table, usual):
    """Positions that begin again, or that stand still where a text is padded on the left."""
    if table.shape[1] < 8 or len(table) < 6:
        return
    for start in (0, len(table) // 2, len(table) - 3):
        seen = usual(table[start : start + 3])
        if seen is None or seen.bug:
            continue
        known = np.arange(-1, len(table) + 2)
        every = replace(seen, positions=known.astype(float)).rows(np.arange(len(known)))
        squared = (table**2).sum(axis=1)[:, None] - 2 * table @ every.T + (every**2).sum(axis=1)
        positions = known[squared.argmin(axis=1)]
        steps = np.diff(positions)
        restarts = np.isin(positions[1:][steps != 1], (0, 1)).all()
        if (steps != 1).any() and restarts and (steps == 1).mean() >= 0.5:
            last = np.flatnonzero(steps != 1)[-1]  # before the text that goes on to the end
            stands = last > 0 and (positions[: last + 1] == positions[0]).all()
            name = "padded on the left" if stands else "several texts in a row"
            reading = replace(seen, positions=positions.astype(float), conventions=(name,))
            yield _judged(reading, table)
        return


def _with_dropout(table, base):
    """Zeros in a table that is right but for a factor."""
    rows, d_model = table.shape
    empty = table == 0
    if d_model % 2 or not 0.005 < empty.mean() < 0.7:
        return
    for form in forms(d_model):
        for spacing in ("paper", "endpoint") if "alone" not in form.name else ():
            omega = frequencies(d_model, base, spacing)[form.pair]
            for first in (0, 1):
                law = Reading(
                    form.name, spacing, base, consecutive(first, rows), omega, form.quarter
                )
                made = law.rows(np.arange(rows))
                kept = ~empty & (np.abs(made) > 0.05)
                dropped = empty & (np.abs(made) > 0.05)
                if not kept.any() or not dropped.any():
                    continue
                scale = float(np.median(table[kept] / made[kept]))
                if scale > 0:
                    error = np.abs(table[kept] / scale - made[kept]).max()
                    seen = np.where(empty, scale * made, table)
                    yield replace(law, scale=scale, error=error, bug="dropout left on", seen=seen)


def _on_a_grid(table, usual):
    """Half of the columns say the row of a grid, the other half its column."""
    rows, d_model = table.shape
    half = d_model // 2
    if d_model % 4:
        return
    for slow, fast in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        changes = np.flatnonzero(np.abs(np.diff(table[:, slow], axis=0)).max(axis=1) > 1e-6)
        width = int(changes[0]) + 1 if len(changes) else 0
        if width < 3 or rows % width or rows < 3 * width:
            continue
        row, column = usual(table[::width, slow]), usual(table[:width, fast])
        if row is None or column is None or row.bug or column.bug:
            continue
        axes = table.reshape(-1, width, d_model)
        if not (
            np.allclose(axes[:, :, slow], axes[:, :1, slow], atol=row.error * row.scale + 1e-9)
            and np.allclose(axes[:, :, fast], axes[:1, :, fast], atol=row.error * row.scale + 1e-9)
        ):
            continue
        order = "rows first" if slow.start is None else "columns first"
        name = f"grid of {rows // width} × {width}, {order}"
        error = max(row.error, column.error)
        yield replace(row, error=error, conventions=(name,), seen=table[::width, slow])


# Changes that can be undone: the tables that may have been there before


def _without_constant(table):
    """The fastest pair runs round a circle whose center tells what was added."""
    for sines, cosines in _sines_and_cosines(table):
        x, y = table[:, cosines[0]], table[:, sines[0]]
        system = np.stack([2 * x, 2 * y, np.ones(len(table))], axis=1)
        (a, b, _), *_, rank, _ = np.linalg.lstsq(system, x**2 + y**2, rcond=None)
        if rank == 3 and abs(a + b) > 2e-3:
            yield table - (a + b) / 2


def _with_equal_scales(table):
    """The fastest pair runs round an ellipse whose axes tell how the two kinds were scaled."""
    for sines, cosines in _sines_and_cosines(table):
        system = np.stack([table[:, cosines[0]] ** 2, table[:, sines[0]] ** 2], axis=1)
        (a, b), *_, rank, _ = np.linalg.lstsq(system, np.ones(len(table)), rcond=None)
        if rank == 2 and min(a, b) > 0:
            equal = table.copy()
            equal[:, sines] *= math.sqrt(b / a)
            yield equal


def _sines_and_cosines(table):
    for layout in LAYOUTS if table.shape[1] % 2 == 0 else ():
        yield columns_of(layout, table.shape[1])


CHANGES = {  # name: the tables that may have been there before
    "negated": lambda table: [-table],
    "rows reversed": lambda table: [table[::-1]],
    "columns reversed": lambda table: [table[:, ::-1]],
    "transposed": lambda table: [table.T],
    "constant added": _without_constant,
    "sines scaled": _with_equal_scales,
}
