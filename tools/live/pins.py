"""Write wheels.txt: the pure wheels for the browser, with their hashes (`make lock` calls it)."""

import json
import subprocess
import sys
from pathlib import Path

from tools.live.distribution import HERE, LIST, ROOT, core, pure

HEAD = "# Made by `make lock`: pure wheels for the browser, in the versions that Pyodide names.\n"


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
