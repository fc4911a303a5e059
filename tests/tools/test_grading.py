"""Grading: good answers pass, bad ones do not, and no submission harms the grader."""

import base64
import contextlib
import csv
import inspect
import io
import json
import os
import pickle
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from exercises.attempt import Failed
from exercises.registry import exercises, solution_of

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import grade  # noqa: E402
from grading import data, notebooks, sandbox  # noqa: E402

ALL = exercises()
ONE = {"normalized": ALL["normalized"]}
SECONDS, FEW = 10, 1  # plenty on a busy machine; and for what would never end
GOOD = inspect.getsource(solution_of(ALL["normalized"]))
IMPORT = "import numpy as np\nfrom exercises import ask, check"
MISSING = sandbox.missing_wall()
if MISSING and "CI" in os.environ:
    pytest.exit(f"{MISSING}: apt install bubblewrap", returncode=2)
walled = pytest.mark.skipif(bool(MISSING), reason=MISSING)
IS_OPEN = bool(MISSING)  # what does not concern the wall is tested without it, too


def grade_one(path, exercises=None, seconds=10, stubs=(), is_open=IS_OPEN):
    return grade.grade(path, exercises or ONE, seconds, stubs, is_open)


def ran(*cells, seconds=10):
    """A submission whose cells have run."""
    with sandbox.Submission(cells, seconds) as submission:
        submission.ask(do="defined", name="")
    return submission


def notebook(*cells):
    """The text of a notebook with these code cells."""
    return nbformat.writes(new_notebook(cells=[new_code_cell(cell) for cell in cells]))


def hand_in(folder, *cells, name="02-counting.ipynb"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(*cells), encoding="utf8")
    return path


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """Where the folders of the submissions are made: it must be empty afterward."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def answer(body, before=""):
    """Cells of a submission whose function has this body."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return [IMPORT, *([before] if before else []), f"def normalized(length):\n{lines}"]


# Answers in every way in which they may come

KEEPS = "np.arange(length) / max(length - 1, 1)"
RIGHT = {
    "the solution": [IMPORT, GOOD, "check(normalized)"],
    "a list": answer(f"return ({KEEPS}).tolist()"),
    "a tuple of numpy's numbers": answer(f"return tuple({KEEPS})"),
    "float32": answer(f"return ({KEEPS}).astype(np.float32)"),
    "long doubles, reversed twice": answer(f"return ({KEEPS}).astype(np.longdouble)[::-1][::-1]"),
    "other byte order": answer(f"return ({KEEPS}).astype('>f8')"),
    "defined twice, the last one counts": [*answer("return 0"), GOOD],
    "a lambda": [IMPORT, f"normalized = lambda length: {KEEPS}"],
    "cells in another order": [GOOD, IMPORT],
    "no import at all": [
        "def normalized(length):\n    return [t / max(length - 1, 1) for t in range(length)]"
    ],
    "magics": [
        "%matplotlib inline\n!ls\nx = !ls\nnp?\n" + IMPORT,
        "%%time\n" + GOOD,
        "%%html\n<p>",
    ],
    "a remainder at the start of a line": [IMPORT, "x = (5\n  % 3)\nassert x == 2", GOOD],
    "a cell that fails before it": [IMPORT, "1 / 0", "import sys; sys.exit(3)", GOOD],
    "a cell that does not compile": [IMPORT, "def broken(:", GOOD],
    "a name of the language covered": [IMPORT, "list = print = len = 3", GOOD],
    "standard output closed": [IMPORT, "import sys, os; sys.stdout = None; os.close(1)", GOOD],
    "prints": answer(f"print('x' * 10**6)\nreturn {KEEPS}"),
    "its own folder is used": answer(
        f"open('a', 'w').write('x')\nimport os; os.remove('a')\nreturn {KEEPS}"
    ),
    "a temporary folder is used": answer(
        "import tempfile\nwith tempfile.TemporaryDirectory() as folder:\n"
        f"    open(folder + '/a', 'w').close()\nreturn {KEEPS}"
    ),
    "the module of the book": answer(
        f"return {KEEPS}", "import pecode.lab.schemes, pecode.figures"
    ),
    "a thread that goes on": [
        IMPORT,
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,)).start()",
        GOOD,
    ],
    "something to do at the end": [
        IMPORT,
        "import atexit, time; atexit.register(time.sleep, 99)",
        GOOD,
    ],
    "signals ignored": [
        IMPORT,
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
        GOOD,
    ],
}


