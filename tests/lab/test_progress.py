"""The line that shows how far a loop has come: seen while it runs, and nowhere afterwards."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from lab import progress as module
from lab.progress import progress

ROOT = Path(__file__).parents[2]
SLOW = "for _ in progress(range(12), 'slow'):\n    time.sleep(0.08)\nprint('after')"  # 1 second
FAST = "for _ in progress(range(3), 'fast'):\n    time.sleep(0.01)\nprint('after')"
# JupyterLab names the cell with each request, and other programs do not.
BY_A_PERSON = "get_ipython().get_parent()['metadata']['cellId'] = 'a'\nprint('before')\n"
CELLS = [
    "import time\nfrom lab.progress import progress",
    *(SLOW, FAST, BY_A_PERSON + SLOW, BY_A_PERSON + FAST),
]


@pytest.fixture(scope="module")
def executed():
    """These cells, run as `make refresh` does: what is stored of each, and what was on its way."""
    notebook = new_notebook(cells=[new_code_cell(source) for source in CELLS])
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(ROOT)}},
    )
    lines = {source: [] for source in CELLS}
    process_message = client.process_message

    def record(message, cell, index):
        if message["msg_type"] in ("display_data", "update_display_data"):
            lines[CELLS[index]].append(message["content"]["data"]["text/plain"])
        return process_message(message, cell, index)

    client.process_message = record
    client.execute()
    return {cell.source: cell.outputs for cell in notebook.cells}, lines


def printed(outputs):
    return "".join(output.text for output in outputs if output.output_type == "stream")


@pytest.mark.parametrize("source", [SLOW, FAST], ids=["slow", "fast"])
def test_a_cell_that_a_program_runs_keeps_what_it_prints_and_nothing_else(executed, source):
    stored, lines = executed
    assert [output.output_type for output in stored[source]] == ["stream"]
    assert printed(stored[source]) == "after\n"
    assert lines[source] == []  # nbval would take even an erased line for an output


def test_a_slow_cell_shows_how_far_it_has_come_and_a_fast_one_nothing(executed):
    stored, lines = executed
    *shown, last = lines[BY_A_PERSON + SLOW]
    shares = [int(line.removeprefix("slow: ").removesuffix("%")) for line in shown]
    assert shares == sorted(set(shares))
    assert 0 < shares[0] <= shares[-1] < 100
    assert last == ""
    assert "slow" not in str(stored[BY_A_PERSON + SLOW])
    assert lines[BY_A_PERSON + FAST] == []
    for source in (SLOW, FAST):
        assert printed(stored[BY_A_PERSON + source]) == "before\nafter\n"


# Outside notebooks, with a clock of our own


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def shown(self):
        return self.getvalue().split("\r\033[K")


def timed(monkeypatch, stderr, moment, steps=range(20)):
    """Go through the steps, with a clock that moves on with each look at it."""
    ticks = iter(range(10**6))
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: moment * next(ticks)))
    monkeypatch.setattr(module, "sys", SimpleNamespace(stderr=stderr, modules={}))
    return progress(steps, "slow")


def test_a_terminal_shows_the_share_that_is_done_and_is_clean_at_the_end(monkeypatch):
    stream = Terminal()
    list(timed(monkeypatch, stream, 0.09))
    # Half a second is over at step 5 of 20, and a fifth of one after each third step.
    shares = ["slow: 25%", "slow: 40%", "slow: 55%", "slow: 70%", "slow: 85%"]
    assert stream.shown() == ["", *shares, ""]
    fast = Terminal()
    list(timed(monkeypatch, fast, 0.02))  # 20 steps are over in 0.4 seconds
    assert fast.getvalue() == ""


@pytest.mark.parametrize("leave", ["close", "throw"])
def test_a_loop_that_is_left_early_or_fails_leaves_the_terminal_clean(monkeypatch, leave):
    stream = Terminal()
    loop = timed(monkeypatch, stream, 0.1)
    while next(loop) < 10:
        pass
    if leave == "close":
        loop.close()
    else:
        with pytest.raises(ZeroDivisionError):
            loop.throw(ZeroDivisionError)
    assert stream.shown()[-1] == ""
    assert "slow" in stream.getvalue()
