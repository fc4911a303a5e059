"""The distance up to which a key like the query beats a stranger, by the base."""

from figures.base import Figure, Number, Whole, bundle

# Published models with heads of 128 columns: base, and the length of the texts in training.
_MODELS = {"Llama 2": (10_000, 4096), "Llama 3": (500_000, 8192)}


class BaseBound(Figure):
    """The distance up to which a key like the query beats a stranger, by the base.

    Heads have 128 columns, and S is the mean of cos(ωm) over their 64 pairs.

    Parameters
    ----------
    base : float, 1000 to 10,000,000
    length : int, 256 to 16,384
        How many tokens a text has.

    Examples
    --------
    >>> BaseBound(base=500_000)
    BaseBound(base=500000.0, length=4096)
    """

    _esm = bundle("base_bound.js", MODELS=[[name, *values] for name, values in _MODELS.items()])
    alt = (
        "Left, a curve that falls with the distance from 1 toward 0, with ripples, and dips below "
        "zero at 1,707, before a line that marks 4,096 tokens. Right, the distance of the first "
        "dip by the base: a jagged line that rises to the right. Where it lies under the line of "
        "4,096 tokens a base fails; between 29,000 and 55,000 passing and failing bases alternate."
    )
    base = Number(10_000.0, min=1000.0, max=10_000_000.0).tag(sync=True, public=True)
    length = Whole(4096, min=256, max=16_384).tag(sync=True, public=True)
