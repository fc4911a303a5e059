"""Readings that might explain a table, the likeliest first; the first that no entry contradicts.

A reading needs a layout (which columns are the sines), a spacing with its base, and the positions
of the rows. Each *family* below proposes readings of one kind: frequencies that fall from pair to
pair, frequencies that rise, rows that all are the same position, positions that were rounded.
"""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from pecode.diagnose.identity import first_row, spacings
from pecode.diagnose.identity.reading import (
    LAYOUTS,
    Reading,
    columns_of,
    consecutive,
    largest_error,
    may_turn,
)
from pecode.diagnose.identity.spacings import Candidate
from pecode.diagnose.identity.turns import PairTurns, fit_of_columns, fit_of_pairs
from pecode.precision import bfloat16

_STANDS = 0.5  # rows that differ by less than this in every pair are one row: pair 0 turns a radian
_CONVENTIONS = "paper", "endpoint", "even width"


def reading_of(table, base=10000.0, tolerance=0.01):
    """The likeliest reading that no entry of a table contradicts, or None; as `identify`.

    A larger tolerance proposes what a smaller one does, and more: it accepts all that it accepts.
    """
    others = _falling, _rising, _rounded_positions, _one_position
    return (
        _believed(_by_pair(table, base, tolerance, (_with_expected_base,)), table, tolerance)
        or _believed(_by_pair(table, base, tolerance, others), table, tolerance)
        or _believed(_by_column(table, base, tolerance), table, tolerance)
    )


def _believed(readings, table, tolerance):
    """The first reading that no entry contradicts."""
    for reading in readings:
        error = largest_error(reading, table)
        if error <= tolerance:
            return replace(reading, error=error)
    return None


