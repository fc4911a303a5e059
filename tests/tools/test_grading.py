"""Grading: good answers pass, bad ones do not, and no submission harms the grader."""

import base64
import contextlib
import csv
import functools
import inspect
import io
import json
import multiprocessing
import os
import pickle
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unicodedata
import zipfile
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from exercises.attempt import Failed
from exercises.registry import exercises, solution_of

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import grade  # noqa: E402
from grading import apart, archives, data, marks, notebooks, records, sandbox, syscalls, tables  # noqa: E402

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
        "%matplotlib inline\n%load_ext nb_black\n%config InlineBackend.figure_format = 'svg'\n"
        "%pip install pandas\n%of_an_extension\n!ls\nx = !ls\nnp?\n" + IMPORT,
        "%%bash\nls",
        "%%time\n" + GOOD,
        "%%html\n<p>",
        "from IPython import get_ipython\nget_ipython().run_line_magic('matplotlib', 'widget')\n"
        "get_ipython().run_cell_magic('time', '', 'seen = 1')\nassert 'seen' in globals()\n"
        "assert get_ipython().user_ns is globals()",
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
    "awaits outside of functions": [
        IMPORT,
        "import asyncio as io\ntask = io.ensure_future(io.sleep(0.01, 7))\nawait io.sleep(0)",
        f"assert await task == 7\n{GOOD}",
    ],
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
    "copies of its process": [IMPORT, "import os\nfor _ in range(3): os.fork()", GOOD],
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
    "a pause without end": (
        answer("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"),
        "stopped",
        "longer than 1 s",
    ),
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

ATTACKS = r"""
open(SOLUTIONS)
open(WRONG_ANSWERS)
open("/proc/self/root" + SOLUTIONS)
sys.path.insert(0, BOOK); del sys.modules["exercises"]; import exercises.registry
del sys.modules["exercises"]; import exercises.registry
open(f"/proc/{PARENT}/environ")
os.kill(PARENT, 0)
os.killpg(PARENT, 0)
socket.create_connection(("127.0.0.1", PORT), 1)
socket.create_connection(("203.0.113.1", 80), 1)
socket.getaddrinfo("example.org", 80)
subprocess.run(["true"])
resource.setrlimit(resource.RLIMIT_CPU, (9999, 9999))
resource.setrlimit(resource.RLIMIT_NPROC, (9999, 9999))
os.setuid(0)
open("/dev/sda")
open("/etc/passwd")
os.listdir("/home")
open(CANARY)
open(CANARY, "w")
os.open(CANARY, os.O_RDWR)
np.ones(3).tofile(CANARY)
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
open(f"/proc/{PARENT}/mem", "rb")
os.listdir("/proc/1/root/home")
open("/proc/sys/kernel/core_pattern", "w")
open("/etc/ld.so.preload", "w")
open("/dev/shm/new", "w")
os.listdir("/run")
os.listdir("/sys")
os.listdir(OTHERS)
open(TERMINAL)
open("/dev/tty")
fcntl.ioctl(0, termios.TIOCSTI, b"x")
os.pidfd_open(PARENT)
os.setpriority(os.PRIO_PROCESS, PARENT, 19)
os.sched_setaffinity(PARENT, {0})
resource.prlimit(PARENT, resource.RLIMIT_CPU, (1, 1))
called("process_vm_readv", PARENT, 0, 0, 0, 0, 0)
called("ptrace", 16, os.getppid(), 0, 0)
called("unshare", 0x10000000)
called("mount", b"none", b"/sandbox", b"tmpfs", 0, 0)
called("open_by_handle_at", 0, 0, 0)
called("shmget", 0, 4096, 0o1600)
called("syscall", {"x86_64": 250, "aarch64": 219}[os.uname().machine], 0, -3, 0)
os.memfd_create("memory that no limit counts")
os.chroot(".")
os.setgid(0)
os.nice(-5)
os.mknod("/sandbox/disk", 0o60600, os.makedev(8, 0))
os.execv("/bin/sh", ["sh"])
time.clock_settime(time.CLOCK_REALTIME, time.time())
socket.sethostname("other")
socket.socket(socket.AF_UNIX).connect(SOCKET)
socket.socket(socket.AF_UNIX).connect("\0" + SOCKET)
socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
socket.socket(socket.AF_VSOCK)
s = socket.socket(type=socket.SOCK_DGRAM); s.connect(("127.0.0.1", PORT)); s.send(b"x"); s.recv(1)
assert not inner.run_string(inner.create(), f"open({CANARY!r})")
os.path.realpath = os.path.abspath = lambda path: "/sandbox/kept"; open(CANARY)
assert any("solutions" in str(getattr(each, "__file__", "")) for each in sys.modules.values())
kept = [os.dup(0) for _ in range(999)]
os.fork()
os.posix_spawn(sys.executable, ["python", "-c", ""], {})
called("vfork")
called("syscall", {"x86_64": 56, "aarch64": 220}[os.uname().machine], 0x11, 0, 0, 0, 0)
threads = [threading.Thread(target=time.sleep, args=(99,), daemon=True).start() for _ in range(99)]
""".strip().splitlines()
LEAVES = [
    "with contextlib.suppress(OSError): os.kill(-1, signal.SIGKILL)",
    "open('/sandbox/note', 'w'); os.mkdir('.matplotlib/a')",
]


