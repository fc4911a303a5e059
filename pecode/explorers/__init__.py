"""Figures that can be moved: one class a figure, its front end one ES module beside it.

The same module draws in JupyterLab, where it talks to the class, and on a page of the book, where
it talks to the state that is stored in the notebook. The classes need `anywidget`.
"""

import math
import re
from pathlib import Path

import anywidget
import numpy as np
import traitlets

_HERE = Path(__file__).parent
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', flags=re.MULTILINE)


def bundle(name):
    """Return a front end as one module: what it imports stands before it.

    A widget is sent to the browser as one text, so it cannot import its neighbors by name.
    """
    *needed, source = _modules(name, set())
    shared = re.sub(r"^export (?=const|function)", "", "".join(needed), flags=re.MULTILINE)
    return shared + source


def _modules(name, seen):
    """Return the text of a module after those that it needs, each once and without its imports."""
    if name in seen:
        return []
    seen.add(name)
    source = (_HERE / name).read_text(encoding="utf8")
    needed = [text for other in _IMPORT.findall(source) for text in _modules(other, seen)]
    return [*needed, _IMPORT.sub("", source)]


class _Explorer(anywidget.AnyWidget):
    """An interactive figure. Its traits can be set, read and linked from Python.

    `alt` describes the figure as it starts: it goes with the still picture (`tools/stills.py`),
    followed by what the figure itself says.
    """

    alt = ""

    def __init__(self, **state):
        if unknown := sorted(set(state) - set(self.trait_names())):
            known = ", ".join(sorted(self.traits(explore=True)))
            raise TypeError(f"{type(self).__name__}: expected some of {known}, got {unknown[0]}")
        super().__init__(**state)

    def __repr__(self):
        names = sorted(name for name in self.traits(explore=True))
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in names)})"


class _Number(traitlets.Float):
    """A finite number in a range: traitlets itself lets NaN pass, which lies in no range."""

    def validate(self, obj, value):
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


class _Whole(traitlets.Int):
    """A whole number in a range: traitlets itself takes True for 1."""

    def validate(self, obj, value):
        if isinstance(value, bool):
            self.error(obj, value)
        return super().validate(obj, value)


def _chapter_1():
    """Vectors of "the dog bit the man" and three matrices, drawn as in chapter 1."""
    rng = np.random.default_rng(0)
    vocabulary = {word: rng.normal(size=16).tolist() for word in ["the", "dog", "bit", "man"]}
    w_query, w_key, w_value = rng.normal(scale=16**-0.5, size=(3, 16, 16)).tolist()
    vectors = [vocabulary[word] for word in ["the", "dog", "bit", "the", "man"]]
    return {"vectors": vectors, "w_query": w_query, "w_key": w_key, "w_value": w_value}


class Shuffle(_Explorer):
    """Chapter 1: words that change places, and what self-attention makes of it.

    `order` lists the words of "the dog bit the man", 0 … 4, from left to right. With `causal` a
    word looks at itself and back; with `positions` each place adds its sinusoidal vector.
    """

    _esm = bundle("shuffle.js")
    alt = (
        "Five words in a row, the dog bit the man, and beside them the average of all. Below each "
        "word stands its output before and now as one strip of 16 colored cells, from blue "
        "(negative) to red (positive), with the verdict: the same."
    )
    order = traitlets.List([0, 1, 2, 3, 4]).tag(sync=True, explore=True)
    causal = traitlets.Bool(False).tag(sync=True, explore=True)
    positions = traitlets.Bool(False).tag(sync=True, explore=True)
    words = traitlets.List(["the", "dog", "bit", "the", "man"], read_only=True).tag(sync=True)
    vectors, w_query, w_key, w_value = (
        traitlets.List(rows, read_only=True).tag(sync=True) for rows in _chapter_1().values()
    )

    @traitlets.validate("order")
    def _check_order(self, proposal):
        order = proposal.value
        if any(type(word) is not int for word in order) or sorted(order) != [0, 1, 2, 3, 4]:
            raise traitlets.TraitError(
                f"order: expected the numbers 0 to 4, each of them once, got {order!r}"
            )
        return order


