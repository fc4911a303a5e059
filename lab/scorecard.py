"""What a positional encoding must do, measured: one row of numbers for each encoding."""

import html
from dataclasses import dataclass, fields

import numpy as np

from pecode import _check
from pecode.translation import fit_translation, power_of_two_near

# field: (heading, what a good value looks like), in the order in which the chapters bring them up
MEANINGS = {
    "smallest_distance": ("unique", "smallest distance between two positions; 0 = confused"),
    "defined_beyond": ("beyond", "gives vectors for longer sequences"),
    "largest_entry": ("bounded", "largest absolute entry"),
    "length_change": ("length", "how far an entry moves when the sequence doubles; want 0"),
    "has_shift": ("shift", "one matrix takes every position four ahead; a constant 1 may help"),
    "width": ("width", "numbers for each position"),
    "step_ratio": ("even steps", "longest step between neighbors ÷ shortest; want 1"),
    "neighbors_nearest": ("neighbors", "share of positions nearest to a neighbor alone; want 1"),
}


_LONGEST = 2**13  # the distances of all pairs of positions then take half a gigabyte


@dataclass(frozen=True)
class Scorecard:
    """The measured desiderata of one encoding; `MEANINGS` says what each number means."""

    smallest_distance: float
    defined_beyond: bool
    largest_entry: float
    length_change: float
    has_shift: bool
    width: int
    step_ratio: float
    neighbors_nearest: float

    def shown(self, field):
        """Return a value as text, rounded so that every machine prints the same."""
        value = getattr(self, field)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if field == "width":
            return str(value)
        if not np.isfinite(value):
            return "–" if np.isnan(value) else "∞"
        if value < 1e-6:  # rounding noise, which differs between machines
            return "0" if value == 0 else "< 1e-6"
        return f"{value:.2g}" if value < 99.5 else f"{value:.0f}"


