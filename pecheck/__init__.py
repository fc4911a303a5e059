"""Looking at encodings that somebody else made: which position, which convention, which mistake.

`decode` reads a position out of a vector, and `identify` names the convention or the bug that a
whole table follows. `examine` calls a function and says what it does with positions. `config` reads
the published settings of a model and says what each layer does with positions.

`functions` calls a function and hands what it did to `rotations` or `biases`;
`identity` proposes formulas for a table (`proposals`, `caches`) and compares; both name frequencies
by `identity.known`. In `configuration`, `settings` reads a file as the code of its family does
(`families`), `layers` makes layers of it (`patterns`, `rotation`), `warnings` judges them.
"""

from pecheck.configuration import Config, Unreadable, config
from pecheck.decoding import decode
from pecheck.functions import Examination, examine
from pecheck.identity import Identity, identify

__all__ = [
    "Config",
    "Examination",
    "Identity",
    "Unreadable",
    "config",
    "decode",
    "examine",
    "identify",
]
