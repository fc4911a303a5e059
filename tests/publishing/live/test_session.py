"""Python's side of a page that runs, without a browser."""

import json
import subprocess
import sys

import pytest

from publishing.home import ROOT
from publishing.live import session
from tests import data

CELLS = data("publishing/live/cells.yml")

# It takes over the standard streams and the place of IPython: in a process of its own.
PROGRAM = """
import json, sys
sys.path[:0] = ["publishing/live", "."]
import session
said, out = [], sys.stdout
session.start(lambda text: said.append(json.loads(text)), "the_page")
passed = []
for step in json.loads(sys.argv[1]):
    if isinstance(step, str):
        passed.append(session.run(str(len(passed) + 1), step))
    else:
        session.receive(*step)
out.write(json.dumps([passed, said]))
"""


def ran(*steps):
    """Run cells, or pass on what a reader changed; return what passed, and what was said."""
    command = [sys.executable, "-c", PROGRAM, json.dumps(steps)]
    return json.loads(subprocess.check_output(command, cwd=ROOT, text=True))


def outputs(*cells):
    """Run cells; return the outputs of all."""
    return [message["output"] for message in ran(*cells)[1] if message["say"] == "output"]


def test_cells_print_show_their_last_line_and_share_their_names_alone():
    passed, said = ran(
        "a = 2\nprint('so', a)\na + 1", "post", "import sys\nsys.stdout = 0", "print(a)"
    )
    assert passed == [True, False, True, True]
    printed, value, error, after = [message["output"] for message in said]
    assert printed == {"output_type": "stream", "name": "stdout", "text": "so 2\n"}
    assert value == {"output_type": "execute_result", "data": {"text/plain": "3"}}
    assert error["ename"] == "NameError"
    assert after["text"] == "2\n"
    assert session.call("math", "hypot", "3") == "3.0"


@pytest.mark.parametrize(("code", "name", "shown"), CELLS["errors"])
def test_an_error_shows_its_line_or_what_no_page_can_do(code, name, shown):
    (error,) = outputs(*code.split("# next cell\n"))
    (trace,) = error["traceback"]
    assert error["ename"] == name
    assert shown.replace("LIMITS", session.LIMITS) in trace
    assert (session.LIMITS in trace) == (shown == "LIMITS")
    assert "session.py" not in trace
    assert len(trace) < 40_000


def test_a_figure_is_shown_once_in_the_look_of_the_book_and_closed():
    picture, after = outputs(
        "import matplotlib.pyplot as plt\nfrom figures import use_book_style\n"
        "use_book_style()\nfig, ax = plt.subplots()\nline = ax.plot([1, 2])",
        "print(plt.get_fignums())",
    )
    assert picture["data"]["image/svg+xml"].startswith("<svg")
    assert 'width="736" height="414"' in picture["data"]["image/svg+xml"]
    assert after["text"] == "[]\n"


def test_a_moving_figure_has_one_state_with_the_page():
    passed, said = ran(
        "from figures import Clock\nclock = Clock(position=7)\nclock",
        ["live-0", '{"position": 9}'],
        "assert clock.position == 9\nclock.offset = 4",
        ["live-0", '{"position": -1}'],  # which Python refuses: the page gets the old one back
    )
    assert passed == [True, True]
    view = said[0]["output"]["data"][session.WIDGET]
    assert (view["model_id"], view["state"]["position"]) == ("live-0", 7)
    assert view["state"]["_anywidget_id"] == "figures.clock.Clock"
    states = [message["state"] for message in said if message["say"] == "state"]
    assert states == [{"position": 9}, {"offset": 4}, {"position": 9}]


def test_what_is_shown_has_the_forms_that_it_offers_and_a_handle_one_place():
    markdown, first, second = outputs(
        "from IPython.display import DisplayHandle, Markdown, display\ndisplay(Markdown('*a*'))\n"
        "h = DisplayHandle()\nh.display({'text/plain': 'a'}, raw=True)\nh.update('b')"
    )
    assert markdown["data"]["text/markdown"] == "*a*"
    assert [each["data"]["text/plain"] for each in (first, second)] == ["a", "'b'"]
    assert first["display_id"] == second["display_id"]


# Matplotlib waits for a cell that draws

SETUP = "import matplotlib.pyplot as plt\nfrom figures import COLORS, use_book_style"


@pytest.mark.parametrize(("cell", "printed"), CELLS["waiting"])
def test_what_has_waited_is_there_for_a_cell_that_names_it(cell, printed):
    assert outputs(f"{SETUP}\nuse_book_style()", cell)[-1].get("text") == printed


def test_what_has_waited_and_fails_says_so_in_each_cell_that_needs_it():
    passed, said = ran("from matplotlib import nothing", "1 + 1", "nothing", "nothing")
    assert passed == [True, True, False, False]
    errors = [each["output"] for each in said if each["output"]["output_type"] == "error"]
    assert {error["ename"] for error in errors} == {"ImportError"}
    assert "<cell 1>" in errors[0]["traceback"][0]


def test_the_packages_of_a_cell_are_known_before_it_runs(monkeypatch):
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)  # other tests have it
    assert session.needed(f"{SETUP}\nuse_book_style()") == (["figures"], ["matplotlib"])
    assert session.needed(f"{SETUP}\nplt.plot([1])") == (["figures", "matplotlib"], [])
    assert session.needed("def f():\n    import numpy.linalg") == (["numpy"], [])
    assert session.needed("import (") == ([], [])


# Of very much the beginning is shown


def test_of_a_million_lines_the_first_are_sent_and_the_rest_is_counted():
    printed = outputs("for i in range(300_000):\n    print(i)", "print('next')")
    assert printed.pop()["text"] == "next\n"  # a cell begins with nothing of the one before
    text = "".join(each["text"] for each in printed)
    size = sum(len(f"{i}\n") for i in range(300_000))
    assert text.startswith("0\n1\n2\n")
    assert text.endswith(f"\n… {size - session.CHARACTERS:,} characters left out …\n")


def test_a_long_value_shows_its_beginning_and_many_outputs_a_hundred():
    code = "from IPython.display import display\nfor i in range(130):\n    display(i)\n'x' * 10**6"
    *shown, value, note = outputs(code)
    assert len(shown) == 100
    assert len(value["data"]["text/plain"]) < 31_000
    assert note["text"] == "… 30 more outputs left out …\n"