@pytest.mark.parametrize("cells", RIGHT.values(), ids=RIGHT.keys())
def test_a_right_answer_passes_in_whatever_way_it_comes(cells, tmp_path):
    assert grade_one(hand_in(tmp_path, *cells)) == {"normalized": ("passed", "")}


# Answers that are none, and mischief

LOOP = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
DESCRIPTORS = "import os\nfor fd in range(3, 20):\n    try: os."
ODD = {
    "a wrong answer": (answer("return np.arange(length)"), "failed", "expected: 1"),
    "a stub, and then a cell that fails": (
        [*answer("return ..."), "def normalized(length): return lenght)"],
        "failed",
        "its cell: SyntaxError",
    ),
    "a stub": (answer("return ..."), "open", "not attempted"),
    "another stub": (answer("raise NotImplementedError"), "open", "not attempted"),
    "nothing": ([IMPORT], "open", "no function"),
    "a number instead": ([IMPORT, "normalized = 3"], "open", "no function"),
    "a syntax error": ([IMPORT, "def normalized(length:"], "failed", "its cell: SyntaxError"),
    "an error before the end": (answer("return math.pi"), "failed", "NameError: name 'math'"),
    "None": (answer("np.arange(length)"), "failed", "without a `return`"),
    "an error of its own": (
        answer("raise Odd('\\x1b[2J so')", "class Odd(ValueError): pass"),
        "failed",
        "Odd: [2J so",
    ),
    "an error that cannot be told": (
        answer("raise Odd", "class Odd(Exception):\n    def __str__(self): return 1 / 0"),
        "failed",
        "Odd: (no text)",
    ),
    "a generator": (answer("yield 1"), "failed", "returned a generator"),
    "an object": (answer("return object"), "failed", "returned a type"),
    "an object that equals everything": (
        answer("return Yes()", "class Yes:\n    def __eq__(self, other): return True"),
        "failed",
        "returned a Yes",
    ),
    "an array of objects": (answer("return np.array([print])"), "failed", "dtype object"),
    "80 GB that take none": (
        answer("return np.broadcast_to(1.0, (10**5, 10**5))"), "failed", "an array of 80000 MB"
    ),
    "10 GB": (answer("return bytearray(10 * 2**30)"), "failed", "MemoryError"),
    "a list without end": (answer("a = []\na.append(a)\nreturn a"), "failed", "more than 20 deep"),
    "a million numbers": (answer("return range(10**6)"), "failed", "200000 entries"),
    "more than a message holds": (answer("return ['x' * 10**7] * 2"), "failed", "more than 20 MB"),
    "a huge whole number": (answer("return 1 << 10**6"), "failed", "more than 4300 digits"),
    "recursion": (answer("return normalized(length)"), "failed", "RecursionError"),
    "an unpickler's trap": (
        answer("return Trap()", "class Trap:\n    def __reduce__(self): return exit, (9,)"),
        "failed",
        "returned a Trap",
    ),
    "exit in a call": (answer("import sys\nsys.exit(3)"), "stopped", "exit(3)"),
    "exit at the top": (
        [IMPORT, "import sys\nsys.exit(3)\n" + GOOD], "failed", "ended the program with exit(3)"
    ),
    "_exit in a call": (answer("import os\nos._exit(3)"), "stopped", "exit code 3"),
    "_exit at the top": (
        [IMPORT, "import os\nos._exit(4)\n" + GOOD], "stopped", "its cell ended the program"
    ),
    "no end in a call": (answer(LOOP), "stopped", "longer than 1 s"),
    "no end at the top": ([IMPORT, LOOP + "\n" + GOOD], "stopped", "its cell took longer than 1 s"),
    "prints without end": (answer("while True: print('x' * 10**6)"), "stopped", "longer than 1 s"),
    "an error whose text has no end": (
        answer("raise Odd", "class Odd(Exception):\n    def __str__(self):\n        while 1: pass"),
        "stopped",
        "longer than 1 s",
    ),
    "a crash": (answer("import os\nos.abort()"), "stopped", "crashed"),
    "rubbish on the pipe": (
        answer(f"{DESCRIPTORS}write(fd, b'x' * 99)\n    except OSError: pass\nreturn 1"),
        "stopped",
        "disturbed the line",
    ),
    "megabytes on the pipe": (
        answer(f"{DESCRIPTORS}write(fd, bytes(range(256)) * 10**5)\n    except OSError: pass"),
        "stopped",
        "disturbed the line",
    ),
    "the pipe closed": (
        answer("import os\nos.closerange(3, 99)\nreturn 1"), "stopped", "the program"
    ),
    "the pipe closed, and on it goes": (
        answer("import os, time\nos.closerange(3, 99)\ntime.sleep(99)"), "stopped",
        "cut the line" if IS_OPEN else "longer than 1 s",

    ),
    "a forged answer of the check": (
        [*answer("return 1"), "import sys, exercises\nexercises.check = lambda f: print('✓')"],
        "failed",
        "shape",
    ),
    "numpy turned around": (
        answer("return [7]", "np.allclose = np.isclose = lambda *a, **k: True\nnp.abs = np.zeros"),
        "failed",
        "shape",
    ),
    "the language turned around": (
        answer("return 1", "import builtins\nbuiltins.isinstance = builtins.all = lambda *a: True"),
        "failed",
        "",
    ),
    "the judge looked for": (
        answer("from exercises.attempt import Attempt\nreturn 1"), "failed", "ModuleNotFoundError"
    ),
}  # fmt: skip


