"""Which checks have passed on this machine: a small file in the reader's home folder."""

import json
import os
from pathlib import Path


def path():
    """Return the path of the file; PECODE_PROGRESS names another, or, if empty, none."""
    named = os.environ.get("PECODE_PROGRESS")
    if named is not None:
        return Path(named) if named else None
    return Path.home() / ".pecode" / "progress.json"


def passed():
    """Return the names of the exercises that are done; an unreadable file counts as empty."""
    file = path()
    try:
        names = json.loads(file.read_text(encoding="utf8")) if file else []
    except (OSError, ValueError):
        return []
    return sorted({name for name in names if isinstance(name, str)}) if type(names) is list else []


def keep(name):
    """Add an exercise to those that are done; a folder that cannot be written to is no error."""
    file = path()
    if file is None or name in (done := passed()):
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(sorted([*done, name]), indent=1), encoding="utf8")
    except OSError:
        pass  # a check must not fail because its success cannot be noted


def forget():
    """Forget all of them."""
    file = path()
    if file is not None:
        file.unlink(missing_ok=True)
