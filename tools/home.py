"""Where the book is, and what the tools share with its build."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"  # the built pages
sys.path.append(str(ROOT / "site"))  # as Sphinx does for the extensions of the book

import publish  # noqa: E402
from run import session  # noqa: E402

__all__ = ["HTML", "ROOT", "publish", "session"]
