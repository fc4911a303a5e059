"""A line that shows how far a loop has come, and leaves nothing behind."""

import sys
import time


def progress(steps, label):
    """Yield the steps; show after half a second the share that is done, erase it at the end.

    The line is shown in a terminal, and below a notebook cell that a person runs. Programs that
    run notebooks (nbclient, nbval) get no line, so none is ever stored in the book.
    """
    show = _line_on_screen()
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


def _line_on_screen():
    """Return a function that shows a text in place of the one before."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if _cell_of_a_person(shell):
        return _line_below_cell()
    isatty = getattr(sys.stderr, "isatty", None)  # stderr may be None, or any object with write
    if isatty is not None and isatty():
        return _line_in_terminal
    return lambda text: None


def _cell_of_a_person(shell):
    """Name the cell on a person's screen; JupyterLab sends it along, other programs do not."""
    if "IPython" in sys.modules and sys.platform == "emscripten":
        return "in the browser"  # where only a person runs a notebook
    request = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return request.get("metadata", {}).get("cellId")


def _line_below_cell():
    from IPython.display import DisplayHandle

    handle = DisplayHandle()
    shown = []

    def show(text):
        (handle.update if shown else handle.display)({"text/plain": text}, raw=True)
        shown.append(text)

    return show


def _line_in_terminal(text):
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()