@walled
def test_no_attack_gets_through_or_leaves_a_trace(tmp_path):
    canary = tmp_path / "canary" / "file"
    canary.parent.mkdir()
    canary.write_text("as it was")
    before = canary.stat()
    terminal, reader = os.openpty()
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_server(str(tmp_path / "socket"), family=socket.AF_UNIX),
        socket.create_server("\0" + str(tmp_path / "socket"), family=socket.AF_UNIX),
        socket.socket(type=socket.SOCK_DGRAM) as listener,
    ):
        listener.bind(server.getsockname())
        names = {
            "SOLUTIONS": inspect.getfile(solution_of(ALL["normalized"])),
            "WRONG_ANSWERS": str(next(ROOT.glob("exercises/*/wrong_answers.py"), canary)),
            "BOOK": str(ROOT), "PARENT": os.getpid(), "CANARY": str(canary),
            "PORT": server.getsockname()[1], "TERMINAL": os.ttyname(reader),
            "OTHERS": str(tmp_path), "SOCKET": str(tmp_path / "socket"),
        }  # fmt: skip
        first = "\n".join(f"{name} = {value!r}" for name, value in names.items()) + """
import contextlib, ctypes, errno, fcntl, os, resource, signal, socket, subprocess, sys, termios
import threading, time
import numpy as np
inner = __import__("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
open("kept", "w").close()

def called(name, *arguments):
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*arguments) == -1 and ctypes.get_errno() == errno.EPERM:
        raise PermissionError(name)
"""  # fmt: skip
        submission = ran(first, *ATTACKS)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.recv(1)
    os.close(terminal)
    os.close(reader)
    assert submission.skipped == {}
    assert submission.errors.pop(0) is None
    for number, error in submission.errors.items():
        assert error is not None, ATTACKS[number - 1]
        assert not error.startswith(("NameError", "SyntaxError", "AttributeError")), error
    assert len(submission.errors) == len(ATTACKS)
    with sandbox.Submission([first, *LEAVES], SECONDS) as submission:
        submission.ask(do="defined", name="")
        assert set(submission.errors.values()) == {None}
    nothing = "assert set(os.listdir()) <= {'.matplotlib'} and not os.path.exists('.matplotlib/a')"
    assert ran("import os\n" + nothing).errors == {0: None}
    assert list(canary.parent.iterdir()) == [canary]
    assert canary.read_text() == "as it was"
    now = canary.stat()
    assert (now.st_mtime_ns, now.st_mode) == (before.st_mtime_ns, before.st_mode)


def test_the_filter_of_system_calls_is_the_same_on_both_machines():
    assert len(syscalls.program("x86_64")) == len(syscalls.program("aarch64")) > 8
    assert syscalls.program("riscv64") == b""


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


def test_a_system_that_forbids_the_wall_is_told_from_one_that_lacks_it(tmp_path, monkeypatch):
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(sandbox, "RESTRICTED", tmp_path / "switch")
    for switch, told in [("0\n", False), ("1\n", True)]:
        (tmp_path / "switch").write_text(switch)
        said = sandbox.missing_wall.__wrapped__()
        assert said.startswith("bubblewrap does not work here: bwrap: setting up uid map")
        assert ("AppArmor" in said) == told


def test_without_a_wall_the_limits_hold(tmp_path):
    for cells, said in [
        (answer(LOOP), "longer than 1 s"),
        (answer("import os\nos._exit(3)"), "ended the program with exit code 3"),
        (answer("import os\nos.abort()"), "crashed the program (SIGABRT)"),
        (answer("return bytearray(10 * 2**30)"), "MemoryError"),
    ]:
        found = grade_one(hand_in(tmp_path, *cells), seconds=FEW, is_open=True)["normalized"]
        assert said in found[1]


def test_the_first_cell_that_failed_is_named_where_a_name_is_missing(tmp_path):
    uses = answer(f"return factor * {KEEPS}")
    path = hand_in(tmp_path, IMPORT, "1 / 0\nfactor = 1", "int('x')", *uses)
    status, reason = grade_one(path)["normalized"]
    assert status == "failed"
    assert "NameError: name 'factor' is not defined" in reason
    assert reason.endswith(
        "\nThe first code cell that failed is number 2: ZeroDivisionError: division by zero"
    )
    path = hand_in(tmp_path, *uses)
    assert grade_one(path)["normalized"][1].endswith("name 'factor' is not defined")
    path = hand_in(tmp_path, IMPORT, "1 / 0", *answer("return np.arange(length)"))
    assert "first code cell" not in grade_one(path)["normalized"][1]


def test_thousands_of_folders_in_one_another_are_removed(tmp_path):
    nest = "import os\nfor _ in range(1100): os.mkdir('folder' * 20); os.chdir('folder' * 20)"
    found = grade_one(hand_in(tmp_path, IMPORT, nest, GOOD), is_open=True)
    assert found == {"normalized": ("passed", "")}


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
    found = {path.stem: grade_one(path)[""][1] for path in notebooks.handed_in(folder)}
    assert found == dict.fromkeys(
        ("folder", "link", "loop", "pipe"), "is not a notebook: it is a folder, a link or a pipe"
    )


def test_copies_that_a_system_makes_are_no_submissions(tmp_path):
    hand_in(tmp_path, name=".ipynb_checkpoints/02-counting-checkpoint.ipynb")
    hand_in(tmp_path, name="__MACOSX/02-counting.ipynb")
    hand_in(tmp_path, name="._02-counting.ipynb")
    assert notebooks.handed_in(tmp_path) == []


def test_version_3_of_the_format_and_a_byte_order_mark_are_read(tmp_path):
    path = tmp_path / "02-counting.ipynb"
    cell = {"cell_type": "code", "input": [GOOD], "language": "python", "outputs": []}
    old = {
        "worksheets": [{"cells": [{**cell, "input": ["import numpy as np"]}, cell]}],
        "nbformat": 3,
    }
    path.write_text(json.dumps(old), encoding="utf-8-sig")
    assert grade_one(path)["normalized"] == ("passed", "")


