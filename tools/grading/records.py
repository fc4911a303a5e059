"""What was graded already: a line of JSON for each submission, written when it is done."""

import contextlib
import hashlib
import json
import platform

from grading import notebooks


def replaced(path, text, encoding="utf8"):
    """Write a file as a whole: whoever opens it finds the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding=encoding, errors="replace", newline="")
    new.replace(path)


def fingerprint(root, *settings):
    """Return a hash of everything but the submission that a result depends on."""
    found = hashlib.sha256(repr((platform.python_version(), settings)).encode())
    patterns = ("exercises/**/*.py", "exercises/*.ipynb", "pecode/**/*.py", "tools/grading/*.py",
                "tools/grade.py")  # fmt: skip
    for path in sorted({path for pattern in patterns for path in root.glob(pattern)}):
        found.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


class Records:
    """Results of submissions that have not changed since.

    Parameters
    ----------
    path : Path
        The file; a line that was cut off, as by a power failure, counts for nothing.
    grader : str
        The fingerprint of the grader; results of another one are not taken.
    """

    def __init__(self, path, grader):
        self.path, self.grader, self.kept = path, grader, {}
        text = path.read_text(encoding="utf8", errors="replace") if path.is_file() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError, AttributeError):
                record = json.loads(line)
                found = {name: (status, why) for name, (status, why) in record["found"].items()}
                self.kept[record["file"], record["key"]] = found

    def keep(self, names):
        """Forget all but these files and keys."""
        self.kept = {each: found for each, found in self.kept.items() if each in names}
        replaced(self.path, "".join(_line(*each, found) for each, found in self.kept.items()))

    def key(self, path):
        """Return a hash of a submission and of the grader; None for a file that is not read."""
        try:
            if path.is_symlink() or not path.is_file() or path.stat().st_size > notebooks.LARGE:
                return None
            return hashlib.sha256(self.grader.encode() + path.read_bytes()).hexdigest()
        except OSError:  # its row says so: it is graded as unreadable
            return None

    def add(self, file, key, found):
        """Note a result, on the disk before the next submission is begun."""
        self.kept[file, key] = found
        with self.path.open("a", encoding="utf8") as lines:
            lines.write(_line(file, key, found))


def _line(file, key, found):
    return json.dumps({"file": file, "key": key, "found": found}) + "\n"
