"""Grade the exercises of a folder of notebooks, without trusting them.

    python tools/grade.py FOLDER [--out FILE] [--roster FILE] [--points FILE] [--take latest]
                                 [--seconds 10] [--again] [--unprotected]

Every notebook below the folder is a submission. It is graded on the exercises of the chapter that
its name says ("05-translation.ipynb"), or else on those that it defines. The table has a row for
each submission and a column for each exercise:

- `passed`, `failed`, and `open` (not attempted, or left as it was handed out);
- `stopped`: it took too long, or ended or crashed its process;
- `unreadable`: the file is not a notebook, or the grader failed on it;
- `waiting`: the run was interrupted before its turn.

A text beside the table has the reasons. Both are whole after each submission, and a run that is
started again takes over the results of submissions that have not changed.

At the end a second table has a row for each student (the first folder below FOLDER), with points,
and everybody gets a text. A roster adds those who are `missing`.

A submission runs behind a wall (`grading.sandbox`), its cells in order, each as if the one before
had worked. The checks run here, and get nothing but data from it. Each cell and each call may take
`--seconds`, all together twelve times that.
"""

import argparse
import builtins
import csv
import io
import os
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from grading import marks, notebooks  # noqa: E402
from grading.records import Records, fingerprint, replaced  # noqa: E402
from grading.sandbox import Ended, Submission, clean, missing_wall  # noqa: E402

TABLE = ROOT / "_build" / "grades.csv"
OTHER = "is not graded: the name of a notebook ends in .ipynb"
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
    raise Ended("disturbed the line to the grader")


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


def read(path, exercises):
    """Return the code cells of a file (an Unreadable where there are none), and its exercises."""
    try:
        cells = named = notebooks.read(path)
    except notebooks.Unreadable as problem:
        cells, named = problem, []
    pages = {exercise.page for exercise in exercises.values()}
    if of := {page for page in pages if page in path.name.lower()}:
        return cells, [each for each in exercises.values() if each.page in of]
    names = set().union(*map(notebooks.defined, named), *map(notebooks.asked, named))
    return cells, [each for each in exercises.values() if each.name in names]


def grade(path, exercises, seconds, stubs=(), is_open=False):
    """Grade one file.

    Returns
    -------
    dict of str: (str, str)
        The status and the reason by the exercise's name; under "" what is wrong with the file.
    """
    try:
        cells, chosen = read(path, exercises)
        if isinstance(cells, notebooks.Unreadable):
            found = {each.name: ("unreadable", "") for each in chosen}
            return {"": ("unreadable", f"is not a notebook: {cells}"), **found}
        if not chosen:
            return {"": ("open", "has no exercise of the book")}
        with Submission(cells, seconds, is_open) as submission:
            return {each.name: graded(each, submission, stubs) for each in chosen}
    except Exception as error:  # one notebook shall not cost the table
        return {"": ("unreadable", f"the grader failed: {type(error).__name__}: {clean(error)}")}


def handed_out(folder):
    """Return the code cells as they were handed out: one that is still so is no attempt."""
    return {cell.strip() for path in folder.glob("*.ipynb") for cell in notebooks.read(path)}


def harmless(text):
    """Return a text that a spreadsheet shows and does not compute."""
    text = clean(text, 500)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def student_of(path):
    """Return the folder that a submission was handed in with; an empty text when there is none."""
    return path.parts[0] if len(path.parts) > 1 else ""


def row(path, found, names):
    """Return a row of the table; a submission that has not been graded waits."""
    texts = [harmless(student_of(path)), harmless(path.as_posix())]
    if found is None:
        return [*texts, "", "", "not graded yet", *("waiting" for _ in names)]
    passed = sum(status == "passed" for status, _ in found.values())
    note = harmless(found[""][1]) if "" in found else ""
    statuses = (found.get(name, [""])[0] for name in names)
    return [*texts, passed, len(set(found) - {""}), note, *statuses]


def table(header, rows):
    """Return rows as CSV."""
    text = io.StringIO()
    csv.writer(text).writerows([header, *rows])
    return text.getvalue()


def reasons(path, found):
    """Return the text that says why each exercise that has not passed did not."""
    lines = [f"{clean(path.as_posix(), 500)}: {summary(found)}"]
    for name, (status, reason) in found.items():
        if reason:
            told = reason.replace("\n", "\n        ")
            lines.append(f"    {name or 'the file'}: {status}\n        {told}")
    return "\n".join([*lines, "\n"])


def summary(found):
    """Say in one line how a submission did."""
    if "" in found:
        return found[""][1]
    counts = Counter(status for status, _ in found.values())
    others = sorted(f"{count} {status}" for status, count in counts.items() if status != "passed")
    return ", ".join([f"{counts['passed']} of {len(found)} passed", *others])


def is_done(found):
    """Say whether a result will do next time: not if the grader failed, or was interrupted."""
    return found is not None and not found.get("", ("", ""))[1].startswith("the grader failed")


