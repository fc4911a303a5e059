"""A learned table while it trains, played back."""

import numpy as np
import traitlets

from figures.base import Figure, Whole, below, bundle, finite_array, packed, refuse


def _recording(recording):
    """Return one recording as it is stored: rounded, so that it is small and the same everywhere.

    A table is a list of rows, each a text: its entries in thousandths.
    """
    expected = {"task", "steps", "tables", "accuracy"}
    if not isinstance(recording, dict) or set(recording) - {"about"} != expected:
        refuse("recordings", f"dicts with {', '.join(sorted(expected))}", f"{recording!r:.60}")
    if not isinstance(recording["task"], str):
        refuse("task", "a name", repr(recording["task"]))
    if not isinstance(recording.get("about", ""), str):
        refuse("about", "what the task asks for, a text", repr(recording["about"]))
    steps = finite_array("steps", recording["steps"], ndim=1)
    tables = finite_array("tables", recording["tables"], ndim=3)
    accuracy = finite_array("accuracy", recording["accuracy"], ndim=1)
    if (steps < 0).any() or (steps % 1).any() or (np.diff(steps) <= 0).any():
        refuse("steps", "rising whole numbers", f"{recording['steps']!r:.60}")
    if accuracy.min() < 0 or accuracy.max() > 1:
        refuse("accuracy", "shares from 0 to 1", f"{accuracy.min():g} to {accuracy.max():g}")
    if not len(steps) == len(tables) == len(accuracy):
        lengths = f"{len(steps)}, {len(tables)} and {len(accuracy)}"
        refuse("recordings", "as many steps as tables and accuracies", lengths)
    if not 2 <= tables.shape[1] <= 64:
        refuse("tables", "2 to 64 rows", tables.shape[1])
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
    may say what the task asks for, without a full stop.

    `task` counts the recordings, and `frame` the snapshots, from 0. `position` is the row whose
    similarity to all the others is drawn.
    """

    _esm = bundle("playback.js")
    alt = (
        "Two tasks side by side. For each, the accuracy rising along the training steps, with a "
        "mark on the first of thirteen snapshots; below it a square heat map of the cosine "
        "similarity of every row of a table with every other, from blue (−1) to red (1), with the "
        "column of position 12 framed; then an empty dashed row, which says that there is no row "
        "for position 32, and the framed column as a curve along the positions."
    )
    recordings = traitlets.List(read_only=True).tag(sync=True)
    task = Whole(0, min=0).tag(sync=True, public=True)
    frame = Whole(min=0).tag(sync=True, public=True)
    position = Whole(min=0).tag(sync=True, public=True)

    def __init__(self, recordings=(), **state):
        self._given = [_recording(recording) for recording in recordings]
        shapes = {np.shape(recording["tables"]) for recording in self._given}
        if len(shapes) > 1:
            refuse("recordings", "as many snapshots and rows in each", sorted(shapes))
        # Without recordings the limits are those of the chapter.
        frames, rows = shapes.pop() if shapes else (13, 32)
        self._counts = {"task": len(self._given) or 1, "frame": frames, "position": rows}
        super().__init__(**state)

    @traitlets.default("recordings")
    def _as_given(self):
        return self._given

    @traitlets.default("frame")
    def _before_training(self):
        return 0

    @traitlets.default("position")
    def _position_12(self):
        return min(12, self._counts["position"] - 1)

    @traitlets.validate("task", "frame", "position")
    def _is_one_of_the_recorded(self, proposal):
        return below(proposal, self._counts[proposal.trait.name])
