"""Where the book is, and what the tools share with its build."""

import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"  # the built pages
NOT_BUILT = "the book is not built: run `make book` first"
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))
sys.path.append(str(ROOT / "site"))  # as Sphinx does for the extensions of the book

import publish  # noqa: E402
from run import session  # noqa: E402

__all__ = ["CONFIG", "HTML", "NOT_BUILT", "ROOT", "publish", "session"]
