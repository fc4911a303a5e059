"""`identify`: which convention, or which mistake, a whole table follows. Read `naming` first."""

from pecheck.identity.naming import Identity, identify
from pecheck.identity.proposals import find_formula

__all__ = ["Identity", "find_formula", "identify"]
