"""Where the book is, what is in it, and how its pages are built: `python -m publishing.home`."""

import os
import subprocess
import sys
from itertools import chain
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"  # the built pages
NOT_BUILT = "the book is not built: run `make book` first"
CONFIG = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf8"))


def contents(toc):
    """Return the pages of each part of _toc.yml, by its heading; what lies below a page follows."""
    parts = {"": [toc["root"]]}
    for part in toc["parts"]:
        for place in (part, *(part["chapters"] or ())):
            if None in place.values():
                name = place.get("caption", place.get("file"))
                sys.exit(f"_toc.yml: nothing is left below {name!r}: delete its lines, too")
        pages = [(each, *each.get("sections", ())) for each in part["chapters"]]
        parts[part["caption"]] = [each["file"] for each in chain.from_iterable(pages)]
    return parts


def build(*arguments, live=""):
    """Build the pages; `live` is "1" where they get the button that runs them."""
    contents(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf8")))
    command = [Path(sys.executable).with_name("jupyter-book"), "build", ROOT, "--quiet", *arguments]
    environment = os.environ | ({"PECODE_LIVE": live} if live else {})
    # What it prints is an address of its own; warnings and errors are on standard error.
    if code := subprocess.run(command, env=environment, stdout=subprocess.DEVNULL).returncode:
        sys.exit(code)


if __name__ == "__main__":
    build(*sys.argv[1:])
