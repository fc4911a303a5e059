"""Write copies of the notebooks for Colab into _build/colab: `make colab`.

Colab opens a notebook of a GitHub repository, and gets that file alone. So these copies begin with
a cell that installs `pecode` from the repository, which the book's own notebooks need not have.
The publishing workflow keeps them on the branch `colab`; PECODE_REPOSITORY and PECODE_SITE name the
repository and the published book, as in site/publish.py.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "site")]

import nbformat  # noqa: E402
from publish import settings  # noqa: E402

from tools.live import notebooks  # noqa: E402

TARGET = ROOT / "_build" / "colab"


def main():
    """Write the copies."""
    chosen = settings(ROOT, os.environ)
    site, repository = chosen["pecode_site"], chosen["pecode_repository"]
    if not (site and repository):
        sys.exit("Colab reads published repositories: set PECODE_SITE and PECODE_REPOSITORY.")
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()
    requirement = f"pecode @ git+{repository}@{commit}"
    html = ROOT / "_build" / "html"
    book, names = notebooks.Book(ROOT, html), notebooks.names(ROOT, html)
    for name in names:
        stored = nbformat.read(ROOT / name, as_version=4)
        (TARGET / name).parent.mkdir(parents=True, exist_ok=True)
        new = notebooks.for_colab(stored, name, book, ROOT, site, requirement)
        nbformat.write(new, TARGET / name)
    print(f"{TARGET}: {len(names)} notebooks")


if __name__ == "__main__":
    main()
