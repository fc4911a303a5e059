"""Grade a folder of notebooks with nbgrader: `make grade FOLDER=submissions`.

The folder is a download from Canvas or Moodle, zipped or not, or holds a folder for each student.
Its notebooks become a course of nbgrader in _build/grading: each is run and graded, and gets a page
of feedback. appendices/teaching.md says what else is written.

Each kernel runs in bubblewrap, without a network: it reads Python, its packages and the handout,
which has no solutions, and writes nothing that stays. The verdict comes from inside this sandbox,
so a notebook that replaces the checks can forge its own points, but nobody else's.
"""

import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
import zipfile
from pathlib import Path

import nbformat

from publishing.home import ROOT
from tools import handout
from tools.grading import submission, tables
from tools.grading.tables import Student, folder_of

COURSE = ROOT / "_build" / "grading"
LARGEST = 200_000_000  # bytes: a student's archive that unpacks to more stays packed
# How Canvas names a file (lovelaceada_LATE_71_4502_name.ipynb, or anon_a1B2c_4502_name.ipynb) and
# Moodle a folder or a file (Ada Lovelace_71_assignsubmission_file).
PLATFORM = re.compile(
    r"(?:late_)?(?P<name>.+?)_(?:late_)?(?P<number>\d+|(?<=anon_)\w+?)_(?:\d+_|assignsubmission_)",
    re.IGNORECASE,
)


def unpack(folder, target):
    """Copy a folder, or an archive of a class, and unpack its archives."""
    shutil.rmtree(target, ignore_errors=True)
    if folder.is_dir():
        with contextlib.suppress(shutil.Error):  # what cannot be read
            shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns(".*"))
    else:
        target.mkdir(parents=True)
        shutil.copy(folder, target / "class.zip")
    for _ in range(2):
        for path in sorted(target.rglob("*.zip")):
            with contextlib.suppress(Exception):  # an archive that stays is reported
                unpack_archive(path, target)
                path.unlink()
    shutil.rmtree(target / "__MACOSX", ignore_errors=True)
    inside, pages = [*target.iterdir()], [path.name for path in target.glob("*/*.ipynb")]
    if folder.is_dir() or len(inside) != 1 or not all(map(PLATFORM.match, pages)):
        return target
    return inside[0] if inside[0].is_dir() else target  # it was packed with its name


def unpack_archive(path, target):
    """Unpack an archive of a class into `target`, one of a student into a folder of its name."""
    with zipfile.ZipFile(path) as archive:
        names, alone = archive.namelist(), [*target.iterdir()] == [path]
        to = path.with_suffix("")
        if path.parent == target and not PLATFORM.match(path.name):
            to = target if alone or any(map(PLATFORM.match, names)) else to
        if to == target and any((to / name).is_file() for name in names):
            raise ValueError("somebody has handed in a file of this name")
        if to != target and sum(each.file_size for each in archive.infolist()) > LARGEST:
            raise ValueError("too large")
        for each in archive.infolist():  # the date says which notebook is newer
            os.utime(archive.extract(each, to), (time.mktime((*each.date_time, 0, 0, -1)),) * 2)


def student_of(path):
    """Return who handed in a file, by its path below the folder; None if it does not say."""
    first = unicodedata.normalize("NFC", path.parts[0])  # as macOS does not write it
    if told := PLATFORM.match(first):
        return Student(told["name"], told["number"])
    return Student(first, "") if len(path.parts) > 1 else None


def chapter_of(path, chapters):
    """Return the chapter of a notebook, by its name or by the exercises in it; None if none."""
    for chapter in chapters:
        if chapter in path.name:
            return chapter
    with path.open(encoding="utf8", errors="replace") as file:
        text = file.read(submission.LARGEST)
    held = {chapter: sum(name in text for name in names) for chapter, names in chapters.items()}
    return max(filter(held.get, held), key=held.get, default=None)


def collect(folder, chapters):
    """Return the newest notebook of each student and chapter, and the files that are not graded.

    `chapters` has the names of the exercises of each chapter. Paths are those below the folder.
    """
    found, others = {}, {}
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    files = [path for path in files if "/." not in f"/{path.relative_to(folder).as_posix()}"]
    is_notebook = {path: ".ipynb" in path.name.casefold() for path in files}  # a.ipynb.txt, too
    for path in sorted(files, key=lambda path: (not is_notebook[path], path.stat().st_mtime, path)):
        name = path.relative_to(folder)
        student = student_of(name)
        if path.suffix == ".zip":
            others[name] = "an archive that cannot be unpacked"
        elif not is_notebook[path]:
            if student and student not in {who for who, _ in found}:
                others[name] = "not a notebook (.ipynb)"
        elif not (chapter := chapter_of(path, chapters)):
            others[name] = "no chapter in its name, no exercise in it"
        elif not student:
            others[name] = "no student in its path"
        else:
            if older := found.get((student, chapter)):
                others[older] = f"{name} was graded instead"
            found[student, chapter] = name
    seen = {path.parts[0] for path in (*found.values(), *others)}
    for path in sorted(folder.glob("[!.]*/")):
        if path.name not in seen:
            others[Path(path.name, "")] = "no file in it that can be read"
    return found, others