class SameValue(_Explorer):
    """Chapter 2: one value of the normalized count, in texts of different length."""

    _esm = bundle("same_value.js")
    alt = (
        "Two texts as rows of dots, one of 51 words and one of 11. Above, drawn to the same width, "
        "a dashed line at 0.8 meets a dot of each: one far to the right in dense dots, one in wide "
        "steps. Below, at the plain count, the shorter row ends first, and a ring marks the same "
        "place in both."
    )
    length = _Whole(51, min=2, max=200).tag(sync=True, explore=True)
    value = _Number(0.8, min=0.0, max=1.0).tag(sync=True, explore=True)


class Bits(_Explorer):
    """Chapter 3: a position in eight bits, the step to the next, and the corners of a cube."""

    _esm = bundle("bits.js")
    alt = (
        "Left: the eight bits of position 31 above those of 32, with arrows where a bit flips. "
        "Right: the corners of a cube stand for the lowest three bits; a blue path goes through "
        "them in the order of counting, and the arrow of the next step crosses the whole cube."
    )
    position = _Whole(31, min=0, max=255).tag(sync=True, explore=True)
    gray = traitlets.Bool(False).tag(sync=True, explore=True)


class Curve(_Explorer):
    """Chapter 4: three sines as dials, as waves, and as one curve in space that can be turned.

    `first`, `second` and `third` are the frequencies, in radians per position.
    """

    _esm = bundle("curve.js")
    alt = (
        "Left: three dials with one hand each, and below them their waves along the positions, the "
        "second twice as long as the first, the third twice as long again. Right: the points of "
        "the positions in a cube, joined by a line that closes to a loop and is darker where it "
        "is near."
    )
    position = _Whole(1, min=0, max=64).tag(sync=True, explore=True)
    first = _Number(math.pi / 2, min=0.003, max=math.pi).tag(sync=True, explore=True)
    second = _Number(math.pi / 4, min=0.003, max=math.pi).tag(sync=True, explore=True)
    third = _Number(math.pi / 8, min=0.003, max=math.pi).tag(sync=True, explore=True)
    turn = _Whole(-35, min=-180, max=180).tag(sync=True, explore=True)
    tilt = _Whole(25, min=-90, max=90).tag(sync=True, explore=True)


class EncodingTable(_Explorer):
    """Chapter 5: the sinusoidal table, with a row, a column and a dot product as curves."""

    _esm = bundle("table.js")
    alt = (
        "A heat map of 64 positions and 32 columns, from blue (−1) to red (1): fine stripes to the "
        "left, where the waves are short, and plain columns to the right. A frame marks row 12 and "
        "column 6; the row is drawn below, the column and the dot product with position 12 beside."
    )
    position = _Whole(12, min=0, max=63).tag(sync=True, explore=True)
    column = _Whole(6, min=0, max=63).tag(sync=True, explore=True)
    d_model = _Whole(32).tag(sync=True, explore=True)
    base = _Number(10000.0, min=10.0, max=100_000.0).tag(sync=True, explore=True)

    @traitlets.validate("d_model")
    def _width_is_one_of_the_list(self, proposal):
        if proposal.value not in (8, 16, 32, 64):
            raise traitlets.TraitError(
                f"The value of the 'd_model' trait of {type(self).__name__} should be 8, 16, 32 "
                f"or 64, but a value of {proposal.value} was specified"
            )
        return proposal.value

    @traitlets.validate("column")
    def _column_is_in_the_table(self, proposal):
        if proposal.value >= self.d_model:
            raise traitlets.TraitError(
                f"The value of the 'column' trait of {type(self).__name__} should be less than "
                f"d_model, {self.d_model}, but a value of {proposal.value} was specified"
            )
        return proposal.value

    @traitlets.observe("d_model")
    def _narrower_table_has_no_such_column(self, change):
        self.column = min(self.column, change.new - 1)


class Clock(_Explorer):
    """Chapter 5: a position as four clock hands, and the matrix T(Δ) that moves it."""

    _esm = bundle("clock.js")
    alt = (
        "Four dials with two hands each, at position 5 and at 8: far apart on the first dial, "
        "nearer on the second, together on the last two. Below, a matrix of colored cells with "
        "four blocks along its diagonal, times the vector of position 5, is that of position 8."
    )
    position = _Whole(5, min=0, max=200).tag(sync=True, explore=True)
    offset = _Whole(3, min=-20, max=20).tag(sync=True, explore=True)
    base = _Number(10000.0, min=10.0, max=100_000.0).tag(sync=True, explore=True)
