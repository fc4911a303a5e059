"""Questions and progress as widgets: a class each, with its front end in a module beside it.

The same module draws in JupyterLab, where it talks to the class, and on a page of the book, where
it talks to the state stored in the notebook. The classes need `anywidget`.
"""

import math
import numbers
import re
from dataclasses import asdict
from pathlib import Path

import anywidget
import traitlets

from book import CHAPTERS
from exercises import record
from exercises.attempt import shown
from exercises.registry import Exercise
from figures.base import bundle

_HERE = Path(__file__).parent
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?", flags=re.ASCII | re.IGNORECASE)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+", flags=re.ASCII)  # 1,000: one or a thousand?


def read_number(text):
    """Return the number that a reader typed, or None; the front end reads in the same way.

    >>> read_number("-0,5"), read_number("1/3"), read_number("2e-3")
    (-0.5, 0.3333333333333333, 0.002)
    >>> read_number("1,000") is read_number("a third") is None
    True
    """
    parts = [part.strip() for part in text.replace("−", "-").split("/")]
    if len(parts) > 2 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    if any(map(_THOUSANDS.fullmatch, parts)):
        return None
    over, *under = (float(part.replace(",", ".")) for part in parts)
    if under == [0.0]:
        return None
    value = over / under[0] if under else over
    return value if math.isfinite(value) else None


class Passed(anywidget.AnyWidget):
    """Tells the browser in which Python runs that an exercise is done."""

    _esm = bundle(_HERE / "passed.js")
    name = traitlets.Unicode().tag(sync=True)


class Question(anywidget.AnyWidget):
    """A question of the exercises: options to choose from, or a number to type.

    `chosen` counts the options from 0, and is None while none is chosen; `typed` is the text of
    the number, and empty while there is none.

    Parameters
    ----------
    exercise : Exercise
        The question, from the registry.
    answer : str, float or None
        The letter of an option ("a", "b", …), or a number (also as text: "1/3").
    """

    _esm = bundle(_HERE / "question.js")
    name = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    kind = traitlets.Enum(["choice", "number"]).tag(sync=True)
    options = traitlets.List().tag(sync=True)
    unit = traitlets.Unicode().tag(sync=True)
    tolerance = traitlets.Float(0.0).tag(sync=True)
    otherwise = traitlets.Unicode().tag(sync=True)
    # Its code knows no null: Python and a page that are both in the browser lose it on the way.
    chosen = traitlets.Int(None, allow_none=True).tag(
        sync=True,
        to_json=lambda chosen, _: -1 if chosen is None else chosen,
        from_json=lambda chosen, _: None if chosen == -1 else chosen,
    )
    typed = traitlets.Unicode().tag(sync=True)

    def __init__(self, exercise, answer=None):
        if not isinstance(exercise, Exercise) or not exercise.is_question:
            raise TypeError(f"exercise: expected a question, got {shown(exercise)}")
        is_number = exercise.asks_for_a_number
        super().__init__(
            name=exercise.name,
            title=f"{exercise.number} {exercise.title}",
            kind="number" if is_number else "choice",
            options=[asdict(option) for option in exercise.options],
            unit=exercise.unit,
            tolerance=float(exercise.tolerance),
            otherwise=exercise.otherwise,
            **(_number(answer) if is_number else _letter(answer, exercise)),
        )

    @traitlets.validate("chosen")
    def _there_is_such_an_option(self, proposal):
        count = len(self.options) if self.kind == "choice" else 0
        chosen = proposal.value
        if chosen is not None and (isinstance(chosen, bool) or not 0 <= chosen < count):
            expected = f"0 to {count - 1} or None" if count else "None"
            raise traitlets.TraitError(f"chosen: expected {expected}, got {chosen!r}")
        return chosen

    @traitlets.validate("typed")
    def _it_is_a_number(self, proposal):
        typed = proposal.value
        if typed and (self.kind == "choice" or read_number(typed) is None):
            raise traitlets.TraitError(f"typed: expected a number or nothing, got {shown(typed)}")
        return typed

    @traitlets.observe("chosen", "typed")
    def _keep_what_is_passed(self, _):
        if self.result == "passed":
            record.keep(self.name)

    @property
    def _found(self):
        """The option that is chosen, or that has the number typed; the right one is tried first."""
        if self.chosen is not None:
            return self.options[self.chosen]
        if not self.typed:
            return None
        value = read_number(self.typed)
        for option in sorted(self.options, key=lambda option: not option["right"]):
            # Rounding: 0.4 is within 0.1 of 0.3.
            slack = 1e-9 * max(1.0, abs(option["value"]))
            if abs(value - option["value"]) <= self.tolerance + slack:
                return option
        return {"right": False, "why": self.otherwise}

    @property
    def result(self):
        """Either "open", "passed" or "failed"."""
        found = self._found
        return "open" if found is None else "passed" if found["right"] else "failed"

    @property
    def explanation(self):
        """Why the answer is right or wrong; empty while there is none."""
        found = self._found
        return "" if found is None else found["why"]

    def __repr__(self):
        answer = self.typed if self.chosen is None else _LETTERS[self.chosen]
        return f"Question({self.name!r}{f', answer={answer!r}' if answer else ''})"


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _letter(answer, exercise):
    """Return the state that an answer to a choice stands for."""
    if answer is None:
        return {}
    letters = _LETTERS[: len(exercise.options)]
    expected = f"answer: expected a letter from 'a' to {letters[-1]!r}, got {shown(answer)}"
    if not isinstance(answer, str):
        raise TypeError(expected)
    letter = answer.strip().lower()
    if len(letter) != 1 or letter not in letters:
        raise ValueError(expected)
    return {"chosen": letters.index(letter)}


def _number(answer):
    """Return the state that an answer to a question for a number stands for."""
    if answer is None:
        return {}
    expected = f"answer: expected a finite number, got {shown(answer)}"
    if isinstance(answer, bool) or not isinstance(answer, str | numbers.Real):
        raise TypeError(expected)
    try:
        typed = answer if isinstance(answer, str) else repr(float(answer)).removesuffix(".0")
    except OverflowError:  # an int that no float holds
        typed = ""
    if read_number(typed) is None:
        raise ValueError(expected)
    return {"typed": typed.strip()}


class Progress(anywidget.AnyWidget):
    """All exercises by chapter, with links, and which of them are done.

    Parameters
    ----------
    exercises : list of Exercise
        In the order of the book.
    passed : list of str
        The names of those that are done.
    """

    _esm = bundle(_HERE / "progress.js")
    exercises = traitlets.List().tag(sync=True)
    passed = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self, exercises, passed=()):
        listed = [
            {
                "name": each.name,
                "number": each.number,
                "title": each.title,
                "kind": each.kind,
                "level": each.level,
                "chapter": each.page,
                "chapter_title": CHAPTERS[each.chapter].title,
                "is_question": each.is_question,
            }
            for each in exercises
        ]
        super().__init__(exercises=listed, passed=list(passed))

    @traitlets.observe("passed")
    def _forget_all(self, change):
        if change.old and not change.new:  # the button of the front end
            record.forget()

    def __repr__(self):
        done = sum(each["name"] in self.passed for each in self.exercises)
        return f"Progress({done} of {len(self.exercises)} exercises done)"
