"""Grade the exercises of a folder of notebooks, without trusting them.

    python tools/grade.py FOLDER [--out FILE] [--seconds 10] [--unprotected]

Every notebook below the folder is a submission. It is graded on the exercises of the chapter that
its name says ("05-translation.ipynb"), or else on those that it defines. The table has a row for
each submission and a column for each exercise:

- `passed`, `failed`, and `open` (not attempted, or left as it was handed out);
- `stopped`: it took too long, or ended or crashed its process;
- `unreadable`: the file is not a notebook, or the grader failed on it.

A text beside the table has the reasons. A submission runs behind a wall (`grading.sandbox`), its
cells in order, each as if the one before had worked. The checks run here, and get nothing but data
from it. Each cell and each call may take `--seconds`, all together twelve times that.
"""

import argparse
import builtins
import contextlib
import csv
import os
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from grading import notebooks  # noqa: E402
from grading.sandbox import Ended, Submission, clean, missing_wall  # noqa: E402

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
            except Ended as end:  # noted, since a check takes any error for the function's own
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
        return (_answer if exercise.is_question else _function)(exercise, submission, stubs)
    except Ended as end:
        return "stopped", str(end)


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
    cells, chosen = read(path, exercises)
    if isinstance(cells, notebooks.Unreadable):
        found = {each.name: ("unreadable", "") for each in chosen}
        return {"": ("unreadable", f"is not a notebook: {cells}"), **found}
    if not chosen:
        return {"": ("open", "has no exercise of the book")}
    try:
        with Submission(cells, seconds, is_open) as submission:
            return {each.name: graded(each, submission, stubs) for each in chosen}
    except Exception as error:  # one notebook shall not cost the table
        return {"": ("unreadable", f"the grader failed: {type(error).__name__}: {clean(error)}")}


def handed_out(folder):
    """Return the code cells as they were handed out: one that is still so is no attempt."""
    return {cell.strip() for path in folder.glob("*.ipynb") for cell in notebooks.read(path)}


def row(path, found, names):
    """Return a row of the table; a spreadsheet shows its texts and computes nothing."""
    texts = [clean(path.parts[0] if len(path.parts) > 1 else ""), clean(path.as_posix(), 500)]
    texts = [f"'{text}" if text.startswith(("=", "+", "-", "@")) else text for text in texts]
    passed = sum(status == "passed" for status, _ in found.values())
    return [*texts, passed, len(set(found) - {""}), *(found.get(name, [""])[0] for name in names)]


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


def run(folder, out, seconds, exercises, is_open=False):
    """Grade a folder; write a row and its reasons as soon as they are there."""
    stubs = handed_out(ROOT / "exercises")
    paths = notebooks.find(folder)
    there = {each.name for path in paths for each in read(path, exercises)[1]}
    names = [name for name in exercises if name in there]
    out.parent.mkdir(parents=True, exist_ok=True)
    why, full, done = out.with_name(f"{out.stem}-reasons.txt"), 0, 0
    with (
        out.open("w", encoding="utf-8-sig", newline="") as table,  # spreadsheets look for the sign
        why.open("w", encoding="utf8") as text,
        contextlib.suppress(KeyboardInterrupt),
    ):
        csv.writer(table).writerow(["student", "file", "passed", "of", *names])
        for path in paths:
            found = grade(path, exercises, seconds, stubs, is_open)
            name = path.relative_to(folder)
            csv.writer(table).writerow(row(name, found, names))
            text.write(reasons(name, found))
            table.flush(), text.flush()
            full += all(status == "passed" for status, _ in found.values())
            done += 1
            print(f"{clean(name.as_posix(), 500)}: {summary(found)}", flush=True)
    if done < len(paths):
        print(f"Interrupted: {len(paths) - done} notebooks are not graded.")
    print(f"{done} notebooks, {full} with all passed. The table: {out}. The reasons: {why}.")
    print(f"Protection: {'none' if is_open else 'bubblewrap'}.")
    return done == len(paths)


def main(arguments=None):
    """Grade a folder; exit 2 when that did not work, whatever is in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="every notebook below it is graded")
    parser.add_argument("--out", type=Path, default=TABLE, help=f"the table ({TABLE.name})")
    parser.add_argument("--seconds", type=float, default=10, help="for a cell or a call (10)")
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

    try:
        complete = run(given.folder, given.out, given.seconds, exercises(), given.unprotected)
    except OSError as error:
        parser.exit(2, f"{error}\n")
    sys.exit(0 if complete else 130)


if __name__ == "__main__":
    main()
