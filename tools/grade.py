"""Grade the exercises of a folder of notebooks, without trusting them.

    python tools/grade.py FOLDER [--out FILE] [--seconds 10]

Every notebook below the folder is a submission. It is graded on the exercises of the chapter that
its name says ("05-translation.ipynb"), or else on those that it defines. The table has a row for
each submission and a column for each exercise:

- `passed`, `failed`, and `open` (not attempted, or left as it was handed out);
- `stopped`: it took too long, or ended or crashed its process;
- `unreadable`: the file is no notebook.

A text beside the table says why each that has not passed did not. Two notebooks of one student are
two rows.

A submission runs in a process of its own, with a temporary folder as its home, in order, each cell
as if the one before had worked. The checks run here, and get from it nothing but data: numbers,
texts, lists, tuples, dictionaries and arrays. So it may replace whatever it likes in its own
process, and still has to give right answers. What it uses up is limited: time (`--seconds` for each
cell and each call, twelve times that in all), and, where the system has such limits, memory (4 GB)
and files (200, of 16 MB each). A hook of Python refuses reading outside the folders of Python and
the system, writing outside the temporary folder, other programs and the network. On Linux the
kernel refuses most of this too, where it is new enough (Landlock). The last line says which of
these were on.

This is made for accidents and pranks. Against somebody who is determined to break out, a hook
inside the process that it watches is no wall: grade in a container then, or on a machine of no
value. Names of files can be seen by a submission. Windows has neither the limits of memory nor
Landlock. The checks themselves have no time limit.
"""

import argparse
import contextlib
import csv
import keyword
import math
import os
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from grading import data, notebooks  # noqa: E402
from grading.session import Ended, OutOfTime, Submission, clean, protections  # noqa: E402

TABLE = ROOT / "_build" / "grades.csv"
REASON = 2000  # characters
# What a function may raise here: the nearest of these that its error belongs to.
ERRORS = {
    kind.__name__: kind
    for kind in [
        ValueError, TypeError, NotImplementedError, IndexError, KeyError, LookupError,
        ZeroDivisionError, OverflowError, FloatingPointError, ArithmeticError, AssertionError,
        AttributeError, NameError, RecursionError, RuntimeError, MemoryError, PermissionError,
        FileNotFoundError, OSError, ImportError, EOFError, SyntaxError, Exception,
    ]
}  # fmt: skip


