"""Right rows in another order than one after the other: several texts, a jump, a grid, padding."""

from dataclasses import replace

import numpy as np

from pecode.diagnose.identity.reading import judged


def with_rows_of_zeros(table, usual):
    """Rows for padding, as some libraries keep them: zeros, and the others go on beside them."""
    empty = ~table.any(axis=1)
    ends = np.flatnonzero(empty)
    rows = np.arange(len(table))
    kept = table[~empty]
    if not len(ends) or len(kept) < 4:
        return
    if (np.diff(ends) == 1).all() and ends[-1] == rows[-1]:  # after the last row that counts
        reading = usual(kept)
        if reading and reading.bug is None:
            yield replace(reading, conventions=("rows of zeros at the end",), seen=kept)
    if len(ends) > 2:
        return
    after = table[ends[-1] + 1 :]
    if len(after) < 4:
        return
    for reading in on_a_grid(after, usual) if ends[-1] == 0 else ():
        yield replace(reading, conventions=("row of zeros", *reading.conventions))
    reading = usual(after)
    if reading is None or reading.bug:
        return
    for start in (reading.positions[0] - ends[-1] - 1, reading.positions[0]):
        whole = replace(
            reading, positions=start + rows.astype(float), conventions=("row of zeros",)
        )
        seen = np.where(empty[:, None], whole.rows(rows), table)
        yield replace(judged(whole, seen), seen=seen)


def with_jumps(table, usual):
    """Positions that begin again, stand still where a text is padded on the left, or jump once."""
    if table.shape[1] < 8 or len(table) < 6:
        return
    rows = len(table)
    for start in (0, rows // 2, rows - 3):
        seen = usual(table[start : start + 3])
        if seen is None or seen.bug:
            continue
        near = int(seen.positions[0]) + np.arange(-rows, 2 * rows)
        known = np.unique(np.concatenate([np.arange(-1, rows + 2), near]))
        every = replace(seen, positions=known.astype(float)).rows(np.arange(len(known)))
        squared = (table**2).sum(axis=1)[:, None] - 2 * table @ every.T + (every**2).sum(axis=1)
        positions = known[squared.argmin(axis=1)]
        said = _said(positions)
        if said:
            yield judged(replace(seen, positions=positions.astype(float), **said), table)
        return


def _said(positions):
    """What rows are called that do not count by one, as fields of a reading."""
    steps = np.diff(positions)
    others = np.flatnonzero(steps != 1)
    if not len(others) or (steps == 1).mean() < 0.5:
        return None
    last = others[-1]  # before the text that goes on to the end
    if np.isin(positions[1:][others], (0, 1)).all():
        stands = last > 0 and (positions[: last + 1] == positions[0]).all()
        return {"conventions": ("padded on the left" if stands else "several texts in a row",)}
    if len(others) == 1:
        at = f"row {last + 1} is at {positions[last + 1]}, after {positions[last]}"
        return {"bug": "jump", "conventions": (at,)}
    return None


def on_a_grid(table, usual):
    """Half of the columns say the row of a grid, the other half its column."""
    rows, d_model = table.shape
    half = d_model // 2
    if d_model % 4:
        return
    for slow, fast in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        changes = np.flatnonzero(np.abs(np.diff(table[:, slow], axis=0)).max(axis=1) > 1e-6)
        width = int(changes[0]) + 1 if len(changes) else 0
        if width < 3 or rows % width or rows < 3 * width:
            continue
        row, column = usual(table[::width, slow]), usual(table[:width, fast])
        if row is None or column is None or row.bug or column.bug:
            continue
        axes = table.reshape(-1, width, d_model)
        if not (
            np.allclose(axes[:, :, slow], axes[:, :1, slow], atol=row.error * row.scale + 1e-9)
            and np.allclose(axes[:, :, fast], axes[:1, :, fast], atol=row.error * row.scale + 1e-9)
        ):
            continue
        order = "rows first" if slow.start is None else "columns first"
        name = f"grid of {rows // width} × {width}, {order}"
        error = max(row.error, column.error)
        yield replace(row, error=error, conventions=(name,), seen=table[::width, slow])
