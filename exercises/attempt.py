"""A reader's function under check: call it, compare its answers, say in words what is wrong."""

import copy
import reprlib
import textwrap
import traceback
import warnings
from dataclasses import dataclass

import numpy as np

SMALL = 12  # numbers that are shown in full; of a larger array only the shape
LONG = 160  # characters of a value that are shown
WIDTH = 62  # characters of a line: a phone shows them at a size to be read
WIDEST = 70  # of a line of numbers
WHY = "    why:      "


class NotAttempted(Exception):
    """The stub is still there."""


class Failed(Exception):
    """A property does not hold: for which call, what should have come, what came, and why."""

    def __init__(self, called, expected, got, why=""):
        super().__init__()
        self.called, self.expected, self.got, self.why = called, expected, got, why

    def __str__(self):
        lines = [self.called, f"    expected: {self.expected}", f"    got:      {self.got}"]
        return "\n".join([*lines, *([f"{WHY}{self.why}"] if self.why else [])])


@dataclass(frozen=True)
class Raised:
    """What a function raised in place of an answer."""

    error: BaseException


@dataclass(frozen=True)
class Result:
    """What a check found: "passed", "failed" or "open" (not attempted)."""

    name: str
    status: str
    message: str

    def __str__(self):
        """The message in lines that fit beside the text of a page; numbers only where they must."""
        lines = self.message.splitlines()
        for k, line in enumerate(lines):
            if line.startswith((WHY, "✗ ")) or len(line) > WIDEST:
                indent = " " * (6 if line.startswith("✗ ") else len(WHY))
                lines[k] = textwrap.fill(line, WIDTH, subsequent_indent=indent)
        return "\n".join(lines)


def judge(exercise, function):
    """Run the check of an exercise on a function; never raise, whatever the function does."""
    attempt = Attempt(function, exercise.name)
    name = exercise.name
    try:
        exercise.check(attempt)
    except NotAttempted:
        return Result(name, "open", f"· {name}: not attempted yet")
    except Failed as problem:
        problem.why = attempt.mistake_among(exercise.mistakes) or problem.why
        return Result(name, "failed", f"✗ {problem}")
    except Exception as error:  # an answer that cannot even be inspected
        reason = f"the answer cannot be read ({type(error).__name__}: {clip(error)})"
        return Result(name, "failed", f"✗ {attempt.called}\n    got:      {reason}")
    return Result(name, "passed", f"✓ {name}: {attempt.count} checks")


