"""`identify`: which convention, or which mistake, a whole table follows.

Three steps. Measure: by which angle does every pair turn from one row to the next? Propose
(`proposals`): the turns say which base each spacing would need, and the table where it begins.
Compare: build the table that was proposed, and believe it only if every entry of the given table is
within the tolerance. What is no such table is looked for in `caches`.
"""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from pecheck import arrays
from pecheck.identity.caches import match_cache, match_ids
from pecheck.identity.known import match_slopes, name_frequencies
from pecheck.identity.proposals import LAYOUTS, find_formula
from pecheck.sentences import SUMMARIES
from pecheck.variants import VARIANTS
from pecode import _check
from pecode._check import checked

__all__ = ["Identity", "find_formula", "identify"]


@dataclass(frozen=True)
class Identity:
    """What a table is.

    layout : "interleaved", "cosine first", "concatenated" or "concatenated, cosine first"; of
    frequencies "frequencies alone", of a rotary cache "cosines alone" or "sines alone", of ALiBi
    "slopes".
    spacing : how the exponents grow: "paper" (2i/d_model), "endpoint", "even width" (at an odd
    width 2i/(d_model + 1): the table of the width above, less its last column), "exponent over
    512" for another width, or the name of a mistake.
    base : the one that this spacing needs.
    first_position, scale : of the first row that is no padding, and of all entries.
    bug : the name of a mistake in `pecheck.variants.VARIANTS`, "another width", "never
    filled" of frequencies, what was rounded of a rotary cache, or None.
    conventions : choices that differ from the paper's but are not mistakes: names in `VARIANTS`,
    "even width", forms of a rotary cache, padding, a grid's size, how frequencies were stretched.
    error : the largest difference from the named table, as a part of the scale.
    also : other formulas that give the same rows.
    """

    layout: str
    spacing: str
    base: float
    first_position: int
    scale: float
    bug: str | None
    conventions: tuple[str, ...]
    error: float
    also: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The mistake, else the conventions, else "paper"."""
        return self.bug or " + ".join(self.conventions) or "paper"

    def __str__(self) -> str:
        """One line for each thing that was found."""
        what = f"{self.layout}, {self.spacing} spacing, base {self.base:.6g}, first position "
        what += f"{self.first_position}, scale {self.scale:.4g}"
        what = "one number for each head" if self.layout == "slopes" else what
        lines = [f"{self.name}: {what}", f"largest error {self.error:.1e}"]
        if self.bug:
            lines.append(SUMMARIES[self.bug])
            lines += [f"and {each}" for each in self.conventions]
        if self.also:
            same = "frequencies" if self.layout == "frequencies alone" else "rows"
            lines.append(f"the same {same}: " + "; ".join(self.also))
        return "\n".join(lines)


@checked(table=arrays.table, tolerance=partial(_check.real, above=0, maximum=1))
def identify(table: object, base: float = 10000.0, tolerance: float = 0.01) -> Identity | None:
    """Name the convention or the mistake that a table of encodings follows.

    Parameters
    ----------
    table : array-like of floats, shape (rows, d_model), at least (3, 2)
        Rows of consecutive positions, from anywhere in a sequence: a list, an array or a tensor
        of any package, a data frame, the path of a file that `numpy.save` wrote; axes of length 1
        are dropped. One axis alone holds frequencies of pairs (`inv_freq`), or ALiBi's slopes.
    base : float > 1
        The expected base. Some laws give the same table with different bases (a doubled exponent
        is a squared base); then the law that needs this base is named, else the one that needs
        the plainest base. `also` has the others. A law other than the paper's is named with
        another base only where somebody might use that base: from 2 to 1e9.
    tolerance : float, above 0, at most 1
        Largest difference of any entry, as a part of the scale, at which a formula is believed.
        The default lets float16 and noise of 0.001 pass; noise of 0.3 does not. Frequencies given
        alone are held to 0.4 percent whatever it is; slopes of ALiBi are held to it.

    Returns
    -------
    Identity or None
        None when no formula is within the tolerance: learned or shuffled rows, noise, constants.

    Notes
    -----
    The first row is looked for at positions from -64 to 131,071; those of "divided twice" and of
    exponents by column at 0 and 1, of a rotary cache from 0 to 2. "divided twice", "along the
    batch" and "low precision" are looked for with the expected base and powers of ten only. A
    single pair fits nearly any angle of its first row with some position of that range, and two
    pairs every third one: at such widths only a first position near 0 says much.

    Examples
    --------
    >>> from pecode import sinusoidal
    >>> from pecheck.variants import VARIANTS
    >>> identify(sinusoidal(range(7, 20), 32)).first_position
    7
    >>> print(identify(VARIANTS["factor 2 doubled"].make(50, 32)))
    factor 2 doubled: interleaved, factor 2 doubled spacing, base 10000, first position 0, scale 1
    largest error ...
    The loop runs over even columns, which are 2i already, and the exponent doubles them.
    the same rows: paper, base 1e+08
    >>> identify([[0.1, 0.2], [0.3, 0.5], [0.9, 0.1]]) is None
    True
    """
    if table.ndim == 1:
        return _identity_of_frequencies(table, base, tolerance)
    largest = np.abs(table).max() or 1.0
    unit = table / largest  # so that no square overflows
    if np.ptp(unit) <= 0.01:
        return None  # a constant, as far as the tolerance can tell, and no law gives that
    given, alone = (table, base, tolerance), np.ptp(table[0]) < 1e-6
    found = match_cache(*given) if alone else None  # cosines or sines alone, at position 0
    if found is None and (formula := find_formula(unit, base, tolerance)):
        return _named(formula, largest, base)
    found = found or match_cache(*given) or match_ids(*given)
    return Identity(*found) if found else _of_a_grid(*given) or _behind_padding(*given)


def _identity_of_frequencies(frequencies, base, tolerance):
    """What frequencies are; which columns hold sines, and where positions begin, is not known."""
    slopes = match_slopes(frequencies, tolerance)
    if slopes and (base != 256 or not slopes[0]):
        return Identity("slopes", "ALiBi", 256.0, 0, 1.0, *slopes)
    alone = Identity("frequencies alone", "paper", base, 0, 1.0, None, (), 0.0)
    if frequencies.max() < 1e-9:
        return replace(alone, bug="never filled")
    law = name_frequencies(frequencies, 2 * len(frequencies), base)
    bug, how = law.mistake or law.alternative, law.how
    if (law.base or bug) is None or "LongRoPE" in how:  # factors that no law gives fit too much
        return None
    bug = None if bug == "degrees" else bug  # or interpolation
    if bug is None and law.base != base:
        alone, bug = replace(alone, base=law.base), "wrong base"
    if law.alternative:
        alone = replace(alone, spacing=law.alternative.removesuffix(" spacing"), also=(law.rule,))
    if bug == "endpoint spacing":
        bug, how = None, bug
    return replace(alone, bug=bug, conventions=(how,) if how else (), error=law.error)


def _of_a_grid(table, base, tolerance):
    """The identity of a picture's columns, where half of a vector is that of the row; or None."""
    parts = np.array_split(table, 2, axis=1)  # of places row by row, as DETR flattens them
    for row, column in (parts, parts[::-1]):
        width = int((np.abs(row - row[0]).max(axis=1) > 1e-5).argmax())
        if width > 2 and len(table) % width == 0 and len(table) > 2 * width:
            grid = column.reshape(-1, width, column.shape[1])
            found = identify(grid[0], base, tolerance) if np.ptp(grid, 0).max() < 1e-5 else None
            if found and identify(row[::width], base, tolerance):
                size = f"grid of {len(grid)} rows and {width} columns"
                return replace(found, conventions=(size, *found.conventions))
    return None


