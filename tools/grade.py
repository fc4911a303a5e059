"""Grade a folder of notebooks with nbgrader: `make grade FOLDER=submissions`.

    python -m tools.grade FOLDER [--roster FILE] [--unprotected]

The folder is a download from Canvas or Moodle, zipped or not, or holds a folder for each student.
Its notebooks become a course of nbgrader in _build/grading: each is run and graded, and gets a page
of feedback. grades.csv has a row for each student. A roster adds those who are missing, and comes
back with the points as grades-class.csv.

Each kernel runs in bubblewrap, without a network: it reads Python, its packages and the handout,
which has no solutions, and writes nothing that stays. The verdict comes from inside this sandbox,
so a notebook that replaces the checks can forge its own points, but nobody else's.
"""

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import namedtuple
from pathlib import Path

import nbformat

from publishing.home import ROOT
from tools import handout
from tools.grading import submission

COURSE = ROOT / "_build" / "grading"
LARGEST = 200_000_000  # bytes: an archive that unpacks to more stays packed
# How Canvas names a file (lovelaceada_LATE_71_4502_name.ipynb) and Moodle a folder or a file
# (Ada Lovelace_71_assignsubmission_file).
PLATFORM = re.compile(
    r"(?P<name>.+?)_(?:late_)?(?P<number>\d+)_(?:\d+_|assignsubmission_)", re.IGNORECASE
)
# Columns of a roster. Canvas imports no others, and Moodle writes "Participant 71".
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
NUMBERS, NAMES = ("ID", "Identifier"), ("student", "Student", "Full name")
POINTS, POSSIBLE = "Positional Encoding", "Points Possible"

Student = namedtuple("Student", ["name", "number"])  # the number is a platform's, or empty