@pytest.mark.parametrize(
    ("name", "cells", "graded", "note"),
    [
        ("Final.ipynb", [GOOD, 'ask("a_smaller_step", 1)'], ["02"], "holds 2 of 5 exercises"),
        ("02-counting.ipynb", [GOOD], ["02"], "holds 1 of 5 exercises"),
        ("Notes.ipynb", ["x = 1"], [], ""),
        ("02-counting and 03-binary.ipynb", ["x = 1"], ["02", "03"],
         "belongs to 2 chapters: 02-counting, 03-binary; holds 0 of 10 exercises"),
        ("both.ipynb", [GOOD, "def bits_of(): ..."], ["02", "03"],
         "belongs to 2 chapters: 02-counting, 03-binary; holds 2 of 10 exercises"),
        ("03-binary.ipynb", [GOOD], ["02", "03"],
         "belongs to 2 chapters: 02-counting, 03-binary; holds 1 of 10 exercises"),
        ("03-binary.ipynb", [GOOD, "bits_of = 1"], ["03"],
         "holds 1 of 5 exercises; has exercises of another chapter, not graded: normalized"),
    ],
)  # fmt: skip
def test_a_file_counts_for_all_of_its_chapter_and_says_what_it_lacks(name, cells, graded, note):
    chosen, said = grade.belonging(Path(name), cells, ALL)
    assert (said, chosen) == (note, [each for each in ALL.values() if each.page[:2] in graded])


