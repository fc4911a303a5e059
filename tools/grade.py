"""Grade the exercises of a folder of notebooks, without trusting them.

    python tools/grade.py FOLDER [--out FILE] [--roster FILE] [--points FILE] [--take latest]
                                 [--deadline TIME] [--late PERCENT] [--jobs N] [--seconds 10]
                                 [--again] [--unprotected]

Every notebook below the folder, or in an archive (.zip) there, is a submission. It is graded on
all exercises of the chapter that its name says ("05-translation.ipynb"), or else of those that it
has exercises of. The table has a row for each submission and a column for each exercise:

- `passed`, `failed`, and `open` (not attempted, or left as it was handed out);
- `stopped`: it took too long, or ended or crashed its process;
- `unreadable`: the file is not a notebook, or the grader failed on it;
- `waiting`: the run was interrupted before its turn.

A note says what is odd about a file: that it holds only some of a chapter's exercises, or
belongs to two chapters. A text beside the table has the reasons. Both are whole after each
submission, and a run that is started again takes over the results of those that have not changed.

At the end a second table has a row for each student (the first folder below FOLDER), with points,
Canvas and Moodle get a list each, and everybody gets a text. A roster adds those who are `missing`.

A submission runs behind a wall (`grading.sandbox`), its cells in order, each as if the one before
had worked. The checks run here, and get nothing but data from it. Each cell and each call may take
`--seconds`, all together twelve times that.
"""

import argparse
import builtins
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from grading import archives, marks, notebooks, sandbox, tables  # noqa: E402
from grading.apart import apart  # noqa: E402
from grading.records import Records, fingerprint  # noqa: E402
from grading.sandbox import Ended, Submission, clean, missing_wall, most_seconds  # noqa: E402
from grading.senders import is_archive  # noqa: E402

TABLE = ROOT / "_build" / "grades.csv"
NO_WALL = (
    "{}. Nothing was graded: without it a notebook can do on this computer what you can do. "
    "On Debian and Ubuntu: apt install bubblewrap. appendices/teaching.md shows the command of a "
    "container for other systems. For notebooks that you trust: --unprotected.\n"
)


class Proxy:
    """Stands for a function of a submission: a call is sent over, and data comes back."""

    def __init__(self, name, submission):
        self.__name__, self.submission, self.end = name, submission, None

    def __call__(self, *args):
        """Call the function; what it raises is raised here, under its name."""
        if self.end is None:
            try:
                return value_of(self.submission.ask(do="call", name=self.__name__, args=args))
            # Noted, since a check takes any error for the function's own, also Ctrl-C.
            except (Ended, KeyboardInterrupt) as end:
                self.end = end
        raise self.end


def value_of(reply):
    """Return the value that a reply holds, or raise the error that it tells of."""
    match reply:
        case {"value": value}:
            return value
        case {"raised": ["SystemExit", *_], "text": str(text)}:
            raise Ended(clean(text))
        case {"raised": [str(), *_] as kinds, "text": str(text)}:
            raise error_like(kinds, clean(text))
    raise Ended(sandbox.DISTURBED)


def error_like(kinds, text):
    """Return an error of the nearest kind that is known here, with its own name and text."""
    known = [getattr(builtins, str(kind), None) for kind in kinds]
    base = next(
        kind for kind in [*known, Exception] if isinstance(kind, type)
        and issubclass(kind, Exception) and not issubclass(kind, ExceptionGroup)
    )  # fmt: skip
    name = clean(kinds[0], 60)
    text = text.removeprefix(f"{name}: ")
    return type(name, (base,), {"__init__": lambda _: None, "__str__": lambda _: text})()


def graded(exercise, submission, stubs=()):
    """Return the status of one exercise and the reason, which is empty when it passed."""
    try:
        found = (_answer if exercise.is_question else _function)(exercise, submission, stubs)
        return found[0], found[1] + _cause(submission) * ("NameError" in found[1])
    except Ended as end:
        return "stopped", str(end)
    except Exception as error:  # an answer so odd that what it says cannot be said
        return "failed", f"the answer cannot be read ({type(error).__name__}: {clean(error)})"


def _answer(exercise, submission, _):
    from exercises.widgets import Question

    try:
        answer = value_of(submission.ask(do="answer", name=exercise.name))
        if answer is None or answer is Ellipsis:
            return _trouble(exercise.name, submission, notebooks.asked) or ("open", "no answer")
        question = Question(exercise, answer)
    except Ended:
        raise
    except Exception as error:  # whatever it is that was answered
        return "failed", clean(error)
    passed = question.result == "passed"
    return question.result, "" if passed else f"answered {clean(answer)}: {question.explanation}"


def _function(exercise, submission, stubs):
    from exercises.attempt import judge

    name = exercise.name
    is_defined = value_of(submission.ask(do="defined", name=name))
    trouble = _trouble(name, submission, notebooks.defined)
    if is_defined is not True:
        return trouble or ("open", f"no function is named {name}")
    own = [cell.strip() for cell in submission.cells if name in notebooks.defined(cell)]
    if own and own[-1] in stubs:
        return "open", "as it was handed out"
    proxy = Proxy(name, submission)
    result = judge(exercise, proxy)
    if proxy.end is not None:
        raise proxy.end
    if result.status == "open" and trouble:
        return trouble
    return result.status, "" if result.status == "passed" else clean(result.message, 2000)


