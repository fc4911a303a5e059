"""The exercises of the book: `check` judges a function, `ask` puts a question.

>>> from exercises import ask, check, solution

Each notebook of this folder belongs to the chapter of the same name. Whatever is passed to it,
`check` prints what it found and raises nothing; `grade`, for graders, raises unless all is right.
"""

import contextlib
import difflib
import inspect
import io
import sys

from exercises import record, registry
from exercises.attempt import Result, judge, shown

__all__ = ["ask", "check", "grade", "progress", "solution"]

_asked = {}  # the last widget of each question in this notebook, by name


def check(function, name=None):
    """Check the solution of an exercise and print what was found.

    `name` is that of the exercise, if the function has another one.
    """
    result = _judged(function, name)
    print(result)
    if result.status != "passed":
        return
    record.keep(result.name)
    if sys.platform == "emscripten":  # in a browser, where no file is kept
        from IPython.display import display

        from exercises.widgets import Passed

        display(Passed(name=result.name))


class NotPassed(AssertionError):
    """An exercise has not passed. A notebook shows the reason without a traceback."""

    def _render_traceback_(self):
        return [str(self)]


class NotAttempted(NotPassed):
    """An exercise is open: the function is still the stub, or the question has no answer."""


def grade(subject, name=None):
    """Raise unless a function passes its check, or the answer to a question is right.

    For graders such as nbgrader, which take a cell for passed unless it raises.

    Parameters
    ----------
    subject : callable or str
        A function, or the name of a question that `ask` has put before.
    name : str, optional
        The exercise, if the function has another name.
    """
    if isinstance(subject, str):
        name = _question(subject).name
        asked = _asked.get(name)
        status = asked.result if asked else "open"
        message = f"{name}: {status}. {asked.explanation if asked else ''}".rstrip()
    else:
        result = _judged_silently(subject, name)
        name, status, message = result.name, result.status, str(result)
    if status != "passed":
        raise (NotAttempted if status == "open" else NotPassed)(message)
    record.keep(name)
    print(message)


def _judged_silently(function, name):
    """Judge a function that may print: nbgrader reads failures and points from what cells show."""
    hook = sys.displayhook
    sys.displayhook = lambda _: None
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            return _judged(function, name)
    finally:
        sys.displayhook = hook


def _judged(function, name):
    known = registry.exercises()
    name = name if name is not None else _name_of(function)
    found = known.get(name) if isinstance(name, str) else None
    if found is None or found.is_question:
        functions = [each for each, exercise in known.items() if not exercise.is_question]
        return Result(str(name), "failed", f"✗ {_unknown(name, function, functions)}")
    return judge(found, function)


def _name_of(function):
    try:
        return function.__name__
    except Exception:  # an object may raise anything
        return None


def _unknown(name, function, functions):
    if not isinstance(name, str):
        return (
            f"check: expected a function that is named like its exercise, got {shown(function)}. "
            "Pass the function itself, without calling it."
        )
    near = difflib.get_close_matches(name, functions, n=1)
    hint = f" Is it {near[0]}?" if near else ""
    return f"no exercise has a function named {name!r}.{hint} check(…, name) names it."


def ask(name, answer=None):
    """Return the question of an exercise, to be answered with a click or in the call.

    Parameters
    ----------
    name : str
        The exercise.
    answer : str, float or None
        The letter of an option ("a", "b", …) or a number.
    """
    from exercises.widgets import Question  # the checks need no widgets

    _asked[name] = Question(_question(name), answer)
    return _asked[name]


def _question(name):
    question = registry.exercises().get(name) if isinstance(name, str) else None
    if question is None or not question.is_question:
        raise ValueError(f"name: expected the name of a question, got {shown(name)}")
    return question


def solution(name):
    """Print the worked solution of an exercise that asks for a function."""
    exercise = registry.exercises().get(name) if isinstance(name, str) else None
    if exercise is None or exercise.is_question:
        raise ValueError(f"name: expected the name of a function to write, got {shown(name)}")
    try:
        function = registry.solution_of(exercise)
    except ModuleNotFoundError:
        raise ValueError("this copy of the book holds no solutions") from None
    print(inspect.getsource(function))


def progress():
    """Show which exercises are done: a widget with links to all of them."""
    from exercises.widgets import Progress

    return Progress(list(registry.exercises().values()), record.passed())
