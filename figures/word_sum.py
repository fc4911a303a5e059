"""Two words with their positions added, and how alike the sums are, for d = 512."""

from figures.base import Figure, FloatTrait, bundle


class WordSum(Figure):
    """Two words with their positions added, and how alike the sums are, for d = 512.

    `length` is that of the words, `words` their cosine similarity. They stand five positions
    apart.
    """

    _esm = bundle("word_sum.js")
    alt = (
        "Three dots on one scale: the similarity of the words at 0, that of the positions far to "
        "the right, that of the sums a third of the way between, with an arrow that shows the rise."
    )
    length = FloatTrait(512**0.5, min=1.0, max=512.0).tag(sync=True, public=True)
    words = FloatTrait(0.0, min=-0.2, max=1.0).tag(sync=True, public=True)