def _trouble(name, submission, names):
    """Return what went wrong in the last cell that has this name: a status and why, or None."""
    last = max((n for n, cell in enumerate(submission.cells) if name in names(cell)), default=None)
    if last in submission.skipped:
        return "stopped", f"its cell {submission.skipped[last]}"
    error = submission.errors.get(last)
    return ("failed", f"its cell: {error}") if error else None


def _cause(submission):
    """Name the first cell that failed: a name that is not defined may be its fault."""
    failed = {n: error for n, error in submission.errors.items() if error} | submission.skipped
    if not failed:
        return ""
    first = min(failed)
    return f"\nThe first code cell that failed is number {first + 1}: {failed[first]}"


def read(path):
    """Return the code cells of a file; an Unreadable where there are none."""
    try:
        return notebooks.read(path)
    except notebooks.Unreadable as problem:
        return problem


def belonging(path, cells, exercises):
    """Return the exercises that a file is graded on, and what is odd about them.

    These are all of its chapter: a file that leaves some out has not passed them.
    """
    cells = [] if isinstance(cells, notebooks.Unreadable) else cells
    names = set().union(*map(notebooks.defined, cells), *map(notebooks.asked, cells))
    held = [each for each in exercises.values() if each.name in names]
    pages = {each.page for each in exercises.values() if each.page in path.name.lower()}
    if not pages & {each.page for each in held}:  # the name tells no chapter, or a wrong one
        pages |= {each.page for each in held}
    chosen = [each for each in exercises.values() if each.page in pages]
    others = [each.name for each in held if each.page not in pages]
    count = len(held) - len(others)
    notes = []
    if len(pages) > 1:
        notes.append(f"belongs to {len(pages)} chapters: {', '.join(sorted(pages))}")
    if cells and count < len(chosen):
        notes.append(f"holds {count} of {len(chosen)} exercises")
    if others:
        notes.append(f"has exercises of another chapter, not graded: {', '.join(others)}")
    return chosen, "; ".join(notes)


def grade(path, exercises, seconds, stubs=(), is_open=False):
    """Grade one file.

    Returns
    -------
    dict of str: (str, str)
        The status and the reason by the exercise's name; under "" what is to be said of the file.
    """
    try:
        cells = read(path)
        chosen, note = belonging(path, cells, exercises)
        if isinstance(cells, notebooks.Unreadable):
            found = {each.name: ("unreadable", "") for each in chosen}
            return {"": ("unreadable", f"is not a notebook: {cells}"), **found}
        if not chosen:
            return {"": ("open", "has no exercise of the book")}
        with Submission(cells, seconds, is_open) as submission:
            found = {"": ("noted", note)} if note else {}
            return found | {each.name: graded(each, submission, stubs) for each in chosen}
    except Exception as error:  # one bad notebook must not cost the class its table
        return {"": ("unreadable", f"the grader failed: {type(error).__name__}: {clean(error)}")}


def handed_out(folder):
    """Return the code cells as they were handed out: one that is still so is no attempt."""
    return {cell.strip() for path in folder.glob("*.ipynb") for cell in notebooks.read(path)}


def is_done(found):
    """Say whether a result will do next time: not if the grader failed, or was interrupted."""
    return found is not None and not found.get("", ("", ""))[1].startswith("the grader failed")


