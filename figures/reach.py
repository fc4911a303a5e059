"""Accuracy against position, for schemes that were trained on short sequences."""

import numpy as np
import traitlets

from figures.base import Figure, Whole, below, bundle, packed, refuse, whole_number
from figures.style import COLORS

_BIN = 4  # neighboring positions that are one point of a curve


def _curve(name, runs):
    """Median and range over the seeds of the accuracy in each bin, in hundredths, as texts."""
    try:
        runs = np.asarray(runs, dtype=float)
    except (TypeError, ValueError):
        refuse(name, "an array of accuracies", f"{runs!r:.60}")
    if runs.ndim != 2 or 0 in runs.shape or runs.shape[1] % _BIN:
        refuse(name, f"a shape (seeds, a multiple of {_BIN})", f"shape {runs.shape}")
    counted = ~np.isnan(runs).any(axis=0)
    if not ((runs >= 0) & (runs <= 1))[:, counted].all():
        refuse(name, "accuracies from 0 to 1", f"{np.nanmin(runs):g} to {np.nanmax(runs):g}")
    bins = [runs[:, k : k + _BIN][:, counted[k : k + _BIN]] for k in range(0, runs.shape[1], _BIN)]
    means = [part.mean(axis=1) if part.size else None for part in bins]
    return {
        key: packed([None if mean is None else float(pick(mean)) for mean in means], 0.01)
        for key, pick in {"median": np.median, "low": np.min, "high": np.max}.items()
    }


def _chances(guessing, tasks):
    """Return what a guess reaches, a number for each task, or nothing."""
    if guessing is None:
        return []
    if not isinstance(guessing, dict) or set(guessing) != set(tasks):
        refuse("guessing", f"a dict with {', '.join(tasks)}", f"{guessing!r:.60}")
    chances = [guessing[task] for task in tasks]
    for chance in chances:
        real = isinstance(chance, (int, float, np.number)) and not isinstance(chance, bool)
        if not real or not 0 <= chance <= 1:
            refuse("guessing", "accuracies from 0 to 1", f"{chance!r:.60}")
    return [round(float(chance), 4) for chance in chances]


def _reach(results, trained, guessing, shortest, texts, covered):
    """Return results as they are stored: lists, since the order of a dict may be lost."""
    if not isinstance(results, dict):
        refuse("results", "a dict: task, scheme, array", f"{results!r:.60}")
    if not results:
        _chances(guessing, [])
        return {}
    tasks, schemes = list(results), list(next(iter(results.values())))
    if not schemes or any(list(by_scheme) != schemes for by_scheme in results.values()):
        refuse("results", "the same schemes for every task", [list(by) for by in results.values()])
    shapes = {np.shape(runs) for by_scheme in results.values() for runs in by_scheme.values()}
    if len(shapes) > 1:
        refuse("results", "arrays of one shape", sorted(shapes))
    curves = [[_curve(name, by[name]) for name in schemes] for by in results.values()]
    seeds, length = shapes.pop()
    trained = whole_number("trained", trained, 1, length)
    if shortest is not None:
        shortest = whole_number("shortest", shortest, 1, trained)
    if texts is not None:
        texts = whole_number("texts", texts, 2, 1_000_000)
    if not isinstance(covered, bool):
        refuse("covered", "True or False", f"{covered!r:.60}")
    return {
        "tasks": tasks,
        "schemes": schemes,
        "colors": [COLORS.get(name, COLORS["nothing"]) for name in schemes],
        "curves": curves,
        "size": _BIN,
        "length": length,
        "trained": trained,
        "shortest": shortest,
        "seeds": seeds,
        "texts": texts,
        "guessing": _chances(guessing, tasks),
        "covered": covered,
    }


class Reach(Figure):
    """Accuracy against position, for schemes that were trained on short sequences.

    `results` are given when the figure is made: for each task a dict, scheme: accuracy, an array
    (seeds, length). Kept are median and range of four neighboring positions. `trained` is the
    longest sequence of the training, and `shortest`, if it is given, the shortest; all lengths
    between them were as frequent. `guessing` is a dict, task: accuracy of a guess; each is drawn
    as a dotted line. `texts` says, if it is given, that all schemes and seeds were measured on the
    same texts, and on how many. With `covered` what comes beyond the training is hidden until
    the reader has guessed or skips it.

    `task` counts the tasks from 0, `position` is the place that is put into words, and `shown` are
    the names of the schemes that are switched on.
    """

    _esm = bundle("reach.js")
    alt = (
        "Curves of the accuracy along 128 positions, each with a band for the range of the seeds "
        "and its name at the end. A dashed line marks where training ended, a dotted one the "
        "accuracy of a guess. Before the dashed line all of them are high. Beyond it ALiBi and "
        "the relative bias stay high, sine and cosine and the learned table fall. A line marks "
        "position 96."
    )
    data = traitlets.Dict(read_only=True).tag(sync=True)
    task = Whole(0, min=0).tag(sync=True, public=True)
    position = Whole(96, min=0).tag(sync=True, public=True)
    shown = traitlets.List(traitlets.Unicode()).tag(sync=True, public=True)

    def __init__(
        self, results=None, trained=32, guessing=None, shortest=None, texts=None, covered=False,
        **state,
    ):  # fmt: skip
        results = {} if results is None else results
        self._given = _reach(results, trained, guessing, shortest, texts, covered)
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
        return below(proposal, {"task": len(tasks), "position": length}[proposal.trait.name])

    @traitlets.validate("shown")
    def _are_schemes_of_the_results(self, proposal):
        known = self._given.get("schemes", proposal.value)
        for name in proposal.value:
            if name not in known or proposal.value.count(name) > 1:
                raise traitlets.TraitError(
                    f"shown: expected some of {', '.join(known)}, each once, got {name!r}"
                )
        return proposal.value