def test_a_million_threads_end(tmp_path):
    cells = answer("import threading\nwhile True: threading.Thread(target=input).start()")
    found, _ = grade_one(hand_in(tmp_path, *cells), seconds=FEW)["normalized"]
    assert found in ("stopped", "failed")  # by the clock, or by the system that has no more threads


@pytest.mark.parametrize(("cells", "status", "said"), ODD.values(), ids=ODD.keys())
def test_an_odd_answer_is_told_for_what_it_is(cells, status, said, tmp_path):
    seconds = FEW if "longer than" in said else SECONDS
    found, reason = grade_one(hand_in(tmp_path, *cells), seconds=seconds)["normalized"]
    assert found == status, reason
    assert said in reason
    assert all(letter.isprintable() or letter == "\n" for letter in reason)


# What is protected

CANARY_IS_SAFE = """
open(SOLUTIONS)
open(WRONG_ANSWERS)
open("/proc/self/root" + SOLUTIONS)
sys.path.insert(0, BOOK); del sys.modules["exercises"]; import exercises.registry
del sys.modules["exercises"]; import exercises.registry
open(f"/proc/{PARENT}/environ")
os.kill(PARENT, 0)
os.killpg(PARENT, 0)
import socket; socket.create_connection(("127.0.0.1", PORT), 1)
import socket; socket.create_connection(("203.0.113.1", 80), 1)
import socket; socket.getaddrinfo("example.org", 80)
import subprocess; subprocess.run(["true"])
import resource; resource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))
import resource; resource.setrlimit(resource.RLIMIT_NPROC, (9999, 9999))
os.setuid(0)
open("/dev/sda")
open("/etc/passwd")
os.listdir("/home")
open(CANARY)
open(CANARY, "w")
os.open(CANARY, os.O_RDWR)
import numpy as np; np.ones(3).tofile(CANARY)
os.remove(CANARY)
os.truncate(CANARY, 0)
os.rename("kept", CANARY)
os.link(CANARY, "mine")
os.symlink("kept", CANARY + "-link")
os.symlink(CANARY, "link"); open("link", "w")
os.chmod(CANARY, 0)
os.mkdir(CANARY + "-folder")
os.mkfifo(CANARY + "-pipe")
os.chdir("/"); open(CANARY.lstrip("/"), "w")
open("/new", "w")
open("/dev/new", "w")
open(BOOK + "/new", "w")
open(np.__file__, "a")
os.remove(np.__file__)
import pathlib; (pathlib.Path.home().parent / "beside").touch()
open("/sandbox/large", "wb").write(bytes(20_000_000))
for n in range(9): open(f"/sandbox/large{n}", "wb").write(bytes(15_000_000))
bytearray(10 << 30)
for n in range(999): open(os.devnull).__class__; os.dup(0)
children = [os.fork() or __import__("time").sleep(99) for _ in range(99)]
""".strip().splitlines()


@walled
def test_what_does_not_belong_into_an_exercise_is_refused(tmp_path):
    canary = tmp_path / "canary" / "file"
    canary.parent.mkdir()
    canary.write_text("as it was")
    before = canary.stat()
    with socket.create_server(("127.0.0.1", 0)) as server:
        names = {
            "SOLUTIONS": inspect.getfile(solution_of(ALL["normalized"])),
            "WRONG_ANSWERS": str(next(ROOT.glob("exercises/*/wrong_answers.py"), canary)),
            "BOOK": str(ROOT), "PARENT": os.getpid(), "CANARY": str(canary),
            "PORT": server.getsockname()[1],
        }  # fmt: skip
        first = "import os, sys\nimport numpy as np\nopen('kept', 'w').close()\n" + "\n".join(
            f"{name} = {value!r}" for name, value in names.items()
        )
        submission = ran(first, *CANARY_IS_SAFE)
    assert submission.skipped == {}
    assert submission.errors.pop(0) is None
    for number, error in submission.errors.items():
        assert error is not None, CANARY_IS_SAFE[number - 1]
        assert not error.startswith(("NameError", "SyntaxError")), error
    assert len(submission.errors) == len(CANARY_IS_SAFE)
    assert list(canary.parent.iterdir()) == [canary]
    assert canary.read_text() == "as it was"
    assert (canary.stat().st_mtime_ns, canary.stat().st_mode) == (
        before.st_mtime_ns,
        before.st_mode,
    )


