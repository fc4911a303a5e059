"""What the tests of the notebooks check with; tests/book/test_rules.py shows that it can fail."""

from tests.book import notebooks, numbers

__all__ = ["notebooks", "numbers"]
