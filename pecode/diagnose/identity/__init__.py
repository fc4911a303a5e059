"""`identify`: which convention, or which mistake, a whole table follows. Read `naming` first."""

from pecode.diagnose.identity.naming import Identity, identify
from pecode.diagnose.identity.proposals import find_formula

__all__ = ["Identity", "find_formula", "identify"]
