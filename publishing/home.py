"""Where the book is, and what the tools share with its build."""

from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"  # the built pages
NOT_BUILT = "the book is not built: run `make book` first"
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))
