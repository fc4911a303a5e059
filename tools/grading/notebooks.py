"""The files that were handed in: found, read with care, and asked what is in them."""

import json
import os
import re
import stat
from pathlib import Path

LARGE = 32_000_000  # bytes of a notebook
DEFINES = re.compile(r"(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)")
ASKS = re.compile(r"\bask\(\s*[\"'](\w+)[\"']")


class Unreadable(Exception):
    """A file that is no notebook; the text says why."""


def find(folder):
    """Return every path below a folder that is named like a notebook, in order."""
    found = []
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not _is_hidden(each))
        names = [*files, *folders]  # a folder of that name is told, too
        found += [Path(here, each) for each in names if each.lower().endswith(".ipynb")]
    return sorted(path for path in found if not _is_hidden(path.name))


def _is_hidden(name):
    return name.startswith(".") or name == "__MACOSX"


def read(path):
    """Return the code cells of a notebook, as texts; Unreadable says why there are none."""
    if path.is_symlink():
        raise Unreadable("it is a link to another place")
    try:
        notebook = json.loads(_bytes(path).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Unreadable("it is not text in UTF-8") from None
    except RecursionError:
        raise Unreadable("its lists are nested too deep") from None
    except ValueError as error:
        raise Unreadable(f"it is not JSON ({str(error)[:100]})") from None
    return _cells(notebook)


def _bytes(path):
    # Opened without waiting: a named pipe that nobody writes to would stop the grader.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        if path.is_dir():
            raise Unreadable("it is a folder")
        with os.fdopen(os.open(path, flags | getattr(os, "O_BINARY", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("it is no file")
            content = file.read(LARGE + 1)
    except OSError as error:
        raise Unreadable(f"it cannot be read ({error.strerror})") from None
    if len(content) > LARGE:
        raise Unreadable(f"it is larger than {LARGE // 10**6} MB")
    if not content.strip():
        raise Unreadable("it is empty")
    return content


def _cells(notebook):
    try:
        # Until version 3 of the format, cells were in worksheets and their text was the input.
        cells = (
            notebook["cells"]
            if "cells" in notebook
            else [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
        )
        codes = [cell for cell in cells if cell["cell_type"] == "code"]
        return ["".join(cell["source"] if "source" in cell else cell["input"]) for cell in codes]
    except (KeyError, TypeError, AttributeError):
        raise Unreadable("it is JSON, but has no cells of a notebook") from None


def defined(cell):
    """Return the names that a cell defines, read from its text alone."""
    return {name for match in DEFINES.finditer(cell) for name in match.groups() if name}


def asked(cell):
    """Return the questions that a cell answers, read from its text alone."""
    return set(ASKS.findall(cell))
