"""What is written at the end: a row for each student, and the list of the class with its points."""

import csv
import hashlib
import io
import re
import unicodedata
from collections import namedtuple

import nbformat

from tools.grading import submission

# Columns of a roster. Canvas imports no others, and Moodle writes "Participant 71".
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
NAMES = ("student", "full name", "name")
# The name and the number in other languages; no column of these has the name of a person.
NAME = re.compile("name|nom|naam", re.IGNORECASE)
OTHER = re.compile("user|utilis|usu|utent|file|group", re.IGNORECASE)
NUMBER = re.compile(r"\s*(id\s*$|ident)", re.IGNORECASE)
POINTS, POSSIBLE = "Positional Encoding", "Points Possible"
ENDED = {"TimedOut": "timed out", "EndedPython": "ended Python", "NoResult": "no result"}

Student = namedtuple("Student", ["name", "number"])  # the number is a platform's, or empty


def folder_of(student):
    """Return the name by which nbgrader knows a student: Jo-Ann-8, or jo if it has no number."""
    known = re.sub(r"[^\w.-]", "-", "-".join(filter(None, student)))
    if student.number or known == student.name:
        return known
    code = hashlib.sha256(student.name.encode()).hexdigest()[:4]  # Jo Ann is not Jo-Ann
    return f"{known}-{code}"


def status(grade, unedited, errors):
    """Return what a table says of an exercise."""
    if grade.auto_score is None and grade.manual_score is None:
        return "to be graded"
    if grade.score >= grade.max_score:
        return "passed"
    if grade.score > 0:
        return f"{grade.score:g} points"
    ended = [ENDED[error] for error in errors if error in ENDED]
    if ended or grade.manual_score is not None:
        return ended[0] if ended else "failed"
    return "open" if unedited or "NotAttempted" in errors else "failed"


def of_notebook(course, student, chapter, remarks, unedited):
    """Return the status and the points of each exercise, and what there is to say of a notebook."""
    from nbgrader.api import Gradebook

    graded = course / "autograded" / folder_of(student) / chapter / f"{chapter}.ipynb"
    if isinstance(remarks, str):
        return {}, [remarks]
    if not graded.exists():
        return {}, [f"{chapter} was not graded: nbgrader.log says why"]
    cells, found, replaced = submission.names(nbformat.read(graded, as_version=4)), {}, set()
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for grade in book.find_submission(chapter, folder_of(student)).notebooks[0].grades:
            exercise = grade.name.removeprefix("test_")
            judged = cells[grade.name].get("outputs", [])
            outputs = [*cells[exercise].get("outputs", []), *judged]
            errors = [each.ename for each in outputs if each.output_type == "error"]
            found[exercise] = status(grade, exercise in unedited, errors), grade.score
            said = "".join(each.get("text", "") for each in judged)
            if grade.auto_score and not re.search(rf"^(✓ )?{exercise}: (passed|\d+ )", said, re.M):
                replaced.add(exercise)  # it passed, and the check did not say so
    return found, [
        f"{what}: {', '.join(sorted({name.removeprefix('test_') for name in each}))}"
        for what, each in (remarks | {"replaces `grade`": replaced}).items()
        if each
    ]


def results(course, about, late, left):
    """Return a row for each student: points, what was found, the status of each exercise."""
    rows = {}
    for student in sorted({who for who, _ in about} | {who for who, *_ in left if who}):
        notes = [f"{reason}: {name}" for who, name, reason in left if who == student]
        points, statuses = [], {}
        for chapter in sorted(chapter for who, chapter in about if who == student):
            exercises, said = of_notebook(course, student, chapter, *about[student, chapter])
            points.append(sum(point for _, point in exercises.values()) if exercises else None)
            statuses |= {exercise: status for exercise, (status, _) in exercises.items()}
            notes += said
        rows[student] = {
            **student._asdict(),
            "late": "late" if student in late else "",
            "points": f"{sum(points):g}" if points and None not in points else "",
            "note": "; ".join(notes),
            **statuses,
        }
    return rows


def read_roster(path):
    """Return the rows of a list of the class, as Canvas, Moodle or a spreadsheet write it."""
    held = path.read_bytes()
    try:
        text = held.decode("utf-16" if held[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = held.decode("latin-1")  # which has a letter for each byte
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    text = unicodedata.normalize("NFC", text)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [{key: value or "" for key, value in row.items() if key} for row in rows]


def possible(course, chapters):
    """Return the points of all exercises of some chapters."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        return sum(book.find_assignment(chapter).max_score for chapter in chapters)


def with_points(roster, rows, possible):
    """Return the roster with points for the platform, and the rows with those who are missing."""
    rows, back = dict(rows), []
    students = {id(person_of(student, roster)): student for student in rows}
    for person in roster:
        name = name_of(person)
        points = f"{possible:g}" if name == POSSIBLE else ""
        if row := rows.get(students.get(id(person))):
            row["name"], points = name, row["points"]
        elif name and name != POSSIBLE:
            missing = {"name": name, "number": number_of(person), "late": "", "points": ""}
            rows[name, id(person)] = missing | {"note": "Nothing was handed in."}
        kept = CANVAS if "SIS Login ID" in person else person
        back.append({key: person.get(key, "") for key in kept} | {POINTS: points})
    return back, rows


def person_of(student, roster):
    """Return the row of a roster with the student's number, or else the only one with the name."""
    name = student.name.casefold()
    numbered = [each for each in roster if student.number and number_of(each) == student.number]
    named = [each for each in roster
             if name in map(str.casefold, [*each.values(), name_of(each)])]  # fmt: skip
    return next((people[0] for people in (numbered, named) if len(people) == 1), None)


def name_of(person):
    """Return the name of a person of the roster, whatever its language calls the column."""
    keys = [key for key in person if key.strip().casefold() in NAMES]
    keys = keys or [key for key in person if NAME.search(key) and not OTHER.search(key)]
    keys = keys or [*person][bool(number_of(person)) :][:1]
    return " ".join(person[key].strip() for key in keys)


def number_of(person):
    """Return the number by which a platform knows a person of the roster."""
    number = next((person[key] for key in person if NUMBER.match(key)), "")
    return re.sub(r"\D", "", number)


def write(path, rows):
    """Write rows as a table."""
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, dict.fromkeys(key for row in rows for key in row))
        writer.writeheader()
        # A name that begins with = would be a formula.
        writer.writerows(
            {key: re.sub("^(?=[=+@])", "'", f"{row[key]}") for key in row} for row in rows
        )
    print(path)
