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

from pecode.plots import COLORS

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
        "place in both; last, on the same scale, a bar hardly wider than a dot marks the entries "
        "of a word's vector."
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
        "Left: three dials with one hand each and its dashed mirror image, whose tip is as far to "
        "the right; below them their waves along the positions, the second twice as long as the "
        "first, the third twice as long again. Right: the points of the positions in a cube, "
        "joined by a line that closes to a loop and is darker where it is near."
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
        "column 6; the row is drawn below, from the shortest wave to the longest, the column and "
        "the dot product with position 12 beside, with the distance from it."
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
        "nearer on the second; on the last two only a ring around the tip tells them apart. Arrows "
        "show how far each hand turns. "
        "Below, a matrix of cells from blue (−1) to red (1), with four blocks along its diagonal, "
        "times row 5 of the table, is row 8."
    )
    position = _Whole(5, min=0, max=200).tag(sync=True, explore=True)
    offset = _Whole(3, min=-20, max=20).tag(sync=True, explore=True)
    base = _Number(10000.0, min=10.0, max=100_000.0).tag(sync=True, explore=True)


def _refuse(name, expected, got):
    raise traitlets.TraitError(f"{name}: expected {expected}, got {got}")


def _numbers(name, values, ndim):
    """Return values as an array of finite numbers."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        _refuse(name, "numbers", f"{values!r:.60}")
    if array.ndim != ndim or not array.size or not np.isfinite(array).all():
        _refuse(
            name, f"finite numbers in {ndim} dimensions", f"shape {array.shape}, {values!r:.60}"
        )
    return array


def _packed(values, unit):
    """Write numbers as one text, in whole units: a notebook gives each number of a list a line."""
    return " ".join("-" if value is None else f"{round(value / unit)}" for value in values)


def _recording(recording):
    """Return one recording as it is stored: rounded, so that it is small and the same everywhere.

    A table is a list of rows, each a text: its entries in thousandths.
    """
    expected = {"task", "steps", "tables", "accuracy"}
    if not isinstance(recording, dict) or set(recording) - {"about"} != expected:
        _refuse("recordings", f"dicts with {', '.join(sorted(expected))}", f"{recording!r:.60}")
    if not isinstance(recording["task"], str):
        _refuse("task", "a name", repr(recording["task"]))
    if not isinstance(recording.get("about", ""), str):
        _refuse("about", "what the task asks for, a text", repr(recording["about"]))
    steps = _numbers("steps", recording["steps"], ndim=1)
    tables = _numbers("tables", recording["tables"], ndim=3)
    accuracy = _numbers("accuracy", recording["accuracy"], ndim=1)
    if (steps < 0).any() or (steps % 1).any() or (np.diff(steps) <= 0).any():
        _refuse("steps", "rising whole numbers", f"{recording['steps']!r:.60}")
    if accuracy.min() < 0 or accuracy.max() > 1:
        _refuse("accuracy", "shares from 0 to 1", f"{accuracy.min():g} to {accuracy.max():g}")
    if not len(steps) == len(tables) == len(accuracy):
        lengths = f"{len(steps)}, {len(tables)} and {len(accuracy)}"
        _refuse("recordings", "as many steps as tables and accuracies", lengths)
    if not 2 <= tables.shape[1] <= 64:
        _refuse("tables", "2 to 64 rows", tables.shape[1])
    return {
        "task": recording["task"],
        "about": recording.get("about", ""),
        "steps": steps.astype(int).tolist(),
        "tables": [[_packed(row, 0.001) for row in table] for table in tables.tolist()],
        "accuracy": accuracy.round(4).tolist(),
    }


class Playback(_Explorer):
    """Chapter 6: a learned table while it trains, played back.

    `recordings` are given when the figure is made, one for each training: a dict with the name of
    the `task`, the `steps` at which a snapshot was taken, and the `tables` and the `accuracy` then.
    All have the same number of snapshots, of tables of one shape; three decimals are kept. `about`
    may say what the task asks for, without a full stop.

    `task` counts the recordings, and `frame` the snapshots, from 0. `position` is the row whose
    similarity to all the others is drawn.
    """

    _esm = bundle("playback.js")
    alt = (
        "Left, a square heat map of the cosine similarity of every row of a table with every "
        "other, from blue (−1) to red (1), with the column of position 12 framed; below, an empty "
        "dashed row says that there is no row for position 32. Beside the map the framed column as "
        "a curve along the positions, and the accuracy rising along the training steps, with a "
        "mark on the last of thirteen snapshots."
    )
    recordings = traitlets.List(read_only=True).tag(sync=True)
    task = _Whole(0, min=0).tag(sync=True, explore=True)
    frame = _Whole(min=0).tag(sync=True, explore=True)
    position = _Whole(min=0).tag(sync=True, explore=True)

    def __init__(self, recordings=(), **state):
        self._given = [_recording(recording) for recording in recordings]
        shapes = {np.shape(recording["tables"]) for recording in self._given}
        if len(shapes) > 1:
            _refuse("recordings", "as many snapshots and rows in each", sorted(shapes))
        # Without recordings the limits are those of the chapter.
        frames, rows = shapes.pop() if shapes else (13, 32)
        self._counts = {"task": len(self._given) or 1, "frame": frames, "position": rows}
        super().__init__(**state)

    @traitlets.default("recordings")
    def _as_given(self):
        return self._given

    @traitlets.default("frame")
    def _last_frame(self):
        return min(12, self._counts["frame"] - 1)

    @traitlets.default("position")
    def _position_12(self):
        return min(12, self._counts["position"] - 1)

    @traitlets.validate("task", "frame", "position")
    def _is_one_of_the_recorded(self, proposal):
        name, count = proposal.trait.name, self._counts[proposal.trait.name]
        if proposal.value >= count:
            raise traitlets.TraitError(
                f"The value of the '{name}' trait of {type(self).__name__} should be less than "
                f"{count}, but a value of {proposal.value} was specified"
            )
        return proposal.value


class WordSum(_Explorer):
    """Chapter 7: two words with their positions added, and how alike the sums are, for d = 512.

    `length` is that of the words, `words` their cosine similarity; `first` and `second` are the
    positions.
    """

    _esm = bundle("word_sum.js")
    alt = (
        "Left, a right triangle: the word across, the position up, a bit shorter, and their sum as "
        "the slant; below, a bar: two thirds of the squared length are the word's. Right, three "
        "dots on one scale: the similarity of the words at 0, that of the positions far to the "
        "right, that of the sums a third of the way between, with an arrow that shows the rise."
    )
    length = _Number(512**0.5, min=1.0, max=512.0).tag(sync=True, explore=True)
    words = _Number(0.0, min=-0.2, max=1.0).tag(sync=True, explore=True)
    first = _Whole(1, min=0, max=511).tag(sync=True, explore=True)
    second = _Whole(6, min=0, max=511).tag(sync=True, explore=True)


_BIN = 4  # neighboring positions that are one point of a curve


def _curve(name, runs):
    """Median and range over the seeds of the accuracy in each bin, in hundredths, as texts."""
    try:
        runs = np.asarray(runs, dtype=float)
    except (TypeError, ValueError):
        _refuse(name, "an array of accuracies", f"{runs!r:.60}")
    if runs.ndim != 2 or 0 in runs.shape or runs.shape[1] % _BIN:
        _refuse(name, f"a shape (seeds, a multiple of {_BIN})", f"shape {runs.shape}")
    counted = ~np.isnan(runs).any(axis=0)
    if not ((runs >= 0) & (runs <= 1))[:, counted].all():
        _refuse(name, "accuracies from 0 to 1", f"{np.nanmin(runs):g} to {np.nanmax(runs):g}")
    bins = [runs[:, k : k + _BIN][:, counted[k : k + _BIN]] for k in range(0, runs.shape[1], _BIN)]
    means = [part.mean(axis=1) if part.size else None for part in bins]
    return {
        key: _packed([None if mean is None else float(pick(mean)) for mean in means], 0.01)
        for key, pick in {"median": np.median, "low": np.min, "high": np.max}.items()
    }


def _chances(guessing, tasks):
    """Return what a guess reaches, a number for each task, or nothing."""
    if guessing is None:
        return []
    if not isinstance(guessing, dict) or set(guessing) != set(tasks):
        _refuse("guessing", f"a dict with {', '.join(tasks)}", f"{guessing!r:.60}")
    chances = [guessing[task] for task in tasks]
    for chance in chances:
        real = isinstance(chance, (int, float, np.number)) and not isinstance(chance, bool)
        if not real or not 0 <= chance <= 1:
            _refuse("guessing", "accuracies from 0 to 1", f"{chance!r:.60}")
    return [round(float(chance), 4) for chance in chances]


def _reach(results, trained, guessing, shortest, texts):
    """Return results as they are stored: lists, since the order of a dict may be lost."""
    if not isinstance(results, dict):
        _refuse("results", "a dict: task, scheme, array", f"{results!r:.60}")
    if not results:
        _chances(guessing, [])
        return {}
    tasks, schemes = list(results), list(next(iter(results.values())))
    if not schemes or any(list(by_scheme) != schemes for by_scheme in results.values()):
        _refuse("results", "the same schemes for every task", [list(by) for by in results.values()])
    shapes = {np.shape(runs) for by_scheme in results.values() for runs in by_scheme.values()}
    if len(shapes) > 1:
        _refuse("results", "arrays of one shape", sorted(shapes))
    curves = [[_curve(name, by[name]) for name in schemes] for by in results.values()]
    seeds, length = shapes.pop()
    if not isinstance(trained, int) or isinstance(trained, bool) or not 1 <= trained <= length:
        _refuse("trained", f"a whole number from 1 to {length}", repr(trained))
    if shortest is not None:
        shortest = _whole("shortest", shortest, 1, trained)
    if texts is not None:
        texts = _whole("texts", texts, 2, 1_000_000)
    return {
        "tasks": tasks,
        "schemes": schemes,
        "colors": [
            COLORS.get(name.removesuffix(", sees all"), COLORS["nothing"]) for name in schemes
        ],
        "curves": curves,
        "size": _BIN,
        "length": length,
        "trained": trained,
        "shortest": shortest,
        "seeds": seeds,
        "texts": texts,
        "guessing": _chances(guessing, tasks),
    }


class Reach(_Explorer):
    """Chapter 9: accuracy against position, for schemes that were trained on short sequences.

    `results` are given when the figure is made: for each task a dict, scheme: accuracy, an array
    (seeds, length). Kept are median and range of four neighboring positions. `trained` is the
    longest sequence of the training, and `shortest`, if it is given, the shortest; all lengths
    between them were as frequent. `guessing` is a dict, task: accuracy of a guess; each is drawn
    as a dotted line. `texts` says, if it is given, that all schemes and seeds were measured on the
    same texts, and on how many.

    `task` counts the tasks from 0, `position` is the place that is put into words, and `shown` are
    the names of the schemes that are switched on.
    """

    _esm = bundle("reach.js")
    alt = (
        "Curves of the accuracy along 128 positions, each with a band for the range of the seeds "
        "and its name at the end, a dashed line where training ended, and across a dotted line at "
        "what a guess reaches. Before the dashed line all of "
        "them are high. Beyond it ALiBi and the relative bias stay high, sine and cosine and the "
        "learned table fall. A line marks position 96."
    )
    data = traitlets.Dict(read_only=True).tag(sync=True)
    task = _Whole(0, min=0).tag(sync=True, explore=True)
    position = _Whole(96, min=0).tag(sync=True, explore=True)
    shown = traitlets.List(traitlets.Unicode()).tag(sync=True, explore=True)

    def __init__(self, results=None, trained=32, guessing=None, shortest=None, texts=None, **state):
        results = {} if results is None else results
        self._given = _reach(results, trained, guessing, shortest, texts)
        super().__init__(**state)

    @traitlets.default("data")
    def _as_given(self):
        return self._given

    @traitlets.default("position")
    def _far_out(self):
        return min(96, self._given.get("length", 128) - 1)

    @traitlets.default("shown")
    def _a_few(self):
        few = ["sine and cosine", "learned", "ALiBi", "relative bias"]
        given = self._given.get("schemes", few)
        return [name for name in few if name in given] or given[:4]

    @traitlets.validate("task", "position")
    def _is_in_the_results(self, proposal):
        tasks, length = self._given.get("tasks", [""]), self._given.get("length", 128)
        count = {"task": len(tasks), "position": length}[proposal.trait.name]
        if proposal.value >= count:
            raise traitlets.TraitError(
                f"The value of the '{proposal.trait.name}' trait of {type(self).__name__} should "
                f"be less than {count}, but a value of {proposal.value} was specified"
            )
        return proposal.value

    @traitlets.validate("shown")
    def _are_schemes_of_the_results(self, proposal):
        known = self._given.get("schemes", proposal.value)
        for name in proposal.value:
            if name not in known or proposal.value.count(name) > 1:
                raise traitlets.TraitError(
                    f"shown: expected some of {', '.join(known)}, each once, got {name!r}"
                )
        return proposal.value


# Chapter 10: a bias for every offset

_ROWS = 64  # positions in the picture
_LARGEST_CLIP = 16


def _wishes(offsets):
    """Four made-up heads, a column each: the token before, near, far, and what comes after."""
    distance = np.abs(offsets)
    heads = [
        4.5 * np.exp(-((offsets + 1.0) ** 2)) - 1.5,
        2.5 - np.log2(1 + distance),
        np.log2(1 + distance) - 3,
        2.5 * np.tanh(offsets / 4),
    ]
    return np.stack(heads, axis=-1)


def _bucket_starts(n_buckets, max_distance):
    """Offsets that stand for T5's buckets: 0 and before, then, in the other half, after."""
    half = n_buckets // 2
    exact = half // 2
    grown = exact * (max_distance / exact) ** (np.arange(half - exact) / (half - exact))
    distances = np.concatenate([np.arange(exact), grown])
    return np.concatenate([-distances, distances])


