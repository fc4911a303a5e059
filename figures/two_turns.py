"""A query and a key, each turned by its position, and the score of the two."""

from figures.base import Figure, IntTrait, bundle


class TwoTurns(Figure):
    """A query and a key, each turned by its position, and the score of the two.

    `t` and `s` are the positions of the query and of the key (m and n in the paper of Su et al.,
    2021). Both are the same vector with four pairs, of base 10,000. `hands`, 0 or 1, turns the
    dials over: then the arrows are the clock hands of the sinusoidal encodings.

    Examples
    --------
    >>> TwoTurns(t=20, s=14).t
    20
    """

    _esm = bundle("two_turns.js")
    alt = (
        "Above, a line with the query at position 120 and the key at position 100. Below, four "
        "dials with two hands each, one for the query and one for the key, and the angle between "
        "them shaded: wide on the first two dials, narrow on the third, nearly closed on the last. "
        "Under each a bar shows what the pair gives to the score."
    )
    t = IntTrait(120, min=0, max=500).tag(sync=True, public=True)
    s = IntTrait(100, min=0, max=500).tag(sync=True, public=True)
    hands = IntTrait(0, min=0, max=1).tag(sync=True, public=True)
