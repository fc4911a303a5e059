"""One row and one text for each student, out of the results of what was handed in."""

import csv
import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from grading.records import replaced
from grading.sandbox import clean
from grading.senders import on_roster, same, sender_of

BEST = ("passed", "failed", "stopped", "open", "unreadable", "waiting")
JUDGED = BEST[:4]
NOTHING, UNKNOWN = "nothing handed in", "not on the roster"
DAY = 86400  # seconds
NAMES = "Full name", "Student"  # columns of Moodle and of Canvas


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
    deadline : float or None
        In seconds since 1970: a file that was changed later is late.
    off : float
        The part of an exercise's points that each day takes, if its file is late.
    """

    roster: dict = field(default_factory=dict)
    points: dict = field(default_factory=dict)
    take: str = "best"
    deadline: float | None = None
    off: float = 0.0

    @property
    def columns(self):
        """The columns of the roster that the tables take over."""
        names = dict.fromkeys(key for row in self.roster.values() for key in row)
        return [name for name in names if name != "late"]

    @property
    def counts_days(self):
        """Whether the days late are known."""
        return self.deadline is not None or any("late" in row for row in self.roster.values())

    def more(self, student, columns):
        """Return what the roster has about a student in these columns."""
        return [self.roster.get(student.name, {}).get(key, "") for key in columns]

    def of_roster(self, everybody):
        """Return the students whom a list for another system may name: it refuses strangers."""
        return [each for each in everybody if not self.roster or each.name in self.roster]

    def days(self, name, time, late=None):
        """Return how many days late a file is: as the roster says, the platform, or else its time.

        Canvas says whether, and not how long: that counts as one day.
        """
        if told := self.roster.get(name, {}).get("late", ""):
            return int(told)
        if late is not None:
            return int(late)
        return 0 if self.deadline is None else max(0, math.ceil((time - self.deadline) / DAY))


@dataclass
class Student:
    """The marks of one student: a status, a reason and a file for each exercise."""

    name: str
    files: list
    results: dict
    note: str
    days: dict  # late, by file
    off: float  # of the points, for each day

    @property
    def late(self):
        """How many days late the latest file is that counts."""
        return max((self.days[path] for *_, path in self.results.values() if path), default=0)

    def worth(self, name, points):
        """Return the points of an exercise: none if it has not passed, fewer if it was late."""
        status, _, path = self.results[name]
        return points[name] * max(0, 1 - self.off * self.days.get(path, 0)) * (status == "passed")

    def points(self, points):
        """Return the sum of the points."""
        return sum(self.worth(name, points) for name in points)

    def mark(self, points):
        """Return the points as text, which is empty as long as nothing or not all is judged."""
        statuses = {status for status, *_ in self.results.values()}
        is_judged = statuses & {*JUDGED} and "waiting" not in statuses
        return f"{self.points(points):g}" if is_judged else ""


def rows_of(path, columns, instead=()):
    """Return the rows of a CSV file as dictionaries; ValueError says what is wrong with it.

    It has these columns, or one of those that will do instead.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: expected CSV in UTF-8, got another encoding") from None
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)  # what a spreadsheet writes depends on its country
    try:
        rows = list(csv.DictReader(text.splitlines(), delimiter=delimiter, restval=""))
    except csv.Error as error:
        raise ValueError(f"{path}: expected CSV: {error}") from None
    if not rows or not (set(columns) <= set(rows[0]) or {*instead} & set(rows[0])):
        raise ValueError(f"{path}: expected rows below the header {','.join(columns)}, got {head}")
    return rows


def read_roster(path):
    """Return the rows of a roster by student; its column "student" names their folders.

    What Canvas has written (a gradebook) or Moodle (a grading worksheet) will do without it.
    """
    roster, rows = {}, rows_of(path, ["student"], NAMES)
    column = next(name for name in ("student", *NAMES) if name in rows[0])
    for row in rows:
        row = {key: cell.strip() for key, cell in row.items() if key}
        name, late = row[column].removeprefix("Points Possible"), row.get("late", "")
        row.pop("student", None)
        if not name and row.get("Student", "?") in ("", "Points Possible"):
            continue  # Canvas says there what it knows of each column
        if not name or same(name) in map(same, roster):
            raise ValueError(f"{path}: expected each student once, got {name!r} again or empty")
        if late and not (late.isascii() and late.isdigit()):
            raise ValueError(f"{path}: {name}: expected late as a number of days, got {late!r}")
        roster[name] = row
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


def read_deadline(text):
    """Return a deadline in seconds since 1970; a date without a time lasts until its end."""
    try:
        end = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"deadline: expected a date as 2026-11-20 23:59, got {text!r}") from None
    return (end + timedelta(days=len(text) <= len("2026-11-20"))).timestamp()


def student_of(path):
    """Return the name that a submission was handed in with; an empty text when there is none."""
    return sender_of(path).name


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
    groups = {}
    for path in results:
        if (sender := sender_of(path)).name:
            groups.setdefault(sender.key, []).append(path)
    senders = {key: sender_of(paths[0]) for key, paths in groups.items()}
    known = on_roster(senders.values(), marks.roster)
    shared = Counter([same(each.name) for each in senders.values()])
    for key, sender in senders.items():  # two strangers of one name differ in their numbers
        many = shared[same(sender.name)] > 1 or sender.name in marks.roster
        known.setdefault(
            key, f"{sender.name} ({sender.id[1]})" if sender.id and many else sender.name
        )
    of_name = {name: [] for name in marks.roster}
    for key, paths in groups.items():
        of_name.setdefault(known[key], []).extend(paths)
    found = []
    for name, files in of_name.items():
        files.sort(key=lambda path: (times[path], path), reverse=True)
        notes = [NOTHING] * (not files)
        notes += [UNKNOWN] * bool(marks.roster and name not in marks.roster)
        notes += [results[path][""][1] for path in files if results[path] and "" in results[path]]
        late = {path: sender_of(path).late for path in files}
        notes += ["late, says Canvas"] * any(late.values())
        days = {path: marks.days(name, times[path], late[path]) for path in files}
        merged = _merged(files, results, names, marks.take, days)
        found.append(Student(name, files, merged, "; ".join(notes), days, marks.off))
    if not marks.roster:
        found.sort(key=lambda student: same(student.name))
    return found


def _merged(files, results, names, take, days):
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
        if take == "best":  # of equals the one that costs least, and of these the latest
            every.sort(key=lambda each: (BEST.index(each[0]), days[each[2]]))
        merged[name] = every[0] if every else (rest, "", None)
    return merged


def feedback(student, results, exercises, points):
    """Return the text for a student: each exercise that was handed in, and why it did not pass."""
    got, of = student.points(points), sum(points.values())
    lines = [f"{clean(student.name)}: {got:g} of {of:g} points", ""]
    if student.late:
        off = f", {100 * student.off:g} percent off for each" * (student.off > 0)
        lines += [f"Days late: {student.late}{off}", ""]
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
        lines.append(f"{title}: {student.worth(name, points):g} of {worth:g}, {status}")
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
            path = folder / sender_of(student.files[0]).folder / "feedback.txt"
            replaced(path, feedback(student, results, exercises, points))
            written.add(path)
    for path in set(folder.glob("*/feedback.txt")) - written:
        path.unlink()
