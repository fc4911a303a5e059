"""What happens to cached keys when position IDs change, and the turn that mends it."""

import traitlets

from figures.base import Figure, IntTrait, bundle

# What the operations are called on the page.
_OPERATIONS = {
    "renumber": "evict and renumber",
    "front": "put a prompt in front",
    "join": "join another cache",
}


class Cache(Figure):
    """Cached keys whose position IDs change, and the turn that mends their scores.

    A cache holds the keys of eight words, turned to the positions 0 to 7. All keys and the query
    are one vector with four pairs, of frequencies 1, 1/2, 1/4 and 1/8; the dials show the first.

    Parameters
    ----------
    operation : "renumber", "front" or "join"
        Three tokens come or go.
    turn : int, -8 to 12
        The keys in question are turned by R(turn).

    Examples
    --------
    >>> Cache(operation="join", turn=8)
    Cache(operation='join', turn=8)
    """

    _esm = bundle("cache.js", OPERATIONS=[[text, name] for name, text in _OPERATIONS.items()])
    alt = (
        "A row of small dials, one for each of five keys and one for the next token. Rings mark "
        "where the hands should point, and the hands of the last three keys point elsewhere. Below "
        "each dial a bar shows its score and a line the right score: three bars miss it."
    )
    operation = traitlets.Enum(list(_OPERATIONS), "renumber").tag(sync=True, public=True)
    turn = IntTrait(0, min=-8, max=12).tag(sync=True, public=True)
