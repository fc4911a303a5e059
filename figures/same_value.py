"""One value of the normalized count, in texts of different length."""

import re

from figures.base import Figure, IntTrait, bundle
from figures.word_clock import WORDS

_STORY = """
One morning a man and his dog walked along the river. The dog saw a duck and ran. The man ran
after the dog, and the duck flew over both of them and sat down on the roof of the old mill.
There it waited. The dog barked at the door until the miller came out with a broom. He looked
at the dog, he looked at the man, and he did not look at the roof. Who has bitten whom, he
asked. Nobody, said the man. Not yet, thought the dog. The miller laughed and let them in, and
gave them bread and milk. When the milk was gone it began to rain, and the river rose, and the
wheel of the mill turned faster than it had turned in all the years before. They sat by the
fire and told stories: the man told one of a dog, the miller told one of a man, and the dog
slept. At night the rain stopped. The duck flew home over the wet fields, and the man followed
the river with his dog, who had dreamed that he could fly. In the morning nobody believed a
word of it but the dog.
"""
LONGEST = 200
TEXT = re.findall(r"\w+", _STORY.lower())[:LONGEST]


class SameValue(Figure):
    """One value of the normalized count, 0.8, in texts of different length.

    With `plain` 1 the words stand at their plain counts instead, and the value is 8.
    """

    _esm = bundle("same_value.js", WORDS=WORDS, TEXT=TEXT)
    alt = (
        "Two texts as rows of dots drawn to the same width, one of 51 words and one of 11, the dog "
        "bit the man and the man bit the dog. A dashed line at 0.8 meets a dot of each: one far to "
        "the right in dense dots, another word in wide steps. A ring is around both, and the word "
        "stands below it."
    )
    length = IntTrait(51, min=2, max=LONGEST).tag(sync=True, public=True)
    plain = IntTrait(0, min=0, max=1).tag(sync=True, public=True)
