"""Write wheels.txt: the pure wheels for the browser, with their hashes (`make lock` calls it)."""

import json
import re
import subprocess
import sys
from pathlib import Path

from packaging.utils import canonicalize_name

from tools.live.distribution import COMPILED, HERE, LIST, OF_PECODE, ROOT, core

HEAD = "# Made by `make lock`: pure wheels for the browser, in the versions that Pyodide names.\n"

# The kernel and the widgets import these; the rest is found from them and from what `pecode` needs.
ROOTS = ("comm", "ipython", "jedi", "micropip", "ipywidgets", "ipython-pygments-lexers",
         "psygnal", "typing-extensions", *OF_PECODE)  # fmt: skip


def pure(packages, pins):
    """Return the pure packages that the book needs, as `name==version`.

    What Pyodide's list has comes in the version that it names, the rest in the book's own.
    """
    found, waiting = set(), list(ROOTS)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name not in found:
            found.add(name)
            waiting += packages[name]["depends"] if name in packages else []
    versions = dict(re.findall(r"^([\w.-]+)==([^\s;\\]+)", pins, flags=re.MULTILINE))
    return [
        f"{name}=={packages[name]['version'] if name in packages else versions[name]}"
        for name in sorted(found - set(COMPILED))
    ]


def main():
    """Ask for the hashes of each version."""
    official = json.loads((core() / LIST).read_text(encoding="utf8"))
    lines = pure(official["packages"], (ROOT / "requirements.txt").read_text(encoding="utf8"))
    uv = Path(sys.executable).with_name("uv")
    found = subprocess.run(
        [uv, "pip", "compile", "-", "--no-deps", "--generate-hashes", "--python-version=3.14",
         "--universal", "--no-header", "--no-annotate",
         "--no-emit-index-url", "--no-emit-find-links", "--quiet"],
        input="\n".join(lines), text=True, check=True, capture_output=True,
    )  # fmt: skip
    (HERE / "wheels.txt").write_text(HEAD + found.stdout, encoding="utf8")


if __name__ == "__main__":
    main()