def scorecard(encode, length=1024, offset=4):
    """Measure the desiderata of an encoding.

    Parameters
    ----------
    encode : callable
        Takes an array of the positions 0 … n - 1 and returns their vectors, shape (n, width).
        Must raise ValueError if it has no vectors for so many positions.
    length : int
        Number of positions.
    offset : int
        The shift that a matrix must do.

    Returns
    -------
    Scorecard

    Examples
    --------
    >>> from pecode import count
    >>> scorecard(count).largest_entry
    1023.0
    """
    if not callable(encode):
        raise TypeError(f"encode: expected a function of positions, got {type(encode).__name__}")
    offset = _check.integer("offset", offset, minimum=1)
    length = _check.integer("length", length, offset + 2, _LONGEST)

    table = _vectors(encode, length)
    shorter = _vectors(encode, length // 2)
    if shorter.shape[1] != table.shape[1]:
        raise ValueError(
            f"encode: expected the same width for every length, got {table.shape[1]} for {length} "
            f"positions and {shorter.shape[1]} for {length // 2}"
        )
    scale = power_of_two_near(table)
    distances = scale * pairwise_distances(table / scale)
    steps = np.diagonal(distances, 1)
    return Scorecard(
        smallest_distance=float(distances[np.triu_indices(length, 1)].min()),
        defined_beyond=_is_defined(encode, 4 * length),
        largest_entry=float(np.abs(table).max()),
        length_change=float(np.abs(table[: length // 2] - shorter).max()),
        has_shift=has_shift(table / scale, offset),
        width=table.shape[1],
        step_ratio=step_ratio(steps),
        neighbors_nearest=neighbors_nearest(distances),
    )


def pairwise_distances(table):
    """Return the Euclidean distances between all rows, shape (length, length)."""
    # |a|² + |b|² - 2ab would be a single matrix product, but loses small distances to rounding.
    return np.stack([np.linalg.norm(table - row, axis=1) for row in table])


def step_ratio(steps):
    """Return longest step ÷ shortest; inf if some steps have length 0, NaN if all have."""
    if steps.max() == 0:
        return np.nan
    return float(steps.max() / steps.min()) if steps.min() > 0 else np.inf


def neighbors_nearest(distances):
    """Return the share of positions t to which t - 1 or t + 1 is nearer than any other."""
    length = len(distances)
    gap = np.abs(np.arange(length)[:, None] - np.arange(length))
    neighbor = np.where(gap == 1, distances, np.inf).min(axis=1)
    farther = np.where(gap > 1, distances, np.inf).min(axis=1)
    # strictly nearer, beyond rounding: a tie does not show which one is the neighbor
    return float((neighbor < farther * (1 - 1e-9)).mean())


def has_shift(table, offset):
    """Say whether one matrix, and a constant, take every row to the row `offset` later."""
    with_one = np.column_stack([table, np.ones(len(table))])  # (length, width + 1)
    _, missed = fit_translation(with_one, offset)
    return bool(np.linalg.norm(missed) < 1e-6 * np.linalg.norm(with_one))


def _vectors(encode, length):
    table = _check.reals("encode(positions)", encode(np.arange(length)), ndim=2)
    if len(table) != length or table.shape[1] == 0:
        raise ValueError(
            f"encode: expected {length} vectors for {length} positions, got shape {table.shape}"
        )
    return table.astype(np.float64)


def _is_defined(encode, length):
    try:
        _vectors(encode, length)
    except ValueError:
        return False
    return True


class Comparison:
    """Scorecards side by side: a table in a notebook, plain text elsewhere."""

    def __init__(self, cards, mark=(), columns=None):
        if not isinstance(cards, dict):
            raise TypeError(f"cards: expected a dict of Scorecards, got {type(cards).__name__}")
        for name, card in cards.items():
            if not isinstance(card, Scorecard):
                raise TypeError(f"cards: expected Scorecards, got {card!r:.60} for {name!r}")
        for column in columns or ():
            _check.choice("columns", column, tuple(MEANINGS))
        self.cards, self.columns = dict(cards), columns
        self.mark = [tuple(pair) for pair in mark]
        known = [(name, field) for name in cards for field in self._shown_fields()]
        for pair in self.mark:
            if pair not in known:
                raise ValueError(f"mark: expected pairs (row, field), got {pair!r}")

    def _shown_fields(self):
        """The columns asked for; else all fields."""
        return self.columns or [field.name for field in fields(Scorecard)]

    def _cells(self):
        names = self._shown_fields()
        yield ["", *(MEANINGS[name][0] for name in names)]
        for row, card in self.cards.items():
            yield [row, *(card.shown(n) + (" ←" if (row, n) in self.mark else "") for n in names)]

    def __repr__(self):
        rows = list(self._cells())
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        return "\n".join(
            "  ".join(
                cell.rjust(w) if k else cell.ljust(w)
                for k, (cell, w) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        )

    def _repr_html_(self):
        head, *body = self._cells()
        titles = ["", *(MEANINGS[name][1] for name in self._shown_fields())]
        th = "".join(
            f'<th scope="col" title="{t}">{c}</th>' for c, t in zip(head, titles, strict=True)
        )
        tr = "".join(
            f'<tr><th scope="row">{html.escape(row[0])}</th>'
            + "".join(
                f"<td><strong>{c}</strong></td>" if c.endswith("←") else f"<td>{c}</td>"
                for c in row[1:]
            )
            + "</tr>"
            for row in body
        )
        return f'<table class="scorecard"><thead><tr>{th}</tr></thead><tbody>{tr}</tbody></table>'


def compare(cards, mark=(), columns=None):
    """Show scorecards side by side.

    Parameters
    ----------
    cards : dict of str to Scorecard
    mark : iterable of (row, field)
        Numbers to point at: the reasons for the next chapter.
    columns : iterable of fields, optional
        The numbers to show; all by default.

    Returns
    -------
    Comparison
        Shows itself as a table.
    """
    return Comparison(cards, mark, columns)