def save(out, results, names):
    """Write the table and the reasons of what has been graded."""
    head = ["student", "file", "passed", "of", "note", *names]
    rows = [row(path, found, names) for path, found in results.items()]
    replaced(out, table(head, rows), "utf-8-sig")  # spreadsheets look for the sign
    told = [reasons(path, found) for path, found in results.items() if found is not None]
    replaced(out.with_name(f"{out.stem}-reasons.txt"), "".join(told))


def save_students(out, paths, results, names, exercises, counts):
    """Write the table of students and their texts; return who handed in nothing."""
    points = counts.points or dict.fromkeys(names, 1.0)
    times = {name: path.lstat().st_mtime for name, path in paths.items()}
    everybody = marks.students(results, times, points, counts)
    of_students = table(*marks.table(everybody, points, counts, harmless))
    replaced(out.with_name(f"{out.stem}-students.csv"), of_students, "utf-8-sig")
    folder = out.with_name(f"{out.stem}-feedback")
    marks.write_feedback(folder, everybody, results, exercises, points)
    return [clean(student.name) for student in everybody if not student.files]


def run(folder, out, seconds, exercises, is_open=False, again=False, counts=None):
    """Grade a folder; after each submission the table, the reasons and the record are whole."""
    stubs = handed_out(ROOT / "exercises")
    paths = {path.relative_to(folder): path for path in notebooks.find(folder)}
    there = {each.name for path in paths.values() for each in read(path, exercises)[1]}
    names = [name for name in exercises if name in there]
    records = Records(
        out.with_name(f"{out.stem}-record.jsonl"),
        fingerprint(ROOT, seconds, is_open, list(exercises)),
    )
    keys = {name: (name.as_posix(), records.key(path)) for name, path in paths.items()}
    records.keep(set() if again else set(keys.values()))
    results = {name: records.kept.get(keys[name]) for name in paths}
    waiting = [name for name, found in results.items() if found is None]
    for path in notebooks.others(folder):
        name = path.relative_to(folder)
        paths[name], results[name] = path, {"": ("open", OTHER)}
    results = dict(sorted(results.items()))
    save(out, results, names)
    try:
        for name in list(waiting):
            found = results[name] = grade(paths[name], exercises, seconds, stubs, is_open)
            if is_done(found) and keys[name][1]:
                records.add(*keys[name], found)
            waiting.remove(name)
            save(out, results, names)
            print(f"{clean(name.as_posix(), 500)}: {summary(found)}", flush=True)
    except KeyboardInterrupt:
        print(f"Interrupted: {len(waiting)} notebooks are not graded. To go on, start it again.")
    done = [results[name] for name in keys if results[name] is not None]
    if others := len(results) - len(keys):
        print(f"{others} files are not notebooks, and are not graded: the table names them.")
    full = sum(all(status == "passed" for status, _ in found.values()) for found in done)
    missing = save_students(out, paths, results, names, exercises, counts or marks.Marks())
    if missing:
        print(f"Nothing from: {', '.join(missing)}.")
    if alone := sum(not student_of(name) for name in keys):
        print(f"{alone} notebooks are in no student's folder, and count for nobody.")
    print(f"By student: {out.stem}-students.csv, and a text for each in {out.stem}-feedback.")
    print(f"{len(done)} notebooks, {full} with all passed. The table: {out}.")
    print(f"Protection: {'none' if is_open else 'bubblewrap'}.")
    return not waiting


def main(arguments=None):
    """Grade a folder; exit 2 when that did not work, whatever is in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="every notebook below it is graded")
    parser.add_argument("--out", type=Path, default=TABLE, help=f"the table ({TABLE.name})")
    parser.add_argument("--roster", type=Path, help="CSV with a column student: their folders")
    parser.add_argument("--points", type=Path, help="CSV with the columns exercise and points")
    parser.add_argument("--take", choices=["best", "latest"], default="best",
                        help="which of several results of an exercise counts (best)")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=10, help="for a cell or a call (10)")
    parser.add_argument("--again", action="store_true", help="also what has not changed")
    parser.add_argument("--unprotected", action="store_true", help="grade without bubblewrap")
    given = parser.parse_args(arguments)
    if not notebooks.find(given.folder):
        parser.error(f"folder: expected one with notebooks, got {given.folder}")
    if not 0 < given.seconds < 1e6:
        parser.error(f"--seconds: expected a positive number, got {given.seconds}")
    if not given.unprotected and (missing := missing_wall()):
        parser.exit(2, NO_WALL.format(missing[0].upper() + missing[1:].strip()))
    sys.stdout.reconfigure(errors="replace")  # names that the terminal cannot print
    os.environ["PECODE_PROGRESS"] = ""  # what students pass is not the teacher's progress
    from exercises.registry import exercises

    book = exercises()
    try:
        roster = marks.read_roster(given.roster) if given.roster else {}
        points = marks.read_points(given.points, book) if given.points else {}
    except (ValueError, OSError) as error:
        parser.error(str(error))
    counts = marks.Marks(roster, points, given.take)
    try:
        complete = run(
            given.folder, given.out, given.seconds, book, given.unprotected, given.again, counts
        )
    except OSError as error:
        parser.exit(2, f"{error}\n")
    sys.exit(0 if complete else 130)


if __name__ == "__main__":
    main()