@walled
def test_the_solutions_of_a_book_that_is_installed_are_covered(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    (folder / "exercises").mkdir(parents=True)
    (folder / "exercises" / "answers.py").write_text("here = True")
    (folder / "other.py").write_text("here = True")
    monkeypatch.setattr(sys, "path", [*sys.path, str(folder)])
    monkeypatch.setattr(sandbox, "wall", sandbox.wall.__wrapped__)
    covered = folder / "exercises"
    cells = f"assert os.listdir({str(covered)!r}) == []", f"open({str(covered / 'answers.py')!r})"
    errors = ran("import os, other", *cells).errors
    assert errors[0] is errors[1] is None
    assert errors[2].startswith("FileNotFoundError")


@walled
def test_a_submission_dies_with_the_grader(tmp_path):
    lives_on = "import threading, time; threading.Thread(target=time.sleep, args=(99,)).start()"
    program = (
        f"CELL = {lives_on!r}\nimport sys, os; sys.path[:0] = [{str(ROOT / 'tools')!r}]\n"
        "from grading import sandbox\ns = sandbox.Submission([CELL], 9)\n"
        "s.ask(do='defined', name='x'); print(s.process.pid, flush=True); os._exit(0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    for _ in range(100):
        with contextlib.suppress(OSError):
            os.kill(int(done.stdout), 0)
            time.sleep(0.05)
            continue
        break
    else:
        raise AssertionError("the process goes on")


@walled
def test_a_submission_knows_nothing_of_the_surroundings(monkeypatch, tmp_path):
    monkeypatch.setenv("SOME_TOKEN", "secret")
    monkeypatch.setenv("HOME", str(tmp_path))
    cell = """
import os
from pathlib import Path
assert "SOME_TOKEN" not in os.environ
assert Path.home() == Path.cwd() == Path(os.environ["TMPDIR"])
assert [path.name for path in Path.home().iterdir()] in ([], [".matplotlib"])
assert {name for name in os.listdir("/proc") if name.isdigit()} <= {"1", "2", "3"}
Path("~/written").expanduser().touch()
"""
    assert ran(cell).errors == {0: None}
    assert list(tmp_path.iterdir()) == []


def test_without_a_wall_nothing_is_graded_but_with_consent(tmp_path, monkeypatch, capsys):
    hand_in(tmp_path / "in", IMPORT, GOOD)
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = sandbox.missing_wall.__wrapped__
    monkeypatch.setattr(sandbox, "wall", sandbox.wall.__wrapped__)
    monkeypatch.setattr(sandbox.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(grade, "missing_wall", missing)
    out = tmp_path / "out" / "grades.csv"
    with pytest.raises(SystemExit) as end:
        grade.main([str(tmp_path / "in"), "--out", str(out)])
    assert end.value.code == 2
    assert "Bubblewrap is not installed. Nothing was graded" in capsys.readouterr().err
    assert not out.exists()
    with pytest.raises(SystemExit) as end:
        grade.main([str(tmp_path / "in"), "--out", str(out), "--unprotected"])
    assert end.value.code == 0
    assert capsys.readouterr().out.endswith("Protection: none.\n")
    assert "passed" in out.read_text(encoding="utf-8-sig").splitlines()[1]


def test_without_a_wall_the_limits_hold(tmp_path):
    for cells, said in [
        (answer(LOOP), "longer than 1 s"),
        (answer("import os\nos._exit(3)"), "ended the program with exit code 3"),
        (answer("import os\nos.abort()"), "crashed the program (SIGABRT)"),
        (answer("return bytearray(10 * 2**30)"), "MemoryError"),
    ]:
        found = grade_one(hand_in(tmp_path, *cells), seconds=FEW, is_open=True)["normalized"]
        assert said in found[1]


def test_what_ended_the_process_is_left_out_and_the_rest_is_graded(tmp_path):
    ends = "import os\nos._exit(1)"
    path = hand_in(tmp_path, IMPORT, ends, GOOD, ends + "\ndef bell_queries_and_keys(): pass")
    found = grade_one(path, ALL)
    assert found["normalized"] == ("passed", "")
    assert found["bell_queries_and_keys"] == (
        "stopped",
        "its cell ended the program with exit code 1",
    )
    assert found["a_smaller_step"][0] == "open"


def test_a_notebook_that_ends_the_process_again_and_again_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "STARTS", 3)
    path = hand_in(tmp_path, *["import os\nos._exit(1)"] * 9, GOOD)
    found = grade_one(path)["normalized"]
    assert found == ("stopped", "the notebook ended the program 3 times")


def test_a_notebook_that_is_slow_in_all_its_cells_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "TOTAL", 1)
    path = hand_in(tmp_path, *["import time\ntime.sleep(0.3)"] * 9, GOOD)
    found = grade_one(path, seconds=FEW)["normalized"]
    assert found == ("stopped", "the notebook took longer than 1 s in all")


def test_a_check_that_goes_on_after_the_end_of_the_process_passes_nothing(tmp_path):
    def normalized(attempt):
        for length in (1, 2):
            with contextlib.suppress(Failed):
                attempt(length)

    exercise = replace(ALL["normalized"], check=normalized)
    path = hand_in(tmp_path, *answer("import os\nreturn os._exit(3) if length == 1 else 0"))
    found = grade_one(path, {"normalized": exercise})["normalized"]
    assert found == ("stopped", "ended the program with exit code 3")


def test_a_change_of_arguments_that_a_check_refuses_is_refused(tmp_path):
    exercise = replace(ALL["normalized"], check=lambda attempt: attempt([2.0, 1.0]))
    for body, status in [
        ("length.sort(); return 1", "failed"),
        ("return sorted(length)", "passed"),
    ]:
        path = hand_in(tmp_path, *answer(body))
        found = grade_one(path, {"normalized": exercise})["normalized"]
        assert found[0] == status
        if status == "failed":
            assert "normalized changed its arguments: work on a copy" in found[1]


@walled
def test_figures_are_drawn_and_kept_where_they_may_be():
    draw = """
import matplotlib.pyplot as plt, os
from pecode import sinusoidal
assert [name for name in os.listdir(".matplotlib") if name.startswith("fontlist")]
plt.imshow(sinusoidal(range(9), 8))
plt.title("Überschrift")
plt.savefig("figure.png")
plt.show()
"""
    assert ran(draw).errors == {0: None}


@pytest.mark.parametrize(
    "reply",
    [{}, {"raised": [], "text": ""}, {"raised": [1], "text": ""}, {"raised": ["E"], "text": 1}],
    ids=str,
)
def test_a_forged_reply_is_no_answer(reply):
    with pytest.raises(sandbox.Ended, match="disturbed the line"):
        grade.value_of(reply)


@pytest.mark.parametrize(
    ("kinds", "kind", "name"),
    [
        (["Odd", "ValueError", "Exception"], ValueError, "Odd"),
        (["LinAlgError", "ValueError", "Exception"], ValueError, "LinAlgError"),
        (["KeyError"], KeyError, "KeyError"),
        (["UnicodeDecodeError", "UnicodeError", "ValueError"], ValueError, "UnicodeDecodeError"),
        (["KeyboardInterrupt", "BaseException"], Exception, "KeyboardInterrupt"),
        (["no name", 7, None], Exception, "no name"),
        (["ExceptionGroup", "Exception"], Exception, "ExceptionGroup"),
    ],
    ids=str,
)
def test_an_error_comes_as_the_nearest_kind_with_its_own_name(kinds, kind, name):
    error = grade.error_like(kinds, f"{name}: so")
    assert isinstance(error, kind)
    assert (type(error).__name__, str(error)) == (name, "so")


# Questions

LETTER = next(
    "abcdef"[number] for number, option in enumerate(ALL["a_smaller_step"].options) if option.right
)
NUMBER = next(option.value for option in ALL["three_back_in_a_short_text"].options if option.right)


@pytest.mark.parametrize(
    ("name", "cell", "status", "said"),
    [
        ("a_smaller_step", f'ask("a_smaller_step", answer="{LETTER}")', "passed", ""),
        ("a_smaller_step", f'ask("a_smaller_step", "{LETTER.upper()}")', "passed", ""),
        ("a_smaller_step", 'ask("a_smaller_step", answer="a")', "failed", "answered a: "),
        ("a_smaller_step", 'ask("a_smaller_step", answer="z")', "failed", "expected a letter"),
        ("a_smaller_step", 'ask("a_smaller_step", answer=[1])', "failed", "expected a letter"),
        ("a_smaller_step", 'ask("a_smaller_step", answer=print)', "failed", "returned a builtin"),
        ("a_smaller_step", 'ask("a_smaller_step", answer=a)', "failed", "its cell: NameError"),
        ("a_smaller_step", 'ask("a_smaller_step")', "open", "no answer"),
        ("a_smaller_step", "", "open", "no answer"),
        (
            "a_smaller_step",
            f'ask("a_smaller_step", "a")\nask("a_smaller_step", "{LETTER}")\nask("a_smaller_step")',
            "passed",
            "",
        ),
        ("three_back_in_a_short_text", f'ask("{{}}", {NUMBER})', "passed", ""),
        ("three_back_in_a_short_text", f'ask("{{}}", str(np.float64({NUMBER})))', "passed", ""),
        ("three_back_in_a_short_text", f'ask("{{}}", np.float64({NUMBER}))', "passed", ""),
        ("three_back_in_a_short_text", 'ask("{}", "0,7x")', "failed", "expected a finite number"),
        ("three_back_in_a_short_text", 'ask("{}", 99)', "failed", "answered 99: "),
    ],
)
def test_answers_to_questions_are_judged_as_in_the_notebook(name, cell, status, said, tmp_path):
    path = hand_in(tmp_path, IMPORT, cell.replace("{}", name))
    found, reason = grade_one(path, {name: ALL[name]})[name]
    assert found == status, reason
    assert said in reason


# Files

FILES = {
    "empty": (b"", "it is not JSON"),
    "binary": (bytes(range(256)) * 9, "not text in UTF-8"),
    "another encoding": (notebook("# Grüße").encode("utf-16"), "not text in UTF-8"),
    "a text": (b"Dear teacher", "it is not JSON"),
    "a list": (b"[1, 2]", "no cells"),
    "a number": (b"1", "no cells"),
    "cells that are none": (b'{"cells": [1]}', "no cells"),
    "sources that are none": (b'{"cells": [{"cell_type": "code", "source": [1]}]}', "no cells"),
    "deep lists": (b"[" * 10**5, "nested too deep"),
    "half of one": (notebook("x = 1").encode()[:50], "it is not JSON"),
}


@pytest.mark.parametrize(("content", "said"), FILES.values(), ids=FILES.keys())
def test_a_file_that_is_no_notebook_is_told(content, said, tmp_path):
    path = tmp_path / "02-counting.ipynb"
    path.write_bytes(content)
    found = grade_one(path)
    assert found["normalized"] == ("unreadable", "")
    assert said in found[""][1]


def test_a_file_of_100_mb_is_not_read_to_its_end(tmp_path):
    path = tmp_path / "02-counting.ipynb"
    path.touch()
    os.truncate(path, 10**8)
    assert grade_one(path)[""][1] == "is not a notebook: it is larger than 32 MB"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="as POSIX has them")