class Run:
    """The results of a folder, which are on the disk after each submission.

    Parameters
    ----------
    folder, out : Path
        Where the submissions are; the table.
    space : Path
        An empty folder for what is in archives.
    exercises : dict of str: Exercise
        What can be graded.
    settings : tuple
        What results depend on, beside the files of the book.
    again : bool
        Whether results of an earlier run count for nothing.
    """

    def __init__(self, folder, out, space, exercises, settings, again):
        self.out, self.exercises = out, exercises
        self.files, self.others = archives.found(folder, space)
        self.times = {name: path.lstat().st_mtime for name, path in self.files.items()}
        named = [self.files[name] for name in self.files.keys() - self.others]
        there = {each.name for path in named for each in belonging(path, read(path), exercises)[0]}
        self.names = [name for name in exercises if name in there]
        self.records = Records(
            out.with_name(f"{out.stem}-record.jsonl"), fingerprint(ROOT, *settings, list(exercises))
        )
        self.keys = {
            name: (name.as_posix(), self.records.key(path)) for name, path in self.files.items()
        }
        self.records.keep(set() if again else set(self.keys.values()))
        self.results = {name: self.records.kept.get(key) for name, key in self.keys.items()} | {
            name: {"": ("open", why)} for name, why in self.others.items()
        }
        tables.save(out, self.results, self.names)

    @property
    def waiting(self):
        """The submissions that are still to be graded."""
        return [name for name, found in self.results.items() if found is None]

    def add(self, name, found):
        """Note the result of a submission."""
        self.results[name] = found
        if is_done(found) and self.keys[name][1]:
            self.records.add(*self.keys[name], found)
        tables.save(self.out, self.results, self.names)
        print(f"{clean(name.as_posix(), 500)}: {tables.summary(found)}", flush=True)

    def end(self, counts):
        """Write what has a row or a text for each student; return who handed in nothing."""
        points = counts.points or dict.fromkeys(self.names, 1.0)
        everybody = marks.students(self.results, self.times, points, counts)
        tables.save_students(self.out, everybody, counts, points)
        feedback = self.out.with_name(f"{self.out.stem}-feedback")
        marks.write_feedback(feedback, everybody, self.results, self.exercises, points)
        return [clean(student.name) for student in everybody if not student.files]

    def say(self, missing):
        """Print what was graded, what was not, and where the results are."""
        done = [self.results[name] for name in self.files.keys() - self.others - {*self.waiting}]
        full = sum({status for name, (status, _) in found.items() if name} == {"passed"}
                   for found in done)  # fmt: skip
        if self.waiting:
            print(f"Interrupted: {len(self.waiting)} notebooks are not graded. "
                  "To go on, start it again.")  # fmt: skip
        if self.others:
            print(f"{len(self.others)} files are not notebooks, and are not graded: "
                  "the table names them.")  # fmt: skip
        if missing:
            print(f"Nothing from: {', '.join(missing)}.")
        if alone := sum(not marks.student_of(name) for name in self.files.keys() - self.others):
            print(f"{alone} notebooks are in no student's folder, and count for nobody.")
        stem = self.out.stem
        print(f"By student: {stem}-students.csv, and a text for each in {stem}-feedback.")
        print(f"Chapters: {', '.join({self.exercises[name].page: 0 for name in self.names})}.")
        print(f"{len(done)} notebooks, {full} with all passed. The table: {self.out}.")


def run(folder, out, seconds, exercises, is_open=False, again=False, counts=None, jobs=1):
    """Grade a folder; return whether every submission has had its turn."""
    with tempfile.TemporaryDirectory() as space:
        found = Run(folder, out, Path(space), exercises, (seconds, is_open), again)
        one = partial(
            grade, exercises=exercises, seconds=seconds, is_open=is_open,
            stubs=handed_out(ROOT / "exercises"),
        )  # fmt: skip
        name_of = {found.files[name]: name for name in found.waiting}
        try:
            for path, result in apart(one, name_of, min(jobs, len(name_of)), most_seconds(seconds)):
                found.add(name_of[path], result)
        except KeyboardInterrupt:
            pass  # what has been graded counts
        found.say(found.end(counts or marks.Marks()))
        print(f"Protection: {'none' if is_open else 'bubblewrap'}.")
    return not found.waiting


def main(arguments=None):
    """Grade a folder; exit 2 when that did not work, whatever is in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("folder", type=Path, help="every notebook below it is graded")
    add("--out", type=Path, default=TABLE, help=f"the table ({TABLE.name})")
    add("--roster", type=Path, help="CSV with a column student: their folders")
    add("--points", type=Path, help="CSV with the columns exercise and points")
    add("--take", choices=["best", "latest"], default="best",
        help="which of several results of an exercise counts (best)")  # fmt: skip
    add("--deadline", help="what was changed later is late: 2026-11-20, or with a time of day")
    add("--late", type=float, default=0, help="percent of the points that a day late takes (0)")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="submissions at a time (all cores)")
    add("--seconds", type=float, default=10, help="for a cell or a call (10)")
    add("--again", action="store_true", help="also what has not changed")
    add("--unprotected", action="store_true", help="grade without bubblewrap")
    given = parser.parse_args(arguments)
    handed_in = notebooks.handed_in(given.folder)
    if not any(notebooks.is_named(path) or is_archive(path) for path in handed_in):
        parser.error(f"folder: expected one with notebooks, got {given.folder}")
    for name, most in (("seconds", 1e6), ("jobs", 1000)):
        if not 0 < getattr(given, name) < most:
            parser.error(f"--{name}: expected a positive number, got {getattr(given, name)}")
    if not 0 <= given.late <= 100:
        parser.error(f"--late: expected percent from 0 to 100, got {given.late}")
    if not given.unprotected and (missing := missing_wall()):
        parser.exit(2, NO_WALL.format(missing[0].upper() + missing[1:].strip()))
    sys.stdout.reconfigure(errors="replace")  # names that the terminal cannot print
    os.environ["PECODE_PROGRESS"] = ""  # what students pass is not the teacher's progress
    from exercises.registry import exercises

    book = exercises()
    try:
        counts = marks.Marks(
            marks.read_roster(given.roster) if given.roster else {},
            marks.read_points(given.points, book) if given.points else {},
            given.take,
            marks.read_deadline(given.deadline) if given.deadline else None,
            given.late / 100,
        )
    except (ValueError, OSError) as error:
        parser.error(str(error))
    try:
        complete = run(given.folder, given.out, given.seconds, book, given.unprotected,
                       given.again, counts, given.jobs)  # fmt: skip
    except OSError as error:
        parser.exit(2, f"{error}\n")
    sys.exit(0 if complete else 130)


if __name__ == "__main__":
    main()
