"""A learned table while it trains, played back."""

import numpy as np
import traitlets

from figures.base import Figure, IntTrait, below, bundle, finite_array, packed, refuse

_PARTS = {"task", "steps", "tables", "accuracy"}


def _recording(recording):
    """Return one recording as it is stored: rounded, so that it is small and the same everywhere.

    A table is a list of rows, each a text: its entries in thousandths.
    """
    if not isinstance(recording, dict) or not recording.keys() >= _PARTS:
        refuse("recordings", f"dicts with {', '.join(sorted(_PARTS))}", f"{recording!r:.60}")
    steps, tables, accuracy = (
        finite_array(name, recording[name], ndim)
        for name, ndim in {"steps": 1, "tables": 3, "accuracy": 1}.items()
    )
    if not len(steps) == len(tables) == len(accuracy):
        lengths = f"{len(steps)}, {len(tables)} and {len(accuracy)}"
        refuse("recordings", "as many steps as tables and accuracies", lengths)
    return {
        "task": recording["task"],
        "about": recording.get("about", ""),
        "steps": steps.astype(int).tolist(),
        "tables": [[packed(row, 0.001) for row in table] for table in tables.tolist()],
        "accuracy": accuracy.round(4).tolist(),
    }


class Playback(Figure):
    """A learned table while it trains, played back.

    `recordings` are given when the figure is made, one for each training: a dict with the name of
    the `task`, the `steps` at which a snapshot was taken, and the `tables` and the `accuracy` then.
    All have the same number of snapshots, of tables of one shape; three decimals are kept. `about`
    may say what the task asks for, without a full stop. `frame` counts the snapshots from 0.
    """

    _esm = bundle("playback.js")
    alt = (
        "Two tasks side by side. For each, the accuracy rising along the training steps, with a "
        "mark on the first of thirteen snapshots; below it a square heat map of the cosine "
        "similarity of every row of a table with every other, from blue (−1) to red (1)."
    )
    recordings = traitlets.List(read_only=True).tag(sync=True)
    frame = IntTrait(0, min=0).tag(sync=True, public=True)

    def __init__(self, recordings=(), **state):
        self._given = [_recording(recording) for recording in recordings]
        shapes = {np.shape(recording["tables"]) for recording in self._given}
        if len(shapes) > 1:
            refuse("recordings", "as many snapshots and rows in each", sorted(shapes))
        self._frames = shapes.pop()[0] if shapes else 1
        super().__init__(**state)

    @traitlets.default("recordings")
    def _as_given(self):
        return self._given

    @traitlets.validate("frame")
    def _is_one_of_the_recorded(self, proposal):
        return below(proposal, self._frames)
