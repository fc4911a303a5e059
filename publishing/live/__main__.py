"""Build the pages, and Python for the browser beside them: `make live`.

    python -m publishing.live [--compiled FOLDER [--unofficial]] [--reuse]

Pages then have the button “Edit and run the code”. Five compiled packages stay at the address of
Pyodide's makers; with `--compiled` they are taken from a folder, if they are the same files, and
nothing is asked of any other host.
Without npm, which brings Pyodide, the book is built without the button, and says so.
"""

import argparse
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from publishing.home import HTML, build
from publishing.live import distribution

NO_NPM = (
    "{}, so the book is built without the button “Edit and run the code”. npm is part of Node.js "
    "and brings Python for the browser; a connection to its registry is needed once."
)


def main(arguments=None):
    """Build Python for the browser, then the book."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--compiled", type=Path, help="the folder of the compiled wheels (full mode)")
    add("--unofficial", action="store_true", help="compiled wheels may have other hashes")
    add("--reuse", action="store_true", help="the pages are built: only Python")
    add("--target", type=Path, default=HTML / "python", help="where Python is put")
    add("rest", nargs="*", help="more arguments for jupyter-book, after --")
    chosen = parser.parse_args(arguments)
    try:
        distribution.core()
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        print(NO_NPM.format(error), file=sys.stderr)
        shutil.rmtree(chosen.target, ignore_errors=True)
        build(*chosen.rest)
        return
    compiled = []
    if chosen.compiled:  # asked before the book is built, which takes minutes
        try:
            compiled = distribution.compiled_from(chosen.compiled, not chosen.unofficial)
        except ValueError as error:
            sys.exit(str(error))
    with ThreadPoolExecutor() as beside:  # on another processor than the pages
        made = beside.submit(distribution.make, chosen.target.resolve(), compiled)
        if not chosen.reuse:
            build(*chosen.rest, live="1")
    made.result()  # raises what it raised


if __name__ == "__main__":
    main()