def of_candidate(layout, candidate, positions, d_model, omega=None):
    """The reading with one frequency for each pair, those of the candidate unless given."""
    omega = candidate.omega((d_model + 1) // 2) if omega is None else omega
    sines, cosines = columns_of(layout, d_model)
    by_column, quarter = np.empty(d_model), np.empty(d_model)
    by_column[sines], by_column[cosines] = omega[: len(sines)], omega[: len(cosines)]
    quarter[sines], quarter[cosines] = 0, 1
    return Reading(layout, candidate.spacing, candidate.base, positions, by_column, quarter)


# A sine and a cosine share each frequency


def _by_pair(table, base, tolerance, families):
    d_model = table.shape[1]
    for layout in LAYOUTS:
        sines, cosines = columns_of(layout, d_model)
        n = d_model // 2
        if not may_turn(table, sines, cosines, tolerance):
            continue
        phasors = table[:, cosines[:n]] + 1j * table[:, sines[:n]]  # (rows, n)
        lengths = np.abs(phasors)
        scale = math.sqrt((lengths**2).mean())
        if scale == 0 or np.abs(lengths / scale - 1).max() > 2 * tolerance:
            continue  # these columns are not sine and cosine of one angle
        for family in families:
            for reading in family(layout, phasors / scale, d_model, base, tolerance):
                yield replace(reading, scale=scale)


def _with_expected_base(layout, phasors, d_model, base, tolerance):
    """Spacings with the expected base that fit; then the conventions, as far as they may."""
    fit = fit_of_pairs(phasors, tolerance)
    if fit is None:
        return
    known = spacings.of_pairs(d_model, len(phasors))
    fitting = spacings.with_base(known, base, partial(fit.within, misfit=fit.noisy))
    conventions = [spacing for spacing in known if spacing.name in _CONVENTIONS]
    loose = spacings.with_base(conventions, base, partial(fit.within, misfit=(4 * tolerance) ** 2))
    likely = [*fitting, *spacings.without_a_base(d_model, base, fit.allows)]
    others = [*likely, *spacings.with_plain_base(known, fit, but=fitting)]
    widths = spacings.of_other_widths(d_model, base)
    widths = spacings.with_base(widths, base, partial(fit.within, misfit=fit.noisy))
    for candidate in dict.fromkeys([*likely, *loose, *widths[:1]]):
        yield from _located(layout, phasors, d_model, candidate, others, tolerance)


def _falling(layout, phasors, d_model, base, tolerance):
    """Spacings with any base, the plainest first."""
    fit = fit_of_pairs(phasors, tolerance)
    if fit is None or not fit.within(fit.decay, (4 * tolerance) ** 2):
        return
    plain = spacings.with_plain_base(spacings.of_pairs(d_model, len(phasors)), fit)
    fitted = Candidate("paper", math.exp(min(fit.decay * d_model / 2, 700)), fit.decay)
    for candidate in [*plain[:3], fitted]:
        yield from _located(layout, phasors, d_model, candidate, plain, tolerance)


def _located(layout, phasors, d_model, candidate, others, tolerance):
    """The reading of a candidate at the first position that fits it, if any."""
    rows, n = phasors.shape
    first = first_row.of_pairs(phasors, candidate.decay, tolerance)
    if first is not None:
        also = spacings.others_as_text(others, candidate.spacing) if n > 1 else ("any base",)
        reading = of_candidate(layout, candidate, consecutive(first, rows), d_model)
        yield replace(reading, also=also)


def _rising(layout, phasors, d_model, base, tolerance):
    """The mistake "divided twice"; its turns are too fast to measure, so usual bases are tried."""
    rows, n = phasors.shape
    turns = PairTurns(phasors)
    for usual in spacings.usual_bases(base) if n > 1 else ():
        omega = usual ** (2 * np.arange((d_model + 1) // 2) / d_model)
        if turns.misfit(omega[:n], lags=2) <= (4 * tolerance) ** 2:
            first = first_row.of_rising(phasors[0], omega[:n])
            candidate = Candidate("divided twice", usual, -2 / d_model * math.log(usual))
            yield of_candidate(layout, candidate, consecutive(first, rows), d_model, omega)


def _rounded_positions(layout, phasors, d_model, base, tolerance):
    """Some rows repeat the row before: positions that were rounded to bfloat16."""
    rows = len(phasors)
    stands = _changes(phasors) <= _STANDS
    if stands.all() or not stands.any():
        return
    for candidate in _usual_candidates(d_model, base):
        start = first_row.of_pairs(phasors[:1], candidate.decay, tolerance)
        if start is None:
            continue
        step = 2 ** max(abs(start).bit_length() - 8, 0)  # between neighbors in bfloat16
        for first in range(start - step, start + step + 1):
            positions = bfloat16(first + np.arange(rows)).astype(float)
            if np.array_equal(np.diff(positions) == 0, stands):
                yield of_candidate(layout, candidate, positions, d_model)


def _one_position(layout, phasors, d_model, base, tolerance):
    """All rows alike: the vector of one position, if it is one."""
    rows, n = phasors.shape
    if _changes(phasors).max() > _STANDS:
        return
    for candidate in _usual_candidates(d_model, base) if n > 1 else ():
        first = first_row.of_pairs(phasors, candidate.decay, tolerance, same_position=True)
        if first is not None:
            reading = of_candidate(layout, candidate, np.full(rows, float(first)), d_model)
            # Pairs that never turn give the row of position 0 at every position.
            yield replace(reading, also=() if first else ("frequencies of 0, never filled",))


def _changes(phasors):
    """How much each row differs from the row before, at most in any pair."""
    return np.abs(np.diff(phasors, axis=0)).max(axis=1)


def _usual_candidates(d_model, base):
    for usual in spacings.usual_bases(base):
        yield from spacings.conventions(d_model, usual)


# Every column has a frequency of its own: ω_j = exp(-decay * j)


def _by_column(table, base, tolerance):
    rows, d_model = table.shape
    if d_model < 4:
        return  # one or two frequencies fit too much
    fit = fit_of_columns(table, tolerance)
    if fit is None:
        return
    known = spacings.of_columns(d_model)
    fitting = spacings.with_base(known, base, fit.allows)
    likely = [*fitting, *spacings.with_plain_base(known, fit, but=fitting)]
    fitted = Candidate("exponent by column", math.exp(min(fit.decay * d_model, 700)), fit.decay)
    j = np.arange(d_model)
    for candidate in [*likely[:2], fitted]:
        omega, also = candidate.omega(d_model), spacings.others_as_text(likely, candidate.spacing)
        for layout, quarter in (("interleaved", j % 2), ("cosine first", 1 - j % 2)):
            first, scale = first_row.of_columns(table, omega, quarter)
            if scale > 0:
                law = layout, candidate.spacing, candidate.base
                yield Reading(*law, consecutive(first, rows), omega, quarter, scale, also=also)
