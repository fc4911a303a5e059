"""The files that were handed in: found, read with care, and asked what is in them."""

import json
import re

LARGE = 32_000_000  # bytes of a notebook
DEFINES = re.compile(r"(?m)^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)|^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)")
ASKS = re.compile(r"\bask\(\s*[\"'](\w+)[\"']")


class Unreadable(Exception):
    """A file that is not a notebook; the text says why."""


def handed_in(folder):
    """Return the files below a folder in order, without systems' copies."""

    def is_file(path):
        return is_named(path) or path.is_symlink() or not path.is_dir()

    return [
        path for path in sorted(folder.rglob("*"))
        if is_file(path) and not is_copy(path.relative_to(folder))
    ]  # fmt: skip


def is_copy(name):
    """Say whether a file is a system's copy; its name begins below the folder."""
    return any(part.startswith((".", "__MACOSX")) for part in name.parts)


def is_named(path):
    """Say whether a path is named like a notebook; what else was handed in is only listed."""
    return path.suffix.lower() == ".ipynb"


def read(path):
    """Return the code cells of a notebook, as texts; Unreadable says why there are none."""
    try:
        if path.is_symlink() or not path.is_file():  # a pipe would stop the grader
            raise Unreadable("it is a folder, a link or a pipe")
        if path.stat().st_size > LARGE:
            raise Unreadable(f"it is larger than {LARGE // 10**6} MB")
        return _cells(json.loads(path.read_text(encoding="utf-8-sig")))
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