class Attempt:
    """Calls the reader's function and compares; the first mistake ends the check.

    A check calls the attempt as it would call the function. Every method that compares takes `why`:
    the property that the answer breaks, in words that help the reader to repair it.
    """

    def __init__(self, function, name):
        self.function = function
        self.name = name
        self.count = 0  # comparisons that held
        self.calls = []  # pairs: the arguments, and what came
        self.called = name  # the last call, as text

    # Calling

    def __call__(self, *args, note=""):
        """Call the function with copies of these arguments and return its answer.

        `note` is added to the reason where it raises or returns nothing.
        """
        got, copies = self._run(args)
        note = f". {note}" if note else ""
        if isinstance(got, Raised):
            error = got.error
            if isinstance(error, KeyboardInterrupt):
                self._fail("an answer", "nothing: it was interrupted", "an endless loop?")
            why = f"{self._place(error)}{note}".removeprefix(". ")
            self._fail("an answer", f"{type(error).__name__}: {clip(error)}", why)
        if got is None:
            why = "the function ended without a `return`: is one missing, or never reached?"
            self._fail("an answer", "None", f"{why}{note.removeprefix('.')}")
        for k, (after, before) in enumerate(zip(copies, args, strict=True), start=1):
            if not _same(after, before):
                why = "the caller may still need what was passed: work on a copy"
                self._fail("arguments that are left alone", f"a change in argument {k}", why)
        return got

    def _run(self, args):
        """Return the answer, or what was raised, and the copies that the function worked on."""
        self.called = f"{self.name}({', '.join(shown(arg) for arg in args)})"
        if not callable(self.function):
            self._fail("a function", shown(self.function), "check takes the function itself")
        copies = copy.deepcopy(args)
        got = _outcome(self.function, copies)
        if got is ... or (isinstance(got, Raised) and isinstance(got.error, NotImplementedError)):
            raise NotAttempted
        self.calls.append((copy.deepcopy(args), got))
        return got, copies

    def mistake_among(self, mistakes):
        """Return the reason of the first mistake that answers all calls as this function did."""
        if self.calls and not isinstance(self.calls[-1][1], Raised):  # the line says more
            for why, mistake in mistakes:
                if all(_alike(got, _outcome(mistake, args)) for args, got in self.calls):
                    return why
        return None

    def _place(self, error):
        """Say which line of the reader's function raised."""
        file = getattr(getattr(self.function, "__code__", None), "co_filename", None)
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.line for frame in frames if frame.filename == file and frame.line]
        return f"it was raised by the line `{lines[-1]}`" if lines else ""

    def array(self, *args, shape=None, why="", note=""):
        """Call the function and take its answer as an array of finite floats."""
        return self.as_array(self(*args, note=note), shape, why)

    def as_array(self, got, shape=None, why=""):
        """Return an answer, or a part of one, as an array of finite floats."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                array = np.asarray(got)
                if array.dtype == object or array.dtype.kind in "USmMV":
                    raise TypeError
                if np.iscomplexobj(array) and np.abs(array.imag).max(initial=0) > 1e-9:
                    self._fail("real numbers", "complex ones", why)
                array = array.real.astype(float)
        except Failed:
            raise
        except Exception:  # an object may raise anything when it is made an array
            self._fail("numbers", f"{type(got).__name__} {shown(got)}", why)
        if shape is not None and array.shape != tuple(shape):
            self._fail(f"the shape {tuple(shape)}", f"the shape {array.shape}", why)
        if not np.isfinite(array).all():
            self._fail("finite numbers", "some that are not", why)
        return array

    def parts(self, *args, **shapes):
        """Call the function and take its answer as arrays with these names and shapes (or None)."""
        got = self(*args)
        if not isinstance(got, tuple | list | np.ndarray) or len(got) != len(shapes):
            things = f"{len(shapes)} things: {', '.join(shapes)}"
            self._fail(things, shown(got), "return all of them, in this order")
        return [
            self.as_array(part, shape, f"this is what you return as {name}")
            for part, (name, shape) in zip(got, shapes.items(), strict=True)
        ]

    def number(self, *args, why=""):
        """Call the function and take its answer as one float; an array of one entry will do."""
        array = self.as_array(self(*args), why=why)
        if array.size != 1:
            self._fail("one number", f"an array of shape {array.shape}", why)
        return float(array.reshape(()))

    def refuses(self, *args, why, errors=(ValueError, TypeError)):
        """Require one of these errors for these arguments."""
        got, _ = self._run(args)
        names = " or ".join(error.__name__ for error in errors)
        if isinstance(got, Raised):
            if not isinstance(got.error, errors):
                found = f"{type(got.error).__name__}: {clip(got.error)}"
                self._fail(names, found, f"it raises, but {type(got.error).__name__}: use {names}")
        elif isinstance(got, Exception):
            self._fail(names, shown(got), "this error is returned, not raised: use `raise`")
        else:
            self._fail(names, shown(got), why)
        self.count += 1

    # Comparing

    def close(self, got, expected, why, tolerance=1e-5):
        """Require these values."""
        expected = np.asarray(expected, dtype=float)
        got = self.as_array(got, expected.shape, why)
        if _near(got, expected, tolerance):
            self.count += 1
        elif expected.size <= SMALL:
            self._fail(shown(expected), shown(got), why)
        else:
            place = np.unravel_index(np.abs(got - expected).argmax(), got.shape)
            where = f" at {[int(k) for k in place]}"
            self._fail(f"{expected[place]:.6g}{where}", f"{got[place]:.6g}{where}", why)

    def equal(self, got, expected, why):
        """Require this text, integer or truth value."""
        try:
            same = bool(got == expected)
        except Exception:  # arrays and odd objects
            same = False
        self.true(same, shown(expected), shown(got), why)

    def true(self, holds, expected, got, why):
        """Require a property of the answer; `expected` and `got` say it in words."""
        if not holds:
            self._fail(expected, got if isinstance(got, str) else shown(got), why)
        self.count += 1

    def keeps_lengths(self, got, rows):
        """Require rows that are as long as before."""
        why = (
            "these are the lengths of the rows, which no turn changes. Do both new numbers of a "
            "pair come from the old ones, with the same angle?"
        )
        self.close(np.linalg.norm(got, axis=1), np.linalg.norm(rows, axis=1), why)

    def _fail(self, expected, got, why=""):
        raise Failed(self.called, expected, got, why)


def _outcome(function, args):
    """Call a function without warnings; return its answer, or what it raised."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function(*args)
    except BaseException as error:  # whatever it is, also SystemExit, the reader is told
        return Raised(error)


def _alike(one, other):
    """Say whether two functions came to the same: equal answers, or the same error."""
    if isinstance(one, Raised) or isinstance(other, Raised):
        return type(one) is type(other) and type(one.error) is type(other.error)
    if isinstance(one, tuple | list) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    try:
        if isinstance(other, str):
            return bool(one == other)
        one, other = (np.asarray(each, dtype=float) for each in (one, other))
        return one.shape == other.shape and _near(one, other, 1e-5)
    except Exception:  # no numbers, or an object that raises
        return False


def _near(got, expected, tolerance):
    return bool((np.abs(got - expected) <= tolerance * np.maximum(1, np.abs(expected))).all())


def _same(after, before):
    """Say whether an argument is what it was: a number, a text, an array, or a list of these."""
    if isinstance(before, dict):
        return after.keys() == before.keys() and all(_same(after[k], before[k]) for k in before)
    if isinstance(before, list | tuple):
        return len(after) == len(before) and all(map(_same, after, before))
    if isinstance(before, np.ndarray):
        same_form = after.shape == before.shape and after.dtype == before.dtype
        return same_form and np.array_equal(after, before, equal_nan=before.dtype.kind in "fc")
    return after == before or (after != after and before != before)


def clip(text):
    """Return at most `LONG` characters of a text, on one line."""
    try:
        text = " ".join(str(text).split())
    except Exception:  # an object whose text raises
        text = "(no text)"
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def shown(value):
    """Return a value as a reader would write it, a large array by its shape."""
    try:
        if isinstance(value, np.ndarray | list | tuple) and not _is_ragged(value):
            array = np.asarray(value)
            if array.dtype.kind in "iufb" and array.size > SMALL:
                return f"array of shape {array.shape}"
            if array.dtype.kind == "f":
                return clip(np.array2string(array, precision=4, separator=", "))
            if array.dtype.kind in "iub":
                return clip(np.array2string(array, separator=", "))
        if isinstance(value, float | np.floating):
            return f"{value:.6g}"
        if isinstance(value, np.generic):
            value = value.item()
        if callable(value) and hasattr(value, "__name__"):
            return value.__name__
        return clip(reprlib.repr(value) if isinstance(value, str | int) else repr(value))
    except Exception:  # an object whose text raises
        return type(value).__name__


def _is_ragged(value):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.asarray(value).dtype.kind not in "iufb"
    except Exception:
        return True