def unpack(folder, target):
    """Copy a folder and unpack its archives, also those in the archive of a whole class."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns(".*"))
    for _ in range(2):
        for path in sorted(target.rglob("*.zip")):
            of_class = path.parent == target and not PLATFORM.match(path.name)
            try:
                with zipfile.ZipFile(path) as archive:
                    if sum(each.file_size for each in archive.infolist()) > LARGEST:
                        continue
                    archive.extractall(target if of_class else path.with_suffix(""))
                path.unlink()
            except Exception:  # whatever is wrong with it: an archive that stays is reported
                continue


def student_of(path):
    """Return who handed in a file, by its path below the folder; None if it does not say.

    >>> student_of(Path("lovelaceada_LATE_71_4502_05-translation.ipynb"))
    Student(name='lovelaceada', number='71')
    """
    if found := PLATFORM.match(path.parts[0]):
        return Student(found["name"], found["number"])
    return Student(path.parts[0], "") if len(path.parts) > 1 else None


def collect(folder, chapters):
    """Return the newest notebook of each student and chapter, and the files that are not graded."""
    found, others = {}, {}
    files = [path for path in folder.rglob("*") if path.suffix in (".ipynb", ".zip")]
    files = [path for path in files if path.is_file() and not path.is_symlink()]
    for path in sorted(files, key=lambda path: (path.stat().st_mtime, path)):
        name = path.relative_to(folder)
        student = student_of(name)
        chapter = next((chapter for chapter in chapters if chapter in path.name), None)
        if path.suffix == ".zip":
            others[name] = "an archive that cannot be unpacked"
        elif not student or not chapter:
            others[name] = "no student in its path" if chapter else "no chapter in its name"
        else:
            if older := found.get((student, chapter)):
                others[older.relative_to(folder)] = f"{name} is newer"
            found[student, chapter] = path
    return found, others


def prepare(course, found):
    """Write the assignments and the submissions to where nbgrader looks for them.

    Returns for each student and chapter why it cannot be graded or, if it can, what was found in
    the notebook and which exercises are unedited.
    """
    for name in ("submitted", "autograded", "feedback"):
        shutil.rmtree(course / name, ignore_errors=True)
    shutil.copy2(Path(submission.__file__).with_name("nbgrader_config.py"), course)
    files, about = handout.files(), {}
    handout.write(files, course / "handout")
    for (student, chapter), path in found.items():
        source = course / "source" / chapter / f"{chapter}.ipynb"
        if not source.exists():  # its points may have been changed
            source.parent.mkdir(parents=True)
            source.write_text(files[source.name], encoding="utf8")
        try:
            notebook = submission.read(path)
        except ValueError as error:
            about[student, chapter] = f"{path.name} {error}", ()
            continue
        released = nbformat.read(source, as_version=4)
        new, remarks, unedited = submission.rebuilt(notebook, released)
        target = course / "submitted" / folder_of(student) / chapter / source.name
        target.parent.mkdir(parents=True)
        nbformat.write(new, target)
        about[student, chapter] = remarks, unedited
    return about


def folder_of(student):
    """Return the name by which nbgrader knows a student."""
    return re.sub(r"[^\w.-]", "-", "-".join(filter(None, student)))


def sandbox(course, sockets):
    """Return the command in front of a program that may read Python and the handout only."""
    readable = ["/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", sys.base_prefix, sys.prefix]
    readable = [*filter(os.path.exists, readable), course / "handout"]
    command = [
        "prlimit", "--as=4000000000", "--fsize=16000000", "--core=0", "--cpu=300",
        "bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv",
        "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--setenv", "HOME", "/tmp",
        "--setenv", "LANG", "C.UTF-8", "--setenv", "OPENBLAS_NUM_THREADS", "1",
        "--setenv", "PYTHONPATH", course / "handout", "--setenv", "PECODE_PROGRESS", "",
        *(word for path in readable for word in ("--ro-bind", path, path)),
        "--bind", sockets, sockets, "--ro-bind", ".", "/answers", "--chdir", "/answers",
    ]  # fmt: skip
    return list(map(str, command))


def kernel(course, sockets):
    """Write the kernel that runs in the sandbox; return the variables by which it is found."""
    command = sandbox(course, sockets)
    trial = [*command, sys.executable, "-c", "import exercises, ipykernel"]
    done = subprocess.run(trial, cwd=sockets, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"make grade: no program starts in bubblewrap:\n{done.stderr}\n"
                 "appendices/teaching.md says what to do, under Collect and grade")  # fmt: skip
    start = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    form = {"display_name": "Python 3", "language": "python", "interrupt_mode": "message"}
    spec = course / "kernels" / "python3" / "kernel.json"  # where no notebook can write
    spec.parent.mkdir(parents=True, exist_ok=True)
    spec.write_text(json.dumps({"argv": [*command, *start], **form}), encoding="utf8")
    return {"JUPYTER_PATH": str(course), "TMPDIR": str(sockets)}


def run_nbgrader(course, chapters, protected):
    """Grade all submissions and write their feedback; what nbgrader says goes into a file."""
    with (
        tempfile.TemporaryDirectory(prefix="grade") as sockets,  # short: a socket has 107 letters
        (course / "nbgrader.log").open("w", encoding="utf8") as log,
    ):
        variables, options = {"PYTHONPATH": str(course / "handout"), "PECODE_PROGRESS": ""}, []
        if protected:
            variables = kernel(course, Path(sockets))
            names = ("transport=ipc", f"ip={sockets}/kernel")
            options = [f"--AsyncKernelManager.{name}" for name in names]
        variables["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        for chapter in chapters:
            print(f"grading {chapter}", flush=True)
            for step in ("generate_assignment", "autograde", "generate_feedback"):
                command = [sys.executable, "-m", "nbgrader", step, chapter, "--force", *options]
                done = subprocess.run(command, cwd=course, env=os.environ | variables, stdout=log,
                                      stderr=log, check=False)  # fmt: skip
                if done.returncode and step == "generate_assignment":
                    sys.exit(f"make grade: nbgrader failed, see {log.name}")


def results(course, student, chapter, remarks, unedited):
    """Return the status and the points of each exercise, and what is to be said about the notebook."""
    from nbgrader.api import Gradebook

    graded = course / "autograded" / folder_of(student) / chapter / f"{chapter}.ipynb"
    if isinstance(remarks, str):
        return {}, [remarks]
    if not graded.exists():
        return {}, [f"{chapter} was not graded: nbgrader.log says why"]
    cells, found = submission.names(nbformat.read(graded, as_version=4)), {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for grade in book.find_submission(chapter, folder_of(student)).notebooks[0].grades:
            exercise = grade.name.removeprefix("test_")
            outputs = [*cells[exercise].outputs, *cells[grade.name].outputs]
            errors = [each.ename for each in outputs if each.output_type == "error"]
            status = "open" if exercise in unedited or "NotAttempted" in errors else "failed"
            found[exercise] = "passed" if grade.score >= grade.max_score else status, grade.score
    said = [f"{what}: {', '.join(sorted(names))}" for what, names in remarks.items() if names]
    return found, said


def table(course, about):
    """Return a row for each student: points, what was found, the status of each exercise."""
    rows = {}
    for (student, chapter), notebook in sorted(about.items()):
        row = rows.setdefault(student, {**student._asdict(), "points": 0, "note": ""})
        exercises, said = results(course, student, chapter, *notebook)
        if exercises and row["points"] != "":
            row["points"] += sum(points for _, points in exercises.values())
        elif not exercises:
            row["points"] = ""
        row["note"] = "; ".join(filter(None, [row["note"], *said]))
        row.update({exercise: status for exercise, (status, _) in exercises.items()})
    for row in rows.values():
        row["points"] = row["points"] if row["points"] == "" else f"{row['points']:g}"
    return rows


def read_roster(path):
    """Return the rows of a list of the class, as Canvas, Moodle or a spreadsheet write it."""
    text = path.read_text(encoding="utf-8-sig")
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.DictReader(text.splitlines(), delimiter=delimiter)
    return [{key: value or "" for key, value in row.items() if key} for row in rows]


def with_points(roster, rows, possible):
    """Return the roster with points for the platform, and the rows with those who are missing."""
    rows, back = dict(rows), []
    students = {id(person_of(student, roster)): student for student in rows}
    for person in roster:
        name = next((person[key].strip() for key in NAMES if person.get(key)), "")
        points = f"{possible:g}" if name == POSSIBLE else ""
        if row := rows.get(students.get(id(person))):
            row["name"], points = name, row["points"]
        elif name and name != POSSIBLE:
            missing = {"name": name, "number": number_of(person), "points": ""}
            rows[name, id(person)] = missing | {"note": "Nothing was handed in."}
        kept = CANVAS if "SIS Login ID" in person else person
        back.append({key: person.get(key, "") for key in kept} | {POINTS: points})
    return back, rows


def person_of(student, roster):
    """Return the row of a roster with the student's number, or else the only one with the name."""
    name, number = student.name.casefold(), student.number
    numbered = [person for person in roster if number and number_of(person) == number]
    named = [person for person in roster if name in map(str.casefold, person.values())]
    return next((people[0] for people in (numbered, named) if len(people) == 1), None)


