"""What the tests of the figures share: a figure on a page of its own."""

import pytest

from .page import opened


@pytest.fixture
def on_page(chromium, tmp_path):
    """Open figures on a page of their own."""
    return lambda *figures, **options: opened(chromium, tmp_path, *figures, **options)