def test_one_right_function_is_not_all_passed(tmp_path):
    found = grade_one(hand_in(tmp_path, IMPORT, GOOD, name="Final (2).ipynb"), ALL)
    assert tables.summary(found) == "1 of 5 passed, 4 open, holds 1 of 5 exercises"
    found = grade_one(hand_in(tmp_path, IMPORT, name="Notes.ipynb"), ALL)
    assert found == {"": ("open", "has no exercise of the book")}


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
        grade.main([str(folder), "--jobs=1", f"--out={out}", *["--unprotected"] * IS_OPEN])
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
    assert list(good) == ["student", "file", "passed", "of", "note", *names]
    assert good["student"] == "Zoë Ångström"
    assert (good["passed"], good["of"]) == ("1", str(len(names)))
    assert good["normalized"] == "passed"
    assert rows["'=1+1/02-counting.ipynb"]["student"] == "'=1+1"
    assert {rows["02-counting.ipynb"][name] for name in names} == {"unreadable"}
    assert rows["02-counting.ipynb"]["note"].startswith("is not a notebook: it is not JSON")
    why = out.with_name("grades-reasons.txt").read_text(encoding="utf8")
    assert "02-counting.ipynb: is not a notebook: it is not JSON" in why
    said = capsys.readouterr().out.splitlines()
    assert (
        f"Zoë Ångström/02-counting.ipynb: 1 of {len(names)} passed, {len(names) - 1} open, "
        f"holds 1 of {len(names)} exercises" in said
    )
    assert said[-2].startswith("4 notebooks, 0 with all passed.")
    assert said[-1] == f"Protection: {'none' if IS_OPEN else 'bubblewrap'}."
    new = set(tmp_path.rglob("*")) - set(before)
    names_beside = (
        "reasons.txt", "record.jsonl", "students.csv", "canvas.csv", "moodle.csv", "feedback",
        "feedback/=1+1", "feedback/=1+1/feedback.txt", "feedback/Zoë Ångström",
        "feedback/Zoë Ångström/feedback.txt",
    )  # fmt: skip
    beside = {out.parent / f"grades-{name}" for name in names_beside}
    assert new == {out.parent, out, *beside}
    with out.with_name("grades-students.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert list(rows) == ["'=1+1", "Zoë Ångström"]
    assert list(rows["Zoë Ångström"]) == ["student", "files", "points", "of", "note", *names]
    assert [rows["Zoë Ångström"][key] for key in ("files", "points", "normalized")] == [
        "2", "1", "passed",
    ]  # fmt: skip
    assert "1 notebooks are in no student's folder, and count for nobody." in said


def test_one_notebook_never_costs_the_table(tmp_path, monkeypatch, capsys):
    for name in "abc":
        hand_in(tmp_path / "in", IMPORT, GOOD, name=f"{name}/02-counting.ipynb")
    whole = grade.graded

    def upset(exercise, submission, stubs):
        if "raise" in submission.cells:
            raise RecursionError("so deep")
        return whole(exercise, submission, stubs)

    def interrupted(path, one=grade.grade, **rest):
        graded.append(path.parent.name)
        if path.parent.name == "c" and graded.count("c") == 1:
            raise KeyboardInterrupt
        return one(path, **rest)

    graded = []
    hand_in(tmp_path / "in", IMPORT, "raise", name="a/02-counting.ipynb")
    monkeypatch.setattr(grade, "graded", upset)
    monkeypatch.setattr(grade, "grade", interrupted)
    out = tmp_path / "grades.csv"
    complete = grade.run(tmp_path / "in", out, SECONDS, ONE, IS_OPEN)
    rows = [line.split(",") for line in out.read_text(encoding="utf-8-sig").splitlines()]
    assert not complete
    assert [(row[0], row[-1]) for row in rows[1:]] == [
        ("a", ""),
        ("b", "passed"),
        ("c", "waiting"),
    ]
    assert rows[1][4] == "the grader failed: RecursionError: so deep"
    assert "the grader failed: RecursionError: so deep" in out.with_name(
        "grades-reasons.txt"
    ).read_text(encoding="utf8")
    assert "Interrupted: 1 notebooks are not graded." in capsys.readouterr().out
    hand_in(tmp_path / "in", IMPORT, GOOD, name="a/02-counting.ipynb")
    assert grade.run(tmp_path / "in", out, SECONDS, ONE, IS_OPEN)
    rows = [line.split(",") for line in out.read_text(encoding="utf-8-sig").splitlines()]
    assert [row[-1] for row in rows[1:]] == ["passed"] * 3
    assert graded == ["a", "b", "c", "a", "c"]  # b was done, and has not changed


PASSED, FAILED, OPEN = ("passed", ""), ("failed", "expected: 1"), ("open", "")


def of_class(results, times=None, **counts):
    """The students of these results, by name."""
    results = {Path(path): found for path, found in results.items()}
    times = {Path(path): time for path, time in (times or {}).items()}
    times = {path: times.get(path, 0) for path in results}
    names = ["normalized", "a_smaller_step"]
    everybody = marks.students(results, times, names, marks.Marks(**counts))
    return {student.name: student for student in everybody}, dict.fromkeys(names, 1.0)


def statuses(student):
    return [status for status, _, _ in student.results.values()]


def test_a_student_gets_the_best_or_the_latest_result_of_each_exercise():
    results = {
        "ada/1.ipynb": {"normalized": PASSED, "a_smaller_step": OPEN},
        "ada/2.ipynb": {"normalized": FAILED, "a_smaller_step": PASSED},
        "ada/3.ipynb": {"normalized": OPEN},
    }
    times = {"ada/1.ipynb": 3, "ada/2.ipynb": 2, "ada/3.ipynb": 9}
    everybody, points = of_class(results, times)
    assert statuses(everybody["ada"]) == ["passed", "passed"]
    assert everybody["ada"].points(points) == 2
    everybody, points = of_class(results, times, take="latest")
    assert statuses(everybody["ada"]) == ["open", "open"]  # of 3, and of 1
    assert everybody["ada"].points(points) == 0


def test_what_is_not_handed_in_is_missing_and_what_has_not_had_its_turn_waits():
    failed = {"": ("unreadable", "the grader failed: MemoryError")}
    everybody, _ = of_class(
        {"a/1.ipynb": {"normalized": PASSED}, "b/1.ipynb": None, "c/1.ipynb": failed}
    )
    assert statuses(everybody["a"]) == ["passed", "missing"]
    assert statuses(everybody["b"]) == ["waiting", "waiting"]
    assert statuses(everybody["c"]) == ["unreadable", "unreadable"]


def test_a_roster_names_the_missing_and_whoever_is_not_on_it():
    accent = unicodedata.normalize("NFD", "Zoë")
    results = {
        f"{accent}/1.ipynb": {"normalized": PASSED},
        "guest/1.ipynb": {"normalized": PASSED},
        "1.ipynb": {"normalized": PASSED},
    }
    everybody, points = of_class(results, roster={"Łukasz": {"id": "007"}, "zoë": {"id": "1"}})
    assert [(name, student.note) for name, student in everybody.items()] == [
        ("Łukasz", "nothing handed in"), ("zoë", ""), ("guest", "not on the roster"),
    ]  # fmt: skip
    counts = marks.Marks(roster={"Łukasz": {"id": "007"}, "zoë": {"id": "1"}})
    head, *rows = tables.students(everybody.values(), counts, points)
    assert head == ["student", "id", "files", "points", "of", "note", *points]
    assert rows[0] == ["Łukasz", "007", 0, "0", "2", "nothing handed in", "missing", "missing"]
    assert rows[1] == ["zoë", "1", 1, "1", "2", "", "passed", "missing"]
    assert rows[2][:3] == ["guest", "", 1]


CANVAS_GRADEBOOK = """Student,ID,SIS User ID,SIS Login ID,Section
  Points Possible,,,,
"Lovelace, Ada",71,,,
"Smith, Jo",72,,,
"Smith, Jo Ann",75,,,
"""
MOODLE_WORKSHEET = """Identifier,Full name,Email address
Participant 71,Ada Lovelace,ada@b
Participant 8,José Smith,jo@b
"""


def test_downloads_of_canvas_and_moodle_give_a_row_for_each_student(tmp_path):
    found = {"normalized": PASSED}
    canvas = dict.fromkeys(
        ["lovelaceada_LATE_71_450_02-counting.ipynb", "lovelaceada_71_451_03-binary-1.ipynb",
         "smithjo_72_452_a_1_2_b.ipynb", "smithjo_73_453_02-counting.ipynb",
         "smithjoann_late_75_text.html"], found,
    )  # fmt: skip
    names = {"lovelaceada": 2, "smithjo (72)": 1, "smithjo (73)": 1, "smithjoann": 1}
    everybody, points = of_class(canvas, off=0.5)
    assert {name: len(student.files) for name, student in everybody.items()} == names
    assert [everybody[name].points(points) for name in names] == [1, 1, 1, 0.5]
    path = tmp_path / "class.csv"
    path.write_text(CANVAS_GRADEBOOK)
    everybody, points = of_class(canvas, roster=marks.read_roster(path), deadline=-1e9)
    assert {name: (len(each.files), each.late) for name, each in everybody.items()} == {
        "Lovelace, Ada": (2, 0), "Smith, Jo": (1, 0), "Smith, Jo Ann": (1, 1),
        "smithjo (73)": (1, 0),
    }  # fmt: skip
    for sep in ("/", "_"):
        moodle = [f"Ada Lovelace_71_assignsubmission_file{sep}02-counting.ipynb",
                  f"José Smith_8_assignsubmission_file{sep}02-counting.ipynb",
                  "Ada Lovelace_71_assignsubmission_onlinetext/onlinetext.html"]  # fmt: skip
        path.write_text(MOODLE_WORKSHEET)
        everybody, _ = of_class(dict.fromkeys(moodle, found), roster=marks.read_roster(path))
        assert {name: len(student.files) for name, student in everybody.items()} == {
            "Ada Lovelace": 2, "José Smith": 1,
        }  # fmt: skip
        results = dict.fromkeys(map(Path, moodle))
        marks.write_feedback(tmp_path / "back", everybody.values(), results, ALL, {})
        folders = {path.name for path in (tmp_path / "back").iterdir()}
        assert "José Smith_8_assignsubmission_file" in folders


HOUR = 3600


def test_each_exercise_costs_the_days_that_its_own_file_is_late():
    results = {
        "ada/1.ipynb": {"normalized": PASSED, "a_smaller_step": FAILED},
        "ada/2.ipynb": {"normalized": PASSED, "a_smaller_step": PASSED},
        "bob/1.ipynb": {"normalized": PASSED, "a_smaller_step": OPEN},
        "cyd/1.ipynb": {"normalized": PASSED},
        "dan/1.ipynb": {"normalized": PASSED},
    }
    times = dict(zip(results, [-1, 25 * HOUR, 1, 0, 999 * HOUR], strict=True))
    roster = {name: {"id": "7"} for name in ("ada", "bob", "cyd", "eve")} | {"dan": {"late": "0"}}
    everybody, points = of_class(results, times, deadline=0.0, off=0.2, roster=roster)
    assert {name: (each.late, each.points(points)) for name, each in everybody.items()} == {
        "ada": (2, 1.6), "bob": (1, 0.8), "cyd": (0, 1), "eve": (0, 0), "dan": (0, 1),
    }  # fmt: skip
    counts = marks.Marks(roster, deadline=0.0, off=0.2)
    head, ada, *_ = tables.students(everybody.values(), counts, points)
    assert head[:6] == ["student", "id", "files", "late", "points", "of"]
    assert ada[:6] == ["ada", "7", 2, 2, "1.6", "2"]
    told = marks.feedback(everybody["bob"], dict.fromkeys(map(Path, results)), ALL, points)
    assert "Days late: 1, 20 percent off for each\n" in told
    assert "(normalized): 0.8 of 1, passed\n" in told
    everybody, points = of_class(results, times, deadline=0.0, off=1.0)
    assert everybody["ada"].points(points) == 1


def test_canvas_and_moodle_get_the_columns_that_they_import():
    head = {"Student": "Lovelace, Ada", "ID": "7", "SIS Login ID": "ada1", "Section": "A"}
    roster = {"ada": head, "bob": {**head, "Student": ""}, "eve": {"ID": "9"}, "dan": {}}
    results = {
        "ada/1.ipynb": {"normalized": PASSED, "a_smaller_step": FAILED}, "guest/1.ipynb": {},
        "bob/1.ipynb": {"": ("unreadable", "is not a notebook")}, "dan/1.ipynb": None,
    }  # fmt: skip
    everybody, points = of_class(results, roster=roster)
    counts = marks.Marks(roster)
    assert list(tables.canvas(everybody.values(), counts, points)) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Positional Encoding"],
        ["Points Possible", "", "", "", "", "2"],
        ["Lovelace, Ada", "7", "", "ada1", "A", "1"],
        ["bob", "7", "", "ada1", "A", ""],
        ["eve", "9", "", "", "", ""],
        ["dan", "", "", "", "", ""],
    ]
    header, ada, *_, dan = tables.moodle(everybody.values(), counts, points)
    assert header == ["student", *head, "Positional Encoding"]
    assert (ada, dan) == (["ada", *head.values(), "1"], ["dan", "", "", "", "", ""])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("＝1", "'＝1"),
        ("\t=1", "' =1"), ("\r=1", "' =1"), (" =1", "' =1"), ('"=1"', "'\"=1\""),
        ("a;=1", "a;'=1"), ("a,@b;+c", "a,'@b;'+c"), ("a\n-1", "a\n'-1"), ("a\t=1", "a =1"),
        ("a-b = c", "a-b = c"), ("x;y", "x;y"), ("", ""),
    ],
)  # fmt: skip
def test_no_cell_becomes_a_formula_whatever_separates_the_cells(text, shown):
    assert tables.harmless(text) == shown
    line = tables.csv_of([["before", text, "after"]])
    for delimiter in ",;|":
        for row in csv.reader(io.StringIO(line, newline=""), delimiter=delimiter):
            assert not any(
                cell.strip("\"' ")[:1] in [*"=+-@＝"] and cell[:1] != "'" for cell in row
            )


