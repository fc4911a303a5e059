"""Words that change places, and what self-attention makes of it."""

import numpy as np
import traitlets

from figures.base import Figure, bundle


def _chapter_1():
    """Vectors of "the dog bit the man" and three matrices, drawn as in chapter 1."""
    rng = np.random.default_rng(0)
    vocabulary = {word: rng.normal(size=16).tolist() for word in ["the", "dog", "bit", "man"]}
    w_query, w_key, w_value = rng.normal(scale=16**-0.5, size=(3, 16, 16)).tolist()
    vectors = [vocabulary[word] for word in ["the", "dog", "bit", "the", "man"]]
    return {"vectors": vectors, "w_query": w_query, "w_key": w_key, "w_value": w_value}


class Shuffle(Figure):
    """Words that change places, and what self-attention makes of it.

    `order` lists the words of "the dog bit the man", 0 … 4, from left to right. With `causal` a
    word looks at itself and back; with `positions` each place adds its sinusoidal vector.
    """

    _esm = bundle("shuffle.js")
    alt = (
        "Five words in a row, the dog bit the man, with arrows to move them, and beside them the "
        "average of all. Below each word stands a strip of two halves, its output in this order "
        "and in the one to come, 16 cells each from blue (negative) to red (positive)."
    )
    order = traitlets.List([0, 1, 2, 3, 4]).tag(sync=True, public=True)
    causal = traitlets.Bool(False).tag(sync=True, public=True)
    positions = traitlets.Bool(False).tag(sync=True, public=True)
    words = traitlets.List(["the", "dog", "bit", "the", "man"], read_only=True).tag(sync=True)
    vectors, w_query, w_key, w_value = (
        traitlets.List(rows, read_only=True).tag(sync=True) for rows in _chapter_1().values()
    )

    @traitlets.validate("order")
    def _check_order(self, proposal):
        order = proposal.value
        if any(type(word) is not int for word in order) or sorted(order) != [0, 1, 2, 3, 4]:
            raise traitlets.TraitError(
                f"order: expected the numbers 0 to 4, each of them once, got {order!r}"
            )
        return order
