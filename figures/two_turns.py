"""A query and a key, each turned by its position, and the score of the two."""

import numpy as np
import traitlets

from figures.base import Figure, Number, Whole, bundle, finite_array, refuse

_WIDTH = 8  # four pairs, four dials


class TwoTurns(Figure):
    """A query and a key, each turned by its position, and the score of the two.

    Parameters
    ----------
    m, n : int, 0 to 500
        The positions of the query and of the key, t and s on the page (m and n in the paper of
        Su et al., 2021).
    query, key : lists of 8 finite numbers
        The vectors before they are turned, in adjacent pairs.
    base : float, 10 to 1,000,000

    Examples
    --------
    >>> TwoTurns(m=20, n=14).m
    20
    """

    _esm = bundle("two_turns.js")
    alt = (
        "Above, a line with the query at position 120 and the key at position 100, and a bar for "
        "the score. Below, four dials with two hands each, one for the query and one for the key, "
        "and the angle between them shaded: wide on the first two dials, narrow on the third, "
        "nearly closed on the last. Under each a bar shows what the pair gives to the score."
    )
    m = Whole(120, min=0, max=500).tag(sync=True, public=True)
    n = Whole(100, min=0, max=500).tag(sync=True, public=True)
    query, key = (
        traitlets.List([1.0, 0.0] * (_WIDTH // 2)).tag(sync=True, public=True) for _ in range(2)
    )
    base = Number(10_000.0, min=10.0, max=1e6).tag(sync=True, public=True)

    @traitlets.validate("query", "key")
    def _is_a_vector(self, proposal):
        name, values = proposal.trait.name, proposal.value
        if any(isinstance(value, bool) for value in values) or len(values) != _WIDTH:
            refuse(name, f"{_WIDTH} numbers", f"{values!r:.60}")
        vector = finite_array(name, values, ndim=1)
        if np.abs(vector).max() > 1e6:
            refuse(name, "numbers up to a million", f"{values!r:.60}")
        return vector.tolist()