def prepare(course, folder, found, files):
    """Write the assignments and the submissions to where nbgrader looks for them.

    Returns for each student and chapter why it cannot be graded or, if it can, what was found in
    the notebook and which exercises are unedited.
    """
    for name in ("submitted", "autograded", "feedback"):
        shutil.rmtree(course / name, ignore_errors=True)
    shutil.copy2(Path(submission.__file__).with_name("nbgrader_config.py"), course)
    handout.write(files, course / "handout")
    about = {}
    for (student, chapter), name in found.items():
        source = course / "source" / chapter / f"{chapter}.ipynb"
        if not source.exists():  # its points may have been changed
            source.parent.mkdir(parents=True)
            source.write_text(files[source.name], encoding="utf8")
        try:
            cells = submission.read(folder / name)
        except ValueError as error:
            about[student, chapter] = f"{error}: {name.name}", ()
            continue
        released = nbformat.read(source, as_version=4)
        new, *about[student, chapter] = submission.rebuilt(cells, released)
        target = course / "submitted" / folder_of(student) / chapter / source.name
        target.parent.mkdir(parents=True)
        nbformat.write(new, target)
    return about


def pack_feedback(course, found):
    """Write the pages of feedback into an archive, named as Moodle and Canvas know the student.

    Moodle reads name, number and plugin between underscores, Canvas the numbers of the student and
    of the file that was handed in.
    """
    path = course / "feedback.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for (student, chapter), name in found.items():
            page = course / "feedback" / folder_of(student) / chapter / f"{chapter}.html"
            known = PLATFORM.match(name.parts[0])
            plugin = "file_" if known and known[0].endswith("assignsubmission_") else ""
            start = f"{known[0]}{plugin}" if known else f"{folder_of(student)}/"
            if page.exists():
                archive.write(page, f"{start}{page.name}")
    print(path)


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
            options.append(f"--Run.sockets={sockets}")
        variables["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        for chapter in chapters:
            print(f"grading {chapter}", flush=True)
            for step in ("generate_assignment", "autograde", "generate_feedback"):
                command = [sys.executable, "-m", "nbgrader", step, chapter, "--force", *options]
                done = subprocess.run(command, cwd=course, env=os.environ | variables, stdout=log,
                                      stderr=log, check=False)  # fmt: skip
                if done.returncode and step == "generate_assignment":
                    sys.exit(f"make grade: nbgrader failed, see {log.name}")


def main(arguments=None):
    """Collect, grade, and write feedback and tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with the notebooks of the students, or its zip")
    parser.add_argument("--roster", type=Path, help="the class, as Canvas or Moodle list it")
    parser.add_argument("--unprotected", action="store_true", help="for notebooks that you trust")
    options = parser.parse_args(arguments)
    folder = options.folder.resolve()
    if not (folder.is_dir() or zipfile.is_zipfile(folder)) or COURSE.is_relative_to(folder):
        sys.exit(f"make grade: {options.folder} is not a folder with submissions, or its zip")
    if options.roster and not options.roster.is_file():
        sys.exit(f"make grade: there is no list of the class at {options.roster}")
    if not options.unprotected and not shutil.which("bwrap"):
        sys.exit("make grade: bubblewrap is missing (apt install bubblewrap). "
                 "For notebooks that you trust: UNPROTECTED=yes")  # fmt: skip
    roster = tables.read_roster(options.roster) if options.roster else []
    files = handout.files()
    notebooks = {name: nbformat.reads(text, 4) for name, text in files.items() if ".ipynb" in name}
    chapters = {Path(name).stem: submission.names(each) for name, each in notebooks.items()}
    unpacked = unpack(folder, COURSE / "unpacked")
    found, others = collect(unpacked, chapters)
    for name, reason in others.items():
        print(f"not graded: {name} ({reason})")
    if not found:
        sys.exit(f"make grade: {options.folder} has no notebook of these exercises")
    about = prepare(COURSE, unpacked, found, files)
    graded = sorted({chapter for _, chapter in found})
    run_nbgrader(COURSE, graded, not options.unprotected)
    known = {who: PLATFORM.match(name.parts[0]) for (who, _), name in found.items()}
    late = {who for who in known if known[who] and "_late_" in f"_{known[who][0]}".casefold()}
    left = [(student_of(name), name.name, reason) for name, reason in others.items()]
    rows = tables.results(COURSE, about, late, left)
    if roster:
        back, rows = tables.with_points(roster, rows, tables.possible(COURSE, graded))
        tables.write(COURSE / "grades-class.csv", back)
    tables.write(COURSE / "grades.csv", list(rows.values()))
    pack_feedback(COURSE, found)


if __name__ == "__main__":
    main()
