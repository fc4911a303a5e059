"""Two words with their positions added, and how alike the sums are, for d = 512."""

from figures.base import Figure, Number, Whole, bundle


class WordSum(Figure):
    """Two words with their positions added, and how alike the sums are, for d = 512.

    `length` is that of the words, `words` their cosine similarity; `first` and `second` are the
    positions.
    """

    _esm = bundle("word_sum.js")
    alt = (
        "Left, a right triangle: the word across, the position up, a bit shorter, and their sum as "
        "the slant; below, a bar: two thirds of the squared length are the word's. Right, three "
        "dots on one scale: the similarity of the words at 0, that of the positions far to the "
        "right, that of the sums a third of the way between, with an arrow that shows the rise."
    )
    length = Number(512**0.5, min=1.0, max=512.0).tag(sync=True, public=True)
    words = Number(0.0, min=-0.2, max=1.0).tag(sync=True, public=True)
    first = Whole(1, min=0, max=511).tag(sync=True, public=True)
    second = Whole(6, min=0, max=511).tag(sync=True, public=True)
