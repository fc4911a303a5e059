"""What the tests of the notebooks check with; tests/test_checks.py shows that it can fail."""

from tests.checks import notebooks, numbers

__all__ = ["notebooks", "numbers"]