def test_links_folders_and_pipes_are_not_opened(tmp_path):
    folder = tmp_path / "handed in"
    folder.mkdir()
    outside = hand_in(tmp_path, GOOD)
    (folder / "link.ipynb").symlink_to(outside)
    (folder / "loop.ipynb").symlink_to(folder)
    (folder / "folder.ipynb").mkdir()
    os.mkfifo(folder / "pipe.ipynb")
    found = {path.stem: grade_one(path)[""][1] for path in notebooks.find(folder)}
    assert found == dict.fromkeys(
        ("folder", "link", "loop", "pipe"), "is not a notebook: it is a folder, a link or a pipe"
    )


def test_copies_that_a_system_makes_are_no_submissions(tmp_path):
    hand_in(tmp_path, name=".ipynb_checkpoints/02-counting-checkpoint.ipynb")
    hand_in(tmp_path, name="__MACOSX/02-counting.ipynb")
    hand_in(tmp_path, name="._02-counting.ipynb")
    assert notebooks.find(tmp_path) == []


def test_version_3_of_the_format_and_a_byte_order_mark_are_read(tmp_path):
    path = tmp_path / "02-counting.ipynb"
    cell = {"cell_type": "code", "input": [GOOD], "language": "python", "outputs": []}
    old = {
        "worksheets": [{"cells": [{**cell, "input": ["import numpy as np"]}, cell]}],
        "nbformat": 3,
    }
    path.write_text(json.dumps(old), encoding="utf-8-sig")
    assert grade_one(path)["normalized"] == ("passed", "")