def _heads(name, values):
    """Return a table with a column for each head; the picture has room for 16."""
    table = _numbers(name, values, ndim=2)
    if table.shape[1] > 16:
        _refuse(name, "1 to 16 heads, a column each", f"{table.shape[1]} columns")
    return table


def _learned(table, scalars, max_distance):
    """Return the numbers of the heads as they are stored: rows of texts, in thousandths."""
    max_distance = _whole("max_distance", max_distance, 3, 1024)
    given = {"t5": table, "clipped": scalars}
    if table is None:
        table = _wishes(_bucket_starts(32, max_distance))
    if scalars is None:
        scalars = _wishes(np.arange(-_LARGEST_CLIP, _LARGEST_CLIP + 1))
    table, scalars = _heads("table", table), _heads("scalars", scalars)
    if len(table) % 2 or not 4 <= len(table) <= 64:
        _refuse("table", "an even number of buckets from 4 to 64, a row each", f"{len(table)} rows")
    if max_distance <= len(table) // 2:
        most = f"more than {len(table) // 2}, half of the buckets"
        _refuse("max_distance", most, max_distance)
    if len(scalars) % 2 == 0 or len(scalars) >= 2 * _ROWS:
        expected = f"an odd number of rows up to {2 * _ROWS - 1}, for the offsets -clip to clip"
        _refuse("scalars", expected, f"{len(scalars)} rows")
    return {
        "table": [_packed(row, 0.001) for row in table.tolist()],
        "scalars": [_packed(row, 0.001) for row in scalars.tolist()],
        "max_distance": max_distance,
        "made_up": [scheme for scheme, values in given.items() if values is None],
    }


