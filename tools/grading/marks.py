"""One row and one text for each student, out of the results of what was handed in."""

import csv
import math
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path

from grading.records import replaced
from grading.sandbox import clean

BEST = ("passed", "failed", "stopped", "open", "unreadable", "waiting")
NOTHING, UNKNOWN = "nothing handed in", "not on the roster"


@dataclass
class Marks:
    """What counts.

    Attributes
    ----------
    roster : dict of str: dict
        Each student's row of the roster, by the name of the folder; empty without a roster.
    points : dict of str: float
        Points by exercise: only these count. Without it each exercise counts one point.
    take : {"best", "latest"}
        Which of several results of an exercise a student gets.
    """

    roster: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    take: str = "best"


@dataclass
class Student:
    """The marks of one student: a status, a reason and a file for each exercise."""

    name: str
    files: list
    results: dict
    note: str

    def points(self, points):
        """Return the sum of the points of what passed."""
        return sum(points[name] for name, found in self.results.items() if found[0] == "passed")


def rows_of(path, columns):
    """Return the rows of a CSV file as dictionaries; ValueError says what is wrong with it."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: expected CSV in UTF-8, got another encoding") from None
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)  # what a spreadsheet writes depends on its country
    rows = list(csv.DictReader(text.splitlines(), delimiter=delimiter, restval=""))
    if not rows or not set(columns) <= set(rows[0]):
        raise ValueError(f"{path}: expected rows below the header {','.join(columns)}, got {head}")
    return rows


def read_roster(path):
    """Return the rows of a roster by student; its column "student" names their folders."""
    roster = {}
    for row in rows_of(path, ["student"]):
        name = row["student"].strip()
        if not name or same(name) in map(same, roster):
            raise ValueError(f"{path}: expected each student once, got {name!r} again or empty")
        roster[name] = {key: value for key, value in row.items() if key and key != "student"}
    return roster


def read_points(path, exercises):
    """Return points by exercise, in the order of the book."""
    points = {}
    for row in rows_of(path, ["exercise", "points"]):
        name, given = row["exercise"].strip(), row["points"].strip()
        if name not in exercises or name in points:
            raise ValueError(f"{path}: expected names of exercises, each once, got {name!r}")
        try:
            points[name] = float(given.replace(",", "."))
        except ValueError:
            points[name] = math.nan
        if not 0 <= points[name] < math.inf:
            raise ValueError(f"{path}: {name}: expected points of 0 or more, got {given!r}")
    return {name: points[name] for name in exercises if name in points}


def same(name):
    """Return what two spellings of a name have in common: systems store accents in two ways."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def students(results, times, names, marks):
    """Return the students in order: those of the roster, then those whom it does not know.

    Parameters
    ----------
    results : dict of Path: dict or None
        By file, relative to the folder: status and reason by exercise; None is not graded yet.
    times : dict of Path: float
        When each file was changed.
    names : iterable of str
        The exercises that count.
    """
    folders = {}
    for path in results:
        if len(path.parts) > 1:
            folders.setdefault(same(path.parts[0]), []).append(path)
    known = {same(name): name for name in marks.roster}
    everybody = {**known, **{key: paths[0].parts[0] for key, paths in folders.items()}}
    found = []
    for key, name in everybody.items():
        files = sorted(folders.get(key, []), key=lambda path: (times[path], path), reverse=True)
        notes = [NOTHING] * (not files) + [UNKNOWN] * bool(known and key not in known)
        notes += [results[path][""][1] for path in files if results[path] and "" in results[path]]
        merged = _merged(files, results, names, marks)
        found.append(Student(known.get(key, name), files, merged, "; ".join(notes)))
    if not known:
        found.sort(key=lambda student: same(student.name))
    return found


def _merged(files, results, names, marks):
    merged = {}
    rest = "missing"  # unless a file that could not be judged may have it
    if any(results[path] and results[path].get("", [""])[0] == "unreadable" for path in files):
        rest = "unreadable"
    if any(results[path] is None for path in files):
        rest = "waiting"
    for name in names:
        every = [
            (*results[path][name], path)
            for path in files
            if results[path] and name in results[path]
        ]
        if marks.take == "best":
            every.sort(key=lambda each: BEST.index(each[0]))  # stable: the latest of the best
        merged[name] = every[0] if every else (rest, "", None)
    return merged


def table(everybody, points, marks, harmless):
    """Return the header and the rows of the table of students."""
    extra = list(dict.fromkeys(key for row in marks.roster.values() for key in row))
    of = f"{sum(points.values()):g}"
    rows = []
    for student in everybody:
        more = marks.roster.get(student.name, {})
        got = f"{student.points(points):g}"
        statuses = [student.results[name][0] for name in points]
        told = [harmless(student.name), *(more.get(key, "") for key in extra)]
        rows.append([*told, len(student.files), got, of, harmless(student.note), *statuses])
    return ["student", *extra, "files", "points", "of", "note", *points], rows


def feedback(student, results, exercises, points):
    """Return the text for a student: each exercise that was handed in, and why it did not pass."""
    got, of = student.points(points), sum(points.values())
    lines = [f"{clean(student.name)}: {got:g} of {of:g} points", ""]
    for path in student.files:
        if results[path] and "" in results[path]:
            lines += [f"{clean(path.as_posix(), 500)} {results[path][''][1]}", ""]
    missing = []
    for name, worth in points.items():
        status, reason, path = student.results[name]
        title = f"{exercises[name].number} {exercises[name].title} ({name})"
        if path is None:
            missing.append(f"    {title}: 0 of {worth:g}, {status}")
            continue
        lines.append(f"{title}: {worth if status == 'passed' else 0:g} of {worth:g}, {status}")
        lines += [f"    {line}" for line in reason.splitlines()]
        if len(student.files) > 1:
            lines.append(f"    in {clean(path.as_posix(), 500)}")
    if missing:
        lines += ["", "Without a result:", *missing]
    return "\n".join([*lines, ""])


def write_feedback(folder, everybody, results, exercises, points):
    """Write a text for everybody who handed something in; remove those of an earlier run."""
    written = set()
    for student in everybody:
        if student.files:
            path = folder / student.files[0].parts[0] / "feedback.txt"
            replaced(path, feedback(student, results, exercises, points))
            written.add(path)
    for path in set(folder.glob("*/feedback.txt")) - written:
        path.unlink()
