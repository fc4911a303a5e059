"""What a run leaves: tables, reasons, a text for each student, and lists for Canvas and Moodle."""

import csv
import io
import re
from collections import Counter

from grading import marks
from grading.records import replaced
from grading.sandbox import clean

TITLE = "Positional Encoding"  # of the column of points in Canvas and Moodle
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
# Of a cell, or of what another separator would make of it. Some spreadsheets take wide signs, too.
FORMULA = re.compile(r"(^|[;,|\n])(?=[\s\"']*[=+\-@＝＋－＠])")


def harmless(text):
    """Return a text that a spreadsheet shows and does not compute."""
    return FORMULA.sub(r"\1'", clean(text, 500))


def csv_of(rows):
    """Return rows as CSV without a cell that a spreadsheet would compute."""
    text = io.StringIO()
    csv.writer(text).writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue()


def row(path, found, names):
    """Return a row of the table of files; a submission that has not been graded waits."""
    texts = [marks.student_of(path), path.as_posix()]
    if found is None:
        return [*texts, "", "", "not graded yet", *("waiting" for _ in names)]
    judged = {name: status for name, (status, _) in found.items() if name}
    passed = sum(status == "passed" for status in judged.values())
    note = found.get("", ("", ""))[1]
    return [*texts, passed, len(judged), note, *(judged.get(name, "") for name in names)]


def reasons(path, found):
    """Return the text that says why each exercise that has not passed did not."""
    lines = [f"{clean(path.as_posix(), 500)}: {summary(found)}"]
    for name, (status, reason) in found.items():
        if name and reason:
            told = reason.replace("\n", "\n        ")
            lines.append(f"    {name}: {status}\n        {told}")
    return "\n".join([*lines, "\n"])


def summary(found):
    """Say in one line how a submission did."""
    counts = Counter(status for name, (status, _) in found.items() if name)
    if found.get("", ("noted", ""))[0] != "noted":
        return found[""][1]
    others = sorted(f"{count} {status}" for status, count in counts.items() if status != "passed")
    note = [found[""][1]] if "" in found else []
    return ", ".join([f"{counts['passed']} of {counts.total()} passed", *others, *note])


def save(out, results, names):
    """Write the table of files and the reasons of what has been graded."""
    head = ["student", "file", "passed", "of", "note", *names]
    rows = [head, *(row(path, found, names) for path, found in results.items())]
    replaced(out, csv_of(rows), "utf-8-sig")  # spreadsheets look for the sign
    told = [reasons(path, found) for path, found in results.items() if found is not None]
    replaced(out.with_name(f"{out.stem}-reasons.txt"), "".join(told))


def save_students(out, everybody, counts, points):
    """Write the table of students, and the lists for Canvas and Moodle."""
    for kind, rows, encoding in [
        ("students", students, "utf-8-sig"), ("canvas", canvas, "utf8"), ("moodle", moodle, "utf8"),
    ]:  # fmt: skip
        text = csv_of(rows(everybody, counts, points))
        replaced(out.with_name(f"{out.stem}-{kind}.csv"), text, encoding)


def students(everybody, counts, points):
    """Yield the header and the rows of the table of students."""
    late = counts.counts_days or any(student.late for student in everybody)
    yield ["student", *counts.columns, "files", *["late"] * late, "points", "of", "note", *points]
    for student in everybody:
        sums = f"{student.points(points):g}", f"{sum(points.values()):g}"
        statuses = [student.results[name][0] for name in points]
        yield [student.name, *counts.more(student, counts.columns), len(student.files),
               *[student.late] * late, *sums, student.note, *statuses]  # fmt: skip


def canvas(everybody, counts, points):
    """Yield what the gradebook of Canvas imports: its five columns, and the points."""
    yield [*CANVAS, TITLE]
    yield ["Points Possible", "", "", "", "", f"{sum(points.values()):g}"]
    for student in counts.of_roster(everybody):
        name, *others = counts.more(student, CANVAS)
        yield [name or student.name, *others, student.mark(points)]


def moodle(everybody, counts, points):
    """Yield what the grade import of Moodle asks to be told the columns of."""
    yield ["student", *counts.columns, TITLE]
    for student in counts.of_roster(everybody):
        yield [student.name, *counts.more(student, counts.columns), student.mark(points)]
