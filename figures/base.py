"""What all moving figures share on the Python side: one class, its numbers, its front end.

The same module draws in JupyterLab, where it talks to the class, and on a page of the book, where
it talks to the state that is stored in the notebook. The classes need `anywidget`.
"""

import json
import math
import re
from pathlib import Path

import anywidget
import traitlets

_HERE = Path(__file__).parent
_COMMENTS = re.compile(r"^ *//.*\n|^ +", flags=re.MULTILINE)
_EXPORT = re.compile(r"^export (?!default)", flags=re.MULTILINE)
_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[\w./]+\.js)";\n', flags=re.MULTILINE)


def bundle(name, **constants):
    """Return a front end as one module: constants from Python and what it imports stand before it.

    A widget is sent to the browser as one text, so it cannot import its neighbors by name: all
    modules share one scope, and a browser refuses a name that two of them declare. Comments and
    indents stay at home.
    """
    source = "".join(_EXPORT.sub("", text) for text in _modules(_HERE / name, set()))
    return _as_javascript(constants) + _COMMENTS.sub("", source)


def _as_javascript(constants):
    """Write Python's constants in JavaScript: so each of them has one home."""
    return "".join(
        f"const {name} = {json.dumps(value, ensure_ascii=False)};\n"
        for name, value in constants.items()
    )


def _modules(path, seen):
    """Return the text of a module after those that it needs, each once and without its imports."""
    if path.resolve() in seen:
        return []
    seen.add(path.resolve())
    source = path.read_text(encoding="utf8")
    others = [path.parent / other for other in _IMPORT.findall(source)]
    needed = [text for other in others for text in _modules(other, seen)]
    return [*needed, _IMPORT.sub("", source)]


class Figure(anywidget.AnyWidget):
    """A moving figure. Its traits can be set, read and linked from Python.

    `alt` describes the figure as it starts: it goes with the still picture (publishing/stills.py),
    followed by what the figure itself says. The front end finds the limits of the numbers in
    `LIMITS`.
    """

    alt = ""

    def __init_subclass__(cls, **options):
        if isinstance(vars(cls).get("_esm"), str):  # not in the classes that anywidget derives
            limits = {
                name: [trait.min, trait.max]
                for name, trait in vars(cls).items()
                if isinstance(trait, FloatTrait | IntTrait) and None not in (trait.min, trait.max)
            }
            cls._esm = _as_javascript({"LIMITS": limits}) + cls._esm
        super().__init_subclass__(**options)

    def __init__(self, **state):
        if unknown := sorted(set(state) - set(self.trait_names())):
            known = ", ".join(sorted(self.traits(public=True)))
            raise TypeError(f"{type(self).__name__}: expected some of {known}, got {unknown[0]}")
        super().__init__(**state)

    def __repr__(self):
        names = sorted(name for name in self.traits(public=True))
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"


class FloatTrait(traitlets.Float):
    """A finite number in a range: traitlets itself lets NaN pass, which lies in no range."""

    def validate(self, obj, value):
        """Return the value, or refuse it."""
        if isinstance(value, bool):
            self.error(obj, value)
        try:
            value = super().validate(obj, value)
        except OverflowError:  # an int that no float holds
            value = math.nan
        if math.isnan(value):
            raise traitlets.TraitError(
                f"The value of the '{self.name}' trait of {type(obj).__name__} should be from "
                f"{self.min:g} to {self.max:g}, but {value} was specified"
            )
        return value


class IntTrait(traitlets.Int):
    """A whole number in a range: traitlets itself takes True for 1."""

    def validate(self, obj, value):
        """Return the value, or refuse it."""
        if isinstance(value, bool):
            self.error(obj, value)
        return super().validate(obj, value)


def below(proposal, count, what=""):
    """Return a proposed value of a trait that counts from 0, or refuse it."""
    if proposal.value >= count:
        raise traitlets.TraitError(
            f"The value of the '{proposal.trait.name}' trait of {type(proposal.owner).__name__} "
            f"should be less than {what}{count}, but a value of {proposal.value} was specified"
        )
    return proposal.value


def refuse(name, expected, got):
    """Raise a TraitError that names the argument."""
    raise traitlets.TraitError(f"{name}: expected {expected}, got {got}")


def packed(values, unit):
    """Write numbers as one text, in whole units: a notebook gives each number of a list a line."""
    return " ".join("-" if value is None else f"{round(value / unit)}" for value in values)
