"""The files that were handed in: found, read with care, and asked what is in them."""

import json
import re
import stat
from pathlib import Path

LARGE = 32_000_000  # bytes of a notebook
DEFINES = re.compile(r"(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)")
ASKS = re.compile(r"\bask\(\s*[\"'](\w+)[\"']")


class Unreadable(Exception):
    """A file that is not a notebook; the text says why."""


def find(folder):
    """Return every path below a folder that is named like a notebook, in order.

    Copies that a system makes, and their folders, are left out.
    """
    paths = [path for path in Path(folder).rglob("*") if path.name.lower().endswith(".ipynb")]
    parts = {path: path.relative_to(folder).parts for path in paths}
    return sorted(path for path in paths if not any(
        part.startswith(".") or part == "__MACOSX" for part in parts[path]))  # fmt: skip


def read(path):
    """Return the code cells of a notebook, as texts; Unreadable says why there are none."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):  # a pipe that nobody writes to would stop the grader
            raise Unreadable("it is a folder, a link or a pipe")
        if found.st_size > LARGE:
            raise Unreadable(f"it is larger than {LARGE // 10**6} MB")
        if not found.st_size:
            raise Unreadable("it is empty")
        return _cells(json.loads(path.read_bytes().decode("utf-8-sig")))
    except OSError as error:
        raise Unreadable(f"it cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise Unreadable("it is not text in UTF-8") from None
    except RecursionError:
        raise Unreadable("its lists are nested too deep") from None
    except ValueError as error:
        raise Unreadable(f"it is not JSON ({str(error)[:100]})") from None
    except (KeyError, TypeError, AttributeError):
        raise Unreadable("it is JSON, but has no cells of a notebook") from None


def _cells(notebook):
    if "cells" in notebook:
        cells = notebook["cells"]
    else:  # until version 3 of the format, in worksheets
        cells = [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    codes = [cell for cell in cells if cell["cell_type"] == "code"]
    return ["".join(cell["source"] if "source" in cell else cell["input"]) for cell in codes]


def defined(cell):
    """Return the names that a cell defines, read from its text alone."""
    return {name for match in DEFINES.finditer(cell) for name in match.groups() if name}


def asked(cell):
    """Return the questions that a cell answers, read from its text alone."""
    return set(ASKS.findall(cell))