def test_a_notebook_of_another_name_is_graded_on_what_it_defines(tmp_path):
    path = hand_in(tmp_path, IMPORT, GOOD, 'ask("a_smaller_step", "a")', name="Final (2).ipynb")
    found = grade_one(path, ALL)
    assert {name: status for name, (status, _) in found.items()} == {
        "a_smaller_step": "failed",
        "normalized": "passed",
    }
    path = hand_in(tmp_path, IMPORT, name="Notes.ipynb")
    assert grade_one(path, ALL) == {"": ("open", "has no exercise of the book")}


def test_what_was_handed_out_and_not_touched_is_open(tmp_path):
    stubs = grade.handed_out(ROOT / "exercises")
    cells = notebooks.read(ROOT / "exercises" / "02-counting.ipynb")
    only = {name: each for name, each in ALL.items() if each.page == "02-counting"}
    found = grade_one(hand_in(tmp_path, *cells), only, 10, stubs)
    assert {status for status, _ in found.values()} == {"open"}
    assert list(found) == list(only)


# The whole command


def test_a_class_is_graded(tmp_path, capsys):
    folder, out = tmp_path / "handed in", tmp_path / "out" / "grades.csv"
    hand_in(folder, IMPORT, GOOD, name="Zoë Ångström/02-counting.ipynb")
    hand_in(folder, IMPORT, name="Zoë Ångström/02-counting (1).ipynb")
    hand_in(folder, IMPORT, name="=1+1/02-counting.ipynb")
    (folder / "02-counting.ipynb").write_text("{")
    before = sorted(path for path in tmp_path.rglob("*"))
    with pytest.raises(SystemExit) as end:
        grade.main([str(folder), "--out", str(out), *["--unprotected"] * IS_OPEN])
    assert end.value.code == 0
    names = [name for name, each in ALL.items() if each.page == "02-counting"]
    with out.open(encoding="utf-8-sig", newline="") as file:
        rows = {row["file"]: row for row in csv.DictReader(file)}
    assert list(rows) == [
        "02-counting.ipynb",
        "'=1+1/02-counting.ipynb",
        "Zoë Ångström/02-counting (1).ipynb",
        "Zoë Ångström/02-counting.ipynb",
    ]
    good = rows["Zoë Ångström/02-counting.ipynb"]
    assert list(good) == ["student", "file", "passed", "of", *names]
    assert good["student"] == "Zoë Ångström"
    assert (good["passed"], good["of"]) == ("1", str(len(names)))
    assert good["normalized"] == "passed"
    assert rows["'=1+1/02-counting.ipynb"]["student"] == "'=1+1"
    assert {rows["02-counting.ipynb"][name] for name in names} == {"unreadable"}
    why = out.with_name("grades-reasons.txt").read_text(encoding="utf8")
    assert "02-counting.ipynb: is not a notebook: it is not JSON" in why
    said = capsys.readouterr().out.splitlines()
    assert (
        f"Zoë Ångström/02-counting.ipynb: 1 of {len(names)} passed, {len(names) - 1} open" in said
    )
    assert said[-2].startswith("4 notebooks, 0 with all passed.")
    assert said[-1] == f"Protection: {'none' if IS_OPEN else 'bubblewrap'}."
    new = set(tmp_path.rglob("*")) - set(before)
    assert new == {out.parent, out, out.with_name("grades-reasons.txt")}


