"""What ALiBi's bias makes the heads of one layer look at."""

from figures.base import Figure, IntTrait, bundle


class BiasHeads(Figure):
    """What ALiBi's bias makes the heads of one layer look at.

    `head` counts the eight heads from 1, and `query` is the position whose row is drawn. A query
    looks at itself and back.
    """

    _esm = bundle("bias_heads.js")
    alt = (
        "Left, a square heat map of the bias of 64 keys for 64 queries, white on the diagonal and "
        "bluer away from it, with its upper half masked; a frame marks the row of query 40. Right, "
        "that row: the bias rises in a straight line to 0 at the query, and bars show most of the "
        "attention on the last tokens; without a bias all would be as tall as a dotted line."
    )
    head = IntTrait(3, min=1, max=8).tag(sync=True, public=True)
    query = IntTrait(40, min=0, max=63).tag(sync=True, public=True)