def number_of(person):
    """Return the number by which a platform knows a person of the roster."""
    return re.sub(r"\D", "", next((person[key] for key in NUMBERS if person.get(key)), ""))


def write(path, rows):
    """Write rows as a table."""
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, dict.fromkeys(key for row in rows for key in row))
        writer.writeheader()
        writer.writerows(rows)
    print(path)


def main(arguments=None):
    """Collect, grade, and write feedback and tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with the notebooks of the students")
    parser.add_argument("--roster", type=Path, help="the class, as Canvas or Moodle list it")
    parser.add_argument("--unprotected", action="store_true", help="for notebooks that you trust")
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    if not folder.is_dir() or COURSE.is_relative_to(folder):
        sys.exit(f"make grade: {options.folder} is not a folder with submissions")
    if not options.unprotected and not shutil.which("bwrap"):
        sys.exit("make grade: bubblewrap is missing (apt install bubblewrap). "
                 "For notebooks that you trust: UNPROTECTED=yes")  # fmt: skip
    roster = read_roster(options.roster) if options.roster else []
    chapters = [Path(name).stem for name in handout.files() if name.endswith(".ipynb")]
    unpack(folder, COURSE / "unpacked")
    found, others = collect(COURSE / "unpacked", chapters)
    for name, reason in others.items():
        print(f"not graded: {name} ({reason})")
    if not found:
        sys.exit(f"make grade: {options.folder} has no notebook named like 05-translation.ipynb")
    about = prepare(COURSE, found)
    chapters = sorted({chapter for _, chapter in found})
    run_nbgrader(COURSE, chapters, not options.unprotected)
    rows = table(COURSE, about)
    if roster:
        sources = [COURSE / "source" / each / f"{each}.ipynb" for each in chapters]
        every = [submission.names(nbformat.read(path, as_version=4)).values() for path in sources]
        points = [cell.metadata.nbgrader.get("points", 0) for cells in every for cell in cells]
        back, rows = with_points(roster, rows, sum(points))
        write(COURSE / "grades-class.csv", back)
    write(COURSE / "grades.csv", list(rows.values()))
    print(COURSE / "feedback")


if __name__ == "__main__":
    main()
