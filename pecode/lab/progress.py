"""A line that tells a waiting person how far a loop is, and leaves nothing behind."""

import sys
import time


def progress(steps, label):
    """Go through a sequence; show after half a second how much of it is done, erase it at the end.

    The line is shown in a terminal, and below a notebook cell that somebody runs. Programs that
    run notebooks (nbclient, nbval) get none, so none of it is ever stored in the book.
    """
    show = _screen()
    began = shown = time.monotonic()
    try:
        for done, step in enumerate(steps):
            now = time.monotonic()
            if now - began > 0.5 and now - shown > 0.2:
                show(f"{label}: {done / len(steps):.0%}")
                shown = now
            yield step
    finally:  # also when the loop is left early
        if shown > began:
            show("")


def _screen():
    """Return a function that shows a line in place of the last one."""
    try:
        from IPython import get_ipython
    except ImportError:
        shell = None
    else:
        shell = get_ipython()
    if _cell_that_runs(shell):
        return _display()
    if sys.stderr is not None and sys.stderr.isatty():
        return _terminal
    return lambda line: None


def _cell_that_runs(shell):
    """Name the cell on a person's screen; JupyterLab sends it along, other programs do not."""
    if shell and sys.platform == "emscripten":
        return "in the browser"  # where nobody but a person runs a notebook
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return request.get("metadata", {}).get("cellId")


def _display():
    from IPython.display import DisplayHandle

    handle = DisplayHandle()
    shown = []

    def show(line):
        (handle.update if shown else handle.display)({"text/plain": line}, raw=True)
        shown.append(line)

    return show


def _terminal(line):
    sys.stderr.write(f"\r\033[K{line}")
    sys.stderr.flush()