class Broken(Exception):
    """The answer to a call could not come; `status` and the text say why."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


class Proxy:
    """Stands for a function of a submission: a call is sent over, and data comes back."""

    def __init__(self, name, submission):
        self.__name__, self.submission, self.broken = name, submission, None

    def __call__(self, *args):
        """Call the function; what it raises is raised here, under its name."""
        if self.broken is None:
            try:
                return self._call(args)
            except Broken as broken:  # noted: the check takes any error for the function's own
                self.broken = broken
        raise self.broken

    def _call(self, args):
        packed, arrays = data.pack(args)
        try:
            message = {"do": "call", "name": self.__name__, "args": packed["tuple"]}
            return value_of(*self.submission.ask(message, arrays))
        except (Ended, OutOfTime) as end:
            raise Broken("stopped", str(end)) from None


def value_of(reply, arrays):
    """Return the value that a reply holds, or raise the error that it tells of."""
    match reply:
        case {"value": packed}:
            with contextlib.suppress(data.Rubbish):
                return data.unpack(packed, arrays)
        case {"not data": what}:
            raise Broken("failed", f"returned {clean(what)}; expected numbers, texts or arrays")
        case {"raised": [str(name), *kinds], "text": str(text)}:
            if name == "SystemExit":
                raise Broken("stopped", clean(text))
            raise error_like([name, *kinds], clean(text))
    raise Broken("stopped", "disturbed the line to the grader")


def error_like(kinds, text):
    """Return an error of the nearest kind that is known here, with its own name and text."""
    name = clean(kinds[0], 60)
    base = next((ERRORS[kind] for kind in map(str, kinds) if kind in ERRORS), Exception)
    if not name.isidentifier() or keyword.iskeyword(name):
        name = base.__name__
    text = text.removeprefix(f"{name}: ")
    kind = type(name, (base,), {"__init__": lambda _: None, "__str__": lambda _: text})
    return kind()


def graded(exercise, submission, stubs=()):
    """Return the status of one exercise and the reason, which is empty when it passed."""
    try:
        if exercise.is_question:
            return _answer(exercise, submission)
        return _function(exercise, submission, stubs)
    except (Ended, OutOfTime) as end:
        return "stopped", str(end)


def _answer(exercise, submission):
    from exercises.widgets import Question

    reply, arrays = submission.ask({"do": "answer", "name": exercise.name})
    try:
        answer = value_of(reply, arrays)
    except Broken as broken:
        return broken.status, f"the answer: {broken}"
    if answer is None or answer is Ellipsis:
        return _trouble(exercise.name, submission, notebooks.asked) or ("open", "no answer")
    try:
        question = Question(exercise, answer)
    except Exception as error:  # whatever it is that was answered
        return "failed", clean(error)
    if question.result == "passed":
        return "passed", ""
    return question.result, f"answered {clean(answer)}: {question.explanation}"


def _function(exercise, submission, stubs):
    from exercises.attempt import judge

    name = exercise.name
    reply, _ = submission.ask({"do": "functions", "among": [name]})
    trouble = _trouble(name, submission, notebooks.defined)
    if reply.get("functions") != [name]:
        return trouble or ("open", f"no function is named {name}")
    if _is_untouched(name, submission.cells, stubs):
        return "open", "as it was handed out"
    proxy = Proxy(name, submission)
    try:
        result = judge(exercise, proxy)
        status, reason = result.status, result.message
    except Exception as error:  # a check that this answer upsets
        status, reason = "failed", f"the check ended in {type(error).__name__}: {error}"
    if proxy.broken is not None:
        status, reason = proxy.broken.status, str(proxy.broken)
    if status == "open" and trouble:
        return trouble
    return status, "" if status == "passed" else clean(reason, REASON)


def _trouble(name, submission, names):
    """What went wrong in the last cell that has this name, as a status and a reason, or None."""
    cells = [number for number, cell in enumerate(submission.cells) if name in names(cell)]
    if not cells:
        return None
    if cells[-1] in submission.skipped:
        return "stopped", f"its cell {submission.skipped[cells[-1]]}"
    error = submission.errors.get(cells[-1])
    if not error:
        return None
    return "failed", f"its cell {error}" if error.startswith("ended") else f"its cell: {error}"


def _is_untouched(name, cells, stubs):
    last = [cell.strip() for cell in cells if name in notebooks.defined(cell)][-1:]
    return bool(last) and last[0] in stubs


def chapter_of(path, exercises):
    """Return the chapter that a file is named after, or None."""
    chapters = dict.fromkeys(exercise.page for exercise in exercises.values())
    return next((chapter for chapter in chapters if chapter in path.name.lower()), None)


def wanted(path, cells, exercises):
    """Return the exercises on which a submission is graded."""
    chapter = chapter_of(path, exercises)
    if chapter is not None:
        return [each for each in exercises.values() if each.page == chapter]
    named = set().union(*map(notebooks.defined, cells), *map(notebooks.asked, cells))
    return [each for each in exercises.values() if each.name in named]


def grade(path, exercises, seconds, stubs=()):
    """Grade one file.

    Returns
    -------
    dict of str: (str, str)
        The status and the reason by the exercise's name; under "" what is wrong with the file.
    """
    try:
        cells = notebooks.read(path)
    except notebooks.Unreadable as problem:
        found = {each.name: ("unreadable", "") for each in wanted(path, [], exercises)}
        return {"": ("unreadable", f"is not a notebook: {problem}"), **found}
    chosen = wanted(path, cells, exercises)
    if not chosen:
        return {"": ("open", "has no exercise of the book")}
    with Submission(cells, seconds) as submission:
        return {each.name: graded(each, submission, stubs) for each in chosen}


def handed_out(folder):
    """Return the code cells as they were handed out: one that is still so is no attempt."""
    found = set()
    for path in sorted(folder.glob("*.ipynb")):
        found |= {cell.strip() for cell in notebooks.read(path)}
    return found


def safe(text):
    """Return a text that a spreadsheet shows and does not compute."""
    text = clean(text, 500)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


def student_of(path):
    """Return the first folder of a path, where there is one."""
    return path.parts[0] if len(path.parts) > 1 else ""


def passed(found):
    """Count the exercises that passed."""
    return sum(status == "passed" for status, _ in found.values())


def table(results, exercises):
    """Return the rows of the table, the heading first."""
    there = {name for found in results.values() for name in found}
    names = [name for name in exercises if name in there]
    rows = [["student", "file", "passed", "of", *names]]
    for path, found in results.items():
        statuses = [found.get(name, ("",))[0] for name in names]
        count = [passed(found), len(set(found) - {""})]
        rows.append([safe(student_of(path)), safe(path.as_posix()), *count, *statuses])
    return rows


def reasons(results):
    """Return the text that says why each that has not passed did not."""
    lines = []
    for path, found in results.items():
        lines.append(f"{clean(path.as_posix(), 500)}: {summary(found)}")
        for name, (status, reason) in found.items():
            if status != "passed" and reason:
                told = reason.replace("\n", "\n        ")
                lines.append(f"    {name or 'the file'}: {status}\n        {told}")
        lines.append("")
    return "\n".join(lines)


def summary(found):
    """Say in one line how a submission did."""
    if "" in found:
        return found[""][1]
    statuses = Counter(status for status, _ in found.values())
    others = [f"{count} {status}" for status, count in statuses.items() if status != "passed"]
    return ", ".join([f"{statuses['passed']} of {len(found)} passed", *sorted(others)])


def protection(on):
    """Say which protection was on."""
    names = {
        "limits": "limits of memory and files",
        "hook": "Python's audit hook",
        "Landlock": "Landlock of the kernel",
    }
    off = [name for key, name in names.items() if key not in on]
    said = f"Protection: processes of their own, {', '.join(names[key] for key in on)}"
    return said + (f"; this system does not have: {', '.join(off)}" if off else "") + "."


def run(folder, out, seconds, exercises):
    """Grade a folder, write the table and the reasons, and say how it went."""
    on = protections()
    stubs = handed_out(ROOT / "exercises")
    results = {}
    for path in notebooks.find(folder):
        name = path.relative_to(folder)
        results[name] = grade(path, exercises, seconds, stubs)
        print(f"{clean(name.as_posix(), 500)}: {summary(results[name])}", flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    why = out.with_name(f"{out.stem}-reasons.txt")
    with out.open("w", encoding="utf-8-sig", newline="") as file:  # spreadsheets look for the sign
        csv.writer(file).writerows(table(results, exercises))
    why.write_text(reasons(results), encoding="utf8")
    full = sum(passed(found) == len(found) for found in results.values())
    print(
        f"{len(results)} notebooks, {full} with all passed. The table: {out}. The reasons: {why}."
    )
    print(protection(on))
    return results


def _seconds(text):
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise ValueError
    return value


def _folder(text):
    if not text or not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"expected a folder with notebooks, got {text!r}")
    return Path(text)


def main(arguments=None):
    """Grade a folder; exit 2 when that did not work, whatever is in it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=_folder, help="every notebook below it is graded")
    parser.add_argument("--out", type=Path, default=TABLE, help=f"the table ({TABLE.name})")
    parser.add_argument("--seconds", type=_seconds, default=10, help="for a cell or a call (10)")
    given = parser.parse_args(arguments)
    if not notebooks.find(given.folder):
        parser.error(
            f"argument folder: expected a folder with notebooks, found none in {given.folder}"
        )
    os.environ["PECODE_PROGRESS"] = ""  # what students pass is not the teacher's progress
    from exercises.registry import exercises

    try:
        run(given.folder, given.out, given.seconds, exercises())
    except Ended as end:
        parser.exit(2, f"The process for the submissions does not start: it {end}\n")
    except OSError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
