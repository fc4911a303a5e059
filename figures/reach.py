"""Accuracy against position, for schemes that were trained on short sequences."""

import numpy as np
import traitlets

from figures.base import Figure, FloatTrait, IntTrait, below, bundle, packed, refuse
from figures.style import COLORS

_BIN = 4  # neighboring positions that are one point of a curve


def _curve(name, runs):
    """Median and range over the seeds of the accuracy in each bin, in hundredths, as texts."""
    runs = np.asarray(runs, dtype=float)
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


def _reach(results, trained, guessing):
    """Return results as they are stored: lists, since the order of a dict may be lost."""
    tasks = list(results)
    if not tasks:
        return {}
    schemes = list(results[tasks[0]])
    if not schemes or any(list(by_scheme) != schemes for by_scheme in results.values()):
        refuse("results", "the same schemes for every task", [list(by) for by in results.values()])
    shapes = {np.shape(runs) for by_scheme in results.values() for runs in by_scheme.values()}
    if len(shapes) > 1:
        refuse("results", "arrays of one shape", sorted(shapes))
    seeds, length = shapes.pop()
    if not 1 <= trained <= length:
        refuse("trained", f"a position from 1 to {length}", repr(trained))
    return {
        "tasks": tasks,
        "schemes": schemes,
        "colors": [COLORS.get(name, COLORS["nothing"]) for name in schemes],
        "curves": [[_curve(name, by[name]) for name in schemes] for by in results.values()],
        "size": _BIN,
        "length": length,
        "trained": trained,
        "seeds": seeds,
        "guessing": [round(float(guessing[task]), 4) for task in tasks] if guessing else [],
    }


class Reach(Figure):
    """Accuracy against position, for schemes that were trained on short sequences.

    `results` are given when the figure is made: for each task a dict, scheme: accuracy, an array
    (seeds, length). Kept are median and range of four neighboring positions. `trained` is the
    longest sequence of the training. `guessing` is a dict, task: accuracy of a guess; each is
    drawn as a dotted line. What comes beyond the training is covered until the reader has guessed.

    `task` counts the tasks from 0, `scheme` is the name of the curve that stands out, and `guess`
    is what the reader expects at the last position.
    """

    _esm = bundle("reach.js")
    alt = (
        "Curves of the accuracy along 128 positions, one for each scheme, with its name at the "
        "end; that of sine and cosine is strong and has a band for the range of the seeds. A "
        "dashed line marks where training ended, a dotted one the accuracy of a guess. Before the "
        "dashed line nearly all are high. Beyond it ALiBi, rotary and the relative bias stay high; "
        "sine and cosine fall."
    )
    data = traitlets.Dict(read_only=True).tag(sync=True)
    task = IntTrait(0, min=0).tag(sync=True, public=True)
    scheme = traitlets.Unicode("sine and cosine").tag(sync=True, public=True)
    guess = FloatTrait(1.0, min=0.0, max=1.0).tag(sync=True, public=True)

    def __init__(self, results=(), trained=32, guessing=None, **state):
        self._given = _reach(results, trained, guessing)
        super().__init__(**state)

    @traitlets.default("data")
    def _as_given(self):
        return self._given

    @traitlets.default("scheme")
    def _sinusoids_or_the_first(self):
        schemes = self._given.get("schemes", ["sine and cosine"])
        return "sine and cosine" if "sine and cosine" in schemes else schemes[0]

    @traitlets.validate("task")
    def _is_in_the_results(self, proposal):
        return below(proposal, len(self._given.get("tasks", [""])))

    @traitlets.validate("scheme")
    def _is_a_scheme_of_the_results(self, proposal):
        known = self._given.get("schemes", ["sine and cosine"])
        if proposal.value not in known:
            refuse("scheme", f"one of {', '.join(known)}", repr(proposal.value))
        return proposal.value