def test_one_notebook_never_costs_the_table(tmp_path, monkeypatch, capsys):
    for name in "abc":
        hand_in(tmp_path / "in", IMPORT, GOOD, name=f"{name}/02-counting.ipynb")
    whole = grade.graded

    def upset(exercise, submission, stubs):
        if "raise" in submission.cells:
            raise RecursionError("so deep")
        return whole(exercise, submission, stubs)

    def interrupted(path, *rest, one=grade.grade):
        if path.parent.name == "c":
            raise KeyboardInterrupt
        return one(path, *rest)

    hand_in(tmp_path / "in", IMPORT, "raise", name="a/02-counting.ipynb")
    monkeypatch.setattr(grade, "graded", upset)
    monkeypatch.setattr(grade, "grade", interrupted)
    out = tmp_path / "grades.csv"
    complete = grade.run(tmp_path / "in", out, SECONDS, ONE, IS_OPEN)
    rows = [line.split(",") for line in out.read_text(encoding="utf-8-sig").splitlines()]
    assert not complete
    assert [row[0] for row in rows] == ["student", "a", "b"]
    assert rows[2][-1] == "passed"
    assert "the grader failed: RecursionError: so deep" in out.with_name(
        "grades-reasons.txt"
    ).read_text(encoding="utf8")
    assert "Interrupted: 1 notebooks are not graded." in capsys.readouterr().out


