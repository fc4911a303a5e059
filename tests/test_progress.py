"""The line that tells how far a loop is: seen while it runs, and nowhere afterwards."""

import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from pecode.lab import progress as _progress
from pecode.lab.progress import progress

ROOT = Path(__file__).parents[1]
SLOW = "for _ in progress(range(12), 'slow'):\n    time.sleep(0.1)\nprint('after')"  # 1.2 seconds
FAST = "for _ in progress(range(3), 'fast'):\n    time.sleep(0.01)\nprint('after')"
# JupyterLab names the cell with each request, and other programs do not.
BY_A_PERSON = "get_ipython().get_parent()['metadata']['cellId'] = 'a'\nprint('before')\n"
CELLS = [
    "import time\nfrom pecode.lab.progress import progress",
    SLOW,
    FAST,
    BY_A_PERSON + SLOW,
    BY_A_PERSON + FAST,
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
    assert lines[source] == []  # nbval would take for an output even what is erased again


def test_a_slow_cell_tells_a_person_how_far_it_is_and_erases_it(executed):
    stored, lines = executed
    *shown, last = lines[BY_A_PERSON + SLOW]
    shares = [int(line.removeprefix("slow: ").removesuffix("%")) for line in shown]
    assert shares == sorted(set(shares))
    assert 0 < shares[0] <= shares[-1] < 100
    assert last == ""
    assert printed(stored[BY_A_PERSON + SLOW]) == "before\nafter\n"
    assert "slow" not in str(stored[BY_A_PERSON + SLOW])


def test_a_fast_cell_shows_nothing_to_a_person_either(executed):
    stored, lines = executed
    assert lines[BY_A_PERSON + FAST] == []
    assert printed(stored[BY_A_PERSON + FAST]) == "before\nafter\n"


# Elsewhere than in a notebook, with a clock of our own


class Clock:
    """Each look at it takes a moment."""

    def __init__(self, moment):
        self.moment, self.time = moment, 0.0

    def monotonic(self):
        self.time += self.moment
        return self.time


class Terminal(io.StringIO):
    def isatty(self):
        return True

    def screen(self):
        """What is left to be seen in a line."""
        return self.getvalue().split("\r\033[K")[-1]


def go(monkeypatch, stream, moment, steps=range(20), until=None):
    monkeypatch.setattr(_progress, "time", Clock(moment))
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=stream))
    seen = []
    for step in progress(steps, "slow"):
        seen.append(step)
        if step == until:
            break
    return seen


@pytest.mark.parametrize("stream", [io.StringIO, Terminal, SimpleNamespace, lambda: None])
@pytest.mark.parametrize("moment", [0.001, 0.1, 10])
@pytest.mark.parametrize("steps", [range(20), range(5, 9), [], "abc", (3, 1, 3)])
def test_every_step_comes_once_and_in_order(monkeypatch, stream, moment, steps):
    assert go(monkeypatch, stream(), moment, steps) == list(steps)


@pytest.mark.parametrize("moment", [0.001, 0.1, 10])
def test_where_there_is_no_terminal_nothing_is_written(monkeypatch, capsys, moment):
    stream = io.StringIO()
    go(monkeypatch, stream, moment)
    assert stream.getvalue() == ""
    assert capsys.readouterr() == ("", "")


def test_a_program_without_a_terminal_writes_nothing():
    program = "import time\nfrom pecode.lab.progress import progress\n" + SLOW.replace(
        "0.1", "0.06"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("after\n", "")


def test_a_terminal_shows_the_share_that_is_done_and_is_clean_at_the_end(monkeypatch):
    stream = Terminal()
    go(monkeypatch, stream, 0.09)
    shown = stream.getvalue().split("\r\033[K")
    # Half a second is over at step 5 of 20, and a fifth of one after each third step.
    assert shown == ["", "slow: 25%", "slow: 40%", "slow: 55%", "slow: 70%", "slow: 85%", ""]
    assert stream.screen() == ""


def test_a_fast_loop_in_a_terminal_shows_nothing(monkeypatch):
    stream = Terminal()
    go(monkeypatch, stream, 0.02)  # 20 steps are over in 0.4 seconds
    assert stream.getvalue() == ""


def test_a_loop_that_is_left_early_leaves_the_terminal_clean(monkeypatch):
    stream = Terminal()
    go(monkeypatch, stream, 0.1, until=10)
    assert "slow" in stream.getvalue()
    assert stream.screen() == ""


def test_a_loop_that_fails_leaves_the_terminal_clean(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(_progress, "time", Clock(0.1))
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=stream))

    def fail():
        for step in progress(range(20), "slow"):
            if step == 10:
                raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert "slow" in stream.getvalue()
    assert stream.screen() == ""


def test_in_the_browser_the_line_is_shown_though_no_cell_is_named(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert _progress._cell_of_a_person(SimpleNamespace())
    monkeypatch.setattr(sys, "platform", "linux")
    assert not _progress._cell_of_a_person(SimpleNamespace())