def test_a_judge_that_ends_or_is_late_costs_its_own_submission():
    lost = {"": ("unreadable", apart.FAILED)}
    ends = "__import__('os')._exit(1)"
    found = dict(apart.apart(eval, ["1", ends, "2"], 2, seconds=600))
    assert found == {"1": 1, ends: lost, "2": 2}
    waits = "__import__('time').sleep(99)"
    found = dict(apart.apart(eval, [waits, f"{waits} or 1"], 2, seconds=0))
    assert found == {waits: lost, f"{waits} or 1": lost}
    assert multiprocessing.active_children() == []


def test_a_roster_and_points_are_read_as_spreadsheets_write_them(tmp_path):
    path = tmp_path / "list.csv"
    path.write_bytes("student;Matrikel\r\nŁukasz ;007\r\nZoë;\r\n".encode("utf-8-sig"))
    assert marks.read_roster(path) == {"Łukasz": {"Matrikel": "007"}, "Zoë": {"Matrikel": ""}}
    path.write_text("Student,ID,student,late\n,,,\n  Points Possible,,,\nLovelace,7,ada, 2 ,\n")
    row = {"Student": "Lovelace", "ID": "7", "late": "2"}
    assert marks.read_roster(path) == {"ada": row}
    assert marks.Marks({"ada": row}).days("ada", 0) == 2
    path.write_text("exercise;points\na_smaller_step;0,5\nnormalized;2\n")
    assert marks.read_points(path, ALL) == {"normalized": 2.0, "a_smaller_step": 0.5}
    assert list(marks.read_points(path, ALL)) == [
        name for name in ALL if name in ("normalized", "a_smaller_step")
    ]


