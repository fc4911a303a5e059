"""Words told where they stand, each by the four hands of its position."""

from figures.base import Figure, IntTrait, bundle

WORDS = ["the", "dog", "bit", "the", "man", "and", "the", "man", "bit", "the", "dog"]
BASE = 16.0  # of the frequencies: each hand is half as fast as the one before it


class WordClock(Figure):
    """Every word of a sentence gets the four hands of its position, and a row of numbers.

    The table is `pecode.sinusoidal(range(11), 8, base=16)`.
    """

    _esm = bundle("word_clock.js", WORDS=WORDS, BASE=BASE)
    alt = (
        "The words of “the dog bit the man and the man bit the dog” run down the page. Beside them "
        "four dials, each above the wave that its hand draws downward, word by word: the first "
        "swings fast, each further one half as fast. A band at word 4 crosses all four waves. To "
        "the right a table grows with it: its row for a word holds the sines and cosines of the "
        "four hands, as cells from blue (−1) to red (1)."
    )
    position = IntTrait(4, min=0, max=len(WORDS) - 1).tag(sync=True, public=True)
