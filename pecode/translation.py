"""Moving along the encoding: the matrix T(Δ), its cheap form, and what it leaves unchanged."""

from __future__ import annotations

import numpy as np

from pecode import _check, _phases
from pecode._check import checked, even_width
from pecode._types import ArrayLike, Floats, Layout, Reals, Spacing
from pecode.encodings import split_columns


@checked(d_model=even_width)
def translation_matrix(
    offset: float,
    d_model: int,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
) -> Floats:
    """T(Δ): the matrix that moves every position by the same offset, shape (d_model, d_model).

    For column vectors T @ pe(t) == pe(t + offset); for rows pe(t) @ T.T == pe(t + offset).
    A pair (sin, cos) is turned by its own angle ω_i Δ:

        sin(θ + φ) =  cos φ · sin θ + sin φ · cos θ
        cos(θ + φ) = -sin φ · sin θ + cos φ · cos θ

    Parameters
    ----------
    offset : number
        Δ, in positions; negative looks back, and half a position is one too.
    d_model : int, even
    base, layout, spacing
        As in `pecode.encodings.sinusoidal`.

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> T = translation_matrix(3, d_model=8)
    >>> bool(np.allclose(T @ sinusoidal(5, 8), sinusoidal(8, 8)))
    True
    """
    cos, sin = _cos_sin(offset, d_model, base, spacing)
    s, c = split_columns(np.arange(d_model), layout)  # where the sines and the cosines stand
    matrix = np.zeros((d_model, d_model))
    matrix[s, s], matrix[s, c] = cos, sin
    matrix[c, s], matrix[c, c] = -sin, cos
    return matrix


@checked()
def translate(
    encoding: ArrayLike,
    offset: float,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    spacing: Spacing = "paper",
) -> Reals:
    """T(Δ) applied to encodings, without the matrix: O(d_model) work for each vector.

    Parameters
    ----------
    encoding : floats, shape (..., d_model), d_model even
    offset : number
    base, layout, spacing
        Those that `encoding` was made with.

    Returns
    -------
    ndarray, shape of encoding; float32 stays float32, everything else is float64

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> bool(np.allclose(translate(sinusoidal(5, 8), -2), sinusoidal(3, 8)))
    True
    """
    cos, sin = _cos_sin(offset, encoding.shape[-1], base, spacing)
    s, c = split_columns(encoding, layout)  # (..., d_model / 2) each
    moved = np.empty_like(encoding)
    moved_s, moved_c = split_columns(moved, layout)
    with np.errstate(over="ignore"):
        moved_s[...] = cos * s + sin * c
        moved_c[...] = cos * c - sin * s
    return _check.no_overflow("encoding", moved)


@checked(table=_check.matrix, offset=_check.integer)
def fit_translation(table: ArrayLike, offset: int) -> tuple[Floats, Floats]:
    """The best matrix T(Δ) that data can give: least squares over all rows of a table.

    Parameters
    ----------
    table : floats, shape (length, d_model)
        Encodings of consecutive positions, of any kind.
    offset : int
        Δ, in positions, with abs(offset) < length.

    Returns
    -------
    matrix : ndarray, shape (d_model, d_model)
        T with T @ table[t] ≈ table[t + offset]; the smallest such T where several fit as well.
    residuals : ndarray, shape (length - abs(offset),)
        Euclidean norm of table[t + offset] - T @ table[t], for each t that has a partner.

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> T, residuals = fit_translation(sinusoidal(range(96), 8), offset=3)
    >>> bool(np.allclose(T, translation_matrix(3, 8))), bool(residuals.max() < 1e-9)
    (True, True)
    """
    _check.require(len(table), "table", "at least one row", f"shape {table.shape}")
    _check.integer("offset", offset, minimum=1 - len(table), maximum=len(table) - 1)
    table = table.astype(np.float64)
    scale = power_of_two_near(table)
    here, there = aligned(table / scale, offset)
    matrix = np.linalg.lstsq(here, there, rcond=None)[0].T
    with np.errstate(over="ignore"):
        residuals = scale * np.linalg.norm(there - here @ matrix.T, axis=1)
    return matrix, _check.no_overflow("table", residuals)


def power_of_two_near(table):
    """The power of two just below the largest entry.

    Dividing by it is exact, and afterwards no square leaves the range of the floats.
    """
    exponent = np.frexp(np.abs(table).max())[1]  # the entry is below 2**exponent
    return 2.0 ** (exponent - 1)  # 2**1024 would no longer be a float


def aligned(table, offset):
    """Two views of a table, row against row: the rows t, and the rows t + offset."""
    if offset < 0:
        there, here = aligned(table, -offset)
        return here, there
    return table[: len(table) - offset], table[offset:]


@checked(d_model=even_width)
def similarity(
    offsets: ArrayLike, d_model: int, base: float = 10000.0, spacing: Spacing = "paper"
) -> Floats:
    """The dot product of two sinusoidal encodings, as a function of their offset alone.

    pe(t) · pe(t + Δ) = Σ_i cos(ω_i Δ), whatever t is: d_model / 2 at offset 0, and symmetric. No
    encoding and no length × length matrix is built. The result has the shape of the offsets; the
    layout makes no difference.

    Parameters
    ----------
    offsets : numbers
    d_model : int, even
    base, spacing
        As in `pecode.encodings.sinusoidal`.

    Examples
    --------
    >>> similarity([-3, 0, 3], d_model=8).round(4).tolist()
    [1.9649, 4.0, 1.9649]
    """
    steps = _phases.pair_steps(d_model, base, spacing)
    flat = offsets.ravel()
    sums = np.empty(flat.shape)
    block = max(1, 2**16 // d_model)  # so that memory does not grow with the number of offsets
    for first in range(0, flat.size, block):
        phases = _phases.phases(flat[first : first + block], steps)  # (block, d_model / 2)
        sums[first : first + block] = np.cos(phases).sum(axis=-1)
    return sums.reshape(offsets.shape)


def _cos_sin(offset, d_model, base, spacing):
    """Cosine and sine of the angles ω_i Δ, shape (d_model / 2,)."""
    phases = _phases.phases(offset, _phases.pair_steps(d_model, base, spacing))
    return np.cos(phases), np.sin(phases)