@pytest.mark.parametrize(
    ("reader", "text", "said"),
    [
        (marks.read_roster, "name,id\nada,1\n", "expected rows below the header student"),
        (marks.read_roster, "student\n", "expected rows below the header student"),
        (marks.read_roster, "", "expected rows below the header student"),
        (marks.read_roster, "student\nada\nAda\n", "each student once, got 'Ada'"),
        (marks.read_roster, "student,id\n,1\n", "each student once, got ''"),
        (marks.read_roster, "student\nZo\xeb\n", "CSV in UTF-8"),
        (marks.read_roster, f"student,a\na,{'x' * 200_000}\n", "expected CSV: field larger"),
        (marks.read_roster, "student,late\nada,-1\n", "ada: expected late as a number of days"),
        (marks.read_points, "exercise,points\nnormal,1\n", "names of exercises, each once"),
        (marks.read_points, "exercise,points\nnormalized,1\nnormalized,1\n", "each once"),
        (marks.read_points, "exercise,points\nnormalized,-1\n", "0 or more, got '-1'"),
        (marks.read_points, "exercise,points\nnormalized,nan\n", "0 or more, got 'nan'"),
        (marks.read_points, "exercise,points\nnormalized,much\n", "0 or more, got 'much'"),
        (marks.read_points, "exercise,points\nnormalized\n", "0 or more, got ''"),
    ],
)
def test_a_roster_or_points_that_are_not_what_they_should_be_are_refused(
    reader, text, said, tmp_path, capsys
):
    path = tmp_path / "list.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=said):
        reader(path, ALL) if reader is marks.read_points else reader(path)
    hand_in(tmp_path / "in", IMPORT, name="a/02-counting.ipynb")
    option = "--points" if reader is marks.read_points else "--roster"
    with pytest.raises(SystemExit) as end:
        grade.main([str(tmp_path / "in"), option, str(path), *["--unprotected"] * IS_OPEN])
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_no_notebook_is_listed_and_not_graded(tmp_path, capsys):
    hand_in(tmp_path / "in", IMPORT, GOOD, name="ada/02-counting.ipynb")
    for name in ("ada/notes.txt", "bob/02-counting.rar", "bob/.DS_Store"):
        records.replaced(tmp_path / "in" / name, "x")
    assert grade.run(tmp_path / "in", tmp_path / "out" / "grades.csv", SECONDS, ONE, IS_OPEN)
    rows = (tmp_path / "out" / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    assert rows[1:] == [
        "ada,ada/02-counting.ipynb,1,1,,passed",
        f"ada,ada/notes.txt,0,0,{archives.OTHER},",
        f"bob,bob/02-counting.rar,0,0,{archives.OTHER},",
    ]
    rows = (tmp_path / "out" / "grades-students.csv").read_text(encoding="utf-8-sig").splitlines()
    assert rows[2] == f"bob,1,0,1,{archives.OTHER},missing"
    said = capsys.readouterr().out
    assert "2 files are not notebooks, and are not graded" in said
    assert "1 notebooks, 1 with all passed." in said


def packed(path, *names, text="{}", when=(2026, 11, 20, 12, 0, 0)):
    """An archive that holds a text under each of these names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name, when), text, zipfile.ZIP_DEFLATED)
    return path


@pytest.fixture
def space(tmp_path):
    """An empty folder, with a neighbor for what would leave it."""
    (tmp_path / "around" / "space").mkdir(parents=True)
    return tmp_path / "around" / "space"


def below(files):
    return [name.as_posix() for name in files]


def test_the_names_in_an_archive_of_a_class_tell_the_students(tmp_path, capsys):
    good, out = notebook(IMPORT, GOOD), tmp_path / "out" / "grades.csv"
    names = ["Łukasz/02-counting.ipynb", "adal_LATE_71_4502_02-counting.ipynb", "notes.txt",
             "Bob B_12_assignsubmission_file/02-counting.ipynb", "02-counting.ipynb"]  # fmt: skip
    packed(tmp_path / "in" / "class.zip", *names, "__MACOSX/x.ipynb", "a/.b/x.ipynb", text=good)
    with pytest.raises(SystemExit) as end:
        grade.main([str(tmp_path / "in"), "--out", str(out), *["--unprotected"] * IS_OPEN])
    assert end.value.code == 0
    with out.with_name("grades-students.csv").open(encoding="utf-8-sig") as rows:
        found = {row["student"]: (row["normalized"], row["note"]) for row in csv.DictReader(rows)}
    note = "holds 1 of 5 exercises"
    late = f"{note}; late, says Canvas"
    assert found == {
        "adal": ("passed", late),
        "Bob B": ("passed", note),
        "Łukasz": ("passed", note),
    }
    assert {path.name for path in out.with_name("grades-feedback").iterdir()} == {
        "adal_71", "Bob B_12_assignsubmission_file", "Łukasz"
    }  # fmt: skip
    said = capsys.readouterr().out
    assert "4 notebooks, 0 with all passed." in said
    assert "1 notebooks are in no student's folder" in said


def test_an_archive_of_a_student_is_theirs_and_has_its_own_time(tmp_path, space):
    for name in ("bob/work.zip", "adal_71_4502_work.zip", "class.zip"):
        os.utime(packed(tmp_path / "in" / name, "x/02-counting.ipynb"), (HOUR, HOUR))
    files, others = archives.found(tmp_path / "in", space)
    assert not others
    assert {name.parts[0]: marks.student_of(name) for name in files} == {
        "bob": "bob", "adal_71_4502_work.zip": "adal", "class.zip": "x"
    }  # fmt: skip
    inside = time.mktime((2026, 11, 20, 12, 0, 0, 0, 0, -1))
    assert {name.parts[0]: path.stat().st_mtime for name, path in files.items()} == {
        "bob": HOUR, "adal_71_4502_work.zip": HOUR, "class.zip": inside
    }  # fmt: skip


def test_nothing_in_an_archive_leads_out_of_it(tmp_path, space):
    path = packed(
        tmp_path / "in" / "class.zip", "../../up/1.ipynb", "/abs/2.ipynb", "..\\..\\win\\3.ipynb",
        "//net/4.ipynb", "...ipynb", "../.ipynb", "..", "a/deep.zip",
    )  # fmt: skip
    files, others = archives.found(path.parent, space)
    inside = ["up/1.ipynb", "abs/2.ipynb", "win/3.ipynb", "net/4.ipynb"]
    assert set(below(files.keys() - others.keys())) == {f"class.zip/{name}" for name in inside}
    assert {p for p in tmp_path.rglob("*") if p.is_file()} == {path, *files.values()}
    assert all(space in place.parents for name, place in files.items() if name not in others)
    assert others[Path("class.zip/a/deep.zip")] == archives.NESTED
    with zipfile.ZipFile(path, "w") as archive:  # a link is a text, and not followed
        link = zipfile.ZipInfo("a/5.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    files, _ = archives.found(path.parent, space)
    assert [(p.is_symlink(), p.read_text()) for p in files.values()] == [(False, "/etc/passwd")]


def test_an_archive_that_is_too_much_is_not_unpacked(tmp_path, space, monkeypatch):
    path = packed(tmp_path / "in" / "bob" / "a.zip", "1.ipynb", "2.ipynb", text="0" * 1000)

    def said():
        files, others = archives.found(tmp_path / "in", space)
        assert files.keys() == others.keys()
        assert list(space.iterdir()) == []
        return set(others.values())

    with monkeypatch.context() as few:
        few.setattr(archives, "MANY", 1)
        assert said() == {"is not unpacked: it holds more than 1 files or 1 GB"}
    with monkeypatch.context() as few:
        few.setattr(archives, "LARGE", 1999)
        assert "it holds more" in said().pop()
        few.setattr(archives, "LARGE", path.stat().st_size - 1)
        assert "or larger than" in said().pop()
    with monkeypatch.context() as few:
        few.setattr(notebooks, "LARGE", 999)
        assert said() == {"is not unpacked: it is larger than 0 MB"}
    path.write_bytes(path.read_bytes().replace(b"ipynb", b"ipyn\xff"))
    assert said() == {archives.OTHER}  # a name in letters of DOS
    packed(path, "x" * 300 + "/1.ipynb")
    assert said() == {"is not unpacked: it holds a name that is too long"}
    packed(path)
    assert said() == {"is not unpacked: it is empty"}
    path.write_text("x")
    assert said() == {"is not unpacked: File is not a zip file"}
    path.unlink()
    path.symlink_to(packed(tmp_path / "elsewhere.zip", "1.ipynb"))
    assert "it is a link" in said().pop()


def test_one_damaged_file_costs_the_others_of_its_archive_nothing(tmp_path, space):
    path = packed(tmp_path / "in" / "class.zip", "a/1.ipynb", "b/2.ipynb", text="0" * 1000)
    with zipfile.ZipFile(path) as archive:
        start = archive.infolist()[0].header_offset + 30 + len("a/1.ipynb")
    held = bytearray(path.read_bytes())
    held[start] ^= 255
    path.write_bytes(held)
    files, others = archives.found(path.parent, space)
    assert below(others) == ["class.zip/a/1.ipynb"]
    assert others[Path("class.zip/a/1.ipynb")].startswith("is not unpacked: ")
    assert files[Path("class.zip/b/2.ipynb")].read_text() == "0" * 1000


def test_everybody_gets_a_text_with_their_own_results_alone(tmp_path):
    results = {
        "ada/1.ipynb": {"normalized": ("failed", "expected: 1\ngot: 2"), "a_smaller_step": PASSED},
        "bob/1.ipynb": {"": ("unreadable", "is not a notebook: it is not JSON")},
    }
    everybody, points = of_class(results, roster={"ada": {}, "bob": {}, "../eve": {}})
    stale = tmp_path / "gone" / "feedback.txt"
    records.replaced(stale, "of another run")
    found = {Path(path): found for path, found in results.items()}
    marks.write_feedback(tmp_path, everybody.values(), found, ALL, points)
    texts = {path.parent.name: path.read_text(encoding="utf8") for path in tmp_path.rglob("*.txt")}
    assert sorted(texts) == ["ada", "bob"]
    assert texts["ada"].startswith("ada: 1 of 2 points\n")
    assert "(normalized): 0 of 1, failed\n    expected: 1\n    got: 2\n" in texts["ada"]
    assert "(a_smaller_step): 1 of 1, passed\n" in texts["ada"]
    assert "bob/1.ipynb is not a notebook: it is not JSON" in texts["bob"]
    assert "(normalized): 0 of 1, unreadable" in texts["bob"]
    assert everybody["bob"].note == "is not a notebook: it is not JSON"
    assert "ada" not in texts["bob"].replace("unreadable", "")


def test_the_points_of_a_file_are_those_that_count(tmp_path, capsys):
    hand_in(tmp_path / "in", IMPORT, GOOD, name="ada/02-counting.ipynb")
    for name, text in [("points", "exercise,points\nnormalized,2.5\nkind_of_symmetry,4\n"),
                       ("roster", "student,email\nada,a@b\nŁukasz,l@b\n")]:  # fmt: skip
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf8")
    lists = [f"--{name}={tmp_path / name}.csv" for name in ("points", "roster")]
    out = tmp_path / "grades.csv"
    with pytest.raises(SystemExit) as end:
        grade.main([str(tmp_path / "in"), "--out", str(out), *lists, *["--unprotected"] * IS_OPEN])
    assert end.value.code == 0
    rows = (tmp_path / "grades-students.csv").read_text(encoding="utf-8-sig").splitlines()
    in_order = [name for name in ALL if name in ("normalized", "kind_of_symmetry")]
    assert rows[0] == ",".join(["student,email,files,points,of,note", *in_order])
    assert rows[1].startswith("ada,a@b,1,2.5,6.5,holds 1 of 5 exercises,")
    assert rows[2] == "Łukasz,l@b,0,0,6.5,nothing handed in,missing,missing"
    assert "Nothing from: Łukasz.\n" in capsys.readouterr().out


def test_a_result_is_taken_over_while_nothing_that_it_depends_on_changes(tmp_path, monkeypatch):
    path, out = hand_in(tmp_path / "in", IMPORT, GOOD, name="a/02-counting.ipynb"), tmp_path / "out"
    graded = []
    found = {"normalized": ("passed", "")}
    monkeypatch.setattr(grade, "grade", lambda path, **rest: graded.append(path) or found)

    def times(seconds=SECONDS, again=False):
        before = len(graded)
        grade.run(tmp_path / "in", out / "grades.csv", seconds, ONE, IS_OPEN, again)
        return len(graded) - before

    assert (times(), times(), times(FEW), times(FEW), times(FEW, True)) == (1, 0, 1, 0, 1)
    path.write_text(notebook("x = 1"), encoding="utf8")
    assert (times(FEW), times(FEW)) == (1, 0)
    record = out / "grades-record.jsonl"
    record.write_text(record.read_text()[:-9] + "\n[1]\n{}\n7\n")  # the machine went down
    assert (times(FEW), times(FEW)) == (1, 0)
    monkeypatch.setattr(grade, "fingerprint", lambda *settings: "another grader")
    assert times(FEW) == 1
    assert len(record.read_text().splitlines()) == 1


def test_the_checks_and_the_grader_are_in_the_fingerprint(tmp_path):
    files = ["exercises/a/checks.py", "pecode/b.py", "tools/grading/c.py", "tools/grade.py"]
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    prints = {grade.fingerprint(tmp_path, 10)}
    for name in files:
        (tmp_path / name).write_text("2")
        prints.add(grade.fingerprint(tmp_path, 10))
    assert len(prints) == 1 + len(files)


def test_an_interrupt_in_a_call_is_not_taken_for_a_failure_of_the_function():
    def ask(do, **_):
        if do == "call":
            raise KeyboardInterrupt
        return {"value": True}

    submission = SimpleNamespace(ask=ask, cells=[], skipped={}, errors={})
    with pytest.raises(KeyboardInterrupt):
        grade.graded(ALL["normalized"], submission)


def test_ctrl_c_leaves_a_table_that_can_be_read(tmp_path):
    name = "Łukasz/02-counting.ipynb"
    hand_in(tmp_path / "in", IMPORT, GOOD, name=name)
    hand_in(tmp_path / "in", *answer(LOOP), name="Żaneta/02-counting.ipynb")
    hand_in(tmp_path / "in", *answer(LOOP), name="Zoë/02-counting.ipynb")
    command = [
        sys.executable,
        ROOT / "tools" / "grade.py",
        tmp_path / "in",
        "--seconds=60",
        "--jobs=2",
        f"--out={tmp_path}/grades.csv",
        *["--unprotected"] * IS_OPEN,
    ]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    # Started from the background, Python would ignore an interrupt.
    listens = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env=environment, preexec_fn=listens
    ) as process:
        first = process.stdout.readline()
        time.sleep(1)  # in the call of the second one, or about to start it
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert first.startswith(b"?ukasz/02-counting.ipynb: 1 of")
    assert b"Interrupted: 2 notebooks are not graded." in rest
    with (tmp_path / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert rows["Łukasz"]["normalized"] == "passed"
    assert rows["Żaneta"]["normalized"] == rows["Zoë"]["normalized"] == "waiting"
    assert list(rows) == ["Zoë", "Łukasz", "Żaneta"]


@pytest.mark.parametrize("kinds", [["OSError"], ["KeyboardInterrupt"], ["E\0", "OSError", None]])
def test_an_answer_whose_error_is_forged_costs_one_exercise(kinds, tmp_path):
    forge = {"raised": kinds, "text": "\x1b[2J" + "x" * 99}
    cell = f"""
import sys
frame = sys._getframe()
while frame and frame.f_code.co_name != "main":
    frame = frame.f_back
data = frame.f_globals["data"]
whole = data.write
data.write = lambda stream, reply: whole(stream, {forge!r})
"""
    path = hand_in(tmp_path, IMPORT, cell, GOOD)
    found = grade_one(path, {name: ALL[name] for name in ("a_smaller_step", "normalized")})
    assert {found[name][0] for name in ("a_smaller_step", "normalized")} <= {"failed", "stopped"}
    assert all(letter.isprintable() for _, why in found.values() for letter in why if letter > " ")


def test_an_answer_nested_990_deep_costs_one_exercise(tmp_path):
    cell = """
import sys
frame = sys._getframe()
while frame and frame.f_code.co_name != "main":
    frame = frame.f_back
data = frame.f_globals["data"]
whole = data.write

def write(stream, reply):
    if str(reply.get("value")) == "deep":
        stream.write(b'{"dict": [["value", ' + b"[" * 990 + b"]" * 990 + b"]]}\\n")
        return stream.flush()
    return whole(stream, reply)

data.write = write
ask("a_smaller_step", "deep")
"""
    path = hand_in(tmp_path, IMPORT, cell, GOOD)
    found = grade_one(path, {name: ALL[name] for name in ("a_smaller_step", "normalized")})
    assert found["a_smaller_step"][0] in ("failed", "stopped")
    assert found["normalized"] == ("passed", "")


def test_a_terminal_that_cannot_print_a_name_costs_nothing(tmp_path):
    hand_in(tmp_path / "in", IMPORT, name="Zoë \udcff/02-counting.ipynb")
    command = [sys.executable, ROOT / "tools" / "grade.py", tmp_path / "in", "--out",
               tmp_path / "grades.csv", *["--unprotected"] * IS_OPEN]  # fmt: skip
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert b"Zo? ?/02-counting.ipynb: 0 of" in done.stdout
    assert "Zoë ?" in (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")


@pytest.mark.parametrize(
    "arguments",
    [["nowhere"], ["."], [""], [], *(["in", option] for option in (
        "--seconds=0", "--jobs=0", "--late=101", "--late=nan", "--deadline=soon"))],
)  # fmt: skip
def test_a_command_that_cannot_be_carried_out_is_refused(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if "in" in arguments:
        hand_in(tmp_path / "in", IMPORT)
    with pytest.raises(SystemExit) as end:
        grade.main([*arguments, *["--unprotected"] * IS_OPEN])
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
