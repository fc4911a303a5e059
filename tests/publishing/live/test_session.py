"""Python's side of a page that runs, without a browser."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from publishing.live import session

ROOT = Path(__file__).parents[3]
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


def test_a_cell_prints_and_shows_its_last_line():
    printed, shown = outputs("a = 2\nprint('so', a)\na + 1")
    assert printed == {"output_type": "stream", "name": "stdout", "text": "so 2\n"}
    assert shown == {"output_type": "execute_result", "data": {"text/plain": "3"}}


def test_cells_share_their_names_and_nothing_else():
    passed, _ = ran("a = 1", "assert a == 1", "post")
    assert passed == [True, True, False]


@pytest.mark.parametrize(
    ("code", "name", "line"),
    [("a = 1\na / 0", "ZeroDivisionError", 2), ("\ndef (:", "SyntaxError", 2),
     ("import sys\nsys.exit()", "SystemExit", 2)],
)  # fmt: skip
def test_an_error_has_its_line_and_nothing_of_ours(code, name, line):
    (error,) = outputs(code)
    assert (error["ename"], error["line"]) == (name, line)
    assert "session.py" not in error["traceback"][0]


def test_an_error_in_a_function_of_an_earlier_cell_shows_both_lines():
    error = outputs("def f(x):\n    return 1 / x", "f(0)")[-1]
    assert "return 1 / x" in error["traceback"][0]
    assert "f(0)" in error["traceback"][0]


def test_of_a_deep_recursion_a_trace_lists_the_first_three_hundred_calls():
    code = "f = lambda n: n and g(n - 1)\ng = lambda n: f(n - 1) if n > 1 else 1 / 0\nf(1500)"
    (error,) = outputs(f"import sys\nsys.setrecursionlimit(9000)\n{code}")
    assert error["traceback"][0].count("File ") == 300


def test_a_figure_is_shown_once_in_the_look_of_the_book_and_closed():
    pictures = outputs(
        "import matplotlib.pyplot as plt\nfrom figures import use_book_style\n"
        "use_book_style()\nfig, ax = plt.subplots()\nline = ax.plot([1, 2])",
        "print(plt.get_fignums())",
    )
    assert [each["output_type"] for each in pictures] == ["display_data", "stream"]
    assert pictures[0]["data"]["image/svg+xml"].startswith("<svg")
    assert 'width="736" height="414"' in pictures[0]["data"]["image/svg+xml"]
    assert pictures[1]["text"] == "[]\n"


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


def test_what_is_shown_has_the_forms_that_it_offers():
    (shown,) = outputs("from IPython.display import Markdown\nMarkdown('*a*')")
    assert shown["data"]["text/markdown"] == "*a*"


def test_a_line_of_progress_is_replaced():
    shown = outputs(
        "from IPython.display import DisplayHandle\nh = DisplayHandle()\n"
        "h.display({'text/plain': 'a'}, raw=True)\nh.update({'text/plain': 'b'}, raw=True)"
    )
    assert [each["data"]["text/plain"] for each in shown] == ["a", "b"]
    assert shown[0]["display_id"] == shown[1]["display_id"]


def test_of_very_many_replacements_few_are_sent_and_the_last():
    shown = outputs(
        "from IPython.display import DisplayHandle\nh = DisplayHandle()\n"
        "for k in range(20_000):\n    h.display(k)",
        "h.update('again')",
    )
    texts = [each["data"]["text/plain"] for each in shown]
    assert texts[-2:] == ["19999", "'again'"]
    assert len(shown) < 1000


def test_what_a_handle_holds_back_is_sent_before_the_next_print():
    shown = outputs(
        "from IPython.display import DisplayHandle\nh = DisplayHandle()\n"
        "for k in range(2_000):\n    h.display(k)\nprint('after', k)\nprint('and more')"
    )
    *replaced, after, more = shown
    assert replaced[-1]["data"]["text/plain"] == "1999"
    assert [after["text"], more["text"]] == ["after 1999\n", "and more\n"]


def test_of_many_handles_the_first_hundred_are_shown():
    shown = outputs(
        "from IPython.display import DisplayHandle\n"
        "for k in range(150):\n    DisplayHandle().display(k)"
    )
    *handles, note = shown
    assert len({each["display_id"] for each in handles}) == len(handles) == session.OUTPUTS
    assert note["text"] == "… 50 more outputs left out …\n"


def test_a_handle_that_is_refused_is_left_out_once():
    shown = outputs(
        "from IPython.display import DisplayHandle, display\n"
        "display(*range(100))\nh = DisplayHandle()\nfor k in range(9):\n    h.display(k)"
    )
    assert shown[-1]["text"] == "… 1 more output left out …\n"


def test_what_is_erased_leaves_its_room_to_others():
    *lines, shown, after = outputs(
        "from IPython.display import DisplayHandle, display\n"
        "for k in range(3_000):\n    h = DisplayHandle()\n"
        "    for text in (str(k), ''):\n        h.display({'text/plain': text}, raw=True)\n"
        "display('seen')\nprint('after')"
    )
    assert shown["data"]["text/plain"] == "'seen'"
    assert after["text"] == "after\n"
    assert len(lines) < 500
    last = {each["display_id"]: each["data"]["text/plain"] for each in lines}
    assert set(last.values()) == {""}


def test_what_a_handle_holds_back_is_sent_before_what_is_shown_next():
    shown = outputs(
        "from IPython.display import DisplayHandle, display\nh = DisplayHandle()\n"
        "for k in range(2_000):\n    h.display(k)\ndisplay('next')"
    )
    assert [each["data"]["text/plain"] for each in shown[-2:]] == ["1999", "'next'"]


def test_a_function_is_called_with_json():
    assert session.call("math", "hypot", "3") == "3.0"


def test_the_imports_of_a_cell_that_cannot_be_read_are_none():
    assert session.imports("import (") == []


def test_matplotlib_waits_for_a_cell_that_draws():
    """Its import takes as long as all else before the first number."""
    first, then = outputs(
        "import matplotlib.pyplot as plt\nimport sys\n"
        "from figures import COLORS, use_book_style\n\nuse_book_style()",
        "print('matplotlib' in sys.modules)",
        "def draw():\n    return plt.rcParams['figure.figsize']",
        "print('matplotlib' in sys.modules, draw())",
    )
    assert (first["text"], then["text"]) == ("False\n", "True [6.4, 3.6]\n")


@pytest.mark.parametrize(
    ("cells", "printed"),
    [
        # Each asks for a name that an import gives which waited, and in the look of the book.
        (["import matplotlib.pyplot as plt", "print(plt.__name__)"], "matplotlib.pyplot\n"),
        (["from matplotlib.patches import Arc", "print(eval('Arc').__name__)"], "Arc\n"),
        (["import matplotlib as m; print(m.__name__)"], "matplotlib\n"),
        (["from matplotlib.pyplot import *", "print(rcParams is not None)"], "True\n"),
        (["from figures import use_book_style\nuse_book_style()",
          "import matplotlib\nprint(matplotlib.rcParams['figure.figsize'])"], "[6.4, 3.6]\n"),
    ],
)  # fmt: skip
def test_what_has_waited_is_there_for_who_asks(cells, printed):
    assert outputs(*cells)[-1].get("text") == printed


def test_what_has_waited_and_fails_says_so_in_the_cell_that_needs_it_and_in_the_next():
    passed, said = ran("from matplotlib import nothing", "1 + 1", "nothing", "nothing")
    assert passed == [True, True, False, False]
    errors = [each["output"] for each in said if each["output"]["output_type"] == "error"]
    assert {error["ename"] for error in errors} == {"ImportError"}
    assert "<cell 1>" in errors[0]["traceback"][0]


def test_a_cell_has_loaded_what_it_needs_and_the_next_what_it_will(monkeypatch):
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)  # other tests have it
    source = "import matplotlib.pyplot as plt\nfrom figures import use_book_style"
    assert session.needed(f"{source}\nuse_book_style()")[1] == ["matplotlib.pyplot"]
    now, later = session.needed(f"{source}\nuse_book_style()\nplt.plot([1])")
    assert "matplotlib" in now
    assert later == []
    assert session.needed("import (") == ([], [])


def test_the_look_of_the_book_has_waited_with_the_import_before_it():
    code = "import matplotlib.pyplot as plt\nfrom figures import SIGNED, use_book_style"
    printed = outputs(f"{code}\nuse_book_style()", "print(SIGNED in plt.colormaps())")
    assert printed[-1]["text"] == "True\n"


def test_what_no_page_can_do_ends_with_a_sentence_that_says_what_to_do():
    cells = {
        "a = input('?')": "write the value into the cell",
        "import socket\nsocket.create_connection(('localhost', 9))": "network connections",
        "import urllib.request as r\nr.urlopen('http://localhost:9')": "network connections",
        "raise ModuleNotFoundError('requests is here', name='requests')": "network connections",
        "import subprocess\nsubprocess.run(['true'])": "one process with one thread",
        "raise RuntimeError('can\\'t start new thread')": "one process with one thread",
        "import pandas_of_nobody": "the book's own modules",
        "!pip install pandas": "delete the line",
        "quit()": "Python goes on",
        "raise ValueError('array is too big; whatever')": "less memory",
    }
    errors = [each for each in outputs(*cells) if each["output_type"] == "error"]
    for error, wanted in zip(errors, cells.values(), strict=True):
        *trace, sentence = error["traceback"][0].splitlines()
        assert wanted in sentence
        # what a library tried on the way is no help
        assert all("<cell" in line for line in trace if line.startswith("  File") and line)
    assert len(errors) == len(cells)


def test_a_common_error_has_no_sentence_more():
    (error,) = outputs("import pecode.nothing")
    assert error["traceback"][0].endswith("No module named 'pecode.nothing'\n")


def test_after_a_cell_that_removed_something_an_error_says_so():
    acts = "import os, sys, builtins\nos.environ.pop('MPLBACKEND')\ndel builtins.hex"
    said = [each["traceback"][0] for each in outputs("1 / 0", acts, "hex(3)")]
    assert "Restart" not in said[0]
    assert "(hex of builtins, MPLBACKEND of os.environ). “Restart”" in said[1]


def test_what_a_cell_makes_of_the_streams_ends_with_it():
    cells = ("import sys\nsys.stdout = None", "print(1)", "sys.stdout.close()", "print(2)")
    assert [each["text"] for each in outputs(*cells)] == ["1\n", "2\n"]


def shown(printed):
    """Return what a page shows of one stream: what is added, and the last tail."""
    tails = [each["tail"] for each in printed if "tail" in each]
    return "".join(each.get("text", "") for each in printed), tails[-1] if tails else ""


def test_of_a_million_lines_the_first_and_the_last_are_sent():
    printed = outputs("for i in range(300_000):\n    print(i)")
    head, tail = shown(printed)
    assert head.splitlines() == [str(i) for i in range(1000)]
    note, *last = tail.splitlines()
    assert note == "… 298,900 lines left out …"
    assert last == [str(i) for i in range(299_900, 300_000)]
    assert sum(len(str(each)) for each in printed) < 500_000


def test_of_a_long_line_the_beginning_and_the_end_are_sent():
    code = "print('a' * 50_000 + 'b' * 3_000_000 + 'c' * 9_999)"
    printed = outputs(code, "print('next')")
    assert printed.pop()["text"] == "next\n"  # a cell begins with nothing of the one before
    assert shown(printed) == (
        "a" * 50_000,
        "… 3,000,000 characters left out …\n" + "c" * 9_999 + "\n",
    )


def test_nothing_is_left_out_of_what_is_a_little_longer():
    lines = [f"{i}\n" for i in range(1050)]
    assert "".join(shown(outputs("for i in range(1050):\n    print(i)"))) == "".join(lines)


def test_a_long_value_and_a_long_message_are_shortened():
    value, error = outputs("'x' * 1_000_000", "raise ValueError('y' * 1_000_000)")
    for text in (value["data"]["text/plain"], error["traceback"][0]):
        assert len(text) < 61_000
        assert "characters left out …" in text


def test_of_many_things_that_a_cell_shows_a_hundred_are_sent():
    code = "from IPython.display import display\nfor i in range(130):\n    display(i)"
    *sent, note = outputs(code, "display(7)")[:-1]
    assert len(sent) == 100
    assert note["text"] == "… 30 more outputs left out …\n"