def _whole(name, value, low, high):
    """Return a whole number in a range."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        _refuse(name, "a whole number", repr(value))
    if not low <= value <= high:
        _refuse(name, f"a whole number from {low} to {high}", value)
    return int(value)


class BiasHeads(_Explorer):
    """Chapter 10: what a bias for every offset makes the heads of one layer look at.

    `table` and `scalars` are given when the figure is made; without them, four made-up heads are
    shown. Three decimals are kept.

    Parameters
    ----------
    table : array-like of floats, shape (n_buckets, n_heads), optional
        The bias of T5's buckets, for up to 16 heads; n_buckets is even, from 4 to 64.
    scalars : array-like of floats, shape (2 · clip + 1, n_heads), optional
        A number for each offset from -clip to clip, for the clipped offsets.
    max_distance : int, optional
        The distance from which on all keys share the last bucket, 128 unless told.
    scheme : "alibi", "t5" or "clipped"
    n_heads : int, 1 to 16
        For ALiBi; the tables have as many heads as columns.
    head : int
        Counted from 1.
    query, key : int, 0 to 63
        The positions of the row and of the column that are put into words.
    causal : bool
        With the mask a query looks at itself and back.
    bidirectional : bool
        T5: whether keys after the query have buckets of their own, or count as offset 0.
    clip : int
        Offsets beyond ±clip count as ±clip; at most what `scalars` has.

    Raises
    ------
    TraitError
        A value out of its range, a table of another shape or with numbers that are not finite.
    TypeError
        An unknown argument.

    Examples
    --------
    >>> BiasHeads(n_heads=4, head=2)
    BiasHeads(bidirectional=True, causal=True, clip=8, head=2, key=30, n_heads=4, query=40,
    scheme='alibi')
    """

    _esm = bundle("bias_heads.js")
    alt = (
        "Left, a square heat map of the bias of 64 keys for 64 queries, white on the diagonal and "
        "bluer away from it, with its upper half masked; a dashed line marks all cells of one "
        "offset. Right, the row of query 40: the bias rises in a straight line to 0 at the query, "
        "and bars show most of the attention on the last tokens; without a bias all would be as "
        "tall as a dotted line."
    )
    learned = traitlets.Dict(read_only=True).tag(sync=True)
    scheme = traitlets.Enum(["alibi", "t5", "clipped"], "alibi").tag(sync=True, explore=True)
    n_heads = _Whole(8, min=1, max=16).tag(sync=True, explore=True)
    head = _Whole(3, min=1).tag(sync=True, explore=True)
    query = _Whole(40, min=0, max=_ROWS - 1).tag(sync=True, explore=True)
    key = _Whole(30, min=0, max=_ROWS - 1).tag(sync=True, explore=True)
    causal = traitlets.Bool(True).tag(sync=True, explore=True)
    bidirectional = traitlets.Bool(True).tag(sync=True, explore=True)
    clip = _Whole(min=0).tag(sync=True, explore=True)

    def __init__(self, table=None, scalars=None, max_distance=128, **state):
        self._given = _learned(table, scalars, max_distance)
        super().__init__(**state)

    @traitlets.default("learned")
    def _as_given(self):
        return self._given

    @traitlets.default("head")
    def _third_head(self):
        return min(3, self._count())

    @traitlets.default("clip")
    def _clip_8(self):
        return min(8, self._largest_clip())

    def _count(self):
        """How many heads the scheme has."""
        if self.scheme == "alibi":
            return self.n_heads
        rows = self._given["table" if self.scheme == "t5" else "scalars"]
        return len(rows[0].split())

    def _largest_clip(self):
        return len(self._given["scalars"]) // 2

    @traitlets.validate("head", "clip")
    def _there_is_such_a_one(self, proposal):
        name = proposal.trait.name
        most = self._count() if name == "head" else self._largest_clip()
        if proposal.value > most:
            raise traitlets.TraitError(
                f"The value of the '{name}' trait of {type(self).__name__} should be at most "
                f"{most}, but a value of {proposal.value} was specified"
            )
        return proposal.value

    @traitlets.observe("scheme", "n_heads")
    def _fewer_heads_have_no_such_head(self, change):
        self.head = min(self.head, self._count())


# Chapter 11: rotary embedding

_PAIR_WIDTH = 8  # four pairs, four dials


class TwoTurns(_Explorer):
    """Chapter 11: a query and a key, each turned by its position, and the score of the two.

    Parameters
    ----------
    m, n : int, 0 to 500
        The positions of the query and of the key, t and s on the page (m and n in the paper of
        Su et al., 2021).
    query, key : lists of 8 finite numbers
        The vectors before they are turned, in adjacent pairs.
    base : float, 10 to 1,000,000

    Raises
    ------
    TraitError
        A value out of its range, a vector of another width.
    TypeError
        An unknown argument.

    Examples
    --------
    >>> TwoTurns(m=20, n=14).m
    20
    """

    _esm = bundle("two_turns.js")
    alt = (
        "Above, a line with the query at position 120 and the key at position 100, and a bar for "
        "the score. Below, four dials with two hands each, one for the query and one for the key, "
        "and the angle between them shaded: wide on the first two dials, narrow on the third, "
        "nearly closed on the last. Under each a bar shows what the pair gives to the score."
    )
    m = _Whole(120, min=0, max=500).tag(sync=True, explore=True)
    n = _Whole(100, min=0, max=500).tag(sync=True, explore=True)
    query, key = (
        traitlets.List([1.0, 0.0] * (_PAIR_WIDTH // 2)).tag(sync=True, explore=True)
        for _ in range(2)
    )
    base = _Number(10_000.0, min=10.0, max=1e6).tag(sync=True, explore=True)

    @traitlets.validate("query", "key")
    def _is_a_vector(self, proposal):
        name, values = proposal.trait.name, proposal.value
        if any(isinstance(value, bool) for value in values) or len(values) != _PAIR_WIDTH:
            _refuse(name, f"{_PAIR_WIDTH} numbers", f"{values!r:.60}")
        vector = _numbers(name, values, ndim=1)
        if np.abs(vector).max() > 1e6:
            _refuse(name, "numbers up to a million", f"{values!r:.60}")
        return vector.tolist()


class Stretch(_Explorer):
    """Chapter 11: angles that training has shown, and frequencies that are stretched to stay there.

    Parameters
    ----------
    distance : int, 0 to 511
        How far the key stands before the query, as under a causal mask: the offset is -distance.
    scaling : "none", "interpolation", "ntk", "yarn" or "llama3"
    factor : float, 1 to 8
        How much longer the texts may become.
    trained : int, 16 to 256
        The length of the texts in training. Their distances are 0 to trained - 1, so a pair has
        seen the angles from 0 to ω (trained - 1).

    Raises
    ------
    TraitError
        A value out of its range.
    TypeError
        An unknown argument.

    Examples
    --------
    >>> Stretch(scaling="yarn")
    Stretch(distance=200, factor=4.0, scaling='yarn', trained=64)
    """

    _esm = bundle("stretch.js")
    alt = (
        "Four dials for four pairs. An arc on each marks the angles seen in training: the whole "
        "circle on the first two, a tenth of it on the third, a sliver on the last. A hand shows "
        "the angle at distance 200: on the arc on the first two, far beyond its end on the third, "
        "where it ends in a cross, and a little beyond on the last, where it ends in a ring. A "
        "table below compares four rules: how much more slowly each turns the pairs, and up to "
        "which distance all angles are seen."
    )
    distance = _Whole(200, min=0, max=511).tag(sync=True, explore=True)
    scaling = traitlets.Enum(["none", "interpolation", "ntk", "yarn", "llama3"], "none").tag(
        sync=True, explore=True
    )
    factor = _Number(4.0, min=1.0, max=8.0).tag(sync=True, explore=True)
    trained = _Whole(64, min=16, max=256).tag(sync=True, explore=True)


# Chapter 12: the gallery of mistakes

# The names, and what each would do to the table, in words that need no formula.
_MEANINGS = {
    "no bug": "this is the right table.",
    "factor 2 doubled": "wavelengths rise twice as steeply as in the right table.",
    "factor 2 lost": "wavelengths rise half as steeply as in the right table.",
    "exponent by column": "a sine and its cosine have different wavelengths.",
    "wrong base": "the base lost a zero; wavelengths rise 3/4 as steeply as in the right table.",
    "precedence": (
        "two divisions were done in the wrong order; each wavelength is 7.39 times that of the "
        "pair before, where 1.78 times is right."
    ),
    "integer division": "all pairs have the wavelength of the first.",
    "divided twice": (
        "positions are divided by what they should be multiplied with; from pair to pair "
        "wavelengths fall, where they should rise."
    ),
    "along the batch": "all rows are the same.",
    "low precision": "positions are rounded; late rows, as 960 to 1023, are equal in groups.",
    "concatenated": "all sines stand left and all cosines right, where they should take turns.",
    "endpoint spacing": "wavelengths rise a little too steeply, and end at 62,800 rows.",
    "positions from 1": "the table is one row ahead; it lacks the row of position 0.",
    "cosine first": "in each pair the cosine stands left of the sine.",
}
_GUESSES = tuple(_MEANINGS)


# How each came about, without a line of code, and where the figure shows it.
_ABOUT = {
    "no bug": (
        "The table of the paper.",
        "the difference from the right table, which is 0 everywhere.",
    ),
    "factor 2 doubled": (
        "The loop runs over even columns, which are twice the number of the pair already, and the "
        "exponent doubles them again.",
        "columns 16 to 31, which hardly change from row 0 to row 63; their wavelengths are too "
        "long, from column 2 on.",
    ),
    "factor 2 lost": (
        "The exponent is half of the right one, so the frequencies stop half way.",
        "the wavelength of the last columns, 471 rows instead of 35,300.",
    ),
    "exponent by column": (
        "Every column has an exponent of its own, so a sine and its cosine turn at different "
        "speeds.",
        "the wavelengths: each column has its own, where the right ones come in pairs.",
    ),
    "wrong base": (
        "A zero is missing: 1000 stands for 10,000.",
        "the wavelength of the last columns, 4,080 rows instead of 35,300.",
    ),
    "precedence": (
        "Precedence is which operation comes first: one division comes too early, and its result "
        "is rounded down.",
        "the wavelengths, over a million rows from column 12 on.",
    ),
    "integer division": (
        "The exponent is computed in whole numbers and is 0 for every pair.",
        "the wavelengths, all alike: one sine stands in all even columns, one cosine in all odd "
        "ones.",
    ),
    "divided twice": (
        "The position is divided by a term that was inverted already.",
        "the wavelengths, which fall from column 2 on.",
    ),
    "along the batch": (
        "The table is added along the batch, from text to text, instead of along the positions.",
        "the rows, all the same: every column is a straight line.",
    ),
    "low precision": (
        "Positions are stored as bfloat16, which has 8 significant bits.",
        "rows 960 to 1023, equal in groups; in rows 0 to 63 nothing is wrong yet.",
    ),
    "concatenated": (
        "All sines come first, then all cosines.",
        "row 0: 0 in columns 0 to 15, 1 in columns 16 to 31. The wavelengths rise twice.",
    ),
    "endpoint spacing": (
        "The exponents end at exactly 1; the right ones end one step before.",
        "the wavelength of the last columns, 62,800 rows instead of 35,300.",
    ),
    "positions from 1": (
        "The first token is position 1.",
        "row 0, which begins with 0.84 and 0.54, as row 1 should.",
    ),
    "cosine first": (
        "In each pair the cosine comes first.",
        "row 0: 1, 0, 1, 0, …",
    ),
}


def _about():
    """What each table is, and what to look at in it."""
    return {name: f"{why} Look at: {where}" for name, (why, where) in _ABOUT.items()}


class GuessTheBug(_Explorer):
    """Chapter 12: a table is shown, and the reader says which mistake, if any, has made it.

    The tables are those of `pecode.bugs.BUGS`, 32 columns wide, and the right one.

    Parameters
    ----------
    seed : int, 0 to 9999
        It decides the order of the fourteen tables.
    case : int, 0 to 13
        The table that is shown; those before it have been answered.
    answers : list of names
        What was answered and checked, from the first table on.
    chosen : name, or ""
        The name that is chosen now.
    column : int, 0 to 31
        The column that is drawn as a curve.
    late : bool
        Whether rows 960 to 1023 are shown, instead of 0 to 63.
    difference : bool
        Whether the right table is subtracted.

    Raises
    ------
    TraitError
        A value out of its range, an unknown name, a table beyond the first without an answer.
    TypeError
        An unknown argument.

    Examples
    --------
    >>> GuessTheBug(answers=["no bug"], case=1).case
    1
    """

    _esm = bundle("guess.js")
    alt = (
        "Left, a heat map of 64 rows and 32 columns, from blue (−1) to red (1); below it a dot for "
        "the wavelength of each column, and beside it one column as a dotted curve, each over that "
        "of the right table, dashed. Right, a list of fourteen "
        "names of mistakes to choose from, with a button to check the answer."
    )
    bugs = traitlets.Dict(read_only=True).tag(sync=True)
    meanings = traitlets.Dict(_MEANINGS, read_only=True).tag(sync=True)
    seed = _Whole(0, min=0, max=9999).tag(sync=True, explore=True)
    case = _Whole(0, min=0, max=len(_GUESSES) - 1).tag(sync=True, explore=True)
    answers = traitlets.List().tag(sync=True, explore=True)
    chosen = traitlets.Enum(["", *_GUESSES], "").tag(sync=True, explore=True)
    column = _Whole(6, min=0, max=31).tag(sync=True, explore=True)
    late = traitlets.Bool(False).tag(sync=True, explore=True)
    difference = traitlets.Bool(False).tag(sync=True, explore=True)

    @traitlets.default("bugs")
    def _of_the_gallery(self):
        return _about()

    @traitlets.validate("case", "answers")
    def _tables_before_are_answered(self, proposal):
        name, value = proposal.trait.name, proposal.value
        case = value if name == "case" else self.case
        answers = value if name == "answers" else self.answers
        if len(answers) > len(_GUESSES) or any(answer not in _GUESSES for answer in answers):
            _refuse("answers", f"up to {len(_GUESSES)} of {', '.join(_GUESSES)}", repr(answers))
        if case > len(answers):
            _refuse(name, f"an answer for each table before case {case}", f"{value!r:.60}")
        return value
