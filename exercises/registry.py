"""What an exercise is, and the list of all of them."""

import string
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec

from book import CHAPTERS

KINDS = (
    "predict",
    "hand",
    "program",
    "prove",
    "debug",
    "extend",
)  # overview.ipynb says what each is
LEVELS = (1, 2, 3)  # a few minutes · a quarter of an hour · an evening's walk


@dataclass(frozen=True)
class Option:
    """One answer to a question: what the reader sees, and why it is right or wrong.

    In a question that asks for a number `value` is set, and `text` says how it comes about.
    """

    text: str
    why: str
    right: bool = False
    value: float | None = None


@dataclass(frozen=True)
class Exercise:
    """A task: either a function that is checked, or a question with answers to choose from."""

    name: str
    chapter: str  # its word: "translation"
    title: str
    kind: str
    level: int
    teaches: str
    check: Callable | None = None  # takes an Attempt
    mistakes: list = field(default_factory=list, compare=False)  # (reason, function that makes it)
    options: tuple[Option, ...] = field(default=())
    unit: str = ""  # of a number
    tolerance: float = 0.0  # by how much a number may differ
    otherwise: str = ""  # said to a number that no option has

    def __post_init__(self):
        if not self.name.isidentifier():
            raise ValueError(f"name: expected an identifier, got {self.name!r}")
        if self.kind not in KINDS:
            raise ValueError(f"kind: expected one of {', '.join(KINDS)}, got {self.kind!r}")
        if self.level not in LEVELS:
            raise ValueError(f"level: expected 1, 2 or 3, got {self.level!r}")
        if self.chapter not in CHAPTERS:
            raise ValueError(f"chapter: expected a word of a chapter, got {self.chapter!r}")
        if self.options and sum(option.right for option in self.options) != 1:
            raise ValueError(f"options: expected one right answer to {self.name}")

    def mistake(self, why):
        """Decorate a popular wrong answer: a function that answers alike is told this reason."""

        def added(function):
            self.mistakes.append((why, function))
            return function

        return added

    @property
    def is_question(self):
        """Whether it is answered with a click or a number; otherwise with a function."""
        return bool(self.options)

    @property
    def asks_for_a_number(self):
        """Whether the answer to the question is a number."""
        return any(option.value is not None for option in self.options)

    @property
    def number(self):
        """Chapter and count, as the notebook's heading has it: "5.2"."""
        same = [each.name for each in REGISTRY.values() if each.chapter == self.chapter]
        return f"{CHAPTERS[self.chapter].number}.{same.index(self.name) + 1}"

    @property
    def page(self):
        """The name of its notebook: "05-translation"."""
        return CHAPTERS[self.chapter].slug

    @property
    def heading(self):
        """The label, the heading and the line below it, as the notebook has them."""
        facts = f"*{self.kind} · level {self.level} of 3 · {self.teaches}*"
        return f"(exercise-{self.name})=\n## {self.number} {self.title}\n\n{facts}"


def _format_number(value):
    """Write a number as a reader would: 3,628,800 and not 3.6288e+06."""
    plain = f"{value:,.0f}" if value == round(value) or abs(value) >= 1000 else f"{value:.4g}"
    return plain.replace("-", "−")


REGISTRY: dict[str, Exercise] = {}  # filled by `exercises`, in the order of the book


def exercises():
    """Return every exercise by its name, in the order of the book; a chapter may have none."""
    for word in CHAPTERS:
        if find_spec(f"exercises.{word}"):
            import_module(f"exercises.{word}.checks")
    return REGISTRY


def solution_of(exercise):
    """Return the function that solves an exercise."""
    return getattr(import_module(f"exercises.{exercise.chapter}.answers"), exercise.name)


class ChapterExercises:
    """Adds the exercises of one chapter: `chapter = ChapterExercises("translation")`."""

    def __init__(self, word):
        self.word = word

    def _add(self, name, *args, **kwargs):
        if name in REGISTRY:
            raise ValueError(f"name: {name!r} is taken")
        REGISTRY[name] = Exercise(name, self.word, *args, **kwargs)
        return REGISTRY[name]

    def function(self, title, *, kind, level, teaches):
        """Turn the check of a function into an exercise; the check has the function's name.

        The check takes an Attempt, calls it like the function, and compares what comes.
        """
        return lambda check: self._add(check.__name__, title, kind, level, teaches, check=check)

    def choice(self, name, title, options, *, right, kind, level, teaches):
        """Add a question; `options` explains each answer, and `right` is the letter of one."""
        letters = dict(zip(options, string.ascii_lowercase, strict=False))
        options = tuple(Option(text, why, letters[text] == right) for text, why in options.items())
        self._add(name, title, kind, level, teaches, options=options)

    def number(self, name, title, answers, *, kind, level, teaches, tolerance, otherwise, unit=""):
        """Add a question for a number; `answers` explains each, the right one first.

        The others are the popular mistakes. `otherwise` is said to any other number.
        """
        # Ten digits: the last ones of a sine differ between machines, and the notebooks store them.
        options = tuple(
            Option(_format_number(value), why, right=not count, value=float(f"{value:.10g}"))
            for count, (value, why) in enumerate(answers.items())
        )
        numbers = {"unit": unit, "tolerance": tolerance, "otherwise": otherwise}
        self._add(name, title, kind, level, teaches, options=options, **numbers)
