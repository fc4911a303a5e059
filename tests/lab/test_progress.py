"""The line that shows how far a loop has come: seen while it runs, and nowhere afterwards.

That a cell which a program runs gets no line at all, is seen where nbval runs the chapters.
"""

import io
import itertools
from types import SimpleNamespace

import IPython.display
import pytest

from lab import progress as module
from lab.progress import progress

# Half a second is over at step 5 of 20, and a fifth of one after each third step.
MOMENT, SHARES = 0.09, ["slow: 25%", "slow: 40%", "slow: 55%", "slow: 70%", "slow: 85%"]


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def shown(self):
        return self.getvalue().split("\r\033[K")


def timed(monkeypatch, moment, stderr=None, request=None):
    """A loop, with a clock that moves on with each look at it; request: what a kernel was sent."""
    ticks = itertools.count(1000)
    shell = SimpleNamespace(get_parent=lambda: request) if request else None
    modules = {"IPython": SimpleNamespace(get_ipython=lambda: shell)}
    system = SimpleNamespace(stderr=stderr, modules=modules, platform="linux")
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: moment * next(ticks)))
    monkeypatch.setattr(module, "sys", system)
    return progress(range(20), "slow")


def test_a_terminal_shows_the_share_that_is_done_and_is_clean_at_the_end(monkeypatch):
    stream, fast = Terminal(), Terminal()
    assert list(timed(monkeypatch, MOMENT, stream)) == list(range(20))
    assert stream.shown() == ["", *SHARES, ""]
    list(timed(monkeypatch, 0.02, fast))  # 20 steps are over in 0.4 seconds
    assert fast.getvalue() == ""


# JupyterLab names the cell with each request, and other programs do not.
@pytest.mark.parametrize(("metadata", "is_shown"), [({"cellId": "a"}, True), ({}, False)])
def test_the_line_stands_below_a_cell_that_a_person_runs(monkeypatch, metadata, is_shown):
    done, stream = [], io.StringIO()

    class Handle:
        def display(self, data, raw):
            done.append(("new", data["text/plain"]))

        def update(self, data, raw):
            done.append(("instead", data["text/plain"]))

    monkeypatch.setattr(IPython.display, "DisplayHandle", Handle)
    list(timed(monkeypatch, MOMENT, stream, {"metadata": metadata}))
    first, *others = [*SHARES, ""]
    expected = [("new", first), *(("instead", text) for text in others)]
    assert (done, stream.getvalue()) == (expected if is_shown else [], "")


def test_a_loop_that_is_left_early_leaves_the_terminal_clean(monkeypatch):
    stream = Terminal()
    loop = timed(monkeypatch, 0.1, stream)
    while next(loop) < 10:
        pass
    loop.close()  # as Python does where the body of a `for` raises or breaks
    assert stream.shown()[-1] == ""
    assert "slow" in stream.getvalue()
