"""What is written at the end: a row for each student, and the list of the class with its points."""

import csv
import hashlib
import io
import re
from collections import namedtuple

import nbformat

from tools.grading import submission

# Columns of a roster. Canvas imports no others, and Moodle writes "Participant 71".
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
NAMES = ("student", "full name", "name")
# The name and the number in other languages; no column of these has the name of a person.
NAME = re.compile("name|nom|naam", re.IGNORECASE)
OTHER = re.compile("user|utilis|usu|utent|file|group", re.IGNORECASE)
POINTS, POSSIBLE = "Positional Encoding", "Points Possible"
ENDED = {"TimedOut": "timed out", "EndedPython": "ended Python", "NoResult": "no result"}

Student = namedtuple("Student", ["name", "number"])  # the number is a platform's, or empty


def folder_of(student):
    """Return the name by which nbgrader knows a student.

    >>> [folder_of(Student(*who)) for who in [("Jo Ann", "8"), ("Jo Ann", ""), ("jo", "")]]
    ['Jo-Ann-8', 'Jo-Ann-87eb', 'jo']
    """
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
    remarks = remarks | {"replaces `grade`": replaced}
    short = {what: {name for name in each if name.removeprefix("test_") not in each - {name}}
             for what, each in remarks.items() if each}  # fmt: skip
    return found, [f"{what}: {', '.join(sorted(each))}" for what, each in short.items()]


def results(course, about, late, left):
    """Return a row for each student: points, what was found, the status of each exercise."""
    rows = {}
    for student in sorted({student for student, _ in about} | {each for each, *_ in left if each}):
        row = rows[student] = {**student._asdict(), "late": "", "points": 0, "note": ""}
        notes = [f"{reason}: {name}" for each, name, reason in left if each == student]
        notebooks = [each for each in about.items() if each[0][0] == student]
        for key, notebook in sorted(notebooks):
            exercises, said = of_notebook(course, *key, *notebook)
            notes += said
            row["late"] = "late" if key in late else row["late"]
            row.update({exercise: status for exercise, (status, _) in exercises.items()})
            graded = exercises and row["points"] != ""
            row["points"] = row["points"] + sum(p for _, p in exercises.values()) if graded else ""
        row["points"] = f"{row['points']:g}" if notebooks and row["points"] != "" else ""
        row["note"] = "; ".join(notes)
    return rows


def read_roster(path):
    """Return the rows of a list of the class, as Canvas, Moodle or a spreadsheet write it."""
    held = path.read_bytes()
    try:
        text = held.decode("utf-16" if held[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = held.decode("latin-1")  # which has a letter for each byte
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [{key: value or "" for key, value in row.items() if key} for row in rows]


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
    name, number = student.name.casefold(), student.number
    numbered = [person for person in roster if number and number_of(person) == number]
    named = [
        person
        for person in roster
        if name in {*map(str.casefold, person.values()), name_of(person).casefold()}
    ]
    return next((people[0] for people in (numbered, named) if len(people) == 1), None)


def name_of(person):
    """Return the name of a person of the roster, whatever its language calls the column.

    >>> name_of({"ID": "Teilnehmer/in71", "Vollständiger Name": "Zoë Maß", "Status": ""})
    'Zoë Maß'
    """
    keys = [key for key in person if key.strip().casefold() in NAMES]
    keys = keys or [key for key in person if NAME.search(key) and not OTHER.search(key)]
    keys = keys or list(person)[1:2] if number_of(person) else keys or list(person)[:1]
    return " ".join(person[key].strip() for key in keys)


def number_of(person):
    """Return the number by which a platform knows a person of the roster."""
    keys = [
        key
        for key in person
        if key.strip().casefold() == "id" or key.casefold().startswith("ident")
    ]
    return re.sub(r"\D", "", person[keys[0]]) if keys else ""


def write(path, rows):
    """Write rows as a table."""
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, dict.fromkeys(key for row in rows for key in row))
        writer.writeheader()
        writer.writerows(rows)
    print(path)