def _behind_padding(table, base, tolerance):
    """The identity of what follows rows of zeros, from row 0 on or, as in fairseq, 1; or None."""
    zeros = ~table.any(axis=1)
    first = int(not zeros[0])
    start = first + int(zeros[first:].argmin())
    if not first < start < len(table) - 2 or zeros[start:].any():
        return None
    if found := identify(table[start:], base, tolerance):
        name = f"zeros (padding, class token), then position {found.first_position} in row {start}"
        rest = [each for each in found.conventions if each != "positions from 1"]
        found = replace(found, conventions=(name + ", row 0 not read" * first, *rest))
    return found


def _named(formula, largest, expected):
    """The identity of a table that follows a formula, and was given `largest` times larger."""
    steps, first = np.diff(formula.positions), formula.positions[0]
    bug = None if math.isclose(formula.base, expected, rel_tol=1e-9) else "wrong base"
    if not steps.any():
        bug = "along the batch"
    elif (steps != 1).any():
        bug = "low precision"
    elif formula.spacing in VARIANTS:
        bug = formula.spacing
    elif formula.spacing.startswith("exponent over"):
        bug = "another width"
    interleaved, sines_first = LAYOUTS[formula.layout]
    conventions = {
        "concatenated": not interleaved,
        "cosine first": not sines_first,
        "endpoint spacing": formula.spacing == "endpoint",
        "even width": formula.spacing == "even width",
        "positions from 1": first == 1 and steps.any(),
    }
    names = tuple(name for name, holds in conventions.items() if holds)
    scale, error = float(formula.scale * largest), float(formula.error)
    laws = formula.layout, formula.spacing, formula.base
    return Identity(*laws, int(first), scale, bug, names, error, formula.also)