def test_a_terminal_that_cannot_print_a_name_costs_nothing(tmp_path):
    hand_in(tmp_path / "in", IMPORT, name="Zoë \udcff/02-counting.ipynb")
    command = [sys.executable, ROOT / "tools" / "grade.py", tmp_path / "in", "--out",
               tmp_path / "grades.csv", *["--unprotected"] * IS_OPEN]  # fmt: skip
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert b"Zo? ?/02-counting.ipynb: 0 of" in done.stdout
    assert "Zoë ?" in (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize("arguments", [["nowhere"], ["."], [""], [".", "--seconds", "0"], []])
def test_a_command_that_cannot_be_carried_out_is_refused(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        grade.main(arguments)
    assert end.value.code == 2
    assert "usage" in capsys.readouterr().err


WRITTEN = sorted({exercise.page for exercise in ALL.values()})


@pytest.mark.parametrize("chapter", WRITTEN)
def test_the_solutions_and_right_answers_of_a_chapter_pass(chapter, tmp_path):
    of = {name: each for name, each in ALL.items() if each.page == chapter}
    cells = [(ROOT / "exercises" / chapter[3:] / "solutions.py").read_text(encoding="utf8")]
    for name, exercise in of.items():
        right = [number for number, option in enumerate(exercise.options) if option.right]
        if exercise.asks_for_a_number:
            cells.append(f"ask({name!r}, answer={exercise.options[right[0]].value!r})")
        elif exercise.is_question:
            cells.append(f"ask({name!r}, answer={'abcdefgh'[right[0]]!r})")
    found = grade_one(hand_in(tmp_path, IMPORT, *cells, name=f"{chapter}.ipynb"), of, 10)
    assert found == dict.fromkeys(of, ("passed", ""))


# The pipe

PLAIN = [
    None, True, 10**3000, -1.5, float("inf"), "é\udc80", ..., 2j,
    (1, [2, {"a": (3,), 4: None}]), np.float32(2), np.zeros((0, 3)),
    np.arange(6).reshape(2, 3)[:, ::-1], np.array(["ab", "c"]), np.array([True, False]),
    np.arange(3, dtype=">i4"), np.array(1j), np.array(7), np.arange(3, dtype=np.longdouble),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=lambda value: type(value).__name__)
def test_data_come_through_as_they_are(value):
    got = data.unpack(json.dumps(data.pack(value)))
    assert type(got) is type(value)
    if isinstance(value, np.ndarray):
        assert got.dtype == value.dtype
        assert got.flags.writeable
        np.testing.assert_array_equal(got, value)
    else:
        assert got == value


def saved(dtype="<f8", shape="(1,)", held=bytes(8), head=b"\x93NUMPY\x01\x00"):
    """An array as numpy stores it, with these claims about what is held."""
    claims = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return base64.b64encode(head + len(claims).to_bytes(2, "little") + claims + held).decode()


def test_an_array_that_claims_what_it_holds_is_taken():
    assert data.unpack(json.dumps({"array": saved()})) == [0.0]


@pytest.mark.parametrize(
    "packed",
    [
        {"array": saved(shape="(2,)")},  # 16 bytes of 8
        {"array": saved(shape="(-1,)")},
        {"array": saved(shape="(10**9, 10**9)")},
        {"array": saved(shape="(1000000000000000000,)")},
        {"array": saved("|V0", "(1000000000000000000,)", b"")},
        {"array": saved("|O")},
        {"array": saved("|O", held=pickle.dumps([print]))},
        {"array": saved(head=b"PK\x03\x04\x00\x00\x00\x00")},
        {"array": saved(shape="__import__('os').getcwd()")},
        {"array": saved()[:20]},
        {"array": "no base64!"},
        {"array": 7},
        {"array": []},
        {"pickle": ""},
        {"dict": [[[], 1]]},
        {"dict": 7},
        {"tuple": 7},
        {"complex": ["a", "b"]},
        {},
        {"tuple": [], "dict": []},
    ],
    ids=str,
)
def test_what_is_no_data_is_refused(packed):
    with pytest.raises(data.Rubbish):
        data.unpack(json.dumps(packed))


@pytest.mark.parametrize("line", [b"[" * 10**5, b"{", b"[1]", b"7", b"\xff"], ids=str)
def test_a_line_that_is_no_message_is_refused(line):
    with pytest.raises(data.Rubbish):
        data.read(io.BytesIO(line + b"\n"))
